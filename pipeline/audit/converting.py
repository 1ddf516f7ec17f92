"""Columns of a table turned into what the audit compares, batch by batch, and the rows that cannot be.

One definition serves one process and Spark's workers: a `Reading` is made on the driver from the table's schema, where
each column that is asked for adds a step; then it converts Arrow batches, wherever they were read.  A step works on
whole columns; where a column does not convert as a whole, it is looked at cell by cell, and what remains are the
reasons why rows are bad.
"""

import json
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache, partial
from itertools import islice
from math import floor
from typing import Any, Final, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa
import pyarrow.compute

from swagproof.models.windows.text import LONGEST, NANOSECONDS
from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.rules import Kind
from swagproof.pipeline.audit.tables import CORRUPT, Mapped, Table, Tick
from swagproof.pipeline.batches import Batch

compute: Any = pyarrow.compute  # its functions are made at run time

Array: TypeAlias = Any
"""A pyarrow.Array; pyarrow has no types."""

Step: TypeAlias = Callable[["Rows"], Array]

_IS: Final = {
    "int": "no integer of 64 bits",
    "float": "no number",
    "decimal": "no decimal number",
    "bool": "neither true nor false",
    "time": "no time; write it as 2026-03-01T09:00:00Z, or NAME:int for integers",
}
_NESTED: Final = r"^\s*[\[{]"
_ENDS: Final = ("--window-start", "--window-end")
_DECIMAL: Final = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$"
_FLOAT: Final = r"^[+-]?((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[nN][aA][nN]|[iI][nN][fF]([iI][nN][iI][tT][yY])?)$"
_TRUE: Final = ("true", "t", "yes", "y", "1")
_FALSE: Final = ("false", "f", "no", "n", "0")
_MOMENT: Final = re.compile(
    r"(\d{4,6})-(\d{1,2})(?:-(\d{1,2})(?:[ T](\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,9}))?)?"
    r" ?(Z|UTC|[+-]\d{1,2}(?::?\d{2})?)?)?)?"
)
_PLAIN: Final = {
    pa.null(): pa.string(),
    pa.string_view(): pa.string(),
    pa.binary_view(): pa.binary(),
    pa.float16(): pa.float32(),
}
"""Types that few functions of Arrow take, and others that hold as much."""
_FINER: Final = r":\d\d\.\d{6}\d*[1-9]"
_EPOCH: Final = datetime(1970, 1, 1)  # in the zone that is meant

OF_CLOCKS: Final[dict[str, Any]] = {"ambiguous": "earliest", "nonexistent": "latest"}
"""Which moment clocks mean that show it twice, or never: where there is no midnight, a day begins when it is over."""
_US: Final = timedelta(microseconds=1)


class Bad(NamedTuple):
    """A row that cannot be used."""

    reason: str
    row: str
    """As it was, as JSON or as the line that could not be read."""


