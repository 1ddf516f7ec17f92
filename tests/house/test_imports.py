"""Rules on imports: no cycles, no crowded folders, no two modules of one name.

Every import counts, also imports for type checkers and inside functions: modules in a hidden cycle still cannot be
understood one after the other.  The folders of a room form a graph of their own, which must have no cycle either.
"""

import subprocess
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import PurePath

import pytest
from drawing import Arrows, between_siblings, read_imports
from support.places import TESTS

MOST = 15
"""The greatest number of Python files in a folder."""

ROOT = TESTS.parent
ROOMS = ("models", "contracts", "reference", "proofs", "oracle", "pipeline", "learn")
FILES = [
    PurePath(name)
    for name in subprocess.run(
        ["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    if (ROOT / name).exists()
]


@pytest.fixture(scope="module")
def imports() -> Arrows:
    """Return the imports of each module."""
    return read_imports()


def first_circle(arrows: Arrows) -> list[str]:
    """Return a cycle, or an empty list."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def circles_of_siblings(imports: Arrows) -> dict[str, list[str]]:
    """Return for each package a cycle of its direct modules and sub-packages, if there is one."""
    packages = {module.rpartition(".")[0] for module in imports} - {""}
    found = {package: first_circle(between_siblings(imports, package)) for package in packages}
    return {package: circle for package, circle in found.items() if circle}


def test_no_modules_import_each_other_in_a_circle(imports: Arrows) -> None:
    assert first_circle(imports) == []


def test_no_folders_import_each_other_in_a_circle(imports: Arrows) -> None:
    assert circles_of_siblings(imports) == {}


def test_a_circle_would_be_found() -> None:
    imports = {"p": set[str](), "p.a.x": {"p.b"}, "p.b": {"p.c.y"}, "p.c.y": set(), "p.c.z": {"p.a.w"}, "p.a.w": set()}
    assert first_circle(imports) == []
    assert {*circles_of_siblings(imports)["p"]} == {"a", "b", "c"}
    assert {*first_circle({"x": {"y"}, "y": {"x"}})} == {"x", "y"}


def test_imports_of_functions_and_type_checkers_count(imports: Arrows) -> None:
    assert "swagproof.oracle.engines.frames" in imports["swagproof.oracle.engines.duckdb_frames"]
    assert "swagproof.pipeline.session" in imports["swagproof.pipeline.commands.audit"], "within a function"
    assert "swagproof.pipeline.stream.job" in imports["swagproof.pipeline.commands.stream"], "for type checkers"


def test_no_folder_is_crowded() -> None:
    sizes = Counter(file.parent for file in FILES)
    assert {str(folder): size for folder, size in sizes.items() if size > MOST} == {}


@pytest.mark.parametrize("room", ROOMS)
def test_no_two_modules_of_a_room_share_a_name(room: str) -> None:
    of_each_family = {"__init__"}
    names = Counter(file.stem for file in FILES if file.parts[0] == room and file.stem not in of_each_family)
    assert [name for name, count in names.items() if count > 1] == []
