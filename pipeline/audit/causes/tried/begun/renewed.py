"""Running totals, and other frames, that begin again with each day, or another period: as where the date is among what
they are parted by."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Final

from swagproof.models.windows.kinds import Frame
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Sample, Window, split
from swagproof.pipeline.audit.causes.spans import get_second
from swagproof.pipeline.audit.causes.tried.starts import list_periods

_DAY: Final = 86_400
_QUARTERS: Final = range(-48, 57)
"""By how many quarters of an hour clocks are ahead of those of UTC."""
_ZONES: Final = 3
"""How many such clocks are tried."""

Period = Callable[[int], tuple[int, int]]
"""From when to when the period lasts that a time lies in."""


def list_renewed(sample: Sample) -> Iterator[Hypothesis]:
    """Frames that end at the borders of a period: of UTC, or a day that the findings tell of other clocks."""
    window = sample.window
    if not isinstance(window, Frame) or sample.tick is None:
        return
    running = window.start is None and window.end == 0
    subject = f"its running {sample.aggregation.name} begins" if running else "its frames begin"
    periods = {f"each {said}": find for said, find in list_periods(sample.tick).items()}
    for said, find in {**periods, **dict(_list_days(sample))}.items():
        why = f"{subject} again with {said}"
        windows = partial(_part, window, find)
        yield Hypothesis("windows begun anew", why, windows=windows, bits=1.0 if said in periods else 3.0)


def _list_days(sample: Sample) -> Iterator[tuple[str, Period]]:
    """Days of clocks that are midnight between the first frame of each key that is wrong and the one before."""
    second = get_second(sample.tick)
    between = [there for key in sample.events if (there := _find_first(sample, key)) is not None]
    found = 0
    for quarters in sorted(_QUARTERS, key=lambda n: (n % 4, abs(n))):
        find = partial(_find_day, second, quarters)
        if quarters and len(between) > 1 and all(find(last)[0] > before for before, last in between):
            sign, (hours, rest) = "+" if quarters > 0 else "-", divmod(abs(quarters), 4)
            yield f"each day of UTC{sign}{hours:02}:{rest * 15:02}", find
            found += 1
        if found == _ZONES:
            return


def _find_first(sample: Sample, key: str) -> tuple[int, int] | None:
    """The times of the first wrong row of a key, and of that before it."""
    for before, e in pairwise(sample.events[key]):
        if sample.name(key, e.time, e.arrival) in sample.open:
            return before.time, e.time
    return None


def _find_day(second: int, quarters: int, time: int) -> tuple[int, int]:
    length, ahead = _DAY * second, quarters * 900 * second
    begin = (time + ahead) // length * length - ahead
    return begin, begin + length


def _part(window: Frame, find: Period, events: list[Event]) -> Iterator[Window]:
    """The frames of each period by itself."""
    times: Sequence[int] = [e.time for e in events]
    i = 0
    while i < len(events):
        j = bisect_left(times, find(times[i])[1])
        yield from split(window, events[i:j])
        i = j
