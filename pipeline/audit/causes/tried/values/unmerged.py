"""Partial aggregates that nobody merges: all are shown, or one of them, which is written last over the others.

A key that is salted, and a second stage that is left out, make one result of each salt.  Which one stays in a table
with one row a window hangs on the order in which they are written.  Often but the keys with most events are salted:
then the parts are those of keys of which most results are wrong, and of no other.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import log2
from typing import Any, Final

from swagproof.pipeline.audit.causes.hypothesis import RARE, Hypothesis
from swagproof.pipeline.audit.causes.sample import (
    Event,
    Foretold,
    Name,
    Part,
    Sample,
    get_arrival,
    get_cell,
    regroup,
    time_and_arrival,
)
from swagproof.pipeline.audit.causes.tried.cuts import count_alone, has_result
from swagproof.pipeline.audit.causes.tried.divided import RUN, is_batch, list_cells, list_parts, list_salts
from swagproof.pipeline.audit.causes.tried.states import choose_findings, fits_some
from swagproof.pipeline.audit.keys import show_key
from swagproof.pipeline.audit.rules import Answer

_Parts = Sequence[Sequence[Event]]

_CHOICES: Final[dict[str, Callable[[_Parts], Sequence[Event]]]] = {
    "the last one": lambda parts: parts[-1],
    "the first one": lambda parts: parts[0],
    "the one that was begun last": lambda parts: max(parts, key=lambda part: min(e.arrival for e in part)),
    "the one that was begun first": lambda parts: min(parts, key=lambda part: min(e.arrival for e in part)),
    "the one that had an event last": lambda parts: max(parts, key=lambda part: max(e.arrival for e in part)),
    "the one that had no event for longest": lambda parts: min(parts, key=lambda part: max(e.arrival for e in part)),
    "the one with most events": lambda parts: max(parts, key=len),
    "the one with fewest events": lambda parts: min(parts, key=len),
}
"""Which one is shown; the last and the first are those by what they are of."""
_HOT: Final = 3
"""How many keys are salted at most, where not all are."""
_KNOWN: Final = ("the last one", "the first one")
"""Those that are tried whatever a few findings say."""


def list_unmerged(sample: Sample) -> Iterator[Hypothesis]:
    """Partial aggregates that nobody merges."""
    yield from _list_salted(sample)
    yield from _list_overwritten(sample)
    batches = {f"each {name}" for i, name in enumerate(sample.columns) if is_batch(sample, i)}
    ways, looked = list(list_parts(sample)), choose_findings(sample)
    alone = partial(_show_all, get_arrival)
    yield Hypothesis("partial results", "answers for each event of a window by itself", results=alone, divides=True)
    for said, of in ways:
        why = f"does not merge its partial aggregates ({said})"
        all_parts = partial(_show_all, of)
        yield Hypothesis("partial results", f"{why}, and shows them all", results=all_parts, divides=True)
        if sample.updates and said in batches:
            continue  # of results with versions see `tried.events.columns`
        bits = log2(len(ways)) + (RARE if said.startswith(RUN) else 0.0)
        for which, choose in _CHOICES.items():
            content = partial(_choose_part, of, choose)
            answer = partial(_answer, sample, content)
            if which in _KNOWN or fits_some(sample, looked, answer, share=3):
                more = 0.0 if which in _KNOWN else log2(len(_CHOICES))
                yield Hypothesis(
                    "one part of several",
                    f"{why}, and shows {which}",
                    content=content,
                    divides=True,
                    bits=bits + more,
                )
        results = partial(_choose_fitting, sample, of)
        made = results({name: sample.due[name] for name in looked})
        if len(made) >= 2 and all(has_result(sample, made[n][0].events, sample.results[n]) for n in looked):
            if sum(log2(max(1, count_alone(sample, n))) for n in made) < len(made) + _measure(sample, of, made):
                continue  # it may show more than half of what any mistake may
            why, bits = f"{why}, and shows now this one, now that", bits + _measure(sample, of, sample.open)
            yield Hypothesis(
                "one part of several", why, results=results, divides=True, chooses=True, bits=bits, spare=RARE
            )


def _list_overwritten(sample: Sample) -> Iterator[Hypothesis]:
    """Parts of each micro-batch that are written over by another of it, as where two workers read the same state."""
    looked = choose_findings(sample)
    batches = [(name, partial(get_cell, i)) for i, name in enumerate(sample.columns) if is_batch(sample, i)]
    parts = [one for one in list_cells(sample) if one[0] not in {f"each {name}" for name, _ in batches}]
    bits = log2(max(1, len(batches) * len(parts) * len(_CHOICES)))
    for name, of_batch in batches:
        for said, of in parts:
            for which, choose in _CHOICES.items():
                content = partial(_choose_of_each, of_batch, partial(_choose_part, of, choose))
                if fits_some(sample, looked, partial(_answer, sample, content), share=3):
                    why = f"does not merge its partial aggregates of one {name} ({said}), and keeps {which} of them"
                    yield Hypothesis("one part of several", why, content=content, divides=True, needs=2, bits=bits)


def _choose_of_each(
    of: Callable[[Event], Any], choose: Callable[[Sequence[Event]], Sequence[Event]], events: Sequence[Event]
) -> Sequence[Event]:
    return sorted((e for part in regroup(events, of) for e in choose(part)), key=time_and_arrival)


def _list_salted(sample: Sample) -> Iterator[Hypothesis]:
    """Partial aggregates by what an id leaves; and any of the keys alone that are wrong, where others are not."""
    salts, looked = list(list_salts(sample)), choose_findings(sample)
    all_, wrong = (Counter(name[0] for name in names) for names in (sample.due, sample.open))
    hot = frozenset(key for key in all_ if 2 * wrong[key] > all_[key])
    groups: list[tuple[frozenset[str] | None, Sequence[tuple[str, Callable[[Event], int]]]]] = [(None, salts)]
    if 0 < len(hot) <= _HOT and set(wrong) <= hot and len(hot) < len(all_):
        groups = [(hot, [*list_parts(sample), *salts])]
    for keys, ways in groups:
        whose = "" if keys is None else f"; those of {' and '.join(map(show_key, sorted(keys)))} alone"
        bits = log2(max(1, len(ways) * len(_CHOICES))) + (0.0 if keys is None else log2(len(all_)) * len(keys))
        for said, of in ways:
            why = f"does not merge its partial aggregates ({said}{whose})"
            if any(len(sample.results.get(name, ())) > 1 for name in sample.open):
                shown = partial(_change_keys, keys, partial(_show_all, of))
                yield Hypothesis(
                    "partial results", f"{why}, and shows them all", results=shown, divides=True, bits=bits
                )
            for which, choose in _CHOICES.items():
                content = partial(_choose_part, of, choose)
                if fits_some(sample, looked, partial(_answer, sample, content), share=3):
                    chosen = partial(_change_keys, keys, partial(_choose_all, content))
                    why_which = f"{why}, and shows {which}"
                    yield Hypothesis("one part of several", why_which, results=chosen, divides=True, bits=bits)


def _change_keys(keys: Collection[str] | None, change: Callable[[Foretold], Foretold], found: Foretold) -> Foretold:
    """What becomes of the results of some keys alone; None: of all."""
    return found | change({name: parts for name, parts in found.items() if keys is None or name[0] in keys})


def _choose_all(content: Callable[[Sequence[Event]], Sequence[Event]], found: Foretold) -> Foretold:
    return {name: [replace(part, events=content(part.events)) for part in parts] for name, parts in found.items()}


def _measure(sample: Sample, of: Callable[[Event], int], names: Iterable[Name]) -> float:
    """The bits of saying which answer it is of each finding, of those of its parts that are wrong."""
    bits = 0.0
    for name in names:
        right = {answer.text for answer in sample.answers.get(name, ())}
        parts = (some for part in sample.due.get(name, ()) for some in regroup(part.events, of))
        bits += log2(max(1, len({sample.answer(some).text for some in parts} - right)))
    return bits


def _choose_fitting(sample: Sample, of: Callable[[Event], int], found: Foretold) -> Foretold:
    """That part of each window whose result is there; the last one where none is."""
    made = dict(found)
    for name, parts in found.items():
        if len(parts) == 1 and parts[0].events and parts[0].answer is None:
            some, got = regroup(parts[0].events, of), sample.results.get(name, ())
            made[name] = [Part(next((one for one in some if has_result(sample, one, got)), some[-1]))]
    return made


def _show_all(of: Callable[[Event], int], found: Foretold) -> Foretold:
    return {
        name: [Part(one, part.answer) for part in parts for one in regroup(part.events, of) or [[]]]
        for name, parts in found.items()
    }


def _choose_part(
    of: Callable[[Event], int], choose: Callable[[_Parts], Sequence[Event]], events: Sequence[Event]
) -> Sequence[Event]:
    return choose(regroup(events, of)) if events else events


def _answer(sample: Sample, content: Callable[[Sequence[Event]], Sequence[Event]], events: Sequence[Event]) -> Answer:
    return sample.answer(content(events))
