"""What is claimed of TimeGram, and the wrong variants that the checks must reject.

TimeGram is run over values, bounds and widths that are not known: real numbers, with integers for the buckets' numbers.
Integers and Fractions are among them.  Where its grid is looked at, numbers are written as L + x w (`Measured`).
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Final

from swagproof.contracts.sharing import timegram as contract
from swagproof.models.shared import Registry
from swagproof.proofs.engine.paths import Path, current_path, explore, formula, show
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.engine.values import Number, SymbolicBool
from swagproof.proofs.explorer.walk import find_once, first_violation, judge, refute
from swagproof.proofs.ledger.claim import SHARING, Claim, Outcome, cite, code_of
from swagproof.proofs.ledger.theorem import conclude
from swagproof.proofs.ledger.variants import Variant, WrongVariants, wrong
from swagproof.proofs.sharing.lookups import GRID, TimeGramStates, contract_that_rejects
from swagproof.reference.catalogue import TIMEGRAM
from swagproof.reference.sharing.timegram import Bucket, CheckedTimeGram, TimeGram

# As printed

WRONG: Final = WrongVariants(TIMEGRAM)
"""Each is rejected by the explorer and by a contract."""

DIVIDES_BY_ALL = WRONG.add(
    "the average is divided by all timestamps held", ("avg", "count = self.count(window)", "count = len(self.homes)")
)

# Mistakes

MAX_FROM_BELOW = WRONG.add("max starts from the first bucket", ("max", "reversed(self.buckets)", "self.buckets"))
MIN_FROM_ABOVE = WRONG.add("min starts from the last bucket", ("min", "in self.buckets", "in reversed(self.buckets)"))
MAX_OF_ALL = WRONG.add(
    "max takes any timestamp", ("max", "self.belonging(bucket, window) > 0", "len(bucket.timestamps) > 0")
)
ONE_MORE = WRONG.add("a window begins one tuple too early", ("belonging", "self.now - window", "self.now - window - 1"))
COUNTS_ALL = WRONG.add(
    "count answers all timestamps held", ("count", "== self.registry.largest", "<= self.registry.largest")
)
LEFT_TWICE = WRONG.add("both bounds of the sum are from the left", ("sum", "b + right * count", "b + left * count"))
SUMS_ALL = WRONG.add(
    "sum takes all timestamps of a bucket", ("sum", "self.belonging(bucket, window)", "len(bucket.timestamps)")
)
NEVER_REMOVES = WRONG.add(
    "timestamps are never removed", ("insert", "if len(self.homes) > self.registry.largest", "if False")
)
REMOVES_NEWEST = WRONG.add(
    "the newest timestamp of the bucket is removed", ("remove_oldest", "timestamps.popleft()", "timestamps.pop()")
)
REMOVES_LEAST = WRONG.add(
    "the oldest timestamp of the first bucket is removed",
    ("remove_oldest", "self.bucket_at(self.homes.popleft())", "self.buckets[0 if self.homes.popleft() else 0]"),
)
KEEPS_EMPTY = WRONG.add("empty buckets are kept", ("remove_oldest", "if not bucket.timestamps", "if False"))
CLAMPS = WRONG.add(
    "a value outside the range goes to the outermost bucket",
    ("bucket_of", "return (value - self.low) // self.width", "return max(0, (value - self.low) // self.width)"),
)
WIDE = WRONG.add(
    "a bucket's left boundary is its lower neighbour's",
    ("boundaries", "self.low + index * self.width,", "self.low + (index - 1) * self.width,"),
)
NARROW = WRONG.add(
    "a bucket is half as wide as the grid",
    ("boundaries", "self.low + (index + 1) * self.width", "self.low + index * self.width + self.width / 2"),
)
WIDENS_IN_PLACE = WRONG.add("widening leaves timestamps in their buckets", ("widen", "index // times", "index"))
OWN_BUCKET = wrong("R has a bucket of its own", ("bucket_of", "if value == self.high", "if False"))


SETS: Final = ((1,), (2,), (1, 2), (1, 3))


def _spaces(variant: Variant | None) -> list[TimeGramStates]:
    return [TimeGramStates(sizes, variant) for sizes in SETS]


def refuted(variant: Variant) -> str | None:
    """What the explorer finds, shortest over the first set of windows that shows it."""
    return refute(*_spaces(variant))


def violated_contract(variant: Variant) -> str | None:
    """The contract that a trace violates on the variant under contracts.  To be run with full contracts."""
    return contract_that_rejects(variant, TimeGram, CheckedTimeGram, GRID, first_violation(*_spaces(variant)))


class SymbolicReal(Number):
    """A real number that is not known: what TimeGram does with Fractions."""

    __slots__ = ()

    def __init__(self, term: Any) -> None:
        super().__init__(z3.simplify(term))

    def take(self, other: Any) -> Any:
        return _real(other)

    def __mul__(self, other: Any) -> Any:
        return other * self if isinstance(other, Measured) else super().__mul__(other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> "SymbolicReal":
        show("no division by zero", _real(other) != 0)
        return SymbolicReal(self.term / _real(other))

    def __floordiv__(self, other: Any) -> "SymbolicReal":
        """The integer q with q other <= self < (q + 1) other, for a positive divisor."""
        path = current_path()
        assert path is not None
        divisor = _real(other)
        show("a divisor is positive", divisor > 0)
        q = z3.ToReal(path.fresh("q"))
        path.assume(z3.And(q * divisor <= self.term, self.term < (q + 1) * divisor))
        return SymbolicReal(q)


class Measured:
    """`origins` L + `widths` w, for a w > 0: in these units there is every number, and what is asked of them is linear.

    Numbers of as many L are compared by their widths.  Any other comparison, and a product of two such numbers, would
    depend on L and w: TypeError.
    """

    __slots__ = ("origins", "widths")
    __hash__ = None  # type: ignore[assignment]  # equal values cannot be known to hash alike

    def __init__(self, widths: Any, origins: int = 0) -> None:
        self.widths = widths if isinstance(widths, SymbolicReal) else SymbolicReal(_real(widths))
        self.origins = origins

    def __add__(self, other: "Measured") -> "Measured":
        return Measured(self.widths + other.widths, self.origins + other.origins)

    def __sub__(self, other: "Measured") -> "Measured":
        return Measured(self.widths - other.widths, self.origins - other.origins)

    def __mul__(self, factor: "SymbolicReal | int") -> "Measured":
        self._of_like(Measured(0))
        return Measured(self.widths * factor)

    __rmul__ = __mul__

    def __truediv__(self, divisor: int) -> "Measured":
        self._of_like(Measured(0))
        return Measured(self.widths / divisor)

    def __floordiv__(self, other: "Measured") -> SymbolicReal:
        self._of_like(other)
        other._of_like(Measured(0))
        return self.widths // other.widths

    def __eq__(self, other: object) -> Any:
        return self.widths == self._of_like(other)

    def __le__(self, other: "Measured") -> SymbolicBool:
        return self.widths <= self._of_like(other)

    def __lt__(self, other: "Measured") -> SymbolicBool:
        return self.widths < self._of_like(other)

    def _of_like(self, other: object) -> SymbolicReal:
        """The other's widths."""
        if not isinstance(other, Measured) or self.origins != other.origins:
            raise TypeError("comparable by L and w only")
        return other.widths


