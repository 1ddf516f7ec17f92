"""Judge a subject: search, confirm, minimise, explain.  `swagproof conform` does this for a subject by name.

A failing trace is repeated in a new process before it is minimised.  If it passes there, the search runs again with a
process for each trace, since an earlier trace may have corrupted the process; if that finds nothing, the verdict states
that the trace depends on earlier traces.  A subject conforms only if answers were checked over each domain, and if the
effort, not the clock, ended the search.

    from swagproof.oracle.domain import domain
    from swagproof.oracle.judge import judge
    from swagproof.oracle.subject import Subject

    judgement = judge(Subject("mine", MyWindow), [domain("concatenation")], seed=0)
    print(judgement)
"""

import math
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.mistakes import count
from swagproof.oracle.outcome import Tried
from swagproof.oracle.plan import Finding, Plan, Watcher, search, usual_phases
from swagproof.oracle.reports.judgement import Judgement
from swagproof.oracle.runner import run
from swagproof.oracle.sandbox.company import steps_of_second
from swagproof.oracle.search.attempts import Attempt, Order, Phase, interleave
from swagproof.oracle.search.coverage import Coverage
from swagproof.oracle.subject import Subject, load_monoid
from swagproof.oracle.trace import InputError, Trace, largest_window
from swagproof.oracle.verdict import LATE, Verdict, accuse, long_integers, replay_command, search_command
from swagproof.oracle.witness.again import each_afresh, rerun
from swagproof.oracle.witness.letters import show_over_letters
from swagproof.oracle.witness.minimise import one_minimal
from swagproof.oracle.witness.smallest import MINIMISING, make_small

LEAST: Final = 0.02
"""The least part of the work that a subject must support to conform."""

LEAST_ANSWERS: Final = 100
"""The least number of checked answers for the verdict *conforms*."""

LEAST_WINDOW: Final = 3
"""The least size of the largest window: in a smaller one, no element lies between the first and the last."""

LEAST_OPERATIONS: Final = 10_000
"""The least number of operations if no window is that large."""

LIMIT: Final = 300.0
"""The time limit in seconds of a search of usual effort, if no budget is given."""

EARLY: Final = (40, 200)
"""The least and the greatest length of the traces that a new process runs first."""

EARLY_EACH: Final = 2
"""The number of these traces over each domain."""

EARLY_AMONG: Final = 1000
"""The number of traces from which they are chosen."""

ALIVE: Final = 3
"""The usual number of live instances, if it is not given."""

BESIDE: Final = (((ALIVE, 2), 0.04), ((64,), 0.01))
"""The numbers of live instances, each in case the class refuses the one before; and the part of the effort that is
repeated with them."""

AFRESH: Final = 20_000
"""The most operations of a search with a process for each trace."""

CHANCE: Final = "the same search in a new process does not fail there: chance is at work"
"""The note on a subject whose behaviour is not repeatable."""

SEARCHES, REPEATED = 6, 200_000
"""The number of repetitions of a search that exclude chance, and the number of operations that limits them.  At least
one repetition is run."""

UNTRIED: Final = {"frame": "; rows without a time (NULL order keys) were not tried"}
"""The note on each kind of window about the cases that no search tries."""


def domains_of(subject: Subject, names: Sequence[str] = ()) -> list[Domain]:
    """Return the domains with these names, built-in or custom; by default those that the subject declares, or the usual
    ones.

    Raises InputError for a name that is unknown, or that the subject does not support, and as `load_monoid` does.
    """
    for name in names:
        if subject.monoids is not None and ":" not in name and name not in subject.monoids:
            raise InputError(f"--monoid {name}: {subject.name} supports {', '.join(subject.monoids)} only")
    return [
        subject.over(load_monoid(name))
        for name in dict.fromkeys(names or subject.monoids or KINDS[subject.window].domains)
    ]


