"""Shared windows by definition, the search tree, and the errors of every implementation."""

from collections.abc import Callable
from typing import Any

import pytest

from swagproof.models.containers.search_tree import SearchTree
from swagproof.models.operations import CONCATENATION, MAX
from swagproof.models.shared import LateRegistrationError, SharedWindows, UnknownWindowError
from swagproof.reference.sharing.ordered_sharing import CheckedOrderedSharing, OrderedSharing, OrderedSharingMin
from swagproof.reference.sharing.stream_sharing import CheckedNaiveStream, NaiveStream
from swagproof.reference.sharing.timegram import CheckedTimeGram, TimeGram

IMPLEMENTATIONS: dict[str, Callable[[], Any]] = {
    "model": lambda: SharedWindows(MAX),
    "naive STREAM": lambda: NaiveStream(MAX),
    "naive STREAM, checked": lambda: CheckedNaiveStream(MAX),
    "TimeGram": lambda: TimeGram(0, 10, 5),
    "TimeGram, checked": lambda: CheckedTimeGram(0, 10, 5),
    "OrderedSharing": OrderedSharing[int],
    "OrderedSharing for min": OrderedSharingMin[int],
    "OrderedSharing, checked": CheckedOrderedSharing[int],
}


@pytest.fixture(params=IMPLEMENTATIONS.values(), ids=list(IMPLEMENTATIONS))
def shared(request: pytest.FixtureRequest) -> Any:
    return request.param()


def lookup(shared: Any, size: int) -> Any:
    return shared.max(size) if isinstance(shared, TimeGram) else shared.lookup(size)


def test_the_model_is_the_newest_elements_in_order() -> None:
    model = SharedWindows(CONCATENATION)
    for size in (1, 3, 5):
        model.register(size)
    assert [model.lookup(size) for size in (1, 3, 5)] == ["", "", ""]
    for number, letter in enumerate("abcdefg", 1):
        model.insert(letter)
        assert [model.lookup(size) for size in (1, 3, 5)] == ["abcdefg"[max(0, number - s) : number] for s in (1, 3, 5)]
    assert model.size == 7


def test_a_window_is_registered_before_the_stream_begins(shared: Any) -> None:
    shared.register(2)
    shared.insert(7)
    with pytest.raises(LateRegistrationError, match="register every window before the first insert"):
        shared.register(3)
    assert lookup(shared, 2) in (7, (6, 8))
    with pytest.raises(UnknownWindowError):
        lookup(shared, 3)


def test_a_window_that_is_not_registered_is_refused(shared: Any) -> None:
    shared.register(2)
    with pytest.raises(UnknownWindowError, match="window 3 is not registered, only 2; do so before the first insert"):
        lookup(shared, 3)


def test_a_stream_without_windows_is_refused(shared: Any) -> None:
    with pytest.raises(UnknownWindowError, match=r"register\(size\) first"):
        shared.insert(1)
    shared.register(1)
    shared.insert(1)
    assert lookup(shared, 1) in (1, (0, 2))


@pytest.mark.parametrize("size", [0, -3])
def test_a_window_holds_at_least_one_tuple(shared: Any, size: int) -> None:
    with pytest.raises(ValueError, match=f"size: a window of {size} tuples; give at least 1"):
        shared.register(size)


@pytest.mark.parametrize("size", [1.0, "2", True, None])
def test_a_window_is_a_count(shared: Any, size: Any) -> None:
    with pytest.raises(TypeError, match=r"size: .* is no count of tuples; give an int"):
        shared.register(size)


def test_two_queries_of_one_size_have_one_answer(shared: Any) -> None:
    for size in (2, 1, 2):
        shared.register(size)
    assert lookup(shared, 2) is None
    for value in (5, 3):
        shared.insert(value)
    assert lookup(shared, 2) in (5, (4, 6), 3)


def below(item: int) -> Callable[[int], bool]:
    return lambda other: other < item


def test_an_item_that_is_not_in_its_place_is_refused() -> None:
    tree = SearchTree[int]()
    tree.insert(1, below(1))
    with pytest.raises(KeyError, match="2 is not where the order says"):
        tree.remove(2, below(2))
    assert list(tree) == [1]
