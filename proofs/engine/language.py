"""The subset of Python that the engine runs; other code is refused, so that claims about it are unknown.

A symbolic run observes only operations on its symbolic values.  It does not observe type tests, identity tests,
exception handlers, decorators, functions of other packages, state of a class, a module or a default argument, or a
second name for self.  A proof that ran such code would miss its effects.  So the engine first checks the source against
a `Language`: the node types, names and attributes that it may use.  Code outside of it raises `Unseen`.

A rewritten method is checked against a language for its data (`FIFO`, `ARRAYS`, `NODES`, `STREAMS` and others), by
`refuse`.  A function that runs unchanged is checked against `PLAIN`, by `refuse_plain`, which
swagproof.proofs.engine.gate calls.  `DOORS` lists the functions that are exempt, with the reasons.
"""

import ast
import builtins
import inspect
import itertools
import linecache
import sys
import textwrap
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import cache
from itertools import pairwise
from types import BuiltinFunctionType, CodeType, FunctionType, NoneType
from typing import Any, Final, Generic, Protocol, TypeVar

from swagproof.models.any_order import NotInWindowError
from swagproof.models.containers.array import Array
from swagproof.models.containers.bottom import BOTTOM
from swagproof.models.containers.deque import ChunkedDeque
from swagproof.models.containers.element import Element
from swagproof.models.containers.stack import Stack
from swagproof.models.fifo import EmptyWindowError


class Unseen(ValueError):
    """Code outside of its language.  Running it would neither prove nor refute anything."""


@dataclass(frozen=True)
class Language:
    """A subset of Python, by the syntax, names and attributes that code may use."""

    statements: tuple[type[ast.stmt], ...]
    expressions: tuple[type[ast.expr], ...]
    operators: tuple[type[ast.AST], ...]
    names: tuple[Any, ...]
    """The values that code may name besides self, its parameters and its own variables."""
    attributes: frozenset[str] | None
    """The attributes that code may read of objects other than self; None for all but `__...` and `ENGINES_OWN`."""
    fields: frozenset[str] = frozenset()
    """The attributes that code may assign of objects other than self: fields of a struct in place."""
    called: frozenset[str] = frozenset()
    """Attributes that must be called at once: a stored method would change a container without naming it."""
    nodes: bool = False
    """True if objects refer to each other: self is a value, the fields of any object may be assigned, and a method may
    call the one of its base class, or make another object of its own class."""
    own: frozenset[str] = frozenset()
    """Names of the code's own module to which the run gives a meaning."""
    getters: bool = False
    """True if properties are allowed; they are rewritten like methods."""
    unfolds: bool = False
    """True if a class may contain other classes, methods may have constant defaults, and generators and comprehensions
    are allowed, which are unfolded (swagproof.proofs.engine.source.unfold)."""
    methods: bool = True
    """True for a language of methods, with plain parameters and no defaults; False for one of functions of any kind."""


FIFO: Final = Language(
    (ast.Return, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.If, ast.While, ast.Raise, ast.Pass),
    (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.Tuple, ast.Constant, ast.BinOp, ast.BoolOp,
     ast.UnaryOp, ast.Compare, ast.IfExp),
    (ast.Add, ast.Sub, ast.Mult, ast.And, ast.Or, ast.Not, ast.USub, ast.Eq, ast.NotEq, ast.Lt, ast.LtE,
     ast.Gt, ast.GtE, ast.Load, ast.Store),
    (Element, EmptyWindowError),
    frozenset(
        {"identity", "combine", "val", "agg"}
        | {name for kind in (ChunkedDeque, Stack) for name in vars(kind) if not name.startswith("_")}
    ),
    frozenset({"val", "agg"}),
)  # fmt: skip
"""Pointers into a deque, stacks, structs."""

