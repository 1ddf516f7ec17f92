"""The two tables of an audit, events and a job's results, read with the caller's column mapping.

Parquet has its own types.  JSON lines and CSV (with a header) are read as text, and each mapped column is converted as
the mapping states, `NAME:TYPE`, with TYPE one of int, float, decimal, text, bool, time, json; without a type, it is
inferred from the first rows (`swagproof.pipeline.audit.reading.types`).  A name may refer to a field of a struct:
`window.start`.

A table in memory is an Arrow table: `swagproof.pipeline.audit.reading.in_memory` converts data frames.

Times are timestamps, or integers in a stated unit; internally they are ticks: microseconds since the epoch in UTC
(nanoseconds for integers in nanoseconds), or plain numbers if no unit is stated.  A timestamp without a zone is UTC; if
it names a window of a calendar, it is in that calendar's zone, and so is a date.

Keys are compared as text, over all key columns.  Equal numbers are equal keys whatever their types, such as 1 and 1.0;
so are moments, whatever their zones.  Null is a key of its own, and NaN is null.  A row without a time or an arrival
number, or with a value that its column's type does not allow, is bad: it is counted and reported separately, never
dropped.  So is a row with a time between two ticks: nothing is rounded down.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import unquote

from swagproof.oracle.trace import InputError
from swagproof.pipeline import is_remote
from swagproof.pipeline.audit.rules import Kind

Format: TypeAlias = Literal["parquet", "json", "csv"]
Tick: TypeAlias = Literal["ns", "us"] | None
"""The unit of times: nanoseconds or microseconds since the epoch, or None for plain numbers."""

KINDS: Final[tuple[Kind, ...]] = ("int", "float", "decimal", "text", "bool", "time", "json")

_ENDINGS: Final[dict[str, Format]] = {
    ".parquet": "parquet",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
    ".csv": "csv",
}
CORRUPT: Final = "_swagproof_corrupt"
"""The column of unreadable lines."""
FILE: Final = "_swagproof_file"
"""The column of a row's file."""
FIRST: Final = 20_480
"""The number of rows from which names and text types are inferred, as in DuckDB."""


@dataclass(frozen=True)
class Mapped:
    """A column of a file, and its kind if stated."""

    name: str
    kind: Kind | None = None


def mapped(text: str) -> Mapped:
    """Return the column that an option names.

    >>> mapped("delay:int"), mapped("window.start")
    (Mapped(name='delay', kind='int'), Mapped(name='window.start', kind=None))
    """
    name, colon, kind = text.rpartition(":")
    if colon and kind in KINDS:
        return Mapped(name, kind)
    return Mapped(text)


@dataclass(frozen=True)
class Table:
    """A table's location and format."""

    option: str
    """The option for messages: `--events` or `--results`."""
    paths: tuple[str, ...]
    """The paths; for a table in memory, the name of its type, for messages."""
    format: Format | Literal["arrow"]
    data: Any = field(default=None, compare=False, repr=False)
    """The Arrow table, or Spark's data frame, of format `arrow`."""

    @property
    def typed(self) -> bool:
        """Return whether its columns have types of their own; else they are text."""
        return self.format in ("parquet", "arrow")

    def __reduce__(self) -> Any:
        """Pickle without the data: other processes receive what they need of it separately."""
        return Table, (self.option, self.paths, self.format)

    def __str__(self) -> str:
        return ", ".join(self.paths)


