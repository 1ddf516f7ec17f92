"""What the oracle knows of each kind of window: the right answers, what to try, and how to speak of a history."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Protocol

from swagproof.oracle import fifo, out_of_order
from swagproof.oracle.attempts import Complete, Phase
from swagproof.oracle.domain import Domain
from swagproof.oracle.mistakes import InOrder, Mistake, OutOfOrder
from swagproof.oracle.trace import Step
from swagproof.oracle.window import FIFO, OUT_OF_ORDER, Window
from swagproof.reference.fiba import Fiba
from swagproof.reference.two_stacks import TwoStacks

ARITY: Final = 4
"""Min-arity of the reference for out-of-order windows: not the least, which is what its own exploration uses most."""


class History(Protocol):
    """What a window has been through when a trace ends, and what its last operation is about."""

    @property
    def elements(self) -> Sequence[Any]:
        """All elements that were inserted."""
        ...

    @property
    def size(self) -> int:
        """How many elements the answer is about."""
        ...

    @property
    def nothing(self) -> str:
        """Why the right answer is the identity, where it is."""
        ...

    @property
    def lead(self) -> str:
        """How a sentence begins; `str()` is how it ends."""
        ...

    def mistakes(self, domain: Domain, steps: Sequence[Step]) -> Iterator[Mistake]:
        """What usual mistakes would answer, the likeliest first."""
        ...


@dataclass(frozen=True)
class Kind:
    """A kind of window, as the oracle judges it."""

    window: Window
    expected: Callable[[Any], Any]
    """From a monoid, what gives the right answers: the same operations; the cost does not grow with the window."""
    phases: Callable[[Sequence[Domain], int, Complete, Sequence[str]], list[Phase]]
    """What to try, in this order, given domains, a seed, whom to tell of complete words, and the subject's methods."""
    history: Callable[[Sequence[Step]], History]
    simpler: Callable[[Sequence[Step]], Iterable[Sequence[Step]]] = lambda _: ()
    """Simpler traces near one, the simplest first, beyond what the minimiser does to any: other sizes, say."""


KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        kind.window.name: kind
        for kind in (
            Kind(FIFO, TwoStacks[Any], fifo.phases, InOrder.of),
            Kind(OUT_OF_ORDER, lambda monoid: Fiba[Any](monoid, ARITY), out_of_order.phases, OutOfOrder.of),
        )
    }
)
"""Every kind that can be judged, by name."""
