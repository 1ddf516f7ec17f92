"""The ledger of claims: what is claimed, of which kind, by which engine, and the wrong variant that the check rejects.

Nothing else in the project may claim.  A row's kind says how far it reaches:

- `proved`: for every monoid, window size and history, or as its scope says; by symbolic execution of the code named;
- `exhaustive`: every case up to the bound in its scope;
- `sampled`: with the seed in its scope;
- `argued`: in words, with a check of what can be checked;
- `refuted-as-printed`: a sentence of a paper that does not hold, with the trace that shows it;
- `reading`: a place that a paper leaves open, or that is damaged in the text supplied: how it is read, and that the
  other readings do not do.

A row holds when its check holds and every control of it is rejected.  An answer `unknown` is never a pass, and neither
is a control that survives.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from swagproof.proofs.ledger.needs import NEEDED_BY
from swagproof.proofs.ledger.refutations import Refutation, find_hint, hinting
from swagproof.proofs.ledger.variants import Variant

if TYPE_CHECKING:
    from swagproof.proofs.engine.paths import Exploration, Told

Kind = Literal["proved", "exhaustive", "sampled", "argued", "refuted-as-printed", "reading"]
Verdict = Literal["holds", "fails", "unknown"]

Means = Literal["obligations", "coverage", "confirmation", "witness"]
"""How something can be shown for all cases, none of them looked at by itself.

- `obligations`: each path leaves obligations over unknowns, and Z3 discharges them (swagproof.proofs.ledger.theorem);
- `coverage`: that the paths reach each outcome of each condition, which unknowns decide (the same);
- `confirmation`: CrossHair's, over all paths (swagproof.proofs.operations.confirmed);
- `witness`: of what is claimed to exist, the thing itself.
"""

OF_THE_TEXT: Final[tuple[Kind, ...]] = ("refuted-as-printed", "reading")
"""Kinds of rows about a paper's text: they stand with the errata, and are no row of what the text states."""


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
"""The papers by the name with which the source of a claim begins."""

OURS: Final = "beyond the papers"
"""Where a claim is about no paper's sentence."""


@dataclass(frozen=True)
class Source:
    """What a claim is about: statements that a paper numbers, each by its name, and other places in it.

    A statement counts as looked at only where a claim names it here: a number that merely occurs in some text, in the
    name of an erratum, say, is none.
    """

    paper: str
    """One of `PAPERS`, or `OURS`."""
    statements: tuple[str, ...] = ()
    """Names as the paper numbers them: `Theorem 3.2`, `equation 4.1` (swagproof.proofs.ledger.statements)."""
    place: str = ""
    compared: str = ""
    """How the claim's sentence compares with what stands there: `COMPARED` has the words that it begins with."""
    beside: "Source | None" = None

    def __and__(self, other: "Source") -> "Source":
        """This, and what another paper says of it."""
        return replace(self, beside=other if self.beside is None else self.beside & other)

    def compare(self, compared: str) -> "Source":
        """The same place, for a claim whose sentence compares so."""
        return replace(self, compared=compared)

    def __iter__(self) -> Iterator["Source"]:
        yield self
        if self.beside is not None:
            yield from self.beside

    @property
    def comparison(self) -> str:
        """Return how the sentence compares with what stands in each of the places."""
        return "; ".join(each.compared for each in self if each.compared)

    def __str__(self) -> str:
        return "; ".join(", ".join(filter(None, (each.paper, *each.statements, each.place))) for each in self)


COMPARED: Final = ("as printed", "a part", "weaker", "stronger", "corrected", "an instance")
"""How a sentence can compare with the paper's: the words with which `Source.compared` begins."""


def cite(paper: str, *statements: str, place: str = "", compared: str = "") -> Source:
    """The source of a claim, in one paper: `cite(IN_ORDER, "Lemma 1", compared="as printed")`."""
    return Source(paper, statements, place, compared)


@dataclass(frozen=True)
class Outcome:
    """What a check found."""

    verdict: Verdict
    detail: str
    """Counts when it holds; the counterexample when it fails; the reason when it is unknown."""
    statistics: dict[str, Any] = field(default_factory=dict[str, Any])
    means: Means | None = None
    """By what it is shown, where it is for all cases."""
    exploration: "Exploration | None" = None
    """The paths, and what Z3 was asked on them, where it was."""
    refutation: Refutation | None = None
    """Where it was refuted, where that can be looked for again."""


@dataclass(frozen=True)
class Control:
    """Something wrong that a check of its own must find to fail, where it is no variant of the code."""

    name: str
    check: Callable[[], Outcome]


