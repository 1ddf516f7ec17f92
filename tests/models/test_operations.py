"""The aggregation operations are monoids, commute and invert as stated, and are right."""

import importlib
import itertools
import math
import operator
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swagproof.models.monoid import broken_law
from swagproof.models.operations import (
    AFFINE,
    ARG_MAX,
    BLOOM,
    CONCATENATION,
    GEOMETRIC_MEAN,
    MAX,
    MEAN,
    MUTABLE_COLLECT,
    OPERATIONS,
    PRIME,
    PRODUCT,
    SAMPLE_DEVIATION,
    STANDARD_DEVIATION,
    SUM,
    UNIMODULAR,
    Matrix,
    Operation,
)
from swagproof.models.sketches import COUNT_MIN, HYPER_LOG_LOG, SKETCHES

ALL: dict[str, Operation[Any, Any, Any]] = {**OPERATIONS, **SKETCHES}

exact = st.integers(-9, 9) | st.integers() | st.fractions()
small = st.integers(-3, 3)
matrices = st.tuples(small, small, small, small)
items = st.text(max_size=3) | st.integers(-(2**63), 2**63 - 1)


@st.composite
def unimodular(draw: st.DrawFn) -> Matrix:
    return reduce(
        UNIMODULAR.combine, draw(st.lists(st.sampled_from([*UNIMODULAR.samples, (0, 1, 1, 0)]))), (1, 0, 0, 1)
    )


ELEMENTS: dict[str, st.SearchStrategy[Any]] = {
    "count": items,
    "sum": exact,
    "product": exact,
    "mean": exact,
    "geometric-mean": st.integers(1, 99) | st.fractions(Fraction(1, 99)),
    "sample-standard-deviation": exact,
    "population-standard-deviation": exact,
    "min": exact,
    "max": exact,
    "min-count": small | exact,
    "max-count": small | exact,
    "arg-min": st.tuples(small, items),
    "arg-max": st.tuples(small, items),
    "m4": st.tuples(small, small),
    "first": items,
    "last": items,
    "collect": items,
    "mutable-collect": items,
    "concatenation": st.text(max_size=3),
    "affine": st.tuples(st.integers(1, PRIME - 1), st.integers()),
    "matrix": matrices,
    "unimodular-matrix": unimodular(),
    "bloom": items,
    "count-min": items,
    "hyper-log-log": items,
}


def total(operation: Operation[Any, Any, Any], window: Sequence[Any]) -> Any:
    """Return the partial aggregate of a window by definition."""
    return reduce(operation.combine, map(operation.lift, window), operation.identity)


def test_the_registry_is_complete_and_named_in_kebab_case() -> None:
    assert ELEMENTS.keys() == ALL.keys()
    for name, operation in ALL.items():
        assert operation.name == name
        assert name == name.lower().replace("_", "-").replace(" ", "-")
        assert operation.samples


@pytest.mark.parametrize("name", ALL)
def test_laws_over_the_samples(name: str) -> None:
    operation = ALL[name]
    assert broken_law(operation, map(operation.lift, operation.samples), operation.equal) is None


@pytest.mark.parametrize("name", ALL)
@pytest.mark.drawn(10)
def test_laws_over_any_elements(name: str) -> None:
    operation = ALL[name]

    @settings(max_examples=60)
    @given(st.lists(st.lists(ELEMENTS[name], max_size=4), min_size=3, max_size=3))
    def check(windows: list[list[Any]]) -> None:
        a, b, c = (total(operation, window) for window in windows)
        combine, equal = operation.combine, operation.equal
        assert equal(combine(combine(a, b), c), combine(a, combine(b, c)))
        assert equal(combine(operation.identity, a), a)
        assert equal(combine(a, operation.identity), a)
        if operation.commutative:
            assert equal(combine(a, b), combine(b, a))
        if operation.remove is not None:
            assert equal(operation.remove(a, combine(a, b)), b)
        assert equal(a, total(operation, windows[0])), "combine has changed an argument"

    check()


@pytest.mark.parametrize("name", [name for name, operation in ALL.items() if not operation.commutative])
def test_what_does_not_commute_has_samples_that_show_it(name: str) -> None:
    operation = ALL[name]
    pairs = itertools.combinations(map(operation.lift, operation.samples), 2)
    assert any(not operation.equal(operation.combine(a, b), operation.combine(b, a)) for a, b in pairs)


@pytest.mark.parametrize("name", ALL)
def test_faithful_means_that_no_two_sequences_of_samples_look_alike(name: str) -> None:
    operation = ALL[name]
    lengths = range(6) if operation.faithful else range(4)
    sequences = [w for length in lengths for w in itertools.product(range(len(operation.samples)), repeat=length)]
    products = {repr(total(operation, [operation.samples[i] for i in w])) for w in sequences}
    assert (len(products) == len(sequences)) == operation.faithful


# lower, after lifting and combining a window, equals other implementations


