"""The theorems' bounds on combine calls, checked by proofs against counts, and by the oracle against other code.

Sources: *In-Order Sliding-Window Aggregation in Worst-Case Constant Time* (2021), Theorems 3.2, 4.2, 5.2, 6.2, sections
8.1 and 8.3; *General Incremental Sliding-Window Aggregation* (2015), Theorem 4.2 and section 5.1.1; *Sub-O(log n)
Out-of-Order Sliding-Window Aggregation* (2018), Theorems 3.2 and 3.4, with the constants that are argued in
`swagproof.proofs.trees.costs`.

Conventions: n is the number of elements before the operation, d the number of entries between the one inserted or
evicted and the nearer end of the window, mu a tree's min-arity.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from swagproof.contracts.trees import augmented_tree, b_tree, fiba
from swagproof.contracts.trees.coins import MOST_BILLED


@dataclass(frozen=True)
class Figures:
    """A theorem's bounds for one operation: combine calls in the worst case, and on average or amortised."""

    source: str
    worst: Callable[[int], int]
    average: float | None


@dataclass(frozen=True)
class Theorem:
    """A theorem's bounds for an algorithm, as printed."""

    insert: Figures
    evict: Figures
    query: Figures


def _in_order(source: str, insert: tuple[int, float], evict: tuple[Callable[[int], int], float]) -> Theorem:
    return Theorem(
        Figures(source, lambda n: insert[0], insert[1]),
        Figures(source, evict[0], evict[1]),
        Figures(source, lambda n: 1, 1),
    )


THEOREMS: Final[dict[str, Theorem]] = {
    "Two-Stacks": _in_order("Theorem 3.2", (1, 1), (lambda n: n, 1)),
    "Two-Stacks Lite": _in_order("Theorem 4.2", (1, 1), (lambda n: n, 1)),
    "DABA": _in_order("Theorem 5.2", (4, 2.5), (lambda n: 3, 1.5)),
    "DABA Lite": _in_order("Theorem 6.2", (3, 2), (lambda n: 2, 1)),
    "Recalculate-from-scratch": Theorem(
        Figures("section 8.1", lambda n: 0, 0),
        Figures("section 8.1", lambda n: 0, 0),
        Figures("section 8.1, O(n)", lambda n: n, None),
    ),
    "Subtract-on-evict": Theorem(
        Figures("section 8.3", lambda n: 1, 1),
        Figures("section 8.3", lambda n: 0, 0),
        Figures("section 8.3", lambda n: 0, 0),
    ),
}
"""The printed bounds, by the algorithm's name in `swagproof.reference.catalogue`."""


@dataclass(frozen=True)
class Billed:
    """The cost bound of a history without queries: an amount per insert, per evict and per remaining element."""

    insert: float
    evict: float
    left: float

    def most(self, inserts: int, evicts: int, n: int) -> float:
        """Return the most combine calls of a history with these inserts and evicts that ends with n elements."""
        return self.insert * inserts + self.evict * evicts + self.left * n


BILLED: Final[dict[str, Billed]] = {
    "Two-Stacks": Billed(2, 0, 0),
    "Two-Stacks Lite": Billed(2, 0, 0),
    "DABA": Billed(2.5, 1.5, 1.5),
    "DABA Lite": Billed(2, 1, 1),
}
"""The accounts of the contracts (`insert_paid`, `evict_paid`): an insert saves a coin on each element of the back for
the flip; or each element of l_A, of which there are at most n, is a debt (erratum DABA-2)."""


# Trees


def most_steps(n: int, mu: int) -> int:
    """Return the most rebalancing steps of an insert or evict: one on each level, and one for the height."""
    return augmented_tree.levels((n - 1) // 2, mu) + 1


fiba_calls: Final = fiba.update_bound
"""(d, steps, mu) -> combine calls of an insert or evict of FiBA."""


def fiba_billed(d: int, mu: int) -> int:
    """Return the combine calls that an insert or evict of FiBA adds to a history's bound, with its billed steps."""
    return fiba_calls(d, MOST_BILLED, mu)


b_tree_calls: Final = b_tree.update_bound
"""(n, steps, mu) -> combine calls of an insert or evict of the B-tree."""


def b_tree_billed(n: int, mu: int) -> int:
    """Return the same amount for the B-tree."""
    return b_tree_calls(n, MOST_BILLED, mu)


range_cost: Final = augmented_tree.range_cost
"""(level, mu) -> combine calls of a range query whose ends meet on this level above the leaves (Theorem 4.2)."""
range_bound: Final = augmented_tree.range_bound
"""(d_from, d_to, n_sub, mu) -> combine calls of a range query (Theorem 4.2)."""
