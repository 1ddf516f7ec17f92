"""Every clause of every contract, and a check that some claim needs it.

A proof shows that code meets its contracts, but not that a clause can fail.  A clause that others imply, that is too
weak, or that no check reads, states nothing.  So a table, `tests/proofs/ledger/clauses.txt`, names for each clause a
claim that needs it: either the claim's own proof, in which the invariant is not inductive without the clause; or one of
the claim's mutants, part of whose rejection is that this clause fails.  `docs/makers/clauses.py` computes the table.

`try_without` replaces a clause by "true" and checks that its claim notices.  The tests call it, and fail for a clause
without a claim.

Clauses are imported by name into tuples, decorators and other contracts, so replacing a name would miss most uses.
`replaced_by_true` replaces what all of them share: the code of a function, or the class of a clause that ranges.
"""

import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final, NamedTuple

from swagproof import contracts
from swagproof.contracts.clause import Counted, Loop, Ranging
from swagproof.contracts.visible import checked_classes, methods_with_contracts
from swagproof.proofs import lemmas
from swagproof.proofs.claims import find
from swagproof.proofs.engine.settings import using
from swagproof.proofs.kills import SUSPECTS
from swagproof.proofs.ledger.claim import Claim, Outcome
from swagproof.proofs.ledger.mutants import Mutant, wrong
from swagproof.proofs.ledger.refutations import find_hint
from swagproof.reference.catalogue import COLUMNS

TABLE: Final = Path(__file__).parents[1] / "proofs" / "ledger" / "clauses.txt"
"""The table: under each contract's name, lines of a clause, its claim, and a mutant or `PROOF`."""

LIVE: Final = "mutants/"
"""The prefix of an algorithm's name that stands for its mutants run under contracts, instead of a claim."""

PROOF: Final = "its proof"
"""The entry instead of a mutant: without the clause, the claim's proof of the reference itself fails."""

BOUND: Final = "_bound"
"""The suffix of functions that return an upper bound; each of them is a clause."""

AS_IT_IS: Final = wrong("nothing is changed")
"""The unchanged reference as a mutant, which a claim refutes if an invariant has become too weak."""


def list_contracts() -> Iterator[ModuleType]:
    """Yield the modules of contracts and lemmas, without those that state nothing: shadows, and helpers of clauses."""
    for found in pkgutil.walk_packages(contracts.__path__, f"{contracts.__name__}."):
        stated = not found.name.startswith(f"{contracts.__name__}.shadows")
        if stated and not found.ispkg and found.name.count(".") > contracts.__name__.count(".") + 1:
            yield importlib.import_module(found.name)
    for found in pkgutil.iter_modules(lemmas.__path__, f"{lemmas.__name__}."):
        yield importlib.import_module(found.name)


def list_clauses() -> dict[str, Any]:
    """Return all clauses by name: predicates, clauses that range or count, bounds, and the conditions on methods.

    A contract that re-exports another's clause in `__all__` states it, too.
    """
    found: dict[str, Any] = {}
    for module in list_contracts():
        of = re.sub(r"^swagproof[.](contracts|proofs)[.]", "", module.__name__).replace(".", "/")
        taken = getattr(module, "__all__", ())
        for name, value in vars(module).items():
            if not name.startswith("_") and _is_clause(value) and (_home(value) == module.__name__ or name in taken):
                found[f"{of}.{name}"] = value
        counted = (clause for loop in loops_of(module) for clause in loop.clauses if isinstance(clause, Counted))
        found |= {f"{of}.{clause.__name__}": clause for clause in counted}
    for column in COLUMNS:
        for checked in checked_classes(column.checked):
            of = checked.__module__.split(".reference.")[1].replace(".", "/")
            for method, visible in methods_with_contracts(checked):
                for each in (*visible.requires, *visible.ensures):
                    found[f"{of}.{checked.__name__}.{method}: {each.text}"] = each.read
    return found


def name_clauses() -> list[str]:
    """Return the sorted names of all clauses."""
    return sorted(list_clauses())


def loops_of(contract: ModuleType) -> Iterator[Loop]:
    """Yield the loops with invariants in a contract's tables."""
    for table in vars(contract).values():
        if isinstance(table, dict):
            for loops in table.values():  # pyright: ignore[reportUnknownVariableType]  # elements of any type
                yield from (loop for loop in loops if isinstance(loop, Loop)) if isinstance(loops, tuple) else ()  # pyright: ignore[reportUnknownVariableType]  # same


def _home(clause: Any) -> str:
    return str((clause.at if isinstance(clause, Ranging) else clause).__module__)


