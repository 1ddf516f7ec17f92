"""The runner: one trace, the subject and the reference side by side.

The expected answer is that of a reference whose cost does not grow with the window.  For FIFO windows it is
`swagproof.reference.two_stacks.TwoStacks`, which is proved, at a constant number of combine calls for each operation
(amortised).  For out-of-order windows it is `swagproof.reference.fiba.Fiba`, which is explored exhaustively: amortised,
insert and evict pay for their distance from the nearer end alone.  At each query, of the window or of a range, the two
answers are compared.

Where values can be changed in place, the runner also keeps some values that it handed to the subject, some answers it
got and the monoid's identity, each beside a deep copy, and compares them after every operation: a subject must change
none of them, for they may be shared with the window, with its neighbours and with the caller.
"""

import copy
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any, Final

from swagproof.oracle.clock import Clock, Hung
from swagproof.oracle.domain import Domain
from swagproof.oracle.kinds import KINDS
from swagproof.oracle.subject import Subject, build
from swagproof.oracle.trace import InputError, Step, encode_answer, largest_window

WATCHED: Final = 24
"""Values and answers that are watched for changes at any time."""


@dataclass
class Tried:
    """How much was tried."""

    traces: int = 0
    operations: int = 0
    queries: int = 0
    """Answers that were checked."""
    largest_window: int = 0


@dataclass(frozen=True)
class Failure:
    """The first thing that went wrong in a trace."""

    at: int
    """The operation, counted from 0; -1 for the subject's construction."""
    kind: str
    """`wrong` answer, `raised`, `changed` (a value it must not change), `hung`, or `broken` (it cannot go on)."""
    expected: Any = None
    """As JSON."""
    got: Any = None
    """As JSON."""
    answer: Any = None
    """What was got, itself."""
    allowed: float | None = None
    """How far the answer might be off, for floating sums."""
    error: str | None = None
    """`ZeroDivisionError: division by zero`."""
    what: str | None = None
    """What was changed."""
    stderr: str | None = None
    """The last lines that a program wrote to its standard error."""


class _Watch:
    """Values that must not change, each beside a deep copy."""

    def __init__(self, identity: Any) -> None:
        self.kept: deque[tuple[str, Any, Any]] = deque(maxlen=WATCHED)
        self.identity = ("the monoid's identity", identity, copy.deepcopy(identity))

    def add(self, what: str, value: Any) -> None:
        self.kept.append((what, value, copy.deepcopy(value)))

    def changed(self) -> tuple[str, Any, Any] | None:
        for entry in (self.identity, *self.kept):
            if entry[1] != entry[2]:
                return entry
        return None


def run(subject: Subject, domain: Domain, steps: Sequence[Step], clock: Clock, tried: Tried) -> Failure | None:
    """Run a legal trace on a new window.  None when nothing is wrong, or the clock's deadline passed on the way.

    What the subject prints goes to standard error.  Raises InputError when the subject cannot be built, or the
    domain's own monoid raises, or the trace asks for what it lacks; KeyboardInterrupt on Ctrl-C.
    """
    if subject.player is not None:
        return subject.player(domain, steps, clock, tried)
    at, queries = -1, 0
    reference: Any = KINDS[subject.window].expected(domain.rule.mirror)
    put, queries_of = reference.insert, subject.kind.queries
    take, ask = getattr(reference, "evict", None), getattr(reference, "query", None)
    agree, mirror = domain.rule.agree, domain.rule.mirror.lift
    lift = domain.lifted if domain.mutable else domain.operation.lift
    watch: _Watch | None = None
    clock.runs += 1
    clock.beat = -1
    failure: Failure | None = None
    try:
        clock.watching = True
        with redirect_stdout(sys.stderr):
            if domain.mutable:
                monoid = domain.fresh()
                watch = _Watch(monoid.identity)
                window = build(subject, domain, monoid)
            else:
                window = build(subject, domain, domain.operation)
            for at, (name, arguments) in enumerate(steps):
                clock.beat = at
                if name == "insert":
                    time, element = arguments[:-1], arguments[-1]  # a FIFO insert has no time
                    put(*time, mirror(element))
                    value = lift(element)
                    if watch:
                        watch.add("a value that it had been handed", value)
                    window.insert(*time, value)
                elif name == "evict" and take:
                    take(*arguments)
                    window.evict(*arguments)
                else:
                    if name == "query" and ask:
                        expected, got = ask(), window.query()
                    else:
                        expected = getattr(reference, name)(*arguments)
                        got = getattr(window, name)(*arguments)
                        if name not in queries_of:
                            continue
                    queries += 1
                    if not agree(expected, got):
                        failure = wrong(domain, at, expected, got)
                        break
                    if watch:
                        watch.add("an answer that it had given", got)
                if watch:
                    change = watch.changed()
                    if change:
                        what, now, before = change
                        failure = Failure(at, "changed", encode_answer(before), encode_answer(now), what=what)
                        break
                if clock.expired:
                    break
    except Hung:
        clock.hung = True
    except InputError:
        if not clock.interrupted:
            raise
    except KeyboardInterrupt:
        if clock.interrupted:
            raise
        failure = Failure(at, "raised", error="KeyboardInterrupt")
    except BaseException as error:  # whatever a subject raises on a legal operation is its fault
        _blame(subject, domain, steps[: at + 1])
        text = " ".join(str(error).split())
        failure = Failure(at, "raised", error=f"{type(error).__name__}: {text}" if text else type(error).__name__)
    finally:
        clock.watching = False
        tried.traces += 1
        tried.operations += at + 1
        tried.queries += queries
        tried.largest_window = max(tried.largest_window, largest_window(steps[: at + 1], subject.kind))
    if clock.interrupted:
        raise KeyboardInterrupt
    if clock.hung:
        return Failure(at, "hung")
    return failure


def wrong(domain: Domain, at: int, expected: Any, got: Any) -> Failure:
    """A wrong answer."""
    rule = domain.rule
    return Failure(
        at,
        "wrong",
        encode_answer(rule.shown(expected)),
        encode_answer(got),
        answer=got,
        allowed=rule.allowed(expected),
    )


def _blame(subject: Subject, domain: Domain, steps: Sequence[Step]) -> None:
    """Raise InputError when it is not the subject that raises, but the domain's lift or combine, or no such method."""
    reference: Any = KINDS[subject.window].expected(domain.rule.mirror)
    for at, step in enumerate(steps):
        if step.name not in subject.methods:
            raise InputError(f"operation {at + 1}, {step}: {subject.name} has no method {step.name}")
        try:
            if step.name == "insert":
                domain.operation.combine(domain.fresh().identity, domain.lifted(step.arguments[-1]))
                reference.insert(*step.arguments[:-1], domain.rule.mirror.lift(step.arguments[-1]))
            else:
                getattr(reference, step.name)(*step.arguments)
        except Exception as error:  # the monoid may be the user's own
            raise InputError(
                f"operation {at + 1}, {step}: the monoid {domain.name} raised {type(error).__name__}: {error}"
            ) from None
