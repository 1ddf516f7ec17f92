"""The request for an audit, read and checked: tables with their columns, windows, aggregation and policy."""

import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date
from difflib import get_close_matches
from functools import partial, reduce
from types import NoneType, UnionType
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args, get_origin, get_type_hints

import numpy as np
import pyarrow as pa

from swagproof.models.windows.kinds import (
    Calendar,
    Counted,
    Frame,
    Session,
    Sliding,
    WindowSpec,
    find_zone,
    goes_by_number,
)
from swagproof.models.windows.lateness import NEVER
from swagproof.models.windows.text import parse_span, parse_window
from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.aggregations import ANSWERING, CHOOSING, aggregation, make_optional
from swagproof.pipeline.audit.cells import compute, has_cells, is_single, read_inside, read_nanos, to_int, to_text
from swagproof.pipeline.audit.converting import OF_CLOCKS, Reading, Rows, find_type, infer_type, tick_of, type_of
from swagproof.pipeline.audit.due.engines import PROFILES, apply_profile
from swagproof.pipeline.audit.due.plan import Plan, Versions
from swagproof.pipeline.audit.due.scope import KeySample, Span
from swagproof.pipeline.audit.findings import SHOW
from swagproof.pipeline.audit.judging import Empty, Judge, is_sparse
from swagproof.pipeline.audit.policy import Lateness, Policy, check_window, make_policy
from swagproof.pipeline.audit.rules import Aggregation, Kind, Rounding, Summation
from swagproof.pipeline.audit.tables import Mapped, Nulls, Table, Tick, mapped
from swagproof.pipeline.batches import Batch

TimeUnit: TypeAlias = Literal["s", "ms", "us", "ns"]


@dataclass(frozen=True)
class Request(Lateness):
    """A request for an audit: the tables, their columns, and the definition that the job was to compute."""

    events: Table
    results: Table
    window: str
    aggregate: str
    time: str
    key: tuple[str, ...] = ()
    value: tuple[str, ...] = ()
    arrival: str | None = None
    result: str = "result"
    result_key: tuple[str, ...] = ()
    window_start: str | None = None
    window_end: str | None = None
    window_end_less: str | None = None
    """The difference between a window's end and its name, where that is not 0."""
    result_time: str | None = None
    result_arrival: str | None = None
    version: str | None = None
    retraction: str | None = None
    time_unit: TimeUnit | None = None
    nulls: Nulls = "refuse"
    early: bool = False
    """True if results come before their window is over."""
    batch: str | None = None
    allow_bad_rows: bool = False
    allow_undecided: bool = False
    empty: Empty = "absent"
    summation: Summation | None = None
    rounding: str | None = None
    """The rounding of answers, as `swagproof.pipeline.audit.rules.Rounding` reads it."""
    from_: str | None = None
    """The time after which windows end that are judged."""
    to: str | None = None
    """The last time at which they end."""
    sample_keys: int | None = None
    """The number of keys that are judged."""
    seed: int = 0
    """The seed that chooses these keys."""
    show: int = SHOW
    """The number of findings of each kind that are examined and shown."""
    diagnosis: bool = True
    """True if findings are diagnosed."""
    columnwise: bool = True
    """True if sums, counts and extremes may be computed column by column, and the reference judges a sample."""
    profile: str | None = None
    """The name that `engine` had, if it was that of a profile."""


OPTIONS: Final = {
    name: kind for name, kind in get_type_hints(Request).items() if name not in ("events", "results", "profile")
}
"""The options of an audit, by the names of their fields, and their types."""


def make_request(events: Table, results: Table, options: Mapping[str, Any]) -> Request:
    """Make a request of options, named as the fields are; a text stands for a tuple of one.

    Raises TypeError for a name that there is not, with the nearest, and InputError for a value that an option has not.
    """
    options, profile = apply_profile(options)
    checked: dict[str, Any] = {"profile": profile}
    for name, value in options.items():
        if name not in OPTIONS:
            nearest = get_close_matches(name.replace("-", "_"), OPTIONS, 1, cutoff=0.5)
            raise TypeError(f"audit has no option {name!r}" + (f"; did you mean {nearest[0]!r}?" if nearest else ""))
        checked[name] = _check_option(name, value, OPTIONS[name])
    return Request(events, results, **checked)


