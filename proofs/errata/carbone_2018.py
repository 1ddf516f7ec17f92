"""The errata of *Stream Window Aggregation Semantics and Optimisation* (2018)."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Final

from swagproof.models.discretisation import Marks, aggregate, count_windows, discretise, marked_windows, session_windows
from swagproof.models.monoid import Counting
from swagproof.models.operations import CONCATENATION
from swagproof.models.windows.window import Event, Heartbeat, Item, Time, Window, contents
from swagproof.proofs.errata.erratum import Entry, Erratum, against, tell
from swagproof.proofs.explorer.walk import first_violation
from swagproof.proofs.ledger.claim import STREAM_WINDOWS, Outcome
from swagproof.proofs.ledger.variants import Variant, class_of
from swagproof.proofs.slicing.cutty import marks_are_windows, slices_held
from swagproof.proofs.slicing.queries import SliceStates, queries_up_to
from swagproof.proofs.slicing.slices import alternates
from swagproof.proofs.slicing.wrong_slices import EMPTY_SLICES, WRONG_PAIRS
from swagproof.reference.catalogue import PAIRS
from swagproof.reference.flat_trees.flat_fat import FlatFat
from swagproof.reference.in_order.daba_lite import DabaLite
from swagproof.reference.slicing.cutty import SessionMarks
from swagproof.reference.slicing.pairs import Pairs
from swagproof.reference.slicing.slices import window_begin, window_end


def _stream(values: Sequence[Any]) -> list[Item]:
    return [Event(None, value) for value in values]


# Semantics


def _average(values: Sequence[int]) -> Fraction:
    return Fraction(sum(values), len(values))


def _of_records(kind: Callable[[list[int]], Any]) -> Iterator[str]:
    """The average of a window's records, kept as `kind` keeps them, beside that of its sequence."""
    for values in itertools.product((1, 4), repeat=3):
        (window,) = discretise(count_windows(3, 3), _stream(values))
        found = _average(list(kind(window)))
        if found != _average(values):
            yield f"records {', '.join(map(str, values))}: average {found}, not {_average(values)}"


def _each_record(window: list[int]) -> list[Fraction]:
    return [_average([record]) for record in window]


def _answers(f_a: Callable[[list[int]], Any]) -> Iterator[str]:
    """One answer a window, over Figure 2's stream."""
    found = aggregate(f_a, discretise(count_windows(5, 2), _stream(range(1, 10))))
    if found != [3, 5, 7]:
        yield f"average over s[1,5], s[3,7], s[5,9]: {[list(map(str, f)) if isinstance(f, list) else f for f in found]}"


def _overlap(said: Callable[[int, int], int]) -> Iterator[str]:
    for range_, slide in ((7, 3), (5, 2), (9, 6), (10, 3), (4, 4)):
        found = window_end(0, range_, slide) - window_begin(1, slide)
        if found != said(range_, slide):
            yield f"range {range_}, slide {slide}: [0, {range_}) and [{slide}, {slide + range_}) overlap by {found}"


def _in_common(said: Callable[[int], int]) -> Iterator[str]:
    windows = discretise(count_windows(5, 2), _stream(range(1, 16)))
    for (i, first), (j, second) in itertools.combinations(enumerate(windows), 2):
        found = len(set(first) & set(second))
        if found != said(j - i):
            yield f"range 5, slide 2: windows {i + 1} and {j + 1} of s[1, 15] have {found} records in common"


def _tumbles(slide: int) -> Iterator[str]:
    """Whether each record is in one window of 30 seconds, with this slide."""
    stream: list[Item] = [*(Event(t, t) for t in (1, 29, 31, 59)), Heartbeat(100)]
    shown = [elements for _, elements in contents(Window(Time(30), Time(slide), origin=0), stream) if elements]
    for t in (1, 29, 31, 59):
        times = sum(any(element.time == t for element in elements) for elements in shown)
        if times != 1:
            yield f"slide {slide} s: the record of second {t} is in {times} windows"


# Slicing and pre-aggregation


def _cuts(variant: Variant | None) -> Iterator[str]:
    """Look for a stream on which pairs cut a window."""
    for queries in queries_up_to(6, 1):
        violation = first_violation(SliceStates(class_of(PAIRS, variant), queries))
        if violation:
            yield f"range {queries[0][0]}, slide {queries[0][1]}: {violation}"


