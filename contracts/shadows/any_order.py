"""Shadows of windows whose elements leave in any order, and of windows in a circular buffer."""

from typing import Any

from swagproof.contracts.shadows.shadow import Shadow
from swagproof.models.any_order import AnyOrderWindow
from swagproof.models.monoid import A, Monoid


class AnyOrderShadow(Shadow[A]):
    """A window whose elements arrive in order and leave in any order, by the ticket that insert returned."""

    definition = AnyOrderWindow

    def insert(self, v: A) -> Any:
        """Insert into the algorithm and the model; return the algorithm's ticket, if it has tickets."""
        ticket = self._ask("insert", v)
        self.model.insert(v)
        return ticket

    def evict(self, ticket: int | None = None) -> None:
        """Evict from the algorithm and from the model."""
        self._both("evict", *[] if ticket is None else [ticket])

    def query(self) -> A:
        """Query the algorithm."""
        return self._ask("query")  # type: ignore[no-any-return]  # the algorithm's


class BufferShadow(Shadow[A]):
    """A window in a circular buffer: `class CheckedX(BufferShadow[A], AnyOrderShadow[A], X[A])`, or with `FifoShadow`.

    `start` is the initial capacity of the buffer, `coins` are the costs of resizes and compacts so far, one for each
    slot, and `events` the inserts and evicts since the last query.
    """

    def __init__(self, monoid: Monoid[A], capacity: int = 1) -> None:
        self.start, self.coins, self.events = capacity, 0, 0
        super().__init__(monoid, capacity)

    def _ask(self, operation: str, *arguments: Any) -> Any:
        answer = super()._ask(operation, *arguments)
        self.events = 0 if operation == "query" else self.events + (operation in ("insert", "evict"))
        return answer

    def resize(self, capacity: int) -> None:
        """Resize, at the cost of the new capacity."""
        self.coins += capacity
        self._ask("resize", capacity)

    def compact(self) -> None:
        """Compact, at the cost of the capacity."""
        self.coins += self.capacity  # type: ignore[attr-defined]  # the algorithm's
        self._ask("compact")
