"""Exhaustive exploration, whatever is explored: every state reachable from a start, every step from each.

A place is a live structure with the definition of right beside it and the steps that led there.  `walk` goes breadth
first, so that what it finds has a shortest history, and keeps one place for each state.  `walk_in_shards` does the same
level by level, each level in parts that other processes may take; it visits, counts and finds exactly what `walk` does.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from swagproof.proofs.ledger.claim import Outcome

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
    watch: Callable[[Counts], object] = lambda counts: None,
) -> Counts:
    """Visit every state.  `after` takes every step from a place, and raises Violation where a check of a step fails.

    `state` must tell apart whatever can make a difference later; then `check`, which sees a place of each state once,
    sees all there is to see of states.  `watch` is told how far it is after each level.
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
        watch(Counts(len(seen), transitions))
    return Counts(len(seen), transitions)


# In shards


class Space(Protocol[P]):
    """What `walk` is given, as one object that can be sent to another process: a frozen dataclass of plain fields.

    `told` makes plain data of a place (numbers, strings, tuples), and `place` makes the place of it again, there or
    here: no live object is sent.  `state` must be the same in every process: bytes or a tuple, not a hash.
    """

    def start(self) -> P:
        """The place to begin with."""
        ...

    def after(self, place: P) -> Iterable[P]:
        """Every step from a place.  Raises Violation."""
        ...

    def state(self, place: P) -> Hashable:
        """What tells states apart."""
        ...

    def check(self, place: P) -> object:
        """Look at one place of each state.  Raises Violation."""
        ...

    def told(self, place: P) -> Any:
        """The place as plain data."""
        ...

    def place(self, told: Any) -> P:
        """The place of which this was told."""
        ...


class Told(NamedTuple):
    """A place on its way between processes."""

    state: Hashable
    told: Any


@dataclass(frozen=True)
class Shard(Generic[P]):
    """A part of a level, in its order: each place is to be checked, and then, unless they are only checked, left."""

    space: Space[P]
    places: Sequence[Told]
    only_check: bool = False


class Wrong(NamedTuple):
    """A violation on its way: of a check of a place, or of a step."""

    of_a_step: bool
    check: str
    trace: tuple[str, ...]


class Expanded(NamedTuple):
    """What came of a shard: places reached that are new to it, in their order, up to what was found wrong."""

    reached: list[Told]
    transitions: int
    wrong: Wrong | None


Map = Callable[[Callable[[Shard[P]], Expanded], Iterable[Shard[P]]], Iterable[Expanded]]
"""As the built-in `map` is, and a pool's: results in the order of the shards, wherever they were made."""


def expand(shard: Shard[P]) -> Expanded:
    """Check the places of a shard, then take every step from each."""
    space = shard.space
    places = [space.place(told) for _, told in shard.places]
    reached: list[Told] = []
    transitions = 0
    stepping = False
    try:
        for place in places:
            space.check(place)
        stepping = True
        seen = {state for state, _ in shard.places}
        for place in places if not shard.only_check else ():
            for following in space.after(place):
                transitions += 1
                found = space.state(following)
                if found not in seen:
                    seen.add(found)
                    reached.append(Told(found, space.told(following)))
    except Violation as violation:
        return Expanded(reached, transitions, Wrong(stepping, violation.check, violation.trace))
    return Expanded(reached, transitions, None)


def walk_in_shards(
    space: Space[P],
    shards: int,
    run: Map[P] = map,
    *,
    least: int = 1,
    watch: Callable[[Counts], object] = lambda counts: None,
) -> Counts:
    """Visit every state, each level in up to so many shards, of at least `least` places each.  Raises Violation.

    `run` may take the shards wherever it likes: a pool's `map`, or another executor's.  Counts and violation are those
    of `walk`: shards are neighbouring parts of the level in its order and are merged in that order, so that each state
    is kept as first reached; and as `walk` checks a place when it reaches it, whatever is wrong with a place of this
    level comes before all steps from it, and what was reached before a wrong step is checked before that is told.
    """
    start = space.start()
    level = [Told(space.state(start), space.told(start))]
    seen = {level[0].state}
    transitions = 0
    while level:
        parts = list(run(expand, _split(space, level, shards, least)))
        following: list[Told] = []
        wrong = next((part.wrong for part in parts if part.wrong and not part.wrong.of_a_step), None)
        if wrong:
            raise Violation(wrong.check, wrong.trace)
        for part in parts:
            transitions += part.transitions
            for told in part.reached:
                if told.state not in seen:
                    seen.add(told.state)
                    following.append(told)
            if part.wrong:
                checked = run(expand, _split(space, following, shards, least, only_check=True))
                wrong = next((found.wrong for found in checked if found.wrong), part.wrong)
                raise Violation(wrong.check, wrong.trace)
        level = following
        watch(Counts(len(seen), transitions))
    return Counts(len(seen), transitions)


def _split(
    space: Space[P], places: Sequence[Told], shards: int, least: int, *, only_check: bool = False
) -> list[Shard[P]]:
    """Neighbouring parts of nearly the same size."""
    number = max(1, min(shards, len(places) // least))
    cuts = [len(places) * k // number for k in range(number + 1)]
    return [Shard(space, places[i:j], only_check) for i, j in pairwise(cuts) if i < j]


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
