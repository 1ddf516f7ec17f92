"""What the operators over streams touch: slices, shared windows, the windowing library.

As in swagproof.proofs.hidden_walks the constants were measured, and stand with a little slack.  Some of these
algorithms look at all slices or tuples of a window by definition; so the histories are such that most operations have
nothing to answer, and what may be touched is told by what they have.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from swagproof.models.operations import SUM
from swagproof.models.windows.window import Count, Event, Time, Window
from swagproof.proofs.costs.touch_bounds import Bound, Bounds, Play, Step, claim, linear, proportional
from swagproof.proofs.ledger.claim import GENERAL, OUT_OF_ORDER, SHARING, STREAM_WINDOWS, Claim, cite
from swagproof.reference import catalogue
from swagproof.reference.slicing.cutty import CountMarks

SEED: Final = 2021

# Slices

Queries = tuple[tuple[int, int], ...]


def records(queries: Queries, each: int = 4, most: int = 600) -> tuple[Sequence[Any], Iterator[Step]]:
    """So many records at each time; n is how many times the windows hold that are over by then."""

    def steps() -> Iterator[Step]:
        for number in range(most):
            t = number // each
            over = 0
            if number % each == 0:
                over = sum(range_ * ((t - range_) // slide - (t - 1 - range_) // slide) for range_, slide in queries)
            yield "insert", (t, 1), over, 0

    return (SUM, queries), steps()


def counted(range_: int, slide: int) -> tuple[Sequence[Any], Iterator[Step]]:
    """Cutty with windows by count; n is how many slices a window has, where a record begins a slice or ends one."""

    def steps() -> Iterator[Step]:
        for number in range(4 * range_):
            busy = number % slide == 0 or (number + 1 - range_) % slide == 0
            yield "insert", (Event(number, 1), 1), range_ // slide if busy else 0, 0

    return (SUM, [CountMarks(range_, slide)]), steps()


def out_of_order(cells: int) -> tuple[Sequence[Any], Iterator[Step]]:
    """A record in each cell in any order, then one more in each; d is 1 where a slice is created among n."""

    def steps() -> Iterator[Step]:
        order = random.Random(SEED).sample(range(cells), cells)
        for n, cell in enumerate(order):
            yield "insert", (4 * cell, 1), n, 1
        for cell in order:
            yield "insert", (4 * cell + 1, 1), cells, 0

    return (SUM, [(8, 4)]), steps()


def slice_or_none(busy: Bound, idle: float) -> Bound:
    """`busy` where n slices matter, `idle` where none does."""
    return lambda n, d: busy(n, d) if n else idle


# Many windows over one stream


def tuples(
    sizes: Sequence[int], lookups: Sequence[str], every: int, *arguments: Any
) -> tuple[Sequence[Any], Iterator[Step]]:
    """A stream whose values fall, and begin anew; n is what a lookup's window holds, and all windows together."""

    def steps() -> Iterator[Step]:
        for size in sizes:
            yield "register", (size,), 0, 0
        for number in range(600):
            held = sum(min(number + 1, size) for size in sizes)
            yield "insert", (-(number % (2 * sizes[-1] + 1)),), held, 0
            if number % every == 0:
                for size in sizes:
                    for lookup in lookups:
                        yield lookup, (size,), min(number + 1, size), 0

    return arguments, steps()


# Windows


