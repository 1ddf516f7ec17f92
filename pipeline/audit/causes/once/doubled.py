"""Windows that have two results, of which one is right: a run was appended, and what stood there was not replaced.

What is left beside the right results is looked into as if it were all that a job had written of these windows: it may
be what an earlier run had seen of them by then, or that of a run that was wrong by any other cause.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import log2
from typing import Final

from swagproof.models.windows.kinds import Counted
from swagproof.pipeline.audit.causes.cause import Cause
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis, Outcome
from swagproof.pipeline.audit.causes.once.natural import find_span
from swagproof.pipeline.audit.causes.parts import Map
from swagproof.pipeline.audit.causes.sample import Event, Foretold, Got, Name, Part, Sample, get_place
from swagproof.pipeline.audit.causes.tried.cuts import find_cuts, sort_arrived
from swagproof.pipeline.audit.causes.weigh import LEAST

_LOOKED: Final = 60
_WIDEST: Final = 120
"""How many windows are looked into to find a moment, and how many events each has at most."""
_TRIED: Final = 3
"""How many moments are tried."""
_CAUSE: Final = "not replaced"
_BEFORE: Final = "holds what had come before event"


def find_doubled(sample: Sample, left: Collection[Name]) -> Sample | None:
    """What stands beside the right results of windows that have two, as if it were all there is; None where there is
    nothing, or all of it is right, too."""
    others = {name: other for name in left if (other := _find_other(sample, name)) is not None}
    wrong = frozenset(n for n, got in others.items() if not sample.fits(sample.answers[n], [got]))
    if len(wrong) < LEAST:
        return None
    unknown = {*sample.due, *sample.results} - others.keys()
    return replace(
        sample,
        results={name: [got] for name, got in others.items()},
        findings=wrong,
        unknown=frozenset(unknown),
        told=frozenset(),
        earlier={},
        untaken=frozenset(),
    )


def _find_other(sample: Sample, name: Name) -> Got | None:
    """What stands beside the right result of a window: the same, or one that is wrong."""
    got, due = sample.results.get(name, ()), sample.answers.get(name, ())
    if len(got) < 2 or len(due) != 1:
        return None
    wrong = {one for one in got if not sample.agrees(due[0], one)}
    right = [one for one in got if one not in wrong]
    return (*wrong, *right)[0] if right and len(wrong) < 2 else None


def list_snapshots(others: Sample) -> Iterator[Hypothesis]:
    """That these are results of what had come before some event: where most of them may have been cut."""
    votes = Counter[int]()
    for name in sorted(others.open, key=str)[:_LOOKED]:
        came = sort_arrived(others.due[name][0].events)
        if len(came) <= _WIDEST:
            before = find_cuts(others, came, others.results[name], others.answer).before
            votes.update(_list_between(others, came, before))
    for number, _ in sorted(votes.items(), key=lambda it: (-it[1], it[0]))[:_TRIED]:
        yield Hypothesis(
            "older state kept",
            f"{_BEFORE} {number:,}",
            results=partial(_hold_before, number),
            needs=LEAST,
            bits=log2(max(2, len(others.arrivals))),
        )


def _list_between(others: Sample, came: Sequence[Event], before: Collection[int]) -> set[int]:
    """The events of all keys before which just these first ones of a window had come."""
    numbers = list(others.arrivals)
    return {
        number
        for n in before
        for number in numbers[others.arrivals[came[n - 1].arrival] + 1 : others.arrivals[came[n].arrival] + 1]
    }


def _hold_before(number: int, found: Foretold) -> Foretold:
    made = Foretold()
    for name, parts in found.items():
        held = [Part([e for e in part.events if e.arrival < number]) for part in parts]
        if any(part.events for part in held):
            made[name] = held
    return made


def tell_doubled(
    sample: Sample, others: Sample, causes: Sequence[Cause], show_time: Callable[[int], str]
) -> Iterator[Cause]:
    """What is left beside right results, by the causes of that; and what none of these explains."""
    explained = frozenset[Name]().union(*(one.explains for one in causes))
    same = others.results.keys() - others.findings
    for i, one in enumerate(causes):
        run = f"{one.why}{one.where and ', '}{one.where}"
        is_older = one.why.startswith(_BEFORE)
        also = [cause for cause in one.also if not (is_older and cause == "batch lost")]  # which says the same
        run += f" (or by another cause: {' or '.join(also)})" if also else ""
        held = _read_contents(others, one)
        kind = "an older" if is_older else "an incomplete" if _is_less(others, one, held) else "another"
        said = f"{kind} result beside the right one, as of a run that {run}"
        names = one.explains | same if i == 0 else one.explains
        yield _make_cause(sample, others, said, names, None if one.hypothesis is None else held, show_time)
    rest = others.findings - explained
    if len(rest) >= LEAST:
        said = "another result beside the right one, of which nothing tells what it is"
        yield _make_cause(sample, others, said, rest, None, show_time)


def _read_contents(others: Sample, one: Cause) -> Mapping[Name, Collection[int]]:
    """The events that the other results of all windows are of, as a cause has it."""
    if one.contents is not None:
        return one.contents
    found = {} if one.hypothesis is None else one.hypothesis.foretell(others)
    return {name: {e.arrival for part in parts for e in part.events} for name, parts in found.items()}


def _is_less(others: Sample, one: Cause, held: Mapping[Name, Collection[int]]) -> bool:
    """Whether they are of some of the events of their windows."""
    if one.hypothesis is not None and one.hypothesis.steps & {"answer", "change", "windows"}:
        return False
    due = {name: {e.arrival for part in others.due.get(name, ()) for e in part.events} for name in one.explains}
    return all(name in held and due[name] > set(held[name]) for name in one.explains)


def tell_kept(sample: Sample, contents: Mapping[Name, Collection[int]]) -> str:
    """What is said of windows that hold but what came first, where it may be up to one event of all; else nothing."""
    due = {name: {e.arrival for part in sample.due.get(name, ()) for e in part.events} for name in contents}
    if any(not set(held) < due[name] for name, held in contents.items()):
        return ""
    last = max(max(held) for held in contents.values())
    if last >= min(min(due[name].difference(held)) for name, held in contents.items()):
        return ""
    number = next(n for n in sorted(sample.arrivals) if n > last)
    return f"holds, of some windows, only what had come before event {number:,}, as where an older result stayed"


def _make_cause(
    sample: Sample,
    others: Sample,
    said: str,
    names: frozenset[Name],
    held: Mapping[Name, Collection[int]] | None,
    show_time: Callable[[int], str],
) -> Cause:
    """It, with the windows that it is of: where none else has, or would have, two results."""
    single = {*sample.due, *sample.results} - names - sample.aside
    rest = frozenset(name for name in single if held is None or held.get(name))
    where = _tell_where(sample, names, rest, show_time)
    why = f"leaves{where and ', '}{where}{where and ','} {said}"

    def results(found: Foretold) -> Foretold:
        more = {name: Part((), sample.copy(others.results[name][0])) for name in names}
        return {**found, **{name: [*found.get(name, ()), part] for name, part in more.items()}}

    return Cause(_CAUSE, why, names, hypothesis=Hypothesis(_CAUSE, why, results=results))


def _tell_where(sample: Sample, names: frozenset[Name], rest: frozenset[Name], show_time: Callable[[int], str]) -> str:
    """Of which windows it is so, where that tells them from the rest."""
    if not rest:
        return ""
    times = [(name in names, get_place(name)) for name in (*names, *rest)]
    if not isinstance(sample.window, Counted) and (span := find_span(sample, times)):
        return f"of windows of {span}"
    against = Outcome(Hypothesis("", ""), names, frozenset(), rest, {})
    there = min(Map(sample, show_time).list_regions(against), key=lambda one: one.cost, default=None)
    return "of some windows" if there is None else there.where
