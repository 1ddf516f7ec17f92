"""Windows that are right alone, and wrong if two are alive; and one that may share its state."""

from bisect import insort
from functools import reduce
from typing import Any, ClassVar
from weakref import WeakSet

from subjects.right import DequeWindow, ListWindow
from subjects.right_out_of_order import Dictionary
from subjects.right_shared import Kept
from subjects.right_time import Timed


class OfTheClass(ListWindow):
    """All windows share the class's list; a constructor clears it."""

    kept: ClassVar[list[Any]] = []

    def __init__(self, monoid: Any) -> None:
        self.monoid, self.values = monoid, self.kept
        self.values.clear()


class OfTheClassOverMax(OfTheClass):
    """A maximum with a shared list, in which repeated values do not show."""

    monoids = ("max",)


class ByDefault(ListWindow):
    """The list is a default argument."""

    def __init__(self, monoid: Any, values: list[Any] = []) -> None:  # noqa: B006  # that is the mistake
        values.clear()
        self.monoid, self.values = monoid, values


_answers: dict[tuple[int, int], Any] = {}


class OneCache(ListWindow):
    """All windows share cached answers, keyed by the numbers of inserts and of elements: the second to ask is wrong."""

    inserts = 0

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        _answers.clear()

    def insert(self, v: Any) -> None:
        super().insert(v)
        self.inserts += 1

    def query(self) -> Any:
        key = self.inserts, len(self.values)
        if key not in _answers:
            _answers[key] = super().query()
        return _answers[key]


class SizeOfTheClass(ListWindow):
    """All windows share the size of the last changed one, which decides whether a window is empty."""

    size = 0

    def insert(self, v: Any) -> None:
        super().insert(v)
        type(self).size = len(self.values)

    def evict(self) -> None:
        super().evict()
        type(self).size = len(self.values)

    def query(self) -> Any:
        return super().query() if self.size else self.monoid.identity


class MaskOfTheClass(ListWindow):
    """All rings share a mask: right while all windows have had the same largest size."""

    mask: ClassVar[int] = 3

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.ring: list[Any] = [None] * 4
        self.head = self.held = 0
        type(self).mask = 3

    def unrolled(self) -> list[Any]:
        return [self.ring[(self.head + at) & self.mask] for at in range(self.held)]

    def insert(self, v: Any) -> None:
        if self.held == len(self.ring):
            self.ring, self.head = self.unrolled() + [None] * self.held, 0
            type(self).mask = len(self.ring) - 1
        self.ring[(self.head + self.held) & self.mask] = v
        self.held += 1

    def evict(self) -> None:
        self.head = (self.head + 1) & self.mask
        self.held -= 1

    def query(self) -> Any:
        return self.product(self.unrolled())


class FrontOfTheClass(DequeWindow):
    """Two-Stacks of products with a shared front size: it shows if two windows flip at different times."""

    front: ClassVar[int] = 0

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        type(self).front = 0

    def evict(self) -> None:
        super().evict()
        type(self).front = len(self.older)

    def query(self) -> Any:
        return self.combine(self.older[-1] if self.front else self.identity, self.tail)


class SlotsInTurn(ListWindow):
    """Windows take two slots in turn: the third live window uses the first's."""

    slots: ClassVar[list[list[Any]]] = [[], []]
    built: ClassVar[int] = 0

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.values = self.slots[self.built % 2]
        self.values.clear()
        type(self).built += 1


class FreedTwice(ListWindow):
    """All windows share a list of free cells; the last of seven is freed twice, and so given to two elements of a later
    window."""

    free: ClassVar[list[list[Any]]] = []

    inserts = 0

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.cells: list[list[Any]] = []

    def insert(self, v: Any) -> None:
        self.inserts += 1
        self.cells.append(self.free.pop() if self.free else [None])
        self.cells[-1][0] = v

    def evict(self) -> None:
        self.free.append(self.cells.pop(0))
        if self.inserts == 7 and not self.cells:
            self.free.append(self.free[-1])

    def query(self) -> Any:
        return self.product(value for (value,) in self.cells)


