"""Proofs about FlatFAT for every n = 2^k, and the mutants that the proofs must reject.

The reference's own methods are run symbolically (swagproof.proofs.flat_trees.array_runs), with their loops cut at the
invariants in proofs/lemmas/flat_fat_loops.py.  A claim fails if any obligation of any operation fails, or any lemma
that it rests on; a control must be refuted, with a counterexample, on the claim's own obligations.
"""

from functools import cache, partial
from typing import Any, Final

from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import AnyOperation
from swagproof.proofs.flat_trees import complete_trees
from swagproof.proofs.flat_trees.array_runs import (
    OPERATIONS,
    FlatFatOperation,
    FlatFatRun,
    explore_operation,
    new_filled,
    products,
)
from swagproof.proofs.flat_trees.complete_trees import LEMMAS, CompleteTree, lemma, prove
from swagproof.proofs.ledger.claim import GENERAL, Claim, Control, cite, code_of
from swagproof.proofs.ledger.mutants import Mutants, algorithm_of
from swagproof.proofs.ledger.theorem import Families, ProvedRuns
from swagproof.reference.catalogue import FLAT_FAT

ANY_OPERATOR: Final = "every operator, associative or not; every n = 2^k and set of places written"
ANY_MONOID: Final = "every associative operator; every n = 2^k and place"

WRONG: Final = Mutants(FLAT_FAT, table="flat-fat", section="every height")
"""The mutants of these proofs, besides those of swagproof.proofs.flat_trees.flat_fat."""


LEVELS: Final = frozenset(
    {"levels", "of_lowest_level", "told_so_far", "one_each"}
    | {"of_level", "sums_so_far", "sums_above", "at_most_m", "W is within its level", "stays", "W is all of its level"}
    | {"of_their_levels", "sums_but_rest", "sums_above_but_next", "one_parent_each", "children_stay"}
)
CALLS: Final = frozenset({"new_calls_by_level", "update_calls_by_level", "one_call_each", "no_calls"})
_CLAUSES: Final[dict[str, frozenset[str]]] = {
    "new calls": frozenset({"new calls", *CALLS}),
    "filled calls": frozenset(
        {"filled_calls", "filled_leaves", "bottoms_below", "fewer_nodes"}
        | {"bottoms_but_rest", "one_call_a_pair", "no_calls"}
    ),
    "update calls": frozenset(
        {"update calls, split at any level s", "Theorem 4.2 (ii), t = s", "update of nothing", *CALLS}
    ),
    "query calls": frozenset({"query calls", "one_call_a_level"}),
    "levels": LEVELS,
    "answer": frozenset(
        {"answer", "node", "prefix_below", "suffix_below", "combine joins neighbours, older on the left"}
        | {"the array has this slot"}
    ),
    "termination": frozenset({"loop variant falls", "levels", "of_level"}),
    "refused": frozenset(
        {
            "IndexError is raised",
            "a bad location is refused",
            "a bad number of values is refused",
            "bad_to_come",
            "twin_seen",
            "nothing has changed",
        }
        | {"nothing_written"}
        | {"the array has this slot"}
    ),
}
FAMILIES: Final = Families(_CLAUSES, rest="equation", also=("levels", "termination"))
"""Families of obligations, by the stated property."""
EQUATION_4_2: Final = (*LEMMAS, partial(products, False, True))
"""The lemmas, and the derivation of equation 4.2 from 4.1."""
RUNS: Final = ProvedRuns[FlatFatOperation](
    algorithm=FLAT_FAT.name,
    slug=FLAT_FAT.slug,
    explore=lambda operation, mutant, enough: explore_operation(algorithm_of(FLAT_FAT, mutant), operation, enough),
    names=OPERATIONS,
    runs_of={operation: (operation,) for operation in OPERATIONS},
    lemmas=cache(partial(lemma, *EQUATION_4_2)),
)


