"""Bounds on the cost of an operation, and of the history up to it: the theorem's figures, shown beside the page's
counts.

There are three sources of a figure.  For in-order and shared windows, the theorem needs the history alone: it is the
claim that `swagproof conform --claims` checks.  For a tree, it also needs the rebalancing steps of the operation; they
are counted where execution enters the functions that make them.  For other algorithms, the contract states it for the
state before the operation: how many places there are, how many changes wait.  Where no paper gives a figure, words say
so.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, repeat
from typing import Any, Final

from swagproof.contracts.flat_trees.flat_fat import height, update_bound
from swagproof.contracts.slicing import cutty
from swagproof.learn.plays.play import spell_out
from swagproof.learn.recorder import Done
from swagproof.oracle.claims import Claim, claim_of, follow, worst_of
from swagproof.oracle.trace import Step
from swagproof.reference.catalogue import (
    B_TREE,
    CUTTY,
    FIBA,
    FIBA_BULK,
    FLAT_FAT,
    ORDERED_SHARING,
    PAIRS,
    PANES,
    REACTIVE_AGGREGATOR,
    REACTIVE_AGGREGATOR_FIFO,
    STARTS,
    STREAM_SLICING,
    TIMEGRAM,
    Column,
)
from swagproof.reference.costs import b_tree_billed, b_tree_calls, fiba_billed, fiba_calls

STEPS: Final = tuple(
    f"AugmentedTree.{step}" for step in ("split", "merge", "move", "height_increase", "height_decrease")
)
"""The functions that are a step of rebalancing each: FiBA's own forms of them lead here."""


@dataclass(frozen=True)
class Allowed:
    """The bounds on the cost of one operation, and of all up to it; None where there is no bound."""

    calls: int | None = None
    total: float | None = None
    source: str = ""
    """The theorem, or why there is no figure."""


Played = Sequence[Sequence[Any]]
"""A history: of each operation its name and its arguments."""


# What the contract says of the state that an operation finds

Promise = Callable[[Any], int]
"""From the state after an operation, what it may have cost."""


def promise(column: Column, s: Any, operation: Sequence[Any]) -> Promise | None:
    """Return what an operation may cost, asked of the state that it finds; None where the contract says it of no
    state."""
    ask = _PROMISES.get(column.slug)
    return None if ask is None else ask(s, operation[0])


def _of_buffer(column: Column, s: Any, operation: str) -> Promise:
    most: int = getattr(column.contract, f"{operation}_bound")(s)
    return lambda _: most


def _of_places(s: Any, operation: str) -> Promise:
    most = {"update": update_bound(s.n, 1), "aggregate": 0}.get(operation, height(s.n))
    return lambda _: most


def _of_slices(s: Any, operation: str) -> Promise | None:
    return (lambda after: 1 + int(after.joins)) if operation == "insert" else None


def _of_store(s: Any, _operation: str) -> Promise:
    fat, was_active = s.store.fat, s.is_active

    def most(after: Any) -> int:
        cut, n = after.cuts, after.store.fat.n
        return cutty.call_limit(cut, cut and was_active, len(after.expected), n, after.store.fat is not fat)

    return most


_PROMISES: Final[Mapping[str, Callable[[Any, str], Promise | None]]] = {
    REACTIVE_AGGREGATOR.slug: partial(_of_buffer, REACTIVE_AGGREGATOR),
    REACTIVE_AGGREGATOR_FIFO.slug: partial(_of_buffer, REACTIVE_AGGREGATOR_FIFO),
    FLAT_FAT.slug: _of_places,
    CUTTY.slug: _of_store,
    **dict.fromkeys((PANES.slug, PAIRS.slug, STARTS.slug), _of_slices),
}

_BUFFER: Final = "Theorem 4.2, of the changes that wait and the places that there are; a resize, section 5.1.1"
_SLICES: Final = "a record takes 1, and a window of s slices that is over s - 1; of advance alone nothing is said"
_WORDS: Final[Mapping[str, str]] = {
    REACTIVE_AGGREGATOR.slug: _BUFFER,
    REACTIVE_AGGREGATOR_FIFO.slug: f"{_BUFFER}; in all, 4 an insert and 2 an evict besides the ways up the tree",
    FLAT_FAT.slug: "Theorem 4.2: an update of one of n places takes 1 + log2 n, a prefix or suffix log2 n",
    CUTTY.slug: "a record takes 1; a slice log2 n, and n - 1 where the tree is set anew; an answer log2 n + 1",
    PANES.slug: _SLICES,
    PAIRS.slug: _SLICES,
    STARTS.slug: _SLICES,
    STREAM_SLICING.slug: "no figure: its store is a FiBA of slices, whose theorem counts for each slice that is made, "
    "grows or is split",
    TIMEGRAM.slug: "no combine calls: the paper counts buckets, O(log B) an insert and at most B an answer",
    ORDERED_SHARING.slug: "no combine calls: the paper counts tree nodes, O(log |W|) an insert, amortised",
}
"""The source of each figure that no claim of the oracle names, or the reason why there is none."""


