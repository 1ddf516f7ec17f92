"""Diagnosis of an audit's findings: hints first, then diagnoses, single events, and facts about the rest."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from math import log2
from typing import Final

from swagproof.pipeline.audit.diagnosis.hints import add_up, from_options, spell
from swagproof.pipeline.audit.diagnosis.readings import errors, key_words
from swagproof.pipeline.audit.diagnosis.sample import Event, Got, Name, Sample, get_place, in_order
from swagproof.pipeline.audit.diagnosis.search import MARGIN, WORK, Diagnosis, Found, Search, Work
from swagproof.pipeline.audit.wording import format_time

UNEXPLAINED: Final = "unexplained"
"""The name of a finding without a diagnosis."""

_MOST: Final = 300
"""The number of windows that are examined."""
_WIDE: Final = 120
"""Windows with more events are skipped."""
_SHOWN: Final = 4
_ALL: Final = 0.9
"""The share of the unexplained findings that single events must explain; otherwise some rule is the likely cause."""
_FEW: Final = 5
"""The greatest number of single events in a diagnosis."""


def diagnose(sample: Sample, work: int = WORK) -> Found:
    """Explain the findings of a sample, with at most this much work."""
    if not sample.open:
        return Found([])
    parts = add_up(sample)
    hints = [f"right with {option}" for option in spell(sample)]
    if hints:
        return Found([], [*hints, *([parts] if parts else [])], meant=True)
    search = Search(sample, Work(work))
    hints = [f"right with {option}" for option in from_options(search)]
    diagnoses = search.run()
    single, said = take_single(search)
    facts = list_facts(sample, frozenset(search.left)) if search.left else []
    hints += [*said, *([parts] if parts else [])]
    ordered = sorted([*diagnoses, *single], key=lambda one: -len(one.explains))
    return Found(ordered, hints, facts, untried=search.work.untried)


def take_single(search: Search) -> tuple[list[Diagnosis], list[str]]:
    """Return diagnoses of single events that were lost or counted twice, and hints if the evidence is weak."""
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
            max(search.bits[name] for name in names)
            - log2(2 * max(len(sample.expected[name][0].events) for name in names))
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


def _list_fitting(search: Search) -> dict[tuple[bool, int], list[Name]]:
    """Return the windows that are right without an event, or with it twice, by the event's id."""
    sample = search.sample
    found: dict[tuple[bool, int], list[Name]] = defaultdict(list)
    names = [n for n in sorted(search.left, key=str) if len(sample.expected.get(n, ())) == 1][:_MOST]
    for name in names:
        events, got = sample.expected[name][0].events, sample.results.get(name, ())
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
    """Return events that explain windows, each as the only explanation, and without contradicting a right window."""
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
    """Return facts that hold for unexplained findings, but not for all right results."""
    if len(left) < 2:
        return []
    right = [name for name in sample.expected if name not in sample.findings and name not in sample.aside]
    keys, n = {name[0] for name in left}, f"all {len(left):,}"
    facts: list[str] = []
    if len(keys) <= 3 and {name[0] for name in right} - keys:
        facts.append(f"{n} belong to key{'s' * (len(keys) > 1)} {', '.join(map(key_words, sorted(keys)))}")
    inside, outside = sorted(map(get_place, left)), sorted(map(get_place, right))
    if len(outside) > 4 and not any(inside[0] <= it <= inside[-1] for it in outside):
        first, last = (format_time(at, sample.tick) for at in (inside[0], inside[-1]))
        facts.append(f"{n} start from {first} to {last}; no right result does")
    off = [number - expected for name, number, expected in errors(sample) if name in left]
    got = [sample.results[name] for name in left if name in sample.results]
    signs = {
        "are missing": not got,
        "are null": len(got) == len(left) and all(len(it) == 1 and _is_null(it[0]) for it in got),
        "belong to windows without events": not any(name in sample.expected for name in left),
        "are less than expected": len(off) == len(left) > 2 and all(it < 0 for it in off),
        "are more than expected": len(off) == len(left) > 2 and all(it > 0 for it in off),
    }
    facts += [f"{n} {words}" for words, holds in signs.items() if holds][:1]
    for words, test in _tests(sample):
        if all(map(test, left)) and not all(map(test, right)):
            facts.append(f"{n} {words}; {sum(map(test, right)):,} of {len(right):,} right results do, too")
    return facts[:4]


def _is_null(got: Got) -> bool:
    return got.text is None and (got.number is None or got.number != got.number)


def _tests(sample: Sample) -> Iterator[tuple[str, Callable[[Name], bool]]]:
    """Yield properties that windows may share, by their events."""

    def of_window(test: Callable[[list[Event]], bool]) -> Callable[[Name], bool]:
        return lambda name: any(test([*part.events]) for part in sample.expected.get(name, ()))

    yield "contain events of equal time", of_window(lambda x: len({e.time for e in x}) < len(x))
    yield "contain a null", of_window(lambda x: any(e.value is None for e in x) and bool(sample.kinds))
    latest = sample.latest if sample.numbered else {}
    yield "contain an out-of-order event", of_window(lambda x: any(latest.get(e.arrival, e.time) > e.time for e in x))
