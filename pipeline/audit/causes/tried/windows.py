"""What a job may have taken for its windows: their ends, their length, where they begin, what they are called."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise, product
from math import gcd
from typing import Any, Final

from swagproof.models.windows.kinds import Counted, End, Ends, Frame, Session, Sliding
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import (
    NULL,
    Event,
    Foretold,
    Part,
    Sample,
    Window,
    regroup,
    split,
)
from swagproof.pipeline.audit.causes.spans import show_span
from swagproof.pipeline.audit.tables import Tick

QUARTER: Final = 900_000_000
"""Of an hour, in microseconds: time zones are so many of them away from each other."""

_PAUSE: Final = 4
"""How many windows there are for an event at most, where windows without events of their own are looked into."""

_BATCHES: Final = (8, 10, 16, 20, 24, 25, 32, 40, 48, 50, 64, 100, 128, 200, 250, 256, 500, 512, 1000, 1024, 2048, 4096)
"""How many events a batch may have, where one tries."""
_SECONDS: Final = (1, 5, 10, 30, 60, 120, 300, 600, 900, 1800, *(day * 86_400 for day in range(1, 7)))
"""By so many, clocks are off; by hours they are as in another time zone."""
_CELLS: Final = 8
"""How many different cells a column has at most that events are grouped by."""
_LONGEST: Final = 10_000
"""How many rows a frame has at most that is taken for one of as many seconds."""
_FEW_ROWS: Final = (2, 3, 4, 5, 10, 20, 30)
"""How many rows a frame may have to have."""


def list_windows(sample: Sample) -> Iterator[Hypothesis]:
    """Other windows."""
    match sample.window:
        case Sliding() as window:
            yield from _list_sliding(sample, window)
        case Session() as window:
            yield from _list_sessions(sample, window)
        case Counted() as window:
            yield from _list_counts(sample, window)
        case Frame() as window:
            yield from _list_frames(sample, window)


def _reach(window: Sliding, low: int, high: int) -> Hypothesis:
    """The windows with their begin and end moved, under the names that they have."""

    half, more = window.half_open, abs(low) + abs(high)

    def windows(events: list[Event]) -> Iterator[Window]:
        times = [e.time for e in events]
        if not times:
            return
        end, last = half.first_end(times[0] - more), half.last_end(times[-1] + more)
        while end <= last:
            i, j = bisect_left(times, end - half.range + low), bisect_left(times, end + high)
            if i < j:
                a = end - half.range - half.offset + window.offset
                yield Window(a, a + window.range, events[i:j])
                end += window.slide
            else:  # over a pause, however long
                end = max(end + window.slide, half.first_end(times[i] - more)) if i < len(times) else last + 1

    return Hypothesis("", "", windows=windows)


def _keep_due(sample: Sample, found: Foretold) -> Foretold:
    return {name: parts for name, parts in found.items() if name in sample.due}


_OFF: Final[dict[Ends, tuple[int, int]]] = {"left": (0, 0), "right": (1, 1), "both": (0, 1), "neither": (1, 0)}
"""How many ticks a window that holds these ends begins, and ends, after one that holds its begin alone."""


def _list_sliding(sample: Sample, window: Sliding) -> Iterator[Hypothesis]:
    range_, slide, tick = window.range, window.slide, sample.tick
    begin, end = ("its begin", "its end")
    for low, high, why in (
        (0, 1, f"holds the events at {end}, too"),
        (1, 0, f"leaves out the events at {begin}"),
        (1, 1, f"holds the events at {end} in place of those at {begin}"),
        (1, -1, "leaves out the events of its first and last tick"),
        (0, -1, "leaves out the events of its last tick"),
        (-1, 0, f"holds the events one tick before {begin}, too"),
        (-1, -1, "is one tick early"),
        (-1, 1, "is one tick longer at both ends"),
    ):
        off = _OFF[window.closed][0] + low, _OFF[window.closed][1] + high
        closed = next((ends for ends, it in _OFF.items() if it == off), None)
        say = "" if closed is None else f"closed {closed} in --window"
        one = replace(_reach(window, low, high), cause="ends", why=f"each window {why}", say=say)
        yield one
        if closed is not None and not window.leading:  # which windows there are hangs on the first event, too
            yield replace(one, windows=partial(sample.split, replace(window, closed=closed)))
        if low < 0 or high > 0:  # such events make no window of their own
            yield replace(one, why=f"{one.why}, where it has others", results=partial(_keep_due, sample))
    for step in dict.fromkeys((slide, gcd(range_, slide))):
        if slide < range_ and (step == slide or step != range_ - slide):
            said = show_span(step, tick)
            yield replace(_reach(window, step, 0), cause="a pane short", why=f"each window begins {said} late")
            yield replace(_reach(window, 0, -step), cause="a pane short", why=f"each window ends {said} early")
            yield replace(_reach(window, -step, 0), cause="a pane long", why=f"each window begins {said} early")
            yield replace(_reach(window, 0, step), cause="a pane long", why=f"each window ends {said} late")
    if slide < range_:
        over = range_ - slide
        said = show_span(slide, tick)
        for low, high, which in ((0, -over, "first"), (over, 0, "last")):
            yield replace(
                _reach(window, low, high), cause="another range", why=f"each window holds its {which} {said} alone"
            )
        if over != slide:
            why = f"an event less than {show_span(over, tick)} before a window is put into it"
            yield replace(_reach(window, -over, 0), cause="one window too many", why=why)
    for low, high in ((0, range_), (-range_, 0), (0, -range_ // 2), (range_ // 2, 0)):
        why = f"each window is {'twice' if abs(low) + abs(high) == range_ else 'half'} as long"
        yield replace(_reach(window, low, high), cause="another range", why=why)
    for before, after, why in (
        (False, True, "holds all events from its begin on, and is never closed"),
        (True, False, "holds all events before its end, and forgets none"),
    ):
        never = partial(_list_endless, window, before, after)
        yield Hypothesis("windows without end", f"each window {why}", windows=never, bits=1.0)
    yield from _move_windows(sample, window)
    yield from _resize(sample, window)
    steps = {slide: "a slide", range_: "a window"} | {k: show_span(k, tick) for k in range(2, 10) if tick is None}
    second = 1_000_000 * (1 if tick == "us" else 1000)
    spans = [n * second for n in _SECONDS if n * second < range_] if tick is not None else []
    for step, said in ({span: show_span(span, tick) for span in spans} | steps).items():
        for sign, where in ((1, "later"), (-1, "earlier")):
            yield replace(
                move_times(sign * step, "times moved", f"counts events {said} {where} than they were"),
                bits=6.0 if step == range_ else 0.0,  # that names are moved is likelier
            )
    if tick is not None:
        for quarters in sorted({*range(-56, 57, 4), *(22, -14, 38, -38, 23, 51, 14, 18, 26, 42)} - {0}, key=abs):
            by = quarters * QUARTER * (1 if tick == "us" else 1000)
            at_epoch = window.offset and (window.offset + by) % slide == 0
            if (by % slide or by % range_) and not at_epoch:
                said = show_span(abs(by), tick)
                why = f"counts events {said} {'later' if by > 0 else 'earlier'} than they were"
                yield move_times(by, "time zone", f"{why}, as in another time zone")
                moved = replace(window, offset=(window.offset + by) % slide)
                why = f"its windows begin {show_span(by % slide, tick)} later, as in another time zone"
                yield Hypothesis("time zone", why, windows=partial(sample.split, moved))
    if any(events and events[0].time < 0 for events in sample.events.values()):
        for least, why in ((0, "rounds starts towards zero"), (-range_, "takes a remainder that is negative below it")):
            yield Hypothesis(
                "remainder below zero",
                f"{why}, so that windows of times below zero begin a slide late",
                windows=partial(_by_remainder, window, least),
            )


def _list_endless(window: Sliding, before: bool, after: bool, events: list[Event]) -> Iterator[Window]:
    """The windows from the first event to the last, with all events before their end, or after their begin."""
    times, held = [e.time for e in events], list(split(window, events))
    half = window.half_open
    if held and (held[-1].a - held[0].a) // window.slide < _PAUSE * len(events):  # else those with events of their own
        begins: Sequence[int] = range(held[0].a, held[-1].a + 1, window.slide)
    else:
        begins = [w.a for w in held]
    for a in begins:
        begin = a + half.offset - window.offset
        i, j = bisect_left(times, begin), bisect_left(times, begin + half.range)
        kept = events[0 if before else i : len(events) if after else j]
        if kept:
            yield Window(a, a + window.range, kept)


def _by_remainder(window: Sliding, least: int, events: list[Event]) -> Iterator[Window]:
    held: dict[int, list[Event]] = {}
    for event in events:
        into = (event.time - window.offset) % window.slide
        last = event.time - into + (window.slide if into and event.time < least else 0)
        least_start = last - 1 if window.slide == window.range else event.time - window.range
        for a in range(last, least_start, -window.slide):
            held.setdefault(a, []).append(event)
    for a in sorted(held):
        yield Window(a, a + window.range, held[a])


def move_times(by: int, cause: str, why: str) -> Hypothesis:
    """Events earlier or later than they were."""
    return Hypothesis(
        cause,
        why,
        events=lambda all_: {key: [e._replace(time=e.time + by) for e in events] for key, events in all_.items()},
    )


def _move_windows(sample: Sample, window: Sliding) -> Iterator[Hypothesis]:
    """Windows that begin where results do that are of no window."""
    begins = [
        a if a is not None else (b or 0) - window.range
        for _, a, b in sample.open
        if (a is not None or b is not None) and not window.has(a, b)
    ]
    for offset, _ in Counter(a % window.slide for a in begins).most_common(2):
        by = (offset - window.offset) % window.slide
        zone = sample.tick is not None and by % (QUARTER * (1 if sample.tick == "us" else 1000)) == 0
        moved = replace(window, offset=offset)
        at_epoch = offset == 0 and window.offset != 0
        said = (
            f"{show_span(by, sample.tick)} after"
            if 2 * by <= window.slide
            else f"{show_span(window.slide - by, sample.tick)} before"
        )
        why = f"its windows begin {said} those that are asked for"
        why += ", at the epoch" if at_epoch else ", as in another time zone" if zone else ""
        cause = "time zone" if zone and not at_epoch else "windows moved"
        shown = show_span(offset % window.slide, sample.tick)
        say = "no offset in --window" if at_epoch else f"offset {shown} in --window"
        yield Hypothesis(cause, why, windows=partial(sample.split, moved), needs=2, say=say)


def _resize(sample: Sample, window: Sliding) -> Iterator[Hypothesis]:
    """Windows as long, and as far from each other, as those that results name."""
    named = [name for name in sample.results if name[1] is not None and name[2] is not None]
    begins = sorted({a for _, a, _ in named if a is not None})
    steps = Counter(b - a for a, b in pairwise(begins))
    for length, n in Counter((b or 0) - (a or 0) for _, a, b in named).most_common(2):
        for slide in dict.fromkeys((window.slide, length, *(step for step, _ in steps.most_common(2)))):
            if length > 0 and slide <= length and n > 1 and (length, slide) != (window.range, window.slide):
                other = replace(window, range=length, slide=slide, offset=begins[0] % slide)
                why = f"its windows are {show_span(length, sample.tick)} long, one each {show_span(slide, sample.tick)}"
                length_, slide_ = show_span(length, sample.tick), show_span(slide, sample.tick)
                say = f"tumbling {length_}" if length == slide else f"sliding {length_} every {slide_}"
                say = f"--window '{say}'" if other.offset == window.offset % slide else ""
                yield Hypothesis("another range", why, windows=partial(sample.split, other), needs=3, say=say)
            elif 0 < length < slide and n > 1 and begins:  # between which events are in none
                why = f"its windows are {show_span(length, sample.tick)} long, one each {show_span(slide, sample.tick)}"
                apart = partial(_split_apart, sample, length, slide, begins[0])
                yield Hypothesis("another range", why, windows=apart, needs=3)


def _split_apart(sample: Sample, length: int, slide: int, first: int, events: list[Event]) -> Iterator[Window]:
    """Windows with gaps between them, in which events are of none."""
    held: dict[int, list[Event]] = {}
    for e in sample.in_time(events, sample.takes):
        into = (e.time - first) % slide
        if into < length:
            held.setdefault(e.time - into, []).append(e)
    for a in sorted(held):
        yield Window(a, a + length, held[a])


def _read_gaps(sample: Sample) -> list[int]:
    """How long after an event sessions are said to end."""
    seen: Counter[int] = Counter()
    for key, _, b in sample.results:
        if b is not None:
            times = [e.time for e in sample.events.get(key, ())]
            at = bisect_left(times, b)
            seen.update([b - times[at - 1]] if at else [])
    return [gap for gap, _ in seen.most_common(2)]


def _list_sessions(sample: Sample, window: Session) -> Iterator[Hypothesis]:
    gap = window.gap
    cause, why = ("gap exclusive", "parts") if window.touching else ("gap inclusive", "joins")
    other = replace(window, touching=not window.touching)
    said = f"{why} events that are just the gap apart"
    say = f"--window 'session {show_span(gap, sample.tick)}{'' if window.touching else ' touching'}'"
    yield Hypothesis(cause, said, windows=partial(sample.split, other), say=say)
    if sample.delay is not None:  # whatever else becomes of late events
        at_end = replace(sample, sessions="at end")
        yield Hypothesis(cause, said, windows=partial(at_end.split, other))
        yield Hypothesis(cause, said, windows=lambda events: split(other, sample.in_time(events, sample.takes)))
    gaps = (2 * gap, gap // 2, 3 * gap, gap // 3, gap + 1, gap - 1, 10 * gap, gap // 10, 60 * gap, gap // 60)
    same = gap - 1 if window.touching else gap + 1  # times are whole
    for another in dict.fromkeys((*gaps, *_read_gaps(sample), 1000 * gap, gap // 1000, 3 * gap // 2, 2 * gap // 3)):
        if another < 1:
            continue
        spec = replace(window, gap=another)
        for tail, said in ((gap, ""), (another, ", and ends sessions as long after their last event")):
            if another == gap or (another == same and tail == gap):
                continue
            yield Hypothesis(
                "another gap",
                f"parts sessions at {show_span(another, sample.tick)}{said}",
                windows=partial(_end_sessions, sample, spec, tail),
                say=f"session {show_span(another, sample.tick)} in --window" if tail == another else "",
            )
    ordered = sorted((e for events in sample.events.values() for e in events), key=lambda e: e[:2])
    together = [(w.events[0].time, w.events[-1].time) for w in sample.split(window, ordered)]

    def timely(events: list[Event]) -> list[Event]:
        return sample.in_time(events, sample.takes)

    def of_all_keys(events: list[Event], own: bool = False) -> Iterator[Window]:
        for first, last in together:
            held = [e for e in timely(events) if first <= e.time <= last]
            if held:
                first, last = (held[0].time, held[-1].time) if own else (first, last)
                yield Window(first, last + gap, held)

    if sample.whole:
        yield Hypothesis("over all keys", "merges the sessions of all keys", windows=of_all_keys)
        why = "parts sessions where no key has an event for the gap, and not only its own"
        yield Hypothesis("over all keys", why, windows=partial(of_all_keys, own=True))
        n = len(sample.arrivals)
        for size in _BATCHES:
            if size < n:
                yield Hypothesis(
                    "cut at a batch",
                    f"begins a new session with each batch of {size:,} events",
                    windows=partial(_cut_at_batches, sample, size),
                    needs=2,
                )


def _end_sessions(sample: Sample, spec: Session, tail: int, events: list[Event]) -> Iterator[Window]:
    for w in sample.split(spec, events):
        yield Window(w.a, w.b - spec.gap + tail, w.events)


def _cut_at_batches(sample: Sample, size: int, events: list[Event]) -> Iterator[Window]:
    for part in regroup(events, partial(_find_batch, sample, size)):
        yield from sample.split(sample.window, sorted(part, key=lambda e: e[:2]))


def _find_share(k: int, e: Event) -> int:
    return e.arrival % k


def _find_pane(span: int, e: Event) -> int:
    return e.time // span


def _find_batch(sample: Sample, size: int, e: Event) -> int:
    return sample.arrivals[e.arrival] // size


def _find_cell(i: int, places: dict[Any, int], e: Event) -> int:
    return places[e.others[i]]


def is_batch(sample: Sample, i: int) -> bool:
    """Whether a column numbers micro-batches: it goes up as events come, and several have the same."""
    came = sorted((e for events in sample.events.values() for e in events), key=lambda e: e.arrival)
    numbers = [e.others[i] for e in came]
    if not all(isinstance(number, int) for number in numbers) or 2 * len(set(numbers)) > len(numbers):
        return False
    return len(set(numbers)) > 1 and numbers == sorted(numbers)


def list_parts(sample: Sample) -> Iterator[tuple[str, Callable[[Event], int]]]:
    """How partial aggregates may be divided: words, and what tells the events of one from those of another."""
    for k in range(2, 9):
        yield f"{k} shares, by arrival number", partial(_find_share, k)
    if isinstance(sample.window, Sliding):
        range_, slide = sample.window.range, sample.window.slide
        for span in dict.fromkeys((slide, gcd(range_, slide), *(range_ // k for k in (2, 3, 4, 5, 6, 10, 12, 24, 60)))):
            if 0 < span < range_ and range_ % span == 0:
                yield f"each {show_span(span, sample.tick)}", partial(_find_pane, span)
    for i, name in enumerate(sample.columns):
        cells = sample.list_cells(i)
        if 1 < len(cells) <= _CELLS or is_batch(sample, i):
            numbers = all(isinstance(cell, int) for cell in cells)
            places = {cell: n for n, cell in enumerate(sorted(cells) if numbers else sorted(cells, key=str))}
            yield f"each {name}", partial(_find_cell, i, places)
    if sample.whole:
        for size in _BATCHES:
            if size < len(sample.arrivals):
                yield f"each batch of {size:,} events", partial(_find_batch, sample, size)


def _list_counts(sample: Sample, window: Counted) -> Iterator[Hypothesis]:
    other = replace(window, by_arrival=not window.by_arrival)
    order = "the time" if window.by_arrival else "the arrival"
    cause = "time order" if window.by_arrival else "arrival order"
    yield Hypothesis(cause, f"counts events in the order of {order}", windows=partial(sample.split, other))
    for skip in range(1, min(window.every, 20)):

        def skipped(events: list[Event], skip: int = skip) -> Iterator[Window]:
            yield from split(window, events[skip:])

        yield Hypothesis("counted from elsewhere", f"begins to count after {skip:,} of each key", windows=skipped)
    for step in (-1, 1):
        if window.n + step > 0:
            spec = replace(window, n=window.n + step)

            def longer(events: list[Event], spec: Counted = spec, step: int = step) -> Iterator[Window]:
                for w in split(spec, events):
                    yield Window(max(0, w.b - window.n) + 1, w.b, w.events)

            yield Hypothesis("ends", f"counts {spec.n:,} events in place of {window.n:,}", windows=longer)

        spec = replace(window, n=window.n + step, every=window.every + step)
        if window.n == window.every > 1:
            why = f"counts to {spec.n:,} in place of {window.n:,}"
            yield Hypothesis("ends", why, windows=partial(sample.split, spec))
    if sample.whole and window.n == window.every:
        together = partial(_count_together, sample, window.n)
        yield Hypothesis("over all keys", "counts the events of all keys together", windows=together)
        numbered = partial(_number_shares, sample, window.n)
        why = f"counts {window.n:,} events of all keys together, and numbers for each key its part of them"
        yield Hypothesis("over all keys", why, windows=numbered)

    def rest(events: list[Event]) -> Iterator[Window]:
        yield from split(window, events)
        over = len(events) % window.every
        if over:
            end = len(events) - over + window.every
            first = max(0, end - window.n)
            if first < len(events):
                yield Window(first + 1, end, events[first:])

    yield Hypothesis("last windows too many", "shows the last window of each key before it is full", windows=rest)


def _count_together(sample: Sample, n: int, events: list[Event]) -> Iterator[Window]:
    """The events of a key in each n that came of all keys, named by their own numbers."""
    first = 1
    for part in regroup(events, partial(_find_batch, sample, n)):
        yield Window(first, first + len(part) - 1, sorted(part, key=lambda e: e.arrival))
        first += len(part)


def _number_shares(sample: Sample, n: int, events: list[Event]) -> Iterator[Window]:
    """The events of a key in each n that came of all keys, named as if they were n."""
    full = len(sample.arrivals) // n
    for k, part in enumerate(regroup(events, partial(_find_batch, sample, n))):
        if _find_batch(sample, n, part[0]) < full:
            yield Window(n * k + 1, n * k + n, sorted(part, key=lambda e: e.arrival))


def _list_frames(sample: Sample, window: Frame) -> Iterator[Hypothesis]:
    def with_frame(cause: str, why: str, frame: Frame, bits: float = 0.0) -> Hypothesis:
        return Hypothesis(
            cause, why, windows=lambda e: split(frame, e), bits=bits, say=_say_frame(window, frame, sample.tick)
        )

    unit, start, end = window.unit, window.start, window.end
    which = "row" if unit == "rows" else "tick"
    for low, high, said in (
        (1, 0, f"begins a {which} late"), (-1, 0, f"begins a {which} early"),
        (0, -1, f"ends a {which} early"), (0, 1, f"ends a {which} late"),
        (-1, -1, f"is a {which} early"), (1, 1, f"is a {which} late"),
    ):  # fmt: skip
        if (low and start is None) or end is None:
            continue
        to_row = window.to_row and not high
        moved = replace(window, start=None if start is None else start + low, end=end + high, to_row=to_row)
        if not moved.backwards:
            yield with_frame("frame off by one", f"each frame {said}", moved)
    other = "range" if unit == "rows" else "rows"
    yield with_frame(f"{other.upper()} for {unit.upper()}", f"takes {other.upper()} frames", Frame(other, start, end))
    yield from (with_frame(cause, why, frame, bits=2.0) for cause, why, frame in _list_spans(sample, window))
    if start is not None:
        yield with_frame("frame unbounded", "takes all rows before", Frame(unit, None, end))
        if end is not None:
            yield with_frame("newest first", "orders rows from the newest on", Frame(unit, -end, -start))
            yield from _list_centred(sample, window, start, end)
    if end is not None and unit == "rows":

        def by_arrival(events: list[Event]) -> Iterator[Window]:
            yield from split(window, sorted(events, key=lambda e: e.arrival))

        yield Hypothesis("arrival order", "orders rows by their arrival", windows=by_arrival)
        ties: tuple[tuple[str, Callable[[Event], Any]], ...] = (
            ("the latest first", lambda e: (e.time, -e.arrival)),
            ("by value", lambda e: (e.time, e.value is not None, e.value)),
        )
        for said, of in ties:
            ordered = partial(_order_rows, window, of)
            yield Hypothesis("tie broken otherwise", f"orders rows of equal time {said}", windows=ordered)
        n = sum(map(len, sample.events.values()))
        for i, name in enumerate(sample.columns):
            cells = sample.list_cells(i)
            if len(cells) == n and None not in cells:  # such as an id
                for turned in (False, True):
                    ordered = partial(_order_ties, window, i, turned)
                    why = f"orders rows of equal time by {name}" + (", the greatest first" if turned else "")
                    yield Hypothesis("tie broken otherwise", why, windows=ordered, bits=1.0)
    if unit == "range":

        def own_peers(events: list[Event]) -> Iterator[Window]:
            for i, w in enumerate(split(window, events)):
                yield w._replace(events=[e for e in w.events if e.time < w.a or e[:2] <= events[i][:2]])

        yield Hypothesis("ROWS for RANGE", "leaves out the rows of equal time that follow", windows=own_peers)
        if window.to_row:
            peers = replace(window, to_row=False)
            yield with_frame("RANGE for ROWS", "counts the rows of equal time that follow", peers)
    if sample.whole:
        pairs = sorted(((k, e) for k, events in sample.events.items() for e in events), key=lambda p: (p[0], p[1][:2]))
        yield _over_keys(sample, window, pairs, "goes on over all keys, in the order of key")
        pairs = sorted(pairs, key=lambda p: p[1][:2])
        yield _over_keys(sample, window, pairs, "goes on over all keys, in the order of time")
    yield from _list_full(window)


def _say_frame(window: Frame, frame: Frame, tick: Tick) -> str:
    """The window that is such a frame; of one that has to be full it is not said."""
    if window.full or frame.start is None or frame.end is None:
        return ""
    ends = (
        str(int(end)) if frame.unit == "rows" or not end else f"{'-' * (end < 0)}{show_span(abs(int(end)), tick)}"
        for end in (frame.start, frame.end)
    )
    return f"--window '{frame.unit} {' '.join(ends)}{' to row' if frame.to_row else ''}'"


def _order_rows(window: Frame, of: Callable[[Event], Any], events: list[Event]) -> Iterator[Window]:
    yield from split(window, sorted(events, key=of))


def _order_ties(window: Frame, i: int, turned: bool, events: list[Event]) -> Iterator[Window]:
    by_cell = sorted(events, key=lambda e: e.others[i], reverse=turned)
    yield from split(window, sorted(by_cell, key=lambda e: e.time))


def _list_spans(sample: Sample, window: Frame) -> Iterator[tuple[str, str, Frame]]:
    """Frames of n rows for those of n seconds, minutes or hours; and the other way."""
    if window.start is None or window.end != 0 or sample.tick is None:
        return
    second = 1_000_000 * (1 if sample.tick == "us" else 1000)
    for size, said in ((second, "s"), (60 * second, "m"), (3600 * second, "h")):
        if window.unit == "range":
            n = -(int(window.start) // size)
            for rows in (n, n + 1) if 1 < n <= _LONGEST else ():
                why = f"takes frames of {rows:,} rows for those of {n:,}{said}"
                yield "ROWS for RANGE", why, Frame("rows", 1 - rows, 0)
        else:
            n = 1 - int(window.start)
            for span in (n, n - 1):
                for tick, more in ((0, ""), (1, ", open where they begin")):
                    frame = Frame("range", tick - span * size, 0)
                    yield "RANGE for ROWS", f"takes frames of {span:,}{said} for those of {n:,} rows{more}", frame


def _list_centred(sample: Sample, window: Frame, start: End, end: End) -> Iterator[Hypothesis]:
    """Frames as long as they should be, half of which is after their row."""
    assert start is not None
    assert end is not None
    size = int(end - start)
    cause, why = "frame centred", "looks ahead as far as back"
    if window.unit == "rows":
        for back in dict.fromkeys((size // 2, size - size // 2)):
            frame = Frame("rows", -back, size - back)
            yield Hypothesis(cause, f"{why}, {back:,} rows", windows=partial(split, frame))
        return
    half = (size + 1) // 2  # where its begin is open, a tick is left out
    for low, high in product((-half, 1 - half), (half, half - 1)):
        frame = Frame("range", low, high)
        said = f"{why}, {show_span(half, sample.tick)}"
        yield Hypothesis(cause, said, windows=partial(split, frame))


def _list_full(window: Frame) -> Iterator[Hypothesis]:
    """What is answered of frames that have few rows: null until there are so many, or not null though there are not."""
    places = None
    if window.unit == "rows" and window.start is not None and window.end is not None:
        places = int(window.end - window.start) + 1
    if window.full:
        whole = partial(_answer_from, 0)
        why, say = "answers before a frame is full", "no full in --window"
        yield Hypothesis("answered before full", why, results=whole, say=say)
    for n in dict.fromkeys((*(() if places is None or window.full else (places,)), *_FEW_ROWS)):
        if places is not None and n > places:
            continue
        least = partial(_answer_from, n)
        if window.full:
            why = f"answers when a frame has {n:,} rows, and is not full"
            yield Hypothesis("answered before full", why, results=least, bits=3.0)
            continue
        bits, say = (0.0, "full in --window") if n == places else (3.0, "")
        why = f"answers null before a frame has {n:,} rows"
        yield Hypothesis("null until full", why, results=least, bits=bits, say=say)
        yield Hypothesis(
            "first windows left out",
            f"leaves out rows before a frame has {n:,}",
            results=partial(_keep_from, n),
            bits=bits,
        )


def _answer_from(n: int, found: Foretold) -> Foretold:
    return {
        name: [Part(part.events, NULL if len(part.events) < n else None) for part in parts]
        for name, parts in found.items()
    }


def _keep_from(n: int, found: Foretold) -> Foretold:
    return {name: parts for name, parts in found.items() if all(len(part.events) >= n for part in parts)}


def _over_keys(sample: Sample, window: Frame, pairs: Sequence[tuple[str, Event]], why: str) -> Hypothesis:
    """A frame that is not begun anew where the key changes; in time, only frames of rows and unbounded ones go on."""
    if window.unit == "rows" or window.start is None:
        bounds = Frame("rows", window.start, window.end if window.unit == "rows" else 0).bounds(range(len(pairs)))
    else:
        bounds = (
            window.bounds([e.time for _, e in pairs]) if pairs == sorted(pairs, key=lambda p: p[1][:2]) else iter(())
        )

    def results(_: Foretold) -> Foretold:
        found: Foretold = {}
        events = [e for _, e in pairs]
        for (key, e), (i, j) in zip(pairs, spans, strict=False):
            found.setdefault(sample.name(key, e.time, e.arrival), []).append(Part(events[i:j]))
        return found

    spans = list(bounds)
    return Hypothesis("over all keys", why, results=results)
