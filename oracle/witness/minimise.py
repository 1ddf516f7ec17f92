"""The minimiser: reduces a failing trace to the smallest failing one near it.

Unlike delta debugging over lines, it uses the meaning of a trace: an insert without its evict changes every window
after it, so the two are removed together, and illegal traces are not tried.  Large blocks go first, since each try is a
run; a trace that fails earlier is cut there.  A smaller trace may fail in another way: the subject is still wrong, and
the verdict describes the smallest.

First the structure shrinks (`swagproof.oracle.search.runs`): if the trace fails over letters and with a single query,
all short structures are tried, the shortest first, and the counts of larger ones shrink.  Then it removes, in turn, as
long as the trace still fails:

- all operations after the failing one, and all queries but the last;
- parts of its kind of window: bulks, shared windows that are not looked up, the size of others;
- blocks of neighbouring entries, each with its inserts and evicts, so that the rest of the window stays as it was
  (neighbours by insertion in FIFO windows, by time in out-of-order ones);
- blocks of neighbouring operations (an evict that would then meet an empty window goes along);
- single operations.

Then elements become simpler: the letters a, b, c, ... in order of insertion, numbers toward 0, 1 and 2; in a long
trace, blocks of equal elements.  Times become 1, 2, 3, ... in their order, or as close together as possible, and arrive
in ascending or descending order; a query of all replaces one of a range.  All this repeats until nothing changes.  The
result is *1-minimal*: if any one operation is removed, the trace passes or is illegal.  Every step is deterministic,
and limited by operations; if that limit or the clock ends it early, the result is marked as not minimal, with the
reason.  A trace that hangs is minimised in the same way, with a shorter time limit, as long as few tries hang.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.outcome import Failure, Tried
from swagproof.oracle.plan import Finding
from swagproof.oracle.runner import run
from swagproof.oracle.search.runs import SINGLY, Runs, Style, near, regrouped, runs_of, short_structures, spell
from swagproof.oracle.subject import Subject
from swagproof.oracle.trace import QUERY, Step, asks, bulk_evict, inline, times_of
from swagproof.oracle.window import FIFO, OUT_OF_ORDER, TIMES, Window

PATIENCE: Final = 300
"""The most inserts of a trace whose elements and times are simplified one by one."""

WORK: Final = 150_000
"""The most operations of unsuccessful tries for blocks of one size, if times make all operations differ; otherwise ten
times as many, since equal tries are not repeated."""

LONG: Final = 4096
"""The length from which each try on a trace is expensive."""

FEW: Final = 24
"""The length of the longest trace that counts as short: its elements are simplified one by one."""

LIMIT: Final = 2
"""The limit on the operations of all tries, as a multiple of a search's default effort; or,"""

TRIES: Final = 80
"""if that is more, as a multiple of the length of the trace as found, up to"""

MOST: Final = 8_000_000
"""this number of operations."""

SHARING: Final = 4
"""The number of shared windows whose inserts cost as much as one more operation."""

STRUCTURES: Final = 60_000
"""The limit on the operations of tries for the structures of a kind of window."""

HANGS: Final = 12
"""The most tries that hang for a trace that does: each takes the whole time limit."""

FAR: Final = 2**31 - 1
"""The latest time to which an entry is moved: times fit 32 bits."""

TURNS: Final = 8
"""The most runs of a structure whose counts shrink together."""


