"""How a job may have divided the events of a window: into partial aggregates of shares, panes, cells or batches."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import groupby
from math import gcd
from typing import Any, Final

from swagproof.models.windows.kinds import Calendar, Sliding
from swagproof.pipeline.audit.causes.sample import Event, Sample
from swagproof.pipeline.audit.causes.spans import get_second, show_span
from swagproof.pipeline.audit.causes.tried.cuts import sort_arrived

BATCHES: Final = (
    8, 10, 16, 20, 24, 25, 32, 40, 48, 50, 64, 100, 128, 200, 250, 256, 300, 400, 500, 512, 600, 800, 1000, 1024, 1500,
    2000, 2048, 2500, 4000, 4096, 5000, 10_000,
)  # fmt: skip
"""How many events a batch may have, where one tries."""
_CELLS: Final = 8
"""How many different cells a column has at most that events are grouped by."""


_MINUTES: Final = (1, 5, 10, 15, 20, 30, 60, 120, 180, 240, 360, 720, 1440)
"""How long parts are that people make."""
PARTS: Final = 60
"""How many parts a window has at most."""
_UTC: Final = ("UTC", "Etc/UTC")

_SALTS: Final = (*range(2, 9), 10, 12, 16, 20, 32)
"""By what an id is divided."""

RUN: Final = "each unbroken run of events that came"
"""A division that is rare: that events came in disorder is a plainer cause of what it foretells."""


def _find_share(k: int, e: Event) -> int:
    return e.arrival % k


def _list_lengths(sample: Sample) -> list[int]:
    """How long parts are that a sliding window is made of."""
    if not isinstance(sample.window, Sliding):
        return []
    range_, slide = sample.window.range, sample.window.slide
    spans = dict.fromkeys((slide, gcd(range_, slide), *(range_ // k for k in (2, 3, 4, 5, 6, 10, 12, 24, 60))))
    return [span for span in spans if 0 < span < range_ and range_ % span == 0]


def _find_pane(span: int, shift: int, e: Event) -> int:
    return (e.time - shift) // span


@lru_cache(maxsize=1 << 16)
def _count_units(calendar: Calendar, time: int) -> int:
    return calendar.number(time)


def _find_unit(calendar: Calendar, e: Event) -> int:
    return _count_units(calendar, e.time)


def find_batch(sample: Sample, size: int, e: Event) -> int:
    """Which batch of so many events, of all that came, an event is of."""
    return (sample.arrivals if sample.places is None else sample.places)[e.arrival] // size


def _find_cell(i: int, places: dict[Any, int], e: Event) -> int:
    return places[e.others[i]]


def is_batch(sample: Sample, i: int) -> bool:
    """Whether a column numbers micro-batches: it goes up as events come, and several have the same."""
    numbers = [e.others[i] for e in sample.came]
    if not all(isinstance(number, int) for number in numbers) or 2 * len(set(numbers)) > len(numbers):
        return False
    return len(set(numbers)) > 1 and numbers == sorted(numbers)


def _look_up(numbers: Mapping[int, int], e: Event) -> int:
    return numbers.get(e.arrival, -1)


def _list_runs(sample: Sample) -> Iterator[tuple[str, dict[int, int]]]:
    """Which unbroken run of its window each event is of, of those of its key as they came, or of all; where windows do
    not overlap, and some are broken."""
    window = sample.window
    if not (isinstance(window, Calendar | Sliding) and window.slide >= window.range):
        return
    places = {e.arrival: name for name, parts in sample.due.items() for part in parts for e in part.events}
    groups = [(" of its key", list(sample.events.values()))]
    if sample.whole and len(sample.events) > 1:
        groups.append(("", [[e for events in sample.events.values() for e in events]]))
    for whose, those in groups:
        runs: dict[int, int] = {}
        n = 0
        for events in those:
            for _, run in groupby(sort_arrived(events), key=lambda e: places.get(e.arrival)):
                runs |= dict.fromkeys((e.arrival for e in run), n)
                n += 1
        if n > len(sample.due):
            yield f"{RUN}{whose}", runs


def list_parts(sample: Sample) -> Iterator[tuple[str, Callable[[Event], int]]]:
    """How partial aggregates may be divided: words, and what tells the events of one from those of another."""
    for k in range(2, 9 if sample.numbered else 2):
        yield f"{k} shares, by arrival number", partial(_find_share, k)
    for span in _list_lengths(sample):
        yield f"each {show_span(span, sample.tick)}", partial(_find_pane, span, 0)
    yield from list_cells(sample)
    for said, runs in _list_runs(sample):
        yield said, partial(_look_up, runs)
    if sample.counts_all:
        for size in BATCHES:
            if size < len(sample.arrivals):
                yield f"each batch of {size:,} events", partial(find_batch, sample, size)


def list_stages(sample: Sample) -> Iterator[tuple[str, Callable[[Event], int]]]:
    """The same, and parts of windows that follow one another, as of a job over the results of another one."""
    yield from list_parts(sample)
    window, panes = sample.window, _list_lengths(sample)
    offset = window.offset if isinstance(window, Sliding) else 0
    if sample.tick is None or not isinstance(window, Sliding | Calendar):
        return
    for minutes in _MINUTES:
        span = minutes * 60 * get_second(sample.tick)
        if isinstance(window, Calendar) or (window.range % span == 0 and 1 < window.range // span <= PARTS):
            for shift in dict.fromkeys((0, offset % span)):
                if shift or span not in panes:
                    more = f", {show_span(shift, sample.tick)} late" if shift else ""
                    yield f"each {show_span(span, sample.tick)}{more}", partial(_find_pane, span, shift)
    if isinstance(window, Calendar) and window.zone not in _UTC:
        for unit in ("day", "month") if window.unit == "month" else ("day",):
            if window.unit != unit or window.range > 1:
                units = Calendar(unit, 1, 1, 0, window.zone, window.second, window.closed)
                yield f"each {unit} in {window.zone}", partial(_find_unit, units)


def list_panes(sample: Sample) -> Iterator[tuple[str, Callable[[Event], int], int]]:
    """Parts of equal length of which sliding windows hold so many each, all of them whole."""
    window = sample.window
    if not isinstance(window, Sliding):
        return
    minute = 0 if sample.tick is None else 60 * get_second(sample.tick)
    first = window.offset + (window.closed == "right")
    for span in dict.fromkeys((*_list_lengths(sample), *(minutes * minute for minutes in _MINUTES))):
        if span and window.slide % span == window.range % span == 0 and 1 < window.range // span <= PARTS:
            parts = partial(_find_pane, span, first % span)
            yield f"each {show_span(span, sample.tick)}", parts, window.range // span


def list_salts(sample: Sample) -> Iterator[tuple[str, Callable[[Event], int]]]:
    """Shares by what a column of many whole numbers leaves, as where a key is salted with an id."""
    for i, name in enumerate(sample.columns):
        cells = sample.list_cells(i)
        if len(cells) > _CELLS and all(type(cell) is int for cell in cells) and not is_batch(sample, i):
            for k in _SALTS:
                yield f"{k} shares, by {name}", partial(_find_rest, i, k)


def _find_rest(i: int, k: int, e: Event) -> int:
    cell: int = e.others[i]
    return cell % k


def _has_few(sample: Sample, i: int) -> bool:
    """Whether events that are grouped by a column are few groups of each key, and are not each a group of its own."""
    many = [(len({e.others[i] for e in events}), len(events)) for events in sample.events.values()]
    return all(n <= _CELLS for n, _ in many) and (
        len(sample.list_cells(i)) <= _CELLS or all(2 * n <= m for n, m in many)
    )


def list_cells(sample: Sample) -> Iterator[tuple[str, Callable[[Event], int]]]:
    """The same of columns: with few cells, or few of each key, or with the numbers of micro-batches."""
    for i, name in enumerate(sample.columns):
        cells = sample.list_cells(i)
        if len(cells) > 1 and (_has_few(sample, i) or is_batch(sample, i)):
            numbers = all(isinstance(cell, int) for cell in cells)
            places = {cell: n for n, cell in enumerate(sorted(cells) if numbers else sorted(cells, key=str))}
            yield f"each {name}", partial(_find_cell, i, places)
