"""Integers that may be divided by unknown integers, for statements about every range and slide.

Z3 alone does not decide products and quotients of unknowns.  It receives instances of two theorems: x = q d + r with 0
<= r < d, for x // d and x % d; and different multiples of d > 0 differ by at least d.
"""

from swagproof.proofs.engine.paths import Path, remember
from swagproof.proofs.engine.solver import Integer, z3
from swagproof.proofs.engine.values import SymbolicInt, term


class Multiples:
    """The multiples of each divisor on this path; the greater of two factors has the greater product."""

    def __init__(self) -> None:
        self.of: dict[str, list[Integer]] = {}
        self.quotients: dict[tuple[str, str], tuple[Integer, Integer]] = {}

    def note(self, d: Integer, m: Integer) -> None:
        """Assume the order of m d and the other known multiples of d."""
        m = z3.simplify(m)
        known = self.of.setdefault(z3.simplify(d).sexpr(), [z3.IntVal(0)])
        if any(m.eq(n) for n in known):
            return
        for n in known:
            for more, less in ((m, n), (n, m)):
                remember(z3.Implies(z3.And(d > 0, more >= less + 1), more * d >= less * d + d))
        known.append(m)

    def divide(self, path: Path, x: Integer, d: Integer) -> tuple[Integer, Integer]:
        """Return quotient and remainder of x by d; as in Python for d > 0, unknown otherwise."""
        key = z3.simplify(x).sexpr(), z3.simplify(d).sexpr()
        if key not in self.quotients:
            q, r = path.fresh("q"), path.fresh("r")
            self.quotients[key] = q, r
            remember(z3.Implies(d > 0, z3.And(x == q * d + r, 0 <= r, r < d)))
            self.note(d, q)
        return self.quotients[key]


class Whole(SymbolicInt):
    """An unknown integer that may be divided by unknown integers above 0."""

    __slots__ = ("multiples", "path")

    def __init__(self, term: Integer, path: Path, multiples: Multiples) -> None:
        super().__init__(term)
        self.path = path
        self.multiples = multiples

    def like(self, term: Integer) -> "Whole":
        """Return another integer of the same path."""
        return Whole(term, self.path, self.multiples)

    def __mul__(self, other: "int | SymbolicInt") -> "Whole":
        for d, m in ((self.term, term(other)), (term(other), self.term)):
            self.multiples.note(d, m)
        return self.like(self.term * term(other))

    __rmul__ = __mul__

    def __floordiv__(self, divisor: "int | SymbolicInt") -> "Whole":
        return self.like(self.multiples.divide(self.path, self.term, term(divisor))[0])

    def __mod__(self, divisor: "int | SymbolicInt") -> "Whole":
        return self.like(self.multiples.divide(self.path, self.term, term(divisor))[1])
