"""Cutty.

- Full name: Cutty
- Paper: Stream Window Aggregation Semantics and Optimisation (2018), "Cutty: A Hybrid Approach"
- Order: in order
- Operator: associative, with identity
- Combine calls: a record at most 1; a slice log2 n, and at times n - 1 to rebuild; an answer at most log2 n + 1
- Space: 2n partial aggregates, n at most 4 times the slices that were active since it was last set
- Errata: CUTTY-3; readings CUTTY-1, CUTTY-2, CUTTY-4, CUTTY-7

Conventions: the paper gives no listing.  f_disc is any function in `deterministic`, W_begin and W_end are the `begin`
and `end` of its marks, which also have `over` (reading CUTTY-2); P(s[a, b]) is a slice in the store, or `active`, the
one partial aggregate that grows until a record marks the beginning of a new window.  n is the number of places of the
FlatFAT that stores the slices.  Slices are numbered; an open window is identified by its first slice.
"""

from collections import deque
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, NamedTuple

from icontract import SLOW, ensure, invariant, require, snapshot

from swagproof.contracts.shadows.shadow import stores
from swagproof.contracts.shadows.sliced import MarkedShadow, StoreShadow
from swagproof.contracts.slicing.cutty import (
    active,
    aggregate_calls,
    calls,
    capacity,
    contents,
    cut_at,
    dropped,
    is_kept,
    release_calls,
    slices,
    space_bound,
    tell_calls,
    windows,
)
from swagproof.contracts.slicing.slice_store import (
    append_calls,
    leaves,
    places,
    roomy,
    set_anew_when_full,
    suffix_calls,
)
from swagproof.contracts.space import at_most
from swagproof.models.discretisation import FDisc, LookBack, Looks, Marks, check_marks
from swagproof.models.monoid import A, Monoid
from swagproof.models.windows.window import Event, Item, Punctuation, WindowError
from swagproof.reference.flat_trees.flat_fat import FlatFat
from swagproof.reference.slicing.slices import Periodic, last_begun, last_over, require_periodic


class Evaluated(NamedTuple, Generic[A]):
    """A query's answer for a window that has ended.  The windows of one query come in the order of their ends."""

    query: int
    """The number of the query, counted from 0: the deterministic ones, then those that look back."""
    value: A


class SliceStore(Generic[A]):
    """The slices first .. last, in the leaves of a FlatFAT.

    When the last place is taken, the slices move to the front of a tree with at least twice as many places.  So the
    places behind the last slice are empty, and a window is a suffix of the tree.
    """

    def __init__(self, monoid: Monoid[A]) -> None:
        self.monoid = monoid
        self.first, self.last = 1, 0
        self.base = 1  # the slice in the first place
        self.fat = FlatFat(monoid, [monoid.identity])

    def place(self, number: int) -> int:
        """Return the place of a slice in the tree, counted from 1."""
        return number - self.base + 1

    def slice(self, number: int) -> A:
        """The partial aggregate of a slice.  No combine calls."""
        return self.fat.a(self.place(number))

    def append(self, partial: A) -> None:
        """Add a slice.  log2 n combine calls; n - 1 more if the tree is rebuilt with n places."""
        if self.place(self.last + 1) > self.fat.n:
            self.rebuild()
        self.last = self.last + 1
        self.fat.update([(self.place(self.last), partial)])

    def rebuild(self) -> None:
        """Move the slices to the front of a tree with at least twice as many places.  n - 1 combine calls."""
        kept = [self.slice(number) for number in range(self.first, self.last + 1)]
        n = 2
        while n < 2 * len(kept):
            n = 2 * n
        self.base = self.first
        self.fat = FlatFat(self.monoid, [*kept, *[self.monoid.identity] * (n - len(kept))])

    def suffix(self, number: int) -> A:
        """The product of the slices from this one on.  At most log2 n combine calls."""
        return self.fat.suffix(self.place(number))

    def release(self, number: int) -> None:
        """Forget the slices before this one.  No combine calls: a suffix does not read earlier slices."""
        self.first = max(self.first, number)


