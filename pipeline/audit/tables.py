"""The two tables of an audit: events, and the results that a job made of them, read as the caller maps their columns.

Parquet brings its own types.  JSON lines and CSV (with a header) are read as text, and each mapped column is turned
into what the mapping says, `NAME:TYPE`, with TYPE one of int, float, decimal, text, bool, time, json; nothing is
guessed from the data.  A name may reach into a struct: `window.start`.

Times are timestamps, or integers in a unit that is stated; inside they are ticks: microseconds since the epoch in UTC
(nanoseconds if integers are in those), or plain numbers where no unit is stated.  A timestamp without a zone is UTC;
one that names a window of a calendar is in that calendar's zone, and so is a date.

A key is compared as text; of several columns, all of them.  Numbers are the same whatever their types: 1 here and 1.0
there.  Null is a key of its own, and NaN is null.  A row that lacks a time or an
arrival number, or holds what its column's type cannot, is bad: it is counted, named and kept apart, never dropped.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from swagproof.models.windows.text import LONGEST, NANOSECONDS
from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.rules import Kind

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession
    from pyspark.sql.types import DataType, StructType

Format: TypeAlias = Literal["parquet", "json", "csv"]
Tick: TypeAlias = Literal["ns", "us"] | None
"""What times are counted in: nanoseconds or microseconds since the epoch, or None for plain numbers."""
Nulls: TypeAlias = Literal["refuse", "skip", "ignore"]

KINDS: Final[tuple[Kind, ...]] = ("int", "float", "decimal", "text", "bool", "time", "json")

_ENDINGS: Final[dict[str, Format]] = {
    ".parquet": "parquet",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
    ".csv": "csv",
}
_IS: Final = {
    "int": "no integer of 64 bits",
    "float": "no number",
    "decimal": "no decimal number",
    "bool": "neither true nor false",
    "time": "no time; write NAME:int for integers",
}
_CORRUPT: Final = "_swagproof_corrupt"
FIRST: Final = 1_000
"""How many lines of JSON are looked at to learn its names."""


@dataclass(frozen=True)
class Mapped:
    """A column of a file, and what it holds where that is stated."""

    name: str
    kind: Kind | None = None


def mapped(text: str) -> Mapped:
    """A column as an option names it.

    >>> mapped("delay:int"), mapped("window.start")
    (Mapped(name='delay', kind='int'), Mapped(name='window.start', kind=None))
    """
    name, colon, kind = text.rpartition(":")
    if colon and kind in KINDS:
        return Mapped(name, kind)
    return Mapped(text)


@dataclass(frozen=True)
class Table:
    """Where a table is, and in which format."""

    option: str
    """For messages: `--events` or `--results`."""
    paths: tuple[str, ...]
    format: Format

    def __str__(self) -> str:
        return ", ".join(self.paths)


def table(option: str, paths: Sequence[str], format_: Format | None) -> Table:
    """The files of a table.  Raises InputError for a file that is not there, and a format that cannot be told."""
    found: set[Format] = set()
    told: Format | None
    for path in paths:
        if "://" in path or any(letter in path for letter in "*?["):
            found.add(format_ or _format(path) or "parquet")
            continue
        place = Path(path)
        if not place.exists():
            raise InputError(f"{option} {path}: there is no such file or directory")
        told = format_ or _format(path)
        if told is None and place.is_dir():
            inside: set[Format | None] = {
                _format(str(file)) for file in place.rglob("*") if file.is_file() and file.name[0] not in "._"
            }
            formats: list[Format] = [one for one in inside if one is not None]
            if not inside:
                raise InputError(f"{option} {path}: the directory holds no data")
            told = formats[0] if len(formats) == 1 else None
        if told is None:
            raise InputError(f"{option} {path}: parquet, json or csv? Say so with {option}-format")
        found.add(told)
    if len(found) != 1:
        raise InputError(f"{option}: files of several formats ({', '.join(sorted(found))}); give one")
    return Table(option, tuple(paths), found.pop())


def _format(path: str) -> Format | None:
    name = Path(path)
    suffix = name.suffixes[-2] if name.suffix in (".gz", ".zst", ".bz2") and len(name.suffixes) > 1 else name.suffix
    return _ENDINGS.get(suffix)


def read(spark: "SparkSession", where: Table, columns: Sequence[Mapped]) -> "DataFrame":
    """All columns of the files, and `file`, where each row is from.  Text formats hold text alone."""
    from pyspark.errors import PySparkException
    from pyspark.sql import functions as F

    reader = spark.read
    if where.format == "parquet":
        try:
            frame = reader.parquet(*where.paths)
        except PySparkException as error:
            if "TIMESTAMP(NANOS" not in str(error):
                raise
            said = "timestamps in nanoseconds, which Spark does not read; write microseconds (coerce_timestamps='us')"
            raise InputError(f"{where.option} {where}: {said}") from None
    elif where.format == "csv":
        names = spark.read.csv(list(where.paths), header=True).columns
        fields = ", ".join(f"`{name}` string" for name in [*names, _CORRUPT])
        frame = reader.schema(fields).csv(
            list(where.paths), header=True, enforceSchema=False, columnNameOfCorruptRecord=_CORRUPT
        )
    else:
        frame = _json(spark, where, [column.name for column in columns])
    return frame.withColumn("_swagproof_file", F.col("_metadata.file_path"))


def _json(spark: "SparkSession", where: Table, asked: Sequence[str]) -> "DataFrame":
    """JSON lines: the columns that are asked for, as far as they are there, and those of the first lines.

    A name that no row of the first has, and that is null in all others, is not there: one pass more, where that is so.
    """
    from pyspark.sql import functions as F

    def lines(names: Sequence[str]) -> "DataFrame":
        schema = _text_schema(names, whole, where)
        return spark.read.schema(schema).json(list(where.paths), columnNameOfCorruptRecord=_CORRUPT)

    first = [row["value"] for row in spark.read.text(list(where.paths)).head(FIRST)]
    seen = dict.fromkeys(name for line in first for name in names_in(line))
    whole = {name for name in seen if "." in name}
    doubtful = [name for name in dict.fromkeys(asked) if name not in seen]
    if first and doubtful:
        found = [F.max(_at(name, whole).isNotNull()).alias(str(i)) for i, name in enumerate(doubtful)]
        row = lines(doubtful).agg(*found).head()
        assert row is not None
        doubtful = [name for name, there in zip(doubtful, row, strict=True) if there]
    inside = {name.partition(".")[0] for name in doubtful if name not in whole}
    plain = [name for name in seen if name not in inside or name in asked]
    return lines([*plain, *doubtful])


def names_in(line: str) -> list[str]:
    """The names in a line of JSON."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return []
    rows: list[Any] = found if isinstance(found, list) else [found]
    return [name for row in rows if isinstance(row, dict) for name in row]


