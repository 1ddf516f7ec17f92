"""Comparison of code with the listing that it transcribes.

Problem: a tag proves nothing, because a wrong line under a right tag looks the same.  So each tagged statement is
printed from its syntax tree, in the papers' spelling, and its tokens are compared with those of the paper's line.  The
code is translated to the paper's form and not the reverse, because only the code has a grammar.  Spellings that all
papers share are here; those of one paper, with its lines that are prose or wrong, are with its listing.
"""

import ast
import copy
import inspect
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from swagproof.proofs.errata import ENTRIES
from swagproof.reference.listings.listing import TAG, Listing, governing

OURS: Final = "# [ours"
CITED: Final = {
    entry.id: f"{'erratum' if entry.verdict == 'refuted' else 'reading'} {entry.id}"
    for entry in ENTRIES
    if entry.verdict != "withdrawn"
}
"""The citation of each entry in a tag: errata are refuted as printed; other entries are readings."""
COMBINES: Final = ("combine", "self.monoid.combine")

COMMON: Final = (
    (r"^return (.+) if (.+) else (.+)$", r"if \2 return \1 else return \3"),
    (r"([\w+-]+) if ([^?]+?) else (\w+)", r"\2 ? \1 : \3"),
    (r"\bself\.", ""),
    (r"\bdeque\[(\w+)\]", r"*\1"),
    (r"\bdeque\[(.+?)\]", r"*(\1)"),
    (r"^(\w+|W_\{l\+1\})\.add\((.*)\)$", r"\1 <- \1 + {\2}"),
    (r" = ", " <- "),
    (r" == | is (?=[-+]infinity|to_repair|None|node\b)", " = "),
    (r" is not ", " != "),
    (r" @ ", " ⊗ "),
    (r"\bNone\b", "null"),
    (r"\b(True|False)\b", lambda word: word[1].lower()),
)  # fmt: skip
"""The common spelling of all papers for each Python text, applied in this order."""


@cache
def tokens(text: str) -> list[str]:
    """Split into words and signs.  Names lose underscores; brackets are alike; comments, `then`, `do` are dropped."""
    words = re.findall(r"\w+(?:_\{[^}]*\})?|<-|[!<>]=|\S", re.sub(r"(^|  )# .*", "", text).replace("⊕", "⊗"))
    named = [re.sub(r"_([a-z])", lambda letter: letter[1].upper(), word) for word in words]
    return [{"[": "(", "]": ")"}.get(word, word) for word in named if word not in ("then", "do")]


class _Infix(ast.NodeTransformer):
    """Combine as an infix operator, so that brackets appear where they matter; an Element as its two values."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if ast.unparse(node.func) in COMBINES and len(node.args) == 2:
            return ast.BinOp(node.args[0], ast.MatMult(), node.args[1])
        pairs = [
            each.args if isinstance(each, ast.Call) and ast.unparse(each.func) == "Element" else [each]
            for each in node.args
        ]
        return ast.Call(node.func, [each for pair in pairs for each in pair], node.keywords)


def cite(entry: str | None) -> str | None:
    """Return the citation of an entry in a tag."""
    return entry and CITED.get(entry, f"nothing is said of {entry}")


def head(node: ast.stmt) -> str:
    """Return a simple statement, or a compound one without its body."""
    if isinstance(node, ast.If | ast.While | ast.For | ast.FunctionDef):
        node = copy.copy(node)
        node.body = [ast.Pass()]
        if not isinstance(node, ast.FunctionDef):
            node.orelse = []
    return ast.unparse(node)


@cache
def spell(statement: str, listing: Listing) -> str:
    """Spell a statement, or the head of one, like the listing's paper."""
    node = _Infix().visit(ast.parse(statement).body[0])
    text = ast.unparse(node).removesuffix(":\n    pass")
    if isinstance(node, ast.FunctionDef):
        names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
        text = f"fun {node.name}({', '.join(names[1:])})"
        given = node.args
        if given.vararg or given.kwarg or given.kwonlyargs or given.defaults or node.decorator_list:
            text += " and more"
    if isinstance(several := getattr(node, "value", None), ast.Tuple) and len(several.elts) > 1:
        text = text.replace(ast.unparse(several), ast.unparse(several)[1:-1])
    if "a, b = x, y" in listing.spellings and isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
        values = map(ast.unparse, getattr(node.value, "elts", [node.value]))
        pairs = zip_longest(map(ast.unparse, node.targets[0].elts), values, fillvalue="")
        text = ", ".join(f"{name} = {value}" for name, value in pairs)
    for python, paper in listing.spellings.items():
        text = re.sub(rf"(?<![\w.]){re.escape(python)}(?![\w}}])", paper, text)
    for pattern, paper in COMMON:
        text = re.sub(pattern, paper, text)
    return text + (", " if isinstance(node, ast.Assign | ast.Expr | ast.Return) else " ")


