"""Which of many ways of losing, or doubling, events are held against all results: those that touch most findings and
fewest windows that are right."""

from collections.abc import Callable, Iterator, Sequence
from heapq import nlargest
from typing import Final

from swagproof.pipeline.audit.causes.sample import Event, Name, Sample

_WINDOWS: Final = 8
"""Of how many windows of an event it is asked whether they are right."""

Often = dict[int, int]
"""How often events count that do not count once, by their arrival numbers."""


def choose_touching(
    sample: Sample, ways: Sequence[tuple[str, Callable[[], Often]]], most: int
) -> Iterator[tuple[str, Often]]:
    """At most so many of the ways, in words, the best first, with the events that they lose or double."""
    names: dict[int, list[Name]] = {}
    for name, parts in sample.due.items():
        for e in (e for part in parts for e in part.events):
            mine = names.setdefault(e.arrival, [])
            if len(mine) < _WINDOWS:
                mine.append(name)
    wrong, right = max(1, len(sample.open)), max(1, len(sample.due) - len(sample.open))
    found: list[tuple[float, int, str, Often]] = []
    for i, (why, make) in enumerate(ways):
        often = make()
        touched = {name for arrival in often for name in names.get(arrival, ())}
        hits = len(touched & sample.open)
        rate = hits / wrong - len(touched - sample.findings) / right
        if hits > 1 and rate > 0:
            found.append((rate, -i, why, often))
    yield from ((why, often) for _, _, why, often in nlargest(most, found))


def find_often(often: Often, e: Event) -> int:
    """How often an event counts."""
    return often.get(e.arrival, 1)
