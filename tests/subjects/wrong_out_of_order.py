"""Wrong out-of-order windows, each with one mistake that real ones have made, for the tests of the oracle."""

from bisect import bisect_left, bisect_right
from functools import cmp_to_key
from struct import pack, unpack
from typing import Any

from patches import patch
from right_out_of_order import Batched, RunningSum, SortedLists

patch(globals(), SortedLists, r"""
DuplicateReplaces: An insert at a time that is present replaces the value.
    insert: self.monoid.combine(self.values[at], v) -> v
DuplicateIgnored: An insert at a time that is present is ignored.
    insert: self.monoid.combine(self.values[at], v) -> self.values[at]
DuplicateSwapped: The newer operand is on the left.
    insert: (self.values[at], v) -> (v, self.values[at])
DuplicateIsAnotherEntry: Equal times are two entries, and an evict removes one of them.
    insert: bisect_left -> bisect_right
AbsentEvictTakesTheNext: An evict removes the entry that its search found, whatever its time.
    evict: == [t] ->
AbsentEvictRaises: An evict of an absent time raises an exception.
    evict: bisect_left(self.times, t) -> self.times.index(t)
EvictsTheOldest: An evict removes the oldest entry, not the one at its time, as in an in-order window.
    evict: self.times[at], self.values[at] -> self.times[0], self.values[0]
LosesEarlierThanAll: It drops entries that are older than the oldest.
    insert: else: -> elif not self.times or t > self.times[0]:
ArrivalOrder: It appends entries and never sorts them.
    insert: bisect_left(self.times, t) -> self.times.index(t) if t in self.times else len(self.times)
    evict: bisect_left(self.times, t) -> self.times.index(t) if t in self.times else len(self.times)
DropsBeyondTheLateness: It drops entries more than 100 behind the youngest.
    insert: else: -> elif not self.times or t >= self.times[-1] - 100:
DropsBeyondTenEntries: It drops entries more than 10 places behind the youngest.
    insert: else: -> elif len(self.times) - at <= 10:
NoTimeZero: It takes a time of 0 for no time.
    insert: else: -> elif t:
NoNegativeTimes: The youngest time starts at 0.
    query: self.values -> self.values[bisect_left(self.times, 0) :]
RangeWithoutItsEnd: A range excludes its end.
    range_query: bisect_right -> bisect_left
RangeWithoutItsStart: A range excludes its start.
    range_query: bisect_left -> bisect_right
RangeReversed: It swaps the ends of a reversed range, which should be empty.
    range_query: return -> t_from, t_to = min(t_from, t_to), max(t_from, t_to)\n    return
RangeNeedsItsEnds: A range must begin and end at times in the window.
    range_query: return -> return self.monoid.identity if not {t_from, t_to} <= {*self.times} else
RangeFromTheOldest: It ignores the start of a range that ends at the youngest entry.
    range_query: return -> return self.query() if self.times and t_from <= t_to == self.times[-1] else
RaisesWhenEmpty: It raises an exception for an empty window or range.
    product: , self.monoid.identity ->
DropsAfterDrain: It keeps its watermark after the window has become empty.
    insert: at = -> if not self.times and t <= getattr(self, "watermark", t - 1): return\n    at =
    evict: del self.times[at] -> self.watermark = t\n        del self.times[at]
Wraps: A ring of 1,024 slots does not notice that it is full.
    insert: self.values.insert(at, v) -> self.values.insert(at, v)\n        del self.times[:-1024], self.values[:-1024]
RangeEvicts: A range query evicts the entries before the range.
    range_query: return -> while self.times and self.times[0] < t_from <= t_to: self.evict(self.times[0])\n    return
ChangesTheHanded: It adds a duplicate to the old value in place, if the type allows it.
    insert: self.monoid.combine -> (list.__iadd__ if isinstance(v, list) else self.monoid.combine)
""")  # fmt: skip

patch(globals(), RunningSum, """
SubtractsTheLast over sum: It subtracts from its running sum only the last value at a time.
    insert: self.values.get(t, 0) + v -> v
""")  # fmt: skip


class StaleInTheMiddle(SortedLists):
    """It keeps its cached answer when an entry in the middle is evicted."""

    answer: Any = None

    def insert(self, t: Any, v: Any) -> None:
        self.answer = None
        super().insert(t, v)

    def evict(self, t: Any) -> None:
        if t in (*self.times[:1], *self.times[-1:]):
            self.answer = None
        super().evict(t)

    def query(self) -> Any:
        if self.answer is None:
            self.answer = super().query()
        return self.answer


patch(globals(), StaleInTheMiddle, """
StaleDuplicate: It keeps its cached answer when a time is inserted again.
    insert: self.answer = None -> self.answer = self.answer if t in self.times else None
""")  # fmt: skip


class CommutativeOnly(SortedLists):
    """It keeps late entries apart, and combines them after those in order."""

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.late: set[Any] = set()

    def insert(self, t: Any, v: Any) -> None:
        if self.times and t < self.times[-1] and t not in self.times:
            self.late.add(t)
        super().insert(t, v)

    def query(self) -> Any:
        pairs = list(zip(self.times, self.values, strict=True))
        in_order = self.product([value for time, value in pairs if time not in self.late])
        return self.monoid.combine(in_order, self.product([value for time, value in pairs if time in self.late]))


