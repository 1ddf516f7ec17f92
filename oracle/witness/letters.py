"""The operations of a failure over letters, all distinct: what is lost, or in another place, is read off the answer."""

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
"""The monoid over which failures are shown as well, in windows of up to so many elements: answers grow with them."""

LETTERED: Final = 2048


def show_over_letters(
    subject: Subject, domain: Domain, steps: Sequence[Step], failure: Failure, clock: Clock
) -> Finding | None:
    """The same operations over letters, all distinct, if they fail there alike, and are not the same already."""
    alike = failure.kind in ("wrong", "raised", "cost")
    if not alike or domain.lowered or (subject.monoids is not None and LETTERS not in subject.monoids):
        return None  # who answers in the end may compute one function, whatever its monoid
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
    except InputError:  # it takes no letters
        return None
    found = failed is not None and failed.kind == failure.kind and failed.at == len(steps) - 1
    return Finding(over, lettered, failed, "over letters") if failed is not None and found else None
