"""FlatFAT.

- Full name: Flat Fixed-sized Aggregator
- Paper: General Incremental Sliding-Window Aggregation (2015), section 4
- Order: none: n places, each of which may be written at any time
- Operator: associative
- Combine calls: new n - 1; update of m places at most m (1 + ceil(log2(n / m))); prefix, suffix log2 n; aggregate 0
- Space: 2n - 1 partial aggregates
- Errata: FAT-1; readings FAT-3, FAT-4, FAT-6

Conventions: the paper's T is `T`, its T(v) `T[v]`, T.root `root()`; a node is its place h(v) in the array, counted from
1 (section 4.3); a[i] is `T[leaf(i)]`, `a(i)` for short; W_l is the set `W`, W_{l+1} `W_next`, and l is not counted;
x ⊕ y is `monoid.combine(x, y)`, the older one on the left.
"""

from collections.abc import Sequence
from typing import Generic

from icontract import SLOW, ensure, invariant, require, snapshot

from swagproof.contracts.flat_trees.flat_fat import (
    aggregate_calls,
    equation_4_1,
    equation_4_2,
    new_calls,
    prefix_calls,
    size,
    space,
    suffix_calls,
    update_calls,
    values,
    work_by_level,
    work_is_calls,
)
from swagproof.contracts.shadows.places import PlacesShadow
from swagproof.contracts.shadows.shadow import stores
from swagproof.models.containers.array import Array
from swagproof.models.monoid import A, Monoid


class FlatFat(Generic[A]):
    """A complete binary tree over n places, n a power of two; each inner node keeps the aggregate of its two children.

    >>> from swagproof.models.operations import CONCATENATION
    >>> fat = FlatFat(CONCATENATION, "abcdefgh")
    >>> fat.update([(1, "A"), (7, "G")]); fat.aggregate(), fat.prefix(7), fat.suffix(6)
    ('AbcdefGh', 'AbcdefG', 'fGh')
    """

    def __init__(self, monoid: Monoid[A], values: Sequence[A]) -> None:
        """new(values).  n - 1 combine calls.  Raises ValueError unless the number of values is a power of two."""
        self.monoid = monoid
        self.n = len(values)
        if self.n < 1 or self.n & (self.n - 1):
            raise ValueError(f"values: {self.n} of them; their number must be a power of two (1, 2, 4, ...)")
        self.T: Array[A] = self.new(values)

    # Navigation, section 4.3

    def root(self) -> int:
        """T.root.  Constant time, like all navigation."""
        return 1

    def left(self, v: int) -> int:
        """The left child of an inner node."""
        return 2 * v

    def right(self, v: int) -> int:
        """The right child of an inner node."""
        return 2 * v + 1

    def parent(self, v: int) -> int:
        """The parent of a node other than the root."""
        return v // 2

    def leaf(self, i: int) -> int:
        """The i-th leaf, i in 1 .. n."""
        return self.n + i - 1

    def a(self, i: int) -> A:
        """a[i], the value at the i-th place.  No combine calls."""
        return self.T[self.leaf(i)]

    # Algorithm 1

    def new(self, values: Sequence[A]) -> Array[A]:
        """Build the tree over the n values.  n - 1 combine calls (Theorem 4.2).  Private: called once, at the start."""
        self.T = Array(2 * self.n - 1)  # [Alg.1 l.1]
        for i in range(1, self.n + 1):  # [Alg.1 l.2]
            self.T[self.leaf(i)] = values[i - 1]  # [Alg.1 l.3]
        W: set[int] = set()  # [ours: filled by line 4]
        for i in range(1, self.n + 1):  # [Alg.1 l.4, erratum FAT-1]
            if self.leaf(i) != self.root():  # a single leaf has no parent
                W.add(self.parent(self.leaf(i)))
        while W:  # [Alg.1 l.5]
            W_next: set[int] = set()  # [ours: filled by line 9]
            for v in W:  # [Alg.1 l.6]
                self.T[v] = self.monoid.combine(self.T[self.left(v)], self.T[self.right(v)])  # [Alg.1 l.7]
                if v != self.root():  # [Alg.1 l.8]
                    W_next.add(self.parent(v))  # [Alg.1 l.9]
            W = W_next  # [Alg.1 l.10]
        return self.T  # [Alg.1 l.11]

    # Algorithm 2

    def update(self, changes: Sequence[tuple[int, A]]) -> None:
        """a[loc] <- val for each (loc, val).  At most m (1 + ceil(log2(n / m))) combine calls for m > 0 of them.

        Theorem 4.2.  Raises IndexError for a location outside 1 .. n and ValueError for a repeated one; then nothing
        has changed.
        """
        self.require_locations(changes)  # [ours]
        for loc, val in changes:  # [Alg.2 l.1]
            self.T[self.leaf(loc)] = val  # [Alg.2 l.2]
        W: set[int] = set()  # [ours: filled by line 3]
        for loc, _ in changes:  # [Alg.2 l.3, erratum FAT-1]
            if self.leaf(loc) != self.root():
                W.add(self.parent(self.leaf(loc)))
        while W:  # [Alg.2 l.4]
            W_next: set[int] = set()  # [ours: filled by line 8]
            for v in W:  # [Alg.2 l.5]
                self.T[v] = self.monoid.combine(self.T[self.left(v)], self.T[self.right(v)])  # [Alg.2 l.6]
                if v != self.root():  # [Alg.2 l.7]
                    W_next.add(self.parent(v))  # [Alg.2 l.8]
            W = W_next  # [Alg.2 l.9]

    # Algorithm 3, and its mirror image

    def aggregate(self) -> A:
        """a[1] ⊕ ... ⊕ a[n].  No combine calls (Theorem 4.2)."""
        return self.T[self.root()]

    def prefix(self, i: int) -> A:
        """a[1] ⊕ ... ⊕ a[i], i in 1 .. n.  At most log2 n combine calls (Theorem 4.2).  Raises IndexError."""
        self.require_place(i)  # [ours]
        v = self.leaf(i)  # [Alg.3 l.1]
        a = self.T[v]
        while v != self.root():  # [Alg.3 l.2]
            p = self.parent(v)  # [Alg.3 l.3]
            if v == self.right(p):  # [Alg.3 l.4]
                a = self.monoid.combine(self.T[self.left(p)], a)
            v = p  # [Alg.3 l.5]
        return a  # [Alg.3 l.7]

    def suffix(self, j: int) -> A:
        """a[j] ⊕ ... ⊕ a[n], j in 1 .. n.  At most log2 n combine calls (Theorem 4.2).  Raises IndexError."""
        self.require_place(j)
        v = self.leaf(j)  # [ours: the paper says that it is symmetric]
        a = self.T[v]
        while v != self.root():
            p = self.parent(v)
            if v == self.left(p):
                a = self.monoid.combine(a, self.T[self.right(p)])
            v = p
        return a

    # [ours: the paper leaves bad input open]

    def require_place(self, i: int) -> None:
        """Raise IndexError unless i is in 1 .. n."""
        if not 1 <= i <= self.n:
            raise IndexError(f"place {i}: the places are 1 .. {self.n}")

    def require_locations(self, changes: Sequence[tuple[int, A]]) -> None:
        """Raise IndexError for a location outside 1 .. n, ValueError for a repeated one."""
        seen: set[int] = set()
        for loc, _ in changes:
            self.require_place(loc)
            if loc in seen:
                raise ValueError(f"location {loc} comes twice in one update: give its last value only")
            seen.add(loc)


