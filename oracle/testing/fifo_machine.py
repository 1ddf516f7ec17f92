"""The state machine of first-in first-out windows: Hypothesis compares an implementation with the list model.

Run it with `run_state_machine_as_test(fifo_machine(MyWindow, SUM))`, or as a test class:

    class MyMachine(FifoMachine):
        make = MyWindow

    TestMyWindow = MyMachine.TestCase
"""

from collections.abc import Callable
from typing import Any, ClassVar

from swagproof.models.fifo import Fifo, FifoWindow
from swagproof.models.operations import Operation
from swagproof.oracle.adapting.declared import Adapter
from swagproof.oracle.testing.machine import BURST, ELEMENTS, Machine, precondition, rule, st, with_subject
from swagproof.oracle.window import FIFO


class FifoMachine(Machine):
    """Inserts, evicts and queries in any order; bulks if the implementation has `bulk_insert` or `bulk_evict`."""

    kind = FIFO
    model_of: ClassVar[type[Any]] = FifoWindow

    @rule(element=ELEMENTS)
    def insert(self, element: Any) -> None:
        """Insert one element."""
        self.subject.insert(self.handed(element))
        self.model.insert(self.lifted(element))

    @rule(element=ELEMENTS, times=st.integers(2, BURST))
    def insert_many(self, element: Any, times: int) -> None:
        """Insert a burst that spans several chunks of a deque."""
        for number in range(min(times, self.longest - self.model.size)):
            self.insert(self.sample(number, element))

    @precondition(lambda self: self.model.size > 0)
    @rule()
    def evict(self) -> None:
        """Evict the oldest element."""
        self.subject.evict()
        self.model.evict()

    @precondition(lambda self: self.model.size > 1)
    @rule(times=st.integers(2, BURST))
    def evict_many(self, times: int) -> None:
        """Evict a burst."""
        for _ in range(min(times, self.model.size)):
            self.evict()

    @precondition(lambda self: self.model.size > 0)
    @rule()
    def drain(self) -> None:
        """Evict all."""
        while self.model.size:
            self.evict()

    @precondition(lambda self: hasattr(self.subject, "bulk_insert"))
    @rule(element=ELEMENTS, times=st.integers(0, 3) | st.integers(0, BURST))
    def insert_in_bulk(self, element: Any, times: int) -> None:
        """Insert some elements in bulk, or none."""
        bulk = [self.sample(number, element) for number in range(min(times, self.longest - self.model.size))]
        self.subject.bulk_insert([self.handed(one) for one in bulk])
        for one in bulk:
            self.model.insert(self.lifted(one))

    @precondition(lambda self: hasattr(self.subject, "bulk_evict"))
    @rule(times=st.integers(0, 3) | st.integers(0, BURST))
    def evict_in_bulk(self, times: int) -> None:
        """Evict some elements in bulk, or none."""
        times = min(times, self.model.size)
        self.subject.bulk_evict(times)
        for _ in range(times):
            self.model.evict()

    @rule(times=st.integers(1, BURST))
    def slide(self, times: int) -> None:
        """Insert and evict in turn: the window slides and keeps its size."""
        for number in range(times):
            self.insert(self.operation.samples[number % len(self.operation.samples)])
            self.evict()

    def empty(self) -> None:
        while self.model.size:
            self.evict()


def fifo_machine(
    make: Callable[[Operation[Any, Any, Any]], Fifo[Any]],
    operation: Operation[Any, Any, Any],
    *,
    longest: int = 300,
    adapter: Adapter | None = None,
) -> type[FifoMachine]:
    """Return the machine for the implementation that `make` builds with the operation, or as the adapter declares.

    Elements are the operation's samples.  Windows grow to `longest` elements.
    """
    return with_subject(FifoMachine, make, operation, longest=longest, adapter=adapter)
