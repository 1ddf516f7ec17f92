"""The older form of a checked class: `under` puts the contracts' clauses on it, and the mix-in states its conditions.

    @under(contract, "pointer_order", "ends")
    class CheckedFlatFit(LookupGhost[A], FlatFit[A]): ...

What an operation costs and answers stands in the ghost as icontract's conditions; they name functions of the contracts'
module, of which `savings` and the accounts (`insert_paid`, ...) are for those that keep one.  The newer form states all
contracts on the checked class itself: see swagproof.contracts.shadows.shadow.
"""

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any, ClassVar, TypeVar

from icontract import SLOW, invariant

from swagproof.contracts.shadows.shadow import Shadow
from swagproof.contracts.space import stored_aggregates
from swagproof.models.monoid import A

Checked = TypeVar("Checked", bound="type[Ghost[Any]]")


class Ghost(Shadow[A]):
    """A shadow with the contracts' module, for `under`."""

    contract: ClassVar[Any]
    """The algorithm's module of contracts."""
    at_once: ClassVar[tuple[str, ...]]
    """The clauses that take constant time, by name."""

    def _keeps_space(self, n: int) -> bool:
        """Return whether the partial aggregates really kept are what the contracts say of n elements, if that is
        seen."""
        kept = count_kept(self)
        return kept is None or bool(self.contract.space(n, kept))


class Before:
    """What an operation finds: elements, combine calls and spending so far, savings, and the most calls it may make."""

    def __init__(self, ghost: Ghost[Any], bound: int | None = None) -> None:
        self.n: int = ghost.model.size
        self.calls, self.bound = ghost.counting.calls, bound
        self.spent, self.savings = _account(ghost)

    def calls_of(self, ghost: Ghost[Any]) -> int:
        """Combine calls since."""
        return ghost.counting.calls - self.calls

    def paid(self, ghost: Ghost[Any], name: str) -> bool:
        """Return whether the account of that name, if there is one, balances: spent since, savings then, savings
        now."""
        spent, savings = _account(ghost)
        return _holds(ghost, name, spent - self.spent, self.savings, savings)


def _account(ghost: Ghost[Any]) -> tuple[int, Any]:
    spent = getattr(ghost.contract, "spent", lambda s: s.counting.calls)
    savings = getattr(ghost.contract, "savings", lambda s: None)
    return spent(ghost), savings(ghost)


def _holds(ghost: Ghost[Any], name: str, *values: Any) -> bool:
    stated = getattr(ghost.contract, name, None)
    return stated is None or bool(stated(*values))


def count_kept(ghost: Ghost[Any]) -> int | None:
    """The partial aggregates really kept, over strings, where they can be told from everything else; None elsewhere."""
    return stored_aggregates(ghost, str) if isinstance(ghost.model.monoid.identity, str) else None


def under(contract: ModuleType, *at_once: str, **names: str) -> Callable[[Checked], Checked]:
    """The class decorator that checks every clause of `contract.INVARIANT` around each operation.

    A violation names the clause, by its function's name or as in `names`, and shows the formula of its docstring.  All
    but those checked `at_once` take linear time and wait for ICONTRACT_SLOW.
    """

    def decorate(checked: Checked) -> Checked:
        checked.contract, checked.at_once = contract, at_once
        for clause in reversed(contract.INVARIANT):
            name = clause.__name__
            enabled = __debug__ if name in at_once else SLOW
            checked = invariant(_condition(clause), names.get(name, name.replace("_", " ")), enabled=enabled)(checked)
        return checked

    return decorate


def _condition(clause: Callable[[Any], bool]) -> Callable[[Any], bool]:
    def condition(self: Any) -> bool:
        return clause(self)

    condition.__name__ = inspect.cleandoc(clause.__doc__ or clause.__name__)  # what icontract shows of a condition
    return condition
