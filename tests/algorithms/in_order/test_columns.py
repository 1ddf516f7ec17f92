"""The in-order algorithms: state machines, mutants and claims, one class for each."""

from support.machines.columns import FifoAlgorithm, pytest_generate_mutants
from support.running.claims import AlgorithmClaims

from swagproof.reference.in_order.daba import CheckedDaba, Daba
from swagproof.reference.in_order.daba_lite import CheckedDabaLite, DabaLite
from swagproof.reference.in_order.recalculate import CheckedRecalculate, Recalculate
from swagproof.reference.in_order.subtract_on_evict import CheckedSubtractOnEvict, SubtractOnEvict
from swagproof.reference.in_order.two_stacks import CheckedTwoStacks, TwoStacks
from swagproof.reference.in_order.two_stacks_lite import CheckedTwoStacksLite, TwoStacksLite

pytest_generate_tests = pytest_generate_mutants


class TestRecalculate(FifoAlgorithm, AlgorithmClaims):
    algorithm, checked = Recalculate, CheckedRecalculate


class TestSubtractOnEvict(FifoAlgorithm, AlgorithmClaims):
    algorithm, checked = SubtractOnEvict, CheckedSubtractOnEvict


class TestTwoStacks(FifoAlgorithm, AlgorithmClaims):
    algorithm, checked = TwoStacks, CheckedTwoStacks


class TestTwoStacksLite(FifoAlgorithm, AlgorithmClaims):
    algorithm, checked = TwoStacksLite, CheckedTwoStacksLite


class TestDaba(FifoAlgorithm, AlgorithmClaims):
    algorithm, checked = Daba, CheckedDaba


class TestDabaLite(FifoAlgorithm, AlgorithmClaims):
    algorithm, checked = DabaLite, CheckedDabaLite
