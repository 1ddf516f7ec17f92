"""FlatFAT run beside its definition, so that its contracts can speak of what was written, and of the work by level."""

from collections.abc import Sequence
from typing import Any, ClassVar, Generic

from icontract import SLOW, ensure, snapshot

from swagproof.contracts.space import stored_aggregates
from swagproof.models.any_order import Places
from swagproof.models.containers.array import Array
from swagproof.models.monoid import A, Counting, Monoid


class SpecifiedFlatFat(Generic[A]):
    """A mix-in placed before the algorithm: `class CheckedFlatFat(SpecifiedFlatFat[A], FlatFat[A])`.

    `model` is the n places by definition; `counting` the monoid that the algorithm is given, which counts its combine
    calls; `levels` the sizes of W_1, W_2, ... of the last new or update (a ghost: the algorithm never reads it).
    """

    contract: ClassVar[Any]

    def __init__(self, monoid: Monoid[A], values: Sequence[A]) -> None:
        self.counting = Counting(monoid)
        self.model = Places(monoid, values)
        self.levels: list[int] = []
        super().__init__(self.counting, values)  # type: ignore[call-arg]  # the algorithm's, next in line

    @ensure(lambda self, values: self.contract.new_calls(len(values), self.counting.calls), "new calls")
    @ensure(lambda self, values: self.contract.work_by_level(len(values), len(values), self.levels), "work by level")
    @ensure(lambda self: self.contract.work_is_calls(self.counting.calls, self.levels), "work is calls")
    @ensure(lambda self, values: _space(self, len(values)), "space", enabled=SLOW)
    def new(self, values: Sequence[A]) -> Array[A]:
        """Build the tree."""
        self.levels.clear()
        return super().new(values)  # type: ignore[misc,no-any-return]  # the algorithm's, next in line

    @snapshot(lambda self: self.counting.calls, name="before")
    @ensure(
        lambda self, changes, OLD: self.contract.update_calls(self.n, len(changes), self.counting.calls - OLD.before),
        "update calls",
    )
    @ensure(lambda self, changes: self.contract.work_by_level(self.n, len(changes), self.levels), "work by level")
    @ensure(
        lambda self, OLD: self.contract.work_is_calls(self.counting.calls - OLD.before, self.levels), "work is calls"
    )
    @ensure(lambda self: _space(self, self.n), "space", enabled=SLOW)
    def update(self, changes: Sequence[tuple[int, A]]) -> None:
        """Write places, in the algorithm and in the model."""
        self.levels.clear()
        super().update(changes)  # type: ignore[misc]  # the algorithm's, next in line
        self.model.update(changes)

    def rewrite(self, W: set[int]) -> set[int]:
        """Rewrite one level, and note its size."""
        self.levels.append(len(W))
        return super().rewrite(W)  # type: ignore[misc,no-any-return]  # the algorithm's, next in line

    @snapshot(lambda self: self.counting.calls, name="before")
    @ensure(lambda self, OLD: self.contract.aggregate_calls(self.counting.calls - OLD.before), "aggregate calls")
    @ensure(lambda self, result: result == self.model.product(1, self.n), "aggregate", enabled=SLOW)
    def aggregate(self) -> A:
        """The aggregate of all places."""
        return super().aggregate()  # type: ignore[misc,no-any-return]  # the algorithm's, next in line

    @snapshot(lambda self: self.counting.calls, name="before")
    @ensure(
        lambda self, i, OLD: self.contract.prefix_calls(self.n, i, self.counting.calls - OLD.before), "prefix calls"
    )
    @ensure(lambda self, i, result: result == self.model.product(1, i), "prefix", enabled=SLOW)
    def prefix(self, i: int) -> A:
        """The aggregate of the places 1 .. i."""
        return super().prefix(i)  # type: ignore[misc,no-any-return]  # the algorithm's, next in line

    @snapshot(lambda self: self.counting.calls, name="before")
    @ensure(
        lambda self, j, OLD: self.contract.suffix_calls(self.n, j, self.counting.calls - OLD.before), "suffix calls"
    )
    @ensure(lambda self, j, result: result == self.model.product(j, self.n), "suffix", enabled=SLOW)
    def suffix(self, j: int) -> A:
        """The aggregate of the places j .. n."""
        return super().suffix(j)  # type: ignore[misc,no-any-return]  # the algorithm's, next in line


def _space(self: Any, n: int) -> bool:
    """The partial aggregates really kept, over strings: there they can be told from everything else."""
    if not isinstance(self.model.monoid.identity, str):
        return True
    return stored_aggregates(self.T, str) == int(self.contract.space(n))
