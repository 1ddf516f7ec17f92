"""Out-of-order windows that are wrong, each in one way that real ones have been, for the tests of the oracle."""

from bisect import bisect_left, bisect_right
from functools import cmp_to_key, reduce
from struct import pack, unpack
from typing import Any

from right_out_of_order import Batched


class _Sorted:
    """Times and values side by side, in order; right as it stands."""

    def __init__(self, monoid: Any) -> None:
        self.monoid = monoid
        self.times: list[Any] = []
        self.values: list[Any] = []

    def found(self, t: Any) -> int | None:
        at = bisect_left(self.times, t)
        return at if self.times[at : at + 1] == [t] else None

    def insert(self, t: Any, v: Any) -> None:
        at = self.found(t)
        if at is None:
            self.add(t, v)
        else:
            self.values[at] = self.again(self.values[at], v)

    def add(self, t: Any, v: Any) -> None:
        at = bisect_left(self.times, t)
        self.times.insert(at, t)
        self.values.insert(at, v)

    def again(self, old: Any, new: Any) -> Any:
        return self.monoid.combine(old, new)

    def evict(self, t: Any) -> None:
        at = self.found(t)
        if at is not None:
            self.remove(at)

    def remove(self, at: int) -> None:
        del self.times[at], self.values[at]

    def query(self) -> Any:
        return self.product(self.values)

    def range_query(self, t_from: Any, t_to: Any) -> Any:
        return self.product(self.values[bisect_left(self.times, t_from) : bisect_right(self.times, t_to)])

    def product(self, values: list[Any]) -> Any:
        return reduce(self.monoid.combine, values, self.monoid.identity)


class DuplicateReplaces(_Sorted):
    """As a dictionary does."""

    def again(self, old: Any, new: Any) -> Any:
        return new


class DuplicateIgnored(_Sorted):
    """The first entry at a time stays."""

    def again(self, old: Any, new: Any) -> Any:
        return old


class DuplicateSwapped(_Sorted):
    """The newer on the left."""

    def again(self, old: Any, new: Any) -> Any:
        return self.monoid.combine(new, old)


class DuplicateIsAnotherEntry(_Sorted):
    """Equal times are two entries, and an evict takes one."""

    def insert(self, t: Any, v: Any) -> None:
        at = bisect_right(self.times, t)
        self.times.insert(at, t)
        self.values.insert(at, v)


class AbsentEvictTakesTheNext(_Sorted):
    """It searches, and does not look at what it found."""

    def evict(self, t: Any) -> None:
        at = bisect_left(self.times, t)
        if at < len(self.times):
            self.remove(at)


class AbsentEvictRaises(_Sorted):
    """A time must be there."""

    def evict(self, t: Any) -> None:
        self.remove(self.times.index(t))


class EvictsTheOldest(_Sorted):
    """An evict removes the oldest entry, not the one at its time: it was made for windows in order."""

    def remove(self, at: int) -> None:
        super().remove(0)


class StaleInTheMiddle(_Sorted):
    """It keeps its answer when what goes is at neither end."""

    answer: Any = None

    def add(self, t: Any, v: Any) -> None:
        self.answer = None
        super().add(t, v)

    def again(self, old: Any, new: Any) -> Any:
        self.answer = None
        return super().again(old, new)

    def remove(self, at: int) -> None:
        if at in (0, len(self.times) - 1):
            self.answer = None
        super().remove(at)

    def query(self) -> Any:
        if self.answer is None:
            self.answer = super().query()
        return self.answer


class StaleDuplicate(StaleInTheMiddle):
    """It keeps its answer, too, when a time comes again."""

    def again(self, old: Any, new: Any) -> Any:
        return self.monoid.combine(old, new)


class LosesEarlierThanAll(_Sorted):
    """Nothing may come before the oldest."""

    def add(self, t: Any, v: Any) -> None:
        if not self.times or t > self.times[0]:
            super().add(t, v)


class ArrivalOrder(_Sorted):
    """It appends, and never sorts."""

    def found(self, t: Any) -> int | None:
        return self.times.index(t) if t in self.times else None

    def add(self, t: Any, v: Any) -> None:
        self.times.append(t)
        self.values.append(v)


