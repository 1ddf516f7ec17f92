"""The contracts on the methods of a checked class, as obligations at each symbolic call of the method.

The decorators are read, not restated: `@require` is shown at the method's call, and `@ensure` for the resulting state,
with its snapshots.  An obligation is named after the method and the predicate in its lambda (`fixup: one_short`).  A
predicate that ranges over places is shown at an arbitrary place; it may use the method's arguments and snapshots.  A
condition without a predicate compares with the model, which the claims about answers cover.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

from swagproof.contracts.clause import Ranging, local_names
from swagproof.contracts.visible import Condition, Visible, methods_with_contracts
from swagproof.proofs.engine.obligation import Obligation
from swagproof.proofs.engine.paths import formula
from swagproof.proofs.engine.run import Run


def show_method_contracts(run: Run, checked: type) -> None:
    """Make every method that the object's operations call show its contracts."""
    plain: Any = type(run.object)
    wrapped = {
        name: _under(run, getattr(plain, name), visible, name)
        for name, visible in methods_with_contracts(checked)
        if visible.requires
    }
    run.object.__class__ = type(plain.__name__, (plain,), wrapped)


def _under(run: Run, method: Callable[..., Any], visible: Visible, name: str) -> Callable[..., Any]:
    names = list(inspect.signature(method).parameters)[1:]

    def called(self: Any, *arguments: Any) -> Any:
        ended = show_around(run, visible, name, **dict(zip(names, arguments, strict=True)))
        result = method(self, *arguments)
        ended()
        return result

    return called


def show_around(run: Run, visible: Visible, method: str, but: str = " ", **arguments: Any) -> Callable[[], None]:
    """Show the preconditions, and return a function that shows the postconditions after the method's return.

    Predicates whose names begin with `but` are left out: an operation's cost has its own obligations.
    """
    _show(run, visible.requires, method, arguments)
    old = _Old(run.state(), dict(visible.snapshots))
    ensures = [each for each in visible.ensures if each.predicate and not each.predicate.__name__.startswith(but)]
    return lambda: _show(run, ensures, method, {**arguments, "OLD": old})


class _Old:
    """The snapshots of a state, read when a formula uses them."""

    def __init__(self, before: SimpleNamespace, snapshots: Mapping[str, Callable[..., Any]]) -> None:
        self.__before, self.__snapshots = before, snapshots

    def __getattr__(self, name: str) -> Any:
        return self.__snapshots[name](self.__before)


def _show(run: Run, conditions: Sequence[Condition], method: str, given: dict[str, Any]) -> None:
    for condition in conditions:
        assert condition.predicate is not None
        if isinstance(condition.predicate, Ranging):
            run.show((condition.predicate,), _named(condition.predicate, given), place=method)
            continue
        what = Obligation(condition.predicate.__name__, method)
        run.path.describe(what, condition.predicate)
        if run.path.replaying:
            run.path.recall(what)
        else:
            named = {"self": run.state(), **given}
            run.path.show(what, formula(partial(condition.read, **{name: named[name] for name in condition.takes})))


def _named(predicate: Ranging, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a predicate's names: the method's arguments, otherwise snapshots."""
    names = local_names(predicate)
    return {name: given[name] if name in given else getattr(given["OLD"], name) for name in names}
