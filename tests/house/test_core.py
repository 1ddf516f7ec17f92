"""The core alone: judging, replay, exploration and vectors run with three small packages, on any Python.

Each interpreter found runs the commands, without its own packages, over a folder that contains only the dependencies
in pyproject.toml.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from support.places import TESTS
from tables import ROOT

import swagproof
from swagproof.cli import COMMANDS
from swagproof.reports.extras import EXTRAS

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def needed(names: list[str]) -> set[str]:
    """Return these distributions with all their requirements on this machine."""
    found, waiting = set[str](), list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            requirements = map(Requirement, distribution(name).requires or ())
            waiting += [each.name for each in requirements if not each.marker or each.marker.evaluate({"extra": ""})]
    return found


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the core's packages, and swagproof."""
    folder = tmp_path_factory.mktemp("core")
    for name in needed([Requirement(each).name for each in PROJECT["dependencies"]]):
        of = distribution(name)
        for top in {file.parts[0] for file in of.files or () if file.parts[0] not in ("..", "__pycache__")}:
            (folder / top).symlink_to(str(of.locate_file(top)))
    (folder / "swagproof").symlink_to(Path(swagproof.__file__).parent)
    (folder / "recorded.parquet").write_bytes(b"PAR1")
    (folder / "my_window.py").write_bytes((TESTS / "subjects" / "right.py").read_bytes())
    return folder


def run(python: str, packages: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PYTHONPATH": str(packages), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [python, "-S", "-m", "swagproof", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=300, cwd=packages, env=environment, check=False
    )


def find_python(version: str) -> str | None:
    """Return an interpreter of this version, if the machine has one: on the path, or pyenv's."""
    if version == "":
        return sys.executable
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for python in (shutil.which(f"python{version}"), *map(str, pyenv.glob(f"{version}.*/bin/python"))):
        # a name on the path may be a launcher without this version
        if python and subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0:
            return python
    return None


@pytest.mark.drawn(2)
@pytest.mark.parametrize("version", ["", "3.12", "3.13", "3.14"])
def test_the_core_needs_no_extra(version: str, packages: Path, tmp_path: Path) -> None:
    python = find_python(version)
    if python is None:
        pytest.skip(f"there is no Python {version}")
    fifo = ("my_window.py:ListWindow", "--window", "fifo", "--monoid", "sum", "--seed", "0")
    judged = run(python, packages, "conform", *fifo, "--effort", "30000")
    assert (judged.returncode, judged.stdout[:9]) == (0, "conforms:"), judged.stderr
    vectors = run(python, packages, "vectors", str(tmp_path / "vectors"), "--window", "fifo", "--monoid", "sum")
    assert vectors.returncode == 0, vectors.stderr
    explored = run(python, packages, "explore", "daba", "--limit", "4")
    assert "all 7 states" in explored.stdout, explored.stderr


@pytest.mark.drawn(4)  # .ci/run runs all with the wheel in an empty environment
@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_needs_no_extra(command: str, packages: Path) -> None:
    said = run(sys.executable, packages, command, "--help")
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout.startswith(f"Usage: python -m swagproof {command} [OPTIONS]")


Z3 = "Error: z3 is not installed: pip install 'swagproof[proofs]'\n"
ARROW = "Error: pyarrow is not installed: pip install 'swagproof[audit]'\n"
SPARK = "Error: Spark is not installed (No module named 'pyarrow'): pip install 'swagproof[spark]'\n"
PY4J = "Error: py4j is not installed: pip install 'swagproof[spark]'\n"
AUDIT = "audit --events e.csv --results r.csv --window count_2 --aggregate sum --time time:int --value value:int"


@pytest.mark.drawn(5)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        *((name, Z3) for name in ("prove", "prove --list", "prove --solver cvc5", "errata", "cost")),
        ("mutants", Z3.replace("z3", "crosshair")),
        ("learn", "Error: platformdirs is not installed: pip install 'swagproof[proofs]'\n"),  # a wheel has its tables
        (AUDIT, ARROW),
        (f"{AUDIT} --spark", ARROW),
        ("explore daba --limit 4 --spark", SPARK),
        ("stream --events . --checkpoint c --out o --window count_2 --aggregate sum --key k --time t", PY4J),
        ("replay recorded.parquet", "Error: Parquet needs pyarrow: pip install 'swagproof[parquet]'\n"),
    ],
)
def test_a_command_that_misses_an_extra_names_it_in_one_line(arguments: str, message: str, packages: Path) -> None:
    said = run(sys.executable, packages, *arguments.split())
    assert (said.returncode, said.stderr) == (2, message)


def test_a_call_that_misses_an_extra_names_it(packages: Path) -> None:
    code = "from swagproof import audit; audit('e.csv', 'r.csv', window='tumbling 1', aggregate='sum', time='t')"
    environment = {**os.environ, "PYTHONPATH": str(packages), "PYTHONDONTWRITEBYTECODE": "1"}
    said = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    assert said.stderr.splitlines()[-1] == "ImportError: numpy is not installed: pip install 'swagproof[audit]'"


def test_each_extra_that_a_command_names_is_there() -> None:
    extras = PROJECT["optional-dependencies"]
    assert set(EXTRAS.values()) <= set(extras)
    for module, extra in EXTRAS.items():
        brought = needed([Requirement(each).name for each in extras[extra]])
        assert any(name.startswith(module) for name in brought), module
