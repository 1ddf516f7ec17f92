"""Each rule on which a proof rests: a test that fails if the rule is broken, on the smallest run that needs it."""

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from swagproof.contracts.in_order import recalculate
from swagproof.models.containers.element import Element
from swagproof.proofs.engine.arrays import (
    ITEMS,
    NUMBERS,
    GrowingList,
    Selection,
    SymbolicArray,
    SymbolicMap,
    SymbolicRow,
    SymbolicSet,
    symbolic_range,
)
from swagproof.proofs.engine.heap import SymbolicDeque, SymbolicPointer, SymbolicStack, SymbolicWindow
from swagproof.proofs.engine.nodes import NodeRun
from swagproof.proofs.engine.paths import Path, explore
from swagproof.proofs.engine.records import NUMBER, TRUTH, Records
from swagproof.proofs.engine.run import _same  # pyright: ignore[reportPrivateUsage]  # how frames compare terms
from swagproof.proofs.engine.sequences import Stretch, SymbolicList
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.engine.values import Segment, SegmentMonoid, SymbolicInt, Value, power_facts, power_of_two, remove
from swagproof.proofs.in_order.fifo_runs import OPERATIONS_OF_FIFO, FifoRun, explore_operation
from swagproof.proofs.ledger.mutants import wrong
from swagproof.proofs.ledger.theorem import ProvedRuns
from swagproof.proofs.sharing.stream_runs import SegmentQueue
from swagproof.proofs.trees.runnable import make_runnable
from swagproof.proofs.trees.step_runs import LISTS, explore_step
from swagproof.proofs.trees.whole.zipper_runs import explore_method
from swagproof.reference.catalogue import FIFO, RECALCULATE, TWO_STACKS, Column
from swagproof.reference.trees.fiba import Fiba


def fails(run: Callable[[Path], object]) -> set[str]:
    """Return the obligations of a run that do not hold."""
    return {failure.obligation for failure in explore(lambda path: (run(path), None)[1]).failures}


# Obligations


@pytest.mark.parametrize("last", [1, 61, 300])
def test_every_obligation_is_recorded_and_asked_however_many_there_are(last: int) -> None:
    def run(path: Path) -> None:
        x = path.fresh("x")
        for number in range(last):
            path.show(f"number {number}", x + number == number + x)
        path.show("the last", x > 0)

    report = explore(run)
    assert [failure.obligation for failure in report.failures] == ["the last"]
    assert sum(report.shown.values()) == last + 1


@pytest.mark.parametrize(
    ("x", "y"), [((2, 1), (1, 3)), ((0, 2), (2, 1)), ((0, 1), (2, 3)), ((2, 3), (0, 2)), ((0, 2), (1, 3))]
)
def test_combine_demands_neighbours_that_are_whole_and_in_order(x: tuple[int, int], y: tuple[int, int]) -> None:
    def segment(ends: tuple[int, int]) -> Segment:
        return Segment(*map(z3.IntVal, ends))

    assert fails(lambda _: SegmentMonoid().combine(segment(x), segment(y))) == {
        "combine joins neighbours, older on the left"
    }
    assert not fails(
        lambda path: (SegmentMonoid().combine(segment((0, 2)), segment((2, 3))), path.show("done", z3.BoolVal(True)))
    )


@pytest.mark.parametrize(("x", "y"), [((2, 1), (2, 3)), ((0, 3), (0, 2)), ((1, 2), (0, 3))])
def test_remove_demands_a_beginning(x: tuple[int, int], y: tuple[int, int]) -> None:
    ends = [Segment(*map(z3.IntVal, each)) for each in (x, y)]
    assert fails(lambda _: remove(*ends)) == {"remove takes away the oldest"}


# Containers


