"""Results that are due beside results that are there: what is missing, extra, wrong, twice, or right but for the late.

| kind | when |
|---|---|
| `missing` | a result is due and none is there |
| `extra` | a result is there and none is due |
| `wrong` | the result for a window is another than the one that is due |
| `duplicate` | a window has more results than one (of one version; that stand after retractions) |
| `late-differing` | one of the first three, but right if late events were treated in another way than the policy says |

Both sides meet key by key: a task, or the one process, is handed the results and the events of a key as Arrow columns,
and looks each result up when it is due.  What agrees to the letter, or lies between two floats, is only counted; the
rest is judged by `swagproof.pipeline.audit.rules`.
"""

import json
import math
import re
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np
import pyarrow.compute

from swagproof.models.windows.kinds import Calendar, Counted, Frame, Session, Sliding, WindowSpec
from swagproof.models.windows.lateness import NEVER, late_for_first, slack
from swagproof.pipeline.audit.due.expected import Due, read_values
from swagproof.pipeline.audit.due.plan import EXPECTED, Chunk, Plan, Sink
from swagproof.pipeline.audit.policy import MARKS
from swagproof.pipeline.audit.rules import Aggregation, Answer, Kind
from swagproof.pipeline.batches import Batch, make_batch, names_of

compute: Any = pyarrow.compute  # its functions are made at run time

FindingKind: TypeAlias = Literal["missing", "extra", "wrong", "duplicate", "late-differing"]
FINDING_KINDS: Final[tuple[FindingKind, ...]] = ("missing", "extra", "wrong", "duplicate", "late-differing")

FOUND: Final = (
    "kind string, key string, a bigint, b bigint, expected string, low double, high double, got string, number double, "
    "copies bigint, n bigint, n_other bigint, role string, "
    "from_time bigint, from_arrival bigint, to_time bigint, to_arrival bigint, closes bigint, bad string, "
    "choices string, version bigint"
)
"""The columns of a finding before it is told: n events are due, n_other where late ones were treated as `role` says;
kind is `bad` or `tied` for an event that could not be used, and `undecided` where the watermark leaves it open whether
the result is right: it is one of its choices; `empty` for one of nothing, and `excused` for one that is off by no more
than the way in which the job sums allows.  closes: when the watermark has passed the window.  version: which of
several is wrong."""

_OTHERS: Final = ("all", "on-time")


Empty: TypeAlias = Literal["absent", "null", "zero", "any"]
"""What a job writes for a window without a value: no row, and NULL where it has events, as SQL does; NULL (or NaN); 0;
any of these."""

_ZERO: Final = re.compile(r"[+-]?0+(\.0*)?([eE][+-]?\d+)?")


@dataclass(frozen=True)
class Judge:
    """All that a worker needs to judge a pair of results."""

    aggregation: Aggregation
    kind: Kind
    sparse: bool
    """Whether other roles are given only where they differ from the policy's."""
    roles: tuple[str, ...]
    """Which other roles there are."""
    empty: Empty = "absent"
    window: WindowSpec | None = None
    """For which windows a result of nothing may be."""
    on: tuple[str, ...] = ("a", "b")
    """Which of a and b the results name a window by."""
    versioned: bool = False
    """Whether the last version of a result is the one that stands."""
    retractions: bool = False
    """Whether results take back earlier ones."""

    def is_empty(self, it: "Claim", *, a: Any = None, b: Any = None) -> bool:
        """Whether a result says, as the job says it, that there is no value; in this window, where it is named."""
        if (
            isinstance(self.window, Sliding | Calendar)
            and (a is not None or b is not None)
            and not self.window.has(a, b)
        ):
            return False
        number, got = it.number, it.got
        null = got is None and (number is None or number != number)
        zero = number == 0 or (number is None and got is not None and _ZERO.fullmatch(got) is not None)
        zero = zero or (number is None and got in ("", "[]"))
        return (null and self.empty in ("null", "any")) or (zero and self.empty in ("zero", "any"))


def closing_time(window: WindowSpec, a: int, b: int | None, last: int) -> int:
    """When the watermark has passed a window that is due, whose last event has this time: at that time."""
    match window:
        case Frame(unit, _, end):
            return a + 1 + (int(end or 0) if unit == "range" else 0)
        case Counted():
            return last + 1
        case _:
            assert b is not None
            return b + slack(window)


class Claim(NamedTuple):
    """A result as the job wrote it."""

    got: str | None
    number: float | None
    version: int | None = None
    back: bool = False
    """Whether it takes an earlier one back."""