def _check_option(name: str, value: Any, kind: Any) -> Any:
    option = f"--{name.rstrip('_').replace('_', '-')}"
    value = value.isoformat() if isinstance(value, date) else value
    inside = get_args(kind) if get_origin(kind) is UnionType or NoneType in get_args(kind) else (kind,)
    if value is None and NoneType in inside:
        return None
    if kind == tuple[str, ...]:
        texts: tuple[Any, ...] = tuple(value) if isinstance(value, list | tuple) else () if value is None else (value,)
        if not all(isinstance(text, str) for text in texts):
            raise InputError(f"{option}: {value!r} is not a column name or a list of them")
        return texts
    choices = [choice for one in inside if get_origin(one) is Literal for choice in get_args(one)]
    if choices and value not in choices:
        choices += PROFILES if name == "engine" else ()
        raise InputError(f"{option}: {value!r} is none of {', '.join(map(repr, choices))}")
    plain = tuple(one for one in inside if isinstance(one, type))
    if not choices and (not isinstance(value, plain) or (isinstance(value, bool) and bool not in plain)):
        raise InputError(f"{option}: {value!r} is not {' or '.join(_KINDS[one] for one in plain if one in _KINDS)}")
    return value


_KINDS: Final = {str: "a text", bool: "True or False", int: "an integer"}


@dataclass(frozen=True)
class Job:
    """A request as it was read: what the workers get, with how the two tables become those that the audit sees."""

    window: WindowSpec
    aggregation: Aggregation
    policy: Policy
    tick: Tick
    plan: Plan
    judge: Judge
    events: Reading
    """key, time, arrival, v0, ...; clock, upstream and watermark where they are given; no_value where it is skipped"""
    beside: Reading
    """The columns of `events`, and o0, ...: the columns that no option names, as text, in the order of `columns`."""
    columns: tuple[str, ...]
    key: tuple[str, ...]
    """The columns of the events that are their key"""
    skips: bool
    """True if events without a value are skipped: `beside` has them, too"""
    results: Reading
    """key, a, b, got, number, version, retraction"""
    narrowed: bool = False
    """True if results are floats of 32 bits, and what is due is not, so that it is rounded to these."""
    arrival: str | None = None
    """The column of the arrival numbers"""
    sample: KeySample | None = None
    """The keys that are judged; None: all"""
    columnwise: bool = True
    notes: tuple[tuple[str, str], ...] = ()
    """Rules that a profile set, and types that were inferred where another one may be meant: a label and a sentence"""

    @property
    def on(self) -> tuple[str, ...]:
        """Return the columns of the results that name a window."""
        return self.judge.on

    @property
    def versioned(self) -> bool:
        """Return whether the last version of a result is the one that stands."""
        return self.judge.versioned

    @property
    def retractions(self) -> bool:
        """Return whether results take back earlier ones."""
        return self.judge.retractions


