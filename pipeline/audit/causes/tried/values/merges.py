"""Answers of parts of a window, made one answer as if they were values: medians of medians, the greatest of quantiles,
distinct counts that are added; or the right aggregate of what another job answers of parts, the greatest of means.

Of a sum or a minimum the answers of parts are all that is needed.  Of a median, a quantile or a number of different
values they are not, and a job that keeps these of each hour has lost what the day would need; nor are the deviations of
parts all that is needed of a deviation: how far their means are apart is a part of it.  There are hundreds of ways, so
they are tried on a few findings first, and saying which one it is costs as many bits.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import ceil, floor, fsum, log2, sqrt
from statistics import median
from typing import Any, Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import NULL, Event, Foretold, Sample, get_cell, regroup
from swagproof.pipeline.audit.causes.tried.answers import answer_of, number_of
from swagproof.pipeline.audit.causes.tried.divided import PARTS, list_panes, list_stages
from swagproof.pipeline.audit.causes.tried.states import choose_findings, fits_some
from swagproof.pipeline.audit.rules import Answer

_NEAR: Final = 1e-9
_ELSEWHERE: Final = ("sum", "count", "mean", "min", "max", "first", "last", "product", "min-count", "max-count")
"""Aggregates whose parts are merged by other rules, which are tried elsewhere."""
_MERGES: Final[Mapping[str, Callable[[Sequence[Any]], Any]]] = {
    "adds": sum,
    "takes the greatest of": max,
    "takes the least of": min,
    "takes the mean of": lambda numbers: sum(map(Fraction, numbers)) / len(numbers),
    "takes the median of": lambda numbers: median(map(Fraction, numbers)),
}
_INNER: Final[Mapping[str, Callable[[Sequence[Fraction]], Fraction | int]]] = {
    "sums": sum,
    "numbers": len,
    "means": lambda values: sum(values) / Fraction(len(values)),
    "least": min,
    "greatest": max,
}
_OUTER: Final[Mapping[str, tuple[str, Callable[[Sequence[Any]], Any]]]] = {
    "sum": ("sums", sum),
    "mean": ("means", _MERGES["takes the mean of"]),
    "min": ("least", min),
    "max": ("greatest", max),
}
"""How the answers of parts are taken as values, and which parts' answers give the right one, or are tried elsewhere."""
_TOP: Final = "top-"
_COARSE: Final[Mapping[tuple[str, str], Callable[[Fraction], int]]] = {
    ("rounded", "rounded to"): round,
    ("rounded", "rounded, halves up, to"): lambda v: floor(v + Fraction(1, 2)),
    ("rounded", "rounded up to"): ceil,
    ("truncated", "cut to"): int,
}
_FEW: Final = 6
"""How many findings are looked at first."""


def list_merges(sample: Sample) -> Iterator[Hypothesis]:
    """Parts' answers merged as values are; and parts of which too few values are kept."""
    own = sample.aggregation.name
    if own in _ELSEWHERE or "deviation" in own or sample.aggregation.operation.identity is None:
        return
    looked, tried, found = choose_findings(sample), 0, list[Hypothesis]()
    if len(looked) < 2:
        return
    ways: list[tuple[str, str, Callable[[Sequence[Event]], Answer]]] = []
    for said, of in list_stages(sample):
        if own.startswith(_TOP):
            ways += [
                ("trimmed", f"keeps but the {n} greatest values of its parts ({said})", partial(_keep, sample, of, n))
                for n in range(1, int(own.removeprefix(_TOP)))
            ]
        elif sample.kind in ("int", "float", "decimal"):
            ways += [
                ("merged wrongly", f"{verb} the answers of its parts ({said})", partial(_merge, sample, of, merge))
                for verb, merge in _MERGES.items()
            ]
            why = f"takes the mean of the answers of its parts ({said}) that their numbers of events weigh"
            ways.append(("merged wrongly", why, partial(_average, sample, of)))
    for cause, why, answer in ways:
        tried += 1
        if fits_some(sample, looked, answer, share=3):
            found.append(Hypothesis(cause, why, answer=answer, divides=True))
    for one in found:
        yield replace(one, bits=log2(tried))


