"""Claims and their checks: the entries of the ledger.

A `Claim` is a sentence with its source, its kind, its scope, its check, and the controls: wrong inputs, mostly mutants
(`Mutant`), which the check must reject.  `check_claim` runs the check and the controls, and returns a `ClaimResult`
with the verdict.  The kind says how far a claim reaches:

- `proved`: every monoid, window size and history, or as its scope says, by symbolic execution of the named code;
- `exhaustive`: every case up to the bound in its scope;
- `sampled`: random cases, with the seed in its scope;
- `argued`: an argument in words, with a check of the parts that can be checked;
- `refuted-as-printed`: a false sentence of a paper, with a counterexample;
- `reading`: an interpretation of a passage that a paper leaves open or that is damaged in the supplied text, with
  counterexamples to the other interpretations.

A claim holds only if its check holds and every control is rejected.  The verdict `unknown` and a surviving control are
never a pass.  Only the ledger contains claims.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from swagproof.proofs.engine.settings import Refutation, using
from swagproof.proofs.ledger.mutants import Mutant, controls_of
from swagproof.proofs.ledger.refutations import find_hint

if TYPE_CHECKING:
    from swagproof.proofs.engine.paths import Exploration, Recording

Kind = Literal["proved", "exhaustive", "sampled", "argued", "refuted-as-printed", "reading"]
Verdict = Literal["holds", "fails", "unknown"]

Means = Literal["obligations", "coverage", "confirmation", "witness"]
"""The means by which a check shows a sentence for all cases without enumerating them.

- `obligations`: Z3 discharges the obligations of each symbolic path (swagproof.proofs.ledger.theorem);
- `coverage`: the symbolic paths reach each outcome of each condition (in the same module);
- `confirmation`: CrossHair confirms it over all paths (swagproof.proofs.operations.crosshair);
- `witness`: an example, for a claim that something exists.
"""

OF_THE_TEXT: Final[tuple[Kind, ...]] = ("refuted-as-printed", "reading")
"""Kinds of claims about a paper's text, listed with the errata.  They do not assert a statement of the text."""


IN_ORDER: Final = "In-Order SWAG (2021)"
OUT_OF_ORDER: Final = "Out-of-Order SWAG (2018)"
STREAM_WINDOWS: Final = "Stream Windows (2018)"
GENERAL: Final = "General SWAG (2015)"
SHARING: Final = "Aggregate Sharing (2005)"

PAPERS: Final = {
    IN_ORDER: "In-Order Sliding-Window Aggregation in Worst-Case Constant Time (2021)",
    OUT_OF_ORDER: "Sub-O(log n) Out-of-Order Sliding-Window Aggregation (2018)",
    STREAM_WINDOWS: "Stream Window Aggregation Semantics and Optimisation (2018)",
    GENERAL: "General Incremental Sliding-Window Aggregation (2015)",
    SHARING: "Aggregate Sharing in Stream Databases (2005)",
}
"""The papers, by the name with which a claim's source begins."""

OURS: Final = "beyond the papers"
"""The source of claims that are not about a paper's sentence."""


@dataclass(frozen=True)
class Source:
    """The source of a claim: a paper's numbered statements, by name, and other places in it.

    A statement counts as checked only if a claim names it here; numbers in other texts, such as an erratum's name, do
    not count.
    """

    paper: str
    """One of `PAPERS`, or `OURS`."""
    statements: tuple[str, ...] = ()
    """Names as the paper numbers them: `Theorem 3.2`, `equation 4.1` (swagproof.proofs.ledger.statements)."""
    place: str = ""
    compared: str = ""
    """The comparison of the claim's sentence with the paper's, beginning with one of `COMPARED`."""
    beside: "Source | None" = None

    def __and__(self, other: "Source") -> "Source":
        """Return this source together with one in another paper."""
        return replace(self, beside=other if self.beside is None else self.beside & other)

    def compare(self, compared: str) -> "Source":
        """Return the same source with this comparison."""
        return replace(self, compared=compared)

    def __iter__(self) -> Iterator["Source"]:
        yield self
        if self.beside is not None:
            yield from self.beside

    @property
    def comparison(self) -> str:
        """The comparisons of the sentence with each of the sources."""
        return "; ".join(each.compared for each in self if each.compared)

    def __str__(self) -> str:
        return "; ".join(", ".join(filter(None, (each.paper, *each.statements, each.place))) for each in self)