def positions(window: Sequence[Any], better: Callable[[Any, Any], bool]) -> int:
    """Return the position of the best measure, the first of equals, by checking each in turn."""
    return next(i for i, (m, _) in enumerate(window) if not any(better(n, m) for n, _ in window))


def affine(window: Sequence[tuple[int, int]]) -> tuple[int, int]:
    def run(x: int) -> int:
        for slope, shift in window:
            x = (slope * x + shift) % PRIME
        return x

    return (run(1) - run(0)) % PRIME, run(0)


def rows(window: Sequence[Matrix]) -> Matrix:
    def run(x: int, y: int) -> tuple[int, int]:
        for a, b, c, d in window:
            x, y = x * a + y * c, x * b + y * d
        return x, y

    return (*run(1, 0), *run(0, 1))


BY_DEFINITION: dict[str, Callable[[Any], Any]] = {
    "count": len,
    "sum": sum,
    "product": math.prod,
    "mean": lambda w: statistics.mean(map(Fraction, w)) if w else None,
    "geometric-mean": lambda w: pytest.approx(statistics.geometric_mean(w), rel=1e-9) if w else None,
    "sample-standard-deviation": lambda w: pytest.approx(statistics.stdev(w), rel=1e-9) if len(w) > 1 else None,
    "population-standard-deviation": lambda w: pytest.approx(statistics.pstdev(w), rel=1e-9) if w else None,
    "min": lambda w: min(w, default=None),
    "max": lambda w: max(w, default=None),
    "min-count": lambda w: Counter(w)[min(w)] if w else 0,
    "max-count": lambda w: Counter(w)[max(w)] if w else 0,
    "arg-min": lambda w: w[positions(w, operator.lt)][1] if w else None,
    "arg-max": lambda w: w[positions(w, operator.gt)][1] if w else None,
    "m4": lambda w: (
        (w[0], w[-1], *(w[positions([(v, t) for t, v in w], better)] for better in (operator.lt, operator.gt)))
        if w
        else None
    ),
    "first": lambda w: w[0] if w else None,
    "last": lambda w: w[-1] if w else None,
    "collect": tuple,
    "mutable-collect": list,
    "concatenation": "".join,
    "affine": affine,
    "matrix": rows,
    "unimodular-matrix": rows,
}


@pytest.mark.parametrize("name", BY_DEFINITION)
@pytest.mark.drawn(8)
def test_lower_gives_what_the_definition_gives(name: str) -> None:
    operation = ALL[name]

    @settings(max_examples=100)
    @given(st.lists(ELEMENTS[name], max_size=12))
    def check(window: list[Any]) -> None:
        # floats hold neither the roots nor the powers of very large numbers
        if name.endswith("deviation"):
            window = [e for e in window if abs(e) < 2**500]
        assert operation.lower(total(operation, window)) == BY_DEFINITION[name](window)

    check()


def test_the_example_of_section_3_takes_the_first_of_equals() -> None:
    calls = [(9.5, "ann"), (12.0, "bob"), (12.0, "eve"), (3.25, "bob")]
    assert ARG_MAX.lower(total(ARG_MAX, calls)) == "bob"
    assert ARG_MAX.lower(total(ARG_MAX, calls[2:])) == "eve"


def test_a_mean_of_integers_is_exact() -> None:
    assert MEAN.lower(total(MEAN, [10**30, 1, 1])) == Fraction(10**30 + 2, 3)
    assert MEAN.lower(total(MEAN, [0.5, 1.0])) == 0.75


def test_domains_are_enforced_on_lifting() -> None:
    for e in (0, -1, math.nan):
        with pytest.raises(ValueError, match="elements must be positive"):
            GEOMETRIC_MEAN.lift(e)
    with pytest.raises(ValueError, match="slope must not be 0"):
        AFFINE.lift((PRIME, 3))
    with pytest.raises(ValueError, match="determinant must be 1 or -1"):
        UNIMODULAR.lift((1, 2, 2, 4))


@given(st.lists(st.text(max_size=3)))
def test_the_bloom_filter_forgets_nothing(window: list[str]) -> None:
    bits = BLOOM.lower(total(BLOOM, window))
    assert 0 <= bits < 2 ** (2**14)
    assert bits.bit_count() <= 4 * len(set(window))
    assert all(BLOOM.lift(e) & ~bits == 0 for e in window)
    assert BLOOM.lift("") == 1 << 1128 | 1 << 1391 | 1 << 2192 | 1 << 5002, "the same on every machine"


@settings(max_examples=50)
@given(st.lists(st.integers(0, 40), max_size=80))
def test_the_sketches_estimate_within_their_bounds(window: list[int]) -> None:
    frequencies = COUNT_MIN.lower(total(COUNT_MIN, window))
    for e, count in Counter(window).items():
        assert count <= frequencies.get_estimate(e) <= count + len(window)
    cardinality = HYPER_LOG_LOG.lower(total(HYPER_LOG_LOG, window)).get_estimate()
    assert cardinality == pytest.approx(len(set(window)), rel=0.3, abs=1.5)  # two elements may share a register


