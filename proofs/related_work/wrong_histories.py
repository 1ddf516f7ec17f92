"""Histories of mutants, which CrossHair must refute: the controls of `swagproof.proofs.related_work.bounded_histories`.

Those that combine in vain answer right, and the first answer of the one that moves the pointer alone is right, too:
contracts refute them.  The mutants are made when the module is imported, as CrossHair cannot run what makes them.
"""

from typing import Final

from swagproof.contracts.visible import invariants_of
from swagproof.proofs.in_order.bounded_histories import answers
from swagproof.proofs.related_work import bounded_histories
from swagproof.proofs.related_work.bounded_histories import answers_numbers, looks_up_letters
from swagproof.proofs.related_work.techniques import WRONG_FIT, WRONG_SLICK
from swagproof.reference.related_work.flat_fit import CheckedFlatFit, FlatFit
from swagproof.reference.related_work.slick_deque import SlickDeque

FIT_BACKWARDS: Final = WRONG_FIT.get("a query combines backwards").of(FlatFit)
FIT_MOVES_THE_POINTER: Final = WRONG_FIT.get("the pointer moves on, the partial aggregate does not").checked(
    FlatFit, bounded_histories.FLAT_FIT
)
FIT_NEWEST_FIRST: Final = WRONG_FIT.get("the newest comes first").of(FlatFit)
FIT_IN_VAIN: Final = WRONG_FIT.get("insert combines in vain").checked(FlatFit, bounded_histories.FLAT_FIT)
SLICK_REMOVES_ONE: Final = WRONG_SLICK.get("at most one candidate is removed").of(SlickDeque)
SLICK_ONE_TOO_SHORT: Final = WRONG_SLICK.get("a look-up is one too short").of(SlickDeque)
SLICK_IN_VAIN: Final = WRONG_SLICK.get("evict combines in vain").checked(SlickDeque, bounded_histories.SLICK_DEQUE)


def flat_fit_backwards(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 8
    post: _
    """
    return answers(FIT_BACKWARDS, steps)


def flat_fit_moves_the_pointer(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 5
    post: _
    """
    return answers(FIT_MOVES_THE_POINTER, steps, invariants_of(CheckedFlatFit))


def flat_fit_newest_first(steps: list[bool], newest: int) -> bool:
    """
    pre: len(steps) <= 5
    post: _
    """
    return looks_up_letters(FIT_NEWEST_FIRST, steps, newest)


def flat_fit_in_vain(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 5
    post: _
    """
    return answers(FIT_IN_VAIN, steps)


def slick_deque_removes_one(steps: list[int]) -> bool:
    """
    pre: len(steps) <= 5
    post: _
    """
    return answers_numbers(SLICK_REMOVES_ONE, steps)


def slick_deque_one_too_short(steps: list[int], newest: int) -> bool:
    """
    pre: len(steps) <= 3
    post: _
    """
    return answers_numbers(SLICK_ONE_TOO_SHORT, steps, newest)


def slick_deque_in_vain(steps: list[int]) -> bool:
    """
    pre: len(steps) <= 3
    post: _
    """
    return answers_numbers(SLICK_IN_VAIN, steps)
