"""The operator as a stateful processor of Spark: its state, its timers and its rows."""

import json
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, Final

from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import (
    ExpiredTimerInfo,
    StatefulProcessor,
    StatefulProcessorHandle,
    TimerValues,
)

from swagproof.oracle.trace import decode, encode, encode_answer
from swagproof.pipeline.audit.rules import Kind
from swagproof.pipeline.batches import names_of
from swagproof.pipeline.stream.job import Task
from swagproof.pipeline.stream.live_audit import Audit, Claim, Finding
from swagproof.pipeline.stream.operator import Arrived, Operator, Shown, Sized, unlimited_digits
from swagproof.pipeline.stream.shapes import Stretch
from swagproof.pipeline.stream.source import to_clock, watermark_of

OUTPUT: Final = (
    "key string, kind string, window_start bigint, window_end bigint, at bigint, version int, events bigint, "
    "result string, number double, claimed string, detail string"
)
"""The columns that a job writes: `result` is exact, JSON as in traces; `number` the same as a float, for reading."""

STATE: Final = "state string, due bigint"

_COLUMNS: Final = names_of(OUTPUT)

_Out: Final = Row(*_COLUMNS)


class Windows(StatefulProcessor):
    """The windows of each key; with claims, an audit of them."""

    def __init__(self, task: Task) -> None:
        self.task = task

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Spark's call before all others, in a worker."""
        self.handle = handle
        self.state: Any = handle.getValueState("windows", STATE)
        self.query, self.aggregation = self.task.query, self.task.aggregation

    def operator(self) -> Operator:
        """A new operator of a key."""
        return Operator(self.query)

    def handleInputRows(self, key: Any, rows: Any, timerValues: TimerValues) -> Iterator[Row]:
        """Spark's call for a key with rows in this micro-batch."""
        events: list[Arrived] = []
        claims: list[Claim] = []
        for row in rows:
            if row.bad:
                for text in row.bad:
                    yield _make_row(key[0], "bad", detail=text)
            if row.time:
                for arrived in self.read_events(row):
                    if isinstance(arrived, str):
                        yield _make_row(key[0], "bad", detail=arrived)
                    else:
                        events.append(arrived)
            if row.begin:
                claims += map(Claim, row.begin, row.end, row.version, row.got, row.number)
        if events or claims:
            yield from self.step(key[0], events, claims, timerValues)

    def handleExpiredTimer(
        self, key: Any, timerValues: TimerValues, expiredTimerInfo: ExpiredTimerInfo
    ) -> Iterator[Row]:
        """Spark's call when the watermark reaches what is due for a key."""
        yield from self.step(key[0], [], [], timerValues)

    def read_events(self, row: Row) -> Iterator["Arrived | str"]:
        """The events of a packed row; for one that cannot be taken, why."""
        kinds = self.task.kinds
        if not kinds:
            yield from (Arrived(time, arrival, None) for time, arrival in zip(row.time, row.arrival, strict=True))
            return
        columns = [row[f"v{i}"] for i in range(len(kinds))]
        if "decimal" in kinds or "json" in kinds:
            for time, arrival, *values in zip(row.time, row.arrival, *columns, strict=True):
                try:
                    taken = tuple(_convert(value, kind) for value, kind in zip(values, kinds, strict=True))
                except (ValueError, InvalidOperation, RecursionError) as error:
                    yield json.dumps({"why": str(error) or "no decimal", "time": time, "value": values})
                    continue
                yield Arrived(time, arrival, taken if len(kinds) > 1 else next(iter(taken)))
        elif len(kinds) == 1:
            yield from map(Arrived, row.time, row.arrival, columns[0])
        else:
            yield from map(Arrived, row.time, row.arrival, zip(*columns, strict=True))

    def step(self, key: str | None, events: list[Arrived], claims: list[Claim], timers: TimerValues) -> Iterator[Row]:
        """One step of a key: its state read, its operator run, its state and timer written."""
        task = self.task
        watermark = watermark_of(timers.getCurrentWatermarkInMs(), task.unit, task.delay)
        operator = self.operator()
        audit = Audit(self.query, self.aggregation, task.claims, task.patience, operator) if task.claims else None
        running = audit or operator
        text, timer = self.state.get() or (None, None)
        if text is not None:
            running.restore(text)
        if audit is not None:
            shown, verdicts = audit.step(events, claims, watermark)
            yield from (self.row_of_verdict(key, verdict) for verdict in verdicts)
        else:
            shown = operator.step(events, watermark)
        yield from (self.row_of(key, each) for each in shown)
        due = running.next_due()
        wanted = None if due is None else to_clock(due, task.unit, task.delay)
        if wanted != timer:
            if timer is not None and timer > timers.getCurrentWatermarkInMs():
                self.handle.deleteTimer(timer)
            if wanted is not None:
                self.handle.registerTimer(wanted)
        if running.is_forgettable():
            self.state.clear()
        else:
            self.state.update((running.to_json(), wanted))

    def row_of(self, key: str | None, shown: Shown) -> Row:
        """What the operator shows, as a row."""
        if shown.window is not None and shown.sized is not None:
            return _make_row(key, shown.kind, shown.window, shown.version, **self.answer(shown.sized))
        event = shown.event or Arrived(0, 0, None)
        detail = {"time": event.time, "arrival": event.arrival, "value": encode_answer(event.element)}
        if shown.why is not None:
            detail = {"why": shown.why, **detail}
        return _make_row(key, shown.kind, detail=json.dumps(detail))

    def row_of_verdict(self, key: str | None, verdict: Finding) -> Row:
        """A verdict, as a row."""
        window = Stretch(verdict.begin, verdict.end, None, (), ())
        last = verdict.claims[-1] if verdict.claims else None
        claimed = None if last is None else last.got if last.number is None else json.dumps(encode(last.number))
        detail = None
        if len(verdict.claims) > 1:
            detail = json.dumps({"claims": [[claim.version, claim.got, claim.number] for claim in verdict.claims]})
        version = None if last is None else last.version
        if verdict.sized is None:
            return _make_row(key, verdict.kind, window, version, claimed=claimed, detail=detail)
        return _make_row(
            key, verdict.kind, window, version, claimed=claimed, detail=detail, **self.answer(verdict.sized)
        )

    def answer(self, sized: Sized) -> dict[str, Any]:
        """How many events, and what they come to: exact, and rounded to a float where it is a number."""
        value = self.query.operation.lower(sized[1])
        number = None
        if isinstance(value, int | float | Fraction) and not isinstance(value, bool):
            try:
                number = float(value)
            except OverflowError:
                number = None
        with unlimited_digits():
            return {"events": sized[0], "result": json.dumps(encode(value)), "number": number}

    def close(self) -> None:
        """Spark's call after all others."""


def _convert(value: str, kind: Kind) -> Any:
    if kind == "decimal":
        return Fraction(Decimal(value))
    return decode(json.loads(value)) if kind == "json" else value


def _make_row(
    key: str | None, kind: str, window: Stretch | None = None, version: int | None = None, **columns: Any
) -> Row:
    begin, end, at = (None, None, None) if window is None else window[:3]
    known = {"key": key, "kind": kind, "window_start": begin, "window_end": end, "at": at, "version": version}
    return _Out(*({**known, **columns}.get(name) for name in _COLUMNS))