def _is_clause(value: Any) -> bool:
    if isinstance(value, Ranging):
        return True
    if not isinstance(value, FunctionType):
        return False
    return inspect.get_annotations(value).get("return") is bool or value.__name__.endswith(BOUND)


# Replacing a clause


class _True:
    """A clause that ranges over nothing and holds."""

    def __call__(self, state: Any) -> bool:
        return True


@contextmanager
def replaced_by_true(clause: Any) -> Generator[None]:
    """Make a clause true, or a bound infinite, in the context, for all users and under all names."""
    attribute, true = (
        ("__class__", _True) if isinstance(clause, Ranging | Counted) else ("__code__", _true_code(clause))
    )
    kept = getattr(clause, attribute)
    forget_what_was_found()
    setattr(clause, attribute, true)
    try:
        yield
    finally:
        setattr(clause, attribute, kept)
        forget_what_was_found()


def _true_code(clause: FunctionType) -> Any:
    parameters = ", ".join(inspect.signature(clause).parameters)
    always = "1e400" if clause.__name__.endswith(BOUND) else "True"
    code, kept = eval(f"lambda {parameters}: {always}", clause.__globals__).__code__, clause.__code__
    return code.replace(co_filename=kept.co_filename, co_firstlineno=kept.co_firstlineno, co_name=kept.co_name)


def forget_what_was_found() -> None:
    """Clear the caches that proofs and explorations share between claims."""
    for name, module in list(sys.modules.items()):
        if name.startswith("swagproof.proofs."):
            for value in list(vars(module).values()):
                clear: Callable[[], None] | None = getattr(value, "cache_clear", None)
                if clear is not None and not isinstance(value, type):  # a class of caches, which caches nothing itself
                    clear()


# Checking that a claim notices


class Need(NamedTuple):
    """The claim or mutant that needs a clause."""

    clause: str
    row: str
    mutant: str | None
    """A mutant; None if the claim's own proof needs the clause."""


def read_needs() -> dict[str, Need]:
    """Return the needs of all clauses, from the table."""
    needs: dict[str, Need] = {}
    contract = ""
    for line in TABLE.read_text("utf-8").splitlines():
        if line.startswith("    "):
            clause, row, mutant, *_ = line.strip().split(" | ")
            needs[f"{contract}.{clause}"] = Need(f"{contract}.{clause}", row, None if mutant == PROOF else mutant)
        elif not line.startswith("#"):
            contract = line
    return needs


class Noticed(NamedTuple):
    """The result of checking a claim without a clause: whether it notices, and its detail."""

    noticed: bool
    said: str
    alone: bool = False
    """True if nothing else rejects the mutant."""


def try_without(need: Need) -> Noticed:
    """Check the claim that needs a clause, with the clause replaced by "true".  Raises KeyError if there is none.

    The claim notices if a mutant passes, or if its rejection lacks a failure.
    """
    clause = list_clauses()[need.clause]
    if need.row.startswith(LIVE):
        as_it_is = _violate(need)
        with replaced_by_true(clause):
            without = _violate(need)
        return Noticed(as_it_is not in ("", without), without or "not rejected", not without)
    (claim,) = find([need.row])
    if need.mutant is None:
        with replaced_by_true(clause):
            found = None if claim.reject is None else claim.reject(AS_IT_IS)  # which stops at the first refutation
            outcome = claim.check() if found is None or found.verdict != "fails" else found
            return Noticed(outcome.verdict == "fails", outcome.detail, alone=True)
    before = refute(claim, need.mutant)
    with replaced_by_true(clause):
        after = refute(claim, need.mutant)
    passes = after.verdict != "fails"
    gone = {*map(str, before.refuted)} - {*map(str, after.refuted)}
    return Noticed(before.verdict == "fails" and (passes or bool(gone)), f"{after.verdict}: {after.detail}", passes)


def refute(claim: Claim, mutant: str) -> Outcome:
    """Return the outcome of a claim for one of its mutants, with all that fails where it was last refuted."""
    (control,) = (control for control in claim.controls if control.name == mutant)
    with using(hint=find_hint(claim.id, mutant)):
        return (claim.reject or claim.check)(control) if isinstance(control, Mutant) else control.check()


def _violate(need: Need) -> str:
    """Return the contract that a mutant violates, or "".  Requires full contracts."""
    (suspects,) = (suspects for suspects in SUSPECTS if suspects.algorithm == need.row.removeprefix(LIVE))
    return suspects.violated_contract(suspects.mutants.get(need.mutant or "")) or ""
