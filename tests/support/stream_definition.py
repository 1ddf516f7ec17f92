"""The windows of a stream by definition: every one looked at anew, in all events so far."""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import Any

from swagproof.pipeline.audit.window_text import Ranges, Sliding
from swagproof.pipeline.stream.operator import Arrived, Operator, Query, Shown
from swagproof.pipeline.stream.windows import NEVER

Step = tuple[list[Arrived], int]
Said = tuple[Any, ...]


def said(shown: Shown) -> Said:
    """What an operator shows, to compare."""
    if shown.window is None:
        return shown.kind, shown.event
    return shown.kind, shown.window.begin, shown.window.end, shown.version, shown.sized


def steps_of(rng: random.Random, letters: Sequence[Any], disorder: int, length: int = 40) -> list[Step]:
    """A stream cut into steps: events out of order, and watermarks as Spark tells them."""
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


def windows_around(query: Query, t: int, anchors: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Every window of the definition that may hold time t: sliding windows, and the frames of given times."""
    window = query.window
    if isinstance(window, Sliding):
        for begin in range(t - window.range + 1, t + 1):
            if (begin - window.offset) % window.slide == 0:
                yield begin, begin + window.range
    elif isinstance(window, Ranges):
        assert window.begin is not None
        for anchor in sorted(set(anchors)):
            if window.begin <= t - anchor <= window.end:
                yield anchor + window.begin, anchor + window.end + 1


def defined(query: Query, steps: Sequence[Step]) -> list[set[Said]]:
    """What each step must show, by the definition: every window looked at anew, in all events so far."""
    events: list[tuple[Arrived, int]] = []  # with what was closed when it came
    shown: dict[tuple[int, int], tuple[int, Any]] = {}
    answer: list[set[Said]] = []
    operation = query.operation
    for arrived, watermark in steps:
        closed = watermark - query.lateness if watermark > NEVER else NEVER
        out: set[Said] = set()
        for event in arrived:
            own = [event.time] if isinstance(query.window, Ranges) else []
            ends = [end for _, end in windows_around(query, event.time, own)]
            if ends and max(ends) > closed:
                events.append((event, closed))
            elif ends:
                out.add(("late", event))
        anchors = [event.time for event, _ in events]
        held: dict[tuple[int, int], list[Arrived]] = {}
        for event, then in events:
            for begin, end in windows_around(query, event.time, anchors):
                if end > then:
                    held.setdefault((begin, end), []).append(event)
        for name, inside in held.items():
            if name[1] > watermark or len(inside) == shown.get(name, (0, (0, None)))[1][0]:
                continue
            inside.sort(key=lambda event: (event.time, event.arrival))
            sized = len(inside), reduce(operation.combine, (operation.lift(event.element) for event in inside))
            version = 0
            if name in shown:
                last, old = shown[name]
                version = last + 1
                if query.policy == "retract":
                    out.add(("retraction", *name, last, old))
            out.add(("result", *name, version, sized))
            shown[name] = version, sized
        answer.append(out)
    return answer


def played(query: Query, steps: Sequence[Step], make: Callable[[Query], Operator] = Operator) -> list[list[Said]]:
    """What an operator shows at each step; it is written down and restored between any two."""
    shown: list[list[Said]] = []
    text: str | None = None
    for events, watermark in steps:
        operator = make(query)
        if text is not None:
            operator.restore(text)
        due = operator.due()
        found = operator.step(events, watermark)
        if not events and (due is None or due > watermark):
            assert not found, "nothing is shown before it is due"
        shown.append([said(each) for each in found])
        text = None if operator.forgettable() else operator.to_json()
    return shown
