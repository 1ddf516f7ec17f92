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
from functools import lru_cache, partial
from types import SimpleNamespace
from typing import Any, Final, Literal

from swagproof.contracts.clause import Loop, local_names
from swagproof.contracts.space import stored_aggregates
from swagproof.models.deque import ChunkedDeque, NumberedDeque, Pointer
from swagproof.models.element import Element
from swagproof.models.monoid import Counting
from swagproof.models.operations import CONCATENATION, Operation
from swagproof.models.stack import Stack
from swagproof.models.window import EmptyWindowError, FifoWindow
from swagproof.proofs.ledger import Outcome
from swagproof.proofs.loops import has_loop, loop_of, watched
from swagproof.proofs.variants import Variant
from swagproof.proofs.walk import Counts, Violation, counted, walk
from swagproof.reference.catalogue import Column


def _without(a: str, ab: str) -> str:
    if not ab.startswith(a):
        raise ValueError(f"{ab!r} does not begin with {a!r}")
    return ab.removeprefix(a)


REMOVABLE: Final[Operation[str, str, str]] = replace(
    CONCATENATION, name="concatenation with prefix removal", remove=_without
)
"""The free monoid, with the left subtraction that subtract-on-evict asks for."""

Step = Literal["insert", "evict", "query"]

FIRST_LETTER: Final = 0x3B1
LETTERS: Final = "".join(chr(code) for code in range(FIRST_LETTER, 0xD800))
"""The k-th element of a history is the k-th of these: no two in a window are alike."""


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


def clone(algorithm: Any) -> Any:
    """A copy that shares nothing but values, the monoid excepted; what the original keeps twice, the copy does too.

    TypeError for an attribute of a kind that could be shared unseen.
    """
    made = object.__new__(type(algorithm))
    copies: dict[int, Any] = {}

    def slot(item: Any) -> Any:
        if not isinstance(item, Element):
            return item
        return copies.get(id(item)) or copies.setdefault(id(item), Element(item.val, item.agg))

    def container(value: Any) -> Any:
        copy: Any
        if isinstance(value, NumberedDeque):
            copy = NumberedDeque()
            copy.items, copy.first = [slot(item) for item in value], value.first
        else:
            copy = Stack()
            for depth in reversed(range(value.size)):
                copy.push(slot(value[depth]))
        return copies.setdefault(id(value), copy)

    for name, value in vars(algorithm).items():
        if isinstance(value, NumberedDeque | Stack):
            setattr(made, name, copies.get(id(value)) or container(value))
        elif isinstance(value, str | Counting) or name in ("remove", *algorithm.pointers):
            setattr(made, name, value)
        else:
            raise TypeError(f"{name} is a {type(value).__name__}: the explorer cannot copy it")
    return made


@lru_cache(1 << 16)
def _letters(value: str) -> tuple[int, int | tuple[int, ...]]:
    """The oldest letter of a product, -1 of none; and how many follow each other, or else all of them."""
    if not value:
        return -1, 0
    first = ord(value[0]) - FIRST_LETTER
    if value == LETTERS[first : first + len(value)]:
        return first, len(value)
    return ord(min(value)) - FIRST_LETTER, tuple(ord(letter) - FIRST_LETTER for letter in value)


def state_of(algorithm: Any, evicted: int) -> tuple[Any, ...]:
    """What tells states apart: pointers, from the deque's begin on, and contents, from the window's oldest on."""

    def counted(value: str) -> Any:
        first, rest = _letters(value)
        if first < 0:
            return 0, 0
        if first < evicted:
            return "evicted"
        return (first - evicted, rest) if isinstance(rest, int) else tuple(at - evicted for at in rest)

    kept: list[Any] = []
    for name, value in vars(algorithm).items():
        if isinstance(value, NumberedDeque | Stack):
            items = value.items if isinstance(value, NumberedDeque) else [value[depth] for depth in range(value.size)]
            kept.append(
                tuple((counted(i.val), counted(i.agg)) if isinstance(i, Element) else counted(i) for i in items)
            )
        elif isinstance(value, str):
            kept.append(counted(value))
        elif name in algorithm.pointers:
            kept.append(value - algorithm.deque.first)
    return tuple(kept)


