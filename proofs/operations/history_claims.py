"""The claim that CrossHair confirms an algorithm's bounded histories.

Those of a family are in its `bounded_histories` (swagproof.proofs.in_order.bounded_histories), the mutants that
CrossHair must refute in its `wrong_histories`.
"""

from functools import partial
from typing import Final

from swagproof.proofs.ledger.claim import IN_ORDER, Claim, Control, Outcome, Source, cite, code_of
from swagproof.proofs.operations.crosshair import check, conclude
from swagproof.reference.catalogue import Column

SECONDS: Final = 100.0
"""Processor time for the histories of one algorithm; those confirmed take up to 20."""


def confirm(*targets: str) -> Outcome:
    """Ask CrossHair about these functions: it holds only if each is confirmed over all paths."""
    return conclude(check(targets, per_condition_timeout=SECONDS))


def history_claim(
    column: Column,
    *mutants: str,
    source: Source | None = None,
    longest: int = 8,
    checked: int = 5,
    lookups: int | None = None,
    over: str = "the free monoid",
    answers: str = "the query returns the product of the window",
    steps: str = "inserts and evicts",
) -> Claim:
    """The claim about an algorithm: histories of up to `longest` operations, and of up to `checked` under contracts.

    With `lookups`, histories of up to so many end in a look-up of the newest elements.  `mutants` are the names of
    those in `wrong_histories`, without that of the algorithm.
    """
    family, name = column.module.__name__.split(".")[-2:]
    histories, wrong = (f"swagproof.proofs.{family}.{kind}_histories" for kind in ("bounded", "wrong"))
    looked_up = f", after every history of up to {lookups} a look-up that of the newest elements"
    functions = (f"{name}_history", f"checked_{name}_history", f"{name}_lookups")[: 2 if lookups is None else 3]
    return Claim(
        id=f"{column.slug}/histories",
        statement=f"After every history of up to {longest} operations {answers}"
        f"{looked_up * (lookups is not None)}, and after every history of up to {checked} all contracts hold.",
        source=source or cite(IN_ORDER, place="section 2.1"),
        algorithm=column.name,
        kind="exhaustive",
        engine="CrossHair",
        scope=f"histories of up to {longest} {steps}, of up to {checked} under contracts, over {over}",
        code=code_of(column.algorithm),
        check=partial(confirm, *(f"{histories}.{function}" for function in functions)),
        controls=tuple(
            Control(mutant.replace("_", " "), partial(confirm, f"{wrong}.{name}_{mutant}")) for mutant in mutants
        ),
        not_covered="longer histories",
    )
