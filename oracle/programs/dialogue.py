"""A trace in dialogue with a program: written in batches, answers judged as they come.

The next batch goes out while the answers to the last are under way; expected answers are computed as the lines are
written, and the answers to a batch are compared at once.  Each batch ends with the greeting, which is answered like
the first time: so a line too many or too few shows in the batch where it happens.  Batches start with one operation
and grow as long as answers come at once, so that a program may take its time for each operation, up to the time limit.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.outcome import Failure
from swagproof.oracle.programs.lines import Lines
from swagproof.oracle.programs.protocol import GREETING, TEXT, Handshake, Written, form, forms_of, spell_monoid
from swagproof.oracle.sandbox.playing import PATIENT
from swagproof.oracle.sandbox.process import GRACE, Ended, Silent, Trouble
from swagproof.oracle.trace import InputError, Step, largest_window
from swagproof.oracle.window import Window

MOST: Final = 4096
"""Operations in the largest batch."""

PROMPT, SLOW = 0.02, 0.5
"""Seconds for a batch: up to so many, the next may be larger; from so many on, it is smaller."""

STARVED: Final = 60.0
"""Seconds that a program may take to start where others keep the processors from it,"""

ITS_PART: Final = 0.5
"""up to this part of its time limit in processor time: so much it has of a machine that is its own."""

HASTE: Final = 0.1
"""The part of the time limit after which a silent batch is run again, one operation at a time."""

ON_STANDARD_ERROR: Final = "is answered on standard error: answers belong on standard output"

FLUSH: Final = "flush"
"""The line that is sent before every wait."""


class Connection:
    """A program that is running, and has said what it is."""

    def __init__(self, process: Lines, echo: Callable[[str], None] | None = None) -> None:
        self.process = process
        self.echo = echo
        """Told every line that is sent, `> insert 1`, and that comes, `< 1`."""
        self.pace = 1
        """Operations in a batch."""
        self.greeting = ""
        """The program's answer to the greeting."""

    def send(self, text: str, answers: int) -> None:
        """Send these lines, which ask for so many; they shall be answered now."""
        text += f"{FLUSH}\n"
        if self.echo is not None:
            for line in text.removesuffix("\n").split("\n"):
                self.echo(f"> {line}")
        self.process.send(text, answers)

    def receive(self, count: int, patience: float, marks: int = 1) -> list[str]:
        """So many lines: fewer when the greeting was answered as often as it was sent."""
        lines = self.process.receive(count, patience, self.greeting or None, marks)
        if self.echo is not None:
            for line in lines:
                self.echo(f"< {line}")
        return lines

    def greet(self, patience: float) -> Handshake:
        """Send the greeting, and read what it announces.

        Raises Trouble when it does not answer, or not well, or not as it did before.
        """
        self.send(f"{GREETING}\n", 1)
        try:
            line = self._await_greeting(patience)
        except Ended as ended:
            raise Trouble(f"does not answer {GREETING!r}: that {ended}") from None
        except Silent:
            raise Trouble(
                self._why_silent() or f"did not answer {GREETING!r} within {patience:g} s (see --timeout)"
            ) from None
        try:
            shaken = Handshake.read(line)
        except ValueError as error:
            raise Trouble(str(error)) from None
        if self.greeting not in ("", line):
            raise Trouble(f"announces {line!r}, and announced {self.greeting!r} before")
        self.greeting = line
        return shaken

    def _await_greeting(self, patience: float) -> str:
        """The line that answers it.  Who is kept from its work by others has more time than is said, until it has had
        as much of a processor.  Raises as `receive` does."""
        until = time.monotonic() + max(STARVED, patience)
        while True:
            try:
                return self.receive(1, patience)[0]
            except Silent:
                kept = self.process.processor_time < ITS_PART * patience and time.monotonic() < until
                if not kept or not self.process.works:
                    raise

    def refuse_other_greeting(self, line: str) -> None:
        """Raise Trouble where this, which ends a batch, is the greeting with another announcement."""
        if line != self.greeting and line.startswith(f"{GREETING} "):
            raise Trouble(f"made the program announce {line!r}, and it announced {self.greeting!r} before")

    def _why_silent(self) -> str | None:
        """Return what is wrong with how it answers the greeting, where that can be told."""
        if self.process.partial:
            return f"printed {self.process.partial[-60:]!r} without an end of line"
        if any(line.startswith(GREETING) for line in self.process.errors.splitlines()):
            return ON_STANDARD_ERROR
        waits = self.process.has_read and not self.process.works  # else it may have been about to read, and to answer
        if waits and self.process.speaks_at_end_of_input(GRACE):
            return (
                "answers only once its input is closed: flush standard output after each answer, or at flush, "
                "and read each line as it comes"
            )
        return None


