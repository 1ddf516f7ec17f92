"""`swagproof audit`: right results of any engine conform; faults are found and named."""

import json
import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest
from support.auditing import Row, name_causes, run, write
from support.flights import write_flights

from swagproof.models.windows.kinds import Counted, Frame, Session, Sliding
from swagproof.models.windows.lateness import slack
from swagproof.models.windows.window import Event
from swagproof.pipeline.audit.compare import closing_time
from swagproof.pipeline.audit.findings import FINDING
from swagproof.reports.text import render

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


# Right results, also computed by Spark


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """4,000 events of seven keys, out of order, with ties and nulls; one key has half of them, one is null."""
    draw = random.Random(7)
    rows = [
        {
            "key": draw.choice(("a", "a", "a", "b", "c", None)),
            "time": i // 3 - draw.randint(0, 40) * (draw.random() < 0.3),
            "seq": i,
            "value": None if draw.random() < 0.02 else draw.randint(-(10**6), 10**6),
            "x": draw.uniform(-1, 1) * 10 ** draw.randint(-3, 9),
        }
        for i in range(4000)
    ]
    return write(tmp_path_factory.mktemp("audit") / "events.parquet", rows)


SECONDS = "timestamp_micros(time)"

JUDGES = {
    "tumbling": (
        "tumbling 20 offset 5",
        "sum",
        f"select key, unix_micros(window.start) window_start, unix_micros(window.end) window_end, sum(value) result "
        f"from (select *, window({SECONDS}, '20 microseconds', '20 microseconds', '5 microseconds') window from e) "
        "group by key, window",
        {},
    ),
    "sliding": (
        "sliding 50 every 20",
        "mean",
        f"select key, unix_micros(window.end) window_end, avg(x) result from (select key, x, "
        f"window({SECONDS}, '50 microseconds', '20 microseconds') window from e) group by key, window",
        {"value": ("x",)},
    ),
    "session": (
        "session 4 touching",
        "sample-standard-deviation",
        f"select key, unix_micros(s.start) window_start, unix_micros(s.end) window_end, stddev_samp(x) result "
        f"from (select key, x, session_window({SECONDS}, '4 microseconds') s from e) group by key, s",
        {"value": ("x",)},
    ),
    "count": (
        "count 50 every 50",
        "count",
        "select key, 50 * n window_end, count(value) result from (select *, "
        "(row_number() over (partition by key order by time, seq) - 1) div 50 + 1 n from e) "
        "group by key, n having count(*) = 50",
        {},
    ),
    "rows": (
        "rows -9 -1",
        "sum",
        "select key, time, seq, sum(x) over (partition by key order by time, seq "
        "rows between 9 preceding and 1 preceding) result from e",
        {"value": ("x",)},
    ),
    "range": (
        "range -30 5",
        "max",
        "select key, time, max(value) over (partition by key order by time "
        "range between 30 preceding and 5 following) result from e",
        {},
    ),
    "unbounded": (
        "range unbounded 0",
        "min",
        "select key, time, seq, min(value) over (partition by key order by time) result from e",
        {},
    ),
    "collected": (
        "tumbling 40",
        "collect",
        "select key, w window_start, "
        "transform(array_sort(collect_list(struct(time, seq, value))), s -> s.value) result "
        "from (select *, (time - pmod(time, 40)) w from e where value is not null) group by key, w",
        {"nulls": "skip"},
    ),
}


@pytest.mark.parametrize("name", JUDGES)
@pytest.mark.drawn(4)
def test_spark_and_the_reference_agree(spark: "SparkSession", generated: Path, tmp_path: Path, name: str) -> None:
    window, aggregate, query, options = JUDGES[name]
    spark.read.parquet(str(generated)).createOrReplaceTempView("e")
    spark.sql(query).write.parquet(str(tmp_path / "r"))
    report = run(generated, tmp_path / "r", window, aggregate, **{"nulls": "ignore", **options})
    assert report.outcome == "conforms", render(report.report())
    assert report.results["expected"] > 50
    assert report.events["rows"] == 4000


FLIGHTS: Row = {
    "key": ("carrier", "origin"),
    "time": "planned",
    "value": ("delay",),
    "nulls": "ignore",
    "window_start": "window.start",
    "window_end": "window.end",
}


def test_departure_delays_over_sliding_hours(spark: "SparkSession", tmp_path: Path) -> None:
    """Planned times are event times, and actual ones arrivals: Spark's window functions drop the same late flights."""
    real = write_flights(tmp_path / "flights.parquet")
    spark.read.parquet(str(real)).createOrReplaceTempView("f")
    spark.sql(
        "with marked as (select *, max(planned) over (order by seq rows between unbounded preceding and 1 preceding) "
        "- interval 30 minutes mark from f) "
        "select carrier, origin, window, sum(delay) result "
        "from (select carrier, origin, delay, mark, window(planned, '1 hour', '30 minutes') window from marked) "
        "where mark is null or mark < window.end group by carrier, origin, window"
    ).write.parquet(str(tmp_path / "r"))
    policy = {"arrival": "seq", "watermark": "30m"}
    report = run(real, tmp_path / "r", "sliding 1h every 30m", "sum", **FLIGHTS, **policy)
    assert report.outcome == "conforms", render(report.report())
    assert report.events["rows"] == 80_789
    assert report.events["late"] > 2_000
    assert report.results["expected"] > 48_000


