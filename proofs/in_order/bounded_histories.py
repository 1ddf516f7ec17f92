"""Bounded histories of the in-order algorithms, for CrossHair to confirm over all paths.

A history is a list of steps: True inserts the next letter, False evicts the oldest where there is one.  A function here
plays it on an algorithm over the free monoid (tuples of numbers, so that order shows), and returns whether the answer
at the end is the window by definition.  Its precondition bounds the history.  CrossHair runs the algorithm itself on a
symbolic list, so "confirmed over all paths" covers every history within the bound.  The checked classes run under all
their contracts.  `swagproof.proofs.in_order.wrong_histories` plays mutants, which CrossHair must refute.

Repeat one manually:

    ICONTRACT_SLOW=1 crosshair check --analysis_kind PEP316 --report_all --per_condition_timeout 100 \\
        swagproof.proofs.in_order.bounded_histories.daba_history

The output must say "Confirmed over all paths": exit code 0 alone means only that no counterexample was found.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

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


TWO_STACKS: Final = enforced(CheckedTwoStacks)
TWO_STACKS_LITE: Final = enforced(CheckedTwoStacksLite)
DABA: Final = enforced(CheckedDaba)
DABA_LITE: Final = enforced(CheckedDabaLite)
RECALCULATE: Final = enforced(CheckedRecalculate)
SUBTRACT_ON_EVICT: Final = enforced(CheckedSubtractOnEvict)
"""The checked classes, with contracts that CrossHair does not switch off."""


def two_stacks_history(steps: list[bool]) -> bool:
    """Two-Stacks, up to 8 operations.

    pre: len(steps) <= 8
    post: _
    """
    return answers(TwoStacks, steps)


def checked_two_stacks_history(steps: list[bool]) -> bool:
    """Two-Stacks under its contracts, up to 5 operations.

    pre: len(steps) <= 5
    post: _
    """
    return answers(TWO_STACKS, steps, invariants_of(CheckedTwoStacks))


def two_stacks_lite_history(steps: list[bool]) -> bool:
    """Two-Stacks Lite, up to 8 operations.

    pre: len(steps) <= 8
    post: _
    """
    return answers(TwoStacksLite, steps)


def checked_two_stacks_lite_history(steps: list[bool]) -> bool:
    """Two-Stacks Lite under its contracts, up to 5 operations.

    pre: len(steps) <= 5
    post: _
    """
    return answers(TWO_STACKS_LITE, steps, invariants_of(CheckedTwoStacksLite))


def daba_history(steps: list[bool]) -> bool:
    """DABA, up to 8 operations.

    pre: len(steps) <= 8
    post: _
    """
    return answers(Daba, steps)


def checked_daba_history(steps: list[bool]) -> bool:
    """DABA under its contracts, up to 5 operations.

    pre: len(steps) <= 5
    post: _
    """
    return answers(DABA, steps, invariants_of(CheckedDaba))


def daba_lite_history(steps: list[bool]) -> bool:
    """DABA Lite, up to 8 operations.

    pre: len(steps) <= 8
    post: _
    """
    return answers(DabaLite, steps)


def checked_daba_lite_history(steps: list[bool]) -> bool:
    """DABA Lite under its contracts, up to 5 operations.

    pre: len(steps) <= 5
    post: _
    """
    return answers(DABA_LITE, steps, invariants_of(CheckedDabaLite))


def recalculate_history(steps: list[bool]) -> bool:
    """Recalculate-from-scratch, up to 8 operations.

    pre: len(steps) <= 8
    post: _
    """
    return answers(Recalculate, steps)


def checked_recalculate_history(steps: list[bool]) -> bool:
    """Recalculate-from-scratch under its contracts, up to 5 operations.

    pre: len(steps) <= 5
    post: _
    """
    return answers(RECALCULATE, steps, invariants_of(CheckedRecalculate))


def subtract_on_evict_history(steps: list[bool]) -> bool:
    """Subtract-on-evict, up to 8 operations.

    pre: len(steps) <= 8
    post: _
    """
    return answers(SubtractOnEvict, steps)


def checked_subtract_on_evict_history(steps: list[bool]) -> bool:
    """Subtract-on-evict under its contracts, up to 5 operations.

    pre: len(steps) <= 5
    post: _
    """
    return answers(SUBTRACT_ON_EVICT, steps, invariants_of(CheckedSubtractOnEvict))
