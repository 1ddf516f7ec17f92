"""The two tables of an audit: events, and the results that a job made of them, read as the caller maps their columns.

Parquet brings its own types.  JSON lines and CSV (with a header) are read as text, and each mapped column is turned
into what the mapping says, `NAME:TYPE`, with TYPE one of int, float, decimal, text, bool, time, json; nothing is
guessed from the data.  A name may reach into a struct: `window.start`.

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
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from swagproof.oracle.trace import InputError
from swagproof.pipeline import is_remote
from swagproof.pipeline.audit.held.folders import list_files
from swagproof.pipeline.audit.rules import Kind

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
CORRUPT: Final = "_swagproof_corrupt"
"""The column of lines that cannot be read."""

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
        if is_remote(path) or any(letter in path for letter in "*?["):
            found.add(format_ or _format(path) or "parquet")
            continue
        place = Path(path)
        if not place.exists():
            raise InputError(f"{option} {path}: there is no such file or directory")
        if not (place.is_file() or place.is_dir()):
            raise InputError(f"{option} {path}: a pipe is read once, and a table more than once; give a file")
        told = format_ or _format(path)
        if told is None and place.is_dir():
            inside = {_format(file) for file in list_files(place, option)}
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


def names_in(line: str | bytes) -> list[str]:
    """The names in a line of JSON."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return []
    rows: list[Any] = found if isinstance(found, list) else [found]
    return [name for row in rows if isinstance(row, dict) for name in row]
