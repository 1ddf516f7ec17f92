"""The ledger does not overstate: unproved claims are unknown, surviving controls are reported, and no claim is lost."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any, get_args

import pytest

from swagproof.proofs import claims as claims_module
from swagproof.proofs.claims import CLAIMS, check_claims, find
from swagproof.proofs.in_order.fifo import claim, theorem
from swagproof.proofs.in_order.two_stacks import QUERY_SWAPPED
from swagproof.proofs.ledger.claim import (
    OF_THE_TEXT,
    OURS,
    PAPERS,
    TERMINATED,
    Claim,
    ClaimResult,
    Control,
    Deep,
    Kind,
    Outcome,
    Verdict,
    check_claim,
    cite,
    exit_code,
)
from swagproof.reference.catalogue import TWO_STACKS

HOLDS = Outcome("holds", "counted", means="obligations")
FAILS, UNKNOWN = Outcome("fails", "refuted"), Outcome("unknown", "timed out")


NAMED = ("id", "statement", "algorithm", "engine", "scope", "code")
"""Fields of a claim that contain their own names here."""


def a_claim(outcome: Outcome, *controls: Outcome) -> Claim:
    def says(outcome: Outcome) -> Callable[[], Outcome]:
        return lambda: outcome

    named: Any = {name: name for name in NAMED}
    return Claim(
        **named,
        source=cite(OURS, place="source"),
        kind="proved",
        check=says(outcome),
        controls=tuple(Control(f"wrong {number}", says(control)) for number, control in enumerate(controls)),
    )


def raises() -> Outcome:
    raise OSError("no such file")


CASES: list[tuple[Outcome, tuple[Outcome, ...], Verdict, int]] = [
    (HOLDS, (FAILS,), "holds", 0),
    (HOLDS, (FAILS, FAILS), "holds", 0),
    (HOLDS, (), "unknown", 3),
    (HOLDS, (HOLDS,), "unknown", 1),
    (HOLDS, (FAILS, HOLDS), "unknown", 1),
    (HOLDS, (UNKNOWN,), "unknown", 3),
    (HOLDS, (FAILS, UNKNOWN), "unknown", 3),
    (FAILS, (FAILS,), "fails", 1),
    (FAILS, (), "fails", 1),
    (FAILS, (UNKNOWN,), "fails", 1),
    (UNKNOWN, (FAILS,), "unknown", 3),
    (UNKNOWN, (), "unknown", 3),
    (UNKNOWN, (HOLDS,), "unknown", 1),
]


@pytest.mark.parametrize(("outcome", "controls", "verdict", "code"), CASES)
def test_a_row_holds_when_its_check_does_and_every_control_is_rejected(
    outcome: Outcome, controls: tuple[Outcome, ...], verdict: Verdict, code: int
) -> None:
    row = check_claim(a_claim(outcome, *controls))
    assert row.verdict == verdict
    assert row.as_json()["verdict"] == verdict
    assert exit_code([row]) == code
    assert exit_code([check_claim(a_claim(HOLDS, FAILS)), row]) == code
    assert row.surviving == tuple(f"wrong {n}" for n, control in enumerate(controls) if control.verdict != "fails")


def test_no_row_is_proved_by_looking_at_cases() -> None:
    enumerated = replace(a_claim(HOLDS, FAILS), check=lambda: replace(HOLDS, means=None))
    row = check_claim(enumerated)
    assert (row.verdict, exit_code([row])) == ("unknown", 3)
    assert row.detail.startswith("not a proof: cases were checked")
    assert check_claim(replace(enumerated, kind="exhaustive")).verdict == "holds"


def test_the_deeper_check_is_made_only_when_asked_for() -> None:
    claim = replace(a_claim(HOLDS, FAILS), deep=Deep("farther", lambda: FAILS))
    plain, deep = check_claim(claim), check_claim(claim, deep=True)
    assert (plain.verdict, plain.deep, plain.scope) == ("holds", False, "scope (--deep: farther)")
    assert (deep.verdict, deep.deep, deep.scope) == ("fails", True, "farther")
    assert not check_claim(a_claim(HOLDS, FAILS), deep=True).deep


def test_a_claim_is_of_the_paper_that_its_source_begins_with() -> None:
    assert [replace(a_claim(HOLDS), source=cite(name) & cite(OURS)).paper for name in PAPERS] == list(PAPERS)
    assert a_claim(HOLDS).paper == OURS


def test_who_is_terminated_goes_on_with_no_claim() -> None:
    def leave(code: int) -> Outcome:
        sys.exit(code)

    with pytest.raises(SystemExit):
        check_claim(replace(a_claim(HOLDS), check=lambda: leave(TERMINATED)))
    assert check_claim(replace(a_claim(HOLDS), check=lambda: leave(1))).verdict == "unknown"


def test_a_failure_outranks_what_is_unknown() -> None:
    assert exit_code([check_claim(a_claim(UNKNOWN, FAILS)), check_claim(a_claim(FAILS, FAILS))]) == 1


def test_no_rows_show_nothing() -> None:
    assert exit_code([]) == 3


def test_what_survives_is_told() -> None:
    assert check_claim(a_claim(HOLDS, FAILS, HOLDS)).detail == "not rejected: wrong 1: counted"
    assert check_claim(a_claim(HOLDS)).detail.startswith("no control")


def test_an_exception_is_unknown() -> None:
    checked = a_claim(HOLDS, FAILS)
    row = check_claim(replace(checked, check=raises))
    assert (row.verdict, row.detail, exit_code([row])) == ("unknown", "OSError: no such file", 3)
    row = check_claim(replace(checked, controls=(Control("raises", raises),)))
    assert (row.verdict, exit_code([row])) == ("unknown", 3)
    assert row.controls == (("raises", "unknown", "OSError: no such file"),)


def test_interruption_is_no_outcome() -> None:
    def interrupted() -> Outcome:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_claim(replace(a_claim(HOLDS), check=interrupted))


def test_a_refuted_theorem_fails_with_its_counterexample() -> None:
    outcome = theorem(TWO_STACKS, "answer", operations=("query",)).check(QUERY_SWAPPED)
    assert outcome.verdict == "fails"
    assert "combine joins neighbours" in outcome.detail or "answer" in outcome.detail
    assert "; from n = " in outcome.detail


def test_a_control_that_is_right_survives() -> None:
    right = theorem(TWO_STACKS, "answer", operations=("query",))
    claimed = claim(
        TWO_STACKS, "id", "answer", statement="statement", source=cite(OURS), controls=(), operations=("query",)
    )
    row = check_claim(replace(claimed, controls=(Control("nothing wrong", right.check),)))
    assert (row.surviving, row.verdict, exit_code([row])) == (("nothing wrong",), "unknown", 1)


def test_json_has_every_field() -> None:
    row = check_claim(a_claim(HOLDS, FAILS)).as_json()
    assert row.pop("seconds") >= 0
    assert row == {name: name for name in NAMED} | {
        "source": "beyond the papers, source",
        "paper": "beyond the papers",
        "statements": [],
        "compared": "",
        "kind": "proved",
        "deep": False,
        "cached": False,
        "not_covered": "",
        "verdict": "holds",
        "detail": "counted",
        "control": [{"name": "wrong 0", "verdict": "fails", "refuted_by": "refuted"}],
        "statistics": {},
    }


def test_ids_are_unique() -> None:
    assert len({each.id for each in CLAIMS}) == len(CLAIMS)


@pytest.mark.parametrize("each", CLAIMS, ids=lambda each: each.id)
def test_every_claim_says_what_and_where(each: Claim) -> None:
    assert each.statement.endswith((".", "!", "?")) or each.kind in OF_THE_TEXT
    for said in (each.id, each.statement, str(each.source), each.algorithm, each.engine, each.scope, each.code):
        assert said.strip() == said != ""
    assert each.kind in get_args(Kind)
    assert each.controls
    assert len({control.name for control in each.controls}) == len(each.controls)
    assert each.not_covered or each.kind in ("proved", "refuted-as-printed")
    assert "seed" in each.scope or "no draw" in each.scope or each.kind != "sampled"


ROWS = {each.id for each in CLAIMS}
GROUPS = "|".join(sorted({id.partition("/")[0] for id in ROWS if "/" in id}))


def test_a_row_that_points_to_another_names_one_that_is_there() -> None:
    said = [(each.id, f"{each.statement} {each.scope} {each.not_covered} {each.source}") for each in CLAIMS]
    pointers = [(id, to) for id, text in said for to in re.findall(rf"(?<![\w/-])(?:{GROUPS})/[\w.-]*[\w]", text)]
    assert len(pointers) > 15
    assert [(id, to) for id, to in pointers if to not in ROWS] == []


def ids(*names: str) -> list[str]:
    return [each.id for each in find(names)]


def test_claims_are_found_by_id_algorithm_and_slug() -> None:
    assert ids("DEF-1") == ["DEF-1"] == ids("def-1")
    assert ids("daba/answer") == ["daba/answer"]
    assert ids("DABA Lite") == ids("daba-lite") == ids("daba lite")
    assert {name.partition("/")[0] for name in ids("DABA Lite")} == {"daba-lite"}
    assert ids("errata") == [each.id for each in CLAIMS if each.algorithm == "errata"]
    assert ids() == [each.id for each in CLAIMS]


def test_claims_are_found_once_and_in_order() -> None:
    chosen = {*ids("two-stacks"), "daba/answer"}
    assert ids("daba/answer", "two-stacks", "daba/answer") == [id for id in ids() if id in chosen]


@pytest.mark.parametrize("names", [("no such",), ("daba", "no such"), ("",), ("daba/",)])
def test_an_unknown_name_is_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(KeyError, match=r"no claim or algorithm.*Algorithms: Two-Stacks, .*Ids: swagproof prove --list"):
        find(names)


def without_times(row: ClaimResult) -> tuple[Any, ...]:
    """Return the result, without the start state of a refutation, which the solver chooses."""
    timeless = {name: value for name, value in row.statistics.items() if not name.endswith("seconds")}
    controls = [(name, verdict, detail.partition("; from ")[0]) for name, verdict, detail in row.controls]
    return row.claim.id, row.verdict, row.detail, controls, timeless


def test_two_processes_settle_as_one_does_and_in_the_order_asked() -> None:
    parts = ("invariants", "answer", "calls", "space", "empty")
    claims = find([*(f"recalculate-from-scratch/{part}" for part in parts), "subtract-on-evict/empty", "DEF-1"])[::-1]
    told: list[str] = []
    one = check_claims(claims, processes=1, report=lambda row: told.append(row.claim.id))
    two = check_claims(claims, processes=2, report=lambda row: told.append(row.claim.id))
    assert [row.claim for row in one] == [row.claim for row in two] == claims
    assert [without_times(row) for row in one] == [without_times(row) for row in two]
    assert sorted(told) == sorted(2 * [each.id for each in claims])
    assert exit_code(one) == exit_code(two) == 0


def test_a_process_that_is_ended_leaves_its_row_unknown_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that the claims of one algorithm that were lost with it are checked again."""
    claims = find(["subtract-on-evict/empty", "recalculate-from-scratch/empty", "recalculate-from-scratch/space"])
    fatal = claims[1]
    ended = replace(fatal, check=lambda: os.kill(os.getpid(), signal.SIGKILL))  # type: ignore[arg-type, return-value]  # no outcome
    monkeypatch.setitem(claims_module.BY_ID, fatal.id, ended)
    told: list[str] = []
    rows = check_claims(claims, processes=2, report=lambda row: told.append(row.claim.id))
    assert [row.claim.id for row in rows] == [each.id for each in claims]
    assert sorted(told) == sorted(each.id for each in claims)
    assert [row.verdict for row in rows] == ["unknown" if each is fatal else "holds" for each in claims]
    assert exit_code(rows) == 3


