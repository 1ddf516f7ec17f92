"""The options of window builders, their input, and the sink for the expected results.

A builder (`expected.sliding`, `expected.sessions`, `expected.frames`) gets a key's events in chunks, sorted by time and
arrival, and puts the expected results into a sink.  Its memory is bounded by its widest window.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np

from swagproof.models.windows.kinds import WindowSpec
from swagproof.models.windows.lateness import SessionRule
from swagproof.pipeline.audit.expected.scope import Span
from swagproof.pipeline.audit.options import Empty
from swagproof.pipeline.audit.rules import Aggregation, Answer, Kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Longs: TypeAlias = NDArray[np.int64]

ALWAYS: Final = 2**63 - 1
"""The watermark of an event that is late for all windows."""

Found: TypeAlias = tuple[Any, int] | None
"""A partial aggregate, and its number of events; None if there is no window."""

Position: TypeAlias = tuple[int, int]
"""The time and arrival number of an event."""

NOTHING: Final = Answer(None, None, None)


class Expected(NamedTuple):
    """An expected result, or an event that cannot be used."""

    key: str
    a: int | None
    b: int | None
    """The begin and end of a window, or the time and arrival number of a row."""
    role: str | None
    """`policy` for a result; `bad` or `tied` for an event; None if no result is expected."""
    answer: Answer = NOTHING
    n: int | None = None
    """The number of events; None if there is no window."""
    copies: int = 1
    """The number of results that may repeat it."""
    first: Position | None = None
    last: Position | None = None
    """The first and the last event in it."""
    bad: str | None = None
    """The reason why the event cannot be used."""
    choices: Sequence[Answer | None] = ()
    """The possible answers, with None for no result, if the watermark does not determine which events were late."""
    versions: Sequence[Answer | None] = ()
    """The possible earlier answers, in order."""


Versions: TypeAlias = Literal["last", "from end", "early"]
"""The last version alone; also those that late events cause; also those before the end of the window."""


@dataclass(frozen=True)
class Plan:
    """The definition of the expected results, and the rules for comparison with the actual ones."""

    window: WindowSpec
    aggregation: Aggregation
    kinds: tuple[Kind, ...]
    """The kinds of the columns v0, v1, ... that make up a value."""
    kind: Kind = "int"
    """The kind of the results."""
    on: tuple[str, ...] = ("a", "b")
    """The columns among a and b that name a window in the results."""
    empty: Empty = "absent"
    roles: tuple[str, ...] = ()
    """The other treatments of late events under which a result may be right: `all` count, or none, `on-time`."""
    versioned: bool = False
    """True if the last version of a result is the final one."""
    retractions: bool = False
    """True if results retract earlier ones."""
    watermarks: bool = False
    """True if there is a column `watermark`, so that events may be late; optional columns are `least`, its least
    possible value, and `cleaned`, the watermark up to which windows were complete."""
    sessions: SessionRule = "own"
    versions: Versions = "last"
    """The versions of a result that are judged, and so must be computed."""
    arriving: bool = False
    """True if events come in the order of arrival; then only windows that depend on it are computed, else others."""
    lateness: int | None = 0
    """The time after a window's end for which it takes late events; None for no limit."""
    behind: int | None = None
    """The distance behind the watermark at which an event is late by its own time, and so for all windows; None if an
    event is late by the end of a window."""
    arrivals: bool = True
    """True if there are arrival numbers, as the tie-break of equal times."""
    by_row: bool = False
    """True if a frame's results name the arrival number of their row."""
    block: int | None = None
    """The time span of a block of a key's events, for sliding windows, so that several tasks share a hot key.  A block,
    given by the column `block`, computes the windows that begin in it, and has all their events."""
    span: Span | None = None
    """The windows that are judged; None for all."""


