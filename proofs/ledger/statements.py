"""The papers' numbered statements, with the claims about each, or the reason why there is none.

Numbered statements are definitions, lemmas, theorems, claims, corollaries, equations, properties, tables, figures,
algorithms and examples (`NUMBERED`).  A claim is about the statements that its source names
(`swagproof.proofs.ledger.claim.cite`); texts are not searched.  Errata and readings do not count: they do not say which
sentence holds.
"""

from collections.abc import Iterable
from typing import Final

from swagproof.proofs.ledger.claim import (
    GENERAL,
    IN_ORDER,
    OF_THE_TEXT,
    OUT_OF_ORDER,
    SHARING,
    STREAM_WINDOWS,
    Claim,
)


def _each(kind: str, *numbers: object) -> list[str]:
    return [f"{kind} {number}" for number in numbers]


NUMBERED: Final[dict[str, tuple[str, ...]]] = {
    IN_ORDER: (
        *_each("Table", 1),
        *_each("Definition", 1),
        *_each("Lemma", 1, 2, 3, 4),
        *_each("Theorem", 3.1, 3.2, 4.1, 4.2, 5.1, 5.2, 6.1, 6.2),
        *_each("Figure", *range(1, 13)),
    ),
    OUT_OF_ORDER: (
        *_each("Definition", 2.1),
        *_each("Theorem", 2.2, 3.1, 3.2, 3.3, 3.4, 4.1, 4.2),
        *_each("Lemma", "A.1", "C.1"),
        *_each("Figure", *range(1, 16)),
    ),
    STREAM_WINDOWS: (*_each("Definition", 1, 2), *_each("Figure", *range(1, 9))),
    GENERAL: (
        *_each("Table", 1, 2, 3, 4),
        *_each("Theorem", 4.1, 4.2),
        *_each("Claim", 4.3),
        *_each("Corollary", 4.4),
        *_each("equation", 4.1, 4.2, 4.3),
        *_each("Algorithm", 1, 2, 3),
        *_each("Figure", *range(1, 13)),
    ),
    SHARING: (*_each("property", "(1)", "(2)"), *_each("Figure", *range(1, 11)), *_each("Example", "1)", "2)")),
}
"""The numbered statements of each paper."""

_TIMES: Final = "seconds on the authors' machine"
_TRACE: Final = (
    "a drawing of an example trace, of which our copy has only the caption: every trace of its kind is within the "
    "claims about the algorithm"
)
_STEPS: Final = "a drawing of examples, which our copy has in words: run by tests/algorithms/trees/test_fiba.py"

WITHOUT_ROW: Final[dict[tuple[str, str], str]] = {
    **{(IN_ORDER, f"Figure {number}"): _TRACE for number in range(1, 9)},
    **{(IN_ORDER, f"Figure {number}"): f"a plot of latency or throughput: {_TIMES}" for number in range(9, 13)},
    **{
        (OUT_OF_ORDER, f"Figure {number}"): f"{_STEPS}, {test}"
        for number, test in {
            3: "test_figure_3",
            4: "test_figure_4",
            5: "test_figure_5",
            6: "test_figure_6",
            9: "test_evicts_of_figures_3_and_9",
        }.items()
    },
    **{(OUT_OF_ORDER, f"Figure {number}"): f"a plot of throughput or latency: {_TIMES}" for number in range(11, 15)},
    (STREAM_WINDOWS, "Figure 5"): "a drawing of a tree of partial aggregates; its costs are in the claims about "
    "FlatFAT",
    (STREAM_WINDOWS, "Figure 6"): "a drawing of which techniques apply to which windows: no statement that can be run",
    (STREAM_WINDOWS, "Figure 7"): "a drawing of classes of windows: no statement that can be run",
    (STREAM_WINDOWS, "Figure 8"): "a drawing of an example, which our copy has only in part",
    (GENERAL, "Figure 2"): "a drawing of the parts of a system",
    (GENERAL, "Figure 4"): "a drawing of an example, which our copy has in words: run by "
    "tests/algorithms/flat_trees/test_flat_fat.py, test_figure_4",
    (GENERAL, "Figure 5"): "an example: run by tests/algorithms/flat_trees/test_reactive_aggregator.py, test_figure_5",
    (GENERAL, "Figure 6"): f"a plot of throughput: {_TIMES}",
    **{(GENERAL, f"Figure {number}"): f"a plot of time for each tuple: {_TIMES}" for number in range(7, 12)},
    (GENERAL, "Figure 12"): "a plot of resident memory on the authors' machine",
    (GENERAL, "Table 3"): f"window sizes from which one implementation is faster than another: {_TIMES}",
    (GENERAL, "Table 4"): f"ratios of two implementations' times: {_TIMES}",
    (
        SHARING,
        "property (1)",
    ): "orders windows by their sizes: says nothing about an algorithm",
    (SHARING, "Figure 2"): "a drawing of the example of section 3.2.4, which our copy has in words: run by "
    "tests/algorithms/sharing/test_timegram.py, test_the_example_s_buckets",
    (SHARING, "Figure 7"): "a drawing of Example 1), which our copy has in words: run by "
    "tests/algorithms/sharing/test_ordered_sharing.py, test_example_1",
    (SHARING, "Example 1)"): "run by tests/algorithms/sharing/test_ordered_sharing.py, test_example_1",
    (SHARING, "Figure 8"): "a drawing of Example 2), which our copy has in words: run by "
    "tests/algorithms/sharing/test_ordered_sharing.py, test_figure_8_and_the_lookups_of_example_2",
    (SHARING, "Example 2)"): "run by tests/algorithms/sharing/test_ordered_sharing.py, "
    "test_figure_8_and_the_lookups_of_example_2",
}
"""The reason why no claim is about a statement, by paper and statement; it names a test instead, if any."""


def find_rows(claims: Iterable[Claim]) -> dict[tuple[str, str], list[str]]:
    """Return the ids of the claims about each (paper, statement).  Raises KeyError for an unknown statement."""
    found: dict[tuple[str, str], list[str]] = {(paper, said): [] for paper in NUMBERED for said in NUMBERED[paper]}
    for claim in claims:
        if claim.kind not in OF_THE_TEXT:
            for source in claim.source:
                for said in source.statements:
                    found[source.paper, said].append(claim.id)
    return found
