"""The state machine of out-of-order windows: Hypothesis compares an implementation with the list model.

Inserts are at any distance from the youngest entry, from none to the whole window, in bursts at one place, and at
present times.  Evicts are at either end, in the middle, and at absent times.  Windows grow until trees are deep.  If
the implementation has `range_query`, ranges are queried before and after a change within them.  If it has `bulk_insert`
or `bulk_evict`, empty and large bulks come between single operations.

Run it with `run_state_machine_as_test(out_of_order_machine(MyWindow, SUM))`, or as a test class:

    class MyMachine(OutOfOrderMachine):
        make = MyWindow

    TestMyWindow = MyMachine.TestCase
"""

from bisect import bisect_left, insort
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from swagproof.models.operations import Operation
from swagproof.models.out_of_order import OutOfOrder, OutOfOrderWindow
from swagproof.oracle.adapting.declared import Adapter
from swagproof.oracle.testing.machine import BURST, ELEMENTS, Machine, precondition, rule, st, with_subject
from swagproof.oracle.window import OUT_OF_ORDER

MANY = 24
"""The least number of times in a large draw."""

INTEGERS: Any = st.integers(-(10**6), 10**6)
TIMES: Any = st.runner().flatmap(lambda machine: machine.times)
"""One time of the kind that a machine runs over."""
SOME: Any = st.runner().flatmap(
    lambda machine: (
        st.lists(machine.times, min_size=1, max_size=4) | st.lists(machine.times, min_size=MANY, max_size=4 * MANY)
    )
)
"""A few times, or many."""
DISTANCES: Any = st.runner().flatmap(lambda machine: st.integers(0, 3) | st.integers(0, machine.longest))
"""The number of entries between one and the youngest."""


