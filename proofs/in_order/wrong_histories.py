"""Histories of mutants, which CrossHair must refute: the controls of `swagproof.proofs.in_order.bounded_histories`.

Those that combine twice answer right: contracts refute them.  The mutants are made when the module is imported, as
CrossHair cannot run what makes them.
"""

from typing import Final

from swagproof.proofs.in_order import (
    bounded_histories,
    daba,
    daba_lite,
    recalculate,
    subtract_on_evict,
    two_stacks,
    two_stacks_lite,
)
from swagproof.proofs.in_order.bounded_histories import answers
from swagproof.reference.in_order.daba import Daba
from swagproof.reference.in_order.daba_lite import DabaLite
from swagproof.reference.in_order.recalculate import Recalculate
from swagproof.reference.in_order.subtract_on_evict import SubtractOnEvict
from swagproof.reference.in_order.two_stacks import TwoStacks
from swagproof.reference.in_order.two_stacks_lite import TwoStacksLite

TWO_STACKS_FLIP_SWAPPED: Final = two_stacks.FLIP_SWAPPED.of(TwoStacks)
TWO_STACKS_FLIP_KEEPS_OLDEST: Final = two_stacks.FLIP_KEEPS_OLDEST.of(TwoStacks)
TWO_STACKS_LITE_FLIP_SWAPPED: Final = two_stacks_lite.FLIP_SWAPPED.of(TwoStacksLite)
TWO_STACKS_LITE_KEEPS_BOUNDARY: Final = two_stacks_lite.KEEPS_BOUNDARY.of(TwoStacksLite)
DABA_SHRINK_SWAPPED: Final = daba.SHRINK_SWAPPED.of(Daba)
DABA_SKIPS_SHRINK: Final = daba.SKIPS_SHRINK.of(Daba)
DABA_LITE_SHRINK_SWAPPED: Final = daba_lite.SHRINK_SWAPPED.of(DabaLite)
DABA_LITE_FLIP_KEEPS_RA: Final = daba_lite.FLIP_KEEPS_RA.of(DabaLite)
RECALCULATE_QUERY_SWAPPED: Final = recalculate.QUERY_SWAPPED.of(Recalculate)
RECALCULATE_QUERY_SKIPS_FIRST: Final = recalculate.QUERY_SKIPS_FIRST.of(Recalculate)
SUBTRACT_ON_EVICT_INSERT_SWAPPED: Final = subtract_on_evict.INSERT_SWAPPED.of(SubtractOnEvict)
SUBTRACT_ON_EVICT_SUBTRACTS_SECOND: Final = subtract_on_evict.SUBTRACTS_SECOND.of(SubtractOnEvict)
TWO_STACKS_COMBINES_TWICE: Final = two_stacks.COMBINES_TWICE.checked(TwoStacks, bounded_histories.TWO_STACKS)
TWO_STACKS_LITE_COMBINES_TWICE: Final = two_stacks_lite.COMBINES_TWICE.checked(
    TwoStacksLite, bounded_histories.TWO_STACKS_LITE
)
DABA_COMBINES_TWICE: Final = daba.COMBINES_TWICE.checked(Daba, bounded_histories.DABA)
DABA_LITE_COMBINES_TWICE: Final = daba_lite.COMBINES_TWICE.checked(DabaLite, bounded_histories.DABA_LITE)
RECALCULATE_COMBINES_TWICE: Final = recalculate.COMBINES_ONCE_MORE.checked(Recalculate, bounded_histories.RECALCULATE)
SUBTRACT_ON_EVICT_COMBINES_TWICE: Final = subtract_on_evict.COMBINES_TWICE.checked(
    SubtractOnEvict, bounded_histories.SUBTRACT_ON_EVICT
)


def two_stacks_flip_swapped(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 8
    post: _
    """
    return answers(TWO_STACKS_FLIP_SWAPPED, steps)


def two_stacks_flip_keeps_oldest(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 8
    post: _
    """
    return answers(TWO_STACKS_FLIP_KEEPS_OLDEST, steps)


def two_stacks_lite_flip_swapped(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 8
    post: _
    """
    return answers(TWO_STACKS_LITE_FLIP_SWAPPED, steps)


def two_stacks_lite_keeps_boundary(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 8
    post: _
    """
    return answers(TWO_STACKS_LITE_KEEPS_BOUNDARY, steps)


def daba_shrink_swapped(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 8
    post: _
    """
    return answers(DABA_SHRINK_SWAPPED, steps)


def daba_skips_shrink(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 8
    post: _
    """
    return answers(DABA_SKIPS_SHRINK, steps)


def daba_lite_shrink_swapped(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 8
    post: _
    """
    return answers(DABA_LITE_SHRINK_SWAPPED, steps)


def daba_lite_flip_keeps_ra(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 8
    post: _
    """
    return answers(DABA_LITE_FLIP_KEEPS_RA, steps)


def recalculate_query_swapped(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 8
    post: _
    """
    return answers(RECALCULATE_QUERY_SWAPPED, steps)


def recalculate_query_skips_first(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 8
    post: _
    """
    return answers(RECALCULATE_QUERY_SKIPS_FIRST, steps)


def subtract_on_evict_insert_swapped(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 8
    post: _
    """
    return answers(SUBTRACT_ON_EVICT_INSERT_SWAPPED, steps)


def subtract_on_evict_subtracts_second(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 8
    post: _
    """
    return answers(SUBTRACT_ON_EVICT_SUBTRACTS_SECOND, steps)


def two_stacks_combines_twice(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 5
    post: _
    """
    return answers(TWO_STACKS_COMBINES_TWICE, steps)


def two_stacks_lite_combines_twice(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 5
    post: _
    """
    return answers(TWO_STACKS_LITE_COMBINES_TWICE, steps)


def daba_combines_twice(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 5
    post: _
    """
    return answers(DABA_COMBINES_TWICE, steps)


def daba_lite_combines_twice(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 5
    post: _
    """
    return answers(DABA_LITE_COMBINES_TWICE, steps)


def recalculate_combines_twice(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 5
    post: _
    """
    return answers(RECALCULATE_COMBINES_TWICE, steps)


def subtract_on_evict_combines_twice(steps: list[bool]) -> bool:
    """
    pre: len(steps) <= 5
    post: _
    """
    return answers(SUBTRACT_ON_EVICT_COMBINES_TWICE, steps)
