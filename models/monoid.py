"""Monoids: the one thing every algorithm here asks of an aggregation.

Source: *In-Order Sliding-Window Aggregation in Worst-Case Constant Time* (2021), section 2.1, definition of a
monoid.  The paper writes the operator as a multiplication and its identity as a bold **1**; here they are
`combine(a, b)` and `identity`.
"""

import copy
import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

A = TypeVar("A")
"""A partial aggregate."""


class Monoid(Protocol[A]):
    """A set with an associative `combine` and its `identity`.

    Neither commutativity nor an inverse is asked for.  `combine` must not change its arguments, and may return
    one of them; values are shared freely between the window and its partial aggregates.
    """

    @property
    def identity(self) -> A:
        """The element that `combine` ignores on either side: the answer of an empty window."""
        ...

    @property
    def combine(self) -> Callable[[A, A], A]:
        """The older partial aggregate on the left, the newer on the right."""
        ...


class Counting(Generic[A]):
    """A monoid that counts its combine calls: the unit in which the papers state cost.

    >>> from swagproof.models.operations import CONCATENATION
    >>> monoid = Counting(CONCATENATION)
    >>> monoid.combine("a", monoid.combine("b", "c")), monoid.calls
    ('abc', 2)
    """

    def __init__(self, monoid: Monoid[A]) -> None:
        self.monoid = monoid
        self.calls = 0

    @property
    def identity(self) -> A:
        return self.monoid.identity

    def combine(self, a: A, b: A) -> A:
        self.calls += 1
        return self.monoid.combine(a, b)


@dataclass(frozen=True)
class Broken(Generic[A]):
    """A law that a would-be monoid breaks, with the values that show it."""

    law: str
    """`left identity`, `right identity`, `associativity`, or `purity` (combine changed an argument)."""
    values: tuple[A, ...]
    left: Any
    right: Any

    def __str__(self) -> str:
        names = dict(zip("abc", self.values, strict=False))
        equation = {
            "left identity": "combine(identity, a) = a",
            "right identity": "combine(a, identity) = a",
            "associativity": "combine(combine(a, b), c) = combine(a, combine(b, c))",
            "purity": "combine(a, b) leaves a and b as they were",
        }[self.law]
        where = ", ".join(f"{name} = {value!r}" for name, value in names.items())
        return f"{self.law}: {equation} fails for {where}: {self.left!r} is not {self.right!r}"


def broken_law(
    monoid: Monoid[A], elements: Iterable[A], equal: Callable[[A, A], bool] = lambda a, b: bool(a == b)
) -> Broken[A] | None:
    """Look for a broken law among the given elements, their products and the identity; None if there is none.

    Exhaustive over the triples of those elements, and only that: no broken law found is not a proof.
    Cost: O(k^3) combine calls for k distinct elements; `equal` compares two partial aggregates.

    >>> class Average:
    ...     identity = 0.0
    ...     def combine(self, a: float, b: float) -> float:
    ...         return (a + b) / 2
    >>> print(broken_law(Average(), [1.0, 2.0]))
    left identity: combine(identity, a) = a fails for a = 1.0: 0.5 is not 1.0
    """
    given = [monoid.identity, *elements]

    def combine(a: A, b: A) -> A | Broken[A]:
        before = copy.deepcopy((a, b))
        result = monoid.combine(a, b)
        if not (equal(a, before[0]) and equal(b, before[1])):
            return Broken("purity", before, (a, b), before)
        return result

    for a in given:
        for law, pair in (("left identity", (monoid.identity, a)), ("right identity", (a, monoid.identity))):
            result = combine(*pair)
            if isinstance(result, Broken):
                return result
            if not equal(result, a):
                return Broken(law, (a,), result, a)
    products = [monoid.combine(a, b) for a, b in itertools.islice(itertools.product(given, given), 16)]
    for a, b, c in itertools.product(given, given, [*given, *products]):
        inner = combine(a, b), combine(b, c)
        for result in inner:
            if isinstance(result, Broken):
                return result
        outer = combine(inner[0], c), combine(a, inner[1])  # type: ignore[arg-type]  # no Broken is left here
        for result in outer:
            if isinstance(result, Broken):
                return result
        if not equal(outer[0], outer[1]):  # type: ignore[arg-type]  # no Broken is left here
            return Broken("associativity", (a, b, c), *outer)
    return None
