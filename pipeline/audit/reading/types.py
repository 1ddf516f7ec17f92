"""The types of columns: common ones of several Parquet files, and inferred ones of text.

Types of text are inferred from the first rows, as in DuckDB and Polars.  They are kept in the metadata of a schema, so
that its columns stay text, and `swagproof.pipeline.audit.reading.converting` alone converts the cells.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Final

import pyarrow as pa

from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.reading.cells import Array, compute, read_moments, take_column, to_float, to_int
from swagproof.pipeline.audit.reading.converting import INFERRED, find_type
from swagproof.pipeline.audit.rules import Kind
from swagproof.pipeline.audit.tables import FIRST, Mapped, Table
from swagproof.pipeline.batches import Batch


def merge_schemas(datasets: Sequence[Any], asked: Collection[str], where: Table) -> Any:
    """Return the common schema of all files: the columns of any file, with the type that Arrow finds for all.

    A column without a common type is omitted, or raises InputError with the files and types if it is `asked` for. Reads
    the footer of every file.
    """
    found: dict[tuple[str, int], dict[Any, str]] = {}
    for dataset in datasets:
        fragments = list(dataset.get_fragments())
        schemas = [(part.path, _mark_moments(part)) for part in fragments] or [(str(where), dataset.schema)]
        of_folders = [field for field in dataset.schema if field.name not in schemas[0][1].names]
        for path, schema in schemas:
            more = [field for field in of_folders if field.name not in schema.names] if fragments else []
            seen: Counter[str] = Counter()
            for field in (*schema, *more):
                found.setdefault((field.name, seen[field.name]), {}).setdefault(field.type, path)
                seen[field.name] += 1
    fields: list[Any] = []
    for (name, _), types in found.items():
        common = find_common([*types])
        if common is not None:
            fields.append(pa.field(name, common))
        elif name in asked:
            each = ", ".join(f"{kind} in {path}" for kind, path in types.items())
            raise InputError(f"{where.option}: {name} is {each}, which have no common type; write it as one type")
    return pa.schema(fields)


_LONGEST: Final = pa.decimal128(20, 0)
"""The type that holds all integers."""


def find_common(types: Sequence[Any]) -> Any:
    """Return the common type in Arrow, in any order; None if there is none.

    A float and a decimal have none, since a double has fewer digits.  An integer outside the common type is rejected
    when it is read.

    >>> find_common([pa.float32(), pa.null(), pa.float64()]), find_common([pa.int8(), pa.uint64()])
    (DataType(double), Decimal128Type(decimal128(20, 0)))
    >>> find_common([pa.int64(), pa.float32()]), find_common([pa.int64(), pa.string()])
    (DataType(double), None)
    """
    kinds = [*dict.fromkeys(types)] if len(set(types)) < 2 else [*dict.fromkeys(map(_spell_type, types))]
    if any(map(pa.types.is_decimal, kinds)) or (pa.uint64() in kinds and any(map(pa.types.is_signed_integer, kinds))):
        kinds = [_LONGEST if pa.types.is_integer(kind) else kind for kind in kinds]
    inside = [inner for kind in kinds for inner in _list_inner(kind)]
    if len(kinds) > 1 and any(map(pa.types.is_decimal, inside)) and any(map(pa.types.is_floating, inside)):
        return None
    try:
        return pa.unify_schemas([pa.schema([("it", kind)]) for kind in kinds], promote_options="permissive")[0].type
    except pa.ArrowException:
        return None


def _list_inner(kind: Any) -> Iterator[Any]:
    """Yield a type and the types of its fields."""
    yield kind
    for i in range(kind.num_fields):
        yield from _list_inner(kind.field(i).type)


def _spell_type(kind: Any) -> Any:
    """Return a type normalised for merging: a dictionary's values, one type of text, zoned moments in UTC."""
    if pa.types.is_dictionary(kind):
        return _spell_type(kind.value_type)
    if pa.types.is_string_view(kind):
        return pa.large_string()
    return pa.timestamp(kind.unit, "UTC") if pa.types.is_timestamp(kind) and kind.tz is not None else kind


def _mark_moments(part: Any) -> Any:
    """Return a file's schema, with 96-bit timestamps, which Spark writes and Arrow reads without zone, as moments."""
    schema, columns = part.physical_schema, part.metadata.schema
    for column in (columns.column(i) for i in range(len(columns))):
        at = schema.get_field_index(column.path)
        if column.physical_type == "INT96" and at >= 0:
            schema = schema.set(at, pa.field(column.path, pa.timestamp("ns", "UTC")))
    return schema


MOST: Final = 0.9
"""The least share of the cells that a type must hold; the others are bad rows."""

_INTEGER: Final = r"^[+-]?\d+$"
_TRUTH: Final = r"^(?i:true|false)$"
_NESTED: Final = r"^[\[{].*[\]}]$"


def infer_kind(cells: Array) -> Kind | None:
    """Return the first type that holds most of some text; None if there is no text.

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
    """Add inferred types to the metadata of a schema, for requested text columns without a stated type.

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
    left = FIRST
    for batch in batches:
        yield batch.slice(0, left)
        left -= batch.num_rows
        if left <= 0:
            return
