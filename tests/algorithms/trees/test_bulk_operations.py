"""Bulk operations of FiBA on live trees: what is kept between steps, what methods are given and what they leave."""

import random
from collections import Counter
from typing import Any, Final

import pytest

from swagproof.models.operations import CONCATENATION
from swagproof.proofs.trees.bulk.bulk_runs import OPERATIONS
from swagproof.proofs.trees.bulk.bulk_trees import AFFECTED, CLAIMS, WRONG, Name, explore_run
from swagproof.reference.trees.fiba_bulk import BulkFiba

SEED: Final = 11
SEEN: Final = Counter[str]()


def is_consistent(y: Any) -> bool:
    """Return whether it stores what localRepairAgg would compute."""
    stored = y.agg
    y.local_repair_agg()
    computed, y.agg = y.agg, stored
    return bool(computed == stored)


def is_below_noted(y: Any, noted: set[Any]) -> bool:
    """Return whether a noted node is above it on its spine."""
    above = y.parent
    while above is not None and ((above.left_spine and y.left_spine) or (above.right_spine and y.right_spine)):
        if above in noted:
            return True
        above = above.parent
    return False


class Watched(BulkFiba[str]):
    """FiBA in bulk, looked at between steps."""

    def look(self, what: str) -> None:
        """Each node is consistent, or noted, or below a noted one; and what is noted and here is in the tree."""
        if self.put_off is None:
            return
        noted, nodes = {y for y in self.put_off if self.is_here(y)}, set(self.nodes())
        assert noted <= nodes, what
        stale = [y for y in nodes if y not in noted and not is_consistent(y)]
        assert all(is_below_noted(y, noted) for y in stale), what
        SEEN[what] += 1
        SEEN["stale"] += len(stale)

    def evict_until(self, t: Any) -> None:
        super().evict_until(t)
        self.look("evict_until")

    def cut(self, node: Any, t: Any) -> bool:
        self.look("to cut")
        more = super().cut(node, t)
        self.look("cut")
        return more

    def go_down(self, node: Any) -> Any:
        child = super().go_down(node)
        self.look("go_down")
        return child

    def rebalance_for_evict(self, node: Any, to_repair: Any) -> Any:
        left = super().rebalance_for_evict(node, to_repair)
        self.look("rebalance_for_evict")
        return left

    def rebalance_for_insert(self, node: Any) -> Any:
        self.look("put")
        left = super().rebalance_for_insert(node)
        self.look("rebalance_for_insert")
        return left

    def repair_changed(self, nodes: Any) -> None:
        super().repair_changed(nodes)
        assert all(map(is_consistent, self.nodes()))
        SEEN["repair_changed"] += 1


@pytest.mark.parametrize("mu", [2, 3])
def test_between_steps_what_is_not_consistent_waits(mu: int) -> None:
    rng = random.Random(SEED)
    SEEN.clear()
    for _ in range(20):
        window, most = Watched(CONCATENATION, mu), rng.choice((60, 200))
        for _ in range(30):
            if rng.random() < 0.6:
                times = sorted(rng.choices(range(most), k=rng.choice((1, 5, 40))))
                window.bulk_insert([(t, chr(rng.randrange(33, 50_000))) for t in times])
            else:
                window.bulk_evict(rng.randrange(most) // 2)
    methods = ("cut", "go_down", "rebalance_for_evict", "rebalance_for_insert", "repair_changed", "stale")
    assert all(SEEN[name] > 50 for name in methods), SEEN


def test_no_run_is_vacuous_and_each_is_of_a_claim() -> None:
    """A run whose assumptions contradict each other would show anything."""
    stated: set[Name] = {run for runs in AFFECTED.values() for run in runs}
    assert set(OPERATIONS) <= stated
    for run in stated:
        found = explore_run(run)
        assert found.sound, run
        assert not found.failures, run


def test_each_wrong_variant_is_of_a_claim() -> None:
    named = {control.name for claim in CLAIMS for control in claim.controls}
    assert {variant.name for variant in WRONG} <= named


def test_a_node_that_is_not_noted_is_refuted_with_the_tree_drawn() -> None:
    variant = WRONG.get("a child that comes to the left spine is not noted")
    found = explore_run("evict until", variant, lambda report: bool(report.failures))
    refuted = [failure for failure in found.failures if not failure.unknown]
    assert [failure.obligation for failure in refuted] == ["a node that changes is noted"]
    assert "left spine, height" in refuted[0].example
