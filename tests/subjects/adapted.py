"""Typical windows with their own interfaces, right ones and wrong ones, for the tests of the oracle.

A class declares its interface in an attribute `adapter`; the tests give the rest as options.
"""

import math
from bisect import bisect_left
from collections import deque
from collections.abc import Callable
from functools import reduce
from statistics import median
from typing import Any, ClassVar

import numpy
from patches import patch
from right import ListWindow
from right_out_of_order import Batched

from swagproof.oracle.adapting.declared import Adapter


class Pushing:
    """A window with other names, and a constructor that takes a function and its unit."""

    def __init__(self, fold: Callable[[Any, Any], Any], initial: Any) -> None:
        self.fold, self.initial = fold, initial
        self.values: deque[Any] = deque()

    def push(self, value: Any) -> None:
        self.values.append(value)

    def pop(self) -> None:
        self.values.popleft()

    @property
    def total(self) -> Any:
        return reduce(self.fold, self.values, self.initial)


patch(globals(), Pushing, """
PopsTheNewest: The wrong end.
    pop: popleft -> pop
""")  # fmt: skip


class Raising(ListWindow):
    """A window without an identity, and so without a result for an empty window."""

    adapter = Adapter(make="combine", empty="raises")

    def query(self) -> Any:
        return reduce(self.monoid, self.values)


class AnswersOfNothing(Raising):
    """Wrong: for an empty window it repeats the last answer instead of raising."""

    last: Any = None

    def query(self) -> Any:
        if self.values:
            self.last = super().query()
        return self.last


class NoneOfNothing(Raising):
    """A window with a sentinel for an empty window."""

    adapter = Adapter(make="combine", empty="null")

    def query(self) -> Any:
        return super().query() if self.values else None


class Newest:
    """A window over a fixed number of newest elements, which evicts by itself."""

    adapter: ClassVar = {"make": "size, combine", "empty": "raises", "methods": {"insert": "append"}}

    def __init__(self, size: int, combine: Callable[[Any, Any], Any]) -> None:
        self.values: deque[Any] = deque(maxlen=self.room(size))
        self.combine = combine

    def room(self, size: int) -> int:
        return size

    def append(self, value: Any) -> None:
        self.values.append(value)

    def query(self) -> Any:
        return reduce(self.combine, self.values)


class Averaging(ListWindow):
    """A mean of raw elements, in floats; NaN for an empty window."""

    adapter = Adapter(make="nothing", lowered=True, empty="nan")
    monoids: tuple[str, ...] = ("mean",)

    def __init__(self) -> None:
        super().__init__(None)

    def query(self) -> Any:
        return sum(self.values) / len(self.values) if self.values else math.nan


class AveragingByDifferences(Averaging):
    """It updates the mean by differences; if elements cancel, a rounding error remains."""

    def query(self) -> Any:
        mean = 0.0
        for n, value in enumerate(self.values, 1):
            mean += (float(value) - mean) / n
        return mean if self.values else math.nan


class AverageLeftOver(Averaging):
    """Wrong: its sum keeps the rounding errors of evicted elements."""

    total = 0.0

    def insert(self, v: Any) -> None:
        super().insert(v)
        self.total += v

    def evict(self) -> None:
        self.total -= self.values[0]
        super().evict()

    def query(self) -> Any:
        return self.total / len(self.values) if self.values else math.nan


class Deviating(Averaging):
    """A deviation in floats, from the rounded mean: for equal elements it is not 0."""

    adapter = Adapter(make="nothing", lowered=True, empty="anything")
    monoids = ("population-standard-deviation",)

    def query(self) -> Any:
        mean = sum(map(float, self.values)) / len(self.values)
        return math.sqrt(sum((float(value) - mean) ** 2 for value in self.values) / len(self.values))


class Middle(Averaging):
    """A median."""

    adapter = Adapter(make="nothing", lowered=True, empty="null")
    monoids = ("median",)

    def query(self) -> Any:
        return median(self.values) if self.values else None


class Distinct(Averaging):
    """The number of different elements."""

    adapter = Adapter(make="nothing", lowered=True)
    monoids = ("distinct-count",)

    def query(self) -> Any:
        return len(set(self.values))