def _real(value: Any) -> Any:
    return value.term if isinstance(value, SymbolicReal) else z3.RealVal(Fraction(value))


def _unknown(name: str) -> SymbolicReal:
    return SymbolicReal(z3.Real(name))


def _proved(run: Callable[[type[TimeGram], Path], None], variant: Variant | None = None) -> Outcome:
    algorithm = TimeGram if variant is None else variant.of(TimeGram)
    return conclude(explore(partial(run, algorithm)))


def _grid(algorithm: type[TimeGram], path: Path) -> Any:
    """A TimeGram with any L, any width, and any number of buckets between L and R."""
    gram: Any = object.__new__(algorithm)
    gram.low, gram.width = Measured(0, 1), Measured(1)
    buckets = path.fresh("K")
    path.assume(buckets >= 1)
    gram.high = gram.low + SymbolicReal(z3.ToReal(buckets)) * gram.width
    return gram


def _somewhere(name: str) -> Measured:
    """Any value: L + x w, for some real x."""
    return Measured(_unknown(name), 1)


def _any_value(algorithm: type[TimeGram], path: Path) -> None:
    """A value is within its bucket's boundaries, which are a width apart; one of [L, R] has one of the K buckets."""
    gram, value = _grid(algorithm, path), _somewhere("v")
    index = gram.bucket_of(value)
    left, right = gram.boundaries(index)
    path.show("placed", formula(lambda: left <= value <= right))
    path.show("tight", formula(lambda: contract.tight((left, right), gram.width, 1)))
    inside = formula(lambda: gram.low <= value <= gram.high)
    of_the_k = formula(lambda: index >= 0 and index * gram.width < gram.high - gram.low)
    path.show("K buckets are enough for [L, R]", z3.Implies(inside, of_the_k))


