"""A claim is called proved only if its check does not enumerate the values that its statement quantifies over."""

import ast
import builtins
import inspect
import itertools
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import partial
from types import FunctionType, MethodType
from typing import Any, Final

import pytest

from swagproof.proofs.claims import CLAIMS
from swagproof.proofs.ledger.claim import Claim
from swagproof.proofs.ledger.theorem import Theorem

ENUMERATES: Final = (range, *(member for member in vars(itertools).values() if callable(member)))
"""Functions that enumerate numbers, tuples or histories."""

ALLOWED: Final = {
    "swagproof.proofs.operations.unknowns.proved": "the shapes of a partial aggregate, all that there are",
    "swagproof.proofs.slicing.slice_runs._start": "the constructor, with how many queries is said by the row",
    "swagproof.proofs.slicing.cutty_runs._start": "the constructor, with how many queries is said by the row",
    "swagproof.proofs.operations.tables.does_not_commute": "looks for a witness",
    "swagproof.proofs.operations.tables.does_not_invert": "looks for a witness",
    "swagproof.proofs.operations.tables.aggregates": "what a witness is looked for among",
}
"""Functions that may enumerate cases in a proof, with the reasons."""

MACHINERY: Final = (
    *(f"swagproof.proofs.{package}" for package in ("engine", "ledger", "lemmas", "operations.crosshair")),
)
"""The packages of the proof machinery, and of clauses, which are checked like swagproof.contracts."""


def functions_behind(thing: Any, seen: set[int]) -> Iterator[FunctionType]:
    """Yield the functions of the proofs that a check uses: those that it calls, by name, and those that it holds."""
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if hasattr(thing, "__wrapped__"):
        yield from functions_behind(thing.__wrapped__, seen)
    elif isinstance(thing, partial):
        for part in (thing.func, *thing.args, *thing.keywords.values()):
            yield from functions_behind(part, seen)
    elif isinstance(thing, MethodType):
        yield from functions_behind(thing.__func__, seen)
        yield from functions_behind(thing.__self__, seen)
    elif isinstance(thing, dict):
        for part in thing.values():  # pyright: ignore[reportUnknownVariableType]  # elements of any type
            yield from functions_behind(part, seen)
    elif isinstance(thing, Theorem) or (is_dataclass(thing) and type(thing).__module__.startswith("swagproof.proofs")):
        for field in fields(thing):
            yield from functions_behind(getattr(thing, field.name), seen)
    elif isinstance(thing, FunctionType):
        if not thing.__module__.startswith("swagproof.proofs") or thing.__module__.startswith(MACHINERY):
            return
        yield thing
        for cell in thing.__closure__ or ():
            yield from functions_behind(cell.cell_contents, seen)
        for name in names_in(thing):
            yield from functions_behind(thing.__globals__.get(name), seen)


def names_in(function: FunctionType) -> list[str]:
    """Return the names in a function, nested functions included."""
    codes, names = [function.__code__], list[str]()
    while codes:
        code = codes.pop()
        names += code.co_names
        codes += [const for const in code.co_consts if inspect.iscode(const)]
    return list(dict.fromkeys(names))


def enumerations(function: FunctionType) -> list[str]:
    """Return the names by which a function enumerates cases."""
    known = {**vars(builtins), **function.__globals__}
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)).lstrip("."))
    except SyntaxError:  # a lambda in the middle of an expression: each of its names is taken for a call
        return [name for name in names_in(function) if any(known.get(name) is each for each in ENUMERATES)]
    found: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and any(known.get(node.id) is each for each in ENUMERATES):
            found.append(node.id)
        elif (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and known.get(node.value.id) is itertools
        ):
            found.append(ast.unparse(node))
        elif isinstance(node, ast.For | ast.comprehension) and isinstance(node.iter, ast.Tuple | ast.List):
            numbers = [item for item in node.iter.elts if isinstance(item, ast.Constant) and type(item.value) is int]
            found += [f"for ... in {ast.unparse(node.iter)}"] * bool(numbers)
    return found


def told_of(check: Callable[..., Any]) -> list[str]:
    """Return everything that a check enumerates without permission."""
    return [
        f"{function.__module__}.{function.__qualname__}: {what}"
        for function in functions_behind(check, set())
        if f"{function.__module__}.{function.__qualname__}" not in ALLOWED
        for what in enumerations(function)
    ]


@pytest.mark.parametrize("each", [claim for claim in CLAIMS if claim.kind == "proved"], ids=lambda each: each.id)
def test_a_proved_row_goes_through_nothing_one_by_one(each: Claim) -> None:
    if each.engine == "CrossHair":
        return  # its laws are functions of unknowns, each confirmed separately
    assert told_of(each.check) == []


@pytest.mark.parametrize("id", ["composition/parts", "cutty/fewest", "lower-bound/count"])
def test_rows_that_do_are_told(id: str) -> None:
    (each,) = (claim for claim in CLAIMS if claim.id == id)
    assert each.kind == "exhaustive"
    assert told_of(each.check) != []


def test_what_is_allowed_is_there() -> None:
    behind = {
        f"{function.__module__}.{function.__qualname__}"
        for claim in CLAIMS
        for function in functions_behind(claim.check, set())
    }
    assert set(ALLOWED) <= behind
