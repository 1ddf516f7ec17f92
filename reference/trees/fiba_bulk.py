"""FiBA with bulk operations.

- Full name: Finger B-Tree Aggregator with bulk eviction and bulk insertion
- Paper: none: an extension of Sub-O(log n) Out-of-Order Sliding-Window Aggregation (2018), all of it [ours]
- Order: out of order
- Operator: associative, with identity
- Combine calls: as FiBA; bulk evict of m entries O(log m) and O(1) for each step of rebalancing; bulk insert each node
  that changes once
- Space: as FiBA
- Errata: none

Conventions: those of `reference/trees/fiba.py`.  Both operations have the same effect on the window as a loop over
single ones, but may produce another tree.  Both first change the tree and defer all aggregates, then compute each
affected one once, from the leaves up to the spines and from there down to the fingers.

A stream with watermarks evicts all entries up to a time, and inserts those that arrived since the last eviction.
"""

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Any

from icontract import SLOW, ensure, invariant, require, snapshot

from swagproof.contracts.shadows.out_of_order import BulkShadow
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
from swagproof.contracts.trees.bulk_operations import (
    arity_when_cut,
    begins_before,
    behind_is_left,
    dropped,
    gone_until,
    untied,
)
from swagproof.contracts.trees.fiba import (
    ends,
    fingers,
    inner_aggregate,
    left_aggregates,
    right_aggregates,
    spine_flags,
    up_aggregates,
)
from swagproof.contracts.trees.fiba_bulk import bulk_evict_bound, fits, nothing_waits, put_off_calls
from swagproof.contracts.trees.live import Live, Was, is_repaired
from swagproof.contracts.trees.parts import taken_in, with_first_of_next, with_last_of_previous
from swagproof.contracts.trees.walks import place_of_time
from swagproof.contracts.trees.whole_operations import on_left_spine
from swagproof.models.monoid import A, Monoid
from swagproof.models.out_of_order import require_ordered
from swagproof.reference.trees.fiba import CheckedFingers, Fiba, FingerNode


