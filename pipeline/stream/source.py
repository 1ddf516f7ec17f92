"""Sources of a stream: directories of JSON lines, CSV or Parquet, with declared columns, checked row by row.

A row that cannot be used is shown as `bad`, with the reason, its file and its text.  A row with a time, but neither key
nor value, is a heartbeat: it only advances time.

Rows are packed by key and file into lists: the stateful operator then takes one row for many events, and every value
keeps its type (64-bit integers stay integers; no pandas).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, cast

from swagproof.models.windows.text import Unit
from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.rules import Kind
from swagproof.pipeline.audit.tables import Format
from swagproof.pipeline.stream.clocks import CLOCK, EARLIEST, HOLD, LATEST, MOVED
from swagproof.pipeline.stream.files import STORED, TYPES, Reader, check_columns, list_files
from swagproof.pipeline.stream.packing import BAD, SILENT, Packer

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

SUFFIXES: Final[dict[str, Format]] = {".json": "json", ".jsonl": "json", ".csv": "csv", ".parquet": "parquet"}

FORMATS: Final[tuple[Format, ...]] = ("json", "csv", "parquet")

PACKED: Final = (".gz", ".bz2", ".zst")

SPARKS: Final = {
    **dict.fromkeys(("tinyint", "smallint", "int", "bigint"), "integer"),
    **dict.fromkeys(("float", "double"), "floating"),
    **dict.fromkeys(("timestamp", "timestamp_ntz"), "timestamp"),
}
"""The names of Spark's types where there are no files."""


@dataclass(frozen=True)
class Source:
    """A source and its columns: a directory that files arrive in, or a source that Spark has by name."""

    place: str
    """The directory; or, in words, what Spark reads by a name of its own."""
    format: str
    """The format of the files, or Spark's name of the source."""
    key: tuple[str, ...]
    """The columns of the key; of several, the key is the JSON list of their texts."""
    columns: Mapping[str, Kind]
    """The kind of each other column."""
    option: str
    """The option that names it, for errors."""
    timestamps: bool = False
    """True if times are timestamps."""
    stop: bool = False
    """True if a file that cannot be read ends the job."""
    options: tuple[tuple[str, str], ...] = ()
    """The options of a source that Spark has by name."""

    @property
    def reader(self) -> Reader | None:
        """Return what reads its files; None where Spark does, by a name of its own."""
        for form in FORMATS:
            if form == self.format:
                return Reader(form, self.key, self.columns, self.timestamps, self.stop)
        return None

    def open(self, spark: "SparkSession", limits: Mapping[str, int]) -> "DataFrame":
        """The stream of its rows: the columns, `_row`, `_file`, `_order` and, where a row cannot be read, `_why`.

        Raises InputError that names a column that is not there, or holds something else.
        """
        try:
            if self.reader is None:
                return self.open_named(spark)
            self.reader.check_first(self.place)
            return self.parse(self.reader.open(spark, self.place, limits))
        except InputError as error:
            raise InputError(f"{self.option} {self.place}: {error}") from None

    def open_named(self, spark: "SparkSession") -> "DataFrame":
        """The stream of a source that Spark has by name; of Kafka, the values are lines of JSON."""
        from pyspark.sql import functions as F

        rows = spark.readStream.format(self.format).options(**dict(self.options)).load()
        types = {field.name: field.dataType.simpleString() for field in rows.schema}
        told = F.lit(self.format)
        if {"value", "topic", "partition", "offset"} <= types.keys():
            told = F.concat_ws(" ", "topic", "partition", "offset")
            rows = rows.select(F.col("value").cast("string").alias("_text"), told.alias("_file"))
            return self.parse(_complete(rows))
        check_columns((*self.key, *self.columns), types)
        for name, kind in self.columns.items():
            stored = SPARKS.get(types[name].partition("(")[0], types[name])
            if stored not in STORED[kind]:
                raise InputError(f"column {name} holds {types[name]}, expected {kind}: {' or '.join(STORED[kind])}")
        return self.parse(_complete(rows.withColumn("_file", told)))

    def parse(self, rows: "DataFrame") -> "DataFrame":
        """The declared columns of rows of text, each as what it is declared; `_why` where that cannot be."""
        from pyspark.sql import functions as F

        types = dict.fromkeys(self.key, "string")
        types |= {name: "timestamp" if kind == "time" and self.timestamps else TYPES[kind]
                  for name, kind in self.columns.items()}  # fmt: skip
        aside = [F.col(name) for name in ("_file", "_order")]
        told = "it cannot be read with the declared columns"
        if "_text" in rows.columns and not set(types) & set(rows.columns):
            fields = ", ".join(f"`{name}` {kind}" for name, kind in types.items())
            parsed = F.from_json("_text", f"{fields}, _corrupt string", {"columnNameOfCorruptRecord": "_corrupt"})
            rows = rows.withColumn("_parsed", parsed)
            columns = {name: F.col(f"_parsed.`{name}`") for name in types}
            wrong = F.col("_parsed._corrupt").isNotNull()
            text = F.coalesce("_text", F.lit("null"))  # as Kafka's rows without a value
        elif self.format == "csv":
            columns = {name: F.col(f"`{name}`").try_cast(kind) for name, kind in types.items()}
            wrong = reduce(
                lambda a, b: a | b,
                (F.col(f"`{name}`").isNotNull() & column.isNull() for name, column in columns.items()),
            )
            text = F.to_json(F.struct(*(F.col(f"`{name}`") for name in types)))
        else:
            columns = {name: F.col(f"`{name}`") for name in types}
            wrong, text = F.lit(False), F.to_json(F.struct(*columns.values()))
        row = F.coalesce("_row", F.when(F.col("_why").isNull(), text))  # null: of a whole file
        why = F.coalesce("_why", F.when(wrong, F.lit(told)))
        return rows.select(
            *(column.alias(name) for name, column in columns.items()), row.alias("_row"), why.alias("_why"), *aside
        )

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
    if not Path(directory).is_dir():
        raise InputError(f"{option} {directory}: no such directory")
    if given is not None:
        return cast("Format", given)
    suffixes = (path.with_suffix("").suffix if path.suffix in PACKED else path.suffix for path in list_files(directory))
    found: list[Format] = [SUFFIXES[suffix] for suffix in suffixes if suffix in SUFFIXES]
    if not found:
        raise InputError(f"{option} {directory}: no file ends in {', '.join(SUFFIXES)}; give --format")
    if any(form != found[0] for form in found):
        raise InputError(f"{option} {directory}: files of several formats; give --format")
    return found[0]