@pytest.mark.parametrize(("shift", "inside"), [(-1, False), (0, True), (9, True), (10, False), (11, False)])
def test_a_deque_is_read_and_written_between_its_ends(shift: int, inside: bool) -> None:
    def run(path: Path, act: Callable[[Any, Any], object]) -> None:
        deque = SymbolicDeque("deque", ("",), path)
        path.assume(deque.last == deque.first + 10)
        act(deque, SymbolicPointer(deque, deque.first + shift))
        path.show("done", z3.BoolVal(True))

    identity = SegmentMonoid().identity
    for act in (lambda deque, p: deque[p], lambda deque, p: deque.__setitem__(p, identity)):
        assert fails(lambda path, act=act: run(path, act)) == (set() if inside else {"*p finds an element"})  # type: ignore[misc]  # a lambda with a default


@pytest.mark.parametrize("kind", [SymbolicDeque, SymbolicStack])
def test_a_struct_is_used_before_a_slot_is_written(kind: Any) -> None:
    def run(path: Path, between: Callable[[Any], object], use: Callable[[Any], object]) -> None:
        container = kind("container", ("val", "agg"), path)
        identity = SegmentMonoid().identity
        container.write(z3.IntVal(0), Element(identity, identity))
        struct = container.read(z3.IntVal(0))
        between(container)
        use(struct)
        path.show("done", z3.BoolVal(True))

    identity = SegmentMonoid().identity
    writes: list[Callable[[Any], object]] = [
        lambda container: container.write(z3.IntVal(1), Element(identity, identity)),
        lambda container: container.forget(Path([], explore(lambda path: path.show("", z3.BoolVal(True))))),
    ]
    uses: list[Callable[[Any], object]] = [lambda struct: struct.val, lambda struct: setattr(struct, "agg", identity)]
    for use in uses:
        assert not fails(lambda path, use=use: run(path, lambda container: None, use))  # type: ignore[misc]  # a lambda with a default
        for write in writes:
            found = fails(lambda path, use=use, write=write: run(path, write, use))  # type: ignore[misc]  # a lambda with a default
            assert found == {"a struct is used before its container changes"}


class Pairs(Records):
    """Structs of a number and a truth value."""

    PARTS = {"n": NUMBER, "b": TRUTH}  # noqa: RUF012  # read by the class that it is a part of


ONE, PART, VALUE = z3.IntVal(1), Segment(*map(z3.IntVal, (2, 3))), Value(z3.Const("value", z3.DeclareSort("D")))
CONTAINERS: list[tuple[Callable[[Path], Any], list[tuple[Any, ...]]]] = [
    (lambda path: SymbolicDeque("", ("",), path), [("write", ONE, PART), ("push_back", PART), ("pop_front",)]),
    (lambda path: SymbolicStack("", ("val", "agg"), path), [("push", Element(PART, PART)), ("pop",)]),
    (
        lambda path: SymbolicStack("", ("val", "agg"), path),
        [("store_field", each, ONE, PART) for each in ("val", "agg")],
    ),
    (SymbolicWindow, [("insert",), ("evict",)]),
    (lambda path: SymbolicArray(SymbolicInt(path.fresh("size"))), [("__setitem__", 1, VALUE)]),
    (SymbolicSet.unknown, [("add", 1), ("take", ONE), ("clear",)]),
    (SymbolicMap.unknown, [("write", ONE, 7), ("write", ONE, PART), ("__setitem__", 2, 7), ("__delitem__", 2)]),
    (lambda path: GrowingList.of("", ITEMS), [("append", 7), ("write", ONE, 7), ("write", ONE, PART)]),
    (lambda path: SymbolicRow("", NUMBERS, path), [("write", ONE, 7), ("append", 7), ("pop",), ("popleft",)]),
    (lambda path: Pairs("", path), [("store", "n", ONE, ONE), ("store", "b", ONE, z3.BoolVal(True))]),
    (lambda path: SegmentQueue(*map(path.fresh, "fn")), [("append", PART), ("pop",), ("popleft",)]),
    (lambda path: SymbolicList(Stretch(SymbolicInt, ONE, ONE)), [("append", 7), ("pop",), ("__setitem__", 0, 8)]),
    (lambda path: SymbolicList(Stretch(SymbolicInt, ONE, ONE)), [("insert", 0, 7), ("pop", 1), ("append", 7)]),
]
"""Containers, with methods that change one; some change one component alone."""


