"""What is to be audited, read and checked: tables with their columns, windows, aggregation and policy."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING

from swagproof.models.windows.kinds import Calendar, Counted, Frame, Session, Sliding, WindowSpec, goes_by_number
from swagproof.models.windows.lateness import NEVER, Late
from swagproof.models.windows.text import parse_span, parse_window
from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.builders import Plan, Versions
from swagproof.pipeline.audit.compare import Empty, Judge, is_sparse
from swagproof.pipeline.audit.policy import Engine, Lateness, Policy, check_window, make_policy
from swagproof.pipeline.audit.rules import Aggregation, Kind, Summation, aggregation, optional
from swagproof.pipeline.audit.tables import Mapped, Nulls, Reading, Table, Tick, has_column, mapped, read, tick_of

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession


@dataclass(frozen=True)
class Request:
    """What to audit: the tables, their columns, and what the job was to compute."""

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
    """How long before its end a window is named by, where that is not 0."""
    result_time: str | None = None
    result_arrival: str | None = None
    version: str | None = None
    retraction: str | None = None
    time_unit: str | None = None
    nulls: Nulls = "refuse"
    late: Late = "drop"
    early: bool = False
    """Whether results come before their window is over."""
    watermark: str | None = None
    lateness: str | None = None
    watermark_per_key: bool = False
    engine: Engine | None = None
    batch: str | None = None
    watermark_lag: str | None = None
    upstream: str | None = None
    idle: str | None = None
    watermark_column: str | None = None
    progress: str | None = None
    complete: bool = False
    allow_bad_rows: bool = False
    allow_undecided: bool = False
    empty: Empty = "absent"
    summation: Summation | None = None
    show: int = 5
    """How many findings of each kind are looked into and shown."""


@dataclass(frozen=True)
class Job:
    """A request as it was read: what the workers get, and the two tables as the audit sees them."""

    window: WindowSpec
    aggregation: Aggregation
    policy: Policy
    tick: Tick
    plan: Plan
    judge: Judge
    events: "DataFrame"
    """key, time, arrival, clock, upstream, watermark where it is given, v0, ..., no_value, bad, file, row"""
    results: "DataFrame"
    """key, a, b, got, number, version, retraction, bad, file, row"""
    on: tuple[str, ...]
    versioned: bool
    retractions: bool


def read_request(spark: "SparkSession", request: Request) -> Job:
    """Read the tables as a request says.  Raises InputError that names the option, and the way out; WindowError for a
    window or a span that cannot be.
    """
    time, value, arrival = mapped(request.time), tuple(map(mapped, request.value)), _arrival_of(request)
    batch = None if request.batch is None else mapped(request.batch)
    others = [mapped(name) for name in (request.upstream, request.watermark_column) if name is not None]
    asked = [*map(mapped, request.key), time, *value, *[column for column in (arrival, batch) if column], *others]
    table = read(spark, request.events, asked)
    tick = tick_of(table, time, request.time_unit, request.events)
    reading = Reading(table, request.events, tick, request.time_unit)
    reading.source(time, "--time")
    window = parse_window(request.window, tick or "plain")
    clock = next(((column, name) for column, name in ((batch, "--batch"), (arrival, "--arrival")) if column), None)
    in_time = clock is not None and reading.kind(*clock, "int") == "time"
    policy = make_policy(
        Lateness(
            request.late,
            request.watermark,
            request.lateness,
            request.watermark_per_key,
            request.complete,
            request.engine,
            request.watermark_lag,
            request.idle,
            request.watermark_column,
            request.progress,
            request.upstream,
        ),
        tick,
        tick if in_time else None,
        arrival=arrival is not None,
        batch=batch is not None,
    )
    check_window(window, policy)
    if policy.sessions != "own" and isinstance(window, Session):
        window = replace(window, touching=True)  # as these engines have it
    default = "text" if request.events.format == "parquet" else _value_kind(request.aggregate)
    kinds: tuple[Kind, ...] = tuple(reading.kind(column, "--value", default) for column in value)
    over = aggregation(request.aggregate, kinds)
    if arrival is None and (goes_by_number(window) or not over.operation.commutative):
        raise InputError(
            f"--arrival: {request.window}, {request.aggregate}: events of equal time are told apart by their arrival "
            "numbers; name their column"
        )
    events = _read_events(reading, request, window, kinds, refuses_nan=over.refuses_nan)
    if kinds and (request.nulls == "ignore" or (isinstance(window, Frame) and window.may_be_empty)):
        over = make_optional(over)
    if request.summation is not None:
        if request.summation == "running" and not isinstance(window, Frame):
            raise InputError(f"--summation running: is said of frames; {request.window} is none")
        over = over.sum_as(request.summation)
    results, kind, on, by_row = _read_results(spark, request, window, tick, _result_kind(request.aggregate, kinds))
    plan = Plan(
        window,
        over,
        kinds,
        as_text=kind == "text",
        watermarks=policy.has_watermark,
        lateness=policy.lateness,
        sessions=policy.sessions,
        versions=_versions(request, window),
        arrivals=arrival is not None,
        by_row=by_row,
    )
    roles = [role for role, there in (("all", policy.lateness is not None), ("on-time", policy.lateness != 0)) if there]
    judge = Judge(over, kind, is_sparse(window), tuple(roles) if policy.has_watermark else (), request.empty, window)
    _ship_by_value(request.aggregate)
    return Job(
        window=window,
        aggregation=over,
        policy=policy,
        tick=tick,
        plan=plan,
        judge=judge,
        events=events,
        results=results,
        on=on,
        versioned=request.version is not None and request.late != "drop",
        retractions=request.retraction is not None,
    )


def _versions(request: Request, window: WindowSpec) -> Versions:
    """Which versions are judged.  Raises InputError where they cannot be."""
    several = request.late != "drop" and (request.version is not None or request.retraction is not None)
    if request.early and not (several and request.arrival is not None):
        raise InputError("--early: goes with --version or --retraction, --late update or retract, and --arrival")
    if several and not isinstance(window, Sliding):
        raise InputError(
            f"--version, --retraction: of {request.window} earlier versions are not judged; "
            "give the last results alone, without them"
        )
    if several and request.arrival is None:
        raise InputError("--version, --retraction: give --arrival, which says what had come when each was made")
    return "last" if not several else "early" if request.early else "from end"


def _arrival_of(request: Request) -> Mapped | None:
    return None if request.arrival is None else mapped(request.arrival)


def _value_kind(aggregate: str) -> Kind:
    """What a value is where the file does not tell: text for the operations that take anything or strings."""
    return "text" if aggregate in ("concatenation", "first", "last", "collect", "count") else "int"


def _result_kind(aggregate: str, kinds: Sequence[Kind]) -> Kind:
    """What a result is where the file does not tell."""
    match aggregate:
        case "count" | "min-count" | "max-count":
            return "int"
        case "mean" | "geometric-mean" | "sample-standard-deviation" | "population-standard-deviation" | "float-sum":
            return "float"
        case "arg-min" | "arg-max":
            return kinds[-1]
        case "collect" | "mutable-collect" | "m4" | "affine" | "matrix" | "unimodular-matrix":
            return "json"
        case _:
            return kinds[0] if kinds else "int"


def make_optional(over: Aggregation) -> Aggregation:
    """The same, leaving out nulls."""
    bounds, mass = over.bounds, over.mass
    return replace(
        over,
        operation=optional(over.operation),
        bounds=None if bounds is None else lambda v: bounds(v[0]),
        mass=None if mass is None else lambda v: (0, 0, 1) if v is None else mass(v[0]),
    )


def _ship_by_value(aggregate: str) -> None:
    """Let the workers have the user's own aggregation without its file."""
    if ":" not in aggregate:
        return
    from pyspark import cloudpickle

    place = aggregate.rpartition(":")[0]
    for name, module in list(sys.modules.items()):
        if name == place or name.startswith("_swagproof_"):
            cloudpickle.register_pickle_by_value(module)  # type: ignore[no-untyped-call]  # has no types


