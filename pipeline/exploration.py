"""The exhaustive exploration of `swagproof.proofs`, in shards that run one after the other or as Spark tasks.

It visits every structural state of an in-order algorithm with windows of up to a given number of elements
(`swagproof.proofs.explorer.shards`), level by level; small levels stay on the driver.  Shards are merged in order, so
the counts and the first violation are the same as in one process.  `swagproof prove` explores the trees (FiBA, the
Reactive Aggregator) in one process, because their states are whole trees.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from swagproof.oracle.trace import InputError
from swagproof.proofs.explorer.shards import walk_in_shards
from swagproof.proofs.explorer.space import Violation
from swagproof.proofs.explorer.walk import Counts
from swagproof.proofs.in_order.pointer_states import PointerStates
from swagproof.reference.catalogue import FIFO
from swagproof.reports.report import Outcome, Report

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

S = TypeVar("S")
R = TypeVar("R")

Spread = Callable[[Callable[[S], R], Iterable[S]], Iterable[R]]
"""A function like the built-in `map`: results are in the order of the shards."""

LEAST: Final = 500
"""The least number of states in a shard: its task then takes a few times as long as starting one."""

TASKS: Final = 8
"""Shards per core."""


def in_process(function: Callable[[S], R], shards: Iterable[S]) -> Iterable[R]:
    """Run shards in this process, one after the other."""
    return map(function, shards)


def spread_over(spark: "SparkSession") -> Spread[Any, Any]:
    """Return a function that runs each shard as a Spark task, and a single shard on the driver."""

    def spread(function: Callable[[S], R], shards: Iterable[S]) -> Iterable[R]:
        some = list(shards)
        if len(some) < 2:
            return list(map(function, some))
        return spark.sparkContext.parallelize(some, len(some)).map(function).collect()

    return spread


def shards_for(spark: "SparkSession | None") -> int:
    """Return the number of shards."""
    return TASKS * (spark.sparkContext.defaultParallelism if spark is not None else 1)


@dataclass(frozen=True)
class Explored:
    """The result of an exploration."""

    algorithm: str
    limit: int
    counts: Counts | None
    """None if the exploration ended at a violation."""
    violation: Violation | None
    seconds: float
    engine: str

    def report(self) -> Report:
        """Return the report."""
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
    """Return the catalogue's spelling of a name, ignoring case and punctuation.  Raises InputError if it is unknown.

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