class SortsWhenAsked(SortedLists):
    """It sorts at each query; an evict searches the unsorted list."""

    def insert(self, t: Any, v: Any) -> None:
        if t in self.times:
            at = self.times.index(t)
            self.values[at] = self.monoid.combine(self.values[at], v)
        else:
            self.times.append(t)
            self.values.append(v)

    def query(self) -> Any:
        pairs = sorted(zip(self.times, self.values, strict=True), key=lambda pair: pair[0])
        self.times, self.values = [t for t, _ in pairs], [v for _, v in pairs]
        return super().query()

    def range_query(self, t_from: Any, t_to: Any) -> Any:
        self.query()
        return super().range_query(t_from, t_to)


class _RangesKept(SortedLists):
    """It caches the answers of ranges until the next change; right without a mistake."""

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.answers: dict[Any, Any] = {}

    def forget(self, last: Any = False) -> None:
        """Clear all answers, or in the wrong classes only the last."""
        if not last:
            self.answers.clear()
        elif self.answers:
            self.answers.popitem()

    def insert(self, t: Any, v: Any) -> None:
        self.forget()
        super().insert(t, v)

    def evict(self, t: Any) -> None:
        if t in self.times:
            self.forget()
        super().evict(t)

    def range_query(self, t_from: Any, t_to: Any) -> Any:
        if (t_from, t_to) not in self.answers:
            self.answers[t_from, t_to] = super().range_query(t_from, t_to)
        return self.answers[t_from, t_to]


patch(globals(), _RangesKept, """
RangeRemembered: It caches the answers of ranges until the next insert.
    evict: self.forget() -> pass
DuplicateClearsTheLastRange: It caches the answers of ranges; a duplicate clears only the last one.
    insert: self.forget() -> self.forget(last=t in self.times)
EvictClearsTheLastRange: It caches the answers of ranges; an evict clears only the last one.
    evict: self.forget() -> self.forget(last=True)
LateInsertClearsTheLastRange: It caches the answers of ranges; a late insert clears only the last one.
    insert: self.forget() -> self.forget(last=self.times and t < self.times[-1] and t not in self.times)
""")  # fmt: skip


class ComparesBySubtraction(SortedLists):
    """It compares times by the sign of their difference in 32 bits."""

    def product(self, values: list[Any]) -> Any:
        def subtract(one: tuple[Any, Any], other: tuple[Any, Any]) -> int:
            return (one[0] - other[0] + 2**31) % 2**32 - 2**31

        if len(values) < len(self.values):
            return super().product(values)
        entries = sorted(zip(self.times, self.values, strict=True), key=cmp_to_key(subtract))
        return super().product([value for _, value in entries])


class TimesInSinglePrecision(SortedLists):
    """It stores times as 32-bit floats, where neighbours beyond 2^24 are equal."""

    def insert(self, t: Any, v: Any) -> None:
        super().insert(*unpack("f", pack("f", t)), v)

    def evict(self, t: Any) -> None:
        super().evict(*unpack("f", pack("f", t)))


class HasNoQuery:
    """A class that is no window."""

    def insert(self, t: Any, v: Any) -> None: ...

    def evict(self, t: Any) -> None: ...


def nothing(monoid: Any) -> object:
    """A function that builds no window."""
    return object()


# Only in bulk

patch(globals(), Batched, r"""
BulkLosesTwins: If a bulk has several pairs at one time, only the last is inserted.
    bulk_insert: *pairs -> *dict(pairs).items()
BulkReplaces: A pair of a bulk replaces the value at a time that is present.
    bulk_insert: self.monoid.combine(values[-1], value) -> value
BulkNeedsPairs: It reads the first time of an empty bulk.
    bulk_insert: times, values = [], [] -> _, times, values = pairs[0], [], []
BulkEvictLeavesTheLast: A bulk evict leaves the entry at the time itself.
    bulk_evict: bisect_right -> bisect_left
BulkEvictNeedsTheTime: A bulk evict does nothing if there is no entry at the time.
    bulk_evict: bisect_right(self.times, t) -> bisect_right(self.times, t) if t in self.times else 0
BulkEvictAllRaises: A bulk evict reads the first entry that stays, even if none does.
    bulk_evict: , self.values[:gone] -> , self.values[:gone]\n    _ = self.times[0] if t > 2 else None
""")  # fmt: skip


class BulkAppends(Batched):
    """It inserts a bulk as one block at the place of its first time, even if bulk and window interleave."""

    def bulk_insert(self, pairs: list[tuple[Any, Any]]) -> None:
        at = bisect_left(self.times, pairs[0][0]) if pairs else 0
        if pairs and self.times[at : at + 1] == [pairs[0][0]]:
            super().bulk_insert(pairs)
        elif len({time for time, _ in pairs}) < len(pairs) or any(time in self.times for time, _ in pairs):
            super().bulk_insert(pairs)
        else:
            self.times[at:at], self.values[at:at] = [t for t, _ in pairs], [v for _, v in pairs]


class BulkCrowdsAGap(Batched):
    """If more than eight pairs fill one gap, the last is combined with the entry above in the wrong order."""

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
