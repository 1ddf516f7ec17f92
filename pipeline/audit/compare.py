"""Results that are due beside results that are there, key by key.

Both sides meet key by key: a task, or the one process, is handed the results and the events of a key as Arrow columns,
and looks each result up when it is due.  What agrees to the letter, or lies between two floats, is only counted; the
rest is judged by `swagproof.pipeline.audit.judging`.
"""

import sys
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final, TypeAlias

import numpy as np
import pyarrow.compute

from swagproof.models.windows.kinds import Counted, Frame, Session, WindowSpec
from swagproof.models.windows.lateness import NEVER, late_for_first, slack
from swagproof.pipeline.audit.due.expected import Due, read_values
from swagproof.pipeline.audit.due.plan import EXPECTED, Chunk, Plan, Sink
from swagproof.pipeline.audit.judging import FINDING_KINDS, OTHERS, Claim, Judge, find_faults, stand
from swagproof.pipeline.audit.policy import MARKS
from swagproof.pipeline.batches import Batch, make_batch, names_of

compute: Any = pyarrow.compute  # its functions are made at run time

FOUND: Final = (
    "kind string, key string, a bigint, b bigint, expected string, low double, high double, got string, number double, "
    "copies bigint, n bigint, n_other bigint, role string, "
    "from_time bigint, from_arrival bigint, to_time bigint, to_arrival bigint, closes bigint, bad string, "
    "choices string, version bigint"
)
"""The columns of a finding before it is told: n events are due, n_other where late ones were treated as `role` says;
kind is `bad` or `tied` for an event that could not be used, `outside` for a window that is not judged, and `undecided`
where the watermark leaves it open whether the result is right: it is one of its choices; `empty` for one of nothing,
and `excused` for one that is off by no more than the way in which the job sums allows.  closes: when the watermark has
passed the window.  version: which of several is wrong."""


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
"""The name of a window in the results; NEVER where they do not give it."""


class Claims:
    """The results of one key, by the window that they name, in its order; what is far off waits in Arrow's form."""

    def __init__(self) -> None:
        self._by_place: dict[Place, list[Claim]] = {}
        self._waiting: deque[tuple[Place, Batch]] = deque()

    def add(self, results: Batch) -> None:
        """More results, none of which names a window before those that were: time and arrival are a and b."""
        first = tuple(NEVER if (it := results.column(name)[0].as_py()) is None else it for name in ("time", "arrival"))
        self._waiting.append(((first[0], first[1]), results))

    def take(self, place: Place) -> list[Claim] | None:
        """Return what is there for a window, which is then forgotten."""
        while self._waiting and self._waiting[0][0] <= place:
            self._read()
        return self._by_place.pop(place, None)

    def take_rest(self) -> Iterator[tuple[Place, list[Claim]]]:
        """Yield what nobody took."""
        while self._waiting:
            self._read()
        yield from self._by_place.items()
        self._by_place.clear()

    def _read(self) -> None:
        _, results = self._waiting.popleft()
        names = [name for name in ("version", "retraction") if name in results.schema.names]
        columns = [results.column(name).to_pylist() for name in ("time", "arrival", "got", "number", *names)]
        if "retraction" in names and "version" not in names:
            columns.insert(4, [None] * results.num_rows)
        for a, b, *said in zip(*columns, strict=True):
            place = NEVER if a is None else a, NEVER if b is None else b
            held = self._by_place.get(place)
            if held is None:
                self._by_place[place] = [Claim(*said)]
            else:
                held.append(Claim(*said))


_NONE_DUE: Final = dict.fromkeys((*EXPECTED, "closes"))


