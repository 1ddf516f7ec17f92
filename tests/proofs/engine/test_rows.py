"""Symbolic rows, remainders and bits compared with Python's; loops left by break; clauses about pairs."""

import random
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from swagproof.contracts.clause import Loop, for_each, for_each_pair
from swagproof.proofs.engine.arrays import NUMBERS, FixedArray, SymbolicRow, SymbolicSequence, SymbolicSet
from swagproof.proofs.engine.heap import SymbolicDeque
from swagproof.proofs.engine.language import Unseen, refuse
from swagproof.proofs.engine.paths import Exploration, Path, Unsupported, current_path, explore, formula
from swagproof.proofs.engine.run import Run, show_unchanged
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.engine.values import AnyOperation, Segment, SymbolicInt, bit_facts, remainder_facts
from swagproof.proofs.sharing.stream_runs import SegmentQueue


class Rows:
    """Methods over a list of numbers, one trait each."""

    items: Any

    def drop_above(self, bound: int) -> None:
        """Pop greater items from the end, and stop at the first that is not greater."""
        while self.items:
            if self.items[-1] <= bound:
                break
            self.items.pop()

    def find(self, bound: int) -> int:
        """Return a greater item, or the bound; the loop ends at the first such item."""
        found = bound
        for item in self.items:
            if item > bound:
                found = item
                break
        return found

    def keep_last(self, value: Any) -> Any:
        """Return None if there is no item, else the value."""
        found = None
        for _ in self.items:
            found = value
        return found


def goes_on(self: Any, bound: int) -> None:
    """A turn that is not explored."""
    while self.items:
        if self.items[-1] <= bound:
            continue
        self.items.pop()


@for_each_pair("items")
def sorted_items(s: Any, pair: tuple[int, int]) -> bool:
    """the items rise"""
    i, j = pair
    return bool(s.items[i] < s.items[j])


@for_each("items")
def one_by_one(s: Any, j: int) -> bool:
    """each item is less than the next"""
    return j == 0 or bool(s.items[j - 1] < s.items[j])


@for_each("items")
def positive(s: Any, j: int) -> bool:
    """each item is positive"""
    return bool(s.items[j] > 0)


def none_found(s: Any, found: Any, bound: Any) -> bool:
    """none so far"""
    return bool(found == bound)


class RowRun(Run):
    """A run over a row of numbers."""

    def __init__(self, path: Path, *loops: Loop) -> None:
        super().__init__(path, AnyOperation(), dict.fromkeys(("drop_above", "find", "keep_last"), loops))
        self.make(Rows, items=SymbolicRow("items", NUMBERS, path))


def failures(run: Any) -> set[str]:
    report: Exploration = explore(run)
    assert report.sound
    return {failure.obligation for failure in report.failures}


def test_a_loop_that_is_left_by_break_keeps_what_is_so_at_the_break() -> None:
    def run(path: Path) -> None:
        this = RowRun(path, Loop(sorted_items, variant=lambda s: s.items.size))
        this.know((sorted_items,), {})
        bound = SymbolicInt(path.fresh("bound"))
        with this.guard():
            this.object.drop_above(bound)
        this.show((sorted_items,), {})
        items = this.object.items
        path.show("the last is not greater", z3.Or(items.length == 0, items.arrays[0][items.last - 1] <= bound.term))
        path.show("the list is empty", items.length == 0)

    assert failures(run) == {"the list is empty"}


def test_a_for_that_is_left_by_break() -> None:
    def run(path: Path) -> None:
        this, bound = RowRun(path, Loop(none_found)), SymbolicInt(path.fresh("bound"))
        with this.guard():
            found = this.object.find(bound)
        path.show("no less", formula(lambda: found >= bound))
        path.show("greater", formula(lambda: found > bound))
        path.show("not greater", formula(lambda: found <= bound))

    assert failures(run) == {"greater", "not greater"}


def test_what_is_none_at_a_loop_may_still_be_none_in_it_and_after_it() -> None:
    def run(path: Path) -> None:
        this = RowRun(path, Loop())
        with this.guard():
            found = this.object.keep_last(Segment.unknown(path, "value"))
        path.show("none" if found is None else "one", z3.BoolVal(False))

    assert failures(run) == {"none", "one"}


