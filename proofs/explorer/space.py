"""The space of an exploration: the states of a subject as a finite graph, and the checks of each.

An algorithm has infinitely many histories, but finitely many states, up to a bound and up to renaming.  So its
histories are walks on a finite graph, and `swagproof.proofs.explorer.walk` takes every edge of it.  A `Space` defines
the graph: its start, the steps from a place, the effect of a step, and the values that may be renamed.

A `Place` is a point of the walk: a live instance of the subject (the reference's own code, not a model of it), the
window by definition, and the steps that led there.  `swagproof.proofs.explorer.freezing` copies and compares places.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType, SimpleNamespace
from typing import Any, ClassVar, NamedTuple

from swagproof.proofs.engine.settings import Refutation
from swagproof.proofs.explorer.freezing import Freezing, Place, S
from swagproof.proofs.explorer.letters import SEALED, LookedAtError


@dataclass(frozen=True)
class Violation(Exception):
    """A failed check, with the steps that led there, as text."""

    check: str
    trace: tuple[str, ...]
    also: tuple[str, ...] = ()
    """Other checks that failed at the same place."""
    detail: str = ""
    steps: tuple[Any, ...] = field(default=(), compare=False)
    """The steps themselves, only in this process."""
    refutation: Refutation | None = field(default=None, compare=False)
    """The hint for finding it again."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Violation, (self.check, self.trace, self.also, self.detail)

    @property
    def checks(self) -> tuple[str, ...]:
        """All checks that failed."""
        return self.check, *self.also

    def __str__(self) -> str:
        return f"{', '.join(self.checks)}{self.detail} after {', '.join(self.trace) or 'nothing'}"


class Broken(Exception):
    """An exception for a check that fails within an operation of the subject; its text names the check."""


class Call(NamedTuple):
    """The usual step of a space: a method of the subject, and its argument, if any."""

    name: str
    argument: Any = None

    def __str__(self) -> str:
        return self.name if self.argument is None else f"{self.name} {self.argument}"

    @property
    def arguments(self) -> tuple[Any, ...]:
        """The arguments for the method."""
        return () if self.argument is None else (self.argument,)


class Space(Freezing[S]):
    """All places of one subject within a bound, and the steps between them.

    A space is a frozen dataclass of plain fields, so that equal spaces are explored once, and other processes can
    recreate it; derived data are cached properties.
    """

    depth: ClassVar[int | None] = None
    """The number of steps from the start; None for a walk through all states."""
    most: ClassVar[int] = 400_000
    """The most states of a correct subject."""

    @abstractmethod
    def starts(self) -> Iterable[Place[S]]:
        """Return the start places, with different states."""

    @abstractmethod
    def choices(self, place: Place[S]) -> Iterable[S]:
        """Return the steps from a place, in the order in which they are taken."""

    @abstractmethod
    def take(self, place: Place[S], step: S, before: Place[S]) -> None:
        """Take a step on the subject and on the model; `before` is the place before it.  Raises Violation."""

    def check(self, place: Place[S]) -> None:
        """Check one place of each state.  Raises Violation."""

    def words(self, steps: tuple[S, ...]) -> Iterable[str]:
        """Return a history as text."""
        return map(str, steps)

    def after(self, place: Place[S]) -> Iterator[Place[S]]:
        """Yield the places after one step.  Raises Violation."""
        frozen = self.freeze(place)
        for step in self.choices(place):
            reached = self.thaw(frozen, (*place.steps, step))
            self.take(reached, step, place)
            yield reached

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, field.name) for field in fields(self))  # type: ignore[arg-type]  # each is one

    # Checks

    def violation(self, place: Place[S], *checks: str, detail: str = "") -> Violation:
        """Return the violation of these checks at a place."""
        return Violation(checks[0], tuple(self.words(place.steps)), checks[1:], detail, place.steps)

    def require(self, place: Place[S], check: str, holds: object) -> None:
        """Raise Violation if a check does not hold."""
        if not holds:
            raise self.violation(place, check)

    def require_clauses(
        self,
        place: Place[S],
        clauses: Iterable[Callable[[Any], object]],
        state: Any = None,
        checks: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        """Check clauses of an invariant on a state, usually that of `contract_state`, and other checks with them.

        Raises Violation with all that do not hold.
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
        """Return the result of a method of the subject.  An exception is a violation, except those in `refused`."""
        try:
            with SEALED:
                return getattr(place.subject, name)(*arguments)
        except refused:
            raise
        except Broken as broken:
            raise self.violation(place, str(broken)) from broken
        except LookedAtError as looked:
            raise self.violation(place, f"{name} {looked}") from looked
        except Exception as error:
            raise self.violation(place, f"{name} raised {type(error).__name__}: {error}") from error

    def require_refusal(
        self, place: Place[S], before: Place[S], error: type[Exception], name: str, *arguments: Any
    ) -> None:
        """Check that a method raises the error and changes nothing."""
        try:
            self.call(place, name, *arguments, refused=error)
        except error:
            self.require(place, f"a refused {name} changes nothing", self.state(place) == self.state(before))
        else:
            raise self.violation(place, f"{name} raises {error.__name__}")


def contract_state(place: Place[Any], *methods: str) -> SimpleNamespace:
    """Return the state for the clauses of a contract: the subject's attributes, the named methods, and the model."""
    s = place.subject
    return SimpleNamespace(**vars(s), **{name: getattr(s, name) for name in methods}, model=place.model)


def classes_beside(made: type[Any]) -> tuple[type[Any], ...]:
    """Return all classes of the module that defines a class, even if the module is a mutant."""
    methods = (value for value in vars(made).values() if hasattr(value, "__globals__"))
    return tuple(value for value in getattr(next(methods, None), "__globals__", {}).values() if isinstance(value, type))
