"""Clauses about combinations of places are instantiated once for each mentioned combination, in any order."""

from itertools import combinations_with_replacement, permutations, product
from typing import Any

import pytest

from swagproof.proofs.engine.run import Known
from swagproof.proofs.engine.solver import z3


@pytest.mark.parametrize(
    "of", [("left",), *combinations_with_replacement(("left", "right"), 2), ("left", "right", "left")]
)
def test_a_clause_about_several_places_is_read_at_every_combination_once(of: tuple[str, ...]) -> None:
    holes = z3.Ints(" ".join(f"hole{n}" for n in range(len(of))))
    tell = z3.Function("told", *[z3.IntSort()] * len(of), z3.BoolSort())
    names = [(place, f"{place[0]}{n}") for place in ("left", "right") for n in range(2)]
    for order in permutations(names):
        known, mentioned, told = Known(holes, tell(*holes), of), dict[str, dict[int, Any]](), list[str]()
        for place, name in (*order, *order):
            number = z3.Int(name)
            mentioned.setdefault(place, {})[number.get_id()] = number
            told += map(str, known.at(number, place, mentioned))
        every = product(*([name for place, name in names if place == each] for each in of))
        assert sorted(told) == sorted(f"told({', '.join(chosen)})" for chosen in every)
