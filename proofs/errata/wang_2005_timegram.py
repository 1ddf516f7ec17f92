"""The errata of *Aggregate Sharing in Stream Databases* (2005), section 3: TimeGram."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, Final

from swagproof.contracts.sharing import timegram as bounds
from swagproof.proofs.errata.erratum import Entry, Erratum, against
from swagproof.proofs.ledger.claim import SHARING
from swagproof.proofs.ledger.variants import Variant
from swagproof.proofs.sharing.savings import CountedTimeGram, fill
from swagproof.proofs.sharing.timegram import DIVIDES_BY_ALL
from swagproof.reference.sharing.timegram import TimeGram

# TimeGram's example (section 3.2.4)

STREAM: Final = (3, -10, -9, 5, 2, 7, -3)
"""Attribute A of T1 ... T7."""
PRINTED_BUCKETS: Final = ((-10, -6), (-6, -2), (-2, 4), (4, 6), (6, 10))
UNIFORM_BUCKETS: Final = ((-10, -6), (-6, -2), (-2, 2), (2, 6), (6, 10))
PRINTED_PLACES: Final = (3, 1, 1, 4, 4, 5, 2)
"""The bucket of T1 ... T7, from 1."""
PLACES: Final = (4, 1, 1, 4, 4, 5, 2)


def example(values: Sequence[int] = ()) -> Any:
    """The example's TimeGram, with windows of 4, 3, 2 and 1."""
    return fill(TimeGram(-10, 10, buckets=5), (4, 3, 2, 1), values)


def _not_uniform(buckets: Sequence[tuple[int, int]]) -> Iterator[str]:
    for number, (left, right) in enumerate(buckets, 1):
        if right - left != 4:
            yield f"[-10, 10] in 5 buckets: each 4 wide, but bucket {number}, [{left}, {right}], is {right - left}"


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


def _two_buckets() -> Iterator[str]:
    for value in range(-10, 11):
        containing = [list(bucket) for bucket in PRINTED_BUCKETS if bucket[0] <= value <= bucket[1]]
        if len(containing) > 1:
            yield f"{value} is in {' and in '.join(map(str, containing))}"


def _one_bucket() -> Iterator[str]:
    gram = example()
    for value in [Fraction(n, 2) for n in range(-20, 21)]:
        index = gram.bucket_of(value)
        left, right = gram.boundaries(index)
        if not (0 <= index < 5 and left <= value and (value < right or value == 10 == right)):
            yield f"{value} in bucket {index + 1}"


