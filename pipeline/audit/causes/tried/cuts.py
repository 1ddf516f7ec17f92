"""Where the events of a window, in the order in which they came, may have been cut: what came from there on, or up to
there, has the result that is there.

State that is begun again holds what came last, and state that is not changed any more what came first.  That some part
of so many fits by chance is likely for a count, and no more than its place is read off it: so a cut is never believed
by itself, but by what is common to those of many findings, or by the bits of the values
(`swagproof.pipeline.audit.causes.once.remains`).
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from swagproof.pipeline.audit.causes.sample import Event, Got, Name, Sample
from swagproof.pipeline.audit.rules import Answer


class Cuts(NamedTuple):
    """How many events came before the cut, of each cut that leaves the result that is there."""

    after: frozenset[int]
    """Where what came from there on has it."""
    before: frozenset[int]
    """Where what had come before has it."""


def find_cuts(
    sample: Sample, events: Sequence[Event], got: Sequence[Got], answer: Callable[[Sequence[Event]], Answer]
) -> Cuts:
    """All cuts of a window's events that leave its result; quadratic in how many there are."""
    came = sort_arrived(events)
    after, before = (
        frozenset(n for n in range(1, len(came)) if has_result(sample, keep(came, n, last=last), got, answer))
        for last in (True, False)
    )
    return Cuts(after, before)


def has_result(
    sample: Sample,
    events: Sequence[Event],
    got: Sequence[Got],
    answer: Callable[[Sequence[Event]], Answer] | None = None,
) -> bool:
    """Whether a window's result is that of some events, or is not there where there are none."""
    try:
        return sample.fits([(answer or sample.answer)(events)] if events else [], got)
    except (ArithmeticError, ValueError, TypeError):  # such events have no such aggregate
        return False


def sort_arrived(events: Sequence[Event]) -> list[Event]:
    """Events in the order in which they came."""
    return sorted(events, key=lambda e: e.arrival)


def keep(came: Sequence[Event], n: int, *, last: bool) -> list[Event]:
    """What came after the first n, or these, in the order of time."""
    return sorted(came[n:] if last else came[:n], key=lambda e: e[:2])


def count_alone(sample: Sample, name: Name) -> float:
    """How many wrong answers single events of a window have: of a last value, or the greatest, no mistake that takes
    another event has more.  No end of them where what is due is no such answer."""
    due = sample.due.get(name, ())
    if len(due) != 1 or name not in sample.results:
        return float("inf")
    right = sample.answers[name][0].text
    alone = {sample.answer([e]).text for e in due[0].events}
    return len(alone) - 1 if right in alone else float("inf")
