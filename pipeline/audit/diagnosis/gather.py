"""A sample of an audit's tables: keys with findings, with all their events and results, up to a limit.

At most `MOST` events of at most `KEYS` keys are read, starting with the keys with findings that have the fewest events;
the rest is filled with keys without findings.  If a single key exceeds the limit, only its first events are read, and
windows that reach beyond them are excluded.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC
from fractions import Fraction
from functools import partial, reduce
from heapq import nsmallest
from itertools import chain, count
from typing import Any, Final

from swagproof.models.windows.kinds import Calendar, Sliding
from swagproof.models.windows.lateness import NEVER
from swagproof.pipeline.audit.audit_job import Job
from swagproof.pipeline.audit.backends.holder import Holder
from swagproof.pipeline.audit.compare import SAID
from swagproof.pipeline.audit.diagnosis.readings import second
from swagproof.pipeline.audit.diagnosis.sample import Event, Events, Got, Name, Sample, Stream, get_place
from swagproof.pipeline.audit.expected.compute import read_columns, read_values
from swagproof.pipeline.audit.judging import FINDING_KINDS
from swagproof.pipeline.audit.reading.cells import compute, read_nanos

MOST: Final = 4_000
KEYS: Final = 200
_FOLLOWED: Final = 500_000
"""The greatest number of events that are all followed by a watermark; if there are more, only the sample's are."""
_WIDE: Final = 30_000
"""The greatest size of a sample: its events, counted in each of their windows, weighted by the aggregation."""
_FIRST, _UNTIL = -61_000_000_000, 253_000_000_000
"""The range of usual calendar years, in seconds: 9999-12-31 often stands for no end."""


def gather(held: Holder, job: Job, rows: int, *, columns: bool = True) -> tuple[Sample, list[dict[str, Any]]]:
    """Return a sample of the tables, and the findings in it; `rows` is the number of events.

    Without `columns`, the other columns are not read.
    """
    keys, until = None, None
    everything: Any = None
    if rows > MOST:
        keys, until = _choose_keys(held)
    if rows <= _FOLLOWED and (keys is not None or job.policy.has_watermark):
        everything = held.good(1, None).take()
    found = _read_found(held, keys)
    if keys is not None and everything is not None:
        keys += _list_beside(everything["key"], keys)
        found = _read_found(held, keys)
    wrong = [row for row in found if row["kind"] in FINDING_KINDS]
    events = _read_events(held.good(1, keys).before(until).take(), job)
    skipped: Events = {}
    others = job.columns if columns and wrong else ()
    if wrong and columns and (others or job.skips):
        beside = held.beside(job, keys).take()
        if job.skips:
            empty = reduce(compute.or_, [beside[f"v{i}"].is_null() for i in range(len(job.plan.kinds))])
            skipped = _read_skipped(beside.filter(empty), job, until)
        cells = _read_others(beside, others, job) if others else {}
        found_events, found_skipped = (_with_others(those, cells) if others else those for those in (events, skipped))
        if found_events is None or found_skipped is None:
            others = ()
        else:
            events, skipped = found_events, found_skipped
    sample = Sample(
        window=job.window,
        aggregation=job.aggregation,
        kind=job.plan.kind,
        kinds=job.plan.kinds,
        on=job.plan.on,
        events=events,
        results=_read_results(held.good(0, keys).take().to_pylist(), job),
        findings=frozenset(name_finding(row, job.plan.on) for row in wrong),
        lateness=job.plan.lateness if job.plan.watermarks else None,
        margin=job.policy.margin,
        by_time=job.policy.late_by == "time",
        late=job.policy.late,
        empty=job.plan.empty,
        delay=None if not job.plan.watermarks else 0 if job.policy.watermark is None else job.policy.watermark.delay,
        sessions=job.plan.sessions,
        tick=job.tick,
        by_row=job.plan.by_row,
        whole=keys is None,
        until=until,
        open_from=_find_open(events) if job.plan.watermarks and not job.policy.complete else None,
        columns=others,
        skipped=skipped,
        unknown=frozenset(
            name_finding(row, job.plan.on) for row in found if row["kind"] not in (*FINDING_KINDS, "excused")
        ),
        numbered=job.plan.arrivals,
        stream=None if everything is None else _read_stream(everything),
        arrival_column=job.arrival or "",
        grain={"us": 1_000, "ns": 1_000_000}.get(job.tick or "", 1),
    )
    return _number(_limit(sample)), wrong