def read_request(request: Request, read_schema: Callable[[Table, Sequence[Mapped]], Any]) -> Job:
    """Return how the tables are read and judged, as a request says; `read_schema` has the Arrow schema of a table, of
    which these columns are asked for.

    Raises InputError that names the option, and the way out; WindowError for a window or a span that cannot be.
    """
    time, value, arrival = mapped(request.time), tuple(map(mapped, request.value)), _arrival_of(request)
    batch = None if request.batch is None else mapped(request.batch)
    others = [mapped(name) for name in (request.upstream, request.watermark_column) if name is not None]
    asked = [*map(mapped, request.key), time, *value, *[column for column in (arrival, batch) if column], *others]
    schema = read_schema(request.events, asked)
    tick = tick_of(schema, time, request.time_unit)
    reading = Reading(schema, request.events, tick, request.time_unit)
    reading.source(time, "--time")
    window = parse_window(request.window, tick or "plain")
    clock = next(((column, name) for column, name in ((batch, "--batch"), (arrival, "--arrival")) if column), None)
    in_time = clock is not None and reading.order(*clock) == "time"
    policy = make_policy(
        request,
        tick,
        tick if in_time else None,
        arrival=arrival is not None,
        batch=batch is not None,
    )
    check_window(window, policy)
    if policy.sessions != "own" and isinstance(window, Session):
        window = replace(window, touching=True)  # as these engines have it
    default = "text" if request.events.typed else _value_kind(request.aggregate)
    kinds: tuple[Kind, ...] = tuple(
        reading.kind(column, "--value", default, inferred=request.aggregate not in AS_TEXT) for column in value
    )
    over = aggregation(request.aggregate, kinds)
    if over.takes_nulls and request.nulls != "skip":
        if request.nulls == "ignore" and request.aggregate in ANSWERING:
            raise InputError(
                f"--nulls ignore: {request.aggregate} answers NULL where that is the value; "
                f"--aggregate {request.aggregate.removeprefix('sql-')} is what IGNORE NULLS makes of it"
            )
        request = replace(request, nulls="ignore")
    if arrival is None and (goes_by_number(window) or not over.operation.commutative):
        raise InputError(
            f"--arrival: {request.window}, {request.aggregate}: events of equal time are told apart by their arrival "
            "numbers; name their column"
        )
    beside = Reading(schema, request.events, tick, request.time_unit)
    if len(request.result_key or request.key) != len(request.key):
        raise InputError(
            f"--result-key: {len(request.result_key)} columns, but --key has {len(request.key)}; name as many"
        )
    there = read_schema(request.results, _ask_results(request, window))
    keys = [type_of(there, mapped(name)) for name in request.result_key or request.key]
    skips = request.nulls == "skip" and bool(request.value)
    for events, as_asked in ((reading, request), (beside, replace(request, nulls="ignore") if skips else request)):
        _read_events(events, as_asked, window, kinds, keys, refuses_nan=over.refuses_nan)
    counted = isinstance(window, Counted) and window.by_arrival
    marks = [name for name in (request.batch, request.upstream) if name is not None]
    columns = _read_others(beside, also=request.time if counted else None, asked=marks)
    if kinds and not over.takes_nulls and (request.nulls == "ignore" or _may_be_empty(window)):
        over = make_optional(over)
    overlaps = isinstance(window, Frame) or (isinstance(window, Sliding) and window.slide < window.range)
    if request.summation is not None:
        if request.summation == "running" and not overlaps:
            raise InputError(
                f"--summation running: applies to frames and overlapping sliding windows, not to {request.window}"
            )
        over = over.sum_as(request.summation)
    elif request.profile is not None and overlaps and (floats := PROFILES[request.profile].floats) is not None:
        with suppress(InputError):  # of an aggregation that adds no floats
            over = over.sum_as(floats)
            request = replace(request, summation=floats)
    keys = [type_of(schema, mapped(name)) for name in request.key]
    of_result, of_values = (
        [is_single(find_type(of, column.name)) for column in columns]
        for of, columns in ((there, [mapped(request.result)]), (schema, value))
    )
    if any(of_result) or (not request.results.typed and any(of_values)):
        over = replace(over, single=True, narrow=any(of_result))
    results, kind, on, by_row = _read_results(there, request, window, tick, kinds, keys)
    if request.rounding is not None:
        over = over.round_as(Rounding.parse(request.rounding), kind)
    plan = Plan(
        window,
        over,
        kinds,
        as_text=kind == "text",
        watermarks=policy.has_watermark,
        lateness=policy.lateness,
        behind=policy.behind,
        sessions=policy.sessions,
        versions=_versions(request, window, policy),
        arrivals=arrival is not None,
        by_row=by_row,
        span=_read_span(request, window, tick),
    )
    roles = [role for role, there in (("all", policy.lateness is not None), ("on-time", policy.lateness != 0)) if there]
    versioned = request.version is not None and request.late != "drop"
    judge = Judge(
        over,
        kind,
        is_sparse(window),
        tuple(roles) if policy.has_watermark else (),
        request.empty,
        window,
        on,
        versioned=versioned,
        retractions=request.retraction is not None,
    )
    return Job(
        window=window,
        aggregation=over,
        policy=policy,
        tick=None if counted else tick,  # the times of what is counted as it came are its numbers
        plan=plan,
        judge=judge,
        events=reading,
        beside=beside,
        columns=columns,
        key=tuple(mapped(name).name for name in request.key),
        skips=skips,
        results=results,
        narrowed=any(of_result) and (over.bounds is not None or not all(of_values)),
        arrival=None if arrival is None else arrival.name,
        columnwise=request.columnwise,
        notes=tuple(_list_notes(request, schema, over)),
    )


