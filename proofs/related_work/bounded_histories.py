"""Bounded histories of FlatFIT and SlickDeque, for CrossHair to confirm over all paths.

See `swagproof.proofs.in_order.bounded_histories`.  FlatFIT is played over the free monoid, SlickDeque over the maximum
of numbers that CrossHair chooses: a step of 0 or more inserts itself, any other evicts.  The look-ups ask for any
number of newest elements at the end.

Repeat one manually:

    ICONTRACT_SLOW=1 crosshair check --analysis_kind PEP316 --report_all --per_condition_timeout 100 \\
        swagproof.proofs.related_work.bounded_histories.flat_fit_history

The output must say "Confirmed over all paths": exit code 0 alone means only that no counterexample was found.
"""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, Final

from swagproof.contracts.visible import Condition, enforced, invariants_of
from swagproof.models.operations import COLLECT, MAX
from swagproof.proofs.in_order.bounded_histories import answers, answers_at_end, letters, play
from swagproof.reference.related_work.flat_fit import CheckedFlatFit, FlatFit
from swagproof.reference.related_work.slick_deque import CheckedSlickDeque, SlickDeque

FLAT_FIT: Final = enforced(CheckedFlatFit)
SLICK_DEQUE: Final = enforced(CheckedSlickDeque)
"""The checked classes, with contracts that CrossHair does not switch off."""


def looks_up(window: Any, elements: Sequence[Any], newest: int) -> bool:
    """Compare a look-up with the definition; one of more elements than there are is not made."""
    if not 0 <= newest <= len(elements):
        return True
    product = reduce(window.monoid.combine, elements[len(elements) - newest :], window.monoid.identity)
    return bool(window.lookup(newest) == product)


def looks_up_letters(make: Callable[[Any], Any], steps: list[bool], newest: int) -> bool:
    """Play a history over the free monoid, and look up."""
    window = make(COLLECT)
    return looks_up(window, play(window, letters(steps)), newest)


def answers_numbers(
    make: Callable[[Any], Any], steps: list[int], newest: int | None = None, invariants: Sequence[Condition] = ()
) -> bool:
    """Play a history over the maximum, and compare the query, or a look-up, with the definition."""
    window = make(MAX)
    elements = play(window, (step if step >= 0 else None for step in steps))
    if newest is not None:
        return looks_up(window, elements, newest)
    return answers_at_end(window, max(elements, default=None), invariants)


def flat_fit_history(steps: list[bool]) -> bool:
    """FlatFIT, up to 8 operations.

    pre: len(steps) <= 8
    post: _
    """
    return answers(FlatFit, steps)


def flat_fit_lookups(steps: list[bool], newest: int) -> bool:
    """FlatFIT, up to 5 operations and a look-up.

    pre: len(steps) <= 5
    post: _
    """
    return looks_up_letters(FlatFit, steps, newest)


def checked_flat_fit_history(steps: list[bool]) -> bool:
    """FlatFIT under its contracts, up to 5 operations.

    pre: len(steps) <= 5
    post: _
    """
    return answers(FLAT_FIT, steps, invariants_of(CheckedFlatFit))


def slick_deque_history(steps: list[int]) -> bool:
    """SlickDeque, up to 5 operations.

    pre: len(steps) <= 5
    post: _
    """
    return answers_numbers(SlickDeque, steps)


def slick_deque_lookups(steps: list[int], newest: int) -> bool:
    """SlickDeque, up to 3 operations and a look-up.

    pre: len(steps) <= 3
    post: _
    """
    return answers_numbers(SlickDeque, steps, newest)


def checked_slick_deque_history(steps: list[int]) -> bool:
    """SlickDeque under its contracts, up to 3 operations.

    pre: len(steps) <= 3
    post: _
    """
    return answers_numbers(SLICK_DEQUE, steps, invariants=invariants_of(CheckedSlickDeque))
