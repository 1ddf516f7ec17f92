"""Wrong implementations of `--window frame`, each with a mistake that engines have made."""

from typing import Any

from patches import patch
from right_frame import Definition

patch(globals(), Definition, r"""
EndOffByOne: It excludes the end of the frame.
    holds: far <= self.end -> far < self.end
StartOffByOne: It excludes the start of the frame.
    holds: self.start <= far -> self.start < far
PeersLeftOut: A range up to the row's own time excludes later rows of that time.
    holds: return -> return not (self.unit == "range" and self.end == 0 and to > at) and
RangeCountsRows: It treats a range as a number of rows.
    frame: = unit, -> = "rows",
OrderOfArrival: It does not sort the rows.
    insert: (t, len -> (len(self.rows) if self.unit == "rows" else t, len
TiesReversed: It reverses the rows of equal time.
    insert: len(self.rows), v -> -len(self.rows), v
ZeroWhenEmpty: The result for an empty frame is 0.
    answer: return -> return 0 if not values else
NullCounts over sql-sum, sql-max: It treats NULL as 0.
    insert: len(self.rows), v -> len(self.rows), 0 if v is None else v
NullCounted over sql-count: Its count includes NULLs.
    insert: len(self.rows), v -> len(self.rows), 0
FirstSkipsNulls over sql-first: The first value is the first that is not NULL.
    answer: in values -> in (value for value in values if value is not None)
EmptyTextIsNull over sql-concatenation: It treats "" as NULL.
    answer: .lower(aggregate) -> .lower(aggregate) or None
OperandsSwapped: It combines newer elements first.
    answer: in values -> in values[::-1]
ForgetsFarRows: It uses only the newest 60 rows of a frame.
    answer: in values -> in values[-60:]
OneAnswerMissing: It has no answer for the last row.
    results: for at in range(len(rows)) -> for at in range(len(rows) - 1)
""")  # fmt: skip


class StaleWhenEmpty(Definition):
    """It answers an empty frame like the row before."""

    def results(self) -> list[Any]:
        rows = sorted(self.rows, key=lambda row: row[:2])
        answers: list[Any] = []
        for at, answer in enumerate(super().results()):
            empty = not any(self.holds(rows, at, to) for to in range(len(rows)))
            answers.append(answers[-1] if answers and empty else answer)
        return answers


class StaleAfterGap(Definition):
    """After an empty frame, the frame still contains the rows of the frame before."""

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


class NanForgotten(Definition):
    """Its maximum compares with NaN by >, which is never true."""

    monoids = ("sql-float-max",)

    def answer(self, values: list[Any]) -> Any:
        best: Any = None
        for value in values:
            if value is not None and (best is None or value > best):
                best = value
        return best


class RunningSum(Definition):
    """It subtracts values that leave from a running sum: a huge value leaves its rounding error."""

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
