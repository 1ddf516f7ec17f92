"""A maximum, or a minimum, that stays after it has left its window, or goes before it does: what a heap, or a row of
candidates, makes of equal values, and of several that leave at once.

A heap gives up what is in its middle only when that gets to its top, so what has left is remembered until then.  Where
it is remembered by its value, and not by its place, equal values are taken for each other.  Each way is run over the
values of a key as they come and go, and foretells all results, right ones as well as wrong ones.
"""

from bisect import insort
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from swagproof.models.windows.kinds import Frame
from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import NULL, Event, Sample
from swagproof.pipeline.audit.causes.tried.values.steps import Place, go_over, has_steps
from swagproof.pipeline.audit.rules import Answer

_TOPS: Final = {"min": 0, "sql-min": 0, "max": -1, "sql-max": -1}
"""Where in a row that is sorted the one is that is answered."""

Way = Callable[[int, Sequence[Any], Sequence[Place]], list[Any]]
"""What is answered of windows, in their order, from which end of a row, of all values; None where there is nothing."""


_LONG: Final = "keeps a row of candidates, and lets the first go when there are more of them than a window has rows"
_ONE: Final = "keeps a row of candidates, and lets go but one that has left for each window"
_ROW: Final = "keeps a row of candidates, equal ones once, and lets the first go by its value"
_ROWS: Final = (
    ("", False, 0),
    (", but not the only one", False, 1),
    (", before the next one comes", True, 0),
)
"""How the first of a row goes: words, whether before the next one comes, and how many are left in any case."""


def list_stale(sample: Sample) -> Iterator[Hypothesis]:
    """The ways to keep an extreme."""
    top = _TOPS.get(sample.aggregation.name)
    if top is None or not has_steps(sample) or len(sample.kinds) != 1:
        return
    own = sample.aggregation.name.removeprefix("sql-")
    ways: dict[str, Way] = {
        "remembers what has left by its value, equal ones once, so that others stay": partial(_keep_heap, False),
        "remembers what has left by its value for good, so that equal ones go, too": partial(_keep_heap, True),
        "gives up but one that has left for each window": _keep_places,
        _ONE: _keep_one,
        "keeps but one value, and takes the newest in its place where that leaves": _keep_single,
        **{f"{_ROW}{said}": partial(_keep_row, early, least) for said, early, least in _ROWS},
    }
    window = sample.window
    if isinstance(window, Frame) and window.unit == "rows" and window.start is not None and window.end is not None:
        ways[_LONG] = partial(_keep_few, int(window.end - window.start) + 1)
    for way, of in ways.items():
        why = f"has its {own} of values that have left the window, or not of all in it: {way}"
        results = partial(go_over, partial(_answer_each, sample, of, top))
        yield Hypothesis("stale extreme", why, results=results, divides=True)


def _answer_each(sample: Sample, way: Way, top: int, events: Sequence[Event], places: Sequence[Place]) -> list[Answer]:
    answers = {e.value: sample.answer([e]) for e in events}
    return [answers.get(value, NULL) for value in way(top, [e.value for e in events], places)]


def _list_steps(values: Sequence[Any], places: Sequence[Place]) -> Iterator[tuple[Sequence[Any], Sequence[Any]]]:
    """What comes with each window, and what goes."""
    a = b = 0
    for lo, hi in places:
        yield values[b:hi], values[a:lo]
        a, b = lo, max(b, hi)


def _keep_heap(for_good: bool, top: int, values: Sequence[Any], places: Sequence[Place]) -> list[Any]:
    """Values in order, and those of which one has left; for good, or until one of them is given up."""
    row, gone, made = list[Any](), set[Any](), list[Any]()
    for come, go in _list_steps(values, places):
        for value in come:
            insort(row, value)
        gone.update(go)
        while row and row[top] in gone:
            value = row.pop(top)
            if not for_good:
                gone.discard(value)
        made.append(row[top] if row else None)
    return made


def _keep_places(top: int, values: Sequence[Any], places: Sequence[Place]) -> list[Any]:
    """Values and places in order; the one that is answered is given up where it has left, and the next one is not
    looked at."""
    row, made = list[tuple[Any, int]](), list[Any]()
    b = 0
    for lo, hi in places:
        for i in range(b, hi):
            insort(row, (values[i], i))
        b = max(b, hi)
        if row and row[top][1] < lo:
            row.pop(top)
        made.append(row[top][0] if row else None)
    return made


def _keep_single(top: int, values: Sequence[Any], places: Sequence[Place]) -> list[Any]:
    """One value; where it leaves, the last that has come, whatever else is there."""
    best: Any = None
    made = list[Any]()
    better = max if top else min
    for (come, go), (_, hi) in zip(_list_steps(values, places), places, strict=True):
        if best is not None and best in go:
            best = values[hi - 1]
        else:
            best = better([*([] if best is None else [best]), *come], default=None)
        made.append(best)
    return made


def _keep_row(early: bool, least: int, top: int, values: Sequence[Any], places: Sequence[Place]) -> list[Any]:
    """Those that no later one is as great as, or as small, in their order."""
    row, made = list[Any](), list[Any]()
    for come, go in _list_steps(values, places):
        if early:
            _let_go(row, go, least)
        for value in come:
            while row and (value >= row[-1] if top else value <= row[-1]):
                row.pop()
            row.append(value)
        if not early:
            _let_go(row, go, least)
        made.append(row[0] if row else None)
    return made


def _list_candidates(
    top: int, values: Sequence[Any], places: Sequence[Place], let_go: Callable[[list[tuple[Any, int]], int], None]
) -> list[Any]:
    """What is first of a row of values, with their places, that no later one is as great as, or as small, where some
    are let go when it is known from which place on a window has its values."""
    row, made = list[tuple[Any, int]](), list[Any]()
    b = 0
    for lo, hi in places:
        for i in range(b, hi):
            while row and (values[i] >= row[-1][0] if top else values[i] <= row[-1][0]):
                row.pop()
            row.append((values[i], i))
        b = max(b, hi)
        let_go(row, lo)
        made.append(row[0][0] if row else None)
    return made


def _keep_one(top: int, values: Sequence[Any], places: Sequence[Place]) -> list[Any]:
    """But one is let go for each window, however many have left."""

    def let_go(row: list[tuple[Any, int]], lo: int) -> None:
        if row and row[0][1] < lo:
            del row[0]

    return _list_candidates(top, values, places, let_go)


def _keep_few(most: int, top: int, values: Sequence[Any], places: Sequence[Place]) -> list[Any]:
    """The first is let go where there are too many candidates, and not where it has left."""

    def let_go(row: list[tuple[Any, int]], _lo: int) -> None:
        del row[: max(0, len(row) - most)]

    return _list_candidates(top, values, places, let_go)


def _let_go(row: list[Any], gone: Sequence[Any], least: int) -> None:
    """Give up the first for each value that has left and is equal to it, where more than so many are there."""
    for value in gone:
        if len(row) > least and row[0] == value:
            del row[0]
