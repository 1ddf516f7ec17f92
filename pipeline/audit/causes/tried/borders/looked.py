"""Windows that each run of a job writes over by what it reads: a run that looks back some time reads but a part of the
window that it looks back to, and what was there before is lost.

Each window is left to the last run that reads something of it, so that it holds what is from some time on: the last one
before its last event of those that runs look back to.  These lie as far apart as the runs do, and the findings say
where.  How long a run looks back they do not say: an hour more is the same, where there is one run each hour.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import log2
from typing import Final

from swagproof.models.windows.kinds import Calendar, Sliding
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Foretold, Name, Part, Sample, time_and_arrival
from swagproof.pipeline.audit.causes.spans import choose_round, list_spans, show_span
from swagproof.pipeline.audit.causes.tried.borders.clocked import read_column
from swagproof.pipeline.audit.causes.tried.cuts import has_result

_WORK: Final = 300_000
"""How many events are aggregated to find where windows may be cut."""
_MOST: Final = 24
"""How many findings are looked into, and right results."""
_AGREE: Final = 3
"""How many findings have to agree."""
_TRIED: Final = 3
"""How many ways are held against all results."""

Between = tuple[int, int]
"""After the one time, and not after the other."""
Clock = Callable[[Event], int]


@dataclass(frozen=True)
class _Way:
    """By which clock a run reads events, and whether it writes over the windows of all keys together."""

    clock: Clock
    said: str
    together: bool = False


@dataclass(frozen=True)
class _Runs:
    """How far apart runs are, where in such a period the times lie that they look back to, and how surely."""

    period: int
    first: int
    width: int

    def find(self, time: int) -> int:
        """The last of these times up to one."""
        return (time - self.first) // self.period * self.period + self.first


@dataclass(frozen=True)
class _Seen:
    """A window: the last time that it has, and after and until which times it may be cut; none where it is whole."""

    last: int
    cuts: tuple[Between, ...]


def list_looked(sample: Sample) -> Iterator[Hypothesis]:
    """How far apart runs are, and to which times they look back."""
    if not isinstance(sample.window, Sliding | Calendar):
        return
    ways, spans = list(_list_ways(sample)), list_spans(sample.tick)
    for way in ways:
        wrong, right = _look(sample, way)
        if len(wrong) < _AGREE:
            continue
        rated = [(_vote(period, wrong, right), period) for period in spans]
        groups: dict[tuple[int | None, ...], list[_Runs]] = {}
        for (n, (low, high)), period in sorted(rated, key=lambda it: (-it[0][0], -it[1])):
            if 2 * n > len(wrong) + len(right):
                runs = _Runs(period, choose_round(low - 1, high, sample.tick), high - low + 1)
                groups.setdefault(_find_begins(sample, way, runs), []).append(runs)
        for (one, *same), _ in zip(groups.values(), range(_TRIED), strict=False):
            yield Hypothesis(
                "one part of several",
                _tell(sample, way, one, same),
                results=partial(_write_over, way, one),
                needs=2,
                bits=log2(len(ways) * len(spans)) + log2(one.period / one.width),
            )


def _find_begins(sample: Sample, way: _Way, runs: _Runs) -> tuple[int | None, ...]:
    """From when on each window is left; None where it is whole."""
    last = _find_last(way, sample.due)
    firsts = {name: min(way.clock(e) for e in sample.due[name][0].events) for name in last}
    return tuple(since if (since := runs.find(last[name])) > first else None for name, first in firsts.items())


def _tell(sample: Sample, way: _Way, one: _Runs, same: list[_Runs]) -> str:
    where = f"{show_span(one.first, sample.tick)} after a full one" if one.first else "each a full one"
    whose = "windows of all keys" if way.together else "windows"
    more = " or ".join(show_span(other.period, sample.tick) for other in same)
    return (
        f"writes {whose} over by what each run reads, so that these hold what is from the last time on{way.said} that "
        f"a run looks back to: one each {show_span(one.period, sample.tick)}, {where}"
        f"{f'; or one each {more}, which does as well' if more else ''}"
    )


def _list_ways(sample: Sample) -> Iterator[_Way]:
    clocks = [(_get_time, "")]
    for i, name in enumerate(sample.columns):
        if column := read_column(sample, i):
            clocks.append((partial(_look_up, column), f", by {name},"))
    for clock, said in clocks:
        yield _Way(clock, said)
        if sample.whole and len(sample.events) > 1:
            yield _Way(clock, said, together=True)


def _get_time(e: Event) -> int:
    return e.time


def _look_up(column: Mapping[int, int], e: Event) -> int:
    return column[e.arrival]


def _find_last(way: _Way, found: Foretold) -> dict[Name, int]:
    """The last time that each window has; or that the windows of all keys have which are called so."""
    own = {n: max(way.clock(e) for part in p for e in part.events) for n, p in found.items() if p and p[0].events}
    if not way.together:
        return own
    of_all: dict[tuple[int | None, ...], int] = {}
    for name, last in own.items():
        of_all[name[1:]] = max(last, of_all.get(name[1:], last))
    return {name: of_all[name[1:]] for name in own}


def _look(sample: Sample, way: _Way) -> tuple[list[_Seen], list[_Seen]]:
    """Some findings from all over the sample, by where they may be cut, and some right results."""
    last = _find_last(way, sample.due)
    there = [n for n, p in sample.due.items() if len(p) == len(sample.results.get(n, ())) == 1 and n in last]
    wrong, right = list[_Seen](), list[_Seen]()
    findings, left = sorted((n for n in there if n in sample.open), key=str), _WORK
    for name in findings[:: len(findings) // _MOST + 1]:
        came = sorted(sample.due[name][0].events, key=lambda e: (way.clock(e), e.arrival))
        left -= len(came) ** 2 // 2
        if left < 0:
            break
        times = [way.clock(e) for e in came]
        cuts = [i for i in range(1, len(came)) if times[i - 1] < times[i] and _fits(sample, name, came[i:])]
        if cuts:
            wrong.append(_Seen(last[name], tuple((times[i - 1], times[i]) for i in cuts)))
    whole = sorted((n for n in there if n not in sample.findings), key=str)
    for name in whole[:: len(whole) // _MOST + 1]:
        first = min(way.clock(e) for e in sample.due[name][0].events)
        right.append(_Seen(last[name], ((-(2**62), first),)))
    return wrong, right


def _fits(sample: Sample, name: Name, events: list[Event]) -> bool:
    return has_result(sample, sorted(events, key=time_and_arrival), sample.results[name])


def _vote(period: int, wrong: list[_Seen], right: list[_Seen]) -> tuple[int, Between]:
    """How many windows agree about where in a period runs look back to, and between which numbers that is."""
    steps: list[tuple[int, int]] = []
    for seen in (*wrong, *right):
        for after, until in seen.cuts:
            after = max(after, seen.last - period)
            if after < until:
                first, n = (after + 1) % period, until - after
                steps += [(first, 1), (min(first + n, period), -1)]
                steps += [(0, 1), (first + n - period, -1)] if first + n > period else []
    steps.sort()
    votes, most, best = 0, -1, (0, 0)
    for i, (at, step) in enumerate(steps):
        votes += step
        if votes > most:
            most, best = votes, (at, steps[i + 1][0] - 1 if i + 1 < len(steps) else period - 1)
    return (most, best) if best[0] <= best[1] else (-1, best)


def _write_over(way: _Way, runs: _Runs, found: Foretold) -> Foretold:
    """What is left of each window by the last run that reads something of it."""
    last = _find_last(way, found)
    made: Foretold = {}
    for name, parts in found.items():
        if name not in last:
            made[name] = parts
            continue
        since = runs.find(last[name])
        kept = [Part([e for e in part.events if way.clock(e) >= since]) for part in parts]
        if left := [part for part in kept if part.events]:
            made[name] = left
    return made
