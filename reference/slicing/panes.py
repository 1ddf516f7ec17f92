"""Panes.

- Full name: Window panes
- Paper: Stream Window Aggregation Semantics and Optimisation (2018), "Panes"
- Order: in order of time
- Operator: associative
- Combine calls: at most 1 a record; a window range / gcd(range, slide) - 1 when none of its slices is empty
- Space: one partial aggregate for each slice with records of an open window, at most range / gcd(range, slide)
- Errata: none

Conventions: those of `reference/slicing/slices.py`.  All slices have one length, the greatest common divisor of range
and slide; with many queries, of all their ranges and slides.
"""

from collections.abc import Sequence
from math import gcd
from typing import ClassVar

from icontract import ensure

from swagproof.contracts.slicing.slices import pane_of, panes_kept
from swagproof.models.monoid import A, Monoid
from swagproof.reference.slicing.slices import Answer, CheckedSliced, Periodic, Sliced


def pane(range: int, slide: int) -> int:
    """The length of a slice.

    >>> pane(9, 6), pane(10, 3)
    (3, 1)
    """
    return gcd(range, slide)


def pane_edge(t: int, length: int) -> int:
    """The latest edge at or before t, for slices of this length."""
    return t // length * length


def pane_number(t: int, length: int) -> int:
    """Return the number of the slice that contains t, counted from that of time 0."""
    return t // length


def panes_per(span: int, length: int) -> int:
    """Return the number of slices in a slide or window, given its span."""
    return span // length


class Panes(Sliced[A]):
    """Slices of one length.

    >>> from swagproof.models.operations import CONCATENATION
    >>> panes = Panes(CONCATENATION, [(9, 6)])
    >>> for t, letter in enumerate("abcdefghi"):
    ...     assert [answer.begin for answer in panes.insert(t, letter)] in ([], [-6])
    >>> [held.partial for held in panes.slices]
    ['abc', 'def', 'ghi']
    >>> panes.advance(9)
    [Answer(query=0, begin=0, end=9, value='abcdefghi')]
    """

    cuts_at_ends: ClassVar[bool] = True

    def __init__(self, monoid: Monoid[A], queries: Sequence[tuple[int, int]]) -> None:
        super().__init__(monoid, queries)
        self.length = gcd(*(pane(*query) for query in self.queries))

    def edge_of(self, query: Periodic, t: int) -> int:
        """The latest edge at or before t; the same for all queries."""
        return pane_edge(t, self.length)


class CheckedPanes(CheckedSliced[A], Panes[A]):
    """Panes with the contracts of `CheckedSliced` and their own."""

    @ensure(
        lambda self: panes_kept(self),
        "at most R / g slices, R the longest range, g the greatest common divisor",
    )
    def insert(self, t: int, v: A) -> list[Answer[A]]:
        """Insert a record into the operator and into the model."""
        return super().insert(t, v)

    @ensure(
        lambda self, t, result: pane_of(t, result, self.length),
        "edge = k length for some k, and edge <= t < edge + length",
    )
    def edge_of(self, query: Periodic, t: int) -> int:
        """Return the latest edge of one query at or before t."""
        return super(CheckedSliced, self).edge_of(query, t)  # icontract copies that of `Sliced` into `CheckedSliced`