def _read_events(
    reading: Reading, request: Request, window: WindowSpec, kinds: Sequence[Kind], *, refuses_nan: bool
) -> "DataFrame":
    from pyspark.sql import functions as F

    by_arrival = isinstance(window, Counted) and window.by_arrival
    value, arrival = tuple(map(mapped, request.value)), _arrival_of(request)
    keys = reading.key(tuple(map(mapped, request.key)), "--key")
    moments = reading.time(mapped(request.time), "--time")
    numbers = F.lit(0).cast("bigint")
    if arrival is not None:
        kind = reading.kind(arrival, "--arrival", "int")
        if kind not in ("int", "time"):
            raise InputError(f"--arrival {arrival.name}: a column of {kind}; give integers or times")
        numbers = reading.column(arrival, kind, "--arrival")
        reading.refuse(numbers.isNull(), "arrival is null")
    clock = numbers
    if request.batch is not None:
        batch = mapped(request.batch)
        clock = reading.column(batch, reading.kind(batch, "--batch", "int"), "--batch")
        reading.refuse(clock.isNull(), "batch is null")
    upstream = F.lit(None).cast("string")
    if request.upstream is not None:
        upstream = reading.source(mapped(request.upstream), "--upstream")[0].cast("string")
    given: list[Column] = []
    if request.watermark_column is not None:
        known = reading.column(
            mapped(request.watermark_column), "time" if reading.tick else "int", "--watermark-column"
        )
        given.append(F.coalesce(known, F.lit(NEVER)).alias("watermark"))
    values = []
    for column, kind in zip(value, kinds, strict=True):
        converted = reading.column(column, kind, "--value")
        values.append(converted)
        if kind == "float" and refuses_nan:
            reading.refuse(F.isnan(converted), "value is NaN")
    empty = reduce(
        lambda a, b: a | b, [reading.source(column, "--value")[0].isNull() for column in value], F.lit(False)
    )
    if request.nulls == "refuse":
        reading.refuse(empty, "value is null")
    return reading.frame.select(
        keys.alias("key"),
        (numbers if by_arrival else moments).alias("time"),
        numbers.alias("arrival"),
        clock.alias("clock"),
        upstream.alias("upstream"),
        *given,
        *[converted.alias(f"v{i}") for i, converted in enumerate(values)],
        empty.alias("no_value"),
        reading.why_bad().alias("bad"),
        F.col("_swagproof_file").alias("file"),
        reading.as_it_was().alias("row"),
    )


