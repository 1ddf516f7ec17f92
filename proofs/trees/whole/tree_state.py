"""Symbolic functions that clauses about a tree of any height may use."""

from typing import Any, Final

from swagproof.proofs.engine.paths import remember, settle
from swagproof.proofs.engine.solver import Integer, z3
from swagproof.proofs.engine.values import Segment, SymbolicBool, SymbolicInt, term
from swagproof.proofs.trees.whole.entries import Moment, in_range

_ZERO: Final = z3.IntVal(0)

power: Final = z3.Function("mu^", z3.IntSort(), z3.IntSort())
"""mu to the height: of a node that is no root, mu^(height + 1) - 1 is the least number of entries."""


class TreeState:
    """The state as clauses see it: what they ask is looked up then."""

    def __init__(self, run: Any) -> None:
        self.run = run
        self.mu = SymbolicInt(run.mu)
        self.steps, self.moved = run.steps, run.moved
        self.repairs = SymbolicInt(run.repairs)
        self.start_height, self.start_level = map(SymbolicInt, run.start)
        self.height_before = SymbolicInt(run.height_before)
        self.to_repair = None if run.to_repair is None else SymbolicInt(run.to_repair)

    def height(self, y: Any) -> SymbolicInt:
        """From the leaves."""
        return SymbolicInt(y.height)

    def depth(self, y: Any) -> SymbolicInt:
        """From the root."""
        return SymbolicInt(y.depth)

    def level(self, y: Any) -> SymbolicInt:
        """The height of the lowest node at or above it that is on a spine, or the root."""
        return SymbolicInt(y.level)

    def overflow(self, y: Any) -> SymbolicInt:
        """1 where y has more than 2 mu children, else 0."""
        return SymbolicInt(z3.If(y.degree > 2 * self.run.mu, 1, 0))

    def is_right(self, y: Any) -> SymbolicBool:
        """Its aggregate is."""
        return SymbolicBool(y.is_right())

    def spine_is_right(self, y: Any, left: bool) -> SymbolicBool:
        """Those on a spine below it are."""
        return SymbolicBool(y.spine_is_right(left=left))

    # Where entries are

    def begin(self, y: Any) -> SymbolicInt:
        """The first number below it."""
        return SymbolicInt(y.lo)

    def end(self, y: Any) -> SymbolicInt:
        """One past the last."""
        return SymbolicInt(y.hi)

    @property
    def n(self) -> SymbolicInt:
        """Return how many entries there are."""
        return SymbolicInt(self.run.n)

    def entry(self, y: Any, i: Any) -> SymbolicInt:
        """The number of its entry i."""
        number = y.number(term(i))
        here = z3.And(0 <= term(i), term(i) < y.degree - 1, 2 * number == self.run.time.at)
        remember(z3.Implies(here, y.has_time))
        return SymbolicInt(number)

    def has_time(self, y: Any, t: Moment) -> SymbolicBool:
        """Return whether one of its entries is at the time given."""
        assert t is self.run.time
        return SymbolicBool(y.has_time)

    def is_before(self, k: Any, t: Moment) -> SymbolicBool:
        """Return whether entry k is before a time."""
        return SymbolicBool(2 * term(k) < t.at)

    def is_behind(self, k: Any, t: Moment) -> SymbolicBool:
        """Return whether it is behind."""
        return SymbolicBool(2 * term(k) > t.at)

    def is_at(self, k: Any, t: Moment) -> SymbolicBool:
        """Return whether it is there."""
        return SymbolicBool(2 * term(k) == t.at)

    def entries_before(self, t: Moment) -> SymbolicInt:
        """Return how many entries are before a time."""
        return SymbolicInt(self._count((t.at + 1) / 2))

    def entries_behind(self, t: Moment) -> SymbolicInt:
        """Return how many are behind."""
        return SymbolicInt(self.run.n - self._count(t.at / 2 + 1))

    def _count(self, number: Integer) -> Integer:
        return z3.If(number < 0, 0, z3.If(number > self.run.n, self.run.n, number))

    @property
    def spines(self) -> bool:
        """Return whether the tree has spines."""
        return bool(self.run.spines)

    def is_leaf(self, y: Any) -> SymbolicBool:
        """Return whether no node is below."""
        return SymbolicBool(y.height == 0)

    def end_of_first(self, y: Any) -> SymbolicInt:
        """Return the end of the node's first child."""
        return SymbolicInt(y.end_of_first())

    def begin_of_last(self, y: Any) -> SymbolicInt:
        """Return the begin of the node's last child."""
        return SymbolicInt(y.begin_of_last())

    # Of walks

    @property
    def visits(self) -> SymbolicInt:
        """Return how many nodes the search has visited."""
        return SymbolicInt(term(self.run.visits))

    def power(self, height: Any) -> SymbolicInt:
        """mu to the height."""
        return SymbolicInt(power(term(height)))

    def is_above(self, y: Any) -> bool:
        """Return whether to_repair is at or above a node."""
        return settle(y.height <= self.run.to_repair)

    def in_range(self, i: Any, j: Any, t_from: Any, t_to: Any) -> Segment:
        """The product of those among the entries i .. j-1 that are in the range."""
        return in_range(term(i), term(j), t_from, t_to)

    def product(self, i: int, j: int) -> Segment:
        """Return the product of the entries i .. j-1."""
        return Segment(term(i), term(j))

    # Coins

    @property
    def coins_now(self) -> SymbolicInt:
        """At the nodes that were looked at."""
        return SymbolicInt(z3.Sum([_ZERO, *(self.run.coins(y) for y in self.run.seen if not y.gone)]))

    @property
    def coins_before(self) -> SymbolicInt:
        """At the nodes that were looked at, before the turn."""
        return SymbolicInt(z3.Sum([_ZERO, *(y.coins_before for y in self.run.seen)]))
