"""The operations of a failure over distinct letters: the answer shows which element is lost or misplaced."""

from collections.abc import Sequence
from typing import Final

from swagproof.oracle.clock import Clock
from swagproof.oracle.domain import Domain
from swagproof.oracle.domains.elements import distinct_letters
from swagproof.oracle.outcome import Failure, Tried
from swagproof.oracle.plan import Finding
from swagproof.oracle.runner import run
from swagproof.oracle.subject import Subject, load_monoid
from swagproof.oracle.trace import InputError, Step, largest_window

LETTERS: Final = "concatenation"
"""The monoid over which failures are also shown, in windows of up to `LETTERED` elements, since answers grow."""

LETTERED: Final = 2048


def show_over_letters(
    subject: Subject, domain: Domain, steps: Sequence[Step], failure: Failure, clock: Clock
) -> Finding | None:
    """Return the same failure over distinct letters; None if the trace passes there, or uses them already."""
    alike = failure.kind in ("wrong", "raised", "cost")
    if not alike or domain.lowered or (subject.monoids is not None and LETTERS not in subject.monoids):
        return None  # a subject with lowered answers may compute one function, whatever its monoid
    if largest_window(steps, subject.kind) > LETTERED:
        return None
    over = subject.over(load_monoid(LETTERS))
    letters = distinct_letters()
    lettered = tuple(
        Step(step.name, (*step.arguments[:-1], next(letters))) if step.name == "insert" else step for step in steps
    )
    if domain.name == over.name and lettered == tuple(steps):
        return None
    try:
        failed = run(subject, over, lettered, clock, Tried())
    except InputError:  # it does not accept letters
        return None
    found = failed is not None and failed.kind == failure.kind and failed.at == len(steps) - 1
    return Finding(over, lettered, failed, "over letters") if failed is not None and found else None
