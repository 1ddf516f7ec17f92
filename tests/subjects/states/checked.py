"""Two-Stacks Lite as a user might build it, with its contracts attached by a map of its fields; right, and wrong."""

from typing import Any

from subjects.patches import patch

from swagproof import checked

FIELDS: dict[str, Any] = {"deque": "items", "B": "split", "aggB": "tail"}


class Lite:
    """After the split the elements as inserted, before it their products up to the split."""

    def __init__(self, monoid: Any) -> None:
        self.ops = monoid
        self.items: list[Any] = []
        self.split = 0
        self.tail = monoid.identity

    def insert(self, v: Any) -> None:
        self.items.append(v)
        self.tail = self.ops.combine(self.tail, v)

    def evict(self) -> None:
        if not self.split:
            self.flip()
        self.items.pop(0)
        self.split -= 1

    def flip(self) -> None:
        for at in range(len(self.items) - 2, -1, -1):
            self.items[at] = self.ops.combine(self.items[at], self.items[at + 1])
        self.split = len(self.items)
        self.tail = self.ops.identity

    def query(self) -> Any:
        return self.ops.combine(self.items[0] if self.split else self.ops.identity, self.tail)


class FlipsBackwards(Lite):
    """The products of the front have their operands swapped."""

    def flip(self) -> None:
        for at in range(len(self.items) - 2, -1, -1):
            self.items[at] = self.ops.combine(self.items[at + 1], self.items[at])
        self.split, self.tail = len(self.items), self.ops.identity


patch(globals(), Lite, """
KeepsTheTail: aggB is not cleared by the flip.
    flip: self.tail = self.ops.identity -> pass
ForgetsTheSplit: The pointer stays where it was when the front loses an element.
    evict: self.split -= 1 -> self.split -= not self.items
SwapsAtTheEnd: Its state is right, and its answer is not.
    query: self.ops.combine -> (lambda older, newer: self.ops.combine(newer, older))
""")  # fmt: skip


@checked("two-stacks-lite", state=FIELDS)
class CheckedLite(Lite):
    """Right, with all clauses checked."""


@checked("two-stacks-lite", state=FIELDS)
class CheckedBackwards(FlipsBackwards):
    """Wrong, with all clauses checked."""