@pytest.mark.parametrize(("make", "changes"), CONTAINERS)
def test_a_change_of_a_container_is_one_of_its_terms(make: Any, changes: list[tuple[Any, ...]]) -> None:
    """Compare the terms as a frame does, and check that they include those in the attributes."""

    def run(path: Path) -> None:
        container = make(path)
        for name, *operands in changes:
            before = container.terms()
            getattr(container, name)(*operands)
            assert not _same(before, container.terms()), name
        held = [part for value in vars(container).values() for part in (value if isinstance(value, list) else [value])]
        assert all(any(part is each for each in container.terms()) for part in held if z3.is_ast(part))

    assert explore(run).paths


# Nodes

OWNERS = ["tree", "node", "other", "turn", "another turn", "other child"]
KEPT = ["tree.root", "tree.left_finger", "tree.right_finger", "tree.more", "node.agg", "node.parent", "node.more"]
KEPT += ["other.agg", "other.children", "other child.parent", "another turn.parent"]


@pytest.mark.parametrize("changed", ["turn.parent", *KEPT])
def test_a_loop_over_children_keeps_the_tree_and_all_nodes(changed: str) -> None:
    def run(path: Path) -> None:
        this = NodeRun(path, make_runnable(Fiba, None, LISTS).algorithm, {})
        node, other = (this.node(name, z3.IntVal(5), None, this.outside, False, False) for name in ("node", "other"))
        turn, another, of_other = node.family.child(ONE), node.family.child(z3.IntVal(2)), other.family.child(ONE)
        loop: Any = SimpleNamespace(heap=this.heap(), turn=turn)
        owner, name = changed.split(".")
        owners = this.tree, node, other, turn, another, of_other
        setattr(owners[OWNERS.index(owner)], name, node if owner == "other child" else other)
        path.show("the rest", z3.BoolVal(this.keeps_heap(loop)))

    child = changed.endswith("child.parent") or changed.startswith("another")
    told = "the loop gives parents to its own children alone" if child else "the rest"
    assert fails(run) == ({told} if changed in KEPT else set())


# Facts


def are_true(facts: Any, *known: Any) -> bool:
    """Return whether facts follow from the values of functions: the powers of 2 from 2^0 on, and those given."""
    solver = z3.Solver()
    solver.add(*known, *(power_of_two(z3.IntVal(n)) == 2**n for n in range(13)), z3.Not(facts))
    return str(solver.check()) == "unsat"


def test_the_facts_about_powers_of_two_are_true() -> None:
    assert [x for x in range(-3, 12) if not are_true(power_facts(z3.IntVal(x)))] == []


def test_the_facts_about_bit_lengths_are_true() -> None:
    length = z3.Function("bit length", z3.IntSort(), z3.IntSort())

    def run(path: Path) -> None:
        for n in range(-5, 21):
            facts: list[Any] = []
            path.remember = facts.append
            SymbolicInt(z3.IntVal(n)).bit_length()
            assert are_true(z3.And(*facts), length(z3.IntVal(n)) == n.bit_length()), n

    explore(run)


def test_the_facts_about_a_selection_are_true() -> None:
    """Check them for the even numbers of 0 .. 5; beyond the selection, places and numbers may be any."""

    def run(path: Path) -> None:
        facts: list[Any] = []
        path.remember = facts.append
        evens = Selection(symbolic_range(6), lambda x: x % 2 == 0, lambda x: x)
        for j in map(z3.IntVal, range(-3, 9)):
            evens.place(j)
            evens.number(j)
        known = [z3.And(evens.places(z3.IntVal(j)) == 2 * j, evens.numbers(z3.IntVal(2 * j)) == j) for j in range(3)]
        assert are_true(z3.And(*facts), *known, evens.length == 3)

    explore(run)


