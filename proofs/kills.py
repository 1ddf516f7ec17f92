"""The rejections of each mutant: the obligation that a proof refutes, the contract that a short history violates."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from swagproof.proofs.explorer.workers import Worker
from swagproof.proofs.flat_trees import flat_fat, reactive_aggregator
from swagproof.proofs.in_order import (
    daba,
    daba_lite,
    fifo,
    recalculate,
    subtract_on_evict,
    two_stacks,
    two_stacks_lite,
)
from swagproof.proofs.ledger.mutants import Mutant, Mutants
from swagproof.proofs.related_work import techniques
from swagproof.proofs.sharing import ordered_sharing, stream_sharing, timegram
from swagproof.proofs.slicing import cutty, deterministic, queries, slices
from swagproof.proofs.trees import b_tree, fiba, fiba_bulk, out_of_order
from swagproof.reference.catalogue import Column


@dataclass(frozen=True)
class Kill:
    """A mutant with its rejections, which are None if there is none."""

    algorithm: str
    name: str
    changes: tuple[str, ...]
    hidden: str
    """The reason why no answer shows it, if any."""
    proof: str | None
    contract: str | None


Judge = Callable[[Column, Mutant], str | None]
"""A function that returns the rejection of an algorithm's mutant by name, or None."""


@dataclass(frozen=True)
class Suspects:
    """The mutants of one algorithm, with the functions that reject them."""

    mutants: Mutants[Column]
    refuted: Callable[[Mutant], str | None]
    """The function that returns the obligation refuted by a proof or an exhaustive exploration."""
    violated_contract: Callable[[Mutant], str | None]
    """The function that returns the contract that a shortest history violates; requires full contracts."""

    @property
    def algorithm(self) -> str:
        """The name of the algorithm."""
        return self.mutants.columns[0].name


def _of_family(refuted: Judge, violated_contract: Judge, families: Iterable[Mutants[Column]]) -> Iterator[Suspects]:
    """Yield the suspects of algorithms that share their functions, which take the column and the mutant."""
    for mutants in families:
        column = mutants.columns[0]
        yield Suspects(mutants, partial(refuted, column), partial(violated_contract, column))


SUSPECTS: Final = (
    *_of_family(
        fifo.refuted,
        fifo.violated_contract,
        (
            two_stacks.WRONG,
            two_stacks_lite.WRONG,
            daba.WRONG,
            daba_lite.WRONG,
            recalculate.WRONG,
            subtract_on_evict.WRONG,
        ),
    ),
    Suspects(flat_fat.WRONG, flat_fat.refuted, flat_fat.violated_contract),
    *_of_family(
        reactive_aggregator.refuted,
        reactive_aggregator.violated_contract,
        (reactive_aggregator.WRONG, reactive_aggregator.WRONG_FIFO, reactive_aggregator.WRONG_B_INT),
    ),
    *_of_family(
        out_of_order.refuted,
        out_of_order.violated_contract,
        (b_tree.WRONG, fiba.WRONG),
    ),
    Suspects(fiba_bulk.WRONG, fiba_bulk.refuted, fiba_bulk.violated_contract),
    *_of_family(
        slices.refuted,
        queries.violated_contract,
        (slices.WRONG_PANES, slices.WRONG_PAIRS, slices.WRONG_STARTS),
    ),
    Suspects(cutty.WRONG, cutty.refuted, deterministic.violated_contract),
    *_of_family(
        techniques.refuted,
        techniques.violated_contract,
        (techniques.WRONG_FIT, techniques.WRONG_SLICK, techniques.WRONG_SLICING),
    ),
    *(
        Suspects(each.WRONG, each.SEARCH.refuted, each.SEARCH.violated_contract)
        for each in (stream_sharing, timegram, ordered_sharing)
    ),
)
"""All mutants, by algorithm."""


def kill(algorithm: str, name: str) -> Kill:
    """Return the rejections of a mutant.  Requires full contracts."""
    suspects = next(suspects for suspects in SUSPECTS if suspects.algorithm == algorithm)
    mutant = next(mutant for mutant in suspects.mutants if mutant.name == name)
    return Kill(
        algorithm,
        mutant.name,
        tuple(map(str, mutant.edits)),
        mutant.hidden,
        suspects.refuted(mutant),
        suspects.violated_contract(mutant),
    )


def kills() -> Iterator[Kill]:
    """Yield every mutant with its rejections, under full contracts."""
    with Worker(full=True) as full:
        for suspects in SUSPECTS:
            for mutant in suspects.mutants:
                yield full.run(kill, suspects.algorithm, mutant.name)
