"""The language of the references: the Python that may run over symbolic values.

A symbolic run observes only operations on its symbolic values.  It does not observe type tests, exception handlers,
texts, hooks of classes, or state of a class or a module.  A proof that ran such code would miss its effects.  So the
language is an allow-list of syntax (`SYNTAX`), of names (`BUILTINS`, `IMPORTED`, definitions of `ROOMS`) and of
attributes (those that the references and models define, and `METHODS`).  `Unseen` refuses everything else with its
line.

Two rules apply.  A *module* of the references, or of the containers that they use, is read as a whole: imports,
definitions, constants, and classes without hooks.  A *definition* is read before it runs over symbolic values, with all
functions and classes that it names.  `refuse` reads a method that will be rewritten (swagproof.proofs.engine.loops),
`refuse_code` code that runs unchanged (swagproof.proofs.engine.gate).  Both read only the source.

An operation of the language that a symbolic value lacks raises an error when it runs.  `DOORS` lists the functions that
are exempt, with the reasons.
"""

import ast
import builtins
import inspect
import textwrap
from collections.abc import Callable, Collection, Mapping, Sequence
from types import CodeType
from typing import Any, Final

from swagproof.proofs.engine.source.definitions import (
    CONTRACTS,
    WHOLE,
    Module,
    attributes_of,
    bound_within,
    in_rooms,
    module_of,
    root_of,
)


class Unseen(ValueError):
    """Code outside of the language.  Running it would neither prove nor refute anything."""


