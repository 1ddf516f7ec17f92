"""The judge of recorded traces: one verdict per trace, by comparison with the reference.

A trace is judged in the order of its sequence numbers.  The first failing operation decides the verdict: `violated` if
the answer differs from the reference's, `error` if the trace cannot be judged any further (a gap, two different rows
with one number, an unreadable row).  Without a failure the verdict is `conforms`, or `unknown` if the trace has no
query.  Later operations are counted and not judged.  The position of a row without a number is unknown, so its trace is
in error, and none of its answers is judged wrong.

The verdict does not depend on the order of the rows.  Rows are judged as they arrive; if a number is not the next, the
judge raises `Unsorted`, and the trace is judged again from sorted rows.  Identical rows with one number are counted and
all but one dropped, as a log delivered at least once requires; if they differ, none is used.

Memory grows with the window and the number of traces, not with the length of a trace.
"""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from swagproof.oracle.domain import Domain
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.mistakes import show_json
from swagproof.oracle.trace import Step, encode_answer
from swagproof.oracle.window import FIFO, Window
from swagproof.pipeline.recordings.layout import ABSENT, PLACE, Flaw, Rows, by_trace
from swagproof.reports.report import Outcome


class Unsorted(Exception):
    """The rows of a trace are not in an order in which they can be judged as they arrive."""


class Judged(NamedTuple):
    """The verdict on one trace."""

    trace: str | None
    """None for all rows that name no trace."""
    outcome: Outcome
    problem: str | None
    """One of `swagproof.pipeline.recordings.layout.PROBLEMS`; None if the trace conforms."""
    detail: str | None
    """The problem in a sentence."""
    seq: int | None
    """The operation's position in the trace."""
    op: str | None
    expected: str | None
    """The right answer, as JSON text; None if there was no query."""
    got: str | None
    """The recorded answer, as JSON text."""
    operations: int = 0
    """The number of operations that were judged."""
    queries: int = 0
    """The number of answers that were checked."""
    largest_window: int = 0
    rows: int = 0
    """The number of rows of this trace, judged or not."""
    repeated: int = 0
    """The number of identical repetitions of rows."""
    bad: int = 0
    """The number of rows that could not be judged."""


class _Stuck(Exception):
    """The trace cannot be judged any further."""

    def __init__(self, seq: int | None, flaw: Flaw) -> None:
        super().__init__(flaw.detail)
        self.seq = seq
        self.flaw = flaw


class Sequencer:
    """Puts the rows of one trace in order: the output is numbered next, next + 1, ..., each number once.

    Rows that are `ordered` come sorted by number; the last row waits, since another may have its number.  Otherwise
    `arrange` raises Unsorted if a number is not the next.
    """

    def __init__(self, *, ordered: bool = False) -> None:
        self.next = 0
        self._ordered = ordered
        self._last = Rows()
        self._beyond: int | None = None
        self._repeated: list[int] = []
        self._settled = 0

    def arrange(self, rows: Rows, *, whole: bool = False) -> Rows:
        """Take rows, and return those that are next; `whole` means that no more will come."""
        if len(self._last):
            rows = self._last.join(rows)
        if rows.seq != list(range(self.next, self.next + len(rows))):
            rows = self._drop(rows)
        if self._ordered and not whole and len(rows):
            last = len(rows) - 1
            rows, self._last = rows.slice(0, last), rows.slice(last, last + 1)
        else:
            self._last = Rows()
        self.next += len(rows)
        return rows

    def _drop(self, rows: Rows) -> Rows:
        """Remove rows without a number, repeated rows, and rows after a gap."""
        self._settled += sum(number < self.next for number in self._repeated)
        self._repeated = [number for number in self._repeated if number >= self.next]
        out = Rows()
        for at, number in enumerate(rows.seq):
            if number is None:
                continue
            place, row = number - self.next, rows.row(at)
            if place == len(out):
                out.append(row, rows.flaws.get(at))
            elif not self._ordered:
                raise Unsorted(number)
            elif place > len(out):
                self._beyond = number if self._beyond is None else self._beyond
            elif (kept := out.row(place)) == row or repr(kept) == repr(row):  # NaN differs from itself
                self._repeated.append(number)
            else:
                out.flaws[place] = Flaw("conflicting rows", f"two rows are number {number}, and differ")
        return out

    def count_repeated(self, before: int | None) -> int:
        """Return the number of identical repetitions whose number is smaller than this."""
        return self._settled + sum(before is None or number < before for number in self._repeated)

    def gap(self) -> Flaw | None:
        """Return the flaw of a gap, if rows follow one."""
        if self._beyond is None:
            return None
        if self.next == 0:
            return Flaw("no start", f"its first operation is number {self._beyond}, not 0")
        said = f"number {self.next} is missing: {self._beyond} follows {self.next - 1}"
        return Flaw("missing operation", said)


def arrange_rows(ordered: Iterable[Rows]) -> Iterator[tuple[Any, ...]]:
    """Yield the sorted rows of one trace, each number once."""
    sequencer = Sequencer(ordered=True)
    for rows in ordered:
        yield from zip(*sequencer.arrange(rows).columns, strict=True)
    yield from zip(*sequencer.arrange(Rows(), whole=True).columns, strict=True)


