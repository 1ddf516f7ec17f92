"""What else a job may have taken from its events: other columns, for the value or to choose and double events by.

An audit is told which column holds the values.  A job that sums the one beside it, joins a table that has a key twice,
or leaves out what another column marks, is understood only by whoever reads that column.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import partial
from itertools import groupby
from math import log2
from operator import gt, le, lt
from typing import Any, Final

from swagproof.models.windows.kinds import Counted, Frame, Session
from swagproof.models.windows.lateness import NEVER
from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis, without
from swagproof.pipeline.audit.causes.sample import Event, Events, Sample, Window, take_all
from swagproof.pipeline.audit.causes.spans import get_second, list_spans, show_span
from swagproof.pipeline.audit.causes.tried.answers import answer_of
from swagproof.pipeline.audit.causes.tried.divided import is_batch
from swagproof.pipeline.audit.rules import Answer

WORDS: Final = 8
"""How many different words a column has at most that events are chosen by."""
NUMBERS: Final = 40
"""Likewise of numbers."""
_DIVISORS: Final = (2, 3, 4, 5, 10)
_NEAR: Final = 1e-9
CELLS: Final = 5
"""How many different cells a column has at most whose events may be read otherwise."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
HOURS: Final = (1, -1, 2, -2)
_FACTORS: Final = {
    "with the other sign": Fraction(-1),
    "100 times": Fraction(100),
    "by hundredths": Fraction(1, 100),
    "1,000 times": Fraction(1000),
    "by thousandths": Fraction(1, 1000),
}


def list_columns(sample: Sample) -> Iterator[Hypothesis]:
    """Other columns for the value, and events chosen, or doubled, by them."""
    for i, name in enumerate(sample.columns):
        cells = sample.list_cells(i)
        there = {cell for cell in cells if cell is not None}
        words = any(isinstance(cell, str) for cell in there)
        if there and not words:
            yield from _list_values(sample, i, name)
        few = len(there) <= (WORDS if words else NUMBERS)
        if is_batch(sample, i):
            yield from _list_batches(i, name, sorted(there))
            if sample.updates:
                yield from _list_updates(i, name, sorted(there))
        elif 1 < len(there) + (None in cells) and (few or None in cells):
            tests = list(_list_tests(cells if few else frozenset((None,)), words=words))
            yield from _list_choices(i, name, tests, 0.0 if words else log2(max(1, len(tests))))
        if there and sample.kind in ("int", "float", "decimal"):
            differ = sample.has_nulls and len(there) == len(sample.came)  # then nulls are counted, whatever the column
            yield Hypothesis(
                "another column",
                f"answers how many different {name} there are",
                answer=partial(_count_cells, i),
                spare=RARE if differ else 0.0,
            )
        if 1 < len(cells) <= WORDS and isinstance(sample.window, Frame | Counted | Session):
            parted = partial(_part_windows, sample, i)
            yield Hypothesis("parted by another column", f"makes windows of each {name} by itself", windows=parted)
        if len(cells) > 1 and None not in cells and isinstance(sample.window, Counted):
            ordered = partial(_order_by, sample, i)
            yield Hypothesis("time order", f"counts events in the order of {name}", windows=ordered)
        if len(cells) > 1 and not words:
            yield from _list_watermarks(sample, i, name)
            if sample.aggregation.name == "mean":
                yield Hypothesis(
                    "another aggregate",
                    f"answers the mean that {name} weighs",
                    answer=partial(_weigh, i),
                )
        if 1 < len(cells) <= CELLS:
            yield from _list_readings(sample, i, name)
        if words and sample.tick is not None and None not in cells:
            yield from _list_moments(sample, i, name)
        if sample.whole and len(sample.events) > 1 and len(cells) > 1:
            yield from _list_keys(sample, i, name)
        if sample.aggregation.name == "distinct-count":
            yield Hypothesis(
                "another column",
                f"answers how many different pairs of value and {name} there are",
                answer=partial(_count_pairs, i),
            )
        if len(there) > 2 and all(type(cell) is int for cell in there) and not is_batch(sample, i):
            yield from _list_choices(i, name, _list_residues())


