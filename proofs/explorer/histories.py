"""Short histories of a FIFO window, in the order of their length, and runs of an algorithm over them."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from swagproof.models.fifo import FifoWindow
from swagproof.models.monoid import Counting
from swagproof.models.operations import CONCATENATION
from swagproof.proofs.explorer.letters import LETTERS


def histories(longest: int) -> Iterator[tuple[str, ...]]:
    """Yield all legal words of insert and evict, shortest first."""
    for length in range(1, longest + 1):
        for word in itertools.product(("insert", "evict"), repeat=length):
            sizes = itertools.accumulate(1 if step == "insert" else -1 for step in word)
            if all(size >= 0 for size in sizes):
                yield word


def in_words(word: tuple[str, ...]) -> str:
    """Return the history as text: insert a, insert b, evict."""
    letters = iter(LETTERS)
    return ", ".join(f"insert {next(letters)}" if step == "insert" else "evict" for step in word)


@dataclass
class HistoryRun:
    """A history played on an algorithm over strings, with its combine calls and the window by definition."""

    algorithm: Any
    window: FifoWindow[str]
    monoid: Counting[str]
    inserts: int = 0
    evicts: int = 0

    @classmethod
    def of(cls, algorithm: type[Any]) -> "HistoryRun":
        monoid = Counting(CONCATENATION)
        return cls(algorithm(monoid), FifoWindow(CONCATENATION), monoid)

    def step(self, step: str) -> int:
        """Run one operation and return its combine calls."""
        before = self.monoid.calls
        if step == "insert":
            letter = LETTERS[self.inserts]
            self.algorithm.insert(letter)
            self.window.insert(letter)
            self.inserts += 1
        else:
            self.algorithm.evict()
            self.window.evict()
            self.evicts += 1
        return self.monoid.calls - before

    def play(self, word: tuple[str, ...]) -> "HistoryRun":
        for step in word:
            self.step(step)
        return self


def play_histories(algorithm: type[Any], longest: int = 7) -> Iterator[tuple[str, HistoryRun]]:
    """Yield every history as text, shortest first, with its run."""
    for word in histories(longest):
        yield in_words(word), HistoryRun.of(algorithm).play(word)
