"""Exploring in shards: the exhaustive exploration of `swagproof.proofs`, and campaigns of random traces.

Both are cut into shards, plain data each, and merged in the order of the shards, so that wherever they ran the counts
are those of one process, and what is found first is found first.

*Exploration* visits every structural state of an in-order algorithm with windows of up to so many elements
(`swagproof.proofs.explorer.shards`), level by level; small levels stay on the driver.  The trees (FiBA,
the Reactive Aggregator) are explored by `swagproof prove`, in one process: their states are whole trees that are known
again by their shape, of which each level would have to be sent to every shard.  Here they are met in campaigns.

A *campaign* plays, for each seed of a range, the first traces of the oracle's random walks on a subject: any kind of
window, any monoid.  A failure is a row: seed, number, monoid, and how long the trace was; the shortest is found again
from its seed, on the driver, and minimised.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain
from swagproof.oracle.judge import domains_of, judge
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.outcome import Tried
from swagproof.oracle.reports.judgement import Judgement
from swagproof.oracle.runner import run
from swagproof.oracle.search.attempts import Attempt, Phase
from swagproof.oracle.search.coverage import Coverage
from swagproof.oracle.subject import Subject, load_subject
from swagproof.oracle.trace import InputError
from swagproof.oracle.verdict import Verdict
from swagproof.proofs.explorer.shards import walk_in_shards
from swagproof.proofs.explorer.space import Violation
from swagproof.proofs.explorer.walk import Counts
from swagproof.proofs.in_order.pointer_states import PointerStates
from swagproof.reference.catalogue import FIFO
from swagproof.reports.report import Facts, Outcome, Report, Table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

S = TypeVar("S")
R = TypeVar("R")

Spread = Callable[[Callable[[S], R], Iterable[S]], Iterable[R]]
"""As the built-in `map` is: results in the order of the shards, wherever they were made."""

LEAST: Final = 500
"""Places that a shard of a level has at least: it takes a task a few times what starting one does."""

TASKS: Final = 8
"""Shards for each core."""

LISTED: Final = 100
"""Failures of a campaign that a report lists."""

SHOWN: Final = 5
"""The same of its text."""


def in_process(function: Callable[[S], R], shards: Iterable[S]) -> Iterable[R]:
    """Runs shards here, one after the other."""
    return map(function, shards)


def spread_over(spark: "SparkSession") -> Spread[Any, Any]:
    """Runs shards as Spark tasks, one each; a single shard on the driver."""

    def spread(function: Callable[[S], R], shards: Iterable[S]) -> Iterable[R]:
        some = list(shards)
        if len(some) < 2:
            return list(map(function, some))
        return spark.sparkContext.parallelize(some, len(some)).map(function).collect()

    return spread


def shards_for(spark: "SparkSession | None") -> int:
    """Return how many shards to cut into."""
    return TASKS * (spark.sparkContext.defaultParallelism if spark is not None else 1)


# Exploration


@dataclass(frozen=True)
class Explored:
    """The result of an exploration."""

    algorithm: str
    limit: int
    counts: Counts | None
    """None where it ended at a violation."""
    violation: Violation | None
    seconds: float
    engine: str

    def report(self) -> Report:
        """Return what is said of it."""
        if self.violation is not None:
            sentence = str(self.violation)
        else:
            assert self.counts is not None
            states, transitions = self.counts
            sentence = (
                f"all {states:,} states and {transitions:,} transitions, windows of up to {self.limit:,} elements"
            )
        outcome: Outcome = "violated" if self.violation else "conforms"
        content = {
            "format": "swagproof-exploration",
            "version": 1,
            "outcome": outcome,
            "sentence": sentence,
            "subject": self.algorithm,
            "limit": self.limit,
            "states": self.counts.states if self.counts else None,
            "transitions": self.counts.transitions if self.counts else None,
            "violated": self.violation.check if self.violation else None,
            "operations": list(self.violation.trace) if self.violation else None,
            "engine": self.engine,
            "seconds": round(self.seconds, 3),
        }
        return Report(outcome, sentence, content, self.algorithm, note=f"{self.seconds:.1f} s, {self.engine}")


def algorithm_named(name: str) -> str:
    """The name in the catalogue, however it is written.  Raises InputError when there is none.

    >>> algorithm_named("daba-lite")
    'DABA Lite'
    """

    def plain(text: str) -> str:
        return "".join(letter for letter in text.lower() if letter.isalnum())

    found = {plain(column.name): column.name for column in FIFO}
    if plain(name) not in found:
        raise InputError(f"{name}: not an algorithm that explore knows; give one of {', '.join(found.values())}")
    return found[plain(name)]


def explore(
    space: PointerStates,
    spread: Spread[Any, Any] = in_process,
    shards: int = 1,
    *,
    engine: str = "local",
    watch: Callable[[Counts], object] = lambda counts: None,
) -> Explored:
    """Visit every state of the space."""
    started = time.monotonic()
    counts, violation = None, None
    try:
        counts = walk_in_shards(space, shards, spread, least=LEAST, watch=watch)
    except Violation as found:
        violation = found
    return Explored(space.algorithm, space.limit, counts, violation, time.monotonic() - started, engine)


# Campaigns


class Failed(NamedTuple):
    """A trace of a campaign that failed."""

    operations: int
    """Up to the failure."""
    seed: int
    number: int
    """The number of the trace for this seed, from 0."""
    monoid: str


@dataclass(frozen=True)
class Campaign:
    """A campaign of random traces: plain fields, so that any process can make it again."""

    subject: str
    window: str
    monoids: tuple[str, ...]
    traces: int
    """For each seed."""
    timeout: float = 10.0

    def attempts(self, seed: int) -> Iterator[Attempt]:
        """The traces of a seed."""
        subject, domains = _load_campaign(self)
        phases = KINDS[self.window].phases(domains, seed, subject.methods)
        (drawn,) = (phase for phase in phases if phase.name in ("random", "random walks"))
        return islice(drawn.attempts, self.traces)


@cache
def _load_campaign(campaign: Campaign) -> tuple[Subject, list[Domain]]:
    subject = load_subject(campaign.subject, campaign.window)
    return subject, domains_of(subject, campaign.monoids)


@dataclass
class Played:
    """The results of some seeds, in their order."""

    tried: dict[str, Tried] = field(default_factory=dict[str, Tried])
    """For each monoid."""
    failed: list[Failed] = field(default_factory=list[Failed])

    def add(self, more: "Played") -> None:
        """Add what came of later seeds."""
        for name, tried in more.tried.items():
            self.tried.setdefault(name, Tried()).add(tried)
        self.failed += more.failed


def play(campaign: Campaign, seeds: range) -> Played:
    """Play all traces of these seeds, each to its first failure."""
    played = Played()
    subject, _ = _load_campaign(campaign)
    clock = Clock(campaign.timeout)
    clock.allow(float("inf"))
    for seed in seeds:
        for number, (domain, _, steps, _) in enumerate(campaign.attempts(seed)):
            tried = played.tried.setdefault(domain.name, Tried())
            failure = run(subject, domain, steps, clock, tried)
            if failure is not None:
                played.failed.append(Failed(failure.at + 1, seed, number, domain.name))
                if failure.kind == "hung":  # it may hang again at each of them
                    return played
    return played


def cut(seeds: range, shards: int) -> list[range]:
    """Neighbouring parts of nearly the same size.

    >>> cut(range(5), 2)
    [range(0, 2), range(2, 5)]
    """
    cuts = [len(seeds) * k // shards for k in range(shards + 1)]
    return [seeds[i:j] for i, j in pairwise(cuts) if i < j]


def run_campaign(
    campaign: Campaign,
    seeds: range,
    spread: Spread[Any, Any] = in_process,
    shards: int = 1,
    *,
    watch: Callable[[int], object] = lambda seeds: None,
) -> tuple[Judgement, list[Failed]]:
    """Play the traces of all seeds; the shortest failure is minimised.  And every failure, shortest first.

    Raises InputError when the subject or a monoid cannot be loaded.
    """
    started = time.monotonic()
    subject, _ = _load_campaign(campaign)
    played = Played()
    for number, part in enumerate(spread(partial(play, campaign), cut(seeds, shards)), 1):
        played.add(part)
        watch(number)
    played.failed.sort()
    if not played.failed:
        coverage = Coverage()
        coverage.monoids |= played.tried
        queries = sum(tried.queries for tried in played.tried.values())
        verdict = (
            Verdict("conforms", f"no trace of seeds {seeds.start} to {seeds.stop - 1} disagrees with the reference")
            if queries
            else Verdict("unknown", "no answer was checked")
        )
        seconds = time.monotonic() - started
        return Judgement(verdict, campaign.subject, campaign.window, seconds=seconds, coverage=coverage), []
    _, seed, number, _ = played.failed[0]
    attempt = next(islice(campaign.attempts(seed), number, None))

    def plan() -> Sequence[Phase]:
        return [Phase(f"seed {seed}, trace {number}", 1.0, iter([attempt]))]

    judgement = judge(subject, [attempt[0]], seed=seed, timeout=campaign.timeout, plan=plan)
    return judgement, played.failed


def report_on_campaign(judgement: Judgement, failed: Sequence[Failed], seeds: range, engine: str) -> Report:
    """Return what is said of a campaign: of its shortest failure, and a row for each."""
    base, failures = judgement.report(), [failure._asdict() for failure in failed[:LISTED]]
    content = {
        "first_seed": seeds.start,
        "seeds": len(seeds),
        "engine": engine,
        "failed": len(failed),
        "failures": failures,
    }
    facts = [("seeds", f"{seeds.start} to {seeds.stop - 1}, {engine}")]
    tables: list[Table] = []
    if failed:
        facts.append(("failed", f"{len(failed):,} traces; the shortest:"))
        lines = (
            f"  seed {seed}, trace {number}, {monoid}: after {length:,} operations"
            for length, seed, number, monoid in failed[:SHOWN]
        )
        tables.append(Table.of_records("failures", failures, tuple(lines)))
    sections = (*base.sections, Facts(tuple(facts)), *tables)
    return replace(base, data=base.data | {"campaign": content}, sections=sections)
