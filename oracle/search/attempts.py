"""The order of a search: traces in phases, interleaved by their work; and the sizes that every window is tried at.

Phases take turns, measured in work: the number of operations of a trace, which is known before it runs.  Each phase has
a weight; the next trace is the one that ends first when every phase works at its weight's rate, as in fair queueing of
packets.  So all phases are equally far at any time, small traces come before large ones, and the order depends on the
seed alone, neither on the clock nor on the subject's answers.
"""

import heapq
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Final, NamedTuple

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain, Element
from swagproof.oracle.outcome import Failure, Tried
from swagproof.oracle.trace import Step

START: Final = 8
"""The cost of a new window, in operations."""

LEAD: Final = 15_000
"""The work of the shortest words that are tried before all else: a tenth of a second."""


class Attempt(NamedTuple):
    """A trace to try."""

    domain: Domain
    what: str
    """The kind of the trace."""
    steps: Sequence[Step]
    completes: int = 0
    """With it, all words of up to so many operations are tried, over every domain; 0 if it completes none."""

    @property
    def work(self) -> int:
        """Return what it costs, in operations."""
        return START + len(self.steps)


@dataclass(frozen=True)
class Phase:
    """A part of the search."""

    name: str
    weight: float
    """Its part of the work, beside those of the other phases that have something left."""
    attempts: Iterator[Attempt]
    lead: int = 0
    """So much of its work comes before any of the others': what finds most, in the fewest operations."""


def interleave(phases: Sequence[Phase], effort: float = math.inf) -> Iterator[tuple[Phase, Attempt]]:
    """The attempts of all phases, in the order in which to try them, until so much work is done, or nothing is left.

    >>> from swagproof.oracle.domain import domain
    >>> def trace(length):
    ...     return Attempt(domain("sum"), "", [Step("query")] * length)
    >>> phases = [Phase("short", 1, map(trace, (1, 1, 1))), Phase("long", 2, map(trace, (17, 50, 25)))]
    >>> [(phase.name, attempt.work) for phase, attempt in interleave(phases)]
    [('short', 9), ('long', 25), ('short', 9), ('short', 9), ('long', 58), ('long', 33)]
    """
    due: list[tuple[float, int, Attempt | None]] = [
        (-phase.lead / phase.weight, number, None) for number, phase in enumerate(phases)
    ]
    """The time at which each phase's attempt ends; or at which it begins, until it is drawn: some take long to
    write."""
    heapq.heapify(due)
    done = 0
    while due and done < effort:
        at, number, attempt = heapq.heappop(due)
        if attempt is not None:
            done += attempt.work
            yield phases[number], attempt
            heapq.heappush(due, (at, number, None))
        elif (drawn := next(phases[number].attempts, None)) is not None:
            heapq.heappush(due, (at + drawn.work / phases[number].weight, number, drawn))


def lengthen(words: Callable[[int], Iterable[Attempt]], longest: int) -> Iterator[Attempt]:
    """All words of 1 operation, of 2, and so on; the last of each length completes it."""
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
"""The largest of these for domains whose answers grow with the window; and for all domains, before any goes further."""


def drawing(domain: Domain, random: Random) -> Callable[[], Element]:
    """Elements at random, one at each call."""
    return partial(domain.elements.draw, random)


def by_faith(domains: Sequence[Domain]) -> list[Domain]:
    """The domains whose answers stay small, those that hide nothing first."""
    small = [domain for domain in domains if domain.small]
    return sorted(small, key=lambda domain: not domain.operation.faithful)


def telling(domains: Sequence[Domain]) -> list[Domain]:
    """The domains that hide nothing; the first of all, where none does."""
    return [domain for domain in domains if domain.operation.faithful] or [*domains[:1]]


def play_in_turn(
    play: Callable[[Domain, Sequence[Step], Clock, Tried], Failure | None], attempts: Iterable[Attempt], clock: Clock
) -> Iterator[tuple[Attempt, Tried, Failure | None]]:
    """Play traces one after another, up to the first that fails, or the deadline: how much was tried, what failed."""
    for attempt in attempts:
        if not clock.left():
            return
        tried = Tried()
        failure = play(attempt.domain, attempt.steps, clock, tried)
        yield attempt, tried, failure
        if failure is not None:
            return
