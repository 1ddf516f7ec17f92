"""Symbolic execution: run ordinary Python over Z3 terms, along every feasible path.

A path is one sequence of branch decisions.  `explore` runs the code once for each feasible path; on the way the code
assumes facts and leaves obligations, and Z3 is asked for each obligation under what was assumed before it.

`formula` turns a predicate written as plain Python into one Z3 formula, by running it through all its branches.  So the
contracts are taken as they are read, `and`, `or`, `if` and chained comparisons included, and not written again.

While `telling`, each path is kept as a `Case`: which way the code went, from which state, and what was to be shown.

What keeps this honest: a path whose assumptions are not known to be satisfiable is reported (`vacuous`), so is a path
without an obligation (`idle`), and an answer `unknown` from Z3 is a failure of its own kind, never a pass.
"""

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from inspect import cleandoc
from typing import Any, Final

from swagproof.proofs.engine.coverage import Condition, Outcomes
from swagproof.proofs.engine.gate import end_at, hold_callers
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

MOST_PATHS: Final = 1_000
"""Of one run.  The references need at most nine; code that needs more is not proved, and not explored for ever."""


class Finished(Exception):
    """Ends a path early: at the back edge of a cut loop."""


class Unsupported(Exception):
    """What the engine cannot run: nothing is shown by it, and nothing refuted."""


@dataclass(frozen=True)
class Failure:
    """An obligation that does not hold, or could not be decided, and the start state that shows it."""

    obligation: str
    unknown: bool
    example: str
    drawn: str = ""
    """The state in which it fails, as a picture, where paths are told."""
    way: tuple[bool, ...] = field(default=(), compare=False)
    """The decisions on the path up to there."""


@dataclass
class Case:
    """One path, for a reader."""

    run: str = ""
    """What was run: an operation, or a step."""
    answers: list[tuple[Condition, bool]] = field(default_factory=list[tuple[Condition, bool]])
    """Which way the code went, condition by condition."""
    shown: Counter[str] = field(default_factory=Counter[str])
    """What is to be shown on it, in its order, on the beginning that it shares with earlier ones too."""
    drawn: str = ""
    """A state that goes this way, as a picture."""
    cut: bool = False
    """True if it ends where a loop begins again, or where nothing is left to be shown."""
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
class Told:
    """Paths, for a reader; none, where none are told."""

    cases: list[Case] = field(default_factory=list[Case])
    words: dict[str, str] = field(default_factory=dict[str, str])
    """What obligations say, beyond their names."""

    def merge(self, other: "Told") -> None:
        """Add what is told of another exploration."""
        self.cases += other.cases
        self.words |= other.words


_telling = False


@contextmanager
def telling() -> Generator[None]:
    """Paths that are explored meanwhile are kept, each as a `Case`; else nothing of them is but counts."""
    global _telling
    before, _telling = _telling, True
    try:
        yield
    finally:
        _telling = before


_way: Sequence[int] | None = None
_whole = True


@contextmanager
def following(way: Sequence[int], *, whole: bool) -> Generator[None]:
    """Yield what is explored meanwhile is one path, which begins with these decisions; nothing is proved by it.

    They are followed unasked, and so is what is to be shown before the last of them: what fails behind it fails in a
    state that meets all of it.  Unless it is followed as a `whole`, or told, it ends where what has been found is
    enough.
    """
    global _way, _whole
    before, (_way, _whole) = (_way, _whole), (way, whole)
    try:
        yield
    finally:
        _way, _whole = before


WITHIN_BUDGET: Final = f"Z3 needs no more than {BUDGET_SECONDS:g} s"


