"""Cached verdicts: reused only while nothing has changed, and only from complete runs that hold."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from swagproof.proofs import claims as all_claims
from swagproof.proofs.commands.prove import prove, report_on
from swagproof.proofs.ledger import cache as cache_module
from swagproof.proofs.ledger.cache import MOST, Cache, digest_source, keep_rows, read_rows
from swagproof.proofs.ledger.claim import OURS, Claim, ClaimResult, Control, Deep, Outcome, check_claim, cite

HOLDS = Outcome("holds", "counted", {"states": 7})
FAILS, UNKNOWN = Outcome("fails", "refuted"), Outcome("unknown", "timed out")


def a_claim(outcome: Outcome = HOLDS, control: Outcome = FAILS) -> Claim:
    def check(found: Outcome) -> Callable[[], Outcome]:
        return lambda: found

    return Claim(
        id="a/claim",
        statement="",
        source=cite(OURS),
        algorithm="",
        kind="exhaustive",
        engine="",
        scope="",
        code="",
        check=check(outcome),
        controls=[Control("wrong", check(control))],
        deep=Deep("farther", check(HOLDS)),
    )


def run_and_keep(claim: Claim, folder: Path, *, deep: bool = False) -> ClaimResult:
    """Return the cached result, or a new one, which is then cached."""
    cache = Cache(folder)
    row = read_rows(cache, [claim], deep).get(claim.id) or check_claim(claim, deep)
    keep_rows(cache, [row])
    return row


def test_a_claim_that_holds_is_cached_and_says_so(tmp_path: Path) -> None:
    claim = a_claim()
    first, second = (run_and_keep(claim, tmp_path) for _ in range(2))
    assert (first.cached, second) == (False, replace(first, cached=True))
    assert report_on([second]).sentence.endswith(
        "1 cached, as nothing has changed since they were checked; --fresh checks again."
    )
    assert "cached" not in report_on([first]).sentence


def test_a_deeper_check_is_another(tmp_path: Path) -> None:
    claim = a_claim()
    assert [run_and_keep(claim, tmp_path, deep=deep).cached for deep in (False, True, True, False)] == [
        False,
        False,
        True,
        True,
    ]
    assert run_and_keep(replace(claim, deep=None), tmp_path, deep=True).cached, "it has no deeper one"


@pytest.mark.parametrize("claim", [a_claim(FAILS), a_claim(UNKNOWN), a_claim(HOLDS, HOLDS), a_claim(HOLDS, UNKNOWN)])
def test_only_what_holds_is_cached(claim: Claim, tmp_path: Path) -> None:
    assert [run_and_keep(claim, tmp_path).cached for _ in range(2)] == [False, False]


def test_a_changed_source_finds_nothing_and_a_run_over_a_change_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_and_keep(a_claim(), tmp_path)
    monkeypatch.setattr(cache_module, "digest_source", lambda: "another")
    cache = Cache(tmp_path)
    assert read_rows(cache, [a_claim()], False) == {}
    monkeypatch.setattr(cache_module, "digest_source", lambda: "a third")
    keep_rows(cache, [check_claim(a_claim())])
    assert cache.read("rows") is None


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of two files, one of them in a linked folder, that replaces the package."""
    for place in ("package/one.py", "room/two.py"):
        (tmp_path / place).parent.mkdir()
        (tmp_path / place).write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "package" / "room").symlink_to(tmp_path / "room")
    monkeypatch.setattr(cache_module, "PACKAGE", tmp_path / "package")
    return tmp_path / "package"


def _rename(package: Path) -> None:
    (package / "one.py").rename(package / "three.py")


CHANGES: Sequence[Callable[[Path, pytest.MonkeyPatch], object]] = (
    lambda package, _: (package / "one.py").write_text("x = 2\n", encoding="utf-8"),
    lambda package, _: (package / "room" / "two.py").write_text("x = 2\n", encoding="utf-8"),
    lambda package, _: (package / "room" / "new.py").write_text("", encoding="utf-8"),
    lambda package, _: (package / "room" / "mutants.txt").write_text("", encoding="utf-8"),
    lambda package, _: (package / "room" / "two.py").unlink(),
    lambda package, _: _rename(package),
    lambda _, patch: patch.setattr(sys, "version", "another"),
    lambda _, patch: patch.setattr(cache_module, "version", lambda tool: "1" if tool == "z3-solver" else "0"),
    lambda _, patch: patch.setenv("ICONTRACT_SLOW", "another"),
)


@pytest.mark.parametrize("change", CHANGES)
def test_the_digest_changes_with_each_file_version_and_switch(
    change: Callable[[Path, pytest.MonkeyPatch], object], package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_module, "version", lambda _: "0")
    before = digest_source()
    assert digest_source() == before
    change(package, monkeypatch)
    assert digest_source() != before


def test_the_digest_is_the_same_in_every_process() -> None:
    code = "from swagproof.proofs.ledger.cache import digest_source; print(digest_source())"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == digest_source()


@pytest.mark.parametrize("text", [b"", b"{", b"\xff\xfe", b"[" * 100_000])
def test_a_file_that_is_no_json_is_no_verdict(text: bytes, tmp_path: Path) -> None:
    run_and_keep(a_claim(), tmp_path)
    (file,) = tmp_path.glob("*/rows.json")
    file.write_bytes(text)
    assert not run_and_keep(a_claim(), tmp_path).cached
    assert run_and_keep(a_claim(), tmp_path).cached, "it is written again"


def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert [run_and_keep(a_claim(), tmp_path / "file").cached for _ in range(2)] == [False, False]


def test_old_digests_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(MOST + 3):
        monkeypatch.setattr(cache_module, "digest_source", lambda number=number: str(number))
        run_and_keep(a_claim(), tmp_path)
    assert len([*tmp_path.iterdir()]) == MOST
    assert run_and_keep(a_claim(), tmp_path).cached


def ask(folder: Path, *options: str) -> list[bool]:
    """Return the claims of a run of the command that were cached."""
    command = ["DEF-1", "table-1/answers", "--processes", "1", "--cache", str(folder), "--json", "-", *options]
    result = CliRunner().invoke(prove, command)
    assert result.exit_code == 0, result.output
    return [row["cached"] for row in json.loads(result.stdout)]


def test_the_command_caches_and_checks_again_when_asked(tmp_path: Path) -> None:
    assert ask(tmp_path) == [False, False]
    assert ask(tmp_path) == [True, True]
    assert ask(tmp_path, "--fresh") == [False, False]
    assert ask(tmp_path, "--solver", "cvc5") == [False, False]
    assert ask(tmp_path, "--explain") == [False, False]
    assert ask(tmp_path, "--smt-lib", str(tmp_path / "questions")) == [False, False]


def test_an_interrupted_run_is_not_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(claim: Claim, *_: object) -> ClaimResult:
        if claim.id == "table-1/answers":
            raise KeyboardInterrupt
        return check_claim(claim)

    with monkeypatch.context() as patch:
        patch.setattr(all_claims, "check_claim", interrupt)
        command = ["DEF-1", "table-1/answers", "--processes", "1", "--cache", str(tmp_path)]
        assert CliRunner().invoke(prove, command).exit_code != 0
    assert ask(tmp_path) == [False, False]
