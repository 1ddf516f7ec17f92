"""Windows that overlap and are one in the state: what is added to one of them the others have, too.

An object that is made once and put into several windows is one, whatever they are called: those that the same event
opens share it, or those that overlap one after the other, or all of a key.  An event that is in several of them is
added as often, or once; and a window is shown with what is there when it is over, or in the end.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import log2
from typing import Final, Literal

from swagproof.models.windows.kinds import Calendar, Sliding
from swagproof.models.windows.lateness import slack
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Sample, Window, split, take_all
from swagproof.pipeline.audit.causes.tried.cuts import sort_arrived

_MOST: Final = 100_000
"""How many events the windows of all keys hold at most, those counted that they have of others."""

_ONCE: Final = ("min", "max", "distinct-count")
"""Aggregates of which an event that is added again makes no other."""

Share = Literal["opened", "overlapping", "all"]
_SHARES: Final[dict[Share, str]] = {
    "opened": "all windows that an event opens",
    "overlapping": "windows that overlap",
    "all": "all windows of a key",
}


@dataclass(frozen=True)
class _State:
    """What windows have in common, and when they are shown."""

    share: Share
    each: bool
    """Whether an event is added for each of its windows."""
    fires: bool
    """Whether a window is shown when it is over."""

    def tell(self) -> str:
        """What a job does with it."""
        often = ", to which each event is added once for each of its windows" if self.each else ""
        shown = ", and shows each when it is over" if self.fires else ""
        return f"has one state for {_SHARES[self.share]}{often}{shown}"


def list_shared(sample: Sample) -> Iterator[Hypothesis]:
    """Overlapping windows that share what they hold."""
    window = sample.window
    if not isinstance(window, Sliding | Calendar) or window.range <= window.slide:
        return
    events = sum(len(part.events) for parts in sample.due.values() for part in parts)
    if events * -(-window.range // window.slide) > _MOST:
        return
    often = (False,) if sample.aggregation.name in _ONCE else (True, False)
    states = [_State(share, each, fires) for share, each, fires in product(_SHARES, often, (False, True))]
    for state in states:
        windows = partial(_share, sample, state)
        yield Hypothesis("state shared", state.tell(), windows=windows, takes=take_all, bits=log2(len(states)))


def _share(sample: Sample, state: _State, events: list[Event]) -> Iterator[Window]:
    cut = list(split(sample.window, events))
    of: dict[int, list[int]] = {}
    for i, window in enumerate(cut):
        for e in window.events:
            of.setdefault(id(e), []).append(i)
    held: dict[int, list[Event]] = {}
    whole: list[Event] = []
    over: dict[int, list[Event]] = {}
    for e in sort_arrived(events):
        if state.fires:
            at = e.time if sample.delay is None else e.watermark
            over |= {i: list(there) for i, there in held.items() if i not in over and cut[i].b <= at}
        mine = [i for i in of.get(id(e), ()) if sample.takes(e, cut[i].b + slack(sample.window))]
        live = [held[i] for i in mine if i in held]
        opened: list[Event] = whole if state.share == "all" else []
        if state.share == "overlapping" and live:
            opened = live[0]
        for i in mine:
            held.setdefault(i, opened)
        states = [held[i] for i in mine]
        for one in states if state.each else {id(one): one for one in states}.values():
            one.append(e)
    for i, in_state in held.items():
        shown = over.get(i, in_state)
        yield Window(cut[i].a, cut[i].b, sorted(shown, key=lambda e: e[:2]))
