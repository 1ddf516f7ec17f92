"""Right windows in unusual cases, each with a wrong one that differs in one place.

Answers of other types (`Decimal`, NaN, dataclasses), a documented capacity, medians over frames, and a FlatFIT that
begins each query with the identity.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from right import ListWindow

from swagproof.models.windows.kinds import Frame
from swagproof.oracle.adapting.declared import Adapter
from swagproof.reference.related_work.flat_fit import FlatFit


class DecimalMean(ListWindow):
    """A mean as a Decimal of 28 digits: 1/3 is 0.333..."""

    monoids = ("mean",)
    adapter = Adapter(lowered=True)
    digits = 28

    def query(self) -> Decimal | None:
        if not self.values:
            return None
        total = Fraction(sum(self.values))
        with localcontext() as context:
            context.prec = self.digits
            return Decimal(total.numerator) / (total.denominator * len(self.values))


class CoarseDecimalMean(DecimalMean):
    """Wrong: eight digits are fewer than a float has."""

    digits = 8


class Deviation(ListWindow):
    """A sample standard deviation, undefined for one element: NaN, as NumPy and pandas have it."""

    monoids = ("sample-standard-deviation",)
    adapter = Adapter(lowered=True, empty="nan")
    undefined: float | None = float("nan")

    def query(self) -> float | None:
        n = len(self.values)
        if n < 2:
            return self.undefined if n else float("nan")
        mean = sum(self.values) / n
        return float(sum((v - mean) ** 2 for v in self.values) / (n - 1)) ** 0.5


class NullDeviation(Deviation):
    """A sample standard deviation, NULL for one element."""

    undefined = None


class ZeroDeviation(Deviation):
    """Wrong: the deviation of one element is not 0."""

    undefined = 0.0


class Bounded(ListWindow):
    """A window of a documented capacity."""

    adapter = Adapter(capacity=1024)

    def insert(self, v: Any) -> None:
        if len(self.values) == 1024:
            raise OverflowError("capacity 1024")
        super().insert(v)


class BoundedByOneLess(Bounded):
    """Wrong: it holds one element fewer than it declares."""

    adapter = Adapter(capacity=1025)


class ForgetsWhenFull(Bounded):
    """Wrong: a full window lacks its newest element."""

    def query(self) -> Any:
        return self.product(self.values[:1023])


class PlainMean(ListWindow):
    """A mean that takes and answers plain numbers, and does not declare so."""

    monoids = ("mean",)

    def query(self) -> Any:
        return sum(self.values) / len(self.values) if self.values else (0, 0)


class WithoutParameter(Bounded):
    """A window whose constructor takes no arguments, and that does not declare so."""

    monoids = ("sum",)

    def __init__(self) -> None:
        super().__init__(None)

    def query(self) -> Any:
        return sum(self.values)


@dataclass
class Moments:
    """A partial aggregate: a count and a sum."""

    n: int
    total: int


class AddMoments:
    """A monoid whose elements are its partial aggregates."""

    identity = Moments(0, 0)
    samples = (Moments(1, 5), Moments(2, 3), Moments(1, -1))

    def combine(self, a: Moments, b: Moments) -> Moments:
        return Moments(a.n + b.n, a.total + b.total)

    def lower(self, a: Moments) -> int:
        return a.total


class ForgetsTheFifth(ListWindow):
    """Wrong: it combines at most four of its values."""

    def query(self) -> Any:
        return self.product(self.values[:4])


class ChangesAValue(ListWindow):
    """Wrong: it changes an inserted value in place."""

    def insert(self, v: Any) -> None:
        super().insert(v)
        self.values[0].n += 1
        self.values[-1].n -= 1


class Totals(ListWindow):
    """It takes dataclasses and answers a number."""

    adapter = Adapter(lowered=True)

    def query(self) -> int:
        return sum(v.total for v in self.values)


class Medians:
    """A median for each row of a frame; None for an empty frame."""

    monoids = ("median",)
    nothing: float | None = None
    median: Callable[[list[Any]], Any] = staticmethod(
        lambda some: Fraction(some[(len(some) - 1) // 2] + some[len(some) // 2]) / 2
    )

    def __init__(self, monoid: Any = None) -> None:
        self.rows: list[tuple[int, Any]] = []

    def frame(self, unit: str, start: int | None, end: int | None) -> None:
        self.declared = Frame(unit, start, end)

    def insert(self, t: int, v: Any) -> None:
        self.rows.append((t, v))

    def results(self) -> list[Any]:
        rows = sorted(self.rows, key=lambda row: row[0])
        bounds = self.declared.bounds([time for time, _ in rows])
        frames = (sorted(v for _, v in rows[first:stop]) for first, stop in bounds)
        return [self.median(values) if values else self.nothing for values in frames]


class NanMedians(Medians):
    """A median for each row of a frame; NaN for an empty frame."""

    nothing = float("nan")


class UpperMedians(Medians):
    """Wrong: for an even number of values it takes the upper middle one."""

    median = staticmethod(lambda some: some[len(some) // 2])


class TextMedians(Medians):
    """Wrong: it adds text to the middle value."""

    median = staticmethod(lambda some: some[len(some) // 2] + "")


class FromIdentity(FlatFit[Any]):
    """FlatFIT as its authors have it: each query begins with the identity, one further combine call, which is free."""

    adapter = Adapter(claims="flat-fit")

    def query(self) -> Any:
        return self.monoid.combine(self.monoid.identity, super().query()) if self.size else self.monoid.identity


class FromIdentityShortensNothing(FromIdentity):
    """Wrong: its queries do not shorten the pointers."""

    def query(self) -> Any:
        partials, pointers = [*self.partials], [*self.pointers]
        answer = super().query()
        self.partials, self.pointers = partials, pointers
        return answer
