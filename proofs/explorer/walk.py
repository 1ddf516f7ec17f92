"""Exhaustive exploration, whatever is explored: every state reachable from a start, every step from each.

`walk` goes breadth first: so the history with which it first reaches a state is a shortest one, and what it finds wrong
is told with a trace from which nothing can be left out.  It keeps one place for each state, and forgets a place once
every step from it was taken.  An exploration that explores nothing finds nothing wrong, so a claim pins how many states
and transitions there are: `judge` makes the outcome of an exploration, for every claim that rests on one.
"""

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial, reduce
from itertools import islice
from typing import Any, Final, NamedTuple

from swagproof.proofs.explorer.space import Place, Space, Violation
from swagproof.proofs.ledger.claim import Outcome
from swagproof.proofs.ledger.refutations import Refutation, get_hint, is_asked_where

ENDLESS: Final = "the states come to an end"
"""The check that a memory leak or an endless counter fails."""


class Counts(NamedTuple):
    """The numbers of visited states and transitions."""

    states: int
    transitions: int

    def add(self, more: "Counts") -> "Counts":
        """Return the sum with other counts."""
        return Counts(self.states + more.states, self.transitions + more.transitions)


def require_new(space: Space[Any]) -> None:
    """Check that a new instance is unaffected by the use of an earlier one.  Raises Violation if they share state.

    The steps run on the first instance itself, not on a copy, so that shared state would show in the second.
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
            return  # the walk finds it
    again = next(iter(space.starts()))
    if space.state(again) != first:
        check = "a new one is as the first was"
        raise Violation(
            check, (*space.words(place.steps), f"and another one, {', '.join(space.words(steps)) or 'new'}")
        )


def require_end(space: Space[Any], states: int, most: int, place: Place[Any]) -> None:
    """There are no more states than that.  Raises Violation."""
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

    `watch` is told how far it is after each level, `along` of every step that was taken:
    from which state, the place reached, and its state.  There may be `most` states, by default as many as the space
    says: where something is kept that only grows, or that nobody asks for, there are more.
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


def explore(*spaces: Space[Any], most: int | None = None) -> Counts:
    """Visit every state of every space; what there was in all.  Raises Violation.

    Where something wrong was found last, it is looked for first.
    """
    found = _look_first(spaces)
    if found is not None:
        raise found
    try:
        return reduce(Counts.add, (walk(space, most=most) for space in spaces), Counts(0, 0))
    except Violation as violation:
        raise _tell_where(violation, spaces) from violation


def find(run: Callable[[], tuple[int, int]]) -> Counts | Violation:
    """Return what an exploration comes to."""
    try:
        return Counts(*run())
    except Violation as violation:
        return violation


@cache
def _visit(space: Space[Any], most: int | None) -> Counts | Violation:
    """Return what walking a space comes to; kept, so that every claim about it, among whichever others, rests on one
    run."""
    return find(partial(walk, space, most=most))


def find_once(*spaces: Space[Any], most: int | None = None) -> Counts | Violation:
    """Return what exploring these comes to, where no space is visited that was visited before."""
    found, counts = _look_first(spaces), Counts(0, 0)
    for space in spaces if found is None else ():
        visited = _visit(space, most)
        if isinstance(visited, Violation):
            return _tell_where(visited, spaces)
        counts = counts.add(visited)
    return found or counts


def first_violation(*spaces: Space[Any]) -> Violation | None:
    """Return what the first of some spaces that is not right finds wrong, and no more of them is explored than that."""
    found = find_once(*spaces)
    return found if isinstance(found, Violation) else None


# Where a violation is looked for first


def follow(space: Space[Any], way: Sequence[int]) -> Violation | None:
    """Return what is wrong on one way, and one step on: by the number of its start, and of each choice."""
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
    """Return what is wrong where it was last."""
    hint = get_hint()
    if hint is None or not hint.run.isdecimal() or int(hint.run) >= len(spaces):
        return None
    found = follow(spaces[int(hint.run)], hint.way)
    return found and replace(found, refutation=hint)


def _tell_where(found: Violation, spaces: Sequence[Space[Any]]) -> Violation:
    """The same with the way that leads there, where that is asked for and there is one."""
    for number, space in enumerate(spaces if is_asked_where() else ()):
        for way in _find_ways(space, found.steps):
            again = follow(space, way)
            if again is not None and again.checks == found.checks:
                return replace(found, refutation=Refutation(str(number), way))
    return found


def _find_ways(space: Space[Any], steps: tuple[Any, ...]) -> Iterator[tuple[int, ...]]:
    """The numbers of a start, and of the choices, by which these steps are taken."""
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
    """The same in words."""
    violation = first_violation(*spaces)
    return str(violation) if violation else None


def judge(
    found: Counts | Violation,
    expected: tuple[int, int],
    *,
    own: Collection[str] = (),
    units: tuple[str, str] = ("states", "transitions"),
) -> Outcome:
    """The outcome of a claim that rests on an exploration: an explorer that explores nothing must fail.

    `own` are the checks that state the claim, where others are made on the way: a violation of none of these is another
    claim's, and here unknown.
    """
    if isinstance(found, Violation):
        if own and not set(own).intersection(found.checks):
            return Outcome("unknown", f"refuted, but not on its own account: {found}")
        return Outcome("fails", str(found), refutation=found.refutation)
    visited = f"{found.states:,} {units[0]}, {found.transitions:,} {units[1]}"
    if found != tuple(expected):
        return Outcome("unknown", f"{visited}, not {tuple(expected)}", found._asdict())
    return Outcome("holds", visited, found._asdict())