class Step(NamedTuple):
    """A simple statement, the head of a compound one, or an `else`; or a comment line."""

    lines: range
    node: ast.stmt | None
    text: str = ""
    """The text of a step without a node."""


def steps(body: Sequence[ast.stmt]) -> Iterator[Step]:
    """Yield all steps of a function, without docstrings and the short name for combine."""
    for node in body:
        nested: list[ast.stmt] = getattr(node, "body", [])
        orelse: list[ast.stmt] = getattr(node, "orelse", [])
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not is_docstring and head(node) != "combine = self.monoid.combine":
            yield Step(range(node.lineno, nested[0].lineno if nested else (node.end_lineno or 0) + 1), node)
        yield from steps(nested)
        if orelse:
            yield Step(range(orelse[0].lineno - 1, orelse[0].lineno), None, "else")
            yield from steps(orelse)


class Place(NamedTuple):
    """The steps under one tag, or under several tags of one statement, up to the next tag."""

    tags: list[re.Match[str]]
    is_ours: bool
    steps: list[Step]


@dataclass
class Function:
    """The text of a function, and its tree, which a control may have changed."""

    lines: list[str]
    tree: ast.Module

    @classmethod
    def of(cls, function: Any) -> "Function":
        """Return a function as it is in its file."""
        source = textwrap.dedent(inspect.getsource(function))
        return cls(source.splitlines(), ast.parse(source))

    def places(self) -> list[Place]:
        """Split the text at its tags."""
        found = list(steps(self.tree.body))
        covered = {line for step in found for line in step.lines}
        remarks = [n for n, line in enumerate(self.lines, 1) if n not in covered and TAG.search(line)]
        found += [Step(range(n, n + 1), None) for n in remarks]
        places: list[Place] = []
        for step in sorted(found, key=lambda step: step.lines.start):
            text = "\n".join(self.lines[line - 1] for line in step.lines)
            if TAG.search(text) or OURS in text or not places:
                places.append(Place(list(TAG.finditer(text)), OURS in text, []))
            places[-1].steps.append(step)
        return places

    def ours(self) -> set[int]:
        """Return the lines that belong to no listing."""
        return {line for place in self.places() if place.is_ours for step in place.steps for line in step.lines}


def problems(listings: Sequence[Listing], function: Function) -> list[str]:
    """Return the errors in the tags of one function, and in the code under them."""
    found: list[str] = []
    met: list[tuple[str, int]] = []
    indented: list[tuple[str, int]] = []
    for tags, is_ours, under in function.places():
        if not tags:
            found += [f"line {step.lines[0]}: no tag" for step in under[1:] if not is_ours]
            continue
        first = tags[0]
        listing = next((listing for listing in listings if listing.name == first[1]), None)
        if not listing or not all(tag[1] == listing.name and tag[2] in listing.lines for tag in tags):
            found.append(f"{first[0]}: no such line")
            continue
        met += [(listing.name, list(listing.lines).index(tag[2])) for tag in tags]
        found += [f"{tag[0]}: {it}" for tag in tags if (it := cite(listing.lines[tag[2]].entry)) != tag[3]]
        said = " ".join(listing.lines[tag[2]].form for tag in tags)
        code = "".join(spell(head(step.node), listing) if step.node else f"{step.text} " for step in under).rstrip(", ")
        if tokens(said) != tokens(code):
            found.append(f"{first[0]}: {said!r} in the paper, {code!r} in the code")
        start = function.lines[under[0].lines[0] - 1]
        indented.append((first[2], len(start) - len(start.lstrip())))
        printed = [(label, line.depth) for label, line in listing.lines.items()]
        as_supplied, here = governing(printed, first[2]), governing(indented, first[2])
        if any(depth for _, depth in printed) and here and (as_supplied != here) != (first[2] in listing.displaced):
            found.append(f"{first[0]}: stands under {here}, {as_supplied} as supplied")
    return found if met == sorted(set(met)) else [*found, f"not in order, or twice: {met}"]
