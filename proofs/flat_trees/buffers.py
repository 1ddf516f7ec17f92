"""Exhaustive exploration of windows in circular buffers, and of base intervals: every state, every operation from it.

A state is everything that is stored: slots and nodes with their contents, pending changes in their order, and tickets
by the places of their elements in the window.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from swagproof.contracts.space import stored_aggregates
from swagproof.models.any_order import AnyOrderWindow, NotInWindowError
from swagproof.models.containers.bottom import BOTTOM
from swagproof.models.fifo import EmptyWindowError
from swagproof.proofs.explorer.freezing import GONE, Place, Role
from swagproof.proofs.explorer.letters import LETTERS, OPEN, WORDS, Word, letter
from swagproof.proofs.explorer.space import Broken, Space, classes_beside
from swagproof.proofs.ledger.mutants import Mutant, algorithm_of
from swagproof.reference.catalogue import REACTIVE_AGGREGATOR, REACTIVE_AGGREGATOR_FIFO, Column

NEW: Final = 1000
"""The number of the letter that an insert adds; no window has so many letters."""


class Ghosts:
    """A base class that adds the state needed by the contracts, as in `BufferShadow`."""

    contract: Any

    def __init__(self, monoid: Any, *capacity: int) -> None:
        self.counting = monoid
        self.model = AnyOrderWindow(WORDS)
        self.start, self.coins, self.events = (*capacity, 1)[0], 0, 0
        super().__init__(monoid, *capacity)  # type: ignore[call-arg]  # the algorithm's, next in line

    def resize(self, capacity: int) -> None:
        self.coins += capacity
        super().resize(capacity)  # type: ignore[misc]  # the algorithm's, next in line
        with OPEN:
            _require("resized", self.capacity == capacity >= 1)  # type: ignore[attr-defined]  # the algorithm's
            _require("no holes after resize", self.contract.no_holes(self))
            _require("filled after resize", self.contract.filled(self))

    def compact(self) -> None:
        self.coins += self.capacity  # type: ignore[attr-defined]  # the algorithm's
        super().compact()  # type: ignore[misc]  # the algorithm's, next in line
        with OPEN:
            _require("no holes after compact", self.contract.no_holes(self))


def _require(what: str, holds: bool) -> None:
    if not holds:
        raise Broken(what)


class BufferStep(NamedTuple):
    """An operation, with the place in the window of the element to evict.

    The place after the last element represents a ticket that was not issued yet, -1 a ticket whose element has left.
    """

    operation: str
    place: int | None = None


@dataclass(frozen=True)
class BufferStates(Space[BufferStep]):
    """Every state of an algorithm, or of a mutant of it, from some initial capacity.

    After every step, these are checked: every clause of the invariant, the combine calls, the account, the result, the
    postconditions of resizes and compacts, and that refused evicts change nothing.
    """

    column: Column
    limit: int
    """The largest capacity; for base intervals the largest window."""
    capacity: int | None = 1
    """The initial capacity; None for base intervals."""
    any_order: bool = False
    """True if any element may leave, False if only the oldest may."""
    batches: bool = False
    """True if the window need not fire after each event."""
    mutant: Mutant | None = None

    @property
    def most(self) -> int:  # type: ignore[override]  # of one space more than of the next
        return min(5_000, 800 * self.limit)

    @cached_property
    def idle(self) -> Mapping[str, str]:  # type: ignore[override]  # of one space others than of the next
        scratch = ("inverted", "front", "back") if self.column is REACTIVE_AGGREGATOR_FIFO else ()
        return {
            "coins": "what resizes have cost so far: the account asks what an operation adds",
            "events": "set when an operation begins",
            **dict.fromkeys(scratch, "set when an update of the tree begins"),
        }

    @property
    def lumps_gone(self) -> bool:  # type: ignore[override]  # of one space another than of the next
        return self.column is not REACTIVE_AGGREGATOR  # there, removed elements stay in the tree until a query

    @cached_property
    def positions(self) -> Mapping[str, Role]:  # type: ignore[override]  # of one space others than of the next
        numbers = ("arrived", "tickets", *(("front", "back") if self.capacity is None else ()))
        return {
            **dict.fromkeys(numbers, "values"),
            "slot_of": "keys",
            **dict.fromkeys(("pending", "freed"), "unordered"),
        }

    def pieces(self, place: Place[BufferStep]) -> list[Word]:
        return place.model.values  # type: ignore[no-any-return]  # of a window of words

    def numbering(self, place: Place[BufferStep]) -> tuple[Callable[[int], int], bool]:
        """Renumber tickets by the places of their elements; base intervals keep the low bits, which the code uses."""
        model = place.model
        if self.capacity is None:
            begin = place.subject.front // self._longest * self._longest
            return lambda x: x - begin, True
        ranks = dict(zip([*model.tickets, model.arrived], count(), strict=False))
        return lambda x: ranks.get(x, x - model.arrived), True

    def elsewhere(self, base: int) -> Callable[[int], int]:
        if self.capacity is None:
            return lambda x: base * self._longest + x
        return lambda x: base + (1 + base % 3) * x

    @cached_property
    def _longest(self) -> int:
        return 1 << self.limit.bit_length()

    @cached_property
    def _made(self) -> type[Any]:
        algorithm = algorithm_of(self.column, self.mutant)
        return type(algorithm.__name__, (Ghosts, algorithm), {"contract": self.column.contract})

    @property
    def constants(self) -> tuple[Any, ...]:
        own = [self._made.Fat] if hasattr(self._made, "Fat") else []
        return *super().constants, BOTTOM, self._made, *own, *classes_beside(self._made.__mro__[2])

    def starts(self) -> Iterator[Place[BufferStep]]:
        s = self._made(self.monoid, *[] if self.capacity is None else [self.capacity])
        place = Place[BufferStep](s, s.model)
        self._look(place)
        few = self.column.contract.savings(s) <= s.start
        self.require(place, "the account opens with one coin at most for each slot", few)
        yield place

    def choices(self, place: Place[BufferStep]) -> Iterator[BufferStep]:
        n = place.model.size
        if self._may_grow(place.subject):
            yield BufferStep("insert")
        if not n:
            yield BufferStep("evict")
        elif self.any_order:
            yield from (BufferStep("evict", k) for k in range(-1, n + 1))
        else:
            yield BufferStep("evict", 0)
        yield BufferStep("query")

    def words(self, steps: tuple[BufferStep, ...]) -> Iterator[str]:
        window, gone, arrived = list[int](), -1, 0
        for operation, k in steps:
            if operation == "insert":
                yield f"insert {LETTERS[arrived]}"
                window.append(arrived)
                arrived += 1
            elif k is None:
                yield operation
            else:
                ticket = gone if k < 0 else window[k] if k < len(window) else arrived
                yield f"evict {LETTERS[ticket]}"
                if ticket in window:
                    window.remove(ticket)
                    gone = ticket

    def _may_grow(self, s: Any) -> bool:
        """Return whether the window may grow by one element within the limit."""
        if self.capacity is None:
            return bool(s.model.size < self.limit)
        return bool(self.column.contract.capacity_after_insert(s) <= self.limit)

    def take(self, place: Place[BufferStep], step: BufferStep, before: Place[BufferStep]) -> None:
        operation, k = step
        ticket = None if k is None else self._ticket(place.model, k)
        given = [] if ticket is None else [ticket]
        if operation == "evict" and ticket not in place.model.tickets:
            place.subject.events = _count_changes(place.subject)
            self.require_refusal(place, before, NotInWindowError if given else EmptyWindowError, "evict", *given)
            return self._look(place)
        self._run(place, operation, *([letter(NEW)] if operation == "insert" else given if k else []))
        if operation != "query" and not self.batches:
            place.steps = (*place.steps, BufferStep("query"))
            self._run(place, "query")
        return None

    def _ticket(self, model: AnyOrderWindow[Word], k: int) -> int:
        if k < 0:
            return next(t for t in count(model.arrived - 1, -1) if t not in model.tickets)
        return [*model.tickets, model.arrived][k]

    def _blot(self, s: Any) -> None:
        """Overwrite the FIFO tree's nodes that no result needs; without ⊥ they keep old values."""
        if self.column is REACTIVE_AGGREGATOR_FIFO:
            needed = {v for v, _ in self.column.contract.list_needed(s)}
            for v in range(1, 2 * s.capacity):
                if v not in needed:
                    s.fat.T[v] = letter(GONE)

    def _run(self, place: Place[BufferStep], name: str, *given: Any) -> None:
        """Run one operation, and check its result, combine calls, account and the invariant.

        The number of events begins with the number of changes, the fewest events that can have led there.  A place that
        is reached in several ways is so checked under the strictest bound.
        """
        s, model, contract = place.subject, place.model, self.column.contract
        s.events = _count_changes(s)
        self.monoid.calls = 0  # before the bounds are computed
        bound, spent, saved = getattr(contract, f"{name}_bound")(s), contract.spent(s), contract.savings(s)
        answer = self.call(place, name, *given)
        checks: dict[str, object] = {f"{name} calls": self.monoid.calls <= bound}
        if name == "query":
            self.require(place, "answer", answer == model.query())
            s.events = 0
        elif name == "insert":
            self.require(place, "ticket", answer in (None, model.insert(*given)))
            s.events += 1
        else:
            model.evict(*given)
            s.events += 1
        if self.capacity is not None:
            checks["space"] = stored_aggregates(s, Word) <= contract.space_bound(s)
        if name != "query":
            paid = getattr(contract, f"{name}_paid")
            checks[f"{name} paid"] = paid(contract.spent(s) - spent, saved, contract.savings(s))
        self._look(place, checks)
        self._blot(s)

    def _look(self, place: Place[BufferStep], checks: Mapping[str, object] = MappingProxyType({})) -> None:
        """Check every clause of the invariant, and the operation's own checks."""
        contract, s = self.column.contract, place.subject
        if self.capacity is not None and not self.any_order:
            checks = {**checks, "no holes in FIFO order": contract.no_holes(s)}
        self.require_clauses(place, contract.INVARIANT, s, checks)


def _count_changes(s: Any) -> int:
    return len({*getattr(s, "pending", ()), *getattr(s, "freed", ())})


def buffers(
    column: Column, limit: int, capacities: Sequence[int | None] = (1,), **more: Any
) -> tuple[BufferStates, ...]:
    """Return one space for each initial capacity."""
    return tuple(BufferStates(column, limit, capacity, **more) for capacity in capacities)
