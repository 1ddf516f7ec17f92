"""What is said of the text of *Aggregate Sharing in Stream Databases* (2005), section 3: TimeGram."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from typing import Any, Final

from swagproof.contracts.sharing import timegram as bounds
from swagproof.proofs.errata.erratum import Entry, Erratum, Form, Reading, Withdrawn, against
from swagproof.proofs.ledger.claim import SHARING
from swagproof.proofs.ledger.variants import Variant, wrong
from swagproof.proofs.sharing.savings import CountedTimeGram, fill, touched, uniform
from swagproof.proofs.sharing.timegram import DIVIDES_BY_ALL
from swagproof.reference.catalogue import TIMEGRAM
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
            said = f"bucket {number}, [{left}, {right}], is {right - left}, and so are answers for max in it"
            yield f"[-10, 10] in 5 buckets: each 4 wide, but {said}"


def _uniform() -> Iterator[str]:
    """What step c) says, of TimeGrams over several ranges."""
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


AS_IN_THE_EXAMPLE: Final = wrong(
    "the example's tuples are in the buckets that it prints",
    (
        "bucket_of",
        "return (value - self.low) // self.width",
        f"return {dict(zip(STREAM, (place - 1 for place in PRINTED_PLACES), strict=True))}[value]",
    ),
    (
        "boundaries",
        "return self.low + index * self.width, self.low + (index + 1) * self.width",
        f"return {PRINTED_BUCKETS}[index]",
    ),
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


OF_THE_LARGEST: Final = wrong(
    "divides by the size of the window asked for", ("avg", "count = self.count(window)", "count = window")
)


def _average(variant: Variant | None) -> Iterator[str]:
    """Over several ranges, numbers of buckets and sets of windows: every stream up to a length."""
    made = TimeGram if variant is None else variant.of(TimeGram)
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
        return
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


def _falls(fewer: bool) -> Iterator[str]:
    """Whether what a tuple costs falls as lookups become fewer, or more."""
    costs = {ratio: touched(CountedTimeGram(), uniform(400), (16, 32), ratio) for ratio in (1, 2, 4, 8)}
    for often, seldom in pairwise(costs):
        if (costs[seldom] < costs[often]) != fewer:
            yield (
                f"windows of 16 and 32: {costs[often]:.1f} buckets inspected a tuple with a lookup every {often}, "
                f"{costs[seldom]:.1f} with one every {seldom}"
            )


erratum: Final = partial(Erratum, paper=SHARING)
reading: Final = partial(Reading, paper=SHARING)
withdrawn: Final = partial(Withdrawn, paper=SHARING)

ENTRIES: Final[tuple[Entry, ...]] = (
    erratum(
        id="TG-1",
        place="section 3.2.4, the buckets",
        quotes=("Bucket 3: [-2, 4] Bucket 4: [4, 6] Bucket 5: [6, 10]",),
        printed="In the example, [-10, 10] divided into 5 buckets is [-10, -6], [-6, -2], [-2, 4], [4, 6], [6, 10].",
        holds="Divided uniformly, as step c) says, it is [-10, -6], [-6, -2], [-2, 2], [2, 6], [6, 10]: no answer for "
        "max is wider than 4.",
        searches=(partial(_not_uniform, PRINTED_BUCKETS), _uniform),
        wrong={"4 wide from the middle out": partial(_not_uniform, ((-10, -6), (-6, -2), (-2, 2), (2, 6), (6, 12)))},
        forms=(
            Form(
                TIMEGRAM,
                None,
                (("register", 1), ("insert", 3), ("max", 1)),
                "3 is in [2, 6], 4 wide as all are; the printed bucket that has it, [-2, 4], is 6 wide",
                {"low": -10},
            ),
        ),
    ),
    erratum(
        id="TG-2",
        place="section 3.2.4, T5 arrives",
        quotes=("T5's A attribute = 2 → put the timestamp 5 in Bucket 4", "Bucket 4: [4, 6]"),
        printed="T5 = 2 is put in bucket 4, [4, 6].",
        holds="With uniform buckets T1 = 3 and T5 = 2 belong to bucket 4, [2, 6]; with those printed, both to bucket "
        "3. No buckets in the order of values have 3 below 2, as printed.",
        searches=(partial(_misplaced, PRINTED_PLACES, PRINTED_BUCKETS), _placed_otherwise),
        wrong={"T1 in bucket 3 of uniform ones": partial(_misplaced, PRINTED_PLACES, UNIFORM_BUCKETS)},
        forms=(
            Form(
                TIMEGRAM,
                AS_IN_THE_EXAMPLE,
                (("register", 1), *(("insert", value) for value in STREAM[:5]), ("max", 1)),
                options={"low": -10},
            ),
        ),
    ),
    erratum(
        id="TG-4",
        place="section 3.2.3, e)",
        quotes=("just divide the answer for Sum by the total number of timestamps in the timegram data structure",),
        printed="The average's bounds are the sum's divided by the total number of timestamps in the timegram.",
        holds="They are the sum's divided by the number of timestamps in the window, which are fewer, unless it is the "
        "largest, or all tuples so far are in it.",
        searches=against(_average, DIVIDES_BY_ALL, None),
        wrong={"by the window's size, full or not": partial(_average, OF_THE_LARGEST)},
        forms=(
            Form(
                TIMEGRAM,
                DIVIDES_BY_ALL,
                (("register", 1), ("register", 2), ("insert", 0), ("insert", 9), ("avg", 1)),
            ),
        ),
    ),
    reading(
        id="TG-3",
        place="section 3.2.2, c) and d), and the example's closed buckets",
        quotes=("its timestamp is put into an appropriate bucket",),
        gap="Which bucket a value on a boundary has: two contain it.",
        taken="The bucket above it, and R the last: then every value has one. Answers are right either way.",
        otherwise="In either one as it comes, a value could have two.",
        search=_one_bucket,
        others={"any that contains it": _two_buckets},
    ),
    reading(
        id="TG-5",
        place="sections 3.2.5 and 4",
        quotes=("O(1) lookup cost (if using efficient data structures for buckets)",),
        gap="In what a lookup is constant.",
        taken="In the windows and the stream: the number of buckets, which the user chooses, is a constant. Max and "
        "min inspect at most those that are not empty; sum, average and count all of those. How many timestamps of "
        "one bucket belong to a window, the reference finds by binary search.",
        otherwise="It is not constant in the number of buckets.",
        search=_lookup_within_buckets,
        others={"in the number of buckets, too": _constant_lookup},
    ),
    reading(
        id="TG-6",
        place="sections 4 and 5.4",
        quotes=("we can change bucket width to get more/less answer precision",),
        gap="When the width can be changed.",
        taken="When a TimeGram is built; and later, buckets can be made wider by a whole factor.",
        otherwise="Buckets that hold timestamps cannot be made narrower, as the values are not kept.",
        search=_wider,
        others={"at any time, narrower too": _narrower},
    ),
    reading(
        id="TG-7",
        place="section 3.2.2, b) and c)",
        quotes=("Uniformly divide [L, R] into K buckets",),
        gap="What is divided where all values of the largest window are equal.",
        taken="A range that is given, with L < R.",
        otherwise="Buckets of width 0, of which no value has one.",
        search=_refused_or_right,
        others={"[L, L]": _no_width},
    ),
    reading(
        id="TG-8",
        place="section 3.2.1, key point 4; section 3.2.3, c) to e)",
        quotes=("the boundary values of a bucket in which the exact answer resides", "c) Count: if the query is on"),
        gap="For which aggregates an answer is a bucket's boundaries.",
        taken="For max and min. The steps for the others give a number, and bounds that need not be a bucket's.",
        otherwise="For the sum of the example they are none.",
        search=partial(_in_a_bucket, "max", "min"),
        others={"sum, too": partial(_in_a_bucket, "max", "min", "sum")},
    ),
    reading(
        id="TG-9",
        place="section 3.2.2, b) and d)",
        quotes=(
            "Find the value range for A (aggregate attribute) in the largest window",
            "Observe the aggregate attribute value range is [-10, 10]",
        ),
        gap="Whether the range is that of tuples at hand, or given beforehand, as in the example, whose tuples end at "
        "7; and where a value goes that arrives later and is outside that range.",
        taken="It is given. The grid goes on beyond it, with buckets of the same width.",
        otherwise="Of the K buckets it has none.",
        search=_always_a_bucket,
        others={"one of the K": _without_bucket},
    ),
    reading(
        id="TG-11",
        place="section 5.3; section 5.1",
        quotes=(
            "a better response time, which is inversely proportional to the lookup frequency",
            "the response time gradually decreases as lookup becomes more sporadic",
        ),
        gap="What is inversely proportional to the frequency of lookups.",
        taken="How much better it is: response time falls as lookups become fewer, as section 5.1 says.",
        otherwise="Of the response time itself, it would fall as lookups become more.",
        search=partial(_falls, True),
        others={"the response time": partial(_falls, False)},
    ),
    withdrawn(
        id="TG-10",
        place="section 5.3",
        accused="The amount inspected is the same on skewed data: it depends on the placement.",
        reason="The sentence tells what was measured on two streams; of any placement it says nothing.",
    ),
)
