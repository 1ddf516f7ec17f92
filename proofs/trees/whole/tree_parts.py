"""The inner parts of the steps, for every arity: what whole operations take of them is what they do.

The runs are in swagproof.proofs.trees.whole.part_runs.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from swagproof.contracts.trees import parts
from swagproof.proofs.engine.paths import Exploration, explore
from swagproof.proofs.ledger.claim import OUT_OF_ORDER, Claim, cite
from swagproof.proofs.ledger.theorem import Theorem
from swagproof.proofs.ledger.variants import Variant, mutants_of
from swagproof.proofs.trees import fiba, steps
from swagproof.proofs.trees import out_of_order as shared
from swagproof.proofs.trees.step_runs import bounds_increase
from swagproof.proofs.trees.whole.part_runs import PARTS, Part, explore_part
from swagproof.reference.catalogue import B_TREE, FIBA, Column

OWN: Final = frozenset(
    clause.__name__
    for clause in (
        parts.new_tree,
        *parts.SPLIT_OFF,
        *parts.ABSORB_NEXT,
        *parts.TAKE_FROM_NEXT,
        *parts.TAKE_FROM_PREVIOUS,
        parts.product_of_all,
        parts.raised_root,
        parts.lowered_root,
    )
) | {"a new tree keeps its operator, its bounds and one node"}
"""The obligations of the claim."""

METHODS: Final = {"start": "__init__"}
"""Parts by another name than that of the method."""

WRONG: Final = tuple(mutants_of("fiba", "parts").values())
SHARED: Final = (
    *WRONG,
    *steps.WRONG.pick(
        "a split leaves the entry that goes up",
        "a move leaves the parent its entry",
        "a move from the previous puts the child last",
    ),
    shared.SHARED_WRONG.get("a child that moves from the next stays there, too"),
)
SPINES: Final = (
    *steps.WRONG.pick("a split of an inner node begins the left spine twice"),
    *fiba.WRONG.pick(
        "a merge ends the right spine",
        "a height increase begins the left spine only",
        "a height decrease leaves the root on the spines",
    ),
)


def _run(
    algorithm: type[Any], part: Part, variant: Variant | None, enough: Callable[[Exploration], bool]
) -> Exploration:
    return explore_part(part, variant, enough, algorithm)


def claim(column: Column, controls: Sequence[Variant]) -> Claim:
    """Return what each part does."""
    proof = Theorem(
        explore=partial(_run, column.algorithm),
        states=OWN.__contains__,
        runs=PARTS,
        rests_on=PARTS,
        lemmas=partial(explore, bounds_increase),
        affected=lambda variant: [
            part for part in PARTS if METHODS.get(part, part) in {edit.method for edit in variant.edits}
        ],
    )
    return proof.claim(
        id=f"{column.slug}/proved-parts",
        statement="A new tree is an empty leaf, of min-arity mu and max-arity 2 mu. splitOff, absorbNext, takeFromNext "
        "and takeFromPrevious, the changes of height and the product of a node's parts do, at nodes of any arity, "
        "what the proofs of insert and evict take of them: clause by clause, what is shown of the code here is what is "
        "assumed there.",
        source=cite(OUT_OF_ORDER, place="section 3.3, of which it shows no code"),
        algorithm=column.name,
        scope="every min-arity mu >= 2, every arity, place, height and monoid",
        code="reference.trees.augmented_tree.AugmentedTree.__init__; Node.split_off, absorb_next, take_from_next, "
        "take_from_previous, product_of_parts; AugmentedTree.height_increase, height_decrease"
        + ("; reference.trees.fiba" if column is FIBA else ""),
        controls=controls,
        not_covered="the parents of children, whole entries and the frame: see fiba/proved-split and those that "
        "follow, and b-tree/proved-steps",
    )


CLAIMS: Final = (claim(FIBA, (*SHARED, *SPINES)), claim(B_TREE, SHARED))
