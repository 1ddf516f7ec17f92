"""The verdict: conforms, violated, broken or unknown, in one English sentence, with the smallest trace that shows it.

The sentence comes from comparing the wrong answer with the answers of usual mistakes over the same trace: the
operands swapped, an evicted element still there, an element lost or counted twice, the answer of an earlier query, the
identity, and others (`swagproof.oracle.mistakes`).  A mistake that fits is named (`diagnosis`); it is the likely one,
not a proof.  If the same operations also fail over distinct letters, the mistake is found with these: a number
missing from a sum may be any of several equal ones, but a letter is unique.
"""

import itertools
import json
import math
import shlex
import sys
import tempfile
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeAlias

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.mistakes import Mistake, count, show_json
from swagproof.oracle.outcome import Failure, Tried
from swagproof.oracle.pictures import picture
from swagproof.oracle.plan import Finding
from swagproof.oracle.runner import run
from swagproof.oracle.sandbox.host import Host
from swagproof.oracle.subject import Subject
from swagproof.oracle.trace import Step, Trace, asks, inline, largest_window
from swagproof.reports.report import EXIT, Outcome

DIGITS: Final = 100_000
"""The number of digits of the longest integer in a report: exact products exceed Python's usual limit of 4,300."""


LONGEST_TRACE: Final = 2_000
"""The length in characters of the longest trace in a command; a longer one is written to a file."""


@contextmanager
def long_integers() -> Generator[None]:
    """Allow integers of up to `DIGITS` digits to be written.  A context manager, and a decorator."""
    usual = sys.get_int_max_str_digits()
    if 0 < usual < DIGITS:
        sys.set_int_max_str_digits(DIGITS)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(usual)


@dataclass(frozen=True)
class Witness:
    """A trace that fails at its last operation."""

    trace: Trace
    expected: Any
    """The right answer, as JSON; null if no answer was asked for."""
    got: Any
    """The subject's answer, as JSON; null if none was asked for."""
    allowed: float | None
    """The tolerance of the answer, for sums of floats."""
    error: str | None
    """The exception that the subject raised."""
    diagnosis: str
    """`repeated query`, `operands swapped`, `element kept`, `element lost`, `element repeated`, `stale answer`,
    `wrong identity`, `wrong order`, `rounding`, `overflow`, `no answer`, `wrong answer`, `raised`, `changed a value`,
    `hung`, `broken`; `late growth`, `cost`, `lost after refill`, `stale after evict`, `shared state`;
    of shared windows `another window`; and out of order `duplicate replaces`, `duplicate ignored`, `duplicate swapped`,
    `arrival order`, `range end`, `range ignored`, `range reversed`, `range too wide`."""
    minimal: bool
    """True if removing any one operation makes it pass, or makes it illegal."""
    found_by: str
    stderr: str | None = None
    """The last lines that a program wrote to standard error; for a class, also the last lines that it printed."""
    picture: str | None = None
    """The reference's state before the failing operation, drawn."""
    paste: str | None = None
    """A text to paste into the engine that reproduces the failure without swagproof, if the subject is an engine."""
    letters: Finding | None = None
    """The same failure over distinct letters, if there is one and the trace itself does not use them."""
    unfinished: str | None = None
    """The reason that minimising ended early, if it did: `after 300 s of clock`."""


@dataclass(frozen=True)
class Verdict:
    """The verdict on a subject."""

    outcome: Outcome
    sentence: str
    witness: Witness | None = None

    @property
    def exit_code(self) -> int:
        return EXIT[self.outcome]


LATE: Final = 100
"""The window size from which a mistake that no smaller window shows counts as one of growth."""

BESIDE: Final = "it needs other live instances, one of which does the same with other values, earlier or later"
"""The note on a trace that passes without other live instances."""

WIDER: Final = "its sums need more than 64 bits; if it has no more, give --numbers int64"
"""The note on a trace on which a 64-bit sum is wrong."""

LOWERED: Final = "if it takes elements as they are and answers what they come to, say --lowered"
"""The note on a subject that may take stream elements and lower its answers."""

_AT_ANY_SIZE: Final = ("rounding", "overflow", "hung", "broken", "cost")
"""The diagnoses that naturally grow worse with the window, or were not minimised."""


