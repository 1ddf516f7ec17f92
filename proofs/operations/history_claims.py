"""The claim that CrossHair confirms an algorithm's bounded histories.

A family's histories are in its module `bounded_histories` (swagproof.proofs.in_order.bounded_histories), and those of
the mutants that CrossHair must refute in `wrong_histories`.
"""

from functools import partial
from typing import Final

from swagproof.proofs.ledger.claim import IN_ORDER, Claim, Control, Outcome, Source, cite, code_of
from swagproof.proofs.operations.crosshair import check, conclude
from swagproof.reference.catalogue import Column

SECONDS: Final = 100.0
"""Processor time for the histories of one algorithm; those confirmed take up to 20."""


def confirm(*targets: str) -> Outcome:
    """Check functions by CrossHair; the outcome holds only if each is confirmed over all paths."""
    return conclude(check(targets, per_condition_timeout=SECONDS))


def history_claim(
    column: Column,
    *mutants: str,
    source: Source | None = None,
    longest: int = 8,
    checked: int = 5,
    steps: str = "inserts and evicts",
    answer: str = "the query returns the product of the window",
) -> Claim:
    """Return the claim about histories of up to `longest` operations, and of up to `checked` under contracts.

    `mutants` are the names of those in `wrong_histories`, without that of the algorithm; `steps` are the operations,
    and `answer` is right at the end.
    """
    family, name = column.module.__name__.split(".")[-2:]
    histories, wrong = (f"swagproof.proofs.{family}.{kind}_histories" for kind in ("bounded", "wrong"))
    return Claim(
        id=f"{column.slug}/histories",
        statement=f"After every history of up to {longest} {steps} {answer}, and after every history of up to "
        f"{checked} all contracts hold.",
        source=source or cite(IN_ORDER, place="section 2.1"),
        algorithm=column.name,
        kind="exhaustive",
        engine="CrossHair",
        scope=f"histories of up to {longest} {steps}, of up to {checked} under contracts, over the free monoid",
        code=code_of(column.algorithm),
        check=partial(confirm, f"{histories}.{name}_history", f"{histories}.checked_{name}_history"),
        controls=tuple(
            Control(mutant.replace("_", " "), partial(confirm, f"{wrong}.{name}_{mutant}")) for mutant in mutants
        ),
        not_covered="longer histories",
    )
