"""FiBA.

- Full name: Finger B-Tree Aggregator
- Paper: Sub-O(log n) Out-of-Order Sliding-Window Aggregation (2018), section 3
- Order: out of order
- Operator: associative, with identity
- Combine calls: query at most 2; insert and evict amortised O(log d), worst case O(log n); range query O(log n)
- Space: n values and one partial aggregate a node, at most n / (min_arity - 1) + 1 of them
- Errata: FIBA-2, FIBA-3, FIBA-4, COIN-1; readings FIBA-1, FIBA-5, FIBA-6, FIBA-7, FIBA-8, FIBA-10, FIBA-11, FIBA-12

Conventions: those of `reference/trees/augmented_tree.py`, where the tree and Figure 10 are.  leftFinger, rightFinger,
leftSpine, rightSpine, hit_left, hit_right are `left_finger`, ... in snake case.  d is the number of entries between the
one inserted or evicted and the nearer end of the window.  The root is on neither spine.  Figure 2, which defines the
four kinds of aggregate, is lost in the supplied text; they are restored from the prose of section 3.2 and the example
of Figure 3 (reading FIBA-10; see `FingerNode.local_repair_agg`).
"""

from collections.abc import Iterator
from typing import Any, ClassVar, Self

from swagproof.contracts.ghosts.ghost import under
from swagproof.contracts.ghosts.out_of_order_window import OutOfOrderGhost
from swagproof.contracts.trees import fiba as contract
from swagproof.models.monoid import A, Monoid
from swagproof.reference.trees.augmented_tree import AugmentedTree, Node, oldest, youngest


class FingerNode(Node[A]):
    """A node that keeps the aggregate for its position: up, inner, left or right."""

    __slots__ = ("left_spine", "right_spine")

    def __init__(self, monoid: Monoid[A]) -> None:
        Node.__init__(self, monoid)
        self.left_spine = self.right_spine = False

    def has_agg_up(self) -> bool:
        """Return whether this node is neither a finger nor an ancestor of one."""
        return not (self.is_root() or self.left_spine or self.right_spine)

    def local_repair_agg(self) -> None:
        """Compute the aggregate anew, by position (section 3.2).  At most 2a combine calls.

        - up, not on a spine: agg z_0, v_0, agg z_1, ..., v_{a-2}, agg z_{a-1};
        - inner, at the root: v_0, agg z_1, ..., v_{a-2}: neither what is below the first child nor below the last;
        - left, on the left spine: v_0, agg z_1, ..., v_{a-2}, agg z_{a-1}, then the parent's, unless that is the root;
        - right, on the right spine: the parent's, unless that is the root; agg z_0, v_0, ..., agg z_{a-2}, v_{a-2}.
        """
        if self.is_root():
            self.agg = self.product_of_parts(1, self.arity - 1)
        elif self.left_spine:
            self.agg = self.product_of_parts(1, self.arity)
            if not self.parent.is_root():
                self.agg = self.monoid.combine(self.agg, self.parent.agg)
        elif self.right_spine:
            self.agg = self.product_of_parts(0, self.arity - 1)
            if not self.parent.is_root():
                self.agg = self.monoid.combine(self.parent.agg, self.agg)
        else:
            self.agg = self.product_of_parts(0, self.arity)

    def split_off(self, arity: int) -> Self:
        """As for any node; the end of the right spine goes to the new sibling."""
        sibling = Node.split_off(self, arity)
        sibling.right_spine, self.right_spine = self.right_spine, False  # pyright: ignore[reportAttributeAccessIssue]  # a type(self)
        return sibling  # pyright: ignore[reportReturnType]  # a type(self)

    def absorb_next(self, i: int) -> None:
        """As for any node; the right spine is that of the sibling."""
        self.right_spine = self.parent.children[i + 1].right_spine
        Node.absorb_next(self, i)


