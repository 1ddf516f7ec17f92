"""Files of events, read by the workers one by one, so that one that cannot be read is a bad row and no end of the job.

Spark's readers stop a whole query at a file that is no Parquet, a truncated gzip, or a column that changed its type;
told to go on, they pass over it without a word.  So Spark only says which files have come (it lists them, writes down
which micro-batch reads which, and hands over their paths); here they are opened with pyarrow, which also reads
timestamps in nanoseconds.  Lines of JSON go on as text, for Spark to parse; CSV as text by column; Parquet as what it
is declared to hold.  A file is read by one task.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from urllib.parse import unquote

from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.rules import Kind
from swagproof.pipeline.audit.tables import FIRST, Format, names_in
from swagproof.pipeline.batches import arrow_type, names_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

TYPES: Final[dict[str, str]] = {
    "int": "bigint",
    "float": "double",
    "text": "string",
    "bool": "boolean",
    "decimal": "string",
    "json": "string",
    "time": "bigint",
}
"""The type of each kind of column downstream.  Decimals and JSON stay text until the reference takes them."""

STORED: Final = {
    "int": ("integer",),
    "float": ("floating",),
    "text": ("string",),
    "bool": ("boolean",),
    "decimal": ("decimal", "string"),
    "json": ("string",),
    "time": ("integer", "timestamp"),
}
"""The types that a column of each kind may be stored as where columns have types."""

LISTED: Final = "path string, modificationTime timestamp, length bigint, content binary"
"""The fields that Spark gives for a file, by its names.  The content is not requested, and not read."""

ASIDE: Final = "_text string, _row string, _why string, _file string, _order string"
"""Beside the columns: a line of JSON; a row that cannot be read, and why; its file, and the order of files.

Of a file that cannot be read there is the reason, and no row."""

CHUNK: Final = 1 << 20
"""Bytes that are read at once."""

Columns: TypeAlias = dict[str, Any]
"""Arrow's arrays by name."""


def literal(path: str) -> str:
    """A path for Spark, which takes brackets and stars for a pattern.

    >>> literal("/data/[2026]/in")
    '/data/\\\\[2026\\\\]/in'
    """
    return "".join(f"\\{letter}" if letter in "[]{}*?\\" else letter for letter in path)


_AGES: Final = "36500d"