SYNTAX: Final = (
    ast.Return, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.If, ast.While, ast.For, ast.Break, ast.Pass,
    ast.Raise, ast.Assert, ast.Delete, ast.With, ast.withitem, ast.FunctionDef, ast.Match, ast.match_case,
    ast.MatchClass, ast.MatchAs, ast.MatchOr, ast.Name, ast.Attribute, ast.Subscript, ast.Slice, ast.Call, ast.keyword,
    ast.Tuple, ast.List, ast.Dict, ast.Starred, ast.Constant, ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.Compare,
    ast.IfExp, ast.NamedExpr, ast.Lambda, ast.arguments, ast.arg, ast.ListComp, ast.GeneratorExp, ast.comprehension,
    ast.Yield, ast.YieldFrom, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.BitAnd,
    ast.BitOr, ast.And, ast.Or, ast.Not, ast.USub, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Is,
    ast.IsNot, ast.In, ast.NotIn, ast.Load, ast.Store, ast.Del,
)  # fmt: skip
"""The nodes of a definition."""
CHAINED: Final = (ast.Eq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
"""Comparisons that may be chained."""
CONSUMERS: Final = frozenset("all any deque max min next set sorted sum tuple".split())
"""Functions that consume a generator expression at once, before a name in it can change."""
BUILTINS: Final = CONSUMERS - {"deque"} | frozenset(
    {"abs", "bool", "divmod", "enumerate", "len", "list", "range", "reversed", "zip"}
    | {name for name, kind in vars(builtins).items() if isinstance(kind, type) and issubclass(kind, Exception)}
)
IMPORTED: Final = frozenset({"bisect_left", "bisect_right", "deque", "pairwise"})
"""Names of other packages that a definition may use."""
METHODS: Final = frozenset(
    "add append bit_length clear extend index insert items pop popleft remove setdefault".split()
)  # fmt: skip
"""Methods of Python's containers and numbers."""
ENGINES_OWN: Final = frozenset({"another", "empty", "freeze", "forget", "hi", "lo", "term", "terms", "there", "widths"})
"""Attributes of symbolic values that the concrete values do not have.  A clause may name all others."""

HEADERS: Final = frozenset(
    "bisect collections collections.abc contextlib dataclasses enum fractions icontract itertools math typing".split()
)
"""Other packages from which a module that is read as a whole may import."""
CHANGING: Final = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
"""Expressions with a mutable value."""
CONTAINERS: Final = frozenset({"list", "dict", "set", "deque"})
"""Functions that make a mutable value."""
CONSTANTS: Final = frozenset({"TypeVar", "field", "frozenset", "object", "range", "tuple"})
"""Functions that make a constant, besides classes of `ROOMS` with no methods but special ones."""
BASES: Final = frozenset({"Enum", "Generic", "NamedTuple", "Protocol"})
SPECIAL: Final = frozenset("init call repr str hash iter len getitem setitem add sub eq lt le".split())
"""Special methods that a class may have: operators, but no hooks."""
DECORATORS: Final = frozenset({"contextmanager", "dataclass", "property", "staticmethod"})
CLAUSES: Final = ("icontract", "swagproof.contracts.clause")
"""The modules whose decorators turn predicates into clauses."""

STRUCTS: Final[Mapping[str, Sequence[str]]] = {
    "swagproof.models.containers.search_tree.Node": ("left", "item", "right", "height"),
    "swagproof.reference.related_work.slick_deque.Candidate": ("position", "value"),
    "swagproof.reference.sharing.ordered_sharing.Window": ("answer", "ts", "size"),
    "swagproof.reference.sharing.stream_sharing.Query": ("size", "input_queue", "output_queue"),
    "swagproof.reference.sharing.timegram.Bucket": ("index", "timestamps"),
    "swagproof.reference.slicing.cutty.Evaluated": ("query", "value"),
    "swagproof.reference.slicing.slices.Answer": ("query", "begin", "end", "value"),
    "swagproof.reference.slicing.slices.Slice": ("begin", "partial"),
}
"""Classes for which a run has stubs, with the stubs' fields in order.  The class must do nothing but store its
arguments under these names, in this order."""

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

_READ: Final[set[str]] = set()
"""Modules and definitions, by file and name, that were read or are being read."""


def refuse(function: Callable[..., Any], given: Collection[str] = (), source: str | None = None) -> None:
    """Raise Unseen, with the place, if a method, or the source that replaces it, is outside of the language.

    The run gives a meaning to the names in `given`.
    """
    code, name = function.__code__, function.__qualname__
    if inspect.unwrap(function) is not function or set(code.co_freevars) - {"__class__"}:
        raise Unseen(f"{name}: the engine does not see what is around it")
    definition: Any = ast.parse(source or textwrap.dedent(inspect.getsource(function))).body[0]
    ast.increment_lineno(definition, code.co_firstlineno - 1)
    module = module_of(function.__globals__["__name__"], code.co_filename)
    refuse_module(module)
    reader = Reader(module, name, definition, given)
    first = [each.arg for each in (*definition.args.posonlyargs, *definition.args.args)][:1]
    decorated = [ast.unparse(each) for each in definition.decorator_list]
    if decorated not in ([], ["property"]) or ("." in name and first != ["self"]):
        reader.refuse(definition, "how this is defined")
    reader.read(definition, definition)


def refuse_code(code: CodeType, name: str) -> None:
    """Raise Unseen, with the place, if code of a module, or a function that it names, is outside of the language."""
    module, place = module_of(name, code.co_filename), f"{name}.{code.co_qualname}"
    if place not in DOORS:
        refuse_module(module)
        parts, around, cls = module.find(code)
        if not parts:
            raise Unseen(f"{place}: the engine does not find how it is defined")
        for part in parts:
            Reader(module, place, part, around=around, cls=cls).read(part, part)


def refuse_module(module: Module) -> None:
    """Read a module as a whole, once, if it belongs to the references or their containers."""
    for each in (module, module.original):
        if each.name.startswith(WHOLE) and each.file not in _READ:
            for statement in each.body:
                Reader(each, each.name).read_top(statement)
            _READ.add(each.file)


def _read_named(module: Module, name: str) -> None:
    """Read, once, the function, method or constant of this name, or the members of the class of this name."""
    found = module.define(name)
    if found is None or f"{found.module.name}.{name}" in DOORS or f"{found.module.file}: {name}" in _READ:
        return
    _READ.add(f"{found.module.file}: {name}")
    try:
        refuse_module(found.module)
        reader = Reader(found.module, f"{found.module.name}.{name}", found.statement, cls=name.rpartition(".")[0])
        read = reader.read if isinstance(found.statement, ast.FunctionDef) else reader.read_top
        read(found.statement, found.statement)
    except Unseen:
        _READ.remove(f"{found.module.file}: {name}")
        raise


class Reader:
    """The rules, for one definition."""

    syntax: tuple[type[ast.AST], ...] = SYNTAX

    def __init__(
        self, module: Module, place: str, part: Any = None, given: Any = None, around: Any = None, cls: str = ""
    ) -> None:
        self.module, self.place, self.around, self.cls = module, place, around or part, cls
        self.given: Collection[str] | None = given
        """The names to which a run gives a meaning; None for code that runs unchanged."""
        self.specifies = isinstance(part, ast.Lambda) or module.name.startswith(CONTRACTS)
        """True for clauses, which may name any attribute of a state."""
        self.local = list(bound_within(part))
        nodes = [] if part is None else list(ast.walk(part))
        kept = [ast.unparse(n.targets[0]) for n in nodes if isinstance(n, ast.Assign) and "combine" in _last(n.value)]
        self.called = {name for name in kept if kept.count(name) == self.local.count(name)}
        self.called |= {node.arg for node in nodes if isinstance(node, ast.arg) and self.local.count(node.arg) == 1}
        """Variables that may be called: parameters, and variables that are only ever assigned `combine`."""

    def refuse(self, node: ast.AST, what: str) -> None:
        """Refuse a part of the code."""
        raise Unseen(f"{self.place}, line {getattr(node, 'lineno', '?')}: the engine does not know {what}")

    def follow(self, name: str) -> None:
        """Read what a name of the module stands for."""
        _read_named(self.module, name)

    # Modules and classes

    def read_top(self, node: ast.stmt, parent: ast.AST | None = None) -> None:
        """Read a statement of a module or a class: definitions, constants, and imports under their own names."""
        for each in getattr(node, "decorator_list", []):
            made = ast.unparse(each.func if isinstance(each, ast.Call) else each)
            found = self.module.define(made)
            clause = found is not None and getattr(found.statement, "module", found.module.name) in CLAUSES
            if not (clause or made in DECORATORS):
                self.refuse(node, "how this is defined")
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case ast.FunctionDef(name=name):
                checks = name == "__post_init__" and not self.module.name.startswith(WHOLE)
                if name.startswith("__") and not checks and name.strip("_") not in SPECIAL:
                    self.refuse(node, f"the hook {name}")
            case ast.ImportFrom(module=str(source), names=names, level=0):
                if not (in_rooms(f"{source}.") or source in HEADERS) or any(each.asname for each in names):
                    self.refuse(node, ast.unparse(node))
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=value)
            ):
                if name.startswith("__") and name != "__slots__":
                    self.refuse(node, f"the hook {name}")
                self.read_constant(value)
            case ast.ClassDef(keywords=[]):
                for base in node.bases:
                    name = ast.unparse(base).partition("[")[0]
                    if name not in BASES | BUILTINS and self.module.define(name) is None:
                        self.refuse(node, f"the base {name}")
                    self.follow(name)
                for member in node.body:
                    self.read_top(member)
            case _:
                self.refuse(node, type(node).__name__)

    def read_constant(self, value: ast.expr | None) -> None:
        """Read a value that is kept in a class, in a module, or as a default, and refuse a mutable one."""
        for each in ast.walk(value) if value is not None else ():
            made = ast.unparse(each.func) if isinstance(each, ast.Call) else ""
            found = self.module.define(made)
            if isinstance(each, CHANGING) or (made and made not in CONSTANTS and not (found and _is_fixed(found[1]))):
                self.refuse(each, "a constant that may change")
            if isinstance(each, ast.Lambda):
                self.refuse(each, "a function that is kept")

    # Definitions

    def read(self, node: ast.AST, parent: ast.AST) -> None:
        """Read a part of a definition, and the functions and classes that it names."""
        why = self.why_not(node, parent) if isinstance(node, self.syntax) else type(node).__name__
        if why:
            self.refuse(node if hasattr(node, "lineno") else parent, why)
        unheard: list[Any] = []  # annotations, and the message of an exception
        match node:
            case ast.FunctionDef():
                self.read_top(node)
                unheard = [node.returns, *node.decorator_list]
            case ast.AnnAssign(annotation=said) | ast.arg(annotation=said):
                unheard = [said]
            case ast.Raise(exc=ast.Call(func=error, args=said)):
                self.read(error, node)
                unheard = [node.exc]
                self.read_message(said)
            case ast.Assert(msg=ast.expr() as said):
                unheard = [said]
                self.read_message(unheard)
            case _:
                pass
        for child in ast.iter_child_nodes(node):
            if all(child is not each for each in unheard):
                self.read(child, node)

    def read_message(self, said: list[ast.expr]) -> None:
        """Read the message of an exception, which may format values but call nothing."""
        for node in (part for each in said for part in ast.walk(each)):
            if isinstance(node, ast.Call | ast.NamedExpr | ast.Lambda):
                self.refuse(node, "a message that calls")

    def why_not(self, node: ast.AST, parent: ast.AST) -> str:
        """Return the reason for refusing a node of the syntax; "" if it is accepted."""
        rewritten, by = self.given is not None, parent.func if isinstance(parent, ast.Call) else None
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                return "" if self.knows(name, parent) else f"the name {name}"
            case ast.Attribute():
                return self.why_not_attribute(node, parent, by)
            case ast.FunctionDef() if rewritten and node is not parent:
                return "a function within"
            case ast.Call(func=ast.Name(id="deque"), args=[_, _, *_]):
                return "a deque with a bound"
            case ast.Call(func=ast.Name(id=name)) if rewritten and name in self.local and name not in self.called:
                return "the call of a variable"
            case ast.Call(func=ast.Name() | ast.Attribute()):
                return ""
            case ast.Call() if rewritten and ast.unparse(node.func) != "type(self)":
                return "a call of what has no name"
            case ast.GeneratorExp() if not (isinstance(parent, ast.Starred) or (by and ast.unparse(by) in CONSUMERS)):
                return "a generator that is not consumed where it stands"
            case ast.Lambda() if node is not parent:
                asked = isinstance(by, ast.Attribute) and ast.unparse(by.value) != "self"  # of a container
                sorts = isinstance(parent, ast.keyword | ast.Return) or (isinstance(by, ast.Name) and not rewritten)
                return "" if asked or sorts else "a function that is kept"
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()]) if self.runs_as_it_stands():
                text = ast.unparse(left)  # a type, or an operation: a value of any monoid may be None
                return "" if text.startswith("type(") or text.endswith(".remove") else "an identity test here"
            case ast.Compare(ops=[_, _, *_]) if not all(isinstance(each, CHAINED) for each in node.ops):
                return "a chain of such comparisons"
            case ast.Assign(targets=targets) if any(map(_has_star, targets)):
                first, *rest = targets[0].elts if isinstance(targets[0], ast.Tuple) else targets
                plain = ast.unparse(first) == "*_" and len(targets) == len(rest) == 1 and not _has_star(rest[0])
                return "" if plain else "starred targets"
            case ast.For(orelse=[_, *_]) | ast.While(orelse=[_, *_]):
                return "the else of a loop"
            case ast.For(target=target) | ast.comprehension(target=target) if _has_star(target):
                return "starred targets"
            case ast.Constant(value=str() | bytes()):
                heard = isinstance(by, ast.Name) or isinstance(parent, ast.Expr | ast.Compare)
                return "" if heard else "texts, which format numbers"
            case ast.arguments():
                for default in (*node.defaults, *node.kw_defaults):
                    self.read_constant(default)
            case ast.MatchClass(cls=ast.Name(id=name)) if self.module.define(name) is None:
                return f"the name {name}"
            case ast.AnnAssign(value=None):
                return "a variable without a value"
            case ast.Assert() if any(_calls(each) for each in ast.walk(node.test)):
                return "an assertion that calls, which Python may leave out"
            case _:
                pass
        return ""

    def runs_as_it_stands(self) -> bool:
        """Return whether this code handles partial aggregates and is not rewritten, as helpers and constructors are.

        Of the window types, runs use only the arithmetic of times.
        """
        plain = self.given is None or self.place.endswith("__init__")
        return plain and self.module.name.startswith("swagproof.reference.") and ".windows." not in self.module.name

    def knows(self, name: str, parent: ast.AST) -> bool:
        """Return whether a name is local, a builtin of the language, or a definition; read the definition."""
        found, given = self.module.define(name), self.given or ()
        if name in given:
            fields = STRUCTS.get(f"{found.module.name}.{name}") if found else None
            return fields is None or keeps_what_it_is_given(found.statement, fields)  # type: ignore[union-attr]  # found
        if name in self.local:
            return True
        if name in bound_within(self.around):
            for each in ast.walk(self.around):
                if isinstance(each, ast.Assign) and name in bound_within(each) and _changes(each.value):
                    self.refuse(each, f"what {name} keeps")
            return True
        if found is None:
            typed = name == "int" and not {"type", "isinstance"}.isdisjoint(given)
            return name in BUILTINS or typed or ast.unparse(parent) == "type(self)"
        if isinstance(found.statement, ast.Import | ast.ImportFrom):
            return name in IMPORTED
        self.follow(name)
        return True

    def why_not_attribute(self, node: ast.Attribute, parent: ast.AST, by: ast.expr | None) -> str:
        """Return the reason for refusing to read or assign an attribute here; "" if it is allowed."""
        root, own, name = root_of(node), ast.unparse(node.value) == "self", node.attr
        if name.startswith("__"):
            base = name == "__init__" and isinstance(parent, ast.Call) and self.module.define(root) is not None
            return "" if base else f"the attribute {name}"
        if self.specifies:
            return f"the attribute {name}" if name in ENGINES_OWN else ""
        methods, fields, assigned = attributes_of(self.module)
        if isinstance(node.ctx, ast.Store) and not own and not (root in self.local and name in assigned):
            return f"the place that {ast.unparse(node)} changes"
        if self.given is not None and by is not node and name in (methods | METHODS) - fields - {"combine"}:
            return f"{ast.unparse(node)} without a call"
        if own:
            self.follow(f"{self.cls}.{name}")
        return "" if own or name in methods | fields | METHODS else f"the attribute {name}"


