"""The windowing library: maps a stream to the three events that an aggregator handles: insert, evict, trigger.

- Full name: Windowing library
- Paper: General Incremental Sliding-Window Aggregation (2015), sections 2.3 and 5.4
- Order: in order of time, or of arrival for windows that ignore time; late elements are rejected or dropped
- Operator: none
- Combine calls: none
- Space: for each active key a mark of each element in its window; keys are released (see swagproof.models.windows)
- Errata: WIN-1, WIN-2

Conventions: the paper prints no listing; this is the incremental form of `swagproof.models.windows`.  Each element is
marked in the range's measure, with its number, time or attribute; a window that triggers at `horizon` in the same
measure holds the marks that are not `expired`.  No more elements are held than the next trigger may show: elements
leave as soon as no later trigger can show them, and elements that no trigger can show never enter.
"""

from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from swagproof.models.windows.window import (
    Count,
    Delta,
    Event,
    Heartbeat,
    Item,
    LateError,
    Punctuated,
    Punctuation,
    Time,
    Trigger,
    Unbounded,
    Window,
    WindowError,
    attribute_behind,
    describe_late,
    is_over,
    require_item,
)


@dataclass(frozen=True, slots=True)
class Insert:
    """A step: an element enters the window of its key, at the back."""

    event: Event


@dataclass(frozen=True, slots=True)
class Evict:
    """A step: the oldest element leaves."""


@dataclass(frozen=True, slots=True)
class Release:
    """The window is empty and its key has no state any more.  Ours: section 5.4 keeps only active keys."""


Step: TypeAlias = Insert | Evict | Trigger | Release

EVICT: Final = Evict()
RELEASE: Final = Release()


class Partition:
    """The state of one active key."""

    __slots__ = ("held", "moved_from", "newest", "number", "shown")

    def __init__(self) -> None:
        self.held: deque[Any] = deque()
        """The marks of the elements in the window, oldest first."""
        self.number = 0
        """The number of the newest element, counted from 1."""
        self.newest: tuple[Event, ...] = ()
        """The newest element, if any; only its time and attribute are used."""
        self.moved_from: Any = None
        """The attribute of the last element that triggered."""
        self.shown = False
        """True if the window was not empty when it last triggered."""


