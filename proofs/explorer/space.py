"""What is explored, as one object: a space of places, and one way to copy, to check and to tell of a place.

An algorithm's histories have no end, but what it keeps is finite, up to a bound and up to renaming.  So its histories
are a walk on a finite graph, and `swagproof.proofs.explorer.walk` takes every edge of it.  A `Space` says what the
graph is: where it starts, which steps there are from a place, what a step does, and what tells one state from another.

A `Place` is a point of the walk: the subject alive (the reference's own code, not a model of it), the window by
definition beside it, and the steps that led there.  Two things about places are easy to get wrong, and are settled
here once.

*Copies.*  From one place many steps are taken, so each needs a copy, and a copy that shares something unseen with its
original makes an exploration that looks thorough and checks nonsense.  So places are not copied: they are frozen into
plain data, and every step begins by thawing that anew.  Plain data has nothing to share; what the subject holds twice
is still held twice; the few objects that must be the same everywhere (the operator, classes made on the spot) are named
by a space as its `constants`, and anything else that is no data is refused with an error.  The same data can go to
another process, which is all that exploring in shards needs.

*States.*  A state must tell apart whatever can make a difference later; if it does, one place of each state is enough,
however it was reached.  These algorithms never look at a value (those that do are given every value that matters, up
to order), so values are letters, all of them different: over the free monoid nothing is hidden by two histories that
happen to agree, and a right answer over it is right for every monoid.  A state then says where a letter stands in the
window, not which letter it is.
"""

import io
import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from types import MappingProxyType, SimpleNamespace
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from swagproof.models.containers.element import Element
from swagproof.models.monoid import Counting
from swagproof.models.operations import CONCATENATION

S = TypeVar("S")


@dataclass(frozen=True)
class Violation(Exception):
    """A check that failed, and the steps that led there, in words."""

    check: str
    trace: tuple[str, ...]
    also: tuple[str, ...] = ()
    """Other checks that failed at the same place."""
    detail: str = ""

    def __reduce__(self) -> tuple[Any, ...]:
        return Violation, (self.check, self.trace, self.also, self.detail)

    @property
    def checks(self) -> tuple[str, ...]:
        """All that failed."""
        return self.check, *self.also

    def __str__(self) -> str:
        return f"{', '.join(self.checks)}{self.detail} after {', '.join(self.trace) or 'nothing'}"


@dataclass(eq=False, slots=True)
class Place(Generic[S]):
    """A point of a walk."""

    subject: Any
    """What is explored, alive."""
    model: Any
    """The same by definition."""
    steps: tuple[S, ...] = ()
    """How it was reached."""
    frozen: Any = None
    """The same as plain data, once that was made.  From then on nothing here changes any more."""


class Call(NamedTuple):
    """The step that most spaces take: a method of the subject, and its argument where it has one."""

    name: str
    argument: Any = None

    def __str__(self) -> str:
        return self.name if self.argument is None else f"{self.name} {self.argument}"

    @property
    def arguments(self) -> tuple[Any, ...]:
        """For the method."""
        return () if self.argument is None else (self.argument,)


