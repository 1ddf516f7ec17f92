"""OrderedSharing.

- Full name: OrderedSharing
- Paper: Aggregate Sharing in Stream Databases (2005), section 6
- Order: FIFO, count windows of several sizes over one stream
- Operator: max or min of a total order
- Combine calls: none; tree nodes: O(log |W|) an insert, amortised, and a lookup of a valid window; else O(size) tuples
- Space: at most |W| tree nodes, and the tuples of the largest window
- Errata: OS-1, OS-2, OS-7; readings OS-3, OS-4, OS-5, OS-8, OS-10, OS-12, OS-13, OS-14

Conventions: the paper's w.answer, w.ts, w.size, currentTime and newValue keep their names; time is the number of tuples
that have arrived.  The definition of a valid window has lost its formula in the supplied text (reading OS-12).  It is
restored from the next sentence (an answer "within its window", or of a larger window and "contained within the window
of w") and from Example 2: w is valid iff some w' with w'.size >= w.size has currentTime - w'.ts < w.size.  W is the set
of registered windows.  The tree is ordered by window size: for min, answers fall from left to right, which mirrors the
paper's tree (section 6.3.2.3).
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any, Final, Generic, TypeVar

from icontract import SLOW, ensure, invariant, require, snapshot

from swagproof.contracts.shadows.shared import ValuesShadow
from swagproof.contracts.sharing.ordered_sharing import (
    account,
    answered,
    answers,
    balance,
    beaten,
    best_of_window,
    discards,
    insert_paid,
    insert_validates,
    larger_are_better,
    lookup_paid,
    lookup_validates,
    newer_are_worse,
    nodes,
    none_serves,
    nothing_to_fix,
    only_larger,
    outside,
    removes,
    revalidated,
    same_windows,
    serves,
    sizes,
    some_tuple,
    stamps,
    timestamps,
    tree_stays,
    tuples,
    unanswered,
    valid_answers,
    validity,
    windows_now,
)
from swagproof.models.containers.search_tree import SearchTree
from swagproof.models.operations import MAX, MIN
from swagproof.models.shared import Registry

V = TypeVar("V")

NEVER: Final = -inf
"""The timestamp of an answer that cannot be used."""


@dataclass(slots=True, eq=False)
class Window(Generic[V]):
    """The state of a window (section 6.1)."""

    answer: V | None
    ts: float
    """The arrival time of the answer's tuple (erratum OS-1); NEVER for a window without an answer of its own."""
    size: int


