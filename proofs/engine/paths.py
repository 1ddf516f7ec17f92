"""Symbolic execution: run ordinary Python over Z3 terms, along every feasible path.

A path is one sequence of branch decisions.  `explore` runs the code once for each feasible path.  On the way the code
assumes facts and states obligations; Z3 checks each obligation under the facts assumed before it.  The result is an
`Exploration`: counts, failures, covered outcomes and the solver's statistics.

`formula` turns a predicate written in Python into one Z3 formula by running it through all its branches.  So proofs
read the contracts themselves, with `and`, `or`, `if` and chained comparisons; Z3 needs no second copy.

With the setting `cases`, each path is also recorded as a `Case`: its decisions, a start state, and its obligations.

Limits: a path whose assumptions are not known to be satisfiable is reported as `vacuous`, and a path without an
obligation as `idle`.  The answer `unknown` from Z3 is a failure of its own kind, never a pass.  A run of more than
`MOST_PATHS` paths is unknown.
"""

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from inspect import cleandoc
from typing import Any, Final

from swagproof.proofs.engine.gate import end_at, hold_callers
from swagproof.proofs.engine.obligation import Obligation
from swagproof.proofs.engine.settings import settings
from swagproof.proofs.engine.solver import (
    BUDGET_SECONDS,
    Inquiry,
    Integer,
    Model,
    OverBudget,
    Scopes,
    Solver,
    Truth,
    forget,
    z3,
)
from swagproof.proofs.engine.source.coverage import Condition, Outcomes

MOST_PATHS: Final = 1_000
"""The most paths of one run.  The references need at most nine; code that needs more than this is not proved."""


class Finished(Exception):
    """Ends a path early: at the back edge of a cut loop."""


class Unsupported(Exception):
    """An operation that the engine cannot run.  It neither proves nor refutes anything."""


@dataclass(frozen=True)
class Failure:
    """An obligation that does not hold, or could not be decided, and the start state that shows it."""

    obligation: Obligation
    unknown: bool
    example: str
    drawn: str = ""
    """The state in which it fails, drawn as a picture, if paths are recorded."""
    way: tuple[bool, ...] = field(default=(), compare=False)
    """The decisions on the path that precede the obligation."""


@dataclass
class Case:
    """One path, recorded for a reader."""

    run: str = ""
    """The operation or step that was run."""
    answers: list[tuple[Condition, bool]] = field(default_factory=list[tuple[Condition, bool]])
    """The outcome of each condition that the code evaluated, in order."""
    shown: Counter[Obligation] = field(default_factory=Counter[Obligation])
    """The obligations on the path, in order, including those on the beginning that it shares with earlier paths."""
    drawn: str = ""
    """A start state that takes this path, drawn as a picture."""
    cut: bool = False
    """True if the path ends before the code does, at the back edge of a cut loop or at an exception."""
    failures: list[Failure] = field(default_factory=list[Failure])

    def as_json(self) -> dict[str, Any]:
        """The case as a JSON object."""
        return {
            "run": self.run,
            "answers": [[each.method, each.line, each.text, answer] for each, answer in self.answers],
            "shown": dict(self.shown),
            "state": self.drawn,
            "cut": self.cut,
            "failures": [[each.obligation, each.unknown, each.drawn] for each in self.failures],
        }


@dataclass
class Recording:
    """The recorded paths of an exploration; empty if none are recorded."""

    cases: list[Case] = field(default_factory=list[Case])
    words: dict[str, str] = field(default_factory=dict[str, str])
    """The texts of obligations, by name."""
    refuted: Sequence[str] = ()
    """The obligations whose failure refutes the claim."""

    def merge(self, other: "Recording") -> None:
        """Add the recorded paths of another exploration."""
        self.cases += other.cases
        self.words |= other.words


WITHIN_BUDGET: Final = Obligation(f"Z3 needs no more than {BUDGET_SECONDS:g} s")
EVERY_PATH: Final = Obligation("every path is explored")
SAME_AGAIN: Final = Obligation("a path runs again as it ran")


