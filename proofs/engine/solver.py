"""The interface to Z3, and the only module that imports it.

Every proof reduces to questions whether formulas are jointly satisfiable.  All of them go through `Solver.ask`, which
limits and measures the time that a theorem spends.  Inside `keeping`, each `Question` is kept, for another solver:
swagproof.proofs.ledger.smt_lib writes it as text, and swagproof.proofs.ledger.second_solver runs that solver.

Answers are cached by their formulas (`Answers`).  Paths share their beginnings, and a mutant shares with the reference
everything before the changed line, so the same question comes up many times.  `unknown` is not cached, and a question
whose model is needed is asked again.  Paths of one exploration also share Z3's assertions (`Scopes`).

Limits: `RLIMIT` and `TIMEOUT_MS` apply to one question, `BUDGET_SECONDS` to one theorem.  Z3's Python bindings have no
usable types, so terms are `Any`.
"""

import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from itertools import count
from operator import is_not
from typing import Any, Final, Literal, TypeAlias

from swagproof.proofs.engine.settings import settings
from swagproof.proofs.engine.terms.term_table import TermTable

z3: Any = TermTable(import_module("z3"))
z3.z3.Z3_DEBUG = False  # Z3 checks the arguments itself; checking them in Python too took a sixth of a proof's time

Truth: TypeAlias = Any
"""A Z3 formula."""
Integer: TypeAlias = Any
"""A Z3 integer term."""
Model: TypeAlias = Any
"""A Z3 model: values for the unknowns."""

RLIMIT: Final = 10_000_000
"""The limit for one question, in Z3's machine-independent units; beyond it, `unknown`.

The most that an answer has used is 4 M.  A question that once took 50 M took 0.1 M with another seed.
"""

TIMEOUT_MS: Final = 20_000
"""The time limit for one question, for slow machines.  A time-out is `unknown` too."""

BUDGET_SECONDS: Final = 60.0
"""Z3's time for one theorem.  Beyond it no question is asked, and the theorem is unknown."""

SEEDS: Final = (1, 2, 3)
"""The random seeds with which new solvers retry an `unknown` question, in turn, until one answers."""

Answer = Literal["sat", "unsat", "unknown"]

Role = Literal["obligation", "branch", "clause", "assumptions"]
"""The purpose of a question.

- `obligation`: can the claim be false?  `unsat` discharges the obligation.
- `branch`: can the code take this branch?  `unsat` closes the branch, and nothing is shown there.
- `clause`: can the condition in a clause have the other value?  `unsat` decides the condition, without a branch.
- `assumptions`: are the assumptions satisfiable?  `sat` says that the path is not vacuous.
"""


class OverBudget(BaseException):
    """An exception that ends an exploration.  It passes `except Exception`, which the code under proof may contain."""


@dataclass(frozen=True, eq=False)
class Question:
    """The question whether these formulas are jointly satisfiable, with Z3's answer."""

    role: Role
    about: str
    """The obligation as text."""
    facts: tuple[Truth, ...]
    answer: Answer

    @property
    def carries(self) -> bool:
        """Return whether a theorem depends on this answer.  An open branch only costs time."""
        return self.answer == ("sat" if self.role == "assumptions" else "unsat")


@dataclass
class Inquiry:
    """The number of questions and their costs."""

    questions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    """The longest time of a question, in seconds."""
    rlimit: int = 0
    """The units that Z3 spent, by its own `rlimit count`."""
    max_memory: float = 0.0
    """The most memory that Z3 has held in this process so far, in megabytes."""
    kept: list[Question] = field(default_factory=list[Question])
    """The questions themselves, if they are kept."""

    def merge(self, other: "Inquiry") -> None:
        """Add the questions and costs of another inquiry."""
        self.questions += other.questions
        self.seconds += other.seconds
        self.slowest = max(self.slowest, other.slowest)
        self.rlimit += other.rlimit
        self.max_memory = max(self.max_memory, other.max_memory)
        self.kept += other.kept

    @property
    def over_budget(self) -> bool:
        """Return whether the questions took more time than one theorem may take."""
        return self.seconds > BUDGET_SECONDS

    @contextmanager
    def measured(self) -> Generator[None]:
        """Measure the units and memory that Z3 uses in the context."""
        spent, _ = _spent()
        yield
        now, self.max_memory = _spent()
        self.rlimit = now - spent