Place: TypeAlias = tuple[int, int]
"""What a window is called by the results; NEVER where they do not say."""


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
        """What is there for a window, which is then forgotten."""
        while self._waiting and self._waiting[0][0] <= place:
            self._read()
        return self._by_place.pop(place, None)

    def take_rest(self) -> Iterator[tuple[Place, list[Claim]]]:
        """What nobody took."""
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


def stand(judge: Judge, claims: Sequence[Claim]) -> dict[str, Any]:
    """What is there for a window: how many results, and the one that stands, or the least and the greatest of several.

    `history`: where more than one was ever said, all of them, by version where there are versions.
    """
    copies, least, most, unsaid, history = len(claims), claims[0], claims[0], None, None
    if judge.retractions:
        net: Counter[Claim] = Counter()
        said: dict[Claim, Claim] = {}  # each once, but for versions, which may come back to what was
        for claim in claims:
            it = Claim(claim.got, math.nan if claim.number != claim.number else claim.number)
            net[it] += -1 if claim.back else 1
            if not claim.back:
                said[it if claim.version is None else claim] = claim
        standing = sorted((it for it, n in net.items() if n > 0), key=_rank)
        unsaid = min((it for it, n in net.items() if n < 0), key=_rank, default=None)
        copies = sum(n for n in net.values() if n > 0)
        nothing = Claim(None, None)
        least, most = (standing[0], standing[-1]) if standing else (nothing, nothing)
        history = sorted(said.values(), key=_rank) if len(said) > 1 else None
    elif judge.versioned:
        versions = {claim.version for claim in claims}
        copies -= len(versions) - 1
        least = most = max(claims, key=_rank)
        history = sorted(claims, key=_rank) if len(versions) > 1 else None
    elif copies > 1:
        least, most = min(claims, key=_rank), max(claims, key=_rank)
    return {"copies_got": copies, "least": least, "most": most, "unsaid": unsaid, "history": history}


def _rank(claim: Claim) -> tuple[Any, ...]:
    """By version, then by what is said: null first, NaN last."""
    number = claim.number
    beyond = number is not None and number != number
    return (
        claim.version is not None, claim.version or 0, claim.got is not None, claim.got or "",
        number is not None, beyond, 0.0 if beyond else number or 0.0,
    )  # fmt: skip


_NONE_DUE: Final = dict.fromkeys((*EXPECTED, "closes"))


class Comparing:
    """What is due beside what is there, one key after the other; `rows` are what is found, as `FOUND` has it.

    Of a key all results come first, then its events.  What agrees beyond doubt is only counted.
    """

    def __init__(self, plan: Plan, judge: Judge, final: int | None, delay: int | None) -> None:
        self.judge, self.final, self.delay = judge, final, delay
        self.rows: list[dict[str, Any]] = []
        self.due = self.late = 0
        """How many results were due so far, and how many events were late for a window."""
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
                late = late_for_first(self._plan.window, chunk.times[own]) <= chunk.watermark[own]
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
        agreed: set[tuple[int | None, int | None]] = set()
        for row in sink.rows:
            a, b, role, text, low, high, copies, choices = *row[1:7], row[8], row[14]
            if role == "policy":
                self.due += 1
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
            elif role in _OTHERS:
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
        window = self._plan.window
        for pair in self._pairs:
            others = self._others.get((pair["a"], pair["b"]), {})
            for i, role in enumerate(_OTHERS):
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
                self._found += fault["kind"] in FINDING_KINDS
                self.rows.append(fault)
        self._pairs.clear()


_NOTHING_THERE: Final = {"copies_got": None, "least": None, "most": None, "unsaid": None, "history": None}
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
    values = read_values(events, plan.kinds)
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
    """Where a key is another than the one before."""
    if hasattr(keys, "indices"):
        codes = keys.indices.to_numpy()
        return codes[1:] != codes[:-1]
    return compute.not_equal(keys.slice(1), keys.slice(0, len(keys) - 1)).to_numpy(zero_copy_only=False)