@dataclass
class Exploration:
    """The result of exploring all paths."""

    paths: int = 0
    shown: Counter[Obligation] = field(default_factory=Counter[Obligation])
    """The number of times that each obligation was put to Z3."""
    failures: list[Failure] = field(default_factory=list[Failure])
    vacuous: int = 0
    """The number of paths whose assumptions contradict each other, or may: such a path would prove anything."""
    idle: int = 0
    """The number of paths that reached no obligation."""
    outcomes: Outcomes = field(default_factory=Outcomes)
    """The outcomes of the code's conditions."""
    inquiry: Inquiry = field(default_factory=Inquiry)
    """The questions put to Z3."""
    recording: Recording = field(default_factory=Recording)
    """The recorded paths, if cases are recorded."""
    enough: Callable[["Exploration"], bool] = lambda _: False
    """The condition for stopping early."""

    @property
    def sound(self) -> bool:
        """Return whether there is a path, and no path is vacuous or idle."""
        return self.paths > 0 and not self.vacuous and not self.idle

    @property
    def statistics(self) -> dict[str, int | float]:
        """The counts and the solver's costs, for the ledger."""
        return {
            "paths": self.paths,
            "obligations": sum(self.shown.values()),
            "questions": self.inquiry.questions,
            "solver_seconds": round(self.inquiry.seconds, 3),
            "slowest_question": round(self.inquiry.slowest, 3),
            "z3_rlimit": self.inquiry.rlimit,
            "z3_max_memory_mb": self.inquiry.max_memory,
        }

    def merge(self, other: "Exploration") -> None:
        """Add another exploration's counts to this one."""
        self.paths += other.paths
        self.shown += other.shown
        self.failures += other.failures
        self.vacuous += other.vacuous
        self.idle += other.idle
        self.outcomes |= other.outcomes
        self.inquiry.merge(other.inquiry)
        self.recording.merge(other.recording)
        if self.inquiry.over_budget and not any(f.obligation == WITHIN_BUDGET for f in self.failures):
            self.failures.append(self.over_budget())

    def over_budget(self) -> Failure:
        """Return the failure that makes a theorem unknown when it exceeds its budget."""
        asked = self.inquiry
        return Failure(WITHIN_BUDGET, True, f"over budget: {asked.questions} questions took {asked.seconds:.1f} s")


PARTLY: Final = "not whole: what would make it so is too large to draw"
"""The note on a picture that does not meet all conditions in `Path.besides`."""