def _list_values(sample: Sample, i: int, name: str) -> Iterator[Hypothesis]:
    if len(sample.kinds) != 1:
        return
    cause = "another column"
    taken = partial(_take_values, sample, lambda e: e.others[i])
    counts_all = sample.aggregation.name.endswith("count") and None not in sample.list_cells(i)
    rare = RARE if counts_all and sample.has_nulls else 0.0  # nulls are counted then, whatever the column
    yield Hypothesis(cause, f"takes {name} for the value", events=taken, say=f"--value {name}", bits=rare)
    if sample.kinds[0] in ("int", "float", "decimal"):
        yield Hypothesis(
            cause,
            f"multiplies each value by {name}",
            events=partial(_take_values, sample, lambda e: None if e.value is None else e.value * e.others[i]),
        )


def _take_values(sample: Sample, of: Callable[[Event], Any], events: Events) -> Events:
    """The events with other values; without those that have none."""
    found: Events = {}
    for key, mine in events.items():
        found[key] = []
        for event in mine:
            try:
                value = of(event)
                if value is not None:
                    found[key].append(sample.lift(event, value))
            except Exception:  # the operation may be the user's own, and refuse it
                continue
    return found


def _list_keys(sample: Sample, i: int, name: str) -> Iterator[Hypothesis]:
    """One key for all events of a cell, as where a table is joined that says of each what is so now."""
    keyed = [(e, key) for key, events in sample.events.items() for e in events if e.others[i] is not None]
    ways: tuple[tuple[str, Callable[[Event], tuple[int, ...]], bool], ...] = (
        ("last", lambda e: e[:2], False),
        ("first", lambda e: e[:2], True),
        ("that came last", lambda e: (e.arrival,), False),
    )
    if len({(key, e.others[i]) for e, key in keyed}) == len({e.others[i] for e, _ in keyed}):
        return
    for which, place, reverse in ways:
        keys = {e.others[i]: key for e, key in sorted(keyed, key=lambda it: place(it[0]), reverse=reverse)}
        why = f"counts events for the key of the {which} one that has the same {name}"
        yield Hypothesis("key of another event", why, events=partial(_give_keys, i, keys), mixes=True)


def _give_keys(i: int, keys: Mapping[Any, str], all_: Events) -> Events:
    found: Events = {key: [] for key in all_}
    for key, events in all_.items():
        for e in events:
            found.setdefault(keys.get(e.others[i], key), []).append(e)
    return {key: sorted(events, key=lambda e: e[:2]) for key, events in found.items()}


def _part_windows(sample: Sample, i: int, events: list[Event]) -> Iterator[Window]:
    for cell in sorted({e.others[i] for e in events}, key=str):
        yield from sample.split(sample.window, [e for e in events if e.others[i] == cell])


def _order_by(sample: Sample, i: int, events: list[Event]) -> Iterator[Window]:
    """Counts of events in the order of a column, those that have the same in it as they came."""
    ordered = sorted(events, key=lambda e: (e.others[i], e.arrival))
    placed = [e._replace(time=n, arrival=n) for n, e in enumerate(ordered)]
    for w in sample.split(sample.window, placed):
        yield Window(w.a, w.b, [ordered[e.arrival] for e in w.events])


def _weigh(i: int, events: Sequence[Event]) -> Answer:
    there = [e for e in events if e.value is not None and e.others[i] is not None]
    total = sum(Fraction(e.others[i]) for e in there)
    return answer_of(sum(Fraction(e.value) * Fraction(e.others[i]) for e in there) / total, near=_NEAR)


