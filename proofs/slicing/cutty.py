"""Claims about Cutty and the windows that it serves, and the mutants that the checks must reject."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
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
from swagproof.models.windows.window import Event, Heartbeat, Item, Punctuation
from swagproof.proofs.explorer.walk import Counts, find_once, first_violation, judge, refute
from swagproof.proofs.ledger.claim import STREAM_WINDOWS, Claim, Deep, Outcome, cite, code_of
from swagproof.proofs.ledger.variants import Variant, WrongVariants, mutants_of
from swagproof.proofs.slicing.deterministic import Bounds, functions, spaces
from swagproof.reference.catalogue import CUTTY
from swagproof.reference.slicing import cutty

# Mutants of the aggregator

WRONG: Final = WrongVariants(CUTTY, table="cutty")
"""Each is rejected by the explorer with one query, and by a contract."""
ALONE: Final = mutants_of("cutty", "for one claim")
"""Each is for one claim alone."""
NOTED_BEFORE_CUT: Final = ALONE["only the first query cuts"]
EVERY_RECORD_CUTS: Final = ALONE["every record is a slice of its own"]

UNSEEN: Final = tuple(mutants_of("cutty", "unseen").values())
"""Mutants that only an exploration of the whole state, from any state, over opaque values can reject."""


FEW: Final = Bounds(deterministic=1, looking_back=0, windows=4, begin=2, slices=9)
SMALL: Final = Bounds(deterministic=1, looking_back=0, windows=3, begin=2, slices=5)
ONE: Final = Bounds(deterministic=1, looking_back=0, windows=5, begin=2, slices=9)
TWO: Final = Bounds(deterministic=2, looking_back=0, windows=1, begin=1, slices=3)
DEEP: Final = Bounds(deterministic=2, looking_back=0, windows=2, begin=1, slices=4)
MIXED: Final = Bounds(deterministic=1, looking_back=1, windows=1, begin=1, slices=3)


def refuted(variant: Variant) -> str | None:
    """Return what the explorer finds, with the shortest stream."""
    return refute(spaces(FEW, variant))


# Mutants of discretisation functions


Kinds = Iterator[tuple[str, Discretiser, Callable[[], FDisc]]]
"""Kinds of deterministic windows: of each its name, its definition, and its discretisation function."""


def timed_kinds(module: Any, most: int, times: int = 1) -> Kinds:
    """Those in time, of lengths up to `most`, each so many times longer."""
    for range_, slide in itertools.product(range(times, most * times + 1, times), repeat=2):
        yield f"time {range_}, {slide}", time_windows(range_, slide), partial(module.TimeMarks, range_, slide)
    for gap in range(times, most * times + 1, times):
        yield f"session {gap}", session_windows(gap), partial(module.SessionMarks, gap)


def kinds(module: Any = cutty, most: int = 3) -> Kinds:
    """All kinds."""
    for range_, slide in itertools.product(range(1, most + 1), repeat=2):
        yield f"count {range_}, {slide}", count_windows(range_, slide), partial(module.CountMarks, range_, slide)
    yield from timed_kinds(module, most)
    yield "punctuated", punctuated_windows, module.PunctuationMarks


ITEMS: Final = (("record", 0), ("record", 1), ("record", 4), ("heartbeat", 2), ("punctuation", 0))
"""Kinds of the next item, each with its distance in time."""


def streams(longest: int) -> Iterator[list[Item]]:
    """Every stream of these items, shortest first; records are letters."""
    for length in range(1, longest + 1):
        for word in itertools.product(ITEMS, repeat=length):
            times = itertools.accumulate((ahead for _, ahead in word), initial=0)
            next(times)
            letters = iter("abcdefghij")
            yield [
                Event(t, next(letters)) if kind == "record" else Heartbeat(t) if kind == "heartbeat" else Punctuation(t)
                for (kind, _), t in zip(word, times, strict=True)
            ]


def in_words(stream: list[Item]) -> str:
    """A stream as a reader writes it."""
    return ", ".join(
        f"{item.value}@{item.time}" if isinstance(item, Event) else f"{type(item).__name__.lower()}@{item.time}"
        for item in stream
    )


def marks_are_windows(longest: int, variant: Variant | None = None) -> Outcome:
    """Each discretisation function stands for the windows of its definition, on every stream."""
    module = cutty if variant is None else variant.rewrite(cutty)
    cases = 0
    for stream in streams(longest):
        for name, f_disc, make in kinds(module):
            try:
                found = deterministic(make)(stream)
            except ValueError as error:
                return Outcome("fails", f"{name}: {error}; on {in_words(stream)}")
            if found != f_disc(stream):
                return Outcome("fails", f"{name}: {found}, not {f_disc(stream)}; on {in_words(stream)}")
            cases += 1
    return Outcome("holds", f"{cases} streams and kinds")


FAR: Final = (5000, 10**6, 2**31, 2**53, 2**63)
"""Numbers of records that came before, factors of all lengths and times, and offsets of times."""


def _differs_after_many(module: Any, length: int, slide: int, far: int) -> str | None:
    """Return what count windows, and looks for the newest records, say of records after about so many."""
    event, near, many = Event(None, "a"), length * slide, 2 * (length + slide)
    windows = count_windows(length, slide)([event] * (near + many + length))
    begun, ended = {a for a, _ in windows}, {b for _, b in windows}
    right = [Marks(int(n in begun), int(n in ended)) for n in range(near + 1, near + many + 1)]
    marks, looks = module.CountMarks(length, slide), module.NewestLooks(length)
    marks.number = looks.number = far // slide * slide
    found = [marks(event) for _ in right]
    if found != right:
        return f"count {length}, {slide}, after {far // slide * slide} records: {found}, not {right}"
    looks(event)
    (first,) = looks(Punctuation()).over
    newest = far // slide * slide + 1
    return None if first == newest + 1 - length else f"newest {length} of {newest} records: from record {first} on"


def marks_are_windows_far_off(longest: int, variant: Variant | None = None) -> Outcome:
    """The same after many records; and with long lengths, at times far off, before 0 and after."""
    module = cutty if variant is None else variant.rewrite(cutty)
    cases = 0
    for length, slide, far in itertools.product(range(1, 4), range(1, 4), FAR):
        said = _differs_after_many(module, length, slide, far)
        if said:
            return Outcome("fails", said)
        cases += 1
    for near, times, far in itertools.product(streams(longest), FAR, (*FAR, *(-t for t in FAR))):
        stream = [item if item.time is None else replace(item, time=far + times * item.time) for item in near]
        for name, f_disc, make in timed_kinds(module, 2, times):
            found, right = deterministic(make)(stream), f_disc(stream)
            if found != right:
                return Outcome("fails", f"{name}: {found}, not {right}; on {in_words(stream)}")
            cases += 1
    return Outcome("holds", f"{cases} cases", {"cases": cases})


def falls_back(longest: int, variant: Variant | None = None) -> Outcome:
    """The newest n records at each punctuation: beside a session, in one Cutty, on every stream."""
    module = cutty if variant is None else variant.rewrite(cutty)
    cases = 0
    for stream in streams(longest):
        for n in (1, 2, 3):
            found: list[list[str]] = [[], []]
            s = module.Cutty(CONCATENATION, [module.SessionMarks(2)], [module.NewestLooks(n)])
            try:
                for item in stream:
                    for query, value in s.insert(item, item.value) if isinstance(item, Event) else s.tell(item):
                        found[query].append(value)
            except IndexError as error:
                return Outcome("fails", f"newest {n}: {error}; on {in_words(stream)}")
            expected = [
                ["".join(window) for window in discretise(f_disc, stream)]
                for f_disc in (session_windows(2), newest_at_punctuations(n))
            ]
            if found != expected:
                return Outcome("fails", f"newest {n}: {found}, not {expected}; on {in_words(stream)}")
            cases += 1
    return Outcome("holds", f"{cases} streams and lengths")


def slices_held(queries: int, longest: int, variant: Variant | None = None, fewest: bool = True) -> str | None:
    """Look for a stream after which Cutty keeps other than one slice for each beginning of an open window.

    Each query has windows that begin and end one at a time: of records that begin nothing, begin one, end one, or both.
    """
    module = cutty if variant is None else variant.rewrite(cutty)
    choices = (Marks(), Marks(1), Marks(0, 1), Marks(1, 1))
    for length in range(1, longest + 1):
        for word in itertools.product(itertools.product(choices, repeat=queries), repeat=length):
            s = module.Cutty(CONCATENATION, functions(queries, 0)[0])
            try:
                for marks in word:
                    s.insert((marks, ()), "a")
            except ValueError:
                continue  # ends what never began
            held = s.store.last + 1 - s.store.first + s.is_active
            beginnings = len({number for noted in s.open for number in noted})
            if held != beginnings:
                said = "; ".join(str([tuple(mark)[:2] for mark in marks]) for marks in word)
                return f"(begin, end) by query: {said}: {held} slices kept, for {beginnings} beginnings of open windows"
    return None


def _fewest(variant: Variant | None = None) -> Outcome:
    trace = slices_held(1, 6, variant)
    return Outcome("fails", trace) if trace else Outcome("holds", "no stream of up to 6 records keeps more")


AGGREGATIONS: Final[Sequence[tuple[Any, Callable[[list[Any]], Any]]]] = (
    (CONCATENATION, "".join),
    (on(MEAN, ord), lambda window: sum(map(ord, window)) / len(window)),
)
"""Operations, and the f_a of Definition 2 that each decomposes: given a whole window at once."""


def answers_are_aggregates(longest: int, variant: Variant | None = None) -> Outcome:
    """Cutty's answers are f_a of each window of the discretised stream, in order: on every stream, for both f_a."""
    module = cutty if variant is None else variant.rewrite(cutty)
    figure = [*map(chr, range(1, 10))]
    given: Iterator[tuple[str, list[Item], Discretiser, Callable[[], FDisc]]] = itertools.chain(
        [("Figures 1 to 3", [Event(None, v) for v in figure], count_windows(5, 2), partial(module.CountMarks, 5, 2))],
        ((name, stream, f_disc, make) for stream in streams(longest) for name, f_disc, make in kinds(module)),
    )
    cases = 0
    operation: Any
    for (name, stream, f_disc, make), (operation, f_a) in itertools.product(given, AGGREGATIONS):
        windows = discretise(f_disc, stream)
        if name == "Figures 1 to 3" and windows != [figure[0:5], figure[2:7], figure[4:9]]:
            return Outcome("fails", f"count windows of range 5 and slide 2: {windows}")
        aggregator = module.Cutty(operation, [make()])
        found: list[Any] = []
        try:
            for item in stream:
                lifted = operation.lift(item.value) if isinstance(item, Event) else None
                ended = aggregator.tell(item) if lifted is None else aggregator.insert(item, lifted)
                found += [operation.lower(value) for _, value in ended]
        except (ArithmeticError, LookupError, ValueError) as error:
            return Outcome("fails", f"{name}: {error}; on {in_words(stream)}")
        if found != aggregate(f_a, windows):
            return Outcome("fails", f"{name}: {found}, not {aggregate(f_a, windows)}; on {in_words(stream)}")
        cases += 1
    return Outcome("holds", f"{cases} streams, kinds and f_a", {"cases": cases})


