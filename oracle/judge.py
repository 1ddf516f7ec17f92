"""Judging a subject: search, minimise, explain.  `conform` on the command line is this with a subject by name.

A verdict must hold when it is looked at again.  So a trace that failed is run afresh before it is made small, and what
passes then is not called a small witness: all that was tried is tried again, with a process for each trace, for what
came before may have corrupted the process.  Where that finds nothing, the trace is said to depend on what ran before; a
trace that had passed is run again, for windows may share state.  And a subject of which nothing was asked does not
conform: where no answer was checked, over each of the domains, the verdict is unknown; and so it is where the clock
ended the search before its effort was done, and where the effort was so small that hardly anything was tried.

from swagproof.oracle.domain import domain
from swagproof.oracle.judge import judge
from swagproof.oracle.subject import Subject
from swagproof.reports.text import render

judgement = judge(Subject("mine", MyWindow), [domain("concatenation")], seed=0)
print(render(judgement.report()))
"""

import itertools
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain
from swagproof.oracle.domains.elements import distinct_letters
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.minimise import Minimiser, one_minimal
from swagproof.oracle.mistakes import count
from swagproof.oracle.outcome import Failure, Tried
from swagproof.oracle.plan import Finding, Plan, Watcher, search
from swagproof.oracle.programs.program import short_trace
from swagproof.oracle.reports.judgement import Judgement
from swagproof.oracle.runner import run
from swagproof.oracle.search.coverage import Coverage
from swagproof.oracle.search.runs import short_structures, spell
from swagproof.oracle.subject import Player, Subject, load_monoid
from swagproof.oracle.trace import QUERY, InputError, Step, Trace, asks, encode_answer, inline, largest_window, legal
from swagproof.oracle.verdict import LATE, Lettered, Verdict, accuse, long_integers, replay_command, search_command
from swagproof.oracle.window import FIFO, Window

MINIMISING: Final = 120.0
"""Seconds that the minimiser may take: its own limit is one of work, which few subjects need so long for."""

LEADING: Final = 20.0
"""Seconds in which another window is looked for that makes a trace fail which passes in a new process."""

LEAST: Final = 0.02
"""The part of the work that a subject must offer to be judged on, that it may conform."""

LEAST_ANSWERS: Final = 100
"""Answers that are checked at least of what conforms,"""

LEAST_WINDOW: Final = 3
"""and elements in the largest window: with fewer, none lies between the first and the last. Or,"""

LEAST_OPERATIONS: Final = 10_000
"""where a window never holds so many, so many operations in all."""

BESIDE: Final = 0.08
"""The part of the work that is done once more with other windows of the class alive beside each:"""

ALIVE: Final = 3
"""so many in all, where it is not said how many may be."""

RACING: Final = 15.0
"""Seconds in which a small trace is looked for where readers at the same time get in one another's way:"""

RACED: Final = 6
"""all of fewer operations, and"""

RUNS: Final = 40
"""so many runs of each, in which"""

AGAIN: Final = 8
"""the last query is asked so often once more."""

KNOWN, MANY_RUNS = 10, 2_000
"""Failures in which it is known how often a trace fails, and the most runs for that."""

REPLAYED: Final = 20_000
"""Operations in the runs of a trace that is replayed with several readers."""

CERTAIN: Final = 5
"""Runs in which a trace fails that is no matter of chance."""

HASTE: Final = 20
"""The part of the time limit under which traces that hang are minimised; the smallest is held to the whole."""

LETTERS: Final = "concatenation"
"""The monoid over which failures are shown as well, in windows of up to so many elements: answers grow with them."""

LETTERED: Final = 2048

LONGEST_COMMAND: int = 100_000
"""Characters of the longest command that is printed; a longer trace wants a file."""


