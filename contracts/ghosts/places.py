"""Places that are written at will, beside their definition: what was written, what it cost, and the work by level."""

from collections.abc import Sequence
from typing import Any

from icontract import SLOW, ensure, snapshot

from swagproof.contracts.ghosts.ghost import Before, Ghost
from swagproof.models.any_order import Places
from swagproof.models.containers.array import Array
from swagproof.models.monoid import A, Monoid


class PlacesGhost(Ghost[A]):
    """For `class CheckedFlatFat(PlacesGhost[A], FlatFat[A])`.

    One more ghost: `levels`, the sizes of W_1, W_2, ... of the last new or update.
    """

    def __init__(self, monoid: Monoid[A], values: Sequence[A]) -> None:
        self.levels: list[int] = []
        super().__init__(monoid, values)

    def _define(self, monoid: Monoid[A], *rest: Any, **options: Any) -> Places[A]:
        return Places(monoid, *rest)

    @ensure(lambda self, values: self.contract.new_calls(len(values), self.counting.calls), "new calls")
    @ensure(lambda self: self.contract.work_is_calls(self.counting.calls, self.levels), "work is calls")
    def new(self, values: Sequence[A]) -> Array[A]:
        """Build the tree."""
        self.levels.clear()
        return self._ask("new", values)  # type: ignore[no-any-return]  # the algorithm's

    @snapshot(lambda self: Before(self), name="before")
    @ensure(lambda self, changes: self.contract.work_by_level(self.n, len(changes), self.levels), "work by level")
    def update(self, changes: Sequence[tuple[int, A]]) -> None:
        """Write places, in the algorithm and in the model."""
        self.levels.clear()
        self._both("update", changes)

    def rewrite(self, W: set[int]) -> set[int]:
        """Rewrite one level, and note its size."""
        self.levels.append(len(W))
        return self._ask("rewrite", W)  # type: ignore[no-any-return]  # the algorithm's

    @snapshot(lambda self: Before(self), name="before")
    @ensure(lambda self, OLD: self.contract.aggregate_calls(OLD.before.calls_of(self)), "aggregate calls")
    @ensure(lambda self, result: result == self.model.product(1, self.n), "aggregate", enabled=SLOW)
    def aggregate(self) -> A:
        """The aggregate of all places."""
        return self._ask("aggregate")  # type: ignore[no-any-return]  # the algorithm's

    @snapshot(lambda self: Before(self), name="before")
    @ensure(lambda self, i, OLD: self.contract.prefix_calls(self.n, i, OLD.before.calls_of(self)), "prefix calls")
    @ensure(lambda self, i, result: result == self.model.product(1, i), "prefix", enabled=SLOW)
    def prefix(self, i: int) -> A:
        """The aggregate of the places 1 .. i."""
        return self._ask("prefix", i)  # type: ignore[no-any-return]  # the algorithm's

    @snapshot(lambda self: Before(self), name="before")
    @ensure(lambda self, j, OLD: self.contract.suffix_calls(self.n, j, OLD.before.calls_of(self)), "suffix calls")
    @ensure(lambda self, j, result: result == self.model.product(j, self.n), "suffix", enabled=SLOW)
    def suffix(self, j: int) -> A:
        """The aggregate of the places j .. n."""
        return self._ask("suffix", j)  # type: ignore[no-any-return]  # the algorithm's
