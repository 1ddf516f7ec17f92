"""Which events a job may have counted: not some, some twice, those of other keys."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import log2
from typing import Any, Final

from swagproof.models.windows.kinds import Frame, Session, Sliding
from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis
from swagproof.pipeline.audit.causes.sample import (
    Event,
    Events,
    Foretold,
    Name,
    Part,
    Sample,
    get_cell,
    time_and_arrival,
)
from swagproof.pipeline.audit.causes.spans import get_second
from swagproof.pipeline.audit.keys import dump_key, show_key

_SHOWN = 3
_FEW = (2, 3, 4, 5, 8, 10, 16, 20, 50, 100)
"""To so many events a job may cut its windows."""
_MOST = 40_000
"""How many events windows over all keys may hold, those of each key counted."""

_SIDES: Final[Mapping[str, Callable[[str, str], str]]] = {
    "before the first": lambda mark, cell: cell.partition(mark)[0],
    "before the last": lambda mark, cell: cell.rsplit(mark, 1)[0],
    "after the first": lambda mark, cell: cell.split(mark, 1)[-1],
    "after the last": lambda mark, cell: cell.rsplit(mark, 1)[-1],
}
"""Which part of a key's cell is taken for all of it."""


def list_inputs(sample: Sample) -> Iterator[Hypothesis]:
    """Other events."""
    yield from _list_lost(sample)
    yield from _list_keys(sample)


def _is_in_other_share(k: int, r: int, e: Event) -> bool:
    return e.arrival % k != r


def _repeat(k: int, events: Sequence[Event]) -> list[Event]:
    return [e for e in events for _ in range(k)]


