"""Z3: imported in one place, and asked in one place.

Whatever is proved here comes down to questions whether formulas can be met together.  They all go through `Solver.ask`,
so that none is asked beyond what a theorem may spend, that what was spent is known, and that each can be kept
(`keeping`) and put to somebody else: swagproof.proofs.engine.smt_lib writes it, swagproof.proofs.ledger.second_solver
asks another solver.

What was answered is not asked again.  Paths have their beginnings in common, and wrong variants have what they do
before the changed line in common with the reference: so the very same question comes up many times.  Whether formulas
can be met together depends on nothing but the formulas, so an answer is looked up by them; `unknown` is no
answer, and a model is asked for where it is needed.  And paths of one exploration share what Z3 was told (`Scopes`).

Z3's Python bindings carry no types that a checker can use: its terms are `Any`.
"""

import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from itertools import count
from operator import is_not
from typing import Any, Final, Literal, TypeAlias

from swagproof.proofs.engine.terms.term_table import TermTable

z3: Any = TermTable(import_module("z3"))
z3.z3.Z3_DEBUG = False  # arguments are looked at by Z3 itself: a second look, in Python, took a sixth of a proof's time

Truth: TypeAlias = Any
"""A Z3 formula."""
Integer: TypeAlias = Any
"""A Z3 integer term."""
Model: TypeAlias = Any
"""A Z3 model: values for the unknowns."""

RLIMIT: Final = 50_000_000
"""Of Z3's own units, for one question, the same on every machine.  The dearest takes 4 million; beyond, `unknown`."""

TIMEOUT_MS: Final = 20_000
"""For one question, should a unit take long.  A time-out is `unknown` too."""

BUDGET_SECONDS: Final = 60.0
"""Of Z3's time for one theorem.  Beyond it nothing more is asked, and the theorem is unknown."""

SEEDS: Final = (1, 2)
"""With which a Z3 of its own is asked what Z3 had no answer to: with one after the other, until there is one."""

Answer = Literal["sat", "unsat", "unknown"]

Role = Literal["obligation", "branch", "clause", "assumptions"]
"""Why a question is asked.

- `obligation`: can what must be shown be false?  `unsat` discharges it.
- `branch`: can the code go this way?  `unsat` closes the way, and nothing is shown there.
- `clause`: can what a clause looks at be otherwise?  `unsat` settles it, and the clause is read so.
- `assumptions`: can what was assumed be met?  `sat` says that the path is not vacuous.
"""


class OverBudget(BaseException):
    """Ends an exploration.  Past `except Exception`, which the code under proof may have."""


@dataclass(frozen=True, eq=False)
class Question:
    """Whether these formulas can be met together, and what Z3 answered."""

    role: Role
    about: str
    """The obligation in words."""
    facts: tuple[Truth, ...]
    answer: Answer

    @property
    def carries(self) -> bool:
        """Return whether a theorem would not stand without this answer.  A branch that is left open only costs time."""
        return self.answer == ("sat" if self.role == "assumptions" else "unsat")


@dataclass
class Inquiry:
    """What was asked, and what it took."""

    questions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    """In seconds."""
    rlimit: int = 0
    """What Z3 spent, in the units that it counts itself (its `rlimit count`)."""
    max_memory: float = 0.0
    """The most that Z3 has held in this process so far, in megabytes."""
    kept: list[Question] = field(default_factory=list[Question])
    """The questions themselves, where they are kept."""

    def merge(self, other: "Inquiry") -> None:
        """Add what was asked elsewhere."""
        self.questions += other.questions
        self.seconds += other.seconds
        self.slowest = max(self.slowest, other.slowest)
        self.rlimit += other.rlimit
        self.max_memory = max(self.max_memory, other.max_memory)
        self.kept += other.kept

    @property
    def over_budget(self) -> bool:
        """Return whether it took more than one theorem may take."""
        return self.seconds > BUDGET_SECONDS

    @contextmanager
    def measured(self) -> Generator[None]:
        """Note what Z3 spends meanwhile."""
        spent, _ = _spent()
        yield
        now, self.max_memory = _spent()
        self.rlimit = now - spent


def _spent() -> tuple[int, float]:
    """Return what Z3 has spent in this process, by its own count, and the most megabytes that it has held."""
    counted = z3.Solver().statistics()
    return counted.get_key_value("rlimit count"), counted.get_key_value("max memory")


_keeping = False


@contextmanager
def keeping() -> Generator[None]:
    """Questions that are asked meanwhile are kept, with all that was assumed; else nothing of them is."""
    global _keeping
    before, _keeping = _keeping, True
    try:
        yield
    finally:
        _keeping = before


