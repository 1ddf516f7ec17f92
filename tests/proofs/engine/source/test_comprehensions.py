"""Comprehensions over sequences of unknown length: code that is proved, refuted and refused."""

from collections.abc import Callable
from typing import Any

import pytest

from swagproof.proofs.engine.arrays import Selection, SymbolicSequence, any_of, greatest, least
from swagproof.proofs.engine.language import Unseen
from swagproof.proofs.engine.loops import rewrite
from swagproof.proofs.engine.paths import Exploration, Path, explore, formula
from swagproof.proofs.engine.solver import Integer, z3
from swagproof.proofs.engine.values import SymbolicBool, SymbolicInt

NAMES = {"max": greatest, "min": least, "any": any_of, "__select__": Selection}

K = z3.Int("k")
xs_at = z3.Function("xs", z3.IntSort(), z3.IntSort())


class Asks:
    """Methods with one comprehension each."""

    k: int
    items: list[Any]

    def highest(self, xs: list[int]) -> int:
        """max"""
        return max(x + self.k for x in xs)

    def has_large(self, xs: list[int], c: int) -> bool:
        """any"""
        return any(x > c for x in xs)

    def has_between(self, xs: list[int], c: int) -> bool:
        """Three conditions"""
        return any(x > 0 for x in xs if x > c if x < c + 5 if x != c + 3)

    def large(self, xs: list[int], c: int) -> list[int]:
        """A list of some."""
        chosen = [x for x in xs if x >= c]
        c = 0
        return chosen

    def two(self, xs: list[int]) -> int:
        """Two sources."""
        return max(x + y for x in xs for y in xs)

    def parts(self, xs: list[Any]) -> int:
        """Items, each in as many parts as it has."""
        return max(x + y[0] for x, *y in xs)

    def changes(self, xs: list[int]) -> int:
        """The iterated sequence changes during the comprehension."""
        return max(self.taken() + x for x in xs)

    def takes(self, xs: list[Any]) -> int:
        """An item changes during the comprehension."""
        return max(x.popleft() for x in xs)

    def taken(self) -> int:
        """One fewer."""
        self.k = self.k - 1
        return self.k


def run(name: str, then: Callable[[Path, Any, Any, Integer], None]) -> Exploration:
    method = rewrite(getattr(Asks, name), NAMES, quiet=("has_large",)).method

    def once(path: Path) -> None:
        n, c = path.fresh("n"), path.fresh("c")
        path.assume(n >= 1)
        this = Asks()
        this.k = SymbolicInt(K)  # type: ignore[assignment]  # a stand-in
        xs = SymbolicSequence(n, lambda j: SymbolicInt(xs_at(j)))
        then(path, xs, method(this, xs) if name == "highest" else method(this, xs, SymbolicInt(c)), c)

    return explore(once)


def failures(report: Exploration) -> list[str]:
    return [failure.obligation for failure in report.failures]


def test_the_greatest_is_one_of_them_and_no_less_than_any() -> None:
    def then(path: Path, xs: Any, found: Any, c: Integer) -> None:
        j = path.fresh("j")
        path.assume(z3.And(0 <= j, j < xs.length))
        xs.item(j)  # looked at later than the greatest was asked for
        path.show("no less", found.term >= xs_at(j) + K)
        path.show("the only one", z3.Implies(xs.length == 1, found.term == xs_at(0) + K))
        path.show("greater than all", found.term > xs_at(j) + K)

    assert failures(run("highest", then)) == ["greater than all"]


def test_any_is_so_where_one_is() -> None:
    def then(path: Path, xs: Any, found: Any, c: Integer) -> None:
        j = path.fresh("j")
        path.assume(z3.And(0 <= j, j < xs.length))
        xs.item(j)
        path.show("one is enough", z3.Implies(xs_at(j) > c, found.term))
        path.show("never of a small one alone", z3.Implies(z3.And(xs.length == 1, xs_at(0) <= c), z3.Not(found.term)))
        path.show("always", found.term)

    assert failures(run("has_large", then)) == ["always"]


def test_every_condition_chooses() -> None:
    def then(path: Path, xs: Any, found: Any, c: Integer) -> None:
        path.assume(z3.And(xs.length == 1, xs_at(0) > 0))
        path.show("first", z3.Implies(xs_at(0) <= c, z3.Not(found.term)))
        path.show("second", z3.Implies(xs_at(0) >= c + 5, z3.Not(found.term)))
        path.show("third", z3.Implies(xs_at(0) == c + 3, z3.Not(found.term)))

    assert failures(run("has_between", then)) == []


def test_a_list_of_some_has_those_in_their_order() -> None:
    def then(path: Path, xs: Any, found: Any, c: Integer) -> None:
        i = path.fresh("i")
        path.assume(z3.And(0 <= i, i + 1 < found.length))
        path.show("large, though c is another now", z3.And(found.item(i).term >= c, found.item(i + 1).term >= c))
        path.show("in their order", found.places(i) < found.places(i + 1))
        between = found.places(i) + 1
        found.number(between)
        path.show("none between", z3.Implies(between + 1 == found.places(i + 1), xs_at(between) < c))
        path.show("never two", found.length < 2)

    assert failures(run("large", then)) == ["never two"]


@pytest.mark.parametrize("items", [[3], [1], [1, 5, 2, 7], [9, 9, 0], [0, 0], [4, 0, 0, 6, 5]])
def test_what_is_told_of_some_is_true_of_pythons_list(items: list[int]) -> None:
    """If every index is read, the assumed facts admit one list only, which is Python's."""
    expected = [x for x in items if x >= 3]

    def once(path: Path) -> None:
        path.assume(z3.And(*(xs_at(j) == x for j, x in enumerate(items))))
        xs = SymbolicSequence(z3.IntVal(len(items)), lambda j: SymbolicInt(xs_at(j)))
        chosen = Selection(xs, lambda x: x >= 3, lambda x: x)
        for j in range(len(items)):
            chosen.number(z3.IntVal(j))
        found = [chosen.item(z3.IntVal(i)).term for i in range(len(items) + 1)]
        path.show("as many", chosen.length == len(expected))
        path.show("the same", z3.And(z3.BoolVal(True), *(at == x for at, x in zip(found, expected, strict=False))))

    report = explore(once)
    assert report.sound, "what is told can be met"
    assert failures(report) == []


@pytest.mark.parametrize("name", ["two", "parts", "changes", "takes"])
def test_what_does_more_than_look_is_refused(name: str) -> None:
    with pytest.raises(Unseen, match=r"the engine does not know (what .* does|starred targets)"):
        rewrite(getattr(Asks, name), NAMES, quiet=("has_large",))


def test_functions_speak_of_what_variables_were() -> None:
    def once(path: Path) -> None:
        c = SymbolicInt(z3.IntVal(1))
        selection = Selection(SymbolicSequence(z3.IntVal(3), SymbolicInt), lambda x: x >= c, lambda x: x + c)
        c = SymbolicInt(z3.IntVal(10))
        path.show("made", formula(lambda: selection.of(z3.IntVal(2)) == 3))
        path.show("wanted", selection.is_wanted(z3.IntVal(1)))
        path.show("c is another", formula(lambda: SymbolicBool(c.term == 10)))

    assert failures(explore(once)) == []
