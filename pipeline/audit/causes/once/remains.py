"""What no rule explains: windows whose result is that of other events than theirs, told as it is found.

Behind a loss there need not be a rule that somebody could name.  Still a result may be just that of the window's events
without three that follow each other, or of the window before; and then an engineer wants to read that.  So for what is
left the edits of a window's events are tried, kind by kind.  Such an edit is true whenever it gives the value that is
there; that it does by chance is a matter of how many edits there are, and how many bits the value says: of what is off
by five digits, twenty edits that are tried give the value once in thousands of times, and a count that is one too many
is given by half of them.  A kind is told where the bits of the values, less those of choosing the edits, and of
choosing the findings, are worth as much as any other cause has to be.

How many bits a value says is no matter of its size alone: a median, a minimum, a quantile or a number of different
values is one of few, whatever events it is made of, so that some edit gives it whatever was done.  So of a finding that
an edit fits events of its window are drawn by chance, too, in other ways than the edits have them; it says no more than
how seldom these give one of the values that the edits give.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, combinations, pairwise
from math import log2
from random import Random
from typing import Any, Final

from swagproof.models.windows.kinds import Frame, Sliding
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.once.bundles import find_bundles
from swagproof.pipeline.audit.causes.sample import Event, Name, Sample
from swagproof.pipeline.audit.causes.tried.cuts import keep, sort_arrived
from swagproof.pipeline.audit.causes.tried.values.versions import ADDED
from swagproof.pipeline.audit.causes.weigh import LEAST, MARGIN, Scale, count_choices
from swagproof.pipeline.audit.keys import show_key

_WIDEST: Final = 24
"""How many events a window has at most whose runs are tried."""
_SUBSETS: Final = 8
"""How many events a window has at most of which all subsets are tried."""
_NEAR: Final = 4
"""How many events before a window, and after it, may be put into it."""
_OTHERS: Final = 120
"""How many other windows, or events of other keys, are tried for one."""
_WORK: Final = 60_000
"""How many events are aggregated for each kind in all."""
_MOST_BITS: Final = 20.0
"""How many bits a finding says at most."""
_SOME: Final = 400
"""How many findings at most are divided into parts, or taken with each other window."""
_DRAWS: Final = 32
"""How often events of a window are drawn by chance."""

_TOLD: Final = 4
"""Of how many windows at most it is told where they are cut."""
_CUT: Final = 120
"""How many events a window has at most that is cut where some event came."""

_ALL_TWICE: Final = "all events of a window twice"
_WHY: Final = {
    "state begun again": "holds, of some windows, only what came last, from some event on",
    "older state kept": "holds, of some windows, only what came first, up to some event",
    "mean of means": "answers, for some windows, the mean of the means of parts of them, as these came",
    "another result added": "answers, for some windows, what is due for them and for another one together",
    "update lost": "counts, for some windows, one of two events that come one right after the other",
    "events of a window lost": "answers, for some windows, what is due without some of their events",
    _ALL_TWICE: "answers, for some windows, what is due with each of their events counted twice",
    "events of a window twice": "answers, for some windows, what is due with some of their events counted twice",
    "events of elsewhere counted": "answers, for some windows, what is due with an event from outside",
    "another window's result": "answers, for some windows, what is due for another one",
}
"""The kinds of edits, each a cause or a case of one, and what is said of it."""
CUTS: Final = ("state begun again", "older state kept")
"""Those of them that cut a window where some event came."""


@dataclass(frozen=True)
class Remains:
    """Findings that an edit of their events explains."""

    cause: str
    why: str
    contents: dict[Name, tuple[int, ...]]
    """The arrival numbers of the events that each is the result of."""
    worth: float


def find_remains(
    scale: Scale, left: Collection[Name], given: Hypothesis | None, kinds: tuple[str, ...] = tuple(_WHY)
) -> Iterator[Remains]:
    """The kinds of edits that are worth telling, each of the findings that those before it do not explain."""
    edits = _Edits(scale, sorted(left, key=str), given, kinds)
    open_ = set(left)
    while open_:
        best = max((edits.weigh(kind, open_) for kind in kinds), key=lambda one: one.worth)
        if best.worth < MARGIN or len(best.contents) < LEAST:
            return
        yield best
        open_ -= best.contents.keys()


class _Edits:
    """The edits that explain each finding, by their kind, and what they are worth."""

    def __init__(self, scale: Scale, left: Sequence[Name], given: Hypothesis | None, kinds: tuple[str, ...]) -> None:
        self.scale, self.sample, self.kinds = scale, scale.sample, kinds
        self.answer = self.sample.answer if given is None else partial(given.make_answer, self.sample)
        self.base = self.sample.due if given is None else given.foretell(self.sample)
        self.work = dict.fromkeys(kinds, 0)
        self.found: dict[str, dict[Name, tuple[float, tuple[int, ...]]]] = {kind: {} for kind in kinds}
        if isinstance(self.sample.window, Frame):
            return
        for name in sorted(left, key=lambda n: sum(len(part.events) for part in self.base.get(n, ()))):
            self.look(name)
        some = left[:: len(left) // _SOME + 1] if kinds != CUTS else ()
        for name in some:
            if self.sample.aggregation.name == "mean":
                self.look_at_means(name)
            elif self.sample.aggregation.name in ADDED and (given is None or not given.steps & {"answer", "change"}):
                self.look_at_sums(name)

    def look_at_sums(self, name: Name) -> None:
        """Try the sums of one finding and each other window."""
        parts, got = self.base.get(name, []), self.sample.results.get(name, [])
        if len(parts) != 1 or len(got) != 1 or not self.partial.get(name):
            return
        over, as_text = self.sample.aggregation, self.sample.kind == "text"
        mine = self.partial[name]
        for other, theirs in self.partial.items():
            made = over.answer(over.operation.combine(mine[0], theirs[0]), as_text=as_text)
            if other != name and self.sample.fits([made], got):
                worth = min(_MOST_BITS, self.measure(name)) - log2(len(self.partial))
                if worth > 0:
                    both = tuple(e.arrival for e in (*parts[0].events, *self.base[other][0].events))
                    self.found["another result added"][name] = worth, both
                return

    @cached_property
    def partial(self) -> dict[Name, tuple[Any]]:
        """The partial aggregate of each window that has one result."""
        single = ((name, parts[0]) for name, parts in self.base.items() if len(parts) == 1)
        return {n: (self.sample.fold(part.events),) for n, part in single if part.events and part.answer is None}

    def look_at_means(self, name: Name) -> None:
        """Try all ways to divide one finding into parts."""
        parts, got = self.base.get(name, []), self.sample.results.get(name, [])
        if len(parts) == len(got) == 1 and parts[0].events and got[0].number is not None:
            found = find_bundles(self.sample, parts[0].events, got[0].number)
            if found is not None and found.bits > 0:
                self.found["mean of means"][name] = min(_MOST_BITS, found.bits), found.contents

    @cached_property
    def values(self) -> int:
        """How many different values there are."""
        return len({repr(e.value) for events in self.sample.events.values() for e in events})

    @cached_property
    def shown(self) -> frozenset[str]:
        """The values, as a result that is one of them writes them."""
        events = (e for of_key in self.sample.events.values() for e in of_key)
        return frozenset(str(e.value) for e in events)

    def measure(self, name: Name) -> float:
        """How many bits the value of a finding says: one of the values there are says no more than which."""
        got = self.sample.results[name][0]
        bits = min(_MOST_BITS, self.scale.measure_error(name))
        if self.sample.kind == "text":
            bits = min(bits, 2.0 * len(got.text or ""))
        text = got.text if got.number is None else f"{got.number:.15g}"
        return min(bits, log2(1 + self.values)) if text in self.shown else bits

    def measure_grain(self, events: Sequence[Event]) -> float:
        """How many bits say a mean of some of these whole numbers, of which there are no more than fractions with so
        small a denominator; no end of them for anything else."""
        values = [e.value for e in events if isinstance(e.value, int)]
        if self.sample.aggregation.name != "mean" or len(values) < len(events):
            return _MOST_BITS
        return log2(1 + (max(values) - min(values)) * len(values) ** 2 / 3)

    def measure_chance(self, events: Sequence[Event], contents: Sequence[Sequence[Event]]) -> float:
        """How many bits say that one of these contents fits: few, where events drawn by chance often have the answer of
        one of them; no end of them where they never have."""
        edits = {tuple(sorted(e.arrival for e in one)) for one in contents}
        answers = {self.answer(one).text for one in contents}
        draw, hits, drawn = Random(len(events)), 0, 0
        for _ in range(_DRAWS):
            some = sorted(draw.choices(events, k=draw.randint(1, 2 * len(events))), key=lambda e: e[:2])
            if tuple(sorted(e.arrival for e in some)) not in edits:
                drawn += 1
                hits += self.answer(some).text in answers
        return log2((drawn + 2) / (hits + 1)) if hits else _MOST_BITS

    def look(self, name: Name) -> None:
        """Try all edits of one finding."""
        parts, got = self.base.get(name, ()), self.sample.results.get(name, [])
        if len(parts) != 1 or len(got) != 1 or not parts[0].events or parts[0].answer is not None:
            return
        if got[0].text is None and got[0].number is None:
            return
        for kind, make in self.list_kinds(name, parts[0].events).items():
            if kind not in self.kinds or self.work[kind] >= _WORK:
                continue
            contents = list(make())
            self.work[kind] += sum(map(len, contents))
            fitting = next((one for one in contents if self.sample.fits([self.answer(one)], got)), None)
            if fitting is not None:
                bits = min(self.measure(name), self.measure_grain(parts[0].events))
                worth = bits - log2(len(contents))
                if worth > 0:
                    worth = min(worth, self.measure_chance(parts[0].events, contents))
                if worth > 0:
                    self.found[kind][name] = worth, tuple(e.arrival for e in fitting)

    def list_kinds(self, name: Name, events: Sequence[Event]) -> dict[str, Callable[[], Iterable[Sequence[Event]]]]:
        """The contents that a window may have had, of each kind."""
        came = sort_arrived(events)
        places = range(1, len(came)) if len(came) <= _CUT else range(0)
        return {
            "state begun again": lambda: (keep(came, n, last=True) for n in places),
            "older state kept": lambda: (keep(came, n, last=False) for n in places),
            "update lost": lambda: self.list_raced(came),
            "events of a window lost": lambda: self.list_runs(events, twice=False),
            _ALL_TWICE: lambda: [[e for e in events for _ in range(2)]],
            "events of a window twice": lambda: self.list_runs(events, twice=True),
            "events of elsewhere counted": lambda: chain(
                self.list_near(name[0], events), self.list_strangers(name[0], events)
            ),
            "another window's result": lambda: self.list_windows(name),
        }

    def list_raced(self, came: Sequence[Event]) -> Iterator[Sequence[Event]]:
        """The window without some events that the next one of all that came is of the same window."""
        places = [self.sample.arrivals[e.arrival] for e in came]
        first = [e.arrival for e, (at, after) in zip(came, pairwise(places), strict=False) if after == at + 1]
        if self.sample.whole and len(first) <= _SUBSETS:
            for k in range(1, len(first) + 1):
                for some in combinations(first, k):
                    yield sorted((e for e in came if e.arrival not in some), key=lambda e: e[:2])

    def list_runs(self, events: Sequence[Event], *, twice: bool) -> Iterator[Sequence[Event]]:
        """The window without some events, or with some twice: runs in time or in arrival, or any of few."""
        n = len(events)
        if n > _WIDEST:
            return
        runs: dict[frozenset[int], None] = {}
        for ordered in (events, sort_arrived(events)):
            for size in range(1, n + 1):
                for i in range(n - size + 1):
                    runs.setdefault(frozenset(e.arrival for e in ordered[i : i + size]))
        if n <= _SUBSETS:
            numbers = [e.arrival for e in events]
            runs |= dict.fromkeys(frozenset(some) for k in range(1, n + 1) for some in combinations(numbers, k))
        for run in runs:
            if twice:
                yield [e for e in events for _ in range(1 + (e.arrival in run))]
            elif len(run) < n:
                yield [e for e in events if e.arrival not in run]

    def list_near(self, key: str, events: Sequence[Event]) -> Iterator[Sequence[Event]]:
        """The window with the events of its key just before it, or after it."""
        mine = self.sample.events.get(key, [])
        inside = {e.arrival for e in events}
        before = [e for e in mine if e[:2] < events[0][:2] and e.arrival not in inside]
        after = [e for e in mine if e[:2] > events[-1][:2] and e.arrival not in inside]
        for k in range(1, 1 + min(_NEAR, len(before))):
            yield [*before[-k:], *events]
        for k in range(1, 1 + min(_NEAR, len(after))):
            yield [*events, *after[:k]]

    def list_strangers(self, key: str, events: Sequence[Event]) -> Iterator[Sequence[Event]]:
        """The window with an event of another key whose time lies in it."""
        first, last = events[0].time, events[-1].time
        others = (e for other, mine in self.sample.events.items() if other != key for e in mine)
        for _, e in zip(range(_OTHERS), (e for e in others if first <= e.time <= last), strict=False):
            yield sorted([*events, e], key=lambda one: one[:2])

    def list_windows(self, name: Name) -> Iterator[Sequence[Event]]:
        """What other windows of the key hold, and the same window of other keys."""
        others = (n for n in self.base if n != name and (n[0] == name[0] or n[1:] == name[1:]))
        for _, other in zip(range(_OTHERS), others, strict=False):
            if len(self.base[other]) == 1 and self.base[other][0].events:
                yield self.base[other][0].events

    @cached_property
    def shared(self) -> float:
        """In how many windows an event is: an edit of one shows in all of them, and says so much less by each."""
        window = self.sample.window
        return max(1.0, window.range / window.slide) if isinstance(window, Sliding) else 1.0

    def weigh(self, kind: str, left: Collection[Name]) -> Remains:
        """What a kind of edit is worth, of the findings that are left."""
        found = {name: it for name, it in self.found[kind].items() if name in left}
        cost = log2(len(_WHY)) + count_choices(len(left), len(found))
        contents = {name: numbers for name, (_, numbers) in found.items()}
        cause = "events of a window twice" if kind == _ALL_TWICE else kind
        return Remains(cause, _WHY[kind], contents, sum(worth for worth, _ in found.values()) / self.shared - cost)


def tell_cuts(remains: Remains) -> str:
    """What is said of windows that are cut where some event came; of few, of which key and at which event."""
    if remains.cause not in CUTS or len(remains.contents) > _TOLD:
        return remains.why
    word, choose = ("from", min) if remains.cause == CUTS[0] else ("up to", max)
    places = sorted((choose(numbers), show_key(name[0])) for name, numbers in remains.contents.items())
    said = dict.fromkeys(f"{key}: {word} event {number:,}" for number, key in places)
    return f"{remains.why} ({'; '.join(said)})"


def count_fits(sample: Sample, contents: dict[Name, tuple[int, ...]], given: Hypothesis | None) -> int:
    """How many results are those of these events, by their arrival numbers; of a job that does what is given."""
    events = {e.arrival: e for of_key in sample.events.values() for e in of_key}
    answer = sample.answer if given is None else partial(given.make_answer, sample)
    return sum(
        sample.fits([answer([events[number] for number in numbers])], sample.results.get(name, []))
        for name, numbers in contents.items()
    )
