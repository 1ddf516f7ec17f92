"""Complete binary trees in the heap's numbering, of every height: facts for proofs, each with its own proof.

A tree has n = 2^k leaves.  The root is node 1, the children of v are 2v and 2v + 1, leaf i is node n + i - 1.  The
leaves are at level 0, the root at level k.  For a node v, `level(v)`, `first(v)` and `last(v)` are its level and the
numbers of the first and last leaf below it.  They are defined by recursion from the leaves (`definition`), and 2^x by
recursion on x.  Both recursions end, so the functions exist, and defining them assumes nothing.

`facts` returns the facts that a run uses about a node that it mentions.  Each is proved here (`LEMMAS`) by induction on
levels: Z3 checks base and step.  That steps from 0 reach every number is left to the reader.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from swagproof.proofs.engine.paths import Exploration, Path, explore
from swagproof.proofs.engine.solver import Integer, Truth, z3
from swagproof.proofs.engine.values import power_facts, power_of_two
from swagproof.proofs.ledger.claim import Outcome
from swagproof.proofs.ledger.theorem import conclude

_INT: Final = z3.IntSort()
_level, _first, _last = (z3.Function(name, _INT, _INT) for name in ("level", "first", "last"))


class CompleteTree:
    """The tree of 2^k leaves, for a height k about which nothing is known but k >= 0."""

    def __init__(self, height: Integer) -> None:
        self.height = height
        self.leaves = power_of_two(height)
        self.level, self.first, self.last = _level, _first, _last

    def is_node(self, v: Integer) -> Truth:
        return z3.And(1 <= v, v < 2 * self.leaves)

    def definition(self, v: Integer) -> Truth:
        """Return the definition of level, first and last of v by those of its children."""
        at_leaf = z3.And(_level(v) == 0, _first(v) == v - self.leaves + 1, _last(v) == v - self.leaves + 1)
        inside = z3.And(
            _level(v) == _level(2 * v) + 1, _first(v) == _first(2 * v), _last(v) == _last(2 * v + 1)
        )  # fmt: skip
        return z3.And(z3.Implies(v >= self.leaves, at_leaf), z3.Implies(z3.And(1 <= v, v < self.leaves), inside))

    def width(self, level: Integer) -> Integer:
        """Return the number of nodes on a level, which is also the number of its first node."""
        return power_of_two(self.height - level)

    def on_level(self, level: Integer, v: Integer) -> Truth:
        return z3.And(self.width(level) <= v, v < 2 * self.width(level))

    def closed(self, level: Integer, v: Integer) -> Truth:
        """Return the claim that level x is q .. 2q-1, q = 2^(k-x), with leaves (v-q)p + 1 .. (v-q+1)p, p = 2^x."""
        q, p = self.width(level), power_of_two(level)
        values = z3.And(_level(v) == level, _first(v) == (v - q) * p + 1, _last(v) == (v - q + 1) * p)
        return z3.And(q <= self.leaves, z3.Implies(self.on_level(level, v), values))

    def placed(self, level: Integer, v: Integer) -> Truth:
        """Return the claim that each node of the levels 0 .. x is on the level that `level` states."""
        known = z3.And(0 <= _level(v), _level(v) <= level, self.on_level(_level(v), v))
        return z3.Implies(z3.And(self.width(level) <= v, v < 2 * self.leaves), known)

    def same_level(self, level: Integer, v: Integer) -> Truth:
        """Return the claim that a node is on level x, 0 <= x <= k, if and only if its number is one of q .. 2q-1."""
        asked = z3.And(0 <= level, level <= self.height, self.is_node(v))
        return z3.Implies(asked, (_level(v) == level) == self.on_level(level, v))

    def facts(self, v: Integer) -> dict[str, Truth]:
        """Return the known facts about a node, by name."""
        node, inner = self.is_node(v), z3.And(1 <= v, v < self.leaves)
        left, right = 2 * v, 2 * v + 1
        return {
            "levels": z3.Implies(node, z3.And(0 <= _level(v), _level(v) <= self.height, self.on_level(_level(v), v))),
            "leaves": z3.Implies(
                z3.And(node, z3.Not(inner)),
                z3.And(_level(v) == 0, _first(v) == v - self.leaves + 1, _last(v) == v - self.leaves + 1),
            ),
            "children": z3.Implies(
                inner,
                z3.And(
                    _level(v) >= 1,
                    _level(left) == _level(v) - 1,
                    _level(right) == _level(v) - 1,
                    self.width(_level(v) - 1) == 2 * self.width(_level(v)),
                    _first(left) == _first(v),
                    _last(right) == _last(v),
                ),
            ),
            "lowest": z3.Implies(
                z3.And(inner, _level(v) == 1),
                z3.And(_first(v) == left - self.leaves + 1, _last(v) == left - self.leaves + 2),
            ),
            "neighbours": z3.Implies(
                inner,
                z3.And(_first(right) == _last(left) + 1, _first(v) <= _last(left), _first(right) <= _last(v)),
            ),
            "within": z3.Implies(node, z3.And(1 <= _first(v), _first(v) <= _last(v), _last(v) <= self.leaves)),
            "root": z3.Implies(node, (_level(v) == self.height) == (v == 1)),
            "the root's leaves": z3.And(_first(1) == 1, _last(1) == self.leaves, _level(1) == self.height),
        }


def powers_are_positive(path: Path) -> None:
    """Show `power_facts` from 2^0 = 1 and 2^(x+1) = 2 * 2^x."""
    x = path.fresh("x")
    path.assume(z3.And(power_of_two(0) == 1, x >= 0, power_of_two(x + 1) == 2 * power_of_two(x)))
    path.show("2^0 >= 1", power_of_two(0) >= 1)
    path.show("2^(x+1) >= 1 where 2^x is", z3.Implies(power_of_two(x) >= 1, power_of_two(x + 1) >= 1))


def power_sum_base(path: Path) -> None:
    """Show 2^(a+0) = 2^a 2^0."""
    a = path.fresh("a")
    path.assume(power_facts(z3.IntVal(0)))
    path.show("2^(a+0)", power_of_two(a + 0) == power_of_two(a) * power_of_two(z3.IntVal(0)))


def power_sum_step(path: Path) -> None:
    """Show 2^(a+b) = 2^a 2^b for b + 1, assuming it for b."""
    a, b = path.fresh("a"), path.fresh("b")
    path.assume(z3.And(a >= 0, b >= 0, power_facts(a + b + 1), power_facts(b + 1)))
    path.assume(power_of_two(a + b) == power_of_two(a) * power_of_two(b))
    path.show("2^(a+b+1)", power_of_two(a + b + 1) == power_of_two(a) * power_of_two(b + 1))


def levels_base(path: Path) -> None:
    """Show `closed` and `placed` at level 0."""
    k, v, leaves = path.fresh("k"), path.fresh("v"), z3.IntVal(0)
    tree = CompleteTree(k)
    path.assume(z3.And(k >= 0, power_facts(k), tree.definition(v)))
    path.show("level 0 has its closed form", tree.closed(leaves, v))
    path.show("leaves are on level 0", tree.placed(leaves, v))


def levels_step(path: Path) -> None:
    """Show both at level x + 1, assuming `closed` at level x for the children, and `placed` up to x."""
    k, x, v = (path.fresh(name) for name in ("k", "x", "v"))
    tree = CompleteTree(k)
    path.assume(z3.And(0 <= x, x < k, *(power_facts(e) for e in (k, x, x + 1, k - x, k - x - 1)), tree.definition(v)))
    path.assume(z3.And(tree.closed(x, 2 * v), tree.closed(x, 2 * v + 1), tree.placed(x, v)))
    path.show("the next level has its closed form", tree.closed(x + 1, v))
    path.show("nodes up to the next level are on theirs", tree.placed(x + 1, v))


Facts = Callable[[CompleteTree, Integer], dict[str, Truth]]


def facts_hold(facts: Facts, path: Path) -> None:
    """Show each fact about an arbitrary node, from `closed`, `placed` and 2^k = 2^(k-x) 2^x."""
    k, v = path.fresh("k"), path.fresh("v")
    path.assume(k >= 0)
    tree = CompleteTree(k)
    level = tree.level(v)
    for exponent in (k, level, level - 1, k - level, k - level + 1, z3.IntVal(0)):
        path.assume(power_facts(exponent))
    within = z3.And(0 <= level, level <= k)
    path.assume(tree.placed(k, v))
    path.assume(z3.And(tree.closed(k, z3.IntVal(1)), tree.closed(k, v), tree.closed(z3.IntVal(0), v)))
    path.assume(z3.Implies(within, tree.closed(level, v)))
    below = z3.And(tree.closed(level - 1, 2 * v), tree.closed(level - 1, 2 * v + 1))
    path.assume(z3.Implies(z3.And(within, level >= 1), below))
    path.assume(z3.Implies(within, tree.leaves == tree.width(level) * power_of_two(level)))
    for name, fact in facts(tree, v).items():
        path.show(name, fact)
    x = path.fresh("x")
    path.assume(z3.Implies(z3.And(0 <= x, x <= k), tree.closed(x, v)))
    path.show("same level", tree.same_level(x, v))


# The size of [a, b): a set that contains all of it has at least as many members, and a set within it has no more.


def pigeonhole_base(path: Path) -> None:
    """Show that [a, b) with b <= a is empty: a set within it that has a member w has one there."""
    a, b, count, w = (path.fresh(name) for name in ("a", "b", "count", "w"))
    members = z3.Array("members", _INT, z3.BoolSort())
    path.assume(z3.And(b <= a, count >= 0, z3.Implies(count >= 1, members[w])))
    path.show("nothing in it", z3.Implies(z3.Implies(members[w], z3.And(a <= w, w < b)), count == 0))


def pigeonhole_step(without: Callable[[Integer, Integer], Integer], path: Path) -> None:
    """Show the step from [a, b) to [a, b + 1) by removing b, and with it one member if b is a member."""
    a, b, count, v = (path.fresh(name) for name in ("a", "b", "count", "v"))
    members = z3.Array("members", _INT, z3.BoolSort())
    path.assume(a <= b)
    fewer, rest = without(members, b), count - z3.If(members[b], 1, 0)
    longer, shorter = z3.And(a <= v, v < b + 1), z3.And(a <= v, v < b)
    within = z3.Implies(members[v], longer)
    path.show("without b it is within [a, b)", z3.Implies(within, z3.Implies(fewer[v], shorter)))
    path.show("so that it has no more", z3.Implies(rest <= b - a, count <= b + 1 - a))
    path.show(
        "without b it is all of [a, b)", z3.Implies(z3.Implies(longer, members[v]), z3.Implies(shorter, fewer[v]))
    )
    path.show("so that it has as many", z3.Implies(z3.And(members[b], rest >= b - a), count >= b + 1 - a))


def take_away(members: Integer, b: Integer) -> Integer:
    """Return the set without b."""
    return z3.Store(members, b, z3.BoolVal(False))


# Theorem 4.2 (ii) counts halvings: t = ceil(log2(n/m)) is the least t >= 0 with n <= m 2^t.


def halvings_are_the_logarithm(path: Path) -> None:
    """Show that n <= m 2^t if and only if n/2^t <= m; the least such t is ceil(log2(n/m)), and at most k."""
    k, t, m = (path.fresh(name) for name in ("k", "t", "m"))
    path.assume(z3.And(0 <= t, t <= k, m >= 1, power_facts(t), power_facts(k - t), power_facts(z3.IntVal(0))))
    path.assume(power_of_two(k) == power_of_two(k - t) * power_of_two(t))
    q, p = power_of_two(k - t), power_of_two(t)
    path.show("from the quotient", z3.Implies(q <= m, power_of_two(k) <= m * p))
    path.show("to the quotient", z3.Implies(power_of_two(k) <= m * p, q <= m))
    path.show("the height is enough", power_of_two(z3.IntVal(0)) <= m)


LEMMAS: Final = (
    powers_are_positive, power_sum_base, power_sum_step,
    levels_base, levels_step, partial(facts_hold, CompleteTree.facts),
    pigeonhole_base, partial(pigeonhole_step, take_away),
    halvings_are_the_logarithm,
)  # fmt: skip
"""Lemmas of the proofs about trees, in the order in which they use each other."""


def lemma(*parts: Callable[[Path], None]) -> Exploration:
    """Check the parts with Z3."""
    report = Exploration()
    for part in parts:
        report.merge(explore(part))
    return report


def prove(*parts: Callable[[Path], None]) -> Outcome:
    """Return the outcome of a claim that the parts state."""
    report = lemma(*parts)
    return conclude(report, stated=sum(report.shown.values()))