ARRAYS: Final = Language(
    (*(kind for kind in FIFO.statements if kind is not ast.AugAssign), ast.For),
    FIFO.expressions,
    (*FIFO.operators, ast.FloorDiv, ast.Mod, ast.In, ast.NotIn),
    (Array, set, range, IndexError, ValueError),
    frozenset({"combine", "identity", "add"}),
    called=frozenset({"add"}),
)
"""Arrays, and sets of numbers that are iterated; no augmented assignment, as `+=` on a set gives it a second name."""

DEMARCATED: Final = replace(
    ARRAYS,
    expressions=(*ARRAYS.expressions, ast.List, ast.Starred, ast.ListComp),
    operators=(*ARRAYS.operators, ast.comprehension),
)
"""The same, and lists built from others."""

BUFFERS: Final = Language(
    (*ARRAYS.statements, ast.AugAssign, ast.Assert, ast.Delete),
    (*ARRAYS.expressions, ast.List, ast.Dict, ast.Starred, ast.keyword),  # type: ignore[arg-type]  # of a call
    (*ARRAYS.operators, ast.Is, ast.IsNot, ast.Del),
    (Array, set, list, len, range, enumerate, type, int, BOTTOM, EmptyWindowError, NotInWindowError),
    frozenset({"monoid", "combine", "identity", "add", "append", "clear", "items"})
    | frozenset({"a", "n", "update", "slide", "prefix", "suffix", "aggregate"}),
    called=frozenset({"add", "append", "clear", "items", "update", "slide"}),
    own=frozenset({"FlatFat", "WithBottom"}),
    getters=True,
    unfolds=True,
)
"""Buffers in the leaves of a tree, which is known by its contract: arrays, dicts, sets, and lists that grow."""

NODES: Final = Language(
    (ast.Return, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.If, ast.For, ast.Pass),
    (*FIFO.expressions, ast.Slice, ast.Starred, ast.List),
    (*FIFO.operators, ast.Is, ast.IsNot),
    (len, range, min, max),
    frozenset(
        {"identity", "combine", "insert", "append", "pop", "index"}
        | {"agg", "arity", "children", "left_spine", "parent", "right_spine", "times", "values"}
        | {"absorb_next", "get_child", "has_agg_up", "is_leaf", "is_root", "local_repair_agg", "local_repair_agg_if_up"}
        | {"set_time_and_value", "split_off", "take_from_next", "take_from_previous"}
    ),
    frozenset({"agg", "children", "left_spine", "parent", "right_spine", "times", "values"}),
    frozenset({"insert", "append", "pop", "index"}),
    nodes=True,
)
"""Nodes of a tree, and lists of them: `is` and list displays are rewritten."""

CHUNKS: Final = Language(
    (ast.Return, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.If, ast.Raise, ast.Assert, ast.Pass),
    (*FIFO.expressions, ast.List),
    (*FIFO.operators, ast.Is, ast.IsNot),
    (IndexError, isinstance, bool),
    frozenset({"chunk", "following", "first", "offset", "preceding", "slots"}),
    frozenset({"following", "preceding"}),
    nodes=True,
    own=frozenset({"CHUNK", "Chunk", "Pointer", "VACANT", "_walk", "place"}),
)
"""The chunked deque itself; `isinstance` distinguishes pointers from numbers, and is defined by the run."""

STREAMS: Final = Language(
    (*ARRAYS.statements, ast.AugAssign),
    (*FIFO.expressions, ast.Lambda, ast.NamedExpr, ast.ListComp, ast.GeneratorExp),
    (*ARRAYS.operators, ast.Is, ast.IsNot, ast.comprehension, ast.arguments, ast.arg),
    (deque, bool, len, min, next, sum, bisect_left, bisect_right, ValueError),
    frozenset({"append", "pop", "popleft", "insert", "remove", "first", "last", "begin", "known", "add", "sizes"})
    | {"largest", "size", "answer", "ts", "input_queue", "output_queue", "index", "timestamps", "identity", "combine"},
    frozenset({"answer", "ts"}),
    frozenset({"append", "pop", "popleft", "insert", "remove", "first", "last", "begin", "known", "add"}),
    nodes=True,
    own=frozenset({"Query", "Window", "NEVER", "_smaller_than"}),
)
"""Structs, queues and windows over a stream; comprehensions, and lambdas as sort keys."""

