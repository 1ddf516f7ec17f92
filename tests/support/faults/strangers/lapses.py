"""What jobs forget: to begin anew with a key, to move a timer, what is not news, what buffers held; and beside each."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final

from support.faults.mistakes import few
from support.faults.planted import GAP, LATE, SUM, Came, Plant, Row, Windows, World, by_key, in_order

FIVE: Final = ("rows -4 0", "sum")


def rolled(w: World, order: Callable[[Came], Any], *, full: bool = False) -> list[Row]:
    """Frames of five rows of a table, whatever their keys."""
    made, there = list[Row](), sorted(w.events, key=order)
    for i, e in enumerate(there):
        held = there[max(0, i - 4) : i + 1]
        made.append(w.row(e.key, e.time, e.seq, None if full and i < 4 else sum(x.value for x in held)))
    return made


def by_key_and_time(e: Came) -> tuple[Any, ...]:
    return e.key, e.time, e.seq


def begun_with_others(w: World) -> list[Row]:
    """The first frames of a key are filled with rows of any other."""
    made = list[Row]()
    for key, mine in sorted(by_key(in_order(w.events)).items()):
        others = [e for e in w.events if e.key != key]
        there = [*w.draw.sample(others, 4), *mine]
        made += [w.row(key, e.time, e.seq, sum(x.value for x in there[i : i + 5])) for i, e in enumerate(mine)]
    return made


def from_first(events: Sequence[Came], size: Callable[[], int]) -> Windows:
    """Sessions that last so long from their first event on."""
    run, length = list[Came](), size()
    for e in events:
        if run and e.time - run[0].time >= length:
            yield run[0].time, run[0].time + 6, run
            run, length = [], size()
        run.append(e)
    yield run[0].time, run[0].time + 6, run


def until_fired(events: Sequence[Came], timer: Callable[[], int]) -> Windows:
    """What comes until the watermark is so long after the event that came first, from its time to the gap later."""
    run, due = list[Came](), 0
    for e in sorted(events, key=lambda e: e.seq):
        if run and e.watermark >= due:
            yield run[0].time, run[0].time + 6, run
            run = []
        if not run:
            due = e.time + timer()
        run.append(e)
    yield run[0].time, run[0].time + 6, run


def timed(w: World, cut: Callable[[Sequence[Came]], Windows]) -> list[Row]:
    """Sessions that late events are in, too."""
    return w.make(windows=cut, takes=lambda e, end: True)


def changed(
    events: Sequence[Came],
    order: Callable[[Came], Any],
    drops: Callable[[], bool] = lambda: True,
    of: Callable[[Came], Any] = lambda e: e.value,
) -> list[Came]:
    """The events of each key that have another value than the one before."""
    kept = list[Came]()
    for mine in by_key(events).values():
        there = sorted(mine, key=order)
        kept += there[:1]
        kept += [e for before, e in pairwise(there) if of(e) != of(before) or not drops()]
    return kept


def by_time(e: Came) -> tuple[Any, ...]:
    return e.time, e.seq


def unbuffered(
    w: World,
    n: int,
    cuts: Callable[[str], Sequence[int]],
    *,
    again: bool = False,
    order: Callable[[Came], Any] | None = None,
) -> list[Row]:
    """Windows of so many events, whose half-filled buffers are lost where events with these numbers come."""
    made = list[Row]()
    for key, mine in sorted(by_key(w.events).items()):
        held, done, left = list[Came](), 0, list(cuts(key))
        for e in sorted(mine, key=order or (lambda e: (e.seq,))):
            while left and (e.time if order else e.seq) >= left[0]:
                del left[0]
                held, done = [], 0 if again else done
            held.append(e)
            if len(held) == n:
                made.append(w.row(key, done * n + 1, done * n + n, sum(x.value for x in held)))
                held, done = [], done + 1
    return made


LAPSES: Final = (
    Plant("frames of a sorted table", "over all keys", *FIVE, lambda w: rolled(w, by_key_and_time), events=few()),
    Plant(
        "full frames of a sorted table",
        "over all keys",
        "rows -4 0 full",
        "sum",
        lambda w: rolled(w, by_key_and_time, full=True),
        events=few(),
    ),
    Plant("frames of what comes", "over all keys", *FIVE, lambda w: rolled(w, lambda e: e.seq), events=few()),
    Plant(
        "a timer of events in order",
        "sessions parted otherwise",
        *GAP,
        lambda w: timed(w, lambda e: from_first(e, lambda: 6)),
        LATE,
        events=few(n=160),
    ),
    Plant(
        "a timer of events as they come",
        "sessions parted otherwise",
        *GAP,
        lambda w: timed(w, lambda e: until_fired(e, lambda: 6)),
        LATE,
        events=few(n=160),
    ),
    Plant(
        "what came before left out",
        "duplicates left out",
        "tumbling 10",
        "count",
        lambda w: w.make(events=changed(w.events, lambda e: e.seq)),
        events=few("small", n=160),
    ),
    Plant(
        "what was before left out",
        "duplicates left out",
        "sliding 20 every 10",
        "sum",
        lambda w: w.make(events=changed(w.events, by_time)),
        events=few("small", n=160),
    ),
    Plant(
        "what was before in its window left out",
        "duplicates left out",
        *SUM,
        lambda w: w.make(result=lambda held: sum(e.value for e in changed(held, by_time))),
        events=few("small", n=160),
    ),
    Plant(
        "what will be left out",
        "duplicates left out",
        *SUM,
        lambda w: w.make(events=changed(w.events, lambda e: (-e.time, -e.seq))),
        events=few("small", n=160),
    ),
    Plant(
        "what comes from where the one before came from left out",
        "duplicates left out",
        *SUM,
        lambda w: w.make(events=changed(w.events, lambda e: e.seq, of=lambda e: e.others)),
        events=few(n=160),
        columns=("source",),
    ),
    Plant(
        "buffers lost in a restart",
        "state lost",
        "count 5 by arrival",
        "sum",
        lambda w: unbuffered(w, 5, lambda _: [90]),
        events=few(n=160),
    ),
    Plant(
        "buffers lost in two restarts",
        "state lost",
        "count 5 by arrival",
        "sum",
        lambda w: unbuffered(w, 5, lambda _: [60, 170]),
        events=few(n=320),
    ),
    Plant(
        "buffers in the order of time lost at a time",
        "state lost",
        "count 5",
        "sum",
        lambda w: unbuffered(w, 5, lambda _: [20], order=by_time),
        events=few(n=160),
    ),
    Plant(
        "buffers and their numbers lost in a restart",
        "state lost",
        "count 5 by arrival",
        "sum",
        lambda w: unbuffered(w, 5, lambda _: [90], again=True),
        events=few(n=160),
    ),
)


NEAR_LAPSES: Final[dict[str, Plant]] = {
    "over all keys": Plant("frames begun with any rows", "", *FIVE, begun_with_others, events=few()),
}
"""For each cause a fault beside it."""

BESIDE_LAPSES: Final[dict[str, Plant]] = {
    "from their first event on": Plant(
        "a timer of any length",
        "",
        *GAP,
        lambda w: timed(w, lambda e: from_first(e, lambda: w.draw.randint(3, 12))),
        LATE,
        events=few(n=160),
    ),
    "the one that came before": Plant(
        "what came before left out now and then",
        "",
        "tumbling 10",
        "count",
        lambda w: w.make(events=changed(w.events, lambda e: e.seq, lambda: w.draw.random() < 0.6)),
        events=few("small", n=160),
    ),
    "its half-filled windows hold": Plant(
        "buffers lost at any time",
        "",
        "count 5 by arrival",
        "sum",
        lambda w: unbuffered(w, 5, lambda _: sorted(w.draw.sample(range(160), 9))),
        events=few(n=160),
    ),
    "before it fires": Plant(
        "a timer that fires at any time",
        "",
        *GAP,
        lambda w: timed(w, lambda e: until_fired(e, lambda: w.draw.randint(1, 14))),
        LATE,
        events=few(n=160),
    ),
}
"""For each way, by what is said of it, a fault that is none."""
