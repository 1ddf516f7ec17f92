"""FiBA.

- Full name: Finger B-Tree Aggregator
- Paper: Sub-O(log n) Out-of-Order Sliding-Window Aggregation (2018), section 3
- Order: out of order
- Operator: associative, with identity
- Combine calls: query at most 2; insert and evict amortised O(log d), worst case O(log n); range query O(log n)
- Space: n values and one partial aggregate a node, at most n / (min_arity - 1) + 1 of them
- Errata: FIBA-2, FIBA-3, FIBA-4, COIN-1; readings FIBA-1, FIBA-5, FIBA-6, FIBA-7, FIBA-8, FIBA-10, FIBA-11, FIBA-12

Conventions: those of `reference/trees/augmented_tree.py`, which has the tree and Figure 10.  leftFinger, rightFinger,
leftSpine, rightSpine, hit_left, hit_right are `left_finger`, ... in snake case.  d is the number of entries between the
one inserted or evicted and the nearer end of the window.  The root is on neither spine.  Figure 2, which defines the
four kinds of aggregate, is lost in the supplied text; they are restored from the prose of section 3.2 and the example
of Figure 3 (reading FIBA-10; see `FingerNode.local_repair_agg`).
"""

from collections.abc import Iterator
from typing import Any, ClassVar, Self

from icontract import SLOW, ensure, invariant, require, snapshot

from swagproof.contracts.trees.augmented_tree import (
    arities,
    contents,
    entries,
    leaf_depth,
    order,
    parents,
    pointers,
    root_arity,
    space,
)
from swagproof.contracts.trees.coins import operation_paid
from swagproof.contracts.trees.fiba import (
    ends,
    fingers,
    inner_aggregate,
    left_aggregates,
    query_calls,
    right_aggregates,
    search_bound,
    spine_flags,
    up_aggregates,
    update_bound,
)
from swagproof.contracts.trees.live import Live, coins_of, distance, is_repaired
from swagproof.contracts.trees.whole_operations import (
    arity,
    arity_or_overflow,
    arity_or_underflow,
    flags,
    root_left,
    root_right,
    up_aggregate,
)
from swagproof.models.monoid import A, Monoid
from swagproof.reference.trees.augmented_tree import AugmentedTree, CheckedTree, Node, oldest, youngest


class FingerNode(Node[A]):
    """A node that keeps the aggregate for its position: up, inner, left or right."""

    __slots__ = ("left_spine", "right_spine")

    def __init__(self, monoid: Monoid[A]) -> None:
        super().__init__(monoid)
        self.left_spine = self.right_spine = False

    def has_agg_up(self) -> bool:
        """Return whether this node is neither a finger nor an ancestor of one."""
        return not (self.is_root() or self.left_spine or self.right_spine)

    def local_repair_agg(self) -> None:
        """Recompute the aggregate, by position (section 3.2).  At most 2a combine calls.

        - up, not on a spine: agg z_0, v_0, agg z_1, ..., v_{a-2}, agg z_{a-1};
        - inner, at the root: v_0, agg z_1, ..., v_{a-2}, without the subtrees of the first and the last child;
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
        """Split like any node; the new sibling takes this node's place on the right spine."""
        sibling = super().split_off(arity)
        sibling.right_spine, self.right_spine = self.right_spine, False
        return sibling

    def absorb_next(self, i: int) -> None:
        """Absorb like any node; this node takes the sibling's place on the right spine."""
        self.right_spine = self.parent.children[i + 1].right_spine
        super().absorb_next(i)