class Space(ABC, Generic[S]):
    """All places of one subject within a bound, and the steps between them.

    A space is a frozen dataclass of plain fields, so that equal spaces are explored once, and any process can make a
    space again; what it makes of its fields is a cached property.
    """

    depth: ClassVar[int | None] = None
    """How many steps are taken from where it begins; None for a walk to its end."""
    looks_at_all: ClassVar[bool] = False
    """Whether `state` is made of every attribute of the subject, whatever they are; where it is made of those that the
    algorithm has, another one could make a difference unseen, and is refused."""

    @abstractmethod
    def starts(self) -> Iterable[Place[S]]:
        """The places to begin with, of different states."""

    @abstractmethod
    def choices(self, place: Place[S]) -> Iterable[S]:
        """The steps from a place, in the order in which they are taken."""

    @abstractmethod
    def take(self, place: Place[S], step: S, before: Place[S]) -> None:
        """Take a step on the subject and on the model.  `before` is the place before it.  Raises Violation."""

    @abstractmethod
    def state(self, place: Place[S]) -> Hashable:
        """What tells states apart.  In shards the same in every process: bytes or a tuple, not a hash."""

    def check(self, place: Place[S]) -> None:
        """Look at one place of each state.  Raises Violation."""

    def words(self, steps: tuple[S, ...]) -> Iterable[str]:
        """A history as a reader writes it."""
        return map(str, steps)

    @property
    def operator(self) -> Any:
        """What is combined: the free monoid, unless a space has values of its own."""
        return CONCATENATION

    @cached_property
    def monoid(self) -> Counting[Any]:
        """The same with its combine calls counted, by one counter for all places."""
        return Counting(self.operator)

    @property
    def constants(self) -> tuple[Any, ...]:
        """What is the same in all places: operators, and classes and functions that no import finds."""
        return self.monoid, self.operator

    def after(self, place: Place[S]) -> Iterator[Place[S]]:
        """The places one step on.  Raises Violation."""
        frozen = self.freeze(place)
        for step in self.choices(place):
            reached = self.thaw(frozen, (*place.steps, step))
            self.take(reached, step, place)
            yield reached

    # Copies

    def freeze(self, place: Place[S]) -> Any:
        """Subject and model as plain data.  TypeError for what is neither data nor one of the constants."""
        if place.frozen is None:
            self._refuse_unseen(place.subject)
            buffer = io.BytesIO()
            freezer = _Freezer(buffer, pickle.HIGHEST_PROTOCOL)
            freezer.numbers = self._numbers
            try:
                freezer.dump((place.subject, place.model))
            except (pickle.PicklingError, AttributeError) as error:
                raise TypeError(f"the explorer cannot copy this: {error}") from error
            place.frozen = buffer.getvalue()
        return place.frozen

    def _refuse_unseen(self, subject: Any) -> None:
        kept = vars(self)  # of a frozen dataclass, as a cached property keeps it
        if self.looks_at_all or not hasattr(subject, "__dict__"):
            return
        if "known_names" not in kept:
            kept["known_names"] = None  # while it is begun
            kept["known_names"] = frozenset(vars(next(iter(self.starts())).subject))
        more = set() if kept["known_names"] is None else vars(subject).keys() - kept["known_names"]
        if more:
            raise TypeError(f"{', '.join(sorted(more))}: the explorer cannot tell states apart by it")

    def thaw(self, frozen: Any, steps: tuple[S, ...]) -> Place[S]:
        """A place of its own, made of what was frozen."""
        global _thawing
        _thawing = self._constants
        subject, model = pickle.loads(frozen)
        return Place(subject, model, steps)

    @cached_property
    def _constants(self) -> tuple[Any, ...]:
        return self.constants

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {id(constant): number for number, constant in enumerate(self._constants)}

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, field.name) for field in fields(self))  # type: ignore[arg-type]  # each is one

    # Checks

    def violation(self, place: Place[S], *checks: str, detail: str = "") -> Violation:
        """That these checks fail at a place."""
        return Violation(checks[0], tuple(self.words(place.steps)), checks[1:], detail)

    def require(self, place: Place[S], check: str, holds: object) -> None:
        """Raises Violation where a check does not hold."""
        if not holds:
            raise self.violation(place, check)

    def require_all(self, place: Place[S], checks: Mapping[str, object]) -> None:
        """Raises Violation where some checks do not hold: all of them are told, so that each is seen to fail."""
        failed = [check for check, holds in checks.items() if not holds]
        if failed:
            raise self.violation(place, *failed)

    def require_clauses(
        self,
        place: Place[S],
        clauses: Iterable[Callable[[Any], object]],
        state: Any,
        checks: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        """Every clause of an invariant holds of a state: as a rule of `contract_state`; and so do some other checks.

        Raises Violation, which tells of all that do not.
        """
        failed = [check for check, holds in checks.items() if not holds]
        raised: Exception | None = None
        for clause in clauses:
            try:
                holds = clause(state)
            except Exception as error:
                holds, raised = False, raised or error
            if not holds:
                failed.append(clause.__name__)
        if failed:
            detail = f": {type(raised).__name__}: {raised}" if raised else ""
            raise self.violation(place, *failed, detail=detail) from raised

    def call(
        self,
        place: Place[S],
        name: str,
        *arguments: Any,
        refused: type[Exception] | tuple[type[Exception], ...] = (),
    ) -> Any:
        """What a method of the subject answers; an exception is a violation, but one with which it may refuse."""
        try:
            return getattr(place.subject, name)(*arguments)
        except refused:
            raise
        except Exception as error:
            raise self.violation(place, f"{name} raised {type(error).__name__}: {error}") from error


def contract_state(place: Place[Any], *methods: str) -> SimpleNamespace:
    """What the clauses of a contract speak of: what the subject keeps, its methods named, and the model."""
    s = place.subject
    return SimpleNamespace(**vars(s), **{name: getattr(s, name) for name in methods}, model=place.model)


class _Freezer(pickle.Pickler):
    numbers: dict[int, int]

    def reducer_override(self, obj: Any) -> Any:
        if type(obj) is Element:  # what most places are made of
            return Element, (obj.val, obj.agg)
        number = self.numbers.get(id(obj))
        return NotImplemented if number is None else (_constant, (number,))


_thawing: tuple[Any, ...] = ()
"""The constants of whoever thaws: `pickle.loads` hands nothing on."""


def _constant(number: int) -> Any:
    """What stands in frozen places for a constant: whoever thaws them has his own."""
    return _thawing[number]


def classes_beside(made: type[Any]) -> tuple[type[Any], ...]:
    """All classes of the module that a class is written in, also where that is one with a mistake in it."""
    method = next(value for value in vars(made).values() if hasattr(value, "__globals__"))
    return tuple(value for value in method.__globals__.values() if isinstance(value, type))
