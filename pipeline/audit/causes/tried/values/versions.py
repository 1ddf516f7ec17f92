"""What becomes of the versions of a window that a job writes as its events come: the first one is kept, or the last
part alone; all of them are added up; or one that is null is carried into all that follow.

How many events a batch has is read off the results: of a window whose result is that of those of its events that came
first, or last, a batch ends between two that came one after the other.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import log2
from typing import Final

from swagproof.models.windows.kinds import Calendar, Frame, Sliding
from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis
from swagproof.pipeline.audit.causes.sample import (
    NULL,
    Event,
    Foretold,
    Got,
    Name,
    Part,
    Sample,
    get_place,
    time_and_arrival,
)
from swagproof.pipeline.audit.causes.tried.answers import number_of
from swagproof.pipeline.audit.causes.tried.cuts import find_cuts, has_result, sort_arrived
from swagproof.pipeline.audit.causes.tried.divided import is_batch, list_cells
from swagproof.pipeline.audit.causes.tried.events.lates import find_end
from swagproof.pipeline.audit.causes.tried.states import choose_findings, fits_some
from swagproof.pipeline.audit.causes.tried.values.panes import Stops, list_panes
from swagproof.pipeline.audit.rules import Answer

_BATCHES: Final = 1000
"""How many events a batch has at most."""
_FEWEST: Final = 3
"""How many batches there are at least: of two, each would be what was before some moment, or after it."""
_TRIED: Final = 2
_WIDEST: Final = 400
"""How many events a window has at most that is looked into."""
_EACH: Final = (1, 2, 3, 4, 5, 8, 10, 16, 20, 25, 50, 100)
"""After how many events of a window an early result is shown, where it is."""

ADDED: Final = ("sum", "count", "float-sum")
"""The aggregates of which several are added up to one of all their events."""
_NUMBERS: Final = (*ADDED, "mean", "median", "distinct-count", "first", "last")
"""Those that may be less after an event, or more."""

Choose = Callable[[Sequence[int], int], tuple[int, int]]
"""Of the places of a window's events, as they came, and the size of a batch: from which on, and up to which."""


def list_versions(sample: Sample) -> Iterator[Hypothesis]:
    """Versions of windows that are taken for others, or together."""
    yield from _list_nulls(sample)
    if isinstance(sample.window, Frame):
        return
    looked = choose_findings(sample)
    if sample.aggregation.name in ADDED:
        for n in _EACH:
            repeat = partial(_repeat_early, n)
            if fits_some(sample, looked, lambda events, of=repeat: sample.answer(of(events))):
                each = "each event" if n == 1 else f"each {n:,} events"
                why = f"adds up the results that a window has after {each} and in the end, each of all events so far"
                yield Hypothesis("merged wrongly", why, content=repeat, bits=log2(len(_EACH)))
        yield from _list_added(sample)
    yield from _list_folds(sample, looked)
    if sample.whole:
        yield from _list_batches(sample, looked)


def _list_added(sample: Sample) -> Iterator[Hypothesis]:
    """Results that are shown as they change, of which each has been added to those before it: what one adds is the
    result of events that came first, of more and more."""
    made: Foretold = {}
    several = {name for name in sample.earlier if len(sample.due.get(name, ())) == 1} - sample.aside
    for name in several:
        events = sample.due[name][0].events
        if len(events) <= _WIDEST and len(sample.results.get(name, ())) == 1:
            held = _find_added(sample, sort_arrived(events), [*sample.earlier[name], *sample.results[name]])
            if held is not None:
                made[name] = [Part(held)]
    if len(made) >= _TRIED and 10 * len(made) >= 9 * len(several):
        why = "adds up the results that a window has as they are shown, each of all events so far"
        yield Hypothesis("versions folded", why, results=partial(_put, made), needs=2, bits=RARE)


def _put(made: Foretold, found: Foretold) -> Foretold:
    return {**found, **made}


