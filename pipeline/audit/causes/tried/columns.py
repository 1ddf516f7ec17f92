"""What else a job may have taken from its events: other columns, for the value or to choose and double events by.

An audit is told which column holds the values.  A job that sums the one beside it, joins a table that has a key twice,
or leaves out what another column marks, is understood only by whoever reads that column.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Final

from swagproof.pipeline.audit.causes.hypothesis import Hypothesis
from swagproof.pipeline.audit.causes.sample import Event, Events, Sample

WORDS: Final = 8
"""How many different words a column has at most that events are chosen by."""
NUMBERS: Final = 40
"""Likewise of numbers."""
_DIVISORS: Final = (2, 3, 4, 5, 10)


def list_columns(sample: Sample) -> Iterator[Hypothesis]:
    """Other columns for the value, and events chosen, or doubled, by them."""
    for i, name in enumerate(sample.columns):
        cells = sample.list_cells(i)
        there = {cell for cell in cells if cell is not None}
        words = any(isinstance(cell, str) for cell in there)
        if there and not words:
            yield from _list_values(sample, i, name)
        if 1 < len(there) + (None in cells) and len(there) <= (WORDS if words else NUMBERS):
            yield from _list_choices(i, name, _list_tests(cells, words=words))
        if len(there) > 2 and all(type(cell) is int for cell in there):
            yield from _list_choices(i, name, _list_residues())


def _list_values(sample: Sample, i: int, name: str) -> Iterator[Hypothesis]:
    if len(sample.kinds) != 1:
        return
    cause = "another column"
    yield Hypothesis(cause, f"takes {name} for the value", events=partial(_take_values, sample, lambda e: e.others[i]))
    if sample.kinds[0] in ("int", "float", "decimal"):
        yield Hypothesis(
            cause,
            f"multiplies each value by {name}",
            events=partial(_take_values, sample, lambda e: None if e.value is None else e.value * e.others[i]),
        )


def _take_values(sample: Sample, of: Callable[[Event], Any], events: Events) -> Events:
    """The events with other values; without those that have none."""
    found: Events = {}
    for key, mine in events.items():
        found[key] = []
        for event in mine:
            try:
                value = of(event)
                if value is not None:
                    found[key].append(sample.lift(event, value))
            except Exception:  # the operation may be the user's own, and refuse it
                continue
    return found


def _list_choices(i: int, name: str, tests: Iterable[tuple[str, Callable[[Any], bool]]]) -> Iterator[Hypothesis]:
    for said, fits in tests:

        def chosen(event: Event, fits: Callable[[Any], bool] = fits) -> bool:
            return fits(event.others[i])

        where = f"whose {name} is {said}"
        cause = "filtered by another column"
        yield Hypothesis(cause, f"leaves out events {where}", events=partial(_count_so_often, chosen, 0))
        yield Hypothesis(
            "doubled by another column", f"counts events {where} twice", events=partial(_count_so_often, chosen, 2)
        )


def _list_tests(cells: frozenset[Any], *, words: bool) -> Iterator[tuple[str, Callable[[Any], bool]]]:
    """What may be asked of a cell, in words."""
    there = sorted(cell for cell in cells if cell is not None)
    if None in cells:
        yield "null", lambda cell: cell is None
    for one in there:
        yield f"{one}", partial(_is, one)
        if words and len(there) > 2:
            yield f"not {one}", partial(_is_another, one)
        elif not words and one != there[0]:
            yield f"less than {one}", partial(_is_less, one)
            yield f"{one} or more", partial(_is_more, one)


def _list_residues() -> Iterator[tuple[str, Callable[[Any], bool]]]:
    """What may be asked of a whole number, as where work is divided by it, or every tenth is taken."""
    for k in _DIVISORS:
        yield f"divisible by {k}", partial(_leaves, k, frozenset({0}))
        yield f"not divisible by {k}", partial(_leaves, k, frozenset(range(1, k)))
    for r in (1, 2):
        yield f"{r} modulo 3", partial(_leaves, 3, frozenset({r}))
        yield f"not {r} modulo 3", partial(_leaves, 3, frozenset({0, 3 - r}))


def _leaves(k: int, residues: frozenset[int], cell: Any) -> bool:
    return cell is not None and cell % k in residues


def _is(one: Any, cell: Any) -> bool:
    return bool(cell == one)


def _is_another(one: Any, cell: Any) -> bool:
    return bool(cell != one)


def _is_less(one: Any, cell: Any) -> bool:
    return cell is not None and bool(cell < one)


def _is_more(one: Any, cell: Any) -> bool:
    return cell is not None and bool(cell >= one)


def _count_so_often(chosen: Callable[[Event], bool], often: int, events: Events) -> Events:
    return {key: [e for e in mine for _ in range(often if chosen(e) else 1)] for key, mine in events.items()}
