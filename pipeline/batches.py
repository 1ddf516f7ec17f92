"""Rows that workers hand on, as Arrow batches: one list of columns says how Spark and Arrow name and type them."""

from collections.abc import Sequence
from typing import Any, TypeAlias

Batch: TypeAlias = Any
"""A pyarrow.RecordBatch; pyarrow has no types."""


def names_of(columns: str) -> list[str]:
    """The names of columns that are written as Spark takes them.

    >>> names_of("key string, a bigint")
    ['key', 'a']
    """
    return [column.split()[0] for column in columns.split(", ")]


def make_batch(columns: str, rows: Sequence[Sequence[Any]]) -> Batch:
    """Rows as a batch with these columns; what is `not null` for Spark is not said to Arrow."""
    import pyarrow as pa

    types = {"string": pa.string(), "bigint": pa.int64(), "double": pa.float64(), "binary": pa.binary()}
    schema = pa.schema([(name, types[kind]) for name, kind, *_ in map(str.split, columns.split(", "))])
    lists = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [pa.array(values, field.type) for field, values in zip(schema, lists, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)
