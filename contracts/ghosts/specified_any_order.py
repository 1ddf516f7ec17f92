"""A window that states its bounds for each state, run beside the definition of right; and one in a circular buffer."""

from typing import Any, ClassVar, Generic

from icontract import SLOW, ensure, require, snapshot

from swagproof.models.any_order import AnyOrderWindow
from swagproof.models.monoid import A, Counting, Monoid


class SpecifiedAnyOrder(Generic[A]):
    """A mix-in placed before an algorithm: `class CheckedX(SpecifiedAnyOrder[A], X[A])`.

    `contract` is the algorithm's module of contracts.  The rest are ghosts, which the algorithm never reads: `model` is
    the window by definition; `counting` the monoid that the algorithm is given, which counts its combine calls;
    `events` the inserts and evicts since the last query.
    """

    contract: ClassVar[Any]

    def __init__(self, monoid: Monoid[A], *rest: Any) -> None:
        self.counting = Counting(monoid)
        self.model = AnyOrderWindow(monoid)
        self.events = 0
        super().__init__(self.counting, *rest)  # type: ignore[call-arg]  # the algorithm's, next in line

    @snapshot(lambda self: Before(self, self.contract.insert_bound(self)), name="before")
    @ensure(lambda self, OLD: self.counting.calls - OLD.before.calls <= OLD.before.bound, "insert calls")
    @ensure(lambda self, OLD: OLD.before.paid(self, "insert_paid"), "insert paid")
    @ensure(lambda self, result: result in (None, self.model.arrived - 1), "ticket")
    def insert(self, v: A) -> Any:
        """Insert into the algorithm and into the model.  The ticket, where the algorithm gives one."""
        ticket = super().insert(v)  # type: ignore[misc]  # the algorithm's, next in line
        self.model.insert(v)
        self.events += 1
        return ticket

    @snapshot(lambda self: Before(self, self.contract.evict_bound(self)), name="before")
    @ensure(lambda self, OLD: self.counting.calls - OLD.before.calls <= OLD.before.bound, "evict calls")
    @ensure(lambda self, OLD: OLD.before.paid(self, "evict_paid"), "evict paid")
    @snapshot(lambda self, ticket: ticket in ([None] if self.model.size else []) + self.model.tickets, name="there")
    @ensure(lambda self, OLD: OLD.there, "what is not there is refused")
    def evict(self, ticket: int | None = None) -> None:
        """Evict from the algorithm and from the model.  Raises as they do, and then nothing has changed."""
        super().evict(*[] if ticket is None else [ticket])  # type: ignore[misc]  # the algorithm's, next in line
        if self.model.size and (ticket is None or ticket in self.model.tickets):
            self.model.evict(ticket)
        self.events += 1

    @snapshot(lambda self: Before(self, self.contract.query_bound(self)), name="before")
    @ensure(lambda self, OLD: self.counting.calls - OLD.before.calls <= OLD.before.bound, "query calls")
    @ensure(lambda self, result: result == self.model.query(), "answer", enabled=SLOW)
    def query(self) -> A:
        """Query the algorithm: the window fires."""
        answer: A = super().query()  # type: ignore[misc]  # the algorithm's, next in line
        self.events = 0
        return answer


class SpecifiedBuffer(SpecifiedAnyOrder[A]):
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
        super().resize(capacity)  # type: ignore[misc]  # the algorithm's, next in line

    @ensure(lambda self: self.contract.no_holes(self), "no holes after compact")
    def compact(self) -> None:
        """Compact, at the cost of the capacity."""
        self.coins += self.capacity  # type: ignore[attr-defined]  # the algorithm's
        super().compact()  # type: ignore[misc]  # the algorithm's, next in line


class Before:
    """What an operation finds: combine calls and spending so far, the savings, and the most calls that it may make."""

    def __init__(self, s: Any, bound: int) -> None:
        self.calls, self.spent, self.bound = s.counting.calls, s.contract.spent(s), bound
        self.savings = s.contract.savings(s)

    def paid(self, s: Any, name: str) -> bool:
        """Whether the account of that name balances: what was spent since, savings then, savings now."""
        return bool(getattr(s.contract, name)(s.contract.spent(s) - self.spent, self.savings, s.contract.savings(s)))