# Faults


def letters(window: int = 10) -> list[Row]:
    """Return events of three keys, each with a letter, out of order, with ties: about four per window and key."""
    draw = random.Random(11)
    alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return [
        {"key": key, "time": draw.randrange(20 * window), "seq": i, "value": alphabet[i % len(alphabet)]}
        for i, key in enumerate(draw.choices("KLM", k=240))
    ]


def concatenated(events: Sequence[Row], window: int = 10) -> dict[tuple[str, int], list[Row]]:
    """Return the events of each tumbling window, in order."""
    found: dict[tuple[str, int], list[Row]] = {}
    for key in dict.fromkeys(row["key"] for row in events):
        mine = [Event(row["time"], row) for row in sorted(events, key=lambda row: row["seq"]) if row["key"] == key]
        found |= {(key, x.begin or 0): [e.value for e in x.events] for x in Sliding(window, window).extents(mine)}
    return found


def text_of(events: Sequence[Row]) -> str:
    return "".join(event["value"] for event in events)


def results_of(found: dict[tuple[str, int], str | None]) -> list[Row]:
    return [
        {"key": key, "window_start": start, "window_end": start + 10, "result": text}
        for (key, start), text in found.items()
    ]


def test_each_fault_by_its_name(tmp_path: Path) -> None:
    events = letters()
    windows = concatenated(events)
    results: dict[tuple[str, int], str | None] = {place: text_of(rows) for place, rows in windows.items()}
    faults: dict[tuple[str, int], tuple[str, str]] = {}

    def fault(kind: str, diagnosis: str, fits: Any, made: Any) -> None:
        for place in sorted(windows):
            rows, here = windows[place], results.get(place)
            near = {(place[0], place[1] + step) for step in (-10, 10)}
            if place[0] != "M" and place not in faults and not near & faults.keys() and fits(place, rows):
                if (wrong := made(place, rows)) != here:
                    results[place], faults[place] = wrong, (kind, diagnosis)
                    return
        raise AssertionError(diagnosis)

    def next_of(place: tuple[str, int]) -> list[Row]:
        return windows.get((place[0], place[1] + 10), [])

    def ties(rows: list[Row]) -> list[Row]:
        return sorted(rows, key=lambda row: (row["time"], -row["seq"]))

    def at_end(place: tuple[str, int]) -> list[Row]:
        return [row for row in next_of(place) if row["time"] == place[1] + 10]

    fault("wrong", "unexplained", lambda p, r: at_end(p), lambda p, r: text_of([*r, *at_end(p)]))
    fault("wrong", "unexplained", lambda p, r: next_of(p), lambda p, r: text_of(next_of(p)))
    fault("wrong", "unexplained", lambda p, r: ties(r) != r, lambda p, r: text_of(ties(r)))
    fault("wrong", "unexplained", lambda p, r: len(r) > 3, lambda p, r: text_of(sorted(r, key=lambda e: e["seq"])))
    fault("wrong", "unexplained", lambda p, r: len(r) > 3, lambda p, r: text_of([*r[:1], *r[2:]]))
    fault("wrong", "unexplained", lambda p, r: len(r) > 2, lambda p, r: text_of([r[0], *r]))
    fault("wrong", "null", lambda p, r: len(r) > 2, lambda p, r: None)
    fault("wrong", "unexplained", lambda p, r: len(r) > 2, lambda p, r: "???")
    for place in [place for place in results if place[0] == "M"]:  # a lost key
        del results[place]
    fault("missing", "unexplained", lambda p, r: True, lambda p, r: "")
    rows = results_of({place: text for place, text in results.items() if text != ""})
    twice = next(place for place in sorted(windows) if place not in faults and place[0] != "M")
    rows += results_of({twice: results[twice]})
    rows += results_of({("K", 500): "k", ("N", 0): "n"})
    rows.append({"key": "L", "window_start": 3, "window_end": 13, "result": "x"})
    report = run(
        write(tmp_path / "e", events), write(tmp_path / "r", rows), "tumbling 10", "concatenation",
        events_format="parquet", results_format="parquet", out=str(tmp_path / "out"),
    )  # fmt: skip
    found = name_causes(report)
    faults[twice] = ("duplicate", "repeated")
    faults |= {
        ("K", 500): ("extra", "unexplained"),
        ("N", 0): ("extra", "unknown key"),
        ("L", 3): ("extra", "unexplained"),
    }
    lost = {place: found[place] for place in found if place[0] == "M"}
    assert set(lost.values()) == {("missing", "key lost")}
    assert {place: said for place, said in found.items() if place[0] != "M"} == faults
    assert report.report().exit_code == 1
    written = pq.read_table(tmp_path / "out")
    assert written.schema.names == [field.split()[0] for field in FINDING.split(", ")]
    assert written.num_rows == sum(report.counts.values())
    (one,) = [it for it in report.findings if it["cause"] == "null"]
    events_shown = json.loads(one["proof"])["events"]
    assert json.loads(one["expected"]) == "".join(event["value"] for event in events_shown)
    assert "\n  wrong: 8 findings\n" in render(report.report())
    assert " (null)\n" in render(report.report())


