"""CrossHair's runs: each message is judged, counterexamples are replayed, and no process is left running."""

import doctest
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from swagproof.models.operations import OPERATIONS
from swagproof.proofs.explorer.workers import Worker
from swagproof.proofs.ledger.claim import check_claim, exit_code
from swagproof.proofs.operations import crosshair, every_operation, history_claims
from swagproof.proofs.operations.crosshair import Law, TargetError, check, conclude, judge, literals

LAWS = "support.laws"


def canned(monkeypatch: pytest.MonkeyPatch, **messages: tuple[str, str]) -> None:
    """Replace CrossHair's messages about these laws, and have nothing said about others."""

    def said(work: Callable[..., Any], target: str, *arguments: Any, limit: float) -> Any:
        if work is not crosshair.analyse:
            return work(target, *arguments)
        return [message for name, message in messages.items() if name == target.rpartition(".")[2]]

    monkeypatch.setattr(crosshair.WORKER, "run", said)


CONFIRMED = "CONFIRMED", "Confirmed over all paths."
OPEN = "CANNOT_CONFIRM", "Not confirmed."


# Reading


def test_literals_are_read_and_nothing_else() -> None:
    assert literals("f()") == []
    assert literals("f(v1:=(1, -2), [v1, None], 'a)', {'b': {3}}, True)") == [
        (1, -2),
        [(1, -2), None],
        "a)",
        {"b": {3}},
        True,
    ]
    assert math.isnan(literals("law(float('nan'))")[0])
    for call in ("f(g(1))", "f(x)", "f(1 + 1)", "f(__import__('os'))", "f(a=1)", "f(", "1", "f(float(1))", "f(*[1])"):
        with pytest.raises(ValueError, match=r"."):
            literals(call)


def test_messages_are_judged() -> None:
    law = Law(f"{LAWS}.no_step_of_two_leaves_the_ten")
    right = Law(f"{LAWS}.adding_commutes")
    raising = Law(f"{LAWS}.dividing_undoes_multiplying")
    assert judge(law, *CONFIRMED)[0] == "confirmed"
    assert judge(law, *OPEN)[0] == "not confirmed"
    assert judge(law, "PRE_UNSAT", "Unable to meet precondition")[0] == "unmet precondition"
    assert judge(law, "NEW", "Something new.") == ("error", "Something new.")
    assert judge(law, "EXEC_ERR", "NameError: name 'x' is not defined") == (
        "error",
        "NameError: name 'x' is not defined",
    )
    assert judge(law, "POST_FAIL", "false when calling no_step_of_two_leaves_the_ten(8) (which returns False)") == (
        "refuted",
        "no_step_of_two_leaves_the_ten(8) gives False",
    )
    assert judge(raising, "EXEC_ERR", "ZeroDivisionError:  when calling dividing_undoes_multiplying(0, 0)") == (
        "refuted",
        "dividing_undoes_multiplying(0, 0) raises ZeroDivisionError('integer division or modulo by zero')",
    )
    for call, reason in (
        ("adding_commutes(1, 2)", "spurious"),
        ("adding_commutes(1, object())", "cannot be replayed"),
        ("adding_commutes(1)", "cannot be replayed"),
    ):
        outcome, message = judge(right, "POST_FAIL", f"false when calling {call} (which returns False)")
        assert outcome == "not confirmed"
        assert reason in message
    outcome, message = judge(
        law, "POST_FAIL", "false when calling no_step_of_two_leaves_the_ten(9) (which returns False)"
    )
    assert outcome == "not confirmed"
    assert "the precondition 0 <= offset < 9 is not met" in message


# Results


def test_a_law_that_crosshair_does_not_mention_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    canned(monkeypatch, adding_commutes=CONFIRMED)
    results = check([f"{LAWS}.{name}" for name in ("adding_commutes", "multiplying_commutes")])
    assert [result.outcome for result in results] == ["confirmed", "error"]
    assert results[1].message == "CrossHair said nothing about this law"


def test_an_exception_of_crosshair_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> NoReturn:
        raise RuntimeError("the process ended")

    monkeypatch.setattr(crosshair.WORKER, "run", fails)
    (result,) = check([f"{LAWS}.adding_commutes"])
    assert (result.outcome, result.message) == ("error", "RuntimeError: the process ended")


@pytest.mark.parametrize(
    "target",
    ["adding_commutes", "swagproof.proofs.no_such.law", f"{LAWS}.no_such_law", f"{LAWS}.no_law", f"{LAWS}.constant"],
)
def test_what_is_no_law_is_refused(target: str) -> None:
    with pytest.raises(TargetError):
        check([target])


