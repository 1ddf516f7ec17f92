"""Single events: a result that is right without one event, or with one counted twice; and facts of what is left."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from math import log2
from typing import Final

from swagproof.pipeline.audit.diagnosis.readings import errors, key_words
from swagproof.pipeline.audit.diagnosis.sample import Event, Name, Sample, get_place, in_order
from swagproof.pipeline.audit.diagnosis.search import MARGIN, Diagnosis, Search
from swagproof.pipeline.audit.wording import format_time

_MOST: Final = 300
"""Windows that are looked into."""
_WIDE: Final = 120
"""Windows with more events are passed over."""
_SHOWN: Final = 4
_ALL: Final = 0.9
"""The share of the unexplained findings that single events explain; else some rule is behind them."""
_FEW: Final = 5
"""The number of single events that are named."""
_FACTS: Final = 4


def take_single(search: Search) -> tuple[list[Diagnosis], list[str]]:
    """Diagnoses of single events that were lost or counted twice, and hints where one window says it alone."""
    sample = search.sample
    fitting = _list_fitting(search)
    diagnoses: list[Diagnosis] = []
    hints: list[str] = []
    for twice in (False, True):
        chosen = _choose({e: names for (often, e), names in fitting.items() if often is twice}, search)
        if not chosen:
            continue
        explains = frozenset(name for _, names in chosen for name in names)
        evidence = sum(
            max(search.bits[name] for name in names) - log2(2 * max(len(_held(sample, name)) for name in names))
            for _, names in chosen
        )
        numbers = [str(e.arrival) if sample.numbered else f"at {format_time(e.time, sample.tick)}" for e, _ in chosen]
        more = f" and {len(numbers) - _SHOWN:,} more" if len(numbers) > _SHOWN else ""
        shown = f"event{'s' * (len(numbers) > 1)} {', '.join(numbers[:_SHOWN])}{more}"
        if len(explains) < _ALL * len(search.left) or len(chosen) > _FEW:
            continue
        if evidence >= MARGIN + 1:
            clause = f"counts {shown} twice" if twice else f"does not count {shown}"
            diagnoses.append(Diagnosis("event replayed" if twice else "event lost", clause, explains))
            search.left -= explains
        elif len(chosen) <= 2:
            hints.append(f"right with {shown} twice" if twice else f"right without {shown}")
    return diagnoses, hints


def take_missing(search: Search) -> list[Diagnosis]:
    """Return what is left, where it is all missing or all null, without a rule for which."""
    sample, left = search.sample, frozenset(search.left)
    if not left or not left <= sample.expected.keys():
        return []
    if not any(name in sample.results for name in left) and any(name in sample.results for name in sample.expected):
        clause = "omits some results, in no visible pattern"
        search.left.clear()
        return [Diagnosis("result lost", clause, left)]
    if len(left) > 1 and all(_is_null(sample, name) for name in left):
        search.left.clear()
        return [Diagnosis("null", "writes null instead of some results, in no visible pattern", left)]
    return []


def _is_null(sample: Sample, name: Name) -> bool:
    got = sample.results.get(name, ())
    return len(got) == 1 and got[0].text is None and (got[0].number is None or got[0].number != got[0].number)


def _held(sample: Sample, name: Name) -> Sequence[Event]:
    return sample.expected[name][0].events


def _list_fitting(search: Search) -> dict[tuple[bool, int], list[Name]]:
    """The windows that are right without an event, or with it twice, by the event's id."""
    sample = search.sample
    found: dict[tuple[bool, int], list[Name]] = defaultdict(list)
    names = [n for n in sorted(search.left, key=str) if len(sample.expected.get(n, ())) == 1][:_MOST]
    for name in names:
        events, got = _held(sample, name), sample.results.get(name, ())
        if len(got) != 1 or not 1 < len(events) <= _WIDE:
            continue
        for i, e in enumerate(events):
            for twice in (False, True):
                those = in_order([*events, e]) if twice else [*events[:i], *events[i + 1 :]]
                try:
                    if sample.fits([sample.answer(those)], got):
                        found[twice, id(e)].append(name)
                except (ArithmeticError, ValueError, TypeError):
                    continue
    return found


