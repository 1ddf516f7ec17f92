"""The wrong variants of FlatFAT, one mistake each."""

from typing import Final

from swagproof.proofs.ledger.variants import WrongVariants, wrong
from swagproof.reference.catalogue import FLAT_FAT

WRONG: Final = WrongVariants(FLAT_FAT)
"""Each is refuted by an exhaustive run and by a contract; the hidden ones show in no answer."""
WRONG.read(
    r"""
    update swaps the operands
        update: self.T[self.left(v)], self.T[self.right(v)] -> self.T[self.right(v)], self.T[self.left(v)]
    update reads the left child twice
        update: self.T[self.right(v)] -> self.T[self.left(v)]
    the root is never rewritten
        update: if v != self.root(): -> if v != 1 and self.parent(v) != self.root():
    propagation ends after one level
        update: W = W_next -> W = set()
    update combines twice (hidden: only the number of combine calls changes)
        update: self.T[v] =\s
         -> self.monoid.combine(self.T[2 * v], self.T[2 * v + 1])\n            self.T[v] =\s
    update schedules the parent's neighbour too (hidden: only the number of combine calls changes)
        update: W_next.add(self.parent(v)) -> W_next |= {self.parent(v), self.parent(v) ^ (self.parent(v) > 1)}
    new swaps the operands
        new: self.T[self.left(v)], self.T[self.right(v)] -> self.T[self.right(v)], self.T[self.left(v)]
    new ends below the root
        new: if v != self.root(): -> if v != 1 and self.parent(v) != self.root():
    new combines twice (hidden: only the number of combine calls changes)
        new: self.T[v] =\s
         -> self.monoid.combine(self.T[2 * v], self.T[2 * v + 1])\n            self.T[v] =\s
    leaves are counted from 0
        leaf: self.n + i - 1 -> self.n + i
    parent rounds up
        parent: v // 2 -> (v + 1) // 2
    left and right are the wrong way round
        left: 2 * v -> 2 * v + 1
        right: 2 * v + 1 -> 2 * v
    new computes the root twice (hidden: only the number of combine calls changes)
        new: return self.T  #
         -> _ = self.n > 1 and self.monoid.combine(self.T[self.left(1)], self.T[3])\n    return self.T  #
    new spares the last leaf
        new: for i in range(1, self.n + 1):  # [Alg.1 l.2] -> for i in range(1, self.n):
    new allocates a node too many (hidden: only the space changes)
        new: 2 * self.n - 1 -> 2 * self.n
    update keeps the changes (hidden: only the space changes)
        update: W: set[int] = set()  # -> self.changes = list(changes); W: set[int] = set()  #
    update does not follow its first change
        update: for loc, _ in changes: -> for loc, _ in changes[1:]:
    update writes the place before
        update: self.T[self.leaf(loc)] = val -> self.T[self.leaf(max(loc - 1, 1))] = val
    update rewrites the whole tree (hidden: only the number of combine calls changes)
        update: for loc, _ in changes: -> for loc in range(1, self.n + 1):
    update takes a location twice (hidden: only what the paper excludes changes)
        require_locations: if loc in seen: -> if False:
    prefix combines with itself in vain (hidden: only the number of combine calls changes)
        prefix: return a -> self.monoid.combine(a, a)\n    return a
    suffix combines with itself in vain (hidden: only the number of combine calls changes)
        suffix: return a -> self.monoid.combine(a, a)\n    return a
    prefix swaps the operands
        prefix: combine(self.T[self.left(p)], a) -> combine(a, self.T[self.left(p)])
    prefix turns at left children
        prefix: v == self.right(p) -> v == self.left(p)
    prefix starts a place early
        prefix: self.leaf(i) -> self.leaf(max(i - 1, 1))
    prefix stops below the root
        prefix: while v != self.root(): -> while v > 1 and self.parent(v) != self.root():
    suffix swaps the operands
        suffix: combine(a, self.T[self.right(p)]) -> combine(self.T[self.right(p)], a)
    suffix turns at right children
        suffix: v == self.left(p) -> v == self.right(p)
    suffix combines with itself
        suffix: self.T[self.right(p)] -> self.T[self.left(p)]
    aggregate reads below the root
        aggregate: self.root() -> min(2, self.T.size)
    aggregate combines what the root holds already (hidden: only the number of combine calls changes)
        aggregate: return self.T[self.root()] -> return self.prefix(self.n)
    a place outside is not refused (hidden: only bad input is treated otherwise)
        require_place: if not 1 <= i <= self.n: -> if False:
    """
)
WALKS_ALL: Final = wrong(
    "prefix walks by all leaves before it",
    ("prefix", "v = self.leaf(i)", "v = [self.leaf(k) for k in range(1, i + 1)][-1]"),
    hidden="only steps that combine nothing are added",
)
"""Refuted by the navigation that it takes alone."""
LOOKS_AT_VALUES: Final = wrong(
    "prefix takes a falsy left neighbour for nothing",
    (
        "prefix",
        "self.monoid.combine(self.T[self.left(p)], a)",
        "self.monoid.combine(self.T[self.left(p)], a) if self.T[self.left(p)] else a",
    ),
)
