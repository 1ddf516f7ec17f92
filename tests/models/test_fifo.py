"""The window by definition and the stack, checked against their docstrings."""

from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swagproof.models.fifo import EmptyWindowError, FifoWindow
from swagproof.models.monoid import Counting
from swagproof.models.operations import CONCATENATION, MAX_COUNT


def test_the_trace_of_section_2_3() -> None:
    window = FifoWindow(MAX_COUNT)
    for e in (4, 5, 3, 4, 0, 4, 4):
        window.insert(MAX_COUNT.lift(e))
    answers = [window.query()]
    for change in (window.evict, window.evict, lambda: window.insert((2, 1)), lambda: window.insert((6, 1))):
        change()
        answers.append(window.query())
    assert answers == [(5, 1), (5, 1), (4, 3), (4, 3), (6, 1)]


@given(st.lists(st.sampled_from("abc") | st.none()), st.data())
def test_products_are_folds(steps: list[str | None], data: st.DataObject) -> None:
    window = FifoWindow(CONCATENATION)
    values: list[str] = []
    for step in steps:
        if step is not None:
            window.insert(step)
            values.append(step)
        elif values:
            window.evict()
            del values[0]
        else:
            with pytest.raises(EmptyWindowError, match="evict: the window is empty") as raised:
                window.evict()
            assert isinstance(raised.value, IndexError)
        assert (window.query(), window.size, window.values) == ("".join(values), len(values), values)
        for _ in range(3):
            i = data.draw(st.integers(0, len(values)))
            j = data.draw(st.integers(i, len(values)))
            assert window.product(i, j) == reduce(CONCATENATION.combine, values[i:j], "")
        assert [window[i] for i in range(len(values))] == values


def test_outside_the_window_there_is_nothing() -> None:
    window = FifoWindow(CONCATENATION)
    window.insert("a")
    for i, j in ((-1, 0), (0, 2), (1, 0)):
        with pytest.raises(IndexError, match=r"product\("):
            window.product(i, j)
    for i in (-1, 1):
        with pytest.raises(IndexError, match="of a window of 1"):
            _ = window[i]


def test_cost_and_order_of_combine_calls() -> None:
    monoid = Counting(CONCATENATION)
    window = FifoWindow(monoid)
    for letter in "abcd":
        window.insert(letter)
    window.evict()
    assert monoid.calls == 0
    assert window.query() == "bcd"
    assert monoid.calls == 3
    for i in range(4):
        assert window.product(i, 3) == "bcd"[i:]
        assert window.product(0, i) == "bcd"[:i]
    assert monoid.calls == 3 + 5