def _list_notes(request: Request, schema: Any, over: Aggregation) -> Iterator[tuple[str, str]]:
    """The options that a profile stands for, and types that were inferred where another one may be meant."""
    if request.profile is not None:
        options = [*PROFILES[request.profile].options, *(["summation"] if request.summation is not None else [])]
        said = ", ".join(_spell(name, getattr(request, name)) for name in ("window", *options))
        yield "rules", f"--engine {request.profile} is {said}"
    for column in map(mapped, request.value):
        if over.bounds is not None and column.kind is None and infer_type(schema, column.name) == "float":
            yield "types", f"{column.name} is read as float; for exact decimals: --value {column.name}:decimal"
    time = mapped(request.time)
    if request.time_unit is None and time.kind is None and infer_type(schema, time.name) == "int":
        yield "types", f"{time.name} is read as plain numbers; for a time since the epoch: --time-unit s, ms, us or ns"


def _spell(name: str, value: Any) -> str:
    """An option as the command line has it.

    >>> _spell("watermark_per_key", True), _spell("window_end", "")
    ('--watermark-per-key', "--window-end ''")
    """
    option = f"--{name.replace('_', '-')}"
    return option if value is True else f"{option} {shlex.quote(str(value))}"


def _read_span(request: Request, window: WindowSpec, tick: Tick) -> Span | None:
    """The windows that are judged.  Raises InputError for windows of which that cannot be said, and no times."""
    if request.from_ is None and request.to is None:
        return None
    if not isinstance(window, Sliding | Calendar) or not window.leading:
        raise InputError(
            f"--from, --to: not supported with {request.window}; use tumbling or sliding windows, not from first"
        )
    zone = find_zone(window.zone) if isinstance(window, Calendar) else UTC

    def read(option: str, text: str | None) -> int | None:
        try:
            found = None if text is None else int(text) if tick is None else read_nanos(text.strip(), zone)
        except ValueError:
            found = None
        if text is not None and found is None:
            raise InputError(f"{option}: {text} is not a time; write it as {'an integer' if tick is None else _A_TIME}")
        return found if found is None or tick != "us" else found // 1000

    span = Span(window, read("--from", request.from_), read("--to", request.to))
    if span.begin is not None and span.end is not None and span.begin >= span.end:
        raise InputError(f"--from, --to: {request.from_} is not before {request.to}")
    return span


_A_TIME: Final = "2026-03-01 or 2026-03-01T09:00:00Z"


def _versions(request: Request, window: WindowSpec, policy: Policy) -> Versions:
    """Return the versions that are judged.  Raises InputError where they cannot be."""
    several = request.late != "drop" and (request.version is not None or request.retraction is not None)
    if request.late != "drop" and not (several or policy.has_watermark):
        raise InputError(f"--late {request.late}: requires --watermark")
    if request.early and not (several and request.arrival is not None):
        raise InputError("--early: requires --version or --retraction, --late update or retract, and --arrival")
    if several and not isinstance(window, Sliding):
        raise InputError(
            f"--version, --retraction: earlier versions of {request.window} are not judged; "
            "give only the last results, without these options"
        )
    if several and request.arrival is None:
        raise InputError("--version, --retraction: require the order of arrival; name its column with --arrival")
    return "last" if not several else "early" if request.early else "from end"


def _may_be_empty(window: WindowSpec) -> bool:
    return isinstance(window, Frame) and window.may_be_empty


def _arrival_of(request: Request) -> Mapped | None:
    return None if request.arrival is None else mapped(request.arrival)


AS_TEXT: Final = ("count", "sql-count", "concatenation", "sql-concatenation")
"""Aggregations that take values as text, whatever they are."""


def _value_kind(aggregate: str) -> Kind:
    """Return what a value is where the file does not tell: text for the operations that take anything or strings."""
    return "text" if aggregate.removeprefix("sql-") in ("concatenation", "first", "last", "collect", "count") else "int"


def _result_kind(aggregate: str, kinds: Sequence[Kind]) -> Kind:
    """Return what a result is where the file does not tell: any number where it should be a whole one."""
    match aggregate.removeprefix("sql-"):
        case "count" | "distinct-count" | "min-count" | "max-count":
            return "decimal"
        case "mean" | "geometric-mean" | "sample-standard-deviation" | "population-standard-deviation" | "float-sum":
            return "float"
        case "collect" | "mutable-collect" | "m4" | "affine" | "matrix" | "unimodular-matrix":
            return "json"
        case _ if aggregate in CHOOSING:
            return kinds[-1]
        case _ if aggregate.startswith("top-"):
            return "json"
        case _:
            return kinds[0] if kinds and kinds[0] != "int" else "decimal"


