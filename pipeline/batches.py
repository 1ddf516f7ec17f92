"""Rows that workers hand on, as Arrow batches: one list of columns says how Spark and Arrow name and type them."""

import gc
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, TypeAlias

Batch: TypeAlias = Any
"""A pyarrow.RecordBatch; pyarrow has no types."""

Each: TypeAlias = Callable[[Iterator[Batch]], Iterator[Batch]]
"""What workers make of the rows that they are handed."""


def names_of(columns: str) -> list[str]:
    """The names of columns that are written as Spark takes them.

    >>> names_of("key string, a bigint")
    ['key', 'a']
    """
    return [column.split()[0] for column in columns.split(", ")]


def arrow_type(kind: str) -> Any:
    """Arrow's type for one of Spark's."""
    import pyarrow as pa

    if kind.startswith("array<"):
        return pa.list_(arrow_type(kind.removeprefix("array<").removesuffix(">")))
    types = {"string": pa.string, "bigint": pa.int64, "double": pa.float64, "boolean": pa.bool_, "binary": pa.binary}
    return types[kind]()


def make_batch(columns: str, rows: Sequence[Sequence[Any]]) -> Batch:
    """Rows as a batch with these columns; what is `not null` for Spark is not said to Arrow."""
    import pyarrow as pa

    schema = pa.schema([(name, arrow_type(kind)) for name, kind, *_ in map(str.split, columns.split(", "))])
    lists = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [pa.array(values, field.type) for field, values in zip(schema, lists, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


@cache
def freeze_modules() -> None:
    """Have the collector of garbage pass over what is there already, from now on, once in a process."""
    gc.collect()
    gc.freeze()


def in_worker(each: Each) -> Each:
    """The same in a worker of Spark's, which is kept for many tasks, and looks for garbage after each: by then in what
    the task has made alone, as going through all modules takes longer than what many a task does."""

    def run(batches: Iterator[Batch]) -> Iterator[Batch]:
        freeze_modules()
        return each(batches)

    return run
