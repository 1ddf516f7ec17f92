"""Several micro-batches that were lost, or came twice, as where each ninth is tried again: which, the results tell; and
so of the cells of another column, as where a table that is joined lacks some, or has some twice.

A batch that a right result shows to be counted once is none of them.  Of what is left, a finding says which of those in
its window they are, where no other choice of them gives the result that is there; so each finding narrows the choice
for the next.  What all findings agree about is one hypothesis, held against all results.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, pairwise
from math import inf, log2
from typing import Any, Final

from swagproof.models.windows.kinds import Frame, Session
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, without
from swagproof.pipeline.audit.causes.sample import Events, Name, Sample
from swagproof.pipeline.audit.causes.tried.cuts import has_result
from swagproof.pipeline.audit.causes.tried.divided import is_batch
from swagproof.pipeline.audit.causes.tried.events.columns import NUMBERS
from swagproof.pipeline.audit.keys import show_key

_LEAST: Final = 2
"""How many findings, or batches, are a pattern."""
_MOST: Final = 6
"""How many batches of a window may be in doubt, where it is looked which they are."""
_SHOWN: Final = 4
_LOOKED: Final = 200
"""How many results are looked into, of findings and of right ones."""
_CELLS: Final = 1_000
"""How many different cells a column has at most that are chosen among."""
_EVENTS: Final = 1_000_000
"""How many events are aggregated at most for a column that numbers no batches, of right results and of findings."""


def list_repeated(sample: Sample) -> Iterator[Hypothesis]:
    """Several batches of each column that numbers them."""
    if isinstance(sample.window, Frame | Session):
        return
    wrong = frozenset(name[0] for name in sample.open)
    for i, name in enumerate(sample.columns):
        cells, are_batches = sample.list_cells(i), is_batch(sample, i)
        if are_batches or (_LEAST < len(cells) <= min(_CELLS, len(sample.came) // 2)):
            plain = all(type(cell) is int for cell in cells)
            numbers = sorted(cells) if plain else sorted(cells, key=str)
            least = 1 if len(cells) > NUMBERS and not are_batches else _LEAST  # of few each is tried by itself
            for often in (2, 0):
                chosen = _Choice(sample, i, often).choose(numbers)
                if len(chosen) >= least:
                    yield _name(sample, i, name, often, chosen, numbers)
                elif are_batches and len(wrong) < len(sample.events):
                    chosen = _Choice(sample, i, often, wrong).choose(numbers)
                    if least <= len(chosen) <= len(numbers) // 2:  # more are rather all events of these keys
                        yield _of_keys(_name(sample, i, name, often, chosen, numbers), sample, wrong)


def _of_keys(one: Hypothesis, sample: Sample, keys: frozenset[str]) -> Hypothesis:
    """It, of some keys alone, as where what failed is one of several parts."""
    shown = ", ".join(map(show_key, sorted(keys)[:_SHOWN])) + (", ..." if len(keys) > _SHOWN else "")
    assert one.events is not None
    events = partial(_change_keys, keys, one.events)
    return replace(one, why=f"{one.why}, of keys {shown}", events=events, bits=one.bits + len(sample.events))


def _change_keys(keys: frozenset[str], change: Callable[[Events], Events], all_: Events) -> Events:
    return all_ | change({key: events for key, events in all_.items() if key in keys})


def _name(sample: Sample, i: int, name: str, often: int, chosen: Sequence[Any], numbers: Sequence[Any]) -> Hypothesis:
    are_batches = is_batch(sample, i)
    steps = {b - a for a, b in pairwise(chosen)} if are_batches else set[int]()
    even = len(steps) == 1 and len(chosen) > _LEAST
    shown = ", ".join(_show(cell) for cell in chosen[:_SHOWN]) + (", ..." if len(chosen) > _SHOWN else "")
    told = [f"{len(chosen):,} in all"] if len(chosen) > _SHOWN else []
    told += [f"{next(iter(steps)):,} apart"] if even else []
    each = f" ({', '.join(told)})" if told else ""
    verb, more = ("counts", " twice") if often else ("leaves out", "")
    cause = "batch replayed" if often else "batch lost"
    if not are_batches:
        cause = "doubled by another column" if often else "filtered by another column"
    return Hypothesis(
        cause,
        f"{verb} the events whose {name} is {shown}{each}{more}",
        events=without(lambda e: e.others[i] in chosen, again=bool(often)),
        needs=2,
        bits=log2(len(numbers)) * (_LEAST if even else len(chosen)),
        filters=not often,
    )


def _show(cell: Any) -> str:
    return "null" if cell is None else f"{cell:,}" if isinstance(cell, int | float) else str(cell)


class _Choice:
    """The batches that may be lost, or there twice; of all keys, or of some."""

    def __init__(self, sample: Sample, i: int, often: int, keys: Collection[str] | None = None) -> None:
        self.sample, self.i, self.often = sample, i, often
        single = [
            name
            for name, parts in sample.due.items()
            if len(parts) == 1 and parts[0].answer is None and name not in sample.aside
        ]
        names = sorted(single, key=str)
        wrong = [name for name in names if name in sample.open]
        right = [name for name in names if name not in sample.findings and (keys is None or name[0] in keys)]
        self.wrong = wrong[:: len(wrong) // _LOOKED + 1]
        self.right = right[:: len(right) // _LOOKED + 1]

    def choose(self, numbers: Sequence[Any]) -> list[Any]:
        """Those that all findings agree about."""
        doubt, work = set(numbers), inf if is_batch(self.sample, self.i) else _EVENTS
        for name in self.right:
            asked = self.read(name) & doubt
            work -= len(asked) * len(self.sample.due[name][0].events)
            if work < 0:
                break
            doubt -= {number for number in asked if not self.fits(name, {number})}
        sure: set[Any] = set()
        for _ in range(len(numbers)):
            before = len(doubt), len(sure)
            for name in self.wrong:
                mine = sorted(self.read(name) & doubt - sure, key=str)
                if not mine or len(mine) > _MOST:
                    continue
                there = self.read(name) & sure
                work -= 2 ** len(mine) * len(self.sample.due[name][0].events)
                if work < 0:
                    break
                some = [set(c) for k in range(len(mine) + 1) for c in combinations(mine, k)]
                fitting = [c for c in some if self.fits(name, there | c)]
                if fitting:
                    doubt -= set(mine).difference(*fitting)
                    sure |= set.intersection(*fitting)
            if work < 0 or before == (len(doubt), len(sure)):
                break
        return [number for number in numbers if number in sure]

    def read(self, name: Name) -> set[Any]:
        """The batches of a window."""
        return {e.others[self.i] for e in self.sample.due[name][0].events}

    def fits(self, name: Name, chosen: set[Any]) -> bool:
        """Whether a window's result is that with these batches lost, or twice."""
        events = self.sample.due[name][0].events
        held = [e for e in events for _ in range(self.often if e.others[self.i] in chosen else 1)]
        return has_result(self.sample, held, self.sample.results.get(name, ()))