def streams(longest: int, values: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All streams of these values, shortest first."""
    for length in range(1, longest + 1):
        yield from product(values, repeat=length)


def _average(variant: Variant | None) -> Iterator[str]:
    for stream in streams(3, (0, 1, 2, 3)):
        gram = fill((TimeGram if variant is None else variant.of(TimeGram))(0, 4, 2), (1, 2), stream)
        answer, exact = gram.avg(1), stream[-1]
        if not bounds.contains(answer, exact):
            said = ", ".join(f"insert {value}" for value in stream)
            yield (
                f"[0, 4] in 2 buckets, windows of 1 and 2: {said}: the average of the newest is in "
                f"[{answer[0]}, {answer[1]}], exactly {exact}"
            )


def _inspect(buckets: int, values: Iterable[int]) -> tuple[int, int]:
    """Buckets inspected by a Max over 1 row of [0, K] in K buckets after these values; and those not empty."""
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
    """Two streams that leave the same TimeGram, and values that no narrower bucket has both."""
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


def _no_width() -> Iterator[str]:
    stream = (5, 5, 5)
    width = Fraction(max(stream) - min(stream), 5)
    try:
        divmod(stream[0] - min(stream), width)
    except ZeroDivisionError:
        yield f"stream {stream}: [L, R] = [5, 5], and 5 buckets are 0 wide: no bucket can be computed for 5"


def _refused_or_right() -> Iterator[str]:
    try:
        TimeGram(5, 5, 5)
        yield "TimeGram(5, 5, 5) is not refused"
    except ValueError:
        gram = fill(TimeGram(5, 6, 5), (3,), (5, 5, 5))
    if not bounds.max_contains(gram.max(3), [5, 5, 5]):
        yield f"Max answers {gram.max(3)}"


def _in_a_bucket(*lookups: str) -> Iterator[str]:
    gram = example(STREAM)
    for name, size in product(lookups, (4, 3, 2)):
        answer = getattr(gram, name)(size)
        if answer not in UNIFORM_BUCKETS:
            said = f"[{answer[0]}, {answer[1]}]" if isinstance(answer, tuple) else answer
            yield f"the example's stream: {name.capitalize()} over {size} rows is {said}, no bucket's boundaries"


def _without_bucket() -> Iterator[str]:
    for value in (*STREAM, 11):
        if not any(left <= value <= right for left, right in UNIFORM_BUCKETS):
            yield f"[-10, 10] from the tuples at hand, and then {value} arrives: in none of the 5 buckets"


def _always_a_bucket() -> Iterator[str]:
    gram = example()
    for value in range(-40, 41):
        left, right = gram.boundaries(gram.bucket_of(value))
        if not (left <= value <= right and right - left == 4):
            yield f"{value} in [{left}, {right}]"


def _placement() -> Iterator[str]:
    counts = {str(stream)[1:-1]: _inspect(4, stream)[0] for stream in ((3, 2, 1, 0), (0, 0, 0, 0))}
    if len(set(counts.values())) > 1:
        yield (
            "[0, 4] in 4 buckets, Max over 1 row: " + ", ".join(f"{n} inspected after {s}" for s, n in counts.items())
        )


def _placement_bounded() -> Iterator[str]:
    for stream in streams(4, (0, 1, 2, 3)):
        inspected, kept = _inspect(4, stream)
        if inspected > kept:
            yield f"{stream}: {inspected} inspected of {kept}"


erratum: Final = partial(Erratum, paper=SHARING)

ENTRIES: Final[tuple[Entry, ...]] = (
    erratum(
        id="TG-1",
        place="section 3.2.4, the buckets",
        printed="[-10, 10] uniformly divided into 5 buckets is [-10, -6], [-6, -2], [-2, 4], [4, 6], [6, 10].",
        holds="It is [-10, -6], [-6, -2], [-2, 2], [2, 6], [6, 10].",
        searches=against(_not_uniform, PRINTED_BUCKETS, UNIFORM_BUCKETS),
    ),
    erratum(
        id="TG-2",
        place="section 3.2.4, T1 and T5 arrive",
        printed="T1 = 3 belongs to bucket 3, and T5 = 2 to bucket 4.",
        holds="T1 and T5 both belong to bucket 4, [2, 6]: no buckets in the order of values have 3 below 2.",
        searches=(partial(_misplaced, PRINTED_PLACES, PRINTED_BUCKETS), _placed_otherwise),
    ),
    erratum(
        id="TG-3",
        place="section 3.2.2, c) and d), and the example's closed buckets",
        printed="A value has one appropriate bucket.",
        holds="A value on a boundary has two; given to the bucket above it, and R to the last, every value has one.",
        searches=(_two_buckets, _one_bucket),
    ),
    erratum(
        id="TG-4",
        place="section 3.2.3, e)",
        printed="The average's bounds are the sum's divided by the number of timestamps in the timegram.",
        holds="They are the sum's divided by the number of timestamps in the window.",
        searches=against(_average, DIVIDES_BY_ALL, None),
    ),
    erratum(
        id="TG-5",
        place="sections 3.2.5 and 4",
        printed="A lookup takes constant time.",
        holds="Max and min inspect as many buckets as are not empty, at most; sum, average and count all of those.",
        searches=(_constant_lookup, _lookup_within_buckets),
    ),
    erratum(
        id="TG-6",
        place="sections 4 and 5.4",
        printed="The bucket width can be changed to get more precision, or less.",
        holds="Buckets that hold timestamps can be made wider by a whole factor; not narrower, as the values are not "
        "kept.",
        searches=(_narrower, _wider),
    ),
    erratum(
        id="TG-7",
        place="section 3.2.2, b) and c)",
        printed="The range [L, R] of the values in the largest window can be divided into K buckets.",
        holds="It can where L < R; equal values need a range that is given.",
        searches=(_no_width, _refused_or_right),
    ),
    erratum(
        id="TG-8",
        place="section 3.2.1, key point 4",
        printed="An answer is the boundaries of the bucket in which the exact answer is.",
        holds="For max and min it is; sum and average have bounds that need not be a bucket's, and count is a number.",
        searches=(partial(_in_a_bucket, "max", "min", "sum"), partial(_in_a_bucket, "max", "min")),
    ),
    erratum(
        id="TG-9",
        place="section 3.2.2, b) and d)",
        printed="A new tuple's timestamp is put into an appropriate one of the K buckets.",
        holds="A value outside the initial range has none: the grid must go on beyond it.",
        searches=(_without_bucket, _always_a_bucket),
    ),
    erratum(
        id="TG-10",
        place="section 5.3",
        printed="The amount inspected is the same on skewed data.",
        holds="It depends on the placement, and is at most the number of buckets that are not empty.",
        searches=(_placement, _placement_bounded),
    ),
)
