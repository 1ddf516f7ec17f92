"""Replaying: recorded traces judged against the reference, a verdict each.

A trace is judged in the order of its sequence numbers.  Its verdict is settled by the first operation that is wrong:
`violated` where the answer is not the reference's, `error` where the trace cannot be judged any further (a gap, two
rows that differ at one place, a row that cannot be read), `unknown` where nothing was asked, else `conforms`.  What
comes later is counted and not judged.  A row without a number may stand anywhere, so that no answer of its trace is
judged wrong: the trace is in error.

Rows may come late: a row whose predecessors are missing is held back until they come, or until `held` rows wait.  A row
that comes twice, and is the same, is counted and dropped, which is what a log delivered at least once needs; where the
two differ neither is believed.  To compare them, the rows of the last batches are kept (`Judge.forget`); a row that
comes again after that is an error.

Memory grows with the window, the rows held back, and the number of traces; not with the length of a trace.
"""

import json
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from swagproof.oracle.domain import Domain
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.mistakes import show_json
from swagproof.oracle.recordings.layout import ABSENT, PLACE, Flaw, Rows
from swagproof.oracle.trace import Step, encode_answer
from swagproof.oracle.window import FIFO, Window
from swagproof.reports.report import Outcome

HELD: Final = 1_000_000
"""Rows of one trace that wait for a missing one."""


class Judged(NamedTuple):
    """The verdict on one trace."""

    trace: str | None
    """None stands for all rows that name no trace."""
    outcome: Outcome
    problem: str | None
    """One of `swagproof.oracle.recordings.layout.PROBLEMS`; None where it conforms."""
    detail: str | None
    """The problem in a sentence."""
    seq: int | None
    """Where it is, in the trace."""
    op: str | None
    expected: str | None
    """The right answer, as JSON text; None where none was asked."""
    got: str | None
    """The recorded answer, likewise."""
    operations: int = 0
    """How many were judged."""
    queries: int = 0
    """Answers that were checked."""
    largest_window: int = 0
    rows: int = 0
    """How many there are of this trace, whatever became of them."""
    repeated: int = 0
    """Rows that came twice, and were the same."""
    bad: int = 0
    """Rows that could not be judged."""


class _Stuck(Exception):
    """The trace cannot be judged any further."""

    def __init__(self, seq: int | None, flaw: Flaw) -> None:
        super().__init__(flaw.detail)
        self.seq = seq
        self.flaw = flaw


class Sequencer:
    """Brings the rows of one trace into order: what comes out is numbered next, next + 1, ...

    `arrange` may raise `_Stuck`, once.
    """

    __slots__ = ("_held", "_kept", "_limit", "next", "repeated")

    def __init__(self, held: int = HELD) -> None:
        self.next = 0
        self.repeated = 0
        self._held: dict[int, tuple[tuple[Any, ...], Flaw | None]] = {}
        self._limit = held
        self._kept: tuple[tuple[int, Rows], ...] = ()

    def arrange(self, rows: Rows) -> Rows:
        """Take rows, and give those that are next."""
        first, count = self.next, len(rows)
        if self._held or rows.seq != list(range(first, first + count)):
            rows = self._sorted(rows)
            if self._held or rows.seq != list(range(first, first + count)):
                rows = self._one_by_one(rows)
        self.next = first + len(rows)
        if len(rows):
            self._kept = (*self._kept[-1:], (first, rows))
        return rows

    def forget(self) -> None:
        """Keep no rows for comparing with others that come again."""
        self._kept = ()

    def _sorted(self, rows: Rows) -> Rows:
        numbers = rows.seq
        places = [at for at, number in enumerate(numbers) if number is not None]
        places.sort(key=numbers.__getitem__)
        return rows.take(places)

    def _one_by_one(self, rows: Rows) -> Rows:
        first, out, held = self.next, Rows(), self._held
        for at in range(len(rows)):
            row, flaw = rows.row(at), rows.flaws.get(at)
            number = row[0]
            if number == first + len(out):
                out.append(row, flaw)
                while first + len(out) in held:
                    out.append(*held.pop(first + len(out)))
            elif number > first + len(out):
                if number not in held:
                    held[number] = row, flaw
                elif self._same(held[number][0], row):
                    self.repeated += 1
                else:
                    held[number] = row, _conflict(number)
            elif number >= first:
                if self._same(out.row(number - first), row):
                    self.repeated += 1
                else:
                    out.flaws[number - first] = _conflict(number)
            else:
                self._again(number, row)
        if len(held) > self._limit:
            self.next = first + len(out)
            self._gap(out)
        return out

    def _gap(self, out: Rows) -> None:
        """Everything up to the gap is judged; then nothing is."""
        out.append((self.next, None, None, None, ABSENT, None), self.gap())
        self._held.clear()

    def gap(self) -> Flaw | None:
        """What is missing, where rows still wait."""
        if not self._held:
            return None
        found = min(self._held)
        if self.next == 0:
            return Flaw("no start", f"its first operation is number {found}, not 0")
        return Flaw("missing operation", f"number {self.next} is missing: {found} follows {self.next - 1}")

    def _again(self, number: int, row: tuple[Any, ...]) -> None:
        for first, rows in self._kept:
            if first <= number < first + len(rows):
                if not self._same(rows.row(number - first), row):
                    raise _Stuck(number, _conflict(number))
                self.repeated += 1
                return
        said = f"number {number} comes again, too late to compare: sort the recording, or use --spark, which does"
        raise _Stuck(number, Flaw("conflicting rows", said))

    @staticmethod
    def _same(one: tuple[Any, ...], two: tuple[Any, ...]) -> bool:
        return one == two or repr(one) == repr(two)  # NaN differs from itself


