"""A window kept as a queue of two stacks, of which one is turned over onto the other, that combines in a wrong order.

Where the front has run empty, what is in the back is turned over: from the newest event to the oldest, each in front of
what is there already.  Whoever combines the other way round, or asks for the back before the front, has the right sums.
(Two-Stacks: see `swagproof.reference`.)
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from swagproof.models.windows.kinds import Counted, Frame, Sliding
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Sample, Window

_Join = Callable[[Sequence[Event], Sequence[Event]], Sequence[Event]]

_WAYS: Final[tuple[tuple[str, _Join], ...]] = (
    ("combines the wrong way round where it turns its back stack over", lambda front, back: [*reversed(front), *back]),
    (
        "combines the wrong way round where it inserts into its back stack",
        lambda front, back: [*front, *reversed(back)],
    ),
    ("combines its back stack with its front stack, in place of front with back", lambda front, back: [*back, *front]),
)
_FIRST: Final = {True: "inserting before it evicts", False: "evicting before it inserts"}


def list_stacked(sample: Sample) -> Iterator[Hypothesis]:
    """Windows that slide event by event or step by step, of two stacks."""
    window = sample.window
    slides = isinstance(window, Frame | Counted) or (isinstance(window, Sliding) and window.slide < window.range)
    if sample.aggregation.operation.commutative or not slides:
        return
    for why, join in _WAYS:
        for inserts, said in _FIRST.items():
            yield Hypothesis(
                "merge order",
                f"{why}, {said}",
                windows=partial(_stack, sample, join, inserts),
                needs=2,
                bits=1.0,
            )


def _stack(sample: Sample, join: _Join, inserts: bool, events: list[Event]) -> Iterator[Window]:
    """The windows, each with the events of its front and its back as they are joined."""
    begin = turned = last = 0  # what is in the front is from `begin` to `turned`, and in the back from there to `last`
    after = 0
    at = {e[:2]: i for i, e in enumerate(events)}
    for window in sample.split(sample.window, events):
        if not window.events:
            yield window
            continue
        if isinstance(sample.window, Sliding):
            if window.a > after:  # in windows without events all has gone
                begin = turned = last
            after = window.a + sample.window.slide
        first = at[window.events[0][:2]]
        end = first + len(window.events)
        there = end if inserts else last
        while begin < first:
            if begin >= turned:
                turned = there
            if turned <= begin:
                break
            begin = min(first, turned)
        begin, last = first, end
        cut = min(max(turned - first, 0), end - first)
        yield window._replace(events=join(window.events[:cut], window.events[cut:]))
