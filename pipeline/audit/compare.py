"""The comparison of expected with actual results, key by key.

A task, or the one process, receives the results and the events of a key as Arrow columns, and looks up the actual
result for each expected one.  A result that has the same text, or is within its bounds, is only counted;
`swagproof.pipeline.audit.judging` judges the others.
"""

import sys
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute

from swagproof.models.windows.kinds import Counted, Frame, Session, WindowSpec
from swagproof.models.windows.lateness import NEVER, late_for_first, slack
from swagproof.pipeline.audit.expected.compute import ExpectedResults, read_values
from swagproof.pipeline.audit.expected.plan import Chunk, Expected, Plan, Sink
from swagproof.pipeline.audit.judging import FINDING_KINDS, Claim, Pair, find_faults, make_row, stand
from swagproof.pipeline.audit.policy import MARKS
from swagproof.pipeline.batches import Batch, make_batch, names_of

compute: Any = pyarrow.compute  # its functions are created at run time

FOUND: Final = (
    "kind string, key string, a bigint, b bigint, expected string, low double, high double, got string, number double, "
    "copies bigint, n bigint, n_other bigint, role string, "
    "from_time bigint, from_arrival bigint, to_time bigint, to_arrival bigint, closes bigint, bad string, "
    "version bigint"
)
"""The columns of a finding.  n: the number of events that the window should have; n_other: the same if late events
are treated as `role` states.  kind: `bad` or `tied` for an unusable event, `outside` for a window that is not judged,
`undecided` if the watermark does not determine whether the result is right, `empty` for the result of an empty window,
`excused` for a result within the tolerance of the job's way to sum.  closes: the time at which the watermark has
passed the window.  version: the wrong one of several."""


SAID: Final = (*FINDING_KINDS, "open", "undecided", "empty", "excused", "outside", "bad", "tied")
"""The kinds of rows about a window or an event; other rows have counts."""


def closing_time(window: WindowSpec, a: int, b: int | None, last: int) -> int:
    """Return the time at which the watermark has passed a window, given the time of the window's last event."""
    match window:
        case Frame(unit, _, end):
            return a + 1 + (int(end or 0) if unit == "range" else 0)
        case Counted():
            return last + 1
        case _:
            assert b is not None
            return b + slack(window)


Place: TypeAlias = tuple[int, int]
"""The window's name in the results, (a, b); NEVER for a part that they do not state."""


class Claims:
    """The results of one key by the window that they name, in order; later ones stay in Arrow's form until needed."""

    def __init__(self) -> None:
        self._by_place: dict[Place, list[Claim]] = {}
        self._waiting: deque[tuple[Place, Batch]] = deque()

    def add(self, results: Batch) -> None:
        """Add results, none of which names an earlier window than the previous ones."""
        first = tuple(NEVER if (it := results[name][0].as_py()) is None else it for name in ("a", "b"))
        self._waiting.append(((first[0], first[1]), results))

    def take(self, place: Place) -> list[Claim] | None:
        """Return the results for a window, and forget them."""
        while self._waiting and self._waiting[0][0] <= place:
            self._read()
        return self._by_place.pop(place, None)

    def take_rest(self) -> Iterator[tuple[Place, list[Claim]]]:
        """Yield the results that were not taken."""
        while self._waiting:
            self._read()
        yield from self._by_place.items()
        self._by_place.clear()

    def _read(self) -> None:
        _, results = self._waiting.popleft()
        names = [name for name in ("version", "retraction") if name in results.schema.names]
        columns = [results[name].to_pylist() for name in ("a", "b", "got", "number", *names)]
        if "retraction" in names and "version" not in names:
            columns.insert(4, [None] * results.num_rows)
        for a, b, *said in zip(*columns, strict=True):
            place = NEVER if a is None else a, NEVER if b is None else b
            held = self._by_place.get(place)
            if held is None:
                self._by_place[place] = [Claim(*said)]
            else:
                held.append(Claim(*said))


