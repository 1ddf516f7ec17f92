"""What a job may have done wrong with the states that it keeps: how one begins, takes a value, or takes in another.

The state of a sum is a total, of a mean a total and a count, of a minimum the least so far.  A job that divides the
events of a window makes one of each part, and merges them.  Each hypothesis changes one step of one number of the
state, in one way of dividing; the rest goes on as it should.  There are hundreds, so they are tried on a few findings
first, and saying which one it is costs as many bits.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import log2
from typing import Any, Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import NULL, Event, Name, Sample, regroup
from swagproof.pipeline.audit.causes.tried.answers import answer_of
from swagproof.pipeline.audit.causes.tried.divided import list_parts
from swagproof.pipeline.audit.rules import Answer

_NEAR: Final = 1e-9
_LOOKED: Final = 12
"""How many findings are looked at first."""

Number = Any
Fold = Callable[[Sequence[Number]], Number]

_ADDED: Final[Mapping[str, Fold]] = {
    "adds": sum,
    "subtracts": lambda values: -sum(values),
    "keeps the last of": lambda values: values[-1],
    "adds none of": lambda values: 0,
    "begins at 1, and adds": lambda values: sum(values) + 1,
    "begins at -1, and adds": lambda values: sum(values) - 1,
}
"""How a total is made of values; and a count, of ones."""

_MERGED: Final[Mapping[str, Fold]] = {
    "adds": sum,
    "subtracts": lambda parts: parts[0] - sum(parts[1:]),
    "keeps the first of": lambda parts: parts[0],
    "keeps the last of": lambda parts: parts[-1],
    "takes the greatest of": max,
    "takes the least of": min,
}
"""How totals, or counts, are made one."""

_CHOSEN: Final[Mapping[str, Fold]] = {
    "takes the least of": min,
    "takes the greatest of": max,
    "keeps the first of": lambda parts: parts[0],
    "keeps the last of": lambda parts: parts[-1],
}
"""How the least, or the greatest, of values and of partial aggregates is made."""


@dataclass(frozen=True)
class _Step:
    """How one number of a state is made: of the values of a part, and of the numbers of all parts."""

    add: Fold
    merge: Fold


_RIGHT: Final = _Step(sum, sum)


@dataclass(frozen=True)
class _State:
    """How the numbers of a state are made, and what differs from how they should be."""

    cause: str
    why: str
    total: _Step = _RIGHT
    """Of the one number of a sum, a minimum or a maximum, too."""
    count: _Step = _RIGHT


def list_states(sample: Sample) -> Iterator[Hypothesis]:
    """One step of the state's making changed."""
    own = sample.aggregation.name
    numbers = len(sample.kinds) == 1 and sample.kinds[0] in ("int", "float", "decimal")
    if (own not in ("sum", "mean", "min", "max") and own != "count") or (own != "count" and not numbers):
        return
    looked = choose_findings(sample)
    one: Callable[[Event], int] = _be_one
    ways = [("", one, _by_time), ("", one, _by_arrival)]
    ways += [(f" ({said})", of, _by_arrival) for said, of in list_parts(sample)]
    found: list[Hypothesis] = []
    tried = 0
    for said, of, order in ways:
        for state in _list_states(own, divided=bool(said)):
            tried += 1
            answer = partial(_answer, sample, own, state, order, of)
            if fits_some(sample, looked, answer):
                found.append(Hypothesis(state.cause, f"{state.why}{said}", answer=answer, divides=bool(said)))
    for it in found:
        yield replace(it, bits=log2(tried))


def _by_time(e: Event) -> int:
    return e.time


def _by_arrival(e: Event) -> int:
    return e.arrival


def _be_one(_event: Event) -> int:
    return 0


def _list_states(own: str, *, divided: bool) -> Iterator[_State]:
    """All changes of one step; where nothing is divided, nothing is merged."""
    if own in ("min", "max"):
        right = _CHOSEN["takes the least of" if own == "min" else "takes the greatest of"]
        for verb, fold in _CHOSEN.items():
            if fold is not right and divided:
                yield _State("added wrongly", f"{verb} the values of each partial aggregate", _Step(fold, right))
                yield _State("merged wrongly", f"{verb} its partial aggregates, for the {own}", _Step(right, fold))
        return
    for number in ("total", "count") if own == "mean" else ("count",) if own == "count" else ("total",):
        added = "values" if number == "total" else "ones"
        for verb, fold in _ADDED.items():
            if fold is not sum:
                cause = "begun wrongly" if "begins" in verb else "added wrongly"
                yield _make(number, cause, f"{verb} {added} for its {number}", _Step(fold, sum))
        for verb, fold in _MERGED.items() if divided else ():
            if fold is not sum:
                yield _make(number, "merged wrongly", f"{verb} its partial {number}s to merge them", _Step(sum, fold))


def _make(number: str, cause: str, why: str, step: _Step) -> _State:
    return _State(cause, why, total=step) if number == "total" else _State(cause, why, count=step)


def _answer(
    sample: Sample,
    own: str,
    state: _State,
    order: Callable[[Event], int],
    of: Callable[[Event], int],
    events: Sequence[Event],
) -> Answer:
    """What a job with this state answers; a value that is null counts nowhere."""
    there = [e for e in events if (own == "count" and not sample.kinds) or e.value is not None]
    if not there:
        return sample.answer(events)
    parts = regroup(sorted(there, key=order), of)
    if own == "count":
        return answer_of(_fold(state.count, [[1] * len(part) for part in parts]))
    exact = [[e.value if type(e.value) is int else Fraction(e.value) for e in part] for part in parts]
    total = _fold(state.total, exact)
    if own == "mean":
        count = _fold(state.count, [[1] * len(part) for part in parts])
        return answer_of(Fraction(total) / count, near=_NEAR) if count else NULL
    return answer_of(total, near=_NEAR if "float" in sample.kinds else 0.0)


def _fold(step: _Step, parts: Sequence[Sequence[Number]]) -> Number:
    return step.merge([step.add(part) for part in parts])


def choose_findings(sample: Sample) -> list[Name]:
    """Some findings, from all over the sample."""
    due, results = sample.due, sample.results
    single = (n for n in sorted(sample.open, key=str) if len(due.get(n, ())) == len(results.get(n, ())) == 1)
    there = [name for name in single if due[name][0].answer is None]
    return there[:: len(there) // _LOOKED + 1]


def fits_some(
    sample: Sample, names: Sequence[Name], answer: Callable[..., Answer], *, keyed: bool = False, share: int = 12
) -> bool:
    """Whether it explains two of these findings at least, and one of so many; `keyed` if it is told the key, too."""
    least = max(2, len(names) // share)
    fits = 0
    for name in names:
        events = sample.due[name][0].events
        try:
            made = answer(name[0], events) if keyed else answer(events)
            fits += sample.fits([made], sample.results[name])
        except (ArithmeticError, ValueError, TypeError):
            continue
        if fits == least:
            return True
    return False