class LeftOver(ListWindow):
    """A query of nine elements leaves the newest in a shared cell, which the next insert of any window uses."""

    cell: ClassVar[list[Any]] = []

    def insert(self, v: Any) -> None:
        super().insert(v)
        if self.cell:
            self.values.append(self.cell.pop())

    def query(self) -> Any:
        if len(self.values) == 9 and not self.cell:
            self.cell.append(self.values[-1])
        return super().query()


class FirstMonoid(ListWindow):
    """All windows use the monoid of the first one."""

    first: ClassVar[list[Any]] = []

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.first.append(monoid)
        self.monoid = self.first[0]


_products: dict[str, Any] = {}


class ByValuesAlone(ListWindow):
    """Products of three values or more are cached by the values, for all monoids."""

    def query(self) -> Any:
        if len(self.values) < 3:
            return super().query()
        return _products.setdefault(repr(self.values), super().query())


class TimesOfTheClass(Dictionary):
    """Out-of-order windows that share their times, but not their values."""

    times: ClassVar[list[Any]] = []

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.times.clear()

    def insert(self, t: Any, v: Any) -> None:
        if t not in self.values:
            insort(self.times, t)
        super().insert(t, v)

    def evict(self, t: Any) -> None:
        if t in self.values:
            self.times.remove(t)
        super().evict(t)

    def query(self) -> Any:
        return reduce(self.monoid.combine, (self.values[time] for time in self.times), self.monoid.identity)


class SpanOfTheClass(Timed):
    """Time-based windows that share a span."""

    spans: ClassVar[list[Any]] = []

    def span(self, span: Any) -> None:
        self.spans[:] = [span]

    def advance(self, t: Any) -> None:
        self.length = self.spans[0]
        super().advance(t)


class NowOfTheClass(Timed):
    """Time-based windows that share the current time, so that windows of another day lapse, too."""

    now: ClassVar[list[Any]] = [0]

    def advance(self, t: Any) -> None:
        self.now[0] = max(self.now[0], t) if len(self.entries) > 1 else t
        super().advance(self.now[0])


class CrowdOfTheClass(ListWindow):
    """If three windows hold two elements each, an evict removes one more."""

    living: ClassVar["WeakSet[Any]"] = WeakSet()

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.living.add(self)

    def evict(self) -> None:
        super().evict()
        if len(self.living) > 2 and len(self.values) == 2 and all(len(window.values) > 1 for window in self.living):
            super().evict()


class ManyOfTheClass(ListWindow):
    """If more than ten windows live, an evict removes one more."""

    living: ClassVar["WeakSet[Any]"] = WeakSet()

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.living.add(self)

    def evict(self) -> None:
        super().evict()
        if len(self.living) > 10 and self.values:
            super().evict()


class LargestOfTheClass(Kept):
    """All windows share the registered sizes: the oldest elements leave by the largest size of the last window."""

    registered: ClassVar[list[int]] = []

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.registered.clear()
        self.sizes = self.registered


class Counted(ListWindow):
    """Right: the class shares a count of windows, and products that are the same for all."""

    built = 0
    products: ClassVar[dict[Any, Any]] = {}

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        type(self).built += 1

    def query(self) -> Any:
        key = id(self.monoid.combine), repr(self.values)
        if key not in self.products:
            self.products[key] = super().query()
        return self.products[key]


class Arena(ListWindow):
    """Right: there are at most two windows, and each frees its place at its end."""

    places: ClassVar[list[int]] = [0, 1]

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.place = self.places.pop()

    def __del__(self) -> None:
        if hasattr(self, "place"):
            self.places.append(self.place)


class FirstOfItsProcess(DequeWindow):
    """The first window that evicts sets up state for all windows, and removes the next element along the way."""

    ready = False

    def evict(self) -> None:
        super().evict()
        if not FirstOfItsProcess.ready and (self.older or self.newer):
            super().evict()
        FirstOfItsProcess.ready = True


class FirstOverEach(DequeWindow):
    """The first window of each monoid answers the identity after three inserts."""

    met: ClassVar[set[Any]] = set()

    def __init__(self, monoid: Any) -> None:
        super().__init__(monoid)
        self.first, self.size = monoid.identity not in FirstOverEach.met, 0
        FirstOverEach.met.add(monoid.identity)

    def insert(self, v: Any) -> None:
        self.size += 1
        super().insert(v)

    def query(self) -> Any:
        return self.identity if self.first and self.size > 2 else super().query()
