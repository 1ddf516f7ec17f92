"""Frames of one key: Two-Stacks Lite with two pointers over its rows, or its distinct times."""

from collections import deque
from typing import Any

import numpy as np

from swagproof.models.operations import Operation
from swagproof.models.windows.kinds import Frame
from swagproof.pipeline.audit.expected.plan import Chunk, Plan, Position, Rounding, Run, Sink
from swagproof.reference.in_order.two_stacks_lite import TwoStacksLite


class Frames:
    """Frames from `begin` to `end` around each row, or each distinct time."""

    def __init__(self, plan: Plan, sink: Sink, spec: Frame) -> None:
        assert spec.end is not None, "a frame without an end is no window of a text"
        self.begin, self.end, self.rows = spec.start, spec.end, spec.unit == "rows"
        self.to_row = spec.to_row
        self.least = spec.end - spec.start + 1 if spec.full and spec.start is not None else 0
        self.sink = sink
        self.by_row = plan.by_row
        self.operation: Operation[Any, Any, Any] = plan.aggregation.operation
        self.window: TwoStacksLite[Any] = TwoStacksLite(self.operation)
        self.product = self.operation.identity
        self.inside: deque[Run] = deque()
        self.waiting: deque[Run] = deque()
        self.due: deque[Run] = deque()
        self.newest: Run | None = None
        self.first: Position | None = None
        self.last: Position | None = None
        self.n = 0
        self.count = 0
        self.rounding = Rounding(plan.aggregation)

    def feed(self, chunk: Chunk) -> None:
        """Add events, none earlier than the previous ones."""
        if self.rows or self.to_row:
            for partial, *place in zip(chunk.lifted, chunk.times.tolist(), chunk.arrivals.tolist(), strict=True):
                at = place[0], place[1]
                run = Run(self.count if self.rows else at[0], partial, 1, at, at, [at[1]])
                self.count += 1
                if self.rows:
                    self._complete(run)
                else:
                    self._enter(run)
                    self._emit(run)
            return
        combine = self.operation.combine
        for i, j in chunk.cut(np.diff(chunk.times)):
            run = chunk.run(int(chunk.times[i]), i, j, combine)
            run.arrivals = chunk.arrivals[i:j].tolist() if self.by_row else None
            if self.newest is not None and self.newest.at == run.at:
                self.newest.extend(run, combine)
                continue
            if self.newest is not None:
                self._complete(self.newest)
            self.newest = run

    def _complete(self, entry: Run) -> None:
        """Add a complete entry, after emitting the frames that end before it."""
        while self.due and self.due[0].at + self.end < entry.at:
            self._emit(self.due.popleft())
        self.waiting.append(entry)
        self.due.append(entry)

    def _emit(self, entry: Run) -> None:
        while self.waiting and self.waiting[0].at <= entry.at + self.end:
            self._enter(self.waiting.popleft())
        while self.begin is not None and self.inside and self.inside[0].at < entry.at + self.begin:
            gone = self.inside.popleft()
            self.n -= gone.n
            self.window.evict()
            self.rounding.take(gone, -1)
        if self.begin is None:
            found, first, last = (self.product, self.n), self.first, self.last
        else:
            found = self.window.query(), self.n
            first, last = (self.inside[0].first, self.inside[-1].last) if self.inside else (None, None)
        time, rounded, null = entry.first[0], self.rounding.mass, self.n < self.least
        if not self.by_row:
            self.sink.add(time, None, found, first, last, copies=entry.n, rounded=rounded)
            return
        for arrival in entry.arrivals or ():
            self.sink.add(time, arrival, found, first, last, null=null, rounded=rounded)

    def _enter(self, entry: Run) -> None:
        self.n += entry.n
        self.rounding.take(entry, 1)
        if self.begin is None:
            self.product = self.operation.combine(self.product, entry.partial)
            self.first, self.last = self.first or entry.first, entry.last
        else:
            self.inside.append(entry)
            self.window.insert(entry.partial)

    def finish(self) -> None:
        """End the key."""
        if self.newest is not None:
            self._complete(self.newest)
            self.newest = None
        while self.due:
            self._emit(self.due.popleft())