def test_floats_may_round_but_not_more() -> None:
    draw = random.Random(3)
    events: list[Row] = [{"key": "k", "time": i, "seq": i, "value": draw.uniform(-1, 1) * 1e6} for i in range(200)]
    rows: list[Row] = [
        {
            "key": "k",
            "window_start": start,
            "result": float(sum(event["value"] for event in reversed(events[start : start + 10]))),
        }
        for start in range(0, 200, 10)
    ]
    rows[3]["result"] += 1e-7
    rows[5]["result"] = float("nan")
    report = run(events, rows, "tumbling 10", "sum")
    assert name_causes(report) == {("k", 30): ("wrong", "beyond rounding"), ("k", 50): ("wrong", "unexplained")}


def test_skipped_events_are_read_for_a_diagnosis() -> None:
    """Missing values are replaced by the previous one, except before a key's first value."""
    values = [None if i % 4 == 0 else i * 37 % 101 for i in range(60)]
    events = [{"key": "k", "time": i, "seq": i, "value": value} for i, value in enumerate(values)]
    filled = [v if v is not None or not i else values[i - 1] for i, v in enumerate(values)]
    rows = [
        {"key": "k", "window_start": a, "result": sum(v for v in filled[a : a + 5] if v is not None)}
        for a in range(0, 60, 5)
    ]
    report = run(events, rows, "tumbling 5", "sum", nulls="skip")
    assert set(name_causes(report).values()) == {("wrong", "null filled")}
    assert len(report.findings) == report.counts["wrong"] > 9
    assert run(events, rows, "tumbling 5", "count", nulls="skip", value=()).counts["wrong"]


# Late events


def test_a_window_is_over_when_its_definition_says() -> None:
    times = [Event(time, None) for time in (-9, -4, -3, 0, 2, 3, 8)]
    for window in (Sliding(7, 3), Session(4, touching=True), Counted(2, 2), Frame("rows", -1, 0), Frame("range", 0, 2)):
        extents = window.extents(times)
        of_row = [event.time for event in times] if isinstance(window, Frame) else [x.begin or 0 for x in extents]
        named = [closing_time(window, a, x.end, x.events[-1].time) for a, x in zip(of_row, extents, strict=True)]
        assert named == [x.end + slack(window) for x in extents]


def late_letters() -> tuple[list[Row], set[int]]:
    """Return events in the order of time, except for three that arrive after their window's end."""
    events = [{"key": "k", "time": t, "seq": t, "value": chr(97 + t % 26)} for t in range(60)]
    for seq, time in ((60, 12), (61, 13), (62, 31)):
        events.append({"key": "k", "time": time, "seq": seq, "value": "L"})
    return events, {60, 61, 62}


def test_an_event_that_comes_for_a_session_that_is_over_need_not_be_late() -> None:
    """The report says that closed sessions may accept later events, not that late events count: there are none."""
    events = [
        {"key": key, "time": time, "seq": seq, "value": 1}
        for seq, (key, time) in enumerate((("a", 1), ("b", 6), ("a", 4), ("b", 30)))
    ]
    both = [
        {"key": key, "window_start": a, "window_end": b, "result": n}
        for key, a, b, n in (("a", 1, 9, 2), ("b", 6, 11, 1))
    ]
    report = run(events, both, "session 5", "count", watermark="0")
    assert (report.counts["late-differing"], report.counts["missing"]) == (3, 0)
    said = render(report.report())
    assert "right if closed sessions accept later events, which the policy does not" in said
    assert "late events are counted" not in said


