"""Claims about the trees' walks and whole operations, for every size, every min-arity and every monoid.

The runs are in swagproof.proofs.trees.whole.walk_runs and zipper_runs.  A claim about an operation rests on all its
runs, and on `touched`; a mutant must be refuted on obligations that the claim states.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from swagproof.contracts.trees.coins import coins
from swagproof.proofs.engine.obligation import COST, Obligation
from swagproof.proofs.engine.paths import Exploration, Failure
from swagproof.proofs.ledger.claim import OUT_OF_ORDER, Claim, Control, Outcome, cite
from swagproof.proofs.ledger.mutants import Mutant, wrong
from swagproof.proofs.ledger.theorem import conclude, runs_of_columns
from swagproof.proofs.trees.whole.walk_runs import (
    EXECUTES,
    WALKS,
    add_up_repairs,
    count_sizes,
    explore_distances,
    explore_walk,
)
from swagproof.proofs.trees.whole.zipper_runs import OPERATIONS, explore_method, explore_operation, touched
from swagproof.reference.catalogue import B_TREE, FIBA, Column

EVICTS: Final = ("rebalance for evict", "rebalance with a substitute")
AFFECTED: Final[dict[str, tuple[str, ...]]] = {
    "require_time": ("ask",),
    "rebalance_for_insert": ("rebalance for insert",),
    "split": ("rebalance for insert",),
    "height_increase": ("rebalance for insert",),
    "rebalance_for_evict": EVICTS,
    "merge": EVICTS,
    "move": EVICTS,
    "pick_eviction_sibling": EVICTS,
    "height_decrease": EVICTS,
    "evict_inner": ("evict inner",),
    "repair_aggs": ("repair",),
    "local_repair_agg": ("repair",),
    "local_search": ("insert", "evict", "evict inner", *EXECUTES["local_search"]),
    "local_insert_time_and_value": ("insert",),
    "local_evict_time_and_value": ("evict", "evict inner"),
    "set_time_and_value": ("evict inner",),
    "insert": ("insert",),
    "evict": ("evict",),
    "query": ("query",),
}
"""The runs that a change of a method can affect, if not all."""

SCOPE: Final = "every tree that meets the contracts, of every size, height and min-arity mu >= 2; every monoid"
REFUSALS: Final = (
    "that times which do not compare are refused: see fiba/explored and b-tree/explored; what searches, walks and "
    "the inner parts of the steps do is taken from the claims proved-search, proved-walks and proved-parts"
)


COINS: Final = frozenset({"turn_is_paid", "move_is_last"})
REPAIRS: Final = frozenset({"three_a_step", "one_a_level", "one_each_up", "no_flags", "no_flag_below"})
"""Clauses about cost, by name."""


def _is_of_coins(obligation: Obligation) -> bool:
    return obligation.clause in COINS


def _is_of_repairs(obligation: Obligation) -> bool:
    return obligation.place == COST or obligation.clause in REPAIRS


def _is_of_answers(obligation: Obligation) -> bool:
    return not (_is_of_coins(obligation) or _is_of_repairs(obligation))


def _measure() -> Exploration:
    """Explore the distances of entries from the ends, and the total number of computed aggregates."""
    report = Exploration()
    for found in (explore_distances(), count_sizes(), add_up_repairs()):
        report.merge(found)
    return report


def _with_fewer_coins(column: Column, where: str, there: Callable[[Any, Any], Any]) -> Control:
    """Return the control that one coin fewer at some nodes does not pay for the steps."""

    def table(a: Any, mu: Any, root: bool) -> int:
        return coins(a, mu, root) - (1 if there(a, mu) and not root else 0)

    def of_coins(report: Exploration) -> list[Failure]:
        return [failure for failure in report.failures if _is_of_coins(failure.obligation)]

    def check() -> Outcome:
        report = Exploration()
        for run in _rebalancing(column):
            if not of_coins(report):
                report.merge(explore_operation(run, None, lambda now: bool(of_coins(now)), column.algorithm, table))
        return conclude(report, of_coins(report))

    return Control(f"a coin less at {where}", check)


def _explore(
    run: str, mutant: Mutant | None, enough: Callable[[Exploration], bool], algorithm: type[Any]
) -> Exploration:
    """Explore an operation, or a walk."""
    return (explore_walk if run in WALKS else explore_operation)(run, mutant, enough, algorithm)


_RUNS: Final = runs_of_columns(
    FIBA, B_TREE, explore=_explore, names=(*OPERATIONS, *sorted(WALKS)), runs_of={**EXECUTES, **AFFECTED}
)


def claim(
    column: Column,
    name: str,
    *runs: str,
    states: Callable[[Obligation], bool] = _is_of_answers,
    rests_on: Sequence[str] = (),
    **said: Any,
) -> Claim:
    """Return the claim that some runs meet some obligations, resting on all obligations of these and other runs."""
    rests_on = *runs, *rests_on
    return _RUNS[column].claim(f"proved-{name}", states=states, runs=runs, rests_on=rests_on, scope=SCOPE, **said)


def _rebalancing(column: Column) -> tuple[str, ...]:
    return "rebalance for insert", *(EVICTS if column is FIBA else EVICTS[:1])


def _keep_numbers(column: Column) -> Control:
    """Return the control in which entries behind a changed entry keep their numbers."""

    def check() -> Outcome:
        run, enough = partial(touched, renumbers=False), lambda report: bool(report.failures)
        return conclude(explore_method(run, enough=enough, algorithm=column.algorithm))

    return Control("what is behind an entry more keeps its number", check)


_CODE: Final = "reference.trees.fiba.Fiba"
_B_TREE: Final = "reference.trees.b_tree.BTree"
_TREE: Final = "reference.trees.augmented_tree"

walk_claim: Final = partial(claim, states=lambda obligation: True)
"""The claim that some runs meet all their obligations, with those about cost."""

CLAIMS: Final = (
    walk_claim(
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
        code=f"{_CODE}.search_path; {_TREE}.AugmentedTree.search_node, search_down; Node.local_search",
        controls=(Control("below a node are mu^(h + 1) entries", lambda: conclude(count_sizes(0))),),
        lemmas=count_sizes,
    ),
    walk_claim(
        B_TREE,
        "search",
        "search",
        "search down",
        statement="From the root the search for any time ends, at the node that has it, or else at the leaf where it "
        "belongs, visits one node on each level, and changes nothing.",
        source=cite(OUT_OF_ORDER, place="section 3.1", compared="stronger: told in prose"),
        code=f"{_TREE}.AugmentedTree.search_node, search_path, search_down; Node.local_search",
    ),
    walk_claim(
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
            wrong(
                "the oldest is looked for below last children",
                ("oldest", "get_child(0)", "get_child(node.arity - 1)"),
            ),
            wrong("the oldest is the second of its leaf", ("oldest", "node.get_time(0)", "node.get_time(1)")),
            wrong(
                "the youngest is looked for below first children",
                ("youngest", "get_child(node.arity - 1)", "get_child(0)"),
            ),
            wrong(
                "the youngest keeps the value of the first", ("youngest", "get_value(node.arity - 2)", "get_value(0)")
            ),
        ),
    ),
    *(
        walk_claim(
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
    claim(
        FIBA,
        "insert",
        "ask",
        "touched",
        "rebalance for insert",
        "repair",
        "insert",
        statement="From any tree in which arities, heights, contents, parents, spine flags, fingers and every "
        "aggregate are right, insert ends, and leaves one in which they are, with the value at its time, in the order "
        "of time, or combined with the one that was there; rebalancing tells repairAggs of each spine that it touched.",
        source=cite(
            OUT_OF_ORDER,
            "Theorem 3.3",
            "Figure 7",
            place="sections 3.1 to 3.3",
            compared="stronger: each invariant that the answers rest on, kept by the code",
        ),
        code=f"{_CODE}.insert, rebalance_for_insert, repair_aggs, split; FingerNode.local_repair_agg, "
        "local_insert_time_and_value",
        not_covered=REFUSALS,
        controls=(_keep_numbers(FIBA),),
    ),
    claim(
        FIBA,
        "evict",
        "ask",
        "touched",
        *EVICTS,
        "evict inner",
        "repair",
        "evict",
        statement="So does evict, of any time: of an entry of a leaf, of an inner node, by a substitute, or of none.",
        source=cite(
            OUT_OF_ORDER,
            "Theorem 3.3",
            "Figure 7",
            "Figure 8",
            place="sections 3.1 to 3.3, erratum FIBA-3",
            compared="stronger: each invariant that the answers rest on, kept by the code; corrected at l.62",
        ),
        code=f"{_CODE}.evict, rebalance_for_evict, evict_inner, repair_aggs, merge, move, pick_eviction_sibling; "
        "FingerNode.local_search, local_evict_time_and_value, set_time_and_value",
        not_covered=REFUSALS,
    ),
    claim(
        FIBA,
        "query",
        "query",
        statement="In any such tree query returns v_1 ... v_n, with at most two combine calls, and changes nothing.",
        source=cite(
            OUT_OF_ORDER, "Theorem 3.3", "Theorem 3.4", compared="a part: query; stronger: nothing changes, too"
        ),
        code=f"{_CODE}.query",
    ),
    *(
        claim(
            column,
            "rebalancing-cost",
            *_rebalancing(column),
            statement="Each turn of rebalancing is paid with the coins of Lemma C.1 that lie at the nodes that it "
            "touches, a move with one more, after which rebalancing ends. So for every mu >= 2 n operations take at "
            "most 2 n steps: splits, merges, moves and changes of height.",
            source=cite(
                OUT_OF_ORDER,
                "Lemma C.1",
                "Theorem 3.4" if column is FIBA else "Theorem 3.2",
                compared="a part: the steps of rebalancing, amortised, by the code",
            ),
            code=f"{_CODE if column is FIBA else _B_TREE}.rebalance_for_insert, rebalance_for_evict, split, merge, "
            "move",
            controls=(
                _with_fewer_coins(column, "an overflow", lambda a, mu: a == 2 * mu + 1),
                _with_fewer_coins(column, "an underflow", lambda a, mu: a == mu - 1),
                _with_fewer_coins(column, "the least arity", lambda a, mu: a == mu),
            ),
            states=_is_of_coins,
        )
        for column in (FIBA, B_TREE)
    ),
    claim(
        FIBA,
        "repair-cost",
        "rebalance for insert",
        *EVICTS,
        "evict inner",
        "repair",
        statement="An insert or evict with s steps of rebalancing computes at most 3 k + 5 s + 3 aggregates, for some "
        "k with mu^k <= d + 1, the level of the node that has the entry: three for each step; one on each level up "
        "from where that ended to a spine, and one on each level down from there.",
        source=cite(
            OUT_OF_ORDER,
            "Theorem 3.4",
            compared="a part: T_repair; stronger: with constants, for every tree; weaker: with steps counted apart",
        ),
        code=f"{_CODE}.repair_aggs, rebalance_for_insert, rebalance_for_evict, evict_inner, split, merge, move",
        controls=(
            Control("an operation computes one less", lambda: conclude(add_up_repairs(2))),
            Control("all that is below a node is as far", lambda: conclude(explore_distances(own=False))),
        ),
        states=_is_of_repairs,
        lemmas=_measure,
        not_covered="argued: that a step goes up one level at most, and that the leaf a substitute is taken from is on "
        "no higher level than the node that takes it in",
    ),
    claim(
        B_TREE,
        "insert",
        "ask",
        "touched",
        "rebalance for insert",
        "repair",
        "insert",
        statement="From any B-tree in which arities, heights, contents, parents and every aggregate are right, insert "
        "ends, and leaves one in which they are.",
        source=cite(
            OUT_OF_ORDER, "Theorem 3.1", place="its proof", compared="stronger: each invariant that the answer rests on"
        ),
        code=f"{_B_TREE}.insert, rebalance_for_insert, repair_aggs; AugmentedTree.split",
        not_covered=REFUSALS,
        controls=(_keep_numbers(B_TREE),),
    ),
    claim(
        B_TREE,
        "evict",
        "ask",
        "touched",
        "rebalance for evict",
        "evict inner",
        "repair",
        "evict",
        statement="So does evict, of any time: of an entry of a leaf, of an inner node, by a substitute, or of none.",
        source=cite(
            OUT_OF_ORDER, "Theorem 3.1", place="its proof", compared="stronger: each invariant that the answer rests on"
        ),
        code=f"{_B_TREE}.evict, evict_inner, rebalance_for_evict, repair_aggs; AugmentedTree.merge, move, "
        "pick_eviction_sibling",
        not_covered=REFUSALS,
    ),
    claim(
        B_TREE,
        "query",
        "query",
        statement="In any such tree query returns v_1 ... v_n, without a combine call, and changes nothing.",
        source=cite(
            OUT_OF_ORDER, "Theorem 3.1", "Theorem 3.2", compared="a part: query; stronger: nothing changes, too"
        ),
        code=f"{_B_TREE}.query",
    ),
)
