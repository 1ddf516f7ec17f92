"""Every reference algorithm: its class, its checked class, its contracts, its listings and its kind of window.

Code that needs all algorithms (tables, the oracle's searches, tests) takes them from here.  Mutants and costs have
lists of their own, and tests check that these are complete.  Not every algorithm is a window with insert, evict and
query: `kind` states which interface it has.
"""

import sys
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Final, Literal

from swagproof.contracts.flat_trees import base_intervals, flat_fat, reactive_aggregator, reactive_aggregator_fifo
from swagproof.contracts.in_order import daba, daba_lite, recalculate, subtract_on_evict, two_stacks, two_stacks_lite
from swagproof.contracts.related_work import flat_fit, slick_deque, stream_slicing
from swagproof.contracts.sharing import ordered_sharing, stream_sharing, timegram
from swagproof.contracts.slicing import cutty, slices
from swagproof.contracts.trees import b_tree, fiba, fiba_bulk
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
from swagproof.reference.listings import tangwongsan_2015 as general
from swagproof.reference.listings import tangwongsan_2018 as out_of_order
from swagproof.reference.listings import tangwongsan_2021 as in_order
from swagproof.reference.listings import wang_2005 as shared
from swagproof.reference.listings.listing import Listing
from swagproof.reference.related_work.flat_fit import CheckedFlatFit, FlatFit
from swagproof.reference.related_work.slick_deque import CheckedSlickDeque, SlickDeque
from swagproof.reference.related_work.stream_slicing import CheckedStreamSlicing, StreamSlicing
from swagproof.reference.sharing.ordered_sharing import CheckedOrderedSharing, OrderedSharing
from swagproof.reference.sharing.stream_sharing import CheckedNaiveStream, NaiveStream
from swagproof.reference.sharing.timegram import CheckedTimeGram, TimeGram
from swagproof.reference.slicing.cutty import CheckedCutty, Cutty
from swagproof.reference.slicing.pairs import CheckedPairs, Pairs
from swagproof.reference.slicing.panes import CheckedPanes, Panes
from swagproof.reference.slicing.slices import CheckedSliced, Sliced
from swagproof.reference.trees.b_tree import BTree, CheckedBTree
from swagproof.reference.trees.fiba import CheckedFiba, Fiba
from swagproof.reference.trees.fiba_bulk import BulkFiba, CheckedBulkFiba
from swagproof.reference.windows.windowed import Aggregate
from swagproof.reference.windows.windowing import Windowing

Kind = Literal["fifo", "any order", "out of order", "places", "shared", "operator"]
"""The interface: a window that evicts its oldest element; one that removes any element; one ordered by time; places
that are written at any time; windows of several sizes over one stream; an operator over a stream."""


@dataclass(frozen=True)
class Entry:
    """An algorithm of the reference."""

    name: str
    algorithm: type[Any]
    """The literal transcription."""
    kind: Kind = field(kw_only=True)
    listings: tuple[Listing, ...] = field(default=(), kw_only=True)
    """The listings that the paper prints; empty if it describes the algorithm in prose."""
    in_ids: str = field(default="", kw_only=True)
    """The algorithm's name in ids, if it is not the name in lower case."""

    @property
    def module(self) -> ModuleType:
        """The algorithm's module; its docstring has the fields of the tables."""
        return sys.modules[self.algorithm.__module__]

    @property
    def slug(self) -> str:
        """The algorithm's name in ids."""
        return self.in_ids or self.name.lower().replace(",", "").replace(" ", "-")

    @property
    def subtracts(self) -> bool:
        """True if the algorithm needs an operation with `remove`."""
        return self.algorithm is SubtractOnEvict


@dataclass(frozen=True)
class Column(Entry):
    """An algorithm with contracts."""

    checked: type[Any]
    """The class under its contracts."""
    contract: ModuleType
    """The module of its contracts."""

    @property
    def at_once(self) -> tuple[str, ...]:
        """The names of the invariant's clauses that take constant time; the others are checked on request."""
        return tuple(clause.__name__ for clause in self.contract.AT_ONCE)


TWO_STACKS: Final = Column(
    "Two-Stacks", TwoStacks, CheckedTwoStacks, two_stacks, kind="fifo", listings=in_order.TWO_STACKS
)
TWO_STACKS_LITE: Final = Column(
    "Two-Stacks Lite",
    TwoStacksLite,
    CheckedTwoStacksLite,
    two_stacks_lite,
    kind="fifo",
    listings=in_order.TWO_STACKS_LITE,
)
DABA: Final = Column("DABA", Daba, CheckedDaba, daba, kind="fifo", listings=in_order.DABA)
DABA_LITE: Final = Column("DABA Lite", DabaLite, CheckedDabaLite, daba_lite, kind="fifo", listings=in_order.DABA_LITE)
RECALCULATE: Final = Column("Recalculate-from-scratch", Recalculate, CheckedRecalculate, recalculate, kind="fifo")
SUBTRACT_ON_EVICT: Final = Column(
    "Subtract-on-evict", SubtractOnEvict, CheckedSubtractOnEvict, subtract_on_evict, kind="fifo"
)
FIFO: Final = (TWO_STACKS, TWO_STACKS_LITE, DABA, DABA_LITE, RECALCULATE, SUBTRACT_ON_EVICT)
"""The in-order algorithms of 2021, and the algorithms that the paper compares them with."""

