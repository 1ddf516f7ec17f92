"""The column of TwoStacksLite through the house."""

from support.columns import FifoAlgorithm, pytest_generate_variants

from swagproof.proofs.in_order import two_stacks_lite
from swagproof.reference.catalogue import TWO_STACKS_LITE

pytest_generate_tests = pytest_generate_variants


class TestTwoStacksLite(FifoAlgorithm):
    column = TWO_STACKS_LITE
    wrong = two_stacks_lite.WRONG
