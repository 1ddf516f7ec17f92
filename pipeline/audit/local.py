"""The two tables of an audit in one process: read by Arrow, held in memory, compared key by key.

For what is too small to pay for a start of Spark.  What is read from a row, what is bad and what is right is said once,
for this and for Spark's workers: `swagproof.pipeline.audit.converting`, `swagproof.pipeline.audit.compare`.
"""

import bz2
import csv
import gzip
import json
import zlib
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from glob import glob
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.dataset
import pyarrow.parquet

from swagproof.models.windows.kinds import Session
from swagproof.models.windows.lateness import NEVER
from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.compare import FINDING_KINDS, make_mapper
from swagproof.pipeline.audit.converting import Reading, compute
from swagproof.pipeline.audit.policy import MARKS, follow_events
from swagproof.pipeline.audit.request import About, Compared, Holder, Job
from swagproof.pipeline.audit.tables import CORRUPT, FIRST, Mapped, Table, names_in
from swagproof.pipeline.batches import Batch

READ: Final = 65_536
"""Rows that are read together."""

JUDGED: Final = 16_384
"""Rows that are judged together."""

_TEXT: Final = pa.string()


class Source:
    """The files of one table."""

    def __init__(self, where: Table, asked: Sequence[Mapped]) -> None:
        self.where = where
        self.paths = [path for given in where.paths for path in _find_files(given, where)]
        self._names: list[str] = []
        self._datasets: list[Any] = []
        self.schema = self._read_schema([column.name for column in asked])
        """The columns; those of text formats hold text alone."""

    def _read_schema(self, asked: Sequence[str]) -> Any:
        match self.where.format:
            case "parquet":
                for path in self.where.paths:
                    with _told(path, self.where):
                        for each in sorted(glob(path)) if _is_pattern(path) else [path]:
                            self._datasets.append(pyarrow.dataset.dataset(each, format="parquet", partitioning="hive"))
                return self._datasets[0].schema
            case "csv":
                for path in self.paths:
                    with _told(path, self.where), _open(path) as file:
                        names = next(csv.reader([file.readline().decode("utf-8-sig")]), [])
                    if self._names and names != self._names:
                        raise InputError(f"{self.where.option} {path}: its columns are not those of {self.paths[0]}")
                    self._names = names
            case "json":
                self._names = self._find_names(asked)
        return pa.schema([(name, _TEXT) for name in (*self._names, CORRUPT)])

    def read(self, columns: Collection[str]) -> Iterator[tuple[str, Batch]]:
        """All rows, and which file they are from; of Parquet these columns alone."""
        if self.where.format == "parquet":
            yield from self.read_parts(
                [part for dataset in self._datasets for part in dataset.get_fragments()], columns
            )
            return
        read = self._read_csv if self.where.format == "csv" else self._read_json
        for path in self.paths:
            with _told(path, self.where):
                for batch in read(path):
                    yield path, batch

    def count_rows(self) -> int:
        """How many rows Parquet files say that they have."""
        return sum(int(dataset.count_rows()) for dataset in self._datasets)

    def split(self) -> list[Any]:
        """The parts of Parquet files, which can be sent to workers."""
        whole = (part for dataset in self._datasets for part in dataset.get_fragments())
        return [part for file in whole for part in file.split_by_row_group()]

    def read_parts(self, parts: Iterable[Any], columns: Collection[str]) -> Iterator[tuple[str, Batch]]:
        """The rows of some parts of Parquet files."""
        for part in parts:
            with _told(part.path, self.where):
                for batch in part.to_batches(
                    schema=self.schema, columns=list(columns), batch_size=READ, use_threads=False
                ):
                    yield part.path, batch

    def _read_csv(self, path: str) -> Iterator[Batch]:
        corrupt: list[str] = []

        def skip(row: Any) -> str:
            corrupt.append(row.text)
            return "skip"

        with _open(path) as file:
            reader = pyarrow.csv.open_csv(
                file,
                parse_options=pyarrow.csv.ParseOptions(invalid_row_handler=skip),
                convert_options=pyarrow.csv.ConvertOptions(
                    column_types=dict.fromkeys(self._names, _TEXT),
                    null_values=[""],
                    strings_can_be_null=True,
                    quoted_strings_can_be_null=False,
                ),
            )
            for batch in reader:
                yield pa.RecordBatch.from_arrays([*batch.columns, pa.nulls(batch.num_rows, _TEXT)], schema=self.schema)
        if corrupt:
            yield self._make_corrupt(corrupt)

    def _make_corrupt(self, lines: list[str]) -> Batch:
        nothing = [pa.nulls(len(lines), _TEXT) for _ in self._names]
        return pa.RecordBatch.from_arrays([*nothing, pa.array(lines, _TEXT)], schema=self.schema)

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
                    [*(pa.array(column, _TEXT) for column in cells), pa.nulls(len(rows), _TEXT)], schema=self.schema
                )
                if corrupt:
                    yield self._make_corrupt(corrupt)

    def _find_names(self, asked: Sequence[str]) -> list[str]:
        """The columns that are asked for, as far as they are there, and those of the first lines.

        A name that no row of the first has, and that is null in all others, is not there.
        """
        seen: dict[str, None] = {}
        for line in islice(self._lines(), FIRST):
            seen |= dict.fromkeys(names_in(line))
        doubtful = [name for name in dict.fromkeys(asked) if name not in seen]
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
                    f"{self.where.option} {self.where}: {outer} is asked for as a whole, and in parts; give one"
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
    except (ValueError, RecursionError):
        return None
    rows: list[Any] = found if isinstance(found, list) else [found]
    return rows if all(isinstance(row, dict) for row in rows) else None


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


