"""The B-tree augmented with aggregates: the common part of the classic B-tree and FiBA.

Source: *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018), section 3.1 (tree and size invariants), section
3.3 (split, merge, move, height increase and decrease, which Figures 4 to 7 name and no figure lists) and
Figure 10 (range query), which the paper lists for FiBA.

Conventions: the paper's names in snake case; MIN_ARITY is `min_arity`, MAX_ARITY is `max_arity` = 2 min_arity; the
entries of a node are `times` and `values`, its pointers z_0 ... z_{a-1} are `children`; a (x) b is
`monoid.combine(a, b)`, **1** is `monoid.identity`.  What the paper leaves open is tagged `[ours]`
(reading FIBA-12):

- each node has the operator, because localRepairAgg has no argument for it;
- a split keeps min_arity + 1 of 2 min_arity + 1 on the left (Lemma C.1: l has arity mu + 1, r has mu);
- an underflow is repaired with the next sibling, or with the previous one of a last child;
- merge keeps the left of the two nodes, and returns it;
- the infinities of Figure 10 are two marks, which compare with times of any type;
- split, merge and move repair the up-aggregates of every node that they change, the parent's last; so a
  caller that repairs the last of these again finds the same aggregate (section 3.3).
"""

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, ClassVar, Generic, Self, TypeVar

from icontract import SLOW, ensure, require, snapshot

from swagproof.contracts.shadows.out_of_order import OutOfOrderShadow
from swagproof.contracts.trees.augmented_tree import range_bound
from swagproof.contracts.trees.live import Live, Was, distance, entries_between, next_sibling
from swagproof.contracts.trees.parts import (
    kept_part,
    lowered_root,
    new_part,
    next_without_first,
    previous_without_last,
    raised_root,
    taken_in,
    with_first_of_next,
    with_last_of_previous,
)
from swagproof.contracts.trees.ranges import range_product
from swagproof.contracts.trees.steps import (
    lower_given,
    merge_arities,
    merge_given,
    move_arities,
    move_given,
    raise_given,
    split_arities,
    split_given,
    touched,
)
from swagproof.contracts.trees.walks import common_ancestor, lowest_ancestor, place_of_time
from swagproof.models.monoid import A, Monoid
from swagproof.models.out_of_order import MINUS_INFINITY, PLUS_INFINITY, NoTimeError, require_ordered

N = TypeVar("N", bound="Node[Any]")


