"""One state machine for every FIFO window: Hypothesis drives an implementation beside the list model.

Windows fill and drain, empty and refill, and cross every chunk boundary of the deque (bursts of up to 130 elements);
answers are asked for at any time, twice in a row, or not at all until the end.  The implementation and the model never
share a value, and values that were handed over or answered are looked at again later: one that changed was changed by
the implementation.
"""

import copy
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from swagproof.models.operations import Operation
from swagproof.models.window import Fifo, FifoWindow

BURST = 130
"""More than two chunks of the deque."""
KEPT = 4
"""How many earlier values and answers are looked at again."""


def fifo_machine(
    make: Callable[[Operation[Any, Any, Any]], Fifo[Any]], operation: Operation[Any, Any, Any], *, longest: int = 300
) -> type[RuleBasedStateMachine]:
    """A state machine for the implementation that `make` builds with the operation.

    Elements are the operation's samples.  Windows grow to `longest` elements.  Run it with
    `hypothesis.stateful.run_state_machine_as_test`, or as a test class through its `TestCase`.
    """
    elements = st.sampled_from(operation.samples)

    class FifoMachine(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.subject = make(operation)
            self.model = FifoWindow(operation)
            self.kept: list[tuple[str, Any, Any]] = []
            self.identity = copy.deepcopy(operation.identity)

        @rule(element=elements)
        def insert(self, element: Any) -> None:
            value = operation.lift(element)
            self.keep("a value that was inserted", value)
            self.subject.insert(value)
            self.model.insert(operation.lift(element))

        @rule(element=elements, times=st.integers(2, BURST))
        def insert_many(self, element: Any, times: int) -> None:
            for number in range(min(times, longest - self.model.size)):
                self.insert(operation.samples[number % len(operation.samples)] if number else element)

        @precondition(lambda self: self.model.size > 0)
        @rule()
        def evict(self) -> None:
            self.subject.evict()
            self.model.evict()

        @precondition(lambda self: self.model.size > 1)
        @rule(times=st.integers(2, BURST))
        def evict_many(self, times: int) -> None:
            for _ in range(min(times, self.model.size)):
                self.evict()

        @precondition(lambda self: self.model.size > 0)
        @rule()
        def drain(self) -> None:
            while self.model.size:
                self.evict()

        @rule()
        def query(self) -> None:
            answer, expected = self.subject.query(), self.model.query()
            assert operation.equal(answer, expected), f"query answers {answer!r}, not {expected!r}"
            self.keep("an earlier answer", answer)

        @rule()
        def query_twice(self) -> None:
            self.query()
            self.query()

        @rule(times=st.integers(1, BURST))
        def slide(self, times: int) -> None:
            for number in range(times):
                self.insert(operation.samples[number % len(operation.samples)])
                self.evict()

        @invariant()
        def nothing_handed_over_has_changed(self) -> None:
            for what, value, before in self.kept:
                assert operation.equal(value, before), f"{what} was changed from {before!r} to {value!r}"
            assert operation.equal(operation.identity, self.identity), "the identity was changed"

        def keep(self, what: str, value: Any) -> None:
            self.kept = [*self.kept[-KEPT + 1 :], (what, value, copy.deepcopy(value))]

        def teardown(self) -> None:
            self.query()
            while self.model.size:
                self.evict()
            self.query()

    return FifoMachine
