"""The results that are due: the reference run over one key's events after the other, in bounded memory.

Events come sorted by key, time and arrival, in Arrow batches.  A batch is cut where its key changes, and a key's events
where their slice does; each slice becomes one partial aggregate.  Over the slices runs a proved algorithm:

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

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final, TypeAlias

import numpy as np
import pyarrow.compute

from swagproof.models.windows.kinds import Calendar, Counted, Frame, Session, Sliding, goes_by_number
from swagproof.models.windows.lateness import grace
from swagproof.pipeline.audit.builders import (
    ArrivingSessions,
    Chunk,
    Frames,
    Plan,
    Position,
    Sessions,
    Sink,
    Slider,
)
from swagproof.pipeline.audit.rules import Kind
from swagproof.pipeline.batches import Batch

compute: Any = pyarrow.compute  # its functions are made at run time

_BATCH: Final = 16_384

MARKS: Final = ("watermark", "least", "cleaned")
"""The columns of where the watermark was when an event came: at most, at least, and up to where windows were over."""

_Builder: TypeAlias = Slider | Sessions | ArrivingSessions | Frames


class _Key:
    """What is kept of one key: the windows as the policy has them, and where it differs, as others would."""

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
        self.whole = self.sliding or plan.arriving
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
        for builder, lateness in self.builders:
            if self.whole or lateness is None or chunk.watermark is None:
                builder.feed(chunk)
            else:
                builder.feed(chunk.keep(chunk.watermark < chunk.times + (self.grace + lateness)))

    def finish(self) -> None:
        """No more events."""
        for builder, _ in self.builders:
            builder.finish()


def read_values(batch: Batch, kinds: Sequence[Kind]) -> list[Any]:
    """The values of a batch: of one column, tuples of several, None for each where there is none."""
    columns: list[list[Any]] = []
    for i, kind in enumerate(kinds):
        column = batch.column(f"v{i}")
        whole = kind in ("int", "time", "float") and not column.null_count
        values: list[Any] = column.to_numpy().tolist() if whole else column.to_pylist()
        if kind == "decimal":
            values = [None if value is None else Fraction(value) for value in values]
        columns.append(values)
    if not columns:
        return [None] * batch.num_rows
    if len(columns) == 1:
        return columns[0]
    return [None if None in row else row for row in zip(*columns, strict=True)]


def _own(block: int, plan: Plan) -> range:
    assert plan.block is not None
    return range(block * plan.block, (block + 1) * plan.block)


def make_mapper(plan: Plan) -> Callable[[Iterator[Batch]], Iterator[Batch]]:
    """The mapper: batches with key, time, arrival, those of MARKS, v0, ... to batches of `EXPECTED`."""
    lift = plan.aggregation.operation.lift
    checks_ties = plan.arrivals and not (plan.aggregation.operation.commutative and not goes_by_number(plan.window))

    def lift_chunk(sink: Sink, values: list[Any], chunk: Chunk) -> Chunk:
        try:
            chunk.lifted = list(map(lift, values))
            return chunk
        except Exception:  # the user's own lift may raise anything: find out where
            good = np.ones(len(values), dtype=bool)
        for i, value in enumerate(values):
            try:
                chunk.lifted.append(lift(value))
            except Exception as error:
                good[i] = False
                chunk.lifted.append(None)
                said = " ".join(str(error).split()) or type(error).__name__
                if not plan.arriving:
                    sink.add_event("bad", chunk.at(i), f"value: {said}")
        return chunk.keep(good)

    def check_ties(sink: Sink, state: _Key, chunk: Chunk) -> None:
        same = (np.diff(chunk.times) == 0) & (np.diff(chunk.arrivals) == 0)
        if state.last == chunk.at(0) or same.any():
            i = 0 if state.last == chunk.at(0) else int(np.argmax(same)) + 1
            if not state.tied:
                state.tied = True
                sink.add_event("tie", chunk.at(i), "time and arrival number are those of another")
        state.last = chunk.at(len(chunk.times) - 1)

    def mapper(batches: Iterator[Batch]) -> Iterator[Batch]:
        sink = Sink(plan)
        state: _Key | None = None
        for batch in batches:
            if not batch.num_rows:
                continue
            keys = batch.column("key")
            times, arrivals = batch.column("time").to_numpy(), batch.column("arrival").to_numpy()
            marks = {name: batch.column(name).to_numpy() for name in MARKS if name in batch.schema.names}
            values = read_values(batch, plan.kinds)
            changes = compute.not_equal(keys.slice(1), keys.slice(0, len(keys) - 1)).to_numpy(zero_copy_only=False)
            blocks = None if plan.block is None else batch.column("block").to_numpy()
            if blocks is not None:
                changes = changes | (np.diff(blocks) != 0)
            cuts = [0, *(np.flatnonzero(changes) + 1).tolist(), batch.num_rows]
            for i, j in pairwise(cuts):
                key, owned = keys[i].as_py(), None if blocks is None else _own(int(blocks[i]), plan)
                if state is None or key != sink.key or owned != sink.owned:
                    if state is not None:
                        state.finish()
                    state, sink.key, sink.owned = _Key(plan, sink), key, owned
                of_chunk = {name: column[i:j] for name, column in marks.items()}
                chunk = Chunk(times[i:j], arrivals[i:j], [], **of_chunk)
                chunk = lift_chunk(sink, values[i:j] if j - i < len(values) else values, chunk)
                if len(chunk.lifted):
                    if checks_ties and not plan.arriving:
                        check_ties(sink, state, chunk)
                    state.feed(chunk)
                yield from sink.batch(at_least=_BATCH)
        if state is not None:
            state.finish()
        yield from sink.batch()

    return mapper
