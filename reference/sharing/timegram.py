"""TimeGram.

- Full name: TimeGram
- Paper: Aggregate Sharing in Stream Databases (2005), section 3
- Order: FIFO, count windows of several sizes over one stream
- Operator: max, min, count, sum, average of ints and Fractions; answers are intervals that contain the exact one
- Combine calls: none; of the B buckets that are not empty: insert O(log B); max, min at most B; count, sum, average B
- Space: the timestamps of the largest window, and the bucket of each
- Errata: TG-1, TG-2, TG-4; readings TG-3, TG-5, TG-6, TG-7, TG-8, TG-9, TG-11

Conventions: the paper's [L, R] is [`low`, `high`], K is `buckets`, W a window's size; timestamps number the tuples, so
a window has the newest ones.  Decided here, where the paper is silent:

* bucket i is [L + i w, L + (i+1) w] for a width of w = (R - L) / K; a value on a boundary goes to the bucket above it,
  R itself to the last of the K (reading TG-3);
* the grid continues beyond [L, R] with the same width, for every integer i, and only buckets that hold timestamps are
  kept: a value outside the initial range has a bucket as narrow as any other (reading TG-9);
* buckets are sorted; if no value can be outside, an array of K buckets makes an insert O(1), as the paper says;
* buckets can be made wider at any time, by an integer factor, but not narrower: the values are gone (reading TG-6);
* floats are rejected: rounding could put a value into a wrong bucket.  `Fraction(0.1)` is a float's exact value.
"""

from bisect import bisect_left, bisect_right
from collections import deque
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from icontract import SLOW, ensure, invariant, require, snapshot

from swagproof.contracts.shadows.shared import ValuesShadow
from swagproof.contracts.sharing.timegram import (
    ascending,
    avg_contains,
    before,
    belongs,
    bucket_found,
    count_is,
    held,
    homes_held,
    housed,
    in_bucket,
    in_order,
    max_contains,
    min_contains,
    one_fewer,
    own,
    placed,
    some_home,
    sum_contains,
    tight,
    widened,
    within,
)
from swagproof.models.operations import SUM
from swagproof.models.shared import Registry

Exact: TypeAlias = int | Fraction
Interval: TypeAlias = tuple[Fraction, Fraction]
"""[l, r], both ends included."""


@dataclass(slots=True, eq=False)
class Bucket:
    """The timestamps, oldest first, of the values between two boundaries."""

    index: int
    timestamps: deque[int]


