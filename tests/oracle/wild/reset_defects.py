"""Defects of resets, as programs that speak the line protocol: `python reset_defects.py CLASS [right]`.

A Python class is rebuilt for each trace; a program is reset, and keeps any state that it forgets to clear.
"""

import sys
from typing import Any

from defect import Defect


class _Ring(Defect):
    """A ring of values that doubles when it is full; right without a defect."""

    monoids = ("min",)

    def __init__(self) -> None:
        self.values = [0] * 4
        self.begin()

    def begin(self) -> None:
        """Reset the window."""
        self.first = self.size = 0

    def insert(self, v: int) -> None:
        if self.size == len(self.values):
            self.values = self.held() + [0] * self.size
            self.first = 0
        self.values[(self.first + self.size) % len(self.values)] = v
        self.size += 1

    def evict(self) -> None:
        self.first = (self.first + 1) % len(self.values)
        self.size -= 1

    def query(self) -> Any:
        return min(self.held(), default=None)

    def held(self) -> list[int]:
        """Return the elements in the window, in order."""
        return [self.values[(self.first + at) % len(self.values)] for at in range(self.size)]


class FullAfterReset(_Ring):
    """A reset overwrites the values with zeros but keeps their number: the next answers include the zeros."""

    thread = "apache/celeborn/pull/2182"

    def begin(self) -> None:
        self.values = [0] * len(self.values)
        if not self.wrong or not hasattr(self, "size"):
            super().begin()


class SumAfterReset(_Ring):
    """A reset clears the values, but not their running sum."""

    thread = "betaflight/betaflight/pull/9723"
    monoids = ("sum",)

    def begin(self) -> None:
        super().begin()
        if not self.wrong or not hasattr(self, "total"):
            self.total = 0

    def insert(self, v: int) -> None:
        super().insert(v)
        self.total += v

    def evict(self) -> None:
        self.total -= self.values[self.first]
        super().evict()

    def query(self) -> Any:
        return self.total


def main(name: str, *words: str) -> None:
    """Run the protocol's dialogue."""
    made: Any = globals()[name]
    window = (made.right if "right" in words else made)()
    for line in sys.stdin:
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "swagproof":
            print(f"swagproof 1 window=fifo monoids={made.monoids[0]}")
        elif word == "reset":
            window.begin()
        elif word == "insert":
            window.insert(int(rest))
        elif word == "evict":
            window.evict()
        elif word == "query":
            answer = window.query()
            print("none" if answer is None else answer)
        elif word == "flush":
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
