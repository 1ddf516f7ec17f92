"""FiBA's rebalancing steps for every min-arity, every arity and every monoid: what is proved of each.

The steps are those of `reference/trees/augmented_tree.py` and `reference/trees/fiba.py`, run by
swagproof.proofs.trees.step_runs. Each is a local lemma: the nodes that a step touches are in order before it, and are
in order after it.  That operations take the steps where these lemmas may be used, and repair what a step leaves to
them, is for the explorer.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, Final

from swagproof.proofs.engine.obligation import Obligation
from swagproof.proofs.engine.paths import Exploration, explore
from swagproof.proofs.ledger.claim import OUT_OF_ORDER, Claim, Control, Outcome, Source, cite
from swagproof.proofs.ledger.theorem import ENGINE, Theorem, conclude_coverage
from swagproof.proofs.ledger.variants import Variant, WrongVariants, mutants_of, wrong
from swagproof.proofs.trees import b_tree, fiba
from swagproof.proofs.trees import out_of_order as shared
from swagproof.proofs.trees.step_runs import STEPS, TreeStep, bounds_increase, explore_step, make_runnable
from swagproof.reference.catalogue import B_TREE, FIBA, Column
from swagproof.reference.trees.fiba import Fiba

SCOPE: Final = "every min-arity mu >= 2, every arity, place, height and monoid"
NOT_COVERED: Final = (
    "how steps are taken one after another, and aggregates on spines after a step: see fiba/proved-insert and "
    "fiba/proved-evict; the search: see fiba/proved-search"
)

# Mutants of these proofs' own

WRONG: Final = WrongVariants(FIBA, table="fiba", section="steps")
"""Mutants of these proofs' own that answers or clauses of the explorer show."""
ALONE: Final = mutants_of("fiba", "steps, for one claim")
"""Each is for one claim alone."""


OUT_OF_FRAME: Final = WrongVariants(FIBA, table="fiba", section="out of the frame")
"""Steps that do what they must, and something besides: no other row of these proofs tells."""


STEPS_OF: Final[dict[str, tuple[TreeStep, ...]]] = {
    "split": ("split",),
    "split_off": ("split",),
    "merge": ("merge",),
    "absorb_next": ("merge",),
    "move": ("move",),
    "take_from_next": ("move",),
    "take_from_previous": ("move",),
    "height_increase": ("height increase",),
    "height_decrease": ("height decrease",),
    "pick_eviction_sibling": ("merge", "move"),
}
"""The steps that a change of a method can make a difference to, where that is not all."""

FAMILIES: Final[dict[str, frozenset[str]]] = {
    "sizes": frozenset(
        {"lengths", "split_arities", "merge_arities", "move_arities", "the parent has one child more"}
        | {"the list has this item", "a slice is within its list", "an insert is within its list"}
        | {"a root of one child has no entry"}
    ),
    "entries": frozenset({"whole_entry", "neighbours"}),
    "parents": frozenset(
        {"child_parent", "below_sibling", "below_self", "one node more or less, above the others"}
        | {"the new node is the next sibling", "a merge returns the node on the left, and unties the other"}
        | {"a root is what no node is above"}
    ),
    "aggregates": frozenset(
        {"up_aggregate", "local_aggregate", "product_so_far", "combine joins neighbours, older on the left"}
    ),
    "calls": frozenset({"local_calls", "calls_so_far"}),
    "spines": frozenset(
        {"child_left_spine", "child_right_spine", "fingers", "one node more or less, above the others"}
    ),
    "frame": frozenset(
        {"a step changes what it names alone", "a step writes to the nodes that it names"}
        | {"a repair changes the aggregate alone", "the loop changes only what was forgotten"}
    ),
    "sibling": frozenset({"the sibling is the next child, or of the last the one before it"}),
}
"""Families of obligations, by what is stated."""


@cache
def _explore_reference(algorithm: type[Any], step: TreeStep) -> Exploration:
    return explore_step(step, algorithm=algorithm)


@cache
def _lemma() -> Exploration:
    return explore(bounds_increase)


def _run(
    algorithm: type[Any], step: TreeStep, variant: Variant | None, enough: Callable[[Exploration], bool]
) -> Exploration:
    if variant is None:
        return _explore_reference(algorithm, step)  # type: ignore[arg-type]  # a class is hashable
    return explore_step(step, variant, enough, algorithm)


def claim(
    name: str,
    *families: str,
    steps: tuple[TreeStep, ...],
    statement: str,
    source: Source,
    code: str,
    controls: Sequence[Variant],
    not_covered: str = NOT_COVERED,
    column: Column = FIBA,
) -> Claim:
    """A claim that some steps meet the obligations of some families, resting on all of these steps', and the lemma."""

    def states(obligation: Obligation) -> bool:
        return any(obligation.clause in FAMILIES[family] for family in families)

    def affected(variant: Variant) -> list[TreeStep]:
        changed = {edit.method for edit in variant.edits}
        return [step for step in steps if any(step in STEPS_OF.get(method, steps) for method in changed)]

    explore = partial(_run, column.algorithm)
    proof = Theorem(explore=explore, states=states, runs=steps, rests_on=steps, lemmas=_lemma, affected=affected)
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