@dataclass
class Exploration:
    """What came of exploring all paths."""

    paths: int = 0
    shown: Counter[str] = field(default_factory=Counter[str])
    """The number of times each obligation was put to Z3."""
    failures: list[Failure] = field(default_factory=list[Failure])
    vacuous: int = 0
    """Paths whose assumptions contradict each other, or may do so: they would prove anything."""
    idle: int = 0
    """Paths that reached no obligation."""
    outcomes: Outcomes = field(default_factory=Outcomes)
    """Which answers there were to the conditions of the code."""
    learned: dict[Any, Any] = field(default_factory=dict[Any, Any])
    """What was read on an earlier path with the same beginning, of the same unknowns: see `Run.learn`."""
    inquiry: Inquiry = field(default_factory=Inquiry)
    """What Z3 was asked on the way."""
    told: Told = field(default_factory=Told)
    """The paths themselves, while `telling`."""
    enough: Callable[["Exploration"], bool] = lambda _: False
    """Whether what has been found is enough."""

    @property
    def sound(self) -> bool:
        """Return whether every path means something: its assumptions can be met, and it has something to show."""
        return self.paths > 0 and not self.vacuous and not self.idle

    @property
    def statistics(self) -> dict[str, int | float]:
        """For a row of the ledger: what was done, and what it took."""
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
        self.told.merge(other.told)
        if self.inquiry.over_budget and not any(f.obligation == WITHIN_BUDGET for f in self.failures):
            self.failures.append(self.over_budget())

    def over_budget(self) -> Failure:
        """That the theorem is unknown, however it would have ended."""
        asked = self.inquiry
        return Failure(WITHIN_BUDGET, True, f"over budget: {asked.questions} questions took {asked.seconds:.1f} s")


PARTLY: Final = "not whole: what would make it so is too large to draw"
"""What is said of a picture that does not meet all that it should."""


class Path:
    """One path: decides branches by feasibility, collects facts, checks obligations as they come."""

    def __init__(self, decisions: list[bool], report: Exploration, scopes: Scopes | None = None) -> None:
        self.decisions = decisions
        self.taken: list[bool] = []
        self.open: list[list[bool]] = []
        self.report = report
        self.shown = 0
        self.case = Case() if _telling else None
        """What a reader is told of it."""
        self.solver = Solver(report.inquiry, scopes)
        self.example: Callable[[Model], str] = lambda model: str(model)
        self.draw: Callable[[Model], str] = _list_values
        self.size: Callable[[], Integer | None] = lambda: None
        self.besides: Callable[[], Sequence[Truth]] = lambda: ()
        """What no proof needs, and a picture should meet: else it is none of a whole state."""
        self.fresh_names = 0
        self.remember: Callable[[Truth], None] = self.assume
        """Where facts go that are true on every path."""
        self.mention: Callable[[Integer, str], None] = lambda place, of: None
        """Told of numbers that the code or a clause speaks of, and of places where it reads."""
        self.run: Any = None
        """The run of a method that this is a path of, where it is one (swagproof.proofs.engine.run)."""
        self.settled: dict[str, bool] = {}
        """What this path has answered for clauses: as it only learns, for good."""

    @property
    def replaying(self) -> bool:
        """Return whether an earlier path has been here, with the same beginning."""
        return len(self.taken) < len(self.decisions)

    def fresh(self, name: str) -> Integer:
        """An integer about which nothing is known."""
        self.fresh_names += 1
        return z3.Int(f"{name}!{self.fresh_names}")

    def assume(self, fact: Truth) -> None:
        self.solver.add(fact)

    def start_again_from(self, facts: list[Truth]) -> None:
        """Forget all assumptions but these.  That they could be met so far is looked at now, as at a path's end."""
        if not self.replaying and self.solver.ask("assumptions", about="up to a loop") != "sat":
            self.report.vacuous += 1
        self.solver.reset()
        self.solver.add(*facts)

    def show(self, obligation: str, claim: Truth) -> None:
        """Leave an obligation.  What was shown on an earlier path with the same beginning is not asked again."""
        self.recall(obligation)
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
            elif not _whole and self.report.enough(self.report):
                raise Finished

    def recall(self, obligation: str) -> None:
        """That there is something to show here; on an earlier path with the same beginning it may have been shown."""
        self.shown += 1
        if self.case is not None:
            self.case.shown[obligation] += 1

    def describe(self, obligation: str, clause: Callable[..., Any]) -> None:
        """What an obligation says: a clause's first paragraph."""
        if self.case is not None and obligation not in self.report.told.words:
            self.report.told.words[obligation] = cleandoc(clause.__doc__ or "").partition("\n\n")[0]

    def picture(self, *claims: Truth) -> str:
        """A small state that meets these, and what is assumed; nothing where nothing is unknown."""
        besides = self.besides()
        model, met = self.solver.small_model(*claims, size=self.size(), besides=besides)
        drawn = self.draw(model) if len(model) else ""
        return drawn if len(met) == len(besides) else f"{drawn}\n{PARTLY}"

    def answer(self, condition: Condition, answer: bool) -> None:
        """Which way the code goes."""
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
        """False only when Z3 has refuted it: an undecided branch is explored."""
        return self.solver.ask("branch", term) != "unsat"


