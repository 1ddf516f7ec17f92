"""Histories of frames: the rows of a trace, their answers by definition, and the answers of usual mistakes."""

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from swagproof.models.windows.kinds import Frame
from swagproof.oracle.domain import Domain, Element, alike
from swagproof.oracle.kinds.frame import EachRow, Frames, Rows
from swagproof.oracle.mistakes import Mistake, count, show
from swagproof.oracle.trace import Step


@dataclass(frozen=True)
class FrameHistory:
    """The rows and the frame at the end of a trace."""

    declared: Frame
    arrived: list[tuple[Any, Element]]

    @property
    def nothing(self) -> str:
        """The reason why the right answer is empty, if it is."""
        return "there are no rows"

    @classmethod
    def of(cls, steps: Sequence[Step]) -> "FrameHistory":
        """Return the history after these operations."""
        declared = [Frame(*step.arguments) for step in steps if step.name == "frame"]
        rows = [(step.arguments[0], step.arguments[1]) for step in steps if step.name == "insert"]
        return cls(declared[0] if declared else Frame("rows", None, None), rows)

    @property
    def elements(self) -> list[Element]:
        """Return all inserted elements except NULLs."""
        return [element for _, element in self.arrived if element is not None]

    @property
    def size(self) -> int:
        """Return the number of rows."""
        return len(self.arrived)

    @property
    def lead(self) -> str:
        """Return the beginning of a sentence."""
        return f"over {self.declared}, {self},"

    def __str__(self) -> str:
        """`after inserting 3 rows`."""
        return f"after inserting {count(len(self.arrived), 'row')}"

    @property
    def rows(self) -> list[tuple[Any, Element]]:
        """Return the rows in the order of time and of arrival."""
        return sorted(self.arrived, key=lambda row: row[0])

    def answers(self, domain: Domain, frame: Frame | None = None, rows: Rows | None = None) -> list[Any]:
        """Return the right answers by definition: the product of each row's frame.  Quadratic."""
        ordered = self.rows if rows is None else rows
        times = [time for time, _ in ordered]
        return self._answer_bounds(domain, (frame or self.declared).bounds(times), ordered)

    def mistakes(self, domain: Domain, steps: Sequence[Step]) -> Iterator[Mistake]:
        """Yield the answers of usual mistakes."""
        if len(self.arrived) > _FEW:
            return
        right = self.answers(domain)
        for diagnosis, answers, text in self._mistakes(domain, right):
            at = next(
                (at for at, (one, other) in enumerate(zip(right, answers, strict=True)) if _differ(one, other)), None
            )
            if at is not None:
                row = f"row {at + 1}, at {show(self.rows[at][0])}, is {show(answers[at])} instead of {show(right[at])}"
                yield diagnosis, answers, f"{text}: {row}"

    def explain_row(self, domain: Domain, at: int, got: Any) -> tuple[str, str] | None:
        """Return the diagnosis for a row's answer that lost, kept or repeated elements; None for any other, or if there
        are too many rows."""
        rows = self.rows
        if len(rows) > _FEW:
            return None
        first, stop = list(self.declared.bounds([time for time, _ in rows]))[at]
        row, window = f"row {at + 1}, at {show(rows[at][0])}, is {show(got)}", list(range(first, stop))
        outside = [other for other in range(len(rows)) if not first <= other < stop]
        changed = [
            *(
                ("element kept", sorted([*window, other]), "still contains", other, "outside of its frame")
                for other in sorted(outside, key=lambda other: min(abs(other - first), abs(other - stop)))
            ),
            *(
                ("element lost", [kept for kept in window if kept != other], "lacks", other, "of its frame")
                for other in window
            ),
            *(("element repeated", sorted([*window, other]), "counts", other, "twice") for other in window),
        ]
        for diagnosis, some, does, other, where in changed:
            if _is_answer(domain, [rows[place][1] for place in some], got):
                return diagnosis, f"{row}: it {does} {show(rows[other][1])}, row {other + 1}, {where}"
        for start, end in itertools.combinations(range(len(rows) + 1), 2):
            if _is_answer(domain, [element for _, element in rows[start:end]], got):
                kept = any(place not in window for place in range(start, end))
                those = f"row {start + 1}" if end - start == 1 else f"rows {start + 1} to {end}"
                mine = f"row {first + 1}" if stop - first == 1 else f"rows {first + 1} to {stop}"
                text = f"{row}: it is that of {those}, and its frame {f'holds {mine}' if window else 'is empty'}"
                return "element kept" if kept else "element lost", text
        if window and _is_answer(domain, [], got):
            return "element lost", f"{row}: it is that of no rows, and its frame holds {count(len(window), 'row')}"
        if window and _is_answer(domain, [rows[place][1] for place in reversed(window)], got):
            return "wrong order", f"{row}: it has the rows of its frame in the wrong order"
        return None

    def _mistakes(self, domain: Domain, right: list[Any]) -> Iterator[Mistake]:
        frame, ordered = self.declared, self.rows
        times = [time for time, _ in ordered]
        bounds = list(frame.bounds(times))
        yield "no answer", [one or None for one in right], "an answer that is empty or 0 is NULL"
        infinite = [None if one in (math.inf, -math.inf) else one for one in right]
        yield "no answer", infinite, "an answer that is infinite is NULL"
        skipped = [
            _lower(domain, [element for _, element in ordered[first:stop] if element is not None])
            for first, stop in bounds
        ]
        yield "null skipped", skipped, "NULLs are skipped"
        if frame.unit == "range":
            up_to = [(first, min(stop, at + 1)) for at, (first, stop) in enumerate(bounds)]
            onwards = [(max(first, at), stop) for at, (first, stop) in enumerate(bounds)]
            for end, cut, which in ((frame.end, up_to, "later"), (frame.start, onwards, "earlier")):
                if end == 0:
                    wrong = self._answer_bounds(domain, cut, ordered)
                    yield "peers left out", wrong, f"{which} rows of the same time are left out"
            yield "unit", self.answers(domain, replace(frame, unit="rows")), "the frame counts rows, not times"
        else:
            yield "unit", self.answers(domain, replace(frame, unit="range")), "the frame measures times, not rows"
        for name, offset, less in (("start", frame.start, 1), ("end", frame.end, -1)):
            for by, how in ((less, "late" if name == "start" else "early"), (-less, "early" if less > 0 else "late")):
                if offset is not None:
                    wrong = self.answers(domain, frame.with_end(name, offset + by))
                    yield f"frame {name}", wrong, f"the frame {name}s one too {how}"
            if offset is not None:
                wrong = self.answers(domain, frame.with_end(name, None))
                yield f"frame {name}", wrong, f"the frame has no {name}"
        yield "arrival order", self.answers(domain, rows=self.arrived), "rows are in the order of arrival, not of time"
        reverse = [element for _, element in ordered][::-1]
        swapped = [_lower(domain, reverse[len(ordered) - stop : len(ordered) - first]) for first, stop in bounds]
        yield "operands swapped", swapped, "the operands are swapped"
        latest_first = self.arrived[::-1]
        latest_first.sort(key=lambda row: row[0])
        swapped = self.answers(domain, rows=latest_first)
        yield "ties swapped", swapped, "rows of the same time are in the wrong order"
        stale = list(right)
        for at, (first, stop) in enumerate(bounds):
            if at and first == stop:
                stale[at] = stale[at - 1]
        yield "stale answer", stale, "an empty frame answers as the row before it"
        for nothing in (None, 0, "", domain.operation.identity):
            wrong = [nothing if first == stop else one for one, (first, stop) in zip(right, bounds, strict=True)]
            yield "wrong identity", wrong, f"an empty frame answers {show(nothing)}"
        if any(element is None for _, element in ordered):
            for instead in (0, ""):
                filled = self._filled(domain, instead)
                if filled is not None:
                    yield "null counted", filled, f"NULL counts as {show(instead)}"

    def _answer_bounds(self, domain: Domain, bounds: Iterable[tuple[int, int]], rows: Rows) -> list[Any]:
        return [_lower(domain, [element for _, element in rows[first:stop]]) for first, stop in bounds]

    def _filled(self, domain: Domain, instead: Element) -> list[Any] | None:
        try:
            return self.answers(domain, rows=[(t, instead if e is None else e) for t, e in self.rows])
        except TypeError:  # no such element in this domain
            return None


