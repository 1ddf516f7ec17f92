"""A value that is a product of two columns, of which one is a rate or a price that a job looked up: at the wrong time.

A table that is joined as it is now has the last rate for all that came before it; one that is loaded once has the
first; and a join on the day, where rates are of the hour, the day's first or last.  So for a column that is a factor of
every value that of another event is put: of the first, the last or the one before, of all, of its key or of its cell of
another column, and of each day or not.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import permutations
from math import isclose
from typing import Any, Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Sample, time_and_arrival
from swagproof.pipeline.audit.causes.spans import get_second

_CELLS: Final = 40
"""How many different cells a column has at most by which rates are looked up."""
_NUMBERS: Final = ("int", "float", "decimal")

Choice = Callable[[Sequence[Event]], Sequence[Event]]
"""Of each of some events in the order of time the one whose rate it has."""
_CHOICES: Final[Mapping[str, Choice]] = {
    "the first event": lambda events: [events[0]] * len(events),
    "the last event": lambda events: [events[-1]] * len(events),
    "the event before it": lambda events: [events[0], *events[:-1]],
    "the event after it": lambda events: [*events[1:], events[-1]],
}


def list_rates(sample: Sample) -> Iterator[Hypothesis]:
    """The rates of other events, for each column that is a factor of the value."""
    if len(sample.kinds) != 1 or sample.kinds[0] not in _NUMBERS:
        return
    columns = [i for i in range(len(sample.columns)) if _is_number(sample, i)]
    pairs = [(i, j) for i, j in permutations(columns, 2) if _are_factors(sample, i, j)]
    for rate, other in pairs:
        for of, group in _list_groups(sample, (rate, other)):
            for which, choose in _CHOICES.items():
                of_rate = f"takes for {sample.columns[rate]} that of {which}{of}"
                why = f"{of_rate}, and multiplies it by {sample.columns[other]}"
                events = partial(_look_up, sample, rate, other, group, choose)
                one = Hypothesis("another column", why, events=events, mixes=True, bits=2.0)
                if one.explains_some(sample):
                    yield one


def _is_number(sample: Sample, i: int) -> bool:
    cells = sample.list_cells(i)
    return len(cells) > 1 and all(isinstance(cell, int | float | Fraction) for cell in cells)


def _are_factors(sample: Sample, i: int, j: int) -> bool:
    there = [e for e in sample.came if e.value is not None]
    try:
        return bool(there) and all(isclose(e.value, e.others[i] * e.others[j], rel_tol=1e-9) for e in there)
    except OverflowError:  # no float is so large
        return False


def _list_groups(sample: Sample, but: tuple[int, int]) -> Iterator[tuple[str, Callable[[str, Event], Any]]]:
    """How events may be grouped, in words."""
    groups: list[tuple[str, Callable[[str, Event], Any]]] = [
        ("", lambda key, e: None),
        (" of its key", lambda key, e: key),
        *(
            (f" of its {name}", partial(_get_cell, i))
            for i, name in enumerate(sample.columns)
            if i not in but and 1 < len(sample.list_cells(i)) <= _CELLS
        ),
    ]
    yield from groups
    if sample.tick is not None:
        day = 86_400 * get_second(sample.tick)
        for said, group in groups:
            yield f"{said} of the day", partial(_of_day, group, day)


def _get_cell(i: int, _key: str, e: Event) -> Any:
    return e.others[i]


def _of_day(group: Callable[[str, Event], Any], day: int, key: str, e: Event) -> Any:
    return group(key, e), e.time // day


def _look_up(
    sample: Sample, rate: int, other: int, group: Callable[[str, Event], Any], choose: Choice, all_: Events
) -> Events:
    groups: dict[Any, list[tuple[str, Event]]] = {}
    for key, events in all_.items():
        for e in events:
            groups.setdefault(group(key, e), []).append((key, e))
    made: Events = {key: [] for key in all_}
    for those in groups.values():
        those.sort(key=lambda it: time_and_arrival(it[1]))
        for (key, e), source in zip(those, choose([e for _, e in those]), strict=True):
            made[key].append(e if e.value is None else sample.lift(e, source.others[rate] * e.others[other]))
    return {key: sorted(events, key=time_and_arrival) for key, events in made.items()}
