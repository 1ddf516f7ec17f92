"""The column of DabaLite through the house."""

from support.columns import FifoAlgorithm, pytest_generate_variants

from swagproof.proofs.in_order import daba_lite
from swagproof.reference.catalogue import DABA_LITE

pytest_generate_tests = pytest_generate_variants


class TestDabaLite(FifoAlgorithm):
    column = DABA_LITE
    wrong = daba_lite.WRONG
