"""Theorems: the verdict of a claim from the obligations of its symbolic runs.

Each method relies on invariants that the other methods keep.  So a claim fails if any obligation fails in the runs that
it rests on, even one that is not its own (`Theorem.check`).  A mutant, however, must be refuted on the claim's own
obligations (`Theorem.reject`); otherwise a claim that states nothing would reject the mutants of others.

A `Theorem` names the runs, the function that explores one, and the obligations that state the claim; `ProvedRuns` holds
the common part of the theorems about one algorithm.  `conclude` and `conclude_coverage` turn an `Exploration` into an
`Outcome`, which any unknown obligation, vacuous path or idle path makes `unknown`.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

from swagproof.proofs.engine.obligation import Obligation
from swagproof.proofs.engine.paths import Exploration, Failure, Path, explore
from swagproof.proofs.engine.run import make_runnable
from swagproof.proofs.engine.settings import Refutation, settings, using
from swagproof.proofs.engine.source.coverage import Condition, find_unreached
from swagproof.proofs.ledger.claim import Claim, Outcome, Source
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.reference.catalogue import Column

ENGINE: Final = "symbolic execution, Z3"
"""The engine of claims that are theorems."""

Run = TypeVar("Run", bound=str)
"""The name of a run: an operation, or a step."""


Enough = Callable[[Exploration], bool]
"""A function that returns whether the findings are enough."""


@dataclass(frozen=True)
class Families:
    """Families of obligations, by clause, from which claims select their own; a clause may be in several."""

    clauses: Mapping[str, Collection[str]]
    rest: str
    """The family of the clauses that are in no family, or only in those named by `also`."""
    also: Collection[str] = ()

    def of(self, *selected: str) -> Callable[[Obligation], bool]:
        """Return whether an obligation is in one of these families."""

        def states(obligation: Obligation) -> bool:
            found = {name for name, clauses in self.clauses.items() if obligation.clause in clauses}
            return bool(found.intersection(selected)) or (self.rest in selected and found <= set(self.also))

        return states


@dataclass(frozen=True, kw_only=True)
class Theorem(Generic[Run]):
    """A theorem about symbolic runs: its own obligations, and the runs that it rests on."""

    proof: "ProvedRuns[Run]"
    """The symbolic runs of the algorithm."""
    runs: Sequence[Run]
    """The runs with its own obligations."""
    rests_on: Sequence[Run]
    """All runs that it rests on, including its own."""
    states: Callable[[Obligation], bool] = lambda obligation: True
    """The predicate that selects the theorem's own obligations, by clause and place; by default all of them."""
    lemmas: Callable[[], Exploration] = Exploration
    """The exploration of the lemmas that it rests on."""

    def claim(self, **said: Any) -> Claim:
        """Return the claim that the theorem is proved; `said` has the other fields."""
        return Claim(kind="proved", engine=ENGINE, check=self.check, reject=self.reject, **said)

    def check(self, mutant: Mutant | None = None) -> Outcome:
        """Prove the theorem for the reference (or a mutant), or refute it with a counterexample."""
        report, stated = Exploration(), 0
        for run in self.rests_on:
            found = self.proof.run(run, mutant)
            report.merge(_name(found, run))
            if run in self.runs:
                stated += sum(count for name, count in found.shown.items() if self.states(name))
        report.merge(self.lemmas())
        return conclude(report, stated=stated)

    def reject(self, mutant: Mutant) -> Outcome:
        """Refute a mutant on one of the theorem's own obligations."""
        report, runs, hint = Exploration(), self.proof.affected(mutant, self.runs), settings().hint
        if hint is not None and hint.run in runs:
            with using(way=hint.way, whole=settings().all_there):
                run = next(run for run in runs if run == hint.run)
                found = self._run_until_refuted(run, mutant)
            if self.refuted(found):
                return self._refute(found, run)
        for run in runs:
            found = self._run_until_refuted(run, mutant)
            report.merge(found)
            if self.refuted(report):
                return self._refute(report, run)
        return conclude(report, [], stated=sum(report.shown.values()))

    def _run_until_refuted(self, run: Run, mutant: Mutant) -> Exploration:
        return _name(self.proof.run(run, mutant, lambda report: bool(self.refuted(report))), run)

    def _refute(self, report: Exploration, run: Run) -> Outcome:
        """Return the outcome for the obligations that are refuted in a run."""
        refuted = self.refuted(report)
        found = conclude(report, refuted, stated=sum(report.shown.values()))
        return replace(found, refutation=Refutation(run, refuted[0].way))

    def refuted(self, report: Exploration) -> list[Failure]:
        """Return the theorem's own obligations that have a counterexample."""
        return [failure for failure in report.failures if self.states(failure.obligation) and not failure.unknown]


