"""A row's questions once more: written as SMT-LIB, put to a solver that shares no code with Z3, or both.

That a proved row holds rests on Z3's answers, which nothing replays.  So those that a row would not stand without are
put to cvc5 too: every obligation that was discharged, every way of a branch that was closed and every clause that was
settled (`unsat`), and that the assumptions of each path can be met (`sat`).  That a way is open needs no second
opinion: going it costs time, and proves nothing that is not so.

cvc5 confirms an answer, contradicts it, or leaves it open: it gave up, or the standard has no name for what was asked.
A contradiction makes the row fail; what is left open rests on Z3 alone, as all did before, and is counted, never told
as confirmed.  How far cvc5 goes with a question is limited in its own units, the same on every machine.
"""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary

from swagproof.proofs.engine.smt_lib import CannotBeWritten, Writer
from swagproof.proofs.engine.solver import Answer, Question, keeping
from swagproof.proofs.ledger.claim import Claim, Outcome

RLIMIT: Final = 1_000_000
"""Of cvc5's own units, for one question.  What it leaves open within them it leaves open within six times as many."""

TIMEOUT_MS: Final = 120_000
"""For one question, should a unit take long."""


@dataclass(frozen=True)
class Reply:
    """What a solver said."""

    answer: Answer
    reason: str = ""
    """Why it is unknown."""


@dataclass(frozen=True)
class SecondSolver:
    """A solver by its name, which is its distribution's and that of the extra, and how it is asked."""

    name: str
    ask: Callable[[str], Reply]
    """Answers a question in SMT-LIB."""

    @property
    def installed(self) -> bool:
        """Return whether it is there."""
        return find_spec(self.name) is not None

    @property
    def version(self) -> str:
        """Which one it is."""
        return version(self.name)


def ask_cvc5(text: str) -> Reply:
    """Return what cvc5 answers."""
    cvc5: Any = import_module("cvc5")
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("rlimit-per", str(RLIMIT))
    solver.setOption("tlimit-per", str(TIMEOUT_MS))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
    try:
        while not (command := parser.nextCommand()).isNull():
            if command.getCommandName() == "check-sat":
                break
            said = command.invoke(solver, parser.getSymbolManager())
            if said:
                return Reply("unknown", str(said).strip())
        result = solver.checkSat()
    except RuntimeError as error:
        return Reply("unknown", re.sub(r"\([^()]*\)", "(...)", str(error).partition(",")[0]).strip())
    if result.isUnknown():
        return Reply("unknown", str(result.getUnknownExplanation()).rpartition(".")[2].lower())
    return Reply("sat" if result.isSat() else "unsat")


SOLVERS: Final = {solver.name: solver for solver in (SecondSolver("cvc5", ask_cvc5),)}
"""Those that can be asked."""


@dataclass
class Confirmation:
    """What a second solver says of the answers that a row rests on."""

    confirmed: int = 0
    open: Counter[str] = field(default_factory=Counter[str])
    """Why it has no answer to some."""
    refuted: list[str] = field(default_factory=list[str])
    of: Counter[str] = field(default_factory=Counter[str])
    """Why they were asked: `Role`."""

    @property
    def asked(self) -> int:
        """Return how many answers there were to confirm."""
        return sum(self.of.values())

    def note(self, question: Question, reply: Reply) -> None:
        """One more."""
        self.of[question.role] += 1
        if reply.answer == question.answer:
            self.confirmed += 1
        elif reply.answer == "unknown":
            self.open[reply.reason] += 1
        else:
            about = f"{question.role} {question.about!r}" if question.about else question.role
            self.refuted.append(f"{reply.answer} where Z3 answers {question.answer}, {about}")

    @property
    def statistics(self) -> dict[str, Any]:
        """For a row of the ledger."""
        return {
            "asked": self.asked,
            "confirmed": self.confirmed,
            "open": sum(self.open.values()),
            "refuted": len(self.refuted),
            "of": dict(self.of),
            "why_open": dict(self.open),
        }


@dataclass
class Review:
    """What becomes of the questions of proved rows, beyond Z3's answers."""

    second: SecondSolver | None = None
    """Who is asked."""
    directory: str | None = None
    """Where they are written."""
    _seen: WeakKeyDictionary[Question, Reply] = field(default_factory=WeakKeyDictionary[Question, Reply])
    """Rows rest on the same runs, and so on the same questions."""
    _replies: dict[bytes, Reply] = field(default_factory=dict[bytes, Reply])
    """By the text: runs ask alike."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Review, (self.second, self.directory)  # another process begins anew

    def settle(self, claim: Claim, check: Callable[[], Outcome]) -> Outcome:
        """The outcome of a claim's check, once its questions have been looked at again."""
        if claim.kind != "proved":
            return check()
        with keeping():
            outcome = check()
        inquiry = None if outcome.exploration is None else outcome.exploration.inquiry
        if outcome.verdict != "holds" or outcome.means not in ("obligations", "coverage"):
            return outcome
        if inquiry is None or len(inquiry.kept) != inquiry.questions:
            return replace(outcome, verdict="unknown", detail="Z3 was asked, and what it was asked is not at hand")
        if self.directory is not None:
            self.write(claim, inquiry.kept, Path(self.directory) / claim.id)
        return outcome if self.second is None else self.confirm(self.second, outcome, inquiry.kept)

    def write(self, claim: Claim, questions: Iterable[Question], directory: Path) -> None:
        """Write all questions of a row, a file each; one that cannot be written has a file that says so."""
        directory.mkdir(parents=True, exist_ok=True)
        writer = Writer()
        for number, question in enumerate(questions, 1):
            said = [f"{claim.id}: {claim.statement}", f"{question.role}: {question.about}".removesuffix(": ")]
            try:
                text = f"(set-info :smt-lib-version 2.6)\n(set-info :status {question.answer})\n"
                text += writer.write(question.facts)
            except CannotBeWritten as error:
                said.append(f"CANNOT BE WRITTEN: {error}")
                text = ""
            comments = "".join(f"; {line}\n" for line in said)
            (directory / f"{number:05}.smt2").write_text(comments + text, encoding="utf-8")

    def confirm(self, second: SecondSolver, outcome: Outcome, questions: Iterable[Question]) -> Outcome:
        """The outcome, with what another solver says of the answers that it rests on."""
        found, writer, asked, began = Confirmation(), Writer(), len(self._replies), time.perf_counter()
        for question in questions:
            if question.carries:
                if question not in self._seen:
                    self._seen[question] = self._ask(second, writer, question)
                found.note(question, self._seen[question])
        spent = {"new": len(self._replies) - asked, "seconds": round(time.perf_counter() - began, 3)}
        statistics = {**outcome.statistics, second.name: {**found.statistics, **spent}}
        if found.refuted:
            return replace(
                outcome, verdict="fails", detail=f"{second.name} answers {found.refuted[0]}", statistics=statistics
            )
        said = f"{outcome.detail}; {second.name} confirms {found.confirmed} of {found.asked} answers"
        return replace(outcome, detail=said, statistics=statistics)

    def _ask(self, second: SecondSolver, writer: Writer, question: Question) -> Reply:
        try:
            text = writer.write(question.facts)
        except CannotBeWritten as error:
            return Reply("unknown", f"cannot be written: {error}")
        key = sha256(text.encode()).digest()
        if key not in self._replies:
            self._replies[key] = second.ask(text)
        return self._replies[key]
