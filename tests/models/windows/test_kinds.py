"""Kinds of windows that a query names, by worked examples and by their inequalities."""

import random

import pytest

from swagproof.models.windows.kinds import Counted, Frame, Session, Sliding, WindowSpec, goes_by_number
from swagproof.models.windows.window import Event, WindowError

EVENTS = [Event(time, letter) for time, letter in zip((3, 1, 8, 3, 6), "abcde", strict=True)]
"""Events in arrival order; in time order they are b, a, d, e, c."""


@pytest.mark.parametrize(
    ("window", "due"),
    [
        (Sliding(4, 4), [(0, 4, None, "bad"), (4, 8, None, "e"), (8, 12, None, "c")]),
        (Sliding(4, 4, 1), [(1, 5, None, "bad"), (5, 9, None, "ec")]),
        (Sliding(2, 5, 1), [(1, 3, None, "b"), (6, 8, None, "e")]),
        (Session(3), [(1, 6, None, "bad"), (6, 11, None, "ec")]),
        (Session(3, touching=True), [(1, 11, None, "badec")]),
        (Session(2), [(1, 3, None, "b"), (3, 5, None, "ad"), (6, 8, None, "e"), (8, 10, None, "c")]),
        (Counted(2, 2), [(1, 4, 2, "ba"), (3, 7, 4, "de")]),
        (Counted(3, 2), [(1, 4, 2, "ba"), (3, 7, 4, "ade")]),
        (Counted(2, 2, by_arrival=True), [(3, 2, 2, "ab"), (8, 4, 4, "cd")]),
        (
            Frame("rows", -1, 1),
            [(1, 2, 1, "ba"), (1, 4, 2, "bad"), (3, 4, 3, "ade"), (3, 7, 4, "dec"), (6, 9, 5, "ec")],
        ),
        (Frame("rows", None, -4), [(1, 2, 1, ""), (3, 4, 2, ""), (3, 4, 3, ""), (6, 7, 4, ""), (1, 9, 5, "b")]),
        (
            Frame("range", -2, 0),
            [(-1, 2, 1, "b"), (1, 4, 3, "bad"), (1, 4, 3, "bad"), (4, 7, 6, "e"), (6, 9, 8, "ec")],
        ),
        (
            Frame("range", None, 2),
            [(None, 4, 1, "bad"), (None, 6, 3, "bad"), (None, 6, 3, "bad"), (None, 9, 6, "badec"),
             (None, 11, 8, "badec")],
        ),
    ],
)  # fmt: skip
def test_extents_by_hand(window: WindowSpec, due: list[tuple[int | None, int, int | None, str]]) -> None:
    assert [(*x[:3], "".join(event.value for event in x.events)) for x in window.extents(EVENTS)] == due
    assert window.extents([]) == []


def test_sliding_windows_hold_what_the_inequality_says() -> None:
    draw = random.Random(4)
    for _ in range(100):
        length, slide = draw.randint(1, 7), draw.randint(1, 7)
        window = Sliding(length, slide, draw.randrange(slide))
        events = [Event(draw.randint(-9, 12), i) for i in range(draw.randint(0, 8))]
        begins = range(-20 * slide + window.offset, 30, slide)
        held = [(b, b + length, tuple(e for e in events if b <= e.time < b + length)) for b in begins]
        found = [(x.begin, x.end, tuple(sorted(x.events, key=events.index))) for x in window.extents(events)]
        assert found == [one for one in held if one[2]]
        for event in events:
            ends = [end for begin, end, _ in held if begin <= event.time < end]
            assert ends == list(range(window.first_end(event.time), window.last_end(event.time) + 1, slide))


def test_a_gap_that_cannot_be_is_refused() -> None:
    with pytest.raises(WindowError, match="gap: 0; give a positive span of time"):
        Session(0)


def test_what_goes_by_number() -> None:
    assert [goes_by_number(w) for w in (Counted(1, 1), Frame("rows", 0, 0), Frame("range", 0, 0), Session(1))] == [
        True, True, False, False
    ]  # fmt: skip
