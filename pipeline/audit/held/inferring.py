"""The types of columns of text, inferred from the first rows, as DuckDB and Polars do.

They are kept in the metadata of a schema, so that its columns stay text and each cell is converted by one definition,
`swagproof.pipeline.audit.converting`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

import pyarrow as pa

from swagproof.pipeline.audit.cells import Array, compute, read_moments, take_column, to_float, to_int
from swagproof.pipeline.audit.converting import INFERRED, find_type
from swagproof.pipeline.audit.rules import Kind
from swagproof.pipeline.audit.tables import Mapped
from swagproof.pipeline.batches import Batch

ROWS: Final = 20_480
"""Rows that are read to infer types: as many as DuckDB reads."""


MOST: Final = 0.9
"""A type holds this share of the cells at least; the others are bad rows."""

_INTEGER: Final = r"^[+-]?\d+$"
_TRUTH: Final = r"^(?i:true|false)$"
_NESTED: Final = r"^[\[{].*[\]}]$"


def infer_kind(cells: Array) -> Kind | None:
    """Return the first type that holds most of some text; None where there is no text.

    >>> [infer_kind(pa.array(it, pa.string())) for it in (["1", "2.5", None], ["1", "-2"], ["1", "x"], [None])]
    ['float', 'int', 'text', None]
    >>> [infer_kind(pa.array([cell])) for cell in ("9" * 30, "False", "2026-03-01 09:00", "[1]")]
    ['decimal', 'bool', 'time', 'json']
    """
    text = compute.utf8_trim_whitespace(cells.drop_null())
    most = MOST * len(text)

    def matches(pattern: str) -> bool:
        return bool(compute.sum(compute.match_substring_regex(text, pattern)).as_py() >= most)

    def holds(made: Array) -> bool:
        return bool(len(text) - made.null_count >= most)

    tried: tuple[tuple[Kind, Callable[[], bool]], ...] = (
        ("int", lambda: matches(_INTEGER) and holds(to_int(text))),
        ("decimal", lambda: matches(_INTEGER)),
        ("float", lambda: holds(to_float(text))),
        ("bool", lambda: matches(_TRUTH)),
        ("time", lambda: holds(read_moments(text, None))),
        ("json", lambda: matches(_NESTED)),
    )
    for kind, is_one in tried if len(text) else ():
        if is_one():
            return kind
    return "text" if len(text) else None


def add_kinds(schema: Any, asked: Sequence[Mapped], read: Callable[[Sequence[str]], Iterable[Batch]]) -> Any:
    """Note in the metadata of a schema what its columns of text hold that are asked for by no type.

    `read` takes the names of columns, and yields the first rows.
    """
    names = dict.fromkeys(one.name for one in asked if one.kind is None and _is_one(schema, one.name))
    if not names:
        return schema
    first = list(_take_first(read([*dict.fromkeys(_find_column(schema, name) for name in names)])))
    columns = {name: [take_column(batch, name) for batch in first] for name in names}
    found = {name: infer_kind(pa.concat_arrays([pa.array([], pa.string()), *cells])) for name, cells in columns.items()}
    return schema.with_metadata({INFERRED + name: kind for name, kind in found.items() if kind is not None})


def _is_one(schema: Any, name: str) -> bool:
    return find_type(schema, name) is not None and schema.names.count(_find_column(schema, name)) == 1


def _find_column(schema: Any, name: str) -> str:
    return name if name in schema.names else name.partition(".")[0]


def _take_first(batches: Iterable[Batch]) -> Iterator[Batch]:
    left = ROWS
    for batch in batches:
        yield batch.slice(0, left)
        left -= batch.num_rows
        if left <= 0:
            return
