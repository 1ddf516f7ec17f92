"""JSON lines as columns of text: numbers in their original form, and lists and objects as JSON."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

import pyarrow as pa

from swagproof.pipeline.audit.tables import CORRUPT, Mapped
from swagproof.pipeline.batches import Batch

_TEXT: Final = pa.string()
_Row = dict[str, Any]


class JsonLines:
    """The columns of JSON lines: one for each name, or for a field of an object, such as `window.start`."""

    def __init__(self, first: Iterable[bytes], asked: Sequence[Mapped]) -> None:
        """Learn the names from the first lines; a requested name that they lack needs a type, if there are lines."""
        rows = [row for line in first for row in read_line(line) or ()]
        seen = dict.fromkeys(name for row in rows for name in row)
        inside = [
            one.name
            for one in asked
            if one.name not in seen
            and (not rows or one.kind is not None or any(_find(row, one.name.split(".")) is not None for row in rows))
        ]
        named = {one.name for one in asked}
        outer = {name.partition(".")[0] for name in inside} - named
        self.names = [*dict.fromkeys([*(name for name in seen if name not in outer), *inside])]
        self.schema = pa.schema([(name, _TEXT) for name in (*self.names, CORRUPT)])
        self._paths = [(name, name.split(".")) for name in self.names]

    def read(self, lines: Sequence[bytes]) -> tuple[Batch, list[int]]:
        """Return the rows of some lines, with unreadable ones in the column CORRUPT, and the line of each row."""
        rows: list[_Row] = []
        corrupt: list[str | None] = []
        numbers: list[int] = []
        for i, line in enumerate(lines):
            found = read_line(line)
            more: list[_Row] = [{}] if found is None else found
            rows += more
            corrupt += [line.decode("utf-8", "replace").rstrip("\r\n") if found is None else None] * len(more)
            numbers += [i] * len(more)
        cells = [[_write(row[name] if name in row else _find(row, path)) for row in rows] for name, path in self._paths]
        columns = [pa.array(column, _TEXT) for column in (*cells, corrupt)]
        return pa.RecordBatch.from_arrays(columns, schema=self.schema), numbers


class _Number(str):
    """A JSON number in its original form."""

    __slots__ = ()


_DECODER: Final = json.JSONDecoder(parse_int=_Number, parse_float=_Number, parse_constant=_Number)


def read_line(line: bytes) -> list[_Row] | None:
    """Return the objects of a line; None if it is unreadable."""
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
    """Replace unpaired surrogates, which UTF-8 cannot encode, by ?, as Spark does."""
    match value:
        case dict():
            return {_mend(name): _mend(inner) for name, inner in value.items()}
        case list():
            return [_mend(inner) for inner in value]
        case str() if not isinstance(value, _Number):
            return value.encode("utf-8", "replace").decode()
        case _:
            return value


def _find(row: Any, path: Sequence[str]) -> Any:
    """Return a value, or one inside it."""
    for part in path:
        row = row.get(part) if isinstance(row, dict) else None
    return row


def _write(value: Any) -> str | None:
    """Return a value as text: text unchanged, all else as JSON."""
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
