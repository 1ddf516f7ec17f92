"""What a job may have made of late events that it counts: their times moved, their updates without what was there.

A window that takes late events has answered before.  Its update is right where its state is still there, and where the
earlier answer is taken back; a job that clears the state when the window fires, hands on what was added alone, or takes
nothing back has results that these hypotheses foretell.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from swagproof.models.windows.kinds import Calendar, Frame, Sliding
from swagproof.models.windows.lateness import NEVER, late_for_all, slack
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Foretold, Name, Part, Sample


def list_lates(sample: Sample) -> Iterator[Hypothesis]:
    """Other updates, and other times of late events."""
    if sample.delay is None or isinstance(sample.window, Frame):
        return
    yield from _list_clamped(sample, sample.delay)
    if isinstance(sample.window, Sliding | Calendar) and (sample.lateness is None or sample.lateness > 0):
        yield from _list_updates(sample)


def _list_clamped(sample: Sample, delay: int) -> Iterator[Hypothesis]:
    """Late events counted when they come, or in one of their windows alone."""
    cause = "late events counted elsewhere"
    window = sample.window

    def is_late(e: Event) -> bool:
        end = late_for_all(window, e.time)
        return end is not None and not sample.takes(e, end)

    for said, which in (
        ("late events", is_late),
        ("events behind the watermark", lambda e: e.time < e.watermark),
        ("events behind the latest time", lambda e: e.time < e.watermark + delay),
    ):
        for where, by in (("the latest time when they come", delay), ("the watermark when they come", 0)):
            if said.endswith("latest time") and not by:
                continue
            moved = partial(_clamp, which, by)
            yield Hypothesis(cause, f"counts {said} at {where}", events=moved, bits=1.0)
        if isinstance(window, Sliding) and window.slide < window.range:
            for one, end in (("last", window.last_end), ("first", window.first_end)):
                alone = partial(_keep_in, sample, which, end)
                yield Hypothesis(cause, f"counts {said} in the {one} of their windows alone", results=alone, bits=1.0)


def _keep_in(sample: Sample, which: Callable[[Event], bool], find: Callable[[int], int], found: Foretold) -> Foretold:
    """The windows without the events of a kind that another one of theirs is to hold."""
    made: Foretold = {}
    for name, parts in found.items():
        end = find_end(sample, name)
        for part in parts:
            held = [e for e in part.events if not which(e) or end is None or find(e.time) + slack(sample.window) == end]
            if held or not part.events:
                made.setdefault(name, []).append(Part(held, part.answer))
    return made


def _clamp(which: Callable[[Event], bool], by: int, all_: Events) -> Events:
    return {
        key: sorted(
            [e._replace(time=e.watermark + by) if e.watermark > NEVER and which(e) else e for e in events],
            key=lambda e: e[:2],
        )
        for key, events in all_.items()
    }


def _list_updates(sample: Sample) -> Iterator[Hypothesis]:
    cause = "updates without state"
    ways: tuple[tuple[str, Callable[[list[Event], list[Event]], list[Sequence[Event]]]], ...] = (
        ("holds in an update the late events alone", lambda timely, late: [late]),
        ("holds in an update the late event alone", lambda timely, late: [late[-1:]]),
        ("holds in each update its late event alone, and leaves them all", lambda timely, late: [[e] for e in late]),
        ("holds in an update what there was in time, and the last late event", lambda t, late: [[*t, late[-1]]]),
    )
    for why, make in ways:
        yield Hypothesis(cause, why, results=partial(_update, sample, make))
    doubled = partial(_update, sample, lambda t, late: [[*t, *late, *late]])
    yield Hypothesis("late events counted twice", "counts late events twice", results=doubled)
    cause = "not retracted"
    every = partial(_update, sample, lambda t, late: [[*t, *late[:i]] for i in range(not t, len(late) + 1)])
    yield Hypothesis(cause, "leaves earlier results beside those that correct them", results=every)
    added = partial(_update, sample, lambda t, late: [*([t] if t else []), *([e] for e in late)])
    yield Hypothesis(cause, "leaves results in time beside one of each late event", results=added)
    twice = partial(_update, sample, lambda t, late: [[*t, *late], *([t] if t else [])])
    yield Hypothesis(cause, "leaves the first result beside the last", results=twice)


def _update(
    sample: Sample, make: Callable[[list[Event], list[Event]], list[Sequence[Event]]], found: Foretold
) -> Foretold:
    """The windows that have late events, made of these and of those in time."""
    made = dict(found)
    for name, parts in found.items():
        end = find_end(sample, name)
        if end is None or len(parts) != 1:
            continue
        late = sorted((e for e in parts[0].events if e.watermark >= end), key=lambda e: e.arrival)
        if late:
            timely = [e for e in parts[0].events if e.watermark < end]
            made[name] = [Part(sorted(one, key=lambda e: e[:2])) for one in make(timely, late)]
    return made


def find_end(sample: Sample, name: Name) -> int | None:
    """From which watermark on a window has fired."""
    window, (_, a, b) = sample.window, name
    if not isinstance(window, Sliding | Calendar):
        return None
    if b is None and isinstance(window, Sliding) and a is not None:
        b = a + window.range
    return None if b is None else b + slack(window)


def find_overtaken(sample: Sample, window: Sliding | Calendar, *, all_keys: bool) -> frozenset[int]:
    """The events that come when one of a later window has come, of their key or of all, by their arrival numbers."""
    newest: dict[str, int] = {}
    late: set[int] = set()
    came = sorted(((e, key) for key, events in sample.events.items() for e in events), key=lambda it: it[0].arrival)
    for e, key in came:
        whose, end = "" if all_keys else key, late_for_all(window, e.time)
        if end is None:
            continue
        if end < newest.setdefault(whose, end):
            late.add(e.arrival)
        newest[whose] = max(newest[whose], end)
    return frozenset(late)
