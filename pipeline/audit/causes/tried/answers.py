"""What a job may have computed of the right events: another aggregate, a number that does not fit."""

import json
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import accumulate
from math import ceil, floor, isfinite, sqrt
from statistics import median, median_high, median_low
from typing import Any, Final

from swagproof.oracle.trace import InputError, decode, encode
from swagproof.pipeline.audit.aggregations import ANSWERING, EPS, aggregation
from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis
from swagproof.pipeline.audit.causes.sample import NULL, Event, Name, Sample
from swagproof.pipeline.audit.causes.spans import show_digits
from swagproof.pipeline.audit.causes.tried.divided import list_stages
from swagproof.pipeline.audit.rules import Answer, as_value, between

_NEAR: Final = 1e-9
"""How far a float may be off an answer for which the audit has no rule, relative to it."""

_QUANTILES: Final = (1, 5, 10, 25, 75, 90, 95, 99)
"""In hundredths, those that are asked for."""

_DIGITS: Final = 2.0**-23
"""How far an answer may be off that went through a float of 32 bits, relative to it."""
_SINGLE: Final = Fraction(1, 2**29)
"""How far off, in shares of it, floats of 32 bits are more often than not: what is nearer mostly is none."""

_AGGREGATES: Final = (
    "sum", "count", "mean", "min", "max", "first", "last", "sample-standard-deviation",
    "population-standard-deviation", "product", "min-count", "max-count",
)  # fmt: skip

Number = Any


def list_answers(sample: Sample) -> Iterator[Hypothesis]:
    """Other answers."""
    yield Hypothesis("null", "answers null", change=lambda _: NULL)
    yield from _list_aggregates(sample)
    if sample.kind in ("int", "float", "decimal"):
        yield from _list_changes(sample)


def number_of(answer: Answer) -> Number:
    """The answer as a number, exact where it is; None where it is none."""
    try:
        value: Any = None if answer.text is None else decode(json.loads(answer.text))
    except ValueError:
        return None
    return Fraction(value) if type(value) in (int, Fraction, float) and _is_finite(value) else None


def _is_finite(value: Number) -> bool:
    """Whether it is a number that a float comes near: nothing is read off one that is larger."""
    try:
        return isfinite(value)
    except OverflowError:
        return False


def answer_of(value: Number, *, near: float = 0.0) -> Answer:
    """An answer that is this number; or so near it."""
    if value is None:
        return Answer(None, None, None)
    if isinstance(value, Fraction) and value.denominator == 1:
        value = int(value)
    x = float(value)
    text = repr(value) if isinstance(value, int | float) else json.dumps(encode(value))
    off = abs(x) * near
    return Answer(text, x - off, x + off)


def got_number(sample: Sample, name: Name) -> Number:
    """The one result of a window, as a number; None where it is none."""
    got = sample.results.get(name, [])
    if len(got) != 1 or sample.kind not in ("int", "float", "decimal"):
        return None
    if got[0].number is not None:
        return Fraction(got[0].number) if isfinite(got[0].number) else None
    try:
        value = None if got[0].text is None else as_value(got[0].text, sample.kind)
        return value if value is None or _is_finite(value) else None
    except (ValueError, ArithmeticError):  # it is no number of this kind
        return None