def _at(name: str, whole: Collection[str]) -> "Column":
    """A column, or a field of a struct."""
    from pyspark.sql import functions as F

    head, dot, rest = name.partition(".")
    return F.col(f"`{name}`") if not dot or name in whole else F.col(f"`{head}`.{rest}")


def _text_schema(names: Sequence[str], whole: Collection[str], where: Table) -> "StructType":
    """Every column as text, with structs where a name has dots that are not its own (`whole`)."""
    from pyspark.sql.types import StringType, StructField, StructType

    tree: dict[str, Any] = {}
    for name in names:
        inner = tree
        *outer, last = [name] if name in whole else name.split(".")
        for part in outer:
            inner = inner.setdefault(part, {})
            if inner is None:
                raise InputError(f"{where.option} {where}: {part} is asked for as a whole, and in parts; give one")
        inner.setdefault(last, None)

    def struct(branches: dict[str, Any]) -> StructType:
        return StructType(
            [StructField(name, StringType() if inner is None else struct(inner)) for name, inner in branches.items()]
        )

    return struct(tree).add(_CORRUPT, StringType())


def has_column(frame: "DataFrame", name: str) -> bool:
    """Whether there is such a column, or such a field of a struct."""
    return _typed(frame.schema, name) is not None


def _typed(schema: "StructType", name: str) -> "DataType | None":
    from pyspark.sql.types import StructType

    if name in schema.names:
        return schema[name].dataType
    head, dot, rest = name.partition(".")
    inner = schema[head].dataType if dot and head in schema.names else None
    return _typed(inner, rest) if isinstance(inner, StructType) else None


