"""The column of Daba through the house."""

from columns import FifoAlgorithm, pytest_generate_variants

from swagproof.proofs import daba
from swagproof.reference.catalogue import DABA

pytest_generate_tests = pytest_generate_variants


class TestDaba(FifoAlgorithm):
    column = DABA
    proofs = daba