class SortsWhenAsked(_Sorted):
    """It sorts in time for a query; an evict searches what is not sorted yet."""

    def insert(self, t: Any, v: Any) -> None:
        if t in self.times:
            at = self.times.index(t)
            self.values[at] = self.monoid.combine(self.values[at], v)
        else:
            self.times.append(t)
            self.values.append(v)

    def query(self) -> Any:
        if self.times:
            pairs = sorted(zip(self.times, self.values, strict=True), key=lambda pair: pair[0])
            self.times, self.values = ([pair[i] for pair in pairs] for i in (0, 1))
        return super().query()

    def range_query(self, t_from: Any, t_to: Any) -> Any:
        self.query()
        return super().range_query(t_from, t_to)


class CommutativeOnly(_Sorted):
    """Entries in order are kept apart from late ones, which are combined after them."""

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.late: set[Any] = set()

    def add(self, t: Any, v: Any) -> None:
        if self.times and t < self.times[-1]:
            self.late.add(t)
        super().add(t, v)

    def query(self) -> Any:
        pairs = list(zip(self.times, self.values, strict=True))
        in_order = self.product([value for time, value in pairs if time not in self.late])
        return self.monoid.combine(in_order, self.product([value for time, value in pairs if time in self.late]))


class DropsAfterDrain(_Sorted):
    """Its watermark survives the drain."""

    watermark: Any = None

    def add(self, t: Any, v: Any) -> None:
        if self.times or self.watermark is None or t > self.watermark:
            super().add(t, v)

    def remove(self, at: int) -> None:
        self.watermark = self.times[at]
        super().remove(at)


class DropsBeyondTheLateness(_Sorted):
    """Entries more than 100 behind the youngest are dropped."""

    def add(self, t: Any, v: Any) -> None:
        if not self.times or t >= self.times[-1] - 100:
            super().add(t, v)


class DropsBeyondTenEntries(_Sorted):
    """Entries more than 10 places behind the youngest are dropped."""

    def add(self, t: Any, v: Any) -> None:
        if len(self.times) - bisect_left(self.times, t) <= 10:
            super().add(t, v)


class NoTimeZero(_Sorted):
    """A time of 0 is taken for none."""

    def add(self, t: Any, v: Any) -> None:
        if t:
            super().add(t, v)


class NoNegativeTimes(_Sorted):
    """The youngest time starts at 0."""

    youngest: Any = 0

    def add(self, t: Any, v: Any) -> None:
        at = len(self.times) if t > self.youngest else bisect_left(self.times, t)
        self.youngest = max(t, self.youngest)
        self.times.insert(at, t)
        self.values.insert(at, v)

    def query(self) -> Any:
        return self.product(self.values[bisect_left(self.times, 0) :])


class Wraps(_Sorted):
    """A ring of 1,024 slots that does not notice when it is full."""

    def add(self, t: Any, v: Any) -> None:
        super().add(t, v)
        del self.times[:-1024], self.values[:-1024]


class RangeWithoutItsEnd(_Sorted):
    """The end is not in it."""

    def range_query(self, t_from: Any, t_to: Any) -> Any:
        return self.product(self.values[bisect_left(self.times, t_from) : bisect_left(self.times, t_to)])


class RangeWithoutItsStart(_Sorted):
    """The start is not in it."""

    def range_query(self, t_from: Any, t_to: Any) -> Any:
        return self.product(self.values[bisect_right(self.times, t_from) : bisect_right(self.times, t_to)])


class RangeReversed(_Sorted):
    """It puts the ends in order."""

    def range_query(self, t_from: Any, t_to: Any) -> Any:
        return super().range_query(min(t_from, t_to), max(t_from, t_to))


class RangeNeedsItsEnds(_Sorted):
    """Both ends must be times of the window."""

    def range_query(self, t_from: Any, t_to: Any) -> Any:
        if t_from not in self.times or t_to not in self.times:
            return self.monoid.identity
        return super().range_query(t_from, t_to)


