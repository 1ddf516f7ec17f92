"""Listings of *In-Order Sliding-Window Aggregation in Worst-Case Constant Time* (2021).

The paper prints one for each function.  In the supplied text line numbers restart (reading LAY-1: DABA has two lines
10, 13 and 18), so a tag names algorithm and function.  Indentation is lost there.  The nesting is that of the
reference; `swagproof errata` shows the effect of the other readings (reading LAY-2).
"""

import re
from typing import Final

from swagproof.reference.listings.listing import Listing

SPELLINGS: Final = {
    **{f"self.pi_{p}()": f"Pi_{p}" for p in "FBLRA"},
    **{f"pi_{p}": f"Pi_{p}" for p in "FBLRA"},
    "self.monoid.identity": "1",
    "a, b = x, y": "a <- x, b <- y",
}
"""The products are named without brackets, and multiple assignments are written out."""


def _functions(algorithm: str, text: str) -> tuple[Listing, ...]:
    headings = re.findall(r"fun (\w+)", text)
    return tuple(
        Listing(f"{algorithm} {name}", lines, SPELLINGS)
        for name, lines in zip(headings, text.split("\n\n"), strict=True)
    )


TWO_STACKS: Final = _functions(
    "Two-Stacks",
    """
    1 fun Pi_F()
    2 if F.isEmpty() return 1 else return F.top().agg

    3 fun Pi_B()
    4 if B.isEmpty() return 1 else return B.top().agg

    1 fun query()
    2 return Pi_F ⊗ Pi_B

    4 fun insert(v)
    5 B.push(v, Pi_B ⊗ v)

    2 fun evict()
    3 if F.isEmpty()  # Flip
    4 while not B.isEmpty()
    5 F.push(B.top().val, B.top().val ⊗ Pi_F)
    6 B.pop()
    7 F.pop()
    """,
)

TWO_STACKS_LITE: Final = _functions(
    "Two-Stacks Lite",
    """
    1 fun Pi_F()
    2 if F = B return 1 else return *F

    7 fun query()
    8 return Pi_F ⊗ aggB

    2 fun insert(v)
    3 deque.pushBack(v)
    4 E <- E + 1
    5 aggB <- aggB ⊗ v

    8 fun evict()
    9 if F = B and B != E  # Flip
    10 I <- E - 1
    11 while I != F
    12 I <- I - 1
    13 *I <- *I ⊗ *(I + 1)
    14 B <- E
    15 aggB <- 1
    16 F <- F + 1
    17 deque.popFront()
    """,
)

DABA: Final = _functions(
    "DABA",
    """
    1 fun Pi_F()
    2 if F = B return 1 else return *F.agg

    3 fun Pi_B()
    4 if B = E return 1 else return *(E - 1).agg

    5 fun Pi_L()
    6 if L = R return 1 else return *L.agg

    7 fun Pi_R()
    8 if R = A return 1 else return *(A - 1).agg

    9 fun Pi_A()
    10 if A = B return 1 else return *A.agg

    17 fun query()
    18 return Pi_F ⊗ Pi_B

    10 fun insert(v)
    11 deque.pushBack(v, Pi_B ⊗ v)
    12 E <- E + 1
    13 fixup()

    18 fun evict()
    19 F <- F + 1
    20 deque.popFront()
    21 fixup()

    13 fun fixup()
    14 if F = B  # Singleton case
    15 B <- E, A <- E, R <- E, L <- E
    16 else
    17 if L = B  # Flip
    18 L <- F, A <- E, B <- E
    19 if L = R  # Shift
    20 A <- A + 1, R <- R + 1, L <- L + 1
    21 else  # Shrink
    22 *L.agg <- Pi_L ⊗ Pi_R ⊗ Pi_A
    23 L <- L + 1
    24 *(A - 1).agg <- *(A - 1).val ⊗ Pi_A
    25 A <- A - 1
    """,
)

DABA_LITE: Final = _functions(
    "DABA Lite",
    """
    1 fun Pi_F()
    2 if F = B return 1 else return *F

    3 fun Pi_L()
    4 if L = R return 1 else return *L

    5 fun Pi_A()
    6 if A = B return 1 else return *A

    4 fun query()
    5 return Pi_F ⊗ aggB

    6 fun insert(v)
    7 deque.pushBack(v)
    8 E <- E + 1
    9 aggB <- aggB ⊗ v
    10 fixup()

    5 fun evict()
    6 F <- F + 1
    7 deque.popFront()
    8 fixup()

    10 fun fixup()
    11 if F = B  # Singleton case
    12 B <- E, A <- E, R <- E, L <- E
    13 aggRA <- 1
    14 aggB <- 1
    15 else
    16 if L = B  # Flip
    17 L <- F, A <- E, B <- E
    18 aggRA <- aggB
    19 aggB <- 1
    20 if L = R  # Shift
    21 A <- A + 1, R <- R + 1, L <- L + 1
    22 else  # Shrink
    23 *L <- Pi_L ⊗ aggRA
    24 L <- L + 1
    25 *(A - 1) <- *(A - 1) ⊗ Pi_A
    26 A <- A - 1
    """,
)