class _Writer:
    """A trace as it is written, and the right answers to it."""

    def __init__(self, window: Window, domain: Domain, elements: Written) -> None:
        self.reference = KINDS[window.name].expected(domain.rule.mirror)
        self.elements = elements
        self.window = window
        self.size = self.largest = 0
        """Entries in a FIFO window now, and when it was largest."""

    def batch(self, steps: Sequence[Step], start: int) -> tuple[list[str], list[Any]]:
        """The lines of these operations, and the right answers.  `start` is where they stand in the trace."""
        lines: list[str] = []
        expected: list[Any] = []
        try:
            (self._in_order if self.window.name == "fifo" else self._any)(steps, lines, expected)
        except (InputError, TypeError) as error:  # an element that has no form
            step = steps[len(lines)]
            raise InputError(f"operation {start + len(lines) + 1}, {step}: {error}") from None
        return lines, expected

    def _in_order(self, steps: Sequence[Step], lines: list[str], expected: list[Any]) -> None:
        put, expect, elements, size, largest = lines.append, expected.append, self.elements, self.size, self.largest
        insert, evict, query = self.reference.insert, self.reference.evict, self.reference.query
        for name, arguments in steps:
            if name == "insert":
                line, value = elements[arguments[0]]
                put(line)
                insert(value)
                size += 1
            elif name == "evict":
                put("evict\n")
                evict()
                if size > largest:
                    largest = size
                size -= 1
            elif name == "query":
                put("query\n")
                expect(query())
            else:
                put(str(Step(name, arguments)) + "\n")
                getattr(self.reference, name)(*arguments)
                if name == "bulk_evict":
                    largest, size = max(size, largest), size - arguments[0]
        self.size, self.largest = size, max(size, largest)

    def _any(self, steps: Sequence[Step], lines: list[str], expected: list[Any]) -> None:
        elements, queries = self.elements, self.window.queries
        does = {name: (getattr(self.reference, name), form.format) for name, form in forms_of(self.window).items()}
        for name, arguments in steps:
            do, line = does[name]
            if name == "insert":
                *times, element = arguments
                end, value = elements[element]
                lines.append(line(*times) + end)
                do(*times, value)
            else:
                lines.append(line(*arguments))
                answer = do(*arguments)
                if name in queries:
                    expected.append(answer)


@dataclass(frozen=True)
class _Batch:
    """Operations that are under way."""

    start: int
    end: int
    expected: list[Any]
    marked: bool
    """True if it ends with the greeting."""
    sent: float


