"""What a job may have carried over: from one window into the next, over a pause, or from one key to another.

State that is kept by the key and the window cannot get anywhere else.  State in a field of the operator, a variable of
a loop or a column filled forward can: the last event of one window is the first of the next, and a buffer that all keys
share gives its content to whichever key fills it.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Final

from swagproof.models.windows.kinds import Calendar, Counted, Frame, Sliding, WindowSpec
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import (
    NULL,
    Event,
    Foretold,
    Name,
    Part,
    Sample,
    get_arrival,
    get_place,
    time_and_arrival,
)
from swagproof.pipeline.audit.causes.tried.answers import answer_of, number_of
from swagproof.pipeline.audit.rules import Answer

_NEAR: Final = 1e-9
_PAUSES: Final = 4
"""Where windows without events are given results, how many there are at most for a result that is there."""

Fill = Callable[[Fraction, Fraction, int, int], Fraction]
"""What is made of the answers before and after a pause, for the i-th of its n windows."""


def list_carried(sample: Sample) -> Iterator[Hypothesis]:
    """Events and answers in windows, or of keys, that are not theirs."""
    window = sample.window
    if isinstance(window, Frame):
        return
    if not (isinstance(window, Sliding) and window.slide < window.range):
        yield from _list_neighbours()
        yield from _list_closers(window)
    if isinstance(window, Sliding) and window.slide >= window.range:
        for said, pause in (("after a window without events", True), ("after a window with events", False)):
            why = f"does not clear what a window has for the next one that has events, {said}"
            yield Hypothesis("state kept", why, results=partial(_go_on, window, pause))
    if sample.aggregation.name == "mean" and len(sample.kinds) == 1:
        for number, other in (("count", "total"), ("total", "count")):
            for said, of in _ORDERS.items():
                why = (
                    f"clears the {other} of a mean for the next window of its key, in the order of {said}, but not the "
                )
                kept = partial(_keep_number, of, number == "total")
                yield Hypothesis("state kept", f"{why}{number}", results=kept, bits=1.0)
    if isinstance(window, Sliding) and sample.kind in ("int", "float", "decimal"):
        yield from _list_fills(sample, window)
    if isinstance(window, Counted) and sample.whole:
        yield from _list_shared(sample, window)


def _list_neighbours() -> Iterator[Hypothesis]:
    cause = "carried over"
    for k, said in ((1, "the last event"), (2, "the last two events")):
        why = f"begins each window with {said} of the one before"
        yield Hypothesis(cause, why, results=partial(_add_neighbour, -k, None))
    why = "begins each window with the last event of the one before, and answers null for the first"
    yield Hypothesis(cause, why, results=partial(_add_neighbour, -1, NULL))
    why = "ends each window with the first event of the next"
    yield Hypothesis(cause, why, results=partial(_add_neighbour, 1, None))
    why = "begins each window with all events of the one before"
    yield Hypothesis(cause, why, results=partial(_add_neighbour, 0, None))


def _list_closers(window: WindowSpec) -> Iterator[Hypothesis]:
    """The event that closes a window, counted in it, and not in its own: where it is added before it is asked whether
    the window is over."""
    if isinstance(window, Counted) or (isinstance(window, Calendar) and window.slide < window.range):
        return
    why = "counts the event that closes a window in that one, and not in its own"
    for then, opens, empty in (
        ("", True, True),
        (", and has no result of one that nothing else is in", True, False),
        (": the next one after it opens a window", False, False),
    ):
        for said, of in (("", get_arrival), (", in the order of time", time_and_arrival)):
            moved = partial(_add_closers, of, opens, empty)
            yield Hypothesis("carried over", f"{why}{then}{said}", results=moved, bits=1.0)


def _add_closers(of: Callable[[Event], Any], opens: bool, empty: bool, found: Foretold) -> Foretold:
    """One window of a key at a time, up to the first event of another one, which is in it, too; that `opens` its own
    without itself."""
    made: Foretold = {}
    for names in _list_by_key(found):
        own = [(e, name) for name in names for part in found[name] for e in part.events]
        there: Name | None = None
        held: list[Event] = []
        for e, name in sorted(own, key=lambda it: of(it[0])):
            there = there or name
            held.append(e)
            if name != there:
                made.setdefault(there, []).append(Part(sorted(held, key=time_and_arrival)))
                there, held = name if opens else None, []
        if there is not None and (held or empty):
            made.setdefault(there, []).append(Part(sorted(held, key=time_and_arrival)))
    return made


def _add_neighbour(n: int, at_edge: Answer | None, found: Foretold) -> Foretold:
    """Windows with so many events of the one before, or after, of their key; 0 is all of the one before."""
    made = dict(found)
    for names in _list_by_key(found):
        around = [None, *names[:-1]] if n <= 0 else [*names[1:], None]
        for name, other in zip(names, around, strict=True):
            if other is None:
                made[name] = found[name] if at_edge is None else [Part((), at_edge)]
                continue
            mine, near = found[name][0].events, found[other][0].events
            made[name] = [Part([*near[n:], *mine] if n <= 0 else [*mine, *near[:n]]), *found[name][1:]]
    return made


def _go_on(window: Sliding, pause: bool, found: Foretold) -> Foretold:
    """Windows that go on with what the one before had, where there is a pause between them; or where there is none."""
    made = dict(found)
    for names in _list_by_key(found):
        for before, name in itertools.pairwise(names):
            if (get_place(name) - get_place(before) > window.slide) is pause:
                made[name] = [Part([*made[before][0].events, *found[name][0].events]), *found[name][1:]]
    return made


_ORDERS: Final[dict[str, Callable[[Name, Sequence[Event]], tuple[int, int]]]] = {
    "time": lambda name, _: (get_place(name), name[2] or 0),
    "arrival of their first event": lambda _, events: (min(e.arrival for e in events), 0),
}
"""In which order the windows of a key are made."""


def _keep_number(
    order: Callable[[Name, Sequence[Event]], tuple[int, int]], is_total: bool, found: Foretold
) -> Foretold:
    """Means of which the total, or the count, is that of all windows of the key so far."""
    made = dict(found)
    there = {name: parts[0].events for name, parts in found.items() if len(parts) == 1 and parts[0].answer is None}
    kept = dict[str, Fraction]()
    for name in sorted((name for name, events in there.items() if events), key=lambda n: order(n, there[n])):
        values = [Fraction(e.value) for e in there[name] if e.value is not None]
        more = sum(values, Fraction(0)) if is_total else Fraction(len(values))
        kept[name[0]] = kept.get(name[0], Fraction(0)) + more
        if values:
            mean = kept[name[0]] / len(values) if is_total else sum(values, Fraction(0)) / kept[name[0]]
            made[name] = [Part((), answer_of(mean, near=_NEAR))]
    return made


def _list_by_key(found: Foretold) -> list[list[Name]]:
    """The windows of each key in the order of time."""
    of_key: dict[str, list[Name]] = {}
    for name in sorted(found, key=get_place):
        of_key.setdefault(name[0], []).append(name)
    return list(of_key.values())


def _list_fills(sample: Sample, window: Sliding) -> Iterator[Hypothesis]:
    """Windows without events that are given an answer by those around them."""
    fills: dict[str, Fill] = {
        "a value on the line between the answers before and after": lambda a, b, i, n: a + (b - a) * i / (n + 1),
        "what it did for the window after": lambda a, b, i, n: b,
        "the mean of the answers before and after": lambda a, b, i, n: (a + b) / 2,
        "what it did for the window that is nearest": lambda a, b, i, n: a if 2 * i <= n + 1 else b,
    }
    if not any(name not in sample.due and name in sample.results for name in sample.open):
        return
    for said, fill in fills.items():
        yield Hypothesis(
            "empty windows filled",
            f"answers {said} for windows without events",
            results=partial(_fill, sample, window, fill),
        )


def _fill(sample: Sample, window: Sliding, fill: Fill, found: Foretold) -> Foretold:
    made = dict(found)
    there = Counter(name[0] for name in sample.results)
    for names in _list_by_key(found):
        pauses = [(get_place(b) - get_place(a)) // window.slide - 1 for a, b in itertools.pairwise(names)]
        if sum(pauses) > _PAUSES * there[names[0][0]]:  # who fills them has results for them
            continue
        for n, (before, after) in zip(pauses, itertools.pairwise(names), strict=True):
            low, high = (_answer(sample, found[name][0]) for name in (before, after))
            if n <= 0 or low is None or high is None:
                continue
            for i in range(1, n + 1):
                key, a, b = before
                by = i * window.slide
                name = key, None if a is None else a + by, None if b is None else b + by
                made.setdefault(name, [Part((), answer_of(fill(low, high, i, n), near=_NEAR))])
    return made


def _answer(sample: Sample, part: Part) -> Fraction | None:
    number = number_of(part.answer or sample.answer(part.events))
    return None if number is None else Fraction(number)


def _list_shared(sample: Sample, window: Counted) -> Iterator[Hypothesis]:
    """One buffer for all keys: whichever fills it has the result."""
    keyed = [(e, key) for key, events in sample.events.items() for e in events]
    orders: dict[str, Callable[[tuple[Event, str]], tuple[int, ...]]] = {
        "arrival": lambda it: (it[0].arrival,),
        "time": lambda it: it[0][:2],
    }
    for said, of in orders.items():
        came = sorted(keyed, key=of)
        for whose, own in (("of its key", True), ("of all", False)):
            for at, which in ((-1, "last"), (0, "first")):
                yield Hypothesis(
                    "over all keys",
                    f"counts the events of all keys in one buffer, in the order of {said}, for the key of the {which} "
                    f"one, and names windows by the number {whose}",
                    results=partial(_share_buffer, sample, window, came, own, at),
                )


def _share_buffer(
    sample: Sample, window: Counted, came: Sequence[tuple[Event, str]], own: bool, at: int, _: Foretold
) -> Foretold:
    found: Foretold = {}
    seen: dict[str, int] = {}
    numbers: list[int] = []
    for _e, key in came:
        seen[key] = seen.get(key, 0) + 1
        numbers.append(seen[key])
    for end in range(window.every, len(came) + 1, window.every):
        held = came[max(0, end - window.n) : end]
        number = numbers[end - 1 if at else end - len(held)] if own else end
        name = sample.name(held[at][1], max(0, number - window.n) + 1, number)
        found.setdefault(name, []).append(Part([e for e, _key in held]))
    return found
