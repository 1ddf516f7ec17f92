"""The files of a table, read by Arrow batch by batch, in this process or a worker on this machine."""

import bz2
import csv
import gzip
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
from swagproof.pipeline.audit.reading.lines import JsonLines
from swagproof.pipeline.audit.reading.types import add_kinds, merge_schemas
from swagproof.pipeline.audit.tables import CORRUPT, FILE, FIRST, Mapped, Table, list_files, read_folders
from swagproof.pipeline.batches import Batch

READ: Final = 65_536
"""Rows per batch."""

LINE: Final = 40
"""Bytes of a short line of text."""

_TEXT: Final = pa.string()


class Source:
    """The files of one table, or a table in memory."""

    def __init__(self, where: Table, asked: Sequence[Mapped]) -> None:
        self.where = where
        files = () if where.format == "arrow" else where.paths
        found = {path: folder for given in files for path, folder in _find_files(given, where)}
        self.paths = [*found]
        self._folders = {path: read_folders(path, folder) for path, folder in found.items()}
        """The partition values in the folder names of each file; for text files only."""
        self._named = [*dict.fromkeys(name for folders in self._folders.values() for name in folders)]
        self._datasets: list[Any] = []
        self._lines = JsonLines((), asked)
        self.schema = self._read_schema(asked)
        """The columns; those of text formats are text, and the metadata have their types."""
        if not where.typed:
            self.schema = add_kinds(self.schema, asked, self.read)

    def _read_schema(self, asked: Sequence[Mapped]) -> Any:
        match self.where.format:
            case "arrow":
                return self.where.data.schema
            case "parquet":
                for path in self.where.paths:
                    with _told(path, self.where):
                        for each in sorted(glob(path)) if _is_pattern(path) else [path]:
                            self._datasets.append(_open_parquet(each, self.where))
                with _told(str(self.where), self.where):
                    heads = {part for one in asked for part in (one.name, one.name.partition(".")[0])}
                    return merge_schemas(self._datasets, heads, self.where)
            case "csv":
                names = self._read_header() or [*dict.fromkeys(one.name for one in asked)]
                self._of_lines = pa.schema([(name, _TEXT) for name in (*names, CORRUPT)])
            case "json":
                inside = [one for one in asked if one.name not in self._named]
                self._lines = JsonLines(islice(self._list_lines(), FIRST), inside)
                self._of_lines = self._lines.schema
        own = [name for name in self._of_lines.names[:-1] if name not in self._named]
        return pa.schema([(name, _TEXT) for name in (*own, *self._named, CORRUPT)])

    def _read_header(self) -> list[str]:
        """Return the column names of CSV; files without a line are skipped."""
        names: list[str] = []
        for path in [*self.paths]:
            with _told(path, self.where), _open(path) as file:
                lines = (line.decode("utf-8-sig" if i == 0 else "utf-8") for i, line in enumerate(file))
                header = next(csv.reader(lines), None)
            if header is None:
                self.paths.remove(path)
            elif names and header != names:
                raise InputError(f"{self.where.option} {path}: its columns differ from those of {self.paths[0]}")
            else:
                names = header
        return names

    def _list_lines(self) -> Iterator[bytes]:
        for path in self.paths:
            with _told(path, self.where), _open(path) as file:
                yield from file

    def count_rows(self) -> int:
        """Return the number of rows: exact for Parquet, for text an upper estimate, too low if it is compressed."""
        if self.where.format == "parquet":
            return sum(int(dataset.count_rows()) for dataset in self._datasets)
        if self.where.format == "arrow":
            return int(self.where.data.num_rows)
        return sum(Path(path).stat().st_size for path in self.paths) // LINE

    def _list_fragments(self) -> Iterator[Any]:
        return (part for dataset in self._datasets for part in dataset.get_fragments())

    def split(self) -> list[Any]:
        """Return the parts of Parquet files, whole text files, or batches, for sending to workers."""
        if self.where.format == "arrow":
            return list(self.where.data.to_batches(READ))
        if self.where.format != "parquet":
            return self.paths
        return [part for file in self._list_fragments() for part in file.split_by_row_group()]

    def read(self, columns: Collection[str]) -> Iterator[Batch]:
        """Yield all rows; of Parquet, only these columns.  FILE is the file of each row."""
        return self.read_parts(self._list_fragments() if self.where.format == "parquet" else self.split(), columns)

    def read_parts(self, parts: Iterable[Any], columns: Collection[str]) -> Iterator[Batch]:
        """Yield the rows of some parts."""
        for path, batch in self._read_parts(parts, [name for name in columns if name != FILE]):
            named = FILE in columns
            yield batch.append_column(FILE, pa.array([path] * batch.num_rows, _TEXT)) if named else batch

    def _read_parts(self, parts: Iterable[Any], columns: list[str]) -> Iterator[tuple[str, Batch]]:
        """Yield the rows of some parts; few parts of Parquet are read ahead."""
        if self.where.format == "arrow":
            yield from ((str(self.where), part.select(columns)) for part in parts)
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
                    columns=columns,
                    batch_size=READ,
                    batch_readahead=1,
                    fragment_readahead=1,
                    fragment_scan_options=few,
                    use_threads=False,
                ):
                    yield part.path, batch

    def _add_folders(self, path: str, batch: Batch) -> Batch:
        """Return a batch of a file with its folders' partition columns, which replace columns of the same name."""
        if not self._named:
            return batch
        of_file, n = self._folders[path], batch.num_rows
        named = [pa.repeat(pa.scalar(of_file.get(name), _TEXT), n) for name in self._named]
        inside = [batch.column(i) for i, name in enumerate(self._of_lines.names[:-1]) if name not in self._named]
        return pa.RecordBatch.from_arrays([*inside, *named, batch.column(CORRUPT)], schema=self.schema)

    def _read_csv(self, path: str) -> Iterator[Batch]:
        corrupt: list[str] = []
        names = self._of_lines.names[:-1]

        def skip(row: Any) -> str:
            corrupt.append(row.text)
            return "skip"

        with _open(path) as file:
            reader = pyarrow.csv.open_csv(
                file,
                parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True, invalid_row_handler=skip),
                convert_options=pyarrow.csv.ConvertOptions(
                    column_types=dict.fromkeys(names, _TEXT),
                    null_values=[""],
                    strings_can_be_null=True,
                    quoted_strings_can_be_null=False,
                ),
            )
            for batch in reader:
                cells = [*batch.columns, pa.nulls(batch.num_rows, _TEXT)]
                yield pa.RecordBatch.from_arrays(cells, schema=self._of_lines)
        if corrupt:
            nothing = [pa.nulls(len(corrupt), _TEXT) for _ in names]
            yield pa.RecordBatch.from_arrays([*nothing, pa.array(corrupt, _TEXT)], schema=self._of_lines)

    def _read_json(self, path: str) -> Iterator[Batch]:
        with _open(path) as file:
            while lines := list(islice(file, READ)):
                yield self._lines.read(lines)[0]


def _is_pattern(path: str) -> bool:
    return any(letter in path for letter in "*?[") and not Path(path).exists()


def _find_files(given: str, where: Table) -> list[tuple[str, Path]]:
    """Return the files of a path, without hidden ones in a directory; each with its folder."""
    found: list[tuple[str, Path]] = []
    for path in sorted(glob(given, recursive=True)) if _is_pattern(given) else [given]:
        folder = Path(path)
        inside = list_files(folder, where.option) if folder.is_dir() else []
        found += [(file, folder) for file in inside] if folder.is_dir() else [(path, folder.parent)]
    if not found:
        raise InputError(f"{where.option} {given}: there is no such file")
    return found


def _open_parquet(path: str, where: Table) -> Any:
    """Open the files of a path as a dataset.  Partition columns, `name=value`, are text: their type is unknown, and 01
    may be another key than 1, as the other table decides."""
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
