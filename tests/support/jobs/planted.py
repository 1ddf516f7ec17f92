"""Jobs with a planted fault, in plain Python that is independent of the diagnosis.

Events are drawn and results computed from a seed.  `World.make` is the right job; each argument replaces one of its
steps.
"""

import json
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from fractions import Fraction
from random import Random
from typing import Any, Final
from zoneinfo import ZoneInfo

from swagproof.models.windows.kinds import Calendar, Frame, Session
from swagproof.models.windows.lateness import NEVER
from swagproof.models.windows.text import parse_window
from swagproof.pipeline.audit.aggregations import aggregation, make_optional
from swagproof.pipeline.audit.diagnosis.sample import Event, Got, Name, Sample
from swagproof.pipeline.audit.rules import Kind

Row = dict[str, Any]
DELAY: Final = 8
HOUR: Final = 3_600_000_000
SPRING: Final = 1_711_843_200_000_000
"""2024-03-31 00:00 of UTC, an hour before clocks are put forward in Berlin."""
AUTUMN: Final = 1_729_987_200_000_000
"""2024-10-27 00:00 of UTC, an hour before they are put back."""


@dataclass(frozen=True)
class Came:
    """An event, with the watermark at its arrival: the latest time before it minus the delay."""

    seq: int
    key: str
    time: int
    value: Any
    watermark: int = NEVER
    others: tuple[Any, ...] = ()


Windows = Iterable[tuple[int, int, list[Came]]]
Cut = Callable[[list[Came]], Windows]


def draw(seed: int, value: str = "int", n: int = 240, unit: int = 1, begin: int = -60) -> list[Came]:
    """Draw events of four keys in arrival order: out of order, with ties, pauses, and times below zero."""
    dice = Random(seed)
    draws: dict[str, Callable[[], Any]] = {
        "int": lambda: dice.choice((1, 1, 1, -1)) * dice.randint(1, 999),
        "small": lambda: dice.choice((0, 1, 2, 2, 3)),
        "text": lambda: "".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=2)),
        "null": lambda: dice.choice((None, *range(1, 9))),
        "large": lambda: dice.randint(2**29, 2**31 - 1),
        "huge": lambda: dice.randint(2**54, 2**55),
        "float": lambda: dice.randint(1, 99_999_999) / 64,
        "pair": lambda: (dice.randint(1, 30), "".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=2))),
    }
    now, latest, events = begin, -(10**6), list[Came]()
    for seq in range(n):
        now += dice.choice((0, 0, 1, 1, 1, 2)) if dice.random() < 0.96 else 17
        time = (now - (dice.randint(1, 25) if dice.random() < 0.2 else 0)) * unit
        others = dice.choice(("web", "shop", "phone")), seq // 20, dice.randint(1, 400), (now + 3) * unit
        events.append(Came(seq, dice.choice("aabcd"), time, draws[value](), latest - DELAY * unit, others))
        latest = max(latest, time)
    return events


COLUMNS: Final = ("source", "batch", "weight", "received")
"""The names of `Came.others`."""


def in_order(events: Iterable[Came]) -> list[Came]:
    """Sort events by time, and by arrival where times are equal."""
    return sorted(events, key=lambda e: (e.time, e.seq))


def by_key(events: Iterable[Came]) -> dict[str, list[Came]]:
    """Group the events by key."""
    found: dict[str, list[Came]] = defaultdict(list)
    for e in events:
        found[e.key].append(e)
    return dict(sorted(found.items()))


def fixed(size: int, slide: int, *, offset: int = 0, low: int = 0, high: int = 0, unit: int = 1) -> Cut:
    """Return the windows [k slide + offset + low, k slide + offset + size + high), named without low and high."""
    size, slide, offset, low, high = (n * unit for n in (size, slide, offset, low, high))

    def cut(events: list[Came]) -> Iterator[tuple[int, int, list[Came]]]:
        begin = (min(e.time for e in events) - offset - size - high) // slide * slide + offset
        for a in range(begin, max(e.time for e in events) - low + 1, slide):
            held = [e for e in events if a + low <= e.time < a + size + high]
            if held:
                yield a, a + size, held

    return cut


def sessions(gap: int, *, touching: bool = False, tail: int | None = None, unit: int = 1) -> Cut:
    """Return runs of events with gaps below `gap`, or by another rule."""
    apart = gap * unit + touching
    return parted(lambda run, e: e.time - run[-1].time >= apart, (gap if tail is None else tail) * unit)


def parted(parts: Callable[[list[Came], Came], bool], tail: int) -> Cut:
    """Return sessions that a rule separates, each of which ends `tail` after its last event."""

    def cut(events: list[Came]) -> Iterator[tuple[int, int, list[Came]]]:
        run: list[Came] = []
        for e in events:
            if run and parts(run, e):
                yield run[0].time, run[-1].time + tail, run
                run = []
            run.append(e)
        if run:
            yield run[0].time, run[-1].time + tail, run

    return cut


