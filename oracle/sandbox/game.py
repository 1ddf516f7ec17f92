"""A trace in progress: its operations, the right answers to them, and the first wrong answer."""

from collections.abc import Callable, Sequence
from typing import Any

from swagproof.oracle.domain import Domain, Exactly
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.outcome import Failure, Tried
from swagproof.oracle.sandbox.wire import like
from swagproof.oracle.sandbox.worker import EVERY
from swagproof.oracle.search.attempts import Attempt
from swagproof.oracle.trace import InputError, Step, largest_window, take
from swagproof.oracle.window import Window


class Game:
    """A trace in progress."""

    def __init__(self, attempt: Attempt, domain: Domain, kind: Window) -> None:
        self.attempt = attempt
        self.steps = steps = attempt.steps
        self.domain = domain
        """The domain with the rule for answers."""
        self.names: Sequence[str]
        self.arguments: Sequence[tuple[Any, ...]]
        self.names, self.arguments = zip(*steps, strict=True) if steps else ((), ())
        self.every = EVERY if self.domain.mutable and len(steps) > EVERY else 1
        """The number of operations between checks of mutable values."""
        self.kind = kind
        self.restart()

    def restart(self) -> None:
        """Restart from the beginning, in a new process."""
        self.reference = KINDS[self.kind.name].expected(self.domain.rule.mirror)
        self.sent = self.done = self.queries = self.size = self.largest = 0
        self.begun = self.skipped = False

    def expect(self, start: int, end: int, put: Callable[[Any], None]) -> None:
        """Compute the right answers to these operations, and pass each to `put`."""
        steps = self.steps if end - start == len(self.steps) else self.steps[start:end]
        reference, lift = self.reference, self.domain.rule.mirror.lift
        try:
            if self.kind.name == "fifo":
                size, largest = self.size, self.largest
                for name, arguments in steps:
                    if name == "insert":
                        reference.insert(lift(arguments[0]))
                        size += 1
                    elif name == "evict":
                        reference.evict()
                        if size > largest:
                            largest = size
                        size -= 1
                    elif name == "query":
                        put(reference.query())
                    else:
                        getattr(reference, name)(*arguments)
                        if name == "bulk_evict":
                            largest, size = max(size, largest), size - arguments[0]
                self.size, self.largest = size, max(size, largest)
                return
            queries = self.kind.queries
            for name, arguments in steps:
                if name == "insert":
                    reference.insert(*arguments[:-1], lift(arguments[-1]))
                elif name in queries:
                    put(getattr(reference, name)(*arguments))
                else:
                    getattr(reference, name)(*arguments)
        except Exception:
            refuse_monoid(self.domain, self.steps[:end], self.kind)
            raise

    def tried(self) -> Tried:
        """Return the counts of operations run so far."""
        if self.skipped:
            return Tried()
        known = self.kind.name == "fifo" and self.done == self.sent  # not those sent past a failure
        largest = self.largest if known else largest_window(self.steps[: self.done], self.kind)
        return Tried(1, self.done, self.queries, largest)


def alike(domain: Domain, expected: list[Any], answers: list[Any]) -> bool:
    """Return whether all answers are certainly right: equal, and of equal types."""
    if type(domain.rule) is not Exactly or answers != expected:
        return False
    types = set(map(type, answers))
    return types == set(map(type, expected)) and (
        len(types) < 2 or list(map(type, answers)) == list(map(type, expected))
    )


def first_wrong(game: Game, asked: Sequence[int], wanted: Sequence[Any], got: Sequence[Any]) -> Failure | None:
    """Return the first wrong answer."""
    agree = game.domain.rule.agree
    for at, expected, answer in zip(asked, wanted, got, strict=False):
        if not agree(expected, answer):
            answer = like(expected, answer)
            if not agree(expected, answer):
                return Failure.wrong(game.domain, at, expected, answer)
    return None


def refuse_monoid(domain: Domain, steps: Sequence[Step], kind: Window) -> None:
    """Raise InputError if the domain's monoid, not the subject, raises during these operations."""
    reference: Any = KINDS[kind.name].expected(domain.rule.mirror)
    for at, step in enumerate(steps):
        try:
            if step.name == "insert":
                domain.operation.combine(domain.fresh().identity, domain.lifted(step.arguments[-1]))
            take(reference, step, domain.rule.mirror.lift)
        except Exception as error:  # a custom monoid may raise anything
            raise InputError(
                f"operation {at + 1}, {step}: the monoid {domain.name} raised {type(error).__name__}: {error}"
            ) from None
