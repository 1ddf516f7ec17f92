"""The inner parts of bulk operations, run over lists of unknown length: that they do what the operations take of them.

What a node drops is theirs alone; of what is merged away the operations count on its having no parent, besides what
swagproof.proofs.trees.whole.part_runs shows.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, Literal, get_args

from swagproof.contracts.trees import bulk_operations as contract
from swagproof.contracts.trees import steps
from swagproof.proofs.engine.nodes import NodeRun
from swagproof.proofs.engine.paths import Exploration, Path, explore
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.engine.values import SymbolicInt
from swagproof.proofs.ledger.variants import Variant
from swagproof.proofs.trees.step_runs import LISTS, Frame, make_runnable
from swagproof.proofs.trees.whole.part_runs import freeze, neighbours
from swagproof.reference.trees.fiba_bulk import BulkFiba


class Notes:
    """A tree that notes down what it is told to note."""

    def repair_up(self, *nodes: Any) -> None:
        """The nodes."""
        vars(self)["told"] = nodes


LISTED: Final = replace(
    LISTS, methods=(*(name for name in LISTS.methods if name != "repair_up"), "drop"),
    loops={**LISTS.loops, **contract.PARTS}, tree=Notes,
)  # fmt: skip
Part = Literal["drop", "absorb_next"]
PARTS: Final[tuple[Part, ...]] = get_args(Part)


def drop(run: NodeRun) -> None:
    """Run `drop` on any node at the root or on the left spine; any number of entries goes, and the last child stays."""
    leaf = run.either("kind", "leaf", "inner") == "leaf"
    root = run.either("place", "the root", "left spine") == "the root"
    arity, gone = run.some("arity", least=2), run.some("gone", least=0)
    run.path.assume(gone < arity)
    first = run.path.fresh("first") if leaf else None
    node = run.node("node", arity, first, None if root else run.outside, not root, False)
    vars(run.tree)["told"] = ()
    was, frame = freeze(run, node), Frame(run, {node: ("times", "values", "children"), run.tree: ("told",)})
    run.tree.drop(node, SymbolicInt(gone))
    frame.show()
    told = vars(run.tree)["told"]
    run.path.show("the node is noted, and no other", z3.BoolVal(len(told) == 1 and told[0] is node))
    run.show((contract.dropped,), {"node": node, "was": was, "gone": SymbolicInt(gone)})
    run.show((steps.lengths, steps.whole_entry, steps.neighbours, steps.child_parent), {"y": node})
    if not leaf:
        j = run.some("j", least=0)
        run.path.assume(j < gone)
        run.path.show("what is dropped has no parent", z3.BoolVal(was.children.item(j).parent is None))


def absorb_next(run: NodeRun) -> None:
    """Run `absorb_next` on any two neighbours: the absorbed node has no parent then."""
    _, node, sibling, place = neighbours(run, 2, run.some("arity", least=1), run.some("sibling's", least=1))
    node.absorb_next(SymbolicInt(place))
    run.path.show("what is taken in has no parent", z3.BoolVal(sibling.parent is None))


def explore_part(
    part: Part,
    variant: Variant | None = None,
    enough: Callable[[Exploration], bool] = lambda _: False,
) -> Exploration:
    """One part, along every path.  ValueError when a variant's line is not there."""
    tree = make_runnable(BulkFiba, variant, LISTED).algorithm
    method = drop if part == "drop" else absorb_next

    def run(path: Path) -> None:
        this = NodeRun(path, tree, LISTED.loops)
        with this.guard():
            method(this)

    return explore(run, enough)
