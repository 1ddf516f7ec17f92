"""Shadows of first-in first-out windows."""

from swagproof.contracts.shadows.shadow import Shadow
from swagproof.models.fifo import FifoWindow
from swagproof.models.monoid import A


class FifoShadow(Shadow[A]):
    """The shadow of a FIFO window, for `class CheckedDaba(FifoShadow[A], Daba[A])`."""

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
    """The shadow of a shared FIFO window, with a lookup of its newest elements."""

    def lookup(self, newest: int) -> A:
        """Look up in the algorithm."""
        return self._ask("lookup", newest)  # type: ignore[no-any-return]  # the algorithm's
