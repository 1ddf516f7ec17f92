"""Definition of windows that discretisation functions mark: all records are kept, and each product is recomputed."""

from collections.abc import Sequence
from functools import reduce
from typing import Generic

from swagproof.models.discretisation import Looks, Marks
from swagproof.models.monoid import A, Monoid


class MarkedWindows(Generic[A]):
    """The windows of several queries over one stream, as their discretisation functions mark them."""

    def __init__(self, monoid: Monoid[A], deterministic: int, looking_back: int) -> None:
        self.monoid = monoid
        self.records: list[A] = []
        self.gone = 0
        """The number of records dropped from the front."""
        self.begun: list[list[int]] = [[] for _ in range(deterministic)]
        self.looking_back = looking_back
        self.reach = [1] * looking_back
        self.cuts: list[int] = []

    def product(self, a: int, b: int) -> A:
        """r_a ... r_b."""
        held = self.records[a - 1 - self.gone : b - self.gone]
        return reduce(self.monoid.combine, held, self.monoid.identity)

    @property
    def number(self) -> int:
        """The number of the newest record, counted from 1."""
        return self.gone + len(self.records)

    def item(self, marks: Sequence[Marks], looks: Sequence[Looks], *record: A) -> list[tuple[int, A]]:
        """Process an item, with its value if it is a record; return (query, product) for each window that it ends."""
        found: list[tuple[int, A]] = []

        def end(query: int, a: int) -> None:
            found.append((query, self.product(a, self.number)))

        for query, mark in enumerate(marks):
            for _ in range(mark.over):
                end(query, self.begun[query].pop(0))
        for query, look in enumerate(looks, start=len(marks)):
            for a in look.over:
                end(query, a)
        if record:
            self.records += record
            if any(mark.begin for mark in marks) or looks:
                self.cuts.append(self.number)
        for query, mark in enumerate(marks):
            self.begun[query] += [self.number] * mark.begin
            for _ in range(mark.end):
                end(query, self.begun[query].pop(0))
        for query, look in enumerate(looks, start=len(marks)):
            for a in look.end:
                end(query, a)
        self.reach = [look.reach for look in looks]
        needed = [*(begun[0] for begun in self.begun if begun), *self.reach]
        oldest = min(needed, default=self.number + 1)
        self.cuts = [cut for cut in self.cuts if cut >= oldest or (cut == self.number and looks)]
        return found
