"""What the references ask of what they are given: nothing but its order and its operations, over all their source.

Explorations hand opaque values and times to an algorithm, proofs hand it stand-ins; code that asks what kind of thing
it has, `isinstance(t, int) and t > 1000`, would do one thing there and another in the field.  Symbolic runs have a gate
for that, and what stands by contract in them does not pass it.  Nor do they see what a struct does to what it is given,
or that a deque lets the oldest go.  So all functions of the references are read here: who asks for a kind does so to
refuse it, or tells apart the records and steps of windows, which are the project's own classes; nothing is wrapped by a
decorator that is not known; no class has a hook, and no deque a bound.
"""

import ast
import inspect
import pkgutil
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from swagproof import reference
from swagproof.proofs.ledger.claim import OURS, Claim, Control, Outcome, cite
from swagproof.reference.flat_trees import flat_fat
from swagproof.reference.sharing import ordered_sharing, timegram
from swagproof.reference.trees import augmented_tree

ASKS: Final = frozenset(
    {"isinstance", "issubclass", "type", "hasattr", "getattr", "setattr", "delattr", "callable", "id", "hash", "repr"}
    | {"str", "format", "vars", "dir", "globals", "locals", "eval", "exec", "__import__", "open"}
)
"""Builtins that tell one kind of thing from another, or reach behind the code's back."""
DECORATORS: Final = frozenset({"property", "dataclass", "under", "contextmanager"})
CALLED: Final = frozenset({"__init__", "__call__"})
"""Methods that are no hooks: a struct compares, and keeps what it is given, as Python has it."""
CONVERTS: Final = {
    "swagproof.reference.sharing.timegram.exact": "ints and floats become Fractions, others are Fractions"
}
"""Functions that ask for kinds for another end, and which."""
LISTINGS: Final = "swagproof.reference.listings"


def list_references() -> Iterator[ModuleType]:
    """All modules of the references; the papers' listings are texts."""
    for found in pkgutil.walk_packages(reference.__path__, f"{reference.__name__}."):
        if not found.ispkg and not found.name.startswith(LISTINGS):
            yield import_module(found.name)


def find_questions(module: ModuleType, source: str) -> Iterator[str]:
    """What a module's source asks, and may not: `module, line: what`."""
    tree = ast.parse(source)
    allowed = {id(part) for node in ast.walk(tree) if _refuses(node) for part in ast.walk(node.test)}  # type: ignore[attr-defined]  # an If
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and f"{module.__name__}.{node.name}" in CONVERTS:
            allowed |= {id(part) for part in ast.walk(node)}
    for node in ast.walk(tree):
        what = None
        if isinstance(node, ast.Name) and node.id in ASKS and isinstance(node.ctx, ast.Load):
            call = _call_of(node, tree)
            what = None if id(node) in allowed or _is_annotation(node, tree) or _is_own(call, module) else node.id
        elif isinstance(node, ast.Attribute) and node.attr in ("__class__", "__dict__", "__code__"):
            what = node.attr
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            wrapped = {ast.unparse(d).partition("(")[0] for d in node.decorator_list} - DECORATORS
            what = f"the decorator {', '.join(sorted(wrapped))}" if wrapped else None
            if isinstance(node, ast.FunctionDef) and node.name.startswith("__") and node.name not in CALLED:
                what = f"the hook {node.name}"
        elif isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "deque":
            what = "a deque with a bound" if node.keywords or len(node.args) > 1 or _is_spread(node) else None
        if what is not None:
            yield f"{module.__name__}, line {node.lineno}: {what}"  # type: ignore[attr-defined]  # of each of these


def _is_spread(call: ast.Call) -> bool:
    """Whether how many arguments there are is not told by the source."""
    return any(isinstance(argument, ast.Starred) for argument in call.args)


def _refuses(node: ast.AST) -> bool:
    """Whether it is an `if` that raises, and does nothing else."""
    return isinstance(node, ast.If) and not node.orelse and all(isinstance(s, ast.Raise) for s in node.body)


def _call_of(name: ast.Name, tree: ast.AST) -> ast.Call | None:
    return next((node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.func is name), None)


def _is_annotation(name: ast.Name, tree: ast.AST) -> bool:
    """Whether it speaks of types, and is not run."""
    notes = [getattr(node, field, None) for node in ast.walk(tree) for field in ("annotation", "returns")]
    return any(part is name for note in notes if note is not None for part in ast.walk(note))


def _is_own(call: ast.Call | None, module: ModuleType) -> bool:
    """Whether it makes another of its own class, or tells classes of the project's apart."""
    if call is None:
        return False
    if ast.unparse(call) == "type(self)":
        return True
    if ast.unparse(call.func) != "isinstance" or len(call.args) != 2:
        return False
    kinds = [part for part in ast.walk(call.args[1]) if isinstance(part, ast.Name)]
    found: list[Any] = [getattr(module, kind.id, None) for kind in kinds]
    return all(inspect.isclass(kind) and kind.__module__.startswith("swagproof.") for kind in found)


def ask_nothing(edits: tuple[tuple[ModuleType, str, str], ...] = ()) -> Outcome:
    """Read all references, or with lines changed."""
    found, read = list[str](), 0
    for module in list_references():
        source = inspect.getsource(module)
        for edited, old, new in edits:
            if edited is module:
                if source.count(old) != 1:
                    raise ValueError(f"{module.__name__}: {old!r} stands there {source.count(old)} times, not once")
                source = source.replace(old, new)
        found += find_questions(module, source)
        read += sum(isinstance(node, ast.FunctionDef) for node in ast.walk(ast.parse(source)))
    if found:
        return Outcome("fails", "; ".join(found))
    return Outcome("holds", f"{read} functions", {"functions": read})


def _asks(name: str, module: ModuleType, old: str, new: str) -> Control:
    return Control(name, partial(ask_nothing, ((module, old, new),)))


CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        id="objects/questions",
        statement="No function of a reference asks what kind of thing it was given, but to refuse it, or to tell the "
        "records and steps of windows apart; none is wrapped by an unknown decorator; no class has a hook, and no "
        "deque a bound.",
        source=cite(OURS),
        algorithm="every reference",
        kind="exhaustive",
        engine="reading the source",
        scope="every function of every module of the references",
        code="reference",
        check=ask_nothing,
        controls=(
            _asks(
                "a search asks whether times are ints",
                augmented_tree,
                "i = bisect_left(self.times, t)",
                "i = bisect_left(self.times, t) - (isinstance(t, int) and t > 1000)",
            ),
            _asks("a split is wrapped", augmented_tree, "    def split_off(", "    @cached\n    def split_off("),
            _asks(
                "the kind of a value is asked for",
                timegram,
                "self.now = self.now + 1",
                "self.now += type(self.low) is not int",
            ),
            _asks(
                "a deque drops the oldest timestamps", timegram, "homes: deque[int] = deque()", "homes = deque((), 600)"
            ),
            _asks(
                "a deque keeps the newest tuples",
                ordered_sharing,
                "tuples: deque[V] = deque()",
                "tuples: deque[V] = deque(maxlen=1000)",
            ),
            _asks(
                "a struct keeps another number",
                timegram,
                "    timestamps: deque[int]\n",
                "    timestamps: deque[int]\n\n    def __post_init__(self):\n        self.index = self.index % 10**5\n",
            ),
            _asks("a class is looked up", flat_fat, "self.n & (self.n - 1):", "self.__class__ is None:"),
        ),
        not_covered="functions of models/ that references call; kinds that are asked for by other means than builtins",
    ),
)
