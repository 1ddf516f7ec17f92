"""One state machine for every implementation of shared windows: Hypothesis drives it beside the list model.

Windows are registered first, then tuples arrive and any window is looked up at any time: twice in a row, all of them
from the smallest or from the largest, or none for as long as the largest window is.  A stream may fall or rise for
longer than a window, repeat a value, or stand at a value until a window's edge has passed it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

try:
    from hypothesis import strategies as st
    from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
except ImportError as error:
    raise ImportError("state machines need Hypothesis: pip install 'swagproof[hypothesis]'") from error

from swagproof.models.monoid import Monoid
from swagproof.models.operations import SUM
from swagproof.models.shared import SharedWindow, SharedWindows
from swagproof.oracle.domain import Exactly
from swagproof.oracle.testing.machines import is_right, show

SIZES = (1, 2, 3, 5, 8, 13, 21)
BURST = 25
"""More than the largest window."""


def shared_machine(
    make: Callable[[], SharedWindow[Any, Any]],
    monoid: Monoid[Any],
    values: Sequence[Any],
    agrees: Callable[[Any, Any, list[Any]], bool] | None = None,
) -> type[RuleBasedStateMachine]:
    """A state machine for what `make` builds.

    `monoid` defines the exact answer, `values` are the stream's, in ascending order where they have one; an answer is
    right when it `agrees` with the exact one, the window beside it; by default when `swagproof conform` would say so.
    """
    exactly = Exactly(replace(SUM, equal=getattr(monoid, "equal", SUM.equal)))  # of an operation its equality alone

    class SharedMachine(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.subject = make()
            self.model: SharedWindows[Any] = SharedWindows(monoid)

        @initialize(sizes=st.lists(st.sampled_from(SIZES), min_size=1, max_size=5))
        def register(self, sizes: list[int]) -> None:
            for size in sizes:
                self.subject.register(size)
                self.model.register(size)

        @rule(value=st.sampled_from(values))
        def insert(self, value: Any) -> None:
            self.subject.insert(value)
            self.model.insert(value)

        @rule(value=st.sampled_from(values), edge=st.integers(-1, 1), data=st.data())
        def repeat_to_an_edge(self, value: Any, edge: int, data: st.DataObject) -> None:
            for _ in range(data.draw(st.sampled_from(self.model.registry.sizes)) + edge):
                self.insert(value)

        @rule(times=st.integers(2, BURST))
        def rise(self, times: int) -> None:
            for number in range(times):
                self.insert(values[number % len(values)])

        @rule(times=st.integers(2, BURST))
        def fall(self, times: int) -> None:
            for number in range(times):
                self.insert(values[-1 - number % len(values)])

        @rule(data=st.data(), times=st.integers(1, 2))
        def lookup(self, data: st.DataObject, times: int) -> None:
            size = data.draw(st.sampled_from(self.model.registry.sizes))
            for _ in range(times):
                self.judge(size)

        @rule(descending=st.booleans())
        def lookup_all(self, descending: bool) -> None:
            for size in sorted(self.model.registry.sizes, reverse=descending):
                self.judge(size)

        def judge(self, size: int) -> None:
            answer, exact = self.subject.lookup(size), self.model.lookup(size)
            said = f"window {size} answers {show(answer)}, exactly {exact!r}"
            right = agrees(answer, exact, self.model.window(size)) if agrees else is_right(exact, answer, exactly)
            assert right, said

        def teardown(self) -> None:
            self.lookup_all(True)

    return SharedMachine
