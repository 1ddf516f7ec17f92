"""Values that are far from the others of their own window, or key: left out as outliers, or cut off, before they are
aggregated.

How far that is there are many rules for: so many deviations from the mean, once or again until none is left; so many
interquartile ranges beyond the quartiles; so many median absolute deviations from the median; beyond a quantile, or a
share of the values at each end.  They are tried on a few findings first, and saying which one it is costs as many bits.
Those that do the same to all of these windows are told together.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain, product
from math import inf, isfinite, log2, sqrt
from statistics import median
from typing import Any, Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Foretold, Name, Sample
from swagproof.pipeline.audit.causes.tried.answers import answer_of, number_of
from swagproof.pipeline.audit.causes.tried.states import choose_findings
from swagproof.pipeline.audit.rules import Answer

_NUMBERS: Final = frozenset(("int", "float", "decimal"))
_NEAR: Final = 1e-9
_EDGE: Final = 1e-12
"""How far beyond a limit a value may be and still be at it, as both are floats."""
_LOOKED: Final = 4000
"""How many events the findings have in all that are looked at first."""
_SHARE: Final = 12
"""Of how many findings that are looked at first it explains one at least."""
_TOLD: Final = 40
"""Of how many ways it is looked which do the same."""
_TIMES: Final = (2.0, 3.0, 2.5, 1.5, 1.0)
"""How many deviations are far, the likelier first."""
_MIDDLE: Final = (3.0, 3.5, 2.5, 2.0, 5.0)
_FENCES: Final = (1.5, 3.0)
_SHARES: Final = (5, 10, 20, 25, 1)
"""In hundredths, how many values are left out at an end."""
_COUNTS: Final = (1, 2, 3)
"""How many values are left out at an end; that it is one is looked for elsewhere, too."""
_ROUNDS: Final = 50
"""How often outliers are looked for among what is left, at most."""

Limits = tuple[float, float]
Count = Callable[[int], int]
"""How many of so many values are left out at an end."""


class _Values:
    """Some values, and what is made of all of them."""

    def __init__(self, values: Sequence[Any]) -> None:
        self.sorted = sorted(map(float, values))
        self.middle = median(self.sorted)
        self.mean = sum(self.sorted) / len(self.sorted)

    @cached_property
    def squares(self) -> float:
        return sum((v - self.mean) ** 2 for v in self.sorted)

    @cached_property
    def off_middle(self) -> float:
        """The median absolute deviation."""
        return median([abs(v - self.middle) for v in self.sorted])

    def deviate(self, freedom: int) -> float | None:
        """The deviation; None where it is not defined."""
        n = len(self.sorted) - freedom
        return sqrt(self.squares / n) if n else None

    def at(self, share: int) -> float:
        """A quantile in hundredths, interpolated."""
        return self._between(Fraction(share * (len(self.sorted) - 1), 100))

    @cached_property
    def quartiles(self) -> tuple[Limits, ...]:
        """Interpolated; as of a sample; and the medians of the two halves."""
        n = len(self.sorted)
        halves = [self.sorted[: (n + 1) // 2], self.sorted[n // 2 :]]
        ends = (Fraction(n + 1, 4) - 1, Fraction(3 * (n + 1), 4) - 1)
        low, high = (self._between(min(max(at, Fraction(0)), Fraction(n - 1))) for at in ends)
        return (self.at(25), self.at(75)), (low, high), (median(halves[0]), median(halves[1]))

    def _between(self, at: Fraction) -> float:
        low = self.sorted[int(at)]
        return low + (self.sorted[min(int(at) + 1, len(self.sorted) - 1)] - low) * float(at - int(at))


@dataclass(frozen=True)
class _Rule:
    """What is far, in words with a place for whose it is; and its limits, or how many values there are at each end."""

    said: str
    find: Callable[[_Values], Limits | None]
    count: Count | None = None
    sides: tuple[bool, bool] = (True, True)
    """Whether it is of the least values, and of the greatest."""
    empties: bool = False
    """Whether it may leave none, of which there is no result then."""
    strict: bool = False
    """Whether of values that do not deviate, or of a single one, none is left."""

    def limit(self, of: _Values) -> Limits:
        """Beyond which values are far."""
        found = self.find(of)
        if found is None or (self.strict and len(of.sorted) and of.sorted[0] == of.sorted[-1]):
            return (inf, -inf) if self.strict else (-inf, inf)
        low, high = found
        return low if self.sides[0] else -inf, high if self.sides[1] else inf


@dataclass(frozen=True)
class _Way:
    """A rule, whose values it is made of, and whether what is far is cut off; else it is left out."""

    rule: _Rule
    of_key: bool
    clips: bool

    @property
    def far(self) -> str:
        """What is far, in words."""
        return self.rule.said.format("key" if self.of_key else "window")

    def change(self, values: "_Values", events: Sequence[Event]) -> list[tuple[Event, Any]]:
        """The events that are left, each with the value that it has then."""
        if self.rule.count is not None and not self.clips:
            return self._cut(self.rule.count, events)
        low, high = self.rule.limit(values)
        below, above = low - _EDGE * abs(low), high + _EDGE * abs(high)
        kept: list[tuple[Event, Any]] = []
        for e in events:
            if e.value is None or below <= e.value <= above:
                kept.append((e, e.value))
            elif self.clips:
                kept.append((e, _write(low if e.value < below else high, e.value)))
        return kept

    def _cut(self, count: Count, events: Sequence[Event]) -> list[tuple[Event, Any]]:
        ranked = sorted((e for e in events if e.value is not None), key=lambda e: (e.value, *e[:2]))
        n, (low, high) = count(len(ranked)), self.rule.sides
        gone = {e.arrival for e in (*(ranked[:n] if low else ()), *(ranked[len(ranked) - n :] if high else ()))}
        return [(e, e.value) for e in events if e.arrival not in gone]


def _write(limit: float, like: Any) -> Any:
    return limit if isinstance(like, float) else Fraction(limit)


def list_outliers(sample: Sample) -> Iterator[Hypothesis]:
    """The ways that explain some of a few findings."""
    if len(sample.kinds) != 1 or not {sample.kind, *sample.kinds} <= _NUMBERS:
        return
    if not all(e.value is None or isfinite(e.value) for e in sample.came):
        return
    windows, keys, ways = _look(sample), _Keys(sample.events), list(_list_ways())
    if not windows:
        return
    found = [way for way in ways if _fits_some(sample, way, windows, keys)]
    for which, same in _group(sample, found, keys):
        yield _suppose(sample, which, same, keys, log2(len(ways)))


def _look(sample: Sample) -> dict[Name, _Values]:
    """A few findings, the smallest first, and the values of each."""
    found, n = dict[Name, _Values](), 0
    for name in sorted(choose_findings(sample), key=lambda name: len(sample.due[name][0].events)):
        mine = _values_of(sample.due[name][0].events)
        if mine is not None and n + len(mine.sorted) <= _LOOKED:
            found[name] = mine
            n += len(mine.sorted)
    return found


class _Keys:
    """The values of each key."""

    def __init__(self, events: Events) -> None:
        self._events = events
        self._found: dict[str, _Values | None] = {}

    def of(self, key: str) -> _Values | None:
        """Those of a key; None where there is none."""
        if key not in self._found:
            values = [e.value for e in self._events.get(key, ()) if e.value is not None]
            self._found[key] = _Values(values) if values else None
        return self._found[key]


def _list_ways() -> Iterator[_Way]:
    for of_key, clips in product((False, True), (False, True)):
        for rule in chain(_list_limits(), () if of_key else _list_ends()):
            if not (clips and rule.strict):
                yield _Way(rule, of_key, clips)


def _list_limits() -> Iterator[_Rule]:
    """Rules that make limits of values."""
    for k, (freedom, whose) in product(_TIMES, ((1, " (of a sample)"), (0, " (of a population)"))):
        times = f"{k:g} deviation{'s' * (k != 1)}{whose}"
        yield from _list_sides(f"values more than {times} {{}} the mean", partial(_find_deviations, k, freedom))
        nearly = partial(_find_deviations, k - _NEAR, freedom)
        said = f"values {times} or more from the mean of their {{}}, and whatever does not deviate"
        yield _Rule(said, nearly, empties=True, strict=True)
        if k >= _TIMES[-2]:
            said = f"values more than {times} from the mean of their {{}}, again until there is none"
            yield _Rule(said, partial(_find_again, k, freedom))
            said = f"values more than {times} from the median of their {{}}"
            yield _Rule(said, partial(_find_round_middle, k, freedom))
    for k, (i, how) in product(_FENCES, enumerate(("", " (as of a sample)", " (medians of the halves)"))):
        said = f"values more than {k:g} interquartile ranges {{}} the quartiles{how}"
        yield from _list_sides(said, partial(_find_fences, k, i), ("beyond", "below", "above"))
    for k, (scale, how) in product(_MIDDLE, ((1.4826, " times 1.4826"), (1.0, ""))):
        said = f"values more than {k:g} median absolute deviations{how} {{}} the median"
        yield from _list_sides(said, partial(_find_middle, k * scale))
    for p in _SHARES:
        find = partial(_find_quantiles, p)
        yield _Rule(f"values beyond the quantiles of {p}% and {100 - p}% of their {{}}", find, empties=True)
        yield _Rule(f"values below the quantile of {p}% of their {{}}", find, sides=(True, False))
        yield _Rule(f"values above the quantile of {100 - p}% of their {{}}", find, sides=(False, True))


def _list_sides(
    said: str, find: Callable[[_Values], Limits | None], where: Sequence[str] = ("from", "below", "above")
) -> Iterator[_Rule]:
    for which, sides in zip(where, ((True, True), (True, False), (False, True)), strict=True):
        yield _Rule(f"{said.format(which)} of their {{}}", find, sides=sides)


def _list_ends() -> Iterator[_Rule]:
    """Rules that leave out so many values of a window at its ends."""
    shares: list[tuple[str, Count]] = [(f"{p}%", partial(_count_share, p)) for p in _SHARES]
    numbers: list[tuple[str, Count]] = [(f"{n}", partial(_count_some, n)) for n in _COUNTS]
    for said, count in (*shares, *numbers):
        for which, sides in (
            (f"the {said} at each end", (True, True)),
            (f"the least {said}", (True, False)),
            (f"the greatest {said}", (False, True)),
        ):
            yield _Rule(f"{which} of the values of each {{}}", partial(_find_ends, count), count, sides)
    yield _Rule("values that are equal to the least or the greatest of their {}", _find_inner)


def _count_share(p: int, n: int) -> int:
    return n * p // 100


def _count_some(some: int, n: int) -> int:
    return some if n > 2 * some else 0


def _find_ends(count: Count, of: _Values) -> Limits:
    n = count(len(of.sorted))
    return of.sorted[n], of.sorted[len(of.sorted) - 1 - n]


def _find_inner(of: _Values) -> Limits | None:
    inner = [v for v in of.sorted if of.sorted[0] < v < of.sorted[-1]]
    return (inner[0], inner[-1]) if inner else None


def _find_deviations(k: float, freedom: int, of: _Values) -> Limits | None:
    off = of.deviate(freedom)
    return None if off is None else (of.mean - k * off, of.mean + k * off)


def _find_round_middle(k: float, freedom: int, of: _Values) -> Limits | None:
    off = of.deviate(freedom)
    return None if off is None else (of.middle - k * off, of.middle + k * off)


def _find_again(k: float, freedom: int, of: _Values) -> Limits | None:
    limits = _find_deviations(k, freedom, of)
    for _ in range(_ROUNDS):
        if limits is None:
            break
        kept = [v for v in of.sorted if limits[0] <= v <= limits[1]]
        if not kept or len(kept) == len(of.sorted):
            break
        of = _Values(kept)
        limits = _find_deviations(k, freedom, of) or limits
    return limits


def _find_fences(k: float, i: int, of: _Values) -> Limits:
    low, high = of.quartiles[i]
    return low - k * (high - low), high + k * (high - low)


def _find_middle(k: float, of: _Values) -> Limits:
    return of.middle - k * of.off_middle, of.middle + k * of.off_middle


def _find_quantiles(p: int, of: _Values) -> Limits:
    return of.at(p), of.at(100 - p)


def _change(sample: Sample, way: _Way, values: _Values | None, events: Sequence[Event]) -> list[Event]:
    """The events that are left, with the values that they have then."""
    if values is None:
        return list(events)
    return [e if v is e.value else sample.lift(e, v) for e, v in way.change(values, events)]


def _fits_some(sample: Sample, way: _Way, windows: Mapping[Name, _Values], keys: _Keys) -> bool:
    """Whether it explains two of the findings that are looked at first at least, and one of so many."""
    least, fits = max(2, len(windows) // _SHARE), 0
    for name, mine in windows.items():
        events = sample.due[name][0].events
        made = _change(sample, way, keys.of(name[0]) if way.of_key else mine, events)
        if made and made != list(events):
            answer = _answer_nearly(sample, made) if way.clips else sample.answer(made)
            fits += sample.fits([answer], sample.results[name])
            if fits == least:
                return True
    return False


def _values_of(events: Sequence[Event]) -> _Values | None:
    values = [e.value for e in events if e.value is not None]
    return _Values(values) if values else None


def _answer_nearly(sample: Sample, events: Sequence[Event]) -> Answer:
    """An answer that is made of limits, which are floats."""
    due = sample.answer(events)
    value = number_of(due)
    return due if value is None else answer_of(value, near=_NEAR)


def _group(sample: Sample, ways: Sequence[_Way], keys: _Keys) -> Iterator[tuple[_Way, list[_Way]]]:
    """The ways, each with those that do the same to all windows."""
    groups: dict[Any, list[_Way]] = {}
    for i, way in enumerate(ways):
        groups.setdefault(_tell_apart(sample, way, keys) if i < _TOLD else i, []).append(way)
    for which, *same in groups.values():
        yield which, same


def _tell_apart(sample: Sample, way: _Way, keys: _Keys) -> Any:
    made: list[Any] = []
    for name, parts in sample.due.items():
        for part in parts:
            values = keys.of(name[0]) if way.of_key else _values_of(part.events)
            kept = [] if values is None else way.change(values, part.events)
            made.append(tuple((e.arrival, None if v is None else f"{float(v):.9g}") for e, v in kept))
    return tuple(made)


def _suppose(sample: Sample, way: _Way, same: Sequence[_Way], keys: _Keys, bits: float) -> Hypothesis:
    other = f" (or {same[0].far}, which is the same here)" if same else ""
    if way.clips:
        cause, why = "clamped", f"takes {way.far} for the nearest that is not{other}"
    else:
        cause = "some values left out" if way.rule.count is None else "trimmed"
        why = f"leaves out {way.far}{other}"
    answer = partial(_answer_nearly, sample) if way.clips else None
    results = _drop_empty if way.rule.empties and not way.clips else None
    if way.of_key:
        events = partial(_change_keys, sample, way, keys)
        return Hypothesis(cause, why, events=events, answer=answer, results=results, filters=not way.clips, bits=bits)
    content = partial(_change_window, sample, way)
    filters = way.rule.empties and not way.clips
    return Hypothesis(cause, why, content=content, answer=answer, results=results, filters=filters, bits=bits)


def _change_window(sample: Sample, way: _Way, events: Sequence[Event]) -> Sequence[Event]:
    made = _change(sample, way, _values_of(events), events)
    return events if made == list(events) else made


def _change_keys(sample: Sample, way: _Way, keys: _Keys, all_: Events) -> Events:
    return {key: _change(sample, way, keys.of(key), events) for key, events in all_.items()}


def _drop_empty(found: Foretold) -> Foretold:
    return {name: parts for name, parts in found.items() if any(part.events for part in parts)}
