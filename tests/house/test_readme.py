"""The README and the manual are executed: commands, outputs, generated tables and doctests are checked."""

import doctest
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from manual import Assembly
from tables import PAGES, ROOT, with_tables

README = ROOT / "README.md"
TEXTS = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in [README, *sorted((ROOT / "docs" / "manual").rglob("*.md"))]
}
COMMANDS = ("pip install uv && uv run --no-dev --extra proofs swagproof prove", "pip install uv && uv run pytest -n 2")
BLOCK = re.compile(r"(<!-- while SQLite's max is wrong -->\n)?```console\n(.*?)```", re.DOTALL)
BLOCKS: list[tuple[str, str, str]] = [(page, *block) for page, text in TEXTS.items() for block in BLOCK.findall(text)]
FIRST = [(condition, block) for page, condition, block in BLOCKS if page == "README.md"]
FURTHER = [(condition, block) for page, condition, block in BLOCKS if page != "README.md"]


def test_the_two_commands_are_what_ci_runs() -> None:
    ci = (README.parent / ".ci" / "run").read_text(encoding="utf-8")
    assert re.findall(r"```sh\n(.*?)\n```", TEXTS["README.md"], re.DOTALL) == list(COMMANDS)
    for command in COMMANDS:
        assert re.search(rf"^{re.escape(command)}( --fresh --json \S+)?$", ci, re.MULTILINE)


def test_the_first_screen_is_one() -> None:
    assert len(TEXTS["README.md"].encode()) < 8_000


@pytest.mark.parametrize("page", PAGES)
def test_the_tables_are_up_to_date(page: str) -> None:
    assert with_tables(page) == (ROOT / page).read_text(encoding="utf-8"), (
        "python docs/makers/tables.py writes them anew"
    )


def test_the_links_lead_somewhere(tmp_path: Path) -> None:
    manual = Assembly(tmp_path)
    manual.assemble()
    assert manual.broken == []
    for link in re.findall(r"\]\(([^)#:]+)\)", TEXTS["README.md"]):
        assert (ROOT / link).exists(), link


def test_a_link_that_leads_nowhere_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text("[here](no/such.md), not `[x](y.md)` in\n```\n[code](z.md)\n```\n", encoding="utf-8")
    monkeypatch.setattr("manual.ROOT", tmp_path)
    manual = Assembly(tmp_path / "made")
    manual.relink(page, Path("page.md"))
    assert manual.broken == ["page.md: no/such.md"]


SESSIONS = [
    pytest.param(page, session, id=f"{page}-{number}")
    for page, text in TEXTS.items()
    for number, session in enumerate(re.findall(r"```python\n(>>>.*?)```", text, re.DOTALL))
]


@pytest.mark.parametrize(("page", "session"), SESSIONS)
def test_the_python_sessions_are_right(page: str, session: str) -> None:
    tests = doctest.DocTestParser().get_doctest(session, {}, page, page, 0)
    assert doctest.DocTestRunner().run(tests).failed == 0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the pages' files; two pages that show a file of one name must show the same file."""
    path = tmp_path_factory.mktemp("pages")
    for text in TEXTS.values():
        python = re.findall(r"```python\n# (\w+\.py)\n(.*?)```", text, re.DOTALL)
        for name, body in python + re.findall(r"<!-- ([\w/]+\.\w+) -->\n```\w+\n(.*?)```", text, re.DOTALL):
            file = path / name
            file.parent.mkdir(exist_ok=True)
            assert not file.exists() or file.read_text(encoding="utf-8") == body, f"there are two files {name}"
            file.write_text(body, encoding="utf-8")
    return path


def sqlite_max_is_wrong() -> bool:
    """Return whether this SQLite still answers the manual's query wrongly."""
    (query,) = re.findall(r"```sql\n(.*?)```", TEXTS["docs/manual/judging/engines.md"], re.DOTALL)
    return bool(sqlite3.connect(":memory:").execute(query).fetchall()[-1][0] != 2)


def name_blocks(blocks: list[tuple[str, str]]) -> list[str]:
    return [" ".join(block.split()[1:4]) for _, block in blocks]


@pytest.mark.parametrize(("condition", "block"), FIRST, ids=name_blocks(FIRST))
def test_a_command_gives_the_output_printed(folder: Path, condition: str, block: str) -> None:
    run_block(folder, condition, block)


@pytest.mark.parametrize(("condition", "block"), FURTHER, ids=name_blocks(FURTHER))
@pytest.mark.drawn(2)
def test_so_does_a_command_of_the_manual(folder: Path, condition: str, block: str) -> None:
    run_block(folder, condition, block)


def run_block(folder: Path, condition: str, block: str) -> None:
    command, _, expected = block.removeprefix("$ ").partition("\n")
    assert command.startswith(("swagproof ", "pytest "))
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    run = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if condition and not sqlite_max_is_wrong():
        assert run.returncode == 0, run.stdout
        return
    assert run.returncode == ("violated:" in expected), run.stderr
    for replay in re.findall(r"^  replay +(swagproof .*)$", run.stdout, re.MULTILINE):
        again = subprocess.run(["bash", "-c", replay], cwd=folder, env=environment, capture_output=True, check=False)
        assert again.returncode == run.returncode, replay
    pattern = re.escape(expected.rstrip()).replace(r"\.\.\.", ".*")
    assert re.fullmatch(pattern, run.stdout.rstrip(), re.DOTALL), run.stdout


def test_every_console_block_is_run() -> None:
    assert len(BLOCKS) == sum(text.count("```console") for text in TEXTS.values())
    assert len(BLOCKS) == sum(text.count("\n$ ") for text in TEXTS.values())
