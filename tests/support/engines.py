"""Computations by engines, in a separate process.

A process that is forked after Polars has started its threads waits for them forever, and the tests judge subjects in
forked processes.  So no test starts these threads in its own process, and the order of the tests does not matter.
"""

import math
import multiprocessing
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


@cache
def _elsewhere() -> ProcessPoolExecutor:
    """Return a pool whose process is not forked; it ends with this process."""
    return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))


def apart(function: Callable[P, R], *arguments: P.args, **options: P.kwargs) -> R:
    """Return the function's result from the engines' process."""
    return _elsewhere().submit(function, *arguments, **options).result()


def paste(module: str, text: str) -> list[Any]:
    """Return the engine's answers to the code printed on its conformance page.

    Raises RuntimeError, which names the engine's exception.
    """
    answers, raised = apart(_paste_here, module, text)
    if raised:
        raise RuntimeError(raised)
    return answers


def _paste_here(module: str, text: str) -> tuple[list[Any], str]:
    """Return the answers, or the type of the exception."""
    try:
        return _run_pasted(module, text), ""
    except BaseException as error:  # a panic is no Exception
        return [], type(error).__name__


def _run_pasted(module: str, text: str) -> list[Any]:
    if module == "sqlite_frames":
        return [row[-1] for row in sqlite3.connect(":memory:").execute(text).fetchall()]
    if module == "duckdb_frames":
        import duckdb

        return [row[-1] for row in duckdb.execute(text).fetchall()]
    if module == "datafusion_frames":
        import datafusion

        return [
            answer
            for batch in datafusion.SessionContext().sql(text).collect()
            for answer in batch.column(2).to_pylist()
        ]
    *lines, last = text.splitlines()
    names: dict[str, Any] = {}
    exec("\n".join(lines), names)
    answers: list[Any] = eval(last, names)
    missing = module == "pandas_frames"
    return [None if missing and isinstance(x, float) and math.isnan(x) else x for x in answers]


def group_in_polars(events: Sequence[dict[str, Any]], every: str, zone: str, options: dict[str, Any]) -> list[Any]:
    """Return the sums of group_by_dynamic over times in microseconds, with their bounds."""
    import polars as pl

    local = _frame(events).with_columns(pl.col("ts").dt.convert_time_zone(zone))
    dynamic = local.group_by_dynamic("ts", every=every, group_by="key", include_boundaries=True, **options)
    found = dynamic.agg(pl.col("value").sum().alias("result")).with_columns(
        window_start=pl.col("_lower_boundary").dt.epoch("us"), window_end=pl.col("_upper_boundary").dt.epoch("us")
    )
    return found.select("key", "window_start", "window_end", "result").to_dicts()


def sum_rows_in_polars(values: Sequence[float], rows: int) -> list[float | None]:
    """Return sums over `rows` rows."""
    import polars as pl

    return pl.Series(values).rolling_sum(rows).to_list()


def _frame(events: Sequence[dict[str, Any]]) -> Any:
    import polars as pl

    return pl.DataFrame(events).with_columns(ts=pl.from_epoch("time", time_unit="us").dt.replace_time_zone("UTC"))
