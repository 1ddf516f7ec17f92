"""Plays of an algorithm: its operations, its construction options, and the histories that show it.

An operation is a list: its name, then its arguments, with elements and times in JSON form: `["insert", "a"]`,
`["insert", 3, "b"]`.  A bulk is one operation, too: `["bulk_insert", [[3, "b"], [4, "c"]]]`, `["bulk_evict", 3]`.  A
history is a list of operations; a link contains one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import Any, Final, NoReturn, TypeAlias

from swagproof.contracts.shadows.shadow import Shadow, is_written
from swagproof.learn.plays.monoids import elements_of
from swagproof.learn.products import Tracked
from swagproof.oracle.trace import InputError

Asked: TypeAlias = Sequence[Any]
"""An operation: its name and its arguments."""

ELEMENT: Final = "element"
TIME: Final = "time"
ENTRIES: Final = "entries"
"""The argument of a bulk insert: a list of the argument lists of its inserts."""

ASKING: Final = ("query", "range_query", "lookup")
"""The operations that a window's definition can also answer."""


class WrongAnswerError(Exception):
    """An answer differs from the definition's."""


class RefusedError(Exception):
    """A forbidden operation was correctly refused; the cause is the exception."""


@dataclass(frozen=True)
class Scenario:
    """A history that demonstrates something."""

    name: str
    says: str
    make: Callable[[int], list[list[Any]]]
    """Return the operations, without elements, for this size."""


@dataclass(frozen=True)
class Option:
    """A numeric constructor option of an algorithm."""

    values: tuple[int, ...]
    """The values, the default first."""
    says: str
    label: str = ""
    """Its label, if it differs from the name."""
    names: tuple[str, ...] = ()
    """The names of the values, if they are not shown as numbers."""

    def as_json(self, name: str, value: int) -> dict[str, Any]:
        """Return the option's fields on the page."""
        choices = [*zip(self.values, self.names or map(str, self.values), strict=True)]
        label = self.label or name.replace("_", "-")
        return {"value": value, "choices": choices, "label": label, "says": self.says}


