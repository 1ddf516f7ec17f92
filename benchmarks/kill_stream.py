"""A test that kills a streaming job's driver repeatedly at chosen moments, and checks its output.

    python benchmarks/kill_stream.py --kills 40 --seed 1

Generates events out of order, runs `swagproof stream` over them, kills its whole process group (the driver, its JVM)
with signal 9 when the checkpoint shows the chosen moment, restarts it, and repeats; then lets it end.  The output, as
Spark reads it, is compared with the definition over all events, file by file: nothing is lost, repeated or wrong, and
exactly the right events are late.

| moment | killed when |
|---|---|
| `planned` | a micro-batch is written to the log, but has not run |
| `writing` | the first file of its output exists, unpublished |
| `published` | its output is published, but not yet marked as done |
| `done` | it is marked as done |
| `any` | after a time drawn from 4 to 12 seconds |
| `second` | a second driver has been started on the same checkpoint, and has refused to run |
| `full` | never: it ends by itself, because its disk is full; only with `--disk`, a directory on a small file system |

Some events are late, and one file of each round is broken.  The moments are sampled: a kill happens when the poll of
the checkpoint, a thousand times a second, sees its moment.
"""

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import click

from swagproof.models.windows.kinds import Sliding
from swagproof.models.windows.lateness import NEVER, shown_in_time
from swagproof.models.windows.window import Event
from swagproof.oracle.trace import InputError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BROKEN: Final = "broken.json.gz"
"""A truncated file, which arrives between the others."""

MOMENTS: Final = ("planned", "writing", "published", "done", "any", "second")

PATIENCE: Final = 240.0
"""The seconds that a job may take to reach a moment."""

Answer: TypeAlias = tuple[str, int, int, int, int]
"""Key, begin, end, number of events and sum of a window; for a late event its time twice, 0 and its value."""


