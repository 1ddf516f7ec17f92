"""Events that a job takes for one and the same, as they are alike in some of what they have.

Who knows no number of an event tells duplicates by what these have: the key, a column or two, the value, and the time,
or the second, minute, hour or day of it; within a window, of a key, or, where the key is forgotten, of all keys.  Of
those that are alike the first or the last counts, as they come or in time; or none does.  Whatever is so alike, and is
none, is lost.

There are hundreds of such rules: those that part the events alike are one, and what has no repeats has none with more
to it either.  Those are tried that explain most of a few findings; and those that lose events of most findings and of
fewest windows that are right, as another mistake may be beside them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from heapq import nlargest
from itertools import combinations, islice, product
from math import log2
from typing import Any, Final

import numpy as np

from swagproof.models.windows.kinds import Sliding
from swagproof.pipeline.audit.causes.few import choose_few
from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis, count_so_often
from swagproof.pipeline.audit.causes.sample import Event, Events, Sample, time_and_arrival
from swagproof.pipeline.audit.causes.spans import get_second
from swagproof.pipeline.audit.causes.tried.events.touched import Often, choose_touching, find_often

_COLUMNS: Final = 4
"""How many columns are taken, in all their choices."""
_TRIED: Final = 4
"""How many rules are held against all results, of those that explain some, and with all orders of those that touch."""
_SMALL: Final = 700
_WORK: Final = 300_000
"""How many events are looked at for a rule that is tried on a few findings, and for all of them."""
_SPANS: Final = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400}

_Place = tuple[str, int, int, int]
_Row = tuple[Event, str]
_ORDERS: Final[dict[str, tuple[Callable[[_Row], Any], bool]]] = {
    "that came first": (lambda row: row[0].arrival, False),
    "that is first in time": (lambda row: row[0][:2], False),
    "that came last": (lambda row: row[0].arrival, True),
    "that is last in time": (lambda row: row[0][:2], True),
    "of the first key": (lambda row: (row[1], *row[0][:2]), False),
}
"""Which one of those that are alike counts."""
_PLAIN: Final = 3
"""How many of the orders go with what touches findings."""


@dataclass(frozen=True)
class _Rule:
    """What events have that are alike."""

    fields: tuple[str, ...]
    of_all: bool
    """Whether it is so of events of several keys."""
    groups: Any
    """Of each row which of those that are alike it is one of."""

    @property
    def size(self) -> int:
        """How much there is to say of it."""
        return len(self.fields) + self.of_all

    def tell(self) -> str:
        """What is alike."""
        *first, last = self.fields
        return f"{', '.join(first)} and {last}" if first else last


def list_alike(sample: Sample) -> Iterator[Hypothesis]:
    """The rules by which most findings, or events of most findings, are lost."""
    table = _Table(sample)
    rules = sorted(table.list_rules(), key=lambda rule: rule.size)
    spare = RARE if sample.aggregation.name.removeprefix("sql-") in ("first", "last") else 0.0  # it breaks ties
    yield from _choose_fitting(sample, table.list_ways(rules), spare)
    if not _tumbles(sample):  # else it is a span of time for all events
        yield from _choose_fitting(sample, _list_contents(sample), spare)
    if not table.numbered:
        return
    with_columns = [rule for rule in rules if not rule.of_all and any(name in sample.columns for name in rule.fields)]
    bits = log2(max(1, len(with_columns)))
    by_name = {rule.tell(): rule for rule in with_columns}
    ways = [(said, partial(table.lose_often, rule)) for said, rule in by_name.items()]
    for said, _ in choose_touching(sample, ways, _TRIED):
        for which in list(_ORDERS)[:_PLAIN]:
            once = partial(count_so_often, partial(find_often, table.lose_often(by_name[said], which)))
            why = f"counts one event of each {said} of a key, the one {which}"
            yield Hypothesis("duplicates left out", why, events=once, bits=bits, spare=spare)


def _list_contents(sample: Sample) -> Iterator[Hypothesis]:
    """Rules for the events of a window."""
    many = len(sample.came)
    those = [i for i in range(len(sample.columns)) if 1 < len(sample.list_cells(i)) < many][:_COLUMNS]
    for n in range(len(those) + 1):
        for some in combinations(those, n):
            for valued, timed in product((False, True) if sample.kinds else (False,), (False, True)):
                names = [*(sample.columns[i] for i in some), *(["value"] * valued), *(["time"] * timed)]
                if n and len(names) > 1:  # of one column alone, and of none, others say it
                    said = f"{', '.join(names[:-1])} and {names[-1]}"
                    for which, last in (("first", False), ("last", True)):
                        why = f"counts one event of each {said} in a window, the one that is {which} in time"
                        content = partial(_take_once, partial(_read, some, valued, timed), last)
                        yield Hypothesis("duplicates left out", why, content=content)


def _choose_fitting(sample: Sample, ways: Iterable[Hypothesis], spare: float) -> Iterator[Hypothesis]:
    """Those of a few findings that explain most."""
    small = choose_few(sample, _SMALL) or sample
    found: list[tuple[int, int, Hypothesis]] = []
    for tried, one in enumerate(islice(ways, max(1, _WORK // max(1, small.size))), 1):
        there = one.hold(small, patience=2)
        if there.explained and not there.contradicted:
            rated = len(there.explained) - len(there.missed)
            found.append((rated, -tried, replace(one, bits=log2(1 + tried), spare=spare)))
    yield from (one for _, _, one in nlargest(_TRIED, found, key=lambda it: it[:2]))


def _tumbles(sample: Sample) -> bool:
    return isinstance(sample.window, Sliding) and sample.window.range == sample.window.slide


class _Table:
    """All events with what they have, each as a number."""

    def __init__(self, sample: Sample) -> None:
        self.sample = sample
        self.rows: list[_Row] = [(e, key) for key, events in sample.events.items() for e in events]
        self.places = [place for key, events in sample.events.items() for place in _list_places(key, events)]
        self.numbered = len(sample.arrivals) == len(sample.came)

    @cached_property
    def turns(self) -> Mapping[str, Any]:
        """The rows in each order, without those that are another one."""
        found, seen = dict[str, Any](), set[bytes]()
        for which, (order, last) in _ORDERS.items():
            if "came" in which and not self.numbered:
                continue
            turn = np.array(sorted(range(len(self.rows)), key=lambda i: order(self.rows[i]), reverse=last), dtype=int)
            if turn.tobytes() not in seen:
                seen.add(turn.tobytes())
                found[which] = turn
        return found

    def list_rules(self) -> Iterator[_Rule]:
        """All that part the events otherwise, and have repeats."""
        sample, seen = self.sample, set[bytes]()
        panes = self._list_panes()
        scopes = (False, True) if sample.whole and len(sample.events) > 1 else (False,)
        keys = self._number(lambda row: row[1])
        codes = {i: self._number(partial(_get_cell, i)) for i in range(len(sample.columns))}
        those = [i for i, them in codes.items() if 0 < int(them.max(initial=0)) < len(them) - 1][:_COLUMNS]
        choices = [some for n in range(len(those) + 1) for some in combinations(those, n)]
        values = self._number(lambda row: repr(row[0].value)) if sample.kinds else None
        times = {name: self._number(partial(_get_pane, pane)) for name, pane in panes.items()}
        for some, valued, name, of_all in product(choices, (False, True), (None, *panes), scopes):
            parts = [codes[i] for i in some]
            if valued and values is None:
                continue
            fields = [*(sample.columns[i] for i in some), *(["value"] if valued else []), *([name] if name else [])]
            if not fields:
                continue
            parts += [values] if valued else []
            parts += [times[name]] if name else []
            groups = _join(parts if of_all else [keys, *parts])
            mark = groups.tobytes()
            if int(groups.max(initial=0)) < len(groups) - 1 and mark not in seen:
                seen.add(mark)
                yield _Rule(tuple(fields), of_all, groups)

    def _list_panes(self) -> dict[str, Callable[[Event], int]]:
        sample, window = self.sample, self.sample.window
        spans = {} if sample.tick is None else {n: s * get_second(sample.tick) for n, s in _SPANS.items()}
        panes: dict[str, Callable[[Event], int]] = {"time": partial(_find_pane, 1)}
        panes |= {name: partial(_find_pane, span) for name, span in spans.items()}
        if isinstance(window, Sliding) and _tumbles(sample):
            panes["window"] = lambda e: window.last_begin(e.time)
        return panes

    def _number(self, of: Callable[[_Row], Any]) -> Any:
        numbers: dict[Any, int] = {}
        return np.array([numbers.setdefault(of(row), len(numbers)) for row in self.rows], dtype=np.int64)

    def list_ways(self, rules: Sequence[_Rule]) -> Iterator[Hypothesis]:
        """Each rule with each order that leaves out other events."""
        for rule in rules:
            seen = set[bytes]()
            for which, turn in self.turns.items():
                kept = self._keep(rule, turn)
                if kept.tobytes() not in seen:
                    seen.add(kept.tobytes())
                    of = "of all keys" if rule.of_all else "of a key"
                    why = f"counts one event of each {rule.tell()} {of}, the one {which}"
                    yield self._leave(why, kept)
            alone = np.bincount(rule.groups)[rule.groups] == 1
            whose = "of any key" if rule.of_all else "of a key"
            yield self._leave(f"leaves out all events {whose} of which another one has the same {rule.tell()}", alone)

    def _keep(self, rule: _Rule, turn: Any) -> Any:
        """Which rows are the first in their order of those that are alike."""
        _, first = np.unique(rule.groups[turn], return_index=True)
        kept = np.zeros(len(self.rows), dtype=bool)
        kept[turn[first]] = True
        return kept

    def _leave(self, why: str, kept: Any) -> Hypothesis:
        lost = frozenset(self.places[i] for i in np.flatnonzero(~kept).tolist())
        return Hypothesis("duplicates left out", why, events=partial(_leave_out, lost))

    def lose_often(self, rule: _Rule, which: str = "that came first") -> Often:
        """The events that are alike to one that counts."""
        kept = self._keep(rule, self.turns.get(which, self.turns["that came first"]))
        return {self.places[i][2]: 0 for i in np.flatnonzero(~kept).tolist()}


def _join(parts: Sequence[Any]) -> Any:
    """Which rows have the same of all parts, by numbers in the order in which they are there first."""
    joined = parts[0]
    for part in parts[1:]:
        joined = joined * (int(part.max(initial=0)) + 1) + part
        joined = np.unique(joined, return_inverse=True)[1]
    _, first, joined = np.unique(joined, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[joined]


def _get_cell(i: int, row: _Row) -> Any:
    return row[0].others[i]


def _get_pane(pane: Callable[[Event], int], row: _Row) -> int:
    return pane(row[0])


def _find_pane(span: int, e: Event) -> int:
    return e.time // span


def _read(some: Sequence[int], valued: bool, timed: bool, e: Event) -> tuple[Any, ...]:
    return *(e.others[i] for i in some), repr(e.value) if valued else None, e.time if timed else None


def _take_once(of: Callable[[Event], Any], last: bool, events: Sequence[Event]) -> list[Event]:
    found = {of(e): e for e in (events if last else reversed(events))}
    return sorted(found.values(), key=time_and_arrival)


def _leave_out(lost: frozenset[_Place], all_: Events) -> Events:
    return {
        key: [e for e, place in zip(events, _list_places(key, events), strict=True) if place not in lost]
        for key, events in all_.items()
    }


def _list_places(key: str, events: Sequence[Event]) -> Iterator[_Place]:
    """Where each event is, those of one place by their numbers in it."""
    there = Counter[tuple[int, int]]()
    for e in events:
        yield key, e.time, e.arrival, there[e[:2]]
        there[e[:2]] += 1