def accuse(
    subject: Subject,
    finding: Finding,
    *,
    unfinished: str | None,
    clock: Clock | None = None,
    letters: Finding | None = None,
    found: Sequence[Step] = (),
) -> Verdict:
    """Return the verdict on a trace whose last operation failed or hung; `found` is the trace before minimising.

    `unfinished` is None for a minimal trace; otherwise it is the reason that minimising ended, or empty if it was not
    tried.  With a clock the subject also runs similar traces if this one could have several causes.
    """
    domain, steps, failure, minimal = finding.domain, finding.steps, finding.failure, unfinished is None
    shown = letters or finding
    over, those, failed = shown.domain, shown.steps, shown.failure
    likewise = lambda: _ask_likewise(subject, over, those, () if letters else found, clock)  # noqa: E731  # if needed
    diagnosis, sentence = _name_mistake(over, those, failed, subject.window, likewise)
    if (option := _suggest_option(subject, domain, steps, failure)) is not None:
        sentence = f"{sentence}; {option}"
    if clock is not None and _passes_alone(subject, domain, steps, clock):
        sentence, diagnosis = f"{sentence}; {BESIDE} ({diagnosis})", "shared state"
    if minimal and diagnosis not in _AT_ANY_SIZE:
        held = min(largest_window(some, subject.kind) for some in (steps, found or steps))
        if held >= LATE:
            sentence = f"{sentence}; the smallest window tried that shows it holds {count(held)} ({diagnosis})"
            diagnosis = "late growth"
    witness = Witness(
        Trace(steps, domain.name, subject.window),
        expected=failure.expected,
        got=failure.got,
        allowed=failure.allowed,
        error=failure.error,
        diagnosis=diagnosis,
        minimal=minimal,
        unfinished=unfinished or None,
        found_by=finding.phase,
        stderr=failure.stderr or (None if clock is None else _printed(subject, domain, steps, clock)),
        picture=picture(subject.window, domain, steps[:-1]),
        paste=_reproduce(subject, steps),
        letters=letters,
    )
    return Verdict("broken" if failure.kind in ("hung", "broken") else "violated", sentence, witness)


def _suggest_option(subject: Subject, domain: Domain, steps: Sequence[Step], failure: Failure) -> str | None:
    """Return the option with which the subject may be right, if there is one."""
    if domain.width is None and domain.exceeds(steps, subject.kind):
        return WIDER
    if subject.program is not None or not steps or subject.window == "frame":
        return None
    error = failure.error or ""
    if error.startswith("OverflowError") and steps[-1].name == "insert" and subject.adapter.capacity is None:
        return f"if that is its capacity, say --capacity {largest_window(steps[:-1], subject.kind)}"
    element = domain.elements.letters[0]
    lifts = type(domain.operation.lift(element)) is not type(element)
    plain_answer = failure.kind == "wrong" and not isinstance(failure.answer, type(domain.operation.identity))
    if lifts and not domain.lowered and (error.startswith("TypeError") or plain_answer):
        return LOWERED
    return None


def _passes_alone(subject: Subject, domain: Domain, steps: Sequence[Step], clock: Clock) -> bool:
    """Return whether the trace fails only because of other live instances."""
    alone = subject.alive(1) if subject.is_running and subject.adapter.alive not in (None, 1) else None
    return alone is not None and run(alone, domain, steps, clock, Tried()) is None


def _printed(subject: Subject, domain: Domain, steps: Sequence[Step], clock: Clock) -> str | None:
    """The last lines that a class prints while a new process runs the trace, if any."""
    if subject.program is not None or not subject.is_running or not isinstance(subject.running, Host):
        return None
    if subject.running.errors:
        subject.stop()
        run(subject, domain, steps, clock, Tried())
    return subject.running.errors or None


def _reproduce(subject: Subject, steps: Sequence[Step]) -> str | None:
    """Return the text to paste into the engine; None if the subject is not an engine."""
    return subject.running.reproduce(steps) if subject.is_running else None


_Likewise: TypeAlias = list[tuple[Sequence[Step], Failure | None]]
"""Traces, each with the wrong answer at its end, if any."""


def _ask_likewise(
    subject: Subject, domain: Domain, steps: Sequence[Step], found: Sequence[Step], clock: Clock | None
) -> _Likewise:
    """Run the trace as it was found, and similar ones; return each with its failure, if any."""
    siblings = KINDS[subject.window].siblings
    told: _Likewise = []
    if siblings is None or clock is None:
        return told
    for other in (*([found] if found else ()), *siblings(domain, steps)):
        failed = run(subject, domain, other, clock, Tried())
        if clock.expired or (failed is not None and failed.kind == "hung"):
            break
        if failed is None or failed.kind == "wrong":
            told.append((other if failed is None else other[: failed.at + 1], failed))
    return told