@dataclass(frozen=True)
class Stream:
    """Events in files, some of them late, and their windows."""

    directory: Path
    files: int = 6
    rows: int = 200
    keys: int = 5
    range: int = 60
    slide: int = 20
    disorder: int = 200
    delay: int = 15

    def write(self, seed: int) -> list[list[tuple[str, int, int]]]:
        """Write the files and a final heartbeat; return the events of each file: key, time and value."""
        rng = random.Random(seed)
        self.directory.mkdir(parents=True)
        files: list[list[tuple[str, int, int]]] = []
        for i in range(self.files):
            numbers = range(i * self.rows, (i + 1) * self.rows)
            old = [rng.randint(0, self.disorder if rng.random() < 0.1 else self.delay) for _ in numbers]
            events = [(f"k{rng.randrange(self.keys)}", n - age, n) for n, age in zip(numbers, old, strict=True)]
            files.append(events)
            rows = [dict(zip(("key", "time", "value"), event, strict=True)) for event in events]
            data = "".join(json.dumps(row) + "\n" for row in rows).encode()
            if i == self.files // 2:
                self.add(BROKEN, gzip.compress(data)[:-9], 10 * i - 5)
            self.add(f"{i:04}.json", data, 10 * i)
        beat = json.dumps({"time": self.files * self.rows + self.range + self.delay})
        self.add(f"{self.files:04}.json", beat.encode(), 10 * self.files)
        return files

    def add(self, name: str, data: bytes, age: int) -> None:
        """Add a file in one step; Spark reads files of a smaller age first."""
        aside = self.directory / f".{name}"
        aside.write_bytes(data)
        os.utime(aside, (1_000_000_000 + age, 1_000_000_000 + age))
        aside.rename(self.directory / name)

    def answer(self, files: Sequence[Sequence[tuple[str, int, int]]]) -> set[Answer]:
        """Return the right results, by the definition with one step for each file."""
        latest = [NEVER]
        for events in files:
            latest.append(max(latest[-1], *(time for _, time, _ in events)))
        watermarks = [NEVER if time == NEVER else time - self.delay for time in latest[:-1]]
        due: set[Answer] = {(BROKEN, 0, 0, 0, 0)}
        for key in {key for events in files for key, _, _ in events}:
            mine = [[Event(time, value) for of, time, value in events if of == key] for events in files]
            steps = [*zip(mine, watermarks, strict=True), ([], self.files * self.rows + self.range)]
            for shown in shown_in_time(Sliding(self.range, self.slide), "drop", 0, steps):
                for _, _, x, late in shown:
                    if x is not None:
                        due.add((key, x.begin or 0, x.end, len(x.events), sum(event.value for event in x.events)))
                    elif late is not None:
                        due.add((key, late.time, late.time, 0, late.value))
        return due

    def command(self, out: Path, checkpoint: Path) -> list[str]:
        """Return the command of the job."""
        told = f"--events {self.directory} --out {out} --checkpoint {checkpoint} --key key --time time --value value"
        how = f"--aggregate sum --watermark {self.delay} --files-per-trigger 1 --available-now --master local[2]"
        how += " --allow-bad-rows"  # else the broken file ends the job with exit code 3
        window = f"sliding {self.range} every {self.slide}"
        small = (
            "spark.sql.shuffle.partitions=2",
            "spark.driver.extraJavaOptions=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        )
        module = [sys.executable, "-m", "swagproof.pipeline.commands.stream"]
        return [*module, *told.split(), *how.split(), "--window", window, *(f"--conf={setting}" for setting in small)]


def batches(directory: Path) -> set[str]:
    """Return the numbers of the micro-batches in a log of Spark's, or published."""
    names = (entry.name.removeprefix("batch=") for entry in directory.glob("*"))
    return {name for name in names if name.isdigit()}


def written(out: Path) -> set[str]:
    """Return the files of results that are not published yet."""
    return {path.name for path in out.glob("_unpublished/*/*.parquet")}


def _reached(moment: str, out: Path, checkpoint: Path, before: tuple[set[str], set[str], set[str]]) -> bool:
    planned, published, done = (batches(path) for path in (checkpoint / "offsets", out, checkpoint / "commits"))
    files = written(out)
    match moment:
        case "planned" | "second":
            return bool(planned - done - before[0])
        case "writing":
            return bool(planned - published - done) and bool(files - before[1])
        case "published":
            return bool((published & planned) - done - before[2])
        case _:
            return bool(done - before[2])


def kill_at(
    command: Sequence[str], moment: str, out: Path, checkpoint: Path, rng: random.Random, *, alone: bool = False
) -> bool:
    """Start a job and kill it at a moment; return whether it came before the end.  Raises InputError if the job fails.

    If only the driver is killed, its JVM must end by itself; the function waits for it.
    """
    logs = checkpoint / "offsets", checkpoint / "commits"
    before = batches(logs[0]), written(out), batches(logs[1])
    until = time.monotonic() + (rng.uniform(4, 12) if moment == "any" else PATIENCE)
    job = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        while job.poll() is None and time.monotonic() < until:
            if moment != "any" and _reached(moment, out, checkpoint, before):
                break
            time.sleep(0.001)
        if moment == "second" and job.poll() is None:
            second = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
            if job.poll() is None and (second.returncode != 2 or "another process uses it" not in second.stderr):
                raise InputError(f"a second driver ran on the checkpoint: {second.stderr.strip()[-500:]}")
        ended = job.poll() is not None
    finally:
        if job.poll() is None and alone:
            job.kill()
            await_group(job)
        elif job.poll() is None:
            os.killpg(job.pid, signal.SIGKILL)
    _, said = job.communicate()
    if ended and job.returncode:
        raise InputError(f"the job failed: {said.decode(errors='replace').strip()[-500:]}")
    return not ended


def starve(command: Sequence[str], folder: Path) -> bool:
    """Run a job on a full disk; return whether it failed, which it must unless nothing remains to be written."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(1 << 16))
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=PATIENCE)
    finally:
        filler.unlink()
    return done.returncode != 0


def await_group(job: "subprocess.Popen[bytes]") -> None:
    """Wait until all processes of a killed job have ended.  After a minute, kills them and raises InputError."""
    job.wait()
    until = time.monotonic() + 60
    with suppress(ProcessLookupError):
        while time.monotonic() < until:
            os.killpg(job.pid, 0)
            time.sleep(0.1)
        os.killpg(job.pid, signal.SIGKILL)
        raise InputError("the JVM of a driver that was killed is there after a minute")


def finish(command: Sequence[str], tries: int = 1) -> None:
    """Run a job to its end; restart a failed one, up to `tries` runs.  Raises InputError."""
    said = ""
    for _ in range(tries):
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, errors="replace", check=False, timeout=PATIENCE
            )
        except subprocess.TimeoutExpired:
            said = f"it was not done after {PATIENCE:.0f} seconds"
            continue
        if not done.returncode:
            return
        said = done.stderr.strip()[-500:]
    raise InputError(f"the job failed: {said}")


def read_results(spark: "SparkSession", out: Path) -> list[Answer]:
    """Return the output of a job: all results and the late events, and nothing else."""
    found: list[Answer] = []
    for row in spark.read.parquet(str(out)).collect():
        if row["kind"] == "result" and not row["version"]:
            found.append((row["key"], row["window_start"], row["window_end"], row["events"], int(row["result"])))
        elif row["kind"] == "late":
            told = json.loads(row["detail"])
            found.append((row["key"], told["time"], told["time"], 0, told["value"]))
        elif row["kind"] in ("bad", "unreadable"):
            found.append((json.loads(row["detail"])["file"], 0, 0, 0, 0))
        else:
            raise InputError(f"{out}: {row}, where each window has one result")
    return found


def faults(got: Sequence[Answer], due: set[Answer]) -> dict[str, int]:
    """Return the numbers of lost, repeated and wrong results."""
    names = Counter(map(_name, got))
    right = set(map(_name, due))
    return {
        "lost": len(right - set(names)),
        "repeated": sum(n - 1 for n in names.values()),
        "wrong": len(set(got) - due),
    }


def _name(answer: Answer) -> tuple[Any, ...]:
    return answer[:3] if answer[3] else answer


@click.command()
@click.option("--kills", type=click.IntRange(min=1), default=40, show_default=True, help="How often the driver dies.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Of events and moments.")
@click.option("--files", type=click.IntRange(min=1), default=12, show_default=True, help="One micro-batch each.")
@click.option("--rows", type=click.IntRange(min=1), default=100, show_default=True, help="Of each file.")
@click.option("--disk", type=click.Path(exists=True, file_okay=False), help="A small file system, to be filled, too.")
@click.pass_context
def campaign(context: click.Context, kills: int, seed: int, files: int, rows: int, disk: str | None) -> None:
    """Kill a streaming job at many moments, and compare what it wrote with the answer of a plain loop.

    Exit codes: 0 nothing lost or repeated, 1 something is, 2 the job failed.
    """
    from swagproof.pipeline.session import session

    rng = random.Random(seed)
    counted: Counter[str] = Counter()
    rounds = 0
    outputs: list[tuple[Path, set[Answer]]] = []
    with tempfile.TemporaryDirectory(prefix="swagproof-kill-", dir=disk) as place:
        try:
            while counted.total() < kills:
                folder = Path(place) / str(rounds)
                stream = Stream(folder / "events", files, rows)
                due = stream.answer(stream.write(seed + rounds))
                out, checkpoint = folder / "out", folder / "checkpoint"
                command = stream.command(out, checkpoint)
                moments = MOMENTS if disk is None else (*MOMENTS, "full")
                for moment in rng.sample(2 * moments, 2 * len(moments)):
                    if counted.total() == kills:
                        break
                    if starve(command, folder) if moment == "full" else kill_at(command, moment, out, checkpoint, rng):
                        counted[moment] += 1
                        click.echo(f"{counted.total()} of {kills}: killed at {moment}", err=True)
                    elif moment != "full":
                        break  # all files are read: the next round has others
                finish(command, tries=3)
                outputs.append((out, due))
                rounds += 1
            found: Counter[str] = Counter()
            with session("local[2]", "swagproof stream_kill") as spark:
                for out, due in outputs:
                    found.update(faults(read_results(spark, out), due))
        except InputError as error:
            click.echo(f"Error: {error}", err=True)
            context.exit(2)
        except KeyboardInterrupt:
            click.echo("Interrupted: no verdict.", err=True)
            context.exit(130)
    total = sum(len(due) for _, due in outputs)
    said = ", ".join(f"{n} at {moment}" for moment, n in sorted(counted.items()))
    click.echo(f"seed {seed}: {counted.total()} kills ({said}) in {rounds} rounds; {total:,} windows:")
    click.echo(", ".join(f"{found[name]} {name}" for name in ("lost", "repeated", "wrong")))
    context.exit(1 if found.total() else 0)


if __name__ == "__main__":
    campaign()
