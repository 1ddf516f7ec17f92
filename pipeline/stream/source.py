"""Directories in which files of events and results arrive; workers read them with the audit's readers.

Spark's readers stop a whole query at a file that is no Parquet, a truncated gzip, or a column that changed its type;
told to continue, they skip it silently. So Spark only lists the files, records which micro-batch reads which, and
passes their paths; a worker opens them with `swagproof.pipeline.audit.reading.sources`, and converts them with
`swagproof.pipeline.audit.reading.converting`. An unreadable file is a bad row, and does not end the job. An unusable
row is bad, too, with the reason, its file and its text. A row with a time, but neither key nor value, is a heartbeat:
it only advances time.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, cast
from urllib.parse import unquote

from swagproof.models.windows.text import Unit
from swagproof.oracle.trace import InputError
from swagproof.pipeline import spell_path
from swagproof.pipeline.audit.rules import Kind
from swagproof.pipeline.audit.tables import CORRUPT, Format, Mapped, Table, list_files
from swagproof.pipeline.audit.tables import table as find_table
from swagproof.pipeline.stream.clocks import EARLIEST, LATEST, scale

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from swagproof.pipeline.audit.reading.converting import Reading, Rows

LISTED: Final = "path string, modificationTime timestamp, length bigint, content binary"
"""Spark's fields for a file.  The content is not requested, and not read."""

TYPES: Final[dict[Kind, str]] = {"int": "bigint", "float": "double", "bool": "boolean"}
"""The Spark type of each kind of value; other kinds stay text until the reference takes them."""

_AGES: Final = "36500d"
"""The greatest age relative to the newest file; Spark skips older files, so it skips none."""


class Pace(NamedTuple):
    """A job's progress, as a claim about a window shows it."""

    reached: Literal["begin", "end"]
    """The watermark when the claim is made: the window's end if the job writes one result for each window; otherwise
    only its begin is known to have passed."""
    ahead: int
    """The difference between the latest time and that watermark."""


class Piece(NamedTuple):
    """A part of a file: the usable rows, without heartbeats; the latest time; the bad rows with reasons."""

    rows: Any
    """An Arrow batch: `key`, and the columns of the source."""
    latest: int | None
    """The latest time, in milliseconds."""
    bad: list[tuple[str, str]]


