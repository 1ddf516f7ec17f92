"""What an operation, and the history up to it, may cost at most: the theorem's figures beside what the page counts.

In order a bound is a function of the window's size.  Of a tree it is one of how far from the nearer end an entry is
inserted or evicted (FiBA) or of the size (the B-tree), and of the steps of rebalancing that the operation made.  The
distance is had from the history; the steps are counted where the text enters the functions that make them.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from swagproof.reference.catalogue import B_TREE, FIBA, FIBA_BULK, Column
from swagproof.reference.costs import (
    BILLED,
    THEOREMS,
    b_tree_billed,
    b_tree_calls,
    fiba_billed,
    fiba_calls,
)

STEPS: Final = tuple(
    f"AugmentedTree.{step}" for step in ("split", "merge", "move", "height_increase", "height_decrease")
)
"""The functions that are a step of rebalancing each: FiBA's own forms of them lead here."""


@dataclass(frozen=True)
class Allowed:
    """What one operation, and all up to it together, may cost; None where nothing is said."""

    calls: int | None = None
    total: float | None = None
    source: str = ""


@dataclass(frozen=True)
class _Tree:
    """The theorem of a tree."""

    source: str
    calls: Callable[[int, int, int], int]
    billed: Callable[[int, int], int]
    query: int
    near: bool
    """Whether it is a matter of the distance from the nearer end, else of the size."""


_NEAR: Final = _Tree("Theorem 3.4", fiba_calls, fiba_billed, 2, True)
_TREES: Final = {
    B_TREE.slug: _Tree("Theorem 3.2", b_tree_calls, b_tree_billed, 0, False),
    FIBA.slug: _NEAR,
    FIBA_BULK.slug: _NEAR,  # whose single operations are FiBA's
}


def bound_history(
    column: Column | None,
    options: Mapping[str, int],
    history: Sequence[Sequence[Any]],
    entered: Sequence[Mapping[str, int]],
) -> list[Allowed]:
    """What each operation of a history may cost; `entered` says how often each entered which function of the text."""
    if column is None:
        return [Allowed()] * len(history)
    if column.slug in _TREES:
        return _bound_tree(_TREES[column.slug], options["min_arity"], history, entered)
    return _bound_in_order(column.name, history)


def _bound_in_order(name: str, history: Sequence[Sequence[Any]]) -> list[Allowed]:
    theorem, billed = THEOREMS.get(name), BILLED.get(name)
    size, done, found = 0, {"insert": 0, "evict": 0, "query": 0}, list[Allowed]()
    for operation, *_ in history:
        figures = getattr(theorem, operation, None)
        done[operation] = done.get(operation, 0) + 1
        inserts, evicts = done["insert"], done["evict"]
        total = billed.most(inserts, evicts, max(inserts - evicts, 0)) + done["query"] if billed else None
        source = theorem.insert.source if theorem else ""
        found.append(Allowed(None if figures is None else figures.worst(size), total, source))
        size = max(0, size + (operation == "insert") - (operation == "evict"))
    return found


def _bound_tree(
    tree: _Tree, mu: int, history: Sequence[Sequence[Any]], entered: Sequence[Mapping[str, int]]
) -> list[Allowed]:
    times, found = list[Any](), list[Allowed]()
    total: int | None = 0
    for (operation, *arguments), functions in zip(history, entered, strict=True):
        if operation == "query":
            total = None if total is None else total + tree.query
            found.append(Allowed(tree.query, total, tree.source))
        elif operation in ("insert", "evict"):
            t, n = arguments[0], len(times)
            at = bisect_left(times, t)
            is_there = at < n and times[at] == t
            d = min(at, n - at - is_there)
            steps = sum(functions.get(step, 0) for step in STEPS)
            way = d if tree.near else n
            where = f"{d} from the nearer end" if tree.near else f"{n} entries before"
            total = None if total is None else total + tree.billed(way, mu)
            says = f"{tree.source}: {where}, {steps} steps of rebalancing"
            found.append(Allowed(tree.calls(way, steps, mu), total, says))
            if operation == "insert" and not is_there:
                times.insert(at, t)
            elif operation == "evict" and is_there:
                del times[at]
        else:
            total = None  # what a range may cost is a matter of where in the tree its ends meet
            found.append(Allowed(None, None, tree.source))
    return found
