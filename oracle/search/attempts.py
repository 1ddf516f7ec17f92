"""The order of a search: traces in phases, interleaved by their work; and the sizes to try for every window.

Phases take turns, measured in work: the number of operations of a trace, which is known before it runs.  Each phase has
a weight.  The next trace is the one that would end first if every phase worked at its weight's rate, as in fair
queueing of packets.  So all phases progress equally, small traces come before large ones, and the order depends only on
the seed, not on the clock or the subject's answers.
"""

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Final, NamedTuple, TypeAlias

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain, Element
from swagproof.oracle.outcome import Failure, Tried
from swagproof.oracle.trace import Step

START: Final = 8
"""The cost of a new window, in operations."""

LEAD: Final = 15_000
"""The work of the shortest words that come before everything else: a tenth of a second."""


class Attempt(NamedTuple):
    """A trace to try."""

    domain: Domain
    what: str
    """The kind of the trace."""
    steps: Sequence[Step]
    completes: int = 0
    """All words of up to this length have been tried over every domain once this trace is; 0 if it completes none."""

    @property
    def work(self) -> int:
        """The cost in operations."""
        return START + len(self.steps)


@dataclass(frozen=True)
class Phase:
    """A part of the search."""

    name: str
    weight: float
    """Its share of the work, relative to the other unfinished phases."""
    attempts: Iterator[Attempt]
    lead: int = 0
    """The work to do before any other phase: the traces that find most in the fewest operations."""
    least: int = 0
    """The least work of its attempts, so that none is drawn long before its turn."""


Order: TypeAlias = Iterator[tuple[Phase, Attempt]]
"""Attempts in the order in which to try them, each with its phase."""


def interleave(phases: Sequence[Phase]) -> Order:
    """Yield the attempts of all phases in the order in which to try them.

    >>> from swagproof.oracle.domain import domain
    >>> def trace(length):
    ...     return Attempt(domain("sum"), "", [Step("query")] * length)
    >>> phases = [Phase("short", 1, map(trace, (1, 1, 1))), Phase("long", 2, map(trace, (17, 50, 25)))]
    >>> [(phase.name, attempt.work) for phase, attempt in interleave(phases)]
    [('short', 9), ('long', 25), ('short', 9), ('short', 9), ('long', 58), ('long', 33)]
    """
    due: list[tuple[float, int, float, Attempt | None]] = [
        ((phase.least - phase.lead) / phase.weight, number, -phase.lead / phase.weight, None)
        for number, phase in enumerate(phases)
    ]
    """The time at which each phase's attempt ends, or the earliest until it is drawn, since some take long to write;
    and the time at which it begins."""
    heapq.heapify(due)
    while due:
        end, number, begin, attempt = heapq.heappop(due)
        phase = phases[number]
        if attempt is not None:
            yield phase, attempt
            heapq.heappush(due, (end + phase.least / phase.weight, number, end, None))
        elif (drawn := next(phase.attempts, None)) is not None:
            heapq.heappush(due, (begin + drawn.work / phase.weight, number, begin, drawn))


def spend(effort: float, order: Order) -> Order:
    """Yield attempts in this order until the effort is spent, or none is left; the next ones can be taken later."""
    done = 0
    while done < effort and (drawn := next(order, None)) is not None:
        done += drawn[1].work
        yield drawn


def lengthen(words: Callable[[int], Iterable[Attempt]], longest: int) -> Iterator[Attempt]:
    """Yield all words of length 1, of length 2, and so on; the last of each length completes it."""
    for length in range(1, longest + 1):
        before: Attempt | None = None
        for attempt in words(length):
            if before is not None:
                yield before
            before = attempt
        if before is not None:
            yield before._replace(completes=length)


SIZES: Final = (
    *(1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257),
    *(511, 512, 513, 1000, 1001, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097, 8191, 8192, 8193, 10000, 10001),
)
"""Window sizes at which implementations grow, split or wrap, and their neighbours."""

MODERATE: Final = 257
"""The largest of these for domains whose answers grow with the window; all domains are tried to this size first."""


def drawing(domain: Domain, random: Random) -> Callable[[], Element]:
    """Return a function that draws a random element at each call."""
    return partial(domain.elements.draw, random)


def by_faith(domains: Sequence[Domain]) -> list[Domain]:
    """Return the domains whose answers stay small, faithful ones first."""
    small = [domain for domain in domains if domain.small]
    return sorted(small, key=lambda domain: not domain.operation.faithful)


def telling(domains: Sequence[Domain]) -> list[Domain]:
    """Return the faithful domains, which hide no bug; if there are none, the first domain."""
    return [domain for domain in domains if domain.operation.faithful] or [*domains[:1]]


def revealing(domains: Sequence[Domain]) -> list[Domain]:
    """Return those of the faithful domains whose values cannot be changed in place, if there are any: they show every
    mistake of a structure, and cost least."""
    return [domain for domain in telling(domains) if not domain.mutable] or telling(domains)


def play_in_turn(
    play: Callable[[Domain, Sequence[Step], Clock, Tried], Failure | None], attempts: Iterable[Attempt], clock: Clock
) -> Iterator[tuple[Attempt, Tried, Failure | None]]:
    """Play traces until one fails, or the deadline; yield the counts and the failure of each."""
    for attempt in attempts:
        if not clock.left():
            return
        tried = Tried()
        failure = play(attempt.domain, attempt.steps, clock, tried)
        yield attempt, tried, failure
        if failure is not None:
            return
