"""The errata of *General Incremental Sliding-Window Aggregation* (2015) about windows and streams: sections 1, 2, 6."""

import itertools
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from swagproof.models import relations
from swagproof.models.operations import FIRST, MAX
from swagproof.models.windows.window import (
    Count,
    Event,
    Heartbeat,
    Item,
    Time,
    Window,
    contents,
    cql,
    hopping,
    relation,
)
from swagproof.proofs.errata.erratum import Entry, Erratum, against
from swagproof.proofs.ledger.claim import GENERAL
from swagproof.reference.windows.windowed import Aggregate

SMALL: Final = (1, 2, 3)


def _tumbles(window: Any) -> Iterator[str]:
    """Look for a tuple that is not in exactly one window of those that slide by their range."""
    for size, time in itertools.product(SMALL, range(7)):
        stream: list[Item] = [Event(time, "a"), Heartbeat(time + 2 * size)]
        ends = [trigger.time for trigger, held in contents(window(size, size), stream) if held]
        if len(ends) != 1:
            those = " and ".join(f"[{end - size}, {end}]" for end in ends)
            yield f"range = slide = {size}, a tuple at {time}: in {those}"


_TWO: Final = (Event(1, "a"), Event(3, "b"))


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


def _constant_update_by_count() -> Iterator[str]:
    """With a count for a range too, from the first full window on: 2 min(range, slide)."""
    for size, slide in itertools.product(SMALL, repeat=2):
        updates = _updates(Window(Count(size), Count(slide)), range(12))
        full = -(-size // slide)
        if set(updates[full:]) != {2 * min(size, slide)}:
            yield f"range of {size}, slide of {slide} tuples: m = {updates}"


def _one_of_each(said: int) -> Iterator[str]:
    updates = _updates(Window(Count(2), Count(1)), range(4))
    if updates[-1] != said:
        yield f"the last 2 tuples, slide 1, after the 4th: m = {updates[-1]}"


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


def _aggregated(rows: Sequence[str]) -> list[str]:
    """The aggregation of section 2.1 over a relation: a bag."""
    return [max(rows)] if rows else []


def _one_row(of_nothing: int) -> Iterator[str]:
    for tau in range(9):
        rows = relation(_TWO, tau, 1, 1)
        if len(_aggregated(rows)) != (1 if rows else of_nothing):
            yield f"range 1, slide 1, tuples at 1 and 3: R_w({tau}) = {rows}, which has no maximum"


def _firsts() -> list[str]:
    """The partial aggregates of First over one to three tuples."""
    lifted = [FIRST.lift(sample) for sample in FIRST.samples]
    return sorted({FIRST.combine(x, y) for x, y in itertools.product(lifted, repeat=2)} | set(lifted))


def _first_is_invertible() -> Iterator[str]:
    """Whether z (-) y = z takes off the newest: that shows First to be invertible."""
    pairs = list(itertools.product(_firsts(), repeat=2))
    if all(FIRST.combine(x, y) == x for x, y in pairs):
        yield f"with z (-) y = z, (x (+) y) (-) y = x for all {len(pairs)} pairs, such as x = a, y = b: first(a, b) = a"


def _first_keeps_its_rest() -> Iterator[str]:
    """Look for a reason why the oldest could be taken off First: that no two windows after it look alike."""
    a, *rest = _firsts()
    if not any(_first_is_invertible()):
        yield "z (-) y = z does not take off the newest"
    if len({FIRST.combine(a, b) for b in rest}) >= len(rest):
        yield "a (+) b tells every b apart"


erratum: Final = partial(Erratum, paper=GENERAL)

ENTRIES: Final[tuple[Entry, ...]] = (
    erratum(
        id="WIN-1",
        place="sections 2.1 and 2.2, R_w and tumbling windows",
        printed="The window at time tau holds the tuples from tau_b to tau_e, both included; it tumbles where slide = "
        "range.",
        holds="A tuple at an end is then in two windows. With either end left out it tumbles (row windows/tumbling).",
        searches=against(_tumbles, cql, hopping),
    ),
    erratum(
        id="WIN-2",
        place="section 2.2, update size",
        printed="With a slide by count, the update size m is constant.",
        holds="Only where the range is a count too, and once the window is full: m = 2 min(range, slide). With a "
        "range in time, as many tuples leave as have expired.",
        searches=(_constant_update, _constant_update_by_count),
    ),
    erratum(
        id="WIN-3",
        place="section 2.3, reactive aggregator",
        printed="It implements IStream by submitting the result whenever the window triggers.",
        holds="IStream emits a tuple when it is inserted into the relation: a result that has not changed is not "
        "emitted again. Submitting at each trigger is RStream.",
        searches=against(_emits, "rstream", "istream"),
    ),
    erratum(
        id="WIN-4",
        place="section 2.1, R_a",
        printed="The aggregation computes a bag with a single tuple.",
        holds="None where the window holds none: there is no greatest of no lengths.",
        searches=against(_one_row, 1, 0),
    ),
    erratum(
        id="WIN-5",
        place="section 6.1, slide granularity",
        printed="m = 1: each time the aggregation fires, it handles one insertion and one eviction.",
        holds="By section 2.2, where m counts insertions and deletions, that is m = 2.",
        searches=against(_one_of_each, 1, 2),
    ),
    erratum(
        id="WIN-6",
        place="section 1, non-invertible operations",
        printed="First is not invertible.",
        holds="By section 3.2 it is, over partial aggregates of at least one tuple: taking off the newest changes "
        "nothing. Taking off the oldest, which an evict asks for, is what First does not allow.",
        searches=(_first_is_invertible, _first_keeps_its_rest),
    ),
)
