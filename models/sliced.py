"""Definition of periodic windows and sessions over one stream, each computed from all records at its end."""

from collections.abc import Sequence
from functools import reduce
from typing import Any, Generic, TypeAlias

from swagproof.models.monoid import A, Monoid
from swagproof.models.windows.kinds import Session, Sliding

Answered: TypeAlias = tuple[int, int, int, A]
"""(query, begin, end, product)"""


class SlicedWindows(Generic[A]):
    """Periodic windows [k slide, k slide + range) and sessions over a stream in any time order, by definition.

    A window is answered when the watermark reaches its end; one without records has no answer.
    """

    def __init__(self, monoid: Monoid[A], periodic: Sequence[tuple[int, int]], sessions: Sequence[int] = ()) -> None:
        self.monoid = monoid
        self.periodic = tuple(periodic)
        self.windows = tuple(Sliding(*query) for query in periodic)
        self.gaps = tuple(sessions)
        self.records: list[tuple[int, A]] = []
        self.watermark: int | None = None

    @property
    def ordered(self) -> list[tuple[int, A]]:
        """The records by time, and by arrival if times are equal."""
        return sorted(self.records, key=lambda record: record[0])

    def insert(self, t: int, v: A) -> None:
        """Add a record."""
        self.records.append((t, v))

    def advance(self, watermark: int) -> list[Answered[A]]:
        """Return the answers of the windows whose end is after the old watermark, and not after the new one."""
        since, self.watermark = self.watermark, watermark
        return self.due(since, watermark)

    def due(self, since: int | None, watermark: int) -> list[Answered[A]]:
        """Return the answers of the windows whose end is after `since` and not after `watermark`."""
        records = self.ordered
        if since is None:
            since = records[0][0] - 1 if records else watermark
        found: list[Answered[A]] = []
        for number, window in enumerate(self.windows):
            for end in range(window.first_end(since), watermark + 1, window.slide):
                held = [v for t, v in records if end - window.range <= t < end]
                if held:
                    found.append((number, end - window.range, end, self.product(held)))
        for number, gap in enumerate(self.gaps, start=len(self.periodic)):
            for begin, last in self.sessions(gap):
                if since < last + gap <= watermark:
                    found.append((number, begin, last + gap, self.product_between(begin, last)))
        return sorted(found, key=lambda answer: (answer[2], answer[0]))

    def has_answered(
        self, answers: Sequence[Any], times: tuple[int | None, int], queries: int, below: int | None = None
    ) -> bool:
        """Return whether these are the expected answers between two times, of the first `queries` queries and of the
        windows of the next query before number `below`."""
        found = [
            (query, begin, end, value)
            for query, begin, end, value in self.due(*times)
            if query < queries or (below is not None and query == queries and begin < below * self.periodic[query][1])
        ]
        return sorted(map(tuple, answers)) == sorted(found)

    def sessions(self, gap: int) -> list[tuple[int, int]]:
        """The times of the first and last records of each session."""
        times = [t for t, _ in self.ordered]
        return [(times[i], times[stop - 1]) for i, stop in Session(gap).runs(times)]

    def runs(self, since: int, commutative: bool) -> list[tuple[int, int]]:
        """The times of the first and last records of each slice from time `since` on."""
        found: list[tuple[int, int]] = []
        for t, _ in self.ordered:
            if t < since:
                continue
            if found:
                begin, last = found[-1]
                parted = any(
                    edge % slide in (0, range_ % slide)
                    for range_, slide in self.periodic
                    for edge in range(last + 1, t + 1)
                ) or any(t - last >= gap for gap in self.gaps)
                if t == last or (commutative and not parted):
                    found[-1] = begin, t
                    continue
            found.append((t, t))
        return found

    def first_open(self, query: tuple[int, int], t: int) -> int:
        """Return the beginning of the first window of a periodic query that ends after t."""
        return int(Sliding(*query).first_end(t)) - query[0]

    def oldest_open(self, t: int) -> int:
        """Return the beginning of the first window of any periodic query that is open at t."""
        return min(self.first_open(query, t) for query in self.periodic)

    def needed(self, watermark: int) -> int:
        """The first time that a window or session still open at the watermark can contain."""
        begins = [watermark, *(self.first_open(query, watermark) for query in self.periodic)]
        for gap in self.gaps:
            begins += [begin for begin, last in self.sessions(gap) if last + gap > watermark]
        return min(begins)

    def covered(self, t: int) -> bool:
        """Return whether t is in a window of any periodic query."""
        return any(window.last_end(t) > t for window in self.windows)

    def product(self, values: Sequence[A]) -> A:
        """The product of these values, in their order."""
        return reduce(self.monoid.combine, values, self.monoid.identity)

    @property
    def size(self) -> int:
        """The number of records."""
        return len(self.records)

    def before(self, t: int) -> int:
        """The number of records before time t."""
        return sum(time < t for time, _ in self.records)

    def last_before(self, t: int) -> int | None:
        """The time of the last record before t."""
        return max((time for time, _ in self.records if time < t), default=None)

    def between(self, begin: int, end: int) -> A:
        """The product of the records in [begin, end)."""
        return self.product_between(begin, end - 1)

    def is_product(self, product: A, values: Sequence[A]) -> bool:
        """Return whether `product` is the product of these values, in their order."""
        return product == self.product(values)

    def product_between(self, begin: int, last: int) -> A:
        """The product of the records of these times, both included."""
        return self.product([v for t, v in self.ordered if begin <= t <= last])
