"""Cutty: machine, mutants and claims, worked examples, error cases."""

import random
from collections import Counter
from types import SimpleNamespace
from typing import Any

from support.machines.columns import pytest_generate_mutants
from support.machines.sliced_machines import CuttyMachine
from support.machines.streams import StreamAlgorithm
from support.running.claims import AlgorithmClaims

from swagproof.contracts.slicing import slice_store as contract
from swagproof.models.monoid import Counting
from swagproof.models.operations import CONCATENATION, MEAN
from swagproof.models.windows.window import Event
from swagproof.proofs.engine.source.watched_loops import watch_invariants
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.reference.slicing.cutty import (
    CheckedCutty,
    CountMarks,
    Cutty,
    SliceStore,
)

pytest_generate_tests = pytest_generate_mutants


class TestCutty(StreamAlgorithm, AlgorithmClaims):
    algorithm, checked, machine = Cutty, CheckedCutty, CuttyMachine


def test_the_invariants_of_the_store_hold_at_every_loop_head() -> None:
    chance, told = random.Random("store"), Counter[str]()
    slices: list[str] = [""]

    def state_of(method: str, local: dict[str, Any]) -> Any:
        store = local["self"]
        return SimpleNamespace(**vars(store), n=store.fat.n, model=model, calls=store.monoid.calls)

    def tell(method: str, name: str, holds: bool) -> None:
        assert holds, (method, name)
        told[name] += 1

    model = SimpleNamespace(slice=lambda number: slices[number])
    watched: Any = type("Watched", (SliceStore,), watch_invariants(SliceStore, contract.LOOPS, state_of, tell))
    store = watched(Counting(CONCATENATION))
    for number in range(1, 300):
        slices.append(LETTERS[number] * chance.choice((1, 2)))
        before, fat = store.monoid.calls, store.fat
        store.append(slices[number])
        n = store.fat.n
        assert contract.append_calls(store.monoid.calls - before, n, n.bit_length() - 1, store.fat is not fat)
        assert store.fat is fat or contract.roomy(number - store.first, n)
        if chance.random() < 0.3:
            store.release(chance.randint(store.first, number + 1) if chance.random() < 0.3 else store.first + 1)
        for clause in contract.INVARIANT:
            assert clause(state_of("", {"self": store})), clause.__name__
        if store.first <= number:
            k = chance.randint(store.first, number)
            assert store.suffix(k) == "".join(slices[k : number + 1])
    assert told["short"] > 20


def test_figure_4_slices_at_window_starts() -> None:
    """Check count windows of range 10 and slide 3: s[4, 6] and s[7, 9] are slices of both s[1, 10] and s[4, 13]."""
    cutty = Cutty(CONCATENATION, [CountMarks(10, 3)])
    answers: list[str] = []
    for letter in "abcdefghij":
        answers += [value for _, value in cutty.insert(Event(None, letter), letter)]
    store = cutty.store
    assert [store.slice(number) for number in range(1, store.last + 1)] == ["abc", "def", "ghi"]
    assert cutty.active == "j"
    for letter in "klm":
        answers += [value for _, value in cutty.insert(Event(None, letter), letter)]
    assert answers == ["abcdefghij", "defghijklm"]


def test_one_record_costs_one_combine_call_and_an_average_is_lowered() -> None:
    cutty = CheckedCutty(MEAN, [CountMarks(5, 5)])
    for record in range(1, 5):
        assert cutty.insert(Event(None, record), MEAN.lift(record)) == []
    assert cutty.counting.calls == 3
    ((_, partial),) = cutty.insert(Event(None, 5), MEAN.lift(5))
    assert (MEAN.lower(partial), cutty.counting.calls) == (3, 4)


def test_the_store_stays_within_four_times_the_slices() -> None:
    cutty = Cutty(CONCATENATION, [CountMarks(20, 1)])
    most = 0
    for number in range(500):
        cutty.insert(Event(None, number), "a")
        most = max(most, cutty.store.fat.n)
    assert most <= 4 * 20
    assert cutty.store.last - cutty.store.first + 1 <= 20


def test_nothing_is_kept_between_windows() -> None:
    cutty = CheckedCutty(CONCATENATION, [CountMarks(1, 100)])
    for number in range(50):
        cutty.insert(Event(None, number), "a")
    assert (cutty.counting.calls, cutty.is_active, cutty.store.last) == (0, False, 0)


def test_a_store_by_itself() -> None:
    store = SliceStore(CONCATENATION)
    for number, letter in enumerate("abcdefg", start=1):
        store.append(letter)
        store.release(number - 3)
    assert (store.suffix(4), store.suffix(7), store.slice(5)) == ("defg", "g", "e")
