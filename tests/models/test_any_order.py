"""The definitions for the 2015 paper's structures, its array and its marker ⊥."""

import copy

import pytest

from swagproof.models.any_order import AnyOrderWindow, NotInWindowError, Places
from swagproof.models.containers.bottom import BOTTOM, WithBottom
from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import Counting
from swagproof.models.operations import CONCATENATION


def test_elements_arrive_in_order_and_leave_in_any() -> None:
    window = AnyOrderWindow(CONCATENATION)
    assert window.query() == ""
    assert [window.insert(letter) for letter in "abcde"] == [0, 1, 2, 3, 4]
    window.evict(3)
    assert (window.query(), window.size) == ("abce", 4)
    window.evict()
    assert window.insert("f") == 5
    window.evict(5)
    assert (window.query(), window.tickets) == ("bce", [1, 2, 4])


def test_what_is_not_there_is_refused_and_nothing_changes() -> None:
    window = AnyOrderWindow(CONCATENATION)
    for ticket in (None, 0):
        with pytest.raises(EmptyWindowError):
            window.evict(ticket)
    ticket = window.insert("a")
    window.insert("b")
    window.evict(ticket)
    for absent in (ticket, 2, -1):
        with pytest.raises(NotInWindowError, match=f"ticket {absent} is not in the window; give one that insert"):
            window.evict(absent)
    assert (window.query(), window.tickets) == ("b", [1])


def test_places() -> None:
    places = Places(CONCATENATION, "abcd")
    places.update([(4, "D"), (1, "A")])
    assert (places.size, places[1], places[4]) == (4, "A", "D")
    assert [places.product(i, j) for i, j in ((1, 4), (2, 2), (3, 4))] == ["AbcD", "b", "cD"]
    for i in (0, 5):
        with pytest.raises(IndexError, match=rf"a\[{i}\] of the places 1 .. 4"):
            places.update([(2, "X"), (i, "Y")])
    for i, j in ((0, 1), (2, 1), (1, 5)):
        with pytest.raises(IndexError, match=rf"product\({i}, {j}\)"):
            places.product(i, j)
    assert places.product(1, 4) == "AbcD"


def test_bottom_is_neutral_whatever_the_identity_is() -> None:
    counting = Counting(CONCATENATION)
    monoid = WithBottom(counting)
    assert monoid.combine("a", "") == "a"
    assert counting.calls == 1
    assert monoid.combine("", BOTTOM) == "" == monoid.combine(BOTTOM, "")
    assert monoid.combine(BOTTOM, BOTTOM) is BOTTOM is monoid.identity
    assert counting.calls == 1


def test_a_copy_of_bottom_is_bottom() -> None:
    assert copy.deepcopy([BOTTOM])[0] is BOTTOM
    assert repr(BOTTOM) == "⊥"
