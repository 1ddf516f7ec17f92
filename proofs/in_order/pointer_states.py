"""Exhaustive exploration: every reachable structural state up to a window size, every operation from each.

A state is everything that an algorithm stores, with pointers counted from the deque's begin and letters from the oldest
element.  At each state every clause of the contracts is checked.

This is independent of the symbolic engine: the reference runs unchanged, in plain Python, over words; only its deque is
replaced by the deque by definition.
"""

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import SimpleNamespace
from typing import Any, Final, Literal

from swagproof.contracts.space import stored_aggregates
from swagproof.models.containers.deque import ChunkedDeque, NumberedDeque, Pointer
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.operations import CONCATENATION, Operation
from swagproof.proofs.engine.source.methods import count_loops
from swagproof.proofs.engine.source.watched_loops import watch_invariants
from swagproof.proofs.explorer.freezing import Place, Role
from swagproof.proofs.explorer.letters import OPEN, LetterWindow, Word
from swagproof.proofs.explorer.space import Broken, Space, contract_state
from swagproof.proofs.ledger.mutants import Mutant, algorithm_of
from swagproof.reference.catalogue import FIFO, Column


def _without(a: str, ab: str) -> str:
    if not ab.startswith(a):
        raise ValueError(f"{ab!r} does not begin with {a!r}")
    return ab.removeprefix(a)


REMOVABLE: Final[Operation[str, str, str]] = replace(
    CONCATENATION, name="concatenation with prefix removal", remove=_without
)
"""The free monoid, with the left subtraction that subtract-on-evict needs."""

FifoStep = Literal["insert", "evict", "query"]


def flattened(algorithm: Any) -> Any:
    """Return the object with its deque replaced by the deque by definition, in which a pointer is a number."""
    pointers = {name for name, value in vars(algorithm).items() if isinstance(value, Pointer)}
    made: Any = object.__new__(type(type(algorithm).__name__, (type(algorithm),), {"pointers": frozenset(pointers)}))
    deques: dict[int, NumberedDeque[Any]] = {}
    for name, value in vars(algorithm).items():
        if isinstance(value, ChunkedDeque):
            deque = deques.setdefault(id(value), NumberedDeque())
            deque.items = list(value)
            setattr(made, name, deque)
        elif name in pointers:
            setattr(made, name, value - algorithm.deque.begin())
        else:
            setattr(made, name, value)
    return made


def _with_watched_loops(column: Column, algorithm: type[Any]) -> type[Any]:
    """Return the class with its loops' invariants checked as they run; `model` must be set meanwhile."""

    def state_of(_: str, local: dict[str, Any]) -> SimpleNamespace:
        this = local["self"]
        OPEN.__enter__()  # for the clauses and the variant, which is checked last
        return SimpleNamespace(**vars(this), calls=this.monoid.calls)

    def tell(_: str, clause: str, holds: bool) -> None:
        if clause == "variant" or not holds:
            OPEN.__exit__(None, None, None)
        if not holds:
            raise Broken(f"loop: {clause}")

    loops = {
        name: column.contract.LOOPS.get(name, ())
        for name, function in inspect.getmembers(algorithm, inspect.isfunction)
        if not name.startswith("__") and count_loops(function)
    }
    methods = watch_invariants(algorithm, loops, state_of, tell)
    return type(algorithm.__name__, (algorithm,), methods)


@dataclass(frozen=True)
class PointerStates(Space[FifoStep]):
    """Every state with at most `limit` elements.

    At each state, these are checked: every clause of the invariant, the combine calls of the theorem, the account of
    the amortised claim, the stored partial aggregates, and the answer; every clause of a loop's invariant at each of
    its turns; and that evict of an empty window raises EmptyWindowError and changes nothing.
    """

    algorithm: str
    """The algorithm's name in the catalogue, by which any process can recreate the space."""
    limit: int
    mutant: Mutant | None = None

    @cached_property
    def column(self) -> Column:
        """The algorithm with its contracts."""
        return next(column for column in FIFO if column.name == self.algorithm)

    @cached_property
    def positions(self) -> Mapping[str, Role]:  # type: ignore[override]  # of one space others than of the next
        return dict.fromkeys(self._empty.pointers, "values")

    def origin(self, place: Place[FifoStep]) -> int:
        return int(place.subject.deque.first) if hasattr(place.subject, "deque") else 0

    @cached_property
    def _watched(self) -> bool:
        """Return whether there are loop invariants; they refer to the window before a step."""
        return any(self.column.contract.LOOPS.values())

    @cached_property
    def _made(self) -> type[Any]:
        return _with_watched_loops(self.column, algorithm_of(self.column, self.mutant))

    @cached_property
    def _empty(self) -> Any:
        return flattened(self._made(self.monoid))

    @property
    def constants(self) -> tuple[Any, ...]:
        return *super().constants, type(self._empty), *(v for n, v in vars(self._empty).items() if n == "remove")

    def starts(self) -> Iterator[Place[FifoStep]]:
        new = flattened(self._made(self.monoid))
        new.__class__ = type(self._empty)  # the class of thawed places
        yield Place(new, LetterWindow())

    def choices(self, place: Place[FifoStep]) -> Iterator[FifoStep]:
        if place.model.size < self.limit:
            yield "insert"
        yield from ("evict", "query")

    def after(self, place: Place[FifoStep]) -> Iterator[Place[FifoStep]]:
        """Yield the places after one step; the query, which is last, runs on the place itself instead of a copy."""
        frozen = self.freeze(place)
        for step in self.choices(place):
            steps = (*place.steps, step)
            reached = Place(place.subject, place.model, steps) if step == "query" else self.thaw(frozen, steps)
            self.take(reached, step, place)
            yield reached

    def check(self, place: Place[FifoStep]) -> None:
        self.require_clauses(place, self.column.contract.INVARIANT, contract_state(place))
        partials = stored_aggregates(place.subject, Word)
        self.require(place, "space", self.column.contract.space(place.model.size, partials))

    def take(self, place: Place[FifoStep], step: FifoStep, before: Place[FifoStep]) -> None:
        n, model, contract, subject = place.model.size, place.model, self.column.contract, place.subject
        if step == "evict" and n == 0:
            return self.require_refusal(place, before, EmptyWindowError, step)
        paid = getattr(contract, f"{step}_paid", None)
        saved = None if paid is None else contract.savings(subject)
        self.monoid.calls = 0
        if self._watched:
            subject.model = LetterWindow(model.evicted, model.inserted)
        answer = self.call(place, step, *([model.next] if step == "insert" else []))
        if self._watched:
            del subject.model
        calls = self.monoid.calls
        if step == "query":
            self.require(place, "answer", answer == model.query())
        else:
            getattr(model, step)(*([model.next] if step == "insert" else []))
        checks: dict[str, object] = {f"{step} calls": getattr(contract, f"{step}_calls")(n, calls)}
        if paid is not None:
            checks[f"{step} paid"] = paid(calls, saved, contract.savings(subject))
        self.require_clauses(place, (), checks=checks)
        return None
