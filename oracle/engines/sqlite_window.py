"""SQLite: aggregate functions over a ROWS frame, with the SQLite that comes with Python.

With n elements in the window, a query is

    SELECT aggregate(v) OVER (ORDER BY i ROWS BETWEEN n-1 PRECEDING AND CURRENT ROW) FROM history

and its answer that of the last row.  An empty window is an empty frame, ROWS BETWEEN 1 FOLLOWING AND 1 FOLLOWING in
the last row, and the NULL that SQL answers there (0 for count) stands for the identity.  NULL for a window that is not
empty stands for nothing: it is a wrong answer.

The column has no declared type, so integers stay integers of 64 bits, and SQLite takes NaN for NULL.
"""

import sqlite3
from typing import Any, ClassVar


class Window:
    """A window over the newest `n` of all values ever inserted."""

    aggregate: ClassVar[str]

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


class WindowSum(Window):
    """`sum(v)` over integers."""

    aggregate = "sum(v)"
    monoids = ("sum", "wide-sum")


class WindowFloatSum(Window):
    """`sum(v)` over floats, judged as a floating sum."""

    aggregate = "sum(v)"
    monoids = ("float-sum",)


class WindowMax(Window):
    """`max(v)`."""

    aggregate = "max(v)"
    monoids = ("max",)


class WindowMin(Window):
    """`min(v)`."""

    aggregate = "min(v)"
    monoids = ("min",)


class WindowCount(Window):
    """`count(v)`."""

    aggregate = "count(v)"
    monoids = ("count",)


class WindowConcatenation(Window):
    """`group_concat(v, '')`: strings in the order of the window, the free monoid."""

    aggregate = "group_concat(v, '')"
    monoids = ("concatenation",)