def test_a_contract_of_another_form_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "other_contract.py").write_text('def f(a: int) -> int:\n    """post: _ >= a"""\n    return a\n')
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(TargetError, match="the contract of a law is `post: _`"):
        check(["other_contract.f"])


def test_no_targets_no_process() -> None:
    assert check([]) == []


# CrossHair itself


def test_a_law_is_confirmed_refuted_or_its_precondition_is_not_met(monkeypatch: pytest.MonkeyPatch) -> None:
    names = "adding_commutes", "no_step_of_two_leaves_the_ten", "dividing_undoes_multiplying"
    right, wrong, raising, unmet = check([f"{LAWS}.{name}" for name in (*names, "nothing_is_below_and_above")])
    assert (right.outcome, unmet.outcome) == ("confirmed", "unmet precondition")
    assert (wrong.outcome, wrong.message) == ("refuted", "no_step_of_two_leaves_the_ten(8) gives False")
    assert raising.outcome == "refuted"
    assert "raises ZeroDivisionError" in raising.message


BEYOND_IT = 'def joined(a: str, b: str, c: str) -> bool:\n    """post: _"""\n    return (a + b) + c == a + (b + c)\n'


def test_what_crosshair_cannot_confirm_is_not_confirmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "beyond_it.py").write_text(BEYOND_IT)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(crosshair, "WORKER", Worker(full=True))  # which starts with this path
    (result,) = check(["beyond_it.joined"], per_condition_timeout=1)
    assert (result.outcome, result.message) == ("not confirmed", "Not confirmed.")


def test_without_time_no_row_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_claims, "SECONDS", 1e-6)
    rows = [check_claim(claim) for claim in every_operation.CLAIMS if claim.engine == "CrossHair"]
    assert {row.verdict for row in rows} == {"unknown"}
    assert exit_code(rows) == 3


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (OPEN, "Not confirmed."),
        (("POST_FAIL", "false when calling adding_commutes(object()) (which returns False)"), "cannot be replayed"),
        (("POST_FAIL", "false when calling adding_commutes(0, 0) (which returns False)"), "spurious"),
        (("PRE_UNSAT", "Unable to meet precondition"), "Unable to meet precondition"),
        (("NEW", "Something new."), "Something new."),
    ],
)
def test_what_is_not_confirmed_is_no_pass(
    monkeypatch: pytest.MonkeyPatch, message: tuple[str, str], reason: str
) -> None:
    """Check the messages of which one confirms one law of two."""
    canned(monkeypatch, adding_commutes=message, multiplying_commutes=CONFIRMED)
    one, other = f"{LAWS}.adding_commutes", f"{LAWS}.multiplying_commutes"
    outcome = conclude(check([one, other]))
    assert outcome.verdict == "unknown"
    assert reason in outcome.detail
    assert conclude(check([other])).verdict == "holds"


# The laws themselves


def test_every_operation_has_its_laws() -> None:
    rows = [row.operation for row in every_operation.ROWS]
    assert {operation.name for operation in rows} == OPERATIONS.keys() - {"mutable-collect"}
    removed = {*(o.name for o in every_operation.SUBTRACT), "unimodular-matrix", "geometric-mean", "affine"}
    assert {o.name for o in rows if o.remove} - removed == {"collect", "concatenation"}  # by slices of a tuple


# Processes


def test_an_overrun_is_stopped_and_the_next_call_starts_anew() -> None:
    worker = Worker(full=True)
    first = worker.run(os.getpid, limit=60)
    with pytest.raises(TimeoutError):
        worker.run(time.sleep, 60, limit=0.5)
    assert gone(first)
    assert worker.run(os.getpid, limit=60) != first
    with pytest.raises(ZeroDivisionError):
        worker.run(divmod, 1, 0, limit=60)
    assert worker.run(os.getenv, "ICONTRACT_SLOW", limit=60) == "1"


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z"
    except (FileNotFoundError, ProcessLookupError):  # also while it is read
        return True


INTERRUPTED = """
import os, pathlib, time
from swagproof.proofs.explorer.workers import Worker
if __name__ == "__main__":
    worker = Worker(full=True)
    pathlib.Path({note!r}).write_text(str(worker.run(os.getpid, limit=60)))
    worker.run(time.sleep, 60, limit=60)
"""


def test_an_interrupt_leaves_nothing_behind(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    script = tmp_path / "parent.py"
    script.write_text(INTERRUPTED.format(note=str(note)))
    process = subprocess.Popen([sys.executable, str(script)], stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            if note.exists() and note.read_text():
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) != 0
    finally:
        process.kill()
        process.wait()
    assert gone(int(note.read_text()))


def test_examples_in_the_docstrings() -> None:
    assert doctest.testmod(crosshair).failed == 0
