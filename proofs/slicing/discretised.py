"""Checks of discretisation functions and Cutty against the definitions, on every short stream.

A check compares cases: a name, the stream, a function that computes the result, and the result by definition.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Final

from swagproof.models.composition import on
from swagproof.models.discretisation import (
    Discretiser,
    FDisc,
    Marks,
    aggregate,
    count_windows,
    deterministic,
    discretise,
    newest_at_punctuations,
    punctuated_windows,
    session_windows,
    time_windows,
)
from swagproof.models.operations import CONCATENATION, MEAN
from swagproof.models.windows.window import Event, Item, Punctuation
from swagproof.proofs.ledger.claim import Outcome
from swagproof.proofs.ledger.mutants import Mutant
from swagproof.proofs.slicing.deterministic import functions
from swagproof.proofs.windows.streams import stream as stream_of
from swagproof.proofs.windows.streams import words
from swagproof.reference.slicing import cutty

Kinds = Iterator[tuple[str, Discretiser, Callable[[], FDisc]]]
"""Kinds of deterministic windows: the name, the definition, and the discretisation function of each."""
Case = tuple[str, list[Item], Callable[[], Any], Any]
"""A name, a stream, the function that computes a result, and the correct result."""


def timed_kinds(module: Any, most: int, times: int = 1) -> Kinds:
    """Yield the kinds in time, of lengths up to `most`, all multiplied by `times`."""
    for range_, slide in itertools.product(range(times, most * times + 1, times), repeat=2):
        yield f"time {range_}, {slide}", time_windows(range_, slide), partial(module.TimeMarks, range_, slide)
    for gap in range(times, most * times + 1, times):
        yield f"session {gap}", session_windows(gap), partial(module.SessionMarks, gap)


def kinds(module: Any = cutty, most: int = 3) -> Kinds:
    """Yield all kinds."""
    for range_, slide in itertools.product(range(1, most + 1), repeat=2):
        yield f"count {range_}, {slide}", count_windows(range_, slide), partial(module.CountMarks, range_, slide)
    yield from timed_kinds(module, most)
    yield "punctuated", punctuated_windows, module.PunctuationMarks


MOVES: Final = ("e0", "e1", "e4", "h2", "p0")
"""Kinds of the next item, each with its distance in time from the previous one."""


def streams(longest: int) -> Iterator[list[Item]]:
    """Yield every stream of these moves, shortest first; records are letters."""
    for moves in itertools.islice(words(MOVES, longest), 1, None):
        yield [
            replace(item, value=letter) if isinstance(item, Event) else item
            for item, letter in zip(stream_of(moves, begin=0), "abcdefghij", strict=False)
        ]


def in_words(stream: list[Item]) -> str:
    """Return a stream as text."""
    return ", ".join(
        f"{item.value}@{item.time}" if isinstance(item, Event) else f"{type(item).__name__.lower()}@{item.time}"
        for item in stream
    )


def compare(cases: Iterable[Case]) -> Outcome:
    """Compute the result of each case; an incorrect one, or an error, fails."""
    number = 0
    for name, stream, find, right in cases:
        try:
            found = find()
        except (ArithmeticError, LookupError, ValueError) as error:
            return Outcome("fails", f"{name}: {error}; on {in_words(stream)}")
        if found != right:
            return Outcome("fails", f"{name}: {found}, not {right}; on {in_words(stream)}")
        number += 1
    return Outcome("holds", f"{number} cases", {"cases": number})


def _module(mutant: Mutant | None) -> Any:
    return cutty if mutant is None else mutant.rewrite(cutty)


def play(aggregator: Any, stream: list[Item], operation: Any = CONCATENATION) -> list[tuple[int, Any]]:
    """Return the lowered answers of an aggregator, each with the number of its query."""
    found: list[tuple[int, Any]] = []
    for item in stream:
        ended = (
            aggregator.insert(item, operation.lift(item.value)) if isinstance(item, Event) else aggregator.tell(item)
        )
        found += [(query, operation.lower(value)) for query, value in ended]
    return found


# Discretisation functions


def _marks(module: Any, longest: int) -> Iterator[Case]:
    """Yield cases that compare each discretisation function with its definition, on every stream."""
    for stream in streams(longest):
        for name, f_disc, make in kinds(module):
            yield name, stream, partial(deterministic(make), stream), f_disc(stream)


FAR: Final = (5000, 10**6, 2**31, 2**53, 2**63)
"""Numbers of earlier records, factors of all lengths and times, and offsets of times."""


def _after_many(module: Any, length: int, slide: int, far: int) -> Iterator[Case]:
    """Yield cases of count windows, and of looks at the newest records, after about `far` earlier records."""
    event, near, many = Event(None, "a"), length * slide, 2 * (length + slide)
    windows = count_windows(length, slide)([event] * (near + many + length))
    begun, ended = {a for a, _ in windows}, {b for _, b in windows}
    right = [Marks(int(n in begun), int(n in ended)) for n in range(near + 1, near + many + 1)]
    marks, looks = module.CountMarks(length, slide), module.NewestLooks(length)
    marks.number = looks.number = before = far // slide * slide
    yield f"count {length}, {slide}, after {before} records", [], lambda: [marks(event) for _ in right], right
    yield (
        f"newest {length} of {before + 1} records",
        [],
        lambda: (looks(event), looks(Punctuation()).over)[1],
        (before + 2 - length,),
    )


def _far_off(module: Any, longest: int) -> Iterator[Case]:
    """Yield cases after many records, and cases with great lengths at distant times, before and after 0."""
    for length, slide, far in itertools.product(range(1, 4), range(1, 4), FAR):
        yield from _after_many(module, length, slide, far)
    for near, times, far in itertools.product(streams(longest), FAR, (*FAR, *(-t for t in FAR))):
        stream = [item if item.time is None else replace(item, time=far + times * item.time) for item in near]
        for name, f_disc, make in timed_kinds(module, 2, times):
            yield name, stream, partial(deterministic(make), stream), f_disc(stream)


def marks_are_windows(longest: int, mutant: Mutant | None = None) -> Outcome:
    """Compare discretisation functions with the definitions; streams at distant times have up to 2 items."""
    module = _module(mutant)
    return compare(itertools.chain(_marks(module, longest), _far_off(module, 2)))


# Cutty


def falls_back(longest: int, mutant: Mutant | None = None) -> Outcome:
    """Check the newest n records at each punctuation, together with a session in one Cutty, on every stream."""
    module = _module(mutant)

    def cases() -> Iterator[Case]:
        for stream, n in itertools.product(streams(longest), (1, 2, 3)):
            s = module.Cutty(CONCATENATION, [module.SessionMarks(2)], [module.NewestLooks(n)])
            expected = [
                ["".join(window) for window in discretise(f_disc, stream)]
                for f_disc in (session_windows(2), newest_at_punctuations(n))
            ]

            def find(s: Any = s, stream: list[Item] = stream) -> list[list[str]]:
                answers = play(s, stream)
                return [[value for query, value in answers if query == number] for number in (0, 1)]

            yield f"newest {n}", stream, find, expected

    return compare(cases())


def slices_held(queries: int, longest: int, mutant: Mutant | None = None) -> str | None:
    """Search for a stream after which Cutty does not keep exactly one slice for each beginning of an open window.

    Each query has windows that begin and end one at a time: a record begins none, begins one, ends one, or does both.
    """
    choices = (Marks(), Marks(1), Marks(0, 1), Marks(1, 1))
    for length in range(1, longest + 1):
        for word in itertools.product(itertools.product(choices, repeat=queries), repeat=length):
            s = _module(mutant).Cutty(CONCATENATION, functions(queries, 0)[0])
            try:
                for marks in word:
                    s.insert((marks, ()), "a")
            except ValueError:
                continue  # ends a window that never began
            held = s.store.last + 1 - s.store.first + s.is_active
            beginnings = len({number for noted in s.open for number in noted})
            if held != beginnings:
                said = "; ".join(str([tuple(mark)[:2] for mark in marks]) for marks in word)
                return f"(begin, end) by query: {said}: {held} slices kept, for {beginnings} beginnings of open windows"
    return None


def fewest(mutant: Mutant | None = None) -> Outcome:
    """Search for a stream of one query after which more slices are kept than open windows begin."""
    trace = slices_held(1, 6, mutant)
    return Outcome("fails", trace) if trace else Outcome("holds", "no stream of up to 6 records keeps more")


AGGREGATIONS: Final = (
    (CONCATENATION, "".join),
    (on(MEAN, ord), lambda window: sum(map(ord, window)) / len(window)),
)
"""Operations, and the f_a of Definition 2 that each decomposes, applied to a whole window at once."""


def answers_are_aggregates(longest: int, mutant: Mutant | None = None) -> Outcome:
    """Check that Cutty's answers are f_a of each window of the discretised stream, in order, on every stream."""
    module, figure = _module(mutant), [*map(chr, range(1, 10))]
    of_figures: list[Item] = [Event(None, v) for v in figure]

    def cases() -> Iterator[Case]:
        windows = partial(discretise, count_windows(5, 2), of_figures)
        yield "Figures 1 to 3", of_figures, windows, [figure[0:5], figure[2:7], figure[4:9]]
        given = [(of_figures, ("range 5, slide 2", count_windows(5, 2), partial(module.CountMarks, 5, 2)))]
        every = ((stream, kind) for stream in streams(longest) for kind in kinds(module))
        operation: Any
        for (stream, (name, f_disc, make)), (operation, f_a) in itertools.product([*given, *every], AGGREGATIONS):

            def find(operation: Any = operation, make: Any = make, stream: list[Item] = stream) -> list[Any]:
                return [value for _, value in play(module.Cutty(operation, [make()]), stream, operation)]

            yield name, stream, find, aggregate(f_a, discretise(f_disc, stream))

    return compare(cases())
