"""One walk, in one piece or in shards: the same counts, and the same violation."""

from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest

from swagproof.proofs.explorer.walk import Counts, Expanded, Shard, Told, Violation, expand, walk, walk_in_shards
from swagproof.proofs.in_order import daba, daba_lite, two_stacks
from swagproof.proofs.in_order.pointer_states import Windows, explore
from swagproof.proofs.ledger.variants import Variant
from swagproof.reference.catalogue import DABA, DABA_LITE, FIFO, TWO_STACKS, Column

LIMIT = 9


@dataclass(frozen=True)
class Numbers:
    """From 1, by doubling and by adding 3, up to a limit; some are bad, and some must not be stepped to from some."""

    limit: int
    bad: frozenset[int] = frozenset()
    forbidden: frozenset[tuple[int, int]] = frozenset()

    def start(self) -> tuple[int, ...]:
        return (1,)

    def after(self, place: tuple[int, ...]) -> Iterable[tuple[int, ...]]:
        for number in (2 * place[-1], place[-1] + 3):
            if (place[-1], number) in self.forbidden:
                raise Violation("forbidden", tuple(map(str, (*place, number))))
            if number <= self.limit:
                yield (*place, number)

    def state(self, place: tuple[int, ...]) -> int:
        return place[-1]

    def check(self, place: tuple[int, ...]) -> None:
        if place[-1] in self.bad:
            raise Violation("bad", tuple(map(str, place)))

    def told(self, place: tuple[int, ...]) -> tuple[int, ...]:
        return place

    def place(self, told: Any) -> tuple[int, ...]:
        return tuple(told)


def outcome(run: Callable[[], Counts]) -> Counts | tuple[str, tuple[str, ...]]:
    try:
        return run()
    except Violation as violation:
        return violation.check, violation.trace


SPACES = [
    Numbers(200),
    Numbers(1),
    Numbers(200, bad=frozenset({1})),
    Numbers(200, bad=frozenset({40, 44, 47})),
    Numbers(200, forbidden=frozenset({(20, 40), (14, 17)})),
    *(
        Numbers(60, frozenset({bad}), frozenset({(step, 2 * step), (step + 1, step + 4)}))
        for bad in range(2, 30, 3)
        for step in range(2, 14)
    ),
]
"""A bad place and a wrong step on one level, before and behind each other, among them."""


@pytest.mark.parametrize("shards", [1, 2, 3, 7])
def test_shards_find_what_the_walk_finds(shards: int) -> None:
    found = set()
    for space in SPACES:
        whole = outcome(lambda space=space: walk(space.start(), space.after, space.state, space.check))  # type: ignore[misc]  # mypy: lambda
        assert outcome(lambda space=space: walk_in_shards(space, shards)) == whole, space  # type: ignore[misc]  # mypy: lambda
        found.add(whole[0] if isinstance(whole[0], str) else "holds")
    assert found == {"bad", "forbidden", "holds"}


def test_shards_are_as_large_as_told() -> None:
    sizes: list[list[int]] = []

    def run(function: Callable[[Shard[Any]], Expanded], shards: Iterable[Shard[Any]]) -> list[Expanded]:
        taken = list(shards)
        sizes.append([len(shard.places) for shard in taken])
        return [function(shard) for shard in taken]

    counts = walk_in_shards(Numbers(200), 3, run, least=4)
    assert sum(map(sum, sizes)) == counts.states
    assert all(len(level) <= 3 and (len(level) == 1 or min(level) >= 4) for level in sizes)
    assert any(len(level) == 3 for level in sizes)


def test_both_walks_tell_how_far_they_are() -> None:
    space = Numbers(200)
    whole: list[Counts] = []
    shards: list[Counts] = []
    walk(space.start(), space.after, space.state, space.check, whole.append)
    counts = walk_in_shards(space, 2, watch=shards.append)
    assert whole == shards
    assert whole[-1] == counts


# The FIFO algorithms


@pytest.mark.parametrize("shards", [1, 2, 3])
@pytest.mark.parametrize("column", FIFO, ids=lambda column: column.name)
def test_a_sharded_exploration_counts_the_same(column: Column, shards: int) -> None:
    assert walk_in_shards(Windows(column.name, LIMIT), shards) == explore(column, LIMIT)


WRONG = [
    *((DABA, variant) for variant in daba.WRONG),
    *((DABA_LITE, variant) for variant in daba_lite.WRONG),
    *((TWO_STACKS, variant) for variant in two_stacks.WRONG),
]


@pytest.mark.parametrize("shards", [1, 2, 3])
def test_a_sharded_exploration_finds_the_same_violation(shards: int) -> None:
    found = 0
    for column, variant in WRONG:
        whole = outcome(lambda column=column, variant=variant: explore(column, LIMIT, variant))  # type: ignore[misc]  # mypy: lambda
        space = Windows(column.name, LIMIT, variant)
        assert outcome(lambda space=space: walk_in_shards(space, shards)) == whole, variant.name  # type: ignore[misc]  # mypy: lambda
        found += not isinstance(whole, Counts)
    assert found >= 10


def test_what_is_kept_twice_is_told_once() -> None:
    """A place made again has the same state, now and after every further step."""
    for column in FIFO:
        space = Windows(column.name, 6)
        place = space.start()
        for _ in range(12):
            again = space.place(space.told(place))
            assert (space.state(again), again.trace) == (space.state(place), place.trace)
            assert [space.state(p) for p in space.after(again)] == [space.state(p) for p in space.after(place)]
            place = list(space.after(place))[0 if place.window.size < 6 else 1]


def test_what_cannot_be_told_is_refused() -> None:
    space = Windows(DABA.name, 3)
    place = space.start()
    place.algorithm.kept = {}
    with pytest.raises(TypeError, match="cannot tell of a dict"):
        space.told(place)


@pytest.mark.parametrize("variant", [None, daba.WRONG[0]], ids=["reference", "wrong"])
def test_other_processes_may_take_the_shards(variant: Variant | None) -> None:
    with ProcessPoolExecutor(2) as pool:
        sharded = outcome(lambda: walk_in_shards(Windows(DABA.name, LIMIT, variant), 2, pool.map, least=2))
    assert sharded == outcome(lambda: explore(DABA, LIMIT, variant))


def test_a_shard_that_is_only_checked_takes_no_step() -> None:
    space = Numbers(9)
    start = space.start()
    shard = Shard(space, [Told(space.state(start), space.told(start))], only_check=True)
    assert expand(shard) == Expanded([], 0, None)
