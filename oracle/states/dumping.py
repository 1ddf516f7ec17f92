"""The states that a subject tells of itself along a failing trace, held against the papers' invariants.

A Python subject tells its state by a method `state()` without arguments that returns an object as
`swagproof.oracle.states.check` describes: what a JSON file would hold, but values may be as they are, and the fields
`monoid` and `window` may be left out: they are known here.  So the clause that breaks first is named, and after which
operation.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from swagproof.models.fifo import FifoWindow
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.oracle.domain import Domain, Exactly
from swagproof.oracle.outcome import Failure
from swagproof.oracle.states.check import check, state_of
from swagproof.oracle.subject import Subject
from swagproof.oracle.trace import InputError, Step

EVERY: Final = 1000
"""Operations of the longest trace that is looked at after every one of them; longer ones are after the last."""

AFRESH: Final = 100
"""The same of a program, which is given the trace anew each time."""

_MODELS: Final[dict[str, Callable[[Any], Any]]] = {"fifo": FifoWindow[Any], "out-of-order": OutOfOrderWindow[Any]}
"""The window by definition, for each kind of window."""


def broken_clause(subject: Subject, domain: Domain, steps: Sequence[Step], failure: Failure) -> str | None:
    """The first clause that a state of the subject's breaks along this trace, and after which operation.

    None where it tells no state, or none is broken; a state that cannot be read is said to be so.
    """
    if failure.kind in ("hung", "broken") or domain.lowered or type(domain.rule) is not Exactly:
        return None
    done = steps if failure.kind in ("wrong", "changed", "cost") else steps[:-1]
    if subject.window not in _MODELS or not done:
        return None
    if not subject.is_running or not subject.running.tells_states:
        return None
    model = _MODELS[subject.window](domain.operation)
    most = EVERY if subject.program is None else AFRESH
    wanted = range(len(done)) if len(done) <= most else range(len(done) - 1, len(done))
    states = subject.running.states(domain, done, wanted)
    try:
        for at, step in enumerate(done):
            _take(model, step, domain.lifted)
            told = _find_broken(next(states), domain, model) if at in wanted else None
            if told:
                return f"after operation {at + 1}, {step}: {told}"
    except (InputError, StopIteration) as error:
        return str(error) or None
    return None


def _take(window: Any, step: Step, lift: Callable[[Any], Any]) -> None:
    if step.name == "insert":
        window.insert(*step.arguments[:-1], lift(step.arguments[-1]))
    else:
        getattr(window, step.name)(*step.arguments)


def _find_broken(state: Any, domain: Domain, model: Any) -> str | None:
    """The first clause that this state breaks."""
    try:
        form, read = state_of(state, "its state", domain.operation, model)
    except InputError as error:
        return str(error)
    broken = next((clause for clause in check(form, read) if clause.outcome == "broken"), None)
    return None if broken is None else f"{form.algorithm}, {broken}"
