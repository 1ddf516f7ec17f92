"""The search: which traces are tried, in which order, within a budget of time.

Each kind of window has phases of its own (`swagproof.oracle.fifo`, `swagproof.oracle.out_of_order`): all short words
first, so that what they find is smallest by construction; then given values, windows at the sizes where
implementations grow, and large ones; random traces until the budget is spent.

Each phase has a share of the budget; what it leaves over goes to the next.  The order of everything depends on the
seed alone; time only decides how far it gets.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from swagproof.oracle.attempts import Phase
from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain
from swagproof.oracle.kinds import KINDS
from swagproof.oracle.runner import Failure, Tried, run
from swagproof.oracle.subject import Subject
from swagproof.oracle.trace import Step


@dataclass(frozen=True)
class Finding:
    """A trace that fails, as it was found: its last operation is where."""

    domain: Domain
    steps: tuple[Step, ...]
    failure: Failure
    phase: str


@dataclass
class Coverage:
    """How far the search got."""

    monoids: dict[str, Tried] = field(default_factory=dict[str, Tried])
    phases: dict[str, Tried] = field(default_factory=dict[str, Tried])
    first: tuple[Domain, list[Step]] | None = None
    """The first trace that passed: should it fail later, then windows share state."""
    every_word: int = 0
    """All words of up to so many operations were tried, over every domain."""

    def complete(self, length: int) -> None:
        """All words of this many operations were tried, over every domain."""
        if self.every_word == length - 1:
            self.every_word = length

    @property
    def total(self) -> Tried:
        """Over all domains."""
        each = list(self.monoids.values())
        return Tried(
            sum(tried.traces for tried in each),
            sum(tried.operations for tried in each),
            sum(tried.queries for tried in each),
            max((tried.largest_window for tried in each), default=0),
        )


Watcher: TypeAlias = Callable[[str, Tried], None]
"""Told before each trace what is tried, and how much was."""


def search(
    subject: Subject,
    domains: Sequence[Domain],
    seed: int,
    budget: float,
    clock: Clock,
    coverage: Coverage,
    watcher: Watcher = lambda _phase, _tried: None,
) -> Finding | None:
    """Look for a trace that fails, for `budget` seconds.  What was tried is added to `coverage` on the way."""
    end = time.monotonic() + budget
    for phase in KINDS[subject.window].phases(domains, seed, coverage.complete, subject.methods):
        finding = _tried(subject, phase, (end - time.monotonic()) * phase.share, clock, coverage, watcher)
        if finding is not None:
            return finding
    return None


def _tried(
    subject: Subject,
    phase: Phase,
    seconds: float,
    clock: Clock,
    coverage: Coverage,
    watcher: Watcher,
) -> Finding | None:
    clock.allow(seconds)
    here = coverage.phases.setdefault(phase.name, Tried())
    for domain, what, steps in phase.attempts:
        if not clock.left():
            break
        tried = Tried()
        try:
            failure = run(subject, domain, steps, clock, tried)
        finally:
            for total in (here, coverage.monoids.setdefault(domain.name, Tried())):
                _add(total, tried)
        if failure is not None:
            return Finding(domain, tuple(steps[: failure.at + 1]), failure, what)
        coverage.first = coverage.first or (domain, steps)
        watcher(what, here)
    return None


def _add(total: Tried, more: Tried) -> None:
    total.traces += more.traces
    total.operations += more.operations
    total.queries += more.queries
    total.largest_window = max(total.largest_window, more.largest_window)
