"""Combine calls per record and partial aggregates held, for windows computed in five ways, as in Figures 4 to 6.

- naive: the records of the newest window are kept, and each window is recomputed;
- panes and pairs: slices, combined for each window;
- Cutty: slices at window starts, in a FlatFAT;
- pre-aggregation: every record in the FlatFAT of the Reactive Aggregator, whose window slides with the records; for
  many queries, a Cutty with each record as a slice, the smallest that it has.

A stream has one record at each time, so range and slide are numbers of records.  Counting starts when the windows are
full, and covers whole periods; the partial aggregates held are the maximum after any record.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce
from itertools import pairwise, product
from math import lcm
from typing import Any, Final

from swagproof.models.discretisation import Looks
from swagproof.models.monoid import Counting
from swagproof.models.operations import SUM
from swagproof.models.windows.window import Event
from swagproof.proofs.costs.curves import Experiment, Point
from swagproof.proofs.ledger.claim import STREAM_WINDOWS, Claim, Control, Outcome, cite
from swagproof.reference.flat_trees.reactive_aggregator_fifo import ReactiveAggregatorFifo
from swagproof.reference.slicing.cutty import CountMarks, Cutty
from swagproof.reference.slicing.pairs import Pairs
from swagproof.reference.slicing.panes import Panes

Query = tuple[int, int]

Step = Callable[[int], int]
"""A function that processes the record of time t, and returns the number of partial aggregates held then."""


def _is_due(query: Query, records: int) -> bool:
    """Return whether a window ends after this many records."""
    range_, slide = query
    return records >= range_ and (records - range_) % slide == 0


def _naive(monoid: Counting[Any], queries: Sequence[Query]) -> Step:
    newest: deque[int] = deque(maxlen=max(range_ for range_, _ in queries))

    def step(t: int) -> int:
        newest.append(1)
        for query in queries:
            if _is_due(query, t + 1):
                reduce(monoid.combine, list(newest)[-query[0] :])
        return len(newest)

    return step


def _sliced(made: Any) -> Callable[[Counting[Any], Sequence[Query]], Step]:
    def begin(monoid: Counting[Any], queries: Sequence[Query]) -> Step:
        sliced = made(monoid, queries)

        def step(t: int) -> int:
            sliced.insert(t, 1)
            held = len(sliced.slices)
            sliced.advance(t + 1)  # as soon as a window can be known to be over
            return held

        # advance sets the clock to t + 1, the time of the next record
        return step

    return begin


def _insert_into(cutty: Cutty[Any]) -> Step:
    def step(t: int) -> int:
        cutty.insert(Event(t, 1), 1)
        return 2 * cutty.store.fat.n - 1 + 1

    return step


def _cutty(monoid: Counting[Any], queries: Sequence[Query]) -> Step:
    return _insert_into(Cutty(monoid, [CountMarks(*query) for query in queries]))


def _pre_aggregation(monoid: Counting[Any], queries: Sequence[Query]) -> Step:
    if len(queries) == 1:
        window: ReactiveAggregatorFifo[Any] = ReactiveAggregatorFifo(monoid)

        def step(t: int) -> int:
            window.insert(1)
            if window.n_tuples > queries[0][0]:
                window.evict()
            window.apply_pending()  # eagerly, at each record
            if _is_due(queries[0], t + 1):
                window.query()
            return 2 * window.capacity - 1

        return step
    reach = max(range_ for range_, _ in queries)
    number = 0

    def looks(item: Any) -> Looks:
        nonlocal number
        number += 1
        ends = tuple(number - query[0] + 1 for query in queries if _is_due(query, number))
        return Looks(ends, reach=max(1, number - reach + 2))

    return _insert_into(Cutty(monoid, looking_back=[looks]))


TECHNIQUES: Final[dict[str, Callable[[Counting[Any], Sequence[Query]], Step]]] = {
    "naive": _naive,
    "panes": _sliced(Panes),
    "pairs": _sliced(Pairs),
    "Cutty": _cutty,
    "pre-aggregation": _pre_aggregation,
}


def count(technique: str, queries: Sequence[Query]) -> tuple[float, int]:
    """Return the combine calls per record, and the most partial aggregates held, once the windows are full."""
    monoid = Counting(SUM)
    step = TECHNIQUES[technique](monoid, queries)
    period = lcm(*(slide for _, slide in queries))
    full = 2 * max(max(query) for query in queries)
    rounds = period * max(1, -(-200 // period))
    held = 0
    for t in range(full + rounds):
        if t == full:
            monoid.calls = held = 0
        held = max(held, step(t))
    return monoid.calls / rounds, held


RANGE: Final = 64


def _over_slides(part: int) -> Callable[[Sequence[int]], Iterator[Point]]:
    def run(slides: Sequence[int]) -> Iterator[Point]:
        for technique in TECHNIQUES:
            for slide in slides:
                yield Point(technique, slide, count(technique, [(RANGE, slide)])[part])

    return run


SLIDES: Final = (1, 2, 3, 4, 7, 8, 12, 16, 24, 31, 32, 33, 48, 63, 64, 65, 96)

EXPERIMENTS: Final = tuple(
    Experiment(
        f"slicing/{kind}",
        f"{title}, one query with a range of {RANGE}",
        "Stream Windows (2018), Figures 4 to 6",
        "slide, in records",
        unit,
        _over_slides(part),
        SLIDES,
    )
    for part, (kind, title, unit) in enumerate(
        (
            ("calls", "Combine calls a record", "combine calls a record"),
            ("space", "Partial aggregates held", "partial aggregates"),
        )
    )
)


# Claims


def more_than_naive(slides: Sequence[int], fewer: Sequence[int] = ()) -> Outcome:
    """Check that pre-aggregation takes more combine calls than recomputing each window, and at other slides fewer."""
    for slide in (*fewer, *slides):
        eager, naive = (count(technique, [(RANGE, slide)])[0] for technique in ("pre-aggregation", "naive"))
        if (eager > naive) != (slide in slides):
            return Outcome("fails", f"slide {slide}: {eager:g} combine calls a record, naive {naive:g}")
    return Outcome("holds", f"{len(slides)} slides")


def ordered(largest: int, techniques: Sequence[str]) -> Outcome:
    """Check that each technique takes at most the combine calls of the next, and that slices hold no more partials."""
    cases = list(product(range(1, largest + 1), repeat=2))
    for range_, slide in cases:
        counts = [count(technique, [(range_, slide)]) for technique in techniques]
        for (less, before), (more, after) in pairwise(zip(counts, techniques, strict=True)):
            if less[0] > more[0] or less[1] > more[1]:
                return Outcome("fails", f"range {range_}, slide {slide}: {before} {less}, {after} {more}")
    return Outcome("holds", f"{len(cases)} queries")


CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        id="slicing-cost/pre-aggregation",
        statement=f"With a range of {RANGE}, pre-aggregation of every record takes more combine calls than each "
        "window computed from nothing at slides of 10 and more, and fewer at slides up to 9.",
        source=cite(STREAM_WINDOWS, place="General Pre-Aggregation Limitations"),
        algorithm="Slicing",
        kind="exhaustive",
        engine="counting",
        scope="one query, the slides from 1 to 96; combine calls once the windows are full",
        code="reference.flat_trees.reactive_aggregator_fifo.ReactiveAggregatorFifo, queried for each window",
        check=partial(more_than_naive, range(10, 97), range(1, 10)),
        controls=(Control("more at every slide", partial(more_than_naive, range(1, 97))),),
        not_covered="time: combine calls alone are counted",
    ),
    Claim(
        id="slicing-cost/order",
        statement="Pairs take no more combine calls than panes, and panes no more than each window computed from "
        "nothing; nor do they hold more partial aggregates than that holds records.",
        source=cite(
            STREAM_WINDOWS,
            "Figure 4",
            compared="stronger: every range and slide of the scope, where the figure shows one",
        ),
        algorithm="Slicing",
        kind="exhaustive",
        engine="counting",
        scope="one query with range and slide up to 12, a record at each time",
        code="reference: pairs.Pairs, panes.Panes",
        check=lambda: ordered(12, ("pairs", "panes", "naive")),
        controls=(
            Control("panes before pairs", lambda: ordered(12, ("panes", "pairs"))),
            Control("Cutty before pairs", lambda: ordered(12, ("Cutty", "pairs"))),
        ),
        not_covered="larger ranges and slides, several records at a time",
    ),
)
