"""The error cases: the calls that each algorithm refuses, and their errors.

`error_cases.txt` is the table.  A block begins with its algorithms, where `Window` stands for the class of each.  A
line without an indent creates the object, `window`; an indented line is an error and a call that raises it.  Each call
is made three times, because a check may stop working by the third; then the object must equal one that was created in
the same way and not called.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from types import FunctionType, MethodType
from typing import Any, Final

from support.places import TESTS

from swagproof.models import any_order, discretisation, fifo, operations, out_of_order
from swagproof.models import shared as shared_windows
from swagproof.models.windows import window as windows
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.reference.catalogue import AGGREGATE, CATALOGUE, Entry

TABLE: Final = TESTS / "support" / "running" / "error_cases.txt"
UNCHANGING: Final = (type(None), bool, int, float, str, bytes, Fraction, Enum, type, operations.Operation)
TIMES: Final = 3
"""The number of times that each call is made."""


@dataclass(frozen=True)
class ErrorCase:
    """A call that an algorithm refuses."""

    entry: Entry
    made: str
    """Code that creates the object, `window`; "" for an error of a constructor."""
    call: str
    error: str

    def __str__(self) -> str:
        return f"{self.call.replace('Window(', f'{self.entry.algorithm.__name__}(')}"


def read_cases(text: str) -> Iterator[ErrorCase]:
    """Read the table.  Raises KeyError for an algorithm outside the catalogue."""
    entries = {entry.name: entry for entry in CATALOGUE}
    made = ""
    block: list[Entry] = []
    for line in text.splitlines():
        if line.startswith("# "):
            block, made = [entries[name.strip()] for name in line[2:].split(";")], ""
        elif line.startswith(" "):
            error, _, call = line.strip().partition(": ")
            yield from (ErrorCase(entry, made, call, error) for entry in block)
        elif line:
            made = line


@cache
def all_cases() -> tuple[ErrorCase, ...]:
    """Return the whole table."""
    return tuple(read_cases(TABLE.read_text(encoding="utf-8")))


def check(entry: Entry, mutant: Mutant | None = None) -> str:
    """Return the first case of an algorithm, or of a mutant of its module, that is not refused, or ""."""
    names = vars(entry.module if mutant is None else mutant.rewrite(entry.module))
    return next(filter(None, (find_taken(case, names) for case in all_cases() if case.entry is entry)), "")


def find_taken(case: ErrorCase, names: dict[str, Any]) -> str:
    """Describe how the code with these names fails to refuse a case, or return ""."""
    scope = make(case, names)
    expected = eval(case.error, {**scope, **_names_of_models()})  # not a class of that name in the module
    for turn in range(1, TIMES + 1):
        try:
            answer = eval(case.call, scope)
            if hasattr(answer, "__next__"):
                list(answer)
        except Exception as error:
            if not isinstance(error, expected):
                return f"{case} raises {type(error).__name__}, not {case.error}, at try {turn}"
        else:
            return f"{case} is taken at try {turn}"
    if case.made and picture(scope["window"]) != picture(make(case, names)["window"]):
        return f"{case} is refused, and something has changed"
    return ""


def make(case: ErrorCase, names: dict[str, Any]) -> dict[str, Any]:
    """Return the names for evaluating a call, the object included."""
    scope = {
        **_names_of_models(),
        **names,
        "NAN": float("nan"),
        "windows": windows,
        "each": _each,
        "Window": names[case.entry.algorithm.__name__],
    }
    scope["operation"] = (operations.CONCATENATION,) if case.entry is AGGREGATE else ()
    exec(case.made, scope)
    return scope


def _names_of_models() -> dict[str, Any]:
    models = (operations, fifo, any_order, out_of_order, discretisation, shared_windows, windows)
    return {name: value for module in models for name, value in vars(module).items()}


def _each(answers: Any) -> None:
    """Request all answers of an operator."""
    deque(answers, 0)


def picture(value: Any, seen: dict[int, int] | None = None) -> Any:
    """Return an object's contents as plain data, equal for objects with equal contents and sharing."""
    seen = {} if seen is None else seen
    if isinstance(value, FunctionType):
        return value.__code__
    if isinstance(value, UNCHANGING):
        return value
    if id(value) in seen:
        return seen[id(value)]
    seen[id(value)] = len(seen)
    return type(value).__name__, [picture(part, seen) for part in parts_of(value)]


def parts_of(value: Any) -> list[Any]:
    """Return the entries of a container, or the attributes of an object."""
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    if isinstance(value, list | tuple | set | frozenset | deque):
        return list(value)
    if isinstance(value, MethodType):
        return [value.__self__, value.__func__]
    slots = [name for cls in type(value).__mro__ for name in getattr(cls, "__slots__", ())]
    return [*(getattr(value, name) for name in slots if hasattr(value, name)), *getattr(value, "__dict__", {}).values()]