def _read_found(held: Holder, keys: list[str] | None) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = held.found(*SAID).among("key", keys).take().to_pylist()
    return rows


def _choose_keys(held: Holder) -> tuple[list[str], int | None]:
    """Return the keys with findings that have the fewest events, and the time limit of the first if it is too large."""
    keys: list[str] = []
    total = 0
    sizes: Counter[str] = Counter()
    for row in held.found("size").take().to_pylist():
        sizes[row["key"]] += row["n"]
    for key, n in nsmallest(KEYS, sizes.items(), key=lambda it: (it[1], it[0])):
        if keys and total + n > MOST:
            break
        keys.append(key)
        total += n
    if total <= MOST:
        return keys, None
    return keys, compute.max(held.good(1, keys).take(MOST, by="time")["time"]).as_py()


def _limit(sample: Sample) -> Sample:
    """Return the sample without times outside usual calendar years, and within the size `_WIDE`."""
    times = sorted(e.time for of in (sample.events, sample.skipped) for events in of.values() for e in events)
    if sample.tick is not None and times:
        first, until = _FIRST * second(sample.tick), _UNTIL * second(sample.tick)
        if times[0] < first or times[-1] >= until:
            sample = sample.between(first, until if times[-1] >= until else None)
    n = len(times)
    while n > 50 and sample.size > _WIDE:
        n = max(50, min(n // 2, n * _WIDE // sample.size))
        at = 0
        if isinstance(sample.window, Sliding | Calendar) and sample.findings:  # some events before the first finding
            first = min(map(get_place, sample.findings))
            at = max(0, min(bisect_left(times, first) - n // 3, len(times) - n))
        sample = sample.between(times[at] if at else None, times[at + n - 1] if at + n < len(times) else None)
    return sample


def _number(sample: Sample) -> Sample:
    """Number events without arrival numbers by position, so that they can be distinguished."""
    if sample.numbered:
        return sample
    numbers = count()
    numbered = {key: [e._replace(arrival=next(numbers)) for e in of] for key, of in sample.events.items()}
    return replace(sample, events=numbered, stream=None)


def _list_beside(cells: Any, but: list[str]) -> list[str]:
    """Return keys without findings, those with the fewest events first, within the limits."""
    counts = compute.value_counts(cells.combine_chunks())
    sizes = dict(zip(counts.field("values").to_pylist(), counts.field("counts").to_pylist(), strict=True))
    room = MOST - sum(sizes.get(key, 0) for key in but)
    beside: list[str] = []
    for key in sorted(sizes.keys() - set(but), key=lambda key: (sizes[key], key)):
        room -= sizes[key]
        if room < 0 or len(beside) + len(but) >= KEYS:
            break
        beside.append(key)
    return beside


def _read_stream(everything: Any) -> Stream:
    return Stream(everything["time"].to_numpy(), everything["arrival"].to_numpy())


def name_finding(row: dict[str, Any], on: tuple[str, ...]) -> Name:
    """Return the window of a finding, with the name that results give it."""
    return row["key"], row["a"] if "a" in on else None, row["b"] if "b" in on else None


def _read_events(events: Any, job: Job) -> Events:
    lift = job.aggregation.operation.lift
    found: Events = {}
    for batch in events.to_batches():
        for row, value, parts in _read_rows(batch, job):
            try:
                lifted = lift(value)
            except Exception:  # a custom monoid raises anything; the event is a bad row, and counts nowhere
                continue
            event = Event(row["time"], row["arrival"], value, row.get("watermark", NEVER), lifted, row.get("cleaned"))
            event = event._replace(parts=parts) if value is None else event
            found.setdefault(row["key"], []).append(event)
    for of_key in found.values():
        of_key.sort(key=lambda event: event[:2])
    return found


def _read_rows(batch: Any, job: Job) -> Iterator[tuple[dict[str, Any], Any, tuple[Any, ...] | None]]:
    """Yield the key, time and arrival of each event, its value, and the cells of the value columns."""
    there = [name for name in ("watermark", "cleaned") if name in batch.schema.names and job.plan.watermarks]
    rows = batch.select(["key", "time", "arrival", *there]).to_pylist()
    values = read_values(batch, job.plan.kinds, partly=job.aggregation.partly)
    return zip(rows, values, _read_parts(batch, job), strict=True)


def _read_parts(rows: Any, job: Job) -> Iterable[tuple[Any, ...] | None]:
    if len(job.plan.kinds) < 2:
        return [None] * rows.num_rows
    return zip(*read_columns(rows, job.plan.kinds), strict=True)


def _read_skipped(empty: Any, job: Job, until: int | None) -> Events:
    """Return the events without a value, which the audit skips."""
    found: Events = {}
    rows = empty.select(["key", "time", "arrival"]).to_pylist()
    for row, parts in zip(rows, _read_parts(empty, job), strict=True):
        if until is None or row["time"] < until:
            found.setdefault(row["key"], []).append(Event(row["time"], row["arrival"], None, parts=parts))
    return found


_Cells = dict[tuple[str, int, int, str, str], list[tuple[Any, ...]]]
"""The other cells of the events of a key, time, arrival and value."""


def _with_others(events: Events, others: _Cells) -> Events | None:
    """Return the events with the cells of other columns; None if an event's cells are missing."""
    found: Events = {}
    for key, mine in events.items():
        found[key] = []
        for event in mine:
            cells = others.get((key, event.time, event.arrival, repr(event.value), repr(event.parts)))
            if not cells:
                return None
            found[key].append(event._replace(others=cells.pop()))
    return found


def _read_others(beside: Any, columns: tuple[str, ...], job: Job) -> _Cells:
    cells = [_read_cells(beside.column(f"o{i}").to_pylist(), job) for i in range(len(columns))]
    rows = chain.from_iterable(_read_rows(batch, job) for batch in beside.to_batches())
    found: _Cells = {}
    for (row, value, parts), mine in zip(rows, zip(*cells, strict=True), strict=True):
        place = row["key"], row["time"], row["arrival"], repr(value), repr(parts if value is None else None)
        found.setdefault(place, []).append(mine)
    return found


def _read_cells(texts: list[str | None], job: Job) -> list[Any]:
    """Return cells as numbers, if all of them are numbers or times."""
    number = float if job.plan.kinds == ("float",) else Fraction
    for read in (int, number, partial(_read_time, second(job.tick))) if job.tick else (int, number):
        try:
            cells = [None if text is None else read(text) for text in texts]
        except (ValueError, ZeroDivisionError):
            continue
        return [cell if cell == cell else None for cell in cells]  # NaN becomes None
    return list(texts)


def _read_time(ticks: int, text: str) -> int:
    nanos = read_nanos(text, UTC)
    if nanos is None:
        raise ValueError(text)
    return nanos * ticks // 10**9


def _find_open(events: Events) -> int:
    """Return the first end that no watermark had passed when an event arrived: later windows may still be open."""
    return 1 + max((e.watermark for of_key in events.values() for e in of_key), default=NEVER)


def _read_results(rows: list[dict[str, Any]], job: Job) -> dict[Name, list[Got]]:
    """Return the final results: all, those of the last version, or those not retracted."""
    found: dict[Name, list[Got]] = {}
    newest: dict[Name, int] = {}
    for row in sorted(rows, key=lambda row: (row.get("version") or 0, bool(row.get("retraction")))):
        name, got = name_finding(row, job.plan.on), Got(row["got"] if row["number"] is None else None, row["number"])
        standing = found.setdefault(name, [])
        if job.plan.retractions and row["retraction"]:
            if got in standing:
                standing.remove(got)
            continue
        if job.plan.versioned and not job.plan.retractions:
            if row["version"] > newest.get(name, row["version"]):
                standing.clear()
            newest[name] = row["version"]
        standing.append(got)
    return {name: standing for name, standing in found.items() if standing}
