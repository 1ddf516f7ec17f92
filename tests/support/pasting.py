"""What an engine answers to the text that its page of conformance prints: run in a process of its own."""

import math
import sqlite3
from typing import Any


def pasted_here(module: str, text: str) -> tuple[list[Any], str]:
    """The answers, or the type of what was raised."""
    try:
        return run_pasted(module, text), ""
    except BaseException as error:  # a panic is no Exception
        return [], type(error).__name__


def run_pasted(module: str, text: str) -> list[Any]:
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