def test_hyper_log_log_as_the_library_merges_it_is_not_associative() -> None:
    library: Any = importlib.import_module("datasketches")

    def sketch(elements: range) -> Any:
        filled = library.hll_sketch(8)
        for e in elements:
            filled.update(e)
        return filled

    def merge(*sketches: Any) -> Any:
        union = library.hll_union(8)
        for each in sketches:
            union.update(each)
        return union.get_result()

    a, b, c = sketch(range(5)), sketch(range(1000, 1300)), sketch(range(2000, 2005))
    assert merge(merge(a, b), c).get_estimate() != merge(a, merge(b, c)).get_estimate()
    d, e = sketch(range(3)), sketch(range(3, 6))
    assert merge(d, e).serialize_compact() != merge(e, d).serialize_compact()
    assert merge(b, b).get_estimate() != b.get_estimate()


def test_the_sketches_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasketches", None)
    monkeypatch.delitem(sys.modules, "swagproof.models.sketches")
    with pytest.raises(ImportError, match=r"pip install swagproof\[sketches\]"):
        importlib.import_module("swagproof.models.sketches")


def test_mutable_values_are_shared_as_announced() -> None:
    v = MUTABLE_COLLECT.lift(1)
    assert MUTABLE_COLLECT.combine(v, MUTABLE_COLLECT.identity) is v
    assert MUTABLE_COLLECT.combine([], v) is v
    assert MUTABLE_COLLECT.lower(v) is not v
    assert MUTABLE_COLLECT.lift(1) is not v


# Floats


def test_floating_sums_are_not_associative() -> None:
    found = broken_law(SUM, [1e16, 1.0])
    assert found is not None
    assert str(found) == (
        "associativity: combine(combine(a, b), c) = combine(a, combine(b, c)) fails for a = 1e+16, b = 1.0, c = 1.0: "
        "1e+16 is not 1.0000000000000002e+16"
    )


def test_a_huge_float_leaves_its_rounding_error_behind() -> None:
    assert SUM.remove is not None
    assert SUM.remove(1e16, SUM.combine(1e16, 1.5)) == 2.0


def test_floating_deviations_cancel_and_never_fail() -> None:
    equal_ones = [1e9 + 0.1] * 3
    n, sums, squares = total(STANDARD_DEVIATION, equal_ones)
    assert n * squares < sums * sums
    assert STANDARD_DEVIATION.lower((n, sums, squares)) == 0.0


def test_nan_is_outside_the_domain_of_max() -> None:
    left = MAX.combine(MAX.combine(1.0, math.nan), 2.0)
    right = MAX.combine(1.0, MAX.combine(math.nan, 2.0))
    assert (left, right) == (2.0, 1.0)


# The papers' tables


def test_the_geometric_mean_is_invertible_over_positive_numbers_only() -> None:
    """Check Table 2 (2015), which omits this condition: the partial aggregates of 0, 3 and 0, 5 are equal."""
    raw = [total(PRODUCT, window) for window in ([0, 3], [0, 5])]
    assert raw[0] == raw[1]


def test_max_commutes_and_count_min_is_invertible() -> None:
    """Check Table 1 (2021), which crosses out commutativity for max, and invertibility for count-min."""
    assert MAX.commutative
    assert COUNT_MIN.remove is not None
    a, b = COUNT_MIN.lift("a"), COUNT_MIN.lift("b")
    assert COUNT_MIN.remove(a, COUNT_MIN.combine(a, b)) == b


def test_the_left_inverse_of_2021_presumes_that_elements_commute() -> None:
    """Check section 2.1, which requires a (x) b (x) inv(a) = b.  In a non-commutative group this is another element."""
    assert AFFINE.remove is not None
    a, b = AFFINE.lift((2, 1)), AFFINE.lift((3, 5))
    inverse = AFFINE.remove(a, AFFINE.identity)
    assert AFFINE.combine(a, inverse) == AFFINE.combine(inverse, a) == AFFINE.identity
    assert AFFINE.combine(AFFINE.combine(a, b), inverse) != b
    assert AFFINE.combine(inverse, AFFINE.combine(a, b)) == b == AFFINE.remove(a, AFFINE.combine(a, b))


def test_the_inverse_of_2015_takes_off_the_newest() -> None:
    """Check section 3.2, which requires (x (+) y) (-) y = x and so undoes an insertion.  An evict must remove x."""
    x, y = "ab", "c"
    window = CONCATENATION.combine(x, y)
    assert CONCATENATION.remove is not None
    assert CONCATENATION.remove(x, window) == y
    assert CONCATENATION.remove(y, window) != x


def test_a_sample_of_one_has_no_deviation() -> None:
    """Check that Table 1 (2015) divides by n - 1 = 0."""
    assert SAMPLE_DEVIATION.lower(SAMPLE_DEVIATION.lift(5)) is None
    assert STANDARD_DEVIATION.lower(STANDARD_DEVIATION.lift(5)) == 0.0
