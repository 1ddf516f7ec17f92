"""A trace that fails after what another window did alone: the other, and what of it is needed."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain
from swagproof.oracle.outcome import Failure, Tried
from swagproof.oracle.plan import Finding
from swagproof.oracle.runner import run
from swagproof.oracle.subject import Subject
from swagproof.oracle.trace import InputError, Step
from swagproof.oracle.verdict import Verdict, accuse
from swagproof.oracle.witness.again import each_afresh, hasten
from swagproof.oracle.witness.minimise import Minimiser

LEADING: Final = 20.0
"""Seconds in which another window is looked for that makes a trace fail which passes in a new process."""


def find_lead(
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
    """The domain of the other window, if it is not the same."""

    def after(steps: Sequence[Step]) -> Subject:
        return each_afresh(replace(subject, host=host, player=None, after=tuple(steps), after_over=over))

    def spell(steps: Sequence[Step]) -> Iterator[Step]:
        """Over this domain, whatever these were tried over."""
        over = itertools.cycle(letters)
        return (s._replace(arguments=(*s.arguments[:-1], next(over))) if s.name == "insert" else s for s in steps)

    def do_the_same(_: Domain, steps: Sequence[Step], clock: Clock, tried: Tried) -> Failure | None:
        return run(after(steps), domain, steps, clock, tried)

    haste = hasten(clock)
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
        both = Minimiser(replace(subject, player=do_the_same), domain, list(steps), failure, haste)
        both.minimise()
        before, steps, failure = both.steps, tuple(both.steps), both.failure
    smaller = Minimiser(after(before), domain, list(steps), failure, haste)
    unfinished = smaller.minimise()
    steps, failure = tuple(smaller.steps), smaller.failure

    def lead(_: Domain, before: Sequence[Step], clock: Clock, tried: Tried) -> Failure | None:
        failed = run(after(before), domain, steps, clock, tried)
        return None if failed is None else replace(failed, at=len(before) - 1)

    leader = Minimiser(replace(subject, player=lead), over or domain, list(before), failure, haste)
    leader.minimise()
    leading = after(leader.steps)
    return leading, accuse(leading, smaller.finding(finding.phase), unfinished=unfinished, clock=clock)


def _passes(subject: Subject, domain: Domain, steps: Sequence[Step], clock: Clock) -> bool:
    """Return whether these can be asked over this domain, and are answered well."""
    try:
        return run(subject, domain, steps, clock, Tried()) is None
    except InputError:  # it does not take these elements
        return False
