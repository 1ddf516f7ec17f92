"""Tables that a program holds: data frames of any library, taken over as Arrow has them, no cell by itself.

Arrow's PyCapsule interface, `__arrow_c_stream__`, hands over the columns of PyArrow, Polars, DuckDB and pandas; other
frames have an export of their own.  A column of integers, decimals or moments is what it was: none becomes a double.
pandas has NaN for null in columns of plain doubles, so that NaN is null there; everywhere else it is a value.
"""

import os
from typing import Any, Final, get_args

import pyarrow as pa

from swagproof.oracle.trace import InputError
from swagproof.pipeline.audit.tables import Format, Table, table

_EXPORTS: Final = ("toArrow", "__arrow_c_stream__", "to_arrow", "arrow", "to_table")
"""Ways out of a data frame, the first that it has: Spark, the PyCapsule interface, others."""


def take_table(option: str, given: Any, format_: str | None = None, *, export: bool = True) -> Table:
    """Take a data frame, a path, or several paths, as one table of an audit; a frame of Spark stays there unless it is
    to `export` its rows.

    Raises TypeError for anything else, InputError for what cannot be read.
    """
    known: dict[str, Format] = {one: one for one in get_args(Format)}
    if format_ is not None and format_ not in known:
        raise InputError(f"{option}-format: {format_!r} is unknown; give one of {', '.join(known)}")
    if (paths := list_paths(given)) is not None:
        return table(option, paths, known.get(format_ or ""))
    kind = type(given)
    if kind.__module__.startswith("polars") and hasattr(given, "collect"):
        given = given.collect()
    if hasattr(given, "to_frame"):  # a series, as groupby makes it
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
    except (pa.ArrowException, ValueError, TypeError) as error:  # pandas: columns of one name, objects of several types
        raise InputError(f"{option}: {name} cannot be converted to Arrow: {str(error).splitlines()[0]}") from error
    return Table(option, (name,), "arrow", _decode(data))


def list_paths(given: Any) -> list[str] | None:
    """Return the paths that are given, one or several; None for anything else."""
    paths: list[Any] = [given] if isinstance(given, str | os.PathLike) else []
    if isinstance(given, list | tuple):
        paths = [*given]
    are = bool(paths) and all(isinstance(path, str | os.PathLike) for path in paths)
    return [os.fspath(path) for path in paths] if are else None


def _decode(data: Any) -> Any:
    """The table with categories as the text that they stand for, where their text is of views, as in Polars."""
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
