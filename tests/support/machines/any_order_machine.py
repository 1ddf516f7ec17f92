"""The state machine of windows whose elements leave in any order, by the ticket that insert returned."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from swagproof.models.any_order import AnyOrderWindow, NotInWindowError
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.operations import Operation
from swagproof.oracle.adapting.declared import Adapter
from swagproof.oracle.testing.fifo_machine import FifoMachine
from swagproof.oracle.testing.machine import ELEMENTS, initialize, precondition, rule, show, st, with_subject


class AnyOrderMachine(FifoMachine):
    """The rules of a FIFO window, with evicts of any element and with buffers full of elements or holes."""

    model_of = AnyOrderWindow
    capacities: ClassVar[Sequence[int]] = ()
    """Capacities for the constructor, if it takes one."""

    @initialize(number=st.integers(0, 99))
    def begin_with_a_capacity(self, number: int) -> None:
        """Build the first window with one of the capacities."""
        if self.capacities:
            self.subject = self.build(self.operation, self.capacities[number % len(self.capacities)])

    @rule(element=ELEMENTS)
    def insert(self, element: Any) -> None:
        """Insert one element, and compare its ticket."""
        ticket, expected = self.subject.insert(self.handed(element)), self.model.insert(self.lifted(element))
        assert ticket == expected, f"insert returns the ticket {show(ticket)}, not {expected}"

    @rule(element=ELEMENTS, one_more=st.booleans())
    def fill(self, element: Any, one_more: bool) -> None:
        """Insert until the size is a power of two, as capacities are, or one more."""
        while self.model.size < self.longest and self.model.size & (self.model.size - 1):
            self.insert(element)
        if one_more and self.model.size < self.longest:
            self.insert(element)

    @precondition(lambda self: self.model.size > 0)
    @rule(number=st.integers(0, 10**6))
    def evict_any(self, number: int) -> None:
        """Evict any element."""
        self.evict_ticket(self.model.tickets[number % self.model.size])

    @precondition(lambda self: self.model.size > 0)
    @rule(number=st.sampled_from([0, -1]))
    def evict_an_end(self, number: int) -> None:
        """Evict the oldest or the newest element by its ticket."""
        self.evict_ticket(self.model.tickets[number])

    @precondition(lambda self: self.model.size > 2)
    @rule(start=st.integers(0, 2), step=st.integers(2, 4))
    def thin_out(self, start: int, step: int) -> None:
        """Evict every second, third or fourth element."""
        for ticket in self.model.tickets[start::step]:
            self.evict_ticket(ticket)

    @precondition(lambda self: self.model.size > 0)
    @rule()
    def drain_from_the_newest(self) -> None:
        """Evict all, the newest first."""
        for ticket in self.model.tickets[::-1]:
            self.evict_ticket(ticket)

    @rule()
    def evict_what_is_not_there(self) -> None:
        """Evict tickets that were never returned, or have left: each raises."""
        gone = sorted(set(range(self.model.arrived)) - set(self.model.tickets))
        for ticket in (self.model.arrived, -1, *gone[:1], *gone[-1:]):
            try:
                self.subject.evict(ticket)
            except (NotInWindowError, EmptyWindowError) as refused:
                assert isinstance(refused, NotInWindowError if self.model.size else EmptyWindowError), repr(refused)  # noqa: PT017  # run outside of pytest, too
            else:
                raise AssertionError(f"evict of ticket {ticket}, which is not in the window, is not refused")

    def evict_ticket(self, ticket: int) -> None:
        """Evict the element with this ticket."""
        self.subject.evict(ticket)
        self.model.evict(ticket)


def any_order_machine(
    make: Callable[..., Any],
    operation: Operation[Any, Any, Any],
    *,
    longest: int = 300,
    adapter: Adapter | None = None,
    capacities: Sequence[int] = (),
) -> type[AnyOrderMachine]:
    """Return the machine for the implementation that `make` builds with the operation and one of the capacities."""
    return with_subject(AnyOrderMachine, make, operation, longest=longest, adapter=adapter, capacities=capacities)
