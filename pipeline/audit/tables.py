"""The two tables of an audit: events, and the results that a job made of them, read as the caller maps their columns.

Parquet brings its own types.  JSON lines and CSV (with a header) are read as text, and each mapped column is turned
into what the mapping says, `NAME:TYPE`, with TYPE one of int, float, decimal, text, bool, time, json; where it names
no type, the first rows say it (`swagproof.pipeline.audit.reading.types`).  A name may reach into a struct:
`window.start`.

A table that a program holds is Arrow's: `swagproof.pipeline.audit.reading.in_memory` takes those of data frames.

Times are timestamps, or integers in a unit that is stated; inside they are ticks: microseconds since the epoch in UTC
(nanoseconds if integers are in those), or plain numbers where no unit is stated.  A timestamp without a zone is UTC;
one that names a window of a calendar is in that calendar's zone, and so is a date.

A key is compared as text; of several columns, all of them.  Numbers are the same whatever their types: 1 here and 1.0
there; so are moments, whatever their zones.  Null is a key of its own, and NaN is null.  A row that lacks a time or an
arrival number, or holds what its column's type cannot, is bad: it is counted, named and kept apart, never dropped.  So
is one with a time between two ticks: nothing is rounded down.
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
"""The column of lines that cannot be read."""
FILE: Final = "_swagproof_file"
"""The column of which file a row is from."""
FIRST: Final = 20_480
"""The number of rows that are read to learn the names and the types of text: as many as DuckDB reads."""


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
    """A table's location and format."""

    option: str
    """For messages: `--events` or `--results`."""
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
        """A copy for another process has no data: what it needs of them it is sent."""
        return Table, (self.option, self.paths, self.format)

    def __str__(self) -> str:
        return ", ".join(self.paths)


def table(option: str, paths: Sequence[str], format_: Format | None) -> Table:
    """The files of a table.  Raises InputError for a file that is not there, and a format that cannot be told."""
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
"""The log of Spark's file sink: a file that it does not name is of a micro-batch that was not done, and is there again
under another name."""

_LOGGED: Final = {"_delta_log": "Delta", ".hoodie": "Hudi", "metadata/*.metadata.json": "Iceberg"}
"""The marks of table formats with a log of files, which is not read here: some of the files may have been replaced."""


def list_files(folder: Path, option: str) -> list[str]:
    """The files in a folder, in the order of their names, but for hidden ones; of what Spark's file sink has written,
    those that its log names.

    Raises InputError for a table of a format that has another log, and for a file that is named and is not there.
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
    """The columns that the folders of a file beneath this one are named by.

    >>> read_folders("out/day=1/k=a%2Fb/part-0.csv", Path("out"))
    {'day': '1', 'k': 'a/b'}
    """
    parts = (part.partition("=") for part in Path(file).relative_to(folder).parent.parts)
    return {name: None if value == _NOTHING else unquote(value) for name, equals, value in parts if equals}


def _read_committed(log: Path, option: str) -> set[str]:
    """The names of the files of all micro-batches that are done: of the last compact log, and those after it.

    Each has a version in its first line, and then a JSON object a line, with the path of a file and what became of it.
    The names are unique, as Spark makes them; the paths are of where the folder was when it was written.
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
