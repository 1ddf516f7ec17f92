"""The contracts that stand on a checked class, read off its decorators, for proofs and for CrossHair.

A decorator is `@ensure(lambda self, OLD: evict_calls(...), "at most 3 combine calls")`: the lambda names one predicate
of the contracts, `evict_calls`.  That name is what a proof calls the obligation.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

from swagproof.contracts.shadows.shadow import is_written, stores

CONTRACTS: Final = "swagproof.contracts."


class Condition(NamedTuple):
    """One decorator."""

    text: str
    """The description that a violation shows."""
    read: Callable[..., Any]
    """The lambda."""
    takes: tuple[str, ...]
    """Its parameters: self, OLD, result, or arguments of the method."""
    predicate: Callable[..., Any] | None
    """The predicate of the contracts that it names; None for a comparison with the model."""


class Visible(NamedTuple):
    """The contracts of one method."""

    requires: tuple[Condition, ...]
    """Preconditions; not the refusals, which raise an error of their own."""
    ensures: tuple[Condition, ...]
    snapshots: tuple[tuple[str, Callable[..., Any]], ...]


def visible_on(checked: type, method: str) -> Visible:
    """Read the contracts that stand on a method in the body of a checked class."""
    written: Any = vars(checked)[method] if is_written(checked, method) else None
    requires = [each for group in getattr(written, "__preconditions__", ()) for each in group if each.error is None]
    snapshots = getattr(written, "__postcondition_snapshots__", ())
    return Visible(
        tuple(map(_condition, requires)),
        tuple(map(_condition, getattr(written, "__postconditions__", ()))),
        tuple((each.name, each.capture) for each in snapshots),
    )


def methods_with_contracts(checked: type) -> Iterator[tuple[str, Visible]]:
    """List the methods of a checked class on which contracts stand."""
    for name in vars(checked):
        visible = visible_on(checked, name)
        if visible.requires or visible.ensures:
            yield name, visible


def invariants_of(checked: type) -> tuple[Condition, ...]:
    """List the invariants that stand on a checked class, first to last; those that are switched off are not there."""
    return tuple(map(_condition, reversed(getattr(checked, "__invariants__", ()))))


def enforced(checked: type) -> type[Any]:
    """Derive a class whose methods evaluate their contracts without icontract, which CrossHair switches off."""
    functions = {name: inspect.unwrap(each) for name, each in vars(checked).items() if inspect.isfunction(each)}
    members: dict[str, Any] = {name: _evaluating(plain, visible_on(checked, name)) for name, plain in functions.items()}
    properties = {name: each for name, each in vars(checked).items() if isinstance(each, property)}
    members |= {name: property(inspect.unwrap(each.fget)) for name, each in properties.items() if each.fget}
    return type(checked.__name__, (checked,), members)


def _evaluating(plain: Callable[..., Any], visible: Visible) -> Callable[..., Any]:
    if not (visible.requires or visible.ensures):
        return plain
    names = list(inspect.signature(plain).parameters)

    def method(self: Any, *arguments: Any) -> Any:
        given = dict(zip(names, (self, *arguments), strict=True))
        require_all(visible.requires, **given)
        old = SimpleNamespace(**{name: capture(self) for name, capture in visible.snapshots})
        result = plain(self, *arguments)
        require_all(visible.ensures, **given, OLD=old, result=result)
        return result

    return method


def require_all(conditions: Iterable[Condition], **given: Any) -> None:
    """Raise AssertionError with the text of the first condition that does not hold."""
    for condition in conditions:
        assert condition.read(**{name: given[name] for name in condition.takes}), condition.text


def _condition(contract: Any) -> Condition:
    read = contract.condition
    named = [read.__globals__.get(name) for name in read.__code__.co_names]
    predicates = [
        each for each in named if getattr(each, "__module__", "").startswith(CONTRACTS) and each is not stores
    ]
    return Condition(contract.description, read, tuple(contract.condition_args), next(iter(predicates), None))
