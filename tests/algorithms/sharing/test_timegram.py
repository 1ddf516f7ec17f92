"""TimeGram: machines, mutants, claims, and the paper's example."""

import itertools
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import rule
from support.machines.columns import pytest_generate_mutants
from support.machines.shared import SharedAlgorithm
from support.machines.shared_machine import SharedMachine
from support.running.claims import AlgorithmClaims

from swagproof.contracts.sharing import timegram as contract
from swagproof.models.operations import SUM
from swagproof.proofs.errata.wang_2005_timegram import PLACES, STREAM, UNIFORM_BUCKETS
from swagproof.proofs.sharing import timegram
from swagproof.reference.sharing.timegram import CheckedTimeGram, TimeGram

pytest_generate_tests = pytest_generate_mutants

VALUES = (-7, -1, 0, Fraction(1, 3), 1, 2, 3, Fraction(7, 2), 4, 5, 60)
LOOKUPS = ("max", "min", "count", "sum", "avg")


class Asked:
    """A TimeGram whose five lookups all run, as an implementation of shared windows."""

    def __init__(self, make: type[TimeGram]) -> None:
        self.gram = make(0, 4, 2)
        self.register, self.insert, self.widen = self.gram.register, self.gram.insert, self.gram.widen

    def lookup(self, size: int) -> dict[str, Any]:
        return {name: getattr(self.gram, name)(size) for name in LOOKUPS}


def contain_all(answer: dict[str, Any], window: list[Any]) -> bool:
    return (
        contract.max_contains(answer["max"], window)
        and contract.min_contains(answer["min"], window)
        and contract.count_is(answer["count"], window)
        and contract.sum_contains(answer["sum"], window)
        and contract.avg_contains(answer["avg"], window)
    )


class TimeGramMachine(SharedMachine):
    """A machine that calls all five lookups at a time; each returns bounds."""

    def agrees(self, answer: dict[str, Any], exact: Any, window: list[Any]) -> bool:
        return contain_all(answer, window)

    @rule(times=st.integers(1, 3))
    def widen(self, times: int) -> None:
        """Make the buckets wider."""
        self.subject.widen(times)  # type: ignore[attr-defined]  # of a TimeGram


class TestTimeGram(SharedAlgorithm, AlgorithmClaims):
    algorithm, checked = TimeGram, CheckedTimeGram
    cases = ((SUM, VALUES),)
    driver = TimeGramMachine
    unseen = timegram.WRONG.pick(
        "timestamps are never removed",
        "empty buckets are kept",
        "a bucket's left boundary is its lower neighbour's",
        "the home of the oldest timestamp stays",
    )

    def built(self, made: type[Any], operation: Any) -> Any:
        return Asked(made)


# The paper's example (section 3.2.4), as corrected (errata TG-1, TG-2)


def example() -> TimeGram:
    gram = CheckedTimeGram(-10, 10, buckets=5)
    for size in (4, 3, 2):
        gram.register(size)
    return gram


def test_the_example_places_every_tuple() -> None:
    gram = example()
    for number, (value, place) in enumerate(zip(STREAM, PLACES, strict=True), 1):
        gram.insert(value)
        held = {ts: bucket.index + 1 for bucket in gram.buckets for ts in bucket.timestamps}
        assert held[number] == place
        assert len(held) == min(number, 4)
    assert {bucket.index + 1: list(bucket.timestamps) for bucket in gram.buckets} == {2: [7], 4: [4, 5], 5: [6]}


def test_the_example_answers_its_queries() -> None:
    gram = example()
    for value in STREAM:
        gram.insert(value)
    assert gram.sum(4) == (2 + 2 + 6 - 6, 6 + 6 + 10 - 2)  # exactly 11
    assert gram.max(3) == (6, 10)  # exactly 7
    assert gram.avg(2) == (0, 4)  # exactly 2
    assert (gram.count(4), gram.count(2)) == (4, 2)
    assert gram.min(3) == (-6, -2)


def test_the_example_s_buckets() -> None:
    gram = example()
    assert [gram.boundaries(index) for index in range(5)] == list(UNIFORM_BUCKETS)
    assert gram.bucket_of(-10) == 0
    assert gram.bucket_of(10) == 4
    assert gram.boundaries(gram.bucket_of(11)) == (10, 14)
    assert gram.boundaries(gram.bucket_of(-11)) == (-14, -10)


def test_no_tuples_no_bounds() -> None:
    gram = example()
    assert (gram.max(2), gram.min(2), gram.count(2), gram.sum(2), gram.avg(2)) == (None, None, 0, (0, 0), None)


def test_wider_buckets_contain_what_they_held() -> None:
    for stream, times in itertools.product(itertools.product((-3, 0, 2, 3, 4, 9), repeat=3), (1, 2, 3, 5)):
        gram = TimeGram(0, 4, 4)
        gram.register(3)
        for value in stream[:2]:
            gram.insert(value)
        gram.widen(times)
        gram.insert(stream[2])
        answers = Asked(TimeGram)
        answers.gram = gram
        assert contain_all(answers.lookup(3), list(stream))
        assert gram.width == times