def _spent() -> tuple[int, float]:
    """Return the units that Z3 has spent in this process, and the most megabytes that it has held."""
    counted = z3.Solver().statistics()
    return counted.get_key_value("rlimit count"), counted.get_key_value("max memory")


class Answers:
    """A cache of answers, by the formulas of the question."""

    MOST: Final = 200_000
    """The most facts and answers that are kept; they take some 60 MB."""

    def __init__(self) -> None:
        self._behind: dict[tuple[int, int], tuple[int, Truth]] = {}
        """The number of a sequence of facts and its last fact, by the number of the sequence without it and its id."""
        self._numbers = count(1)
        self._answers: dict[tuple[Any, ...], tuple[Answer, Sequence[Truth]]] = {}
        """The answer and the claims, by the facts' number and the claims' ids; valid while the claims are kept."""

    def number(self, before: int, fact: Truth) -> int:
        """Return the number of a sequence of facts extended by one; the empty sequence has the number 0."""
        key = before, fact.ast.value
        if key not in self._behind:
            self._behind[key] = next(self._numbers), fact
        return self._behind[key][0]

    def find(self, facts: int, claims: Sequence[Truth]) -> Answer | None:
        """Return the answer, if it is known."""
        found = self._answers.get((facts, *[claim.ast.value for claim in claims]))
        return found and found[0]

    def keep(self, facts: int, claims: Sequence[Truth], answer: Answer) -> None:
        """Remember an answer."""
        self._answers[facts, *[claim.ast.value for claim in claims]] = answer, claims

    def forget(self, most: int = MOST) -> None:
        """Empty the cache if it holds more than `most` entries.  No number is given twice."""
        if len(self._behind) + len(self._answers) > most:
            self._behind.clear()
            self._answers.clear()


ANSWERS: Final = Answers()


def forget() -> None:
    """Empty the caches of terms and answers that have grown too large; to be called between explorations."""
    z3.forget()
    ANSWERS.forget()


class Scopes:
    """Z3 solvers that assert one path after another and keep the facts that consecutive paths share."""

    def __init__(self) -> None:
        self._solvers: dict[tuple[Any, ...], tuple[Any, list[Sequence[Truth]]]] = {}
        """A Z3 solver and the facts in each of its scopes, by its settings and the number of resets."""

    def tell(self, facts: Sequence[Truth], settings: Mapping[str, Any], resets: int) -> Any:
        """Return a Z3 solver with these settings that asserts exactly these facts."""
        key = resets, *settings.items()
        if key not in self._solvers:
            made = z3.Solver()
            for parameter, value in settings.items():
                made.set(parameter, value)
            self._solvers[key] = made, []
        solver, scopes = self._solvers[key]
        shared, told = 0, 0
        for scope in scopes:
            if len(facts) - told < len(scope) or any(map(is_not, scope, facts[told:])):
                break
            shared, told = shared + 1, told + len(scope)
        if shared < len(scopes):
            solver.pop(len(scopes) - shared)
            del scopes[shared:]
        if told < len(facts):
            solver.push()
            solver.add(*facts[told:])
            scopes.append(facts[told:])
        return solver


