"""The structure of a reference, walked: its states up to a renaming of elements, and what each operation makes of them.

No branch of the references looks at a value, so an operation's course depends only on where pointers stand, how trees
branch and which slots are taken: that is a *state*, read off the running object.  A *transition* is a state and an
operation.  A walk takes the real reference through every transition of windows up to a bound: it takes an untried
operation of its present state, or else goes to the nearest state that has one.  So the walk is a *tour*, a few traces
that together take every transition.

The explorer of the proofs (`swagproof.proofs.explorer`) walks the same graphs breadth first, over letters, and copies
states.  A subject can be led anywhere only by operations, so a tour is one history after another, and the reference
runs over the monoid of one element.

Each transition is run once under `sys.settrace`, which tells which line of the reference followed which.  Where a line
has been followed by more than one, each of these is a *branch*.  An evict of an empty window is no operation here.
"""

import sys
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from types import FrameType
from typing import Any, Final, Protocol, TypeAlias

from swagproof.models.operations import Operation

Move: TypeAlias = tuple[str, bool, int]
"""An operation up to renaming: its name, whether at a time that is present, and at which: the `k`-th entry, or the gap
before the `k`-th.  FIFO windows have neither: `("insert", False, 0)`."""

Tour: TypeAlias = tuple[Move, ...]

ASK: Final[Move] = ("query", False, 0)

Branch: TypeAlias = tuple[str, int, int]
"""Function, line, and the line that followed: 0 for its end."""

_CHANGES: Final = {("insert", False): 1, ("evict", True): -1}
"""The change in a window's size that each operation makes, if any."""

LONGEST: Final = 1000
"""Moves in the longest tour, about: one that fails has to be made small."""

UNIT: Final[Operation[Any, None, Any]] = Operation(
    "unit",
    lift=lambda _: None,
    combine=lambda _a, _b: None,
    lower=lambda _: None,
    identity=None,
    commutative=True,
    remove=lambda _a, _b: None,
)
"""The monoid of one element: what is left when values do not matter."""


class Machine(Protocol):
    """A reference at work."""

    def take(self, move: Move) -> None:
        """Do this."""
        ...

    def state(self) -> Hashable:
        """The state that it is in."""
        ...


