"""Contracts mean what they say: clauses range over all places, old values are old, and wrong states are rejected."""

import ast
import inspect
import itertools
from collections import deque
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from swagproof.contracts.clause import EachTurn, EverySlot, Everywhere, ForAll, ForEach, ForEachPair, Ranging
from swagproof.contracts.flat_trees.reactive_aggregator import holes
from swagproof.contracts.in_order import daba
from swagproof.contracts.slicing.cutty import dropped
from swagproof.models.containers.bottom import BOTTOM
from swagproof.models.discretisation import Looks, Marks
from swagproof.models.operations import CONCATENATION
from swagproof.proofs.slicing.deterministic import functions
from swagproof.reference.catalogue import COLUMNS
from swagproof.reference.slicing.cutty import CheckedCutty


@pytest.mark.parametrize(
    ("clause", "places"),
    [
        (EverySlot(lambda s, p: True), [1, 2, 3]),
        (Everywhere(lambda s, p: True), [0, 1, 2, 3, 4]),
        (EachTurn(lambda s, turn: True), [0, 1]),
        (ForEach("items", lambda s, i: True), [0, 1, 2]),
        (ForEach("", lambda s, i: True, of="keys"), ["a", "b"]),
        (ForAll(("items", "two"), lambda s, i, j: True), [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]),
        (ForEachPair("items", lambda s, pair: True), [(0, 1), (0, 2), (1, 2)]),
    ],
    ids=lambda each: type(each).__name__,
)
def test_a_clause_ranges_over_all_its_places(clause: Ranging, places: list[Any]) -> None:
    state = SimpleNamespace(capacity=3, n=2, items=[7, 8, 9], two=deque("xy"))
    local = {"done": 2, "keys": {"a": 1, "b": 2}}
    assert list(clause.places(state, local)) == places
    for wrong in places:  # and fails where one place is wrong
        clause.at = lambda s, *place, wrong=wrong: (place[0] if len(place) == 1 else place) != wrong
        assert not clause(state, **local)


# Decorators


def decorated() -> Iterator[Any]:
    """Yield the methods of checked classes as (their module's names, decorators by name)."""
    for module in {column.module.__name__: column.module for column in COLUMNS}.values():
        for each in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(each, ast.FunctionDef | ast.ClassDef) and each.decorator_list:
                calls = [call for call in each.decorator_list if isinstance(call, ast.Call)]
                name = f"{module.__name__.rpartition('.')[2]}.{each.name}, line {each.lineno}"
                yield pytest.param(vars(module), [(ast.unparse(call.func), call) for call in calls], id=name)


@pytest.mark.parametrize(("names", "stated"), list(decorated()))
def test_old_values_are_taken_before_and_read_after(names: Any, stated: list[tuple[str, ast.Call]]) -> None:
    read = [ast.unparse(call.args[0]) for kind, call in stated if kind == "ensure"]
    for kind, call in stated:
        if kind == "snapshot":
            (name,) = [ast.literal_eval(keyword.value) for keyword in call.keywords if keyword.arg == "name"]
            assert any(f"OLD.{name}" in each for each in read), f"nothing reads OLD.{name}"
        for function in (each for each in ast.walk(call) if isinstance(each, ast.Lambda)):
            used = {each.id for each in ast.walk(function.body) if isinstance(each, ast.Name)}
            assert {each.arg for each in function.args.args} <= used, ast.unparse(function)
        for inner in (each for each in ast.walk(call) if isinstance(each, ast.Call) and each is not call):
            given = [ast.unparse(each) for each in inner.args]
            assert len({*given}) == len(given), f"one value twice: {ast.unparse(inner)}"
            predicate = names.get(ast.unparse(inner.func))
            for name, text in zip(inspect.signature(predicate).parameters if predicate else (), given, strict=False):
                assert name not in ("before", "old") or "OLD." in text, f"{name} is of the state after: {text}"


# Clauses in wrong states


def test_a_step_of_daba_has_one_result() -> None:
    states = [dict(zip("FLRABE", (0, *p), strict=True)) for p in itertools.combinations_with_replacement(range(8), 5)]
    found = [SimpleNamespace(**state) for state in states]
    before = [s for s in found if s.E > 0 and daba.one_short(s)]
    assert len(before) > 15
    for old in map(daba.lengths, before):
        cases = (daba.singleton, daba.flip, daba.shift, daba.shrink)
        after = {daba.lengths(s) for s in found if all(case(s, old) for case in cases)}
        assert len(after) == 1, (old, after)


@pytest.mark.parametrize(("values", "right"), [("a---", True), ("ab--", False), ("----", False)])
def test_a_slot_outside_of_the_window_is_empty(values: str, right: bool) -> None:
    row = {slot: None if v == "-" else v for slot, v in enumerate(values, start=1)}
    model = SimpleNamespace(size=1)
    state = SimpleNamespace(capacity=4, tickets=row, model=model, value=lambda slot: row[slot] or BOTTOM)
    assert holes(state) == right


def test_a_slice_that_nobody_needs_is_not_active() -> None:
    for is_active, noted, right in ((True, [], False), (False, [], True), (True, [5], True)):
        state = SimpleNamespace(store=SimpleNamespace(first=5), open=[noted], number=5, is_active=is_active)
        assert dropped(state, (), 5) == right


@pytest.mark.parametrize("looking", [0, 1])
def test_the_shadow_of_cutty_knows_which_records_begin_slices(looking: int) -> None:
    window = CheckedCutty(CONCATENATION, *functions(1, looking))
    for letter, begin in zip("abcde", (1, 0, 1, 0, 0), strict=True):
        kept = window.store.last
        window.insert(((Marks(begin),), (Looks(),) * looking), letter)
        assert window.cuts == (letter == "a" or window.store.last > kept)
