"""Recordings for tests: traces with the answers of the definition, some with faults."""

import json
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from swagproof.models.fifo import FifoWindow
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.models.shared import SharedWindows
from swagproof.oracle.domain import Domain, domain
from swagproof.oracle.trace import asks, parse
from swagproof.oracle.vectors.written import answer_queries
from swagproof.oracle.window import VALUE, WINDOWS
from swagproof.pipeline.recordings.judges import Judged
from swagproof.pipeline.recordings.layout import ABSENT
from swagproof.pipeline.recordings.standing import judge_files

Record = dict[str, Any]

ASKING = ("query", "range_query", "lookup")
SUM, CONCATENATION = domain("sum"), domain("concatenation")


def record(trace: str, window: Any, steps: Iterable[tuple[str, Record]], over: Domain = CONCATENATION) -> list[Record]:
    """Return records of operations, each with its cells, and the answers of a window by definition."""
    rows: list[Record] = []
    for seq, (name, cells) in enumerate(steps):
        given = [over.operation.lift(x) if cell == "value" else x for cell, x in cells.items()]
        answer = getattr(window, name)(*given)
        rows.append({"trace": trace, "seq": seq, "op": name, **cells, **({"answer": answer} if name in ASKING else {})})
    return rows


def fifo(trace: str, operations: Iterable[str], over: Domain = SUM, element: Any = None) -> list[Record]:
    """Return a trace of i(nsert), e(vict) and q(uery), with its right answers."""
    letters = over.elements.letters
    values = (letters[seq % len(letters)] if element is None else element for seq in count())
    steps = [
        ({"i": "insert", "e": "evict", "q": "query"}[operation], {"value": value} if operation == "i" else {})
        for operation, value in zip(operations, values, strict=False)
    ]
    return record(trace, FifoWindow[Any](over.operation), steps, over)


def out_of_order(trace: str, seed: int, length: int = 60) -> list[Record]:
    """Return a random trace with times, ranges and duplicates."""
    random = Random(seed)

    def step() -> tuple[str, Record]:
        time, name = random.randint(-5, 12), random.choice(("insert", "insert", "evict", "query", "range_query"))
        if name == "insert":
            return name, {"time": time, "value": random.choice("abcde")}
        if name == "range_query":
            return name, {"time": time, "until": time + random.randint(-1, 6)}
        return name, {"time": time} if name == "evict" else {}

    return record(trace, OutOfOrderWindow(CONCATENATION.operation), (step() for _ in range(length)))


def shared(trace: str, sizes: Sequence[int], length: int = 30) -> list[Record]:
    """Return a trace of windows of these sizes over one stream, each looked up after every element."""
    steps: list[tuple[str, Record]] = [("register", {"time": size}) for size in sizes]
    for n in range(length):
        steps += [("insert", {"value": "abc"[n % 3]}), *(("lookup", {"time": size}) for size in sizes)]
    return record(trace, SharedWindows(CONCATENATION.operation), steps)


class TimedWindow:
    """The definition of a window over a span of time, with lookups."""

    def __init__(self, monoid: Any) -> None:
        self.monoid, self.entries, self.length, self.now = monoid, list[tuple[int, Any]](), 0, 0

    def span(self, length: int) -> None:
        self.length = length

    def insert(self, t: int, v: Any) -> None:
        self.entries.append((t, v))
        self.now = t

    def advance(self, t: int) -> None:
        self.now = t

    def query(self) -> Any:
        values = [v for t, v in self.entries if t > self.now - self.length]
        return reduce(self.monoid.combine, values, self.monoid.identity)