class Fiba(AugmentedTree[A, FingerNode[A]]):
    """A B-tree with a finger at each end; each node keeps an aggregate that can be repaired from the fingers.

    >>> from swagproof.models.operations import CONCATENATION
    >>> window = Fiba(CONCATENATION)
    >>> window.insert(3, "c"); window.insert(1, "a"); window.insert(2, "b"); window.evict(1); window.query()
    'bc'
    >>> window.range_query(3, 9)
    'c'
    """

    Node: ClassVar[type[Any]] = FingerNode

    def __init__(self, monoid: Monoid[A], min_arity: int = 2) -> None:
        super().__init__(monoid, min_arity)
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
            self.repair_aggs(top, hit_left, hit_right)  # [Fig.7 l.21]

    def repair_aggs(self, top: FingerNode[A], hit_left: bool, hit_right: bool) -> None:  # [Fig.7 l.23]
        """Repair the aggregates that rebalancing did not: up to a spine or the root, then down to the fingers."""
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
                right.local_repair_agg()  # [Fig.7 l.39]

    def rebalance_for_insert(self, node: FingerNode[A]) -> tuple[FingerNode[A], bool, bool]:  # [Fig.7 l.41]
        """Split from `node` upwards while there is an overflow.  Return the last node, and which spines it touched."""
        hit_left, hit_right = node.left_spine, node.right_spine  # [Fig.7 l.42]
        while node.arity > self.max_arity:  # [Fig.7 l.43]
            if node.is_root():  # [Fig.7 l.44]
                self.height_increase()  # [Fig.7 l.45]
                hit_left, hit_right = True, True  # [Fig.7 l.46]
            self.split(node)  # [Fig.7 l.47]
            node = node.parent  # [Fig.7 l.48]
            hit_left = hit_left or node.left_spine  # [Fig.7 l.49]
            hit_right = hit_right or node.right_spine  # [Fig.7 l.50]
        return node, hit_left, hit_right  # [Fig.7 l.51]

    def rebalance_for_evict(  # [Fig.7 l.53]
        self, node: FingerNode[A], to_repair: FingerNode[A] | None
    ) -> tuple[FingerNode[A], bool, bool]:  # [Fig.7 l.54]
        """Merge or move from `node` upwards while there is an underflow.

        Return the last node, and which spines were touched.  On the way, repair `to_repair`, an
        inner node with a substituted entry, or None.
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
                else:  # [Fig.7 l.67]
                    node = parent  # [Fig.7 l.68]
            else:  # [Fig.7 l.69]
                self.move(parent, node_idx, sibling_idx)  # [Fig.7 l.70]
                node = parent  # [Fig.7 l.71]
            if node is to_repair:  # [Fig.7 l.72]
                node.local_repair_agg_if_up()  # [Fig.7 l.73]
            hit_left = hit_left or node.left_spine  # [Fig.7 l.74]
            hit_right = hit_right or node.right_spine  # [Fig.7 l.75]
        return node, hit_left, hit_right  # [Fig.7 l.76]

    def evict_inner(self, node: FingerNode[A], idx: int) -> tuple[FingerNode[A], bool, bool]:  # [Fig.8 l.76]
        """Evict entry `idx` of an inner node: an entry from a leaf takes its place."""
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

    # Fingers and spines: the paper shows no code for them

    def search_path(self, t: Any) -> Iterator[FingerNode[A]]:
        """Yield the nodes visited in the search for `t`: up from both fingers in step, then down.

        The climb ends at the first node, from either finger, that has `t` in its subtree.  So a search near a finger
        does not visit the root.  O(log d) (section 3.2).
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
        """Split like any tree; if the node is the right finger, the new sibling becomes it."""
        super().split(node)
        if self.right_finger is node:
            self.right_finger = node.parent.get_child(node.parent.arity - 1)

    def merge(self, parent: FingerNode[A], node_idx: int, sibling_idx: int) -> FingerNode[A]:
        """Merge like any tree; if the absorbed node is the right finger, the remaining node becomes it."""
        last = parent.get_child(max(node_idx, sibling_idx))
        node = super().merge(parent, node_idx, sibling_idx)
        if self.right_finger is last:
            self.right_finger = node
        return node

    def height_increase(self) -> None:
        """Put a new root on top, like any tree; the old root is on both spines until it is split."""
        super().height_increase()
        (old,) = self.root.children
        old.left_spine = old.right_spine = True

    def height_decrease(self) -> None:
        """Remove the root, like any tree; the new root is on neither spine."""
        super().height_decrease()
        self.root.left_spine = self.root.right_spine = False


