"""Savings by sharing, counted: the experiments of sections 5 and 6.5 without a clock.

The count is of the stored items that an algorithm reads: for the naive algorithm its combine calls, one for each tuple
of each queue; for TimeGram the inspected buckets, one at an insert; for OrderedSharing the visited tree nodes and the
scanned tuples.  Counts have no noise and are the same on every machine.

The paper does not state its queries' windows.  Here the i-th of q queries has a window of 16 i tuples.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Final

from swagproof.models.containers.search_tree import highest
from swagproof.models.monoid import Counting
from swagproof.models.operations import MAX
from swagproof.proofs.costs.curves import Experiment, Point, series, within
from swagproof.proofs.ledger.claim import SHARING, Claim, Outcome, cite
from swagproof.proofs.ledger.mutants import Mutant, wrong
from swagproof.proofs.sharing.lookups import CountedTimeGram
from swagproof.reference.sharing.ordered_sharing import OrderedSharing, Window
from swagproof.reference.sharing.stream_sharing import NaiveStream

SEED: Final = 2005
TUPLES: Final = 500
QUERIES: Final = 8
"""The most queries that the paper's STREAM could register."""
LARGEST: Final = 16
"""The size of the first query's window; the i-th is i times as large."""
RANGE: Final = (-1000, 1000)
BUCKETS: Final = 20


class CountedStream(NaiveStream[Any]):
    """The naive algorithm, with its combine calls as `touched`."""

    def __init__(self) -> None:
        super().__init__(Counting(MAX))

    @property
    def touched(self) -> int:
        """The number of tuples scanned so far."""
        return int(self.monoid.calls)  # type: ignore[attr-defined]  # it is Counting


class CountedOrderedSharing(OrderedSharing[Any]):
    """OrderedSharing, with tree nodes and tuples as `touched`."""

    def __init__(self) -> None:
        super().__init__()
        self.scanned = self.recalculations = 0

    def recalculate(self, w: Window[Any]) -> list[Window[Any]]:
        """Count the scanned tuples."""
        self.scanned += min(w.size, len(self.tuples))
        self.recalculations += 1
        return super().recalculate(w)

    @property
    def touched(self) -> int:
        """The number of tree nodes visited and tuples scanned so far."""
        return self.tree.visits + self.scanned


ALGORITHMS: Final[dict[str, Callable[[], Any]]] = {
    "naive STREAM": CountedStream,
    "TimeGram": partial(CountedTimeGram, *RANGE, BUCKETS),
    "OrderedSharing": CountedOrderedSharing,
}


def uniform(tuples: int = TUPLES, seed: int = SEED) -> list[int]:
    """Return seeded values, uniform over the range."""
    chance = random.Random(seed)
    return [chance.randint(*RANGE) for _ in range(tuples)]


def skewed(tuples: int = TUPLES, seed: int = SEED) -> list[int]:
    """Return seeded values of a normal distribution, most of them between -20 and 20 (section 5.3)."""
    chance = random.Random(seed)
    return [round(chance.gauss(0, 10)) for _ in range(tuples)]


def sizes_of(queries: int) -> list[int]:
    """Return the windows of this number of queries."""
    return [LARGEST * number for number in range(1, queries + 1)]


def fill(shared: Any, sizes: Sequence[int], values: Iterable[Any]) -> Any:
    """Register windows of these sizes with an algorithm, and insert these values."""
    for size in sizes:
        shared.register(size)
    for value in values:
        shared.insert(value)
    return shared


def touched(shared: Any, values: Sequence[Any], sizes: Sequence[int], ratio: int) -> float:
    """Return the items read per tuple, with all windows looked up after every `ratio` tuples, the largest first."""
    fill(shared, sizes, ())
    for number, value in enumerate(values, 1):
        shared.insert(value)
        if number % ratio == 0:
            for size in reversed(sizes):
                shared.lookup(size)
    return float(shared.touched) / len(values)


def most(name: str, sizes: Sequence[int], ratio: int, values: Sequence[int]) -> float:
    """Return the bound of the contracts per tuple."""
    if name == "naive STREAM":
        return sum(sizes)
    if name == "TimeGram":
        outside = len({value for value in values if not RANGE[0] <= value <= RANGE[1]})
        return 2 + len(sizes) * (BUCKETS + outside) / ratio
    h = highest(len(sizes))
    lookups = sum(2 * h + 3 * h * number + size for number, size in enumerate(sizes, 1))
    return 3 * h + lookups / ratio


Makers = Mapping[str, Callable[[], Any]]


def by_ratio(values: Sequence[int], ratios: Sequence[int], makers: Makers = ALGORITHMS) -> Iterator[Point]:
    """Yield the counts for eight queries, looked up after each of these numbers of tuples."""
    sizes = sizes_of(QUERIES)
    for name, make in makers.items():
        for ratio in ratios:
            yield Point(name, ratio, touched(make(), values, sizes, ratio), most(name, sizes, ratio, values))