@long_integers()
def judge(
    subject: Subject,
    domains: Sequence[Domain],
    *,
    seed: int = 0,
    effort: float | None = None,
    budget: float | None = None,
    timeout: float = 10.0,
    more: Sequence[str] = (),
    watcher: Watcher = lambda _what, _coverage: None,
    plan: Plan | None = None,
) -> Judgement:
    """Search for a trace on which the subject is wrong, and report on the smallest found.

    `effort` is the number of operations to try; the default depends on the kind of window, or is the whole `plan`.
    `budget` is a time limit in seconds, after which the verdict is unknown; the default is `LIMIT`, and more for a
    larger effort. `more` has options for the replay command. `plan` replaces the search of the kind of window. Raises
    InputError if the subject cannot be constructed, KeyboardInterrupt on Ctrl-C.
    """
    start = time.monotonic()
    usual = KINDS[subject.window].effort
    if effort is None:
        effort = usual if plan is None else math.inf
    if budget is None:
        budget = LIMIT * max(1.0, effort / usual if math.isfinite(effort) else 1.0)
    clock = Clock(timeout)
    clock.allow(budget)
    inquiry = _Inquiry(domains, seed, clock, watcher, plan)
    coverage = Coverage()
    case = inquiry.search(subject, effort, coverage)
    if case is None:
        verdict = _conclude(subject.window, domains if plan is None else (), coverage, effort, budget)
        replay = None
    else:
        case, verdict, repeats = inquiry.confirm(case)
        replay = inquiry.show_command(case, verdict, (*more, *case.more), repeats=repeats)
    return Judgement(
        verdict,
        subject.name,
        subject.window,
        seed=seed,
        effort=effort if case is None else case.effort,
        budget=budget,
        seconds=time.monotonic() - start,
        coverage=coverage,
        replay=replay,
        judged=subject.methods,
    )


@dataclass(frozen=True)
class Case:
    """A trace on which a subject failed, and the search that found it."""

    subject: Subject
    finding: Finding
    searched: Coverage
    effort: float
    plan: Plan | None
    more: tuple[str, ...] = ()
    """Options for the replay command."""


@dataclass(frozen=True)
class _Inquiry:
    """The stages of a judgement: search, then confirm and minimise."""

    domains: Sequence[Domain]
    seed: int
    clock: Clock
    watcher: Watcher
    plan: Plan | None

    def _seek(
        self, subject: Subject, effort: float, coverage: Coverage, plan: Plan | None = None, order: Order | None = None
    ) -> Case | None:
        finding = search(
            subject, self.domains, effort=effort, clock=self.clock, coverage=coverage, plan=plan, order=order,
            seed=self.seed, watcher=self.watcher,
        )  # fmt: skip
        return None if finding is None else Case(subject, finding, coverage, effort, plan)

    def search(self, subject: Subject, effort: float, coverage: Coverage) -> Case | None:
        """Try the shortest words, and a little with other live instances; then search as usual, and in the first traces
        of a new process."""
        if self.plan is not None:
            return self._seek(subject, effort, coverage, self.plan)
        phases = usual_phases(subject, self.domains, self.seed)
        order, lead = interleave(phases), sum(phase.lead for phase in phases)
        case = self._seek(subject, min(effort, lead), coverage, lambda: phases, order)
        if case is None and coverage.finished:
            case = self._seek_beside(subject, effort, coverage)
        if case is None and coverage.finished:
            case = self._seek(subject, effort - coverage.work, coverage, lambda: phases, order)
        if case is not None:
            return replace(case, plan=None, effort=effort)
        if coverage.finished and subject.window != "frame" and subject.is_running:
            subject.stop()
            searched = Coverage()
            case = self._seek(subject, math.inf, searched, _early(subject, self.domains, self.seed))
            coverage.finished = searched.finished
        return None if case is None else replace(case, subject=each_afresh(subject), effort=effort)

    def _seek_beside(self, subject: Subject, effort: float, coverage: Coverage) -> Case | None:
        """Search with other live instances, unless the subject declares their number."""
        if subject.window == "frame" or not subject.is_running or subject.adapter.alive is not None:
            return None
        for numbers, part in BESIDE:
            for beside in filter(None, map(subject.alive, numbers)):
                searched = Coverage()
                try:
                    case = self._seek(beside, part * effort, searched)
                except InputError as error:  # it refuses so many instances
                    coverage.refused = "" if coverage.beside else str(error)
                    continue
                coverage.refused, coverage.finished = "", searched.finished
                coverage.beside = coverage.beside or Tried()
                coverage.beside.add(searched.total)
                if case is None:
                    break
                found = case.finding
                for steps in (found.steps, tuple(steps_of_second(found.steps, subject.kind))):
                    alone = rerun(subject, found.domain, steps, self.clock)
                    if alone is not None:
                        plain = replace(found, steps=steps[: alone.at + 1], failure=alone)
                        return replace(case, subject=subject, finding=plain)
                return replace(case, more=("--alive", str(beside.adapter.alive)))
            else:
                return None
        return None

    def confirm(self, case: Case) -> tuple[Case, Verdict, bool]:
        """Minimise a trace that fails by itself; otherwise find whether chance or earlier traces make it fail.

        Returns the case, the verdict, and whether the trace of its witness fails when it is replayed.
        """
        subject, clock = case.subject, self.clock
        clock.allow(MINIMISING)
        repeats, verdict = make_small(subject, case.finding, self.domains, clock, case.searched)
        if repeats:
            return case, verdict, True
        if self.plan is None and _by_chance(case, self.domains, clock, self.seed):
            assert verdict.witness is not None
            witness = replace(verdict.witness, diagnosis="chance", unfinished="it fails by chance")
            sentence = f"{verdict.sentence.partition('; but ')[0]}; {CHANCE}"
            return case, Verdict(verdict.outcome, sentence, witness), False
        afresh = each_afresh(subject)  # earlier traces may have corrupted the process
        clock.allow(MINIMISING)
        again = replace(self, watcher=lambda _what, _coverage: None)._seek(
            afresh, min(AFRESH, case.searched.work + case.finding.work), Coverage(), self.plan
        )
        if again is not None:
            repeats, verdict = make_small(afresh, again.finding, self.domains, clock, Coverage())
        return case, verdict, repeats

    def show_command(self, case: Case, verdict: Verdict, more: tuple[str, ...], *, repeats: bool) -> str:
        """Return the command that shows the failure again."""
        assert verdict.witness is not None
        if repeats:
            return replay_command(case.subject.spelled, verdict.witness.trace, more)
        effort = ("--effort", f"{case.effort:.0f}") if math.isfinite(case.effort) else ()
        options = [*more, "--seed", str(self.seed), *effort]
        return search_command(case.subject.spelled, case.subject.window, [it.name for it in self.domains], options)


