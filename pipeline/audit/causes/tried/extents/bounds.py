"""What a job may have taken for its frames: where they begin and end, how rows are ordered, when one is full."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any, Final

from swagproof.models.windows.kinds import End, Frame
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import NULL, Event, Foretold, Part, Sample, Window, split
from swagproof.pipeline.audit.causes.spans import show_span
from swagproof.pipeline.audit.causes.tried.extents.across import list_across
from swagproof.pipeline.audit.causes.tried.extents.lengths import list_lengths, say_frame
from swagproof.pipeline.audit.causes.tried.extents.ranges import list_ranges
from swagproof.pipeline.audit.causes.tried.orders import list_writings, rank_text

_FEW_ROWS: Final = (2, 3, 4, 5, 10, 20, 30)
"""How many rows a frame may have to have."""


def list_bounds(sample: Sample) -> Iterator[Hypothesis]:
    """Other frames."""
    window = sample.window
    if not isinstance(window, Frame):
        return

    def with_frame(cause: str, why: str, frame: Frame) -> Hypothesis:
        return Hypothesis(cause, why, windows=lambda e: split(frame, e), say=say_frame(window, frame, sample.tick))

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
    other, most = "range" if unit == "rows" else "rows", max(map(len, sample.events.values()), default=0)
    far = 0 if start is None else -start
    if unit == "range" and far >= most > 0:  # no more rows are there
        why = "takes all rows before, and of those of equal time none that follows"
        yield with_frame("frame unbounded", why, Frame(other, None, end))
    else:
        why = f"takes {other.upper()} frames"
        yield with_frame(f"{other.upper()} for {unit.upper()}", why, Frame(other, start, end))
    yield from list_lengths(sample, window)
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
        for said, write in list_writings(sample.tick):
            by_text = partial(_order_rows, window, partial(rank_text, write))
            yield Hypothesis("time as text", f"orders rows by their times as text{said}", windows=by_text)
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
        yield from list_ranges(sample, window)
    yield from list_across(sample, window)
    yield from _list_full(window)


def _order_rows(window: Frame, of: Callable[[Event], Any], events: list[Event]) -> Iterator[Window]:
    yield from split(window, sorted(events, key=of))


def _order_ties(window: Frame, i: int, turned: bool, events: list[Event]) -> Iterator[Window]:
    by_cell = sorted(events, key=lambda e: e.others[i], reverse=turned)
    yield from split(window, sorted(by_cell, key=lambda e: e.time))


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
