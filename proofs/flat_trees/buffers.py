"""Exhaustive exploration of windows in circular buffers, and of base intervals: every state, every operation from it.

A state is the shape of what is kept: capacity, front, back, which slots are filled, and which were changed since the
window fired.  Values are not part of it: the invariants, checked after every single step, say of each slot and node
what it holds, so that two places of one shape differ in names alone.  What a changed slot held before is nobody's
business; whether it was ⊥ is kept.

Elements are the letters a, b, c, ... in the order of their arrival: over the free monoid no two windows are alike.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any, Final

from swagproof.models.any_order import AnyOrderWindow, NotInWindowError
from swagproof.models.containers.array import Array
from swagproof.models.containers.bottom import WithBottom
from swagproof.models.containers.deque import ChunkedDeque
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import Counting
from swagproof.models.operations import CONCATENATION
from swagproof.proofs.explorer import histories
from swagproof.proofs.explorer.walk import Counts, Violation, counted, walk
from swagproof.proofs.in_order import pointer_states as exploration
from swagproof.proofs.ledger.claim import Outcome
from swagproof.proofs.ledger.variants import Variant
from swagproof.reference.catalogue import Column
from swagproof.reference.flat_trees.flat_fat import FlatFat

LETTERS: Final = histories.LETTERS + exploration.LETTERS

SHARED: Final = (int, str, type(None), Enum, Counting, WithBottom)
"""What a copy may share: it never changes, or is the operator."""


def copy_of(value: Any) -> Any:
    """A copy that shares nothing but what never changes.  TypeError for a kind that could be shared unseen."""
    if isinstance(value, SHARED):
        return value
    if isinstance(value, Array):
        return value.copy()
    if isinstance(value, list | set):
        return type(value)(copy_of(item) for item in value)
    if isinstance(value, dict):
        return {key: copy_of(item) for key, item in value.items()}
    if isinstance(value, ChunkedDeque):
        deque = ChunkedDeque[Any]()
        for item in value:
            deque.push_back(copy_of(item))
        return deque
    if isinstance(value, FlatFat | AnyOrderWindow | Ghosts):
        made = object.__new__(type(value))
        vars(made).update({name: item if name == "monoid" else copy_of(item) for name, item in vars(value).items()})
        return made
    raise TypeError(f"the explorer cannot copy a {type(value).__name__}")


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
        _demand("resized", self.capacity == capacity >= 1)  # type: ignore[attr-defined]  # the algorithm's
        _demand("no holes after resize", self.contract.no_holes(self))
        _demand("filled after resize", self.contract.filled(self))

    def compact(self) -> None:
        self.coins += self.capacity  # type: ignore[attr-defined]  # the algorithm's
        super().compact()  # type: ignore[misc]  # the algorithm's, next in line
        _demand("no holes after compact", self.answers_only or self.contract.no_holes(self))


class _Broken(Exception):
    """A check within an operation failed."""


def _demand(what: str, holds: bool) -> None:
    if not holds:
        raise _Broken(what)


@dataclass
class _Place:
    """A shape reached: the algorithm there, with its ghosts, and how it was reached."""

    algorithm: Any
    trace: tuple[str, ...] = ()

    def step(self, name: str) -> "_Place":
        """A copy to take a step on.  As many events as there are changes, the fewest that may have come: a place that
        is reached in several ways stands for the strictest of them."""
        after = copy_of(self.algorithm)
        after.events = len({*getattr(after, "pending", ()), *getattr(after, "freed", ())})
        return _Place(after, (*self.trace, name))


@dataclass(frozen=True)
class Explorer:
    """What is explored: an algorithm with its contracts, from these capacities, and the steps that are taken."""

    column: Column
    limit: int
    """The largest capacity; for base intervals the largest window."""
    starts: tuple[int, ...] = (1,)
    """The capacities to begin with; none for base intervals."""
    any_order: bool = False
    """Whether any element may leave, or only the oldest."""
    batches: bool = False
    """Whether the window may fire later than after each event."""
    answers_only: bool = False
    """To hunt for a history that a user would notice: nothing is looked at but answers and errors."""

    def explore(self, variant: Variant | None = None) -> Counts:
        """Visit every state from each start.  Returns (states, transitions), summed over the starts.

        Raises Violation.  Checked after every step: every clause of the invariant, the combine calls, the account, the
        answer; that resizes and compacts leave what they promise; that refused evicts change nothing.
        """
        algorithm = self.column.algorithm if variant is None else variant.of(self.column.algorithm)
        made = type(
            algorithm.__name__,
            (Ghosts, algorithm),
            {"contract": self.column.contract, "answers_only": self.answers_only},
        )
        counts = [
            walk(self._start(partial(made, Counting(CONCATENATION), *start)), self._after, self._shape)
            for start in ([[capacity] for capacity in self.starts] or [[]])
        ]
        return Counts(sum(c.states for c in counts), sum(c.transitions for c in counts))

    def outcome(self, expected: tuple[int, int], variant: Variant | None = None) -> Outcome:
        """Explore, and hold the counts against the ones expected."""
        return counted(lambda: self.explore(variant), expected)

    def _start(self, made: Callable[[], Any]) -> _Place:
        place = _Place(made())
        self.check(place)
        if self.column.contract.savings(place.algorithm) > place.algorithm.start:
            raise Violation("the account opens with more than one coin for each slot", ())
        return place

    def _after(self, place: _Place) -> Iterator[_Place]:
        s = place.algorithm
        if self._may_grow(s):
            yield self._fire(self._insert(place))
        if not s.model.size:
            yield self._refused(place, None, EmptyWindowError)
        for i in range(s.model.size if self.any_order else min(1, s.model.size)):
            yield self._fire(self._evict(place, i))
        if self.any_order and s.model.size:
            for ticket in (s.model.arrived, *sorted(set(range(s.model.arrived)) - set(s.model.tickets))[-1:]):
                yield self._refused(place, ticket, NotInWindowError)
        yield self._query(place)

    def _may_grow(self, s: Any) -> bool:
        """Whether one more element stays within the limit."""
        if not self.starts:
            return bool(s.model.size < self.limit)
        return bool(s.capacity < self.limit or (s.capacity == self.limit and self.column.contract.stays(s)))

    def _fire(self, place: _Place) -> _Place:
        return place if self.batches else self._query(place)

    def _insert(self, place: _Place) -> _Place:
        letter = LETTERS[place.algorithm.model.arrived]
        after = place.step(f"insert {letter}")
        bound = after.algorithm.contract.insert_bound(after.algorithm)
        with _Watch(self, after, "insert", bound, account=True):
            ticket = after.algorithm.insert(letter)
            _demand("ticket", ticket in (None, after.algorithm.model.insert(letter)))
            after.algorithm.events += 1
        return after

    def _evict(self, place: _Place, i: int) -> _Place:
        ticket = place.algorithm.model.tickets[i]
        after = place.step(f"evict {LETTERS[ticket]}")
        bound = after.algorithm.contract.evict_bound(after.algorithm)
        with _Watch(self, after, "evict", bound, account=True):
            after.algorithm.evict(*[ticket] if i else [])
            after.algorithm.model.evict(ticket)
            after.algorithm.events += 1
        return after

    def _query(self, place: _Place) -> _Place:
        after = place.step("query")
        bound = after.algorithm.contract.query_bound(after.algorithm)
        with _Watch(self, after, "query", bound, account=False):
            _demand("answer", after.algorithm.query() == after.algorithm.model.query())
            after.algorithm.events = 0
        return after

    def _refused(self, place: _Place, ticket: int | None, error: type[Exception]) -> _Place:
        after = place.step("evict" if ticket is None else f"evict {LETTERS[ticket]}")
        try:
            after.algorithm.evict(*[] if ticket is None else [ticket])
        except error:
            if self._shape(after) != self._shape(place):
                raise Violation("a refused evict changes nothing", after.trace) from None
            self.check(after)
            return after
        except Exception as other:
            raise Violation(f"evict raises {error.__name__}", after.trace) from other
        raise Violation(f"evict raises {error.__name__}", after.trace)

    def check(self, place: _Place) -> None:
        """Every clause of the invariant."""
        if self.answers_only:
            return
        for clause in self.column.contract.INVARIANT:
            try:
                holds = clause(place.algorithm)
            except Exception as error:
                raise Violation(f"{clause.__name__}: {type(error).__name__}: {error}", place.trace) from error
            if not holds:
                raise Violation(clause.__name__, place.trace)
        if self.starts and not self.any_order and not self.column.contract.no_holes(place.algorithm):
            raise Violation("no holes in FIFO order", place.trace)

    def _shape(self, place: _Place) -> tuple[Any, ...]:
        shape = tuple(self.column.contract.shape(place.algorithm, self.limit))
        return (*shape, *_contents(place.algorithm)) if self.answers_only else shape


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


class _Watch:
    """Around one operation on a place: its exceptions, combine calls, account and invariant."""

    def __init__(self, explorer: Explorer, place: _Place, name: str, bound: int, *, account: bool) -> None:
        self.explorer, self.place, self.name, self.bound, self.account = explorer, place, name, bound, account
        s = place.algorithm
        s.counting.calls = 0  # one counter for all places
        self.contract = s.contract
        self.spent, self.savings = self.contract.spent(s), self.contract.savings(s)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: Any) -> None:
        place, s = self.place, self.place.algorithm
        calls = s.counting.calls
        if isinstance(error, _Broken):
            raise Violation(str(error), place.trace) from error
        if isinstance(error, Exception):
            raise Violation(f"{self.name} raised {type(error).__name__}: {error}", place.trace) from error
        if error is not None or self.explorer.answers_only:
            return
        self.explorer.check(place)
        if calls > self.bound:
            raise Violation(f"{self.name} calls", place.trace)
        if self.account:
            paid = getattr(self.contract, f"{self.name}_paid")
            if not paid(self.contract.spent(s) - self.spent, self.savings, self.contract.savings(s)):
                raise Violation(f"{self.name} paid", place.trace)
