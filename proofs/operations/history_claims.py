"""The claim that CrossHair confirms an algorithm's bounded histories.

A family's histories are in its module `bounded_histories` (swagproof.proofs.in_order.bounded_histories), and those of
the mutants that CrossHair must refute in `wrong_histories`.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any, Final

from swagproof.proofs.ledger.claim import IN_ORDER, Claim, Control, Outcome, Source, cite, code_of
from swagproof.proofs.operations.crosshair import check, conclude
from swagproof.reference.catalogue import Column

SECONDS: Final = 100.0
"""Processor time for the histories of one algorithm; those confirmed take up to 20."""

KINDS: Final = ("{}_history", "checked_{}_history")
"""The functions of each algorithm: of the plain class, and of the checked one."""


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
) -> Claim:
    """Return the claim about histories of up to `longest` operations, and of up to `checked` under contracts.

    `mutants` are the names of those in `wrong_histories`, without that of the algorithm; `steps` are the operations,
    and `answer` is right at the end.  With `times`, histories of up to so many
    operations are at any times.
    """
    timed = f", or of up to {times} inserts and evicts at any integers as times," if times else ""
    return confirmed(
        column,
        *mutants,
        kinds=(*KINDS, *["{}_times_history"] * bool(times)),
        id=f"{column.slug}/histories",
        statement=f"After every history of up to {longest} {steps}{timed} {answer}, and after every "
        f"history of up to {checked}{f' {steps}' * bool(times)} all contracts hold.",
        source=source or cite(IN_ORDER, place="section 2.1"),
        algorithm=column.name,
        scope=f"histories of up to {longest} {steps}{timed.rstrip(',')}, of up to {checked} under contracts, "
        "over the free monoid",
        not_covered="longer histories",
    )


def confirmed(column: Column, *mutants: str, kinds: Iterable[str] = KINDS, **said: Any) -> Claim:
    """Return the claim that CrossHair confirms these functions of the family, and refutes those of the mutants."""
    family, name = column.module.__name__.split(".")[-2:]
    histories, wrong = (f"swagproof.proofs.{family}.{kind}_histories" for kind in ("bounded", "wrong"))
    return Claim(
        kind="exhaustive",
        engine="CrossHair",
        code=code_of(column.algorithm),
        check=partial(confirm, *(f"{histories}.{kind.format(name)}" for kind in kinds)),
        controls=tuple(
            Control(mutant.replace("_", " "), partial(confirm, f"{wrong}.{name}_{mutant}")) for mutant in mutants
        ),
        **said,
    )
