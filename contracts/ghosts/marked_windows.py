"""Cutty run beside the definition of right: every record kept, every window's product computed from nothing."""

from collections.abc import Sequence
from functools import reduce
from typing import Any, Generic

from icontract import SLOW, ensure, snapshot

from swagproof.contracts.ghosts.ghost import Ghost
from swagproof.models.discretisation import FDisc, LookBack, Looks, Marks
from swagproof.models.monoid import A, Monoid


class CuttyWindows(Generic[A]):
    """The windows of some queries over one stream, by what their discretisation functions say of each item."""

    def __init__(self, monoid: Monoid[A], deterministic: int, looking_back: int) -> None:
        self.monoid = monoid
        self.records: list[A] = []
        self.gone = 0
        """How many records came before these."""
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
        """That of the newest record, counted from 1."""
        return self.gone + len(self.records)

    def item(self, marks: Sequence[Marks], looks: Sequence[Looks], *record: A) -> list[tuple[int, A]]:
        """One item, with its value where it is a record: (query, product) of the windows that it ends."""
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


class CuttyGhost(Ghost[A]):
    """For `class CheckedCutty(CuttyGhost[A], Cutty[A])`.  The model goes by what the discretisation functions said."""

    def __init__(
        self, monoid: Monoid[A], deterministic: Sequence[FDisc] = (), looking_back: Sequence[LookBack] = ()
    ) -> None:
        self.said: tuple[list[Any], list[Any]] = [], []
        noted = [self._note(function, 0) for function in deterministic]
        super().__init__(monoid, noted, [self._note(function, 1) for function in looking_back])

    def _define(self, monoid: Monoid[A], *rest: Any, **options: Any) -> CuttyWindows[A]:
        return CuttyWindows(monoid, *map(len, rest))

    def _note(self, function: Any, kind: int) -> Any:
        """The function, with what it says noted for the model."""

        def noted(item: Any) -> Any:
            said = function(item)
            self.said[kind].append(said)
            return said

        return noted

    @snapshot(lambda self: (self.counting.calls, self.store.fat, self.is_active), name="before")
    @ensure(
        lambda self, result, OLD: self.contract.calls(
            self.counting.calls - OLD.before[0],
            self.cut_now,
            self.cut_now and OLD.before[2],
            len(result),
            self.store.fat.n,
            self.store.fat is not OLD.before[1],
        ),
        "calls",
    )
    @ensure(lambda self, result: result == self.expected, "answers", enabled=SLOW)
    def insert(self, item: Any, v: A) -> Any:
        """Insert into Cutty and into the model.  Raises WindowError, and then nothing has changed."""
        return self._step("insert", item, v)

    @ensure(lambda self, result: result == self.expected, "answers", enabled=SLOW)
    def tell(self, item: Any) -> Any:
        """Tell Cutty and the model of an item that is no record.  Raises WindowError, and then nothing has changed."""
        return self._step("tell", item)

    def _step(self, operation: str, item: Any, *record: A) -> Any:
        self.said = [], []
        answers = self._ask(operation, item, *record)
        marks, looks = self.said
        self.cut_now = bool(record) and (any(mark.begin for mark in marks) or bool(looks))
        self.expected = self.model.item(marks, looks, *record)
        return answers