@dataclass
class Minimiser:
    """The smallest failing trace so far."""

    subject: Subject
    domain: Domain
    steps: list[Step]
    failure: Failure
    clock: Clock
    tried: Tried = field(default_factory=Tried)
    _found: int = field(init=False)
    """The length of the trace as found."""
    _passed: Sequence[Step] = ()
    _shrunk: Sequence[Step] = ()
    """The trace whose counts cannot shrink further."""
    failed: bool = False
    """True if the trace has failed here."""
    _work: int = 0
    """The work so far, in operations: an insert into many windows at once costs more with each."""
    _hangs: int = 0
    """The number of tries that hung."""
    _against: bool = False
    """True if entries should arrive in descending order of time, rather than ascending."""

    def __post_init__(self) -> None:
        self._found = len(self.steps)

    @classmethod
    def near(cls, subject: Subject, finding: Finding, clock: Clock) -> "Minimiser":
        """Return a minimiser that starts from a finding."""
        return cls(subject, finding.domain, list(finding.steps), finding.failure, clock)

    def finding(self, phase: str) -> Finding:
        """Return the smallest finding so far, as one of this phase of the search."""
        return Finding(self.domain, tuple(self.steps), self.failure, phase)

    def _fails(self, steps: Sequence[Step]) -> bool:
        """Keep these operations if they fail, cut after the failing one.  Return whether they do."""
        if self._end or not steps or steps == self._passed or not self.subject.takes(steps, self.domain):
            return False
        if self.failed and steps == self.steps:
            return True
        names = [step.name for step in steps]
        self._work += len(names) + names.count("insert") * names.count("register") // SHARING
        failure = run(self.subject, self.domain, steps, self.clock, self.tried)
        hung = failure is not None and failure.kind == "hung"
        self._hangs += hung
        if failure is None or failure.at < 0 or hung != self._hanging:  # at < 0: not even built
            self._passed = steps
            return False
        self.steps, self.failure, self.failed = list(steps[: failure.at + 1]), failure, True
        return True

    @property
    def _hanging(self) -> bool:
        """Return whether the trace hangs, so that no other failure counts."""
        return self.failure.kind == "hung"

    @property
    def _limit(self) -> float:
        """The limit in operations."""
        return max(LIMIT * KINDS[self.subject.window].effort, min(TRIES * self._found, MOST))

    @property
    def _end(self) -> str | None:
        """Return the reason to end early, if any: first the work, which is reproducible."""
        if self._work > self._limit:
            return f"after {self._work:,} operations"
        if self.clock.expired:
            return f"after {self.clock.allowed:g} s of clock"
        return f"after {self._hangs} tries that hung" if self._hanging and self._hangs > HANGS else None

    def minimise(self) -> str | None:
        """Minimise the trace.  Return the reason for ending early, if any: the limit, the clock, or hangs."""
        if not self._fails(self.steps):
            return self._end or "run again, it passed"  # it depends on earlier traces
        minimal = self._minimise()
        if self._timed and minimal and len(self.steps) > FEW:
            self._against = True
            steps, failure = self.steps, self.failure
            if not self._minimise() or len(self.steps) >= len(steps):
                self.steps, self.failure = steps, failure
        return None if minimal else self._end

    def _minimise(self) -> bool:
        self._fails([*(step for step in self.steps[:-1] if not asks(step)), self.steps[-1]])
        self._simplify_kind()
        if self._timed:
            self._fails([*(step for step in self.steps[:-1] if step.name == "insert"), self.steps[-1]])
            self._simplify_times()
        self._shrink_structure()
        if self._timed or len(self.steps) > PATIENCE:
            self._simplify()
        self._remove_elements()
        self._simplify()
        self._remove_blocks()
        while not self._end:
            before = self.steps
            self._remove_elements(most=2)
            self._remove_powers()
            self._remove_singles()
            if self._timed:
                self._simplify_times()
                if self.steps[-1].name == "range_query":
                    self._fails([*self.steps[:-1], QUERY])
            self._simplify_kind()
            self._shrink_runs()
            self._simplify()
            if _same(before, self.steps):
                return self._end is None
        return False

    def _simplify_kind(self) -> None:
        """Simplify the parts that only this kind of window has."""
        while not self._end and any(map(self._fails, KINDS[self.subject.window].simpler(self.steps))):
            pass

    def _shrink_structure(self) -> None:
        """Find the shortest structure that fails over letters, if a short one does; else shrink the counts."""
        enough = self._work + STRUCTURES
        for attempt in KINDS[self.subject.window].structures(self.domain):
            *before, last = attempt.steps
            steps = [*(step for step in before if not asks(step)), last]
            if any(step.name not in self.subject.methods for step in steps):
                continue
            if self._work > enough or len(steps) >= len(self.steps) or self._fails(steps):
                break
        runs, elements = runs_of(self.steps), self.domain.elements.letters
        if self._style is None or not any(self._fails_as(some, elements) for some in (*regrouped(runs), runs)):
            return
        any(self._fails_as(some, elements) for some in short_structures(sum(runs_of(self.steps))))
        if len(self.steps) > PATIENCE:
            self._fails_as(runs_of(self.steps), elements[:1])
        self._shrink_runs()

    def _shrink_runs(self) -> None:
        """Shrink the counts as long as the trace fails, without repeating a try."""
        if self._style is None or self.steps == self._shrunk:
            return
        elements = [step.arguments[-1] for step in self.steps if step.name == "insert"]
        while len(runs_of(self.steps)) <= TURNS:
            runs = runs_of(self.steps)
            if len(self.steps) > LONG and self._bisect_runs(runs, elements):
                continue
            if len(self.steps) > LONG and sum(many > TURNS for many in runs) < 2:
                break
            if not any(self._fails_as(smaller, elements) for smaller in near(runs)):
                many, gone = runs if len(runs) == 2 else (0, 0)
                if many <= max(PATIENCE, gone) or not self._fails_as((gone, gone, many - gone), elements):
                    break  # otherwise as many operations show it in a smaller window
        self._shrunk = self.steps

    def _bisect_runs(self, runs: Runs, elements: Sequence[Any]) -> bool:
        """Shrink each count by bisection, which needs the fewest tries if each is long.  Return whether one shrank."""
        before = self.steps
        for number, high in enumerate(runs):
            low = -1
            while high - low > 1 and not self._end:
                middle = low + 1 if low < 0 else (low + high) // 2
                if self._fails_as((*runs[:number], middle, *runs[number + 1 :]), elements):
                    high, runs = middle, (*runs[:number], middle, *runs[number + 1 :])
                else:
                    low = middle
        return self.steps != before

    @property
    def _counted(self) -> bool:
        """Return whether the trace is long, and consists of its counts, which cannot shrink further."""
        if len(self.steps) <= PATIENCE or self.steps != self._shrunk or len(runs_of(self.steps)) > TURNS:
            return False
        elements = (step.arguments[-1] for step in self.steps if step.name == "insert")
        first = next(elements)
        return all(element == first for element in elements)

    @property
    def _style(self) -> Style | None:
        """Return the style of inserts and evicts, if the trace has only these and one final query of all."""
        *names, last = (step.name for step in self.steps)
        style = Style("begin_bulk" in names, "bulk_evict" in names)
        fits = self.subject.kind is FIFO or (self.subject.kind is OUT_OF_ORDER and style == SINGLY)
        known = {*names} <= {"insert", "evict", "begin_bulk", "end_bulk", "bulk_evict"}
        return style if fits and known and last == "query" and names and "evict" not in names[0] else None

    def _fails_as(self, runs: Runs, elements: Sequence[Any]) -> bool:
        return self._fails([*spell(runs, elements, self.subject.kind, self._style or SINGLY), QUERY])

    def _remove_elements(self, most: int | None = None) -> None:
        """Remove blocks of neighbouring entries, each with its inserts and evicts: large ones first, down to one."""
        kind = self.subject.kind
        self._remove_all(
            most or len(self.steps), 1, self._count_entries, lambda at, end: without_entries(self.steps, at, end, kind)
        )

    def _remove_blocks(self) -> None:
        """Remove blocks of neighbouring operations, large ones first, down to two."""
        kind = self.subject.kind
        self._remove_all(
            len(self.steps) // 2,
            2,
            lambda: len(self.steps),
            lambda at, end: made_legal(self.steps[:at] + self.steps[end:], kind),
        )

    def _remove_all(
        self, size: int, least: int, count: Callable[[], int], without: Callable[[int, int], Iterable[Step]]
    ) -> None:
        """Remove blocks of this size and then of half of it, one after another, as long as the trace still fails.

        If removing a block gives the last trace that passed, the next blocks are skipped.
        """
        if self._counted:
            return
        while size >= least:
            at, failures, stride, many = 0, 0, 1, count()
            while at < many and not self._gives_up(failures):
                rest = list(without(at, at + size))
                again = rest == self._passed
                if self._fails(rest):
                    stride, many = 1, count()
                else:
                    at += size * stride
                    failures += 1
                    stride = 2 * stride if again else 1
                if self._end:
                    return
            size //= 2

    def _remove_powers(self) -> None:
        """Remove the first 2^k entries, or the last: a bug in each block of 64, say, is also in the first."""
        size = 1 << max(0, self._count_entries().bit_length() - 1)
        while size >= FEW and not self._end:
            many = self._count_entries()
            ends = (0, many - size) if many > size else ()
            if not any(
                self._fails(list(without_entries(self.steps, first, first + size, self.subject.kind))) for first in ends
            ):
                size //= 2

    def _count_entries(self) -> int:
        return len(set(entries(self.steps, self.subject.kind)) - {None})

    def _gives_up(self, failures: int) -> bool:
        """Return whether enough blocks of this size have failed to be removed."""
        return failures * len(self.steps) > (WORK if self._timed else 10 * WORK)

    def _remove_singles(self) -> None:
        at = len(self.steps) - 1
        while at >= 0 and not self._end:
            start = at
            while start and self.steps[start - 1] == self.steps[at]:
                start -= 1  # removing any one of equal neighbours gives the same trace
            if self._fails(self.steps[:start] + self.steps[start + 1 :]):
                at = min(at, len(self.steps)) - 1
            else:
                at = start - 1

    @property
    def _timed(self) -> bool:
        return not TIMES.isdisjoint(self.subject.kind.operations["insert"])

    def _simplify_times(self) -> None:
        """Simplify times: closer together; arriving in order; then ends of ranges, and evicts, at present times."""
        times = sorted({time for step in self.steps for time in times_of(step, self.subject.kind)})
        if not self._retime({time: rank for rank, time in enumerate(times, 1)}):
            self._close_gaps(times)
        self._sort_arrivals()
        if len(self.steps) > PATIENCE:
            return
        arrived = {step.arguments[0] for step in self.steps if step.name == "insert"}
        for time in sorted({time for step in self.steps for time in times_of(step, self.subject.kind)} - arrived):
            for present in sorted(arrived, key=lambda other: abs(other - time)):
                if self._retime({time: present}):
                    break

    def _close_gaps(self, times: Sequence[Any]) -> None:
        """Set the first time to 1, or below 0, if the trace still fails; then shrink each gap, if larger ones fail."""
        if not times or not all(isinstance(time, int) for time in times) or len(times) > PATIENCE:
            return
        for first in (1, -1, -10):
            if times[0] == first:
                break
            if times[-1] - times[0] + first > max(times[-1], FAR):  # or it would need more bits than the trace had
                continue
            if self._retime({time: time - times[0] + first for time in times}):
                times = [time - times[0] + first for time in times]
                break
        for at in range(1, len(times)):
            low, high = 0, times[at] - times[at - 1]
            while high - low > 1:
                gap = 1 if low == 0 else (low + high) // 2
                closer = times[at] - times[at - 1] - gap
                if self._retime({time: time - closer for time in times[at:]}):
                    times = [*times[:at], *(time - closer for time in times[at:])]
                    high = gap
                else:
                    low = gap

    def _sort_arrivals(self) -> None:
        """Sort all arrivals by ascending or descending time; else, in short traces, swap unordered neighbours."""
        arrived = self._arrived()
        for against in (self._against, not self._against):
            wanted = sorted(arrived, reverse=against)
            if arrived == wanted or self._retime(dict(zip(arrived, wanted, strict=True))):
                return
        if len(self.steps) > PATIENCE // 4:
            return
        at = 0
        while at < len(arrived) - 1:
            one, two = arrived[at : at + 2]
            if one > two and self._retime({one: two, two: one}):
                arrived = self._arrived()
                at = max(0, at - 1)
            else:
                at += 1

    def _arrived(self) -> list[Any]:
        return list(dict.fromkeys(step.arguments[0] for step in self.steps if step.name == "insert"))

    def _retime(self, new: Mapping[Any, Any]) -> bool:
        """Replace the times of operations, if the result is simpler and still fails."""
        steps = [
            _at_times(step, [new.get(time, time) for time in times_of(step, self.subject.kind)]) for step in self.steps
        ]
        return inline(steps) != inline(self.steps) and self._fails(steps)

    def _simplify(self) -> None:
        inserts = [at for at, step in enumerate(self.steps) if step.name == "insert"]
        letters = self.domain.elements.letters
        if len(inserts) <= len(letters):
            self._rename(inserts, letters)
        else:
            self._rename(inserts, letters[:1] * len(inserts))
        if len(inserts) > FEW:
            self._level(letters[0])
        if len(inserts) > PATIENCE:
            return
        for at, many in list(self._repeated()):
            if at + many > len(self.steps):  # it fails earlier now
                return
            for simpler in self.domain.elements.simpler(self.steps[at].arguments[-1]):
                if self.domain.takes(simpler) and self._fails(self._leveled(range(at, at + many), simpler)):
                    break

    def _repeated(self) -> Iterator[tuple[int, int]]:
        """Yield the position of each insert and the number of inserts there: in a long trace, all equal neighbours
        together."""
        at = 0
        for name, same in itertools.groupby(self.steps, key=lambda step: (step.name, str(step.arguments[-1:]))):
            many = len(list(same))
            if name[0] == "insert":
                yield from [(at, many)] if len(self.steps) > FEW else ((at + i, 1) for i in range(many))
            at += many

    def _level(self, letter: object) -> None:
        """Make blocks of elements equal, from large ones down to single ones: to this letter, or to the longest
        element, since the length may matter."""
        inserts = [at for at, step in enumerate(self.steps) if step.name == "insert"]
        widest = max(map(self._element, inserts), key=lambda element: len(str(element)))
        size, failures = len(inserts), 0
        while size and not self._end:
            for start in range(0, len(inserts), size):
                block = [at for at in inserts[start : start + size] if at < len(self.steps)]
                for level in (letter, widest) if size > len(inserts) // 32 else (widest,):
                    if _alike(map(self._element, block), level) or self._fails(self._leveled(block, level)):
                        break
                    failures += 1
                if failures * len(self.steps) > WORK:
                    return
            size //= 2

    def _element(self, at: int) -> object:
        return self.steps[at].arguments[-1]

    def _leveled(self, block: Iterable[int], element: object) -> list[Step]:
        """Return the operations with this element at these positions."""
        steps = list(self.steps)
        for at in block:
            steps[at] = _with(steps[at], element)
        return steps

    def _rename(self, inserts: Sequence[int], letters: Iterable[object]) -> None:
        steps = list(self.steps)
        for at, letter in zip(inserts, letters, strict=False):
            steps[at] = _with(steps[at], letter)
        if not _same(steps, self.steps):
            self._fails(steps)


