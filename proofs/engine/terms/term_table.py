"""A table of terms: each of Z3's is made once.

A proof runs the same code along many paths.  Each of them makes the terms of its beginning anew, and a wrong variant
those of the reference.  Z3 has every term once anyhow, but its Python layer asks it each time: of which sorts the
operands are, of which the result, whether there was an error.  That was two thirds of what a proof took.  So what came
of an operation on the same operands is looked up here.

Nothing else changes: what is not in the table is made by Z3's own functions, and a term is Z3's own, of a class derived
from its class.  Operands are told apart by identity, and the table holds all that it speaks of, so that none of them
can become another; it can be emptied at any time.
"""

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, Final

MOST: Final = 150_000
"""So many are remembered; they take some 100 MB."""

MAKERS: Final = (
    *("And", "Or", "Not", "Implies", "If", "Int", "IntVal", "Bool", "BoolVal", "Real", "RealVal", "Const", "ToReal"),
    *("IntSort", "BoolSort", "RealSort", "Function", "Array", "Select", "Store", "K", "Var", "Sum", "Length", "Concat"),
    *("simplify", "substitute"),
)
"""Functions whose results are remembered: they depend on nothing but their operands."""
_ASKED: Final = ("is_true", "is_false")
"""Those whose results are remembered by the term itself, as they are asked at every branch."""

_BINARY: Final = (
    *("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "div", "mod", "eq", "ne", "lt", "le", "gt", "ge"),
    "getitem",
)
_OTHER: Final = ("neg", "call")


class _Kept:
    """A term that the table may hold, beside the class that Z3 gave it."""

    ast: Any
    _id: int | None = None
    _sexpr: str | None = None
    _str: str | None = None
    _is_true: bool | None = None
    _is_false: bool | None = None

    def get_id(self) -> int:
        """By which Z3 tells it from others that there are."""
        if self._id is None:
            self._id = int(super().get_id())  # type: ignore[misc]  # of the class beside this one
        return self._id

    def sexpr(self) -> str:
        """As Z3 writes it."""
        if self._sexpr is None:
            self._sexpr = str(super().sexpr())  # type: ignore[misc]  # of the class beside this one
        return self._sexpr

    def __str__(self) -> str:
        if self._str is None:
            self._str = super().__str__()
        return self._str

    def eq(self, other: Any) -> bool:
        """Return whether it is the same term."""
        return self is other or self.ast.value == other.ast.value


class TermTable:
    """Z3's module, with each term that its functions and operators make made once."""

    def __init__(self, module: ModuleType) -> None:
        self._module: Any = module
        self._made: dict[Any, tuple[Any, ...]] = {}
        """By an operation and its operands: what came of it, and the operands themselves, so that they stay."""
        self._kept: dict[type, type] = {}
        """By Z3's classes: those of the terms here."""
        for name in MAKERS:
            setattr(self, name, self._remember(name, getattr(module, name)))
        for name in _ASKED:
            setattr(self, name, _remember_of_term(f"_{name}", getattr(module, name)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)

    def __dir__(self) -> list[str]:
        return dir(self._module)

    def Ints(self, names: str) -> list[Any]:  # as Z3 calls it
        """Integers of these names."""
        return [self.Int(name) for name in names.split()]

    def forget(self) -> None:
        """Empty the table where it has become large."""
        if len(self._made) > MOST:
            self._made.clear()

    def _remember(self, name: str, make: Callable[..., Any]) -> Callable[..., Any]:
        """A function that makes nothing twice."""
        made, keep = self._made, self._keep

        def remembered(*operands: Any) -> Any:
            key = (name, *[id(each) if isinstance(each, _Kept) else _tell(each) for each in operands])
            try:
                return made[key][0]
            except KeyError:
                found = keep(make(*operands))
            except TypeError:  # an operand that cannot be looked up, as a list
                return keep(make(*operands))
            made[key] = found, operands
            return found

        return remembered

    def _remember_binary(self, name: str, make: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        """The same of an operator with two operands."""
        made, keep = self._made, self._keep

        def remembered(self: Any, other: Any) -> Any:
            key = name, id(self), id(other) if isinstance(other, _Kept) else _tell(other)
            try:
                return made[key][0]
            except KeyError:
                found = keep(make(self, other))
            except TypeError:
                return keep(make(self, other))
            made[key] = found, self, other
            return found

        return remembered

    def _keep(self, term: Any) -> Any:
        """A term, of the class that remembers."""
        if isinstance(term, self._module.AstRef) and not isinstance(term, _Kept):
            term.__class__ = self._class_of(type(term))
        return term

    def _class_of(self, cls: Any) -> type:
        """Return what stands for one of Z3's classes: derived from what stands for its base, as Python asks the operand
        of the derived class first."""
        if cls not in self._kept:
            base = self._class_of(cls.__base__) if cls is not self._module.AstRef else _Kept
            self._kept[cls] = type(cls.__name__, (base, cls), dict(self._operators(cls)))
        return self._kept[cls]

    def _operators(self, cls: type) -> Mapping[str, Any]:
        """Those of one of Z3's classes, made to remember."""
        names = {
            f"__{name}__": remember
            for names, remember in ((_BINARY, self._remember_binary), (_OTHER, self._remember))
            for name in names
        }
        found = {name: remember(name, getattr(cls, name)) for name, remember in names.items() if hasattr(cls, name)}
        return {**found, "__hash__": cls.__hash__}


def _remember_of_term(name: str, ask: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A question that each term is asked once."""

    def remembered(term: Any) -> bool:
        found: bool | None = getattr(term, name, None)
        if found is None:
            found = ask(term)
            if isinstance(term, _Kept):
                setattr(term, name, found)
        return found

    return remembered


def _tell(value: Any) -> Any:
    """Return what tells an operand from others that is no term: 1 from True, a number from an identity."""
    if type(value) is tuple:
        return tuple([id(each) if isinstance(each, _Kept) else _tell(each) for each in value])
    return value if type(value) is str else (type(value), value)
