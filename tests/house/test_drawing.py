"""The drawn cases and the rest together are all cases, each once."""

import subprocess
import sys
from pathlib import Path

import pytest

TESTS = """
import pytest

@pytest.mark.drawn(3)
@pytest.mark.parametrize("case", range(10))
def test_of_many(case): pass

@pytest.mark.drawn(5)
@pytest.mark.parametrize("case", "ab")
def test_of_few(case): pass

def test_alone(): pass

@pytest.mark.drawn(0)
def test_slow(): pass
"""
DRAWN = {*(f"test_of_many[{case}]" for case in (0, 3, 6)), "test_of_few[a]", "test_of_few[b]", "test_alone"}
ALL = {*(f"test_of_many[{case}]" for case in range(10)), *DRAWN, "test_slow"}


@pytest.mark.parametrize(
    ("arguments", "run"),
    [
        (["test_some.py"], DRAWN),
        (["test_some.py", "--rest"], ALL - DRAWN),
        (["test_some.py", "--rest", "--share", "1/3"], {f"test_of_many[{case}]" for case in (1, 5, 9)}),
        (["test_some.py", "--rest", "--share", "3/3"], {f"test_of_many[{case}]" for case in (4, 8)}),
        (["test_some.py::test_of_many[1]"], {"test_of_many[1]"}),
    ],
)
def test_cases_are_drawn_evenly_and_the_rest_is_what_is_left(
    tmp_path: Path, arguments: list[str], run: set[str]
) -> None:
    (tmp_path / "test_some.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]")
    command = [sys.executable, "-m", "pytest", "-p", "support.drawing", "-v", *arguments]
    environment = {"PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    passed = [line.split()[0].partition("::")[2] for line in done.stdout.splitlines() if " PASSED" in line]
    assert sorted(passed) == sorted(run)