class Reference:
    """A reference, and as much of its graph as has been walked.  States and transitions are numbered as they come."""

    def __init__(
        self,
        name: str,
        build: Callable[[], Machine],
        moves: Callable[[int, int], Sequence[Move]],
        sources: frozenset[str],
        bounds: Sequence[int],
        still: bool = True,
    ) -> None:
        self.name = name
        self.build = build
        self.moves = moves
        """From a size and a bound, what can be done."""
        self.sources = sources
        """The files whose branches count."""
        self.bounds = tuple(bounds)
        """Entries in the largest window, level by level; they never shrink."""
        self.still = still
        """True if a query leaves the state as it is."""
        self.after: list[dict[Move, tuple[int, int]]] = []
        """For each state, and each operation there: the state that follows, and the number of the transition."""
        self.steps: list[frozenset[Branch]] = []
        """For each transition: the lines that it executes, each with the line that followed."""
        self.ends: list[int] = []
        """For each transition: the state that follows."""
        self._sizes: list[int] = []
        self._untried: list[list[Move]] = []
        self._ids: dict[Hashable, int] = {}
        self._limit = 0
        self._number(build().state(), 0)

    def _number(self, state: Hashable, size: int) -> int:
        found = self._ids.get(state)
        if found is None:
            found = self._ids[state] = len(self._ids)
            self.after.append({})
            self._sizes.append(size)
            self._untried.append(list(reversed(self.moves(size, self._limit))))
        return found

    @property
    def extent(self) -> tuple[int, int]:
        """Return how many states and transitions are known."""
        return len(self.after), len(self.steps)

    def grow(self, level: int) -> None:
        """Let windows grow to the bound of this level."""
        self._limit = self.bounds[level]
        for state, size in enumerate(self._sizes):
            self._untried[state] = [
                move for move in reversed(self.moves(size, self._limit)) if move not in self.after[state]
            ]

    def learn(self, tour: Tour) -> None:
        """Go along a tour as far as it keeps to the bound, and note what is new on the way."""
        machine, at = self.build(), 0
        for move in tour:
            if move not in self.after[at] and move not in self._untried[at]:
                return
            at = self._take(machine, at, move)

    def walk(self) -> Iterator[Tour]:
        """Tours over all that is untried."""
        machine, at = self.build(), 0
        tour: list[Move] = []
        while True:
            way = self._nearest(at)
            if way is None or len(tour) >= LONGEST:
                if tour:
                    yield tuple(tour)
                machine, at, tour = self.build(), 0, []
                way = self._nearest(at)
                if way is None:
                    return
            for number, move in enumerate(way, 1):
                for then in (move, ASK) if move != ASK and (self.still or number == len(way)) else (move,):
                    at = self._take(machine, at, then)
                    tour.append(then)

    def _nearest(self, start: int) -> list[Move] | None:
        """The shortest way to something untried, which it ends with; None when there is none."""
        came: dict[int, tuple[int, Move] | None] = {start: None}
        waiting = deque([start])
        while waiting:
            at = waiting.popleft()
            if self._untried[at]:
                way = [self._untried[at][-1]]
                step = came[at]
                while step is not None:
                    at, move = step
                    way.append(move)
                    step = came[at]
                return way[::-1]
            for move, (then, _) in self.after[at].items():
                if then not in came:
                    came[then] = (at, move)
                    waiting.append(then)
        return None

    def _take(self, machine: Machine, at: int, move: Move) -> int:
        known = self.after[at].get(move)
        if known is not None:
            machine.take(move)
            return known[0]
        self._untried[at].remove(move)
        lines = lines_followed(lambda: machine.take(move), self.sources)
        then = self._number(machine.state(), self._sizes[at] + _CHANGES.get(move[:2], 0))
        self.after[at][move] = then, len(self.steps)
        self.steps.append(lines)
        self.ends.append(then)
        return then

    def branches(self, transitions: int) -> frozenset[Branch]:
        """The branches that the first so many transitions take."""
        followers: defaultdict[tuple[str, int], set[int]] = defaultdict(set)
        for lines in set(self.steps[:transitions]):
            for function, line, following in lines:
                followers[function, line].add(following)
        return frozenset(
            (*place, following) for place, all_ in followers.items() if len(all_) > 1 for following in all_
        )


def lines_followed(run: Callable[[], object], sources: frozenset[str]) -> frozenset[Branch]:
    """Run it, and tell which line followed which in those files.  Another tracer is put back, and misses the run."""
    found: set[Branch] = set()

    def entered(frame: FrameType, _event: str, _argument: Any) -> Any:
        if frame.f_code.co_filename not in sources:
            return None
        function, line = frame.f_code.co_qualname, frame.f_lineno

        def followed(frame: FrameType, event: str, _argument: Any) -> Any:
            nonlocal line
            if event != "exception":
                following = frame.f_lineno if event == "line" else 0
                found.add((function, line, following))
                line = following
            return followed

        return followed

    before = sys.gettrace()
    sys.settrace(entered)
    try:
        run()
    finally:
        sys.settrace(before)
    return frozenset(found)


class Walks:
    """The references of one kind of window, walked together, one level after another, as far as anyone asks.

    A tour of one reference is also a walk over the others: what it takes there need not be walked again.
    """

    def __init__(self, references: Sequence[Reference]) -> None:
        """References with as many bounds each."""
        self.references = tuple(references)
        self.extents: list[tuple[tuple[int, int], ...]] = []
        """For each level that was walked to its end: the number of states and transitions of each reference."""
        self._tours: list[list[Tour]] = [[] for _ in self.references[0].bounds]
        self._walk = self._on()

    @property
    def levels(self) -> range:
        """The levels that there are."""
        return range(len(self._tours))

    def _on(self) -> Iterator[None]:
        for level, tours in enumerate(self._tours):
            for reference in self.references:
                reference.grow(level)
            for reference in self.references:
                for tour in reference.walk():
                    for other in self.references:
                        other.learn(tour)
                    tours.append(tour)
                    yield
            self.extents.append(tuple(reference.extent for reference in self.references))

    def tours(self, level: int) -> Iterator[Tour]:
        """The tours of a level, beyond those of the levels before; each is walked when it is asked for."""
        number = 0
        while True:
            while number < len(self._tours[level]):
                yield self._tours[level][number]
                number += 1
            if len(self.extents) > level:
                return
            next(self._walk, None)
