"""Counting what a structure really keeps, by looking into it."""

from collections.abc import Iterable
from functools import cache
from typing import Any

NOT_STORED = frozenset({"monoid", "counting", "remove", "model"})
"""Attributes that are no part of the algorithm's storage: the operator, and the definition of right beside it."""


def stored_aggregates(structure: Any, kind: type) -> int:
    """How many partial aggregates of this type the structure holds, each place counted, also twice the same object.

    Looks through attributes, slots, lists and tuples, into places that the algorithm may have forgotten too: a popped
    slot that is not cleared counts.  O(size).

    >>> from swagproof.models.containers.element import Element
    >>> from swagproof.models.containers.stack import Stack
    >>> stack = Stack[Element[str]]()
    >>> stack.push(Element("a", "a")); stack.push(Element("b", "ab")); stored_aggregates(stack, str)
    4
    """
    seen: set[int] = set()
    work: list[Any] = [[structure]]
    count = 0
    while work:
        place = work.pop()
        if isinstance(place, list | tuple):
            kept: Iterable[Any] = place
        else:
            kept = [getattr(place, name, None) for name in _slots(type(place))]  # type: ignore[arg-type]  # a type is hashable
            kept += [value for name, value in getattr(place, "__dict__", {}).items() if name not in NOT_STORED]
        for item in kept:
            if isinstance(item, kind):
                count += 1
            elif item is not None and type(item) is not int and id(item) not in seen:
                seen.add(id(item))
                work.append(item)
    return count


@cache
def _slots(kind: type) -> tuple[str, ...]:
    return tuple(name for owner in kind.__mro__ for name in getattr(owner, "__slots__", ()))
