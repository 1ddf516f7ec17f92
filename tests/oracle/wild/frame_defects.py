"""Defects of batch engines, in their answers over the frame of each row."""

from bisect import bisect_left, bisect_right
from collections import Counter, deque
from math import fsum, nan
from typing import Any

from defect import Defect, define_defects

from swagproof.models.windows.kinds import Frame

SQL_SUM, SQL_MAX = ("sql-sum",), ("sql-max",)


class _Engine(Defect):
    """An engine that computes the product of each row's frame; right without a defect."""

    def __init__(self, monoid: Any) -> None:
        self.monoid = monoid
        self.rows: list[tuple[Any, Any]] = []
        self.declared = Frame("rows", None, None)

    def frame(self, unit: str, start: Any, end: Any) -> None:
        self.declared = Frame(unit, start, end)

    def insert(self, t: Any, v: Any) -> None:
        self.rows.append((t, v))

    def results(self) -> list[Any]:
        rows = sorted(self.rows, key=lambda row: row[0])
        return self.answers([time for time, _ in rows], [value for _, value in rows])

    def answers(self, times: list[Any], values: list[Any]) -> list[Any]:
        """Return an answer for each row."""
        return [self.answer(values[low:high]) for low, high in self.bounds(times)]

    def bounds(self, times: list[Any]) -> list[tuple[int, int]]:
        """Return each row's frame: its first row, and the row after its last."""
        return [self.bound(at, low, high) for at, (low, high) in enumerate(self.declared.bounds(times))]

    def bound(self, _at: int, low: int, high: int) -> tuple[int, int]:
        """Return the frame of one row, from the bounds of the declared frame."""
        return low, high

    def answer(self, values: list[Any]) -> Any:
        """Return the answer over these values."""
        aggregate = self.monoid.identity
        for value in values:
            aggregate = self.monoid.combine(aggregate, self.monoid.lift(value))
        return self.monoid.lower(aggregate)


class _Sliding(_Engine):
    """An engine that adds values to one state and removes them as the frame slides; right without a defect."""

    monoids = SQL_SUM

    def answers(self, times: list[Any], values: list[Any]) -> list[Any]:
        self.begin()
        found: list[Any] = []
        first = stop = 0
        for low, high in self.bounds(times):
            if self.moves(low, high):
                self.enter(values[stop:high])
                self.leave(values[first:low])
            first, stop = low, high
            found.append(self.evaluate() if self.moves(low, high) else None)
        return found

    def moves(self, _low: int, _high: int) -> bool:
        """Return whether the state can slide to a frame."""
        return True

    def begin(self) -> None:
        """Start with an empty frame."""
        self.total = self.count = 0

    def enter(self, values: list[Any]) -> None:
        """Add values to the frame, in order."""
        some = [value for value in values if value is not None]
        self.total, self.count = self.total + sum(some), self.count + len(some)

    def leave(self, values: list[Any]) -> None:
        """Remove the oldest values of the frame."""
        some = [value for value in values if value is not None]
        self.total, self.count = self.total - sum(some), self.count - len(some)

    def evaluate(self) -> Any:
        """Return the answer over the values in the frame."""
        return self.total if self.count else None


define_defects(globals(), _Sliding, """
EmptyFrameKeepsState (apache/datafusion/issues/24184): An empty frame does not change the state, but is recorded as
  the last frame: the rows of the frame before it are never removed.
    moves: True -> _low < _high
OnlyOneLeaves (cockroachdb/cockroach/pull/28032): If several rows leave the frame at once, only one is subtracted.
    leave: in values -> in values[-1:]
SumWraps (trinodb/trino/pull/30600): A 64-bit sum wraps around without an error.
    evaluate: self.total -> (self.total + 2**63) % 2**64 - 2**63
""")  # fmt: skip


# State between rows


