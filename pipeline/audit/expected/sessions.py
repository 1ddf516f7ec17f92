"""Sessions of one key: in the order of time, or, if events may be late, of arrival."""

from functools import reduce
from typing import Any

import numpy as np

from swagproof.models.operations import Operation
from swagproof.models.windows.kinds import Session
from swagproof.models.windows.lateness import slack
from swagproof.pipeline.audit.expected.plan import Chunk, Plan, Run, Sink


class Sessions:
    """Runs of events with small gaps."""

    def __init__(self, plan: Plan, sink: Sink, spec: Session) -> None:
        self.spec, self.least = spec, spec.gap + spec.touching
        self.sink, self.combine = sink, plan.aggregation.operation.combine
        self.open: Run | None = None

    def feed(self, chunk: Chunk) -> None:
        """Add events, none earlier than the previous ones."""
        for i, j in chunk.cut(np.diff(chunk.times) >= self.least):
            run = chunk.run(0, i, j, self.combine)
            if self.open is not None and not self.spec.parts(self.open.last[0], run.first[0]):
                self.open.extend(run, self.combine)
            else:
                self.finish()
                self.open = run

    def finish(self) -> None:
        """Emit the open session."""
        if self.open is not None:
            run, self.open = self.open, None
            end = run.last[0] + self.spec.gap
            self.sink.add(run.first[0], end, (run.partial, run.n), run.first, run.last)


class ArrivingSessions:
    """Sessions with late events: `swagproof.models.windows.lateness.sessions_in_time`.

    Events come in the order of arrival.  Only the events of sessions that the watermark has not passed are kept.
    """

    def __init__(self, plan: Plan, sink: Sink, spec: Session, lateness: int) -> None:
        self.spec, self.sink, self.lateness = spec, sink, lateness
        self.operation: Operation[Any, Any, Any] = plan.aggregation.operation
        self.merges = plan.sessions == "merged"
        self.wait = lateness + (slack(spec) if plan.sessions == "own" else 0)
        self.live: list[tuple[int, int, list[tuple[int, int, Any]]]] = []
        """First and last time, and the events: time, arrival number, partial aggregate."""

    def feed(self, chunk: Chunk) -> None:
        """Add events, none with a smaller arrival number than the previous ones."""
        assert chunk.watermark is not None
        cleaned = chunk.watermark if chunk.cleaned is None else chunk.cleaned
        columns = (chunk.times, chunk.arrivals, chunk.watermark, cleaned)
        for time, arrival, watermark, over, partial in zip(*(c.tolist() for c in columns), chunk.lifted, strict=True):
            self._end(over)
            late = time + self.spec.gap + self.lateness <= watermark
            apart = [run for run in self.live if self.spec.parts(run[1], time) or self.spec.parts(time, run[0])]
            touched = [run for run in self.live if run not in apart] if len(apart) < len(self.live) else []
            if late and not (self.merges and touched):
                continue
            first, last, events = min(time, *(run[0] for run in touched), time), time, [(time, arrival, partial)]
            for run in touched:
                last = max(last, run[1])
                events += run[2]
            self.live = [*apart, (first, last, events)]

    def _end(self, watermark: int) -> None:
        for run in [run for run in self.live if run[1] + self.spec.gap + self.wait <= watermark]:
            self.live.remove(run)
            self._emit(*run)

    def _emit(self, first: int, last: int, events: list[tuple[int, int, Any]]) -> None:
        events.sort(key=lambda event: event[:2])
        product = reduce(self.operation.combine, (event[2] for event in events))
        end = last + self.spec.gap
        self.sink.add(first, end, (product, len(events)), events[0][:2], events[-1][:2])

    def finish(self) -> None:
        """End the key."""
        for run in sorted(self.live, key=lambda run: run[:2]):
            self._emit(*run)
        self.live.clear()