def _list_watermarks(sample: Sample, i: int, name: str) -> Iterator[Hypothesis]:
    """A watermark that moves from one micro-batch to the next, where a column numbers these."""
    if sample.delay is None or not sample.whole:
        return
    if not is_batch(sample, i):
        return
    came = sorted((e for events in sample.events.values() for e in events), key=lambda e: e.arrival)
    cause, less = "another watermark", f", less {show_span(sample.delay, sample.tick)}" if sample.delay else ""
    batches = [(n, max(e.time for e in batch) - sample.delay) for n, batch in groupby(came, lambda e: e.others[i])]
    for lag, engine in ((1, "spark-single"), (2, "spark")):
        said = f"the latest time of what came before its {name}" + (", and the one before that" if lag > 1 else "")
        why = f"takes events as late by {said}{less}"
        marked = partial(_mark_by, i, _follow_batches(batches, lag))
        yield Hypothesis(cause, why, events=marked, say=f"--engine {engine} --batch {name}")
    bits = RARE + log2(2 * len(batches))
    for at, (number, _) in list(enumerate(batches))[1:NUMBERS]:
        for lag in (1, 2):
            marks = _follow_batches(batches[:at], lag) | _follow_batches(batches[at:], lag)
            why = f"begins its watermark anew with {name} {number}"
            yield Hypothesis(cause, why, events=partial(_mark_by, i, marks), say="--progress FILE", bits=bits)
        marks = _follow_batches(batches, 2) | {number: _follow_batches(batches, 1)[number]}
        why = f"takes events of {name} {number} as late by the latest time before it{less}, as after a restart"
        yield Hypothesis(cause, why, events=partial(_mark_by, i, marks), say="--progress FILE", bits=bits)


def _follow_batches(batches: Sequence[tuple[Any, int]], lag: int) -> dict[Any, int]:
    """The watermark of each micro-batch: of what came so many before it."""
    marks, latest = dict[Any, int](), [NEVER] * lag
    for number, mark in batches:
        marks[number] = latest[-lag]
        latest.append(max(latest[-1], mark))
    return marks


def _mark_by(i: int, marks: dict[Any, int], events: Events) -> Events:
    return {key: [e._replace(watermark=marks[e.others[i]]) for e in mine] for key, mine in events.items()}


def _list_readings(sample: Sample, i: int, name: str) -> Iterator[Hypothesis]:
    """Events with some cell read otherwise: by another clock, or their values in another unit."""
    numbers = len(sample.kinds) == 1 and sample.kinds[0] in ("int", "float", "decimal")
    for cell in sorted(sample.list_cells(i), key=str):
        where = f"of events whose {name} is {'null' if cell is None else cell}"
        for hours in HOURS if sample.tick is not None else ():
            said = f"{abs(hours)}h {'later' if hours > 0 else 'earlier'}"
            by = hours * 3600 * get_second(sample.tick)
            moved = partial(change_some, i, cell, partial(_move, by))
            yield Hypothesis("times moved", f"takes the times {where} for {said}", events=moved, bits=RARE)
        for said, factor in _FACTORS.items() if numbers else ():

            def scaled(e: Event, factor: Fraction = factor) -> Event:
                if e.value is None:
                    return e
                made = e.value * (float(factor) if isinstance(e.value, float) else factor)
                return sample.lift(e, int(made) if made == int(made) and sample.kinds[0] == "int" else made)

            other = partial(change_some, i, cell, scaled)
            yield Hypothesis("another unit", f"takes the values {where} {said}", events=other, bits=RARE)


def _list_moments(sample: Sample, i: int, name: str) -> Iterator[Hypothesis]:
    """Times of another column for those of the events: of when they came, mostly."""
    moments = read_moments(sample, i)
    if not moments:
        return
    moved = partial(_move_to, i, moments)
    takes = None if sample.delay is None else take_all
    why = f"counts events at their {name}, and not at the time that is asked for"
    yield Hypothesis("arrival for time", why, events=moved, takes=takes, say=f"--time {name}")
    yield from _list_lags(sample, i, name, moments)
    window = sample.window
    if isinstance(window, Session):
        parted = partial(_part_by, i, moments, window)
        why = f"parts sessions where none came for {show_span(window.gap, sample.tick)}, by {name}"
        yield Hypothesis("sessions parted otherwise", why, windows=parted)


