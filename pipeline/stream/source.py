"""What a stream reads: directories of JSON lines, CSV or Parquet, with declared columns, checked row by row.

Spark moves a watermark by one clock for the whole query, and drops without a word what is before it, and what is not
after 1970.  So that nothing is dropped, the clock that Spark is shown is the event's time moved into the future by a
constant, and the delay that it is told spans all times that are accepted; the operator takes both off again and sees
the greatest time of all micro-batches before this one, in milliseconds, rounded down.  Times more than a thousand years
before or two thousand after 1970 are bad rows.

A row that cannot be used is shown as `bad`, with the reason, its file and its text.  A row with a time, but neither key
nor value, is a heartbeat: it says how far time has come.

Rows are packed on their way, by key, into lists: the stateful operator then takes one row for many events, and every
value stays what it is (64-bit integers stay integers; no pandas).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from swagproof.models.windows.lateness import NEVER
from swagproof.models.windows.text import Unit
from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.rules import Kind
from swagproof.pipeline.audit.tables import FIRST, Format, names_in

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

SUFFIXES: Final[dict[str, Format]] = {".json": "json", ".jsonl": "json", ".csv": "csv", ".parquet": "parquet"}

TYPES: Final[dict[str, str]] = {
    "int": "bigint",
    "float": "double",
    "text": "string",
    "bool": "boolean",
    "decimal": "string",
    "json": "string",
    "time": "bigint",
}
"""What a column of each kind is read as.  Decimals and JSON stay text until the reference takes them."""

_STORED: Final = {
    "int": ("tinyint", "smallint", "int", "bigint"),
    "float": ("float", "double"),
    "text": ("string",),
    "bool": ("boolean",),
    "decimal": ("decimal", "string"),
    "json": ("string",),
    "time": ("tinyint", "smallint", "int", "bigint", "timestamp", "timestamp_ntz"),
}
"""What a Parquet column of each kind may be."""

YEAR: Final = 365 * 86_400_000
"""Milliseconds."""

EARLIEST: Final = -1_000 * YEAR
"""The times that are accepted begin here, in milliseconds since 1970,"""

LATEST: Final = 2_000 * YEAR
"""and end here."""

HOLD: Final = LATEST - EARLIEST
"""The delay that Spark is told: nothing is ever later than that."""

MOVED: Final = HOLD + YEAR - EARLIEST
"""How far the clock that Spark is shown is ahead of the events; it is after 1970 even less the delay."""

CLOCK: Final = "clock"


def watermark_of(clock: int, unit: Unit, delay: int) -> int:
    """The operator's watermark when Spark's stands here: the latest time so far, less a delay.

    >>> watermark_of(to_clock(5_000, "us", 2_000), "us", 2_000), watermark_of(0, "s", 5) == NEVER
    (5000, True)
    """
    if clock <= 0:
        return NEVER
    latest = clock - (MOVED - HOLD)
    return {"us": latest * 1_000, "ms": latest, "plain": latest, "s": latest // 1_000}[unit] - delay


def to_clock(watermark: int, unit: Unit, delay: int) -> int:
    """The first clock of Spark's at which the operator's watermark is here or later."""
    latest = watermark + delay
    return {"us": -(-latest // 1_000), "ms": latest, "plain": latest, "s": latest * 1_000}[unit] + MOVED - HOLD


@dataclass(frozen=True)
class Source:
    """A directory that files arrive in, and its columns."""

    directory: str
    format: Format
    key: tuple[str, ...]
    """The columns of the key; of several, the key is the JSON list of their texts."""
    columns: Mapping[str, Kind]
    """What each other column holds."""
    option: str
    """How the user named it, for errors."""
    timestamps: bool = False
    """Whether times are written as timestamps in JSON or CSV; Parquet says so itself."""

    def declared(self, kind: Kind) -> str:
        """What a column of JSON or CSV is read as."""
        return "timestamp" if kind == "time" and self.timestamps else TYPES[kind]

    def open(self, spark: "SparkSession", files_per_trigger: int) -> "DataFrame":
        """The stream of its rows: the columns, `_row`, `_file` and, where a row cannot be read, `_corrupt`.

        Raises InputError that names a column that is not there, or holds something else.
        """
        from pyspark.sql import functions as F

        reader = spark.readStream.format(self.format).option("maxFilesPerTrigger", files_per_trigger)
        if self.format == "parquet":
            stored = self.read_types(spark)
            reader = reader.schema(", ".join(f"`{name}` {stored[name]}" for name in (*self.key, *self.columns)))
            corrupt: Column = F.lit(None).cast("string")
        else:
            declared = dict.fromkeys(self.key, "string")
            declared |= {name: self.declared(kind) for name, kind in self.columns.items()}
            if self.format == "json":
                self.check_first_lines(spark)
            else:
                reader = reader.option("header", True)
                declared = {name: declared.get(name, "string") for name in self.read_types(spark)}
            fields = ", ".join(f"`{name}` {kind}" for name, kind in declared.items())
            reader = reader.option("columnNameOfCorruptRecord", "_corrupt").schema(f"{fields}, _corrupt string")
            corrupt = F.col("_corrupt")
        names = (*self.key, *self.columns)
        rows = reader.load(self.directory)
        return rows.select(
            *(F.col(f"`{name}`") for name in names),
            corrupt.alias("_corrupt"),
            F.coalesce(corrupt, F.to_json(F.struct(*(F.col(f"`{name}`") for name in names)))).alias("_row"),
            F.col("_metadata.file_name").alias("_file"),
        )

    def check_first_lines(self, spark: "SparkSession") -> None:
        """Look for the columns in the first lines of JSON, where they have others.  Raises InputError as `open`."""
        lines = [row["value"] for row in spark.read.text(self.directory).head(FIRST)]
        there = dict.fromkeys(name for line in lines for name in names_in(line))
        asked = (*self.key, *self.columns)
        if there.keys() - set(asked):
            self.check_columns(asked, there)

    def check_columns(self, asked: Iterable[str], there: Iterable[str]) -> None:
        """Raises InputError that names the first column that is not there."""
        for name in asked:
            if name not in there:
                raise InputError(f"{self.option} {self.directory}: no column {name}; there are {', '.join(there)}")

    def read_types(self, spark: "SparkSession") -> dict[str, str]:
        """The columns of the files that are there, in their order.  Raises InputError as `open`."""
        from pyspark.errors import PySparkException

        try:
            schema = spark.read.format(self.format).option("header", True).load(self.directory).schema
        except PySparkException as error:
            said = str(error).splitlines()[0]
            raise InputError(f"{self.option} {self.directory}: no {self.format} file could be read: {said}") from None
        found = {field.name: field.dataType.simpleString() for field in schema}
        self.check_columns((*self.key, *self.columns), found)
        if self.format == "parquet":
            for name, kind in self.columns.items():
                if found[name].partition("(")[0] not in _STORED[kind]:
                    raise InputError(
                        f"{self.option} {self.directory}: column {name} holds {found[name]}, expected {kind}: "
                        f"one of {', '.join(_STORED[kind])}"
                    )
        return found

    def key_column(self) -> "Column":
        """The key as text; null where a part of it is."""
        from pyspark.sql import functions as F

        parts = [F.col(f"`{name}`").cast("string") for name in self.key]
        if len(parts) == 1:
            return parts[0]
        whole = reduce(lambda a, b: a & b, (part.isNotNull() for part in parts))
        return F.when(whole, F.to_json(F.array(*parts)))

    def typed_column(self, rows: "DataFrame", name: str) -> "Column":
        """A column as it goes on: integers in 64 bits, times as integers, decimals as text."""
        from pyspark.sql import functions as F

        column, kind = F.col(f"`{name}`"), self.columns[name]
        if kind == "time" and rows.schema[name].dataType.simpleString() in ("timestamp", "timestamp_ntz"):
            return F.unix_micros(column.cast("timestamp"))
        return column.cast(TYPES[kind])


def format_of(directory: str, given: str | None, option: str) -> Format:
    """The format of a directory's files: as given, or by the first suffix known.  Raises InputError."""
    path = Path(directory)
    if not path.is_dir():
        raise InputError(f"{option} {directory}: no such directory")
    if given is not None:
        return next(form for form in SUFFIXES.values() if form == given)
    found: list[Format] = [SUFFIXES[entry.suffix] for entry in path.iterdir() if entry.suffix in SUFFIXES]
    if not found:
        raise InputError(f"{option} {directory}: no file ends in {', '.join(SUFFIXES)}; give --format")
    if any(form != found[0] for form in found):
        raise InputError(f"{option} {directory}: files of several formats; give --format")
    return found[0]


