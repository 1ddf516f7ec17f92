"""The states that a subject tells of itself along a failing trace, held against the papers' invariants.

A Python subject tells its state by a method `state()` without arguments that returns an object as
`swagproof.oracle.states.check` describes: what a JSON file would hold, but values may be as they are, and the fields
`monoid` and `window` may be left out: they are known here.  So the clause that breaks first is named, and after which
operation.
"""

import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from typing import Any, Final

from swagproof.models.fifo import FifoWindow
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.oracle.clock import Clock, Hung
from swagproof.oracle.domain import Domain, Exactly
from swagproof.oracle.outcome import Failure
from swagproof.oracle.states.check import check, state_of
from swagproof.oracle.subject import Subject, build
from swagproof.oracle.trace import InputError, Step

EVERY: Final = 1000
"""Operations of the longest trace that is looked at after every one of them; longer ones are after the last."""

AFRESH: Final = 100
"""The same of a program, which is given the trace anew each time."""

_MODELS: Final[dict[str, Callable[[Any], Any]]] = {"fifo": FifoWindow[Any], "out-of-order": OutOfOrderWindow[Any]}
"""By kind of window, the window by definition."""


def broken_clause(
    subject: Subject, domain: Domain, steps: Sequence[Step], failure: Failure, clock: Clock
) -> str | None:
    """The first clause that a state of the subject's breaks along this trace, and after which operation.

    None where it tells no state, or none is broken; a state that cannot be read is said to be so.
    """
    if failure.kind in ("hung", "broken") or domain.raw or type(domain.rule) is not Exactly:
        return None
    done = steps if failure.kind in ("wrong", "changed", "cost") else steps[:-1]
    if subject.window not in _MODELS or not done:
        return None
    program = subject.program
    if program is None:
        return _follow(subject, domain, done, clock) if hasattr(subject.build, "state") else None
    if not program.dumps_state:
        return None
    model = _MODELS[subject.window](domain.operation)
    try:
        for at, step in enumerate(done):
            _take(model, step, domain.lifted)
            if len(done) <= AFRESH or at == len(done) - 1:
                told = _find_broken(program.state_after(domain, done[: at + 1]), domain, model)
                if told:
                    return f"after operation {at + 1}, {step}: {told}"
    except InputError as error:
        return str(error)
    return None


def _follow(subject: Subject, domain: Domain, steps: Sequence[Step], clock: Clock) -> str | None:
    """As `broken_clause`, of a Python object."""
    model, progress = _MODELS[subject.window](domain.operation), iter(steps)
    clock.follow(progress)
    try:
        clock.watching = True
        with redirect_stdout(sys.stderr):
            window = build(subject, domain)
            for at, step in enumerate(progress):
                _take(window, step, domain.handed)
                _take(model, step, domain.lifted)
                if len(steps) <= EVERY or at == len(steps) - 1:
                    told = _find_broken(window.state(), domain, model)
                    if told:
                        return f"after operation {at + 1}, {step}: {told}"
    except (Hung, InputError):
        return None
    except Exception as error:  # its state() may raise anything
        return f"state() raised {type(error).__name__}: {error}"
    finally:
        clock.watching = False
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
