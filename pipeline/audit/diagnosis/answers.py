"""The table of answers: changes to the aggregate of a window's events, and to its result."""

import json
import math
import struct
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce
from operator import mul
from statistics import median_low
from typing import Any, Final

from swagproof.models.windows.kinds import Frame, Sliding, goes_by_number
from swagproof.oracle.trace import InputError, encode
from swagproof.pipeline.audit.aggregations import aggregation
from swagproof.pipeline.audit.diagnosis.hypothesis import Edit, Family, Row, replace_events
from swagproof.pipeline.audit.diagnosis.readings import READ, exact, ratios, second, show_number
from swagproof.pipeline.audit.diagnosis.sample import NULL, Event, Events, Sample, cell_of, number_of
from swagproof.pipeline.audit.rules import Aggregation, Answer
from swagproof.pipeline.audit.wording import count_of, show_span

_FACTORS: Final = (2, 3, 10, 60, 100, 1000, 3600)
"""Common conversion factors."""
_NEARLY: Final = 1e-9
_TEXTS: Final = ("min", "max", "first", "last", "count", "distinct-count", "concatenation")
_NUMBERS: Final = ("first", "last", "min", "max", "sum", "mean", "median", "count", "distinct-count", "product",
                   "population-standard-deviation", "sample-standard-deviation", "product")  # fmt: skip


def make_answer(value: Any) -> Answer:
    """Return the answer with this value; a float with a rounding tolerance."""
    if value is None:
        return NULL
    if isinstance(value, float):
        slack = abs(value) * _NEARLY
        return Answer(json.dumps(encode(value)), value - slack, value + slack)
    if isinstance(value, int | Fraction):
        near = float(value)
        return Answer(json.dumps(encode(value)), near - abs(near) * 1e-15, near + abs(near) * 1e-15)
    return Answer(json.dumps(encode(value)), None, None)


def change_number(change: Callable[[Any], Any], *, steps: bool = False) -> Callable[[Answer], Answer]:
    """Return a function that changes numeric answers, keeping the tolerance; a change by steps has none."""

    def make(answer: Answer) -> Answer:
        number = number_of(answer)
        if number is None:
            return answer
        made = make_answer(change(number))
        if steps and made.text is not None:
            near = float(change(number))
            return Answer(made.text, near, near)
        if made.low is None or made.high is None or answer.low is None or answer.high is None:
            return made
        low, high = change(answer.low), change(answer.high)
        return Answer(made.text, min(made.low, low, high), max(made.high, low, high))

    return make


def values(events: Sequence[Event]) -> list[Any]:
    """Return the values of some events that are not null."""
    return [e.value for e in events if e.value is not None]


def _is_whole(sample: Sample) -> bool:
    """Return whether all answers are whole numbers."""
    fraction = ("mean", "median", "geometric-mean", "sample-standard-deviation", "population-standard-deviation")
    return sample.aggregate in ("count", "distinct-count") or (
        sample.kinds == ("int",) and sample.aggregate not in fraction
    )


def _aggregates(sample: Sample) -> Iterator[Edit]:
    for name in _NUMBERS if sample.numeric else _TEXTS if sample.kinds == ("text",) else ():
        try:
            over = aggregation(name, sample.kinds)
        except (InputError, ValueError):
            continue

        def answer(events: Sequence[Event], over: Aggregation = over) -> Answer:
            held = [over.operation.lift(value) for value in values(events)]
            return over.answer(reduce(over.operation.combine, held), as_text=sample.kind == "text") if held else NULL

        if name != sample.aggregate:
            can = sample.numbered or name not in ("first", "last")
            yield Edit(f"computes the {name} instead of the {sample.aggregate}", answer=answer,
                       option=f"--aggregate {name}" if can else "")  # fmt: skip
    for words, compute, bits in _statistics(sample) if sample.numeric and sample.is_number else ():
        yield Edit(f"computes {words}", bits=bits,
                   answer=partial(lambda c, events: make_answer(c(values(events))), compute))  # fmt: skip
    if sample.aggregate == "distinct-count":
        for words, group, bits in groups(sample):

            def add(events: Sequence[Event], group: Any = group) -> Answer:
                return make_answer(sum(len(set(map(repr, values(part)))) for part in split_by(group, events)))

            yield Edit(f"adds up the distinct counts of {words}", bits=bits, answer=add)


