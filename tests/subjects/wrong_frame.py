"""Wrong implementations of `--window frame`: each is a mistake that engines have made, and must be found."""

from typing import Any

from right_frame import Definition


class EndOffByOne(Definition):
    """The end is not part of the frame."""

    def holds(self, rows: list[tuple[Any, int, Any]], at: int, to: int) -> bool:
        far = to - at if self.unit == "rows" else rows[to][0] - rows[at][0]
        return (self.start is None or self.start <= far) and (self.end is None or far < self.end)


class StartOffByOne(Definition):
    """The start is not part of the frame."""

    def holds(self, rows: list[tuple[Any, int, Any]], at: int, to: int) -> bool:
        far = to - at if self.unit == "rows" else rows[to][0] - rows[at][0]
        return (self.start is None or self.start < far) and (self.end is None or far <= self.end)


class PeersLeftOut(Definition):
    """A range up to the row's own time ends with the row."""

    def holds(self, rows: list[tuple[Any, int, Any]], at: int, to: int) -> bool:
        return super().holds(rows, at, to) and not (self.unit == "range" and self.end == 0 and to > at)


class RangeCountsRows(Definition):
    """A range is taken for rows."""

    def frame(self, unit: str, start: Any, end: Any) -> None:
        super().frame("rows", start, end)


class OrderOfArrival(Definition):
    """Rows are never sorted."""

    def insert(self, t: Any, v: Any) -> None:
        super().insert(len(self.rows) if self.unit == "rows" else t, v)


class TiesReversed(Definition):
    """Rows of an equal time stand in the wrong order."""

    def insert(self, t: Any, v: Any) -> None:
        self.rows.append((t, -len(self.rows), v))


class StaleWhenEmpty(Definition):
    """An empty frame answers as the row before."""

    def results(self) -> list[Any]:
        rows = sorted(self.rows, key=lambda row: row[:2])
        answers: list[Any] = []
        for at, answer in enumerate(super().results()):
            empty = not any(self.holds(rows, at, to) for to in range(len(rows)))
            answers.append(answers[-1] if answers and empty else answer)
        return answers


class StaleAfterGap(Definition):
    """The content of the frame before an empty one is still in the one after it."""

    def results(self) -> list[Any]:
        rows = sorted(self.rows, key=lambda row: row[:2])
        answers: list[Any] = []
        kept: list[Any] = []
        last: list[Any] = []
        for at in range(len(rows)):
            values = [row[2] for to, row in enumerate(rows) if self.holds(rows, at, to)]
            if last and not values:
                kept = last
            answers.append(self.answer(kept + values) if values else self.answer([]))
            last = values
        return answers


class ZeroWhenEmpty(Definition):
    """The result for an empty frame is 0."""

    def answer(self, values: list[Any]) -> Any:
        return super().answer(values) if values else 0


class NullCounts(Definition):
    """NULL counts as 0."""

    monoids = ("sql-sum", "sql-max")

    def insert(self, t: Any, v: Any) -> None:
        super().insert(t, 0 if v is None else v)


class NullCounted(Definition):
    """A count counts NULLs."""

    monoids = ("sql-count",)

    def insert(self, t: Any, v: Any) -> None:
        super().insert(t, 0)


class FirstSkipsNulls(Definition):
    """The first value is the first that is not NULL."""

    monoids = ("sql-first",)

    def answer(self, values: list[Any]) -> Any:
        return super().answer([value for value in values if value is not None])


class EmptyTextIsNull(Definition):
    """ "" is taken for NULL."""

    monoids = ("sql-concatenation",)

    def answer(self, values: list[Any]) -> Any:
        return super().answer(values) or None


class OperandsSwapped(Definition):
    """Newer elements come first."""

    def answer(self, values: list[Any]) -> Any:
        return super().answer(values[::-1])


class NanForgotten(Definition):
    """A maximum that compares with NaN by >, which is never true."""

    monoids = ("sql-float-max",)

    def answer(self, values: list[Any]) -> Any:
        best: Any = None
        for value in values:
            if value is not None and (best is None or value > best):
                best = value
        return best


class RunningSum(Definition):
    """A sum that takes off what leaves: a huge value leaves its rounding error behind."""

    monoids = ("sql-float-sum",)

    def results(self) -> list[Any]:
        rows = sorted(self.rows, key=lambda row: row[:2])
        answers: list[Any] = []
        total, inside = 0.0, set[int]()
        for at in range(len(rows)):
            now = {to for to in range(len(rows)) if rows[to][2] is not None and self.holds(rows, at, to)}
            for to in sorted(inside - now):
                total -= rows[to][2]
            for to in sorted(now - inside):
                total += rows[to][2]
            inside = now
            answers.append(total if now else None)
        return answers


class ForgetsFarRows(Definition):
    """Only the newest 60 rows of a frame are looked at."""

    def answer(self, values: list[Any]) -> Any:
        return super().answer(values[-60:])


class OneAnswerMissing(Definition):
    """The last row's frame is never finished."""

    def results(self) -> list[Any]:
        return super().results()[:-1]