def find_faults(judge: Judge, pair: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What is wrong about a pair: no finding, one, or more where a window has several results and wrong ones."""
    copies: int = pair["copies_got"] or 0
    choices = _read_answers(pair["choices"])
    if pair["unsaid"] is not None:
        yield {**pair, **_result(pair["unsaid"]), "kind": "wrong", "role": "retraction"}
    yield from _find_wrong_versions(judge, pair, choices)
    if not copies:
        if pair["role"] is not None:
            undecided = None in choices
            if pair["expected"] is None and pair["n"] is not None and judge.empty == "any":
                yield {**pair, "got": None, "number": None, "kind": "empty", "role": None}
            else:
                yield {**pair, "got": None, **(_undecided(0) if undecided else _explain_missing(judge, pair))}
        return
    least: Claim = pair["least"]
    most: Claim = pair["most"]
    told = {**pair, **_result(least), "copies": copies}
    if pair["role"] is None:
        empty = copies == 1 and judge.is_empty(least, a=pair["a"], b=pair["b"])
        yield {**told, "kind": "empty"} if empty else {**told, **_explain_unexpected(judge, pair, least, "extra")}
        return
    if copies == 1 and pair["expected"] is None and not choices and judge.is_empty(least):
        if not _agrees(judge, _due(pair, ""), least):
            yield {**told, "kind": "empty", "role": None}
        return
    right = [choice for choice in choices if choice is not None] or [_due(pair, "")]
    if pair["shown_early"]:  # what stands is what had come by then, and the job would have gone on
        right += [one for one in _read_answers(pair["versions"]) if one is not None]
    wrong = next((it for it in (least, most) if not any(_agrees(judge, due, it) for due in right)), None)
    if wrong is not None and judge.aggregation.is_excused(_due(pair, ""), wrong.number):
        yield {**told, **_result(wrong), "kind": "excused", "role": None}
    elif wrong is not None:
        yield {**told, **_result(wrong), **_explain_unexpected(judge, pair, wrong, "wrong")}
    elif choices:
        yield {**told, **_undecided(copies)}
    allowed: int = pair["copies"]
    if copies > allowed:
        yield {**told, "kind": "duplicate", "role": None}
    elif 1 < copies < allowed:
        yield {**told, "kind": "missing", "role": None}


def _find_wrong_versions(judge: Judge, pair: dict[str, Any], choices: list[Answer | None]) -> Iterator[dict[str, Any]]:
    """Versions before the last that no events which had come by then give, those that they give in another order too.

    Where nothing tells their order, each has to be one of those that may come.  The last is judged as the result that
    stands; where that may be an early one, it is older than none before it.
    """
    if pair["history"] is None or pair["role"] is None:
        return
    due = [*_read_answers(pair["versions"]), *(choices or [_due(pair, "")])]
    at = 0
    said: list[Claim] = pair["history"]
    ordered = all(claim.version is not None for claim in said)
    last = said[-1].version
    for it in said:
        stands = ordered and it.version == last
        if stands and not pair["shown_early"]:
            break
        fitting = [i for i, one in enumerate(due) if one is not None and _agrees(judge, one, it)]
        found = next((i for i in fitting if not ordered or i >= at), None)
        if stands:
            if found is None and fitting:
                yield {**pair, **_result(it), "kind": "wrong", "role": "version", "version": it.version}
            break
        if found is None:
            yield {**pair, **_result(it), "kind": "wrong", "role": "version", "version": it.version}
        else:
            at = found


def _undecided(copies: int) -> dict[str, Any]:
    return {"kind": "undecided", "role": None, "number": None, "copies": copies}


def _read_answers(text: str | None) -> list[Answer | None]:
    return [] if text is None else [None if one is None else Answer(*one) for one in json.loads(text)]


def _result(it: Claim) -> dict[str, Any]:
    return {"got": it.got, "number": it.number}


def _due(pair: dict[str, Any], suffix: str) -> Answer:
    slack = pair.get("slack") if not suffix else None
    return Answer(pair[f"expected{suffix}"], pair[f"low{suffix}"], pair[f"high{suffix}"], slack or 0.0)


def _agrees(judge: Judge, due: Answer, it: Claim) -> bool:
    return judge.aggregation.agrees(due, it.got, it.number, judge.kind)


def _explain_missing(judge: Judge, pair: dict[str, Any]) -> dict[str, Any]:
    """Missing; or nothing would be due if late events were treated in another way."""
    for i, role in enumerate(_OTHERS):
        if role in judge.roles:
            there = pair[f"there{i}"]
            absent = there and pair[f"n{i}"] is None if judge.sparse else not there
            if absent:
                return {"kind": "late-differing", "role": role, "n_other": 0, "number": None, "copies": 0}
    return {"kind": "missing", "role": None, "number": None, "copies": 0}


def _explain_unexpected(judge: Judge, pair: dict[str, Any], it: Claim, kind: FindingKind) -> dict[str, Any]:
    """Of this kind; or right if late events were treated in another way."""
    for i, role in enumerate(_OTHERS):
        if pair[f"there{i}"] and pair[f"n{i}"] is not None and _agrees(judge, _due(pair, str(i)), it):
            return {"kind": "late-differing", "role": role, "n_other": pair[f"n{i}"]}
    return {"kind": kind, "role": None}


def is_sparse(window: WindowSpec) -> bool:
    """Whether other roles than the policy's are given only where they differ (see `audit.due.expected`)."""
    return isinstance(window, Sliding | Calendar)
