"""Rows that workers hand on, as Arrow batches: one list of columns says how Spark and Arrow name and type them."""

import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any, TypeAlias

Batch: TypeAlias = Any
"""A pyarrow.RecordBatch; pyarrow has no types."""

Each: TypeAlias = Callable[[Iterator[Batch]], Iterator[Batch]]
"""A function that workers apply to the rows that they are handed."""


class _NoPandas:
    """A finder that has no pandas."""

    def find_spec(self, name: str, *_: object) -> None:
        """Raises ModuleNotFoundError for pandas."""
        if name == "pandas":
            raise ModuleNotFoundError(name)


def import_readers() -> None:
    """Import Arrow's readers as if there were no pandas, which takes most of a second and is not used: for a process
    that is handed no data frames.  From then on Arrow does not ask for it either when it makes a column of a list."""
    finder: Any = _NoPandas()
    sys.meta_path.insert(0, finder)
    try:
        with suppress(ImportError):
            import_module("pyarrow.dataset")
            import_module("pyarrow").array([None])
    finally:
        sys.meta_path.remove(finder)
    import_module("pyarrow.dataset")  # with pandas, where a part of it is loaded that needs it


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

    kinds = [column.split()[1] for column in columns.split(", ")]
    lists = zip(*rows, strict=True) if rows else [()] * len(kinds)
    arrays = [pa.array(values, arrow_type(kind)) for kind, values in zip(kinds, lists, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, names_of(columns))


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
