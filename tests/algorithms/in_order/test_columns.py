"""The columns of the in-order algorithms through the house."""

from support.columns import FifoAlgorithm, pytest_generate_variants

from swagproof.proofs.in_order import daba, daba_lite, recalculate, subtract_on_evict, two_stacks, two_stacks_lite
from swagproof.reference.catalogue import (
    DABA,
    DABA_LITE,
    RECALCULATE,
    SUBTRACT_ON_EVICT,
    TWO_STACKS,
    TWO_STACKS_LITE,
)

pytest_generate_tests = pytest_generate_variants


class TestRecalculate(FifoAlgorithm):
    column, wrong = RECALCULATE, recalculate.WRONG


class TestSubtractOnEvict(FifoAlgorithm):
    column, wrong = SUBTRACT_ON_EVICT, subtract_on_evict.WRONG


class TestTwoStacks(FifoAlgorithm):
    column, wrong = TWO_STACKS, two_stacks.WRONG


class TestTwoStacksLite(FifoAlgorithm):
    column, wrong = TWO_STACKS_LITE, two_stacks_lite.WRONG


class TestDaba(FifoAlgorithm):
    column, wrong = DABA, daba.WRONG


class TestDabaLite(FifoAlgorithm):
    column, wrong = DABA_LITE, daba_lite.WRONG
