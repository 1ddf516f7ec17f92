"""The runner: one trace, the subject and the reference side by side.

Whether an answer is right can be said only beside an answer that is known to be; computed from a list of the window, it
would cost as much as the window is long, and most of the budget would go into our own side.  So the expected answer is
that of a reference whose cost does not grow with the window.  For FIFO windows it is
`swagproof.reference.in_order.two_stacks.TwoStacks`, which is proved, at a constant number of combine calls for each
operation (amortised).  For out-of-order windows it is `swagproof.reference.trees.fiba.Fiba`, which is explored
exhaustively: amortised, insert and evict pay for their distance from the nearer end alone.  At each query, of the
window or of a range, the two answers are compared.  Between one operation and the next the runner does as little as it
can, which is why there is a loop for each kind of window, and the clock reads from the iterator how far it is:
`swagproof bench oracle` measures how much that is.

Right answers are not all: where values can be changed in place, a window that adds to a value it was handed answers
well, and ruins its neighbour.  So the runner keeps some values that it handed to the subject, some answers it got and
the monoid's identity, each beside an equal one, and compares them: a subject must change none of them.  In long traces
it compares them every few operations, and runs the trace again where one changed, to tell which operation it was.

Whatever the subject does, its legal trace ends in a `Failure` or in none: what it raises, prints or never returns from
is its own; only what the user's own monoid raises is an input error.
"""

import copy
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from operator import length_hint
from types import MappingProxyType
from typing import Any, Final

from swagproof.oracle.clock import Clock, Hung
from swagproof.oracle.domain import Domain, Exactly, plain
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.outcome import Failure, Refusal, Tried, told
from swagproof.oracle.subject import Subject, build
from swagproof.oracle.trace import InputError, Step, encode_answer, largest_window

WATCHED: Final = 24
"""Values and answers that are watched for changes at any time."""

EVERY: Final = 64
"""Operations between one look at these and the next, in long traces; one that changed is then looked for again."""


class _Watch:
    """Values that must not change, each beside one that is equal and that the subject has never seen."""

    def __init__(self, identity: Any, every: int) -> None:
        self.every = every
        """How many operations lie between one look and the next."""
        self.kept: deque[tuple[str, Any, Any]] = deque(maxlen=WATCHED + every)
        self.identity = ("the monoid's identity", identity, copy.deepcopy(identity))

    def keep_answer(self, got: Any, expected: Any) -> None:
        """The subject gave this answer, and it was right."""
        self.kept.append(("an answer that it had given", got, expected if got == expected else copy.deepcopy(got)))

    def find_change(self) -> tuple[str, Any, Any] | None:
        for entry in (self.identity, *self.kept):
            if entry[1] != entry[2]:
                return entry
        return None


@dataclass
class _Play:
    """A trace that is being run: the two windows, and how far it has got."""

    domain: Domain
    window: Any
    reference: Any
    steps: Iterator[Step]
    """What is left: the clock reads how much, so that the loops below need not tell it."""
    clock: Clock
    queries_of: frozenset[str]
    queries: int = 0
    largest: int | None = None
    """Entries in the largest window, where the loop has counted them."""
    wrong: tuple[Any, Any] | None = None
    """The first answer that was wrong: what was expected, and what was got."""


def _fifo(play: _Play) -> None:
    """FIFO windows over values that cannot be changed: as little as can be between one operation and the next."""
    window, reference, clock = play.window, play.reference, play.clock
    agree, mirror, lift = play.domain.rule.agree, play.domain.rule.mirror.lift, play.domain.handed
    soon = _soon_told(play.domain)
    queries = size = largest = 0
    try:
        for name, arguments in play.steps:
            if name == "insert":
                element = arguments[0]
                reference.insert(mirror(element))
                window.insert(lift(element))
                size += 1
            elif name == "evict":
                reference.evict()
                window.evict()
                if size > largest:
                    largest = size
                size -= 1
            else:
                expected, got = reference.query(), window.query()
                queries += 1
                if not (got == expected if type(got) is soon else agree(expected, got)):
                    play.wrong = expected, got
                    return
            if clock.expired:
                return
    finally:
        play.queries, play.largest = queries, max(size, largest)


def _timed(play: _Play) -> None:
    """The same for out-of-order windows."""
    window, reference, clock = play.window, play.reference, play.clock
    agree, mirror, lift = play.domain.rule.agree, play.domain.rule.mirror.lift, play.domain.handed
    soon = _soon_told(play.domain)
    queries = 0
    try:
        for name, arguments in play.steps:
            if name == "insert":
                time, element = arguments
                reference.insert(time, mirror(element))
                window.insert(time, lift(element))
            elif name == "evict":
                time = arguments[0]
                reference.evict(time)
                window.evict(time)
            else:
                if name == "query":
                    expected, got = reference.query(), window.query()
                elif name != "range_query":
                    getattr(reference, name)(*arguments)
                    getattr(window, name)(*arguments)
                    continue
                else:
                    expected, got = reference.range_query(*arguments), window.range_query(*arguments)
                queries += 1
                if not (got == expected if type(got) is soon else agree(expected, got)):
                    play.wrong = expected, got
                    return
            if clock.expired:
                return
    finally:
        play.queries = queries


