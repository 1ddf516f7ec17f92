"""The results that are due: the reference run over one key's events after the other, in bounded memory.

Events come key by key, sorted by time and arrival, in chunks.  They are cut where their slice changes; each slice
becomes one partial aggregate.  Over the slices runs a proved algorithm:

- tumbling, sliding and count windows: slices as in `swagproof.reference.slicing.pairs`, Two-Stacks Lite over them;
- ROWS and RANGE frames: an element a row, or a distinct time, Two-Stacks Lite over them with two pointers; a running
  product where the frame begins at unbounded;
- sessions: one running product; where events may be late, which sessions there are hangs on the order in which they
  came, so that these are asked for again, over the events in the order of arrival (`Plan.arriving`).

What is kept of a key is what its widest window holds: slices, rows of a frame, or one product.  Where a late event is
in a slice, its window is put together anew from the pieces before and after it.

What is due if late events are treated in another way is that of a plan with another lateness.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import nan
from typing import Any, TypeAlias

import numpy as np

from swagproof.models.windows.kinds import Calendar, Counted, Frame, Session, Sliding, goes_by_number
from swagproof.models.windows.lateness import grace
from swagproof.pipeline.audit.expected.frames import Frames
from swagproof.pipeline.audit.expected.plan import ALWAYS, Chunk, Plan, Position, Sink
from swagproof.pipeline.audit.expected.sessions import ArrivingSessions, Sessions
from swagproof.pipeline.audit.expected.sliding import Slider
from swagproof.pipeline.audit.rules import Kind
from swagproof.pipeline.batches import Batch

_Builder: TypeAlias = Slider | Sessions | ArrivingSessions | Frames


def read_columns(batch: Batch, kinds: Sequence[Kind]) -> list[list[Any]]:
    """Return what each column of values holds; None for each where there is none."""
    columns: list[list[Any]] = []
    for i, kind in enumerate(kinds):
        column = batch.column(f"v{i}")
        whole = kind in ("int", "time", "float") and not column.null_count
        values: list[Any] = column.to_numpy().tolist() if whole else column.to_pylist()
        if kind == "float":
            values = [nan if value != value else value for value in values]  # which is one value among others
        if kind == "decimal":
            values = [None if value is None else Fraction(value) for value in values]
        columns.append(values)
    return columns


def read_values(batch: Batch, kinds: Sequence[Kind], *, partly: bool = False) -> list[Any]:
    """The values of a batch: of one column, tuples of several, None for each where there is none.

    There is none where one of several is null; or, `partly`, the first.
    """
    columns = read_columns(batch, kinds)
    if not columns:
        return [None] * batch.num_rows
    if len(columns) == 1:
        return columns[0]
    rows = zip(*columns, strict=True)
    return [None if (row[0] is None if partly else None in row) else row for row in rows]


class ExpectedResults:
    """The expected results of one key after the other; `sink` holds their rows."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.sink = plan, Sink(plan)
        self._lift = plan.aggregation.operation.lift
        ordered = not plan.aggregation.operation.commutative or goes_by_number(plan.window)
        self._checks_ties = plan.arrivals and ordered and not plan.arriving
        self._lateness = plan.lateness if plan.watermarks else None
        self._grace = grace(plan.window)
        self._builder: _Builder | None = None
        """The windows of the key; None where what hangs on the order of arrival is asked for, and nothing does, or the
        other way round."""
        self._last: Position | None = None
        self._tied = False

    def begin(self, key: str, block: int | None = None) -> None:
        """The next key; of a hot one, the next block of time."""
        self.finish()
        self.sink.key = key
        if block is not None:
            assert self.plan.block is not None
            self.sink.owned = range(block * self.plan.block, (block + 1) * self.plan.block)
        self._last, self._tied = None, False
        if not isinstance(self.plan.window, Session) or (self._lateness is not None) is self.plan.arriving:
            self._builder = self._make_builder()

    def _make_builder(self) -> _Builder:
        plan, sink = self.plan, self.sink
        match plan.window:
            case Session() as spec if self._lateness is not None:
                return ArrivingSessions(plan, sink, spec, self._lateness)
            case Sliding() | Calendar() as spec:
                return Slider(plan, sink, spec)
            case Counted(n, every, _):
                return Slider(plan, sink, Sliding(n, every, -n % every), counted=True)
            case Session() as spec:
                return Sessions(plan, sink, spec)
            case Frame() as spec:
                return Frames(plan, sink, spec)

    def feed(self, values: list[Any], chunk: Chunk) -> None:
        """More events of the key, none of which comes before those that were."""
        plan = self.plan
        chunk = self._lift_chunk(values, chunk)
        if not len(chunk.lifted):
            return
        if self._checks_ties:
            self._check_ties(chunk)
        if self._builder is None:
            return
        if plan.behind is not None:
            chunk = chunk.mark_behind(plan.behind)
        marks = chunk.watermark
        if not isinstance(plan.window, Sliding | Calendar) and self._lateness is not None and marks is not None:
            if not plan.arriving:
                chunk = chunk.keep(marks < chunk.times + (self._grace + self._lateness))
            elif plan.behind is not None:
                chunk = chunk.keep(marks < ALWAYS)
        self._builder.feed(chunk)

    def finish(self) -> None:
        """The key has no more events."""
        if self._builder is not None:
            self._builder.finish()
            self._builder = None

    def _lift_chunk(self, values: list[Any], chunk: Chunk) -> Chunk:
        try:
            chunk.lifted = list(map(self._lift, values))
            return chunk
        except Exception:  # the user's own lift may raise anything: find out where
            good = np.ones(len(values), dtype=bool)
        for i, value in enumerate(values):
            try:
                chunk.lifted.append(self._lift(value))
            except Exception as error:
                good[i] = False
                chunk.lifted.append(None)
                said = " ".join(str(error).split()) or type(error).__name__
                if not self.plan.arriving:
                    self.sink.add_event("bad", chunk.at(i), f"value: {said}")
        return chunk.keep(good)

    def _check_ties(self, chunk: Chunk) -> None:
        same = (np.diff(chunk.times) == 0) & (np.diff(chunk.arrivals) == 0)
        if self._last == chunk.at(0) or same.any():
            i = 0 if self._last == chunk.at(0) else int(np.argmax(same)) + 1
            if not self._tied:
                self._tied = True
                self.sink.add_event("tied", chunk.at(i), "time and arrival number are those of another")
        self._last = chunk.at(len(chunk.times) - 1)
