"""The claim that CrossHair confirms an algorithm's bounded histories."""

from collections.abc import Iterable
from functools import partial
from typing import Final

from swagproof.proofs.ledger.claim import IN_ORDER, Claim, Deep, Outcome, Source, cite, code_of
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.proofs.operations.crosshair import check, conclude
from swagproof.proofs.operations.history_laws import PLAYED, Played, name_law
from swagproof.proofs.operations.history_laws import __name__ as _LAWS
from swagproof.reference.catalogue import Column

_OF_MUTANTS: Final = "swagproof.proofs.operations.mutant_laws"  # not imported, because it makes all mutants
SECONDS: Final = 100.0
"""The processor time for the histories of one algorithm; confirmed ones take up to 20."""

KINDS: Final = ("{}_history", "checked_{}_history")
"""The functions of each algorithm: for the plain class and for the checked one."""
DEEP_KINDS: Final = ("deep_{}_history", "deep_checked_{}_history")
"""The functions with more steps."""


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
    """Return the claim about the histories of `PLAYED`; `steps` are the operations, and `answer` the final claim.

    Its mutants are those whose tables name it.
    """
    played = PLAYED[column]
    longest, checked, times = played.longest, played.checked, played.times
    timed = f", or of up to {times} inserts and evicts at any integers as times," if times else ""
    timed_laws = ("{}_times_history",) if times else ()

    def scope(more: int, checked: int) -> str:
        return (
            f"histories of up to {more} {steps}{timed.rstrip(',')}, of up to {checked} under contracts, "
            "over the free monoid"
        )

    return Claim(
        id=f"{column.slug}/histories",
        statement=f"After every history of up to {longest} {steps}{timed} {answer}, and after every "
        f"history of up to {checked}{f' {steps}' * bool(times)} all contracts hold.",
        source=source or cite(IN_ORDER, place="section 2.1"),
        algorithm=column.name,
        kind="exhaustive",
        engine="CrossHair",
        scope=scope(longest, checked),
        code=code_of(column.algorithm),
        check=partial(_confirm_laws, played, (*KINDS, *timed_laws)),
        reject=partial(_reject, played),
        not_covered="longer histories",
        deep=Deep(scope(longest + played.deeper, checked + 1), partial(_confirm_laws, played, DEEP_KINDS)),
    )


def _confirm_laws(played: Played, kinds: Iterable[str]) -> Outcome:
    return confirm(*(f"{_LAWS}.{kind.format(played.name)}" for kind in kinds))


def _reject(played: Played, mutant: Mutant) -> Outcome:
    return confirm(f"{_OF_MUTANTS}.{name_law(played.name, mutant.name)}")
