"""The classic B-tree augmented with aggregates.

- Full name: B-tree augmented with aggregates, rebalanced after the fact
- Paper: Sub-O(log n) Out-of-Order Sliding-Window Aggregation (2018), section 3.1
- Order: out of order
- Operator: associative, with identity
- Combine calls: query 0; insert and evict O(log n); range query O(log n)
- Space: n values and one partial aggregate a node, at most n / (min_arity - 1) + 1 of them
- Errata: FIBA-2, FIBA-4; readings FIBA-1, FIBA-5

Conventions: those of `reference/trees/augmented_tree.py`, which has the tree.  The paper lists no code for this
algorithm: the steps are those of section 3.1 and of Figure 7 without spines, and every node keeps the aggregate of its
subtree.
"""

from typing import Any

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
from swagproof.contracts.trees.b_tree import query_calls, search_bound, up_aggregates, update_bound
from swagproof.contracts.trees.coins import operation_paid
from swagproof.contracts.trees.live import Live, coins_of, is_repaired
from swagproof.contracts.trees.whole_operations import arity, arity_or_overflow, arity_or_underflow, up_aggregate
from swagproof.models.monoid import A
from swagproof.reference.trees.augmented_tree import AugmentedTree, CheckedTree, Node, oldest, youngest


class BTree(AugmentedTree[A, Node[A]]):
    """A B-tree with times as keys, in which each node also keeps the product of its subtree.

    >>> from swagproof.models.operations import CONCATENATION
    >>> window = BTree(CONCATENATION)
    >>> window.insert(3, "c"); window.insert(1, "a"); window.insert(2, "b"); window.evict(1); window.query()
    'bc'
    """

    def query(self) -> A:
        """The product of the window in the order of time.  No combine calls (Theorem 3.2)."""
        return self.root.agg

    def insert(self, t: Any, v: A) -> None:
        """Add `v` at time `t`, or combine it with the value there.  O(log n) (Theorem 3.2).  Raises TimeError."""
        self.require_time(t)  # [ours]
        node = self.search_node(t)
        node.local_insert_time_and_value(t, v)
        top = self.rebalance_for_insert(node)
        self.repair_aggs(top)

    def evict(self, t: Any) -> None:
        """Remove the entry at time `t`, if there is one.  O(log n) (Theorem 3.2).  Raises TimeError."""
        self.require_time(t)  # [ours]
        node = self.search_node(t)
        found, idx = node.local_search(t)
        if found:
            leaf = node if node.is_leaf() else self.evict_inner(node, idx)
            if leaf is node:
                leaf.local_evict_time_and_value(t)
            top = self.rebalance_for_evict(leaf)
            self.repair_aggs(top)

    def evict_inner(self, node: Node[A], idx: int) -> Node[A]:
        """Overwrite entry `idx` of an inner node with an entry of a leaf; return the leaf."""
        left, right = node.get_child(idx), node.get_child(idx + 1)
        leaf, t_leaf, v_leaf = oldest(right) if right.arity > self.min_arity else youngest(left)
        leaf.local_evict_time_and_value(t_leaf)
        node.set_time_and_value(idx, t_leaf, v_leaf)
        return leaf

    def rebalance_for_insert(self, node: Node[A]) -> Node[A]:
        """Split from `node` upwards while there is an overflow.  Return the last node."""
        while node.arity > self.max_arity:
            if node.is_root():
                self.height_increase()
            self.split(node)
            node = node.parent
        return node

    def rebalance_for_evict(self, node: Node[A]) -> Node[A]:
        """Merge or move from `node` upwards while there is an underflow.  Return the last node."""
        while not node.is_root() and node.arity < self.min_arity:
            parent = node.parent
            node_idx, sibling_idx = self.pick_eviction_sibling(node)
            if parent.get_child(sibling_idx).arity <= self.min_arity:
                node = self.merge(parent, node_idx, sibling_idx)
                if parent.is_root() and parent.arity == 1:
                    self.height_decrease()
                else:
                    node = parent
            else:
                self.move(parent, node_idx, sibling_idx)
                node = parent
        return node

    def repair_aggs(self, top: Node[A]) -> None:
        """Repair the aggregates that rebalancing did not: those of the ancestors of `top`."""
        while not top.is_root():
            top = top.parent
            top.local_repair_agg()


