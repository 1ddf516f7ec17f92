"""Shadows of out-of-order windows; the definition raises the errors that the algorithms must raise."""

from collections.abc import Iterable
from typing import Any

from swagproof.contracts.shadows.shadow import Shadow
from swagproof.models.monoid import A
from swagproof.models.out_of_order import OutOfOrderWindow


class OutOfOrderShadow(Shadow[A]):
    """The shadow for `class CheckedFiba(OutOfOrderShadow[A], Fiba[A])`.  TimeError leaves both unchanged."""

    definition = OutOfOrderWindow

    def insert(self, t: Any, v: A) -> None:
        """Insert into the algorithm and into the model."""
        self._both("insert", t, v)

    def evict(self, t: Any) -> None:
        """Evict from the algorithm and from the model."""
        self._both("evict", t)

    def query(self) -> A:
        """Query the algorithm."""
        return self._ask("query")  # type: ignore[no-any-return]  # the algorithm's

    def range_query(self, t_from: Any, t_to: Any) -> A:
        """Query a range of the algorithm."""
        return self._ask("range_query", t_from, t_to)  # type: ignore[no-any-return]  # the algorithm's


class BulkShadow(OutOfOrderShadow[A]):
    """The shadow for bulk operations, which are loops over single operations in the model."""

    def bulk_evict(self, t: Any) -> None:
        """Evict all entries up to a time from both."""
        self._ask("bulk_evict", t)
        for old in [old for old in self.model.times if not t < old]:
            self.model.evict(old)

    def bulk_insert(self, pairs: Iterable[tuple[Any, A]]) -> None:
        """Insert pairs sorted by time into both."""
        pairs = list(pairs)
        self._ask("bulk_insert", pairs)
        for t, v in pairs:
            self.model.insert(t, v)
