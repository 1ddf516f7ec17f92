"""Guesses of a job's definition from its events and results: a first file of options for a person to edit."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import gcd
from typing import Any, Final, NamedTuple

import pyarrow as pa

from swagproof.models.windows.kinds import Sliding
from swagproof.models.windows.window import WindowError
from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.auditing import audit
from swagproof.pipeline.audit.backends.local import Local
from swagproof.pipeline.audit.options import make_request
from swagproof.pipeline.audit.reading.converting import Reading, find_type, infer_type, kind_of
from swagproof.pipeline.audit.reading.sources import Source
from swagproof.pipeline.audit.tables import CORRUPT, Mapped, Table, Tick, table
from swagproof.pipeline.audit.wording import show_span, show_window

FEW: Final = 200_000
"""The greatest number of events with which several values and aggregations are tried."""

_TIME: Final = r"time|date|(^|_)(ts|at|when|day|hour|t)($|_)"
_START: Final = r"start|begin|from"
_END: Final = r"end|stop|until|(^|_)to$"
_ARRIVAL: Final = r"^(n|seq|sequence|arrival|offset|id|event_id|row|ordinal|number)$"
_NAMES: Final = {"count": r"count|cnt|^n$|number", "mean": r"mean|avg|average", "max": r"max|highest|peak",
                 "min": r"min|lowest", "median": r"median", "sum": r"sum|total|amount|revenue|spent"}  # fmt: skip
_TRIED: Final = ("sum", "count", "mean", "max", "min")
_UNITS: Final = (("ns", 10**17), ("us", 10**14), ("ms", 10**11), ("s", 10**8))
_DAY: Final = 86_400_000_000


class Guess(NamedTuple):
    """An option with a value."""

    key: str
    value: Any
    comment: str = ""
    sure: bool = True
    """True if it is an option; else it is written as a comment."""


@dataclass
class _Columns:
    """The columns of a table, and their kinds."""

    source: Source
    kinds: dict[str, str]

    def named(self, pattern: str, kinds: Collection[str]) -> list[str]:
        """Return the columns of these kinds, with matching names first."""
        fits = [name for name, kind in self.kinds.items() if kind in kinds]
        return sorted(fits, key=lambda name: re.search(pattern, name, re.I) is None)


def guess_job(events: str, results: str) -> list[Guess]:
    """Guess the options that audit these results, each with its reason.  Raises InputError."""
    tables = [table(f"--{name}", [path], None) for name, path in (("events", events), ("results", results))]
    e, r = map(_read_columns, tables)
    time, unit = _find_time(e)
    bounds = _find_bounds(r, unit)
    key = [n for n, k in e.kinds.items() if k in ("text", "bool", "int") and n in r.kinds and n not in (time, *bounds)]
    left = [name for name in r.kinds if name not in (*key, *bounds)]
    numbers = [name for name in left if r.kinds[name] in _NUMBERS]
    if not left and key and r.kinds[key[-1]] == "int":  # the value has the same name as the result
        left = numbers = [key.pop()]
    result = "result" if "result" in left else (numbers or left or ["result"])[0]
    values = [name for name, kind in e.kinds.items() if kind in _NUMBERS and name not in (*key, time)]
    values.sort(key=lambda n: (not _is_in(n, result), bool(re.search(_ARRIVAL, n, re.I)), e.kinds[n] == "int"))
    arrival = next((n for n in e.named(_ARRIVAL, ("int",)) if n in values and re.search(_ARRIVAL, n, re.I)), None)
    window, why = _find_window(r, bounds, unit)
    options: dict[str, Any] = {"key": key, "time": time, "time_unit": unit, "result": result, "window": window}
    for name, column in zip(("window_start", "window_end"), bounds, strict=True):
        options |= {name: column} if column is not None else {}
    few = e.source.count_rows() <= FEW
    aggregate, value, said = _find_aggregate(tables, options, values[:3] if few else values[:1], try_all=few)
    return [
        Guess("events", events),
        Guess("results", results),
        Guess("key", key, "" if key else "one sequence of windows for all events"),
        Guess("time", time, "the event time"),
        *([Guess("time-unit", unit, "of integers since the epoch, by their size")] if unit else []),
        Guess("value", value, _or([n for n in values if n != value]), aggregate != "count" and bool(values)),
        Guess("aggregate", aggregate, said),
        Guess("result", result, _or([name for name in left if name != result])),
        Guess("window", window, why),
        *(
            Guess(f"window-{name}", column)
            for name, column in zip(("start", "end"), bounds, strict=True)
            if column not in (None, f"window_{name}")
        ),
        *([Guess("arrival", arrival, "in what order events came, for late events", sure=False)] if arrival else []),
        Guess("watermark", "10s", "how far behind the latest time, if late events are dropped", sure=False),
        Guess("nulls", "skip", "if events without a value do not count", sure=False),
    ]


_NUMBERS: Final = ("int", "float", "decimal")


def _is_in(name: str, other: str) -> bool:
    return len(name) > 2 and name.lower() in other.lower()


def _or(others: Sequence[str]) -> str:
    return f"or {', '.join(others)}" if others else ""


def _read_columns(where: Table) -> _Columns:
    names = [name for name in Source(where, ()).schema.names if name != CORRUPT]
    source = Source(where, [Mapped(name) for name in names])
    kinds: dict[str, str] = {}
    for name in names:
        found = find_type(source.schema, name)
        inner = [f"{name}.{field.name}" for field in found] if pa.types.is_struct(found) else [name]
        for one in inner:
            kinds[one] = infer_type(source.schema, one) or kind_of(find_type(source.schema, one)) or "text"
    return _Columns(source, kinds)


def _find_time(events: _Columns) -> tuple[str, str | None]:
    """Return the event time, and its unit if it is an integer since the epoch.  Raises InputError if there is none."""
    times = events.named(_TIME, ("time",))
    if times:
        return times[0], None
    numbers = [name for name in events.named(_TIME, ("int",)) if re.search(_TIME, name, re.I)]
    if not numbers:
        raise InputError(f"--init: no column of {events.source.where} holds times: {', '.join(events.kinds)}")
    most = max((abs(tick) for tick in _read_ticks(events, numbers[0], None)), default=0)
    return numbers[0], next((unit for unit, least in _UNITS if most > least), None)


def _find_bounds(results: _Columns, unit: str | None) -> tuple[str | None, str | None]:
    """Return the columns of a window's begin and end."""
    pattern = f"{_START}|{_END}|window|{_TIME}"
    times = [n for n in results.named(pattern, ("time", "int")) if results.kinds[n] == "time" or re.search(pattern, n)]
    ends = [name for name in times if re.search(_END, name, re.I) and not re.search(_START, name, re.I)]
    starts = [name for name in results.named(_START, ("time", "int")) if name in times and name not in ends]
    return next(iter(starts), None), next(iter(ends), None)


