"""The steps that read events and results with the columns of a request."""

from collections.abc import Sequence
from functools import partial, reduce
from typing import Any, Final

import numpy as np
import pyarrow as pa

from swagproof.models.windows.kinds import (
    Calendar,
    Counted,
    Frame,
    WindowSpec,
    goes_by_number,
)
from swagproof.models.windows.lateness import NEVER
from swagproof.models.windows.text import parse_span
from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.aggregations import CHOOSING
from swagproof.pipeline.audit.options import Request
from swagproof.pipeline.audit.reading.cells import compute, has_cells, read_inside, to_int, to_text
from swagproof.pipeline.audit.reading.converting import OF_CLOCKS, Reading, Rows
from swagproof.pipeline.audit.rules import Kind
from swagproof.pipeline.audit.tables import Mapped, Tick, mapped


def may_be_empty(window: WindowSpec) -> bool:
    """Return whether a window may hold no event and still have a result."""
    return isinstance(window, Frame) and window.may_be_empty


def arrival_of(request: Request) -> Mapped | None:
    """The column of the arrival numbers, if there is one."""
    return None if request.arrival is None else mapped(request.arrival)


AS_TEXT: Final = ("count", "sql-count", "concatenation", "sql-concatenation")
"""Aggregations that take values of any type as text."""


def value_kind(aggregate: str) -> Kind:
    """Return the kind of values if the file does not state it: text for operations over anything or over strings."""
    return "text" if aggregate.removeprefix("sql-") in ("concatenation", "first", "last", "collect", "count") else "int"


def _result_kind(aggregate: str, kinds: Sequence[Kind]) -> Kind:
    """Return the kind of results if the file does not state it: any number if it should be an integer."""
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


def read_events(
    reading: Reading,
    request: Request,
    window: WindowSpec,
    kinds: Sequence[Kind],
    result_keys: Sequence[Any],
    *,
    refuses_nan: bool,
) -> None:
    """Convert the columns of the events that an audit needs."""
    by_arrival = isinstance(window, Counted) and window.by_arrival
    value, arrival = tuple(map(mapped, request.value)), arrival_of(request)
    keys = reading.key(tuple(map(mapped, request.key)), "--key", result_keys)
    moments = reading.time(mapped(request.time), "--time")
    if arrival is None:
        numbers = reading.derive(lambda rows: pa.array(np.zeros(rows.batch.num_rows, dtype=np.int64)))
    else:
        numbers = reading.read_order(arrival, "--arrival")
    reading.give("key", keys)
    reading.give("time", numbers if by_arrival else moments)
    reading.give("arrival", numbers)
    if request.batch is not None:
        reading.give("clock", reading.read_order(mapped(request.batch), "--batch"))
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
"""The number of columns named by no option that are read for a diagnosis, counted from the first."""


def read_others(reading: Reading, also: str | None = None, asked: Sequence[str] = ()) -> tuple[str, ...]:
    """Convert columns that no option names, and those of micro-batches and partitions (`asked`); return their names."""
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
    """Return the columns that identify a result's window: its begin and end, or the time and arrival of a row."""
    if isinstance(window, Frame):
        return mapped(request.result_time or request.time), mapped(request.result_arrival or request.arrival or "")
    start, end = request.window_start, request.window_end
    return mapped("window_start" if start is None else start), mapped("window_end" if end is None else end)


def ask_results(request: Request, window: WindowSpec) -> list[Mapped]:
    """Return the columns of the results that the request names."""
    names = (*(request.result_key or request.key), request.result, request.version, request.retraction)
    bounds = [column for column in _find_bounds(request, window) if column.name]
    return [*(mapped(name) for name in names if name is not None), *bounds]


def read_results(
    schema: Any, request: Request, window: WindowSpec, tick: Tick, kinds: Sequence[Kind], event_keys: Sequence[Any]
) -> tuple[Reading, Kind, tuple[str, ...], bool]:
    """Return the results, their kind, the columns that name windows, and whether frames name their row's arrival."""
    result, (start, end), frame = mapped(request.result), _find_bounds(request, window), isinstance(window, Frame)
    zone = window.zone if isinstance(window, Calendar) else None
    reading = Reading(schema, request.results, tick, request.time_unit, zone)
    reading.give("key", reading.key(tuple(map(mapped, request.result_key or request.key)), "--result-key", event_keys))
    kind = reading.kind(result, "--result", _result_kind(request.aggregate, kinds), inferred=False)
    if value_kind(request.aggregate) == "text" and kinds == ("text",) and kind in ("int", "float", "decimal", "bool"):
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
        reading.give("version", reading.read_order(mapped(request.version), "--version"))
    if request.retraction is not None:
        reading.give("retraction", _read_retraction(reading, mapped(request.retraction)))
    return reading, kind, tuple(on), frame and has[1]


def _add(reading: Reading, bound: int, span: int, window: WindowSpec) -> int:
    """Return a time after a bound: a calendar day lasts until the next midnight, however many hours that takes."""
    if not isinstance(window, Calendar) or span % (86_400 * window.second):
        return reading.derive(lambda rows: compute.add(rows.cells[bound], span))
    unit, zone = {10**6: "us", 10**9: "ns"}[window.second], window.zone

    def read(clocks: Any) -> Any:
        return compute.assume_timezone(clocks, zone, **OF_CLOCKS)

    def make(rows: Rows) -> Any:
        moments = rows.cells[bound].cast(pa.timestamp(unit, zone))
        clocks = compute.local_timestamp(moments)
        midnight = compute.floor_temporal(clocks, unit="day")  # which may not exist, if clocks change at midnight
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
