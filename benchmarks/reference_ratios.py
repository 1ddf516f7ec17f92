"""Ratios of the references' times in one run, as a second measure after combine calls.

    python benchmarks/reference_ratios.py --rounds 300

Each FIFO reference is filled to n elements; a round is an insert, an evict and a query over sums of integers.  Runs of
all algorithms alternate, and the median processor time of a round is divided by that of Two-Stacks.  The references are
written to be read, so a ratio shows the order of growth here, and nothing about an optimised implementation.
"""

import statistics
import time
from typing import Any, Final

import click

from swagproof.models.operations import SUM
from swagproof.reference.catalogue import CATALOGUE

BASE: Final = "Two-Stacks"
REPEATS: Final = 7


def fill(algorithm: type[Any], n: int) -> Any:
    """Return a window of n elements."""
    window = algorithm(SUM)
    for value in range(n):
        window.insert(SUM.lift(value))
    return window


def measure(window: Any, rounds: int) -> float:
    """Return the processor time of `rounds` rounds, in seconds."""
    begin = time.process_time()
    for value in range(rounds):
        window.insert(SUM.lift(value))
        window.evict()
        window.query()
    return time.process_time() - begin


@click.command()
@click.option("--sizes", default="16,256,4096", show_default=True, help="Window sizes.")
@click.option("--rounds", default=300, show_default=True, help="Rounds of a run.")
def main(sizes: str, rounds: int) -> None:
    """Print a table of ratios, a row an algorithm, a column a window size."""
    entries = [entry for entry in CATALOGUE if entry.kind == "fifo" and entry.name != "SlickDeque"]  # it takes no sums
    columns = [int(size) for size in sizes.split(",")]
    ratios: dict[str, list[float]] = {entry.name: [] for entry in entries}
    for n in columns:
        windows = {entry.name: fill(entry.algorithm, n) for entry in entries}
        times: dict[str, list[float]] = {name: [] for name in windows}
        for _ in range(REPEATS):
            for name, window in windows.items():
                times[name].append(measure(window, rounds))
        base = statistics.median(times[BASE])
        for name, taken in times.items():
            ratios[name].append(statistics.median(taken) / base)
    click.echo(f"{'algorithm':28}" + "".join(f"{f'n = {n:,}':>12}" for n in columns))
    for name, found in ratios.items():
        click.echo(f"{name:28}" + "".join(f"{ratio:12.2f}" for ratio in found))


if __name__ == "__main__":
    main()