def _calls_per_record(slicing: bool, n: int = 16) -> float:
    """Combine calls a record, for windows of n that slide by 1, once they are full."""
    monoid = Counting(CONCATENATION)
    sliced, window = Pairs(monoid, [(n, 1)]), DabaLite(monoid)
    rounds = 4 * n
    for t in range(n + rounds):
        if t == n:
            monoid.calls = 0
        if slicing:
            sliced.insert(t, "a")
        else:
            window.insert("a")
            if t >= n:
                window.evict()
            window.query()
    return monoid.calls / rounds


def _best(slicing_is: bool) -> Iterator[str]:
    sliced, daba_lite = _calls_per_record(True), _calls_per_record(False)
    said = f"range 16, slide 1: {sliced:g} combine calls a record by slicing, {daba_lite:g} by DABA Lite"
    if (sliced <= daba_lite) != slicing_is:
        yield said


def _partials(said: Callable[[int], int]) -> Iterator[str]:
    for n in range(1, 65):
        leaves = 1
        while leaves < n:
            leaves = 2 * leaves
        found = FlatFat(CONCATENATION, ["a"] * leaves).T.size
        if found > said(n):
            yield f"N = {n}: FlatFAT has {leaves} leaves, and keeps {found} partial aggregates, more than {said(n)}"


def _least_tree(n: int) -> int:
    return (2 << (n - 1).bit_length()) - 1


def _retracted(possible: bool) -> Iterator[str]:
    """Take each record back, or put another value for it, after the window's aggregate was evaluated."""
    for place, value in itertools.product(range(1, 5), ("", "x")):
        fat = FlatFat(CONCATENATION, "abcd")
        fat.aggregate()
        fat.update([(place, value)])
        expected = "abcd"[: place - 1] + value + "abcd"[place:]
        if (fat.aggregate() == expected) != possible:
            yield f"abcd, then update(({place}, {value!r})): aggregate is {fat.aggregate()!r}"


# Cutty


def _by_record_alone() -> Iterator[str]:
    """Look for a function of the record, without memory, that stands for count windows of 2, on a, a, a, a."""
    stream = _stream("aaaa")
    expected = count_windows(2, 2)(stream)
    for begin, end in itertools.product(range(3), repeat=2):
        try:
            if marked_windows((True, Marks(begin, end)) for _ in stream) == expected:
                return
        except ValueError:
            continue
    yield "a, a in windows of 2: the first a begins a window and ends none, the second ends one and begins none"


def _undecided(what: str) -> Iterator[str]:
    """Look for two streams with one beginning, after which sessions of gap 2 have other marks for its last record.

    `end`: how many windows end with that record; `over`: how many ended before it.
    """
    seen: dict[tuple[int, ...], tuple[int, tuple[int, ...]]] = {}
    for gaps in itertools.product((1, 3), repeat=3):
        times = tuple(itertools.accumulate(gaps))
        windows = session_windows(2)([*(Event(t, t) for t in times), Heartbeat(99)])
        for number in range(1, len(times) + 1):
            last = number if what == "end" else number - 1
            found = sum(window.b == last for window in windows)
            before, other = seen.setdefault(times[:number], (found, times))
            if before != found:
                said = f"{before} and {found} end with number {number}"
                yield f"sessions of gap 2: of records at {other} and at {times}, {said}"


def _sessions_heard() -> Iterator[str]:
    """What `over` says is what the discretisation function says at that very item."""
    yield from _undecided("over")
    marks = SessionMarks(2)
    said = [marks(Event(t, t)) for t in (0, 1, 4)]
    if said != [Marks(1), Marks(), Marks(1, over=1)]:
        yield f"marks {said}"


def _reused(lies_within: bool) -> Iterator[str]:
    """Whether s[6, 7] can be of use to s[1, 5] and s[1, 6]."""
    for a, b in ((1, 5), (1, 6)):
        if (a <= 6 and 7 <= b) != lies_within:
            yield f"record 7 is in s[6, 7] and not in s[{a}, {b}]"


FIGURE_4: Final = ("[1,3]", "[4,6]", "[7,9]", "[10,12]")