FLAT_FAT: Final = Column(
    "FlatFAT",
    FlatFat,
    CheckedFlatFat,
    flat_fat,
    kind="places",
    listings=(general.ALG_1, general.ALG_2, general.ALG_3),
    in_ids="flat-fat",
)
REACTIVE_AGGREGATOR: Final = Column(
    "Reactive Aggregator", ReactiveAggregator, CheckedReactiveAggregator, reactive_aggregator, kind="any order"
)
REACTIVE_AGGREGATOR_FIFO: Final = Column(
    "Reactive Aggregator, FIFO",
    ReactiveAggregatorFifo,
    CheckedReactiveAggregatorFifo,
    reactive_aggregator_fifo,
    kind="fifo",
)
BASE_INTERVALS: Final = Column("Base intervals", BaseIntervals, CheckedBaseIntervals, base_intervals, kind="fifo")
FLAT_TREES: Final = (FLAT_FAT, REACTIVE_AGGREGATOR, REACTIVE_AGGREGATOR_FIFO, BASE_INTERVALS)

B_TREE: Final = Column("B-tree", BTree, CheckedBTree, b_tree, kind="out of order", listings=(out_of_order.FIG_10,))
FIBA: Final = Column(
    "FiBA",
    Fiba,
    CheckedFiba,
    fiba,
    kind="out of order",
    listings=(out_of_order.FIG_7, out_of_order.FIG_8, out_of_order.FIG_10),
)
FIBA_BULK: Final = Column("FiBA, bulk", BulkFiba, CheckedBulkFiba, fiba_bulk, kind="out of order")
TREES: Final = (B_TREE, FIBA, FIBA_BULK)

PANES: Final = Column("Slicing: panes", Panes, CheckedPanes, slices, kind="operator")
PAIRS: Final = Column("Slicing: pairs", Pairs, CheckedPairs, slices, kind="operator")
STARTS: Final = Column("Slicing: starts", Sliced, CheckedSliced, slices, kind="operator")
CUTTY: Final = Column("Cutty", Cutty, CheckedCutty, cutty, kind="operator")
SLICING: Final = (PANES, PAIRS, STARTS, CUTTY)

FLAT_FIT: Final = Column("FlatFIT", FlatFit, CheckedFlatFit, flat_fit, kind="fifo", in_ids="flat-fit")
SLICK_DEQUE: Final = Column("SlickDeque", SlickDeque, CheckedSlickDeque, slick_deque, kind="fifo", in_ids="slick-deque")
STREAM_SLICING: Final = Column("Stream slicing", StreamSlicing, CheckedStreamSlicing, stream_slicing, kind="operator")
RELATED_WORK: Final = (FLAT_FIT, SLICK_DEQUE, STREAM_SLICING)
"""Algorithms that the papers name without printing a listing."""

STREAM: Final = Column("STREAM", NaiveStream, CheckedNaiveStream, stream_sharing, kind="shared", listings=shared.STREAM)
TIMEGRAM: Final = Column("TimeGram", TimeGram, CheckedTimeGram, timegram, kind="shared", listings=shared.TIMEGRAM)
ORDERED_SHARING: Final = Column(
    "OrderedSharing",
    OrderedSharing,
    CheckedOrderedSharing,
    ordered_sharing,
    kind="shared",
    listings=shared.ORDERED_SHARING,
    in_ids="ordered-sharing",
)
SHARING: Final = (STREAM, TIMEGRAM, ORDERED_SHARING)

WINDOWING: Final = Entry("Windowing library", Windowing, kind="operator")
AGGREGATE: Final = Entry("Aggregate operator", Aggregate, kind="operator")
WINDOWS: Final = (WINDOWING, AGGREGATE)
"""Algorithms without contracts, which are compared with the definitions in models."""

COLUMNS: Final[tuple[Column, ...]] = (*FIFO, *FLAT_TREES, *TREES, *SLICING, *RELATED_WORK, *SHARING)
"""Every algorithm with contracts."""
CATALOGUE: Final[tuple[Entry, ...]] = (*COLUMNS, *WINDOWS)
"""Every algorithm."""