class Node(Generic[A]):
    """A node: a - 1 entries in the order of time, a children unless it is a leaf, and one partial aggregate."""

    __slots__ = ("agg", "children", "monoid", "parent", "times", "values")

    def __init__(self, monoid: Monoid[A]) -> None:
        self.monoid = monoid
        self.times: list[Any] = []
        self.values: list[A] = []
        self.children: list[Self] = []
        self.parent: Any = None
        """The node above; None at the root."""
        self.agg = monoid.identity

    @property
    def arity(self) -> int:
        """a: the number of entries plus one, in a leaf too."""
        return len(self.times) + 1

    def is_root(self) -> bool:
        """Return whether no node is above."""
        return self.parent is None

    def is_leaf(self) -> bool:
        """Return whether no node is below."""
        return not self.children

    def is_descendent(self, node: "Node[A]") -> bool:
        """Return whether this node is below `node`, at any depth, or is `node`."""
        above: Any = self
        while above is not None and above is not node:
            above = above.parent
        return above is node

    def get_time(self, i: int) -> Any:
        """t_i."""
        return self.times[i]

    def get_value(self, i: int) -> A:
        """v_i."""
        return self.values[i]

    def get_child(self, i: int) -> Self:
        """z_i."""
        return self.children[i]

    def set_time_and_value(self, i: int, t: Any, v: A) -> None:
        """Overwrite entry i.  No combine calls: the caller repairs the aggregate."""
        self.times[i], self.values[i] = t, v

    def local_search(self, t: Any) -> tuple[bool, int]:
        """Return whether `t` is in this node, and the first i with t <= t_i, or a - 1 if there is none."""
        i = bisect_left(self.times, t)
        return i < len(self.times) and bool(self.times[i] == t), i

    def local_insert_time_and_value(self, t: Any, v: A) -> None:
        """Add an entry, or combine the value at `t` with `v`, the old one on the left (Definition 2.1)."""
        found, i = self.local_search(t)
        if found:
            self.values[i] = self.monoid.combine(self.values[i], v)
        else:
            self.times.insert(i, t)
            self.values.insert(i, v)
        self.local_repair_agg_if_up()

    def local_evict_time_and_value(self, t: Any) -> None:
        """Remove the entry at `t` from this leaf."""
        _, i = self.local_search(t)
        del self.times[i], self.values[i]
        self.local_repair_agg_if_up()

    # Aggregates

    def has_agg_up(self) -> bool:
        """Return whether the aggregate is the subtree's, as at every node of the classic B-tree."""
        return True

    def local_repair_agg(self) -> None:
        """Recompute the aggregate from the entries and the aggregates next to this node.  At most 2a combine calls.

        The up-aggregate: agg z_0, v_0, agg z_1, ..., v_{a-2}, agg z_{a-1} (section 3.1).
        """
        self.agg = self.product_of_parts(0, self.arity)

    def local_repair_agg_if_up(self) -> None:
        """Repair the aggregate if it is the subtree's."""
        if self.has_agg_up():
            self.local_repair_agg()

    def product_of_parts(self, first: int, last: int) -> A:
        """The product of all entries, and of the up-aggregates of the children first .. last - 1 between them."""
        product, combined = self.monoid.identity, 0
        for i in range(self.arity):
            parts: list[A] = []
            if self.children and first <= i < last:
                parts.append(self.children[i].agg)
            if i < len(self.values):
                parts.append(self.values[i])
            for part in parts:
                product = self.monoid.combine(product, part) if combined > 0 else part
                combined = combined + 1
        return product

    # Structure.  The caller repairs the aggregates.

    def split_off(self, arity: int) -> Self:
        """Reduce this node to `arity`; move the next entry up to the parent, and the rest to a new next sibling."""
        sibling = type(self)(self.monoid)
        t, v = self.times[arity - 1], self.values[arity - 1]
        sibling.times, self.times = self.times[arity:], self.times[: arity - 1]
        sibling.values, self.values = self.values[arity:], self.values[: arity - 1]
        sibling.children, self.children = self.children[arity:], self.children[:arity]
        for child in sibling.children:
            child.parent = sibling
        i = self.parent.children.index(self)
        self.parent.times.insert(i, t)
        self.parent.values.insert(i, v)
        self.parent.children.insert(i + 1, sibling)
        sibling.parent = self.parent
        return sibling

    def absorb_next(self: Self, i: int) -> None:
        """Append the parent's entry i, and then all of child i + 1, to this node, which is child i."""
        sibling = self.parent.children.pop(i + 1)
        self.times += [self.parent.times.pop(i), *sibling.times]
        self.values += [self.parent.values.pop(i), *sibling.values]
        for child in sibling.children:
            child.parent = self
        self.children += sibling.children
        sibling.parent = None

    def take_from_next(self: Self, i: int) -> None:
        """Rotate entries to the left about the parent's entry i; the first child of child i + 1 comes last here."""
        sibling = self.parent.children[i + 1]
        self.times.append(self.parent.times[i])
        self.values.append(self.parent.values[i])
        self.parent.set_time_and_value(i, sibling.times.pop(0), sibling.values.pop(0))
        if sibling.children:
            self.children.append(sibling.children.pop(0))
            self.children[-1].parent = self

    def take_from_previous(self: Self, i: int) -> None:
        """Rotate entries to the right about the parent's entry i; the last child of child i comes first here."""
        sibling = self.parent.children[i]
        self.times.insert(0, self.parent.times[i])
        self.values.insert(0, self.parent.values[i])
        self.parent.set_time_and_value(i, sibling.times.pop(), sibling.values.pop())
        if sibling.children:
            self.children.insert(0, sibling.children.pop())
            self.children[0].parent = self


def oldest(node: N) -> tuple[N, Any, Any]:
    """Return the leaf that holds the first entry below `node`, with its time and value."""
    while not node.is_leaf():
        node = node.get_child(0)
    return node, node.get_time(0), node.get_value(0)


