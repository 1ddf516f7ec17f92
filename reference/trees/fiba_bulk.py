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
        """Remove every entry with a time <= t.  Amortised O(log m) for m entries.  Raises TimeError.

        The entries that go are a prefix of the window, below and left of a path from the left spine to a leaf.  What is
        left of that path becomes part of the left spine; its nodes are mended from the top down, so that each finds a
        sibling, and may then lose a child to the level below.  That is one merge or at most mu moves a level; steps
        above the path are paid for as those of a single evict (Lemma C.1).
        """
        self.require_time(t)
        if self.root.arity == 1 or t < self.left_finger.get_time(0):
            return
        self.search_node(t)  # meets every time that cut will: what does not compare is found before anything changes
        with self.aggregates_put_off():
            top = self.left_finger
            while not top.is_root() and not t < top.parent.get_time(0):
                top = top.parent
            path = self.cut(top, t)
            while self.root.arity == 1 and not self.root.is_leaf():
                self.height_decrease()
            path = [node for node in path if self.is_here(node)] or [self.root]
            self.extend_left_spine(path[0])
            above = path[0].parent
            for node in path:
                self.mend(node, self.min_arity if node is path[-1] else self.min_arity + 1)
            if above is not None and above.arity < self.min_arity:  # pyright: ignore[reportUnnecessaryComparison]  # above the root
                self.rebalance_for_evict(above, None)

    def cut(self, top: FingerNode[A], t: Any) -> list[FingerNode[A]]:
        """Remove what is below `top` with a time <= t: the nodes from `top` on that have lost something, downwards."""
        path = [top]
        while True:
            node = path[-1]
            found, i = node.local_search(t)
            gone = i + found
            del node.times[:gone], node.values[:gone], node.children[:gone]
            if found or node.is_leaf():
                return path
            path.append(node.get_child(0))

    def extend_left_spine(self, node: FingerNode[A]) -> None:
        """Mark all that is below `node` along first children as left spine; the last of it is the left finger."""
        self.repair_up(node)
        while not node.is_leaf():
            node = node.get_child(0)
            node.left_spine = True
            self.repair_up(node)
        self.left_finger = node

    def mend(self, node: FingerNode[A], least: int) -> None:
        """Bring a first child to an arity of `least` or more, with its next sibling; the root may have any."""
        if node.is_root() or node.arity >= least:
            return
        parent = node.parent
        if node.arity + parent.get_child(1).arity <= self.max_arity:
            self.merge(parent, 0, 1)
            if parent.is_root() and parent.arity == 1:
                self.height_decrease()
        else:
            while node.arity < least:
                self.move(parent, 0, 1)

    # Bulk insertion

    def bulk_insert(self, pairs: Iterable[tuple[Any, A]]) -> None:
        """Insert pairs (t, v) sorted by time, as one by one in their order; equal times are combined, old on the left.

        Each search starts where the last one ended.  Raises TimeError where a time does not compare, ValueError where
        the pairs are not sorted, or no pairs; then nothing has changed.  Where an order is only partial, a time that
        does not compare with another of the window ends the insertion: the pairs before it are in.
        """
        pairs = list(pairs)
        for i, pair in enumerate(pairs):
            if not isinstance(pair, tuple | list) or len(pair) != 2:  # pyright: ignore[reportUnnecessaryIsInstance, reportUnnecessaryComparison]  # callers need not check types
                raise ValueError(f"pairs: {pair!r} is no pair; give (time, value)")
            t = pair[0]
            self.require_time(t)
            require_ordered(t, pairs[i - 1][0] if i else t)
            if i and t < pairs[i - 1][0]:
                raise ValueError(f"pairs: time {t!r} comes after {pairs[i - 1][0]!r}; sort the pairs by time")
        with self.aggregates_put_off():
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
            self.repair_changed(node for node in changed if self.is_here(node))

    def repair_up(self, *nodes: FingerNode[A]) -> None:
        """As for any tree; within a bulk operation, note the nodes for later."""
        if self.put_off is None:
            Fiba.repair_up(self, *nodes)
        else:
            self.put_off.update(dict.fromkeys(nodes))

    def height_decrease(self) -> None:
        """As for any FiBA; within a bulk operation, note the new root, and where its spines begin."""
        Fiba.height_decrease(self)
        if self.put_off is not None:
            self.repair_up(self.root, *self.root.children[:1], *self.root.children[-1:])

    def is_here(self, node: FingerNode[A]) -> bool:
        """Whether a node is still one of the tree: those that are merged away, and former roots, have no parent."""
        return node is self.root or node.parent is not None  # pyright: ignore[reportUnnecessaryComparison]  # once taken out

    def repair_changed(self, nodes: Iterable[FingerNode[A]]) -> None:
        """Repair the aggregates that concern changed nodes: upwards level by level, then down both spines."""
        levels: dict[int, dict[FingerNode[A], None]] = {}
        for node in nodes:
            levels.setdefault(self.level(node), {})[node] = None
        spines: dict[str, FingerNode[A]] = {}
        level = 0
        while level <= max(levels, default=-1):
            for node in levels.get(level, {}):
                if node.has_agg_up():
                    node.local_repair_agg()
                    levels.setdefault(level + 1, {})[node.parent] = None
                else:
                    spines["root" if node.is_root() else "left" if node.left_spine else "right"] = node
            level += 1
        if "root" in spines:
            spines["root"].local_repair_agg()
        for side, end in (("left", 0), ("right", -1)):
            below = spines.get(side)
            while below is not None:
                below.local_repair_agg()
                below = None if below.is_leaf() else below.children[end]

    def level(self, node: FingerNode[A]) -> int:
        """How many levels are below a node."""
        level = 0
        while not node.is_leaf():
            node, level = node.get_child(0), level + 1
        return level


@under(contract, "root_arity", "fingers", "ends", "nothing_waits", up_aggregates="up-aggregates")
class CheckedBulkFiba(BulkGhost[A], BulkFiba[A]):
    """FiBA with bulk operations under its contracts, beside the definition of right."""
