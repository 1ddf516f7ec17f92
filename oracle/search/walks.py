"""The references that are walked for each kind of window, and the traces that follow their tours.

For FIFO windows: Recalculate, Subtract-on-evict, Two-Stacks and DABA with their Lite forms, told apart by where their
pointers stand; and the Reactive Aggregator for FIFO, by its buffer's front, back and capacity and by what it has not
yet applied, which a query changes: so there are far more states of it, and it is walked less far.  For out-of-order
windows: FiBA and the classic B-tree at min-arity 2, told apart by the shape of the tree; an operation is an insert
into each gap, a duplicate of each entry, an evict of each entry, an evict at an absent time in each gap, and a query.

Where chunks of the deque begin is no part of a state: its chunks of 64 are crossed by the phases of larger windows.
"""

import inspect
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations_with_replacement, cycle, takewhile
from random import Random
from typing import Any, Final

from swagproof.models.containers.deque import ChunkedDeque, Pointer
from swagproof.models.containers.stack import Stack
from swagproof.oracle.domain import Domain
from swagproof.oracle.search.attempts import Attempt, drawing
from swagproof.oracle.search.structure import ASK, UNIT, Move, Reference, Tour, Walks
from swagproof.oracle.trace import EVICT, QUERY, Step, evict_at, insert, insert_at, range_query
from swagproof.reference.catalogue import B_TREE, FIBA, FIFO, REACTIVE_AGGREGATOR_FIFO, Column

FIFO_BOUNDS: Final = (4, 8, 16, 32, 64)
"""Elements in the largest windows of FIFO references, level by level."""

BUFFER_BOUNDS: Final = (1, 2, 4, 8, 8)
"""The same for the Reactive Aggregator."""

TREE_BOUNDS: Final = (4, 6, 8, 10, 12)
"""Entries in the largest trees."""


@dataclass(frozen=True)
class Walked:
    """The walks of a kind of window, and the conversion between walks and traces."""

    walks: Walks
    spell: Callable[[Tour, Callable[[], Any], bool], list[Step]]
    """A trace that follows a tour, from what gives elements, and whether ranges are asked too."""
    moves: Callable[[Sequence[Step]], Iterator[Move]]
    """The moves of a trace.  Range queries are none."""

    def attempts(self, domains: Sequence[Domain], random: Random, ranges: bool = False) -> Iterator[Attempt]:
        """The tours over every transition, one level after another, each tour over every domain."""
        for level in self.walks.levels:
            what = f"every transition of the references' windows of up to {self.walks.references[0].bounds[level]}"
            for tour in self.walks.tours(level):
                for domain in domains:
                    letters = cycle(domain.orders[0])
                    element = letters.__next__ if domain.operation.faithful else drawing(domain, random)
                    yield Attempt(domain, what, self.spell(tour, element, ranges))


def sources(algorithm: type[Any]) -> frozenset[str]:
    """The files of a reference: those of its class and of its bases, as far as they are references."""
    kept = [made for made in algorithm.__mro__ if made.__module__.startswith("swagproof.reference.")]
    return frozenset(map(inspect.getfile, kept))


# FIFO windows


class _Fifo:
    def __init__(self, window: Any) -> None:
        self.window = window

    def take(self, move: Move) -> None:
        if move[0] == "insert":
            self.window.insert(None)
        elif move[0] == "evict":
            self.window.evict()
        else:
            self.window.query()

    def state(self) -> Hashable:
        """Pointers, sizes, numbers, and the slots that are waiting."""
        return tuple(
            state_of(value, self.window)
            for name, value in vars(self.window).items()
            for state_of in (_STATE_OF.get(type(value)),)
            if state_of and name != "monoid"
        )


_STATE_OF: Final[dict[type, Callable[[Any, Any], Hashable]]] = {
    int: lambda number, _: number,
    Pointer: lambda pointer, window: pointer - window.deque.begin(),
    ChunkedDeque: lambda deque, _: len(deque),
    Stack: lambda stack, _: stack.size,
    dict: lambda pending, _: tuple(sorted(pending)),
    set: lambda freed, _: tuple(sorted(freed)),
    REACTIVE_AGGREGATOR_FIFO.algorithm.Fat: lambda tree, _: tree.n,
}
"""The function that reduces an attribute to the part that distinguishes states, by the attribute's type."""

_INSERT: Final[Move] = ("insert", False, 0)
_EVICT: Final[Move] = ("evict", True, 0)
_FIFO_MOVES: Final = {"insert": _INSERT, "evict": _EVICT, "query": ASK}


def _fifo_moves(size: int, limit: int) -> list[Move]:
    return [*([_INSERT] if size < limit else ()), *([_EVICT] if size else ()), ASK]


def _fifo_moves_of(steps: Sequence[Step]) -> Iterator[Move]:
    """Up to the first bulk: the references that are walked have single operations alone."""
    return map(_FIFO_MOVES.__getitem__, takewhile(_FIFO_MOVES.__contains__, (step.name for step in steps)))


