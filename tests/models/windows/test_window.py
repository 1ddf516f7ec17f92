"""Window definitions by worked examples, their errors, and the incremental form compared with the definition."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from fractions import Fraction
from typing import Any

import pytest

from swagproof.models.windows.window import (
    PUNCTUATION,
    UNBOUNDED,
    Count,
    Delta,
    Event,
    Heartbeat,
    Item,
    LateError,
    Punctuation,
    Time,
    Window,
    WindowError,
    bounds,
    contents,
    contents_by_key,
    cql,
    hopping,
    landmark,
    relation,
    tumbling,
)
from swagproof.proofs.windows import streams
from swagproof.reference.windows.windowing import Windowing

HOUR = timedelta(hours=1)


def timed(*times: Any) -> list[Item]:
    """Return elements a, b, c, ... at these times."""
    return [Event(time, letter) for time, letter in zip(times, "abcdefghijklmnopqrstuvwxyz", strict=False)]


def told(window: Window, items: list[Item]) -> list[tuple[Any, str]]:
    """Return each trigger and the letters in the window, by the definition and the equal incremental form."""
    by_definition = contents(window, items)
    assert streams.follow(Windowing(window), items).get(None, []) == by_definition
    return [(trigger.at, "".join(event.value for event in held)) for trigger, held in by_definition]


# Worked examples


def test_the_bounds_of_section_2_1_with_24_hours_and_one_minute() -> None:
    day, minute = 24 * 3600, 60
    assert bounds(day, day, minute) == (0, day)
    assert bounds(day + 59, day, minute) == (0, day)
    assert bounds(day + 60, day, minute) == (60, day + 60)
    assert bounds(0, day, minute) == (-day, 0)
    assert bounds(1, day, minute) == (-day, 0)
    assert bounds(-1, day, minute) == (-day - minute, -minute)


def test_the_window_of_section_2_1_has_both_ends_and_lags() -> None:
    calls = [Event(0, "a"), Event(1, "b"), Event(4, "c"), Event(5, "d")]
    assert relation(calls, 4, 4, 2) == ["a", "b", "c"]
    assert relation(calls, 5, 4, 2) == ["a", "b", "c"]
    assert relation(calls, 6, 4, 2) == ["c", "d"]
    assert told(cql(4, 2), [*calls, Heartbeat(20)]) == [
        (0, "a"), (2, "ab"), (4, "abc"), (6, "cd"), (8, "cd"), (10, "")
    ]  # fmt: skip


def test_figure_1_of_2018_range_5_and_slide_2_by_count() -> None:
    window = Window(Count(5), Count(2), origin=5)
    assert told(window, timed(*range(9))) == [(5, "abcde"), (7, "cdefg"), (9, "efghi")]
    assert told(Window(Count(5), Count(2)), timed(*range(6))) == [(2, "ab"), (4, "abcd"), (6, "bcdef")]


def test_hopping_windows_begin_at_multiples_of_their_slide() -> None:
    assert told(hopping(7, 3), [*timed(0, 6, 7), Heartbeat(30)]) == [
        (1, "a"), (4, "a"), (7, "ab"), (10, "bc"), (13, "bc"), (16, "")
    ]  # fmt: skip


def test_a_slide_beyond_the_range_leaves_elements_out() -> None:
    assert told(hopping(2, 5), [*timed(0, 1, 2, 4, 5, 6, 7), Heartbeat(30)]) == [(2, "ab"), (7, "ef"), (12, "")]


def test_tumbling_windows_hold_each_element_once() -> None:
    assert told(tumbling(Time(3)), [*timed(0, 2, 3, 3, 8), Heartbeat(9)]) == [(3, "ab"), (6, "cd"), (9, "e")]
    assert told(tumbling(Count(2)), timed(*range(5))) == [(2, "ab"), (4, "cd")]


def test_the_last_seconds_at_each_element() -> None:
    assert told(Window(Time(3), Count(1)), timed(0, 1, 3, 3, 9)) == [
        (1, "a"), (2, "ab"), (3, "bc"), (4, "bcd"), (5, "e")
    ]  # fmt: skip
    assert told(Window(Time(3), Count(1), closed="both"), timed(0, 1, 3)) == [(1, "a"), (2, "ab"), (3, "abc")]


def test_delta_windows_reach_back_by_the_attribute() -> None:
    def miles(value: str) -> float:
        return {"a": 0.0, "b": 4.5, "c": 5.0, "d": 9.5}[value]

    assert told(Window(Delta(5, miles), Count(1)), timed(*"....")) == [(1, "a"), (2, "ab"), (3, "abc"), (4, "bcd")]
    assert told(Window(Delta(5, miles), Delta(5, miles)), timed(*"....")) == [(0.0, "a"), (5.0, "abc")]


def test_punctuation_ends_windows() -> None:
    mark = Punctuation()
    a, b, c = timed(None, None, None)
    assert told(tumbling(PUNCTUATION), [a, b, mark, mark, mark, c, mark]) == [(1, "ab"), (2, ""), (4, "c")]
    assert told(Window(PUNCTUATION, Count(1)), [a, b, mark, c]) == [(1, "a"), (2, "ab"), (3, "c")]
    assert told(Window(Count(2), PUNCTUATION), [a, b, c, mark]) == [(1, "bc")]


def test_punctuation_with_a_time_looks_back_from_there() -> None:
    window = Window(Time(4), PUNCTUATION)
    assert told(window, [*timed(0, 3), Punctuation(5), Punctuation(7), Punctuation(9)]) == [(1, "b"), (2, "")]
    assert told(window, [*timed(0, 3), Punctuation()]) == [(1, "ab")]


def test_a_landmark_window_only_grows() -> None:
    assert told(landmark(Count(2)), timed(*range(5))) == [(2, "ab"), (4, "abcd")]
    assert told(landmark(Time(2)), [*timed(0, 3), Heartbeat(6)]) == [(2, "a"), (4, "ab"), (6, "ab")]
    assert landmark(Count(1)).range is UNBOUNDED


def test_a_stretch_without_elements_is_told_once() -> None:
    assert told(hopping(2, 1), timed(0, 10**3)) == [(1, "a"), (2, "a"), (3, "")]
    far = streams.follow(Windowing(hopping(2, 1)), timed(0, 10**12))[None]
    assert [(trigger.at, trigger.size) for trigger, _ in far] == [(1, 1), (2, 1), (3, 0)]


def test_a_count_that_never_empties_is_told_at_each_end_unless_it_is_idle() -> None:
    items: list[Item] = [Event(0, "a"), Heartbeat(5)]
    assert told(Window(Count(1), Time(1)), items) == [(1, "a"), (2, "a"), (3, "a"), (4, "a"), (5, "a")]
    assert told(Window(Count(1), Time(1), idle=2), items) == [(1, "a"), (2, "a"), (None, "")]


def test_an_idle_key_begins_anew() -> None:
    assert told(Window(Count(2), Count(2), idle=3), timed(0, 4, 5)) == [(2, "bc")]
    assert told(Window(Count(2), Count(2), idle=4), timed(0, 4, 5)) == [(2, "ab")]


def test_the_last_windows_wait_for_a_heartbeat() -> None:
    assert told(hopping(2, 2), timed(1)) == []
    assert told(hopping(2, 2), [*timed(1), Heartbeat(2)]) == [(2, "a")]
    assert told(cql(2, 2), [*timed(1), Heartbeat(2)]) == []
    assert told(cql(2, 2), [*timed(1), Heartbeat(3)]) == [(2, "a")]


def test_elements_of_one_time_keep_the_order_of_arrival() -> None:
    assert told(hopping(2, 2), [*timed(1, 1, 1), Heartbeat(2)]) == [(2, "abc")]


def test_other_keys_tell_the_time() -> None:
    items = [Event(0, "a", "x"), Event(1, "b", "y"), Event(2, "c", "y")]
    found = contents_by_key(hopping(2, 2), items)
    assert {key: [(t.at, "".join(e.value for e in held)) for t, held in of_key] for key, of_key in found.items()} == {
        "x": [(2, "a")],
        "y": [(2, "b")],
    }
    assert streams.follow(Windowing(hopping(2, 2)), items) == found


# Times


def test_fractions_are_exact() -> None:
    tenth = Fraction(1, 10)
    items = [*timed(*(k * tenth for k in range(4))), Heartbeat(1)]
    assert told(tumbling(Time(3 * tenth)), items) == [(3 * tenth, "abc"), (6 * tenth, "d"), (9 * tenth, "")]


def test_datetimes_hop_from_the_epoch() -> None:
    noon = datetime(2013, 1, 1, 12)
    assert told(hopping(2 * HOUR, HOUR), [*timed(noon), Heartbeat(noon + 3 * HOUR)]) == [
        (noon + HOUR, "a"), (noon + 2 * HOUR, "a"), (noon + 3 * HOUR, "")
    ]  # fmt: skip
    before = datetime(1969, 12, 31, 23, 30)
    assert told(tumbling(Time(HOUR)), [*timed(before), Heartbeat(before + HOUR)]) == [(datetime(1970, 1, 1), "a")]


def test_aware_datetimes_go_by_utc() -> None:
    east = datetime(2013, 1, 1, 12, 30, tzinfo=timezone(timedelta(hours=5, minutes=30)))
    assert told(tumbling(Time(HOUR)), [*timed(east), Heartbeat(east + HOUR)]) == [
        (datetime(2013, 1, 1, 8, tzinfo=UTC), "a")
    ]


def test_naive_after_aware_is_refused() -> None:
    items = timed(datetime(2013, 1, 1, tzinfo=UTC), datetime(2013, 1, 2))
    for run in (contents, lambda window, items: streams.follow(Windowing(window), items)):
        with pytest.raises(WindowError, match="give all with a zone, or all without"):
            run(hopping(HOUR, HOUR), items)


@pytest.mark.parametrize(
    ("window", "time", "said"),
    [
        (hopping(1, 1), 0.5, "smaller unit, or give Fractions"),
        (hopping(1, 1), None, "give numbers"),
        (hopping(1, 1), True, "give numbers"),
        (hopping(1, 1), datetime(2013, 1, 1), "give numbers"),
        (hopping(HOUR, HOUR), 5, "give datetimes"),
        (hopping(HOUR, HOUR), date(2013, 1, 1), "give datetimes"),
        (Window(Count(1), Count(1), idle=HOUR), 5, "give datetimes"),
    ],
)
def test_a_time_that_the_window_cannot_measure_is_refused(window: Window, time: Any, said: str) -> None:
    with pytest.raises(WindowError, match=rf"^time: .*{said}"):
        contents(window, timed(time))
    with pytest.raises(WindowError, match=rf"^time: .*{said}"):
        streams.follow(Windowing(window), timed(time))


def test_times_that_no_measure_looks_at_may_be_anything() -> None:
    assert told(Window(Count(2), Count(1)), timed(None, "noon", -1.5)) == [(1, "a"), (2, "ab"), (3, "bc")]


# Late elements


def test_a_late_element_is_refused_and_nothing_has_changed() -> None:
    windowing = Windowing(hopping(4, 2))
    assert list(windowing.feed(Event(3, "a")))
    with pytest.raises(
        LateError, match=r'^time 2 of .* comes after 3: sort the stream, or drop with Window\(late="drop"\)$'
    ):
        list(windowing.feed(Event(2, "b")))
    assert [type(step).__name__ for _, step in windowing.feed(Heartbeat(4))] == ["Trigger"]
    with pytest.raises(LateError):
        list(windowing.feed(Punctuation(3)))
    assert list(windowing.feed(Heartbeat(1))) == []


def test_a_late_element_is_dropped_if_so_said() -> None:
    window = Window(Time(4), Time(2), late="drop")
    assert told(window, [*timed(3, 2, 3), Heartbeat(4)]) == [(4, "ac")]


def test_late_in_the_attribute_of_a_delta() -> None:
    items: list[Item] = [Event(None, 2), Event(None, 1)]
    with pytest.raises(LateError, match=r"range's attribute 1 of .* comes after 2"):
        contents(Window(Delta(1), Count(1)), items)
    assert len(contents(Window(Delta(1), Count(1), late="drop"), items)) == 1
    with pytest.raises(WindowError, match=r"slide: the attribute nan .* has no distance to itself"):
        contents(Window(Count(1), Delta(1)), [Event(None, float("nan"))])


@pytest.mark.parametrize(
    ("window", "item", "said"),
    [
        (hopping(1, 1), Event(5, "b", ["x"]), r"key: \['x'\]; give one that can be hashed"),
        (hopping(1, 1), "b", "item: 'b'; give Event, Heartbeat or Punctuation"),
        (Window(Time(1), Delta(1)), Event(5, "b"), "slide: the attribute 'b' of 'b' has no distances like 1; give"),
        (Window(Delta(1), Time(1)), Event(5, float("nan")), "range: the attribute nan .* no distance to itself; leave"),
        (hopping(HOUR, HOUR), Heartbeat(datetime.max), "time: .*; the window's spans reach beyond the years 1 to 9999"),
        (hopping(HOUR, HOUR), Event(datetime.min, "b"), "time: .*; the window's spans reach beyond the years 1 to"),
        (
            hopping(HOUR, HOUR),
            Event(datetime.min.replace(tzinfo=timezone(2 * HOUR)), "b"),
            "time: .*; the window's spans reach beyond the years 1 to 9999",
        ),
    ],
)
def test_an_item_of_no_use_is_refused_and_time_does_not_pass(window: Window, item: Any, said: str) -> None:
    with pytest.raises(WindowError, match=f"^{said}"):
        contents(window, [item])
    windowing = Windowing(window)
    with pytest.raises(WindowError, match=f"^{said}"):
        list(windowing.feed(item))
    assert windowing.clock is None
    assert not windowing.partitions


def test_an_origin_in_time_may_be_far_from_the_epoch() -> None:
    day = timedelta(days=1)
    items: list[Item] = [*timed(datetime(2013, 1, 1, 5)), Heartbeat(datetime(2013, 1, 2))]
    far = Window(Time(day), Time(day), origin=5_000_000 * day)
    assert told(far, items) == told(tumbling(Time(day)), items) == [(datetime(2013, 1, 2), "a")]


# Impossible definitions


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Count(0), "Count: n = 0; give an int of at least 1"),
        (lambda: Count(True), "Count: n = True; "),
        (lambda: Count(1.5), "Count: n = 1.5; "),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: Time(0), "Time: span = 0; give a positive int, Fraction or timedelta"),
        (lambda: Time(-HOUR), "Time: span = .*; give a positive"),
        (lambda: Time(0.1), "Time: span = 0.1; "),
        (lambda: Delta(-1), "Delta: span = -1; give a distance of at least 0"),
        (lambda: Delta(float("nan")), "Delta: span = nan; .*not NaN"),
        (lambda: Delta("far"), "Delta: span = 'far'"),
        (lambda: Window(5, Count(1)), "range: 5; give Count, Time, Delta, PUNCTUATION or UNBOUNDED"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: Window(Count(1), UNBOUNDED), r"slide: Unbounded\(\); give Count"),  # type: ignore[arg-type]  # wrong on purpose
        (
            lambda: Window(Time(HOUR), Time(5)),
            "range in timedeltas and slide in numbers; give all spans of time in one",
        ),
        (lambda: Window(Time(5), Count(1), idle=HOUR), "range in numbers and idle in timedeltas"),
        (lambda: Window(Count(1), Count(1), idle=-1), "idle: -1; give an int"),
        (lambda: Window(Count(1), Count(1), idle=0.5), "idle: 0.5; "),
        (lambda: Window(Count(1), Count(1), closed="neither"), 'closed: .neither.; give "left", "right" or "both"'),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: Window(Time(1), Count(1), closed="left"), 'closed: "left" leaves out the element that triggers; give'),
        (lambda: Window(Count(1), Count(1), late="keep"), 'late: .keep.; give "refuse" or "drop"'),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: Window(Time(1), Time(1), origin=HOUR), "origin: .*; give an int or a Fraction as the slide is 1"),
        (lambda: Window(Time(HOUR), Time(HOUR), origin=datetime(2013, 1, 1)), "origin: .*; give a timedelta"),
        (lambda: Window(Count(1), Count(1), origin=0), "origin: 0; give the number of the first element to trigger"),
        (
            lambda: Window(Count(1), PUNCTUATION, origin=1),
            r"origin: 1; a slide of Punctuated\(\) has none, leave it out",
        ),
        (lambda: tumbling(Delta(1)), "range: .*; Count, Time and PUNCTUATION tumble"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: hopping(0, 1), "Time: span = 0"),
        (lambda: hopping(1, -1), "Time: span = -1"),
    ],
)
def test_a_window_that_cannot_be_is_refused(make: Callable[[], Any], said: str) -> None:
    with pytest.raises(WindowError, match=f"^{said}"):
        make()


def test_a_window_tells_what_is_not_as_usual() -> None:
    assert str(hopping(2, 1)) == "range Time(span=2), slide Time(span=1), origin 2"
    assert str(Window(Delta(1), Count(1), late="drop")) == "range Delta(span=1), slide Count(n=1), late drop"