class OrderedSharing(Generic[V]):
    """Maxima over windows of several sizes: one tree of some windows' answers serves all windows.

    >>> shared = OrderedSharing()
    >>> shared.register(1); shared.register(3)
    >>> for v in (9, 4, 2):
    ...     shared.insert(v)
    >>> shared.lookup(3), shared.lookup(1)
    (9, 2)
    >>> shared.insert(7); shared.lookup(3), shared.lookup(1)
    (7, 7)
    """

    def __init__(self) -> None:
        self.registry = Registry()
        self.windows: dict[int, Window[V]] = {}
        self.tree: SearchTree[Window[V]] = SearchTree()  # [reading OS-14]
        self.tuples: deque[V] = deque()
        self.currentTime = 0

    def worse(self, a: Any, b: Any) -> bool:
        """Return whether the answer `b` beats `a`: for max, a < b."""
        return bool(a < b)

    def register(self, size: int) -> None:
        """Add a standing query over the newest `size` tuples.  Raises like the registry."""
        self.registry.add(size)
        self.windows[size] = Window(None, NEVER, size)

    def insert(self, newValue: V, /) -> None:  # [Sec.6.3.2.1 l.0]
        """Insert the next tuple.  O(log |W|) nodes for each window that leaves the tree, and O(log |W|) more.

        Raises UnknownWindowError, ValueError for NaN, and TypeError for an incomparable tuple; nothing has changed.
        """
        self.refuse_unordered(newValue)  # [ours]
        self.registry.begin()
        self.currentTime = self.currentTime + 1
        self.tuples.append(newValue)  # a lookup iterates over them
        if len(self.tuples) > self.registry.largest:
            self.tuples.popleft()
        w = self.largest_valid(newValue)  # [Sec.6.3.2.1 l.1, reading OS-5]
        if w is not None:  # [Sec.6.3.2.1 l.2]
            w.answer = newValue  # [Sec.6.3.2.1 l.2a]
            w.ts = self.currentTime  # [Sec.6.3.2.1 l.2b]
            self.remove_up_to(w.size - 1)  # [Sec.6.3.2.1 l.2c]
            self.fix(w)  # [Sec.6.3.2.1 l.2d]
        # else: all valid answers are greater than newValue [Sec.6.3.2.1 l.3]

    def lookup(self, size: int) -> V | None:  # [Sec.6.3.2.2 l.0]
        """The answer, None before the first tuple.  O(log |W|) nodes, or O(size) tuples if the window is invalid.

        Raises UnknownWindowError.
        """
        w = self.windows[self.registry.known(size)]  # [Sec.6.3.2.2 l.1]
        holder = self.valid(w)
        if holder is not None:
            return holder.answer  # [Sec.6.3.2.2 l.1a]
        if self.currentTime > 0:  # [Sec.6.3.2.2 l.2]
            self.remove_up_to(w.size)  # [Sec.6.3.2.2 l.2a, reading OS-3]
            validated = self.recalculate(w)  # [Sec.6.3.2.2 l.2b]
            for each in validated:  # [Sec.6.3.2.2 l.2c, erratum OS-1]
                self.tree.insert(each, self.before(each))
        return w.answer

    def refuse_unordered(self, v: V) -> None:
        """Raise ValueError for NaN, and TypeError for a tuple that cannot be compared with the newest one."""
        if v != v:
            raise ValueError(f"insert: {v!r} has no place in an order; leave it out, or insert a value that has one")
        self.worse(v, self.tuples[-1] if self.tuples else v)

    def within(self, holder: Window[V], size: int) -> bool:
        """Return whether the tuple that answers `holder` is among the newest `size`."""
        return self.currentTime - holder.ts < size

    def valid(self, w: Window[V]) -> Window[V] | None:
        """Return the window that answers w: the smallest in the tree that is not smaller, or None (Example 2)."""
        holder = self.tree.first(lambda r: r.size >= w.size)
        return holder if holder is not None and self.within(holder, w.size) else None

    def largest_valid(self, newValue: V) -> Window[V] | None:
        """Return the largest valid window in the tree whose answer newValue equals or beats.

        Its validity need not be checked: see the claim ordered-sharing/wasted-steps.
        """
        w = self.tree.last(lambda r: not self.worse(newValue, r.answer))
        while w is not None and not self.within(w, w.size):
            self.discard(w)  # [readings OS-4, OS-5: left, it spoils the order, and is met again]
            w = self.tree.last(_smaller_than(w))
        return w

    def remove_up_to(self, size: int) -> None:
        """Remove all windows of at most `size` from the tree."""
        while (r := self.tree.first(lambda r: True)) is not None and r.size <= size:
            self.discard(r)

    def fix(self, w: Window[V]) -> None:
        """Remove the windows larger than w whose answers w's answer beats: none of them is valid.

        There are none: `largest_valid` has removed them.  See the claim ordered-sharing/wasted-steps.
        """
        while (r := self.tree.first(lambda r: r.size > w.size)) is not None and self.worse(r.answer, w.answer):
            self.discard(r)

    def discard(self, w: Window[V]) -> None:
        """Remove a window from the tree, because its own answer cannot be used any more."""
        self.tree.remove(w, _smaller_than(w))
        w.ts = NEVER

    def recalculate(self, w: Window[V]) -> list[Window[V]]:
        """Return the answers of w and of all smaller windows, in one pass over the tuples of w from the newest."""
        validated = [self.windows[size] for size in self.registry.sizes if size <= w.size]
        best, ts = self.tuples[-1], self.currentTime
        age = 0
        for window in validated:
            while age < min(window.size, len(self.tuples)):
                if self.worse(best, self.tuples[-1 - age]):
                    best, ts = self.tuples[-1 - age], self.currentTime - age
                age = age + 1
            window.answer, window.ts = best, ts  # [erratum OS-1]
        return validated

    def before(self, w: Window[V]) -> Callable[[Window[V]], bool]:
        """Return the predicate for windows before w in the tree: by answer, then by size (erratum OS-2)."""
        return lambda r: self.worse(r.answer, w.answer) or (not self.worse(w.answer, r.answer) and r.size < w.size)


def _smaller_than(w: Window[V]) -> Callable[[Window[V]], bool]:
    return lambda r: r.size < w.size


class OrderedSharingMin(OrderedSharing[V]):
    """Minima: the same algorithm with the reverse order (section 6.3.2.3, reading OS-10).

    >>> shared = OrderedSharingMin()
    >>> shared.register(2); shared.insert(3); shared.insert(5); shared.lookup(2)
    3
    """

    def worse(self, a: Any, b: Any) -> bool:
        return bool(b < a)


