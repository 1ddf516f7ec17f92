"""Branch coverage of the proofs: the outcomes of the code's conditions that some path reached.

A proof that never takes a branch says nothing about it.  So the rewriter (swagproof.proofs.engine.loops) wraps every
condition of a method, and each operand of an `and` or `or`, in a call that records its outcome.  It also returns the
list of these `Condition`s; `find_unreached` returns the outcomes in the list that no path recorded.

Clauses of contracts may run the same methods while a formula is built; these runs are not recorded.
"""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias


class Condition(NamedTuple):
    """A condition of a method, or an operand of one; for a `for` loop, the iterated expression."""

    method: str
    text: str
    file: str
    line: int
    column: int
    """The column in the method's own text, which distinguishes the conditions of a line."""


Outcomes: TypeAlias = set[tuple[Condition, bool]]
"""Conditions with the outcomes that they had."""


def find_unreached(conditions: Iterable[Condition], outcomes: Outcomes) -> list[str]:
    """Return the outcomes that no path reached, as `method: condition never outcome`."""
    return [
        f"{condition.method}: {condition.text} never {outcome}"
        for condition in conditions
        for outcome in (True, False)
        if (condition, outcome) not in outcomes
    ]
