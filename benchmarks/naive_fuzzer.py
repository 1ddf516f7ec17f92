"""A naive fuzzer as a baseline for the search: twenty lines that anyone would write, and their findings.

Testers of a window write a random walk first, and it finds most mistakes in a second.  A search that needs longer, or
misses what the walk finds, is not useful.  So both run on every wrong implementation of the tests and on generated
ones, whose mistakes occur at one capacity, offset, size, time or value.  They share the runner and the reference, and
so differ only in their attempts.  The measure is the number of operations until the first failure, where a new window
counts as `swagproof.oracle.search.attempts.START` of them.

    python benchmarks/naive_fuzzer.py --write   # docs/manual/evidence/fuzzer.md
"""

import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

import click

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain
from swagproof.oracle.judge import domains_of
from swagproof.oracle.outcome import Tried
from swagproof.oracle.plan import search
from swagproof.oracle.runner import run
from swagproof.oracle.search.attempts import START, Attempt
from swagproof.oracle.search.coverage import Coverage
from swagproof.oracle.subject import Subject, load_subject
from swagproof.oracle.trace import EVICT, QUERY, Step, advance, evict_at, insert, insert_at, lookup, register, span

ROOT: Final = Path(__file__).resolve().parent.parent
for folder in ("docs/makers", "tests"):
    sys.path.append(str(ROOT / folder))

from caught import KINDS, SUBJECTS, list_wrong  # noqa: E402  # beside the tests
from subjects.hard.generated import generated  # noqa: E402  # beside the tests
from tables import row, table  # noqa: E402  # beside the tests

PAGE: Final = ROOT / "docs" / "manual" / "evidence" / "fuzzer.md"
MOST: Final = 1_000_000
"""The search's effort, in operations."""
TOSSED: Final = 300_000
"""The number of operations after which the fuzzer gives up."""
SECOND: Final = {"fifo": 200_000, "out-of-order": 50_000, "shared": 50_000, "time": 50_000, "frame": 50_000}
"""The approximate number of operations in a second, for windows in Python and the reference."""
SEEDS: Final = 2


def walk(domain: Domain, window: str, random: Random) -> list[Step]:
    """Return a random walk."""
    element = lambda: domain.elements.draw(random)  # noqa: E731  # as anyone would write it
    length, rate = random.choice((30, 300, 3000)), random.choice((0.5, 0.55, 0.7))
    if window == "shared":
        sizes = [random.randint(1, 20) for _ in range(3)]
        change = [random.choice((insert(element()), lookup(random.choice(sizes)))) for _ in range(length)]
        return [*map(register, sizes), *change, lookup(sizes[0])]
    if window == "time":
        now, made = 0, [span(random.randint(1, 20))]
        for _ in range(length):
            now += random.randint(0, 3)
            made.append(insert_at(now, element()) if random.random() < rate else advance(now))
            made += [QUERY] * (random.random() < 0.3)
        return [*made, QUERY]
    if window == "frame":
        start, end = sorted(random.randint(-5, 5) for _ in range(2))
        rows = [insert_at(random.randint(0, 50), element()) for _ in range(random.randint(0, 20))]
        return [Step("frame", (random.choice(("rows", "range")), start, end)), *rows, Step("results")]
    steps: list[Step] = []
    size = 0
    for _ in range(length):
        if window == "out-of-order":
            time = random.randint(0, 100)
            steps.append(insert_at(time, element()) if random.random() < rate else evict_at(time))
        else:
            grows = size == 0 or random.random() < rate
            size += 1 if grows else -1
            steps.append(insert(element()) if grows else EVICT)
        if random.random() < 0.3:
            steps.append(QUERY)
    return [*steps, QUERY]


def fuzz(subject: Subject, domain: Domain, seed: int, most: int = TOSSED) -> int | None:
    """Return the number of operations until the first failure, or None."""
    random, work = Random(seed), 0
    clock = Clock(0.3)
    while work < most:
        tried = Tried()
        failed = run(subject, domain, walk(domain, subject.window, random), clock, tried)
        work += START + tried.operations
        if failed is not None:
            return work
    return None


def seek(subject: Subject, domains: Sequence[Domain], seed: int) -> int | None:
    """Return the same number for the search, with its usual effort."""
    coverage = Coverage()
    clock = Clock(0.3)
    found = search(subject, domains, seed=seed, effort=MOST, clock=clock, coverage=coverage)
    return None if found is None else coverage.work + Attempt(found.domain, "", found.steps).work