class OutOfOrderMachine(Machine):
    """Inserts and evicts at any time, ranges, and bulks if the implementation has them."""

    kind = OUT_OF_ORDER
    model_of = OutOfOrderWindow
    times: ClassVar[Any] = INTEGERS
    """The strategy that draws times."""

    # `spare` holds absent times in order, for inserts at a chosen place.

    def insert(self, time: Any, element: Any) -> None:
        """Insert one entry."""
        self.subject.insert(time, self.handed(element))
        self.model.insert(time, self.lifted(element))

    def evict(self, time: Any) -> None:
        """Evict one entry, or none at an absent time; the time is spare from then on."""
        if self.model.index(time) is not None:
            insort(self.spare, time)
        self.subject.evict(time)
        self.model.evict(time)

    def at(self, distance: int) -> Any:
        """Return the time of the entry `distance` before the youngest; of the oldest if there are fewer."""
        return self.model.times[-1 - min(distance, self.model.size - 1)]

    @rule(time=TIMES, element=ELEMENTS)
    def insert_anywhere(self, time: Any, element: Any) -> None:
        """Insert at any time, present or absent."""
        if self.model.size < self.longest:
            self.spare = [other for other in self.spare if other != time]
            self.insert(time, element)

    @rule(drawn=SOME, distance=DISTANCES, element=ELEMENTS, burst=st.integers(1, BURST), ascending=st.booleans())
    def insert_out_of_order(
        self, drawn: Sequence[Any], distance: int, element: Any, burst: int, ascending: bool
    ) -> None:
        """Insert entries at this distance from the youngest, or as near to it as there are times."""
        self.spare = sorted({*self.spare, *drawn} - {*self.model.times})
        time = self.at(distance - 1) if self.model.size and distance else None
        end = len(self.spare) if time is None else bisect_left(self.spare, time) or len(self.spare)
        start = max(0, end - min(burst, self.longest - self.model.size))
        taken, self.spare[start:end] = self.spare[start:end], []
        for number, spare in enumerate(taken if ascending else taken[::-1]):
            self.insert(spare, self.sample(number, element))

    @precondition(lambda self: self.model.size > 0)
    @rule(distance=DISTANCES, element=ELEMENTS)
    def insert_again(self, distance: int, element: Any) -> None:
        """Insert at a present time."""
        self.insert(self.at(distance), element)

    @precondition(lambda self: self.model.size > 0)
    @rule(element=ELEMENTS)
    def insert_all_again(self, element: Any) -> None:
        """Insert at every present time."""
        for number, time in enumerate(list(self.model.times)):
            self.insert(time, self.sample(number, element))

    @precondition(lambda self: self.model.size > 0)
    @rule(distance=DISTANCES)
    def evict_present(self, distance: int) -> None:
        """Evict the entry `distance` before the youngest."""
        self.evict(self.at(distance))

    @precondition(lambda self: self.model.size > 0)
    @rule(times=st.integers(1, BURST))
    def evict_oldest(self, times: int) -> None:
        """Evict a burst of the oldest."""
        for time in self.model.times[:times]:
            self.evict(time)

    @precondition(lambda self: self.model.size > 0)
    @rule(times=st.integers(1, BURST))
    def evict_youngest(self, times: int) -> None:
        """Evict a burst of the youngest."""
        for time in self.model.times[: -times - 1 : -1]:
            self.evict(time)

    @precondition(lambda self: self.model.size > 2)
    @rule(times=st.integers(1, BURST))
    def evict_from_the_middle(self, times: int) -> None:
        """Evict a burst in the middle."""
        middle = self.model.size // 2
        for time in self.model.times[middle : min(middle + times, self.model.size - 1)]:
            self.evict(time)

    @precondition(lambda self: self.model.size > 2)
    @rule(start=st.integers(0, 6), step=st.integers(2, 7))
    def thin_out(self, start: int, step: int) -> None:
        """Evict every `step`-th entry, with a query after each: most are inside the window."""
        for time in self.model.times[start::step]:
            self.evict(time)
            self.query()

    @rule(time=TIMES)
    def evict_anywhere(self, time: Any) -> None:
        """Evict at any time."""
        self.evict(time)

    @precondition(lambda self: self.spare)
    @rule(number=st.integers(0, 10**6))
    def evict_absent(self, number: int) -> None:
        """Evict at an absent time."""
        self.evict(self.spare[number % len(self.spare)])

    @precondition(lambda self: self.model.size > 0)
    @rule(oldest_first=st.booleans())
    def drain(self, oldest_first: bool) -> None:
        """Evict all entries, with queries."""
        for time in self.model.times[:: 1 if oldest_first else -1]:
            self.evict(time)
        self.query()

    @precondition(lambda self: hasattr(self.subject, "bulk_insert"))
    @rule(
        drawn=SOME,
        start=st.integers(0, 10**6),
        element=ELEMENTS,
        burst=st.integers(0, BURST),
        present=st.booleans(),
        twice=st.booleans(),
    )
    def insert_in_bulk(
        self, drawn: Sequence[Any], start: int, element: Any, burst: int, present: bool, twice: bool
    ) -> None:
        """Insert neighbouring times in bulk, from any first time; some are present, or come twice."""
        self.spare = sorted({*self.spare, *drawn} - {*self.model.times})
        known = sorted([*self.spare, *self.model.times]) if present else self.spare
        first = start % (len(known) + 1)
        taken = known[first : first + min(burst, self.longest - self.model.size)]
        self.spare = sorted({*self.spare} - {*taken})
        bulk = [(time, self.sample(number, element)) for number, time in enumerate(sorted(taken * (2 if twice else 1)))]
        self.subject.bulk_insert([(time, self.handed(one)) for time, one in bulk])
        for time, one in bulk:
            self.model.insert(time, self.lifted(one))

    @precondition(lambda self: hasattr(self.subject, "bulk_evict") and (self.model.size or self.spare))
    @rule(number=st.integers(0, 10**6))
    def evict_in_bulk(self, number: int) -> None:
        """Evict all entries up to a time, present or absent."""
        known = sorted([*self.model.times, *self.spare])
        last = known[number % len(known)]
        self.subject.bulk_evict(last)
        for time in [time for time in self.model.times if not last < time]:
            self.model.evict(time)
            insort(self.spare, time)

    @precondition(lambda self: self.ranges and (self.model.size or self.spare))
    @rule(first=st.integers(0, 10**6), last=st.one_of(st.integers(0, 3), st.integers(0, 10**6)))
    def range_query(self, first: int, last: int) -> None:
        """Query a range between two times, present or absent; a small `last` is a short range, or a reversed one."""
        known = sorted([*self.model.times, *self.spare])
        start = first % len(known)
        end = start + last - 1 if last < 4 else last % len(known)
        self.ask_range(known[start], known[max(0, min(end, len(known) - 1))])

    @precondition(lambda self: self.ranges)
    @rule(first=TIMES, last=TIMES)
    def range_query_anywhere(self, first: Any, last: Any) -> None:
        """Query a range between any times."""
        self.ask_range(first, last)

    @precondition(lambda self: self.ranges and self.model.size > 0)
    @rule(distance=DISTANCES, element=ELEMENTS, evicts=st.booleans())
    def change_within_ranges(self, distance: int, element: Any, evicts: bool) -> None:
        """Query ranges about an entry, before and after it changes: cached answers are stale."""
        times, time = list(self.model.times), self.at(distance)
        rank = bisect_left(times, time)
        ranges = [(times[max(0, rank - reach)], times[min(rank + reach, len(times) - 1)]) for reach in range(3)]
        for gone in (True, False) if evicts else (False,):
            for first, last in ranges:
                self.ask_range(first, last)
            if gone:
                self.evict(time)
            else:
                self.insert_anywhere(time, element)
            for first, last in ranges:
                self.ask_range(first, last)

    @property
    def ranges(self) -> bool:
        """Return whether the implementation has range queries."""
        return hasattr(self.subject, "range_query")

    def ask_range(self, first: Any, last: Any) -> None:
        """Query a range of the implementation and the model."""
        answer = self.subject.range_query(first, last)
        self.compare(f"range_query from {first!r} to {last!r}", answer, self.model.range_query(first, last))

    def empty(self) -> None:
        for time in self.model.times[::2] + self.model.times[1::2]:
            self.evict(time)


def out_of_order_machine(
    make: Callable[[Operation[Any, Any, Any]], OutOfOrder[Any]],
    operation: Operation[Any, Any, Any],
    *,
    times: st.SearchStrategy[Any] = INTEGERS,
    longest: int = 300,
    adapter: Adapter | None = None,
) -> type[OutOfOrderMachine]:
    """Return the machine for the implementation that `make` builds with the operation, or as the adapter declares.

    Elements are the operation's samples.  Times come from `times`, of any totally ordered, hashable type: floats
    without NaN (`st.floats(allow_nan=False)`, infinities included), dates (`st.datetimes()`).  Windows grow to
    `longest` entries.  Ranges are queried if the implementation has `range_query`, and bulks are drawn if it has
    `bulk_insert(pairs)`, sorted by time, or `bulk_evict(time)`, of all entries up to that time.
    """
    return with_subject(OutOfOrderMachine, make, operation, longest=longest, adapter=adapter, times=times)
