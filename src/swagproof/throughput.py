"""The throughput of judging a program, compared with sending the same lines through `cat`.

Both run in turns within one run.  The best of a few rounds counts, in wall-clock time, which includes other load on the
machine, and in the processor time of this process, which does not.  `cat` gets the same lines as the program, written
from the same operations in batches of the same size, two under way; every line comes back and is split into words.
Nothing is computed or compared.  The trace slides over a window of n elements, with a query after each evict and each
insert, as the search does.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from random import Random
from time import perf_counter, process_time
from typing import Any, Final

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain, domain
from swagproof.oracle.outcome import Tried
from swagproof.oracle.programs.lines import Lines
from swagproof.oracle.programs.program import load_program
from swagproof.oracle.programs.protocol import Written, lines_of
from swagproof.oracle.runner import run
from swagproof.oracle.search.attempts import drawing
from swagproof.oracle.trace import EVICT, QUERY, InputError, Step, evict_at, insert, insert_at
from swagproof.oracle.window import Window

BATCH: Final = 4096
"""The number of lines sent at once."""

ROUNDS: Final = 5


@dataclass(frozen=True)
class Throughput:
    """Operations a second for one program over one monoid at one size."""

    program: str
    window: str
    monoid: str
    n: int
    operations: int
    judged: float
    """The rate of the oracle, by wall-clock time."""
    carried: float
    """The rate of the same pipe through `cat`, by wall-clock time."""
    own_judged: float
    """The rate of the oracle, by this process's processor time."""
    own_carried: float

    @property
    def ratio(self) -> float:
        """Return the oracle's rate divided by the pipe's, by wall-clock time."""
        return self.judged / self.carried

    @property
    def own_ratio(self) -> float:
        """Return the same ratio by this process's processor time."""
        return self.own_judged / self.own_carried

    def as_json(self) -> dict[str, Any]:
        """Return a record for a table."""
        numbers = {name: round(value) if isinstance(value, float) else value for name, value in asdict(self).items()}
        return {**numbers, "ratio": round(self.ratio, 2), "own_ratio": round(self.own_ratio, 2)}


def _slide_over(over: Domain, window: str, n: int, turns: int) -> list[Step]:
    """Fill a window, and slide over it, with a query after each evict and each insert."""
    element = drawing(over, Random(n))
    timed = window == "out-of-order"
    inserts = [insert_at(time, element()) if timed else insert(element()) for time in range(n + turns)]
    steps = inserts[:n]
    for oldest, step in enumerate(inserts[n:]):
        steps += evict_at(oldest) if timed else EVICT, QUERY, step, QUERY
    return steps


def _carry(steps: Sequence[Step], window: Window, over: Domain, patience: float) -> tuple[float, float]:
    """Send the steps through `cat`: return the seconds of wall-clock time and of this process's processor time."""
    process = Lines(["cat"])
    try:
        elements, under_way = Written(over, window), 0
        began, own = perf_counter(), process_time()
        for start in range(0, len(steps) + BATCH, BATCH):
            lines = lines_of(steps[start : start + BATCH], elements)
            process.send("".join(lines), len(lines))
            for line in process.receive(under_way, patience):
                line.split(" ")
            under_way = len(lines)
        return perf_counter() - began, process_time() - own
    finally:
        process.stop()


def throughput(
    command: str | Sequence[str], monoid: str = "sum", n: int = 1_000, turns: int = 50_000, timeout: float = 10.0
) -> Throughput:
    """Measure a correct program.  Raises InputError if it cannot be judged over this monoid or is not correct."""
    subject = load_program(command, timeout=timeout)
    over = subject.over(domain(monoid))
    try:
        if subject.kind.evicts in ("never", "as time passes"):
            raise InputError(f"throughput: a {subject.window} window does not slide")
        steps = subject.ask(_slide_over(over, subject.window, n, turns), over)
        judged: list[tuple[float, float]] = []
        carried: list[tuple[float, float]] = []
        for _ in range(ROUNDS):
            clock = Clock(timeout)
            began, own = perf_counter(), process_time()
            failure = run(subject, over, steps, clock, Tried())
            judged.append((perf_counter() - began, process_time() - own))
            if failure is not None:
                raise InputError(f"{subject.name} does not conform: operation {failure.at + 1}")
            carried.append(_carry(steps, subject.kind, over, timeout))
        seconds = [min(rounds[at] for rounds in found) for at in (0, 1) for found in (judged, carried)]
        speeds = (len(steps) / least for least in seconds)
        return Throughput(subject.name, subject.window, monoid, n, len(steps), *speeds)
    finally:
        subject.stop()
