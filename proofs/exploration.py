"""Exhaustive exploration: every reachable structural state up to a window size, every operation from each.

Control flow in these algorithms never looks at a value, so a run over the free monoid decides every monoid, and two
states with the same pointers behave alike.  States are told apart by their pointers and sizes alone; at each one every
clause of the contracts is checked, so the contents are those that the invariant prescribes.

This is independent of the symbolic engine: the reference is run as it is, in plain Python, on strings.
"""

import inspect
import itertools
from collections import deque as queue
from dataclasses import dataclass, replace
from functools import partial
from types import SimpleNamespace
from typing import Any, Final, Literal

from swagproof.contracts.clause import Loop, local_names
from swagproof.contracts.space import stored_aggregates
from swagproof.models.deque import ChunkedDeque, Pointer
from swagproof.models.element import Element
from swagproof.models.monoid import Counting
from swagproof.models.operations import CONCATENATION, Operation
from swagproof.models.stack import Stack
from swagproof.models.window import FifoWindow
from swagproof.proofs.ledger import Outcome
from swagproof.proofs.loops import has_loop, loop_of, watched
from swagproof.proofs.variants import Variant
from swagproof.reference.catalogue import Column

REMOVABLE: Final[Operation[str, str, str]] = replace(
    CONCATENATION, name="concatenation with prefix removal", remove=lambda a, ab: ab.removeprefix(a)
)
"""The free monoid, with the left subtraction that subtract-on-evict asks for."""

Step = Literal["insert", "evict", "query"]


@dataclass(frozen=True)
class Violation(Exception):
    """A check that failed, and the operations that led there."""

    check: str
    trace: tuple[Step, ...]

    def __str__(self) -> str:
        return f"{self.check} after {' '.join(self.trace)}"


def _copy_slot(item: Any) -> Any:
    return Element(item.val, item.agg) if isinstance(item, Element) else item


def clone(algorithm: Any) -> Any:
    """A copy that shares nothing but values, the monoid excepted."""
    made = object.__new__(type(algorithm))
    moved: dict[int, tuple[Any, Any]] = {}
    for name, value in vars(algorithm).items():
        if isinstance(value, ChunkedDeque):
            copy: ChunkedDeque[Any] = ChunkedDeque()
            p = value.begin()
            while p != value.end():
                copy.push_back(_copy_slot(value[p]))
                p = p + 1
            moved[0] = value.begin(), copy.begin()
            setattr(made, name, copy)
        elif isinstance(value, Stack):
            stack: Stack[Any] = Stack()
            for depth in range(value.size - 1, -1, -1):
                stack.push(_copy_slot(value[depth]))
            setattr(made, name, stack)
        else:
            setattr(made, name, value)
    for name, value in vars(algorithm).items():
        if isinstance(value, Pointer):
            old, new = moved[0]
            setattr(made, name, new + (value - old))
    return made


def structure(algorithm: Any) -> tuple[int, ...]:
    """What tells states apart: every pointer relative to the deque's begin, and every stack's size."""
    kept: list[int] = []
    for name, value in vars(algorithm).items():
        if isinstance(value, Pointer):
            kept.append(value - algorithm.deque.begin())
        elif isinstance(value, Stack):
            kept.append(getattr(algorithm, name).size)
    return tuple(kept)


@dataclass
class _Place:
    """A state reached: the algorithm there, the window by definition, and how it was reached."""

    algorithm: Any
    window: FifoWindow[str]
    trace: tuple[Step, ...]


