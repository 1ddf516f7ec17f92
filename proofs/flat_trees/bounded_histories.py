"""Bounded histories of the flat trees, for CrossHair to confirm over all paths: see swagproof.proofs.in_order.

Each function plays a history over the free monoid, and returns whether the answers at its end are the definition's.
Repeat one manually:

    ICONTRACT_SLOW=1 crosshair check --analysis_kind PEP316 --report_all --per_condition_timeout 100 \\
        swagproof.proofs.flat_trees.bounded_histories.flat_fat_history

The output must say "Confirmed over all paths".
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from swagproof.contracts.visible import Condition, enforced, invariants_of, require_all
from swagproof.models.operations import COLLECT
from swagproof.proofs.in_order.bounded_histories import answers_at_end, checked_history, history
from swagproof.reference.flat_trees.base_intervals import BaseIntervals, CheckedBaseIntervals
from swagproof.reference.flat_trees.flat_fat import CheckedFlatFat, FlatFat
from swagproof.reference.flat_trees.reactive_aggregator import CheckedReactiveAggregator, ReactiveAggregator
from swagproof.reference.flat_trees.reactive_aggregator_fifo import (
    CheckedReactiveAggregatorFifo,
    ReactiveAggregatorFifo,
)

PLACES: Final = 4
"""The places of FlatFAT: a tree of three inner nodes."""


def tree_answers(make: Callable[..., Any], writes: list[bool], invariants: Sequence[Condition] = ()) -> bool:
    """Update a tree of four places, and compare every prefix and suffix at the end with the definition.

    Four booleans are an update: they say which places it writes.  The last may have fewer.
    """
    values = [(i,) for i in range(PLACES)]
    tree, expected = make(COLLECT, list(values)), list(values)
    for first in range(0, len(writes), PLACES):
        changes = list[tuple[int, tuple[int, ...]]]()
        for number in range(first, min(first + PLACES, len(writes))):
            if writes[number]:
                place, value = number - first + 1, (PLACES + number,)
                changes.append((place, value))
                expected[place - 1] = value
        tree.update(changes)
    require_all(invariants, self=tree)
    right = tree.aggregate() == sum(expected, ())
    for i in range(1, PLACES + 1):
        right = right and tree.prefix(i) == sum(expected[:i], ()) and tree.suffix(i) == sum(expected[i - 1 :], ())
    return bool(right)


def any_order_answers(make: Callable[..., Any], steps: list[int], invariants: Sequence[Condition] = ()) -> bool:
    """Play a history on a new window, and compare the answer at its end with the definition.

    0 inserts the next letter, k > 0 evicts the k-th oldest by its ticket, where there is one.
    """
    window, tickets = make(COLLECT), list[int]()
    for number, step in enumerate(steps):
        if step == 0:
            window.insert((number,))
            tickets.append(number)
        else:
            for k in range(len(tickets)):
                if step == k + 1:
                    window.evict(sum(other < tickets[k] and steps[other] == 0 for other in range(number)))
                    del tickets[k]
                    break
    return answers_at_end(window, tuple(tickets), invariants)


def any_order_history(make: Callable[..., Any], longest: int) -> Callable[[list[int]], bool]:
    """Return the law that an algorithm answers rightly after every history of up to `longest` steps."""

    def law(steps: list[int]) -> bool:
        """post: _"""
        return len(steps) > longest or any_order_answers(make, steps)

    return law


def checked_any_order_history(checked: type[Any], longest: int) -> Callable[[list[int]], bool]:
    """Return the same law under contracts, which CrossHair does not switch off."""
    made, invariants = enforced(checked), invariants_of(checked)

    def law_under_contracts(steps: list[int]) -> bool:
        """post: _"""
        return len(steps) > longest or any_order_answers(made, steps, invariants)

    return law_under_contracts


flat_fat_history = history(FlatFat, 6, tree_answers)
checked_flat_fat_history = checked_history(CheckedFlatFat, 4, tree_answers)
reactive_aggregator_history = any_order_history(ReactiveAggregator, 5)
checked_reactive_aggregator_history = checked_any_order_history(CheckedReactiveAggregator, 4)
reactive_aggregator_fifo_history = history(ReactiveAggregatorFifo, 7)
checked_reactive_aggregator_fifo_history = checked_history(CheckedReactiveAggregatorFifo)
base_intervals_history = history(BaseIntervals)
checked_base_intervals_history = checked_history(CheckedBaseIntervals)