def _complete(rows: "DataFrame") -> "DataFrame":
    """Rows of a source that has no files: Spark's micro-batches are its order."""
    from pyspark.sql import functions as F

    return rows.withColumns({"_row": F.lit(None), "_why": F.lit(None), "_order": F.lit("")})


class Pace(NamedTuple):
    """A job's progress, as its claim about a window shows it."""

    reached: Literal["begin", "end"]
    """The watermark when the claim is made: the window's end if the job writes one result for each window; otherwise
    only its begin is known to have passed."""
    ahead: int
    """The lead of the latest time over that watermark."""


@dataclass(frozen=True)
class Inputs:
    """The streams of a job and what their columns mean."""

    events: Source
    time: str
    arrival: str | None
    values: tuple[str, ...]
    unit: Unit
    results: Source | None = None
    """The source of claims, in an audit."""
    begin: str = "window_start"
    end: str = "window_end"
    version: str | None = None
    result: str = "result"

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Return what the values are."""
        return tuple(self.events.columns[name] for name in self.values)

    @property
    def fields(self) -> dict[str, str]:
        """The columns of a row on its way, and their types; packed, each is a list."""
        values = {f"v{i}": TYPES[kind] for i, kind in enumerate(self.kinds)}
        return {"time": "bigint", "arrival": "bigint", **values, **_CLAIM, "bad": "string"}

    def open_packed(
        self,
        spark: "SparkSession",
        files_per_trigger: int,
        partitions: Sequence[str],
        pace: Pace | None,
        reminder: "DataFrame | None",
    ) -> "DataFrame":
        """The stream: a row for each key and file, with the clock as its event time.

        `partitions` are those of the state, as `aim` names them.  With a pace, Spark's watermark waits for the results
        too, and is told by a reminder how far both had come; of the results each micro-batch takes all that are there:
        what their job published at once is seen at once.
        """
        opened = self.events.open(spark, {"maxFilesPerTrigger": files_per_trigger})
        if self.unit != "us" and opened.schema[self.time].dataType.simpleString() in ("timestamp", "timestamp_ntz"):
            raise InputError(f"--time {self.time}: it holds timestamps; write --time {self.time}:timestamp")
        rows = self.pack(self.event_rows(opened), partitions, claims=False)
        if self.results is None:
            return _set_watermark(rows)
        opened = self.results.open(spark, {})
        claims = self.pack(self.claim_rows(self.results, opened, pace), partitions, claims=True)
        if pace is None or reminder is None:
            return _set_watermark(rows.unionByName(claims))
        rows, claims = _remind(rows, reminder, "events"), _remind(claims, reminder, "results")
        return _set_watermark(rows).unionByName(_set_watermark(claims))

    def pack(self, rows: "DataFrame", partitions: Sequence[str], *, claims: bool) -> "DataFrame":
        """Rows in common columns, packed."""
        names = [name for name in self.fields if name != "bad" and (name in _CLAIM) == claims]
        packer = Packer(self.fields, names, partitions, claims)
        return rows.mapInArrow(packer, ", ".join(f"{name} {kind}" for name, kind in packer.kinds.items()))

    def event_rows(self, rows: "DataFrame") -> "DataFrame":
        """Events, heartbeats and bad rows in common columns."""
        from pyspark.sql import functions as F

        time = self.events.typed_column(rows, self.time)
        key = self.events.key_column()
        arrival = F.lit(0).cast("bigint") if self.arrival is None else self.events.typed_column(rows, self.arrival)
        values = [self.events.typed_column(rows, name) for name in self.values]
        no_value = reduce(lambda a, b: a & b, (value.isNull() for value in values), F.lit(True))
        beat = rows["_why"].isNull() & key.isNull() & time.isNotNull() & no_value
        clock = milliseconds(time, self.unit)
        checks: list[tuple[Column, Column | str]] = [
            (rows["_why"].isNotNull(), rows["_why"]),
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

    def claim_rows(self, source: Source, rows: "DataFrame", pace: Pace | None) -> "DataFrame":
        """Claims and bad rows in common columns.  Without a pace they do not move the clock."""
        from pyspark.sql import functions as F

        key = source.key_column()
        begin, end = source.typed_column(rows, self.begin), source.typed_column(rows, self.end)
        version = F.lit(0).cast("bigint") if self.version is None else source.typed_column(rows, self.version)
        result = source.typed_column(rows, self.result)
        bad = _find_fault(
            [
                (rows["_why"].isNotNull(), rows["_why"]),
                (key.isNull(), f"no {', '.join(source.key)}"),
                (begin.isNull(), f"no {self.begin}"),
                (end.isNull(), f"no {self.end}"),
                (version.isNull(), f"no {self.version}"),
            ]
        )
        got = F.lit(None).cast("string") if source.columns[self.result] == "float" else result.cast("string")
        number = result if source.columns[self.result] == "float" else F.lit(None)
        fine = bad.isNull()
        clock: Column = F.lit(None)
        if pace is not None:
            reached = milliseconds({"begin": begin, "end": end}[pace.reached] + pace.ahead, self.unit)
            clock = F.when(fine & reached.between(EARLIEST, LATEST), reached)
        return self.unify_columns(
            rows,
            bad,
            clock,
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
            rows["_order"].alias("file"),
        )


_CLAIM: Final = {"begin": "bigint", "end": "bigint", "version": "bigint", "got": "string", "number": "double"}


def _remind(rows: "DataFrame", reminder: "DataFrame", column: str) -> "DataFrame":
    """Rows, and one that says nothing but how far time had come."""
    from pyspark.sql import functions as F

    known = {"key": F.lit(BAD), CLOCK: F.coalesce(F.col(column) + MOVED, F.lit(SILENT))}
    columns = ((field.name, known.get(field.name, F.lit(None)).cast(field.dataType)) for field in rows.schema)
    return rows.unionByName(reminder.select(*(column.alias(name) for name, column in columns)))


def _set_watermark(rows: "DataFrame") -> "DataFrame":
    from pyspark.sql import functions as F

    return rows.withColumn(CLOCK, F.timestamp_millis(CLOCK)).withWatermark(CLOCK, f"{HOLD // 86_400_000} days")


def milliseconds(time: "Column", unit: Unit) -> "Column":
    """A time in milliseconds, rounded down; null where that overflows."""
    from pyspark.sql import functions as F

    if unit == "us":
        return F.floor(time / F.lit(1_000).cast("decimal(20,0)")).cast("bigint")
    return F.try_multiply(time, F.lit(1_000).cast("bigint")) if unit == "s" else time


def _find_fault(checks: "Iterable[tuple[Column, Column | str]]") -> "Column":
    """Return what is wrong first; null if nothing is."""
    from pyspark.sql import Column
    from pyspark.sql import functions as F

    return F.coalesce(
        *(
            F.when(F.coalesce(wrong, F.lit(True)), why if isinstance(why, Column) else F.lit(why))
            for wrong, why in checks
        )
    )
