"""The explorer: what it visits is pinned, what it finds is shortest, and copies share nothing but values."""

from typing import Any

import pytest

from swagproof.models.containers.deque import ChunkedDeque
from swagproof.models.containers.element import Element
from swagproof.models.containers.stack import Stack
from swagproof.models.monoid import Counting
from swagproof.proofs.explorer.space import Place, Violation
from swagproof.proofs.explorer.walk import find_once, judge, walk
from swagproof.proofs.in_order import daba, daba_lite, recalculate, two_stacks, two_stacks_lite
from swagproof.proofs.in_order.pointer_states import REMOVABLE, PointerStates, flattened, state_of
from swagproof.proofs.ledger.variants import BLIND_EVICT, KEEPS_NEWEST, Variant, wrong
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


def test_an_exploration_of_other_counts_is_unknown() -> None:
    found = find_once(PointerStates(DABA.name, 4))
    assert judge(found, (7, 19)).verdict == "holds"
    for other in ((0, 0), (3, 8)):
        outcome = judge(found, other)
        assert outcome.verdict == "unknown"
        assert outcome.statistics == {"states": 7, "transitions": 19}


FOUND: list[tuple[Column, Variant, str]] = [
    (DABA, daba.SKIPS_SHRINK, "sizes after insert, insert"),
    (DABA, daba.FIXES_TWICE, "pointer_order after insert"),
    (DABA, daba.COMBINES_TWICE, "insert calls after"),
    (DABA, two_stacks.QUERY_SWAPPED, "answer after insert, insert, insert, query"),
    (TWO_STACKS, two_stacks.INSERT_SWAPPED, "back_aggregates after insert, insert"),
    (TWO_STACKS, two_stacks.FLIP_ONE_SHORT, "evict raised IndexError: pop from empty list after insert, evict"),
    (TWO_STACKS_LITE, two_stacks_lite.FLIP_STOPS_SHORT, "evict raised IndexError"),
    (DABA_LITE, KEEPS_NEWEST, "space after insert"),
    (RECALCULATE, recalculate.QUERY_SWAPPED, "loop: scanned after insert, insert, query"),
    (DABA, BLIND_EVICT, "evict raised IndexError: pop_front: the deque is empty after evict"),
    (DABA, wrong("never refuses", ("evict", "raise EmptyWindowError", "return")),
     "evict of an empty window is refused after evict"),
    (TWO_STACKS, wrong("refuses late", ("evict", "raise Empty", "self.B.push(Element('', '')); raise Empty")),
     "a refused evict changes nothing after evict"),
]  # fmt: skip


@pytest.mark.parametrize(("column", "variant", "violation"), FOUND, ids=lambda value: getattr(value, "name", ""))
def test_a_wrong_variant_is_found_by_a_shortest_history(column: Column, variant: Variant, violation: str) -> None:
    found = find_once(PointerStates(column.name, 6, variant))
    assert str(found).startswith(violation)
    assert judge(found, (0, 0)).verdict == "fails"


def test_histories_that_differ_in_what_is_kept_are_told_apart() -> None:
    """An algorithm whose pointers are always alike, and whose contents spoil only after evict and insert."""
    spoils = wrong(
        "a popped element comes back",
        ("evict", "    self.F = self.F + 1", "    self.kept = self.deque[self.F]\n    self.F = self.F + 1"),
    )
    window = flattened(spoils.of(RECALCULATE.algorithm)(Counting(REMOVABLE)))
    for letter in "ab":
        window.insert(letter)
    before = state_of(window, 0)
    window.evict()
    after = state_of(window, 1)
    window.insert("c")
    assert len({before, after, state_of(window, 1)}) == 3


def test_states_are_counted_from_the_oldest() -> None:
    def after(word: str) -> tuple[Any, ...]:
        window = flattened(DABA.algorithm(Counting(REMOVABLE)))
        letters = iter("abcde")
        for step in word:
            window.insert(next(letters)) if step == "i" else window.evict()
        return state_of(window, word.count("e"))

    assert after("ii") == after("ieii") != after("i")


def thawed(subject: Any, *constants: Any) -> Any:
    """What comes of a subject that is frozen, where these are constants."""

    class Plain(PointerStates):
        @property
        def constants(self) -> tuple[Any, ...]:
            return type(subject), *constants

    space = Plain(DABA.name, 1)
    return space.thaw(space.freeze(Place(subject, None)), ()).subject


@pytest.mark.parametrize("column", FIFO, ids=lambda column: column.name)
def test_places_share_nothing(column: Column) -> None:
    monoid = Counting(REMOVABLE)
    original = flattened(column.algorithm(monoid))
    for letter in "abcd":
        original.insert(letter)
    original.evict()
    other, before = thawed(original, monoid, getattr(original, "remove", None)), state_of(original, 1)
    assert type(other) is type(original)
    assert other.monoid is monoid
    assert state_of(other, 1) == before
    for _ in range(3):
        other.evict()
        other.insert("z")
    assert other.query() == "zzz"
    assert state_of(original, 1) == before
    assert original.query() == "bcd"


def test_a_place_keeps_what_is_shared_within() -> None:
    class Twice:
        def __init__(self) -> None:
            self.F = self.B = Stack[Any]()
            self.G = Stack[Any]()
            self.deque = ChunkedDeque[Any]()
            self.E = self.deque.end()

    original = Twice()
    element = Element("a", "a")
    original.F.push(element)
    original.G.push(element)
    other = thawed(flattened(original))
    assert other.F is other.B
    assert other.F is not original.F
    assert other.F.top() is other.G.top()
    assert other.F.top() is not element
    assert other.E == other.deque.end() != original.E


@pytest.mark.parametrize("kept", [[], 0, False, {}])
def test_what_cannot_be_told_apart_is_refused(kept: Any) -> None:
    window = flattened(RECALCULATE.algorithm(Counting(REMOVABLE)))
    window.kept = kept
    with pytest.raises(TypeError, match="the explorer cannot tell states apart by it"):
        state_of(window, 0)


def test_what_is_kept_and_never_read_does_not_make_states_without_end() -> None:
    """DABA Lite with its aggRA never reset: what it keeps grows older with every evict."""
    assert walk(PointerStates(DABA_LITE.name, 12, daba_lite.KEEPS_STALE_RA)) == (130, 378)


def test_subtraction_is_of_a_prefix() -> None:
    removes = "    self.agg = self.remove(self.deque[self.F], self.agg)\n"
    twice = wrong("evict subtracts twice", ("evict", removes.lstrip(), removes.lstrip() + removes))
    with pytest.raises(Violation, match="does not begin with"):
        walk(PointerStates(SUBTRACT_ON_EVICT.name, 3, twice))
