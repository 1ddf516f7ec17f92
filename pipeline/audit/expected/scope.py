"""A part of an audit: the windows that end in a span of time, and a sample of the keys."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from heapq import nsmallest
from typing import Any

import pyarrow as pa
import pyarrow.compute

from swagproof.models.windows.kinds import Calendar, Sliding
from swagproof.pipeline.batches import Batch

compute: Any = pyarrow.compute  # its functions are created at run time


@dataclass(frozen=True)
class Span:
    """The windows that end after `begin` and not after `end`, so that adjacent spans have each window once."""

    window: Sliding | Calendar
    begin: int | None
    end: int | None

    def covers(self, a: int | None, b: int | None) -> bool:
        """Return whether a window is judged.

        >>> span = Span(Sliding(6, 2), 10, 20)
        >>> [span.covers(a, b) for a, b in ((4, 10), (5, 11), (None, 20), (14, None), (15, None))]
        [False, True, True, True, False]
        """
        if b is None and a is not None:
            b = self._find_end(a)
        return b is not None and (self.begin is None or b > self.begin) and (self.end is None or b <= self.end)

    def _find_end(self, a: int) -> int:
        if isinstance(self.window, Sliding):
            return a + self.window.range
        return self.window.start(self.window.number(a + (self.window.closed == "right")) + self.window.range)

    def _reach(self) -> int:
        """Return an upper bound of a window's length."""
        if isinstance(self.window, Sliding):
            return int(self.window.range)
        days = 31 if self.window.unit == "month" else 1
        return (self.window.range * days + 1) * 86_400 * self.window.second

    def keep(self, rows: Batch, side: int) -> Batch:
        """Return the events (side 1) or results (side 0) of the judged windows, and few others."""
        first, last = (None if at is None else at + sign * 2 * self._reach() for at, sign in
                       ((self.begin, -1), (self.end, 1)))  # fmt: skip
        names = ("time",) if side else ("a", "b")
        for name in names:
            for at, compare in ((first, compute.greater_equal), (last, compute.less_equal)):
                if at is not None and rows.num_rows:
                    rows = rows.filter(compute.fill_null(compare(rows.column(name), at), True))
        return rows


@dataclass(frozen=True)
class KeySample:
    """Keys sampled by a seed: those with the least digests, so that the sample is the same in every process."""

    seed: int
    most: int
    """The greatest digest of a judged key."""
    keys: int
    total: int
    """The number of judged keys, and the number of all keys."""

    @classmethod
    def draw(cls, names: Iterable[str], n: int, seed: int) -> "KeySample":
        """Sample n keys.

        >>> some = KeySample.draw("abcdefgh", 3, 1)
        >>> some.keys, some.total, sum(digest(name, 1) <= some.most for name in "abcdefgh")
        (3, 8, 3)
        """
        digests = [digest(name, seed) for name in names]
        chosen = nsmallest(n, digests)
        return cls(seed, chosen[-1] if chosen else -1, len(chosen), len(digests))

    def keep(self, rows: Batch) -> Batch:
        """Return the rows of judged keys."""
        keys = rows.column("key")
        coded = keys if pa.types.is_dictionary(keys.type) else keys.dictionary_encode()
        names = coded.dictionary.to_pylist()
        is_in = pa.array([digest(name, self.seed) <= self.most for name in names], pa.bool_())
        return rows.filter(is_in.take(coded.indices)) if names else rows


def digest(key: str, seed: int) -> int:
    """Return the digest by which keys are sampled."""
    return int.from_bytes(blake2b(f"{seed} {key}".encode(), digest_size=8).digest())
