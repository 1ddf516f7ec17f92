"""An algorithm run beside the definition of right, so that its contracts can speak of v_0 ... v_{n-1}.

Two-Stacks Lite and DABA Lite overwrite the elements they were given; the invariants of the paper still speak of them.
`Specified` carries the window as a plain list beside the algorithm (a ghost: the algorithm never reads it), and states
what each operation answers and what it may cost.
"""

from typing import Any, ClassVar, Generic

from icontract import SLOW, ensure, snapshot

from swagproof.contracts.space import stored_aggregates
from swagproof.models.fifo import FifoWindow
from swagproof.models.monoid import A, Counting, Monoid


class Specified(Generic[A]):
    """A mix-in placed before an algorithm: `class CheckedDaba(Specified[A], Daba[A])`.

    `contract` is the algorithm's module of contracts; `model` the window by definition; `counting` the monoid that the
    algorithm is given, which counts its combine calls (the model's own do not count).
    """

    contract: ClassVar[Any]

    def __init__(self, monoid: Monoid[A]) -> None:
        self.counting = Counting(monoid)
        self.model = FifoWindow(monoid)
        super().__init__(self.counting)  # type: ignore[call-arg]  # the algorithm's, next in line

    @snapshot(lambda self: (self.model.size, self.counting.calls, _savings(self)), name="before")
    @ensure(lambda self, OLD: self.contract.insert_calls(OLD.before[0], _calls(self, OLD)), "insert calls")
    @ensure(lambda self, OLD: _paid(self, "insert_paid", OLD), "insert paid")
    @ensure(lambda self: _space(self), "space", enabled=SLOW)
    def insert(self, v: A) -> None:
        """Insert into the algorithm and into the model."""
        super().insert(v)  # type: ignore[misc]  # the algorithm's, next in line
        self.model.insert(v)

    @snapshot(lambda self: (self.model.size, self.counting.calls, _savings(self)), name="before")
    @ensure(lambda self, OLD: self.contract.evict_calls(OLD.before[0], _calls(self, OLD)), "evict calls")
    @ensure(lambda self, OLD: _paid(self, "evict_paid", OLD), "evict paid")
    @ensure(lambda self: _space(self), "space", enabled=SLOW)
    def evict(self) -> None:
        """Evict from the algorithm and from the model.  Raises EmptyWindowError, and then nothing has changed."""
        super().evict()  # type: ignore[misc]  # the algorithm's, next in line
        self.model.evict()

    @snapshot(lambda self: self.counting.calls, name="before")
    @ensure(
        lambda self, OLD: self.contract.query_calls(self.model.size, self.counting.calls - OLD.before), "query calls"
    )
    @ensure(lambda self, result: result == self.model.query(), "answer", enabled=SLOW)
    def query(self) -> A:
        """Query the algorithm."""
        return super().query()  # type: ignore[misc,no-any-return]  # the algorithm's, next in line


def _calls(self: Any, OLD: Any) -> int:
    return int(self.counting.calls - OLD.before[1])


def _savings(self: Any) -> Any:
    return self.contract.savings(self) if hasattr(self.contract, "savings") else None


def _paid(self: Any, name: str, OLD: Any) -> bool:
    """The account of the amortised claim, where the contracts keep one."""
    paid = getattr(self.contract, name, None)
    return paid is None or bool(paid(_calls(self, OLD), OLD.before[2], _savings(self)))


def _space(self: Any) -> bool:
    """The partial aggregates really kept, over strings: there they can be told from everything else."""
    if not isinstance(self.model.monoid.identity, str):
        return True
    return stored_aggregates(self, str) == int(self.contract.space(self.model.size))
