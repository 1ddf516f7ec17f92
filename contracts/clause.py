"""How an invariant is written: a named predicate, with the paper's formula in its docstring.

A clause about the whole state is a plain function of it.  A clause that the paper states for every index is written
once for one slot of a container and made a clause by `for_each`.  Run on a live object it visits all slots; a proof
takes it at one arbitrary slot.  Clauses are ordinary Python: comparisons, `and`, `or`, `if`.
"""

import inspect
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from swagproof.models.containers.stack import Stack

State = TypeVar("State")


def slots(container: Any) -> Iterable[Any]:
    """The slots of a container: depths of a stack from its top, pointers of a deque from its front."""
    return range(container.size) if isinstance(container, Stack) else container.pointers()


class ForEach(Generic[State]):
    """A clause that holds when `at` holds at every slot of the container that the state keeps under that name."""

    def __init__(self, container: str, at: Callable[..., bool]) -> None:
        self.container = container
        self.at = at
        self.__name__ = at.__name__
        self.__doc__ = at.__doc__

    def __call__(self, state: State, **local: Any) -> bool:
        return all(self.at(state, slot, **local) for slot in slots(getattr(state, self.container)))


def for_each(container: str) -> Callable[[Callable[..., bool]], ForEach[Any]]:
    """Make a predicate `(state, slot)` the clause that it holds at every slot of `state.<container>`."""

    def clause(at: Callable[..., bool]) -> ForEach[Any]:
        return ForEach(container, at)

    return clause


def local_names(clause: Any) -> list[str]:
    """The local variables of a loop that a clause of its invariant speaks of, besides state and slot."""
    at = clause.at if isinstance(clause, ForEach) else clause
    taken = 2 if isinstance(clause, ForEach) else 1
    return list(inspect.signature(at).parameters)[taken:]


class Loop:
    """The invariant of a loop: its clauses, and a variant that is at least 0 and falls at each turn.

    A clause, and the variant, may name local variables of the loop as parameters behind the state (and the slot).
    """

    def __init__(self, *clauses: Any, variant: Callable[..., Any]) -> None:
        self.clauses = clauses
        self.variant = variant
