"""Theorem 2.2: the count of permutations, sorting with a window, and the comparisons it takes."""

import random

import pytest

from swagproof.proofs.trees.lower_bound import (
    WINDOWS,
    comparisons,
    count,
    disorder,
    distances,
    drawn,
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


@pytest.mark.parametrize(("m", "d"), [(1, 0), (7, 0), (40, 3), (40, 40)])
def test_a_drawn_permutation_is_one_and_within_its_distance(m: int, d: int) -> None:
    permutation = drawn(m, d, random.Random(1))
    assert sorted(permutation) == list(range(1, m + 1))
    assert disorder(permutation) <= d


def test_every_permutation_can_be_drawn() -> None:
    chance = random.Random(1)
    assert len({drawn(4, 2, chance) for _ in range(600)}) == count(4, 2) == 18


def test_fiba_in_order_takes_the_same_for_each_element_whatever_the_size_and_the_b_tree_more() -> None:
    fiba = [comparisons(WINDOWS["FiBA"], m, 0) / m for m in (64, 256, 1024)]
    classic = [comparisons(WINDOWS["B-tree"], m, 0) / m for m in (64, 256, 1024)]
    assert max(fiba) - min(fiba) < 0.5
    assert classic[1] - classic[0] > 3
    assert classic[2] - classic[1] > 3