COMPARED: Final = ("as printed", "a part", "weaker", "stronger", "corrected", "an instance")
"""The words with which `Source.compared` begins."""


def cite(paper: str, *statements: str, place: str = "", compared: str = "") -> Source:
    """Return the source of a claim in one paper: `cite(IN_ORDER, "Lemma 1", compared="as printed")`."""
    return Source(paper, statements, place, compared)


@dataclass(frozen=True)
class Outcome:
    """The result of a check."""

    verdict: Verdict
    detail: str
    """Counts when it holds; the counterexample when it fails; the reason when it is unknown."""
    statistics: dict[str, Any] = field(default_factory=dict[str, Any])
    means: Means | None = None
    """The means by which it is shown for all cases, if any."""
    exploration: "Exploration | None" = None
    """The symbolic paths with their questions to Z3, if any."""
    refutation: Refutation | None = None
    """The place of the refutation, if a hint can lead to it again."""
    refuted: Sequence[str] = ()
    """The obligations or checks that fail, if it fails."""


@dataclass(frozen=True)
class Control:
    """A control that is not a mutant of the code: a wrong statement or input, with a check that must fail."""

    name: str
    check: Callable[[], Outcome]


@dataclass(frozen=True)
class Deep:
    """A deeper check with a larger scope, too slow for a default run."""

    scope: str
    check: Callable[[], Outcome]


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One sentence, with its check and its controls.

    A check that cannot fail shows nothing.  So a claim names controls that its check must reject, and the same check
    runs on the mutants among them as on the reference.
    """

    id: str
    statement: str
    source: Source
    algorithm: str
    kind: Kind
    engine: str
    scope: str
    code: str
    """The code that the claim is about, as named by `code_of`."""
    check: Callable[..., Outcome]
    """The check of the reference if called without arguments, or of the mutant passed as its argument."""
    controls: Sequence[Mutant | Control] = ()
    """The mutants that `check`, or `reject`, must reject, those of the tables first, and other controls."""
    reject: Callable[[Mutant], Outcome] | None = None
    """The check of a mutant, if it differs from the reference's check: a shorter or stricter one."""
    not_covered: str = ""
    deep: Deep | None = None

    def __post_init__(self) -> None:
        """Add the mutants whose tables name the claim."""
        named = controls_of(self.id)
        object.__setattr__(self, "controls", (*named, *(each for each in self.controls if each not in named)))

    @property
    def paper(self) -> str:
        """The paper with the claim's sentence."""
        return self.source.paper


def code_of(what: type[Any] | ModuleType | Callable[..., Any], *parts: str) -> str:
    """Return a claim's name for a class, module or function, and for the parts of it that the claim is about."""
    name = what.__name__ if isinstance(what, ModuleType) else f"{what.__module__}.{what.__qualname__}"
    return ": ".join([name.removeprefix("swagproof."), *filter(None, [", ".join(parts)])])


def scope_of(claim: Claim, deep: bool = False) -> str:
    """Return the scope of a claim's check, with a note on a deeper one; or the scope of the deeper check."""
    if claim.deep is None:
        return claim.scope
    return claim.deep.scope if deep else f"{claim.scope} (--deep: {claim.deep.scope})"


@dataclass(frozen=True)
class ClaimResult:
    """The result of a claim: the verdicts of its check and of its controls."""

    claim: Claim
    verdict: Verdict
    detail: str
    seconds: float
    controls: tuple[tuple[str, Verdict, str], ...]
    """(name, verdict, detail) of each control; the expected verdict is `fails`."""
    statistics: dict[str, Any]
    deep: bool = False
    """True if the deeper check was run."""
    recordings: "dict[str, Recording]" = field(default_factory=dict[str, "Recording"])
    """The recorded paths, if any: of the check under "", of each control under its name."""
    cached: bool = False
    """True if the result is from an earlier run with the same source and tools; `seconds` is then that run's."""

    @property
    def scope(self) -> str:
        """The scope of the check that was run, with a note on a deeper one."""
        return scope_of(self.claim, self.deep)

    @property
    def surviving(self) -> tuple[str, ...]:
        """The controls that the check did not reject."""
        return tuple(name for name, verdict, _ in self.controls if verdict != "fails")

    def as_json(self) -> dict[str, Any]:
        """Return the result as the JSON object that `swagproof prove --json` writes."""
        claim = self.claim
        cases = {name: [case.as_json() for case in each.cases] for name, each in self.recordings.items()}
        return {
            "id": claim.id,
            "statement": claim.statement,
            "source": str(claim.source),
            "paper": claim.paper,
            "statements": [[each.paper, name] for each in claim.source for name in each.statements],
            "compared": claim.source.comparison,
            "algorithm": claim.algorithm,
            "kind": claim.kind,
            "engine": claim.engine,
            "scope": self.scope,
            "deep": self.deep,
            "code": claim.code,
            "not_covered": claim.not_covered,
            "verdict": self.verdict,
            "detail": self.detail,
            "seconds": round(self.seconds, 3),
            "cached": self.cached,
            "control": [{"name": n, "verdict": v, "refuted_by": how} for n, v, how in self.controls],
            "statistics": self.statistics,
            **({"words": self.recordings[""].words, "cases": cases} if any(cases.values()) else {}),
        }


