"""A mistake that is made of some events alone: of those that have one cell of another column, as of one source, or of
one version of a schema.

Each hypothesis that makes other events of these is one of part of them, too.  By itself it explains next to nothing
then, as most windows hold both; so each with each cell is held against a few findings, and against all if it explains
what it says of those.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import log2
from typing import Any, Final

from swagproof.pipeline.audit.causes.few import shorten
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, Outcome, Work
from swagproof.pipeline.audit.causes.sample import Event, Events, Sample

_CELLS: Final = 8
"""How many different cells a column has at most of which each is tried."""
_PATIENCE: Final = 2
"""How many more of a few findings it misses than it explains at most."""


def hold_cells(
    sample: Sample, work: Work, hypotheses: Sequence[Hypothesis], given: Hypothesis | None
) -> Iterator[tuple[Hypothesis, Outcome]]:
    """What became of those that say, of events with one cell, all of a few findings, `given` another cause."""
    columns = ((i, name, sample.list_cells(i)) for i, name in enumerate(sample.columns))
    places = [(i, name, cell) for i, name, cells in columns if 1 < len(cells) <= _CELLS for cell in cells]
    small = shorten(sample, most=1.0)
    for one in hypotheses if places else ():
        if one.events is None or one.steps != {"events"} or one.mixes or one.filters or one.seen:
            continue
        for i, name, cell in sorted(places, key=str):
            cells = replace(
                one,
                why=f"{one.why}, of events whose {name} is {'null' if cell is None else cell}",
                events=partial(_change_some, one.events, i, cell),
                bits=one.bits + log2(len(places)),
                say="",
            )
            both = cells if given is None else given.and_also(cells)
            there = work.hold(both, small, patience=_PATIENCE)
            if there is None:
                return
            if there.explained and not (there.missed or there.contradicted):
                whole = work.hold(both, sample)
                if whole is not None:
                    yield cells, whole


def _change_some(change: Callable[[Events], Events], i: int, cell: Any, all_: Events) -> Events:
    """What is made of the events with this cell, and the others as they are."""

    def is_one(e: Event) -> bool:
        return bool(e.others[i] == cell)

    made = {key: [e for e in events if not is_one(e)] for key, events in all_.items()}
    for key, events in change(all_).items():
        made.setdefault(key, []).extend(filter(is_one, events))
    return {key: sorted(events, key=lambda e: e[:2]) for key, events in made.items()}
