"""First-in first-out windows beside their definition."""

from swagproof.contracts.shadows.shadow import Shadow
from swagproof.models.fifo import FifoWindow
from swagproof.models.monoid import A


class FifoShadow(Shadow[A]):
    """For `class CheckedDaba(FifoShadow[A], Daba[A])`."""

    definition = FifoWindow

    def insert(self, v: A) -> None:
        """Insert into the algorithm and into the model."""
        self._both("insert", v)

    def evict(self) -> None:
        """Evict from the algorithm and from the model."""
        self._both("evict")

    def query(self) -> A:
        """Query the algorithm."""
        return self._ask("query")  # type: ignore[no-any-return]  # the algorithm's


class LookupShadow(FifoShadow[A]):
    """The same for a window that others share, with a look-up of its newest elements."""

    def lookup(self, newest: int) -> A:
        """Look up in the algorithm."""
        return self._ask("lookup", newest)  # type: ignore[no-any-return]  # the algorithm's
