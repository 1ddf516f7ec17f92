"""The values that clauses of trees in arrays refer to, of running code; symbolic ones are in the proofs."""

from collections.abc import Callable, Collection, Sequence
from typing import Any


class TreeShape:
    """The complete binary tree over n = 2^height leaves: levels are counted from the leaves, leaves from 1."""

    def __init__(self, n: int) -> None:
        self.leaves = n
        self.height = n.bit_length() - 1

    def level(self, v: int) -> int:
        """Return 0 for a leaf, `height` for the root."""
        return self.height + 1 - v.bit_length()

    def on_level(self, v: int, level: int) -> bool:
        """Return whether node v is on this level."""
        return self.level(v) == level

    def first(self, v: int) -> int:
        """Return the first leaf below node v."""
        return (v << self.level(v)) - self.leaves + 1

    def last(self, v: int) -> int:
        """Return the last leaf below node v."""
        return (v + 1 << self.level(v)) - self.leaves


class Writes:
    """The changes of new, update or slide by place, the places that a slide frees, and the former values."""

    def __init__(
        self, changes: Sequence[tuple[int, Any]], old: Callable[[int], Any], freed: Collection[int] = ()
    ) -> None:
        listed = [*freed, *(place for place, _ in changes)]
        self.size = len(listed)
        self.old = old
        self._numbers = {place: number for number, (place, _) in enumerate(changes)}
        self._told = {place: number for number, place in reversed([*enumerate(listed)])}

    def number(self, i: int) -> int:
        """Return the index of the change that writes place i; `size` if there is none."""
        return self._numbers.get(i, self.size)

    def told(self, i: int) -> int:
        """Return the index of the first mention of place i, freed places first; `size` if there is none."""
        return self._told.get(i, self.size)


class Area:
    """The places from front to back of a circular buffer, wrapping around if the back is before the front."""

    def __init__(self, tree: TreeShape, front: int, back: int) -> None:
        self.tree = tree
        self.front = front
        self.back = back
        self.inverted = back < front

    def over(self, v: int) -> bool:
        """Return whether a place below node v is in it."""
        from_front, to_back = self.front <= self.tree.last(v), self.tree.first(v) <= self.back
        return from_front or to_back if self.inverted else from_front and to_back

    def above_front(self, level: int) -> int:
        """Return the node of a level above its front."""
        return (self.tree.leaves + self.front - 1) >> level

    def above_back(self, level: int) -> int:
        """Return the node of a level above its back."""
        return (self.tree.leaves + self.back - 1) >> level
