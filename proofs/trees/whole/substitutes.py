"""The substitute for an entry of an inner node: its leaf, and the node that receives it."""

from dataclasses import dataclass
from typing import Any

from swagproof.proofs.engine.solver import Integer, z3
from swagproof.proofs.engine.values import Segment, SymbolicInt, term
from swagproof.proofs.trees.entries import Change, HasEntries, Moment, Which


class ToRepair(HasEntries):
    """An inner node from which an entry is evicted, known only by its height until the climb reaches it.

    Heights survive a height decrease, and depths do not.  Code can assign no other attributes unnoticed.
    """

    __slots__ = ("changed", "degree", "evicted", "idx", "run")

    def __init__(self, run: Any) -> None:
        self.run = run
        self.idx = SymbolicInt(run.path.fresh("idx"))
        self.evicted = run.path.fresh("evicted")
        """The number of the entry."""
        self.degree = run.path.fresh("arity")
        self.changed: dict[Which, Change] = {}
        run.path.assume(z3.And(0 <= self.idx.term, self.idx.term < self.degree - 1))

    def number(self, i: Integer) -> Integer:
        """Return the number of entry i, which is known for the evicted entry."""
        self.run.claim("the entry that is evicted", i == self.idx.term)
        return self.evicted

    def get_child(self, i: Any) -> "Neighbour":
        """Return the subtree before or behind the entry, of any arity."""
        behind = z3.simplify(term(i) - self.idx.term)
        self.run.claim("a child next to the entry", z3.Or(behind == 0, behind == 1))
        return Neighbour(self, z3.is_true(z3.simplify(behind == 0)), SymbolicInt(self.run.path.fresh("arity")))

    def get_time(self, i: Any) -> Any:
        """Return t_i."""
        return self.run.node_class.get_time(self, i)

    def set_time_and_value(self, i: Any, t: Any, v: Any) -> None:
        """Replace entry i."""
        self.run.node_class.set_time_and_value(self, i, t, v)


@dataclass(frozen=True, eq=False, slots=True)
class Neighbour:
    """The subtree next to an entry of an inner node."""

    above: ToRepair
    before: bool
    arity: SymbolicInt


def find_substitute(subtree: Neighbour, *, oldest: bool) -> tuple[Any, Any, Any]:
    """Return, by the contract `oldest` or `youngest`, the leaf that has the first or the last entry below."""
    above, run = subtree.above, subtree.above.run
    leaf = run.take_clean(*run.kinds[:-1], name="leaf")
    assume, number = run.path.assume, run.path.fresh("substitute")
    assume(z3.And(leaf.height == 0, number == (leaf.lo if oldest else leaf.hi - 1)))
    if oldest is not subtree.before:  # otherwise it is somewhere below
        assume(number == above.evicted + (1 if oldest else -1))
    t, value = Moment(run.path.fresh("its time")), Segment.unknown(run.path, "its value")
    assume(z3.And(t.at == 2 * number, value.lo == number, value.hi == number + 1))
    return leaf, t, value
