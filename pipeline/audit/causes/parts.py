"""Of which part of the data something is so: some keys, a stretch of time or of arrival, small or large windows.

What nothing explains everywhere may be so of a part: of the keys of one partition, from the deployment of another
version on, of windows that hold one event.  There is one rule for all of these: a part is a range of some feature of
windows, or a set of keys, or both, in which all windows are that a hypothesis explains and none that contradicts it.
To say which part it is costs as many bits as it takes to choose it.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from math import comb, log2
from typing import Final

from swagproof.models.windows.kinds import Counted
from swagproof.pipeline.audit.causes.hypothesis import Outcome
from swagproof.pipeline.audit.causes.sample import Name, Sample, get_place
from swagproof.pipeline.audit.causes.tried.answers import number_of
from swagproof.pipeline.audit.keys import show_key

_SHOWN: Final = 3
_MANY: Final = 12
"""How many findings are explained at least, where some of them are let go to find a part."""


Holds = Callable[[Name], bool]
"""Whether a window is of a part."""


@dataclass(frozen=True)
class Region:
    """A part of the data, in words that follow what the job does."""

    where: str
    of: Callable[[Sample], Holds]
    """Which windows of a sample are of it."""
    cost: float


@dataclass(frozen=True)
class Feature:
    """A number that windows have, and how a range of it is told; windows that have none are of no range."""

    read: Callable[[Sample], dict[Name, float]]
    tell: Callable[[float | None, float | None], str]
    of_name: Callable[[Name], float | None] = lambda _: None
    """Of a window that is foretold alone: its name tells when it is, and nothing else."""


@dataclass(frozen=True)
class Map:
    """What tells the windows of a sample apart."""

    sample: Sample
    show_time: Callable[[int], str]
    more: tuple[Feature, ...] = ()
    """What else windows are told apart by."""

    @cached_property
    def features(self) -> list[tuple[Feature, dict[Name, float]]]:
        """Time, arrival, how many events there are, and what is due; of each window."""
        features = (
            Feature(_read_places, self._tell_time, get_place),
            *([Feature(_read_arrivals, _tell_arrival)] if self.sample.numbered else []),
            Feature(_read_sizes, _tell_size),
            Feature(_read_numbers, _tell_number),
            *self.more,
        )
        return [(one, one.read(self.sample)) for one in features]

    @cached_property
    def cost(self) -> float:
        """Of saying which feature it is: one of these, or keys."""
        return log2(1 + len(self.features))

    def _tell_time(self, low: float | None, high: float | None) -> str:
        show = show_places(self.sample, self.show_time)
        return _tell(*(None if at is None else show(int(at)) for at in (low, high)))

    def list_regions(self, outcome: Outcome) -> Iterator[Region]:
        """The parts in which all is that it explains, and nothing that contradicts it."""
        keys = sorted({name[0] for name in outcome.explained})
        those = self.choose_keys(keys)
        against = [name for name in outcome.contradicted if name[0] in keys]
        if not against:
            yield those
        for feature, values in self.features:
            region = self.choose_range(feature, values, outcome.explained, outcome.contradicted)
            if region is None and 0 < len(against) < len(outcome.contradicted):
                region = self.choose_range(feature, values, outcome.explained, against)
                region = None if region is None else combine(those, region)
            if region is not None:
                yield region
            elif len(outcome.explained) >= _MANY:
                yield from self._choose_ends(feature, values, outcome)

    def _choose_ends(self, feature: Feature, values: dict[Name, float], outcome: Outcome) -> Iterator[Region]:
        """What lies beyond all that contradicts it, or that it misses: of two faults one may go so far."""
        inside = [values[name] for name in outcome.explained if name in values]
        for against in (outcome.contradicted, outcome.contradicted | outcome.missed):
            there = [value for name in against if (value := values.get(name, feature.of_name(name))) is not None]
            if not there or len(there) < len(against):
                continue
            bits = log2(max(2, len(set(values.values()))))
            for beyond, after in (
                ([value for value in inside if value > max(there)], True),
                ([value for value in inside if value < min(there)], False),
            ):
                if beyond and 2 * len(beyond) >= len(inside):
                    least, most = (min(beyond), None) if after else (None, max(beyond))
                    of = partial(_choose_within, feature, least, most)
                    yield Region(feature.tell(least, most), of, self.cost + bits)

    def choose_keys(self, keys: list[str]) -> Region:
        """All of these keys."""
        said = ", ".join(show_key(key) for key in keys[:_SHOWN]) + (", ..." if len(keys) > _SHOWN else "")
        n = max(len(keys), len(self.sample.events))
        where = f"of {'key' if len(keys) == 1 else 'keys'} {said}"
        return Region(where, partial(_choose_of_keys, frozenset(keys)), self.cost + log2(comb(n, len(keys))))

    def choose_range(
        self, feature: Feature, values: dict[Name, float], inside: Collection[Name], against: Collection[Name]
    ) -> Region | None:
        """The least range that holds all that is explained, open where nothing is beyond it that contradicts."""
        if not inside or not values.keys() >= set(inside):
            return None
        low, high = (choose(values[name] for name in inside) for choose in (min, max))
        there = [value for name in against if (value := values.get(name, feature.of_name(name))) is not None]
        if len(there) < len(against):  # what is foretold, and is of no window, stands in no range but of time
            return None
        if any(low <= value <= high for value in there):
            return None
        least = low if any(value < low for value in there) else None
        most = high if any(value > high for value in there) else None
        if least is None and most is None:
            return None
        bits = log2(max(2, len(set(values.values()))))
        cost = self.cost + bits * sum(limit is not None for limit in (least, most))
        return Region(feature.tell(least, most), partial(_choose_within, feature, least, most), cost)


def show_places(sample: Sample, show_time: Callable[[int], str]) -> Callable[[int], str]:
    """How the place of a window is told: by its time; of windows of so many events by the number of an event."""
    return "event {:,} of a key".format if isinstance(sample.window, Counted) else show_time


def _read_places(sample: Sample) -> dict[Name, float]:
    return {name: get_place(name) for name in {*sample.due, *sample.results}}


def _read_arrivals(sample: Sample) -> dict[Name, float]:
    parts = {name: due[0].events for name, due in sample.due.items() if due and due[0].events}
    return {name: max(e.arrival for e in events) for name, events in parts.items()}


def _read_sizes(sample: Sample) -> dict[Name, float]:
    return {name: len(due[0].events) for name, due in sample.due.items() if due}


def _read_numbers(sample: Sample) -> dict[Name, float]:
    numbers = {name: number_of(answers[0]) for name, answers in sample.answers.items() if len(answers) == 1}
    return {name: float(number) for name, number in numbers.items() if number is not None}


def _choose_of_keys(keys: Collection[str], _sample: Sample) -> Holds:
    return lambda name: name[0] in keys


def _choose_within(feature: Feature, least: float | None, most: float | None, sample: Sample) -> Holds:
    values = feature.read(sample)
    return lambda name: _is_within(values.get(name, feature.of_name(name)), least, most)


def _is_within(value: float | None, least: float | None, most: float | None) -> bool:
    return value is not None and (least is None or value >= least) and (most is None or value <= most)


def combine(keys: Region, region: Region) -> Region:
    """What is in both."""

    def of(sample: Sample) -> Holds:
        is_key, is_near = keys.of(sample), region.of(sample)
        return lambda name: is_key(name) and is_near(name)

    return Region(f"{keys.where}, {region.where}", of, keys.cost + region.cost)


def _tell(low: str | None, high: str | None) -> str:
    if high is None:
        return f"from {low} on"
    if low is None:
        return f"until {high}"
    return f"at {low}" if low == high else f"from {low} to {high}"


def _tell_arrival(low: float | None, high: float | None) -> str:
    said = _tell(*(None if at is None else f"{int(at):,}" for at in (low, high)))
    return f"of windows whose last event came {said}"


def _tell_size(low: float | None, high: float | None) -> str:
    if low == high:
        return f"of windows of {_count(low)}"
    if high is None:
        return f"of windows of {_count(low)} and more"
    return f"of windows of at most {_count(high)}" if low is None else f"of windows of {int(low)} to {_count(high)}"


def _count(n: float | None) -> str:
    return f"{int(n or 0):,} event{'' if n == 1 else 's'}"


def _tell_number(low: float | None, high: float | None) -> str:
    if low is not None and low == high:
        return f"where {low:,.15g} is due"
    if high is None:
        return f"where {low:,.15g} or more is due"
    return f"where {high:,.15g} or less is due" if low is None else f"where {low:,.15g} to {high:,.15g} is due"
