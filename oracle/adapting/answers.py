"""Rules for judging an adapted subject's answers: lowered answers, and the result for an empty window.

Both rules concern answers alone, so the judge applies them.  For an empty window the reference answers ⊥, which is
adjoined to the monoid: a sentinel is never confused with an equal product, and a semigroup needs no identity.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, Final, TypeAlias

from swagproof.models.containers.bottom import BOTTOM, WithBottom
from swagproof.models.operations import Operation
from swagproof.oracle.adapting.declared import EMPTY, Adapter
from swagproof.oracle.domain import Domain, Exactly, alike, plain
from swagproof.oracle.domains.elements import of_samples
from swagproof.oracle.domains.width import WIDTHS, addend_of
from swagproof.oracle.outcome import Refusal
from swagproof.oracle.trace import InputError

_EPS: Final = Fraction(1, 1 << 52)

_Sums: TypeAlias = tuple[int, Any, Any]
"""Number of elements, the sum of their absolute values, the sum of their squares."""

ROUNDED: Final = 4
"""The allowed error of a float or decimal that answers with an exact value (a mean, a deviation), in units in the last
place."""


class Lowered(Exactly):
    """A rule for answers that are the window's product, lowered by the operation."""

    def __init__(self, rule: Exactly) -> None:
        super().__init__(rule.mirror)
        self.rule = rule

    def agree(self, expected: Any, got: Any) -> bool:
        """Return whether `got` is the lowered product.

        >>> from swagproof.models.operations import MEAN
        >>> mean = Lowered(Exactly(MEAN))
        >>> mean.agree((3, 1), 1 / 3), mean.agree((3, 1), 0.3333), mean.agree((3, 1), (3, 1)), mean.agree((3, 6), 2.0)
        (True, False, False, True)
        """
        right = self.rule.answer(expected)
        got = plain(right, got)
        if isinstance(right, Fraction | float) and isinstance(got, float | Decimal) and math.isfinite(right):
            return math.isfinite(got) and abs(Fraction(got) - Fraction(right)) <= ROUNDED * Fraction(math.ulp(right))
        return self.rule.answers(expected, got)

    def round_exact(self, expected: Any) -> Any:
        return self.rule.answer(expected)

    def answers(self, expected: Any, got: Any) -> bool:
        return self.agree(expected, got)

    def answer(self, expected: Any) -> Any:
        return self.rule.answer(expected)


class Near(Lowered):
    """A rule for means and deviations in floating point, whose error is bounded by the error of their sums.

    A sum of n elements may be off by eps * n * sum|x| over the window's own elements (`swagproof.oracle.domain`); the
    bound is not relative to the result, which may be 0 by cancellation.  The bound of a mean is n times smaller; that
    of a variance comes from the sum of squares.  So the order of summation is free, and an algorithm may update a mean
    by differences, but evicted elements must leave no error behind.
    """

    def __init__(self, rule: Exactly, off: Callable[[Any, float | Decimal, _Sums], tuple[Fraction, Fraction]]) -> None:
        super().__init__(rule)
        inner = rule.mirror
        self.off = off
        self.mirror = Operation[Any, Any, Any](
            inner.name,
            lift=lambda e: (inner.lift(e), (1, abs(e), e * e)),
            combine=lambda a, b: (
                inner.combine(a[0], b[0]),
                (a[1][0] + b[1][0], a[1][1] + b[1][1], a[1][2] + b[1][2]),
            ),
            lower=lambda v: inner.lower(v[0]),
            identity=(inner.identity, (0, 0, 0)),
            commutative=True,
        )

    def agree(self, expected: Any, got: Any) -> bool:
        """Return whether `got` is the lowered product, within the bound.

        >>> from swagproof.models.operations import MEAN
        >>> mean = Near(Exactly(MEAN), _off_mean)
        >>> third = mean.mirror.combine(mean.mirror.lift(Fraction(1, 3)), mean.mirror.lift(Fraction(-1, 3)))
        >>> mean.agree(third, 2e-17), mean.agree(third, 2e-16), mean.agree(third, 0)
        (True, False, True)
        """
        product, sums = expected
        right = self.rule.answer(product)
        got = plain(right, got)
        if right is None and product[0]:  # the sample deviation of one element is NaN in NumPy and pandas, NULL in SQL
            return got is None or (isinstance(got, float) and math.isnan(got))
        if right is not None and isinstance(got, float | Decimal) and math.isfinite(got):
            off, allowed = self.off(product, got, sums)
            return off <= allowed
        return self.rule.answers(product, got)

    def answer(self, expected: Any) -> Any:
        return self.rule.answer(expected[0])

    def round_exact(self, expected: Any) -> Any:
        return self.answer(expected)


