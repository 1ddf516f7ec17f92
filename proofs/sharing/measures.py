"""Numbers that TimeGram is run over: real numbers that are not known, and numbers told by the grid, as L + x w."""

from fractions import Fraction
from typing import Any

from swagproof.proofs.engine.paths import Path, current_path, show
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.engine.values import Number, SymbolicBool, SymbolicInt


class SymbolicReal(Number):
    """A real number that is not known: what TimeGram does with Fractions."""

    __slots__ = ()

    def __init__(self, term: Any) -> None:
        super().__init__(z3.simplify(term))

    def take(self, other: Any) -> Any:
        return real_term(other)

    def another(self, path: Path, name: str) -> "SymbolicReal":
        return SymbolicReal(z3.Real(str(path.fresh(name))))

    def __mul__(self, other: Any) -> Any:
        return other * self if isinstance(other, Measured) else super().__mul__(other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> "SymbolicReal":
        show("no division by zero", real_term(other) != 0)
        return SymbolicReal(self.term / real_term(other))

    def __floordiv__(self, other: Any) -> "SymbolicReal":
        """The integer q with q other <= self < (q + 1) other, for a positive divisor."""
        path = current_path()
        assert path is not None
        divisor = real_term(other)
        show("a divisor is positive", divisor > 0)
        q = z3.ToReal(path.fresh("q"))
        path.assume(z3.And(q * divisor <= self.term, self.term < (q + 1) * divisor))
        return SymbolicReal(q)


class Measured:
    """`origins` L + `widths` w, for a w > 0: in these units there is every number, and what is asked of them is linear.

    Numbers of as many L are compared by their widths.  Any other comparison, and a product of two such numbers, would
    depend on L and w: TypeError.
    """

    __slots__ = ("origins", "widths")
    __hash__ = None  # type: ignore[assignment]  # equal values cannot be known to hash alike

    def __init__(self, widths: Any, origins: int = 0) -> None:
        self.widths = widths if isinstance(widths, SymbolicReal) else SymbolicReal(real_term(widths))
        self.origins = origins

    def __bool__(self) -> bool:
        raise TypeError("comparable by L and w only")

    def __add__(self, other: "Measured") -> "Measured":
        return Measured(self.widths + other.widths, self.origins + other.origins)

    def __sub__(self, other: "Measured") -> "Measured":
        return Measured(self.widths - other.widths, self.origins - other.origins)

    def __mul__(self, factor: "SymbolicReal | int") -> "Measured":
        self._of_like(Measured(0))
        return Measured(self.widths * factor)

    __rmul__ = __mul__

    def __truediv__(self, divisor: int) -> "Measured":
        self._of_like(Measured(0))
        return Measured(self.widths / divisor)

    def __floordiv__(self, other: "Measured") -> SymbolicReal:
        self._of_like(other)
        other._of_like(Measured(0))
        return self.widths // other.widths

    def __eq__(self, other: object) -> Any:
        return self.widths == self._of_like(other)

    def __le__(self, other: "Measured") -> SymbolicBool:
        return self.widths <= self._of_like(other)

    def __lt__(self, other: "Measured") -> SymbolicBool:
        return self.widths < self._of_like(other)

    def _of_like(self, other: object) -> SymbolicReal:
        """The other's widths."""
        if not isinstance(other, Measured) or self.origins != other.origins:
            raise TypeError("comparable by L and w only")
        return other.widths


def real_term(value: Any) -> Any:
    """The term of a number, known or not."""
    if isinstance(value, SymbolicInt):
        return z3.ToReal(value.term)
    return value.term if isinstance(value, SymbolicReal) else z3.RealVal(Fraction(value))
