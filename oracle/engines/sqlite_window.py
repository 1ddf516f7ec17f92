"""SQLite: aggregate functions over a ROWS frame, with the SQLite that comes with Python.

With n elements in the window, a query is

    SELECT aggregate(v) OVER (ORDER BY i ROWS BETWEEN n-1 PRECEDING AND CURRENT ROW) FROM history

and the answer is that of the last row.  An empty window is an empty frame, ROWS BETWEEN 1 FOLLOWING AND 1 FOLLOWING in
the last row, and its NULL (0 for count) stands for the identity.  NULL for any other window is a wrong answer.

The column has no declared type, so integers stay 64-bit integers; SQLite treats NaN as NULL.  A query also computes the
sums of earlier frames, which may never have been windows, so `sum` is judged over 32-bit numbers.
"""

import sqlite3
from typing import Any

from swagproof.oracle.engines.adapter import Adapter


class Window(Adapter):
    """A window over the newest `n` of all inserted values."""

    def __init__(self, monoid: Any) -> None:
        self.monoid = monoid
        self.n = 0
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        self.connection.execute("CREATE TABLE history (i INTEGER PRIMARY KEY, v)")

    def insert(self, v: Any) -> None:
        self.connection.execute("INSERT INTO history (v) VALUES (?)", (v,))
        self.n += 1

    def evict(self) -> None:
        self.n -= 1

    def query(self) -> Any:
        frame = f"{self.n - 1} PRECEDING AND CURRENT ROW" if self.n else "1 FOLLOWING AND 1 FOLLOWING"
        rows = self.connection.execute(
            f"SELECT i, {self.aggregate} OVER (ORDER BY i ROWS BETWEEN {frame}) FROM history ORDER BY i DESC LIMIT 1"
        ).fetchall()
        answer = rows[0][1] if rows else None
        return self.monoid.identity if answer is None and self.n == 0 else answer


WindowSum = Window.of("WindowSum", "sum", "sum(v)", adapter={"numbers": "int32"})
WindowWideSum = Window.of("WindowWideSum", "wide-sum", "sum(v)")
WindowFloatSum = Window.of("WindowFloatSum", "float-sum", "sum(v)")
WindowMax = Window.of("WindowMax", "max", "max(v)")
WindowMin = Window.of("WindowMin", "min", "min(v)")
WindowCount = Window.of("WindowCount", "count", "count(v)")
WindowConcatenation = Window.of("WindowConcatenation", "concatenation", "group_concat(v, '')")
