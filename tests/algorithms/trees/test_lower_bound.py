"""Theorem 2.2: the number of permutations, sorting with a window, and the number of comparisons."""

import pytest

from swagproof.proofs.trees.lower_bound import (
    WINDOWS,
    disorder,
    distances,
    sort,
)


def test_delta_counts_earlier_greater_elements() -> None:
    assert distances((3, 1, 4, 2)) == [0, 1, 0, 2]
    assert disorder((1, 2, 3)) == 0
    assert disorder((3, 2, 1)) == 2
    assert disorder(()) == 0


@pytest.mark.parametrize("name", WINDOWS)
def test_a_window_sorts_with_three_operations_an_element(name: str) -> None:
    assert sort(WINDOWS[name](), (4, 2, 5, 3, 1)).operations == 15