class Solver:
    """The assumptions of one path, and questions to Z3 under them."""

    def __init__(self, inquiry: Inquiry, scopes: Scopes | None = None) -> None:
        self.inquiry = inquiry
        self._scopes = scopes or Scopes()
        self._settings: dict[str, Any] = {"rlimit": RLIMIT, "timeout": TIMEOUT_MS}
        self._resets = 0
        self._facts: list[Truth] = []
        self._number = 0
        """The number of these facts in `ANSWERS`."""
        self._asked: Any = None
        """The Z3 solver that answered last under these facts."""

    def set(self, parameter: str, value: Any) -> None:
        """Set a parameter of Z3, which may change how long an answer takes, and whether there is one."""
        self._settings[parameter] = value

    def add(self, *facts: Truth) -> None:
        """Add these facts to the assumptions."""
        self._facts += facts
        self._asked = None
        for fact in facts:
            self._number = ANSWERS.number(self._number, fact)

    def reset(self) -> None:
        """Drop all assumptions."""
        self._facts, self._number, self._resets, self._asked = [], 0, self._resets + 1, None

    @property
    def facts(self) -> list[Truth]:
        """The assumptions."""
        return list(self._facts)

    @property
    def _z3(self) -> Any:
        return self._scopes.tell(self._facts, self._settings, self._resets)

    def ask(self, role: Role, *claims: Truth, about: str = "", model: bool = False) -> Answer:
        """Return whether these claims are satisfiable under the assumptions.  Raises OverBudget beyond the budget.

        With `model`, the method `model` returns a model after `sat`.
        """
        inquiry = self.inquiry
        if inquiry.over_budget:
            raise OverBudget
        known = ANSWERS.find(self._number, claims)
        answer = self._ask(claims) if known is None or (model and known == "sat") else known
        inquiry.questions += 1
        if settings().questions:
            inquiry.kept.append(Question(role, about, (*self._facts, *claims), answer))
        return answer

    def _ask(self, claims: Sequence[Truth]) -> Answer:
        began = time.thread_time()  # CPU time, so that a busy machine does not count against a theorem
        self._asked = self._z3
        answer: Answer = str(self._asked.check(*claims))  # type: ignore[assignment]  # one of the three
        for seed in SEEDS if answer == "unknown" else ():
            self._asked = self.anew(seed)
            answer = str(self._asked.check(*claims))  # type: ignore[assignment]  # one of the three
            if answer != "unknown":
                break
        took = time.thread_time() - began
        self.inquiry.seconds += took
        self.inquiry.slowest = max(self.inquiry.slowest, took)
        if answer != "unknown":
            ANSWERS.keep(self._number, claims, answer)
        return answer

    def anew(self, seed: int) -> Any:
        """Return a new Z3 solver with the same assumptions and another seed.

        The time for integer arithmetic depends on the solver's choices, which depend on earlier questions in the
        process. For one question, most seeds took a hundredth of a second, and one in twenty more than 1.5 seconds.
        """
        made = z3.Solver()
        for parameter, value in (*self._settings.items(), ("smt.random_seed", seed)):
            made.set(parameter, value)
        made.add(*self._facts)
        return made

    def model(self) -> Model:
        """Return the model of the last question, after `sat`."""
        return self._asked.model()

    def small_model(
        self, *claims: Truth, size: Integer | None, besides: Sequence[Truth] = ()
    ) -> tuple[Model, Sequence[Truth]]:
        """Return a model of these claims and the assumptions with a small `size`, after `sat`: for a picture.

        The model meets the conditions in `besides` if possible; the second result is the conditions met, all or none.
        No claim rests on this, so the inquiry does not count it.
        """
        small: list[Truth] = [] if size is None else [size <= most for most in (0, 1, 2, 3, 4, 6, 8, 12, 16, 32)]
        solver = self._z3 if self._asked is None else self._asked
        for met in (besides, ()) if besides else ((),):
            for limit in (*([limit] for limit in small), []):
                if str(solver.check(*claims, *met, *limit)) == "sat":
                    return solver.model(), met
        solver.check(*claims)
        return solver.model(), ()

    def reason_unknown(self) -> str:
        """Return the reason for the last `unknown`."""
        return str(self._asked.reason_unknown())
