"""Listings of *General Incremental Sliding-Window Aggregation* (2015).

Each algorithm numbers its own lines from 1, so the function is part of the address.  Lines 5-10 of Algorithm 1 and
lines 4-9 of Algorithm 2 are the same loop; it is numbered as Algorithm 2 does, in `propagate` and `rewrite`.  The
supplied text sets the body of the first loop on that loop's line and leaves the next number empty; the prose (Line 2
modifies the leaves) says that the body is the next line.  Algorithm 3 has no line 6 as supplied.
"""

from typing import Final

from swagproof.reference.listings.listing import Listing

LISTINGS: Final[dict[str, Listing]] = {
    "FlatFAT": {
        "new": {
            1: "T <- allocate a complete binary tree with n leaves",
            2: "for i = 1, ..., n do",
            3: "T(leaf(i)) <- val_i",
            4: "l <- 1, W_1 <- {parent(leaf(i)) | i = 1, ..., n}",
            5: "while W_l is not empty do",
            6: "for v in W_l do",
            7: "T(v) = T(left(v)) * T(right(v))",
            8: "if v != T.root then",
            9: "W_{l+1} = W_{l+1} + {parent(v)}",
            10: "l <- l + 1",
            11: "return T",
        },
        "update": {
            1: "for i = 1, ..., m do",
            2: "T(leaf(loc_i)) <- val_i",
            3: "l <- 1, W_1 <- {parent(leaf(loc_i)) | i = 1, ..., m}",
        },
        "propagate": {4: "while W_l is not empty do", 9: "l <- l + 1"},
        "rewrite": {
            5: "for v in W_l do",
            6: "T(v) = T(left(v)) * T(right(v))",
            7: "if v != T.root then",
            8: "W_{l+1} = W_{l+1} + {parent(v)}",
        },
        "prefix": {
            1: "v <- leaf(i), a <- T(v)",
            2: "while v != T.root do",
            3: "p <- parent(v)",
            4: "if v = right(p) then a <- T(left(p)) * a",
            5: "v <- p",
            7: "return a",
        },
    },
}
