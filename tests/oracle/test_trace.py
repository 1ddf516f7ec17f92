"""Traces and files: written traces can be read again, and errors in files are named."""

import json
import math
from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swagproof.oracle.domain import Rounded, domain, names
from swagproof.oracle.trace import EVICT, QUERY, InputError, Trace, decode, encode, inline, insert, legal, parse

PLAIN = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary() | st.fractions()
)
HASHABLE = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=5)
VALUES = st.recursive(
    HASHABLE,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.frozensets(HASHABLE, max_size=3)
        | st.dictionaries(HASHABLE, inner, max_size=3)
    ),
    max_leaves=8,
)


def typed(value: Any) -> Any:
    """Return a form in which 1, 1.0, True and -0.0 differ."""
    return repr(sorted(map(repr, value))) if isinstance(value, frozenset) else repr(value)


@given(VALUES)
def test_values_round_trip(value: Any) -> None:
    text = json.dumps(encode(value), allow_nan=False)
    again = decode(json.loads(text))
    assert again == value
    assert type(again) is type(value)
    if not isinstance(value, (frozenset, dict)):
        assert inline([insert(value)]) == inline(parse(inline([insert(value)])))


@pytest.mark.parametrize(
    "value", [1e16, -0.0, 5e-324, math.inf, -math.inf, math.nan, (1, [2.0, ("x",)]), Fraction(1, 3), 2**80]
)
def test_awkward_values_round_trip(value: Any) -> None:
    (step,) = parse(inline([insert(value)]))
    assert repr(step.arguments[0]) == repr(value)


@given(st.lists(st.sampled_from([insert("a"), insert("b"), insert(1), QUERY, EVICT])))
def test_traces_round_trip(steps: list[Any]) -> None:
    if steps and legal(steps):
        assert parse(inline(steps)) == tuple(steps)
        trace = Trace(tuple(steps), "concatenation")
        assert Trace.from_json(json.loads(json.dumps(trace.to_json())), "here") == trace


BROKEN = {
    "fifo": [
        ("", "operation 1: expected insert VALUE, evict, query, begin_bulk, end_bulk or bulk_evict COUNT, found ''"),
        ("insert", "operation 1: insert: expected a JSON value at column 7, found ''"),
        (
            "insert a",
            "operation 1: insert: expected a JSON value at column 8, found 'a'; write strings in double quotes",
        ),
        ("query, insert 'a'", "operation 2: insert: expected a JSON value"),
        ("query query", "operation 1: expected a comma after query, found 'query'"),
        ("query,", "operation 2: expected insert VALUE, evict, query"),
        ("insert 1, bulk_evict 2", "operation 2: bulk_evict 2: evict no more elements than the window holds"),
        ("bulk_evict -1", "operation 1: bulk_evict: its COUNT must be a whole number of elements, 0 or more, found -1"),
        ("begin_bulk, evict", "operation 2: evict: evict no more elements than the window holds, and use only"),
        ("end_bulk", "operation 1: end_bulk: evict no more elements"),
        ("insert 1, evict, evict", "operation 3: evict: evict no more elements than the window holds"),
        ("insert 1, pop", "operation 2: 'pop' is none of insert, evict, query"),
        ("99999999999 * query", "operation 1: more than 10,000,000 operations"),
        ('insert {"a": 1}', "operation 1: insert: "),
        ('insert {"fraction": "1/0"}', 'operation 1: insert: {"fraction": ...}: '),
        ('insert {"tuple": 3}', 'operation 1: insert: {"tuple": ...}: '),
    ],
    "out-of-order": [
        ("", "operation 1: expected insert TIME VALUE, evict TIME, query, range_query FROM TO, begin_bulk, "),
        ("begin_bulk, query", "operation 2: query: use only inserts, sorted by time, between begin_bulk and end_bulk"),
        ("begin_bulk, insert 2 1, insert 1 1", "operation 3: insert 1 1: use only inserts, sorted by time"),
        ("insert 1", "operation 1: insert: expected a JSON value at column 9, found ''"),
        ("evict", "operation 1: evict: expected a JSON value at column 6, found ''; its TIME is a number"),
        ("evict x", "operation 1: evict: expected a JSON value at column 7, found 'x'; its TIME is a number"),
        ('evict {"float": "nan"}', "operation 1: evict: its TIME must be a number other than NaN"),
        ("evict true", "operation 1: evict: its TIME must be a number other than NaN, found true"),
        ("range_query 1, query", "operation 1: range_query: expected a JSON value at column 14, found ', query'"),
        ("query, range 1 2", "operation 2: 'range' is none of insert, evict, query, range_query"),
    ],
    "shared": [
        ("insert 1, lookup 1", "operation 1: insert 1: register all sizes, then insert, then look up registered ones"),
        ("register 2, insert 1, register 3", "operation 3: register 3: register all sizes"),
        ("register 2, insert 1, lookup 1", "operation 3: lookup 1: register all sizes"),
        ("register 0", "operation 1: register: its SIZE must be a whole number of elements, 1 or more, found 0"),
    ],
}


