"""The reference as an operator for one key: events in, in any order; results of complete windows out.

The entries of a key are kept in a finger B-tree (`swagproof.reference.trees.fiba_bulk`), whose aggregates also count
events; so a window is one range query.  If the operation commutes, an entry is a slice, which keeps one aggregate for
many events; otherwise an entry is an event.  This module does not use Spark.

A step takes some events and a watermark W: events in later steps with a time before W are late.
`swagproof.models.windows.lateness.shown_in_time` defines the output and the treatment of late events; the operator
computes it from the content of open windows alone.  An event that no open window takes is output as `late`.

State is JSON in the forms of `swagproof.oracle.trace`, exact for every operation; nothing is pickled.  It is written as
a whole, so a step costs as much as the open windows hold: aggregates of slices, or, if the order matters, events.
"""

import json
import sys
from bisect import bisect_left
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, Final, NamedTuple, TypeAlias

from swagproof.models.operations import Operation
from swagproof.models.windows.kinds import WindowSpec
from swagproof.models.windows.lateness import NEVER, Late, late_for_all, slack
from swagproof.oracle.trace import InputError, decode, encode
from swagproof.pipeline.stream.shapes import ALWAYS, Key, Shape, Stretch, shape_of
from swagproof.reference.trees.fiba_bulk import BulkFiba

Sized: TypeAlias = tuple[int, Any]
"""The number of events, and their partial aggregate."""


class Arrived(NamedTuple):
    """An event of a key."""

    time: int
    arrival: int
    """The position among the events of one key and time."""
    element: Any


class Shown(NamedTuple):
    """An output row of the operator about a window or an event."""

    kind: str
    """`result`, `retraction`; `late`, `repeated`, `bad` for an event that is not counted."""
    window: Stretch | None
    version: int | None = None
    sized: Sized | None = None
    event: Arrived | None = None
    why: str | None = None


VERSION: Final = 5
"""The version of the state; an operator cannot continue from another one."""


@dataclass(frozen=True)
class Query:
    """The windows, the aggregate, and the treatment of late events."""

    window: WindowSpec
    operation: Operation[Any, Any, Any]
    policy: Late = "drop"
    lateness: int = 0
    """The time for which windows stay open for late events after their end."""
    refuses_nan: bool = False

    def __post_init__(self) -> None:
        if self.policy == "drop" and self.lateness:
            raise InputError("--lateness: has no effect with --late drop; give --late update or retract")
        revisable = self.shape.revisable  # of windows that streams support
        if self.policy != "drop" and not revisable:
            raise InputError(f"--late {self.policy}: late events would change the bounds of sessions; give drop")

    @cached_property
    def shape(self) -> Shape:
        """Return the shape of the windows."""
        return shape_of(self.window)

    @property
    def sliced(self) -> bool:
        """Return whether events are merged into slices."""
        return self.operation.commutative

    @cached_property
    def monoid(self) -> "_Sized":
        """Return the operation, paired with a count of events."""
        return _Sized(self.operation)


class _Sized:
    def __init__(self, operation: Operation[Any, Any, Any]) -> None:
        combine = operation.combine
        self.identity: Sized = (0, operation.identity)
        self.combine: Callable[[Sized, Sized], Sized] = lambda a, b: (a[0] + b[0], combine(a[1], b[1]))


