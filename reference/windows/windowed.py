"""The Aggregate operator: maps a stream of events to a stream of aggregates of its windows.

- Full name: Aggregate operator, IStream after aggregation after window
- Paper: General Incremental Sliding-Window Aggregation (2015), sections 2.1, 2.3 and 5.4
- Order: in order, as the windowing library
- Operator: as the algorithm requires
- Combine calls: those of the algorithm, for each insert, evict and trigger
- Space: for each active key the algorithm's, the windowing library's, and one result
- Errata: none; readings WIN-3, WIN-4

Conventions: the paper's Window is `Windowing`, its aggregation gamma an algorithm with insert, evict and query, its
IStream the default of `stream`.  Lift is called when an element arrives, lower when its window triggers, and again for
each result, so that the receiver may change the result.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar

from swagproof.models.fifo import Fifo
from swagproof.models.monoid import A, Monoid
from swagproof.models.operations import In, Operation, Out
from swagproof.models.relations import ToStream
from swagproof.models.windows.window import Event, Item, Trigger, Window, WindowError, require_item
from swagproof.reference.in_order.daba_lite import DabaLite
from swagproof.reference.windows.windowing import Evict, Insert, Windowing

Lowered = TypeVar("Lowered")


class Result(NamedTuple, Generic[Lowered]):
    """An element of the output stream."""

    key: Any
    trigger: Trigger
    output: Lowered


class _NoRow:
    """The absence of a row: the aggregation of no elements is the empty relation (reading WIN-4)."""


_NO_ROW: Final = _NoRow()


class _Group(Generic[A, Out]):
    """The state of one active key: its window, and the row of its relation."""

    __slots__ = ("row", "window")

    def __init__(self, window: Fifo[A]) -> None:
        self.window = window
        self.row: Out | _NoRow = _NO_ROW


class Aggregate(Generic[In, A, Out]):
    """An aggregation over the windows of a stream, separately for each key.

    `algorithm` is any class over a monoid with insert, evict and query, such as those of `swagproof.reference`; the
    operation must have all that the algorithm requires.

    `stream` converts the relation that holds the aggregate of a window while the window is not empty: "istream" yields
    each result when it differs from the previous one; "dstream", each result when it ceases to hold; "rstream", the
    result of every trigger.

    The greatest of the last two elements, reported only when it changes:

    >>> from swagproof.models.operations import MAX
    >>> from swagproof.models.windows.window import Count, Event, Window
    >>> aggregate = Aggregate(Window(Count(2), Count(1)), MAX)
    >>> [(result.trigger.at, result.output) for result in aggregate.process(Event(None, v) for v in (3, 1, 2))]
    [(1, 3), (3, 2)]
    """

    def __init__(
        self,
        window: Window,
        operation: Operation[In, A, Out],
        algorithm: Callable[[Monoid[A]], Fifo[A]] = DabaLite,
        *,
        stream: ToStream = "istream",
    ) -> None:
        if stream not in ("istream", "dstream", "rstream"):
            raise WindowError(f'stream: {stream!r}; give "istream", "dstream" or "rstream"')
        self.operation = operation
        self.algorithm = algorithm
        self.stream: Literal["istream", "dstream", "rstream"] = stream
        self.windowing = Windowing(window)
        self.groups: dict[Any, _Group[A, Out]] = {}

    def process(self, items: Iterable[Item]) -> Iterator[Result[Out]]:
        """Yield the output stream lazily: an item is taken only when its results are requested.

        Memory is bounded by the windows of the active keys.  Raises LateError and WindowError, after yielding all
        earlier results.
        """
        for item in items:
            yield from self.feed(item)

    def feed(self, item: Item) -> Iterator[Result[Out]]:
        """Yield the results of one item.  Take them all before the next item.

        An element is lifted first: an exception of lift passes through, and nothing has changed.  An exception of
        combine or lower also passes through, but then steps are lost and every later item raises WindowError.
        """
        require_item(self.windowing.window, item)
        lifted: Any = self.operation.lift(item.value) if isinstance(item, Event) else None
        for key, step in self.windowing.feed(item):
            if isinstance(step, Insert):
                if key not in self.groups:
                    self.groups[key] = _Group(self.algorithm(self.operation))
                self.groups[key].window.insert(lifted)
            elif isinstance(step, Evict):
                self.groups[key].window.evict()
            elif isinstance(step, Trigger):
                yield from self.show(key, self.groups[key], step)
            else:
                self.groups.pop(key, None)

    def show(self, key: Any, group: _Group[A, Out], trigger: Trigger) -> Iterator[Result[Out]]:
        """Yield the results that a trigger adds to the output stream: at most one."""
        before = group.row
        aggregate: Any = group.window.query() if trigger.size else None
        group.row = self.operation.lower(aggregate) if trigger.size else _NO_ROW
        changed = isinstance(before, _NoRow) or isinstance(group.row, _NoRow) or group.row != before
        if self.stream == "dstream":
            if changed and not isinstance(before, _NoRow):
                yield Result(key, trigger, before)
        elif not isinstance(group.row, _NoRow) and (changed or self.stream == "rstream"):
            yield Result(key, trigger, self.operation.lower(aggregate))  # again: the row is compared with later ones
