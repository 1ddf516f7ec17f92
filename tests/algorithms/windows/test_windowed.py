"""The Aggregate operator: worked examples, under contracts, lazily, and on a month of real flights."""

import csv
import io
import zipfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

import pytest
from support.flights import flights_file
from support.machines.sliced_machines import WindowedMachine
from support.machines.state_machines import run_fresh

from swagproof.models.composition import compose, on
from swagproof.models.operations import (
    ARG_MAX,
    COLLECT,
    CONCATENATION,
    COUNT,
    GEOMETRIC_MEAN,
    MAX,
    MAX_COUNT,
    MUTABLE_COLLECT,
    SUM,
    Operation,
)
from swagproof.models.relations import ToStream, difference, dstream, istream, rstream
from swagproof.models.windows.window import (
    PUNCTUATION,
    Count,
    Event,
    Heartbeat,
    Item,
    LateError,
    Time,
    Window,
    WindowError,
    contents,
    cql,
    hopping,
    tumbling,
)
from swagproof.reference.catalogue import DABA, FIFO, Column
from swagproof.reference.windows.windowed import Aggregate


def outputs(aggregate: Aggregate[Any, Any, Any], items: list[Item]) -> list[tuple[Any, Any]]:
    return [(result.trigger.at, result.output) for result in aggregate.process(items)]


def valued(*values: Any) -> list[Item]:
    """Return one element for each unit of time."""
    return [Event(time, value) for time, value in enumerate(values)]


STREAMS: list[tuple[ToStream, list[tuple[int, int]]]] = [
    ("istream", [(1, 5), (4, 3), (6, 5)]),
    ("dstream", [(4, 5), (6, 3)]),
    ("rstream", [(1, 5), (2, 5), (3, 5), (4, 3), (5, 3), (6, 5)]),
]


def test_a_result_that_was_gone_is_new() -> None:
    items = [*valued(7), Event(9, 7), Heartbeat(20)]
    assert outputs(Aggregate(hopping(2, 2), MAX), items) == [(2, 7), (10, 7)]
    assert outputs(Aggregate(hopping(2, 2), MAX, stream="dstream"), items) == [(4, 7), (12, 7)]


def test_no_elements_have_no_result_not_even_a_count_of_0() -> None:
    assert outputs(Aggregate(hopping(2, 2), COUNT, stream="rstream"), [*valued("a"), Heartbeat(50)]) == [(2, 1)]


def test_figure_5_keeps_the_latest_4() -> None:
    items = valued(4, 7, 3, 2, 9)
    assert outputs(Aggregate(Window(Count(4), Count(1)), COLLECT, stream="rstream"), items)[-1] == (5, (7, 3, 2, 9))


def test_keys_have_windows_of_their_own() -> None:
    items: list[Item] = [Event(0, "a", "x"), Event(0, "b", "y"), Event(1, "c", "x"), Heartbeat(2)]
    found = list(Aggregate(tumbling(Time(2)), CONCATENATION).process(items))
    assert {result.key: result.output for result in found} == {"x": "ac", "y": "b"}


@pytest.mark.parametrize("column", FIFO, ids=lambda column: column.name)
def test_every_algorithm_under_its_contracts(column: Column) -> None:
    operation: Operation[Any, Any, Any] = SUM if column.subtracts else CONCATENATION
    letters: list[Item] = [
        Event(time, time if column.subtracts else chr(97 + time % 26)) for time in (0, 1, 1, 4, 5, 6, 6, 7, 30)
    ]
    for window in (
        hopping(4, 2),
        hopping(2, 5),
        cql(3, 2),
        Window(Count(3), Count(2)),
        Window(Time(3), Count(1)),
        Window(Count(4), Time(3), idle=9),
        tumbling(Count(3)),
        tumbling(PUNCTUATION),
    ):
        checked = list(Aggregate(window, operation, column.checked, stream="rstream").process(letters))
        expected = [
            (trigger, operation.lower(_fold(operation, [event.value for event in events])))
            for trigger, events in contents(window, letters)
            if events
        ]
        assert [(result.trigger, result.output) for result in checked] == expected


def _fold(operation: Any, values: list[Any]) -> Any:
    aggregate = operation.identity
    for value in values:
        aggregate = operation.combine(aggregate, operation.lift(value))
    return aggregate


def test_results_come_as_the_input_is_taken() -> None:
    taken: list[int] = []

    def endless() -> Iterator[Item]:
        time = 0
        while True:
            taken.append(time)
            yield Event(time, time)
            time += 1

    results = Aggregate(tumbling(Count(10)), MAX).process(endless())
    assert next(results).output == 9
    assert len(taken) == 10


def test_what_is_kept_does_not_grow_with_the_stream() -> None:
    aggregate = Aggregate(hopping(10, 5), COLLECT)
    for time in range(5_000):
        for _ in aggregate.feed(Event(time, time, time % 1_000)):
            pass
        assert len(aggregate.groups) <= 21
        assert len(aggregate.windowing.partitions) <= 21


def test_keys_that_count_are_kept_until_they_are_idle() -> None:
    kept = {}
    for idle in (None, 10):
        aggregate = Aggregate(Window(Count(2), Count(1), idle=idle), COUNT)
        for time in range(1_000):
            list(aggregate.feed(Event(time, None, time)))
        kept[idle] = len(aggregate.groups)
    assert kept == {None: 1_000, 10: 11}


def test_outputs_that_can_change_are_not_shared() -> None:
    aggregate = Aggregate(Window(Count(2), Count(1)), MUTABLE_COLLECT)
    results = aggregate.process(valued(1, 2, 3))
    first = next(results)
    first.output.clear()
    assert [result.output for result in results] == [[1, 2], [2, 3]]