class TimeGram:
    """Timestamps in buckets by value, which bound five aggregates over windows of any size.

    >>> gram = TimeGram(-10, 10, buckets=5)
    >>> for size in (4, 3, 2):
    ...     gram.register(size)
    >>> for value in (3, -10, -9, 5, 2, 7, -3):
    ...     gram.insert(value)
    >>> gram.max(3) == (6, 10), gram.sum(4) == (4, 20), gram.avg(2) == (0, 4), gram.count(3)
    (True, True, True, 3)
    """

    def __init__(self, low: Exact, high: Exact, buckets: int) -> None:
        """Divide [low, high] into buckets.  Raises TypeError for floats, ValueError for no range or no buckets."""
        self.low, self.high = exact("low", low), exact("high", high)  # [Sec.3.2.2 l.b]
        if not isinstance(buckets, int) or buckets < 1:  # pyright: ignore[reportUnnecessaryIsInstance]  # [ours: what is handed in is not checked]
            raise ValueError(f"buckets: {buckets!r} buckets; give an int of at least 1")
        if not self.low < self.high:  # [ours, reading TG-7]
            raise ValueError(f"low, high: [{low}, {high}] has no width; give low < high")
        self.width = (self.high - self.low) / buckets  # [Sec.3.2.2 l.c]
        self.registry = Registry()  # [ours]
        self.buckets: list[Bucket] = []
        self.homes: deque[int] = deque()
        self.now = 0

    def register(self, size: int) -> None:  # [Sec.3.2.2 l.a]
        """Add a standing query over the newest `size` tuples.  Raises like the registry."""
        self.registry.add(size)  # [ours]

    def insert(self, value: Exact, /) -> None:
        """Insert the next tuple.  O(log B) buckets inspected.  Raises TypeError unless it is an int or a Fraction."""
        value = exact("value", value)  # [ours]
        self.registry.begin()
        self.now = self.now + 1
        index = self.bucket_of(value)  # [Sec.3.2.2 l.d]
        self.bucket_at(index).timestamps.append(self.now)
        self.homes.append(index)
        if len(self.homes) > self.registry.largest:  # [Sec.3.2.2 l.e]
            self.remove_oldest()

    def max(self, window: int) -> Interval | None:
        """Bounds of the greatest value.  At most B buckets inspected.  Raises UnknownWindowError."""
        window = self.registry.known(window)  # [ours]
        for bucket in reversed(self.buckets):  # [Sec.3.2.3 l.a]
            if self.belonging(bucket, window) > 0:
                return self.boundaries(bucket.index)
        return None

    def min(self, window: int) -> Interval | None:
        """Bounds of the least value.  At most B buckets inspected.  Raises UnknownWindowError."""
        window = self.registry.known(window)  # [ours]
        for bucket in self.buckets:  # [Sec.3.2.3 l.b]
            if self.belonging(bucket, window) > 0:
                return self.boundaries(bucket.index)
        return None

    def count(self, window: int) -> int:
        """The number of tuples, exactly.  B buckets inspected, none for the largest.  Raises UnknownWindowError."""
        if self.registry.known(window) == self.registry.largest:  # [Sec.3.2.3 l.c]
            return len(self.homes)
        return sum(self.belonging(bucket, window) for bucket in self.buckets)

    def sum(self, window: int) -> Interval:
        """Bounds of the sum.  B buckets inspected.  Raises UnknownWindowError."""
        window = self.registry.known(window)  # [ours]
        a = b = self.low - self.low  # [Sec.3.2.3 l.d]
        for bucket in self.buckets:
            left, right = self.boundaries(bucket.index)
            count = self.belonging(bucket, window)
            a, b = a + left * count, b + right * count
        return a, b

    def avg(self, window: int) -> Interval | None:
        """Bounds of the average.  2B buckets inspected.  Raises UnknownWindowError."""
        a, b = self.sum(window)  # [Sec.3.2.3 l.e, erratum TG-4]
        count = self.count(window)
        return (a / count, b / count) if count > 0 else None

    def widen(self, times: int) -> None:
        """Make every bucket `times` as wide (section 5.4): less precise, fewer buckets.  O(timestamps).

        Raises ValueError if `times` is not an int of at least 1.
        """
        if not isinstance(times, int) or times < 1:  # pyright: ignore[reportUnnecessaryIsInstance]  # callers need not check types
            raise ValueError(
                f"times: {times!r}; give an int of at least 1. Narrower buckets would need the values, which are not "
                "kept (reading TG-6): build another TimeGram, and ask it once it has seen the largest window"
            )
        self.width = self.width * times
        self.homes = deque(index // times for index in self.homes)
        oldest = self.now - len(self.homes) + 1
        self.buckets = []
        for ts, index in enumerate(self.homes, oldest):
            self.bucket_at(index).timestamps.append(ts)

    def bucket_of(self, value: Exact) -> int:
        """The number of the bucket that a value belongs to, from 0 at L.  Constant time."""
        if value == self.high:
            return -((self.low - value) // self.width) - 1
        return (value - self.low) // self.width

    def boundaries(self, index: int) -> Interval:
        """[l, r] of a bucket.  Constant time."""
        return self.low + index * self.width, self.low + (index + 1) * self.width

    def belonging(self, bucket: Bucket, window: int) -> int:
        """Return the number of a bucket's timestamps that belong to the window.  O(log) of them inspected."""
        return len(bucket.timestamps) - bisect_right(bucket.timestamps, self.now - window)

    def bucket_at(self, index: int) -> Bucket:
        """Return the bucket with this number, created if necessary."""
        place = bisect_left(self.buckets, index, key=lambda bucket: bucket.index)
        if place == len(self.buckets) or self.buckets[place].index != index:
            self.buckets.insert(place, Bucket(index, deque()))
        return self.buckets[place]

    def remove_oldest(self) -> None:
        """Remove the oldest timestamp, and its bucket if it is then empty."""
        bucket = self.bucket_at(self.homes.popleft())
        bucket.timestamps.popleft()
        if not bucket.timestamps:
            self.buckets.remove(bucket)


def exact(name: str, value: Exact) -> Fraction:
    """Return the number as a Fraction if it is an int.  Raises TypeError unless it is an int or a Fraction."""
    if not isinstance(value, int | Fraction):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers need not check types
        raise TypeError(f"{name}: {value!r} is no exact number; give an int or a Fraction")
    return Fraction(value) if isinstance(value, int) else value


@invariant(lambda self: held(self), "the timestamps of the largest window")
@invariant(lambda self: housed(self), "each in its bucket", enabled=SLOW)
@invariant(lambda self: own(self), "and in no other", enabled=SLOW)
@invariant(lambda self: within(self), "no bucket is empty, or has timestamps that are gone", enabled=SLOW)
@invariant(lambda self: in_order(self), "buckets in the order of their values", enabled=SLOW)
@invariant(lambda self: placed(self), "each value between its bucket's boundaries", enabled=SLOW)
@invariant(lambda self: ascending(self), "timestamps ascend", enabled=SLOW)
class CheckedTimeGram(ValuesShadow[Fraction], TimeGram):
    """TimeGram with its contracts, and the stream by definition as `model`."""

    operation = SUM

    @ensure(lambda self, window, result: max_contains(result, self.model.window(window)), "max contains")
    @ensure(lambda self, result: tight(result, self.width, 1), "max is tight")
    def max(self, window: int) -> Interval | None:
        """The greatest value."""
        return super().max(window)

    @ensure(lambda self, window, result: min_contains(result, self.model.window(window)), "min contains")
    @ensure(lambda self, result: tight(result, self.width, 1), "min is tight")
    def min(self, window: int) -> Interval | None:
        """The least value."""
        return super().min(window)

    @ensure(lambda self, window, result: count_is(result, self.model.window(window)), "count is exact")
    def count(self, window: int) -> int:
        """The number of tuples."""
        return super().count(window)

    @ensure(lambda self, window, result: sum_contains(result, self.model.window(window)), "sum contains")
    @ensure(lambda self, window, result: tight(result, self.width, len(self.model.window(window))), "sum is tight")
    def sum(self, window: int) -> Interval:
        """The sum."""
        return super().sum(window)

    @ensure(lambda self, window, result: avg_contains(result, self.model.window(window)), "avg contains")
    @ensure(lambda self, result: tight(result, self.width, 1), "avg is tight")
    def avg(self, window: int) -> Interval | None:
        """The average."""
        return super().avg(window)

    @snapshot(lambda self: before(self), name="old")
    @ensure(lambda self, times, OLD: widened(self, OLD.old, times), "wider buckets")
    @ensure(lambda self, OLD: homes_held(self, OLD.old), "as many timestamps")
    def widen(self, times: int) -> None:
        """Make every bucket wider."""
        super().widen(times)

    @ensure(lambda self, value, result: in_bucket(self, value, result), "the value is between the bucket's boundaries")
    def bucket_of(self, value: Exact) -> int:
        """The bucket of a value (section 3.2.2)."""
        return super().bucket_of(value)

    @ensure(lambda self, result: tight(result, self.width, 1), "uniform buckets")
    def boundaries(self, index: int) -> Interval:
        """The boundaries of a bucket."""
        return super().boundaries(index)

    @ensure(lambda self, bucket, window, result: belongs(self, bucket, window, result), "those of W")
    def belonging(self, bucket: Bucket, window: int) -> int:
        """The timestamps of a bucket in a window."""
        return super().belonging(bucket, window)

    @ensure(lambda index, result: bucket_found(result, index), "the bucket of that number")
    def bucket_at(self, index: int) -> Bucket:
        """A bucket by its number."""
        return super().bucket_at(index)

    @require(lambda self: some_home(self), "there is a timestamp")
    @snapshot(lambda self: before(self), name="old")
    @ensure(lambda self, OLD: one_fewer(self, OLD.old), "one timestamp fewer")
    def remove_oldest(self) -> None:
        """Remove the oldest timestamp (section 3.2.2)."""
        super().remove_oldest()
