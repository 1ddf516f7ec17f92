"""Tables in memory: data frames of any library, converted to Arrow as whole columns.

Arrow's PyCapsule interface, `__arrow_c_stream__`, exports the columns of PyArrow, Polars, DuckDB and pandas; other
frames have an export of their own.  Integers, decimals and moments keep their types: none becomes a double. pandas uses
NaN for null in columns of plain doubles, so NaN is null there; everywhere else it is a value.
"""

import os
from typing import Any, Final, get_args

import pyarrow as pa

from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.tables import Format, Table, table

_EXPORTS: Final = ("toArrow", "__arrow_c_stream__", "to_arrow", "arrow", "to_table")
"""The exports of a data frame, in order of preference: Spark, the PyCapsule interface, others."""


def take_table(option: str, given: Any, format_: str | None = None, *, export: bool = True) -> Table:
    """Return a data frame, a path, or several paths, as one table; `export` reads the rows of a frame of Spark.

    Raises TypeError for anything else, and InputError for unreadable data.
    """
    known: dict[str, Format] = {one: one for one in get_args(Format)}
    if format_ is not None and format_ not in known:
        raise InputError(f"{option}-format: {format_!r} is unknown; give one of {', '.join(known)}")
    if (paths := list_paths(given)) is not None:
        return table(option, paths, known.get(format_ or ""))
    kind = type(given)
    if kind.__module__.startswith("polars") and hasattr(given, "collect"):
        given = given.collect()
    if hasattr(given, "to_frame"):  # a series, as from groupby
        given = given.to_frame()
    way = next((name for name in _EXPORTS if hasattr(given, name)), None)
    if way is None:
        raise TypeError(
            f"{option[2:]}: {kind.__name__} is neither a path nor a data frame; give paths, or a frame of pandas, "
            "Polars, PyArrow, DuckDB or Spark, or an object with __arrow_c_stream__"
        )
    name = f"{kind.__module__.partition('.')[0]} {kind.__name__}"
    if not export and kind.__module__.startswith("pyspark"):
        return Table(option, (name,), "arrow", given)
    try:
        data = pa.table(given) if way == "__arrow_c_stream__" else _finish(getattr(given, way)())
    except (pa.ArrowException, ValueError, TypeError) as error:  # pandas: duplicate names, objects of several types
        raise InputError(f"{option}: {name} cannot be converted to Arrow: {str(error).splitlines()[0]}") from error
    return Table(option, (name,), "arrow", _decode(data))


def list_paths(given: Any) -> list[str] | None:
    """Return the given paths, one or several; None for anything else."""
    paths: list[Any] = [given] if isinstance(given, str | os.PathLike) else []
    if isinstance(given, list | tuple):
        paths = [*given]
    are = bool(paths) and all(isinstance(path, str | os.PathLike) for path in paths)
    return [os.fspath(path) for path in paths] if are else None


def _decode(data: Any) -> Any:
    """Return the table with categories as text if their type is a view, as in Polars."""
    for i, column in enumerate(data.columns):
        if pa.types.is_dictionary(column.type) and column.type.value_type == pa.string_view():
            chunks = [
                pa.DictionaryArray.from_arrays(chunk.indices, chunk.dictionary.cast(pa.large_string()))
                for chunk in column.chunks
            ]
            decoded = pa.chunked_array(chunks, pa.dictionary(column.type.index_type, pa.large_string()))
            data = data.set_column(i, data.schema.names[i], decoded)
    return data


def _finish(exported: Any) -> Any:
    return exported.read_all() if hasattr(exported, "read_all") else pa.table(exported)