@dataclass(frozen=True)
class Source(ABC):
    """A directory in which files arrive, and its columns; it has plain fields, so that it can be sent to workers."""

    option: str
    place: str
    format: Format
    key: tuple[str, ...]
    """The key columns; a key of several columns is the JSON list of their texts."""
    unit: Unit
    stamped: bool
    """True if times are timestamps."""
    stop: bool
    """True if a file that cannot be read ends the job."""

    @property
    @abstractmethod
    def fields(self) -> dict[str, str]:
        """The columns of its converted rows, and their types in Spark."""

    @property
    @abstractmethod
    def asked(self) -> list[Mapped]:
        """The columns of its files."""

    @property
    @abstractmethod
    def times(self) -> tuple[str, ...]:
        """The time columns."""

    @abstractmethod
    def map(self, reading: "Reading", key: list[int]) -> None:
        """Convert the columns; `key` lists the cells of the key columns."""

    def time(self, name: str) -> Mapped:
        """Return a column of times."""
        return Mapped(name, "time" if self.stamped else "int")

    def keys(self) -> list[Mapped]:
        """Return the key columns."""
        return [Mapped(name, "text") for name in self.key]

    def open(self, spark: "SparkSession", limits: Mapping[str, int]) -> "DataFrame":
        """Return the stream of the paths and ages of files, the oldest first.

        Raises InputError if the oldest file lacks a column.
        """
        self.check_first()
        reader = spark.readStream.format("binaryFile").schema(LISTED).options(maxFileAge=_AGES, **limits)
        return reader.load(spell_path(self.place)).select("path", "modificationTime")

    def check_first(self) -> None:
        """Check the columns of the oldest readable file.  Raises InputError that names a missing one."""
        for path in sorted(map(Path, list_files(Path(self.place), self.option)), key=lambda path: path.stat().st_mtime):
            try:
                rows = self._open(str(path)) if path.stat().st_size else None
            except InputError:
                continue
            if rows is not None:
                schema = self._open(str(path), ()).schema if self.format == "json" else rows.schema  # of the lines
                names, asked = [name for name in schema.names if name != CORRUPT], [one.name for one in self.asked]
                lacking = next((name for name in asked if not {name, name.partition(".")[0]} & {*names}), None)
                if lacking is not None and (self.format != "json" or {*names} - {*asked}):  # JSON may leave out nulls
                    raise InputError(f"{self.option} {self.place}: no column {lacking}; there are {', '.join(names)}")
                self._convert(rows.schema)
                return

    def read(self, path: str) -> Iterator[Piece]:
        """Yield the rows of a file, piece by piece.  Raises InputError if it cannot be read."""
        import pyarrow as pa

        from swagproof.pipeline.audit.reading.cells import compute

        if not Path(path).stat().st_size:
            return
        rows = self._open(path)
        reading = self._convert(rows.schema)
        for batch in rows.read(reading.needed):
            good, converted = reading.convert(batch)
            reached = compute.max(good["reached"]).as_py()
            latest = None if reached is None else scale(reached, self.unit)
            kept = good.filter(good["kept"])
            names = pa.array([_unwrap(key) for key in kept["key"].dictionary.to_pylist()], pa.string())
            columns = {"key": names.take(kept["key"].indices)} | {name: kept[name] for name in self.fields}
            bad = [(why, converted.as_it_was(i)) for i, why in sorted(converted.why.items())]
            yield Piece(pa.RecordBatch.from_pydict(columns), latest, bad)

    def _open(self, path: str, asked: Sequence[Mapped] | None = None) -> Any:
        from swagproof.pipeline.audit.reading.sources import Source as Rows

        return Rows(Table(self.option, (path,), self.format), self.asked if asked is None else asked)

    def _convert(self, schema: Any) -> "Reading":
        from swagproof.pipeline.audit.reading.cells import is_number, is_text
        from swagproof.pipeline.audit.reading.converting import Reading, find_type

        for name in self.times:
            found = find_type(schema, name)
            if found is not None and not is_text(found) and is_number(found) is self.stamped:
                way = name if self.stamped else f"{name}:timestamp"
                raise InputError(f"{self.option} {self.place}: {name} holds {found}; write --time {way}")
        reading = Reading(schema, Table(self.option, (self.place,), self.format), "us" if self.stamped else None, None)
        cells = [reading.source(column, "--key")[0] for column in self.keys()]
        reading.give("key", reading.key(self.keys(), "--key", [None] * len(cells)))
        self.map(reading, cells)
        return reading

    def refuse_far(self, reading: "Reading", time: int, name: str) -> None:
        """Reject rows whose time is outside the range of Spark's clock."""

        def check(rows: "Rows") -> Any:
            at = rows.cells[time].fill_null(0).to_numpy(zero_copy_only=False)
            low, high = (_unscale(end, self.unit) for end in (EARLIEST, LATEST))
            rows.refuse((at < low) | (at > high), f"{name} is out of range: see --time-unit")
            return rows.cells[time]

        reading.give("reached", reading.derive(check))


