"""The wrong variants of FlatFAT, one mistake each."""

from typing import Final

from swagproof.proofs.ledger.variants import Variant, wrong

SWAPPED: Final = wrong(
    "rewrite swaps the operands",
    ("rewrite", "self.T[self.left(v)], self.T[self.right(v)]", "self.T[self.right(v)], self.T[self.left(v)]"),
)
LEFT_TWICE: Final = wrong(
    "rewrite reads the left child twice", ("rewrite", "self.T[self.right(v)]", "self.T[self.left(v)]")
)
ROOT_FORGOTTEN: Final = wrong(
    "the root is never rewritten", ("rewrite", "if v != self.root():", "if v != 1 and self.parent(v) != self.root():")
)
ONE_LEVEL: Final = wrong("propagation ends after one level", ("propagate", "while W:", "if W:"))
CALLS_TWICE: Final = wrong(
    "rewrite combines twice",
    (
        "rewrite",
        "    self.T[v] = self.monoid.combine(",
        "    for _ in (1, 2):\n            self.T[v] = self.monoid.combine(",
    ),
    hidden="only the number of combine calls changes",
)
WIDENS: Final = wrong(
    "rewrite schedules the parent's neighbour too",
    ("rewrite", "W_next.add(self.parent(v))", "W_next |= {self.parent(v), self.parent(v) ^ (self.parent(v) > 1)}"),
    hidden="only the number of combine calls changes",
)
LEAF_LATE: Final = wrong("leaves are counted from 0", ("leaf", "self.n + i - 1", "self.n + i"))
PARENT_LATE: Final = wrong("parent rounds up", ("parent", "v // 2", "(v + 1) // 2"))
CHILDREN_MIRRORED: Final = wrong(
    "left and right are the wrong way round", ("left", "2 * v", "2 * v + 1"), ("right", "2 * v + 1", "2 * v")
)
LAST_LEAF_UNWRITTEN: Final = wrong(
    "new spares the last leaf", ("new", "for i in range(1, self.n + 1):  # [Alg.1 l.2]", "for i in range(1, self.n):")
)
ARRAY_TOO_LONG: Final = wrong(
    "new allocates a node too many", ("new", "2 * self.n - 1", "2 * self.n"), hidden="only the space changes"
)
FIRST_UNSCHEDULED: Final = wrong(
    "update does not follow its first change", ("update", "for loc, _ in changes:", "for loc, _ in changes[1:]:")
)
WRITES_NEIGHBOUR: Final = wrong(
    "update writes the place before",
    ("update", "self.T[self.leaf(loc)] = val", "self.T[self.leaf(max(loc - 1, 1))] = val"),
)
REBUILDS: Final = wrong(
    "update rewrites the whole tree",
    ("update", "for loc, _ in changes:", "for loc in range(1, self.n + 1):"),
    hidden="only the number of combine calls changes",
)
REPEATS_ALLOWED: Final = wrong(
    "update takes a location twice",
    ("require_locations", "if loc in seen:", "if False:"),
    hidden="only what the paper excludes changes",
)
PREFIX_SWAPPED: Final = wrong(
    "prefix swaps the operands", ("prefix", "combine(self.T[self.left(p)], a)", "combine(a, self.T[self.left(p)])")
)
PREFIX_MIRRORED: Final = wrong("prefix turns at left children", ("prefix", "v == self.right(p)", "v == self.left(p)"))
PREFIX_EARLY: Final = wrong("prefix starts a place early", ("prefix", "self.leaf(i)", "self.leaf(max(i - 1, 1))"))
PREFIX_SHORT: Final = wrong(
    "prefix stops below the root",
    ("prefix", "while v != self.root():", "while v > 1 and self.parent(v) != self.root():"),
)
SUFFIX_SWAPPED: Final = wrong(
    "suffix swaps the operands", ("suffix", "combine(a, self.T[self.right(p)])", "combine(self.T[self.right(p)], a)")
)
SUFFIX_MIRRORED: Final = wrong("suffix turns at right children", ("suffix", "v == self.left(p)", "v == self.right(p)"))
SUFFIX_ITSELF: Final = wrong("suffix combines with itself", ("suffix", "self.T[self.right(p)]", "self.T[self.left(p)]"))
AGGREGATE_HALF: Final = wrong("aggregate reads below the root", ("aggregate", "self.root()", "min(2, self.T.size)"))
AGGREGATE_COMPUTES: Final = wrong(
    "aggregate combines what the root holds already",
    ("aggregate", "return self.T[self.root()]", "return self.prefix(self.n)"),
    hidden="only the number of combine calls changes",
)
PLACES_UNCHECKED: Final = wrong(
    "a place outside is not refused",
    ("require_place", "if not 1 <= i <= self.n:", "if False:"),
    hidden="only bad input is treated otherwise",
)

WRONG: Final[tuple[Variant, ...]] = (
    SWAPPED,
    LEFT_TWICE,
    ROOT_FORGOTTEN,
    ONE_LEVEL,
    CALLS_TWICE,
    WIDENS,
    LEAF_LATE,
    PARENT_LATE,
    CHILDREN_MIRRORED,
    LAST_LEAF_UNWRITTEN,
    ARRAY_TOO_LONG,
    FIRST_UNSCHEDULED,
    WRITES_NEIGHBOUR,
    REBUILDS,
    REPEATS_ALLOWED,
    PREFIX_SWAPPED,
    PREFIX_MIRRORED,
    PREFIX_EARLY,
    PREFIX_SHORT,
    SUFFIX_SWAPPED,
    SUFFIX_MIRRORED,
    SUFFIX_ITSELF,
    AGGREGATE_HALF,
    AGGREGATE_COMPUTES,
    PLACES_UNCHECKED,
)
"""Each is refuted by an exhaustive run and by a contract; the hidden ones show in no answer."""

WALKS_ALL: Final = wrong(
    "prefix walks by all leaves before it",
    ("prefix", "v = self.leaf(i)", "v = [self.leaf(k) for k in range(1, i + 1)][-1]"),
    hidden="only steps that combine nothing are added",
)
"""Refuted by the navigation that it takes alone."""
