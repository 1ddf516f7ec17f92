"""Judging a subject: search, minimise, explain.  `conform` on the command line is this with a subject by name.

from swagproof.oracle.domain import domain
from swagproof.oracle.judge import judge
from swagproof.oracle.subject import Subject

report = judge(Subject("mine", MyWindow), [domain("concatenation")], seed=0, budget=5)
print(report.text())
"""

import time
from collections.abc import Sequence
from typing import Any

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import DEFAULT, Domain
from swagproof.oracle.domain import domain as domain_of
from swagproof.oracle.minimise import Minimiser
from swagproof.oracle.report import Report
from swagproof.oracle.runner import Tried, run
from swagproof.oracle.search import Coverage, Finding, Watcher, search
from swagproof.oracle.subject import Subject
from swagproof.oracle.trace import InputError, Trace
from swagproof.oracle.verdict import Verdict, replay_command, witness_of

LEAST_MINIMISING: float = 10.0
"""Seconds that the minimiser may take at least; else as many as the budget."""

LONGEST_COMMAND: int = 100_000
"""Characters of the longest command that is printed; a longer trace wants a file."""


def _quiet(_phase: str, _tried: Tried) -> None:
    pass


def domains_of(subject: Subject, names: Sequence[str] = ()) -> list[Domain]:
    """The domains to judge a subject over, by name; else those it declares, else the usual ones.

    Raises InputError for a name that is unknown, or that the subject does not support.
    """
    for name in names:
        if subject.monoids is not None and name not in subject.monoids:
            raise InputError(f"--monoid {name}: {subject.name} supports {', '.join(subject.monoids)} only")
    return [domain_of(name) for name in dict.fromkeys(names or subject.monoids or DEFAULT)]


def judge(
    subject: Subject,
    domains: Sequence[Domain],
    *,
    seed: int = 0,
    budget: float = 10.0,
    timeout: float = 10.0,
    about_values: dict[str, Any] | None = None,
    more: Sequence[str] = (),
    watcher: Watcher = _quiet,
) -> Report:
    """Search for a trace on which the subject is wrong, for `budget` seconds, and report on the smallest found.

    `about_values` goes into the report, `more` are options that the replaying command needs.  Raises InputError when
    the subject cannot be built; KeyboardInterrupt on Ctrl-C.
    """
    start = time.monotonic()
    coverage = Coverage()
    replay: str | None = None
    with Clock(timeout) as clock:
        finding = search(subject, domains, seed, budget, clock, coverage, watcher)
        if finding is not None:
            clock.allow(max(budget, LEAST_MINIMISING))
            repeats, verdict = _smallest(subject, finding, clock, coverage)
            assert verdict.witness is not None
            replay = replay_command(subject.name, verdict.witness.trace, more)
            if not repeats or len(replay) > LONGEST_COMMAND:
                replay = replay[: replay.rindex(" --trace ")] + f" --seed {seed} --budget {budget:g}"
        elif coverage.total.queries == 0:
            verdict = Verdict("unknown", f"the budget of {budget:g} s was spent before any answer was checked")
        else:
            verdict = Verdict("conforms", "no trace was found on which it disagrees with the reference")
    seconds = time.monotonic() - start
    return Report(
        verdict, subject.name, subject.window, seed, budget, seconds, coverage, about_values, replay, subject.methods
    )


def _smallest(subject: Subject, finding: Finding, clock: Clock, coverage: Coverage) -> tuple[bool, Verdict]:
    """Whether the trace fails on its own, and the verdict on the smallest one near it."""
    domain, steps, failure, phase = finding.domain, finding.steps, finding.failure, finding.phase
    if failure.kind == "hung":
        return True, witness_of(subject, domain, steps, failure, False, phase)
    remark = ""
    if run(subject, domain, steps, clock, Tried()) is None and not clock.expired:
        remark = "the same trace passes when it is run again"
    elif coverage.first is not None and run(subject, *coverage.first, clock, Tried()) is not None:
        remark = "a trace that had passed before now fails"
    if remark:
        verdict = witness_of(subject, domain, steps, failure, False, phase)
        sentence = f"{verdict.sentence}; but {remark}: windows share state, or chance is at work"
        return False, Verdict(verdict.outcome, sentence, verdict.witness)
    smaller = Minimiser(subject, domain, list(steps), failure, clock, Tried())
    minimal = smaller.minimise()
    return True, witness_of(subject, domain, smaller.steps, smaller.failure, minimal, phase)


def replay(
    subject: Subject, domain: Domain, trace: Trace, *, timeout: float = 10.0, more: Sequence[str] = ()
) -> Report:
    """Run one trace and report on it.  Raises InputError and KeyboardInterrupt as `judge` does."""
    start = time.monotonic()
    coverage = Coverage()
    tried = coverage.monoids[domain.name] = Tried()
    with Clock(timeout) as clock:
        failure = run(subject, domain, trace.steps, clock, tried)
    command: str | None = None
    if failure is not None:
        verdict = witness_of(subject, domain, trace.steps[: failure.at + 1], failure, False, "replay")
        assert verdict.witness is not None
        command = replay_command(subject.name, verdict.witness.trace, more)
    elif tried.queries == 0:
        verdict = Verdict("unknown", "the trace asks no query, so that nothing was checked")
    else:
        verdict = Verdict("conforms", "on this trace it agrees with the reference")
    seconds = time.monotonic() - start
    return Report(verdict, subject.name, subject.window, None, None, seconds, coverage, None, command, subject.methods)