def counts(n: int, key: Callable[[Came], Any] = lambda e: (e.time, e.seq)) -> Cut:
    """Return each n consecutive events, named by their numbers."""

    def cut(events: list[Came]) -> Iterator[tuple[int, int, list[Came]]]:
        ordered = sorted(events, key=key)
        for i in range(0, len(ordered) - n + 1, n):
            yield i + 1, i + n, ordered[i : i + n]

    return cut


def rows(low: int | None, high: int | None, key: Callable[[Came], Any] = lambda e: (e.time, e.seq)) -> Cut:
    """Return a frame of rows for each event."""

    def cut(events: list[Came]) -> Iterator[tuple[int, int, list[Came]]]:
        ordered = sorted(events, key=key)
        for i, e in enumerate(ordered):
            stop = None if high is None else max(0, i + high + 1)
            yield e.time, e.seq, ordered[0 if low is None else max(0, i + low) : stop]

    return cut


def ranges(low: int | None, high: int) -> Cut:
    """Return a frame of a range of time for each event."""

    def cut(events: list[Came]) -> Iterator[tuple[int, int, list[Came]]]:
        for e in events:
            yield (
                e.time,
                e.seq,
                [x for x in events if (low is None or e.time + low <= x.time) and x.time <= e.time + high],
            )

    return cut


def days(zone: str, shift: int = 0, named: str = "") -> Cut:
    """Return the days of a zone, `shift` microseconds late, named by the dates of another zone."""

    def cut(events: list[Came]) -> Iterator[tuple[int, int, list[Came]]]:
        held: dict[Any, list[Came]] = defaultdict(list)
        for e in events:
            held[datetime.fromtimestamp((e.time - shift) / 10**6, ZoneInfo(zone)).date()].append(e)
        for day, mine in sorted(held.items()):
            ends = (datetime(d.year, d.month, d.day, tzinfo=ZoneInfo(named or zone)) for d in (day, day + timedelta(1)))
            a, b = (int(end.timestamp()) * 10**6 + shift for end in ends)
            yield a, b, mine

    return cut


def mean(values: Iterable[Any]) -> Any:
    """Return the mean of the values that are not null."""
    there = [Fraction(v) for v in values if v is not None]
    return float(sum(there) / len(there)) if there else None


RESULTS: Final[dict[str, Callable[[list[Any]], Any]]] = {
    "sum": lambda v: sum(x for x in v if x is not None),
    "count": len,
    "mean": mean,
    "min": min,
    "max": max,
    "concatenation": "".join,
    "median": lambda v: float(statistics.median(v)),
    "first": lambda v: v[0],
    "last": lambda v: v[-1],
    "distinct-count": lambda v: len({x for x in v if x is not None}),
    "arg-max": lambda v: max(v, key=lambda pair: pair[0])[1],
    "population-standard-deviation": statistics.pstdev,
    "sample-standard-deviation": lambda v: statistics.stdev(v) if len(v) > 1 else None,
}


@dataclass(frozen=True)
class World:
    """Events, and the right job over them."""

    events: list[Came]
    aggregate: str
    cut: Cut
    late: bool = False
    gap: int | None = None
    """The gap of sessions, if late events are removed before the sessions are made."""
    frame: bool = False
    dice: Random = field(default_factory=Random)

    def make(
        self,
        cut: Cut | None = None,
        *,
        events: Iterable[Came] | None = None,
        result: Callable[[list[Came]], Any] | None = None,
        order: Callable[[list[Came]], list[Came]] = in_order,
        takes: Callable[[Came, int], bool] | None = None,
    ) -> list[Row]:
        """Return the results of the job; each argument replaces one of its steps."""
        over, takes = RESULTS[self.aggregate], takes or (lambda e, end: not self.late or e.watermark < end)
        there = list(self.events if events is None else events)
        if self.gap is not None:
            there = [e for e in there if takes(e, e.time + self.gap)]
        made: list[Row] = []
        for key, mine in by_key(there).items():
            for a, b, held in (cut or self.cut)(in_order(mine)):
                kept = order([e for e in held if self.gap is not None or self.frame or takes(e, b)])
                if kept or self.frame:
                    got = result(kept) if result else over([e.value for e in kept]) if kept else None
                    made.append({"key": key, "a": a, "b": b, "result": got})
        return made

    def answers(self, change: Callable[[Any], Any]) -> list[Row]:
        """Return the results with each answer changed."""
        return [{**r, "result": change(r["result"])} for r in self.make()]

    def named(self, a: int = 0, b: int = 0) -> list[Row]:
        """Return the results with the windows' names shifted."""
        return [{**r, "a": r["a"] + a, "b": r["b"] + b} for r in self.make()]

    def kept(self, fits: Callable[[Came], bool]) -> list[Row]:
        """Return the results of some of the events."""
        return self.make(events=[e for e in self.events if fits(e)])

    def moved(self, at: Callable[[Came], int]) -> list[Row]:
        """Return the results of the events at other times."""
        return self.make(events=[replace(e, time=at(e)) for e in self.events])

    def valued(self, of: Callable[[Came], Any]) -> list[Row]:
        """Return the results of the events with other values."""
        return self.make(events=[replace(e, value=of(e)) for e in self.events])

    def noise(self) -> list[Row]:
        """Return the results, one in five spoilt."""
        spoilt = [{**r, "result": self.spoil(r["result"])} for r in self.make()]
        return [bad if i % 5 == 2 else r for i, (r, bad) in enumerate(zip(self.make(), spoilt, strict=True))]

    def spoil(self, got: Any) -> Any:
        """Return a wrong answer, as far off as results differ."""
        return (
            f"{got}zq" if isinstance(got, str) else (got or 0) + self.dice.randint(100, 900) * self.dice.choice((-1, 1))
        )


