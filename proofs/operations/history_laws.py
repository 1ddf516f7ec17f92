"""Bounded histories of the algorithms, for CrossHair to confirm over all paths.

A law plays a history, a list of steps, on an algorithm over the free monoid (tuples of numbers, so that order shows),
and returns whether the answers at the end are the definition's.  CrossHair runs the algorithm itself on a symbolic
list, so "confirmed over all paths" covers every history within the bound.  Every prefix of a history is a history too,
so every intermediate state is checked.  A history ends at an evict from the empty window, which a law does not play:
what follows is another history.

`PLAYED` states for each algorithm the kind and the number of its steps.  Its laws are functions of this module:
`daba_history` for the plain class, `checked_daba_history` under all contracts, and for trees `fiba_times_history` with
steps at any times.  The laws of mutants, which CrossHair must refute, are in `swagproof.proofs.operations.mutant_laws`.

Repeat one manually:

    ICONTRACT_SLOW=1 crosshair check --analysis_kind PEP316 --report_all --per_condition_timeout 100 \\
        swagproof.proofs.operations.history_laws.daba_history

The output must say "Confirmed over all paths": exit code 0 alone means only that no counterexample was found.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from swagproof.contracts.visible import Condition, enforced, invariants_of, require_all
from swagproof.models.operations import COLLECT
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.reference.catalogue import (
    B_TREE,
    BASE_INTERVALS,
    DABA,
    DABA_LITE,
    FIBA,
    FLAT_FAT,
    REACTIVE_AGGREGATOR,
    REACTIVE_AGGREGATOR_FIFO,
    RECALCULATE,
    SUBTRACT_ON_EVICT,
    TWO_STACKS,
    TWO_STACKS_LITE,
    Column,
)

Play = Callable[[Callable[..., Any], list[Any], Sequence[Condition]], bool]
"""A function that plays steps on a new window, and returns whether its answers are right.

It raises AssertionError if an invariant does not hold at the end, before or after the query.
"""

PLACES: Final = 4
"""The places of FlatFAT: a tree of three inner nodes."""


def play_fifo(
    make: Callable[..., Any], steps: list[bool], invariants: Sequence[Condition] = (), *, timed: bool = False
) -> bool:
    """Insert the next letter for True; evict the oldest for False.

    If `timed`, they have ascending times, so that nodes of a tree split and merge.
    """
    present: list[int] = []
    window = make(COLLECT)
    for number, inserts in enumerate(steps):
        if inserts:
            window.insert(number, (number,)) if timed else window.insert((number,))
            present.append(number)
        elif not present:
            return True
        else:
            oldest = present.pop(0)
            window.evict(oldest) if timed else window.evict()
    return _is_right(window, tuple(present), invariants)


def play_at_times(
    make: Callable[..., Any], steps: list[tuple[bool, int]], invariants: Sequence[Condition] = ()
) -> bool:
    """Insert and evict at these times, in any order and with repetitions."""
    window, model = make(COLLECT), OutOfOrderWindow(COLLECT)
    for number, (inserts, t) in enumerate(steps):
        for each in (window, model):
            each.insert(t, (number,)) if inserts else each.evict(t)
    return _is_right(window, model.query(), invariants)


def play_any_order(make: Callable[..., Any], steps: list[int], invariants: Sequence[Condition] = ()) -> bool:
    """Insert the next letter for 0; for k > 0 evict the k-th oldest by its ticket."""
    tickets: list[int] = []
    window = make(COLLECT)
    for number, step in enumerate(steps):
        if step == 0:
            window.insert((number,))
            tickets.append(number)
            continue
        for k in range(len(tickets)):
            if step == k + 1:
                window.evict(sum(other < tickets[k] and steps[other] == 0 for other in range(number)))
                del tickets[k]
                break
        else:
            return True
    return _is_right(window, tuple(tickets), invariants)


def play_tree(make: Callable[..., Any], writes: list[bool], invariants: Sequence[Condition] = ()) -> bool:
    """Update a tree of four places, and compare every prefix and suffix at the end.

    Four booleans are an update and select the places that it writes.  The last update may have fewer.
    """
    values = [(i,) for i in range(PLACES)]
    tree, expected = make(COLLECT, list(values)), list(values)
    for first in range(0, len(writes), PLACES):
        changes = list[tuple[int, tuple[int, ...]]]()
        for number in range(first, min(first + PLACES, len(writes))):
            if writes[number]:
                place, value = number - first + 1, (PLACES + number,)
                changes.append((place, value))
                expected[place - 1] = value
        tree.update(changes)
    require_all(invariants, self=tree)
    right = tree.aggregate() == sum(expected, ())
    for i in range(1, PLACES + 1):
        right = right and tree.prefix(i) == sum(expected[:i], ()) and tree.suffix(i) == sum(expected[i - 1 :], ())
    return bool(right)


def _is_right(window: Any, expected: tuple[int, ...], invariants: Sequence[Condition]) -> bool:
    require_all(invariants, self=window)
    is_right = window.query() == expected
    require_all(invariants, self=window)
    return bool(is_right)


@dataclass(frozen=True)
class Played:
    """The histories of an algorithm: the kind of its steps, and their number."""

    column: Column
    play: Play = play_fifo
    longest: int = 6
    checked: int = 4
    """The most steps under contracts."""
    deeper: int = 2
    """The additional steps of a deep check beyond `longest`; under contracts it has one."""
    step: Any = bool
    times: int = 0
    """The most steps at any times, if the algorithm has times; otherwise 0."""
    shown_at_times: tuple[str, ...] = ()
    """The names of the mutants that only steps at any times show."""

    @property
    def name(self) -> str:
        """The name of the algorithm's module, with which the names of its laws begin."""
        return self.column.module.__name__.rpartition(".")[2]