# Loops


class LeavesNothing(FifoRun):
    """A run that finds its heap changed at every back edge."""

    def keeps_heap(self, cutter: Any) -> bool:
        return False


def test_the_heap_is_looked_at_where_a_loop_ends_its_turn() -> None:
    found = explore_operation(RECALCULATE.algorithm, recalculate, "query", kind=LeavesNothing)
    assert {failure.obligation for failure in found.failures} == {"the loop changes only what was forgotten"}


@pytest.mark.parametrize("also", ["sibling.times.pop()", "self.values.pop(0)", "self.parent.parent = self"])
def test_a_loop_over_children_changes_their_parents_alone(also: str) -> None:
    edit = wrong(f"also {also}", ("absorb_next", "child.parent = self", f"child.parent = self; {also}"))
    assert any("the loop changes only" in failure.obligation for failure in explore_step("merge", edit).failures)


# Runs


@pytest.mark.parametrize("column", FIFO, ids=lambda column: column.slug)
def test_every_operation_ends_with_the_whole_invariant(column: Column) -> None:
    clauses = {clause.__name__ for clause in column.contract.INVARIANT}
    for operation in OPERATIONS_OF_FIFO:
        shown = explore_operation(column.algorithm, column.contract, operation).shown
        assert clauses <= set(shown), operation
        assert operation != "query" or "query changes nothing" in shown


@pytest.mark.parametrize("n", [*range(1, 13), 100])
@pytest.mark.parametrize(
    ("operation", "line"), [("insert", "    self.B.push("), ("evict", "    self.F.pop()"), ("query", "    return ")]
)
def test_a_mistake_at_one_size_alone_is_found(operation: Any, line: str, n: int) -> None:
    """Check that no operation leaves out a size at which it begins."""
    spoils = f"    if self.F.size + self.B.size == {n}:\n        self.B.push(Element(v, v))\n".replace(
        "Element(v, v)", "Element(self.monoid.identity, self.monoid.identity)"
    )
    made = wrong(f"{operation} at {n} alone", (operation, line, f"{spoils}{line}")).of(TWO_STACKS.algorithm)
    found = explore_operation(made, TWO_STACKS.contract, operation).failures
    assert any(failure.obligation == "length" and not failure.unknown for failure in found), found


def test_a_theorem_rests_on_runs_that_are_not_its_own() -> None:
    def explored(run: str, mutant: Any, enough: Any) -> Any:
        x = SymbolicInt(z3.Int("x")).term
        return explore(lambda path: path.show(run, z3.BoolVal(True) if run == "own" else x == 0))

    runs = ProvedRuns(explore=explored, names=("own", "other"))
    theorem = partial(runs.theorem, states=lambda name: name == "own", runs=("own",))
    assert theorem().check().verdict == "fails"
    assert theorem(rests_on=("own",)).check().verdict == "holds"
    fails = theorem(rests_on=("own",), lemmas=lambda: explored("other", None, None))
    assert fails.check().verdict == "fails"


@pytest.mark.parametrize("spoilt", [0, 1, 2])
def test_every_child_of_a_subtree_has_the_right_aggregate(spoilt: int) -> None:
    def spoil(run: Any) -> None:
        focus = run.take("neither", dirty=False)
        run.path.assume(z3.And(focus.height >= 1, focus.degree >= 4))
        children = [focus.get_child(place) for place in range(3)]
        children[spoilt].agg = Segment.unknown(run.path, "spoilt")
        run.fold_focus(focus)

    found = explore_method(spoil).failures
    assert {failure.obligation for failure in found} == {"aggregate of a subtree"}
