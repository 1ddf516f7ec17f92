"""Searches for the errata and readings of *Aggregate Sharing in Stream Databases* (2005), section 3: TimeGram."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from typing import Any, Final

from swagproof.contracts.sharing import timegram as bounds
from swagproof.proofs.errata.erratum import Searches
from swagproof.proofs.ledger.mutants import Mutant, algorithm_of, mutants_of
from swagproof.proofs.sharing.lookups import CountedTimeGram
from swagproof.proofs.sharing.savings import ALGORITHMS, fill, touched, uniform
from swagproof.proofs.sharing.timegram import WRONG
from swagproof.reference.catalogue import TIMEGRAM
from swagproof.reference.sharing.timegram import TimeGram

# TimeGram's example (section 3.2.4)

STREAM: Final = (3, -10, -9, 5, 2, 7, -3)
"""Attribute A of T1 ... T7."""
PRINTED_BUCKETS: Final = ((-10, -6), (-6, -2), (-2, 4), (4, 6), (6, 10))
UNIFORM_BUCKETS: Final = ((-10, -6), (-6, -2), (-2, 2), (2, 6), (6, 10))
PRINTED_PLACES: Final = (3, 1, 1, 4, 4, 5, 2)
"""The buckets of T1 ... T7, numbered from 1."""
PLACES: Final = (4, 1, 1, 4, 4, 5, 2)


def example(values: Sequence[int] = ()) -> Any:
    """Return the example's TimeGram, with windows of 4, 3, 2 and 1."""
    return fill(TimeGram(-10, 10, buckets=5), (4, 3, 2, 1), values)


def _not_uniform(buckets: Sequence[tuple[int, int]]) -> Iterator[str]:
    for number, (left, right) in enumerate(buckets, 1):
        if right - left != 4:
            said = f"bucket {number}, [{left}, {right}], is {right - left}, and so are answers for max in it"
            yield f"[-10, 10] in 5 buckets: each 4 wide, but {said}"


def _uniform() -> Iterator[str]:
    """Search for a TimeGram, over several ranges, whose buckets are not uniform as step c) states."""
    yield from _not_uniform(UNIFORM_BUCKETS)
    for low, high, buckets in product((-10, 0, 3), (4, 10, 11), (1, 3, 5)):
        gram = TimeGram(low, high, buckets)
        edges = [Fraction(low), *(gram.boundaries(index)[1] for index in range(buckets))]
        for left, right in pairwise(edges):
            if right - left != Fraction(high - low, buckets) or edges[-1] != high:
                yield f"[{low}, {high}] in {buckets} buckets: boundaries {', '.join(map(str, edges))}"


def _misplaced(places: Sequence[int], buckets: Sequence[tuple[int, int]]) -> Iterator[str]:
    for number, (value, place) in enumerate(zip(STREAM, places, strict=True), 1):
        left, right = buckets[place - 1]
        if not left <= value <= right:
            yield (
                f"T{number} = {value} in bucket {place}, [{left}, {right}]: after T{number} Max over 1 row answers "
                f"[{left}, {right}], the exact answer is {value}"
            )


def _placed_otherwise() -> Iterator[str]:
    gram = example()
    for number, (value, place) in enumerate(zip(STREAM, PLACES, strict=True), 1):
        index = gram.bucket_of(value)
        if index + 1 != place or tuple(map(int, gram.boundaries(index))) != UNIFORM_BUCKETS[place - 1]:
            yield f"T{number} = {value} in bucket {index + 1}"
    yield from _misplaced(PLACES, UNIFORM_BUCKETS)


