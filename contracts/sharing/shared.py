"""An implementation of shared windows run beside the definition of right.

`SpecifiedSharing` carries the stream as a list beside the algorithm, which never reads it, and states what a lookup
answers and what each operation may cost.
"""

from typing import Any, ClassVar

from icontract import SLOW, ensure, snapshot

from swagproof.models.shared import SharedWindows


class SpecifiedSharing:
    """A mix-in placed before an algorithm: `class CheckedNaiveStream(SpecifiedSharing, NaiveStream[A])`.

    `contract` is the algorithm's module of contracts, whose `account` says what an operation's cost is told from;
    `model` the windows by definition.
    """

    contract: ClassVar[Any]
    model: SharedWindows[Any]

    def register(self, size: int) -> None:
        """Register with the algorithm and with the model."""
        super().register(size)  # type: ignore[misc]  # the algorithm's, next in line
        self.model.register(size)

    @snapshot(lambda self: self.contract.account(self), name="before")
    @ensure(lambda self, OLD: self.contract.insert_paid(OLD.before, self.contract.account(self)), "insert paid")
    @ensure(lambda self, v, OLD: _validates(self, "insert_validates", OLD.before, v), "insert validates")
    def insert(self, v: Any, /) -> None:
        """Insert into the algorithm and into the model."""
        super().insert(v)  # type: ignore[misc]  # the algorithm's, next in line
        self.model.insert(v)

    @snapshot(lambda self: self.contract.account(self), name="before")
    @ensure(
        lambda self, size, OLD: self.contract.lookup_paid(OLD.before, self.contract.account(self), size), "lookup paid"
    )
    @ensure(lambda self, size, OLD: _validates(self, "lookup_validates", OLD.before, size), "lookup validates")
    @ensure(lambda self, size, result: result == self.model.lookup(size), "answer", enabled=SLOW)
    def lookup(self, size: int) -> Any:
        """Ask the algorithm."""
        return super().lookup(size)  # type: ignore[misc]  # the algorithm's, next in line


def _validates(self: Any, name: str, before: Any, argument: Any) -> bool:
    """What the operation makes valid, where the contracts speak of it."""
    stated = getattr(self.contract, name, None)
    return stated is None or bool(stated(before, self.contract.account(self), argument))
