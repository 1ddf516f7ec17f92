"""The reference trees with one wrong step each, for the tests of the oracle."""

from typing import Any

from patches import patch

from swagproof.reference.trees.b_tree import BTree
from swagproof.reference.trees.fiba import Fiba


class MergeLosesAnEntry(BTree[Any]):
    """A merge loses the entry between the two nodes."""

    def merge(self, parent: Any, node_idx: int, sibling_idx: int) -> Any:
        at = parent.get_child(min(node_idx, sibling_idx)).arity - 1
        node = super().merge(parent, node_idx, sibling_idx)
        node.times.pop(at)
        node.values.pop(at)
        if node.children:
            node.children.pop(at)
        self.repair_up(node, parent)
        return node


class MergeWithThePreviousSwaps(BTree[Any]):
    """The last child swaps the aggregates when it merges with its previous sibling."""

    def merge(self, parent: Any, node_idx: int, sibling_idx: int) -> Any:
        before = parent.get_child(min(node_idx, sibling_idx)).agg
        node = super().merge(parent, node_idx, sibling_idx)
        if sibling_idx < node_idx and not node.is_leaf():
            node.agg = self.monoid.combine(node.agg, before)
        return node


class MoveFromThePreviousAppends(BTree[Any]):
    """With min-arity 3, an entry moved from the previous sibling is appended at the end."""

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid, 3)

    def move(self, parent: Any, node_idx: int, sibling_idx: int) -> None:
        super().move(parent, node_idx, sibling_idx)
        if sibling_idx < node_idx:
            node = parent.get_child(node_idx)
            node.values.append(node.values.pop(0))
            self.repair_up(node, parent)


class SplitKeepsTheParent(BTree[Any]):
    """After a split, the children of the new node still point to the old one."""

    def split(self, node: Any) -> None:
        super().split(node)
        for child in node.parent.get_child(node.parent.children.index(node) + 1).children:
            child.parent = node


class ClimbsTwice(BTree[Any]):
    """It repairs the aggregates of two ancestors: a tree of height 4 has three."""

    def repair_aggs(self, top: Any) -> None:
        for _ in range(2):
            if not top.is_root():
                top = top.parent
                top.local_repair_agg()


patch(globals(), ClimbsTwice, """
ClimbsThrice: It repairs the aggregates of three ancestors: a tree of height 5 has four.
    repair_aggs: range(2) -> range(3)
""")  # fmt: skip


class WideMoveOfInnerNodes(BTree[Any]):
    """With min-arity 8, a move between inner nodes does not repair the node."""

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid, 8)

    def move(self, parent: Any, node_idx: int, sibling_idx: int) -> None:
        node = parent.get_child(node_idx)
        stale = node.agg
        super().move(parent, node_idx, sibling_idx)
        if not node.is_leaf():
            node.agg = stale


class RightFingerStays(Fiba[Any]):
    """A split leaves the right finger where it is."""

    def split(self, node: Any) -> None:
        finger = self.right_finger
        super().split(node)
        self.right_finger = finger


class LeftSpineStale(Fiba[Any]):
    """It does not repair the left spine."""

    def repair_aggs(self, top: Any, hit_left: bool, hit_right: bool) -> None:
        left = [top]
        while not left[-1].is_leaf():
            left.append(left[-1].get_child(0))
        kept = [node.agg for node in left]
        super().repair_aggs(top, hit_left, hit_right)
        if top.left_spine:
            for node, agg in zip(left[1:], kept[1:], strict=True):
                node.agg = agg


class RootHitsNoSide(Fiba[Any]):
    """Rebalancing that reaches the root forgets that it came along the right spine."""

    def repair_aggs(self, top: Any, hit_left: bool, hit_right: bool) -> None:
        super().repair_aggs(top, hit_left, hit_right and not top.is_root())


class SubstituteUnrepaired(Fiba[Any]):
    """A node whose entry was substituted is not repaired if rebalancing ends below it."""

    def evict_inner(self, node: Any, idx: int) -> Any:
        agg = node.agg
        result = super().evict_inner(node, idx)
        if result[0] is node and not node.is_root():
            node.agg = agg
        return result
