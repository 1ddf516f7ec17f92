"""A curve of cost as a plot: what was counted, and what it may be at most, point by point.

The papers' figures of cost are redrawn from counts.  A series is told by its marker as well as by its colour, and
named where it ends; its bound is dashed.  Each point says in words what it stands for, so that it can be pointed at,
and heard; a curve is one stop of the tab key, and the page's arrow keys go along it.  Axes are logarithmic
where what they show spans more than a factor of fifty, zero included.
"""

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

WIDTH: Final = 720.0
HEIGHT: Final = 330.0
LEFT, RIGHT, TOP, BOTTOM = 58.0, 200.0, 28.0, 44.0
"""Margins: names of series stand on the right."""

MARKERS: Final = (
    "M-4,0A4,4 0 1 0 4,0A4,4 0 1 0 -4,0Z",
    "M-4,-4H4V4H-4Z",
    "M0,-5L5,4H-5Z",
    "M0,-5.5L5.5,0L0,5.5L-5.5,0Z",
    "M0,5L5,-4H-5Z",
    "M-4.5,-1.5H-1.5V-4.5H1.5V-1.5H4.5V1.5H1.5V4.5H-1.5V1.5H-4.5Z",
    "M-5,-2L0,-5L5,-2L3,4H-3Z",
)
"""Circle, square, triangle, diamond, triangle down, cross, pentagon."""

Point = Mapping[str, Any]


class Scale:
    """Numbers along an axis."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        least, self.most = min(values), max([*values, 1])
        self.wide = self.most > 50 * max(least, 1)
        self.start, self.end = start, end

    def __call__(self, value: float) -> float:
        """Return the position of a value."""
        share = math.log1p(value) / math.log1p(self.most) if self.wide else value / self.most
        return self.start + (self.end - self.start) * share

    def ticks(self) -> list[float]:
        """A few round numbers."""
        if self.wide:
            return [0, *(10.0**power for power in range(int(math.log10(self.most)) + 1))]
        step = 10.0 ** math.floor(math.log10(self.most))
        step = next(step * part for part in (1, 0.5, 0.2, 0.1) if self.most / (step * part) >= 3)
        return [step * number for number in range(int(self.most / step) + 1)]


def render_plot(curve: Mapping[str, Any]) -> str:
    """A curve as `swagproof cost --json` has it, as SVG.

    >>> points = [{"series": "DABA", "x": 2, "measured": 3, "bound": 4}]
    >>> 'DABA at 2: 3, at most 4' in render_plot({"title": "", "x": "n", "unit": "calls", "points": points})
    True
    """
    points: list[Point] = curve["points"]
    heights = [p["measured"] for p in points] + [p["bound"] for p in points if p["bound"] is not None]
    xs = sorted({p["x"] for p in points})
    x, y = Scale(xs, LEFT, WIDTH - RIGHT), Scale(heights, HEIGHT - BOTTOM, TOP)
    parts = [*_axes(curve, xs, x, y)]
    names = [*dict.fromkeys(p["series"] for p in points)]
    spots = _spread([y([p for p in points if p["series"] == name][-1]["measured"]) for name in names])
    for number, (name, spot) in enumerate(zip(names, spots, strict=True)):
        own = sorted((p for p in points if p["series"] == name), key=lambda p: p["x"])
        parts.append(f'<g class="series series-{number % len(MARKERS)}">')
        parts.append(_line([(x(p["x"]), y(p["measured"])) for p in own], "measured"))
        parts.append(_line([(x(p["x"]), y(p["bound"])) for p in own if p["bound"] is not None], "bound"))
        marker = MARKERS[number % len(MARKERS)]
        parts += [_mark(p, x(p["x"]), y(p["measured"]), marker, p is own[0]) for p in own]
        end = f"M{x(own[-1]['x']) + 7:.1f},{y(own[-1]['measured']):.1f}L{WIDTH - RIGHT + 22:g},{spot:.1f}"
        where = f"translate({WIDTH - RIGHT + 28:g},{spot:.1f})"
        parts.append(f'<path class="lead" d="{end}"/><path d="{MARKERS[number % len(MARKERS)]}" transform="{where}"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 38:g}" y="{spot + 4:.1f}">{escape(name)}</text></g>')
    says = escape(f"{curve['title']}: {curve['unit']}, against {curve['x']}")
    size = f'viewBox="0 0 {WIDTH:g} {HEIGHT:g}" width="{WIDTH:g}" height="{HEIGHT:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="scene plot" role="group" {size} aria-label="{says}">'
    return f"{head}{''.join(parts)}</svg>"


def _axes(curve: Mapping[str, Any], xs: Sequence[float], x: Scale, y: Scale) -> list[str]:
    parts = [
        f'<path class="grid" d="M{LEFT:g},{y(tick):.1f}H{WIDTH - RIGHT:g}"/>'
        + _word(LEFT - 6, y(tick) + 4, f"{tick:,g}", "end")
        for tick in y.ticks()
    ]
    last = -100.0
    for tick in xs:
        if x(tick) - last >= 30:
            last = x(tick)
            parts.append(_word(last, HEIGHT - BOTTOM + 16, f"{tick:,g}", "middle"))
    parts.append(_word((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, curve["x"], "middle"))
    parts.append(_word(4, TOP - 14, curve["unit"], "start"))
    return parts


def _word(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text class="tick" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _line(places: Sequence[tuple[float, float]], style: str) -> str:
    if not places:
        return ""
    return f'<path class="{style}" d="M{"L".join(f"{x:.1f},{y:.1f}" for x, y in places)}"/>'


def _mark(point: Point, x: float, y: float, marker: str, stop: bool) -> str:
    bound = "" if point["bound"] is None else f", at most {point['bound']:,.4g}"
    says = escape(f"{point['series']} at {point['x']:,}: {point['measured']:,.4g}{bound}")
    role = f'tabindex="{0 if stop else -1}" role="img" aria-label="{says}"'
    return (
        f'<g class="point" {role} transform="translate({x:.1f},{y:.1f})">'
        f'<title>{says}</title><circle class="hit" r="9"/><path d="{marker}"/></g>'
    )


def _spread(spots: Sequence[float], apart: float = 17.0) -> list[float]:
    """The same places in the same order, none nearer to the next than that, and all within the plot."""
    order = sorted(range(len(spots)), key=lambda place: spots[place])
    found = [*spots]
    floor = TOP + 4
    for place in order:
        found[place] = floor = max(found[place], floor)
        floor += apart
    ceiling = HEIGHT - BOTTOM
    for place in reversed(order):
        found[place] = ceiling = min(found[place], ceiling)
        ceiling -= apart
    return found
