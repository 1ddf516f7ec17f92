"""A mix-in that keeps a window by definition with an algorithm, so that contracts can refer to v_0 ... v_{n-1}.

Two-Stacks Lite and DABA Lite overwrite their elements, and the papers' invariants still refer to them.  So a checked
class keeps the window by definition (`model`), which the algorithm never reads, and counts the algorithm's combine
calls (`counting`).  A `Shadow` is a mix-in placed before the algorithm; there is one for each abstract data type.  It
states nothing: the contracts are on the checked class, where a reader sees them:

    @invariant(lambda self: sizes(self), "size invariant")
    class CheckedDaba(FifoShadow[A], Daba[A]):
        @snapshot(lambda self: self.counting.calls, name="calls")
        @ensure(lambda self, OLD: insert_calls(self.model.size - 1, self.counting.calls - OLD.calls), "at most 4 calls")
        def insert(self, v: A) -> None:
            super().insert(v)

A condition of linear time has `enabled=SLOW`: it is checked if ICONTRACT_SLOW is set.
"""

import inspect
from collections.abc import Callable
from typing import Any, ClassVar, Generic

from swagproof.contracts.space import stored_aggregates
from swagproof.models.monoid import A, Counting, Monoid


class Shadow(Generic[A]):
    """The window by definition, and operations on the algorithm alone or on both."""

    definition: ClassVar[Any]
    """The class of the window by definition."""
    counting: Counting[A]
    """The monoid of the algorithm: it counts the algorithm's combine calls, not the model's own."""
    model: Any

    def __init__(self, monoid: Monoid[A], *rest: Any, **options: Any) -> None:
        self.counting = Counting(monoid)
        self.model = self._define(monoid, *rest, **options)
        super().__init__(self.counting, *rest, **options)  # type: ignore[call-arg]  # the algorithm's, next in line

    def _define(self, monoid: Monoid[A], *_: Any, **options: Any) -> Any:
        """Build the window by definition from the algorithm's constructor arguments."""
        return self.definition(monoid)

    def _ask(self, operation: str, *arguments: Any) -> Any:
        """Call the operation on the algorithm."""
        return getattr(super(), operation)(*arguments)

    def _both(self, operation: str, *arguments: Any) -> None:
        """Call the operation on the algorithm, then on the model; if the first raises, neither has changed."""
        self._ask(operation, *arguments)
        getattr(self.model, operation)(*arguments)


def stores(shadow: Shadow[Any], space: Callable[[int, int], bool], n: int | None = None) -> bool:
    """Check the number of stored partial aggregates against `space(n, stored)`, with n by default the model's size.

    Over strings they differ in type from pointers and sizes; over another monoid the check passes.
    """
    if not isinstance(shadow.model.monoid.identity, str):
        return True
    return bool(space(shadow.model.size if n is None else n, stored_aggregates(shadow, str)))


def keeps(shadow: Shadow[Any], bound: Callable[[Any], int]) -> bool:
    """Check that at most `bound(shadow)` partial aggregates are stored, over strings as for `stores`."""
    return not isinstance(shadow.model.monoid.identity, str) or stored_aggregates(shadow, str) <= bound(shadow)


def put_under(checked: type, algorithm: type) -> type[Any]:
    """Put a changed algorithm under the contracts of `checked`, which were written for its base class.

    icontract copies inherited methods into a checked class; a changed method replaces such a copy.
    """
    own = [cls for cls in checked.__mro__ if not issubclass(algorithm, cls)]
    members: dict[str, Any] = {}
    for name, copied in vars(checked).items():
        if inspect.isfunction(copied) and name != "__init__" and not any(is_written(cls, name) for cls in own):
            changed = getattr(algorithm, name, None)
            members |= {} if changed in (None, inspect.unwrap(copied)) else {name: changed}
    return type(checked.__name__, (checked, algorithm), members)


def without_invariants(checked: type) -> type[Any]:
    """Derive a class whose methods keep their contracts, for a caller that evaluates the invariants itself."""
    none: dict[str, list[Any]] = {
        name: [] for name in ("__invariants__", "__invariants_on_call__", "__invariants_on_setattr__")
    }
    init = inspect.unwrap(inspect.getattr_static(checked, "__init__"))
    return type(checked.__name__.removeprefix("Checked"), (checked,), {"__init__": init, **none})


def is_written(cls: type, name: str) -> bool:
    """Check that the body of the class itself defines this method."""
    method: Any = inspect.unwrap(vars(cls)[name]) if name in vars(cls) else None
    return getattr(method, "__qualname__", "") == f"{cls.__qualname__}.{name}"