def test_late_events_dropped_or_not() -> None:
    events, late = late_letters()
    timely = [event for event in events if event["seq"] not in late]
    dropped = results_of({p: text_of(r) for p, r in concatenated(timely).items()})
    updated = results_of({p: text_of(r) for p, r in concatenated(events).items()})
    drop = {"watermark": "0", "late": "drop"}
    update = {"watermark": "0", "late": "update"}
    assert run(events, updated, "tumbling 10", "concatenation", **update).outcome == "conforms"
    report = run(events, dropped, "tumbling 10", "concatenation", **update)
    assert name_causes(report) == {
        ("k", 10): ("late-differing", "late events left out"),
        ("k", 30): ("late-differing", "late events left out"),
    }
    assert "right without 2 late events, which the policy counts" in render(report.report())
    report = run(events, updated, "tumbling 10", "concatenation", **drop)
    assert set(name_causes(report).values()) == {("late-differing", "late events counted")}


def test_a_window_that_is_open_need_not_be_there() -> None:
    events, _ = late_letters()
    rows = results_of({p: text_of(r) for p, r in concatenated(events).items() if p[1] < 50})
    update = {"watermark": "0", "late": "update", "watermark_per_key": True}
    report = run(events, rows, "tumbling 10", "concatenation", **update)
    assert (report.outcome, report.results["open"]) == ("conforms", 1)
    report = run(events, rows, "tumbling 10", "concatenation", complete=True, **update)
    assert report.counts["missing"] == 1


def test_versions_and_retractions() -> None:
    events, late = late_letters()
    first = concatenated([event for event in events if event["seq"] not in late])
    last = concatenated(events)
    said: list[Row] = []
    for place in last:
        for version, text in enumerate(dict.fromkeys((text_of(first[place]), text_of(last[place])))):
            said += [{**row, "version": version} for row in results_of({place: text})]
    said.append({**said[-1]})
    options: dict[str, Any] = {"late": "update", "watermark": "0", "complete": True}
    report = run(events, said, "tumbling 10", "concatenation", version="version", **options)
    assert name_causes(report) == {("k", 50): ("duplicate", "repeated")}
    changes: list[Row] = []
    for place in last:
        old, new = text_of(first[place]), text_of(last[place])
        changes += [{**row, "op": "+I"} for row in results_of({place: old})]
        if old != new:
            changes += [{**row, "op": "-U"} for row in results_of({place: old})] if place[1] != 10 else []
            changes += [{**row, "op": "+U"} for row in results_of({place: new})]
    changes += [{**row, "op": "-D"} for row in results_of({("k", 0): "never"})]
    options |= {"late": "retract"}
    report = run(events, changes, "tumbling 10", "concatenation", retraction="op", **options)
    assert {(it["window_start"], it["kind"], it["cause"]) for it in report.findings} == {
        (0, "wrong", "never said"),
        (10, "duplicate", "not retracted"),
        (10, "late-differing", "late events left out"),
    }


def test_what_is_counted_as_it_came_is_told_by_its_numbers() -> None:
    """Such windows have no times, so the proof has none either."""
    at = datetime(2025, 1, 20, tzinfo=UTC)
    events = [{"key": "k", "time": at + timedelta(hours=(i * 7) % 12), "seq": i, "value": i} for i in range(12)]
    rows = [{"key": "k", "window_start": 4 * i + 1, "window_end": 4 * i + 4, "result": 4 * i + 3} for i in range(3)]
    by_arrival = "count 4 every 4 by arrival"
    assert run(events, rows, by_arrival, "max").counts["wrong"] == 0
    rows[1]["result"] = 99
    report = run(events, rows, by_arrival, "max")
    (proof,) = (json.loads(it["proof"]) for it in report.findings)
    assert [e["arrival"] for e in proof["events"]] == [e["time"] for e in proof["events"]] == [4, 5, 6, 7]
    said = render(report.report())
    assert "event 4 at 4: 4" in said
    assert "1970" not in said
    in_time = run(events, [{**row, "result": 99} for row in rows], "count 4 every 4", "max")
    assert "at 2025-01-20T" in render(in_time.report())


@pytest.mark.parametrize(
    ("aggregate", "kind", "values", "wrong"),
    [
        ("sum", "float", (1.5, -2.5, inf), lambda held: 1.0),
        ("max", "float", (1.5, -2.5, -inf), lambda held: max(held) - 1),
        ("distinct-count", "json", ("[1]", '[2, "a"]', None), len),
    ],
)
def test_wrong_results_of_values_that_are_no_plain_numbers_are_found(
    aggregate: str, kind: str, values: tuple[Any, ...], wrong: Callable[[list[Any]], Any]
) -> None:
    """Infinities, and nulls with unordered values: hypotheses that cannot compute with them are skipped."""
    draw = random.Random(3)
    events = [{"key": "a", "time": n, "seq": n, "value": draw.choice(values)} for n in range(80)]
    results = [
        {"key": "a", "window_start": a, "window_end": a + 10, "result": wrong([e["value"] for e in events[a : a + 10]])}
        for a in range(0, 80, 10)
    ]
    report = run(events, results, "tumbling 10", aggregate, value=(f"value:{kind}",), nulls="skip")
    assert report.counts["wrong"] == 8
