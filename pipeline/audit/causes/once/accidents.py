"""What happened once: keys and stretches of windows without results, single events that were lost, or counted twice."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate, combinations
from math import log2
from typing import Final

from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis, without
from swagproof.pipeline.audit.causes.once.described import describe_events
from swagproof.pipeline.audit.causes.once.stretches import list_counted
from swagproof.pipeline.audit.causes.parts import show_places
from swagproof.pipeline.audit.causes.sample import Event, Foretold, Name, Part, Sample, get_place
from swagproof.pipeline.audit.causes.weigh import MARGIN, Scale
from swagproof.pipeline.audit.keys import show_key

_SHOWN: Final = 3
"""How many keys are named."""
_NAMED: Final = 4
"""How many single events are."""
_WORK: Final = 600_000
"""How many events are aggregated to look for single ones; windows that are wider than that allows are let go."""
_SHARE: Final = 0.9
"""How many of the findings single events have to explain, to be believed."""
_MOST_BITS: Final = 20.0
"""How many bits a finding says at most."""
_RARE: Final = 12
"""Of how many events one may be lost or counted twice by itself: where it is more, there is a rule to it."""
_PAIRS: Final = 12
"""How many events a window has at most of which two are tried together."""


def list_accidents(sample: Sample, show_time: Callable[[int], str] = str) -> Iterator[Hypothesis]:
    """Keys and stretches of windows without results."""
    silent_keys = sorted(sample.events.keys() - {name[0] for name in sample.results})
    if silent_keys and (2 * len(silent_keys) < len(sample.events) or not sample.results):
        named = ", ".join(map(show_key, silent_keys[:_SHOWN])) + (", ..." if len(silent_keys) > _SHOWN else "")
        one = len(silent_keys) == 1
        why = f"has no result of key {named}" if one else f"has no result of {len(silent_keys):,} keys: {named}"
        yield Hypothesis(
            "key lost",
            "has no results at all, of any key" if sample.silent else why,
            results=partial(_leave_out, partial(_is_of_keys, frozenset(silent_keys))),
            seen=True,
        )
    for key in sorted({name[0] for name in sample.open} - sample.events.keys()):
        mine = {name for name in sample.open if name[0] == key}
        yield _as_seen(sample, "unknown key", "has results of a key that has no event", mine)
    lost = {name for name in sample.open if name not in sample.results}
    shown = {get_place(name) for name in sample.results}
    since = min((get_place(name) for name in lost), default=0)
    if len(lost) > 2 and shown and max(shown) < since:
        rest = partial(_leave_out, partial(_is_between, since, 2**63))
        why = f"writes no results any more from {show_places(sample, show_time)(since)} on"
        why += ", as where an upstream of which nothing comes holds its watermark back" if sample.idles else ""
        yield Hypothesis("stretch lost", why, results=rest, seen=True)
    begins = sorted({get_place(name) for name in sample.due})
    run: list[int] = []
    for begin in [*begins, None]:
        there = [name for name in sample.due if begin is not None and get_place(name) == begin]
        if there and all(name in lost for name in there):
            run.append(begin or 0)
            continue
        first, last = (run[0], run[-1]) if run else (0, -1)
        gone = {name for name in lost if get_place(name) in run}
        silent = not any(first <= place <= last for place in shown)
        if len(gone) > 2 and len({name[0] for name in gone}) > 1 and 2 * len(gone) < len(sample.due) and silent:
            yield Hypothesis(
                "stretch lost",
                "has no results of a stretch of time",
                results=partial(_leave_out, partial(_is_between, first, last)),
                needs=3,
                bits=-2.0,  # which nobody has to choose of many: it is to be seen
                spare=RARE if run[-1] == begins[-1] else 0.0,  # that the last windows are not written is plainer
            )
        run = []


def _is_of_keys(keys: Collection[str], name: Name) -> bool:
    return name[0] in keys


def _is_between(first: int, last: int, name: Name) -> bool:
    return first <= get_place(name) <= last


def _leave_out(is_gone: Callable[[Name], bool], found: Foretold) -> Foretold:
    return {name: parts for name, parts in found.items() if not is_gone(name)}


def _as_seen(sample: Sample, cause: str, why: str, names: Iterable[Name]) -> Hypothesis:
    """What is to be seen in the results, and explains nothing but itself."""
    seen = {name: sample.results.get(name, []) for name in names}

    def results(found: Foretold) -> Foretold:
        made = {n: p for n, p in found.items() if n not in seen}
        for name, gots in seen.items():
            made[name] = [Part((), sample.copy(got)) for got in gots]
        return made

    return Hypothesis(cause, why, results=results, seen=True)


def find_events(
    scale: Scale, left: Collection[Name], given: Hypothesis | None = None
) -> tuple[float, Hypothesis] | None:
    """Single events that were lost, or counted twice, here and there, all one or all the other; and their worth.

    That some event of a window fits by chance is likely; that one does in nine findings of ten is not.  So they are
    believed together or not at all: each finding says how far it is off, and which event of its window that is, costs.
    """
    best: tuple[float, Hypothesis] | None = None
    for again in (False, True):
        loss = _Loss(scale, left, given, again=again)
        found = loss.find()
        if found is None:
            continue
        worth, which = found
        one = _name_events(scale.sample, which, loss.sure, again=again)
        if worth - scale.cost >= MARGIN and (best is None or worth > best[0]):
            best = worth, one
    return best


def _name_events(sample: Sample, which: Sequence[int], sure: Collection[int], *, again: bool) -> Hypothesis:
    """Which events they are, as far as results tell, and what these have in common that few others have."""
    told = sorted(sure)
    shown = ", ".join(f"{arrival:,}" for arrival in told[:_NAMED]) + (", ..." if len(told) > _NAMED else "")
    those, unknown = frozenset(which), len(which) - len(told)
    what = f"{len(which):,} single event{'s' * (len(which) > 1)}" + (f": {shown}" if told else "")
    if unknown:
        what += f"{' and' if told else ','} {unknown:,} that results do not tell from others"
    elif len(which) == 1:
        what = f"event {shown}"
    why = f"{'counts' if again else 'leaves out'} {what}{' twice' if again else ''}"
    common = describe_events(sample, told) if len(told) > 1 else ""
    if common:
        why += f"; each of {'those that are told' if unknown else 'them'} is {common}"
    return Hypothesis(
        f"event {'replayed' if again else 'lost'}",
        why,
        events=without(lambda e: e.arrival in those, again=again),
        needs=2,
    )


class _Loss:
    """Looks for single events whose loss, or double count, explains findings."""

    def __init__(self, scale: Scale, left: Collection[Name], given: Hypothesis | None, *, again: bool) -> None:
        sample = scale.sample
        self.scale, self.sample, self.again = scale, sample, again
        self.answer = sample.answer if given is None else partial(given.make_answer, sample)
        base = sample.due if given is None else given.foretell(sample)
        there = ((name, list(base[name][0].events)) for name in left if len(base.get(name, ())) == 1)
        narrow = sorted(((name, events) for name, events in there if events), key=lambda it: (len(it[1]), str(it[0])))
        work = accumulate(len(events) ** 2 for _, events in narrow)
        self.parts = {it[0]: it[1] for it, done in zip(narrow, work, strict=True) if done <= _WORK}
        self.sure = set[int]()
        """The events of which some result tells that it is they, and no others."""
        self._mine: dict[Name, list[int]] = {}
        """Which events explain a finding by themselves, as long as its part is as it is."""
        self.counted = frozenset(e.arrival for e in list_counted(sample, base, self.answer, again=again))
        self.n = len(left)

    def find(self) -> tuple[float, list[int]] | None:
        """What they are worth together, and their arrival numbers."""
        if self.n < 2 or len(self.parts) < _SHARE * self.n:
            return None
        chosen: dict[int, float] = {}
        explained: dict[Name, float] = {}
        while True:
            votes = self.vote(explained)
            if not votes:
                break
            best = max(votes, key=lambda arrival: (len(votes[arrival]), -arrival))
            chosen[best] = 1 + max(log2(len(self.parts[name])) for name in votes[best])
            if not any(other != best and set(names) >= set(votes[best]) for other, names in votes.items()):
                self.sure.add(best)
            for name, events in self.parts.items():
                if any(e.arrival == best for e in events):
                    self.parts[name] = self.edit(events, (best,))
                    self._mine.pop(name, None)
            explained |= {name: self.measure(name) for name in votes[best]}
        for name, pair in self.list_pairs(explained):
            self.sure.update(pair)
            chosen |= dict.fromkeys(pair, 1 + log2(len(self.parts[name])))
            explained[name] = self.measure(name)
        if len(explained) < max(2, _SHARE * self.n) or len(chosen) * _RARE > len(self.sample.arrivals):
            return None
        return sum(explained.values()) - sum(chosen.values()), list(chosen)

    def measure(self, name: Name) -> float:
        """How many bits say what is there in place of what is due."""
        return min(_MOST_BITS, self.scale.measure_error(name)) if name in self.sample.results else 1.0

    def edit(self, events: Sequence[Event], which: Collection[int]) -> list[Event]:
        """The events with some lost, or twice."""
        if self.again:
            return [e for e in events for _ in range(1 + (e.arrival in which))]
        return [e for e in events if e.arrival not in which]

    def fits(self, name: Name, events: Sequence[Event]) -> bool:
        """Whether a finding is just what these events give."""
        if not events:
            return not self.sample.results.get(name)
        return self.sample.fits([self.answer(events)], self.sample.results.get(name, []))

    def vote(self, explained: Collection[Name]) -> dict[int, list[Name]]:
        """The findings that an event by itself explains, where no window that is right has it."""
        found: dict[int, list[Name]] = {}
        for name, events in self.parts.items():
            if name in explained:
                continue
            mine = self._mine.get(name)
            if mine is None:
                mine = [e.arrival for e in events if self.fits(name, self.edit(events, (e.arrival,)))]
                self._mine[name] = mine
            if len(mine) == 1 or 2 * len(mine) <= len(events):  # else any would do
                for arrival in mine:
                    if arrival not in self.counted:
                        found.setdefault(arrival, []).append(name)
        return found

    def list_pairs(self, explained: Collection[Name]) -> Iterator[tuple[Name, tuple[int, int]]]:
        """The findings that just two events of a small window explain."""
        for name, events in self.parts.items():
            if name in explained or len(events) > _PAIRS:
                continue
            arrivals = [e.arrival for e in events]
            pairs = [p for p in combinations(arrivals, 2) if self.fits(name, self.edit(events, p))]
            if len(pairs) == 1:
                yield name, pairs[0]
