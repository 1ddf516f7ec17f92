"""The table of rows: changes to the results that a job writes, to their names, and combinations of several."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate, chain, pairwise
from math import log2
from typing import Any, Final

from swagproof.models.windows.kinds import Calendar, Counted, Frame, Session, Sliding
from swagproof.pipeline.audit.diagnosis.answers import groups, make_answer, split_by
from swagproof.pipeline.audit.diagnosis.hypothesis import Edit, Family, Row
from swagproof.pipeline.audit.diagnosis.readings import READ, key_words, name_shifts, second
from swagproof.pipeline.audit.diagnosis.sample import (
    NULL,
    Event,
    Name,
    Part,
    Predicted,
    Sample,
    get_place,
    in_order,
    number_of,
)
from swagproof.pipeline.audit.diagnosis.windows import end_of
from swagproof.pipeline.audit.diagnosis.zones import zone_offset, zones_of
from swagproof.pipeline.audit.rules import Answer
from swagproof.pipeline.audit.wording import count_of, format_time, show_span

Rows = Callable[[Predicted], Predicted]


def _is_fixed(sample: Sample) -> bool:
    return isinstance(sample.window, Sliding | Calendar | Session)


def _has_several(sample: Sample) -> bool:
    return any(len(got) > 1 for got in sample.results.values())


def _rename(rename: Callable[[Name, Part], Name]) -> Rows:
    """Return a function that renames results."""

    def make(rows: Predicted) -> Predicted:
        made: Predicted = {}
        for name, parts in rows.items():
            for part in parts:
                made.setdefault(rename(name, part), []).append(part)
        return made

    return make


def _shift(name: Name, begin: int, end: int) -> Name:
    """Return the name with its begin and its end shifted."""
    return name[0], None if name[1] is None else name[1] + begin, None if name[2] is None else name[2] + end


def _each(change: Callable[[Part], Sequence[Part]]) -> Rows:
    """Return a function that replaces each result by others."""
    return lambda rows: {name: [one for part in parts for one in change(part)] for name, parts in rows.items()}


def _keep(kept: Callable[[Name, int, Answer], bool], sample: Sample) -> Rows:
    """Return a function that keeps the results of some windows, by name, number of events and answer."""

    def make(rows: Predicted) -> Predicted:
        return {
            name: parts
            for name, parts in rows.items()
            if kept(name, sum(len(part.events) for part in parts), _answer(sample, parts[0]))
        }

    return make


def _answer(sample: Sample, part: Part) -> Answer:
    return part.answer or sample.answer(part.events)


def _in_turn(change: Callable[[list[Name], Predicted], Predicted]) -> Rows:
    """Return a function that changes the results of each key, in the order of its windows."""

    def make(rows: Predicted) -> Predicted:
        of: dict[str, list[Name]] = defaultdict(list)
        for name in sorted(rows, key=lambda n: (get_place(n), n[2] or 0)):
            of[name[0]].append(name)
        made: Predicted = {}
        for names in of.values():
            made |= change(names, rows)
        return made

    return make


def _of_several(sample: Sample, make: Callable[[list[Any]], list[Any]]) -> Rows:
    """Return a function that computes new results from the answers of a key's windows."""

    def change(names: list[Name], rows: Predicted) -> Predicted:
        numbers = [Fraction(number_of(_answer(sample, rows[name][0])) or 0) for name in names]
        made = [x if x is None or sample.kind != "float" else float(x) for x in make(numbers)]
        return {name: [Part((), make_answer(x))] for name, x in zip(names, made, strict=True)}

    return _in_turn(change)


def _by_end(sample: Sample) -> Iterator[Edit]:
    if "a" in sample.on and (_is_fixed(sample) or isinstance(sample.window, Counted)):
        yield Edit("writes a window's end as its start", rows=_rename(lambda n, _p: (n[0], end_of(sample, n), n[2])))
    if "a" in sample.on and _is_fixed(sample):
        yield Edit("labels windows by their end", rows=_rename(
            lambda n, _p: _shift(n, end_of(sample, n) - (n[1] or 0), end_of(sample, n) - (n[1] or 0))))  # fmt: skip
    if "a" not in sample.on and isinstance(sample.window, Sliding):
        length = sample.window.range
        yield Edit("labels windows by their start", rows=_rename(lambda n, _p: _shift(n, 0, -length)))


