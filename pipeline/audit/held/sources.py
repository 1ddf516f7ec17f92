"""The files of a table, read by Arrow: as they are, batch by batch, in this process or a worker on this machine."""

import bz2
import csv
import gzip
import json
import zlib
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from glob import glob
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.csv
import pyarrow.dataset

from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.held.inferring import add_kinds
from swagproof.pipeline.audit.held.schemas import merge_schemas
from swagproof.pipeline.audit.tables import CORRUPT, FIRST, Mapped, Table, list_files, names_in, read_folders
from swagproof.pipeline.batches import Batch

READ: Final = 65_536
"""Rows that are read together."""

LINE: Final = 40
"""Bytes of a short line of text."""

_TEXT: Final = pa.string()


class Source:
    """The files of one table."""

    def __init__(self, where: Table, asked: Sequence[Mapped]) -> None:
        self.where = where
        files = () if where.format == "arrow" else where.paths
        found = {path: folder for given in files for path, folder in _find_files(given, where)}
        self.paths = [*found]
        self._folders = {path: read_folders(path, folder) for path, folder in found.items()}
        """The partition values in the folder names of each file; for text files only."""
        self._named = [*dict.fromkeys(name for folders in self._folders.values() for name in folders)]
        self._names: list[str] = []
        self._datasets: list[Any] = []
        self.schema = self._read_schema([column.name for column in asked])
        """The columns; those of text formats hold text alone, and the metadata say what it is."""
        if not where.typed:
            self.schema = add_kinds(self.schema, asked, lambda columns: (batch for _, batch in self.read(columns)))

    def _read_schema(self, asked: Sequence[str]) -> Any:
        match self.where.format:
            case "arrow":
                return self.where.data.schema
            case "parquet":
                for path in self.where.paths:
                    with _told(path, self.where):
                        for each in sorted(glob(path)) if _is_pattern(path) else [path]:
                            self._datasets.append(_open_parquet(each, self.where))
                with _told(str(self.where), self.where):
                    return merge_schemas(
                        self._datasets, {part for name in asked for part in (name, name.partition(".")[0])}, self.where
                    )
            case "csv":
                for path in [*self.paths]:
                    with _told(path, self.where), _open(path) as file:
                        lines = (line.decode("utf-8-sig" if i == 0 else "utf-8") for i, line in enumerate(file))
                        names = next(csv.reader(lines), None)
                    if names is None:
                        self.paths.remove(path)
                        continue
                    if self._names and names != self._names:
                        raise InputError(
                            f"{self.where.option} {path}: its columns differ from those of {self.paths[0]}"
                        )
                    self._names = names
                self._names = self._names if self.paths else [*dict.fromkeys(asked)]
            case "json":
                self._names = self._find_names(asked)
        self._of_lines = pa.schema([(name, _TEXT) for name in (*self._names, CORRUPT)])
        inside = [name for name in self._names if name not in self._named]
        return pa.schema([(name, _TEXT) for name in (*inside, *self._named, CORRUPT)])

    def read(self, columns: Collection[str]) -> Iterator[tuple[str, Batch]]:
        """All rows, and which file they are from; of Parquet these columns alone."""
        if self.where.format == "parquet":
            parts = (part for dataset in self._datasets for part in dataset.get_fragments())
            return self.read_parts(parts, columns)
        return self.read_parts(self.split(), columns)

    def count_rows(self) -> int:
        """Return how many rows there are: of Parquet as it says, of lines at most; more where they are compressed."""
        if self.where.format == "parquet":
            return sum(int(dataset.count_rows()) for dataset in self._datasets)
        if self.where.format == "arrow":
            return int(self.where.data.num_rows)
        return sum(Path(path).stat().st_size for path in self.paths) // LINE

    def split(self) -> list[Any]:
        """The parts of Parquet files, whole files of text, or batches, which can be sent to workers."""
        if self.where.format == "arrow":
            return list(self.where.data.to_batches(READ))
        if self.where.format != "parquet":
            return self.paths
        whole = (part for dataset in self._datasets for part in dataset.get_fragments())
        return [part for file in whole for part in file.split_by_row_group()]

    def read_parts(self, parts: Iterable[Any], columns: Collection[str]) -> Iterator[tuple[str, Batch]]:
        """The rows of some parts, those of Parquet few of them ahead."""
        if self.where.format == "arrow":
            yield from ((str(self.where), part.select(list(columns))) for part in parts)
            return
        if self.where.format != "parquet":
            read = self._read_csv if self.where.format == "csv" else self._read_json
            for path in parts:
                with _told(path, self.where):
                    for batch in read(path):
                        yield path, self._add_folders(path, batch)
            return
        few = pyarrow.dataset.ParquetFragmentScanOptions(pre_buffer=False)
        for part in parts:
            with _told(part.path, self.where):
                for batch in part.to_batches(
                    schema=self.schema,
                    columns=list(columns),
                    batch_size=READ,
                    batch_readahead=1,
                    fragment_readahead=1,
                    fragment_scan_options=few,
                    use_threads=False,
                ):
                    yield part.path, batch

    def _add_folders(self, path: str, batch: Batch) -> Batch:
        """A batch of a file with what its folders are named by, which stands for a column of that name in it."""
        if not self._named:
            return batch
        of_file, n = self._folders[path], batch.num_rows
        named = [pa.repeat(pa.scalar(of_file.get(name), _TEXT), n) for name in self._named]
        inside = [batch.column(i) for i, name in enumerate(self._of_lines.names[:-1]) if name not in self._named]
        return pa.RecordBatch.from_arrays([*inside, *named, batch.column(CORRUPT)], schema=self.schema)

    def _read_csv(self, path: str) -> Iterator[Batch]:
        corrupt: list[str] = []

        def skip(row: Any) -> str:
            corrupt.append(row.text)
            return "skip"

        with _open(path) as file:
            reader = pyarrow.csv.open_csv(
                file,
                parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True, invalid_row_handler=skip),
                convert_options=pyarrow.csv.ConvertOptions(
                    column_types=dict.fromkeys(self._names, _TEXT),
                    null_values=[""],
                    strings_can_be_null=True,
                    quoted_strings_can_be_null=False,
                ),
            )
            for batch in reader:
                yield pa.RecordBatch.from_arrays(
                    [*batch.columns, pa.nulls(batch.num_rows, _TEXT)], schema=self._of_lines
                )
        if corrupt:
            yield self._make_corrupt(corrupt)

    def _make_corrupt(self, lines: list[str]) -> Batch:
        nothing = [pa.nulls(len(lines), _TEXT) for _ in self._names]
        return pa.RecordBatch.from_arrays([*nothing, pa.array(lines, _TEXT)], schema=self._of_lines)

    def _read_json(self, path: str) -> Iterator[Batch]:
        paths = [[name] if "." not in name else name.split(".") for name in self._names]
        with _open(path) as file:
            while lines := list(islice(file, READ)):
                rows: list[dict[str, Any]] = []
                corrupt: list[str] = []
                for line in lines:
                    found = _read_line(line)
                    if found is None:
                        corrupt.append(line.decode("utf-8", "replace").rstrip("\r\n"))
                    else:
                        rows += found
                cells = [_cells(rows, name, inside) for name, inside in zip(self._names, paths, strict=True)]
                yield pa.RecordBatch.from_arrays(
                    [*(pa.array(column, _TEXT) for column in cells), pa.nulls(len(rows), _TEXT)], schema=self._of_lines
                )
                if corrupt:
                    yield self._make_corrupt(corrupt)

    def _find_names(self, asked: Sequence[str]) -> list[str]:
        """The columns that are asked for, as far as they are there, and those of the first lines; of no lines all.

        A name that no row of the first has, and that is null in all others, is not there.
        """
        seen: dict[str, None] = {}
        for line in islice(self._lines(), FIRST):
            seen |= dict.fromkeys(names_in(line))
        doubtful = [name for name in dict.fromkeys(asked) if name not in seen and name not in self._named]
        if not seen and not any(line.strip() for line in self._lines()):
            return doubtful
        marks = {name: json.dumps(name.split(".")[-1]).encode() for name in doubtful}
        found: dict[str, None] = {}
        for line in self._lines() if doubtful else ():
            for name in [name for name in doubtful if name not in found and (marks[name] in line or b"\\u" in line)]:
                if any(cell is not None for cell in _cells(_read_line(line) or [], name, name.split("."))):
                    found[name] = None
            if len(found) == len(doubtful):
                break
        inside = {name.partition(".")[0] for name in found}
        for outer in inside:
            if outer in asked and any(name != outer for name in found if name.partition(".")[0] == outer):
                raise InputError(
                    f"{self.where.option} {self.where}: {outer} is named both as a whole and by its fields; give one"
                )
        return [*(name for name in seen if name not in inside or name in asked), *found]

    def _lines(self) -> Iterator[bytes]:
        for path in self.paths:
            with _told(path, self.where), _open(path) as file:
                yield from file


