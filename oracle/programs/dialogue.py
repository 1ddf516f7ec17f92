"""A connection to a running program, for `swagproof.oracle.sandbox.playing`: sends traces as lines, reads answers.

Each batch ends with the greeting, which the program answers as it did the first time.  So a surplus or missing line is
detected in the batch where it occurs.
"""

import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from swagproof.oracle.programs.lines import Lines
from swagproof.oracle.programs.protocol import (
    GREETING,
    INTEGER,
    TEXT,
    Handshake,
    Shape,
    form,
    lines_of,
    spell_monoid,
)
from swagproof.oracle.sandbox.exchange import Head
from swagproof.oracle.sandbox.process import GRACE, Ended, Silent, Trouble

CALLS: Final = "calls"
"""The line that asks for the number of combine calls since the last such line; it may come among the operations."""

STARVED: Final = 60.0
"""Seconds that a program may take to start if other processes occupy the processors,"""

ITS_PART: Final = 0.5
"""up to this fraction of its time limit in processor time, which it would have on an idle machine."""

ON_STANDARD_ERROR: Final = "is answered on standard error: answers belong on standard output"

FLUSH: Final = "flush"
"""The line sent before every wait."""


@dataclass(frozen=True)
class _Asked:
    """A batch in progress."""

    asked: list[tuple[int, int, str]]
    """The piece, position and name of each operation that has an answer."""
    shapes: list[Shape]
    """The form of each answer."""
    pieces: int
    operations: int
    marked: bool
    """True if it ends with the greeting."""