@dataclass(frozen=True)
class Play:
    """The operations, options and scenarios of the algorithms of one kind."""

    operations: Mapping[str, tuple[str, ...]]
    """The kinds of arguments of each operation: `element`, `time`, `entries`."""
    build: Callable[[type[Any], Tracked, Mapping[str, Any]], Any]
    """Build a window of this class over this monoid, with these options."""
    scenarios: tuple[Scenario, ...] = ()
    start: tuple[tuple[Any, ...], ...] = ()
    """The initial operations."""
    options: Mapping[str, Option] = field(default_factory=dict[str, Option])
    """The options of its constructor."""
    monoids: tuple[str, ...] = ("letters", "sum", "max")
    """The monoids that fit the algorithm."""
    calls: Mapping[str, Callable[..., Any]] = field(default_factory=dict[str, Callable[..., Any]])
    """The function that performs an operation on a window, if it is not simply a method."""
    decimal: bool = False
    """True if times may be decimals."""
    lifts: bool = True
    """True if it takes partial aggregates; otherwise it takes stream elements."""

    def check(self, operation: Any) -> Asked:
        """Check an operation that the page sends, and return it.  Raises InputError."""
        if not isinstance(operation, list) or not operation or operation[0] not in self.operations:
            raise InputError(f"{operation!r} is none of {', '.join(self.operations)}")
        takes = self.operations[operation[0]]
        if len(operation) != len(takes) + 1:
            raise InputError(f"{operation[0]} takes {', '.join(takes) or 'nothing'}, not {operation[1:]!r}")
        if takes == (ENTRIES,):
            self._check_entries(*operation)
            return operation
        for what, value in zip(takes, operation[1:], strict=True):
            self._check_argument(operation[0], what, value)
        return operation

    def _check_argument(self, name: str, what: str, value: Any) -> None:
        """Raise InputError unless a value fits this kind of argument."""
        is_number = isinstance(value, int | float) and not isinstance(value, bool) and value == value
        if is_number and abs(value) > EXACT:
            raise InputError(f"{name}: a browser cannot represent {value!r} exactly; give a number up to {EXACT:,}")
        least = {"units": 0, "times": 1, "size": int(name == "register")}.get(what)
        if what == ELEMENT:
            fits, must = isinstance(value, str | int | float), "a text or a number"
        elif self.decimal:
            fits, must = is_number, "a number"
        else:
            fits = is_number and isinstance(value, int) and (least is None or value >= least)
            must = "a whole number" if least is None else f"a whole number, at least {least}"
        if not fits:
            raise InputError(f"{name}: its {what} must be {must}, not {value!r}")

    def _check_entries(self, name: str, entries: Any) -> None:
        """Check that entries are arguments of inserts, sorted by time.  Raises InputError."""
        like = ", ".join(self.operations["insert"])
        if not isinstance(entries, list) or not all(isinstance(entry, list) for entry in entries):
            raise InputError(f"{name}: its entries must be a list of [{like}], not {entries!r}")
        for entry in entries:
            self.check(["insert", *entry])
        for (before, *_), (after, *_) in pairwise(entries):
            if after < before:
                raise InputError(f"{name}: time {after!r} comes after {before!r}; sort the entries by time")

    def inserts(self, operation: Asked) -> list[Asked]:
        """Return the single inserts of an operation: itself, or those of a bulk."""
        if self.operations[operation[0]] == (ENTRIES,):
            return [["insert", *entry] for entry in operation[1]]
        return [operation] if ELEMENT in self.operations[operation[0]] else []

    def elements(self, history: Sequence[Asked]) -> list[Any]:
        """The elements of a history, in its order."""
        inserts = (insert for operation in history for insert in self.inserts(operation))
        return [
            value
            for name, *arguments in inserts
            for what, value in zip(self.operations[name], arguments, strict=True)
            if what == ELEMENT
        ]

    def perform(self, window: Any, monoid: Tracked, operation: Asked) -> Any:
        """Perform an operation on a window; an element's name is its time or its number."""
        arguments = self._lift(monoid, operation)
        if self.operations[operation[0]] == (ENTRIES,):
            arguments = [[tuple(self._lift(monoid, insert)) for insert in self.inserts(operation)]]
        call = self.calls.get(operation[0])
        answer = getattr(window, operation[0])(*arguments) if call is None else call(window, *arguments)
        return self.hold(window, operation, answer)

    def hold(self, window: Any, operation: Asked, answer: Any) -> Any:
        """Return the answer of an operation.  Raises WrongAnswerError if the definition's answer differs."""
        shadows = [cls for cls in type(window).__mro__[1:] if issubclass(cls, Shadow)]  # a user's class has none
        if operation[0] in ASKING and hasattr(window.model, operation[0]):
            right = getattr(window.model, operation[0])(*operation[1:])
        elif (
            answer is not None and hasattr(window, "expected") and any(is_written(cls, operation[0]) for cls in shadows)
        ):
            right = window.expected
        else:
            return answer
        return agree(answer, right)

    def _lift(self, monoid: Tracked, operation: Asked) -> list[Any]:
        """Return the arguments of an operation, with elements lifted to partial aggregates."""
        takes = self.operations[operation[0]]
        name = operation[1 + takes.index(TIME)] if TIME in takes else monoid.lifted
        return [
            monoid.lift(value, name) if what == ELEMENT and self.lifts else value
            for what, value in zip(takes, operation[1:], strict=True)
        ]


EXACT: Final = 2**53 - 1
"""The largest integer that is exact in a browser, where all numbers are floats; also the limit in a link."""


def refuse(ask: Callable[[], Any]) -> NoReturn:
    """Perform an operation that must be refused.  Raises RefusedError if it is, and WrongAnswerError otherwise."""
    try:
        ask()
    except ValueError as error:
        raise RefusedError from error
    raise WrongAnswerError("the answer is none, and should be a refusal")


def agree(answer: Any, right: Any) -> Any:
    """Return the answer.  Raises WrongAnswerError if it differs from the right one."""
    if not right == answer:
        raise WrongAnswerError(f"the answer is {answer}, and should be {right}")
    return answer


def with_elements(operations: Sequence[Asked], play: Play, monoid: str) -> list[list[Any]]:
    """Return the same operations, with elements filled in.

    >>> from swagproof.learn.plays.repertoire import PLAYS
    >>> with_elements([["insert"], ["insert"], ["evict"]], PLAYS["daba"], "letters")
    [['insert', 'a'], ['insert', 'b'], ['evict']]
    """
    elements = elements_of(monoid)

    def fill(operation: Asked) -> list[Any]:
        takes = play.operations[operation[0]]
        if takes == (ENTRIES,):
            return [operation[0], [fill(insert)[1:] for insert in play.inserts(operation)]]
        return [*operation, *islice(elements, 1)] if len(operation) <= len(takes) and ELEMENT in takes else [*operation]

    return [fill(operation) for operation in operations]