GRAMS: Final = replace(
    STREAMS,
    expressions=(*STREAMS.expressions, ast.List, ast.keyword),  # type: ignore[arg-type]  # of a call
    operators=(*STREAMS.operators, ast.Div),
    names=(*STREAMS.names, enumerate, int, isinstance, reversed),
    fields=frozenset(),
    own=frozenset({"Bucket", "Registry", "exact"}),
)
"""Lists of buckets, with inserts in the middle; `isinstance` tests for whole factors, and is defined by the run."""

ROWS: Final = Language(
    (*FIFO.statements, ast.For, ast.Break),
    (*FIFO.expressions, ast.List),
    (*FIFO.operators, ast.FloorDiv, ast.Mod),
    (EmptyWindowError, ValueError, deque, len, range),
    frozenset({"append", "combine", "identity", "pop", "popleft", "position", "value"}),
    called=frozenset({"append", "pop", "popleft"}),
    own=frozenset({"Candidate", "NotSelectiveError"}),
    getters=True,
)
"""Lists and deques that are read by index; their items get no second name."""

LEVELS: Final = Language(
    FIFO.statements,
    (*FIFO.expressions, ast.List),
    (*FIFO.operators, ast.FloorDiv, ast.Mod),
    (EmptyWindowError, ChunkedDeque, len),
    frozenset({"append", "begin", "combine", "end", "identity", "pop", "pop_front", "push_back"}),
    called=frozenset({"append", "begin", "end", "pop", "pop_front", "push_back"}),
)
"""A list of deques, and numbers that are divided by powers of 2."""

TREES: Final = Language(
    (*FIFO.statements, ast.Assert),
    FIFO.expressions,
    (*FIFO.operators, ast.Is, ast.IsNot),
    (max, KeyError),
    frozenset({"left", "item", "right", "height"}),
    nodes=True,
    own=frozenset({"Node", "_node", "_balanced", "height"}),
)
"""Immutable nodes of a tree; functions outside of a class are checked against it, too."""

PLAIN: Final = Language(
    (*FIFO.statements, ast.For, ast.FunctionDef, ast.Match),
    (*FIFO.expressions, ast.Slice, ast.Starred, ast.List, ast.Lambda, ast.GeneratorExp, ast.ListComp, ast.JoinedStr,
     ast.FormattedValue),
    (*FIFO.operators, ast.BitAnd, ast.BitOr, ast.FloorDiv, ast.Mod, ast.Div, ast.Pow, ast.Is, ast.IsNot, ast.In,
     ast.NotIn, ast.comprehension, ast.keyword, ast.arguments, ast.arg, ast.match_case, ast.MatchClass, ast.MatchAs,
     ast.MatchOr),
    (abs, all, any, bool, divmod, enumerate, len, max, min, range, reversed, sorted, sum, tuple, zip,
     bisect_left, bisect_right, deque, pairwise, ValueError, TypeError, IndexError, LookupError),
    None,
    methods=False,
)  # fmt: skip
"""Functions that run unchanged: arithmetic, comparisons, and lists of known length."""

ENGINES_OWN: Final = frozenset({"another", "empty", "freeze", "forget", "hi", "lo", "term", "terms", "there", "widths"})
"""Attributes of symbolic values that the concrete values do not have."""

STRUCTS: Final[Mapping[str, Sequence[str]]] = {
    "Answer": ("query", "begin", "end", "value"),
    "Bucket": ("index", "timestamps"),
    "Candidate": ("position", "value"),
    "Evaluated": ("query", "value"),
    "Node": ("left", "item", "right", "height"),
    "Query": ("size", "input_queue", "output_queue"),
    "Slice": ("begin", "partial"),
    "Window": ("answer", "ts", "size"),
}
"""Classes for which a run has stubs, with the stubs' fields in order.  The class must do nothing but store its
arguments under these names, in this order."""

