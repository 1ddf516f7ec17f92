"""Claims about searches and range queries in the trees, for every size, every min-arity and every monoid.

The runs are in swagproof.proofs.trees.whole.walk_runs.
"""

from functools import partial
from typing import Final

from swagproof.proofs.ledger.claim import OUT_OF_ORDER, Control, cite
from swagproof.proofs.ledger.mutants import wrong
from swagproof.proofs.ledger.theorem import conclude
from swagproof.proofs.trees.whole import whole_trees
from swagproof.proofs.trees.whole.walk_runs import count_sizes
from swagproof.reference.catalogue import B_TREE, FIBA

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

claim: Final = partial(whole_trees.claim, states=lambda obligation: True)
"""The claim that some runs meet all their obligations, with those about cost."""

_FIBA: Final = "reference.trees.fiba.Fiba"
_TREE: Final = "reference.trees.augmented_tree"

CLAIMS: Final = (
    claim(
        FIBA,
        "search",
        "search",
        "search down",
        statement="From the fingers the search for any time ends, at the node that has it, or else at the leaf where "
        "it belongs, and changes nothing. It visits at most 3 (k + 1) nodes, for some k with mu^k <= d + 1: where it "
        "goes up to level k, mu^k - 1 entries at least are before the time, and as many behind it.",
        source=cite(
            OUT_OF_ORDER,
            "Theorem 3.4",
            place="section 3.2",
            compared="a part: T_search in O(log d); stronger: with its constant, for every tree",
        ),
        code=f"{_FIBA}.search_path; {_TREE}.AugmentedTree.search_node, search_down; Node.local_search",
        controls=(Control("below a node are mu^(h + 1) entries", lambda: conclude(count_sizes(0))),),
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
        ),
    ),
    *(
        claim(
            column,
            "range-query",
            "range",
            "common ancestor",
            "recursion",
            statement="From any tree in which all is right, and for any two times, rangeQuery returns the product of "
            "the entries with t_from <= t <= t_to, the identity when there is none, and changes nothing. Of any two "
            "nodes leastCommonAncestor finds the lowest that has both below it or is one of them; of any node, and any "
            "range, with ends that are times, before all or behind all, queryRec returns the product of the entries in "
            "the range below the node: by induction on height.",
            source=cite(
                OUT_OF_ORDER,
                "Theorem 4.1",
                "Figure 10",
                place="errata FIBA-2, FIBA-4",
                compared="stronger: for every tree, and ranges that end before they begin; corrected at l.20",
            ),
            code=f"{_TREE}.AugmentedTree.range_query, search_node, least_common_ancestor, query_rec",
            rests_on=("search", "search down"),
            not_covered="how many nodes leastCommonAncestor visits, and how many calls of queryRec there are",
        )
        for column in (FIBA, B_TREE)
    ),
)