def list_tiers(sample: Sample) -> Iterator[Hypothesis]:
    """Windows over windows: the right aggregate, but of the answers that another job has of parts."""
    own = sample.aggregation.name
    if own not in _OUTER or len(sample.kinds) != 1 or sample.kinds[0] not in ("int", "float", "decimal"):
        return
    looked, found, tried = choose_findings(sample), list[Hypothesis](), 0
    for said, of in list_stages(sample):
        for each, inner in _INNER.items():
            if each != _OUTER[own][0] and (own, each) != ("sum", "numbers"):
                tried += 1
                answer = partial(_stack, sample, of, inner, _OUTER[own][1])
                if fits_some(sample, looked, answer, share=3):
                    why = f"answers the {own} of the {each} of its parts ({said})"
                    found.append(Hypothesis("another aggregate", why, answer=answer, divides=True))
    for one in found:
        yield replace(one, bits=log2(tried))


def list_coarse(sample: Sample) -> Iterator[Hypothesis]:
    """Sums of parts that are rounded, or cut, before they are added."""
    own = sample.aggregation.name.removeprefix("sql-").removeprefix("float-")
    if own != "sum" or len(sample.kinds) != 1 or sample.kinds[0] not in ("int", "float", "decimal"):
        return
    looked, found, tried = choose_findings(sample), list[Hypothesis](), 0
    if len(looked) < 2:
        return
    units = [Fraction(10) ** k for k in range(1 if sample.kinds[0] == "int" else -4, 7)]
    for said, of in list_stages(sample):
        for unit in units:
            for (cause, how), coarsen in _COARSE.items():
                tried += 1
                answer = partial(_add_coarse, sample, of, unit, coarsen)
                if fits_some(sample, looked[:_FEW], answer, share=3) and fits_some(sample, looked, answer, share=3):
                    shown = f"{float(unit):,.15g}"
                    why = f"adds the sums of its parts ({said}), each {how} {'whole ones' if unit == 1 else shown}"
                    found.append(Hypothesis(cause, why, answer=answer, divides=True))
    for one in found:
        yield replace(one, bits=log2(tried))


def _add_coarse(
    sample: Sample,
    of: Callable[[Event], int],
    unit: Fraction,
    coarsen: Callable[[Fraction], int],
    events: Sequence[Event],
) -> Answer:
    there = [e for e in events if e.value is not None]
    parts = (sum((Fraction(e.value) for e in part), Fraction(0)) for part in regroup(there, of))
    made = sum((coarsen(part / unit) * unit for part in parts), Fraction(0))
    return answer_of(made, near=_NEAR if sample.kind == "float" else 0.0) if there else sample.answer(events)


def list_vacant(sample: Sample) -> Iterator[Hypothesis]:
    """Parts, one of which has no event in a window: 0 for that, with which extremes are merged, or no answer at all."""
    own, looked = sample.aggregation.name.removeprefix("sql-"), choose_findings(sample)
    ways: list[tuple[str, Callable[[Event], Any], int]] = []
    for i, name in enumerate(sample.columns):
        if 1 < (n := len(sample.list_cells(i))) <= PARTS:
            ways.append((f"each {name}", partial(get_cell, i), n))
    lost = any(name not in sample.results for name in sample.open)
    for said, of, n in (*ways, *list_panes(sample)):
        why = f"where a part ({said}) has no event in a window"
        answers = {f"answers null {why}": partial(_void_vacant, sample, of, n)}
        if own in ("min", "max") and len(sample.kinds) == 1:
            fill = partial(_fill_vacant, sample, _OUTER[own][1], of, n)
            answers[f"has 0 {why}, and merges it with the others"] = fill
        for says, answer in answers.items():
            if fits_some(sample, looked, answer):
                yield Hypothesis("merged wrongly", says, answer=answer, bits=1.0)
        if lost:
            yield Hypothesis("result lost", f"has no result {why}", results=partial(_drop_vacant, of, n), bits=1.0)


def _are_all_there(of: Callable[[Event], Any], n: int, events: Sequence[Event]) -> bool:
    """Whether each of so many parts has an event."""
    return len({of(e) for e in events}) == n


def _fill_vacant(
    sample: Sample,
    merge: Callable[[Sequence[Any]], Any],
    of: Callable[[Event], Any],
    n: int,
    events: Sequence[Event],
) -> Answer:
    due = sample.answer(events)
    if (number := number_of(due)) is None or _are_all_there(of, n, events):
        return due
    return answer_of(merge([number, 0]))


def _void_vacant(sample: Sample, of: Callable[[Event], Any], n: int, events: Sequence[Event]) -> Answer:
    return sample.answer(events) if _are_all_there(of, n, events) else NULL