def _read_events(
    reading: Reading,
    request: Request,
    window: WindowSpec,
    kinds: Sequence[Kind],
    result_keys: Sequence[Any],
    *,
    refuses_nan: bool,
) -> None:
    by_arrival = isinstance(window, Counted) and window.by_arrival
    value, arrival = tuple(map(mapped, request.value)), _arrival_of(request)
    keys = reading.key(tuple(map(mapped, request.key)), "--key", result_keys)
    moments = reading.time(mapped(request.time), "--time")
    if arrival is None:
        numbers = reading.derive(lambda rows: pa.array(np.zeros(rows.batch.num_rows, dtype=np.int64)))
    else:
        numbers = reading.column(arrival, reading.order(arrival, "--arrival"), "--arrival")
        reading.refuse_null(numbers, "arrival is null")
    reading.give("key", keys)
    reading.give("time", numbers if by_arrival else moments)
    reading.give("arrival", numbers)
    if request.batch is not None:
        batch = mapped(request.batch)
        clock = reading.column(batch, reading.order(batch, "--batch"), "--batch")
        reading.refuse_null(clock, "batch is null")
        reading.give("clock", clock)
    if request.upstream is not None:
        upstream, _ = reading.source(mapped(request.upstream), "--upstream")
        reading.give("upstream", reading.derive(lambda rows: to_text(rows.cells[upstream])))
    if request.watermark_column is not None:
        noted = mapped(request.watermark_column)
        known = reading.column(noted, "time" if reading.tick else "int", "--watermark-column")
        reading.give("watermark", reading.derive(lambda rows: rows.cells[known].fill_null(NEVER)))
    empty: list[int] = []
    for i, (column, kind) in enumerate(zip(value, kinds, strict=True)):
        converted = reading.column(column, kind, "--value")
        reading.give(f"v{i}", converted)
        empty.append(reading.source(column, "--value")[0])
        if kind == "float" and refuses_nan:
            reading.refuse_nan(converted, "value is NaN")
    if request.nulls == "refuse":
        for cell in empty:
            reading.refuse_null(cell, "value is null")
    if request.nulls == "skip" and empty:
        reading.give(
            "no_value",
            reading.derive(lambda rows: reduce(compute.or_, [rows.cells[cell].is_null() for cell in empty])),
        )


OTHERS: Final = 12
"""The number of columns named by no option that are read for a diagnosis; the first columns count."""


def _read_others(reading: Reading, also: str | None = None, asked: Sequence[str] = ()) -> tuple[str, ...]:
    """Have the columns converted that nobody asked for, times that windows do not go by, and those `asked` for to tell
    what is late: micro-batch and partition; their names."""
    there = [field for field in reading.schema if field.name not in reading.needed and not field.name.startswith("_")]
    plain = [field.name for field in there if has_cells(field.type) or pa.types.is_timestamp(field.type)][:OTHERS]
    plain += [name for name in dict.fromkeys(mapped(one).name for one in asked) if name not in plain]
    for i, name in enumerate(plain):
        cell, _ = reading.source(Mapped(name), "--events")
        reading.give(f"o{i}", reading.derive(partial(_write_cell, cell)))
    if also is not None:
        moments = reading.time(mapped(also), "--time")
        reading.give(f"o{len(plain)}", reading.derive(partial(_write_cell, moments)))
        plain.append(also)
    return tuple(plain)


def _write_cell(cell: int, rows: Rows) -> Any:
    return to_text(rows.cells[cell])


_TAKEN_BACK: Final = ("true", "-1", "-", "-d", "-u", "d", "delete", "retract")
_SAID: Final = ("false", "1", "+", "+i", "+u", "i", "insert", "add")


def _find_bounds(request: Request, window: WindowSpec) -> tuple[Mapped, Mapped]:
    """The columns of results that say which window: its begin and its end, or the time and the arrival of a row."""
    if isinstance(window, Frame):
        return mapped(request.result_time or request.time), mapped(request.result_arrival or request.arrival or "")
    start, end = request.window_start, request.window_end
    return mapped("window_start" if start is None else start), mapped("window_end" if end is None else end)


def _ask_results(request: Request, window: WindowSpec) -> list[Mapped]:
    """The columns of the results that are asked for."""
    names = (*(request.result_key or request.key), request.result, request.version, request.retraction)
    bounds = [column for column in _find_bounds(request, window) if column.name]
    return [*(mapped(name) for name in names if name is not None), *bounds]


