"""Several aggregations in one pass equal each of them alone."""

from collections.abc import Callable
from functools import reduce
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swagproof.models.composition import CompositionError, compose, on
from swagproof.models.monoid import Counting, broken_law
from swagproof.models.operations import ARG_MAX, CONCATENATION, COUNT, MAX, MEAN, OPERATIONS, SUM, Operation
from swagproof.reference.catalogue import SUBTRACT_ON_EVICT

NUMERIC = ["count", "sum", "mean", "population-standard-deviation", "min", "max-count", "first", "last", "collect"]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    names=st.lists(st.sampled_from(NUMERIC), min_size=1, max_size=5, unique=True),
    window=st.lists(st.integers(-3, 3), max_size=8),
)
def test_each_part_is_answered_as_on_its_own(names: list[str], window: list[int]) -> None:
    def answer(operation: Operation[Any, Any, Any]) -> Any:
        return operation.lower(reduce(operation.combine, map(operation.lift, window), operation.identity))

    operations = {name.replace("-", "_"): OPERATIONS[name] for name in names}
    together = answer(compose(**operations))
    assert together._asdict() == {field: answer(operation) for field, operation in operations.items()}


def test_a_composition_is_a_monoid_over_any_samples() -> None:
    both = compose(longest=on(MAX, len), all=CONCATENATION, last=on(ARG_MAX, lambda word: (len(word), word)))
    assert broken_law(both, [both.lift(word) for word in ("a", "bb", "c", "")]) is None
    assert not both.commutative
    assert both.remove is None


def test_commutative_and_invertible_where_all_parts_are() -> None:
    both = compose(total=SUM, mean=MEAN)
    assert both.commutative
    assert both.remove is not None
    a, b = both.lift(3), both.lift(4)
    assert both.remove(a, both.combine(a, b)) == b
    window = SUBTRACT_ON_EVICT.algorithm(both)
    for value in (a, b):
        window.insert(value)
    window.evict()
    assert both.lower(window.query()) == (4, 4)


def test_one_call_combines_all() -> None:
    monoid = Counting(compose(total=SUM, number=COUNT))
    assert monoid.combine((1, 1), (2, 1)) == (3, 2)
    assert monoid.calls == 1


def test_on_keeps_the_monoid_and_forgets_the_samples() -> None:
    longest = on(MAX, len)
    assert longest.lift("abc") == 3
    assert longest.combine is MAX.combine
    assert longest.samples == ()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: compose(), "give at least one operation"),
        (lambda: compose(**{"max-count": MAX}), "name the operations otherwise"),
        (lambda: compose(_total=SUM), "name the operations otherwise"),
        (lambda: compose(**{"class": SUM}), "name the operations otherwise"),
    ],
)
def test_names_that_cannot_be_fields_are_refused(make: Callable[[], Any], said: str) -> None:
    with pytest.raises(CompositionError, match=f"^compose: .*{said}"):
        make()
