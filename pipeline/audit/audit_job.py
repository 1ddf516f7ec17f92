"""The request for an audit, read and checked: tables with their columns, windows, aggregation and policy."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC
from typing import Any, Final

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
from swagproof.models.windows.text import parse_window
from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.aggregations import ANSWERING, aggregation, make_optional
from swagproof.pipeline.audit.expected.plan import Plan, Versions
from swagproof.pipeline.audit.expected.scope import KeySample, Span
from swagproof.pipeline.audit.mapping import (
    AS_TEXT,
    arrival_of,
    ask_results,
    may_be_empty,
    read_events,
    read_others,
    read_results,
    value_kind,
)
from swagproof.pipeline.audit.options import PROFILES, Request
from swagproof.pipeline.audit.policy import Policy, check_window, make_policy
from swagproof.pipeline.audit.reading.cells import is_single, read_nanos
from swagproof.pipeline.audit.reading.converting import Reading, find_type, infer_type, tick_of, type_of
from swagproof.pipeline.audit.rules import Aggregation, Kind, Rounding
from swagproof.pipeline.audit.tables import Mapped, Table, Tick, mapped


@dataclass(frozen=True)
class Job:
    """A checked request, for the workers, with the conversions of both tables."""

    plan: Plan
    policy: Policy
    tick: Tick
    events: Reading
    """key, time, arrival, v0, ...; clock, upstream and watermark if given; no_value if events are skipped"""
    beside: Reading
    """The columns of `events`, and o0, ...: the columns that no option names, as text, in the order of `columns`."""
    columns: tuple[str, ...]
    key: tuple[str, ...]
    """The key columns of the events"""
    skips: bool
    """True if events without a value are skipped; `beside` includes them"""
    results: Reading
    """key, a, b, got, number, version, retraction"""
    narrowed: bool = False
    """True if results are 32-bit floats and expected results are not, so that these are rounded to 32 bits."""
    arrival: str | None = None
    """The column of the arrival numbers"""
    sample: KeySample | None = None
    """The keys that are judged; None: all"""
    columnwise: bool = True
    notes: tuple[tuple[str, str], ...] = ()
    """Rules that a profile set, and inferred types that may be wrong: a label and a sentence"""

    @property
    def window(self) -> WindowSpec:
        """The windows."""
        return self.plan.window

    @property
    def aggregation(self) -> Aggregation:
        """The aggregation, with its rule for right answers."""
        return self.plan.aggregation


def read_request(request: Request, read_schema: Callable[[Table, Sequence[Mapped]], Any]) -> Job:
    """Return the conversions and the plan of a request; `read_schema` returns a table's Arrow schema, given columns.

    Raises InputError that names the option, and a remedy; WindowError for an invalid window or span.
    """
    time, value, arrival = mapped(request.time), tuple(map(mapped, request.value)), arrival_of(request)
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
        window = replace(window, touching=True)  # as in these engines
    default = "text" if request.events.typed else value_kind(request.aggregate)
    kinds: tuple[Kind, ...] = tuple(
        reading.kind(column, "--value", default, inferred=request.aggregate not in AS_TEXT) for column in value
    )
    over = aggregation(request.aggregate, kinds)
    if over.takes_nulls and request.nulls != "skip":
        if request.nulls == "ignore" and request.aggregate in ANSWERING:
            raise InputError(
                f"--nulls ignore: {request.aggregate} returns NULL if that is the value; "
                f"--aggregate {request.aggregate.removeprefix('sql-')} is what IGNORE NULLS makes of it"
            )
        request = replace(request, nulls="ignore")
    if arrival is None and (goes_by_number(window) or not over.operation.commutative):
        raise InputError(
            f"--arrival: {request.window}, {request.aggregate}: arrival numbers distinguish events of equal time; "
            "name their column"
        )
    beside = Reading(schema, request.events, tick, request.time_unit)
    if len(request.result_key or request.key) != len(request.key):
        raise InputError(
            f"--result-key: {len(request.result_key)} columns, but --key has {len(request.key)}; name as many"
        )
    there = read_schema(request.results, ask_results(request, window))
    keys = [type_of(there, mapped(name)) for name in request.result_key or request.key]
    skips = request.nulls == "skip" and bool(request.value)
    for events, as_asked in ((reading, request), (beside, replace(request, nulls="ignore") if skips else request)):
        read_events(events, as_asked, window, kinds, keys, refuses_nan=over.refuses_nan)
    counted = isinstance(window, Counted) and window.by_arrival
    marks = [name for name in (request.batch, request.upstream) if name is not None]
    columns = read_others(beside, also=request.time if counted else None, asked=marks)
    if kinds and not over.takes_nulls and (request.nulls == "ignore" or may_be_empty(window)):
        over = make_optional(over)
    overlaps = isinstance(window, Frame) or (isinstance(window, Sliding) and window.slide < window.range)
    if request.summation is not None:
        if request.summation == "running" and not overlaps:
            raise InputError(
                f"--summation running: applies to frames and overlapping sliding windows, not to {request.window}"
            )
        over = over.sum_as(request.summation)
    elif request.profile is not None and overlaps and (floats := PROFILES[request.profile].floats) is not None:
        with suppress(InputError):  # the aggregation may not add floats
            over = over.sum_as(floats)
            request = replace(request, summation=floats)
    keys = [type_of(schema, mapped(name)) for name in request.key]
    of_result, of_values = (
        [is_single(find_type(of, column.name)) for column in columns]
        for of, columns in ((there, [mapped(request.result)]), (schema, value))
    )
    if any(of_result) or (not request.results.typed and any(of_values)):
        over = replace(over, single=True, narrow=any(of_result))
    results, kind, on, by_row = read_results(there, request, window, tick, kinds, keys)
    if request.rounding is not None:
        over = over.round_as(Rounding.parse(request.rounding), kind)
    roles = [role for role, there in (("all", policy.lateness is not None), ("on-time", policy.lateness != 0)) if there]
    plan = Plan(
        window,
        over,
        kinds,
        kind=kind,
        on=on,
        empty=request.empty,
        roles=tuple(roles) if policy.has_watermark else (),
        versioned=request.version is not None and request.late != "drop",
        retractions=request.retraction is not None,
        watermarks=policy.has_watermark,
        lateness=policy.lateness,
        behind=policy.behind,
        sessions=policy.sessions,
        versions=_versions(request, window, policy),
        arrivals=arrival is not None,
        by_row=by_row,
        span=_read_span(request, window, tick),
    )
    return Job(
        plan=plan,
        policy=policy,
        tick=None if counted else tick,  # positions replace the times of events counted by arrival
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
    """Yield the options that a profile sets, and inferred types that may be wrong."""
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
    """Return an option as it is written on the command line.

    >>> _spell("watermark_per_key", True), _spell("window_end", "")
    ('--watermark-per-key', "--window-end ''")
    """
    option = f"--{name.replace('_', '-')}"
    return option if value is True else f"{option} {shlex.quote(str(value))}"


def _read_span(request: Request, window: WindowSpec, tick: Tick) -> Span | None:
    """Return the windows to judge.  Raises InputError for unsupported windows, and for invalid times."""
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
    """Return the versions to judge.  Raises InputError if the request lacks what they need."""
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
