"""The second solver: a contradicted answer fails the claim, and an open one is not reported as confirmed."""

from dataclasses import replace
from pathlib import Path

import pytest
import second_solver
from click.testing import CliRunner

from swagproof.proofs.claims import CLAIMS, find
from swagproof.proofs.commands.prove import prove
from swagproof.proofs.engine.solver import Question, z3
from swagproof.proofs.ledger.claim import Claim, Outcome, check_claim
from swagproof.proofs.ledger.second_solver import SOLVERS, Reply, Review, SecondSolver, ask_cvc5


def a_claim(id: str) -> Claim:
    (found,) = find([id])
    return found


def parrot(reply: Reply) -> SecondSolver:
    """Return a solver with the same reply to everything."""
    return SecondSolver("parrot", lambda text: reply)


BOUNDS = a_claim("windows/cql-bounds")
"""A claim with six obligations on one path."""


def test_cvc5_answers() -> None:
    x = "(set-logic ALL)(declare-fun x () Int)"
    assert ask_cvc5(f"{x}(assert (> x 3))(check-sat)") == Reply("sat")
    assert ask_cvc5(f"{x}(assert (> x 3))(assert (< x 3))(check-sat)") == Reply("unsat")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(assert x)", "Symbol 'x' not declared as a variable"),
        ("(declare-fun h () (_ FloatingPoint 5 11))(assert (fp.lt h (fp.add RNE h h)))", "5/11 is not supported"),
    ],
)
def test_what_cvc5_does_not_read_is_open(text: str, reason: str) -> None:
    reply = ask_cvc5(f"(set-logic ALL){text}(check-sat)")
    assert reply.answer == "unknown"
    assert reason in reply.reason


