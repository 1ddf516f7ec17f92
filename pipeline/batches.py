"""Arrow batches that workers exchange. One list of columns gives the names and types for both Spark and Arrow."""

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
"""A function that workers apply to the batches they receive."""


class _NoPandas:
    """A module finder that hides pandas."""

    def find_spec(self, name: str, *_: object) -> None:
        """Raise ModuleNotFoundError for pandas."""
        if name == "pandas":
            raise ModuleNotFoundError(name)


def import_readers() -> None:
    """Import Arrow's readers without pandas, whose import takes most of a second, in a process without data frames.

    From then on Arrow does not import pandas for columns of lists either.
    """
    finder: Any = _NoPandas()
    sys.meta_path.insert(0, finder)
    try:
        with suppress(ImportError):
            import_module("pyarrow.dataset")
            import_module("pyarrow").array([None])
    finally:
        sys.meta_path.remove(finder)
    import_module("pyarrow.dataset")  # with pandas, if a part of it that needs it is loaded already


def names_of(columns: str) -> list[str]:
    """Return the names in a list of columns in Spark's notation.

    >>> names_of("key string, a bigint")
    ['key', 'a']
    """
    return [column.split()[0] for column in columns.split(", ")]


def arrow_type(kind: str) -> Any:
    """Return Arrow's type for a type of Spark."""
    import pyarrow as pa

    if kind.startswith("array<"):
        return pa.list_(arrow_type(kind.removeprefix("array<").removesuffix(">")))
    types = {"string": pa.string, "bigint": pa.int64, "double": pa.float64, "boolean": pa.bool_, "binary": pa.binary}
    return types[kind]()


def make_batch(columns: str, rows: Sequence[Sequence[Any]]) -> Batch:
    """Return rows as a batch with these columns. Arrow ignores `not null`."""
    import pyarrow as pa

    kinds = [column.split()[1] for column in columns.split(", ")]
    lists = zip(*rows, strict=True) if rows else [()] * len(kinds)
    arrays = [pa.array(values, arrow_type(kind)) for kind, values in zip(kinds, lists, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, names_of(columns))


@cache
def freeze_modules() -> None:
    """Exclude all existing objects from garbage collection; called once per process."""
    gc.collect()
    gc.freeze()


def in_worker(each: Each) -> Each:
    """Return the function for a reused Spark worker, which collects garbage after each task.

    Modules are frozen first: scanning them would take longer than many tasks.
    """

    def run(batches: Iterator[Batch]) -> Iterator[Batch]:
        freeze_modules()
        return each(batches)

    return run
