"""A job that was begun again without what it had kept: what its open windows held before is in no result.

No rule of the job is wrong then, so that no other definition explains it; and that windows around one moment hold what
came last alone looks like parts that are not merged.  Where the cut is the findings tell: of each it is after some
event, and before the next one that came.  Where a job was begun again several times, a window may have been open more
than once, so that no one cut is right of all that it reaches: several are one hypothesis, which is held as a whole.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import log2
from typing import Final

from swagproof.models.windows.kinds import Counted, Frame, Session
from swagproof.pipeline.audit.causes.cause import Cause
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Foretold, Name, Part, Sample, Window
from swagproof.pipeline.audit.causes.tried.cuts import find_cuts, sort_arrived
from swagproof.pipeline.audit.causes.tried.events.lates import find_end
from swagproof.pipeline.audit.causes.weigh import LEAST, count_choices
from swagproof.pipeline.audit.keys import show_key
from swagproof.pipeline.audit.rules import Answer

_LOOKED: Final = 60
_WIDEST: Final = 200
"""How many findings are looked into one by one, and how many events a window then has at most."""
_NEAR: Final = 60
"""How many places between two events of a window are looked at, and how many events a right one has that may speak
against a moment."""
_WORK: Final = 400_000
"""How many events are aggregated to find where findings may be cut."""
_TRIED: Final = 6
_RARE: Final = 3.0
"""Bits besides the place of each moment: batches are lost more often; but of a batch one also has to say how large."""
_OF_KEYS: Final = 3
"""How many moments are tried of some keys alone."""
_TIMES: Final = 5
"""How often at most a job was begun again."""


def find_restarts(sample: Sample, left: Collection[Name], given: Hypothesis | None) -> Iterator[Hypothesis]:
    """The moments that explain most findings, `given` another cause: each by itself, several together, and each of some
    keys alone."""
    rated = _rate_moments(sample, left, given)
    moments = _choose_moments(rated)
    yield from (_restart(sample, (number,)) for number in moments)
    for overwrites in (False, True):
        several = _choose_several(sample, left, given, moments, overwrites)
        if len(several) > 1 or (several and overwrites):
            yield _restart(sample, several, overwrites=overwrites)
    yield from _list_of_keys(sample, rated)
    unshown = find_unshown(sample, left)
    if unshown is not None:
        yield unshown


def find_single_restarts(sample: Sample, left: Collection[Name], given: Hypothesis | None) -> Iterator[Hypothesis]:
    """The moments by themselves, of all keys before those of some alone."""
    rated = _rate_moments(sample, left, given)
    yield from (_restart(sample, (number,)) for number in _choose_moments(rated))
    yield from _list_of_keys(sample, rated)


def find_unshown(sample: Sample, left: Collection[Name]) -> Hypothesis | None:
    """That what was open at some moment, and had no later event, has no result: its timers are not in what was kept.
    None where it is not just that what has none, or it is fewer than a pattern of each moment."""
    if isinstance(sample.window, Session | Frame | Counted):
        return None
    there = ((name, sample.due[name]) for name in left if name in sample.due and name not in sample.results)
    came = sorted((max(e.arrival for part in parts for e in part.events), str(name), name) for name, parts in there)
    ends, groups = _list_shown_ends(sample), list[list[Name]]()
    moments: list[tuple[int, int]] = []
    for last, _, name in came:
        mark = _find_mark(ends, last + 1)
        if groups and all((_find_end(sample, it) or mark) > mark for it in (*groups[-1], name)):
            groups[-1].append(name)
            moments[-1] = last, mark
        else:
            groups.append([name])
            moments.append((last, mark))
    if not groups or min(map(len, groups)) < LEAST or len(groups) > _TIMES:
        return None
    *first, one = (f"{last:,}" for last, _ in moments)
    which = f"event {one}" if not first else f"one of the events {', '.join(first)} and {one}"
    return Hypothesis(
        "result lost",
        f"has no result of a window that was open after {which} and had no later event, as where timers are lost",
        results=partial(_leave_unshown, sample, moments),
        bits=len(moments) * log2(max(2, len(sample.arrivals))) + _RARE,
    )


def _leave_unshown(sample: Sample, moments: Sequence[tuple[int, int]], found: Foretold) -> Foretold:
    made = Foretold()
    for name, parts in found.items():
        last, end = max((e.arrival for part in parts for e in part.events), default=None), _find_end(sample, name)
        if last is None or end is None or not any(last <= at and end > mark for at, mark in moments):
            made[name] = parts
    return made


def see_unshown(sample: Sample, left: Collection[Name]) -> Iterator[Cause]:
    """The same, where it is all that is left."""
    if len(left) <= LEAST or (one := find_unshown(sample, left)) is None:  # two may be by chance
        return
    outcome = one.hold(sample)
    if not outcome.contradicted and outcome.explained == frozenset(left):
        yield Cause(one.cause, one.why, outcome.explained)


def _list_of_keys(sample: Sample, rated: Mapping[int, tuple[set[Name], Counter[str]]]) -> Iterator[Hypothesis]:
    """The moments at which most findings are told of keys of which no more is against it."""
    chosen: dict[int, tuple[str, ...]] = {}
    gains: dict[int, int] = {}
    for number, (told, against) in rated.items():
        of_key = Counter(name[0] for name in told)
        keys = tuple(sorted(key for key, n in of_key.items() if n > against[key]))
        if LEAST <= len(told) and 0 < len(keys) < len(sample.events):
            chosen[number], gains[number] = keys, sum(of_key[key] - against[key] for key in keys)
    for number in sorted(sorted(chosen, key=lambda n: (-gains[n], -n))[:_OF_KEYS]):
        yield _restart(sample, (number,), chosen[number])


def _rate_moments(
    sample: Sample, left: Collection[Name], given: Hypothesis | None
) -> dict[int, tuple[set[Name], Counter[str]]]:
    """The moments at which a cut may be.  Of each, the findings that speak for it: those that are cut there, and those
    that are not there, as all that they held had come before; and of each key how many that are right it would have
    changed."""
    if isinstance(sample.window, Session) and sample.delay is None:
        return {}
    base = sample.due if given is None else given.foretell(sample)
    answer = sample.answer if given is None else partial(given.make_answer, sample)
    cuts = _find_all_cuts(sample, left, base, answer)
    came = list(sample.arrivals)
    moments: set[int] = set()
    for low, high in {cut for mine in cuts.values() for cut in mine}:
        within = came[bisect_right(came, low) : bisect_right(came, high)]
        moments.update(within[:: len(within) // _NEAR + 1], [high])
    ends = _list_shown_ends(sample)
    lost: list[tuple[int, int, Name]] = []
    right: list[tuple[int, int, Name]] = []
    for name, parts in base.items():
        end = _find_end(sample, name)
        if len(parts) != 1 or not parts[0].events:
            continue
        first, last = (f(e.arrival for e in parts[0].events) for f in (min, max))
        if name in left and name not in sample.results and end is not None:
            lost.append((last, end, name))
        elif name not in sample.findings and len(parts[0].events) <= _NEAR:
            right.append((first, last, name))
    if cuts:  # else nothing but missing results would speak for any
        moments.update(came[bisect_right(came, last)] for last, _, _ in lost[:_LOOKED] if last < came[-1])
    found: dict[int, tuple[set[Name], Counter[str]]] = {}
    for moment in sorted(moments):
        mark = _find_mark(ends, moment)
        told = {name for name, mine in cuts.items() if any(low < moment <= high for low, high in mine)}
        told.update(name for last, end, name in lost if last < moment and end > mark)
        over = (name for first, last, name in right if first < moment <= last)
        later = ((name, _keep_later(sample, name, base[name][0].events, moment)) for name in over)
        changed = (name[0] for name, es in later if not sample.fits([answer(es)], sample.results.get(name, [])))
        found[moment] = told, Counter(changed)
    return found


def _find_all_cuts(
    sample: Sample, left: Collection[Name], base: Foretold, answer: Callable[[Sequence[Event]], Answer]
) -> dict[Name, list[tuple[int, int]]]:
    """Of findings where they may be cut: after which event, and before or at which one."""
    there = ((name, base.get(name, ())) for name in left if name in sample.results)
    narrow = sorted((len(p[0].events), str(name), name) for name, p in there if len(p) == 1)
    cuts: dict[Name, list[tuple[int, int]]] = {}
    work = _WORK
    for n, _, name in narrow[:_LOOKED]:
        work -= n * n
        if n > _WIDEST or work < 0:
            break
        came = sort_arrived(base[name][0].events)
        after = find_cuts(sample, came, sample.results[name], answer).after
        row = _find_row(sample, name, came)
        found = [(came[i - 1].arrival, came[i].arrival) for i in sorted(after) if row is None or came[i].arrival <= row]
        if found:
            cuts[name] = found
    return cuts


def _choose_moments(rated: Mapping[int, tuple[set[Name], Counter[str]]]) -> list[int]:
    """Those that most findings speak for, each after the first for those findings that those before it do not tell."""
    taken: set[Name] = set()
    chosen: list[int] = []
    while len(chosen) < _TRIED and len(rated) > len(chosen):
        gains = {n: len(told - taken) - 2 * against.total() for n, (told, against) in rated.items()}
        best = max(gains, key=lambda n: (gains[n], n))
        if gains[best] < 1:
            break
        chosen.append(best)
        taken.update(rated[best][0])
    return sorted(chosen)


def _choose_several(
    sample: Sample, left: Collection[Name], given: Hypothesis | None, numbers: Collection[int], overwrites: bool
) -> tuple[int, ...]:
    """The moments that together explain most, each of which adds what is a pattern by itself."""

    def rate(some: tuple[int, ...]) -> int:
        one = _restart(sample, some, overwrites=overwrites)
        told = (one if given is None else given.and_also(one)).hold(sample)
        return len(told.explained.intersection(left)) - len(told.missed) - 2 * len(told.contradicted)

    chosen: tuple[int, ...] = ()
    worth = 0
    while len(chosen) < _TIMES:
        more = [(rate(some), some) for n in sorted(numbers) if n not in chosen for some in [_sort((*chosen, n))]]
        best, some = max(more, default=(0, ()))
        if best < worth + LEAST:
            break
        chosen, worth = some, best
    return chosen


def _sort(numbers: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(numbers))


def _restart(
    sample: Sample, numbers: tuple[int, ...], keys: tuple[str, ...] | None = None, *, overwrites: bool = False
) -> Hypothesis:
    """States lost when these events came; `overwrites` if what had been written of a window stays until more comes."""
    ends = _list_shown_ends(sample, keys)
    cuts = [(number, _find_mark(ends, number)) for number in numbers]
    are_sessions = isinstance(sample.window, Session)
    held = "frames" if isinstance(sample.window, Frame) else "open windows"
    *first, last = (f"{number:,}" for number in numbers)
    which = f"event {last} comes" if not first else f"each of the events {', '.join(first)} and {last} comes"
    whose, more = f"its {held} hold", 0.0
    if keys is not None:
        *some, one = (show_key(key) for key in keys)
        whose = f"the {held} of {', '.join(some)}{' and ' if some else ''}{one} hold"
        more = log2(len(sample.events)) + count_choices(len(sample.events), len(keys))
    return Hypothesis(
        "state lost",
        f"loses what {whose} before {which}{', and writes over what it had written of them' if overwrites else ''}",
        needs=LEAST,  # where they are the bits say, too
        bits=len(numbers) * log2(max(2, len(sample.arrivals))) + _RARE + more + overwrites,
        windows=partial(_split, sample, cuts, keys) if are_sessions else None,
        results=None if are_sessions else partial(_lose, sample, cuts, keys, overwrites),
    )


def _list_shown_ends(sample: Sample, keys: Collection[str] | None = None) -> list[tuple[int, int]]:
    """Of each window that has a result, of these keys or of all, when the last of its events came, and its end."""
    there = ((name, parts) for name, parts in sample.due.items() if keys is None or name[0] in keys)
    shown = ((name, parts) for name, parts in there if name in sample.results)
    ends = ((_find_end(sample, name), [e.arrival for part in parts for e in part.events]) for name, parts in shown)
    return [(max(came), end) for end, came in ends if came and end is not None]


def _find_mark(ends: Iterable[tuple[int, int]], number: int) -> int:
    """The last end of a window that is over before this event comes: it has a result, all of earlier events."""
    return max((end for last, end in ends if last < number), default=-(2**63))


def _find_end(sample: Sample, name: Name) -> int | None:
    return name[2] if isinstance(sample.window, Session) else find_end(sample, name)


def _find_row(sample: Sample, name: Name, events: Sequence[Event]) -> int | None:
    """When the row of a frame came, which is written then; None of any other window."""
    if not isinstance(sample.window, Frame):
        return None
    return name[2] if name[2] is not None else max((e.arrival for e in events if e.time == name[1]), default=None)


def _keep_later(sample: Sample, name: Name, events: Sequence[Event], number: int) -> list[Event]:
    """What a window holds of what comes from this event on: all, of a frame whose row came before."""
    row = _find_row(sample, name, events)
    return [e for e in events if e.arrival >= number or (row is not None and row < number)]


def _lose(
    sample: Sample,
    cuts: Sequence[tuple[int, int]],
    keys: Collection[str] | None,
    overwrites: bool,
    found: Foretold,
) -> Foretold:
    made, by_count = Foretold(), isinstance(sample.window, Frame | Counted)
    for name, parts in found.items():
        there, end = parts, _find_end(sample, name)
        for number, mark in cuts if keys is None or name[0] in keys else ():
            if len(there) != 1:  # what is written twice was over already
                break
            kept = _keep_later(sample, name, there[0].events, number)
            before = [e for e in there[0].events if e.arrival < number]
            if by_count:  # which are written once, when their last event comes
                there = [Part(kept)] if kept and before and there[0].answer is None else there
            elif before and overwrites:
                there = [Part(kept or before)]
            elif before:
                is_over = end is None or end <= mark
                there = [Part(some) for some in ([before, kept] if is_over else [kept]) if some]
        if there:
            made[name] = there
    return made


def _split(
    sample: Sample, cuts: Sequence[tuple[int, int]], keys: Collection[str] | None, events: list[Event]
) -> Iterator[Window]:
    rest = events
    theirs = keys is None or any(e.arrival == events[0].arrival for key in keys for e in sample.events.get(key, ())[:1])
    for number, mark in cuts if theirs else ():
        for w in sample.split(sample.window, [e for e in rest if e.arrival < number]):
            if w.b <= mark:
                yield w
        rest = [e for e in rest if e.arrival >= number]
    yield from sample.split(sample.window, rest)
