"""Window definitions: the elements of a stream that are in the window at each trigger.

Sources: *General Incremental Sliding-Window Aggregation* (2015), sections 2.1 to 2.3 and 5.4.  The paper leaves details
to the windowing library that it cites; those definitions are ours.  *Stream Window Aggregation Semantics and
Optimisation* (2018), Definition 1, calls such a definition a discretisation of the stream.

A window has a range and a slide, each with its own measure.

- Range, the elements that the window covers: `Count(n)`, the newest n elements; `Time(span)`; `Delta(span)`, the
  elements whose attribute is at most that far from the newest's; `PUNCTUATION`, all since the last punctuation;
  `UNBOUNDED`, all so far (a landmark window; with the range PUNCTUATION the landmark moves).
- Slide, the moments at which it triggers: `Count(n)`, at every n-th element; `Time(span)`, at the times
  origin + k * span; `Delta(span)`, at the first element, and at each whose attribute has moved by span since the last
  element that triggered; `PUNCTUATION`, at each punctuation.

Every range can be combined with every slide.  The slide may exceed the range, and need not divide it.

A window triggers while it has elements, and once more when it has become empty.  So a span of time without elements
costs nothing if the range is a time, and an ended result differs from one that stays.

Decided here, for all windows:

- Elements of equal time, or equal attribute, keep the order in which they arrive.
- An element is late if the stream has already reached a later time.  It raises LateError, and nothing has changed; with
  `late="drop"` it is dropped instead.  A late heartbeat is ignored.
- A time that triggers is an end of a window.  It has passed when no element of that window can still come: at an
  element, a heartbeat or a punctuation of a later time (or of the same time, if the end is not in the window).  A
  stream that just stops triggers nothing: end it with a heartbeat to see its last windows.
- Each key has its own window, but all keys share one time, which the elements of every key advance.  A key is released
  when its window has triggered empty and no other state of it is needed.  If a range that is not a time holds its
  elements for ever, give `idle`: a key without an element for longer than that is released at that time, and starts
  again with its next element.
- Times are ints, Fractions or datetimes, with timedeltas for spans.  Floats are refused, because k * 0.1 is rounded.
  Aware datetimes are converted to UTC, because Python subtracts two of one zone by their wall clocks.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import count
from typing import Any, Final, Literal, TypeAlias

Closed: TypeAlias = Literal["left", "right", "both"]


class WindowError(ValueError):
    """An impossible window, or an item of a stream that the window cannot measure.  Nothing has changed."""


class LateError(WindowError):
    """An element is older, in time or in the attribute of a delta, than an earlier one.

    Nothing has changed, except that if only the attribute is late, the element's time has passed as by a heartbeat.
    """


# Streams


@dataclass(frozen=True, slots=True)
class Event:
    """An element of a stream: a value with its timestamp, and the key of its partition."""

    time: Any
    value: Any
    key: Any = None


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """A promise that no later element has an earlier time than this."""

    time: Any


@dataclass(frozen=True, slots=True)
class Punctuation:
    """A mark between the elements of a stream, for all keys.  Without a time, it has the stream's latest time."""

    time: Any = None


Item: TypeAlias = Event | Heartbeat | Punctuation


# Measures