def _read_results(
    schema: Any, request: Request, window: WindowSpec, tick: Tick, kinds: Sequence[Kind], event_keys: Sequence[Any]
) -> tuple[Reading, Kind, tuple[str, ...], bool]:
    """The results; what kind they are; what tells them apart; whether frames name the arrival of their row."""
    result, (start, end), frame = mapped(request.result), _find_bounds(request, window), isinstance(window, Frame)
    zone = window.zone if isinstance(window, Calendar) else None
    reading = Reading(schema, request.results, tick, request.time_unit, zone)
    reading.give("key", reading.key(tuple(map(mapped, request.result_key or request.key)), "--result-key", event_keys))
    kind = reading.kind(result, "--result", _result_kind(request.aggregate, kinds), inferred=False)
    if _value_kind(request.aggregate) == "text" and kinds == ("text",) and kind in ("int", "float", "decimal", "bool"):
        value = mapped(request.value[0])
        if value.kind is None and request.aggregate.removeprefix("sql-") in ("first", "last"):
            raise InputError(
                f"--value {value.name}: it was inferred as text, but results are {kind}; state its type: "
                f"--value {value.name}:{kind}"
            )
    nothing = reading.derive(lambda rows: pa.nulls(rows.batch.num_rows, pa.int64()))
    bounds = {"a": nothing, "b": nothing}
    on: list[str] = []
    has = [bool(column.name) and reading.has(column.name) for column in (start, end)]
    if frame:
        bounds["a"] = reading.time(start, "--result-time")
        on = ["a", "b"]
        if request.result_arrival is not None or (has[1] and request.arrival is not None):
            has[1] = True
            bounds["b"] = reading.column(end, reading.order(end, "--result-arrival"), "--result-arrival")
            reading.refuse_null(bounds["b"], "result-arrival is null")
        elif goes_by_number(window):
            raise InputError("--result-arrival: it distinguishes rows of equal time; name the column of the results")
    else:
        for name, column, option, asked, there in (
            ("a", start, "--window-start", request.window_start, has[0]),
            ("b", end, "--window-end", request.window_end, has[1]),
        ):
            if asked or there:
                if isinstance(window, Counted):
                    bound = reading.column(column, "int", option)
                    reading.refuse_null(bound, f"{option[2:]} is null")
                else:
                    bound = reading.time(column, option)
                if name == "b" and request.window_end_less is not None:
                    less = parse_span(request.window_end_less, tick or "plain", "--window-end-less")
                    bound = _add(reading, bound, less, window)
                bounds[name] = bound
                on.append(name)
        if not on:
            raise InputError("--window-start, --window-end: name the column of the results that identifies the window")
        if on == ["a"] and isinstance(window, Counted) and window.n // window.every > 1:
            raise InputError(
                f"--window-start: {request.window}: the first windows of a key all begin at its event 1, and that "
                "does not tell them apart; name the number of their last event, --window-end"
            )
    for name, bound in bounds.items():
        reading.give(name, bound)
    got = reading.column(result, kind, "--result")
    told = kinds[-1:] if request.aggregate in CHOOSING else kinds
    if kind == "json" and ("time" in told or "decimal" in told):
        written = got
        got = reading.derive(lambda rows: read_inside(rows.cells[written], told, reading.to_ticks))
    floats = kind == "float"
    reading.give(
        "got",
        reading.derive(lambda rows: pa.nulls(rows.batch.num_rows, pa.string()) if floats else to_text(rows.cells[got])),
    )
    reading.give(
        "number",
        got if floats else reading.derive(lambda rows: pa.nulls(rows.batch.num_rows, pa.float64())),
    )
    if request.version is not None:
        number = mapped(request.version)
        version = reading.column(number, reading.order(number, "--version"), "--version")
        reading.refuse_null(version, "version is null")
        reading.give("version", version)
    if request.retraction is not None:
        reading.give("retraction", _read_retraction(reading, mapped(request.retraction)))
    return reading, kind, tuple(on), frame and has[1]