def _find_files(given: str, where: Table) -> list[str]:
    """The files of a path, of those in a directory what is not hidden."""
    found: list[str] = []
    for path in sorted(glob(given, recursive=True)) if _is_pattern(given) else [given]:
        if Path(path).is_dir():
            files = [file for file in Path(path).rglob("*") if file.is_file()]
            found += sorted(
                str(file) for file in files if not any(part[0] in "._" for part in file.relative_to(path).parts)
            )
        else:
            found.append(path)
    if not found:
        raise InputError(f"{where.option} {given}: there is no such file")
    return found


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
        raise InputError(f"{where.option} {path}: {said}") from None


class Local(Holder):
    """The two tables, and what is found, in the memory of one process."""

    def __init__(self) -> None:
        self._sources: dict[str, Source] = {}
        self._tables: dict[str, Any] = {}
        self._about: dict[str, About] = {}
        self._found: Any = None

    def read_schema(self, where: Table, asked: Sequence[Mapped]) -> Any:
        """The Arrow schema of a table, of which these columns are asked for."""
        source = self._sources[where.option] = Source(where, asked)
        return source.schema

    def _read(self, reading: Reading) -> Any:
        """The good rows of a table."""
        rows = bad = skipped = 0
        kept: list[Batch] = []
        for _, batch in self._sources[reading.where.option].read(reading.needed):
            good, refused, empty = reading.take_good(batch)
            rows, bad, skipped = rows + batch.num_rows, bad + refused, skipped + empty
            kept.append(good)
        self._about[reading.where.option] = About(rows, bad, skipped)
        if not kept:
            nothing = pa.RecordBatch.from_pylist([], schema=self._sources[reading.where.option].schema)
            kept = [reading.take_good(nothing)[0]]
        return pa.Table.from_batches(kept).unify_dictionaries().combine_chunks()

    def mark(self, job: Job) -> int | None:
        """Find the watermark when each event came; where it was in the end, or None where it is of each key."""
        events = self._tables["events"] = self._read(job.events)
        if not job.policy.has_watermark:
            return None
        times = events["time"].to_numpy()
        if job.policy.given == "column":
            return int(events["watermark"].to_numpy().max()) if len(times) else None
        clocks = events["clock" if "clock" in events.column_names else "arrival"].to_numpy()
        upstreams = events["upstream"].to_pylist() if "upstream" in events.column_names else None
        marked = follow_events(job.policy, times, clocks, _codes(events["key"]), upstreams)
        for name, column in marked.columns.items():
            events = events.append_column(name, pa.array(column, pa.int64()))
        self._tables["events"] = events
        return marked.final

    def compare(self, job: Job, final: int | None, delay: int | None) -> Compared:
        """Compare what is due with what is there; see `swagproof.pipeline.audit.compare`."""
        results = self._tables["results"] = self._read(job.results)
        both = bring_together(self._tables["events"], results, job)
        found = list(make_mapper(job.plan, job.judge, final, delay)(both))
        rows = pa.Table.from_batches(found)
        self._found = rows.filter(compute.not_equal(rows["kind"], "tally"))
        tally = rows.slice(rows.num_rows - 1).to_pylist()[0]
        counts = {
            it["values"]: it["counts"] for it in compute.value_counts(self._found["kind"].combine_chunks()).to_pylist()
        }
        farthest = 0.0
        if counts.get("excused"):
            off = self._found.filter(compute.equal(self._found["kind"], "excused"))
            low, high, number = (off[name].to_numpy() for name in ("low", "high", "number"))
            farthest = float(np.maximum(low - number, number - high).max())
        return Compared(tally["n"], tally["n_other"], counts, farthest)

    def count(self) -> tuple[About, About]:
        """How many events and results there are."""
        return self._about["--events"], self._about["--results"]

    def find(self, kind: str) -> dict[str, Any]:
        """One of what was found of a kind."""
        (row,) = self._of_kind(kind).slice(0, 1).to_pylist()
        return dict(row)

    def _of_kind(self, *kinds: str) -> Any:
        return self._found.filter(compute.is_in(self._found["kind"], value_set=pa.array(kinds)))

    def list_sizes(self, most: int) -> list[tuple[str, int]]:
        """Keys with findings and how many events they have, those with fewest first."""
        rows = self._of_kind("size").select(["n", "key"]).to_pylist()
        return sorted(((row["key"], row["n"]) for row in rows), key=lambda it: (it[1], it[0]))[:most]

    def take_found(self, keys: Sequence[str] | None) -> list[dict[str, Any]]:
        """What was found, of these keys or of all."""
        found = self._found.filter(compute.not_equal(self._found["kind"], "size"))
        return list(_of_keys(found, keys).to_pylist())

    def find_time(self, keys: Sequence[str], n: int) -> int | None:
        """The time of the n-th event of these keys."""
        times = np.sort(_of_keys(self._tables["events"], keys)["time"].to_numpy())
        return int(times[min(n, len(times)) - 1]) if len(times) else None

    def take_events(self, keys: Sequence[str] | None, before: int | None) -> Any:
        """The good events of these keys, or of all, before a time, as an Arrow table."""
        events = _of_keys(self._tables["events"], keys)
        if before is not None:
            events = events.filter(compute.less(events["time"], before))
        return events.set_column(0, "key", events["key"].cast(_TEXT))

    def take_results(self, keys: Sequence[str] | None) -> list[dict[str, Any]]:
        """The good results of these keys, or of all."""
        return list(_of_keys(self._tables["results"], keys).to_pylist())

    def write_found(self, tell: Callable[[list[dict[str, Any]]], Batch], out: str) -> None:
        """Write what is told of the findings as Parquet."""
        found = self._of_kind(*FINDING_KINDS)
        Path(out).mkdir(parents=True)
        with pyarrow.parquet.ParquetWriter(Path(out) / "findings.parquet", tell([]).schema) as writer:
            for batch in found.to_batches(JUDGED):
                writer.write_batch(tell(batch.to_pylist()))

    def _list_bad(self, job: Job) -> Iterator[dict[str, Any]]:
        for row in self._of_kind("bad").to_pylist():
            event = {"key": row["key"], "time": row["a"], "arrival": row["b"]}
            yield {"table": "events", "reason": row["bad"], "file": None, "row": json.dumps(event)}
        for name, reading in (("events", job.events), ("results", job.results)):
            source = self._sources[reading.where.option]
            if not self._about[reading.where.option].bad:
                continue
            for path, batch in source.read(source.schema.names):
                _, rows = reading.convert(batch)
                for i, reason in sorted(rows.why.items()):
                    yield {"table": name, "reason": reason, "file": path, "row": rows.as_it_was(i)}

    def take_bad(self, job: Job, most: int) -> list[dict[str, Any]]:
        """Some of the rows that could not be used: table, reason, file, row."""
        return list(islice(self._list_bad(job), most))

    def write_bad(self, job: Job, folder: str) -> None:
        """Write all of them there, as JSON lines."""
        Path(folder).mkdir(parents=True)
        with (Path(folder) / "rows.json").open("w", encoding="utf-8") as file:
            for row in self._list_bad(job):
                file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def close(self) -> None:
        """Let go of the tables."""
        self._tables.clear()
        self._found = None


