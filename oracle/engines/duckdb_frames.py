"""DuckDB: aggregates and value functions over ROWS and RANGE frames.

Documented, and judged: NaN is greater than any number and equal to itself; a sum of integers is a HUGEINT; `first` and
`last` respect NULLs; an aggregate with an ORDER BY of its own takes rows in that order, also within a range, so that
rows of an equal time have one.  Offsets are whole numbers of 64 bits.

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
    """A query over one in-memory connection."""

    engine = "DuckDB"
    types: ClassVar[dict[type, str]] = {int: "BIGINT", float: "DOUBLE", str: "VARCHAR"}
    wide = True
    peers = True

    @classmethod
    def answers(cls, frame: Frame, rows: Sequence[tuple[int, Any]]) -> list[Any]:
        return [row[-1] for row in _connection().execute(cls.write_query(frame, rows)).fetchall()]


class Sum(DuckDb):
    """`sum` of BIGINT."""

    aggregate, monoids = "sum(v)", ("sql-sum",)


class FloatSum(DuckDb):
    """`sum` of DOUBLE."""

    aggregate, monoids = "sum(v)", ("sql-float-sum",)


class Count(DuckDb):
    """`count(v)`."""

    aggregate, monoids = "count(v)", ("sql-count",)


class Min(DuckDb):
    """`min` of BIGINT."""

    aggregate, monoids = "min(v)", ("sql-min",)


class Max(DuckDb):
    """`max` of BIGINT."""

    aggregate, monoids = "max(v)", ("sql-max",)


class FloatMin(DuckDb):
    """`min` of DOUBLE."""

    aggregate, monoids = "min(v)", ("sql-float-min",)


class FloatMax(DuckDb):
    """`max` of DOUBLE."""

    aggregate, monoids = "max(v)", ("sql-float-max",)


class Concatenation(DuckDb):
    """`string_agg`, in the order of time and arrival."""

    aggregate, monoids = "string_agg(v, '' ORDER BY t, i)", ("sql-concatenation",)


class First(DuckDb):
    """`first_value`."""

    aggregate, monoids = "first_value(v ORDER BY t, i)", ("sql-first",)


class Last(DuckDb):
    """`last_value`."""

    aggregate, monoids = "last_value(v ORDER BY t, i)", ("sql-last",)


class ArgMin(DuckDb):
    """`arg_min`, the first of equals in the order of time and arrival."""

    aggregate, monoids = "arg_min(a, m ORDER BY t, i)", ("sql-arg-min",)


class ArgMax(DuckDb):
    """`arg_max`, likewise."""

    aggregate, monoids = "arg_max(a, m ORDER BY t, i)", ("sql-arg-max",)
