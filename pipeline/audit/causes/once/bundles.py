"""A mean that is the mean of partial means, whatever parts these were: that is read off the result.

A stage that averages what comes to it in bundles hands on means; a second stage that averages these weighs an event in
a small bundle more.  Where a bundle ends hangs on a timer, a buffer or a batch that nobody has written down.  But each
is a run of the events of a window, or of one upstream of it, as they came: so there are as many ways as there are
places for their ends, and the result is one of so many numbers.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from math import lcm, log2
from typing import Final

from swagproof.pipeline.audit.causes.differences import read_number
from swagproof.pipeline.audit.causes.sample import Event, Sample, regroup
from swagproof.pipeline.audit.causes.tried.cuts import sort_arrived
from swagproof.pipeline.audit.causes.tried.divided import list_cells

_MOST: Final = 4096
"""In how many ways a window is divided at most."""
_NEAR: Final = 1e-9


@dataclass(frozen=True)
class Bundles:
    """A way to divide a window whose partial means have the mean that is there."""

    contents: tuple[int, ...]
    """Arrival numbers, each as often as it weighs."""
    bits: float
    """How many bits the value says, less those of choosing the way."""


def find_bundles(sample: Sample, events: Sequence[Event], got: float) -> Bundles | None:
    """The way with fewest parts; exponential in how many events there are, of which there are few."""
    ways: list[Callable[[Event], int] | None] = [None, *(of for _, of in list_cells(sample))]
    found = (_find(sort_arrived(events) if of is None else events, of, got, len(ways)) for of in ways)
    return max((one for one in found if one is not None), key=lambda one: one.bits, default=None)


def _find(events: Sequence[Event], of: Callable[[Event], int] | None, got: float, ways: int) -> Bundles | None:
    came = [sort_arrived(part) for part in ([events] if of is None else regroup(events, of))]
    places = len(events) - len(came)
    if not 0 < 2**places <= _MOST:
        return None
    values = [read_number(e.value) for e in events]
    if any(value is None for value in values):
        return None
    there = [value for value in values if value is not None]
    made: set[float] = set()
    best: list[Sequence[Event]] | None = None
    for parts in product(*map(_list_runs, came)):
        runs = [run for of_part in parts for run in of_part]
        means = [sum(map(_get_number, run)) / len(run) for run in runs]
        mean = sum(means) / len(means)
        made.add(round(mean, 9))
        if abs(mean - got) <= _NEAR * max(1.0, abs(got)) and (best is None or len(runs) < len(best)):
            best = runs
    if best is None or len(best) == 1:
        return None
    weight = lcm(*map(len, best))
    contents = tuple(e.arrival for run in best for e in run for _ in range(weight // len(run)))
    finest = 1 + (max(there) - min(there)) * weight * len(best)
    return Bundles(contents, log2(finest) - log2(len(made)) - log2(ways))


def _get_number(e: Event) -> float:
    return read_number(e.value) or 0.0


def _list_runs(came: Sequence[Event]) -> Iterator[list[Sequence[Event]]]:
    """All ways to cut events in a row, from no cut on."""
    n = len(came)
    for k in range(n):
        for cuts in combinations(range(1, n), k):
            ends = (0, *cuts, n)
            yield [came[i:j] for i, j in pairwise(ends)]
