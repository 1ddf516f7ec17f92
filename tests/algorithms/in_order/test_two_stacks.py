"""The column of TwoStacks through the house."""

from support.columns import FifoAlgorithm, pytest_generate_variants

from swagproof.proofs.in_order import two_stacks
from swagproof.reference.catalogue import TWO_STACKS

pytest_generate_tests = pytest_generate_variants


class TestTwoStacks(FifoAlgorithm):
    column = TWO_STACKS
    wrong = two_stacks.WRONG
