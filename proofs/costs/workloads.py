"""Workloads of the papers' experiments for every kind of window, with the combine calls of each operation.

The papers measure seconds.  Combine calls are the same on every machine, but ignore the cost of a call and of pointers.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from swagproof.models.monoid import Counting
from swagproof.models.operations import SUM
from swagproof.reference.catalogue import Column

Step: TypeAlias = tuple[str, int]
"""An operation, `insert`, `evict`, `query` or `range`, and its time."""


@dataclass(frozen=True)
class Subject:
    """An algorithm in an experiment: its name, and the function that makes a window for about n elements."""

    name: str
    make: Callable[[Any, int], Any]
    timed: bool = False
    """True if inserts and evicts have a time."""


def by_column(column: Column, name: str = "") -> Subject:
    """Return the algorithm of a column, with the constructor's defaults."""
    return Subject(name or column.name, lambda monoid, n: column.algorithm(monoid))


def play(subject: Subject, n: int, steps: Iterator[Step]) -> Iterator[Step]:
    """Play operations with their times; yield each with its combine calls.

    An evict without times removes the oldest; a range begins at the operation's time.
    """
    monoid = Counting(SUM)
    window = subject.make(monoid, n)
    for operation, t in steps:
        monoid.calls = 0
        if operation == "query":
            window.query()
        elif operation == "range":
            window.range_query(t, math.inf)
        elif operation == "insert":
            window.insert(t, 1) if subject.timed else window.insert(1)
        else:
            window.evict(t) if subject.timed else window.evict()
        yield operation, monoid.calls


def rounds(n: int, d: int = 0, count: int | None = None) -> Iterator[Step]:
    """Fill a window of n, of which d late times, then evict the oldest, insert the next below those, and query.

    With d = n the oldest is the element that the round before inserted: the window is a stack.  There are `count`
    rounds, n by default.  The fill ends with a query.
    """
    late = 10 * n
    yield from (("insert", t) for t in (*range(n - d), *range(late, late + d)))
    yield "query", 0
    for i in range(n if count is None else count):
        yield "evict", i if d < n else late if i == 0 else i - 1
        yield "insert", n - d + i
        yield "query", 0


def fill_and_drain(n: int) -> Iterator[Step]:
    """Fill to n with a query after each insert, and drain completely, three times."""
    for start in range(0, 3 * n, n):
        for t in range(start, start + n):
            yield from (("insert", t), ("query", 0))
        yield from (("evict", t) for t in range(start, start + n))


def slides(n: int, slide: int, firings: int) -> Iterator[Step]:
    """Fill a window of n; then evict and insert `slide` elements in turn before each firing, a query."""
    yield from [("insert", 0)] * n
    yield "query", 0
    for _ in range(firings):
        yield from [("evict", 0), ("insert", 0)] * slide
        yield "query", 0


def calls_when_full(subject: Subject, n: int, steps: Iterator[Step]) -> list[int]:
    """Return the combine calls of each operation after the fill to n and its query."""
    return [calls for _, calls in play(subject, n, steps)][n + 1 :]


def calls_a_round(subject: Subject, n: int, d: int = 0, count: int | None = None) -> float:
    """Return the combine calls per round, averaged over `count` rounds."""
    return sum(calls_when_full(subject, n, rounds(n, d, count))) / (n if count is None else count)
