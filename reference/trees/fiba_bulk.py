"""FiBA with bulk operations.

- Full name: Finger B-Tree Aggregator with bulk eviction and bulk insertion
- Paper: none: an extension of Sub-O(log n) Out-of-Order Sliding-Window Aggregation (2018), all of it [ours]
- Order: out of order
- Operator: associative, with identity
- Combine calls: as FiBA; bulk evict of m entries amortised O(log m); bulk insert each node that changes once
- Space: as FiBA
- Errata: none

Conventions: those of `reference/trees/fiba.py`.  Both operations do to the window what the loop over single ones does,
and may leave another tree.  Both first change the tree and put off every aggregate, then compute each one that is
concerned once, from the leaves up to the spines and from there down to the fingers.

A stream that advances by watermarks evicts all that is older than one time, and inserts what has come since the last.
"""

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Any

from swagproof.contracts.ghosts.ghost import under
from swagproof.contracts.ghosts.out_of_order_window import BulkGhost
from swagproof.contracts.trees import fiba_bulk as contract
from swagproof.models.monoid import A, Monoid
from swagproof.models.out_of_order import require_ordered
from swagproof.reference.trees.fiba import Fiba, FingerNode


class BulkFiba(Fiba[A]):
    """FiBA that also evicts all up to a time, and inserts many at once.

    >>> from swagproof.models.operations import CONCATENATION
    >>> window = BulkFiba(CONCATENATION)
    >>> window.bulk_insert([(1, "a"), (3, "c"), (4, "d")]); window.bulk_insert([(2, "b"), (3, "C")]); window.query()
    'abcCd'
    >>> window.bulk_evict(2); window.query()
    'cCd'
    """

    def __init__(self, monoid: Monoid[A], min_arity: int = 2) -> None:
        Fiba.__init__(self, monoid, min_arity)
        self.put_off: dict[FingerNode[A], None] | None = None
        """The nodes whose aggregates wait, within a bulk operation."""

    # Bulk eviction

    def bulk_evict(self, t: Any) -> None:
        """Remove every entry with a time <= t.  Amortised O(log m) for m entries.  Raises TimeError."""
        self.require_time(t)
        if self.root.arity == 1 or t < self.left_finger.get_time(0):
            return
        self.search_node(t)  # meets every time that cut will: what does not compare is found before anything changes
        with self.aggregates_put_off():
            self.evict_until(t)

    def evict_until(self, t: Any) -> None:
        """Remove the prefix of the window that ends at t: below and left of a path from the left spine to a leaf.

        The path becomes the left spine.  Its nodes are cut from the top down, each mended before the next is looked at,
        so that the tree is one between two levels, and each node finds a sibling.  That is one merge or fewer than mu
        moves a level; an underflow that a merge leaves above is paid for as that of a single evict (Lemma C.1).
        """
        node = self.left_finger
        while not node.is_root() and not t < node.parent.get_time(0):
            node = node.parent
        more = self.cut(node, t)
        while not node.is_leaf():
            node = self.go_down(node)
            if more:
                more = self.cut(node, t)
        self.left_finger = node

    def cut(self, node: FingerNode[A], t: Any) -> bool:
        """Remove from a node what has a time <= t, and mend it; whether more of that may be below its first child.

        The node is the root, or on the left spine, and all that is behind what is below it has a time > t.
        """
        found, i = node.local_search(t)
        self.drop(node, i + 1 if found else i)
        more = not found and not node.is_leaf()
        self.mend(node)
        return more

    def drop(self, node: FingerNode[A], gone: int) -> None:
        """Remove the first `gone` entries of a node, and the children before them."""
        for child in node.children[:gone]:
            child.parent = None  # type: ignore[assignment]  # as at the root
        node.times, node.values, node.children = node.times[gone:], node.values[gone:], node.children[gone:]
        self.repair_up(node)

    def go_down(self, node: FingerNode[A]) -> FingerNode[A]:
        """The first child, which is on the left spine from now on; of a root without entries, the root from now on."""
        child = node.get_child(0)
        if node.arity == 1:
            self.height_decrease()
        else:
            child.left_spine = True
            self.repair_up(child)
        return child

    def mend(self, node: FingerNode[A]) -> None:
        """Bring a first child to the least arity, with its next sibling; the root may have any."""
        if node.is_root() or node.arity >= self.min_arity:
            return
        parent = node.parent
        if node.arity + parent.get_child(1).arity <= self.max_arity:
            self.merge(parent, 0, 1)
            if parent.is_root() and parent.arity == 1:
                self.height_decrease()
            else:
                self.rebalance_for_evict(parent, None)
        else:
            self.fill(node)

    def fill(self, node: FingerNode[A]) -> None:
        """Move children of the next sibling to a first child, until that has enough."""
        while node.arity < self.min_arity:
            self.move(node.parent, 0, 1)

    # Bulk insertion

    def bulk_insert(self, pairs: Iterable[tuple[Any, A]]) -> None:
        """Insert pairs (t, v) sorted by time, as one by one in their order; equal times are combined, old on the left.

        Each search starts where the last one ended.  Raises TimeError where a time does not compare, ValueError where
        the pairs are not sorted, or no pairs; then nothing has changed.  Where an order is only partial, a time that
        does not compare with another of the window ends the insertion: the pairs before it are in.
        """
        given = self.require_sorted(pairs)
        with self.aggregates_put_off():
            self.insert_sorted(given)

    def require_sorted(self, pairs: Iterable[tuple[Any, A]]) -> list[tuple[Any, A]]:
        """The pairs, as a list; raises TimeError and ValueError as bulk_insert does."""
        pairs = list(pairs)
        for i, pair in enumerate(pairs):
            if not isinstance(pair, tuple | list) or len(pair) != 2:  # pyright: ignore[reportUnnecessaryIsInstance, reportUnnecessaryComparison]  # callers need not check types
                raise ValueError(f"pairs: {pair!r} is no pair; give (time, value)")
            t = pair[0]
            self.require_time(t)
            require_ordered(t, pairs[i - 1][0] if i else t)
            if i and t < pairs[i - 1][0]:
                raise ValueError(f"pairs: time {t!r} comes after {pairs[i - 1][0]!r}; sort the pairs by time")
        return pairs

    def insert_sorted(self, pairs: list[tuple[Any, A]]) -> None:
        """Insert pairs that are sorted by time, each from where the last one was put."""
        node = self.search_node(pairs[0][0]) if pairs else self.root
        for t, v in pairs:
            node = self.search_on(node, t)
            self.put(node, t, v)
            self.rebalance_for_insert(node)

    def search_on(self, node: FingerNode[A], t: Any) -> FingerNode[A]:
        """The node where `t` belongs, from one where an earlier time, or the same, does."""
        while not node.is_root():
            i = node.parent.children.index(node)
            if i < node.parent.arity - 1 and t < node.parent.get_time(i):
                break
            node = node.parent
        *_, node = self.search_down(node, t)
        return node

    def put(self, node: FingerNode[A], t: Any, v: A) -> None:
        """Add an entry to a node, or combine it with the one that is there."""
        found, i = node.local_search(t)
        if found:
            node.values[i] = self.monoid.combine(node.values[i], v)
        else:
            node.times.insert(i, t)
            node.values.insert(i, v)
        self.repair_up(node)

    # Aggregates

    @contextmanager
    def aggregates_put_off(self) -> Generator[None]:
        """Repair no aggregate before the end, and then each that is concerned once."""
        self.put_off = changed = dict[FingerNode[A], None]()
        try:
            yield
        finally:
            self.put_off = None
            self.repair_changed(changed)

    def repair_up(self, *nodes: FingerNode[A]) -> None:
        """As for any tree; within a bulk operation, note the nodes for later."""
        if self.put_off is None:
            Fiba.repair_up(self, *nodes)
        else:
            for node in nodes:
                self.put_off[node] = None

    def height_decrease(self) -> None:
        """As for any FiBA; within a bulk operation, note the new root, and where its spines begin."""
        Fiba.height_decrease(self)
        if self.put_off is not None:
            self.repair_up(self.root, *self.root.children[:1], *self.root.children[-1:])

    def is_here(self, node: FingerNode[A]) -> bool:
        """Return whether a node is still one of the tree: what is merged away or dropped, and a former root, has no
        parent."""
        return node is self.root or node.parent is not None  # pyright: ignore[reportUnnecessaryComparison]  # once taken out

    def repair_changed(self, nodes: Iterable[FingerNode[A]]) -> None:
        """Repair the aggregates that concern changed nodes, if they are still there: upwards level by level, then down
        both spines.
        """
        levels: dict[int, dict[FingerNode[A], None]] = {}
        for node in nodes:
            if self.is_here(node):
                levels.setdefault(self.level(node), {})[node] = None
        root: FingerNode[A] | None = None
        left: FingerNode[A] | None = None
        right: FingerNode[A] | None = None
        level = 0
        while levels:
            for node in levels.pop(level, {}):
                if node.has_agg_up():
                    node.local_repair_agg()
                    levels.setdefault(level + 1, {})[node.parent] = None
                elif node.is_root():
                    root = node
                elif node.left_spine:
                    left = node
                else:
                    right = node
            level = level + 1
        if root is not None:
            root.local_repair_agg()
        while left is not None:
            left.local_repair_agg()
            left = None if left.is_leaf() else left.get_child(0)
        while right is not None:
            right.local_repair_agg()
            right = None if right.is_leaf() else right.get_child(right.arity - 1)

    def level(self, node: FingerNode[A]) -> int:
        """Return how many levels are below a node."""
        level = 0
        while not node.is_leaf():
            node, level = node.get_child(0), level + 1
        return level


@under(contract, "root_arity", "fingers", "ends", "nothing_waits", up_aggregates="up-aggregates")
class CheckedBulkFiba(BulkGhost[A], BulkFiba[A]):
    """FiBA with bulk operations under its contracts, beside the definition of right."""