class Path:
    """One path: decides branches by feasibility, collects facts, and checks obligations as they arise."""

    def __init__(self, decisions: list[bool], report: Exploration, scopes: Scopes | None = None) -> None:
        self.decisions = decisions
        self.taken: list[bool] = []
        self.open: list[list[bool]] = []
        self.report = report
        self.shown = 0
        self.case = Case() if settings().cases else None
        """The path's record, if cases are recorded."""
        self.solver = Solver(report.inquiry, scopes)
        self.example: Callable[[Model], str] = lambda model: str(model)
        self.draw: Callable[[Model], str] = _list_values
        self.size: Callable[[], Integer | None] = lambda: None
        self.besides: Callable[[], Sequence[Truth]] = lambda: ()
        """Conditions for pictures, not for proofs; a picture that violates them does not show a whole state."""
        self.fresh_names = 0
        self.remember: Callable[[Truth], None] = self.assume
        """The function that receives facts that are true on every path."""
        self.mention: Callable[[Integer, str], None] = lambda place, of: None
        """The function that receives each number that the code or a clause mentions, and each place read."""
        self.run: Any = None
        """The method run to which this path belongs, if any (swagproof.proofs.engine.run)."""
        self.settled: dict[str, bool] = {}
        """Answers to questions of clauses.  They stay true, as later facts cannot contradict earlier ones."""

    @property
    def replaying(self) -> bool:
        """Return whether this point lies on the beginning that an earlier path has run."""
        return len(self.taken) < len(self.decisions)

    def fresh(self, name: str) -> Integer:
        """Return an integer about which nothing is known."""
        self.fresh_names += 1
        return z3.Int(f"{name}!{self.fresh_names}")

    def assume(self, fact: Truth) -> None:
        self.solver.add(fact)

    def start_again_from(self, facts: list[Truth]) -> None:
        """Forget all assumptions but these, after checking that the assumptions so far are satisfiable."""
        if not self.replaying and self.solver.ask("assumptions", about="up to a loop") != "sat":
            self.report.vacuous += 1
        self.solver.reset()
        self.solver.add(*facts)

    def show(self, name: str, claim: Truth) -> None:
        """State an obligation.  On the beginning shared with an earlier path it is assumed, not checked again."""
        obligation = self.recall(name)
        if self.replaying:
            self.assume(claim)
            return
        self.report.shown[obligation] += 1
        if z3.is_true(claim):
            return
        answer = self.solver.ask("obligation", z3.Not(claim), about=obligation, model=True)
        if answer == "unsat":
            self.assume(claim)
        else:
            model = self.solver.model() if answer == "sat" else None
            example = self.solver.reason_unknown() if model is None else self.example(model)
            drawn = "" if self.case is None or model is None else self.picture(z3.Not(claim))
            self.report.failures.append(Failure(obligation, model is None, example, drawn, tuple(self.taken)))
            if self.case is not None:
                self.case.failures.append(self.report.failures[-1])
            elif not settings().whole and self.report.enough(self.report):
                raise Finished

    def recall(self, name: str) -> Obligation:
        """Count an obligation of this path, whether or not an earlier path has checked it."""
        obligation = Obligation.of(name)
        self.shown += 1
        if self.case is not None:
            self.case.shown[obligation] += 1
        return obligation

    def describe(self, obligation: str, clause: Callable[..., Any]) -> None:
        """Record the text of an obligation: the first paragraph of the clause's docstring."""
        if self.case is not None and obligation not in self.report.recording.words:
            self.report.recording.words[obligation] = cleandoc(clause.__doc__ or "").partition("\n\n")[0]

    def picture(self, *claims: Truth) -> str:
        """Draw a small state that meets these claims and the assumptions; return "" if nothing is unknown."""
        besides = self.besides()
        model, met = self.solver.small_model(*claims, size=self.size(), besides=besides)
        drawn = self.draw(model) if len(model) else ""
        return drawn if len(met) == len(besides) else f"{drawn}\n{PARTLY}"

    def answer(self, condition: Condition, answer: bool) -> None:
        """Record the outcome of a condition."""
        self.report.outcomes.add((condition, answer))
        if self.case is not None:
            self.case.answers.append((condition, answer))

    def decide(self, term: Truth) -> bool:
        step = len(self.taken)
        if step < len(self.decisions):
            choice = self.decisions[step]
        else:
            choice = self.possible(term)
            if choice and self.possible(z3.Not(term)):
                self.open.append([*self.taken, False])
        self.taken.append(choice)
        self.assume(term if choice else z3.Not(term))
        return choice

    def possible(self, term: Truth) -> bool:
        """Return False only if Z3 refutes the term: an undecided branch is explored."""
        return self.solver.ask("branch", term) != "unsat"


def _list_values(model: Model) -> str:
    """Return the values of the unknowns, by name: the default picture."""
    found = sorted((str(unknown), model[unknown]) for unknown in model.decls() if unknown.arity() == 0)
    return ", ".join(f"{name.partition('!')[0]} = {value}" for name, value in found)


class Summary:
    """One case of a predicate; `formula` decides every branch both ways and joins the cases that return true."""

    def __init__(self, decisions: list[bool], guard: Truth) -> None:
        self.decisions = decisions
        self.taken: list[bool] = []
        self.conditions: list[Truth] = []
        self.open: list[list[bool]] = []
        self.case: list[Truth] = [guard]
        """The guard, and the claims decided by `settle` in this case."""

    def decide(self, term: Truth) -> bool:
        step = len(self.taken)
        if step < len(self.decisions):
            choice = self.decisions[step]
        else:
            choice = True
            self.open.append([*self.taken, False])
        self.taken.append(choice)
        self.conditions.append(term if choice else z3.Not(term))
        return choice

    def settle(self, path: Path, claim: Truth) -> bool:
        """Return whether a claim holds; take a branch if neither the path's facts nor this case decide it."""
        key = claim.sexpr()
        if key not in path.settled and path.solver.ask("clause", z3.Not(claim)) == "unsat":
            path.settled[key] = True
        if key in path.settled:
            return path.settled[key]
        for answer, refuted in ((False, claim), (True, z3.Not(claim))):
            if path.solver.ask("clause", *self.case, refuted) == "unsat":
                return answer
        answer = self.decide(claim)
        self.case.append(claim if answer else z3.Not(claim))
        return answer


_deciders: list[Path | Summary] = []


@contextmanager
def _deciding(decider: Path | Summary) -> Generator[None]:
    _deciders.append(decider)
    try:
        yield
    finally:
        _deciders.pop()


