"""The runner: traces on a subject, which is in the sandbox, beside the reference, which is not.

Whether an answer is right can be said only beside an answer that is known to be; computed from a list of the window, it
would cost as much as the window is long, and most of the budget would go into our own side.  So the expected answer is
that of a reference whose cost does not grow with the window.  For FIFO windows it is
`swagproof.reference.in_order.two_stacks.TwoStacks`, which is proved, at a constant number of combine calls for each
operation (amortised).  For out-of-order windows it is `swagproof.reference.trees.fiba.Fiba`, which is proved:
amortised, insert and evict pay for their distance from the nearer end alone.  At each query, of the window or of a
range, the two answers are compared.

Right answers are not all: where values can be changed in place, a window that adds to a value it was handed answers
well, and ruins its neighbour; so such values are watched.

Whatever the subject does, its legal trace ends in a `Failure` or in none: what it raises, prints or never returns from
is its own, and so is the end of its process; only what the user's own monoid raises is an input error.  How that is
kept is told in `swagproof.oracle.sandbox.playing`.
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
