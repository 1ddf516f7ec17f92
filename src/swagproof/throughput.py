"""The cost of judging a program, compared with the throughput of the same pipe: the same lines through `cat`.

Both run in turns within one run, and the best of a few rounds counts: by wall-clock time, which includes everything
else on the machine, and by this process's own processor time, which does not.  `cat` gets the lines that the program is
sent, written from the same operations in batches of the same size, two under way; every line comes back, and is split
into its words.  Nothing is computed, expected or compared.  The trace slides over a window of n, with a query after
each evict and each insert, as the search does.
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
"""Lines that are sent at once."""

ROUNDS: Final = 5


@dataclass(frozen=True)
class Throughput:
    """One program over one monoid at one size: operations a second."""

    program: str
    window: str
    monoid: str
    n: int
    operations: int
    judged: float
    """The rate of the oracle."""
    carried: float
    """The rate of the same pipe through `cat`."""
    own_judged: float
    """As many in a second of this process's own time."""
    own_carried: float

    @property
    def ratio(self) -> float:
        """Return how much of what the pipe carries is judged."""
        return self.judged / self.carried

    @property
    def own_ratio(self) -> float:
        """The same by this process's own time."""
        return self.own_judged / self.own_carried

    def as_json(self) -> dict[str, Any]:
        """As a table's row."""
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
    """Seconds through `cat`, by the wall's clock and by our own."""
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
    """Measure a right program.  Raises InputError when it cannot be judged over this monoid, or is not right."""
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
