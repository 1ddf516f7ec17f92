"""Windows of another size, or of another kind, that a job may have been given: those that its results name.

Where each window begins and ends says which windows they are: how long, how far apart, and from where on; in ticks, or
in the days and months of a zone; or sessions of which gap.  Where results name one end alone, how far apart they are
says how long they are if they are not sliding, and if they are, what is asked for may.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise, product
from math import gcd
from typing import Final, NamedTuple, TypeVar

from swagproof.models.windows.kinds import Calendar, CalendarUnit, Counted, Frame, Session, Sliding, WindowSpec
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Sample, Window
from swagproof.pipeline.audit.causes.spans import get_second, show_span, show_window
from swagproof.pipeline.audit.causes.tried.extents.calendars import ZONES
from swagproof.pipeline.audit.causes.tried.extents.gaps import read_gaps

_OVERLAP: Final = 400
"""In how many windows an event is at most."""
_TIMES: Final = 12
"""How many times as long as they are apart windows are at most, where nothing says it."""
_ALL: Final = 0.95
"""Of how many results the windows have to be the names, at least."""

_Ends = tuple[int | None, int | None]
_Spec = TypeVar("_Spec", Sliding, Calendar)


class _Size(NamedTuple):
    """How long windows are, how far apart, and one place where they begin."""

    length: int
    slide: int
    begin: int


def list_named(sample: Sample) -> Iterator[Hypothesis]:
    """The windows that results name, where these are not what is asked for."""
    asked = sample.window
    if isinstance(asked, Frame):
        return
    named = [(a, b) for _, a, b in sample.results if a is not None or b is not None]
    found = _list_counts(asked, named) if isinstance(asked, Counted) else _list_times(sample, asked, named)
    specs: Iterable[Sliding | Calendar | Session | Counted] = found
    for spec in dict.fromkeys(specs):
        if not _is_as_long(spec, asked):  # windows as long that begin elsewhere have a name of their own
            shown = show_window(spec, sample.tick)
            why, say = f"its windows are those of '{shown}'", f"--window '{shown}'"
            yield Hypothesis("another range", why, windows=partial(sample.split, spec), needs=3, say=say)
    if isinstance(asked, Sliding):
        for length, slide, begin in _measure(named, asked.range, asked.slide):
            if 0 < length < slide:  # between which events are in none
                why = f"its windows are {show_span(length, sample.tick)} long, one each {show_span(slide, sample.tick)}"
                apart = partial(_split_apart, sample, length, slide, begin)
                yield Hypothesis("another range", why, windows=apart, needs=3)


def _is_as_long(one: WindowSpec, asked: WindowSpec) -> bool:
    match one, asked:
        case Sliding(), Sliding():
            return (one.range, one.slide) == (asked.range, asked.slide)
        case Calendar(), Calendar():
            return (one.unit, one.range, one.slide) == (asked.unit, asked.range, asked.slide)
        case Sliding(), Calendar(unit="day", second=second):
            day = 86_400 * second
            return (one.range, one.slide) == (asked.range * day, asked.slide * day)
        case _:
            return one == asked


def _list_times(
    sample: Sample, asked: Sliding | Calendar | Session, named: Sequence[_Ends]
) -> Iterator[Sliding | Calendar | Session]:
    fixed = _fit(asked if isinstance(asked, Sliding) else Sliding(1, 1), named, named)
    second = get_second(sample.tick)
    units = _list_units(asked, second, named) if sample.tick is not None else ()
    yield from chain(units, fixed) if isinstance(asked, Calendar) else chain(fixed, units)  # the likelier first
    if not isinstance(asked, Session):
        yield from map(Session, read_gaps(sample))


def _list_counts(asked: Counted, named: Sequence[_Ends]) -> Iterator[Counted]:
    """Of so many events, which are numbered from one."""
    before = [(None if a is None else a - 1, b) for a, b in named]
    for length, every, _ in _measure(before, asked.n, asked.every):
        if 0 < every and 0 < length <= _OVERLAP * every:
            yield replace(asked, n=length, every=every)


def _list_units(asked: Sliding | Calendar | Session, second: int, named: Sequence[_Ends]) -> Iterator[Calendar]:
    """Months of some zone, or days, whose starts results name."""
    own = asked.zone if isinstance(asked, Calendar) else "UTC"
    units: tuple[CalendarUnit, ...] = ("month", "day")
    for unit in units:
        for zone in dict.fromkeys((own, *ZONES)):
            like = Calendar(unit, 1, 1, 0, zone, second)
            if isinstance(asked, Calendar):
                like = replace(like, closed=asked.closed, leading=asked.leading)
            if _has_most(like, chain.from_iterable(named)):
                shift = like.closed == "right"
                number = partial(_read_number, like, shift)
                yield from _fit(like, [(number(a), number(b)) for a, b in named], named)
                return


def _has_most(unit: Calendar, places: Iterator[int | None]) -> bool:
    try:
        fits = [unit.has(place, None) for place in places if place is not None]
    except (OverflowError, ValueError):  # of no year that there is
        return False
    return len(fits) > 1 and sum(fits) >= _ALL * len(fits)


def _read_number(unit: Calendar, shift: int, place: int | None) -> int | None:
    return None if place is None else unit.number(place + shift)


def _fit(like: _Spec, places: Sequence[_Ends], named: Sequence[_Ends]) -> Iterator[_Spec]:
    """Windows like these, of the sizes that places say, if nearly all that are named are of them."""
    for length, slide, begin in _measure(places, like.range, like.slide):
        if 0 < slide <= length <= _OVERLAP * slide:
            spec = replace(like, range=length, slide=slide, offset=begin % slide)
            if sum(spec.has(a, b) for a, b in named) >= _ALL * len(named):
                yield spec


def _measure(named: Sequence[_Ends], asked: int, slide: int) -> Iterator[_Size]:
    """What the places of windows say of their size, the likelier first."""
    by_end = all(a is None for a, _ in named)
    places = sorted({(b if by_end else a) or 0 for a, b in named if by_end or a is not None})
    apart = Counter(b - a for a, b in pairwise(places))
    steps = dict.fromkeys((*(step for step, _ in apart.most_common(2)), gcd(*apart)))
    both = Counter(b - a for a, b in named if a is not None and b is not None)
    lengths = [length for length, n in both.most_common(2) if n > 1]
    sizes = product(lengths, (slide, *lengths, *steps)) if both else _multiply(steps, asked)
    for length, step in dict.fromkeys(sizes):
        if step > 0:
            ((into, _),) = Counter((place - length * by_end) % step for place in places).most_common(1)
            yield _Size(length, step, into)


def _multiply(steps: Iterable[int], asked: int) -> Iterator[tuple[int, int]]:
    """Sizes of windows that are so far apart: as long as that, or as what is asked for, or so many times as long."""
    for step in steps:
        yield from ((length, step) for length in (step, asked, *range(2 * step, (_TIMES + 1) * step, step or 1)))


def _split_apart(sample: Sample, length: int, slide: int, first: int, events: list[Event]) -> Iterator[Window]:
    """Windows with gaps between them, in which events are of none."""
    held: dict[int, list[Event]] = {}
    for e in sample.in_time(events, sample.takes):
        into = (e.time - first) % slide
        if into < length:
            held.setdefault(e.time - into, []).append(e)
    for a in sorted(held):
        yield Window(a, a + length, held[a])
