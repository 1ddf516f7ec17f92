"""FiBA's rebalancing steps, and their inner parts, for every min-arity, every arity and every monoid.

The steps are those of `reference/trees/augmented_tree.py` and `reference/trees/fiba.py`, run by
swagproof.proofs.trees.step_runs.  Each is a local lemma: if the nodes that a step touches meet the clauses before it,
they meet them after it.
swagproof.proofs.trees.whole.whole_trees proves that operations take the steps only where these lemmas apply, and repair
the aggregates that steps leave stale.
"""

from collections.abc import Sequence
from functools import cache, partial
from typing import Any, Final

from swagproof.proofs.engine.paths import Exploration, explore
from swagproof.proofs.ledger.claim import OUT_OF_ORDER, Claim, Control, Outcome, cite
from swagproof.proofs.ledger.mutants import Mutant, wrong
from swagproof.proofs.ledger.theorem import ENGINE, conclude_coverage, runs_of_columns
from swagproof.proofs.trees.runnable import make_runnable
from swagproof.proofs.trees.step_runs import (
    LISTS,
    PARTS,
    RUNS,
    STEPS,
    bounds_increase,
    explore_step,
)
from swagproof.reference.catalogue import B_TREE, FIBA, Column
from swagproof.reference.trees.fiba import Fiba

SCOPE: Final = "every min-arity mu >= 2, every arity, place, height and monoid"


STEPS_OF: Final[dict[str, tuple[str, ...]]] = {
    "__init__": ("start",),
    "split": ("split",),
    "split_off": ("split", "split_off"),
    "merge": ("merge",),
    "absorb_next": ("merge", "absorb_next"),
    "move": ("move",),
    "take_from_next": ("move", "take_from_next"),
    "take_from_previous": ("move", "take_from_previous"),
    "height_increase": ("height increase",),
    "height_decrease": ("height decrease",),
    "pick_eviction_sibling": ("merge", "move"),
    "query_rec": ("recursion",),
}
"""The runs that a change of a method can affect, if not all."""


_RUNS: Final = runs_of_columns(
    FIBA, B_TREE, explore=explore_step, names=RUNS, runs_of=STEPS_OF, lemmas=cache(partial(explore, bounds_increase))
)


def claim(column: Column, name: str, *steps: str, **said: Any) -> Claim:
    """Return the claim that some steps meet all their obligations, resting on the lemma about bounds."""
    return _RUNS[column].claim(f"proved-{name}", runs=steps, rests_on=steps, scope=SCOPE, **said)


def check_branches(mutant: Mutant | None = None, steps: Sequence[str] = STEPS) -> Outcome:
    """Return whether the runs see both outcomes of each condition."""
    report = Exploration()
    for step in steps:
        report.merge(_RUNS[FIBA].run(step, mutant))
    return conclude_coverage(report, make_runnable(Fiba, mutant, LISTS).conditions)


_TREE: Final = "reference.trees.augmented_tree"
_FIBA: Final = "reference.trees.fiba"