def test_a_check_that_ends_the_program_is_unknown() -> None:
    row = check_claim(replace(a_claim(HOLDS, FAILS), check=lambda: sys.exit(0)))
    assert (row.verdict, exit_code([row])) == ("unknown", 3)


ENGINES = (
    "two-stacks/answer",
    "two-stacks-lite/branches",
    "fiba/proved-query",
    "lower-bound/constant",
    "flat-fat/proved-shape",
    "slicing/windows",
    "timegram/placed",
    "ordered-sharing/orders",
    "windows/ends",
    "table-2/doubles",
    "operations/monoids",
)
"""A proved claim of each engine, quick to give up."""


@pytest.mark.parametrize("processes", ["1", "2"])
def test_where_the_solver_gives_up_prove_is_unknown(processes: str) -> None:
    """Check, as on a machine on which every query times out, that the exit code is 3, and never a pass."""
    give_up = "from swagproof.proofs.engine import solver; solver.RLIMIT = 1"
    command = ["-c", f"{give_up}; from swagproof.cli import main; main()", "prove", *ENGINES, "--processes", processes]
    found = subprocess.run([sys.executable, *command, "--json", "-"], capture_output=True, text=True)
    rows = json.loads(found.stdout)
    assert {row["id"]: row["verdict"] for row in rows} == dict.fromkeys(ENGINES, "unknown")
    assert found.returncode == 3
