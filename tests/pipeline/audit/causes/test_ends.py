"""Whatever another mistake has made of values and windows, what is tried of them ends, and does not fail: that is
counted in lines of code that are run, so that no clock is asked."""

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from types import FrameType
from typing import Any, Final

import pytest
from support.faults.mistakes import few
from support.faults.planted import Plant, Row, World, make_sample

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, Work
from swagproof.pipeline.audit.causes.sample import Event, Events, Part, Sample
from swagproof.pipeline.audit.causes.tried.every import list_hypotheses

SEED: Final = 4
LISTED: Final = 4_000_000
"""How many lines are run at most until the next hypothesis is listed."""
HELD: Final = 2_000
"""How many lines are run at most to hold one, for each event that is counted as work."""


class EndlessError(Exception):
    """More lines were run than may be."""


def count_lines(run: Callable[[], Any], most: int) -> int:
    """How many lines it runs.  Raises EndlessError."""
    lines = 0

    def trace(_frame: FrameType, event: str, _of: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        if lines > most:
            raise EndlessError(f"{most:,} lines")
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return lines


def list_unending(those: Iterable[Hypothesis], samples: Iterable[Sample], most: int = LISTED) -> list[str]:
    """What of a list does not end, or fails: to list the next one, or to hold it against each sample."""
    found, listed, there = list[str](), iter(those), list[Hypothesis]()

    def go_on() -> None:
        there[:] = islice(listed, 1)

    while True:
        try:
            count_lines(go_on, most)
        except Exception as error:
            return [*found, f"listed after {there[0].why if there else 'nothing'}: {error!r}"]
        if not there:
            return found
        for sample in samples:
            work = Work(sample.size)
            try:
                count_lines(lambda: work.hold(there[0], sample), HELD * sample.size)  # noqa: B023  # it is called at once
            except Exception as error:
                found.append(f"{there[0].why}: {error!r}")
            assert work.left <= 0


SPOILED: Final[dict[str, Callable[[Event, Random], Any]]] = {
    "zero": lambda e, draw: 0,
    "zero or less": lambda e, draw: -e.value * draw.choice((0, 1)),
    "huge": lambda e, draw: e.value * 10 ** draw.choice((0, 12, 30)),
    "null here and there": lambda e, draw: draw.choice((None, e.value)),
}


def spoil(sample: Sample, name: str) -> Sample:
    """The sample where another mistake has made its values so; or has left windows empty."""
    draw = Random(SEED)
    if name == "empty windows":
        events = {key: [e for e in of if e.time % 3] for key, of in sample.events.items()}
        there = replace(sample, events=events).due
        due = {it: [Part([]) if draw.random() < 0.5 else part for part in parts] for it, parts in there.items()}
    else:
        events = {key: [lift(sample, e, SPOILED[name](e, draw)) for e in of] for key, of in sample.events.items()}
        due = replace(sample, events=events).due
    answer = Hypothesis("", "").make_answer
    return sample.judged_by(events, due, {it: [answer(sample, p.events) for p in ps] for it, ps in due.items()})


def lift(sample: Sample, e: Event, value: Any) -> Event:
    return (
        e._replace(value=None, lifted=sample.aggregation.operation.identity) if value is None else sample.lift(e, value)
    )


def draw_sample(window: str, aggregate: str) -> Sample:
    """Some results of a few events, some of which are wrong."""

    def job(w: World) -> list[Row]:
        return w.make(events=[replace(e, value=e.value + (e.seq % 3 == 0)) for e in w.events])

    return make_sample(Plant("", "", window, aggregate, job, {}, events=few(n=60)), SEED)


@pytest.mark.parametrize("name", [*SPOILED, "empty windows"])
@pytest.mark.parametrize(("window", "aggregate"), [("tumbling 12", "sum"), ("sliding 12 every 6", "mean")])
@pytest.mark.drawn(1)
def test_what_is_tried_ends_whatever_another_mistake_has_made(window: str, aggregate: str, name: str) -> None:
    sample = draw_sample(window, aggregate)
    assert sample.open
    spoiled = spoil(sample, name)
    assert list_unending(list_hypotheses(spoiled), (spoiled, sample)) == []


@pytest.mark.parametrize(("window", "aggregate"), [("tumbling 12", "sum"), ("sliding 12 every 6", "mean")])
def test_what_is_counted_as_work_bounds_what_pairs_are(window: str, aggregate: str) -> None:
    sample, draw = draw_sample(window, aggregate), Random(SEED)
    all_ = list(list_hypotheses(sample))
    pairs = (draw.sample(all_, 2) for _ in range(300))
    both = [one.and_also(other) for one, other in pairs if one.goes_with(other)]
    assert len(both) > 100
    assert list_unending(both, (sample,)) == []


def test_what_does_not_end_or_fails_is_found() -> None:
    """Wrong ones: a number that is doubled until it is large, which zero never is; one that fails; a long one."""
    sample = spoil(draw_sample("tumbling 12", "sum"), "zero")

    def double(value: int) -> int:
        power = value
        while power < 1000:
            power *= 2
        return power

    def list_doubled() -> Iterator[Hypothesis]:
        yield Hypothesis("", "is nothing")
        for events in sample.events.values():
            double(events[0].value)

    def fail(_all: Events) -> Events:
        raise KeyError(7)

    def dwell(all_: Events) -> Events:
        for _ in range(HELD * sample.size):
            pass
        return all_

    (endless,) = list_unending(list_doubled(), (sample,), 10_000)
    assert endless.startswith("listed after is nothing: EndlessError")
    failing = [
        Hypothesis("", "fails", events=fail),
        Hypothesis("", "dwells", events=dwell),
        Hypothesis("", "is nothing"),
    ]
    assert [one.split("(")[0] for one in list_unending(failing, (sample,))] == [
        "fails: KeyError",
        "dwells: EndlessError",
    ]