class Comparing:
    """The comparison of expected and actual results, one key after the other; `rows` are the findings, in the form of
    `FOUND`.

    All results of a key come first, then its events.  Results that agree beyond doubt are only counted.
    """

    def __init__(self, plan: Plan, judge: Judge, final: int | None, delay: int | None) -> None:
        self.judge, self.final, self.delay = judge, final, delay
        self.rows: list[dict[str, Any]] = []
        self.due = self.late = 0
        """The number of results expected so far, and the number of events that were late for a window."""
        self._plan = plan
        self._parts = {1: Due(plan)}
        if isinstance(plan.window, Session) and plan.watermarks:
            self._parts[2] = Due(replace(plan, arriving=True))
        self._key: tuple[str, int | None] | None = None
        self._claims = Claims()
        self._others: dict[tuple[int | None, int | None], dict[str, Any]] = {}
        self._pairs: list[dict[str, Any]] = []
        self._waits = bool(judge.roles) or delay is not None
        self._n, self._last, self._found = 0, NEVER, 0
        self._by_a, self._by_b = "a" in judge.on, "b" in judge.on

    def begin(self, key: str, block: int | None = None) -> None:
        """The next key, or its next block of time."""
        if self._key != (key, block):
            self.finish()
            self._key = key, block
            for part in self._parts.values():
                part.begin(key, block)

    def add_results(self, results: Batch) -> None:
        """Results of the key."""
        self._claims.add(results)

    def add_events(self, side: int, values: list[Any], chunk: Chunk) -> None:
        """Events of the key: in the order of time, or (side 2) in that of their arrival."""
        part = self._parts[side]
        if side == 1:
            owned = part.sink.owned
            own = slice(None)
            if owned is not None:
                own = slice(*np.searchsorted(chunk.times, (owned.start, owned.stop)).tolist())
            self._n += len(chunk.times[own])
            self._last = int(chunk.times[-1])
            if chunk.watermark is not None:
                times, behind = chunk.times[own], self._plan.behind
                until = late_for_first(self._plan.window, times) if behind is None else times + behind
                late = until <= chunk.watermark[own]
                self.late += int(np.count_nonzero(late))
        part.feed(values, chunk)
        if len(part.sink.rows) >= _AT_ONCE:
            self._compare(part.sink)

    def finish(self) -> None:
        """The key has no more events."""
        if self._key is None:
            return
        for part in self._parts.values():
            part.finish()
            self._compare(part.sink)
        for (a, b), claims in self._claims.take_rest():
            place = {"a": None if a == NEVER else a, "b": None if b == NEVER else b}
            self._pairs.append({**_NONE_DUE, "key": self._key[0], **place, **stand(self.judge, claims)})
        self._settle()
        if self._found:
            self.rows.append({"kind": "size", "key": self._key[0], "n": self._n})
        self._others.clear()
        self._key, self._n, self._last, self._found = None, 0, NEVER, 0

    def _compare(self, sink: Sink) -> None:
        """Results that are due, with what is there for them."""
        take, by_a, by_b = self._claims.take, self._by_a, self._by_b
        span = self._plan.span
        agreed: set[tuple[int | None, int | None]] = set()
        for row in sink.rows:
            a, b, role, text, low, high, copies, choices = *row[1:7], row[8], row[14]
            if role == "policy":
                self.due += span is None or span.covers(a, b)
                claims = take((a if by_a else NEVER, NEVER if b is None or not by_b else b))
                if claims is not None and copies == len(claims) and choices is None:
                    got, number, _, back = claims[0]
                    if (got == text if number is None else low is not None and low <= number <= high) and (
                        (copies == 1 and not back) or (copies > 1 and claims.count(claims[0]) == copies and not back)
                    ):
                        if self._waits:
                            agreed.add((a, b))
                            self._others.pop((a, b), None)
                        continue
                there = _NOTHING_THERE if claims is None else stand(self.judge, claims)
                self._pairs.append({**dict(zip(EXPECTED, row, strict=True)), **there})
            elif role in OTHERS:
                if (a, b) not in agreed and role in self.judge.roles:
                    self._others.setdefault((a, b), {})[role] = row
            else:
                kind = "bad" if role == "bad" else "tied"
                self.rows.append({**dict(zip(EXPECTED, row, strict=True)), "kind": kind})
        sink.rows.clear()
        if not self._waits:
            self._settle()

    def _settle(self) -> None:
        """Find what is wrong about the pairs that do not agree at once."""
        final = self.final if self.delay is None else self._last - self.delay
        window, span = self._plan.window, self._plan.span
        for pair in self._pairs:
            others = self._others.get((pair["a"], pair["b"]), {})
            for i, role in enumerate(OTHERS):
                row = others.get(role)
                pair[f"there{i}"] = row is not None
                for name, at in (("expected", 4), ("low", 5), ("high", 6), ("n", 7)):
                    pair[f"{name}{i}"] = None if row is None else row[at]
            if pair["n"] is not None:
                pair["closes"] = closing_time(window, pair["a"], pair["b"], pair["to_time"])
            open_still = final is not None and pair["n"] is not None and pair["closes"] > final
            pair["shown_early"] = open_still and self._plan.versions == "early"
            for fault in find_faults(self.judge, pair):
                if open_still and fault["copies"] == 0:
                    fault["kind"] = "open"
                if span is not None and not span.covers(pair["a"], pair["b"]):
                    fault["kind"] = "outside"
                self._found += fault["kind"] in FINDING_KINDS
                self.rows.append(fault)
        self._pairs.clear()