class Answers:
    """What was answered, by the formulas that were asked about."""

    MOST: Final = 200_000
    """So many facts and answers are remembered; they take some 60 MB."""

    def __init__(self) -> None:
        self._behind: dict[tuple[int, int], tuple[int, Truth]] = {}
        """The number of a sequence of facts, by that of the sequence without the last, and the last."""
        self._numbers = count(1)
        self._answers: dict[tuple[Any, ...], tuple[Answer, Sequence[Truth]]] = {}
        """By the number of the facts, and the claims: with these themselves, so that no others take their places."""

    def number(self, before: int, fact: Truth) -> int:
        """The number of a sequence of facts with one more; that of none is 0."""
        key = before, fact.ast.value
        if key not in self._behind:
            self._behind[key] = next(self._numbers), fact
        return self._behind[key][0]

    def find(self, facts: int, claims: Sequence[Truth]) -> Answer | None:
        """The answer, if it is known."""
        found = self._answers.get((facts, *[claim.ast.value for claim in claims]))
        return found and found[0]

    def keep(self, facts: int, claims: Sequence[Truth], answer: Answer) -> None:
        """Remember an answer."""
        self._answers[facts, *[claim.ast.value for claim in claims]] = answer, claims

    def forget(self, most: int = MOST) -> None:
        """Remember nothing any more, where it has become more than that.  No number is given twice."""
        if len(self._behind) + len(self._answers) > most:
            self._behind.clear()
            self._answers.clear()


ANSWERS: Final = Answers()


def forget() -> None:
    """Between two explorations: let go of terms and answers, where they have become many."""
    z3.forget()
    ANSWERS.forget()


class Scopes:
    """Z3 itself, told the facts of one path after another: what the next has in common with the last stays told."""

    def __init__(self) -> None:
        self._solvers: dict[tuple[Any, ...], tuple[Any, list[Sequence[Truth]]]] = {}
        """By what was set, and how often all was forgotten: Z3, and what it was told in each of its scopes."""

    def tell(self, facts: Sequence[Truth], settings: Mapping[str, Any], resets: int) -> Any:
        """A Z3 with these settings that is told these facts, and nothing else."""
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
    """What one path assumes, and Z3 to be asked under that."""

    def __init__(self, inquiry: Inquiry, scopes: Scopes | None = None) -> None:
        self.inquiry = inquiry
        self._scopes = scopes or Scopes()
        self._settings: dict[str, Any] = {"rlimit": RLIMIT, "timeout": TIMEOUT_MS}
        self._resets = 0
        self._facts: list[Truth] = []
        self._number = 0
        """By which what was answered under these facts is found."""
        self._asked: Any = None
        """The Z3 that answered last under these facts."""

    def set(self, parameter: str, value: Any) -> None:
        """Set a parameter of Z3's: it may change how long an answer takes, and whether there is one."""
        self._settings[parameter] = value

    def add(self, *facts: Truth) -> None:
        """Assume these too."""
        self._facts += facts
        self._asked = None
        for fact in facts:
            self._number = ANSWERS.number(self._number, fact)

    def reset(self) -> None:
        """Assume nothing any more."""
        self._facts, self._number, self._resets, self._asked = [], 0, self._resets + 1, None

    @property
    def facts(self) -> list[Truth]:
        """Return what is assumed."""
        return list(self._facts)

    @property
    def _z3(self) -> Any:
        return self._scopes.tell(self._facts, self._settings, self._resets)

    def ask(self, role: Role, *claims: Truth, about: str = "", model: bool = False) -> Answer:
        """Return whether these can be met together with what is assumed.  Raises OverBudget when its time is used up.

        After `sat` a `model` can be had, where it is asked for.
        """
        inquiry = self.inquiry
        if inquiry.over_budget:
            raise OverBudget
        known = ANSWERS.find(self._number, claims)
        answer = self._ask(claims) if known is None or (model and known == "sat") else known
        inquiry.questions += 1
        if _keeping:
            inquiry.kept.append(Question(role, about, (*self._facts, *claims), answer))
        return answer

    def _ask(self, claims: Sequence[Truth]) -> Answer:
        began = time.thread_time()  # a busy machine is not what a theorem spends
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
        """A Z3 that was told nothing else, with another seed.

        How long it looks for integers among reals hangs on its choices, and these on what was asked in the process
        before: of one question most seeds take a hundredth of a second, and one in twenty more than 1.5 seconds.
        """
        made = z3.Solver()
        for parameter, value in (*self._settings.items(), ("smt.random_seed", seed)):
            made.set(parameter, value)
        made.add(*self._facts)
        return made

    def model(self) -> Model:
        """Values that meet them, after `sat`."""
        return self._asked.model()

    def small_model(
        self, *claims: Truth, size: Integer | None, besides: Sequence[Truth] = ()
    ) -> tuple[Model, Sequence[Truth]]:
        """Values that meet these and what is assumed, after `sat`, this number a small one: for a picture.

        And what is asked `besides` is met, where it can be: what of it is, is said.  Nothing rests on it, so it is no
        question of the inquiry.
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
        """Why the answer was `unknown`."""
        return str(self._asked.reason_unknown())
