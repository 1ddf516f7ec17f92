"""Pairs.

- Full name: Paired windows
- Paper: Stream Window Aggregation Semantics and Optimisation (2018), "Pairs"
- Order: in order of time
- Operator: associative
- Combine calls: at most 1 a record; a window 2 (range div slide), or range / slide - 1 for a multiple of the slide
- Space: one partial aggregate for each slice with records of an open window, at most 2 (range div slide) + 2
- Errata: none; readings SLICE-5, SLICE-6

Conventions: those of `reference/slicing/slices.py`.  p1 and p2 keep their names.  Counted from the beginning of a
window, p2 comes first, then p1 (reading SLICE-6): a window ends p2 after its last whole slide.  If p2 = 0 there is no
second slice (reading SLICE-5).  With many queries a slice is cut at every edge of any of them.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import lcm
from typing import ClassVar

from icontract import ensure

from swagproof.contracts.slicing.slices import pair_of, pairs_kept
from swagproof.models.monoid import A
from swagproof.reference.slicing.slices import Answer, CheckedSliced, Periodic, Sliced


def p2(range: int, slide: int) -> int:
    """range mod slide: the position in a slide at which windows end."""
    return range % slide


def p1(range: int, slide: int) -> int:
    """slide - p2: the rest of the slide."""
    return slide - p2(range, slide)


def alternating(range: int, slide: int) -> Iterator[int]:
    """Yield the lengths of the slices from the beginning of a window on, without end.

    >>> from itertools import islice
    >>> list(islice(alternating(10, 3), 7)), list(islice(alternating(6, 3), 2))
    ([1, 2, 1, 2, 1, 2, 1], [3, 3])
    """
    while True:
        if p2(range, slide) != 0:  # [reading SLICE-5]
            yield p2(range, slide)  # [reading SLICE-6]
        yield p1(range, slide)


def pair_edge(t: int, range: int, slide: int) -> int:
    """The latest edge at or before t."""
    begin = t // slide * slide
    if t - begin < p2(range, slide):
        return begin
    return begin + p2(range, slide)


def pair_number(t: int, range: int, slide: int) -> int:
    """Return the number of the slice that contains t, counted from that of time 0."""
    if p2(range, slide) == 0:
        return t // slide
    return 2 * (t // slide) + (0 if t % slide < p2(range, slide) else 1)


def pairs_per_slide(range: int, slide: int) -> int:
    """Return the number of slices in a slide."""
    return 1 if p2(range, slide) == 0 else 2


def pairs_per_window(range: int, slide: int) -> int:
    """Return the number of slices in a window."""
    if p2(range, slide) == 0:
        return range // slide
    return 2 * (range // slide) + 1


def shared_slices(queries: Sequence[tuple[int, int]]) -> list[int]:
    """The lengths of the slices that these queries share, for one period, the least common multiple of the slides.

    This sequence is known before the stream begins.

    >>> shared_slices([(10, 3), (6, 4)])
    [1, 1, 1, 1, 2, 1, 1, 1, 1, 2]
    """
    period = lcm(*(slide for _, slide in queries))
    edges = sorted(
        {
            begin + cut
            for range_, slide in queries
            for begin in range(0, period, slide)
            for cut in (0, p2(range_, slide))
        }
    )
    return [after - before for before, after in pairwise([*edges, period])]


class Pairs(Sliced[A]):
    """Two slices for each slide.

    >>> from swagproof.models.operations import CONCATENATION
    >>> pairs = Pairs(CONCATENATION, [(5, 3)])
    >>> answers = [pairs.insert(t, letter) for t, letter in enumerate("abcde")]
    >>> [held.partial for held in pairs.slices]
    ['ab', 'c', 'de']
    >>> pairs.advance(5)
    [Answer(query=0, begin=0, end=5, value='abcde')]
    """

    cuts_at_ends: ClassVar[bool] = True

    def edge_of(self, query: Periodic, t: int) -> int:
        """The latest edge of one query at or before t."""
        return pair_edge(t, *query)


class CheckedPairs(CheckedSliced[A], Pairs[A]):
    """Pairs with the contracts of `CheckedSliced` and their own."""

    @ensure(lambda self: pairs_kept(self), "at most 2 ceil(R / slide) slices for each query, R the longest range")
    def insert(self, t: int, v: A) -> list[Answer[A]]:
        """Insert a record into the operator and into the model."""
        return super().insert(t, v)

    @ensure(
        lambda query, t, result: pair_of(t, result, query),
        "edge = k slide or k slide + p2, the latest such at or before t",
    )
    def edge_of(self, query: Periodic, t: int) -> int:
        """Return the latest edge of one query at or before t."""
        return super(CheckedSliced, self).edge_of(query, t)  # icontract copies that of `Sliced` into `CheckedSliced`
