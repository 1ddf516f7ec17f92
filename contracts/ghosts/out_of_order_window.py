"""Out-of-order windows beside their definition, which refuses what the algorithms must refuse."""

from collections.abc import Iterable
from typing import Any

from icontract import SLOW, ensure, snapshot

from swagproof.contracts.ghosts.ghost import Before, Ghost
from swagproof.models.monoid import A, Monoid
from swagproof.models.out_of_order import OutOfOrderWindow


class OutOfOrderGhost(Ghost[A]):
    """For `class CheckedFiba(OutOfOrderGhost[A], Fiba[A])`."""

    definition = OutOfOrderWindow

    def __init__(self, monoid: Monoid[A], min_arity: int = 2) -> None:
        super().__init__(monoid, min_arity)

    def insert(self, t: Any, v: A) -> None:
        """Insert into the algorithm and into the model.  Raises TimeError, and then nothing has changed."""
        self._both("insert", t, v)

    def evict(self, t: Any) -> None:
        """Evict from the algorithm and from the model.  Raises TimeError, and then nothing has changed."""
        self._both("evict", t)

    @snapshot(lambda self: Before(self), name="before")
    @ensure(lambda self, OLD: self.contract.query_calls(OLD.before.n, OLD.before.calls_of(self)), "query calls")
    @ensure(lambda self, result: result == self.model.query(), "answer", enabled=SLOW)
    def query(self) -> A:
        """Query the algorithm."""
        return self._ask("query")  # type: ignore[no-any-return]  # the algorithm's

    @ensure(
        lambda self, t_from, t_to, result: result == self.model.range_query(t_from, t_to), "range answer", enabled=SLOW
    )
    def range_query(self, t_from: Any, t_to: Any) -> A:
        """Query a range of the algorithm.  Raises TimeError."""
        return self._ask("range_query", t_from, t_to)  # type: ignore[no-any-return]  # the algorithm's


class BulkGhost(OutOfOrderGhost[A]):
    """The same for an algorithm with bulk operations, which do to the model what the loop over single ones does."""

    def bulk_evict(self, t: Any) -> None:
        """Evict all up to a time, from both.  Raises TimeError, and then nothing has changed."""
        self._ask("bulk_evict", t)
        for old in [old for old in self.model.times if not t < old]:
            self.model.evict(old)

    def bulk_insert(self, pairs: Iterable[tuple[Any, A]]) -> None:
        """Insert pairs sorted by time into both.  Raises TimeError or ValueError, and then nothing has changed."""
        pairs = list(pairs)
        self._ask("bulk_insert", pairs)
        for t, v in pairs:
            self.model.insert(t, v)