@dataclass(frozen=True)
class Reader:
    """Reads files whose paths it is given, as Spark's `mapInArrow` calls it."""

    format: Format
    key: tuple[str, ...]
    columns: Mapping[str, Kind]
    timestamps: bool
    """True if times are timestamps."""
    stop: bool
    """True if a file that cannot be read ends the job."""

    @property
    def fields(self) -> dict[str, str]:
        """The columns that files are read into, and their types."""
        if self.format == "json":
            return {}
        typed = self.format == "parquet"
        columns = {name: TYPES[kind] if typed else "string" for name, kind in self.columns.items()}
        return dict.fromkeys(self.key, "string") | columns

    @property
    def schema(self) -> str:
        """Return the schema of the output rows, in Spark's notation."""
        return ", ".join([*(f"`{name}` {kind}" for name, kind in self.fields.items()), ASIDE])

    def open(self, spark: "SparkSession", directory: str, limits: Mapping[str, int]) -> "DataFrame":
        """The stream of what is in the files that arrive in a directory, in the order of their age and paths.

        However old they are: Spark passes over what is a week older than the newest, as a copy that keeps its age.
        """
        reader = spark.readStream.format("binaryFile").schema(LISTED).options(maxFileAge=_AGES, **limits)
        listed = reader.load(literal(directory))
        return listed.select("path", "modificationTime").mapInArrow(self, self.schema)

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Read the files of each batch of paths."""
        for batch in batches:
            for path, age in zip(batch.column(0).to_pylist(), batch.column(1).cast("int64").to_pylist(), strict=True):
                place = path_of(path)
                aside = {"_file": place.name, "_order": f"{age // 1_000:015d} {path}"}
                number = 0
                try:
                    for columns, rows in self.read(place):
                        yield self.complete(columns, rows, aside)
                        number += 0 if "_why" in columns else rows
                except (OSError, ValueError, LookupError, InputError) as error:  # all that pyarrow raises
                    why = f"it cannot be read after {number} rows: {' '.join(str(error).split())}"
                    if self.stop:
                        raise InputError(f"{place}: {why}") from None
                    yield self.complete({"_why": [why]}, 1, aside)

    def read(self, path: Path) -> Iterator[tuple[Columns, int]]:
        """Yield what a file holds, in pieces, each with its number of rows.  Raises what it cannot be read for."""
        import pyarrow as pa

        if path.stat().st_size == 0:
            return
        if self.format == "parquet":
            yield from self.read_parquet(path)
            return
        with pa.input_stream(str(path)) as stream:
            yield from self.read_csv(stream) if self.format == "csv" else _read_lines(stream)

    def read_csv(self, stream: Any) -> Iterator[tuple[Columns, int]]:
        """The asked columns of a CSV file as text, and rows of another number of columns."""
        import pyarrow as pa
        import pyarrow.csv

        csv: Any = pyarrow.csv
        odd: list[tuple[str, str]] = []

        def keep(row: Any) -> str:
            odd.append((row.text, f"it has {row.actual_columns} columns, expected {row.expected_columns}"))
            return "skip"

        names = list(self.fields)
        rows = csv.open_csv(
            stream,
            parse_options=csv.ParseOptions(invalid_row_handler=keep),
            convert_options=csv.ConvertOptions(
                include_columns=names,
                column_types=dict.fromkeys(names, pa.string()),
                strings_can_be_null=True,
                null_values=[""],
            ),
        )
        for batch in rows:
            yield dict(zip(names, batch.columns, strict=True)), batch.num_rows
        if odd:
            texts, whys = zip(*odd, strict=True)
            yield {"_row": list(texts), "_why": list(whys)}, len(odd)

    def read_parquet(self, path: Path) -> Iterator[tuple[Columns, int]]:
        """The asked columns of a Parquet file, as they are declared."""
        import pyarrow.parquet

        parquet: Any = pyarrow.parquet
        with parquet.ParquetFile(path, pre_buffer=False) as file:
            self.check_types({field.name: _stored(field.type) for field in file.schema_arrow})
            for batch in file.iter_batches(columns=list(self.fields)):
                yield {name: self.convert(name, batch.column(name)) for name in self.fields}, batch.num_rows

    def check_types(self, found: Mapping[str, str]) -> None:
        """Raises InputError that names a column that is not there, or holds something else."""
        check_columns(self.fields, found)
        for name, kind in self.columns.items():
            if found[name] not in STORED[kind]:
                raise InputError(f"column {name} holds {found[name]}, expected {kind}: {' or '.join(STORED[kind])}")
            if kind == "time" and found[name] == "timestamp" and not self.timestamps:
                raise InputError(f"column {name} holds timestamps; write --time {name}:timestamp")

    def convert(self, name: str, array: Any) -> Any:
        """A column as it goes on; timestamps as microseconds, rounded down."""
        import pyarrow as pa
        import pyarrow.compute

        pc: Any = pyarrow.compute
        if pa.types.is_timestamp(array.type):
            if array.type.unit == "ns":
                array = pc.floor_temporal(array, unit="microsecond")
            array = array.cast(pa.timestamp("us", array.type.tz))
            return array.cast(pa.int64() if name in self.columns else pa.string())
        return array.cast(arrow_type(self.fields[name]))

    def complete(self, columns: Mapping[str, Any], rows: int, aside: Mapping[str, str]) -> Any:
        """A batch with all columns; what is not given is null."""
        import pyarrow as pa

        types = {**self.fields, **dict.fromkeys(names_of(ASIDE), "string")}
        given = {**columns, **{name: pa.array([text] * rows, pa.string()) for name, text in aside.items()}}
        arrays = [
            pa.nulls(rows, arrow_type(kind)) if name not in given else pa.array(given[name], arrow_type(kind))
            if isinstance(given[name], list) else given[name]
            for name, kind in types.items()
        ]  # fmt: skip
        return pa.RecordBatch.from_arrays(arrays, list(types))

    def check_first(self, directory: str) -> None:
        """Look for the columns in the first file that can be read.  Raises InputError as `check_types`."""
        for path in list_files(directory):
            try:
                if self.format == "json":
                    self.check_first_lines(path)
                else:
                    next(self.read(path), None)
            except (OSError, ValueError, LookupError) as error:
                if "include_columns" in str(error):  # pyarrow's word for a column of CSV that is not there
                    self.check_header(path)
                continue
            return

    def check_first_lines(self, path: Path) -> None:
        """Look for the columns in the first lines of JSON, where they have others."""
        import pyarrow as pa

        with pa.input_stream(str(path)) as stream:
            columns, _ = next(_read_lines(stream), ({"_text": []}, 0))
        there = dict.fromkeys(name for line in columns["_text"][:FIRST] for name in names_in(line))
        asked = (*self.key, *self.columns)
        if there.keys() - set(asked):
            check_columns(asked, there)

    def check_header(self, path: Path) -> None:
        """Look for the columns in the header of CSV."""
        import pyarrow as pa
        import pyarrow.csv

        csv: Any = pyarrow.csv
        with pa.input_stream(str(path)) as stream:
            check_columns(self.fields, csv.open_csv(stream).schema.names)


def check_columns(asked: Iterable[str], there: Sequence[str] | Mapping[str, Any]) -> None:
    """Raises InputError that names the first column that is not there."""
    for name in asked:
        if name not in there:
            raise InputError(f"no column {name}; there are {', '.join(there)}")


def path_of(told: str) -> Path:
    """The place of a file that Spark names."""
    return Path("/" + told.removeprefix("file:").lstrip("/"))


def list_files(directory: str) -> list[Path]:
    """The files that are there, the oldest first; not those that Spark passes over."""
    found = [path for path in Path(directory).rglob("*") if path.is_file()]
    seen = (path for path in found if not any(part[0] in "_." for part in path.relative_to(directory).parts))
    return sorted(seen, key=lambda path: (path.stat().st_mtime, str(path)))


def find_changed(checkpoint: str) -> list[str]:
    """Files that were written anew, or may be read by others, after they were read: Spark does not read them again."""
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


def _read_lines(stream: Any) -> Iterator[tuple[Columns, int]]:
    rest = b""
    while chunk := stream.read(CHUNK):
        whole, newline, rest = (rest + chunk).rpartition(b"\n")
        if newline:
            lines = [line for line in whole.decode("utf-8", "replace").split("\n") if line.strip()]
            yield {"_text": lines}, len(lines)
    if rest.strip():
        yield {"_text": [rest.decode("utf-8", "replace")]}, 1


def _stored(type_: Any) -> str:
    """Return what an Arrow type is called here."""
    import pyarrow as pa

    if pa.types.is_dictionary(type_):
        type_ = type_.value_type
    for name in ("integer", "floating", "boolean", "timestamp", "decimal"):
        if getattr(pa.types, f"is_{name}")(type_):
            return name
    return "string" if pa.types.is_string(type_) or pa.types.is_large_string(type_) else str(type_)