def _statistics(sample: Sample) -> Iterator[tuple[str, Callable[[list[Any]], Any], float]]:
    """Yield statistics of a window that are not aggregations here, or rarely used."""

    def variance(x: list[Any], freedom: int) -> float | None:
        mean = Fraction(sum(map(Fraction, x))) / len(x)
        return float(sum((Fraction(v) - mean) ** 2 for v in x) / (len(x) - freedom)) if len(x) > freedom else None

    def quantile(q: float, x: list[Any]) -> float:
        ordered = sorted(map(float, x))
        at = (len(ordered) - 1) * q
        low = math.floor(at)
        return ordered[low] + (ordered[min(low + 1, len(ordered) - 1)] - ordered[low]) * (at - low)

    if sample.aggregate.endswith("deviation"):
        yield "the sample variance instead of the deviation", lambda x: variance(x, 1), 0.0
        yield "the variance instead of the deviation", lambda x: variance(x, 0), 0.0
    if sample.aggregate in ("mean", "median"):
        yield "the lower median", lambda x: float(median_low(x)), 1.0
        yield "the midpoint of the least and the greatest value", lambda x: float(min(x) + max(x)) / 2, 1.0
    if sample.aggregate in ("max", "min", "median", "mean"):
        for q in (0.9, 0.95, 0.99, 0.25, 0.75):
            yield f"the {q} quantile", partial(quantile, q), 2.0


_Choose = Callable[[list[Event]], Event]


def _beside(sample: Sample, choose: _Choose, events: Sequence[Event]) -> Answer:
    chosen = choose([e for e in events if e.value is not None]).value[1]
    return Answer(chosen if sample.kind == "text" else make_answer(chosen).text, None, None)


def _choices() -> Iterator[tuple[str, _Choose]]:
    """Rules for one of several events with the least or greatest measure."""
    yield "the last event to arrive", lambda x: max(x, key=lambda e: e.arrival)
    yield "the first event to arrive", lambda x: min(x, key=lambda e: e.arrival)
    yield "the latest event", lambda x: x[-1]
    yield "the earliest event", lambda x: x[0]
    yield "the event with the greatest value", lambda x: max(x, key=lambda e: e.value[1])


def _ties(sample: Sample) -> Iterator[Edit]:
    if sample.aggregate in ("arg-min", "arg-max"):
        best = min if sample.aggregate == "arg-min" else max
        for words, choose in _choices():

            def of_ties(x: list[Event], choose: _Choose = choose) -> Event:
                extreme = best(e.value[0] for e in x)
                return choose([e for e in x if e.value[0] == extreme])

            yield Edit(f"breaks ties in favour of {words}", answer=partial(_beside, sample, of_ties))
    if not sample.numbered:
        return
    orders: dict[str, Callable[[Event], Any]] = {"reverse arrival": lambda e: (e.time, -e.arrival)}
    if sample.kinds:
        orders["value"] = lambda e: (e.time, _value_key(e))
    for words, order in orders.items():
        if not sample.aggregation.operation.commutative:
            yield Edit(f"orders events of equal time by {words}", bits=1.0,
                       content=partial(lambda o, events: sorted(events, key=o), order))  # fmt: skip
        if goes_by_number(window := sample.window):
            yield Edit(f"orders rows of equal time by {words}", bits=1.0,
                       windows=partial(lambda o, x: sample.split(window, sorted(x, key=o)), order))  # fmt: skip


def _value_key(e: Event) -> tuple[bool, Any]:
    return e.value is None, e.value if e.value is not None else 0


def _order(sample: Sample, *, of: str) -> Iterator[Edit]:
    """Yield edits that take events in another order: of arrival, newest first, of values."""
    window = sample.window
    if of == "newest" and isinstance(window, Frame) and window.start is not None and window.end == 0:
        ahead = replace(window, start=0, end=-window.start, to_row=False, full=False)
        yield Edit("processes rows newest first, so that frames look ahead",
                   windows=partial(sample.split, ahead))  # fmt: skip
    orders: dict[str, tuple[str, Callable[[Event], Any]]] = {
        "arrival": ("arrival", lambda e: e.arrival),
        "values": ("value", _value_key),
        "newest": ("time, newest first", lambda e: (-e.time, -e.arrival)),
    }
    words, key = orders[of]
    if (of == "arrival" and not sample.numbered) or (of == "values" and not sample.kinds):
        return
    if not sample.aggregation.operation.commutative:
        yield Edit(f"orders events by {words}", content=partial(sorted, key=key))


def _unrounded(sample: Sample, change: Callable[[Any], Any]) -> dict[str, Any]:
    """Return the step that changes answers before the audit rounds them."""
    if sample.aggregation.rounding is None:
        return {"change": change_number(change, steps=True)}
    plain = replace(sample, aggregation=replace(sample.aggregation, rounding=None))
    return {"answer": lambda events: change_number(change, steps=True)(plain.answer(events))}


