"""FiBA: its readings, the explorer of trees, and the steps of the paper's Figures 1, 3 to 6 and 9."""

from dataclasses import replace
from functools import partial
from string import ascii_lowercase
from typing import Any

import pytest

from swagproof.models.operations import CONCATENATION
from swagproof.proofs.explorer.walk import Counts, find_once
from swagproof.proofs.trees import fiba
from swagproof.proofs.trees.out_of_order import check_bounds
from swagproof.proofs.trees.runs import Shape
from swagproof.proofs.trees.runs import grown as grow
from swagproof.proofs.trees.shapes import Bound, TimedStep, TreeStates, events, shapes
from swagproof.reference.catalogue import FIBA
from swagproof.reference.trees.b_tree import BTree
from swagproof.reference.trees.fiba import Fiba

# The explorer's own helpers


def test_events_are_over_times_counted_from_one() -> None:
    steps = (
        TimedStep("insert", False, 0),
        TimedStep("insert", False, 0),
        TimedStep("evict", False, 1),
        TimedStep("evict", True, 1),
    )
    assert events(steps) == ["insert 3 a", "insert 1 b", "evict 2", "evict 3"]
    assert events(steps[:1], 2) == ["insert 1 c"]


def test_shapes_meet_the_size_invariants_and_none_is_missing() -> None:
    def by_count(levels: int, entries: int) -> list[int]:
        found = [used for _, used in shapes(levels, 2, entries)]
        return [found.count(n) for n in range(entries + 1)]

    assert by_count(1, 4) == [0, 1, 1, 1, 0]
    assert by_count(2, 5) == [0, 0, 0, 1, 2, 4]  # two leaves of 3, 4, 5 entries, or three leaves of one each
    assert len({shape for shape, _ in shapes(3, 2, 12)}) == len(list(shapes(3, 2, 12))) == 196


def test_a_claim_fails_for_a_wrong_reference() -> None:
    wrong = replace(FIBA, algorithm=fiba.WRONG[0].of(FIBA.algorithm))
    outcome = check_bounds(partial(TreeStates, wrong), {Bound(2, 12): Counts(295, 0)})
    assert (outcome.verdict, outcome.detail) == ("fails", str(find_once(TreeStates(wrong, Bound(2, 12)))))


def test_other_counts_than_expected_are_unknown() -> None:
    outcome = check_bounds(partial(TreeStates, FIBA), {Bound(2, 3): Counts(4, 33)})
    assert (outcome.verdict, outcome.detail) == ("unknown", "4 trees, 28 operations, not (4, 33)")


# The paper's figures, as far as the text describes them.  A letter is its own value, at the time of its place.


class Recording(Fiba[str]):
    """FiBA that records its structural steps."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.steps: list[str] = []

    def split(self, node: Any) -> None:
        self.steps.append("split")
        super().split(node)

    def merge(self, parent: Any, node_idx: int, sibling_idx: int) -> Any:
        self.steps.append("merge")
        return super().merge(parent, node_idx, sibling_idx)

    def move(self, parent: Any, node_idx: int, sibling_idx: int) -> None:
        self.steps.append("move")
        super().move(parent, node_idx, sibling_idx)

    def height_increase(self) -> None:
        self.steps.append("height increase")
        super().height_increase()

    def height_decrease(self) -> None:
        self.steps.append("height decrease")
        super().height_decrease()


def leaf(entries: int) -> Shape:
    return entries, ()


def inner(*children: Shape) -> Shape:
    return len(children) - 1, children


def grown(shape: Shape, letters: str = ascii_lowercase) -> Recording:
    """Build a tree of this shape with these letters in order, at times 2, 4, 6, ..."""
    return grow(Recording(CONCATENATION, 2), shape, lambda k: letters[k - 1])  # type: ignore[no-any-return]  # as it was


def changed(tree: Recording, operation: Any) -> list[Any]:
    """Return the nodes that the operation creates, or whose aggregates it changes."""
    before = {node: node.agg for node in tree.nodes()}
    operation()
    return [node for node in tree.nodes() if before.get(node) != node.agg]


def test_figure_1() -> None:
    """Check letters a .. u at times 1 .. 21 in a B-tree: the root's aggregate is the window's, each node's its own."""
    tree = BTree(CONCATENATION)
    for t in range(1, 22):
        tree.insert(t, chr(96 + t))
    assert tree.root.agg == tree.query() == "abcdefghijklmnopqrstu"
    assert all(node.agg == "".join(node.values) for node in tree.nodes() if node.is_leaf())