def events(window: Window, keys: int, shown: int, *arguments: Any) -> tuple[Sequence[Any], Iterator[Step]]:
    """Elements of each key in turn; every so many of them, n windows are shown and as many elements leave."""

    def steps() -> Iterator[Step]:
        for number in range(900):
            yield (
                "feed",
                (Event(number // keys, 1, number % keys),),
                shown if (number // keys + 1) % shown == 0 else 0,
                0,
            )

    return (window, *arguments), steps()


def event_plays(*arguments: Any) -> Mapping[str, Play]:
    """One key with long windows, many keys with short ones."""
    return {
        said: partial(events, window, keys, shown, *arguments)
        for said, window, keys, shown in (
            ("256 by 4", Window(Count(256), Count(4)), 1, 4),
            ("256 by 64", Window(Count(256), Count(64)), 1, 64),
            ("4 by 4 of 200 keys", Window(Count(4), Count(4)), 200, 4),
            ("100 in time", Window(Time(100), Time(1)), 1, 1),
        )
    }


EVENTS: Final = "900 elements: windows of 256 by 4 and by 64, of 4 by 4 of 200 keys, and of 100 in time; no draw"

# Claims

_WALK_SLICES: Final = "[held.begin for held in self.slices]"
_SLICED: Final = {
    "60 by 1": partial(records, ((60, 1),)),
    "64 by 16, 30 by 8": partial(records, ((64, 16), (30, 8))),
}
_SAID: Final = "a record at most 45, and 5 for each time that a window holds which is over."

CLAIMS: Final[tuple[Claim, ...]] = (
    *(
        claim(
            column,
            Bounds({"insert": proportional(45, 5)}),
            cite(STREAM_WINDOWS, place=place),
            statement=_SAID,
            walk=_WALK_SLICES,
            plays=_SLICED,
            scope="600 records, 4 at each time; windows of 60 by 1, and of 64 by 16 with 30 by 8; no draw",
            operations=("insert",),
            id=f"slicing/{technique}-touches",
        )
        for column, technique, place in (
            (catalogue.PANES, "panes", "Panes"),
            (catalogue.PAIRS, "pairs", "Pairs"),
            (catalogue.STARTS, "starts", "Deterministic Windows"),
        )
    ),
    claim(
        catalogue.CUTTY,
        Bounds(
            {"insert": slice_or_none(proportional(600, 40), 42)},
            {"insert": slice_or_none(linear(60, 62), 42)},
        ),
        cite(STREAM_WINDOWS, place="Cutty: A Hybrid Approach"),
        statement="a record within a slice at most 42; those that begin a slice or end a window of n of them all "
        "together at most 60 + 62 log2(n + 2) each, one by itself 600 + 40 n.",
        walk="[list(noted) for noted in self.open]",
        plays={f"{r} by {s}": partial(counted, r, s) for r, s in ((16, 1), (256, 1), (256, 8))},
        scope="windows by count of 16 and 256 by 1, and of 256 by 8; four times as many records; no draw",
        operations=("insert",),
    ),
    claim(
        catalogue.STREAM_SLICING,
        Bounds({"insert": lambda n, d: (1 + d) * linear(20, 75)(n, d) + (200 + 7 * n) * d}),
        cite(OUT_OF_ORDER, place="section 6 (Scotty with FiBA as its store)"),
        statement="a record in one of n slices at most 20 + 75 log2(n + 2), one that creates a slice twice that, and "
        "200 + 7 n: the times of slices are a list.",
        walk="[begin for begin in self.begins]",
        plays={f"{cells} cells": partial(out_of_order, cells) for cells in (16, 64, 256)},
        scope=f"16, 64 and 256 cells, a record in each in some order, and then another; seed {SEED}",
        operations=("insert",),
        not_covered="advance, which goes through the slices; sessions; ",
    ),
    claim(
        catalogue.STREAM,
        Bounds({"insert": proportional(40, 2)}, {"insert": proportional(37, 2), "lookup": linear(16)}),
        cite(SHARING, place="section 2, Figure 1"),
        statement="with two windows that hold n tuples together a tuple at most 40 + 2 n; all tuples and lookups "
        "together 37 + 2 n and 16 each.",
        walk="[list(query.output_queue) for query in self.queries]",
        plays={f"windows of 4 and {n}": partial(tuples, (4, n), ("lookup",), 97, SUM) for n in (16, 256)},
        scope="600 tuples, windows of 4 and 16, and of 4 and 256; every 97th time all are looked up; no draw",
        operations=("insert", "lookup"),
    ),
    claim(
        catalogue.TIMEGRAM,
        Bounds(
            {
                "insert": linear(90),
                "max": linear(95),
                "min": linear(95),
                "count": linear(125),
                "sum": linear(195),
                "avg": linear(310),
            }
        ),
        cite(SHARING, place="section 3.2"),
        statement="with ten buckets and windows of up to 256 a tuple at most 90, the greatest and the least 95, the "
        "number 125, the sum 195, the average 310.",
        walk="[list(bucket.timestamps) for bucket in self.buckets]",
        plays={
            f"windows of 4 and {n}": partial(tuples, (4, n), ("max", "min", "count", "sum", "avg"), 20, -600, 0, 10)
            for n in (16, 256)
        },
        scope="ten buckets, 600 tuples, windows of 4 and 16, and 4 and 256; each 20th time all are asked; no draw",
        operations=("insert", "max", "min", "count", "sum", "avg"),
        not_covered="more buckets, which are a list; widening; ",
    ),
    claim(
        catalogue.ORDERED_SHARING,
        Bounds({"insert": linear(140), "lookup": proportional(210, 12)}),
        cite(SHARING, place="sections 6.1 to 6.4"),
        statement="with three windows a tuple at most 140, a lookup of a window that holds n 210 + 12 n.",
        walk="list(self.tuples)",
        plays={f"every {k}th looked up": partial(tuples, (4, 64, 256), ("lookup",), k) for k in (1, 17, 97)},
        scope="600 tuples, windows of 4, 64 and 256, all looked up each time, every 17th and every 97th time; no draw",
        operations=("insert", "lookup"),
        not_covered="more windows; ",
    ),
    claim(
        catalogue.WINDOWING,
        Bounds({"feed": proportional(110, 10)}, {"feed": proportional(80, 20)}),
        cite(GENERAL, place="section 2.3"),
        statement="an element at most 110, and 10 for each that leaves as windows are shown; all together 80 and 20.",
        walk="[(key, list(each.held)) for key, each in self.partitions.items()]",
        plays=event_plays(),
        scope=EVENTS,
        operations=("feed",),
        id="windows/touches",
    ),
    claim(
        catalogue.AGGREGATE,
        Bounds({}, {"feed": proportional(310, 20)}),
        cite(GENERAL, place="sections 2.1 and 2.3"),
        statement="with DABA Lite all elements together at most 310 each, and 20 for each that leaves as windows are "
        "shown.",
        walk="[key for key in self.groups]",
        plays=event_plays(SUM),
        scope=EVENTS,
        operations=("feed",),
        id="windows/aggregate-touches",
    ),
)