def current_path() -> Path | None:
    """Return the path being run; None inside a `formula`, which assumes nothing and states no obligations."""
    decider = _deciders[-1]
    return decider if isinstance(decider, Path) else None


def enclosing_path() -> Path | None:
    """Return the path being run, also inside a `formula`."""
    return next((decider for decider in reversed(_deciders) if isinstance(decider, Path)), None)


def decide(claim: Truth) -> bool:
    """Return whether a claim holds, by a branch of the path or of the formula unless it is constant."""
    hold_callers()
    if z3.is_true(claim):
        return True
    return False if z3.is_false(claim) else _deciders[-1].decide(claim)


def settle(claim: Truth) -> bool:
    """Return whether a claim holds; inside a `formula`, branch only if the path's facts do not decide it.

    Symbolic lists need this: a list of unknown length is cut at an index.  When a clause reads the list, every cut
    would double the formula's cases, although the path excludes most of them.  One question to Z3 saves these cases.
    """
    claim, decider, path = z3.simplify(claim), _deciders[-1], enclosing_path()
    if isinstance(decider, Path) or path is None or z3.is_true(claim) or z3.is_false(claim):
        return decide(claim)
    return decider.settle(path, claim)


def formula(predicate: Callable[[], Any], guard: Truth | None = None) -> Truth:
    """Return a predicate over symbolic values as one formula, which is valid if the guard is true."""
    work: list[list[bool]] = [[]]
    cases: list[Truth] = []
    while work:
        summary = Summary(work.pop(), z3.BoolVal(True) if guard is None else guard)
        with _deciding(summary):
            result = bool(predicate())
        if result:
            cases.append(z3.And(*summary.conditions))
        work += summary.open
    return z3.simplify(z3.Or(*cases))


def show(what: str, claim: Truth) -> None:
    """State an obligation of the code.  Inside a `formula` this does nothing, because a clause states none."""
    path = current_path()
    if path is not None:
        path.show(what, claim)


def remember(fact: Truth) -> None:
    """Assume a fact that is true on every path: an instance of a theorem, at a term of the code or of a clause."""
    path = enclosing_path()
    if path is not None:
        path.remember(fact)


def is_told() -> bool:
    """Return whether remembered facts go to the path at once instead of being collected with the clause being read."""
    path = enclosing_path()
    return path is None or path.run is None or path.run.collected is None


def mention(place: Integer, of: str = "") -> None:
    """Report to the run that the code or a clause mentions this number or reads this place of a container."""
    path = enclosing_path()
    if path is not None:
        path.mention(place, of)


def explore(run: Callable[[Path], None], enough: Callable[[Exploration], bool] = lambda _: False) -> Exploration:
    """Run the code along every feasible path, or stop early once the findings are `enough`, which proves nothing."""
    report = Exploration(enough=enough)
    forget()
    with report.inquiry.measured():
        try:
            _explore(run, report)
        except OverBudget:
            report.failures.append(report.over_budget())
    return report


def _explore(run: Callable[[Path], None], report: Exploration) -> None:
    work = [[*map(bool, settings().way or ())]]
    scopes = Scopes()
    while work:
        if report.paths == MOST_PATHS:
            report.failures.append(Failure(EVERY_PATH, True, f"more than {MOST_PATHS} paths"))
            break
        path = _go(run, Path(work.pop(), report, scopes))
        work += path.open
        if settings().way is not None or (work and report.enough(report)):
            report.failures.append(Failure(EVERY_PATH, True, f"stopped early, {len(work)} begun"))
            break


def _go(run: Callable[[Path], None], path: Path) -> Path:
    """Run the code along a path to its end."""
    report = path.report
    with _deciding(path):
        try:
            run(path)
            ended = True
        except Finished:
            ended = False
    report.paths += 1
    if path.replaying:
        report.failures.append(Failure(SAME_AGAIN, True, f"decided before: {path.decisions}"))
    if path.shown == 0:
        report.idle += 1
    if path.case is None and not settings().whole and report.enough(report):
        return path
    met = path.solver.ask("assumptions", about="to the end of the path")
    if met != "sat":
        report.vacuous += 1
    if path.case is not None:
        path.case.cut = not ended
        path.case.drawn = path.picture() if met == "sat" else ""
        report.recording.cases.append(path.case)
    return path


end_at(_go.__code__)
