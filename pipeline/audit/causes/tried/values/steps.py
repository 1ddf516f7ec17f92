"""Windows that a job makes each of what it had of the one before: of what comes, and of what goes."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from swagproof.models.windows.kinds import Frame, Sliding
from swagproof.pipeline.audit.causes.sample import Event, Foretold, Name, Part, Sample, get_place, time_and_arrival
from swagproof.pipeline.audit.rules import Answer

Place: TypeAlias = tuple[int, int]
"""Which values of its key a window has: from the one on, before the other."""
Steps: TypeAlias = Callable[[Sequence[Event], Sequence[Place]], Sequence[Answer]]
"""The answers of windows, in their order, as they are made of all values of a key."""


def has_steps(sample: Sample) -> bool:
    """Whether a window has what the one before had."""
    window = sample.window
    return isinstance(window, Frame) or (isinstance(window, Sliding) and window.slide < window.range)


def go_over(steps: Steps, found: Foretold) -> Foretold:
    """The windows of each key with the answers that the steps make; those without a value as they are, and those of
    keys of which a window lacks what is between its first value and its last one."""
    of_key: dict[str, list[tuple[Name, int]]] = {}
    for name in sorted(found, key=lambda name: (get_place(name), name[2] or 0)):
        of_key.setdefault(name[0], []).extend((name, i) for i in range(len(found[name])))
    made = {name: list(parts) for name, parts in found.items()}
    for those in of_key.values():
        held = [(name, i, events) for name, i in those if (events := _list_values(found[name][i]))]
        values = {e.arrival: e for _, _, events in held for e in events}
        ordered = sorted(values.values(), key=time_and_arrival)
        numbers = {e.arrival: i for i, e in enumerate(ordered)}
        places = [(numbers[events[0].arrival], numbers[events[-1].arrival] + 1) for _, _, events in held]
        if all(hi - lo == len(events) for (lo, hi), (_, _, events) in zip(places, held, strict=True)):
            for (name, i, _), answer in zip(held, steps(ordered, places), strict=True):
                made[name][i] = Part(made[name][i].events, answer)
    return made


def _list_values(part: Part) -> list[Event]:
    return [] if part.answer is not None else [e for e in part.events if e.value is not None]