def test_figure_3() -> None:
    """Check state A: the text has ghijklmno at the root, hijklmn at its center child, cdef and qrst amid the spines."""
    shape = inner(inner(leaf(2), leaf(3)), inner(leaf(3), leaf(3)), inner(leaf(1), leaf(1), leaf(1)))
    tree = grown(shape, "abcdefghijklmnoqrstu")
    left, center, right = tree.root.children
    assert (tree.root.agg, center.agg, left.agg, right.agg) == ("ghijklmno", "hijklmn", "cdef", "qrst")
    assert (tree.left_finger.agg, tree.right_finger.agg) == ("abcdef", "qrstu")
    # A -> B: an in-order insert affects only the right finger
    assert changed(tree, lambda: tree.insert(42, "v")) == [tree.right_finger]
    # B -> C: an out-of-order insert affects aggregates on a walk to the right finger
    assert changed(tree, lambda: tree.insert(31, "p")) == [right, right.children[0], tree.right_finger]
    # C -> D: an in-order evict affects only the left finger
    assert changed(tree, lambda: tree.evict(2)) == [tree.left_finger]
    assert tree.steps == []
    # D -> E: an out-of-order insert into a node of arity 2 min_arity, which is split
    assert len(changed(tree, lambda: tree.insert(9, "+"))) == 4
    assert tree.steps == ["split"]
    assert tree.query() == "bcd+efghijklmnopqrstuv"


def test_figure_4() -> None:
    """Check G -> H: nodes overflow up to the root; all split nodes and both spines are affected."""
    tree = grown(inner(leaf(3), leaf(3), leaf(3), leaf(3)))
    nodes = set(changed(tree, lambda: tree.insert(13, "+")))
    assert tree.steps == ["split", "height increase", "split"]
    assert {tree.root, *tree.root.children, tree.left_finger, tree.right_finger} <= nodes
    assert tree.query() == "abcdef+ghijklmno"


def test_figure_5() -> None:
    """Check I -> J: an evict, a merge, and one level up a move; then a walk to the left finger."""
    tree = grown(inner(inner(leaf(1), leaf(1)), inner(leaf(1), leaf(1), leaf(1))))
    nodes = changed(tree, lambda: tree.evict(6))
    assert tree.steps == ["merge", "move"]
    assert {tree.root, tree.root.children[0], tree.root.children[1], tree.left_finger} <= set(nodes)
    assert tree.query() == "abdefghi"


def test_figure_6() -> None:
    """Check K -> L: nodes underflow up to the root, which is eliminated; merged nodes and both spines are affected."""
    tree = grown(inner(inner(leaf(1), leaf(1)), inner(leaf(1), leaf(1))))
    nodes = changed(tree, lambda: tree.evict(6))
    assert tree.steps == ["merge", "merge", "height decrease"]
    assert {tree.root, tree.left_finger, tree.right_finger} <= set(nodes)
    assert tree.query() == "abdefg"


@pytest.mark.parametrize(
    ("shape", "t", "steps", "answer"),
    [
        (inner(leaf(1), leaf(1), leaf(1)), 2, ["merge"], "bcde"),  # Figure 3, E -> F: from a leaf of arity min_arity
        (inner(leaf(1), leaf(2)), 4, [], "acd"),  # the oldest on the right, which can spare it
        (inner(leaf(2), leaf(1)), 6, [], "abd"),  # the youngest on the left
        (inner(leaf(1), leaf(1), leaf(1)), 4, ["merge"], "acde"),
        (inner(inner(leaf(1), leaf(1)), inner(leaf(1), leaf(1))), 8, ["merge", "merge", "height decrease"], "abcefg"),
    ],
)
def test_evicts_of_figures_3_and_9(shape: Shape, t: int, steps: list[str], answer: str) -> None:
    tree = grown(shape)
    tree.evict(t)
    assert (tree.steps, tree.query()) == (steps, answer)