def _explains(domain: Domain, window: str, mistake: Mistake, told: _Likewise) -> bool:
    """Return whether the mistake occurs in each of these traces in which it is possible, among those short enough to
    decide."""
    for steps, failed in told:
        others = list(KINDS[window].history(steps).mistakes(domain, steps))
        made = [
            answer for *cause, answer in ((*_cause(other), other[1]) for other in others) if cause == [*_cause(mistake)]
        ]
        if failed is None and made:
            return False
        if failed is not None and others and not any(domain.recognises(answer, failed.answer) for answer in made):
            return False
    return True


def _cause(mistake: Mistake) -> tuple[str, str]:
    """Return the mistake without the details of one trace."""
    return mistake[0], mistake[2].partition(":")[0]


def _name_mistake(
    domain: Domain, steps: Sequence[Step], failure: Failure, window: str, likewise: Callable[[], _Likewise]
) -> tuple[str, str]:
    history_of = KINDS[window].history
    history, before = history_of(steps), history_of(steps[:-1])
    if failure.kind == "hung":
        where = steps[failure.at].name if failure.at >= 0 else "building the subject"
        return "hung", f"{where} did not return within the time limit (see --timeout), {before}"
    if failure.kind == "broken":
        return "broken", f"{failure.error}, {before}"
    if failure.kind == "raised":
        name = steps[-1].name if steps else "building the subject"
        return "raised", f"{name} raised {failure.error}, {before}"
    if failure.kind == "cost":
        return "cost", str(failure.error)
    got, expected = show_json(failure.got), show_json(failure.expected)
    if failure.kind == "changed":
        return "changed a value", f"{steps[-1].name} changed {failure.what} from {expected} to {got}, {history}"
    off = _measure_error(failure)
    if off is not None and failure.allowed is not None and off < 1e-10 * max(map(abs, history.elements), default=0):
        return "rounding", (
            f"{history.lead} the sum {got} is off by {off:.3g}, where rounding the "
            f"{count(history.size)} of the window accounts for {failure.allowed:.3g} at most"
        )
    if _is_repeated(steps):
        text = f"the repeated {steps[-1]} answers {got}, but the first answered {expected}"
        return "repeated query", f"{history.lead} {text}"
    fitting = [mistake for mistake in history.mistakes(domain, steps) if domain.recognises(mistake[1], failure.answer)]
    told = likewise() if fitting else []
    for mistake in fitting:
        if _explains(domain, window, mistake, told):
            return mistake[0], f"{history.lead} {mistake[2]}"
    explained = KINDS[window].explain(domain, steps, failure.answer)
    if explained is not None:
        return explained[0], f"{history.lead} {explained[1]}"
    asked = steps[-1]
    if history.size == 0:
        return "wrong identity", f"{history.lead} {history.nothing}, and {asked} answers {got} instead of {expected}"
    if failure.answer is None:
        return "no answer", f"{history.lead} {asked} answers null instead of {expected}"
    if failure.allowed is not None and off is None and isinstance(failure.answer, float):
        return "overflow", f"{history.lead} {asked} answers {got} instead of {expected}"
    return "wrong answer", f"{history.lead} {asked} answers {got} instead of {expected}"


def _is_repeated(steps: Sequence[Step]) -> bool:
    """Return whether the last operation was already answered correctly, and nothing has changed since."""
    since = itertools.takewhile(asks, reversed(steps[:-1]))
    return steps[-1] in since


def _measure_error(failure: Failure) -> float | None:
    """Return how far a float is from the expected one; None if that is not a finite number."""
    if not isinstance(failure.answer, float) or not isinstance(failure.expected, float):
        return None
    off = abs(failure.answer - failure.expected)
    return off if math.isfinite(off) else None


def replay_command(subject: Sequence[str], trace: Trace, more: Sequence[str] = ()) -> str:
    """Return the command that runs this trace again; `subject` has the words that name it for `conform`.

    A long trace is written to a file in the directory for temporary files, and the command names the file.
    """
    text = inline(trace.steps)
    if len(text) > LONGEST_TRACE:
        data = json.dumps(trace.to_json())
        file = Path(tempfile.gettempdir()) / f"swagproof-{sha256(data.encode()).hexdigest()[:10]}.trace.json"
        with suppress(OSError):  # if the file cannot be written, the command is long
            file.write_text(data + "\n", encoding="utf-8")
            text = str(file)
    return search_command(subject, trace.window, [trace.monoid], [*more, "--trace", text])


def search_command(subject: Sequence[str], window: str, monoids: Sequence[str], more: Sequence[str]) -> str:
    """Return the command that judges the subject over these monoids."""
    over = [word for monoid in monoids for word in ("--monoid", monoid)]
    return shlex.join(["swagproof", "conform", *subject, "--window", window, *over, *more])
