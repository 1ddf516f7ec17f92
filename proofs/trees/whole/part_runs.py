"""Runs of the steps' inner parts over lists of unknown length, which show the clauses that whole operations assume.

The clauses are in `contracts/trees/parts.py`; the tree around a focus assumes the same clauses
(swagproof.proofs.trees.whole.zipper).
"""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Final, Literal, get_args

from swagproof.contracts.trees import parts
from swagproof.contracts.trees.steps import LOOPS
from swagproof.proofs.engine.nodes import NodeRun, same
from swagproof.proofs.engine.paths import Exploration, Path, explore
from swagproof.proofs.engine.sequences import Single, SymbolicList
from swagproof.proofs.engine.solver import Integer, z3
from swagproof.proofs.engine.values import SymbolicInt
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.proofs.trees.step_runs import LISTS, child_of, make_runnable, parent_of
from swagproof.reference.trees.fiba import Fiba

Part = Literal[
    "start", "split_off", "absorb_next", "take_from_next", "take_from_previous", "product_of_parts", "height_increase",
    "height_decrease",
]  # fmt: skip
PARTS: Final[tuple[Part, ...]] = get_args(Part)


MADE: Final = replace(
    LISTS,
    names={
        **LISTS.names,
        "type": lambda value: int if isinstance(value, SymbolicInt) else type(value),
        "__is__": lambda x, y: x is y if isinstance(y, type) else same(x, y),
    },
    makes=True,
)
"""The environment of `LISTS`, in which a tree's constructor runs too."""


def freeze(run: NodeRun, y: Any) -> SimpleNamespace:
    """Return a copy of a node's present state."""
    spines = {"left_spine": y.left_spine, "right_spine": y.right_spine} if run.spines else {}
    times, children = (SymbolicList(*held.pieces) for held in (y.times, y.children))
    return SimpleNamespace(arity=y.arity, times=times, children=children, **spines)


def neighbours(run: NodeRun, least: int, arity: Integer, of_sibling: Integer) -> tuple[Any, Any, Any, Integer]:
    """Return a parent, two neighbours below it, and the place of the first."""
    leaf = run.either("kind", "leaf", "inner") == "leaf"
    parent, place = parent_of(run, least), run.some("place", least=0)
    run.path.assume(place + 1 < parent.family.arity)
    children = [child_of(run, "node", parent, place, arity, leaf)]
    children.append(child_of(run, "sibling", parent, place + 1, of_sibling, leaf))
    for where, child in enumerate(children):
        parent.children[SymbolicInt(place + where)] = child
    return parent, *children, place


def start(run: NodeRun) -> None:
    """Run a tree's constructor, for any min-arity."""
    made, tree = len(run.nodes), object.__new__(type(run.tree))
    tree.__init__(run.monoid, SymbolicInt(run.mu))
    root, fingers = tree.root, ("left_finger", "right_finger") if run.spines else ()
    own = vars(tree).keys() == {"monoid", "min_arity", "max_arity", "root", *fingers}
    kept = run.nodes[made:] == [root] and tree.monoid is run.monoid and root.monoid is run.monoid
    run.path.show("a new tree keeps its operator, its bounds and one node", z3.BoolVal(own and kept))
    run.show((parts.new_tree,), {"tree": tree})


def split_off(run: NodeRun) -> None:
    """Run `split_off` on any node with one entry too many, at any place in it."""
    leaf = run.either("kind", "leaf", "inner") == "leaf"
    parent, place, arity = parent_of(run, 1), run.some("place", least=0), run.some("kept", least=2)
    run.path.assume(z3.And(place < parent.family.arity, arity < 2 * run.mu + 1))
    node = child_of(run, "node", parent, place, 2 * run.mu + 1, leaf)
    parent.children[SymbolicInt(place)] = node
    was = {"was": freeze(run, node), "was_parent": freeze(run, parent)}
    sibling = node.split_off(SymbolicInt(arity))
    local = {"node": node, "sibling": sibling, "parent": parent, "arity": SymbolicInt(arity), **was}
    run.show(parts.SPLIT_OFF, local)


