"""Shadows of writable places."""

from collections.abc import Sequence
from typing import Any

from swagproof.contracts.shadows.shadow import Shadow
from swagproof.models.any_order import Places
from swagproof.models.containers.array import Array
from swagproof.models.monoid import A, Monoid


class PlacesShadow(Shadow[A]):
    """The shadow for `class CheckedFlatFat(PlacesShadow[A], FlatFat[A])`."""

    definition = Places
    work: list[int]
    """The nodes that the last new or update worked on, recorded when it read their left children."""

    def __init__(self, monoid: Monoid[A], values: Sequence[A]) -> None:
        self.work = []
        super().__init__(monoid, values)

    def _define(self, monoid: Monoid[A], *rest: Any, **options: Any) -> Places[A]:
        return Places(monoid, *rest)

    def left(self, v: int) -> int:
        """Return the left child, and record the node."""
        self.work.append(v)
        return self._ask("left", v)  # type: ignore[no-any-return]  # the algorithm's

    def new(self, values: Sequence[A]) -> Array[A]:
        """Build the tree."""
        return self._ask("new", values)  # type: ignore[no-any-return]  # the algorithm's

    def update(self, changes: Sequence[tuple[int, A]]) -> None:
        """Write places, in the algorithm and in the model."""
        self.work.clear()
        self._both("update", changes)

    def aggregate(self) -> A:
        """Return the aggregate of all places."""
        return self._ask("aggregate")  # type: ignore[no-any-return]  # the algorithm's

    def prefix(self, i: int) -> A:
        """Return the aggregate of the places 1 .. i."""
        return self._ask("prefix", i)  # type: ignore[no-any-return]  # the algorithm's

    def suffix(self, j: int) -> A:
        """Return the aggregate of the places j .. n."""
        return self._ask("suffix", j)  # type: ignore[no-any-return]  # the algorithm's
