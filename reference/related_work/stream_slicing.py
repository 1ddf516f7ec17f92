"""Stream slicing over FiBA.

- Full name: General stream slicing, with a finger B-tree for its aggregate store
- Paper: described in Sub-O(log n) Out-of-Order Sliding-Window Aggregation (2018), sections 2 and 6
- Order: out of order, down to the watermark
- Operator: associative, with identity; commutative, or else every time is a slice of its own
- Combine calls: those of FiBA for a store of as many entries as there are slices; an answer O(log slices)
- Space: that of FiBA for one entry a slice with records of an open window; two times for each slice
- Errata: none

Conventions: the paper that introduced Scotty is not transcribed here.  This code follows the description in the 2018
paper: windows of different sizes, granularities and kinds share slices; an out-of-order record updates, fuses or
creates slices; a balanced tree, which can be FiBA, keeps the aggregates of slices; and the operator must commute, or
the records must be kept.

Edges are the times at which a window of a periodic query begins or ends; a cell is the time between two edges.  A slice
is a run of records in one cell, each less than the smallest session gap after the previous one.  So every session and
every periodic window is a union of whole slices.  A slice is stored under the time of its first record.  If the
operator does not commute, a slice holds the records of one time, in arrival order.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Generic

from icontract import SLOW, ensure, invariant, require, snapshot

from swagproof.contracts.related_work.stream_slicing import (
    contents,
    extended,
    forgotten,
    fused,
    just_before,
    released,
    runs,
    taken_in,
    taken_out,
)
from swagproof.contracts.shadows.sliced import StreamShadow
from swagproof.models.monoid import A, Monoid
from swagproof.models.windows.window import LateError, WindowError
from swagproof.reference.slicing.pairs import pair_edge
from swagproof.reference.slicing.slices import (
    Answer,
    Periodic,
    last_begun,
    last_over,
    require_periodic,
    window_begin,
    window_end,
)
from swagproof.reference.trees.fiba import Fiba


class StreamSlicing(Generic[A]):
    """Periodic queries and sessions over one out-of-order stream.  Queries are numbered, the periodic ones first.

    >>> from swagproof.models.operations import SUM
    >>> slicing = StreamSlicing(SUM, [(4, 2)], [3])
    >>> slicing.insert(1, 10); slicing.insert(5, 20); slicing.insert(3, 5)  # fuses two sessions
    >>> for answer in slicing.advance(9):
    ...     print(answer)
    Answer(query=0, begin=-2, end=2, value=10)
    Answer(query=0, begin=0, end=4, value=15)
    Answer(query=0, begin=2, end=6, value=25)
    Answer(query=0, begin=4, end=8, value=20)
    Answer(query=1, begin=1, end=8, value=35)
    """

    def __init__(
        self,
        monoid: Monoid[A],
        periodic: Sequence[tuple[int, int]] = (),
        sessions: Sequence[int] = (),
        *,
        commutative: bool = True,
        min_arity: int = 2,
    ) -> None:
        """Raise WindowError if there are no queries, or if a range, slide or gap is not an int of at least 1."""
        self.monoid = monoid
        self.periodic: tuple[Periodic, ...] = tuple(require_periodic(query) for query in periodic)
        self.sessions = tuple(sessions)
        for gap in self.sessions:
            if type(gap) is not int or gap < 1:
                raise WindowError(f"gap: {gap!r}; give an int of at least 1")
        if not self.periodic and not self.sessions:
            raise WindowError("periodic, sessions: no queries; give at least one")
        self.commutative = commutative
        self.store: Fiba[A] = Fiba(monoid, min_arity)
        self.begins: list[int] = []
        """The time of each slice's first record, ascending: its key in the store."""
        self.lasts: list[int] = []
        """The time of each slice's last record."""
        self.watermark: int | None = None

    def insert(self, t: int, v: A) -> None:
        """Insert a record of time t.  Updates a slice, fuses two, or creates one.

        Raises LateError for a time before the watermark, WindowError unless it is an int; then nothing has changed.
        """
        if type(t) is not int:
            raise WindowError(f"time: {t!r}; give an int, in a smaller unit if need be")
        if self.watermark is not None and t < self.watermark:
            raise LateError(f"time {t} comes after the watermark {self.watermark}: hold the watermark back")
        i = bisect_right(self.begins, t) - 1  # the slice that begins at t or before, -1 for none
        before = i >= 0 and (t <= self.lasts[i] or self.are_together(self.lasts[i], t))
        after = i + 1 < len(self.begins) and self.are_together(t, self.begins[i + 1])
        if before and after:
            self.fuse(i, v)
        elif before:
            self.store.insert(self.begins[i], v)
            self.lasts[i] = max(self.lasts[i], t)
        elif after:
            self.extend(i + 1, t, v)
        else:
            self.store.insert(t, v)
            self.begins.insert(i + 1, t)
            self.lasts.insert(i + 1, t)

    def are_together(self, t: int, later: int) -> bool:
        """Return whether two consecutive records are in one slice."""
        if not self.commutative:
            return t == later
        return self.cell(t) == self.cell(later) and (not self.sessions or later - t < min(self.sessions))

    def cell(self, t: int) -> int:
        """Return the begin of a time's cell; one cell for all times if there are no periodic queries."""
        return max((pair_edge(t, *query) for query in self.periodic), default=0)

    def fuse(self, i: int, v: A) -> None:
        """Fuse slices i and i + 1 with a record between them."""
        self.store.insert(self.begins[i], v)
        self.store.insert(self.begins[i], self.take(i + 1))
        self.lasts[i] = self.lasts.pop(i + 1)
        del self.begins[i + 1]

    def extend(self, i: int, t: int, v: A) -> None:
        """Put a record before slice i as its first: the slice is stored under the new time."""
        self.store.insert(t, v)
        self.store.insert(t, self.take(i))
        self.begins[i] = t

    def take(self, i: int) -> A:
        """Remove the aggregate of slice i from the store."""
        t = self.begins[i]
        partial = self.store.range_query(t, t)
        self.store.evict(t)
        return partial

    def advance(self, watermark: int) -> list[Answer[A]]:
        """Advance the watermark: return the answers of the windows that are over, by end, then by query.

        A session is [time of its first record, time of its last record + gap).  A window without records has no answer.
        Raises LateError for a watermark before the current one, WindowError for one that is not an int.
        """
        if type(watermark) is not int:
            raise WindowError(f"watermark: {watermark!r}; give an int, in a smaller unit if need be")
        if self.watermark is not None and watermark < self.watermark:
            raise LateError(f"watermark {watermark} comes after {self.watermark}: it never falls")
        answers: list[Answer[A]] = []
        oldest = watermark
        for number, query in enumerate(self.periodic):
            answers += self.periodic_answers(number, query, watermark)
            oldest = min(oldest, window_begin(last_over(watermark, *query) + 1, query.slide))
        for number, gap in enumerate(self.sessions, start=len(self.periodic)):
            for begin, last in self.sessions_of(gap):
                if last + gap > watermark:
                    oldest = min(oldest, begin)
                elif self.watermark is None or last + gap > self.watermark:
                    answers.append(Answer(number, begin, last + gap, self.aggregate(begin, last + 1)))
        self.watermark = watermark
        self.release(oldest)
        return sorted(answers, key=lambda answer: (answer.end, answer.query))

    def periodic_answers(self, number: int, query: Periodic, watermark: int) -> list[Answer[A]]:
        """Return the answers of one query's windows that end after the old watermark and not after the new one."""
        answers: list[Answer[A]] = []
        if self.begins:
            since = self.begins[0] if self.watermark is None else self.watermark
            last = min(last_over(watermark, *query), last_begun(self.lasts[-1], query.slide))
            for k in range(last_over(since, *query) + 1, last + 1):
                begin, end = window_begin(k, query.slide), window_end(k, *query)
                if bisect_left(self.begins, begin) < bisect_left(self.begins, end):
                    answers.append(Answer(number, begin, end, self.aggregate(begin, end)))
        return answers

    def sessions_of(self, gap: int) -> list[tuple[int, int]]:
        """Return the times of the first and last records of a query's sessions among the stored slices."""
        found: list[tuple[int, int]] = []
        for begin, last in zip(self.begins, self.lasts, strict=True):
            if found and begin - found[-1][1] < gap:
                found[-1] = found[-1][0], last
            else:
                found.append((begin, last))
        return found

    def aggregate(self, begin: int, end: int) -> A:
        """Return the product of the slices that begin in [begin, end): a range query of the store, O(log slices)."""
        return self.store.range_query(begin, end - 1)

    def release(self, oldest: int) -> None:
        """Forget the slices before this time."""
        while self.begins and self.begins[0] < oldest:
            self.store.evict(self.begins.pop(0))
            self.lasts.pop(0)