@dataclass(frozen=True)
class Inputs:
    """The streams of a job and what their columns mean."""

    events: Source
    time: str
    arrival: str | None
    values: tuple[str, ...]
    unit: Unit
    results: Source | None = None
    """Where claims are read, in an audit."""
    begin: str = "window_start"
    end: str = "window_end"
    version: str | None = None
    result: str = "result"

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """What the values are."""
        return tuple(self.events.columns[name] for name in self.values)

    @property
    def fields(self) -> dict[str, str]:
        """The columns of a row on its way, and their types; packed, each is a list."""
        values = {f"v{i}": TYPES[kind] for i, kind in enumerate(self.kinds)}
        return {"time": "bigint", "arrival": "bigint", **values, **_CLAIM, "bad": "string"}

    def open_packed(self, spark: "SparkSession", files_per_trigger: int) -> "DataFrame":
        """The stream: a row for each key and batch of rows, with the clock as its event time."""
        from pyspark.sql import functions as F

        opened = self.events.open(spark, files_per_trigger)
        if self.unit != "us" and opened.schema[self.time].dataType.simpleString() in ("timestamp", "timestamp_ntz"):
            raise InputError(f"--time {self.time}: it holds timestamps; write --time {self.time}:timestamp")
        rows = self.event_rows(opened)
        if self.results is not None:
            rows = rows.unionByName(self.claim_rows(self.results, self.results.open(spark, files_per_trigger)))
        fields = self.fields
        lists = ", ".join(f"{name} array<{kind}>" for name, kind in fields.items())
        packed = rows.mapInArrow(Packer(tuple(fields)), f"key string, {CLOCK} bigint, {lists}")
        return packed.withColumn(CLOCK, F.timestamp_millis(CLOCK)).withWatermark(CLOCK, f"{HOLD // 86_400_000} days")

    def event_rows(self, rows: "DataFrame") -> "DataFrame":
        """Events, heartbeats and bad rows in common columns."""
        from pyspark.sql import functions as F

        time = self.events.typed_column(rows, self.time)
        key = self.events.key_column()
        arrival = F.lit(0).cast("bigint") if self.arrival is None else self.events.typed_column(rows, self.arrival)
        values = [self.events.typed_column(rows, name) for name in self.values]
        no_value = reduce(lambda a, b: a & b, (value.isNull() for value in values), F.lit(True))
        beat = rows["_corrupt"].isNull() & key.isNull() & time.isNotNull() & no_value
        clock = milliseconds(time, self.unit)
        checks = [
            (rows["_corrupt"].isNotNull(), "it cannot be read with the declared columns"),
            (time.isNull(), f"no {self.time}"),
            (~clock.between(EARLIEST, LATEST), f"{self.time} is out of range: see --time-unit"),
            (key.isNull() & ~beat, f"no {', '.join(self.events.key)}"),
            *([(arrival.isNull() & ~beat, f"no {self.arrival}")] if self.arrival else []),
            *((value.isNull() & ~beat, f"no {name}") for name, value in zip(self.values, values, strict=True)),
        ]
        bad = _find_fault(checks)
        fine = bad.isNull()
        return self.unify_columns(
            rows,
            bad,
            F.when(fine, clock),
            {
                "key": F.when(fine, key),
                "time": F.when(fine & ~beat, time),
                "arrival": arrival,
                **{f"v{i}": value for i, value in enumerate(values)},
            },
        )

    def claim_rows(self, source: Source, rows: "DataFrame") -> "DataFrame":
        """Claims and bad rows in common columns.  They do not move the clock."""
        from pyspark.sql import functions as F

        key = source.key_column()
        begin, end = source.typed_column(rows, self.begin), source.typed_column(rows, self.end)
        version = F.lit(0).cast("bigint") if self.version is None else source.typed_column(rows, self.version)
        result = source.typed_column(rows, self.result)
        bad = _find_fault(
            [
                (rows["_corrupt"].isNotNull(), "it cannot be read with the declared columns"),
                (key.isNull(), f"no {', '.join(source.key)}"),
                (begin.isNull(), f"no {self.begin}"),
                (end.isNull(), f"no {self.end}"),
                (version.isNull(), f"no {self.version}"),
            ]
        )
        got = F.lit(None).cast("string") if source.columns[self.result] == "float" else result.cast("string")
        number = result if source.columns[self.result] == "float" else F.lit(None)
        fine = bad.isNull()
        return self.unify_columns(
            rows,
            bad,
            F.lit(None),
            {
                "key": F.when(fine, key),
                "begin": F.when(fine, begin),
                "end": end,
                "version": version,
                "got": got,
                "number": number.cast("double"),
            },
        )

    def unify_columns(
        self, rows: "DataFrame", bad: "Column", clock: "Column", columns: "Mapping[str, Column]"
    ) -> "DataFrame":
        """The common columns; what is not given is null."""
        from pyspark.sql import functions as F

        told = F.struct(bad.alias("why"), rows["_file"].alias("file"), rows["_row"].alias("row"))
        named = F.when(bad.isNotNull(), F.to_json(told))
        return rows.select(
            columns["key"].alias("key"),
            (F.coalesce(clock, F.lit(EARLIEST)) + MOVED).cast("bigint").alias(CLOCK),
            *(
                columns.get(name, F.lit(None)).cast(kind).alias(name)
                for name, kind in self.fields.items()
                if name != "bad"
            ),
            named.alias("bad"),
        )