CHANGES: dict[str, Callable[[Any], object]] = {
    "another attribute": lambda this: setattr(this, "more", 1),
    "another value": lambda this: setattr(this, "more", 2),
    "an item": lambda this: this.items.append(1),
    "one attribute less": lambda this: delattr(this, "monoid"),
}


def test_what_changes_nothing_keeps_every_attribute() -> None:
    def run(path: Path) -> None:
        this = RowRun(path)
        for name, act in CHANGES.items():
            before = this.state()
            show_unchanged(this, f"before {name}", before)
            act(this.object)
            show_unchanged(this, name, before)

    assert failures(run) == set(CHANGES)


def test_a_turn_that_is_not_gone_through_is_refused() -> None:
    with pytest.raises(Unseen, match="Continue"):
        refuse(goes_on)


@pytest.mark.parametrize(("known", "enough"), [(sorted_items, True), (one_by_one, False)])
def test_of_pairs_more_is_known_than_of_neighbours(known: Any, enough: bool) -> None:
    """Check that a clause about neighbours does not order two distant places, which needs an induction."""

    def run(path: Path) -> None:
        this = RowRun(path)
        this.know((known,), {})
        items = this.object.items
        path.assume(items.length >= 9)
        first, last = items[0], items[7]
        path.show("in order", formula(lambda: first < last))

    assert failures(run) == (set() if enough else {"in order"})


@pytest.mark.parametrize("clause", [positive, sorted_items])
@pytest.mark.parametrize("beyond", [False, True])
def test_a_clause_says_nothing_beyond_its_range(clause: Any, beyond: bool) -> None:
    def run(path: Path) -> None:
        this = RowRun(path)
        this.know((clause,), {})
        items = this.object.items
        path.assume(items.length >= 2)
        first, last = items[0], items.item(items.length if beyond else items.length - 1)
        path.show("so", formula(lambda: last > (0 if clause is positive else first)))

    assert failures(run) == ({"so"} if beyond else set())


def test_a_clause_about_pairs_is_about_all_of_them() -> None:
    rising = SimpleNamespace(items=[1, 2, 3, 5])
    assert sorted_items(rising)
    assert not sorted_items(SimpleNamespace(items=[1, 3, 2]))
    assert sorted_items(SimpleNamespace(items=deque([4])))


def test_rows_are_as_lists() -> None:
    chance = random.Random(5)

    def run(path: Path) -> None:
        row, items = SymbolicRow.of("row", NUMBERS, 7, 8), deque([7, 8])
        for number in range(60):
            step = chance.choice(["append", "pop", "popleft", "set", "get"])
            index = chance.randrange(len(items)) if items else 0
            if step == "append" or not items:
                row.append(number)
                items.append(number)
            elif step == "set":
                row[index] = items[index] = number
            elif step == "get":
                path.show("an item", row[index].term == items[index])
            else:
                path.show("what is taken", getattr(row, step)().term == getattr(items, step)())
            path.show("size", row.size.term == len(items))
        for found, item in zip((row.item(z3.IntVal(j)) for j in range(len(items))), items, strict=True):
            path.show("all items", found.term == item)

    assert failures(run) == set()


def test_a_row_of_one_item_is_repeated() -> None:
    def run(path: Path) -> None:
        times = path.fresh("times")
        row = SymbolicRow.of("row", NUMBERS, 7) * SymbolicInt(times)
        path.show("as often as that", row.length == z3.If(times < 0, 0, times))
        path.assume(times > 3)
        path.show("the item", row[3].term == 7)
        with pytest.raises(Unsupported):
            assert SymbolicRow.of("row", NUMBERS, 7, 8) * 2

    assert failures(run) == set()


def number(n: int) -> SymbolicInt:
    return SymbolicInt(z3.IntVal(n))


def deque_of(n: int) -> SymbolicDeque:
    path: Any = current_path()
    made = SymbolicDeque("deque", ("",), path)
    made.last = made.first + n
    return made


