"""Histories of mutants, which CrossHair must refute: the controls of `swagproof.proofs.flat_trees.bounded_histories`.

Those that combine in vain answer right: contracts refute them.
"""

from swagproof.contracts.visible import enforced
from swagproof.proofs.flat_trees import flat_fat
from swagproof.proofs.flat_trees import reactive_aggregator_wrong as wrong
from swagproof.proofs.flat_trees.bounded_histories import any_order_history, tree_answers
from swagproof.proofs.in_order.bounded_histories import history
from swagproof.proofs.in_order.wrong_histories import wrong_under_contracts
from swagproof.reference.flat_trees.base_intervals import BaseIntervals, CheckedBaseIntervals
from swagproof.reference.flat_trees.flat_fat import CheckedFlatFat, FlatFat
from swagproof.reference.flat_trees.reactive_aggregator import CheckedReactiveAggregator, ReactiveAggregator
from swagproof.reference.flat_trees.reactive_aggregator_fifo import (
    CheckedReactiveAggregatorFifo,
    ReactiveAggregatorFifo,
)

flat_fat_update_swapped = history(flat_fat.WRONG.get("update swaps the operands").of(FlatFat), 6, tree_answers)
flat_fat_update_combines_twice = wrong_under_contracts(
    flat_fat.WRONG.get("update combines twice"), FlatFat, CheckedFlatFat, 4, tree_answers
)
reactive_aggregator_query_applies_nothing = any_order_history(
    wrong.WRONG.get("query does not apply what is pending").of(ReactiveAggregator), 5
)
reactive_aggregator_query_combines = any_order_history(
    wrong.WRONG.get("query combines in vain").checked(ReactiveAggregator, enforced(CheckedReactiveAggregator)), 4
)
reactive_aggregator_fifo_slot_order = history(
    wrong.WRONG_FIFO.get("an inverted buffer is read in slot order").of(ReactiveAggregatorFifo), 7
)
reactive_aggregator_fifo_insert_combines = wrong_under_contracts(
    wrong.WRONG_FIFO.get("insert combines in vain"), ReactiveAggregatorFifo, CheckedReactiveAggregatorFifo
)
base_intervals_halves_swapped = history(wrong.WRONG_B_INT.get("insert swaps the halves").of(BaseIntervals))
base_intervals_insert_combines = wrong_under_contracts(
    wrong.WRONG_B_INT.get("insert combines in vain"), BaseIntervals, CheckedBaseIntervals
)
