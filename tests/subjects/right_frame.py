"""Right implementations of `--window frame`: they must never be accused."""

from typing import Any


class Definition:
    """A search of every row for each row's frame, and the product of the frame."""

    def __init__(self, monoid: Any) -> None:
        self.monoid = monoid
        self.rows: list[tuple[Any, int, Any]] = []
        self.unit, self.start, self.end = "rows", None, None

    def frame(self, unit: str, start: Any, end: Any) -> None:
        self.unit, self.start, self.end = unit, start, end

    def insert(self, t: Any, v: Any) -> None:
        self.rows.append((t, len(self.rows), v))

    def results(self) -> list[Any]:
        rows = sorted(self.rows, key=lambda row: row[:2])
        return [
            self.answer([row[2] for to, row in enumerate(rows) if self.holds(rows, at, to)]) for at in range(len(rows))
        ]

    def holds(self, rows: list[tuple[Any, int, Any]], at: int, to: int) -> bool:
        """Return whether one row's frame holds another row."""
        far = to - at if self.unit == "rows" else rows[to][0] - rows[at][0]
        return (self.start is None or self.start <= far) and (self.end is None or far <= self.end)

    def answer(self, values: list[Any]) -> Any:
        """Return the answer over these values."""
        aggregate = self.monoid.identity
        for value in values:
            aggregate = self.monoid.combine(aggregate, self.monoid.lift(value))
        return self.monoid.lower(aggregate)
