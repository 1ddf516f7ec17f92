"""The papers' figures of measured cost, counted in combine calls, with the same axes and series.

A figure is an entry of `FIGURES`: a workload, its series, its axis, the paper's claim, and a sentence about the counts
with its check.  Figures that need a clock, or data that is not supplied, are in `NOT_COUNTED`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from swagproof.contracts.space import stored_aggregates
from swagproof.models.operations import MAX
from swagproof.proofs.costs.curves import Point, series
from swagproof.proofs.costs.workloads import (
    Step,
    Subject,
    by_column,
    calls_a_round,
    calls_when_full,
    fill_and_drain,
    play,
    rounds,
    slides,
)
from swagproof.reference.catalogue import (
    B_TREE,
    BASE_INTERVALS,
    DABA,
    DABA_LITE,
    FIBA,
    FLAT_FIT,
    REACTIVE_AGGREGATOR,
    RECALCULATE,
    TWO_STACKS,
    TWO_STACKS_LITE,
    Column,
)

Series = dict[str, dict[int, float]]


@dataclass(frozen=True)
class Figure:
    """A figure of a paper, with counts in place of measurements."""

    name: str
    """The paper's year and the paper's name for it: `2018 Figure 11`."""
    title: str
    x: str
    unit: str
    claim: str
    """The paper's statement about the figure, in one sentence."""
    shown: str
    """The result of the counts for that statement, as text."""
    holds: Callable[[Series], bool]
    """The check that the counts have the result in `shown`."""
    run: Callable[[], Iterator[Point]]
    ticks: tuple[str, ...] = ()
    """Names of the places 0, 1, ... on an x-axis without numbers."""

    def points(self) -> list[Point]:
        """Return the counted points."""
        return list(self.run())


# Subjects


def _tree(column: Column, mu: int) -> Subject:
    return Subject(f"{column.name}, mu = {mu}", lambda monoid, n: column.algorithm(monoid, mu), timed=True)


RA: Final = Subject("Reactive", lambda monoid, n: REACTIVE_AGGREGATOR.algorithm(monoid, n))
"""The Reactive Aggregator with a fixed capacity of the window's size, a power of two, as in 2015, section 6."""
AW: Final = by_column(BASE_INTERVALS, "B-Int (ours)")
ISS: Final = by_column(RECALCULATE, "from scratch")
FINGERS: Final = tuple(_tree(FIBA, mu) for mu in (2, 4, 8))
TREES: Final = (*FINGERS, *(_tree(B_TREE, mu) for mu in (2, 4, 8)))
IN_ORDER: Final = (*map(by_column, (TWO_STACKS, TWO_STACKS_LITE, DABA, DABA_LITE, FLAT_FIT)), _tree(FIBA, 4))
"""The six algorithms of 2021."""
SIZES: Final = tuple(2**k for k in range(1, 11))
N: Final = 2**11
"""The window's size where the papers fix it, at 2^22 or 2^14."""
DISTANCES: Final = (0, 1, 4, 16, 64, 256, 512, 1024, 1536, 1984, 2044, N)


# Runs


def _count(subjects: Sequence[Subject], xs: Sequence[int], cost: Callable[[Subject, int], float]) -> Iterator[Point]:
    """Yield the cost of each subject at each x."""
    for subject in subjects:
        for x in xs:
            yield Point(subject.name, x, cost(subject, x))