def _is_fixed(made: ast.stmt) -> bool:
    members = made.body if isinstance(made, ast.ClassDef) else [made]
    names = [each.name for each in members if isinstance(each, ast.FunctionDef)]
    return isinstance(made, ast.ClassDef) and all(each.startswith("__") and each != "__setitem__" for each in names)


def _calls(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) not in BUILTINS | {"isinstance"}


def _changes(value: ast.expr) -> bool:
    return isinstance(value, CHANGING) or (isinstance(value, ast.Call) and ast.unparse(value.func) in CONTAINERS)


def _last(value: ast.expr) -> list[str]:
    return [value.attr] if isinstance(value, ast.Attribute) else []


def _has_star(target: ast.expr) -> bool:
    return any(isinstance(each, ast.Starred) for each in ast.walk(target))


def keeps_what_it_is_given(struct: ast.stmt, fields: Sequence[str]) -> bool:
    """Return whether a class is a struct of these fields, which stores its arguments unchanged."""
    if not isinstance(struct, ast.ClassDef):
        return False
    given: list[str] = []
    for each in struct.body:
        match each:
            case ast.Expr(value=ast.Constant()) | ast.Assign(targets=[ast.Name(id="__slots__")]):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=None):
                given.append(name)
            case ast.FunctionDef(name="__init__", decorator_list=[], args=ast.arguments(args=[_, *args], defaults=[])):
                given += [argument.arg for argument in args]
                if [ast.unparse(line) for line in each.body] != [f"self.{name} = {name}" for name in given]:
                    return False
            case _:
                return False
    bases = {ast.unparse(base).partition("[")[0] for base in struct.bases}
    return bases <= {"Generic", "NamedTuple"} and given == [*fields]
