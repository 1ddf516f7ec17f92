"""Searches for the errata and readings of *Stream Window Aggregation Semantics and Optimisation* (2018)."""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Final

from swagproof.models.discretisation import (
    Marks,
    aggregate,
    count_windows,
    discretise,
    marked_windows,
    time_windows,
)
from swagproof.models.windows.window import Event, Heartbeat, Item, Time, Window, contents
from swagproof.proofs.errata.erratum import Searches, tell
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.ledger.claim import Outcome
from swagproof.proofs.slicing.discretised import marks_are_windows, slices_held


def _stream(values: Sequence[Any]) -> list[Item]:
    return [Event(None, value) for value in values]


# Semantics


def _average(values: Sequence[int]) -> Fraction:
    return Fraction(sum(values), len(values))


def _of_records(kind: Callable[[list[int]], Any]) -> Iterator[str]:
    """Search for a window whose average over its records, stored as a `kind`, is not that of its sequence."""
    for values in itertools.product((1, 4), repeat=3):
        (window,) = discretise(count_windows(3, 3), _stream(values))
        found = _average(list(kind(window)))
        if found != _average(values):
            yield f"records {', '.join(map(str, values))}: average {found}, not {_average(values)}"


def _each_record(window: list[int]) -> list[Fraction]:
    return [_average([record]) for record in window]


def _answers(f_a: Callable[[list[int]], Any]) -> Iterator[str]:
    """Search for a window of Figure 2's stream without exactly one correct answer."""
    found = aggregate(f_a, discretise(count_windows(5, 2), _stream(range(1, 10))))
    if found != [3, 5, 7]:
        yield f"average over s[1,5], s[3,7], s[5,9]: {[list(map(str, f)) if isinstance(f, list) else f for f in found]}"


def _overlap(said: Callable[[int, int], int]) -> Iterator[str]:
    """Search for two consecutive windows whose overlap is not the stated number of minutes, counted in records."""
    for (range_, slide), each in itertools.product(((7, 3), (5, 2), (9, 6), (10, 3), (4, 4)), (1, 2, 6)):
        stream: list[Item] = [*(Event(t, t) for t in range(4 * range_ * each)), Heartbeat(9 * range_ * each)]
        windows = discretise(time_windows(range_ * each, slide * each), stream)
        whole = [window for window in windows if len(window) == range_ * each]
        for first, second in itertools.pairwise(whole):
            found = Fraction(len(set(first) & set(second)), each)
            if found != said(range_, slide):
                yield (
                    f"range {range_} minutes, slide {slide}, records per minute: {each}; consecutive windows share the "
                    f"records of {found} minutes"
                )


def _tumbles(slide: int) -> Iterator[str]:
    """Search for a record that is not in exactly one window of 30 seconds, with this slide."""
    stream: list[Item] = [*(Event(t, t) for t in (1, 29, 31, 59)), Heartbeat(100)]
    shown = [elements for _, elements in contents(Window(Time(30), Time(slide), origin=0), stream) if elements]
    for t in (1, 29, 31, 59):
        times = sum(any(element.time == t for element in elements) for elements in shown)
        if times != 1:
            yield f"slide {slide} s: the record of second {t} is in {times} windows"


# Cutty


def _by_record_alone() -> Iterator[str]:
    """Search for a function of the record, without memory, that represents count windows of 2, on a, a, a, a."""
    stream = _stream("aaaa")
    expected = count_windows(2, 2)(stream)
    for begin, end in itertools.product(range(3), repeat=2):
        try:
            if marked_windows((True, Marks(begin, end)) for _ in stream) == expected:
                return
        except ValueError:
            continue
    yield "a, a in windows of 2: the first a begins a window and ends none, the second ends one and begins none"


NESTED: Final = [(1, 4), (2, 3)]


def _nested(queries: Sequence[Sequence[Marks]]) -> Iterator[str]:
    """Search for a difference between the windows s[1, 4] and s[2, 3] and those that the queries' marks describe."""
    found = sorted(tuple(window) for marks in queries for window in marked_windows((True, mark) for mark in marks))
    if found != NESTED:
        yield f"records ( ( ) ): the windows are {NESTED}, the counts stand for {found}"


def _fails(check: Callable[..., Outcome], *arguments: Any) -> Iterator[str]:
    outcome = check(*arguments)
    if outcome.verdict != "holds":
        yield outcome.detail


def _held(queries_and_longest: tuple[int, int]) -> Iterator[str]:
    return tell(slices_held(*queries_and_longest))


def _reused(slice_: tuple[int, int]) -> Iterator[str]:
    """Search for one of the windows s[1, 5] and s[1, 6] that lacks a record of the slice."""
    a, b = slice_
    for end in (5, 6):
        if "".join(LETTERS[a - 1 : b]) not in "".join(LETTERS[:end]):
            yield f"s[{a}, {b}] has the records {a} to {b}, of which s[1, {end}] lacks {max(a, end + 1)}"


def _panes(size: Callable[[int, int], int]) -> Iterator[str]:
    """Search for a window that begins or ends within a pane of this size."""
    for range_, slide in ((9, 6), (10, 3), (4, 2), (5, 5)):
        pane = size(range_, slide)
        for end in range(range_, range_ + 3 * slide, slide):
            if end % pane or (end - range_) % pane:
                yield f"range {range_}, slide {slide}: panes of {pane}, and a window from {end - range_} to {end}"


SEARCHES: Final = {
    "SLICE-3": Searches(
        printed=partial(_overlap, lambda range_, slide: range_ - slide + 1),
        holds=partial(_overlap, lambda range_, slide: range_ - slide),
        wrong={"by the slide": partial(_overlap, lambda range_, slide: slide)},
    ),
    "CUTTY-3": Searches(
        printed=partial(_reused, (6, 7)),
        holds=lambda: [case for a in range(1, 6) for b in range(a, 6) for case in _reused((a, b))],
        wrong={f"s[{a}, {b}]": partial(_reused, (a, b)) for a, b in ((5, 6), (6, 6), (1, 6))},
    ),
    "SLICE-12": Searches(
        holds=partial(_panes, math.gcd),
        wrong={
            "least common denominator": partial(_panes, math.lcm),
            "slide": partial(_panes, lambda range_, slide: slide),
        },
    ),
    "SLICE-1": Searches(holds=partial(_of_records, list), wrong={"a set": partial(_of_records, set)}),
    "SLICE-2": Searches(holds=partial(_answers, _average), wrong={"from a record": partial(_answers, _each_record)}),
    "SLICE-8": Searches(holds=partial(_tumbles, 30), wrong={"by a second": partial(_tumbles, 1)}),
    "CUTTY-1": Searches(holds=partial(_fails, marks_are_windows, 3), wrong={"of the record alone": _by_record_alone}),
    "CUTTY-4": Searches(
        holds=partial(_held, (1, 5)), wrong={"the least number, of many queries": partial(_held, (2, 3))}
    ),
    "CUTTY-7": Searches(
        holds=partial(_nested, [[Marks(1), Marks(), Marks(), Marks(0, 1)], [Marks(), Marks(1), Marks(0, 1), Marks()]]),
        wrong={"one query": partial(_nested, [[Marks(1), Marks(1), Marks(0, 1), Marks(0, 1)]])},
    ),
}
