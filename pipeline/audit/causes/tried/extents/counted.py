"""What a job may have taken for its windows of so many events: in which order, from where and how many are counted."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise

from swagproof.models.windows.kinds import Counted
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Name, Sample, Window, get_arrival, get_place, regroup, split
from swagproof.pipeline.audit.causes.spans import choose_round, show_span
from swagproof.pipeline.audit.causes.tried.divided import find_batch


def list_counts(sample: Sample) -> Iterator[Hypothesis]:
    """Other windows of so many events."""
    window = sample.window
    if not isinstance(window, Counted):
        return
    other = replace(window, by_arrival=not window.by_arrival)
    order = "the time" if window.by_arrival else "the arrival"
    cause = "time order" if window.by_arrival else "arrival order"
    yield Hypothesis(cause, f"counts events in the order of {order}", windows=partial(sample.split, other))
    for skip in range(1, min(window.every, 20)):

        def skipped(events: list[Event], skip: int = skip) -> Iterator[Window]:
            yield from split(window, events[skip:])

        yield Hypothesis("counted from elsewhere", f"begins to count after {skip:,} of each key", windows=skipped)
    for by in range(1, min(window.every, 20)):
        early = partial(_begin_early, window, by)
        why = f"begins each window {by:,} early, so that the first has {window.every - by:,}"
        yield Hypothesis("counted from elsewhere", why, windows=early)
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
            yield Hypothesis(
                "ends", f"{why}, and numbers its windows by these", windows=partial(_name_as, window, spec)
            )
    if sample.whole and window.n == window.every:
        together = partial(_count_together, sample, window.n)
        yield Hypothesis("over all keys", "counts the events of all keys together", windows=together, mixes=True)
        numbered = partial(_number_shares, sample, window.n)
        why = f"counts {window.n:,} events of all keys together, and numbers for each key its part of them"
        yield Hypothesis("over all keys", why, windows=numbered, mixes=True)

    def rest(events: list[Event]) -> Iterator[Window]:
        yield from split(window, events)
        over = len(events) % window.every
        if over:
            end = len(events) - over + window.every
            first = max(0, end - window.n)
            if first < len(events):
                yield Window(first + 1, end, events[first:])

    yield Hypothesis("last windows too many", "shows the last window of each key before it is full", windows=rest)
    yield from _list_emptied(sample, window)


def _list_emptied(sample: Sample, window: Counted) -> Iterator[Hypothesis]:
    """Windows that lose what they hold when no event of their key comes for so long: for longer than any pause in those
    that are right, before the first one of their key that is not."""
    low, high = 0, None
    wrong: dict[str, Name] = {}
    for name in sorted(sample.open, key=get_place):
        wrong.setdefault(name[0], name)
    for name, parts in sample.due.items():
        pauses = [after.time - e.time for part in parts for e, after in pairwise(part.events)]
        first = wrong.get(name[0])
        if first is not None and name == first:
            high = min(high or max(pauses, default=0), max(pauses, default=0))
        elif name not in sample.findings and (first is None or get_place(name) < get_place(first)):
            low = max(low, max(pauses, default=0))
    if high is None or high <= low:
        return
    gap = choose_round(low - 1, high - 1, sample.tick)
    ways: dict[str, Callable[[Counted, int, list[Event]], Iterator[Window]]] = {"events": _go_on}
    if window.n == window.every:
        ways["windows"] = _fill_anew
    span = show_span(gap, sample.tick)
    for those, cut in ways.items():
        why = f"empties a window when no event of its key comes for more than {span}, and numbers {those} on"
        yield Hypothesis("state begun again", why, windows=partial(cut, window, gap), needs=2, bits=4.0)


def _list_runs(window: Counted, gap: int, events: list[Event]) -> Iterator[list[Event]]:
    """The events of a key in their order, parted where none came for longer."""
    run: list[Event] = []
    for e in sorted(events, key=get_arrival) if window.by_arrival else events:
        if run and e.time - run[-1].time > gap:
            yield run
            run = []
        run.append(e)
    yield run


def _go_on(window: Counted, gap: int, events: list[Event]) -> Iterator[Window]:
    n = 0
    for run in _list_runs(window, gap, events):
        for i in range(1, len(run) + 1):
            n += 1
            if n % window.every == 0:
                yield Window(max(0, n - window.n) + 1, n, run[max(0, i - window.n) : i])


def _fill_anew(window: Counted, gap: int, events: list[Event]) -> Iterator[Window]:
    n = 0
    for run in _list_runs(window, gap, events):
        for i in range(window.n, len(run) + 1, window.n):
            yield Window(n + 1, n + window.n, run[i - window.n : i])
            n += window.n


def _name_as(window: Counted, spec: Counted, events: list[Event]) -> Iterator[Window]:
    """Windows of so many events, each with the name of the one that is due in its place."""
    for k, w in enumerate(split(spec, events)):
        yield Window(k * window.every + 1, k * window.every + window.n, w.events)


def _begin_early(window: Counted, by: int, events: list[Event]) -> Iterator[Window]:
    """The windows that are due, of events so many before; as where these are numbered from one, and not from zero."""
    ordered = sorted(events, key=lambda e: e.arrival) if window.by_arrival else events
    for w in split(window, events):
        yield w._replace(events=ordered[max(0, w.b - window.n - by) : w.b - by])


def _count_together(sample: Sample, n: int, events: list[Event]) -> Iterator[Window]:
    """The events of a key in each n that came of all keys, named by their own numbers."""
    first = 1
    for part in regroup(events, partial(find_batch, sample, n)):
        yield Window(first, first + len(part) - 1, sorted(part, key=lambda e: e.arrival))
        first += len(part)


def _number_shares(sample: Sample, n: int, events: list[Event]) -> Iterator[Window]:
    """The events of a key in each n that came of all keys, named as if they were n."""
    full = len(sample.arrivals) // n
    for k, part in enumerate(regroup(events, partial(find_batch, sample, n))):
        if find_batch(sample, n, part[0]) < full:
            yield Window(n * k + 1, n * k + n, sorted(part, key=lambda e: e.arrival))
