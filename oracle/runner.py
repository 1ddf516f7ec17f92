"""The runner: runs traces on a subject in the sandbox and on a reference outside it.

The cost of the reference's answers does not grow with the window: the reference is
`swagproof.reference.in_order.two_stacks.TwoStacks` for FIFO windows, and `swagproof.reference.trees.fiba.Fiba` for
out-of-order windows; both are proved.  The two answers are compared at each query.  Values that can be changed in place
are watched as well: a window that modifies a value it was given may answer correctly and corrupt its neighbour.

Whatever the subject does, a legal trace ends with a `Failure` or with none (`swagproof.oracle.sandbox.playing`).  Only
an exception of a custom monoid is an input error.
"""

from collections.abc import Iterable, Iterator, Sequence

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain
from swagproof.oracle.outcome import Failure, Tried
from swagproof.oracle.search.attempts import Attempt, play_in_turn
from swagproof.oracle.subject import Subject
from swagproof.oracle.trace import Step


def run(subject: Subject, domain: Domain, steps: Sequence[Step], clock: Clock, tried: Tried) -> Failure | None:
    """Run a legal trace on a new window.  None if nothing fails, or if the clock's deadline passes.

    Raises InputError if the subject cannot be built, the domain's own monoid raises, or the trace has an operation that
    the subject lacks; KeyboardInterrupt on Ctrl-C.
    """
    return (subject.player or subject.running.play)(domain, steps, clock, tried)


def run_all(
    subject: Subject, attempts: Iterable[Attempt], clock: Clock
) -> Iterator[tuple[Attempt, Tried, Failure | None]]:
    """Run traces until one fails, or the deadline; return the counts, and the failure.

    Some are drawn before the last are judged.
    """
    if subject.player is None:
        return subject.running.play_all(attempts, clock)
    return play_in_turn(subject.player, attempts, clock)
