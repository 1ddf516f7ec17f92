"""Windows of keys of several columns of which a job takes some alone, as where PARTITION BY lacks one of them.

Each result is then that of all keys which are alike in the others, and is written for each of them that has an event in
the window.
"""

import json
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations
from math import log2
from typing import Final

from swagproof.models.windows.kinds import Counted, Frame
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Foretold, Sample, time_and_arrival

_MOST: Final = 2_000_000
"""How many events of all keys together are divided into windows at most."""

Groups = Sequence[Sequence[str]]
"""Keys that are alike in what is taken of them."""


def list_grouped(sample: Sample) -> Iterator[Hypothesis]:
    """Each choice of a key's columns, where no key is left out of the sample."""
    parts = {key: json.loads(key) for key in sample.events}
    n = len(sample.key_columns)
    if n < 2 or not sample.whole or isinstance(sample.window, Counted):
        return
    choices = [some for size in range(n - 1, 0, -1) for some in combinations(range(n), size)]
    for some in choices:
        groups: dict[tuple[str, ...], list[str]] = {}
        for key, cells in parts.items():
            groups.setdefault(tuple(str(cells[i]) for i in some), []).append(key)
        work = sum(len(keys) * len(sample.events[key]) for keys in groups.values() for key in keys)
        if 1 < len(groups) < len(parts) and work <= _MOST:
            kept = " and ".join(sample.key_columns[i] for i in some)
            lost = " and ".join(name for i, name in enumerate(sample.key_columns) if i not in some)
            why = f"makes windows of each {kept}, whatever its {lost}"
            answer = _hold_rows if isinstance(sample.window, Frame) else _hold_windows
            results = partial(answer, sample, list(groups.values()))
            yield Hypothesis("over all keys", why, results=results, mixes=True, bits=log2(len(choices)))


def _join(sample: Sample, keys: Sequence[str]) -> list[Event]:
    return sorted((e for key in keys for e in sample.events[key]), key=time_and_arrival)


def _hold_windows(sample: Sample, groups: Groups, _: Foretold) -> Foretold:
    """The windows of all events of a group, for each key that has one in them."""
    found: Foretold = {}
    for keys in groups:
        together = _join(sample, keys)
        for key in keys:
            mine = {e[:2] for e in sample.events[key]}
            for name, part in sample.divide(key, together):
                if any(e[:2] in mine for e in part.events):
                    found.setdefault(name, []).append(part)
    return found


def _hold_rows(sample: Sample, groups: Groups, _: Foretold) -> Foretold:
    """The frame of each row, among all rows of its group."""
    assert isinstance(sample.window, Frame)
    found: Foretold = {}
    for keys in groups:
        whose = {e[:2]: key for key in keys for e in sample.events[key]}
        together = _join(sample, keys)
        for e, (i, j) in zip(together, sample.window.bounds([e.time for e in together]), strict=True):
            found.setdefault(sample.name(whose[e[:2]], e.time, e.arrival), []).append(sample.part(together[i:j]))
    return found