def domains_of(subject: Subject, names: Sequence[str] = ()) -> list[Domain]:
    """The domains to judge over, by name, ours or the user's own; else those that it declares, else the usual ones.

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
    budget: float = math.inf,
    timeout: float = 10.0,
    about_values: dict[str, Any] | None = None,
    more: Sequence[str] = (),
    watcher: Watcher = lambda _what, _coverage: None,
    plan: Plan | None = None,
) -> Judgement:
    """Search for a trace on which the subject is wrong, and report on the smallest found.

    `effort` is how many operations are tried: as many as are usual for its kind of window, where none is said, or all
    that there is to a `plan`.  Where `budget` seconds pass before that, the verdict is unknown.  `about_values` goes
    into the report, `more` are options that the replaying command needs; a `plan` says what to try, without one it is
    all that the kind of window has.  Raises InputError when the subject cannot be built; KeyboardInterrupt on Ctrl-C.
    """
    start = time.monotonic()
    coverage = Coverage()
    replay: str | None = None
    if effort is None:
        effort = KINDS[subject.window].effort if plan is None else math.inf
    clock = Clock(timeout)
    clock.allow(budget)
    options: dict[str, Any] = {"seed": seed, "watcher": watcher}
    finding = search(subject, domains, effort=effort, clock=clock, coverage=coverage, plan=plan, **options)
    searched = coverage
    for beside in _beside(subject) if finding is None and coverage.finished and plan is None else ():
        searched = Coverage()
        try:
            finding = search(beside, domains, effort=BESIDE * effort, clock=clock, coverage=searched, **options)
        except InputError as error:  # it refuses so many; what one window at a time does is known by now
            coverage.refused = str(error)
            continue
        coverage.refused, coverage.beside, coverage.finished = "", searched.total, searched.finished
        if finding is not None:
            subject, effort, more = beside, BESIDE * effort, (*more, "--alive", str(beside.adapter.alive))
        break
    if finding is not None:
        clock.allow(MINIMISING)
        repeats, verdict = _minimise(subject, finding, domains, clock, searched)
        if not repeats and (led := _lead(subject, finding, domains, searched.recent, clock)) is not None:
            subject, verdict = led
            over = ("--after-monoid", subject.after_over.name) if subject.after_over is not None else ()
            repeats, more = True, (*more, "--after", inline(subject.after), *over)
        if not repeats:  # what came before may have corrupted the process
            afresh = each_afresh(subject)
            clock.allow(MINIMISING)
            before = searched.work + finding.work
            found = search(afresh, domains, seed=seed, effort=before, clock=clock, coverage=Coverage(), plan=plan)
            if found is not None:
                repeats, verdict = _minimise(afresh, found, domains, clock, Coverage())
        assert verdict.witness is not None
        replay = replay_command(subject.spelled, verdict.witness.trace, more)
        if not repeats or len(replay) > LONGEST_COMMAND:
            replay = (
                search_command(subject.spelled, subject.window, [it.name for it in domains], more) + f" --seed {seed}"
            )
            replay += f" --effort {effort:.0f}" if math.isfinite(effort) else ""
    else:
        verdict = _conclude(domains if plan is None else (), coverage, effort, budget)
    seconds = time.monotonic() - start
    return Judgement(
        verdict,
        subject.name,
        subject.window,
        seed=seed,
        effort=effort,
        budget=budget,
        seconds=seconds,
        coverage=coverage,
        values=about_values,
        replay=replay,
        judged=subject.methods,
    )


def _beside(subject: Subject) -> Iterator[Subject]:
    """The same with others alive beside each window, where it is for us to say how many; and with fewer of them."""
    if subject.window != "frame" and subject.is_running and subject.adapter.alive is None:
        yield from filter(None, map(subject.alive, (ALIVE, 2)))


def _conclude(domains: Sequence[Domain], coverage: Coverage, effort: float, budget: float) -> Verdict:
    """The verdict when nothing failed: it conforms if all was tried that the effort asks for, and answers were checked,
    over each of these domains, and any at all."""
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
        return Verdict("unknown", f"{said}: nothing was wrong so far; give more time, or ask for a smaller effort")
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
    return Verdict(
        "conforms", f"no trace was found on which it disagrees with the reference, in windows of up to {held}"
    )


def _minimise(
    subject: Subject, finding: Finding, domains: Sequence[Domain], clock: Clock, coverage: Coverage
) -> tuple[bool, Verdict]:
    """Whether the trace fails on its own, and the verdict on the smallest one near it: of two, that over letters, where
    these are among what is judged over."""
    domain, steps, failure, phase = finding.domain, finding.steps, finding.failure, finding.phase
    if failure.kind == "hung":
        return True, _minimise_hang(subject, finding, clock)
    if (raced := _minimise_race(subject, finding, domains, clock)) is not None:
        return True, raced
    if ":" in domain.name and failure.kind == "wrong":
        _refuse_chance(subject, domain, steps, failure)
    remark = ""
    again = _rerun(subject, domain, steps, clock)
    if again is not None and again.kind == "broken" and again.at < 0 <= failure.at:  # it does not start any more
        remark = str(again.error)
    elif again is None and not clock.expired:
        remark = _explain_passing(subject, finding, clock)
    elif coverage.first is not None and run(subject, *coverage.first, clock, Tried()) is not None:
        remark = "a trace that had passed before now fails: windows share state, or chance is at work"
    smaller = Minimiser(subject, domain, list(steps), failure, clock, Tried())
    unfinished = remark or smaller.minimise()
    minimal = not unfinished
    if minimal and subject.player is None and _rerun(subject, domain, smaller.steps, clock) is None:
        if subject.program is None:  # one of the tries on the way failed by what those before it had left
            return _minimise(each_afresh(subject), finding, domains, clock, Coverage())
        remark = _explain_passing(subject, finding, clock)
    if remark:
        verdict = accuse(subject, domain, steps, failure, minimal=False, found_by=phase, clock=clock)
        return False, Verdict(verdict.outcome, f"{verdict.sentence}; but {remark}", verdict.witness)
    steps, failure = tuple(smaller.steps), smaller.failure
    letters = _show_over_letters(subject, domain, steps, failure, clock)
    if minimal and letters is not None and domain.name != letters.domain.name:
        shorter = Minimiser(subject, letters.domain, list(letters.steps), letters.failure, clock, Tried())
        most = len(steps) - (letters.domain.name not in [it.name for it in domains])
        if shorter.minimise() is None and len(shorter.steps) <= most:
            domain, steps, failure = letters.domain, tuple(shorter.steps), shorter.failure
            letters = _show_over_letters(subject, domain, steps, failure, clock)
    verdict = accuse(
        subject,
        domain,
        steps,
        failure,
        minimal=minimal,
        unfinished=unfinished,
        found_by=phase,
        clock=clock,
        letters=letters,
        found=finding.steps,
    )
    return True, verdict


def _minimise_race(subject: Subject, finding: Finding, domains: Sequence[Domain], clock: Clock) -> Verdict | None:
    """The verdict on a small trace in which readers at the same time get in one another's way, and how often they do.

    Whether they do is chance: so each trace is run many times, with its last query asked again and again, before it
    passes.  None where it is no chance, and where nothing small is found to fail so.
    """
    if subject.adapter.readers == 1 or finding.failure.kind not in ("wrong", "raised"):
        return None
    if all(_rerun(subject, finding.domain, finding.steps, clock) for _ in range(CERTAIN)):
        return None
    haste = Clock(clock.timeout)
    haste.allow(RACING)
    over = next((domain for domain in domains if domain.name == LETTERS), finding.domain)
    raced = replace(subject, player=_often(subject))
    tried: list[tuple[Domain, Sequence[Step]]] = []
    if subject.kind is FIFO:
        looks = itertools.product(short_structures(RACED), (False, True))
        tried = [(over, _looking(spell(runs, over.elements.letters), always)) for runs, always in looks]
    for domain, steps in (*tried, (finding.domain, finding.steps)):
        failure = run(raced, domain, steps, haste, Tried())
        if failure is not None and failure.kind == finding.failure.kind:
            break
    else:
        return None
    if steps is finding.steps:  # the others are tried the shortest first
        smaller = Minimiser(raced, domain, list(steps[: failure.at + 1]), failure, haste, Tried())
        smaller.minimise()
        steps, failure = smaller.steps, smaller.failure
    steps = steps[: failure.at + 1]
    fails, runs = _count_failures(subject, domain, steps, clock)
    often = f"{fails or 'none'} of {count(runs, 'more run')} of this trace ended so"
    verdict = accuse(subject, domain, steps, failure, minimal=False, found_by=finding.phase, unfinished="it is a race")
    assert verdict.witness is not None
    witness = replace(verdict.witness, diagnosis="readers race")
    return Verdict(verdict.outcome, f"{verdict.sentence}; its readers race: {often}", witness)


def _count_failures(subject: Subject, domain: Domain, steps: Sequence[Step], clock: Clock) -> tuple[int, int]:
    """How often a trace fails, and in how many runs: until it is known somewhat, or has been tried enough."""
    fails = runs = 0
    while fails < KNOWN and runs < MANY_RUNS and clock.left():
        fails += run(subject, domain, steps, clock, Tried()) is not None
        runs += 1
    return fails, runs


def _looking(steps: Sequence[Step], always: bool) -> list[Step]:
    """With a query after each operation, or in the end alone."""
    return [step for change in steps for step in (change, QUERY)] if always else [*steps, QUERY]


def _often(subject: Subject) -> Player:
    """Runs a trace as often as chance may need, the last query many times."""

    def play(domain: Domain, steps: Sequence[Step], clock: Clock, tried: Tried) -> Failure | None:
        asked = [*steps, *[steps[-1]] * AGAIN] if asks(steps[-1]) else steps
        for _ in range(RUNS):
            failure = run(subject, domain, asked, clock, tried)
            if failure is not None:
                return replace(failure, at=min(failure.at, len(steps) - 1))
            if clock.expired:
                break
        return None

    return play


def _refuse_chance(subject: Subject, domain: Domain, steps: Sequence[Step], failure: Failure) -> None:
    """Raise InputError where a monoid of the user's own now gives another right answer than before."""
    adapted = KINDS[subject.window].adapt(domain)
    for _ in range(2):
        reference = KINDS[subject.window].expected(adapted.rule.mirror)
        expected: Any = None
        for step in steps[: failure.at + 1]:
            lifted = step.arguments
            if step.name == "insert":
                lifted = (*step.arguments[:-1], adapted.rule.mirror.lift(step.arguments[-1]))
            expected = getattr(reference, step.name)(*lifted)
        if encode_answer(adapted.rule.round_exact(expected)) != failure.expected:
            raise InputError(
                f"the monoid {domain.name} gives two products of the same elements: it must not use chance"
            )


