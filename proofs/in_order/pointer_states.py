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
from functools import cache, lru_cache, partial
from types import SimpleNamespace
from typing import Any, Final, Literal

from swagproof.contracts.clause import Loop, local_names
from swagproof.contracts.space import stored_aggregates
from swagproof.models.containers.deque import ChunkedDeque, NumberedDeque, Pointer
from swagproof.models.containers.element import Element
from swagproof.models.containers.stack import Stack
from swagproof.models.fifo import EmptyWindowError, FifoWindow
from swagproof.models.monoid import Counting
from swagproof.models.operations import CONCATENATION, Operation
from swagproof.proofs.engine.loops import has_loop, loop_of, watched
from swagproof.proofs.explorer.walk import Counts, Violation, counted, walk
from swagproof.proofs.ledger.claim import Outcome
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
    space = _Windows(column, limit, variant)
    return walk(space.start(), space.after, space.state, partial(_check, column))


class _Windows:
    """The places of one exploration, and the steps between them."""

    def __init__(self, column: Column, limit: int, variant: Variant | None) -> None:
        self.column = column
        self.limit = limit
        self.monoid = Counting(REMOVABLE)
        algorithm = column.algorithm if variant is None else variant.of(column.algorithm)
        self.empty = flattened(_with_watched_loops(column, algorithm)(self.monoid))

    def start(self) -> _Place:
        return _Place(clone(self.empty), _Letters([]), 0, ())

    def after(self, place: _Place) -> Iterator[_Place]:
        n = place.window.size
        steps: list[Step] = [*(["insert"] if n < self.limit else []), "evict", "query"]  # type: ignore[list-item]  # mypy loses the literals
        for step in steps:  # query last: it is run on the place itself
            yield _taken(self.column, place, step, self.monoid) if n or step != "evict" else _refused(place)

    def state(self, place: _Place) -> bytes:
        return marshal.dumps(place.state, 2)  # equal for equal states, in any process


@dataclass(frozen=True)
class Windows:
    """The same exploration for `walk_in_shards`: any process can make it of the algorithm's name."""

    algorithm: str
    """Its name in the catalogue."""
    limit: int
    variant: Variant | None = None

    def start(self) -> _Place:
        return _windows(self).start()

    def after(self, place: _Place) -> Iterator[_Place]:
        return _windows(self).after(place)

    def state(self, place: _Place) -> bytes:
        return _windows(self).state(place)

    def check(self, place: _Place) -> None:
        _check(_windows(self).column, place)

    def told(self, place: _Place) -> bytes:
        """What the place's algorithm keeps, attribute by attribute; what it keeps twice is told once.

        TypeError for an attribute of a kind that cannot be told.
        """
        elements: dict[int, tuple[int, Any, Any]] = {}
        containers: dict[int, tuple[int, Any]] = {}

        def item(kept: Any) -> Any:
            if not isinstance(kept, Element):
                return _shortened(kept)
            found = elements.get(id(kept))
            if found is None:
                found = elements[id(kept)] = len(elements), _shortened(kept.val), _shortened(kept.agg)
            return (found[0],)

        def attribute(value: Any) -> Any:
            if isinstance(value, NumberedDeque):
                told: Any = value.first, [item(kept) for kept in value]
            elif isinstance(value, Stack):
                told = None, [item(value[depth]) for depth in reversed(range(value.size))]
            elif isinstance(value, str | int):
                return _shortened(value)
            else:
                raise TypeError(f"the explorer cannot tell of a {type(value).__name__}")
            return (containers.setdefault(id(value), (len(containers), told))[0],)

        attributes = [
            (name, attribute(value))
            for name, value in vars(place.algorithm).items()
            if name not in ("monoid", "remove")
        ]
        return marshal.dumps(
            (
                place.inserted,
                place.window.size,
                "".join(step[0] for step in place.trace),
                [(val, agg) for _, val, agg in elements.values()],
                [told for _, told in containers.values()],
                attributes,
            ),
            2,
        )

    def place(self, told: bytes) -> _Place:
        """The place again."""
        inserted, size, steps, elements, containers, attributes = marshal.loads(told)
        slots = [Element(_in_full(val), _in_full(agg)) for val, agg in elements]

        def item(kept: Any) -> Any:
            return slots[kept[0]] if isinstance(kept, tuple) and len(kept) == 1 else _in_full(kept)

        made = [_container(first, [item(kept) for kept in items]) for first, items in containers]
        algorithm = clone(_windows(self).empty)
        for name, value in attributes:
            again = isinstance(value, tuple) and len(value) == 1
            setattr(algorithm, name, made[value[0]] if again else _in_full(value))
        trace: tuple[Step, ...] = tuple(_STEPS[step] for step in steps)
        return _Place(algorithm, _Letters(list(LETTERS[inserted - size : inserted])), inserted, trace)


_STEPS: Final[dict[str, Step]] = {"i": "insert", "e": "evict", "q": "query"}


def _shortened(value: Any) -> Any:
    """A product of letters that follow each other as (first, how many); anything else as it is."""
    if isinstance(value, str):
        first, rest = _letters(value)
        return (first, rest) if isinstance(rest, int) else value
    return value


def _in_full(value: Any) -> Any:
    if isinstance(value, tuple):
        first, rest = value
        return LETTERS[first : first + rest] if rest else ""
    return value


def _container(first: int | None, items: list[Any]) -> Any:
    made: Any = Stack() if first is None else NumberedDeque()
    if first is None:
        for kept in items:
            made.push(kept)
    else:
        made.items, made.first = items, first
    return made


@cache
def _windows(space: Windows) -> _Windows:
    column = next(column for column in FIFO if column.name == space.algorithm)
    return _Windows(column, space.limit, space.variant)


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