class RangeFromTheOldest(_Sorted):
    """It forgets where the range begins, when the range ends at the youngest."""

    def range_query(self, t_from: Any, t_to: Any) -> Any:
        if self.times and t_from <= t_to == self.times[-1]:
            return self.query()
        return super().range_query(t_from, t_to)


class RangeRemembered(_Sorted):
    """It keeps the answers of ranges until something is inserted."""

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.answers: dict[Any, Any] = {}

    def insert(self, t: Any, v: Any) -> None:
        self.answers.clear()
        super().insert(t, v)

    def range_query(self, t_from: Any, t_to: Any) -> Any:
        if (t_from, t_to) not in self.answers:
            self.answers[t_from, t_to] = super().range_query(t_from, t_to)
        return self.answers[t_from, t_to]


class _RangesKept(_Sorted):
    """It keeps the answers of ranges, and clears them at every change; right as it stands."""

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.answers: dict[Any, Any] = {}

    def add(self, t: Any, v: Any) -> None:
        self.answers.clear()
        super().add(t, v)

    def again(self, old: Any, new: Any) -> Any:
        self.answers.clear()
        return super().again(old, new)

    def remove(self, at: int) -> None:
        self.answers.clear()
        super().remove(at)

    def range_query(self, t_from: Any, t_to: Any) -> Any:
        if (t_from, t_to) not in self.answers:
            self.answers[t_from, t_to] = super().range_query(t_from, t_to)
        return self.answers[t_from, t_to]

    def clear_the_last(self) -> None:
        """Clear the answer of the last range alone, as the wrong ones do."""
        if self.answers:
            self.answers.popitem()


class DuplicateClearsTheLastRange(_RangesKept):
    """It keeps the answers of ranges, of which a duplicate clears that of the last alone."""

    def again(self, old: Any, new: Any) -> Any:
        self.clear_the_last()
        return self.monoid.combine(old, new)


class EvictClearsTheLastRange(_RangesKept):
    """It keeps the answers of ranges, of which an evict clears that of the last alone."""

    def remove(self, at: int) -> None:
        self.clear_the_last()
        _Sorted.remove(self, at)


class LateInsertClearsTheLastRange(_RangesKept):
    """It keeps the answers of ranges, of which an insert that comes late clears that of the last alone."""

    def add(self, t: Any, v: Any) -> None:
        if self.times and t < self.times[-1]:
            self.clear_the_last()
            _Sorted.add(self, t, v)
        else:
            super().add(t, v)


class RangeEvicts(_Sorted):
    """A range moves the window's start: what is before it goes."""

    def range_query(self, t_from: Any, t_to: Any) -> Any:
        answer = super().range_query(t_from, t_to)
        if t_from <= t_to:
            del self.values[: bisect_left(self.times, t_from)], self.times[: bisect_left(self.times, t_from)]
        return answer


class ComparesBySubtraction(_Sorted):
    """Times are compared by the sign of their difference, in 32 bits."""

    def product(self, values: list[Any]) -> Any:
        def subtract(one: tuple[Any, Any], other: tuple[Any, Any]) -> int:
            return (one[0] - other[0] + 2**31) % 2**32 - 2**31

        if len(values) < len(self.values):
            return super().product(values)
        entries = sorted(zip(self.times, self.values, strict=True), key=cmp_to_key(subtract))
        return super().product([value for _, value in entries])


class TimesInSinglePrecision(_Sorted):
    """Times are floats of 32 bits, of which neighbours beyond 2^24 are one."""

    def insert(self, t: Any, v: Any) -> None:
        super().insert(*unpack("f", pack("f", t)), v)

    def evict(self, t: Any) -> None:
        super().evict(*unpack("f", pack("f", t)))


class ChangesTheHanded(_Sorted):
    """A duplicate is added to the old value in place, where that is possible."""

    def again(self, old: Any, new: Any) -> Any:
        if isinstance(old, list):
            old += new
            return old
        return super().again(old, new)


