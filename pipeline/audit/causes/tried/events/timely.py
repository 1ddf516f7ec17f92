"""Which late events a job may have counted: by another watermark, by another limit, in another window."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import gcd, log2
from typing import Final

from swagproof.models.windows.kinds import Counted, Frame, Session, Sliding
from swagproof.models.windows.lateness import NEVER, grace
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Foretold, Name, Part, Sample, get_arrival, take_all
from swagproof.pipeline.audit.causes.spans import list_spans, show_span

_CELLS: Final = 8
"""How many upstreams a column names at most."""


def list_timely(sample: Sample) -> Iterator[Hypothesis]:
    """Other rules for what is late."""
    window, delay = sample.window, sample.delay
    if delay is None:
        yield from _list_watermarks(sample)
        return
    why, say = "counts late events that the policy leaves out", "--late update" if sample.drops else "no --lateness"
    yield Hypothesis("late events counted", why, takes=take_all, say="" if sample.by_time else say)
    if sample.by_time:
        why = "counts an event of a window that is open, though its own time is behind the watermark"
        yield Hypothesis("late events counted", why, takes=lambda e, end: _mark(e) < end, say="no --late-by")
    else:
        why = "leaves out late events that the policy counts"
        yield Hypothesis("late events left out", why, takes=lambda e, end: _mark(e) < end, say="--late drop")
    update = "--late update " * sample.drops
    for margin, where in ((1, "behind"), (0, "not ahead of")):
        if not (sample.by_time and margin == sample.margin):
            yield Hypothesis(
                "late by its time",
                f"leaves out an event whose time is {where} the watermark, though its window is open",
                takes=partial(_is_ahead_by, margin),
                say="--late-by time" if margin == sample.margin else "",
            )
    if lateness := sample.lateness:
        yield Hypothesis(
            "late by its time",
            f"leaves out an event {show_span(lateness, sample.tick)} behind the watermark: it is the lateness of its "
            "own time, and not of its window's end",
            takes=lambda e, end: _mark(e) < min(e.time, end) + lateness,
        )
    for said, by in (("that has its own time already", 1), ("behind the latest time", 0)):
        yield Hypothesis(
            "out of order left out",
            f"leaves out every event {said}",
            takes=partial(_is_ahead, delay + by),
        )
    yield Hypothesis(
        "late by a tick", "takes an event until the watermark has passed the end", takes=lambda e, end: _mark(e) <= end
    )
    if isinstance(window, Sliding) and window.range != window.slide:
        for size in dict.fromkeys((gcd(window.range, window.slide), window.slide)):
            yield Hypothesis(
                "late for its slice",
                f"leaves out an event when its slice of {show_span(size, sample.tick)} is over, though a window is not",
                takes=partial(_has_open_slice, size, window.offset),
            )
    less = f", less {show_span(delay, sample.tick)}" if delay else ""
    for together, whose in ((False, "its key"), (True, "all keys")):
        if knows_all(sample) or not together:
            yield Hypothesis(
                "another watermark",
                f"takes events as late by the latest time of {whose}{less}",
                events=partial(follow_all, together, delay, latest=sample.latest),
                say="--watermark, and neither its --upstream nor per key" if together else "--watermark-per-key",
            )
            if sample.whole or not together:
                last = f"the time of the last event of {whose}{less}"
                why = f"takes {last}, for the watermark, so that it goes back"
                back = partial(follow_last, together, delay)
                yield Hypothesis("another watermark", why, events=back, mixes=together)
    if sample.whole:
        yield from _list_upstreams(sample, delay)
    behind = sorted(
        {
            _mark(e) - (window.half_open.first_end(e.time) if isinstance(window, Sliding) else e.time + grace(window))
            for events in sample.events.values()
            for e in events
            if _mark(e) > NEVER
        }
    )
    early, later = [late for late in behind if -delay <= late < 0], [late for late in behind if late > 0]
    quarters = {-delay * k // 4 for k in range(1, 5)} if delay else set[int]()
    plain = [span for span in list_spans(sample.tick) if not later or span <= later[-1]]
    shorter = {span - delay for span in plain if span < delay}
    for limit in sorted(quarters | shorter.union(early[:: len(early) // 30 + 1])):
        yield Hypothesis(
            "late events left out",
            f"leaves out events as with a delay of {show_span(delay + limit, sample.tick)}, "
            f"not {show_span(delay, sample.tick)}",
            takes=partial(_is_ahead_by, sample.margin + limit) if sample.by_time else partial(_is_in_time, limit),
            needs=3,
            say=f"--watermark {show_span(delay + limit, sample.tick)}",
        )
    longer = {delay * k // 2 for k in (1, 2, 4, 6)} - {0} | {*plain, *later[:: len(later) // 20 + 1]}
    for limit in sorted(longer - longer if sample.by_time else longer):
        yield Hypothesis(
            "late events left out" if sample.lateness is None or limit <= sample.lateness else "late events counted",
            f"takes late events for less than {show_span(limit, sample.tick)} after the end",
            takes=partial(_is_in_time, limit),
            needs=3,
            say=f"{update}--lateness {show_span(limit, sample.tick)}",
        )
    yield from _list_early(sample, delay)
    yield from _list_elsewhere(sample)


def _list_watermarks(sample: Sample) -> Iterator[Hypothesis]:
    """Windows that are closed by a watermark where none was said."""
    if isinstance(sample.window, Frame | Counted):
        return
    in_time = partial(_is_in_time, 0)
    for together, whose in ((True, "all keys"), (False, "its key")):
        if together and not knows_all(sample):
            continue
        marked = follow_all(together, 0, sample.events, latest=sample.latest)
        behind = max((e.watermark - e.time for events in marked.values() for e in events), default=0)
        for by in [span for span in (0, *list_spans(sample.tick)) if span < behind]:
            less = f", less {show_span(by, sample.tick)}" if by else ""
            said = f"--watermark {show_span(by, sample.tick)}"
            yield Hypothesis(
                "late events left out",
                f"takes no more events of a window when the latest time of {whose}{less} has passed its end",
                events=partial(follow_all, together, by, latest=sample.latest),
                takes=in_time,
                say=said if together else f"{said} --watermark-per-key",
                mixes=together,
            )


def _list_early(sample: Sample, delay: int) -> Iterator[Hypothesis]:
    """Windows that are over before their end, as where grace is counted from their begin: by an event's own time, too,
    so that those that come late are told apart from those of a shorter window."""
    window = sample.window
    if not isinstance(window, Sliding):
        return
    graces = {delay, sample.lateness or 0, delay + (sample.lateness or 0)} - {0}
    spans = [*(window.range - by for by in sorted(graces)), *list_spans(sample.tick)]
    early = list(dict.fromkeys(by for by in spans if 0 < by < window.range))
    for by in early:
        yield Hypothesis(
            "closed early",
            f"takes no more events of a window from {show_span(by, sample.tick)} before its end on, by the latest time",
            takes=partial(_is_before, delay, by),
            needs=2,
            bits=log2(len(early)),
        )


def _is_before(delay: int, by: int, e: Event, end: int) -> bool:
    return max(_mark(e) + delay, e.time) < end - by


def knows_all(sample: Sample) -> bool:
    """Whether it is known what had come of all keys."""
    return sample.whole or sample.latest is not None


def follow_all(together: bool, delay: int, all_: Events, *, latest: Mapping[int, int] | None = None) -> Events:
    """The events with a watermark that follows each record, of each key or of all; of all that is in `latest`, where
    there are others than these."""
    if together and latest is not None:
        at = {arrival: NEVER if time == NEVER else time - delay for arrival, time in latest.items()}
        return {key: [e._replace(watermark=at[e.arrival]) for e in events] for key, events in all_.items()}
    marks: dict[tuple[str, int], int] = {}
    keyed = [(e.arrival, e.time, key) for key, events in all_.items() for e in events]
    highest: dict[str, int] = {}
    for arrival, time, key in sorted(keyed):
        whose = "" if together else key
        marks[key, arrival] = marks.get((key, arrival), highest.get(whose, NEVER))
        highest[whose] = max(highest.get(whose, NEVER), time - delay)
    return {key: [e._replace(watermark=marks[key, e.arrival]) for e in events] for key, events in all_.items()}


def follow_last(together: bool, delay: int, all_: Events) -> Events:
    """The events with a watermark that each event, of its key or of all, sets anew, so that it goes back, too."""
    groups = [[e for events in all_.values() for e in events]] if together else list(all_.values())
    marks: dict[int, int] = {}
    for group in groups:
        came = sorted(group, key=get_arrival)
        marks |= {e.arrival: before.time - delay for before, e in pairwise(came) if e.arrival > before.arrival}
    return {key: [e._replace(watermark=marks.get(e.arrival, NEVER)) for e in es] for key, es in all_.items()}


def _list_upstreams(sample: Sample, delay: int) -> Iterator[Hypothesis]:
    """Watermarks of several upstreams that leave out one, as where it was idle, and is for ever."""
    columns = [(i, name, sample.list_cells(i)) for i, name in enumerate(sample.columns)]
    tried = [(i, name, cell) for i, name, cells in columns if 1 < len(cells) <= _CELLS for cell in cells]
    for i, name, cell in sorted(tried, key=str):
        why = f"takes events as late by the least of the latest times of each {name} but {cell}"
        marked = partial(mark_by_least, i, delay, but=cell)
        yield Hypothesis("another watermark", why, events=marked, bits=log2(len(tried)))


def mark_by_least(i: int, delay: int, all_: Events, *, but: object = None) -> Events:
    """The events with a watermark of the least of the latest times of each cell of a column; or but of this one, where
    that is no less than what they have."""
    came = sorted((e for events in all_.values() for e in events), key=lambda e: e.arrival)
    latest = {e.others[i]: NEVER for e in came if but is None or e.others[i] != but}
    marks: dict[int, int] = {}
    for e in came:
        least = min(latest.values(), default=NEVER)
        mark = NEVER if least == NEVER else least - delay
        marks[e.arrival] = mark if but is None else max(mark, e.watermark)
        if e.others[i] in latest:
            latest[e.others[i]] = max(latest[e.others[i]], e.time)
    return {key: [e._replace(watermark=marks[e.arrival]) for e in events] for key, events in all_.items()}


def _is_ahead_by(margin: int, e: Event, _end: int) -> bool:
    return _mark(e) < e.time + margin


def _mark(e: Event) -> int:
    return e.watermark


def _is_ahead(delay: int, e: Event, _end: int) -> bool:
    return _mark(e) == NEVER or _mark(e) + delay <= e.time


def _has_open_slice(size: int, offset: int, e: Event, _end: int) -> bool:
    return _mark(e) < (e.time - offset) // size * size + size + offset


def _is_in_time(lateness: int, e: Event, end: int) -> bool:
    return _mark(e) < end + lateness


def _list_elsewhere(sample: Sample) -> Iterator[Hypothesis]:
    """Late events that are not dropped, but turn up somewhere else."""
    window = sample.window
    if isinstance(window, Sliding):

        def late_of(events: Sequence[Event]) -> Iterator[tuple[Event, int]]:
            for e in events:
                end = window.first_end(e.time)
                while end <= window.last_end(e.time):
                    if not sample.takes(e, end):
                        yield e, end
                    end += window.slide

        length, slide = window.range, window.slide
    else:
        timely = grace(window)

        def late_of(events: Sequence[Event]) -> Iterator[tuple[Event, int]]:
            for e in events:
                if not sample.takes(e, e.time + timely):
                    yield e, e.time + timely

        length, slide = timely, 0

    def put(among: Callable[[list[tuple[Name, Part]], Event], Name | None]) -> Callable[[Foretold], Foretold]:
        def results(found: Foretold) -> Foretold:
            made = dict(found)
            of_key: dict[str, list[tuple[Name, Part]]] = {}
            for name, parts in found.items():
                of_key.setdefault(name[0], []).append((name, parts[0]))
            for key, events in sample.events.items():
                for e, _ in late_of(events):
                    there = among(of_key.get(key, []), e)
                    if there is not None:
                        made[there] = [Part([*made[there][0].events, e]), *made[there][1:]]
            return made

        return results

    def next_window(windows: list[tuple[Name, Part]], e: Event) -> Name | None:
        return min(
            ((p.events[0].time, n) for n, p in windows if p.events and p.events[0].time > e.time),
            default=(0, None),
            key=lambda it: it[0],
        )[1]

    def next_open(windows: list[tuple[Name, Part]], e: Event) -> Name | None:
        mark = e.watermark
        return min(
            ((p.events[-1].time, n) for n, p in windows if p.events and p.events[-1].time + length > mark),
            default=(0, None),
            key=lambda it: it[0],
        )[1]

    what = "session" if isinstance(window, Session) else "window"
    cause = "late events counted elsewhere"
    yield Hypothesis(cause, f"counts late events in the next {what} of their key", results=put(next_window))
    yield Hypothesis(cause, f"counts late events in the next {what} that is open", results=put(next_open))

    def apart(together: bool) -> Callable[[Foretold], Foretold]:
        def results(found: Foretold) -> Foretold:
            made = {name: list(parts) for name, parts in found.items()}
            for key, events in sample.events.items():
                alone: dict[Name, list[Event]] = {}
                for e, end in late_of(events):
                    a = end - length if slide else e.time
                    alone.setdefault(sample.name(key, a, end), []).append(e)
                for name, late in alone.items():
                    made.setdefault(name, []).extend([Part(late)] if together else [Part([e]) for e in late])
            return made

        return results

    if not isinstance(window, Frame):
        why = "opens a second result for late events"
        yield Hypothesis("late events apart", f"{why}, one for each", results=apart(together=False))
        yield Hypothesis("late events apart", why, results=apart(together=True))
