"""Streams cut into steps, and an operator's outputs compared with the definition's."""

import random
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from swagproof.models.windows.lateness import NEVER, shown_in_time
from swagproof.models.windows.window import Event
from swagproof.pipeline.stream.operator import Arrived, Operator, Query, Shown

Step = tuple[list[Arrived], int]
Said = tuple[Any, ...]


def plain(shown: Shown) -> Said:
    """Return an operator's output in a comparable form."""
    if shown.window is None:
        return shown.kind, shown.event
    return shown.kind, *shown.window[:2], shown.version, shown.sized


def steps_of(rng: random.Random, letters: Sequence[Any], disorder: int, length: int = 40) -> list[Step]:
    """Return a stream cut into steps: events out of order, with watermarks as Spark reports them."""
    steps: list[Step] = []
    clock, latest, arrival = 100, NEVER, 0
    while arrival < length:
        events: list[Arrived] = []
        for _ in range(rng.choice((0, 1, 2, 5))):
            clock += rng.choice((0, 0, 1, 1, 2, 9))
            time = clock - rng.choice((0, 0, 1, 3, disorder, 4 * disorder))
            events.append(Arrived(time, arrival, rng.choice(letters)))
            arrival += 1
        steps.append((events, latest - disorder if latest > NEVER else NEVER))
        latest = max([latest, *(event.time for event in events)])
    return [*steps, ([], latest + 1_000)]


def define(query: Query, steps: Sequence[Step]) -> list[set[Said]]:
    """Return the required outputs of each step, by the definition."""
    operation = query.operation
    answer: list[set[Said]] = []
    streamed = [([Event(event.time, event) for event in events], watermark) for events, watermark in steps]
    for shown in shown_in_time(query.window, query.policy, query.lateness, streamed):
        out: set[Said] = set()
        for kind, version, extent, late in shown:
            if extent is None:
                out.add((kind, late.value if late else None))
            else:
                lifted = (operation.lift(event.value.element) for event in extent.events)
                out.add((kind, *extent[:2], version, (len(extent.events), reduce(operation.combine, lifted))))
        answer.append(out)
    return answer


def play(query: Query, steps: Sequence[Step], make: Callable[[Query], Operator] = Operator) -> list[list[Said]]:
    """Return an operator's outputs at each step; it is saved and restored between any two steps."""
    shown: list[list[Said]] = []
    text: str | None = None
    for events, watermark in steps:
        operator = make(query)
        if text is not None:
            operator.restore(text)
        due = operator.next_due()
        found = operator.step(events, watermark)
        if not events and (due is None or due > watermark):
            assert not found, "nothing is shown before it is due"
        shown.append([plain(each) for each in found])
        text = None if operator.is_forgettable() else operator.to_json()
    return shown
