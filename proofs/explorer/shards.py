"""A parallel form of swagproof.proofs.explorer.walk: each level is split into shards for several processes.

A place is sent as frozen data, with its state and its steps.  The space is sent with the shard, and each process
computes its cached properties once.

The result is exactly that of `walk`: the same states, counts and first violation.  Shards are consecutive parts of a
level and are merged in order, so each state keeps the place that reached it first.  A shard checks each place that is
new to it, and so at least those that are new to the walk; a place with a known state passes its check again.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from swagproof.proofs.explorer.freezing import Place
from swagproof.proofs.explorer.space import Space, Violation
from swagproof.proofs.explorer.walk import Counts, require_end


class Parcel(NamedTuple):
    """A place in the form in which it is sent between processes."""

    state: Hashable
    frozen: Any
    steps: tuple[Any, ...]


class Shard(NamedTuple):
    """A consecutive part of a level: places to take all steps from."""

    space: Space[Any]
    parcels: Sequence[Parcel]


class Expanded(NamedTuple):
    """The result of a shard: the new places that it reached, in order, up to the first violation."""

    reached: list[Parcel]
    transitions: int
    violation: Violation | None


Map = Callable[[Callable[[Shard], Expanded], Iterable[Shard]], Iterable[Expanded]]
"""A function like the built-in `map`, or a pool's: it yields results in the order of the shards."""


@cache
def _made(space: Space[Any]) -> Space[Any]:
    """Return the process's one space with these fields, so that its cached properties are computed once."""
    return space


def _parcel(space: Space[Any], place: Place[Any], state: Hashable) -> Parcel:
    return Parcel(state, space.freeze(place), place.steps)


def expand(shard: Shard) -> Expanded:
    """Take every step from the places of a shard, and check each new place."""
    space = _made(shard.space)
    seen = {parcel.state for parcel in shard.parcels}
    reached: list[Parcel] = []
    transitions = 0
    try:
        for parcel in shard.parcels:
            for following in space.after(space.thaw(parcel.frozen, parcel.steps)):
                transitions += 1
                found = space.state(following)
                if found not in seen:
                    space.check(following)
                    seen.add(found)
                    reached.append(_parcel(space, following, found))
    except Violation as violation:
        return Expanded(reached, transitions, violation)
    return Expanded(reached, transitions, None)


def walk_in_shards(
    space: Space[Any],
    shards: int,
    run: Map = map,
    *,
    least: int = 1,
    watch: Callable[[Counts], object] = lambda counts: None,
) -> Counts:
    """Visit every state, with each level in at most this many shards of at least `least` places.

    Raises Violation.  `run` is the `map` of a pool or of another executor.
    """
    starts = list(space.starts())
    for place in starts:
        space.check(place)
    level = [_parcel(space, place, space.state(place)) for place in starts]
    seen = {parcel.state for parcel in level}
    transitions = 0
    while level:
        following: list[Parcel] = []
        for part in run(expand, _split(space, level, shards, least)):
            if part.violation is not None:
                raise part.violation
            transitions += part.transitions
            for parcel in part.reached:
                if parcel.state not in seen:
                    seen.add(parcel.state)
                    following.append(parcel)
        for parcel in following[:1]:
            require_end(space, len(seen), space.most, Place(None, None, parcel.steps))
        level = following
        watch(Counts(len(seen), transitions))
    return Counts(len(seen), transitions)


def _split(space: Space[Any], parcels: Sequence[Parcel], shards: int, least: int) -> list[Shard]:
    """Return consecutive parts of nearly the same size."""
    number = max(1, min(shards, len(parcels) // least))
    cuts = [len(parcels) * k // number for k in range(number + 1)]
    return [Shard(space, parcels[i:j]) for i, j in pairwise(cuts) if i < j]
