"""Mutants of the Reactive Aggregator, of its form for FIFO and of base intervals."""

from typing import Final

from swagproof.proofs.ledger.mutants import Mutants, mutants_of
from swagproof.reference.catalogue import BASE_INTERVALS, REACTIVE_AGGREGATOR, REACTIVE_AGGREGATOR_FIFO

WRONG: Final = Mutants(REACTIVE_AGGREGATOR, table="reactive-aggregator")
"""Mutants, each refuted by the explorer and by a contract; no valid query shows the hidden ones."""
ALONE: Final = mutants_of("reactive-aggregator", "for one claim")
"""Mutants that a single claim must reject."""
COMPACTS_BELOW_3_4: Final = ALONE["a full buffer is compacted below three quarters, not at them"]
"""A harmless mutant: it keeps every clause, and the account too."""
LOOKS_AT_VALUES: Final = ALONE["a falsy answer is the identity"]


# For FIFO


WRONG_FIFO: Final = Mutants(
    REACTIVE_AGGREGATOR_FIFO,
    table="reactive-aggregator-fifo",
    shared=(
        WRONG.get("prefix comes before suffix"),
        *WRONG.pick(
            "insert combines in vain",
            "evict combines in vain",
            "query combines in vain",
            "insert counts an element twice",
            "a full buffer is moved twice",
            "an emptied buffer is moved three times",
            "a full buffer is made four times as large",
            "the buffer shrinks below a half",
            "the buffer shrinks at a quarter, not below it",
            "the buffer shrinks to a quarter",
            "the buffer never shrinks",
            "the buffer shrinks to nothing",
            "evict does not look whether the window is empty",
            "the buffer wraps a slot late",
            "resize leaves the capacity as it was",
        ),
    ),
)
(FIFO_TREE_KEPT,) = mutants_of("reactive-aggregator-fifo", "for one claim").values()


# Base intervals

WRONG_B_INT: Final = Mutants(BASE_INTERVALS, table="base-intervals")
