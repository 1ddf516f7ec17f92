"""DuckDB: aggregates and value functions over ROWS and RANGE frames.

Documented, and judged: NaN is greater than any number and equal to itself; a sum of integers is a HUGEINT; `first` and
`last` respect NULLs; an aggregate with its own ORDER BY takes rows in that order, also within a range, so rows with
equal times are ordered.  Offsets are 64-bit integers.

Needs DuckDB: `pip install 'swagproof[engines]'`.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar

from swagproof.models.windows.kinds import Frame
from swagproof.oracle.engines.frames import Sql

try:
    import duckdb
except ImportError as error:  # pragma: no cover  # the tests have it
    raise ImportError("it needs DuckDB: pip install 'swagproof[engines]'") from error


@cache
def _connection() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(":memory:", config={"threads": 1})


class DuckDb(Sql):
    """A query on one in-memory connection."""

    engine = "DuckDB"
    types: ClassVar[dict[type, str]] = {int: "BIGINT", float: "DOUBLE", str: "VARCHAR"}
    wide = True
    peers = True

    @classmethod
    def answers(cls, frame: Frame, rows: Sequence[tuple[int, Any]]) -> list[Any]:
        return [row[-1] for row in _connection().execute(cls.write_query(frame, rows)).fetchall()]


Sum, FloatSum, Count, Min, Max, FloatMin, FloatMax = DuckDb.make_numeric()
Concatenation = DuckDb.of("Concatenation", "sql-concatenation", "string_agg(v, '' ORDER BY t, i)")
First = DuckDb.of("First", "sql-first", "first_value(v ORDER BY t, i)")
Last = DuckDb.of("Last", "sql-last", "last_value(v ORDER BY t, i)")
ArgMin = DuckDb.of("ArgMin", "sql-arg-min", "arg_min(a, m ORDER BY t, i)")
ArgMax = DuckDb.of("ArgMax", "sql-arg-max", "arg_max(a, m ORDER BY t, i)")
