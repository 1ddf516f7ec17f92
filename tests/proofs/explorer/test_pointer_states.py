"""The explorer: its counts are pinned, its counterexamples are shortest, and copies share only values."""

from types import SimpleNamespace
from typing import Any

import pytest

from swagproof.models.containers.element import Element
from swagproof.models.containers.stack import Stack
from swagproof.proofs.explorer.freezing import Place
from swagproof.proofs.explorer.letters import LetterWindow, letter
from swagproof.proofs.explorer.space import Violation
from swagproof.proofs.explorer.walk import ENDLESS, Counts, find_once, first_violation, judge, walk
from swagproof.proofs.in_order import daba, daba_lite, recalculate, two_stacks, two_stacks_lite
from swagproof.proofs.in_order.fifo import BLIND_EVICT, KEEPS_NEWEST
from swagproof.proofs.in_order.pointer_states import PointerStates
from swagproof.proofs.ledger.mutants import Mutant, wrong
from swagproof.reference.catalogue import (
    DABA,
    DABA_LITE,
    FIFO,
    RECALCULATE,
    SUBTRACT_ON_EVICT,
    TWO_STACKS,
    TWO_STACKS_LITE,
    Column,
)


def test_a_space_is_walked_once_among_whichever_others(monkeypatch: pytest.MonkeyPatch) -> None:
    few, more, wrong_one = (
        PointerStates(DABA.name, 2),
        PointerStates(DABA.name, 5),
        PointerStates(DABA.name, 5, daba.WRONG[0]),
    )
    each = [find_once(space) for space in (few, more)]
    monkeypatch.setattr("swagproof.proofs.explorer.walk.walk", None)
    assert find_once(few, more) == Counts(*map(sum, zip(*each, strict=True)))
    assert first_violation(more, few) is None
    monkeypatch.undo()
    assert isinstance(find_once(few, wrong_one, more), Violation)


def test_an_exploration_of_other_counts_is_unknown() -> None:
    found = find_once(PointerStates(DABA.name, 4))
    assert judge(found, (7, 19)).verdict == "holds"
    for other in ((0, 0), (3, 8)):
        outcome = judge(found, other)
        assert outcome.verdict == "unknown"
        assert outcome.statistics == {"states": 7, "transitions": 19}


FOUND: list[tuple[Column, Mutant, str]] = [
    (DABA, daba.SKIPS_SHRINK, "sizes after insert, insert"),
    (DABA, daba.FIXES_TWICE, "pointer_order, sizes after insert"),
    (DABA, daba.COMBINES_TWICE, "insert calls, insert paid after insert, insert"),
    (DABA, two_stacks.QUERY_SWAPPED, "answer after insert, insert, insert, query"),
    (TWO_STACKS, two_stacks.INSERT_SWAPPED, "back_aggregates after insert, insert"),
    (TWO_STACKS, two_stacks.FLIP_ONE_SHORT, "evict raised IndexError: pop from empty list after insert, evict"),
    (TWO_STACKS_LITE, two_stacks_lite.FLIP_STOPS_SHORT, "evict raised IndexError"),
    (DABA_LITE, KEEPS_NEWEST, "space after insert"),
    (RECALCULATE, recalculate.QUERY_SWAPPED, "loop: scanned after insert, insert, query"),
    (DABA, BLIND_EVICT, "evict raised IndexError: pop_front: the deque is empty after evict"),
    (DABA, wrong("never refuses", ("evict", "raise EmptyWindowError", "return")),
     "evict raises EmptyWindowError after evict"),
    (TWO_STACKS, wrong("refuses late", ("evict", "raise Empty", "self.B.push(Element('', '')); raise Empty")),
     "a refused evict changes nothing after evict"),
]  # fmt: skip


@pytest.mark.parametrize(("column", "mutant", "violation"), FOUND, ids=lambda value: getattr(value, "name", ""))
def test_a_mutant_is_found_by_a_shortest_history(column: Column, mutant: Mutant, violation: str) -> None:
    found = find_once(PointerStates(column.name, 6, mutant))
    assert str(found).startswith(violation)
    assert judge(found, (0, 0)).verdict == "fails"


def frozen_after(column: Column, word: str) -> Any:
    """Return the state after a history of inserts (i) and evicts (e)."""
    space = PointerStates(column.name, 9)
    (place,) = space.starts()
    for step in word:
        reached = space.thaw(space.freeze(place), place.steps)
        space.take(reached, "insert" if step == "i" else "evict", place)
        place = reached
    return space.state(place)


def test_states_are_counted_from_the_oldest() -> None:
    for column in FIFO:
        assert frozen_after(column, "ii") == frozen_after(column, "ieii") != frozen_after(column, "i")


COUNTS_UP = wrong(
    "counts", ("insert", "self.deque.push_back", "self.n = getattr(self, 'n', 0) + 1; self.deque.push_back")
)
LOOKS: list[tuple[str, str]] = [
    ("if v: pass", "insert asks for the truth of a value"),
    ("v = v or self.monoid.identity", "insert asks for the truth of a value"),
    ("v == self.monoid.identity", "insert asks for the equality of a value"),
    ("{v}", "insert asks for the hash of a value"),
    ("isinstance(v, str)", "insert asks for the kind of a value"),
    ("v + v", "insert asks for the sum of a value"),
    ("v < v", "insert asks for the order of a value"),
    ("len(v)", "insert asks for the contents of a value"),
    ("int(v)", "insert asks for the number of a value"),
]


