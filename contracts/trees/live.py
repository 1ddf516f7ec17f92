"""An adapter from a running tree to the interface of this folder's predicates.

The predicates of `steps.py`, `parts.py`, `walks.py`, `whole_operations.py` and `ranges.py` refer to the nodes of one
tree, the numbers of their entries, and products.  A proof provides these for symbolic nodes; `Live` provides them for
the nodes of a running tree, so that the methods of the checked classes use the same predicates.

Entries are those of the current tree.  Within an operation the model has not changed yet.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from swagproof.contracts.space import stored_aggregates
from swagproof.contracts.trees.augmented_tree import in_order, nodes, spans
from swagproof.contracts.trees.coins import coins
from swagproof.contracts.trees.steps import local_aggregate, up_aggregate


class Was:
    """The earlier state of a node: its arity, its spines, and the numbers of the entries below it."""

    def __init__(self, live: "Live", y: Any) -> None:
        self.arity, self.children = y.arity, list(y.children)
        self.left_spine, self.right_spine = getattr(y, "left_spine", False), getattr(y, "right_spine", False)
        self.begin, self.end = live.begin(y), live.end(y)
        self.end_of_first, self.begin_of_last = live.end_of_first(y), live.begin_of_last(y)


class Live:
    """The argument `s` of the predicates; `named` are the nodes and numbers that they refer to by name.

    If the first entries of a tree are evicted, the others keep their numbers, which begin at `low`.
    """

    def __init__(self, tree: Any, **named: Any) -> None:
        self.tree, self.mu, self.to_repair, self.low = tree, tree.min_arity, None, 0
        self.spines = hasattr(tree, "left_finger")
        self.puts_off = getattr(tree, "put_off", None) is not None
        vars(self).update(named)

    @cached_property
    def span_of(self) -> dict[Any, tuple[int, int]]:
        """The span of every node."""
        return spans(self.tree)

    @cached_property
    def entries(self) -> tuple[Sequence[Any], Sequence[Any]]:
        """All times and all values."""
        entries = list(in_order(self.tree.root))
        return [t for t, _ in entries], [v for _, v in entries]

    @property
    def n(self) -> int:
        """One past the number of the last entry."""
        return self.low + len(self.entries[0])

    def begin(self, y: Any) -> int:
        """The number of the first entry below a node."""
        return int(y.begin) if isinstance(y, Was) else self.low + self.span_of[y][0]

    def end(self, y: Any) -> int:
        """One past the number of the last entry below a node."""
        return int(y.end) if isinstance(y, Was) else self.low + self.span_of[y][1]

    def end_of_first(self, y: Any) -> int:
        """The end of a node's first child; the begin of a leaf."""
        if isinstance(y, Was):
            return int(y.end_of_first)
        return self.end(y.children[0]) if y.children else self.begin(y)

    def begin_of_last(self, y: Any) -> int:
        """The begin of a node's last child; the end of a leaf."""
        if isinstance(y, Was):
            return int(y.begin_of_last)
        return self.begin(y.children[-1]) if y.children else self.end(y)

    def is_leaf(self, y: Any) -> bool:
        """Check that no node is below."""
        return not y.children

    def height(self, y: Any) -> int:
        """The number of levels below a node."""
        return 1 + self.height(y.children[0]) if y.children else 0

    @property
    def stored(self) -> int:
        """The number of stored partial aggregates, if they are strings and times are not; otherwise 0."""
        texts = any(isinstance(t, str) for t in self.tree.root.times)
        told_apart = isinstance(self.tree.model.monoid.identity, str) and not texts
        return stored_aggregates(self.tree, str) if told_apart else 0

    # Times

    def number(self, t: Any) -> int:
        """The number of the entry at a time."""
        return bisect_left(self.entries[0], t)

    def has_time(self, y: Any, t: Any) -> bool:
        """Check whether one of a node's entries is at a time."""
        return t in y.times

    def is_before(self, k: int, t: Any) -> bool:
        """Check that entry k is before time t."""
        return bool(self.entries[0][k - self.low] < t)

    def is_behind(self, k: int, t: Any) -> bool:
        """Check that entry k is after time t."""
        return bool(t < self.entries[0][k - self.low])

    # Products

    def product(self, i: int, j: int) -> Any:
        """The product of the entries i .. j-1."""
        return self._fold(self.entries[1][i - self.low : j - self.low])

    def in_range(self, i: int, j: int, t_from: Any, t_to: Any) -> Any:
        """The product of the entries among i .. j-1 whose times are in the range."""
        times, values = self.entries
        return self._fold([values[k] for k in range(i, j) if t_from <= times[k] and times[k] <= t_to])

    def _fold(self, values: Sequence[Any]) -> Any:
        monoid = self.tree.model.monoid
        product = monoid.identity
        for v in values:
            product = monoid.combine(product, v)
        return product

    # Aggregates

    @property
    def left_end(self) -> int:
        """The end of the subtree of the root's first child."""
        return self.end_of_first(self.tree.root)

    @property
    def right_begin(self) -> int:
        """The begin of the subtree of the root's last child."""
        return self.begin_of_last(self.tree.root)

    def is_right(self, y: Any) -> bool:
        """Check that a node's aggregate is the one defined for its position."""
        return local_aggregate(self, y) if self.spines else up_aggregate(self, y)

    def spine_is_right(self, y: Any, left: bool) -> bool:
        """Check the aggregates of all nodes below y on its left or right spine."""
        while y.children:
            y = y.children[0 if left else -1]
            if not self.is_right(y):
                return False
        return True


def is_repaired(tree: Any) -> bool:
    """Check that every aggregate is the one defined for its position."""
    live = Live(tree)
    return all(map(live.is_right, nodes(tree)))


def coins_of(tree: Any) -> int:
    """The coins at all nodes of a tree."""
    return sum(coins(y.arity, tree.min_arity, y is tree.root) for y in nodes(tree))


def next_sibling(y: Any) -> Any:
    """Return the node after y with the same parent."""
    return y.parent.children[y.parent.children.index(y) + 1]


def distance(times: Sequence[Any], t: Any) -> int:
    """The number d of entries between a time and the nearer end of the window."""
    return min(bisect_left(times, t), len(times) - bisect_right(times, t))


def entries_between(times: Sequence[Any], t_from: Any, t_to: Any) -> int:
    """The number n_sub of entries in a range."""
    return max(0, bisect_right(times, t_to) - bisect_left(times, t_from))