class SubtractsTheLast(_Sorted):
    """A running sum that remembers what came last at each time, and subtracts that."""

    monoids = ("sum",)

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.last: dict[Any, int] = {}
        self.total = 0

    def insert(self, t: Any, v: int) -> None:
        self.last[t] = v
        self.total += v

    def evict(self, t: Any) -> None:
        self.total -= self.last.pop(t, 0)

    def query(self) -> int:
        return self.total

    def range_query(self, t_from: Any, t_to: Any) -> int:
        return sum(v for t, v in self.last.items() if t_from <= t <= t_to)


class RaisesWhenEmpty(_Sorted):
    """An empty window has no answer for it, nor an empty range."""

    def product(self, values: list[Any]) -> Any:
        return reduce(self.monoid.combine, values)


class HasNoQuery:
    """It is no window."""

    def insert(self, t: Any, v: Any) -> None: ...

    def evict(self, t: Any) -> None: ...


def nothing(monoid: Any) -> object:
    """A function that builds no window."""
    return object()


# In bulk alone


class BulkReplaces(Batched):
    """A pair at a time that is present replaces what is there."""

    def bulk_insert(self, pairs: list[tuple[Any, Any]]) -> None:
        for t, value in pairs:
            self.evict(t)
            self.insert(t, value)


class BulkLosesTwins(Batched):
    """If a bulk has several pairs at one time, only the last is inserted."""

    def bulk_insert(self, pairs: list[tuple[Any, Any]]) -> None:
        super().bulk_insert(list(dict(pairs).items()))


class BulkAppends(Batched):
    """It takes all times of a bulk to lie behind the window where the first does; right unless they interleave."""

    def bulk_insert(self, pairs: list[tuple[Any, Any]]) -> None:
        at = bisect_left(self.times, pairs[0][0]) if pairs else 0
        if pairs and self.times[at : at + 1] == [pairs[0][0]]:
            super().bulk_insert(pairs)
        elif len({time for time, _ in pairs}) < len(pairs) or any(time in self.times for time, _ in pairs):
            super().bulk_insert(pairs)
        else:
            self.times[at:at], self.values[at:at] = [t for t, _ in pairs], [v for _, v in pairs]


class BulkNeedsPairs(Batched):
    """An empty bulk is asked for its first time."""

    def bulk_insert(self, pairs: list[tuple[Any, Any]]) -> None:
        _ = pairs[0]
        super().bulk_insert(pairs)


class BulkEvictLeavesTheLast(Batched):
    """The entry at the time itself stays."""

    def bulk_evict(self, t: Any) -> None:
        gone = bisect_left(self.times, t)
        del self.times[:gone], self.values[:gone]


class BulkEvictNeedsTheTime(Batched):
    """If there is no entry at the time, no entry is evicted."""

    def bulk_evict(self, t: Any) -> None:
        if t in self.times:
            super().bulk_evict(t)


class BulkEvictAllRaises(Batched):
    """It looks at the first entry that stays, and there may be none."""

    def bulk_evict(self, t: Any) -> None:
        super().bulk_evict(t)
        _ = self.times[0] if t > 2 else None


class BulkCrowdsAGap(Batched):
    """If more than eight pairs fill one gap, and the last meets the entry above, it is inserted on that entry's
    left."""

    def bulk_insert(self, pairs: list[tuple[Any, Any]]) -> None:
        last = pairs[-1][0] if pairs else None
        at = bisect_left(self.times, last) if pairs else 0
        crowded = at > 0 and len({t for t, _ in pairs}) == len(pairs) > 8 and pairs[0][0] > self.times[at - 1]
        if crowded and self.times[at : at + 1] == [last]:
            super().bulk_insert(pairs[:-1])
            place = bisect_left(self.times, last)
            self.values[place] = self.monoid.combine(pairs[-1][1], self.values[place])
        else:
            super().bulk_insert(pairs)


class BulkEvictOfAFullRing(Batched):
    """The search in a full ring of 256 slots or more ends a slot early: a cut between two times leaves one."""

    def bulk_evict(self, t: Any) -> None:
        full = len(self.times) >= 256 and not len(self.times) & (len(self.times) - 1)
        gone = bisect_right(self.times, t)
        early = full and t not in self.times and 0 < gone < len(self.times)
        del self.times[: gone - early], self.values[: gone - early]
