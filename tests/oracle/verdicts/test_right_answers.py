"""Right windows are not accused at the edges: other types of numbers, capacities, dataclasses, medians over frames.

Each declaration that excuses a right window is also tried on a wrong one, which must still be found.
"""

from typing import Any

import pytest
from subjects import right_edges as edges
from support.command import conform, verdict
from support.places import TESTS

from swagproof.oracle.claims import Claimant
from swagproof.oracle.judge import domains_of, judge
from swagproof.oracle.reports.judgement import Judgement
from swagproof.oracle.subject import subject_of
from swagproof.oracle.trace import InputError

FILE = TESTS / "subjects" / "right_edges.py"


def judged(
    found: type, window: str = "fifo", monoids: tuple[str, ...] = (), effort: float = 30_000, **adapter: Any
) -> Judgement:
    subject = subject_of(found, f"{FILE}:{found.__name__}", window, **adapter)
    try:
        claims = subject.adapter.claims
        claimant = None if claims is None else Claimant.of(subject, claims)
        over = domains_of(subject, monoids)
        if claimant is None:
            return judge(subject, over, seed=0, effort=effort)
        return claimant.conclude(judge(claimant.subject, over, seed=0, effort=effort))
    finally:
        subject.stop()


@pytest.mark.parametrize("found", [edges.DecimalMean, edges.Deviation, edges.NullDeviation, edges.FromIdentity])
@pytest.mark.drawn(2)
def test_a_right_window_conforms(found: type) -> None:
    report = judged(found)
    assert report.verdict.outcome == "conforms", report.verdict.sentence


@pytest.mark.parametrize(
    ("found", "operations"),
    [(edges.CoarseDecimalMean, 2), (edges.ZeroDeviation, 2), (edges.FromIdentityShortensNothing, 13)],
)
def test_a_wrong_one_beside_it_is_violated(found: type, operations: int) -> None:
    report = judged(found)
    assert report.verdict.outcome == "violated"
    assert report.verdict.witness is not None
    assert len(report.verdict.witness.trace.steps) <= operations


@pytest.mark.parametrize("options", [{}, {"lowered": True}, {"empty": "null"}, {"empty": "null", "lowered": True}])
@pytest.mark.parametrize("found", [edges.Medians, edges.UpperMedians])
@pytest.mark.drawn(3)
def test_options_apply_to_each_row_of_a_frame(found: type, options: dict[str, Any]) -> None:
    report = judged(found, "frame", effort=4_000, **options)
    assert report.verdict.outcome == ("conforms" if found is edges.Medians else "violated"), report.verdict.sentence


def test_an_empty_frame_answers_what_is_declared() -> None:
    assert judged(edges.NanMedians, "frame", effort=4_000, empty="nan").verdict.outcome == "conforms"
    assert judged(edges.NanMedians, "frame", effort=4_000, empty="null").verdict.outcome == "violated"
    with pytest.raises(InputError, match="--empty raises: results\\(\\) answers all rows at once"):
        judged(edges.Medians, "frame", empty="raises")


@pytest.mark.drawn(0)
def test_a_declared_capacity_is_not_exceeded_and_is_reached() -> None:
    report = judged(edges.Bounded, monoids=("concatenation", "affine"), effort=400_000)
    assert report.verdict.outcome == "conforms", report.verdict.sentence
    assert report.coverage.total.largest_window == 1024
    one = judged(edges.Bounded, monoids=("concatenation",), effort=20_000, capacity=1)
    assert ", in windows of up to 1" in str(one)
    for wrong in (edges.ForgetsWhenFull, edges.BoundedByOneLess):
        found = judged(wrong, monoids=("concatenation", "affine"), effort=400_000).verdict
        assert found.outcome == "violated", wrong
        assert found.witness is not None
        assert sum(step.name == "insert" for step in found.witness.trace.steps) in (1024, 1025)


@pytest.mark.drawn(0)
def test_a_capacity_that_is_not_declared_is_suggested() -> None:
    data = verdict(f"{FILE}:Bounded", "--window", "fifo", "--capacity", "2000", "--monoid", "affine", "--seed", "0")
    assert data["outcome"] == "violated"
    assert "--capacity" not in data["sentence"]  # another text
    trace = ("--monoid", "sum", "--trace", "1025 * insert 1")
    bounded = verdict(f"{FILE}:Bounded", "--window", "fifo", "--capacity", "1025", *trace)
    assert "OverflowError" in bounded["sentence"]
    found = judged(edges.Bounded, monoids=("affine",), effort=400_000, capacity=None).verdict
    assert "if that is its capacity, say --capacity 1024" in found.sentence


def test_an_option_is_suggested_where_it_may_be_missing() -> None:
    assert "say --lowered" in judged(edges.PlainMean).verdict.sentence
    assert judged(edges.PlainMean, lowered=True, empty="anything").verdict.outcome == "conforms"
    assert "TypeError" in judged(edges.TextMedians, "frame").verdict.sentence
    assert "--lowered" not in judged(edges.TextMedians, "frame").verdict.sentence, (
        "the rows of a frame are lowered anyway"
    )
    refused = conform(f"{FILE}:WithoutParameter", "--window", "fifo")
    assert refused.exit_code == 2
    assert "give --make nothing" in refused.stderr
    assert judged(edges.WithoutParameter, make="nothing").verdict.outcome == "conforms"


MOMENTS = f"{FILE}:AddMoments"


@pytest.mark.drawn(0)
def test_a_dataclass_is_an_element_and_a_partial_aggregate() -> None:
    assert judged(edges.ListWindow, monoids=(MOMENTS,)).verdict.outcome == "conforms"
    assert judged(edges.Totals, monoids=(MOMENTS,)).verdict.outcome == "conforms"
    wrong = judged(edges.ForgetsTheFifth, monoids=(MOMENTS,)).verdict.witness
    assert wrong is not None
    assert str(wrong.trace) == '5 * insert "Moments(n=1, total=5)", query'
    changed = judged(edges.ChangesAValue, monoids=(MOMENTS,)).verdict.witness
    assert changed is not None
    assert changed.diagnosis == "changed a value"
