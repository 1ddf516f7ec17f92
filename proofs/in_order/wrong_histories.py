"""Histories of mutants, which CrossHair must refute: the controls of `swagproof.proofs.in_order.bounded_histories`.

Those that combine twice answer right: contracts refute them.  The mutants are made when the module is imported, as
CrossHair cannot run what makes them.
"""

from collections.abc import Callable
from typing import Any

from swagproof.contracts.visible import enforced
from swagproof.proofs.in_order import daba, daba_lite, recalculate, subtract_on_evict, two_stacks, two_stacks_lite
from swagproof.proofs.in_order.bounded_histories import Play, answers, history
from swagproof.proofs.ledger.variants import Variant
from swagproof.reference.in_order.daba import CheckedDaba, Daba
from swagproof.reference.in_order.daba_lite import CheckedDabaLite, DabaLite
from swagproof.reference.in_order.recalculate import CheckedRecalculate, Recalculate
from swagproof.reference.in_order.subtract_on_evict import CheckedSubtractOnEvict, SubtractOnEvict
from swagproof.reference.in_order.two_stacks import CheckedTwoStacks, TwoStacks
from swagproof.reference.in_order.two_stacks_lite import CheckedTwoStacksLite, TwoStacksLite


def wrong_under_contracts(
    mutant: Variant, algorithm: type[Any], checked: type[Any], longest: int = 5, play: Play = answers
) -> Callable[[list[bool]], bool]:
    """Return the law that a mutant answers rightly under the contracts of its algorithm."""
    return history(mutant.checked(algorithm, enforced(checked)), longest, play)


two_stacks_flip_swapped = history(two_stacks.FLIP_SWAPPED.of(TwoStacks))
two_stacks_flip_keeps_oldest = history(two_stacks.FLIP_KEEPS_OLDEST.of(TwoStacks))
two_stacks_combines_twice = wrong_under_contracts(two_stacks.COMBINES_TWICE, TwoStacks, CheckedTwoStacks)
two_stacks_lite_flip_swapped = history(two_stacks_lite.FLIP_SWAPPED.of(TwoStacksLite))
two_stacks_lite_keeps_boundary = history(two_stacks_lite.KEEPS_BOUNDARY.of(TwoStacksLite))
two_stacks_lite_combines_twice = wrong_under_contracts(
    two_stacks_lite.COMBINES_TWICE, TwoStacksLite, CheckedTwoStacksLite
)
daba_shrink_swapped = history(daba.SHRINK_SWAPPED.of(Daba))
daba_skips_shrink = history(daba.SKIPS_SHRINK.of(Daba))
daba_combines_twice = wrong_under_contracts(daba.COMBINES_TWICE, Daba, CheckedDaba)
daba_lite_shrink_swapped = history(daba_lite.SHRINK_SWAPPED.of(DabaLite))
daba_lite_flip_keeps_ra = history(daba_lite.FLIP_KEEPS_RA.of(DabaLite))
daba_lite_combines_twice = wrong_under_contracts(daba_lite.COMBINES_TWICE, DabaLite, CheckedDabaLite)
recalculate_query_swapped = history(recalculate.QUERY_SWAPPED.of(Recalculate))
recalculate_query_skips_first = history(recalculate.QUERY_SKIPS_FIRST.of(Recalculate))
recalculate_combines_twice = wrong_under_contracts(recalculate.COMBINES_ONCE_MORE, Recalculate, CheckedRecalculate)
subtract_on_evict_insert_swapped = history(subtract_on_evict.INSERT_SWAPPED.of(SubtractOnEvict))
subtract_on_evict_subtracts_second = history(subtract_on_evict.SUBTRACTS_SECOND.of(SubtractOnEvict))
subtract_on_evict_combines_twice = wrong_under_contracts(
    subtract_on_evict.COMBINES_TWICE, SubtractOnEvict, CheckedSubtractOnEvict
)
