"""Frames: the reference against the definition, the traces to try, and wrong engines that must be found."""

import itertools
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.places import TESTS

from swagproof.models.monoid import Counting
from swagproof.models.windows.kinds import Frame
from swagproof.oracle.domain import Rounded, domain, names
from swagproof.oracle.judge import judge
from swagproof.oracle.kinds import frame
from swagproof.oracle.kinds.frame import Frames, about, judge_each_row, phases, trace
from swagproof.oracle.kinds.frame_history import FrameHistory
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.subject import load_class, load_subject, subject_of
from swagproof.oracle.trace import InputError, Step, legal, parse
from swagproof.oracle.window import FRAME

SUBJECTS = TESTS / "subjects"
WRONG = SUBJECTS / "wrong_frame.py"
Definition: Any = load_class(f"{SUBJECTS}/right_frame.py:Definition")

OFFSETS = st.one_of(st.none(), st.integers(-4, 4), st.sampled_from((-(2**62), 2**62)))


@settings(derandomize=True, deadline=None, max_examples=300)
@given(st.sampled_from(("rows", "range")), OFFSETS, OFFSETS, st.lists(st.integers(-5, 9), max_size=12))
def test_the_reference_is_right_by_definition(unit: str, start: int | None, end: int | None, times: list[int]) -> None:
    """Compare with a definition that checks every row for every row."""
    chosen = domain("concatenation")
    rows = list(zip(times, "abcdefghijkl", strict=False))
    fast, plain = Frames(chosen.operation), Definition(chosen.operation)
    for window in (fast, plain):
        window.frame(unit, start, end)
        for time, element in rows:
            window.insert(time, element)
    assert fast.results() == plain.results() == FrameHistory(Frame(unit, start, end), rows).answers(chosen)


@pytest.mark.parametrize(("start", "end"), [(-50, 50), (None, 0), (0, None), (3, 40), (-40, -3)])
def test_the_reference_takes_a_constant_number_of_combines_a_row(start: int | None, end: int | None) -> None:
    counting = Counting(domain("sum").operation)
    window = Frames(counting)
    window.frame("rows", start, end)
    for time in range(2000):
        window.insert(time, 1)
    window.results()
    assert counting.calls <= 5 * 2000


def test_each_class_of_frames_is_about_what_it_says() -> None:
    found = {phase.name: list(itertools.islice(phase.attempts, 400)) for phase in phases([domain("sql-float-sum")], 0)}
    for name, attempts in found.items():
        assert attempts, name
        for _, _, steps, _ in attempts:
            assert legal(steps, FRAME)
    histories = {name: [FrameHistory.of(steps) for _, _, steps, _ in attempts] for name, attempts in found.items()}
    assert {history.declared.unit for history in histories["rows"]} == {"rows"}
    assert {history.declared.unit for history in histories["range"]} == {"range"}
    for name in ("rows", "range", "nulls", "nan"):
        assert all(len({time for time, _ in h.arrived}) == len(h.arrived) for h in histories[name])
        assert all(
            about(e for _, e in h.arrived) == {"rows": "plain", "range": "plain"}.get(name, name)
            for h in histories[name]
        )
    assert all(len({time for time, _ in history.arrived}) < len(history.arrived) for history in histories["ties"])
    assert any(not history.arrived for history in histories["empty frames"])
    assert any(h.declared.start == -(2**62) for h in histories["far ends"])
    assert any(time >= 2**63 - 3 for h in histories["far ends"] for time, _ in h.arrived)
    assert max(len(history.arrived) for history in histories["many rows"]) == 5000


