"""Out-of-order windows that are wrong, each in one way that real ones have been, for the tests of the oracle."""

from bisect import bisect_left, bisect_right
from functools import cmp_to_key
from struct import pack, unpack
from typing import Any

from patches import patch
from right_out_of_order import Batched, RunningSum, SortedLists

patch(globals(), SortedLists, r"""
DuplicateReplaces: As a dictionary does.
    insert: self.monoid.combine(self.values[at], v) -> v
DuplicateIgnored: The first entry at a time stays.
    insert: self.monoid.combine(self.values[at], v) -> self.values[at]
DuplicateSwapped: The newer on the left.
    insert: (self.values[at], v) -> (v, self.values[at])
DuplicateIsAnotherEntry: Equal times are two entries, and an evict takes one.
    insert: bisect_left -> bisect_right
AbsentEvictTakesTheNext: It searches, and does not look at what it found.
    evict: == [t] ->
AbsentEvictRaises: A time must be there.
    evict: bisect_left(self.times, t) -> self.times.index(t)
EvictsTheOldest: An evict removes the oldest entry, not the one at its time: it was made for windows in order.
    evict: self.times[at], self.values[at] -> self.times[0], self.values[0]
LosesEarlierThanAll: Nothing may come before the oldest.
    insert: else: -> elif not self.times or t > self.times[0]:
ArrivalOrder: It appends, and never sorts.
    insert: bisect_left(self.times, t) -> self.times.index(t) if t in self.times else len(self.times)
    evict: bisect_left(self.times, t) -> self.times.index(t) if t in self.times else len(self.times)
DropsBeyondTheLateness: Entries more than 100 behind the youngest are dropped.
    insert: else: -> elif not self.times or t >= self.times[-1] - 100:
DropsBeyondTenEntries: Entries more than 10 places behind the youngest are dropped.
    insert: else: -> elif len(self.times) - at <= 10:
NoTimeZero: A time of 0 is taken for none.
    insert: else: -> elif t:
NoNegativeTimes: The youngest time starts at 0.
    query: self.values -> self.values[bisect_left(self.times, 0) :]
RangeWithoutItsEnd: The end is not in it.
    range_query: bisect_right -> bisect_left
RangeWithoutItsStart: The start is not in it.
    range_query: bisect_left -> bisect_right
RangeReversed: It puts the ends in order.
    range_query: return -> t_from, t_to = min(t_from, t_to), max(t_from, t_to)\n    return
RangeNeedsItsEnds: Both ends must be times of the window.
    range_query: return -> return self.monoid.identity if not {t_from, t_to} <= {*self.times} else
RangeFromTheOldest: It forgets where the range begins, when the range ends at the youngest.
    range_query: return -> return self.query() if self.times and t_from <= t_to == self.times[-1] else
RaisesWhenEmpty: An empty window has no answer for it, nor an empty range.
    product: , self.monoid.identity ->
""")  # fmt: skip

patch(globals(), RunningSum, """
SubtractsTheLast over sum: A running sum that remembers what came last at each time, and subtracts that.
    insert: self.values.get(t, 0) + v -> v
""")  # fmt: skip


class StaleInTheMiddle(SortedLists):
    """It keeps its answer when what goes is at neither end."""

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
StaleDuplicate: It keeps its answer, too, when a time comes again.
    insert: self.answer = None -> self.answer = self.answer if t in self.times else None
