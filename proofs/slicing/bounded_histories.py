"""Bounded histories of panes and pairs, for CrossHair to confirm over all paths.

A history is a query, where in its period the stream begins, and how much later each record comes than the one before.
A function here plays it on an operator over the free monoid (tuples of numbers, so that order shows), and returns
whether each answer is the one by definition.  Its precondition bounds the history.  CrossHair runs the operator itself
on symbolic numbers: `choose` asks which number it is, so each path has one, as the operator divides by range and slide,
which CrossHair does not decide.  So "confirmed over all paths" covers every history within the bound.  The checked
classes run under all their contracts.  `swagproof.proofs.slicing.wrong_histories` plays mutants, which CrossHair must
refute.

Repeat one manually:

    ICONTRACT_SLOW=1 crosshair check --analysis_kind PEP316 --report_all --per_condition_timeout 100 \\
        swagproof.proofs.slicing.bounded_histories.pairs_history

The output must say "Confirmed over all paths": exit code 0 alone means only that no counterexample was found.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, Final

from swagproof.contracts.visible import Condition, enforced, invariants_of, require_all
from swagproof.models.operations import COLLECT
from swagproof.models.sliced import SlicedWindows
from swagproof.reference.slicing.pairs import CheckedPairs, Pairs
from swagproof.reference.slicing.panes import CheckedPanes, Panes


def choose(number: int, most: int) -> int:
    """Return the number, from 0 to `most`, as one that is known on each path."""
    return next(known for known in range(most + 1) if known == number)


def answers(
    make: Callable[..., Any], query: tuple[int, int], ahead: list[int], invariants: Sequence[Condition] = ()
) -> bool:
    """Play a history on a new operator, and compare each answer with the definition.

    Raises AssertionError where an invariant does not hold after a record, or a method does not keep its contracts.
    """
    query = choose(query[0], 3), choose(query[1], 3)
    sliced, model = make(COLLECT, [query]), SlicedWindows(COLLECT, [query])
    for number, t in enumerate(accumulate(choose(more, 3) for more in ahead)):
        if sliced.insert(t, (number,)) != model.advance(t):
            return False
        model.insert(t, (number,))
        require_all(invariants, self=sliced)
    return True


PANES: Final = enforced(CheckedPanes)
PAIRS: Final = enforced(CheckedPairs)
"""The checked classes, with contracts that CrossHair does not switch off."""


def panes_history(range: int, slide: int, ahead: list[int]) -> bool:
    """Panes of range and slide up to 3, up to 2 records, each up to 3 later than the one before.

    pre: 1 <= range <= 3 and 1 <= slide <= 3
    pre: len(ahead) <= 2 and all(0 <= more <= 3 for more in ahead)
    post: _
    """
    return answers(Panes, (range, slide), ahead)


def checked_panes_history(range: int, slide: int, ahead: list[int]) -> bool:
    """Panes under their contracts, of range and slide up to 2, up to 2 records, each up to 1 later.

    pre: 1 <= range <= 2 and 1 <= slide <= 2
    pre: len(ahead) <= 2 and all(0 <= more <= 1 for more in ahead)
    post: _
    """
    return answers(PANES, (range, slide), ahead, invariants_of(CheckedPanes))


def pairs_history(range: int, slide: int, ahead: list[int]) -> bool:
    """Pairs of range and slide up to 3, up to 2 records, each up to 3 later than the one before.

    pre: 1 <= range <= 3 and 1 <= slide <= 3
    pre: len(ahead) <= 2 and all(0 <= more <= 3 for more in ahead)
    post: _
    """
    return answers(Pairs, (range, slide), ahead)


def checked_pairs_history(range: int, slide: int, ahead: list[int]) -> bool:
    """Pairs under their contracts, of range and slide up to 2, up to 2 records, each up to 1 later.

    pre: 1 <= range <= 2 and 1 <= slide <= 2
    pre: len(ahead) <= 2 and all(0 <= more <= 1 for more in ahead)
    post: _
    """
    return answers(PAIRS, (range, slide), ahead, invariants_of(CheckedPairs))
