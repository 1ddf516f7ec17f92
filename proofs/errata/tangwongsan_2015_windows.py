"""What is said of the text of *General Incremental Sliding-Window Aggregation* (2015) about windows and streams."""

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
from swagproof.proofs.errata.erratum import Entry, Erratum, Form, Reading, Withdrawn
from swagproof.proofs.ledger.claim import GENERAL
from swagproof.reference.catalogue import PANES
from swagproof.reference.windows.windowed import Aggregate

SMALL: Final = (1, 2, 3)


def _tumbles(closed: Closed, gap: int = 0) -> Iterator[str]:
    """Look for a tuple that is not in exactly one window of those that slide by their range, and a gap."""
    for size, time in itertools.product(SMALL, [Fraction(halves, 2) for halves in range(14)]):
        window = Window(Time(size), Time(size + gap), origin=size, closed=closed)
        stream: list[Item] = [Event(time, "a"), Heartbeat(time + 2 * (size + gap))]
        ends = [trigger.time for trigger, held in contents(window, stream) if held]
        if len(ends) != 1:
            those = " and ".join(f"[{end - size}, {end}]" for end in ends) or "none"
            yield f"range = {size}, slide = {size + gap}, a tuple at {time}: in {those}"


def _updates(window: Window, times: Sequence[int]) -> list[int]:
    """Insertions and deletions between each two windows in succession, the first after none."""
    held = [set(events) for _, events in contents(window, [Event(time, number) for number, time in enumerate(times)])]
    return [len(after ^ before) for before, after in itertools.pairwise([set[Event](), *held])]


def _constant_update() -> Iterator[str]:
    for size, slide in itertools.product(SMALL, repeat=2):
        times = (0, 1, 2, 3, 4, 9)
        updates = _updates(Window(Time(size), Count(slide)), times)
        if len(set(updates[size:])) > 1:
            yield f"range {size} in time, slide of {slide} tuple, tuples at {times}: m = {updates}"


def _constant_update_by_count(said: Callable[[int, int], int], at_once: bool = False) -> Iterator[str]:
    """With a count for a range too: another m than said of range and slide, from the first full window on."""
    for size, slide in itertools.product(SMALL, repeat=2):
        updates = _updates(Window(Count(size), Count(slide)), range(12))
        full = 0 if at_once else -(-size // slide)
        if set(updates[full:]) != {said(size, slide)}:
            yield f"range of {size}, slide of {slide} tuples: m = {updates}"


def _emits(stream: Any) -> Iterator[str]:
    """Look for a history on which what the operator submits is not what IStream makes of its relation."""
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
    """Whether the operator has a result for each window that holds something, and `for_empty` windows as well."""
    stream: list[Item] = [Event(1, 5), Event(4, 7), Heartbeat(9)]
    for size, slide in itertools.product(SMALL, repeat=2):
        window = hopping(size, slide)
        shown = [result.trigger for result in Aggregate(window, MAX, stream="rstream").process(stream)]
        for trigger, held in contents(window, stream):
            if (trigger in shown) != bool(held or for_empty):
                said = f"range {size}, slide {slide}, tuples at 1 and 4"
                yield f"{said}: no result of the empty window of time {trigger.time}"


erratum: Final = partial(Erratum, paper=GENERAL)
reading: Final = partial(Reading, paper=GENERAL)
withdrawn: Final = partial(Withdrawn, paper=GENERAL)

ENTRIES: Final[tuple[Entry, ...]] = (
    erratum(
        id="WIN-1",
        place="sections 2.1, 2.2 and 6.2, R_w and tumbling windows",
        quotes=(
            r"\tau' \ge \tau_b \land \tau' \le \tau_e",
            "in which case the sliding window degenerates to a tumbling window",
            "None of the results can be reused from one firing to the next",
        ),
        printed="The window at time tau holds the tuples from tau_b to tau_e, both included; it tumbles where slide = "
        "range, and nothing of it can be reused for the next.",
        holds="A tuple at an end is then in two windows. With either end left out it tumbles (row windows/tumbling).",
        searches=(partial(_tumbles, "both"), lambda: [*_tumbles("left"), *_tumbles("right")]),
        wrong={"both ends included, and the next window begins later": partial(_tumbles, "both", 1)},
        forms=(
            Form(
                PANES,
                None,
                tuple(("insert", time) for time in range(5)),
                "range 2, slide 2: the record of time 2 is in the window from 2 to 4 alone; with both ends included it "
                "would be in that from 0 to 2, too",
                {"range": 2, "slide": 2},
            ),
        ),
    ),
    erratum(
        id="WIN-2",
        place="section 2.2, update size",
        quotes=("With a count-based slide parameter, *m* is constant; otherwise, *m* is variable.",),
        printed="With a slide by count, the update size m is constant.",
        holds="It is where the range is a count too, once the window is full: m = 2 min(range, slide). With a range in "
        "time as many tuples leave as have expired.",
        searches=(_constant_update, partial(_constant_update_by_count, lambda size, slide: 2 * min(size, slide))),
        wrong={
            "2 slides": partial(_constant_update_by_count, lambda size, slide: 2 * slide),
            "before the window is full, too": partial(
                _constant_update_by_count, lambda size, slide: 2 * min(size, slide), at_once=True
            ),
        },
        unplayed="No algorithm here takes windows whose range is a time and whose slide is a count.",
    ),
    reading(
        id="WIN-3",
        place="section 2.3, reactive aggregator, against section 2.1",
        quotes=(
            "by putting the results in an output tuple, and submitting that",
            "whenever a tuple *d* is inserted into",
        ),
        gap="Whether a result is submitted again when the window triggers and it has not changed.",
        taken="IStream emits a tuple when it is inserted into the relation: it is not.",
        otherwise="Submitting at each trigger is what CQL calls RStream.",
        search=partial(_emits, "istream"),
        others={"at each trigger": partial(_emits, "rstream")},
    ),
    reading(
        id="WIN-4",
        place="section 2.1, R_a",
        quotes=("computes a bag R_a with a single tuple",),
        gap="What the tuple has for a greatest length where the window is empty.",
        taken="There is no tuple, and nothing is submitted: by the formulas there is no maximum then, nor anyone who "
        "has it.",
        otherwise="SQL's aggregation of nothing is one row, of NULL and 0, which would be submitted, too; the words "
        "single tuple and singleton relation can be read so.",
        search=partial(_results, False),
        others={"one row": partial(_results, True)},
    ),
    withdrawn(
        id="WIN-5",
        place="section 6.1, slide granularity",
        accused="m = 1 where each firing handles one insertion and one eviction: by section 2.2 that is m = 2.",
        reason="Section 6 calls another number m, the slide granularity, and says so.",
    ),
    withdrawn(
        id="WIN-6",
        place="section 1, non-invertible operations",
        accused="First is said not to be invertible: by section 3.2 it is, as taking off the newest changes nothing.",
        reason="Section 1 is right: from what First keeps the oldest cannot leave, as from what Last keeps the newest "
        "cannot. It is the equation of section 3.2 that is about the newest alone (erratum OPS-4).",
    ),
)
