"""An algorithm run beside the definition of right, so that its contracts can speak of v_0 ... v_{n-1}.

Problem: Two-Stacks Lite and DABA Lite overwrite the elements they were given, and the invariants of the paper still
speak of them; what an operation costs is said of the state before it.  So a ghost carries the window by definition
beside the algorithm, which never reads it, and its combine calls are counted.  There is one ghost for each abstract
data type, here the part that all share.

A ghost is a mix-in placed before an algorithm, and `under` puts the contracts' clauses on the class:

    @under(contract, "pointer_order", "ends")
    class CheckedDaba(FifoGhost[A], Daba[A]): ...

What an operation costs and answers stands in the ghost as icontract's conditions; they name functions of the contracts'
module, of which `savings` and the accounts (`insert_paid`, ...) are for those that keep one.
"""

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any, ClassVar, Generic, TypeVar

from icontract import SLOW, invariant

from swagproof.contracts.space import stored_aggregates
from swagproof.models.monoid import A, Counting, Monoid

Checked = TypeVar("Checked", bound="type[Ghost[Any]]")


class Ghost(Generic[A]):
    """The window by definition, and the operations that go to the algorithm, or to both."""

    contract: ClassVar[Any]
    """The algorithm's module of contracts."""
    at_once: ClassVar[tuple[str, ...]]
    """The clauses that take constant time, by name."""
    definition: ClassVar[Any]
    """The class of the window by definition."""
    counting: Counting[A]
    """The monoid that the algorithm is given; it counts the algorithm's combine calls, not the model's own."""
    model: Any

    def __init__(self, monoid: Monoid[A], *rest: Any, **options: Any) -> None:
        self.counting = Counting(monoid)
        self.model = self._define(monoid, *rest, **options)
        super().__init__(self.counting, *rest, **options)  # type: ignore[call-arg]  # the algorithm's, next in line

    def _define(self, monoid: Monoid[A], *_: Any, **options: Any) -> Any:
        """The window by definition, of what the algorithm is made of."""
        return self.definition(monoid)

    def _ask(self, operation: str, *arguments: Any) -> Any:
        """The algorithm's own operation."""
        return getattr(super(), operation)(*arguments)

    def _both(self, operation: str, *arguments: Any) -> None:
        """The operation on the algorithm, then on the model: where the first refuses, neither has changed."""
        self._ask(operation, *arguments)
        getattr(self.model, operation)(*arguments)

    def _keeps_space(self, n: int) -> bool:
        """Whether the partial aggregates really kept are what the contracts say of n elements, if that is seen."""
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
        """Whether the account of that name, if there is one, balances: spent since, savings then, savings now."""
        spent, savings = _account(ghost)
        return _holds(ghost, name, spent - self.spent, self.savings, savings)


def _account(ghost: Ghost[Any]) -> tuple[int, Any]:
    spent = getattr(ghost.contract, "spent", lambda s: s.counting.calls)
    savings = getattr(ghost.contract, "savings", lambda s: None)
    return spent(ghost), savings(ghost)


def _holds(ghost: Ghost[Any], name: str, *values: Any) -> bool:
    stated = getattr(ghost.contract, name, None)
    return stated is None or bool(stated(*values))


def shortened(ghost: Ghost[Any], newest: int) -> bool:
    """Whether a look-up has left the path that the contracts promise, where they do."""
    return _holds(ghost, "shortened", ghost, newest)


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