@invariant(lambda self: size(self), "n is a power of two, T has 2n - 1 nodes")
@invariant(lambda self: values(self), "a[i] is the value last written to place i", enabled=SLOW)
@invariant(lambda self: equation_4_1(self), "equation 4.1", enabled=SLOW)
@invariant(lambda self: equation_4_2(self), "equation 4.2", enabled=SLOW)
@invariant(lambda self: stores(self, space), "2n - 1 partial aggregates", enabled=SLOW)
class CheckedFlatFat(PlacesShadow[A], FlatFat[A]):
    """FlatFAT with its contracts, and its places by definition as `model`."""

    @ensure(lambda self: equation_4_1(self), "equation 4.1", enabled=SLOW)
    @ensure(lambda self: new_calls(self.n, self.counting.calls), "n - 1 combine calls (Theorem 4.2)")
    @ensure(lambda self: work_is_calls(self.counting.calls, self.work), "a combine call for each node (equation 4.3)")
    def new(self, values: Sequence[A]) -> Array[A]:
        """Build the tree."""
        return super().new(values)

    @require(lambda self, changes: all(1 <= loc <= self.n for loc, _ in changes), "places", error=IndexError)
    @require(lambda changes: len({loc for loc, _ in changes}) == len(changes), "different ones", error=ValueError)
    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(lambda self: equation_4_1(self), "equation 4.1", enabled=SLOW)
    @ensure(lambda self, changes: work_by_level(self.n, len(changes), self.work), "work by level (Claim 4.3)")
    @ensure(
        lambda self, changes, OLD: update_calls(self.n, len(changes), self.counting.calls - OLD.calls),
        "at most m (1 + ceil(log2(n / m))) combine calls (Theorem 4.2)",
    )
    @ensure(
        lambda self, OLD: work_is_calls(self.counting.calls - OLD.calls, self.work),
        "a combine call for each node (equation 4.3)",
    )
    def update(self, changes: Sequence[tuple[int, A]]) -> None:
        """Write places, in the tree and in the model."""
        super().update(changes)

    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(lambda self, OLD: aggregate_calls(self.counting.calls - OLD.calls), "no combine calls (Theorem 4.2)")
    @ensure(lambda self, result: result == self.model.product(1, self.n), "a[1] ⊕ ... ⊕ a[n]", enabled=SLOW)
    def aggregate(self) -> A:
        """Return the aggregate of all places."""
        return super().aggregate()

    @require(lambda self, i: 1 <= i <= self.n, "a place", error=IndexError)
    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(
        lambda self, i, OLD: prefix_calls(self.n, i, self.counting.calls - OLD.calls),
        "at most log2 n combine calls (Theorem 4.2)",
    )
    @ensure(lambda self, i, result: result == self.model.product(1, i), "a[1] ⊕ ... ⊕ a[i]", enabled=SLOW)
    def prefix(self, i: int) -> A:
        """Return the aggregate of the places 1 .. i."""
        return super().prefix(i)

    @require(lambda self, j: 1 <= j <= self.n, "a place", error=IndexError)
    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(
        lambda self, j, OLD: suffix_calls(self.n, j, self.counting.calls - OLD.calls),
        "at most log2 n combine calls (Theorem 4.2)",
    )
    @ensure(lambda self, j, result: result == self.model.product(j, self.n), "a[j] ⊕ ... ⊕ a[n]", enabled=SLOW)
    def suffix(self, j: int) -> A:
        """Return the aggregate of the places j .. n."""
        return super().suffix(j)