row, queue = partial(SymbolicRow.of, "row", NUMBERS), partial(SegmentQueue, z3.IntVal(5))
LIST, AROUND, FEW = [5, 6, 7], range(-4, 5), range(3)
SLICES = [(start, stop) for start in AROUND for stop in AROUND]
BOUNDS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any], Sequence[Any], Sequence[Any]]] = {
    "item of a row": (lambda i: row(*LIST)[number(i)].term, lambda i: LIST[i], AROUND, FEW),
    "item of a row at a constant": (lambda i: row(*LIST)[i].term, lambda i: LIST[i], AROUND, range(-3, 3)),
    "item of a queue": (lambda i: queue(z3.IntVal(3))[number(i)].lo, lambda i: LIST[i], AROUND, range(-3, 3)),
    "item of a sequence": (lambda i: SymbolicSequence(3, z3.IntVal)[number(i)], lambda i: [0, 1, 2][i], AROUND, FEW),
    "slice": (lambda ends: SymbolicSequence(z3.IntVal(3), z3.IntVal)[slice(*map(number, ends))].length,
              lambda ends: len(LIST[slice(*ends)]), SLICES, [(i, j) for i, j in SLICES if 0 <= i <= j <= 3]),
    "slot": (lambda v: FixedArray(z3.IntVal(3), z3.IntVal)[number(v)], lambda v: v, AROUND, range(1, 4)),
    "pop of a row": (lambda n: row(*LIST[:n]).pop().term, lambda n: LIST[:n].pop(), FEW, (1, 2)),
    "popleft of a row": (lambda n: row(*LIST[:n]).popleft().term, lambda n: LIST[:n].pop(0), FEW, (1, 2)),
    "pop of a queue": (lambda n: queue(z3.IntVal(n)).pop(), lambda n: LIST[:n].pop(), FEW, (1, 2)),
    "popleft of a queue": (lambda n: queue(z3.IntVal(n)).popleft(), lambda n: LIST[:n].pop(), FEW, (1, 2)),
    "pop_front": (lambda n: deque_of(n).pop_front(), lambda n: LIST[:n].pop(), FEW, (1, 2)),
    "remainder": (lambda d: (number(1) % number(d)).term, lambda d: 1 % d, AROUND, range(1, 5)),
    "bits": (lambda m: (number(1) & number(m)).term, lambda m: 1 & m, AROUND, (0,)),
}  # fmt: skip
"""The stand-ins' operations with Python's own, the arguments to try, and those that a stand-in accepts."""


@pytest.mark.parametrize("operation", BOUNDS)
def test_a_stand_in_refuses_what_is_beyond_its_bounds(operation: str) -> None:
    """Try arguments within the bounds, at them and beyond; to one that is accepted, Python has the same answer."""
    stand_in, python, tried, accepted = BOUNDS[operation]

    def run(given: Any, path: Path) -> None:
        found = stand_in(given)
        if given in accepted:
            path.show("as Python's", z3.BoolVal(True) if found is None else found == python(given))

    assert [given for given in tried if not explore(partial(run, given)).failures] == list(accepted)


@pytest.mark.parametrize("d", [-2, 0, 1, 2, 3, 7])
def test_facts_of_remainders_are_true(d: int) -> None:
    mod = z3.Function("x mod d", z3.IntSort(), z3.IntSort(), z3.IntSort())
    for x in range(-25, 26):
        facts = remainder_facts(z3.IntVal(x), z3.IntVal(d))
        found = z3.IntVal(x % d if d else 0)
        assert z3.is_true(z3.simplify(z3.substitute(facts, (mod(z3.IntVal(x), z3.IntVal(d)), found))))


def test_facts_of_bits_are_true() -> None:
    bits = z3.Function("bits in common with the number below", z3.IntSort(), z3.IntSort())
    for n in range(-5, 70):
        asked = {1, n, 2 * n, n // 2}
        values = [(bits(z3.IntVal(each)), z3.IntVal(each & (each - 1))) for each in asked]
        facts = z3.simplify(bit_facts(z3.IntVal(n)))
        assert z3.is_true(z3.simplify(z3.substitute(facts, *values))), n


def test_members_in_an_interval_are_counted_as_they_come_and_go() -> None:
    def count(path: Path) -> None:
        members = SymbolicSet.unknown(path)
        path.show("no more than numbers", members.inside(2, 5).term <= 3)
        for number in (7, 4):
            known, held = members.inside(2, 5).term, members.members[number]
            members.add(number)
            more = z3.If(held, 0, int(2 <= number < 5))
            path.show(f"{number} is added", members.inside(2, 5).term == known + more)
        known = members.inside(2, 5).term
        members.take(z3.IntVal(4))
        path.show("as many, which is wrong", members.inside(2, 5).term == known)
        path.show("one less", members.inside(2, 5).term == known - 1)

    assert [failure.obligation for failure in explore(count).failures] == ["as many, which is wrong"]
