"""Windows whose elements leave in any order, beside their definition; the bounds are those of the state before."""

from typing import Any

from icontract import SLOW, ensure, require, snapshot

from swagproof.contracts.ghosts.ghost import Before, Ghost
from swagproof.models.any_order import AnyOrderWindow
from swagproof.models.monoid import A, Monoid


class AnyOrderGhost(Ghost[A]):
    """For `class CheckedX(AnyOrderGhost[A], X[A])`.  One more ghost: `events`, the inserts and evicts since a query."""

    definition = AnyOrderWindow

    def __init__(self, monoid: Monoid[A], *rest: Any) -> None:
        self.events = 0
        super().__init__(monoid, *rest)

    @snapshot(lambda self: Before(self, self.contract.insert_bound(self)), name="before")
    @ensure(lambda self, OLD: OLD.before.calls_of(self) <= OLD.before.bound, "insert calls")
    @ensure(lambda self, OLD: OLD.before.paid(self, "insert_paid"), "insert paid")
    @ensure(lambda self, result: result in (None, self.model.arrived - 1), "ticket")
    def insert(self, v: A) -> Any:
        """Insert into the algorithm and into the model.  The ticket, where the algorithm gives one."""
        ticket = self._ask("insert", v)
        self.model.insert(v)
        self.events += 1
        return ticket

    @snapshot(lambda self: Before(self, self.contract.evict_bound(self)), name="before")
    @ensure(lambda self, OLD: OLD.before.calls_of(self) <= OLD.before.bound, "evict calls")
    @ensure(lambda self, OLD: OLD.before.paid(self, "evict_paid"), "evict paid")
    @snapshot(lambda self, ticket: ticket in ([None] if self.model.size else []) + self.model.tickets, name="there")
    @ensure(lambda self, OLD: OLD.there, "what is not there is refused")
    def evict(self, ticket: int | None = None) -> None:
        """Evict from the algorithm and from the model.  Raises as they do, and then nothing has changed."""
        self._ask("evict", *[] if ticket is None else [ticket])
        if self.model.size and (ticket is None or ticket in self.model.tickets):
            self.model.evict(ticket)
        self.events += 1

    @snapshot(lambda self: Before(self, self.contract.query_bound(self)), name="before")
    @ensure(lambda self, OLD: OLD.before.calls_of(self) <= OLD.before.bound, "query calls")
    @ensure(lambda self, result: result == self.model.query(), "answer", enabled=SLOW)
    def query(self) -> A:
        """Query the algorithm: the window fires."""
        answer: A = self._ask("query")
        self.events = 0
        return answer


class BufferGhost(AnyOrderGhost[A]):
    """The same for a window kept in a circular buffer, with what it spends on keeping it.

    More ghosts: `start` is the capacity that it began with, `coins` what resizes and compacts have cost so far.
    """

    def __init__(self, monoid: Monoid[A], capacity: int = 1) -> None:
        self.start, self.coins = capacity, 0
        super().__init__(monoid, capacity)

    @require(lambda self, capacity: capacity in (2 * self.capacity, self.capacity // 2), "doubled or halved")
    @ensure(lambda self, capacity: self.capacity == capacity >= 1, "resized")
    @ensure(lambda self: self.contract.no_holes(self), "no holes after resize")
    @ensure(lambda self: self.contract.filled(self), "filled after resize")
    def resize(self, capacity: int) -> None:
        """Resize, at the cost of the new capacity."""
        self.coins += capacity
        self._ask("resize", capacity)

    @ensure(lambda self: self.contract.no_holes(self), "no holes after compact")
    def compact(self) -> None:
        """Compact, at the cost of the capacity."""
        self.coins += self.capacity  # type: ignore[attr-defined]  # the algorithm's
        self._ask("compact")
