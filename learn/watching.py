"""The clauses of an algorithm's contract, checked one by one and never enforced.

The checked classes raise at the first broken clause, which ends a run; a page shows the state after it. So the page
runs `without_invariants(CheckedDaba)`, whose methods keep their contracts, and checks each clause here. During an
operation `model` is the window before it, so some clauses are temporarily broken.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from icontract import ViolationError

from swagproof.contracts.clause import ForAll, ForEach, Ranging
from swagproof.contracts.space import stored_aggregates
from swagproof.learn.products import Product
from swagproof.learn.scenes.fields import GHOSTS
from swagproof.learn.texts import first_sentence
from swagproof.reference.catalogue import Column

MOST_PLACES: Final = 20
"""The greatest number of places at which a clause is reported broken."""


@dataclass(frozen=True)
class Look:
    """The value of a clause at one moment."""

    holds: bool | None
    """None if it cannot be checked, for example because a pointer leads nowhere."""
    broken: tuple[str, ...] = ()
    """The places of its range where it does not hold: `deque[@3]`."""
    error: str = ""


@dataclass(frozen=True)
class Clause:
    """A clause of a contract, with the fields that the page shows."""

    name: str
    formula: str
    fields: tuple[str, ...]
    """The attributes that its text reads, directly or in functions that it calls."""
    ask: Callable[..., bool]

    def look(self, s: Any) -> Look:
        """Check the clause in a live state, at each place of its range."""
        try:
            if not isinstance(self.ask, Ranging):
                return Look(bool(self.ask(s)))
            broken = [place for place in self.ask.places(s, {}) if not self._holds_at(s, place)]
        except Exception as error:  # a badly broken state cannot be read
            return Look(None, error=f"{type(error).__name__}: {error}")
        return Look(not broken, tuple(self._name(place) for place in broken[:MOST_PLACES]))

    def _holds_at(self, s: Any, place: Any) -> bool:
        if isinstance(self.ask, ForAll):
            return self.ask.read(s, place)
        assert isinstance(self.ask, Ranging)
        return self.ask.at(s, place)

    def _name(self, place: Any) -> str:
        if isinstance(self.ask, ForEach):
            return f"{self.ask.container}[{place!r}]"
        return repr(place)


@cache
def clauses_of(column: Column) -> Sequence[Clause]:
    """Return the clauses of the invariant, in the contract's order, and the bound on the space."""
    found = [
        Clause(clause.__name__, inspect.cleandoc(clause.__doc__ or ""), tuple(sorted(_fields(clause))), clause)
        for clause in column.contract.INVARIANT
    ]
    space = getattr(column.contract, "space", None)
    bound = getattr(column.contract, "space_bound", None)
    if bound is not None:
        found.append(Clause("space", f"at most {first_sentence(bound.__doc__)}", (), lambda s: _kept(s) <= bound(s)))
    elif space is not None and space not in column.contract.INVARIANT:
        found.append(Clause("space", first_sentence(space.__doc__), (), lambda s: space(s.model.size, _kept(s))))
    return found


def _kept(s: Any) -> int:
    """Return the number of stored partial aggregates, without the model's own answers."""
    ghost = [value for name, value in vars(s).items() if name in GHOSTS]
    return stored_aggregates(s, Product) - stored_aggregates(ghost, Product)


def _fields(clause: Any) -> set[str]:
    """Return the attributes that a clause reads, also in helpers of the contracts."""
    found: set[str] = {clause.container} if isinstance(clause, ForEach) and clause.container else set()
    waiting: list[Any] = [clause.at if isinstance(clause, Ranging) else clause]
    seen: set[Any] = set()
    while waiting:
        function = waiting.pop()
        if function in seen or not inspect.isfunction(function):
            continue
        seen.add(function)
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        except (OSError, SyntaxError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                found.add(node.attr)
            elif isinstance(node, ast.Name):
                named = function.__globals__.get(node.id)
                if inspect.isfunction(named) and named.__module__.startswith("swagproof.contracts"):
                    waiting.append(named)
    return found - {"model"}


def name_violation(violation: ViolationError) -> str:
    """Return the broken condition of an operation: a bound on its cost, or its answer."""
    lines = [line for line in str(violation).split("\n") if line.strip()]
    return lines[1].partition(":")[0].strip() if len(lines) > 1 else lines[0]
