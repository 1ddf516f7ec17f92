"""Another number of a window's values, so many times: a sum that is divided by the minutes of its window, and not by
how many values there are; or the right one so many times, and so much more.  How many times, the findings say; or how
many events there are, as where a join finds each of these for each."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import log2
from typing import Any, Final

from swagproof.models.windows.kinds import Frame
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, without
from swagproof.pipeline.audit.causes.sample import NULL, Event, Foretold, Name, Part, Sample
from swagproof.pipeline.audit.causes.tried.answers import answer_of, got_number, number_of
from swagproof.pipeline.audit.causes.tried.states import choose_findings, fits_some
from swagproof.pipeline.audit.rules import Answer

_NEAR: Final = 1e-9
_DENOMINATOR: Final = 10_000
_AGREED: Final = 0.6
_NUMBERS: Final[dict[str, Callable[[Sequence[Fraction]], Fraction | int]]] = {
    "sum": sum,
    "number": len,
    "least": min,
    "greatest": max,
    "mean": lambda values: sum(values) / Fraction(len(values)),
}
_OWN: Final = {"sum": "sum", "count": "number", "min": "least", "max": "greatest", "mean": "mean"}


def list_scaled(sample: Sample) -> Iterator[Hypothesis]:
    """So many times another number of the values."""
    if sample.kind not in ("int", "float", "decimal") or len(sample.kinds) != 1:
        return
    if sample.kinds[0] not in ("int", "float", "decimal"):
        return
    looked = choose_findings(sample)
    for said, of in _NUMBERS.items():
        if said == _OWN.get(sample.aggregation.name):
            continue
        seen: Counter[Fraction] = Counter()
        for name in looked:
            values, got = _read_values(sample.due[name][0].events), got_number(sample, name)
            number = of(values) if values else 0
            if got and number:
                seen[(Fraction(got) / number).limit_denominator(_DENOMINATOR)] += 1
        for factor, n in seen.most_common(1):
            if n > 2 and n >= _AGREED * len(looked) and abs(factor) not in (0, 1):
                times = f"divided by {1 / factor}" if factor.numerator == 1 else f"times {factor}"
                why = f"answers the {said} of its values, {times}"
                scale, bits = partial(_answer, of, factor), log2(_DENOMINATOR)
                yield Hypothesis("another aggregate", why, answer=scale, needs=2, scales=True, bits=bits)


_SHARES: Final = (2, 3, 4, 5, 8, 10, 16, 20, 25, 50, 100)
"""One of so many events is a sample."""
_ALL: Final = 10
"""Of so few, any; of more the first, the second or the last."""


def list_sampled(sample: Sample) -> Iterator[Hypothesis]:
    """Each so-manieth event alone, as it is or for all: a sum of these, or how many they are, so many times."""
    looked = choose_findings(sample)
    scales = sample.aggregation.name in ("count", "sum")
    for k, said, keeps in _list_samples(sample):
        for times in (1, k) if scales else (1,):
            if fits_some(sample, looked, partial(_answer_sampled, sample, keeps, times)):
                scaled = f", and multiplies its answers by {k}" if times > 1 else ""
                yield Hypothesis(
                    "sampled",
                    f"counts {said}, alone{scaled}",
                    events=without(partial(_is_left_out, keeps), again=False),
                    change=partial(_change, Fraction(times), Fraction(0)) if times > 1 else None,
                    bits=log2(len(_SHARES)),
                )


def _list_samples(sample: Sample) -> Iterator[tuple[int, str, Callable[[Event], bool]]]:
    """One event of how many, in words, and whether it is one of them."""
    for k in _SHARES:
        for rest in range(k) if k <= _ALL else (0, 1, k - 1):
            if sample.numbered:
                yield k, f"one of {k} events, by arrival number", partial(_is_sampled, None, k, rest)
            if sample.whole:
                yield k, f"every {k}th event", partial(_is_sampled, sample.arrivals, k, rest)


def _is_left_out(keeps: Callable[[Event], bool], e: Event) -> bool:
    return not keeps(e)


def _is_sampled(places: Mapping[int, int] | None, k: int, rest: int, e: Event) -> bool:
    return (e.arrival if places is None else places[e.arrival]) % k == rest


def _answer_sampled(sample: Sample, keeps: Callable[[Event], bool], times: int, events: Sequence[Event]) -> Answer:
    kept = [e for e in events if keeps(e)]
    if not kept:
        return NULL
    answer = sample.answer(kept)
    value = number_of(answer)
    return answer if times == 1 or value is None else answer_of(value * times, near=_NEAR)


def list_affine(sample: Sample) -> Iterator[Hypothesis]:
    """What is due so many times, and so much more: two findings say both numbers, and others agree."""
    if sample.kind not in ("int", "float", "decimal"):
        return
    points: list[tuple[Fraction, Fraction]] = []
    for name in choose_findings(sample):
        due, got = number_of(sample.answers[name][0]), got_number(sample, name)
        if due is not None and got is not None:
            points.append((Fraction(due), Fraction(got)))
    votes: Counter[tuple[Fraction, Fraction]] = Counter()
    for (x, a), (y, b) in combinations(points, 2):
        if x != y:
            factor = ((a - b) / (x - y)).limit_denominator(_DENOMINATOR)
            votes[factor, Fraction(f"{float(a - factor * x):.9g}")] += 1
    for (factor, more), _ in votes.most_common(1):
        n = sum(abs(factor * x + more - a) <= _NEAR * max(abs(a), abs(more)) for x, a in points)
        if n > 3 and n >= _AGREED * len(points) and factor not in (0, 1) and more:
            why = f"answers {factor} times what is due, {'less' if more < 0 else 'and'} {float(abs(more)):.9g}"
            change = partial(_change, factor, more)
            bits = 2 * log2(_DENOMINATOR)
            yield Hypothesis("result multiplied", why, change=change, needs=5, scales=True, bits=bits)


def list_joined(sample: Sample) -> Iterator[Hypothesis]:
    """What is due, as often as there are events: what is made of a table that is joined with itself by less than what
    its rows are told apart by."""
    if sample.aggregation.name not in ("sum", "count", "float-sum", "sql-sum") or isinstance(sample.window, Frame):
        return
    for said, count in (
        ("its window has events", _count_own),
        ("the windows of all keys that have its begin and end have events", _count_among),
        ("its key has events", _count_of_key),
        ("its key has results", _count_windows),
        ("keys have a result for its begin and end", _count_keys),
    ):
        why = f"answers what is due as many times as {said}, as after a join of each with each"
        multiply = partial(_multiply, sample, count)
        mixes = count in (_count_among, _count_keys)
        yield Hypothesis("result multiplied", why, results=multiply, mixes=mixes, needs=2, bits=1.0)


Count = Callable[[Foretold], Mapping[Name, int]]
"""How often each result is counted."""


def _multiply(sample: Sample, count: Count, found: Foretold) -> Foretold:
    made, often = dict(found), count(found)
    for name, parts in found.items():
        if len(parts) == 1 and (number := number_of(parts[0].answer or sample.answer(parts[0].events))) is not None:
            made[name] = [Part(parts[0].events, answer_of(number * often[name], near=_NEAR))]
    return made


def _count_own(found: Foretold) -> Mapping[Name, int]:
    return {name: sum(len(part.events) for part in parts) for name, parts in found.items()}


def _add_up(sizes: Mapping[Name, int], of: Callable[[Name], Any]) -> Mapping[Name, int]:
    """Of each result how many there are of all that are alike."""
    total: Counter[Any] = Counter()
    for name, n in sizes.items():
        total[of(name)] += n
    return {name: total[of(name)] for name in sizes}


def _count_among(found: Foretold) -> Mapping[Name, int]:
    return _add_up(_count_own(found), lambda name: name[1:])


def _count_of_key(found: Foretold) -> Mapping[Name, int]:
    events = {(name[0], e.arrival) for name, parts in found.items() for part in parts for e in part.events}
    total = Counter(key for key, _ in events)
    return {name: total[name[0]] for name in found}


def _count_windows(found: Foretold) -> Mapping[Name, int]:
    return _add_up(dict.fromkeys(found, 1), lambda name: name[0])


def _count_keys(found: Foretold) -> Mapping[Name, int]:
    return _add_up(dict.fromkeys(found, 1), lambda name: name[1:])


def _change(factor: Fraction, more: Fraction, answer: Answer) -> Answer:
    value = number_of(answer)
    return answer if value is None else answer_of(value * factor + more, near=_NEAR)


def _read_values(events: Sequence[Event]) -> list[Fraction]:
    return [Fraction(e.value) for e in events if e.value is not None]


def _answer(of: Callable[[Sequence[Any]], Any], factor: Fraction, events: Sequence[Event]) -> Answer:
    values = _read_values(events)
    return answer_of(of(values) * factor, near=_NEAR) if values else NULL
