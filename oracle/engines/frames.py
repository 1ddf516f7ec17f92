"""Shared code of the adapters of batch engines: rows, a frame, the SQL, and the cases that are not tried.

A class is one aggregate of one engine.  `reproduction` returns the query for a trace as text to paste into that engine.

The oracle skips these cases on every engine, because SQL does not define the answer: in a range, the order of rows with
equal times, for an aggregate that depends on it; the choice of `arg_max` among several rows with the extreme measure,
if the engine does not define it; an integer sum beyond 64 bits, unless the engine's sums are wider; a range that
reaches beyond 64 bits from some row's time.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final, Self

from swagproof.models.windows.kinds import Frame
from swagproof.oracle.domain import Domain, domain
from swagproof.oracle.engines.adapter import Adapter
from swagproof.oracle.kinds.frame import Frames
from swagproof.oracle.kinds.frame_history import FrameHistory
from swagproof.oracle.trace import Step

LARGEST: Final = 2**63 - 1
"""The largest integer of a 64-bit column."""

NUMERIC: Final = {
    **{"Sum": "sum", "FloatSum": "float-sum", "Count": "count"},
    **{"Min": "min", "Max": "max", "FloatMin": "float-min", "FloatMax": "float-max"},
}
"""Aggregates with the same names in every SQL engine: the class names, and the monoid names without `sql-`."""


class Batch(Adapter, Frames[Any]):
    """A batch engine's aggregate: rows, a frame, and the cases to skip."""

    engine: ClassVar[str]
    """The engine that is judged."""
    nan: ClassVar[bool] = True
    """True if NaN is a value, not another name for NULL."""
    wide: ClassVar[bool] = False
    """True if integer sums may need more than 64 bits."""
    peers: ClassVar[bool] = False
    """True if rows with equal times are ordered in a range."""
    beyond: ClassVar[bool] = False
    """True if a range may reach beyond 64 bits from a row's time."""
    oldest: ClassVar[bool] = True
    """True if the oldest of several rows with the extreme measure is the answer."""

    def results(self) -> list[Any]:
        """Return the engine's answer for each row, in the order of time and arrival."""
        return self.answers(self.declared, self.rows)

    @classmethod
    def answers(cls, frame: Frame, rows: Sequence[tuple[int, Any]]) -> list[Any]:
        """Return the engine's answers."""
        raise TypeError(f"{cls.__name__} is not an aggregate of an engine")

    @classmethod
    def write_query(cls, frame: Frame, rows: Sequence[tuple[int, Any]]) -> str:
        """Return the text of the query that gives these answers."""
        raise TypeError(f"{cls.__name__} is not an aggregate of an engine")

    @classmethod
    def reproduction(cls, steps: Sequence[Step]) -> str:
        """Return text to paste into the engine to see its answers for a trace."""
        history = FrameHistory.of(steps)
        return cls.write_query(history.declared, history.arrived)

    @classmethod
    def offers(cls, steps: Sequence[Step]) -> bool:
        """Return whether the engine defines the answers to this trace; otherwise the trace is skipped."""
        history = FrameHistory.of(steps)
        return cls._whole(history) and cls._defined(history) and cls.takes(history.declared, history.arrived)

    @classmethod
    def takes(cls, _frame: Frame, _rows: Sequence[tuple[int, Any]]) -> bool:
        """Return whether the engine supports frames like this; adapters override it."""
        return True

    @classmethod
    def domain(cls) -> Domain:
        """Return the domain to judge it over."""
        return domain(cls.monoids[0])

    @classmethod
    def columns(cls) -> dict[str, type]:
        """Return the columns of values, with their types."""
        if cls.monoids[0].startswith("sql-arg"):
            return {"m": int, "a": str}
        return {"v": type(cls.domain().elements.letters[0])}

    @classmethod
    def cells(cls, element: Any) -> tuple[Any, ...]:
        """Return an element as the values of its columns."""
        width = len(cls.columns())
        return (None,) * width if element is None else element if width > 1 else (element,)

    @classmethod
    def _whole(cls, history: FrameHistory) -> bool:
        """Return whether times and offsets are 64-bit integers, and elements have the column's type."""
        if not set(map(_type, history.elements)) <= {_type(cls.domain().elements.letters[0])}:
            return False
        numbers = [history.declared.start, history.declared.end, *(time for time, _ in history.arrived)]
        return all(type(x) is int and -LARGEST - 1 <= x <= LARGEST for x in numbers if x is not None)

    @classmethod
    def _defined(cls, history: FrameHistory) -> bool:
        """Return whether SQL, or the engine, defines the answers."""
        name, elements, frame = cls.monoids[0], history.elements, history.declared
        if not cls.nan and any(x != x for x in elements):
            return False
        if not cls.beyond and frame.unit == "range" and not _within(frame, [time for time, _ in history.arrived]):
            return False
        arg = name in ("sql-arg-min", "sql-arg-max")
        ordered = name in ("sql-concatenation", "sql-first", "sql-last") or (arg and cls.oldest)
        if ordered and not cls.peers and frame.unit == "range" and _repeats(time for time, _ in history.arrived):
            return False
        if arg and not cls.oldest and _repeats(measure for measure, _ in elements):
            return False
        if name == "sql-sum" and not cls.wide and sum(map(abs, elements)) > LARGEST:
            return all(total is None or -LARGEST - 1 <= total <= LARGEST for total in history.answers(cls.domain()))
        return True


