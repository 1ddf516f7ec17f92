"""Curves of the Reactive Aggregator: combine calls against window size and slide (2015, Figures 7, 9 and 10).

The paper measures time; here calls are counted, and shown with the bound of Theorem 4.2.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from swagproof.contracts.flat_trees.flat_fat import height, update_bound
from swagproof.models.monoid import Counting
from swagproof.models.operations import SUM
from swagproof.proofs.costs.curves import Experiment, Point
from swagproof.proofs.costs.workloads import by_column, calls_when_full, slides
from swagproof.proofs.ledger.claim import GENERAL
from swagproof.reference.catalogue import BASE_INTERVALS, DABA, REACTIVE_AGGREGATOR, REACTIVE_AGGREGATOR_FIFO, Column

FINE: Final = (REACTIVE_AGGREGATOR, REACTIVE_AGGREGATOR_FIFO, BASE_INTERVALS, DABA)
BUFFERS: Final = (REACTIVE_AGGREGATOR, REACTIVE_AGGREGATOR_FIFO)


def most_a_firing(capacity: int, m: int) -> int:
    """Return the bound on a firing's calls after m changes: Theorem 4.2 (ii), twice (iii), and one call to join."""
    return update_bound(capacity, min(m, capacity)) + 2 * height(capacity) + 1


def _slid(column: Column, n: int, slide: int) -> float:
    """Return the combine calls per tuple for a window of n that slides by `slide` tuples before each firing."""
    firings = max(4, 2 * n // slide)
    return sum(calls_when_full(by_column(column), n, slides(n, slide, firings))) / (firings * slide)


def _fine(xs: Sequence[int]) -> Iterator[Point]:
    for n in xs:
        for column in FINE:
            bound = most_a_firing(2 * n, 2) if column in BUFFERS else None
            yield Point(column.name, n, _slid(column, n, 1), bound)


def _coarse(xs: Sequence[int]) -> Iterator[Point]:
    for n in xs:
        for name, slide in (("1", 1), ("4", 4), ("64", 64), ("n/16", n // 16), ("n/4", n // 4), ("n", n)):
            if 1 <= slide <= n:
                bound = most_a_firing(2 * n, 2 * slide) / slide
                yield Point(f"slide {name}", n, _slid(REACTIVE_AGGREGATOR, n, slide), bound)


def _oscillating(xs: Sequence[int]) -> Iterator[Point]:
    """Fill to n, then evict and insert n/2 + 2 in turn, so that the capacity oscillates (section 6.2)."""
    for n in xs:
        for column in BUFFERS:
            monoid = Counting(SUM)
            window = column.algorithm(monoid)
            for _ in range(n + 1):
                window.insert(1)
            window.query()
            monoid.calls = resizes = 0
            changes, capacity = 0, window.capacity
            for _ in range(4):
                for step in (*["evict"] * (n // 2 + 2), *["insert"] * (n // 2 + 2)):
                    window.evict() if step == "evict" else window.insert(1)
                    changes += 1
                    resizes += capacity != window.capacity
                    capacity = window.capacity
            yield Point(column.name, n, monoid.calls / changes, 4)
            yield Point(f"{column.name}: resizes", n, resizes)


EXPERIMENTS: Final = (
    Experiment(
        "reactive-aggregator/fine",
        "Combine calls, one tuple in and one out before each firing",
        f"{GENERAL}, Figure 7; Figure 11",
        "window size n, tuples",
        "combine calls a tuple",
        _fine,
        (16, 64, 256, 1024, 4096),
    ),
    Experiment(
        "reactive-aggregator/coarse",
        "Combine calls, several tuples in and out before each firing",
        f"{GENERAL}, Figure 10",
        "window size n, tuples",
        "combine calls a tuple",
        _coarse,
        (16, 64, 256, 1024, 4096),
    ),
    Experiment(
        "reactive-aggregator/oscillating",
        "Combine calls of resizing alone, between n and half of it",
        f"{GENERAL}, Figure 9; section 5.1.1",
        "window size n, tuples",
        "combine calls an insert or evict; resizes in all",
        _oscillating,
        (16, 64, 256, 1024),
    ),
)
