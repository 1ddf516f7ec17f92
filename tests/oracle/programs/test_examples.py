"""The examples: programs in other languages that speak the line protocol, right ones and ones with a planted bug."""

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support.command import verdict
from support.places import TESTS

from swagproof.cli import commands
from swagproof.oracle.domain import domain
from swagproof.oracle.programs.program import load_program
from swagproof.oracle.trace import EVICT, QUERY, insert
from swagproof.oracle.vectors.written import write_all
from swagproof.throughput import throughput

EXAMPLES = TESTS.parent / "examples"


@dataclass(frozen=True)
class Example:
    """The build and run commands of a program, right and wrong, and its expected verdict."""

    tools: tuple[str, ...]
    make: Callable[[Path, bool], list[list[str]]]
    command: Callable[[Path, bool], str]
    window: str
    monoids: list[str]
    sentence: str
    """The sentence of the verdict on the wrong program."""
    operations: int
    """The number of operations in its smallest trace."""


def _compiled(tool: str, file: str, *flags: str, bug: str) -> Callable[[Path, bool], list[list[str]]]:
    def commands(to: Path, wrong: bool) -> list[list[str]]:
        return [[tool, *flags, *(bug.split() if wrong else ()), "-o", str(to / "program"), str(EXAMPLES / file)]]

    return commands


def _program(to: Path, _wrong: bool) -> str:
    return str(to / "program")


PROGRAMS = {
    "C": Example(
        ("gcc",),
        _compiled("gcc", "sum.c", "-O2", "-Wall", "-Wextra", "-Werror", bug="-DBUG"),
        _program,
        "fifo",
        ["sum"],
        "after evicting 2 of 6 elements the answer lacks 1, number 3 of 4 elements; it had been empty before",
        9,
    ),
    "C++": Example(
        ("g++",),
        _compiled("g++", "two_stacks.cpp", "-O1", "-std=c++17", "-Wall", "-Wextra", "-Werror", bug="-DBUG"),
        _program,
        "fifo",
        ["concatenation", "sum", "max"],
        'after evicting 1 of 2 elements query answers "bab" instead of "b"',
        4,
    ),
    "Rust": Example(
        ("rustc",),
        _compiled("rustc", "out_of_order.rs", "-O", "--check-cfg", "cfg(bug)", "-D", "warnings", bug="--cfg bug"),
        _program,
        "out-of-order",
        ["concatenation", "affine"],
        'after inserting at 1 and 1, at time 1 the later element comes first: "ba", not "ab"',
        3,
    ),
    "Java": Example(
        ("javac", "java"),
        lambda to, _wrong: [["javac", "-Xlint:all", "-Werror", "-d", str(to), str(EXAMPLES / "SlidingMax.java")]],
        lambda to, wrong: f"java -XX:TieredStopAtLevel=1 -cp {to} SlidingMax{' bug' if wrong else ''}",
        "fifo",
        ["max"],
        "after evicting 1 of 2 elements the answer lacks 1, the only element",
        4,
    ),
    "JavaScript": Example(
        ("node",),
        lambda _to, _wrong: [],
        lambda _to, wrong: f"node {EXAMPLES / 'shared_windows.js'}{' bug' if wrong else ''}",
        "shared",
        ["concatenation", "sum", "affine"],
        'after inserting 2 elements, in the window of 2 the answer lacks "a", the oldest of 2 elements',
        4,
    ),
}


def _made(language: str, wrong: bool, to: Path) -> str:
    """Return the command of a freshly compiled program; skip the test if its compiler is missing."""
    example = PROGRAMS[language]
    missing = [tool for tool in example.tools if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"no {missing[0]} here")
    for command in example.make(to, wrong):
        made = subprocess.run(command, capture_output=True, text=True, check=False)
        assert made.returncode == 0, made.stderr
    return example.command(to, wrong)


def _verdict(command: str) -> dict[str, Any]:
    return verdict("--exec", command, "--seed", "0", "--effort", "50000")


@pytest.mark.parametrize("language", PROGRAMS)
@pytest.mark.drawn(1)
def test_a_right_program_conforms(language: str, tmp_path: Path) -> None:
    data = _verdict(_made(language, False, tmp_path))
    assert data["outcome"] == "conforms", data["sentence"]
    assert data["window"] == PROGRAMS[language].window
    assert [tried["name"] for tried in data["monoids"]] == PROGRAMS[language].monoids
    assert data["tried"]["queries"] > 500


@pytest.mark.parametrize("language", PROGRAMS)
@pytest.mark.drawn(1)
def test_a_right_program_agrees_with_the_vectors(language: str, tmp_path: Path) -> None:
    """Use the vectors that the CI recipe writes; a program adds in 64 bits unless it announces otherwise."""
    example = PROGRAMS[language]
    command = _made(language, False, tmp_path)
    write_all(tmp_path / "vectors", [example.window], example.monoids)
    data = verdict("--exec", command, "--vectors", str(tmp_path / "vectors"))
    assert data["outcome"] == "conforms", data["sentence"]
    narrow = verdict("--exec", command, "--vectors", str(tmp_path / "vectors"), "--numbers", "int32")
    assert ("need wider numbers" in narrow["sentence"]) is ("sum" in example.monoids)


@pytest.mark.parametrize(("language", "monoid"), [("C", "sum"), ("C++", "sum"), ("Rust", "affine")])
@pytest.mark.drawn(1)
def test_a_right_program_can_be_measured(language: str, monoid: str, tmp_path: Path) -> None:
    assert throughput(_made(language, False, tmp_path), monoid, n=100, turns=2_000).operations == 8_100


def test_a_trace_that_needs_wider_numbers_is_an_input_error(tmp_path: Path) -> None:
    trace = "insert 9223372036854775807, insert 1, query"
    words = ["conform", "--exec", _made("C", False, tmp_path), "--monoid", "sum", "--trace", trace]
    refused = CliRunner().invoke(commands, words)
    assert refused.exit_code == 2
    assert "give --numbers any" in refused.stderr
    assert CliRunner().invoke(commands, [*words, "--numbers", "any"]).exit_code == 1


@pytest.mark.parametrize("language", PROGRAMS)
@pytest.mark.drawn(1)
def test_its_planted_bug_is_found(language: str, tmp_path: Path) -> None:
    data = _verdict(_made(language, True, tmp_path))
    assert data["outcome"] == "violated"
    assert data["sentence"] == PROGRAMS[language].sentence
    assert data["witness"]["minimal"]
    assert len(data["witness"]["operations"]) == PROGRAMS[language].operations


def test_the_program_in_c_counts_its_calls(tmp_path: Path) -> None:
    subject = load_program(_made("C", False, tmp_path))
    assert subject.program is not None
    try:
        calls = subject.program.count_calls(domain("sum"), [insert(1), insert(2), QUERY, EVICT, QUERY])
        assert calls == [0, 1, 1, 0, 1, 0]
    finally:
        subject.program.stop()


def test_examples_are_short() -> None:
    for name in ("sum.c", "two_stacks.cpp", "out_of_order.rs", "SlidingMax.java", "shared_windows.js"):
        assert len((EXAMPLES / name).read_text(encoding="utf-8").splitlines()) < 90
