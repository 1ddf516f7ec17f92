"""Symbolic arrays and sets, and loops over them: code that is proved, refuted and refused."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest

from swagproof.contracts.clause import Counted, Everywhere, Loop
from swagproof.models.containers.array import Array
from swagproof.proofs.engine.arrays import (
    SymbolicArray,
    SymbolicSequence,
    SymbolicSet,
    symbolic_range,
)
from swagproof.proofs.engine.language import Unseen, refuse
from swagproof.proofs.engine.loops import rewrite
from swagproof.proofs.engine.obligation import Obligation
from swagproof.proofs.engine.paths import Exploration, Path, Unsupported, explore
from swagproof.proofs.engine.run import make_runnable
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.engine.values import AnyOperation, SymbolicInt, Value
from swagproof.proofs.flat_trees.array_runs import ArrayRun


class Sets:
    """Methods over a set of numbers, one trait each."""

    T: Array[int]

    def count(self, W: set[int]) -> int:
        """Return the number of members."""
        k = 0
        for _ in W:
            k = k + 1
        return k

    def copies(self, W: set[int]) -> set[int]:
        """Return a copy of the set."""
        made: set[int] = set()
        for v in W:
            made.add(v)
        return made

    def grows(self, W: set[int]) -> None:
        """A loop that changes the set that it iterates."""
        for v in W:
            W.add(v + 1)

    def aliases(self, W: set[int]) -> None:
        """A set with two names, one of which is assigned a new set."""
        V = W
        while V:
            V = set()

    def reads_after(self, W: set[int]) -> int:
        """A variable that an empty loop does not bind."""
        for v in W:
            self.T[v] = self.T[1]
        return v  # pyright: ignore[reportPossiblyUnboundVariable]  # what is tested

    def reads_earlier(self, W: set[int]) -> None:
        """A variable of an earlier turn."""
        for v in W:
            if v != 1:
                self.T[last] = self.T[1]  # noqa: F821  # pyright: ignore[reportPossiblyUnboundVariable]  # bound by an earlier turn
            last = v  # noqa: F841  # read by a later turn

    def below(self, W: set[int]) -> int:
        """A slot that a list would have."""
        return self.T[0]

    def two(self, W: set[int]) -> None:
        """Two loops, for one invariant."""
        for _ in W:
            pass
        for _ in W:
            pass

    def hides(self, W: set[int]) -> int:
        """A set that has no name of its own."""
        hidden: tuple[int, tuple[set[int]]] = (0, (set(),))
        for v in W:
            hidden[1][0].add(v)
        return 1 if 1 in hidden[1][0] else 0

    def becomes_a_fraction(self, W: set[int]) -> int:
        """A value that is no integer lies between integers."""
        k = 0
        x: Any = 0
        for _ in W:
            if 0 < x and x < 1:
                k = 1
            x = 0.5
        return k

    def gives(self, W: set[int]) -> None:
        """An attribute by way of a method."""
        for v in W:
            self.keep(v)

    def keep(self, v: int) -> None:
        """Something more than was kept."""
        self.kept = v

    def begins_again(self, W: set[int]) -> None:
        """A loop within itself."""
        for v in W:
            if v == 1:
                none: set[int] = set()
                self.begins_again(none)

    def nested(self, W: set[int]) -> int:
        """A loop in a loop."""
        k = 0
        for _ in W:
            for _j in range(0, 2):
                pass
            k = k + 1
        return k

    def leaves(self, W: set[int]) -> int:
        """Leave the loop at a member that is 0, if there is one."""
        for v in W:
            if v == 0:
                return 0
        return 1


def nothing(s: Any) -> bool:
    """true"""
    return True


def counted(s: Any, k: int, done: int) -> bool:
    """k is how many turns were made"""
    return bool(k == done)


@Everywhere
def copied(s: Any, v: int, W: Any, made: Any, rest: Any) -> bool:
    """v is in `made` just where it is in W and not to come"""
    return (v in made) == (v in W and v not in rest)


Check = Callable[[Path, ArrayRun, Any, SymbolicSet], None]


def run(method: str, *clauses: Any, check: Check = lambda *_: None) -> Exploration:
    return looped(method, [Loop(*clauses, variant=lambda s, done: 5 - done)], check)


def looped(method: str, loops: Sequence[Loop], check: Check = lambda *_: None) -> Exploration:
    def one(path: Path) -> None:
        this = ArrayRun(path, AnyOperation(), {method: tuple(loops)})
        array = SymbolicArray(SymbolicInt(path.fresh("size")))
        array.forget(path)
        path.assume(array.length >= 1)
        made = this.make(Sets, T=array)
        given = SymbolicSet.unknown(path)
        with this.guard():
            check(path, this, getattr(made, method)(given), given)
        path.show("the end", z3.BoolVal(True))

    return explore(one)


def failures(report: Exploration) -> dict[str, bool]:
    return {failure.obligation: failure.unknown for failure in report.failures}


def test_a_set_is_iterated_once_each() -> None:
    def all_of_them(path: Path, this: ArrayRun, k: Any, W: SymbolicSet) -> None:
        path.show("the count", k.term == W.length)

    report = run("count", counted, check=all_of_them)
    assert (report.failures, report.sound, report.paths) == ([], True, 2)
    assert report.shown[Obligation("the count")] == 1


def test_a_set_is_copied() -> None:
    def the_same(path: Path, this: ArrayRun, made: Any, W: SymbolicSet) -> None:
        v = path.fresh("v")
        path.show("the members", made.has(v) == W.has(v))

    report = run("copies", copied, check=the_same)
    assert (report.failures, report.sound) == ([], True)


def ahead(s: Any, k: int, done: int) -> bool:
    """k is twice the turns"""
    return bool(k == 2 * done)


def zero(s: Any, k: int) -> bool:
    """k is 0: it would be to the end, as no integer is between 0 and 1"""
    return bool(k == 0)


UNWRITTEN, SLOT = "what is read from the array was written", "the array has this slot"


@pytest.mark.parametrize(
    ("method", "clause", "refuted"),
    [
        ("count", ahead, {"loop kept: ahead"}),
        ("grows", nothing, {"what is iterated does not change"}),
        ("aliases", nothing, {"no container by two names at a loop", "loop variant falls"}),
        ("becomes_a_fraction", zero, {"what the loop assigns stays of its kind"}),
        ("gives", nothing, {"the loop gives the object no attributes"}),
        ("below", nothing, {SLOT, UNWRITTEN}),
    ],
)
def test_what_a_loop_may_not_do_is_refuted(method: str, clause: Any, refuted: set[str]) -> None:
    assert failures(run(method, clause)) == dict.fromkeys(refuted, False)


@pytest.mark.parametrize(
    ("method", "why"),
    [
        ("begins_again", "a loop of begins_again is begun again"),
        ("two", "2 loops; the contracts give invariants for 1"),
        ("reads_after", ""),
        ("reads_earlier", ""),
    ],
)
def test_what_cannot_be_cut_at_an_invariant_is_unknown(method: str, why: str) -> None:
    """Check two loops with one invariant, a loop within itself, and a variable that an earlier turn bound."""
    report = run(method, nothing)
    unknown = [failure for failure in report.failures if failure.unknown]
    assert {failure.obligation for failure in unknown} == {"the engine can run it"}
    assert why in unknown[0].example
    assert not why or unknown == report.failures


def test_no_container_is_hidden_in_a_tuple() -> None:
    """Check that a container in a tuple is refused: changes to it would be missed, and 1 would never be found in it."""

    def never(path: Path, this: ArrayRun, found: Any, W: SymbolicSet) -> None:
        path.show("never found", z3.BoolVal(found == 0))

    assert failures(run("hides", nothing, check=never)) == {"no container within a tuple at a loop": False}


def test_a_loop_in_a_loop_has_its_own_count() -> None:
    def as_many(path: Path, this: ArrayRun, k: Any, W: SymbolicSet) -> None:
        path.show("as many", k.term == W.length)

    def outer(s: Any, nested_done: int, done: int) -> bool:
        return bool(nested_done == done)

    def turns(s: Any, done: int) -> int:
        return 0

    loops = [Loop(counted, outer, variant=turns), Loop(outer, variant=turns)]
    report = looped("nested", loops, as_many)
    assert (report.failures, report.sound) == ([], True)
    assert report.shown[Obligation("as many")] == 1


def test_out_of_a_loop_with_what_its_turn_knows() -> None:
    def none(s: Any, v: Any, W: Any, rest: Any) -> bool:
        """0 has not come so far"""
        return not (v == 0 and v in W and v not in rest)

    def right(path: Path, this: ArrayRun, answer: int, W: SymbolicSet) -> None:
        path.show("0 is in it just where that is said", W.has(z3.IntVal(0)) == z3.BoolVal(answer == 0))

    def wrong(path: Path, this: ArrayRun, answer: int, W: SymbolicSet) -> None:
        path.show("never out of it", z3.BoolVal(answer == 1))

    report = run("leaves", Everywhere(none), check=right)
    assert (report.failures, report.sound) == ([], True)
    assert failures(run("leaves", Everywhere(none), check=wrong)) == {"never out of it": False}


def path(check: Callable[[Path], None]) -> Exploration:
    def one(path: Path) -> None:
        check(path)
        path.show("the end", z3.BoolVal(True))

    return explore(one)


def test_members_are_counted() -> None:
    def check(path: Path) -> None:
        some = SymbolicSet()
        path.show("empty", some.length == 0)
        v = path.fresh("v")
        some.add(SymbolicInt(v))
        path.show("one", some.length == 1)
        some.add(SymbolicInt(v))
        path.show("still one", some.length == 1)
        some.add(SymbolicInt(v + 1))
        path.show("two", some.length == 2)
        some.take(v)
        path.show("one left", z3.And(some.length == 1, z3.Not(some.has(v)), some.has(v + 1)))

    assert path(check).failures == []


@pytest.mark.parametrize("members", [set[int](), {1}, {1, 2}, {1, 2, 3}, {0, 1}, {4}])
def test_members_are_within_their_level_or_all_of_it(members: set[int]) -> None:
    """Check that the clause fails symbolically just where it fails on a set of Python's."""

    def check(clause: Counted, path: Path) -> None:
        given = SymbolicSet()
        for member in members:
            given.add(member)
        ArrayRun(path, AnyOperation(), {}).show((clause,), {"W": given})

    for clause in (Counted("W", lambda s: (1, 3)), Counted("W", lambda s: (1, 3), full=True)):
        assert bool(path(partial(check, clause)).failures) == (not clause(None, W=members))


