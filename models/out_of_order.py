"""Definition of the out-of-order window as two sorted lists, simple enough to be right by inspection.

Source: *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018), section 2, Definition 2.1 and the range query
that follows it.

Decided here, where the paper leaves it open: every operation raises TimeError, before anything changes, for a time that
does not compare with itself or with the times of the window (NaN, None, a string among numbers).  A partial order is
detected only when two incomparable times are compared.
"""

from bisect import bisect_left, bisect_right
from functools import reduce
from typing import Any, Final, Generic, Protocol

from swagproof.models.fifo import EmptyWindowError
from swagproof.models.monoid import A, Monoid


class TimeError(ValueError):
    """A time does not compare with itself, the window, or the other end of a range.  The window is unchanged."""

    def __init__(self, t: Any, other: Any) -> None:
        if t is other:
            said = (
                f"time {t!r} does not equal itself or has no order; give times of a totally ordered type, without NaN"
            )
        else:
            said = f"time {t!r} does not compare with {other!r}; give all times, without NaN, in one ordered type"
        super().__init__(said)


class NoTimeError(EmptyWindowError):
    """Raised for the oldest or youngest time of an empty window."""

    def __init__(self, which: str) -> None:
        IndexError.__init__(self, f"{which}: the window is empty")


def require_ordered(t: Any, other: Any) -> None:
    """Raise TimeError unless exactly one of t < other, t = other, t > other holds.  At most three comparisons.

    With `t` itself as `other`, this rejects NaN and types without an order.

    >>> require_ordered(float("nan"), 1)
    Traceback (most recent call last):
    ...
    swagproof.models.out_of_order.TimeError: time nan does not compare with 1; give all times, without NaN, in one \
ordered type
    """
    try:
        ordered = bool(t < other) + bool(other < t) + bool(t == other) == 1
    except Exception as error:
        raise TimeError(t, other) from error
    if not ordered:
        raise TimeError(t, other)


class Infinity:
    """An end of time, before or after every time of any type except itself.

    The paper uses the infinities as marks.  Here they are no times, so a window over floats may hold its own
    infinities, and one over dates needs none.

    >>> MINUS_INFINITY < float("-inf"), "any text" < PLUS_INFINITY, PLUS_INFINITY < PLUS_INFINITY
    (True, True, False)
    """

    def __init__(self, name: str, before: bool) -> None:
        self.name = name
        self.before = before

    def __lt__(self, other: Any) -> bool:
        return self.before and other is not self

    def __gt__(self, other: Any) -> bool:
        return not self.before and other is not self

    def __le__(self, other: Any) -> bool:
        return self.before or other is self

    def __ge__(self, other: Any) -> bool:
        return not self.before or other is self

    def __repr__(self) -> str:
        return self.name


MINUS_INFINITY: Final = Infinity("-infinity", before=True)
PLUS_INFINITY: Final = Infinity("+infinity", before=False)


class OutOfOrder(Protocol[A]):
    """The OoO SWAG abstract data type, with the range query of window sharing."""

    def insert(self, t: Any, v: A) -> None:
        """Add `v` at time `t`; if `t` is present, combine the old value, on the left, with `v`."""
        ...

    def evict(self, t: Any) -> None:
        """Remove the entry at time `t`, if there is one."""
        ...

    def query(self) -> A:
        """The product of the window in the order of time, the identity when it is empty."""
        ...

    def range_query(self, t_from: Any, t_to: Any) -> A:
        """The product of the entries with t_from <= t <= t_to, the identity if there is none."""
        ...


class OutOfOrderWindow(Generic[A]):
    """The definition of a correct window: times and values in two lists, with each product recomputed.

    Section 2's example, over (maximum, how often it occurs):

    >>> from swagproof.models.operations import MAX_COUNT
    >>> window = OutOfOrderWindow(MAX_COUNT)
    >>> for t, e in ((17, 4), (19, 3), (20, 0), (21, 4), (22, 4), (18, 5)):
    ...     window.insert(t, MAX_COUNT.lift(e))
    >>> window.query()
    (5, 1)
    >>> window.evict(17); window.evict(18); window.query()
    (4, 2)
    >>> window.range_query(19, 21)
    (4, 1)
    """

    def __init__(self, monoid: Monoid[A]) -> None:
        self.monoid = monoid
        self.times: list[Any] = []
        self.values: list[A] = []

    @property
    def size(self) -> int:
        """n, the number of entries, which have distinct times."""
        return len(self.times)

    def index(self, t: Any) -> int | None:
        """Return the i with t_i = t, counted from the oldest, or None if `t` is absent.  Raises TimeError."""
        self._require(t)
        i = bisect_left(self.times, t)
        return i if i < len(self.times) and self.times[i] == t else None

    def insert(self, t: Any, v: A) -> None:
        """Add `v` at time `t`, or combine it on the right with the value there.  At most 1 combine call.

        Raises TimeError; then nothing has changed.
        """
        i = self.index(t)
        if i is not None:
            self.values[i] = self.monoid.combine(self.values[i], v)
        else:
            i = bisect_left(self.times, t)
            self.times.insert(i, t)
            self.values.insert(i, v)

    def evict(self, t: Any) -> None:
        """Remove the entry at time `t`, if there is one.  No combine calls.  Raises TimeError."""
        i = self.index(t)
        if i is not None:
            del self.times[i], self.values[i]

    def query(self) -> A:
        """v_1 ... v_n, or the identity.  n combine calls."""
        return self.product(0, self.size)

    def range_query(self, t_from: Any, t_to: Any) -> A:
        """The product of the entries with t_from <= t <= t_to, or the identity.  Raises TimeError."""
        self._require(t_from)
        require_ordered(t_to, t_from)
        i, j = bisect_left(self.times, t_from), bisect_right(self.times, t_to)
        return self.product(i, max(i, j))

    def product(self, i: int, j: int) -> A:
        """The product of the entries i .. j - 1, counted from 0 at the oldest; the identity when i = j."""
        if not 0 <= i <= j <= self.size:
            raise IndexError(f"product({i}, {j}) of a window of {self.size}")
        return reduce(self.monoid.combine, self.values[i:j], self.monoid.identity)

    def _require(self, t: Any) -> None:
        require_ordered(t, self.times[0] if self.times else t)
