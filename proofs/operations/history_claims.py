"""The claim that CrossHair confirms an algorithm's bounded histories."""

from collections.abc import Iterable
from functools import partial
from typing import Any, Final

from swagproof.proofs.ledger.claim import IN_ORDER, Claim, Control, Outcome, Source, cite, code_of
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.proofs.operations.crosshair import check, conclude
from swagproof.proofs.operations.history_laws import PLAYED, Played, name_law
from swagproof.proofs.operations.history_laws import __name__ as _LAWS
from swagproof.reference.catalogue import Column

_OF_MUTANTS: Final = "swagproof.proofs.operations.mutant_laws"  # not imported: it makes all mutants
SECONDS: Final = 100.0
"""Processor time for the histories of one algorithm; those confirmed take up to 20."""

KINDS: Final = ("{}_history", "checked_{}_history")
"""The functions of each algorithm: of the plain class, and of the checked one."""


def confirm(*targets: str) -> Outcome:
    """Check functions by CrossHair; the outcome holds only if each is confirmed over all paths."""
    return conclude(check(targets, per_condition_timeout=SECONDS))


def history_claim(
    column: Column,
    *,
    source: Source | None = None,
    steps: str = "inserts and evicts",
    answer: str = "the query returns the product of the window",
) -> Claim:
    """Return the claim about the histories of `PLAYED`; `steps` are the operations, and `answer` is right at the end.

    Its mutants are those whose tables name it.
    """
    played = PLAYED[column]
    times = ("{}_times_history",) if played.times else ()
    timed = f", or of up to {played.times} inserts and evicts at any integers as times," if times else ""
    return Claim(
        id=f"{column.slug}/histories",
        statement=f"After every history of up to {played.longest} {steps}{timed} {answer}, and after every "
        f"history of up to {played.checked}{f' {steps}' * bool(times)} all contracts hold.",
        source=source or cite(IN_ORDER, place="section 2.1"),
        algorithm=column.name,
        kind="exhaustive",
        engine="CrossHair",
        scope=f"histories of up to {played.longest} {steps}{timed.rstrip(',')}, of up to {played.checked} under "
        "contracts, over the free monoid",
        code=code_of(column.algorithm),
        check=partial(confirm, *(f"{_LAWS}.{kind.format(played.name)}" for kind in (*KINDS, *times))),
        reject=partial(_reject, played),
        not_covered="longer histories",
    )


def _reject(played: Played, mutant: Mutant) -> Outcome:
    return confirm(f"{_OF_MUTANTS}.{name_law(played.name, mutant.name)}")


def confirmed(column: Column, *mutants: str, kinds: Iterable[str] = KINDS, **said: Any) -> Claim:
    """Return the claim that CrossHair confirms functions of the family's own, and refutes those of the mutants.

    They are in its modules `bounded_histories` and `wrong_histories`.
    """
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