class ForgetsTwins(Distinct):
    """Wrong: it keeps no count of each element, so the first of two equal ones removes both."""

    def __init__(self) -> None:
        super().__init__()
        self.present: set[Any] = set()

    def insert(self, v: Any) -> None:
        super().insert(v)
        self.present.add(v)

    def evict(self) -> None:
        self.present.discard(self.values.pop(0))

    def query(self) -> Any:
        return len(self.present)


class Three(Averaging):
    """The three greatest, in descending order."""

    adapter = Adapter(make="nothing", lowered=True)
    monoids = ("top-3",)

    def query(self) -> Any:
        return sorted(self.values, reverse=True)[:3]


patch(globals(), Raising, r"""
RaisesOfOne: It raises of one element, too.
    query: return -> _ = self.values[1]\n    return
""")  # fmt: skip
patch(globals(), NoneOfNothing, """
ZeroOfNothing: Another sentinel than it says.
    query: None -> 0
""")  # fmt: skip
patch(globals(), Newest, """
OneTooMany: It evicts one element late.
    room: return size -> return size + 1
""")  # fmt: skip
patch(globals(), Averaging, """
WholeAverage: It divides as integers do.
    query: / len -> // len
""")  # fmt: skip
patch(globals(), Deviating, """
DeviatingFromZero: It forgets the mean.
    query: (float(value) - mean) -> float(value)
""")  # fmt: skip
patch(globals(), Middle, """
LowMiddle: The lower of two middle ones, which is another median.
    query: median(self.values) -> sorted(self.values)[(len(self.values) - 1) // 2]
""")  # fmt: skip
patch(globals(), Three, """
ThreeDifferent: Equal ones once.
    query: sorted(self.values, -> sorted(set(self.values),
""")  # fmt: skip


class Asynchronous:
    """A window with asynchronous methods."""

    def __init__(self, monoid: Any) -> None:
        self.monoid, self.values = monoid, list[Any]()

    async def insert(self, value: Any) -> None:
        self.values.append(value)

    async def evict(self) -> None:
        del self.values[0]

    async def query(self) -> Any:
        return reduce(self.monoid.combine, self.values, self.monoid.identity)


patch(globals(), Asynchronous, """
AsynchronousSwap: The operands the wrong way round.
    query: self.monoid.combine -> lambda older, newer: self.monoid.combine(newer, older)
""")  # fmt: skip


class AsynchronousBulk(Asynchronous):
    """It evicts in bulk, two elements at a time."""

    async def bulk_evict(self, count: int) -> None:
        for _ in range(count // 2 * 2):
            await self.evict()


def asynchronous(monoid: Any) -> Asynchronous:
    """A function, whose methods are unknown until it builds a window."""
    return Asynchronous(monoid)


class Forwarding:
    """A window without its own methods: it forwards all operations to an inner window."""

    def __init__(self, monoid: Any) -> None:
        self.held = Pushing(monoid.combine, monoid.identity)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.held, {"insert": "push", "evict": "pop"}.get(name, name))

    def query(self) -> Any:
        return self.held.total


patch(globals(), Forwarding, """
ForwardingTheWrongEnd: It holds one that is wrong.
    __init__: Pushing -> PopsTheNewest
""")  # fmt: skip


class BoundWhenBuilt:
    """A window whose constructor binds its operations, under other names, to those of a deque."""

    adapter = Adapter({"insert": "push", "evict": "pop"})

    def __init__(self, monoid: Any) -> None:
        values: deque[Any] = deque()
        self.push, self.pop = values.append, values.popleft
        self.query = lambda: reduce(monoid.combine, values, monoid.identity)


class InNumPy(Pushing):
    """A window with an array, which answers its sum as a NumPy scalar."""

    adapter = Adapter({"insert": "push", "evict": "pop", "query": "total"}, make='"int64"')
    monoids = ("sum",)

    def __init__(self, kind: str) -> None:
        super().__init__(max, None)
        self.kind = kind

    @property
    def total(self) -> Any:
        return numpy.array(self.values, self.kind).sum(dtype=self.kind)


class Listing(Pushing):
    """All elements, as an array or a list where a tuple or a list is usual."""

    monoids = ("collect", "mutable-collect")

    @property
    def total(self) -> Any:
        made = list(super().total)
        return made if len(made) % 2 else numpy.array(made, "int64")


class InNarrowNumPy(InNumPy):
    """Wrong: its integers have too few bits."""

    monoids = ("wide-sum",)

    def push(self, value: Any) -> None:
        super().push((value + 2**31) % 2**32 - 2**31)

    @property
    def total(self) -> Any:
        return numpy.array(self.values, "int32").sum(dtype="int32")


