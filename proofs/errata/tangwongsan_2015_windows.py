"""Searches for the errata and readings of *General Incremental Sliding-Window Aggregation* (2015) on windows."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Final

from swagproof.models import relations
from swagproof.models.operations import MAX
from swagproof.models.windows.window import (
    Closed,
    Count,
    Event,
    Heartbeat,
    Item,
    Time,
    Window,
    contents,
    hopping,
)
from swagproof.proofs.errata.erratum import Searches
from swagproof.reference.windows.windowed import Aggregate

SMALL: Final = (1, 2, 3)


def _tumbles(closed: Closed, gap: int = 0) -> Iterator[str]:
    """Search for a tuple that is not in exactly one window, for windows that slide by their range, and a gap."""
    for size, time in itertools.product(SMALL, [Fraction(halves, 2) for halves in range(14)]):
        window = Window(Time(size), Time(size + gap), origin=size, closed=closed)
        stream: list[Item] = [Event(time, "a"), Heartbeat(time + 2 * (size + gap))]
        ends = [trigger.time for trigger, held in contents(window, stream) if held]
        if len(ends) != 1:
            those = " and ".join(f"[{end - size}, {end}]" for end in ends) or "none"
            yield f"range = {size}, slide = {size + gap}, a tuple at {time}: in {those}"


def _updates(window: Window, times: Sequence[int]) -> list[int]:
    """Return the insertions and deletions between consecutive windows, beginning with the first window."""
    held = [set(events) for _, events in contents(window, [Event(time, number) for number, time in enumerate(times)])]
    return [len(after ^ before) for before, after in itertools.pairwise([set[Event](), *held])]


def _constant_update() -> Iterator[str]:
    for size, slide in itertools.product(SMALL, repeat=2):
        times = (0, 1, 2, 3, 4, 9)
        updates = _updates(Window(Time(size), Count(slide)), times)
        if len(set(updates[size:])) > 1:
            yield f"range {size} in time, slide of {slide} tuple, tuples at {times}: m = {updates}"


def _constant_update_by_count(said: Callable[[int, int], int], at_once: bool = False) -> Iterator[str]:
    """Search for count ranges and slides whose m differs from the stated one, from the first full window on."""
    for size, slide in itertools.product(SMALL, repeat=2):
        updates = _updates(Window(Count(size), Count(slide)), range(12))
        full = 0 if at_once else -(-size // slide)
        if set(updates[full:]) != {said(size, slide)}:
            yield f"range of {size}, slide of {slide} tuples: m = {updates}"


def _emits(stream: Any) -> Iterator[str]:
    """Search for a history on which the operator submits other results than IStream emits for its relation."""
    window = Window(Count(2), Count(1))
    for length in SMALL:
        for values in itertools.product((2, 1), repeat=length):
            items = [Event(None, value) for value in values]
            submitted = [result.output for result in Aggregate(window, MAX, stream=stream).process(items)]
            held = contents(window, items)
            right = relations.istream([(trigger, [max(event.value for event in events)]) for trigger, events in held])
            if submitted != [row for _, row in right]:
                yield (
                    f"max of the last 2, slide 1, tuples {', '.join(map(str, values))}: submits "
                    f"{', '.join(map(str, submitted))}; IStream emits {', '.join(str(row) for _, row in right)}"
                )


def _results(for_empty: bool) -> Iterator[str]:
    """Search for a non-empty window (with `for_empty`, any window) without a result, or an unexpected result."""
    stream: list[Item] = [Event(1, 5), Event(4, 7), Heartbeat(9)]
    for size, slide in itertools.product(SMALL, repeat=2):
        window = hopping(size, slide)
        shown = [result.trigger for result in Aggregate(window, MAX, stream="rstream").process(stream)]
        for trigger, held in contents(window, stream):
            if (trigger in shown) != bool(held or for_empty):
                said = f"range {size}, slide {slide}, tuples at 1 and 4"
                yield f"{said}: no result of the empty window of time {trigger.time}"


SEARCHES: Final = {
    "WIN-1": Searches(
        printed=partial(_tumbles, "both"),
        holds=lambda: [*_tumbles("left"), *_tumbles("right")],
        wrong={"both ends included, and the next window begins later": partial(_tumbles, "both", 1)},
    ),
    "WIN-2": Searches(
        printed=_constant_update,
        holds=partial(_constant_update_by_count, lambda size, slide: 2 * min(size, slide)),
        wrong={
            "2 slides": partial(_constant_update_by_count, lambda size, slide: 2 * slide),
            "before the window is full, too": partial(
                _constant_update_by_count, lambda size, slide: 2 * min(size, slide), at_once=True
            ),
        },
    ),
    "WIN-3": Searches(holds=partial(_emits, "istream"), wrong={"at each trigger": partial(_emits, "rstream")}),
    "WIN-4": Searches(holds=partial(_results, False), wrong={"one row": partial(_results, True)}),
}