def _with(step: Step, element: object) -> Step:
    """Return the insert with another element."""
    return step if step.arguments[-1] is element else Step(step.name, (*step.arguments[:-1], element))


def _alike(elements: Iterable[object], other: object) -> bool:
    """Return whether these are all written like this one."""
    return all(element is other or str(element) == str(other) for element in elements)


def _same(steps: Sequence[Step], others: Sequence[Step]) -> bool:
    """Return whether these are the same operations as they are written: 1 is not 1.0 here."""
    return len(steps) == len(others) and all(
        one is other or str(one) == str(other) for one, other in zip(steps, others, strict=True)
    )


def _at_times(step: Step, times: Sequence[Any]) -> Step:
    return Step(step.name, (*times, *step.arguments[len(times) :]))


def entries(steps: Sequence[Step], window: Window = FIFO) -> list[int | None]:
    """Return the entry of each insert and evict: numbered by time if evicts name one, else by insertion; for a bulk,
    the first of its entries.

    >>> from swagproof.oracle.trace import EVICT, QUERY, evict_at, insert, insert_at
    >>> from swagproof.oracle.window import OUT_OF_ORDER
    >>> entries([insert("a"), insert("b"), EVICT, QUERY])
    [0, 1, 0, None]
    >>> entries([insert_at(7, "a"), insert_at(5, "b"), evict_at(7), QUERY], OUT_OF_ORDER)
    [1, 0, 1, None]
    """
    changes = [step.name in ("insert", "evict") for step in steps]
    if window.evicts == "by time":
        about = {step.arguments[0] for step, change in zip(steps, changes, strict=True) if change}
        ranks = {time: rank for rank, time in enumerate(sorted(about))}
        return [ranks[step.arguments[0]] if change else None for step, change in zip(steps, changes, strict=True)]
    numbered: list[int | None] = []
    came = gone = 0
    for step in steps:
        leave = step.arguments[0] if step.name == "bulk_evict" else step.name == "evict"
        numbered.append(came if step.name == "insert" else gone if leave else None)
        came, gone = came + (step.name == "insert"), gone + leave
    return numbered