@pytest.mark.parametrize("name", [name for name in names() if name.startswith(("sql-", "nan-"))])
def test_sql_aggregates_are_monoids_that_skip_null(name: str) -> None:
    """Check identity, associativity over every triple, and that NULL is ignored (except for first and last)."""
    chosen = domain(name)
    combine, identity = chosen.rule.mirror.combine, chosen.rule.mirror.identity
    elements = list(dict.fromkeys(e for order in chosen.orders for e in order if e is None or e == e))[:9]
    some = [chosen.rule.mirror.lift(e) for e in [*elements, *([math.nan] if "float" in name or "nan" in name else [])]]
    for a, b, c in itertools.product(some, repeat=3):
        one, other = combine(combine(a, b), c), combine(a, combine(b, c))
        assert one == other or (one != one and other != other)
    for a in some:
        assert combine(a, identity) is a or combine(a, identity) == a
        assert combine(identity, a) is a or combine(identity, a) == a
    if name not in ("sql-first", "sql-last"):
        assert chosen.rule.mirror.lift(None) == identity


def test_what_sql_aggregates_answer() -> None:
    def of(name: str, *elements: Any) -> Any:
        rows = list(enumerate(elements))
        return FrameHistory(Frame("rows", None, None), rows).answers(domain(name))[0]

    assert of("sql-sum", None, 2, 3) == 5
    assert of("sql-sum", None) is None
    assert of("sql-count", None, 2, None) == 1
    assert of("sql-first", None, "a") is None
    assert of("sql-last", None, "a") == "a"
    assert of("sql-concatenation", "", None) == ""
    assert of("sql-arg-max", (1, "a"), None, (2, "b"), (2, "c")) == "b"
    assert math.isnan(of("sql-float-max", 1.0, math.nan, math.inf))
    assert domain("sql-float-max").rule.agree(math.nan, math.nan)  # of an invalid frame, too
    assert of("nan-least-max", 1.0, math.nan) == 1.0
    assert of("sql-float-min", math.nan, 1.0) == 1.0


def test_floating_sums_of_rows_are_judged_each_by_its_own_frame() -> None:
    rule = judge_each_row(domain("sql-float-sum")).rule
    window = Frames(rule.mirror)
    window.frame("rows", 0, 0)
    for time, element in enumerate((1e16, 1.0, None)):
        window.insert(time, rule.mirror.lift(element))
    results = window.results()
    assert rule.agree(results, [1e16, 1.0, None])
    assert rule.agree(results, [1e16 + 2, 1.0, None])
    assert not rule.agree(results, [1e16, 0.0, None])
    assert not rule.agree(results, [1e16, 1.0, 0.0])
    assert not rule.agree(results, [1e16, 1.0])
    assert not rule.agree(results, None)
    assert Rounded(None).answers((0, 0, 0, 0, 0, 0), None)


def test_a_trace_that_is_not_offered_is_not_run() -> None:
    class Shy(Definition):
        @classmethod
        def offers(cls, steps: Any) -> bool:
            return not any(step.name == "frame" and step.arguments[0] == "range" for step in steps)

        def frame(self, unit: str, start: Any, end: Any) -> None:
            assert unit == "rows"
            super().frame(unit, start, end)

    report = judge(subject_of(Shy, "shy", "frame"), [domain("sql-sum")], effort=30_000)
    assert report.verdict.outcome == "conforms"


def test_a_class_that_is_no_engine_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("class Mine:\n    def frame(self, unit, start, end): ...\n    def insert(self, t, v): ...\n")
    with pytest.raises(InputError, match="no method results; a frame window needs frame, insert, results"):
        load_subject(f"{path}:Mine", "frame")


def test_frames_in_traces() -> None:
    steps = parse('frame "range" -2 null, insert 1 null, results', "frame")
    assert list(steps) == trace(Frame("range", -2, None), [(1, None)])
    with pytest.raises(InputError, match="declare one frame first"):
        parse("insert 1 2, results", "frame")
    with pytest.raises(InputError, match='"rows" or "range"'):
        parse('frame "groups" 1 2, results', "frame")
    assert [Step("frame", ("rows", -1, 0))] == [step[0] for step in frame.simpler([Step("frame", ("range", -1, 0))])]


def test_the_kind_is_judged_like_any_other() -> None:
    kind = KINDS["frame"]
    history = kind.history(trace(Frame("rows", -1, 2), [(1, 5), (2, None)]))
    assert (history.size, history.elements, str(history)) == (2, [5], "after inserting 2 rows")
    assert history.lead == "over rows from 1 before to 2 after, after inserting 2 rows,"