@dataclass(frozen=True, kw_only=True, eq=False)
class ProvedRuns(Generic[Run]):
    """The symbolic runs of one algorithm, from which each of its theorems selects its own."""

    algorithm: str = ""
    slug: str = ""
    """The algorithm's name, and its part of ids, for `claim`."""
    explore: Callable[[Run, Mutant | None, Enough], Exploration]
    """The function that explores a run of the algorithm, or of a mutant, until the findings are enough."""
    names: Sequence[Run]
    runs_of: Mapping[str, Sequence[Run]] = field(default_factory=dict[str, Sequence[Run]])
    """The runs that a change of a method affects, the likeliest first; all runs for methods not listed."""
    lemmas: Callable[[], Exploration] = Exploration

    @cache  # noqa: B019  # the objects of this class are constants
    def explore_reference(self, run: Run) -> Exploration:
        """Return the complete run of the reference."""
        return self.explore(run, None, lambda report: False)

    def run(self, run: Run, mutant: Mutant | None, enough: Enough = lambda report: False) -> Exploration:
        """Return the run of the reference, or the run of a mutant until the findings are enough."""
        return self.explore_reference(run) if mutant is None else self.explore(run, mutant, enough)

    def affected(self, mutant: Mutant, runs: Sequence[Run]) -> Sequence[Run]:
        """Return the runs, among those given, that a mutant can affect; all of them if none is known to be affected."""
        methods = [edit.method.rpartition(".")[2] for edit in mutant.edits]
        changed = [self.runs_of.get(method, self.names) for method in methods] or [self.names]
        return [run for run in runs if any(run in of_method for of_method in changed)] or runs

    def theorem(
        self,
        *,
        states: Callable[[Obligation], bool] = lambda obligation: True,
        runs: Sequence[Run] = (),
        rests_on: Sequence[Run] = (),
        lemmas: Callable[[], Exploration] | None = None,
    ) -> Theorem[Run]:
        """Return the theorem that `runs` meet the obligations in `states`, resting on `rests_on`; by default all."""
        return Theorem(
            proof=self,
            states=states,
            runs=runs or self.names,
            rests_on=rests_on or self.names,
            lemmas=lemmas or self.lemmas,
        )

    def claim(
        self,
        part: str,
        *,
        states: Callable[[Obligation], bool] = lambda obligation: True,
        runs: Sequence[Run] = (),
        rests_on: Sequence[Run] = (),
        lemmas: Callable[[], Exploration] | None = None,
        **said: Any,
    ) -> Claim:
        """Return the claim of `theorem`; `part` is the last part of its id, and `said` has the claim's other fields."""
        proof = self.theorem(states=states, runs=runs, rests_on=rests_on, lemmas=lemmas)
        return proof.claim(id=f"{self.slug}/{part}", algorithm=self.algorithm, **said)

    def every_branch_reached(
        self,
        kind: type[Any],
        made: Callable[[Mutant | None], type],
        *never: str,
        part: str = "proved-branches",
        statement: str = "",
        but: str = "",
        source: Source,
        scope: str,
        code: str,
    ) -> Claim:
        """Return the claim that runs of this kind reach both outcomes of every condition, except those in `never`.

        `made` returns the class of the algorithm, or of a mutant.  Without a `statement`, `but` has the exceptions in
        words.
        """

        def check(mutant: Mutant | None = None) -> Outcome:
            report, changed = Exploration(), () if mutant is None else self.affected(mutant, self.names)
            for run in self.names:
                report.merge(self.run(run, mutant if run in changed else None))
            conditions = make_runnable(kind, made(mutant)).conditions  # type: ignore[arg-type]  # a class is hashable
            return conclude_coverage(report, conditions, never)

        reached = "The proofs reach both outcomes of every condition, and of every loop a turn and the end"
        return Claim(
            id=f"{self.slug}/{part}",
            statement=statement or (f"{reached}, but {but}." if but else f"{reached}."),
            source=source,
            algorithm=self.algorithm,
            kind="proved",
            engine=ENGINE,
            scope=scope,
            code=code,
            check=check,
        )


