"""A slicing operator run beside the definition of right: every record kept, every window looked up anew."""

from collections.abc import Sequence
from functools import reduce
from typing import Any, ClassVar, Generic

from icontract import SLOW, ensure, snapshot

from swagproof.models.monoid import A, Counting, Monoid


class PeriodicWindows(Generic[A]):
    """The windows [k slide, k slide + range) of some queries over a stream in order, by definition.

    Each answer is (query, begin, end, product); windows without records have none.
    """

    def __init__(self, monoid: Monoid[A], queries: Sequence[tuple[int, int]]) -> None:
        self.monoid = monoid
        self.queries = tuple(queries)
        self.records: list[tuple[int, A]] = []
        self.clock: int | None = None

    def product(self, values: Sequence[A]) -> A:
        """The product of these values, in their order."""
        return reduce(self.monoid.combine, values, self.monoid.identity)

    def advance(self, t: int) -> list[tuple[int, int, int, A]]:
        """The answers of the windows that end after the clock, and at t or before."""
        found: list[tuple[int, int, int, A]] = []
        oldest = self.records[0][0] if self.records else t
        for end in range(oldest if self.clock is None else self.clock + 1, t + 1):
            for number, (range_, slide) in enumerate(self.queries):
                begin = end - range_
                held = [v for u, v in self.records if begin <= u < end]
                if begin % slide == 0 and held:
                    found.append((number, begin, end, self.product(held)))
        self.clock = t
        return found

    def insert(self, t: int, v: A) -> list[tuple[int, int, int, A]]:
        """A record; the answers of the windows that are over by then."""
        found = self.advance(t)
        self.records.append((t, v))
        return found

    def first_open(self, query: tuple[int, int], t: int) -> int:
        """Where the first window begins that ends after t."""
        range_, slide = query
        return next(begin for begin in range(t - range_ + 1, t - range_ + slide + 1) if begin % slide == 0)

    def covered(self, t: int) -> bool:
        """Whether t is in a window of any query."""
        return any(any((t - back) % slide == 0 for back in range(range_)) for range_, slide in self.queries)


class SpecifiedSlicing(Generic[A]):
    """A mix-in placed before a slicing operator: `class CheckedPairs(SpecifiedSlicing[A], Pairs[A])`."""

    contract: ClassVar[Any]

    def __init__(self, monoid: Monoid[A], queries: Sequence[tuple[int, int]]) -> None:
        self.counting = Counting(monoid)
        self.model = PeriodicWindows(monoid, queries)
        self.expected: list[tuple[int, int, int, A]] = []
        self.assembled = 0
        super().__init__(self.counting, queries)  # type: ignore[call-arg]  # the operator's, next in line

    @snapshot(lambda self: self.counting.calls, name="before")
    @ensure(
        lambda self, OLD: self.contract.record_calls(self.counting.calls - OLD.before, self.assembled), "record calls"
    )
    @ensure(lambda self, result: result == self.expected, "answers", enabled=SLOW)
    @ensure(lambda self: self.contract.whole(self, [window[1:3] for window in self.expected]), "whole", enabled=SLOW)
    def insert(self, t: int, v: A) -> Any:
        """Insert into the operator and into the model.  Raises LateError, and then nothing has changed."""
        answers = super().insert(t, v)  # type: ignore[misc]  # the operator's, next in line
        self.expected = self.model.insert(t, v)
        self.assembled = sum(self._slices(begin, end) - 1 for _, begin, end, _ in self.expected)
        return answers

    def _slices(self, begin: int, end: int) -> int:
        """How many slices hold the records of a window."""
        return len({self.edge(t) for t, _ in self.model.records if begin <= t < end})  # type: ignore[attr-defined]  # the operator's
