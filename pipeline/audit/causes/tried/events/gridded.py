"""Events put on a regular grid before they are aggregated, its gaps filled from their neighbours.

As whoever resamples does: of each step of the grid one value, and where it has none that of the step before, or what
lies between.  A mean is then one over time, and windows have results in which no event is.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any, Final

from swagproof.models.windows.kinds import Calendar, Sliding
from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Sample
from swagproof.pipeline.audit.causes.spans import list_units, show_span

_STEPS: Final = 10
"""A grid has at most so many steps for each event: of a finer one little is to be told."""
_FEW: Final = 5_000

Choose = Callable[[Sequence[Event]], Any]
"""The value of a step, given its events in order."""


def list_gridded(sample: Sample) -> Iterator[Hypothesis]:
    """All units and values of a step, where no event can be late."""
    window = sample.window
    if sample.delay is not None or len(sample.kinds) != 1 or not isinstance(window, Sliding | Calendar):
        return
    spans = [es[-1].time - es[0].time for es in sample.events.values() if es]
    most = _STEPS * len(sample.came) + _FEW
    numbers = sample.kinds[0] in ("int", "float", "decimal")
    chosen: dict[str, Choose] = {"last value": lambda es: es[-1].value, "first value": lambda es: es[0].value}
    chosen |= {"mean": _average} if numbers else {}
    for unit in list_units(sample.tick):
        if sum(span // unit for span in spans) > most or (isinstance(window, Sliding) and unit > window.range):
            continue
        step = show_span(unit, sample.tick)
        for said, choose in chosen.items():
            why = f"takes the {said} of each {step}"
            filled = partial(_fill, sample, unit, choose, False)
            yield Hypothesis("resampled", f"{why}, and of what is empty that before it", events=filled, bits=RARE)
            if numbers:
                drawn = partial(_fill, sample, unit, choose, True)
                yield Hypothesis("resampled", f"{why}, and of what is empty what lies between", events=drawn, bits=RARE)


def _average(events: Sequence[Event]) -> Any:
    return sum(map(Fraction, (e.value for e in events)), Fraction(0)) / len(events)


def _fill(sample: Sample, unit: int, choose: Choose, drawn: bool, all_: Events) -> Events:
    """An event for each step from a key's first to its last."""
    found: Events = {}
    for key, events in all_.items():
        steps: dict[int, list[Event]] = {}
        for e in events:
            if e.value is not None:
                steps.setdefault(e.time // unit, []).append(e)
        held = {at: choose(es) for at, es in steps.items()}
        if max(held, default=0) - min(held, default=0) > _STEPS * len(sample.came) + _FEW:
            return all_  # another mistake has put them far apart
        found[key] = []
        for at, then in pairwise([*held, max(held, default=0) + 1]):
            for i in range(at, then):
                value = held[at]
                if drawn and i > at:
                    value = Fraction(value) + (Fraction(held[then]) - Fraction(value)) * (i - at) / (then - at)
                value = float(value) if sample.kinds[0] == "float" else value
                found[key].append(sample.lift(steps[at][-1]._replace(time=i * unit), value))
    return found