ROOMS: Final = ("swagproof.reference.", "swagproof.models.", "swagproof.contracts.")
"""The packages whose code may run symbolically."""

DOORS: Final[Mapping[str, str]] = {
    "swagproof.reference.sharing.timegram.exact": "refuses floats, makes Fractions of ints; run on Fractions",
    "swagproof.reference.sharing.timegram.TimeGram.__init__": "refuses what counts no buckets; run on ints",
    "swagproof.models.shared.Registry.add": "refuses what is no size of a window; run on ints",
    "swagproof.models.windows.window.Window.origin_for": "times may be datetimes; run on numbers",
    "swagproof.contracts.clause.size": "lists have a length here and a size in a proof",
    "swagproof.contracts.sharing.timegram.position": "the place of a number is looked for here, known in a proof",
    "swagproof.contracts.clause.inside": "members of a set are counted here, and known as a number in a proof",
    "swagproof.contracts.clause.equal": "queues are compared item by item here, by what they hold in a proof",
}
"""Functions that test the types of their arguments, with the reason and the types that proofs pass.  Claims cover these
types only; the explorer runs the functions with others."""


def is_constant(value: Any) -> bool:
    """Return whether a value is immutable, so that sharing it shares no state."""
    if isinstance(value, tuple | frozenset):
        return all(map(is_constant, value))
    if is_dataclass(value) and not isinstance(value, type):
        return bool(type(value).__dataclass_params__.frozen)  # type: ignore[attr-defined]  # what makes it a dataclass
    kinds = (NoneType, bool, int, float, str, bytes, Fraction, Enum, FunctionType, BuiltinFunctionType, type, TypeVar)
    return isinstance(value, kinds)


# Methods that are rewritten


def refuse_unseen(algorithm: type, language: Language = FIFO) -> None:
    """Raise Unseen, with the place, for a class with members or methods outside of the language."""
    refuse_members(algorithm, language)
    for name, function in inspect.getmembers(algorithm, inspect.isfunction):
        if name == "__init__" or not name.startswith("__"):
            refuse(function, language)


def refuse_members(algorithm: type, language: Language) -> None:
    """Raise Unseen if a class or a base has other members than methods: hooks, or state that objects share."""
    for cls in algorithm.__mro__:
        if cls in (object, Generic, Protocol):
            continue
        for name, member in vars(cls).items():
            seen = inspect.isfunction(member)
            if language.nodes or language.getters:
                seen = seen or (isinstance(member, property) and member.fset is None and member.fdel is None)
            if language.nodes:  # a slot, the class of the nodes
                seen = seen or inspect.ismemberdescriptor(member)
            if language.nodes or language.unfolds:
                seen = seen or inspect.isclass(member)
            if name != "__init__" and (callable(member) if name.startswith("__") else not seen):
                raise Unseen(f"{cls.__qualname__}.{name}: the engine sees methods, and attributes of the object")


def refuse(function: Callable[..., Any], language: Language, source: str | None = None) -> None:
    """Raise Unseen, with the place, if a method, or the source that replaces it, is outside of the language."""
    if inspect.unwrap(function) is not function:
        raise Unseen(f"{function.__qualname__}: the engine does not see through what wraps it")
    if set(function.__code__.co_freevars) - {"__class__"}:  # super() has that one, and is a name of its own
        raise Unseen(f"{function.__qualname__}: the engine does not see names of the function around it")
    definition = ast.parse(source or textwrap.dedent(inspect.getsource(function))).body[0]
    names = {**vars(builtins), **function.__globals__}
    for node, why in _unseen(definition, names, language):
        line = function.__code__.co_firstlineno + getattr(node, "lineno", 1) - 1
        raise Unseen(f"{function.__qualname__}, line {line}: the engine does not know {why}")


# Functions that run unchanged


