"""Expected results: the reference, run over the events of each key, in bounded memory.

Events come key by key, sorted by time and arrival, in chunks.  They are divided into slices; each slice becomes one
partial aggregate.  A proved algorithm runs over the slices:

- tumbling, sliding and count windows: slices as in `swagproof.reference.slicing.pairs`, Two-Stacks Lite over them;
- ROWS and RANGE frames: an element for each row, or distinct time, Two-Stacks Lite over them with two pointers; a
  running product if the frame begins at unbounded;
- sessions: one running product; if events may be late, the order of arrival decides which sessions exist, so they are
  computed separately, over the events in the order of arrival (`Plan.arriving`).

The memory for a key is the content of its widest window: slices, rows of a frame, or one product.  If a slice holds a
late event, the windows with it are recomputed from the pieces before and after it.

A plan with another lateness gives the expected results under another treatment of late events.
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
    """Return the values of each column, with None for null."""
    columns: list[list[Any]] = []
    for i, kind in enumerate(kinds):
        column = batch.column(f"v{i}")
        whole = kind in ("int", "time", "float") and not column.null_count
        values: list[Any] = column.to_numpy().tolist() if whole else column.to_pylist()
        if kind == "float":
            values = [nan if value != value else value for value in values]  # an ordinary value
        if kind == "decimal":
            values = [None if value is None else Fraction(value) for value in values]
        columns.append(values)
    return columns


def read_values(batch: Batch, kinds: Sequence[Kind], *, partly: bool = False) -> list[Any]:
    """Return the values of a batch: from one column, tuples from several, None if there are none.

    With several columns, a value is None if one of them is null; with `partly`, only if the first is.
    """
    columns = read_columns(batch, kinds)
    if not columns:
        return [None] * batch.num_rows
    if len(columns) == 1:
        return columns[0]
    rows = zip(*columns, strict=True)
    return [None if (row[0] is None if partly else None in row) else row for row in rows]


class ExpectedResults:
    """The expected results of all keys in turn; `sink` holds their rows."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.sink = plan, Sink(plan)
        self._lift = plan.aggregation.operation.lift
        ordered = not plan.aggregation.operation.commutative or goes_by_number(plan.window)
        self._checks_ties = plan.arrivals and ordered and not plan.arriving
        self._lateness = plan.lateness if plan.watermarks else None
        self._grace = grace(plan.window)
        self._builder: _Builder | None = None
        """The windows of the key; None if this pass (by time or by arrival) does not compute them."""
        self._last: Position | None = None
        self._tied = False

    def begin(self, key: str, block: int | None = None) -> None:
        """Begin the next key, or, for a hot key, the next block of time."""
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
        """Add events of the key, none of them before the previous ones."""
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
        """End the key."""
        if self._builder is not None:
            self._builder.finish()
            self._builder = None

    def _lift_chunk(self, values: list[Any], chunk: Chunk) -> Chunk:
        try:
            chunk.lifted = list(map(self._lift, values))
            return chunk
        except Exception:  # a custom lift may raise anything: find out where
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
