"""Exhaustive exploration: every reachable structural state up to a window size, every operation from each.

Control flow in these algorithms never looks at a value, so a run over the free monoid decides every monoid.  A state
is all that an algorithm keeps: pointers, sizes and contents, with letters counted from the window's oldest; products
with an evicted element count as one, as none can become part of a right answer.  At each state every clause of the
contracts is checked.

This is independent of the symbolic engine: the reference is run as it is, in plain Python, on strings; only its deque
is replaced by the deque by definition.
"""

import inspect
import marshal
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from types import SimpleNamespace
from typing import Any, ClassVar, Final, Literal

from swagproof.contracts.space import stored_aggregates
from swagproof.models.containers.deque import ChunkedDeque, NumberedDeque, Pointer
from swagproof.models.containers.element import Element
from swagproof.models.containers.stack import Stack
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.operations import CONCATENATION, Operation
from swagproof.proofs.engine.loops import count_loops, watch_invariants
from swagproof.proofs.explorer.letters import LETTERS, LetterWindow, letter_number
from swagproof.proofs.explorer.space import Place, Space, contract_state
from swagproof.proofs.ledger.variants import Variant
from swagproof.reference.catalogue import FIFO, Column


def _without(a: str, ab: str) -> str:
    if not ab.startswith(a):
        raise ValueError(f"{ab!r} does not begin with {a!r}")
    return ab.removeprefix(a)


REMOVABLE: Final[Operation[str, str, str]] = replace(
    CONCATENATION, name="concatenation with prefix removal", remove=_without
)
"""The free monoid, with the left subtraction that subtract-on-evict asks for."""

Step = Literal["insert", "evict", "query"]


def flattened(algorithm: Any) -> Any:
    """The object with its deque replaced by the deque by definition, where a pointer is a number."""
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


@cache
def _places(value: str) -> tuple[int, Any]:
    """A product as its letters' places among all: the first, and how many follow each other, or else all of them."""
    first = letter_number(value[0])
    if value == LETTERS[first : first + len(value)]:
        return first, len(value)
    places = tuple(map(letter_number, value))
    return min(places), places


def _from_oldest(value: str, evicted: int) -> Any:
    """The same as places in the window."""
    if not value:
        return 0, 0
    first, rest = _places(value)
    if first < evicted:
        return "evicted"
    return (first - evicted, rest) if type(rest) is int else tuple(place - evicted for place in rest)


def state_of(algorithm: Any, evicted: int) -> tuple[Any, ...]:
    """What tells states apart: pointers, from the deque's begin on, and contents, from the window's oldest on.

    TypeError for an attribute of a kind that could make a difference unseen.
    """
    kept: list[Any] = []
    for name, value in vars(algorithm).items():
        if isinstance(value, NumberedDeque | Stack):
            items = value.items if isinstance(value, NumberedDeque) else [value[depth] for depth in range(value.size)]
            if items and isinstance(items[0], Element):
                of = [(_from_oldest(item.val, evicted), _from_oldest(item.agg, evicted)) for item in items]
            else:
                of = [_from_oldest(item, evicted) for item in items]
            kept.append(tuple(of))
        elif isinstance(value, str):
            kept.append(_from_oldest(value, evicted))
        elif name in algorithm.pointers:
            kept.append(value - algorithm.deque.first)
        elif name not in ("monoid", "remove"):
            raise TypeError(f"{name} is a {type(value).__name__}: the explorer cannot tell states apart by it")
    return tuple(kept)


class _Broken(Exception):
    """A clause of a loop's invariant does not hold at the loop's head."""


def _with_watched_loops(column: Column, algorithm: type[Any]) -> type[Any]:
    """The class, with the invariants of its loops looked at as they run; `model` must be set meanwhile."""

    def state_of(_: str, local: dict[str, Any]) -> SimpleNamespace:
        this = local["self"]
        return SimpleNamespace(**vars(this), calls=this.monoid.calls)

    def tell(_: str, clause: str, holds: bool) -> None:
        if not holds:
            raise _Broken(f"loop: {clause}")

    loops = {
        name: column.contract.LOOPS.get(name, ())
        for name, function in inspect.getmembers(algorithm, inspect.isfunction)
        if not name.startswith("__") and count_loops(function)
    }
    methods = watch_invariants(algorithm, loops, state_of, tell)
    return type(algorithm.__name__, (algorithm,), methods)