class CheckedFingers(CheckedTree[A]):
    """The contracts of FiBA's single operations, with or without bulk operations."""

    @snapshot(lambda self: self.counting.calls, name="calls")
    @snapshot(lambda self: self.steps, name="steps")
    @snapshot(lambda self: coins_of(self), name="coins", enabled=SLOW)
    @ensure(
        lambda self, OLD: operation_paid(self.steps - OLD.steps, OLD.coins, coins_of(self)),
        "2 coins and those of the nodes pay for the steps (Lemma C.1)",
        enabled=SLOW,
    )
    @ensure(
        lambda self, t, OLD: (
            self.counting.calls - OLD.calls
            <= update_bound(distance(self.model.times, t), self.steps - OLD.steps, self.min_arity)
        ),
        "4 mu (2 L + 3 s + 1) combine calls, L the level at d (Theorem 3.4)",
    )
    def insert(self, t: Any, v: A) -> None:
        """Insert into the window and its model."""
        super().insert(t, v)

    @snapshot(lambda self: self.counting.calls, name="calls")
    @snapshot(lambda self: self.steps, name="steps")
    @snapshot(lambda self: coins_of(self), name="coins", enabled=SLOW)
    @ensure(
        lambda self, OLD: operation_paid(self.steps - OLD.steps, OLD.coins, coins_of(self)),
        "2 coins and those of the nodes pay for the steps (Lemma C.1)",
        enabled=SLOW,
    )
    @ensure(
        lambda self, t, OLD: (
            self.counting.calls - OLD.calls
            <= update_bound(distance(self.model.times, t), self.steps - OLD.steps, self.min_arity)
        ),
        "4 mu (2 L + 3 s + 1) combine calls, L the level at d (Theorem 3.4)",
    )
    def evict(self, t: Any) -> None:
        """Evict from the window and its model."""
        super().evict(t)

    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(lambda self, result: result == self.model.query(), "the product of the window (Theorem 3.3)", enabled=SLOW)
    @ensure(
        lambda self, OLD: query_calls(self.model.size, self.counting.calls - OLD.calls),
        "at most 2 combine calls (Theorem 3.4)",
    )
    def query(self) -> A:
        """Query the window."""
        return super().query()

    @snapshot(lambda self: self.visits, name="visits", enabled=SLOW)
    @ensure(
        lambda self, t, OLD: (
            self.visits - OLD.visits <= search_bound(distance(Live(self).entries[0], t), self.min_arity)
        ),
        "3 (L + 1) nodes, L the level at d (section 3.2)",
        enabled=SLOW,
    )
    def search_node(self, t: Any) -> Any:
        """Search for a time, from the nearer finger."""
        return super().search_node(t)


