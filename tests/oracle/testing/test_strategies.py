"""The public Hypothesis strategies: they draw legal and lawful values, shrink, and find wrong windows."""

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st
from support.places import TESTS

from swagproof.models.monoid import broken_law
from swagproof.models.operations import OPERATIONS, Operation
from swagproof.oracle.domain import domain, names
from swagproof.oracle.subject import load_class, load_subject
from swagproof.oracle.testing.strategies import elements, finite_monoids, operations, times, traces
from swagproof.oracle.trace import InputError, Trace, asks, largest_window, legal
from swagproof.oracle.window import WINDOWS
from swagproof.reference.in_order.two_stacks import TwoStacks

WRONG = TESTS / "subjects" / "wrong.py"
FEW = settings(
    derandomize=True, deadline=None, database=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow]
)


@pytest.mark.parametrize("window", WINDOWS)
def test_traces_are_legal_end_with_a_query_and_can_be_written(window: str) -> None:
    @FEW
    @given(traces(window) | traces(window, bulks=True))
    def check(trace: Trace) -> None:
        kind = WINDOWS[window]
        assert trace.window == window
        assert legal(trace.steps, kind)
        assert asks(trace.steps[-1])
        assert Trace.from_json(trace.to_json(), "trace") == trace

    check()


@pytest.mark.parametrize("name", [name for name in names() if name != "bloom"])
def test_elements_are_taken_and_the_first_is_the_simplest(name: str) -> None:
    @settings(FEW, max_examples=10)
    @given(elements(name))
    def check(element: Any) -> None:
        assert domain(name).takes(element)

    check()
    assert find(elements(name), lambda _: True) == domain(name).elements.letters[0]


@FEW
@given(finite_monoids(), st.data())
def test_finite_monoids_are_lawful(monoid: Operation[Any, Any, Any], data: st.DataObject) -> None:
    products = [data.draw(st.sampled_from(monoid.samples)) for _ in range(3)]
    assert broken_law(monoid, [*products, monoid.combine(products[0], products[1])]) is None
    if monoid.commutative:
        assert monoid.combine(*products[:2]) == monoid.combine(*products[1::-1])


def test_finite_monoids_of_every_kind_are_drawn() -> None:
    assert not find(finite_monoids(), lambda monoid: not monoid.commutative).commutative
    assert len(find(finite_monoids(), lambda monoid: len(monoid.identity) == 4).identity) == 4
    idempotent = find(
        finite_monoids(), lambda m: len(m.identity) > 1 and all(m.combine(x, x) == x != m.identity for x in m.samples)
    )
    assert idempotent.samples == ((0, 0),)


def test_operations_have_names_and_samples() -> None:
    for name in ("arg-max", "matrix", "bloom"):
        assert find(operations(), lambda operation, name=name: operation.name == name) is OPERATIONS[name]  # type: ignore[misc]  # mypy cannot infer a lambda with a default


@pytest.mark.drawn(0)
def test_what_shrinks_is_small() -> None:
    assert find(times(), lambda time: time < 0) == -1
    assert str(find(traces("fifo", "concatenation"), lambda trace: largest_window(trace.steps) == 3)) == (
        'insert "a", insert "a", insert "a", query'
    )
    late = find(
        traces("out-of-order", "sum"),
        lambda trace: len(trace.steps) > 2 and trace.steps[0].arguments[:1] > trace.steps[1].arguments[:1] > (0,),
        settings=settings(derandomize=True, database=None),  # from some random draws it ends next to the smallest
    )
    assert str(late) == "insert 2 1, insert 1 1, query"
    assert str(find(traces("frame", "sum"), lambda trace: "range" in str(trace))) == 'frame "range" null null, results'


@pytest.mark.parametrize("name", ["LosesAtFlip", "StaleAfterDrain", "CommutativeOnly", "SecondQueryDiffers"])
@pytest.mark.drawn(1)
def test_a_wrong_window_is_found(name: str) -> None:
    subject = load_subject(f"{WRONG}:{name}")
    operation = OPERATIONS["concatenation"]

    @settings(FEW, max_examples=500, report_multiple_bugs=False)
    @given(traces("fifo", operation))
    def agrees(trace: Trace) -> None:
        window, reference = load_class(subject.name)(operation), TwoStacks(operation)
        for step, arguments in trace.steps:
            assert getattr(window, step)(*arguments) == getattr(reference, step)(*arguments)

    with pytest.raises(AssertionError):
        agrees()


@pytest.mark.parametrize("bulks", [True, False])
def test_what_is_wrong_in_bulk_alone_is_found_with_bulks(bulks: bool) -> None:
    """A window whose bulk insert loses the last element; it passes without bulks."""
    wrong: Any = load_class(f"{TESTS / 'subjects' / 'wrong_bulk.py'}:LoopStopsEarly")

    @settings(FEW, report_multiple_bugs=False)
    @given(traces("fifo", "concatenation", bulks=bulks))
    def agrees(trace: Trace) -> None:
        window, model, bulk = wrong(OPERATIONS["concatenation"]), TwoStacks(OPERATIONS["concatenation"]), None
        for step, arguments in trace.steps:
            if step == "end_bulk":
                window.bulk_insert(bulk)
            bulk = [] if step == "begin_bulk" else None if step == "end_bulk" else bulk
            if step == "insert":
                model.insert(arguments[0])
                window.insert(arguments[0]) if bulk is None else bulk.append(arguments[0])
            elif step == "query":
                assert window.query() == model.query()
            elif step in ("evict", "bulk_evict"):
                getattr(window, step)(*arguments)
                for _ in range(arguments[0] if arguments else 1):
                    model.evict()

    if bulks:
        with pytest.raises(AssertionError):
            agrees()
    else:
        agrees()


def test_bad_names() -> None:
    with pytest.raises(InputError, match="not one of count, sum"):
        elements("summ")
    with pytest.raises(KeyError):
        traces("fifa")
    with pytest.raises(ValueError, match="give it samples"):
        elements(Operation("mine", lambda e: e, lambda a, b: a + b, lambda v: v, 0, commutative=True))


def test_types_are_registered_without_an_import_of_ours() -> None:
    code = """
from hypothesis import find, strategies as st
import sys
assert "swagproof.oracle.domain" not in sys.modules
from swagproof.oracle.trace import Trace
from swagproof.models.operations import Operation
print(find(st.from_type(Trace), lambda trace: trace.window == "shared"))
print(find(st.from_type(Operation), lambda operation: operation.name == "sum").name)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("register 1, lookup 1\nsum\n", "")


def test_hypothesis_can_be_imported_whatever_is_wrong_with_us() -> None:
    code = """
import sys
sys.modules["swagproof.models.operations"] = None
from hypothesis import find, strategies as st
print(find(st.integers(), lambda x: x > 2))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stdout == "3\n"
    assert "RuntimeWarning: swagproof: Hypothesis cannot draw its types: ModuleNotFoundError" in run.stderr
