"""Diagnoses in a verdict: the name of the likely mistake, if one fits."""

from typing import Any

import pytest
from subjects.right import ListWindow as Window
from subjects.wrong import ForgetsToInvalidate

from swagproof.oracle.domain import domain
from swagproof.oracle.judge import judge, replay
from swagproof.oracle.mistakes import InOrder, Shared
from swagproof.oracle.subject import Subject
from swagproof.oracle.trace import Trace, parse
from swagproof.oracle.verdict import Verdict


class LosesTheFirstOfARefill(Window):
    emptied = False

    def evict(self) -> None:
        super().evict()
        self.emptied = not self.values

    def insert(self, v: Any) -> None:
        if self.emptied:
            self.emptied = False
            v = self.monoid.identity
        super().insert(v)


class StaleAfterEvict(Window):
    answer: Any = None

    def insert(self, v: Any) -> None:
        super().insert(v)
        self.answer = None

    def query(self) -> Any:
        if self.answer is None:
            self.answer = super().query()
        return self.answer


class DropsTheNewestBeyond200(Window):
    def query(self) -> Any:
        if len(self.values) > 200:
            self.values.pop()
        return super().query()


class KeepsOneBeyond600(Window):
    last: Any = None

    def evict(self) -> None:
        self.last = self.values[0]
        super().evict()

    def query(self) -> Any:
        if len(self.values) > 600 and self.last is not None:
            return self.monoid.combine(self.last, super().query())
        return super().query()


def verdict(made: type[Window]) -> Verdict:
    return judge(Subject(made.__name__, made), [domain("concatenation")], seed=0).verdict


@pytest.mark.drawn(2)
@pytest.mark.parametrize(
    ("made", "diagnosis", "sentence"),
    [
        (
            LosesTheFirstOfARefill,
            "lost after refill",
            'the answer lacks "b", the only element; it had been empty before',
        ),
        (StaleAfterEvict, "stale after evict", 'query answers "a" again, as before the evict'),
        (ForgetsToInvalidate, "stale answer", 'query answers "" again, as before the insert'),
        (
            DropsTheNewestBeyond200,
            "late growth",
            "the newest of 201 elements; the smallest window tried that shows it holds 201 elements (element lost)",
        ),
        (
            KeepsOneBeyond600,
            "late growth",
            'the answer still contains "a"; the smallest window tried that shows it holds 601 elements (element kept)',
        ),
    ],
)
def test_the_mistake_is_named(made: type[Window], diagnosis: str, sentence: str) -> None:
    found = verdict(made)
    assert found.witness is not None
    assert found.sentence.endswith(sentence)
    assert found.witness.diagnosis == diagnosis
    again = replay(Subject(made.__name__, made), domain("concatenation"), found.witness.trace).verdict
    assert (again.sentence, again.witness and again.witness.diagnosis) == (found.sentence, diagnosis)


def test_a_long_trace_is_no_late_growth_when_a_shorter_one_fails() -> None:
    steps = parse('500 * insert "a", evict, 300 * insert "b", query')
    subject = Subject("swapped", type("Swapped", (Window,), {"query": lambda self: "".join(self.values[::-1])}))
    witness = replay(subject, domain("concatenation"), Trace(steps, "concatenation")).verdict.witness
    assert witness is not None
    assert witness.diagnosis == "operands swapped"


@pytest.mark.parametrize(
    ("trace", "said"),
    [
        ("register 3, lookup 3", "before anything is inserted"),
        ("register 1, register 3, lookup 3", "after registering 1 and 3"),
        ("register 3, insert 1, lookup 3", "after inserting 1 element"),
        ("register 1, register 1, insert 1, lookup 1", "after registering 1 and 1 and inserting 1 element"),
        (
            ", ".join([*(f"register {size}" for size in range(1, 8)), "insert 1, lookup 1"]),
            "after registering 7 windows and inserting 1 element",
        ),
    ],
)
def test_histories_of_shared_windows_in_words(trace: str, said: str) -> None:
    assert str(Shared.of(parse(trace, "shared"))) == said


def test_large_windows_are_compared_with_few_mistakes() -> None:
    """A sentence about thousands of elements must not take thousands of products."""
    steps = parse("5000 * insert 1, 100 * evict, query")
    mistakes = list(InOrder.of(steps).mistakes(domain("sum"), steps))
    assert len(mistakes) < 100
    assert {diagnosis for diagnosis, _, _ in mistakes} >= {"operands swapped", "element kept", "element lost"}


def test_one_element_is_not_called_all() -> None:
    assert str(InOrder([3], 1)) == "after evicting the only element"
    assert str(InOrder([3, 4], 2)) == "after evicting all 2 elements"