def _codes(keys: Any) -> Any:
    """The keys as numbers."""
    (chunk,) = keys.chunks or [pa.array([], pa.dictionary(pa.int32(), _TEXT))]
    return chunk.indices.to_numpy()


def _of_keys(rows: Any, keys: Sequence[str] | None) -> Any:
    if keys is None:
        return rows
    named = rows["key"].cast(_TEXT) if pa.types.is_dictionary(rows["key"].type) else rows["key"]
    return rows.filter(compute.is_in(named, value_set=pa.array(keys, _TEXT)))


def bring_together(events: Any, results: Any, job: Job) -> Iterator[Batch]:
    """Both tables key by key, results first, each in order: as `swagproof.pipeline.audit.compare` takes them.

    Keys are dictionaries; where there are blocks of time, both have the column `block`.
    """
    block = [name for name in ("block",) if name in events.column_names]
    e_columns = ["key", *block, "time", "arrival"]
    e_columns += [name for name in events.column_names if name in MARKS or name[0] == "v"]
    r_columns = ["key", *block, "a", "b", "got", "number"]
    r_columns += [name for name in ("version", "retraction") if name in results.column_names]
    named = {"a": "time", "b": "arrival"}
    parts = [
        (0, results.select(r_columns).rename_columns([named.get(name, name) for name in r_columns])),
        (1, events.select(e_columns)),
    ]
    if isinstance(job.window, Session) and job.plan.watermarks:
        swapped = {"time": "arrival", "arrival": "time"}
        parts.append((2, parts[1][1].rename_columns([swapped.get(name, name) for name in e_columns])))
    sided = [part.append_column("side", pa.array(np.full(len(part), side, dtype=np.int8))) for side, part in parts]
    whole = pa.concat_tables(sided, promote_options="default").unify_dictionaries().combine_chunks()
    orders: list[Any] = []
    start = 0
    for _, part in parts:
        first, second = (part[name].fill_null(NEVER).to_numpy() for name in ("time", "arrival"))
        orders.append(start + _sort(first, second))
        start += len(part)
    order = np.concatenate(orders)
    if block:
        order = order[np.argsort(whole["block"].to_numpy()[order], kind="stable")]
    codes = _codes(whole["key"])[order] if len(order) else order
    narrow = codes.astype(np.uint16) if len(codes) and codes.max() < 2**16 else codes  # sorted by digits
    order = order[np.argsort(narrow, kind="stable")]
    for i in range(0, len(order), JUDGED):
        (batch,) = whole.take(pa.array(order[i : i + JUDGED])).combine_chunks().to_batches()
        yield batch


def _sort(first: Any, second: Any) -> Any:
    """The order by two columns; what stands in order costs nothing."""
    n = len(first)
    if n and np.all((first[1:] > first[:-1]) | ((first[1:] == first[:-1]) & (second[1:] >= second[:-1]))):
        return np.arange(n)
    return np.lexsort((second, first))