class BulkFiba(Fiba[A]):
    """FiBA that also evicts all entries up to a time, and inserts many entries at once.

    >>> from swagproof.models.operations import CONCATENATION
    >>> window = BulkFiba(CONCATENATION)
    >>> window.bulk_insert([(1, "a"), (3, "c"), (4, "d")]); window.bulk_insert([(2, "b"), (3, "C")]); window.query()
    'abcCd'
    >>> window.bulk_evict(2); window.query()
    'cCd'
    """

    def __init__(self, monoid: Monoid[A], min_arity: int = 2) -> None:
        super().__init__(monoid, min_arity)
        self.put_off: dict[FingerNode[A], None] | None = None
        """The nodes with deferred aggregates, within a bulk operation."""

    # Bulk eviction

    def bulk_evict(self, t: Any) -> None:
        """Remove every entry with a time <= t.  O(log m) for m entries, O(1) for each step.  Raises TimeError."""
        self.require_time(t)
        if self.root.arity == 1 or t < self.left_finger.get_time(0):
            return
        self.search_node(t)  # visits every time that cut will: an incomparable one raises before anything changes
        with self.aggregates_put_off():
            self.evict_until(t)

    def evict_until(self, t: Any) -> None:
        """Remove the prefix of the window that ends at t: below and left of a path from the left spine to a leaf.

        The path becomes the left spine.  Its nodes are cut from the top down, each repaired before the next, so that
        the tree is valid between two levels and each node finds a sibling.  A level needs one merge or fewer than mu
        moves; an underflow that a merge leaves above is paid for like that of a single evict (Lemma C.1).
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
        """Remove entries with a time <= t from a node, and mend it; return whether its first child may have more.

        The node is the root, or on the left spine, and all entries behind its subtree have a time > t.
        """
        found, i = node.local_search(t)
        self.drop(node, i + 1 if found else i)
        more = not found and not node.is_leaf()
        self.mend(node)
        return more

    def drop(self, node: FingerNode[A], gone: int) -> None:
        """Remove the first `gone` entries of a node, and the children before them."""
        for child in node.children[:gone]:
            child.parent = None
        node.times, node.values, node.children = node.times[gone:], node.values[gone:], node.children[gone:]
        self.repair_up(node)

    def go_down(self, node: FingerNode[A]) -> FingerNode[A]:
        """Return the first child, which joins the left spine, or becomes the root if the root has no entries."""
        child = node.get_child(0)
        if node.arity == 1:
            self.height_decrease()
        else:
            child.left_spine = True
            self.repair_up(child)
        return child

    def mend(self, node: FingerNode[A]) -> None:
        """Bring a first child to the least arity with its next sibling; the root may have any arity."""
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
        """Move children of the next sibling to a first child until that has enough."""
        while node.arity < self.min_arity:
            self.move(node.parent, 0, 1)

    # Bulk insertion

    def bulk_insert(self, pairs: Iterable[tuple[Any, A]]) -> None:
        """Insert pairs (t, v) sorted by time, in their order; equal times are combined, old on the left.

        Each search starts where the last one ended.  Raises TimeError if a time does not compare, ValueError if the
        pairs are not sorted or are not pairs; then nothing has changed.  If the order is only partial, a time that does
        not compare with another of the window ends the insertion: the pairs before it are inserted.
        """
        given = self.require_sorted(pairs)
        with self.aggregates_put_off():
            self.insert_sorted(given)

    def require_sorted(self, pairs: Iterable[tuple[Any, A]]) -> list[tuple[Any, A]]:
        """Return the pairs as a list; raise TimeError and ValueError like bulk_insert."""
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
        """Insert pairs that are sorted by time, each search starting at the node of the last one."""
        node = self.search_node(pairs[0][0]) if pairs else self.root
        for t, v in pairs:
            node = self.search_on(node, t)
            self.put(node, t, v)
            self.rebalance_for_insert(node)

    def search_on(self, node: FingerNode[A], t: Any) -> FingerNode[A]:
        """Return the node where `t` belongs, searching from the node of an earlier or equal time."""
        while not node.is_root():
            i = node.parent.children.index(node)
            if i < node.parent.arity - 1 and t < node.parent.get_time(i):
                break
            node = node.parent
        *_, node = self.search_down(node, t)
        return node

    def put(self, node: FingerNode[A], t: Any, v: A) -> None:
        """Add an entry to a node, or combine it with the existing one."""
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
        """Defer all repairs to the end, then repair each affected aggregate once."""
        self.put_off = changed = dict[FingerNode[A], None]()
        try:
            yield
        finally:
            self.put_off = None
            self.repair_changed(changed)

    def repair_up(self, *nodes: FingerNode[A]) -> None:
        """Repair like any tree; within a bulk operation, note the nodes for later."""
        if self.put_off is None:
            super().repair_up(*nodes)
        else:
            for node in nodes:
                self.put_off[node] = None

    def height_decrease(self) -> None:
        """Remove the root, like any FiBA; within a bulk operation, note the new root and the start of its spines."""
        super().height_decrease()
        if self.put_off is not None:
            self.repair_up(self.root, *self.root.children[:1], *self.root.children[-1:])

    def is_here(self, node: FingerNode[A]) -> bool:
        """Return whether a node is still in the tree: a merged or dropped node, and a former root, has no
        parent."""
        return node is self.root or node.parent is not None

    def repair_changed(self, nodes: Iterable[FingerNode[A]]) -> None:
        """Repair the aggregates that depend on changed nodes still in the tree: upwards level by level, then down
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
        """Return the number of levels below a node."""
        level = 0
        while not node.is_leaf():
            node, level = node.get_child(0), level + 1
        return level


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
@invariant(lambda self: nothing_waits(self), "no aggregate is put off")
class CheckedBulkFiba(BulkShadow[A], CheckedFingers[A], BulkFiba[A]):
    """FiBA with bulk operations with its contracts, and the window by definition as `model`."""

    @snapshot(lambda self: self.counting.calls, name="calls")
    @snapshot(lambda self: self.steps, name="steps")
    @snapshot(lambda self: self.model.size, name="n")
    @ensure(
        lambda self, OLD: (
            self.counting.calls - OLD.calls
            <= bulk_evict_bound(OLD.n - self.model.size, self.steps - OLD.steps, self.min_arity)
        ),
        "4 mu (2 L + 3 s + 1) combine calls, L the level of the entries evicted",
    )
    def bulk_evict(self, t: Any) -> None:
        """Evict all entries up to a time from the window and its model."""
        super().bulk_evict(t)

    @require(lambda self, node: on_left_spine(Live(self), node), "the root, or on the left spine", enabled=SLOW)
    @require(lambda self, node, t: behind_is_left(Live(self), node, t), "all behind the node is left", enabled=SLOW)
    @ensure(
        lambda self, node, t, result: gone_until(Live(self), node, t, result),
        "what is to go is gone, or below the first child",
        enabled=SLOW,
    )
    @ensure(lambda self, node: on_left_spine(Live(self), node), "still the root, or on the left spine", enabled=SLOW)
    @ensure(lambda self, node: arity_when_cut(Live(self), node), "mu <= a <= 2 mu; of the root 1 <= a")
    def cut(self, node: Any, t: Any) -> bool:
        """Cut a node."""
        return bool(self._ask("cut", node, t))

    @snapshot(lambda self, node: Was(Live(self), node), name="node", enabled=SLOW)
    @snapshot(lambda self: Live(self).n, name="n", enabled=SLOW)
    @ensure(
        lambda self, node, gone, OLD: dropped(Live(self, low=OLD.n - Live(self).n), node, OLD.node, gone),
        "the first entries and children are gone",
        enabled=SLOW,
    )
    @ensure(
        lambda self, gone, OLD: untied(Live(self), node=OLD.node, done=min(gone, len(OLD.node.children))),
        "no child that is gone has a parent",
        enabled=SLOW,
    )
    def drop(self, node: Any, gone: int) -> None:
        """Drop the first entries."""
        self._ask("drop", node, gone)

    @ensure(lambda self, result: on_left_spine(Live(self), result), "the root, or on the left spine")
    def go_down(self, node: Any) -> Any:
        """Go to the first child."""
        return self._ask("go_down", node)

    @ensure(lambda self, node: arity_when_cut(Live(self), node), "arities of a node that is filled")
    def fill(self, node: Any) -> None:
        """Fill a first child."""
        self._ask("fill", node)

    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(
        lambda self, pairs, OLD: put_off_calls(len(pairs), self.counting.calls - OLD.calls),
        "no aggregate is computed before all are put in",
    )
    def insert_sorted(self, pairs: Any) -> None:
        """Insert pairs that are sorted by time."""
        self._ask("insert_sorted", pairs)

    @require(lambda self, node, t: begins_before(Live(self), node, t), "an earlier time is in the node", enabled=SLOW)
    @ensure(
        lambda self, t, result: place_of_time(Live(self), result, t),
        "the node that has t, or the leaf where t belongs",
        enabled=SLOW,
    )
    def search_on(self, node: Any, t: Any) -> Any:
        """Search on from a node."""
        return self._ask("search_on", node, t)

    @ensure(lambda self: is_repaired(self), "every aggregate is that for its position", enabled=SLOW)
    def repair_changed(self, nodes: Any) -> None:
        """Repair the affected aggregates."""
        self._ask("repair_changed", nodes)

    # Steps from arities that single operations do not produce

    @require(
        lambda self, parent, node_idx, sibling_idx: fits(
            Live(self), parent.get_child(node_idx), parent.get_child(sibling_idx)
        ),
        "together at most 2 mu",
    )
    @snapshot(
        lambda self, parent, node_idx, sibling_idx: Was(Live(self), parent.get_child(min(node_idx, sibling_idx))),
        name="left",
        enabled=SLOW,
    )
    @snapshot(
        lambda self, parent, node_idx, sibling_idx: Was(Live(self), parent.get_child(max(node_idx, sibling_idx))),
        name="right",
        enabled=SLOW,
    )
    @ensure(
        lambda self, result, OLD: taken_in(Live(self), result, OLD.left, OLD.right),
        "all entries of both, and the one between, are in the left one",
        enabled=SLOW,
    )
    def merge(self, parent: Any, node_idx: int, sibling_idx: int) -> Any:
        """Merge two neighbours."""
        self.steps += 1
        return self._ask("merge", parent, node_idx, sibling_idx)

    @snapshot(lambda self, parent, node_idx: Was(Live(self), parent.get_child(node_idx)), name="node", enabled=SLOW)
    @snapshot(
        lambda self, parent, sibling_idx: Was(Live(self), parent.get_child(sibling_idx)), name="sibling", enabled=SLOW
    )
    @ensure(
        lambda self, parent, node_idx, sibling_idx, OLD: (
            with_first_of_next(Live(self), parent.get_child(node_idx), OLD.node, OLD.sibling)
            if sibling_idx > node_idx
            else with_last_of_previous(Live(self), parent.get_child(node_idx), OLD.node, OLD.sibling)
        ),
        "the entry between, and the next child, are in the node",
        enabled=SLOW,
    )
    def move(self, parent: Any, node_idx: int, sibling_idx: int) -> None:
        """Move an entry from a sibling."""
        self.steps += 1
        self._ask("move", parent, node_idx, sibling_idx)