_NOTHING_THERE: Final = {
    "copies_got": None,
    "least": None,
    "most": None,
    "between": (),
    "unsaid": None,
    "history": None,
}
_AT_ONCE: Final = 16_384


def make_mapper(
    plan: Plan, judge: Judge, final: int | None, delay: int | None
) -> Callable[[Iterator[Batch]], Iterator[Batch]]:
    """The mapper: batches of both tables to what is found, as `FOUND` has it.

    They have key, side, time, arrival; of events (side 1, in the order of time, or 2, of arrival) those of `MARKS` and
    v0, ...; of results (side 0, whose time and arrival are a and b) got, number, and version and retraction where there
    are; block, where a key is in blocks of time.  They come in the order of key, block, side, time and arrival.

    Rows of kind `size` say how many events a key with findings has; the last one, of kind `tally`, how many results
    were due (n) and how many events were late (n_other).
    """
    names = names_of(FOUND)

    def mapper(batches: Iterator[Batch]) -> Iterator[Batch]:
        sys.set_int_max_str_digits(0)  # a product of many integers has more than Python writes unasked; see `audit`
        comparing = Comparing(plan, judge, final, delay)

        def flush() -> Batch:
            batch = make_batch(FOUND, [[row.get(name) for name in names] for row in comparing.rows])
            comparing.rows.clear()
            return batch

        for batch in batches:
            if batch.num_rows:
                _feed(comparing, plan, batch)
            if len(comparing.rows) >= _AT_ONCE:
                yield flush()
        comparing.finish()
        comparing.rows.append({"kind": "tally", "n": comparing.due, "n_other": comparing.late})
        yield flush()

    return mapper


def _feed(comparing: Comparing, plan: Plan, batch: Batch) -> None:
    """Cut a batch where its key, block or side changes."""
    keys, sides = batch.column("key"), batch.column("side").to_numpy()
    blocks = None if plan.block is None else batch.column("block").to_numpy()
    changes = (sides[1:] != sides[:-1]) | _changes(keys)
    if blocks is not None:
        changes |= blocks[1:] != blocks[:-1]
    cuts = [0, *(np.flatnonzero(changes) + 1).tolist(), batch.num_rows]
    events = batch if sides.all() else batch.filter(compute.not_equal(batch.column("side"), 0))
    times, arrivals = events.column("time").to_numpy(), events.column("arrival").to_numpy()
    marks = {name: events.column(name).to_numpy() for name in MARKS if name in batch.schema.names}
    values = read_values(events, plan.kinds, partly=plan.aggregation.partly)
    at = 0
    for i, j in pairwise(cuts):
        comparing.begin(keys[i].as_py(), None if blocks is None else int(blocks[i]))
        side = int(sides[i])
        if side == 0:
            comparing.add_results(batch.slice(i, j - i))
            continue
        of, at = slice(at, at + j - i), at + j - i
        moments = (times[of], arrivals[of]) if side == 1 else (arrivals[of], times[of])
        chunk = Chunk(*moments, [], **{name: column[of] for name, column in marks.items()})
        comparing.add_events(side, values[of] if j - i < len(values) else values, chunk)


def _changes(keys: Any) -> Any:
    """Return a mask of the rows whose key differs from the row before."""
    if hasattr(keys, "indices"):
        codes = keys.indices.to_numpy()
        return codes[1:] != codes[:-1]
    return compute.not_equal(keys.slice(1), keys.slice(0, len(keys) - 1)).to_numpy(zero_copy_only=False)