class _Number(str):
    """A number of JSON, as it is written."""

    __slots__ = ()


_DECODER: Final = json.JSONDecoder(parse_int=_Number, parse_float=_Number, parse_constant=_Number)


def _read_line(line: bytes) -> list[dict[str, Any]] | None:
    """The objects of a line; None where it cannot be read."""
    try:
        text = line.decode("utf-8-sig").strip()
        found: Any = _DECODER.decode(text) if text else []
        if "\\u" in text:
            found = _mend(found)
    except (ValueError, RecursionError):
        return None
    rows: list[Any] = found if isinstance(found, list) else [found]
    return rows if all(isinstance(row, dict) for row in rows) else None


def _mend(value: Any) -> Any:
    """JSON with ? for each half of a character whose other half was cut off, which no UTF-8 holds, as Spark has it."""
    match value:
        case dict():
            return {_mend(name): _mend(inner) for name, inner in value.items()}
        case list():
            return [_mend(inner) for inner in value]
        case str() if not isinstance(value, _Number):
            return value.encode("utf-8", "replace").decode()
        case _:
            return value


def _cells(rows: list[dict[str, Any]], name: str, path: list[str]) -> list[str | None]:
    """A column, or a field of a struct."""
    if len(path) == 1:
        return [_write(row.get(name)) for row in rows]
    cells: list[str | None] = []
    for row in rows:
        inner: Any = row
        if name in row:
            inner = row[name]
        else:
            for part in path:
                inner = inner.get(part) if isinstance(inner, dict) else None
        cells.append(_write(inner))
    return cells


