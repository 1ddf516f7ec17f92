"""The operator of a stream: compared with its definition, restarted at every point, and with faulty operators."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from support.stream_steps import Step, define, plain, play, steps_of

from swagproof.models.operations import AFFINE, ARG_MAX, COLLECT, CONCATENATION, COUNT, MAX, OPERATIONS, SUM
from swagproof.models.windows.kinds import MONDAY, Calendar, Session, Sliding
from swagproof.models.windows.lateness import NEVER, Late
from swagproof.models.windows.text import parse_window
from swagproof.models.windows.window import WindowError
from swagproof.oracle.domain import domain
from swagproof.oracle.trace import InputError
from swagproof.pipeline.stream.operator import VERSION, Arrived, Operator, Query, Shown
from swagproof.pipeline.stream.shapes import shape_of

REVISABLE = (
    Sliding(6, 6), Sliding(10, 3, 1), Sliding(3, 7), Sliding(4, 1),
    Sliding(10, 3, 1, "right"), Sliding(6, 6, 0, "both"), Sliding(8, 4, 2, "neither"), Sliding(3, 7, 0, "right"),
)  # fmt: skip
"""Windows that late events do not change."""
OTHERS = (Session(4), Session(6), Session(4, touching=True), Session(1, touching=True))

POLICIES: tuple[tuple[Late, int], ...] = (("drop", 0), ("update", 9), ("retract", 4), ("update", 0))


def test_operator_by_definition() -> None:
    rng = random.Random(1)
    tried = late = again = 0
    for window in REVISABLE + OTHERS:
        for policy, lateness in POLICIES if window in REVISABLE else POLICIES[:1]:
            for operation, letters in ((CONCATENATION, "abcdefgh"), (SUM, (1, 2, 4, -8, 2**70)), (MAX, (1, 2, 3))):
                query = Query(window, operation, policy, lateness)
                steps = steps_of(rng, letters, rng.choice((2, 5)))
                found = play(query, steps)
                for got, due in zip(found, define(query, steps), strict=True):
                    assert len(got) == len(set(got))
                    assert set(got) == due, (query, steps)
                tried += 1
                every = [each for shown in found for each in shown]
                late += sum(each[0] == "late" for each in every)
                again += sum(each[0] == "result" and each[3] > 0 for each in every)
    assert tried == 108
    assert late > 100
    assert again > 50, "late events are met, and results shown again"


@pytest.mark.parametrize(
    "window",
    [
        Calendar("day", 1, 1, 0, "Europe/Berlin", 1),
        Calendar("day", 7, 7, MONDAY, "America/New_York", 1, "right"),
        Calendar("day", 3, 2, 1, "Europe/Berlin", 1),
        Calendar("month", 1, 1, 0, "UTC", 1),
    ],
)
def test_days_of_a_time_zone(window: Calendar) -> None:
    """Ticks of a quarter of a day, and midnights, around the days when clocks change."""
    noon = 1_711_800_000
    rng = random.Random(4)
    for policy, lateness in (("drop", 0), ("update", 50_000)):
        query = Query(window, CONCATENATION, "drop" if policy == "drop" else "update", lateness)
        steps = [
            (
                [each._replace(time=(each.time - 300) * 21_600 // rng.choice((1, 1, 7)) + noon) for each in events],
                watermark if watermark == NEVER else (watermark - 300) * 21_600 + noon,
            )
            for events, watermark in steps_of(rng, "abcdefgh", 3)
        ]
        assert list(map(set, play(query, steps))) == define(query, steps)


@pytest.mark.parametrize("name", sorted({*OPERATIONS, "float-sum"} - {"bloom"}))
def test_state_is_exact(name: str) -> None:
    found = domain(name)
    operation = found.rule.mirror
    letters = (*operation.samples, *found.elements.letters)[:6]
    query = Query(Sliding(7, 2), operation, "update", 9)
    steps = steps_of(random.Random(7), letters, 3)
    whole = Operator(query)
    at_once = [[plain(each) for each in whole.step(*step)] for step in steps]
    assert play(query, steps) == at_once
    half = Operator(query)
    for step in steps[: len(steps) // 2]:
        half.step(*step)
    again = Operator(query)
    again.restore(half.to_json())
    assert again.to_json() == half.to_json()


def test_an_event_that_comes_twice_counts_once() -> None:
    rng = random.Random(5)
    repeated = 0
    for window in REVISABLE[:8] + OTHERS[:3]:
        for policy, lateness in POLICIES if window in REVISABLE else POLICIES[:1]:
            query = Query(window, CONCATENATION, policy, lateness)
            steps = steps_of(rng, "abcdefgh", rng.choice((2, 5)))
            before: list[Arrived] = []
            twice: list[Step] = []
            for events, watermark in steps:
                before += events
                again = rng.sample(before, min(len(before), rng.choice((0, 0, 1, 2))))
                twice.append(([*events, *again], watermark))
            once, found = play(query, steps), play(query, twice)
            repeated += sum(each[0] == "repeated" for shown in found for each in shown)
            for few, many in zip(once, found, strict=True):
                assert {it for it in few if it[0] != "late"} == {it for it in many if it[0] not in ("late", "repeated")}
    assert repeated > 100


def test_a_state_of_another_version_is_refused() -> None:
    operator = Operator(Query(Sliding(10, 5), SUM, "update", 10))
    text = operator.to_json()
    assert json.loads(text)["version"] == VERSION
    for other in (text.replace(f'"version": {VERSION}', '"version": 3'), '{"done": 95, "entries": []}'):
        with pytest.raises(InputError, match="but this swagproof needs"):
            Operator(operator.query).restore(other)


def test_state_holds_numbers_of_any_size() -> None:
    operator = Operator(Query(Sliding(10, 10), OPERATIONS["product"], "update", 10))
    operator.step([Arrived(1, 0, 3**20_000), Arrived(2, 1, 7)], 5)
    again = Operator(operator.query)
    again.restore(operator.to_json())
    (shown,) = again.step([], 10)
    assert shown.sized == (2, 7 * 3**20_000)


def test_events_that_do_not_count_are_named() -> None:
    operator = Operator(Query(Sliding(10, 10), OPERATIONS["geometric-mean"]))
    shown = operator.step([Arrived(1, 0, 2), Arrived(3, 2, -1), Arrived(-20, 3, 8)], 0)
    assert [(each.kind, each.event and each.event.arrival) for each in shown] == [("bad", 2), ("late", 3)]
    assert "must be positive" in (shown[0].why or "")
    operator = Operator(Query(Sliding(2, 2), COLLECT))
    operator.step([Arrived(1, 0, "a")], NEVER)
    assert [each.kind for each in operator.step([Arrived(1, 0, "a"), Arrived(1, 1, "b")], NEVER)] == ["repeated"]
    (shown,) = Operator(Query(Sliding(2, 2), MAX, refuses_nan=True)).step([Arrived(1, 0, float("nan"))], NEVER)
    assert shown.kind == "bad"


def test_keys_are_forgotten() -> None:
    operator = Operator(Query(Sliding(10, 5), SUM, "update", 20))
    operator.step([Arrived(t, 0, 1) for t in range(100)], 50)
    operator.step([], 124)
    assert not operator.is_forgettable()
    assert operator.next_due() == 125
    operator.step([], 125)
    assert operator.is_forgettable()
    assert operator.next_due() is None


# Faulty operators


class Forgetful(Operator):
    """An operator that does not save its oldest slice."""

    def to_json(self) -> str:
        state = json.loads(Operator.to_json(self))
        del state["entries"][:1]
        return json.dumps(state)


class Eager(Operator):
    """An operator that shows a window before its end."""

    def step(self, events: Any, watermark: int) -> list[Shown]:
        return Operator.step(self, events, watermark + 1)


class Repeating(Operator):
    """An operator that forgets which windows it has shown."""

    def restore(self, text: str) -> None:
        Operator.restore(self, text)
        self.done -= 7


class ByArrival(Operator):
    """An operator that takes events in reverse order of arrival."""

    def take(self, events: Any, closed: int) -> Any:
        return Operator.take(self, [Arrived(event.time, -event.arrival, event.element) for event in events], closed)


class Generous(Operator):
    """An operator that lets late events change final windows."""

    def take(self, events: Any, closed: int) -> Any:
        return Operator.take(self, events, closed - 6)


class Silent(Operator):
    """An operator that drops late events silently."""

    def step(self, events: Any, watermark: int) -> list[Shown]:
        return [shown for shown in Operator.step(self, events, watermark) if shown.kind != "late"]


@pytest.mark.parametrize("wrong", [Forgetful, Eager, Repeating, ByArrival, Generous, Silent])
def test_wrong_operators_are_caught(wrong: type[Operator]) -> None:
    query = Query(Sliding(10, 5), CONCATENATION)
    for seed in range(20):
        steps = steps_of(random.Random(seed), "abcdefgh", 3)
        try:
            found = play(query, steps, wrong)
        except (AssertionError, IndexError):
            return
        if list(map(set, found)) != define(query, steps) or any(len(set(shown)) < len(shown) for shown in found):
            return
    raise AssertionError(f"{wrong.__name__} was not caught")


# Invalid requests


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (lambda: Query(Sliding(1, 1), COUNT, "drop", 3), "--lateness"),
        (lambda: Query(Session(5), COUNT, "update", 3), "--late update"),
        (lambda: shape_of(parse_window("rows -2 0", "plain")), "frames and counts are for audit"),
        (lambda: shape_of(parse_window("count 3", "plain")), "frames and counts are for audit"),
        (lambda: shape_of(parse_window("sliding 4 every 2 from first", "plain")), "from first"),
        (lambda: parse_window("tumbling 1ms", "s"), "not a whole number of s"),
    ],
)
def test_what_cannot_be_asked(ask: Callable[[], Any], why: str) -> None:
    with pytest.raises((InputError, WindowError), match=why):
        ask()


def test_operations_that_need_their_order_keep_it() -> None:
    for operation, letters in ((ARG_MAX, ((1, "a"), (2, "b"), (2, "c"))), (AFFINE, AFFINE.samples)):
        query = Query(Sliding(8, 4), operation)
        steps = steps_of(random.Random(5), letters, 3)
        assert list(map(set, play(query, steps))) == define(query, steps)
        swapped = replace(operation, combine=lambda a, b, combine=operation.combine: combine(b, a))
        assert list(map(set, play(replace(query, operation=swapped), steps))) != define(query, steps)