def _distribution(subjects: Sequence[Subject], n: int, distances: Sequence[int]) -> Iterator[Point]:
    """Yield the least, the median, the 99.9th percentile and the greatest of the combine calls of 2n rounds."""
    for d in distances:
        for subject in subjects:
            calls = calls_when_full(subject, n, rounds(n, d, 2 * n))
            found = sorted(sum(calls[i : i + 3]) for i in range(0, len(calls), 3))
            at = (0, len(found) // 2, int(0.999 * len(found)), -1)
            name = f"{subject.name}, d = {d:,}" if len(distances) > 1 else subject.name
            yield from (Point(name, x, found[i]) for x, i in enumerate(at))


def _fill_and_drain(subject: Subject, n: int) -> float:
    """Return the combine calls per data item of a window that is filled to n and drained."""
    return sum(calls for _, calls in play(subject, n, fill_and_drain(n))) / (3 * n)


def _shared(sizes: Sequence[int] = (2, 8, 32, 128, 512, N)) -> Iterator[Point]:
    """Count a window of N and one of its newest n elements: by a range query, or in a separate tree."""
    count = 64
    for subject in FINGERS:
        for n in sizes:
            d = n // 2
            calls = calls_when_full(subject, N, _with_ranges(n, d, count))
            yield Point(f"{subject.name}: range", n, sum(calls) / count)
            twin = calls_a_round(subject, N, d, count) + calls_a_round(subject, n, d, count)
            yield Point(f"{subject.name}: twin", n, twin)


def _with_ranges(n: int, d: int, count: int) -> Iterator[Step]:
    """Yield the rounds of a window of N, each with a range query of the newest n."""
    low = N - d
    for operation, t in rounds(N, d, count):
        yield operation, t
        low += operation == "insert" and t < 10 * N and t >= N - d
        if operation == "query" and low > N - d:
            yield "range", low - (n - d)


def _tumble(subject: Subject, n: int) -> float:
    """Return the combine calls per firing, for firings after n evicts and n inserts each."""
    return sum(calls_when_full(subject, n, slides(n, n, 4))) / 4


def _store(subject: Subject, n: int) -> int:
    """Return the number of partial aggregates that a window of n stores."""
    window: Any = subject.make(MAX, n)
    for _ in range(n):
        window.insert(1.5)
    window.query()
    return stored_aggregates(window, float)


# Checks of the results


def _figure_11(found: Series) -> bool:
    """Check that FiBA's cost rises with d and falls at d = n; the B-tree's stays within half, and is equal at n."""
    rises = all(found[s.name][0] < found[s.name][16] < found[s.name][256] for s in FINGERS)
    flat = all(
        max(found[s.name].values()) < 1.5 * min(found[s.name].values())
        and abs(found[s.name][1024] / found[s.name][0] - 1) < 0.1
        and found[s.name][N] > 0.95 * found[s.name][2044]
        for s in TREES[3:]
    )
    finger, classic = found["FiBA, mu = 2"], [found[s.name] for s in TREES[3:]]
    unchanged = max(classic[0].values()) < 1.2 * min(classic[0].values())
    third = all(min(values.values()) >= 2 / 3 * max(values.values()) for values in classic)
    peak = 48 < finger[N // 4] == max(finger.values()) < 49
    return rises and flat and unchanged and third and peak and finger[N] == 5 and 11 < finger[0] < 12


def _figure_12(found: Series) -> bool:
    """Check that FiBA's median is below the B-tree's at d = 0, and also, by less, at great d."""

    def ratio(mu: int, d: int) -> float:
        return found[f"FiBA, mu = {mu}, d = {d:,}"][1] / found[f"B-tree, mu = {mu}, d = {d:,}"][1]

    return all(ratio(mu, 0) < 1 / 3 and ratio(mu, 0) < ratio(mu, N // 4) < 1 for mu in (2, 4))


def _figure_13(found: Series) -> bool:
    """Check that FiBA is constant (above Reactive at small n), B-tree and Reactive logarithmic, the others cheapest."""
    finger, reactive, classic = (found[name] for name in ("FiBA, mu = 2", RA.name, "B-tree, mu = 2"))
    constant = finger[1024] < 1.2 * finger[32] and reactive[1024] > 1.8 * reactive[32]
    below = all(max(found[name].values()) <= 5 for name in ("Two-Stacks", "DABA"))
    ahead = all(reactive[n] < found[s.name][n] for s in TREES[3:] for n in reactive if n > 2)
    behind = all((finger[n] <= reactive[n]) is (n >= 32) for n in reactive if n > 4)
    return constant and below and ahead and behind and classic[1024] > 1.8 * classic[32]


def _figure_14(found: Series) -> bool:
    """Check that neither is always cheaper."""
    ratios = [found[f"{s.name}: range"][n] / found[f"{s.name}: twin"][n] for s in FINGERS for n in (2, 8, 32, 128, 512)]
    return min(ratios) < 1 < max(ratios)


def _constant(found: Series) -> bool:
    """Check that averages are constant from n = 64 on; FiBA's, slow to reach its limit, grows by less than 5."""
    return all(values[1024] < values[64] + (5 if name.startswith("FiBA") else 0.2) for name, values in found.items())


def _worst_cases(found: Series) -> bool:
    """Check that Two-Stacks has the least median and a linear maximum, DABA a small bound, FiBA values between."""
    most = {name: values[3] for name, values in found.items()}
    bounded = max(most["DABA"], most["DABA Lite"]) <= 8
    linear = min(most["Two-Stacks"], most["FlatFIT"])
    least = {values[0] for name, values in found.items() if not name.startswith("FiBA")}
    return bounded and len(least) == 1 and most["DABA"] < most["FiBA, mu = 4"] < 64 and 500 < linear


FIGURES: Final = (
    Figure(
        "2018 Figure 11",
        f"Out-of-order distance, window of {N:,}",
        "out-of-order distance d, entries",
        "combine calls a round of evict, insert and query",
        "The classic B-tree is mostly unaffected by d; FiBA starts significantly better and degrades with log d; all "
        "improve at d = n.",
        "Confirmed for FiBA: with mu = 2 it makes 11 calls at d = 0, 48 at d = n / 4, and 5 at d = n, where the window "
        "is a stack. The classic B-tree's calls hardly change for mu = 2; for mu = 4 and 8 they fall by at most a "
        "third before d = n, and almost not at d = n. So calls do not show the paper's reason, that nothing is "
        "restructured.",
        _figure_11,
        partial(_count, TREES, DISTANCES, lambda subject, d: calls_a_round(subject, N, d, 64)),
    ),
    Figure(
        "2018 Figure 12",
        f"Distribution over rounds, window of {N:,}, d = 0 and d = n / 4",
        "least, median, 99.9th percentile and most of 2n rounds",
        "combine calls a round of evict, insert and query",
        "At d = 0 the median of the finger B-trees is far below that of the classic ones; at d = n / 4 with an "
        "expensive operator FiBA with min-arity 2 is still faster.",
        "The order of the medians is confirmed: FiBA's is less than a third of the classic B-tree's at d = 0, and "
        "closer to it, but still lower, at d = n / 4. Differences of orders of magnitude do not occur at this n.",
        _figure_12,
        partial(_distribution, (FINGERS[0], FINGERS[1], TREES[3], TREES[4]), N, (0, N // 4)),
        ("least", "median", "99.9 %", "most"),
    ),
    Figure(
        "2018 Figure 13",
        "First in, first out",
        "window size n, entries",
        "combine calls a round of evict, insert and query",
        "FiBA is constant in n, the classic B-trees and Reactive are logarithmic, Two-Stacks and DABA are best; with "
        "an expensive operator Reactive outperforms all B-tree based windows.",
        "Confirmed, except for Reactive and FiBA: Reactive makes fewer calls than the classic B-trees at every n > 2, "
        "but FiBA with mu = 2 makes no more than Reactive from n = 32 on (reading FIBA-13).",
        _figure_13,
        partial(_count, (*TREES, by_column(TWO_STACKS), by_column(DABA), RA), SIZES, calls_a_round),
    ),
    Figure(
        "2018 Figure 14",
        f"Window sharing, big window of {N:,}, d = n_small / 2",
        "small window n_small, entries",
        "combine calls a round of evict, insert and two queries",
        "Sharing by range queries does not consistently improve on one tree for each window.",
        "Confirmed: each of the two is cheaper for some n_small.",
        _figure_14,
        _shared,
    ),
    Figure(
        "2021 Figure 9",
        f"Distribution over rounds, static window of {2**9:,}",
        "least, median, 99.9th percentile and most of 2n rounds",
        "combine calls a round of evict, insert and query",
        "Two-Stacks tends to have a lower minimum than DABA, but regularly takes an order of magnitude longer; DABA's "
        "worst case is low; FiBA's is between them.",
        "The worst cases are confirmed: Two-Stacks and FlatFIT make up to about n calls, DABA at most 8, FiBA O(log n)."
        " The minima cannot be compared, because all algorithms except FiBA have the same least number of calls.",
        _worst_cases,
        partial(_distribution, IN_ORDER, 2**9, (0,)),
        ("least", "median", "99.9 %", "most"),
    ),
    Figure(
        "2021 Figure 10",
        "Static windows",
        "window size n, entries",
        "combine calls a round of evict, insert and query",
        "All of the aggregators stay close to constant; each Lite form outperforms the corresponding non-Lite version.",
        "Confirmed that all are bounded: FlatFIT approaches 4 calls and FiBA about 19, the others are constant. DABA "
        "Lite makes one call per round less than DABA. Two-Stacks Lite makes as many calls as Two-Stacks, or 1 / n "
        "fewer, so calls do not explain why it is faster.",
        lambda found: (
            _constant(found)
            and 3.9 < found["FlatFIT"][1024] < 4
            and 18.5 < found["FiBA, mu = 4"][1024] < 20
            and abs(found["DABA"][1024] - found["DABA Lite"][1024] - 1) < 0.01
            and abs(found["Two-Stacks Lite"][1024] - found["Two-Stacks"][1024]) < 0.1
        ),
        partial(_count, IN_ORDER, SIZES, calls_a_round),
    ),
    Figure(
        "2021 Figure 11",
        "Dynamic windows: fill to n with a query after each insert, then drain",
        "window size n, entries",
        "combine calls a data item",
        "As for static windows; but FlatFIT is consistently the best with the most expensive operator, because it "
        "calls it only on queries.",
        "Confirmed: FlatFIT makes the fewest calls of all.",
        lambda found: _constant(found) and min(found, key=lambda name: found[name][1024]) == FLAT_FIT.name,
        partial(_count, IN_ORDER, SIZES, _fill_and_drain),
    ),
    Figure(
        "2015 Figure 6",
        "Incremental against from scratch",
        "window size n, tuples",
        "combine calls a tuple",
        "On small windows RA is slightly slower than evaluation from scratch, on large ones far faster.",
        "Confirmed for large windows: at n = 1,024 RA makes almost 50 times fewer calls. Calls do not show why it is "
        "slower on small windows.",
        lambda found: found[ISS.name][1024] > 40 * found[RA.name][1024],
        partial(_count, (RA, ISS), SIZES, calls_a_round),
    ),
    Figure(
        "2015 Figure 8",
        "Tumbling windows, m = n",
        "window size n, tuples",
        "combine calls a firing",
        "RA performs essentially no worse than the non-incremental algorithm where nothing can be reused.",
        "Confirmed: both make about n calls.",
        lambda found: all(0.5 <= found[RA.name][n] / found[ISS.name][n] <= 1.5 for n in SIZES[2:]),
        partial(_count, (RA, ISS), SIZES, _tumble),
    ),
    Figure(
        "2015 Figure 11",
        "Reactive against B-Int, m = 1",
        "window size n, tuples",
        "combine calls a tuple",
        "Both have comparable complexity, with RA faster by a constant factor.",
        "Comparable complexity is confirmed, the factor is not: B-Int makes half as many calls, because its insert "
        "needs one on average. This result depends on our reconstruction of B-Int. The paper's factor may come from "
        "RA's flat array, which does not affect calls.",
        lambda found: all(0.25 < found[AW.name][n] / found[RA.name][n] < 4 for n in SIZES[2:]),
        partial(_count, (RA, AW), SIZES, calls_a_round),
    ),
    Figure(
        "2015 Figure 12",
        "Space",
        "window size n, tuples",
        "partial aggregates stored",
        "RA requires O(n) space, and the constant is small.",
        "Partial aggregates are counted; the paper shows the bytes of a process. RA has 2n - 1 places if the "
        "capacity is n, and more after shrinking (RA-11); evaluation from scratch has n.",
        lambda found: all(found[RA.name][n] == 2 * n - 1 and found[ISS.name][n] == n for n in SIZES),
        partial(_count, (RA, ISS), SIZES, _store),
    ),
)
NOT_COUNTED: Final[dict[str, str]] = {
    "2021 Figure 12": "needs the data set of the DEBS 2012 Grand Challenge, which we do not have.",
    "2015 Table 3": "break-even points of two programs, which depend on time. RA makes fewer combine calls from n = 8 "
    "on (2015 Figure 6).",
    "2015 Table 4": "ratios of two programs' times; the combine calls of both are in 2015 Figure 11.",
}
"""Figures and tables that are not counted, with the reasons."""
COUNTED_BY: Final[dict[str, str]] = {
    "2015 Figure 7": "reactive-aggregator/fine",
    "2015 Figure 9": "reactive-aggregator/oscillating",
    "2015 Figure 10": "reactive-aggregator/coarse",
    "2005 Figure 3": "sharing/ratio-uniform",
    "2005 Figure 4": "sharing/queries-uniform",
    "2005 Figure 5": "sharing/ratio-skewed",
    "2005 Figure 6": "sharing/queries-skewed",
    "2005 Figure 9": "sharing/queries-uniform",
    "2005 Figure 10": "sharing/queries-skewed",
}
"""Figures that an experiment of `swagproof cost` counts together with a bound, with the experiment's id."""


def find_figure(name: str) -> Figure:
    """Return the figure with this name, ignoring case.  The KeyError lists the names, or says why it is not counted."""
    found = {figure.name.lower(): figure for figure in FIGURES}
    if name.lower() not in found:
        elsewhere = {each.lower(): f"{each} {why}" for each, why in NOT_COUNTED.items()}
        elsewhere |= {each.lower(): f"{each}: run `swagproof cost {id}`" for each, id in COUNTED_BY.items()}
        known = ", ".join(figure.name for figure in FIGURES)
        raise KeyError(elsewhere.get(name.lower(), f"no figure {name!r}: {known}"))
    return found[name.lower()]


def agrees(figure: Figure, points: Sequence[Point]) -> bool:
    """Return whether the points agree with the figure's entry."""
    return figure.holds(series(points))
