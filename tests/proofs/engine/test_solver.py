"""All queries to Z3 go through one place, where they can be recorded."""

import ast
import gc
import weakref
from pathlib import Path as File
from typing import Any

import pytest

from swagproof.proofs.engine import solver
from swagproof.proofs.engine.paths import Path, explore
from swagproof.proofs.engine.settings import using
from swagproof.proofs.engine.solver import ANSWERS, Inquiry, Scopes, Solver, z3
from swagproof.proofs.engine.terms import term_table
from swagproof.proofs.engine.values import SymbolicInt

ROOT = File(__file__).resolve().parents[3]
ROOMS = ("models", "contracts", "reference", "proofs", "oracle", "pipeline", "src/swagproof/reports")
ASKS = {name for name in dir(z3) if "Solver" in name or "Tactic" in name} | {
    *("Optimize", "Fixedpoint", "Then", "AndThen", "OrElse", "ParOr", "ParThen", "Repeat", "TryFor"),
    *("prove", "solve", "solve_using"),
}
"""Names of Z3 that can run a query."""


def asks(source: str) -> list[str]:
    """Return the uses by which a module reaches Z3, or a name that can run a query, other than through the engine."""
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names) if any(name.name.split(".")[0] == "z3" for name in names):
                found.append("import z3")
            case ast.ImportFrom(module=str() as module) if module.split(".")[0] == "z3":
                found.append(f"from {module}")
            case ast.Constant(value="z3"):
                found.append("'z3'")
            case ast.Attribute(value=ast.Name(id="z3"), attr=name) if name in ASKS:
                found.append(f"z3.{name}")
            case ast.Call(func=ast.Name(id="getattr"), args=[ast.Name(id="z3"), *_]):
                found.append("getattr(z3, ...)")
            case _:
                pass
    return found


NAMES = ROOT / "src" / "swagproof" / "reports" / "extras.py"
"""The module that names the extra of each module, and imports none."""


def test_z3_is_asked_in_one_place() -> None:
    modules = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    assert len(modules) > 200
    one = ROOT / "proofs" / "engine" / "solver.py"
    assert {"z3.Solver", "'z3'"} == set(asks(one.read_text(encoding="utf-8")))
    others = {path: asks(path.read_text(encoding="utf-8")) for path in modules if path not in (one, NAMES)}
    assert {str(path): found for path, found in others.items() if found} == {}


@pytest.mark.parametrize(
    "source",
    [
        "import z3",
        "from z3 import Solver",
        "z3.Solver()",
        "z3.prove(x)",
        "import_module('z3')",
        "getattr(z3, 'Solver')",
    ],
)
def test_another_place_would_be_found(source: str) -> None:
    assert asks(source)


def at_most_two(path: Path) -> None:
    x = SymbolicInt(path.fresh("x"))
    path.assume(x.term < 2)
    path.show("at most 2", x.term <= (2 if x > 0 else 0))


def test_questions_are_kept_only_when_they_are_to_be() -> None:
    assert explore(at_most_two).inquiry.kept == []
    with using(questions=True):
        inquiry = explore(at_most_two).inquiry
    assert len(inquiry.kept) == inquiry.questions == 6
    assert explore(at_most_two).inquiry.kept == []


def test_a_question_says_what_rests_on_it() -> None:
    with using(questions=True):
        kept = explore(at_most_two).inquiry.kept
    found = [(question.role, question.about, question.answer, question.carries) for question in kept]
    assert found == [
        ("branch", "", "sat", False),
        ("branch", "", "sat", False),
        ("obligation", "at most 2", "unsat", True),
        ("assumptions", "to the end of the path", "sat", True),
        ("obligation", "at most 2", "unsat", True),
        ("assumptions", "to the end of the path", "sat", True),
    ]
    assert [len(question.facts) for question in kept] == [2, 2, 3, 3, 3, 3]


def test_a_question_may_spend_so_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "RLIMIT", 1000)
    x, y, z = z3.Ints("x y z")
    asked = Solver(Inquiry())
    asked.add(x > 1, y > 1, z > 1)
    assert asked.ask("obligation", x * x * x + y * y * y == z * z * z) == "unknown"
    assert asked.reason_unknown()