def _itself(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class Count:
    """A number of elements."""

    n: int

    def __post_init__(self) -> None:
        if type(self.n) is not int or self.n < 1:
            raise WindowError(f"Count: n = {self.n!r}; give an int of at least 1")


@dataclass(frozen=True)
class Time:
    """A span of time: a positive int, Fraction or timedelta."""

    span: Any

    def __post_init__(self) -> None:
        if not _is_span(self.span) or not self.span > 0 * self.span:
            raise WindowError(f"Time: span = {self.span!r}; give a positive int, Fraction or timedelta")


@dataclass(frozen=True)
class Delta:
    """A distance in an attribute that never falls, such as a mileage.

    `of` extracts the attribute from a value.  Its differences must compare with the span.  Floats are allowed, because
    rounded distances are still monotone.  A range or a slide may be 0; with a slide of 0, every element triggers.
    """

    span: Any
    of: Callable[[Any], Any] = field(default=_itself, repr=False)

    def __post_init__(self) -> None:
        try:
            usable = bool(self.span - self.span <= self.span)
        except TypeError:
            usable = False
        if not usable:
            raise WindowError(f"Delta: span = {self.span!r}; give a distance of at least 0, not NaN")


@dataclass(frozen=True)
class Punctuated:
    """Punctuations.  As a range: since the last one; as a slide: at each one."""


@dataclass(frozen=True)
class Unbounded:
    """The whole stream so far."""


PUNCTUATION: Final = Punctuated()
UNBOUNDED: Final = Unbounded()

Range: TypeAlias = Count | Time | Delta | Punctuated | Unbounded
Slide: TypeAlias = Count | Time | Delta | Punctuated


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _is_span(value: Any) -> bool:
    return _is_number(value) or isinstance(value, timedelta)


@dataclass(frozen=True)
class Trigger:
    """A moment at which a window is observed, and its number of elements."""

    at: Any
    """In the slide's measure: the number of elements so far, the time, the attribute, or the number of punctuations.
    None if an idle key was released."""
    time: Any
    """The time up to which the window reaches; if neither range nor slide is a time, the item's own."""
    size: int


# Windows


@dataclass(frozen=True)
class Window:
    """A window's range, and the triggers at which it is observed.

    `origin`: a slide in time triggers at origin + k * span for all integers k; origin is a span from time 0, or from
    the epoch for datetimes, and 0 by default.  A slide by count triggers at the elements number origin, origin + n,
    ..., counted from 1; by default at the multiples of n.

    `closed`: the ends of [end - span, end] that belong to a window whose range is a time.  The default is "left" if
    the slide is a time, which puts each element into one window when range and slide are equal; otherwise it is
    "right", so that the element that triggers belongs to its window.  The end also matters for the other ranges, if
    the slide is a time: they contain only elements before it, or at it if that end is closed.

    Raises WindowError, which names the field and what to do.
    """

    range: Range
    slide: Slide
    _: KW_ONLY
    origin: Any = None
    closed: Closed = field(default=None)  # type: ignore[arg-type]  # filled in below
    idle: Any = None
    late: Literal["refuse", "drop"] = "refuse"

    def __post_init__(self) -> None:
        by_time = isinstance(self.slide, Time)
        if self.closed is None:  # pyright: ignore[reportUnnecessaryComparison]  # None stands for a default
            object.__setattr__(self, "closed", "left" if by_time else "right")
        if not isinstance(self.range, Count | Time | Delta | Punctuated | Unbounded):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers need not check types
            raise WindowError(f"range: {self.range!r}; give Count, Time, Delta, PUNCTUATION or UNBOUNDED")
        if not isinstance(self.slide, Count | Time | Delta | Punctuated):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers need not check types
            raise WindowError(f"slide: {self.slide!r}; give Count, Time, Delta or PUNCTUATION")
        if self.closed not in ("left", "right", "both"):
            raise WindowError(f'closed: {self.closed!r}; give "left", "right" or "both"')
        if self.late not in ("refuse", "drop"):
            raise WindowError(f'late: {self.late!r}; give "refuse" or "drop"')
        if self.closed == "left" and not by_time:
            raise WindowError(
                'closed: "left" leaves out the element that triggers; give "right" or "both", or a slide in Time'
            )
        if self.idle is not None and not (_is_span(self.idle) and self.idle >= 0 * self.idle):
            raise WindowError(f"idle: {self.idle!r}; give an int, Fraction or timedelta of at least 0, or None")
        spans = {"range": self.range, "slide": self.slide, "idle": self.idle}
        kinds = {
            name: isinstance(span.span if isinstance(span, Time) else span, timedelta)
            for name, span in spans.items()
            if isinstance(span, Time) or (name == "idle" and span is not None)
        }
        if len(set(kinds.values())) > 1:
            said = " and ".join(f"{name} {'in timedeltas' if kind else 'in numbers'}" for name, kind in kinds.items())
            raise WindowError(f"{said}; give all spans of time in one kind")
        self._check_origin()

    def _check_origin(self) -> None:
        if self.origin is None:
            return
        if isinstance(self.slide, Time):
            dates = isinstance(self.slide.span, timedelta)
            if not _is_span(self.origin) or isinstance(self.origin, timedelta) != dates:
                kind = "a timedelta, from the epoch on," if dates else "an int or a Fraction"
                raise WindowError(f"origin: {self.origin!r}; give {kind} as the slide is {self.slide.span!r}")
        elif isinstance(self.slide, Count):
            if type(self.origin) is not int or self.origin < 1:
                raise WindowError(
                    f"origin: {self.origin!r}; give the number of the first element to trigger, from 1 on"
                )
        else:
            raise WindowError(f"origin: {self.origin!r}; a slide of {self.slide!r} has none, leave it out")

    def __str__(self) -> str:
        """Return the range, the slide, and each other field that is not its default."""
        usual = Window(self.range, self.slide)
        others = {name: getattr(self, name) for name in ("origin", "closed", "idle", "late")}
        said = [f"{name} {value}" for name, value in others.items() if value != getattr(usual, name)]
        return ", ".join([f"range {self.range}", f"slide {self.slide}", *said])

    @property
    def span(self) -> Any:
        """A span of time of the window; None if neither range nor slide is a time, so that times are ignored."""
        for measure in (self.range, self.slide):
            if isinstance(measure, Time):
                return measure.span
        return self.idle

    def instant(self, time: Any) -> Any:
        """Convert a time to the window's measure.  Raises WindowError if it cannot be measured."""
        if isinstance(self.span, timedelta):
            if not isinstance(time, datetime):
                raise WindowError(f"time: {time!r}; the window's spans are timedeltas, give datetimes")
            spans = [span.span for span in (self.range, self.slide) if isinstance(span, Time)]
            reach = sum([*spans, self.idle or timedelta()], timedelta())
            try:
                time = time if time.tzinfo is None else time.astimezone(UTC)
                _ = time - reach, time + reach, isinstance(self.slide, Time) and self.origin_for(time)
            except OverflowError as error:
                raise WindowError(
                    f"time: {time!r}; the window's spans reach beyond the years 1 to 9999 from there, give another time"
                ) from error
            return time
        if not _is_number(time):
            way_out = "count in a smaller unit, or give Fractions" if isinstance(time, float) else "give numbers"
            raise WindowError(f"time: {time!r}; the window's spans are ints or Fractions: {way_out}")
        return time

    def is_late(self, time: Any, clock: Any) -> bool:
        """Return whether a time is before the latest (None at first).  Raises WindowError if they do not compare."""
        try:
            return clock is not None and bool(time < clock)
        except TypeError as error:
            raise WindowError(f"time: {time!r} after {clock!r}; give all with a zone, or all without") from error

    def origin_for(self, time: Any) -> Any:
        """Return the origin of a slide in time, as a time of the same kind as `time`."""
        if isinstance(time, datetime):
            epoch = datetime(1970, 1, 1, tzinfo=time.tzinfo)
            return epoch + self.origin % self.slide.span if self.origin else epoch  # type: ignore[union-attr]  # in time
        return self.origin or 0


def hopping(range: Any, slide: Any) -> Window:
    """[k * slide, k * slide + range) for all integers k: windows in time that begin at multiples of their slide.

    Both are plain numbers or timedeltas.

    >>> stream = [Event(1, "a"), Event(3, "b"), Event(5, "c"), Heartbeat(8)]
    >>> [(trigger.time, [e.value for e in elements]) for trigger, elements in contents(hopping(4, 2), stream)]
    [(2, ['a']), (4, ['a', 'b']), (6, ['b', 'c']), (8, ['c'])]
    """
    return Window(Time(range), Time(slide), origin=range)


def cql(range: Any, slide: Any) -> Window:
    """The window of section 2.1: at time tau, [b, b + range], b = floor((tau - range) / slide) * slide, ends included.

    It triggers at each b + range.  As both ends belong to it, an element at an end is in one window more than the
    others (erratum WIN-1).  Its newest elements, those after b + range, are not in it: at most a slide's worth.
    """
    return Window(Time(range), Time(slide), origin=range, closed="both")


def tumbling(range: Count | Time | Punctuated) -> Window:
    """The window that slides by its own range: each element is in one window.  Raises WindowError for other ranges."""
    if not isinstance(range, Count | Time | Punctuated):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers need not check types
        raise WindowError(f"range: {range!r}; Count, Time and PUNCTUATION tumble")
    return Window(range, range)


def landmark(slide: Slide) -> Window:
    """Everything since the beginning."""
    return Window(UNBOUNDED, slide)


def bounds(tau: Any, range: Any, slide: Any) -> tuple[Any, Any]:
    """Return tau_b and tau_e of section 2.1, the beginning and the end of the window of time tau.

    >>> bounds(7, 4, 2), bounds(8, 4, 2), bounds(1, 4, 2)
    ((2, 6), (4, 8), (-4, 0))
    """
    tau_b = (tau - range) // slide * slide
    tau_e = tau_b + range
    return tau_b, tau_e


def relation(stream: Iterable[Event], tau: Any, range: Any, slide: Any) -> list[Any]:
    """Return R_w(tau) of section 2.1: the bag of tuples in the window of time tau, in arrival order."""
    tau_b, tau_e = bounds(tau, range, slide)
    return [event.value for event in stream if tau_b <= event.time <= tau_e]


# The definition


def contents(window: Window, stream: Iterable[Item]) -> list[tuple[Trigger, tuple[Event, ...]]]:
    """Return each trigger of an unpartitioned stream, with the elements in the window at that moment, oldest first.

    This is the definition of right results: each trigger searches all elements so far, in quadratic time.

    >>> stream = [Event(None, value) for value in "abcde"]
    >>> [(trigger.at, "".join(e.value for e in elements)) for trigger, elements in contents(Window(Count(3), Count(2)),
    ...  stream)]
    [(2, 'ab'), (4, 'bcd')]
    """
    found: list[tuple[Trigger, tuple[Event, ...]]] = []
    elements: list[Event] = []
    since = 0  # the elements before this one came before the last punctuation
    punctuations = 0
    moved_from: Any = None  # the attribute of the last element that triggered
    clock: Any = None

    def look(at: Any, time: Any, newest: list[Event]) -> None:
        held = tuple(newest)
        if held or (found and found[-1][1]):
            found.append((Trigger(at, time, len(held)), held))

    for item in stream:
        require_item(window, item)
        time = item.time
        if window.span is not None:
            time = clock if item == Punctuation() else window.instant(time)
            if window.is_late(time, clock):
                if isinstance(item, Heartbeat) or window.late == "drop":
                    continue
                raise LateError(describe_late(item, "time", time, clock))
            for end, released in find_passed(window, elements, clock, time):
                if released:
                    look(None, end, [])
                    elements, since, moved_from = [], 0, None
                else:
                    look(end, end, select_reached(window, elements, since, end))
            clock = time
        if isinstance(item, Punctuation):
            punctuations += 1
            if isinstance(window.slide, Punctuated):
                look(punctuations, time, select_reached(window, elements, since, time))
            since = len(elements)
        if isinstance(item, Event):
            if (behind := attribute_behind(window, elements[-1:], item)) is not None:
                if window.late == "drop":
                    continue
                raise LateError(behind)
            elements.append(item if item.time is time else Event(time, item.value, item.key))
            at: Any = None
            if isinstance(window.slide, Count):
                first = window.slide.n if window.origin is None else window.origin
                if len(elements) >= first and (len(elements) - first) % window.slide.n == 0:
                    at = len(elements)
            elif isinstance(window.slide, Delta):
                attribute = window.slide.of(item.value)
                if moved_from is None or attribute - moved_from >= window.slide.span:
                    at = moved_from = attribute
            if at is not None:
                look(at, time, select_reached(window, elements, since, time))
    return found


def select_reached(window: Window, elements: list[Event], since: int, end: Any) -> list[Event]:
    """Return the elements so far that the range covers, from the time `end` or the newest element."""
    match window.range:
        case Count(n):
            return elements[-n:]
        case Time(span):
            return [element for element in elements if is_inside(window, element.time, end - span, end)]
        case Delta(span, of):
            return [element for element in elements if of(elements[-1].value) - of(element.value) <= span]
        case Punctuated():
            return elements[since:]
        case Unbounded():
            return elements[:]


def is_inside(window: Window, time: Any, begin: Any, end: Any) -> bool:
    """Return whether a time lies between begin and end, which belong only if closed."""
    after = begin < time if window.closed == "right" else begin <= time
    before = time < end if window.closed == "left" else time <= end
    return bool(after and before)


def is_over(window: Window, end: Any, clock: Any) -> bool:
    """Return whether no element of the windows that end at `end` can still come at the time `clock`."""
    return bool(end <= clock if window.closed == "left" else end < clock)


def find_passed(window: Window, elements: list[Event], clock: Any, time: Any) -> Iterator[tuple[Any, bool]]:
    """Yield the events of a window with these elements from `clock` to `time`, as (when, whether an idle key is
    released).  The ends of windows come first, in order."""
    if not elements:
        return
    deadline = None if window.idle is None else elements[-1].time + window.idle
    if isinstance(window.slide, Time):
        origin, slide = window.origin_for(time), window.slide.span
        for k in count((elements[0].time - origin) // slide):
            end = origin + k * slide
            if not is_over(window, end, time) or (deadline is not None and end > deadline):
                break
            if not is_over(window, end, clock):
                yield end, False
    if deadline is not None and deadline < time:
        yield deadline, True


def require_item(window: Window, item: Item) -> None:
    """Raise WindowError for anything but an item, and for an element whose key or attribute is unusable."""
    if not isinstance(item, Event | Heartbeat | Punctuation):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers need not check types
        raise WindowError(f"item: {item!r}; give Event, Heartbeat or Punctuation")
    if not isinstance(item, Event):
        return
    try:
        hash(item.key)
    except TypeError as error:
        raise WindowError(f"key: {item.key!r}; give one that can be hashed, such as a tuple for a list") from error
    for name, measure in (("range", window.range), ("slide", window.slide)):
        if isinstance(measure, Delta):
            attribute = measure.of(item.value)
            try:
                usable = bool(attribute - attribute <= measure.span)
            except TypeError as error:
                said = f"{name}: the attribute {attribute!r} of {item.value!r} has no distances like {measure.span!r}"
                raise WindowError(f"{said}; give Delta another span, or another `of`") from error
            if not usable:
                raise WindowError(
                    f"{name}: the attribute {attribute!r} of {item.value!r} has no distance to itself; leave it out"
                )


def attribute_behind(window: Window, newest: Sequence[Event], event: Event) -> str | None:
    """Return the reason why an element's delta attribute is late, or None.  `newest` has the newest element, if any."""
    for name, measure in (("range", window.range), ("slide", window.slide)):
        if isinstance(measure, Delta):
            attribute = measure.of(event.value)
            if newest and attribute < measure.of(newest[0].value):
                return describe_late(event, f"{name}'s attribute", attribute, measure.of(newest[0].value))
    return None


def describe_late(item: Item, what: str, value: Any, latest: Any) -> str:
    """Return the message about a late element."""
    return f'{what} {value!r} of {item!r} comes after {latest!r}: sort the stream, or drop with Window(late="drop")'


def select_key(stream: Iterable[Item], key: Any) -> Iterator[Item]:
    """Yield the stream as one key observes it: its own elements, and only the times of other keys."""
    for item in stream:
        if isinstance(item, Event) and item.key != key:
            yield Heartbeat(item.time)
        else:
            yield item


def contents_by_key(window: Window, stream: Iterable[Item]) -> dict[Any, list[tuple[Trigger, tuple[Event, ...]]]]:
    """Return the contents for a partitioned stream, key by key, in the order in which the keys appear.

    An element is late by the time of the whole stream, not of its key.
    """
    items = list(stream)
    keys = dict.fromkeys(item.key for item in items if isinstance(item, Event))
    return {key: contents(window, select_key(items, key)) for key in keys}
