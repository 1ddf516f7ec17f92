"""The same walk in shards: level by level, each level in parts that other processes may take.

A place is sent as it was frozen, with its state and its steps; the space is sent with the shard, and each process
makes what it needs of it once.  It visits, counts and finds exactly what `walk` does: shards are neighbouring parts of
a level in its order and are merged in that order, so that each state is kept as first reached; and as `walk` checks a
place when it reaches it, whatever is wrong with a place of this level comes before all steps from it, and what was
reached before a wrong step is checked before that is told.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from swagproof.proofs.explorer.space import Place, Space, Violation
from swagproof.proofs.explorer.walk import Counts, require_end


class Parcel(NamedTuple):
    """A place on its way between processes."""

    state: Hashable
    frozen: Any
    steps: tuple[Any, ...]


@dataclass(frozen=True)
class Shard:
    """A part of a level, in its order: each place is to be checked, and then, unless they are only checked, left."""

    space: Space[Any]
    parcels: Sequence[Parcel]
    only_check: bool = False


class Wrong(NamedTuple):
    """A violation on its way to the main process: of a check of a place, or of a step."""

    of_a_step: bool
    violation: Violation


class Expanded(NamedTuple):
    """The result of a shard: the new places that it reached, in order, up to the first violation."""

    reached: list[Parcel]
    transitions: int
    wrong: Wrong | None


Map = Callable[[Callable[[Shard], Expanded], Iterable[Shard]], Iterable[Expanded]]
"""A function like the built-in `map`, or a pool's: it yields results in the order of the shards."""


@cache
def _made(space: Space[Any]) -> Space[Any]:
    """Return the process's one space with these fields, so that its cached properties are computed once."""
    return space


def _parcel(space: Space[Any], place: Place[Any], state: Hashable) -> Parcel:
    return Parcel(state, space.freeze(place), place.steps)


def expand(shard: Shard) -> Expanded:
    """Check the places of a shard, then take every step from each."""
    space = _made(shard.space)
    places = [space.thaw(parcel.frozen, parcel.steps) for parcel in shard.parcels]
    reached: list[Parcel] = []
    transitions = 0
    stepping = False
    try:
        for place in places:
            space.check(place)
        stepping = True
        seen = {parcel.state for parcel in shard.parcels}
        for place in places if not shard.only_check else ():
            for following in space.after(place):
                transitions += 1
                found = space.state(following)
                if found not in seen:
                    seen.add(found)
                    reached.append(_parcel(space, following, found))
    except Violation as violation:
        return Expanded(reached, transitions, Wrong(stepping, violation))
    return Expanded(reached, transitions, None)


def walk_in_shards(
    space: Space[Any],
    shards: int,
    run: Map = map,
    *,
    least: int = 1,
    watch: Callable[[Counts], object] = lambda counts: None,
) -> Counts:
    """Visit every state to the walk's end, each level in up to so many shards, of at least `least` places each.

    Raises Violation.  `run` may take the shards wherever it likes: a pool's `map`, or another executor's.
    """
    level = [_parcel(space, place, space.state(place)) for place in space.starts()]
    seen = {parcel.state for parcel in level}
    transitions = 0
    while level:
        parts = list(run(expand, _split(space, level, shards, least)))
        following: list[Parcel] = []
        wrong = next((part.wrong for part in parts if part.wrong and not part.wrong.of_a_step), None)
        if wrong:
            raise wrong.violation
        for part in parts:
            transitions += part.transitions
            for parcel in part.reached:
                if parcel.state not in seen:
                    seen.add(parcel.state)
                    following.append(parcel)
            if part.wrong:
                checked = run(expand, _split(space, following, shards, least, only_check=True))
                wrong = next((found.wrong for found in checked if found.wrong), part.wrong)
                raise wrong.violation
        for parcel in following[:1]:
            require_end(space, len(seen), space.most, Place(None, None, parcel.steps))
        level = following
        watch(Counts(len(seen), transitions))
    return Counts(len(seen), transitions)


def _split(
    space: Space[Any], parcels: Sequence[Parcel], shards: int, least: int, *, only_check: bool = False
) -> list[Shard]:
    """Neighbouring parts of nearly the same size."""
    number = max(1, min(shards, len(parcels) // least))
    cuts = [len(parcels) * k // number for k in range(number + 1)]
    return [Shard(space, parcels[i:j], only_check) for i, j in pairwise(cuts) if i < j]