""")  # fmt: skip


class CommutativeOnly(SortedLists):
    """Entries in order are kept apart from late ones, which are combined after them."""

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
    """It sorts in time for a query; an evict searches what is not sorted yet."""

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


class DropsAfterDrain(SortedLists):
    """Its watermark survives the drain."""

    watermark: Any = None

    def insert(self, t: Any, v: Any) -> None:
        if self.times or self.watermark is None or t > self.watermark:
            super().insert(t, v)

    def evict(self, t: Any) -> None:
        if t in self.times:
            self.watermark = t
        super().evict(t)


class Wraps(SortedLists):
    """A ring of 1,024 slots that does not notice when it is full."""

    def insert(self, t: Any, v: Any) -> None:
        super().insert(t, v)
        del self.times[:-1024], self.values[:-1024]


class _RangesKept(SortedLists):
    """It keeps the answers of ranges until the next change; right as it stands."""

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.answers: dict[Any, Any] = {}

    def forget(self, last: Any = False) -> None:
        """Forget all answers; or, as the wrong ones do, the last alone."""
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
RangeRemembered: It keeps the answers of ranges until something is inserted.
    evict: self.forget() -> pass
DuplicateClearsTheLastRange: It keeps the answers of ranges, of which a duplicate clears that of the last alone.
    insert: self.forget() -> self.forget(last=t in self.times)
EvictClearsTheLastRange: It keeps the answers of ranges, of which an evict clears that of the last alone.
    evict: self.forget() -> self.forget(last=True)
LateInsertClearsTheLastRange: It keeps the answers of ranges, of which an insert that comes late clears that of the last alone.
    insert: self.forget() -> self.forget(last=self.times and t < self.times[-1] and t not in self.times)
""")  # fmt: skip  # noqa: E501  # one docstring is long


class RangeEvicts(SortedLists):
    """A range moves the window's start: what is before it goes."""

    def range_query(self, t_from: Any, t_to: Any) -> Any:
        answer = super().range_query(t_from, t_to)
        if t_from <= t_to:
            del self.values[: bisect_left(self.times, t_from)], self.times[: bisect_left(self.times, t_from)]
        return answer


class ComparesBySubtraction(SortedLists):
    """Times are compared by the sign of their difference, in 32 bits."""

    def product(self, values: list[Any]) -> Any:
        def subtract(one: tuple[Any, Any], other: tuple[Any, Any]) -> int:
            return (one[0] - other[0] + 2**31) % 2**32 - 2**31

        if len(values) < len(self.values):
            return super().product(values)
        entries = sorted(zip(self.times, self.values, strict=True), key=cmp_to_key(subtract))
        return super().product([value for _, value in entries])


class TimesInSinglePrecision(SortedLists):
    """Times are floats of 32 bits, of which neighbours beyond 2^24 are one."""

    def insert(self, t: Any, v: Any) -> None:
        super().insert(*unpack("f", pack("f", t)), v)

    def evict(self, t: Any) -> None:
        super().evict(*unpack("f", pack("f", t)))


class ChangesTheHanded(SortedLists):
    """A duplicate is added to the old value in place, where that is possible."""

    def insert(self, t: Any, v: Any) -> None:
        if isinstance(v, list) and t in self.times:
            self.values[self.times.index(t)] += v
        else:
            super().insert(t, v)


class HasNoQuery:
    """It is no window."""

    def insert(self, t: Any, v: Any) -> None: ...

    def evict(self, t: Any) -> None: ...


def nothing(monoid: Any) -> object:
    """A function that builds no window."""
    return object()


# In bulk alone

patch(globals(), Batched, r"""
BulkLosesTwins: If a bulk has several pairs at one time, only the last is inserted.
    bulk_insert: *pairs -> *dict(pairs).items()
BulkNeedsPairs: An empty bulk is asked for its first time.
    bulk_insert: times, values = [], [] -> _, times, values = pairs[0], [], []
BulkEvictLeavesTheLast: The entry at the time itself stays.
    bulk_evict: bisect_right -> bisect_left
BulkEvictNeedsTheTime: If there is no entry at the time, no entry is evicted.
    bulk_evict: bisect_right(self.times, t) -> bisect_right(self.times, t) if t in self.times else 0
BulkEvictAllRaises: It looks at the first entry that stays, and there may be none.
    bulk_evict: , self.values[:gone] -> , self.values[:gone]\n    _ = self.times[0] if t > 2 else None
""")  # fmt: skip


class BulkReplaces(Batched):
    """A pair at a time that is present replaces what is there."""

    def bulk_insert(self, pairs: list[tuple[Any, Any]]) -> None:
        for t, value in pairs:
            self.evict(t)
            self.insert(t, value)


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