def _read_results(
    spark: "SparkSession", request: Request, window: WindowSpec, tick: Tick, default: Kind
) -> "tuple[DataFrame, Kind, tuple[str, ...], bool]":
    """The results; what kind they are; what tells them apart; whether frames name the arrival of their row."""
    from pyspark.sql import functions as F

    key = tuple(map(mapped, request.result_key or request.key))
    result = mapped(request.result)
    frame = isinstance(window, Frame)
    start = mapped(request.result_time or request.time) if frame else mapped(request.window_start or "window_start")
    end = (
        mapped(request.result_arrival or request.arrival or "") if frame else mapped(request.window_end or "window_end")
    )
    given = [mapped(name) for name in (request.version, request.retraction) if name is not None]
    table = read(spark, request.results, [*key, result, *given, *[column for column in (start, end) if column.name]])
    zone = window.zone if isinstance(window, Calendar) else None
    reading = Reading(table, request.results, tick, request.time_unit, zone)
    kind = reading.kind(result, "--result", default)
    nothing = F.lit(None).cast("bigint")
    a = b = nothing
    on: list[str] = []
    has = [bool(column.name) and has_column(table, column.name) for column in (start, end)]
    if frame:
        a = reading.time(start, "--result-time")
        on = ["a", "b"]
        if request.result_arrival is not None or (has[1] and request.arrival is not None):
            has[1] = True
            b = reading.column(end, reading.kind(end, "--result-arrival", "int"), "--result-arrival")
            reading.refuse(b.isNull(), "result-arrival is null")
        elif goes_by_number(window):
            raise InputError(
                "--result-arrival: rows of equal time are told apart by it; name the column of the results"
            )
    else:
        for name, column, option, asked, there in (
            ("a", start, "--window-start", request.window_start, has[0]),
            ("b", end, "--window-end", request.window_end, has[1]),
        ):
            if asked is not None or there:
                number = reading.column(column, "int", option) if isinstance(window, Counted) else None
                if number is not None:
                    reading.refuse(number.isNull(), f"{option[2:]} is null")
                bound = reading.time(column, option) if number is None else number
                if name == "b" and request.window_end_less is not None:
                    bound += parse_span(request.window_end_less, tick or "plain", "--window-end-less")
                a, b = (bound, b) if name == "a" else (a, bound)
                on.append(name)
        if not on:
            raise InputError("--window-start, --window-end: name the column of the results that says which window")
    got = reading.column(result, kind, "--result")
    version, retraction = nothing, F.lit(False)
    if request.version is not None:
        version = reading.column(mapped(request.version), "int", "--version")
        reading.refuse(version.isNull(), "version is null")
    if request.retraction is not None:
        sign = F.lower(reading.source(mapped(request.retraction), "--retraction")[0].cast("string"))
        retraction = sign.isin("true", "-1", "-", "-d", "-u", "d", "delete", "retract")
        said = retraction | sign.isin("false", "1", "+", "+i", "+u", "i", "insert", "add")
        reading.refuse(sign.isNull() | ~said, "retraction: {} is neither", sign)
    frame_of = table.select(
        reading.key(key, "--result-key").alias("key"),
        a.alias("a"),
        b.alias("b"),
        got.cast("string").alias("got"),
        (got if kind == "float" else F.lit(None).cast("double")).alias("number"),
        version.alias("version"),
        retraction.alias("retraction"),
        reading.why_bad().alias("bad"),
        F.col("_swagproof_file").alias("file"),
        reading.as_it_was().alias("row"),
    )
    return frame_of, kind, tuple(on), frame and has[1]
