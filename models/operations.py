"""Aggregation operations: lift, combine, lower, and the algebra of each.

Sources: *General Incremental Sliding-Window Aggregation* (2015), section 3, Tables 1 and 2; *In-Order Sliding-Window
Aggregation in Worst-Case Constant Time* (2021), section 2.2 and Table 1.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from swagproof.models.monoid import A

In = TypeVar("In")
Out = TypeVar("Out")


@dataclass(frozen=True)
class Operation(Generic[In, A, Out]):
    """An aggregation: In -lift-> Agg, Agg x Agg -combine-> Agg, Agg -lower-> Out.  It is a Monoid over Agg."""

    name: str
    lift: Callable[[In], A]
    """One stream element to the partial aggregate of the window that holds it alone."""
    combine: Callable[[A, A], A]
    """Older on the left, newer on the right.  Associative; never changes its arguments."""
    lower: Callable[[A], Out]
    """The partial aggregate of the whole window to the answer."""
    identity: A
    commutative: bool
    remove: Callable[[A, A], A] | None = None
    """remove(a, combine(a, b)) = b, where the operation has it: the oldest element can be subtracted again."""
    equal: Callable[[A, A], bool] = lambda a, b: bool(a == b)
    """When two partial aggregates count as the same."""


def _same(x: Any) -> Any:
    return x


CONCATENATION: Final[Operation[str, str, str]] = Operation(
    "concatenation", lift=_same, combine=lambda a, b: a + b, lower=_same, identity="", commutative=False
)
"""Strings: the free monoid.  It tells any two sequences of letters apart, so it hides no mistake."""

MAX_COUNT: Final[Operation[float, tuple[float | None, int], int]] = Operation(
    "max-count",
    lift=lambda e: (e, 1),
    combine=lambda a, b: (
        a
        if b[0] is None or (a[0] is not None and a[0] > b[0])
        else b
        if a[0] is None or a[0] < b[0]
        else (a[0], a[1] + b[1])
    ),
    lower=lambda v: v[1],
    identity=(None, 0),
    commutative=True,
)
"""How often the maximum occurs (2021, section 2.2)."""

OPERATIONS: Final[dict[str, Operation[Any, Any, Any]]] = {
    operation.name: operation for operation in (CONCATENATION, MAX_COUNT)
}
"""Every operation by its name."""