def _by_chance(case: Case, domains: Sequence[Domain], clock: Clock, seed: int) -> bool:
    """Return whether the same search in a new process fails at another trace, or at none.  Then earlier traces are not
    the cause."""
    subject, finding = case.subject, case.finding
    if subject.program is not None or finding.failure.kind not in ("wrong", "raised"):
        return False
    if subject.running.silences:  # some traces were repeated alone in a new process
        return False
    work = case.searched.work + finding.work
    for _ in range(max(1, min(SEARCHES, REPEATED // work))):
        subject.stop()
        clock.allow(MINIMISING)
        coverage = Coverage()
        again = search(subject, domains, seed=seed, effort=work, clock=clock, coverage=coverage, plan=case.plan)
        if subject.running.silences:
            return False
        if again is None:
            return coverage.finished
        if (again.domain.name, again.steps) != (finding.domain.name, finding.steps):
            return True
    return False


def _early(subject: Subject, domains: Sequence[Domain], seed: int) -> Plan:
    """Yield the first traces of a new process, in which windows become large enough and elements are evicted.

    All other phases run after the shortest words, in which a class has already built its first windows.  They would
    never find a mistake that occurs only in the first windows, or in the first one over a monoid.
    """
    some = interleave([replace(it, lead=0) for it in KINDS[subject.window].phases(domains, seed, subject.methods)])
    least, most = EARLY
    each = Counter[str]()

    def draw() -> Iterator[Attempt]:
        for _, attempt in islice(some, EARLY_AMONG):
            if least <= len(attempt.steps) <= most and each[attempt.domain.name] < EARLY_EACH:
                each[attempt.domain.name] += 1
                yield attempt._replace(what=f"first in a new process: {attempt.what}")

    return lambda: [Phase("what a process does first", 1, draw())]


def _conclude(window: str, domains: Sequence[Domain], coverage: Coverage, effort: float, budget: float) -> Verdict:
    """Return the verdict if nothing failed: *conforms* if the whole effort was spent, and enough answers were checked,
    some over each domain."""
    spent = f"the effort of {effort:,.0f} operations was" if coverage.finished else f"the budget of {budget:g} s was"
    unchecked = [domain.name for domain in domains if not coverage.monoids.get(domain.name, Tried()).queries]
    if coverage.total.queries == 0:
        return Verdict("unknown", f"{spent} spent before any answer was checked")
    if unchecked:
        return Verdict("unknown", f"{spent} spent before any answer over {', '.join(unchecked)} was checked")
    if not coverage.finished:
        asked = f" of {effort:,.0f}" if math.isfinite(effort) else ""
        untried = [name for name, tried in coverage.phases.items() if not tried.traces]
        nothing = f", with nothing of {', '.join(untried)}" if untried else ""
        said = f"{spent} spent after work for {coverage.work:,}{asked} operations{nothing}"
        return Verdict(
            "unknown", f"{said}: nothing was wrong so far; give more time with --budget, or ask for a smaller effort"
        )
    if coverage.skipped > (1 - LEAST) * coverage.work:
        offered = f"{coverage.work - coverage.skipped:,} of {coverage.work:,}"
        return Verdict("unknown", f"it offers too little to be judged on: work for {offered} operations")
    total = coverage.total
    held = count(total.largest_window)
    small = total.largest_window < LEAST_WINDOW and total.operations < LEAST_OPERATIONS
    if domains and (total.queries < LEAST_ANSWERS or small):
        return Verdict(
            "unknown",
            f"{spent} spent after {count(total.queries, 'answer')}, in windows of up to {held}: nothing was wrong so "
            f"far, but it takes {LEAST_ANSWERS} answers and {count(LEAST_WINDOW)} to conform; ask for a larger effort",
        )
    grown = f" (grown beyond {_capacity_below(total.largest_window):,})" if total.largest_window > 1 else ""
    tried = f"windows of up to {held}{grown}, {total.operations:,} operations and {total.queries:,} answers"
    left_out = UNTRIED.get(window, "")
    return Verdict("conforms", f"no trace was found on which it disagrees with the reference, in {tried}{left_out}")


def _capacity_below(size: int) -> int:
    """The largest power of two below a size: an array of that capacity had to grow.

    >>> _capacity_below(1025), _capacity_below(1024)
    (1024, 512)
    """
    return int(1 << (size - 1).bit_length() - 1)


@long_integers()
def replay(
    subject: Subject, domain: Domain, trace: Trace, *, timeout: float = 10.0, more: Sequence[str] = ()
) -> Judgement:
    """Run one trace and report on it.  Raises InputError and KeyboardInterrupt as `judge` does."""
    if not subject.can_be_asked(trace.steps):
        raise InputError(
            f"--trace: {subject.name} does not support these operations, or its adapter does not state an answer"
        )
    with suppress(TypeError):  # an element of a wrong type, which is refused when the trace runs
        if subject.adapter.alive in (None, 1) and not domain.fits(trace.steps, subject.kind):
            said = f"its sums need wider numbers than {subject.name} has; give --numbers any"
            raise InputError(f"--trace: {said}")
    start = time.monotonic()
    coverage = Coverage()
    tried = coverage.monoids[domain.name] = Tried()
    verdict: Verdict | None = None
    clock = Clock(timeout)
    failure = run(subject, domain, trace.steps, clock, tried)
    if failure is not None:
        steps = trace.steps[: failure.at + 1]
        finding = Finding(domain, steps, failure, "replay")
        clock.allow(MINIMISING)
        late = failure.kind not in ("hung", "broken") and largest_window(steps, subject.kind) >= LATE
        minimal = late and one_minimal(subject, domain, steps, clock)
        letters = show_over_letters(subject, domain, steps, failure, clock)
        verdict = accuse(subject, finding, unfinished=None if minimal else "", clock=clock, letters=letters)
    command: str | None = None
    if verdict is not None:
        assert verdict.witness is not None
        command = replay_command(subject.spelled, verdict.witness.trace, more)
    elif tried.queries == 0:
        verdict = Verdict("unknown", "the trace asks no query, so that nothing was checked")
    else:
        verdict = Verdict("conforms", "on this trace it agrees with the reference")
    seconds = time.monotonic() - start
    return Judgement(
        verdict,
        subject.name,
        subject.window,
        seconds=seconds,
        coverage=coverage,
        replay=command,
        judged=subject.methods,
    )
