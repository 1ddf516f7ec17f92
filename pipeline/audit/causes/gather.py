"""A sample of an audit's tables: the keys with findings, all their events and results, up to a bound.

However many events there are, at most `MOST` of them are looked into, of at most `KEYS` keys: those with findings that
have fewest events, for then there are most of them; where results are missing and there is room, others are beside
them, whose results are there.  Of a key that has more by itself, its first events are taken, and what reaches
beyond them is left aside.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from fractions import Fraction
from functools import reduce
from itertools import chain, groupby
from typing import Any, Final, TypeAlias

import numpy as np

from swagproof.models.windows.lateness import NEVER
from swagproof.pipeline.audit.causes.sample import Event, Events, Got, Name, Sample
from swagproof.pipeline.audit.causes.spans import get_second
from swagproof.pipeline.audit.cells import compute
from swagproof.pipeline.audit.due.expected import read_columns, read_values
from swagproof.pipeline.audit.judging import FINDING_KINDS
from swagproof.pipeline.audit.request import Holder, Job

MOST: Final = 4_000
KEYS: Final = 200
_FOLLOWED: Final = 500_000
"""Of more events only those of the sample are followed by a watermark."""
_Place: TypeAlias = tuple[str, int, int, str, str]
"""An event by its key, time, arrival, value and what that is made of."""
_Cells: TypeAlias = tuple[Any, ...]
"""What an event has in other columns."""
_FIRST: Final = datetime(12, 1, 1, tzinfo=UTC)
_UNTIL: Final = datetime(9990, 1, 1, tzinfo=UTC)


def gather(held: Holder, job: Job, rows: int, results: int) -> tuple[Sample, list[dict[str, Any]]]:
    """The sample, of what is held, and the findings in it; `rows` is how many events there are, `results` how many
    results."""
    keys: list[str] | None = None
    everything: Any = None
    until: int | None = None
    room = 0
    if rows > MOST:
        keys, total, sizes = [], 0, held.list_sizes(KEYS)
        room = MOST - sum(n for _, n in sizes)
        for key, n in sizes:
            if keys and total + n > MOST:
                break
            keys.append(key)
            total += n
        if total > MOST:
            until = held.find_time(keys, MOST)
        elif rows <= _FOLLOWED:
            everything = held.take_events(None, None)
    found = held.take_found(keys)
    if keys is not None and everything is not None and _are_missing(found):
        keys += _list_beside(everything["key"], keys, room)
        found = held.take_found(keys)
    wrong = [row for row in found if row["kind"] in FINDING_KINDS]
    events, columns = _read_events(held.take_events(keys, until), job), job.columns if wrong else ()
    skipped: Events = {}
    if wrong and (columns or job.skips):
        beside = held.take_beside(job, keys)
        if job.skips:
            empty = reduce(compute.or_, [beside[f"v{i}"].is_null() for i in range(len(job.plan.kinds))])
            skipped = _read_skipped(beside.filter(empty), job, until)
        others = _read_others(beside, columns, job) if columns else {}
        all_, without = (_with_others(those, others) if columns else None for those in (events, skipped))
        if all_ is None or without is None:
            columns = ()
        else:
            events, skipped = all_, without
    rows_there = held.take_results(keys)
    untaken = _find_untaken(rows_there, job) if job.retractions and job.versioned else frozenset[Name]()
    sample = Sample(
        window=job.window,
        aggregation=job.aggregation,
        kind=job.judge.kind,
        kinds=job.plan.kinds,
        on=job.on,
        events=events,
        results=_read_results(rows_there, job),
        findings=frozenset(name_finding(row, job.on) for row in wrong),
        told=frozenset(name_finding(row, job.on) for row in wrong if row["kind"] == "late-differing"),
        lateness=job.plan.lateness if job.plan.watermarks else None,
        margin=job.policy.margin,
        by_time=job.policy.late_by == "time",
        drops=job.policy.late == "drop",
        delay=None if not job.plan.watermarks else 0 if job.policy.watermark is None else job.policy.watermark.delay,
        idles=job.policy.watermark is not None and job.policy.watermark.idle is not None,
        sessions=job.plan.sessions,
        tick=job.tick,
        by_row=job.plan.by_row,
        whole=keys is None,
        silent=not results,
        latest=_follow(everything, events) if everything is not None else None,
        places=_place(everything, events) if everything is not None and not job.skips else None,
        until=until,
        updates=job.versioned,
        retracts=bool(job.retractions),
        earlier=_read_earlier(rows_there, job) if job.versioned and not job.retractions else {},
        open_from=_find_open(events) if job.plan.watermarks and not job.policy.complete else None,
        untaken=untaken,
        columns=columns,
        key_columns=job.key,
        skipped=skipped,
        unknown=frozenset(name_finding(row, job.on) for row in found if row["kind"] not in (*FINDING_KINDS, "excused")),
    )
    return _leave_far(sample), wrong


def _leave_far(sample: Sample) -> Sample:
    """Without times of years that calendars hardly have, such as 9999-12-31 for no end: no clock is shifted there."""
    if sample.tick is None:
        return sample
    first, until = (int(at.timestamp()) * get_second(sample.tick) for at in (_FIRST, _UNTIL))
    times = [e.time for of in (sample.events, sample.skipped) for events in of.values() for e in events]
    if min(times, default=first) < first:
        sample = sample.after(first)
    return sample.before(until) if max(times, default=first) >= until else sample


def _are_missing(found: list[dict[str, Any]]) -> bool:
    """Whether most findings are results that are not there, of which nothing is told but by those that are."""
    kinds = [row["kind"] for row in found if row["kind"] in FINDING_KINDS]
    return 2 * kinds.count("missing") > len(kinds)


def _list_beside(cells: Any, but: list[str], most: int) -> list[str]:
    """Keys without findings, which speak for what is wrong of those that have some alone: those with fewest events."""
    counts = compute.value_counts(cells.combine_chunks())
    sizes = zip(counts.field("counts").to_pylist(), counts.field("values").to_pylist(), strict=True)
    beside: list[str] = []
    there = set(but)
    for n, key in sorted((n, key) for n, key in sizes if key not in there):
        most -= n
        if most < 0 or len(beside) + len(but) >= KEYS:
            break
        beside.append(key)
    return beside


def _follow(all_: Any, sampled: Events) -> dict[int, int]:
    """Of the arrival of each of some events the latest time of all that had come before."""
    arrivals, times = (all_[name].to_numpy() for name in ("arrival", "time"))
    order = np.argsort(arrivals, kind="stable")
    came, latest = arrivals[order], np.maximum.accumulate(times[order])
    asked = sorted({e.arrival for events in sampled.values() for e in events})
    before = np.searchsorted(came, np.array(asked, dtype=came.dtype), side="left")
    return {at: int(latest[i - 1]) if i else NEVER for at, i in zip(asked, before.tolist(), strict=True)}


def _place(all_: Any, sampled: Events) -> dict[int, int]:
    """The place of each arrival number among all."""
    came = np.unique(all_["arrival"].to_numpy())
    asked = sorted({e.arrival for events in sampled.values() for e in events})
    return dict(zip(asked, np.searchsorted(came, np.array(asked, dtype=came.dtype)).tolist(), strict=True))


def name_finding(row: dict[str, Any], on: tuple[str, ...]) -> Name:
    """The window of a finding, as results name it."""
    return row["key"], row["a"] if "a" in on else None, row["b"] if "b" in on else None


def _read_events(events: Any, job: Job) -> Events:
    lift = job.aggregation.operation.lift
    found: Events = {}
    for batch in events.to_batches():
        for row, value, parts in _read_rows(batch, job):
            try:
                lifted = lift(value)
            except Exception:  # the user's own; the event is a bad row, and counts nowhere
                continue
            event = Event(row["time"], row["arrival"], value, row.get("watermark", NEVER), lifted, row.get("cleaned"))
            event = event._replace(parts=parts) if value is None else event
            found.setdefault(row["key"], []).append(event)
    for of_key in found.values():
        of_key.sort(key=lambda event: event[:2])
    return found


def _read_rows(batch: Any, job: Job) -> Iterator[tuple[dict[str, Any], Any, tuple[Any, ...] | None]]:
    """Where and when each event is, its value, and what it is made of."""
    there = [name for name in ("watermark", "cleaned") if name in batch.schema.names and job.plan.watermarks]
    rows = batch.select(["key", "time", "arrival", *there]).to_pylist()
    values = read_values(batch, job.plan.kinds, partly=job.aggregation.partly)
    return zip(rows, values, _read_parts(batch, job), strict=True)


def _read_parts(rows: Any, job: Job) -> Iterable[tuple[Any, ...] | None]:
    """What the columns of values hold in each row, where there are several."""
    if len(job.plan.kinds) < 2:
        return [None] * rows.num_rows
    return zip(*read_columns(rows, job.plan.kinds), strict=True)


def _read_skipped(empty: Any, job: Job, until: int | None) -> Events:
    """The events without a value, of which an audit counts none."""
    found: Events = {}
    rows = empty.select(["key", "time", "arrival"]).to_pylist()
    for row, parts in zip(rows, _read_parts(empty, job), strict=True):
        if until is None or row["time"] < until:
            found.setdefault(row["key"], []).append(Event(row["time"], row["arrival"], None, parts=parts))
    return found


def _with_others(events: Events, others: dict[_Place, list[_Cells]]) -> Events | None:
    """The events with what other columns hold, which is taken out of `others`; None where that lacks one of them."""
    found: Events = {}
    for key, mine in events.items():
        found[key] = []
        for event in mine:
            cells = others.get(_place_of(key, event.time, event.arrival, event.value, event.parts))
            if not cells:
                return None
            found[key].append(event._replace(others=cells.pop()))
    return found


def _read_others(beside: Any, columns: tuple[str, ...], job: Job) -> dict[_Place, list[_Cells]]:
    """What events have in other columns: of those that are alike in all that the audit asks for, in any order."""
    cells = [_read_cells(beside.column(f"o{i}").to_pylist(), job) for i in range(len(columns))]
    rows = chain.from_iterable(_read_rows(batch, job) for batch in beside.to_batches())
    found: dict[_Place, list[_Cells]] = {}
    for (row, value, parts), mine in zip(rows, zip(*cells, strict=True), strict=True):
        place = _place_of(row["key"], row["time"], row["arrival"], value, parts if value is None else None)
        found.setdefault(place, []).append(mine)
    return found


def _place_of(key: str, time: int, arrival: int, value: Any, parts: Any) -> _Place:
    return key, time, arrival, repr(value), repr(parts)


def _read_cells(texts: list[str | None], job: Job) -> list[Any]:
    """Cells as numbers, where all of them are."""
    floats = job.plan.kinds == ("float",)
    for read in (int, float if floats else Fraction):
        try:
            cells = [None if text is None else read(text) for text in texts]
        except (ValueError, ZeroDivisionError):
            continue
        return [cell if cell == cell else None for cell in cells]  # NaN is none
    return list(texts)


def _find_open(events: Events) -> int:
    """The first end that no watermark has passed when an event came: later ones may have been passed, or not."""
    return 1 + max((e.watermark for of_key in events.values() for e in of_key), default=NEVER)


def _find_untaken(rows: list[dict[str, Any]], job: Job) -> frozenset[Name]:
    """The windows of which a result stood, and another one was taken back.

    In which order rows of one version came is not told: but of a window at most one result stands, so that the first
    one that is taken back is that.
    """
    found, standing = set[Name](), dict[Name, list[Got]]()
    rows = sorted(rows, key=lambda row: row["version"])
    for _, of_version in groupby(rows, key=lambda row: row["version"]):
        there: dict[Name, tuple[list[Got], list[Got]]] = {}
        for row in of_version:
            got = Got(row["got"] if row["number"] is None else None, row["number"])
            there.setdefault(name_finding(row, job.on), ([], []))[bool(row["retraction"])].append(got)
        for name, (more, back) in there.items():
            before = standing.get(name, [])
            if before and back and not any(got in back for got in before):
                found.add(name)
            left = [*before, *more]
            for got in back:
                if got in left:
                    left.remove(got)
            standing[name] = left
    return frozenset(found)


def _read_earlier(rows: list[dict[str, Any]], job: Job) -> dict[Name, list[Got]]:
    """The results that are not the last version of their window, in order."""
    newest: dict[Name, int] = {}
    for row in rows:
        name = name_finding(row, job.on)
        newest[name] = max(row["version"], newest.get(name, row["version"]))
    found: dict[Name, list[Got]] = {}
    for row in sorted(rows, key=lambda row: row["version"]):
        name = name_finding(row, job.on)
        if row["version"] < newest[name]:
            found.setdefault(name, []).append(Got(row["got"] if row["number"] is None else None, row["number"]))
    return found


def _read_results(rows: list[dict[str, Any]], job: Job) -> dict[Name, list[Got]]:
    """The results that stand: all, or those of the last version, or those that were not taken back."""
    found: dict[Name, list[Got]] = {}
    newest: dict[Name, int] = {}
    rows.sort(key=lambda row: bool(row.get("retraction")))
    for row in rows:
        name, got = name_finding(row, job.on), Got(row["got"] if row["number"] is None else None, row["number"])
        held = found.setdefault(name, [])
        if job.retractions:
            if not row["retraction"]:
                held.append(got)
            elif got in held:
                held.remove(got)
            continue
        if job.versioned:
            if row["version"] < newest.get(name, row["version"]):
                continue
            if row["version"] > newest.get(name, row["version"]):
                held.clear()
            newest[name] = row["version"]
        held.append(got)
    return {name: held for name, held in found.items() if held}