def youngest(node: N) -> tuple[N, Any, Any]:
    """Return the leaf that holds the last entry below `node`, with its time and value."""
    while not node.is_leaf():
        node = node.get_child(node.arity - 1)
    return node, node.get_time(node.arity - 2), node.get_value(node.arity - 2)


class AugmentedTree(Generic[A, N]):
    """The common base of both trees, over nodes N.  Each structural step is a method, called through `self`."""

    Node: ClassVar[type[Any]] = Node

    def __init__(self, monoid: Monoid[A], min_arity: int = 2) -> None:
        if type(min_arity) is not int:
            raise ValueError(f"min_arity: {min_arity!r} is no int; give one of at least 2")
        if min_arity < 2:
            raise ValueError(f"min_arity: {min_arity} is less than 2, the least that section 3.1 admits")
        self.monoid = monoid
        self.min_arity = min_arity
        self.max_arity = 2 * min_arity
        self.root: N = self.Node(monoid)

    @property
    def size(self) -> int:
        """n, the number of entries.  Counted: O(n)."""
        return sum(len(node.times) for node in self.nodes())

    def nodes(self) -> Iterator[N]:
        """Yield all nodes, a parent before its children, from left to right."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def oldest(self) -> Any:
        """The first time of the window.  Raises EmptyWindowError."""
        if self.root.arity == 1:
            raise NoTimeError("oldest")
        return oldest(self.root)[1]

    def youngest(self) -> Any:
        """The last time of the window.  Raises EmptyWindowError."""
        if self.root.arity == 1:
            raise NoTimeError("youngest")
        return youngest(self.root)[1]

    def require_time(self, t: Any) -> None:
        """Raise TimeError unless `t` compares with a time at the root, or with itself if it has none.  O(1) [ours]."""
        require_ordered(t, self.root.get_time(0) if self.root.times else t)

    # Search

    def search_path(self, t: Any) -> Iterator[N]:
        """Yield the nodes visited in the search for `t`: from the root down to the node that has `t`, or to a leaf."""
        yield from self.search_down(self.root, t)

    def search_down(self, node: N, t: Any) -> Iterator[N]:
        """Yield `node` and the nodes below it on the path to `t`."""
        yield node
        found, i = node.local_search(t)
        while not found and not node.is_leaf():
            node = node.get_child(i)
            yield node
            found, i = node.local_search(t)

    def search_node(self, t: Any) -> N:
        """Return the node that has `t`, or the leaf where `t` belongs."""
        *_, node = self.search_path(t)
        return node

    # Rebalancing steps.  O(1) each if the arity is a constant.

    def split(self, node: N) -> None:
        """Divide a node of arity 2 min_arity + 1 into two; the entry between them goes up.  The root is not split."""
        sibling = node.split_off(self.min_arity + 1)
        self.repair_up(node, sibling, node.parent)

    def pick_eviction_sibling(self, node: N) -> tuple[int, int]:
        """The indices of `node` and of the sibling to repair it with: the next; for a last child, the previous."""
        node_idx = node.parent.children.index(node)
        return node_idx, node_idx + 1 if node_idx + 1 < node.parent.arity else node_idx - 1

    def merge(self, parent: N, node_idx: int, sibling_idx: int) -> N:
        """Merge two neighbours and the entry between them into one node, and return it."""
        left = min(node_idx, sibling_idx)
        node = parent.get_child(left)
        node.absorb_next(left)
        self.repair_up(node, parent)
        return node

    def move(self, parent: N, node_idx: int, sibling_idx: int) -> None:
        """Move an entry, and the child next to it, from a sibling to a node, through the entry between them."""
        node, sibling = parent.get_child(node_idx), parent.get_child(sibling_idx)
        if sibling_idx > node_idx:
            node.take_from_next(node_idx)
        else:
            node.take_from_previous(sibling_idx)
        self.repair_up(node, sibling, parent)

    def height_increase(self) -> None:
        """Put a new root above the old one, which is its only child until it is split."""
        old = self.root
        self.root = self.Node(self.monoid)
        self.root.children = [old]
        old.parent = self.root

    def height_decrease(self) -> None:
        """Remove the root, which has no entry left, from above its only child."""
        (self.root,) = self.root.children
        self.root.parent = None

    def repair_up(self, *nodes: N) -> None:
        """Repair the up-aggregates among those of `nodes`, in this order."""
        for node in nodes:
            node.local_repair_agg_if_up()

    # Figure 10

    def range_query(self, t_from: Any, t_to: Any) -> A:  # [Fig.10 l.1]
        """The product of the entries with t_from <= t <= t_to, or the identity.

        Raises TimeError.  O(log) of the subwindow's size and of the distances of its ends (Theorem 4.2).
        """
        self.require_time(t_from)  # [ours]
        require_ordered(t_to, t_from)  # [ours]
        node_from, node_to = self.search_node(t_from), self.search_node(t_to)  # [Fig.10 l.2]
        node_top = self.least_common_ancestor(node_from, node_to)  # [Fig.10 l.3]
        return self.query_rec(node_top, t_from, t_to)  # [Fig.10 l.4]

    def least_common_ancestor(self, node_from: N, node_to: N) -> Any:
        """Return the lowest node that is an ancestor of both nodes, or is one of them.

        The two climbs alternate, so that together they make at most twice the steps of the longer one, and one more.
        """
        met: set[N] = set()
        climbing, waiting = node_from, node_to
        while climbing not in met:
            if climbing is not None:
                met.add(climbing)
                climbing = climbing.parent
            climbing, waiting = waiting, climbing
        return climbing

    def query_rec(self, node: N, t_from: Any, t_to: Any) -> A:  # [Fig.10 l.6]
        """The product of the entries below `node` in the range.  An infinite end includes all entries on its side."""
        combine = self.monoid.combine
        if t_from is MINUS_INFINITY and t_to is PLUS_INFINITY and node.has_agg_up():  # [Fig.10 l.7]
            return node.agg  # type: ignore[no-any-return]  # [Fig.10 l.8]  # N's values are A, which a bound cannot say
        res = self.monoid.identity  # [Fig.10 l.9]
        if not node.is_leaf():  # [Fig.10 l.10]
            t_next = node.get_time(0)  # [Fig.10 l.11, reading FIBA-5]
            if t_from < t_next:  # [Fig.10 l.12]
                res = combine(  # [Fig.10 l.13, reading FIBA-5]
                    res,
                    self.query_rec(
                        node.get_child(0),
                        t_from,  # [Fig.10 l.14]
                        PLUS_INFINITY if t_next <= t_to else t_to,  # [Fig.10 l.15]
                    ),
                )
        for i in range(node.arity - 1):  # [Fig.10 l.16]
            t_i = node.get_time(i)  # [Fig.10 l.17]
            if t_from <= t_i and t_i <= t_to:  # [Fig.10 l.18]
                res = combine(res, node.get_value(i))  # [Fig.10 l.19]
            if not node.is_leaf() and i + 1 < node.arity - 1:  # [Fig.10 l.20, erratum FIBA-4]
                t_i_1 = node.get_time(i + 1)  # [Fig.10 l.21]
                if t_i < t_to and t_from < t_i_1:  # [Fig.10 l.22]
                    res = combine(  # [Fig.10 l.23]
                        res,
                        self.query_rec(
                            node.get_child(i + 1),
                            MINUS_INFINITY if t_from <= t_i else t_from,  # [Fig.10 l.24]
                            PLUS_INFINITY if t_i_1 <= t_to else t_to,  # [Fig.10 l.25]
                        ),
                    )
        if not node.is_leaf():  # [Fig.10 l.26]
            t_curr = node.get_time(node.arity - 2)  # [Fig.10 l.27]
            if t_curr < t_to:  # [Fig.10 l.28]
                res = combine(  # [Fig.10 l.29]
                    res,
                    self.query_rec(
                        node.get_child(node.arity - 1),
                        MINUS_INFINITY if t_from <= t_curr else t_from,  # [Fig.10 l.30]
                        t_to,  # [Fig.10 l.31]
                    ),
                )
        return res  # [Fig.10 l.32]


class CheckedTree(OutOfOrderShadow[A]):
    """The contracts of the steps that both trees share: `class CheckedFiba(CheckedTree[A], Fiba[A])`.

    Each rebalancing step is counted and costs one coin (Lemma C.1).  Each node that a search visits is also counted.
    """

    def __init__(self, monoid: Monoid[A], min_arity: int = 2) -> None:
        self.steps = self.visits = 0
        super().__init__(monoid, min_arity)

    @require(lambda self, node: split_given(Live(self), node), "arity 2 mu + 1, and not the root (Figure 4)")
    @snapshot(lambda node: node.parent.arity, name="above")
    @snapshot(lambda self: Live(self).entries, name="entries", enabled=SLOW)
    @snapshot(lambda self, node: Was(Live(self), node), name="node", enabled=SLOW)
    @ensure(
        lambda self, node, OLD: kept_part(Live(self), node, OLD.node, self.min_arity + 1),
        "the first mu + 1 stay (section 3.3)",
        enabled=SLOW,
    )
    @ensure(
        lambda self, node, OLD: touched(Live(self, entries=OLD.entries), node, next_sibling(node), node.parent),
        "order, entries, parents, up-aggregates and spines of the nodes touched (section 3.2)",
        enabled=SLOW,
    )
    @ensure(
        lambda self, node, OLD: new_part(Live(self), node, next_sibling(node), OLD.node, self.min_arity + 1),
        "the last mu are a new sibling, on the right spine if the node was (section 3.3)",
        enabled=SLOW,
    )
    @ensure(
        lambda self, node, OLD: split_arities(
            Live(self, node=node, sibling=next_sibling(node), parent=node.parent, above=OLD.above)
        ),
        "mu + 1 and mu, and one more at the parent (Lemma C.1)",
    )
    def split(self, node: Any) -> None:
        """Split a node."""
        self.steps += 1
        self._ask("split", node)

    @require(
        lambda self, parent, node_idx, sibling_idx: merge_given(
            Live(self), parent.get_child(node_idx), parent.get_child(sibling_idx)
        ),
        "arities mu - 1 and mu (Figure 7, l. 63)",
    )
    @snapshot(lambda parent: parent.arity, name="above")
    @snapshot(lambda self: Live(self).entries, name="entries", enabled=SLOW)
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
        "all entries of both, and the one between, are in the left one (section 3.3)",
        enabled=SLOW,
    )
    @ensure(
        lambda self, parent, result, OLD: touched(Live(self, entries=OLD.entries), result, parent),
        "order, entries, parents, up-aggregates and spines of the nodes touched (section 3.2)",
        enabled=SLOW,
    )
    @ensure(
        lambda self, parent, result, OLD: merge_arities(Live(self, node=result, parent=parent, above=OLD.above)),
        "2 mu - 1, and one less at the parent (Lemma C.1)",
    )
    def merge(self, parent: Any, node_idx: int, sibling_idx: int) -> Any:
        """Merge two neighbours."""
        self.steps += 1
        return self._ask("merge", parent, node_idx, sibling_idx)

    @require(
        lambda self, parent, node_idx, sibling_idx: move_given(
            Live(self), parent.get_child(node_idx), parent.get_child(sibling_idx)
        ),
        "arities mu - 1 and more than mu (Figure 7, l. 69)",
    )
    @snapshot(lambda parent: parent.arity, name="above")
    @snapshot(lambda self: Live(self).entries, name="entries", enabled=SLOW)
    @snapshot(lambda parent, sibling_idx: parent.get_child(sibling_idx).arity, name="beside")
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
        "the entry between, and the next child, are in the node (section 3.3)",
        enabled=SLOW,
    )
    @ensure(
        lambda self, parent, node_idx, sibling_idx, OLD: (
            next_without_first(Live(self), parent.get_child(sibling_idx), OLD.sibling)
            if sibling_idx > node_idx
            else previous_without_last(Live(self), parent.get_child(sibling_idx), OLD.sibling)
        ),
        "the sibling is without the entry and the child next to it (section 3.3)",
        enabled=SLOW,
    )
    @ensure(
        lambda self, parent, node_idx, sibling_idx, OLD: touched(
            Live(self, entries=OLD.entries), parent.get_child(node_idx), parent.get_child(sibling_idx), parent
        ),
        "order, entries, parents, up-aggregates and spines of the nodes touched (section 3.2)",
        enabled=SLOW,
    )
    @ensure(
        lambda self, parent, node_idx, sibling_idx, OLD: move_arities(
            Live(
                self,
                node=parent.get_child(node_idx),
                sibling=parent.get_child(sibling_idx),
                parent=parent,
                above=OLD.above,
                beside=OLD.beside,
            )
        ),
        "mu, and one less at the sibling (Lemma C.1)",
    )
    def move(self, parent: Any, node_idx: int, sibling_idx: int) -> None:
        """Move an entry from a sibling."""
        self.steps += 1
        self._ask("move", parent, node_idx, sibling_idx)

    @require(lambda self: raise_given(Live(self), self.root), "arity 2 mu + 1 of the root (Figure 4)")
    @ensure(
        lambda self: raised_root(Live(self), self.root, self.root.get_child(0)),
        "the old root is the only child, on both spines (section 3.3)",
        enabled=SLOW,
    )
    def height_increase(self) -> None:
        """Put a new root above the old one."""
        self.steps += 1
        self._ask("height_increase")

    @require(lambda self: lower_given(Live(self), self.root), "arity 1 of the root, which is no leaf (Figure 6)")
    @snapshot(lambda self: Was(Live(self), self.root.get_child(0)), name="child", enabled=SLOW)
    @ensure(
        lambda self, OLD: lowered_root(Live(self), self.root, OLD.child),
        "the only child is the root, on no spine (section 3.3)",
        enabled=SLOW,
    )
    def height_decrease(self) -> None:
        """Remove the root."""
        self.steps += 1
        self._ask("height_decrease")

    @ensure(
        lambda self, t, result: place_of_time(Live(self), result, t),
        "the node that has t, or the leaf where t belongs (section 3.2)",
        enabled=SLOW,
    )
    def search_node(self, t: Any) -> Any:
        """Search for a time."""
        return self._ask("search_node", t)

    def search_path(self, t: Any) -> Iterator[Any]:
        """Count the nodes visited."""
        for node in self._ask("search_path", t):
            self.visits += 1
            yield node

    @ensure(
        lambda self, node_from, node_to, result: common_ancestor(Live(self), node_from, node_to, result),
        "all below either is below it (Figure 10, l. 3)",
        enabled=SLOW,
    )
    @ensure(
        lambda self, node_from, node_to, result: lowest_ancestor(Live(self), node_from, node_to, result),
        "and not below one of its children (Figure 10, l. 3)",
        enabled=SLOW,
    )
    def least_common_ancestor(self, node_from: Any, node_to: Any) -> Any:
        """Find the least common ancestor."""
        return self._ask("least_common_ancestor", node_from, node_to)

    @ensure(
        lambda self, node, t_from, t_to, result: range_product(Live(self), node, t_from, t_to, result),
        "the product of the entries below the node in the range (Theorem 4.1, of FiBA)",
        enabled=SLOW,
    )
    def query_rec(self, node: Any, t_from: Any, t_to: Any) -> A:
        """Query a range below a node."""
        return self._ask("query_rec", node, t_from, t_to)  # type: ignore[no-any-return]  # the algorithm's

    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(
        lambda self, t_from, t_to, result: result == self.model.range_query(t_from, t_to),
        "the product of the entries in the range (Theorem 4.1, of FiBA)",
        enabled=SLOW,
    )
    @ensure(
        lambda self, t_from, t_to, OLD: (
            self.counting.calls - OLD.calls
            <= range_bound(
                distance(self.model.times, t_from),
                distance(self.model.times, t_to),
                entries_between(self.model.times, t_from, t_to),
                self.min_arity,
            )
        ),
        "4 mu (2 l + 1) combine calls, l the level of the range (Theorem 4.2, of FiBA)",
    )
    def range_query(self, t_from: Any, t_to: Any) -> A:
        """Query a range."""
        return super().range_query(t_from, t_to)
