"""The house keeps its rules: rooms, doctests, documented public names, nothing of any machine in the tree."""

import ast
import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import swagproof

ROOT = Path(__file__).resolve().parent.parent.parent
ROOMS = ("models", "contracts", "reference", "proofs", "oracle", "pipeline", "learn")
MODULES = sorted(
    module.name for module in pkgutil.walk_packages(swagproof.__path__, "swagproof.") if "__main__" not in module.name
)


@pytest.mark.parametrize("name", MODULES)
def test_doctests(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_public_names_are_documented(name: str) -> None:
    module = importlib.import_module(name)
    if name.rpartition(".")[2] not in ROOMS:
        assert module.__doc__, name
    for public, member in vars(module).items():
        if public.startswith("_") or getattr(member, "__module__", None) != name:
            continue
        if inspect.isclass(member) or inspect.isfunction(member):
            assert member.__doc__, f"{name}.{public} has no docstring"


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_not_a_package_of_its_own(room: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", f"import {room}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode != 0
    assert f"import swagproof.{room}, not {room}" in run.stderr


def test_the_core_imports_nothing_heavy() -> None:
    heavy = {"z3", "pandas", "pyarrow", "pyspark", "duckdb", "polars", "datafusion", "hypothesis"}
    rooms = "swagproof.cli, swagproof.oracle.commands.conform, swagproof.pipeline.commands.audit"
    code = f"import sys, {rooms}, swagproof.reference.catalogue; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert heavy & {*run.stdout.split()} == set()


def test_the_command_line_imports_no_room_before_it_is_asked_for_one() -> None:
    code = "import sys, swagproof.cli; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {name for name in run.stdout.split() if name.startswith("swagproof.")} == {"swagproof.cli"}
    assert "rich" not in run.stdout.split()


def test_no_tracked_file_speaks_of_this_machine() -> None:
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert "uv.lock" not in files
    for name in files:
        path = ROOT / name
        if path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            assert str(ROOT) + "/" not in text
            assert str(Path.home()) + "/" not in text


CLAUSE_WORDS = {"What", "Who", "Whose", "Whether", "That", "Where", "When", "Which", "How", "Of", "By"}


@pytest.mark.parametrize("folder", [*ROOMS, "src", "docs", "benchmarks", "tests"])
def test_no_docstring_begins_as_a_clause(folder: str) -> None:
    found: list[str] = []
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            text = node.value.value if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) else None
            if isinstance(text, str) and re.split(r"\W", text.strip())[0] in CLAUSE_WORDS:
                found.append(f"{path.relative_to(ROOT)}: {text.strip()[:60]}")
    assert not found, "\n".join(found)
