"""Laws of exact division: correct ones for CrossHair to confirm, wrong ones for it to refute.

A law is a function that returns whether it holds for its arguments (`post: _`), if they meet its precondition (`pre:`).
All other laws of operations run over the engine's symbolic values (swagproof.proofs.operations.every_operation), which
include neither Fractions nor inverses modulo a prime.
"""

from dataclasses import replace
from typing import Any, Final

from swagproof.models.operations import AFFINE, GEOMETRIC_MEAN, PRIME, Operation  # noqa: F401  # PRIME is read in a precondition

KEEPS_COUNT: Final = replace(GEOMETRIC_MEAN, remove=lambda a, ab: (ab[0], ab[1] // a[1]))


def removes(operation: Operation[Any, Any, Any], a: Any, b: Any) -> bool:
    """remove(a, combine(a, b)) = b"""
    return operation.remove is not None and bool(operation.remove(a, operation.combine(a, b)) == b)


def geometric_mean_removes_the_oldest(a: tuple[int, int], b: tuple[int, int]) -> bool:
    """
    pre: a[1] > 0 and b[1] > 0
    post: _
    """
    return removes(GEOMETRIC_MEAN, a, b)


def affine_removes_the_oldest(s: int, t: int) -> bool:
    """Two slopes, any shifts.

    pre: 0 <= t < PRIME
    post: _
    """
    return removes(AFFINE, (7, s), (8, t))


def geometric_mean_keeps_the_count(a: tuple[int, int], b: tuple[int, int]) -> bool:
    """
    pre: a[1] > 0 and b[1] > 0
    post: _
    """
    return removes(KEEPS_COUNT, a, b)


def affine_removes_on_the_wrong_side(r: int, s: int) -> bool:
    """post: _"""
    a, b = AFFINE.lift((7, r)), AFFINE.lift((8, s))
    assert AFFINE.remove is not None
    return AFFINE.combine(AFFINE.combine(a, b), AFFINE.remove(a, AFFINE.identity)) == b
