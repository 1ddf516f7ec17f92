"""The classic B-tree augmented with aggregates.

- Full name: B-tree augmented with aggregates, rebalanced after the fact
- Paper: Sub-O(log n) Out-of-Order Sliding-Window Aggregation (2018), section 3.1
- Order: out of order
- Operator: associative, with identity
- Combine calls: query 0; insert and evict O(log n); range query O(log n)
- Space: n values and one partial aggregate a node, at most n / (min_arity - 1) + 1 of them
- Errata: FIBA-2, FIBA-4; readings FIBA-1, FIBA-5

Conventions: those of `reference/trees/augmented_tree.py`, where the tree is.  The paper lists no code for this
algorithm: the steps are those of section 3.1 and of Figure 7 without spines, and every node keeps the aggregate of its
subtree.
"""

from typing import Any

from swagproof.contracts.ghosts.ghost import under
from swagproof.contracts.ghosts.out_of_order_window import OutOfOrderGhost
from swagproof.contracts.trees import b_tree as contract
from swagproof.models.monoid import A
from swagproof.reference.trees.augmented_tree import AugmentedTree, Node, oldest, youngest


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
        """Write a substitute from a leaf, which is returned, over entry `idx` of an inner node."""
        left, right = node.get_child(idx), node.get_child(idx + 1)
        leaf, t_leaf, v_leaf = oldest(right) if right.arity > self.min_arity else youngest(left)
        leaf.local_evict_time_and_value(t_leaf)
        node.set_time_and_value(idx, t_leaf, v_leaf)
        return leaf

    def rebalance_for_insert(self, node: Node[A]) -> Node[A]:
        """Split from `node` upwards while there is an overflow.  Returns the node where that ended."""
        while node.arity > self.max_arity:
            if node.is_root():
                self.height_increase()
            self.split(node)
            node = node.parent
        return node

    def rebalance_for_evict(self, node: Node[A]) -> Node[A]:
        """Merge or move from `node` upwards while there is an underflow.  Returns the node where that ended."""
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
        """Repair what rebalancing has not: the aggregates of the ancestors of `top`."""
        while not top.is_root():
            top = top.parent
            top.local_repair_agg()


@under(contract, "root_arity", up_aggregates="up-aggregates")
class CheckedBTree(OutOfOrderGhost[A], BTree[A]):
    """The B-tree under its contracts, beside the definition of right."""
