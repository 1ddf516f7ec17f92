"""States that are taken for none where they are zero, or an empty text: `if not least or x < least`, `x or default`.

Whoever asks so whether there is a value yet loses what is zero: the next value takes its place, or another number that
stands for nothing.  And a state that begins with some value, as with the first of all, has that one in each window.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Final

from swagproof.pipeline.audit.aggregations import ANSWERING
from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis
from swagproof.pipeline.audit.causes.sample import (
    NULL,
    Event,
    Events,
    Foretold,
    Name,
    Part,
    Sample,
    get_arrival,
    time_and_arrival,
)
from swagproof.pipeline.audit.causes.tried.answers import answer_of, got_number, number_of
from swagproof.pipeline.audit.causes.tried.chosen import BEATS, Beats
from swagproof.pipeline.audit.causes.tried.events.inputs import add_skipped
from swagproof.pipeline.audit.causes.tried.states import choose_findings
from swagproof.pipeline.audit.rules import Answer

_CAUSE: Final = "zero as unset"
_NUMBERS: Final = ("int", "float", "decimal")
_WORDS: Final[Mapping[str, str]] = {"text": "the empty text", "bool": "false", "json": "what is empty"}
_ORDERS: Final[Mapping[str, Callable[[Event], Any]]] = {"time": time_and_arrival, "arrival": get_arrival}
_CHOSEN: Final = ("min", "max", "first", "last", "median")
"""Aggregates that answer a value that stands for nothing as it is, where that is the one."""
_USUAL: Final = (1, -1)
"""Numbers that stand for nothing oftener than others."""
_READ: Final = 2
"""How many numbers that findings say are tried."""


def list_unset(sample: Sample) -> Iterator[Hypothesis]:
    """What is zero, or empty, taken for none; and null, or zero, taken for some number."""
    own = sample.aggregation.name.removeprefix("sql-").removeprefix("float-")
    if any(_is_falsy(own, e) for e in sample.came):
        yield from _list_states(sample, own)
        yield from _list_ends(sample, own)
        yield from _list_left(sample)
    yield from _list_results(sample)
    if len(sample.kinds) == 1:
        yield from _list_constants(sample, own)
    yield from _list_begun(sample, own)


def _read(own: str, e: Event) -> Any:
    """What a state keeps of an event, and is asked about: its value, or its measure."""
    return e.value[0] if own in ("arg-min", "arg-max") else e.value


def _is_falsy(own: str, e: Event) -> bool:
    return e.value is not None and _stands_for_none(_read(own, e))


def _stands_for_none(value: Any) -> bool:
    """Whether it is zero, or empty; as text, too, as where a column of numbers is read as text."""
    return not value or (isinstance(value, str) and value.strip("0") in ("", "."))


def _say_zero(sample: Sample, own: str) -> str:
    kind = sample.kinds[0] if own in ("arg-min", "arg-max") or len(sample.kinds) == 1 else ""
    is_number = kind == "text" and all(_read(own, e) for e in sample.came if _is_falsy(own, e))
    return "zero" if is_number else _WORDS.get(kind, "zero")


def _list_states(sample: Sample, own: str) -> Iterator[Hypothesis]:
    """The least or the greatest so far, which the next value replaces where it is zero."""
    if own not in BEATS:
        return
    what = f"{'measure' if own.startswith('arg') else 'value'} so far"
    best = "least" if own.endswith("min") else "greatest"
    zero = _say_zero(sample, own)
    for order, of in _ORDERS.items():
        for beats, or_equal in zip(BEATS[own], ("", ", or is as great"), strict=True):
            if or_equal and not own.startswith("arg"):
                continue
            why = (
                f"takes the {best} {what} for none where it is {zero}, so that the next one replaces it, in the order "
            )
            why += f"of {order}{or_equal and ', and one that is as great'}"
            yield Hypothesis(_CAUSE, why, content=partial(_keep_best, own, beats, of))


def _keep_best(own: str, beats: Beats, of: Callable[[Event], Any], events: Sequence[Event]) -> Sequence[Event]:
    """The one that is left in the end."""
    kept: Event | None = None
    for e in sorted(events, key=of):
        if e.value is not None and (
            kept is None or _stands_for_none(_read(own, kept)) or beats(_read(own, e), _read(own, kept))
        ):
            kept = e
    return events if kept is None else [kept]


def _list_ends(sample: Sample, own: str) -> Iterator[Hypothesis]:
    """The first, or the last, that is not zero; where all are, the last, or none."""
    if own not in ("first", "last"):
        return
    zero = _say_zero(sample, own)
    spare = RARE if sample.has_nulls and sample.aggregation.name in ANSWERING else 0.0  # which are passed over, too
    for order, of in _ORDERS.items():
        why = f"takes the {own} value for none where it is {zero}, and answers the {own} one that is not"
        why += ", in the order of arrival" if order == "arrival" else ""
        for left in ("", f", and null where all are {zero}"):
            yield Hypothesis(_CAUSE, f"{why}{left}", content=partial(_keep_end, own, of, not left), spare=spare)


def _keep_end(own: str, of: Callable[[Event], Any], left: bool, events: Sequence[Event]) -> Sequence[Event]:
    ordered = sorted((e for e in events if e.value is not None), key=of, reverse=own == "last")
    there = [e for e in ordered if not _stands_for_none(e.value)]
    return there[:1] if there or not left else ordered[-1:]


def _list_left(sample: Sample) -> Iterator[Hypothesis]:
    """Empty texts that are left out, as by `if x`; zeros are looked for with other limits."""
    if len(sample.kinds) == 1 and sample.kinds[0] in _WORDS:
        zero = _WORDS[sample.kinds[0]]
        yield Hypothesis("some values left out", f"leaves out {zero}", events=_leave_falsy, filters=True)


def _leave_falsy(all_: Events) -> Events:
    return {key: [e for e in events if e.value is None or e.value] for key, events in all_.items()}


def _list_results(sample: Sample) -> Iterator[Hypothesis]:
    """Answers of zero, or of an empty text, for which another one is written: the results say which."""
    if sample.kind == "text":
        change = partial(_change_empty, NULL)
        yield Hypothesis("zero as null", "answers null in place of the empty text", change=change)
    instead: Counter[Any] = Counter()
    for name in sample.open:
        due, got = sample.answers.get(name, []), got_number(sample, name)
        if len(due) == 1 and got and number_of(due[0]) == 0:
            instead[got] += 1
    for value, n in instead.most_common(1):
        if n > 1:
            why = f"takes an answer of zero for none, and answers {_show(value)}"
            change = partial(_change_zero, answer_of(value))
            yield Hypothesis(_CAUSE, why, change=change, needs=2)


def _change_empty(other: Answer, answer: Answer) -> Answer:
    return other if answer.text == "" else answer


def _change_zero(other: Answer, answer: Answer) -> Answer:
    return other if number_of(answer) == 0 else answer


@dataclass(frozen=True)
class _Stand:
    """Values for which a number may stand: those of zero, or null."""

    cause: str
    said: str
    holds: Callable[[Event], bool]


_STANDS: Final = (
    _Stand(_CAUSE, "zero", lambda e: e.value is not None and e.value == 0),
    _Stand("null filled", "null", lambda e: e.value is None),
)


def _list_constants(sample: Sample, own: str) -> Iterator[Hypothesis]:
    """A number that stands for each zero, or each null: what findings say it is, or what is usual."""
    if sample.kinds[0] not in _NUMBERS:
        return
    looked = choose_findings(sample)
    for stand in _STANDS:
        if not any(map(stand.holds, sample.came)) or own.endswith("count"):
            continue
        said = Counter(k for name in looked if (k := _read_constant(sample, own, stand, name)) is not None)
        there = dict.fromkeys([k for k, _ in said.most_common(_READ)])
        for k in there | dict.fromkeys(_USUAL):
            if k:
                events = partial(_stand_for, sample, stand, k)
                why = f"takes {stand.said} for {_show(k)}"
                yield Hypothesis(stand.cause, why, events=events, needs=2 if k in there else 1, bits=2.0)
                if sample.skipped and stand.said == "null":
                    results = partial(_keep_due, sample)
                    why = f"{why}, of windows with others"
                    yield Hypothesis(stand.cause, why, events=events, results=results, needs=2, bits=2.0)


def _read_constant(sample: Sample, own: str, stand: _Stand, name: Name) -> Any:
    """Which number a finding has for them."""
    got = got_number(sample, name)
    key = name[0]
    there: Events = {key: list(sample.due[name][0].events)}
    if got is None:
        return None
    if own in _CHOSEN:
        return got if got != 0 else None
    held = there[key]
    if sample.skipped and held:
        first, last = held[0].time, held[-1].time
        held = [*held, *(e for e in sample.skipped.get(key, ()) if first <= e.time <= last)]
    n = sum(map(stand.holds, held))
    if not n or own not in ("sum", "mean"):
        return None
    rest = sum(Fraction(e.value) for e in held if e.value is not None and not stand.holds(e))
    k = (Fraction(got) * (len(held) if own == "mean" else 1) - rest) / n
    near = k.limit_denominator(1000)
    return near if "float" in (sample.kind, sample.kinds[0]) and abs(near - k) < 1e-9 * abs(k) else k


def _stand_for(sample: Sample, stand: _Stand, k: Any, all_: Events) -> Events:
    kind = sample.kinds[0]
    value = float(k) if kind == "float" else int(k) if Fraction(k).denominator == 1 else Fraction(k)
    return {
        key: [sample.lift(e, value) if stand.holds(e) else e for e in events]
        for key, events in (add_skipped(sample, all_) if stand.said == "null" else all_).items()
    }


def _keep_due(sample: Sample, found: Foretold) -> Foretold:
    return {name: parts for name, parts in found.items() if name in sample.due}


def _show(value: Any) -> str:
    return f"{float(value):,.15g}"


def _list_begun(sample: Sample, own: str) -> Iterator[Hypothesis]:
    """Extremes that begin with a value of other windows, or that of a measure which begins at zero."""
    if own in ("arg-min", "arg-max") and sample.kinds[0] in _NUMBERS:
        which, side = ("least", "below") if own == "arg-min" else ("greatest", "above")
        why = f"begins its {which} measure at zero, so that none is chosen that is not {side} it"
        yield Hypothesis("starts from zero", why, content=partial(_keep_beyond, -1 if side == "below" else 1))
    if own not in ("min", "max", "sum") or len(sample.kinds) != 1:
        return
    for order, of in _ORDERS.items():
        which = "that came first" if order == "arrival" else "that is first in time"
        for all_keys in (False, True) if sample.whole and len(sample.events) > 1 else (False,):
            why = f"begins each {own} with the value of its key {which}"
            why = why.replace("its key", "all keys") if all_keys else why
            yield Hypothesis("begun wrongly", why, results=partial(_begin_with, sample, of, all_keys), bits=1.0)


def _keep_beyond(sign: int, events: Sequence[Event]) -> Sequence[Event]:
    return [e for e in events if e.value is not None and sign * e.value[0] > 0]


def _begin_with(sample: Sample, of: Callable[[Event], Any], all_keys: bool, found: Foretold) -> Foretold:
    """Each result with that of the first event besides, where it is not among its own."""
    valued = {key: [e for e in events if e.value is not None] for key, events in sample.events.items()}
    everything = [e for events in valued.values() for e in events]
    made: Foretold = {}
    for name, parts in found.items():
        those = everything if all_keys else valued.get(name[0], [])
        first = min(those, key=of, default=None)
        made[name] = [
            part if first is None or not part.events else Part([first, *part.events], part.answer) for part in parts
        ]
    return made