def _two_values(algorithm: type[TimeGram], path: Path) -> None:
    """Of two values the greater is in the same bucket or in one above, and buckets do not overlap."""
    gram, value, other = _grid(algorithm, path), _somewhere("v"), _somewhere("u")
    path.assume(formula(lambda: value <= other))
    lower, upper = gram.bucket_of(value), gram.bucket_of(other)
    path.show("buckets are in the order of values", lower.term <= upper.term)
    apart = lower.term < upper.term
    left, right = gram.boundaries(lower)[1], gram.boundaries(upper)[0]
    path.show("disjoint", z3.Implies(apart, formula(lambda: left <= right)))


def _one_more_tuple(buckets: int, algorithm: type[TimeGram], path: Path) -> None:
    """If the bounds contain the sum over some tuples, they do with one more tuple in any of the buckets."""
    gram: Any = object.__new__(algorithm)
    gram.low, gram.registry = _unknown("L"), Registry()
    gram.buckets = [Bucket(index, []) for index in range(buckets)]  # type: ignore[arg-type]  # never looked at
    counts = [SymbolicReal(z3.ToReal(path.fresh("count"))) for _ in range(buckets)]
    bounds = [(_unknown(f"l{i}"), _unknown(f"r{i}")) for i in range(buckets)]
    gram.registry.add(1)
    gram.belonging = lambda bucket, window: counts[bucket.index]
    gram.boundaries = lambda index: bounds[index]
    total = _unknown("sum")
    before = gram.sum(1)
    path.assume(formula(lambda: contract.contains(before, total)))
    for bucket, (left, right) in enumerate(bounds):
        value = _unknown(f"v{bucket}")
        path.assume(formula(lambda left=left, value=value, right=right: left <= value <= right))  # type: ignore[misc]  # mypy: lambda
        count = counts[bucket]
        counts[bucket] = count + 1
        after = gram.sum(1)
        counts[bucket] = count
        path.show("one more tuple", formula(lambda after=after, value=value: contract.contains(after, total + value)))  # type: ignore[misc]  # mypy: lambda


def _streams(tuples: int, sizes: Sequence[int], algorithm: type[TimeGram], path: Path) -> None:
    """All streams of that many tuples, over five buckets of width 1: all lookups of every window at the end."""
    low = _unknown("L")
    gram: Any = algorithm(low, low + 5, buckets=5)  # type: ignore[arg-type]  # symbolic
    for size in sizes:
        gram.register(size)
    values = [_unknown(f"v{number}") for number in range(1, tuples + 1)]
    for value in values:
        gram.insert(value)
    for size in sizes:
        window = values[-size:]
        for name in ("max", "min", "count", "sum", "avg"):
            answer = getattr(gram, name)(size)
            stated = getattr(contract, f"{name}_contains", contract.count_is)
            path.show(name, formula(lambda answer=answer, stated=stated, window=window: stated(answer, window)))  # type: ignore[misc]  # mypy: lambda


ENGINE: Final = "symbolic execution, Z3"
ALL: Final = "every L, width, K and value, as real numbers"