def runs_of_columns(
    *columns: Column, explore: Callable[..., Exploration], **said: Any
) -> dict[Column, ProvedRuns[Any]]:
    """Return the runs of algorithms that share them, by algorithm; `explore` also takes the `algorithm`."""
    return {
        column: ProvedRuns(
            algorithm=column.name, slug=column.slug, explore=partial(explore, algorithm=column.algorithm), **said
        )
        for column in columns
    }


def runs_of_class(
    *,
    made: Callable[[Mutant | None], Any],
    runs: Mapping[str, Callable[[Any, Path], None]],
    run_with: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> ProvedRuns[str]:
    """Return the runs of a class, one for each operation, from any state that meets the contracts.

    `made` returns the class, or a mutant of it; `runs` has the operations, each a function that runs it for the class
    along one path; `run_with` has the operations that run a method, for methods whose name differs from the
    operation's.  The operation "start" runs the constructor.
    """
    return ProvedRuns(
        explore=partial(_explore_class, made, runs),
        names=tuple(runs),
        runs_of={**{name: (name,) for name in runs}, "__init__": ("start",), **run_with},
    )


def _explore_class(
    made: Callable[[Mutant | None], Any],
    runs: Mapping[str, Callable[[Any, Path], None]],
    operation: str,
    mutant: Mutant | None,
    enough: Enough,
) -> Exploration:
    return explore(partial(runs[operation], made(mutant)), enough)


def _name(report: Exploration, run: str) -> Exploration:
    """Set the name of the run in the recorded paths."""
    for case in report.recording.cases:
        case.run = run
    return report


def conclude(
    report: Exploration, own: Sequence[Failure] | None = None, *, stated: int | None = None, among: str = ""
) -> Outcome:
    """Return the outcome of a claim that rests on all of the report's obligations.

    `own` are the failures that refute the claim (by default, all of them), and `stated` is the number of its own
    obligations: if it is 0, the claim is unknown.  It is also unknown if a path is vacuous or idle.  `among` is
    appended to the number of paths in the detail.
    """
    statistics = {**report.statistics, **({} if stated is None else {"own": stated})}
    refuted = [failure for failure in (report.failures if own is None else own) if not failure.unknown]
    if refuted:
        report.recording.refuted = names = tuple(dict.fromkeys(failure.obligation for failure in refuted))
        detail = f"{', '.join(names)}; from {refuted[0].example}"
        return Outcome("fails", detail, statistics, exploration=report, refuted=names)
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
    """Return the outcome of a claim that the runs reach every outcome of every condition, except those in `but`."""
    missing = find_unreached(conditions, report.outcomes)
    undecided = next((failure for failure in report.failures if failure.unknown), None)
    if undecided:  # the undecided branches may lead to its outcomes
        return Outcome("unknown", f"{undecided.obligation}: not shown: {undecided.example}")
    if missing != list(but):
        return Outcome("fails", f"unreached: {', '.join(missing)}" + (f", expected {', '.join(but)}" if but else ""))
    if not report.sound:
        return Outcome("unknown", "some paths are vacuous: what they reach may not be reached")
    never = f", never: {', '.join(but)}" if but else ""
    return Outcome("holds", f"{len(report.outcomes)} outcomes reached{never}", means="coverage", exploration=report)