class Dialogue:
    """One run of one trace."""

    def __init__(
        self,
        connection: Connection,
        window: Window,
        domain: Domain,
        steps: Sequence[Step],
        clock: Clock,
        elements: Written,
        one_by_one: bool,
        patient: bool = False,
    ) -> None:
        self.connection, self.window, self.domain, self.steps, self.clock = connection, window, domain, steps, clock
        self.one_by_one = one_by_one
        """True if each operation is a batch, awaited before the next, to locate the failure."""
        self.patient = patient
        """True if each batch gets all of the time limit, and at least some time."""
        self._until = time.monotonic() + clock.timeout * one_by_one
        """Up to here, no deadline ends it: what is wrong is known to be near."""
        self.done = 0
        """Operations that were run to their end."""
        self.queries = 0
        """Answers that were checked."""
        self.left = 0
        """Lines that are still to come, after a wrong answer."""
        self.awaited = _Batch(0, 0, [], False, 0.0)
        """The batch whose answers are waited for, or were last."""
        self._writer = _Writer(window, domain, elements)
        self._shape = form(domain)[1]
        self._ahead: deque[_Batch] = deque()
        self._next = 0

    def run(self) -> Failure | None:
        """The first wrong answer, if there is one.  Raises Trouble when the program cannot go on."""
        while self._ahead or self._more():
            if self._more():
                self._send()
                if len(self._ahead) == 1 and self._more() and self._hurries():
                    continue
            self.awaited = self._ahead.popleft()
            failure = self._judge(self._receive_answers(self.awaited))
            if failure is not None:
                self.left = sum(len(batch.expected) + batch.marked for batch in self._ahead)
                return failure
        return None

    @property
    def largest(self) -> int:
        """Entries in the largest window."""
        if self.window.name == "fifo":
            return self._writer.largest
        return largest_window(self.steps[: self.done], self.window)

    @property
    def exact(self) -> bool:
        """Return whether trouble came with the last of the awaited operations, and with no other."""
        return self.awaited.end - self.awaited.start <= 1 and not self._ahead

    def _more(self) -> bool:
        return self._next < len(self.steps) and (not self.clock.expired or time.monotonic() < self._until)

    def _hurries(self) -> bool:
        return not self.one_by_one and self.connection.echo is None and self.connection.pace > 1

    def _send(self) -> None:
        start = self._next
        end = min(len(self.steps), start + (1 if self.one_by_one else self.connection.pace))
        shown = self.connection.echo is not None
        if shown:
            queries = self.window.queries
            asked = (at for at in range(start, len(self.steps)) if self.steps[at].name in queries)
            end = next(asked, len(self.steps) - 1) + 1
        lines, expected = self._writer.batch(self.steps[start:end], start)
        marked = not shown or end == len(self.steps)
        if start == 0:
            lines.insert(0, f"reset {spell_monoid(self.domain)}\n")
        if marked:
            lines.append(f"{GREETING}\n")
        self.connection.send("".join(lines), len(expected) + marked)
        self._ahead.append(_Batch(start, end, expected, marked, time.monotonic()))
        self._next = end

    def _receive_answers(self, batch: _Batch) -> list[str]:
        """The answers to a batch.  Raises Trouble when there are too many or too few."""
        asked = len(batch.expected)
        lines = self.connection.receive(asked + batch.marked, self._patience(), 1 + len(self._ahead))
        if batch.marked:
            greeting = self.connection.greeting
            if len(lines) <= asked or lines[-1] != greeting:
                if (
                    asked == 1
                    and lines[0] == greeting
                    and self._texts(batch.expected)[0] in self._errors().splitlines()
                ):
                    raise Trouble(ON_STANDARD_ERROR)
                self.connection.refuse_other_greeting(lines[-1])
                raise Trouble(_explain_count(lines, asked, greeting))
            del lines[-1]
        took = time.monotonic() - batch.sent
        if took < min(PROMPT, self.clock.timeout / 10):
            self.connection.pace = min(MOST, 4 * self.connection.pace)
        elif took > min(SLOW, self.clock.timeout / 4):
            self.connection.pace = max(1, self.connection.pace // 4)
        return lines

    def _patience(self) -> float:
        """Seconds to wait for the awaited batch: the time limit for one operation, less for what can be run again."""
        limit = self.clock.timeout
        if self.patient:
            return max(limit, PATIENT)
        return limit if self.exact or self.connection.echo is not None else min(limit, max(HASTE * limit, 0.25))

    def _errors(self) -> str:
        return self.connection.process.errors

    def _judge(self, answers: list[str]) -> Failure | None:
        """The first of the awaited answers that is wrong."""
        batch, rule = self.awaited, self.domain.rule
        if rule.mirror is not self.domain.operation or answers != self._texts(batch.expected):
            for number, (expected, answer) in enumerate(zip(batch.expected, answers, strict=True)):
                try:
                    got = self._shape.read(answer)
                except ValueError:
                    at = self._stop_at(number)
                    more = f" ... ({len(answer):,} characters)" if len(answer) > 60 else ""
                    error = f"{self.steps[at].name} is answered {answer[:60]!r}{more}, which is no {self._shape.says}"
                    return Failure(at, "broken", error=error, stderr=self._errors() or None)
                if not rule.agree(expected, got):
                    return Failure.wrong(self.domain, self._stop_at(number), expected, got)
        self.done = batch.end
        self.queries += len(answers)
        return None

    def _texts(self, values: list[Any]) -> list[str]:
        """The values as answers; an integer is written alike by all that take one."""
        write = self._shape.write
        return values if self._shape is TEXT else [str(x) if type(x) is int else write(x) for x in values]

    def _stop_at(self, number: int) -> int:
        """Return the position of the awaited query of this number, and stop there: no answer beyond it counts."""
        queries = self.window.queries
        at = [at for at in range(self.awaited.start, self.awaited.end) if self.steps[at].name in queries][number]
        self.done = at + 1
        self.queries += number + 1
        return at

    def blame_last(self, trouble: Trouble) -> Failure:
        """The last of the awaited operations is what the trouble came with.

        Whoever is silent within a line, among many operations, may have filled a buffer that is written out at its end.
        """
        at = self.awaited.end - 1
        self.done = self.awaited.end
        if isinstance(trouble, Silent) and not (self.exact and self.connection.process.partial):
            return Failure(at, "hung", stderr=self._errors() or None)
        why = f"printed {self.connection.process.partial[-60:]!r} without an end of line"
        error = f"{self.steps[at].name} {why if isinstance(trouble, Silent) else trouble}"
        return Failure(at, "broken", error=error, stderr=self._errors() or None)


def _explain_count(lines: list[str], asked: int, greeting: str) -> str:
    """Return what is wrong with the lines that came for so many queries, and the greeting."""
    if asked > 1:
        return "is among operations with too many or too few answers"
    if asked and lines[0] == greeting:
        return "is not answered"
    if asked:
        return f"is answered by more than one line: {lines[0][:60]!r} and {lines[1][:60]!r}"
    return f"printed {lines[0][:60]!r}, where nothing was asked"