def refuse_plain(code: CodeType, names: Mapping[str, Any], kept: Mapping[str, Any]) -> None:
    """Raise Unseen, with the place, if code in `ROOMS`, or a function that it calls by name, is outside of `PLAIN`.

    `names` are its globals, and `kept` the values that it closes over.  These must be immutable, except in a
    comprehension, which ends before the enclosing function does.
    """
    place = f"{names['__name__']}.{code.co_qualname}"
    if place in DOORS:
        return
    passing = code.co_name in COMPREHENSIONS
    for name, value in kept.items():
        if not (passing or is_constant(value)):
            raise Unseen(f"{place}: the engine does not know what {name} keeps")
    known = {**vars(builtins), **names, **kept}
    definitions, around, bound = _definitions_of(code)
    for node, why in itertools.chain(
        _unlike_constants(around, known), *(_unseen(definition, known, PLAIN, bound) for definition in definitions)
    ):
        raise Unseen(f"{place}, line {getattr(node, 'lineno', code.co_firstlineno)}: the engine does not know {why}")
    parts = (_called(node, names, around) for definition in definitions for node in ast.walk(definition))
    for called in itertools.chain(parts, kept.values()):
        if isinstance(called, FunctionType) and in_rooms(called.__module__) and called.__code__ not in _HELD:
            _HELD.add(called.__code__)
            try:
                refuse_plain(called.__code__, called.__globals__, inspect.getclosurevars(called).nonlocals)
            except Unseen:
                _HELD.remove(called.__code__)
                raise


COMPREHENSIONS: Final = frozenset({"<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>"})

_HELD: Final[set[CodeType]] = set()
"""Functions that are called by name, and whose check is done or under way."""


def _definitions_of(code: CodeType) -> tuple[list[ast.FunctionDef | ast.Lambda], ast.ClassDef | None, set[str]]:
    """Return the definition of code, the class around it, and the names that the outermost function binds.

    The definition is the function or lambda at the code's line; outside of functions, all lambdas of the line.
    """
    body, around = _tree(code.co_filename).body, None
    while True:
        line = code.co_firstlineno
        node = next((n for n in body if _first_line(n) <= line <= (n.end_lineno or 0)), None)
        if isinstance(node, ast.ClassDef):
            body, around = node.body, node
        elif isinstance(node, ast.FunctionDef):
            within = [part for part in ast.walk(node) if isinstance(part, ast.FunctionDef | ast.Lambda)][1:]
            inner = [part for part in within if part.lineno <= line <= (part.end_lineno or 0)]
            found = inner[:1] or [node]
            decorating = any(part is found[0] for each in node.decorator_list for part in ast.walk(each))
            return found, None if decorating else around, _bound(node)  # a contract is run on states, not on the class
        elif node is None:
            raise Unseen(f"{code.co_qualname}: the engine does not find how it is defined")
        else:
            return [p for p in ast.walk(node) if isinstance(p, ast.Lambda) and p.lineno == line], around, set()


def _bound(definition: ast.AST) -> set[str]:
    """Return the names that a function and the functions within it bind."""
    nodes = list(ast.walk(definition))
    bound = {node.arg for node in nodes if isinstance(node, ast.arg)}
    bound |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return bound | {str(node.name) for node in nodes if isinstance(node, ast.FunctionDef | ast.MatchAs)}


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


@cache
def _tree(file: str) -> ast.Module:
    return ast.parse("".join(linecache.getlines(file)))


def _called(node: ast.AST, names: Mapping[str, Any], around: ast.ClassDef | None) -> Any:
    """Return the value that a name has, or the member of the enclosing class that an attribute may refer to."""
    found: Any = None
    if isinstance(node, ast.Name):
        found = names.get(node.id)
    elif isinstance(node, ast.Attribute) and around is not None and inspect.isclass(names.get(around.name)):
        found = inspect.getattr_static(names[around.name], node.attr, None)
        found = found.fget if isinstance(found, property) else found
    return found


def in_rooms(module: str) -> bool:
    """Return whether code of a module may run symbolically."""
    return module.startswith(ROOMS)


CLAUSES: Final = "swagproof.contracts.clause"
"""The module whose decorators turn predicates into clauses; the language allows them."""

