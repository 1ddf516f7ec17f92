"""Many windows over one stream beside their definition: the stream as a list, and each answer from nothing."""

from typing import Any

from icontract import SLOW, ensure, snapshot

from swagproof.contracts.ghosts.ghost import Ghost
from swagproof.models.monoid import A
from swagproof.models.shared import SharedWindows


class StreamGhost(Ghost[A]):
    """What all of them do alike."""

    definition = SharedWindows

    def register(self, size: int) -> None:
        """Register with the algorithm and with the model."""
        self._both("register", size)

    def insert(self, v: Any, /) -> None:
        """Insert into the algorithm and into the model."""
        self._both("insert", v)


class SharedGhost(StreamGhost[A]):
    """For `class CheckedNaiveStream(SharedGhost[A], NaiveStream[A])`.

    The contracts' `account` says what an operation's cost, and what it makes valid, is told from.
    """

    @snapshot(lambda self: self.contract.account(self), name="before")
    @ensure(lambda self, OLD: self.contract.insert_paid(OLD.before, self.contract.account(self)), "insert paid")
    @ensure(lambda self, v, OLD: _validates(self, "insert_validates", OLD.before, v), "insert validates")
    def insert(self, v: Any, /) -> None:
        """Insert into the algorithm and into the model."""
        self._both("insert", v)

    @snapshot(lambda self: self.contract.account(self), name="before")
    @ensure(
        lambda self, size, OLD: self.contract.lookup_paid(OLD.before, self.contract.account(self), size), "lookup paid"
    )
    @ensure(lambda self, size, OLD: _validates(self, "lookup_validates", OLD.before, size), "lookup validates")
    @ensure(lambda self, size, result: result == self.model.lookup(size), "answer", enabled=SLOW)
    def lookup(self, size: int) -> Any:
        """Ask the algorithm."""
        return self._ask("lookup", size)


def _validates(ghost: Ghost[Any], name: str, before: Any, argument: Any) -> bool:
    """Return what the operation makes valid, where the contracts speak of it."""
    stated = getattr(ghost.contract, name, None)
    return stated is None or bool(stated(before, ghost.contract.account(ghost), argument))


class TimeGramGhost(StreamGhost[A]):
    """For TimeGram, whose five look-ups answer with bounds."""

    @ensure(lambda self, window, result: self.contract.max_contains(result, self.model.window(window)), "max contains")
    @ensure(lambda self, result: self.contract.tight(result, self.width, 1), "max is tight")
    def max(self, window: int) -> Any:
        """Ask the algorithm, as below."""
        return self._ask("max", window)

    @ensure(lambda self, window, result: self.contract.min_contains(result, self.model.window(window)), "min contains")
    @ensure(lambda self, result: self.contract.tight(result, self.width, 1), "min is tight")
    def min(self, window: int) -> Any:
        """The least value."""
        return self._ask("min", window)

    @ensure(lambda self, window, result: self.contract.count_is(result, self.model.window(window)), "count is exact")
    def count(self, window: int) -> Any:
        """The number of tuples."""
        return self._ask("count", window)

    @ensure(lambda self, window, result: self.contract.sum_contains(result, self.model.window(window)), "sum contains")
    @ensure(
        lambda self, window, result: self.contract.tight(result, self.width, len(self.model.window(window))),
        "sum is tight",
    )
    def sum(self, window: int) -> Any:
        """The sum."""
        return self._ask("sum", window)

    @ensure(lambda self, window, result: self.contract.avg_contains(result, self.model.window(window)), "avg contains")
    @ensure(lambda self, result: self.contract.tight(result, self.width, 1), "avg is tight")
    def avg(self, window: int) -> Any:
        """The average."""
        return self._ask("avg", window)