def reads_unwritten(path: Path) -> None:
    array = SymbolicArray(3)
    array[1] = Value(z3.Const("x", AnyOperation().identity.term.sort()))
    array[1]
    array[2]


def compares_values(path: Path) -> None:
    x = AnyOperation().identity
    assert isinstance((x == x), object)


def asks_before_the_first(path: Path) -> None:
    SymbolicSequence(path.fresh("length"), lambda j: j)[-1]


@pytest.mark.parametrize(
    ("check", "obligation"),
    [
        (reads_unwritten, "what is read from the array was written"),
        (compares_values, "control flow looks at no value"),
        (asks_before_the_first, "there is an item at this index"),
    ],
)
def test_what_the_stand_ins_refuse(check: Callable[[Path], None], obligation: str) -> None:
    assert failures(path(check)) == {obligation: False}


def test_a_range_may_be_empty() -> None:
    def check(path: Path) -> None:
        a = path.fresh("a")
        items = symbolic_range(SymbolicInt(a), SymbolicInt(a - 3))
        path.show("none", items.length == 0)

    assert path(check).failures == []


@pytest.mark.parametrize(
    "unseen",
    [
        lambda: symbolic_range(1, 5, 2),
        lambda: symbolic_range(1, 2) == symbolic_range(1, 2),
        lambda: symbolic_range(1, 2) == (),
        lambda: () == symbolic_range(1, 2),
        lambda: 1 in symbolic_range(1, 2),
        lambda: 1 in SymbolicArray(1),
        lambda: SymbolicArray(1) == SymbolicArray(1),
        lambda: list(SymbolicArray(1)),
        lambda: tuple(symbolic_range(1, 2)),
        lambda: list(SymbolicSet()),
        lambda: SymbolicSet() == SymbolicSet(),
        lambda: bool(SymbolicArray(1)),
        lambda: bool(AnyOperation().identity),
        lambda: AnyOperation().combine(1, 2),  # type: ignore[arg-type]  # what is tested
        lambda: 3 ** SymbolicInt(z3.Int("x")),
    ],
)
def test_what_the_stand_ins_do_not_offer_raises(unseen: Callable[[], Any]) -> None:
    with pytest.raises((TypeError, Unsupported)):
        unseen()