def _keeps_4_to_9(places: Sequence[int]) -> Iterator[str]:
    """Whether FlatFAT keeps the product of the slices [4,6] and [7,9], with the first slice in one of these places."""
    for first in places:
        leaves = [""] * 8
        for number, held in enumerate(FIGURE_4):
            leaves[first - 1 + number] = held
        fat = FlatFat(CONCATENATION, leaves)
        if "[4,6][7,9]" not in [fat.T[v] for v in range(1, 2 * fat.n)]:
            yield f"Figure 4's slices from place {first} on: no node of FlatFAT keeps f_a(s[4,9])"


def _once(lookups_too: bool) -> Iterator[str]:
    """Ask for a suffix twice, with no change between: the second time nothing is combined, if all is computed once."""
    for j in range(1, 9):
        monoid = Counting(CONCATENATION)
        fat = FlatFat(monoid, "abcdefgh")
        counts: list[int] = []
        for _ in range(2):
            monoid.calls = 0
            fat.suffix(j)
            counts.append(monoid.calls)
        if lookups_too and counts[1]:
            yield f"suffix({j}) of 8 places, twice: {counts[0]} combine calls, and {counts[1]} again"
        if not lookups_too and counts[0] != counts[1]:
            yield f"suffix({j}) of 8 places, twice: {counts}"


NESTED: Final = [(1, 4), (2, 3)]


def _nested(queries: Iterator[Sequence[Marks]]) -> Iterator[str]:
    """The windows s[2, 3] within s[1, 4], by what each query's discretisation function says of the four records."""
    found = sorted(tuple(window) for marks in queries for window in marked_windows((True, mark) for mark in marks))
    if found != NESTED:
        yield f"records ( ( ) ): the windows are {NESTED}, the counts stand for {found}"


def _fails(check: Callable[..., Outcome], *arguments: Any) -> Iterator[str]:
    outcome = check(*arguments)
    if outcome.verdict != "holds":
        yield outcome.detail


def _held(queries_and_longest: tuple[int, int]) -> Iterator[str]:
    return tell(slices_held(*queries_and_longest))


erratum: Final = partial(Erratum, paper=STREAM_WINDOWS)

