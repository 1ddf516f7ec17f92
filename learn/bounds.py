"""Bounds on the cost of an operation and of a history, shown next to the counts.

For windows in order, shared windows and trees a bound is the claim that `swagproof conform --claims` checks. For other
algorithms the contract of each operation bounds its cost, so an operation that exceeds it breaks a condition; the page
shows the words of the reference's docstring.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, repeat
from typing import Any, Final

from swagproof.learn.recorder import Done
from swagproof.learn.showing import about
from swagproof.oracle.claims import UNCLAIMED, claim_of, follow, worst_of
from swagproof.oracle.trace import Step
from swagproof.reference.catalogue import Column
from swagproof.reference.costs import b_tree_calls, fiba_calls


@dataclass(frozen=True)
class Allowed:
    """The bounds on the cost of one operation, and of all operations up to it; None if there is no bound."""

    calls: int | None = None
    total: float | None = None
    source: str = ""
    """The theorem, or the reason why there is no bound."""


_BULK: Final = "no figure: the paper bounds a bulk by O(log m) and O(1) a step for m entries, without constants"
_CLAIMED: Final = {"fifo": "fifo", "shared": "shared", "out of order": "out-of-order"}
_TREES: Final = {"b-tree": "b-tree", "fiba": "fiba", "fiba-bulk": "fiba"}
STEPS: Final = ("split", "merge", "move", "height_increase", "height_decrease")
"""The functions that are one rebalancing step each; FiBA's own versions call them."""


def bound_history(
    column: Column | None, options: Mapping[str, int], history: Sequence[Sequence[Any]], done: Sequence[Done]
) -> list[Allowed]:
    """Return the bounds on each operation of a history; a refused operation has none and changes none."""
    if column is None:
        return [Allowed()] * len(history)
    if column.kind not in _CLAIMED or (column.slug in UNCLAIMED and column.slug not in _TREES):
        return [Allowed(source=about(column)["Combine calls"])] * len(history)
    accepted = [(operation, each) for operation, each in zip(history, done, strict=True) if not each.refused]
    bounds, found = list[Allowed](), _bound_claimed(column, options, accepted)
    for each in done:
        last = bounds[-1] if bounds else Allowed(total=0)
        bounds.append(Allowed(None, last.total, last.source) if each.refused else next(found))
    return bounds


def spell_out(history: Sequence[Sequence[Any]]) -> Iterator[list[Sequence[Any]]]:
    """Yield each operation of a window over times as single operations, given the operations before it.

    >>> list(spell_out([["bulk_insert", [[1, "a"], [3, "b"]]], ["bulk_evict", 2], ["query"]]))
    [[['insert', 1, 'a'], ['insert', 3, 'b']], [['evict', 1]], [['query']]]
    """
    held: set[Any] = set()
    for operation in history:
        name, *arguments = operation
        singles: list[Sequence[Any]] = [operation]
        if name == "bulk_insert":
            singles = [["insert", *entry] for entry in arguments[0]]
        elif name == "bulk_evict":
            singles = [["evict", t] for t in sorted(held) if t <= arguments[0]]
        held |= {single[1] for single in singles if single[0] == "insert"}
        held -= {single[1] for single in singles if single[0] == "evict" and single[1:]}
        yield singles


def _bound_claimed(
    column: Column, options: Mapping[str, int], accepted: Sequence[tuple[Sequence[Any], Done]]
) -> Iterator[Allowed]:
    """Yield the claim's bounds; for operations outside its amortised bound, the worst case.

    The bound on an insert or evict of a tree depends on the steps of rebalancing that it made.
    """
    tree, mu = _TREES.get(column.slug), options.get("min_arity", 0)
    claim = claim_of(f"{tree}:{mu}" if tree else column.slug, _CLAIMED[column.kind])
    others: int | None = 0
    singles = [
        [Step(name, tuple(given)) for name, *given in each] for each in spell_out([each for each, _ in accepted])
    ]
    came = follow(claim, [step for each in singles for step in each], repeat(0))
    for ((operation, *_), done), each in zip(accepted, singles, strict=True):
        passed = [*islice(came, len(each))]
        if operation.startswith("bulk_"):
            others = None
            yield Allowed(source=_BULK)
            continue
        ((before, after),) = passed
        most, source = worst_of(claim, each[0], before), claim.source_of(operation)
        if operation not in claim.paid:
            others = None if most is None or others is None else others + most
        elif tree:
            made = sum(done.entered[f"AugmentedTree.{step}"] for step in STEPS)
            most = b_tree_calls(before.n, made, mu) if tree == "b-tree" else fiba_calls(before.d, made, mu)
            source += f": distance {before.d} of {before.n} entries, rebalancing steps {made}"
        total = claim.account(after) + others if claim.account and others is not None else None
        yield Allowed(most, total, f"{source}{f'; in all, {claim.remark}' if claim.remark else ''}")