def _by_last(sample: Sample) -> Iterator[Edit]:
    if isinstance(sample.window, Session) and "b" in sample.on:
        yield Edit("labels the end of a session with its last event",
                   rows=_rename(lambda n, p: (n[0], n[1], max(e.time for e in p.events))))  # fmt: skip


def _ends_named(sample: Sample) -> Iterator[Edit]:
    if _is_fixed(sample) and "b" in sample.on:
        tick = second(sample.tick)
        for unit in {1} if sample.tick is None else {1, tick // 1000, tick, 86_400 * tick}:
            shown = show_span(unit, sample.tick)
            yield Edit(f"labels the end of each window {shown} too early",
                       rows=_rename(partial(lambda u, n, _p: _shift(n, 0, -u), unit)),
                       option=f"--window-end-less {shown}")  # fmt: skip


def _names_moved(sample: Sample) -> Iterator[Edit]:
    if _is_fixed(sample) or isinstance(sample.window, Counted):
        shifts = dict.fromkeys(name_shifts(sample), READ)
        if isinstance(sample.window, Sliding):
            shifts |= {sample.window.slide: 1.0, -sample.window.slide: 1.0}
        for by, bits in shifts.items():
            yield Edit(f"labels each window {show_span(abs(by), sample.tick)} too {'late' if by > 0 else 'early'}",
                       bits=bits, needs=3, rows=_rename(partial(lambda b, n, _p: _shift(n, b, b), by)))  # fmt: skip


def _names_of_zone(sample: Sample) -> Iterator[Edit]:
    tick = second(sample.tick)
    for zone in zones_of(sample) if sample.tick is not None and _is_fixed(sample) else ():
        for sign, words in ((1, f"in {zone} local time"), (-1, f"as if {zone} local times were UTC")):

            def rename(name: Name, _part: Part, zone: str = zone, sign: int = sign) -> Name:
                by = [sign * zone_offset(zone, (at or 0) // (900 * tick)) * tick for at in name[1:]]
                return _shift(name, *by)

            yield Edit(f"labels windows {words}", bits=3.0, rows=_rename(rename))


def _running(sample: Sample) -> Iterator[Edit]:
    if sample.is_number:
        for words, how in (("sum", None), ("maximum", max), ("minimum", min)):
            yield Edit(f"writes the running {words} of the key's windows", bits=float(how is not None),
                       rows=_of_several(sample, partial(lambda how, x: list(accumulate(x, how)), how)))  # fmt: skip


def _filled(sample: Sample) -> Iterator[Edit]:
    window = sample.window
    if not isinstance(window, Sliding):
        return

    def fill(names: list[Name], rows: Predicted, *, value: Answer | None) -> Predicted:
        made: Predicted = {name: rows[name] for name in names}
        for name, after in pairwise(names):
            for by in range(1, _GAP):
                between = _shift(name, by * window.slide, by * window.slide)
                if get_place(between) >= get_place(after):
                    break
                made[between] = rows[name] if value is None else [Part((), value)]
        return made

    for words, value in (("null", NULL), ("0", Answer("0", 0.0, 0.0)), ("the previous result", None)):
        yield Edit(f"writes {words} for empty windows between others of the key",
                   rows=_in_turn(partial(fill, value=value)))  # fmt: skip


_GAP: Final = 1000
"""Longer pauses are not filled."""


def _lost(sample: Sample) -> Iterator[Edit]:
    if not any(name not in sample.results for name in sample.open):
        return
    for n in (1, 2, 3, 5, 10):
        yield Edit(f"omits results of at most {count_of(n, 'event')}", bits=1.0,
                   rows=_keep(partial(lambda n, _n, k, _a: k > n, n), sample))  # fmt: skip
    yield Edit("omits results that are zero", rows=_keep(lambda _n, _k, a: number_of(a) != 0, sample))
    yield Edit("omits results that are null", rows=_keep(lambda _n, _k, a: a.text is not None, sample))
    yield Edit("omits negative results", rows=_keep(lambda _n, _k, a: (number_of(a) or 0) >= 0, sample))


def _keys_lost(sample: Sample) -> Iterator[Edit]:
    there = {name[0] for name in sample.results}
    lost = frozenset(key for key in sample.wrong_keys if key in sample.events and key not in there)
    if lost and there:
        shown = ", ".join(map(key_words, sorted(lost)[:3])) + (", ..." if len(lost) > 3 else "")
        yield Edit(f"omits all results of key{'s' * (len(lost) > 1)} {shown}", needs=1,
                   rows=_keep(lambda n, _k, _a: n[0] not in lost, sample),
                   bits=len(lost) * log2(max(2, len(sample.events))))  # fmt: skip


def _stretch(sample: Sample) -> Iterator[Edit]:
    missing = [get_place(name) for name in sample.open if name not in sample.results]
    if len(missing) < 2:
        return
    low, high = min(missing), max(missing)
    there = {get_place(name) for name in sample.results}
    before, after = any(at < low for at in there), any(at > high for at in there)
    if not any(low <= at <= high for at in there):
        words = f"from {format_time(low, sample.tick)}" if before else "from the first"
        words += f" to {format_time(high, sample.tick)}" if after else " on"
        yield Edit(f"omits results {words}", bits=(before + after) * log2(max(2, len(there))),
                   rows=_keep(lambda n, _k, _a: not low <= get_place(n) <= high, sample))  # fmt: skip


def _repeated(sample: Sample) -> Iterator[Edit]:
    for n in sorted({len(got) for got in sample.results.values() if len(got) > 1})[:3]:
        some = frozenset(name for name, got in sample.results.items() if len(got) == n and len(set(got)) == 1)
        yield Edit(f"writes each result {n} times", rows=_each(partial(lambda n, p: [p] * n, n)))
        yield Edit(f"writes some results {n} times", bits=2.0, rows=partial(lambda n, some, rows: {
            name: list(parts) * (n if name in some else 1) for name, parts in rows.items()}, n, some))  # fmt: skip


def _parts(sample: Sample) -> Iterator[Edit]:
    if _has_several(sample) and not isinstance(sample.window, Frame):
        for words, group, bits in (*groups(sample), ("each event", id, 0.0)):
            yield Edit(f"writes a separate result for {words}", bits=bits,
                       rows=_each(partial(lambda g, p: list(map(Part, split_by(g, p.events))), group)))  # fmt: skip


def _one_part(sample: Sample) -> Iterator[Edit]:
    chosen: dict[str, Callable[[list[list[Event]]], list[Event]]] = {
        "latest": lambda parts: parts[-1],
        "last to arrive": lambda parts: max(parts, key=lambda part: max(e.arrival for e in part)),
        "earliest": lambda parts: parts[0],
    }
    for words, group, bits in groups(sample) if not isinstance(sample.window, Frame) else ():
        for which, choose in chosen.items():
            yield Edit(f"keeps only one of the partial results of {words}: the {which}", bits=bits + 1,
                       content=partial(lambda g, c, es: c(split_by(g, es)) if es else es, group, choose))  # fmt: skip


def _state_kept(sample: Sample) -> Iterator[Edit]:
    if isinstance(sample.window, Sliding | Calendar):

        def carry(names: list[Name], rows: Predicted, *, most: int) -> Predicted:
            held = [rows[name][0].events for name in names]
            return {name: [Part(list(chain(*held[max(0, i - most) : i + 1])))] for i, name in enumerate(names)}

        for words, most in (("never clears a window's state for the next", len(sample.expected)),
                            ("also counts the previous window's events in each window", 1)):  # fmt: skip
            yield Edit(words, rows=_in_turn(partial(carry, most=most)))


def _versions(sample: Sample) -> Iterator[Edit]:
    """Yield edits that combine or select among the versions of a window's result."""
    if not sample.numbered or not _is_fixed(sample):
        return
    option = "--late update, and by --version which of a window's results came last"
    if _has_several(sample):
        yield Edit("writes a new result for each event and keeps the earlier ones", bits=2.0, option=option,
                   rows=_each(lambda p: list(map(Part, _growing(p.events, 1)))))  # fmt: skip
    if sample.delay is None:
        return

    def versions(part: Part, end: int) -> list[list[Event]]:
        return _growing(part.events, max(1, sum(e.watermark < end for e in part.events)))

    def fold(rows: Predicted, *, how: Callable[[list[Any]], Any]) -> Predicted:
        made: Predicted = {}
        for name, parts in rows.items():
            numbers = [number_of(sample.answer(held)) for held in versions(parts[0], end_of(sample, name))]
            several = len(numbers) > 1 and None not in numbers
            made[name] = [Part(parts[0].events, make_answer(how(numbers)))] if several else parts
        return made

    yield Edit("keeps the first version of each result", rows=lambda rows: {
        name: [Part(versions(parts[0], end_of(sample, name))[0])] for name, parts in rows.items()})  # fmt: skip
    for words, how in (("sum", sum), ("maximum", max), ("minimum", min)):
        yield Edit(f"keeps the {words} of all versions of a result", rows=partial(fold, how=how))
    if _has_several(sample):
        yield Edit("writes each version of a result and keeps the earlier ones", option=option, rows=lambda rows: {
            n: list(map(Part, versions(parts[0], end_of(sample, n)))) for n, parts in rows.items()})  # fmt: skip


def _growing(events: Sequence[Event], first: int) -> list[list[Event]]:
    """Return a window's content after its first `first` events, and after each later event."""
    came = sorted(events, key=lambda e: (e.watermark, e.arrival))
    return [in_order(came[:n]) for n in range(first, len(came) + 1)]


_LABELS: Final = "pandas: DataFrame.resample, label"
_UPDATES: Final = "Apache Flink: Dynamic Tables, table to stream conversion"
_HAVING: Final = "PostgreSQL: Table Expressions, HAVING Clause"

ROWS: Final = (
    Row("named by the end", "Windows are labelled by their end instead of their start, or the reverse.",
        Family.BORDER, _LABELS, _by_end),
    Row("named by its last event", "The end of a session is labelled with its last event.",
        Family.BORDER, "Apache Spark: Structured Streaming Programming Guide, Session Window", _by_last),
    Row("ends named otherwise", "Results are right, but window ends are labelled differently.", Family.BORDER,
        "Apache Flink: Window table-valued functions, window_time", _ends_named),
    Row("names moved", "Results are right, but windows are labelled differently.", Family.BORDER, _LABELS,
        _names_moved),
    Row("time zone", "Times, windows or window labels use another time zone, or mistake the hour that clocks repeat.",
        Family.ZONE, "pandas: DataFrame.tz_localize", _names_of_zone),
    Row("running", "Each result accumulates all windows of the key so far.", Family.RETRY,
        "metabase/metabase#41340", _running),
    Row("empty windows filled", "Empty windows have a result.", Family.NULL, _LABELS, _filled),
    Row("result lost", "Windows with few events, or with certain results, are omitted.", Family.OTHER, _HAVING, _lost),
    Row("key lost", "A key has no results.", Family.NULL, "PostgreSQL: Comparison Functions, IS NOT DISTINCT FROM",
        _keys_lost),
    Row("stretch lost", "No key has results in a span of time.", Family.BORDER,
        "Apache Airflow: Backfill", _stretch),
    Row("repeated", "Results are written more than once.", Family.RETRY, "Apache Kafka: Message Delivery Semantics",
        _repeated),
    Row("partial results", "Partial aggregates are written without being merged.", Family.RETRY,
        "turbolytics/sql-flow#203", _parts),
    Row("one part of several", "Partial aggregates overwrite each other; one of them remains.", Family.RETRY,
        "turbolytics/sql-flow#203", _one_part),
    Row("state kept", "The state of a window is not cleared for the next.", Family.RETRY,
        "resilience4j/resilience4j#1335", _state_kept),
    Row("versions folded", "All versions of a result are added up, or one of them is kept.", Family.LATE, _UPDATES,
        _versions),
)  # fmt: skip
"""The rows of the slot `rows`."""
