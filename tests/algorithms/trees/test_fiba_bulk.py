"""Bulk eviction and bulk insertion: their errors, and their costs."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from swagproof.contracts.trees import fiba_bulk as contract
from swagproof.contracts.trees.augmented_tree import levels
from swagproof.models.operations import CONCATENATION, SUM
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.proofs.ledger.mutants import wrong
from swagproof.proofs.trees.runs import counted, summing
from swagproof.reference.trees.fiba_bulk import BulkFiba


def test_a_partial_order_leaves_a_window_that_works() -> None:
    window = BulkFiba(CONCATENATION)
    window.bulk_insert([((t, letter), letter) for t, letter in enumerate("abcdefghijkl")])
    for refused in (lambda: window.insert((0, 5), "x"), lambda: window.bulk_evict((0, 5))):
        with pytest.raises(TypeError):
            refused()
        assert window.query() == "abcdefghijkl"
    with pytest.raises(TypeError):
        window.bulk_insert([((-1, "z"), "z"), ((0, 5), "x")])
    assert window.query() == "zabcdefghijkl"
    window.bulk_evict((3, "d"))
    assert window.query() == "efghijkl"


NOON = datetime(2024, 2, 29, 12)


@pytest.mark.parametrize(
    ("batches", "cut", "answers"),
    [
        ([((NOON + timedelta(minutes=i), c) for i, c in enumerate("abcdefgh"))], NOON + timedelta(seconds=150),
         ("abcdefgh", "defgh")),
        ([[(float("-inf"), "a"), (0, "b"), (float("inf"), "c")]], float("-inf"), ("abc", "bc")),
        ([[(float("-inf"), "a"), (0, "b"), (float("inf"), "c")]], float("inf"), ("abc", "")),
        ([[(1, "a"), (1, "b"), (2, "c"), (2, "d")], [(1, "e"), (2, "f")]], 1, ("abecdf", "cdf")),
    ],
    ids=["any iterable, times of any ordered type", "before all", "infinite", "equal times in their order"],
)  # fmt: skip
def test_batches_by_hand(batches: Any, cut: Any, answers: tuple[str, str]) -> None:
    window = BulkFiba(CONCATENATION)
    for pairs in batches:
        window.bulk_insert(pairs)
    before = window.query()
    window.bulk_evict(cut)
    assert (before, window.query()) == answers


class Reading(float):
    """A time that compares with all times but those of another clock."""

    clock = ""

    def __lt__(self, other: Any) -> bool:
        if {self.clock, getattr(other, "clock", "")} == {"a", "b"}:
            raise TypeError("of two clocks")
        return float(self) < float(other)


def reading(t: float, clock: str = "") -> Reading:
    """Return this time, by this clock."""
    found = Reading(t)
    found.clock = clock
    return found


def meets_another_clock(window: Any) -> bool:
    """Return whether an insertion that raises has inserted the earlier pairs, and left everything else right."""
    model = OutOfOrderWindow(CONCATENATION)
    for t in (reading(1), reading(2), reading(3), reading(3.5, "a"), reading(8), reading(9)):
        window.insert(t, "o")
        model.insert(t, "o")
    before = [(reading(0), "x"), (reading(1), "y")]
    with pytest.raises(TypeError, match="of two clocks"):
        window.bulk_insert([*before, (reading(3.2, "b"), "z")])
    for t, v in before:
        model.insert(t, v)
    window.model = model
    return window.query() == model.query() and all(clause(window) for clause in contract.INVARIANT)


def test_an_insertion_that_ends_in_an_error_leaves_what_was_before() -> None:
    assert meets_another_clock(BulkFiba(CONCATENATION))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("finally:", "except ValueError:"),
        ("    self.repair_changed(changed)", "    pass"),
        ("    self.put_off = None\n", "    pass\n"),
    ],
)
def test_a_bulk_insert_that_an_error_leaves_undone_is_told(old: str, new: str) -> None:
    mutant = wrong("an error leaves something undone", ("aggregates_put_off", old, new))
    assert not meets_another_clock(mutant.of(BulkFiba)(CONCATENATION))


@pytest.mark.parametrize("mu", [2, 4, 8])
def test_an_evicted_batch_costs_its_logarithm(mu: int) -> None:
    tree = counted(BulkFiba)(summing(), mu)
    tree.bulk_insert([(t, 1) for t in range(5000)])
    t = 0
    for m in (1, 10, 100, 1000, 3000):
        tree.monoid.clear()
        tree.bulk_evict(t + m - 1)
        assert tree.monoid.repairs <= 2 * levels(m, mu) + 1 + 3 * tree.monoid.steps
        t += m
    assert tree.size == 5000 - t


def test_an_insert_of_many_computes_each_aggregate_once() -> None:
    tree = counted(BulkFiba)(summing(), 2)
    tree.bulk_insert([(t, 1) for t in range(1000)])
    assert tree.monoid.repairs <= sum(1 for _ in tree.nodes())
    assert tree.query() == 1000


def test_single_operations_still_repair_at_once() -> None:
    window = BulkFiba(SUM)
    window.bulk_insert([(t, 1) for t in range(50)])
    window.insert(50, 1)
    window.evict(20)
    assert window.put_off is None
    assert window.query() == 50