_CLAIM: Final = {"begin": "bigint", "end": "bigint", "version": "bigint", "got": "string", "number": "double"}


def milliseconds(time: "Column", unit: Unit) -> "Column":
    """A time in milliseconds, rounded down; null where that overflows."""
    from pyspark.sql import functions as F

    if unit == "us":
        return F.floor(time / F.lit(1_000).cast("decimal(20,0)")).cast("bigint")
    return F.try_multiply(time, F.lit(1_000).cast("bigint")) if unit == "s" else time


def _find_fault(checks: "Iterable[tuple[Column, str]]") -> "Column":
    """What is wrong first; null if nothing is."""
    from pyspark.sql import functions as F

    return F.coalesce(*(F.when(F.coalesce(wrong, F.lit(True)), F.lit(why)) for wrong, why in checks))


class Packer:
    """Packs rows into one for each key of a batch; of events, claims and bad rows each."""

    def __init__(self, fields: Sequence[str]) -> None:
        self.fields = fields

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Pack each batch of Arrow's.  Linear, and without a Python object for a row."""
        import pyarrow as pa
        import pyarrow.compute

        pc: Any = pyarrow.compute  # its functions are made at run time

        values = [name for name in self.fields if name not in (*_CLAIM, "bad")]
        for batch in batches:
            table = pa.Table.from_batches([batch])
            for chosen, names in (("time", values), ("begin", list(_CLAIM)), ("bad", ["bad"])):
                rows = table.filter(pc.is_valid(table[chosen]))
                yield from self.pack(rows, names)
            if beats := table.filter(pc.and_(pc.is_null(table["key"]), pc.is_null(table["bad"]))):
                yield from self.pack(beats, [])

    def pack(self, rows: Any, names: Sequence[str]) -> Iterator[Any]:
        """A row for each key: the latest clock, and these columns as lists."""
        import pyarrow as pa

        if not rows.num_rows:
            return
        grouped = rows.group_by("key", use_threads=False).aggregate(
            [(CLOCK, "max"), *((name, "list") for name in names)]
        )
        columns = {"key": grouped["key"], CLOCK: grouped[f"{CLOCK}_max"]}
        for name in self.fields:
            listed = pa.list_(rows.schema.field(name).type)
            columns[name] = grouped[f"{name}_list"].cast(listed) if name in names else pa.nulls(len(grouped), listed)
        yield from pa.table(columns).to_batches()