def _list_lost(sample: Sample) -> Iterator[Hypothesis]:
    def keeping(cause: str, why: str, fits: Callable[[Event], bool], needs: int = 1) -> Hypothesis:
        return Hypothesis(
            cause,
            why,
            events=lambda all_: {key: [e for e in events if fits(e)] for key, events in all_.items()},
            needs=needs,
        )

    for k in range(2, 9 if sample.numbered else 2):
        for r in range(k):
            why = f"the events whose arrival number is {r} modulo {k}"
            yield keeping("a share lost", f"leaves out {why}", partial(_is_in_other_share, k, r), needs=3)
    numbers = bool(sample.kinds) and all(kind in ("int", "float", "decimal") for kind in sample.kinds)
    valued = keeping("some values left out", "leaves out events without a value", lambda e: e.value is not None)
    yield replace(valued, say="--nulls skip")
    nulls = any(e.value is None for es in sample.events.values() for e in es)
    if numbers and len(sample.kinds) == 1 and (nulls or sample.skipped):

        def with_zero(all_: Events) -> Events:
            whole = add_skipped(sample, all_)
            return {key: [sample.lift(e, 0) if e.value is None else e for e in es] for key, es in whole.items()}

        counts = sample.aggregation.name.endswith("count")  # of which null as a value of its own is likelier
        rare = RARE if counts else 0.0
        yield Hypothesis("null as zero", "takes null for zero", events=with_zero, bits=rare)

    def first_of(events: Sequence[Event], of: Callable[[Event], Any], *, newest: bool = False) -> list[Event]:
        found: dict[Any, Event] = {}
        for e in events:
            if newest or of(e) not in found:
                found[of(e)] = e
        return sorted(found.values(), key=time_and_arrival)

    one_of = sample.aggregation.name.removeprefix("sql-") in ("first", "last")
    for said, of in (
        ("value in a window", lambda e: repr(e.value)),
        ("time", lambda e: e.time),
        ("time and value", lambda e: (e.time, repr(e.value))),
    ):
        for newest in (False, True):
            why = f"counts one event of each {said}" + (", the newest" if newest else "")
            # of the first or the last event that is no more than how a tie is broken
            tie = 0.0 if sample.aggregation.operation.commutative else 1.0  # where order tells, it is that first
            bits = RARE if said != "value in a window" and one_of else tie
            content = partial(first_of, of=of, newest=newest)
            yield Hypothesis("duplicates left out", why, content=content, bits=bits)
    spans: dict[str, int] = {}
    if sample.tick is not None:
        minute = 60 * get_second(sample.tick)
        spans = {"minute": minute, "hour": 60 * minute, "day": 24 * 60 * minute}
    alike: dict[str, Callable[[Event], Any]] = {"value of a key": lambda e: repr(e.value)}
    alike |= {f"{name} of a key": partial(_find_pane, span) for name, span in spans.items()}
    alike |= {f"value and {name} of a key": partial(_pair_value, span) for name, span in spans.items()}
    alike |= {f"{name} of a key": partial(get_cell, i) for i, name in enumerate(sample.columns)}
    alike |= {f"{name} of a key": cells for name, cells in _list_pairs(sample)}
    for said, same in alike.items():
        once = partial(_take_once, first_of, same)
        yield Hypothesis("duplicates left out", f"counts one event of each {said}", events=once)
    for name, span in {**({"second": spans["minute"] // 60} if spans else {}), **spans}.items():
        for which, sign in (("last", 1), ("first", -1)):
            one = partial(_take_last, partial(_find_pane, span), sign)
            why = f"counts one event of each {name} of a key, the one that came {which}"
            spare = RARE if one_of else 0.0  # of the last event of all it is no more than an order
            yield Hypothesis("duplicates left out", why, events=one, bits=1.0, spare=spare)
    yield from _list_once(sample, spans)
    yield from _list_few(numbers=numbers and len(sample.kinds) == 1)
    for k in (2, 3):
        yield Hypothesis(
            "result multiplied",
            f"counts each event {('twice', 'three times')[k - 2]}",
            content=partial(_repeat, k),
        )
    if isinstance(sample.window, Sliding) and sample.window.range != sample.window.slide:
        window = sample.window

        def times(e: Event) -> int:
            return int((window.last_end(e.time) - window.first_end(e.time)) // window.slide + 1)

        yield Hypothesis(
            "result multiplied",
            "counts each event as often as there are windows that hold it",
            content=lambda es: [e for e in es for _ in range(times(e))],
        )


_COLUMNS: Final = 5
"""Of how many columns pairs are tried."""


def _list_pairs(sample: Sample) -> Iterator[tuple[str, Callable[[Event], Any]]]:
    """What events have in two of the other columns."""
    for (i, one), (j, other) in combinations(list(enumerate(sample.columns))[:_COLUMNS], 2):
        yield f"{one} and {other}", partial(_get_cells, i, j)


def _get_cells(i: int, j: int, e: Event) -> tuple[Any, Any]:
    return e.others[i], e.others[j]


def _list_once(sample: Sample, spans: Mapping[str, int]) -> Iterator[Hypothesis]:
    """One event of those that are alike, whatever their keys."""
    if not sample.whole or len(sample.events) < 2:
        return
    panes = dict(spans)
    if isinstance(sample.window, Sliding) and sample.window.range == sample.window.slide:
        panes["window"] = sample.window.range
    offset = sample.window.offset if isinstance(sample.window, Sliding) else 0
    alike: dict[str, Callable[[Event], Any]] = {"value": lambda e: repr(e.value)}
    alike |= {f"value and {said}": partial(_pair_value_from, span, offset) for said, span in panes.items()}
    alike |= {name: partial(get_cell, i) for i, name in enumerate(sample.columns)}
    alike |= dict(_list_pairs(sample))
    orders: dict[str, Callable[[tuple[Event, str]], Any]] = {
        "that came first": lambda it: it[0].arrival,
        "that is first in time": lambda it: it[0][:2],
        "of the first key": lambda it: (it[1], *it[0][:2]),
        "that came last": lambda it: -it[0].arrival,
    }
    for said, of in alike.items():
        for which, order in orders.items():
            once = partial(_take_once_of_all, of, order)
            why = f"counts one event of each {said}, of all keys, the one {which}"
            yield Hypothesis("duplicates left out", why, events=once, bits=2.0)


def _take_once_of_all(of: Callable[[Event], Any], order: Callable[[tuple[Event, str]], Any], all_: Events) -> Events:
    seen: set[Any] = set()
    kept: set[int] = set()
    for e, _ in sorted(((e, key) for key, events in all_.items() for e in events), key=order):
        if of(e) not in seen:
            seen.add(of(e))
            kept.add(id(e))  # as their arrival may not be known
    return {key: [e for e in events if id(e) in kept] for key, events in all_.items()}


def _pair_value_from(span: int, offset: int, e: Event) -> tuple[int, str]:
    return (e.time - offset) // span, repr(e.value)


def _list_few(*, numbers: bool) -> Iterator[Hypothesis]:
    """Windows of which so many events are kept, as in a buffer or under a limit."""

    def few(most: int, of: Callable[[Event], Any], reverse: bool, events: Sequence[Event]) -> Sequence[Event]:
        return (
            events
            if len(events) <= most
            else sorted(sorted(events, key=of, reverse=reverse)[:most], key=time_and_arrival)
        )

    bits = log2(len(_FEW))
    for most in _FEW:
        for said, reverse in (("first", False), ("last", True)):
            why = f"counts the {said} {most} events of each window alone"
            yield Hypothesis("trimmed", why, content=partial(few, most, time_and_arrival, reverse), needs=3, bits=bits)
        for said, reverse in (("greatest", True), ("least", False)) if numbers else ():

            def of_value(events: Sequence[Event], most: int = most, reverse: bool = reverse) -> Sequence[Event]:
                there = [e for e in events if e.value is not None]
                return few(most, lambda e: e.value, reverse, there) if len(there) > most else events

            why = f"counts the {most} {said} values of each window alone"
            yield Hypothesis("trimmed", why, content=of_value, needs=3, bits=bits)


def _list_keys(sample: Sample) -> Iterator[Hypothesis]:
    others: dict[str, str] = {}
    keys = sorted({name[0] for name in sample.open} & sample.events.keys())
    for key in keys:
        mine = [name for name in sample.open if name[0] == key and name in sample.results]
        votes: Counter[str] = Counter()
        for other in sample.events:
            if other != key:
                for name in mine:
                    due = sample.answers.get((other, *name[1:]))
                    votes[other] += due is not None and sample.fits(due, sample.results[name])
        (best, n), (_, next_) = [*votes.most_common(2), ("", 0), ("", 0)][:2]
        if 2 * n > len(mine) or (n > 2 and 4 * n > len(mine) and n > 2 * next_):  # what fits less may fit with another
            others[key] = best
    if others:
        shown = [f"{show_key(k)} has those of {show_key(o)}" for k, o in list(others.items())[:_SHOWN]]

        def exchanged(found: Foretold) -> Foretold:
            made = {name: parts for name, parts in found.items() if name[0] not in others}
            for key, other in others.items():
                made |= {(key, *name[1:]): parts for name, parts in found.items() if name[0] == other}
            return made

        yield Hypothesis("keys swapped", f"answers for other keys: {', '.join(shown)}", results=exchanged, needs=2)
    everything = sorted((e for events in sample.events.values() for e in events), key=time_and_arrival)
    some = 1 < len(sample.events) and len(sample.events) * len(everything) <= _MOST
    if not isinstance(sample.window, Frame | Session) and sample.whole and some:
        together = partial(_take_all, everything)
        yield Hypothesis("over all keys", "answers for all keys together", events=together, mixes=True)
        why = "answers for all keys together, where the key has events"
        yield Hypothesis("over all keys", why, events=together, results=partial(_keep_due, sample))
        (key,) = named if len(named := {key for key, *_ in sample.results}) == 1 else ("",)
        if key:
            why = f"answers for all keys together, as for key {show_key(key)}"
            whole = partial(_take_all_as, key, everything)
            yield Hypothesis("over all keys", why, events=whole, results=dict)
    yield from _list_merged(sample)


def _list_merged(sample: Sample) -> Iterator[Hypothesis]:
    """Keys that differ in capitals or spaces are one, by the name of such that has results; or those are that have the
    same begin, or part."""

    def fold(key: str) -> str:
        return "".join(key.split()).lower()

    named = {fold(key): key for key, _ in reversed(Counter(key for key, *_ in sample.results).most_common())}
    into = {key: named.get(fold(key), key) for key in sample.events}
    if len(set(map(fold, into))) < len(into):
        yield _merge("takes keys that differ in capitals or spaces for one", into)
    written = {key for key, *_ in sample.results}
    for said, cut in _list_cuts(sample.events.keys(), written):
        into = {key: cut(key) for key in sample.events}
        if written >= set(into.values()) != into.keys():
            yield _merge(f"takes {said} for the key", into, bits=3.0)
    parts = {key: ["" if part is None else str(part) for part in json.loads(key)] for key in sample.events}
    marks = sorted({c for cells in parts.values() for cell in cells for c in cell if not c.isalnum()})
    for mark in ("", *marks):
        joined = {key: mark.join(cells) for key, cells in parts.items()}
        if len(set(joined.values())) < len(joined):
            said = f"with {mark!r} between them" if mark else "with nothing between them"
            why = f"joins the parts of a key {said}, so that several are one, and calls it as the one that came first"
            yield Hypothesis("keys merged", why, results=partial(_join_keys, sample, joined), mixes=True)


def _join_keys(sample: Sample, joined: Mapping[str, str], found: Foretold) -> Foretold:
    """The windows of keys that are one, each by the name of that which had the first event in it."""
    groups: dict[tuple[str, int | None, int | None], list[Name]] = {}
    made = dict(found)
    for name in found:
        groups.setdefault((joined.get(name[0], name[0]), name[1], name[2]), []).append(name)
    for names in groups.values():
        if len(names) > 1:
            events = {name: [e for part in found[name] for e in part.events] for name in names}
            first = min(names, key=lambda name: min((e.arrival for e in events[name]), default=0))
            for name in names:
                del made[name]
            made[first] = [Part(sorted((e for of in events.values() for e in of), key=time_and_arrival))]
    return made


def _merge(why: str, into: Mapping[str, str], bits: float = 0.0) -> Hypothesis:
    """The events of each key for another."""

    def merged(all_: Events) -> Events:
        found: Events = defaultdict(list)
        for key, events in all_.items():
            found[into.get(key, key)].extend(events)
        return {key: sorted(events, key=time_and_arrival) for key, events in found.items()}

    return Hypothesis("keys merged", why, events=merged, mixes=True, bits=bits)


def _list_cuts(keys: Collection[str], written: Collection[str]) -> Iterator[tuple[str, Callable[[str], str]]]:
    """Parts of keys, or of a column of them: as many characters as results have at most, or what is beside a mark."""
    cells = [cell for key in keys for cell in json.loads(key)]
    length = max((len(cell) for key in written for cell in json.loads(key) if isinstance(cell, str)), default=0)
    if length:
        yield f"the first {length:,} characters", partial(_change_cells, lambda cell: cell[:length])
        yield f"the last {length:,} characters", partial(_change_cells, lambda cell: cell[-length:])
    for mark in sorted({c for cell in cells if isinstance(cell, str) for c in cell if not c.isalnum()}):
        for said, part in _SIDES.items():
            yield f"what is {said} {mark!r}", partial(_change_cells, partial(part, mark))


def _change_cells(change: Callable[[str], str], key: str) -> str:
    return dump_key(tuple([change(cell) if isinstance(cell, str) else cell for cell in json.loads(key)]))


def add_skipped(sample: Sample, all_: Events) -> Events:
    """The events with those that have no value, and are skipped."""
    if not sample.skipped:
        return all_
    return {key: sorted([*es, *sample.skipped.get(key, ())], key=time_and_arrival) for key, es in all_.items()}


def _find_pane(span: int, e: Event) -> int:
    return e.time // span


def _pair_value(span: int, e: Event) -> tuple[int, str]:
    return e.time // span, repr(e.value)


def _take_once(first_of: Callable[..., list[Event]], of: Callable[[Event], Any], all_: Events) -> Events:
    return {key: first_of(events, of) for key, events in all_.items()}


def _take_last(of: Callable[[Event], Any], sign: int, all_: Events) -> Events:
    """Of those that are alike the one that came last, as where each is written over the one before; or first."""
    return {
        key: sorted({of(e): e for e in sorted(events, key=lambda e: sign * e.arrival)}.values(), key=time_and_arrival)
        for key, events in all_.items()
    }


def _take_all(everything: list[Event], all_: Events) -> Events:
    return dict.fromkeys(all_, everything)


def _take_all_as(key: str, everything: list[Event], _: Events) -> Events:
    return {key: everything}


def _keep_due(sample: Sample, found: Foretold) -> Foretold:
    return {name: parts for name, parts in found.items() if name in sample.due}
