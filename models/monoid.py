"""Monoids: the only requirement of the algorithms on an aggregation.

Source: *In-Order Sliding-Window Aggregation in Worst-Case Constant Time* (2021), section 2.1, definition of a
monoid.  The paper writes the operator as a multiplication and its identity as a bold **1**; here they are
`combine(a, b)` and `identity`.
"""

import copy
import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

A = TypeVar("A")
"""A partial aggregate."""


class Monoid(Protocol[A]):
    """A set with an associative `combine` and its `identity`.

    Neither commutativity nor an inverse is required.  `combine` must not change its arguments, and may return one of
    them; windows and their partial aggregates share values freely.
    """

    @property
    def identity(self) -> A:
        """The neutral element of `combine` on either side, and the result for an empty window."""
        ...

    @property
    def combine(self) -> Callable[[A, A], A]:
        """The operator, with the older partial aggregate on the left and the newer on the right."""
        ...


class Counting(Generic[A]):
    """A monoid that counts its combine calls, the papers' unit of cost.

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

    @property
    def remove(self) -> Callable[[A, A], A] | None:
        """The monoid's own subtraction, if it has one; not counted."""
        return getattr(self.monoid, "remove", None)


@dataclass(frozen=True)
class Broken(Generic[A]):
    """A broken law of a supposed monoid, with the values that show it."""

    law: str
    """One of the keys of `LAWS`."""
    values: tuple[A, ...]
    """The values of the variables a, b and c that occur in the law's equation."""
    left: Any
    right: Any

    def __str__(self) -> str:
        where = ", ".join(f"{name} = {value!r}" for name, value in zip("abc", self.values, strict=False))
        why = f"it raised {self.left!r}" if self.law == "closure" else f"{self.left!r} is not {self.right!r}"
        return f"{self.law}: {LAWS[self.law]} fails for {where}: {why}"


LAWS: Final = {
    "equality": "a = a, and a copy of it",
    "closure": "combine(a, b) is a value",
    "purity": "combine(a, b) leaves a and b as they were",
    "left identity": "combine(identity, a) = a",
    "right identity": "combine(a, identity) = a",
    "associativity": "combine(combine(a, b), c) = combine(a, combine(b, c))",
}
"""The laws of a monoid.  The others rely on the first three: values equal themselves (NaN does not, nor do objects that
define no equality), and a combine raises nothing and changes nothing."""


class _BrokenError(Exception):
    def __init__(self, law: str, values: tuple[Any, ...], left: Any, right: Any) -> None:
        self.broken: Broken[Any] = Broken(law, values, left, right)


def broken_law(
    monoid: Monoid[A], elements: Iterable[A], equal: Callable[[A, A], bool] = lambda a, b: bool(a == b)
) -> Broken[A] | None:
    """Search for a broken law among the given partial aggregates, their products and the identity.

    Return None if none is found, which is not a proof.  Associativity is checked on every triple of the identity and
    the elements, and with a product of two elements (sixteen of these at most) in each of the three positions.  Cost:
    about 200 k^2 + 4 k^3 combine calls for k elements.  Elements must support `copy.deepcopy`, which detects whether
    combine changed them; an error of it is passed on.

    >>> class Average:
    ...     identity = 0.0
    ...     def combine(self, a: float, b: float) -> float:
    ...         return (a + b) / 2
    >>> print(broken_law(Average(), [1.0, 2.0]))
    left identity: combine(identity, a) = a fails for a = 1.0: 0.5 is not 1.0
    """

    def combine(a: A, b: A) -> A:
        before = copy.deepcopy((a, b))
        try:
            result = monoid.combine(a, b)
        except Exception as error:
            raise _BrokenError("closure", before, error, None) from error
        if not (equal(a, before[0]) and equal(b, before[1])):
            raise _BrokenError("purity", before, (a, b), before)
        return result

    def require(law: str, values: tuple[A, ...], left: A, right: A) -> None:
        if not equal(left, right):
            raise _BrokenError(law, values, left, right)

    elements = list(elements)
    given = [monoid.identity, *elements]
    try:
        for a in given:
            require("equality", (a,), a, a)
            require("equality", (a,), copy.deepcopy(a), a)
        for a in given:
            require("left identity", (a,), combine(monoid.identity, a), a)
            require("right identity", (a,), combine(a, monoid.identity), a)
        products = [combine(a, b) for a, b in itertools.islice(itertools.product(elements, repeat=2), 16)]
        for a, b, c in itertools.chain(
            itertools.product(given, repeat=3),
            itertools.product(products, elements, elements),
            itertools.product(elements, products, elements),
            itertools.product(elements, elements, products),
        ):
            require("associativity", (a, b, c), combine(combine(a, b), c), combine(a, combine(b, c)))
    except _BrokenError as found:
        return found.broken
    return None
