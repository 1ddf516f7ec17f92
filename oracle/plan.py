"""The search: the traces to try, and the effort to spend on them.

Each kind of window has its phases (`swagproof.oracle.kinds`): every short word; plain walks; fills, turns and growth at
every size; large windows; and its own.  They take turns (`swagproof.oracle.search.attempts`), so that none starves
another.

The *effort* of a search is a number of operations, not of seconds: the same seed gives the same verdict on any machine.
The clock can only end a search earlier, and then the verdict is unknown.  A `Plan` replaces the usual phases, as for
vectors and pytest items.
"""

import gc
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, TypeAlias

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.outcome import Failure, Tried
from swagproof.oracle.runner import run_all
from swagproof.oracle.search.attempts import Attempt, Order, Phase, interleave, spend
from swagproof.oracle.search.coverage import Coverage
from swagproof.oracle.subject import Subject
from swagproof.oracle.trace import InputError, Step

EFFORTS: Final[Mapping[str, float]] = MappingProxyType({"small": 0.2, "default": 1.0, "large": 10.0})
"""Efforts by name, as multiples of the default for a kind of window."""


def operations_of(effort: str, window: str = "fifo") -> int:
    """Return the number of operations of an effort: a name or a number.  Raises InputError for anything else.

    >>> operations_of("small"), operations_of("30_000")
    (220000, 30000)
    """
    if effort in EFFORTS:
        return int(EFFORTS[effort] * KINDS[window].effort)
    if not effort.replace("_", "").isdecimal():
        raise InputError(f"effort {effort}: not one of {', '.join(EFFORTS)}, nor a number of operations")
    return int(effort)


@dataclass(frozen=True)
class Finding:
    """A failing trace as it was found; its last operation fails."""

    domain: Domain
    steps: tuple[Step, ...]
    failure: Failure
    phase: str
    work: int = 0
    """The cost of the whole trace as found, in operations."""


Watcher: TypeAlias = Callable[[str, Coverage], None]
"""A function called before each trace, with the name of what is tried and the coverage so far."""

Plan: TypeAlias = Callable[[], Sequence[Phase]]
"""A function that returns the phases to try."""


COLLECTED: Final = 200_000
"""The number of new objects after which Python looks for unreachable cycles during a search, in the judge's process."""


@contextmanager
def collect_seldom() -> Generator[None]:
    """Make Python look for cycles rarely: a search makes millions of tuples and no cycles, and the usual rate would
    cost a quarter of its time."""
    usual = gc.get_threshold()
    if usual[0]:
        gc.set_threshold(max(COLLECTED, usual[0]), *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def usual_phases(subject: Subject, domains: Sequence[Domain], seed: int) -> list[Phase]:
    """Return the phases of the kind of window; without a lead if other instances live, as the words come first then
    without them."""
    phases = KINDS[subject.window].phases(domains, seed, subject.methods)
    return phases if subject.adapter.alive in (None, 1) else [replace(phase, lead=0) for phase in phases]


@collect_seldom()
def search(
    subject: Subject,
    domains: Sequence[Domain],
    *,
    seed: int,
    effort: float,
    clock: Clock,
    coverage: Coverage,
    watcher: Watcher = lambda _what, _coverage: None,
    plan: Plan | None = None,
    order: Order | None = None,
) -> Finding | None:
    """Search for a failing trace, with this effort.  Adds the traces tried to `coverage` on the way.

    `plan` gives the phases to try; the default is all phases of the kind of window.  `order` has their attempts, if a
    search begins or continues with some of them.
    """
    phases = plan() if plan else usual_phases(subject, domains, seed)
    coverage.phases = {phase.name: Tried() for phase in phases} | coverage.phases
    under_way: deque[tuple[Phase, Attempt]] = deque()
    drawn = _Drawn()

    def draw() -> Iterator[Attempt]:
        for phase, attempt in spend(effort, order or interleave(phases)):
            watcher(attempt.what, coverage)
            attempt = attempt._replace(steps=subject.ask(attempt.steps, attempt.domain))
            under_way.append((phase, attempt))
            yield attempt
        drawn.all = True

    cut = False
    for attempt, tried, failure in run_all(subject, draw(), clock):
        phase, _ = under_way.popleft()
        domain, what, steps, completes = attempt
        cell = coverage.cells.setdefault((phase.name, domain.name), Tried())
        for total in (coverage.phases[phase.name], coverage.monoids.setdefault(domain.name, Tried()), cell):
            total.add(tried)
        if failure is not None:
            coverage.cells[phase.name, domain.name] = coverage.cells.pop((phase.name, domain.name))  # last
            return Finding(domain, tuple(steps[: failure.at + 1]), failure, what, attempt.work)
        cut = 0 < tried.traces and tried.operations < len(steps)
        if not cut:
            coverage.first = coverage.first or (domain, steps)
            coverage.work += attempt.work
            coverage.skipped += 0 if tried.traces else attempt.work
            coverage.complete(completes)
    coverage.finished = drawn.all and not under_way and not cut
    return None


class _Drawn:
    """A flag: True once all attempts are drawn, which happens before the last ones are judged."""

    all = False
