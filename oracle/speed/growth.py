"""Growth of an operation's time with the window, for subjects that cannot count their combine calls.

A fixed function ignores the monoid, so no call is counted, and a promise of constant time would be taken on trust. Time
measurements say something, if not much.  The time is measured on traces that slide at one size of the window, less the
time of filling it, at three sizes in turn; the least of three rounds counts, since noise can only raise it.  The result
is a ratio within one run, never a verdict: where it is large in each round, the report says so, and the verdict is
unknown.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Final

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain
from swagproof.oracle.outcome import Tried
from swagproof.oracle.runner import run
from swagproof.oracle.subject import Subject
from swagproof.oracle.trace import EVICT, QUERY, Step, evict_at, insert, insert_at

SIZES: Final = (64, 512, 4096)
"""Elements in the windows that slide."""

SLIDES: Final = 600
"""The number of times each slides: an insert, an evict and a query."""

ROUNDS: Final = 3

LARGE: Final = 6.0
"""A ratio between the largest and the smallest window that constant or logarithmic time does not come to."""


@dataclass(frozen=True)
class Growth:
    """The growth of a slide's time."""

    ratio: float
    """From the smallest window to the largest; the least of all rounds."""

    @property
    def large(self) -> bool:
        """Return whether that is more than constant or logarithmic time comes to."""
        return self.ratio >= LARGE

    def __str__(self) -> str:
        windows = f"from windows of {SIZES[0]:,} to {SIZES[-1]:,} elements"
        if self.large:
            return f"its time for a slide grew {self.ratio:.0f}-fold {windows}"
        return f"its time for a slide grew less than {LARGE:.0f}-fold {windows}, where a fast loop can hide"


def slides(window: str, domain: Domain, size: int) -> tuple[list[Step], list[Step]]:
    """Return what fills a window of this kind to a size, and what slides it then; the first is a beginning of a legal
    trace.

    >>> from swagproof.oracle.domain import domain
    >>> [len(steps) for steps in slides("fifo", domain("sum"), 64)]
    [64, 1800]
    """
    letters = cycle(domain.elements.letters)
    if window == "shared":
        fill = [Step("register", (size,)), *(insert(next(letters)) for _ in range(size))]
        return fill, [step for _ in range(SLIDES) for step in (insert(next(letters)), Step("lookup", (size,)))]
    if window == "time":
        fill = [Step("span", (size,)), *(insert_at(at, next(letters)) for at in range(size))]
        return fill, [s for at in range(SLIDES) for s in (insert_at(size + at, next(letters)), QUERY)]
    if window == "out-of-order":
        fill = [insert_at(at, next(letters)) for at in range(size)]
        moves = ((insert_at(size + at, next(letters)), evict_at(at), QUERY) for at in range(SLIDES))
    else:
        fill = [insert(next(letters)) for _ in range(size)]
        moves = ((insert(next(letters)), EVICT, QUERY) for _ in range(SLIDES))
    return fill, [step for move in moves for step in move]


def measure_growth(subject: Subject, domain: Domain, clock: Clock) -> Growth | None:
    """Return how the time of a slide grows with the window; None where the clock ends it, or a trace fails."""
    traces = [slides(subject.window, domain, size) for size in SIZES]
    ratios: list[float] = []
    for _ in range(ROUNDS):
        spent: list[float] = []
        for fill, slide in traces:
            both, alone = (_time(subject, domain, steps, clock) for steps in ([*fill, *slide], fill))
            if both is None or alone is None:
                return None
            spent.append(max(both - alone, 1e-9))
        ratios.append(spent[-1] / spent[0])
    return Growth(min(ratios))


def _time(subject: Subject, domain: Domain, steps: Sequence[Step], clock: Clock) -> float | None:
    start = time.perf_counter()
    failure = run(subject, domain, steps, clock, Tried())
    return None if failure is not None or clock.expired else time.perf_counter() - start