def absorb_next(run: NodeRun) -> None:
    """Run `absorb_next` on any two neighbours."""
    parent, node, sibling, place = neighbours(run, 2, run.some("arity", least=1), run.some("sibling's", least=1))
    was = {"was": freeze(run, node), "was_sibling": freeze(run, sibling), "was_parent": freeze(run, parent)}
    node.absorb_next(SymbolicInt(place))
    run.show(parts.ABSORB_NEXT, {"node": node, "parent": parent, **was})


def take_from_next(run: NodeRun) -> None:
    """Run `take_from_next` on any node and its next sibling, which has an entry."""
    _, node, sibling, place = neighbours(run, 2, run.some("arity", least=1), run.some("sibling's", least=2))
    was = {"was": freeze(run, node), "was_sibling": freeze(run, sibling)}
    node.take_from_next(SymbolicInt(place))
    run.show(parts.TAKE_FROM_NEXT, {"node": node, "sibling": sibling, **was})


def take_from_previous(run: NodeRun) -> None:
    """Run `take_from_previous` on any node and its previous sibling, which has an entry."""
    _, sibling, node, place = neighbours(run, 2, run.some("arity", least=2), run.some("sibling's", least=1))
    was = {"was": freeze(run, node), "was_sibling": freeze(run, sibling)}
    node.take_from_previous(SymbolicInt(place))
    run.show(parts.TAKE_FROM_PREVIOUS, {"node": node, "sibling": sibling, **was})


def product_of_parts(run: NodeRun) -> None:
    """Run `product_of_parts` on any node, for all children or without the outermost ones on a spine."""
    spines = ("left spine", "right spine", "the root") if run.spines else ()
    where = run.either("place", *spines, "neither")
    leaf = run.either("kind", "leaf", "inner") == "leaf"
    first = int(where in ("left spine", "the root"))
    last = int(where in ("right spine", "the root"))
    arity = run.some("arity", least=1 if leaf or not (first or last) else 2)
    above = None if where == "the root" else run.outside
    node = run.node("node", arity, run.path.fresh("first") if leaf else None, above, where == "left spine",
                    where == "right spine")  # fmt: skip
    answer = node.product_of_parts(first, SymbolicInt(arity - last))
    local = {"node": node, "first": first, "last": SymbolicInt(arity - last), "answer": answer}
    run.show((parts.product_of_all,), local)


def height_increase(run: NodeRun) -> None:
    """Run `height_increase` above any root."""
    first = run.path.fresh("first") if run.either("kind", "leaf", "inner") == "leaf" else None
    old = run.node("old root", run.some("arity", least=2), first, None, False, False)
    run.tree.root = old
    run.tree.height_increase()
    run.show((parts.raised_root,), {"root": run.tree.root, "node": old})


def height_decrease(run: NodeRun) -> None:
    """Run `height_decrease` below a root with one child."""
    first = run.path.fresh("first") if run.either("kind", "leaf", "inner") == "leaf" else None
    root = run.node("root", z3.IntVal(1), None, None, False, False)
    child = child_of(run, "child", root, z3.IntVal(0), run.some("arity", least=2), first is not None)
    root.children = SymbolicList(Single(child))
    run.tree.root, was = root, freeze(run, child)
    run.tree.height_decrease()
    run.show((parts.lowered_root,), {"root": run.tree.root, "was": was})


_RUNS: Final[dict[Part, Callable[[NodeRun], None]]] = {
    "start": start,
    "split_off": split_off,
    "absorb_next": absorb_next,
    "take_from_next": take_from_next,
    "take_from_previous": take_from_previous,
    "product_of_parts": product_of_parts,
    "height_increase": height_increase,
    "height_decrease": height_decrease,
}


def explore_part(
    part: Part,
    mutant: Mutant | None = None,
    enough: Callable[[Exploration], bool] = lambda _: False,
    algorithm: type[Any] = Fiba,
) -> Exploration:
    """Explore one part, along every path.  Raises ValueError if the mutant's old text is missing."""
    tree = make_runnable(algorithm, mutant, MADE).algorithm  # type: ignore[arg-type]  # a class is hashable

    def run(path: Path) -> None:
        this = NodeRun(path, tree, LOOPS, spines=algorithm is Fiba)
        with this.guard():
            _RUNS[part](this)
            this.show_apart()

    return explore(run, enough)
