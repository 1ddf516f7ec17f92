"""Repetition of a failing trace: a trace that then passes is not reported as a small witness."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.outcome import Failure, Tried
from swagproof.oracle.plan import Finding
from swagproof.oracle.programs.program import short_trace
from swagproof.oracle.runner import run
from swagproof.oracle.subject import Subject
from swagproof.oracle.trace import InputError, Step, encode_answer, take

HASTE: Final = 20
"""The divisor of the time limit while traces that hang are minimised; the smallest is checked with the whole limit."""


def rerun(subject: Subject, domain: Domain, steps: Sequence[Step], clock: Clock) -> Failure | None:
    """Run a trace again, in a new process."""
    subject.stop()
    return run(subject, domain, steps, clock, Tried())


SHARED: Final = "windows share state, or chance is at work"
"""The note on a class with a trace that fails, and passes in another process."""

CERTAIN: Final = 6
"""The number of runs in new processes that must all fail to exclude chance."""


def always_fails(
    subject: Subject, domain: Domain, steps: Sequence[Step], clock: Clock, most: int | None = None
) -> bool:
    """Return whether a trace fails in each of some new processes: as many as `most` operations allow, but at least
    one."""
    runs = CERTAIN if most is None else max(1, min(CERTAIN, most // (1 + len(steps))))
    return all(rerun(subject, domain, steps, clock) is not None for _ in range(runs))


def each_afresh(subject: Subject) -> Subject:
    """Return the subject with a new process for each trace."""

    def play(domain: Domain, steps: Sequence[Step], clock: Clock, tried: Tried) -> Failure | None:
        subject.stop()
        return run(subject, domain, steps, clock, tried)

    return replace(subject, player=play)


def hasten(clock: Clock) -> Clock:
    """Return a clock with a shorter time limit per operation, to detect hangs sooner."""
    return Clock(min(clock.timeout, max(0.3, clock.timeout / HASTE)))


def explain_passing(subject: Subject, finding: Finding, clock: Clock) -> str:
    """Return the note on a trace that passes when it is repeated."""
    if subject.program is None:
        return f"the same trace passes when it is run again: {SHARED}"
    domain, steps = finding.domain, finding.steps
    for earlier in (short_trace(subject, domain).steps, steps):
        filling = [step for step in earlier if step.name != "evict"]
        if rerun(subject, domain, filling, clock) is None and run(subject, domain, steps, clock, Tried()) is not None:
            return "in a new process the same trace passes: reset must begin a new, empty window"
    return "in a new process the same trace passes: reset keeps some state, or the program uses chance"


def refuse_chance(subject: Subject, domain: Domain, steps: Sequence[Step], failure: Failure) -> None:
    """Raise InputError if a custom monoid now gives another right answer than before."""
    adapted = KINDS[subject.window].adapt(domain)
    for _ in range(2):
        reference = KINDS[subject.window].expected(adapted.rule.mirror)
        expected: Any = None
        for step in steps[: failure.at + 1]:
            expected = take(reference, step, adapted.rule.mirror.lift)
        if encode_answer(adapted.rule.round_exact(expected)) != failure.expected:
            raise InputError(
                f"the monoid {domain.name} returned two products of the same elements; it must be deterministic"
            )
