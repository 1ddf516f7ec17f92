"""pandas: `Series.rolling(n)` with sum, max, min and count.

With n elements in the window, a query is `Series(history, dtype="float64").rolling(n).sum().iloc[-1]`.  pandas has no
rolling window of no rows: for an empty window the adapter answers the monoid's identity.

pandas computes in 64-bit floats and treats NaN as missing, so integers beyond 2^53 and NaN are not tried. Needs pandas:
`pip install 'swagproof[engines]'`.
"""

from typing import Any, ClassVar

from swagproof.oracle.engines.adapter import Adapter

try:
    import pandas
except ImportError as error:  # pragma: no cover  # the tests have it
    raise ImportError("it needs pandas: pip install 'swagproof[engines]'") from error


class Rolling(Adapter):
    """A window over the newest `n` of all inserted values."""

    adapter: ClassVar[dict[str, str]] = {"numbers": "doubles"}

    def __init__(self, monoid: Any) -> None:
        self.monoid = monoid
        self.history: list[float] = []
        self.n = 0

    def insert(self, v: float) -> None:
        self.history.append(v)
        self.n += 1

    def evict(self) -> None:
        self.n -= 1

    def query(self) -> Any:
        if self.n == 0:
            return self.monoid.identity
        rolling = pandas.Series(self.history, dtype="float64").rolling(self.n)
        return float(getattr(rolling, self.aggregate)().iloc[-1])


RollingSum = Rolling.of("RollingSum", "float-sum", "sum")
RollingMax = Rolling.of("RollingMax", "max", "max")
RollingMin = Rolling.of("RollingMin", "min", "min")
RollingCount = Rolling.of("RollingCount", "count", "count")
