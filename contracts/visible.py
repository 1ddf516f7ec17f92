"""The contracts of a checked class, read from its decorators, for proofs and for CrossHair.

A decorator is `@ensure(lambda self, OLD: evict_calls(...), "at most 3 combine calls")`: the lambda names one predicate
of the contracts, `evict_calls`.  A proof uses this name for the obligation.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

from swagproof.contracts.shadows.shadow import is_written, keeps, stores

CONTRACTS: Final = "swagproof.contracts."


class Condition(NamedTuple):
    """A condition of one decorator."""

    text: str
    """The description in a violation message."""
    read: Callable[..., Any]
    """The lambda."""
    takes: tuple[str, ...]
    """The lambda's parameters: self, OLD, result, or arguments of the method."""
    predicate: Callable[..., Any] | None
    """The predicate of the contracts that the lambda names; None for a comparison with the model."""


class Visible(NamedTuple):
    """The contracts of one method."""

    requires: tuple[Condition, ...]
    """Preconditions, except those that raise an error of their own."""
    ensures: tuple[Condition, ...]
    snapshots: tuple[tuple[str, Callable[..., Any]], ...]


def visible_on(checked: type, method: str) -> Visible:
    """Read the contracts of a method from the body of a checked class."""
    written: Any = vars(checked)[method] if is_written(checked, method) else None
    requires = [each for group in getattr(written, "__preconditions__", ()) for each in group if each.error is None]
    snapshots = getattr(written, "__postcondition_snapshots__", ())
    return Visible(
        tuple(map(_condition, requires)),
        tuple(map(_condition, getattr(written, "__postconditions__", ()))),
        tuple((each.name, each.capture) for each in snapshots),
    )


def methods_with_contracts(checked: type) -> Iterator[tuple[str, Visible]]:
    """Yield the methods of a checked class that have contracts."""
    for name in vars(checked):
        visible = visible_on(checked, name)
        if visible.requires or visible.ensures:
            yield name, visible


def checked_classes(checked: type) -> Iterator[type]:
    """Yield a checked class and the checked classes whose contracts it inherits."""
    yield from (cls for cls in checked.__mro__ if cls.__name__.startswith("Checked"))


def invariants_of(checked: type) -> tuple[Condition, ...]:
    """List the enabled invariants of a checked class, first to last."""
    return tuple(map(_condition, reversed(getattr(checked, "__invariants__", ()))))


def enforced(checked: type) -> type[Any]:
    """Derive a class whose methods evaluate their contracts without icontract, which CrossHair disables.

    A method has its own contracts and those of the checked base classes.
    """
    members: dict[str, Any] = {}
    for cls in reversed(checked.__mro__):
        functions = {name: unwrap(each) for name, each in vars(cls).items() if inspect.isfunction(each)}
        for name, plain in functions.items():
            stated = [visible_on(each, name) for each in checked.__mro__]
            if cls is checked or any(each.requires or each.ensures for each in stated):
                requires, ensures, snapshots = (tuple(chain(*each)) for each in zip(*stated, strict=True))
                members[name] = _evaluating(plain, Visible(requires, ensures, snapshots))
    for name, each in vars(checked).items():
        if isinstance(each, property) and each.fget:  # icontract has wrapped it with the invariants, too
            members[name] = property(unwrap(each.fget))
    return type(checked.__name__, (checked,), members)


def unwrap(function: Callable[..., Any]) -> Callable[..., Any]:
    """Remove icontract's wrappers, but no other decorator."""
    layers = ("__preconditions__", "__is_invariant_check__")
    return inspect.unwrap(function, stop=lambda each: not any(hasattr(each, layer) for layer in layers))  # type: ignore[no-any-return]  # the type of what is unwrapped


def _evaluating(plain: Callable[..., Any], visible: Visible) -> Callable[..., Any]:
    if not (visible.requires or visible.ensures):
        return plain
    names = list(inspect.signature(plain).parameters)
    snapshots = [(name, capture, [*inspect.signature(capture).parameters]) for name, capture in visible.snapshots]

    def method(self: Any, *arguments: Any) -> Any:
        given = {**dict(zip(names, (self, *arguments), strict=True))}  # a plain dict: CrossHair replaces dict(...)
        require_all(visible.requires, **given)
        old = SimpleNamespace(**{name: capture(**{n: given[n] for n in takes}) for name, capture, takes in snapshots})
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
        each for each in named if getattr(each, "__module__", "").startswith(CONTRACTS) and each not in (stores, keeps)
    ]
    return Condition(contract.description, read, tuple(contract.condition_args), next(iter(predicates), None))