class Cutty(Generic[A]):
    """Queries over user-defined windows that share one stream's slices.  A slice begins only where a window begins.

    >>> from swagproof.models.operations import CONCATENATION
    >>> cutty = Cutty(CONCATENATION, [CountMarks(5, 2)])
    >>> for letter in "abcdefg":
    ...     for answer in cutty.insert(Event(None, letter), letter):
    ...         print(answer)
    Evaluated(query=0, value='abcde')
    Evaluated(query=0, value='cdefg')
    """

    kept_in: ClassVar[type[SliceStore[Any]]] = SliceStore

    def __init__(
        self, monoid: Monoid[A], deterministic: Sequence[FDisc] = (), looking_back: Sequence[LookBack] = ()
    ) -> None:
        """Start without records.  Raises WindowError for no queries.  Functions that have state must not be shared."""
        if not deterministic and not looking_back:
            raise WindowError("deterministic, looking_back: no queries; give at least one discretisation function")
        self.monoid = monoid
        self.deterministic = tuple(deterministic)
        self.looking_back = tuple(looking_back)
        self.store: SliceStore[A] = self.kept_in(monoid)
        self.active = monoid.identity
        self.is_active = False
        self.open: tuple[deque[int], ...] = tuple(deque() for _ in deterministic)

    def insert(self, item: Any, v: A) -> list[Evaluated[A]]:
        """Insert a record: `item` for the discretisation functions, `v` its lifted value.  Return ended windows.

        At most 1 combine call for a record within a slice; log2 n, and n - 1 at times, for one that begins a slice;
        log2 n + 1 for each answer.  Raises WindowError for impossible marks; the slices are then unchanged.
        """
        marks, looks = self.discretise(item, True)
        answers = self.evaluate([mark.over for mark in marks], [look.over for look in looks])
        if any(mark.begin for mark in marks) or looks:
            self.cut(v)
        elif self.is_active:
            self.active = self.monoid.combine(self.active, v)
        for noted, mark in zip(self.open, marks, strict=True):
            noted.extend([self.number] * mark.begin)
        answers += self.evaluate([mark.end for mark in marks], [look.end for look in looks])
        self.release(looks)
        return answers

    def tell(self, item: Any) -> list[Evaluated[A]]:
        """Process an item that is no record, such as a heartbeat.  Return ended windows.  Raises as `insert`."""
        marks, looks = self.discretise(item, False)
        answers = self.evaluate([mark.over for mark in marks], [look.over for look in looks])
        self.release(looks)
        return answers

    @property
    def number(self) -> int:
        """The number of the active slice."""
        return self.store.last + 1

    def discretise(self, item: Any, record: bool) -> tuple[list[Marks], list[Looks]]:
        """Return the functions' marks for an item.  Raises WindowError for impossible ones."""
        marks = [f_disc(item) for f_disc in self.deterministic]
        for mark, noted in zip(marks, self.open, strict=True):
            check_marks(mark, len(noted), record)
        return marks, [look_back(item) for look_back in self.looking_back]

    def cut(self, v: A) -> None:
        """Begin a slice with this record: the active slice moves to the store."""
        if self.is_active:
            self.store.append(self.active)
        self.active = v
        self.is_active = True

    def evaluate(self, ended: Sequence[int], looked: Sequence[Sequence[int]]) -> list[Evaluated[A]]:
        """The answers of windows that end now: `ended` of each query, the oldest first; then those in `looked`."""
        answers: list[Evaluated[A]] = []
        for query, (noted, times) in enumerate(zip(self.open, ended, strict=True)):
            for _ in range(times):
                answers.append(Evaluated(query, self.aggregate(noted.popleft())))
        for query, records in enumerate(looked, start=len(ended)):
            for number in records:  # every record is a slice of its own, with its number
                answers.append(Evaluated(query, self.aggregate(number)))
        return answers

    def aggregate(self, number: int) -> A:
        """The product from this slice to now.  No combine calls for the active slice, else at most log2 n + 1."""
        if number == self.number:
            return self.active
        return self.monoid.combine(self.store.suffix(number), self.active)

    def release(self, looks: Sequence[Looks]) -> None:
        """Forget slices at which no open window or look-back can begin; if there are neither, also the active one."""
        needed = [*(noted[0] for noted in self.open if noted), *(look.reach for look in looks)]
        self.store.release(min([*needed, self.number]))
        self.is_active = self.is_active and bool(needed)


