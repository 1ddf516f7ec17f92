"""What is said of the text of *Stream Window Aggregation Semantics and Optimisation* (2018)."""

import itertools
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
    session_windows,
    time_windows,
)
from swagproof.models.monoid import Counting
from swagproof.models.operations import CONCATENATION
from swagproof.models.windows.window import Event, Heartbeat, Item, Time, Window, contents
from swagproof.proofs.errata.erratum import Damage, Entry, Erratum, Form, Reading, Withdrawn, tell
from swagproof.proofs.explorer.walk import first_violation
from swagproof.proofs.ledger.claim import STREAM_WINDOWS, Outcome
from swagproof.proofs.ledger.variants import Variant, class_of
from swagproof.proofs.slicing.cutty import marks_are_windows, slices_held
from swagproof.proofs.slicing.queries import SliceStates, queries_up_to
from swagproof.proofs.slicing.slices import alternates
from swagproof.proofs.slicing.wrong_slices import EMPTY_SLICES, WRONG_PAIRS
from swagproof.reference.catalogue import PAIRS
from swagproof.reference.in_order.daba_lite import DabaLite
from swagproof.reference.slicing.cutty import SessionMarks
from swagproof.reference.slicing.pairs import Pairs


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
    """Minutes that two consecutive windows have in common, counted in records of which there are so many a minute."""
    for (range_, slide), each in itertools.product(((7, 3), (5, 2), (9, 6), (10, 3), (4, 4)), (1, 2, 6)):
        stream: list[Item] = [*(Event(t, t) for t in range(4 * range_ * each)), Heartbeat(9 * range_ * each)]
        windows = discretise(time_windows(range_ * each, slide * each), stream)
        whole = [window for window in windows if len(window) == range_ * each]
        for first, second in itertools.pairwise(whole):
            found = Fraction(len(set(first) & set(second)), each)
            if found != said(range_, slide):
                yield (
                    f"range {range_} minutes, slide {slide}, {each} records a minute: two windows have those of "
                    f"{found} minutes in common"
                )


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


def _calls_per_record(slicing: bool, n: int, slide: int) -> float:
    """Combine calls a record, for windows of n, once they are full."""
    monoid = Counting(CONCATENATION)
    sliced, window = Pairs(monoid, [(n, slide)]), DabaLite(monoid)
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
            if t % slide == 0:
                window.query()
    return monoid.calls / rounds


