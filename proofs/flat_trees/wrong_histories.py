"""Histories of mutants, which CrossHair must refute: the controls of `swagproof.proofs.flat_trees.bounded_histories`.

Those that combine in vain answer right: contracts refute them.
"""

from typing import Final

from swagproof.proofs.flat_trees import bounded_histories, flat_fat_wrong
from swagproof.proofs.flat_trees import reactive_aggregator_wrong as wrong
from swagproof.proofs.flat_trees.bounded_histories import any_order_answers, tree_answers
from swagproof.proofs.in_order.bounded_histories import answers
from swagproof.reference.flat_trees.base_intervals import BaseIntervals
from swagproof.reference.flat_trees.flat_fat import FlatFat
from swagproof.reference.flat_trees.reactive_aggregator import ReactiveAggregator
from swagproof.reference.flat_trees.reactive_aggregator_fifo import ReactiveAggregatorFifo

FLAT_FAT_UPDATE_SWAPPED: Final = flat_fat_wrong.WRONG.get("update swaps the operands").of(FlatFat)
FLAT_FAT_UPDATE_COMBINES_TWICE: Final = flat_fat_wrong.WRONG.get("update combines twice").checked(
    FlatFat, bounded_histories.FLAT_FAT
)
REACTIVE_AGGREGATOR_IDLE_QUERY: Final = wrong.WRONG.get("query does not apply what is pending").of(ReactiveAggregator)
REACTIVE_AGGREGATOR_QUERY_COMBINES: Final = wrong.WRONG.get("query combines in vain").checked(
    ReactiveAggregator, bounded_histories.REACTIVE_AGGREGATOR
)
REACTIVE_AGGREGATOR_FIFO_SLOT_ORDER: Final = wrong.WRONG_FIFO.get("an inverted buffer is read in slot order").of(
    ReactiveAggregatorFifo
)
REACTIVE_AGGREGATOR_FIFO_INSERT_COMBINES: Final = wrong.WRONG_FIFO.get("insert combines in vain").checked(
    ReactiveAggregatorFifo, bounded_histories.REACTIVE_AGGREGATOR_FIFO
)
BASE_INTERVALS_HALVES_SWAPPED: Final = wrong.WRONG_B_INT.get("insert swaps the halves").of(BaseIntervals)
BASE_INTERVALS_INSERT_COMBINES: Final = wrong.WRONG_B_INT.get("insert combines in vain").checked(
    BaseIntervals, bounded_histories.BASE_INTERVALS
)


def flat_fat_update_swapped(writes: list[bool]) -> bool:
    """
    pre: len(writes) <= 6
    post: _
    """
    return tree_answers(FLAT_FAT_UPDATE_SWAPPED, writes)


def flat_fat_update_combines_twice(writes: list[bool]) -> bool:
    """
    pre: len(writes) <= 4
    post: _
    """
    return tree_answers(FLAT_FAT_UPDATE_COMBINES_TWICE, writes)


def reactive_aggregator_query_applies_nothing(steps: list[int]) -> bool:
    """
    pre: len(steps) <= 5
    post: _
    """
    return any_order_answers(REACTIVE_AGGREGATOR_IDLE_QUERY, steps)


def reactive_aggregator_query_combines(steps: list[int]) -> bool:
    """
    pre: len(steps) <= 4
    post: _
    """
    return any_order_answers(REACTIVE_AGGREGATOR_QUERY_COMBINES, steps)


def reactive_aggregator_fifo_slot_order(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 7
    post: _
    """
    return answers(REACTIVE_AGGREGATOR_FIFO_SLOT_ORDER, steps)


def reactive_aggregator_fifo_insert_combines(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 5
    post: _
    """
    return answers(REACTIVE_AGGREGATOR_FIFO_INSERT_COMBINES, steps)


def base_intervals_halves_swapped(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 8
    post: _
    """
    return answers(BASE_INTERVALS_HALVES_SWAPPED, steps)


def base_intervals_insert_combines(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 5
    post: _
    """
    return answers(BASE_INTERVALS_INSERT_COMBINES, steps)
