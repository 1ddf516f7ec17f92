"""Late events, and the results shown for them, by examples computed manually."""

from collections.abc import Sequence

import pytest

from swagproof.models.windows.kinds import Calendar, Counted, Frame, Session, Sliding, WindowSpec
from swagproof.models.windows.lateness import (
    NEVER,
    Arrival,
    Late,
    late_for_all,
    late_for_first,
    shown_in_time,
    windows_in_time,
)
from swagproof.models.windows.watermarks import Watermark, follow
from swagproof.models.windows.window import Event


@pytest.mark.parametrize(
    ("window", "first", "last"),
    [
        (Sliding(10, 5), 15, 20),
        (Sliding(10, 10), 20, 20),
        (Session(4), 16, 16),
        (Session(4, touching=True), 16, 16),
        (Counted(3, 3), 13, 13),
        (Frame("rows", -3, 0), 13, 13),
        (Frame("range", -3, 7), 13, 13),
        (Calendar("day", 1, 1, 0, "Europe/Berlin", 1), 82_800, 82_800),
        (Calendar("day", 2, 1, 0, "Europe/Berlin", 1, "right"), 82_801, 169_201),
        (Calendar("month", 1, 1, 0, "UTC", 1), 31 * 86_400, 31 * 86_400),
    ],
)
def test_from_when_on_an_event_of_time_12_is_late(window: WindowSpec, first: int, last: int) -> None:
    assert (late_for_first(window, 12), late_for_all(window, 12)) == (first, last)


def test_what_is_late_for_one_window_is_in_the_next() -> None:
    events = [Arrival(1, "a"), Arrival(9, "b"), Arrival(6, "c", watermark=11), Arrival(2, "d", watermark=9)]
    for lateness, due in ((0, ["a", "adb", "cb"]), (2, ["a", "adcb", "cb"]), (None, ["ad", "adcb", "cb"])):
        found = windows_in_time(Sliding(10, 5), events, lateness)
        assert ["".join(event.value for event in extent.events) for extent in found] == due


Shown = list[tuple[str, int | None, str]]


def show(window: WindowSpec, late: Late, lateness: int, *steps: tuple[Sequence[tuple[int, str]], int]) -> list[Shown]:
    """Return the outputs of each step: kind, version, and the letters."""
    streamed = [([Event(*event) for event in events], watermark) for events, watermark in steps]
    return [
        [
            (kind, version, "".join(e.value for e in extent.events) if extent else event.value if event else "")
            for kind, version, extent, event in shown
        ]
        for shown in shown_in_time(window, late, lateness, streamed)
    ]


def test_policies() -> None:
    steps = ([(3, "c"), (1, "a")], NEVER), ([], 4), ([(2, "b")], 5), ([(0, "z")], 9)
    first: list[Shown] = [[], [("result", 0, "ac")]]
    late: Shown = [("late", None, "z")]
    assert show(Sliding(4, 4), "drop", 0, *steps) == [*first, [("late", None, "b")], late]
    again = ("result", 1, "abc")
    assert show(Sliding(4, 4), "update", 4, *steps) == [*first, [again], late]
    assert show(Sliding(4, 4), "retract", 4, *steps)[2] == [("retraction", 0, "ac"), again]


def test_a_session_that_was_shown_takes_no_more_events() -> None:
    steps = ([(1, "a"), (2, "b")], NEVER), ([(4, "c")], 5), ([], 20)
    assert show(Session(3), "drop", 0, *steps) == [[], [("result", 0, "ab")], [("result", 0, "c")]]
    assert show(Session(3, touching=True), "drop", 0, *steps) == [[], [], [("result", 0, "abc")]]


@pytest.mark.parametrize("lag", [1, 2])
def test_a_watermark_never_falls(lag: int) -> None:
    """Check a partition that was idle and wakes up with an old event, and one that sends older events than before."""
    steps = [*((clock, "a", 10 * clock) for clock in range(1, 15)), (15, "b", 5), (16, "a", 20), (17, "b", 6)]
    marks = [mark for _, mark in follow(Watermark(1, 1, lag, idle=2), "ab", steps)]
    for each in zip(*marks, strict=True):
        assert list(each) == sorted(each)
        assert each[0] < 0 < each[-1]