def _differ(one: Any, other: Any) -> bool:
    return not (one == other or (one != one and other != other))


_FEW: Final = 60
"""The number of rows of the longest trace that is compared with usual mistakes."""


def _is_answer(domain: Domain, elements: Sequence[Any], got: Any) -> bool:
    try:
        return alike(_lower(domain, elements), got)
    except Exception:  # an answer's == may raise anything
        return False


def _lower(domain: Domain, elements: Sequence[Element]) -> Any:
    operation = domain.operation
    aggregate = domain.fresh().identity
    for element in elements:
        aggregate = operation.combine(aggregate, domain.lifted(element))
    return operation.lower(aggregate)


def find_wrong_row(domain: Domain, steps: Sequence[Step], got: Any) -> tuple[str, str] | None:
    """Return the diagnosis of the first wrong row, and a sentence about it; None if no row's answer is wrong."""
    history = FrameHistory.of(steps)
    if not isinstance(got, list) or len(got) != history.size:  # pyright: ignore[reportUnknownArgumentType]  # theirs
        return None
    reference = Frames[Any](domain.rule.mirror)
    reference.frame(history.declared.unit, history.declared.start, history.declared.end)
    for time, element in history.arrived:
        reference.insert(time, domain.rule.mirror.lift(element))
    one = domain.rule.one if isinstance(domain.rule, EachRow) else domain.rule
    answers: list[Any] = got
    for at, (expected, answer) in enumerate(zip(reference.results(), answers, strict=True)):
        if not one.answers(expected, answer):
            right, place = one.answer(expected), f"row {at + 1} of {history.size}, at {show(history.rows[at][0])},"
            text = f"{place} is {show(answer)} instead of {show(right)}"
            if not all(type(x) is float and math.isfinite(x) for x in (right, answer)):
                return history.explain_row(domain, at, answer) or ("wrong answer", text)
            allowed = one.allowed(expected)
            if allowed is None or abs(answer - right) >= 1e-10 * max(map(abs, history.elements), default=0):
                return history.explain_row(domain, at, answer) or ("wrong answer", text)
            return "rounding", f"{text}, where rounding its frame accounts for {allowed:.3g} at most"
    return None
