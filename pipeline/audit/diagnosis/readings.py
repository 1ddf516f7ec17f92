"""Parameters inferred from the findings: ratios, offsets, delays, limits, cells and spans.

Inference costs bits, and an edit with an inferred parameter must explain more findings than the inference used.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import log2
from random import Random
from typing import Any, Final

from swagproof.models.windows.kinds import Sliding
from swagproof.models.windows.lateness import NEVER, slack
from swagproof.models.windows.text import NANOSECONDS
from swagproof.pipeline.audit.diagnosis.sample import Event, Name, Sample, got_number, number_of
from swagproof.pipeline.audit.reading.keys import show_key
from swagproof.pipeline.audit.tables import Tick

READ: Final = 4.0
"""Bits of a number inferred from the findings."""
MANY: Final = 40
"""Columns with more distinct cells are not tried cell by cell."""
_MOSTLY: Final = 0.8
"""The least share of suspects among the events of an inferred cell."""
_ROUND: Final = tuple(k * 10**n for n in range(15, -1, -1) for k in (5, 2, 1))
_TIMED: Final = (604_800, 86_400, 43_200, 21_600, 3600, 1800, 900, 300, 60, 30, 15, 10, 5, 1)


def second(tick: Tick) -> int:
    """Return the number of ticks in a second.

    >>> second("us")
    1000000
    """
    return 10**9 // NANOSECONDS[tick or "ns"]


def choose_round(low: int, high: int, tick: Tick) -> int:
    """Return the roundest number above `low` and not above `high`, as people would choose it.

    >>> choose_round(17, 42, None), choose_round(6, 7, None), choose_round(59_000_000, 65_000_000, "us")
    (20, 7, 60000000)
    """
    if low < 0 <= high:
        return 0
    units = _ROUND if tick is None else (*(n * second(tick) for n in _TIMED), *_ROUND)
    for unit in units:
        least, most = low // unit + 1, high // unit
        if least <= most:
            return int(least * unit)
    return high


def spans(tick: Tick) -> list[int]:
    """Return common spans, in ticks."""
    if tick is None:
        return [2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 60, 100, 300, 600, 1000, 3600, 86_400]
    return [n * second(tick) for n in (1, 10, 60, 300, 600, 900, 1800, 3600, 6 * 3600, 86_400)]


def errors(sample: Sample) -> Iterator[tuple[Name, Any, Any]]:
    """Yield the findings with one expected and one actual number: the window, the actual, the expected number."""
    for name in sorted(sample.open, key=str):
        got, due = sample.results.get(name, []), sample.answers.get(name, [])
        if len(got) == len(due) == 1:
            number, right = got_number(got[0]), number_of(due[0])
            if _is_finite(number) and _is_finite(right):
                yield name, number, right


def _is_finite(number: Any) -> bool:
    try:
        return number is not None and abs(float(number)) < float("inf")
    except OverflowError:
        return False


def exact(number: Any) -> Fraction:
    """Return a number as a fraction; a float by its shortest decimal."""
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


def show_number(number: Fraction) -> str:
    """Return a number as text."""
    return str(number.numerator) if number.denominator == 1 else f"{float(number):.6g}"


def ratios(sample: Sample) -> list[Fraction]:
    """Return the most frequent ratios of actual to expected numbers."""
    found: Counter[Fraction] = Counter()
    for _, number, right in errors(sample):
        if right:
            ratio = exact(number) / exact(right)
            found[ratio if type(number) is not float else ratio.limit_denominator(1_000_000)] += 1
    return [ratio for ratio, n in found.most_common(3) if n > 1 and ratio not in (0, 1)]


def clocks(sample: Sample) -> Iterator[tuple[str, Callable[[Event], int]]]:
    """Yield clocks that may close windows, with text: the latest time of all keys or its key, columns of times."""
    if sample.numbered:
        latest, of_key = sample.latest, sample.latest_of_key
        yield "the latest time so far", lambda e: latest.get(e.arrival, NEVER)
        yield "the latest time of its key", lambda e: of_key.get(id(e), NEVER)
    for i, column in time_columns(sample):
        yield column, partial(lambda i, e: e.others[i] if e.others[i] is not None else NEVER, i)


def time_columns(sample: Sample) -> Iterator[tuple[int, str]]:
    """Yield the other columns that hold times: numbers near the events' own times."""
    for i, column in enumerate(sample.columns):
        cells = [(e.others[i], e.time) for e in sample.came if e.others[i] is not None]
        if not cells or not all(isinstance(cell, int) for cell, _ in cells):
            continue
        width = max(t for _, t in cells) - min(t for _, t in cells) + 1
        if sample.tick is None:
            distance = sorted(abs(cell - t) for cell, t in cells)[len(cells) // 2]
            if distance * 4 <= width and len({cell for cell, _ in cells}) * 4 > len(cells):
                yield i, column
        elif all(abs(cell - t) <= max(width, 400 * 86_400 * second(sample.tick)) for cell, t in cells):
            yield i, column


def take_all(_event: Event, _end: int) -> bool:
    """Return True: every event is in time."""
    return True


def find_delay(sample: Sample, read: Callable[[Event], int], *, longer: bool) -> int | None:
    """Return a watermark delay by this clock with which right windows keep their events.

    An event is late for a window that ends at `end` if clock - delay >= end.  With `longer`, the delay takes events
    that the watermark drops; otherwise findings lose events with it.
    """
    kept, lost, dropped = -1, -1, list[int]()
    for name, parts in (sample.cut(takes=take_all) if longer else sample.expected).items():
        held = {id(e) for part in sample.expected.get(name, ()) for e in part.events}
        for e in (e for part in parts for e in part.events if name not in sample.aside):
            end, at = window_end(sample, name, e), read(e)
            if at == NEVER or end is None:
                continue
            if name in sample.open:
                lost = max(lost, at - end)
            elif id(e) in held:
                kept = max(kept, at - end)
            else:
                dropped.append(at - end)
    if longer:
        kept, lost = max(kept, sample.delay or 0), min(dropped, default=-1)
    return choose_round(kept, lost, sample.tick) if lost >= 0 and lost > kept else None


def window_end(sample: Sample, name: Name, event: Event) -> int | None:
    """Return the time at which an event's window is closed; None if the results do not show it."""
    if isinstance(sample.window, Sliding):
        end = name[2] if name[2] is not None else None if name[1] is None else name[1] + sample.window.range
        return None if end is None else end + slack(sample.window)
    end = getattr(sample.window, "gap", None)
    return event.time + (1 if end is None else int(end)) if name[2] is None or end is not None else name[2]


def bad_cells(sample: Sample, read: Callable[[Event], Hashable]) -> tuple[list[Any], int]:
    """Return the cells found mostly in suspects, and the number of cells, among keys with findings.

    An event with value zero, or one that does not affect the result, may be in a right window although it was lost.
    """
    of: dict[Hashable, list[bool]] = defaultdict(list)
    for key in sample.wrong_keys:
        for e in sample.events.get(key, ()):
            of[read(e)].append(id(e) in sample.suspects)
    return sorted((cell for cell, bad in of.items() if sum(bad) >= _MOSTLY * len(bad)), key=str), len(of)


def limits(sample: Sample) -> Iterator[tuple[str, Any, float]]:
    """Yield limits beyond which all events are suspects: `more` or `less`, the limit, and its bits."""
    cells = [(e.value, id(e) in sample.suspects) for key in sample.wrong_keys for e in sample.events.get(key, ())
             if e.value is not None]  # fmt: skip
    clean, distinct = [cell for cell, bad in cells if not bad], sorted({cell for cell, _ in cells})
    if len(distinct) < 3 or not clean:
        return
    above, below = [cell for cell in distinct if cell > max(clean)], [cell for cell in distinct if cell < min(clean)]
    if above:
        yield "more", above[0], log2(len(distinct))
    if below:
        yield "less", below[-1], log2(len(distinct))


def source_keys(sample: Sample) -> dict[str, str]:
    """Return keys whose results are the expected ones of another key."""
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    by_place: dict[tuple[Any, ...], list[str]] = defaultdict(list)
    for key, *place in sample.expected:
        by_place[tuple(place)].append(key)
    for name in sample.open:
        for other in by_place[name[1:]] if name in sample.results else ():
            if other != name[0] and sample.fits(sample.answers[other, name[1], name[2]], sample.results[name]):
                votes[name[0]][other] += 1
    sizes = Counter(name[0] for name in sample.open if name in sample.results)
    return {
        key: best[0][0] for key, of in votes.items() if (best := of.most_common(1))[0][1] >= max(2, sizes[key] // 2)
    }


def key_words(key: str) -> str:
    """Return a key as text."""
    return show_key(key) or "(none)"


_PRIME: Final = 2**61 - 1
_CELLS: Final = 600
"""The greatest number of cells among which two or three are searched."""


@dataclass(frozen=True)
class Sums:
    """Fingerprints of each event's contribution to all windows, for sums and counts.

    Each window has a random weight.  The fingerprints of lost or repeated events add up to the fingerprint of all
    errors, so that such events can be looked up instead of tried.
    """

    of_event: list[tuple[Event, int]]
    """Each event in the order of arrival, and its fingerprint."""
    error: int
    """The fingerprint of the actual less the expected results."""

    @staticmethod
    def read(sample: Sample) -> "Sums | None":
        """Return the fingerprints of a sample; None if it has no sums, or findings other than wrong numbers."""
        count = sample.aggregate == "count"
        if not (count or (sample.aggregate == "sum" and sample.kinds[0] in ("int", "decimal"))):
            return None
        dice = Random(len(sample.expected))
        of: dict[int, int] = defaultdict(int)
        error = 0
        for name in {**sample.expected, **sample.results}:
            if name in sample.aside:
                continue
            weight = dice.randrange(_PRIME)
            parts, got = sample.expected.get(name, ()), sample.results.get(name, ())
            numbers = [got_number(it) for it in got]
            if len(parts) != 1 or len(got) > 1 or None in numbers:
                return None
            due = number_of(sample.answers[name][0])
            if due is None or sample.answers[name][0].low != sample.answers[name][0].high:
                return None
            error += weight * _residue(exact(numbers[0] if numbers else 0) - exact(due))
            for e in parts[0].events:
                if e.value is not None or not sample.kinds:
                    of[id(e)] += weight * (1 if count else _residue(exact(e.value)))
        return Sums([(e, of[id(e)] % _PRIME) for e in sample.came if id(e) in of], error % _PRIME)

    def find_run(self, read: Callable[[Event], int], *, twice: bool) -> tuple[int, int] | None:
        """Return the shortest run of arrival numbers, or of times, whose events explain all errors."""
        wanted = self.error if twice else -self.error % _PRIME
        of: dict[int, int] = defaultdict(int)
        for e, mark in self.of_event:
            of[read(e)] = (of[read(e)] + mark) % _PRIME
        starts: dict[int, int] = {}
        total, best = 0, None
        places = sorted(of)
        for i, at in enumerate(places):
            starts[total] = i
            total = (total + of[at]) % _PRIME
            begin = starts.get((total - wanted) % _PRIME)
            if begin is not None and (best is None or i - begin < best[1] - best[0]):
                best = begin, i
        return None if best is None else (places[best[0]], places[best[1]])

    def find_cells(self, read: Callable[[Event], Hashable], *, twice: bool) -> list[Any]:
        """Return up to three cells, as few as possible, whose events explain all errors."""
        wanted = self.error if twice else -self.error % _PRIME
        of: dict[Hashable, int] = defaultdict(int)
        for e, mark in self.of_event:
            of[read(e)] = (of[read(e)] + mark) % _PRIME
        cells = {mark: cell for cell, mark in of.items()}
        if wanted in cells:
            return [cells[wanted]]
        if not 4 < len(of) <= _CELLS:
            return []
        for cell, mark in of.items():
            other = cells.get((wanted - mark) % _PRIME, cell)
            if other != cell:
                return [cell, other]
        for (one, mark), (two, more) in combinations(of.items(), 2):
            three = cells.get((wanted - mark - more) % _PRIME, one)
            if three not in (one, two):
                return [one, two, three]
        return []


def _residue(number: Fraction) -> int:
    return number.numerator * pow(number.denominator, -1, _PRIME)


def name_shifts(sample: Sample) -> list[int]:
    """Return shifts of the results' names that fit their answers."""
    votes: Counter[int] = Counter()
    by_key: dict[str, list[tuple[int, list[Any]]]] = defaultdict(list)
    for name, answers in sample.answers.items():
        by_key[name[0]].append((name[1] if name[1] is not None else name[2] or 0, answers))
    for name in sorted(sample.open, key=str)[:60]:
        got = sample.results.get(name, ())
        at = name[1] if name[1] is not None else name[2] or 0
        for begin, answers in by_key[name[0]]:
            if got and begin != at and sample.fits(answers, got):
                votes[at - begin] += 1
    return [shift for shift, n in votes.most_common(2) if n > 2]


def lags(sample: Sample) -> list[int]:
    """Return the residues of window begins in results that no expected window has."""
    if not isinstance(sample.window, Sliding) or ("a" not in sample.on and "b" not in sample.on):
        return []
    window = sample.window
    shift = 0 if "a" in sample.on else window.range
    found = Counter(
        ((name[1] if name[1] is not None else name[2] or 0) - shift - window.offset) % window.slide
        for name in sample.results
    )
    return [residue for residue, n in found.most_common(3) if residue and n > 2]


def sums_up(sample: Sample, name: Name) -> bool:
    """Return whether several results of a window add up to the expected one."""
    numbers = [got_number(got) for got in sample.results.get(name, ())]
    due = sample.answers.get(name, ())
    if len(numbers) < 2 or len(due) != 1 or None in numbers or sample.aggregate not in ("sum", "count"):
        return False
    total = sum(map(exact, numbers))
    return number_of(due[0]) is not None and total == exact(number_of(due[0]))