def _write(value: Any) -> str | None:
    """A value as text: text itself, all else as JSON."""
    return value if value is None or isinstance(value, str) else _dump(value)


def _dump(value: Any) -> str:
    match value:
        case _Number():
            return str(value)
        case dict():
            return "{" + ",".join(f"{_dump(name)}:{_dump(inner)}" for name, inner in value.items()) + "}"
        case list():
            return "[" + ",".join(map(_dump, value)) + "]"
        case _:
            return json.dumps(value, ensure_ascii=False)


def _is_pattern(path: str) -> bool:
    return any(letter in path for letter in "*?[") and not Path(path).exists()


def _find_files(given: str, where: Table) -> list[tuple[str, Path]]:
    """The files of a path, of those in a directory what is not hidden; each with the folder that was given."""
    found: list[tuple[str, Path]] = []
    for path in sorted(glob(given, recursive=True)) if _is_pattern(given) else [given]:
        folder = Path(path)
        inside = list_files(folder, where.option) if folder.is_dir() else []
        found += [(file, folder) for file in inside] if folder.is_dir() else [(path, folder.parent)]
    if not found:
        raise InputError(f"{where.option} {given}: there is no such file")
    return found


def _open_parquet(path: str, where: Table) -> Any:
    """The files of a path as a dataset.  What folders are named by, `name=value`, are columns of text: no type is told
    of them, and 01 is another key than 1 where the other table says so."""
    folder = Path(path)
    if not folder.is_dir():
        return pyarrow.dataset.dataset(path, format="parquet")
    files = list_files(folder, where.option)
    fields = [(name, _TEXT) for name in dict.fromkeys(name for file in files for name in read_folders(file, folder))]
    named = pyarrow.dataset.partitioning(pa.schema(fields), flavor="hive")
    return pyarrow.dataset.dataset(files, format="parquet", partitioning=named, partition_base_dir=path)


def _open(path: str) -> Any:
    if path.endswith(".gz"):
        return gzip.open(path)
    if path.endswith(".bz2"):
        return bz2.open(path)
    if path.endswith(".zst"):
        return pa.input_stream(path)
    return Path(path).open("rb")


@contextmanager
def _told(path: str, where: Table) -> Generator[None]:
    try:
        yield
    except (OSError, EOFError, zlib.error, UnicodeDecodeError, pa.ArrowException) as error:
        said = (str(error) or type(error).__name__).splitlines()[0]
        if isinstance(error, UnicodeDecodeError) or "invalid UTF8" in said:
            said = "it is not in UTF-8; write it so"
        raise InputError(f"{where.option} {path}: {said}") from None
