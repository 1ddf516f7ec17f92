"""Exhaustive exploration of a `Space`: every state reachable from a start, and every step from each.

`walk` is a breadth-first search, so the history of a violation is a shortest one.  It keeps one place for each state
until every step from it was taken.  `judge` returns the outcome of a claim that rests on an exploration.  An
exploration that visits nothing finds no violation, so the claim states the expected numbers of states and transitions.
"""

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from typing import Any, Final, NamedTuple

from swagproof.proofs.engine.settings import Refutation, settings
from swagproof.proofs.explorer.freezing import Place
from swagproof.proofs.explorer.space import Space, Violation
from swagproof.proofs.ledger.claim import Outcome

ENDLESS: Final = "the states come to an end"
"""The name of the check that a memory leak or an endless counter fails."""


class Counts(NamedTuple):
    """The numbers of visited states and transitions."""

    states: int
    transitions: int

    def add(self, more: "Counts") -> "Counts":
        """Return the sum with other counts."""
        return Counts(self.states + more.states, self.transitions + more.transitions)


def require_new(space: Space[Any]) -> None:
    """Check that a new instance is unaffected by the use of an earlier one.  Raises Violation if they share state.

    The steps run on the first instance itself, not on a copy, so that shared state shows in the second.
    """
    place = next(iter(space.starts()), None)
    if place is None or space.depth is not None:
        return
    first, steps = space.state(place), place.steps
    for _ in range(4):
        before = space.thaw(space.freeze(place), place.steps)
        step = next(iter(space.choices(place)), None)
        if step is None:
            break
        place.steps, place.frozen = (*place.steps, step), None
        try:
            space.take(place, step, before)
        except Violation:
            return  # the walk reports it
    again = next(iter(space.starts()))
    if space.state(again) != first:
        check = "a new one is as the first was"
        raise Violation(
            check, (*space.words(place.steps), f"and another one, {', '.join(space.words(steps)) or 'new'}")
        )


def require_end(space: Space[Any], states: int, most: int, place: Place[Any]) -> None:
    """Raise Violation if there are more than `most` states."""
    if states > most:
        raise space.violation(place, ENDLESS, detail=f": there are more than {most:,}")


def walk(
    space: Space[Any],
    watch: Callable[[Counts], object] = lambda counts: None,
    along: Callable[[Hashable, Place[Any], Hashable], object] | None = None,
    *,
    most: int | None = None,
) -> Counts:
    """Visit every state, and count those from which every step was taken.  Raises Violation.

    `watch` receives the counts after each level; `along` receives every step: the state before it, the place reached
    and its state.  More than `most` states (by default `space.most`) are a violation: some data seem to grow endlessly.
    """
    most = space.most if most is None else most
    require_new(space)
    frontier = list(space.starts())
    for place in frontier:
        space.check(place)
    seen = {space.state(place) for place in frontier}
    left = transitions = level = 0
    while frontier and level != space.depth:
        following: list[Place[Any]] = []
        for place in frontier:
            require_end(space, len(seen), most, place)
            left += 1
            for reached in space.after(place):
                transitions += 1
                found = space.state(reached)
                if along is not None:
                    along(space.state(place), reached, found)
                if found not in seen:
                    space.check(reached)
                    seen.add(found)
                    following.append(reached)
        frontier, level = following, level + 1
        watch(Counts(len(seen), transitions))
    return Counts(left, transitions)


def find(run: Callable[[], tuple[int, int]]) -> Counts | Violation:
    """Return the counts of an exploration, or its violation."""
    try:
        return Counts(*run())
    except Violation as violation:
        return violation


@cache
def _visit(space: Space[Any], most: int | None) -> Counts | Violation:
    """Return the counts or the violation of walking a space; cached, so that all claims about it rest on one run."""
    return find(partial(walk, space, most=most))


