"""Recordings in files, JSON lines and Parquet, read in batches, and their headings.

`swagproof.pipeline.recordings.layout` defines the columns and the forms.  pyarrow is imported for the first Parquet
file.
"""

import gzip
import json
import zlib
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from swagproof.oracle.trace import InputError, decode
from swagproof.oracle.window import WINDOWS
from swagproof.pipeline.recordings.layout import ABSENT, FORMAT, PLACE, Flaw, Rows, Rules, row_of, unnumbered

BATCH: Final = 32_768
"""Rows per batch."""

REQUIRED: Final = ("trace", "seq", "op", "answer")
"""Required columns; `value`, `time` and `until` are needed if the window's operations take them."""


@dataclass(frozen=True)
class Heading:
    """The window and the monoid that a recording names."""

    window: str | None = None
    monoid: str | None = None


@dataclass(frozen=True)
class Chunk:
    """Some neighbouring rows of a file."""

    file: str
    numbers: Sequence[int]
    """The line of the file, or the row of a Parquet file, of each row; counted from 1."""
    traces: list[Any]
    rows: Rows
    raw: Callable[[int], str]
    """A function from a row's position here to its text in the file."""


NAMES: Final = ".jsonl, .ndjson or .json, each also with .gz"
"""The file name endings of JSON lines."""


def is_json(name: str) -> bool:
    """Return whether a file of this name holds JSON lines."""
    return name.removesuffix(".gz").endswith((".jsonl", ".ndjson", ".json"))


@contextmanager
def open_lines(path: Path) -> Generator[BinaryIO]:
    """Open a file for reading lines.  Raises InputError if it cannot be read."""
    try:
        with gzip.open(path) if path.name.endswith(".gz") else path.open("rb") as file:
            yield cast("BinaryIO", file)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: {getattr(error, 'strerror', None) or error}") from None


def heading_of(path: Path) -> Heading:
    """Return the heading of a file.  Raises InputError if it cannot be read, or is no recording."""
    if is_json(path.name):
        with open_lines(path) as file:
            return heading_in(file.readline(), f"{path}: line 1")
    metadata = open_parquet(path).schema_arrow.metadata or {}
    return checked_heading(
        Heading(
            *(
                metadata.get(key, b"").decode("utf-8", "replace") or None
                for key in (b"swagproof.window", b"swagproof.monoid")
            )
        ),
        str(path),
    )


def heading_in(line: str | bytes, where: str) -> Heading:
    """Return the heading in a line, or an empty one if the line is a row.  Raises InputError for an invalid one."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return Heading()
    if not isinstance(data, dict) or "format" not in data or "op" in data:
        return Heading()
    cells = cast("dict[str, Any]", data)
    if cells["format"] != FORMAT or cells.get("version") != 1:
        raise InputError(f'{where}: fields format, version: expected "{FORMAT}" and 1')
    return checked_heading(Heading(cells.get("window"), cells.get("monoid")), where)


def checked_heading(found: Heading, where: str) -> Heading:
    """Return the heading.  Raises InputError if its window is unknown, or its monoid is not a name."""
    if found.window is not None and found.window not in WINDOWS:
        raise InputError(f"{where}: field window: {found.window!r} is none of {', '.join(WINDOWS)}")
    if found.monoid is not None and type(found.monoid) is not str:
        raise InputError(f"{where}: field monoid: expected a name, found {found.monoid!r}")
    return found


def chunks(path: Path, rules: Rules) -> Iterator[Chunk]:
    """Yield the marked rows of a file, in its order.  Raises InputError if it cannot be read."""
    for chunk in (_json_chunks if is_json(path.name) else _parquet_chunks)(path, rules):
        rules.mark(chunk.rows)
        yield chunk


def _json_chunks(path: Path, rules: Rules) -> Iterator[Chunk]:
    with open_lines(path) as file:  # invalid UTF-8 is a flaw of its line
        numbered = enumerate(file, 1)
        while lines := list(islice(numbered, BATCH // 4)):
            places, traces, rows = rows_in([line for _, line in lines], rules.heading)
            raw = [lines[place] for place in places]
            yield Chunk(str(path), [number for number, _ in raw], traces, rows, partial(_line, raw))


def rows_in(lines: Sequence[str | bytes], of: tuple[str, str] | None = None) -> tuple[list[int], list[Any], Rows]:
    """Return the numbers of the lines that are rows, their traces, and the rows, unmarked; for `of` see `row_of`."""
    places, traces, rows = list[int](), list[Any](), Rows()
    for at, line in enumerate(lines):
        read = row_of(line, of)
        if read is not None:
            places.append(at)
            traces.append(read[0])
            rows.append(read[1], read[2])
    return places, traces, rows


def _line(numbered: Sequence[tuple[int, bytes]], at: int) -> str:
    return numbered[at][1].decode("utf-8", "backslashreplace").rstrip("\r\n")


def raw_row(batch: Any, at: int) -> str:
    """Return a row of an Arrow batch as JSON text, with all its columns."""
    return json.dumps({name: batch.column(place)[at].as_py() for place, name in enumerate(batch.schema.names)})


def import_arrow(what: str = "Parquet") -> tuple[Any, Any]:
    """Return the modules pyarrow and pyarrow.parquet.  Raises InputError if they are missing."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise InputError(f"{what} needs pyarrow: pip install 'swagproof[parquet]'") from None
    return pyarrow, pyarrow.parquet