def _list_lags(sample: Sample, i: int, name: str, moments: Mapping[str, int]) -> Iterator[Hypothesis]:
    """Events left out by how long after their time another one is, as where two streams are joined within a span."""
    lags = sorted(moments[e.others[i]] - e.time for e in sample.came)
    spans = [span for span in list_spans(sample.tick) if lags[0] < span < lags[-1]]
    bits = log2(3 * max(1, len(spans)))
    for span in spans:
        said = f"leaves out events whose {name} is {{}}{show_span(span, sample.tick)}{{}} after their time"
        ways: tuple[tuple[str, str, Callable[[int], bool]], ...] = (
            ("more than ", "", partial(lt, span)),
            ("", " or more", partial(le, span)),
            ("less than ", "", partial(gt, span)),
        )
        for before, after, leaves in ways:
            out = without(partial(_has_lag, i, moments, leaves), again=False)
            one = Hypothesis(
                "filtered by another column", said.format(before, after), events=out, filters=True, needs=2, bits=bits
            )
            if one.explains_some(sample):
                yield one


def _has_lag(i: int, moments: Mapping[str, int], leaves: Callable[[int], bool], e: Event) -> bool:
    return leaves(moments[e.others[i]] - e.time)


def read_moments(sample: Sample, i: int) -> dict[str, int]:
    """The times that the cells of a column are, in ticks; none where one is no time, or there are no ticks."""
    moments: dict[str, int] = {}
    unit = 1 if sample.tick == "us" else 1000
    for cell in sample.list_cells(i) if sample.tick is not None else ():
        try:
            at = datetime.fromisoformat(cell)
        except (TypeError, ValueError):
            return {}
        at = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
        moments[cell] = (at - _EPOCH) // timedelta(microseconds=1) * unit
    return moments


def _move_to(i: int, moments: Mapping[str, int], events: Events) -> Events:
    moved = {key: [e._replace(time=moments[e.others[i]]) for e in mine] for key, mine in events.items()}
    return {key: sorted(mine, key=lambda e: e[:2]) for key, mine in moved.items()}


def _part_by(i: int, moments: Mapping[str, int], window: Session, events: list[Event]) -> Iterator[Window]:
    run: list[Event] = []
    for e in sorted(events, key=lambda e: (moments[e.others[i]], e.arrival)):
        if run and moments[e.others[i]] - moments[run[-1].others[i]] >= window.gap + window.touching:
            yield _span(run, window.gap)
            run = []
        run.append(e)
    if run:
        yield _span(run, window.gap)


def _span(run: Sequence[Event], gap: int) -> Window:
    held: list[Any] = sorted(run, key=lambda e: e[:2])
    return Window(held[0].time, held[-1].time + gap, held)


def _count_pairs(i: int, events: Sequence[Event]) -> Answer:
    return answer_of(len({(e.value, e.others[i]) for e in events}))


def _count_cells(i: int, events: Sequence[Event]) -> Answer:
    return answer_of(len({e.others[i] for e in events} - {None}))


def _move(by: int, e: Event) -> Event:
    return e._replace(time=e.time + by)


def change_some(i: int, cell: Any, change: Callable[[Event], Event], events: Events) -> Events:
    """The events with a change of those that have this cell in a column."""
    return {
        key: sorted([change(e) if e.others[i] == cell else e for e in mine], key=lambda e: e[:2])
        for key, mine in events.items()
    }


def _list_choices(
    i: int, name: str, tests: Iterable[tuple[str, Callable[[Any], bool]]], spare: float = 0.0
) -> Iterator[Hypothesis]:
    for said, fits in tests:

        def chosen(event: Event, fits: Callable[[Any], bool] = fits) -> bool:
            return fits(event.others[i])

        where = f"whose {name} is {said}"
        cause = "filtered by another column"
        left_out = without(chosen, again=False)
        yield Hypothesis(cause, f"leaves out events {where}", events=left_out, filters=True, spare=spare)
        twice = without(chosen, again=True)
        yield Hypothesis("doubled by another column", f"counts events {where} twice", events=twice, spare=spare)


