"""How an algorithm is played: what can be asked of it, what it can be built with, and the histories that show it.

An operation is a list: its name, then its arguments, elements and times as JSON has them: `["insert", "a"]`,
`["insert", 3, "b"]`.  A history is a list of operations, and what a link carries.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, TypeAlias

from swagproof.learn.plays.monoids import elements_of
from swagproof.learn.products import Tracked
from swagproof.oracle.trace import InputError

Asked: TypeAlias = Sequence[Any]
"""An operation: its name and its arguments."""

ELEMENT: Final = "element"
TIME: Final = "time"

ASKING: Final = ("query", "range_query")
"""What changes nothing, and is answered by the definition beside a window too."""


class WrongAnswerError(Exception):
    """What was asked was not answered as the definition does."""

    def __init__(self, answer: Any, right: Any) -> None:
        super().__init__(f"the answer is {answer}, and should be {right}")


class RefusedError(Exception):
    """What was asked is outside of what can be asked, and was refused, as it is to be: by its cause."""


class CutWindowError(WrongAnswerError):
    """A window is no union of whole slices."""

    def __init__(self) -> None:
        Exception.__init__(self, "a window is no union of whole slices")


@dataclass(frozen=True)
class Scenario:
    """A history with a point to it."""

    name: str
    says: str
    make: Callable[[int], list[list[Any]]]
    """The operations, without elements, for this size."""


@dataclass(frozen=True)
class Option:
    """A number that an algorithm can be built with."""

    values: tuple[int, ...]
    """The usual one first."""
    says: str
    label: str = ""
    """What it is called, where that is not its name."""
    names: tuple[str, ...] = ()
    """What the values are called, where they are no numbers to the reader."""

    def as_json(self, name: str, value: int) -> dict[str, Any]:
        """As the page shows it."""
        choices = [*zip(self.values, self.names or map(str, self.values), strict=True)]
        label = self.label or name.replace("_", "-")
        return {"value": value, "choices": choices, "label": label, "says": self.says}


@dataclass(frozen=True)
class Play:
    """How the algorithms of one kind are played."""

    operations: Mapping[str, tuple[str, ...]]
    """By name, what each takes: `element`, `time`."""
    build: Callable[[type[Any], Tracked, Mapping[str, Any]], Any]
    """A window of this class over this monoid, with these options."""
    scenarios: tuple[Scenario, ...] = ()
    start: tuple[tuple[Any, ...], ...] = ()
    """What is asked first, so that there is something to see."""
    options: Mapping[str, Option] = field(default_factory=dict[str, Option])
    """What it can be built with."""
    monoids: tuple[str, ...] = ("letters", "sum", "max")
    """What it can be played over."""
    calls: Mapping[str, Callable[..., Any]] = field(default_factory=dict[str, Callable[..., Any]])
    """How an operation is asked that is not simply a method: from the window and the arguments."""
    refuses: bool = False
    """Whether it can be asked with a time that is a text, which does not compare with numbers, and is to be refused."""
    lifts: bool = True
    """Whether it takes partial aggregates; else it takes stream elements as they are."""

    def check(self, operation: Any) -> Asked:
        """An operation as the page sends it.  Raises InputError."""
        if not isinstance(operation, list) or not operation or operation[0] not in self.operations:
            raise InputError(f"{operation!r} is none of {', '.join(self.operations)}")
        takes = self.operations[operation[0]]
        if len(operation) != len(takes) + 1:
            raise InputError(f"{operation[0]} takes {', '.join(takes) or 'nothing'}, not {operation[1:]!r}")
        for what, value in zip(takes, operation[1:], strict=True):
            fits = isinstance(value, int | float) and not isinstance(value, bool) and value == value
            if what != ELEMENT and not fits and not (self.refuses and isinstance(value, str)):
                raise InputError(f"{operation[0]}: its {what} must be a number, not {value!r}")
            if what != ELEMENT and isinstance(value, float) and not self.refuses:
                raise InputError(f"{operation[0]}: its {what} must be a whole number, not {value!r}")
            least = {"units": 0, "times": 1, "size": int(operation[0] == "register")}.get(what)
            if least is not None and value < least:
                raise InputError(f"{operation[0]}: its {what} must be at least {least}, not {value!r}")
            if what == ELEMENT and not isinstance(value, str | int | float):
                raise InputError(f"{operation[0]}: its element must be a text or a number, not {value!r}")
        return operation

    def elements(self, history: Sequence[Asked]) -> list[Any]:
        """The elements of a history, in its order."""
        found: list[Any] = []
        for name, *arguments in history:
            found += [value for what, value in zip(self.operations[name], arguments, strict=True) if what == ELEMENT]
        return found

    def perform(self, window: Any, monoid: Tracked, operation: Asked) -> Any:
        """Ask it of a window; its element is named by its time, or else by its number among those inserted."""
        takes = self.operations[operation[0]]
        name = operation[1 + takes.index(TIME)] if TIME in takes else monoid.lifted
        arguments = [
            monoid.lift(value, name) if what == ELEMENT and self.lifts else value
            for what, value in zip(takes, operation[1:], strict=True)
        ]
        call = self.calls.get(operation[0])
        answer = getattr(window, operation[0])(*arguments) if call is None else call(window, *arguments)
        return self.hold(window, operation, answer)

    def hold(self, window: Any, operation: Asked, answer: Any) -> Any:
        """The answer of an operation.  Raises WrongAnswerError where the definition beside the window has another."""
        ghost = vars(type(window).__mro__[1])  # see `watch`; a class of somebody's own has none
        if operation[0] in ASKING:
            right = getattr(window.model, operation[0])(*operation[1:])
        elif answer is not None and operation[0] in ghost and hasattr(window, "expected"):
            right = window.expected
        else:
            return answer
        return agree(answer, right)


def agree(answer: Any, right: Any) -> Any:
    """The answer.  Raises WrongAnswerError where it is another than the right one."""
    if not answer == right:
        raise WrongAnswerError(answer, right)
    return answer


def with_elements(operations: Sequence[Asked], play: Play, monoid: str, samples: Sequence[Any] = ()) -> list[list[Any]]:
    """The same operations, each with the element that it lacks.

    >>> from swagproof.learn.plays.repertoire import PLAYS
    >>> with_elements([["insert"], ["insert"], ["evict"]], PLAYS["daba"], "letters")
    [['insert', 'a'], ['insert', 'b'], ['evict']]
    """
    elements = elements_of(monoid, samples)
    return [
        [*operation, *islice(elements, 1)] if len(operation) <= len(takes) and ELEMENT in takes else [*operation]
        for operation in operations
        for takes in [play.operations[operation[0]]]
    ]