class Rows:
    """A batch that is being converted."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.cells: list[Array] = []
        """What each step made of it."""
        self.why: dict[int, str] = {}
        """The first reason for which a row is bad."""

    def refuse(self, mask: Any, why: str, source: Array | None = None) -> None:
        """Rows are bad where this holds; `{}` in the reason is the cell of `source`."""
        for i in np.flatnonzero(mask).tolist():
            if i not in self.why:
                cell = "" if source is None else _say(_show(source.slice(i, 1)))
                self.why[i] = why.replace("{}", cell) if source is not None else why

    def as_it_was(self, i: int) -> str:
        """A row as it was read, for the quarantine."""
        row = dict(zip(self.batch.schema.names, map(_show, self.batch.slice(i, 1).columns), strict=True))
        if (line := row.pop(CORRUPT, None)) is not None:
            return str(line)
        return json.dumps(row, ensure_ascii=False, separators=(",", ":"), default=_say)


class Reading:
    """The steps that turn columns of one table into those of the audit."""

    def __init__(self, schema: Any, where: Table, tick: Tick, unit: str | None, zone: str | None = None) -> None:
        self.schema, self.where, self.tick, self.unit = schema, where, tick, unit
        self.zone = zone
        """Of whose clocks dates and timestamps without a zone are; None: UTC."""
        self.needed: dict[str, None] = {}
        """The columns that the steps read, as the file has them."""
        self._steps: list[Step] = []
        self._made: dict[Any, int] = {}
        self._out: dict[str, int] = {}
        if CORRUPT in schema.names:
            self.needed[CORRUPT] = None
            self._refuse(lambda rows: _mask(rows.batch.column(CORRUPT).is_valid()), "the line cannot be read")

    # What is asked for, on the driver

    def has(self, name: str) -> bool:
        """Whether there is such a column, or such a field of a struct."""
        return find_type(self.schema, name) is not None

    def source(self, column: Mapped, option: str) -> tuple[int, Any]:
        """A column as it is in the file, and its type.  Raises InputError where there is none."""
        found = find_type(self.schema, column.name)
        in_lines = self.where.format == "json" and self.schema.names != [CORRUPT]
        if found is None and in_lines and column.kind is not None:  # as JSON is written that leaves out nulls
            nothing = self._add(("source", column.name), lambda rows: pa.nulls(rows.batch.num_rows, pa.string()))
            return nothing, pa.string()
        if found is None:
            there = ", ".join(name for name in self.schema.names if name != CORRUPT)
            raise InputError(
                f"{option} {column.name}: {self.where} has no such column; it has {there or 'none'}"
                + _guess_format(self.where, self.schema.names)
                + f"; if it is null in every line, say its type: {option} {column.name}:TYPE" * in_lines
            )
        path = [column.name] if column.name in self.schema.names else column.name.split(".")
        if self.schema.names.count(path[0]) > 1:
            raise InputError(f"{option} {column.name}: {self.where} has several columns of that name; rename one")
        self.needed[path[0]] = None

        def take(rows: Rows) -> Array:
            cells = rows.batch.column(path[0])
            for name in path[1:]:
                cells = compute.struct_field(cells, name)
            cells = cells.dictionary_decode() if pa.types.is_dictionary(cells.type) else cells
            plain = _PLAIN.get(cells.type)
            return cells if plain is None else cells.cast(plain)

        return self._add(("source", column.name), take), found

    def kind(self, column: Mapped, option: str, default: Kind) -> Kind:
        """What a column holds: as stated, else by its type, else, for text, the default."""
        _, found = self.source(column, option)
        if column.kind is not None:
            return column.kind
        kinds: tuple[tuple[Callable[[Any], bool], Kind], ...] = (
            (pa.types.is_uint64, "decimal"),  # some are larger than an integer of 64 bits here
            (pa.types.is_integer, "int"),
            (pa.types.is_floating, "float"),
            (pa.types.is_decimal, "decimal"),
            (pa.types.is_boolean, "bool"),
            (pa.types.is_timestamp, "time"),
            (pa.types.is_date, "time"),
            (pa.types.is_nested, "json"),
            (_is_text, default),
            (_is_bytes, "text"),
        )
        for is_one, kind in kinds:
            if is_one(found):
                return kind
        raise InputError(f"{option} {column.name}: a column of {found} is of no use here")

    def order(self, column: Mapped, option: str) -> Kind:
        """What a column holds that orders rows: times, or integers, written as doubles or not.

        Raises InputError for any other.
        """
        kind = self.kind(column, option, "int")
        if kind not in ("int", "float", "decimal", "time"):
            raise InputError(f"{option} {column.name}: a column of {kind}; give integers or times")
        return "time" if kind == "time" else "int"

    def column(self, column: Mapped, kind: Kind, option: str) -> int:
        """A column of this kind: int64 for int and time, double for float, boolean for bool, text for the others."""
        source, found = self.source(column, option)
        fits: dict[str, bool] = {
            "int": _is_number(found) or (option == "--value" and pa.types.is_boolean(found)),
            "float": _is_number(found),
            "decimal": pa.types.is_integer(found) or pa.types.is_decimal(found),
            "bool": pa.types.is_boolean(found),
            "time": _is_number(found) or pa.types.is_timestamp(found) or pa.types.is_date(found),
        }
        if not fits.get(kind, True) and not _is_text(found):
            numbered = "; windows of counts are named by numbers of events, from 1 on" * (
                option in _ENDS and kind == "int"
            )
            raise InputError(f"{option} {column.name}: a column of {found} holds no {kind}{numbered}")
        convert: dict[str, Callable[[Array], Array]] = {
            "int": to_int,
            "float": to_float,
            "bool": to_bool,
            "decimal": to_decimal,
            "time": self.to_ticks,
            "json": partial(to_json, to_ticks=self.to_ticks),
            "text": to_text,
        }
        why = f"{option[2:]}: {{}} is {_IS.get(kind, '')}"
        if option == "--value" and column.kind is None and _is_text(found) and kind != "text":
            why += f"; no type is said of it: {option} {column.name}:text, or another"
        advice = f"; {option} {column.name}:json is for lists and objects"
        way = "cast it" if self.tick is None else "give --time-unit ns, or cast it"
        finer = f"{option[2:]}: {{}} is no whole microsecond; {way}"

        def make(rows: Rows) -> Array:
            cells = rows.cells[source]
            converted = convert[kind](cells)
            if converted.null_count > cells.null_count:
                bad = _mask(cells.is_valid()) & _mask(converted.is_null())
                if kind == "time" and self.tick != "ns":
                    rows.refuse(bad & _mask(_is_finer(cells)), finer, cells)
                if _is_text(found):
                    rows.refuse(bad & _mask(compute.match_substring_regex(cells, _NESTED)), why + advice, cells)
                rows.refuse(bad, why, cells)
            return converted

        return self._add((kind, column.name), make)

    def time(self, column: Mapped, option: str) -> int:
        """A time in ticks, never null in a good row.  A column of numbers is one in the stated unit."""
        source, found = self.source(column, option)
        if self.tick is None:
            if not (_is_number(found) or _is_text(found)):
                raise InputError(
                    f"{option} {column.name}: a column of {found}, where other times are plain numbers; "
                    "give --time-unit"
                )
            converted = self.column(column, "int", option)
            self._refuse(
                lambda rows: _mask(rows.cells[converted].is_valid()) & ~_mask(_near(rows.cells[converted])),
                f"{option[2:]}: {{}} is too far from 0",
                source,
            )
        elif _is_number(found) and self.unit is None:
            raise InputError(f"{option} {column.name}: numbers, of what unit? Give --time-unit")
        else:
            converted = self.column(column, "time", option)
        self.refuse_null(source, f"{option[2:]} is null")
        return converted

    def key(self, columns: Sequence[Mapped], option: str, others: Sequence[Any]) -> int:
        """The key as the JSON list of its columns' texts.

        `others` are the types of the columns that it is compared with, as `type_of` has them: text beside numbers,
        times or truth values is read as these, where it is some, and nothing else is said of it.
        """
        parts: list[tuple[int, Callable[[Array], Array]]] = []
        for column, other in zip(columns, others, strict=True):
            source, found = self.source(column, option)
            if column.kind is not None and _is_text(found):
                self.column(column, column.kind, option)  # which refuses what is none
            parts.append((source, _choose_names(type_of(self.schema, column) or found, other)))

        def make(rows: Rows) -> Array:
            return _join_names([name(rows.cells[source]) for source, name in parts], rows.batch.num_rows)

        return self._add(("key", *(source for source, _ in parts)), make)

    def refuse_null(self, cell: int, why: str) -> None:
        """Rows are bad that have null there."""
        self._refuse(lambda rows: _mask(rows.cells[cell].is_null()), why)

    def refuse_nan(self, cell: int, why: str) -> None:
        """Rows are bad that have NaN there."""
        self._refuse(lambda rows: _mask(compute.is_nan(rows.cells[cell])), why)

    def derive(self, make: Step) -> int:
        """A column made of others by hand."""
        return self._add(None, make)

    def give(self, name: str, cell: int) -> None:
        """A column of what is converted is called so."""
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
        """The columns of what is converted."""
        return list(self._out)

    # What is done with a batch, wherever that is

    def convert(self, batch: Batch) -> tuple[Batch, Rows]:
        """The columns that were given a name, of the good rows; and the rows with what is said of the bad ones."""
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
        """The good rows that have a value, where others are skipped; how many are bad, and how many are skipped."""
        good, rows = self.convert(batch)
        if "no_value" not in self._out:
            return good, len(rows.why), 0
        empty = good.column("no_value")
        kept = good.filter(compute.invert(empty)).drop_columns(["no_value"])
        return kept, len(rows.why), good.num_rows - kept.num_rows

    def to_ticks(self, cells: Array) -> Array:
        """Times in ticks, null where there is none, or it is too far away."""
        found = cells.type
        if _is_number(found):
            return _keep_near(self._scale_numbers(cells))
        if _is_text(found):
            return _keep_near(self._read_text(cells))
        if pa.types.is_date(found):
            cells = cells.cast(pa.timestamp("s")).cast(pa.timestamp("us"))
        elif found.unit != "ns":
            cells = cells.cast(pa.timestamp("us", found.tz))
        if cells.type.tz is None and self.zone is not None:
            cells = compute.assume_timezone(cells, self.zone, **OF_CLOCKS)
        whole = cells.cast(pa.int64())
        return _keep_near(self._coarse(whole) if cells.type.unit == "ns" else self._fine(whole))

    def _coarse(self, nanos: Array) -> Array:
        """Null where ticks are microseconds, and it is no whole one."""
        if self.tick == "ns":
            return nanos
        micros = compute.divide(nanos, 1000)
        return compute.if_else(
            compute.equal(compute.multiply(micros, 1000), nanos), micros, pa.scalar(None, pa.int64())
        )

    def _fine(self, micros: Array) -> Array:
        return _multiply(micros, 1000) if self.tick == "ns" else micros

    def _scale(self, whole: Array) -> Array:
        factor = NANOSECONDS.get(self.unit or "", 0) // 1000
        return _multiply(whole, factor) if self.tick == "us" and factor > 1 else whole

    def _scale_numbers(self, cells: Array) -> Array:
        """Numbers of the stated unit in ticks; of doubles the nearest tick, of exact numbers the one before."""
        whole = self._scale(to_int(cells))
        if whole.null_count == cells.null_count:
            return whole
        factor = max(1, NANOSECONDS.get(self.unit or "", 0) // 1000) if self.tick == "us" else 1
        parts = _of_cells(cells, partial(_find_tick, factor), pa.int64())
        return compute.coalesce(whole, parts)

    def _read_text(self, cells: Array) -> Array:
        text = compute.utf8_trim_whitespace(cells)
        ticks = _read_moments(text, self.zone, fine=self.tick == "ns")
        return ticks if self.unit is None else compute.coalesce(self._scale_numbers(_only(text, _DECIMAL)), ticks)


def find_type(schema: Any, name: str) -> Any:
    """The type of a column, or of a field of a struct; None where there is none."""
    if name in schema.names:
        found = schema.field(schema.names.index(name)).type
        found = found.value_type if pa.types.is_dictionary(found) else found
        return pa.string() if pa.types.is_null(found) else found  # nothing but nulls: of what type is not said
    head, dot, rest = name.partition(".")
    inner = schema.field(schema.names.index(head)).type if dot and head in schema.names else None
    return find_type(pa.schema(list(inner)), rest) if inner is not None and pa.types.is_struct(inner) else None


_OF_KIND: Final = {
    "int": pa.int64(),
    "float": pa.float64(),
    "decimal": pa.decimal128(38, 0),
    "bool": pa.bool_(),
    "time": pa.timestamp("us", "UTC"),
}


def type_of(schema: Any, column: Mapped) -> Any:
    """The type of a column, of text that which is said of it; None where there is none."""
    found = find_type(schema, column.name)
    return _OF_KIND.get(column.kind or "", found) if found is not None and _is_text(found) else found


def _guess_format(where: Table, names: Sequence[str]) -> str:
    """What may be done about a file without the columns that are asked for."""
    columns = [name for name in names if name != CORRUPT]
    if where.format == "csv" and len(columns) == 1 and (found := [one for one in ";\t|" if one in columns[0]]):
        return f"; columns are separated by commas, and not by {'tabs' if found[0] == chr(9) else found[0]}"
    if where.format == "json" and not columns:
        return "; JSON is read line by line, an object in each"
    return ""


def _is_number(found: Any) -> bool:
    return bool(pa.types.is_integer(found) or pa.types.is_floating(found) or pa.types.is_decimal(found))


def _is_bytes(found: Any) -> bool:
    return bool(pa.types.is_binary(found) or pa.types.is_large_binary(found) or pa.types.is_fixed_size_binary(found))


def is_single(found: Any) -> bool:
    """Whether a column, or lists in it, hold floats of 32 bits or fewer."""
    while found is not None and (pa.types.is_list(found) or pa.types.is_large_list(found)):
        found = found.value_type
    return found is not None and bool(pa.types.is_float32(found) or pa.types.is_float16(found))


def _is_text(found: Any) -> bool:
    return bool(pa.types.is_string(found) or pa.types.is_large_string(found) or pa.types.is_string_view(found))


def _mask(cells: Array) -> Any:
    """Booleans for NumPy; null is false."""
    return (cells.fill_null(False) if cells.null_count else cells).to_numpy(zero_copy_only=False)


def _near(times: Array) -> Array:
    """Whether times are near enough to 0."""
    return compute.and_(compute.greater(times, -LONGEST), compute.less(times, LONGEST))


def _keep_near(times: Array) -> Array:
    near = _near(times)
    return (
        times if compute.all(near, min_count=0).as_py() else compute.if_else(near, times, pa.scalar(None, pa.int64()))
    )


def _multiply(whole: Array, factor: int) -> Array:
    """Null where it does not fit."""
    fits = compute.less_equal(compute.abs(whole), (2**63 - 1) // factor)
    kept = compute.if_else(fits, whole, pa.scalar(None, pa.int64()))
    return compute.multiply(kept, pa.scalar(factor, pa.int64()))


def _of_cells(cells: Array, convert: Callable[[Any], Any], kind: Any) -> Array:
    """Cell by cell, null where it raises ValueError."""

    def one(cell: Any) -> Any:
        try:
            return None if cell is None else convert(cell)
        except (ValueError, OverflowError):
            return None

    return pa.array([one(cell) for cell in cells.to_pylist()], kind)


def _only(cells: Array, pattern: str) -> Array:
    """Text without spaces around it, null where it does not match."""
    text = compute.utf8_trim_whitespace(cells)
    fits = compute.match_substring_regex(text, pattern)
    return text if compute.all(fits, min_count=0).as_py() else compute.if_else(fits, text, pa.scalar(None, text.type))


def to_int(cells: Array) -> Array:
    """Integers of 64 bits; null where there is none.  A double or a decimal that is whole is one: 0.0 is 0.

    >>> to_int(pa.array(["12", " -3 ", "+4", "0x5", "6.0", "1e3", "0.5", "9223372036854775808", None])).to_pylist()
    [12, -3, 4, None, 6, 1000, None, None, None]
    >>> to_int(pa.array([0.0, 2.5, float("nan"), None])).to_pylist()
    [0, None, None, None]
    """
    numbers = _only(cells, _DECIMAL) if _is_text(cells.type) else cells
    try:
        return numbers.cast(pa.int64())
    except pa.ArrowInvalid:  # a point, a plus sign, too large
        return _of_cells(numbers, _read_whole, pa.int64())


def _read_whole(cell: Any) -> int | None:
    number = Decimal(cell)
    whole = int(number)
    return whole if whole == number and -(2**63) <= whole < 2**63 else None


def _find_tick(factor: int, cell: Any) -> int:
    """The tick of a number of some unit."""
    return round(Fraction(cell) * factor) if isinstance(cell, float) else floor(Decimal(cell) * factor)


def to_float(cells: Array) -> Array:
    """Doubles; null where there is none.

    >>> to_float(pa.array(["1.5", "-.5e2", "nan", "1_0", "+Infinity", None])).to_pylist()
    [1.5, -50.0, nan, None, inf, None]
    """
    if not _is_text(cells.type):
        return cells.cast(pa.float64(), safe=False)
    return _of_cells(_only(cells, _FLOAT), float, pa.float64())


def to_bool(cells: Array) -> Array:
    """Booleans; null where there is none."""
    if not _is_text(cells.type):
        return cells
    text = compute.utf8_lower(compute.utf8_trim_whitespace(cells))
    yes, no = (compute.is_in(text, value_set=pa.array(words)) for words in (_TRUE, _FALSE))
    return compute.if_else(compute.or_(yes, no), yes, pa.scalar(None, pa.bool_()))


def to_decimal(cells: Array) -> Array:
    """The text of decimal numbers; null where there is none."""
    return _only(cells if _is_text(cells.type) else cells.cast(pa.string()), _DECIMAL)


def to_json(cells: Array, to_ticks: Callable[[Array], Array]) -> Array:
    """JSON, whose objects have no nulls, and whose times are ticks; text is taken for it."""
    return cells if _is_text(cells.type) else pa.array(_write_cells(cells, to_ticks), pa.string())


def _write_cells(cells: Array, to_ticks: Callable[[Array], Array]) -> list[str | None]:
    found = cells.type
    if pa.types.is_dictionary(found):
        return _write_cells(cells.dictionary_decode(), to_ticks)
    if pa.types.is_struct(found):
        names = [_write_json(field.name) for field in found]
        fields = [_write_cells(compute.struct_field(cells, i), to_ticks) for i in range(len(names))]
        rows = zip(*fields, strict=True) if fields else [()] * len(cells)
        written = ([f"{name}:{it}" for name, it in zip(names, row, strict=True) if it is not None] for row in rows)
        return [
            f"{{{','.join(it)}}}" if there else None for it, there in zip(written, _mask(cells.is_valid()), strict=True)
        ]
    if pa.types.is_nested(found) and not pa.types.is_map(found) and not pa.types.is_union(found):
        inner = iter(["null" if it is None else it for it in _write_cells(compute.list_flatten(cells), to_ticks)])
        lengths = compute.list_value_length(cells).to_pylist()
        return [None if n is None else f"[{','.join(islice(inner, n))}]" for n in lengths]
    if pa.types.is_timestamp(found) or pa.types.is_date(found):
        cells = to_ticks(cells)
    return [None if cell is None else _write_json(cell) for cell in cells.to_pylist()]


def read_inside(text: Array, kinds: Sequence[Kind], to_ticks: Callable[[Array], Array]) -> Array:
    """JSON in which times and decimals are written as text: as the numbers that they are, where values are of these."""

    def read(it: Any) -> Any:
        match it:
            case list():
                return [read(one) for one in it]
            case dict() if "fraction" not in it:
                return {name: read(one) for name, one in it.items()}
            case str() if "decimal" in kinds and re.match(_DECIMAL, it):
                return Decimal(it)
            case str() if "time" in kinds:
                (tick,) = to_ticks(pa.array([it])).to_pylist()
                return it if tick is None else tick
            case _:
                return it

    def rewrite(cell: str) -> str:
        try:
            found = json.loads(cell, parse_float=Decimal)
        except ValueError:  # which is judged as it is
            return cell
        return cell if (made := read(found)) == found else _write_json(made)

    return _of_cells(text, rewrite, pa.string())


def has_cells(found: Any) -> bool:
    """Whether a column of this type holds numbers, truth values or text, one in a cell."""
    found = found.value_type if pa.types.is_dictionary(found) else found
    tests = pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal, pa.types.is_boolean, _is_text
    return any(is_one(found) for is_one in tests)


def to_text(cells: Array) -> Array:
    """Text."""
    if _is_text(cells.type):
        return cells
    cells = _name_each(_name_bytes, cells) if _is_bytes(cells.type) else _spell_nanos(cells)
    plain = any(
        is_one(cells.type) for is_one in (pa.types.is_integer, pa.types.is_boolean, pa.types.is_decimal, _is_text)
    )
    return cells.cast(pa.string()) if plain else _of_cells(cells, _say, pa.string())


def _spell_nanos(cells: Array) -> Array:
    """Times in nanoseconds, which Python has not, as text; all else as it is."""
    timely = pa.types.is_timestamp(cells.type) or pa.types.is_time(cells.type)
    return cells.cast(pa.string()) if timely and cells.type.unit == "ns" else cells


def _show(cells: Array) -> Any:
    """The first cell, as it is told: as Python has it, or as Arrow writes what Python has not."""
    try:
        return _spell_nanos(cells)[0].as_py()
    except (OverflowError, ValueError):
        return cells.cast(pa.string())[0].as_py()


def _is_finer(cells: Array) -> Array:
    """Whether times are no whole microseconds."""
    if _is_text(cells.type):
        return compute.match_substring_regex(cells, _FINER)
    if not pa.types.is_timestamp(cells.type) or cells.type.unit != "ns":
        return pa.array(np.zeros(len(cells), dtype=bool))
    nanos = cells.cast(pa.int64())
    return compute.not_equal(compute.multiply(compute.divide(nanos, 1000), 1000), nanos)


def _write_json(cell: Any) -> str:
    """JSON without the nulls of objects; decimals have all their digits."""
    match cell:
        case Decimal() if cell.is_finite():
            return str(cell)
        case dict():
            inner = (f"{_write_json(name)}:{_write_json(it)}" for name, it in cell.items() if it is not None)
            return f"{{{','.join(inner)}}}"
        case [(_, _), *_] if all(isinstance(it, tuple) for it in cell):  # a map of Arrow's
            return _write_json({name if isinstance(name, str) else _say(name): it for name, it in cell})
        case list():
            return f"[{','.join(map(_write_json, cell))}]"
        case _:
            return json.dumps(cell, ensure_ascii=False, default=_say)


def _say(cell: Any) -> str:
    """A cell, as text."""
    if cell is None or isinstance(cell, bool):
        return {None: "null", True: "true", False: "false"}[cell]
    if isinstance(cell, list | dict):
        return _write_json(cell)
    return repr(cell) if isinstance(cell, float) else str(cell)


def _read_moments(text: Array, zone: str | None, *, fine: bool = False) -> Array:
    """Microseconds since the epoch, or nanoseconds; null of what is no whole one.  A time that names no zone is of
    `zone`.

    >>> _read_moments(pa.array(["1970-01-01T00:00:01Z", "1970-01-01 01:00:00+01", "7", None]), None).to_pylist()
    [1000000, 0, None, None]
    """
    if compute.all(compute.match_substring_regex(text, r"^\d{4}-"), min_count=0).as_py():
        for kind in (pa.timestamp("us", "UTC"), *([pa.timestamp("us")] if zone is None else [])):
            try:
                micros = text.cast(kind).cast(pa.int64())
                return _multiply(micros, 1000) if fine else micros
            except pa.ArrowInvalid:  # some name a zone and some do not, or are written in another way
                continue
    own = ZoneInfo(zone) if zone is not None else UTC
    return _of_cells(text, lambda cell: _read_moment(cell, own, fine=fine), pa.int64())


def _read_moment(text: str, own: Any, *, fine: bool) -> int | None:
    found = _read_nanos(text, own)
    if found is None:
        return None
    if fine:
        return found if abs(found) < LONGEST else None
    return None if found % 1000 else found // 1000


def _read_nanos(text: str, own: Any) -> int | None:
    """Nanoseconds since the epoch."""
    match = _MOMENT.fullmatch(text)
    if match is None or int(match[1]) > 9999:
        return None
    year, month, day, hour, minute, second = (int(match[i] or (i <= 3)) for i in range(1, 7))
    part, nanos = divmod(int((match[7] or "").ljust(9, "0")), 1000)
    local = datetime(year, month, day, hour, minute, second, part)
    named = match[8]
    if named in (None, "Z", "UTC"):
        zone = own if named is None else UTC
        micros = (local.replace(tzinfo=zone).astimezone(UTC).replace(tzinfo=None) - _EPOCH) // _US
    else:
        hours, _, minutes = named[1:].partition(":")
        if len(hours) > 2:
            hours, minutes = hours[:2], hours[2:]
        off = timedelta(hours=int(hours), minutes=int(minutes or 0))
        micros = (local - (off if named[0] == "+" else -off) - _EPOCH) // _US
    return micros * 1000 + nanos


# Keys


def _choose_names(found: Any, other: Any) -> Callable[[Array], Array]:
    """How a column of this type is named, beside one of the other, so that the same has one name whatever its type.

    Numbers are named alike, 1 for 1.0 and 1.00, beside floats as the nearest of these, of the fewer bits; moments by
    UTC, whatever their zone, without one as UTC; NaN, which pandas has for null, is null.
    """
    types = [found, other] if other is not None else [found]
    moments = [it for it in types if pa.types.is_timestamp(it) or pa.types.is_date(it)]
    if moments:
        return partial(_name_moments, dated=not any(map(pa.types.is_timestamp, moments)))
    numbers = [it for it in types if _is_number(it)]
    if numbers and not all(map(pa.types.is_integer, types)):
        bits = min((it.bit_width for it in numbers if pa.types.is_floating(it)), default=0)
        return partial(_name_each, partial(_name_number, _FLOATS.get(bits)))
    if any(map(pa.types.is_boolean, types)):
        return partial(_name_each, _name_truth)
    if pa.types.is_nested(found):
        return _name_nested
    return to_text


_FLOATS: Final[dict[int, Any]] = {16: np.float16, 32: np.float32, 64: np.float64}


def _name_each(name: Callable[[Any], str | None], cells: Array) -> Array:
    """The names of different cells, each made once."""
    coded = cells.dictionary_encode()
    return _of_cells(coded.dictionary, name, pa.string()).take(coded.indices)


def _name_number(nearest: Any, number: Any) -> str | None:
    if isinstance(number, str) and not re.match(_FLOAT, number.strip()):
        return number
    if nearest is None:
        exact = Decimal(number)
        if not exact.is_finite():
            return None if exact.is_nan() else str(exact)
        text = format(exact, "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    with np.errstate(over="ignore"):
        short = nearest(float(number))
    x = float(short)
    if x != x:
        return None
    return str(int(x)) if x.is_integer() and abs(x) < 2.0**53 else repr(x) if nearest is np.float64 else str(short)


def _name_truth(cell: Any) -> str:
    text = str(cell)
    return text.lower() if text.lower() in ("true", "false") else text


def _name_bytes(cell: bytes) -> str:
    try:
        return cell.decode()
    except UnicodeDecodeError:
        return cell.hex()


def _name_nested(cells: Array) -> Array:
    return _of_cells(cells, _write_json, pa.string())


def _name_moments(cells: Array, *, dated: bool) -> Array:
    """Dates alone, where all are dates, else moments; text that is neither stays what it is."""
    found = cells.type
    if _is_text(found):
        return _name_each(lambda text: _name_moment(_read_nanos(text.strip(), UTC), dated) or text, cells)
    if not (pa.types.is_timestamp(found) or pa.types.is_date(found)):
        return to_text(cells)
    unit = "ns" if pa.types.is_timestamp(found) and found.unit == "ns" else "us"
    cells = cells if unit == "ns" else cells.cast(pa.timestamp("us", getattr(found, "tz", None)))
    grain = 1 if unit == "ns" else 1000
    return _name_each(lambda at: _name_moment(at * grain, dated), cells.cast(pa.int64()))


def _name_moment(nanos: int | None, dated: bool) -> str | None:
    if nanos is None:
        return None
    try:
        at = _EPOCH + timedelta(microseconds=nanos // 1000)
    except OverflowError:  # of no year that Python has
        return str(nanos)
    if dated and nanos % (86_400 * 10**9) == 0:
        return str(at.date())
    return f"{at.isoformat(timespec='microseconds')}{nanos % 1000:03}Z" if nanos % 1000 else f"{at.isoformat()}Z"


def _join_names(parts: list[Array], n: int) -> Array:
    """The keys as JSON, as a dictionary: there are few, and many events of each."""
    if not parts:
        return pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, dtype=np.int32)), pa.array(["[]"]))
    coded = [part.dictionary_encode(null_encoding="encode") for part in parts]
    if len(coded) == 1:
        names = [_dump_key((cell,)) for cell in coded[0].dictionary.to_pylist()]
        return pa.DictionaryArray.from_arrays(coded[0].indices, pa.array(names, pa.string()))
    codes, first = np.zeros(n, dtype=np.int64), np.zeros(1, dtype=np.int64)
    for code in coded:
        mixed = codes * max(1, len(code.dictionary)) + code.indices.to_numpy()
        _, first, codes = np.unique(mixed, return_index=True, return_inverse=True)
    cells = (part.take(pa.array(first)).to_pylist() for part in parts)
    names = [_dump_key(key) for key in zip(*cells, strict=True)]
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32)), pa.array(names, pa.string()))


_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=2**16)
def _dump_key(key: tuple[Any, ...]) -> str:
    return _ENCODER.encode(key)


def tick_of(schema: Any, time: Mapped, unit: str | None) -> Tick:
    """What times are counted in, from the type of the events' time and the stated unit."""
    found = find_type(schema, time.name)
    if unit is not None:
        return "ns" if unit == "ns" else "us"
    if found is not None and (_is_number(found) or (_is_text(found) and time.kind == "int")):
        return None
    return "us"