Job = Callable[[World], list[Row]]


@dataclass(frozen=True)
class Fault:
    """A planted fault, its expected diagnosis, and a similar job that must not get this diagnosis."""

    name: str
    window: str
    aggregate: str
    job: Job
    near: Job = World.noise
    value: str = "int"
    late: str = ""
    unit: int = 1
    n: int = 240
    begin: int = -60
    nulls: bool = False
    columns: bool = False
    """True if the audit gets the other columns."""

    def sample(self, job: Job, seed: int = 1) -> Sample:
        """Return the events and results of a job in the form that a diagnosis reads."""
        world = self.world(seed)
        tick = "us" if self.unit > 1 else None
        window = parse_window(self.window, "us" if tick else "plain")
        kinds: tuple[Kind, ...] = {"text": ("text",), "float": ("float",), "pair": ("int", "text")}.get(
            self.value, ("int",)
        )  # type: ignore[assignment]  # kinds by name
        over = aggregation(self.aggregate, kinds)
        over = make_optional(over) if self.nulls or (isinstance(window, Frame) and window.may_be_empty) else over
        kind: Kind = "float" if self.aggregate in ("mean", "median") or "deviation" in self.aggregate else kinds[-1]
        kind = "int" if "count" in self.aggregate else kind
        events: dict[str, list[Event]] = defaultdict(list)
        for e in world.events:
            mark = e.watermark if self.late else NEVER
            others = e.others if self.columns else ()
            lifted = over.operation.lift(e.value)
            events[json.dumps([e.key])].append(Event(e.time, e.seq, e.value, mark, lifted, others=others))
        results: dict[Name, list[Got]] = defaultdict(list)
        for row in job(world):
            got = row["result"]
            number = float(got) if kind == "float" and got is not None else None
            text = None if got is None or number is not None else str(got)
            results[json.dumps([row["key"]]), row["a"], row["b"]].append(Got(text, number))
        lateness = (0 if self.late == "drop" else None) if self.late else None
        return Sample(
            window,
            over,
            kind,
            kinds,
            ("a", "b"),
            {key: sorted(mine, key=lambda e: e[:2]) for key, mine in events.items()},
            dict(results),
            frozenset(),
            lateness=lateness,
            late=self.late or "drop",
            delay=DELAY if self.late else None,
            tick=tick,
            by_row=True,
            columns=COLUMNS if self.columns else (),
        ).judged()

    def world(self, seed: int) -> World:
        """Return the events and the right job."""
        window = parse_window(self.window, "us" if self.unit > 1 else "plain")
        words = [word.rstrip("hmd") for word in self.window.split()]
        match words:
            case ["tumbling", "1", "day", "in", zone]:
                cut = days(zone)
            case ["tumbling", size]:
                cut = fixed(int(size), int(size), unit=self.unit)
            case ["sliding", size, _, slide]:
                cut = fixed(int(size), int(slide), unit=self.unit)
            case ["session", gap, *more]:
                cut = sessions(int(gap), touching=bool(more), unit=self.unit)
            case ["count", n, *by]:
                cut = counts(int(n), (lambda e: e.seq) if by else lambda e: (e.time, e.seq))
            case ["rows", low, high, *_]:
                cut = rows(None if low.startswith("unb") else int(low), int(high))
            case ["range", low, high]:
                cut = ranges(None if low.startswith("unb") else int(low), int(high))
            case _:
                raise AssertionError(self.window)
        if isinstance(window, Calendar):
            assert window.zone == words[-1]
        gap = window.gap if isinstance(window, Session) else None
        events = draw(seed, self.value, self.n, self.unit, self.begin)
        frame = isinstance(window, Frame)
        return World(events, self.aggregate, cut, self.late == "drop", gap, frame, Random(seed))
