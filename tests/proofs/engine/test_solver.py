"""Z3 is asked in one place, and what was asked there can be kept."""

import ast
from pathlib import Path as File

import pytest

from swagproof.proofs.engine import solver
from swagproof.proofs.engine.paths import Path, explore
from swagproof.proofs.engine.solver import Inquiry, Solver, keeping, z3
from swagproof.proofs.engine.values import SymbolicInt

ROOT = File(__file__).resolve().parents[3]
ROOMS = ("models", "contracts", "reference", "proofs", "oracle", "pipeline", "src/swagproof/reports")
ASKS = {name for name in dir(z3) if "Solver" in name or "Tactic" in name} | {
    *("Optimize", "Fixedpoint", "Then", "AndThen", "OrElse", "ParOr", "ParThen", "Repeat", "TryFor"),
    *("prove", "solve", "solve_using"),
}
"""What Z3 can be asked with."""


def asks(source: str) -> list[str]:
    """Where a module gets hold of Z3, or of something to ask it with, past the one place."""
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


def test_z3_is_asked_in_one_place() -> None:
    modules = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    assert len(modules) > 200
    one = ROOT / "proofs" / "engine" / "solver.py"
    assert {"z3.Solver", "'z3'"} == set(asks(one.read_text(encoding="utf-8")))
    named = ROOT / "proofs" / "ledger" / "dependencies.py"  # among the libraries whose versions a verdict depends on
    assert asks(named.read_text(encoding="utf-8")) == ["'z3'"]
    others = {path: asks(path.read_text(encoding="utf-8")) for path in modules if path not in (one, named)}
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
    with keeping():
        inquiry = explore(at_most_two).inquiry
    assert len(inquiry.kept) == inquiry.questions == 6
    assert explore(at_most_two).inquiry.kept == []


def test_a_question_says_what_rests_on_it() -> None:
    with keeping():
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
