"""Exhaustive exploration of FlatFIT, SlickDeque and stream slicing.

FlatFIT's control flow looks at no value: over distinct letters its states are buffers and pointers.  SlickDeque asks
which of two values an operator chooses; so it is run with every associative operator that chooses, over up to three
values.  Stream slicing is run on every stream, in any order, with watermarks anywhere.
"""

import copy
import itertools
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any, Final

from swagproof.contracts.ghosts.sliced_windows import SlicedWindows
from swagproof.contracts.later import flat_fit as flat_fit_contract
from swagproof.contracts.later import slick_deque as slick_deque_contract
from swagproof.contracts.later import stream_slicing as stream_slicing_contract
from swagproof.models.fifo import EmptyWindowError, FifoWindow
from swagproof.models.monoid import Counting
from swagproof.models.operations import CONCATENATION, Operation
from swagproof.proofs.explorer.walk import Counts, Violation, walk
from swagproof.proofs.in_order.pointer_states import LETTERS

# FIFO windows with look-ups


@dataclass
class _Place:
    """A state reached: the algorithm there, the window by definition, and the steps that led there."""

    algorithm: Any
    window: FifoWindow[Any]
    inserted: int
    trace: tuple[str, ...]


def _window(values: Sequence[Any], monoid: Any) -> FifoWindow[Any]:
    window: FifoWindow[Any] = FifoWindow(monoid)
    window.values = list(values)
    return window


