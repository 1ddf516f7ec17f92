"""The verdict on the smallest trace near a failing one.

The trace is repeated in a new process before it is minimised: one that passes there is not reported as a small witness.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain
from swagproof.oracle.outcome import Tried
from swagproof.oracle.plan import Finding
from swagproof.oracle.runner import run
from swagproof.oracle.search.coverage import Coverage
from swagproof.oracle.subject import Subject
from swagproof.oracle.verdict import Verdict, accuse
from swagproof.oracle.witness.again import (
    SHARED,
    always_fails,
    each_afresh,
    explain_passing,
    hasten,
    refuse_chance,
    rerun,
)
from swagproof.oracle.witness.letters import show_over_letters
from swagproof.oracle.witness.minimise import Minimiser

MINIMISING: Final = 300.0
"""Seconds of wall time for the minimiser.  Its limit is a number of operations, so its result does not depend on the
load of the machine; this limit only matters for subjects that take a tenth of a second for each operation, say."""

REPEATED: Final = 3_000
"""The most operations in the runs that show whether a minimised trace fails by chance."""


def make_small(
    subject: Subject, finding: Finding, domains: Sequence[Domain], clock: Clock, coverage: Coverage
) -> tuple[bool, Verdict]:
    """Return whether the trace fails by itself, and the verdict on the smallest one near it: if there are two, the one
    over letters, if these are among the domains."""
    domain, steps, failure = finding.domain, finding.steps, finding.failure
    if failure.kind == "hung":
        return True, _minimise_hang(subject, finding, clock)
    if ":" in domain.name and failure.kind == "wrong":
        refuse_chance(subject, domain, steps, failure)
    remark = ""
    again = rerun(subject, domain, steps, clock)
    if again is not None and again.kind == "broken" and again.at < 0 <= failure.at:  # it no longer starts
        remark = str(again.error)
    elif again is None and not clock.expired:
        remark = explain_passing(subject, finding, clock)
    elif coverage.first is not None and run(subject, *coverage.first, clock, Tried()) is not None:
        remark = f"a trace that had passed before now fails: {SHARED}"
    smaller = Minimiser.near(subject, finding, clock)
    unfinished = remark or smaller.minimise()
    if not remark and not smaller.failed and not clock.expired:
        remark = explain_passing(subject, finding, clock)
    if not remark and not always_fails(subject, domain, smaller.steps, clock, REPEATED) and not clock.expired:
        if subject.player is None and subject.program is None:  # a try failed because of what earlier ones left behind
            return make_small(each_afresh(subject), finding, domains, clock, Coverage())
        remark = explain_passing(subject, finding, clock)
    if remark:
        verdict = accuse(subject, finding, unfinished="", clock=clock)
        witness = verdict.witness
        if witness is not None and SHARED in remark:
            witness = replace(witness, diagnosis="shared state")
        return False, Verdict(verdict.outcome, f"{verdict.sentence}; but {remark}", witness)
    small = smaller.finding(finding.phase)
    letters = show_over_letters(subject, domain, small.steps, small.failure, clock)
    others = [it.name for it in domains if it.name != domain.name]
    if unfinished is None and letters is not None and letters.domain.name in others:
        shorter = Minimiser(subject, letters.domain, list(letters.steps), letters.failure, clock)
        if shorter.minimise() is None and len(shorter.steps) <= len(small.steps):
            small = shorter.finding(finding.phase)
            letters = show_over_letters(subject, small.domain, small.steps, small.failure, clock)
    verdict = accuse(subject, small, unfinished=unfinished, clock=clock, letters=letters, found=finding.steps)
    return True, verdict


def _minimise_hang(subject: Subject, finding: Finding, clock: Clock) -> Verdict:
    """Return the verdict on the smallest trace near this one that also hangs."""
    haste = hasten(clock)
    haste.allow(MINIMISING)
    smaller = Minimiser.near(subject, finding, haste)
    unfinished, small = smaller.minimise(), finding
    shorter = len(smaller.steps) < len(finding.steps)
    again = rerun(subject, finding.domain, smaller.steps, clock) if shorter else finding.failure
    if again is not None and again.kind == "hung":
        small = Finding(finding.domain, tuple(smaller.steps), again, finding.phase)
    else:  # it was merely slow
        unfinished = unfinished or ""
    return accuse(subject, small, unfinished=unfinished, clock=clock)
