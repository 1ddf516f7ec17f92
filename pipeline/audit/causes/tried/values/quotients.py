"""A mean whose total and count are of different events: one was counted before it was dropped, or not counted though it
was added.

A job that keeps a total and a count of a window has two places at which it may leave out an event, or take one for
another: what is late, what a column marks, and what is there twice.  Where it does so at one of them, the mean is too
small or too large by whole events.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, Final

from swagproof.models.windows.kinds import Calendar, Sliding
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import NULL, Event, Foretold, Name, Part, Sample, get_cell, take_all
from swagproof.pipeline.audit.causes.tried.answers import answer_of
from swagproof.pipeline.audit.causes.tried.cuts import sort_arrived
from swagproof.pipeline.audit.causes.tried.events.lates import find_end, find_overtaken
from swagproof.pipeline.audit.causes.tried.states import choose_findings, fits_some
from swagproof.pipeline.audit.rules import Answer

_CAUSE: Final = "another count"
_NEAR: Final = 1e-9
_CELLS: Final = 8
"""How many different cells a column has at most by which events may be left out."""

Choice = Callable[[Sequence[Event]], Sequence[Event]]


@dataclass(frozen=True)
class _Kept:
    """Some events of a window, and what is said of a mean that adds these alone, or counts these alone; nothing where
    that is not tried."""

    added: str
    counted: str
    of: Choice


def list_quotients(sample: Sample) -> Iterator[Hypothesis]:
    """The total of some events over the number of others."""
    numbers = len(sample.kinds) == 1 and sample.kinds[0] in ("int", "float", "decimal")
    if sample.aggregation.name.removeprefix("sql-") != "mean" or not numbers:
        return
    yield from _list_late(sample)
    looked = choose_findings(sample)
    for kept in _list_kept(sample):
        for why, add, count in ((kept.added, kept.of, _keep_all), (kept.counted, _keep_all, kept.of)):
            answer = partial(_answer, add, count)
            if why and fits_some(sample, looked, answer):
                yield Hypothesis(_CAUSE, why, answer=answer)


def _keep_all(events: Sequence[Event]) -> Sequence[Event]:
    return events


def _divide(added: Sequence[Event], counted: Sequence[Event]) -> Answer:
    total = sum(Fraction(e.value) for e in added if e.value is not None)
    n = sum(e.value is not None for e in counted)
    return answer_of(Fraction(total) / n, near=_NEAR) if n else NULL


def _answer(add: Choice, count: Choice, events: Sequence[Event]) -> Answer:
    return _divide(add(events), count(events))


def _list_late(sample: Sample) -> Iterator[Hypothesis]:
    """Late events in the one and not in the other."""
    if sample.delay is None or not isinstance(sample.window, Sliding | Calendar):
        return
    for why, adds in (
        ("counts late events in the number that a mean is divided by, and does not add their values", False),
        ("adds the values of late events to the total of a mean, and does not count them in its number", True),
    ):
        for alone in (False, True):
            said = f"{why}, and answers 0 where there are no others" if alone else why
            results = partial(_count_late, sample, adds, alone)
            if not (adds and alone):
                yield Hypothesis(_CAUSE, said, takes=take_all, results=results)


def _count_late(sample: Sample, adds: bool, alone: bool, found: Foretold) -> Foretold:
    made = Foretold()
    for name, parts in found.items():
        there = [_part_late(sample, name, part, adds) for part in parts]
        kept = [part for part, timely in there if timely or alone]
        if kept:
            made[name] = kept
    return made


def _part_late(sample: Sample, name: Name, part: Part, adds: bool) -> tuple[Part, bool]:
    """What a window with late events answers, and whether it has others; as it is due where it has none."""
    end = find_end(sample, name)
    if end is None or part.answer is not None:
        return part, True
    timely = [e for e in part.events if _is_timely(sample, e, end)]
    if len(timely) == len(part.events):
        return part, True
    answer = _divide(part.events, timely) if adds else _divide(timely, part.events)
    return Part(part.events, answer), bool(timely)


def _is_timely(sample: Sample, e: Event, end: int) -> bool:
    """Whether an event is not late; where the policy counts all that are, by its window's end."""
    return e.watermark < end if sample.lateness is None and not sample.by_time else sample.takes(e, end)


def _list_kept(sample: Sample) -> Iterator[_Kept]:
    """What may be left out of the one and not of the other: what a column marks, or what is alike."""
    values = [e.value for events in sample.events.values() for e in events if e.value is not None]
    for said, least, most in (("negative", None, 0), ("positive", 0, None)):
        if any(_is_between(least, most, v) for v in values):
            kept = _leave_out(f"whose value is {said}", partial(_has_value, least, most))
            yield replace(kept, added="")  # as where they are taken for zero
    if isinstance(sample.window, Sliding | Calendar):
        for whose in ("their key", "any key") if sample.whole and len(sample.events) > 1 else ("their key",):
            overtaken = find_overtaken(sample, sample.window, all_keys=whose == "any key")
            if overtaken:
                said = f"that come when a later window of {whose} has begun"
                yield _leave_out(said, partial(_is_among, overtaken))
    for i, column in enumerate(sample.columns):
        cells = sample.list_cells(i)
        few = 1 < len(cells) <= _CELLS
        for cell in sorted(cells if few else cells & {None}, key=str):
            shown = "null" if cell is None else cell
            yield _leave_out(f"whose {column} is {shown}", partial(_has_cell, i, cell))
            if few and len(cells) > 2 and cell is not None:
                yield _leave_out(f"whose {column} is not {shown}", partial(_has_other_cell, i, cell))
        if len(cells) > 1:
            yield _take_once(column, partial(get_cell, i))
    yield _take_once("value", _get_value)
    yield _take_once("time", _get_time)


def _is_among(those: frozenset[int], e: Event) -> bool:
    return e.arrival in those


def _leave_out(which: str, fits: Callable[[Event], bool]) -> _Kept:
    return _Kept(
        f"counts events {which} in the number that a mean is divided by, and does not add their values",
        f"adds the values of events {which} to the total of a mean, and does not count them in its number",
        partial(_keep_others, fits),
    )


def _keep_others(fits: Callable[[Event], bool], events: Sequence[Event]) -> Sequence[Event]:
    return [e for e in events if not fits(e)]


def _take_once(column: str, of: Callable[[Event], Any]) -> _Kept:
    return _Kept(
        f"adds one value of each {column} to the total of a mean, and divides it by the number of all",
        f"divides the total of a mean by how many different {column}s there are",
        partial(_keep_first, of),
    )


def _keep_first(of: Callable[[Event], Any], events: Sequence[Event]) -> Sequence[Event]:
    kept: dict[Any, Event] = {}
    for e in sort_arrived(events):
        if of(e) is not None:
            kept.setdefault(of(e), e)
    return list(kept.values())


def _is_between(least: Any, most: Any, v: Any) -> bool:
    return (least is None or v > least) and (most is None or v < most)


def _has_value(least: Any, most: Any, e: Event) -> bool:
    return e.value is not None and _is_between(least, most, e.value)


def _has_cell(i: int, cell: Any, e: Event) -> bool:
    return bool(e.others[i] == cell)


def _has_other_cell(i: int, cell: Any, e: Event) -> bool:
    return bool(e.others[i] != cell)


def _get_value(e: Event) -> Any:
    return e.value


def _get_time(e: Event) -> Any:
    return e.time
