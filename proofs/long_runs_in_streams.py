"""Long runs of the operators over streams: many windows over one stream, slices, discretisation, the windowing library.

As in swagproof.proofs.long_runs; besides, streams come to times and numbers that a mistake may wait for: 0, which is
falsy, and powers of two, where a machine's integers and floats end.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any, Final, TypeAlias

from swagproof.contracts.ghosts.marked_windows import CuttyWindows
from swagproof.contracts.ghosts.sliced_windows import SlicedWindows
from swagproof.contracts.sharing import timegram as timegram_contract
from swagproof.contracts.slicing import slices as contract
from swagproof.models.discretisation import Discretiser, count_windows, deterministic, session_windows, time_windows
from swagproof.models.operations import CONCATENATION, MAX, MIN, SUM
from swagproof.models.shared import SharedWindows
from swagproof.models.windows.window import (
    PUNCTUATION,
    Count,
    Event,
    Heartbeat,
    Item,
    Punctuation,
    Time,
    Window,
    contents_by_key,
)
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.explorer.seeded_runs import long_runs, require_clauses, require_equal
from swagproof.proofs.later.technique_states import LETTERS_SORTED
from swagproof.proofs.ledger.claim import (
    GENERAL,
    OUT_OF_ORDER,
    SHARING,
    STREAM_WINDOWS,
    Claim,
    Source,
    cite,
)
from swagproof.proofs.ledger.variants import Variant, class_of, wrong
from swagproof.proofs.long_runs import SEED
from swagproof.proofs.slicing.cutty import kinds
from swagproof.proofs.slicing.deterministic import functions
from swagproof.proofs.windows.streams import follow, of
from swagproof.reference import catalogue
from swagproof.reference.catalogue import Column
from swagproof.reference.slicing import cutty
from swagproof.reference.slicing.cutty import CountMarks, SessionMarks, TimeMarks
from swagproof.reference.windows.windowing import Windowing

# Many windows over one stream

SIZES: Final = (tuple(range(1, 40, 3)), (1, 2, 3, 5, 9, 10, 19, 31, 47, 61, 84, 100, 133, 170))
TUPLES: Final = 420


def run_shared(column: Column, name: str, operation: Any, variant: Variant | None) -> str:
    """Many windows over one stream: some are looked up after each tuple, and now and then all."""
    module: Any = column.module if variant is None else variant.rewrite(column.module)
    made, asked = getattr(module, name), 0
    for sizes in SIZES:
        chance = Random(SEED)
        shared = made(operation) if operation is CONCATENATION else made()
        model = SharedWindows[Any](operation)
        for size in chance.sample(sizes, len(sizes)):
            shared.register(size)
            model.register(size)
        for number in range(1, TUPLES + 1):
            v = LETTERS[number] if operation is CONCATENATION else chance.randrange(40) + number % 130
            shared.insert(v)
            model.insert(v)
            for size in sizes if number % 40 == 0 else chance.sample(sizes, chance.randrange(4)):
                asked += 1
                require_equal(shared.lookup(size), model.lookup(size), number)
            if number % 20 == 0:
                require_clauses(column, shared, model, number)
    return f"{asked:,} answers"


def run_timegram(variant: Variant | None) -> str:
    """Bounds by buckets: each contains the exact answer, and is as wide as a bucket, or as n of them for a sum."""
    asked = 0
    for sizes in SIZES:
        chance = Random(SEED)
        gram = class_of(catalogue.TIMEGRAM, variant)(0, 60, 24)
        model = SharedWindows(SUM)
        for size in chance.sample(sizes, len(sizes)):
            gram.register(size)
            model.register(size)
        for number in range(1, TUPLES + 1):
            v = chance.randrange(-20, 160) / Fraction(2)
            gram.insert(v)
            model.insert(v)
            if number == 330:
                gram.widen(3)
            wide = Fraction(60, 24) * (3 if number >= 330 else 1)
            if number % 40 == 0:
                require_clauses(catalogue.TIMEGRAM, gram, model, number)
            for size in () if number % 5 else {chance.choice(sizes), sizes[-1]}:
                asked += 1
                held = model.window(size)
                n = len(held)
                require_equal(gram.count(size), n, number)
                for found, exact, width in (
                    (gram.max(size), max(held), 1),
                    (gram.min(size), min(held), 1),
                    (gram.sum(size), sum(held), n),
                    (gram.avg(size), sum(held) / Fraction(n), 1),
                ):
                    right = timegram_contract.contains(found, exact) and found[1] - found[0] == width * wide
                    assert right, f"step {number}: {found} for {exact}"
    return f"{asked:,} times five answers"


def sharing_runs(column: Column, *controls: Variant, run: Any, place: str, id: str = "") -> Claim:
    """The claim about an algorithm of many windows over one stream."""
    sizes = " and of ".join(f"{len(each)} windows of up to {each[-1]}" for each in SIZES)
    return long_runs(
        column,
        {f"seed {SEED}, {TUPLES} tuples each, of {sizes}": run},
        statement="Answers are right and the invariant holds of many windows far larger than those explored.",
        source=cite(SHARING, place=place),
        controls=controls,
        id=id,
    )


# Slices

Queries: TypeAlias = tuple[tuple[int, int], ...]
PERIODIC: Final[tuple[Queries, ...]] = (
    ((150, 1),),
    ((120, 60),),
    ((97, 35),),
    ((5, 44),),
    ((70, 51), (33, 22), (64, 64)),
    tuple((7 * i + 1, 3 * i) for i in range(1, 15)),
)
BEFORE: Final = (2**53, 0, 2**31, 4096, 2048, 0)
"""For each of them the time that a stream comes to: it begins a little before."""
RECORDS: Final = 300


def run_slices(column: Column, variant: Variant | None) -> str:
    """Records in order, most of them close, some at one time, and gaps after which nothing is kept."""
    answered = 0
    for queries, after in zip(PERIODIC, BEFORE, strict=True):
        chance, reach = Random(SEED), max(map(sum, queries))
        sliced = class_of(column, variant)(CONCATENATION, queries)
        model = SlicedWindows(CONCATENATION, queries)
        t = after - 70
        for number in range(RECORDS):
            later = t + (chance.choice((0, 0, 1, 1, 1, 1, 1, 2, 3, 9)) if chance.random() < 0.99 else 2 * reach)
            t = after if t < after < later else later
            expected = model.advance(t)
            require_equal(sliced.insert(t, LETTERS[number]), expected, number)
            answered += len(expected)
            assert contract.whole(sliced, [(begin, end) for _, begin, end, _ in expected[:1]]), (
                f"whole at step {number}"
            )
            model.insert(t, LETTERS[number])
            model.records = [record for record in model.records if record[0] > t - reach]
            if number % 40 == 39 or t == after:
                require_clauses(column, sliced, model, number)
    return f"{answered:,} windows"


def run_cutty(variant: Variant | None) -> str:
    """Windows by count, in time and sessions over one stream, a few alone and then all together."""
    answered = most = 0
    counted = [CountMarks(range_, slide) for range_, slide in ((90, 1), (64, 3), (150, 41), (20, 70))]
    timed = [TimeMarks(range_, slide) for range_, slide in ((80, 4), (60, 60), (7, 55))]
    apart = [SessionMarks(gap) for gap in (2, 9)]
    for group in (counted[:1], counted[2:], timed, apart, [*counted, *timed, *apart]):
        chance, t = Random(SEED), -150
        marking: list[Any] = [type(f_disc)(*_made_of(f_disc)) for f_disc in group]
        cutty = class_of(catalogue.CUTTY, variant)(CONCATENATION, *functions(len(marking), 0))
        model = CuttyWindows(CONCATENATION, len(marking), 0)
        for number in range(RECORDS):
            t += chance.choice((0, 1, 1, 1, 2)) if chance.random() < 0.96 else 12
            item = tuple(f_disc(Event(t, LETTERS[number])) for f_disc in marking), ()
            expected = model.item(*item, LETTERS[number])
            require_equal(cutty.insert(item, LETTERS[number]), expected, number)
            if number % 40 == 0:
                require_clauses(catalogue.CUTTY, cutty, model, number)
            answered, most = answered + len(expected), max(most, cutty.store.last - cutty.store.first + 1)
    return f"{answered:,} windows, of up to {most} slices"


def _made_of(f_disc: Any) -> tuple[Any, ...]:
    return tuple(f_disc.query) if hasattr(f_disc, "query") else (f_disc.gap,)


def run_stream_slicing(variant: Variant | None) -> str:
    """Records out of order down to a watermark that follows far behind."""
    answered = 0
    for commutative in (True, False):
        operation = LETTERS_SORTED if commutative else CONCATENATION
        sets = (*((queries, ()) for queries in PERIODIC[1:]), ((), (7, 60)), *[(PERIODIC[4], (9,))] * 2)
        for (periodic, sessions), after in zip(sets, (*BEFORE[1:], 4096, 0, BEFORE[0]), strict=True):
            chance, newest, watermark = Random(SEED), after - 90, after - 180
            slicing = class_of(catalogue.STREAM_SLICING, variant)(
                operation, periodic, sessions, commutative=commutative
            )
            model = SlicedWindows(operation, periodic, sessions)
            for number in range(RECORDS // 2):
                newest += chance.choice((0, 1, 2, 5)) if chance.random() < 0.97 else 90
                t = max(newest - chance.choice((0, 0, 3, 40, 80)), watermark)
                slicing.insert(t, LETTERS[number])
                model.insert(t, LETTERS[number])
                if number % 20 == 19:
                    next_one = max(watermark, newest - 60)
                    watermark = after if watermark < after < next_one else next_one
                    expected = model.advance(watermark)
                    require_equal(slicing.advance(watermark), expected, number)
                    require_clauses(catalogue.STREAM_SLICING, slicing, model, number)
                    answered += len(expected)
    return f"{answered:,} windows"


def slicing_runs(column: Column, *controls: Variant, run: Any, source: Source, queries: str, id: str = "") -> Claim:
    """The claim about an operator over a stream."""
    return long_runs(
        column,
        {f"seed {SEED}, {queries}": run},
        statement="Answers are right and the invariant holds for ranges and slides far beyond those explored.",
        source=source,
        controls=controls,
        id=id,
    )


def run_marks(variant: Variant | None) -> str:
    """Every discretisation function beside its definition: from before 0 on, and to later numbers and times."""
    module: Any = cutty if variant is None else variant.rewrite(cutty)
    found = 0
    for start, most in ((-150, 1200), (2**31 - 150, 200), (2**53 - 150, 200)):
        chance, t, items = Random(SEED), start, list[Item]()
        for number in range(most):
            t += chance.choice((0, 1, 1, 1, 2)) if chance.random() < 0.96 else 12
            kind = chance.random()
            items.append(Event(t, number) if kind < 0.9 else Heartbeat(t) if kind < 0.95 else Punctuation(t))
        for name, definition, make in (*kinds(module, 1), *long_kinds(module)):
            expected = definition(items)
            assert deterministic(make)(items) == expected, f"{name} from {start} on"
            found += len(expected)
    return f"{found:,} windows"


def long_kinds(module: Any) -> Iterator[tuple[str, Discretiser, Any]]:
    """Windows far longer than those that are explored."""
    for range_, slide in ((90, 1), (150, 41), (20, 70)):
        yield f"count {range_}, {slide}", count_windows(range_, slide), partial(module.CountMarks, range_, slide)
        yield f"time {range_}, {slide}", time_windows(range_, slide), partial(module.TimeMarks, range_, slide)
    yield "session 9", session_windows(9), partial(module.SessionMarks, 9)


# Windows


def run_windowing(variant: Variant | None) -> str:
    """Windows by count and in time, of eighteen keys, with punctuations between."""
    triggered = 0
    for window in (
        Window(Count(25), Count(7)),
        Window(Time(90), Time(13)),
        Window(Count(40), Time(60)),
        Window(Time(70), Count(31)),
    ):
        chance, t, items = Random(SEED), 0, list[Any]()
        for number in range(500):
            t += chance.choice((0, 0, 1, 2)) if chance.random() < 0.99 else 200
            key = chance.randrange(18) if number % 200 < 120 else 1
            items.append(Event(t, (LETTERS[number], t), key) if chance.random() < 0.97 else Punctuation(t))
        found = follow(of(Windowing, variant)(window), items)
        expected = {key: shown for key, shown in contents_by_key(window, items).items() if shown}
        for key in {**found, **expected}:
            require_equal(found.get(key, []), expected.get(key, []), 0)
            triggered += len(expected.get(key, []))
    return f"{triggered:,} triggers"


def run_numbers(variant: Variant | None) -> str:
    """Elements of one key and punctuations, until their numbers are beyond 4096."""
    numbers = 4400
    by_count: list[Item] = [Event(number, number) for number in range(numbers)]
    punctuated: list[Item] = [by_count[0], *map(Punctuation, range(1, numbers))]
    for window, items in (
        (Window(Count(5), Count(7)), by_count),
        (Window(Count(3), PUNCTUATION), punctuated),
    ):
        require_equal(follow(of(Windowing, variant)(window), items), contents_by_key(window, items), numbers)
    return f"{numbers:,} numbers"


# Rows, and mistakes that begin beyond the bound

PERIODS: Final = (
    f"{RECORDS} records each, {len(PERIODIC)} sets of up to {len(PERIODIC[-1])} queries; from before 0, 2048, 4096, "
    "2 ** 31 and 2 ** 53"
)

CLAIMS: Final[tuple[Claim, ...]] = (
    sharing_runs(
        catalogue.STREAM,
        wrong(
            "windows of more than thirty tuples hold one more",
            (
                "NaiveStream.insert",
                "if len(query.input_queue) > query.size:",
                "if len(query.input_queue) > query.size + (query.size > 30):",
            ),
        ),
        run=partial(run_shared, catalogue.STREAM, "NaiveStream", CONCATENATION),
        place="section 2, Figure 1",
    ),
    sharing_runs(
        catalogue.TIMEGRAM,
        wrong(
            "the oldest is not removed when the two hundredth comes",
            (
                "TimeGram.insert",
                "if len(self.homes) > self.registry.largest:",
                "if len(self.homes) > self.registry.largest and self.now != 200:",
            ),
        ),
        run=run_timegram,
        place="section 3.2",
    ),
    sharing_runs(
        catalogue.ORDERED_SHARING,
        wrong(
            "sizes stand in the order of their text",
            (
                "OrderedSharing.register",
                "self.registry.add(size)",
                "self.registry.add(size); self.registry.sizes.sort(key=str)",
            ),
        ),
        run=partial(run_shared, catalogue.ORDERED_SHARING, "OrderedSharing", MAX),
        place="sections 6.1 to 6.4",
    ),
    sharing_runs(
        catalogue.ORDERED_SHARING,
        wrong(
            "no more than fifty tuples are calculated anew",
            (
                "OrderedSharing.recalculate",
                "min(window.size, len(self.tuples))",
                "min(window.size, len(self.tuples), 50)",
            ),
        ),
        run=partial(run_shared, catalogue.ORDERED_SHARING, "OrderedSharingMin", MIN),
        place="section 6.3.2.3 (reading OS-10)",
        id="ordered-sharing/long-runs-min",
    ),
    slicing_runs(
        catalogue.PANES,
        wrong(
            "panes are never longer than fifty",
            ("pane", "return gcd(range, slide)", "return min(50, gcd(range, slide))"),
        ),
        run=partial(run_slices, catalogue.PANES),
        source=cite(STREAM_WINDOWS, place="Panes"),
        queries=PERIODS,
        id="slicing/panes-long-runs",
    ),
    slicing_runs(
        catalogue.PAIRS,
        wrong(
            "p2 of a slide above thirty is that of the slide before",
            ("p2", "return range % slide", "return range % slide if slide <= 30 else range % (slide - 1)"),
        ),
        wrong(
            "the cut within a slide is left out where the range is far below the slide",
            (
                "pair_edge",
                "if t - begin < p2(range, slide):",
                "if t - begin < p2(range, slide) or range < slide - 30:",
            ),
        ),
        run=partial(run_slices, catalogue.PAIRS),
        source=cite(STREAM_WINDOWS, place="Pairs, as read (readings SLICE-5 and SLICE-6)"),
        queries=PERIODS,
        id="slicing/pairs-long-runs",
    ),
    slicing_runs(
        catalogue.STARTS,
        wrong(
            "windows of more than sixty slices leave out the last",
            ("Sliced.assemble", "for partial in chosen[1:]:", "for partial in chosen[1:60]:"),
        ),
        run=partial(run_slices, catalogue.STARTS),
        source=cite(STREAM_WINDOWS, place="Deterministic Windows"),
        queries=PERIODS,
        id="slicing/starts-long-runs",
    ),
    slicing_runs(
        catalogue.CUTTY,
        wrong(
            "a store of more than thirty slices moves its base by one too few",
            ("SliceStore.rebuild", "self.base = self.first", "self.base = self.first if n < 128 else self.first - 1"),
        ),
        wrong(
            "the tree of a rebuilt store has no more than 64 places",
            ("SliceStore.rebuild", "while n < 2 * len(kept):", "while n < 2 * len(kept) and n < 64:"),
        ),
        run=run_cutty,
        source=cite(STREAM_WINDOWS, place="Cutty: A Hybrid Approach"),
        queries=f"{RECORDS} records each, five sets of up to nine queries by count, in time and of sessions",
    ),
    slicing_runs(
        catalogue.CUTTY,
        wrong(
            "count windows begin again from a thousand",
            ("CountMarks.__call__", "self.number += 1", "self.number = self.number % 1000 + 1"),
        ),
        wrong(
            "windows in time that began before the sixtieth are over at once",
            (
                "TimeMarks.__call__",
                "over = max(min(ended, self.begun) - self.over, 0)",
                "over = max(min(ended, self.begun) - self.over, 0) if self.begun < 60 else 0",
            ),
        ),
        wrong(
            "from 2 ** 53 on a session goes on as a float says",
            ("SessionMarks.__call__", "item.time - self.newest >=", "float(item.time) - float(self.newest) >="),
        ),
        run=run_marks,
        source=cite(STREAM_WINDOWS, "Definition 1", compared="an instance: four kinds of windows, the streams drawn"),
        queries="1,200 items from before 0, 200 each from before 2 ** 31 and 2 ** 53; windows by count, in time, of "
        "sessions and between punctuations",
        id="cutty/discretisation-long-runs",
    ),
    slicing_runs(
        catalogue.STREAM_SLICING,
        wrong(
            "sessions of more than thirty slices end with the thirtieth",
            (
                "StreamSlicing.aggregate",
                "return self.store.range_query(begin, end - 1)",
                "return self.store.range_query(begin, min(end - 1, "
                "(self.begins[bisect_left(self.begins, begin) :][:30] or [end])[-1]))",
            ),
        ),
        wrong(
            "a watermark of 0 is none",
            (
                "StreamSlicing.periodic_answers",
                "self.begins[0] if self.watermark is None else self.watermark",
                "self.watermark or self.begins[0]",
            ),
        ),
        wrong(
            "a session that is over at a watermark of 0 is over at the next, too",
            ("StreamSlicing.advance", "elif self.watermark is None or last", "elif not self.watermark or last"),
        ),
        wrong(
            "from 2 ** 31 on a session's gap is a unit longer",
            ("StreamSlicing.sessions_of", "found[-1][1] < gap:", "found[-1][1] < gap + (begin > 1 << 31):"),
        ),
        run=run_stream_slicing,
        source=cite(OUT_OF_ORDER, place="section 6 (Scotty with FiBA as its store)"),
        queries=f"{RECORDS // 2} records each, eight sets of up to fourteen queries, commutative and not; from before "
        "0, 2048, 4096, 2 ** 31 and 2 ** 53",
    ),
    long_runs(
        catalogue.WINDOWING,
        {
            f"seed {SEED}, 500 items each of 18 keys, four windows by count and in time": run_windowing,
            "4,400 elements, and as many punctuations": run_numbers,
        },
        statement="The incremental form shows what the definition says, of windows and keys far beyond those explored.",
        source=cite(GENERAL, place="section 2"),
        id="windows/long-runs",
        controls=(
            wrong(
                "windows of more than twenty elements let one more go",
                ("expired", "return bool(horizon - mark >= n)", "return bool(horizon - mark >= n - (n > 20))"),
            ),
            wrong(
                "more than ten keys are not all shown",
                (
                    "finish",
                    "for key, partition in list(self.partitions.items()):",
                    "for key, partition in list(self.partitions.items())[:10]:",
                ),
            ),
            wrong(
                "elements are counted modulo 4096", ("arrive", "number += 1", "number = partition.number % 4096 + 1")
            ),
            wrong(
                "punctuations are counted modulo 4096",
                ("punctuate", "punctuations += 1", "punctuations = (self.punctuations + 1) % 4096"),
            ),
        ),
    ),
)