@invariant(lambda self: root_arity(self), "2 <= a(root) <= 2 mu, 1 of an empty window (section 3.1)")
@invariant(lambda self: arities(self), "mu <= a <= 2 mu (section 3.1)", enabled=SLOW)
@invariant(lambda self: entries(self), "a - 1 entries in each node", enabled=SLOW)
@invariant(lambda self: pointers(self), "a children or none", enabled=SLOW)
@invariant(lambda self: parents(self), "the parent of each child points to it", enabled=SLOW)
@invariant(lambda self: leaf_depth(self), "all leaves at the same depth (section 3.1)", enabled=SLOW)
@invariant(lambda self: order(self), "entries in the order of time", enabled=SLOW)
@invariant(lambda self: contents(self), "the entries of the window (Definition 2.1)", enabled=SLOW)
@invariant(lambda self: up_aggregates(self), "up-aggregates (section 3.1)", enabled=SLOW)
@invariant(
    lambda self: space(self.model.size, Live(self).stored, self.min_arity),
    "n + the most nodes that n entries need",
    enabled=SLOW,
)
class CheckedBTree(CheckedTree[A], BTree[A]):
    """The B-tree with its contracts, and the window by definition as `model`."""

    @snapshot(lambda self: self.counting.calls, name="calls")
    @snapshot(lambda self: self.steps, name="steps")
    @snapshot(lambda self: self.model.size, name="n")
    @snapshot(lambda self: coins_of(self), name="coins", enabled=SLOW)
    @ensure(
        lambda self, OLD: operation_paid(self.steps - OLD.steps, OLD.coins, coins_of(self)),
        "2 coins and those of the nodes pay for the steps (Lemma C.1)",
        enabled=SLOW,
    )
    @ensure(
        lambda self, OLD: (
            self.counting.calls - OLD.calls <= update_bound(OLD.n, self.steps - OLD.steps, self.min_arity)
        ),
        "4 mu (h + 1 + 2 s) combine calls, h the height (Theorem 3.2)",
    )
    def insert(self, t: Any, v: A) -> None:
        """Insert into the window and its model."""
        super().insert(t, v)

    @snapshot(lambda self: self.counting.calls, name="calls")
    @snapshot(lambda self: self.steps, name="steps")
    @snapshot(lambda self: self.model.size, name="n")
    @snapshot(lambda self: coins_of(self), name="coins", enabled=SLOW)
    @ensure(
        lambda self, OLD: operation_paid(self.steps - OLD.steps, OLD.coins, coins_of(self)),
        "2 coins and those of the nodes pay for the steps (Lemma C.1)",
        enabled=SLOW,
    )
    @ensure(
        lambda self, OLD: (
            self.counting.calls - OLD.calls <= update_bound(OLD.n, self.steps - OLD.steps, self.min_arity)
        ),
        "4 mu (h + 1 + 2 s) combine calls, h the height (Theorem 3.2)",
    )
    def evict(self, t: Any) -> None:
        """Evict from the window and its model."""
        super().evict(t)

    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(lambda self, result: result == self.model.query(), "the product of the window (Theorem 3.1)", enabled=SLOW)
    @ensure(
        lambda self, OLD: query_calls(self.model.size, self.counting.calls - OLD.calls),
        "no combine calls (Theorem 3.2)",
    )
    def query(self) -> A:
        """Query the window."""
        return super().query()

    @snapshot(lambda self: self.visits, name="visits")
    @ensure(
        lambda self, OLD: self.visits - OLD.visits <= search_bound(self.model.size, self.min_arity),
        "h + 1 nodes, h the height (Theorem 3.2)",
    )
    def search_node(self, t: Any) -> Any:
        """Search for a time, from the root."""
        return super().search_node(t)

    @ensure(lambda self: is_repaired(self), "every aggregate is that of the subtree (section 3.1)", enabled=SLOW)
    def repair_aggs(self, top: Any) -> None:
        """Repair the aggregates that rebalancing did not."""
        self._ask("repair_aggs", top)

    @require(lambda self, node: arity_or_overflow(Live(self), node), "mu to 2 mu + 1 (Lemma C.1)")
    @ensure(
        lambda self, result: up_aggregate(Live(self), result),
        "the aggregate there is right (section 3.1)",
        enabled=SLOW,
    )
    @ensure(lambda self, result: arity(Live(self), result), "mu to 2 mu where rebalancing ended (Lemma C.1)")
    def rebalance_for_insert(self, node: Any) -> Any:
        """Resolve an overflow."""
        return self._ask("rebalance_for_insert", node)

    @require(lambda self, node: arity_or_underflow(Live(self), node), "mu - 1 to 2 mu (Lemma C.1)")
    @ensure(
        lambda self, result: up_aggregate(Live(self), result),
        "the aggregate there is right (section 3.1)",
        enabled=SLOW,
    )
    @ensure(lambda self, result: arity(Live(self), result), "mu to 2 mu where rebalancing ended (Lemma C.1)")
    def rebalance_for_evict(self, node: Any) -> Any:
        """Resolve an underflow."""
        return self._ask("rebalance_for_evict", node)

    @require(lambda node, idx: not node.is_leaf() and 0 <= idx < node.arity - 1, "an entry of an inner node")
    @ensure(lambda result: result.is_leaf(), "the leaf that gave the substitute")
    def evict_inner(self, node: Any, idx: int) -> Any:
        """Overwrite an entry of an inner node."""
        return self._ask("evict_inner", node, idx)
