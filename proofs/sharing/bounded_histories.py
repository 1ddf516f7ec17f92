"""Bounded histories of OrderedSharing, for CrossHair to confirm over all paths.

See `swagproof.proofs.in_order.bounded_histories`.  A step of 0 or more inserts itself, any other looks the largest
window up; at the end all windows are looked up.

Repeat one manually:

    ICONTRACT_SLOW=1 crosshair check --analysis_kind PEP316 --report_all --per_condition_timeout 100 \\
        swagproof.proofs.sharing.bounded_histories.ordered_sharing_history

The output must say "Confirmed over all paths": exit code 0 alone means only that no counterexample was found.  TimeGram
is left out: its fractions are not decided, not even for 3 inserts.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from swagproof.contracts.visible import Condition, enforced, invariants_of, require_all
from swagproof.reference.sharing.ordered_sharing import CheckedOrderedSharing, OrderedSharing

ORDERED_SHARING: Final = enforced(CheckedOrderedSharing)
"""The checked class, with contracts that CrossHair does not switch off."""


def looks_up_maxima(
    make: Callable[[], Any], steps: list[int], sizes: tuple[int, ...], invariants: Sequence[Condition] = ()
) -> bool:
    """Play a history on new windows of these sizes, the largest last, and compare each look-up with the definition.

    Raises AssertionError where an invariant does not hold after a step, or a method does not keep its contracts.
    """
    windows, stream = make(), list[int]()
    for size in sizes:
        windows.register(size)
    for step in [*steps, *(-size for size in sizes)]:
        if step >= 0:
            windows.insert(step)
            stream.append(step)
        else:
            size = -step if -step in sizes else sizes[-1]
            if windows.lookup(size) != max(stream[-size:], default=None):
                return False
        require_all(invariants, self=windows)
    return True


def ordered_sharing_history(steps: list[int]) -> bool:
    """OrderedSharing, up to 3 operations on windows of 1 and 3 tuples.

    pre: len(steps) <= 3
    post: _
    """
    return looks_up_maxima(OrderedSharing, steps, (1, 3))


def checked_ordered_sharing_history(steps: list[int]) -> bool:
    """OrderedSharing under its contracts, up to 2 operations on windows of 1 and 2 tuples.

    pre: len(steps) <= 2
    post: _
    """
    return looks_up_maxima(ORDERED_SHARING, steps, (1, 2), invariants_of(CheckedOrderedSharing))