@pytest.mark.parametrize(("stream", "expected"), STREAMS)
def test_a_result_is_its_takers_own(stream: ToStream, expected: list[tuple[int, int]]) -> None:
    """Check that changing a result changes neither the windows nor the detection of changes."""
    largest: Any = Operation("largest", lambda v: v, max, lambda v: [v], -1, commutative=True, samples=(1, 2))
    found: list[Any] = []
    for result in Aggregate(Window(Count(3), Count(1)), largest, stream=stream).process(valued(5, 2, 3, 1, 1, 5)):
        found.append((result.trigger.at, *result.output))
        result.output.append("taken")
    assert found == expected


@pytest.mark.parametrize("column", [column for column in FIFO if not column.subtracts], ids=lambda column: column.name)
def test_windows_of_any_kind_beside_the_definition(column: Column) -> None:
    """Check over mutable aggregates, with numbers and with dates of changing zones; late elements are dropped."""
    make = partial(Aggregate, algorithm=column.algorithm, stream="rstream")
    run_fresh(type("WindowedMachine", (WindowedMachine,), {"make": make}), max_examples=50)


def test_errors_pass_through_and_what_was_yielded_stays() -> None:
    aggregate = Aggregate(tumbling(Time(2)), SUM)
    results = aggregate.process([*valued(1, 2, 4), Event(0, 9)])
    assert next(results).output == 3
    with pytest.raises(LateError):
        next(results)
    with pytest.raises(WindowError, match=r'stream: .jstream.; give "istream", "dstream" or "rstream"'):
        Aggregate(tumbling(Time(2)), SUM, stream="jstream")  # type: ignore[arg-type]  # wrong on purpose


def test_what_lift_refuses_changes_nothing() -> None:
    aggregate = Aggregate(Window(Count(2), Count(1)), GEOMETRIC_MEAN, stream="rstream")
    assert [result.output for result in aggregate.process(valued(2))] == [2.0]
    with pytest.raises(ValueError, match="elements must be positive"):
        list(aggregate.feed(Event(1, -1)))
    assert [result.trigger.size for result in aggregate.feed(Event(1, 8))] == [2]


def test_what_is_left_untaken_is_not_lost_in_silence() -> None:
    aggregate = Aggregate(tumbling(Time(2)), SUM)
    items: list[Item] = [Event(0, 1, "x"), Event(1, 2, "y"), Heartbeat(2)]
    assert next(aggregate.process(items)).output == 1  # the result of y is not requested
    with pytest.raises(
        WindowError, match=r"^item: .*time=3.* comes before all steps of Heartbeat\(time=2\) were taken"
    ):
        list(aggregate.feed(Heartbeat(3)))


def test_streams_of_bags() -> None:
    relation: list[tuple[int, list[Any]]] = [(1, [[1], [1]]), (2, [[1]]), (3, [[1], [2]])]
    assert istream(relation) == [(1, [1]), (1, [1]), (3, [2])]
    assert dstream(relation) == [(2, [1])]
    assert rstream(relation)[2:] == [(2, [1]), (3, [1]), (3, [2])]
    assert difference([[1]], [[2], [1]]) == []


# Real flights


class Flight(NamedTuple):
    carrier: str
    number: str
    delay: int
    """The departure's delay, in minutes."""


FIELDS = ("year", "month", "day", "hour", "minute")


def flights(until: datetime) -> list[Event]:
    """Return the flights with a departure delay, by their scheduled departure, keyed by carrier."""
    found: list[Event] = []
    with zipfile.ZipFile(flights_file()) as archive, archive.open("flights.csv") as data:
        for row in csv.DictReader(io.TextIOWrapper(data, encoding="utf-8")):
            time = datetime(*map(int, (row[name] for name in FIELDS)))  # type: ignore[arg-type]  # five of them
            if row["month"] == "1" and row["dep_delay"] != "NA" and time < until:
                flight = Flight(row["carrier"], row["carrier"] + row["flight"], int(row["dep_delay"]))
                found.append(Event(time, flight, flight.carrier))
    return sorted(found, key=lambda event: event.time)


FIGURE_1 = compose(
    mxl=on(MAX, lambda flight: flight.delay),
    num=on(MAX_COUNT, lambda flight: flight.delay),
    who=on(ARG_MAX, lambda flight: (flight.delay, flight.number)),
)
"""The query of Figure 1: the longest delay, the number of flights with it, and the first of them."""

DAY, HOUR = timedelta(hours=24), timedelta(hours=1)


def test_the_query_of_figure_1_on_real_flights() -> None:
    """Check the longest departure delay of each carrier within 24 hours, every hour, against lists and sorting."""
    until = datetime(2013, 1, 6)
    events = flights(until)
    items: list[Item] = [*events, Heartbeat(until)]
    found = list(Aggregate(hopping(DAY, HOUR), FIGURE_1, DABA.algorithm, stream="rstream").process(items))
    expected: list[Any] = []
    for carrier in dict.fromkeys(event.key for event in events):
        own = [event for event in events if event.key == carrier]
        end = datetime(2013, 1, 1)
        while end <= until:
            held = [event.value for event in own if end - DAY <= event.time < end]
            if held:
                longest = max(flight.delay for flight in held)
                worst = [flight.number for flight in held if flight.delay == longest]
                expected.append((carrier, end, (longest, len(worst), worst[0])))
            end += HOUR
    assert sorted((result.key, result.trigger.time, tuple(result.output)) for result in found) == sorted(expected)
    assert len(events) > 4_000
    assert any(result.output.num > 1 for result in found)