@dataclass
class Chunk:
    """Events of one key, in order."""

    times: "Longs"
    arrivals: "Longs"
    lifted: list[Any]
    watermark: "Longs | None" = None
    least: "Longs | None" = None
    cleaned: "Longs | None" = None

    def keep(self, mask: Any) -> "Chunk":
        """Return the events for which the mask is true."""
        chosen = [self.lifted[i] for i in np.flatnonzero(mask).tolist()]
        marks = [None if column is None else column[mask] for column in (self.watermark, self.least, self.cleaned)]
        return Chunk(self.times[mask], self.arrivals[mask], chosen, *marks)

    def mark_behind(self, behind: int) -> "Chunk":
        """Return the events, with those late by their own time marked as late for all windows, as defined by
        `swagproof.models.windows.lateness.ahead_in_time`."""

        def mark(marks: "Longs | None") -> "Longs | None":
            return None if marks is None else np.where(self.times + behind <= marks, ALWAYS, marks)

        return replace(self, watermark=mark(self.watermark), least=mark(self.least))

    def at(self, i: int) -> Position:
        """Return an event's position."""
        return int(self.times[i]), int(self.arrivals[i])

    def cut(self, changes: Any) -> Iterator[tuple[int, int]]:
        """Yield the bounds of the runs without a change; `changes` marks each event but the first."""
        n = len(self.lifted)
        return pairwise([0, *(np.flatnonzero(changes) + 1).tolist(), n] if n else [])

    def run(self, at: int, i: int, j: int, combine: Callable[[Any, Any], Any]) -> "Run":
        """Return the events i to j - 1, as one run."""
        partial = self.lifted[i] if j == i + 1 else reduce(combine, self.lifted[i:j])
        return Run(at, partial, j - i, self.at(i), self.at(j - 1))


class Coming(NamedTuple):
    """An event's arrival: its number, and the greatest and least watermark at that moment."""

    arrival: int
    most: int
    least: int


Piece: TypeAlias = tuple[Any, int, Coming | None]
"""A partial aggregate, its number of events, and, for a single event that may be late, its arrival."""


@dataclass(slots=True)
class Run:
    """Neighbouring events as one partial aggregate: a slice, a session, a row, or the events of one time."""

    at: int
    """The begin of the slice; the number of the row; the time."""
    partial: Any
    n: int
    """The number of events."""
    first: Position
    last: Position
    arrivals: list[int] | None = None
    """The events' arrival numbers, if results name them."""
    pieces: list[Piece] | None = None
    """The pieces, if some events may be late."""

    def split(self) -> list[Piece]:
        """Return the pieces; the whole run if there are none."""
        return self.pieces or [(self.partial, self.n, None)]

    def extend(self, other: "Run", combine: Callable[[Any, Any], Any]) -> None:
        """Append the events after it."""
        if self.pieces or other.pieces:
            self.pieces = self.split() + other.split()
        if self.arrivals is not None and other.arrivals is not None:
            self.arrivals += other.arrivals
        self.partial, self.n, self.last = combine(self.partial, other.partial), self.n + other.n, other.last


class Rounding:
    """The total mass rounded by a running sum: each addition or subtraction of an event rounds its whole content.

    Always 0, unless the summation is `running`.
    """

    def __init__(self, aggregation: Aggregation) -> None:
        self._sums = aggregation.sums if aggregation.summation == "running" else None
        self._held = 0
        self.mass = 0

    def take(self, run: Run, sign: int) -> None:
        """Add the events of a run (sign 1), or subtract them (sign -1)."""
        if self._sums is None:
            return
        mass = self._sums.mass(run.partial)
        self._held += mass * (sign > 0)
        self.mass += run.n * self._held
        self._held -= mass * (sign < 0)


class Sink:
    """The results so far."""

    def __init__(self, plan: Plan) -> None:
        self.rows: list[Expected] = []
        self.key = ""
        self.owned: range | None = None
        """The block of time whose results are kept; None for all."""
        self._answer = plan.aggregation.answer
        self._as_text = plan.kind == "text"

    def add(
        self,
        a: int | None,
        b: int | None,
        found: tuple[Any, int],
        first: Position | None,
        last: Position | None,
        copies: int = 1,
        choices: Sequence[Found] = (),
        versions: Sequence[Found] = (),
        null: bool = False,
        rounded: int = 0,
    ) -> None:
        """Add a result. `found` is the partial aggregate and its number of events; with `null` the result is null;
        `rounded` is the mass rounded by a running sum."""
        answer = NOTHING if null else self._answer(found[0], as_text=self._as_text, past=rounded)
        due = Expected(self.key, a, b, "policy", answer, found[1], copies, first, last)
        if choices or versions:
            due = due._replace(choices=[*map(self._tell, choices)], versions=[*map(self._tell, versions)])
        self.rows.append(due)

    def _tell(self, found: Found) -> Answer | None:
        return None if found is None else self._answer(found[0], as_text=self._as_text)

    def add_event(self, role: str, at: Position, why: str) -> None:
        """Add an event that cannot be used."""
        if self.owned is None or at[0] in self.owned:
            self.rows.append(Expected(self.key, *at, role, n=1, first=at, last=at, bad=why))
