"""Which causes explain the findings: one for all of them before one for some, and none rather than a wrong one.

Hypotheses are held against all results of a sample, and believed by one rule: a hypothesis

- contradicts no result that is right,
- explains at least three findings for each that it misses (it would change the result, and not to what is there), and
- explains as many findings as it `needs`: one; more where it was read off the results, or two were put together; and
  where these are fewer than three, not just any result would have been explained by one hypothesis or another.

Of those the one that explains most is taken, then the one that explains most of what is left, and so on.  What nothing
explains everywhere is looked for in a part of the data: some keys, or from some time on.  Then what came in a row and
was lost or counted twice; then what is seen of a finding by itself.  What still is not explained is said to be so.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from swagproof.pipeline.audit.causes.answers import got_number, list_answers, number_of
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, Outcome
from swagproof.pipeline.audit.causes.inputs import list_inputs, show_key, stretch
from swagproof.pipeline.audit.causes.sample import Event, Foretold, Name, Part, Sample
from swagproof.pipeline.audit.causes.windows import list_windows
from swagproof.pipeline.audit.rules import Answer

UNEXPLAINED = "unexplained"
"""The cause of what nothing explains."""

_MISSES = 3
"""How many findings are explained for one that is missed."""
_PART = 4
"""How many findings more a hypothesis must explain to be believed of a part of the data."""
_LOOKED = 40
_WIDEST = 40
"""How many findings are looked into one by one, and how many events a window then has at most."""
_COINCIDENCE = 0.1
"""How many findings may have a cause by chance, of one that has one, where they are looked into one by one."""
_FEW = 3
"""Fewer findings than these may be explained by chance."""
_ANY_PLACE = 0.3
"""How likely some hypothesis leaves out just this window, or has just this one too many."""
_TELLING = 3
"""How many letters a result has at least that is no coincidence."""


@dataclass(frozen=True)
class Cause:
    """A cause, and what it explains."""

    name: str
    why: str
    """What the job did: `the job` and a clause."""
    explains: frozenset[Name]
    where: str = ""
    """Of which part of the data it is believed; empty for all."""
    also: tuple[str, ...] = ()
    """Other causes that would have had the same results here."""
    hypothesis: Hypothesis | None = None
    """Where it is believed of all data."""


def find_causes(sample: Sample, show_time: Callable[[int], str] = str) -> list[Cause]:
    """The causes of what was found, the one that explains most first."""
    left = set(sample.open)
    found: list[Cause] = []
    if not left:
        return found
    outcomes = [one.hold(sample) for one in list_hypotheses(sample)]
    found += take_everywhere(sample, outcomes, left)
    accidents = [one.hold(sample) for one in _list_accidents(sample, left)]
    found += take_everywhere(sample, accidents, left, among=outcomes)
    found += take_everywhere(sample, _go_on(sample, found, left), left, among=outcomes)
    if len(left) > 1 and _MISSES * len(left) >= len(sample.open):
        found += take_everywhere(sample, _pair(sample, outcomes, left), left, among=outcomes)
    found += _take_parts(outcomes, left, show_time)
    found += _take_rows(sample, outcomes, left)
    return _merge(found)


def list_hypotheses(sample: Sample) -> Iterator[Hypothesis]:
    """All that are tried, the likelier first."""
    yield from list_windows(sample)
    yield from list_inputs(sample)
    yield from list_answers(sample)


def is_believed(outcome: Outcome, left: Iterable[Name]) -> bool:
    """Whether a hypothesis is believed of all data, for the findings that are left."""
    among = frozenset(left)
    explained, missed = len(outcome.explained & among), len(outcome.missed & among)
    return not outcome.contradicted and explained >= max(outcome.hypothesis.needs, _MISSES * missed)


def take_everywhere(
    sample: Sample, tried: Sequence[Outcome], left: set[Name], *, among: Sequence[Outcome] = ()
) -> Iterator[Cause]:
    """Those that are believed of all data; what they explain is taken from what is left.

    `among` are all that were tried before.
    """
    while left:
        believed = [
            one
            for one in tried
            if one.explained & left
            and is_believed(one, left)
            and (one.hypothesis.seen or not _is_chance(sample, (*among, *tried), one.explained & left))
        ]
        if not believed:
            return
        best = max(believed, key=lambda one: (len(one.explained & left), -len(one.missed & left)))
        explains = frozenset(best.explained & left)
        also = {
            one.hypothesis.cause: None
            for one in believed
            if one.explained & left == explains and len(one.missed & left) == len(best.missed & left)
        }
        also.pop(best.hypothesis.cause, None)
        yield Cause(best.hypothesis.cause, best.hypothesis.why, explains, also=tuple(also), hypothesis=best.hypothesis)
        left -= explains


def _go_on(sample: Sample, found: Sequence[Cause], left: set[Name]) -> list[Outcome]:
    """Two that are believed already, where they meet; and what was lost, given one of them."""
    believed = [cause.hypothesis for cause in found if cause.hypothesis is not None]
    both = [(one, other) for i, one in enumerate(believed) for other in believed[i + 1 :]]
    if left:
        both += [
            (one, other)
            for one in believed[:2]
            for again in (False, True)
            for other in _find_stretches(sample, left, again=again, given=one)
        ]
    return [one.and_also(other).hold(sample) for one, other in both if not one.steps & other.steps]


def _list_accidents(sample: Sample, left: set[Name]) -> Iterator[Hypothesis]:
    """What happened once: keys and stretches of windows without results, events that came in a row and were lost."""
    for key in sorted({name[0] for name in left}):
        mine = {name for name in sample.open if name[0] == key}
        if key in sample.events and not any(name[0] == key for name in sample.results):
            yield Hypothesis(
                "key lost",
                "has no result of a key",
                results=partial(_leave_out, {n for n in sample.due if n[0] == key}),
                seen=True,
            )
        elif key not in sample.events and mine:
            yield _as_seen(sample, "unknown key", "has results of a key that has no event", mine)
    lost = {name for name in left if name not in sample.results}
    begins = sorted({_place(name) for name in sample.due})
    run: list[int] = []
    for begin in [*begins, None]:
        there = [name for name in sample.due if begin is not None and _place(name) == begin]
        if there and all(name in lost for name in there):
            run.append(begin or 0)
            continue
        gone = frozenset(name for name in lost if _place(name) in run)
        if len(gone) > 2 and len({name[0] for name in gone}) > 1 and 2 * len(gone) < len(sample.due):
            yield Hypothesis(
                "stretch lost",
                "has no results of a stretch of time",
                results=partial(_leave_out, gone),
                needs=3,
            )
        run = []
    for again in (False, True):
        yield from _find_stretches(sample, left, again=again)


def _leave_out(gone: Collection[Name], found: Foretold) -> Foretold:
    return {name: parts for name, parts in found.items() if name not in gone}


def _place(name: Name) -> int:
    return name[1] if name[1] is not None else name[2] or 0


def _as_seen(sample: Sample, cause: str, why: str, names: Iterable[Name]) -> Hypothesis:
    """What is to be seen in the results, and explains nothing but itself."""
    seen = {name: sample.results.get(name, []) for name in names}

    def results(found: Foretold) -> Foretold:
        made = {n: p for n, p in found.items() if n not in seen}
        for name, gots in seen.items():
            made[name] = [Part((), sample.copy(got)) for got in gots]
        return made

    return Hypothesis(cause, why, results=results, seen=True)


def _find_stretches(
    sample: Sample, left: set[Name], *, again: bool, given: Hypothesis | None = None
) -> Iterator[Hypothesis]:
    """Stretches of arrival that were lost, or counted twice: those that explain most findings, `given` another cause.

    In a window that such a stretch reaches into, the events that came one after the other, and are gone or there twice,
    say from which arrival to which it may have been; the stretch is where most findings agree.
    """
    boxes: list[tuple[Name, int, int, int, int]] = []
    base = sample.due if given is None else given.foretell(sample)
    answer = sample.answer if given is None or given.answer is None else given.answer
    parts = [(name, base.get(name, [])) for name in left]
    narrow = sorted((len(p[0].events), str(name), name) for name, p in parts if len(p) == 1)
    for n, _, name in narrow[:_LOOKED]:
        if n > _WIDEST:
            break
        events = base[name][0].events
        came = sorted(events, key=lambda e: e.arrival)
        got = sample.results.get(name, [])
        for i in range(n):
            for j in range(i, n):
                gone = {e.arrival for e in came[i : j + 1]}
                if again:
                    kept = [e for e in events for _ in range(1 + (e.arrival in gone))]
                else:
                    kept = [e for e in events if e.arrival not in gone]
                answers = [answer(kept)] if kept else []
                if sample.fits(answers, got):
                    before = came[i - 1].arrival if i else -(2**63)
                    after = came[j + 1].arrival if j + 1 < n else 2**63
                    boxes.append((name, before, came[i].arrival, came[j].arrival, after))
        if len(boxes) > 200:
            break
    votes: Counter[tuple[int, int]] = Counter()
    for x in {box[2] for box in boxes}:
        for y in {box[3] for box in boxes}:
            if x <= y:
                votes[x, y] = len({box[0] for box in boxes if box[1] < x <= box[2] and box[3] <= y < box[4]})
    for (x, y), n in votes.most_common(8):
        if n > 1 and 2 * sum(x <= number <= y for number in sample.arrivals) < len(sample.arrivals):
            yield stretch(sample, x, y, again=again)


_COMMON = frozenset(
    (
        "ends", "a pane short", "a pane long", "another range", "gap inclusive", "gap exclusive", "frame off by one",
        "late events counted", "late events left out", "late by its time", "null as zero", "remainder below zero",
        "arrival order", "newest first", "tie broken otherwise", "truncated", "rounded", "overflow",
        "another aggregate", "first windows left out", "last windows left out", "empty windows filled", "repeated",
        "named by the end", "time zone", "single precision", "result multiplied", "starts from zero", "sign lost",
        "some values left out", "mean of means", "duplicates left out", "state kept",
    )
)  # fmt: skip
"""Of which two may come together."""


def _pair(sample: Sample, outcomes: Sequence[Outcome], left: set[Name]) -> list[Outcome]:
    """Two causes at once.  What neither gives alone both may; they are tried on one key first."""
    keys = Counter(name[0] for name in left)
    size = {key: len(sample.events.get(key, ())) for key in keys}
    least = min((key for key in keys if keys[key] > 1 and size[key]), key=lambda key: size[key], default=None)
    if least is None:
        return []
    small = sample.of_key(least)
    those = [one.hypothesis for one in outcomes if one.hypothesis.cause in _COMMON and (one.missed | one.explained)]
    found: list[Outcome] = []
    for i, one in enumerate(those):
        for other in those[i + 1 :]:
            if one.steps & other.steps or one.cause == other.cause:
                continue
            both = one.and_also(other)
            tried = both.hold(small, patience=_MISSES)
            if tried.explained and not tried.contradicted and len(tried.explained) >= _MISSES * len(tried.missed):
                found.append(both.hold(sample, patience=len(left) // _MISSES))
    return found


def _take_parts(outcomes: Sequence[Outcome], left: set[Name], show_time: Callable[[int], str]) -> Iterator[Cause]:
    """Those that are believed of some keys, or of a stretch of time: of the keys, or the longest stretch, where nothing
    contradicts them."""
    while left:
        best: tuple[int, Cause] | None = None
        for outcome in outcomes:
            if not outcome.explained & left:
                continue
            for where, explains in (*_by_key(outcome, left), *_by_time(outcome, left, show_time)):
                if len(explains) >= outcome.hypothesis.needs + _PART and (best is None or len(explains) > best[0]):
                    one = outcome.hypothesis
                    best = len(explains), Cause(one.cause, one.why, explains, where)
        if best is None:
            return
        yield best[1]
        left -= best[1].explains


def _by_key(outcome: Outcome, left: set[Name]) -> Iterator[tuple[str, frozenset[Name]]]:
    against = {name[0] for name in outcome.contradicted}
    missed = Counter(name[0] for name in outcome.missed & left)
    explained = Counter(name[0] for name in outcome.explained & left)
    keys = [key for key, n in explained.items() if key not in against and n >= _MISSES * missed[key]]
    if keys:
        said = ", ".join(show_key(key) for key in sorted(keys)[:3]) + (", ..." if len(keys) > 3 else "")
        explains = frozenset(name for name in outcome.explained & left if name[0] in keys)
        yield f"of {'key' if len(keys) == 1 else 'keys'} {said}", explains


def _by_time(
    outcome: Outcome, left: set[Name], show_time: Callable[[int], str]
) -> Iterator[tuple[str, frozenset[Name]]]:
    marked = sorted(
        [(_place(n), 0, n) for n in outcome.contradicted]
        + [(_place(n), 1, n) for n in outcome.missed & left]
        + [(_place(n), 2, n) for n in outcome.explained & left],
        key=lambda it: (it[0], it[1], str(it[2])),
    )
    against = {place for place, what, _ in marked if what == 0}
    run: list[tuple[int, int, Name]] = []
    best: list[tuple[int, int, Name]] = []
    for one in [*marked, None]:
        if one is None or one[0] in against:
            if sum(w == 2 for _, w, _ in run) > sum(w == 2 for _, w, _ in best):
                best = run
            run = []
        else:
            run.append(one)
    explains = frozenset(n for _, w, n in best if w == 2)
    if explains and len(explains) >= _MISSES * (len(best) - len(explains)):
        first, last = best[0][0], best[-1][0]
        earlier, later = any(p < first for p in against), any(p > last for p in against)
        said = f"from {show_time(first)} on" if not later else f"until {show_time(last)}"
        if earlier and later:
            said = f"from {show_time(first)} to {show_time(last)}"
        yield said, explains


def _take_rows(sample: Sample, outcomes: Sequence[Outcome], left: set[Name]) -> Iterator[Cause]:
    """What is seen of a finding by itself."""
    for name in sorted(left, key=str):
        got, due = sample.results.get(name, []), sample.answers.get(name, [])
        if got and due and len(got) > len(due) and all(any(sample.agrees(d, g) for d in due) for g in got):
            yield Cause("repeated", "writes results more than once", frozenset((name,)), "here and there")
        elif len(got) == len(due) == 1 and got[0].text is None and got[0].number is None:
            yield Cause("null", "answers null", frozenset((name,)), "here and there")
        else:
            continue
        left.discard(name)
    one_by_one: list[Cause] = []
    expected = 0.0
    for name in sorted(left, key=str)[:_LOOKED]:
        cause, chance = _explain_row(sample, outcomes, name)
        expected += chance
        one_by_one += [cause] if cause is not None else []
    if len(one_by_one) > expected / _COINCIDENCE:
        yield from one_by_one
        left.difference_update(*(cause.explains for cause in one_by_one))


def _explain_row(sample: Sample, outcomes: Sequence[Outcome], name: Name) -> tuple[Cause | None, float]:
    """The one cause that has just this result; and how many of the results near to it would have had one."""
    got, due = sample.results.get(name, []), sample.due.get(name, [])
    if len(got) != 1 or len(due) != 1 or len(due[0].events) > _WIDEST:
        return None, 0.0
    tried = _list_tried(sample, outcomes, name)
    fitting = {cause: why for cause, why, answer in reversed(tried) if sample.agrees(answer, got[0])}
    chance = _find_chance(sample, [answer for _, _, answer in tried], name)
    if len(fitting) != 1:
        return None, chance
    [(cause, why)] = fitting.items()
    return Cause(cause, why, frozenset((name,)), "here and there"), chance


def _list_tried(sample: Sample, outcomes: Sequence[Outcome], name: Name) -> list[tuple[str, str, Answer]]:
    """All that is foretold of a window with one result: cause, words, answer."""
    tried = [
        (one.hypothesis.cause, one.hypothesis.why, one.answered[name][0])
        for one in outcomes
        if len(one.answered.get(name, ())) == 1 and one.hypothesis.needs == 1
    ]
    events: Sequence[Event] = sample.due[name][0].events
    for i, event in enumerate(events):
        rest = [*events[:i], *events[i + 1 :]]
        if rest:
            tried.append(("event lost", f"leaves out event {event.arrival:,}", sample.answer(rest)))
        twice = [*events[: i + 1], *events[i:]]
        tried.append(("event replayed", f"counts event {event.arrival:,} twice", sample.answer(twice)))
    return tried


def _find_chance(sample: Sample, foretold: Iterable[Answer], name: Name) -> float:
    """How many of the results near to the one that is there are foretold, too, by some hypothesis."""
    got, due = sample.results.get(name, []), sample.answers.get(name, [])
    if len(got) != 1 or len(due) != 1:
        return _ANY_PLACE
    value = got_number(sample, name)
    if value is None:
        return float(sample.kind == "text" and len(got[0].text or "") < _TELLING)
    if Fraction(value).denominator != 1:
        return 0.0
    reach = max(abs(float(value) - float(number_of(due[0]) or 0)), 10.0)
    numbers = {number_of(answer) for answer in foretold}
    return sum(1 for x in numbers if x is not None and abs(x - value) <= reach) / (2 * reach + 1)


def _is_chance(sample: Sample, outcomes: Sequence[Outcome], explains: Collection[Name]) -> bool:
    """Whether some hypothesis or other would explain so few findings, whatever they were."""
    if len(explains) >= _FEW:
        return False
    chance = 1.0
    for name in explains:
        foretold = [one.answered[name][0] for one in outcomes if len(one.answered.get(name, ())) == 1]
        chance *= _find_chance(sample, foretold, name)
    return chance > _COINCIDENCE


def _merge(found: Sequence[Cause]) -> list[Cause]:
    """Those of one name and place together, the one that explains most first."""
    merged: dict[tuple[str, str], Cause] = {}
    for one in found:
        before = merged.get((one.name, one.where))
        if before is None:
            merged[one.name, one.where] = one
        else:
            also = tuple(dict.fromkeys((*before.also, *one.also)))
            merged[one.name, one.where] = Cause(one.name, before.why, before.explains | one.explains, one.where, also)
    return sorted(merged.values(), key=lambda cause: -len(cause.explains))