@contextmanager
def unlimited_digits() -> Generator[None]:
    """Allow integers of any length in text."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


class Operator:
    """The windows of one key.

    >>> from swagproof.models.operations import CONCATENATION
    >>> from swagproof.models.windows.kinds import Sliding
    >>> operator = Operator(Query(Sliding(4, 4), CONCATENATION, "update", lateness=4))
    >>> for events, watermark in (([Arrived(3, 0, "c"), Arrived(1, 1, "a")], 2), ([], 4), ([Arrived(2, 2, "b")], 5)):
    ...     for shown in operator.step(events, watermark):
    ...         print(shown.window.begin, shown.window.end, shown.version, shown.sized)
    0 4 0 (2, 'ac')
    0 4 1 (3, 'abc')
    """

    def __init__(self, query: Query) -> None:
        self.query = query
        self.tree: BulkFiba[Sized] = BulkFiba(query.monoid)
        self.keys: list[Key] = []
        """The keys of the entries in the tree, ascending."""
        self.done = NEVER
        """The latest end of windows that have been shown."""
        self.versions: dict[tuple[int, int], tuple[Stretch, int, Sized | None]] = {}
        """The last version of each window that may be shown again, and its content if it may be retracted."""

    def step(self, events: Iterable[Arrived], watermark: int) -> list[Shown]:
        """Take events and a watermark, and return the output.

        O(m log m) for m events, and O(log n) combine calls for each window that is shown.
        """
        query, shape = self.query, self.query.shape
        closed = max(self.closed_at(watermark), self.closed_at(self.done))
        shown = list(self.show(shape.find_due(self.keys, self.done, closed)))
        self.close(closed)
        taken, refused = self.take(events, closed)
        shown += refused
        windows = list(shape.find_due(self.keys, self.done, watermark))
        if query.lateness:
            again = chain.from_iterable(shape.find_touched(t, closed, self.done) for t in taken)
            windows = sorted({*windows, *again}, key=lambda window: (window.end, window.begin))
        shown += self.show(windows)
        self.done = max(self.done, watermark)
        return shown

    def closed_at(self, watermark: int) -> int:
        """Return the latest end of windows that are final at a watermark."""
        return NEVER if watermark == NEVER else watermark - self.query.lateness

    def take(self, events: Iterable[Arrived], closed: int) -> tuple[set[int], list[Shown]]:
        """Insert events; return the times of those taken, and the rejected ones."""
        query, shape, combine = self.query, self.query.shape, self.query.monoid.combine
        lift, sliced = query.operation.lift, query.sliced
        fresh: dict[Key, Sized] = {}
        times: set[int] = set()
        ends: dict[int, int | None] = {}
        refused: list[Shown] = []
        for event in events:
            t = event.time
            start = shape.slice_of(t)
            if start not in ends:  # the events of a slice are in the same windows
                ends[start] = late_for_all(query.window, t)
            end = ends[start]
            if end is None:
                continue
            if end <= closed:
                refused.append(Shown("late", None, event=event))
                continue
            if query.refuses_nan and not _ordered(event.element):
                refused.append(Shown("bad", None, event=event, why="NaN does not compare"))
                continue
            try:
                lifted = lift(event.element)
            except Exception as error:  # a custom lift may raise anything
                refused.append(Shown("bad", None, event=event, why=" ".join(str(error).split())))
                continue
            key = (start, 0) if sliced else (t, event.arrival)
            if not sliced and (key in fresh or self.holds(key)):
                refused.append(Shown("repeated", None, event=event))
                continue
            fresh[key] = combine(fresh[key], (1, lifted)) if key in fresh else (1, lifted)
            times.add(t)
        if fresh:
            new = [key for key in fresh if not self.holds(key)]
            self.tree.bulk_insert(sorted(fresh.items()))
            self.keys += new
            self.keys.sort()
        return times, refused

    def holds(self, key: Key) -> bool:
        """Return whether there is an entry with this key."""
        i = bisect_left(self.keys, key)
        return i < len(self.keys) and self.keys[i] == key

    def find_sized(self, windows: Sequence[Stretch]) -> Iterator[tuple[Stretch, Sized]]:
        """Return the content of windows."""
        return ((window, self.tree.range_query(window.first, window.last)) for window in windows)

    def show(self, windows: Iterable[Stretch]) -> Iterator[Shown]:
        """Yield the results of windows, each with its version."""
        policy, versions = self.query.policy, self.versions
        for window, sized in self.find_sized(list(windows)):
            before = versions.get((window.begin, window.end))
            version = 0
            if before is not None:
                _, last, old = before
                version = last + 1
                if old is not None and policy == "retract":
                    yield Shown("retraction", window, last, old)
            if policy != "drop":
                versions[window.begin, window.end] = window, version, sized if policy == "retract" else None
            yield Shown("result", window, version, sized)

    def close(self, closed: int) -> None:
        """Make windows up to this end final: forget the entries and versions that only they need."""
        if closed == NEVER:
            return
        self.done = max(self.done, closed)
        if self.versions:
            self.versions = {
                name: shown for name, shown in self.versions.items() if name[1] + slack(self.query.window) > closed
            }
        if released := self.query.shape.count_released(self.keys, closed):
            self.tree.bulk_evict(self.keys[released - 1])
            del self.keys[:released]

    def next_due(self) -> int | None:
        """Return the next watermark at which there is something to show or forget; None if there is none."""
        ending = next(self.query.shape.find_due(self.keys, self.done, ALWAYS), None)
        ends = [] if ending is None else [ending.end + slack(self.query.window)]
        ends += [end + slack(self.query.window) + self.query.lateness for _, end in self.versions]
        return min(ends, default=None)

    def is_forgettable(self) -> bool:
        """Return whether a new operator would continue in the same way."""
        return not self.keys and not self.versions

    # State

    def to_json(self) -> str:
        """Return the state as text.  Linear in the number of entries."""
        with unlimited_digits():
            held = (each for node in self.tree.nodes() for each in zip(node.times, node.values, strict=True))
            entries = [[*key, n, encode(partial)] for key, (n, partial) in sorted(held, key=lambda each: each[0])]
            versions = [
                [window.begin, window.end, version, *((shown[0], encode(shown[1])) if shown else ())]
                for window, version, shown in self.versions.values()
            ]
            state = {"version": VERSION, "done": self.done, "entries": entries}
            return json.dumps(state | {"versions": versions})

    def restore(self, text: str) -> None:
        """Restore, in a new operator, the state that `to_json` returned.  Linear in the number of entries.

        Raises InputError for a state of another version.
        """
        with unlimited_digits():
            state = json.loads(text)
            if state.get("version") != VERSION:
                raise InputError(f"the state has version {state.get('version')}, but this swagproof needs {VERSION}")
            self.done, entries = state["done"], state["entries"]
            self.tree.bulk_insert([((t, arrival), (n, decode(v))) for t, arrival, n, v in entries])
            self.keys = [(t, arrival) for t, arrival, *_ in entries]
            for begin, end, version, *shown in state["versions"]:
                window = Stretch(begin, end, (begin,), (end,))
                self.versions[begin, end] = window, version, (shown[0], decode(shown[1])) if shown else None


def _ordered(element: Any) -> bool:
    parts = element if isinstance(element, tuple) else (element,)
    return all(part == part for part in parts)
