"""A cache in front of Z3's Python functions: each term is built once.

A proof runs the same code along many paths, and a mutant runs most of the reference's code, so the same terms recur
many times.  Z3's Python layer queries sorts and errors each time, which took two thirds of a proof's time.  `TermTable`
replaces Z3's module and looks up the result of an operation by the identity of its operands.

Terms that are not in the table are built by Z3's own functions; their classes are derived from Z3's.  The table keeps
its operands alive, so that their identities stay unique.  It can be emptied at any time.
"""

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, Final

MOST: Final = 150_000
"""The most terms that are kept; they take some 100 MB."""

MAKERS: Final = (
    *("And", "Or", "Not", "Implies", "If", "Int", "IntVal", "Bool", "BoolVal", "Real", "RealVal", "Const", "ToReal"),
    *("IntSort", "BoolSort", "RealSort", "Function", "Array", "Select", "Store", "K", "Var", "Sum", "Length", "Concat"),
    *("simplify", "substitute"),
)
"""Functions whose results are cached: they depend only on their operands."""
_ASKED: Final = ("is_true", "is_false")
"""Functions whose results are cached in the term itself, because every branch calls them."""

_OPERATORS: Final = (
    *("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "div", "mod", "eq", "ne", "lt", "le", "gt", "ge"),
    *("neg", "getitem", "call"),
)


class _Kept:
    """A second base class of cached terms, besides Z3's own class."""

    ast: Any
    _id: int | None = None
    _sexpr: str | None = None
    _str: str | None = None
    _is_true: bool | None = None
    _is_false: bool | None = None

    def get_id(self) -> int:
        """Return Z3's id of the term, unique among live terms."""
        if self._id is None:
            self._id = int(super().get_id())  # type: ignore[misc]  # of the class beside this one
        return self._id

    def sexpr(self) -> str:
        """Return Z3's text of the term."""
        if self._sexpr is None:
            self._sexpr = str(super().sexpr())  # type: ignore[misc]  # of the class beside this one
        return self._sexpr

    def __str__(self) -> str:
        if self._str is None:
            self._str = super().__str__()
        return self._str

    def eq(self, other: Any) -> bool:
        """Return whether both are the same term."""
        return self is other or self.ast.value == other.ast.value


class TermTable:
    """Z3's module, with caching functions and operators."""

    def __init__(self, module: ModuleType) -> None:
        self._module: Any = module
        self._made: dict[Any, tuple[Any, ...]] = {}
        """The result of an operation with its operands, by the operation and the operands' identities."""
        self._kept: dict[type, type] = {}
        """The classes of cached terms, by Z3's classes."""
        for name in MAKERS:
            setattr(self, name, self._remember(name, getattr(module, name)))
        for name in _ASKED:
            setattr(self, name, _remember_of_term(f"_{name}", getattr(module, name)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)

    def __dir__(self) -> list[str]:
        return dir(self._module)

    def Ints(self, names: str) -> list[Any]:  # named as in Z3
        """Return integers of these names."""
        return [self.Int(name) for name in names.split()]

    def forget(self) -> None:
        """Empty the table if it has become too large."""
        if len(self._made) > MOST:
            self._made.clear()

    def _remember(self, name: str, make: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that caches the results of `make`."""
        made, keep = self._made, self._keep

        def remembered(*operands: Any) -> Any:
            key = (name, *[id(each) if isinstance(each, _Kept) else _tell(each) for each in operands])
            try:
                return made[key][0]
            except KeyError:
                found = keep(make(*operands))
            except TypeError:  # an operand that cannot be a key, for example a list
                return keep(make(*operands))
            made[key] = found, operands
            return found

        return remembered

    def _keep(self, term: Any) -> Any:
        """Return a term, converted to the caching class."""
        if isinstance(term, self._module.AstRef) and not isinstance(term, _Kept):
            term.__class__ = self._class_of(type(term))
        return term

    def _class_of(self, cls: Any) -> type:
        """Return the caching class for one of Z3's classes.

        It is derived from the caching class of the base, because Python tries the operand of the derived class first.
        """
        if cls not in self._kept:
            base = self._class_of(cls.__base__) if cls is not self._module.AstRef else _Kept
            self._kept[cls] = type(cls.__name__, (base, cls), dict(self._operators(cls)))
        return self._kept[cls]

    def _operators(self, cls: type) -> Mapping[str, Any]:
        """Return the operators of one of Z3's classes, with caching."""
        names = [f"__{name}__" for name in _OPERATORS]
        found = {name: self._remember(name, getattr(cls, name)) for name in names if hasattr(cls, name)}
        return {**found, "__hash__": cls.__hash__}


def _remember_of_term(name: str, ask: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return a function that caches its result in the term."""

    def remembered(term: Any) -> bool:
        found: bool | None = getattr(term, name, None)
        if found is None:
            found = ask(term)
            if isinstance(term, _Kept):
                setattr(term, name, found)
        return found

    return remembered


def _tell(value: Any) -> Any:
    """Return the key of an operand that is not a term; it distinguishes 1 from True, and a number from an id."""
    if type(value) is tuple:
        return tuple([id(each) if isinstance(each, _Kept) else _tell(each) for each in value])
    return value if type(value) is str else (type(value), value)
