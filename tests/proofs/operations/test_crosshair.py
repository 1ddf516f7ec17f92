"""CrossHair's runs: each kind of output is parsed, counterexamples are replayed, and no process is left running."""

import doctest
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from swagproof.models.operations import OPERATIONS
from swagproof.proofs.ledger.claim import check_claim, exit_code
from swagproof.proofs.operations import crosshair, every_operation, history_claims
from swagproof.proofs.operations.crosshair import Law, TargetError, check, conclude, judge, literals, parse, run

LAWS = "support.laws"
TESTS = Path(__file__).resolve().parents[2]


def canned(monkeypatch: pytest.MonkeyPatch, output: str, complaint: str = "") -> None:
    """Replace CrossHair's output."""

    def said(command: list[str], *, limit: float) -> tuple[str, str]:
        return (output, complaint) if command[:3] == [sys.executable, "-m", "crosshair"] else run(command, limit=limit)

    monkeypatch.setattr(crosshair, "run", said)


def line_of(law: Law, text: str) -> str:
    return f"{law.file}:{law.first_line + 1}: {text}"


# Reading


def test_lines_are_parsed_and_continued() -> None:
    output = "C:/a b/x.py:3: info: Not confirmed.\n/y.py:12: error: ValueError: one\ntwo: three when calling f(1)\n"
    assert parse(output) == [
        ("C:/a b/x.py", 3, "info", "Not confirmed."),
        ("/y.py", 12, "error", "ValueError: one\ntwo: three when calling f(1)"),
    ]
    assert parse("") == []
    with pytest.raises(ValueError, match="CrossHair said: Traceback"):
        parse("Traceback (most recent call last):")


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
    assert judge(law, "info", "Confirmed over all paths.")[0] == "confirmed"
    assert judge(law, "info", "Not confirmed.")[0] == "not confirmed"
    assert judge(law, "info", "Unable to meet precondition.")[0] == "unmet precondition"
    assert judge(law, "info", "Something new.") == ("error", "Something new.")
    assert judge(law, "error", "NameError: name 'x' is not defined") == ("error", "NameError: name 'x' is not defined")
    assert judge(law, "error", "false when calling no_step_of_two_leaves_the_ten(8) (which returns False)") == (
        "refuted",
        "no_step_of_two_leaves_the_ten(8) gives False",
    )
    assert judge(raising, "error", "ZeroDivisionError:  when calling dividing_undoes_multiplying(0, 0)") == (
        "refuted",
        "dividing_undoes_multiplying(0, 0) raises ZeroDivisionError('integer division or modulo by zero')",
    )
    for call, reason in (
        ("adding_commutes(1, 2)", "spurious"),
        ("adding_commutes(1, object())", "cannot be replayed"),
        ("adding_commutes(1)", "cannot be replayed"),
    ):
        outcome, message = judge(right, "error", f"false when calling {call} (which returns False)")
        assert outcome == "not confirmed"
        assert reason in message
    outcome, message = judge(law, "error", "false when calling no_step_of_two_leaves_the_ten(9) (which returns False)")
    assert outcome == "not confirmed"
    assert "the precondition 0 <= offset < 9 is not met" in message


# Mapping to laws


def test_a_law_that_crosshair_does_not_mention_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = (Law(f"{LAWS}.{name}") for name in ("adding_commutes", "multiplying_commutes"))
    canned(monkeypatch, line_of(one, "info: Confirmed over all paths."))
    results = check([one.target, two.target], per_condition_timeout=6)
    assert [result.outcome for result in results] == ["confirmed", "error"]
    assert results[1].message == "CrossHair said nothing about this law"
    canned(monkeypatch, "", "Could not import your code")
    assert {(r.outcome, r.message) for r in check([one.target])} == {("error", "Could not import your code")}
    canned(monkeypatch, "no line of the known form")
    assert check([one.target])[0].message == "CrossHair said: no line of the known form"


def test_the_worst_of_several_messages_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    law = Law(f"{LAWS}.adding_commutes")
    lines = [line_of(law, f"info: {text}") for text in ("Not confirmed.", "Confirmed over all paths.")]
    canned(monkeypatch, "\n".join(lines))
    assert check([law.target])[0].outcome == "not confirmed"


def test_the_bound_says_what_is_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    law = Law(f"{LAWS}.multiplying_commutes")
    canned(monkeypatch, line_of(law, "info: Not confirmed."))
    assert check([law.target], per_condition_timeout=6)[0].bound == (
        "all arguments where a > 0; searched for 6 s of processor time, 2 s a path"
    )
    canned(monkeypatch, line_of(law, "info: Confirmed over all paths."))
    assert check([law.target])[0].bound == "all arguments where a > 0"


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
    monkeypatch.setenv("PYTHONPATH", str(TESTS), prepend=os.pathsep)
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
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    (result,) = check(["beyond_it.joined"], per_condition_timeout=1)
    assert (result.outcome, result.message) == ("not confirmed", "Not confirmed.")


def test_without_time_no_row_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_claims, "SECONDS", 1e-6)
    rows = [check_claim(claim) for claim in every_operation.CLAIMS if claim.engine == "CrossHair"]
    assert {row.verdict for row in rows} == {"unknown"}
    assert exit_code(rows) == 3


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("info: Not confirmed.", "Not confirmed."),
        ("error: false when calling {law}(object()) (which returns False)", "cannot be replayed"),
        ("error: false when calling {law}(0, 0) (which returns False)", "spurious"),
        ("info: Unable to meet precondition.", "Unable to meet precondition."),
        ("info: Something new.", "Something new."),
    ],
)
def test_what_is_not_confirmed_is_no_pass(monkeypatch: pytest.MonkeyPatch, text: str, reason: str) -> None:
    """Check the output in which CrossHair confirms one law of two."""
    one, other = (Law(f"{LAWS}.{name}") for name in ("adding_commutes", "multiplying_commutes"))
    lines = line_of(one, text.format(law="adding_commutes")), line_of(other, "info: Confirmed over all paths.")
    canned(monkeypatch, "\n".join(lines))
    outcome = conclude(check([one.target, other.target]))
    assert outcome.verdict == "unknown"
    assert reason in outcome.detail
    assert conclude(check([other.target])).verdict == "holds"


# The laws themselves


def test_every_operation_has_its_laws() -> None:
    rows = [row.operation for row in every_operation.ROWS]
    assert {operation.name for operation in rows} == OPERATIONS.keys() - {"mutable-collect"}
    removed = {*(o.name for o in every_operation.SUBTRACT), "unimodular-matrix", "geometric-mean", "affine"}
    assert {o.name for o in rows if o.remove} - removed == {"collect", "concatenation"}  # by slices of a tuple


# Processes


def test_an_overrun_is_stopped() -> None:
    out, complaint = run([sys.executable, "-c", "import time; print('x', flush=True); time.sleep(60)"], limit=0.5)
    assert (out, complaint) == ("", "CrossHair was stopped after 0.5 s")


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z"
    except (FileNotFoundError, ProcessLookupError):  # also while it is read
        return True


def test_an_interrupt_leaves_nothing_behind(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    child = f"import os, pathlib, time; pathlib.Path({str(note)!r}).write_text(str(os.getpid())); time.sleep(60)"
    imports = "import sys; from swagproof.proofs.operations.crosshair import run"
    parent = f"{imports}; run([sys.executable, '-c', {child!r}], limit=60)"
    process = subprocess.Popen([sys.executable, "-c", parent], stderr=subprocess.DEVNULL)
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