def streams(longest: int, values: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield all streams of these values, shortest first."""
    for length in range(1, longest + 1):
        yield from product(values, repeat=length)


ERRATA: Final = mutants_of("timegram", "errata")


def _average(mutant: Mutant | None) -> Iterator[str]:
    """Search for a wrong average, over several ranges, numbers of buckets, sets of windows and short streams."""
    made = algorithm_of(TIMEGRAM, mutant)
    for buckets, sizes, values in product((2, 1, 4), ((1, 2), (1, 2, 3), (3,)), ((0, 1, 2, 3), (0, 2, 4, 6))):
        for stream in streams(4, values):
            gram = fill(made(0, 4, buckets), sizes, stream)
            for size in sizes:
                answer, window = gram.avg(size), stream[-size:]
                if not bounds.avg_contains(answer, list(window)):
                    yield (
                        f"[0, 4] in {buckets} buckets, windows of {', '.join(map(str, sizes))}: "
                        f"{', '.join(f'insert {value}' for value in stream)}: the average over {size} is in "
                        f"[{answer[0]}, {answer[1]}], exactly {Fraction(sum(window), len(window))}"
                    )


def _inspect(buckets: int, values: Iterable[int]) -> tuple[int, int]:
    """Return the buckets inspected by a Max over 1 row, and the non-empty ones, for [0, K] in K buckets."""
    gram = fill(CountedTimeGram(0, buckets, buckets), (1, buckets), values)
    gram.touched = 0
    gram.max(1)
    return gram.touched, len(gram.buckets)


def _constant_lookup() -> Iterator[str]:
    counts = {buckets: _inspect(buckets, reversed(range(buckets)))[0] for buckets in (1, 2, 4, 8, 16)}
    if len(set(counts.values())) > 1:
        said = ", ".join(f"{count} for K = {buckets}" for buckets, count in counts.items())
        yield f"insert K-1, ..., 1, 0 over [0, K], Max over 1 row inspects: {said}"


def _lookup_within_buckets() -> Iterator[str]:
    for buckets in range(1, 17):
        inspected, kept = _inspect(buckets, reversed(range(buckets)))
        if inspected > kept:
            yield f"{inspected} inspected of {kept}"


def _state(gram: TimeGram) -> Any:
    return [(bucket.index, list(bucket.timestamps)) for bucket in gram.buckets], gram.now


def _narrower() -> Iterator[str]:
    """Search for two streams that leave the same TimeGram, with values that share no narrower bucket."""
    zero, one = (fill(TimeGram(0, 4, 2), (1,), (value,)) for value in (0, 1))
    fine = TimeGram(0, 4, 4)
    if _state(zero) == _state(one) and fine.bucket_of(0) != fine.bucket_of(1):
        yield (
            "[0, 4] in 2 buckets: insert 0 and insert 1 leave the same buckets; with 4 buckets they belong to [0, 1] "
            "and [1, 2], and nothing tells which"
        )


def _wider() -> Iterator[str]:
    for stream, times in product(streams(3, (-1, 0, 1, 3, 4)), (1, 2, 3)):
        gram = fill(TimeGram(0, 4, 4), (2,), stream)
        gram.widen(times)
        window = list(stream[-2:])
        if not (bounds.max_contains(gram.max(2), window) and bounds.sum_contains(gram.sum(2), window)):
            yield f"{stream}, {times} times as wide"


def _in_a_bucket(*lookups: str) -> Iterator[str]:
    gram = example(STREAM)
    for name, size in product(lookups, (4, 3, 2)):
        answer = getattr(gram, name)(size)
        if answer not in UNIFORM_BUCKETS:
            said = f"[{answer[0]}, {answer[1]}]" if isinstance(answer, tuple) else answer
            yield f"the example's stream: {name.capitalize()} over {size} rows is {said}, no bucket's boundaries"


def _falls(fewer: bool) -> Iterator[str]:
    """Search for lookup rates at which the cost per tuple does not fall as lookups become rarer (or more frequent)."""
    costs = {ratio: touched(ALGORITHMS["TimeGram"](), uniform(400), (16, 32), ratio) for ratio in (1, 2, 4, 8)}
    for often, seldom in pairwise(costs):
        if (costs[seldom] < costs[often]) != fewer:
            yield (
                f"windows of 16 and 32: {costs[often]:.1f} buckets inspected a tuple with a lookup every {often}, "
                f"{costs[seldom]:.1f} with one every {seldom}"
            )


SEARCHES: Final = {
    "TG-1": Searches(
        printed=partial(_not_uniform, PRINTED_BUCKETS),
        holds=_uniform,
        wrong={"4 wide from the middle out": partial(_not_uniform, ((-10, -6), (-6, -2), (-2, 2), (2, 6), (6, 12)))},
    ),
    "TG-2": Searches(
        printed=partial(_misplaced, PRINTED_PLACES, PRINTED_BUCKETS),
        holds=_placed_otherwise,
        wrong={"T1 in bucket 3 of uniform ones": partial(_misplaced, PRINTED_PLACES, UNIFORM_BUCKETS)},
    ),
    "TG-4": Searches(
        printed=partial(_average, WRONG.get("the average is divided by all timestamps held")),
        holds=partial(_average, None),
        wrong={
            "by the window's size, full or not": partial(
                _average, ERRATA["divides by the size of the window asked for"]
            )
        },
    ),
    "TG-5": Searches(holds=_lookup_within_buckets, wrong={"in the number of buckets, too": _constant_lookup}),
    "TG-6": Searches(holds=_wider, wrong={"at any time, narrower too": _narrower}),
    "TG-8": Searches(
        holds=partial(_in_a_bucket, "max", "min"), wrong={"sum, too": partial(_in_a_bucket, "max", "min", "sum")}
    ),
    "TG-11": Searches(holds=partial(_falls, True), wrong={"the response time": partial(_falls, False)}),
}
