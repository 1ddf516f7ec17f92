"""The written form of a state: the parts of a format, and the reader of its fields, whose errors name the field."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

from swagproof.models.containers.array import Array
from swagproof.models.containers.bottom import BOTTOM
from swagproof.models.containers.element import Element
from swagproof.models.operations import Operation
from swagproof.oracle.mistakes import show
from swagproof.oracle.trace import InputError, decode, encode
from swagproof.reference.catalogue import Column

NOTHING: Final = {"bottom": True}
"""The placeholder for a slot that holds no value."""

Monoid: TypeAlias = Operation[Any, Any, Any]


def short(data: Any) -> str:
    """A value in an error message."""
    text = show(data)
    return text if len(text) < 60 else f"{text[:40]} ..."


class Fields:
    """The fields of a state, read one by one.  Every method raises InputError that names the field."""

    def __init__(self, data: Mapping[str, Any], where: str, operation: Monoid) -> None:
        self.data = data
        self.where = where
        self.operation = operation

    def __contains__(self, name: str) -> bool:
        return name in self.data

    def fail(self, name: str, expected: str, found: Any) -> InputError:
        """The error about a field."""
        return InputError(f"{self.where}: field {name}: expected {expected}, found {short(found)}")

    def raw(self, name: str) -> Any:
        """Return the value of a field, of any type."""
        if name not in self.data:
            raise InputError(f"{self.where}: field {name} is missing; see swagproof check-state --formats")
        return self.data[name]

    def whole(self, name: str, default: int | None = None) -> int:
        """A whole number."""
        value = self.raw(name) if name in self.data or default is None else default
        if type(value) is not int:
            raise self.fail(name, "a whole number", value)
        return value

    def items(self, name: str) -> list[Any]:
        """A list of anything."""
        value = self.raw(name)
        if not isinstance(value, list):
            raise self.fail(name, "a list", value)
        return value

    def wholes(self, name: str) -> list[int]:
        """A list of whole numbers."""
        for at, value in enumerate(self.items(name)):
            if type(value) is not int:
                raise self.fail(f"{name}[{at}]", "a whole number", value)
        return self.items(name)

    def pair(self, name: str, what: str, data: Any) -> tuple[Any, Any]:
        """Two things in a list, which stand in this place."""
        pair: list[Any] = list(data) if isinstance(data, (list, tuple)) else []  # pyright: ignore[reportUnknownArgumentType]  # JSON of any shape
        if len(pair) != 2:
            raise self.fail(name, what, data)
        return pair[0], pair[1]

    def value(self, name: str, data: Any) -> Any:
        """A partial aggregate, which stands in this place.  One that the monoid takes."""
        try:
            value = decode(data)
            if type(value) is bool:
                raise ValueError("true and false are no numbers")
            self.operation.combine(self.operation.combine(self.operation.identity, value), value)
        except Exception as error:  # the monoid may be the user's own
            raise self.fail(name, f"a partial aggregate of {self.operation.name} ({error})", data) from None
        return value

    def slot(self, name: str, data: Any) -> Any:
        """A partial aggregate, or nothing."""
        return BOTTOM if data == NOTHING else self.value(name, data)

    def aggregate(self, name: str) -> Any:
        """A field that is a partial aggregate."""
        return self.value(name, self.raw(name))

    def values(self, name: str) -> list[Any]:
        """A list of partial aggregates."""
        return [self.value(f"{name}[{at}]", data) for at, data in enumerate(self.items(name))]

    def elements(self, name: str) -> list[Element[Any]]:
        """A list of elements with their aggregates."""
        made: list[Element[Any]] = []
        for at, data in enumerate(self.items(name)):
            if not isinstance(data, dict) or set(cast("dict[str, Any]", data)) != {"val", "agg"}:
                raise self.fail(f"{name}[{at}]", '{"val": ..., "agg": ...}', data)
            made.append(Element(*(self.value(f"{name}[{at}].{part}", data[part]) for part in ("val", "agg"))))
        return made

    def slots(self, name: str) -> Array[Any]:
        """Slots 1, 2, ..., each with a partial aggregate or nothing."""
        given = self.items(name)
        array = Array[Any](len(given))
        for at, data in enumerate(given):
            array[at + 1] = self.slot(f"{name}[{at}]", data)
        return array


def write_value(value: Any) -> Any:
    """A value, an element or an empty slot as JSON."""
    if isinstance(value, Element):
        return {"val": encode(value.val), "agg": encode(value.agg)}
    return NOTHING if value is BOTTOM else encode(value)


def write_pairs(names: Sequence[Any], values: Sequence[Any]) -> list[list[Any]]:
    """Values as JSON, each behind its time or ticket."""
    return [[name, encode(value)] for name, value in zip(names, values, strict=True)]


@dataclass(frozen=True)
class Content:
    """The expected content of a window: the field `window`, which formats of one kind of window share."""

    says: str
    """A description of the field."""
    read: Callable[[Fields], Any]
    """The content of the window, as the field gives it."""
    model: Callable[[Monoid, Any], Any]
    """The window by definition, from its content."""
    write: Callable[[Any], Any]
    """The field, from a window by definition."""
    defined: type[Any] | None = None
    """The class of windows by definition that can take the place of its content."""


@dataclass(frozen=True)
class Format:
    """The written form of an algorithm's state."""

    algorithm: str
    """As `check-state` takes it."""
    column: Column
    fields: Mapping[str, str]
    """Each field and what it holds; in brackets what it is where it is left out."""
    example: Mapping[str, Any]
    read: Callable[[Fields], Any]
    """The object that the clauses are evaluated on, except for its `model`."""
    write: Callable[[Any], dict[str, Any]]
    """The fields of a running reference."""
    content: Content
    """The expected content of the window."""
    extract: Callable[[Any], Any]
    """The same as the state itself holds it; None where it does not."""
    shown: Sequence[str] = ()
    """The fields to show of a state that breaks a clause about it."""
    counts_from: int = 0
    """The index of the first element in the algorithm's clauses; where it is 1, products include their end."""
