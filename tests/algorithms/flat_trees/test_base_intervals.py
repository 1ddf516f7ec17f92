"""Base intervals: what is told of products, quotients and powers is true, and clauses hold as it runs."""

import itertools
from types import SimpleNamespace
from typing import Any

import pytest

from swagproof.models.fifo import FifoWindow
from swagproof.models.operations import CONCATENATION
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.engine.values import power_of_two
from swagproof.proofs.flat_trees.intervals.base_interval_runs import (
    QUOTIENT,
    TIMES,
    facts_of_halves,
    facts_of_powers,
    facts_of_products,
    facts_of_quotients,
)
from swagproof.proofs.lemmas import interval_levels
from swagproof.reference.flat_trees.base_intervals import BaseIntervals

_X, _D = z3.Var(0, z3.IntSort()), z3.Var(1, z3.IntSort())
POWERS = [(power_of_two(e), z3.IntVal(2**e)) for e in range(5)]


def is_true(fact: Any) -> bool:
    """Return whether a fact about numbers is true, after substituting the meanings of the functions."""
    meant = z3.substitute(z3.substitute_funs(fact, (TIMES, _X * _D), (QUOTIENT, _X / _D)), *POWERS)
    return z3.is_true(z3.simplify(meant))


@pytest.mark.parametrize("d", [-1, 0, 1, 2, 3, 4, 8])
def test_facts_of_products_and_quotients_are_true(d: int) -> None:
    numbers = [z3.IntVal(x) for x in range(-9, 10)]
    assert all(is_true(facts_of_products(k, z3.IntVal(d), numbers, numbers)) for k in numbers)
    for facts in (facts_of_quotients, facts_of_halves):
        assert all(is_true(facts(x, z3.IntVal(d))) for x in numbers)


def test_facts_of_powers_are_true() -> None:
    numbers = [z3.IntVal(x) for x in range(-9, 10)]
    windows = [(x, y) for x, y in itertools.product(numbers[::3], numbers[::3]) if x.as_long() <= y.as_long()]
    exponents = [z3.IntVal(e) for e in range(4)]
    assert all(is_true(facts_of_powers(a, b, numbers, windows)) for a, b in itertools.product(exponents, repeat=2))


def test_what_is_said_level_by_level_holds_as_it_runs() -> None:
    window, model = BaseIntervals(CONCATENATION), FifoWindow(CONCATENATION)
    for step, letter in enumerate("abcdefghijklmnopqrstuvwxyz" * 2):
        for each in (window, model):
            each.insert(letter)
            if step % 7 in (1, 4, 5):
                each.evict()
        state = SimpleNamespace(**vars(window), model=model)
        assert [clause.__name__ for clause in interval_levels.INVARIANT if not clause(state)] == []
