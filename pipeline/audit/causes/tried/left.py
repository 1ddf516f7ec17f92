"""Which results of a job may be left: those that are not overwritten by others, of which but the greatest are shown,
that come after so many events, or are of so many, as HAVING says.

A sink that keeps one row for each value of a primary key keeps of all that share one the row that was written last.  So
where the primary key lacks a part of a window's name, one result of all that differ in it is left; in which order they
were written nobody knows, so that where no rule tells which one it is, it is told as it is seen.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from math import log2
from operator import ge, le
from typing import Any, Final

from swagproof.models.windows.kinds import Counted, Frame
from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis
from swagproof.pipeline.audit.causes.sample import Foretold, Name, Part, Sample, get_place
from swagproof.pipeline.audit.causes.tried.answers import number_of

_PLACES: Final = 5
"""How many times one of several results is left at least, where that is told as it is seen."""
_MOST: Final = 20
"""How many results of a window are left at most."""
_FEW: Final = (1, 2, 3, 5, 10, 20, 50, 100)
"""After so many events, or windows, a key may have its first result."""

Place = tuple[object, ...]
Rank = Callable[[Name, Part], Any]


def list_left(sample: Sample) -> Iterator[Hypothesis]:
    """Some results alone."""
    if not any(name not in sample.results for name in sample.open):
        return
    yield from _list_full(sample)
    if isinstance(sample.window, Frame):
        return
    yield from _list_limits(sample)
    for said, of in (("window", _get_window), ("key", _get_key)):
        if len({of(name) for name in sample.due}) < len(sample.due):
            yield from _list_overwritten(sample, said, of)


def _list_limits(sample: Sample) -> Iterator[Hypothesis]:
    """No result where a window has fewer events than so many, or more; or different cells; or where less is due, or
    more.  The limit lies between the windows that have results and those that have none."""
    single = [(name, parts[0]) for name, parts in sample.due.items() if len(parts) == 1 and name not in sample.aside]
    for said, read, more in _list_measures(sample):
        there, missing = (
            [x for name, part in single if name in names and (x := read(part)) is not None]
            for names in (sample.results.keys(), sample.open - sample.results.keys())
        )
        bits = more + log2(max(2, len({*there, *missing})))
        if not there:
            continue
        least, most = min(there), max(there)
        if few := [x for x in missing if x < least]:
            limit = max(few)
            if said != _EVENTS or limit > 1:  # that it has but one is looked for by itself
                why = _tell_limit(said, limit, limit + 1 == least, "fewer than {:,}", least, "at most {:,}")
                yield _leave_beyond(read, why, partial(ge, limit), bits)
        if many := [x for x in missing if x > most]:
            limit = min(many)
            why = _tell_limit(said, limit, most + 1 == limit, "more than {:,}", most, "{:,} or more")
            yield _leave_beyond(read, why, partial(le, limit), bits)


_EVENTS: Final = "events"
_DUE: Final = ""


def _list_measures(sample: Sample) -> Iterator[tuple[str, Callable[[Part], Any], float]]:
    """What a limit may be of, in words, and the bits of that."""
    yield _EVENTS, lambda part: len(part.events), 0.0
    for i, name in enumerate(sample.columns):
        yield f"different {name}", partial(_count_cells, i), 1.0
    yield _DUE, partial(_find_due, sample), 1.0


def _count_cells(i: int, part: Part) -> int:
    return len({e.others[i] for e in part.events})


def _find_due(sample: Sample, part: Part) -> Any:
    return number_of(part.answer or sample.answer(part.events))


def _tell_limit(said: str, limit: Any, sure: bool, words: str, than: Any, about: str) -> str:
    """The limit in words; where there is no window that is just beyond it, how far it goes at least."""
    if said == _DUE:
        return f"has no result where {float(limit):,.15g} or {'less' if 'most' in about else 'more'} is due"
    return f"has no result where there are {words.format(than) if sure else about.format(limit)} {said}"


def _leave_beyond(read: Callable[[Part], Any], why: str, lost: Callable[[Any], bool], bits: float) -> Hypothesis:
    def results(found: Foretold) -> Foretold:
        return {n: parts for n, parts in found.items() if (x := read(parts[0])) is None or not lost(x)}

    return Hypothesis("result lost", why, results=results, bits=bits, needs=2)


def _get_window(name: Name) -> Place:
    return name[1:]


def _get_key(name: Name) -> Place:
    return name[:1]


def _list_overwritten(sample: Sample, said: str, of: Callable[[Name], Place]) -> Iterator[Hypothesis]:
    numbers = {name: number_of(answers[0]) for name, answers in sample.answers.items() if len(answers) == 1}
    ranks: list[tuple[str, str, Rank]] = [
        ("overwritten", "whose last event came last", lambda name, part: max(e.arrival for e in part.events)),
        ("overwritten", "whose first event came last", lambda name, part: min(e.arrival for e in part.events)),
    ]
    if said == "window":
        ranks += [("overwritten", "whose key is the last", lambda name, part: name[0])]
    else:
        ranks += [("overwritten", "of the last window", lambda name, part: get_place(name))]
    there = Counter(of(name) for name in sample.results)
    due = Counter(of(name) for name in sample.due)
    full = Counter(there[place] for place, n in due.items() if n > there[place])
    most = max(full, default=0)
    if numbers and None not in numbers.values() and len(numbers) == len(sample.due):
        cause = "overwritten" if most == 1 else "only the greatest"
        ranks += [(cause, "that is greatest", lambda name, part: numbers.get(name, 0))]
    if 0 < most <= _MOST:
        for cause, which, rank in ranks:
            if cause == "overwritten" and most > 1:
                continue
            for last in (True, False):
                words = which if last else _turn(which)
                kept = "the one result" if most == 1 else f"the {most} results"
                words = words if most == 1 else words.replace("that is", "that are")
                yield Hypothesis(
                    cause,
                    f"leaves of each {said} {kept} {words}",
                    results=partial(_keep_most, sample, of, rank, last, most),
                    bits=1.0 if most == 1 else 3.0,
                )
    alone = [place for place, n in due.items() if n > 1 and there[place] == 1]
    if len(alone) >= _PLACES and all(n == 1 or there[place] == 1 for place, n in due.items()):
        left = {of(name): name for name in sample.results if name in sample.due}
        why = f"leaves one result of each {said}, and no rule tells of which {_OTHER[said]}"
        yield Hypothesis("overwritten", why, results=partial(_keep_one, of, left), seen=True, bits=RARE)


_OTHER: Final = {"window": "key", "key": "window"}


def _turn(which: str) -> str:
    """The words for the least of what these are for the greatest."""
    if which == "that is greatest":
        return "that is least"
    return (
        which[: which.rindex("last")] + "first"
        if which.endswith("last")
        else which.replace("last window", "first window")
    )


def _keep_most(
    sample: Sample, of: Callable[[Name], Place], rank: Rank, last: bool, most: int, found: Foretold
) -> Foretold:
    """Of each group those of the highest ranks; of equal ones those that are there."""
    groups: dict[Place, list[Name]] = {}
    for name, parts in sorted(found.items(), key=lambda it: it[0] not in sample.results):
        if parts[0].events:
            groups.setdefault(of(name), []).append(name)
    kept: set[Name] = set()
    for names in groups.values():
        ranked: list[Name] = sorted(names, key=lambda name: rank(name, found[name][0]), reverse=last)
        kept.update(ranked[:most])
    return {name: parts for name, parts in found.items() if name in kept}


def _keep_one(of: Callable[[Name], Place], left: dict[Place, Name], found: Foretold) -> Foretold:
    return {name: parts for name, parts in found.items() if left.get(of(name)) == name}


def _list_full(sample: Sample) -> Iterator[Hypothesis]:
    """Nothing, or null, is answered before there are enough events."""
    cause, window = "first windows left out", sample.window
    if isinstance(window, Counted):
        why = f"leaves out windows of less than {window.n:,} events"
        yield Hypothesis(cause, why, results=partial(_leave_short, window.n))
    if isinstance(window, Frame):
        return
    for n in _FEW:
        windows = "window" if n == 1 else f"{n:,} windows"
        results = partial(_leave_first, n, False)
        yield Hypothesis(cause, f"leaves out the first {windows} of each key", results=results, needs=2, bits=2.0)
        if n > 1:
            why = f"leaves out windows until there are {n:,} events of their key"
            yield Hypothesis(cause, why, results=partial(_leave_first, n, True), needs=2, bits=2.0)


def _leave_short(n: int, found: Foretold) -> Foretold:
    return {name: parts for name, parts in found.items() if len(parts[0].events) >= n}


def _leave_first(n: int, events: bool, found: Foretold) -> Foretold:
    seen: dict[str, set[int]] = {}
    kept: set[Name] = set()
    for name in sorted(found, key=get_place):
        mine = seen.setdefault(name[0], set())
        mine.update(e.arrival for e in found[name][0].events) if events else mine.add(len(mine))
        if len(mine) >= n + (not events):
            kept.add(name)
    return {name: parts for name, parts in found.items() if name in kept}
