"""An out-of-order algorithm run beside the definition of right, as `Specified` does for first-in first-out windows."""

from collections.abc import Iterable
from typing import Any, ClassVar, Generic

from icontract import SLOW, ensure, snapshot

from swagproof.models.monoid import A, Counting, Monoid
from swagproof.models.out_of_order import OutOfOrderWindow


class SpecifiedOutOfOrder(Generic[A]):
    """A mix-in placed before an algorithm: `class CheckedFiba(SpecifiedOutOfOrder[A], Fiba[A])`.

    `contract` is the algorithm's module of contracts; `model` the window by definition; `counting` the monoid that the
    algorithm is given, which counts its combine calls (the model's own do not count).  The model refuses what the
    algorithm must refuse: it changes only after the algorithm has, so that after a refusal the invariants speak of the
    window before.
    """

    contract: ClassVar[Any]

    def __init__(self, monoid: Monoid[A], min_arity: int = 2) -> None:
        self.counting = Counting(monoid)
        self.model = OutOfOrderWindow(monoid)
        super().__init__(self.counting, min_arity)  # type: ignore[call-arg]  # the algorithm's, next in line

    def insert(self, t: Any, v: A) -> None:
        """Insert into the algorithm and into the model.  Raises TimeError, and then nothing has changed."""
        super().insert(t, v)  # type: ignore[misc]  # the algorithm's, next in line
        self.model.insert(t, v)

    def evict(self, t: Any) -> None:
        """Evict from the algorithm and from the model.  Raises TimeError, and then nothing has changed."""
        super().evict(t)  # type: ignore[misc]  # the algorithm's, next in line
        self.model.evict(t)

    @snapshot(lambda self: self.counting.calls, name="before")
    @ensure(
        lambda self, OLD: self.contract.query_calls(self.model.size, self.counting.calls - OLD.before), "query calls"
    )
    @ensure(lambda self, result: result == self.model.query(), "answer", enabled=SLOW)
    def query(self) -> A:
        """Query the algorithm."""
        return super().query()  # type: ignore[misc,no-any-return]  # the algorithm's, next in line

    @ensure(
        lambda self, t_from, t_to, result: result == self.model.range_query(t_from, t_to), "range answer", enabled=SLOW
    )
    def range_query(self, t_from: Any, t_to: Any) -> A:
        """Query a range of the algorithm.  Raises TimeError."""
        return super().range_query(t_from, t_to)  # type: ignore[misc,no-any-return]  # the algorithm's, next in line


class SpecifiedBulk(SpecifiedOutOfOrder[A]):
    """The same for an algorithm with bulk operations, which do to the model what the loop over single ones does."""

    def bulk_evict(self, t: Any) -> None:
        """Evict all up to a time, from both.  Raises TimeError, and then nothing has changed."""
        super().bulk_evict(t)  # type: ignore[misc]  # the algorithm's, next in line
        for old in [old for old in self.model.times if not t < old]:
            self.model.evict(old)

    def bulk_insert(self, pairs: Iterable[tuple[Any, A]]) -> None:
        """Insert pairs sorted by time into both.  Raises TimeError or ValueError, and then nothing has changed."""
        pairs = list(pairs)
        super().bulk_insert(pairs)  # type: ignore[misc]  # the algorithm's, next in line
        for t, v in pairs:
            self.model.insert(t, v)
