"""A FIFO window that others share, run beside the definition of right: as `Specified`, with a look-up of the newest."""

from typing import Any, ClassVar, Generic

from icontract import SLOW, ensure, snapshot

from swagproof.contracts.space import stored_aggregates
from swagproof.models.fifo import FifoWindow
from swagproof.models.monoid import A, Counting, Monoid


class SpecifiedLookup(Generic[A]):
    """A mix-in placed before an algorithm: `class CheckedFlatFit(SpecifiedLookup[A], FlatFit[A])`.

    What the contract says of space is a bound here: these algorithms keep more or less, as it comes.
    """

    contract: ClassVar[Any]

    def __init__(self, monoid: Monoid[A]) -> None:
        self.counting = Counting(monoid)
        self.model = FifoWindow(monoid)
        super().__init__(self.counting)  # type: ignore[call-arg]  # the algorithm's, next in line

    @snapshot(lambda self: (self.model.size, self.counting.calls, _savings(self)), name="before")
    @ensure(lambda self, OLD: self.contract.insert_calls(OLD.before[0], _calls(self, OLD)), "insert calls")
    @ensure(lambda self, OLD: _paid(self, "insert_paid", OLD), "insert paid", enabled=SLOW)
    @ensure(lambda self: _space(self), "space", enabled=SLOW)
    def insert(self, v: A) -> None:
        """Insert into the algorithm and into the model.  Raises as the algorithm, and then nothing has changed."""
        super().insert(v)  # type: ignore[misc]  # the algorithm's, next in line
        self.model.insert(v)

    @snapshot(lambda self: (self.model.size, self.counting.calls, _savings(self)), name="before")
    @ensure(lambda self, OLD: self.contract.evict_calls(OLD.before[0], _calls(self, OLD)), "evict calls")
    @ensure(lambda self, OLD: _paid(self, "evict_paid", OLD), "evict paid", enabled=SLOW)
    @ensure(lambda self: _space(self), "space", enabled=SLOW)
    def evict(self) -> None:
        """Evict from the algorithm and from the model.  Raises EmptyWindowError, and then nothing has changed."""
        super().evict()  # type: ignore[misc]  # the algorithm's, next in line
        self.model.evict()

    @snapshot(lambda self: (self.model.size, self.counting.calls), name="before")
    @ensure(lambda self, OLD: self.contract.query_calls(OLD.before[0], _calls(self, OLD)), "query calls")
    @ensure(lambda self: _shortened(self, self.model.size), "shortened")
    @ensure(lambda self, result: result == self.model.query(), "answer", enabled=SLOW)
    def query(self) -> A:
        """Query the algorithm."""
        return super().query()  # type: ignore[misc,no-any-return]  # the algorithm's, next in line

    @snapshot(lambda self: (self.model.size, self.counting.calls), name="before")
    @ensure(lambda self, newest, OLD: self.contract.query_calls(newest, _calls(self, OLD)), "lookup calls")
    @ensure(lambda self, newest: _shortened(self, newest), "lookup shortened")
    @ensure(
        lambda self, newest, result: result == self.model.product(self.model.size - newest, self.model.size),
        "lookup answer",
        enabled=SLOW,
    )
    def lookup(self, newest: int) -> A:
        """Look up the newest so many elements.  Raises ValueError for more than there are."""
        return super().lookup(newest)  # type: ignore[misc,no-any-return]  # the algorithm's, next in line


def _calls(self: Any, OLD: Any) -> int:
    return int(self.counting.calls - OLD.before[1])


def _savings(self: Any) -> Any:
    return self.contract.savings(self) if hasattr(self.contract, "savings") else None


def _shortened(self: Any, newest: int) -> bool:
    return not hasattr(self.contract, "shortened") or bool(self.contract.shortened(self, newest))


def _paid(self: Any, name: str, OLD: Any) -> bool:
    paid = getattr(self.contract, name, None)
    return paid is None or bool(paid(_calls(self, OLD), OLD.before[2], _savings(self)))


def _space(self: Any) -> bool:
    """The partial aggregates really kept, over strings: there they can be told from everything else."""
    if not isinstance(self.model.monoid.identity, str):
        return True
    return stored_aggregates(self, str) <= int(self.contract.space(self.model.size))