@dataclass(frozen=True)
class Compared:
    """A subject, and each method's operations until the first failure, by seed."""

    name: str
    window: str
    fuzzer: tuple[int | None, ...]
    oracle: tuple[int | None, ...]

    @property
    def behind(self) -> str:
        """Return the table's description of it."""
        return "" if self.holds else "yes"

    @property
    def holds(self) -> bool:
        """Return whether the search finds it whenever the fuzzer does, and less than a second later."""
        return all(
            naive is None or (found is not None and found <= naive + SECOND[self.window])
            for naive, found in zip(self.fuzzer, self.oracle, strict=True)
        )


def compare(subject: Subject, seeds: Sequence[int] = range(1, SEEDS + 1)) -> Compared:
    """Run both on a subject."""
    domains = domains_of(subject)
    oracle = tuple(seek(subject, domains, seed) for seed in seeds)
    fuzzer = tuple(fuzz(subject, domains[0], seed) for seed in seeds)
    return Compared(subject.name, subject.window, fuzzer, oracle)


def subjects(only_generated: bool = False) -> Iterator[Subject]:
    """Yield the wrong implementations of the tests, and the generated ones."""
    for file, name, _ in () if only_generated else list_wrong():
        yield load_subject(f"{SUBJECTS / file}.py:{name}", KINDS[file])
    for name, window, build in generated():
        yield Subject(name, build, getattr(getattr(build, "func", None), "monoids", None), window)


def _show(found: Sequence[int | None]) -> str:
    """Return the median, or the number of runs without a failure."""
    there = [number for number in found if number is not None]
    missed = len(found) - len(there)
    text = f"{statistics.median_low(there):,}" if there else "not found"
    return f"{text} ({missed} of {len(found)} not)" if there and missed else text


def page(found: Sequence[Compared], seconds: float) -> str:
    """Return the page."""
    rows = [
        row(each.name.rpartition(":")[2], each.window, _show(each.fuzzer), _show(each.oracle), each.behind)
        for each in found
    ]
    wins = sum(each.holds for each in found)
    missed = [sum(None in getattr(each, who) for each in found) for who in ("fuzzer", "oracle")]
    return f"""# The search and a naive fuzzer

This page compares the search of `swagproof conform` with a random walk of twenty lines
([naive_fuzzer.py](../../../benchmarks/naive_fuzzer.py)) on every wrong implementation of the tests and on generated
mutants. *fuzzer* and *search* are the numbers of operations until the first failure, of at most {TOSSED:,} (fuzzer) and
{MOST:,} (search); with several seeds the median. Both use the same runner and reference. On simple mistakes the fuzzer
needs fewer operations. *behind* marks subjects on which the search was more than a second behind the fuzzer with some
seed: {SECOND["fifo"]:,} operations of FIFO windows, {SECOND["out-of-order"]:,} of others.

Of {len(found)} subjects the search is not behind on {wins}. With some seed the fuzzer misses {missed[0]}, the search
{missed[1]}. Changes of the search are tested on most of these subjects. Made by
`python benchmarks/naive_fuzzer.py --write --seeds {len(found[0].oracle)}`, in {seconds:.0f} s.

{table(("subject", "window", "fuzzer", "search", "behind"), rows)}
"""


@click.command()
@click.option("--write", is_flag=True, help="Write the page.")
@click.option("--only", help="Subjects whose names contain this.")
@click.option("--seeds", type=click.IntRange(min=1), default=SEEDS, show_default=True, help="Seeds of each.")
def main(write: bool, only: str | None, seeds: int) -> None:
    """Compare them, and print each subject where the search is behind."""
    begun, found = time.monotonic(), list[Compared]()
    for subject in subjects():
        if only is None or only in subject.name:
            found.append(compare(subject, range(1, seeds + 1)))
            subject.stop()
            each: Any = found[-1]
            click.echo(f"{'' if each.holds else 'BEHIND '}{each.name.rpartition(':')[2]}: {each.fuzzer} {each.oracle}")
    if write:
        PAGE.write_text(page(found, time.monotonic() - begun), encoding="utf-8")
    if not all(each.holds for each in found):
        sys.exit(1)


if __name__ == "__main__":
    main()
