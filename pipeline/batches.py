"""Rows that workers hand on, as Arrow batches: one list of columns says how Spark and Arrow name and type them."""

import gc
import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from itertools import accumulate
from typing import Any, Final, TypeAlias

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
    that is handed no data frames."""
    finder: Any = _NoPandas()
    sys.meta_path.insert(0, finder)
    try:
        with suppress(ImportError):
            import_module("pyarrow.dataset")
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
    arrays = [make_array(kind, values) for kind, values in zip(kinds, lists, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, names_of(columns))


def make_array(kind: str, values: Sequence[Any]) -> Any:
    """A column of one of Spark's types, laid out as Arrow has it.

    Handed a list, Arrow imports pandas, to know its objects from others: half a second of each worker's start, 45 MB.

    >>> make_array("string", ["a", None, "bc"]).to_pylist(), make_array("boolean", [None, True]).to_pylist()
    (['a', None, 'bc'], [None, True])
    """
    import pyarrow as pa

    type_ = arrow_type(kind)
    if kind not in _PLAIN:
        return pa.array(values, type_)
    buffers = [_lay_bits([value is not None for value in values]) if None in values else None]
    if kind == "boolean":
        buffers.append(_lay_bits(values))
    elif kind in _CODES:
        buffers.append(array(_CODES[kind], [0 if value is None else value for value in values]).tobytes())
    else:
        texts = [value.encode() if isinstance(value, str) else value or b"" for value in values]
        buffers += [array("i", accumulate(map(len, texts), initial=0)).tobytes(), b"".join(texts)]
    return pa.Array.from_buffers(type_, len(values), [each if each is None else pa.py_buffer(each) for each in buffers])


_CODES: Final = {"bigint": "q", "double": "d"}

_PLAIN: Final = {*_CODES, "boolean", "string", "binary"}


def _lay_bits(values: Sequence[Any]) -> bytes:
    """Truth values as bits, the first the lowest."""
    digits = "".join("1" if value else "0" for value in reversed(values))
    return int(digits or "0", 2).to_bytes((len(values) + 7) // 8, "little")


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