@dataclass
class _Place:
    """A state reached: the algorithm there, the window by definition, and how it was reached."""

    algorithm: Any
    window: "_Letters"
    inserted: int
    trace: tuple[Step, ...]

    @property
    def state(self) -> tuple[Any, ...]:
        return state_of(self.algorithm, self.inserted - self.window.size)


def explore(column: Column, limit: int, variant: Variant | None = None) -> Counts:
    """Visit every state with at most `limit` elements.  Returns (states, transitions); raises Violation.

    Checked at each: every clause of the invariant, the combine calls of the theorem, the account of the amortised
    claim, the partial aggregates kept, and the answer; every clause of a loop's invariant at each turn of it; and that
    evict of an empty window raises EmptyWindowError and changes nothing.
    """
    monoid = Counting(REMOVABLE)
    made = _with_watched_loops(column, column.algorithm if variant is None else variant.of(column.algorithm))
    start = _Place(flattened(made(monoid)), _Letters([]), 0, ())

    def after(place: _Place) -> Iterator[_Place]:
        n = place.window.size
        steps: list[Step] = [*(["insert"] if n < limit else []), "evict", "query"]  # type: ignore[list-item]  # mypy loses the literals
        for step in steps:  # query last: it is run on the place itself
            yield _taken(column, place, step, monoid) if n or step != "evict" else _refused(place)

    return walk(start, after, lambda place: marshal.dumps(place.state, 2), partial(_check, column))


class _Letters(FifoWindow[str]):
    """The window by definition, over single letters: a product is a part of the word that they make."""

    def __init__(self, values: list[str]) -> None:
        super().__init__(REMOVABLE)
        self.values = values
        self.word = "".join(values)

    def product(self, i: int, j: int) -> str:
        if not 0 <= i <= j <= len(self.values):
            raise IndexError(f"product({i}, {j}) of a window of {len(self.values)}")
        return self.word[i:j]

    def query(self) -> str:
        return self.word


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


def _refused(place: _Place) -> _Place:
    """Evict of an empty window."""
    after = _Place(clone(place.algorithm), place.window, place.inserted, (*place.trace, "evict"))
    try:
        after.algorithm.evict()
    except EmptyWindowError:
        if after.state == place.state:
            return after
        raise Violation("a refused evict changes nothing", after.trace) from None
    except Exception as error:
        raise Violation(f"evict raised {type(error).__name__}: {error}", after.trace) from error
    raise Violation("evict of an empty window is refused", after.trace)


def _taken(column: Column, place: _Place, step: Step, monoid: Counting[str]) -> _Place:
    letter, held = LETTERS[place.inserted], place.window.values
    window = _Letters([*held, letter] if step == "insert" else held[1:] if step == "evict" else held)
    algorithm = place.algorithm if step == "query" else clone(place.algorithm)
    after = _Place(algorithm, window, place.inserted + (step == "insert"), (*place.trace, step))
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
    if step == "query" and answer != window.query():
        raise Violation("answer", after.trace)
    n = place.window.size
    if not getattr(column.contract, f"{step}_calls")(n, calls):
        raise Violation(f"{step} calls", after.trace)
    paid = getattr(column.contract, f"{step}_paid", None)
    if paid is not None:
        savings = column.contract.savings
        if not paid(calls, savings(place.algorithm), savings(after.algorithm)):
            raise Violation(f"{step} paid", after.trace)
    return after


def _check(column: Column, place: _Place) -> None:
    state = SimpleNamespace(**vars(place.algorithm), model=place.window)
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
    return counted(lambda: explore(column, limit, variant), expected)
