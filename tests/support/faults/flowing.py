"""What streaming jobs get wrong in the state they keep, in the timers they set and where they write; and what is near
each."""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final

from support.faults.begun import CLOCK, WIDE, again, tell_age
from support.faults.habits import VERSIONS, in_arrival, restarted
from support.faults.merged import fold
from support.faults.mistakes import UPDATE, few
from support.faults.planted import (
    GAP,
    LATE,
    SLIDE,
    SUM,
    TEXT,
    Came,
    Plant,
    Row,
    Windows,
    World,
    by_key,
    left_out,
    parts_in,
)

Run = tuple[int, int, list[Came]]
"""A session: its begin, its end and what it holds."""


def merged(w: World, keep: Callable[[list[Run]], list[Came]], gap: int = 6, *, shown: bool = False) -> list[Row]:
    """Sessions that are joined, of whose states some is kept; those that the first took in are `shown` as they were."""
    made: list[Row] = []
    for key, mine in sorted(by_key(w.events).items()):
        live: list[Run] = []
        for e in mine:
            touched = sorted((run for run in live if run[0] - gap < e.time < run[1]), key=lambda run: run[0])
            gone = touched[1:] if shown else ()
            made += [w.row(key, a, b, sum(x.value for x in held)) for a, b, held in gone]
            live = [run for run in live if run not in touched]
            a, b = min([e.time, *(run[0] for run in touched)]), max([e.time + gap, *(run[1] for run in touched)])
            live.append((a, b, [*(keep(touched) if touched else ()), e]))
        made += [w.row(key, a, b, sum(x.value for x in held)) for a, b, held in live]
    return made


def swallowed(w: World) -> list[Row]:
    """Sessions that an earlier one took in are written, too, as they were then."""
    return merged(w, lambda runs: [e for run in runs for e in run[2]], shown=True)


def flushed(w: World, every: int = 100, gap: int = 6) -> list[Row]:
    """Every 100 events what sessions there are is written; what one was that has grown since is not taken away."""
    made = dict[tuple[str, int, int], Row]()
    for n in (*range(every, len(w.events), every), len(w.events)):
        live = dict[str, list[Run]]()
        for e in w.events[:n]:
            runs = live.setdefault(e.key, [])
            touched = [run for run in runs if run[0] - gap < e.time < run[1]]
            a, b = min([e.time, *(run[0] for run in touched)]), max([e.time + gap, *(run[1] for run in touched)])
            live[e.key] = [
                *(run for run in runs if run not in touched),
                (a, b, [*(x for r in touched for x in r[2]), e]),
            ]
        made |= {(key, a, b): w.row(key, a, b, sum(x.value for x in held)) for key in live for a, b, held in live[key]}
    return list(made.values())


def one_at_a_time(w: World, gap: int = 6) -> list[Row]:
    """One session of a key, that ends after the event that came last, and that one which does not touch it ends."""
    made: list[Row] = []
    for key, mine in sorted(by_key(w.events).items()):
        live: list[Run] = []
        for e in mine:
            if live and live[0][1] <= e.watermark:
                made += [w.row(key, a, b, sum(x.value for x in held)) for a, b, held in live]
                live = []
            if e.time + gap <= e.watermark:
                continue
            if live and live[0][0] - gap < e.time < live[0][1]:
                live = [(min(live[0][0], e.time), e.time + gap, [*live[0][2], e])]
            else:
                made += [w.row(key, a, b, sum(x.value for x in held)) for a, b, held in live]
                live = [(e.time, e.time + gap, [e])]
        made += [w.row(key, a, b, sum(x.value for x in held)) for a, b, held in live]
    return made


def parts_too(w: World) -> list[Row]:
    """Beside long sessions what is left of them without their first event, however these came."""
    made = w.make(result=list)
    rests = [
        {**r, "result": r["result"][1:], "window_start": r["result"][1].time} for r in made if len(r["result"]) > 3
    ]
    return [{**r, "result": sum(e.value for e in r["result"])} for r in (*made, *rests)]


def ended(w: World, events: Sequence[Came], gap: int = 6) -> Windows:
    """Sessions that are ended now and then."""
    run: list[Came] = []
    for e in events:
        if run and (e.time - run[-1].time >= gap or w.draw.random() < 0.2):
            yield run[0].time, run[-1].time + gap, run
            run = []
        run.append(e)
    yield run[0].time, run[-1].time + gap, run


