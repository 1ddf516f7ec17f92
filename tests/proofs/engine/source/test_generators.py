"""Generators of which only the last item is used run to their end at the call."""

from typing import Any

import pytest

from swagproof.proofs.engine.language import Unseen
from swagproof.proofs.engine.loops import rewrite


class Way:
    """A node, and the nodes below it."""

    def __init__(self, *children: "Way") -> None:
        self.children = children

    def path(self, node: Any) -> Any:
        yield self
        yield from self.down(node)

    def down(self, node: Any) -> Any:
        yield node

    def last(self, node: Any) -> Any:
        *_, found = self.path(node)
        return found

    def two_last(self, node: Any) -> Any:
        *_, before, found = self.path(node)
        return before, found


def rewritten(told: list[Any]) -> type[Way]:
    names = {"__yield__": told.append, "__last__": lambda _: told[-1]}
    methods = {name: rewrite(getattr(Way, name), names).method for name in ("path", "down", "last")}
    return type("Rewritten", (Way,), methods)


def test_what_is_told_last_is_what_the_generator_ends_with() -> None:
    told: list[Any] = []
    way, node = rewritten(told)(), Way()
    assert way.last(node) is node
    assert told == [way, node]
    assert Way().last(node) is node


def test_who_wants_other_items_finds_none_or_is_refused() -> None:
    assert rewritten([])().path(Way()) is None
    with pytest.raises(Unseen, match="starred targets"):
        rewrite(Way.two_last, {})
