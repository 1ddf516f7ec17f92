"""Defects of windows of several sizes over one stream."""

from collections import deque
from typing import Any

from defect import Defect


class SmallerWindowTrims(Defect):
    """Windows of several sizes share one queue of maxima: a lookup of a smaller window drops elements that a larger one
    needs.
    """

    thread = "pandas-dev/pandas/issues/46726"
    monoids = ("max",)

    def __init__(self, monoid: Any) -> None:
        self.monoid = monoid
        self.sizes: set[int] = set()
        self.arrived = 0
        self.maxima: deque[tuple[int, Any]] = deque()

    def register(self, size: int) -> None:
        self.sizes.add(size)

    def insert(self, v: Any) -> None:
        self.arrived += 1
        while self.maxima and self.maxima[-1][1] <= v:
            self.maxima.pop()
        self.maxima.append((self.arrived, v))
        self.trim(max(self.sizes))

    def lookup(self, size: int) -> Any:
        if self.wrong:
            self.trim(size)
        live = (v for number, v in self.maxima if number > self.arrived - size)
        return next(live, self.monoid.identity)

    def trim(self, size: int) -> None:
        """Drop elements that are not among the newest."""
        while self.maxima and self.maxima[0][0] <= self.arrived - size:
            self.maxima.popleft()