def _find_added(sample: Sample, came: list[Event], versions: Sequence[Got]) -> Sequence[Event] | None:
    """Each event as often as versions hold it; None where one is not the one before and a result so far."""
    held: list[Event] = []
    n = 1
    for got in versions:
        tried = ((k, [*held, *came[:k]]) for k in range(n, len(came) + 1))
        fit = next(((k, some) for k, some in tried if sample.agrees(sample.answer(some), got)), None)
        if fit is None:
            return None
        n, held = fit
    return sorted(held, key=time_and_arrival)


def _list_folds(sample: Sample, looked: Sequence[Name]) -> Iterator[Hypothesis]:
    """What a sink makes of all versions of a window that it is given: their sum, the greatest or the least."""
    if sample.aggregation.name not in _NUMBERS:
        return
    ways: list[tuple[str, Stops]] = []
    ways += [("each event", _stop_at_each)] if sample.updates else []
    ways += [("each " + said.removeprefix("each "), partial(_stop_at_parts, of)) for said, of in list_cells(sample)]
    if sample.delay is not None and isinstance(sample.window, Sliding | Calendar) and sample.lateness != 0:
        ways.append(("its end, and each late event", partial(_stop_at_lates, sample)))
    folds: tuple[tuple[str, Callable[[Sample, list[Sequence[Event]]], Sequence[Event]]], ...] = (
        ("keeps the greatest of", partial(_choose_version, max)),
        ("keeps the least of", partial(_choose_version, min)),
    )
    if sample.aggregation.name in ADDED:
        folds = (*folds, ("adds up", _add_versions))
        ways += list_panes(sample, partial(_fits_some, sample, looked))
    for i, name in enumerate(sample.columns):
        if is_batch(sample, i):
            why = f"keeps, of the results that a window has after each {name}, the one whose {name} as text is greatest"
            results = partial(_fold, sample, partial(_stop_at_parts, partial(_get_number, i)), partial(_choose_text, i))
            yield Hypothesis("versions folded", why, results=results, bits=2.0)
    for said, stops in ways:
        for verb, fold in folds:
            why = f"{verb} the results that a window has after {said}"
            yield Hypothesis("versions folded", why, results=partial(_fold, sample, stops, fold), bits=2.0)


