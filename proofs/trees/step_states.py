"""Symbolic nodes for the runs of steps, and the check that a step changes only what it names.

A parent is the root, on the left spine, on the right spine, or on neither, and a node is at any place below it.  Nodes
are leaves, or have children of which only the entries below are known.
"""

from collections.abc import Callable, Collection, Generator, Mapping
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace
from typing import Any, Final, Literal

from swagproof.contracts.trees import steps as contract
from swagproof.proofs.engine.nodes import NodeRun
from swagproof.proofs.engine.paths import formula, settle
from swagproof.proofs.engine.sequences import SymbolicList
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import SymbolicInt

Where = Literal["the root", "left spine", "right spine", "neither"]


def is_leaf(run: NodeRun) -> bool:
    """Return whether the nodes of this path are leaves."""
    return run.either("kind", "leaf", "inner") == "leaf"


def places_in(run: NodeRun) -> tuple[Where, ...]:
    """Return the places that a node can have."""
    return ("the root", "left spine", "right spine", "neither") if run.spines else ("the root", "neither")


def any_node(run: NodeRun, least: Callable[[Where, bool], int]) -> tuple[Any, Where, Integer]:
    """Return a node anywhere, its place, and its arity: at least `least` of the place, and of whether it is a leaf."""
    where: Any = run.either("place", *places_in(run))
    leaf = is_leaf(run)
    arity = run.some("arity", least=least(where, leaf))
    parent = None if where == "the root" else run.outside
    first = run.path.fresh("first") if leaf else None
    return run.node("node", arity, first, parent, where == "left spine", where == "right spine"), where, arity


def parent_of(run: NodeRun, least: int) -> Any:
    """Return a parent of any kind and arity, with its bounds; `run.tree` knows if it is the root."""
    where = run.either("parent", *places_in(run))
    root = where == "the root"
    arity = run.some("parent's arity", least=least if root else 2)
    parent = run.node(
        "parent", arity, None, None if root else run.outside, where == "left spine", where == "right spine"
    )
    if root:
        run.tree.root = parent
    return parent


def child_of(run: NodeRun, name: str, parent: Any, place: Integer, arity: Integer, leaf: bool) -> Any:
    """Return a child with its own entries and children, put in a place below the parent."""
    family = parent.family
    begin, behind = family.bound(place), family.bound(place + 1)
    left, right = family.left and settle(place == 0), family.right and settle(place == family.arity - 1)
    child = run.node(name, arity, begin if leaf else None, parent, left, right)
    run.path.assume(z3.And(child.family.bound(z3.IntVal(0)) == begin, child.family.bound(arity) == behind))
    if leaf and run.spines:
        if left:
            run.tree.left_finger = child
        if right:
            run.tree.right_finger = child
    return child


def overfull(run: NodeRun) -> tuple[Any, Any, Integer]:
    """Return a parent, a node below it with one entry too many, and the node's place."""
    leaf, parent, place = is_leaf(run), parent_of(run, 1), run.some("place", least=0)
    run.path.assume(place < parent.family.arity)
    node = child_of(run, "node", parent, place, 2 * run.mu + 1, leaf)
    parent.children[SymbolicInt(place)] = node
    return parent, node, place


def neighbours(run: NodeRun, arity: Integer, given: Integer, side: int = 0) -> tuple[Any, Any, Any, Integer, Integer]:
    """Return a parent, a node and a sibling below it, of these arities, and their places.

    The sibling is the next (`side` 1) or the previous (-1) one; or (0) the next, for a last child the previous one.
    """
    leaf, parent, place = is_leaf(run), parent_of(run, 2), run.some("place", least=0)
    run.path.assume(place < parent.family.arity)
    other = place + (side or (1 if settle(place + 1 < parent.family.arity) else -1))
    run.path.assume(z3.And(0 <= other, other < parent.family.arity))
    node = child_of(run, "node", parent, place, arity, leaf)
    sibling = child_of(run, "sibling", parent, other, given, leaf)
    for child, where in ((node, place), (sibling, other)):
        parent.children[SymbolicInt(where)] = child
    return parent, node, sibling, place, other


def freeze(run: NodeRun, y: Any) -> SimpleNamespace:
    """Return a copy of a node's present state."""
    spines = {"left_spine": y.left_spine, "right_spine": y.right_spine} if run.spines else {}
    times, children = (SymbolicList(*held.pieces) for held in (y.times, y.children))
    return SimpleNamespace(arity=y.arity, times=times, children=children, **spines)


def show(run: NodeRun, clause: Callable[..., bool], state: Any, *nodes: Any) -> None:
    """Show a clause about the result of a step."""
    run.path.show(clause.__name__, formula(partial(clause, state, *nodes)))


def show_node(run: NodeRun, y: Any) -> None:
    """Show the clauses that a step must establish for every node that it touches."""
    run.show((*contract.NODE, *(contract.ON_SPINES if run.spines else ())), {"y": y})


def is_kept(run: NodeRun, held: list[Any], but: Any = None) -> Truth:
    """Return whether the heap is as `held`, except the aggregate of the node `but`."""
    now = run.heap(but)
    same = (x is y or (z3.is_ast(x) and bool(x.eq(y))) for x, y in zip(now, held, strict=False))
    return z3.BoolVal(len(now) == len(held) and all(same))


def _fields(run: NodeRun) -> dict[tuple[int, str], list[Any]]:
    """Return all fields of the tree and of its nodes."""
    return {
        (id(owner), name): [value, *(value.pieces if isinstance(value, SymbolicList) else ())]
        for owner in (run.tree, *run.nodes)
        for name, value in vars(owner).items()
    }


@contextmanager
def changing(run: NodeRun, named: Mapping[Any, Collection[str]]) -> Generator[None]:
    """Show that the step in this context changes only the named fields of the named nodes.

    It compares the whole heap before and after: the fields of each node, the tree's own, and the pieces of lists.  An
    aggregate that is not its subtree's product must stay unchanged, because the step's caller repairs it.
    """
    before, may_change = _fields(run), {id(owner): fields for owner, fields in named.items()}
    yield
    after, changed = _fields(run), list[str]()
    up = {id(node): node for node in run.nodes if hasattr(node, "family")}
    for (owner, name), value in before.items():
        held = after.pop((owner, name), [])
        allowed = name in may_change.get(owner, ()) and (name != "agg" or bool(up[owner].has_agg_up()))
        if not allowed and not (len(held) == len(value) and all(x is y for x, y in zip(held, value, strict=True))):
            changed.append(name)
    known = {owner for owner, _ in before}
    changed += [name for owner, name in after if owner in known]
    run.path.show("a step changes what it names alone", z3.BoolVal(not changed))


CONTENTS: Final = ("times", "values", "children")
"""The entries and children of a node, which a step may name together."""
