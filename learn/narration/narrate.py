"""The sentence of a step, from the state after its line."""

import string
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final, TypeAlias

from swagproof.learn.products import Combined
from swagproof.learn.scenes.fields import describe
from swagproof.learn.scenes.in_order import words_of
from swagproof.learn.scenes.scene import name_one
from swagproof.learn.scenes.trees import kind_of
from swagproof.learn.texts import Text
from swagproof.reference.listings.listing import TAG

Template: TypeAlias = str | Mapping[str, str]
"""A sentence, or one for each outcome of a condition: `yes` and `no`.

A template that begins with `~` is bookkeeping: a step in line-by-line mode, but not by default.
"""

FILES: Final = ("in_order", "flat_trees", "trees", "slices", "sharing", "related_work")
SHOWN: Final = 3
"""The greatest number of combine calls that a sentence names; beyond it, the sentence gives the number."""


@cache
def templates() -> Mapping[str, Template]:
    """All templates, by the tag or the beginning of their line."""
    found: dict[str, Template] = {}
    for name in FILES:
        text = (files("swagproof.learn") / "narration" / f"{name}.toml").read_text(encoding="utf-8")
        found |= tomllib.loads(text)
    return found


class _Words(string.Formatter):
    """A formatter that describes non-text values in a few words."""

    def format_field(self, value: Any, format_spec: str) -> str:
        return value if isinstance(value, str) else name_value(value)


def name_value(value: Any) -> str:
    """Describe a value: a node by its kind and its times, several nodes or numbers as a list."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if hasattr(value, "times") and hasattr(value, "children"):
        kind = "root" if value.is_root() else "leaf" if value.is_leaf() else "node"
        return f"the {kind} {', '.join(map(str, value.times)) or 'without entries'}"
    if isinstance(value, set | frozenset | list | tuple) and all(
        isinstance(each, int | str) or hasattr(each, "times") for each in value
    ):
        return ", ".join(map(name_value, value)) or "none"
    return value if isinstance(value, str) else describe(value)


def name_calls(combined: Sequence[Combined]) -> str:
    """Describe combine calls in the page's notation."""
    shown = "; ".join(f"{call.left} ⊗ {call.right} = {call.result}" for call in combined[:SHOWN])
    more = f"; and {len(combined) - SHOWN} more" if len(combined) > SHOWN else ""
    return f"{shown}{more}" if combined else "no combine call"


class Narration:
    """The templates of a text, by function and line."""

    def __init__(self, text: Text) -> None:
        self.templates: dict[tuple[str, int], Template] = {}
        self.helpers = {function.name: function.summary for function in text.functions}
        known = templates()
        for function in text.functions:
            for number, line in enumerate(function.lines, function.first):
                template = _find(known, function.name, line)
                if template is not None:
                    self.templates[function.name, number] = template
        self.in_full = {function.name for function in text.functions if function.name in text.changed}
        """The changed functions, in which every line is a step."""
        self.is_unknown = not self.templates

    def _sentence(self, function: str, line: int, taken: bool) -> str | None:
        template = self.templates.get((function, line))
        return template if template is None or isinstance(template, str) else template["yes" if taken else "no"]

    def is_step(self, function: str, line: int, taken: bool) -> bool:
        """Return whether a line is one of the steps that are shown by default."""
        sentence = self._sentence(function, line, taken)
        return self.is_unknown or function in self.in_full or (sentence is not None and sentence[0] != "~")

    def tell(
        self, function: str, line: int, taken: bool, s: Any, local: Mapping[str, Any], combined: Sequence[Combined]
    ) -> str:
        """Return the sentence of a line that has ended."""
        sentence = self._sentence(function, line, taken)
        if sentence is not None:
            try:
                words = {**words_of(s), **_words_of_nodes(s, local), **local, "s": s, "combined": name_calls(combined)}
                said = name_one(_Words().vformat(sentence.lstrip("~"), (), words))
                return said[0].upper() + said[1:] if said.startswith("the ") else said
            except Exception:  # a mutant's state may lack a name of the template
                pass
        calls = f" It combines {name_calls(combined)}." if combined else ""
        return f"In {function.rpartition('.')[2]}: {self.helpers.get(function) or 'one line runs.'}{calls}"


BELOW: Final = {
    "up": "all that is below it",
    "inner": "what is between its first and its last child",
    "left": "what is below it without its first child",
    "right": "what is below it without its last child",
}
"""The part of the window below a node that its aggregate covers, by the kind of aggregate."""


PLACES: Final = {"up": "on no spine", "inner": "the root", "left": "on the left spine", "right": "on the right spine"}
"""The node's place, by the kind of its aggregate."""


def _name_aggregate(node: Any, root: Any) -> str:
    """Describe the elements whose product is the aggregate of a node."""
    kind, _ = kind_of(node, root)
    below = f"the product of {BELOW[kind] if node.children else 'its entries'}"
    if kind in ("up", "inner") or node.parent is root:
        return below
    return f"{below}, then its parent's" if kind == "left" else f"its parent's, then {below}"


def _words_of_nodes(s: Any, local: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entry count and kind of aggregate of each node in a variable, and the greatest entry count."""
    nodes = {name: value for name, value in local.items() if hasattr(value, "times") and hasattr(s, "root")}
    counts = {f"{name}_entries": len(node.times) for name, node in nodes.items()}
    keeps = {f"{name}_keeps": _name_aggregate(node, s.root) for name, node in nodes.items()}
    places = {f"{name}_is": PLACES[kind_of(node, s.root)[0]] for name, node in nodes.items()}
    limits = {"most": s.max_arity - 1, "least": s.min_arity - 1} if hasattr(s, "max_arity") else {}
    return {**counts, **keeps, **places, **limits}


def _find(known: Mapping[str, Template], function: str, line: str) -> Template | None:
    """Find the template of a line of a function."""
    code = line.strip()
    for listing, label, *_ in TAG.findall(line):
        if f"{listing} l.{label}" in known:
            return known[f"{listing} l.{label}"]
    named = (key.partition(": ")[2] for key in known if key.startswith(f"{function}: "))
    return next((known[f"{function}: {start}"] for start in named if code.startswith(start)), None)