def _fits_some(sample: Sample, looked: Sequence[Name], stops: Stops) -> bool:
    """Whether the sum of what is shown explains some of these findings."""
    fits = 0
    for name in looked:
        shown = stops(name, sort_arrived(sample.due[name][0].events))
        made = sorted(_add_versions(sample, shown), key=time_and_arrival)
        fits += len(shown) > 1 and has_result(sample, made, sample.results[name])
    return fits >= max(_TRIED, len(looked) // 3)


def _fold(
    sample: Sample,
    stops: Stops,
    fold: Callable[[Sample, list[Sequence[Event]]], Sequence[Event]],
    found: Foretold,
) -> Foretold:
    made = dict(found)
    for name, parts in found.items():
        if len(parts) == 1 and len(parts[0].events) > 1 and parts[0].answer is None:
            versions = stops(name, sort_arrived(parts[0].events))
            if len(versions) > 1:
                made[name] = [Part(sorted(fold(sample, versions), key=time_and_arrival))]
    return made


def _get_number(i: int, e: Event) -> int:
    number: int = e.others[i]
    return number


def _choose_text(i: int, _sample: Sample, versions: list[Sequence[Event]]) -> Sequence[Event]:
    return max(versions, key=lambda version: (str(version[-1].others[i]), len(version)))


def _stop_at_each(_name: Name, came: list[Event]) -> list[Sequence[Event]]:
    return [came[:n] for n in range(1, len(came) + 1)]


def _stop_at_parts(of: Callable[[Event], int], _name: Name, came: list[Event]) -> list[Sequence[Event]]:
    return [came[:n] for n in range(1, len(came) + 1) if n == len(came) or of(came[n]) != of(came[n - 1])]


def _stop_at_lates(sample: Sample, name: Name, came: list[Event]) -> list[Sequence[Event]]:
    end = find_end(sample, name)
    timely = sum(end is None or e.watermark < end for e in came)
    return [came[:n] for n in range(max(1, timely), len(came) + 1)]


def _choose_version(
    choose: Callable[..., Sequence[Event]], sample: Sample, versions: list[Sequence[Event]]
) -> Sequence[Event]:
    return choose(versions, key=lambda some: number_of(sample.answer(sorted(some, key=time_and_arrival))) or 0)


def _add_versions(_sample: Sample, versions: list[Sequence[Event]]) -> Sequence[Event]:
    return [e for some in versions for e in some]


def _list_batches(sample: Sample, looked: Sequence[Name]) -> Iterator[Hypothesis]:
    """Batches of as many events as explain most findings: a part of them alone is shown."""
    most = min(_BATCHES, len(sample.arrivals) // _FEWEST)
    ways: dict[str, Choose] = {
        "shows the first one": _keep_first,
        "shows the last one": _keep_last,
        "shows what there was before the last one": _keep_before,
    }
    runs: list[tuple[list[int], set[tuple[int, int]]]] = []
    for name in looked:
        came = sort_arrived(sample.due[name][0].events)
        if 1 < len(came) <= _WIDEST:
            runs.append(([sample.arrivals[e.arrival] for e in came], _find_runs(sample, name, came)))
    for said, choose in ways.items():
        votes: Counter[int] = Counter()
        for places, fits in runs:
            if fits:
                votes.update(size for size in range(2, most) if choose(places, size) in fits)
        for size, n in sorted(votes.most_common(_TRIED)):
            if n > 2:
                yield Hypothesis(
                    "one part of several",
                    f"does not merge its partial aggregates (each batch of {size:,} events), and {said}",
                    content=partial(_keep, sample, choose, size),
                    divides=True,
                    needs=2,
                    bits=log2(_BATCHES),
                )


def _find_runs(sample: Sample, name: Name, came: Sequence[Event]) -> set[tuple[int, int]]:
    """Which of the events that came first, or last, have the result that is there."""
    cuts = find_cuts(sample, came, sample.results[name], sample.answer)
    return {*((0, j) for j in cuts.before), *((i, len(came)) for i in cuts.after)}


def _keep(sample: Sample, choose: Choose, size: int, events: Sequence[Event]) -> Sequence[Event]:
    came = sort_arrived(events)
    i, j = choose([sample.arrivals[e.arrival] for e in came], size)
    return sorted(came[i:j], key=time_and_arrival) if (i, j) != (0, len(came)) else events


def _keep_first(places: Sequence[int], size: int) -> tuple[int, int]:
    return 0, sum(at // size == places[0] // size for at in places)


def _keep_last(places: Sequence[int], size: int) -> tuple[int, int]:
    return sum(at // size < places[-1] // size for at in places), len(places)


def _keep_before(places: Sequence[int], size: int) -> tuple[int, int]:
    return 0, sum(at // size < places[-1] // size for at in places) or len(places)


def _repeat_early(n: int, events: Sequence[Event]) -> Sequence[Event]:
    """Each event as often as a result is shown that holds it."""
    came = sort_arrived(events)
    last = -(-len(came) // n)
    return [e for at, e in enumerate(came) for _ in range(last - at // n)]


def _list_nulls(sample: Sample) -> Iterator[Hypothesis]:
    """Null in all windows of a key from the first on that holds an event without a value."""
    if any(e.value is None for events in sample.events.values() for e in events):
        why = "answers null for all windows of a key from the first on that holds an event without a value"
        yield Hypothesis("null", why, results=_keep_null, bits=1.0)
    if any(answer.text is None for answers in sample.answers.values() for answer in answers):
        yield Hypothesis("null as zero", "answers zero in place of null", change=_make_zero)


def _make_zero(answer: Answer) -> Answer:
    return Answer("0", 0.0, 0.0) if answer.text is None else answer


def _keep_null(found: Foretold) -> Foretold:
    made, since = dict[Name, list[Part]](), dict[str, int]()
    for name in sorted(found, key=lambda name: (get_place(name), name[2] or 0)):
        if any(e.value is None for part in found[name] for e in part.events):
            since.setdefault(name[0], get_place(name))
        made[name] = [Part(part.events, NULL) for part in found[name]] if name[0] in since else found[name]
    return made
