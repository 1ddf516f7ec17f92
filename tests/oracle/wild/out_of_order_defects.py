"""Defects of windows whose entries come in any order of time."""

from bisect import bisect_left
from functools import reduce
from typing import Any

from defect import Defect, define_defects

from swagproof.reference.trees.fiba import Fiba


class LeftSpineNotRepaired(Defect, Fiba[Any]):
    """A node that borrows from a sibling on the left spine, or merges with it, does not mark the left spine as changed,
    so the spine's aggregates are not repaired.
    """

    thread = "IBM/sliding-window-aggregators/issues/77"

    def pick_eviction_sibling(self, node: Any) -> tuple[int, int]:
        self.on_the_left = self.on_the_left or node.left_spine
        return super().pick_eviction_sibling(node)

    def rebalance_for_evict(self, node: Any, to_repair: Any) -> tuple[Any, bool, bool]:
        self.on_the_left = node.left_spine
        top, hit_left, hit_right = super().rebalance_for_evict(node, to_repair)
        return top, self.on_the_left or top.left_spine if self.wrong else hit_left, hit_right


class _Window(Defect):
    """A sorted list; a query computes the product.  Right without a defect."""

    def __init__(self, monoid: Any) -> None:
        self.monoid = monoid
        self.times: list[Any] = []
        self.values: list[Any] = []

    def insert(self, t: Any, v: Any) -> None:
        at = bisect_left(self.times, t)
        if self.times[at : at + 1] == [t]:
            self.values[at] = self.monoid.combine(self.values[at], v)
        else:
            self.times.insert(at, t)
            self.values.insert(at, v)

    def evict(self, t: Any) -> None:
        at = bisect_left(self.times, t)
        if self.times[at : at + 1] == [t]:
            del self.times[at], self.values[at]

    def query(self) -> Any:
        return self.product(self.values)

    def product(self, values: list[Any]) -> Any:
        """Return the product."""
        return reduce(self.monoid.combine, values, self.monoid.identity)


class BulkEvictAsksTheEmpty(_Window):
    """The loop of a bulk evict reads the oldest entry without checking that there is one."""

    thread = "IBM/sliding-window-aggregators/pull/73"

    def bulk_evict(self, t: Any) -> None:
        while (self.wrong or self.times) and self.times[0] <= t:
            self.evict(self.times[0])


class LastPointLeftOut(_Window):
    """An aggregate over a range excludes the point at its end; a listing of the same range includes it."""

    thread = "influxdata/influxdb/issues/6396"

    def range_query(self, t_from: Any, t_to: Any) -> Any:
        closed = not self.leaves_out_end(t_from, t_to)
        entries = zip(self.times, self.values, strict=True)
        return self.product([v for t, v in entries if t_from <= t < t_to or (closed and t_from <= t == t_to)])

    def leaves_out_end(self, _t_from: Any, _t_to: Any) -> bool:
        """Return whether a range excludes its end."""
        return self.wrong


class EndHangsOnTheWidth(LastPointLeftOut):
    """Narrow ranges are computed from points, wide ranges from nodes; only wide ranges include their end."""

    thread = "BTrDB/btrdb-server/issues/45"
    narrow = 32

    def leaves_out_end(self, t_from: Any, t_to: Any) -> bool:
        return self.wrong and t_to - t_from < self.narrow and t_from < t_to


class SearchesTheUnsorted(Defect):
    """It searches for an entry by bisection in an unsorted buffer, does not find it, and keeps it."""

    thread = "postmates/cernan/pull/357"

    def __init__(self, monoid: Any) -> None:
        self.monoid = monoid
        self.entries: list[tuple[Any, Any]] = []

    def insert(self, t: Any, v: Any) -> None:
        for at, (time, value) in enumerate(self.entries):
            if time == t:
                self.entries[at] = t, self.monoid.combine(value, v)
                return
        self.entries.append((t, v))

    def evict(self, t: Any) -> None:
        times = [time for time, _ in self.entries]
        at = bisect_left(times, t) if self.wrong else times.index(t) if t in times else len(times)
        if times[at : at + 1] == [t]:
            del self.entries[at]

    def query(self) -> Any:
        ordered = [value for _, value in sorted(self.entries, key=lambda entry: entry[0])]
        return reduce(self.monoid.combine, ordered, self.monoid.identity)


class LateIsDeductedOnly(_Window):
    """A late value is added to its slice after the slice was added to the running window. It is never added to the
    window, but deducted with the slice.
    """

    thread = "hazelcast/hazelcast-jet/pull/675"
    monoids = ("sum",)

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.total = 0

    def insert(self, t: Any, v: Any) -> None:
        late = bool(self.times) and t < self.times[-1]
        super().insert(t, v)
        if not (self.wrong and late):
            self.total += v

    def evict(self, t: Any) -> None:
        at = bisect_left(self.times, t)
        if self.times[at : at + 1] == [t]:
            self.total -= self.values[at]
        super().evict(t)

    def query(self) -> Any:
        return self.total


define_defects(globals(), _Window, r"""
LateJoinsTheNewest (siddhi-io/siddhi/issues/490): A late value that still fits into the buffer is processed with the
  latest bucket, not with its own.
    insert: at = -> if self.times and self.times[-1] - 10 <= t < self.times[-1]: t = self.times[-1]\n    at =
TooLateGoesToZero (siddhi-io/siddhi/issues/859): A value that is too late for the buffer is put into a bucket at time 0.
    insert: at = -> if self.times and t < self.times[-1] - 10: t = 0\n    at =
NewWindowCountsTwice (apache/kafka/pull/9039): A value that opens a window before the existing ones is aggregated twice:
  when the window is created, and when it is stored.
    insert: at = -> if self.times and t < self.times[0]: v = self.monoid.combine(v, v)\n    at =
""")  # fmt: skip
