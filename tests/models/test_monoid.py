"""The check of monoid laws reports the broken law and the values that show it."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from swagproof.models.monoid import Broken, Counting, broken_law
from swagproof.models.operations import CONCATENATION, MUTABLE_COLLECT


@dataclass
class Would:
    """A supposed monoid."""

    identity: Any
    combine: Callable[[Any, Any], Any]


def append(a: list[int], b: list[int]) -> list[int]:
    a += b
    return a


def prepend(a: list[int], b: list[int]) -> list[int]:
    b[:0] = a
    return b


def one_buffer() -> Would:
    """A monoid whose results are the same list, refilled: right as long as no result is kept."""
    buffer: list[int] = []

    def combine(a: list[int], b: list[int]) -> list[int]:
        buffer[:] = a + b
        return buffer

    return Would([], combine)


CLOSURE = "closure: combine(a, b) is a value"
LEFT, RIGHT = "left identity: combine(identity, a) = a", "right identity: combine(a, identity) = a"
ASSOCIATIVITY = "associativity: combine(combine(a, b), c) = combine(a, combine(b, c))"
PURITY = "purity: combine(a, b) leaves a and b as they were"
EQUALITY = "equality: a = a, and a copy of it"
UNSUPPORTED = "unsupported operand type(s) for +: 'NoneType' and 'NoneType'"

WRONG: dict[str, tuple[Would, list[Any], str, str]] = {
    "subtraction": (Would(0, lambda a, b: a - b), [1, 2], LEFT, "a = 1: -1 is not 1"),
    "constant": (Would(0, lambda a, b: b), [1], RIGHT, "a = 1: 0 is not 1"),
    "max from zero": (Would(0, max), [3, -2], LEFT, "a = -2: 0 is not -2"),
    "average that spares zero": (
        Would(0, lambda a, b: (a + b) / 2 if a and b else a or b), [2, 4, 8],
        ASSOCIATIVITY, "a = 2, b = 2, c = 4: 3.0 is not 2.5",
    ),
    "a sum that saturates": (
        Would(0, lambda a, b: min(a + b, 9) if b > 0 else a + b), [5, 6, -3],
        ASSOCIATIVITY, "a = 5, b = 5, c = -3: 6 is not 7",
    ),
    "append": (Would([], append), [[1], [2]], PURITY, "a = [], b = [1]: ([1], [1]) is not ([], [1])"),
    "prepend": (Would([], prepend), [[1], [2]], PURITY, "a = [1], b = []: ([1], [1]) is not ([1], [])"),
    "one buffer": (one_buffer(), [[1], [2]], PURITY, ""),
    "sum from nothing": (
        Would(None, lambda a, b: a + b), [1], CLOSURE, f'a = None, b = None: it raised TypeError("{UNSUPPORTED}")'
    ),
    "NaN": (Would(-math.inf, max), [1.0, math.nan], EQUALITY, "a = nan: nan is not nan"),
}  # fmt: skip
"""Supposed monoids with elements, the broken law, and the values that show it; those of a buffer are random."""


@pytest.mark.parametrize("name", WRONG)
def test_a_broken_law_is_named_with_its_values(name: str) -> None:
    monoid, elements, law, values = WRONG[name]
    found = broken_law(monoid, elements)
    assert isinstance(found, Broken)
    assert str(found).startswith(f"{law} fails for {values}")
    assert str(found).endswith(values)
    assert found.law == law.partition(":")[0]


def test_values_without_equality_are_not_called_impure() -> None:
    found = broken_law(Would(object(), lambda a, b: a), [])
    assert found is not None
    assert found.law == "equality"


def test_a_product_is_needed_to_see_some_mistakes() -> None:
    """Check an addition that forgets to carry beyond ten: associative among its elements, not among their products."""

    def combine(a: int, b: int) -> int:
        return a + b if a < 2 or b < 2 or a + b < 8 else a + b - 1

    found = broken_law(Would(0, combine), [1, 3])
    assert found is not None
    assert found.law == "associativity"


def test_a_monoid_has_no_broken_law() -> None:
    assert broken_law(CONCATENATION, iter(["a", "b", "c"])) is None
    assert broken_law(MUTABLE_COLLECT, [[1], [2], [1, 2]]) is None
    assert broken_law(MUTABLE_COLLECT, []) is None


def test_equality_is_what_the_caller_says() -> None:
    def close(a: float, b: float) -> bool:
        return math.isclose(a, b, rel_tol=1e-9)

    addition = Would(0.0, lambda a, b: a + b)
    assert broken_law(addition, [0.1, 0.2, 0.3], close) is None
    found = broken_law(addition, [0.1, 0.2, 0.3])
    assert found is not None
    assert found.law == "associativity"


def test_values_that_cannot_be_copied_are_refused() -> None:
    with pytest.raises(TypeError, match="cannot pickle"):
        broken_law(Would(0, lambda a, b: a), [(i for i in range(3))])


def test_combine_calls_are_counted() -> None:
    monoid = Counting(CONCATENATION)
    assert broken_law(monoid, ["a", "b"]) is None
    # identity sides, products, and four for each triple
    assert monoid.calls == 2 * 3 + 4 + 4 * (3**3 + 3 * 4 * 2 * 2)
    assert monoid.identity == ""