# Discretisation functions of deterministic windows


class CountMarks:
    """f_disc of the windows s[1 + k slide, k slide + range].  Raises WindowError."""

    def __init__(self, range: int, slide: int) -> None:
        self.query: Periodic = require_periodic((range, slide))
        self.number = 0

    def __call__(self, item: Item) -> Marks:
        if not isinstance(item, Event):
            return Marks()
        self.number += 1
        range_, slide = self.query
        ends = self.number >= range_ and (self.number - range_) % slide == 0
        return Marks(int((self.number - 1) % slide == 0), int(ends))


class TimeMarks:
    """f_disc of the windows in time [k slide, k slide + range), in whole numbers.  Raises WindowError."""

    def __init__(self, range: int, slide: int) -> None:
        self.query: Periodic = require_periodic((range, slide))
        self.begun: int | None = None  # the last window that has begun
        self.over = 0  # the last of them that is over

    def __call__(self, item: Item) -> Marks:
        if item.time is None:
            return Marks()
        ended = last_over(item.time, *self.query)
        over = 0
        if self.begun is not None:
            over = max(min(ended, self.begun) - self.over, 0)
            self.over += over
        if not isinstance(item, Event):
            return Marks(over=over)
        first = ended + 1 if self.begun is None else max(ended, self.begun) + 1
        last = last_begun(item.time, self.query.slide)
        if first > last:
            return Marks(over=over)
        if self.begun is None or self.begun < first - 1:  # windows without records are skipped; none is open
            self.over = first - 1
        self.begun = last
        return Marks(last - first + 1, over=over)


class SessionMarks:
    """f_disc of sessions: a record `gap` or more after the previous one begins a new one.  Raises WindowError."""

    def __init__(self, gap: Any) -> None:
        if not gap > 0 * gap:
            raise WindowError(f"gap: {gap!r}; give a positive span of time")
        self.gap = gap
        self.newest: Any = None  # the time of the newest record of the open session

    def __call__(self, item: Item) -> Marks:
        over = self.newest is not None and item.time is not None and item.time - self.newest >= self.gap
        if over:
            self.newest = None
        if not isinstance(item, Event):
            return Marks(over=int(over))
        begin = self.newest is None
        self.newest = item.time
        return Marks(int(begin), over=int(over))


class PunctuationMarks:
    """f_disc of the windows between punctuations."""

    def __init__(self) -> None:
        self.is_open = False

    def __call__(self, item: Item) -> Marks:
        begin = isinstance(item, Event) and not self.is_open
        over = isinstance(item, Punctuation) and self.is_open
        self.is_open = (self.is_open or begin) and not over
        return Marks(int(begin), over=int(over))


# A function of windows that look back


