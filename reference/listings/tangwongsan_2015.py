"""Listings of *General Incremental Sliding-Window Aggregation* (2015): Algorithms 1 to 3.

The supplied text sets the body of the first loop of Algorithms 1 and 2 on that loop's line and leaves the next number
empty; the prose (Line 2 modifies the leaves) says that the body is the next line.  Algorithm 3 has no line 6 as
supplied.  Indentation is lost.
Differences in form: the tree is an array; a set is built by a loop, and is true unless empty; levels are not
counted.
"""

from typing import Final

from swagproof.reference.listings.listing import Listing

SPELLINGS: Final = {
    "self.root()": "T.root",
    "range(1, self.n + 1)": "[1, ..., n]",
    "values[i - 1]": "val_i",
    "loc": "loc_i",
    "val": "val_i",
    "W": "W_l",
    "W_next": "W_{l+1}",
    "a, b = x, y": "a <- x, b <- y",
}
"""Python lists count from 0; loops run over members; levels are not numbered, so W_next is the set of the next."""

ALG_1: Final = Listing(
    "Alg.1",
    """
    1 T <- allocate a complete binary tree with n leaves
      => T <- Array(2 * n - 1)
    2 for i in [1, ..., n] do
    3 T(leaf(i)) <- val_i
    4 l <- 1, W_1 <- {parent(leaf(i)) | i = 1, ..., n}
      => FAT-1: for i in [1, ..., n] if leaf(i) != T.root W_l <- W_l + {parent(leaf(i))}
    5 while W_l != {} do
      => while W_l
    6 for v in W_l do
    7 T(v) <- T(left(v)) ⊕ T(right(v))
    8 if v != T.root then
    9 W_{l+1} <- W_{l+1} + {parent(v)}
    10 l <- l + 1
       => W_l <- W_{l+1}
    11 return T
    """,
    SPELLINGS,
)

ALG_2: Final = Listing(
    "Alg.2",
    """
    1 for i = 1, ..., m do
      => for loc_i, val_i in changes
    2 T(leaf(loc_i)) <- val_i
    3 l <- 1, W_1 <- {parent(leaf(loc_i)) | i = 1, ..., m}
      => FAT-1: for loc_i, _ in changes if leaf(loc_i) != T.root W_l <- W_l + {parent(leaf(loc_i))}
    4 while W_l != {} do
      => while W_l
    5 for v in W_l do
    6 T(v) <- T(left(v)) ⊕ T(right(v))
    7 if v != T.root then
    8 W_{l+1} <- W_{l+1} + {parent(v)}
    9 l <- l + 1
      => W_l <- W_{l+1}
    """,
    SPELLINGS,
)

ALG_3: Final = Listing(
    "Alg.3",
    """
    1 v <- leaf(i), a <- T(v)
    2 while v != T.root do
    3 p <- parent(v)
    4 if v = right(p) then a <- T(left(p)) ⊕ a
    5 v <- p
    7 return a
    """,
    SPELLINGS,
)