def over_time(trace: str, span: int, length: int = 40) -> list[Record]:
    """Return a trace of a window over a span of time; some time passes without an insert."""
    steps: list[tuple[str, Record]] = [("span", {"time": span})]
    for n in range(length):
        time: Record = {"time": 2 * n + n // 7}
        steps += [("advance", time) if n % 5 == 4 else ("insert", {**time, "value": "abc"[n % 3]}), ("query", {})]
    return record(trace, TimedWindow(CONCATENATION.operation), steps)


def recorded(trace: str, window: str) -> list[Record]:
    """Return the records of a trace over letters, with the right answers."""
    steps = parse(trace, window)
    answers = (answer for answer, _ in answer_queries(steps, window, CONCATENATION))
    rows: list[Record] = []
    for seq, step in enumerate(steps):
        takes = WINDOWS[window].operations[step.name]
        cells = {"value" if what == VALUE else "time": x for what, x in zip(takes, step.arguments, strict=True)}
        answer = {"answer": next(answers)} if asks(step) else {}
        rows.append({"trace": "a", "seq": seq, "op": step.name, **cells, **answer})
    return rows


def operations(random: Random, length: int) -> str:
    """Return random legal operations of a FIFO window; the last is a query."""
    made, size = "", 0
    for _ in range(length - 1):
        made += random.choice("iiqe" if size else "iq")
        size += {"i": 1, "e": -1, "q": 0}[made[-1]]
    return made + "q"


def with_cells(rows: list[Record], at: int, /, **cells: Any) -> list[Record]:
    """Return the records with some cells of one of them replaced; ABSENT removes a cell."""
    at %= len(rows)
    changed = {name: cell for name, cell in {**rows[at], **cells}.items() if cell is not ABSENT}
    return [*rows[:at], changed, *rows[at + 1 :]]


def text(rows: Iterable[Record]) -> list[str]:
    """Return the records as JSON lines."""
    return [json.dumps(row) for row in rows]


def write_lines(path: Path, rows: Iterable[Record], heading: Record | None = None) -> Path:
    """Write JSON lines."""
    first = [] if heading is None else [json.dumps({"format": "swagproof-recording", "version": 1, **heading})]
    path.write_text("".join(line + "\n" for line in [*first, *text(rows)]), encoding="utf-8")
    return path


def write_parquet(path: Path, rows: Sequence[Record], *, values: Any = None, metadata: Any = None) -> Path:
    """Write Parquet: values and answers in columns of this Arrow type, or as JSON text if it is None."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    def column(name: str, type_: Any) -> Any:
        if type_ is None:
            return pa.array([json.dumps(row[name]) if name in row else None for row in rows], pa.string())
        return pa.array([row.get(name) for row in rows], type_)

    types = {"trace": pa.string(), "seq": pa.int64(), "op": pa.string(), "time": pa.int64(), "until": pa.int64()}
    columns = {name: column(name, type_) for name, type_ in (types | {"value": values, "answer": values}).items()}
    pq.write_table(pa.table(columns).replace_schema_metadata(metadata), path, row_group_size=7)
    return path


def judged(lines: Iterable[str], over: Domain = SUM, window: str = "fifo", *, batch: int = 1000) -> list[Judged]:
    """Return the verdicts on a file of JSON lines, read in batches."""
    with TemporaryDirectory() as place, patch("swagproof.pipeline.recordings.storage.BATCH", 4 * batch):
        path = Path(place) / "r.jsonl"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return list(judge_files([path], over, WINDOWS[window]))


RIGHT = fifo("a", "iqiiqeqieq")
"""A right trace."""

FAULTS: dict[str, tuple[list[Record], tuple[str, str | None, int | None]]] = {
    "nothing": (RIGHT, ("conforms", None, None)),
    "an answer": (with_cells(RIGHT, 6, answer=99), ("violated", "wrong answer", 6)),
    "no answer": (with_cells(RIGHT, 4, answer=ABSENT), ("violated", "wrong answer", 4)),
    "a gap": ([*RIGHT[:5], *RIGHT[6:]], ("error", "missing operation", 5)),
    "a gap after a wrong answer": (
        [*with_cells(RIGHT, 4, answer=99)[:5], *RIGHT[6:]],
        ("violated", "wrong answer", 4),
    ),
    "no start": (RIGHT[3:], ("error", "no start", 0)),
    "the same row twice": ([*RIGHT[:4], RIGHT[3], *RIGHT[4:], RIGHT[8]], ("conforms", None, None)),
    "two rows at one place": ([*RIGHT[:4], {**RIGHT[3], "value": 5}, *RIGHT[4:]], ("error", "conflicting rows", 3)),
    "late rows": ([RIGHT[4], *RIGHT[5:], *RIGHT[3::-1]], ("conforms", None, None)),
    "an unknown operation": (with_cells(RIGHT, 3, op="pop"), ("error", "unknown operation", 3)),
    "no operation": (with_cells(RIGHT, 3, op=ABSENT), ("error", "unknown operation", 3)),
    "no value": (with_cells(RIGHT, 3, value=ABSENT), ("error", "missing value", 3)),
    "a value that is none": (with_cells(RIGHT, 3, value=None), ("error", "unfit value", 3)),
    "text for a sum": (with_cells(RIGHT, 3, value="x"), ("error", "unfit value", 3)),
    "a float for an exact sum": (with_cells(RIGHT, 3, value=0.5), ("error", "unfit value", 3)),
    "an unknown form of value": (with_cells(RIGHT, 3, value={"tupel": []}), ("error", "unreadable row", 3)),
    "evict of an empty window": ([*fifo("a", "iqe"), {"trace": "a", "seq": 3, "op": "evict"}],
                                 ("error", "illegal operation", 3)),
    "no number": (with_cells(RIGHT, 9, seq=ABSENT), ("error", "no sequence number", None)),
    "a number that is none": (with_cells(RIGHT, 9, seq="nine"), ("error", "no sequence number", None)),
    "a number below 0": ([*RIGHT, {**RIGHT[4], "seq": -1}], ("error", "no sequence number", None)),
    "a number that is too large": ([*RIGHT, {**RIGHT[4], "seq": 2**63}], ("error", "no sequence number", None)),
    "a row without a number, which may stand before the wrong answer": (
        [*with_cells(RIGHT, 6, answer=99), {"trace": "a", "op": "evict"}],
        ("error", "no sequence number", None),
    ),
    "a field of the heading in a row": ([*RIGHT[:9], {**RIGHT[9], "format": "csv"}], ("conforms", None, None)),
    "no operation, and a field of the heading": (
        [*RIGHT, {"trace": "a", "seq": 10, "format": "csv"}],
        ("error", "unknown operation", 10),
    ),
    "no trace": ([{"seq": 0, "op": "query", "answer": 0}], ("error", "no trace", None)),
    "no query": (fifo("a", "iie"), ("unknown", "no query", None)),
}  # fmt: skip
"""Traces with one fault each, and the verdict on them: outcome, problem and number."""