def _drop_vacant(of: Callable[[Event], Any], n: int, found: Foretold) -> Foretold:
    return {
        name: kept
        for name, parts in found.items()
        if (kept := [part for part in parts if _are_all_there(of, n, part.events)])
    }


def list_spreads(sample: Sample) -> Iterator[Hypothesis]:
    """Deviations, or variances, merged as if all parts had one mean."""
    own = sample.aggregation.name
    if "deviation" not in own and "variance" not in own:
        return
    if len(sample.kinds) != 1 or sample.kinds[0] not in ("int", "float", "decimal"):
        return
    looked, found, tried = choose_findings(sample), list[Hypothesis](), 0
    for said, of in list_stages(sample):
        for why, merge in _SPREADS.items():
            tried += 1
            answer = partial(_spread, sample, of, merge)
            if fits_some(sample, looked, answer, share=3):
                found.append(Hypothesis("merged wrongly", why.format(said), answer=answer, divides=True))
    for one in found:
        yield replace(one, bits=log2(tried))


_Spreads = Sequence[tuple[int, float]]
"""Of each part how many values it has, and the sum of their squared deviations from their own mean."""
_SPREADS: Final[Mapping[str, Callable[[_Spreads, int], float]]] = {
    "adds the squared deviations of its parts ({}), each from its own mean, without what is between their means": (
        lambda parts, freedom: sum(q for _, q in parts) / (sum(n for n, _ in parts) - freedom)
    ),
    "takes the mean of the variances of its parts ({}) that their numbers of events weigh": lambda parts, freedom: (
        sum(n * q / (n - freedom) for n, q in parts if n > freedom) / sum(n for n, _ in parts if n > freedom)
    ),
    "takes the mean of the variances of its parts ({})": lambda parts, freedom: (
        sum(q / (n - freedom) for n, q in parts if n > freedom) / sum(n > freedom for n, _ in parts)
    ),
}


def _spread(
    sample: Sample, of: Callable[[Event], int], merge: Callable[[_Spreads, int], float], events: Sequence[Event]
) -> Answer:
    own = sample.aggregation.name
    there = [e for e in events if e.value is not None]
    freedom = int(own.startswith("sample"))
    if len(there) <= freedom:
        return sample.answer(events)
    parts: list[tuple[int, float]] = []
    for part in regroup(there, of):
        values = [float(e.value) for e in part]
        middle = fsum(values) / len(values)
        parts.append((len(values), fsum((value - middle) ** 2 for value in values)))
    try:
        variance = merge(parts, freedom)
    except ZeroDivisionError:  # no part has a variance
        return NULL
    return answer_of(sqrt(variance) if "deviation" in own else variance, near=_NEAR)


def _stack(
    sample: Sample,
    of: Callable[[Event], int],
    inner: Callable[[Sequence[Fraction]], Fraction | int],
    outer: Callable[[Sequence[Any]], Any],
    events: Sequence[Event],
) -> Answer:
    parts = ([Fraction(e.value) for e in part if e.value is not None] for part in regroup(events, of))
    numbers = [Fraction(inner(part)) for part in parts if part]
    return answer_of(outer(numbers), near=_NEAR if sample.kind == "float" else 0.0) if numbers else NULL


def _merge(
    sample: Sample, of: Callable[[Event], int], merge: Callable[[Sequence[Any]], Any], events: Sequence[Event]
) -> Answer:
    numbers = [number_of(sample.answer(part)) for part in regroup(events, of)]
    there = [number for number in numbers if number is not None]
    if len(there) < 2:
        return sample.answer(events)
    return answer_of(Fraction(merge(there)), near=_NEAR if sample.kind == "float" else 0.0)


def _average(sample: Sample, of: Callable[[Event], int], events: Sequence[Event]) -> Answer:
    parts = [(number_of(sample.answer(part)), len(part)) for part in regroup(events, of)]
    there = [(Fraction(number), n) for number, n in parts if number is not None]
    if len(there) < 2:
        return sample.answer(events)
    return answer_of(sum(number * n for number, n in there) / sum(n for _, n in there), near=_NEAR)


def _keep(sample: Sample, of: Callable[[Event], int], n: int, events: Sequence[Event]) -> Answer:
    kept: list[Event] = []
    for part in regroup(events, of):
        kept += sorted((e for e in part if e.value is not None), key=lambda e: e.value)[-n:]
    return sample.answer(sorted(kept, key=lambda e: e[:2]))
