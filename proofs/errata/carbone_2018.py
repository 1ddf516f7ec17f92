"""Searches for the errata and readings of *Stream Window Aggregation Semantics and Optimisation* (2018)."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Final

from swagproof.models.discretisation import (
    Marks,
    discretise,
    marked_windows,
    time_windows,
)
from swagproof.models.windows.window import Event, Heartbeat, Item
from swagproof.proofs.errata.erratum import Searches
from swagproof.proofs.slicing.discretised import slices_held

# Semantics


def _overlap(said: Callable[[int, int], int]) -> Iterator[str]:
    """Search for two consecutive windows whose overlap is not the stated number of minutes, counted in records."""
    for (range_, slide), each in itertools.product(((7, 3), (5, 2), (9, 6), (10, 3), (4, 4)), (1, 2, 6)):
        stream: list[Item] = [*(Event(t, t) for t in range(4 * range_ * each)), Heartbeat(9 * range_ * each)]
        windows = discretise(time_windows(range_ * each, slide * each), stream)
        whole = [window for window in windows if len(window) == range_ * each]
        for first, second in itertools.pairwise(whole):
            found = Fraction(len(set(first) & set(second)), each)
            if found != said(range_, slide):
                yield (
                    f"range {range_} minutes, slide {slide}, records per minute: {each}; consecutive windows share the "
                    f"records of {found} minutes"
                )


# Cutty


NESTED: Final = [(1, 4), (2, 3)]


def _nested(queries: Sequence[Sequence[Marks]]) -> Iterator[str]:
    """Search for a difference between the windows s[1, 4] and s[2, 3] and those that the queries' marks describe."""
    found = sorted(tuple(window) for marks in queries for window in marked_windows((True, mark) for mark in marks))
    if found != NESTED:
        yield f"records ( ( ) ): the windows are {NESTED}, the counts stand for {found}"


def _reused(a: int, b: int) -> Iterator[str]:
    """Search for one of the windows s[1, 5] and s[1, 6] that lacks a record of the slice s[a, b]."""
    for end in (5, 6):
        if b > end:
            yield f"s[{a}, {b}] has the records {a} to {b}, of which s[1, {end}] lacks {max(a, end + 1)}"


SEARCHES: Final = {
    "SLICE-3": Searches(
        printed=partial(_overlap, lambda range_, slide: range_ - slide + 1),
        holds=partial(_overlap, lambda range_, slide: range_ - slide),
        wrong={"by the slide": partial(_overlap, lambda range_, slide: slide)},
    ),
    "CUTTY-3": Searches(
        printed=partial(_reused, 6, 7),
        holds=lambda: [case for a in range(1, 6) for b in range(a, 6) for case in _reused(a, b)],
        wrong={f"s[{a}, {b}]": partial(_reused, a, b) for a, b in ((5, 6), (6, 6), (1, 6))},
    ),
    "CUTTY-4": Searches(
        holds=lambda: filter(None, [slices_held(1, 5)]),
        wrong={"the least number, of many queries": lambda: filter(None, [slices_held(2, 3)])},
    ),
    "CUTTY-7": Searches(
        holds=partial(_nested, [[Marks(1), Marks(), Marks(), Marks(0, 1)], [Marks(), Marks(1), Marks(0, 1), Marks()]]),
        wrong={"one query": partial(_nested, [[Marks(1), Marks(1), Marks(0, 1), Marks(0, 1)]])},
    ),
}
