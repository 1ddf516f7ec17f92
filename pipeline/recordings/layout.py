"""Recordings: the operations called on an implementation, and its answers, as a table with one row per operation.

| column | type | what |
|---|---|---|
| `trace` | string | which trace the operation is part of |
| `seq` | int64 | its place there: 0, 1, 2, ... |
| `op` | string | an operation of the window's kind: `insert`, `evict`, `query`, ... |
| `time` | int64 or double, nullable | the time of an insert, evict or advance, start of a range; a size, span, count |
| `until` | int64 or double, nullable | the end of a range |
| `value` | nullable | the stream element of an insert |
| `answer` | nullable | the answer of a query: a partial aggregate |

The rows of many traces may be mixed.  Two forms carry the same table:

- JSON lines (`.jsonl`, `.ndjson`, `.json`, each also with `.gz`): one object per row.  A value is JSON as in a trace
  (`swagproof.oracle.trace`); an absent key is no value, while null is the value None.  The first line may be a heading:
  `{"format": "swagproof-recording", "version": 1, "window": "fifo", "monoid": "sum"}`.  In joined files it may be
  repeated, with the same content.
- Parquet: the columns above.  `value` and `answer` hold numbers or truth values themselves, or, in a column of strings,
  the JSON text; a null value is no value.  Window and monoid may stand in the schema's metadata under
  `swagproof.window` and `swagproof.monoid`.

An answer that is null or absent is judged as the answer None.

Rows that cannot be judged are flawed: each has a named problem, one of `PROBLEMS`, and is reported.  Files are read in
batches; memory does not grow with the file.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final, NamedTuple, Self, TextIO, cast

from swagproof.oracle.domain import Domain, Rounded
from swagproof.oracle.trace import decode, encode, encode_answer, spell
from swagproof.oracle.window import ARGUMENTS, VALUE, Window

FORMAT: Final = "swagproof-recording"

PLACE: Final[Mapping[str, str]] = {VALUE: "value", "TO": "until"}
"""The column that holds an argument of an operation; all others are in `time`."""

PROBLEMS: Final[Mapping[str, str]] = {
    "wrong answer": "the answer is not that of the reference",
    "missing operation": "the sequence has a gap",
    "no start": "the sequence does not start at 0",
    "conflicting rows": "two rows have the same place in a trace, and differ",
    "unknown operation": "the window's kind has no such operation",
    "missing value": "an insert has no value",
    "missing time": "an operation lacks a time or a size, or has an invalid one",
    "unfit value": "the monoid does not take this value",
    "unreadable row": "a line is not a JSON object, a value is not JSON, or a field has the wrong type",
    "illegal operation": "an evict meets an empty window, a lookup a size that is not registered, or time goes back",
    "no sequence number": "a row does not state its place in its trace",
    "no trace": "a row does not say which trace it is part of",
    "no query": "the trace asks nothing, so that nothing was checked",
}
"""The flaws of a row or a trace."""


class Absent:
    """The type of `ABSENT`: no value, as opposed to the value None."""

    def __repr__(self) -> str:
        return "absent"

    def __reduce__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent()


class Flaw(NamedTuple):
    """The reason why a row cannot be judged."""

    problem: str
    detail: str


@dataclass(slots=True)
class Rows:
    """Rows of a recording, column by column."""

    seq: list[Any] = field(default_factory=list[Any])
    op: list[Any] = field(default_factory=list[Any])
    time: list[Any] = field(default_factory=list[Any])
    until: list[Any] = field(default_factory=list[Any])
    value: list[Any] = field(default_factory=list[Any])
    answer: list[Any] = field(default_factory=list[Any])
    flaws: dict[int, Flaw] = field(default_factory=dict[int, Flaw])
    """The flaw of each row that has one, by its position here."""

    def __len__(self) -> int:
        return len(self.seq)

    @property
    def columns(self) -> tuple[list[Any], ...]:
        """All columns, in order."""
        return self.seq, self.op, self.time, self.until, self.value, self.answer

    def _of(self, columns: Iterable[list[Any]], flaws: dict[int, Flaw]) -> "Rows":
        seq, op, time, until, value, answer = columns
        return Rows(seq, op, time, until, value, answer, flaws)

    def slice(self, start: int, stop: int) -> "Rows":
        """Return the rows from one position to another."""
        flaws = {at - start: flaw for at, flaw in self.flaws.items() if start <= at < stop}
        return self._of((column[start:stop] for column in self.columns), flaws)

    def take(self, places: Sequence[int]) -> "Rows":
        """Return the rows at these positions."""
        flaws = {at: self.flaws[old] for at, old in enumerate(places) if old in self.flaws} if self.flaws else {}
        return self._of(([column[at] for at in places] for column in self.columns), flaws)

    def join(self, other: "Rows") -> "Rows":
        """Return these rows, followed by others."""
        flaws = self.flaws | {at + len(self): flaw for at, flaw in other.flaws.items()}
        return self._of((a + b for a, b in zip(self.columns, other.columns, strict=True)), flaws)

    def row(self, at: int) -> tuple[Any, ...]:
        """Return one row, without its flaw."""
        return tuple(column[at] for column in self.columns)

    def append(self, row: Sequence[Any], flaw: Flaw | None) -> None:
        """Add a row."""
        if flaw is not None:
            self.flaws[len(self.seq)] = flaw
        for column, cell in zip(self.columns, row, strict=True):
            column.append(cell)


def by_trace(traces: Sequence[Any], rows: Rows) -> Iterator[tuple[Any, Rows]]:
    """Yield the rows of each trace, in order; runs of neighbouring rows if every trace is one run."""
    cuts = [0, *(at for at, (one, two) in enumerate(pairwise(traces), 1) if one != two), len(traces)]
    if len(cuts) <= 2:
        if traces:
            yield traces[0], rows
        return
    if len(set(traces)) == len(cuts) - 1:
        for start, stop in pairwise(cuts):
            yield traces[start], rows.slice(start, stop)
        return
    places: dict[Any, list[int]] = {}
    for at, trace in enumerate(traces):
        places.setdefault(trace, []).append(at)
    for trace, some in places.items():
        yield trace, rows.take(some)


# Conditions on rows


@dataclass(frozen=True)
class Rules:
    """The conditions that a row must meet to be judged; the kind of window and the monoid define them."""

    window: Window
    takes_floats: bool
    """True if the monoid can be judged over floats: not if it adds or multiplies them, because they round."""
    takes_none: bool
    takes_nan: bool
    """True if NaN can be judged: not if the monoid's order excludes it, or it equals nothing."""
    rounded: bool
    """True if answers may be rounded, within a bound for double precision."""
    monoid: str

    @classmethod
    def of(cls, domain: Domain, window: Window) -> Self:
        """Return the rules of a domain over a kind of window."""
        rounded, none = isinstance(domain.rule, Rounded), domain.operation.identity is not None
        return cls(window, _takes_floats(domain), none, rounded or _takes_nan(domain), rounded, domain.name)

    @property
    def heading(self) -> tuple[str, str]:
        """Window and monoid."""
        return self.window.name, self.monoid

    def mark(self, rows: Rows) -> None:
        """Find the flaws of rows, and make whole floats integers if the monoid adds integers."""
        if not self.takes_floats and float in set(map(type, rows.value)):
            rows.value = [int(v) if type(v) is float and v.is_integer() else v for v in rows.value]
        flaws = rows.flaws
        known = self.window.operations
        for at in [at for at, op in enumerate(rows.op) if op not in known]:
            flaws.setdefault(at, Flaw("unknown operation", f"{rows.op[at]!r} is none of {', '.join(known)}"))
        valued = {name for name, takes in known.items() if VALUE in takes}
        odd = (ABSENT, None) if not self.takes_none else (ABSENT,)
        missing = [at for at, (op, v) in enumerate(zip(rows.op, rows.value, strict=True)) if v in odd and op in valued]
        for at in missing:
            flaws.setdefault(at, Flaw("missing value", f"{rows.op[at]} without a value"))
        if not self.takes_floats and float in set(map(type, rows.value)):
            for at, value in enumerate(rows.value):
                if type(value) is float:
                    hint = "; floating sums are --monoid float-sum" if self.monoid in ("sum", "wide-sum") else ""
                    flaws.setdefault(
                        at,
                        Flaw("unfit value", f"{spell(value)}: {self.monoid} is judged over exact numbers{hint}"),
                    )
        elif not self.takes_nan and float in set(map(type, rows.value)):
            for at, value in enumerate(rows.value):
                if value != value:
                    flaws.setdefault(at, Flaw("unfit value", f"NaN has no place in the order that {self.monoid} takes"))
        if any(what != VALUE for takes in known.values() for what in takes):
            self._mark_times(rows)

    def _mark_times(self, rows: Rows) -> None:
        timed = {
            name: [(what, PLACE.get(what, "time"), *ARGUMENTS[what]) for what in takes if what != VALUE]
            for name, takes in self.window.operations.items()
            if {*takes} - {VALUE}
        }
        if timed.keys().isdisjoint(rows.op):
            return
        if any({"SIZE", "COUNT"} & {*takes} for takes in self.window.operations.values()):
            rows.time = [int(t) if type(t) is float and t.is_integer() else t for t in rows.time]
        columns = {"time": rows.time, "until": rows.until}
        for at, op in enumerate(rows.op):
            for what, column, allowed, form in timed.get(op, ()):
                cell = columns[column][at]
                if not allowed(cell):
                    said = "missing" if cell is None else f"{cell!r}"
                    rows.flaws.setdefault(
                        at, Flaw("missing time", f"{op}: its {what}, column {column}, is {said}: it must be {form}")
                    )