def panes(w: World, each: int = 150) -> list[tuple[Row, list[list[Came]]]]:
    """The events of each result that a window has: early ones by a clock, one at its end, and late ones."""
    found: list[tuple[Row, list[list[Came]]]] = []
    for r in w.make(result=in_arrival):
        held: list[Came] = r["result"]
        shown: list[list[Came]] = []
        timely = [e for e in held if e.watermark < r["window_end"]]
        closed = max(e.others[0] for e in w.events if e.watermark < r["window_end"])
        due = None
        for n, e in enumerate(timely):
            if due is not None and e.others[0] >= due:
                shown.append(timely[:n])
                due = None
            due = e.others[0] + each if due is None else due
        if due is not None and closed >= due:
            shown.append(timely)
        shown += [timely] if timely else []
        shown += [held[:n] for n in range(len(timely) + 1, len(held) + 1)]
        found.append((r, shown))
    return found


def add_up(w: World, shown: Callable[[list[Came]], list[Came]]) -> list[Row]:
    """Each version of a window added to those before it, all of which are written."""
    return [
        {**r, "result": total}
        for r, versions in panes(w)
        for total in accumulate(sum(e.value for e in shown(some)) for some in versions)
    ]


def one_timer(w: World, size: int = 10, *, keeps: float = 0.0) -> list[Row]:
    """A key has one timer, that each event sets to the end of its window; now and then one is kept."""
    made: list[Row] = []
    for key, mine in sorted(by_key(w.events).items()):
        sums: dict[int, int] = {}
        timers: list[int] = []
        for e in mine:
            for end in [end for end in timers if end <= e.watermark]:
                made.append(w.row(key, end - size, end, sums[end]))
                timers.remove(end)
            end = e.time // size * size + size
            if e.watermark < end:
                sums[end] = sums.get(end, 0) + e.value
                timers = [x for x in timers if x != end and w.draw.random() < keeps] + [end]
        made += [w.row(key, end - size, end, sums[end]) for end in timers]
    return made


def one_state(w: World, choose: Callable[[int, int], int], size: int = 10) -> list[Row]:
    """A key has one state, of the window that is open, which takes the events of others, too: those that are chosen."""
    made: list[Row] = []
    for key, mine in sorted(by_key(w.events).items()):
        sums: dict[int, int] = {}
        for e in mine:
            for end in [end for end in sums if end <= e.watermark]:
                made.append(w.row(key, end - size, end, sums.pop(end)))
            end = e.time // size * size + size
            if e.watermark < end:
                into = choose(end, next(iter(sums), end))
                sums[into] = sums.get(into, 0) + e.value
        made += [w.row(key, end - size, end, total) for end, total in sums.items()]
    return made