def _add(reading: Reading, bound: int, span: int, window: WindowSpec) -> int:
    """So much after a bound: a day of a calendar is until the next midnight, however many hours that takes."""
    if not isinstance(window, Calendar) or span % (86_400 * window.second):
        return reading.derive(lambda rows: compute.add(rows.cells[bound], span))
    unit, zone = {10**6: "us", 10**9: "ns"}[window.second], window.zone

    def read(clocks: Any) -> Any:
        return compute.assume_timezone(clocks, zone, **OF_CLOCKS)

    def make(rows: Rows) -> Any:
        moments = rows.cells[bound].cast(pa.timestamp(unit, zone))
        clocks = compute.local_timestamp(moments)
        midnight = compute.floor_temporal(clocks, unit="day")  # which there may not be, where the day begins at one
        clocks = compute.if_else(compute.equal(read(midnight), moments), midnight, clocks)
        return read(compute.add(clocks, pa.scalar(span, pa.duration(unit)))).cast(pa.int64())

    return reading.derive(make)


def _read_retraction(reading: Reading, column: Mapped) -> int:
    source, _ = reading.source(column, "--retraction")

    def make(rows: Rows) -> Any:
        said_so = to_text(rows.cells[source])
        sign = compute.utf8_lower(compute.coalesce(to_text(to_int(said_so)), said_so))
        back, said = (compute.is_in(sign, value_set=pa.array(words)) for words in (_TAKEN_BACK, _SAID))
        rows.refuse(compute.invert(compute.or_(back, said)).to_numpy(zero_copy_only=False), _NEITHER, sign)
        return back

    return reading.derive(make)


_NEITHER: Final = "retraction: {} is neither"


class About(NamedTuple):
    """The numbers of a table's rows."""

    rows: int
    bad: int
    skipped: int = 0
    """Without a value, where these are skipped."""


class Compared(NamedTuple):
    """The counts of a comparison."""

    due: int
    """The number of expected results."""
    late: int
    """The number of events that were late for a window."""
    counts: dict[str, int]
    """The number of findings of each kind."""
    farthest: float
    """The distance beyond rounding of the most distant result that the summation excuses."""
    columnwise: int = 0
    """The number of expected results that the reference did not compute; see `audit.held.columns`."""


class Holder(ABC):
    """The holder of the two tables and of the findings: this process, or Spark.  The data handed over is small."""

    @abstractmethod
    def read_schema(self, where: Table, asked: Sequence[Mapped]) -> Any:
        """The Arrow schema of a table, of which these columns are asked for."""

    @abstractmethod
    def list_keys(self, job: Job) -> set[str]:
        """All keys, of good events and results."""

    @abstractmethod
    def mark(self, job: Job) -> int | None:
        """Find the watermark when each event came; where it was in the end, or None where it is of each key."""

    @abstractmethod
    def compare(self, job: Job, final: int | None, delay: int | None) -> Compared:
        """Compare what is due with what is there; see `swagproof.pipeline.audit.compare`."""

    @abstractmethod
    def count(self) -> tuple[About, About]:
        """Return how many events and results there are."""

    @abstractmethod
    def find(self, kind: str) -> dict[str, Any]:
        """One of what was found of a kind."""

    @abstractmethod
    def list_sizes(self, most: int) -> list[tuple[str, int]]:
        """Keys with findings and how many events they have, those with fewest first."""

    @abstractmethod
    def take_found(self, keys: Sequence[str] | None) -> list[dict[str, Any]]:
        """Return what was found, of these keys or of all."""

    @abstractmethod
    def find_time(self, keys: Sequence[str], n: int) -> int | None:
        """The time of the n-th event of these keys."""

    @abstractmethod
    def take_events(self, keys: Sequence[str] | None, before: int | None) -> Any:
        """The good events of these keys, or of all, before a time, as an Arrow table."""

    @abstractmethod
    def take_beside(self, job: Job, keys: Sequence[str] | None) -> Any:
        """The good events of these keys, or of all, with their other columns, read again, as an Arrow table."""

    @abstractmethod
    def take_results(self, keys: Sequence[str] | None) -> list[dict[str, Any]]:
        """The good results of these keys, or of all."""

    @abstractmethod
    def keep_found(self, tell: Callable[[list[dict[str, Any]]], Batch]) -> Callable[[], Any]:
        """Return what makes an Arrow table of what is told of the findings, whenever it is called, be this closed or
        not."""

    @abstractmethod
    def write_found(self, tell: Callable[[list[dict[str, Any]]], Batch], out: str) -> None:
        """Write what is told of the findings as Parquet."""

    @abstractmethod
    def take_bad(self, job: Job, most: int) -> list[dict[str, Any]]:
        """Some of the rows that could not be used: table, reason, file, row."""

    @abstractmethod
    def write_bad(self, job: Job, folder: str) -> None:
        """Write all of them there, as JSON lines."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the tables."""
