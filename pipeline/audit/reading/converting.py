"""Conversion of a table's columns for the audit, batch by batch, with the rows that do not convert.

One process and Spark's workers share the definition: a `Reading` is made on the driver from the table's schema, and
each requested column adds a step; then it converts Arrow batches in any process.  A step works on whole columns; if one
does not convert as a whole, its cells are tried one by one, and the failures are the reasons why rows are bad.
"""

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np
import pyarrow as pa

from swagproof.models.windows.text import NANOSECONDS
from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.reading.cells import (
    DECIMAL,
    Array,
    are_near,
    compute,
    drop_unset,
    find_tick,
    is_bytes,
    is_finer,
    is_number,
    is_text,
    keep_near,
    keep_only,
    keep_where,
    multiply,
    of_cells,
    read_moments,
    say,
    show,
    take_column,
    to_bool,
    to_decimal,
    to_float,
    to_int,
    to_json,
    to_mask,
    to_micros,
    to_text,
)
from swagproof.pipeline.audit.reading.keys import choose_names, join_names
from swagproof.pipeline.audit.rules import Kind
from swagproof.pipeline.audit.tables import CORRUPT, Mapped, Table, Tick
from swagproof.pipeline.batches import Batch

Step: TypeAlias = Callable[["Rows"], Array]
_Test: TypeAlias = Callable[[Any], bool]
_HOW: Final[dict[str, tuple[tuple[_Test, ...], Callable[[Array], Array] | None, str]]] = {
    "int": ((is_number,), to_int, "not a 64-bit integer"),
    "float": ((is_number,), to_float, "not a number"),
    "decimal": ((pa.types.is_integer, pa.types.is_decimal), to_decimal, "not a decimal number"),
    "bool": ((pa.types.is_boolean,), to_bool, "neither true nor false"),
    "time": (
        (is_number, pa.types.is_timestamp, pa.types.is_date),
        None,
        "not a time; write it as 2026-03-01T09:00:00Z, or NAME:int for integers",
    ),
}
"""The columns, besides text, from which each kind is read; their conversion; and the error for other cells."""
_KINDS: Final[tuple[tuple[_Test, Kind], ...]] = (
    (pa.types.is_uint64, "decimal"),  # some exceed a 64-bit integer
    (pa.types.is_integer, "int"),
    (pa.types.is_floating, "float"),
    (pa.types.is_decimal, "decimal"),
    (pa.types.is_boolean, "bool"),
    (pa.types.is_timestamp, "time"),
    (pa.types.is_date, "time"),
    (pa.types.is_nested, "json"),
    (is_bytes, "text"),
)
_NESTED: Final = r"^\s*[\[{]"
_ENDS: Final = ("--window-start", "--window-end")
OF_CLOCKS: Final[dict[str, Any]] = {"ambiguous": "earliest", "nonexistent": "latest"}
"""The conversion of clock times that occur twice, or never: a day without a midnight begins at the end of the gap."""


