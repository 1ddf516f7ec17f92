"""Settings of an algorithm: the monoid, and the numbers that it is built with."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from inspect import isfunction
from itertools import product
from typing import Any

from swagproof.contracts.shadows.shadow import without_invariants
from swagproof.contracts.visible import checked_classes, unwrap
from swagproof.learn.bounds import promise
from swagproof.learn.plays.monoids import MONOIDS
from swagproof.learn.plays.play import Play
from swagproof.learn.plays.repertoire import PLAYS, find_column
from swagproof.learn.products import Tracked
from swagproof.learn.recorder import Setup
from swagproof.learn.scenes.gallery import drawing_of
from swagproof.learn.texts import Text
from swagproof.learn.typed import own_monoid
from swagproof.learn.watching import clauses_of
from swagproof.models.operations import Operation
from swagproof.oracle.trace import InputError
from swagproof.reference.catalogue import Column


@dataclass(frozen=True)
class Setting:
    """An algorithm, over one monoid, with these numbers."""

    column: Column
    monoid: str
    options: Mapping[str, int]
    own: str = ""
    """The text of a custom monoid."""

    @property
    def play(self) -> Play:
        """Return its operations and options."""
        return PLAYS[self.column.slug]

    @cached_property
    def operation(self) -> Operation[Any, Any, Any]:
        """The monoid."""
        return own_monoid(self.own) if self.own else MONOIDS[self.monoid]

    @property
    def samples(self) -> tuple[Any, ...]:
        """The elements of a custom monoid."""
        return self.operation.samples if self.own else ()

    def build(self, cls: type[Any], monoid: Any) -> Any:
        """A window of this class over such a monoid."""
        return self.play.build(cls, monoid, self.options)

    def watch(self, checked: type[Any]) -> type[Any]:
        """Return the class with its contracts; of trees and shared windows those of operations alone.

        Inner ones would stop there before a wrong answer.
        """
        watched = without_invariants(checked)
        for cls in reversed([*checked_classes(checked)]) if self.column.kind in ("shared", "out of order") else ():
            for name, method in vars(cls).items():
                if isfunction(method) and name != "__init__" and name not in self.play.operations:
                    setattr(watched, name, unwrap(method))
        return watched

    def set_up(self, text: Text, right: int = 0) -> Setup:
        """Return what a history of this text is played on; after so many operations, which are the reference's."""
        usual = self.watch(self.column.checked)
        watched = self.watch(text.namespace[self.column.checked.__name__])

        def build() -> tuple[Any, Tracked]:
            tracked = Tracked(self.operation)
            return self.build(usual if right else watched, tracked), tracked

        return Setup(
            build,
            self.play.perform,
            text,
            drawing_of(self.column.algorithm),
            clauses_of(self.column),
            self.play.hold,
            partial(promise, self.column),
            (right, watched) if right else None,
        )

    def others(self) -> Iterator["Setting"]:
        """Yield the same algorithm over other monoids and with other options, the least different first."""
        names, values = self.play.options, [option.values for option in self.play.options.values()]
        made = (
            replace(self, monoid=monoid, own="", options=dict(zip(names, numbers, strict=True)))
            for monoid, numbers in product(self.play.monoids, product(*values))
        )
        yield from sorted((each for each in made if each != self), key=self._distance)

    def _distance(self, other: "Setting") -> int:
        """Return the number of differences."""
        return (other.monoid != self.monoid) + sum(value != self.options[name] for name, value in other.options.items())


def read_setting(message: Mapping[str, Any]) -> Setting:
    """Read a page's setting; a monoid that does not fit becomes the algorithm's first.  Raises InputError."""
    column = find_column(message["algorithm"])
    play = PLAYS[column.slug]
    monoid, own = str(message.get("monoid", "letters")), str(message.get("own") or "")
    if monoid not in MONOIDS and not (monoid == "own" and own):
        raise InputError(f"{monoid}: a monoid is one of {', '.join(MONOIDS)}, or your own, with its text")
    given = message.get("options", {})
    options = {name: given.get(name, option.values[0]) for name, option in play.options.items()}
    for name, value in options.items():
        if isinstance(value, bool) or value not in play.options[name].values:
            raise InputError(f"{name}: {value!r} is none of {', '.join(map(str, play.options[name].values))}")
    if monoid == "own":
        own_monoid(own)  # which says what is wrong with it
        if "letters" in play.monoids:
            return Setting(column, "own", options, own)
    return Setting(column, monoid if monoid in play.monoids else play.monoids[0], options)
