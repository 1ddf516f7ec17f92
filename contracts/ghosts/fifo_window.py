"""First-in first-out windows beside their definition: what each operation answers, and what it may cost."""

from icontract import SLOW, ensure, snapshot

from swagproof.contracts.ghosts.ghost import Before, Ghost, shortened
from swagproof.models.fifo import FifoWindow
from swagproof.models.monoid import A


class FifoGhost(Ghost[A]):
    """For `class CheckedDaba(FifoGhost[A], Daba[A])`."""

    definition = FifoWindow

    @snapshot(lambda self: Before(self), name="before")
    @ensure(lambda self, OLD: self.contract.insert_calls(OLD.before.n, OLD.before.calls_of(self)), "insert calls")
    @ensure(lambda self, OLD: OLD.before.paid(self, "insert_paid"), "insert paid")
    @ensure(lambda self: self._keeps_space(self.model.size), "space", enabled=SLOW)
    def insert(self, v: A) -> None:
        """Insert into the algorithm and into the model.  Raises as the algorithm, and then nothing has changed."""
        self._both("insert", v)

    @snapshot(lambda self: Before(self), name="before")
    @ensure(lambda self, OLD: self.contract.evict_calls(OLD.before.n, OLD.before.calls_of(self)), "evict calls")
    @ensure(lambda self, OLD: OLD.before.paid(self, "evict_paid"), "evict paid")
    @ensure(lambda self: self._keeps_space(self.model.size), "space", enabled=SLOW)
    def evict(self) -> None:
        """Evict from the algorithm and from the model.  Raises EmptyWindowError, and then nothing has changed."""
        self._both("evict")

    @snapshot(lambda self: Before(self), name="before")
    @ensure(lambda self, OLD: self.contract.query_calls(OLD.before.n, OLD.before.calls_of(self)), "query calls")
    @ensure(lambda self, result: result == self.model.query(), "answer", enabled=SLOW)
    def query(self) -> A:
        """Query the algorithm."""
        return self._ask("query")  # type: ignore[no-any-return]  # the algorithm's


class LookupGhost(FifoGhost[A]):
    """The same for a window that others share, with a look-up of the newest elements."""

    @snapshot(lambda self: Before(self), name="before")
    @ensure(lambda self, newest, OLD: self.contract.query_calls(newest, OLD.before.calls_of(self)), "lookup calls")
    @ensure(lambda self, newest: shortened(self, newest), "lookup shortened")
    @ensure(
        lambda self, newest, result: result == self.model.product(self.model.size - newest, self.model.size),
        "lookup answer",
        enabled=SLOW,
    )
    def lookup(self, newest: int) -> A:
        """Look up the newest so many elements.  Raises ValueError for more than there are."""
        return self._ask("lookup", newest)  # type: ignore[no-any-return]  # the algorithm's
