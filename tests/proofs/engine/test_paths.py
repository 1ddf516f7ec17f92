"""Symbolic execution: predicates become formulas, all paths are explored, and every obligation is checked."""

from collections import Counter
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest

from swagproof.proofs.engine import paths as symbolic
from swagproof.proofs.engine.obligation import Obligation
from swagproof.proofs.engine.paths import Exploration, Failure, Finished, Path, explore, formula, settle
from swagproof.proofs.engine.solver import Inquiry, Question, Solver, z3
from swagproof.proofs.engine.source.coverage import Condition
from swagproof.proofs.engine.values import SymbolicInt

X, Y = (SymbolicInt(z3.Int(name)) for name in "xy")


def equivalent(predicate: Callable[[], Any], expected: Any) -> bool:
    """Return whether the predicate's formula and this one are the same for all integers."""
    solver = z3.Solver()
    solver.add(formula(predicate) != expected)
    return bool(solver.check() == z3.unsat)


def fork(low: Any, high: Any) -> bool:
    if low < 0:
        return bool(high == 1)
    return bool(high == 2)


PREDICATES: dict[str, tuple[Callable[[], Any], Any]] = {
    "and": (lambda: X < 1 and Y < 2, z3.And(X.term < 1, Y.term < 2)),
    "or": (lambda: X < 1 or Y < 2, z3.Or(X.term < 1, Y.term < 2)),
    "not": (lambda: not X < 1, X.term >= 1),
    "not and": (lambda: not (X < 1 and Y < 2), z3.Or(X.term >= 1, Y.term >= 2)),
    "chained": (lambda: 0 <= X < Y, z3.And(X.term >= 0, X.term < Y.term)),
    "if": (lambda: fork(X, Y), z3.If(X.term < 0, Y.term == 1, Y.term == 2)),
    "conditional": (lambda: (X if X > Y else Y) == 3, z3.If(X.term > Y.term, X.term, Y.term) == 3),
    "arithmetic": (lambda: 2 * X - 1 + (3 - Y) == 0, 2 * X.term - 1 + 3 - Y.term == 0),
    "quotient": (lambda: X // 3 == -2, z3.And(-6 <= X.term, X.term <= -4)),
    "remainder": (lambda: X % 3 == 1, X.term == 3 * (X.term / 3) + 1),
    "quotient and remainder": (lambda: 5 * (X // 5) + X % 5 == X and 0 <= X % 5 < 5, z3.BoolVal(True)),
    "truth of a number": (lambda: X, X.term != 0),
    "compared with a constant": (lambda: (X < 1) == False, X.term >= 1),  # noqa: E712  # what is tested
    "unequal to a constant": (lambda: (X < 1) != True, X.term >= 1),  # noqa: E712  # what is tested
    "true": (lambda: True, z3.BoolVal(True)),
    "nothing returned": (lambda: None, z3.BoolVal(False)),
}


@pytest.mark.parametrize("name", PREDICATES)
def test_a_predicate_is_one_formula(name: str) -> None:
    assert equivalent(*PREDICATES[name])


def test_a_predicate_that_raises_is_no_formula() -> None:
    def broken() -> bool:
        return bool(X < 0) or [True][1]

    with pytest.raises(IndexError):
        formula(broken)


@pytest.mark.parametrize("other", [0.5, "1", None])
def test_only_integers_are_compared_with_integers(other: Any) -> None:
    with pytest.raises(TypeError, match="is no integer"):
        assert X < other


def test_only_feasible_paths_are_run() -> None:
    seen: list[tuple[bool, bool]] = []

    def run(path: Path) -> None:
        x = SymbolicInt(path.fresh("x"))
        first = bool(x < 0)
        second = bool(x < 10)
        seen.append((first, second))
        path.show("what was decided is known", x.term < (0 if first else 10 if second else x.term + 1))

    report = explore(run)
    assert sorted(seen) == [(False, False), (False, True), (True, True)]
    assert (report.paths, report.failures, report.sound) == (3, [], True)
    assert report.shown == {"what was decided is known": 3}


def test_an_obligation_before_a_branch_is_asked_once() -> None:
    def run(path: Path) -> None:
        x = SymbolicInt(path.fresh("x"))
        path.show("before", x.term == x.term)
        path.show("on one side" if x < 0 else "on the other", z3.BoolVal(True))

    assert explore(run).shown == {"before": 1, "on one side": 1, "on the other": 1}


def test_a_failing_obligation_carries_an_example() -> None:
    def run(path: Path) -> None:
        x = path.fresh("x")
        path.example = lambda model: f"x = {model.eval(x)}"
        path.assume(x > 6)
        path.show("not seven", z3.Or(x < 7, x > 7))

    (failure,) = explore(run).failures
    assert (failure.obligation, failure.unknown, failure.example) == ("not seven", False, "x = 7")


def test_what_failed_is_not_assumed_on_the_path() -> None:
    def run(path: Path) -> None:
        path.show("false", z3.BoolVal(False))
        path.show("still false", z3.BoolVal(False))

    assert [failure.obligation for failure in explore(run).failures] == ["false", "still false"]


def test_a_failure_before_a_branch_is_kept_on_both_sides() -> None:
    def run(path: Path) -> None:
        x = SymbolicInt(path.fresh("x"))
        path.show("negative", x.term < 0)
        path.show("decided", z3.BoolVal(bool(x < 5) or True))

    assert "negative" in {failure.obligation for failure in explore(run).failures}


def test_contradictory_assumptions_prove_nothing() -> None:
    def run(path: Path) -> None:
        x = path.fresh("x")
        path.assume(z3.And(x > 0, x < 0))
        path.show("anything", z3.BoolVal(False))

    report = explore(run)
    assert (report.failures, report.vacuous, report.sound) == ([], 1, False)


def test_a_path_without_an_obligation_is_idle() -> None:
    def run(path: Path) -> None:
        if SymbolicInt(path.fresh("x")) < 0:
            path.show("true", z3.BoolVal(True))

    report = explore(run)
    assert (report.paths, report.idle, report.sound) == (2, 1, False)


def test_no_path_at_all_is_not_sound() -> None:
    assert not Exploration().sound


def test_an_unknown_answer_is_a_failure() -> None:
    def run(path: Path) -> None:
        x, y, z = (path.fresh(name) for name in "xyz")
        path.solver.set("rlimit", 1000)  # steps, not seconds: the same on every machine
        path.assume(z3.And(x > 1, y > 1, z > 1))
        path.show("Fermat", x * x * x + y * y * y != z * z * z)

    report = explore(run)
    (failure,) = report.failures
    assert failure.unknown
    assert failure.example


def test_quotients_and_remainders_are_pythons() -> None:
    for x in range(-7, 8):
        for divisor in (1, 2, 3):
            quotient, remainder = (X // divisor, X % divisor)
            given = z3.And(X.term == x, quotient.term == x // divisor, remainder.term == x % divisor)
            solver = z3.Solver()
            solver.add(given)
            assert solver.check() == z3.sat


@pytest.mark.parametrize("divisor", [0, -1, 2.0, True])
def test_division_is_by_positive_constants(divisor: Any) -> None:
    for divide in (lambda: X // divisor, lambda: X % divisor):
        with pytest.raises(TypeError, match="by positive constants only"):
            divide()


def test_quotients_by_unknown_numbers_are_not_known() -> None:
    with pytest.raises(TypeError, match="by positive constants only"):
        assert X // X  # type: ignore[operator]  # what is tested
    with pytest.raises(TypeError):
        assert 7 // X  # type: ignore[operator]  # what is tested


def test_powers_of_two_are_known_by_their_recursion() -> None:
    def run(path: Path) -> None:
        x = SymbolicInt(path.fresh("x"))
        path.assume(x.term >= 0)
        power, double = 2**x, 2 ** (x + 1)
        path.show("twice as much", double.term == 2 * power.term)
        path.show("1 or more", power.term >= 1)
        path.show("even", power.term % 2 == 0)

    report = explore(run)
    assert [failure.obligation for failure in report.failures] == ["even"], "2^0 is odd"


def forks(path: Path) -> None:
    path.show("negative", z3.BoolVal(bool(SymbolicInt(path.fresh("x")) < 0)))


def test_stopping_early_proves_nothing() -> None:
    report = explore(forks, lambda found: True)
    assert report.paths == 1
    assert [(failure.obligation, failure.unknown) for failure in report.failures] == [("every path is explored", True)]


def test_stopping_at_the_end_is_not_early() -> None:
    report = explore(forks, lambda found: found.paths == 2)
    assert [failure.obligation for failure in report.failures] == ["negative"]


def test_what_runs_otherwise_the_second_time_is_unknown() -> None:
    runs: list[int] = []

    def run(path: Path) -> None:
        runs.append(1)
        if len(runs) == 1:
            forks(path)
        path.show("true", z3.BoolVal(True))

    assert ("a path runs again as it ran", True) in {(f.obligation, f.unknown) for f in explore(run).failures}


def test_starting_again_drops_what_was_decided() -> None:
    def run(path: Path) -> None:
        x = SymbolicInt(path.fresh("x"))
        low = bool(x < 0)
        path.start_again_from([])
        path.show("still low" if low else "still high", (x < 0).term == low)
        path.show("on both", z3.BoolVal(bool(x < 5) or True))

    report = explore(run)
    assert {failure.obligation for failure in report.failures} == {"still low", "still high"}
    assert report.paths == 4
    assert report.shown[Obligation("on both")] == 4


def test_a_path_may_end_early() -> None:
    def run(path: Path) -> None:
        path.show("true", z3.BoolVal(True))
        raise Finished

    assert explore(run).sound


def test_other_exceptions_pass_and_leave_nothing_behind() -> None:
    def run(path: Path) -> None:
        raise OSError("no such file")

    with pytest.raises(OSError, match="no such file"):
        explore(run)
    assert symbolic._deciders == []  # pyright: ignore[reportPrivateUsage]  # the tested attribute


def test_merging_leaves_no_field_out() -> None:
    kept = Question("branch", "", (), "sat")
    one = Exploration(
        paths=2, vacuous=4, idle=5, shown=Counter({Obligation("shown"): 3}),
        failures=[Failure(Obligation("failed"), False, "x = 1")],
        outcomes={(Condition("method", "x", "file", 1, 2), True)},
        inquiry=Inquiry(6, 7.0, 8.0, 9, 10.0, [kept]),
        recording=symbolic.Recording([symbolic.Case("run")], {"shown": "its text"}),
    )  # fmt: skip
    whole, twice = Exploration(), Exploration()
    for merged in (whole, twice, twice):
        merged.merge(one)
    for name in {each.name for each in fields(Exploration)} - {"enough"}:
        assert getattr(whole, name) == getattr(one, name) != getattr(Exploration(), name), name
    assert (twice.paths, twice.vacuous, twice.idle, twice.shown.total()) == (4, 8, 10, 6)
    assert (twice.failures, twice.inquiry) == (2 * one.failures, Inquiry(12, 14.0, 8.0, 18, 10.0, [kept, kept]))


@pytest.mark.parametrize(("most", "told"), [(1, True), (2, True), (3, False), (4, False)])
def test_more_paths_than_are_run_prove_nothing(most: int, told: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(symbolic, "MOST_PATHS", most)
    found = explore(lambda path: path.show("true", z3.BoolVal(bool(X < 0) or bool(X < 9) or True)))
    assert found.paths == min(most, 3)
    assert [(f.obligation, f.unknown) for f in found.failures] == [("every path is explored", True)] * told


SETTLED = lambda: settle(X.term < 3) and not settle(Y.term < 2), z3.And(X.term < 3, Y.term >= 2)


@pytest.fixture
def worn_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answer every question with `unknown`."""
    monkeypatch.setattr(Solver, "ask", lambda *_, **__: "unknown")
    monkeypatch.setattr(Solver, "reason_unknown", lambda _: "worn out")


@pytest.mark.usefixtures("worn_out")
@pytest.mark.parametrize(
    ("run", "paths", "unknown", "vacuous"),
    [
        (lambda path: path.show("a claim", X.term == X.term), 1, ["a claim"], 1),
        (lambda path: path.show("true", z3.BoolVal(bool(X < 0) or True)), 2, [], 2),
        (lambda path: path.show("true", z3.BoolVal(path.start_again_from([]) is None)), 1, [], 2),
        (lambda path: path.show("a branch", z3.BoolVal(equivalent(*SETTLED))), 1, [], 1),
    ],
)
def test_where_z3_knows_nothing_nothing_passes(run: Any, paths: int, unknown: list[str], vacuous: int) -> None:
    found = explore(run)
    assert (found.paths, found.vacuous, found.sound) == (paths, vacuous, False)
    assert [failure.obligation for failure in found.failures if failure.unknown] == unknown
