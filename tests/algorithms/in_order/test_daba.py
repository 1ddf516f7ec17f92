"""The column of Daba through the house."""

from support.columns import FifoAlgorithm, pytest_generate_variants

from swagproof.proofs.in_order import daba
from swagproof.reference.catalogue import DABA

pytest_generate_tests = pytest_generate_variants


class TestDaba(FifoAlgorithm):
    column = DABA
    wrong = daba.WRONG