def _takes_floats(domain: Domain) -> bool:
    if isinstance(domain.rule, Rounded):
        return True
    if domain.elements.read is None:
        return any(type(sample) is float for sample in domain.elements.letters)
    try:
        domain.elements.read("0.5")
    except ValueError:
        return False
    return True


def _takes_nan(domain: Domain) -> bool:
    try:
        return domain.rule.agree(*(domain.rule.mirror.lift(math.nan) for _ in range(2)))
    except Exception:  # a custom lift may raise anything
        return False


# JSON lines


def row_of(
    line: str | bytes, of: tuple[str, str] | None = None
) -> tuple[str | None, tuple[Any, ...], Flaw | None] | None:
    """Return the trace, the row and its flaw from a line; None for the heading, or a blank line.

    `of` is the window and the monoid that are judged: a heading that names others is a flaw.

    >>> row_of('{"trace": "a", "seq": 0, "op": "insert", "value": 5}')
    ('a', (0, 'insert', None, None, 5, None), None)
    >>> row_of('{"trace": "a", "seq": 0.0, "op": "query", "answer": 5}')[1][0], row_of('{"seq": 0.5}')[2].problem
    (0, 'no sequence number')
    """
    if not line.strip():
        return None
    nothing = (None, None, None, None, ABSENT, None)
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        return None, nothing, Flaw("unreadable row", f"no JSON: {error}")
    if not isinstance(data, dict):
        return None, nothing, Flaw("unreadable row", "no JSON object")
    cells = cast("dict[str, Any]", data)
    if cells.get("format") == FORMAT and "op" not in cells:
        if of is None or _agrees(cells, of):
            return None
        return None, nothing, Flaw("unreadable row", f"a heading that is not of {', '.join(of)}")
    trace, seq, op = cells.get("trace"), cells.get("seq"), cells.get("op")
    flaw: Flaw | None = None
    value, answer = cells.get("value", ABSENT), cells.get("answer")
    try:
        if type(value) in (list, dict):
            value = decode(value)
        if type(answer) in (list, dict):
            answer = decode(answer)
    except (ValueError, RecursionError) as error:
        flaw = Flaw("unreadable row", str(error))
    if type(seq) is float and seq.is_integer():  # writers whose numbers are all doubles
        seq = int(seq)
    if type(seq) is not int or not 0 <= seq < 2**63:
        flaw = flaw or unnumbered(seq)
        seq = None
    if trace is not None and (type(trace) is not str or not _is_text(trace)):
        flaw, trace = Flaw("unreadable row", f"field trace: {spell(trace)} is no text"), ascii(trace)
    if trace is None:
        flaw = flaw or Flaw("no trace", "a row without a trace")
    if type(op) is not str:
        flaw = flaw or Flaw("unknown operation", f"field op is {'missing' if op is None else spell(op)}")
        op = None
    return trace, (seq, op, cells.get("time"), cells.get("until"), value, answer), flaw


