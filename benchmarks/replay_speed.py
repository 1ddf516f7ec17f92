"""Measures replaying, beside a plain single process over the same Parquet: rows a second, processor time, and memory.

    python benchmarks/replay_speed.py --rows 1000000 --master local[1] --master local[2]
    python benchmarks/replay_speed.py --rows 20000000 --traces 1 --memory --master local[1]

The recording is made first: integer sums over windows that slide at 100 elements, a query after each element, in one
trace or in many of equal length.  Memory is the largest resident set of the process, and of what it started, of each
kind: the JVM, and the Python workers.
"""

import os
import resource
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import click

from swagproof.oracle.domain import domain
from swagproof.oracle.recordings.local import judge_files
from swagproof.oracle.recordings.summary import Summary
from swagproof.oracle.window import FIFO
from swagproof.pipeline.replay.on_spark import Reader, Recordings, summary_of
from swagproof.pipeline.session import session

WINDOW: Final = 100
ROUND: Final = ("insert", "evict", "query")


def operations(length: int) -> Iterator[tuple[str, int | None, int | None]]:
    """Operation, value and answer, so many: fill, then insert, evict and query in turn."""
    held, total = list[int](), 0
    for at in range(length):
        name = "insert" if at < WINDOW else ROUND[(at - WINDOW) % 3]
        if name == "insert":
            held.append(at * 7919 % 1000)
            total += held[-1]
            yield name, held[-1], None
        elif name == "evict":
            total -= held[0]
            del held[0]
            yield name, None, None
        else:
            yield name, None, total


def record(path: Path, rows: int, traces: int) -> None:
    """Write the recording, a batch at a time."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    types = {"trace": pa.string(), "seq": pa.int64(), "op": pa.string(), "value": pa.int64(), "answer": pa.int64()}
    schema = pa.schema(list(types.items()))
    length, most = rows // traces, 100_000
    with parquet.ParquetWriter(path, schema) as writer:
        waiting: list[tuple[str, int, str, int | None, int | None]] = []
        for trace in range(traces):
            for seq, cells in enumerate(operations(length)):
                waiting.append((f"t{trace:07}", seq, *cells))
                if len(waiting) == most:
                    writer.write_table(pa.table(list(zip(*waiting, strict=True)), schema=schema))
                    waiting.clear()
        if waiting:
            writer.write_table(pa.table(list(zip(*waiting, strict=True)), schema=schema))


def _resident(pid: int) -> tuple[str, int]:
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return "", 0
    fields = dict(line.split(":", 1) for line in lines)
    return fields["Name"].strip(), int(fields.get("VmRSS", "0 kB").split()[0])


def _descendants(pid: int) -> Iterator[int]:
    children: list[str] = []
    for tasks in Path(f"/proc/{pid}/task").glob("*/children"):  # any of its threads may have started it
        with suppress(OSError):
            children += tasks.read_text(encoding="utf-8").split()
    for child in map(int, children):
        yield child
        yield from _descendants(child)


@contextmanager
def watching_memory() -> Generator[dict[str, int]]:
    """The largest resident set of what this process started, by name, in kB; looked at five times a second."""
    largest: dict[str, int] = defaultdict(int)
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.2):
            for pid in _descendants(os.getpid()):
                name, size = _resident(pid)
                if size:  # it has not ended meanwhile
                    largest[name] = max(largest[name], size)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield largest
    finally:
        done.set()
        thread.join()


@click.command()
@click.option("--rows", type=click.IntRange(min=1), default=1_000_000, show_default=True)
@click.option("--traces", type=click.IntRange(min=1), default=1_000, show_default=True)
@click.option("--master", "masters", multiple=True, help="Spark masters to measure on; may be repeated.")
@click.option("--memory", is_flag=True, help="Say how much memory was taken.")
def main(rows: int, traces: int, masters: tuple[str, ...], memory: bool) -> None:
    """Measure replaying."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "recording.parquet"
        record(path, rows, traces)
        start, used = time.perf_counter(), _processor_time()
        summary = Summary()
        for row in judge_files([path], domain("sum"), FIFO):
            summary.add(row)
        _say("one process", summary, time.perf_counter() - start)
        click.echo(f"  {_processor_time() - used:.1f} s of processor time")
        if memory:
            largest_here = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            click.echo(f"  {largest_here / 1024:,.0f} MB, the recording's making included")
        for master in masters:
            used = _processor_time()
            with watching_memory() as largest, session(master) as spark:
                recordings = Recordings(spark, (str(path),), Reader("fifo", "sum", lines=False))
                spark.range(100).mapInArrow(_same, "id long").count()  # workers are up
                start = time.perf_counter()
                summary = summary_of(recordings.verdicts().cache())
                _say(master, summary, time.perf_counter() - start)
            click.echo(f"  {_processor_time() - used:.1f} s of processor time, Spark's start and end included")
            if memory:
                click.echo("  " + ", ".join(f"{name} {size / 1024:,.0f} MB" for name, size in largest.items()))


def _same(batches: Iterator[object]) -> Iterator[object]:
    yield from batches


def _processor_time() -> float:
    """Seconds of this process, and of those it started that have ended."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def _say(where: str, summary: Summary, seconds: float) -> None:
    click.echo(
        f"{where}: {summary.outcome}, {summary.rows:,} rows, {seconds:.1f} s, {summary.rows / seconds:,.0f} a second"
    )


if __name__ == "__main__":
    main()