class Reading:
    """Columns of one table, converted; what cannot be is collected as the reasons why a row is bad."""

    def __init__(self, frame: "DataFrame", where: Table, tick: Tick, unit: str | None, zone: str | None = None) -> None:
        self.frame, self.where, self.tick, self.unit = frame, where, tick, unit
        self.zone = zone
        """Of whose clocks dates and timestamps without a zone are; None: UTC."""
        self.bad: list[Column] = []
        if _CORRUPT in frame.columns:
            self.refuse(self._col(_CORRUPT).isNotNull(), "the line cannot be read")

    def refuse(self, when: "Column", why: str, value: "Column | None" = None) -> None:
        """Rows are bad where this holds."""
        from pyspark.sql import functions as F

        reason: Column = F.lit(why)
        if value is not None:
            head, _, tail = why.partition("{}")
            reason = F.concat(F.lit(head), F.coalesce(value.cast("string"), F.lit("null")), F.lit(tail))
        self.bad.append(F.when(when, reason))

    def why_bad(self) -> "Column":
        """The first reason for which a row is bad, or null."""
        from pyspark.sql import functions as F

        return F.coalesce(*self.bad, F.lit(None).cast("string"))

    def _col(self, name: str) -> "Column":
        return _at(name, self.frame.columns)

    def source(self, column: Mapped, option: str) -> "tuple[Column, DataType]":
        """A column as it is in the file.  Raises InputError where there is none."""
        found = _typed(self.frame.schema, column.name)
        if found is None:
            there = ", ".join(name for name in self.frame.columns if not name.startswith("_swagproof"))
            raise InputError(f"{option} {column.name}: {self.where} has no such column; it has {there or 'none'}")
        return self._col(column.name), found

    def kind(self, column: Mapped, option: str, default: Kind) -> Kind:
        """What a column holds: as stated, else by its type, else, for text, the default."""
        from pyspark.sql import types as T

        _, found = self.source(column, option)
        if column.kind is not None:
            return column.kind
        match found:
            case T.ByteType() | T.ShortType() | T.IntegerType() | T.LongType():
                return "int"
            case T.FloatType() | T.DoubleType():
                return "float"
            case T.DecimalType():
                return "decimal"
            case T.BooleanType():
                return "bool"
            case T.TimestampType() | T.TimestampNTZType() | T.DateType():
                return "time"
            case T.ArrayType() | T.StructType() | T.MapType():
                return "json"
            case T.StringType():
                return default
            case _:
                raise InputError(f"{option} {column.name}: a column of {found.simpleString()} is of no use here")

    def column(self, column: Mapped, kind: Kind, option: str) -> "Column":
        """A column of this kind: bigint for int and time, double for float, boolean for bool, text for the others."""
        from pyspark.sql import functions as F
        from pyspark.sql import types as T

        source, found = self.source(column, option)
        text = F.trim(source) if isinstance(found, T.StringType) else source
        fits: dict[str, tuple[type[Any], ...]] = {
            "int": (T.IntegralType, T.StringType),
            "float": (T.NumericType, T.StringType),
            "decimal": (T.NumericType, T.StringType),
            "bool": (T.BooleanType, T.StringType),
            "time": (T.IntegralType, T.TimestampType, T.TimestampNTZType, T.DateType, T.StringType),
        }
        floats = isinstance(found, T.FloatType | T.DoubleType)
        if kind in fits and (not isinstance(found, fits[kind]) or (kind == "decimal" and floats)):
            raise InputError(f"{option} {column.name}: a column of {found.simpleString()} holds no {kind}")
        match kind:
            case "int":
                converted = text.try_cast("bigint")
            case "float":
                converted = text.try_cast("double")
            case "bool":
                converted = text.try_cast("boolean")
            case "decimal":
                plain = text.cast("string")
                number = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$"
                converted = F.when(plain.rlike(number), plain)
            case "time":
                converted = self._time(text, found)
            case "json":
                return source if isinstance(found, T.StringType) else F.to_json(source)
            case "text":
                return source.cast("string")
        self.refuse(source.isNotNull() & converted.isNull(), f"{option[2:]}: {{}} is {_IS[kind]}", source)
        return converted

    def _time(self, text: "Column", found: "DataType") -> "Column":
        """A time in ticks, null where it is none, or too far away."""
        from pyspark.sql import functions as F
        from pyspark.sql import types as T

        whole = text.try_cast("bigint")
        factor = NANOSECONDS.get(self.unit or "", 0) // 1000
        if self.tick == "us" and factor > 1:
            whole = F.try_multiply(whole, F.lit(factor).cast("bigint"))
        if isinstance(found, T.IntegralType):
            return F.when(_near(whole), whole)
        moment = text.try_cast("timestamp")
        if isinstance(found, T.StringType):  # a bare number is no year
            moment = F.when(text.rlike(r"^\d{4,6}-\d"), moment)
        if self.zone is not None and not isinstance(found, T.TimestampType):
            of_zone = F.to_utc_timestamp(moment, self.zone)
            named = text.rlike(r"(Z|[+-]\d\d:?\d\d)$") if isinstance(found, T.StringType) else F.lit(False)
            moment = F.when(named, moment).otherwise(of_zone)
        ticks = F.unix_micros(moment)
        if self.tick == "ns":
            ticks = F.try_multiply(ticks, F.lit(1000).cast("bigint"))
        if isinstance(found, T.StringType) and self.unit is not None:
            ticks = F.coalesce(whole, ticks)
        return F.when(_near(ticks), ticks)

    def time(self, column: Mapped, option: str) -> "Column":
        """A time in ticks, never null in a good row.  An integer column is one in the stated unit."""
        from pyspark.sql import types as T

        source, found = self.source(column, option)
        if self.tick is None:
            if not isinstance(found, T.IntegralType | T.StringType):
                said = f"{found.simpleString()}, where other times are plain numbers"
                raise InputError(f"{option} {column.name}: a column of {said}; give --time-unit")
            converted = self.column(column, "int", option)
            self.refuse(~_near(converted), f"{option[2:]}: {{}} is too far from 0", source)
        elif isinstance(found, T.IntegralType) and self.unit is None:
            raise InputError(f"{option} {column.name}: integers, of what unit? Give --time-unit")
        else:
            converted = self.column(column, "time", option)
        self.refuse(source.isNull(), f"{option[2:]} is null")
        return converted

    def key(self, columns: Sequence[Mapped], option: str) -> "Column":
        """The key as the JSON list of its columns' texts."""
        from pyspark.sql import functions as F
        from pyspark.sql import types as T

        if not columns:
            return F.lit("[]")
        parts: list[Column] = []
        for column in columns:
            source, found = self.source(column, option)
            nested = isinstance(found, T.ArrayType | T.StructType | T.MapType)
            if column.kind is not None and isinstance(found, T.StringType):
                source = self.column(column, column.kind, option)
                found = {"int": T.LongType(), "float": T.DoubleType()}.get(column.kind, found)
            if isinstance(found, T.FloatType | T.DoubleType | T.DecimalType):
                parts.append(_name_number(source, found))
            else:
                parts.append(F.to_json(source) if nested else source.cast("string"))
        return F.to_json(F.array(*parts))

    def as_it_was(self) -> "Column":
        """The row as it was read, for the quarantine."""
        from pyspark.sql import functions as F

        names = [name for name in self.frame.columns if not name.startswith("_swagproof")]
        whole = F.to_json(F.struct(*[self._col(name) for name in names]), {"ignoreNullFields": "false"})
        return F.coalesce(self._col(_CORRUPT), whole) if _CORRUPT in self.frame.columns else whole


def _name_number(number: "Column", found: "DataType") -> "Column":
    """A number as text, the same whatever type it has: 1 for 1.0 and 1.00; NaN, which pandas has for null, is null."""
    from pyspark.sql import functions as F
    from pyspark.sql import types as T

    text = number.cast("string")
    if isinstance(found, T.DecimalType):
        return F.regexp_replace(F.regexp_replace(text, r"(\.\d*?)0+$", "$1"), r"\.$", "")
    whole = (number == F.floor(number)) & (F.abs(number) < F.lit(2.0**53))
    return F.when(~F.isnan(number), F.when(whole, number.cast("bigint").cast("string")).otherwise(text))


def _near(time: "Column") -> "Column":
    """Whether a time is near enough to 0."""
    return time.between(1 - LONGEST, LONGEST - 1)


def tick_of(frame: "DataFrame", time: Mapped, unit: str | None, where: Table) -> Tick:
    """What times are counted in, from the type of the events' time and the stated unit."""
    from pyspark.sql import types as T

    found = _typed(frame.schema, time.name)
    if unit is not None:
        return "ns" if unit == "ns" else "us"
    if isinstance(found, T.IntegralType) or (isinstance(found, T.StringType) and time.kind == "int"):
        return None
    return "us"
