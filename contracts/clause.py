"""Clauses of invariants: named predicates with a range, whose docstrings hold the paper's formulas.

The papers state clauses about the whole state, and clauses "for i in 0 .. n-1".  Each is written once, in ordinary
Python (comparisons, `and`, `or`, `if`), and used in two ways.  A check on a live object evaluates a clause at every
place in its range.  A proof shows it at one arbitrary place, and assumes it at the places that the code reads.  So a
clause carries its range:

- a plain function is about the state as a whole;
- `ForEach`: about every slot of a container of the state or of a named variable;
- `ForAll`: about every combination of slots of several containers;
- `ForEachPair`: about every two slots of one container, the first before the second;
- `Everywhere`: about every number;
- `EverySlot`: about every slot of a circular buffer;
- `EachTurn`: about every turn that a loop has made;
- `Counted`: a set is within an interval, or equal to it, which bounds the number of its members.

A clause's parameters are the state, then the place if it has a range, then any local variables of the method.  A clause
of a loop may also name `done`, the number of turns made, and other names in the contract's conventions.
"""

import inspect
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from typing import Any, TypeAlias

from swagproof.models.containers.stack import Stack


def size(items: Any) -> Any:
    """Return the number of items of a set or a list, concrete or symbolic."""
    return items.size if hasattr(items, "size") else len(items)


def inside(items: Any, lo: Any, hi: Any) -> Any:
    """Return the number of members in lo .. hi - 1 of a set, concrete or symbolic."""
    return items.inside(lo, hi) if hasattr(items, "inside") else sum(lo <= v < hi for v in items)


def equal(items: Any, others: Any) -> Any:
    """Return whether two queues or lists, or two symbolic queues, have equal items in the same order."""
    return items.equals(others) if hasattr(items, "equals") else list(items) == list(others)


@cache
def _parameters(function: Callable[..., Any], taken: int) -> list[str]:
    return list(inspect.signature(function).parameters)[taken:]


def slots(container: Any) -> Iterable[Any]:
    """Return the slots of a container: depths of a stack from its top, indices of a list, keys, pointers of a deque."""
    if isinstance(container, Stack):
        return range(container.size)
    if isinstance(container, list | deque | dict):
        return container if isinstance(container, dict) else range(len(container))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]  # of any kind
    return container.pointers()  # type: ignore[no-any-return]  # of any kind


class Ranging:
    """A clause that holds when `at(state, place, **local)` holds at every place of its range."""

    def __init__(self, at: Callable[..., bool], places: int = 1) -> None:
        self.at = at
        self.arity = places
        self.names = _parameters(at, 1 + places)
        self.__name__ = at.__name__
        self.__doc__ = at.__doc__

    def __repr__(self) -> str:
        """Show the formula, as a violation of the contract prints it."""
        return (self.__doc__ or self.__name__).partition("\n")[0]

    def places(self, state: Any, local: Mapping[str, Any]) -> Iterable[Any]:
        """Return the range in a concrete state."""
        raise NotImplementedError

    def read(self, state: Any, places: Sequence[Any], /, **named: Any) -> bool:
        """Evaluate the clause at these places, one for each range."""
        return self.at(state, *places, **named)

    def __call__(self, state: Any, /, **local: Any) -> bool:
        at, places = self.at, self.places(state, local)
        if not self.names:  # the common case: half of the time of an exploration is spent here
            return all(at(state, place) for place in places)
        named = {name: local[name] for name in self.names}
        return all(at(state, place, **named) for place in places)


class ForEach(Ranging):
    """A clause about every slot of a container: this attribute of the state, or of the variable `of`.

    With an empty name the container is the variable itself, such as a list built by a method.
    """

    def __init__(self, container: str, at: Callable[..., bool], of: str = "") -> None:
        super().__init__(at)
        self.container = container
        self.of = of

    def container_in(self, state: Any, local: Mapping[str, Any]) -> Any:
        """Return the container, concrete or symbolic."""
        owner = local[self.of] if self.of else state
        return getattr(owner, self.container) if self.container else owner

    def places(self, state: Any, local: Mapping[str, Any]) -> Iterable[Any]:
        return slots(self.container_in(state, local))


def for_each(container: str, of: str = "") -> Callable[[Callable[..., bool]], ForEach]:
    """Turn a predicate `(state, slot)` into a clause about every slot of `state.<container>`."""
    return lambda at: ForEach(container, at, of)


