"""Sliding windows of one key, in order, over times, numbers of events, or units of a calendar.

They use slices as in `swagproof.reference.slicing.pairs`, with Two-Stacks Lite over them.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations, groupby
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from swagproof.models.operations import Operation
from swagproof.models.windows.kinds import Calendar, Sliding
from swagproof.models.windows.lateness import NEVER
from swagproof.pipeline.audit.expected.plan import Chunk, Coming, Found, Piece, Plan, Rounding, Run, Sink
from swagproof.reference.in_order.two_stacks_lite import TwoStacksLite
from swagproof.reference.slicing.pairs import p2

if TYPE_CHECKING:
    from swagproof.pipeline.audit.expected.plan import Longs


class Slider:
    """Half-open windows over times, over the numbers of events, or over the numbers of a calendar's units.

    Results have the windows' names, which may differ from their half-open bounds.
    """

    def __init__(self, plan: Plan, sink: Sink, named: Sliding | Calendar, *, counted: bool = False) -> None:
        self.named, self.sink, self.counted = named, sink, counted
        self.spec = named.in_units if isinstance(named, Calendar) else named.half_open
        self.leading = named.leading
        self.opened = int(named.closed in ("right", "neither"))
        """The difference between a window's begin and its name."""
        self.lateness, self.versions = plan.lateness, plan.versions
        self.operation: Operation[Any, Any, Any] = plan.aggregation.operation
        self.rounding = Rounding(plan.aggregation)
        self.held: deque[Run] = deque()
        self.products: TwoStacksLite[Any] = TwoStacksLite(self.operation)
        self.newest: Run | None = None
        self.next_end = NEVER
        """The end of the next window to compute."""
        self.n = 0
        self.count = 0
        self.late = 0

    def feed(self, chunk: Chunk) -> None:
        """Add events, none earlier than the previous ones."""
        combine = self.operation.combine
        at = chunk.times
        if self.counted:
            at = np.arange(self.count, self.count + len(at), dtype=np.int64)
            self.count += len(at)
        if isinstance(self.named, Calendar):
            at = number_times(at, self.named)
        begins = edges(at, self.spec)
        late: Longs | None = None
        if self.versions == "early" and not self.counted:
            late = np.arange(len(at))
        elif chunk.watermark is not None and not self.counted:
            late = np.flatnonzero(self.spec.first_end(at) <= chunk.watermark)
        for i, j in chunk.cut(np.diff(begins)):
            run = chunk.run(int(begins[i]), i, j, combine)
            if late is not None and (marked := late[np.searchsorted(late, i) : np.searchsorted(late, j)].tolist()):
                run.pieces = self._split(chunk, i, j, marked)
            if self.newest is not None and self.newest.at == run.at:
                self.newest.extend(run, combine)
                continue
            self._close()
            self._answer(run.at)
            if not self.held:
                least = self.next_end if self.leading or self.next_end > NEVER else self.spec.last_end(run.at)
                self.next_end = max(least, self.spec.first_end(run.at))
            self.newest = run

    def _split(self, chunk: Chunk, i: int, j: int, late: list[int]) -> list[Piece]:
        """Return the events i to j - 1 of a chunk in pieces; each event that may be late is a piece of its own."""
        most = np.full(len(chunk.times), NEVER) if chunk.watermark is None else chunk.watermark
        least = most if chunk.least is None else chunk.least
        pieces: list[Piece] = []
        for m in late:
            if m > i:
                pieces.append((reduce(self.operation.combine, chunk.lifted[i:m]), m - i, None))
            came = Coming(int(chunk.arrivals[m]), int(most[m]), int(least[m]))
            pieces.append((chunk.lifted[m], 1, came))
            i = m + 1
        return pieces if i == j else [*pieces, (reduce(self.operation.combine, chunk.lifted[i:j]), j - i, None)]

    def _close(self) -> None:
        if self.newest is not None:
            self.held.append(self.newest)
            self.rounding.take(self.newest, 1)
            self.products.insert(self.newest.partial)
            self.n += self.newest.n
            self.late += self.newest.pieces is not None
            self.newest = None

    def _answer(self, until: int) -> None:
        """Emit the windows that end at this point or before."""
        while self.held and self.next_end <= until:
            begin = self.next_end - self.spec.range
            while self.held and self.held[0].at < begin:
                gone = self.held.popleft()
                self.rounding.take(gone, -1)
                self.products.evict()
                self.n -= gone.n
                self.late -= gone.pieces is not None
            if self.held:
                self._emit(begin, self.next_end)
            self.next_end += self.spec.slide

    def _emit(self, begin: int, end: int) -> None:
        if self.sink.owned is not None and begin not in self.sink.owned:
            return
        first, last = self.held[0].first, self.held[-1].last
        everything = (self.products.query(), self.n)
        a, b = self._name(begin)
        rounded = self.rounding.mass
        if not self.late:
            self.sink.add(a, b, everything, first, last, rounded=rounded)
            return
        close = None if self.lateness is None else end + self.lateness
        late = sorted(came for run in self.held for _, _, came in run.split() if came is not None)  # stable: in time
        counted = [came for came in late if close is None or came.most < close]
        unsure = [came for came in late if close is not None and came.least < close <= came.most]
        due = self._with(counted)
        choices = [due, *(self._with([*counted, *unsure[: i + 1]]) for i in range(len(unsure)))]
        versions: list[Found] = []
        if self.versions != "last":
            shown = 1 if self.versions == "early" else sum(came.most < end for came in late)
            versions = [self._with(chosen) for chosen in _list_shown(counted, shown)]
        if due is not None or unsure:
            place = due or next(choice for choice in choices if choice is not None)
            others = choices if unsure else ()
            self.sink.add(a, b, place, first, last, choices=others, versions=versions, rounded=rounded)

    def _name(self, begin: int) -> tuple[int, int]:
        """Return the name of the window with this begin."""
        if self.counted:  # the numbers of its first and last event, from 1
            return max(begin, 0) + 1, begin + self.spec.range
        if isinstance(self.named, Calendar):
            return self.named.start(begin), self.named.start(begin + self.spec.range)
        a = begin - self.opened
        return a, a + self.named.range

    def _with(self, chosen: Sequence[Coming]) -> Found:
        """Return the product of the window, including only the chosen ones of its single events."""
        combine, product, n = self.operation.combine, self.operation.identity, 0
        taken = set(map(id, chosen))  # events with the same arrival number are equal
        for held in self.held:
            for partial, size, came in held.split():
                if came is None or id(came) in taken:
                    product, n = combine(product, partial), n + size
        return (product, n) if n else None

    def finish(self) -> None:
        """End the key."""
        if self.newest is not None:
            until = self.count if self.counted else self.spec.last_end(self.newest.at)
            self._close()
            self._answer(until)


