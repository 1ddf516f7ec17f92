"""Rules of the repository: rooms, doctests, documented public names, and no names of machines in the tree."""

import ast
import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import swagproof

ROOT = Path(__file__).resolve().parent.parent.parent
ROOMS = ("models", "contracts", "reference", "proofs", "oracle", "pipeline", "learn")
MODULES = sorted(
    module.name for module in pkgutil.walk_packages(swagproof.__path__, "swagproof.") if "__main__" not in module.name
)


def test_doctests() -> None:
    modules = map(importlib.import_module, MODULES)
    with_examples = [module for module in modules if module.__file__ and ">>>" in Path(module.__file__).read_text()]
    assert len(with_examples) > 100
    assert [module.__name__ for module in with_examples if doctest.testmod(module).failed] == []


def test_public_names_are_documented() -> None:
    modules = {name: importlib.import_module(name) for name in MODULES}
    missing = [name for name, module in modules.items() if not module.__doc__ and name.rpartition(".")[2] not in ROOMS]
    for name, module in modules.items():
        for public, member in vars(module).items():
            named = inspect.isclass(member) or inspect.isfunction(member)
            if named and not public.startswith("_") and member.__module__ == name and not member.__doc__:
                missing.append(f"{name}.{public}")
    assert missing == []


def test_a_room_is_not_a_package_of_its_own() -> None:
    code = "\n".join(f"try: import {room}\nexcept ImportError as error: print(error)" for room in ROOMS)
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert all(f"import swagproof.{room}, not {room}" in run.stdout for room in ROOMS), run


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


def test_no_docstring_begins_as_a_clause() -> None:
    found: list[str] = []
    folders = (*ROOMS, "src", "docs", "benchmarks", "tests")
    for path in (path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            text = node.value.value if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) else None
            if isinstance(text, str) and re.split(r"\W", text.strip())[0] in CLAUSE_WORDS:
                found.append(f"{path.relative_to(ROOT)}: {text.strip()[:60]}")
    assert not found, "\n".join(found)
