"""The operator as a stateful processor of Spark, with its state, timers and rows."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import (
    ExpiredTimerInfo,
    StatefulProcessor,
    StatefulProcessorHandle,
    TimerValues,
)

from swagproof.models.windows.lateness import NEVER
from swagproof.oracle.trace import decode, encode, encode_answer
from swagproof.pipeline.audit.rules import Kind
from swagproof.pipeline.batches import make_batch, names_of
from swagproof.pipeline.stream.clocks import to_clock, watermark_at, watermark_of
from swagproof.pipeline.stream.job import Task
from swagproof.pipeline.stream.live_audit import UNREADABLE, Audit, Claim, Finding
from swagproof.pipeline.stream.operator import Arrived, Operator, Shown, Sized, unlimited_digits
from swagproof.pipeline.stream.packing import BAD, CLOCKS, RESULTS
from swagproof.pipeline.stream.shapes import Stretch

OUTPUT: Final = (
    "key string, kind string, window_start bigint, window_end bigint, version int, events bigint, "
    "result string, number double, claimed string, detail string"
)
"""The columns that a job writes: `result` is exact, JSON as in traces; `number` is the same as a float."""

STATE: Final = "state string, due bigint"

REACHED: Final = "events bigint, results bigint"
"""The progress of time in all files so far, in milliseconds: the state of the clock keys."""

WAITING: Final = "waiting bigint"

_COLUMNS: Final = names_of(OUTPUT)

_Out: Final = Row(*_COLUMNS)


class Windows(StatefulProcessor):
    """The windows of each key; with claims, an audit of them.

    Spark passes a partition's keys in ascending order, clock keys first: after these, the processor knows which files
    were read, in which order, and the watermark before each.
    """

    def __init__(self, task: Task) -> None:
        self.task = task

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Create the state; Spark calls this first, in a worker."""
        self.handle = handle
        self.state: Any = handle.getValueState("windows", STATE)
        self.reached: Any = handle.getValueState("reached", REACHED)
        self.query, self.aggregation = self.task.query, self.task.aggregation
        self.watermarks: dict[str, tuple[int, int]] = {}
        """The watermarks of each file, in order: the one for its events, and the one after them."""

    def handleInputRows(self, key: Any, rows: Any, timerValues: TimerValues) -> Iterator[Row]:
        """Process a key with rows in this micro-batch; called by Spark."""
        role, name = key[0][0], key[0][1:]
        if role == CLOCKS:
            self.set_watermarks(rows)
        elif role == BAD:
            for row in rows:
                yield from (_make_row(None, _kind_of(text), detail=text) for text in row.bad or ())
        else:
            yield from self.take(name, rows, timerValues)

    def handleExpiredTimer(
        self, key: Any, timerValues: TimerValues, expiredTimerInfo: ExpiredTimerInfo
    ) -> Iterator[Row]:
        """Process a key whose timer the watermark has reached; called by Spark."""
        yield from self.step(key[0][1:], {}, [], timerValues, fired=True)

    def set_watermarks(self, rows: Iterable[Row]) -> None:
        """Put the files of this micro-batch in order, after all earlier ones."""
        latest: dict[str, int] = {}
        for row in rows:
            for file, clock in zip(row.files, row.clocks, strict=True):
                latest[file] = max(clock, latest.get(file, clock))
        events, claims = self.reached.get() or (None, None)
        told = latest.pop(RESULTS, None)
        before = NEVER if events is None else watermark_at(events, self.task.unit, self.task.delay)
        for file in sorted(latest):
            events = latest[file] if events is None else max(events, latest[file])
            after = watermark_at(events, self.task.unit, self.task.delay)
            self.watermarks[file] = before, after
            before = after
        if told is not None:
            claims = told if claims is None else max(claims, told)
        self.reached.update((events, claims))

    def take(self, key: str, rows: Iterable[Row], timers: TimerValues) -> Iterator[Row]:
        """Process the events and claims of a key in this micro-batch."""
        events: dict[str, list[Arrived]] = {}
        claims: list[Claim] = []
        for row in rows:
            if row.time:
                for arrived in self.read_events(row):
                    if isinstance(arrived, str):
                        yield _make_row(key, "bad", detail=arrived)
                    else:
                        events.setdefault(row.file, []).append(arrived)
            if row.begin:
                claims += map(Claim, row.begin, row.end, row.version, row.got, row.number)
        if events or claims:
            yield from self.step(key, events, claims, timers)

    def read_events(self, row: Row) -> Iterator["Arrived | str"]:
        """Yield the events of a packed row; for an invalid one, the reason."""
        kinds = self.task.kinds
        columns = [row[f"v{i}"] for i in range(len(kinds))]
        for time, arrival, *values in zip(row.time, row.arrival, *columns, strict=True):
            try:
                taken = [_convert(value, kind) for value, kind in zip(values, kinds, strict=True)]
            except (ValueError, RecursionError) as error:
                yield json.dumps({"why": str(error), "time": time, "value": values})
                continue
            yield Arrived(time, arrival, tuple(taken) if len(kinds) > 1 else taken[0] if taken else None)

    def step(
        self,
        key: str,
        events: dict[str, list[Arrived]],
        claims: list[Claim],
        timers: TimerValues,
        *,
        fired: bool = False,
    ) -> Iterator[Row]:
        """Run one micro-batch for a key: read its state, run its operator, and write its state and timer.

        Spark's watermark covers all files before this micro-batch (and with a pace, the results too): everything up to
        it is shown.  Events are taken file by file, each at the watermark before its file, after everything up to that
        watermark was shown: as if Spark had been idle before each file.

        Each exchange with Spark (state, timer) costs more than ten events.  So a timer that would fire in this
        micro-batch is deleted if the key has rows, because these already show the results; Spark deletes a timer that
        has fired.
        """
        task = self.task
        reached = watermark_of(timers.getCurrentWatermarkInMs(), task.unit, task.delay)
        operator = Operator(self.query)
        audit: Audit | None = None
        if task.claims is not None:
            audit = Audit(self.query, self.aggregation, task.claims, task.patience or 0, operator, early=task.early)
        running = audit or operator
        text, timer = self.state.get() or (None, None)
        if text is not None:
            running.restore(text)
        shown: list[Shown] = []
        if missing := events.keys() - self.watermarks:
            raise RuntimeError(f"Spark sent events of {min(missing)} where their clocks did not go: report this")
        due = operator.next_due()
        for file, (watermark, after) in self.watermarks.items() if events else ():
            if due is not None and due <= watermark:
                shown += running.step((), watermark)
            if file in events and audit is not None:
                shown += audit.step(events[file], watermark, after)
            elif file in events:
                shown += operator.step(events[file], watermark)
            due = operator.next_due()
        if due is not None and due <= reached:
            shown += running.step((), reached)
        yield from (self.row_of(key, each) for each in shown)
        if audit is not None:
            yield from (self.row_of_verdict(key, verdict) for verdict in audit.judge_due(claims, reached))
        due = running.next_due()
        wanted = None if due is None else to_clock(due, task.unit, task.delay)
        if wanted != timer:
            if timer is not None and not fired:
                self.handle.deleteTimer(timer)
            if wanted is not None:
                self.handle.registerTimer(wanted)
        if running.is_forgettable():
            self.state.clear()
        else:
            self.state.update((running.to_json(), wanted))

    def row_of(self, key: str | None, shown: Shown) -> Row:
        """Return an output of the operator as a row."""
        if shown.window is not None and shown.sized is not None:
            return _make_row(key, shown.kind, shown.window, shown.version, **self.answer(shown.sized))
        event = shown.event or Arrived(0, 0, None)
        detail = {"time": event.time, "arrival": event.arrival, "value": encode_answer(event.element)}
        if shown.why is not None:
            detail = {"why": shown.why, **detail}
        return _make_row(key, shown.kind, detail=json.dumps(detail))

    def row_of_verdict(self, key: str | None, verdict: Finding) -> Row:
        """Return a verdict as a row."""
        window = Stretch(verdict.begin, verdict.end, (), ())
        last = verdict.claims[-1] if verdict.claims else None
        claimed = None if last is None else last.got if last.number is None else json.dumps(encode(last.number))
        detail = None
        if len(verdict.claims) > 1:
            detail = json.dumps({"claims": [[claim.version, claim.got, claim.number] for claim in verdict.claims]})
        version = None if last is None else last.version
        answer = {} if verdict.sized is None else self.answer(verdict.sized)
        return _make_row(key, verdict.kind, window, version, claimed=claimed, detail=detail, **answer)

    def answer(self, sized: Sized) -> dict[str, Any]:
        """Return the number of events, and the result: exact, and rounded to a float if it is a number."""
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
        """Do nothing; Spark calls this last."""


