"""Events that go where another one of their micro-batch does: the window, or the time, is made once for all of it.

A batch is what has the same in a column that numbers batches, or so many events that came one after the other.  Which
of them says the time for all is one of four.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

from swagproof.models.windows.kinds import Counted, Frame
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Sample, get_arrival
from swagproof.pipeline.audit.causes.tried.divided import BATCHES, find_batch, is_batch

_BATCHES: Final = 8
"""How many batches of one size there are at least."""


def _get_time(e: Event) -> int:
    return e.time


_CHOICES: Final[Mapping[str, Callable[[list[Event]], Event]]] = {
    "its first event to come": partial(min, key=get_arrival),
    "its last event to come": partial(max, key=get_arrival),
    "its earliest event": partial(min, key=_get_time),
    "its latest event": partial(max, key=_get_time),
}


def list_batched(sample: Sample) -> Iterator[Hypothesis]:
    """The time of one event of each batch for all of it."""
    if isinstance(sample.window, Frame | Counted):
        return
    ways: list[tuple[str, Callable[[Event], int]]] = [
        (f"each {name}", partial(_get_cell, i)) for i, name in enumerate(sample.columns) if is_batch(sample, i)
    ]
    if sample.counts_all:
        sizes = (size for size in BATCHES if _BATCHES * size <= len(sample.arrivals))
        ways += [(f"each batch of {size:,} events", partial(find_batch, sample, size)) for size in sizes]
    for said, of in ways:
        for whose, choose in _CHOICES.items():
            why = f"counts all events of a batch ({said}) at the time of {whose}"
            events = partial(_put_together, sample.whole, of, choose)
            one = Hypothesis("counted with its batch", why, events=events, mixes=True, divides=True)
            if one.explains_some(sample):
                yield one


def _get_cell(i: int, e: Event) -> int:
    cell: int = e.others[i]
    return cell


def _put_together(
    whole: bool, of: Callable[[Event], int], choose: Callable[[list[Event]], Event], all_: Events
) -> Events:
    """The events at the times of those that are chosen of their batches: of all keys, or where these are not all there,
    of their own."""
    batches: dict[tuple[str, int], list[Event]] = {}
    for key, events in all_.items():
        for e in events:
            batches.setdefault(("" if whole else key, of(e)), []).append(e)
    times = {batch: choose(events).time for batch, events in batches.items()}
    moved = {key: [e._replace(time=times["" if whole else key, of(e)]) for e in events] for key, events in all_.items()}
    return {key: sorted(events, key=lambda e: e[:2]) for key, events in moved.items()}
