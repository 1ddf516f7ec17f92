"""⊥, the marker of an unfilled slot: a neutral element adjoined to any operator.

Source: *General Incremental Sliding-Window Aggregation* (2015), section 5.1.1.
"""

from enum import Enum
from typing import Final, Generic, TypeAlias

from swagproof.models.monoid import A, Monoid


class Bottom(Enum):
    """The type whose only value is ⊥.  As an enumeration member, ⊥ stays itself when copied."""

    BOTTOM = "⊥"

    def __repr__(self) -> str:
        return self.value


BOTTOM: Final = Bottom.BOTTOM
"""x ⊕ ⊥ = x and ⊥ ⊕ y = y.  ⊥ is not the monoid's identity, which may be the value of an element."""

Slot: TypeAlias = A | Bottom
"""The content of a slot of the buffer."""


class WithBottom(Generic[A]):
    """A monoid with ⊥ adjoined, whose operator is not called for ⊥.

    >>> from swagproof.models.operations import CONCATENATION
    >>> from swagproof.models.monoid import Counting
    >>> counting = Counting(CONCATENATION)
    >>> monoid = WithBottom(counting)
    >>> monoid.combine("a", BOTTOM), monoid.combine(BOTTOM, BOTTOM), monoid.combine("a", "b"), counting.calls
    ('a', ⊥, 'ab', 1)
    """

    def __init__(self, monoid: Monoid[A]) -> None:
        self.monoid = monoid
        self.identity: Final[Bottom] = BOTTOM

    def combine(self, x: Slot[A], y: Slot[A]) -> Slot[A]:
        """x ⊕ y.  At most one call of the monoid's own combine."""
        if y is BOTTOM:
            return x
        if x is BOTTOM:
            return y
        return self.monoid.combine(x, y)
