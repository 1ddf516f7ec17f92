"""Shadows of operators that answer windows when they are over."""

from collections.abc import Sequence
from typing import Any, Generic

from swagproof.contracts.shadows.shadow import Shadow
from swagproof.models.discretisation import FDisc, LookBack
from swagproof.models.marked import MarkedWindows
from swagproof.models.monoid import A, Monoid
from swagproof.models.sliced import Answered, SlicedWindows


class SlicedShadow(Shadow[A]):
    """The shadow for `class CheckedSliced(SlicedShadow[A], Sliced[A])`: records in order, which move the clock."""

    expected: Sequence[Answered[A]] = ()
    """The expected latest answers."""
    joins = 0
    """The combine calls that these may take: s - 1 for a window of s slices with records."""

    def _define(self, monoid: Monoid[A], *rest: Any, **options: Any) -> SlicedWindows[A]:
        return SlicedWindows(monoid, *rest)

    def insert(self, t: int, v: A) -> list[Any]:
        """Insert into the operator, whose `advance` moves the model's clock, and into the model."""
        answers: list[Any] = self._ask("insert", t, v)
        self.model.insert(t, v)
        return answers

    def advance(self, t: int) -> list[Any]:
        """Advance the operator and the model."""
        answers: list[Any] = self._ask("advance", t)
        self.expected = self.model.advance(t)
        self.joins = sum(self._slices(begin, end) - 1 for _, begin, end, _ in self.expected)
        return answers

    def _slices(self, begin: int, end: int) -> int:
        edge = super().edge  # type: ignore[misc]  # the operator's
        return len({edge(t) for t, _ in self.model.records if begin <= t < end})


class StreamShadow(Shadow[A]):
    """The shadow for `class CheckedStreamSlicing(StreamShadow[A], ...)`: records in any order after the watermark."""

    expected: Sequence[Answered[A]] = ()
    """The expected latest answers."""

    def _define(
        self, monoid: Monoid[A], periodic: Sequence[tuple[int, int]] = (), sessions: Sequence[int] = (), **options: Any
    ) -> SlicedWindows[A]:
        return SlicedWindows(monoid, periodic, sessions)

    def insert(self, t: int, v: A) -> None:
        """Insert into the operator and into the model."""
        self._both("insert", t, v)

    def advance(self, watermark: int) -> list[Any]:
        """Advance the operator and the model."""
        answers: list[Any] = self._ask("advance", watermark)
        self.expected = self.model.advance(watermark)
        return answers


class MarkedShadow(Shadow[A]):
    """The shadow for `class CheckedCutty(MarkedShadow[A], Cutty[A])`: the model uses the functions' results."""

    expected: Sequence[tuple[int, A]] = ()
    """The expected latest answers."""
    cuts = False
    """True if the latest item began a slice."""

    def __init__(
        self, monoid: Monoid[A], deterministic: Sequence[FDisc] = (), looking_back: Sequence[LookBack] = ()
    ) -> None:
        self.said: tuple[list[Any], list[Any]] = [], []
        noted = [self._note(function, 0) for function in deterministic]
        super().__init__(monoid, noted, [self._note(function, 1) for function in looking_back])

    def _define(self, monoid: Monoid[A], *rest: Any, **options: Any) -> MarkedWindows[A]:
        return MarkedWindows(monoid, *map(len, rest))

    def _note(self, function: Any, kind: int) -> Any:
        """Return the function, wrapped to record its results for the model."""

        def noted(item: Any) -> Any:
            said = function(item)
            self.said[kind].append(said)
            return said

        return noted

    def insert(self, item: Any, v: A) -> list[Any]:
        """Insert into the operator and into the model."""
        return self._step("insert", item, v)

    def tell(self, item: Any) -> list[Any]:
        """Pass an item that is no record to the operator and the model."""
        return self._step("tell", item)

    def _step(self, operation: str, item: Any, *record: A) -> list[Any]:
        self.said = [], []
        answers: list[Any] = self._ask(operation, item, *record)
        marks, looks = self.said
        self.cuts = bool(record) and (any(mark.begin for mark in marks) or bool(looks))
        self.expected = self.model.item(marks, looks, *record)
        return answers


class StoreShadow(Generic[A]):
    """The shadow for `class CheckedSliceStore(StoreShadow[A], SliceStore[A])`, with all slices ever appended."""

    fat: Any

    def __init__(self, monoid: Monoid[A]) -> None:
        self.model: StoredSlices[A] = StoredSlices()
        super().__init__(monoid)  # type: ignore[call-arg]  # the store's, next in line

    @property
    def n(self) -> int:
        """The number of places of the store."""
        return int(self.fat.n)

    def append(self, partial: A) -> None:
        """Append to the store and to the model."""
        super().append(partial)  # type: ignore[misc]  # the store's
        self.model.partials.append(partial)


class StoredSlices(Generic[A]):
    """Slices by number, from 1."""

    def __init__(self) -> None:
        self.partials: list[A] = []

    def slice(self, number: int) -> A:
        """The partial aggregate of a slice."""
        return self.partials[number - 1]