@dataclass(frozen=True)
class PointerStates(Space[Step]):
    """Every state with at most `limit` elements.

    Checked at each: every clause of the invariant, the combine calls of the theorem, the account of the amortised
    claim, the partial aggregates kept, and the answer; every clause of a loop's invariant at each turn of it; and that
    evict of an empty window raises EmptyWindowError and changes nothing.
    """

    looks_at_all: ClassVar[bool] = True

    algorithm: str
    """Its name in the catalogue: any process can make the space of that."""
    limit: int
    variant: Variant | None = None

    @cached_property
    def column(self) -> Column:
        """The algorithm with its contracts."""
        return next(column for column in FIFO if column.name == self.algorithm)

    @property
    def operator(self) -> Operation[str, str, str]:
        return REMOVABLE

    @cached_property
    def _empty(self) -> Any:
        algorithm = self.column.algorithm if self.variant is None else self.variant.of(self.column.algorithm)
        return flattened(_with_watched_loops(self.column, algorithm)(self.monoid))

    @property
    def constants(self) -> tuple[Any, ...]:
        return *super().constants, type(self._empty), *(v for n, v in vars(self._empty).items() if n == "remove")

    def starts(self) -> Iterator[Place[Step]]:
        yield self.thaw(self.freeze(Place(self._empty, LetterWindow())), ())

    def choices(self, place: Place[Step]) -> Iterator[Step]:
        if place.model.size < self.limit:
            yield "insert"
        yield from ("evict", "query")

    def after(self, place: Place[Step]) -> Iterator[Place[Step]]:
        """As in any space; but the query, which comes last, is asked of the place itself, which nobody needs again."""
        frozen = self.freeze(place)
        for step in self.choices(place):
            steps = (*place.steps, step)
            reached = Place(place.subject, place.model, steps) if step == "query" else self.thaw(frozen, steps)
            self.take(reached, step, place)
            yield reached

    def state(self, place: Place[Step]) -> bytes:
        return marshal.dumps(state_of(place.subject, place.model.evicted), 2)  # equal for equal states, in any process

    def check(self, place: Place[Step]) -> None:
        self.require_clauses(place, self.column.contract.INVARIANT, contract_state(place))
        partials = stored_aggregates(place.subject, str)
        self.require(place, "space", self.column.contract.space(place.model.size, partials))

    def take(self, place: Place[Step], step: Step, before: Place[Step]) -> None:
        n, model, contract = before.model.size, place.model, self.column.contract
        if step == "evict" and n == 0:
            return self._refuse(place, before)
        self.monoid.calls = 0
        place.subject.model = before.model  # for the invariants of loops alone
        try:
            answer = self.call(place, step, *([LETTERS[model.inserted]] if step == "insert" else []), refused=_Broken)
        except _Broken as broken:
            raise self.violation(place, str(broken)) from broken
        del place.subject.model
        calls = self.monoid.calls
        if step == "query":
            self.require(place, "answer", answer == model.query())
        else:
            getattr(model, step)(*([LETTERS[model.inserted]] if step == "insert" else []))
        checks: dict[str, object] = {f"{step} calls": getattr(contract, f"{step}_calls")(n, calls)}
        paid = getattr(contract, f"{step}_paid", None)
        if paid is not None:
            saved = contract.savings(before.subject), contract.savings(place.subject)
            checks[f"{step} paid"] = paid(calls, *saved)
        self.require_all(place, checks)
        return None

    def _refuse(self, place: Place[Step], before: Place[Step]) -> None:
        """Evict of an empty window."""
        try:
            self.call(place, "evict", refused=EmptyWindowError)
        except EmptyWindowError:
            self.require(place, "a refused evict changes nothing", self.state(place) == self.state(before))
        else:
            raise self.violation(place, "evict of an empty window is refused")