def _list_aggregates(sample: Sample) -> Iterator[Hypothesis]:
    own = sample.aggregation.name
    for name in _AGGREGATES:
        if name == own or (own in ANSWERING and own == f"sql-{name}"):  # which passes over null: so it is told
            continue
        try:
            other = aggregation(name, sample.kinds)
        except InputError:
            continue

        def answer(events: Sequence[Event], other: Any = other) -> Answer:
            values = [e.value for e in events if e.value is not None]
            if not values:
                return Answer(None, None, None)
            operation = other.operation
            partial = operation.lift(values[0])
            for value in values[1:]:
                partial = operation.combine(partial, operation.lift(value))
            found: Answer = other.answer(partial, as_text=sample.kind == "text")
            return found

        why = f"answers the {name} in place of the {own}"
        yield Hypothesis("another aggregate", why, answer=answer, say=f"--aggregate {name}")
    numbers = all(kind in ("int", "float", "decimal") for kind in sample.kinds) and len(sample.kinds) == 1
    if not numbers:
        return

    def exact(events: Sequence[Event]) -> list[Fraction]:
        return [Fraction(e.value) for e in events if e.value is not None]

    def variance(events: Sequence[Event], freedom: int) -> Number:
        values = exact(events)
        n = len(values)
        if n <= freedom:
            return None
        return (sum(v * v for v in values) - sum(values) ** 2 / n) / (n - freedom)

    others: dict[str, Callable[[Sequence[Event]], Number]] = {
        "variance of the population": lambda es: variance(es, 0),
        "variance of the sample": lambda es: variance(es, 1),
        "sum of squares": lambda es: sum(v * v for v in exact(es)),
        "median": lambda es: median(exact(es)),
        "lower median": lambda es: median_low(exact(es)),
        "upper median": lambda es: median_high(exact(es)),
        "middle of least and greatest": lambda es: (max(exact(es)) + min(exact(es))) / 2,
        "range from least to greatest": lambda es: max(exact(es)) - min(exact(es)),
        "rise from the first to the last value": lambda es: exact(es)[-1] - exact(es)[0],
        "number of distinct values": lambda es: len(set(exact(es))),
    }
    for p in _QUANTILES:
        others[f"quantile of {p}%, interpolated"] = partial(_answer_quantile, exact, p, True)
        others[f"quantile of {p}%"] = partial(_answer_quantile, exact, p, False)
    for said, make in others.items():
        yield Hypothesis(
            "another aggregate",
            f"answers the {said} in place of the {own}",
            answer=partial(answer_near, make),
            say="--aggregate median" if said == "median" else "",
        )
    for said, picks, least in (
        ("greatest value of each window", (max,), 0),
        ("least value of each window", (min,), 0),
        ("greatest and the least value of each window of more than two", (max, min), 3),
    ):

        def trimmed(events: Sequence[Event], picks: Any = picks, least: int = least) -> Sequence[Event]:
            there = [e for e in events if e.value is not None]
            gone = [pick(there, key=lambda e: e.value) for pick in picks] if len(there) >= max(least, 1) else []
            return [e for e in events if not any(e is one for one in gone)]

        yield Hypothesis("trimmed", f"leaves out the {said}", content=trimmed)
    if own in ("mean", "sample-standard-deviation", "population-standard-deviation"):
        for said, of in list_stages(sample):

            def of_means(events: Sequence[Event], of: Any = of) -> Answer:
                parts: dict[Any, list[Event]] = {}
                for e in events:
                    parts.setdefault(of(e), []).append(e)
                if own == "mean":
                    means = [sum(exact(p)) / len(exact(p)) for p in parts.values() if exact(p)]
                else:
                    freedom = int(own.startswith("sample"))
                    means = [Fraction(sqrt(v)) for p in parts.values() if (v := variance(p, freedom)) is not None]
                made, due = answer_of(sum(means) / len(means) if means else None, near=_NEAR), sample.answer(events)
                return due if made.text == due.text else made  # that it is near is not that it is the same

            what = "mean" if own == "mean" else "deviation"
            yield Hypothesis(f"mean of {what}s", f"answers the mean of partial {what}s ({said})", answer=of_means)
    if own in ("sum", "mean") and sample.kinds[0] in ("int", "decimal"):

        def in_doubles(events: Sequence[Event]) -> Answer:
            values = exact(events)
            if not values:
                return Answer(None, None, None)
            right, parts = sum(values), len(values) if own == "mean" else 1
            slack = EPS * (len(values) + 1) * sum(map(abs, values))
            return Answer(answer_of(right / parts).text, *between((right - slack) / parts, (right + slack) / parts))

        why, say = "adds values as doubles, where they are exact", "--value COLUMN:float"
        yield Hypothesis("double precision", why, answer=in_doubles, near=True, say=say)
    if own in ("sample-standard-deviation", "population-standard-deviation"):
        squares = sample.aggregation.sum_as("squares")

        def of_squares(events: Sequence[Event]) -> Answer:
            due = squares.answer(sample.fold(events), as_text=False)
            if due.low is None or due.high is None:
                return due
            return Answer(due.text, due.low - due.slack, due.high + due.slack)

        why = "takes the mean of squares less the square of the mean, in doubles, of which little is left"
        yield Hypothesis("cancellation", why, answer=of_squares, near=True, say="--summation squares")
    if own in ("min", "max"):
        least_of = min if own == "min" else max
        yield Hypothesis(
            "another aggregate",
            f"answers the {own} of values as text, letter by letter",
            answer=partial(answer_near, lambda es: least_of(exact(es), key=_write)),
        )
    if own == "sum":
        yield Hypothesis(
            "sign lost", "adds values without their sign", answer=lambda es: answer_of(sum(map(abs, exact(es))))
        )
        yield Hypothesis(
            "truncated", "adds values without their fractions", answer=lambda es: answer_of(sum(map(int, exact(es))))
        )
        yield Hypothesis(
            "single precision",
            "adds in floats of 32 bits",
            answer=lambda es: answer_of(
                [*accumulate(map(float, exact(es)), lambda a, b: single(a + single(b)), initial=0.0)][-1]
            ),
        )
        yield Hypothesis(
            "single precision",
            "adds values as floats of 32 bits",
            answer=lambda es: answer_of(sum(Fraction(single(float(v))) for v in exact(es)), near=_NEAR),
        )


