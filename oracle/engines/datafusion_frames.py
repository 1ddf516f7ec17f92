"""DataFusion: aggregates and value functions over ROWS and RANGE frames.

Documented, and judged: a frame that ends before it starts is refused; an aggregate that cannot remove values
(`string_agg`) is refused if the frame's start moves.  Sums of integers have 64 bits.

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
    """A query in its own context."""

    engine = "DataFusion"
    types: ClassVar[dict[type, str]] = {int: "BIGINT", float: "DOUBLE", str: "VARCHAR"}
    reverses = False

    @classmethod
    def answers(cls, frame: Frame, rows: Sequence[tuple[int, Any]]) -> list[Any]:
        batches = datafusion.SessionContext().sql(cls.write_query(frame, rows)).collect()
        return [answer for batch in batches for answer in batch.column("answer").to_pylist()]


Sum, FloatSum, Count, Min, Max, FloatMin, FloatMax = DataFusion.make_numeric()


class Concatenation(DataFusion):
    """`string_agg` with an empty separator."""

    aggregate, monoids = "string_agg(v, '')", ("sql-concatenation",)

    @classmethod
    def takes(cls, frame: Frame, rows: Sequence[tuple[int, Any]]) -> bool:
        return frame.start is None and super().takes(frame, rows)


First = DataFusion.of("First", "sql-first", "first_value(v)")
Last = DataFusion.of("Last", "sql-last", "last_value(v)")
