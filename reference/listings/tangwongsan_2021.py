"""Listings of *In-Order Sliding-Window Aggregation in Worst-Case Constant Time* (2021).

Numbers alone are ambiguous (erratum LAY-1: DABA has two lines 10, 13 and 18), so the function is part of the address.
Indentation is lost in the supplied text.  The reading taken is that of the reference; `swagproof errata` (LAY-2) shows
what the others would do.
"""

from typing import Final

from swagproof.reference.listings.listing import Listing

LISTINGS: Final[dict[str, Listing]] = {
    "Two-Stacks": {
        "pi_F": {1: "fun Pi_F", 2: "if F.isEmpty() return 1 else return F.top().agg"},
        "pi_B": {3: "fun Pi_B", 4: "if B.isEmpty() return 1 else return B.top().agg"},
        "query": {1: "fun query()", 2: "return Pi_F * Pi_B"},
        "insert": {4: "fun insert(v)", 5: "B.push(v, Pi_B * v)"},
        "evict": {
            2: "fun evict()",
            3: "if F.isEmpty()  # Flip",
            4: "while not B.isEmpty()",
            5: "F.push(B.top().val, B.top().val * Pi_F)",
            6: "B.pop()",
            7: "F.pop()",
        },
    },
    "Two-Stacks Lite": {
        "pi_F": {1: "fun Pi_F", 2: "if F = B return 1 else return *F"},
        "query": {7: "fun query()", 8: "return Pi_F * aggB"},
        "insert": {2: "fun insert(v)", 3: "deque.pushBack(v)", 4: "E <- E + 1", 5: "aggB <- aggB * v"},
        "evict": {
            8: "fun evict()",
            9: "if F = B and B != E  # Flip",
            10: "I <- E - 1",
            11: "while I != F",
            12: "I <- I - 1",
            13: "*I <- *I * *(I + 1)",
            14: "B <- E",
            15: "aggB <- 1",
            16: "F <- F + 1",
            17: "deque.popFront()",
        },
    },
    "DABA": {
        "pi_F": {1: "fun Pi_F", 2: "if F = B return 1 else return *F.agg"},
        "pi_B": {3: "fun Pi_B", 4: "if B = E return 1 else return *(E-1).agg"},
        "pi_L": {5: "fun Pi_L", 6: "if L = R return 1 else return *L.agg"},
        "pi_R": {7: "fun Pi_R", 8: "if R = A return 1 else return *(A-1).agg"},
        "pi_A": {9: "fun Pi_A", 10: "if A = B return 1 else return *A.agg"},
        "query": {17: "fun query()", 18: "return Pi_F * Pi_B"},
        "insert": {10: "fun insert(v)", 11: "deque.pushBack(v, Pi_B * v)", 12: "E <- E + 1", 13: "fixup()"},
        "evict": {18: "fun evict()", 19: "F <- F + 1", 20: "deque.popFront()", 21: "fixup()"},
        "fixup": {
            13: "fun fixup()",
            14: "if F = B  # Singleton case",
            15: "B <- E, A <- E, R <- E, L <- E",
            16: "else",
            17: "if L = B  # Flip",
            18: "L <- F, A <- E, B <- E",
            19: "if L = R  # Shift",
            20: "A <- A + 1, R <- R + 1, L <- L + 1",
            21: "else  # Shrink",
            22: "*L.agg <- Pi_L * Pi_R * Pi_A",
            23: "L <- L + 1",
            24: "*(A-1).agg <- *(A-1).val * Pi_A",
            25: "A <- A - 1",
        },
    },
    "DABA Lite": {
        "pi_F": {1: "fun Pi_F", 2: "if F = B return 1 else return *F"},
        "pi_L": {3: "fun Pi_L", 4: "if L = R return 1 else return *L"},
        "pi_A": {5: "fun Pi_A", 6: "if A = B return 1 else return *A"},
        "query": {4: "fun query()", 5: "return Pi_F * aggB"},
        "insert": {
            6: "fun insert(v)",
            7: "deque.pushBack(v)",
            8: "E <- E + 1",
            9: "aggB <- aggB * v",
            10: "fixup()",
        },
        "evict": {5: "fun evict()", 6: "F <- F + 1", 7: "deque.popFront()", 8: "fixup()"},
        "fixup": {
            10: "fun fixup()",
            11: "if F = B  # Singleton case",
            12: "B <- E, A <- E, R <- E, L <- E",
            13: "aggRA <- 1",
            14: "aggB <- 1",
            15: "else",
            16: "if L = B  # Flip",
            17: "L <- F, A <- E, B <- E",
            18: "aggRA <- aggB",
            19: "aggB <- 1",
            20: "if L = R  # Shift",
            21: "A <- A + 1, R <- R + 1, L <- L + 1",
            22: "else  # Shrink",
            23: "*L <- Pi_L * aggRA",
            24: "L <- L + 1",
            25: "*(A-1) <- *(A-1) * Pi_A",
            26: "A <- A - 1",
        },
    },
}
