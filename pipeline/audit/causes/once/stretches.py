"""Stretches of events that were lost, or counted twice: of arrival, or of time."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import accumulate, chain, combinations_with_replacement
from math import isfinite, log2
from typing import Final, NamedTuple

from swagproof.models.windows.kinds import Session
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, without
from swagproof.pipeline.audit.causes.once.natural import name_cell, name_span
from swagproof.pipeline.audit.causes.sample import Event, Events, Foretold, Got, Name, Sample
from swagproof.pipeline.audit.causes.tried.answers import got_number, number_of
from swagproof.pipeline.audit.causes.tried.events.lates import find_end
from swagproof.pipeline.audit.keys import show_key
from swagproof.pipeline.audit.rules import Answer

_LOOKED: Final = 40
WIDEST: Final = 40
"""How many findings are looked into one by one, and how many events a window then has at most."""
_BATCH: Final = 3
"""How many events are not single ones any more."""
_TURNS: Final = 2
"""How often each end of a run is moved."""
_RUNS: Final = 4
"""How many runs of events that may not be counted are tried."""
_SIDES: Final = 400
"""How many places are tried where all on one side may be lost."""
_LARGE: Final = 2_000
"""Of windows of more events no part is looked for."""
_BOXES: Final = 200
_NEARLY: Final = Fraction(1, 10**12)
"""How far sums of floats are off at most, of the sum of their sizes."""
_EDITED: Final = 2_000_000
"""How many events are folded at most to see which are counted."""


class Line(NamedTuple):
    """Where events stand in a row: by their arrival, or their time."""

    of: Callable[[Event], int]
    said: str
    show: Callable[[int], str]
    key: str | None = None
    """The one key whose events stand there; None: all do."""
    by_time: bool = False


def stretch(sample: Sample, line: Line, first: int, last: int, *, again: bool) -> Hypothesis:
    """The events lost, or counted twice, that stand from this place to that."""
    places = sorted(line.of(e) for events in sample.events.values() for e in events)
    n = bisect_right(places, last) - bisect_left(places, first)
    only = next(iter(sample.events)) if len(sample.events) == 1 and not sample.whole else None
    key = only if line.key is None else line.key
    keys = "" if key is None else f" of key {show_key(key)}"
    change = without(lambda e: first <= line.of(e) <= last, again=again)
    what = "batch" if n > 1 else "event"
    verb = "counts" if again else "leaves out"
    which = f"the {n:,} events{keys} {line.said} {line.show(first)} to {line.show(last)}"
    which = which if n > 1 else f"event {line.show(first)}"
    if line.by_time and not again and n > 1 and (first == places[0]) != (last == places[-1]):
        side = f"from {line.show(first)} on" if last == places[-1] else f"before {line.show(places[n])}"
        which, what = f"all events{keys} {side}", ""
    rest = ""
    if what == "batch":
        which, rest = _tell_natural(sample, line, first, last, which, f"{n:,} events{keys}")
    name = f"{what} {'replayed' if again else 'lost'}" if what else "some times left out"
    why = f"{verb} {which}{' twice' if again else ''}{rest}"
    if again and n > _BATCH and last == places[-1] and first != places[0]:  # which no batch is: it has no end
        name = "result multiplied"
        why = f"counts each event{keys} {line.said} {line.show(first)} on twice ({n:,} events)"
    return Hypothesis(
        name,
        why,
        events=change if line.key is None else partial(_change_key, line.key, change),
        needs=2,
        bits=log2(max(2, len(sample.arrivals))) + (log2(max(2, n)) if what else 0.0),
    )


def _tell_natural(sample: Sample, line: Line, first: int, last: int, which: str, count: str) -> tuple[str, str]:
    """Which events they are, and what follows; where they are all of a day, or of a cell, that is said, too."""
    those = {e.arrival for events in sample.events.values() for e in events if first <= line.of(e) <= last}
    span, cell = name_span(sample, those), name_cell(sample, those)
    also = f"just those {cell}" if cell else ""
    if span:
        run = "" if line.by_time else f"those {line.said} {line.show(first)} to {line.show(last)}"
        which, also = f"all {count} of {span}", " and ".join(one for one in (run, also) if one)
    return which, f", which are {also}" if also else ""


def _replay_open(sample: Sample, line: Line, first: int, last: int) -> Hypothesis:
    """The same counted twice by windows that were not over when the last of them had come: as where a source goes back,
    and the state does not."""
    one = stretch(sample, line, first, last, again=True)
    mark = max((e.watermark for events in sample.events.values() for e in events if line.of(e) <= last), default=0)

    def results(found: Foretold) -> Foretold:
        made: Foretold = {}
        for name, parts in found.items():
            end = find_end(sample, name)
            again = end is not None and end > mark
            made[name] = [
                replace(part, events=[e for e in part.events for _ in range(1 + (first <= line.of(e) <= last))])
                if again and part.answer is None
                else part
                for part in parts
            ]
        return made

    return replace(one, why=f"{one.why}, in windows that are not over by then", events=None, results=results)


def _change_key(key: str, change: Callable[[Events], Events], all_: Events) -> Events:
    return {**all_, **change({key: all_[key]})} if key in all_ else all_


def find_stretches(
    sample: Sample, left: Collection[Name], line: Line, *, again: bool, given: Hypothesis | None = None
) -> Iterator[Hypothesis]:
    """Stretches of arrival, or of time, that were lost, or counted twice: those that explain most findings, `given`
    another cause.

    In a window that such a stretch reaches into, the events that came one after the other, and are gone or there twice,
    say from which place to which it may have been; the stretch is where most findings agree.
    """
    of, numbers = line.of, sorted({line.of(e) for events in sample.events.values() for e in events})
    boxes: list[tuple[Name, int, int, int, int]] = []
    base = sample.due if given is None else given.foretell(sample)
    answer = sample.answer if given is None else partial(given.make_answer, sample)
    parts = [(name, base.get(name, [])) for name in left]
    narrow = sorted((len(p[0].events), str(name), name) for name, p in parts if len(p) == 1)
    for n, _, name in narrow[:_LOOKED]:
        events = base[name][0].events
        came = sorted(events, key=of)
        got = sample.results.get(name, [])
        runs = (
            combinations_with_replacement(range(n), 2) if n <= WIDEST else _find_runs(sample, name, came, again=again)
        )
        for i, j in runs:
            gone = {of(e) for e in came[i : j + 1]}
            kept = [e for e in events for _ in range(1 + again if of(e) in gone else 1) if again or of(e) not in gone]
            answers = [answer(kept)] if kept else []
            if sample.fits(answers, got):
                before = of(came[i - 1]) if i else -(2**63)
                after = of(came[j + 1]) if j + 1 < n else 2**63
                boxes.append((name, before, of(came[i]), of(came[j]), after))
        if len(boxes) > _BOXES:
            break
    counted = sorted(map(of, list_counted(sample, base, answer, again=again)))
    votes: Counter[tuple[int, int]] = Counter()
    agreed: Counter[tuple[int, int]] = Counter()
    for x in {box[2] for box in boxes}:
        for y in {box[3] for box in boxes}:
            if x <= y:
                agree = {box[0] for box in boxes if box[1] < x <= box[2] and box[3] <= y < box[4]}
                agreed[x, y] = len(agree)
                votes[x, y] = len(agree) - bisect_right(counted, y) + bisect_left(counted, x)
    for (x, y), n in votes.most_common(8):
        size = bisect_right(numbers, y) - bisect_left(numbers, x)
        if n > 1 and _BATCH <= size < len(numbers) // 2:
            yield stretch(sample, line, x, y, again=again)
    if again and sample.delay is not None and not line.by_time:
        for (x, y), n in agreed.most_common(2):
            if n > 1:
                yield _replay_open(sample, line, x, y)
    if line.by_time and not again:
        partly = [(p[0].events, sample.results[name]) for name, p in parts if len(p) == 1 and name in sample.results]
        for x, y in _list_sides(sample, line, numbers, partly, answer):
            yield stretch(sample, line, x, y, again=False)
    if not again:
        for x, y in _list_uncounted(numbers, counted):
            if isinstance(sample.window, Session):
                x, y = _narrow(sample, line, numbers, x, y, given)
            if (x, y) not in votes:
                yield stretch(sample, line, x, y, again=again)


def _find_runs(sample: Sample, name: Name, came: Sequence[Event], *, again: bool) -> Iterator[tuple[int, int]]:
    """From which event to which of a large window the answer misses, or has twice: of a count so many in a row, of a
    sum those that come to what is off; or all."""
    yield 0, len(came) - 1
    got, due = got_number(sample, name), sample.answers.get(name, [])
    right = number_of(due[0]) if len(due) == 1 else None
    if got is None or right is None or sample.aggregation.name not in ("sum", "count") or len(came) > _LARGE:
        return
    off = (Fraction(got) - right) * (1 if again else -1)
    weights, slack = [Fraction(1)] * len(came), Fraction(0)
    if sample.aggregation.name == "sum":
        values = [e.value or 0 for e in came]
        if not all(map(isfinite, values)):
            return
        weights = list(map(Fraction, values))
        slack = sum(map(abs, weights)) * _NEARLY if sample.kinds[0] == "float" else slack
    places: dict[Fraction, list[int]] = {Fraction(0): [0]}
    found = 0
    for j, total in enumerate(accumulate(weights)):
        for i in chain(*(places.get(one, ()) for one in _list_near(total - off, slack))):
            yield i, j
            found += 1
        if found > WIDEST:  # so many say nothing
            return
        places.setdefault(_list_near(total, slack)[0], []).append(j + 1)


def _list_near(number: Fraction, slack: Fraction) -> tuple[Fraction, ...]:
    """The number itself; or where one is rounded, in steps of what it may be off by, it and those beside it."""
    if not slack:
        return (number,)
    step = Fraction(round(number / slack))
    return step, step - 1, step + 1


def _list_sides(
    sample: Sample,
    line: Line,
    numbers: Sequence[int],
    partly: Sequence[tuple[Sequence[Event], Sequence[Got]]],
    answer: Callable[[Sequence[Event]], Answer],
) -> Iterator[tuple[int, int]]:
    """All before some place, and all from some place on: by the windows that a side reaches into."""
    places = sorted({line.of(e) for events, _ in partly for e in events})
    if len(partly) > _LOOKED or not 0 < len(places) <= _SIDES:
        return

    def count(side: Callable[[Event], bool]) -> int:
        there = ([e for e in events if side(e)] for events, _ in partly)
        return sum(
            sample.fits([answer(some)] if some else [], got) for some, (_, got) in zip(there, partly, strict=True)
        )

    after = max(places, key=lambda x: count(lambda e: line.of(e) < x))
    if after > numbers[0]:
        yield after, numbers[-1]
    first = max(places, key=lambda x: count(lambda e: line.of(e) >= x))
    if first > numbers[0]:
        yield numbers[0], numbers[bisect_left(numbers, first) - 1]


def _list_uncounted(numbers: Sequence[int], counted: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The longest runs of events that no right result shows to be counted."""
    runs: list[tuple[int, int, int]] = []
    there, run, n = set(counted), list[int](), len(numbers)
    for at, number in enumerate([*numbers, None]):
        if number is not None and number not in there:
            run.append(number)
            continue
        at_an_end = at in (len(run), n)  # where all that came before or after is lost, it may be most of all
        if _BATCH <= len(run) < (n if at_an_end else n // 2):
            runs.append((len(run), run[0], run[-1]))
        run = []
    for _, x, y in sorted(runs, reverse=True)[:_RUNS]:
        yield x, y


def _narrow(
    sample: Sample, line: Line, all_: Sequence[int], first: int, last: int, given: Hypothesis | None
) -> tuple[int, int]:
    """The part of a run whose loss explains most: other sessions come of a loss, so that none tells it by itself."""

    def rate(x: int, y: int) -> int:
        one = stretch(sample, line, x, y, again=False)
        told = (one if given is None else given.and_also(one)).hold(sample)
        return len(told.explained) - len(told.missed) - 2 * len(told.contradicted)

    numbers = [number for number in all_ if first <= number <= last]
    for _ in range(_TURNS if len(numbers) <= _LOOKED else 0):
        first = max((x for x in numbers if x <= last), key=lambda x: rate(x, last))
        last = max((y for y in numbers if y >= first), key=lambda y: rate(first, y))
    return first, last


def list_counted(
    sample: Sample, base: Foretold, answer: Callable[[Sequence[Event]], Answer], *, again: bool
) -> Iterator[Event]:
    """The events that a result shows to be counted, and once: one that is right, and would not be without it.

    Windows share events, so that of each those are looked at that none before has shown.
    """
    shown = set[int]()
    work = _EDITED
    for name, parts in base.items():
        if name in sample.findings or name in sample.aside:
            continue
        for part in parts:
            fresh = [e for e in part.events if e.arrival not in shown][:WIDEST]
            work -= len(part.events) * len(fresh)
            if work < 0:
                return
            if again and sample.fits([answer([e for e in part.events for _ in "ab"])], sample.results.get(name, [])):
                continue  # such as a mean: were all there twice, it would be as it is
            for e in fresh:
                edited = [x for x in part.events for _ in range(1 + again if x is e else 1) if again or x is not e]
                answers = [answer(edited)] if edited else []
                if not sample.fits(answers, sample.results.get(name, [])):
                    shown.add(e.arrival)
                    yield e