def _hasten(clock: Clock) -> Clock:
    """One by which it is soon said that something hangs."""
    return Clock(min(clock.timeout, max(0.3, clock.timeout / HASTE)))


def _minimise_hang(subject: Subject, finding: Finding, clock: Clock) -> Verdict:
    """The verdict on the smallest trace near this one that hangs, too."""
    domain, steps, failure = finding.domain, finding.steps, finding.failure
    haste = _hasten(clock)
    haste.allow(MINIMISING)
    smaller = Minimiser(subject, domain, list(steps), failure, haste, Tried())
    unfinished = smaller.minimise()
    minimal = unfinished is None
    again = _rerun(subject, domain, smaller.steps, clock) if len(smaller.steps) < len(steps) else failure
    if again is not None and again.kind == "hung":
        steps, failure = tuple(smaller.steps), again
    else:  # it only took its time
        minimal = False
    return accuse(
        subject,
        domain,
        steps,
        failure,
        minimal=minimal,
        unfinished=unfinished,
        found_by=finding.phase,
        clock=clock,
    )


def _show_over_letters(
    subject: Subject, domain: Domain, steps: Sequence[Step], failure: Failure, clock: Clock
) -> Lettered | None:
    """The same operations over letters, all distinct, if they fail there alike, and are not the same already."""
    alike = failure.kind in ("wrong", "raised", "cost")
    if not alike or (subject.monoids is not None and LETTERS not in subject.monoids):
        return None
    if largest_window(steps, subject.kind) > LETTERED:
        return None
    (over,) = domains_of(subject, [LETTERS])
    letters = distinct_letters()
    lettered = tuple(
        Step(step.name, (*step.arguments[:-1], next(letters))) if step.name == "insert" else step for step in steps
    )
    if domain.name == over.name and lettered == tuple(steps):
        return None
    try:
        failed = run(subject, over, lettered, clock, Tried())
    except InputError:  # it takes no letters
        return None
    found = failed is not None and failed.kind == failure.kind and failed.at == len(steps) - 1
    return Lettered(over, lettered, failed) if failed is not None and found else None