def open_parquet(path: Path) -> Any:
    """Open a Parquet file.  Raises InputError if it cannot be read."""
    arrow, parquet = import_arrow()
    try:
        return parquet.ParquetFile(path, pre_buffer=False)  # otherwise it keeps the bytes of all row groups
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except arrow.ArrowInvalid as error:
        said = " ".join(str(error).split()).split(". ")[0][:120]
        raise InputError(f"{path}: not a Parquet file: {said} (JSON lines are named {NAMES})") from None


def _parquet_chunks(path: Path, rules: Rules) -> Iterator[Chunk]:
    arrow, _ = import_arrow()
    file = open_parquet(path)
    names = check_schema(file.schema_arrow, rules, str(path))
    first = 1
    try:
        for batch in file.iter_batches(BATCH, columns=names):
            traces, rows = rows_of(batch)
            numbers = range(first, first + len(traces))
            yield Chunk(str(path), numbers, traces, rows, partial(raw_row, batch))
            first += len(traces)
    except (OSError, arrow.ArrowException) as error:
        raise InputError(f"{path}: near row {first:,}: {' '.join(str(error).split())[:120]}") from None
    finally:
        file.close()


def _is_text(type_: Any) -> bool:
    import pyarrow

    is_ = pyarrow.types
    type_ = type_.value_type if is_.is_dictionary(type_) else type_
    return bool(is_.is_string(type_) or is_.is_large_string(type_) or is_.is_string_view(type_))


def check_schema(schema: Any, rules: Rules, where: str) -> list[str]:
    """Return the columns to read.  Raises InputError that names a column that is missing or has a wrong type."""
    arrow, _ = import_arrow()
    is_, window = arrow.types, rules.window
    columns = {op: [PLACE.get(what, "time") for what in takes] for op, takes in window.operations.items()}
    needed = [*REQUIRED, *dict.fromkeys(column for each in columns.values() for column in each)]
    always = {column for op, each in columns.items() if op not in window.optional for column in each}
    optional = {*needed} - {*REQUIRED} - always
    for name in needed:
        if name not in schema.names and name not in optional:
            raise InputError(f"{where}: there is no column {name}; it has {', '.join(schema.names)}")
    found = [name for name in needed if name in schema.names]
    for name in found:
        if schema.names.count(name) > 1:
            raise InputError(f"{where}: there are {schema.names.count(name)} columns {name}")
        type_ = schema.field(name).type
        if is_.is_dictionary(type_):
            type_ = type_.value_type
        text = _is_text(type_)
        number = is_.is_integer(type_) or is_.is_floating(type_)
        if name in ("trace", "op"):
            fits, form = text, "string"
        elif name == "seq":
            fits, form = is_.is_integer(type_), "int64"
        elif name in ("time", "until"):
            fits, form = number or is_.is_null(type_), "int64 or double"
        else:
            fits = text or number or is_.is_boolean(type_) or is_.is_null(type_)
            form = "integers, double, truth values, or strings of JSON"
            if name == "answer" and rules.rounded and type_ in (arrow.float16(), arrow.float32()):
                fits, form = False, f"double: {rules.monoid} is judged to double precision"
        if not fits:
            raise InputError(f"{where}: column {name} is {type_}; expected {form}; cast it where it is written")
    return found