@invariant(lambda self: released(self), "no slice lies before all open windows and sessions", enabled=SLOW)
@invariant(lambda self: runs(self), "slices are the runs that no edge and no gap parts", enabled=SLOW)
@invariant(lambda self: contents(self), "the store has the product of each slice, and nothing else", enabled=SLOW)
class CheckedStreamSlicing(StreamShadow[A], StreamSlicing[A]):
    """Stream slicing with its contracts, and the windows by definition as `model`."""

    @ensure(lambda self, t: taken_in(self, t), "a slice has the record's time")
    def insert(self, t: int, v: A) -> None:
        """Insert a record into the operator and into the model."""
        super().insert(t, v)

    @snapshot(lambda self: (list(self.begins), list(self.lasts)), name="slices")
    @ensure(lambda self, i, OLD: fused(self, i, OLD.slices), "slices i and i + 1 are one")
    def fuse(self, i: int, v: A) -> None:
        """Fuse two slices."""
        super().fuse(i, v)

    @require(lambda self, i, t: just_before(self, i, t), "t is between slices i - 1 and i")
    @snapshot(lambda self: (list(self.begins), list(self.lasts)), name="slices")
    @ensure(lambda self, i, t, OLD: extended(self, i, t, OLD.slices), "slice i begins at t, and ends where it did")
    def extend(self, i: int, t: int, v: A) -> None:
        """Make a record the first of a slice."""
        super().extend(i, t, v)

    @snapshot(lambda self: self.store.size, name="size")
    @ensure(lambda self, OLD: taken_out(self.store.size, OLD.size), "the store has one entry less")
    def take(self, i: int) -> A:
        """Remove a slice from the store."""
        return super().take(i)

    @ensure(lambda self, result: result == self.expected, "the windows that are over are answered", enabled=SLOW)
    def advance(self, watermark: int) -> list[Answer[A]]:
        """Advance the operator and the model."""
        return super().advance(watermark)

    @ensure(
        lambda self, begin, end, result: result == self.model.product_between(begin, end - 1),
        "the product of the records from begin to end",
        enabled=SLOW,
    )
    def aggregate(self, begin: int, end: int) -> A:
        """Combine the slices of a window."""
        return super().aggregate(begin, end)

    @ensure(lambda self, oldest: forgotten(self, oldest), "no slice begins before that time")
    def release(self, oldest: int) -> None:
        """Forget slices."""
        super().release(oldest)