@pytest.mark.parametrize(("window", "text", "message"), [(window, *row) for window in BROKEN for row in BROKEN[window]])
def test_a_broken_trace_names_the_operation(window: str, text: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        parse(text, window)
    assert str(raised.value).startswith(f"--trace: {message}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "line 1, column 2: "),
        ("[1]", "expected an object"),
        ("{}", "fields format, version: "),
        ('{"window": "lifo"}', "field window: 'lifo' is none of fifo"),
        ('{"monoid": 3}', "field monoid: expected a name, found 3"),
        ('{"operations": 3}', "field operations: expected a list"),
        ('{"operations": [["query"], ["pop"]]}', 'operations[1]: ["pop"] is none of ["insert", VALUE]'),
        ('{"operations": [["insert"]]}', "operations[0]: insert takes 1 values, found 0"),
        ('{"operations": [["insert", {"x": 1}]]}', 'operations[0]: {"x": 1} is no value'),
        ('{"operations": [["evict"]]}', "operation 1: evict: evict no more elements than the window holds"),
    ],
)
def test_a_broken_trace_file_names_file_and_field(tmp_path: Path, text: str, message: str) -> None:
    good = {"format": "swagproof-trace", "version": 1, "window": "fifo", "monoid": "sum", "operations": [["query"]]}
    path = tmp_path / "trace.json"
    data = text if text in ("{", "[1]", "{}") else json.dumps(good | json.loads(text))
    path.write_text(data)
    with pytest.raises(InputError) as raised:
        Trace.read(path)
    assert str(raised.value).startswith(f"{path}: {message}")


def total(values: Sequence[float]) -> tuple[Rounded, Any]:
    """Return the rule for floating sums, and their partial aggregate."""
    rule = Rounded()
    return rule, reduce(rule.mirror.combine, map(rule.mirror.lift, values), rule.mirror.identity)


@given(st.lists(st.floats(min_value=-1e300, max_value=1e300), max_size=30))
def test_summing_in_order_is_within_the_bound(values: list[float]) -> None:
    rule, expected = total(values)
    assert rule.agree(expected, sum(values, 0.0))
    assert rule.agree(expected, math.fsum(values))
    assert rule.round_exact(expected) == math.fsum(values)
    size = math.fsum(map(abs, values))
    assert not rule.agree(expected, math.fsum(values) + max(1e-300, (len(values) + 4) * size * 2**-52))


@pytest.mark.parametrize(
    ("values", "right", "wrong"),
    [
        ((math.inf, 1.0), math.inf, math.nan),
        ((math.inf, -math.inf), math.nan, 0.0),
        ((math.nan, 1.0), math.nan, 1.0),
        ((1e308, 1e308), math.inf, None),
        ((), 0.0, 5e-324),
        ((0.5,), Fraction(1, 2), "0.5"),
    ],
)
def test_special_sums(values: tuple[float, ...], right: Any, wrong: Any) -> None:
    rule, expected = total(values)
    assert rule.agree(expected, right)
    assert not rule.agree(expected, wrong)


@pytest.mark.parametrize("name", names())
def test_every_domain_can_be_searched_and_written_down(name: str) -> None:
    chosen = domain(name)
    drawn = [chosen.elements.draw(Random(seed)) for seed in range(50)]
    for element in (*chosen.elements.letters, *drawn, *(e for order in chosen.orders for e in order)):
        assert chosen.takes(element)
        again = decode(json.loads(json.dumps(encode(element))))
        assert again == element or (again != again and element != element)
        assert all(chosen.takes(simpler) for simpler in chosen.elements.simpler(element))


def test_which_domains_can_be_changed_in_place_and_which_answers_grow() -> None:
    asked = ("concatenation", "sum", "max", "affine", "arg-max", "collect", "mutable-collect")
    assert [name for name in asked if domain(name).mutable] == ["mutable-collect"]
    assert [name for name in (*asked[:4], "collect") if domain(name).small] == ["sum", "max", "affine"]
