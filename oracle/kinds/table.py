"""The table of kinds of window: expected results, traces to try, and descriptions of histories."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Any, Final, Protocol

from swagproof.oracle.domain import DEFAULT, Domain
from swagproof.oracle.kinds import bulk, fifo, frame, lapsing, out_of_order, shared
from swagproof.oracle.kinds.frame_history import FrameHistory, find_wrong_row
from swagproof.oracle.mistakes import InOrder, Lapsed, Mistake, OutOfOrder, Shared
from swagproof.oracle.search.attempts import Attempt, Phase
from swagproof.oracle.trace import Step
from swagproof.oracle.window import FIFO, FRAME, OUT_OF_ORDER, SHARED, TIME, Window

ARITY: Final = 4
"""The min-arity of the reference for out-of-order windows; its own exploration mostly uses the least."""


class History(Protocol):
    """A window's history at the end of a trace, and the window or range that its last operation asks about."""

    @property
    def elements(self) -> Sequence[Any]:
        """All inserted elements."""
        ...

    @property
    def size(self) -> int:
        """The number of elements in the answer."""
        ...

    @property
    def nothing(self) -> str:
        """The reason why the right answer is the identity, if it is."""
        ...

    @property
    def lead(self) -> str:
        """The beginning of a sentence; `str()` is its end."""
        ...

    def mistakes(self, domain: Domain, steps: Sequence[Step]) -> Iterator[Mistake]:
        """Yield the answers of usual mistakes, the likeliest first."""
        ...


@dataclass(frozen=True)
class Kind:
    """The oracle's definition of a kind of window."""

    window: Window
    expected: Callable[[Any], Any]
    """Builds the reference from a monoid: the same operations, at a cost that does not grow with the window."""
    phases: Callable[[Sequence[Domain], int, Sequence[str]], list[Phase]]
    """The traces to try, given domains, a seed, and the subject's methods."""
    history: Callable[[Sequence[Step]], History]
    simpler: Callable[[Sequence[Step]], Iterable[Sequence[Step]]] = lambda _: ()
    """Simpler traces near one, the simplest first, besides those that the minimiser always tries: other sizes, say."""
    structures: Callable[[Domain], Iterable[Attempt]] = lambda _: ()
    """Small windows of every structure that only this kind has, the smallest first, for the minimiser."""
    adapt: Callable[[Domain], Domain] = lambda domain: domain
    """The domain with this kind's rule for answers: for many answers at once, say."""
    explain: Callable[[Domain, Sequence[Step], Any], tuple[str, str] | None] = lambda _domain, _steps, _answer: None
    """The diagnosis and description of a wrong answer that fits no usual mistake."""
    siblings: Callable[[Domain, Sequence[Step]], Iterable[Sequence[Step]]] | None = None
    """Traces similar to a failing one, which a cause must explain as well before it is named; for kinds whose usual
    mistakes change more than one answer."""
    domains: Sequence[str] = DEFAULT
    """The domains for a subject that takes any monoid."""
    effort: int = 1_000_000
    """The default effort in operations: about ten seconds for a Python class."""


KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        kind.window.name: kind
        for kind in (
            Kind(
                FIFO,
                bulk.BulkedFifo[Any],
                fifo.phases,
                InOrder.of,
                bulk.simpler_counts,
                effort=1_100_000,  # it includes growth at every capacity to 256 and every offset
            ),
            Kind(
                OUT_OF_ORDER,
                lambda monoid: bulk.Bulked[Any](monoid, ARITY),
                out_of_order.phases,
                OutOfOrder.of,
                bulk.simpler,
                structures=lambda domain: out_of_order.shapes([domain], Random(0)),
            ),
            Kind(
                TIME,
                lapsing.Lapsing[Any],
                lapsing.phases,
                Lapsed.of,
                lapsing.simpler,
                structures=lapsing.short_words,
            ),
            Kind(SHARED, shared.Sharing[Any], shared.phases, Shared.of, shared.simpler),
            Kind(
                FRAME,
                frame.Frames[Any],
                frame.phases,
                FrameHistory.of,
                frame.simpler,
                adapt=frame.judge_each_row,
                explain=find_wrong_row,
                siblings=frame.siblings,
                domains=frame.DOMAINS,
                effort=300_000,
            ),
        )
    }
)
"""All kinds of window, by name."""
