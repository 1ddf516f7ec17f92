"""Settings of an algorithm: the monoid, and the numeric options of its constructor."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from inspect import isfunction
from itertools import product
from typing import Any

from swagproof.contracts.shadows.shadow import without_invariants
from swagproof.contracts.visible import checked_classes, unwrap
from swagproof.learn.plays.monoids import MONOIDS
from swagproof.learn.plays.play import Play
from swagproof.learn.plays.repertoire import PLAYS, find_column
from swagproof.learn.products import Tracked
from swagproof.learn.recorder import Setup
from swagproof.learn.scenes.gallery import drawing_of
from swagproof.learn.texts import Text
from swagproof.learn.watching import clauses_of
from swagproof.oracle.trace import InputError
from swagproof.reference.catalogue import Column


@dataclass(frozen=True)
class Setting:
    """An algorithm over a monoid, with values of its options."""

    column: Column
    monoid: str
    options: Mapping[str, int]

    @property
    def play(self) -> Play:
        """Return its operations and options."""
        return PLAYS[self.column.slug]

    def bind(self, cls: type[Any]) -> type[Any]:
        """Return a class whose constructor takes only a monoid, with these options filled in."""
        build = self.play.build
        return type(cls.__name__, (cls,), {"__new__": lambda _cls, monoid: build(cls, monoid, self.options)})

    def watch(self, checked: type[Any]) -> type[Any]:
        """Return the class with its contracts; for trees and shared windows only with those of operations.

        Inner contracts would stop them before a wrong answer.
        """
        watched = without_invariants(checked)
        for cls in reversed([*checked_classes(checked)]) if self.column.kind in ("shared", "out of order") else ():
            for name, method in vars(cls).items():
                if isfunction(method) and name != "__init__" and name not in self.play.operations:
                    setattr(watched, name, unwrap(method))
        return watched

    def set_up(self, text: Text) -> Setup:
        """Return the setup for a history of this text."""
        watched = self.watch(text.namespace[self.column.checked.__name__])

        def build() -> tuple[Any, Tracked]:
            tracked = Tracked(MONOIDS[self.monoid])
            return self.play.build(watched, tracked, self.options), tracked

        drawing = drawing_of(self.column.algorithm)
        return Setup(build, self.play.perform, text, drawing, clauses_of(self.column), self.play.hold)

    def others(self) -> Iterator["Setting"]:
        """Yield the same algorithm over other monoids and with other options, the least different first."""
        names, values = self.play.options, [option.values for option in self.play.options.values()]
        made = (
            replace(self, monoid=monoid, options=dict(zip(names, numbers, strict=True)))
            for monoid, numbers in product(self.play.monoids, product(*values))
        )
        here = {("monoid", self.monoid), *self.options.items()}
        others = (each for each in made if each != self)
        yield from sorted(others, key=lambda each: len({("monoid", each.monoid), *each.options.items()} - here))


def read_setting(message: Mapping[str, Any]) -> Setting:
    """Read a page's setting; a monoid that does not fit becomes the algorithm's first.  Raises InputError."""
    column = find_column(message["algorithm"])
    play, monoid = PLAYS[column.slug], str(message.get("monoid", "letters"))
    if monoid not in MONOIDS:
        raise InputError(f"{monoid}: a monoid is one of {', '.join(MONOIDS)}")
    given = message.get("options", {})
    options = {name: given.get(name, option.values[0]) for name, option in play.options.items()}
    for name, value in options.items():
        if isinstance(value, bool) or value not in play.options[name].values:
            raise InputError(f"{name}: {value!r} is none of {', '.join(map(str, play.options[name].values))}")
    return Setting(column, monoid if monoid in play.monoids else play.monoids[0], options)
