"""DataFusion: aggregates and value functions over ROWS and RANGE frames.

Documented, and judged: a frame that ends before it starts is refused; an aggregate whose values cannot be taken out
again (`string_agg`) is refused where the frame's start moves.  Sums of integers are of 64 bits.

Needs DataFusion: `pip install 'swagproof[engines]'`.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from swagproof.models.windows.kinds import Frame
from swagproof.oracle.engines.frames import Sql

try:
    import datafusion
except ImportError as error:  # pragma: no cover  # the tests have it
    raise ImportError("it needs DataFusion: pip install 'swagproof[engines]'") from error


class DataFusion(Sql):
    """A query in a context of its own."""

    engine = "DataFusion"
    types: ClassVar[dict[type, str]] = {int: "BIGINT", float: "DOUBLE", str: "VARCHAR"}
    reverses = False

    @classmethod
    def answers(cls, frame: Frame, rows: Sequence[tuple[int, Any]]) -> list[Any]:
        batches = datafusion.SessionContext().sql(cls.write_query(frame, rows)).collect()
        return [answer for batch in batches for answer in batch.column("answer").to_pylist()]


class Sum(DataFusion):
    """`sum` of BIGINT."""

    aggregate, monoids = "sum(v)", ("sql-sum",)


class FloatSum(DataFusion):
    """`sum` of DOUBLE."""

    aggregate, monoids = "sum(v)", ("sql-float-sum",)


class Count(DataFusion):
    """`count(v)`."""

    aggregate, monoids = "count(v)", ("sql-count",)


class Min(DataFusion):
    """`min` of BIGINT."""

    aggregate, monoids = "min(v)", ("sql-min",)


class Max(DataFusion):
    """`max` of BIGINT."""

    aggregate, monoids = "max(v)", ("sql-max",)


class FloatMin(DataFusion):
    """`min` of DOUBLE."""

    aggregate, monoids = "min(v)", ("sql-float-min",)


class FloatMax(DataFusion):
    """`max` of DOUBLE."""

    aggregate, monoids = "max(v)", ("sql-float-max",)


class Concatenation(DataFusion):
    """`string_agg` with an empty separator."""

    aggregate, monoids = "string_agg(v, '')", ("sql-concatenation",)

    @classmethod
    def takes(cls, frame: Frame, rows: Sequence[tuple[int, Any]]) -> bool:
        return frame.start is None and super().takes(frame, rows)


class First(DataFusion):
    """`first_value`."""

    aggregate, monoids = "first_value(v)", ("sql-first",)


class Last(DataFusion):
    """`last_value`."""

    aggregate, monoids = "last_value(v)", ("sql-last",)
