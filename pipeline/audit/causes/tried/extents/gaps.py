"""What a job may have taken for its sessions: another gap, other ends, those of all keys or of a batch."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import log2

from swagproof.models.windows.kinds import Session
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Sample, Window, regroup, split
from swagproof.pipeline.audit.causes.spans import choose_round, get_second, list_spans, show_span
from swagproof.pipeline.audit.causes.tried.divided import BATCHES, find_batch
from swagproof.pipeline.audit.tables import Tick


def read_gaps(sample: Sample) -> list[int]:
    """Gaps that the ends of results say, by the last event before each; or, where they have none, their begins, by the
    events that begin no session."""
    seen: Counter[int] = Counter()
    for key, _, b in sample.results:
        if b is not None:
            times = [e.time for e in sample.events.get(key, ())]
            at = bisect_left(times, b)
            seen.update([b - times[at - 1]] if at else [])
    if seen:
        return [gap for gap, _ in seen.most_common(2)]
    inside, parted = list[int](), list[int]()
    for key, events in sample.events.items():
        for one, other in pairwise(events):
            (parted if (key, other.time, None) in sample.results else inside).append(other.time - one.time)
    gap = min(set(parted), key=lambda n: sum(n <= d for d in inside) + sum(d < n for d in parted), default=1)
    return [choose_round(max((d for d in inside if d < gap), default=0), gap, sample.tick)] if gap > 1 else []


def list_gaps(sample: Sample) -> Iterator[Hypothesis]:
    """Other sessions."""
    window = sample.window
    if not isinstance(window, Session):
        return
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
    for another in dict.fromkeys((*gaps, *read_gaps(sample), 1000 * gap, gap // 1000, 3 * gap // 2, 2 * gap // 3)):
        if another < 1:
            continue
        spec = replace(window, gap=another)
        for tail, said in ((gap, ""), (another, ", and ends sessions as long after their last event")):
            if another == gap or (another == same and (tail == gap or "b" not in sample.on)):
                continue
            said_so = tail == another and _is_plain(another, sample.tick)
            yield Hypothesis(
                "another gap",
                f"parts sessions at {show_span(another, sample.tick)}{said}",
                windows=partial(_end_sessions, sample, spec, tail),
                say=f"session {show_span(another, sample.tick).replace(',', '')} in --window" if said_so else "",
            )
    yield from _list_kept(sample, window)
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
        yield Hypothesis("over all keys", "merges the sessions of all keys", windows=of_all_keys, mixes=True)
        why = "parts sessions where no key has an event for the gap, and not only its own"
        yield Hypothesis("over all keys", why, windows=partial(of_all_keys, own=True), mixes=True)
        n = len(sample.arrivals)
        for size in BATCHES:
            if size < n:
                yield Hypothesis(
                    "cut at a batch",
                    f"begins a new session with each batch of {size:,} events",
                    windows=partial(_cut_at_batches, sample, size),
                    needs=2,
                )


def _list_kept(sample: Sample, window: Session) -> Iterator[Hypothesis]:
    """Sessions whose state is cleared some time after they are over, so that one that begins before goes on with it."""
    spans = [span for span in list_spans(sample.tick) if span > window.gap]
    for span in spans:
        why = (
            f"keeps the state of a session until no event of its key came for {show_span(span, sample.tick)}, so that "
            "one which begins before has what that had, too"
        )
        windows = partial(_go_on, sample, window, span)
        one = Hypothesis("state kept", why, windows=windows, needs=2, bits=log2(len(spans)))
        if one.explains_some(sample):
            yield one


def _go_on(sample: Sample, window: Session, span: int, events: list[Event]) -> Iterator[Window]:
    kept: list[Event] = []
    for w in sample.split(window, events):
        if kept and w.a - kept[-1].time >= span:
            kept = []
        kept = [*kept, *w.events]
        yield w._replace(events=kept)


def _is_plain(gap: int, tick: Tick) -> bool:
    """Whether somebody may ask for such a gap: whole minutes, or a span that people choose; of plain numbers, any."""
    return tick is None or gap % (60 * get_second(tick)) == 0 or gap in list_spans(tick)


def _end_sessions(sample: Sample, spec: Session, tail: int, events: list[Event]) -> Iterator[Window]:
    for w in sample.split(spec, events):
        yield Window(w.a, w.b - spec.gap + tail, w.events)


def _cut_at_batches(sample: Sample, size: int, events: list[Event]) -> Iterator[Window]:
    for part in regroup(events, partial(find_batch, sample, size)):
        yield from sample.split(sample.window, sorted(part, key=lambda e: e[:2]))