def by_queries(values: Sequence[int], numbers: Sequence[int], makers: Makers = ALGORITHMS) -> Iterator[Point]:
    """Yield the items read per answer, for these numbers of queries, looked up after every tuple."""
    for name, make in makers.items():
        for number in numbers:
            sizes = sizes_of(number)
            counted = touched(make(), values, sizes, 1)
            yield Point(name, number, counted / number, most(name, sizes, 1, values) / number)


RATIOS: Final = (1, 4, 16, 64)
NUMBERS: Final = (1, 2, 4, QUERIES)
STREAMS: Final = {"uniform": uniform, "skewed": skewed}

EXPERIMENTS: Final = (
    *(
        Experiment(
            f"sharing/ratio-{kind}",
            f"Items looked at against the update:lookup ratio, {QUERIES} queries, {kind} values",
            f"{SHARING}, {figure}",
            "tuples between lookups",
            "stored items a tuple",
            lambda xs, stream=stream: by_ratio(stream(), xs),  # type: ignore[misc]  # mypy does not type a default
            RATIOS,
        )
        for (kind, stream), figure in zip(STREAMS.items(), ("Figure 3", "Figure 5"), strict=True)
    ),
    *(
        Experiment(
            f"sharing/queries-{kind}",
            f"Items looked at against the number of queries, all looked up after every tuple, {kind} values",
            f"{SHARING}, {figures}",
            "queries",
            "stored items an answer",
            lambda xs, stream=stream: by_queries(stream(), xs),  # type: ignore[misc]  # mypy does not type a default
            NUMBERS,
        )
        for (kind, stream), figures in zip(STREAMS.items(), ("Figures 4 and 9", "Figures 6 and 10"), strict=True)
    ),
)

NEVER_VALID: Final = wrong(
    "no answer is ever valid", ("within", "return self.currentTime - holder.ts < size", "return False")
)
"""A mutant of OrderedSharing that recalculates every answer; the claims must reject it."""


def _makers(mutant: Mutant | None) -> Makers:
    return {**ALGORITHMS, "OrderedSharing": mutant.of(CountedOrderedSharing)} if mutant else ALGORITHMS


def _compare(mutant: Mutant | None = None) -> Outcome:
    """Compare costs by the update:lookup ratio and by the number of queries, on both streams."""
    makers, said = _makers(mutant), list[str]()
    for kind, stream in STREAMS.items():
        points, more = list(by_ratio(stream(), RATIOS, makers)), list(by_queries(stream(), NUMBERS, makers))
        if not within([*points, *more]):
            return Outcome("fails", f"{kind}: more than the contracts allow")
        found = series(points)
        naive = found.pop("naive STREAM")
        if len(set(naive.values())) > 1:
            return Outcome("fails", f"{kind}: the naive algorithm's cost depends on the ratio: {naive}")
        for name, counts in found.items():
            if not all(counts[a] > counts[b] for a, b in pairwise(RATIOS)):
                return Outcome("fails", f"{kind}: {name} does not fall with the ratio: {counts}")
            if counts[1] >= naive[1]:
                return Outcome("fails", f"{kind}: {name} looks at {counts[1]:g} items a tuple, naive at {naive[1]:g}")
        for name, counts in series(more).items():
            growth = counts[QUERIES] / counts[2]
            if (growth < 2) != (name != "naive STREAM"):
                return Outcome("fails", f"{kind}: from 2 to 8 queries, {name} grows {growth:.2f}-fold an answer")
            said.append(f"{kind}: {name} {growth:.2g}-fold")
    return Outcome("holds", "items an answer from 2 to 8 queries, " + "; ".join(said))


CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        id="aggregate-sharing/cost",
        statement="The naive algorithm costs the same whatever the update:lookup ratio; TimeGram and OrderedSharing "
        "cost less, and the less the fewer lookups there are. From 2 to 8 queries an answer costs the naive algorithm "
        "more than twice as much, TimeGram and OrderedSharing about the same. None costs more than its contract "
        "allows.",
        source=cite(
            SHARING,
            "Figure 3",
            "Figure 4",
            "Figure 5",
            "Figure 6",
            "Figure 9",
            "Figure 10",
            compared="weaker: steps are counted, where the figures have seconds",
        ),
        algorithm="aggregate sharing",
        kind="sampled",
        engine="counting",
        scope=f"seed {SEED}: {TUPLES} uniform and {TUPLES} skewed values, up to {QUERIES} windows of {LARGEST} to "
        f"{LARGEST * QUERIES} tuples",
        code="reference: stream_sharing, timegram, ordered_sharing",
        check=_compare,
        controls=(NEVER_VALID,),
        not_covered="seconds",
    ),
)
