"""What rejects each wrong variant: the obligation that a proof refutes, the contract that a short history violates."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Final

from swagproof.proofs.explorer.histories import histories, in_words
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.explorer.workers import worker
from swagproof.proofs.flat_trees import flat_fat, flat_fat_wrong, reactive_aggregator, reactive_aggregator_wrong
from swagproof.proofs.in_order import daba, daba_lite, recalculate, subtract_on_evict, two_stacks, two_stacks_lite
from swagproof.proofs.in_order.fifo import explored
from swagproof.proofs.in_order.fifo_runs import OPERATIONS_OF_FIFO
from swagproof.proofs.in_order.pointer_states import REMOVABLE
from swagproof.proofs.later import techniques as later_techniques
from swagproof.proofs.ledger.variants import Variant, contract_violated_by
from swagproof.proofs.sharing import ordered_sharing, stream_sharing, timegram
from swagproof.proofs.slicing import cutty, deterministic, queries
from swagproof.proofs.slicing import slices as slicing
from swagproof.proofs.slicing import wrong_slices as slicing_wrong
from swagproof.proofs.trees import b_tree, fiba, out_of_order
from swagproof.reference.catalogue import (
    B_TREE,
    BASE_INTERVALS,
    DABA,
    DABA_LITE,
    FIBA,
    REACTIVE_AGGREGATOR,
    REACTIVE_AGGREGATOR_FIFO,
    RECALCULATE,
    SUBTRACT_ON_EVICT,
    TWO_STACKS,
    TWO_STACKS_LITE,
    Column,
)

LONGEST: Final = 9
"""Operations in the longest history tried against the contracts."""


@dataclass(frozen=True)
class Kill:
    """A wrong variant and what rejects it; None where nothing did."""

    algorithm: str
    name: str
    changes: tuple[str, ...]
    hidden: str
    """Why no answer shows it, where that is so."""
    proof: str | None
    contract: str | None

    def as_json(self) -> dict[str, Any]:
        """The row as `swagproof variants --json` writes it."""
        return asdict(self)


def refuted_by_proof(column: Column, variant: Variant) -> str | None:
    """The first obligation that symbolic execution refutes, and the start state that shows it."""
    for operation in OPERATIONS_OF_FIFO:
        for failure in explored(column, variant, operation).failures:
            if not failure.unknown:
                return f"{operation}: {failure.obligation}, from {failure.example}"
    return None


def violated_contract(column: Column, variant: Variant) -> str | None:
    """The contract that the shortest history violates, under full contracts.

    Where the mistake makes the code itself raise before any contract is looked at, the exception.  Linear-time clauses
    are looked at only where ICONTRACT_SLOW is set.
    """
    algorithm = variant.checked(column.algorithm, column.checked)
    for word in histories(LONGEST):
        for asking in (True, False):
            violated = contract_violated_by(partial(_play, algorithm(REMOVABLE), word, asking))
            if violated:
                return f"{violated} after {in_words(word)}"
    violated = contract_violated_by(algorithm(REMOVABLE).evict)
    return f"{violated} after evict" if violated != "EmptyWindowError" else None


def _play(window: Any, word: tuple[str, ...], asking: bool) -> None:
    letters = itertools.cycle(LETTERS)
    for step in word:
        if asking:
            window.query()
        window.insert(next(letters)) if step == "insert" else window.evict()
    window.query()


@dataclass(frozen=True)
class Suspects:
    """The wrong variants of one algorithm, and how they are rejected."""

    algorithm: str
    variants: tuple[Variant, ...]
    proof: Callable[[Variant], str | None]
    """The obligation that a proof, or an exhaustive exploration, refutes."""
    contract: Callable[[Variant], str | None]
    """The contract that a shortest history violates, to be run with full contracts."""

    @classmethod
    def of_fifo(cls, column: Column, variants: tuple[Variant, ...]) -> "Suspects":
        """Of a FIFO algorithm: rejected by symbolic execution."""
        return cls(column.name, variants, partial(refuted_by_proof, column), partial(violated_contract, column))

    @classmethod
    def of_tree(cls, column: Column, variants: tuple[Variant, ...]) -> "Suspects":
        """Of B-tree or FiBA: rejected by exploration."""
        refuted, violated = out_of_order.refuted, out_of_order.violated_contract
        return cls(column.name, variants, partial(refuted, column), partial(violated, column))

    @classmethod
    def of_buffer(cls, column: Column, variants: tuple[Variant, ...]) -> "Suspects":
        """Of the Reactive Aggregator, its FIFO form or base intervals: rejected by exploration."""
        refuted, violated = reactive_aggregator.refuted, reactive_aggregator.violated_contract
        return cls(column.name, variants, partial(refuted, column), partial(violated, column))


SUSPECTS: Final = (
    Suspects.of_fifo(TWO_STACKS, two_stacks.WRONG),
    Suspects.of_fifo(TWO_STACKS_LITE, two_stacks_lite.WRONG),
    Suspects.of_fifo(DABA, daba.WRONG),
    Suspects.of_fifo(DABA_LITE, daba_lite.WRONG),
    Suspects.of_fifo(RECALCULATE, recalculate.WRONG),
    Suspects.of_fifo(SUBTRACT_ON_EVICT, subtract_on_evict.WRONG),
    Suspects("FlatFAT", flat_fat_wrong.WRONG, flat_fat.refuted, flat_fat.violated_contract),
    Suspects.of_buffer(REACTIVE_AGGREGATOR, reactive_aggregator_wrong.WRONG),
    Suspects.of_buffer(REACTIVE_AGGREGATOR_FIFO, reactive_aggregator_wrong.WRONG_FIFO),
    Suspects.of_buffer(BASE_INTERVALS, reactive_aggregator_wrong.WRONG_B_INT),
    Suspects.of_tree(B_TREE, b_tree.WRONG),
    Suspects.of_tree(FIBA, fiba.WRONG),
    *(
        Suspects(f"Slicing: {name}", wrong, partial(slicing.refuted, name), partial(queries.violated_contract, name))
        for name, wrong in slicing_wrong.WRONG.items()
    ),
    Suspects("Cutty", cutty.WRONG, cutty.refuted, deterministic.violated_contract),
    *(
        Suspects(
            name, wrong, partial(later_techniques.refuted, name), partial(later_techniques.violated_contract, name)
        )
        for name, wrong in later_techniques.WRONG.items()
    ),
    Suspects("STREAM", stream_sharing.WRONG, stream_sharing.refuted, stream_sharing.violated_contract),
    Suspects("TimeGram", timegram.WRONG, timegram.refuted, timegram.violated_contract),
    Suspects("OrderedSharing", ordered_sharing.WRONG, ordered_sharing.refuted, ordered_sharing.violated_contract),
)
"""Every wrong variant, by algorithm."""


def kill(algorithm: str, name: str) -> Kill:
    """What rejects this variant.  To be run with full contracts."""
    suspects = next(suspects for suspects in SUSPECTS if suspects.algorithm == algorithm)
    variant = next(variant for variant in suspects.variants if variant.name == name)
    return Kill(
        algorithm,
        variant.name,
        tuple(f"{edit.method}: {edit.old.strip()} -> {edit.new.strip()}" for edit in variant.edits),
        variant.hidden,
        suspects.proof(variant),
        suspects.contract(variant),
    )


def kills() -> Iterator[Kill]:
    """Every wrong variant and what rejects it, under full contracts."""
    with worker(full=True) as full:
        for suspects in SUSPECTS:
            for variant in suspects.variants:
                yield full.submit(kill, suspects.algorithm, variant.name).result()