def _off_mean(product: Any, got: float | Decimal, sums: _Sums) -> tuple[Fraction, Fraction]:
    """Return the error of a mean and the bound on it: the bound of the sum, divided by n."""
    return abs(Fraction(got) - Fraction(product[1], product[0])), _EPS * Fraction(sums[1])


def _off_deviation(freedom: int, product: Any, got: float | Decimal, sums: _Sums) -> tuple[Fraction, Fraction]:
    """Return the error of a variance and the bound on it, both multiplied by the variance's divisor."""
    n, total, squares = product
    right = Fraction(squares) - Fraction(total * total) / n
    allowed = 4 * n * _EPS * Fraction(sums[2])
    return (abs(Fraction(got) ** 2 * (n - freedom) - right), allowed) if got >= 0 else (Fraction(1), Fraction(0))


_NEAR: Final[dict[str, Callable[[Any, float | Decimal, _Sums], tuple[Fraction, Fraction]]]] = {
    "mean": _off_mean,
    "population-standard-deviation": partial(_off_deviation, 0),
    "sample-standard-deviation": partial(_off_deviation, 1),
}
"""For each aggregation, the function that returns an answer's error and the bound on it."""


class OfNothing(Exactly):
    """A rule with a declared result for empty windows; another rule judges the answers for all other windows."""

    def __init__(self, rule: Exactly, adapter: Adapter) -> None:
        inner = rule.mirror
        super().__init__(replace(inner, combine=WithBottom(inner).combine, identity=BOTTOM))
        self.rule = rule
        self.empty = adapter.empty
        self.sentinel = Refusal("") if adapter.empty in EMPTY else adapter.sentinel

    def agree(self, expected: Any, got: Any) -> bool:
        """Return whether `got` is the declared result for an empty window, or the right answer for another one.

        >>> from swagproof.models.operations import SUM
        >>> rule = OfNothing(Exactly(SUM), Adapter(empty="null"))
        >>> rule.agree(BOTTOM, None), rule.agree(BOTTOM, 0), rule.agree(0, None), rule.agree(0, 0)
        (True, False, False, True)
        """
        if expected is not BOTTOM:
            return not isinstance(got, Refusal) and self.rule.agree(expected, got)
        if self.empty in EMPTY:
            return self.empty == "anything" or isinstance(got, Refusal)
        return alike(self.sentinel, plain(self.sentinel, got))

    def round_exact(self, expected: Any) -> Any:
        return self.sentinel if expected is BOTTOM else self.rule.round_exact(expected)

    def allowed(self, expected: Any) -> float | None:
        return None if expected is BOTTOM else self.rule.allowed(expected)

    def answers(self, expected: Any, got: Any) -> bool:
        if expected is BOTTOM:
            return self.agree(expected, got)
        return not isinstance(got, Refusal) and self.rule.answers(expected, got)

    def answer(self, expected: Any) -> Any:
        return self.sentinel if expected is BOTTOM else self.rule.answer(expected)


def judged_as(domain: Domain, adapter: Adapter, numbers: str = "any") -> Domain:
    """Return the domain with the adapter's rules for answers; `numbers` applies if the adapter declares none.

    Raises InputError if the adapter must declare the result for an empty window and does not.
    """
    width, addend, says = WIDTHS[adapter.numbers or numbers], addend_of(domain.name), adapter.numbers is not None
    if width is not None:
        width = replace(width, whole=says and any(type(letter) is int for letter in domain.elements.letters))
        domain = replace(domain, elements=width.restrict(domain.elements, added=addend is not None))
    if width is not None and addend is not None:
        domain = replace(domain, width=replace(width, addend=addend))
    rule, without = domain.rule, domain.operation.identity is BOTTOM
    if without and adapter.empty == "identity":
        raise InputError(
            f"--monoid {domain.name}: it has no identity; state the result for an empty window, such as --empty raises"
        )
    if adapter.lowered:
        off = _NEAR.get(domain.operation.name)
        rule = Lowered(rule) if off is None else Near(rule, off)
        if off is not None and not (says and width):  # numbers that floats represent well
            domain = replace(domain, elements=of_samples(domain.operation.samples))
    if without or adapter.empty != "identity":
        rule = OfNothing(rule, adapter)
    return domain if rule is domain.rule else replace(domain, rule=rule, lowered=adapter.lowered or domain.lowered)
