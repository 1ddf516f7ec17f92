"""Whole operations of the trees: the invariants of their loops, and what stands by contract, on live trees."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import pytest

from swagproof.contracts.clause import Loop
from swagproof.contracts.trees import augmented_tree
from swagproof.models.operations import CONCATENATION
from swagproof.proofs.engine.source.watched_loops import watch_invariants
from swagproof.proofs.lemmas import rebalancing_loops as whole_trees
from swagproof.proofs.trees import fiba
from swagproof.proofs.trees.whole import tree_walks
from swagproof.proofs.trees.whole.walk_runs import explore_walk
from swagproof.proofs.trees.whole.zipper_runs import explore_operation
from swagproof.reference.trees.b_tree import BTree
from swagproof.reference.trees.fiba import Fiba

SEED: Final = 7
SEEN: Final = Counter[str]()


def chain(y: Any, last: int) -> Iterator[Any]:
    """The nodes below y on a spine, from the top down."""
    while y.children:
        y = y.children[last]
        yield y


class Live:
    """The state of a live tree, as the invariants of loops see it."""

    calls = 0

    def __init__(self, tree: Any, focus: Any, to_repair: Any) -> None:
        self.tree, self.focus, self.mark = tree, focus, to_repair
        self.mu = tree.min_arity
        self.span = augmented_tree.spans(tree)
        self.window = [v for _, v in augmented_tree.in_order(tree.root)]
        self.to_repair = None if to_repair is None else self.height(to_repair) if to_repair in self.span else -1

    def height(self, y: Any) -> int:
        return sum(1 for _ in chain(y, 0))

    def depth(self, y: Any) -> int:
        return 0 if y.parent is None else 1 + self.depth(y.parent)

    def overflow(self, y: Any) -> int:
        return int(y.arity > 2 * self.mu)

    def is_right(self, y: Any) -> bool:
        lo, hi = self.span[y]
        root = self.tree.root
        if isinstance(self.tree, Fiba):
            first = self.span[y.children[0]][1] if y.children else lo
            last = self.span[y.children[-1]][0] if y.children else hi
            inner = (self.span[root.children[0]][1], self.span[root.children[-1]][0]) if root.children else (lo, hi)
            if y is root:
                lo, hi = first, last
            elif y.left_spine:
                lo, hi = first, inner[0]
            elif y.right_spine:
                lo, hi = inner[1], last
        return bool(y.agg == "".join(self.window[lo:hi]))

    def spine_is_right(self, y: Any, left: bool) -> bool:
        return all(map(self.is_right, chain(y, 0 if left else -1)))

    def may_be_stale(self, hits: tuple[bool, bool]) -> set[Any]:
        """Rules 1 to 4 of the contracts."""
        above = [self.focus]
        while above[-1].parent is not None:
            above.append(above[-1].parent)
        if isinstance(self.tree, BTree):
            return set(above[1:])
        stale, rest = set[Any](), above
        if self.mark is not None and self.mark in above[1:]:
            up_to = above.index(self.mark)
            stale, rest = set(above[1 : up_to + 1]), above[up_to:]
            for y in above[: up_to + 1]:
                stale |= {y, *chain(y, 0)} if y.left_spine else set()
                stale |= {y, *chain(y, -1)} if y.right_spine else set()
        f = next(y for y in rest if not y.has_agg_up())
        stale |= {*rest[1 : rest.index(f) + 1], f}
        stale |= set(chain(f, 0)) if f.left_spine or (f.parent is None and hits[0]) else set()
        stale |= set(chain(f, -1)) if f.right_spine or (f.parent is None and hits[1]) else set()
        return stale


def look_at(method: str, local: dict[str, Any]) -> Any:
    """The state at a loop's head, once all aggregates but those that may be stale were found to be right."""
    if method == "repair_aggs" and ("left" in local or "right" in local):
        focus = local.get("right", local.get("left"))
        local["focus"] = focus
        return Live(local["self"], focus, None)
    focus = local["top"] if method in ("repair_aggs", "evict_inner") else local["node"]
    mark = local["node"] if method == "evict_inner" else local.get("to_repair")
    local["focus"] = focus
    state = Live(local["self"], focus, mark)
    stale = state.may_be_stale((local.get("hit_left", False), local.get("hit_right", False)))
    wrong = [y for y in state.span if y not in stale and not state.is_right(y)]
    assert not wrong, f"{method}: an aggregate is stale that may not be"
    SEEN[method] += 1
    SEEN["stale"] += any(not state.is_right(y) for y in stale)
    return state


def told(method: str, clause: str, holds: bool) -> None:
    assert holds, f"{method}: {clause}"


def without_costs(given: whole_trees.TreeClauses, *but: str) -> dict[str, tuple[Loop | None, ...]]:
    """The loops, but for clauses of which only counts are told."""
    return {
        method: tuple(
            loop and Loop(*[each for each in loop.clauses if each not in loop.costs], variant=loop.variant)
            for loop in loops
        )
        for method, loops in given.loops.items()
        if method not in but
    }


WATCHED_FIBA: Final = type(
    "WatchedFiba", (Fiba,), watch_invariants(Fiba, without_costs(whole_trees.FIBA, "repair_up"), look_at, told)
)
WATCHED_B_TREE: Final = type(
    "WatchedBTree",
    (BTree,),
    watch_invariants(
        BTree,
        without_costs(whole_trees.B_TREE, "repair_up", "evict_inner"),
        look_at,
        told,
    ),
)


@pytest.mark.parametrize("tree", [WATCHED_FIBA, WATCHED_B_TREE])
def test_the_invariants_hold_on_live_trees_at_every_loop_head(tree: Any) -> None:
    rng = random.Random(SEED)
    SEEN.clear()
    for mu in (2, 3):
        for _ in range(4):
            window, times, grows = tree(CONCATENATION, mu), list[int](), rng.random()
            for k in range(150):
                if times and rng.random() < (0.6 if k > 90 else 0.3 * grows):
                    t = rng.choice([rng.choice(times), times[0], times[-1]])
                    times.remove(t)
                    window.evict(t)
                else:
                    t = rng.randrange(10**6)
                    times = sorted({*times, t})
                    window.insert(t, chr(rng.randrange(33, 50_000)))
                state = Live(window, window.root, None)
                assert all(map(state.is_right, state.span))
    assert SEEN["stale"] > 100
    assert all(SEEN[name] > 100 for name in ("rebalance_for_insert", "rebalance_for_evict", "repair_aggs"))
    if tree is WATCHED_FIBA:
        assert SEEN["evict_inner"] > 10


def test_line_62_as_printed_is_refuted_with_the_state_drawn() -> None:
    variant = fiba.WRONG.get("a sibling on the left spine goes unnoticed [l.62 as printed]")
    found = explore_operation("rebalance for evict", variant, lambda report: bool(report.failures))
    refuted = [failure for failure in found.failures if not failure.unknown]
    assert [failure.obligation for failure in refuted] == ["loop kept: root_left"]
    assert refuted[0].example.startswith("mu = ")
    assert "the root, height" in refuted[0].example


def test_climbs_that_change_sides_are_refuted_with_the_nodes_drawn() -> None:
    found = explore_walk(
        "search", tree_walks.WRONG.get("the climbs change sides"), lambda report: bool(report.failures)
    )
    refuted = [failure for failure in found.failures if not failure.unknown]
    assert [failure.obligation for failure in refuted] == ["a walk is where it may be"]
    assert "right spine, height" in refuted[0].example