def _type(element: Any) -> Any:
    return tuple(map(type, element)) if type(element) is tuple else type(element)


def _within(frame: Frame, times: Sequence[int]) -> bool:
    """Return whether each row's range ends within 64 bits."""
    ends = [end for end in (frame.start, frame.end) if end is not None]
    return all(-LARGEST - 1 <= time + end <= LARGEST for time in times for end in ends)


def _repeats(values: Iterable[Any]) -> bool:
    some = list(values)
    return len(set(some)) < len(some)


class Sql(Batch):
    """A window function in SQL: the query is text that includes the rows."""

    types: ClassVar[dict[type, str]]
    """The engine's names for the types of 64-bit integers, 64-bit floats, and text."""
    order: ClassVar[str] = "t, i"
    """The order of the rows for frames that count rows."""
    reverses: ClassVar[bool] = True
    """True if a frame with both ends on the same side may end before it starts."""

    @classmethod
    def make_numeric(cls) -> tuple[type[Self], ...]:
        """Return the classes of `NUMERIC`, in that order."""
        return tuple(cls.of(name, f"sql-{word}", f"{word.removeprefix('float-')}(v)") for name, word in NUMERIC.items())

    @classmethod
    def over(cls, frame: Frame) -> str:
        """Return the frame in SQL."""
        order = cls.order if frame.unit == "rows" else "t"
        unit = frame.unit.upper()
        return f"ORDER BY {order} {unit} BETWEEN {_bound(frame.start, -1)} AND {_bound(frame.end, 1)}"

    @classmethod
    def select(cls, frame: Frame) -> str:
        """Return the query, over a table h of rows: i counts arrivals, t is the time."""
        return f"SELECT i, t, {cls.aggregate} OVER ({cls.over(frame)}) AS answer\nFROM h ORDER BY t, i"

    @classmethod
    def table(cls, rows: Sequence[tuple[int, Any]]) -> str:
        """Return the rows as a common table expression called h."""
        types = {"i": int, "t": int, **cls.columns()}
        values = [(at, time, *cls.cells(element)) for at, (time, element) in enumerate(rows)]
        quoted = [_needs_quotes(column) for column in zip(*values, strict=True)]
        lines = [", ".join(map(cls.literal, value, quoted)) for value in values] or [", ".join(["NULL"] * len(types))]
        columns = ", ".join(f"CAST({name} AS {cls.types[of]}) AS {name}" for name, of in types.items())
        where = "" if values else " WHERE i > 0"
        listed = ", ".join(f"({line})" for line in lines)
        return f"h AS (SELECT {columns}\n  FROM (VALUES {listed}) AS x({', '.join(types)}){where})"

    @classmethod
    def write_query(cls, frame: Frame, rows: Sequence[tuple[int, Any]]) -> str:
        return f"WITH {cls.table(rows)}\n{cls.select(frame)};"

    @classmethod
    def literal(cls, value: Any, quoted: bool) -> str:
        """Return a value in SQL; `quoted` if the engine could read it as another type."""
        if value is None:
            return "NULL"
        text = float_text(value).replace("'", "''")
        return f"'{text}'" if quoted else text

    @classmethod
    def takes(cls, frame: Frame, rows: Sequence[tuple[int, Any]]) -> bool:
        one_side = (frame.end or 0) > 0 or (frame.start or 0) < 0
        if frame.backwards and not (cls.reverses and one_side):
            return False
        return super().takes(frame, rows)


def _needs_quotes(column: Iterable[Any]) -> bool:
    """Return whether a column needs quotes: text, floats (a literal may be read as a decimal), and the one integer
    whose literal is out of range."""
    return any(isinstance(x, (str, float)) or x == -LARGEST - 1 for x in column)


def _bound(offset: Any, side: int) -> str:
    if offset is None:
        return f"UNBOUNDED {'PRECEDING' if side < 0 else 'FOLLOWING'}"
    if offset == 0:
        return "CURRENT ROW"
    return f"{abs(offset)} {'PRECEDING' if offset < 0 else 'FOLLOWING'}"


def float_text(value: Any) -> str:
    """Return a float in a form that every engine reads.

    >>> float_text(float("nan")), float_text(-math.inf), float_text(0.1)
    ('NaN', '-Infinity', '0.1')
    """
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    return str(value)