def each_afresh(subject: Subject) -> Subject:
    """The same, with a process for each trace."""

    def play(domain: Domain, steps: Sequence[Step], clock: Clock, tried: Tried) -> Failure | None:
        subject.stop()
        return run(subject, domain, steps, clock, tried)

    return replace(subject, player=play)


def _lead(
    subject: Subject,
    finding: Finding,
    domains: Sequence[Domain],
    recent: Iterable[Sequence[Step]],
    clock: Clock,
) -> tuple[Subject, Verdict] | None:
    """The subject after another window, dropped by then, that makes the trace fail in a new process, and the verdict.

    The other did what the trace does, over the same monoid or another, over which it passes; or what was tried before,
    the last first.
    """
    if subject.program is not None or finding.failure.kind == "hung":
        return None
    domain, host = finding.domain, subject.running
    letters = domain.elements.letters
    over: Domain | None = None
    """What the other is over, where it is not the same."""

    def after(steps: Sequence[Step]) -> Subject:
        return each_afresh(replace(subject, host=host, player=None, after=tuple(steps), after_over=over))

    def spell(steps: Sequence[Step]) -> Iterator[Step]:
        """Over this domain, whatever these were tried over."""
        over = itertools.cycle(letters)
        return (s._replace(arguments=(*s.arguments[:-1], next(over))) if s.name == "insert" else s for s in steps)

    def do_the_same(_: Domain, steps: Sequence[Step], clock: Clock, tried: Tried) -> Failure | None:
        return run(after(steps), domain, steps, clock, tried)

    haste = _hasten(clock)
    haste.allow(LEADING)
    leads: list[tuple[Domain | None, Sequence[Step]]] = [(None, list(spell(finding.steps)))]
    leads += [(other, finding.steps) for other in domains if other.name != domain.name]
    leads += [(None, list(spell(others))) for others in reversed([*recent])]
    before, steps, failure = leads[0][1], finding.steps, None
    for over, before in leads:
        if haste.expired:
            return None
        if over is None or _passes(each_afresh(subject), over, before, haste):
            failure = run(after(before), domain, steps, haste, Tried())
        if failure is not None and failure.at >= 0 and failure.kind != "hung":
            break
    else:
        return None
    haste.allow(LEADING)
    if over is not None:
        both = Minimiser(replace(subject, player=do_the_same), domain, list(steps), failure, haste, Tried())
        both.minimise()
        before, steps, failure = both.steps, tuple(both.steps), both.failure
    smaller = Minimiser(after(before), domain, list(steps), failure, haste, Tried())
    unfinished = smaller.minimise()
    before = _shorten(before, subject.kind, lambda less: run(after(less), domain, smaller.steps, haste, Tried()))
    steps, failure = tuple(smaller.steps), smaller.failure
    leading = after(before)
    verdict = accuse(
        leading,
        domain,
        steps,
        failure,
        minimal=not unfinished,
        unfinished=unfinished,
        found_by=finding.phase,
        clock=clock,
    )
    return leading, verdict