def table(option: str, paths: Sequence[str], format_: Format | None) -> Table:
    """Return the files of a table.  Raises InputError for a missing file, and an unknown format."""
    found: set[Format] = set()
    told: Format | None
    for path in paths:
        if is_remote(path) or any(letter in path for letter in "*?["):
            found.add(format_ or _format(path) or "parquet")
            continue
        place = Path(path)
        if not place.exists():
            raise InputError(f"{option} {path}: there is no such file or directory")
        if not (place.is_file() or place.is_dir()):
            raise InputError(f"{option} {path}: a pipe can be read only once; give a file")
        told = format_ or _format(path)
        if told is None and place.is_dir():
            inside: set[Format | None] = {_format(file) for file in list_files(place, option)}
            if not inside:
                raise InputError(f"{option} {path}: the directory contains no data")
            inside.discard(None)
            told = inside.pop() if len(inside) == 1 else None
        if told is None:
            raise InputError(f"{option} {path}: unknown format; give {option}-format parquet, json or csv")
        found.add(told)
    if len(found) != 1:
        raise InputError(f"{option}: files of several formats ({', '.join(sorted(found))}); give one")
    return Table(option, tuple(paths), found.pop())


_COMMITTED: Final = "_spark_metadata"
"""The log of Spark's file sink: a file that it does not name is from an unfinished micro-batch, and its rows are
written again under another name."""

_LOGGED: Final = {"_delta_log": "Delta", ".hoodie": "Hudi", "metadata/*.metadata.json": "Iceberg"}
"""The marks of table formats with a log of files, which are not supported: some of the files may have been replaced."""


def list_files(folder: Path, option: str) -> list[str]:
    """Return the files in a folder, sorted by name, without hidden ones; for Spark's file sink, the files in its log.

    Raises InputError for a table format with another log, and for a logged file that is missing.
    """
    for log, format_ in _LOGGED.items():
        if any(folder.glob(log)):
            raise InputError(
                f"{option} {folder}: a table of {format_}, some of whose files it may have replaced; "
                "write what it holds as plain Parquet, and give that"
            )
    inside = (file for file in folder.rglob("*") if file.is_file())
    files = {file for file in inside if not any(part[0] in "._" for part in file.relative_to(folder).parts)}
    if (folder / _COMMITTED).is_dir():
        names = _read_committed(folder / _COMMITTED, option)
        if lacking := sorted(names - {file.name for file in files}):
            raise InputError(f"{option} {folder}: {lacking[0]}, which {_COMMITTED} lists, is missing")
        files = {file for file in files if file.name in names}
    return sorted(map(str, files))


_NOTHING: Final = "__HIVE_DEFAULT_PARTITION__"
"""The name of a folder whose rows have NULL."""


def read_folders(file: str, folder: Path) -> dict[str, str | None]:
    """Return the partition columns in the folder names of a file beneath this folder.

    >>> read_folders("out/day=1/k=a%2Fb/part-0.csv", Path("out"))
    {'day': '1', 'k': 'a/b'}
    """
    parts = (part.partition("=") for part in Path(file).relative_to(folder).parent.parts)
    return {name: None if value == _NOTHING else unquote(value) for name, equals, value in parts if equals}


def _read_committed(log: Path, option: str) -> set[str]:
    """Return the names of the files of all finished micro-batches: of the last compact log, and later ones.

    Each log has a version in its first line, and then a JSON object per line, with the path of a file and the action.
    Spark's file names are unique; the paths refer to the folder's location at the time of writing.
    """
    logs = {int(file.stem): file for file in log.iterdir() if file.stem.isdigit() and file.suffix in ("", ".compact")}
    compact = max((batch for batch, file in logs.items() if file.suffix), default=-1)
    names: dict[str, bool] = {}
    for batch in sorted(batch for batch in logs if batch >= compact):
        lines = logs[batch].read_text(encoding="utf-8").splitlines()
        try:
            entries: list[dict[str, Any]] = [json.loads(line) for line in lines[1:]]
            names |= {Path(entry["path"]).name: entry.get("action", "add") == "add" for entry in entries}
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{option} {logs[batch]}: not a log of Spark's file sink") from None
    return {name for name, is_there in names.items() if is_there}


def _format(path: str) -> Format | None:
    name = Path(path)
    suffix = name.suffixes[-2] if name.suffix in (".gz", ".zst", ".bz2") and len(name.suffixes) > 1 else name.suffix
    return _ENDINGS.get(suffix)