def put_to_z3(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that collects the claims of all later queries to Z3."""
    put: list[str] = []
    check = z3.Solver.check

    def asked(self: Any, *claims: Any) -> Any:
        put.append(" ".join(map(str, claims)))
        return check(self, *claims)

    monkeypatch.setattr(z3.Solver, "check", asked)
    return put


def test_what_was_answered_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    put, x = put_to_z3(monkeypatch), z3.Int("x")
    first, one = Solver(Inquiry()), Solver(Inquiry())
    for each in (first, one):
        each.add(x > 1)
        assert [each.ask("branch", x < 1), each.ask("branch", x < 9)] == ["unsat", "sat"]
        assert each.inquiry.questions == 2
    assert put == ["x < 1", "x < 9"]
    one.add(x > 5)  # under other facts it is another query
    assert one.ask("branch", x < 6) == "unsat"
    one.reset()
    assert one.ask("branch", x < 6) == "sat"
    assert put[2:] == ["x < 6", "x < 6"]


def test_a_model_is_one_of_the_question_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    put, x = put_to_z3(monkeypatch), z3.Int("x")
    one = Solver(Inquiry())
    assert one.ask("branch", x == 3) == one.ask("branch", x == 4) == "sat"
    assert one.ask("obligation", x == 3, model=True) == "sat"
    assert one.model()[x].as_long() == 3
    assert put == ["x == 3", "x == 4", "x == 3"]


def test_a_small_model_is_of_the_facts_there_are() -> None:
    y = z3.Int("y")
    one = Solver(Inquiry())
    one.add(y > 1)
    assert one.small_model(size=y)[0][y].as_long() == 2  # and no query has run yet
    assert one.ask("branch", y < 3, model=True) == "sat"
    one.add(y > 4)
    assert one.small_model(size=y)[0][y].as_long() in (5, 6)


def test_unknown_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    put, x = put_to_z3(monkeypatch), z3.Int("x")
    for _ in range(2):
        one = Solver(Inquiry())
        one.set("rlimit", 1)
        one.add(x * x * x > 1000, x * x < 50)
        assert one.ask("branch", x > 7) == "unknown"
    assert len(put) == 2 * (1 + len(solver.SEEDS))


@pytest.mark.parametrize("worn_out", range(1, len(solver.SEEDS) + 2))
def test_what_z3_has_no_answer_to_is_asked_with_other_seeds(worn_out: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that the answer and the values are those of the first seed with an answer."""
    tell, anew = Scopes.tell, Solver.anew

    def worn(made: Any, tried: int) -> Any:
        made.set("rlimit", 1 if tried < worn_out else solver.RLIMIT)  # like a solver that was exhausted long before
        return made

    monkeypatch.setattr(Scopes, "tell", lambda self, *told: worn(tell(self, *told), 0))
    monkeypatch.setattr(Solver, "anew", lambda self, seed: worn(anew(self, seed), seed))
    x, y = z3.Real("x"), z3.Int("y")
    one = Solver(Inquiry())
    one.add(x > 1, x < 2, y > x)
    if worn_out > len(solver.SEEDS):
        assert one.ask("obligation", y < 2) == "unknown"
        return
    assert one.ask("obligation", y < 2) == "unsat"
    assert one.ask("obligation", y < 3, model=True) == "sat"
    assert one.model()[y].as_long() == 2
    values, met = one.small_model(y < 3, size=y)
    assert values[y].as_long() == 2
    assert not met


def test_paths_share_what_they_have_in_common(monkeypatch: pytest.MonkeyPatch) -> None:
    told, x, scopes = list[str](), z3.Int("x"), Scopes()
    add = z3.Solver.add

    def tell(self: Any, *facts: Any) -> None:
        told.extend(map(str, facts))
        add(self, *facts)

    monkeypatch.setattr(z3.Solver, "add", tell)
    for fact, answer in ((x < 5, "unsat"), (x > 5, "sat"), (x > 5, "sat")):
        one = Solver(Inquiry(), scopes)
        one.add(x > 0)
        one.ask("assumptions")
        one.add(fact)
        assert one.ask("obligation", x > 7, model=True) == answer
    assert told == ["x > 0", "x < 5", "x > 5"]


def test_an_answer_is_one_under_all_facts() -> None:
    """Check facts that are added together, of which the first, the last or the order differ."""
    x, y = z3.Ints("x y")
    for facts, answer in (((x > 5, y > 0), "unsat"), ((x < 5, y > 0), "sat"), ((y > 0, x > 5), "unsat"), ((), "sat")):
        one = Solver(Inquiry())
        one.add(*facts)
        assert one.ask("obligation", x < 3) == answer, facts


def test_what_answers_are_found_by_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that Z3 gives the addresses of a cached question's facts and claims to no other formula."""
    monkeypatch.setattr(term_table, "MOST", -1)
    one, number = Solver(Inquiry()), z3.Int("kept number")
    fact, claim = number > 5, number < 3
    one.add(fact)
    assert one.ask("obligation", claim) == "unsat"
    kept = [weakref.ref(fact), weakref.ref(claim)]
    del one, number, fact, claim
    z3.forget()
    gc.collect()
    assert [each() is None for each in kept] == [False, False]
    ANSWERS.forget(most=0)
    gc.collect()
    assert [each() is None for each in kept] == [True, True]
