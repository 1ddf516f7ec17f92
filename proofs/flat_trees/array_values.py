"""Symbolic values for runs of trees in arrays: the shape of the tree, its areas, changes, and operators with ⊥."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final

from swagproof.models.containers.bottom import BOTTOM, WithBottom
from swagproof.proofs.engine.arrays import SymbolicArray
from swagproof.proofs.engine.loops import rewrite
from swagproof.proofs.engine.paths import Path, mention, remember
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import (
    VALUES,
    AnyOperation,
    Segment,
    SymbolicBool,
    SymbolicInt,
    Value,
    combine_uncounted,
    identical,
    term,
)
from swagproof.proofs.flat_trees.complete_trees import CompleteTree

_INT: Final = z3.IntSort()


class SymbolicTree:
    """The shape of the tree as clauses read it, for every height."""

    def __init__(self, tree: CompleteTree) -> None:
        self.tree = tree
        self.height = SymbolicInt(tree.height)

    def level(self, v: SymbolicInt) -> SymbolicInt:
        return self._of(self.tree.level, v)

    def first(self, v: SymbolicInt) -> SymbolicInt:
        return self._of(self.tree.first, v)

    def last(self, v: SymbolicInt) -> SymbolicInt:
        return self._of(self.tree.last, v)

    def on_level(self, v: SymbolicInt, level: SymbolicInt) -> SymbolicBool:
        remember(self.tree.same_level(term(level), term(v)))
        return SymbolicBool(self.level(v).term == term(level))

    def _of(self, function: Callable[[Integer], Integer], v: SymbolicInt) -> SymbolicInt:
        mention(term(v))
        return SymbolicInt(function(term(v)))


class Places:
    """The model: the value of place i by definition, and the uncounted operator."""

    def __init__(self, at: Callable[[Integer], Any]) -> None:
        self.at = at
        self.monoid = SimpleNamespace(combine=combine_uncounted)

    def __getitem__(self, i: SymbolicInt) -> Value:
        return Value(self.at(term(i)))


class Products:
    """The model over segments: place i is [i, i + 1)."""

    def product(self, i: SymbolicInt, j: SymbolicInt) -> Segment:
        return Segment(term(i), term(j) + 1)


def occupied(everywhere: bool) -> SimpleNamespace:
    """Return the area of all places, or of none."""
    return SimpleNamespace(over=lambda v: everywhere)


def steps_up(above: Any, leaf: Integer, level: Integer) -> Truth:
    """Return the definition of the node of a level above a leaf, `above(level)`, by recursion from the leaves."""
    return z3.And(above(0) == leaf, z3.Implies(level >= 1, above(level) == above(level - 1) / 2))


class Many(SymbolicInt):
    """The number m >= 0 of changes; m * x is defined by recursion on x, so that Z3 need not multiply unknowns."""

    __slots__ = ("asked", "times")

    def __init__(self, m: Integer) -> None:
        super().__init__(m)
        self.times = z3.Function("m *", _INT, _INT)
        self.asked: list[Integer] = []

    def __mul__(self, other: "int | SymbolicInt") -> SymbolicInt:
        x, times = term(other), self.times
        remember(z3.And(times(0) == 0, times(x) == times(x - 1) + self.term, z3.Implies(self.term == 0, times(x) == 0)))
        for y in self.asked:  # because m >= 0
            remember(z3.And(z3.Implies(x <= y, times(x) <= times(y)), z3.Implies(y <= x, times(y) <= times(x))))
        self.asked.append(x)
        return SymbolicInt(times(x))


class SymbolicWrites:
    """The changes of an update as clauses read them: any m, of different places in 1 .. n."""

    def __init__(self, path: Path, tree: CompleteTree) -> None:
        self.tree = tree
        self.changes = path.fresh("m")
        self.size = Many(self.changes)
        self.before, self.values = (z3.Array(name, _INT, VALUES) for name in ("before", "val"))
        self.locations, self.numbers = (z3.Array(name, _INT, _INT) for name in ("loc", "number"))
        path.assume(self.changes >= 0)

    def inside(self, i: Integer) -> Truth:
        """Return the condition that place i exists."""
        return z3.And(1 <= i, i <= self.tree.leaves)

    def change(self, j: Integer) -> tuple[SymbolicInt, Value]:
        """Return the j-th change."""
        place = self.locations[j]
        fact = z3.And(self.numbers[place] == j, self.inside(place))
        remember(z3.Implies(z3.And(0 <= j, j < self.changes), fact))
        return SymbolicInt(place), Value(self.values[j])

    def is_changed(self, i: Integer) -> Truth:
        """Return whether a change is of place i; at most one is, because changes are of different places."""
        j = self.numbers[i]
        return z3.And(0 <= j, j < self.changes, self.locations[j] == i)

    def number(self, i: SymbolicInt) -> SymbolicInt:
        """Return the number of the change of place i; `size` if there is none."""
        return SymbolicInt(z3.If(self.is_changed(term(i)), self.numbers[term(i)], self.size.term))

    def told(self, i: SymbolicInt) -> SymbolicInt:
        """Return the index of the first mention of place i; an update only mentions it to change it."""
        return self.number(i)

    def old(self, i: SymbolicInt) -> Value:
        """Return the former value at place i."""
        return Value(self.before[term(i)])

    def new(self, i: Integer) -> Any:
        """Return the value at place i after the changes."""
        return z3.If(self.is_changed(i), self.values[self.numbers[i]], self.before[i])


class AllWritten:
    """The writes of new: the i-th change is of place i."""

    def __init__(self, n: SymbolicInt) -> None:
        self.size = n

    def number(self, i: SymbolicInt) -> SymbolicInt:
        return SymbolicInt(i.term - 1)

    told = number


class WrittenArray(SymbolicArray):
    """An array with all slots written, for counting calls; other runs show that only written slots are read."""

    def __init__(self, size: "int | SymbolicInt") -> None:
        super().__init__(size)
        self.written = z3.K(_INT, z3.BoolVal(True))

    def forget(self, path: Path) -> None:
        super().forget(path)
        self.written = z3.K(_INT, z3.BoolVal(True))


BOTTOM_TERM: Final = z3.Const("bottom", VALUES)
"""The term of ⊥."""


def _is_bottom(x: Value, y: object) -> SymbolicBool:
    """Return whether x is ⊥."""
    return SymbolicBool(x.term == BOTTOM_TERM) if y is BOTTOM else SymbolicBool(z3.BoolVal(identical(x, y)))


class AnyWithBottom(AnyOperation):
    """Any operator with ⊥ adjoined by WithBottom's own combine; it counts the calls of the operator."""

    adjoined = staticmethod(rewrite(WithBottom.combine, {"__is__": _is_bottom}).method)

    def combine(self, x: Value, y: Value) -> Value:
        made: Value = self.adjoined(SimpleNamespace(monoid=SimpleNamespace(combine=super().combine)), x, y)
        remember(z3.Implies(z3.And(x.term != BOTTOM_TERM, y.term != BOTTOM_TERM), made.term != BOTTOM_TERM))
        return made


class FirstPlaces:
    """The area of the first m places, for any m, as the clauses read `held`."""

    inverted = False

    def __init__(self, path: Path, tree: CompleteTree) -> None:
        self.tree = tree
        self.front, self.back = SymbolicInt(z3.IntVal(1)), SymbolicInt(path.fresh("m"))
        path.assume(z3.And(0 <= self.back.term, self.back.term <= tree.leaves))

    def above_front(self, level: SymbolicInt) -> SymbolicInt:
        """Return the first node of a level."""
        return SymbolicInt(self.tree.width(term(level)))

    def above_back(self, level: "int | SymbolicInt") -> SymbolicInt:
        """Return the node above the m-th place; for m = 0, the number before the level's first node."""
        above = z3.Function("above back", _INT, _INT)
        remember(steps_up(above, self.tree.leaves + self.back.term - 1, term(level)))
        return SymbolicInt(above(term(level)))
