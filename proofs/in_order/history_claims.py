"""The claim that CrossHair confirms an algorithm's bounded histories (swagproof.proofs.in_order.bounded_histories)."""

from functools import partial
from typing import Final

from swagproof.proofs.ledger.claim import IN_ORDER, Claim, Control, Outcome, Source, cite, code_of
from swagproof.proofs.operations.crosshair import check, conclude
from swagproof.reference.catalogue import Column

HISTORIES: Final = "swagproof.proofs.in_order.bounded_histories"
WRONG: Final = "swagproof.proofs.in_order.wrong_histories"
SECONDS: Final = 100.0
"""Processor time for the histories of one algorithm; those confirmed take up to 20."""


def confirm(*targets: str) -> Outcome:
    """Ask CrossHair about these functions: it holds only if each is confirmed over all paths."""
    return conclude(check(targets, per_condition_timeout=SECONDS))


def history_claim(column: Column, *mutants: str, source: Source | None = None) -> Claim:
    """The claim about an algorithm, with the names of the mutants in `wrong_histories` that CrossHair must refute."""
    name = column.module.__name__.rpartition(".")[2]
    return Claim(
        id=f"{column.slug}/histories",
        statement="After every history of up to 8 operations the query returns the product of the window, and after "
        "every history of up to 5 all contracts hold.",
        source=source or cite(IN_ORDER, place="section 2.1"),
        algorithm=column.name,
        kind="exhaustive",
        engine="CrossHair",
        scope="histories of up to 8 inserts and evicts, of up to 5 under contracts, over the free monoid",
        code=code_of(column.algorithm),
        check=partial(confirm, f"{HISTORIES}.{name}_history", f"{HISTORIES}.checked_{name}_history"),
        controls=tuple(
            Control(mutant.replace("_", " "), partial(confirm, f"{WRONG}.{name}_{mutant}")) for mutant in mutants
        ),
        not_covered="longer histories",
    )