def check_branches(variant: Variant | None = None, steps: Sequence[TreeStep] = STEPS) -> Outcome:
    """Return whether the runs see both outcomes of each condition."""
    report = Exploration()
    for step in steps:
        found = _run(Fiba, step, None, lambda report: False) if variant is None else explore_step(step, variant)
        report.merge(found)
    return conclude_coverage(report, make_runnable(Fiba, variant).conditions)


_TREE: Final = "reference.trees.augmented_tree"
_FIBA: Final = "reference.trees.fiba"

CLAIMS: Final[tuple[Claim, ...]] = (
    claim(
        "local-repair",
        "aggregates",
        statement="localRepairAgg computes the aggregate for the node's position, up, inner, left or right, from its "
        "entries and the aggregates next to it, and changes nothing else.",
        source=cite(
            OUT_OF_ORDER,
            "Figure 2",
            place="section 3.2, aggregation invariants",
            compared="stronger: that the code computes them, and changes nothing else",
        ),
        steps=("repair",),
        code=f"{_FIBA}.FingerNode.local_repair_agg, {_TREE}.Node.product_of_parts",
        controls=(
            *fiba.WRONG.pick(
                "the inner aggregate contains the first child",
                "a left aggregate leaves out the last child",
                "a left aggregate contains the root's",
                "a left aggregate begins with the parent's",
                "a right aggregate ends with the parent's",
                "a right aggregate leaves out the parent's",
            ),
            shared.SHARED_WRONG.get("no aggregate contains a first child"),
        ),
        not_covered="which nodes are repaired, and in which order: see fiba/proved-insert and fiba/proved-evict",
    ),
    claim(
        "local-repair-calls",
        "calls",
        statement="localRepairAgg makes at most 2a combine calls at a node of arity a.",
        source=cite(OUT_OF_ORDER, place="section 3.2 (O(1), the arity taken as constant)"),
        steps=("repair",),
        code=f"{_FIBA}.FingerNode.local_repair_agg, {_TREE}.Node.product_of_parts",
        controls=(
            ALONE["each part is combined with the identity"],
            ALONE["the aggregate of the parent is combined with the identity"],
        ),
        not_covered="how many nodes are repaired: see the cost rows",
    ),
    claim(
        "split",
        "sizes",
        "entries",
        "parents",
        statement="A split makes nodes of arity mu + 1 and mu of one of 2 mu + 1, neighbours below its parent, which "
        "gains one; the entries below the parent, and their order, stay; each child's parent is the node that points "
        "to it.",
        source=cite(
            OUT_OF_ORDER,
            "Lemma C.1",
            place="section 3.3",
            compared="a part: what one step does to arities; stronger: entries and parents, too",
        ),
        steps=("split",),
        code=f"{_FIBA}.Fiba.split, {_TREE}.Node.split_off",
        controls=(
            *WRONG.pick(
                "a split keeps an entry more",
                "a split leaves the entry that goes up",
                "a split puts the new node before the old one",
            ),
            b_tree.WRONG.get("children that a split moves keep their parent"),
        ),
    ),
    claim(
        "merge",
        "sizes",
        "entries",
        "parents",
        statement="A merge makes one node of arity 2 mu - 1 of neighbours of arity mu - 1 and mu, on either side, and "
        "the entry between them; their parent loses one; entries, their order and the parent pointers are right.",
        source=cite(
            OUT_OF_ORDER,
            "Lemma C.1",
            place="section 3.3",
            compared="a part: what one step does to arities; stronger: entries and parents, too",
        ),
        steps=("merge",),
        code=f"{_FIBA}.Fiba.merge, {_TREE}.Node.absorb_next",
        controls=WRONG.pick(
            "a merge leaves the parent its value",
            "children that a merge takes in keep their parent",
            "a merge takes the node that follows in as a child",
        ),
    ),
    claim(
        "move",
        "sizes",
        "entries",
        "parents",
        statement="A move from a sibling of arity a' > mu, on either side, leaves arities mu and a' - 1 >= mu, and "
        "the parent's as it was; entries, their order and the parent pointers are right.",
        source=cite(
            OUT_OF_ORDER,
            "Lemma C.1",
            place="section 3.3",
            compared="a part: what one step does to arities; stronger: entries and parents, too",
        ),
        steps=("move",),
        code=f"{_FIBA}.Fiba.move, {_TREE}.Node.take_from_next, take_from_previous",
        controls=(
            *shared.SHARED_WRONG.pick(
                "a value that moves from the previous comes last", "a child that moves from the next keeps its parent"
            ),
            *WRONG.pick(
                "a move from the previous puts the child last",
                "a move takes the second entry of the next",
                "a move takes two entries",
                "a move leaves the parent its entry",
            ),
        ),
    ),
    claim(
        "sibling",
        "sibling",
        statement="An underflow is mended with the next sibling, by the last child with the one before it: there "
        "always is one.",
        source=cite(OUT_OF_ORDER, place="section 3.3"),
        steps=("merge", "move"),
        code=f"{_TREE}.AugmentedTree.pick_eviction_sibling",
        controls=shared.SHARED_WRONG.pick("the last child looks for a sibling behind it"),
    ),
    claim(
        "step-aggregates",
        "aggregates",
        statement="After a split, a merge or a move each node touched that is neither the root nor on a spine stores "
        "the product of all below it, if its children on no spine did before.",
        source=cite(OUT_OF_ORDER, place="section 3.3"),
        steps=("split", "merge", "move"),
        code=f"{_TREE}.AugmentedTree.split, merge, move, repair_up; {_FIBA}.FingerNode",
        controls=(shared.SHARED_WRONG.get("a parent is repaired before its children"), shared.PARENT_NOT),
    ),
    claim(
        "step-spines",
        "spines",
        statement="After a split, a merge or a move, and a change of height, spine flags are true of first and last "
        "children of the root and of nodes on that spine, and the fingers are the leaves on the spines.",
        source=cite(OUT_OF_ORDER, place="section 3.2"),
        steps=("split", "merge", "move", "height increase", "height decrease"),
        code=f"{_FIBA}.Fiba.split, merge, height_increase, height_decrease; FingerNode.split_off, absorb_next",
        controls=(
            *fiba.WRONG.pick(
                "a split ends the right spine",
                "a merge ends the right spine",
                "a height increase begins the left spine only",
                "a height decrease leaves the root on the spines",
                "a split leaves the right finger",
                "a merge leaves the right finger",
            ),
            *WRONG.pick(
                "a split of an inner node begins the left spine twice", "a split of an inner node ends the right spine"
            ),
        ),
    ),
    claim(
        "step-frame",
        "frame",
        statement="A step changes the entries and children of the nodes that it names, which are at most a node, a "
        "sibling and their parent, with their up-aggregates, spine flags, and a finger that was one of them; all "
        "else stays: any other node, aggregates on spines and at the root, the parent's own place, other fingers, the "
        "root but for a change of height, and what the tree was made with.",
        source=cite(OUT_OF_ORDER, place="section 3.3"),
        steps=STEPS,
        code=f"{_FIBA}.Fiba.split, merge, height_increase, height_decrease; {_TREE}.AugmentedTree.move; "
        "FingerNode.local_repair_agg",
        controls=tuple(OUT_OF_FRAME),
    ),
    claim(
        "height",
        "sizes",
        "parents",
        statement="A height increase puts a root of arity 1 above the old one; a height decrease takes one away.",
        source=cite(OUT_OF_ORDER, place="section 3.3"),
        steps=("height increase", "height decrease"),
        code=f"{_TREE}.AugmentedTree.height_increase, height_decrease",
        controls=WRONG.pick(
            "a height increase leaves the old root without a parent", "a height decrease leaves the new root its parent"
        ),
    ),
    claim(
        "steps",
        "sizes",
        "entries",
        "parents",
        "aggregates",
        "sibling",
        "frame",
        column=B_TREE,
        statement="In the classic B-tree a split, a merge, a move and a change of height leave the arities of Lemma "
        "C.1, the entries in their order, each child's parent and, at every node touched, the product of all below it; "
        "what they do not name stays.",
        source=cite(
            OUT_OF_ORDER,
            "Lemma C.1",
            place="section 3.1",
            compared="a part: what one step does to arities; stronger: entries, parents and aggregates, too",
        ),
        steps=STEPS,
        code=f"{_TREE}.AugmentedTree.split, merge, move, height_increase, height_decrease, pick_eviction_sibling; Node",
        controls=(
            b_tree.WRONG.get("children that a split moves keep their parent"),
            shared.SHARED_WRONG.get("the last child looks for a sibling behind it"),
            shared.SHARED_WRONG.get("a parent is repaired before its children"),
            shared.SHARED_WRONG.get("no aggregate contains a first child"),
            *WRONG.pick(
                "a split keeps an entry more",
                "a merge leaves the parent its value",
                "a move leaves the parent its entry",
                "a height decrease leaves the new root its parent",
            ),
            wrong("a root has a node above", ("is_root", "is None", "is not None"), part="Node"),
        ),
        not_covered="that steps are taken one after another, from a node up, which whole operations do: see "
        "b-tree/proved-insert and b-tree/proved-evict; a height increase leaves the aggregate of the new root to the "
        "split that follows it",
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
