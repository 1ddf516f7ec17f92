"""Stream slicing run beside the definition of right: every record kept, sorted by time, every window looked up anew."""

from collections.abc import Sequence
from functools import reduce
from typing import Any, ClassVar, Generic

from icontract import SLOW, ensure

from swagproof.contracts.ghosts.specified_slicing import PeriodicWindows
from swagproof.models.monoid import A, Counting, Monoid


class UnorderedWindows(Generic[A]):
    """Periodic windows and sessions over a stream out of order, by definition.

    Each answer is (query, begin, end, product); a window is answered when its end has come under the watermark.
    """

    def __init__(self, monoid: Monoid[A], periodic: Sequence[tuple[int, int]], sessions: Sequence[int]) -> None:
        self.monoid = monoid
        self.periodic = tuple(periodic)
        self.gaps = tuple(sessions)
        self.records: list[tuple[int, A]] = []
        self.watermark: int | None = None

    @property
    def ordered(self) -> list[tuple[int, A]]:
        """The records by time; those of one time in the order of their arrival."""
        return sorted(self.records, key=lambda record: record[0])

    def insert(self, t: int, v: A) -> None:
        """A record."""
        self.records.append((t, v))

    def advance(self, watermark: int) -> list[tuple[int, int, int, A]]:
        """The answers of the windows that end after the old watermark, and at the new or before."""
        since, self.watermark = self.watermark, watermark
        found: list[tuple[int, int, int, A]] = []
        if self.records:
            model: PeriodicWindows[A] = PeriodicWindows(self.monoid, self.periodic)
            model.records = self.ordered
            model.clock = model.records[0][0] - 1 if since is None else since
            found += model.advance(watermark)
        for number, gap in enumerate(self.gaps, start=len(self.periodic)):
            for begin, last in self.sessions(gap):
                if (since is None or since < last + gap) and last + gap <= watermark:
                    found.append((number, begin, last + gap, self.product(begin, last)))
        return sorted(found, key=lambda answer: (answer[2], answer[0]))

    def sessions(self, gap: int) -> list[tuple[int, int]]:
        """The times of the first and last records of the sessions: runs of records less than `gap` apart."""
        found: list[tuple[int, int]] = []
        for t, _ in self.ordered:
            if found and t - found[-1][1] < gap:
                found[-1] = found[-1][0], t
            else:
                found.append((t, t))
        return found

    def runs(self, since: int, commutative: bool) -> list[tuple[int, int]]:
        """The times of the first and last records of the slices from a time on."""
        found: list[tuple[int, int]] = []
        for t, _ in self.ordered:
            if t < since:
                continue
            if found:
                begin, last = found[-1]
                parted = any(
                    edge % slide in (0, range_ % slide)
                    for range_, slide in self.periodic
                    for edge in range(last + 1, t + 1)
                ) or any(t - last >= gap for gap in self.gaps)
                if t == last or (commutative and not parted):
                    found[-1] = begin, t
                    continue
            found.append((t, t))
        return found

    def needed(self, watermark: int) -> int:
        """The first time that a window or a session still open at the watermark reaches back to."""
        begins = [watermark]
        for range_, slide in self.periodic:
            begins.append(next(t for t in range(watermark - range_ + 1, watermark + slide + 1) if t % slide == 0))
        for gap in self.gaps:
            begins += [begin for begin, last in self.sessions(gap) if last + gap > watermark]
        return min(begins)

    def product(self, begin: int, last: int) -> A:
        """The product of the records of these times, both included."""
        return reduce(self.monoid.combine, [v for t, v in self.ordered if begin <= t <= last], self.monoid.identity)


class SpecifiedStreamSlicing(Generic[A]):
    """A mix-in placed before the operator: `class CheckedStreamSlicing(SpecifiedStreamSlicing[A], ...)`."""

    contract: ClassVar[Any]

    def __init__(
        self,
        monoid: Monoid[A],
        periodic: Sequence[tuple[int, int]] = (),
        sessions: Sequence[int] = (),
        *,
        commutative: bool = True,
        min_arity: int = 2,
    ) -> None:
        self.counting = Counting(monoid)
        self.model = UnorderedWindows(monoid, periodic, sessions)
        super().__init__(self.counting, periodic, sessions, commutative=commutative, min_arity=min_arity)  # type: ignore[call-arg]  # the operator's, next in line

    def insert(self, t: int, v: A) -> None:
        """Insert into the operator and into the model.  Raises LateError or WindowError; nothing has changed then."""
        super().insert(t, v)  # type: ignore[misc]  # the operator's, next in line
        self.model.insert(t, v)

    @ensure(lambda self, result: result == self.expected, "answers", enabled=SLOW)
    def advance(self, watermark: int) -> Any:
        """Advance the operator and the model.  Raises LateError or WindowError; nothing has changed then."""
        answers = super().advance(watermark)  # type: ignore[misc]  # the operator's, next in line
        self.expected = self.model.advance(watermark)
        return answers
