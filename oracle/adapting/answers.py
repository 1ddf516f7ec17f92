"""How the answers of an adapted subject are judged: answers that are lowered, and what is said of no elements.

Both are rules about answers alone, and so they are the judge's: the subject says what it answers, here it is held to
that.  Of no elements the reference answers ⊥, which is adjoined to the monoid; so a sentinel that a product happens to
equal is not taken for one, and a semigroup without identity needs none.
"""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from swagproof.models.containers.bottom import BOTTOM, WithBottom
from swagproof.oracle.adapting.declared import EMPTY, Adapter
from swagproof.oracle.domain import Domain, Exactly, alike, plain
from swagproof.oracle.outcome import Refusal
from swagproof.oracle.trace import InputError

ROUNDED: Final = 4
"""Units in the last place by which a float may be off an exact answer that is no whole number: a mean, a deviation."""


class Lowered(Exactly):
    """Answers are what the operation lowers the window's product to."""

    def __init__(self, rule: Exactly) -> None:
        super().__init__(rule.mirror)
        self.rule = rule

    def agree(self, expected: Any, got: Any) -> bool:
        """Whether this is the product, lowered.

        >>> from swagproof.models.operations import MEAN
        >>> mean = Lowered(Exactly(MEAN))
        >>> mean.agree((3, 1), 1 / 3), mean.agree((3, 1), 0.3333), mean.agree((3, 1), (3, 1)), mean.agree((3, 6), 2.0)
        (True, False, False, True)
        """
        right, got = self.rule.answer(expected), plain(expected, got)
        got = tuple(got) if type(got) is list and isinstance(right, tuple) else got  # pyright: ignore[reportUnknownArgumentType]  # of any
        if isinstance(right, Fraction | float) and isinstance(got, float) and math.isfinite(right):
            return math.isfinite(got) and abs(Fraction(got) - Fraction(right)) <= ROUNDED * Fraction(math.ulp(right))
        return self.rule.answers(expected, got)

    def round_exact(self, expected: Any) -> Any:
        return self.rule.answer(expected)

    def answers(self, expected: Any, got: Any) -> bool:
        return self.agree(expected, got)

    def answer(self, expected: Any) -> Any:
        return self.rule.answer(expected)


class OfNothing(Exactly):
    """Of no elements a sentinel is answered, or something is raised, or all is one; of others, as another rule says."""

    def __init__(self, rule: Exactly, adapter: Adapter) -> None:
        inner = rule.mirror
        super().__init__(replace(inner, combine=WithBottom(inner).combine, identity=BOTTOM))
        self.rule = rule
        self.empty = adapter.empty
        self.sentinel = Refusal("") if adapter.empty in EMPTY else adapter.sentinel

    def agree(self, expected: Any, got: Any) -> bool:
        """Whether this is what was promised of no elements, or the answer of some.

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
        return self.agree(expected, got)

    def answer(self, expected: Any) -> Any:
        return self.round_exact(expected)


def judged_as(domain: Domain, adapter: Adapter) -> Domain:
    """The domain as answers are judged under this adapter.  Raises InputError where it does not say that."""
    rule, without = domain.rule, domain.operation.identity is BOTTOM
    if without and adapter.empty == "identity":
        raise InputError(
            f"--monoid {domain.name}: it has no identity: say what is answered of no elements, as in --empty raises"
        )
    if adapter.lowered:
        rule = Lowered(rule)
    if without or adapter.empty != "identity":
        rule = OfNothing(rule, adapter)
    return domain if rule is domain.rule else replace(domain, rule=rule, raw=adapter.lowered or domain.raw)