class Fiba(AugmentedTree[A, FingerNode[A]]):
    """A B-tree with fingers at both ends, in which each node keeps an aggregate that can be repaired from there.

    >>> from swagproof.models.operations import CONCATENATION
    >>> window = Fiba(CONCATENATION)
    >>> window.insert(3, "c"); window.insert(1, "a"); window.insert(2, "b"); window.evict(1); window.query()
    'bc'
    >>> window.range_query(3, 9)
    'c'
    """

    Node: ClassVar[type[Any]] = FingerNode

    def __init__(self, monoid: Monoid[A], min_arity: int = 2) -> None:
        AugmentedTree.__init__(self, monoid, min_arity)
        self.left_finger = self.right_finger = self.root

    def query(self) -> A:  # [Fig.7 l.1]
        """The product of the window in the order of time.  At most 2 combine calls (Theorem 3.4)."""
        if self.root.is_leaf():  # [Fig.7 l.2]
            return self.root.agg  # [Fig.7 l.3]
        combine = self.monoid.combine
        return combine(combine(self.left_finger.agg, self.root.agg), self.right_finger.agg)  # [Fig.7 l.4]

    def insert(self, t: Any, v: A) -> None:  # [Fig.7 l.6]
        """Add `v` at time `t`, or combine it with the value there.  Amortised O(log d) (Theorem 3.4).

        Raises TimeError, and then nothing has changed.
        """
        self.require_time(t)  # [ours]
        node = self.search_node(t)  # [Fig.7 l.7]
        node.local_insert_time_and_value(t, v)  # [Fig.7 l.8]
        top, hit_left, hit_right = self.rebalance_for_insert(node)  # [Fig.7 l.9]
        self.repair_aggs(top, hit_left, hit_right)  # [Fig.7 l.10]

    def evict(self, t: Any) -> None:  # [Fig.7 l.12]
        """Remove the entry at time `t`, if there is one.  Amortised O(log d) (Theorem 3.4).  Raises TimeError."""
        self.require_time(t)  # [ours]
        node = self.search_node(t)  # [Fig.7 l.13]
        found, idx = node.local_search(t)  # [Fig.7 l.14]
        if found:  # [Fig.7 l.15]
            if node.is_leaf():  # [Fig.7 l.16]
                node.local_evict_time_and_value(t)  # [Fig.7 l.17]
                top, hit_left, hit_right = self.rebalance_for_evict(node, None)  # [Fig.7 l.18]
            else:  # [Fig.7 l.19]
                top, hit_left, hit_right = self.evict_inner(node, idx)  # [Fig.7 l.20]
            self.repair_aggs(top, hit_left, hit_right)  # [Fig.7 l.21, indented otherwise: reading FIBA-7]

    def repair_aggs(self, top: FingerNode[A], hit_left: bool, hit_right: bool) -> None:  # [Fig.7 l.23]
        """Repair the aggregates that rebalancing has not: up to a spine or the root, and from there to the fingers."""
        if top.has_agg_up():  # [Fig.7 l.24]
            while top.has_agg_up():  # [Fig.7 l.25]
                top = top.parent  # [Fig.7 l.26]
                top.local_repair_agg()  # [Fig.7 l.27]
        else:  # [Fig.7 l.28]
            top.local_repair_agg()  # [Fig.7 l.29]
        if top.left_spine or (top.is_root() and hit_left):  # [Fig.7 l.30]
            left = top  # [Fig.7 l.31]
            while not left.is_leaf():  # [Fig.7 l.32]
                left = left.get_child(0)  # [Fig.7 l.33]
                left.local_repair_agg()  # [Fig.7 l.34]
        if top.right_spine or (top.is_root() and hit_right):  # [Fig.7 l.35]
            right = top  # [Fig.7 l.36]
            while not right.is_leaf():  # [Fig.7 l.37]
                right = right.get_child(right.arity - 1)  # [Fig.7 l.38]
                right.local_repair_agg()  # [Fig.7 l.39, indented otherwise: reading FIBA-7]

    def rebalance_for_insert(self, node: FingerNode[A]) -> tuple[FingerNode[A], bool, bool]:  # [Fig.7 l.41]
        """Split from `node` upwards while there is an overflow: where that ended, and which spines it touched."""
        hit_left, hit_right = node.left_spine, node.right_spine  # [Fig.7 l.42]
        while node.arity > self.max_arity:  # [Fig.7 l.43]
            if node.is_root():  # [Fig.7 l.44]
                self.height_increase()  # [Fig.7 l.45]
                hit_left, hit_right = True, True  # [Fig.7 l.46, indented otherwise: reading FIBA-7]
            self.split(node)  # [Fig.7 l.47]
            node = node.parent  # [Fig.7 l.48]
            hit_left = hit_left or node.left_spine  # [Fig.7 l.49]
            hit_right = hit_right or node.right_spine  # [Fig.7 l.50]
        return node, hit_left, hit_right  # [Fig.7 l.51]

    def rebalance_for_evict(  # [Fig.7 l.53]
        self, node: FingerNode[A], to_repair: FingerNode[A] | None
    ) -> tuple[FingerNode[A], bool, bool]:  # [Fig.7 l.54]
        """Merge or move from `node` upwards while there is an underflow: where that ended, and which spines it touched.

        On the way, `to_repair` is repaired: an inner node with a substituted entry, or None.
        """
        hit_left, hit_right = node.left_spine, node.right_spine  # [Fig.7 l.55]
        if node is to_repair:  # [Fig.7 l.56]
            node.local_repair_agg_if_up()  # [Fig.7 l.57]
        while not node.is_root() and node.arity < self.min_arity:  # [Fig.7 l.58]
            parent = node.parent  # [Fig.7 l.59]
            node_idx, sibling_idx = self.pick_eviction_sibling(node)  # [Fig.7 l.60]
            sibling = parent.get_child(sibling_idx)  # [Fig.7 l.61]
            hit_left = hit_left or sibling.left_spine  # [Fig.7 l.62, erratum FIBA-3]
            hit_right = hit_right or sibling.right_spine
            if sibling.arity <= self.min_arity:  # [Fig.7 l.63]
                node = self.merge(parent, node_idx, sibling_idx)  # [Fig.7 l.64]
                if parent.is_root() and parent.arity == 1:  # [Fig.7 l.65]
                    self.height_decrease()  # [Fig.7 l.66]
                else:  # [Fig.7 l.67, indented otherwise: reading FIBA-7]
                    node = parent  # [Fig.7 l.68]
            else:  # [Fig.7 l.69, indented otherwise: reading FIBA-7]
                self.move(parent, node_idx, sibling_idx)  # [Fig.7 l.70]
                node = parent  # [Fig.7 l.71]
            if node is to_repair:  # [Fig.7 l.72, indented otherwise: reading FIBA-7]
                node.local_repair_agg_if_up()  # [Fig.7 l.73]
            hit_left = hit_left or node.left_spine  # [Fig.7 l.74, indented otherwise: reading FIBA-7]
            hit_right = hit_right or node.right_spine  # [Fig.7 l.75, indented otherwise: reading FIBA-7]
        return node, hit_left, hit_right  # [Fig.7 l.76]

    def evict_inner(self, node: FingerNode[A], idx: int) -> tuple[FingerNode[A], bool, bool]:  # [Fig.8 l.76]
        """Evict entry `idx` of a node that is no leaf: a substitute from a leaf takes its place."""
        left, right = node.get_child(idx), node.get_child(idx + 1)  # [Fig.8 l.77]
        if right.arity > self.min_arity:  # [Fig.8 l.78]
            leaf, t_leaf, v_leaf = oldest(right)  # [Fig.8 l.79]
        else:  # [Fig.8 l.80]
            leaf, t_leaf, v_leaf = youngest(left)  # [Fig.8 l.81]
        leaf.local_evict_time_and_value(t_leaf)  # [Fig.8 l.82]
        node.set_time_and_value(idx, t_leaf, v_leaf)  # [Fig.8 l.83]
        top, hit_left, hit_right = self.rebalance_for_evict(leaf, node)  # [Fig.8 l.84]
        if top.is_descendent(node):  # [Fig.8 l.85]
            while top is not node:  # [Fig.8 l.86]
                top = top.parent  # [Fig.8 l.87]
                hit_left = hit_left or top.left_spine  # [Fig.8 l.88]
                hit_right = hit_right or top.right_spine  # [Fig.8 l.89]
                top.local_repair_agg_if_up()  # [Fig.8 l.90]
        return top, hit_left, hit_right  # [Fig.8 l.91]

    # Fingers and spines, of which the paper shows no code

    def search_path(self, t: Any) -> Iterator[FingerNode[A]]:
        """The nodes visited in the search for `t`: up from both fingers in step, then down.

        The first node with `t` in its subtree ends the climb, whichever finger it was reached from; so the nearer one
        decides, without a look at the root.  O(log d) (section 3.2).
        """
        left, right = self.left_finger, self.right_finger
        yield left
        while not left.is_root() and not t < left.parent.get_time(0):
            yield right
            if right.parent.get_time(right.parent.arity - 2) < t:
                left = right
                break
            left, right = left.parent, right.parent
            yield left
        yield from self.search_down(left, t)

    def split(self, node: FingerNode[A]) -> None:
        """As for any tree; a right finger that is split moves on to the new sibling."""
        AugmentedTree.split(self, node)
        if self.right_finger is node:
            self.right_finger = node.parent.get_child(node.parent.arity - 1)

    def merge(self, parent: FingerNode[A], node_idx: int, sibling_idx: int) -> FingerNode[A]:
        """As for any tree; a right finger that is taken in moves on to the node that remains."""
        last = parent.get_child(max(node_idx, sibling_idx))
        node = AugmentedTree.merge(self, parent, node_idx, sibling_idx)
        if self.right_finger is last:
            self.right_finger = node
        return node

    def height_increase(self) -> None:
        """As for any tree; the old root is on both spines until it is split."""
        AugmentedTree.height_increase(self)
        (old,) = self.root.children
        old.left_spine = old.right_spine = True

    def height_decrease(self) -> None:
        """As for any tree; the new root is on neither spine."""
        AugmentedTree.height_decrease(self)
        self.root.left_spine = self.root.right_spine = False


@under(contract, "root_arity", "fingers", "ends", up_aggregates="up-aggregates")
class CheckedFiba(OutOfOrderGhost[A], Fiba[A]):
    """FiBA under its contracts, beside the definition of right."""
