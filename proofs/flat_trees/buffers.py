"""Exhaustive exploration of windows in circular buffers, and of base intervals: every state, every operation from it.

A state is the shape of what is kept: capacity, front, back, which slots are filled, and which were changed since the
window fired.  Values are not part of it: the invariants, checked after every single step, say of each slot and node
what it holds, so that two places of one shape differ in names alone.  What a changed slot held before is nobody's
business; whether it was ⊥ is kept.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from swagproof.models.any_order import AnyOrderWindow, NotInWindowError
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.operations import CONCATENATION
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.explorer.space import Place, Space
from swagproof.proofs.ledger.variants import Variant
from swagproof.reference.catalogue import Column


class Ghosts:
    """What the contracts speak of beside the algorithm, as in `BufferGhost`; placed before it."""

    contract: Any
    answers_only: bool

    def __init__(self, monoid: Any, *capacity: int) -> None:
        self.counting = monoid
        self.model = AnyOrderWindow(CONCATENATION)
        self.start, self.coins, self.events = (*capacity, 1)[0], 0, 0
        super().__init__(monoid, *capacity)  # type: ignore[call-arg]  # the algorithm's, next in line

    def resize(self, capacity: int) -> None:
        self.coins += capacity
        super().resize(capacity)  # type: ignore[misc]  # the algorithm's, next in line
        if self.answers_only:
            return
        _require("resized", self.capacity == capacity >= 1)  # type: ignore[attr-defined]  # the algorithm's
        _require("no holes after resize", self.contract.no_holes(self))
        _require("filled after resize", self.contract.filled(self))

    def compact(self) -> None:
        self.coins += self.capacity  # type: ignore[attr-defined]  # the algorithm's
        super().compact()  # type: ignore[misc]  # the algorithm's, next in line
        _require("no holes after compact", self.answers_only or self.contract.no_holes(self))


class _Broken(Exception):
    """A check within an operation failed."""


def _require(what: str, holds: bool) -> None:
    if not holds:
        raise _Broken(what)


class Step(NamedTuple):
    """An operation, and the ticket of the element that comes or is asked to leave."""

    operation: str
    ticket: int | None = None

    def __str__(self) -> str:
        return self.operation if self.ticket is None else f"{self.operation} {LETTERS[self.ticket]}"


@dataclass(frozen=True)
class BufferStates(Space[Step]):
    """Every state of an algorithm, or of a wrong variant of it, that begins with some capacity.

    Checked after every step: every clause of the invariant, the combine calls, the account, the answer; that resizes
    and compacts leave what they promise; that refused evicts change nothing.
    """

    column: Column
    limit: int
    """The largest capacity; for base intervals the largest window."""
    capacity: int | None = 1
    """The capacity to begin with; none for base intervals."""
    any_order: bool = False
    """Whether any element may leave, or only the oldest."""
    batches: bool = False
    """Whether the window may fire later than after each event."""
    answers_only: bool = False
    """To hunt for a history that a user would notice: nothing is looked at but answers and errors."""
    variant: Variant | None = None

    @cached_property
    def _made(self) -> type[Any]:
        algorithm = self.column.algorithm if self.variant is None else self.variant.of(self.column.algorithm)
        names = {"contract": self.column.contract, "answers_only": self.answers_only}
        return type(algorithm.__name__, (Ghosts, algorithm), names)

    @property
    def constants(self) -> tuple[Any, ...]:
        own = [self._made.Fat] if hasattr(self._made, "Fat") else []
        return *super().constants, self._made, *own

    def starts(self) -> Iterator[Place[Step]]:
        s = self._made(self.monoid, *[] if self.capacity is None else [self.capacity])
        place = Place[Step](s, s.model)
        self._look(place)
        few = self.column.contract.savings(s) <= s.start
        self.require(place, "the account opens with one coin at most for each slot", few)
        yield place

    def choices(self, place: Place[Step]) -> Iterator[Step]:
        s, model = place.subject, place.model
        if self._may_grow(s):
            yield Step("insert", model.arrived)
        if not model.size:
            yield Step("evict")
        leaving = model.tickets if self.any_order else model.tickets[:1]
        if self.any_order and model.size:
            gone = sorted(set(range(model.arrived)) - set(model.tickets))[-1:]
            leaving = [*leaving, model.arrived, *gone]
        yield from (Step("evict", ticket) for ticket in leaving)
        yield Step("query")

    def _may_grow(self, s: Any) -> bool:
        """Whether one more element stays within the limit."""
        if self.capacity is None:
            return bool(s.model.size < self.limit)
        return bool(self.column.contract.capacity_after_insert(s) <= self.limit)

    def take(self, place: Place[Step], step: Step, before: Place[Step]) -> None:
        operation, ticket = step
        model = place.model
        if operation == "evict" and (ticket is None or ticket not in model.tickets):
            return self._refuse(place, ticket, before)
        if operation == "insert":
            with self._watched(place, "insert") as s:
                given = s.insert(LETTERS[model.arrived])
                _require("ticket", given in (None, model.insert(LETTERS[model.arrived])))
                s.events += 1
        elif operation == "evict":
            with self._watched(place, "evict") as s:
                s.evict(*[] if ticket == model.tickets[0] else [ticket])
                model.evict(ticket)
                s.events += 1
        if operation == "query":
            self._fire(place)
        elif not self.batches:
            place.steps = (*place.steps, Step("query"))
            self._fire(place)
        return None

    def _fire(self, place: Place[Step]) -> None:
        with self._watched(place, "query") as s:
            _require("answer", s.query() == place.model.query())
            s.events = 0

    @contextmanager
    def _watched(self, place: Place[Step], name: str) -> Generator[Any]:
        """Around one operation: its exceptions, combine calls, account and invariant.

        It begins with as many events as there are changes, the fewest that may have come: a place that is reached in
        several ways stands for the strictest of them.
        """
        s, contract = place.subject, self.column.contract
        s.events = len({*getattr(s, "pending", ()), *getattr(s, "freed", ())})
        self.monoid.calls = 0  # before it is looked what was spent
        bound, spent, saved = getattr(contract, f"{name}_bound")(s), contract.spent(s), contract.savings(s)
        try:
            yield s
        except _Broken as broken:
            raise self.violation(place, str(broken)) from broken
        except Exception as error:
            raise self.violation(place, f"{name} raised {type(error).__name__}: {error}") from error
        calls = self.monoid.calls
        if self.answers_only:
            return
        checks: dict[str, object] = {f"{name} calls": calls <= bound}
        if name != "query":
            paid = getattr(contract, f"{name}_paid")
            checks[f"{name} paid"] = paid(contract.spent(s) - spent, saved, contract.savings(s))
        self._look(place, checks)

    def _refuse(self, place: Place[Step], ticket: int | None, before: Place[Step]) -> None:
        error = EmptyWindowError if ticket is None else NotInWindowError
        try:
            place.subject.evict(*[] if ticket is None else [ticket])
        except error:
            self.require(place, "a refused evict changes nothing", self.state(place) == self.state(before))
            self._look(place)
        except Exception as other:
            raise self.violation(place, f"evict raises {error.__name__}") from other
        else:
            raise self.violation(place, f"evict raises {error.__name__}")

    def _look(self, place: Place[Step], checks: Mapping[str, object] = MappingProxyType({})) -> None:
        """Every clause of the invariant, and what was checked of the operation."""
        if self.answers_only:
            return
        contract, s = self.column.contract, place.subject
        if self.capacity is not None and not self.any_order:
            checks = {**checks, "no holes in FIFO order": contract.no_holes(s)}
        self.require_clauses(place, contract.INVARIANT, s, checks)

    def state(self, place: Place[Step]) -> tuple[Any, ...]:
        shape = tuple(self.column.contract.shape(place.subject, self.limit))
        return (*shape, *_contents(place.subject)) if self.answers_only else shape


def buffers(
    column: Column, limit: int, capacities: Sequence[int | None] = (1,), **more: Any
) -> tuple[BufferStates, ...]:
    """One space for each capacity to begin with."""
    return tuple(BufferStates(column, limit, capacity, **more) for capacity in capacities)


def _contents(s: Any) -> Iterator[Any]:
    """What a mistaken buffer may hold besides: values by their place in the window, and where tickets lead."""
    places = {value: i for i, value in enumerate(s.model.values)}
    for slot in range(1, s.capacity + 1):
        yield places.get(s.pending[slot]) if slot in s.pending else None
    for v in range(1, 2 * s.capacity):
        try:
            yield tuple(places.get(letter) for letter in s.fat.T[v]) if isinstance(s.fat.T[v], str) else None
        except IndexError:
            yield None
    yield tuple((i, getattr(s, "slot_of", {}).get(ticket)) for i, ticket in enumerate(s.model.tickets))
