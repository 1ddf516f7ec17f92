"""Processor time and memory of replaying on Spark and in one process, over the same Parquet files, in one run.

    python benchmarks/replay_speed.py --rows 1000000
    python benchmarks/replay_speed.py --rows 20000000 --case "one trace" --master local[1]

The recordings are made first: integer sums over windows that slide at 100 elements, with a query after each element.
`in order` is 1,000 traces one after the other, `shuffled` the same rows in a random order, `one trace` a single trace.

Processor time is that of all processes, once Spark has started and is warm, and the JVM's share of it; the machine may
be shared.  `busiest` is the process with the most of it, JVM or worker: with enough cores no run can be faster.
Memory is the largest resident set of this process, and of a Python worker.
"""

import os
import resource
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
import numpy as np

from swagproof.oracle.domain import domain
from swagproof.oracle.window import FIFO
from swagproof.pipeline.recordings.on_spark import Reader, Recordings, collect_verdicts
from swagproof.pipeline.recordings.standing import judge_files
from swagproof.pipeline.recordings.summary import Summary
from swagproof.pipeline.session import session

WINDOW: Final = 100
TRACES: Final = 1_000
CASES: Final = ("in order", "shuffled", "one trace")
GROUP: Final = 100_000
"""The rows of a row group."""


def make_trace(length: int) -> dict[str, Any]:
    """Return the columns of a trace: fill, then insert, evict and query in turn."""
    at = np.arange(length)
    turn = np.where(at < WINDOW, 0, (at - WINDOW) % 3)
    value = at * 7919 % 1000
    added = np.cumsum(np.where(turn == 0, value, 0))
    inserted = value[turn == 0]
    gone = np.zeros(length, dtype=np.int64)
    gone[turn == 1] = inserted[: np.count_nonzero(turn == 1)]
    import pyarrow as pa

    return {
        "seq": pa.array(at),
        "op": pa.DictionaryArray.from_arrays(pa.array(turn.astype(np.int8)), ["insert", "evict", "query"]).cast(
            "string"
        ),
        "value": pa.array(value, mask=turn != 0),
        "answer": pa.array(added - np.cumsum(gone), mask=turn != 2),
    }


def record(path: Path, rows: int, case: str) -> None:
    """Write the recording."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    traces = 1 if case == "one trace" else TRACES
    columns = make_trace(rows // traces)
    tables = [
        pa.table({"trace": pa.array([f"t{trace:07}"]).take(pa.array(np.zeros(rows // traces, dtype=int))), **columns})
        for trace in range(traces)
    ]
    whole = pa.concat_tables(tables)
    if case == "shuffled":
        whole = whole.take(pa.array(np.random.default_rng(1).permutation(len(whole))))
    parquet.write_table(whole, path, row_group_size=GROUP)


def make_aside(path: Path, rows: int, case: str) -> None:
    """Write the recording in a process of its own, so that its memory is not measured."""
    if os.fork() == 0:
        record(path, rows, case)
        os._exit(0)
    assert os.wait()[1] == 0


def _descendants(pid: int) -> Iterator[int]:
    children: list[str] = []
    for tasks in Path(f"/proc/{pid}/task").glob("*/children"):  # any of its threads may have started it
        with suppress(OSError):
            children += tasks.read_text(encoding="utf-8").split()
    for child in map(int, children):
        yield child
        yield from _descendants(child)


def used() -> dict[tuple[int, str], float]:
    """Return the seconds of processor time of this process and all below it, by number and name, each with those of its
    ended children."""
    found: dict[tuple[int, str], float] = {}
    for pid in (os.getpid(), *_descendants(os.getpid())):
        with suppress(OSError):
            name, _, rest = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").partition("(")[2].rpartition(")")
            found[pid, name] = sum(map(int, rest.split()[11:15])) / os.sysconf("SC_CLK_TCK")
    return found


@contextmanager
def watching_workers() -> Generator[list[int]]:
    """Yield the largest resident set of a Python process below this one, in kB, polled five times a second."""
    largest, done = [0], threading.Event()

    def watch() -> None:
        while not done.wait(0.2):
            for pid in _descendants(os.getpid()):
                with suppress(OSError):
                    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
                    fields = dict(line.split(":", 1) for line in lines)
                    if fields["Name"].strip().startswith("python"):
                        largest[0] = max(largest[0], int(fields.get("VmHWM", "0 kB").split()[0]))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield largest
    finally:
        done.set()
        thread.join()


class Spent(NamedTuple):
    """The seconds of a run."""

    all: float
    """All processor time."""
    jvm: float
    busiest: float
    clock: float

    def beside(self, alone: "Spent") -> str:
        """Return the comparison with one process."""
        return (
            f"{self.all:.1f} s of processor time, {self.jvm:.1f} s of it the JVM's: {alone.all / self.all:.2f} of one "
            f"process's speed; busiest process {self.busiest:.1f} s; {self.clock:.1f} s, "
            f"{alone.clock / self.clock:.2f} by the clock"
        )


def measure(run: Callable[[], object]) -> Spent:
    """Measure a run."""
    before, started = used(), time.perf_counter()
    run()
    clock, after = time.perf_counter() - started, used()
    spent = {process: seconds - before.get(process, 0.0) for process, seconds in after.items()}
    jvm = sum(seconds for (_, name), seconds in spent.items() if name == "java")
    return Spent(sum(spent.values()), jvm, max(spent.values()), clock)


def judge_here(path: Path) -> Summary:
    """Judge in one process."""
    summary = Summary()
    for row in judge_files([path], domain("sum"), FIFO):
        summary.add(row)
    return conforming(summary)


def conforming(summary: Summary) -> Summary:
    """Return the summary.  Raises AssertionError unless all is right, because otherwise the time means nothing."""
    assert summary.outcome == "conforms", summary
    return summary


@click.command()
@click.option("--rows", type=click.IntRange(min=1), default=1_000_000, show_default=True)
@click.option("--case", "cases", multiple=True, type=click.Choice(CASES), default=CASES, show_default=True)
@click.option("--master", "masters", multiple=True, default=("local[1]", "local[2]"), show_default=True)
def main(rows: int, cases: tuple[str, ...], masters: tuple[str, ...]) -> None:
    """Measure replaying."""
    with tempfile.TemporaryDirectory() as folder:
        here: dict[str, Spent] = {}
        paths = {case: Path(folder) / f"{case}.parquet" for case in cases}
        small = Path(folder) / "small.parquet"
        make_aside(small, 4 * GROUP, cases[0])
        for case, path in paths.items():
            make_aside(path, rows, case)
            here[case] = measure(lambda: judge_here(path))  # noqa: B023  # runs at once
            largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            spent = here[case]
            click.echo(
                f"{case}, one process: {spent.all:.1f} s of processor time; {spent.clock:.1f} s; {largest:,.0f} MB"
            )
        for master in masters:
            with watching_workers() as largest_kb, session(master, light="shuffled" not in cases) as spark:
                for case, path in paths.items():

                    def judge_there(path: Path = path) -> Summary:
                        spark.catalog.clearCache()  # otherwise a second run gets the first one's verdicts
                        recordings = Recordings(spark, (str(path),), Reader("fifo", "sum", False))  # at once
                        return conforming(Summary.of(collect_verdicts(recordings.verdicts())))

                    if case == cases[0]:
                        judge_there(small)  # workers are up, and compilers warm
                    spent = measure(judge_there)
                    memory = f"{largest_kb[0] / 1024:,.0f} MB"
                    click.echo(f"{case}, {master}: {spent.beside(here[case])}; {memory}")


if __name__ == "__main__":
    main()