TIMED_STEP: Final = tuple[bool, int]
"""The type of the steps of `play_at_times`."""
_DUPLICATE: Final = ("a duplicate is combined in the wrong order",)
PLAYED: Final = {
    played.column: played
    for played in (
        *(
            Played(column)
            for column in (TWO_STACKS, TWO_STACKS_LITE, DABA, DABA_LITE, RECALCULATE, SUBTRACT_ON_EVICT, BASE_INTERVALS)
        ),
        Played(FLAT_FAT, play_tree, 4, 3),
        Played(REACTIVE_AGGREGATOR, play_any_order, 4, 3, deeper=1, step=int),
        Played(REACTIVE_AGGREGATOR_FIFO),
        *(
            Played(column, partial(play_fifo, timed=True), 6, 3, deeper=1, times=3, shown_at_times=_DUPLICATE)
            for column in (FIBA, B_TREE)
        ),
    )
}
"""The histories of each algorithm."""


def name_law(algorithm: str, mutant: str) -> str:
    """Return the name of the law of a mutant."""
    return f"{algorithm}_" + "_".join(re.findall(r"\w+", mutant))


Law = Callable[[list[Any]], bool]


def make_law(
    make: Callable[..., Any], play: Play, longest: int, step: Any, invariants: Sequence[Condition] = ()
) -> Law:
    """Return the law that an algorithm answers correctly after every history of up to `longest` steps.

    CrossHair makes the steps from their type.
    """

    def law(steps: list[Any]) -> bool:
        """post: _"""
        return len(steps) > longest or play(make, steps, invariants)

    law.__annotations__["steps"] = list[step]
    return law


for _played in PLAYED.values():
    _name, _column = _played.name, _played.column
    _invariants = invariants_of(_column.checked)
    for _prefix, _longest, _most in (
        ("", _played.longest, _played.checked),
        ("deep_", _played.longest + _played.deeper, _played.checked + 1),
    ):
        globals()[f"{_prefix}{_name}_history"] = make_law(_column.algorithm, _played.play, _longest, _played.step)
        globals()[f"{_prefix}checked_{_name}_history"] = make_law(
            enforced(_column.checked), _played.play, _most, _played.step, _invariants
        )  # under contracts, which CrossHair does not switch off
    if _played.times:
        globals()[f"{_name}_times_history"] = make_law(_column.algorithm, play_at_times, _played.times, TIMED_STEP)