Reviewer: TypeAlias = Callable[[Claim, Callable[[], Outcome]], Outcome]
"""A function that runs the check of a claim and reviews its outcome."""


def check_claim(claim: Claim, deep: bool = False, review: Reviewer | None = None) -> ClaimResult:
    """Check a claim and its controls; with `deep`, by the deeper check; with `review`, review the outcome.

    An exception in a check, including SystemExit, makes it `unknown`.
    """
    began = time.perf_counter()
    deeper = claim.deep if deep else None
    check = claim.check if deeper is None else deeper.check
    outcome = _run(check if review is None else partial(review, claim, check))
    controls: list[tuple[str, Verdict, str]] = []
    explorations = {"": outcome.exploration}
    for control in claim.controls:
        rejection = reject(claim, control, find_hint(claim.id, control.name))
        controls.append((control.name, rejection.verdict, rejection.detail))
        explorations[control.name] = rejection.exploration
    verdict, detail = outcome.verdict, outcome.detail
    survivors = [f"{name}: {how}" for name, rejected, how in controls if rejected != "fails"]
    if verdict == "holds" and claim.kind == "proved" and outcome.means is None:
        verdict, detail = "unknown", "not a proof: cases were checked, which is another kind of claim"
    elif verdict == "holds" and not controls:
        verdict, detail = "unknown", "no control: a check that cannot fail shows nothing"
    elif verdict == "holds" and survivors:
        verdict, detail = "unknown", f"not rejected: {'; '.join(survivors)}"
    seconds = time.perf_counter() - began
    statistics, went_deep = outcome.statistics, deeper is not None
    recordings = {name: report.recording for name, report in explorations.items() if report is not None}
    return ClaimResult(claim, verdict, detail, seconds, tuple(controls), statistics, went_deep, recordings)


def reject(claim: Claim, control: Mutant | Control, hint: Refutation | None = None) -> Outcome:
    """Return the outcome of a claim's check for a control; first at the place of the hint, if any, then without it."""
    with using(hint=hint, all_there=False):
        found = _run(partial(claim.reject or claim.check, control) if isinstance(control, Mutant) else control.check)
    return found if hint is None or found.verdict == "fails" else reject(claim, control)


TERMINATED: Final = 143
"""The exit code of a terminated `swagproof`."""


def _run(check: Callable[[], Outcome]) -> Outcome:
    try:
        return check()
    except (Exception, SystemExit) as error:
        if isinstance(error, SystemExit) and error.code == TERMINATED:  # sent to swagproof, not raised by the code
            raise
        return Outcome("unknown", f"{type(error).__name__}: {error}")


def give_up(claim: Claim, reason: str, deep: bool = False) -> ClaimResult:
    """Return the result of a claim whose check did not finish."""
    return ClaimResult(claim, "unknown", reason, 0.0, (), {}, deep and claim.deep is not None)


def exit_code(rows: Iterable[ClaimResult]) -> int:
    """Return 1 if a claim fails or a control survives, else 3 if one is unknown or nothing was checked, else 0."""
    rows = list(rows)
    if any(row.verdict == "fails" or any(v == "holds" for _, v, _ in row.controls) for row in rows):
        return 1
    if not rows or any(row.verdict != "holds" or row.surviving for row in rows):
        return 3
    return 0