class LastMinimumStays(_Sliding):
    """The minimum is updated only if the queue of minima is not empty. If only NULLs remain, it is empty, and the old
    minimum is returned.
    """

    thread = "apache/datafusion/issues/23872"
    monoids = ("sql-min",)

    def begin(self) -> None:
        self.inside: deque[Any] = deque()
        self.least: Any = None

    def enter(self, values: list[Any]) -> None:
        self.inside.extend(values)
        self.set_least()

    def leave(self, values: list[Any]) -> None:
        for _ in values:
            self.inside.popleft()
        self.set_least()

    def set_least(self) -> None:
        """Find the least value in the frame."""
        some = [value for value in self.inside if value is not None]
        if some or not self.wrong or not self.inside:
            self.least = min(some, default=None)

    def evaluate(self) -> Any:
        return self.least


class EvaluateDrains(_Engine):
    """Rows with the same frame share a state, but the first answer empties it."""

    thread = "databendlabs/databend/issues/19822"
    monoids = ("sql-concatenation",)

    def answers(self, times: list[Any], values: list[Any]) -> list[Any]:
        found: list[Any] = []
        last: tuple[int, int] | None = None
        state: list[Any] = []
        for low, high in self.bounds(times):
            if (low, high) != last:
                last, state = (low, high), values[low:high]
            found.append(self.answer(state))
            if self.wrong:
                state.clear()
        return found


class RemovalSkipsTheSwapped(_Sliding):
    """An element that leaves an unordered list is replaced by the last one. The loop then continues after this place,
    and does not check the replacement.
    """

    thread = "apache/datafusion/issues/21299"
    monoids = SQL_MAX

    def begin(self) -> None:
        self.inside: list[Any] = []

    def enter(self, values: list[Any]) -> None:
        self.inside.extend(value for value in values if value is not None)

    def leave(self, values: list[Any]) -> None:
        gone = Counter(value for value in values if value is not None)
        at = 0
        while at < len(self.inside):
            found = gone[self.inside[at]] > 0
            if found:
                gone[self.inside[at]] -= 1
                self.inside[at] = self.inside[-1]
                self.inside.pop()
            if self.wrong or not found:
                at += 1

    def evaluate(self) -> Any:
        return max(self.inside, default=None)


class ZeroOverNothing(_Sliding):
    """A mean divides the sum by the count if there was ever a value: when all have left, it divides zero by zero."""

    thread = "apache/datafusion/pull/22139"
    monoids = ("mean",)

    def begin(self) -> None:
        super().begin()
        self.any = False

    def enter(self, values: list[Any]) -> None:
        super().enter(values)
        self.any = self.any or bool(values)

    def evaluate(self) -> Any:
        if self.count:
            return self.monoid.lower((self.count, self.total))
        return nan if self.wrong and self.any else None


class PeersShareAnAnswer(_Engine):
    """All rows of equal time get the answer of one row, although their frames differ."""

    thread = "cockroachdb/cockroach/pull/39308"

    def answers(self, times: list[Any], values: list[Any]) -> list[Any]:
        found: list[Any] = []
        for at, (low, high) in enumerate(self.bounds(times)):
            peer = at > 0 and times[at] == times[at - 1]
            found.append(found[-1] if self.wrong and peer else self.answer(values[low:high]))
        return found


class SkippedRowsOverflow(_Engine):
    """Rows between one frame and the next are added to a running sum and subtracted again: two large ones overflow, and
    infinity minus infinity is NaN.
    """

    thread = "pandas-dev/pandas/issues/45647"
    learned = (
        "found only by chance, in 24 s: no frame skipped two rows among huge and tiny elements. Now some frames do."
    )
    monoids = ("sql-float-sum",)

    def answers(self, times: list[Any], values: list[Any]) -> list[Any]:
        found: list[Any] = []
        stop = 0
        left = 0.0
        for low, high in self.bounds(times):
            skipped = [value for value in values[stop:low] if value is not None and abs(value) < float("inf")]
            if self.wrong:
                for sign in (1, -1):
                    for value in skipped:
                        left += sign * value
            stop = max(stop, high)
            held = [value for value in values[low:high] if value is not None]
            found.append(self.add([*held, left]) if held else None)
        return found

    def add(self, values: list[float]) -> float:
        """Return the sum, rounded once if possible."""
        try:
            return fsum(values)
        except (OverflowError, ValueError):
            return sum(values)


