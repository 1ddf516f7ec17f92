"""The reduction of a recorded failure to a short trace.

The recorded program cannot be run again, so a recorded failure is not minimised as in `conform`.  Instead there are two
shorter traces:

- the *prefix* of a failing trace, up to its first wrong answer, with every operation as recorded;
- the *reduced* trace: its last operation is the same query of a window with the same elements, hence with the same
  right answer; the recorded answer is wrong there, with the same diagnosis; every other answer it keeps is the recorded
  one, and right.  Evicted elements and earlier queries are kept only as far as the diagnosis needs them, and at most
  the last 32 and the last 8.

Bulk operations are written as single operations.  The reduced trace shows the error in the answer.  It does not promise
that the program would give this answer again after these operations alone; `swagproof conform --trace` checks that.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from swagproof.oracle.domain import Domain
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.outcome import Failure
from swagproof.oracle.plan import Finding
from swagproof.oracle.subject import Subject
from swagproof.oracle.trace import encode_answer, take
from swagproof.oracle.verdict import Verdict, accuse
from swagproof.oracle.window import Window
from swagproof.pipeline.recordings.judges import step_of

Row: TypeAlias = tuple[Any, ...]
"""One row: seq, op, time, until, value, answer."""

Prefix: TypeAlias = Callable[[str, int], Iterator[Row]]
"""A function that returns the rows of a trace in order, from the first to the one with this number."""

GONE, ASKED = 32, 8
"""The numbers of evicted elements, and of queries, that a reduced trace may keep."""


class _Essence:
    """The rows of a long trace that matter for its end, collected in one pass, in little memory."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self.present: deque[Row] = deque()
        self.at: dict[Any, list[Row]] = {}
        self.gone: deque[list[Row]] = deque(maxlen=GONE)
        self.asked: deque[Row] = deque(maxlen=ASKED)
        self.declared: list[Row] = []
        self.later: list[Row] = []
        """The last row that advanced time, unless an insert came after it."""

    def add(self, row: Row) -> None:
        name, evicts = row[1], self.window.evicts
        if name in self.window.queries:
            self.asked.append(row)
        elif evicts == "as time passes" and name != "span":
            self._pass(row)
        elif name == "insert":
            if evicts == "by time":
                self.at.setdefault(row[2], []).append(row)
            else:
                self.present.append(row)
                if evicts == "never" and len(self.present) > max(size[2] for size in self.declared):
                    self.gone.append([self.present.popleft()])
        elif name in ("begin_bulk", "end_bulk"):
            pass
        elif "evict" not in name:
            self.declared.append(row)
        elif evicts == "oldest":
            for _ in range(row[2] if name == "bulk_evict" else 1):
                self.gone.append([self.present.popleft(), _evict(row)])
        else:
            bulk = name == "bulk_evict"
            for time in [t for t in self.at if not row[2] < t] if bulk else {row[2]} & self.at.keys():
                self.gone.append([*self.at.pop(time), _evict(row, time)])

    def _pass(self, row: Row) -> None:
        self.later = [row] if row[1] == "advance" else []
        if row[1] == "insert":
            self.present.append(row)
        while self.present and not row[2] - self.declared[0][2] < self.present[0][2]:
            self.gone.append([self.present.popleft()])

    @property
    def content(self) -> list[Row]:
        """The declarations, the inserts of the window's elements, and the last advance of time."""
        return [*self.declared, *self.present, *(row for rows in self.at.values() for row in rows), *self.later]


def _evict(row: Row, time: Any = None) -> Row:
    """Return the evict of a single entry, from a row that evicts it alone or among others."""
    return (row[0], "evict", time, *row[3:])


def reduce_trace(domain: Domain, window: Window, rows: Iterable[Row]) -> list[Row]:
    """Return the reduced trace of a prefix whose last answer is wrong; see the module.

    Takes one pass, and memory for the window.
    """
    essence = _Essence(window)
    last: Row | None = None
    for row in rows:
        if last is not None:
            essence.add(last)
        last = row
    assert last is not None
    asked = last
    content = essence.content
    extra = [*([row] for row in essence.asked), *essence.gone]

    def assemble(kept: Iterable[Sequence[Row]]) -> list[Row]:
        return [*sorted([*content, *(row for some in kept for row in some)], key=lambda row: row[0]), asked]

    def diagnose(kept: Sequence[Sequence[Row]]) -> tuple[Any, str] | None:
        """Return the right answer and the diagnosis, if all answers but the last are right."""
        trace = assemble(kept)
        found = _play(domain, window, trace)
        if found is None or found[0] != len(trace) - 1:
            return None
        verdict = explain_trace(domain, window, trace)
        assert verdict.witness is not None
        return encode_answer(domain.rule.round_exact(found[1])), verdict.witness.diagnosis

    while (found := _play(domain, window, trace := assemble(extra))) and found[0] < len(trace) - 1:
        # An answer that was right in the recording may be wrong here, without elements that had left by then.
        extra = [some for some in extra if some[0][0] != trace[found[0]][0]]
    wanted = diagnose(extra)
    if wanted is None or diagnose([]) == wanted:
        return assemble([])
    at = 0
    while at < len(extra):
        fewer = extra[:at] + extra[at + 1 :]
        if diagnose(fewer) == wanted:
            extra = fewer
        else:
            at += 1
    return assemble(extra)


def _play(domain: Domain, window: Window, rows: Sequence[Row]) -> tuple[int, Any] | None:
    """Return the position of the first wrong answer, and the right one there; None if all are right."""
    reference: Any = KINDS[window.name].expected(domain.rule.mirror)
    lift, agree = domain.rule.mirror.lift, domain.rule.agree
    for at, row in enumerate(rows):
        step = step_of(row, window)
        got = take(reference, step, lift)
        if step.name in window.queries and not agree(got, row[5]):
            return at, got
    return None


def explain_trace(domain: Domain, window: Window, rows: Sequence[Row]) -> Verdict:
    """Return the verdict on a trace whose last answer is its first wrong one."""
    found = _play(domain, window, rows)
    assert found is not None
    at, expected = found
    steps = tuple(step_of(row, window) for row in rows[: at + 1])
    finding = Finding(domain, steps, Failure.wrong(domain, at, expected, rows[at][5]), "replay")
    return accuse(Subject("a recording", window=window.name), finding, unfinished="")