@dataclass(frozen=True)
class Events(Source):
    """Events."""

    at: str
    """The column of the time."""
    arrival: str | None
    values: tuple[tuple[str, Kind], ...]

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Return the kinds of the values."""
        return tuple(kind for _, kind in self.values)

    @property
    def fields(self) -> dict[str, str]:
        values = {f"v{i}": TYPES.get(kind, "string") for i, kind in enumerate(self.kinds)}
        return {"time": "bigint", "arrival": "bigint", **values}

    @property
    def asked(self) -> list[Mapped]:
        arrival = [] if self.arrival is None else [Mapped(self.arrival, "int")]
        return [*self.keys(), self.time(self.at), *(Mapped(*value) for value in self.values), *arrival]

    @property
    def times(self) -> tuple[str, ...]:
        return (self.at,)

    def map(self, reading: "Reading", key: list[int]) -> None:
        import numpy as np
        import pyarrow as pa

        time = reading.time(self.time(self.at), "--time")
        values = {name: reading.column(Mapped(name, kind), kind, "--value") for name, kind in self.values}
        needed = dict(values)
        if self.arrival is None:
            arrival = reading.derive(lambda rows: pa.array(np.zeros(rows.batch.num_rows, dtype=np.int64)))
        else:
            arrival = needed[self.arrival] = reading.column(Mapped(self.arrival, "int"), "int", "--arrival")

        def check(rows: "Rows") -> Any:
            nothing = np.ones(rows.batch.num_rows, dtype=bool)
            no_key = reduce(np.logical_or, [_is_null(rows.cells[cell]) for cell in key])
            beat = no_key & reduce(np.logical_and, [_is_null(rows.cells[cell]) for cell in values.values()], nothing)
            rows.refuse(no_key & ~beat, f"no {', '.join(self.key)}")
            for name, cell in needed.items():
                rows.refuse(_is_null(rows.cells[cell]) & ~beat, f"no {name}")
            return pa.array(~beat)

        reading.give("kept", reading.derive(check))
        self.refuse_far(reading, time, self.at)
        for name, cell in zip(self.fields, (time, arrival, *values.values()), strict=True):
            reading.give(name, cell)


CLAIM: Final = {"begin": "bigint", "end": "bigint", "version": "bigint", "got": "string", "number": "double"}
"""The columns of a claim."""


@dataclass(frozen=True)
class Results(Source):
    """Another job's results: claims about windows."""

    begin: str
    end: str
    version: str | None
    result: str
    kind: Kind
    pace: Pace | None
    """The progress that claims show, if results are waited for."""

    @property
    def fields(self) -> dict[str, str]:
        return CLAIM

    @property
    def asked(self) -> list[Mapped]:
        version = [] if self.version is None else [Mapped(self.version, "int")]
        bounds = [self.time(self.begin), self.time(self.end)]
        return [*self.keys(), *bounds, Mapped(self.result, self.kind), *version]

    @property
    def times(self) -> tuple[str, ...]:
        return self.begin, self.end

    def map(self, reading: "Reading", key: list[int]) -> None:
        import pyarrow as pa

        from swagproof.pipeline.audit.reading.cells import compute, to_text

        def nothing(kind: Any) -> int:
            return reading.derive(lambda rows: pa.nulls(rows.batch.num_rows, kind))

        for name, cell in zip(self.key, key, strict=True):
            reading.refuse_null(cell, f"no {name}")
        begin, end = (
            reading.time(self.time(self.begin), "--window-start"),
            reading.time(self.time(self.end), "--window-end"),
        )
        if self.version is None:
            version = reading.derive(lambda rows: pa.nulls(rows.batch.num_rows, pa.int64()).fill_null(0))
        else:
            version = reading.read_order(Mapped(self.version, "int"), "--version")
        got = reading.column(Mapped(self.result, self.kind), self.kind, "--result")
        text, number = reading.derive(lambda rows: to_text(rows.cells[got])), nothing(pa.float64())
        if self.kind == "float":
            text, number = nothing(pa.string()), got
        if self.pace is None:
            reading.give("reached", nothing(pa.int64()))
        else:
            bound, ahead = {"begin": begin, "end": end}[self.pace.reached], self.pace.ahead
            self.refuse_far(reading, reading.derive(lambda rows: compute.add(rows.cells[bound], ahead)), "--window-end")
        reading.give("kept", reading.derive(lambda rows: rows.cells[begin].is_valid()))
        for name, cell in zip(self.fields, (begin, end, version, text, number), strict=True):
            reading.give(name, cell)


def _is_null(cells: Any) -> Any:
    return cells.is_null().to_numpy(zero_copy_only=False)


def _unwrap(key: str) -> str | None:
    """Return a key of one column as its text."""
    parts: list[str | None] = json.loads(key)
    return parts[0] if len(parts) == 1 else key


def _unscale(milliseconds: int, unit: Unit) -> int:
    return {"us": milliseconds * 1_000, "s": milliseconds // 1_000}.get(unit, milliseconds)


def format_of(directory: str, given: str | None, option: str) -> Format:
    """Return the format of a directory's files: as given, or from their names.  Raises InputError."""
    if not Path(directory).is_dir():
        raise InputError(f"{option} {directory}: no such directory")
    try:
        return cast("Format", given or find_table(option, [directory], None).format)
    except InputError:
        way = "--format" if option == "--events" else f"{option}-format"
        raise InputError(f"{option} {directory}: no files, or of several formats; give {way}") from None


def path_of(told: str) -> Path:
    """Return the path of a file that Spark names."""
    return Path("/" + told.removeprefix("file:").lstrip("/"))


def find_changed(checkpoint: str) -> list[str]:
    """Return the files that changed, or may have, after they were read: Spark does not read them again."""
    ages: dict[Path, tuple[int, int]] = {}
    for log in Path(checkpoint).glob("sources/*/[0-9]*"):
        read = log.stat().st_mtime_ns
        for line in log.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line) if line.startswith("{") else {}
            if "path" in entry and "timestamp" in entry:
                ages[path_of(unquote(entry["path"]))] = entry["timestamp"], read

    def is_changed(path: Path, age: int, read: int) -> bool:
        found = path.stat()
        return found.st_mtime_ns // 1_000_000 != age or found.st_ctime_ns > read

    return sorted(str(path) for path, (age, read) in ages.items() if path.exists() and is_changed(path, age, read))
