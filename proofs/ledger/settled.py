"""What a symbolic exploration says of a claim."""

from collections.abc import Sequence

from swagproof.proofs.engine.paths import Exploration, Failure
from swagproof.proofs.ledger.claim import Outcome


def settled(
    report: Exploration, own: Sequence[Failure] | None = None, stated: int | None = None, said: str = ""
) -> Outcome:
    """The outcome of a claim that rests on all of the report's obligations.

    `own` are the failures that refute the claim (all, where not given), `stated` is how many obligations state it; a
    claim of which none was reached is unknown, and so is one that rests on a path that means nothing.  `said` ends the
    detail when it holds.
    """
    statistics = {**report.statistics, **({} if stated is None else {"own": stated})}
    refuted = [failure for failure in (report.failures if own is None else own) if not failure.unknown]
    if refuted:
        names = ", ".join(dict.fromkeys(failure.obligation for failure in refuted))
        return Outcome("fails", f"{names}; from {refuted[0].example}", statistics)
    if report.failures:
        first = next(iter(own or report.failures))
        return Outcome("unknown", f"{first.obligation}: not shown: {first.example}", statistics)
    if not report.sound:
        return Outcome("unknown", f"{report.vacuous} vacuous and {report.idle} idle paths", statistics)
    if stated == 0:
        return Outcome("unknown", "no obligation of its own was reached", statistics)
    obligations = sum(report.shown.values())
    counted = f"{obligations} obligations" if stated is None else f"{stated} obligations of {obligations}"
    return Outcome("holds", f"{counted} on {report.paths} paths{said}", statistics)
