"""Exhaustive exploration, whatever is explored: every state reachable from a start, every step from each.

A place is a live structure with the definition of right beside it and the steps that led there.  `walk` goes breadth
first, so that what it finds has a shortest history, and keeps one place for each state.
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from swagproof.proofs.ledger import Outcome

P = TypeVar("P")


class Counts(NamedTuple):
    """What was visited."""

    states: int
    transitions: int


@dataclass(frozen=True)
class Violation(Exception):
    """A check that failed, and the steps that led there."""

    check: str
    trace: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.check} after {' '.join(self.trace)}"


def walk(
    start: P,
    after: Callable[[P], Iterable[P]],
    state: Callable[[P], Hashable],
    check: Callable[[P], object] = lambda place: None,
) -> Counts:
    """Visit every state.  `after` takes every step from a place, and raises Violation where a check of a step fails.

    `state` must tell apart whatever can make a difference later; then `check`, which sees a place of each state once,
    sees all there is to see of states.
    """
    check(start)
    seen = {state(start)}
    frontier = [start]
    transitions = 0
    while frontier:
        following: list[P] = []
        for place in frontier:
            for reached in after(place):
                transitions += 1
                found = state(reached)
                if found not in seen:
                    check(reached)
                    seen.add(found)
                    following.append(reached)
        frontier = following
    return Counts(len(seen), transitions)


def counted(explore: Callable[[], tuple[int, int]], expected: tuple[int, int]) -> Outcome:
    """Explore, and hold the counts against the ones expected: an explorer that explores nothing must fail."""
    try:
        found = Counts(*explore())
    except Violation as violation:
        return Outcome("fails", str(violation))
    if found != expected:
        said = f"{found.states:,} states and {found.transitions:,} transitions, not {tuple(expected)}"
        return Outcome("unknown", said, found._asdict())
    return Outcome("holds", f"{found.states:,} states, {found.transitions:,} transitions", found._asdict())
