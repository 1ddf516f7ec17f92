"""The runner: traces on a subject, which is in the sandbox, beside a reference, which is not.

The cost of the reference's answers does not grow with the window: for FIFO windows it is
`swagproof.reference.in_order.two_stacks.TwoStacks`, for out-of-order windows `swagproof.reference.trees.fiba.Fiba`;
both are proved.  The two answers are compared at each query.  Values that can be changed in place are watched as well:
a window that adds to a value that it was handed answers well, and ruins its neighbour.

Whatever the subject does, a legal trace ends in a `Failure` or in none (`swagproof.oracle.sandbox.playing`).  Only an
exception of a custom monoid is an input error.
"""

from collections.abc import Iterable, Iterator, Sequence

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain
from swagproof.oracle.outcome import Failure, Tried
from swagproof.oracle.search.attempts import Attempt, play_in_turn
from swagproof.oracle.subject import Subject
from swagproof.oracle.trace import Step


def run(subject: Subject, domain: Domain, steps: Sequence[Step], clock: Clock, tried: Tried) -> Failure | None:
    """Run a legal trace on a new window.  None when nothing is wrong, or the clock's deadline passed on the way.

    Raises InputError when the subject cannot be built, or the domain's own monoid raises, or the trace asks for what it
    lacks; KeyboardInterrupt on Ctrl-C.
    """
    return (subject.player or subject.running.play)(domain, steps, clock, tried)


def run_all(
    subject: Subject, attempts: Iterable[Attempt], clock: Clock
) -> Iterator[tuple[Attempt, Tried, Failure | None]]:
    """Run traces one after another, up to the first that fails, or the deadline: how much was tried, and what failed.

    Some are drawn before the last are judged.
    """
    if subject.player is None:
        return subject.running.play_all(attempts, clock)
    return play_in_turn(subject.player, attempts, clock)
