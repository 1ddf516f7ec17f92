"""Unfolded generators and comprehensions behave as Python's do."""

import ast
import inspect
from collections.abc import Iterator
from typing import Any

import pytest

from swagproof.proofs.engine.source.methods import definition_of
from swagproof.proofs.engine.source.unfold import is_generator, unfold
from swagproof.reference.flat_trees.reactive_aggregator import ReactiveAggregator
from swagproof.reference.flat_trees.reactive_aggregator_fifo import DemarcatedFat, ReactiveAggregatorFifo


class Samples:
    """Methods with comprehensions and generators, one trait each."""

    items = (3, 1, 4, 1, 5)

    def each(self) -> Iterator[int]:
        """All, counted down."""
        left = len(self.items)
        while left:
            left = left - 1
            yield self.items[left]

    def twice(self) -> Iterator[int]:
        """In two places."""
        yield 1
        yield 2

    def changes(self) -> list[int]:
        """A consumer that changes the generator's data during the iteration."""
        found: list[int] = []
        for item in self.each():
            self.items = (9, *self.items[1:])
            found.append(item)
        return found

    def clashes(self) -> tuple[list[int], int]:
        """A comprehension variable with the name of another variable of the method."""
        item = 7
        doubled = [2 * item for item in self.items if item > 1]
        return doubled, item

    def within(self) -> int:
        """In the middle of a call, with a test that names something."""
        return sum([odd for item in self.items if (odd := item % 2) > 0])

    def of_some(self) -> list[int]:
        """Two conditions, and a third within."""
        return [item for item in self.items if item > 1 if item % 2 == 0 or item > 4 if item < 5]

    def all_of(self) -> list[int]:
        """Return the items of a generator."""
        return list(self.each())

    def of_two(self) -> list[int]:
        """Return comprehensions that are not unfolded."""
        return [item for item in self.twice()]  # noqa: C416  # what is tested

    def called_before(self) -> list[int]:
        """A call that comes first, so that the comprehension is not moved."""
        return [*self.all_of(), *[item for item in self.items]]  # noqa: C416  # what is tested


def written_out(owner: type[Any], name: str) -> str | None:
    members = {n: f for n, f in vars(owner).items() if inspect.isfunction(f)}
    generators = {n: definition_of(f) for n, f in members.items() if is_generator(f)}
    return unfold(definition_of(members[name]), generators)


@pytest.mark.parametrize("name", ["changes", "clashes", "within", "of_some", "all_of"])
def test_what_is_written_out_does_what_it_did(name: str) -> None:
    source = written_out(Samples, name)
    assert source is not None
    assert not any(isinstance(n, ast.ListComp | ast.Yield | ast.NamedExpr) for n in ast.walk(ast.parse(source)))
    scope: dict[str, Any] = {}
    exec(source, scope)
    assert scope[name](Samples()) == getattr(Samples(), name)()


def test_what_is_not_of_the_forms_is_left_or_refused() -> None:
    with pytest.raises(ValueError, match="twice: the engine knows generators that yield in one place"):
        written_out(Samples, "of_two")
    assert written_out(Samples, "called_before") is None


@pytest.mark.parametrize("owner", [ReactiveAggregator, ReactiveAggregatorFifo, DemarcatedFat])
def test_the_reference_is_written_out_in_loops(owner: type[Any]) -> None:
    changed = [
        name
        for name, f in vars(owner).items()
        if inspect.isfunction(f) and not is_generator(f) and written_out(owner, name)
    ]
    assert changed == {"ReactiveAggregator": ["compact", "resize"], "ReactiveAggregatorFifo": ["resize"]}.get(
        owner.__name__, ["slide"]
    )
