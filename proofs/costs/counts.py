"""Combine calls, counted over kinds of history and compared with the theorems' bounds.

Counting has no noise: the numbers are the same on every machine.
"""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final

from swagproof.models.operations import SUM
from swagproof.proofs.costs.workloads import by_column, play
from swagproof.reference.catalogue import DABA, FIFO, Column
from swagproof.reference.costs import THEOREMS

SIZES: Final = (2, 16, 1000)
SEED: Final = 2021


def sliding(n: int) -> Iterable[str]:
    """Fill to n, then alternately evict and insert."""
    return ["insert"] * n + ["evict", "insert"] * (4 * n)


def fill_and_drain(n: int) -> Iterable[str]:
    """Fill to n and drain completely, three times (section 7.2)."""
    return (["insert"] * n + ["evict"] * n) * 3


def inserts_only(n: int) -> Iterable[str]:
    """A window that only grows."""
    return ["insert"] * n


def fill_then_one(n: int) -> Iterable[str]:
    """Fill to n and evict once: the history for which only inserts have saved for an amortised evict."""
    return ["insert"] * n + ["evict"]


def shrinks_on_insert(n: int) -> Iterable[str]:
    """Insert whenever DABA's next fixup shrinks, evict whenever it shifts, around a window of n."""
    shadow = DABA.algorithm(SUM)
    for count in range(8 * n):
        if count < n or (shadow.F != shadow.B and (shadow.L == shadow.B or shadow.L != shadow.R)):
            shadow.insert(1)
            yield "insert"
        else:
            shadow.evict()
            yield "evict"


def at_random(n: int) -> Iterable[str]:
    """Insert or evict at random (seeded), with the window kept between 1 and 2n."""
    chance, size = random.Random(SEED), 0
    for _ in range(8 * n):
        step = "insert" if size <= 1 or (size < 2 * n and chance.random() < 0.5) else "evict"
        size += 1 if step == "insert" else -1
        yield step


HISTORIES: Final[dict[str, Callable[[int], Iterable[str]]]] = {
    "sliding": sliding,
    "fill and drain": fill_and_drain,
    "inserts only": inserts_only,
    "fill, evict once": fill_then_one,
    "shrinks fall to inserts": shrinks_on_insert,
    "random": at_random,
}


@dataclass
class Counted:
    """One operation of an algorithm over one history."""

    algorithm: str
    history: str
    n: int
    operation: str
    source: str
    times: int = 0
    worst: int = 0
    total: int = 0
    worst_said: int = 0
    average_said: float | None = None
    within_worst: bool = True

    @property
    def average(self) -> float:
        return self.total / self.times if self.times else 0.0

    @property
    def within_average(self) -> bool:
        """Return whether the average over this history is at most the printed one."""
        return self.average_said is None or self.average <= self.average_said + 1e-9

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "average": round(self.average, 4), "within_average": self.within_average}


def count(column: Column, history: str, n: int) -> list[Counted]:
    """Play a history, with a query after every operation, and count combine calls by operation."""
    said, size = THEOREMS[column.name], 0
    rows = {
        operation: Counted(column.name, history, n, operation, figures.source, average_said=figures.average)
        for operation, figures in (("insert", said.insert), ("evict", said.evict), ("query", said.query))
    }
    steps = ((operation, 0) for step in HISTORIES[history](n) for operation in (step, "query"))
    for operation, calls in play(by_column(column), n, steps):
        row, most = rows[operation], getattr(said, operation).worst(size)
        row.times += 1
        row.total += calls
        row.worst = max(row.worst, calls)
        row.worst_said = max(row.worst_said, most)
        row.within_worst = row.within_worst and calls <= most
        size += (operation == "insert") - (operation == "evict")
    return [row for row in rows.values() if row.times]


def count_all(sizes: tuple[int, ...] = SIZES) -> Iterator[Counted]:
    """Count every algorithm over every history at every size; recalculating from scratch only up to n = 16."""
    for column in FIFO:
        for history in HISTORIES:
            for n in sizes:
                if column.name != "Recalculate-from-scratch" or n <= 16:
                    yield from count(column, history, n)
