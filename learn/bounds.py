"""Bounds on the cost of an operation and of a history, shown beside the counts.

A bound has one of three sources. For in-order and shared windows, the theorem needs the history alone: it is the claim
that `swagproof conform --claims` checks. For a tree, it also needs the operation's rebalancing steps, counted where
execution enters the functions that make them. For other algorithms, the contract states it for the state before the
operation. If no paper states a bound, words say so.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, repeat
from typing import Any, Final

from swagproof.contracts.flat_trees.flat_fat import height, update_bound
from swagproof.contracts.slicing import cutty
from swagproof.learn.plays.play import spell_out
from swagproof.learn.recorder import Done
from swagproof.oracle.claims import Claim, claim_of, follow, worst_of
from swagproof.oracle.trace import Step
from swagproof.reference.catalogue import Column
from swagproof.reference.costs import b_tree_calls, fiba_calls

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


Promise = Callable[[Any], int]
"""The bound on the cost of an operation, as a function of the state after it."""


def promise(column: Column, s: Any, operation: Sequence[Any]) -> Promise | None:
    """Return what an operation may cost, from the state that it finds; None where the contract does not state it."""
    match column.slug, operation[0]:
        case "reactive-aggregator" | "reactive-aggregator-fifo", name:
            most: int = getattr(column.contract, f"{name}_bound")(s)
        case "flat-fat", name:
            most = {"update": update_bound(s.n, 1), "aggregate": 0}.get(name, height(s.n))
        case "slicing:-panes" | "slicing:-pairs" | "slicing:-starts", "insert":
            return lambda after: 1 + int(after.joins)
        case "cutty", _:
            fat, was_active = s.store.fat, s.is_active
            return lambda after: cutty.call_limit(
                after.cuts,
                after.cuts and was_active,
                len(after.expected),
                after.store.fat.n,
                after.store.fat is not fat,
            )
        case _:
            return None
    return lambda _: most


_BUFFER: Final = "Theorem 4.2, from the pending changes and the places; section 5.1.1 for a resize"
_SLICES: Final = "1 for a record, s - 1 for each window of s slices that ends; no bound is stated for advance alone"
_WORDS: Final[Mapping[str, str]] = {
    "reactive-aggregator": _BUFFER,
    "reactive-aggregator-fifo": f"{_BUFFER}; in all, 4 an insert and 2 an evict besides the ways up the tree",
    "flat-fat": "Theorem 4.2: 1 + log2 n for an update of one of n places, log2 n for a prefix or suffix",
    "cutty": "1 for a record; log2 n for a slice, n - 1 if the tree is rebuilt; log2 n + 1 for an answer",
    **dict.fromkeys(("slicing:-panes", "slicing:-pairs", "slicing:-starts"), _SLICES),
    "stream-slicing": "no figure: the theorem of its store, a FiBA of slices, counts for each slice that is made, "
    "grows or is split",
    "timegram": "no combine calls: the paper counts buckets, O(log B) an insert and at most B an answer",
    "ordered-sharing": "no combine calls: the paper counts tree nodes, O(log |W|) an insert, amortised",
}
"""The source of each figure that no claim of the oracle names, or the reason why there is none."""


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
    if column.kind == "out of order":
        found = _bound_tree(column.slug == "b-tree", options["min_arity"], accepted)
    elif column.kind in ("fifo", "shared") and column.slug not in ("timegram", "ordered-sharing"):
        found = _bound_claimed(claim_of(column.slug, column.kind), accepted, words)
    bounds = list[Allowed]()
    for each in done:
        last = bounds[-1] if bounds else Allowed(total=0, source=words)
        bounds.append(Allowed(None, last.total, last.source) if each.refused else next(found))
    return bounds


def _bound_claimed(claim: Claim, accepted: Sequence[tuple[Step, Done]], words: str) -> Iterator[Allowed]:
    """Yield the claim's bounds; of operations that its amortised bound leaves out, the worst case."""
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


_OF_BULKS: Final = (
    "no figure: no amortised bound is checked for bulk operations; O(log m) and O(1) a step for m entries that leave, "
    "each changed node once for those that come"
)


def _bound_tree(is_classic: bool, mu: int, accepted: Sequence[tuple[Step, Done]]) -> Iterator[Allowed]:
    """Yield what an operation may cost that made so many steps of rebalancing: less than a claim allows, which knows of
    none.

    Of the classic tree the paper says nothing of ranges, and of bulks there are no constants: so from the first one on
    nothing of all together.
    """
    claim = claim_of(f"{'b-tree' if is_classic else 'fiba'}:{mu}", "out-of-order")
    calls = b_tree_calls if is_classic else fiba_calls
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
            way, where = (spent.n, f"{spent.n} entries before") if is_classic else (spent.d, f"distance {spent.d}")
            made = sum(done.entered.get(name, 0) for name in STEPS)
            most: int | None = calls(way, made, mu)
            source = f"{source}: {where}, rebalancing steps {made}"
        else:
            most = worst_of(claim, step, spent)
            asked += most or 0
        if most is None:
            total = None
            source = "no figure: the paper bounds ranges of FiBA alone, that do not end before they begin"
        total = None if total is None else after.billed + asked
        yield Allowed(most, total, source)
