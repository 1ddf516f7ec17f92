"""The wrong variants of FlatFAT, one mistake each."""

from typing import Final

from swagproof.proofs.ledger.variants import WrongVariants, wrong
from swagproof.reference.catalogue import FLAT_FAT

WRONG: Final = WrongVariants(FLAT_FAT)
"""Each is refuted by an exhaustive run and by a contract; the hidden ones show in no answer."""

SWAPPED: Final = WRONG.add(
    "rewrite swaps the operands",
    ("rewrite", "self.T[self.left(v)], self.T[self.right(v)]", "self.T[self.right(v)], self.T[self.left(v)]"),
)
LEFT_TWICE: Final = WRONG.add(
    "rewrite reads the left child twice", ("rewrite", "self.T[self.right(v)]", "self.T[self.left(v)]")
)
ROOT_FORGOTTEN: Final = WRONG.add(
    "the root is never rewritten", ("rewrite", "if v != self.root():", "if v != 1 and self.parent(v) != self.root():")
)
ONE_LEVEL: Final = WRONG.add("propagation ends after one level", ("propagate", "while W:", "if W:"))
CALLS_TWICE: Final = WRONG.add(
    "rewrite combines twice",
    (
        "rewrite",
        "    self.T[v] = self.monoid.combine(",
        "    for _ in (1, 2):\n            self.T[v] = self.monoid.combine(",
    ),
    hidden="only the number of combine calls changes",
)
WIDENS: Final = WRONG.add(
    "rewrite schedules the parent's neighbour too",
    ("rewrite", "W_next.add(self.parent(v))", "W_next |= {self.parent(v), self.parent(v) ^ (self.parent(v) > 1)}"),
    hidden="only the number of combine calls changes",
)
LEAF_LATE: Final = WRONG.add("leaves are counted from 0", ("leaf", "self.n + i - 1", "self.n + i"))
PARENT_LATE: Final = WRONG.add("parent rounds up", ("parent", "v // 2", "(v + 1) // 2"))
CHILDREN_MIRRORED: Final = WRONG.add(
    "left and right are the wrong way round", ("left", "2 * v", "2 * v + 1"), ("right", "2 * v + 1", "2 * v")
)
LAST_LEAF_UNWRITTEN: Final = WRONG.add(
    "new spares the last leaf", ("new", "for i in range(1, self.n + 1):  # [Alg.1 l.2]", "for i in range(1, self.n):")
)
ARRAY_TOO_LONG: Final = WRONG.add(
    "new allocates a node too many", ("new", "2 * self.n - 1", "2 * self.n"), hidden="only the space changes"
)
FIRST_UNSCHEDULED: Final = WRONG.add(
    "update does not follow its first change", ("update", "for loc, _ in changes:", "for loc, _ in changes[1:]:")
)
WRITES_NEIGHBOUR: Final = WRONG.add(
    "update writes the place before",
    ("update", "self.T[self.leaf(loc)] = val", "self.T[self.leaf(max(loc - 1, 1))] = val"),
)
REBUILDS: Final = WRONG.add(
    "update rewrites the whole tree",
    ("update", "for loc, _ in changes:", "for loc in range(1, self.n + 1):"),
    hidden="only the number of combine calls changes",
)
REPEATS_ALLOWED: Final = WRONG.add(
    "update takes a location twice",
    ("require_locations", "if loc in seen:", "if False:"),
    hidden="only what the paper excludes changes",
)
PREFIX_SWAPPED: Final = WRONG.add(
    "prefix swaps the operands", ("prefix", "combine(self.T[self.left(p)], a)", "combine(a, self.T[self.left(p)])")
)
PREFIX_MIRRORED: Final = WRONG.add(
    "prefix turns at left children", ("prefix", "v == self.right(p)", "v == self.left(p)")
)
PREFIX_EARLY: Final = WRONG.add("prefix starts a place early", ("prefix", "self.leaf(i)", "self.leaf(max(i - 1, 1))"))
PREFIX_SHORT: Final = WRONG.add(
    "prefix stops below the root",
    ("prefix", "while v != self.root():", "while v > 1 and self.parent(v) != self.root():"),
)
SUFFIX_SWAPPED: Final = WRONG.add(
    "suffix swaps the operands", ("suffix", "combine(a, self.T[self.right(p)])", "combine(self.T[self.right(p)], a)")
)
SUFFIX_MIRRORED: Final = WRONG.add(
    "suffix turns at right children", ("suffix", "v == self.left(p)", "v == self.right(p)")
)
SUFFIX_ITSELF: Final = WRONG.add(
    "suffix combines with itself", ("suffix", "self.T[self.right(p)]", "self.T[self.left(p)]")
)
AGGREGATE_HALF: Final = WRONG.add("aggregate reads below the root", ("aggregate", "self.root()", "min(2, self.T.size)"))
AGGREGATE_COMPUTES: Final = WRONG.add(
    "aggregate combines what the root holds already",
    ("aggregate", "return self.T[self.root()]", "return self.prefix(self.n)"),
    hidden="only the number of combine calls changes",
)
PLACES_UNCHECKED: Final = WRONG.add(
    "a place outside is not refused",
    ("require_place", "if not 1 <= i <= self.n:", "if False:"),
    hidden="only bad input is treated otherwise",
)


WALKS_ALL: Final = wrong(
    "prefix walks by all leaves before it",
    ("prefix", "v = self.leaf(i)", "v = [self.leaf(k) for k in range(1, i + 1)][-1]"),
    hidden="only steps that combine nothing are added",
)
"""Refuted by the navigation that it takes alone."""
