"""Branch coverage of the proofs: which conditions of the code were answered, and how.

A proof that never takes a branch says nothing about it.  So the rewriter (swagproof.proofs.engine.loops) puts `note`
around every condition of a method, and around each part of an `and` or `or` by itself, and hands over what it noted:
the conditions that there are and those that were answered are of one source, and the difference is what no path saw.

Clauses of contracts run the same methods while a formula is made; what they ask is not noted.
"""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias


class Condition(NamedTuple):
    """A condition of a method, or a part of one; of a `for`, what it iterates."""

    method: str
    text: str
    file: str
    line: int
    column: int
    """In the method's own text: tells the conditions of a line apart."""


Outcomes: TypeAlias = set[tuple[Condition, bool]]
"""Which answers conditions had."""


def find_unreached(conditions: Iterable[Condition], outcomes: Outcomes) -> list[str]:
    """The outcomes that no path saw, as `method: condition never outcome`."""
    return [
        f"{condition.method}: {condition.text} never {outcome}"
        for condition in conditions
        for outcome in (True, False)
        if (condition, outcome) not in outcomes
    ]
