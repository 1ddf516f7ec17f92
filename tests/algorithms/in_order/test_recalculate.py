"""The column of Recalculate through the house."""

from support.columns import FifoAlgorithm, pytest_generate_variants

from swagproof.proofs.in_order import recalculate
from swagproof.reference.catalogue import RECALCULATE

pytest_generate_tests = pytest_generate_variants


class TestRecalculate(FifoAlgorithm):
    column = RECALCULATE
    wrong = recalculate.WRONG
