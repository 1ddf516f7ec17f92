"""A sum, or a mean, that is taken off a running total in doubles: what was rounded while it was large stays.

A total of all values so far, of which the one at a window's begin is taken off that at its end; or a window's own
total, to which what comes is added, and of which what goes is subtracted.  After one huge value, or where the total has
grown, the digits of all that follows are gone.  Which floats that makes is known to the last bit, from the order of the
steps alone.  So each order is a hypothesis that foretells all results of a key, right ones as well as wrong ones; that
of pandas and Polars keeps what it rounds (Kahan, Further remarks on reducing truncation errors, 1965).
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import isfinite, isnan
from statistics import median
from typing import Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Sample
from swagproof.pipeline.audit.causes.tried.values.steps import Place, go_over, has_steps
from swagproof.pipeline.audit.rules import Answer

_SUMS: Final = ("sum", "float-sum", "sql-sum", "mean")
_HUGE: Final = 1000.0
"""How many times what is usual a value is that takes the digits of what follows."""

Totals = Callable[[Sequence[float], Sequence[Place]], list[float]]
"""The sums of windows, in their order, as they are made of all values of a key."""


@dataclass
class _Total:
    """A running total, to which what was rounded is given back, if it is `compensated`: of what comes and of what goes,
    each by itself."""

    compensated: bool = False
    value: float = 0.0
    _added: float = 0.0
    _taken: float = 0.0

    def add(self, values: Sequence[float]) -> None:
        """What comes."""
        for value in values:
            if self.compensated:
                self.value, self._added = _add(self.value, value, self._added)
            else:
                self.value += value

    def take(self, values: Sequence[float]) -> None:
        """What goes."""
        for value in values:
            if self.compensated:
                self.value, self._taken = _add(self.value, -value, self._taken)
            else:
                self.value -= value


def _add(total: float, value: float, lost: float) -> tuple[float, float]:
    """The sum, and what is lost of it."""
    more = value - lost
    made = total + more
    return made, made - total - more


def list_totals(sample: Sample) -> Iterator[Hypothesis]:
    """The orders of adding and subtracting in which the sum of a window may have been made of that before."""
    if not has_steps(sample) or sample.kinds != ("float",) or sample.aggregation.name not in _SUMS:
        return
    ways: dict[str, Totals] = {
        "answers the difference of two running totals of its key": partial(_subtract, False),
        "answers the difference of two running totals of its key, with what was rounded given back": partial(
            _subtract, True
        ),
        "keeps a running total, adds what comes and then subtracts what goes": partial(_slide, True),
        "keeps a running total, subtracts what goes and then adds what comes": partial(_slide, False),
        "keeps a running total as pandas and Polars do": _slide_as_pandas,
    }
    said = _say_where(sample)
    for way, totals in ways.items():
        why = f"{way}, in floats: {said}"
        steps = partial(_answer_each, totals, sample.aggregation.name == "mean")
        yield Hypothesis("cancellation", why, results=partial(go_over, steps), divides=True, say="--summation running")


def _say_where(sample: Sample) -> str:
    """After which value the digits are gone, where there is one."""
    keys = {name[0] for name in sample.open}
    values = [abs(e.value) for key in keys for e in sample.events.get(key, ()) if e.value is not None]
    finite = [value for value in values if isfinite(value)]
    if not finite or max(finite) <= _HUGE * median(finite):
        return "what is rounded stays"
    return f"the digits that it loses to a value of {max(finite):.3g} stay lost"


def _answer_each(totals: Totals, mean: bool, events: Sequence[Event], places: Sequence[Place]) -> list[Answer]:
    sums = totals([float(e.value) for e in events], places)
    made = (total / (hi - lo) if mean else total for total, (lo, hi) in zip(sums, places, strict=True))
    return [Answer(json.dumps(one), one, one) for one in made]


def _subtract(compensated: bool, values: Sequence[float], places: Sequence[Place]) -> list[float]:
    """The totals up to the ends of windows less those up to their begins."""
    total, totals = _Total(compensated), [0.0]
    for value in values:
        total.add([value])
        totals.append(total.value)
    return [totals[hi] - totals[lo] for lo, hi in places]


def _slide(adds_first: bool, values: Sequence[float], places: Sequence[Place]) -> list[float]:
    """The total of a window as what comes and what goes makes it of that of the one before."""
    total, made = _Total(), list[float]()
    a = b = 0
    for lo, hi in places:
        if adds_first:
            total.add(values[b:hi])
        total.take(values[a : lo if adds_first else min(lo, b)])
        if not adds_first:
            total.add(values[max(b, lo) : hi])
        a, b = lo, hi
        made.append(total.value)
    return made


def _slide_as_pandas(values: Sequence[float], places: Sequence[Place]) -> list[float]:
    """The same, begun anew where a window has nothing of the one before; equal values alone are multiplied."""
    total, made = _Total(compensated=True), list[float]()
    a = b = 0
    for lo, hi in places:
        if lo >= b:
            total = _Total(compensated=True)
            total.add(values[lo:hi])
        else:
            total.take(values[a:lo])
            total.add(values[b:hi])
        a, b = lo, hi
        alike = len(set(values[lo:hi])) == 1 and not isnan(values[lo])
        made.append(values[lo] * (hi - lo) if alike else total.value)
    return made