class LoopMeetsItsEnd(_Sliding):
    """The loop that removes expired values from a queue of maxima counts up to the queue's length, which shrinks: it
    ends half-way.
    """

    thread = "cockroachdb/cockroach/pull/68314"
    monoids = SQL_MAX

    def begin(self) -> None:
        self.maxima: deque[tuple[int, Any]] = deque()
        self.entered = self.gone = 0

    def enter(self, values: list[Any]) -> None:
        for value in values:
            if value is not None:
                while self.maxima and self.maxima[-1][1] <= value:
                    self.maxima.pop()
                self.maxima.append((self.entered, value))
            self.entered += 1

    def leave(self, values: list[Any]) -> None:
        self.gone += len(values)
        turns = 0
        while turns < len(self.maxima) and self.maxima[0][0] < self.gone:
            self.maxima.popleft()
            if self.wrong:
                turns += 1

    def evaluate(self) -> Any:
        return self.maxima[0][1] if self.maxima else None


class SumInADouble(_Sliding):
    """Integers are added and subtracted in a double: the rounding error of a large one remains when it has left."""

    thread = "trinodb/trino/pull/30630"

    def begin(self) -> None:
        super().begin()
        self.rough = 0.0

    def enter(self, values: list[Any]) -> None:
        super().enter(values)
        for value in values:
            self.rough += value or 0

    def leave(self, values: list[Any]) -> None:
        super().leave(values)
        for value in values:
            self.rough -= value or 0

    def evaluate(self) -> Any:
        return int(self.rough) if self.wrong and self.count else super().evaluate()


# Initial states, and results for empty frames

define_defects(globals(), _Engine, r"""
MissingCount over sql-count (facebookincubator/velox/issues/6416): An empty frame gives NULL, also for a count.
    answer: return -> return None if not values else
BufferShowsThrough over sql-first (StarRocks/starrocks/issues/8587): An empty frame neither writes a result nor marks it
  as NULL, so the buffer's old contents are read.
    answers: for low, high in self.bounds(times)
        -> if low < high else buffer for (low, high), buffer in zip(self.bounds(times), values, strict=True)
LeastPositiveFloat over sql-float-max (deephaven/deephaven-core/issues/4396): A maximum of floats starts from the least
  positive float, which is greater than all negative values.
    answer: in values -> in ([5e-324, *values] if any(value is not None for value in values) else values)
MinimumWithoutNulls over sql-max (pola-rs/polars/pull/2012): A maximum over a column without NULLs calls the kernel of
  the minimum.
    answers: return
        -> if None not in values: self.answer = lambda some: min(some, default=None)\n    return
""")  # fmt: skip


# The bounds of a frame

define_defects(globals(), _Engine, r"""
RangeCountsRows (questdb/questdb/issues/5177): A range up to the row's own time ends with the row, and excludes later
  rows of that time.
    bound: low, high -> low, min(high, _at + 1) if (self.declared.unit, self.declared.end) == ("range", 0) else high
PeersSplit (duckdb/duckdb/issues/23664): A range from 0 FOLLOWING starts at the row, and excludes earlier rows of the
  same time.
    bound: low, high -> max(low, _at) if (self.declared.unit, self.declared.start) == ("range", 0) else low, high
ZeroIsOneBefore (duckdb/duckdb/issues/13598): An end of 0 PRECEDING is clamped to 1 PRECEDING, which excludes the row
  itself.
    frame: end) -> -1 if unit == "range" and end == 0 and (start is None or start < 0) else end)
ZeroIsNoBound (ibis-project/ibis/issues/1537): A bound of 0 is falsy and taken for no bound: the frame is unbounded on
  that side.
    frame: end) -> end or None)
FrameOptimisedAway (duckdb/duckdb/issues/21592): A running sum is planned as a total of all rows, joined to each row:
  the frame is ignored.
    bound: return
        -> if (self.declared.unit, self.declared.start) == ("rows", None): low, high = 0, len(self.rows)\n    return
""")  # fmt: skip