class Connection:
    """A running program that has answered the greeting."""

    turn = 0
    """The number of the last batch sent."""

    def __init__(self, process: Lines, echo: Callable[[str], None] | None = None) -> None:
        self.process = process
        self.echo = echo
        """A function called with every line sent, `> insert 1`, and received, `< 1`."""
        self.timeout = 0.0
        """Seconds that one operation may take."""
        self.greeting = ""
        """The program's answer to the greeting."""
        self._under_way: deque[_Asked] = deque()
        self._done = 0
        """The number of operations of the current trace that were sent."""

    # Pieces of traces

    def ask(self, _number: int, request: Any) -> None:
        """Send pieces of traces.  Raises InputError for an element that has no form."""
        _, domain, elements, _, pieces = request
        lines = list[str]()
        for begins, names, arguments, _ in pieces:
            if begins:
                lines.append(f"reset {spell_monoid(domain)}\n")
                self._done = 0
            lines += lines_of(zip(names, arguments, strict=True), elements, self._done)
            self._done += len(names)
        marked = self.echo is None or pieces[-1][-1]
        answered = {*elements.window.queries, CALLS}
        asked = [
            (piece, at, name)
            for piece, (_, names, _, _) in enumerate(pieces)
            for at, name in enumerate(names)
            if name in answered
        ]
        shape = form(domain)[1]
        shapes = [INTEGER if name == CALLS else shape for _, _, name in asked]
        operations = sum(len(names) for _, names, _, _ in pieces)
        self._under_way.append(_Asked(asked, shapes, len(pieces), operations, marked))
        self.send("".join(lines) + (f"{GREETING}\n" if marked else ""), len(asked) + marked)

    def receive(self, _number: int, patience: float) -> tuple[Head, list[Any]]:
        """Return the answers to the pieces that were sent first.  Raises Silent, Ended and Trouble."""
        batch = self._under_way[0]
        try:
            marks = sum(it.marked for it in self._under_way)
            lines = self.take(len(batch.asked) + batch.marked, patience, marks)
        except Silent:
            alone = len(self._under_way) == 1 and batch.operations <= 1
            if self.process.partial and alone and patience >= self.timeout:
                raise Trouble(f"printed {self.process.partial[-60:]!r} without an end of line") from None
            raise  # among many operations it may have filled a buffer that it flushes at its end
        self._under_way.popleft()
        if batch.marked:
            self._refuse_other_count(lines, batch)
            del lines[-1]
        answers = list[Any]()
        for (piece, at, name), shape, text in zip(batch.asked, batch.shapes, lines, strict=True):
            try:
                answers.append(shape.read(text))
            except ValueError:
                more = f" ... ({len(text):,} characters)" if len(text) > 60 else ""
                error = f"{name} is answered {text[:60]!r}{more}, which is no {shape.says}"
                return Head(done=piece, at=at, ending=["broken", error]), answers
        return Head(done=batch.pieces), answers

    def _refuse_other_count(self, lines: list[str], batch: _Asked) -> None:
        """Raise Trouble for too many or too few answers, or another greeting."""
        asked = len(batch.asked)
        if len(lines) > asked and lines[-1] == self.greeting:
            return
        if asked == 1 and lines[0] == self.greeting and self._is_answered_elsewhere(batch.shapes[0]):
            raise Trouble(ON_STANDARD_ERROR)
        self.refuse_other_greeting(lines[-1])
        raise Trouble(_explain_count(lines, asked, self.greeting))

    def _is_answered_elsewhere(self, shape: Shape) -> bool:
        """Return whether the last line on standard error is an answer; never of text, since any line may be one."""
        for line in self.process.errors.splitlines()[-1:] if shape is not TEXT else ():
            with suppress(ValueError):
                shape.read(line)
                return True
        return False

    # Lines

    def send(self, text: str, answers: int) -> None:
        """Send these lines, which have `answers` answers, to be written now."""
        text += f"{FLUSH}\n"
        if self.echo is not None:
            for line in text.removesuffix("\n").split("\n"):
                self.echo(f"> {line}")
        self.process.send(text, answers)

    def take(self, count: int, patience: float, marks: int = 1) -> list[str]:
        """Return `count` lines: fewer when the greeting was answered as often as it was sent."""
        lines = self.process.receive(count, patience, self.greeting or None, marks)
        if self.echo is not None:
            for line in lines:
                self.echo(f"< {line}")
        return lines

    def greet(self, patience: float) -> Handshake:
        """Send the greeting, and parse the program's announcement.

        Raises Trouble if the answer is missing or invalid, or differs from the earlier one.
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
        """Return the line that answers the greeting.  If other processes delay the program, it has more than the time
        limit, until it has had its fraction of processor time.  Raises as `take` does."""
        until = time.monotonic() + max(STARVED, patience)
        while True:
            try:
                return self.take(1, patience)[0]
            except Silent:
                kept = self.process.processor_time < ITS_PART * patience and time.monotonic() < until
                if not kept or not self.process.works:
                    raise

    def refuse_other_greeting(self, line: str) -> None:
        """Raise Trouble if this line, which ends a batch, is the greeting with another announcement."""
        if line != self.greeting and line.startswith(f"{GREETING} "):
            raise Trouble(f"made the program announce {line!r}, and it announced {self.greeting!r} before")

    def _why_silent(self) -> str | None:
        """Return the reason why the greeting is not answered, if known."""
        if self.process.partial:
            return f"printed {self.process.partial[-60:]!r} without an end of line"
        if any(line.startswith(GREETING) for line in self.process.errors.splitlines()):
            return ON_STANDARD_ERROR
        waits = self.process.has_read and not self.process.works  # else it may have been about to read
        if waits and self.process.speaks_at_end_of_input(GRACE):
            return (
                "answers only once its input is closed: flush standard output after each answer, or at flush, "
                "and read each line as it comes"
            )
        return None


def _explain_count(lines: list[str], asked: int, greeting: str) -> str:
    """Return the mistake in the lines received for so many queries and the greeting."""
    if asked > 1:
        return "is among operations with too many or too few answers"
    if asked and lines[0] == greeting:
        return "is not answered"
    if asked:
        return f"is answered by more than one line: {lines[0][:60]!r} and {lines[1][:60]!r}"
    return f"printed {lines[0][:60]!r}, but no query was open"
