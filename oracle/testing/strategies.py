"""Hypothesis strategies: traces, stream elements, times, aggregations and finite monoids, for your own tests.

`st.from_type(Trace)` and `st.from_type(Operation)` work wherever swagproof is installed, without an import (see
`swagproof.oracle.testing.registration`).  All of them shrink: a trace to few operations, an element to the simplest of
its kind, a time to 0, a finite monoid to few points.

Compare your own window with the reference:

>>> from hypothesis import given, settings
>>> from swagproof.models.operations import CONCATENATION
>>> from swagproof.reference.in_order.daba_lite import DabaLite
>>> from swagproof.reference.in_order.two_stacks import TwoStacks
>>> @settings(derandomize=True, deadline=None, database=None, max_examples=20)
... @given(traces("fifo", CONCATENATION))
... def agrees(trace):
...     mine, reference = DabaLite(CONCATENATION), TwoStacks(CONCATENATION)
...     for name, arguments in trace.steps:
...         values = map(CONCATENATION.lift, arguments)
...         assert getattr(mine, name)(*values) == getattr(reference, name)(*arguments)
>>> agrees()
"""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

try:
    from hypothesis import strategies as st
except ImportError as error:
    raise ImportError("strategies need Hypothesis: pip install 'swagproof[hypothesis]'") from error

from swagproof.models.operations import OPERATIONS, Operation
from swagproof.oracle import domain as domains
from swagproof.oracle.domain import Domain, Exactly, of_samples
from swagproof.oracle.trace import Step, Trace, bulk_insert
from swagproof.oracle.window import TIMES, VALUE, WINDOWS, Window

AnyOperation: TypeAlias = Operation[Any, Any, Any]

SIZES: Final = (1, 2, 3, 5, 8, 13)
"""Sizes of shared windows: small, so that a short stream exceeds them."""

_FEW: Final = 4
"""The most declarations of shared windows before the first insert."""

_MANY: Final = 12
"""The most inserts in a bulk, and the most elements that a bulk evicts."""

_WIDER: Final[Mapping[type, st.SearchStrategy[Any]]] = {
    str: st.text(max_size=4),
    int: st.integers(-(2**63), 2**63 - 1),
    float: st.floats(allow_nan=False, allow_infinity=False),
}
"""Additional elements for aggregations whose elements can be any value of a type."""


def times(least: int = -(2**31), most: int = 2**31 - 1) -> st.SearchStrategy[int]:
    """Times of entries: often near 0, so that they coincide, else anything between two bounds.

    >>> from hypothesis import find
    >>> find(times(), lambda time: time > 100)
    101
    """
    near = st.integers(max(least, -8), min(most, 8)) if least <= 8 and most >= -8 else st.nothing()
    return near | st.integers(least, most)


def elements(monoid: str | AnyOperation = "concatenation") -> st.SearchStrategy[Any]:
    """Stream elements of an aggregation: given by name, or as an operation with samples.

    Raises InputError for an unknown name, ValueError for an operation without samples.

    >>> from hypothesis import find
    >>> find(elements("concatenation"), lambda text: text > "b"), find(elements("max"), lambda number: number < 0)
    ('c', -1)
    """
    known = _domain(monoid)
    usual, letters = known.elements, known.elements.letters
    wider = _WIDER.get(type(letters[0])) if usual.read is not None else None
    if wider is None:
        wider = st.randoms(use_true_random=False).map(usual.draw)
    return st.sampled_from(letters) | wider.filter(known.takes)


def _domain(monoid: str | AnyOperation) -> Domain:
    if isinstance(monoid, str):
        return domains.domain(monoid)
    if not monoid.samples:
        raise ValueError(f"{monoid.name}: no elements to try: give it samples")
    return Domain(monoid.name, monoid, of_samples(monoid.samples), Exactly(monoid))


