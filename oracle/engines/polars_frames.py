"""Polars: `DataFrame.rolling(...).agg(...)`, and the `rolling_*` expressions.

`DataFrame.rolling` takes a window from `offset` to `offset + period` around each row's index, which is the row's number
for frames of rows and the time for a range; closed on the left, it holds the frame's integers.  Its rows must be
sorted.  Frames without a bound, and ones that end before they start, are skipped.

`rolling_sum(n)` and the like cover the newest n rows; `rolling_sum_by("t", ...)` measures times.

Documented, and judged: NULLs are skipped; a sum of no values is 0 and a join of none is "", which the queries replace
with NULL, as SQL does; `min` and `max` ignore NaN among numbers; sums of integers have 64 bits and wrap round.  The
choice of `arg_max` among several extreme values is not documented.

Needs Polars: `pip install 'swagproof[engines]'`.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from swagproof.models.windows.kinds import Frame
from swagproof.oracle.engines.frames import LARGEST, Batch

try:
    import polars
except ImportError as error:  # pragma: no cover  # the tests have it
    raise ImportError("it needs Polars: pip install 'swagproof[engines]'") from error

TYPES = {int: "Int64", float: "Float64", str: "String"}


class Polars(Batch):
    """Lines of Python that end with an expression for the answers."""

    oldest = False
    peers = True
    beyond = True

    @classmethod
    def table(cls, rows: Sequence[tuple[int, Any]]) -> list[tuple[Any, ...]]:
        """Return the rows, numbered in the order of time and arrival."""
        return [(at, t, *cls.cells(e)) for at, (t, e) in enumerate(sorted(rows, key=lambda row: row[0]))]

    @classmethod
    def schema(cls) -> dict[str, str]:
        """Return all columns with their Polars types."""
        return {"i": "Int64", "t": "Int64", **{name: TYPES[of] for name, of in cls.columns().items()}}

    @classmethod
    def query(cls, frame: Frame) -> str:
        """Return the expression for the answers, over a data frame df; only integers in it come from a trace."""
        raise TypeError(f"{cls.__name__} is not an aggregate of Polars")

    @classmethod
    def write_query(cls, frame: Frame, rows: Sequence[tuple[int, Any]]) -> str:
        schema = ", ".join(f'"{name}": pl.{of}' for name, of in cls.schema().items())
        listed = ", ".join(f"({', '.join(map(_literal, row))})" for row in cls.table(rows))
        return (
            "import polars as pl\n"
            f"rows = [{listed}]\n"
            f'df = pl.DataFrame(rows, schema={{{schema}}}, orient="row")\n'
            f"{cls.query(frame)}"
        )

    @classmethod
    def answers(cls, frame: Frame, rows: Sequence[tuple[int, Any]]) -> list[Any]:
        schema = {name: getattr(polars, of) for name, of in cls.schema().items()}
        df = polars.DataFrame(cls.table(rows), schema=schema, orient="row")
        answers: list[Any] = eval(cls.query(frame), {"df": df, "pl": polars})  # the query to publish
        return answers


def _literal(value: Any) -> str:
    if isinstance(value, float) and value - value != 0:
        return f'float("{value}")'
    return repr(value)


class Rolling(Polars):
    """`DataFrame.rolling(...).agg(...)`."""

    engine = "Polars, rolling().agg()"

    @classmethod
    def query(cls, frame: Frame) -> str:
        assert frame.start is not None
        assert frame.end is not None
        index = "i" if frame.unit == "rows" else "t"
        period = frame.end - frame.start + 1
        counted = "v" if "v" in cls.columns() else "m"
        value = (
            cls.aggregate
            if cls.monoids[0] in PLAIN
            else f'pl.when(pl.col("{counted}").count() > 0).then({cls.aggregate})'
        )
        return (
            f'df.rolling("{index}", period="{period}i", offset="{frame.start}i", closed="left")'
            f'.agg({value}.alias("answer"))["answer"].to_list()'
        )

    @classmethod
    def takes(cls, frame: Frame, rows: Sequence[tuple[int, Any]]) -> bool:
        if frame.start is None or frame.end is None or frame.backwards:
            return False
        return frame.end - frame.start < LARGEST and super().takes(frame, rows)


PLAIN = ("sql-count", "sql-first", "sql-last")
"""The aggregates that answer as SQL does if a frame has no value."""


Sum = Rolling.of("Sum", "sql-sum", 'pl.col("v").sum()')
FloatSum = Rolling.of("FloatSum", "sql-float-sum", 'pl.col("v").sum()')
Count = Rolling.of("Count", "sql-count", 'pl.col("v").count()')
Min = Rolling.of("Min", "sql-min", 'pl.col("v").min()')
Max = Rolling.of("Max", "sql-max", 'pl.col("v").max()')
FloatMin = Rolling.of("FloatMin", "sql-float-min", 'pl.col("v").min()')
FloatMax = Rolling.of("FloatMax", "nan-least-max", 'pl.col("v").max()')
Concatenation = Rolling.of("Concatenation", "sql-concatenation", 'pl.col("v").str.join("")')
First = Rolling.of("First", "sql-first", 'pl.col("v").first()')
Last = Rolling.of("Last", "sql-last", 'pl.col("v").last()')
ArgMin = Rolling.of("ArgMin", "sql-arg-min", 'pl.col("a").get(pl.col("m").arg_min())')
ArgMax = Rolling.of("ArgMax", "sql-arg-max", 'pl.col("a").get(pl.col("m").arg_max())')


class Expression(Polars):
    """`rolling_sum(n)` over the newest rows, `rolling_sum_by(...)` over a range up to the row's time."""

    engine = "Polars, rolling_*"
    name: ClassVar[str]

    @classmethod
    def query(cls, frame: Frame) -> str:
        assert frame.start is not None
        if frame.unit == "rows":
            call = f"rolling_{cls.name}({1 - frame.start}, min_samples=1)"
        else:
            call = f'rolling_{cls.name}_by("t", "{-frame.start}i", min_samples=1, closed="both")'
        return f'df.select(pl.col("v").{call}).to_series().to_list()'

    @classmethod
    def takes(cls, frame: Frame, rows: Sequence[tuple[int, Any]]) -> bool:
        up_to_here = frame.start is not None and frame.end == 0 and frame.start <= 0
        return up_to_here and (frame.unit == "rows" or frame.start != 0) and super().takes(frame, rows)


RollingSum = Expression.of("RollingSum", "sql-sum", "rolling_sum", name="sum")
RollingFloatSum = Expression.of("RollingFloatSum", "sql-float-sum", "rolling_sum", name="sum")
RollingMin = Expression.of("RollingMin", "sql-min", "rolling_min", name="min")
RollingMax = Expression.of("RollingMax", "sql-max", "rolling_max", name="max")
RollingFloatMin = Expression.of("RollingFloatMin", "sql-float-min", "rolling_min", name="min", nan=False)
RollingFloatMax = Expression.of("RollingFloatMax", "nan-least-max", "rolling_max", name="max", nan=False)
