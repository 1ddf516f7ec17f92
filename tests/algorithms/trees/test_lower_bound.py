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
def test_a_window_sorts(name: str) -> None:
    ranks, transcript = sort(WINDOWS[name](), (4, 2, 5, 3, 1))
    assert ranks == (1, 2, 3, 4, 5)
    assert True in transcript
    assert False in transcript
