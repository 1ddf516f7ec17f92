"""Laws of exact division and of the pointer step: correct ones for CrossHair to confirm, wrong ones for it to refute.

A law is a function that returns whether it holds for its arguments (`post: _`), if they meet its precondition (`pre:`).
All other laws of operations run over the engine's symbolic values (swagproof.proofs.operations.every_operation), which
include neither Fractions nor inverses modulo a prime.
"""

from dataclasses import replace
from typing import Any, Final

from swagproof.models.containers.deque import CHUNK, place
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


# The pointer step


def place_keeps_the_position(offset: int, steps: int) -> bool:
    """post: _"""
    chunks, there = place(offset, steps)
    return chunks * CHUNK + there == offset + steps


def place_stays_in_a_chunk(offset: int, steps: int) -> bool:
    """post: _"""
    _, there = place(offset, steps)
    return 0 <= there < CHUNK


def one_step_crosses_at_most_one_boundary(offset: int) -> bool:
    """
    pre: 0 <= offset < CHUNK
    post: _
    """
    return place(offset, 1)[0] in (0, 1) and place(offset, -1)[0] in (0, -1)


def a_step_on_and_a_step_back_lead_home(offset: int, steps: int) -> bool:
    """
    pre: 0 <= offset < CHUNK
    post: _
    """
    on, there = place(offset, steps)
    back, home = place(there, -steps)
    return (on + back, home) == (0, offset)


def place_that_divides_towards_zero(offset: int, steps: int) -> bool:
    """
    pre: 0 <= offset < CHUNK
    post: _
    """
    chunks = int((offset + steps) / CHUNK)
    return 0 <= offset + steps - chunks * CHUNK < CHUNK


def place_that_crosses_one_late(offset: int, steps: int) -> bool:
    """post: _"""
    chunks, there = divmod(offset + steps, CHUNK + 1)
    return chunks * CHUNK + there == offset + steps


def place_that_stays_beyond_the_last_slot(offset: int, steps: int) -> bool:
    """post: _"""
    _, there = divmod(offset + steps, CHUNK + 1)
    return 0 <= there < CHUNK


def a_step_back_that_is_one_short(offset: int, steps: int) -> bool:
    """
    pre: 0 <= offset < CHUNK
    post: _
    """
    on, there = place(offset, steps)
    back, home = place(there, 1 - steps)
    return (on + back, home) == (0, offset)
