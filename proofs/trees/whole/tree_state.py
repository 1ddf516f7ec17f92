"""Symbolic functions that clauses about a tree of any height may use."""

from collections.abc import Callable
from typing import Any, Final

from swagproof.proofs.engine.paths import remember, settle
from swagproof.proofs.engine.solver import Integer, z3
from swagproof.proofs.engine.values import Segment, SymbolicBool, SymbolicInt, term
from swagproof.proofs.trees.entries import Moment, in_range

_ZERO: Final = z3.IntVal(0)

power: Final = z3.Function("mu^", z3.IntSort(), z3.IntSort())
"""mu to the power of a height; mu^(height + 1) - 1 is the least number of entries below a node other than the root."""


def _number(name: str) -> Callable[["TreeState", Any], SymbolicInt]:
    """Return the function from a node to its number of this name."""
    return lambda state, y: SymbolicInt(getattr(y, name))


class TreeState:
    """The state as clauses see it: `n` is the number of entries, `visits` that of nodes which a search has visited."""

    def __init__(self, run: Any) -> None:
        self.run = run
        self.spines, self.steps, self.moved = run.spines, run.steps, run.moved
        self.mu, self.n, self.repairs = map(SymbolicInt, (run.mu, run.n, run.repairs))
        self.visits = SymbolicInt(term(run.visits))
        self.start_height, self.start_level = map(SymbolicInt, run.start)
        self.height_before = SymbolicInt(run.height_before)
        self.to_repair = None if run.to_repair is None else SymbolicInt(run.to_repair)

    height = _number("height")
    """The height, counted from the leaves."""
    depth = _number("depth")
    """The depth, counted from the root."""
    level = _number("level")
    """The height of the lowest node at or above it that is on a spine or is the root."""
    begin = _number("lo")
    """The number of the first entry below it."""
    end = _number("hi")
    """One past the number of the last entry below it."""
    end_of_first = _number("end_of_first")
    """The end of its first child."""
    begin_of_last = _number("begin_of_last")
    """The begin of its last child."""

    def overflow(self, y: Any) -> SymbolicInt:
        """Return 1 if y has more than 2 mu children, else 0."""
        return SymbolicInt(z3.If(y.degree > 2 * self.run.mu, 1, 0))

    def is_right(self, y: Any) -> SymbolicBool:
        """Return whether its aggregate is correct."""
        return SymbolicBool(y.is_right())

    def spine_is_right(self, y: Any, left: bool) -> SymbolicBool:
        """Return whether the aggregates on a spine below it are correct."""
        return SymbolicBool(y.spine_is_right(left=left))

    # Positions of entries

    def entry(self, y: Any, i: Any) -> SymbolicInt:
        """Return the number of its entry i."""
        number = y.number(term(i))
        here = z3.And(0 <= term(i), term(i) < y.degree - 1, 2 * number == self.run.time.at)
        remember(z3.Implies(here, y.has_time))
        return SymbolicInt(number)

    def has_time(self, y: Any, t: Moment) -> SymbolicBool:
        """Return whether one of its entries is at the operation's time."""
        assert t is self.run.time
        return SymbolicBool(y.has_time)

    def is_before(self, k: Any, t: Moment) -> SymbolicBool:
        """Return whether entry k is before a time."""
        return SymbolicBool(2 * term(k) < t.at)

    def is_behind(self, k: Any, t: Moment) -> SymbolicBool:
        """Return whether entry k is behind a time."""
        return SymbolicBool(2 * term(k) > t.at)

    def is_at(self, k: Any, t: Moment) -> SymbolicBool:
        """Return whether entry k is at a time."""
        return SymbolicBool(2 * term(k) == t.at)

    def entries_before(self, t: Moment) -> SymbolicInt:
        """Return the number of entries before a time."""
        return SymbolicInt(self._count((t.at + 1) / 2))

    def entries_behind(self, t: Moment) -> SymbolicInt:
        """Return the number of entries behind a time."""
        return SymbolicInt(self.run.n - self._count(t.at / 2 + 1))

    def _count(self, number: Integer) -> Integer:
        return z3.If(number < 0, 0, z3.If(number > self.run.n, self.run.n, number))

    def is_leaf(self, y: Any) -> SymbolicBool:
        """Return whether the node is a leaf."""
        return SymbolicBool(y.height == 0)

    # Walks

    def power(self, height: Any) -> SymbolicInt:
        """Return mu to the power of a height."""
        return SymbolicInt(power(term(height)))

    def is_above(self, y: Any) -> bool:
        """Return whether to_repair is at or above a node."""
        return settle(y.height <= self.run.to_repair)

    in_range = staticmethod(in_range)

    def product(self, i: int, j: int) -> Segment:
        """Return the product of the entries i .. j-1."""
        return Segment(term(i), term(j))

    # Coins

    @property
    def coins_now(self) -> SymbolicInt:
        """The coins at the unfolded nodes."""
        return SymbolicInt(z3.Sum([_ZERO, *(self.run.coins(y) for y in self.run.seen if not y.gone)]))

    @property
    def coins_before(self) -> SymbolicInt:
        """The coins at the unfolded nodes before the turn."""
        return SymbolicInt(z3.Sum([_ZERO, *(y.coins_before for y in self.run.seen)]))
