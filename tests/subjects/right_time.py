"""Time-based windows that are right, for the tests of the oracle."""

from collections import deque
from collections.abc import Iterable
from functools import reduce
from typing import Any


class Timed:
    """Times and values in a queue, with recomputed answers."""

    def __init__(self, monoid: Any) -> None:
        self.monoid = monoid
        self.entries: deque[tuple[Any, Any]] = deque()
        self.length = 0

    def span(self, span: Any) -> None:
        self.length = span

    def insert(self, t: Any, v: Any) -> None:
        self.entries.append((t, v))
        self.advance(t)

    def advance(self, t: Any) -> None:
        while self.entries and self.entries[0][0] <= t - self.length:
            self.entries.popleft()

    def query(self) -> Any:
        return self.product(v for _, v in self.entries)

    def product(self, values: Iterable[Any]) -> Any:
        return reduce(self.monoid.combine, values, self.monoid.identity)