def _passes(subject: Subject, domain: Domain, steps: Sequence[Step], clock: Clock) -> bool:
    """Whether these can be asked over this domain, and are answered well."""
    try:
        return run(subject, domain, steps, clock, Tried()) is None
    except InputError:  # it does not take these elements
        return False


def _shorten(steps: Sequence[Step], kind: Window, fails: Callable[[Sequence[Step]], Failure | None]) -> list[Step]:
    """These without the parts, half of them and less, that something fails without."""
    steps = [*steps]
    size = len(steps)
    while size := size // 2:
        at = 0
        while at < len(steps):
            less = [*steps[:at], *steps[at + size :]]
            if legal(less, kind) and fails(less):
                steps = less
            else:
                at += size
    return steps


def _rerun(subject: Subject, domain: Domain, steps: Sequence[Step], clock: Clock) -> Failure | None:
    """Run a trace again, in a new process."""
    subject.stop()
    return run(subject, domain, steps, clock, Tried())


def _explain_passing(subject: Subject, finding: Finding, clock: Clock) -> str:
    """What to say of a trace that passes when it is run again."""
    if subject.program is None:
        return "the same trace passes when it is run again: windows share state, or chance is at work"
    domain, steps = finding.domain, finding.steps
    for earlier in (short_trace(subject, domain).steps, steps):
        filling = [step for step in earlier if step.name != "evict"]
        if _rerun(subject, domain, filling, clock) is None and run(subject, domain, steps, clock, Tried()) is not None:
            return "in a new process the same trace passes: reset must begin a new, empty window"
    return "in a new process the same trace passes: reset does not begin anew, or chance is at work"


