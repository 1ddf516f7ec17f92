"""Frames that are not begun anew where the key changes: the first rows of a key also hold the last ones of another.

A table that is sorted by key and time has the rows of each key after those of the key before it, so that only the first
rows of a key are wrong; one that is in the order of time, or of arrival, has those of all keys in turn.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Final

from swagproof.models.windows.kinds import Frame
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Foretold, Sample

Keyed = tuple[str, Event]

_BY_KEY: Final = "goes on over all keys, in the order of key"


def list_across(sample: Sample, window: Frame) -> Iterator[Hypothesis]:
    """Frames over all keys; of some keys alone, from one to the next of those that are there."""
    pairs = [(key, e) for key in rank_keys(sample.events) for e in sample.events[key]]
    if sample.whole:
        yield _go_on(sample, window, [pairs], _BY_KEY)
        orders: dict[str, Callable[[Keyed], tuple[int, ...]]] = {"time": _get_time, "arrival": _get_arrival}
        for said, of in orders.items():
            yield _go_on(sample, window, [sorted(pairs, key=of)], f"goes on over all keys, in the order of {said}")
    elif sample.until is None and window.unit == "rows" and window.start is not None and window.end is not None:
        runs = _part_runs(sample, window, pairs)
        if len(runs) < len(sample.events):
            why = f"{_BY_KEY}, as far as the sample has the key before"
            yield replace(_go_on(sample, window, runs, why), bits=float(len(sample.events)))


def rank_keys(keys: Iterable[str]) -> list[str]:
    """Keys in the order of what they are: numbers as numbers, where all are."""
    try:
        return sorted(keys, key=json.loads)
    except TypeError:  # null is neither more nor less than another
        return sorted(keys)


def _get_time(pair: Keyed) -> tuple[int, ...]:
    return pair[1][:2]


def _get_arrival(pair: Keyed) -> tuple[int, ...]:
    return (pair[1].arrival,)


def _list_spans(window: Frame, pairs: Sequence[Keyed]) -> Iterator[tuple[int, int]]:
    """Of each row its frame; a range of time goes on only where rows are in the order of time."""
    if window.unit == "rows" or window.start is None:
        end = window.end if window.unit == "rows" else 0
        yield from Frame("rows", window.start, end).bounds(range(len(pairs)))
        return
    times = [e.time for _, e in pairs]
    if all(a <= b for a, b in pairwise(times)):
        yield from window.bounds(times)


def _go_on(sample: Sample, window: Frame, runs: Sequence[Sequence[Keyed]], why: str) -> Hypothesis:
    """A frame that goes on to the end of each of some runs of rows."""
    return Hypothesis("over all keys", why, results=partial(_hold_on, sample, window, runs))


def _hold_on(sample: Sample, window: Frame, runs: Sequence[Sequence[Keyed]], _: Foretold) -> Foretold:
    found: Foretold = {}
    for pairs in runs:
        events = [e for _, e in pairs]
        for (key, e), (i, j) in zip(pairs, _list_spans(window, pairs), strict=False):
            found.setdefault(sample.name(key, e.time, e.arrival), []).append(sample.part(events[i:j]))
    return found


def _part_runs(sample: Sample, window: Frame, pairs: Sequence[Keyed]) -> list[Sequence[Keyed]]:
    """The rows of keys one after the other, as far as all results at the border of two are those of frames over it:
    else another key, that is not in the sample, may lie between."""
    borders = [n for n in range(1, len(pairs)) if pairs[n - 1][0] != pairs[n][0]]
    off = set[int]()
    events = [e for _, e in pairs]
    for (key, e), (i, j) in zip(pairs, _list_spans(window, pairs), strict=True):
        over = [n for n in borders if i < n < j]
        if over:
            part = sample.part(events[i:j])
            answer = part.answer or sample.answer(part.events)
            if not sample.fits([answer], sample.results.get(sample.name(key, e.time, e.arrival), [])):
                off.update(over)
    cuts = [0, *(n for n in borders if n in off), len(pairs)]
    return [pairs[a:b] for a, b in pairwise(cuts)]
