"""The search in one piece and in shards has the same counts and the same violation."""

from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import pytest

from swagproof.proofs.explorer.freezing import Place
from swagproof.proofs.explorer.shards import Expanded, Shard, walk_in_shards
from swagproof.proofs.explorer.space import Space, Violation
from swagproof.proofs.explorer.walk import ENDLESS, Counts, first_violation, judge, walk
from swagproof.proofs.in_order import daba, daba_lite, two_stacks
from swagproof.proofs.in_order.pointer_states import PointerStates
from swagproof.proofs.ledger.mutants import Mutant, wrong
from swagproof.proofs.sharing.lookups import OrderedStates
from swagproof.reference.catalogue import DABA, DABA_LITE, FIFO, TWO_STACKS, Column

LIMIT = 9


@dataclass(frozen=True)
class Numbers(Space[int]):
    """Numbers from 1, by doubling and by adding 3, up to a limit; some are bad, and some steps are forbidden."""

    limit: int
    bad: frozenset[int] = frozenset()
    forbidden: frozenset[tuple[int, int]] = frozenset()

    def starts(self) -> Iterable[Place[int]]:
        yield Place([1], None, (1,))

    def choices(self, place: Place[int]) -> Iterable[int]:
        at = self.state(place)
        return (number for number in (2 * at, at + 3) if number <= self.limit or (at, number) in self.forbidden)

    def take(self, place: Place[int], step: int, before: Place[int]) -> None:
        self.require(place, "forbidden", (self.state(place), step) not in self.forbidden)
        place.subject[0] = step

    def state(self, place: Place[int]) -> int:
        return int(place.subject[0])

    def check(self, place: Place[int]) -> None:
        self.require(place, "bad", self.state(place) not in self.bad)


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
"""Spaces, among them some with a bad state and a wrong step on one level, in either order."""


@pytest.mark.parametrize("shards", [1, 2, 3, 7])
def test_shards_find_what_the_walk_finds(shards: int) -> None:
    found = set()
    for space in SPACES:
        whole = outcome(lambda space=space: walk(space))  # type: ignore[misc]  # a lambda with a default
        assert outcome(lambda space=space: walk_in_shards(space, shards)) == whole, space  # type: ignore[misc]  # a lambda with a default
        found.add(whole[0] if isinstance(whole[0], str) else "holds")
    assert found == {"bad", "forbidden", "holds"}


@pytest.mark.parametrize("shards", [None, 1, 3])
def test_every_state_is_checked_however_many_there_are(shards: int | None) -> None:
    """Spoil the last reached state, and the last step, of some hundreds."""
    reached: list[tuple[int, int]] = []
    walk(Numbers(900), along=lambda at, _, to: reached.append((at, to)))  # type: ignore[arg-type]  # states are numbers
    assert len(reached) > 800
    firsts = list(dict.fromkeys(to for _, to in reached))
    for spoilt in (Numbers(900, bad=frozenset({firsts[-1]})), Numbers(900, forbidden=frozenset({reached[-1]}))):
        found = outcome(lambda spoilt=spoilt: walk_in_shards(spoilt, shards) if shards else walk(spoilt))  # type: ignore[misc]  # a lambda with a default
        assert not isinstance(found, Counts)


def test_shards_are_as_large_as_told() -> None:
    sizes: list[list[int]] = []

    def run(function: Callable[[Shard], Expanded], shards: Iterable[Shard]) -> list[Expanded]:
        taken = list(shards)
        sizes.append([len(shard.parcels) for shard in taken])
        return [function(shard) for shard in taken]

    counts = walk_in_shards(Numbers(200), 3, run, least=4)
    assert sum(map(sum, sizes)) == counts.states
    assert all(len(level) <= 3 and (len(level) == 1 or min(level) >= 4) for level in sizes)
    assert any(len(level) == 3 for level in sizes)


