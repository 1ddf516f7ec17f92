"""Scripts for traces of out-of-order windows, which know the present times and choose where entries come and go.

An out-of-order bug depends on where an entry comes or goes among the present ones.  So all phases write their traces
with a script that knows the present times and draws others at a named place: at the ends, near the youngest, anywhere;
sometimes duplicates and absent times; and ranges that end at times, next to them, or outside.
"""

from bisect import bisect_left
from collections.abc import Sequence
from random import Random
from typing import Final

from swagproof.oracle.domain import Domain
from swagproof.oracle.search.attempts import drawing
from swagproof.oracle.trace import QUERY, Step, evict_at, insert_at, range_query, times_of
from swagproof.oracle.window import OUT_OF_ORDER

PLACES: Final = ("youngest", "near", "anywhere", "oldest")
"""The places where an entry comes or goes; `near` is a few entries from the youngest."""


EPOCH: Final = 1_700_000_000
"""The distance from 0 of clocks that count seconds."""

CLOCKS: Final = 4
"""The number of clocks: see `tell_otherwise`."""


def tell_otherwise(steps: Sequence[Step], clock: int) -> list[Step]:
    """Return the same operations on another clock: far from 0 on either side; as far apart as 32 bits allow, so that
    differences need more; or in steps that exceed 16 bits.

    >>> from swagproof.oracle.trace import inline
    >>> for clock in range(CLOCKS):
    ...     print(inline(tell_otherwise([insert_at(0, "a"), insert_at(1, "b"), QUERY], clock)))
    insert 1700000000 "a", insert 1700000001 "b", query
    insert -1700000000 "a", insert -1699999999 "b", query
    insert -2147483648 "a", insert 2147483647 "b", query
    insert 0 "a", insert 40000 "b", query
    """
    times = [time for step in steps for time in times_of(step, OUT_OF_ORDER)]
    low, high = min(times, default=0), max(times, default=0)
    widest = (2**32 - 1) // max(1, high - low)
    first, scale = ((EPOCH, 1), (-EPOCH, 1), (-(2**31), widest), (0, min(40_000, widest // 2)))[clock]

    def tell(step: Step) -> Step:
        these = times_of(step, OUT_OF_ORDER)
        told = (first + (time - low) * scale for time in these)
        return Step(step.name, (*told, *step.arguments[len(these) :])) if these else step

    return [*map(tell, steps)]


class TimedScript:
    """A trace under construction, with the times that are present."""

    odd = 0.05
    """The fraction of inserts that are duplicates, and of evicts that name absent times."""

    def __init__(self, domain: Domain, random: Random, ranges: bool) -> None:
        self.steps: list[Step] = []
        self.times: list[int] = []
        self.asked: list[Step] = []
        self.random = random
        self.ranges = ranges
        self.element = drawing(domain, random)

    def insert(self, time: int, element: object = None) -> None:
        self.steps.append(insert_at(time, self.element() if element is None else element))
        at = bisect_left(self.times, time)
        if self.times[at : at + 1] != [time]:
            self.times.insert(at, time)

    def evict(self, time: int) -> None:
        self.steps.append(evict_at(time))
        at = bisect_left(self.times, time)
        if self.times[at : at + 1] == [time]:
            del self.times[at]

    def ask(self) -> None:
        self.steps.append(QUERY)
        if self.ranges and self.random.random() < 0.1:
            self.ask_ranges(1)

    def ask_ranges(self, many: int) -> None:
        """Query ranges whose ends are at times, next to them, or outside; some are short, some are repeated."""
        for _ in range(many):
            if self.asked and self.random.random() < 0.25:
                self.steps.append(self.random.choice(self.asked))
                continue
            first = self._rank("anywhere")
            last = first + self.random.randint(-1, 3) if self.random.random() < 0.3 else self._rank("anywhere")
            if last < first and self.random.random() < 0.8:
                first, last = last, first
            self.steps.append(range_query(self._about(first), self._about(last)))
            self.asked = [*self.asked[-4:], self.steps[-1]]

    def _about(self, rank: int) -> int:
        if not self.times:
            return self.random.randint(-2, 2)
        if not 0 <= rank < len(self.times):
            return self.times[0] - 5 if rank < 0 else self.times[-1] + 5
        return self.times[rank] + self.random.choice((0, 0, 0, -1, 1))

    def _rank(self, place: str) -> int:
        """Return the number of entries older than that place."""
        size = len(self.times)
        if place == "anywhere":
            return self.random.randint(0, size)
        if place == "near":
            return max(0, size - int(self.random.expovariate(0.25)))
        return size if place == "youngest" else 0

    def free(self, place: str) -> int:
        """Return an absent time at this place; beyond the youngest if there is no room."""
        rank, times = self._rank(place), self.times
        if not times:
            return self.random.randint(-3, 3)
        if rank == 0:
            return times[0] - self.random.randint(1, 9)
        if rank < len(times) and times[rank] - times[rank - 1] > 1:
            return self.random.randint(times[rank - 1] + 1, times[rank] - 1)
        return times[-1] + (self.random.randint(1, 9) if self.random.random() < 0.99 else 1000)

    def fill(self, size: int, place: str) -> None:
        """Insert until the window has `size` entries."""
        while len(self.times) < size:
            self.insert(self.free(place))

    def change(self, rate: float, arrive: Sequence[str], leave: Sequence[str]) -> None:
        """Insert or evict once; sometimes with a duplicate or an absent time."""
        random, unusual = self.random, self.random.random() < self.odd
        if random.random() < rate or not self.times:
            self.insert(random.choice(self.times) if unusual and self.times else self.free(random.choice(arrive)))
        elif unusual:
            self.evict(self.free("anywhere"))
        else:
            self.evict(self.times[min(self._rank(random.choice(leave)), len(self.times) - 1)])


class TimedWalk(TimedScript):
    """A script for plain walks: entries come and go at its own places, mostly among the youngest and the oldest."""

    def __init__(self, domain: Domain, random: Random, ranges: bool) -> None:
        super().__init__(domain, random, ranges)
        self.arrive = random.choice((("youngest",), (*["youngest"] * 15, "anywhere"), ("youngest", "near"), PLACES))
        self.depart = random.choice((("oldest",), ("oldest",), ("oldest", "near"), PLACES))
        self.odd = random.choice((0.05, 0.05, 0.3, 0.3, 0.9))

    @property
    def size(self) -> int:
        return len(self.times)

    def enter(self) -> None:
        self.change(1.0, self.arrive, self.depart)

    def leave(self) -> None:
        self.change(0.0, self.arrive, self.depart)

    def ask(self) -> None:
        super().ask()
        if self.ranges and self.random.random() < 0.5:
            self.ask_ranges(1)


class TimedFill(TimedWalk):
    """A script that inserts a duplicate and evicts absent times at every query, and nowhere else, so that both occur at
    every size; other entries come at any distance from the youngest."""

    def __init__(self, domain: Domain, random: Random, ranges: bool) -> None:
        super().__init__(domain, random, ranges)
        self.arrive = PLACES
        self.odd = 0.0

    def ask(self) -> None:
        super().ask()
        if self.times:
            self.insert(self.random.choice(self.times))
            super().ask()
            for place in ("oldest", "anywhere"):
                self.evict(self.free(place))
                super().ask()


class TimedInOrder(TimedWalk):
    """A script in the order of time: the oldest entry leaves."""

    def enter(self) -> None:
        self.insert(self.times[-1] + 1 if self.times else 0)

    def leave(self) -> None:
        self.evict(self.times[0])
