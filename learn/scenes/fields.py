"""The default scene: the fields of a state, one a line, for structures without a picture of their own.

Lists are rows of cells; a list of lists, or an object with lists in it, is a row for each. Deeper or longer values are
text.  Nothing here knows any algorithm, so a user's class is drawn too.
"""

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from swagproof.learn.products import Product
from swagproof.learn.scenes.scene import Canvas, Scene, text_width

GHOSTS: Final = ("expected", "joins", "cuts", "said", "events")
"""Fields of an algorithm's model."""
HIDDEN: Final = ("monoid", "counting", "model", "operation", *GHOSTS)
"""Fields that are bookkeeping or constant."""
MOST: Final = 40
LINES: Final = 30
DEEPEST: Final = 3
"""The depth of nested lists and objects up to which they have rows of their own."""


def fields_of(s: Any) -> dict[str, Any]:
    """Return the fields of an object, from slots, a dictionary, or a named tuple."""
    slots = [name for cls in type(s).__mro__ for name in getattr(cls, "__slots__", ())]
    named = {name: getattr(s, name) for name in reversed(slots) if hasattr(s, name)} | getattr(s, "__dict__", {})
    named |= s._asdict() if hasattr(s, "_asdict") else {}
    return {name: value for name, value in named.items() if name not in HIDDEN and not callable(value)}


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float | bool | Fraction | Product | bytes)


def _is_row(value: Any) -> bool:
    return hasattr(value, "__iter__") and not hasattr(value, "_asdict")


def _is_small(value: Any) -> bool:
    """Return whether a value fits into a cell: a plain one, or an object of plain ones."""
    return _is_plain(value) or (not _is_row(value) and all(map(_is_plain, fields_of(value).values())))


def describe(value: Any, depth: int = 2) -> str:
    """Describe a value in a few characters."""
    if isinstance(value, Product | Fraction):
        text = str(value)
    elif _is_plain(value):
        text = repr(value)
    elif depth == 0:
        text = "…"
    elif "__repr__" in vars(type(value)) and not isinstance(value, Collection):
        text = repr(value)
    elif isinstance(value, Mapping):
        text = "{" + ", ".join(f"{describe(k, 1)}: {describe(v, depth - 1)}" for k, v in list(value.items())[:8]) + "}"
    elif hasattr(value, "__iter__"):
        text = "[" + ", ".join(describe(item, depth - 1) for item in list(value)[:8]) + "]"
    else:
        inner = ", ".join(f"{name} {describe(item, depth - 1)}" for name, item in list(fields_of(value).items())[:6])
        text = f"({inner})" if inner else type(value).__name__
    return text if len(text) <= 40 else f"{text[:37]}…"


def _rows(name: str, links: str, value: Any, depth: int = 0) -> Iterator[tuple[str, str, list[tuple[str, Any]]]]:
    """Yield the rows of a field: a name, the fields that it shows, and the items, each with its place."""
    if _is_small(value) or depth == DEEPEST:
        yield name, links, [("", value)]
    elif _is_row(value):
        keyed = list(value.items() if isinstance(value, Mapping) else enumerate(value))
        if all(_is_small(item) for _, item in keyed):
            yield name, links, [(repr(key), item) for key, item in keyed]
        else:
            for key, item in keyed:
                yield from _rows(f"{name}[{key!r}]", links, item, depth + 1)
    else:
        for field, item in fields_of(value).items():
            yield from _rows(f"{name}.{field}", f"{links} {field}", item, depth + 1)


def _cell(name: str, links: str, key: str, item: Any) -> tuple[str, str, str, str]:
    """Return the text of a cell, its note, the fields that it shows, and the place of a clause's range."""
    at = f"{name}[{key}]" if key else ""
    if isinstance(item, Product):
        return item.text, item.span, links, at
    parts = {} if _is_plain(item) else fields_of(item)
    value = next((part for part in parts.values() if isinstance(part, Product)), None)
    if value is None:
        return describe(item), key, " ".join([links, *parts]), at
    note = ", ".join(f"{part} {describe(inner)}" for part, inner in parts.items() if inner is not value)
    return value.text, note, " ".join([links, *parts]), at


def draw_fields(s: Any, local: Mapping[str, Any]) -> Scene:
    """Draw the fields of a state: names on the left, contents on the right."""
    canvas = Canvas()
    rows = [row for name, value in fields_of(s).items() for row in _rows(name, name, value)]
    left = 24.0 + max((len(name) for name, *_ in rows), default=0) * 8
    for number, (name, links, items) in enumerate(rows[:LINES]):
        x, y = left, 20.0 + 46 * number
        canvas.label(f"name {name}", 4, y + 8, name, style="", links=links)
        for place, (key, item) in enumerate(items[:MOST]):
            text, note, shown, at = _cell(name, links, key, item)
            width = text_width(text, note)
            says = f"{at or name} is {text}{f', of {note}' if note and note != key else ''}"
            canvas.cell(
                f"{name} {place}", x, y, width, text, note, h=36, style="field", links=shown, place=at, says=says
            )
            x += width + 4
        if len(items) > MOST:
            canvas.label(f"more {name}", x, y + 8, f"… {len(items) - MOST} more")
    if len(rows) > LINES:
        canvas.label("more", 4, 20.0 + 46 * LINES, f"… {len(rows) - LINES} more fields")
    fields = list(fields_of(s).items())[:6]
    return canvas.compose(", ".join(f"{name} {describe(value)}" for name, value in fields))
