"""Every reference algorithm, with the class under contracts and the contracts: one column of the house each."""

from dataclasses import dataclass
from typing import Any, Final

from swagproof.contracts.flat_trees import base_intervals, flat_fat, reactive_aggregator, reactive_aggregator_fifo
from swagproof.contracts.in_order import daba, daba_lite, recalculate, subtract_on_evict, two_stacks, two_stacks_lite
from swagproof.contracts.sharing import ordered_sharing, stream_sharing, timegram
from swagproof.contracts.trees import b_tree, fiba
from swagproof.reference.flat_trees.base_intervals import BaseIntervals, CheckedBaseIntervals
from swagproof.reference.flat_trees.flat_fat import CheckedFlatFat, FlatFat
from swagproof.reference.flat_trees.reactive_aggregator import CheckedReactiveAggregator, ReactiveAggregator
from swagproof.reference.flat_trees.reactive_aggregator_fifo import (
    CheckedReactiveAggregatorFifo,
    ReactiveAggregatorFifo,
)
from swagproof.reference.in_order.daba import CheckedDaba, Daba
from swagproof.reference.in_order.daba_lite import CheckedDabaLite, DabaLite
from swagproof.reference.in_order.recalculate import CheckedRecalculate, Recalculate
from swagproof.reference.in_order.subtract_on_evict import CheckedSubtractOnEvict, SubtractOnEvict
from swagproof.reference.in_order.two_stacks import CheckedTwoStacks, TwoStacks
from swagproof.reference.in_order.two_stacks_lite import CheckedTwoStacksLite, TwoStacksLite
from swagproof.reference.sharing.ordered_sharing import CheckedOrderedSharing, OrderedSharing
from swagproof.reference.sharing.stream_sharing import CheckedNaiveStream, NaiveStream
from swagproof.reference.sharing.timegram import CheckedTimeGram, TimeGram
from swagproof.reference.trees.b_tree import BTree, CheckedBTree
from swagproof.reference.trees.fiba import CheckedFiba, Fiba


@dataclass(frozen=True)
class Column:
    """An algorithm through the house."""

    name: str
    algorithm: type[Any]
    """The literal transcription, run as it is."""
    checked: type[Any]
    """The same under its contracts."""
    contract: Any
    """The module of its contracts."""

    @property
    def slug(self) -> str:
        """Its name in ids."""
        return self.name.lower().replace(",", "").replace(" ", "-")

    @property
    def subtracts(self) -> bool:
        """Whether it asks for an operation with `remove`."""
        return self.algorithm is SubtractOnEvict


TWO_STACKS: Final = Column("Two-Stacks", TwoStacks, CheckedTwoStacks, two_stacks)
TWO_STACKS_LITE: Final = Column("Two-Stacks Lite", TwoStacksLite, CheckedTwoStacksLite, two_stacks_lite)
DABA: Final = Column("DABA", Daba, CheckedDaba, daba)
DABA_LITE: Final = Column("DABA Lite", DabaLite, CheckedDabaLite, daba_lite)
RECALCULATE: Final = Column("Recalculate-from-scratch", Recalculate, CheckedRecalculate, recalculate)
SUBTRACT_ON_EVICT: Final = Column("Subtract-on-evict", SubtractOnEvict, CheckedSubtractOnEvict, subtract_on_evict)

FIFO: Final = (TWO_STACKS, TWO_STACKS_LITE, DABA, DABA_LITE, RECALCULATE, SUBTRACT_ON_EVICT)

FLAT_FAT: Final = Column("FlatFAT", FlatFat, CheckedFlatFat, flat_fat)
REACTIVE_AGGREGATOR: Final = Column(
    "Reactive Aggregator", ReactiveAggregator, CheckedReactiveAggregator, reactive_aggregator
)
REACTIVE_AGGREGATOR_FIFO: Final = Column(
    "Reactive Aggregator, FIFO", ReactiveAggregatorFifo, CheckedReactiveAggregatorFifo, reactive_aggregator_fifo
)
BASE_INTERVALS: Final = Column("Base intervals", BaseIntervals, CheckedBaseIntervals, base_intervals)

B_TREE: Final = Column("B-tree", BTree, CheckedBTree, b_tree)
FIBA: Final = Column("FiBA", Fiba, CheckedFiba, fiba)

STREAM: Final = Column("STREAM", NaiveStream, CheckedNaiveStream, stream_sharing)
TIMEGRAM: Final = Column("TimeGram", TimeGram, CheckedTimeGram, timegram)
ORDERED_SHARING: Final = Column("OrderedSharing", OrderedSharing, CheckedOrderedSharing, ordered_sharing)