def forget(w: World, number: int, fits: Callable[[Came], bool], size: int) -> list[Row]:
    """What open windows of some keys hold is lost before an event comes."""
    over = max(e.watermark for e in w.events if e.seq <= number)
    gone = {e.seq for e in w.events if e.seq < number and fits(e) and e.time // size * size + size > over}
    return left_out(w, lambda e: e.seq in gone)


def expired(w: World, lives: Callable[[Came, Came], bool]) -> list[Row]:
    """States that go when no event came for long, also where none comes after that: then there is no result."""
    made: list[Row] = []
    for r in w.make(result=in_arrival):
        state: list[Came] = []
        for e in r["result"]:
            state = [*(state if state and lives(state[-1], e) else ()), e]
        if lives(state[-1], [e for e in w.events if e.watermark < r["window_end"]][-1]):
            made.append({**r, "result": sum(e.value for e in state)})
    return made


def salted(w: World, choose: Callable[[list[list[Came]]], list[Came]]) -> list[Row]:
    """Of each window what one of four salts holds."""
    made = w.make(result=in_arrival)
    return [{**r, "result": sum(e.value for e in choose(parts_in(r["result"], 4)))} for r in made]


FLOWING: Final = (
    Plant("swallowed sessions written", "sessions joined wrongly", *GAP, swallowed, events=few(n=500)),
    Plant("sessions of earlier flushes stay", "sessions joined wrongly", *GAP, flushed, events=few(n=500)),
    Plant(
        "the larger of joined states",
        "sessions joined wrongly",
        *GAP,
        lambda w: merged(w, lambda runs: max(runs, key=lambda run: len(run[2]))[2]),
        events=few(n=500),
    ),
    Plant(
        "each version added to those before",
        "versions folded",
        *WIDE,
        lambda w: add_up(w, lambda some: some),
        {**VERSIONS, "earlier": True},
        events=CLOCK,
        columns=("at",),
    ),
    Plant(
        "early and late results added up",
        "versions folded",
        *WIDE,
        lambda w: [{**r, "result": sum(e.value for some in shown for e in some)} for r, shown in panes(w)],
        UPDATE,
        events=CLOCK,
        columns=("at",),
    ),
    Plant("one timer of a key", "result lost", *SUM, one_timer, LATE, events=few(n=500)),
    Plant(
        "one state of a key",
        "carried over",
        *SUM,
        lambda w: one_state(w, lambda own, there: there),
        LATE,
        events=few(n=500),
    ),
    Plant(
        "the state of two keys lost",
        "state lost",
        *WIDE,
        lambda w: forget(w, 141, lambda e: e.key in "bc", 30),
        LATE,
        events=few(n=300),
    ),
    Plant(
        "all state lost in the middle",
        "state lost",
        *SLIDE,
        lambda w: restarted(w, lambda a: (84,)),
        LATE,
        events=few(n=160),
    ),
    Plant(
        "states that expire, whether an event comes or not",
        "state begun again",
        *WIDE,
        lambda w: expired(w, lambda last, e: e.others[0] - last.others[0] <= 150),
        LATE,
        events=CLOCK,
        columns=("at",),
    ),
    Plant(
        "the salt that was begun last",
        "one part of several",
        *WIDE,
        lambda w: salted(w, lambda parts: max(parts, key=lambda part: part[0].seq)),
        events=few(n=300),
    ),
    Plant(
        "the salt that had an event last",
        "one part of several",
        *WIDE,
        lambda w: salted(w, lambda parts: max(parts, key=lambda part: part[-1].seq)),
        events=few(n=300),
    ),
    Plant(
        "any one salt",
        "one part of several",
        *WIDE,
        lambda w: salted(w, w.draw.choice),
        events=few(n=300),
    ),
    Plant("one session at a time", "sessions parted otherwise", *GAP, one_at_a_time, LATE, events=few(n=400)),
    Plant(
        "text cut to eight characters",
        "truncated",
        *TEXT,
        lambda w: w.answers(lambda v: v[:8]),
        value="text",
        events=few("text", n=400),
    ),
    Plant(
        "the last eight characters of a text",
        "truncated",
        *TEXT,
        lambda w: w.answers(lambda v: v[-8:]),
        value="text",
        events=few("text", n=400),
    ),
)
"""The faults."""

NEAR_FLOWING: Final[dict[str, Plant]] = {}
"""Faults beside them, without such a cause."""

BESIDE_FLOWING: Final = {
    "of sessions that are joined what the": Plant(
        "any of joined states",
        "",
        *GAP,
        lambda w: merged(w, lambda runs: w.draw.choice(runs)[2]),
        events=few(n=1500),
    ),
    "took in as it was then": Plant(
        "parts of sessions written, by chance",
        "",
        *GAP,
        parts_too,
        events=few(n=500),
    ),
    "as they are shown": Plant(
        "versions of any events added up",
        "",
        *WIDE,
        lambda w: add_up(w, lambda some: w.draw.sample(some, (len(some) + 1) // 2)),
        {**VERSIONS, "earlier": True},
        events=CLOCK,
        columns=("at",),
    ),
    "by at, its end, and each late event": Plant(
        "results after some events, now and then, added up",
        "",
        *WIDE,
        lambda w: fold(
            w, lambda r: [h[:n] for h in (r["result"],) for n in range(1, len(h)) if w.draw.random() < 0.4], sum
        ),
        UPDATE,
        events=CLOCK,
        columns=("at",),
    ),
    "the open windows of": Plant(
        "events of two keys lost, now and then",
        "",
        *WIDE,
        lambda w: left_out(w, lambda e: e.key in "bc" and 100 <= e.seq < 160 and w.draw.random() < 0.5),
        LATE,
        events=few(n=300),
    ),
    "has no result where as long a time is after its last": Plant(
        "states that go after a pause, and results lost by chance",
        "",
        *WIDE,
        lambda w: [r for r in again(w, lambda state, e, b: tell_age(state[-1:], e) > 150) if w.draw.random() < 0.8],
        LATE,
        events=CLOCK,
        columns=("at",),
    ),
    "shows now this one, now that": Plant(
        "any fourth of the events",
        "",
        *WIDE,
        lambda w: w.make(order=lambda held: w.draw.sample(held, (len(held) + 3) // 4)),
        events=few(n=300),
    ),
    "has one timer of a key": Plant(
        "timers lost by chance", "", *SUM, lambda w: one_timer(w, keeps=0.5), LATE, events=few(n=500)
    ),
    "in whichever of its windows is open": Plant(
        "events in one of two windows by chance",
        "",
        *SUM,
        lambda w: one_state(w, lambda own, there: w.draw.choice((own, there))),
        LATE,
        events=few(n=500),
    ),
    "one session of a key at a time": Plant(
        "sessions ended by chance",
        "",
        *GAP,
        lambda w: w.make(windows=lambda events: ended(w, events)),
        LATE,
        events=few(n=400),
    ),
    "characters of its answers alone": Plant(
        "text of the first four events to come",
        "",
        *TEXT,
        lambda w: w.make(
            order=lambda held: sorted(sorted(held, key=lambda e: e.seq)[:4], key=lambda e: (e.time, e.seq))
        ),
        value="text",
        events=few("text", n=400),
    ),
}
"""Faults near a way in which a cause is so, that must not be told of them."""