_HOW: Final[dict[str, Callable[[Any], int]]] = {
    "half-even": round, "half-up": lambda x: math.floor(x + Fraction(1, 2)), "ceiling": math.ceil,
    "down": math.trunc, "floor": math.floor,
}  # fmt: skip


def _digits(sample: Sample, *, hows: tuple[str, ...], verb: str) -> Iterator[Edit]:
    """Yield edits that round or truncate answers and values to a number of digits."""
    if not sample.is_number:
        return
    for digits in (*range(7), -1, -2, -3):
        unit = Fraction(10) ** -digits
        words = count_of(digits, "digit") if digits > 0 else "whole numbers" if not digits else f"{10**-digits:,}s"
        for how in hows:
            to = partial(_to_unit, unit, _HOW[how])
            if digits < 0 or not _is_whole(sample):
                yield Edit(f"{verb} results to {words}, {how}", near=True, **_unrounded(sample, to),
                           bits=1.0 + (how == "ceiling") + 2.0 * (digits < 0),
                           option=f"--rounding '{digits} {how}'")  # fmt: skip
            if sample.numeric and (digits < 0 or sample.kinds != ("int",)):
                yield Edit(f"{verb} values to {words}, {how}", events=_map_values(sample, to), bits=3.0)


def _to_unit(unit: Fraction, how: Callable[[Any], int], number: Any) -> Any:
    if isinstance(number, float) and not math.isfinite(number):
        return number
    made = how(exact(number) / unit) * unit
    return float(made) if isinstance(number, float) else int(made) if made.denominator == 1 else made


def _map_values(sample: Sample, change: Callable[[Any], Any]) -> Callable[[Events], Events]:
    return replace_events(lambda e: e if e.value is None else sample.lift(e, change(e.value)))


def _overflow(sample: Sample) -> Iterator[Edit]:
    if not sample.is_number or sample.kinds == ("float",):
        return
    for bits in (8, 16, 32, 64):
        low = -(1 << bits - 1)
        wrap = partial(lambda low, x: (int(x) - low) % (-2 * low) + low if x == int(x) else x, low)
        yield Edit(f"wraps around at {bits} bits", change=change_number(wrap))


def _single(sample: Sample) -> Iterator[Edit]:
    if not sample.numeric or not sample.is_number:
        return

    def narrow(x: Any) -> float:
        found: float = struct.unpack("f", struct.pack("f", float(x)))[0]
        return found

    yield Edit("returns 32-bit floats", change=lambda a: _as_float(a, narrow), near=True)


def _as_float(answer: Answer, narrow: Callable[[Any], float]) -> Answer:
    number = number_of(answer)
    if number is None:
        return answer
    single = narrow(number)
    return Answer(json.dumps(single), single, single)


def _double(sample: Sample) -> Iterator[Edit]:
    if sample.kinds in (("int",), ("decimal",)) and sample.aggregate == "sum":

        def add(events: Sequence[Event]) -> Answer:
            total = sum(map(float, values(events)))
            return Answer(json.dumps(encode(Fraction(total))), total, total)

        yield Edit("adds in doubles", answer=add, near=True, option="--value COLUMN:float")


def _multiplied(sample: Sample) -> Iterator[Edit]:
    if not sample.is_number:
        return
    for ratio in ratios(sample):
        yield Edit(f"returns {show_number(ratio)} times the expected result", bits=2.0 if ratio in _FACTORS else READ,
                   needs=3, change=change_number(partial(lambda r, x: _times(x, r), ratio)))  # fmt: skip
    for factor in (60, 100, 1000) if sample.numeric else ():
        yield Edit(f"multiplies values by {factor}", bits=2.0, events=_map_values(sample, partial(mul, factor)))


def _times(x: Any, ratio: Fraction) -> Any:
    return x * float(ratio) if isinstance(x, float) else Fraction(x) * ratio


def _from_zero(sample: Sample) -> Iterator[Edit]:
    if sample.aggregate in ("min", "max", "float-min", "float-max"):
        best, words = (max, "maximum") if sample.aggregate.endswith("max") else (min, "minimum")
        yield Edit(f"starts its {words} from zero", change=change_number(lambda x: best(x, 0)))


def _zero_null(sample: Sample) -> Iterator[Edit]:
    yield Edit("returns null for zero", option="--empty null",
               change=lambda a: NULL if number_of(a) == 0 or a.text == "" else a)  # fmt: skip