_TOGETHER: Final = 6
"""The most events with one arrival number that are tried in any order; of more, earlier ones come first."""


def _list_shown(counted: Sequence[Coming], least: int) -> Iterator[Sequence[Coming]]:
    """Yield the events, at least this many, that had arrived before each later one; equal arrival numbers in any order.

    >>> a, b, c = (Coming(arrival, 0, 0) for arrival in (1, 2, 2))
    >>> [[[a, b, c].index(x) for x in shown] for shown in _list_shown([a, b, c], 1)]
    [[0], [0, 1], [0, 1]]
    """
    done: list[Coming] = []
    for _, group in groupby(counted, key=lambda came: came.arrival):
        together = list(group)
        if len(done) >= least:
            yield list(done)
        for n in range(max(1, least - len(done)), len(together)):
            some = combinations(together, n) if len(together) <= _TOGETHER else [together[:n]]
            yield from ([*done, *few] for few in some)
        done += together


def edges(at: "Longs", window: Sliding) -> "Longs":
    """Return the latest edge at or before each time, as in `swagproof.reference.slicing.pairs.pair_edge`.

    >>> from swagproof.reference.slicing.pairs import pair_edge
    >>> times = np.arange(-20, 20)
    >>> edges(times, Sliding(10, 3, 1)).tolist() == [pair_edge(int(t) - 1, 10, 3) + 1 for t in times]
    True
    """
    begin = at - (at - window.offset) % window.slide
    second = p2(window.range, window.slide)
    return np.where(at - begin < second, begin, begin + second) if second else begin


_SPARSE: Final = 100_000
"""If there are this many more units than times, most units are empty."""


def number_times(times: "Longs", calendar: Calendar) -> "Longs":
    """Return the numbers of the units of sorted times.

    >>> days = Calendar("day", 1, 1, 0, "Europe/Berlin", second=1)
    >>> hours = np.arange(0, 60) * 3600 + 1711756800
    >>> number_times(hours, days).tolist() == [days.number(int(time)) for time in hours]
    True
    """
    first, last = calendar.number(int(times[0])), calendar.number(int(times[-1]))
    if last - first > _SPARSE + len(times):
        return np.array([calendar.number(time) for time in times.tolist()], dtype=np.int64)
    starts = np.array([calendar.start(number) for number in range(first + 1, last + 1)], dtype=np.int64)
    return first + np.searchsorted(starts, times - (calendar.closed == "right"), side="right").astype(np.int64)