class Comparing:
    """The comparison of expected and actual results, one key after the other; `rows` are the findings, with the columns
    of `FOUND`.

    All results of a key come first, then its events.  Results that certainly agree are only counted.
    """

    def __init__(self, plan: Plan, final: int | None, delay: int | None) -> None:
        self.final, self.delay = final, delay
        self.rows: list[dict[str, Any]] = []
        self.due = self.late = 0
        """The number of results expected so far, and the number of events that were late for a window."""
        self._plan = plan
        self._parts = _make_parts(plan)
        self._key = ""
        self._block: int | None = None
        self._claims = Claims()
        self._read: Read = lambda _side: iter(())
        self._others: dict[str, dict[tuple[int | None, int | None], Expected]] = {}
        """The expected results if late events are treated otherwise, by role; computed when needed."""
        self._pairs: list[Pair] = []
        self._waits = bool(plan.roles) or delay is not None
        self._n, self._last, self._found = 0, NEVER, 0
        self._by_a, self._by_b = "a" in plan.on, "b" in plan.on

    def begin(self, key: str, block: int | None = None) -> None:
        """Begin the next key, or its next block of time."""
        self._key, self._block = key, block
        for part in self._parts.values():
            part.begin(key, block)

    def add_results(self, results: Batch) -> None:
        """Add results of the key."""
        self._claims.add(results)

    def add_events(self, side: int, values: list[Any], chunk: Chunk) -> None:
        """Add events of the key: in the order of time, or (side 2) in that of their arrival."""
        part = self._parts[side]
        if side == 1:
            owned, own = part.sink.owned, slice(None)
            if owned is not None:
                own = slice(*np.searchsorted(chunk.times, (owned.start, owned.stop)).tolist())
            self._n += len(chunk.times[own])
            self._last = int(chunk.times[-1])
            if chunk.watermark is not None:
                times, behind = chunk.times[own], self._plan.behind
                until = late_for_first(self._plan.window, times) if behind is None else times + behind
                self.late += int(np.count_nonzero(until <= chunk.watermark[own]))
        part.feed(values, chunk)
        if len(part.sink.rows) >= _AT_ONCE:
            self._compare(part.sink)

    def finish(self, read: "Read") -> None:
        """End the key; `read` yields its events again, to compute results with late events treated otherwise."""
        self._read = read
        for part in self._parts.values():
            part.finish()
            self._compare(part.sink)
        for (a, b), claims in self._claims.take_rest():
            nothing = Expected(self._key, None if a == NEVER else a, None if b == NEVER else b, None)
            self._pairs.append(Pair(nothing, stand(self._plan, claims)))
        self._settle()
        if self._found:
            self.rows.append({"kind": "size", "key": self._key, "n": self._n})
        self._others.clear()
        self._n, self._last, self._found = 0, NEVER, 0

    def _compare(self, sink: Sink) -> None:
        """Pair expected results with the actual ones."""
        take, by_a, by_b = self._claims.take, self._by_a, self._by_b
        span = self._plan.span
        for due in sink.rows:
            a: Any = due.a
            b: Any = due.b
            if due.role == "policy":
                self.due += span is None or span.covers(a, b)
                claims = take((a if by_a else NEVER, NEVER if b is None or not by_b else b))
                if claims is not None and due.copies == len(claims) and not due.choices:
                    got, number, _, back = claims[0]
                    text, low, high, _ = due.answer
                    between = low is not None and high is not None and number is not None and low <= number <= high
                    once = len(claims) == 1 or claims.count(claims[0]) == len(claims)
                    if (got == text if number is None else between) and once and not back:
                        continue
                self._pairs.append(Pair(due, None if claims is None else stand(self._plan, claims)))
            else:
                self.rows.append(make_row(due, str(due.role)))
        sink.rows.clear()
        if not self._waits:
            self._settle()

    def _settle(self) -> None:
        """Judge the pairs that do not certainly agree."""
        final = self.final if self.delay is None else self._last - self.delay
        window, span = self._plan.window, self._plan.span
        for pair in self._pairs:
            due = pair.due
            pair.find_other = partial(self._find_other, (due.a, due.b))
            if due.n is not None and due.a is not None:
                pair.closes = closing_time(window, due.a, due.b, due.last[0] if due.last is not None else NEVER)
            open_still = final is not None and pair.closes is not None and pair.closes > final
            pair.shown_early = open_still and self._plan.versions == "early"
            for fault in find_faults(self._plan, pair):
                if open_still and fault["copies"] == 0:
                    fault["kind"] = "open"
                if span is not None and not span.covers(due.a, due.b):
                    fault["kind"] = "outside"
                self._found += fault["kind"] in FINDING_KINDS
                self.rows.append(fault)
        self._pairs.clear()

    def _find_other(self, place: tuple[int | None, int | None], role: str) -> Expected | None:
        """Return the expected result for this window in another of the plan's roles."""
        if role not in self._others:
            plan = replace(self._plan, lateness=None if role == "all" else 0, versions="last")
            found = self._others[role] = {}
            for side, part in _make_parts(plan).items():
                part.begin(self._key, self._block)
                for values, chunk in self._read(side):
                    part.feed(values, chunk)
                part.finish()
                found |= {(due.a, due.b): due for due in part.sink.rows if due.role == "policy"}
        return self._others[role].get(place)


Read: TypeAlias = Callable[[int], Iterator[tuple[list[Any], Chunk]]]
"""A function that yields the events of a key: in the order of time (1), or of arrival (2)."""


def _make_parts(plan: Plan) -> dict[int, ExpectedResults]:
    """Return the computation of expected results for each order of events that is needed."""
    parts = {1: ExpectedResults(plan)}
    if isinstance(plan.window, Session) and plan.watermarks:
        parts[2] = ExpectedResults(replace(plan, arriving=True))
    return parts


_AT_ONCE: Final = 16_384


