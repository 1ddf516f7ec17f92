"""pandas: `Series.rolling`.

Frames of rows up to the row itself (`rolling(n)`), up to the one before (`closed="left"`), and from the row on
(`FixedForwardWindowIndexer`); ranges of times up to the row's own (`closed="both"`) and up to before it
(`closed="left"`).  The window of a row ends with it, so a range leaves out later rows with the same time: traces with
equal times are skipped.

Documented, and judged: pandas computes in 64-bit floats and treats NaN as missing, so integers beyond 2^53 and NaN are
not tried; `min_periods=1` answers NaN, which stands for NULL, if a window has no value.

Needs pandas: `pip install 'swagproof[engines]'`.
"""

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from swagproof.models.windows.kinds import Frame
from swagproof.oracle.engines.frames import Batch

try:
    import pandas
except ImportError as error:  # pragma: no cover  # the tests have it
    raise ImportError("it needs pandas: pip install 'swagproof[engines]'") from error


class Rolling(Batch):
    """Lines of Python that end with an expression for the answers."""

    engine = "pandas, rolling"
    nan = False
    least: ClassVar[int] = 1
    """The number of values below which a window has no answer."""

    @classmethod
    def query(cls, frame: Frame) -> str:
        """Return the expression for the answers, over a series s; only integers in it come from a trace."""
        return f"s.rolling({cls._window(frame)}, min_periods={cls.least}).{cls.aggregate}.tolist()"

    @classmethod
    def write_query(cls, frame: Frame, rows: Sequence[tuple[int, Any]]) -> str:
        ordered = sorted(rows, key=lambda row: row[0])
        values = ", ".join("None" if v is None else f'float("{v}")' if v - v != 0 else repr(v) for _, v in ordered)
        index = f", index=pd.to_datetime({[time for time, _ in ordered]})" if frame.unit == "range" else ""
        return f'import pandas as pd\ns = pd.Series([{values}], dtype="float64"{index})\n{cls.query(frame)}'

    @classmethod
    def _window(cls, frame: Frame) -> str:
        assert frame.start is not None
        assert frame.end is not None
        if frame.unit == "range":
            return f'"{-frame.start}ns", closed="{"both" if frame.end == 0 else "left"}"'
        if frame.end > 0:
            return f"pd.api.indexers.FixedForwardWindowIndexer(window_size={frame.end + 1})"
        return f"{1 - frame.start}" if frame.end == 0 else f'{-frame.start}, closed="left"'

    @classmethod
    def answers(cls, frame: Frame, rows: Sequence[tuple[int, Any]]) -> list[Any]:
        ordered = sorted(rows, key=lambda row: row[0])
        index = pandas.to_datetime([time for time, _ in ordered]) if frame.unit == "range" else None
        series = pandas.Series([value for _, value in ordered], dtype="float64", index=index)
        answers: list[float] = eval(cls.query(frame), {"s": series, "pd": pandas})  # the query to publish
        return [None if math.isnan(answer) else answer for answer in answers]

    @classmethod
    def takes(cls, frame: Frame, rows: Sequence[tuple[int, Any]]) -> bool:
        start, end, values = frame.start, frame.end, [v for _, v in rows if v is not None]
        if start is None or end is None or start > end or max(abs(start), abs(end)) > 2**31:
            return False
        if math.inf in values and -math.inf in values:  # their sum would be NaN, which is NULL
            return False
        if any(type(v) is int and abs(v) > 2**53 for v in values):
            return False
        if frame.unit == "rows":
            return end == 0 or (start == 0 < end) or (end == -1 and start < 0)
        times = [time for time, _ in rows]
        return start < 0 and end in (0, -1) and len(set(times)) == len(times) and all(abs(t) < 2**62 for t in times)


FloatSum = Rolling.of("FloatSum", "sql-float-sum", "sum()")
FloatMin = Rolling.of("FloatMin", "sql-float-min", "min()")
FloatMax = Rolling.of("FloatMax", "sql-float-max", "max()")
Count = Rolling.of("Count", "sql-count", "count()", least=0)
