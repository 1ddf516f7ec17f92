"""Cost curves: a quantity counted over sizes or distances, compared with a theorem's bound.

Counting has no noise: a point is the same on every machine.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Point:
    """One measurement of one series."""

    series: str
    x: int
    measured: float
    bound: float | None = None
    """The claimed upper bound; None if nothing is claimed."""

    @property
    def within(self) -> bool:
        """Return whether it is within its bound."""
        return self.bound is None or self.measured <= self.bound


@dataclass(frozen=True)
class Experiment:
    """A curve: the counted quantity, the x-axis, and the function that counts."""

    id: str
    title: str
    source: str
    x: str
    """The quantity on the x-axis, with its unit."""
    unit: str
    """The counted quantity: nodes per search, combine calls per round."""
    run: Callable[[Sequence[int]], Iterator[Point]]
    xs: tuple[int, ...]
    """The default values of x."""

    def points(self, xs: Sequence[int] | None = None) -> list[Point]:
        """Return the points, for the default or the given values of x."""
        return list(self.run(self.xs if xs is None else xs))

    def as_json(self, points: Sequence[Point]) -> dict[str, Any]:
        """Return the experiment and its points as `swagproof cost --json` writes them."""
        said = {name: getattr(self, name) for name in ("id", "title", "source", "x", "unit")}
        return {**said, "points": [{**asdict(point), "within": point.within} for point in points]}


def within(points: Iterable[Point]) -> bool:
    """Return whether every point is within its bound."""
    return all(point.within for point in points)


def series(points: Iterable[Point]) -> dict[str, dict[int, float]]:
    """Return the measured values, by series and x."""
    found: dict[str, dict[int, float]] = {}
    for point in points:
        found.setdefault(point.series, {})[point.x] = point.measured
    return found