def explore(column: Column, limit: int, variant: Variant | None = None) -> tuple[int, int]:
    """Visit every state with at most `limit` elements.  Returns (states, transitions); raises Violation.

    Checked at each: every clause of the invariant, the combine calls of the theorem, the account of the amortised
    claim, the partial aggregates kept, and the answer; and every clause of a loop's invariant at each turn of it.
    """
    monoid = Counting(REMOVABLE)
    made = _with_watched_loops(column, column.algorithm if variant is None else variant.of(column.algorithm))
    letters = itertools.cycle(chr(code) for code in range(0x3B1, 0x3B1 + 25 * 1000))
    start = _Place(made(monoid), FifoWindow(REMOVABLE), ())
    _check(column, start, None)
    states = {structure(start.algorithm)}
    transitions = 0
    work = queue([start])
    while work:
        place = work.popleft()
        n = place.window.size
        steps: list[Step] = ["query", *(["evict"] if n else []), *(["insert"] if n < limit else [])]  # type: ignore[list-item]  # mypy loses the literals
        for step in steps:
            after = _taken(column, place, step, next(letters), monoid)
            transitions += 1
            key = structure(after.algorithm)
            if key not in states:
                states.add(key)
                work.append(after)
    return len(states), transitions


class _Broken(Exception):
    """A clause of a loop's invariant does not hold at the loop's head."""


def _with_watched_loops(column: Column, algorithm: type[Any]) -> type[Any]:
    """The class, with the invariants of its loops looked at as they run; `model` must be set meanwhile."""

    def look(loop: Loop, local: dict[str, Any]) -> None:
        this = local["self"]
        state = SimpleNamespace(**vars(this), calls=this.monoid.calls)
        for clause in loop.clauses:
            if not clause(state, **{name: local[name] for name in local_names(clause)}):
                raise _Broken(f"loop: {clause.__name__}")

    methods = {
        name: watched(function, partial(look, loop_of(column.contract.LOOPS, function)))
        for name, function in inspect.getmembers(algorithm, inspect.isfunction)
        if not name.startswith("__") and has_loop(function)
    }
    return type(algorithm.__name__, (algorithm,), methods)


def _taken(column: Column, place: _Place, step: Step, letter: str, monoid: Counting[str]) -> _Place:
    window: FifoWindow[str] = FifoWindow(REMOVABLE)
    window.values = list(place.window.values)
    after = _Place(clone(place.algorithm), window, (*place.trace, step))
    monoid.calls = 0
    answer = None
    after.algorithm.model = place.window  # for the invariants of loops alone
    try:
        if step == "insert":
            after.algorithm.insert(letter)
        elif step == "evict":
            after.algorithm.evict()
        else:
            answer = after.algorithm.query()
    except _Broken as broken:
        raise Violation(str(broken), after.trace) from broken
    except Exception as error:
        raise Violation(f"{step} raised {type(error).__name__}: {error}", after.trace) from error
    del after.algorithm.model
    calls = monoid.calls
    if step == "insert":
        window.insert(letter)
    elif step == "evict":
        window.evict()
    elif answer != window.query():
        raise Violation("answer", after.trace)
    n = place.window.size
    if not getattr(column.contract, f"{step}_calls")(n, calls):
        raise Violation(f"{step} calls", after.trace)
    _check(column, after, calls)
    paid = getattr(column.contract, f"{step}_paid", None)
    if paid is not None:
        savings = column.contract.savings
        if not paid(calls, savings(place.algorithm), savings(after.algorithm)):
            raise Violation(f"{step} paid", after.trace)
    return after


def _check(column: Column, place: _Place, calls: int | None) -> None:
    state = SimpleNamespace(**vars(place.algorithm), model=place.window, calls=calls)
    for clause in column.contract.INVARIANT:
        try:
            holds = clause(state)
        except (IndexError, TypeError) as error:
            raise Violation(f"{clause.__name__}: {error}", place.trace) from error
        if not holds:
            raise Violation(clause.__name__, place.trace)
    if stored_aggregates(place.algorithm, str) != column.contract.space(place.window.size):
        raise Violation("space", place.trace)


def exploration(column: Column, limit: int, expected: tuple[int, int], variant: Variant | None = None) -> Outcome:
    """Explore, and hold the counts against the ones expected: an explorer that explores nothing must fail."""
    try:
        found = explore(column, limit, variant)
    except Violation as violation:
        return Outcome("fails", str(violation))
    statistics = {"states": found[0], "transitions": found[1]}
    if found != expected:
        return Outcome("unknown", f"{found[0]:,} states and {found[1]:,} transitions, not {expected}", statistics)
    return Outcome("holds", f"{found[0]:,} states, {found[1]:,} transitions", statistics)
