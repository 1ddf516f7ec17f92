"""Z3: imported in one place, and asked in one place.

Whatever is proved here comes down to questions whether formulas can be met together.  They all go through `Solver.ask`,
so that none is asked beyond what a theorem may spend, that what was spent is known, and that each can be kept
(`keeping`) and put to somebody else: swagproof.proofs.engine.smt_lib writes it, swagproof.proofs.ledger.second_solver
asks another solver.

Z3's Python bindings carry no types that a checker can use: its terms are `Any`.
"""

import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final, Literal, TypeAlias

z3: Any = import_module("z3")
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
        """Whether a theorem would not stand without this answer.  A branch that is left open only costs time."""
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
        """Whether it took more than one theorem may take."""
        return self.seconds > BUDGET_SECONDS

    @contextmanager
    def measured(self) -> Generator[None]:
        """Note what Z3 spends meanwhile."""
        spent, _ = _spent()
        yield
        now, self.max_memory = _spent()
        self.rlimit = now - spent


def _spent() -> tuple[int, float]:
    """What Z3 has spent in this process, by its own count, and the most megabytes that it has held."""
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


class Solver:
    """Z3, and what it is told."""

    def __init__(self, inquiry: Inquiry) -> None:
        self.inquiry = inquiry
        self._z3 = z3.Solver()
        self._z3.set("rlimit", RLIMIT)
        self._z3.set("timeout", TIMEOUT_MS)

    def set(self, parameter: str, value: Any) -> None:
        """Set a parameter of Z3's: it may change how long an answer takes, and whether there is one."""
        self._z3.set(parameter, value)

    def add(self, *facts: Truth) -> None:
        """Assume these too."""
        self._z3.add(*facts)

    def reset(self) -> None:
        """Assume nothing any more."""
        self._z3.reset()

    @property
    def facts(self) -> list[Truth]:
        """What is assumed."""
        return list(self._z3.assertions())

    def ask(self, role: Role, *claims: Truth, about: str = "") -> Answer:
        """Whether these can be met together with what is assumed.  Raises OverBudget when its time is used up."""
        inquiry = self.inquiry
        if inquiry.over_budget:
            raise OverBudget
        began = time.perf_counter()
        answer: Answer = str(self._z3.check(*claims))  # type: ignore[assignment]  # one of the three
        took = time.perf_counter() - began
        inquiry.seconds += took
        inquiry.slowest = max(inquiry.slowest, took)
        inquiry.questions += 1
        if _keeping:
            inquiry.kept.append(Question(role, about, (*self.facts, *claims), answer))
        return answer

    def model(self) -> Model:
        """Values that meet them, after `sat`."""
        return self._z3.model()

    def small_model(self, *claims: Truth, size: Integer | None) -> Model:
        """Values that meet these and what is assumed, after `sat`, this number a small one: for a picture.

        Nothing rests on it, so it is no question of the inquiry.
        """
        small: list[Truth] = [] if size is None else [size <= most for most in (0, 1, 2, 3, 4, 6, 8, 12, 16, 32)]
        for limit in small:
            if str(self._z3.check(*claims, limit)) == "sat":
                return self._z3.model()
        self._z3.check(*claims)
        return self._z3.model()

    def reason_unknown(self) -> str:
        """Why the answer was `unknown`."""
        return str(self._z3.reason_unknown())