def groups(sample: Sample) -> Iterator[tuple[str, Callable[[Event], Hashable], float]]:
    """Yield groupings by which a job may combine partial answers: batches, sources, spans of time."""
    for i, column in enumerate(sample.columns):
        if 1 < len(sample.cells[i]) <= len(sample.came) * 3 / 4:
            yield f"each {column}", cell_of(i), 0.0
    usual = (2, 3, 5, 10, 20) if sample.tick is None else [n * second(sample.tick) for n in (1, 60, 600, 3600, 86_400)]
    window = sample.window
    parts = [window.range // n for n in (2, 4) if window.range % n == 0] if isinstance(window, Sliding) else []
    for span in dict.fromkeys([*usual, *parts]):
        yield f"each {show_span(span, sample.tick)} of time", partial(lambda n, e: e.time // n, span), 2.0
    for size in (10, 20, 25, 40, 50, 100, 400, 500, 1000) if sample.numbered else ():
        if 2 * size < len(sample.came):
            yield f"each batch of {size} events", partial(lambda n, e: e.arrival // n, size), 3.0


def split_by(group: Callable[[Event], Hashable], events: Sequence[Event]) -> list[list[Event]]:
    """Return the events of each group, ordered by the first events."""
    found: dict[Hashable, list[Event]] = defaultdict(list)
    for e in events:
        found[group(e)].append(e)
    return list(found.values())


def _means(sample: Sample) -> Iterator[Edit]:
    if sample.aggregate not in ("mean", "median", "population-standard-deviation", "sample-standard-deviation"):
        return

    def combine(parts: Callable[[Sequence[Event]], list[list[Event]]], events: Sequence[Event]) -> Answer:
        numbers = [float(n) for part in parts(events) if part and (n := number_of(sample.answer(part))) is not None]
        return make_answer(sum(numbers) / len(numbers))

    for words, group, bits in groups(sample):
        yield Edit(f"averages the {sample.aggregate}s of {words}", bits=bits,
                   answer=partial(combine, partial(split_by, group)))  # fmt: skip


_AGGREGATES: Final = "PostgreSQL: Aggregate Functions"
_ORDERED: Final = "PostgreSQL: Aggregate Expressions, ORDER BY"
_ROUNDING: Final = "PostgreSQL: Mathematical Functions, round and trunc"
_TIES, _AGGREGATE, _RETRY, _OTHER = Family.TIES, Family.AGGREGATE, Family.RETRY, Family.OTHER

ANSWERS: Final = (
    Row("another aggregate", "Another aggregate: sample for population, variance for deviation, last for first.",
        _AGGREGATE, _AGGREGATES, _aggregates),
    Row("tie broken otherwise", "Ties in time or measure are not broken by arrival order.",
        _TIES, "duckdb/duckdb#23664", _ties),
    Row("arrival order", "Events are processed in arrival order.", _TIES,
        "Apache Flink: Timely Stream Processing, Notions of Time", partial(_order, of="arrival")),
    Row("newest first", "Events are processed newest first.", _TIES,
        "PostgreSQL: SELECT, ORDER BY Clause", partial(_order, of="newest")),
    Row("sorted", "Events are processed in the order of their values.", _TIES, _ORDERED, partial(_order, of="values")),
    Row("rounded", "Results or values are rounded.", _AGGREGATE, _ROUNDING,
        partial(_digits, hows=("half-even", "half-up", "ceiling"), verb="rounds")),
    Row("truncated", "Results or values lose their fraction.", _AGGREGATE,
        _ROUNDING, partial(_digits, hows=("down", "floor"), verb="truncates")),
    Row("overflow", "Results wrap around at a number of bits.", _AGGREGATE, "trinodb/trino#30600",
        _overflow),
    Row("single precision", "Results are 32-bit floats.", _AGGREGATE,
        "PostgreSQL: Numeric Types, Floating-Point Types", _single),
    Row("double precision", "Exact values are added as doubles.", _AGGREGATE, "trinodb/trino#30630",
        _double),
    Row("result multiplied", "Each event counts several times, as after a join; or results are in another unit.",
        _RETRY, "apache/beam#20528", _multiplied),
    Row("starts from zero", "A maximum or minimum starts from zero.", _AGGREGATE, "deephaven/deephaven-core#4396",
        _from_zero),

    Row("zero as null", "A result that is zero, or an empty text, is written as null.", Family.NULL,
        "PostgreSQL: Conditional Expressions, NULLIF", _zero_null),
    Row("mean of means", "Partial means or deviations are averaged, however many events each has.", _RETRY,
        "TimescaleDB: Hierarchical continuous aggregates", _means),
)  # fmt: skip
"""The rows of the slot `answer`."""
