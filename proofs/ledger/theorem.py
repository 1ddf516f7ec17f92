"""A theorem: obligations that symbolic runs leave, those among them that state a claim, and what they conclude.

Every method rests on what the others keep, so no claim can be read off its own obligations alone: it fails when any
obligation fails that it rests on.  A wrong variant, however, must be refuted on the claim's own: else a claim that
states nothing would reject whatever another one rejects.  That bargain is struck here for every symbolic engine; what
an engine adds is how it explores a run, and which obligations a claim states.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from swagproof.proofs.engine.coverage import Condition, find_unreached
from swagproof.proofs.engine.paths import Exploration, Failure, following
from swagproof.proofs.ledger.claim import Outcome
from swagproof.proofs.ledger.refutations import Refutation, get_hint, is_told_whole
from swagproof.proofs.ledger.variants import Variant

Run = TypeVar("Run", bound=str)
"""The name of what is run: an operation, or a step."""


@dataclass(frozen=True, kw_only=True)
class Theorem(Generic[Run]):
    """What a claim states of some runs, and what it rests on."""

    explore: Callable[[Run, Variant | None, Callable[[Exploration], bool]], Exploration]
    """Run the reference, or a wrong variant of it, until what was found is enough."""
    states: Callable[[str], bool]
    """Whether an obligation is the theorem's own."""
    runs: Sequence[Run]
    """The runs whose obligations state it."""
    rests_on: Sequence[Run]
    """The runs that it rests on, its own among them."""
    lemmas: Callable[[], Exploration] = Exploration
    """What else it rests on."""
    affected: Callable[[Variant], Iterable[Run]] | None = None
    """Those of the runs that a wrong variant can make a difference to, where that is not all."""

    def check(self, variant: Variant | None = None) -> Outcome:
        """Prove it of the reference, or refute it with a counterexample."""
        report, stated = Exploration(), 0
        for run in self.rests_on:
            found = self.explore(run, variant, lambda report: False)
            report.merge(_name(found, run))
            if run in self.runs:
                stated += sum(count for name, count in found.shown.items() if self.states(name))
        report.merge(self.lemmas())
        return conclude(report, stated=stated)

    def reject(self, variant: Variant) -> Outcome:
        """Refute a wrong variant, on an obligation of its own."""
        runs, hint = [*(self.affected(variant) if self.affected else self.runs)], get_hint()
        for run in (run for run in runs if hint is not None and run == hint.run):
            with following(hint.way if hint else (), whole=is_told_whole()):
                report = _name(self.explore(run, variant, lambda report: bool(self.refuted(report))), run)
            if self.refuted(report):
                return self._refute(report, run)
        report = Exploration()
        for run in runs:
            found = self.explore(run, variant, lambda report: bool(self.refuted(report)))
            report.merge(_name(found, run))
            if self.refuted(report):
                return self._refute(report, run)
        return conclude(report, [], stated=sum(report.shown.values()))

    def _refute(self, report: Exploration, run: Run) -> Outcome:
        """The outcome of what is refuted in a run."""
        refuted = self.refuted(report)
        found = conclude(report, refuted, stated=sum(report.shown.values()))
        return replace(found, refutation=Refutation(run, refuted[0].way))

    def refuted(self, report: Exploration) -> list[Failure]:
        """Its own obligations that have a counterexample."""
        return [failure for failure in report.failures if self.states(failure.obligation) and not failure.unknown]


def _name(report: Exploration, run: str) -> Exploration:
    """Its paths, where they are told, with the name of what was run."""
    for case in report.told.cases:
        case.run = run
    return report


def conclude(
    report: Exploration, own: Sequence[Failure] | None = None, *, stated: int | None = None, among: str = ""
) -> Outcome:
    """The outcome of a claim that rests on all of the report's obligations.

    `own` are the failures that refute the claim (all, where not given), `stated` is how many obligations state it; a
    claim of which none was reached is unknown, and so is one that rests on a path that means nothing.  `among` ends the
    detail when it holds: what was run.
    """
    statistics = {**report.statistics, **({} if stated is None else {"own": stated})}
    refuted = [failure for failure in (report.failures if own is None else own) if not failure.unknown]
    if refuted:
        names = ", ".join(dict.fromkeys(failure.obligation for failure in refuted))
        return Outcome("fails", f"{names}; from {refuted[0].example}", statistics, exploration=report)
    if report.failures:
        first = next(iter(own or report.failures))
        return Outcome("unknown", f"{first.obligation}: not shown: {first.example}", statistics, exploration=report)
    if not report.sound:
        return Outcome("unknown", f"{report.vacuous} vacuous and {report.idle} idle paths", statistics)
    if stated == 0:
        return Outcome("unknown", "no obligation of its own was reached", statistics)
    obligations = sum(report.shown.values())
    rest = f"; all {obligations} with those that they rest on" if stated is not None and stated < obligations else ""
    counted = f"all {obligations if stated is None else stated} obligations"
    return Outcome("holds", f"{counted} on {report.paths} paths{among}{rest}", statistics, "obligations", report)


def conclude_coverage(report: Exploration, conditions: Iterable[Condition], but: Sequence[str] = ()) -> Outcome:
    """The outcome of a claim that the runs reach every outcome of every condition, but those named."""
    missing = find_unreached(conditions, report.outcomes)
    undecided = next((failure for failure in report.failures if failure.unknown), None)
    if undecided:  # the way there may have been open
        return Outcome("unknown", f"{undecided.obligation}: not shown: {undecided.example}")
    if missing != list(but):
        return Outcome("fails", f"unreached: {', '.join(missing)}" + (f", expected {', '.join(but)}" if but else ""))
    if not report.sound:
        return Outcome("unknown", "some paths are vacuous: what they reach may not be reached")
    never = f", never: {', '.join(but)}" if but else ""
    return Outcome("holds", f"{len(report.outcomes)} outcomes reached{never}", means="coverage", exploration=report)