def test_both_walks_tell_how_far_they_are() -> None:
    space = Numbers(200)
    whole: list[Counts] = []
    shards: list[Counts] = []
    walk(space, whole.append)
    counts = walk_in_shards(space, 2, watch=shards.append)
    assert whole == shards
    assert whole[-1] == counts


# The FIFO algorithms


@pytest.mark.parametrize("shards", [1, 2, 3])
@pytest.mark.parametrize("column", FIFO, ids=lambda column: column.name)
def test_a_sharded_exploration_counts_the_same(column: Column, shards: int) -> None:
    assert walk_in_shards(PointerStates(column.name, LIMIT), shards) == walk(PointerStates(column.name, LIMIT))


WRONG = [
    *((DABA, mutant) for mutant in daba.WRONG),
    *((DABA_LITE, mutant) for mutant in daba_lite.WRONG),
    *((TWO_STACKS, mutant) for mutant in two_stacks.WRONG),
]


@pytest.mark.parametrize("shards", [1, 2, 3])
def test_a_sharded_exploration_finds_the_same_violation(shards: int) -> None:
    found = 0
    for column, mutant in WRONG:
        space = PointerStates(column.name, LIMIT, mutant)
        whole = outcome(lambda space=space: walk(space))  # type: ignore[misc]  # a lambda with a default
        assert outcome(lambda space=space: walk_in_shards(space, shards)) == whole, mutant.name  # type: ignore[misc]  # a lambda with a default
        found += not isinstance(whole, Counts)
    assert found >= 10


def test_a_thawed_place_is_the_same_place() -> None:
    """Check that it has the same state, now and after every step, and that steps change neither it nor the original."""
    for column in FIFO:
        space = PointerStates(column.name, 6)
        (place,) = space.starts()
        for _ in range(12):
            again = space.thaw(space.freeze(place), place.steps)
            following = [space.state(reached) for reached in space.after(place)]
            assert (space.state(again), again.steps) == (space.state(place), place.steps)
            assert [space.state(reached) for reached in space.after(again)] == following
            assert space.freeze(again) == space.freeze(place)
            place = list(space.after(place))[0 if place.model.size < 6 else 1]


def test_what_is_no_data_is_refused() -> None:
    space = PointerStates(DABA.name, 3)
    (place,) = space.starts()
    place.subject.kept, place.frozen = lambda: None, None
    with pytest.raises(TypeError, match="the explorer cannot copy this"):
        space.freeze(place)


@pytest.mark.parametrize("mutant", [None, daba.WRONG[0]], ids=["reference", "wrong"])
def test_other_processes_may_take_the_shards(mutant: Mutant | None) -> None:
    with ProcessPoolExecutor(2) as pool:
        sharded = outcome(lambda: walk_in_shards(PointerStates(DABA.name, LIMIT, mutant), 2, pool.map, least=2))
    assert sharded == outcome(lambda: walk(PointerStates(DABA.name, LIMIT, mutant)))


def test_what_is_kept_beside_all_else_is_seen() -> None:
    tuples = "self.tuples.append(newValue)"
    late = wrong(
        "forgets after twelve",
        ("insert", tuples, f"self.seen = [*getattr(self, 'seen', ()), 0]\n    if len(self.seen) < 12: {tuples}"),
    )
    assert str(first_violation(OrderedStates((1, 2), late))).startswith(ENDLESS)


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        (Counts(4, 9), "holds"),
        (Counts(3, 9), "unknown"),
        (Counts(4, 8), "unknown"),
        (Violation("mine", ("a step",)), "fails"),
        (Violation("theirs", ("a step",), ("mine",)), "fails"),
        (Violation("theirs", ("a step",)), "unknown"),
    ],
)
def test_a_claim_is_judged_by_both_counts_and_its_own_checks(found: Counts | Violation, verdict: str) -> None:
    judged = judge(found, (4, 9), own=("mine", "mine too"))
    assert (judged.verdict, bool(judged.refuted)) == (verdict, verdict == "fails")
    assert judge(found, (4, 9)).verdict == ("fails" if isinstance(found, Violation) else verdict)