def _steps(place: _Place, limit: int, values: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    n = place.window.size
    if n < limit:
        for value in values or (LETTERS[place.inserted],):
            yield "insert", value
    yield "evict", None
    yield "query", None
    for newest in range(n + 1):
        yield "lookup", newest


def _taken(place: _Place, step: str, argument: Any, contract: Any, monoid: Counting[Any]) -> _Place:
    """Take a step, and check its answer, combine calls and account, and what follows of the state."""
    algorithm = copy.copy(place.algorithm)
    for name, value in vars(algorithm).items():
        if isinstance(value, list | deque):
            setattr(algorithm, name, copy.copy(value))
    held = place.window.values
    now = [*held, argument] if step == "insert" else held[1:] if step == "evict" else held
    after = _Place(
        algorithm,
        _window(now, place.window.monoid),
        place.inserted + (step == "insert"),
        (*place.trace, step if argument is None else f"{step} {argument}"),
    )
    monoid.calls = 0
    savings = getattr(contract, "savings", lambda algorithm: None)
    before = savings(algorithm)
    refused = answer = None
    try:
        answer = getattr(algorithm, step)(*([] if argument is None else [argument]))
    except EmptyWindowError as error:
        refused = error
    except Exception as error:
        raise Violation(f"{step} raised {type(error).__name__}: {error}", after.trace) from error
    calls, n = monoid.calls, len(held)
    if (refused is not None) != (step == "evict" and not held):
        raise Violation("evict of an empty window, and nothing else, is refused", after.trace)
    if step in ("query", "lookup"):
        asked: Any = argument if step == "lookup" else n
        if answer != place.window.product(n - asked, n):
            raise Violation(f"answer {answer!r}", after.trace)
        if not contract.query_calls(asked, calls):
            raise Violation(f"{step} calls", after.trace)
        if hasattr(contract, "shortened") and not contract.shortened(algorithm, asked):
            raise Violation("shortened", after.trace)
    elif not getattr(contract, f"{step}_calls")(n, calls):
        raise Violation(f"{step} calls", after.trace)
    paid = getattr(contract, f"{step}_paid", None)
    if paid is not None and not paid(calls, before, savings(algorithm)):
        raise Violation(f"{step} paid", after.trace)
    seen = SimpleNamespace(**vars(algorithm), model=after.window)
    for clause in contract.INVARIANT:
        try:
            holds = clause(seen)
        except IndexError as error:
            raise Violation(f"{clause.__name__}: {error}", after.trace) from error
        if not holds:
            raise Violation(clause.__name__, after.trace)
    return after


Bill = dict[str, int]
"""What an operation may cost on account, in combine calls."""


def explore_flat_fit(made: Any, limit: int, bill: Bill, lookups: bool = True) -> Counts:
    """Visit every state of FlatFIT with at most `limit` elements.  Returns counts; raises Violation.

    Then the account: over no history do the combine calls exceed what the operations are billed by more than `limit`.
    That is a question about longest paths between the states, which has an answer unless some cycle costs more than
    it is billed.
    """
    monoid = Counting(CONCATENATION)
    start = _Place(made(monoid), _window([], CONCATENATION), 0, ())
    edges: dict[Any, list[tuple[Any, int, str]]] = {}

    def state(place: _Place) -> Any:
        s = place.algorithm
        return len(s.pointers), s.front, s.size, tuple(s.pointers[s.slot(i)] for i in range(s.size - 1))

    def after(place: _Place) -> Iterator[_Place]:
        found = edges.setdefault(state(place), [])
        for step, argument in _steps(place, limit, ()):
            if lookups or step != "lookup":
                reached = _taken(place, step, argument, flat_fit_contract, monoid)
                found.append((state(reached), monoid.calls - bill[step], reached.trace[-1]))
                yield reached

    counts = walk(start, after, state)
    owed: dict[Any, tuple[int, tuple[str, ...]]] = {state(start): (0, ())}
    changed = {state(start)}
    while changed:
        following: set[Any] = set()
        for place in changed:
            debt, trace = owed[place]
            for reached, more, step in edges[place]:
                if reached not in owed or debt + more > owed[reached][0]:
                    owed[reached] = debt + more, (*trace, step)
                    following.add(reached)
                    if debt + more > limit:
                        raise Violation(f"{debt + more} combine calls more than billed", owed[reached][1])
        changed = following
    return counts


# Operators that choose


class Table:
    """An operator over the values 0 .. k - 1 by its table, with None for identity."""

    identity = None

    def __init__(self, size: int, chosen: Sequence[int]) -> None:
        self.size = size
        self.chosen = tuple(chosen)

    def combine(self, x: int | None, y: int | None) -> int | None:
        """x ⊗ y."""
        return y if x is None else x if y is None else self.chosen[x * self.size + y]


def selective(most: int) -> Iterator[Table]:
    """Every associative operator over up to so many values for which x ⊗ y is x or y."""
    for size in range(1, most + 1):
        values = range(size)
        for chosen in itertools.product(*((x,) if x == y else (x, y) for x in values for y in values)):
            table = Table(size, chosen)
            combine = table.combine
            if all(
                combine(combine(x, y), z) == combine(x, combine(y, z)) for x in values for y in values for z in values
            ):
                yield table


def explore_slick_deque(made: Any, limit: int, most: int = 3) -> Counts:
    """Visit every state of SlickDeque with at most `limit` elements, with every operator that chooses."""
    states = transitions = 0
    for table in selective(most):
        monoid = Counting(table)
        start = _Place(made(monoid), _window([], table), 0, ())

        def after(place: _Place, monoid: Counting[Any] = monoid, table: Table = table) -> Iterator[_Place]:
            for step, argument in _steps(place, limit, range(table.size)):
                try:
                    yield _taken(place, step, argument, slick_deque_contract, monoid)
                except Violation as violation:
                    raise Violation(f"table {table.chosen}: {violation.check}", violation.trace) from violation

        def state(place: _Place) -> Any:
            s = place.algorithm
            return tuple(place.window.values), tuple((c.position - s.oldest, c.value) for c in s.candidates)

        found = walk(start, after, state)
        states, transitions = states + found.states, transitions + found.transitions
    return Counts(states, transitions)


# Stream slicing

LETTERS_SORTED: Final[Operation[str, str, str]] = replace(
    CONCATENATION,
    name="sorted concatenation",
    combine=lambda a, b: "".join(sorted(a + b)),
    commutative=True,
    remove=None,
)
"""The free commutative monoid over letters: it tells any two bags apart."""

QUERIES: Final[tuple[tuple[tuple[tuple[int, int], ...], tuple[int, ...]], ...]] = (
    (((2, 1),), ()),
    (((3, 2),), ()),
    (((1, 2),), ()),
    ((), (2,)),
    (((2, 2), (3, 1)), ()),
    ((), (1, 2)),
    (((3, 2),), (2,)),
)
"""Queries, periodic and sessions, over which stream slicing is explored."""


def stream_words(longest: int, times: int) -> Iterator[tuple[tuple[str, int], ...]]:
    """Every stream of records at these times in any order, with watermarks between, at the end one past all."""
    steps = [("record", t) for t in range(times)] + [("watermark", t) for t in range(1, times + 1)]
    for length in range(1, longest + 1):
        for word in itertools.product(steps, repeat=length):
            watermark = 0
            for kind, t in word:
                if t < watermark or (kind == "watermark" and t == watermark):
                    break
                watermark = t if kind == "watermark" else watermark
            else:
                yield (*word, ("watermark", times + 9))


def play(
    made: Any, word: Sequence[tuple[str, int]], periodic: Any, sessions: Any, monoid: Any, commutative: bool
) -> None:
    """Play a stream; raises Violation."""
    slicing = made(monoid, periodic, sessions, commutative=commutative)
    model: SlicedWindows[str] = SlicedWindows(monoid, periodic, sessions)
    trace: tuple[str, ...] = ()
    for kind, t in word:
        trace = (*trace, f"{kind} {t}")
        letter = LETTERS[len(model.records)]
        try:
            answers = slicing.insert(t, letter) if kind == "record" else slicing.advance(t)
        except Exception as error:
            raise Violation(f"raised {type(error).__name__}: {error}", trace) from error
        if kind == "record":
            model.insert(t, letter)
        else:
            expected = model.advance(t)
            if answers != expected:
                raise Violation(f"answers {[tuple(answer) for answer in answers]}, not {expected}", trace)
        seen = SimpleNamespace(**vars(slicing), model=model)
        for clause in stream_slicing_contract.INVARIANT:
            if not clause(seen):
                raise Violation(clause.__name__, trace)


def explore_stream_slicing(made: Any, longest: int, times: int, commutative: bool, monoid: Any = None) -> Counts:
    """Every stream over every one of `QUERIES`.  Returns (streams, steps); raises Violation."""
    monoid = monoid or (LETTERS_SORTED if commutative else CONCATENATION)
    words = steps = 0
    for word in stream_words(longest, times):
        for periodic, sessions in QUERIES:
            try:
                play(made, word, periodic, sessions, monoid, commutative)
            except Violation as violation:
                raise Violation(
                    f"{list(periodic)}, sessions {list(sessions)}: {violation.check}", violation.trace
                ) from violation
            words, steps = words + 1, steps + len(word)
    return Counts(words, steps)