def without_entries(steps: Sequence[Step], first: int, end: int, window: Window = FIFO) -> Iterator[Step]:
    """Yield the operations without the entries first .. end - 1: neither their inserts nor their evicts.

    >>> from swagproof.oracle.trace import EVICT, QUERY, inline, insert
    >>> inline(list(without_entries([insert("a"), insert("b"), EVICT, insert("c"), QUERY], 0, 1)))
    'insert "b", insert "c", query'
    """
    for step, at in zip(steps, entries(steps, window), strict=True):
        if at is not None and step.name == "bulk_evict":
            left = step.arguments[0] - max(0, min(end, at + step.arguments[0]) - max(first, at))
            if left:
                yield bulk_evict(left)
        elif at is None or not first <= at < end:
            yield step


def made_legal(steps: Sequence[Step], window: Window = FIFO) -> Iterator[Step]:
    """Yield the operations without illegal ones: evicts of an empty FIFO window, say."""
    return itertools.compress(steps, window.legally(steps))


def one_minimal(subject: Subject, domain: Domain, steps: Sequence[Step], clock: Clock) -> bool:
    """Return whether the trace fails, and without any one of its operations passes or is illegal.

    Of equal neighbours only one is removed.  False if the deadline comes first.
    """
    if run(subject, domain, steps, clock, Tried()) is None:
        return False
    different = (at for at, step in enumerate(steps) if at == 0 or step != steps[at - 1])
    for rest in ([*steps[:at], *steps[at + 1 :]] for at in different):
        if subject.takes(rest, domain) and run(subject, domain, rest, clock, Tried()) is not None:
            return False
    return not clock.expired