def _any(play: _Play, watch: _Watch | None = None) -> tuple[str, Any, Any] | None:
    """Windows of any kind, with an eye on values that could be changed: what was, if anything."""
    window, reference, domain = play.window, play.reference, play.domain
    mirror, lift = domain.rule.mirror.lift, domain.handed
    every = watch.every if watch else 1
    for number, (name, arguments) in enumerate(play.steps, 1):
        if name == "insert":
            before = mirror(arguments[-1])
            value = lift(arguments[-1])
            getattr(reference, name)(*arguments[:-1], before)
            if watch:
                watch.kept.append(("a value that it had been handed", value, before))
            window.insert(*arguments[:-1], value)
        else:
            expected = getattr(reference, name)(*arguments)
            got = getattr(window, name)(*arguments)
            if name in play.queries_of:
                play.queries += 1
                if not domain.rule.agree(expected, got):
                    play.wrong = expected, got
                    break
                if watch:
                    watch.keep_answer(got, expected)
        if watch and number % every == 0:
            change = watch.find_change()
            if change:
                return change
        if play.clock.expired:
            break
    return watch.find_change() if watch and not play.wrong else None


_LOOPS: Final[Mapping[str, Callable[[_Play], object]]] = MappingProxyType({"fifo": _fifo, "out-of-order": _timed})
"""By kind of window: how a trace is run when nothing has to be watched; other kinds have no loop of their own."""


def _soon_told(domain: Domain) -> type | None:
    """The type of answers for which == is all that there is to `agree`."""
    if type(domain.rule) is not Exactly:
        return None
    kind: type = type(domain.rule.mirror.identity)
    return kind if kind in (int, str) else None


def run(subject: Subject, domain: Domain, steps: Sequence[Step], clock: Clock, tried: Tried) -> Failure | None:
    """Run a legal trace on a new window.  None when nothing is wrong, or the clock's deadline passed on the way.

    What the subject prints goes to standard error.  Raises InputError when the subject cannot be built, or the
    domain's own monoid raises, or the trace asks for what it lacks; KeyboardInterrupt on Ctrl-C.
    """
    if subject.player is not None:
        return subject.player(domain, steps, clock, tried)
    if not subject.can_be_asked(steps):
        return None
    domain = KINDS[subject.window].adapt(domain)
    if not domain.mutable or len(steps) <= EVERY:
        return _run(subject, domain, steps, clock, tried, 1)[0]
    failure, change = _run(subject, domain, steps, clock, tried, EVERY)
    if failure is None or not change:
        return failure
    exact, _ = _run(subject, domain, steps[: failure.at + 1], clock, Tried(), 1)  # which operation was it?
    return exact or failure


def _run(
    subject: Subject, domain: Domain, steps: Sequence[Step], clock: Clock, tried: Tried, every: int
) -> tuple[Failure | None, bool]:
    """The failure, and whether a value was changed by then."""
    progress = iter(steps)
    reference = KINDS[subject.window].expected(domain.rule.mirror)
    play = _Play(domain, None, reference, progress, clock, subject.kind.queries)
    watch: _Watch | None = None
    change: tuple[str, Any, Any] | None = None
    failure: Failure | None = None

    def at() -> int:
        return len(steps) - length_hint(progress) - 1

    clock.follow(progress)
    try:
        clock.watching = True
        with redirect_stdout(sys.stderr):
            if domain.mutable:
                monoid = domain.fresh()
                watch = _Watch(monoid.identity, every)
                play.window = build(subject, domain, monoid)
            else:
                play.window = build(subject, domain, domain.operation)
            loop = None if watch else _LOOPS.get(subject.window)
            if loop:
                loop(play)
            else:
                change = _any(play, watch)
        if play.wrong:
            failure = wrong(domain, at(), *play.wrong)
    except Hung:
        clock.hung = True
    except InputError:
        if not clock.interrupted:
            raise
    except KeyboardInterrupt:
        if clock.interrupted:
            raise
        failure = Failure(at(), "raised", error="KeyboardInterrupt")
    except BaseException as error:  # whatever a subject raises on a legal operation is its fault
        _blame(subject, domain, steps[: at() + 1])
        failure = Failure(at(), "raised", error=told(error))
    finally:
        clock.watching = False
        done = at() + 1
        tried.traces += 1
        tried.operations += done
        tried.queries += play.queries
        largest = largest_window(steps[:done], subject.kind) if play.largest is None else play.largest
        tried.largest_window = max(tried.largest_window, largest)
    if clock.interrupted:
        raise KeyboardInterrupt
    if clock.hung:
        return Failure(at(), "hung"), False
    if change:
        what, now, before = change
        failure = Failure(at(), "changed", encode_answer(before), encode_answer(now), what=what)
    return failure, change is not None or (watch is not None and watch.find_change() is not None)


def wrong(domain: Domain, at: int, expected: Any, got: Any) -> Failure:
    """A wrong answer, or none where there is one."""
    rule, got = domain.rule, plain(expected, got)
    if isinstance(got, Refusal):
        return Failure(at, "raised", error=got.error)
    return Failure(
        at,
        "wrong",
        encode_answer(rule.round_exact(expected)),
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