_NO_TRACE: Final = Flaw(
    "no trace",
    "rows that cannot be read, or do not say which trace they are part of; --quarantine writes each with why",
)


_SINGLE: Final = frozenset({"insert", "evict", "query"})
"""The usual operations of FIFO windows: the window sizes decide whether a trace of only these is legal."""


def judge_ordered(batches: Iterable[tuple[Sequence[Any], Rows]], domain: Domain, window: Window) -> Iterator[Judged]:
    """Yield the verdicts on rows sorted by trace and number."""
    judge: Judge | None = None
    for traces, rows in batches:
        for trace, some in by_trace(traces, rows):
            if judge is None or judge.trace != trace:
                if judge is not None:
                    yield judge.close()
                judge = Judge(trace, domain, window, ordered=True)
            judge.feed(some)
    if judge is not None:
        yield judge.close()


class Judge:
    """The judge of one trace, batch by batch: `feed` its rows as they arrive, then `close`.

    If the rows are not `ordered`, `feed` may raise Unsorted: then there is no verdict.
    """

    def __init__(self, trace: str | None, domain: Domain, window: Window, *, ordered: bool = False) -> None:
        self.trace = trace
        self._domain = domain
        self._kind = window
        self._ordered = ordered
        self._sequencer = Sequencer(ordered=ordered)
        self._reference: Any = KINDS[window.name].expected(domain.rule.mirror)
        self._verdict: Judged | None = None
        self._unnumbered: Flaw | None = None
        self._operations = self._queries = self._largest = self._size = self._rows = self._bad = 0
        self._present: set[Any] | None = None
        self._pending: deque[tuple[str, tuple[Any, ...]]] | None = None
        self._legal: Iterator[bool] | None = None
        if window is not FIFO:  # there may be many judges, so each holds as few objects as possible
            self._look_closely()

    def _look_closely(self) -> None:
        """Check from now on whether each operation is legal, and of which kind it is."""
        self._present, self._pending = set(), deque([("insert", ())] * self._size)
        self._legal = self._kind.legally(iter(self._pending.popleft, None))
        for _ in range(self._size):
            next(self._legal)

    def feed(self, rows: Rows) -> None:
        """Judge more rows of the trace."""
        self._rows += len(rows)
        self._bad += len(rows.flaws)
        if rows.flaws:
            unnumbered = [flaw for at, flaw in rows.flaws.items() if rows.seq[at] is None]
            self._unnumbered = min(unnumbered + ([self._unnumbered] if self._unnumbered else []), default=None)
        if self.trace is None:
            if self._verdict is None:
                self._settle("error", _NO_TRACE, None)
        elif self._verdict is None:
            self._advance(rows)
        elif self._verdict.seq is not None and not self._ordered:
            last = self._verdict.seq
            if any(number is not None and number <= last for number in rows.seq):
                raise Unsorted(last)

    def _advance(self, rows: Rows, *, whole: bool = False) -> None:
        rows = self._sequencer.arrange(rows, whole=whole)
        try:
            self._judge(rows)
        except _Stuck as stuck:
            self._settle("error", stuck.flaw, stuck.seq)

    def _judge(self, rows: Rows) -> None:
        first = self._sequencer.next - len(rows)
        end = min(rows.flaws, default=len(rows))
        good = rows if end == len(rows) else rows.slice(0, end)
        try:
            if self._pending is None and not _SINGLE.issuperset(good.op):
                self._look_closely()
            at = (self._play_in_order if self._pending is None else self._play_any)(good)
        except _Stuck:
            raise
        except Exception as error:  # a custom monoid may raise anything, and the value may have any type
            at = self._operations - first
            text = " ".join(str(error).split())
            value = "" if good.value[at] is ABSENT else f" {json.dumps(encode_answer(good.value[at]))[:60]}"
            said = f"{good.op[at]}{value}: the monoid {self._domain.name} raised {type(error).__name__}: {text}"
            raise _Stuck(first + at, Flaw("unfit value", said)) from None
        if at == end < len(rows):
            raise _Stuck(first + end, rows.flaws[end])

    def _play_in_order(self, rows: Rows) -> int:
        """Play rows on the reference.  Return the position of the first wrong answer, or the number of rows."""
        put, take, ask = self._reference.insert, self._reference.evict, self._reference.query
        agree, lift = self._domain.rule.agree, self._domain.rule.mirror.lift
        base, size, largest, queries, at = self._operations, self._size, self._largest, self._queries, -1
        try:
            for at, (name, value, answer) in enumerate(zip(rows.op, rows.value, rows.answer, strict=True)):
                if name == "insert":
                    put(lift(value))
                    size += 1
                elif name == "evict":
                    if not size:
                        raise _Stuck(rows.seq[at], Flaw("illegal operation", "evict of an empty window"))
                    if size > largest:
                        largest = size
                    take()
                    size -= 1
                else:
                    expected = ask()
                    queries += 1
                    if not agree(expected, answer):
                        self._operations = base + at + 1
                        self._queries = queries
                        self._wrong(rows, at, expected)
                        return at
            self._operations = base + len(rows)
            return len(rows)
        except BaseException:
            self._operations = base + at
            raise
        finally:
            self._size, self._largest, self._queries = size, max(size, largest), queries

    def _play_any(self, rows: Rows) -> int:
        """Do the same for other kinds of window, and for bulk operations."""
        reference, lift = self._reference, self._domain.rule.mirror.lift
        agree, legal, pending = self._domain.rule.agree, self._legal, self._pending
        takes = {name: arguments_of(what) for name, what in self._kind.operations.items()}
        calls = {name: getattr(reference, name) for name in takes if hasattr(reference, name)}
        evicts, asks, present = self._kind.evicts, self._kind.queries, self._present
        assert legal is not None
        assert pending is not None
        assert present is not None
        base = self._operations
        for at, (name, time, until, value, answer) in enumerate(
            zip(rows.op, rows.time, rows.until, rows.value, rows.answer, strict=True)
        ):
            self._operations = base + at
            arguments = takes[name](time, until, value)
            pending.append((name, arguments))
            if not next(legal):
                raise _Stuck(rows.seq[at], Flaw("illegal operation", f"{Step(name, arguments)}, which is illegal here"))
            if name == "insert":
                calls[name](*arguments[:-1], lift(value))
                if evicts == "by time":
                    present.add(time)
                    self._size = len(present)
                elif evicts == "as time passes":
                    self._size = len(reference.times)
                else:
                    self._size += 1
                self._largest = max(self._largest, self._size)
                continue
            got = calls[name](*arguments)
            if name in asks:
                self._queries += 1
                if not agree(got, answer):
                    self._operations = base + at + 1
                    self._wrong(rows, at, got)
                    return at
            elif evicts == "oldest":
                self._size -= 1 if name == "evict" else time if name == "bulk_evict" else 0
            elif name == "evict":
                present.discard(time)
            elif name == "bulk_evict":
                present.difference_update([t for t in present if not time < t])
            elif name == "register":
                present.add(time)
        self._operations = base + len(rows)
        return len(rows)

    def _wrong(self, rows: Rows, at: int, expected: Any) -> None:
        right, got = encode_answer(self._domain.rule.round_exact(expected)), encode_answer(rows.answer[at])
        detail = f"{rows.op[at]} answers {show_json(got)} instead of {show_json(right)}"
        flaw = Flaw("wrong answer", detail)
        asked = rows.op[at], json.dumps(right), json.dumps(got)
        self._settle("violated", flaw, rows.seq[at], asked)

    def _settle(
        self,
        outcome: Outcome,
        flaw: Flaw | None,
        seq: int | None,
        asked: tuple[str | None, str | None, str | None] = (None, None, None),
    ) -> None:
        (problem, detail), (op, expected, got) = flaw or (None, None), asked
        if self._kind.evicts == "never" and self._present is not None:
            self._largest = min(self._largest, max(self._present, default=0))
        self._verdict = Judged(self.trace, outcome, problem, detail, seq, op, expected, got)
        self._reference = self._present = self._pending = self._legal = None  # a file may hold many judged traces

    def close(self) -> Judged:
        """Return the verdict, after all rows were fed."""
        sequencer = self._sequencer
        if self._verdict is None:
            self._advance(Rows(), whole=True)
        gap = sequencer.gap()
        repeated = sequencer.count_repeated(sequencer.next if self._verdict is None else self._verdict.seq)
        if self._verdict is not None and (self._verdict.outcome == "error" or self._unnumbered is None):
            pass
        elif gap is not None and self._verdict is None:
            self._settle("error", gap, sequencer.next)
        elif self._unnumbered is not None:
            self._settle("error", self._unnumbered, None)
        elif not self._queries:
            self._settle("unknown", Flaw("no query", "it asks no query, so that nothing was checked"), None)
        else:
            self._settle("conforms", None, None)
        assert self._verdict is not None
        return self._verdict._replace(
            operations=self._operations,
            queries=self._queries,
            largest_window=self._largest,
            rows=self._rows,
            repeated=repeated,
            bad=self._bad,
        )


def arguments_of(takes: Sequence[str]) -> Callable[[Any, Any, Any], tuple[Any, ...]]:
    """Return a function that makes an operation's arguments from the columns time, until and value.

    >>> arguments_of(("TIME", "VALUE"))(3, None, "a")
    (3, 'a')
    """
    return _FORMS[tuple(PLACE.get(what, "time") for what in takes)]


_FORMS: Final[dict[tuple[str, ...], Callable[[Any, Any, Any], tuple[Any, ...]]]] = {
    (): lambda _time, _until, _value: (),
    ("time",): lambda time, _until, _value: (time,),
    ("value",): lambda _time, _until, value: (value,),
    ("time", "value"): lambda time, _until, value: (time, value),
    ("time", "until"): lambda time, until, _value: (time, until),
}


def step_of(row: Sequence[Any], window: Window) -> Step:
    """Return the operation that a row records."""
    _, op, time, until, value, _ = row
    return Step(op, arguments_of(window.operations[op])(time, until, value))
