"""The minimiser: from a trace that fails to the smallest one near it.

It removes, in turn, as long as the trace still fails:

- all operations after the failing one;
- all queries but the last;
- blocks of neighbouring elements, each with its insert and its evict, so that the rest of the window stays as it was;
- blocks of neighbouring operations (an evict that would then meet an empty window goes along);
- single operations.

Then elements are made simpler: the letters a, b, c, ... in order of insertion, numbers toward 0, 1 and 2.  Both repeat
until nothing changes.  The result is *1-minimal*: whichever one operation is removed, the trace passes or is not legal.
Equal operations in a row are tried once.  Every step is deterministic; a deadline can end it early, and then the
result is marked as not minimal.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain
from swagproof.oracle.runner import Failure, Tried, run
from swagproof.oracle.subject import Subject
from swagproof.oracle.trace import Step, insert, legal

PATIENCE: Final = 300
"""Inserts in the longest trace whose elements are simplified one by one."""


@dataclass
class Minimiser:
    """The smallest failing trace so far."""

    subject: Subject
    domain: Domain
    steps: list[Step]
    failure: Failure
    clock: Clock
    tried: Tried
    _passed: Sequence[Step] = ()

    def _fails(self, steps: Sequence[Step]) -> bool:
        """Take these operations if they fail; they may do so before the last."""
        if self.clock.expired or not steps or steps == self._passed or not legal(steps):
            return False
        failure = run(self.subject, self.domain, steps, self.clock, self.tried)
        if failure is None or failure.kind == "hung":
            self._passed = steps  # removing either of two equal neighbours gives the same again
            return False
        self.steps, self.failure = list(steps[: failure.at + 1]), failure
        return True

    def minimise(self) -> bool:
        """Make it as small as it gets.  False when the deadline, or a hang, came first."""
        if not self._fails(self.steps):  # it depends on what ran before
            return False
        self._fails([*(step for step in self.steps[:-1] if step.name != "query"), self.steps[-1]])
        self._remove_elements()
        self._simplify()
        self._remove_blocks()
        while not self.clock.expired:
            before = list(map(str, self.steps))
            self._remove_elements(most=2)
            self._remove_singles()
            self._simplify()
            if before == list(map(str, self.steps)):
                return not self.clock.expired
        return False

    def _remove_elements(self, most: int | None = None) -> None:
        size = most or len(self.steps)
        while size:
            first = 0
            while first < sum(step.name == "insert" for step in self.steps):
                if not self._fails(list(without_elements(self.steps, first, first + size))):
                    first += size
                if self.clock.expired:
                    return
            size //= 2

    def _remove_blocks(self) -> None:
        size = len(self.steps) // 2
        while size > 1:
            at = 0
            while at < len(self.steps):
                rest = self.steps[:at] + self.steps[at + size :]
                if not self._fails(list(made_legal(rest))):
                    at += size
                if self.clock.expired:
                    return
            size //= 2

    def _remove_singles(self) -> None:
        at = len(self.steps) - 1
        while at >= 0 and not self.clock.expired:
            start = at
            while start and self.steps[start - 1] == self.steps[at]:
                start -= 1  # removing any of equal neighbours gives the same trace
            if self._fails(self.steps[:start] + self.steps[start + 1 :]):
                at = min(at, len(self.steps)) - 1
            else:
                at = start - 1

    def _simplify(self) -> None:
        inserts = [at for at, step in enumerate(self.steps) if step.name == "insert"]
        letters = self.domain.elements.letters
        if len(inserts) <= len(letters):
            self._rename(inserts, letters)
        else:
            self._rename(inserts, letters[:1] * len(inserts))
        if len(inserts) > PATIENCE:
            self._level(inserts, letters[0])
            return
        for at in inserts:
            if at >= len(self.steps):  # it fails earlier by now
                return
            for simpler in self.domain.elements.simpler(self.steps[at].arguments[0]):
                if self.domain.takes(simpler) and self._fails(
                    [*self.steps[:at], insert(simpler), *self.steps[at + 1 :]]
                ):
                    break

    def _level(self, inserts: Sequence[int], letter: object) -> None:
        """Make blocks of elements equal, down to a sixteenth of them."""
        size = len(inserts) // 2
        while size > len(inserts) // 32 and size > 1:
            for start in range(0, len(inserts), size):
                steps = list(self.steps)
                for at in inserts[start : start + size]:
                    if at < len(steps):
                        steps[at] = insert(letter)
                self._fails(steps)
            size //= 2

    def _rename(self, inserts: Sequence[int], letters: Iterable[object]) -> None:
        steps = list(self.steps)
        for at, letter in zip(inserts, letters, strict=False):
            steps[at] = insert(letter)
        if list(map(str, steps)) != list(map(str, self.steps)):
            self._fails(steps)


def without_elements(steps: Sequence[Step], first: int, end: int) -> Iterator[Step]:
    """The operations without the elements first .. end - 1, counted by insertion: neither their inserts nor evicts.

    >>> from swagproof.oracle.trace import EVICT, QUERY, inline
    >>> inline(list(without_elements([insert("a"), insert("b"), EVICT, insert("c"), QUERY], 0, 1)))
    'insert "b", insert "c", query'
    """
    inserted = evicted = 0
    for step in steps:
        at = -1
        if step.name == "insert":
            at, inserted = inserted, inserted + 1
        elif step.name == "evict":
            at, evicted = evicted, evicted + 1
        if not first <= at < end:
            yield step


def made_legal(steps: Iterable[Step]) -> Iterator[Step]:
    """The operations without those evicts that would meet an empty window."""
    size = 0
    for step in steps:
        if step.name == "insert":
            size += 1
        elif step.name == "evict":
            if not size:
                continue
            size -= 1
        yield step


def one_minimal(subject: Subject, domain: Domain, steps: Sequence[Step], clock: Clock) -> bool:
    """Whether the trace fails, and without any one of its operations passes or is not legal.  Run in full."""
    if run(subject, domain, steps, clock, Tried()) is None:
        return False
    shorter = ([*steps[:at], *steps[at + 1 :]] for at in range(len(steps)))
    return all(not legal(rest) or run(subject, domain, rest, clock, Tried()) is None for rest in shorter)