PLACE: Final = "Cutty: A Hybrid Approach"
EVERY: Final = "; every discretisation function, streams of any length, every monoid"


def scope(bounds: Bounds) -> str:
    """Return what an exploration covers, in words."""
    said = [f"{bounds.deterministic} deterministic queries, {bounds.looking_back} that look back"]
    if bounds.deterministic:
        said.append(f"up to {bounds.windows} open windows each, up to {bounds.begin} begun by one record")
    said.append(f"up to {bounds.slices} slices kept")
    return ", ".join(said)


STATED: Final = (
    "each window's answer is the ordered product of its records, given when the window ends; slices begin where "
    "windows begin, and nowhere else; at most 1 combine call for a record in a slice, log2 n for a slice (n - 1 more "
    "at a rebuilding), log2 n + 1 an answer."
)
claim: Final = partial(Claim, source=cite(STREAM_WINDOWS, place=PLACE), algorithm="Cutty", kind="exhaustive")

EXPLORED: Final = {SMALL: Counts(36, 974), TWO: Counts(53, 1704), MIXED: Counts(51, 4926)}
EXPLORED_DEEP: Final = {ONE: Counts(170, 9544), DEEP: Counts(539, 55264)}
"""Bounds of the explorations, with the expected numbers of states and transitions."""