ENTRIES: Final[tuple[Entry, ...]] = (
    erratum(
        id="SLICE-1",
        place="Stream Discretization",
        printed="An interval is a set of records.",
        holds="It is a sequence, as Str(T) within Seq(T) says: records repeat, and their order matters.",
        searches=against(_of_records, set, list),
    ),
    erratum(
        id="SLICE-2",
        place="Definition 2",
        printed="f_a maps a record to an answer: T to T'.",
        holds="It maps a window to an answer: Str(T) to T'. Aggregate is f_a of each window.",
        searches=against(_answers, _each_record, _average),
    ),
    erratum(
        id="SLICE-3",
        place="Overview, range 7 minutes and slide 3",
        printed="Consecutive windows overlap by 5 minutes.",
        holds="By range - slide = 4. Five marks of whole minutes are in both, if both ends of a window belong to it.",
        searches=against(_overlap, lambda range_, slide: range_ - slide + 1, lambda range_, slide: range_ - slide),
    ),
    erratum(
        id="SLICE-4",
        place="Aggregating Sliding Windows, Figure 2",
        printed="Every two windows have three records in common.",
        holds="Every two consecutive ones; windows that are j apart have max(0, 5 - 2j).",
        searches=against(_in_common, lambda apart: 3, lambda apart: max(0, 5 - 2 * apart)),
    ),
    erratum(
        id="SLICE-5",
        place="Pairs",
        printed="A stream is split into two alternating slices, of lengths p2 = range mod slide and p1 = slide - p2.",
        holds="Where the slide divides the range p2 is 0: there is one slice a slide.",
        searches=(partial(_fails, alternates, 12, EMPTY_SLICES), partial(_fails, alternates, 12)),
    ),
    erratum(
        id="SLICE-6",
        place="Pairs (which of the two comes first is not said; read by their numbers)",
        printed="From the beginning of a window on, p1 comes first, then p2.",
        holds="p2 comes first: a window ends p2 after its last whole slide. Counted from a window's end, p1 comes "
        "first.",
        searches=against(_cuts, WRONG_PAIRS.get("p1 first"), None),
    ),
    erratum(
        id="SLICE-7",
        place="Slicing Limitations",
        printed="Slicing offers the best known computational performance.",
        holds="Where the slide is short, the slices of a window are many, and each window combines them anew; an "
        "aggregator that is constant in the window's length does less. Slicing makes the windows of such an "
        "aggregator shorter.",
        searches=against(_best, True, False),
    ),
    erratum(
        id="SLICE-8",
        place="Overview, first query",
        printed="A CQL window with a range of 30 seconds, and no slide, puts each record into one window.",
        holds="Without a slide such a window moves with each tick of time. It tumbles with a slide of 30 seconds.",
        searches=against(_tumbles, 1, 30),
    ),
    erratum(
        id="SLICE-9",
        place="General Pre-Aggregation Limitations, space",
        printed="2N partial aggregates hold the full tree.",
        holds="2N - 1 where N is a power of two; else 2M - 1 for the next power M, which is almost 4N at most.",
        searches=against(_partials, lambda n: 2 * n, _least_tree),
    ),
    erratum(
        id="SLICE-10",
        place="Future Directions",
        printed="With FlatFAT an aggregate that was evaluated cannot be retracted.",
        holds="Any place can be written again, in log2 n combine calls, and the next look-up is right. What FlatFAT "
        "lacks is a place between two neighbours, for a record that comes late.",
        searches=against(_retracted, False, True),
    ),
    erratum(
        id="CUTTY-1",
        place="Deterministic Windows, f_disc",
        printed="f_disc is a function of a record.",
        holds="It is a function of the stream up to the record: one that is told the records in turn, and remembers. "
        "The same name has another type in Definition 1.",
        searches=(_by_record_alone, partial(_fails, marks_are_windows, 3)),
    ),
    erratum(
        id="CUTTY-2",
        place="Deterministic Windows, W_end",
        printed="With each record it is known how many windows end with it.",
        holds="Not for sessions and windows in time: what is known with each record is how many ended before it.",
        searches=(partial(_undecided, "end"), _sessions_heard),
    ),
    erratum(
        id="CUTTY-3",
        place="Overview of Cutty, Figure 8",
        printed="The partial aggregate of s[6,7] is reused for f_a(s[1,5]) and f_a(s[1,6]).",
        holds="Record 7 is in neither of these windows: the slice cannot serve them. The figure, which may have "
        "others, is lost.",
        searches=against(_reused, True, False),
    ),
    erratum(
        id="CUTTY-4",
        place="Overview of Cutty, space",
        printed="The active slices are the least number of segments that do not overlap.",
        holds="For one query they are. For many, slices that were begun for windows that have ended stay while an "
        "older window of another query is open, though nothing begins there any more.",
        searches=against(_held, (2, 3), (1, 5)),
    ),
    erratum(
        id="CUTTY-5",
        place="Overview of Cutty, Figure 4",
        printed="FlatFAT keeps f_a(s[4,9]), so that slices [4,6] and [7,9] are not combined for each window.",
        holds="It keeps the product of two neighbouring slices where they are siblings: of every other pair of "
        "neighbours. With the first slice in the first place these two are not.",
        searches=against(_keeps_4_to_9, (1, 2, 3, 4), (2, 4)),
    ),
    erratum(
        id="CUTTY-6",
        place="Overview of Cutty",
        printed="Higher order combinations of slices are computed once.",
        holds="Those at FlatFAT's nodes are, between changes below them. What a look-up combines is not kept, and is "
        "computed again for the next window that begins there.",
        searches=against(_once, True, False),
    ),
    erratum(
        id="CUTTY-7",
        place="Further Works",
        printed="Deterministic functions subsume all windows whose beginning is known without future records.",
        holds="The counts do not say which window ends; taken as first begun, first ended, they cannot stand for a "
        "window within another of the same query. One query for each depth of nesting can.",
        searches=against(
            _nested,
            iter([[Marks(1), Marks(1), Marks(0, 1), Marks(0, 1)]]),
            iter([[Marks(1), Marks(), Marks(), Marks(0, 1)], [Marks(), Marks(1), Marks(0, 1), Marks()]]),
        ),
    ),
)