def _best(queries: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Where an aggregator that knows nothing of the slide does less than slicing."""
    for n, slide in queries:
        sliced, daba_lite = _calls_per_record(True, n, slide), _calls_per_record(False, n, slide)
        if sliced > daba_lite:
            yield f"range {n}, slide {slide}: {sliced:g} combine calls a record by slicing, {daba_lite:g} by DABA Lite"


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


def _heard_late() -> Iterator[str]:
    """Count windows of 2, of which no record that is in one says that it ends."""
    marks = [Marks(1), Marks(), Marks(1, over=1), Marks()]
    found, windows = marked_windows((True, mark) for mark in marks), count_windows(2, 2)(_stream("aaaa"))
    if found != windows:
        yield f"a, a, a, a in windows of 2: {len(windows)} are complete, {len(found)} told"


def _sessions_heard() -> Iterator[str]:
    """What `over` says is what the discretisation function says at that very item."""
    yield from _undecided("over")
    marks = SessionMarks(2)
    said = [marks(Event(t, t)) for t in (0, 1, 4)]
    if said != [Marks(1), Marks(), Marks(1, over=1)]:
        yield f"marks {said}"


NESTED: Final = [(1, 4), (2, 3)]


def _nested(queries: Sequence[Sequence[Marks]]) -> Iterator[str]:
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
reading: Final = partial(Reading, paper=STREAM_WINDOWS)
damage: Final = partial(Damage, paper=STREAM_WINDOWS)
withdrawn: Final = partial(Withdrawn, paper=STREAM_WINDOWS)

ENTRIES: Final[tuple[Entry, ...]] = (
    erratum(
        id="SLICE-3",
        place="Overview, range 7 minutes and slide 3",
        quotes=("there is an overlap of 5 minutes between each consecutive window",),
        printed="With a range of 7 minutes and a slide of 3, consecutive windows overlap by 5 minutes.",
        holds="By range - slide = 4, whichever ends of a window belong to it. Five marks of whole minutes are in both, "
        "if both ends do; but then there are eight in a window.",
        searches=(
            partial(_overlap, lambda range_, slide: range_ - slide + 1),
            partial(_overlap, lambda range_, slide: range_ - slide),
        ),
        wrong={"by the slide": partial(_overlap, lambda range_, slide: slide)},
        forms=(
            Form(
                PAIRS,
                None,
                tuple(("insert", time) for time in range(11)),
                "the windows from 0 to 7 and from 3 to 10 have the records of times 3, 4, 5 and 6 in common",
                {"range": 7, "slide": 3},
            ),
        ),
    ),
    reading(
        id="SLICE-1",
        place="Stream Discretization",
        quotes=("is simply a set of records from index", "Windows are finite subsequences"),
        gap="Whether an interval is a set or a sequence: both words stand there.",
        taken="A sequence, as Str(T) within Seq(T) says: records repeat, and their order matters.",
        otherwise="Of a set, records that are equal would be counted once.",
        search=partial(_of_records, list),
        others={"a set": partial(_of_records, set)},
    ),
    reading(
        id="SLICE-2",
        place="Definition 2",
        quotes=(r"(f_a : T \rightarrow T') : Str(T) \rightarrow T'",),
        gap="The type of f_a, for which the formula has two.",
        taken="Str(T) to T': it maps a window to an answer, and Aggregate is f_a of each window.",
        otherwise="From T, it would map each record to an answer, and an average would be that of one record.",
        search=partial(_answers, _average),
        others={"from a record": partial(_answers, _each_record)},
    ),
    reading(
        id="SLICE-5",
        place="Pairs",
        quotes=("splits a stream into two alternating slices",),
        gap="What becomes of p2 = range mod slide where the slide divides the range.",
        taken="There is one slice a slide.",
        otherwise="A slice of length 0 would come in turn.",
        search=partial(_fails, alternates, 12),
        others={"a slice of length 0": partial(_fails, alternates, 12, EMPTY_SLICES)},
    ),
    reading(
        id="SLICE-6",
        place="Pairs",
        quotes=("splits a stream into two alternating slices",),
        gap="Which of p1 and p2 comes first.",
        taken="From the beginning of a window on, p2: a window ends p2 after its last whole slide. So pairs cut only "
        "where a window starts or ends, as the text says. Counted from a window's end, p1 comes first.",
        otherwise="With p1 first, a slice would lie across the end of a window.",
        search=partial(_cuts, None),
        others={"p1": partial(_cuts, WRONG_PAIRS.get("p1 first"))},
    ),
    reading(
        id="SLICE-7",
        place="Slicing Limitations",
        quotes=("slicing offers the best known space and computational performance",),
        gap="For which windows, and compared with what.",
        taken="Where slides are not short: there it does no more than an aggregator of every record in constant time.",
        otherwise="Where the slide is short, the slices of a window are many, and each window combines them anew: an "
        "aggregator that is constant in the window's length does less.",
        search=partial(_best, ((16, 4), (16, 8), (16, 16), (20, 6), (64, 8))),
        others={"every range and slide": partial(_best, ((16, 1), (64, 2)))},
    ),
    reading(
        id="SLICE-8",
        place="Overview, first query",
        quotes=("[RANGE 30 Seconds]", "windows of every 30sec-interval"),
        gap="By how much the window of a query without a slide moves.",
        taken="By its range, as the sentence before says: each record is in one window.",
        otherwise="In CQL such a window moves with each tick of time, and each record is in 30.",
        search=partial(_tumbles, 30),
        others={"by a second": partial(_tumbles, 1)},
    ),
    reading(
        id="CUTTY-1",
        place="Deterministic Windows, f_disc",
        quotes=("Cutty proposes user-defined windowing through the use of a *discretization function*",),
        gap="Whether f_disc, of type T to a pair, remembers. The same name has another type in Definition 1.",
        taken="It is told the records in turn, and remembers: a function of the stream up to the record.",
        otherwise="A function of the record alone stands for no count window.",
        search=partial(_fails, marks_are_windows, 3),
        others={"of the record alone": _by_record_alone},
    ),
    reading(
        id="CUTTY-2",
        place="Deterministic Windows, W_end",
        quotes=("the number of windows ending with",),
        gap="Whether a window that ends with a record has it.",
        taken="Both kinds are told: how many windows end with this record, and how many ended before it.",
        otherwise="With the record alone, sessions cannot say it: whether a record is the last is known later. Before "
        "it alone, count windows would be late.",
        search=_sessions_heard,
        others={"with the record alone": partial(_undecided, "end"), "before it alone": _heard_late},
    ),
    reading(
        id="CUTTY-4",
        place="Overview of Cutty, space",
        quotes=("which is equivalent to the minimum number of non-overlapping segments in a stream",),
        gap="Whether slices that were begun for windows that have ended are joined, while an older window is open.",
        taken="They are not: nothing is said of it. For one query the active slices are the least number all the same.",
        otherwise="Of many queries, they are more than what the open windows need.",
        search=partial(_held, (1, 5)),
        others={"the least number, of many queries": partial(_held, (2, 3))},
    ),
    reading(
        id="CUTTY-7",
        place="Further Works; Future Directions",
        quotes=(
            "no future records are required to know when a window starts",
            "windows without FIFO guarantees",
        ),
        gap="Which of several open windows ends, where counts alone are told.",
        taken="The first that began: windows without FIFO guarantees are named as work to come. One within another "
        "takes a query of its own, for each depth of nesting.",
        otherwise="As one query, the counts of such windows stand for others.",
        search=partial(_nested, [[Marks(1), Marks(), Marks(), Marks(0, 1)], [Marks(), Marks(1), Marks(0, 1), Marks()]]),
        others={"one query": partial(_nested, [[Marks(1), Marks(1), Marks(0, 1), Marks(0, 1)]])},
    ),
    damage(
        id="SLICE-11",
        place="throughout",
        quotes=("covered thoroughly in section , and respectively",),
        gap="The numbers of sections, and all figures.",
        taken="Sections are named; Figures 1 to 4 are those of their captions and of the text about them.",
        otherwise="Nothing rests on Figures 5 to 8.",
    ),
    damage(
        id="CUTTY-3",
        place="Overview of Cutty, Figure 8",
        quotes=("is computed once and reused for both",),
        gap="Figure 8, by which a slice s[6, 7] serves s[1, 5] and s[1, 6].",
        taken="As an example that cannot be followed without the figure: nothing rests on it.",
        otherwise="With s[a, b] the records a to b, as defined before, record 7 is in neither window.",
    ),
    withdrawn(
        id="SLICE-4",
        place="Aggregating Sliding Windows, Figure 2",
        accused="Every two windows have three records in common: only consecutive ones have.",
        reason="The sentence before speaks of consecutive windows.",
    ),
    withdrawn(
        id="SLICE-9",
        place="General Pre-Aggregation Limitations, space",
        accused="2N partial aggregates hold the full tree: 2N - 1 where N is a power of two, else up to almost 4N.",
        reason="N is introduced as the number of leaves, too: of these the tree keeps 2N - 1.",
    ),
    withdrawn(
        id="SLICE-10",
        place="Future Directions",
        accused="With FlatFAT an aggregate that was evaluated cannot be retracted: any place can be written again.",
        reason="It is said of streams out of order: a record that comes late has no place between its neighbours.",
    ),
    withdrawn(
        id="CUTTY-5",
        place="Overview of Cutty, Figure 4",
        accused="FlatFAT keeps f_a(s[4,9]): it keeps the product of every other pair of neighbours.",
        reason="The text does not say so: the pair is an example of redundancy, before FlatFAT is named.",
    ),
    withdrawn(
        id="CUTTY-6",
        place="Overview of Cutty",
        accused="Higher order combinations of slices are computed once: what a look-up combines is computed again.",
        reason="Higher order partials are, in this text, the inner nodes of the tree; these are kept.",
    ),
)