@invariant(lambda self: root_arity(self), "2 <= a(root) <= 2 mu, 1 of an empty window (section 3.1)")
@invariant(lambda self: arities(self), "mu <= a <= 2 mu (section 3.1)", enabled=SLOW)
@invariant(lambda self: entries(self), "a - 1 entries in each node", enabled=SLOW)
@invariant(lambda self: pointers(self), "a children or none", enabled=SLOW)
@invariant(lambda self: parents(self), "the parent of each child points to it", enabled=SLOW)
@invariant(lambda self: leaf_depth(self), "all leaves at the same depth (section 3.1)", enabled=SLOW)
@invariant(lambda self: order(self), "entries in the order of time", enabled=SLOW)
@invariant(lambda self: contents(self), "the entries of the window (Definition 2.1)", enabled=SLOW)
@invariant(lambda self: fingers(self), "the fingers are the first and the last leaf (section 3.2)")
@invariant(lambda self: spine_flags(self), "spine flags (section 3.2)", enabled=SLOW)
@invariant(lambda self: ends(self), "the oldest and the youngest are in the fingers (section 3.2)")
@invariant(lambda self: up_aggregates(self), "up-aggregates (section 3.2)", enabled=SLOW)
@invariant(lambda self: inner_aggregate(self), "inner aggregate (section 3.2)", enabled=SLOW)
@invariant(lambda self: left_aggregates(self), "left aggregates (section 3.2)", enabled=SLOW)
@invariant(lambda self: right_aggregates(self), "right aggregates (section 3.2)", enabled=SLOW)
@invariant(
    lambda self: space(self.model.size, Live(self).stored, self.min_arity),
    "n + the most nodes that n entries need",
    enabled=SLOW,
)
class CheckedFiba(CheckedFingers[A], Fiba[A]):
    """FiBA with its contracts, and the window by definition as `model`."""

    @ensure(lambda self: is_repaired(self), "every aggregate is that for its position (section 3.2)", enabled=SLOW)
    def repair_aggs(self, top: Any, hit_left: bool, hit_right: bool) -> None:
        """Repair the aggregates that rebalancing did not."""
        self._ask("repair_aggs", top, hit_left, hit_right)

    @require(lambda self, node: arity_or_overflow(Live(self), node), "mu to 2 mu + 1 (Lemma C.1)")
    @ensure(
        lambda self, result: root_left(Live(self), result[0], result[1]),
        "at the root, the left spine was hit or is right (Figure 7)",
        enabled=SLOW,
    )
    @ensure(
        lambda self, result: root_right(Live(self), result[0], result[2]),
        "at the root, the right spine was hit or is right (Figure 7)",
        enabled=SLOW,
    )
    @ensure(
        lambda self, result: up_aggregate(Live(self), result[0]),
        "the up-aggregate where rebalancing ended is right (section 3.3)",
        enabled=SLOW,
    )
    @ensure(lambda self, result: arity(Live(self), result[0]), "mu to 2 mu where rebalancing ended (Lemma C.1)")
    @ensure(
        lambda self, result: flags(Live(self), result[0], result[1], result[2]),
        "a spine that the top is on was hit (Figure 7)",
    )
    def rebalance_for_insert(self, node: Any) -> Any:
        """Resolve an overflow."""
        return self._ask("rebalance_for_insert", node)

    @require(lambda self, node: arity_or_underflow(Live(self), node), "mu - 1 to 2 mu (Lemma C.1)")
    @ensure(
        lambda self, result: root_left(Live(self), result[0], result[1]),
        "at the root, the left spine was hit or is right (Figure 7)",
        enabled=SLOW,
    )
    @ensure(
        lambda self, result: root_right(Live(self), result[0], result[2]),
        "at the root, the right spine was hit or is right (Figure 7)",
        enabled=SLOW,
    )
    @ensure(
        lambda self, result: up_aggregate(Live(self), result[0]),
        "the up-aggregate where rebalancing ended is right (section 3.3)",
        enabled=SLOW,
    )
    @ensure(lambda self, result: arity(Live(self), result[0]), "mu to 2 mu where rebalancing ended (Lemma C.1)")
    @ensure(
        lambda self, result: flags(Live(self), result[0], result[1], result[2]),
        "a spine that the top is on was hit (Figure 7)",
    )
    def rebalance_for_evict(self, node: Any, to_repair: Any) -> Any:
        """Resolve an underflow."""
        return self._ask("rebalance_for_evict", node, to_repair)

    @require(lambda node, idx: not node.is_leaf() and 0 <= idx < node.arity - 1, "an entry of an inner node (Figure 8)")
    @ensure(
        lambda self, result: root_left(Live(self), result[0], result[1]),
        "at the root, the left spine was hit or is right (Figure 7)",
        enabled=SLOW,
    )
    @ensure(
        lambda self, result: root_right(Live(self), result[0], result[2]),
        "at the root, the right spine was hit or is right (Figure 7)",
        enabled=SLOW,
    )
    @ensure(
        lambda self, result: up_aggregate(Live(self), result[0]),
        "the up-aggregate where rebalancing ended is right (section 3.3)",
        enabled=SLOW,
    )
    def evict_inner(self, node: Any, idx: int) -> Any:
        """Evict an entry of an inner node."""
        return self._ask("evict_inner", node, idx)