def _list_batches(i: int, name: str, numbers: Sequence[Any]) -> Iterator[Hypothesis]:
    """Micro-batches that were lost, or came twice; or all before one, or from it on, that were lost."""
    for number in numbers[:NUMBERS]:
        tests = [("lost", f"{number}", partial(_is, number))]
        if number != numbers[0]:
            tests += [("lost", f"less than {number}", partial(_is_less, number))]
            tests += [("lost", f"{number} or more", partial(_is_more, number))]
        tests += [("twice", f"{number}", partial(_is, number))]
        for what, said, fits in tests:

            def chosen(event: Event, fits: Callable[[Any], bool] = fits) -> bool:
                return fits(event.others[i])

            lost = what == "lost"
            yield Hypothesis(
                "batch lost" if lost else "batch replayed",
                f"{'leaves out' if lost else 'counts'} events whose {name} is {said}{'' if lost else ' twice'}",
                events=without(chosen, again=not lost),
                filters=lost,
                bits=2.0,
            )


def _list_updates(i: int, name: str, numbers: Sequence[Any]) -> Iterator[Hypothesis]:
    """What becomes of a result when more events come with a later micro-batch."""
    for number in numbers[:NUMBERS]:
        since = "" if number == numbers[0] else f" from {name} {number} on"
        why = f"writes no update of a result that is there{since}, but the first version alone"
        kept = partial(_keep_first, i, number)
        yield Hypothesis("updates lost", why, content=kept, bits=0.0 if not since else 2.0)
    why = f"holds in an update the events of its {name} alone"
    yield Hypothesis("updates without state", why, content=partial(_keep_last, i))


def _keep_first(i: int, number: Any, events: Sequence[Event]) -> Sequence[Event]:
    first = min((e.others[i] for e in events), default=0)
    return [e for e in events if e.others[i] == first or e.others[i] < number]


def _keep_last(i: int, events: Sequence[Event]) -> Sequence[Event]:
    last = max((e.others[i] for e in events), default=0)
    return [e for e in events if e.others[i] == last]


def _list_tests(cells: frozenset[Any], *, words: bool) -> Iterator[tuple[str, Callable[[Any], bool]]]:
    """What may be asked of a cell, in words."""
    there = sorted(cell for cell in cells if cell is not None)
    if None in cells:
        yield "null", lambda cell: cell is None
    for one in there:
        yield f"{one}", partial(_is, one)
        if (words and len(there) > 2) or (not words and len(cells) <= WORDS):
            yield f"not {one}", partial(_is_another, one)
        if not words and one != there[0]:
            yield f"less than {one}", partial(_is_less, one)
            yield f"{one} or more", partial(_is_more, one)


def _list_residues() -> Iterator[tuple[str, Callable[[Any], bool]]]:
    """What may be asked of a whole number, as where work is divided by it, or every tenth is taken."""
    for k in _DIVISORS:
        yield f"divisible by {k}", partial(_leaves, k, frozenset({0}))
        yield f"not divisible by {k}", partial(_leaves, k, frozenset(range(1, k)))
    for r in (1, 2):
        yield f"{r} modulo 3", partial(_leaves, 3, frozenset({r}))
        yield f"not {r} modulo 3", partial(_leaves, 3, frozenset({0, 3 - r}))


def _leaves(k: int, residues: frozenset[int], cell: Any) -> bool:
    return cell is not None and cell % k in residues


def _is(one: Any, cell: Any) -> bool:
    return bool(cell == one)


def _is_another(one: Any, cell: Any) -> bool:
    return bool(cell != one)


def _is_less(one: Any, cell: Any) -> bool:
    return cell is not None and bool(cell < one)


def _is_more(one: Any, cell: Any) -> bool:
    return cell is not None and bool(cell >= one)