def _read_ticks(of: _Columns, column: str, unit: str | None) -> Iterator[int]:
    """Yield the times of a column, of good rows."""
    tick: Tick = "us" if of.kinds[column] == "time" or unit else None
    reading = Reading(of.source.schema, of.source.where, tick, unit)
    reading.give("time", reading.time(Mapped(column), "--time"))
    for batch in of.source.read(reading.needed):
        yield from reading.convert(batch)[0].column("time").to_pylist()


def _find_window(results: _Columns, bounds: tuple[str | None, str | None], unit: str | None) -> tuple[str, str]:
    """Return the windows as an option, from their begins and ends."""
    start, end = bounds
    named = start or end
    if named is None:
        return "tumbling 1h", "no column names the windows: a guess"
    tick: Tick = "us" if results.kinds[named] == "time" or unit else None
    ticks = list(_read_ticks(results, named, unit))
    edges = sorted({*ticks})
    lengths = {b - a for a, b in zip(ticks, _read_ticks(results, end, unit), strict=False)} if start and end else set()
    steps = {b - a for a, b in pairwise(edges)}
    slide = gcd(*steps)
    if len(lengths) > 1:
        days = {length // _DAY for length in lengths} if tick else set[int]()
        if days and min(days) >= 28 and max(days) <= 31:
            return "tumbling 1 month in UTC", "the lengths are those of months; name their zone"
        if tick and all(abs(length - _DAY) <= _DAY // 24 for length in lengths):
            return "tumbling 1 day in UTC", "days of 23 to 25 hours; name their zone"
        return f"session {show_span(min(lengths), tick)}", f"{len(lengths):,} lengths: sessions? The gap is a guess"
    length = lengths.pop() if lengths else slide
    if length <= 0:
        return "tumbling 1h", "the results name one window: its length is a guess"
    slide = length if slide == 0 or slide % length == 0 else slide
    offset = (edges[0] if start else edges[0] - length) % slide
    window = show_window(Sliding(length, slide, offset), tick)
    return window, f"from {len(edges):,} values of {named}" + ("" if start and end else "; its length is a guess")


def _find_aggregate(
    tables: Sequence[Table], options: Mapping[str, Any], values: Sequence[str], *, try_all: bool
) -> tuple[str, str, str]:
    """Return the aggregation and the value that are right most often, of those that the result's name fits, or all."""
    result = options["result"]
    named = [name for name, pattern in _NAMES.items() if re.search(pattern, result, re.I)][:1]
    first = values[0] if values else ""
    if not try_all or (named and len(values) < 2):
        return (named or ["sum"])[0], first, f"by the name {result}" if named else "a guess"
    found: dict[tuple[str, str], int] = {}
    for value, name in product(values or [""], named or _TRIED):
        try:
            more = {"aggregate": name, "value": value or None, "diagnosis": False}
            report = audit(Local(), make_request(tables[0], tables[1], {**options, **more}))
            found[name, value] = sum(report.counts.values()) + int(report.events["bad"])
        except (InputError, WindowError):
            continue
    best = min(found, key=lambda it: found[it], default=("sum", first))
    tried = ", ".join(dict.fromkeys(name for name, _ in found))
    return best[0], best[1], f"{found.get(best, 0):,} findings, the fewest of {tried or 'none'}"
