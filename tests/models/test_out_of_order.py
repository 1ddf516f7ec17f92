"""The out-of-order window by definition, its errors and its infinities, checked against their docstrings."""

import math
import operator
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import Counting
from swagproof.models.operations import CONCATENATION, MAX_COUNT
from swagproof.models.out_of_order import (
    MINUS_INFINITY,
    PLUS_INFINITY,
    NoTimeError,
    OutOfOrderWindow,
    TimeError,
    require_ordered,
)


def test_the_example_of_section_2() -> None:
    window = OutOfOrderWindow(MAX_COUNT)
    answers: list[Any] = []
    for t, e in ((17, 4), (19, 3), (20, 0), (21, 4), (22, 4), (18, 5)):
        window.insert(t, MAX_COUNT.lift(e))
        answers.append(window.query())
    for t in (17, 18):
        window.evict(t)
        answers.append(window.query())
    assert answers[3:] == [(4, 2), (4, 3), (5, 1), (5, 1), (4, 2)]


@given(
    st.lists(st.tuples(st.integers(0, 8), st.sampled_from("abcd") | st.none())), st.integers(-1, 9), st.integers(-1, 9)
)
def test_the_window_is_a_sorted_dictionary(steps: list[tuple[int, str | None]], t_from: int, t_to: int) -> None:
    window = OutOfOrderWindow(CONCATENATION)
    entries: dict[int, str] = {}
    for t, value in steps:
        if value is None:
            window.evict(t)
            entries.pop(t, None)
        else:
            window.insert(t, value)
            entries[t] = entries.get(t, "") + value
        assert list(zip(window.times, window.values, strict=True)) == sorted(entries.items())
        assert window.query() == "".join(entries[u] for u in sorted(entries))
    assert window.size == len(entries)
    assert window.range_query(t_from, t_to) == "".join(entries[u] for u in sorted(entries) if t_from <= u <= t_to)
    for i, t in enumerate(window.times):
        assert window.index(t) == i
        for j in range(i, window.size + 1):
            assert window.product(i, j) == reduce(CONCATENATION.combine, window.values[i:j], "")
    assert window.index(99) is None


def test_combine_calls() -> None:
    monoid = Counting(CONCATENATION)
    window = OutOfOrderWindow(monoid)
    for t in (3, 1, 2):
        window.insert(t, "a")
    assert monoid.calls == 0
    window.insert(2, "b")
    assert (monoid.calls, window.values) == (1, ["a", "ab", "a"])
    window.evict(9)
    window.evict(1)
    assert monoid.calls == 1


def test_outside_the_window_there_is_nothing() -> None:
    window = OutOfOrderWindow(CONCATENATION)
    assert (window.query(), window.size, window.product(0, 0), window.range_query(0, 9)) == ("", 0, "", "")
    window.insert(1, "a")
    for i, j in ((0, 2), (-1, 0), (1, 0)):
        with pytest.raises(IndexError, match=r"product\(.*\) of a window of 1"):
            window.product(i, j)


@pytest.mark.parametrize("t", [float("nan"), Decimal("NaN"), Decimal("sNaN"), None, "1", {1}, 1j, date(2018, 1, 1)])
def test_a_time_that_does_not_compare_is_refused(t: Any) -> None:
    window = OutOfOrderWindow(CONCATENATION)
    window.insert(1, "a")
    for refused in (
        lambda: window.insert(t, "b"),
        lambda: window.evict(t),
        lambda: window.index(t),
        lambda: window.range_query(t, 1),
        lambda: window.range_query(1, t),
    ):
        with pytest.raises(
            TimeError, match=r"does not compare with 1; give all times, without NaN, in one ordered type"
        ):
            refused()
    assert (window.times, window.values) == ([1], ["a"])


@pytest.mark.parametrize("t", [float("nan"), None, {}, 1j])
def test_so_is_a_first_time_that_has_no_order(t: Any) -> None:
    window = OutOfOrderWindow(CONCATENATION)
    with pytest.raises(TimeError, match=r"does not equal itself or has no order; give times of a totally ordered type"):
        window.insert(t, "a")
    assert window.size == 0


def test_the_ends_of_a_range_must_compare_with_each_other() -> None:
    with pytest.raises(TimeError):
        OutOfOrderWindow(CONCATENATION).range_query(1, "2")


def test_numbers_of_different_types_compare() -> None:
    window = OutOfOrderWindow(CONCATENATION)
    for t, v in ((1, "a"), (Fraction(3, 2), "b"), (1.0, "c"), (Decimal(2), "d"), (True, "e")):
        window.insert(t, v)
    assert (window.query(), window.size) == ("acebd", 3)
    require_ordered(1, 1.5)


def test_no_time_in_an_empty_window() -> None:
    assert issubclass(NoTimeError, EmptyWindowError)
    assert str(NoTimeError("oldest")) == "oldest: the window is empty"


@given(st.integers() | st.floats(allow_nan=False) | st.text() | st.dates() | st.fractions())
def test_the_infinities_are_before_and_after_every_time(t: Any) -> None:
    assert MINUS_INFINITY < t < PLUS_INFINITY
    assert MINUS_INFINITY <= t <= PLUS_INFINITY
    assert not any((t < MINUS_INFINITY, t <= MINUS_INFINITY, PLUS_INFINITY < t, PLUS_INFINITY <= t))
    assert t > MINUS_INFINITY
    assert t != MINUS_INFINITY


def test_the_infinities_among_themselves() -> None:
    both = {MINUS_INFINITY: -math.inf, PLUS_INFINITY: math.inf}
    for compare in (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne):
        for (x, of_x), (y, of_y) in product(both.items(), repeat=2):
            assert compare(x, y) == compare(of_x, of_y), (x, compare, y)
    assert (repr(MINUS_INFINITY), repr(PLUS_INFINITY)) == ("-infinity", "+infinity")