class PositionWraps(_Engine):
    """The position of a frame's first row is computed in 64 bits: far behind the last row it wraps around to before the
    first.
    """

    thread = "duckdb/duckdb/issues/24307"

    def bounds(self, times: list[Any]) -> list[tuple[int, int]]:
        found = super().bounds(times)
        start = self.declared.start
        if not self.wrong or self.declared.unit != "rows" or start is None:
            return found
        return [(0 if at + start >= 2**63 else low, len(times) if at + start >= 2**63 else high)
                for at, (low, high) in enumerate(found)]  # fmt: skip


class EmptyFrameHoldsTheFirst(_Engine):
    """If a frame's end is more than 2^32 rows before its row, it is set to the first row, which the frame then
    includes."""

    thread = "facebookincubator/velox/issues/9375"
    learned = (
        "found in a second, but the trace was not minimal after 30 s, because the minimiser only halved and decremented"
        " offsets of many digits. Now it also subtracts a quarter, an eighth, and so on."
    )

    def bounds(self, times: list[Any]) -> list[tuple[int, int]]:
        found = super().bounds(times)
        end = self.declared.end
        if not self.wrong or self.declared.unit != "rows" or end is None:
            return found
        return [(low, max(high, 1) if at + end < -(2**31) else high) for at, (low, high) in enumerate(found)]


class TargetWraps(_Engine):
    """The time at the end of a range is computed in 64 bits and wraps around: it is searched for on the wrong side."""

    thread = "apache/datafusion/pull/22140"

    def bounds(self, times: list[Any]) -> list[tuple[int, int]]:
        start, end = self.declared.start, self.declared.end
        if not self.wrong or self.declared.unit == "rows":
            return super().bounds(times)
        found: list[tuple[int, int]] = []
        for time in times:
            low = 0 if start is None else bisect_left(times, self.wrap(time + start))
            high = len(times) if end is None else bisect_right(times, self.wrap(time + end))
            found.append((low, max(low, high)))
        return found

    def wrap(self, time: Any) -> Any:
        """Return a time, wrapped to 64 bits."""
        return (time + 2**63) % 2**64 - 2**63 if isinstance(time, int) else time


class PeersCutAtABatch(_Sliding):
    """Rows are processed in batches of 4,096: if rows of equal time are in two batches, those in the first are answered
    before the others are read.
    """

    thread = "apache/gluten/issues/7194"
    learned = (
        "missed, because no two of thousands of rows had an equal time. Now three rows have the same time in some "
        "tables of every size, so that the end of a batch separates some of them."
    )
    batch = 4096

    def bounds(self, times: list[Any]) -> list[tuple[int, int]]:
        found = super().bounds(times)
        if not self.wrong or self.declared.unit != "range" or self.declared.end != 0:
            return found
        return [(low, min(high, at - at % self.batch + self.batch)) for at, (low, high) in enumerate(found)]


class EachTaskByItself(_Sliding):
    """The operator runs separately in each task of the input: frames end with the rows of the task."""

    thread = "AstroVela/vane/issues/281"
    task = 1000

    def answers(self, times: list[Any], values: list[Any]) -> list[Any]:
        step = self.task if self.wrong else max(1, len(times))
        found: list[Any] = []
        for at in range(0, len(times), step):
            found += super().answers(times[at : at + step], values[at : at + step])
        return found