class Rows:
    """A batch during its conversion."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.cells: list[Array] = []
        """The column that each step produced."""
        self.why: dict[int, str] = {}
        """The first reason why a row is bad."""

    def refuse(self, mask: Any, why: str, source: Array | None = None) -> None:
        """Mark the rows of the mask as bad; `{}` in the reason is the cell of `source`."""
        for i in np.flatnonzero(mask).tolist():
            if i not in self.why:
                cell = "" if source is None else say(show(source.slice(i, 1)))
                self.why[i] = why.replace("{}", cell) if source is not None else why

    def as_it_was(self, i: int) -> str:
        """Return a row unconverted, for the quarantine."""
        row = dict(zip(self.batch.schema.names, map(show, self.batch.slice(i, 1).columns), strict=True))
        if (line := row.pop(CORRUPT, None)) is not None:
            return str(line)
        return json.dumps(row, ensure_ascii=False, separators=(",", ":"), default=say)


class Reading:
    """The steps that convert the columns of one table."""

    def __init__(self, schema: Any, where: Table, tick: Tick, unit: str | None, zone: str | None = None) -> None:
        self.schema, self.where, self.tick, self.unit = schema, where, tick, unit
        self.zone = zone
        """The zone of dates and timestamps without one; None: UTC."""
        self.needed: dict[str, None] = {}
        """The columns of the file that the steps read."""
        self._steps: list[Step] = []
        self._made: dict[Any, int] = {}
        self._out: dict[str, int] = {}
        if CORRUPT in schema.names:
            self.needed[CORRUPT] = None
            self._refuse(lambda rows: to_mask(rows.batch.column(CORRUPT).is_valid()), "the line cannot be read")

    # Requests for columns, on the driver

    def has(self, name: str) -> bool:
        """Return whether there is such a column, or such a field of a struct."""
        return find_type(self.schema, name) is not None

    def source(self, column: Mapped, option: str) -> tuple[int, Any]:
        """Return a column of the file, and its type.  Raises InputError if there is none."""
        found = find_type(self.schema, column.name)
        in_lines = self.where.format == "json" and self.schema.names != [CORRUPT]
        if found is None:
            there = ", ".join(name for name in self.schema.names if name != CORRUPT)
            raise InputError(
                f"{option} {column.name}: {self.where} has no such column; it has {there or 'none'}"
                f"; name one with {option}"
                + _guess_format(self.where, self.schema.names)
                + f"; if it is null in every line, state its type: {option} {column.name}:TYPE" * in_lines
            )
        path = [column.name] if column.name in self.schema.names else column.name.split(".")
        if self.schema.names.count(path[0]) > 1:
            raise InputError(f"{option} {column.name}: {self.where} has several columns of that name; rename one")
        self.needed[path[0]] = None
        return self._add(("source", column.name), lambda rows: take_column(rows.batch, column.name)), found

    def kind(self, column: Mapped, option: str, default: Kind, *, inferred: bool = True) -> Kind:
        """Return a column's kind: as stated, else by its type, else, for text, as inferred, else the default."""
        _, found = self.source(column, option)
        if column.kind is not None:
            return column.kind
        if inferred and (first := infer_type(self.schema, column.name)) is not None:
            return first
        kind = default if is_text(found) else kind_of(found)
        if kind is not None:
            return kind
        raise InputError(
            f"{option} {column.name}: a column of type {found} is not supported here; cast it to numbers or text"
        )

    def order(self, column: Mapped, option: str) -> Kind:
        """Return the kind of a column that orders rows: times, or integers, also those written as doubles.

        Raises InputError for any other.
        """
        kind = self.kind(column, option, "int", inferred=infer_type(self.schema, column.name) != "text")
        if kind not in ("int", "float", "decimal", "time"):
            raise InputError(f"{option} {column.name}: a column of type {kind}; give integers or times")
        return "time" if kind == "time" else "int"

    def read_order(self, column: Mapped, option: str) -> int:
        """Convert a column that orders rows; rows with null are bad.  Raises InputError as `order` does."""
        cell = self.column(column, self.order(column, option), option)
        self.refuse_null(cell, f"{option[2:]} is null")
        return cell

    def column(self, column: Mapped, kind: Kind, option: str) -> int:
        """A column of this kind: int64 for int and time, double for float, boolean for bool, text for the others."""
        source, found = self.source(column, option)
        tests, plain, said = _HOW.get(kind, ((), None, ""))
        if option == "--value" and kind == "int":
            tests = *tests, pa.types.is_boolean
        if tests and not any(is_one(found) for is_one in (*tests, is_text)):
            numbered = "; windows of counts are named by numbers of events, from 1 on" * (
                option in _ENDS and kind == "int"
            )
            raise InputError(f"{option} {column.name}: a column of {found} holds no {kind}{numbered}")
        others: dict[str, Callable[[Array], Array]] = {
            "time": self.to_ticks,
            "json": partial(to_json, to_ticks=self.to_ticks),
        }
        convert = plain or others.get(kind, to_text)
        why = f"{option[2:]}: {{}} is {said}"
        if option == "--value" and column.kind is None and is_text(found) and kind != "text":
            why += f"; the first rows are {kind}, else state its type: {option} {column.name}:text"
        advice = f"; {option} {column.name}:json is for lists and objects"
        way = "cast it" if self.tick is None else "give --time-unit ns, or cast it"
        finer = f"{option[2:]}: {{}} is not a whole microsecond; {way}"

        noted = option == "--watermark-column"

        def make(rows: Rows) -> Array:
            cells = drop_unset(rows.cells[source]) if noted else rows.cells[source]
            converted = convert(cells)
            if converted.null_count > cells.null_count:
                bad = to_mask(cells.is_valid()) & to_mask(converted.is_null())
                if kind == "time" and self.tick != "ns":
                    rows.refuse(bad & to_mask(is_finer(cells)), finer, cells)
                if is_text(found):
                    rows.refuse(bad & to_mask(compute.match_substring_regex(cells, _NESTED)), why + advice, cells)
                rows.refuse(bad, why, cells)
            return converted

        return self._add((f"noted {kind}" if noted else kind, column.name), make)

    def time(self, column: Mapped, option: str) -> int:
        """Convert a time to ticks, never null in a good row.  A column of numbers is in the stated unit."""
        source, found = self.source(column, option)
        if self.tick is None:
            if not (is_number(found) or is_text(found)):
                raise InputError(
                    f"{option} {column.name}: a column of type {found}, but other times are plain numbers; "
                    "give --time-unit"
                )
            converted = self.column(column, "int", option)
            self._refuse(
                lambda rows: to_mask(rows.cells[converted].is_valid()) & ~to_mask(are_near(rows.cells[converted])),
                f"{option[2:]}: {{}} is too far from 0",
                source,
            )
        elif is_number(found) and self.unit is None:
            raise InputError(f"{option} {column.name}: times are numbers without a unit; give --time-unit")
        else:
            converted = self.column(column, "time", option)
        self.refuse_null(source, f"{option[2:]} is null")
        return converted

    def key(self, columns: Sequence[Mapped], option: str, others: Sequence[Any]) -> int:
        """Return the key as the JSON list of its columns' texts.

        `others` are the types of the columns that it is compared with, as from `type_of`: text compared with numbers,
        times or truth values is converted to these if possible, unless its type is stated.
        """
        parts: list[tuple[int, Callable[[Array], Array]]] = []
        for column, other in zip(columns, others, strict=True):
            source, found = self.source(column, option)
            of = type_of(self.schema, column) or found
            if column.kind is not None and is_text(found):
                read = self.column(column, column.kind, option)  # which rejects invalid text
                if column.kind in ("int", "bool"):  # their text has several forms
                    source = read
            parts.append((source, choose_names(of, other)))

        def make(rows: Rows) -> Array:
            return join_names([name(rows.cells[source]) for source, name in parts], rows.batch.num_rows)

        return self._add(("key", *(source for source, _ in parts)), make)

    def refuse_null(self, cell: int, why: str) -> None:
        """Mark rows with null as bad."""
        self._refuse(lambda rows: to_mask(rows.cells[cell].is_null()), why)

    def refuse_nan(self, cell: int, why: str) -> None:
        """Mark rows with NaN as bad."""
        self._refuse(lambda rows: to_mask(compute.is_nan(rows.cells[cell])), why)

    def derive(self, make: Step) -> int:
        """Add a column computed from others."""
        return self._add(None, make)

    def give(self, name: str, cell: int) -> None:
        """Name a column of the output."""
        self._out[name] = cell

    def _refuse(self, when: Callable[[Rows], Any], why: str, source: int | None = None) -> None:
        def step(rows: Rows) -> None:
            rows.refuse(when(rows), why, None if source is None else rows.cells[source])

        self._add(None, step)

    def _add(self, name: Any, step: Step) -> int:
        if name is not None and name in self._made:
            return self._made[name]
        self._steps.append(step)
        number = len(self._steps) - 1
        if name is not None:
            self._made[name] = number
        return number

    @property
    def names(self) -> list[str]:
        """The columns of the output."""
        return list(self._out)

    # Conversion of a batch, in any process

    def convert(self, batch: Batch) -> tuple[Batch, Rows]:
        """Return the named columns of the good rows, and all rows with the reasons of the bad ones."""
        rows = Rows(batch)
        for step in self._steps:
            rows.cells.append(step(rows))
        made = pa.RecordBatch.from_arrays([rows.cells[cell] for cell in self._out.values()], names=self.names)
        if rows.why:
            good = np.ones(batch.num_rows, dtype=bool)
            good[list(rows.why)] = False
            made = made.filter(pa.array(good))
        return made, rows

    def take_good(self, batch: Batch) -> tuple[Batch, int, int]:
        """Return the good rows (without those skipped for having no value), and the numbers of bad and skipped rows."""
        good, rows = self.convert(batch)
        if "no_value" not in self._out:
            return good, len(rows.why), 0
        empty = good.column("no_value")
        kept = good.filter(compute.invert(empty)).drop_columns(["no_value"])
        return kept, len(rows.why), good.num_rows - kept.num_rows

    def take_nothing(self) -> Batch:
        """Return an empty batch with the types of good rows."""
        return self.take_good(pa.RecordBatch.from_pylist([], schema=self.schema))[0]

    def to_ticks(self, cells: Array) -> Array:
        """Return times in ticks; null if there is none, or it is too far away."""
        found = cells.type
        if is_number(found):
            return keep_near(self._scale_numbers(cells))
        if is_text(found):
            return keep_near(self._read_text(cells))
        if pa.types.is_date(found) or found.unit != "ns":
            cells = keep_near(to_micros(cells)).cast(pa.timestamp("us", getattr(found, "tz", None)))
        if cells.type.tz is None and self.zone is not None:
            cells = compute.assume_timezone(cells, self.zone, **OF_CLOCKS)
        whole = cells.cast(pa.int64())
        return keep_near(self._coarse(whole) if cells.type.unit == "ns" else self._fine(whole))

    def _coarse(self, nanos: Array) -> Array:
        """Return nanoseconds in ticks; null if ticks are microseconds and it is no whole one."""
        if self.tick == "ns":
            return nanos
        micros = compute.divide(nanos, 1000)
        return keep_where(compute.equal(compute.multiply(micros, 1000), nanos), micros)

    def _fine(self, micros: Array) -> Array:
        return multiply(micros, 1000) if self.tick == "ns" else micros

    def _scale(self, whole: Array) -> Array:
        factor = NANOSECONDS.get(self.unit or "", 0) // 1000
        return multiply(whole, factor) if self.tick == "us" and factor > 1 else whole

    def _scale_numbers(self, cells: Array) -> Array:
        """Return numbers of the stated unit in ticks: doubles to the nearest, exact numbers to the one before."""
        whole = self._scale(to_int(cells))
        if whole.null_count == cells.null_count:
            return whole
        factor = max(1, NANOSECONDS.get(self.unit or "", 0) // 1000) if self.tick == "us" else 1
        parts = of_cells(cells, partial(find_tick, factor), pa.int64())
        return compute.coalesce(whole, parts)

    def _read_text(self, cells: Array) -> Array:
        text = compute.utf8_trim_whitespace(cells)
        ticks = read_moments(text, self.zone, fine=self.tick == "ns")
        return ticks if self.unit is None else compute.coalesce(self._scale_numbers(keep_only(text, DECIMAL)), ticks)


def kind_of(found: Any) -> Kind | None:
    """Return the kind of a column of this type; None for text and other types."""
    return next((kind for is_one, kind in _KINDS if is_one(found)), None)


def find_type(schema: Any, name: str) -> Any:
    """Return the type of a column, or of a field of a struct; None if there is none."""
    if name in schema.names:
        found = schema.field(schema.names.index(name)).type
        found = found.value_type if pa.types.is_dictionary(found) else found
        return pa.string() if pa.types.is_null(found) else found  # only nulls, so the type is unknown
    head, dot, rest = name.partition(".")
    inner = schema.field(schema.names.index(head)).type if dot and head in schema.names else None
    return find_type(pa.schema(list(inner)), rest) if inner is not None and pa.types.is_struct(inner) else None


INFERRED: Final = "inferred: "
"""The prefix of a column's name in the metadata of a schema, if its type was inferred from the first rows."""


def infer_type(schema: Any, name: str) -> Kind | None:
    """Return the inferred type of a column of text; None if it is unknown."""
    kind = (schema.metadata or {}).get((INFERRED + name).encode())
    return None if kind is None else kind.decode()


_OF_KIND: Final = {
    "int": pa.int64(),
    "float": pa.float64(),
    "decimal": pa.decimal128(38, 0),
    "bool": pa.bool_(),
    "time": pa.timestamp("us", "UTC"),
}


def type_of(schema: Any, column: Mapped) -> Any:
    """Return the type of a column; for text, its stated type; None if there is none."""
    found = find_type(schema, column.name)
    return _OF_KIND.get(column.kind or "", found) if found is not None and is_text(found) else found


def _guess_format(where: Table, names: Sequence[str]) -> str:
    """Return a suggestion for a file without the requested columns."""
    columns = [name for name in names if name != CORRUPT]
    if where.format == "csv" and len(columns) == 1 and (found := [one for one in ";\t|" if one in columns[0]]):
        return f"; columns are separated by commas, and not by {'tabs' if found[0] == chr(9) else found[0]}"
    if where.format == "json" and not columns:
        return "; JSON is read line by line, an object in each"
    return ""


def tick_of(schema: Any, time: Mapped, unit: str | None) -> Tick:
    """Return the unit of times, from the type of the events' time and the stated unit."""
    found = find_type(schema, time.name)
    if unit is not None:
        return "ns" if unit == "ns" else "us"
    if found is not None and (
        is_number(found) or (is_text(found) and (time.kind or infer_type(schema, time.name)) == "int")
    ):
        return None
    return "us"
