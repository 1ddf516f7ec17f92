"""Windows that are right alone, and wrong where two are alive at once; and one that may share what it shares."""

from bisect import bisect_left
from typing import Any, ClassVar

from subjects.right import ListWindow


class OfTheClass(ListWindow):
    """The list is the class's; whoever is built clears it."""

    kept: ClassVar[list[Any]] = []

    def __init__(self, monoid: Any) -> None:
        self.monoid, self.values = monoid, self.kept
        self.values.clear()


class OfTheClassOverMax(OfTheClass):
    """The same of one function, over which values that come twice do not show."""

    monoids = ("max",)


class ByDefault(ListWindow):
    """The list is a default argument."""

    def __init__(self, monoid: Any, values: list[Any] = []) -> None:  # noqa: B006  # that is the mistake
        values.clear()
        self.monoid, self.values = monoid, values


_answers: dict[tuple[int, int], Any] = {}


class OneCache(ListWindow):
    """Answers are kept for all windows, by the numbers of inserts and of elements: whoever asks second is wrong."""

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


class TimesOfTheClass:
    """Out of order: the values are each window's own, the times are not."""

    times: ClassVar[list[Any]] = []

    def __init__(self, monoid: Any) -> None:
        self.monoid = monoid
        self.entries: dict[Any, Any] = {}
        self.times.clear()

    def insert(self, t: Any, v: Any) -> None:
        if t in self.entries:
            self.entries[t] = self.monoid.combine(self.entries[t], v)
            return
        self.entries[t] = v
        self.times.insert(bisect_left(self.times, t), t)

    def evict(self, t: Any) -> None:
        if self.entries.pop(t, None) is not None:
            self.times.remove(t)

    def query(self) -> Any:
        product = self.monoid.identity
        for time in self.times:
            product = self.monoid.combine(product, self.entries[time])
        return product


class Counted(ListWindow):
    """Right: what the class shares is how many there are, and products that are the same whoever asks."""

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
