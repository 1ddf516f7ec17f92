"""Several micro-batches that were lost, or came twice, as where each ninth is tried again: which, the results tell.

A batch that a right result shows to be counted once is none of them.  Of what is left, a finding says which of those in
its window they are, where no other choice of them gives the result that is there; so each finding narrows the choice
for the next.  What all findings agree about is one hypothesis, held against all results.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from math import log2
from typing import Final

from swagproof.models.windows.kinds import Frame, Session
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, without
from swagproof.pipeline.audit.causes.sample import Name, Sample
from swagproof.pipeline.audit.causes.tried.cuts import has_result
from swagproof.pipeline.audit.causes.tried.divided import is_batch

_LEAST: Final = 2
"""How many findings, or batches, are a pattern."""
_MOST: Final = 6
"""How many batches of a window may be in doubt, where it is looked which they are."""
_SHOWN: Final = 4
_LOOKED: Final = 200
"""How many results are looked into, of findings and of right ones."""


def list_repeated(sample: Sample) -> Iterator[Hypothesis]:
    """Several batches of each column that numbers them."""
    if isinstance(sample.window, Frame | Session):
        return
    for i, name in enumerate(sample.columns):
        if is_batch(sample, i):
            numbers = sorted(sample.list_cells(i))
            for often in (2, 0):
                chosen = _Choice(sample, i, often).choose(numbers)
                if len(chosen) >= _LEAST:
                    yield _name(sample, i, name, often, chosen, numbers)


def _name(sample: Sample, i: int, name: str, often: int, chosen: Sequence[int], numbers: Sequence[int]) -> Hypothesis:
    steps = {b - a for a, b in pairwise(chosen)}
    even = len(steps) == 1 and len(chosen) > _LEAST
    shown = ", ".join(f"{number:,}" for number in chosen[:_SHOWN]) + (", ..." if len(chosen) > _SHOWN else "")
    each = f", {next(iter(steps)):,} apart" if even else ""
    verb, more = ("counts", " twice") if often else ("leaves out", "")
    return Hypothesis(
        "batch replayed" if often else "batch lost",
        f"{verb} the events whose {name} is {shown} ({len(chosen):,} in all{each}){more}",
        events=without(lambda e: e.others[i] in chosen, again=bool(often)),
        needs=2,
        bits=log2(len(numbers)) * (_LEAST if even else len(chosen)),
        filters=not often,
    )


class _Choice:
    """The batches that may be lost, or there twice."""

    def __init__(self, sample: Sample, i: int, often: int) -> None:
        self.sample, self.i, self.often = sample, i, often
        single = [
            name
            for name, parts in sample.due.items()
            if len(parts) == 1 and parts[0].answer is None and name not in sample.aside
        ]
        names = sorted(single, key=str)
        wrong = [name for name in names if name in sample.open]
        right = [name for name in names if name not in sample.findings]
        self.wrong = wrong[:: len(wrong) // _LOOKED + 1]
        self.right = right[:: len(right) // _LOOKED + 1]

    def choose(self, numbers: Sequence[int]) -> list[int]:
        """Those that all findings agree about."""
        doubt = set(numbers)
        for name in self.right:
            doubt -= {number for number in self.read(name) & doubt if not self.fits(name, {number})}
        sure: set[int] = set()
        for _ in range(len(numbers)):
            before = len(doubt), len(sure)
            for name in self.wrong:
                mine = sorted(self.read(name) & doubt - sure)
                if not mine or len(mine) > _MOST:
                    continue
                there = self.read(name) & sure
                some = [set(c) for k in range(len(mine) + 1) for c in combinations(mine, k)]
                fitting = [c for c in some if self.fits(name, there | c)]
                if fitting:
                    doubt -= set(mine).difference(*fitting)
                    sure |= set.intersection(*fitting)
            if before == (len(doubt), len(sure)):
                break
        return sorted(sure)

    def read(self, name: Name) -> set[int]:
        """The batches of a window."""
        return {e.others[self.i] for e in self.sample.due[name][0].events}

    def fits(self, name: Name, chosen: set[int]) -> bool:
        """Whether a window's result is that with these batches lost, or twice."""
        events = self.sample.due[name][0].events
        held = [e for e in events for _ in range(self.often if e.others[self.i] in chosen else 1)]
        return has_result(self.sample, held, self.sample.results.get(name, ()))
