"""The search: which traces are tried, in which order, within a budget of time.

A wrong window may go wrong at its third operation, or only once it has grown past a thousand elements, and nobody knows
which.  A search that draws traces at random finds the first late and shows it badly, and the second hardly ever.  So
each kind of window has phases of its own (`swagproof.oracle.kinds`), from what is cheap and tells most to what is dear:
all short words first, so that what they find is smallest by construction; then tours over every transition of the
references, for a mistake that hides in one case of an algorithm like theirs; given values; windows at the sizes where
implementations grow, and large ones; random traces until the budget is spent.

Each phase has a share of the budget, so that none starves those behind it; what it leaves over goes to the next.  The
order of everything depends on the seed alone, and time only decides how far it gets: what was found once is found
again, on a slow machine later.

`search` knows nothing of phases but their traces; a `Plan` puts others in their place, as vectors and pytest items do.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.outcome import Failure, Tried
from swagproof.oracle.runner import run
from swagproof.oracle.search.attempts import Complete, Phase
from swagproof.oracle.search.coverage import Coverage, Structure
from swagproof.oracle.subject import Subject
from swagproof.oracle.trace import Step


@dataclass(frozen=True)
class Finding:
    """A trace that fails, as it was found: its last operation is where."""

    domain: Domain
    steps: tuple[Step, ...]
    failure: Failure
    phase: str


Watcher: TypeAlias = Callable[[str, Tried], None]
"""Told before each trace what is tried, and how much was."""

Plan: TypeAlias = Callable[[Complete], Sequence[Phase]]
"""What to try, in this order, given whom to tell of complete words."""


def search(
    subject: Subject,
    domains: Sequence[Domain],
    *,
    seed: int,
    budget: float,
    clock: Clock,
    coverage: Coverage,
    watcher: Watcher = lambda _phase, _tried: None,
    plan: Plan | None = None,
) -> Finding | None:
    """Look for a trace that fails, for `budget` seconds.  What was tried is added to `coverage` on the way.

    A `plan` says what to try; without one, it is all that the kind of window has.
    """
    end = time.monotonic() + budget
    walked = KINDS[subject.window].walked
    if walked is not None and domains and coverage.structure is None:
        coverage.structure = Structure(walked(), domains[0].name)
    plan = plan or (lambda complete: KINDS[subject.window].phases(domains, seed, complete, subject.methods))
    for phase in plan(coverage.complete):
        finding = _try_phase(subject, phase, (end - time.monotonic()) * phase.share, clock, coverage, watcher)
        if finding is not None:
            return finding
    return None


def _try_phase(
    subject: Subject,
    phase: Phase,
    seconds: float,
    clock: Clock,
    coverage: Coverage,
    watcher: Watcher,
) -> Finding | None:
    clock.allow(seconds)
    here = coverage.phases.setdefault(phase.name, Tried())
    for domain, what, attempt in phase.attempts:
        steps = subject.ask(attempt)
        if not clock.left():
            break
        tried = Tried()
        try:
            failure = run(subject, domain, steps, clock, tried)
        finally:
            cell = coverage.cells.setdefault((phase.name, domain.name), Tried())
            for total in (here, coverage.monoids.setdefault(domain.name, Tried()), cell):
                total.add(tried)
        if failure is not None:
            return Finding(domain, tuple(steps[: failure.at + 1]), failure, what)
        coverage.first = coverage.first or (domain, steps)
        if coverage.structure is not None and tried.operations == len(steps):  # it was not cut short
            coverage.structure.passed(domain, steps)
        if clock.expired:  # before the phase is asked for more, and takes this trace for tried
            break
        watcher(what, here)
    return None