@pytest.mark.parametrize(("looked", "said"), LOOKS)
def test_a_value_answers_nothing(looked: str, said: str) -> None:
    looks = wrong("looks", ("insert", "    self.deque.push_back", f"    {looked}; self.deque.push_back"))
    assert str(find_once(PointerStates(RECALCULATE.name, 3, looks))).startswith(said)


def test_a_counter_makes_more_states_and_does_not_pass() -> None:
    outcome = judge(find_once(PointerStates(RECALCULATE.name, 3, COUNTS_UP), most=4), (4, 11))
    assert outcome.verdict == "fails"
    assert outcome.detail.startswith(f"{ENDLESS}: there are more than 4 after")


def test_two_windows_that_share_a_stack_are_found() -> None:
    shared = wrong(
        "one front stack",
        ("__init__", "self.F: Stack[Element[A]] = Stack()", "self.F = vars(monoid).setdefault('F', Stack())"),
    )
    found = find_once(PointerStates(TWO_STACKS.name, 3, shared))
    assert str(found).startswith("a new one is as the first was after insert, insert")


def test_positions_are_tried_far_off() -> None:
    late = wrong("late", ("evict", "    self.F = self.F + 1", "    self.F = self.F + (1 if self.F < 10**6 else 2)"))
    space = PointerStates(DABA.name, 24, late)
    assert "F" in space.positions
    assert isinstance(find_once(space), Violation)


@pytest.mark.parametrize("column", FIFO, ids=lambda column: column.name)
def test_places_share_nothing(column: Column) -> None:
    space = PointerStates(column.name, 9)
    (place,) = space.starts()
    for _ in range(4):
        place = next(iter(space.after(place)))
    frozen = space.freeze(place)
    one, other = space.thaw(frozen, ()), space.thaw(frozen, ())
    assert one.subject.monoid is other.subject.monoid is space.monoid
    for _ in range(3):
        other.subject.insert(letter(9))
    assert space.freeze(one) == frozen != space.freeze(other)


def test_a_place_keeps_what_is_shared_within() -> None:
    """Check that an element in two stacks is one element; otherwise states that share it would not be distinguished."""

    class Twice:
        def __init__(self, element: Any, again: Any) -> None:
            self.F, self.B = Stack[Any](), Stack[Any]()
            self.F.push(element)
            self.B.push(again)

    class Plain(PointerStates):
        @property
        def constants(self) -> tuple[Any, ...]:
            return (Twice,)

        def origin(self, place: Any) -> int:
            return 0

    a, again = (Element(letter(0), letter(0)) for _ in range(2))
    space = Plain(DABA.name, 1)
    shared, apart = (space.freeze(Place(Twice(a, b), LetterWindow(0, 1))) for b in (a, again))
    assert shared != apart
    assert (thawed := space.thaw(shared, ()).subject).F.top() is thawed.B.top() is not a


def thawed(at: int, **attributes: Any) -> Any:
    """Return a subject with positions among its attributes, thawed at an origin."""
    positions = {"some": "unordered", "F": "values", "B": "values"}
    made: Any = type("Held", (PointerStates,), {"far": (at,), "positions": positions, "origin": lambda *_: 0})
    space = made(DABA.name, 1)
    return space.thaw(space.freeze(Place(SimpleNamespace(**attributes), LetterWindow(0, 1))), ()).subject


def test_what_has_no_order_is_thawed_in_every_rotation() -> None:
    orders = ["".join(thawed(at, some={3: "a", 5: "b", 8: "c"}).some.values()) for at in range(4)]
    assert set(orders) == {"abc", "bca", "cab"}


@pytest.mark.parametrize("shared", [[1, 2], {1: 2}, {1, 2}])
def test_positions_that_are_held_twice_are_refused(shared: Any) -> None:
    """Check that a list with two names is not thawed as two lists, of which only one would change."""
    with pytest.raises(TypeError, match="of positions is held twice"):
        thawed(0, F=shared, B=shared)
    assert thawed(0, F=shared, B=shared.copy()).F == shared


def test_what_is_kept_and_never_read_does_not_make_states_without_end() -> None:
    """Explore a DABA Lite whose aggRA is never reset, and so grows older with every evict."""
    assert walk(PointerStates(DABA_LITE.name, 12, daba_lite.KEEPS_STALE_RA)) == (130, 378)


def test_subtraction_is_of_a_prefix() -> None:
    removes = "    self.agg = self.remove(self.deque[self.F], self.agg)\n"
    twice = wrong("evict subtracts twice", ("evict", removes.lstrip(), removes.lstrip() + removes))
    with pytest.raises(Violation, match="does not begin with"):
        walk(PointerStates(SUBTRACT_ON_EVICT.name, 3, twice))
