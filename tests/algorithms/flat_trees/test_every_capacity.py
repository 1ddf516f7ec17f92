"""Tests of the clauses proved of the Reactive Aggregator at any slot, checked on running code."""

import random
from types import SimpleNamespace
from typing import Any

import pytest

from swagproof.contracts.flat_trees.reactive_aggregator import batch
from swagproof.models.any_order import AnyOrderWindow
from swagproof.models.operations import CONCATENATION
from swagproof.proofs.lemmas import buffer_loops as contract
from swagproof.reference.flat_trees.reactive_aggregator import ReactiveAggregator
from swagproof.reference.flat_trees.reactive_aggregator_fifo import ReactiveAggregatorFifo


def state_of(window: Any, model: AnyOrderWindow[str], start: int, events: int) -> SimpleNamespace:
    """Return a live state with the other values that the clauses refer to."""
    c = window.capacity
    place = {ticket: i for i, ticket in enumerate(model.tickets)}

    def around(x: int, y: int) -> int:
        return (y - x) % c

    def rank(slot: int) -> int:
        between = [(window.F + k - 1) % c + 1 for k in range(around(window.F, slot))]
        return sum(window.tickets[each] is not None for each in between)

    model.place = lambda ticket: place.get(ticket, -1)  # type: ignore[attr-defined]  # the proof's
    asked = {"capacity": c, "value": window.value, "around": around, "rank": rank, "model": model}
    return SimpleNamespace(**vars(window), **asked, start=start, events=events, n=max(c, model.arrived))


@pytest.mark.parametrize("start", [1, 4, 16])
@pytest.mark.parametrize("leaving", ["any", "oldest", "newest", "FIFO"])
def test_the_invariants_hold_as_it_runs(start: int, leaving: str) -> None:
    draw = random.Random(start)
    window: Any = (ReactiveAggregatorFifo if leaving == "FIFO" else ReactiveAggregator)(CONCATENATION, start)
    model, events = AnyOrderWindow(CONCATENATION), 0
    clauses = contract.FIFO if leaving == "FIFO" else contract.ANY_ORDER
    known = [clause for clause in clauses if clause is not contract.noted]  # a tree does not record what was occupied
    for turn in range(160):
        growing = turn // 40 % 2 == 0
        if not model.size or draw.random() < (0.8 if growing else 0.2):
            window.insert("ab"[turn % 2])
            model.insert("ab"[turn % 2])
            events += 1
        else:
            ticket = {"any": draw.choice(model.tickets), "newest": model.tickets[-1]}.get(leaving)
            window.evict(*[] if ticket is None else [ticket])
            model.evict(ticket)
            events += 1
        if draw.random() < 0.3:
            assert window.query() == model.query()
            events = 0
        state = state_of(window, model, start, events)
        assert [clause.__name__ for clause in known if not clause(state)] == []


def test_a_clause_can_fail() -> None:
    window, model = ReactiveAggregator(CONCATENATION, 4), AnyOrderWindow(CONCATENATION)
    for letter in "abc":
        window.insert(letter)
        model.insert(letter)
    window.tickets[2] = None
    state = state_of(window, model, 4, 2)
    failing = [clause for clause in contract.ANY_ORDER if not clause(state)]
    assert failing == [contract.elements, contract.ranks, contract.tickets_lead, batch]