class NewestLooks:
    """The newest n records at each punctuation."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.number = 0

    def __call__(self, item: Item) -> Looks:
        self.number += isinstance(item, Event)
        over: tuple[int, ...] = ()
        if isinstance(item, Punctuation) and self.number:
            over = (max(1, self.number - self.n + 1),)
        return Looks(over=over, reach=max(1, self.number - self.n + 1))


@invariant(lambda self: places(self), "every slice kept has a place")
@invariant(lambda self: leaves(self), "each place has its slice, those behind the last the identity", enabled=SLOW)
class CheckedSliceStore(StoreShadow[A], SliceStore[A]):
    """The store of `CheckedCutty` under its contracts; its monoid counts combine calls."""

    @snapshot(lambda self: (self.monoid.calls, self.fat), name="before")
    @snapshot(lambda self: self.n - self.place(self.last), name="left")
    @ensure(
        lambda self, OLD: append_calls(
            self.monoid.calls - OLD.before[0], self.n, self.n.bit_length() - 1, self.fat is not OLD.before[1]
        ),
        "log2 n combine calls, n - 1 more when the tree is set anew",
    )
    @ensure(
        lambda self, OLD: set_anew_when_full(self.fat is not OLD.before[1], OLD.left),
        "set anew when its last place is taken",
    )
    def append(self, partial: A) -> None:
        """Append to the store and to the model."""
        super().append(partial)

    @ensure(
        lambda self: roomy(self.last - self.first + 1, self.n), "at least twice, below 4 times the slices kept, or 2"
    )
    def rebuild(self) -> None:
        """Rebuild the tree."""
        super().rebuild()

    @require(lambda self, number: self.first <= number <= self.last, "a slice that is kept")
    @snapshot(lambda self: self.monoid.calls, name="calls")
    @ensure(lambda self, OLD: suffix_calls(self.n, self.monoid.calls - OLD.calls), "at most log2 n combine calls")
    def suffix(self, number: int) -> A:
        """Combine the slices from this one on."""
        return super().suffix(number)


@invariant(lambda self: capacity(self), "2^k places, the slices kept in consecutive ones")
@invariant(lambda self: slices(self), "one slice for each record that begins one, from the oldest open window's on")
@invariant(lambda self: contents(self), "slices are the products of their records", enabled=SLOW)
@invariant(lambda self: active(self), "the active slice is the product of its records", enabled=SLOW)
@invariant(lambda self: windows(self), "each open window begins with the slice noted for it", enabled=SLOW)
@invariant(lambda self: stores(self, at_most, space_bound(self)), "2n partial aggregates", enabled=SLOW)
class CheckedCutty(MarkedShadow[A], Cutty[A]):
    """Cutty with its contracts, and the windows by definition as `model`."""

    kept_in = CheckedSliceStore

    @snapshot(lambda self: (self.counting.calls, self.store.fat, self.is_active), name="before")
    @ensure(
        lambda self, result, OLD: calls(
            self.counting.calls - OLD.before[0],
            self.cuts,
            self.cuts and OLD.before[2],
            len(result),
            self.store.fat.n,
            self.store.fat is not OLD.before[1],
        ),
        "at most 1 combine call within a slice, log2 n to store one, log2 n + 1 an answer",
    )
    @ensure(lambda self, result: result == self.expected, "the windows that end are answered", enabled=SLOW)
    def insert(self, item: Any, v: A) -> list[Evaluated[A]]:
        """Insert a record into Cutty and into the model."""
        return super().insert(item, v)

    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(
        lambda self, result, OLD: tell_calls(self.counting.calls - OLD.calls, len(result), self.store.fat.n),
        "log2 n + 1 combine calls an answer",
    )
    @ensure(lambda self, result: result == self.expected, "the windows that end are answered", enabled=SLOW)
    def tell(self, item: Any) -> list[Evaluated[A]]:
        """Pass an item that is no record to Cutty and to the model."""
        return super().tell(item)

    @snapshot(lambda self: (self.store.last, self.active, self.is_active), name="before")
    @ensure(lambda self, v, OLD: cut_at(self, v, OLD.before), "v begins the active slice; that before it is stored")
    def cut(self, v: A) -> None:
        """Begin a slice."""
        super().cut(v)

    @require(lambda self, number: is_kept(self, number), "a slice that is kept, or the active one")
    @snapshot(lambda self: self.counting.calls, name="calls")
    @ensure(
        lambda self, number, OLD: aggregate_calls(
            self.store.fat.n, number == self.number, self.counting.calls - OLD.calls
        ),
        "no combine calls for the active slice, else at most log2 n + 1",
    )
    def aggregate(self, number: int) -> A:
        """Combine the slices from this one on."""
        return super().aggregate(number)

    @snapshot(lambda self: (self.store.first, self.counting.calls), name="before")
    @ensure(
        lambda self, looks, OLD: dropped(self, looks, OLD.before[0]), "all before the first slice needed is dropped"
    )
    @ensure(lambda self, OLD: release_calls(self.counting.calls - OLD.before[1]), "no combine calls")
    def release(self, looks: Sequence[Looks]) -> None:
        """Forget slices."""
        super().release(looks)