class Windowing:
    """The steps of a stream: elements that enter and leave the windows of its keys, and triggers.

    >>> from swagproof.models.windows.window import hopping
    >>> windowing = Windowing(hopping(4, 2))
    >>> for item in (Event(1, "a"), Event(5, "b")):
    ...     print([type(step).__name__ for key, step in windowing.feed(item)])
    ['Insert']
    ['Trigger', 'Trigger', 'Evict', 'Insert']
    """

    def __init__(self, window: Window) -> None:
        self.window = window
        self.clock: Any = None
        """The latest time; for a window without times, the time field of the latest item."""
        self.end: Any = None
        """The first end of windows that has not passed, for a slide in time."""
        self.punctuations = 0
        self.partitions: OrderedDict[Any, Partition] = OrderedDict()
        """The states by key, in the order of the keys' newest elements, oldest first."""
        self.under_way: Item | None = None
        """The item that is being processed, if some of its steps remain."""

    def feed(self, item: Item) -> Iterator[tuple[Any, Step]]:
        """Yield the steps of one item, each with its key.  Take them all before the next item.

        A key's steps are in the order of section 2.3.  If several keys trigger at one time, the key whose newest
        element is oldest comes first.  Cost: one or two steps an element, and a trigger for each active key and end of
        a window.  Raises LateError and WindowError, also if some steps of the previous item were not taken.
        """
        require_item(self.window, item)
        if self.under_way is not None:
            raise WindowError(f"item: {item!r} comes before all steps of {self.under_way!r} were taken; take them all")
        self.under_way = item
        try:
            yield from self.steps(item)
        except WindowError:  # the item is rejected
            self.under_way = None
            raise
        self.under_way = None

    def steps(self, item: Item) -> Iterator[tuple[Any, Step]]:
        """Yield the steps of one item."""
        window = self.window
        if window.span is None:
            self.clock = item.time
        else:
            time = self.clock if item == Punctuation() else window.instant(item.time)
            if window.is_late(time, self.clock):
                if isinstance(item, Heartbeat) or window.late == "drop":
                    return
                raise LateError(describe_late(item, "time", time, self.clock))
            if time is not None:
                yield from self.advance(time)
        if isinstance(item, Event):
            yield from self.arrive(item)
        elif isinstance(item, Punctuation):
            yield from self.punctuate()

    # Time

    def advance(self, time: Any) -> Iterator[tuple[Any, Step]]:
        """Advance the time: end windows, and release idle keys."""
        while self.partitions:
            deadline = self.deadline()
            if self.ends(time) and (deadline is None or self.end <= deadline):
                yield from self.finish()
            elif deadline is not None and deadline < time:
                yield from self.retire(deadline)
            else:
                break
        self.clock = time
        if isinstance(self.window.slide, Time):
            self.end = self.next_end(time)

    def next_end(self, time: Any) -> Any:
        """Return the first end of a window that has not passed at this time."""
        origin, slide = self.window.origin_for(time), self.window.slide.span  # type: ignore[union-attr]  # a slide in time
        if self.window.closed == "left":
            return origin + ((time - origin) // slide + 1) * slide
        return origin - (origin - time) // slide * slide

    def ends(self, time: Any) -> bool:
        """Return whether the next windows end now that it is this time."""
        return isinstance(self.window.slide, Time) and is_over(self.window, self.end, time)

    def finish(self) -> Iterator[tuple[Any, Step]]:
        """Trigger the windows that end next, for all active keys."""
        end, following = self.end, self.end + self.window.slide.span  # type: ignore[union-attr]  # a slide in time
        timed = isinstance(self.window.range, Time)
        for key, partition in list(self.partitions.items()):
            yield from self.trigger(key, partition, end, end)
            if timed:
                yield from self.evict(key, partition, following)
            yield from self.release_if_forgettable(key, partition)
        self.end = following

    def deadline(self) -> Any:
        """Return the time at which the first key will have been idle for too long; None if keys may be idle."""
        if self.window.idle is None:
            return None
        return next(iter(self.partitions.values())).newest[0].time + self.window.idle

    def retire(self, deadline: Any) -> Iterator[tuple[Any, Step]]:
        """Release the key that has been idle for longest, whatever its window holds."""
        key, partition = self.partitions.popitem(last=False)
        yield from self.clear(key, partition)
        yield from self.trigger(key, partition, None, deadline)
        yield key, RELEASE

    # Elements and punctuations

    def arrive(self, event: Event) -> Iterator[tuple[Any, Step]]:
        """Process an element: evict the elements that it displaces, insert it, and perhaps trigger the window."""
        window, key, time = self.window, event.key, self.clock
        partition = self.partitions.get(key) or Partition()
        if (behind := attribute_behind(window, partition.newest, event)) is not None:
            if window.late == "drop":
                return
            raise LateError(behind)
        self.partitions[key] = partition
        self.partitions.move_to_end(key)
        partition.number += 1
        partition.newest = (Event(time, event.value),)
        mark, horizon = self.measured(event, partition.number)
        yield from self.evict(key, partition, horizon)
        if not self.expired(mark, horizon):
            partition.held.append(mark)
            yield key, Insert(event)
        if isinstance(window.slide, Count) and partition.number == self.next_number(partition.number):
            yield from self.trigger(key, partition, partition.number, time)
            if isinstance(window.range, Count):
                yield from self.evict(key, partition, partition.number + window.slide.n)
        elif isinstance(window.slide, Delta):
            attribute = window.slide.of(event.value)
            if partition.moved_from is None or attribute - partition.moved_from >= window.slide.span:
                partition.moved_from = attribute
                yield from self.trigger(key, partition, attribute, time)
        yield from self.release_if_forgettable(key, partition)

    def measured(self, event: Event, number: int) -> tuple[Any, Any]:
        """Return the mark of the newest element, and the horizon of the next trigger, or of the present if unknown."""
        match self.window.range, self.window.slide:
            case Count(), Count():
                return number, self.next_number(number)
            case Count(), _:
                return number, number
            case Time(), Time():
                return self.clock, self.end
            case Time(), _:
                return self.clock, self.clock
            case Delta(_, of), _:
                return of(event.value), of(event.value)
            case _:
                return None, None

    def next_number(self, number: int) -> int:
        """Return the number of the first element, from this one on, at which a slide by count triggers."""
        slide = self.window.slide.n  # type: ignore[union-attr]  # a slide by count
        origin: int = slide if self.window.origin is None else self.window.origin
        if number <= origin:
            return origin
        return number + (origin - number) % slide

    def punctuate(self) -> Iterator[tuple[Any, Step]]:
        """Process a punctuation, for all active keys."""
        self.punctuations += 1
        for key, partition in list(self.partitions.items()):
            if isinstance(self.window.slide, Punctuated):
                if isinstance(self.window.range, Time):
                    yield from self.evict(key, partition, self.clock)
                yield from self.trigger(key, partition, self.punctuations, self.clock)
            if isinstance(self.window.range, Punctuated):
                yield from self.clear(key, partition)
            yield from self.release_if_forgettable(key, partition)

    # One window

    def expired(self, mark: Any, horizon: Any) -> bool:
        """Return whether a window that triggers at the horizon, and all later ones, no longer hold an element."""
        match self.window.range:
            case Count(n):
                return bool(horizon - mark >= n)
            case Time(span):
                return bool(horizon - mark >= span if self.window.closed == "right" else horizon - mark > span)
            case Delta(span, _):
                return bool(horizon - mark > span)
            case Punctuated() | Unbounded():
                return False

    def evict(self, key: Any, partition: Partition, horizon: Any) -> Iterator[tuple[Any, Step]]:
        """Evict the elements that have expired at the horizon."""
        while partition.held and self.expired(partition.held[0], horizon):
            partition.held.popleft()
            yield key, EVICT

    def clear(self, key: Any, partition: Partition) -> Iterator[tuple[Any, Step]]:
        """Evict all elements."""
        while partition.held:
            partition.held.popleft()
            yield key, EVICT

    def trigger(self, key: Any, partition: Partition, at: Any, time: Any) -> Iterator[tuple[Any, Step]]:
        """Trigger the window if it is not empty, or was not at its last trigger."""
        size = len(partition.held)
        if size or partition.shown:
            partition.shown = size > 0
            yield key, Trigger(at, time, size)

    def release_if_forgettable(self, key: Any, partition: Partition) -> Iterator[tuple[Any, Step]]:
        """Release a key whose state is the same as that of a new key."""
        if not partition.held and not partition.shown and isinstance(self.window.slide, Time | Punctuated):
            del self.partitions[key]
            yield key, RELEASE
