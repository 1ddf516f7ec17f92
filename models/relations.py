"""Conversion of time-varying relations to streams: CQL's IStream, DStream and RStream.

Source: *General Incremental Sliding-Window Aggregation* (2015), section 2.1, which takes IStream from CQL; the other
two are also CQL's.  A relation is a bag of rows at each instant.  It is given as the instants at which it may have
changed, in order, each with its rows at that instant; before the first instant it is empty.

Rows need an equality, but no hash.  A row that does not equal itself, such as one with NaN, is new at every instant.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias, TypeVar

T = TypeVar("T")
Row = TypeVar("Row")

ToStream: TypeAlias = Literal["istream", "dstream", "rstream"]
"""The names of the three operators."""


def difference(rows: Iterable[Row], others: Iterable[Row]) -> list[Row]:
    """Remove each of the other rows once from a bag of rows.

    >>> difference([1, 1, 2, 3], [3, 1])
    [1, 2]
    """
    left = list(rows)
    for other in others:
        if other in left:
            left.remove(other)
    return left


def istream(relation: Iterable[tuple[T, Sequence[Row]]]) -> list[tuple[T, Row]]:
    """Return each row with the instant at which it was inserted: R(tau) without the previous R.

    >>> istream([(1, ["a"]), (2, ["a"]), (3, ["b"]), (4, []), (5, ["b", "b"])])
    [(1, 'a'), (3, 'b'), (5, 'b'), (5, 'b')]
    """
    found: list[tuple[T, Row]] = []
    before: Sequence[Row] = []
    for instant, rows in relation:
        found += [(instant, row) for row in difference(rows, before)]
        before = rows
    return found


def dstream(relation: Iterable[tuple[T, Sequence[Row]]]) -> list[tuple[T, Row]]:
    """Return each row with the instant at which it was deleted: the previous R without R(tau).

    >>> dstream([(1, ["a"]), (2, ["a"]), (3, ["b"]), (4, []), (5, ["b", "b"])])
    [(3, 'a'), (4, 'b')]
    """
    found: list[tuple[T, Row]] = []
    before: Sequence[Row] = []
    for instant, rows in relation:
        found += [(instant, row) for row in difference(before, rows)]
        before = rows
    return found


def rstream(relation: Iterable[tuple[T, Sequence[Row]]]) -> list[tuple[T, Row]]:
    """Return each row at each given instant.  Between instants the relation does not change and nothing is repeated.

    >>> rstream([(1, ["a"]), (2, ["a"]), (3, [])])
    [(1, 'a'), (2, 'a')]
    """
    return [(instant, row) for instant, rows in relation for row in rows]
