"""Values in another unit: cents for euros, gross for net, Fahrenheit for Celsius; of all events, of a key, or of those
that a column marks.

A factor may be anything, a rate of exchange or a tax; so it is read off the results: of a sum that is made of some
values as they are and of others so many times, each finding says how many times.  Where converted values were rounded
each by itself the findings agree but nearly, and the plain number near what they say is tried, with the ways to round.
All is tried on few findings first, and saying which it is costs as many bits as there are to choose from.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil, floor, log2
from typing import Any, Final

from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Name, Sample
from swagproof.pipeline.audit.causes.tried.answers import got_number
from swagproof.pipeline.audit.causes.tried.states import choose_findings, fits_some
from swagproof.pipeline.audit.keys import show_key

_CELLS: Final = 8
"""How many different cells a column has at most whose events may be in another unit."""
_KEYS: Final = 12
"""Likewise of keys."""
_AGREED: Final = 0.6
"""How many of the findings that are looked at have to agree about a factor."""
_PLAIN: Final = 4
"""How many plain numbers are tried that are near what findings say."""
_LINEAR: Final = ("sum", "mean")
_CHOSEN: Final = ("min", "max", "median", "first", "last")
"""Aggregates that are as many times as great where all values are."""
KNOWN: Final = tuple(k for n in (10, 60, 100, 1000, 1024, 3600, 10**6, 2**20) for k in (Fraction(n), Fraction(1, n)))
"""Factors of units that are mistaken for each other."""
_SCALES: Final = {
    "as Fahrenheit, for Celsius": (Fraction(9, 5), Fraction(32)),
    "as Celsius, for Fahrenheit": (Fraction(5, 9), Fraction(-160, 9)),
    "as Kelvin, for Celsius": (Fraction(1), Fraction(27315, 100)),
    "as Celsius, for Kelvin": (Fraction(1), Fraction(-27315, 100)),
}
"""Units that do not begin at the same zero."""
_ROUNDINGS: Final[dict[str, Callable[[Fraction], int] | None]] = {
    "": None,
    ", rounded": round,
    ", rounded, halves up": lambda v: floor(v + Fraction(1, 2)) if v >= 0 else ceil(v - Fraction(1, 2)),
    ", cut off": int,
}
_TIMES: Final = 10
"""By fewer than these nobody converts."""


@dataclass(frozen=True)
class Some:
    """Some events, in words."""

    said: str
    holds: Callable[[str, Event], bool]


def list_units(sample: Sample) -> Iterator[Hypothesis]:
    """Values of some events, or of all, in another unit."""
    own = sample.aggregation.name
    if len(sample.kinds) != 1 or sample.kinds[0] not in ("int", "float", "decimal"):
        return
    if sample.kind not in ("int", "float", "decimal") or own not in (*_LINEAR, *_CHOSEN):
        return
    looked = choose_findings(sample)
    if len(looked) < 2:
        return
    some = list(list_some(sample))
    found: list[tuple[str, Some, Callable[[Event], Event]]] = []
    tried = 0
    for which in some:
        mine = [name for name in looked if _has(sample, name, which)]
        ways = [*_list_scales(sample), *_list_factors(sample, mine, which)]
        tried += len(ways)
        for said, change in ways:
            if fits_some(sample, mine, partial(_answer, sample, which, change), keyed=True, share=3):
                found.append((said, which, change))
    for said, which, change in found:
        convert = partial(_convert, which, change)
        why = f"takes the values{which.said} {said}"
        yield Hypothesis("another unit", why, events=convert, needs=2, scales=True, bits=RARE + log2(max(2, tried)))


def list_some(sample: Sample) -> Iterator[Some]:
    """Which events have another unit: all, those of a key that is wrong, or of a cell."""
    yield Some("", lambda key, e: True)
    wrong = sorted({name[0] for name in sample.open})
    if len(wrong) < len(sample.events):
        for key in wrong[:_KEYS]:
            yield Some(f" of key {show_key(key)}", partial(_is_of_key, key))
    for i, column in enumerate(sample.columns):
        cells = sample.list_cells(i)
        if 1 < len(cells) <= _CELLS:
            for cell in sorted(cells, key=str):
                said = f" of events whose {column} is {'null' if cell is None else cell}"
                yield Some(said, partial(_has_cell, i, cell))


def _is_of_key(key: str, of: str, _e: Event) -> bool:
    return key == of


def _has_cell(i: int, cell: Any, _of: str, e: Event) -> bool:
    return bool(e.others[i] == cell)


def _has(sample: Sample, name: Name, which: Some) -> bool:
    return any(which.holds(name[0], e) and e.value for e in sample.due[name][0].events)


def _list_scales(sample: Sample) -> Iterator[tuple[str, Callable[[Event], Event]]]:
    if sample.kinds[0] == "int" or sample.aggregation.name == "sum":  # such units are measured, and nobody adds them
        return
    for said, (factor, more) in _SCALES.items():
        yield said, partial(_change, sample, factor, more, None)


def _list_factors(sample: Sample, names: Sequence[Name], which: Some) -> Iterator[tuple[str, Callable[[Event], Event]]]:
    """The factors that the findings agree about, and how converted values may be rounded."""
    said = [one for name in names if (one := _read_factor(sample, name, which)) is not None]
    if len(said) < 2:
        return
    factor, off = min(said, key=lambda it: it[1])
    agree = [one for one, far in said if abs(one - factor) <= off + far + 1e-9 * abs(factor)]
    if len(agree) < _AGREED * len(said):
        return
    for k in _list_plain(factor, off):
        if k.denominator == 1 and 1 < k < _TIMES and sample.aggregation.name == "sum":
            continue  # events that are counted so many times, as by a join
        shown = f"{float(k):.9g} times"
        if len(inverse := f"{float(1 / k):.9g}") < len(f"{float(k):.9g}"):
            shown = f"divided by {inverse}"
        for how, rounded in _ROUNDINGS.items():
            if rounded is None or sample.kinds[0] != "float":
                yield f"{shown}{how}", partial(_change, sample, k, Fraction(0), rounded)


def _read_factor(sample: Sample, name: Name, which: Some) -> tuple[float, float] | None:
    """How many times the values are taken, as a finding has it, and how far off that is where each was rounded."""
    got = got_number(sample, name)
    events = [e for e in sample.due[name][0].events if e.value is not None]
    if got is None or not events:
        return None
    those = [e for e in events if which.holds(name[0], e)]
    if sample.aggregation.name in _CHOSEN:
        (due,) = sample.answers[name]
        right = Fraction(0) if due.low is None else Fraction(due.low)
        return (float(Fraction(got) / right), 1 / abs(float(right))) if right and len(those) == len(events) else None
    n = len(events) if sample.aggregation.name == "mean" else 1
    changed = sum(Fraction(e.value) for e in those)
    rest = sum(Fraction(e.value) for e in events) - changed
    if not changed:
        return None
    off = len(those) / abs(float(changed)) if sample.kinds[0] != "float" else 1e-6
    return float((Fraction(got) * n - rest) / changed), off


def _list_plain(factor: float, off: float) -> Iterator[Fraction]:
    """The plainest numbers that are near a factor, or whose inverse is; 1 is none of them."""
    found: dict[Fraction, None] = dict.fromkeys(KNOWN)
    for digits in range(1, 7):
        near = Fraction(f"{factor:.{digits}g}")
        found.setdefault(near)
        if factor:
            inverse = Fraction(f"{1 / factor:.{digits}g}")
            found.setdefault(1 / inverse if inverse else near)
    yield from [k for k in found if k not in (0, 1) and abs(float(k) - factor) <= off + 1e-9 * abs(factor)][:_PLAIN]


def _change(
    sample: Sample, factor: Fraction, more: Fraction, rounded: Callable[[Fraction], int] | None, e: Event
) -> Event:
    if e.value is None:
        return e
    if isinstance(e.value, float):
        return sample.lift(e, e.value * float(factor) + float(more))
    made = Fraction(e.value) * factor + more
    whole = made if rounded is None else Fraction(rounded(made))
    return sample.lift(e, int(whole) if whole.denominator == 1 and sample.kinds[0] == "int" else whole)


def _answer(sample: Sample, which: Some, change: Callable[[Event], Event], key: str, events: Sequence[Event]) -> Any:
    return sample.answer([change(e) if which.holds(key, e) else e for e in events])


def _convert(which: Some, change: Callable[[Event], Event], all_: Events) -> Events:
    return {key: [change(e) if which.holds(key, e) else e for e in events] for key, events in all_.items()}
