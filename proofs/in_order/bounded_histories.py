"""Bounded histories of the in-order algorithms, for CrossHair to confirm over all paths.

A history is a list of steps: True inserts the next letter, False evicts the oldest where there is one.  A law plays it
on an algorithm over the free monoid (tuples of numbers, so that order shows), and returns whether the answer at the
end is the window by definition.  CrossHair runs the algorithm itself on a symbolic list, so "confirmed over all paths"
covers every history within the bound.  The checked classes run under all their contracts.
`swagproof.proofs.in_order.wrong_histories` plays mutants, which CrossHair must refute.

Repeat one manually:

    ICONTRACT_SLOW=1 crosshair check --analysis_kind PEP316 --report_all --per_condition_timeout 100 \\
        swagproof.proofs.in_order.bounded_histories.daba_history

The output must say "Confirmed over all paths": exit code 0 alone means only that no counterexample was found.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from swagproof.contracts.visible import Condition, enforced, invariants_of, require_all
from swagproof.models.fifo import Fifo
from swagproof.models.operations import COLLECT
from swagproof.reference.in_order.daba import CheckedDaba, Daba
from swagproof.reference.in_order.daba_lite import CheckedDabaLite, DabaLite
from swagproof.reference.in_order.recalculate import CheckedRecalculate, Recalculate
from swagproof.reference.in_order.subtract_on_evict import CheckedSubtractOnEvict, SubtractOnEvict
from swagproof.reference.in_order.two_stacks import CheckedTwoStacks, TwoStacks
from swagproof.reference.in_order.two_stacks_lite import CheckedTwoStacksLite, TwoStacksLite


def answers(make: Callable[[Any], Fifo[Any]], steps: list[bool], invariants: Sequence[Condition] = ()) -> bool:
    """Play a history on a new window, and compare the answer at its end with the definition."""
    window = make(COLLECT)
    return answers_at_end(window, sum(play(window, letters(steps)), ()), invariants)


def letters(steps: list[bool]) -> Iterator[tuple[int, ...] | None]:
    """List the letters of a history; None for an evict."""
    return ((number,) if inserts else None for number, inserts in enumerate(steps))


def play(window: Any, values: Iterable[Any]) -> list[Any]:
    """Insert these values; None evicts the oldest, if there is one.  Return the elements by definition."""
    elements = list[Any]()
    for value in values:
        if value is not None:
            window.insert(value)
            elements.append(value)
        elif elements:
            window.evict()
            del elements[0]
    return elements


def answers_at_end(window: Any, expected: Any, invariants: Sequence[Condition] = ()) -> bool:
    """Compare the answer of a window with that by definition.

    Raises AssertionError where an invariant does not hold before the query or after it.  What a history begins with is
    a history, too, so every state is seen.
    """
    require_all(invariants, self=window)
    is_right = window.query() == expected
    require_all(invariants, self=window)
    return bool(is_right)


Play = Callable[[Any, list[bool], Sequence[Condition]], bool]


def history(make: Callable[..., Any], longest: int = 8, play: Play = answers) -> Callable[[list[bool]], bool]:
    """Return the law that an algorithm answers rightly after every history of up to `longest` steps."""

    def law(steps: list[bool]) -> bool:
        """post: _"""
        return len(steps) > longest or play(make, steps, ())

    return law


def checked_history(checked: type[Any], longest: int = 5, play: Play = answers) -> Callable[[list[bool]], bool]:
    """Return the same law under contracts, which CrossHair does not switch off."""
    made, invariants = enforced(checked), invariants_of(checked)

    def law_under_contracts(steps: list[bool]) -> bool:
        """post: _"""
        return len(steps) > longest or play(made, steps, invariants)

    return law_under_contracts


two_stacks_history = history(TwoStacks)
checked_two_stacks_history = checked_history(CheckedTwoStacks)
two_stacks_lite_history = history(TwoStacksLite)
checked_two_stacks_lite_history = checked_history(CheckedTwoStacksLite)
daba_history = history(Daba)
checked_daba_history = checked_history(CheckedDaba)
daba_lite_history = history(DabaLite)
checked_daba_lite_history = checked_history(CheckedDabaLite)
recalculate_history = history(Recalculate)
checked_recalculate_history = checked_history(CheckedRecalculate)
subtract_on_evict_history = history(SubtractOnEvict)
checked_subtract_on_evict_history = checked_history(CheckedSubtractOnEvict)
