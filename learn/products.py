"""Partial aggregates that record the elements that they are the product of, for pictures of any algorithm.

A stream element is lifted to its value and its name (its number or its time), and combine joins the names as it joins
the values. The algorithm sees opaque values; two products are equal if their values are.
"""

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

from swagproof.models.operations import Operation

IDENTITY: Final = "𝟏"
"""The papers' notation: a bold one."""


@dataclass(frozen=True, eq=False)
class Product:
    """A partial aggregate, and the names of its elements from left to right."""

    value: Any
    of: tuple[Any, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Product) and bool(self.value == other.value)

    def __hash__(self) -> int:
        return hash(self.value)

    def __bool__(self) -> bool:
        """Return the truth of the value, so that `if not total` branches as over the plain monoid."""
        return bool(self.value)

    def __repr__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """The value as text."""
        return IDENTITY if not self.of and not self.value else str(self.value)

    @cached_property
    def span(self) -> str:
        """Return the elements in the paper's notation, v2…v5; elements that are not neighbours are listed one by one.

        >>> Product("bcd", (1, 2, 3)).span, Product("ca", (2, 0)).span, Product("c", (2,)).span
        ('v1…v3', 'v2·v0', 'v2')
        """
        neighbours = all(isinstance(a, int) and b == a + 1 for a, b in pairwise(self.of))
        if len(self.of) > 1 and neighbours:
            return f"v{self.of[0]}…v{self.of[-1]}"
        if len(self.of) > 4:
            return f"v{self.of[0]}…v{self.of[-1]} ({len(self.of)})"
        return "·".join(f"v{name}" for name in self.of)


@dataclass(frozen=True)
class Combined:
    """A combine call."""

    left: Product
    right: Product
    result: Product


@dataclass
class Tracked:
    """An operation over products; while `listening`, it also notes each combine call.

    >>> from swagproof.models.operations import CONCATENATION
    >>> monoid = Tracked(CONCATENATION)
    >>> ab = monoid.combine(monoid.lift("a", 0), monoid.lift("b", 1))
    >>> ab, ab.span
    (ab, 'v0…v1')
    """

    operation: Operation[Any, Any, Any]
    listening: bool = False
    heard: list[Combined] = field(default_factory=list[Combined])
    lifted: int = 0
    """The number of elements so far, which is the name of the next."""

    @cached_property
    def identity(self) -> Product:
        """The empty product."""
        return Product(self.operation.identity)

    def lift(self, element: Any, name: Any) -> Product:
        """Lift a stream element under a name."""
        self.lifted += 1
        return Product(self.operation.lift(element), (name,))

    def combine(self, a: Product, b: Product) -> Product:
        """Combine two products, the older on the left."""
        result = Product(self.operation.combine(a.value, b.value), a.of + b.of)
        if self.listening:
            self.heard.append(Combined(a, b, result))
        return result

    def __getattr__(self, name: str) -> Any:
        """Return `remove`, if the operation has it."""
        if name == "remove" and (remove := self.operation.remove) is not None:
            return lambda a, ab: Product(remove(a.value, ab.value), ab.of[len(a.of) :])
        raise AttributeError(name)