@dataclass(frozen=True)
class Deep:
    """How the same check reaches further, in more time than the default ledger has."""

    scope: str
    check: Callable[[], Outcome]


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One sentence, and what stands behind it.

    A claim is worth what its check rejects.  So it names its wrong variants beside the check, and the check is made of
    them as it is made of the reference: what a control is, is said once, here, and not in each row.
    """

    id: str
    statement: str
    source: Source
    algorithm: str
    kind: Kind
    engine: str
    scope: str
    code: str
    """The code that it is about: `code_of` names it."""
    check: Callable[..., Outcome]
    """The check of the reference, which takes nothing; and of a wrong variant, if that is given."""
    controls: Sequence[Variant | Control]
    "What must be rejected: wrong variants by the check itself, or by `reject`; anything else by a check of its own."
    reject: Callable[[Variant], Outcome] | None = None
    """The check of a wrong variant where it is another than that of the reference: a shorter one, or a stricter one."""
    not_covered: str = ""
    deep: Deep | None = None

    @property
    def paper(self) -> str:
        """The paper whose sentence it is about."""
        return self.source.paper


def code_of(what: type[Any] | ModuleType | Callable[..., Any], *parts: str) -> str:
    """Return how a claim names a class, a module or a function, and those of its parts that it is about."""
    name = what.__name__ if isinstance(what, ModuleType) else f"{what.__module__}.{what.__qualname__}"
    return ": ".join([name.removeprefix("swagproof."), *filter(None, [", ".join(parts)])])


def scope_of(claim: Claim, deep: bool = False) -> str:
    """Return how far its check reaches, and that a deeper one is there; or how far the deeper one does."""
    if claim.deep is None:
        return claim.scope
    return claim.deep.scope if deep else f"{claim.scope} (--deep: {claim.deep.scope})"


@dataclass(frozen=True)
class Row:
    """A claim after its check."""

    claim: Claim
    verdict: Verdict
    detail: str
    seconds: float
    controls: tuple[tuple[str, Verdict, str], ...]
    """(name, verdict of the check on the wrong variant: `fails` is as it must be, what refuted it)."""
    statistics: dict[str, Any]
    deep: bool = False
    """True if it is the deeper check that was made."""
    told: "dict[str, Told]" = field(default_factory=dict[str, "Told"])
    """The paths of the check, by "", and those of each wrong variant, by its name, where they are told."""
    cached: bool = False
    """True if an earlier run with the same source and tools found it, in the given seconds."""

    @property
    def scope(self) -> str:
        """Return how far the check that was made reaches, and that a deeper one is there."""
        return scope_of(self.claim, self.deep)

    @property
    def surviving(self) -> tuple[str, ...]:
        """Controls that the check did not reject."""
        return tuple(name for name, verdict, _ in self.controls if verdict != "fails")

    def as_json(self) -> dict[str, Any]:
        """The row as the JSON object that `swagproof prove --json` writes."""
        claim = self.claim
        cases = {name: [case.as_json() for case in told.cases] for name, told in self.told.items()}
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
            **({"words": self.told[""].words, "cases": cases} if any(cases.values()) else {}),
        }


Reviewer: TypeAlias = Callable[[Claim, Callable[[], Outcome]], Outcome]
"""Runs the check of a claim, and looks at what comes of it once more."""


def settle(claim: Claim, deep: bool = False, review: Reviewer | None = None) -> Row:
    """Check a claim (as deeply as it goes, when asked to; its outcome reviewed, where that is given) and its controls.

    An exception in a check is `unknown`, also one that would end the process: nothing was shown either way.
    So is the rejection of a wrong variant that stands for a clause, by something else than that clause
    (swagproof.proofs.ledger.needs).
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
        verdict, detail = "unknown", "no proof: cases were looked at, which is another kind of row"
    elif verdict == "holds" and not controls:
        verdict, detail = "unknown", "no control: a check that cannot fail shows nothing"
    elif verdict == "holds" and survivors:
        verdict, detail = "unknown", f"not rejected: {'; '.join(survivors)}"
    seconds = time.perf_counter() - began
    statistics, went_deep = outcome.statistics, deeper is not None
    told = {name: report.told for name, report in explorations.items() if report is not None}
    return Row(claim, verdict, detail, seconds, tuple(controls), statistics, went_deep, told)


def reject(claim: Claim, control: Variant | Control, hint: Refutation | None = None) -> Outcome:
    """Return what a claim's check says of something wrong: looked for where the hint says, if there is one, then
    anew."""
    needs = NEEDED_BY.get((claim.id, control.name), ())
    with hinting(hint, whole=bool(needs)):
        found = _run(partial(claim.reject or claim.check, control) if isinstance(control, Variant) else control.check)
    untold = [need.clause for need in needs if not need.is_told(found.detail)]
    if found.verdict == "fails" and untold:
        found = Outcome("unknown", f"rejected, but not because {', '.join(untold)} fails: {found.detail}")
    return found if hint is None or found.verdict == "fails" else reject(claim, control)


TERMINATED: Final = 143
"""What a terminated `swagproof` exits with."""


def _run(check: Callable[[], Outcome]) -> Outcome:
    try:
        return check()
    except (Exception, SystemExit) as error:
        if isinstance(error, SystemExit) and error.code == TERMINATED:  # not the code under proof: we are
            raise
        return Outcome("unknown", f"{type(error).__name__}: {error}")


def give_up(claim: Claim, reason: str, deep: bool = False) -> Row:
    """The row of a claim whose check did not come to an end."""
    return Row(claim, "unknown", reason, 0.0, (), {}, deep and claim.deep is not None)


def exit_code(rows: Iterable[Row]) -> int:
    """1 when a claim fails or a control survives, else 3 when something is unknown or nothing was checked, else 0."""
    rows = list(rows)
    if any(row.verdict == "fails" or any(v == "holds" for _, v, _ in row.controls) for row in rows):
        return 1
    if not rows or any(row.verdict != "holds" or row.surviving for row in rows):
        return 3
    return 0
