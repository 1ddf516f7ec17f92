"""The state machine of shared windows: Hypothesis drives an implementation and compares it with the list model.

Windows are registered first, then tuples arrive and any window is looked up at any time: twice in a row, all of them
from the smallest or the largest, or none for the length of the largest window.  A stream may fall or rise for longer
than a window, repeat a value, or keep a value until a window's edge has passed it.

Run it with `run_state_machine_as_test(shared_machine(MyWindows, MAX, (1, 2, 3)))`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from swagproof.models.monoid import Monoid
from swagproof.models.operations import SUM
from swagproof.models.shared import SharedWindow, SharedWindows
from swagproof.oracle.domain import Exactly
from swagproof.oracle.testing.machine import RuleBasedStateMachine, initialize, is_right, rule, show, st

SIZES = (1, 2, 3, 5, 8, 13, 21)
BURST = 25
"""A number of tuples greater than the largest window."""
VALUES: Any = st.runner().flatmap(lambda machine: st.sampled_from(machine.values))
"""The values of the stream."""
WINDOWS: Any = st.runner().flatmap(lambda machine: st.sampled_from(machine.model.registry.sizes))
"""The windows that are registered."""


class SharedMachine(RuleBasedStateMachine):
    """Registers windows, then inserts and looks up in any order.  A subclass sets the class attributes."""

    make: ClassVar[Callable[[], SharedWindow[Any, Any]]]
    """Builds the implementation."""
    operation: ClassVar[Monoid[Any]]
    """The monoid that defines the exact answer."""
    values: ClassVar[Sequence[Any]]
    """The stream's values, in ascending order if they have one."""

    def __init__(self) -> None:
        super().__init__()
        make: Callable[[], Any] = type(self).make  # pyright: ignore[reportAttributeAccessIssue]  # no method
        self.subject = make()
        self.model: SharedWindows[Any] = SharedWindows(self.operation)
        self.exactly = Exactly(replace(SUM, equal=getattr(self.operation, "equal", SUM.equal)))

    def agrees(self, answer: Any, exact: Any, window: list[Any]) -> bool:
        """Return whether an answer is right, by the rules of `swagproof conform`."""
        return is_right(exact, answer, self.exactly)

    @initialize(sizes=st.lists(st.sampled_from(SIZES), min_size=1, max_size=5))
    def register(self, sizes: list[int]) -> None:
        """Register windows, some of the same size."""
        for size in sizes:
            self.subject.register(size)
            self.model.register(size)

    @rule(value=VALUES)
    def insert(self, value: Any) -> None:
        """Insert one tuple."""
        self.subject.insert(value)
        self.model.insert(value)

    @rule(value=VALUES, size=WINDOWS, edge=st.integers(-1, 1))
    def repeat_to_an_edge(self, value: Any, size: int, edge: int) -> None:
        """Repeat a value for the length of a window, or one tuple fewer or more."""
        for _ in range(size + edge):
            self.insert(value)

    @rule(times=st.integers(2, BURST))
    def rise(self, times: int) -> None:
        """Insert the values in ascending order, again and again."""
        for number in range(times):
            self.insert(self.values[number % len(self.values)])

    @rule(times=st.integers(2, BURST))
    def fall(self, times: int) -> None:
        """Insert the values in descending order, again and again."""
        for number in range(times):
            self.insert(self.values[-1 - number % len(self.values)])

    @rule(size=WINDOWS)
    def lookup(self, size: int) -> None:
        """Look up a window."""
        answer, exact = self.subject.lookup(size), self.model.lookup(size)
        right = self.agrees(answer, exact, self.model.window(size))
        assert right, f"window {size} answers {show(answer)}, exactly {exact!r}"

    @rule(size=WINDOWS)
    def lookup_twice(self, size: int) -> None:
        """Look up a window twice, because the first answer must not affect the second."""
        self.lookup(size)
        self.lookup(size)

    @rule(descending=st.booleans())
    def lookup_all(self, descending: bool) -> None:
        """Look up all windows, from the smallest or from the largest."""
        for size in sorted(self.model.registry.sizes, reverse=descending):
            self.lookup(size)

    def teardown(self) -> None:
        """Look up all windows at the end."""
        self.lookup_all(True)


def shared_machine(
    make: Callable[[], SharedWindow[Any, Any]],
    operation: Monoid[Any],
    values: Sequence[Any],
    machine: type[SharedMachine] = SharedMachine,
) -> type[SharedMachine]:
    """Derive a machine for the implementation of `make`; `operation` defines the answers, `values` are the stream's."""
    made = {"make": staticmethod(make), "operation": operation, "values": values}
    return type(machine.__name__, (machine,), made)
