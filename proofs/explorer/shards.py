"""A parallel form of swagproof.proofs.explorer.walk: each level is split into shards for several processes.

A place is sent as frozen data, with its state and its steps.  The space is sent with the shard, and each process
computes its cached properties once.

The result is exactly that of `walk`: the same states, counts and first violation.  Shards are consecutive parts of a
level and are merged in order, so each state keeps the place that reached it first.  `walk` checks a place when it
reaches it.  So a violation at a place of the level precedes all steps from the level, and places that were reached
before a failing step are checked before that failure is reported.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Shard:
    """A consecutive part of a level: places to check and, unless `only_check`, to take all steps from."""

    space: Space[Any]
    parcels: Sequence[Parcel]
    only_check: bool = False


class Wrong(NamedTuple):
    """A violation on its way to the main process, from a check of a place or from a step."""

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
    """Visit every state, with each level in at most this many shards of at least `least` places.

    Raises Violation.  `run` is the `map` of a pool or of another executor.
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
    """Return consecutive parts of nearly the same size."""
    number = max(1, min(shards, len(parcels) // least))
    cuts = [len(parcels) * k // number for k in range(number + 1)]
    return [Shard(space, parcels[i:j], only_check) for i, j in pairwise(cuts) if i < j]