def _choose(fitting: dict[int, list[Name]], search: Search) -> list[tuple[Event, list[Name]]]:
    """Events that explain windows, each the only one that does, and of which no right window speaks."""
    sample = search.sample
    events = {id(e): e for of in sample.events.values() for e in of}
    all_windows: dict[int, set[Name]] = defaultdict(set)
    for name, parts in sample.expected.items():
        for part in parts:
            for e in part.events:
                all_windows[id(e)].add(name)
    whole = {i: names for i, names in fitting.items() if all_windows[i] - sample.aside <= set(names)}
    ways: Counter[Name] = Counter(name for names in whole.values() for name in names)
    chosen = [(events[i], names) for i, names in whole.items() if all(ways[name] == 1 for name in names)]
    return sorted(chosen, key=lambda it: it[0].arrival)


def list_facts(sample: Sample, left: frozenset[Name]) -> list[str]:
    """The facts that unexplained findings share and right results do not."""
    if len(left) < 2:
        return []
    right = [name for name in sample.expected if name not in sample.findings and name not in sample.aside]
    facts: list[str] = []
    n = f"all {len(left):,}"
    keys = {name[0] for name in left}
    others = {name[0] for name in right} - keys
    if others and len(keys) <= 3:
        facts.append(f"{n} belong to key{'s' * (len(keys) > 1)} {', '.join(map(key_words, sorted(keys)))}")
    inside, outside = sorted(map(get_place, left)), sorted(map(get_place, right))
    first, last = (format_time(at, sample.tick) for at in (inside[0], inside[-1]))
    if outside and inside[0] > outside[-1]:
        facts.append(f"{n} start from {first} on; no right result does")
    elif outside and inside[-1] < outside[0]:
        facts.append(f"{n} start up to {last}; no right result does")
    elif len(outside) > 4 and not any(inside[0] <= it <= inside[-1] for it in outside):
        facts.append(f"{n} start from {first} to {last}; no right result does")
    facts += _signs(sample, left)
    for words, test in _tests(sample):
        if all(test(name) for name in left) and not all(test(name) for name in right):
            share = sum(map(test, right))
            facts.append(f"{n} {words}; {share:,} of {len(right):,} right results do, too")
    return facts[:_FACTS]


def _signs(sample: Sample, left: frozenset[Name]) -> list[str]:
    """Return whether all results are too small, too large, missing, or of no window."""
    n = f"all {len(left):,}"
    if not any(name in sample.results for name in left):
        return [f"{n} are missing"]
    if not any(name in sample.expected for name in left):
        return [f"{n} belong to windows without events"]
    off = [number - right for name, number, right in errors(sample) if name in left]
    if len(off) == len(left) > 2:
        if all(it < 0 for it in off):
            return [f"{n} are less than expected"]
        if all(it > 0 for it in off):
            return [f"{n} are more than expected"]
    return []


def _tests(sample: Sample) -> list[tuple[str, Callable[[Name], bool]]]:
    """Return what a window may hold."""

    def any_of(test: Callable[[Event], bool]) -> Callable[[Name], bool]:
        return lambda name: any(test(e) for part in sample.expected.get(name, ()) for e in part.events)

    def tie(name: Name) -> bool:
        times = [e.time for part in sample.expected.get(name, ()) for e in part.events]
        return len(set(times)) < len(times)

    found: list[tuple[str, Callable[[Name], bool]]] = [("contain events of equal time", tie)]
    if sample.has_nulls:
        found.append(("contain a null", any_of(lambda e: e.value is None)))
    if sample.numbered:
        latest = sample.latest
        found.append(("contain an out-of-order event", any_of(lambda e: latest.get(e.arrival, e.time) > e.time)))
    return found