def rows_of(batch: Any) -> tuple[list[Any], Rows]:
    """Return the traces and the rows, not yet marked, of an Arrow batch whose schema was checked."""
    names = batch.schema.names
    flaws: dict[int, Flaw] = {}

    def read(name: str, absent: Any = None) -> list[Any]:
        if name not in names:
            return [absent] * batch.num_rows
        column = batch.column(names.index(name))
        if name not in ("value", "answer"):
            return _spread(column, None) if name in ("trace", "op") else column.to_pylist()
        if not _is_text(column.type):
            cells = column.to_pylist()
            return cells if absent is None else [absent if cell is None else cell for cell in cells]
        wrong: dict[str, Flaw] = {}

        def decode_cell(text: str) -> Any:
            try:
                return decode(json.loads(text))
            except (ValueError, RecursionError) as error:
                wrong[text] = Flaw("unreadable row", f"column {name}: {text[:40]!r} is no JSON value: {error}")
                return absent

        cells = _spread(column, absent, decode_cell)
        if wrong:
            flaws.update({at: wrong[text] for at, text in enumerate(column.to_pylist()) if text in wrong})
        return cells

    traces, seq = read("trace"), read("seq")
    rows = Rows(seq, read("op"), read("time"), read("until"), read("value", ABSENT), read("answer"), flaws)
    if None in traces or None in seq or min(seq, default=0) < 0:
        for at, (trace, number) in enumerate(zip(traces, seq, strict=True)):
            if number is None or number < 0:
                flaws[at], seq[at] = unnumbered(number), None
            if trace is None:
                flaws[at] = Flaw("no trace", "a row without a trace")
    return traces, rows


def _spread(column: Any, absent: Any, make: Callable[[str], Any] = str) -> list[Any]:
    """Return a column of strings, converting each distinct string once; `absent` for null."""
    coded = column if hasattr(column, "dictionary") else column.dictionary_encode()
    made = list(map(make, coded.dictionary.to_pylist()))
    return [absent if code is None else made[code] for code in coded.indices.to_pylist()]


Reject = Callable[[Chunk, int, Flaw], None]
"""A callback for each flawed row: its chunk, its position there, and the flaw."""


def settle(headings: Sequence[tuple[str, Heading]], window: str | None, monoid: str | None) -> tuple[str, str]:
    """Return the kind of window and the monoid, from the command line or the files.

    Raises InputError if neither names them, if they differ, or if a file names custom code, which runs only if the
    command line names it too.
    """
    chosen: list[str] = []
    for option, given in (("window", window), ("monoid", monoid)):
        said = {getattr(found, option): file for file, found in headings if getattr(found, option) is not None}
        if len({*said, *([given] if given else [])}) > 1:
            each = [f"{file} says {name}" for name, file in said.items()] + ([f"--{option} {given}"] if given else [])
            raise InputError(f"which {option}? {', '.join(each)}")
        if not given and not said:
            raise InputError(f"the recording does not state the {option}; add --{option}")
        if not given and any(":" in name for name in said):
            name, file = next(iter(said.items()))
            raise InputError(f"{file} names code to run, {name}: if you trust it, add --{option} {name}")
        chosen.append(given or next(iter(said)))
    return chosen[0], chosen[1]