def _agrees(cells: Mapping[str, Any], of: tuple[str, str]) -> bool:
    """Return whether a heading names this window and monoid; a custom monoid's file may have been moved."""

    def name(monoid: str) -> tuple[bool, str]:
        return ":" in monoid, monoid.rpartition(":")[2]

    window, monoid = cells.get("window"), cells.get("monoid")
    same = monoid is None or (type(monoid) is str and name(monoid) == name(of[1]))
    return cells.get("version") == 1 and window in (None, of[0]) and same


def unnumbered(seq: Any) -> Flaw:
    """Return the flaw of a row without a valid number."""
    said = "missing" if seq is None else f"{spell(seq)[:40]}: it must be a whole number, 0 or more, of 63 bits"
    return Flaw("no sequence number", f"seq is {said}")


def _is_text(text: str) -> bool:
    """Return whether a text can be encoded: half a surrogate pair cannot."""
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


def line_of(trace: str, row: Sequence[Any]) -> str:
    """Return a row as a line of JSON."""
    cells: dict[str, Any] = {"trace": trace}
    for name, cell in zip(("seq", "op", "time", "until"), row, strict=False):
        if cell is not None:
            cells[name] = cell
    if row[4] is not ABSENT:
        cells["value"] = encode(row[4])
    if row[5] is not None:
        cells["answer"] = encode_answer(row[5])
    return json.dumps(cells)


def heading(window: str, monoid: str) -> str:
    """Return the line that names the window and the monoid."""
    return json.dumps({"format": FORMAT, "version": 1, "window": window, "monoid": monoid})


def write(file: TextIO, window: str, monoid: str, trace: str, rows: Iterable[Sequence[Any]]) -> int:
    """Write the rows of one trace, renumbered from 0, under a heading.  Return their number."""
    file.write(heading(window, monoid) + "\n")
    seq = -1
    for seq, row in enumerate(rows):
        file.write(line_of(trace, (seq, *row[1:])) + "\n")
    return seq + 1
