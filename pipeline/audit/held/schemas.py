"""One schema of several Parquet files, whichever of them comes first."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, Final

import pyarrow as pa

from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.tables import Table

_DIGITS: Final = 20
"""The digits of the longest 64-bit integer."""


def merge_schemas(datasets: Sequence[Any], asked: Collection[str], where: Table) -> Any:
    """The schema that holds all files of some datasets: a column is there that one of them has, of a type that loses
    nothing of any.

    One that has no such type is left out, but raises InputError with the files and types where it is `asked` for.
    Reads the footer of every file.
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


def find_common(types: Sequence[Any]) -> Any:
    """The type that holds all cells of these, in whatever order they are named; None where there is none.

    A float and a decimal have none, since a double holds fewer digits; an integer that no double is, beside doubles, is
    refused when it is read.

    >>> find_common([pa.float32(), pa.null(), pa.float64()]), find_common([pa.int8(), pa.uint64()])
    (DataType(double), Decimal128Type(decimal128(20, 0)))
    >>> find_common([pa.int64(), pa.float32()]), find_common([pa.int64(), pa.string()])
    (DataType(double), None)
    """
    types = [kind.value_type if pa.types.is_dictionary(kind) else kind for kind in types] if len(types) > 1 else types
    types = [kind for kind in dict.fromkeys(types) if not pa.types.is_null(kind)]
    if len(types) < 2:
        return types[0] if types else pa.null()

    def are(*tests: Any) -> bool:
        return all(any(is_one(kind) for is_one in tests) for kind in types)

    whole, real = pa.types.is_integer, pa.types.is_floating
    if are(whole, real) and not are(real) and not are(whole):
        return pa.float64()
    signed, decimals = any(map(pa.types.is_signed_integer, types)), any(map(pa.types.is_decimal, types))
    if are(whole, pa.types.is_decimal) and (decimals or (signed and pa.uint64() in types)):
        scale = max(getattr(kind, "scale", 0) for kind in types)
        digits = scale + max(kind.precision - kind.scale if pa.types.is_decimal(kind) else _DIGITS for kind in types)
        return pa.decimal128(digits, scale) if digits <= 38 else pa.decimal256(digits, scale) if digits <= 76 else None
    if decimals and any(map(real, types)):
        return None
    if are(pa.types.is_timestamp) and all(kind.tz is not None for kind in types):
        types = [pa.timestamp(kind.unit, "UTC") for kind in types]
    if are(pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view):
        return pa.large_string()
    if are(pa.types.is_struct):
        return _merge_structs(types)
    if are(pa.types.is_list, pa.types.is_large_list):
        inside = find_common([kind.value_type for kind in types])
        return None if inside is None else pa.large_list(inside)
    try:
        schemas = [pa.schema([("it", kind)]) for kind in sorted(types, key=str)]
        return pa.unify_schemas(schemas, promote_options="permissive").field(0).type
    except pa.ArrowException:
        return None


def _merge_structs(types: Sequence[Any]) -> Any:
    inside: dict[str, list[Any]] = {}
    for kind in types:
        for field in kind:
            inside.setdefault(field.name, []).append(field.type)
    common = {name: find_common(inside[name]) for name in sorted(inside)}
    return None if None in common.values() else pa.struct(list(common.items()))


def _mark_moments(part: Any) -> Any:
    """The schema of a file, in which a timestamp of 96 bits is a moment: so Spark writes its own, and Arrow reads no
    zone."""
    schema, columns = part.physical_schema, part.metadata.schema
    for column in (columns.column(i) for i in range(len(columns))):
        at = schema.get_field_index(column.path)
        if column.physical_type == "INT96" and at >= 0:
            schema = schema.set(at, pa.field(column.path, pa.timestamp("ns", "UTC")))
    return schema