claim: Final = partial(Claim, algorithm=TIMEGRAM.name)

CLAIMS: Final[tuple[Claim, ...]] = (
    claim(
        id="timegram/placed",
        statement="Every value, also outside [L, R], is within the boundaries of its bucket, which are a width apart; "
        "the values of [L, R] have K buckets.",
        source=cite(SHARING, place="section 3.2.2, c) and d)"),
        kind="proved",
        engine=ENGINE,
        scope=ALL,
        check=partial(_proved, _any_value),
        controls=(NARROW, WIDE, OWN_BUCKET),
        code=code_of(TimeGram, "bucket_of", "boundaries"),
    ),
    claim(
        id="timegram/ordered",
        statement="Buckets are in the order of values, and do not overlap: so the first bucket from above with a "
        "tuple of W bounds the greatest value of W.",
        source=cite(SHARING, place="section 3.2.3, a) and b)"),
        kind="proved",
        engine=ENGINE,
        scope=ALL,
        check=partial(_proved, _two_values),
        controls=(WIDE,),
        code=code_of(TimeGram, "bucket_of", "boundaries"),
    ),
    claim(
        id="timegram/sum-step",
        statement="If the bounds of sum contain the exact sum over some tuples in 1 to 4 buckets, they do with one "
        "more tuple in any of these: so, by induction, for any number of tuples in them.",
        source=cite(SHARING, place="section 3.2.3, d)"),
        kind="exhaustive",
        engine=ENGINE,
        scope="1, 2, 3 and 4 buckets, each with any boundaries and count, any value, as real numbers",
        check=lambda variant=None: _all_of(
            [partial(_proved, partial(_one_more_tuple, k), variant) for k in (1, 2, 3, 4)]
        ),
        controls=(LEFT_TWICE,),
        not_covered="more buckets that are not empty",
        code=code_of(TimeGram, "sum"),
    ),
    claim(
        id="timegram/lookups",
        statement="After any stream of up to 3 tuples every answer [l, r] contains the exact one: max, min, sum and "
        "average; count is exact.",
        source=cite(SHARING, place="section 3.2.3; e) as corrected (erratum TG-4)"),
        kind="exhaustive",
        engine=ENGINE,
        scope="every L and value, real numbers in units of a bucket's width; streams of up to 3 tuples, windows of up "
        "to 3",
        check=lambda variant=None: _all_of(
            [partial(_proved, partial(_streams, n, (1, 2, 3)), variant) for n in (1, 2, 3)]
            + [partial(_proved, partial(_streams, 3, (2,)), variant)]
        ),
        controls=(DIVIDES_BY_ALL, MAX_FROM_BELOW, MIN_FROM_ABOVE, MAX_OF_ALL, ONE_MORE, SUMS_ALL, REMOVES_LEAST),
        code=code_of(TimeGram, "insert and the lookups"),
        not_covered="longer streams: of these timegram/explored has all, over eight values",
    ),
    claim(
        id="timegram/explored",
        statement="The buckets hold the timestamps of the largest window, each where its value is, also after "
        "widening; every answer contains the exact one and is as wide as said: max, min and average one bucket, sum n.",
        source=cite(SHARING, place="section 3.2"),
        kind="exhaustive",
        engine="explorer",
        scope="4 sets of windows of at most 3 tuples, two buckets of width 2, widened once at any time; all streams "
        "of any length over 8 values on, between and outside the boundaries",
        check=lambda variant=None: judge(find_once(*_spaces(variant)), (1480, 12580)),
        controls=WRONG,
        code=code_of(TimeGram),
        not_covered="other values and widths: see timegram/placed and timegram/ordered, proved of all; larger windows",
    ),
)


def _all_of(checks: Sequence[Callable[[], Outcome]]) -> Outcome:
    """The first outcome that does not hold, or all of them in one."""
    details: list[str] = []
    for check in checks:
        outcome = check()
        if outcome.verdict != "holds":
            return outcome
        details.append(outcome.detail)
    return Outcome("holds", "; ".join(details))