class ForAll(Ranging):
    """A clause about every combination of slots of several containers of the state, or of the variable `of`."""

    def __init__(self, containers: Sequence[str], at: Callable[..., bool], of: str = "") -> None:
        super().__init__(at, len(containers))
        self.containers = containers
        self.of = of

    def containers_in(self, state: Any, local: Mapping[str, Any]) -> list[Any]:
        """Return the containers, concrete or symbolic."""
        owner = local[self.of] if self.of else state
        return [getattr(owner, name) if name else owner for name in self.containers]

    def places(self, state: Any, local: Mapping[str, Any]) -> Iterable[Any]:
        return product(*map(slots, self.containers_in(state, local)))

    def __call__(self, state: Any, /, **local: Any) -> bool:
        named = {name: local[name] for name in self.names}
        return all(self.read(state, places, **named) for places in self.places(state, local))


def for_all(*containers: str) -> Callable[[Callable[..., bool]], ForAll]:
    """Turn a predicate `(state, slot, slot, ...)` into a clause about all slots of these containers."""
    return lambda at: ForAll(containers, at)


class ForEachPair(ForAll):
    """A clause about every two slots of a container, the first before the second.

    A clause about neighbours alone implies an order only by induction; one about all pairs states it directly.
    """

    def __init__(self, container: str, at: Callable[..., bool], of: str = "") -> None:
        super().__init__((container, container), at, of)
        self.names = _parameters(at, 2)

    def places(self, state: Any, local: Mapping[str, Any]) -> Iterable[Any]:
        return combinations(slots(self.containers_in(state, local)[0]), 2)

    def read(self, state: Any, places: Sequence[Any], /, **named: Any) -> bool:
        return self.at(state, tuple(places), **named)


def for_each_pair(container: str, of: str = "") -> Callable[[Callable[..., bool]], ForEachPair]:
    """Turn a predicate `(state, (slot, later slot))` into a clause about every two slots of the container."""
    return lambda at: ForEachPair(container, at, of)


class Everywhere(Ranging):
    """A clause about every integer.  A check evaluates it from 0 to 2n, so also beyond the places of an array of n."""

    def places(self, state: Any, local: Mapping[str, Any]) -> Iterable[Any]:
        return range(2 * state.n + 1)


class EverySlot(Everywhere):
    """A clause about every slot of a circular buffer, 1 .. `capacity`."""

    def places(self, state: Any, local: Mapping[str, Any]) -> Iterable[Any]:
        return range(1, state.capacity + 1)


class EachTurn(Ranging):
    """A clause about every turn that a loop has made, 0 .. `done` - 1."""

    def places(self, state: Any, local: Mapping[str, Any]) -> Iterable[Any]:
        return range(local["done"])


class Counted:
    """A clause that the set in this local variable is within [lo, hi), and so has at most hi - lo members.

    With `full`, it equals [lo, hi), and has exactly hi - lo members.
    """

    def __init__(self, members: str, within: Callable[..., tuple[Any, Any]], *, full: bool = False) -> None:
        self.members = members
        self.within = within
        self.full = full
        self.__name__ = f"{members} is {'all of' if full else 'within'} its level"

    def __call__(self, state: Any, **local: Any) -> bool:
        members = local.pop(self.members)
        lo, hi = self.within(state, **local)
        return set(members) == set(range(lo, hi)) if self.full else all(lo <= v < hi for v in members)


Clause: TypeAlias = Callable[..., bool]
"""A predicate of the state, a `Ranging` or a `Counted`."""


def local_names(clause: Clause) -> list[str]:
    """Return the parameters of a clause after the state and the place."""
    if isinstance(clause, Counted):
        return [clause.members, *_parameters(clause.within, 1)]
    if isinstance(clause, Ranging):
        range_of = (
            [clause.of]
            if isinstance(clause, ForEach | ForAll) and clause.of
            else ["done"] * isinstance(clause, EachTurn)
        )
        return list(dict.fromkeys([*clause.names, *range_of]))
    return _parameters(clause, 1)


def _no_variant(state: Any) -> int:
    """Return 0, the variant of a `for` loop, which needs none."""
    return 0


class Loop:
    """The invariant of a loop: its clauses and, for a `while`, a variant that is at least 0 and falls at each turn."""

    def __init__(self, *clauses: Clause, variant: Callable[..., Any] = _no_variant) -> None:
        self.clauses = clauses
        self.variant = variant


Loops: TypeAlias = Mapping[str, tuple[Loop | None, ...]]
"""The loop invariants of each method, in the order of the source; None for a loop that is not cut."""
