"""The column of SubtractOnEvict through the house."""

from support.columns import FifoAlgorithm, pytest_generate_variants

from swagproof.proofs.in_order import subtract_on_evict
from swagproof.reference.catalogue import SUBTRACT_ON_EVICT

pytest_generate_tests = pytest_generate_variants


class TestSubtractOnEvict(FifoAlgorithm):
    column = SUBTRACT_ON_EVICT
    wrong = subtract_on_evict.WRONG