def compare_tables(events: Any, results: Any, plan: Plan, final: int | None, delay: int | None) -> Iterator[Batch]:
    """Yield the findings about both tables, key by key, with the columns of `FOUND`.

    Events have key, time, arrival, those of `MARKS` and v0, ...; results have key, a, b, got, number, and version and
    retraction if there are any; both have block if keys are in blocks of time.  Keys are dictionary-encoded.

    A row of kind `size` has the number of events of a key with findings; the last row, of kind `tally`, has the
    numbers of expected results (n) and of late events (n_other).
    """
    sys.set_int_max_str_digits(0)  # Python limits the digits of an integer by default; see `audit`
    comparing = Comparing(plan, final, delay)
    codes, of_results, keys = unify_keys(events, results)
    first, width = 0, 1
    if plan.block is not None:
        blocks, blocks_there = events["block"].to_numpy(), results["block"].to_numpy()
        both = np.concatenate((blocks, blocks_there))
        first, width = (int(both.min()), int(np.ptp(both)) + 1) if len(both) else (0, 1)
        codes, of_results = codes * width + (blocks - first), of_results * width + (blocks_there - first)
    orders = {1: ("time", "arrival"), 2: ("arrival", "time")}
    sides = {side: _Events(events, codes, orders[side], plan) for side in _make_parts(plan)}
    order = _sort(of_results, *(results[name].fill_null(NEVER).to_numpy() for name in ("a", "b")))
    there = results.take(pa.array(order)).combine_chunks()
    groups = np.union1d(codes, of_results)
    places = zip(groups.tolist(), _find(groups, of_results[order]), _find(groups, np.sort(codes)), strict=True)
    for group, (i, j), (first_event, end) in places:
        comparing.begin(keys[group // width].as_py(), None if plan.block is None else first + group % width)
        for start in range(i, j, JUDGED):
            comparing.add_results(there.slice(start, min(JUDGED, j - start)))
        read = partial(_read_side, sides, first_event, end)
        for side in sides:
            for values, chunk in read(side):
                comparing.add_events(side, values, chunk)
        comparing.finish(read)
        if len(comparing.rows) >= _AT_ONCE:
            yield _flush(comparing.rows)
    comparing.rows.append({"kind": "tally", "n": comparing.due, "n_other": comparing.late})
    yield _flush(comparing.rows)


def _read_side(sides: "dict[int, _Events]", i: int, j: int, side: int) -> Iterator[tuple[list[Any], Chunk]]:
    return sides[side].read(i, j)


def _flush(rows: list[dict[str, Any]]) -> Batch:
    batch = make_batch(FOUND, [[row.get(name) for name in names_of(FOUND)] for row in rows])
    rows.clear()
    return batch


class _Events:
    """Events in the order of comparison; their values are read in batches."""

    def __init__(self, events: Any, groups: Any, names: tuple[str, str], plan: Plan) -> None:
        order = _sort(groups, *(events[name].to_numpy() for name in names))
        self._rows, self._plan = events.take(pa.array(order)).combine_chunks(), plan
        self._times, self._arrivals = (self._rows[name].to_numpy() for name in ("time", "arrival"))
        self._marks = {name: self._rows[name].to_numpy() for name in MARKS if name in events.column_names}
        self._at, self._values = 0, list[Any]()

    def read(self, i: int, j: int) -> Iterator[tuple[list[Any], Chunk]]:
        """Yield the events i to j - 1: their values, and their other columns."""
        for start in range(i, j, JUDGED):
            some = slice(start, min(j, start + JUDGED))
            if not self._at <= some.start <= some.stop <= self._at + len(self._values):
                self._at, rows = start, self._rows.slice(start, JUDGED)
                self._values = read_values(rows, self._plan.kinds, partly=self._plan.aggregation.partly)
            marks = {name: column[some] for name, column in self._marks.items()}
            values = self._values[some.start - self._at : some.stop - self._at]
            yield values, Chunk(self._times[some], self._arrivals[some], [], **marks)


JUDGED: Final = 16_384
"""The number of rows that are judged together."""


def unify_keys(events: Any, results: Any) -> tuple[Any, Any, Any]:
    """Return the keys of both tables as numbers, and the key of each number."""
    keys = pa.chunked_array([rows["key"].combine_chunks() for rows in (events, results)]).unify_dictionaries()
    codes = [chunk.indices.to_numpy().astype(np.int64) for chunk in keys.chunks]
    return codes[0], codes[1], keys.chunk(0).dictionary


def _find(groups: Any, ordered: Any) -> Iterator[tuple[int, int]]:
    """Yield the first and the end index of each group in sorted rows."""
    left, right = (np.searchsorted(ordered, groups, side=side).tolist() for side in ("left", "right"))
    return zip(left, right, strict=True)


def _sort(groups: Any, first: Any, second: Any) -> Any:
    """Return the order by three columns; fast for rows that are already sorted."""
    n = len(first)
    if n and np.all((first[1:] > first[:-1]) | ((first[1:] == first[:-1]) & (second[1:] >= second[:-1]))):
        order = np.arange(n)
    else:
        order = np.lexsort((second, first))
    of = groups[order]
    narrow = of.astype(np.uint16) if n and of.max() < 2**16 else of  # a radix sort
    return order[np.argsort(narrow, kind="stable")]