@invariant(lambda self: nodes(self), "at most |W| windows in the tree", enabled=SLOW)
@invariant(lambda self: sizes(self), "the tree in the order of sizes", enabled=SLOW)
@invariant(lambda self: answers(self), "and of answers, valid or not", enabled=SLOW)
@invariant(lambda self: timestamps(self), "and of timestamps", enabled=SLOW)
@invariant(lambda self: stamps(self), "an answer is the tuple that arrived at its timestamp", enabled=SLOW)
@invariant(lambda self: answered(self), "windows in the tree have answers", enabled=SLOW)
@invariant(lambda self: valid_answers(self), "the answer of a valid window is right", enabled=SLOW)
@invariant(lambda self: newer_are_worse(self), "tuples newer than an answer are worse", enabled=SLOW)
@invariant(lambda self: outside(self), "windows outside the tree have no answer of their own", enabled=SLOW)
@invariant(lambda self: unanswered(self), "before the first tuple all windows are invalid", enabled=SLOW)
@invariant(lambda self: tuples(self), "the tuples of the largest window", enabled=SLOW)
@invariant(lambda self: validity(self), "the smallest window that is not smaller decides validity", enabled=SLOW)
@invariant(lambda self: balance(self), "a balanced tree", enabled=SLOW)
class CheckedOrderedSharing(ValuesShadow[V], OrderedSharing[V]):
    """OrderedSharing for max with its contracts, and the stream by definition as `model`."""

    operation = MAX

    @snapshot(lambda self: account(self), name="before")
    @ensure(
        lambda self, v, OLD: insert_validates(OLD.before, account(self), v),
        "the windows beaten are valid, and all that were",
    )
    @ensure(lambda self, OLD: insert_paid(OLD.before, account(self)), "O(log |W|) nodes, amortised")
    def insert(self, v: V, /) -> None:
        """Insert into the windows and their model."""
        super().insert(v)

    @snapshot(lambda self: account(self), name="before")
    @ensure(
        lambda self, size, OLD: lookup_validates(OLD.before, account(self), size),
        "the window and all smaller ones are valid",
    )
    @ensure(lambda self, size, OLD: lookup_paid(OLD.before, account(self), size), "O(log |W|) nodes of a valid window")
    @ensure(lambda self, size, result: result == self.model.lookup(size), "the best of the window", enabled=SLOW)
    def lookup(self, size: int) -> V | None:
        """Look up a window."""
        return super().lookup(size)  # type: ignore[no-any-return]  # the algorithm's

    @require(lambda self: outside(self), "windows outside the tree have no answer", enabled=SLOW)
    @require(lambda self: timestamps(self), "the tree in the order of timestamps", enabled=SLOW)
    @ensure(lambda self, w, result: serves(self, w, result), "an answer within w, of a window not smaller")
    @ensure(lambda self, w, result: none_serves(self, w=w, holder=result), "none only where none is", enabled=SLOW)
    def valid(self, w: Window[V]) -> Window[V] | None:
        """Find the window that makes w valid (section 6.1)."""
        return super().valid(w)

    @require(lambda self: answers(self), "the tree in the order of answers", enabled=SLOW)
    @require(lambda self: answered(self), "windows in the tree have answers", enabled=SLOW)
    @snapshot(lambda self: windows_now(self), name="old", enabled=SLOW)
    @ensure(lambda self, newValue, result: beaten(self, result, newValue), "newValue beats or equals its answer")
    @ensure(
        lambda self, newValue, result: larger_are_better(self, w=result, newValue=newValue),
        "newValue beats no larger window",
        enabled=SLOW,
    )
    @ensure(
        lambda self, newValue, OLD: discards(self, old=OLD.old, newValue=newValue),
        "only invalid windows have left the tree",
        enabled=SLOW,
    )
    def largest_valid(self, newValue: V) -> Window[V] | None:
        """Find the largest valid window that newValue equals or beats (section 6.3.2.1, step 1)."""
        return super().largest_valid(newValue)

    @snapshot(lambda self: windows_now(self), name="old", enabled=SLOW)
    @ensure(lambda self, size: only_larger(self, size=size), "all of at most that size have left", enabled=SLOW)
    @ensure(lambda self, size, OLD: removes(self, old=OLD.old, size=size), "larger windows stay", enabled=SLOW)
    def remove_up_to(self, size: int) -> None:
        """Remove the smaller windows (section 6.3.2.1, step 2c)."""
        super().remove_up_to(size)

    @require(lambda self, w: nothing_to_fix(self, w=w), "w beats no larger window", enabled=SLOW)
    @snapshot(lambda self: windows_now(self), name="old", enabled=SLOW)
    @ensure(lambda self, OLD: same_windows(self, old=OLD.old), "nothing has changed", enabled=SLOW)
    def fix(self, w: Window[V]) -> None:
        """Repair the order (section 6.3.2.1, step 2d)."""
        super().fix(w)

    @require(lambda self: some_tuple(self), "there is a tuple")
    @snapshot(lambda self: windows_now(self), name="old", enabled=SLOW)
    @ensure(
        lambda self, w, result, OLD: revalidated(self, old=OLD.old, validated=result, done=len(result), w=w),
        "w and all smaller windows have answers within them",
        enabled=SLOW,
    )
    @ensure(
        lambda self, w, result: best_of_window(self, validated=result, done=len(result), w=w),
        "the best of each window",
        enabled=SLOW,
    )
    @ensure(lambda self, OLD: tree_stays(self, old=OLD.old), "the tree stays", enabled=SLOW)
    def recalculate(self, w: Window[V]) -> list[Window[V]]:
        """Re-calculate w and all smaller windows (section 6.3.2.2, step 2b)."""
        return super().recalculate(w)


class CheckedOrderedSharingMin(CheckedOrderedSharing[V], OrderedSharingMin[V]):
    """The checked class for min: the contracts compare by `worse`."""

    operation = MIN
    worse = OrderedSharingMin.worse  # icontract copies that of max into the class above