@pytest.mark.parametrize(
    "line",
    [
        "W |= {1}",
        "raise IndexError(f'{self.T.pop(i)}')",
        "return '%s' % i == '3'",
        "f = W.add; f(1)",
        "self.T.identity = x",
        "self.nested(i).identity = i",
    ],
)
def test_more_than_the_language_is_refused(line: str) -> None:
    refuse(Sets.nested)
    with pytest.raises(ValueError, match=r"the engine does not know"):
        refuse(Sets.nested, (), f"def nested(self, W, changes, i, x):\n    {line}")


def test_a_name_means_what_the_language_has_by_it() -> None:
    """Check names of the enclosing function, of the module, and of an object that is equal to everything."""

    def within(set: Any) -> Any:
        def copies(self: Any) -> Any:
            return set()

        return copies

    with pytest.raises(ValueError, match="what is around it"):
        make_runnable(ArrayRun, type("Alone", (), {"copies": within(list)}))


@pytest.mark.parametrize(
    "line",
    [
        "return [1]",
        "W.remove(1)",
        "return sorted(W)",
        "return W is W",
        "for _ in W: break",
        "return {}",
        "return [x for x in changes]",
    ],
)
def test_what_the_language_has_and_a_run_does_not_raises(line: str) -> None:
    def run(path: Path) -> None:
        this = ArrayRun(path, AnyOperation(), {})
        source = f"def nested(self, W, changes, i, x):\n    {line}"
        method = rewrite(Sets.nested, ArrayRun.NAMES, source=source).method
        with pytest.raises((TypeError, AttributeError, Unsupported, Unseen)):
            method(this, SymbolicSet.unknown(path), SymbolicSequence(path.fresh("n"), SymbolicInt), 1, 2)
        path.show("raised", z3.BoolVal(True))

    assert not explore(run).failures


def test_starting_again_looks_at_what_is_dropped() -> None:
    def one(contradict: bool, path: Path) -> None:
        x = path.fresh("x")
        path.assume(x > 1)
        if contradict:
            path.assume(x < 0)
        path.start_again_from([x > 0])
        path.show("kept", x > 0)
        path.show("dropped", x > 1)

    assert [explore(partial(one, contradict)).vacuous for contradict in (False, True)] == [0, 1]
    assert failures(explore(partial(one, False))) == {"dropped": False}
