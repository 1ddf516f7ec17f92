"""Hints: other values of the audit's own options with which all results of the sample are right.

They come before diagnoses: the job may be right, and the request wrong.  A hint about the engine, about results for
empty windows or about the summation concerns the intended definition, so the diagnosis stops there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any, Final

from swagproof.models.windows.kinds import Calendar, Session, Sliding
from swagproof.models.windows.lateness import NEVER
from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.diagnosis.readings import exact, show_number, sums_up
from swagproof.pipeline.audit.diagnosis.sample import Event, Events, Got, Name, Sample, get_place, got_number, number_of
from swagproof.pipeline.audit.diagnosis.search import Search
from swagproof.pipeline.audit.options import ENGINES, Summation

_SUMMATIONS: Final[tuple[Summation, ...]] = ("running", "squares", "float32")
_EMPTY_TEXTS: Final = ("", "[]")


def spell(sample: Sample) -> list[str]:
    """Return the options with which the job is right, without any diagnosis."""
    found = [option for option, other in _list_engines(sample) if is_right(other)]
    found += _spell_empty(sample)
    if not found:
        found += [f"--summation {how}" for how in _SUMMATIONS if _is_summed(sample, how)][:1]
    return found[:2]


def from_options(search: Search) -> list[str]:
    """Return the options of edits that explain everything, contradict nothing and are worth their price.

    The cheapest edit of each kind counts.  Called before the search accepts a diagnosis.
    """
    sample = search.sample
    found: dict[str, str] = {}
    for edit, outcome in search.outcomes:
        if edit.option and outcome.explained == sample.open and search.weigh(edit, outcome, edit.price) is not None:
            found.setdefault(edit.name, edit.option)
    return list(found.values())[:2]


def is_right(other: Sample) -> bool:
    """Return whether all results are right in a sample with other options, as far as it holds their events."""
    judged = other.judged()
    return not judged.findings - {name for name in judged.findings if name in judged.aside}


def _list_engines(sample: Sample) -> Iterator[tuple[str, Sample]]:
    """Yield the sample with the watermarks of engines: of micro-batches, and of merging sessions."""
    if sample.delay is None or not sample.numbered:
        return
    touching = (
        replace(sample, window=replace(sample.window, touching=True)) if isinstance(sample.window, Session) else sample
    )
    for engine, rule in ENGINES.items():
        other = replace(touching, sessions=rule.sessions)
        if not rule.by_batch:
            behind = sample.delay - rule.ahead * sample.grain
            reached = {id(e): sample.latest.get(e.arrival, NEVER) for e in sample.came}
            marks = {key: at if at == NEVER else at - behind for key, at in reached.items()}
            plain = all(e.watermark in (NEVER, sample.latest.get(e.arrival, NEVER) - sample.delay) for e in sample.came)
            if plain and (isinstance(sample.window, Session) or rule.ahead):
                yield f"--engine {engine}", _with_marks(other, marks, marks)
            continue
        for column, batches in _list_batches(sample):
            late, over = (_mark_batches(batches[0], lag) for lag in (rule.lag, 2))
            if late is None or over is None:
                continue
            of_event = batches[1]
            marks = {key: _watermark(sample, late[batch]) for key, batch in of_event.items()}
            cleaned = {key: _watermark(sample, over[batch]) for key, batch in of_event.items()}
            batched = _with_marks(other, marks, cleaned)
            for by_time in (False, True):
                said = " --late-by time" if by_time else ", and no --late-by" if sample.by_time else ""
                yield f"--engine {engine} --batch {column}{said}", replace(batched, margin=0, by_time=by_time)


def _mark_batches(pairs: list[tuple[Any, int]], lag: int) -> dict[Any, int] | None:
    """Return, for each batch, the latest time up to `lag` batches before; None if the cells are not batch numbers."""
    latest: dict[Any, int] = {}
    for batch, time in pairs:
        if not isinstance(batch, int):
            return None
        latest[batch] = max(latest.get(batch, time), time)
    if not 1 < len(latest) <= len(pairs) / 2:
        return None
    so_far = [NEVER] * lag + list(accumulate((latest[batch] for batch in sorted(latest)), max))
    return dict(zip(sorted(latest), so_far, strict=False))


def _watermark(sample: Sample, latest: int) -> int:
    """Return Spark's watermark: in milliseconds, at least 0."""
    return 0 if latest == NEVER else max(0, latest // sample.grain * sample.grain - (sample.delay or 0))


def _list_batches(sample: Sample) -> Iterator[tuple[str, tuple[list[tuple[Any, int]], dict[int, Any]]]]:
    """Yield columns that may number micro-batches, with all pairs of batch and time, and each event's batch."""
    by_arrival = {id(e): e.arrival for e in sample.came}
    if sample.stream is not None:
        pairs = list(zip(sample.stream.arrivals.tolist(), sample.stream.times.tolist(), strict=True))
    else:
        pairs = [(e.arrival, e.time) for e in sample.came]
    yield sample.arrival_column or "COLUMN", (pairs, by_arrival)
    for i, column in enumerate(sample.columns if sample.whole else ()):
        yield column, ([(e.others[i], e.time) for e in sample.came], {id(e): e.others[i] for e in sample.came})


def _with_marks(sample: Sample, marks: dict[int, int], cleaned: dict[int, int]) -> Sample:
    """Return the sample with other watermarks, by the ids of its events."""

    def mark(e: Event) -> Event:
        return e._replace(watermark=marks.get(id(e), e.watermark), cleaned=cleaned.get(id(e)))

    events: Events = {key: [mark(e) for e in of] for key, of in sample.events.items()}
    last = max((e.watermark for of in events.values() for e in of), default=NEVER)
    return replace(sample, events=events, open_from=None if sample.open_from is None else last + 1, stream=None)


def _spell_empty(sample: Sample) -> list[str]:
    """Return the option `--empty`, if all findings are results for windows without a value."""
    kinds = {_nothing(sample, name) for name in sample.open}
    if not kinds or None in kinds:
        return []
    return [f"--empty {'any' if len(kinds) > 1 else kinds.pop()}"]


def _nothing(sample: Sample, name: Name) -> str | None:
    """Return the form in which a result states that a window has no value, null or zero, if this is true; else None."""
    got, due = sample.results.get(name, ()), sample.answers.get(name, ())
    if len(got) != 1:
        return None
    window = sample.window
    there = isinstance(window, Sliding | Calendar) and window.has(name[1], name[2])
    if not (there if not due else due[0].text is None or (due[0].text == "0" and sample.aggregate.endswith("count"))):
        return None
    text, number = got[0]
    if text is None and (number is None or number != number):
        return "null"
    return "zero" if got_number(got[0]) == 0 or text in _EMPTY_TEXTS else None


def _is_summed(sample: Sample, how: Summation) -> bool:
    """Return whether all findings are right with this summation of floats."""
    if "float" not in sample.kinds:
        return False
    try:
        over = sample.aggregation.sum_as(how)
    except InputError:
        return False
    past: dict[str, int] = {}
    before: dict[str, set[int]] = {}
    for name in sorted(sample.expected, key=lambda n: (n[0], get_place(n), n[2] or 0)):
        part = sample.expected[name][0]
        partial = over.operation.identity
        for e in part.events:
            partial = over.operation.combine(partial, e.lifted)
        held = {id(e) for e in part.events}
        if over.sums is not None and how == "running" and part.events:
            entered = len(held - before.get(name[0], set()))
            past[name[0]] = past.get(name[0], 0) + entered * over.sums.mass(partial)
        before[name[0]] = held
        if name in sample.open:
            got: Sequence[Got] = sample.results.get(name, ())
            answer = over.answer(partial, as_text=False, past=past.get(name[0], 0))
            if len(got) != 1 or not (sample.agrees(answer, got[0]) or over.is_excused(answer, got_number(got[0]))):
                return False
    return all(name in sample.expected for name in sample.open)


def add_up(sample: Sample) -> str:
    """Return a sentence if the results of windows add up to the expected one; otherwise an empty text."""
    several = [name for name in sorted(sample.open, key=str) if len(sample.results.get(name, ())) > 1]
    those = [name for name in several if sums_up(sample, name)]
    if not those or 2 * len(those) < len(several):
        return ""
    numbers = [exact(got_number(got)) for got in sample.results[those[0]]]
    shown = " and ".join(", ".join(map(show_number, numbers)).rsplit(", ", 1))
    total = show_number(exact(number_of(sample.answers[those[0]][0])))
    more = f"; so do those of {len(those) - 1:,} other windows" if len(those) > 1 else ""
    return f"the rows {shown} of a window add up to the {total} expected{more}"