def test_cvc5_gives_up_by_its_own_units(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("swagproof.proofs.ledger.second_solver.RLIMIT", 100)
    names = "xyz"
    cubes = " ".join(f"(declare-fun {n} () Int)(assert (> {n} 1))" for n in names)
    fermat = "(assert (= (+ (* x x x) (* y y y)) (* z z z)))"
    assert ask_cvc5(f"(set-logic ALL){cubes}{fermat}(check-sat)") == Reply("unknown", "resourceout")


def test_cvc5_confirms_a_row() -> None:
    row = check_claim(BOUNDS, review=Review(SOLVERS["cvc5"]).check)
    assert row.verdict == "holds"
    found = row.statistics["cvc5"]
    assert (found["asked"], found["confirmed"], found["open"], found["refuted"]) == (6, 6, 0, 0)
    assert sum(found["of"].values()) == 6
    assert row.detail.endswith("cvc5 confirms 6 of 6 answers")


def test_an_answer_that_is_contradicted_makes_the_row_fail() -> None:
    row = check_claim(BOUNDS, review=Review(parrot(Reply("sat"))).check)
    assert row.verdict == "fails"
    assert row.detail == "parrot answers sat where Z3 answers unsat, obligation 'it begins at a multiple of the slide'"
    vacuous = check_claim(BOUNDS, review=Review(parrot(Reply("unsat"))).check)
    assert vacuous.verdict == "fails"
    assert "unsat where Z3 answers sat, assumptions" in vacuous.detail


def test_cvc5_contradicts_a_wrong_answer() -> None:
    x = z3.Int("x")
    for question, said in (
        (Question("obligation", "x is not positive", (x > 0,), "unsat"), "sat where Z3 answers unsat, obligation"),
        (Question("branch", "", (x > 0, x < 2), "unsat"), "sat where Z3 answers unsat, branch"),
        (Question("assumptions", "", (x > 0, x < 1), "sat"), "unsat where Z3 answers sat, assumptions"),
    ):
        outcome = Review().confirm(SOLVERS["cvc5"], Outcome("holds", "1"), [question])
        assert outcome.verdict == "fails"
        assert said in outcome.detail


def test_what_is_left_open_is_not_told_as_confirmed() -> None:
    row = check_claim(BOUNDS, review=Review(parrot(Reply("unknown", "tired"))).check)
    assert row.verdict == "holds"
    assert row.detail.endswith("parrot confirms 0 of 6 answers")
    found = row.statistics["parrot"]
    assert (found["confirmed"], found["open"], found["refuted"]) == (0, 6, 0)
    assert found["why_open"] == {"tired": 6}


def test_what_cannot_be_written_is_open() -> None:
    words = z3.Const("words", z3.SeqSort(z3.IntSort()))
    question = Question("obligation", "words", (words != words,), "unsat")
    outcome = Review().confirm(SOLVERS["cvc5"], Outcome("holds", "1"), [question])
    assert outcome.statistics["cvc5"]["why_open"] == {
        "cannot be written: the sort Seq, which is of no theory of the standard": 1
    }


def test_what_is_not_at_hand_is_unknown() -> None:
    """Check also runs that were made before their queries were recorded."""
    explored = BOUNDS.check()
    late = check_claim(replace(BOUNDS, check=lambda mutant=None: explored), review=Review(parrot(Reply("sat"))).check)
    assert late.verdict == "unknown"
    forgot = check_claim(
        replace(BOUNDS, check=lambda mutant=None: replace(explored, exploration=None)),
        review=Review(parrot(Reply("sat"))).check,
    )
    assert forgot.verdict == "unknown"


def test_only_what_is_proved_is_looked_at_again() -> None:
    sampled = replace(BOUNDS, kind="sampled")
    assert check_claim(sampled, review=Review(parrot(Reply("sat"))).check).verdict == "holds"


def test_a_question_is_asked_once() -> None:
    asked: list[str] = []

    def ask(text: str) -> Reply:
        asked.append(text)
        return Reply("unknown")

    review = Review(SecondSolver("counts", ask))
    first, second = (check_claim(BOUNDS, review=review.check).statistics["counts"] for _ in range(2))
    assert (first["new"], second["new"]) == (len(asked), 0)
    assert len(asked) == len(set(asked)) <= first["asked"] == second["asked"]


def test_prove_says_what_cvc5_confirms() -> None:
    run = CliRunner().invoke(prove, ["windows/cql-bounds", "--solver", "cvc5", "--processes", "2"])
    assert run.exit_code == 0
    assert "1 proved rows rest on 6 answers" in " ".join(run.output.split())
    assert "6 confirmed, 0 left open, 0 refuted" in " ".join(run.output.split())


def test_a_solver_that_is_not_installed_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("swagproof.proofs.ledger.second_solver.find_spec", lambda name: None)
    run = CliRunner().invoke(prove, ["windows/cql-bounds", "--solver", "cvc5"])
    assert run.exit_code == 2
    assert "cvc5 is not installed: pip install 'swagproof[cvc5]'" in run.output


def test_questions_are_written_a_file_each(tmp_path: Path) -> None:
    target = tmp_path / "questions"
    row = check_claim(BOUNDS, review=Review(directory=str(target)).check)
    files = sorted((target / "windows" / "cql-bounds").iterdir())
    assert len(files) == row.statistics["questions"]
    answers: list[str] = []
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert text.startswith(f"; windows/cql-bounds: {BOUNDS.statement}\n; ")
        answer = "unsat" if "(set-info :status unsat)" in text else "sat"
        assert f"(set-info :status {answer})" in text
        assert ask_cvc5(text).answer == answer
        answers.append(answer)
    assert set(answers) == {"sat", "unsat"}
    refused = CliRunner().invoke(prove, ["windows/cql-bounds", "--smt-lib", str(target)])
    assert refused.exit_code == 2
    assert "exists" in refused.output


def test_what_cannot_be_written_has_a_file_that_says_so(tmp_path: Path) -> None:
    words = z3.Const("words", z3.SeqSort(z3.IntSort()))
    Review().write(BOUNDS, [Question("obligation", "words", (words != words,), "unsat")], tmp_path / "there")
    (file,) = (tmp_path / "there").iterdir()
    assert "; CANNOT BE WRITTEN: the sort Seq" in file.read_text(encoding="utf-8")


ASKED_AGAIN = ("windows/cql-bounds", "timegram/placed", "table-2/doubles-commute")
"""Claims that cvc5 checks in a second or so."""


def run(*ids: str) -> dict[str, dict[str, int]]:
    rows = [check_claim(a_claim(id), review=Review(SOLVERS["cvc5"]).check).as_json() for id in ids]
    found: dict[str, dict[str, int]] = second_solver.pin(rows)["rows"]
    return found


def test_some_rows_are_as_pinned() -> None:
    pinned = second_solver.read()
    assert run(*ASKED_AGAIN) == {id: pinned["rows"][id] for id in ASKED_AGAIN}
    assert pinned["version"] == SOLVERS["cvc5"].version


def test_every_proof_by_z3_is_pinned_and_nothing_is_refuted() -> None:
    rows = second_solver.read()["rows"]
    assert set(rows) == {claim.id for claim in CLAIMS if claim.kind == "proved" and "Z3" in claim.engine}
    for id, said in rows.items():
        assert said["asked"] == said["confirmed"] + said["open"] > 0, id
        assert said["refuted"] == 0, id


def test_a_difference_is_told() -> None:
    pinned = second_solver.read()
    id, said = next(iter(pinned["rows"].items()))
    fewer = {**pinned, "rows": {**pinned["rows"], id: {**said, "confirmed": 0}}}
    assert second_solver.tell_differences(pinned, pinned) == []
    assert [line.partition(":")[0] for line in second_solver.tell_differences(pinned, fewer)] == [id]
    gone = {**pinned, "version": "0", "rows": {}}
    assert len(second_solver.tell_differences(pinned, gone)) == 1 + len(pinned["rows"])
