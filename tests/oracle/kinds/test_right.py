"""Right subjects are not accused: right windows of every kind, over their usual monoids and over others."""

import pytest
from support.places import TESTS

from swagproof.oracle.judge import domains_of, judge
from swagproof.oracle.kinds import frame
from swagproof.oracle.subject import load_subject
from swagproof.reports.text import render

SUBJECTS = TESTS / "subjects"
TWO_STACKS = "swagproof.reference.in_order.two_stacks:TwoStacks"
FIBA = "swagproof.reference.trees.fiba:Fiba"

RIGHT = {
    "fifo": (
        *(f"{SUBJECTS}/right.py:{name}" for name in ("ListWindow", "DequeWindow", "RunningSum", "MonotoneMax")),
        TWO_STACKS,
    ),
    "out-of-order": (
        *(
            f"{SUBJECTS}/right_out_of_order.py:{name}"
            for name in ("SortedLists", "Dictionary", "dictionary", "RunningSum", "Fiba3", "BTree8")
        ),
        FIBA,
        "swagproof.reference.trees.b_tree:BTree",
        "swagproof.models.out_of_order:OutOfOrderWindow",
    ),
    "shared": (
        *(
            f"{SUBJECTS}/right_shared.py:{name}"
            for name in ("Kept", "OneTable", "OrderedMax", "OrderedMin", "GramMax", "GramSum", "GramCount")
        ),
        "swagproof.models.shared:SharedWindows",
        "swagproof.reference.sharing.stream_sharing:NaiveStream",
    ),
}
NO_RANGES = ("Dictionary", "dictionary", "RunningSum")
"""Out-of-order windows without range queries."""

SLOW = ("OrderedMax", "OrderedMin", "GramSum", "NaiveStream")
"""Windows whose queries take linear time; large windows are tested with the others."""

ASKED = [
    ("fifo", TWO_STACKS, ["float-sum", "unimodular-matrix", "collect", "bloom", "count", "arg-min", "mean"]),
    ("out-of-order", FIBA, ["float-sum", "unimodular-matrix", "collect", "count", "arg-min", "wide-sum"]),
    ("frame", f"{SUBJECTS}/right_frame.py:Definition", [*frame.DOMAINS]),
]


@pytest.mark.parametrize(
    ("window", "spec", "monoids"),
    [*((window, spec, []) for window, specs in RIGHT.items() for spec in specs), *ASKED],
    ids=lambda part: part.rpartition(":")[2] if isinstance(part, str) else f"{len(part)} asked for",
)
@pytest.mark.drawn(1)
def test_a_right_window_conforms(window: str, spec: str, monoids: list[str]) -> None:
    subject = load_subject(spec, window)
    domains = domains_of(subject, monoids)
    report = judge(subject, domains, seed=1, effort=20_000 if spec.endswith(SLOW) else 60_000)
    assert report.verdict.outcome == "conforms", render(report.report())
    assert report.coverage.total.queries > 0
    assert set(report.coverage.monoids) == {domain.name for domain in domains}
    if window == "out-of-order":
        ranges = spec.rpartition(":")[2] not in NO_RANGES
        assert ("range_query" in report.judged) is ranges
        assert ("not range_query, " in render(report.report())) is not ranges