def _list_values(model: Model) -> str:
    """Unknowns by the names that they were given, where nothing draws them."""
    found = sorted((str(unknown), model[unknown]) for unknown in model.decls() if unknown.arity() == 0)
    return ", ".join(f"{name.partition('!')[0]} = {value}" for name, value in found)


class Summary:
    """Decides every branch both ways: a predicate becomes the disjunction of the ways in which it is true."""

    def __init__(self, decisions: list[bool], guard: Truth) -> None:
        self.decisions = decisions
        self.taken: list[bool] = []
        self.conditions: list[Truth] = []
        self.open: list[list[bool]] = []
        self.case: list[Truth] = [guard]
        """What is so in the case that is being read, of what `settle` was asked."""

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
        """Return whether that is so: as the path, or this case, answers it; a branch where neither does."""
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
    """The path being run; None inside a `formula`, where nothing is assumed and nothing is left to show."""
    decider = _deciders[-1]
    return decider if isinstance(decider, Path) else None


def enclosing_path() -> Path | None:
    """The path being run, also from within a `formula`."""
    return next((decider for decider in reversed(_deciders) if isinstance(decider, Path)), None)


def decide(claim: Truth) -> bool:
    """Return whether that is so: a branch of the path or of the formula, unless it is plain."""
    hold_callers()
    if z3.is_true(claim):
        return True
    return False if z3.is_false(claim) else _deciders[-1].decide(claim)


def settle(claim: Truth) -> bool:
    """Return whether that is so, for stand-ins that read lists: in a formula no branch is taken for what the path
    knows.

    A list of unknown length is cut where an index falls.  Read by a clause, every cut would double the formula's cases,
    most of which the path excludes.  So the path is asked first, which costs a question and saves the cases.
    """
    claim, decider, path = z3.simplify(claim), _deciders[-1], enclosing_path()
    if isinstance(decider, Path) or path is None or z3.is_true(claim) or z3.is_false(claim):
        return decide(claim)
    return decider.settle(path, claim)


def formula(predicate: Callable[[], Any], guard: Truth | None = None) -> Truth:
    """A predicate over symbolic values as one formula, of use where the guard is true."""
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
    """An obligation of the code; none of a clause, which states what it likes."""
    path = current_path()
    if path is not None:
        path.show(what, claim)


def remember(fact: Truth) -> None:
    """Tell Z3 what is true on every path: an instance of a theorem about what the code or a clause speaks of."""
    path = enclosing_path()
    if path is not None:
        path.remember(fact)


def is_told() -> bool:
    """Return whether what is remembered now is told for good: not with a clause that is being read, for some place."""
    path = enclosing_path()
    return path is None or path.run is None or path.run.collected is None


def mention(place: Integer, of: str = "") -> None:
    """Tell the run that this number is spoken of, or that this place of a container is read."""
    path = enclosing_path()
    if path is not None:
        path.mention(place, of)


def explore(run: Callable[[Path], None], enough: Callable[[Exploration], bool] = lambda _: False) -> Exploration:
    """Run the code along every feasible path; or until what has been found is `enough`, which proves nothing."""
    report = Exploration(enough=enough)
    forget()
    with report.inquiry.measured():
        try:
            _explore(run, report)
        except OverBudget:
            report.failures.append(report.over_budget())
    report.learned.clear()
    return report


def _explore(run: Callable[[Path], None], report: Exploration) -> None:
    work = [[*map(bool, _way or ())]]
    scopes = Scopes()
    while work:
        if report.paths == MOST_PATHS:
            report.failures.append(Failure("every path is explored", True, f"more than {MOST_PATHS} paths"))
            break
        path = _go(run, Path(work.pop(), report, scopes))
        work += path.open
        if _way is not None or (work and report.enough(report)):
            report.failures.append(Failure("every path is explored", True, f"stopped early, {len(work)} begun"))
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
        report.failures.append(Failure("a path runs again as it ran", True, f"decided before: {path.decisions}"))
    if path.shown == 0:
        report.idle += 1
    if path.case is None and not _whole and report.enough(report):
        return path
    met = path.solver.ask("assumptions", about="to the end of the path")
    if met != "sat":
        report.vacuous += 1
    if path.case is not None:
        path.case.cut = not ended
        path.case.drawn = path.picture() if met == "sat" else ""
        report.told.cases.append(path.case)
    return path


end_at(_go.__code__)
