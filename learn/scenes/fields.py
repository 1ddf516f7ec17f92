"""The plain scene: the fields of a state, a line each, for whatever has no picture of its own.

Lists are rows of cells, objects of the reference a frame of their own fields; what is deeper, longer or of another kind
is text.  Nothing here knows any algorithm, so a subject that a student writes is drawn too.
"""

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any, Final

from swagproof.learn.products import Product
from swagproof.learn.scenes.scene import Scene, Shape, cell, compose, label, text_width

GHOSTS: Final = ("expected", "joins", "cuts", "said", "events")
"""Fields of the definitions beside an algorithm."""
HIDDEN: Final = ("monoid", "counting", "model", "operation", *GHOSTS)
"""Fields that are the machinery's, or constant."""
MOST: Final = 40
LINES: Final = 30


def fields_of(s: Any) -> dict[str, Any]:
    """The fields of an object, kept in slots or in a dictionary."""
    slots = [name for cls in type(s).__mro__ for name in getattr(cls, "__slots__", ())]
    named = {name: getattr(s, name) for name in reversed(slots) if hasattr(s, name)} | getattr(s, "__dict__", {})
    return {name: value for name, value in named.items() if name not in HIDDEN and not callable(value)}


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float | bool | Fraction | Product | bytes)


def _plain(value: Any) -> str:
    return str(value) if isinstance(value, Fraction) else repr(value)


def describe(value: Any, depth: int = 2) -> str:
    """A value in a few characters."""
    if _is_plain(value) or depth == 0:
        text = value.text if isinstance(value, Product) else _plain(value) if _is_plain(value) else "…"
    elif "__repr__" in vars(type(value)) and not isinstance(value, Collection):
        text = repr(value)
    elif isinstance(value, Mapping):
        text = "{" + ", ".join(f"{describe(k, 1)}: {describe(v, depth - 1)}" for k, v in list(value.items())[:8]) + "}"
    elif isinstance(value, list | tuple | set | frozenset) or hasattr(value, "__iter__"):
        text = "[" + ", ".join(describe(item, depth - 1) for item in list(value)[:8]) + "]"
    else:
        inner = ", ".join(f"{name} {describe(item, depth - 1)}" for name, item in list(fields_of(value).items())[:6])
        text = f"({inner})" if inner else type(value).__name__
    return text if len(text) <= 40 else f"{text[:37]}…"


def draw_fields(s: Any, local: Mapping[str, Any]) -> Scene:
    """The fields of a state: its name on the left, what it holds beside it."""
    shapes: list[Shape] = []
    y = 20.0
    names = fields_of(s)
    left = 24 + max((len(name) for name in names), default=0) * 8
    for name, value in list(names.items())[:LINES]:
        shapes.append(label(f"name {name}", 4, y + 8, name, links=name))
        x = float(left)
        keyed = list(value.items()) if isinstance(value, Mapping) else None
        is_row = not _is_plain(value) and (keyed is not None or hasattr(value, "__iter__"))
        items = keyed if keyed is not None else list(enumerate(value)) if is_row else [("", value)]
        for place, (key, item) in enumerate(items[:MOST]):
            text = describe(item)
            note = item.span if isinstance(item, Product) else str(key) if is_row else ""
            width = text_width(text, note)
            at = f"{name}[{key!r}]" if is_row else ""
            says = f"{name}{f'[{key!r}]' if is_row else ''} is {text}"
            shapes.append(
                cell(f"{name} {place}", x, y, width, text, note, h=36, style="field", links=name, place=at, says=says)
            )
            x += width + 4
        if len(items) > MOST:
            shapes.append(label(f"more {name}", x, y + 8, f"… {len(items) - MOST} more", style="quiet"))
        y += 46
    if len(names) > LINES:
        shapes.append(label("more fields", 4, y, f"… {len(names) - LINES} more fields", style="quiet"))
    return compose(shapes, ", ".join(f"{name} {describe(value)}" for name, value in list(names.items())[:6]))
