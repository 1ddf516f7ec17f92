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

A result that is due has a role: `policy`, as the policy has it; `all`, had every event counted; `on-time`, had no late
one.  Of tumbling and sliding windows the last two are given only where they differ; n is null where there is no window.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import nan
from typing import Any, TypeAlias

import numpy as np

from swagproof.models.windows.kinds import Calendar, Counted, Frame, Session, Sliding, goes_by_number
from swagproof.models.windows.lateness import grace
from swagproof.pipeline.audit.due.frames import Frames
from swagproof.pipeline.audit.due.plan import ALWAYS, Chunk, Plan, Position, Sink
from swagproof.pipeline.audit.due.sessions import ArrivingSessions, Sessions
from swagproof.pipeline.audit.due.sliding import Slider
from swagproof.pipeline.audit.rules import Kind
from swagproof.pipeline.batches import Batch

_Builder: TypeAlias = Slider | Sessions | ArrivingSessions | Frames


class _Key:
    """The state of one key: its windows under the policy, and, where they may differ, under other policies."""

    def __init__(self, plan: Plan, sink: Sink) -> None:
        window = plan.window
        self.sliding = isinstance(window, Sliding | Calendar)
        self.last: Position | None = None
        self.tied = False
        roles: list[tuple[str, int | None]] = [("policy", plan.lateness if plan.watermarks else None)]
        if plan.watermarks and not self.sliding:
            roles += [("all", None)] if plan.lateness is not None else []
            roles += [("on-time", 0)] if plan.lateness != 0 else []
        if isinstance(window, Session):
            roles = [(role, lateness) for role, lateness in roles if (lateness is not None) is plan.arriving]
        self.builders = [(self._builder(plan, sink, role, lateness), lateness) for role, lateness in roles]
        self.arriving, self.behind = plan.arriving, plan.behind
        self.grace = grace(window)

    def _builder(self, plan: Plan, sink: Sink, role: str, lateness: int | None) -> _Builder:
        match plan.window:
            case Session() as spec if lateness is not None:
                return ArrivingSessions(plan, sink, spec, role, lateness)
            case Sliding() | Calendar() as spec:
                return Slider(plan, sink, spec)
            case Counted(n, every, _):
                return Slider(plan, sink, Sliding(n, every, -n % every), role, counted=True)
            case Session() as spec:
                return Sessions(plan, sink, spec, role)
            case Frame() as spec:
                return Frames(plan, sink, spec, role)

    def feed(self, chunk: Chunk) -> None:
        """More events."""
        if self.behind is not None:
            chunk = chunk.mark_behind(self.behind)
        for builder, lateness in self.builders:
            if self.sliding or lateness is None or chunk.watermark is None:
                builder.feed(chunk)
            elif self.arriving:
                builder.feed(chunk if self.behind is None else chunk.keep(chunk.watermark < ALWAYS))
            else:
                builder.feed(chunk.keep(chunk.watermark < chunk.times + (self.grace + lateness)))

    def finish(self) -> None:
        """No more events."""
        for builder, _ in self.builders:
            builder.finish()


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


class Due:
    """The expected results of one key after the other; `sink` holds their rows."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.sink = plan, Sink(plan)
        self._lift = plan.aggregation.operation.lift
        ordered = not plan.aggregation.operation.commutative or goes_by_number(plan.window)
        self._checks_ties = plan.arrivals and ordered and not plan.arriving
        self._state: _Key | None = None

    def begin(self, key: str, block: int | None) -> None:
        """The next key; of a hot one, the next block of time."""
        self.finish()
        self.sink.key = key
        if block is not None:
            assert self.plan.block is not None
            self.sink.owned = range(block * self.plan.block, (block + 1) * self.plan.block)
        self._state = _Key(self.plan, self.sink)

    def feed(self, values: list[Any], chunk: Chunk) -> None:
        """More events of the key, none of which comes before those that were."""
        assert self._state is not None
        chunk = self._lift_chunk(values, chunk)
        if len(chunk.lifted):
            if self._checks_ties:
                self._check_ties(self._state, chunk)
            self._state.feed(chunk)

    def finish(self) -> None:
        """The key has no more events."""
        if self._state is not None:
            self._state.finish()
            self._state = None

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

    def _check_ties(self, state: _Key, chunk: Chunk) -> None:
        same = (np.diff(chunk.times) == 0) & (np.diff(chunk.arrivals) == 0)
        if state.last == chunk.at(0) or same.any():
            i = 0 if state.last == chunk.at(0) else int(np.argmax(same)) + 1
            if not state.tied:
                state.tied = True
                self.sink.add_event("tied", chunk.at(i), "time and arrival number are those of another")
        state.last = chunk.at(len(chunk.times) - 1)
