"""The common base of the state machines of all kinds of windows: it compares an implementation with the list model.

Windows fill, drain and refill; queries come at any time, twice in a row, or only at the end.  Two windows of a class
may be alive, and take turns.

The implementation and the model never share a value.  Values that the implementation received or returned are checked
again later: if one changed, the implementation changed it.
"""

import copy
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar, cast

try:
    from hypothesis import strategies as st
    from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
except ImportError as error:
    raise ImportError("state machines need Hypothesis: pip install 'swagproof[hypothesis]'") from error

from swagproof.models.operations import CONCATENATION, Operation
from swagproof.oracle.adapting.answers import judged_as
from swagproof.oracle.adapting.calls import adapted
from swagproof.oracle.adapting.declared import Adapter
from swagproof.oracle.domain import Domain, Exactly
from swagproof.oracle.domains.elements import of_samples
from swagproof.oracle.outcome import Refusal, say
from swagproof.oracle.sandbox.wire import hear, like, tell
from swagproof.oracle.window import Window

__all__ = [
    "BURST",
    "ELEMENTS",
    "Machine",
    "RuleBasedStateMachine",
    "initialize",
    "is_right",
    "precondition",
    "rule",
    "show",
    "st",
    "with_subject",
]

BURST = 130
"""The size of a burst: more than two chunks of a deque."""
PLAIN = frozenset({type(None), bool, int, float, str})
"""Types whose values can be compared directly."""
KEPT = 4
"""The number of earlier values and answers to check again."""


def is_right(expected: Any, answer: Any, rule: Exactly) -> bool:
    """Return whether an answer is right by the rule of `swagproof conform`, which does not trust its methods.

    A number or text of a user's class counts as its payload, and an object that equals everything equals nothing.  Only
    the `==` of a value without an encoding (a value of a C extension, say) is used.

    >>> from unittest.mock import ANY
    >>> from swagproof.models.operations import SUM
    >>> is_right(1, 1, Exactly(SUM)), is_right(1, 1.0, Exactly(SUM)), is_right(1, True, Exactly(SUM))
    (True, True, False)
    >>> is_right(1, ANY, Exactly(SUM))
    False
    """
    if isinstance(answer, Refusal) or _is_plain(answer):  # its encoding would be itself
        return rule.agree(expected, answer)
    if rule.agree(expected, like(expected, hear(tell(answer)))):
        return True
    has_form = rule.agree(expected, like(expected, hear(tell(expected))))
    return not has_form and rule.agree(expected, answer)


def _is_plain(value: Any) -> bool:
    kind = type(value)
    return kind in PLAIN or (kind in (tuple, list) and PLAIN.issuperset(map(type, value)))


def show(value: Any) -> str:
    """Return the `repr` of an answer, even if that raises."""
    return say(lambda: repr(value), f"<{type(value).__name__} whose repr raises>")


ELEMENTS: Any = st.runner().flatmap(lambda machine: st.sampled_from(machine.operation.samples))
"""The samples of the operation that a machine runs over."""


class Machine(RuleBasedStateMachine):
    """The rules for every kind of window.  A subclass sets the class attributes, manually or by `with_subject`."""

    make: ClassVar[Callable[[Operation[Any, Any, Any]], Any]]
    """Builds the implementation from an operation."""
    operation: ClassVar[Operation[Any, Any, Any]] = CONCATENATION
    adapter: ClassVar[Adapter] = Adapter()
    """The adapter that calls the implementation, if its methods differ from the usual ones."""
    longest: ClassVar[int] = 300
    """The largest size of a window."""
    kind: ClassVar[Window]
    model_of: ClassVar[type[Any]]
    """The class of the model."""

    def __init__(self) -> None:
        super().__init__()
        self.exactly = Exactly(self.operation)
        given = Domain(self.operation.name, self.operation, of_samples(self.operation.samples), self.exactly)
        self.domain = judged_as(given, self.adapter)
        make, usual = type(self).make, self.adapter == Adapter()
        self.build: Any = make if usual else adapted(make, self.adapter, self.kind)
        self.subject, self.model, self.spare = self.begin()
        self.other: tuple[Any, Any, list[Any]] | None = None
        """The other window, currently unused."""
        self.kept: list[tuple[str, Any, Any, Exactly]] = []
        self.identity = copy.deepcopy(self.operation.identity)

    def begin(self) -> tuple[Any, Any, list[Any]]:
        """Return a new window, its model, and absent times, in order, if entries have times."""
        return self.build(self.operation), self.model_of(self.domain.rule.mirror), []

    def handed(self, element: Any) -> Any:
        """Return a value for the implementation, to be checked again later."""
        value = self.domain.handed(element)
        self.keep("a value that was inserted", value, value, self.exactly)
        return value

    def lifted(self, element: Any) -> Any:
        """Return the same value for the model."""
        return self.domain.rule.mirror.lift(element)

    def compare(self, asked: str, answer: Any, expected: Any) -> None:
        """Check that two answers are the same."""
        rule = self.domain.rule
        assert is_right(expected, answer, rule), f"{asked} answers {show(answer)}, not {rule.round_exact(expected)!r}"
        self.keep("an earlier answer", answer, expected, rule)

    def keep(self, what: str, value: Any, equal: Any, rule: Exactly) -> None:
        """Check this value again later against a copy of what it equals now."""
        self.kept = [*self.kept[-KEPT + 1 :], (what, value, copy.deepcopy(equal), rule)]

    def sample(self, number: int, first: Any) -> Any:
        """Return an element of a burst: the first, then the operation's samples in turn."""
        return self.operation.samples[number % len(self.operation.samples)] if number else first

    @rule()
    def turn_to_the_other(self) -> None:
        """Switch to the other window: neither may depend on the other."""
        at_rest = self.subject, self.model, self.spare
        self.subject, self.model, self.spare = self.other or self.begin()
        self.other = at_rest

    def teardown(self) -> None:
        """Query each window, drain it, and query again."""
        try:
            self.finish()
        finally:
            if self.other is not None:
                self.turn_to_the_other()
                self.finish()

    def finish(self) -> None:
        """Drain the windows even after a failure; otherwise state that they share with others would fail another
        example."""
        try:
            self.query()
        finally:
            self.empty()
        self.query()

    def empty(self) -> None:
        """Evict all elements."""
        raise NotImplementedError

    @rule()
    def query(self) -> None:
        """Query the product of the window."""
        self.compare("query", self.subject.query(), self.model.query())

    @rule()
    def query_twice(self) -> None:
        """Query twice: an answer must not use up data that the next one needs."""
        self.query()
        self.query()

    @invariant()
    def nothing_handed_over_has_changed(self) -> None:
        """Check that values, answers and the identity are unchanged."""
        for what, value, before, rule in self.kept:
            assert is_right(before, value, rule), f"{what} was changed from {before!r} to {show(value)}"
        assert self.operation.equal(self.operation.identity, self.identity), "the identity was changed"


M = TypeVar("M", bound=Machine)


def with_subject(
    machine: type[M],
    make: Callable[[Operation[Any, Any, Any]], Any],
    operation: Operation[Any, Any, Any],
    *,
    adapter: Adapter | None = None,
    **more: Any,
) -> type[M]:
    """Derive the machine for the implementation that `make` builds; `more` are further class attributes."""
    made: dict[str, Any] = {"make": staticmethod(make), "operation": operation, "adapter": adapter or Adapter(), **more}
    return cast("type[M]", type(machine.__name__, (machine,), made))
