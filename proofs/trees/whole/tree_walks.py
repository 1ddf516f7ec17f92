"""Walks in the trees, for every size, every min-arity and every monoid: what is proved of searches and range queries.

The runs are in swagproof.proofs.trees.whole.walk_runs.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, Final

from swagproof.proofs.engine.obligation import COST, Obligation
from swagproof.proofs.engine.paths import Exploration
from swagproof.proofs.ledger.claim import OUT_OF_ORDER, Claim, Control, Source, cite
from swagproof.proofs.ledger.theorem import Theorem, conclude
from swagproof.proofs.ledger.variants import Variant, WrongVariants, mutants_of, wrong
from swagproof.proofs.trees import fiba, searches
from swagproof.proofs.trees import out_of_order as shared
from swagproof.proofs.trees.whole.range_runs import explore_reference
from swagproof.proofs.trees.whole.walk_runs import EXECUTES, WalkName, count_sizes, explore_walk
from swagproof.reference.catalogue import B_TREE, FIBA, Column

WRONG: Final = WrongVariants(FIBA, table="fiba", section="walks")
"""Mutants of these proofs' own."""
_FIRST: Final = "get_child(0)"
ENDS: Final = {
    "oldest": (
        wrong("the oldest is looked for below last children", ("oldest", _FIRST, "get_child(node.arity - 1)")),
        wrong("the oldest is the second of its leaf", ("oldest", "node.get_time(0)", "node.get_time(1)")),
    ),
    "youngest": (
        wrong(
            "the youngest is looked for below first children", ("youngest", "get_child(node.arity - 1)", "get_child(0)")
        ),
        wrong("the youngest keeps the value of the first", ("youngest", "get_value(node.arity - 2)", "get_value(0)")),
    ),
}

SCOPE: Final = "every tree that meets the contracts, of every size, height and min-arity mu >= 2; every monoid"
VISITS: Final = frozenset({"far_from_the_ends", "visits_up", "visits_down"})
"""Clauses about cost, by name."""


def _is_cost(obligation: Obligation) -> bool:
    return obligation.place == COST or obligation.clause in VISITS


@cache
def _explore_reference(algorithm: type[Any], walk: WalkName) -> Exploration:
    return explore_walk(walk, algorithm=algorithm)


def _run(
    algorithm: type[Any], walk: WalkName, variant: Variant | None, enough: Callable[[Exploration], bool]
) -> Exploration:
    if variant is None:
        return _explore_reference(algorithm, walk)  # type: ignore[arg-type]  # a class is hashable
    return explore_walk(walk, variant, enough, algorithm)


def _can_differ(variant: Variant, walk: WalkName) -> bool:
    """Return whether a variant is of this walk: `oldest` and `youngest` are functions, and have their own."""
    ends = [end for end, variants in ENDS.items() if variant in variants]
    methods = {edit.method for edit in variant.edits}
    return (
        walk in ends if ends else walk not in ENDS and any(walk in EXECUTES.get(method, (walk,)) for method in methods)
    )


def claim(
    column: Column,
    name: str,
    *walks: WalkName,
    statement: str,
    source: Source,
    code: str,
    controls: Sequence[Variant | Control],
    states: Callable[[Obligation], bool] = lambda obligation: not _is_cost(obligation),
    rests_on: Sequence[WalkName] = (),
    lemmas: Callable[[], Exploration] = Exploration,
    not_covered: str = "",
) -> Claim:
    """A claim that states some obligations of some walks."""
    proof = Theorem(
        explore=partial(_run, column.algorithm),
        states=states,
        runs=walks,
        rests_on=(*walks, *rests_on),
        lemmas=lemmas,
        affected=lambda variant: [walk for walk in walks if _can_differ(variant, walk)],
    )
    return proof.claim(
        id=f"{column.slug}/proved-{name}",
        statement=statement,
        source=source,
        algorithm=column.name,
        scope=SCOPE,
        code=code,
        controls=controls,
        not_covered=not_covered,
    )


_FIBA: Final = "reference.trees.fiba.Fiba"
_TREE: Final = "reference.trees.augmented_tree"
_DOWN: Final = WRONG.pick(
    "the search goes down a first child",
    "the search stops above the leaves",
    "the search goes on below the entry",
    "the first entry that is not before is found",
)
ALONE: Final = mutants_of("fiba", "walks, for one claim")
"""Each is for one claim alone."""
_RANGES: Final = WRONG.pick(
    "the search for both ends is one",
    "only one end of a range is compared",
    "the ends of a range are not compared",
    "the begin of a range is not compared",
    "a range is turned round",
    "a range is looked for below the node of its end",
)