def _answer_quantile(
    exact: Callable[[Sequence[Event]], list[Fraction]], p: int, between_: bool, events: Sequence[Event]
) -> Fraction:
    return find_quantile(exact(events), p, between=between_)


def find_quantile(values: Sequence[Fraction], p: int | Fraction, *, between: bool) -> Fraction:
    """Below which so many hundredths of the values lie: between two of them, or one of them.

    >>> ones = [Fraction(n) for n in (1, 2, 3, 4)]
    >>> find_quantile(ones, 50, between=True), find_quantile(ones, 50, between=False)
    (Fraction(5, 2), Fraction(2, 1))
    """
    ordered = sorted(values)
    if not between:
        return ordered[max(0, ceil(Fraction(p, 100) * len(ordered)) - 1)]
    at = Fraction(p, 100) * (len(ordered) - 1)
    low, high = ordered[floor(at)], ordered[ceil(at)]
    return low + (high - low) * (at - floor(at))


def _write(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else repr(float(value))


def _to_digits(answer: Answer) -> Answer:
    value = number_of(answer)
    return answer if value is None else answer_of(value, near=_DIGITS)


def _answer_always(answer: Answer, _: Answer) -> Answer:
    return answer


def answer_near(make: Callable[[Sequence[Event]], Number], events: Sequence[Event]) -> Answer:
    """The answer that is the number that is made of events, or near it; null where there is no value."""
    return answer_of(make(events), near=_NEAR) if any(e.value is not None for e in events) else NULL


def single(x: float) -> float:
    """The nearest float of 32 bits.

    >>> single(0.5), single(16_777_217.0)
    (0.5, 16777216.0)
    """
    try:
        return float(struct.unpack("f", struct.pack("f", x))[0])
    except OverflowError:
        return x


def wrap(bits: int, value: Number) -> Number:
    """What is left of an integer in so many bits.

    >>> wrap(32, 2**31), wrap(32, 5)
    (-2147483648, 5)
    """
    half = 1 << (bits - 1)
    return (value + half) % (2 * half) - half


def _wrap_unsigned(bits: int, value: Number) -> Number:
    return value % (1 << bits)


def _saturate(bits: int, value: Number) -> Number:
    top = 1 << (bits - 1)
    return max(-top, min(top - 1, value))


def _list_digits(changed: Callable[..., Hypothesis], digits: int) -> Iterator[Hypothesis]:
    unit = Fraction(10) ** digits
    said = show_digits(digits)

    def halves_up(v: Number) -> Number:
        return floor(v * unit + Fraction(1, 2)) / unit

    rounded = partial(changed, "rounded", near=1e-15, needs=2)
    yield rounded(f"rounds its answers to {said}", lambda v: round(v, digits), say=f"--rounding {digits}")
    yield rounded(f"rounds its answers to {said}, halves up", halves_up, say=f"--rounding '{digits} half-up'")
    if digits:
        why = f"cuts off its answers {'after' if digits > 0 else 'to'} {said}"
        yield changed(
            "truncated", why, lambda v: int(v * unit) / unit, near=1e-15, needs=2, say=f"--rounding '{digits} down'"
        )


def _list_changes(sample: Sample) -> Iterator[Hypothesis]:
    """The right number, and what became of it."""

    def changed(
        cause: str, why: str, change: Callable[[Number], Number], *, near: float = 0.0, needs: int = 1, say: str = ""
    ) -> Hypothesis:
        def changing(answer: Answer) -> Answer:
            value = number_of(answer)
            if value is None:
                return answer
            made = change(value)
            if near and abs(made - value) <= near * abs(value):  # that is not told from what is due
                return answer
            return answer_of(made, near=near)

        makes: dict[str, Any] = {"change": changing}
        if sample.aggregation.rounding is not None:  # which has another way with it, or another number of digits
            plain = replace(sample.aggregation, rounding=None)
            makes = {"answer": lambda events: changing(plain.answer(sample.fold(events), as_text=False))}
        return Hypothesis(cause, why, needs=needs, say=say, scales=needs > 1, **makes)

    yield changed("truncated", "cuts off the fraction of its answers", int, say="--rounding '0 down'")
    yield changed("truncated", "rounds its answers down", floor, say="--rounding '0 floor'")
    yield changed("rounded", "rounds its answers up", ceil, say="--rounding '0 ceiling'")
    for digits in (*range(6), -1, -2, -3):
        yield from _list_digits(changed, digits)
    for bits in (8, 16, 32, 64):
        yield changed("overflow", f"wraps around at {bits} bits", partial(wrap, bits))
        yield changed("overflow", f"wraps around at {bits} bits, without a sign", partial(_wrap_unsigned, bits))
        yield changed("overflow", f"stops at the limits of {bits} bits", partial(_saturate, bits))
    if sample.kinds[:1] == ("int",):
        why = "answers in doubles what is exact"
        yield changed("double precision", why, lambda v: Fraction(float(v)), say="--value COLUMN:float")
    yield changed("single precision", "answers in floats of 32 bits", lambda v: Fraction(single(float(v))))
    yield Hypothesis("zero as null", "answers null in place of zero", change=lambda a: NULL if number_of(a) == 0 else a)
    for limit in _find_limits(v for n in sorted(sample.open, key=str) if (v := got_number(sample, n)) is not None):
        if limit == 0 and sample.aggregation.name in ("min", "max"):
            continue  # it starts from zero, which is the likelier
        why = f"{float(limit):,.15g}"
        yield changed("clamped", f"answers at most {why}", partial(min, limit), near=1e-12, needs=2)
        yield changed("clamped", f"answers at least {why}", partial(max, limit), near=1e-12, needs=2)
    common = Counter(v for n in sorted(sample.open, key=str) if (v := got_number(sample, n)) is not None)
    for value, n in common.most_common(1):
        if n > 2 and 2 * n > len(sample.open):
            yield Hypothesis(
                "one answer for all",
                f"answers {float(value):,.15g}, whatever is due",
                change=partial(_answer_always, answer_of(value)),
                seen=True,
                bits=RARE,
            )
    yield changed("starts from zero", "starts its maximum from zero", lambda v: max(v, 0))
    yield changed("starts from zero", "starts its minimum from zero", lambda v: min(v, 0))
    yield changed("sign lost", "answers without the sign", abs)
    yield changed("sign lost", "answers with the other sign", lambda v: -v)
    near = coarse = 0
    ratios: Counter[Fraction] = Counter()
    steps: Counter[Fraction] = Counter()
    for name in sorted(sample.open, key=str)[:200]:
        got, due = got_number(sample, name), sample.answers.get(name, [])
        if got is None or len(due) != 1:
            continue
        value = number_of(due[0])
        if value is None:
            continue
        steps[Fraction(got) - value] += 1
        if value:
            ratio = Fraction(got) / value
            near += abs(ratio - 1) < _DIGITS
            coarse += _SINGLE < abs(ratio - 1) < _DIGITS
            ratios.update({ratio.limit_denominator(10_000), *(Fraction(f"{float(ratio):.{n}g}") for n in (4, 6, 9))})
    if sample.kind == "float" and 2 * coarse > near:
        why = "answers right to seven digits, as floats of 32 bits are"
        yield Hypothesis("single precision", why, change=_to_digits)
    for k, _ in ratios.most_common(3):
        if k not in (0, 1, -1):
            said = f"{k.numerator:,}" if k.denominator == 1 else f"{k.numerator:,}/{k.denominator:,}"
            said = f"{float(k):.9g}" if k.denominator > 10_000 else said
            yield changed("result multiplied", f"answers {said} times what is due", k.__mul__, near=1e-12, needs=3)
    for k, _ in steps.most_common(1):
        if k:
            said = f"{float(k):+,.15g}"
            yield changed("result off by a constant", f"answers {said} and what is due", k.__add__, near=1e-12, needs=4)


def _find_limits(numbers: Iterable[Any]) -> list[Any]:
    """The results that stand most often where there are findings: where answers may be cut off.

    >>> _find_limits([100, 7, 100, 100])
    [100]
    """
    return [value for value, n in Counter(numbers).most_common(2) if n > 1]