CLAIMS: Final[tuple[Claim, ...]] = (
    claim(
        FIBA,
        "local-repair",
        "repair",
        statement="localRepairAgg computes the aggregate for the node's position, up, inner, left or right, from its "
        "entries and the aggregates next to it, with at most 2a combine calls at a node of arity a, and changes "
        "nothing else.",
        source=cite(
            OUT_OF_ORDER,
            "Figure 2",
            place="section 3.2, aggregation invariants",
            compared="stronger: that the code computes them, and changes nothing else",
        ),
        code=f"{_FIBA}.FingerNode.local_repair_agg, {_TREE}.Node.product_of_parts",
        not_covered="which nodes are repaired, and in which order: see fiba/proved-insert and fiba/proved-evict",
    ),
    claim(
        FIBA,
        "steps",
        *STEPS[1:],
        statement="A split makes nodes of arity mu + 1 and mu of one of 2 mu + 1, neighbours below its parent, which "
        "gains one. A merge makes one node of arity 2 mu - 1 of neighbours of arity mu - 1 and mu, on either side, and "
        "the entry between them; their parent loses one. A move from a sibling of arity a' > mu, on either side, "
        "leaves arities mu and a' - 1 >= mu. An underflow is mended with the next sibling, by the last child with the "
        "one before it. A height increase puts a root of arity 1 above the old one; a height decrease takes one away. "
        "Entries stay in their order; each child's parent is the node that points to it; nodes touched that are "
        "neither the root nor on a spine store the product of all below them, if their children did before; spine "
        "flags and fingers are right; and all that a step does not name stays.",
        source=cite(
            OUT_OF_ORDER,
            "Lemma C.1",
            place="sections 3.2 and 3.3",
            compared="a part: what one step does to arities; stronger: entries, parents, aggregates and spines, too",
        ),
        code=f"{_FIBA}.Fiba.split, merge, height_increase, height_decrease; {_TREE}.AugmentedTree.move, "
        f"pick_eviction_sibling, repair_up; {_TREE}.Node.split_off, absorb_next, take_from_next, take_from_previous; "
        f"{_FIBA}.FingerNode",
        not_covered="how steps are taken one after another, and aggregates on spines after a step: see "
        "fiba/proved-insert and fiba/proved-evict",
    ),
    claim(
        B_TREE,
        "steps",
        *STEPS,
        statement="In the classic B-tree a split, a merge, a move and a change of height leave the arities of Lemma "
        "C.1, the entries in their order, each child's parent and, at every node touched, the product of all below it; "
        "what they do not name stays.",
        source=cite(
            OUT_OF_ORDER,
            "Lemma C.1",
            place="section 3.1",
            compared="a part: what one step does to arities; stronger: entries, parents and aggregates, too",
        ),
        code=f"{_TREE}.AugmentedTree.split, merge, move, height_increase, height_decrease, pick_eviction_sibling; Node",
        controls=(wrong("a root has a node above", ("is_root", "is None", "is not None"), part="Node"),),
        not_covered="that steps are taken one after another, from a node up, which whole operations do: see "
        "b-tree/proved-insert and b-tree/proved-evict; a height increase leaves the aggregate of the new root to the "
        "split that follows it",
    ),
    *(
        claim(
            column,
            "parts",
            *PARTS,
            statement="A new tree is an empty leaf, of min-arity mu and max-arity 2 mu. splitOff, absorbNext, "
            "takeFromNext and takeFromPrevious, the changes of height and the product of a node's parts do, at nodes "
            "of any arity, what the proofs of insert and evict take of them: clause by clause, what is shown of the "
            "code here is what is assumed there.",
            source=cite(OUT_OF_ORDER, place="section 3.3, of which it shows no code"),
            code="reference.trees.augmented_tree.AugmentedTree.__init__; Node.split_off, absorb_next, take_from_next, "
            "take_from_previous, product_of_parts; AugmentedTree.height_increase, height_decrease"
            + ("; reference.trees.fiba" if column is FIBA else ""),
            not_covered=f"the parents of children, whole entries and the frame: see {column.slug}/proved-steps",
        )
        for column in (FIBA, B_TREE)
    ),
    Claim(
        id="fiba/proved-step-branches",
        statement="The proofs reach both outcomes of every condition of the steps, and of every loop a turn and the "
        "end.",
        source=cite(OUT_OF_ORDER, place="what the proofs cover"),
        algorithm=FIBA.name,
        kind="proved",
        engine=ENGINE,
        scope=SCOPE,
        code=f"what the rows before name of {_TREE} and {_FIBA}",
        check=check_branches,
        controls=(
            Control(
                "without the runs of move", partial(check_branches, steps=[step for step in STEPS if step != "move"])
            ),
        ),
    ),
)
