"""SQLite: aggregates and value functions over ROWS and RANGE frames, with the SQLite that comes with Python.

Documented, and judged: a sum of integers has 64 bits; an intermediate sum beyond that is an error.  For frames that
start after their own row SQLite adds all rows first, so only rows whose sums all fit are tried.  In a frame SQLite
cannot return another column of the row with the extreme value, so `arg_max` is skipped.  SQLite treats NaN as NULL.  If
a frame of rows starts after its own row, the time of a query grows with the offset, not with the rows; offsets from
`FAR` on are skipped.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from typing import Any, ClassVar, Final

from swagproof.models.windows.kinds import Frame
from swagproof.oracle.engines.frames import LARGEST, Sql

FAR: Final = 100_000
"""The least offset of rows that is skipped."""

LONG: Final = 50
"""The number of rows from which a table is written as runs of equal elements, if there are few runs."""

RUNS: Final = 20
"""The most runs of times that rise by 1, and of equal elements."""


def _runs(values: Sequence[Any]) -> list[tuple[int, Any]]:
    """Return the runs of equal values: for each its end, and its value."""
    stops = [at for at in range(1, len(values)) if values[at] != values[at - 1]]
    return [(stop, values[stop - 1]) for stop in (*stops, len(values))]


class Sqlite(Sql):
    """A query on an in-memory database."""

    engine = "SQLite"
    types: ClassVar[dict[type, str]] = {int: "INTEGER", float: "REAL", str: "TEXT"}
    nan = False

    @classmethod
    def answers(cls, frame: Frame, rows: Sequence[tuple[int, Any]]) -> list[Any]:
        values = [value for at, (time, element) in enumerate(rows) for value in (at, time, *cls.cells(element))]
        places = f"WITH {cls._values('(?, ?, ?)' for _ in rows)}\n{cls.select(frame)}"
        with closing(sqlite3.connect(":memory:")) as database:  # parameters, because a literal may be read an ulp off
            return [row[-1] for row in database.execute(places, values)]

    @classmethod
    def takes(cls, frame: Frame, rows: Sequence[tuple[int, Any]]) -> bool:
        far = any(abs(end) >= FAR for end in (frame.start, frame.end) if end is not None)
        fit = (frame.start or 0) <= 0 or cls._fit(rows)
        return not (frame.unit == "rows" and far) and fit and super().takes(frame, rows)

    @classmethod
    def _fit(cls, rows: Sequence[tuple[int, Any]]) -> bool:
        """Return whether any sum of the added integers has 64 bits, in any order."""
        added = [element or 0 for _, element in rows] if cls.monoids[0] == "sql-sum" else []
        return sum(x for x in added if x > 0) <= LARGEST and sum(x for x in added if x < 0) >= -LARGEST - 1

    @classmethod
    def table(cls, rows: Sequence[tuple[int, Any]]) -> str:
        lines = [(at, time, *cls.cells(element)) for at, (time, element) in enumerate(rows)]
        return cls._values(f"({', '.join(cls.literal(x, isinstance(x, str)) for x in line)})" for line in lines)

    @classmethod
    def write_query(cls, frame: Frame, rows: Sequence[tuple[int, Any]]) -> str:
        if len(rows) < LONG:
            return super().write_query(frame, rows)
        offsets, elements = _runs([time - at for at, (time, _) in enumerate(rows)]), _runs([v for _, v in rows])
        if len(offsets) + len(elements) > RUNS:
            return super().write_query(frame, rows)
        counted = f"n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {len(rows) - 1})"
        cells = f"i, i + {cls._by_place(offsets)}, {cls._by_place(elements)}"
        return f"WITH RECURSIVE {counted},\n  h(i, t, v) AS (SELECT {cells} FROM n)\n{cls.select(frame)};"

    @classmethod
    def _by_place(cls, runs: Sequence[tuple[int, Any]]) -> str:
        *most, (_, last) = [(stop, cls.literal(value, isinstance(value, str))) for stop, value in runs]
        cases = "".join(f" WHEN i < {stop} THEN {value}" for stop, value in most)
        return f"CASE{cases} ELSE {last} END" if cases else last

    @classmethod
    def _values(cls, lines: Any) -> str:
        listed = ", ".join(lines)
        return f"h(i, t, v) AS ({f'VALUES {listed}' if listed else 'SELECT 0, 0, 0 WHERE 0'})"

    @classmethod
    def literal(cls, value: Any, quoted: bool) -> str:
        infinite = isinstance(value, float) and value - value != 0
        return f"{'-' if value < 0 else ''}9e999" if infinite else super().literal(value, quoted)


Sum, FloatSum, Count, Min, Max, FloatMin, FloatMax = Sqlite.make_numeric()
Concatenation = Sqlite.of("Concatenation", "sql-concatenation", "group_concat(v, '')")
First = Sqlite.of("First", "sql-first", "first_value(v)")
Last = Sqlite.of("Last", "sql-last", "last_value(v)")
