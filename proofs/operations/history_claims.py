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
    times: int = 0,
    bulks: int = 1,
    lookups: int | None = None,
    over: str = "the free monoid",
) -> Claim:
    """Return the claim about histories of up to `longest` operations, and of up to `checked` under contracts.

    `mutants` are the names of those in `wrong_histories`, without that of the algorithm; `steps` are the operations,
    and `answer` is right at the end.  With `lookups`, histories of up to so many end in a look-up of the newest
    elements.  Histories of an out-of-order algorithm are in the order of time; those of up to `times` operations are at
    any times.  Each operation is of `bulks` entries.
    """
    family, name = column.module.__name__.split(".")[-2:]
    histories, wrong = (f"swagproof.proofs.{family}.{kind}_histories" for kind in ("bounded", "wrong"))
    manner = f" of {bulks} entries each" * (bulks > 1) + " in the order of time" * (times > 0 or bulks > 1)
    looked_up = f", after every history of up to {lookups} a look-up that of the newest elements" if lookups else ""
    kinds = [f"{name}_history", f"checked_{name}_history"]
    kinds += [f"{name}_times_history"] * (times > 0) + [f"{name}_lookups"] * bool(lookups)
    return Claim(
        id=f"{column.slug}/histories",
        statement=f"After every history of up to {longest} {steps} {answer}{looked_up}, and after every history of up "
        f"to {checked} all contracts hold.",
        source=source or cite(IN_ORDER, place="section 2.1"),
        algorithm=column.name,
        kind="exhaustive",
        engine="CrossHair",
        scope=f"histories of up to {longest} {steps}{manner}, of up to {checked} under contracts, "
        f"{f'of up to {times} at any integers as times, ' if times else ''}over {over}",
        code=code_of(column.algorithm),
        check=partial(confirm, *(f"{histories}.{kind}" for kind in kinds)),
        controls=tuple(
            Control(mutant.replace("_", " "), partial(confirm, f"{wrong}.{name}_{mutant}")) for mutant in mutants
        ),
        not_covered="longer histories",
    )
