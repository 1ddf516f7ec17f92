"""Regions: a diagnosis that holds for some keys, a span of time, or some cells of a column only."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import comb, log2
from typing import Final

from swagproof.pipeline.audit.diagnosis.hypothesis import Edit, Outcome
from swagproof.pipeline.audit.diagnosis.readings import bad_cells, key_words
from swagproof.pipeline.audit.diagnosis.sample import Event, Events, Name, Sample, cell_of, get_place, in_order
from swagproof.pipeline.audit.wording import format_time

_SHOWN: Final = 3
_KINDS: Final = 1.6
"""Bits of the kind of region: keys or time."""


@dataclass(frozen=True)
class Region:
    """A part of the data, in words that follow what the job does."""

    where: str
    holds: Callable[[Name], bool]
    bits: float


def list_regions(sample: Sample, outcome: Outcome) -> Iterator[Region]:
    """The regions that hold what is explained and nothing that contradicts it."""
    bad = {name[0] for name in outcome.contradicted}
    keys = sorted({name[0] for name in outcome.explained} - bad)
    if keys and 4 * len(keys) <= 3 * max(len(sample.events), len(keys) + 1):
        shown = ", ".join(map(key_words, keys[:_SHOWN])) + (", ..." if len(keys) > _SHOWN else "")
        bits = log2(comb(max(len(sample.events), len(keys)), len(keys)))
        yield Region(f"for key{'s' * (len(keys) > 1)} {shown}", partial(_is_of_keys, frozenset(keys)), _KINDS + bits)
    inside = sorted(map(get_place, outcome.explained))
    against = sorted(map(get_place, outcome.contradicted))
    if not inside or not against:
        return
    bits = log2(max(2, len({*map(get_place, sample.expected)})))
    after, before = [at for at in inside if at > against[-1]], [at for at in inside if at < against[0]]
    if not any(inside[0] <= at <= inside[-1] for at in against) and not after and not before:
        where = f"from {format_time(inside[0], sample.tick)} to {format_time(inside[-1], sample.tick)}"
        yield Region(where, partial(_is_in, inside[0], inside[-1]), _KINDS + 2 * bits)
    if 2 * len(after) > len(inside):
        yield Region(f"from {format_time(after[0], sample.tick)} on", partial(_is_in, after[0], None), _KINDS + bits)
    if 2 * len(before) > len(inside):
        yield Region(f"up to {format_time(before[-1], sample.tick)}", partial(_is_in, None, before[-1]), _KINDS + bits)


def _is_of_keys(keys: frozenset[str], name: Name) -> bool:
    return name[0] in keys


def _is_in(low: int | None, high: int | None, name: Name) -> bool:
    at = get_place(name)
    return (low is None or at >= low) and (high is None or at <= high)


def restrict(sample: Sample, edits: list[Edit]) -> Iterator[Edit]:
    """Edits of events, of those events alone that have some cell of another column, which only suspects have."""
    for i, column in enumerate(sample.columns):
        cells, n = bad_cells(sample, cell_of(i))
        if not 0 < len(cells) <= min(3, n - 1):
            continue
        shown = " or ".join("null" if cell is None else str(cell) for cell in cells)
        bits = log2(comb(n, len(cells))) + log2(1 + len(sample.columns))
        for one in edits:
            if one.events is not None and not one.filters and not one.whole:
                inside = partial(_has_cell, i, frozenset(cells))
                yield replace(one, events=partial(_some, one.events, inside), price=one.price + bits,
                              clause=f"{one.clause}, where {column} is {shown}", option="")  # fmt: skip


def _has_cell(i: int, cells: frozenset[object], e: Event) -> bool:
    return e.others[i] in cells


def _some(edit: Callable[[Events], Events], inside: Callable[[Event], bool], all_: Events) -> Events:
    made = edit({key: [e for e in events if inside(e)] for key, events in all_.items()})
    rest = {key: [e for e in events if not inside(e)] for key, events in all_.items()}
    return {key: in_order([*rest.get(key, ()), *made.get(key, ())]) for key in {**rest, **made}}