@dataclass(frozen=True)
class Waiting:
    """Counts complete windows that wait only for results, in keys' states; with patience, windows with results."""

    task: Task
    latest: int | None
    """The latest time of the events, in milliseconds; None with patience."""

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Yield a row for each batch of states."""
        task = self.task
        watermark = None if self.latest is None else watermark_at(self.latest, task.unit, task.delay)
        for batch in batches:
            number = 0
            for text in batch.column(0).to_pylist():
                audit = Audit(task.query, task.aggregation, task.claims or "json")
                audit.restore(text)
                number += len(audit.claims) if watermark is None else audit.count_waiting(watermark)
            yield make_batch(WAITING, [(number,)])


def _convert(value: str, kind: Kind) -> Any:
    if kind == "decimal":
        return Fraction(Decimal(value))
    return decode(json.loads(value)) if kind == "json" else value


def _kind_of(detail: str) -> str:
    """Return `bad` for a row that cannot be used, `unreadable` for a whole file."""
    return UNREADABLE if json.loads(detail).get("row") is None else "bad"


def _make_row(
    key: str | None, kind: str, window: Stretch | None = None, version: int | None = None, **columns: Any
) -> Row:
    begin, end = (None, None) if window is None else window[:2]
    known = {"key": key, "kind": kind, "window_start": begin, "window_end": end, "version": version}
    return _Out(*({**known, **columns}.get(name) for name in _COLUMNS))