def explored(bounds: Mapping[Bounds, Counts]) -> Outcome:
    """Explore within each of these bounds."""
    return judge(find_once(*(spaces(each) for each in bounds)), reduce(Counts.add, bounds.values()))


def _reject(variant: Variant) -> Outcome:
    found = first_violation(*(spaces(bounds, variant) for bounds in (FEW, TWO, MIXED)))
    return judge(found, (0, 0)) if found else Outcome("holds", "not refuted")


CLAIMS: Final[tuple[Claim, ...]] = (
    claim(
        id="cutty/discretisation",
        statement="Count, time, session and punctuated windows are deterministic: a function that is told the "
        "stream's items one by one says where they begin and end, and stands for just the windows of the definition.",
        source=cite(
            STREAM_WINDOWS,
            "Definition 1",
            place="Deterministic Windows; readings CUTTY-1 and CUTTY-2",
            compared="an instance: four kinds of windows as discretisation functions",
        ),
        engine="enumeration",
        scope="ranges, slides and gaps up to 3 in any relation; every stream of up to 4 records, heartbeats and "
        "punctuations",
        code=code_of(cutty, "CountMarks", "TimeMarks", "SessionMarks", "PunctuationMarks"),
        check=partial(marks_are_windows, 4),
        controls=(
            ALONE["a count window ends one late"],
            ALONE["windows end that never began"],
            ALONE["windows without records end, too"],
            ALONE["one window begins with a record at most"],
            ALONE["a gap of just `gap` goes on"],
            ALONE["a punctuation ends what is not open"],
        ),
        not_covered="windows of other kinds: a user's own; long streams and lengths: see cutty/discretisation-far",
    ),
    claim(
        id="cutty/discretisation-far",
        statement="So they do after many records, with long ranges, slides and gaps, and at times far off; and a query "
        "that looks back finds the newest records after many.",
        source=cite(STREAM_WINDOWS, place="Deterministic Windows; readings CUTTY-1 and CUTTY-2"),
        engine="enumeration",
        scope=f"after {', '.join(map(str, FAR))} records, ranges and slides up to 3; as many times a range, slide and "
        "gap up to 2, about as many before 0 and after: every stream of up to 2 records, heartbeats and punctuations",
        code=code_of(cutty, "CountMarks", "TimeMarks", "SessionMarks", "NewestLooks"),
        check=partial(marks_are_windows_far_off, 2),
        controls=(
            ALONE["records are counted to 5,000"],
            ALONE["no gap is longer than 900"],
            ALONE["of 5,000 records and more the first ones are looked at"],
        ),
        not_covered="all numbers: those are samples",
    ),
    claim(
        id="cutty/aggregate",
        statement="Discretised and aggregated by Cutty, a stream gives f_a of each of its windows, one answer a "
        "window, in the order in which they end; f_a being lift, combine and lower, whether combine commutes or not. "
        "So it does for the windows of range 5 and slide 2 of the figures.",
        source=cite(
            STREAM_WINDOWS,
            "Definition 2",
            "Figure 1",
            "Figure 2",
            "Figure 3",
            place="reading SLICE-2",
            compared="an instance: two f_a, each given a window, and four kinds of windows",
        ),
        engine="enumeration",
        scope="f_a: the windows' records in order, and their mean; ranges, slides and gaps up to 3 in any relation; "
        "every stream of up to 3 records, heartbeats and punctuations; and the stream of the figures, 1 to 9",
        code=code_of(cutty, "Cutty, CountMarks, TimeMarks, SessionMarks, PunctuationMarks"),
        check=partial(answers_are_aggregates, 3),
        controls=WRONG.pick(
            "a record is combined on the left",
            "an answer lacks the active slice",
            "windows that end with a record lack it",
        ),
        not_covered="longer streams, other f_a, other kinds of windows",
    ),
    claim(
        id="cutty/explored",
        statement="One query of any deterministic windows, several that share slices, and one beside a query that "
        f"looks back, for which every record is a slice: {STATED}",
        engine="explorer",
        scope="; ".join(map(scope, EXPLORED)) + EVERY,
        code=code_of(cutty, "Cutty", "SliceStore"),
        check=partial(explored, EXPLORED),
        controls=(
            *WRONG,
            *UNSEEN,
            NOTED_BEFORE_CUT,
            ALONE["records are no slices of their own where a query looks back"],
        ),
        reject=_reject,
        not_covered="more open windows and slices",
        deep=Deep("; ".join(map(scope, EXPLORED_DEEP)) + EVERY, partial(explored, EXPLORED_DEEP)),
    ),
    claim(
        id="cutty/fall-back",
        statement="Windows whose beginning is known only when they end are served by pre-aggregation of single "
        "records, beside deterministic ones in one store.",
        source=cite(STREAM_WINDOWS, place=f"{PLACE}: fall-back"),
        engine="enumeration",
        scope="the newest 1, 2, 3 records at each punctuation, and sessions; every stream of up to 4 items",
        code=code_of(cutty, "Cutty", "NewestLooks"),
        check=partial(falls_back, 4),
        controls=(ALONE["one record too few is looked back for"], ALONE["too few records are within reach"]),
        not_covered="longer streams, other windows of this kind",
    ),
    claim(
        id="cutty/fewest",
        statement="With one query Cutty keeps just one slice for each record with which open windows begin.",
        source=cite(STREAM_WINDOWS, place=f"{PLACE}: optimal slicing, bounded by the active slices"),
        engine="enumeration",
        scope="every stream of up to 6 records that begin a window, end one, do both or neither",
        code=code_of(cutty, "Cutty"),
        check=_fewest,
        controls=WRONG.pick("slices are kept for ever", "records in no window are kept"),
        not_covered="that no fewer will do: argued, as over distinct letters each beginning needs a slice to begin "
        "there; many queries: reading CUTTY-4",
    ),
)
