"""The page of experiments and its plots: `python docs/makers/experiments.py` writes both.

Each plot is an SVG of one figure of a paper, counted in combine calls: lines over a logarithmic x-axis, or over named
places, with a legend on the right.  The numbers are the same on every machine, so the files are, too.
"""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

from swagproof.proofs.costs.curves import Point, series
from swagproof.proofs.costs.figures import COUNTED_BY, FIGURES, NOT_COUNTED, Figure, agrees

PICTURES: Final = Path(__file__).resolve().parent.parent / "manual" / "pictures"
PAPERS: Final = {
    "2018": "Sub-O(log n) Out-of-Order Sliding-Window Aggregation (2018)",
    "2021": "In-Order Sliding-Window Aggregation in Worst-Case Constant Time (2021)",
    "2015": "General Incremental Sliding-Window Aggregation (2015)",
}
COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#999999", "#882255")
"""Colours that most people can distinguish; further series are dashed."""
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 330, 62, 190, 34, 52
"""The size of the picture and its margins; the legend is in the right one."""


@cache
def points_of(figure: Figure) -> Sequence[Point]:
    """Return the points of a figure, counted once."""
    return figure.points()


def file_of(figure: Figure) -> str:
    """Return the name of a figure's picture."""
    return figure.name.lower().replace(" ", "-") + ".svg"


def draw(figure: Figure) -> str:
    """Draw a figure as SVG.  The y-axis is logarithmic where values differ by a factor of more than 30."""
    found = series(points_of(figure))
    xs = sorted({x for line in found.values() for x in line})
    values = [y for line in found.values() for y in line.values()]
    log = min(values) > 0 and max(values) > 30 * min(values)
    top = max(values) * (1.3 if log else 1.05)
    low = 2.0 ** math.floor(math.log2(min(values))) if log else 0.0

    def across(x: float) -> float:
        at, end = (x, xs[-1]) if figure.ticks else (math.log2(x + 1), math.log2(xs[-1] + 1))
        begin = 0 if figure.ticks else math.log2(xs[0] + 1)
        return LEFT + 12 + (WIDTH - LEFT - RIGHT - 24) * (at - begin) / (end - begin)

    def up(y: float) -> float:
        share = math.log(y / low) / math.log(top / low) if log else y / top
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="18" font-size="14" font-weight="bold">{escape(f"{figure.name}: {figure.title}")}</text>',
    ]
    for y in _ticks(low, top, log):
        parts.append(f'<path d="M{LEFT} {up(y):.1f}H{WIDTH - RIGHT}" stroke="#dddddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{up(y) + 4:.1f}" text-anchor="end">{y:,g}</text>')
    last = -math.inf
    for x in xs:
        if x == xs[-1] or (across(x) - last > 34 and across(xs[-1]) - across(x) > 34):
            last, name = across(x), figure.ticks[x] if figure.ticks else f"{x:,}"
            parts.append(f'<text x="{last:.1f}" y="{HEIGHT - BOTTOM + 17}" text-anchor="middle">{escape(name)}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 12}" text-anchor="middle">{escape(figure.x)}</text>')
    turned = f'transform="translate(14 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)"'
    parts.append(f'<text {turned} text-anchor="middle" font-size="11">{escape(figure.unit)}</text>')
    for number, (name, line) in enumerate(found.items()):
        width = 1.8 + 0.4 * (len(found) - 1 - number)  # so that a line below another of the same values is visible
        parts += _draw_line(number, name, [(across(x), up(y)) for x, y in sorted(line.items())], width)
    return "\n".join([*parts, "</svg>", ""])


def _ticks(low: float, top: float, log: bool) -> list[float]:
    if log:
        return [low * 4**k for k in range(12) if low * 4**k <= top]
    step = 10.0 ** math.floor(math.log10(top))
    step = next(s for s in (step / 5, step / 2, step, 2 * step) if top / s <= 7)
    return [k * step for k in range(1 + int(top / step))]


def _draw_line(number: int, name: str, places: Sequence[tuple[float, float]], width: float) -> list[str]:
    colour, y = COLOURS[number % len(COLOURS)], TOP + 8 + 18 * number
    dash = ' stroke-dasharray="5 3"' if number >= len(COLOURS) or name.startswith("B-tree") or "twin" in name else ""
    style = f'fill="none" stroke="{colour}" stroke-width="{width:.1f}"{dash}'
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    at = WIDTH - RIGHT + 12
    return [
        f'<path d="M{path}" {style}/>',
        *(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{colour}"/>' for x, y in places),
        f'<path d="M{at} {y}h22" {style}/>',
        f'<text x="{at + 28}" y="{y + 4}">{escape(name)}</text>',
    ]


def list_figures() -> str:
    """Return the page's section on drawn figures."""
    parts: list[str] = []
    for year, title in PAPERS.items():
        parts.append(f"## {title}")
        for figure in (figure for figure in FIGURES if figure.name.startswith(year)):
            assert agrees(figure, points_of(figure)), figure.name
            parts.append(
                f"### {figure.name}: {figure.title}\n\n*The paper*: {figure.claim}\n\n*Our counts*: {figure.shown}\n\n"
                f"![{figure.name}, counted](pictures/{file_of(figure)})"
            )
    return "\n\n".join(parts)


def list_others() -> str:
    """Return the page's section on figures that are not drawn."""
    return "\n".join(
        [
            "These commands count a figure, and compare the counts with a bound:",
            "",
            *(f"- {name}: `swagproof cost {id}`" for name, id in COUNTED_BY.items()),
            "",
            "These are not counted:",
            "",
            *(f"- {name}: {why}" for name, why in NOT_COUNTED.items()),
        ]
    )


def name_counted(year: str, statement: str) -> str | None:
    """Return the command that counts a figure, if one does."""
    name = f"{year} {statement}"
    others: Mapping[str, str] = COUNTED_BY
    if name in {figure.name for figure in FIGURES}:
        return f'swagproof cost --figure "{name}"'
    return f"swagproof cost {others[name]}" if name in others else None


def draw_all() -> dict[Path, str]:
    """Return every picture, by its file."""
    return {PICTURES / file_of(figure): draw(figure) for figure in FIGURES}


if __name__ == "__main__":
    from tables import ROOT, with_tables

    for path, picture in draw_all().items():
        path.write_text(picture, encoding="utf-8")
    page = "docs/manual/experiments.md"
    (ROOT / page).write_text(with_tables(page), encoding="utf-8")
