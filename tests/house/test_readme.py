"""The README is executed: its commands run, its output compared, its tables made anew, its code doctested."""

import doctest
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from tables import PAGES, ROOT, with_tables

README = ROOT / "README.md"
TEXT = README.read_text(encoding="utf-8")
COMMANDS = ("pip install uv && uv run --no-dev --extra proofs swagproof prove", "pip install uv && uv run pytest -n 2")
SQLITE_MAX = re.search(r"```sql\n(.*?)```", TEXT, re.DOTALL)
BLOCKS = re.findall(r"(<!-- while SQLite's max is wrong -->\n)?```console\n(.*?)```", TEXT, re.DOTALL)


def test_the_two_commands_are_what_ci_runs() -> None:
    ci = (README.parent / ".ci" / "run").read_text(encoding="utf-8")
    assert re.findall(r"```sh\n(.*?)\n```", TEXT, re.DOTALL) == list(COMMANDS)
    for command in COMMANDS:
        assert re.search(rf"^{re.escape(command)}( --fresh --json \S+)?$", ci, re.MULTILINE)


@pytest.mark.parametrize("page", PAGES)
def test_the_tables_are_up_to_date(page: str) -> None:
    assert with_tables(page) == (ROOT / page).read_text(encoding="utf-8"), (
        "python docs/makers/tables.py writes them anew"
    )


def test_the_links_lead_somewhere() -> None:
    for page in PAGES:
        for link in re.findall(r"\]\(([^)#:]+)\)", with_tables(page)):
            assert ((ROOT / page).parent / link).exists(), f"{page}: {link}"


def test_the_python_sessions_are_right() -> None:
    sessions = re.findall(r"```python\n(>>>.*?)```", TEXT, re.DOTALL)
    assert len(sessions) == 4
    for session in sessions:
        tests = doctest.DocTestParser().get_doctest(session, {}, "README", str(README), 0)
        assert doctest.DocTestRunner().run(tests).failed == 0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the README's files in it."""
    path = tmp_path_factory.mktemp("readme")
    python = re.findall(r"```python\n# (\w+\.py)\n(.*?)```", TEXT, re.DOTALL)
    for name, body in python + re.findall(r"<!-- ([\w/]+\.\w+) -->\n```\w+\n(.*?)```", TEXT, re.DOTALL):
        (path / name).parent.mkdir(exist_ok=True)
        (path / name).write_text(body, encoding="utf-8")
    return path


def sqlite_max_is_wrong() -> bool:
    """Whether this SQLite still gives the README's query a wrong answer."""
    assert SQLITE_MAX is not None
    return bool(sqlite3.connect(":memory:").execute(SQLITE_MAX[1]).fetchall()[-1][0] != 2)


@pytest.mark.parametrize(("condition", "block"), BLOCKS, ids=[" ".join(block.split()[1:4]) for _, block in BLOCKS])
def test_a_command_gives_the_output_printed(folder: Path, condition: str, block: str) -> None:
    command, _, expected = block.removeprefix("$ ").partition("\n")
    assert command.startswith(("swagproof ", "pytest "))
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    run = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    if condition and not sqlite_max_is_wrong():
        assert run.returncode == 0, run.stdout
        return
    assert run.returncode == ("violated:" in expected), run.stderr
    pattern = re.escape(expected.rstrip()).replace(r"\.\.\.", ".*")
    assert re.fullmatch(pattern, run.stdout.rstrip(), re.DOTALL), run.stdout


def test_every_console_block_is_run() -> None:
    assert len(BLOCKS) == TEXT.count("```console") == TEXT.count("\n$ ")
