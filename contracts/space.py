"""A counter of the partial aggregates that a structure stores, by reflection."""

from collections import deque
from collections.abc import Callable, Iterable
from functools import cache
from operator import attrgetter
from typing import Any

from swagproof.models.containers.bottom import BOTTOM

NOT_STORED = frozenset({"monoid", "counting", "remove", "model", "expected"})
"""Attributes outside the algorithm's storage: the operator, the model, and the expected answers."""


def stored_aggregates(structure: Any, kind: type) -> int:
    """Return the number of stored partial aggregates of this type; an object stored twice counts twice.

    It searches attributes, slots and containers, including places that the algorithm may have forgotten, such as a
    popped slot that is not cleared.  O(size).

    >>> from swagproof.models.containers.element import Element
    >>> from swagproof.models.containers.stack import Stack
    >>> stack = Stack[Element[str]]()
    >>> stack.push(Element("a", "a")); stack.push(Element("b", "ab")); stored_aggregates(stack, str)
    4
    """
    seen: set[int] = set()
    work: list[Any] = [structure]
    count = 0
    while work:
        for item in _parts_of(work.pop()):
            if isinstance(item, kind):
                count += 1
            elif item is not None and item is not BOTTOM and type(item) is not int and id(item) not in seen:
                seen.add(id(item))
                work.append(item)
    return count


def at_most(bound: int, stored: int) -> bool:
    """Check that at most `bound` partial aggregates are stored."""
    return stored <= bound


def _parts_of(place: Any) -> Iterable[Any]:
    if isinstance(place, list | tuple | deque | set):
        return place  # pyright: ignore[reportUnknownVariableType]  # elements of any type
    if isinstance(place, dict):
        return place.values()  # pyright: ignore[reportUnknownVariableType]  # elements of any type
    kept = _read_slots(type(place))(place)  # type: ignore[arg-type]  # a type is hashable
    named = getattr(place, "__dict__", None)
    return [*kept, *(value for name, value in named.items() if name not in NOT_STORED)] if named else kept


@cache
def _read_slots(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    """Return a reader of a class's slots, which reads all at once if all are set."""
    names = tuple(dict.fromkeys(name for owner in kind.__mro__ for name in getattr(owner, "__slots__", ())))
    if not names:
        return lambda place: ()
    whole = attrgetter(*names, names[0])

    def read(place: Any) -> tuple[Any, ...]:
        try:
            return whole(place)[:-1]
        except AttributeError:
            return tuple(getattr(place, name, None) for name in names)

    return read
