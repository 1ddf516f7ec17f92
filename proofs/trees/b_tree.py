"""Claims about the classic B-tree, and the mutants that the checks must reject."""

from functools import partial
from typing import Final

from swagproof.proofs.ledger.claim import OUT_OF_ORDER, Claim, cite
from swagproof.proofs.ledger.variants import WrongVariants
from swagproof.proofs.operations.history_claims import history_claim
from swagproof.proofs.trees import out_of_order as shared
from swagproof.proofs.trees.out_of_order import HIGH, HIGHER, WIDER, WIDEST, tall_runs
from swagproof.reference.catalogue import B_TREE

WRONG: Final = WrongVariants(
    B_TREE,
    shared=(*shared.SHARED_WRONG, shared.INSERT_REPAIRS_NOTHING, shared.EVICT_REPAIRS_NOTHING, shared.PARENT_NOT),
    table="b-tree",
)
"""Each is killed by the explorer and by a contract."""


claim: Final = partial(shared.claim, B_TREE, WRONG)

CLAIMS: Final[tuple[Claim, ...]] = (
    claim("sizes"),
    claim(
        "contents",
        "the youngest on the right is the substitute",
        "a merge loses the value between the two",
        "a substitute stays in its leaf too",
    ),
    claim(
        "aggregates",
        "repair stops at the parent",
        "ancestors are not repaired",
        "a local insert leaves the up-aggregate",
        "a local evict leaves the up-aggregate",
        "a parent is repaired before its children",
        "rebalancing leaves the parent",
        "no aggregate contains a first child",
        statement="Every node obeys the up-aggregation invariant.",
        source=cite(
            OUT_OF_ORDER,
            "Figure 1",
            place="section 3.1, up-aggregation invariant",
            compared="stronger: every tree within the scope, where the figure shows one",
        ),
    ),
    claim(
        "answer",
        "query clears the root's aggregate",
        "ancestors are not repaired",
        source=cite(OUT_OF_ORDER, "Theorem 3.1", compared="stronger: nothing changes, too"),
    ),
    claim(
        "query-calls",
        "query combines with the identity",
        statement="Query invokes combine never.",
        source=cite(OUT_OF_ORDER, "Theorem 3.2", compared="a part: the combine calls of query; time is not measured"),
    ),
    claim(
        "ranges",
        source=cite(
            OUT_OF_ORDER,
            "Figure 10",
            place="section 2 (erratum FIBA-2)",
            compared="a part: the recursion, on trees without fingers",
        ),
    ),
    shared.space_claim(
        B_TREE, WRONG, "a root without entries stays", "a child that moves from the next stays there, too"
    ),
    claim("refusals"),
    claim(
        "higher",
        "repair stops at the parent",
        "a child that moves from the next keeps its parent",
        "a value that moves from the previous comes last",
        source=cite(
            OUT_OF_ORDER, "Theorem 3.1", place="its proof", compared="stronger: each invariant that the answer rests on"
        ),
        families=tuple(shared.FAMILIES),
        bounds=(WIDER, *HIGH),
        deep=(WIDEST, *HIGHER),
        control_bounds=(*HIGH, *HIGHER),
    ),
    history_claim(
        B_TREE,
        "loses_a_value",
        "swaps_a_duplicate",
        "combines_in_vain",
        source=cite(OUT_OF_ORDER, "Theorem 3.1", compared="an instance: the histories within the scope"),
        longest=7,
        checked=4,
        times=3,
        steps="inserts in the order of time and evicts of the oldest",
    ),
    tall_runs(
        B_TREE,
        WRONG.pick(
            "repair stops at the parent",
            "a child that moves from the next keeps its parent",
            "an overflow of one is ignored",
            "an underflow of one is ignored",
            "a child that moves from the next stays there, too",
            "children that a split moves keep their parent",
            "a sibling that gives a child loses all of them",
        ),
    ),
)