CLAIMS: Final = (
    claim(
        FIBA,
        "search",
        "search",
        "search down",
        statement="From the fingers the search for any time ends, at the node that has it, or else at the leaf where "
        "it belongs, and changes nothing.",
        source=cite(OUT_OF_ORDER, place="section 3.2", compared="stronger: told in prose"),
        code=f"{_FIBA}.search_path; {_TREE}.AugmentedTree.search_node, search_down; Node.local_search",
        controls=(
            *fiba.WRONG.pick(
                "the left climb stops short of the parent's last time", "the right climb stops below an equal time"
            ),
            *WRONG.pick(
                "the search goes on from the wrong side",
                "the climbs change sides",
                "the left climbs faster",
                "the search tells of a node and takes another",
                "the search tells of nothing",
                "a search makes what it finds the root",
                "a search moves a finger",
            ),
            *_DOWN,
        ),
    ),
    claim(
        FIBA,
        "search-cost",
        "search",
        "search down",
        statement="A search visits at most 3 (k + 1) nodes, for some k with mu^k <= d + 1: where it goes up to level "
        "k, mu^k - 1 entries at least are before the time, and as many behind it.",
        source=cite(
            OUT_OF_ORDER,
            "Theorem 3.4",
            compared="a part: T_search in O(log d); stronger: with its constant, for every tree",
        ),
        code=f"{_FIBA}.search_path; {_TREE}.AugmentedTree.search_down",
        controls=(
            *searches.WRONG.pick("the search begins at the root", "the search climbs from the left finger only"),
            WRONG.get("the search visits each node below twice"),
            Control("below a node are mu^(h + 1) entries", lambda: conclude(count_sizes(0))),
        ),
        states=_is_cost,
        lemmas=count_sizes,
    ),
    claim(
        B_TREE,
        "search",
        "search",
        "search down",
        statement="From the root the search for any time ends, at the node that has it, or else at the leaf where it "
        "belongs, visits one node on each level, and changes nothing.",
        source=cite(OUT_OF_ORDER, place="section 3.1", compared="stronger: told in prose"),
        code=f"{_TREE}.AugmentedTree.search_node, search_path, search_down; Node.local_search",
        controls=(
            *_DOWN,
            WRONG.get("the search visits each node below twice"),
            ALONE["a search from the root tells of nothing"],
        ),
        states=lambda obligation: True,
    ),
    claim(
        FIBA,
        "walks",
        "oldest",
        "youngest",
        "above",
        statement="oldest and youngest find the leaf below any node that has the first entry below it, or the last, "
        "and its time and value; isDescendent says whether a node is at or above another, of two on one way up.",
        source=cite(OUT_OF_ORDER, "Figure 8", compared="a part: what it calls"),
        code=f"{_TREE}.oldest, youngest; Node.is_descendent",
        controls=(
            *ENDS["oldest"],
            *ENDS["youngest"],
            *WRONG.pick("a node is no descendent of itself", "an ancestor is looked for one level up only"),
        ),
    ),
    claim(
        FIBA,
        "common-ancestor",
        "common ancestor",
        statement="Of any two nodes leastCommonAncestor finds one that has both below it or is one of them, and of "
        "these the lowest.",
        source=cite(OUT_OF_ORDER, "Figure 10", compared="a part: what it calls"),
        code=f"{_TREE}.AugmentedTree.least_common_ancestor",
        controls=(
            shared.SHARED_WRONG.get("a range is looked for below its first node"),
            *WRONG.pick(
                "the climbs do not take turns",
                "the climbs do not note where they were",
                "the climbs begin above the nodes",
                "the climbs make a node the root",
            ),
        ),
        states=lambda obligation: True,
        not_covered="how many nodes it visits",
    ),
    *(
        claim(
            column,
            "range-query",
            "range",
            statement="From any tree in which all is right, and for any two times, rangeQuery returns the product of "
            "the entries with t_from <= t <= t_to, the identity when there is none, and changes nothing.",
            source=cite(
                OUT_OF_ORDER,
                "Theorem 4.1",
                "Figure 10",
                place="errata FIBA-2, FIBA-4",
                compared="stronger: for every tree, and ranges that end before they begin; corrected at l.20",
            ),
            code=f"{_TREE}.AugmentedTree.range_query, search_node, least_common_ancestor, query_rec",
            controls=_RANGES,
            rests_on=("search", "search down", "common ancestor"),
            lemmas=partial(explore_reference, column.algorithm),  # type: ignore[arg-type]  # a class is hashable
        )
        for column in (FIBA, B_TREE)
    ),
)
