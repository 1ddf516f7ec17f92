"""The run-time cost of contracts: each reference with contracts off, cheap and full, compared with reducing a list.

On a shared machine, ratios are more meaningful than operations per second: each pair is measured in turn, in one run,
and the result is the median of the rounds.
"""

import statistics
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from swagproof.models.fifo import FifoWindow
from swagproof.models.operations import SUM
from swagproof.proofs.explorer.workers import Worker
from swagproof.reference.catalogue import FIFO, Column

Mode = Literal["off", "cheap", "full", "list and reduce"]

SIZES: Final = (10, 1_000, 100_000)
SECONDS: Final = 0.15
"""The seconds for one measurement; it takes longer if one operation of each kind does."""
ROUNDS: Final = 3


def filled(column: Column, mode: Mode, n: int) -> Any:
    """Return a window of n ones, filled without the contracts, because filling it is not measured."""
    if mode == "list and reduce":
        window: Any = FifoWindow(SUM)
        window.values = [1] * n
        return window
    window = (column.algorithm if mode == "off" else column.checked)(SUM)
    plain = window if mode == "off" else column.algorithm(window.counting)
    for _ in range(n):
        plain.insert(1)
    if mode != "off":
        vars(window).update(vars(plain))
        window.model.values = [1] * n
    return window


def operations_per_second(name: str, mode: Mode, n: int) -> float:
    """Return the operations per second for sliding a window of n: evict, insert, query, repeatedly."""
    column = next(column for column in FIFO if column.name == name)
    window = filled(column, mode, n)
    done = 0
    began = time.perf_counter()
    while True:
        for _ in range(1 if n * (mode in ("full", "list and reduce")) > 5_000 else 20):
            window.evict()
            window.insert(1)
            window.query()
            done += 3
        elapsed = time.perf_counter() - began
        if elapsed >= SECONDS:
            return done / elapsed


@dataclass(frozen=True)
class Measured:
    """One algorithm at one size: operations per second in each mode, and the baseline."""

    algorithm: str
    n: int
    off: float
    cheap: float
    full: float
    list_and_reduce: float

    def as_json(self) -> dict[str, Any]:
        return {
            **{
                name: value if isinstance(value, str | int) else round(value, 1) for name, value in asdict(self).items()
            },
            "off_over_cheap": round(self.off / self.cheap, 2),
            "off_over_full": round(self.off / self.full, 1),
            "off_over_list_and_reduce": round(self.off / self.list_and_reduce, 2),
        }


def measure(sizes: tuple[int, ...] = SIZES) -> Iterator[Measured]:
    """Measure every algorithm at every size, one measurement at a time, the modes in turn."""
    modes: tuple[Mode, ...] = ("off", "cheap", "full", "list and reduce")
    with Worker(full=False) as usual, Worker(full=True) as slow:
        workers = {"off": usual, "cheap": usual, "list and reduce": usual, "full": slow}
        for column in FIFO:
            for n in sizes:
                found: dict[Mode, list[float]] = {mode: [] for mode in modes}
                for _ in range(ROUNDS):
                    for mode in modes:
                        found[mode].append(workers[mode].run(operations_per_second, column.name, mode, n))
                off, cheap, full, listed = (statistics.median(found[mode]) for mode in modes)
                yield Measured(column.name, n, off, cheap, full, listed)
