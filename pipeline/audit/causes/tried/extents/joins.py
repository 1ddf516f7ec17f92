"""What a job may have done wrong with sessions that an event joins: each step of taking them together, by itself.

An event opens a session of its own, and what touches that is made one with it: the first begin, the last end, the
events of all, and the sessions that were there are no more.  A job that leaves out a part of it has sessions that
overlap, end too soon, lack a part or stand beside the one that took them in; which is seen only of events that come out
of order.

A job that keeps one session of a key at a time has nothing to take together: what does not touch the one there is ends
it, however early its time.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import log2
from typing import Final, Literal

from swagproof.models.windows.kinds import Session
from swagproof.models.windows.lateness import slack
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Foretold, Part, Sample, Window, time_and_arrival
from swagproof.pipeline.audit.causes.tried.cuts import sort_arrived

Side = Literal["all", "first", "last", "largest", "smallest", "oldest", "newest", "idle", "busy"]
End = Literal["all", "last"]
Begin = Literal["least", "first"]
Stays = Literal["none", "live", "others", "all", "grown"]


@dataclass(frozen=True)
class _Run:
    """A session."""

    first: int
    last: int
    """The time that its end is the gap after."""
    events: tuple[Event, ...]


@dataclass(frozen=True)
class _Join:
    """How an event and the sessions that it touches become one."""

    why: str
    touched: Side = "all"
    """Which of them it is made one with."""
    held: Side = "all"
    """Of which of them the events are taken over, where there are several."""
    ties: Callable[[_Run], int] = lambda run: run.first
    """Which one it is of those that hold as many events: the one of which this is least."""
    end: End = "all"
    """Whose end it has: the last of all, or that of the event that came last."""
    stays: Stays = "none"
    """Which of those that were taken in stay: those after the first, and they take events as before; or they are
    written as they were then: those after the first, all of several, or even the one that an event went into."""


_GROWN: Final = _Join("shows each session that an event makes longer as it was before, too", stays="grown")

_TIES: Final[tuple[Callable[[_Run], int], ...]] = (
    lambda run: run.first,
    lambda run: -run.first,
    lambda run: run.events[-1].arrival,
    lambda run: -run.events[-1].arrival,
)
"""Which one is taken of those that hold as many events: nothing is said of it, as few findings tell."""

_JOINS: Final = (
    _Join("does not merge two sessions that an event touches, and joins it with the first of them", touched="first"),
    _Join("does not merge two sessions that an event touches, and joins it with the last of them", touched="last"),
    _Join(
        "does not merge two sessions that an event touches, and joins it with the one that was begun first",
        touched="oldest",
    ),
    _Join(
        "does not merge two sessions that an event touches, and joins it with the one that was begun last",
        touched="newest",
    ),
    _Join(
        "does not merge two sessions that an event touches, and joins it with the one that had none for longest",
        touched="idle",
    ),
    _Join(
        "does not merge two sessions that an event touches, and joins it with the one that had one last", touched="busy"
    ),
    _Join("keeps of sessions that are joined what the first holds alone", held="first"),
    _Join("keeps of sessions that are joined what the last holds alone", held="last"),
    _Join("keeps of sessions that are joined what the one that was begun first holds alone", held="oldest"),
    _Join("keeps of sessions that are joined what the one that was begun last holds alone", held="newest"),
    *(
        _Join("keeps of sessions that are joined what the one with most events holds alone", held="largest", ties=ties)
        for ties in _TIES
    ),
    *(
        _Join(
            "keeps of sessions that are joined what the one with fewest events holds alone", held="smallest", ties=ties
        )
        for ties in _TIES
    ),
    _Join("ends a session the gap after the event that came last", end="last"),
    _Join("shows a session that was joined with another one by itself, too", stays="live"),
    _Join("shows a session that an earlier one took in as it was then, too", stays="others"),
    _Join("shows both of two sessions that are joined as they were then, too", stays="all"),
    _GROWN,
)


_ENDS: Final[tuple[End, ...]] = ("last", "all")
_BEGINS: Final[tuple[Begin, ...]] = ("least", "first")


def list_joins(sample: Sample) -> Iterator[Hypothesis]:
    """Sessions that are joined otherwise, and one session of each key at a time."""
    if not isinstance(sample.window, Session):
        return
    for join in _JOINS:
        windows = partial(_merge, sample, sample.window, join)
        chosen = join.held != "all"  # by chance the one of two that is kept is so now and then: it is of all or of none
        yield Hypothesis("sessions joined wrongly", join.why, windows=windows, divides=chosen)
    yield Hypothesis(
        "sessions joined wrongly",
        "shows sessions as they were at some time before an event made them longer, too",
        results=partial(_show_earlier, sample, sample.window),
        chooses=True,
    )
    singles = list(_list_singles(sample))
    for single in singles:
        windows = partial(_go_on, sample, sample.window, single)
        yield Hypothesis("sessions parted otherwise", single.tell(), windows=windows, bits=log2(len(singles)))


def _list_leavers(sample: Sample, session: Session, e: Event, live: Sequence[_Run]) -> list[_Run]:
    """The sessions that are over when an event comes."""
    if sample.delay is None or sample.lateness is None:
        return []
    wait = slack(session) if sample.sessions == "own" else 0
    until = e.watermark if e.cleaned is None else e.cleaned
    return [run for run in live if run.last + session.gap + wait + sample.lateness <= until]


def _is_late(sample: Sample, session: Session, e: Event) -> bool:
    """Whether an event is late for a session of its own."""
    if sample.delay is None or sample.lateness is None:
        return False
    return not sample.is_ahead(e) if sample.by_time else bool(e.time + session.gap + sample.lateness <= e.watermark)


def _merge(sample: Sample, session: Session, join: _Join, events: list[Event]) -> Iterator[Window]:
    live: list[_Run] = []
    over: list[_Run] = []
    for e in sort_arrived(events):
        gone = _list_leavers(sample, session, e, live)
        over += gone
        live = [run for run in live if not any(run is other for other in gone)]
        live.sort(key=lambda run: run.first)
        touched = [run for run in live if not (session.parts(run.last, e.time) or session.parts(e.time, run.first))]
        if _is_late(sample, session, e) and not (sample.sessions == "merged" and touched):
            continue
        touched = _choose(join, touched, join.touched)
        if join.stays == "grown" or (join.stays == "all" and len(touched) > 1):
            over += touched
        elif join.stays == "others":
            over += touched[1:]
        live = _join(join, live, touched, e)
    for run in (*over, *live):
        yield Window(run.first, run.last + session.gap, sorted(run.events, key=time_and_arrival))


def _show_earlier(sample: Sample, session: Session, found: Foretold) -> Foretold:
    """Of sessions as they were once those that are there, beside what they have become."""
    made = dict(found)
    for key in {name[0] for name in sample.open if name in sample.results and name not in found}:
        for was in _merge(sample, session, _GROWN, sample.events.get(key, [])):
            name, part = sample.name(key, was.a, was.b), Part(was.events)
            shown = sample.results.get(name, ())
            if name not in made and len(shown) == 1 and sample.agrees(sample.answer(was.events), shown[0]):
                made[name] = [part]
    return made


def _join(join: _Join, live: list[_Run], touched: list[_Run], e: Event) -> list[_Run]:
    held = _choose(join, touched, join.held)
    last = e.time if join.end == "last" else max([e.time, *(run.last for run in touched)])
    first = min([e.time, *(run.first for run in touched)])
    gone = touched[:1] if join.stays == "live" else touched
    events = (*(x for run in held for x in run.events), e)
    return [*(run for run in live if not any(run is other for other in gone)), _Run(first, last, events)]


def _choose(join: _Join, runs: list[_Run], side: Side) -> list[_Run]:
    """Some of the sessions, that are in the order of time."""
    match side:
        case "all":
            return runs
        case "first":
            return runs[:1]
        case "last":
            return runs[-1:]
        case "largest" | "smallest":
            sign = 1 if side == "smallest" else -1
            return sorted(runs, key=lambda run: (sign * len(run.events), join.ties(run)))[:1]
        case "oldest" | "newest":
            ordered = sorted(runs, key=lambda run: min(e.arrival for e in run.events))
            return ordered[:1] if side == "oldest" else ordered[-1:]
        case "idle" | "busy":
            ordered = sorted(runs, key=lambda run: max(e.arrival for e in run.events))
            return ordered[:1] if side == "idle" else ordered[-1:]


@dataclass(frozen=True)
class _Single:
    """How a key has one session at a time."""

    joins: Literal["near", "later", "nearest"]
    """Whether an event goes into it that touches it; or any but one that comes too long after it; or one no farther
    than the gap from the event that came last."""
    end: End
    """Whose end it has: the last of all, or that of the event that came last."""
    begin: Begin
    """Whether it begins with the least time, or with what came first."""
    late: bool
    """Whether an event that is late goes into a session that is there."""

    def tell(self) -> str:
        """What a job does with it."""
        parts = {
            "near": "an event that does not touch it",
            "later": "an event that comes the gap after it",
            "nearest": "an event the gap before or after the one that came last",
        }[self.joins]
        said = f"has one session of a key at a time, which {parts} ends"
        said += ", and has it end the gap after the event that came last" if self.end == "last" else ""
        said += ", and begin with what came first" if self.begin == "first" else ""
        return said + (", and puts late events into it, too" if self.late else "")


def _list_singles(sample: Sample) -> Iterator[_Single]:
    for late in (False, True) if sample.delay is not None else (False,):
        for end in _ENDS:
            yield _Single("near", end, "least", late)
            for begin in _BEGINS:
                yield _Single("later", end, begin, late)
                yield _Single("nearest", end, begin, late)


def _go_on(sample: Sample, session: Session, single: _Single, events: list[Event]) -> Iterator[Window]:
    gap, run = session.gap, None
    begin = newest = 0
    for e in sort_arrived(events):
        if run is not None and _list_leavers(sample, session, e, [run]):
            yield Window(begin, run.last + gap, sorted(run.events, key=time_and_arrival))
            run = None
        if _is_late(sample, session, e) and not (single.late and run is not None):
            continue
        if run is not None:
            last = newest if single.joins == "nearest" else run.last
            first = newest if single.joins == "nearest" else run.first
            if session.parts(last, e.time) or (single.joins != "later" and session.parts(e.time, first)):
                yield Window(begin, run.last + gap, sorted(run.events, key=time_and_arrival))
                run = None
        before = () if run is None else run.events
        last = e.time if run is None or single.end == "last" else max(run.last, e.time)
        first = e.time if run is None else min(run.first, e.time)
        begin = e.time if run is None else begin if single.begin == "first" else first
        run, newest = _Run(first, last, (*before, e)), e.time
    if run is not None:
        yield Window(begin, run.last + gap, sorted(run.events, key=time_and_arrival))