# The history


def bound_history(
    column: Column | None, options: Mapping[str, int], history: Played, done: Sequence[Done]
) -> list[Allowed]:
    """Return what each operation of a history may cost.  Of one that is refused nothing is said."""
    if column is None:
        return [Allowed()] * len(history)
    words = _WORDS.get(column.slug, "")
    steps = [Step(name, tuple(arguments)) for name, *arguments in history]
    accepted = [(step, each) for step, each in zip(steps, done, strict=True) if not each.refused]
    found: Iterator[Allowed] = (Allowed(each.promised, None, words) for _, each in accepted)
    if column.slug in _TREES:
        found = _bound_tree(_TREES[column.slug], options["min_arity"], accepted)
    elif column.kind in ("fifo", "shared") and column.slug not in _UNCLAIMED:
        found = _bound_claimed(claim_of(column.slug, column.kind), accepted, words)
    bounds = list[Allowed]()
    for each in done:
        last = bounds[-1] if bounds else Allowed(total=0, source=words)
        bounds.append(Allowed(None, last.total, last.source) if each.refused else next(found))
    return bounds


_UNCLAIMED: Final = (TIMEGRAM.slug, ORDERED_SHARING.slug)


def _bound_claimed(claim: Claim, accepted: Sequence[tuple[Step, Done]], words: str) -> Iterator[Allowed]:
    """Yield what the claim allows; of the operations that its account is not about, the worst each."""
    others: int | None = 0
    came = follow(claim, [step for step, _ in accepted], repeat(0))
    remark = f"; in all, {claim.remark}" if claim.remark else ""
    for (step, done), (before, after) in zip(accepted, came, strict=True):
        most = worst_of(claim, step, before)
        if step.name not in claim.paid:
            others = None if most is None or others is None else others + most
        total = claim.account(after) + others if claim.account and others is not None else None
        most = done.promised if most is None else most
        yield Allowed(most, total, words or f"{claim.source_of(step.name)}{remark}")


# Trees


@dataclass(frozen=True)
class _Tree:
    """The theorem of a tree."""

    name: str
    """The name of the claim."""
    calls: Callable[[int, int, int], int]
    billed: Callable[[int, int], int]


_OF_BULKS: Final = (
    "no figure: no amortised bound is checked for bulk operations; O(log m) and O(1) a step for m entries that leave, "
    "each changed node once for those that come"
)
_NEAR: Final = _Tree("fiba", fiba_calls, fiba_billed)
_TREES: Final = {
    B_TREE.slug: _Tree("b-tree", b_tree_calls, b_tree_billed),
    FIBA.slug: _NEAR,
    FIBA_BULK.slug: _NEAR,  # whose single operations are FiBA's
}


def _bound_tree(tree: _Tree, mu: int, accepted: Sequence[tuple[Step, Done]]) -> Iterator[Allowed]:
    """Yield what an operation may cost that made so many steps of rebalancing: less than a claim allows, which knows of
    none.

    Of the classic tree the paper says nothing of ranges, and of bulks there are no constants: so from the first one on
    nothing of all together.
    """
    claim = claim_of(f"{tree.name}:{mu}", "out-of-order")
    asked = 0
    total: float | None = 0.0
    singles = [
        [Step(name, tuple(arguments)) for name, *arguments in each]
        for each in spell_out([(step.name, *step.arguments) for step, _ in accepted])
    ]
    came = follow(claim, [step for each in singles for step in each], repeat(0))
    for (step, done), each in zip(accepted, singles, strict=True):
        passed = [*islice(came, len(each))]
        source = claim.source_of(step.name)
        if step.name.startswith("bulk_"):
            total = None
            yield Allowed(None, None, _OF_BULKS)
            continue
        ((spent, after),) = passed
        if step.name in ("insert", "evict"):
            way, where = (spent.d, f"distance {spent.d}") if tree is _NEAR else (spent.n, f"{spent.n} entries before")
            made = sum(done.entered.get(name, 0) for name in STEPS)
            most: int | None = tree.calls(way, made, mu)
            source = f"{source}: {where}, rebalancing steps {made}"
        else:
            most = worst_of(claim, step, spent)
            asked += most or 0
        if most is None:
            total = None
            source = "no figure: the paper bounds ranges of FiBA alone, that do not end before they begin"
        total = None if total is None else after.billed + asked
        yield Allowed(most, total, source)
