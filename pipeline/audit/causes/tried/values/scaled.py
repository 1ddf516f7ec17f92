"""Another number of a window's values, so many times: a sum that is divided by the minutes of its window, and not by
how many values there are.  How many times, the findings say."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from math import log2
from typing import Any, Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import NULL, Event, Sample
from swagproof.pipeline.audit.causes.tried.answers import answer_of, got_number
from swagproof.pipeline.audit.causes.tried.states import choose_findings
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
                scale = partial(_answer, of, factor)
                yield Hypothesis("another aggregate", why, answer=scale, needs=2, bits=log2(_DENOMINATOR))


def _read_values(events: Sequence[Event]) -> list[Fraction]:
    return [Fraction(e.value) for e in events if e.value is not None]


def _answer(of: Callable[[Sequence[Any]], Any], factor: Fraction, events: Sequence[Event]) -> Answer:
    values = _read_values(events)
    return answer_of(of(values) * factor, near=_NEAR) if values else NULL