def _conflict(number: int) -> Flaw:
    return Flaw("conflicting rows", f"two rows are number {number}, and differ")


_NO_TRACE: Final = Flaw("no trace", "rows that do not say which trace they are part of; --quarantine writes them")


class Judge:
    """Judges one trace, batch by batch: `feed` its rows as they come, then `close`."""

    __slots__ = (
        "_bad",
        "_domain",
        "_kind",
        "_largest",
        "_legal",
        "_operations",
        "_pending",
        "_present",
        "_queries",
        "_reference",
        "_rows",
        "_sequencer",
        "_size",
        "_trace",
        "_unnumbered",
        "_verdict",
    )

    def __init__(self, trace: str | None, domain: Domain, window: Window, *, held: int = HELD) -> None:
        self._trace = trace
        self._domain = domain
        self._kind = window
        self._sequencer = Sequencer(held)
        self._reference: Any = KINDS[window.name].expected(domain.rule.mirror)
        self._verdict: Judged | None = None
        self._unnumbered: Flaw | None = None
        self._operations = self._queries = self._largest = self._size = self._rows = self._bad = 0
        self._present: set[Any] | None = None
        self._pending: deque[tuple[str, tuple[Any, ...]]] | None = None
        self._legal: Iterator[bool] | None = None
        if window is not FIFO:  # there may be many judges, each with as few objects as can be
            self._present, self._pending = set(), deque()
            self._legal = window.legally(iter(self._pending.popleft, None))

    def feed(self, rows: Rows) -> None:
        """Judge more rows of the trace."""
        self._rows += len(rows)
        self._bad += len(rows.flaws)
        if rows.flaws and self._unnumbered is None:
            self._unnumbered = next((flaw for at, flaw in rows.flaws.items() if rows.seq[at] is None), None)
        if self._verdict is None and self._trace is None:
            self._settle("error", _NO_TRACE, None)
        if self._verdict is not None:
            return
        try:
            rows = self._sequencer.arrange(rows)
            self._judge(rows)
        except _Stuck as stuck:
            self._settle("error", stuck.flaw, stuck.seq)

    def forget(self) -> None:
        """Keep no rows for comparing with others that come again."""
        self._sequencer.forget()

    def _judge(self, rows: Rows) -> None:
        first = self._sequencer.next - len(rows)
        end = min(rows.flaws, default=len(rows))
        good = rows if end == len(rows) else rows.slice(0, end)
        try:
            at = (self._play_in_order if self._kind is FIFO else self._play_any)(good)
        except _Stuck:
            raise
        except Exception as error:  # the monoid may be the user's own, and the value of any type
            at = self._operations - first
            text = " ".join(str(error).split())
            value = "" if good.value[at] is ABSENT else f" {json.dumps(encode_answer(good.value[at]))[:60]}"
            said = f"{good.op[at]}{value}: the monoid {self._domain.name} raised {type(error).__name__}: {text}"
            raise _Stuck(first + at, Flaw("unfit value", said)) from None
        if at == end < len(rows):
            raise _Stuck(first + end, rows.flaws[end])

    def _play_in_order(self, rows: Rows) -> int:
        """Play rows on the reference.  Where the first wrong answer is; their number where none is."""
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
        """The same for other kinds of window."""
        reference, lift = self._reference, self._domain.rule.mirror.lift
        agree, legal, pending = self._domain.rule.agree, self._legal, self._pending
        takes = {name: arguments_of(what) for name, what in self._kind.operations.items()}
        calls = {name: getattr(reference, name) for name in takes if hasattr(reference, name)}
        by_time, asks, present = self._kind.evicts == "by time", self._kind.queries, self._present
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
                raise _Stuck(rows.seq[at], Flaw("illegal operation", f"{Step(name, arguments)}, which is never asked"))
            if name == "insert":
                calls[name](*arguments[:-1], lift(value))
                if by_time:
                    present.add(time)
                    self._size = len(present)
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
            elif name == "evict":
                present.discard(time)
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
        self._verdict = Judged(
            trace=self._trace,
            outcome=outcome,
            problem=problem,
            detail=detail,
            seq=seq,
            op=op,
            expected=expected,
            got=got,
        )
        self._reference = self._present = self._pending = self._legal = None  # a file may hold many settled traces
        self.forget()

    def close(self) -> Judged:
        """The verdict, once all rows were fed."""
        sequencer = self._sequencer
        gap = sequencer.gap()
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
            repeated=sequencer.repeated,
            bad=self._bad,
        )


def arguments_of(takes: Sequence[str]) -> Callable[[Any, Any, Any], tuple[Any, ...]]:
    """What an operation is called with, from the columns time, until and value.

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
    """The operation that a row records."""
    _, op, time, until, value, _ = row
    return Step(op, arguments_of(window.operations[op])(time, until, value))
