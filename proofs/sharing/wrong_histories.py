"""Histories of mutants, which CrossHair must refute: the controls of `swagproof.proofs.sharing.bounded_histories`.

The mutants are made when the module is imported, as CrossHair cannot run what makes them.
"""

from typing import Final

from swagproof.proofs.sharing import bounded_histories
from swagproof.proofs.sharing.bounded_histories import looks_up_maxima
from swagproof.proofs.sharing.ordered_sharing import VALID_TOO_LONG, WRONG
from swagproof.reference.sharing.ordered_sharing import OrderedSharing

TOO_LONG: Final = VALID_TOO_LONG.of(OrderedSharing)
ASKS_FOUR_TIMES: Final = WRONG.get("lookup asks four times whether the window is valid").checked(
    OrderedSharing, bounded_histories.ORDERED_SHARING
)


def ordered_sharing_valid_too_long(steps: list[int]) -> bool:
    """
    pre: len(steps) <= 3
    post: _
    """
    return looks_up_maxima(TOO_LONG, steps, (1, 3))


def ordered_sharing_asks_four_times(steps: list[int]) -> bool:
    """
    pre: len(steps) <= 2
    post: _
    """
    return looks_up_maxima(ASKS_FOUR_TIMES, steps, (1, 2))
