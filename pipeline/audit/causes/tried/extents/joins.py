"""What a job may have done wrong with sessions that an event joins: each step of taking them together, by itself.

An event opens a session of its own, and what touches that is made one with it: the first begin, the last end, the
events of all, and the sessions that were there are no more.  A job that leaves out a part of it has sessions that
overlap, end too soon, lack a part or stand beside the one that took them in; which is seen only of events that come out
of order.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal

from swagproof.models.windows.kinds import Session
from swagproof.models.windows.lateness import slack
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Sample, Window
from swagproof.pipeline.audit.causes.tried.cuts import sort_arrived

Side = Literal["all", "first", "last"]


@dataclass(frozen=True)
class _Join:
    """How an event and the sessions that it touches become one."""

    why: str
    touched: Side = "all"
    """Which of them it is made one with."""
    held: Side = "all"
    """Of which of them the events are taken over, where there are several."""
    end: Side = "all"
    """Whose end it has: the last of all, or that of the event that came last."""
    stays: bool = False
    """Whether those that were taken in by the first stay."""


_JOINS: Final = (
    _Join("joins an event that touches two sessions with the first of them alone", touched="first"),
    _Join("joins an event that touches two sessions with the last of them alone", touched="last"),
    _Join("keeps of sessions that are joined what the first holds alone", held="first"),
    _Join("keeps of sessions that are joined what the last holds alone", held="last"),
    _Join("ends a session the gap after the event that came last", end="last"),
    _Join("shows a session that was joined with another one by itself, too", stays=True),
)


@dataclass(frozen=True)
class _Run:
    """A session."""

    first: int
    last: int
    """The time that its end is the gap after."""
    events: tuple[Event, ...]


def list_joins(sample: Sample) -> Iterator[Hypothesis]:
    """Sessions that are joined otherwise."""
    if isinstance(sample.window, Session):
        for join in _JOINS:
            windows = partial(_merge, sample, sample.window, join)
            yield Hypothesis("sessions joined wrongly", join.why, windows=windows)


def _merge(sample: Sample, session: Session, join: _Join, events: list[Event]) -> Iterator[Window]:
    live: list[_Run] = []
    over: list[_Run] = []
    wait = slack(session) if sample.sessions == "own" else 0
    timed = sample.delay is not None and sample.lateness is not None
    for e in sort_arrived(events):
        late = False
        if timed:
            until = e.watermark if e.cleaned is None else e.cleaned
            over += [run for run in live if run.last + session.gap + wait + (sample.lateness or 0) <= until]
            live = [run for run in live if not any(run is other for other in over)]
            late = e.time + session.gap + (sample.lateness or 0) <= e.watermark
        live.sort(key=lambda run: run.first)
        touched = [run for run in live if not (session.parts(run.last, e.time) or session.parts(e.time, run.first))]
        if late and not (sample.sessions == "merged" and touched):
            continue
        live = _join(join, live, _choose(touched, join.touched), e)
    for run in (*over, *live):
        yield Window(run.first, run.last + session.gap, sorted(run.events, key=lambda e: e[:2]))


def _join(join: _Join, live: list[_Run], touched: list[_Run], e: Event) -> list[_Run]:
    held = _choose(touched, join.held)
    last = e.time if join.end == "last" else max([e.time, *(run.last for run in touched)])
    first = min([e.time, *(run.first for run in touched)])
    gone = touched[:1] if join.stays else touched
    events = (*(x for run in held for x in run.events), e)
    return [*(run for run in live if not any(run is other for other in gone)), _Run(first, last, events)]


def _choose(runs: list[_Run], side: Side) -> list[_Run]:
    return runs if side == "all" else runs[:1] if side == "first" else runs[-1:]