def _spell(tour: Tour, element: Callable[[], Any], _ranges: bool) -> list[Step]:
    return [insert(element()) if move is _INSERT else EVICT if move is _EVICT else QUERY for move in tour]


@cache
def fifo_walks() -> Walked:
    """The walks of FIFO windows; the same at every call, as far as they have come."""

    def reference(column: Column, bounds: Sequence[int] = FIFO_BOUNDS, still: bool = True) -> Reference:
        made = column.algorithm
        return Reference(column.name, lambda: _Fifo(made(UNIT)), _fifo_moves, sources(made), bounds, still)

    references = (*map(reference, FIFO), reference(REACTIVE_AGGREGATOR_FIFO, BUFFER_BOUNDS, still=False))
    return Walked(Walks(references), _spell, _fifo_moves_of)


# Out-of-order windows


class _Places:
    """The times that are present, as moves come and name places among them."""

    ROOM: Final = 1 << 1024
    """Between neighbours, at first: each move halves one gap at most, and a tour is shorter than this has bits."""

    def __init__(self) -> None:
        self.times: list[int] = []

    def time(self, move: Move) -> int:
        """The time of this move, which is then made."""
        (name, present, place), times = move, self.times
        if present:
            return times.pop(place) if name == "evict" else times[place]
        if not times:
            time = 0
        elif place in (0, len(times)):
            time = times[0] - self.ROOM if not place else times[-1] + self.ROOM
        else:
            time = (times[place - 1] + times[place]) // 2
        if name == "insert":
            times.insert(place, time)
        return time


class _Tree:
    def __init__(self, tree: Any) -> None:
        self.tree = tree
        self.places = _Places()

    def take(self, move: Move) -> None:
        if move is ASK:
            self.tree.query()
        elif move[0] == "insert":
            self.tree.insert(self.places.time(move), None)
        else:
            self.tree.evict(self.places.time(move))

    def state(self) -> Hashable:
        """The shape: of a leaf how many entries it has, of another node the shapes of its children."""
        return _shape(self.tree.root)


def _shape(node: Any) -> Hashable:
    return tuple(map(_shape, node.children)) if node.children else len(node.times)


def _tree_moves(size: int, limit: int) -> list[Move]:
    gaps = range(size + 1)
    return [
        *(("insert", False, gap) for gap in gaps if size < limit),
        *((name, True, place) for place in range(size) for name in ("insert", "evict")),
        *(("evict", False, gap) for gap in gaps),
        ASK,
    ]


@lru_cache(64)
def _give_times(tour: Tour) -> list[tuple[str, int]]:
    """Each operation with its time: numbered from 0 by rank, among all times of the tour."""
    places = _Places()
    times = [(move[0], 0 if move == ASK else places.time(move)) for move in tour]
    ranks = {time: rank for rank, time in enumerate(sorted({time for name, time in times if name != "query"}))}
    return [(name, ranks.get(time, 0)) for name, time in times]


def _spell_in_time(tour: Tour, element: Callable[[], Any], ranges: bool) -> list[Step]:
    """Every range from one entry to another is asked where a shape comes up first."""
    steps: list[Step] = []
    after, at, seen = tree_walks().walks.references[0].after, 0, set[int]()
    present: list[int] = []
    for move, (name, time) in zip(tour, _give_times(tour), strict=True):
        if name == "query":
            steps.append(QUERY)
        elif name == "insert":
            steps.append(insert_at(time, element()))
            if not move[1]:
                present.insert(move[2], time)
        else:
            steps.append(evict_at(time))
            if move[1]:
                present.remove(time)
        at, _ = after[at][move]
        if ranges and at not in seen:
            seen.add(at)
            steps += [range_query(first, last) for first, last in combinations_with_replacement(present, 2)]
    return steps


def _moves_in_time(steps: Sequence[Step]) -> Iterator[Move]:
    """Up to the first bulk, too."""
    present: list[Any] = []
    for name, arguments in steps:
        if name == "query":
            yield ASK
        elif "bulk" in name:
            return
        elif name != "range_query":
            time = arguments[0]
            place = bisect_left(present, time)
            found = place < len(present) and present[place] == time
            yield name, found, place
            if found is (name == "evict"):
                if found:
                    del present[place]
                else:
                    present.insert(place, time)


@cache
def tree_walks() -> Walked:
    """The walks of out-of-order windows; the same at every call, as far as they have come."""
    references = [
        Reference(
            f"{column.name}, min-arity 2",
            lambda column=column: _Tree(column.algorithm(UNIT, 2)),  # type: ignore[misc]  # of its own loop turn
            _tree_moves,
            sources(column.algorithm),
            TREE_BOUNDS,
        )
        for column in (FIBA, B_TREE)
    ]
    return Walked(Walks(references), _spell_in_time, _moves_in_time)