class Longer:
    """A semigroup without identity: the longer of two words, the older of equals."""

    samples = ("a", "bb", "cc", "d")

    def combine(self, a: str, b: str) -> str:
        return a if len(a) >= len(b) else b


class BatchedRing(Batched):
    """A window with other names, and a bulk evict of all entries before a time, not up to it."""

    adapter = Adapter({"bulk_insert": "extend", "evict_before": "drop_until"})

    def extend(self, pairs: list[tuple[Any, Any]]) -> None:
        super().bulk_insert(pairs)

    def drop_until(self, t: Any) -> None:
        gone = bisect_left(self.times, t)
        del self.times[:gone], self.values[:gone]


class Recent:
    """A time-based window: an entry lapses when the time reaches its own plus the span."""

    adapter = Adapter({"insert": "add", "advance": "tick", "query": "total"}, make="combine, identity, horizon=span")

    def __init__(self, combine: Callable[[Any, Any], Any], identity: Any, horizon: int) -> None:
        self.combine, self.identity, self.horizon = combine, identity, horizon
        self.entries: deque[tuple[int, Any]] = deque()

    def add(self, t: int, value: Any) -> None:
        self.entries.append((t, value))
        self.tick(t)

    def tick(self, t: int) -> None:
        while self.entries and self.has_lapsed(self.entries[0][0], t):
            self.entries.popleft()

    def has_lapsed(self, t: int, now: int) -> bool:
        return t <= now - self.horizon

    def total(self) -> Any:
        return reduce(self.combine, (value for _, value in self.entries), self.identity)


class RecentClosed(Recent):
    """A window that includes both ends of its span, and declares so."""

    adapter = Adapter({"insert": "add", "advance": "tick", "query": "total"}, make="combine, identity, span-1")

    def has_lapsed(self, t: int, now: int) -> bool:
        return t < now - self.horizon


patch(globals(), Recent, """
LapsesLate: An entry stays a unit too long.
    has_lapsed: <= -> <
LapsesByQuotient: Times are cut into spans by a division that rounds toward 0: the one about 0 is twice as long.
    has_lapsed: self.horizon -> self.horizon and not (t <= 0 and int(t / self.horizon) == int(now / self.horizon))
ThirtyAtOnce: There is room for thirty entries at one time.
    add: self.entries.append -> sum(time == t for time, _ in self.entries) < 30 and self.entries.append
""")  # fmt: skip


class LapsesFromZero(Recent):
    """Wrong: its clock starts at 0."""

    now = 0

    def tick(self, t: int) -> None:
        self.now = max(self.now, t)
        super().tick(self.now)


class LapsesRound(Recent):
    """Wrong: it is a wheel of slots that clears none after a silence of three or more whole turns."""

    now: int | None = None

    def tick(self, t: int) -> None:
        before, self.now = self.now, t
        if before is None or t - before < 3 * self.horizon or (t - before) % self.horizon:
            super().tick(t)


class Driven:
    """A window whose caller evicts old entries: all before a time, not up to it."""

    adapter = Adapter({"evict_before": "drop"})

    def __init__(self, monoid: Any) -> None:
        self.monoid = monoid
        self.entries: list[tuple[int, Any]] = []

    def insert(self, t: int, value: Any) -> None:
        self.entries.append((t, value))

    def drop(self, t: int) -> None:
        self.entries = [entry for entry in self.entries if entry[0] >= t]

    def query(self) -> Any:
        return reduce(self.monoid.combine, (value for _, value in self.entries), self.monoid.identity)


class DrivenOfASpan(Driven):
    """A window that is given its span, and ignores it."""

    adapter = Adapter({"evict_before": "drop"}, make="span, monoid")

    def __init__(self, span: int, monoid: Any) -> None:
        super().__init__(monoid)
        self.span_of_time = span


class DrivenOfASpanUnnamed(DrivenOfASpan):
    """Wrong: its adapter names no method to evict with, so it should evict by itself, and does not."""

    adapter = Adapter(make="span, monoid")

    def evict_until(self, t: int) -> None:
        self.drop(t + 1)


class DrivenUntil(Driven):
    """Wrong: it declares that entries up to a time leave, and keeps those at the time."""

    adapter = Adapter()

    def evict_until(self, t: int) -> None:
        self.drop(t)