@st.composite
def finite_monoids(draw: st.DrawFn, points: int = 4) -> AnyOperation:
    """Monoids of maps from a few points to themselves, the older applied first; the elements are up to three maps.

    They are lawful by construction, and every finite monoid is one of these up to isomorphism (Cayley's theorem), given
    enough points.  Most do not commute, and few have inverses.

    >>> from hypothesis import find
    >>> found = find(finite_monoids(), lambda monoid: not monoid.commutative)
    >>> found.identity, found.samples, found.combine(*found.samples)
    ((0, 1), ((0, 0), (1, 0)), (1, 1))
    """
    size = draw(st.integers(1, points))
    maps = st.tuples(*[st.integers(0, size - 1)] * size)
    samples = draw(st.lists(maps, min_size=1, max_size=3, unique=True))

    def combine(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(b[x] for x in a)

    return Operation(
        f"maps of {size} points",
        lift=_same,
        combine=combine,
        lower=_same,
        identity=tuple(range(size)),
        commutative=all(combine(a, b) == combine(b, a) for a in samples for b in samples),
        samples=tuple(samples),
    )


def _same(x: Any) -> Any:
    return x


def operations() -> st.SearchStrategy[AnyOperation]:
    """Aggregations: every one of `swagproof.models.operations`, and finite monoids.

    >>> from hypothesis import find
    >>> find(operations(), lambda operation: not operation.commutative).commutative
    False
    """
    return st.sampled_from(list(OPERATIONS.values())) | finite_monoids()


def traces(
    window: str = "fifo", monoid: str | AnyOperation | None = None, max_size: int = 50, *, bulks: bool = False
) -> st.SearchStrategy[Trace]:
    """Legal traces for a kind of window, of up to `max_size` operations besides declarations; the last one is a query.

    `monoid` is the name of an aggregation, or an operation; by default, any of the usual ones.  With `bulks`, traces
    also have inserts between begin_bulk and end_bulk, which count as one operation, and bulk_evict, if the kind of
    window has them.  Raises InputError for an unknown name, KeyError for an unknown kind of window.

    >>> from hypothesis import find
    >>> print(find(traces("fifo", "concatenation"), lambda trace: "evict" in str(trace)))
    insert "a", evict, query
    >>> print(find(traces("shared", "max"), lambda trace: "lookup 2" in str(trace)))
    register 2, lookup 2
    >>> found = find(traces("out-of-order", "max", bulks=True), lambda trace: "bulk_evict" in str(trace))
    >>> found.steps[-1].name  # what stands before it is not always the smallest
    'query'
    """
    kind = WINDOWS[window]
    if monoid is None:
        from swagproof.oracle.kinds.table import KINDS  # which imports the references

        return st.sampled_from(KINDS[window].domains).flatmap(lambda name: traces(window, name, max_size, bulks=bulks))
    return _traces(kind, _domain(monoid), elements(monoid), max_size, bulks)


@st.composite
def _traces(
    draw: st.DrawFn, kind: Window, domain: Domain, values: st.SearchStrategy[Any], max_size: int, bulks: bool
) -> Trace:
    arguments: dict[str, st.SearchStrategy[Any]] = {
        **dict.fromkeys(TIMES, times()),
        VALUE: values,
        "SIZE": st.sampled_from(SIZES),
        "SPAN": st.sampled_from(SIZES),
        "UNIT": st.sampled_from(("rows", "range")),
        "START": st.none() | st.integers(0, 8).map(int.__neg__),
        "END": st.none() | st.integers(0, 8),
        "COUNT": st.integers(0, _MANY),
    }

    def steps(*names: str) -> st.SearchStrategy[Step]:
        return st.one_of([_step(name, [arguments[what] for what in kind.operations[name]]) for name in names])

    declared = _declared(draw, kind, steps)
    sizes = [step.arguments[0] for step in declared if step.name == "register"]
    if sizes:
        arguments["SIZE"] = st.sampled_from(sizes)
    queries = [name for name in kind.operations if name in kind.queries]
    changes = [name for name in kind.operations if name in ("insert", "evict")]
    # Insert is listed twice, so that windows grow; it is first, so that shrinking leaves one.
    parts = steps("insert", *changes, *queries).map(lambda step: [step])
    if bulks and "begin_bulk" in kind.operations:
        together = st.lists(steps("insert"), max_size=_MANY).map(lambda steps: bulk_insert(_sorted(steps)))
        parts = parts | together | steps("bulk_evict").map(lambda step: [step])
    body = itertools.chain.from_iterable(draw(st.lists(parts, max_size=max(0, max_size - 1))))
    every = [*declared, *body, draw(steps(*queries))]
    return Trace(
        tuple(step for step, legal in zip(every, kind.legally(every), strict=True) if legal), domain.name, kind.name
    )


def _sorted(inserts: Sequence[Step]) -> Sequence[Step]:
    """Return the inserts sorted by their times, if they have times."""
    timed = bool(inserts) and len(inserts[0].arguments) > 1
    return sorted(inserts, key=lambda step: step.arguments[0]) if timed else inserts


def _step(name: str, arguments: Sequence[st.SearchStrategy[Any]]) -> st.SearchStrategy[Step]:
    return st.tuples(*arguments).map(lambda given: Step(name, given))


def _declared(draw: st.DrawFn, kind: Window, steps: Any) -> Sequence[Step]:
    """Return the declarations before the first insert: the sizes of shared windows, or a frame."""
    names = [name for name in kind.operations if name in ("register", "span", "frame")]
    if not names:
        return ()
    most = _FEW if kind.name == "shared" else 1
    return draw(st.lists(steps(*names), min_size=1, max_size=most, unique_by=str))
