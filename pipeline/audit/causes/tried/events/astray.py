"""Values, times and keys that a job takes from elsewhere: another column for the key, the event before, a join."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Sample, get_arrival, time_and_arrival

_NULL: Final = "[null]"
"""The key of who has none."""
_HALF: Final = 0.5
"""Of how many keys of results a column has to have a cell at least, to be taken for the key."""
_MOST: Final = 100_000
"""How many events a join makes at most."""
_NEXT: Final = {-1: "before", 1: "after"}


class _Keyed(NamedTuple):
    key: str
    event: Event


def list_astray(sample: Sample) -> Iterator[Hypothesis]:
    """Events with something of another column, or of another event; or as many as there are others like them."""
    for i, name in enumerate(sample.columns):
        yield from _list_keys(sample, i, name)
        yield from _list_joins(sample, i, name)
    for by, which in _NEXT.items():
        for field in ("value", "time"):
            for whose, together, place in (
                ("of its key", False, time_and_arrival),
                ("of all, as they came", True, get_arrival),
            ):
                if sample.whole or not together:
                    why = f"gives each event the {field} of the one {which} it {whose}"
                    lent = partial(_lend, field, by, together, place)
                    yield Hypothesis("columns out of line", why, events=lent, mixes=together, divides=True, bits=1.0)
        if sample.whole and len(sample.events) > 1:
            why = f"gives each event the key of the one {which} it, as they came"
            rest = _NULL if any(key == _NULL for key, *_ in sample.results) else None
            yield Hypothesis(
                "columns out of line", why, events=partial(_lend_keys, by, rest), mixes=True, divides=True, bits=1.0
            )


def _list_keys(sample: Sample, i: int, name: str) -> Iterator[Hypothesis]:
    """A column that holds what is the key of results."""
    keys = {key for key, *_ in sample.results}
    cells = sample.list_cells(i)
    forms = {cell: form for cell in cells for form in _encode(cell) if form in keys}
    if len(set(forms.values())) >= max(2, _HALF * len(keys)) and not keys <= sample.events.keys():
        why = f"takes {name} for the key"
        yield Hypothesis("another column", why, events=partial(_regroup, i, forms), mixes=True, needs=2)


def _encode(cell: Any) -> tuple[str, ...]:
    """The key of a result that a cell may be: as it is, or as text."""
    if cell is None:
        return (_NULL,)
    text = json.dumps([str(cell)], ensure_ascii=False, separators=(",", ":"))
    return (f"[{cell}]", text) if isinstance(cell, int) else (text,)


def _regroup(i: int, forms: dict[Any, str], all_: Events) -> Events:
    found: Events = {}
    for events in all_.values():
        for e in events:
            cell = e.others[i]
            found.setdefault(forms.get(cell, _encode(cell)[0]), []).append(e)
    return {key: sorted(events, key=time_and_arrival) for key, events in found.items()}


def _list_joins(sample: Sample, i: int, name: str) -> Iterator[Hypothesis]:
    """Each event as often as there are events with the same cell, of its key or of all."""
    for whose, own in (("of its key ", True), ("", False)):
        if not sample.whole and not own:
            continue
        counts = Counter((key if own else "", e.others[i]) for key, events in sample.events.items() for e in events)
        if 1 < max(counts.values(), default=0) and sum(n * n for n in counts.values()) <= _MOST:
            why = f"counts each event as often as there are events {whose}that have the same {name}, as after a join"
            yield Hypothesis("result multiplied", why, events=partial(_join, i, own, counts), mixes=not own, bits=1.0)


def _join(i: int, own: bool, counts: Counter[tuple[str, Any]], all_: Events) -> Events:
    return {
        key: [e for e in events for _ in range(counts[key if own else "", e.others[i]])] for key, events in all_.items()
    }


def _lend(field: str, by: int, together: bool, place: Callable[[Event], Any], all_: Events) -> Events:
    """Events with the value, or time, of the one before or after; without those that have none such."""
    keyed = [_Keyed(key, e) for key, events in all_.items() for e in events]
    groups = [keyed] if together else [[one for one in keyed if one.key == key] for key in all_]
    found: Events = {}
    for group in groups:
        ordered = sorted(group, key=lambda one: place(one.event))
        lenders = ordered[:-1] if by < 0 else ordered[1:]
        takers = ordered[1:] if by < 0 else ordered[:-1]
        for (key, e), (_, other) in zip(takers, lenders, strict=True):
            lent = (
                e._replace(time=other.time) if field == "time" else e._replace(value=other.value, lifted=other.lifted)
            )
            found.setdefault(key, []).append(lent)
    return {key: sorted(events, key=time_and_arrival) for key, events in found.items()}


def _lend_keys(by: int, rest: str | None, all_: Events) -> Events:
    """Events with the key of the one before or after; the one that has none such with this key, or not at all."""
    keyed = sorted((_Keyed(key, e) for key, events in all_.items() for e in events), key=lambda one: one.event.arrival)
    keys: Sequence[str | None] = [one.key for one in keyed]
    found: Events = {}
    lent = [rest, *keys] if by < 0 else [*keys[1:], rest]
    for (_, e), key in zip(keyed, lent, strict=False):  # one more is lent than there are takers, where none is there
        if key is not None:
            found.setdefault(key, []).append(e)
    return {key: sorted(events, key=time_and_arrival) for key, events in found.items()}
