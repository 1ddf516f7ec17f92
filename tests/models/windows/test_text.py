"""Windows and spans of time as text, and the messages about invalid text."""

import pytest

from swagproof.models.windows.kinds import Calendar, Counted, Frame, Session, Sliding, WindowSpec
from swagproof.models.windows.text import Unit, parse_span, parse_window
from swagproof.models.windows.window import WindowError

HOUR = 3_600_000_000


@pytest.mark.parametrize(
    ("text", "unit", "window"),
    [
        ("sliding 1h every 10m offset 5m", "us", Sliding(HOUR, HOUR // 6, HOUR // 12)),
        ("tumbling 1h offset -5m", "us", Sliding(HOUR, HOUR, 11 * HOUR // 12)),
        ("tumbling 60 offset 70", "plain", Sliding(60, 60, 10)),
        ("range -1h 0", "ns", Frame("range", -HOUR * 1000, 0)),
        ("range unbounded 90m", "s", Frame("range", None, 5400)),
        ("session 2500ms touching", "ms", Session(2500, touching=True)),
        ("count 5", "us", Counted(5, 5)),
        ("count 5 by arrival", "us", Counted(5, 5, by_arrival=True)),
        ("count 5 every 2 by arrival", "us", Counted(5, 2, by_arrival=True)),
        ("rows -5 -1", "us", Frame("rows", -5, -1)),
        ("rows -9 0 full", "us", Frame("rows", -9, 0, full=True)),
        ("range -10 0 closed right", "plain", Frame("range", -9, 0)),
        ("tumbling 10 offset 3 closed both from first", "plain", Sliding(10, 10, 3, "both", leading=False)),
        ("tumbling 5d origin 2000-01-03", "us", Sliding(120 * HOUR, 120 * HOUR, 96 * HOUR)),
        ("tumbling 1 day in UTC", "us", Calendar("day", 1, 1, 0, "UTC")),
        ("sliding 2 weeks every 1 week in UTC offset 6", "us", Calendar("day", 14, 7, 3, "UTC")),
        ("sliding 3 days every 1 day in UTC from first", "us", Calendar("day", 3, 1, 0, "UTC", leading=False)),
        ("tumbling 1 quarter in UTC closed right", "ns", Calendar("month", 3, 3, 0, "UTC", 10**9, "right")),
    ],
)
def test_windows(text: str, unit: Unit, window: WindowSpec) -> None:
    assert parse_window(text, unit) == window


@pytest.mark.parametrize(
    ("text", "unit", "said"),
    [
        ("tumbling", "plain", "--window: 'tumbling' is not one of tumbling SPAN, sliding SPAN every SPAN, "),
        ("tumbling 5 offset", "plain", "--window: 'tumbling 5 offset' is not one of"),
        ("tumbling 0", "plain", "--window: 0: give at least 1"),
        ("tumbling 10", "us", "--window: 10: give a unit, one of us, ms, s, m, h, d; or, if times are plain"),
        ("tumbling 10w", "us", "--window: 10w: give a unit, one of us, ms, s, m, h, d$"),
        ("tumbling 1h", "plain", "--window: 1h: times are plain numbers; give a plain number, or --time-unit"),
        ("tumbling 1500us", "ms", "tumbling 1500us: not a whole number of ms, the unit of times"),
        ("session -5", "plain", "--window: '-5' is not a span of time; write for example 600"),
        ("session 5s apart", "us", "is not one of"),
        ("count 0", "plain", "--window: '0' is not a number of events; give 1 or more"),
        ("rows 1 0", "plain", "--window: 'rows 1 0': the frame ends before it begins"),
        ("rows 0 unbounded", "plain", "a frame that ends at unbounded delays every result of a key; end at 0"),
        ("sliding 99999999999999d every 1d", "us", "--window: 99999999999999d is too long"),
        ("hopping 5", "plain", "is not one of"),
        ("tumbling 5 closed up", "plain", "closed up: give closed and one of left, right, both, neither"),
        ("tumbling 5 closed", "plain", "is not one of"),
        ("tumbling 1 closed neither", "plain", "without its ends it is empty"),
        ("tumbling 5 origin 2000-01-03", "plain", "times are plain numbers; give an offset"),
        ("tumbling 5s offset 1s origin 2000-01-03", "us", "give an offset or an origin"),
        ("tumbling 5s origin spring", "us", "origin spring: not a time"),
        ("tumbling 1 day in UTC", "plain", "times are plain numbers, which have no calendar"),
        ("tumbling 1 day", "us", "name the time zone: tumbling 1 day in ZONE"),
        ("sliding 1 week every 1 day closed right", "us", "sliding 1 week every 1 day in ZONE"),
        ("tumbling 1 day in Atlantis", "us", "'Atlantis' is not a time zone"),
        ("sliding 1 month every 1 day in UTC", "us", "months are not a whole number of days"),
        ("tumbling 1 day in UTC closed both", "us", 'closed "left" or "right"'),
        ("tumbling 1 year in UTC offset 3 months", "us", "offset 3 months: give a plain number of months, such as"),
        (
            "tumbling 1 day in UTC offset 5h",
            "us",
            "a plain number of days.*windows cannot begin at a time other than mid",
        ),
        ("tumbling 1 month in UTC offset 14d", "us", "of months.*windows cannot begin on a day other than the 1st"),
        (
            "tumbling 1 month in UTC offset 14",
            "us",
            "offset 14 counts months, and windows that begin every month cannot",
        ),
        ("tumbling 1 quarter in UTC offset 14", "us", "begin every 3 months are moved by less: give 1 to 2"),
        ("tumbling 1 week in UTC offset -7", "us", "begin every 7 days are moved by less: give 1 to 6"),
        ("tumbling 1 day in UTC closed", "us", "is not one of"),
        ("rows unbounded 0 full", "plain", "is never full"),
    ],
)
def test_what_is_no_window(text: str, unit: Unit, said: str) -> None:
    with pytest.raises(WindowError, match=said):
        parse_window(text, unit)


def test_spans() -> None:
    assert [parse_span("0", unit, "") for unit in ("plain", "s", "ns")] == [0, 0, 0]
    assert [parse_span(text, "ms", "") for text in ("2m500ms", "1h1m1s")] == [120_500, 3_661_000]
    assert parse_window("sliding 1h30m every 30m", "s") == parse_window("sliding 90m every 30m", "s")
    assert parse_window("range -1m30s 0", "s") == parse_window("range -90s 0", "s")
    for text in ("2m-5s", "m5s", "5s2", "2m 5s"):
        with pytest.raises(WindowError):
            parse_span(text, "ms", "--watermark")
    with pytest.raises(WindowError, match="is not a span of time; write for example 600"):
        parse_window("tumbling 1m30s", "plain")
    with pytest.raises(WindowError, match=r"^--patience 1500ms: not a whole number of s, the unit of times"):
        parse_span("1500ms", "s", "--patience")
