"""Products of floats: of 256 bits, so that a window costs what its events are, and not their square."""

import math
from fractions import Fraction
from typing import Any, Final, NamedTuple

_BITS: Final = 256
"""Each product is off by less than 2^-255 of itself."""
_BEYOND: Final = 2048
"""2 to this is larger than any float."""


class Factor(NamedTuple):
    """A number as mantissa * 2^exponent, cut to so many bits that what is lost is nothing beside what floats round.

    An exact product of n floats has 53 n bits, so that a window of n costs n^2; of this it costs n.
    """

    mantissa: int
    exponent: int

    @staticmethod
    def of(x: Any) -> "Factor":
        """Of an integer, a fraction, or a finite float."""
        x = Fraction(x)
        shift = max(0, _BITS - x.numerator.bit_length() + x.denominator.bit_length())
        return Factor((x.numerator << shift) // x.denominator, -shift).cut()

    def cut(self) -> "Factor":
        """The same of at most so many bits."""
        beyond = self.mantissa.bit_length() - _BITS
        return Factor(self.mantissa >> beyond, self.exponent + beyond) if beyond > 0 else self

    def times(self, other: "Factor") -> "Factor":
        """Their product.

        >>> Factor.of(0.1).times(Factor.of(10)).fraction() == Fraction(0.1) * 10
        True
        """
        return Factor(self.mantissa * other.mantissa, self.exponent + other.exponent).cut()

    def fraction(self) -> Fraction:
        """The number; of numbers that no float holds one that none holds either."""
        exponent = min(max(self.exponent, -_BEYOND - _BITS), _BEYOND)
        return self.mantissa * Fraction(2) ** exponent

    def root(self, n: int) -> float:
        """Of a positive number the n-th root, to some units of its last place; infinite where no float holds it."""
        bits = self.mantissa.bit_length()
        whole, rest = divmod(self.exponent + bits, n)
        try:
            return math.ldexp((self.mantissa / (1 << bits)) ** (1 / n) * 2.0 ** (rest / n), whole)
        except OverflowError:
            return math.inf