@long_integers()
def replay(
    subject: Subject, domain: Domain, trace: Trace, *, timeout: float = 10.0, more: Sequence[str] = ()
) -> Judgement:
    """Run one trace and report on it.  Raises InputError and KeyboardInterrupt as `judge` does."""
    if not subject.can_be_asked(trace.steps):
        raise InputError(f"--trace: {subject.name} does not offer this, or does not say what it answers: see there")
    if subject.after:
        subject = each_afresh(subject)
    start = time.monotonic()
    coverage = Coverage()
    tried = coverage.monoids[domain.name] = Tried()
    verdict: Verdict | None = None
    clock = Clock(timeout)
    failure: Failure | None = None
    by_chance = subject.adapter.readers > 1
    for _ in range(max(1, min(MANY_RUNS, REPLAYED // (1 + len(trace.steps)))) if by_chance else 1):
        failure = run(subject, domain, trace.steps, clock, tried)
        if failure is not None:
            break
    if failure is not None:
        steps = trace.steps[: failure.at + 1]
        clock.allow(MINIMISING)
        late = failure.kind not in ("hung", "broken") and largest_window(steps, subject.kind) >= LATE
        minimal = late and one_minimal(subject, domain, steps, clock)
        letters = _show_over_letters(subject, domain, steps, failure, clock)
        verdict = accuse(
            subject, domain, steps, failure, minimal=minimal, found_by="replay", clock=clock, letters=letters
        )
    command: str | None = None
    if verdict is not None:
        assert verdict.witness is not None
        command = replay_command(subject.spelled, verdict.witness.trace, more)
    elif tried.queries == 0:
        verdict = Verdict("unknown", "the trace asks no query, so that nothing was checked")
    else:
        again = f", in {count(tried.traces, 'run')}" if tried.traces > 1 else ""
        verdict = Verdict("conforms", f"on this trace it agrees with the reference{again}")
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