def claim(name: str, family: str, *, operations: tuple[FlatFatOperation, ...], **said: Any) -> Claim:
    """Return the claim that some operations meet a family's obligations, resting on all obligations and the lemmas."""
    code = code_of(FLAT_FAT.algorithm, *dict.fromkeys(operation.split()[0] for operation in operations))
    return RUNS.claim(f"proved-{name}", states=FAMILIES.of(family), runs=operations, code=code, **said)


def mirrored_facts(tree: CompleteTree, v: Integer) -> dict[str, Truth]:
    """Return the facts about a node with left and right exchanged."""
    inner = z3.And(1 <= v, v < tree.leaves)
    return {"neighbours": z3.Implies(inner, tree.first(2 * v) == tree.last(2 * v + 1) + 1)}


def late_facts(tree: CompleteTree, v: Integer) -> dict[str, Truth]:
    """Return the facts about a node with the root a level too high."""
    return {"root": z3.Implies(tree.is_node(v), (tree.level(v) == tree.height + 1) == (v == 1))}


CLAIMS: Final[tuple[Claim, ...]] = (
    claim(
        "equation-4.1",
        "equation",
        statement="new and update leave T(v) = T(left(v)) ⊕ T(right(v)) at every inner node, the values written at "
        "their leaves, all other leaves as they were; each array access finds a written node.",
        source=cite(
            GENERAL,
            "equation 4.1",
            "Algorithm 1",
            "Algorithm 2",
            compared="stronger: every operator, associative or not",
        ),
        operations=("new", "update"),
        scope=ANY_OPERATOR,
        not_covered="__init__: that it refuses a number of values that is no power of two, and else calls new and "
        "nothing more",
    ),
    claim(
        "change-propagation",
        "levels",
        statement="When a level has been rewritten, equation 4.1 fails at most at the nodes W_{l+1} scheduled for the "
        "next.",
        source=cite(GENERAL, place="section 4.2.2"),
        operations=("update",),
        scope=ANY_OPERATOR,
    ),
    Claim(
        id="flat-fat/proved-equation-4.2",
        statement="If equation 4.1 holds everywhere, T(v) = a[j] ⊕ ... ⊕ a[k] for the leaves j .. k below v.",
        source=cite(GENERAL, "equation 4.2", compared="as printed"),
        algorithm=FLAT_FAT.name,
        kind="proved",
        engine="induction on levels, Z3",
        scope=ANY_MONOID,
        code="equation 4.1, as shown of reference.flat_trees.flat_fat.FlatFat",
        check=partial(prove, *EQUATION_4_2),
        controls=(Control("the children's aggregates swapped", lambda: prove(partial(products, True, True))),),
    ),
    Claim(
        id="flat-fat/proved-shape",
        statement="In the numbering of section 4.3 level l has the n/2^l nodes n/2^l .. n/2^(l-1) - 1, each of 2^l "
        "neighbouring leaves, those of the left child before those of the right; a set of them has at most n/2^l "
        "members.",
        source=cite(
            GENERAL,
            "Figure 3",
            place="section 4.3",
            compared="stronger: every n = 2^k, where the figure shows 8 leaves",
        ),
        algorithm=FLAT_FAT.name,
        kind="proved",
        engine="induction, Z3",
        scope="every n = 2^k",
        code="what the runs of reference.flat_trees.flat_fat.FlatFat are told of nodes and sets",
        check=partial(prove, *LEMMAS),
        controls=(
            Control(
                "the right child's leaves first", lambda: prove(partial(complete_trees.facts_hold, mirrored_facts))
            ),
            Control("the root a level too high", lambda: prove(partial(complete_trees.facts_hold, late_facts))),
            Control(
                "counted without taking one away",
                lambda: prove(partial(complete_trees.pigeonhole_step, lambda members, b: members)),
            ),
        ),
    ),
    claim(
        "new-calls",
        "new calls",
        statement="new makes n - 1 calls: n/2^l on level l.",
        source=cite(GENERAL, "Theorem 4.2", place="(i)", compared="a part: new"),
        operations=("new",),
        scope=ANY_OPERATOR,
    ),
    claim(
        "filled-calls",
        "filled calls",
        statement="Where the first m places hold elements and the others ⊥, for which WithBottom does not call the "
        "operator, new makes less than m calls of it, none for m = 0: so many a resize of the Reactive Aggregator "
        "makes.",
        source=cite(GENERAL, place="section 5.1.1; the bound is ours"),
        operations=("new filled",),
        controls=(
            Control(
                "the operator is called for ⊥, too",
                lambda: prove(partial(new_filled, FLAT_FAT.algorithm, operation=AnyOperation)),
            ),
            Control(
                "of as many filled places, one call more",
                lambda: prove(partial(new_filled, FLAT_FAT.algorithm, besides=1)),
            ),
        ),
        scope="every operator, associative or not; every n = 2^k and m in 0 .. n",
    ),
    claim(
        "claim-4.3",
        "levels",
        statement="|W_l| <= min(m, n/2^l): each level's work is a set of its nodes, at most one for each change.",
        source=cite(GENERAL, "Claim 4.3", compared="as printed"),
        operations=("update",),
        scope=ANY_OPERATOR,
    ),
    claim(
        "update-calls",
        "update calls",
        statement="update of m places makes at most m s + n/2^s - 1 calls, for each s in 0 .. log2 n; with s = "
        "ceil(log2(n/m)), m >= 1, fewer than m (1 + ceil(log2(n/m))); none for m = 0.",
        source=cite(
            GENERAL, "Theorem 4.2", "equation 4.3", place="(ii)", compared="a part: update; stronger: fewer by one"
        ),
        operations=("update",),
        scope=ANY_OPERATOR,
        not_covered="that the bound for the best s is reached: see the exhaustive rows",
    ),
    claim(
        "answer",
        "answer",
        statement="prefix(i) = a[1] ⊕ ... ⊕ a[i], suffix(j) = a[j] ⊕ ... ⊕ a[n], aggregate() = a[1] ⊕ ... ⊕ a[n]; "
        "combine joins neighbours; nothing changes.",
        source=cite(GENERAL, "Algorithm 3", place="section 4.2.3", compared="stronger: nothing changes, too"),
        operations=("prefix", "suffix", "aggregate", "a"),
        scope=ANY_MONOID,
    ),
    claim(
        "query-calls",
        "query calls",
        statement="prefix and suffix make at most log2 n calls, aggregate none.",
        source=cite(GENERAL, "Theorem 4.2", place="(iii)", compared="a part: prefix, suffix and aggregate"),
        operations=("prefix", "suffix", "aggregate", "a"),
        scope=ANY_MONOID,
    ),
    claim(
        "ends",
        "termination",
        statement="Every loop ends: each turn works on the level above the turn before, and there is none above the "
        "root's.",
        source=cite(
            GENERAL,
            "Algorithm 1",
            "Algorithm 2",
            "Algorithm 3",
            compared="stronger: the paper leaves unsaid that they end",
        ),
        operations=("new", "update", "prefix", "suffix"),
        scope=ANY_OPERATOR,
    ),
    claim(
        "refused",
        "refused",
        statement="A number of values that is no power of two is refused; prefix and suffix of a place outside 1 .. n "
        "raise IndexError; changes with such a place, or with two of one place, are refused when update looks at them, "
        "and nothing has been written then.",
        source=cite(GENERAL, place="silent; decided here"),
        operations=("new refused", "update refused", "place refused"),
        scope=ANY_OPERATOR,
        not_covered="which of the two errors, where changes are bad in both ways",
    ),
    RUNS.every_branch_reached(
        FlatFatRun,
        partial(algorithm_of, FLAT_FAT),
        source=cite(GENERAL, place="what the proofs cover"),
        scope="every n = 2^k",
        code=code_of(FLAT_FAT.algorithm),
    ),
)
