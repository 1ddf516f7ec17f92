"""Confirmation of proofs by a second solver: a claim's questions written as SMT-LIB files, put to cvc5, or both.

A proved claim rests on Z3's answers, and Z3 writes no proof that could be replayed.  `Review` asks cvc5, which shares
no code with Z3, all questions on which the claim depends (`Question.carries`): whether each discharged obligation,
closed branch and decided clause is `unsat`, and whether the assumptions of each path are `sat`.  An open branch needs
no confirmation: exploring it costs time, but cannot prove anything false.

cvc5 confirms an answer, contradicts it, or leaves it open.  A contradiction makes the claim fail.  An open question
rests on Z3 alone, and is counted separately.

Limits: `RLIMIT`, in cvc5's machine-independent units, and `TIMEOUT_MS`.  Questions that SMT-LIB cannot express are left
open.
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

from swagproof.proofs.engine.settings import using
from swagproof.proofs.engine.solver import Answer, Question
from swagproof.proofs.ledger.claim import Claim, Outcome
from swagproof.proofs.ledger.smt_lib import CannotBeWritten, Writer

RLIMIT: Final = 1_000_000
"""The limit for one question, in cvc5's units.  Questions left open within it stay open with six times as many."""

TIMEOUT_MS: Final = 120_000
"""The time limit for one question, for slow machines."""


@dataclass(frozen=True)
class Reply:
    """A solver's answer to a question."""

    answer: Answer
    reason: str = ""
    """The reason why it is unknown."""


@dataclass(frozen=True)
class SecondSolver:
    """A solver, with the name of its distribution and of the extra that installs it."""

    name: str
    ask: Callable[[str], Reply]
    """The function that answers a question in SMT-LIB."""

    @property
    def installed(self) -> bool:
        """Return whether the solver is installed."""
        return find_spec(self.name) is not None

    @property
    def version(self) -> str:
        """The version of the solver's distribution."""
        return version(self.name)


def ask_cvc5(text: str) -> Reply:
    """Return cvc5's answer to a question written in SMT-LIB."""
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
"""The available solvers, by name."""


@dataclass
class Review:
    """A reviewer of proved claims, which writes their questions to files and asks a second solver."""

    second: SecondSolver | None = None
    """The solver to ask, if any."""
    directory: str | None = None
    """The folder for the files, if any."""
    _seen: WeakKeyDictionary[Question, Reply] = field(default_factory=WeakKeyDictionary[Question, Reply])
    """Replies by question, because several claims rest on the same runs."""
    _replies: dict[bytes, Reply] = field(default_factory=dict[bytes, Reply])
    """Replies by the digest of the question's text, because different runs ask equal questions."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Review, (self.second, self.directory)  # another process has no cached replies

    def check(self, claim: Claim, check: Callable[[], Outcome]) -> Outcome:
        """Return the outcome of a claim's check after writing its questions or asking them again."""
        if claim.kind != "proved":
            return check()
        with using(questions=True):
            outcome = check()
        inquiry = None if outcome.exploration is None else outcome.exploration.inquiry
        if outcome.verdict != "holds" or outcome.means not in ("obligations", "coverage"):
            return outcome
        if inquiry is None or len(inquiry.kept) != inquiry.questions:
            return replace(outcome, verdict="unknown", detail="Z3 was asked, but the question is not available")
        if self.directory is not None:
            self.write(claim, inquiry.kept, Path(self.directory) / claim.id)
        return outcome if self.second is None else self.confirm(self.second, outcome, inquiry.kept)

    def write(self, claim: Claim, questions: Iterable[Question], directory: Path) -> None:
        """Write the questions of a claim to one file each; if one cannot be written, its file says so."""
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
        """Return the outcome with the second solver's counts; it fails if the solver contradicts an answer."""
        writer, asked, began = Writer(), len(self._replies), time.perf_counter()
        replies = [(each, self._ask(second, writer, each)) for each in questions if each.carries]
        others = [(each, reply) for each, reply in replies if reply.answer != each.answer]
        why_open = Counter(reply.reason for _, reply in others if reply.answer == "unknown")
        refuted = [(each, reply) for each, reply in others if reply.answer != "unknown"]
        confirmed = len(replies) - len(others)
        counts = {
            "asked": len(replies),
            "confirmed": confirmed,
            "open": why_open.total(),
            "refuted": len(refuted),
            "of": dict(Counter(each.role for each, _ in replies)),
            "why_open": dict(why_open),
            "new": len(self._replies) - asked,
            "seconds": round(time.perf_counter() - began, 3),
        }
        statistics = {**outcome.statistics, second.name: counts}
        if refuted:
            each, reply = refuted[0]
            about = f"{each.role} {each.about!r}" if each.about else each.role
            said = f"{second.name} answers {reply.answer} where Z3 answers {each.answer}, {about}"
            return replace(outcome, verdict="fails", detail=said, statistics=statistics)
        said = f"{outcome.detail}; {second.name} confirms {confirmed} of {len(replies)} answers"
        return replace(outcome, detail=said, statistics=statistics)

    def _ask(self, second: SecondSolver, writer: Writer, question: Question) -> Reply:
        if question not in self._seen:
            try:
                text = writer.write(question.facts)
            except CannotBeWritten as error:
                self._seen[question] = Reply("unknown", f"cannot be written: {error}")
            else:
                key = sha256(text.encode()).digest()
                if key not in self._replies:
                    self._replies[key] = second.ask(text)
                self._seen[question] = self._replies[key]
        return self._seen[question]
