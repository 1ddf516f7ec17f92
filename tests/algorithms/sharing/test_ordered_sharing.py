"""OrderedSharing for max and min: machines, mutants, claims, and the paper's examples."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from support.machines.columns import pytest_generate_mutants
from support.machines.shared import SharedAlgorithm
from support.running.claims import AlgorithmClaims

from swagproof.contracts.sharing import ordered_sharing as contract
from swagproof.contracts.visible import methods_with_contracts
from swagproof.models.operations import MAX, MIN
from swagproof.proofs.errata.wang_2005_ordered_sharing import STAMPS_NOW
from swagproof.proofs.explorer.letters import ordered
from swagproof.proofs.explorer.walk import explore, first_violation
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.proofs.sharing import ordered_sharing
from swagproof.proofs.sharing.lookups import OrderedStates, values_between
from swagproof.reference.sharing.ordered_sharing import (
    NEVER,
    CheckedOrderedSharing,
    CheckedOrderedSharingMin,
    OrderedSharing,
    OrderedSharingMin,
)

pytest_generate_tests = pytest_generate_mutants

VALUES = (1, 2, 3, 4, 5)


class TestOrderedSharing(SharedAlgorithm, AlgorithmClaims):
    algorithm, checked = OrderedSharing, CheckedOrderedSharing
    cases = ((MAX, VALUES),)
    unseen = ordered_sharing.WRONG.pick(
        "lookup leaves the window itself in the tree",
        "insert leaves the invalid windows that it meets",
        "insert forgets the timestamp",
        "windows are valid when registered",
    )


class TestOrderedSharingMin(SharedAlgorithm):
    algorithm, checked = OrderedSharingMin, CheckedOrderedSharingMin
    cases = ((MIN, VALUES),)

    @classmethod
    def mutants(cls) -> Sequence[Mutant]:
        """Return the mutants that differ from those for max."""
        return (ordered_sharing.MIN_SEARCHED_AS_MAX,)


@pytest.mark.parametrize("sizes", [(1, 4), (2, 3, 4), (1, 2, 3, 4)], ids=str)
@pytest.mark.drawn(1)
def test_streams_of_three_values_and_six_tuples(sizes: tuple[int, ...]) -> None:
    explore(OrderedStates(sizes, values=(1, 2, 3), longest=6))


def test_the_explorer_makes_every_rank() -> None:
    assert values_between([]) == [ordered(0)]
    assert values_between(map(ordered, [2, 0, 2])) == list(map(ordered, [-2, 0, 2, 1, 4]))


def test_a_violation_is_told_with_a_shortest_history() -> None:
    found = first_violation(OrderedStates((2,), STAMPS_NOW, answers_only=True))
    assert str(found) == "answer after register 2, insert 3, insert 2, lookup 2, insert 1, lookup 2"


# The paper's examples (sections 6.3.2.1 and 6.3.2.2): windows A ... F with the answers 5, 10, 15, 20, 30 and 50

NAMES = "ABCDEF"
ANSWERS = (5, 10, 15, 20, 30, 50)


def example(sizes: Sequence[int], ages: Sequence[int]) -> CheckedOrderedSharing[int]:
    """Put all six windows into the tree, but not E'; each answer arrived `ages` tuples before the last."""
    shared = CheckedOrderedSharing[int]()
    for size in (*sizes, BETWEEN):
        shared.register(size)
    shared.insert(0)
    shared.lookup(sizes[-1])
    arrivals = {-age: answer for age, answer in zip(ages, ANSWERS, strict=True)}
    for time in range(-ages[-1], 1):
        shared.insert(arrivals.get(time, 0))  # the answer of F, the first, leaves only F in the tree
    shared.lookup(sizes[-2])
    return shared


SIZES = (5, 10, 15, 20, 25, 30)
BETWEEN = 28
"""The size of E'."""
FRESH = (1, 6, 11, 16, 21, 26)
"""Ages at which every answer is valid for some more tuples."""
E_EXPIRES = (1, 6, 11, 16, 24, 26)
"""Ages at which E's answer arrived as many tuples ago as E holds: after one more tuple, E is invalid."""


def in_the_tree(shared: OrderedSharing[int]) -> dict[str, Any]:
    names = {**dict(zip(SIZES, NAMES, strict=True)), BETWEEN: "E'"}
    return {names[w.size]: w.answer for w in shared.tree}


@pytest.mark.parametrize(
    ("ages", "value", "tree"),
    [
        (FRESH, 30, {"E": 30, "F": 50}),  # removes the smaller windows
        (E_EXPIRES, 35, {"D": 35, "F": 50}),  # while E is invalid: updates D and removes E
        (FRESH, 35, {"E": 35, "F": 50}),  # while E is valid: updates E
    ],
)
def test_example_1(ages: Sequence[int], value: int, tree: dict[str, int]) -> None:
    shared = example(SIZES, ages)
    shared.insert(value)
    assert in_the_tree(shared) == tree
    assert (shared.windows[25].ts == NEVER) is (ages is E_EXPIRES)
    assert [shared.lookup(size) for size in SIZES] == 5 * [value] + [50]


@pytest.mark.parametrize(
    ("zeros", "lookups"),
    [(0, {25: 30, BETWEEN: 50}), (2, {BETWEEN: 30, SIZES[-1]: 50})],
    ids=["a window in the tree, and one between", "one between, after the larger answer has left it"],
)
def test_figure_8_and_the_lookups_of_example_2(zeros: int, lookups: dict[int, int]) -> None:
    shared, nodes = example(SIZES, FRESH), dict(zip(NAMES, ANSWERS, strict=True))
    assert in_the_tree(shared) == nodes
    for _ in range(zeros):
        shared.insert(0)
    for size, answer in lookups.items():
        assert shared.lookup(size) == answer
        assert in_the_tree(shared) == nodes | ({"E'": 30} if zeros else {})


def test_the_proof_shows_every_contract_of_an_inner_method() -> None:
    visible = dict(methods_with_contracts(CheckedOrderedSharing))
    for method in contract.REQUIRES:
        assert {each.predicate for each in visible[method].requires} <= set(contract.REQUIRES[method])
        assert {each.predicate for each in visible[method].ensures} <= set(contract.PROMISES[method])


def test_all_windows_are_invalid_until_a_lookup() -> None:
    """Check section 6.2.2 for every set of windows of at most 4 tuples, after streams of up to 4 of 3 values."""
    for sizes in ordered_sharing.window_sets(4):
        for stream in product((1, 2, 3), repeat=4):
            shared = OrderedSharing[int]()
            for size in sizes:
                shared.register(size)
            for value in stream:
                shared.insert(value)
                assert all(shared.currentTime - w.ts >= w.size for w in shared.windows.values())
                assert not list(shared.tree)