def find_once(*spaces: Space[Any], most: int | None = None) -> Counts | Violation:
    """Return the counts or the violation of exploring these spaces; no space is visited twice.

    A hint to the last violation, if any, is followed first.
    """
    found, counts = _look_first(spaces), Counts(0, 0)
    for space in spaces if found is None else ():
        visited = _visit(space, most)
        if isinstance(visited, Violation):
            return _tell_where(visited, spaces)
        counts = counts.add(visited)
    return found or counts


def explore(*spaces: Space[Any]) -> Counts:
    """Visit every state of every space, and return the sum of the counts.  Raises Violation."""
    found = find_once(*spaces)
    if isinstance(found, Violation):
        raise found
    return found


def first_violation(*spaces: Space[Any]) -> Violation | None:
    """Return the first violation in these spaces, if any, and explore no further."""
    found = find_once(*spaces)
    return found if isinstance(found, Violation) else None


# The hint: where to search first


def follow(space: Space[Any], way: Sequence[int]) -> Violation | None:
    """Return the violation on one way or one step after it, if any; a way is the number of its start and choices."""
    try:
        place = next(islice(space.starts(), way[0], None), None) if way else None
        for number in (*way[1:], None):
            if place is None:
                return None
            space.check(place)
            if number is not None:
                place = next(islice(space.after(place), number, None), None)
        for reached in space.after(place) if place is not None and len(way) - 1 != space.depth else ():
            space.check(reached)
    except Violation as violation:
        return violation
    return None


def _look_first(spaces: Sequence[Space[Any]]) -> Violation | None:
    """Return the violation to which the hint leads, if any."""
    hint = settings().hint
    if hint is None or not hint.run.isdecimal() or int(hint.run) >= len(spaces):
        return None
    found = follow(spaces[int(hint.run)], hint.way)
    return found and replace(found, refutation=hint)


def _tell_where(found: Violation, spaces: Sequence[Space[Any]]) -> Violation:
    """Return the violation with a way that leads there, if ways are recorded and one exists."""
    for number, space in enumerate(spaces if settings().ways else ()):
        for way in _find_ways(space, found.steps):
            again = follow(space, way)
            if again is not None and again.checks == found.checks:
                return replace(found, refutation=Refutation(str(number), way))
    return found


def _find_ways(space: Space[Any], steps: tuple[Any, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the ways that take these steps: the number of a start, and of each choice."""
    for number, start in enumerate(space.starts()):
        place, way = start, [number]
        while place.steps != steps and place.steps == steps[: len(place.steps)]:
            way.append(0)
            try:
                for reached in space.after(place):
                    place = reached
                    if place.steps == steps[: len(place.steps)]:
                        break
                    way[-1] += 1
            except Violation as violation:
                if violation.steps == steps:
                    yield tuple(way)
                break
        else:
            if place.steps == steps:
                yield tuple(way)


def refute(*spaces: Space[Any]) -> str | None:
    """Return the first violation in these spaces as text, if any."""
    violation = first_violation(*spaces)
    return str(violation) if violation else None


def search(*spaces: Space[Any]) -> Outcome:
    """Return the outcome of a search for the first violation in these spaces, for a mutant."""
    violation = first_violation(*spaces)
    return judge(violation, (0, 0)) if violation else Outcome("holds", "not refuted")


def judge(
    found: Counts | Violation,
    expected: tuple[int, int],
    *,
    own: Collection[str] = (),
    units: tuple[str, str] = ("states", "transitions"),
) -> Outcome:
    """Return the outcome of a claim that rests on an exploration, which must have the expected counts.

    `own` are the checks that state the claim, if the exploration makes other checks too; a violation of only the others
    makes the claim unknown.
    """
    if isinstance(found, Violation):
        if own and not set(own).intersection(found.checks):
            return Outcome("unknown", f"refuted, but not on its own account: {found}")
        return Outcome("fails", str(found), refutation=found.refutation, refuted=tuple(found.checks))
    visited = f"{found.states:,} {units[0]}, {found.transitions:,} {units[1]}"
    if found != tuple(expected):
        return Outcome("unknown", f"{visited}, not {tuple(expected)}", found._asdict())
    return Outcome("holds", visited, found._asdict())