HOOKS: Final = frozenset(
    {"__getattr__", "__getattribute__", "__setattr__", "__delattr__", "__new__", "__init_subclass__", "__get__"}
    | {"__set__", "__set_name__", "__instancecheck__", "__subclasscheck__", "__class_getitem__", "__prepare__"}
)


def _unlike_constants(around: ast.ClassDef | None, names: Mapping[str, Any]) -> Iterator[tuple[ast.AST, str]]:
    """Yield the members of a class that are neither methods nor immutable."""
    made = names.get(around.name) if around is not None else None
    if around is None or not inspect.isclass(made):
        return
    for name, member in vars(made).items():
        if name in HOOKS and isinstance(member, FunctionType):
            yield around, f"the hook {name}"
        descriptor = isinstance(member, property | staticmethod | classmethod) or inspect.isdatadescriptor(member)
        if not (name.startswith("__") or name in {"_abc_impl", "_is_protocol"} or descriptor or is_constant(member)):
            yield around, f"what the class keeps as {name}"


# What code says


def _unread(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts that a run ignores: annotations, and names formatted in the message of an exception."""
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        yield from ast.walk(node.annotation)
    elif isinstance(node, ast.arg) and node.annotation is not None:
        yield from ast.walk(node.annotation)
    elif isinstance(node, ast.FunctionDef) and node.returns is not None:
        yield from ast.walk(node.returns)
    elif isinstance(node, ast.Assert) and node.msg is not None:
        yield from ast.walk(node.msg)
    elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        for message in node.exc.args:
            parts = list(ast.walk(message))
            shown = (ast.JoinedStr, ast.FormattedValue, ast.Name, ast.Attribute, ast.Constant, ast.Load)
            if isinstance(message, ast.JoinedStr) and all(isinstance(part, shown) for part in parts):
                yield from parts
            elif isinstance(message, ast.Constant):
                yield message


def _unlike_a_method(
    definition: ast.AST, names: Mapping[str, Any], language: Language
) -> Iterator[tuple[ast.AST, str]]:
    """Yield the parts of a method's definition that the engine does not support."""
    if not isinstance(definition, ast.FunctionDef) or any(
        not ((language.nodes or language.getters) and isinstance(decorator, ast.Name) and decorator.id == "property")
        for decorator in definition.decorator_list
    ):
        yield definition, "how this is defined"
        return
    given = definition.args
    defaults = [each for each in given.defaults if not (language.unfolds and _never_changes(each, names))]
    plain = not (given.kwarg or defaults or given.kwonlyargs)
    plain = plain and (language.nodes or not given.vararg)
    if not plain or next((each.arg for each in (*given.posonlyargs, *given.args)), "") != "self":
        yield definition, "parameters other than self and plain ones"


def _never_changes(default: ast.expr, names: Mapping[str, Any]) -> bool:
    """Return whether a default is a constant, or names an immutable value."""
    return isinstance(default, ast.Constant) or (isinstance(default, ast.Name) and is_constant(names.get(default.id)))


def _unlike_a_function(definition: ast.AST, names: Mapping[str, Any]) -> Iterator[tuple[ast.AST, str]]:
    """Yield the parts of a function's definition, or of one within it, that the engine does not support."""
    for node in ast.walk(definition):
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                made = decorator.func if isinstance(decorator, ast.Call) else decorator
                by = names.get(made.id) if isinstance(made, ast.Name) else None
                if by not in (property, staticmethod) and getattr(by, "__module__", "") != CLAUSES:
                    yield definition, "how this is defined"
        if isinstance(node, ast.arguments):
            for default in (*node.defaults, *filter(None, node.kw_defaults)):
                if not _never_changes(default, names):
                    yield definition, "a default that may change"


def _unseen(
    definition: Any, names: Mapping[str, Any], language: Language, kept: Collection[str] = ()
) -> Iterator[tuple[ast.AST, str]]:
    """Yield the parts of a definition that are outside of the language, with the reasons."""
    unlike = (
        _unlike_a_method(definition, names, language) if language.methods else _unlike_a_function(definition, names)
    )
    found = next(unlike, None)
    if found is not None:
        yield found
        return
    made = language.methods and definition.name == "__init__"
    language = _constructors(language) if made else language
    body = definition.body if isinstance(definition.body, list) else [definition.body]
    nodes = [node for statement in body for node in ast.walk(statement)]
    silent = {id(part) for node in nodes for part in _unread(node)}
    nodes = [node for node in nodes if id(node) not in silent]
    self = "self" if language.methods else ""
    local = _bound(definition).union(kept)
    parts = _Parts(nodes)
    for node in nodes:
        if made and parts.refuses(node):
            continue
        if not isinstance(node, language.statements + language.expressions + language.operators):
            yield node, f"{type(node).__name__}"
        elif isinstance(node, ast.While | ast.For) and node.orelse:
            yield node, "the else of a loop"
        elif isinstance(node, ast.Name):
            if node.id == self:
                if not language.nodes and id(node) not in parts.owners:
                    yield node, "self by another name"
            elif node.id not in local and not _means_known(node, names, language, parts):
                yield node, f"the name {node.id}"
        elif (
            isinstance(node, ast.Call) and len(node.args) + len(node.keywords) > 1 and _names(node.func, names) is deque
        ):
            yield node, "a deque with a bound"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            heard = parts.texts if not language.methods else parts.handed(language.own)
            if id(node) not in parts.unread | heard:
                yield node, "texts, which numbers can be formatted into"
        elif isinstance(node, ast.Attribute):
            why = _unseen_attribute(node, self, language, parts, made)
            if why:
                yield node, why


def _constructors(language: Language) -> Language:
    """Return the language for __init__, which may also make containers, refuse arguments, and use `&`."""
    return replace(
        language,
        names=(*language.names, ChunkedDeque, Stack, TypeError, ValueError, len),
        operators=(*language.operators, ast.BitAnd),
    )


class _Parts:
    """The syntactic roles of a definition's nodes, as sets of their `id`."""

    def __init__(self, nodes: list[ast.AST]) -> None:
        attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
        self.calls = calls = [node for node in nodes if isinstance(node, ast.Call)]
        self.owners = {id(node.value) for node in attributes if isinstance(node.value, ast.Name)}
        self.called = {id(node.func) for node in calls}
        self.methods_of = {id(node.value) for node in attributes if id(node) in self.called}
        """Objects whose methods are called."""
        self.called |= {id(node.cls) for node in nodes if isinstance(node, ast.MatchClass)}
        self.unread = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        self.texts = {id(p) for n in nodes if isinstance(n, ast.Compare) for p in (n.left, *n.comparators)}
        self.texts |= {id(argument) for node in calls for argument in node.args}
        """Texts that are compared, or passed to a function, which is checked against the language too."""
        self.own_kind = {
            id(node.func) for node in calls
            if id(node) in self.called and len(node.args) == 1 and not node.keywords
            and isinstance(node.args[0], ast.Name) and node.args[0].id == "self"
        }  # fmt: skip
        """`type` in type(self)(...)."""
        tests = [node.test for node in nodes if isinstance(node, ast.If)]
        self.refusals = {id(part) for test in tests if ast.unparse(test) in REFUSALS for part in ast.walk(test)}

    def handed(self, own: Collection[str]) -> set[int]:
        """Return the arguments of calls to functions to which the run gives a meaning."""
        return {
            id(given)
            for call in self.calls
            if isinstance(call.func, ast.Name) and call.func.id in own
            for given in call.args
        }

    def refuses(self, node: ast.AST) -> bool:
        """Return whether a node is part of a test in `REFUSALS`."""
        return id(node) in self.refusals


REFUSALS: Final = frozenset({"monoid.remove is None"})
"""Tests of a constructor that are allowed in order to refuse an argument."""


def _unseen_attribute(node: ast.Attribute, self: str, language: Language, parts: _Parts, made: bool) -> str:
    """Return the reason why an attribute may not be read or assigned here; "" if it may."""
    owner = node.value.id if isinstance(node.value, ast.Name) else ""
    base = bool(owner) and id(node) in parts.called and language.nodes and owner[:1].isupper()
    if base and made and node.attr == "__init__":
        return ""
    if node.attr.startswith("__") or (not language.methods and node.attr in ENGINES_OWN):
        return f"the attribute {node.attr}"
    if not language.methods:
        changes = isinstance(node.ctx, ast.Store) and owner != "self"
        return f"the place that {ast.unparse(node)} changes" if changes else ""
    if owner == self and not (language.nodes and isinstance(node.ctx, ast.Store)):
        return ""
    if base:
        return ""  # a method of the base, whose name `_means_known` has looked at
    known = {*(language.attributes or ()), *(("remove",) if made else ())}
    if node.attr not in known | language.fields and owner != self:
        return f"the attribute {node.attr}"
    if isinstance(node.ctx, ast.Store) and owner != self:
        place = language.nodes or isinstance(node.value, ast.Subscript | ast.Call)
        if not place or node.attr not in language.fields:
            return f"the place that {ast.unparse(node)} changes"
    if node.attr in language.called and id(node) not in parts.called:
        return f"{ast.unparse(node)} without a call"
    return ""


def _names(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """Return the value of a name; None for any other expression."""
    return names.get(node.id) if isinstance(node, ast.Name) else None


def keeps_what_it_is_given(struct: type, fields: Sequence[str]) -> bool:
    """Return whether a class is a struct of these fields, which stores its arguments unchanged."""
    if not {object, tuple, Generic}.issuperset(struct.__mro__[1:]):
        return False
    definition: Any = ast.parse(textwrap.dedent(inspect.getsource(struct))).body[0]
    names = vars(sys.modules[struct.__module__])
    made_by = [each.func if isinstance(each, ast.Call) else each for each in definition.decorator_list]
    given: list[str] = []
    for each in definition.body:
        if isinstance(each, ast.AnnAssign):
            given.append(ast.unparse(each.target))
        elif isinstance(each, ast.FunctionDef):
            given += [argument.arg for argument in each.args.args[1:]]
    made_alike = all(_names(each, names) is dataclass for each in made_by)
    return made_alike and all(map(_is_field, definition.body)) and given == [*fields]


def _is_field(statement: ast.stmt) -> bool:
    """Return whether a statement of a class declares a field, or is an `__init__` that stores its arguments."""
    match statement:
        case ast.Expr(value=ast.Constant()) | ast.AnnAssign(value=None):
            return True
        case ast.Assign(targets=[ast.Name(id="__slots__")]):
            return True
        case ast.FunctionDef(name="__init__", decorator_list=[], args=given, body=body):
            plain = not (given.vararg or given.kwarg or given.defaults or given.kwonlyargs)
            kept = [f"self.{each.arg} = {each.arg}" for each in given.args[1:]]
            return plain and [ast.unparse(each) for each in body] == kept
        case _:
            return False


def _means_known(node: ast.Name, names: Mapping[str, Any], language: Language, parts: _Parts) -> bool:
    """Return whether the value of a name is one that the language allows."""
    meant = names.get(node.id, names)
    if any(known is meant and getattr(known, "__name__", node.id) == node.id for known in language.names):
        return True
    if node.id in language.own:
        return node.id not in STRUCTS or (inspect.isclass(meant) and keeps_what_it_is_given(meant, STRUCTS[node.id]))
    if language.nodes:
        if meant is type:
            return id(node) in parts.own_kind
        return inspect.isclass(meant) and in_rooms(meant.__module__) and id(node) in parts.methods_of
    if language.methods:
        return False
    if isinstance(meant, type):
        return in_rooms(meant.__module__) and id(node) in parts.called | parts.methods_of
    if isinstance(meant, FunctionType):
        return in_rooms(meant.__module__)
    return is_constant(meant) and not isinstance(meant, BuiltinFunctionType)
