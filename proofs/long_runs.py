"""Long runs of every algorithm that is explored to a bound, and mistakes that begin beyond each bound.

Each run is drawn from `SEED`, and compared with the definition of what it runs: windows of hundreds of elements, many
windows over one stream, ranges and slides beyond fifty.  What each row must reject errs only there, so that none of the
explorations of the same algorithm can tell it from the reference.  The trees have such runs in their own rows
(swagproof.proofs.trees.out_of_order).
"""

from fractions import Fraction
from functools import partial
from random import Random
from typing import Any, Final, TypeAlias

from swagproof.contracts.ghosts.marked_windows import CuttyWindows
from swagproof.contracts.ghosts.sliced_windows import SlicedWindows
from swagproof.contracts.sharing import timegram as timegram_contract
from swagproof.contracts.slicing import slices as contract
from swagproof.models.any_order import AnyOrderWindow, Places
from swagproof.models.fifo import FifoWindow
from swagproof.models.operations import CONCATENATION, MAX, MIN, SUM
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.models.shared import SharedWindows
from swagproof.models.windows.window import Count, Event, Punctuation, Time, Window, contents_by_key
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.explorer.seeded_runs import long_runs, require_clauses, require_equal, shapes
from swagproof.proofs.later.technique_states import LETTERS_SORTED
from swagproof.proofs.ledger.claim import (
    GENERAL,
    IN_ORDER,
    OURS,
    OUT_OF_ORDER,
    SHARING,
    STREAM_WINDOWS,
    Claim,
    Source,
    cite,
)
from swagproof.proofs.ledger.variants import Variant, class_of, wrong
from swagproof.proofs.slicing.deterministic import functions
from swagproof.proofs.windows.streams import follow, of
from swagproof.reference import catalogue
from swagproof.reference.catalogue import Column
from swagproof.reference.slicing.cutty import CountMarks, SessionMarks, TimeMarks
from swagproof.reference.windows.windowing import Windowing

SEED: Final = 2021

# FIFO windows, and windows whose elements leave in any order

MOST: Final = 240
"""Elements in the window of a long run."""


def run_window(column: Column, variant: Variant | None) -> str:
    """A window that fills, slides, oscillates, drains and refills: about half the steps ask for its answer."""
    chance = Random(SEED)
    selects = column is catalogue.SLICK_DEQUE
    operation: Any = MAX if selects else CONCATENATION
    window = class_of(column, variant)(operation)
    model: Any = (AnyOrderWindow if column.kind == "any order" else FifoWindow)(operation)
    window.start, window.events = 1, 0  # the ghosts of a buffer: its first capacity, and the steps since an answer
    largest = asked = number = 0
    for number, step in enumerate(shapes(MOST, chance), start=1):
        if step == "insert":
            v = chance.randrange(9) - number % 400 if selects else LETTERS[number]
            window.insert(v)
            model.insert(v)
        else:
            leaves = [chance.choice(model.tickets)] if column.kind == "any order" and chance.random() < 0.85 else []
            window.evict(*leaves)
            model.evict(*leaves)
        window.events += 1
        if number % 30 == 0:
            require_clauses(column, window, model, number)
        largest = max(largest, model.size)
        if chance.random() < 0.5:
            asked += 1
            require_equal(window.query(), model.query(), number)
            window.events = 0
        if hasattr(window, "lookup") and chance.random() < 0.5:
            newest = chance.randrange(model.size + 1)
            require_equal(window.lookup(newest), model.product(model.size - newest, model.size), number)
    return f"{number:,} steps, {asked:,} answers, windows of up to {largest}"


def window_runs(column: Column, source: Source, *controls: Variant) -> Claim:
    """The claim about an algorithm of one window."""
    return long_runs(
        column,
        {
            f"seed {SEED}, a window that fills to {MOST}, slides, oscillates, drains, refills": partial(
                run_window, column
            )
        },
        statement="Answers are right and the invariant holds in windows far larger than those explored.",
        source=source,
        controls=controls,
    )


def run_places(variant: Variant | None) -> str:
    """FlatFAT over many places: few and many changes at a time."""
    chance, n, updates = Random(SEED), 1024, 60
    fat = class_of(catalogue.FLAT_FAT, variant)(CONCATENATION, LETTERS[:n])
    model = Places(CONCATENATION, LETTERS[:n])
    for number in range(updates):
        places = chance.sample(range(1, n + 1), chance.choice((1, 2, 7, 300)))
        changes = [(i, chance.choice(LETTERS[:4096])) for i in places]
        fat.update(changes)
        model.update(changes)
        i = chance.randrange(1, n + 1)
        require_equal(fat.aggregate(), model.product(1, n), number)
        require_equal((fat.prefix(i), fat.suffix(i)), (model.product(1, i), model.product(i, n)), number)
    return f"{n:,} places, {updates} updates"


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
RECORDS: Final = 300


def run_slices(column: Column, variant: Variant | None) -> str:
    """Records in order, most of them close, some at one time, and gaps after which nothing is kept."""
    answered = 0
    for queries in PERIODIC:
        chance, reach = Random(SEED), max(map(sum, queries))
        sliced = class_of(column, variant)(CONCATENATION, queries)
        model = SlicedWindows(CONCATENATION, queries)
        t = -70
        for number in range(RECORDS):
            t += chance.choice((0, 0, 1, 1, 1, 1, 1, 2, 3, 9)) if chance.random() < 0.99 else 2 * reach
            expected = model.advance(t)
            require_equal(sliced.insert(t, LETTERS[number]), expected, number)
            answered += len(expected)
            assert contract.whole(sliced, [(begin, end) for _, begin, end, _ in expected[:1]]), (
                f"whole at step {number}"
            )
            model.insert(t, LETTERS[number])
            model.records = [record for record in model.records if record[0] > t - reach]
            if number % 40 == 39:
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
        for periodic, sessions in (*(((query), ()) for query in PERIODIC[1:]), ((), (7, 60)), (PERIODIC[4], (9,))):
            chance, newest, watermark = Random(SEED), 0, -90
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
                    watermark = max(watermark, newest - 60)
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


# Trees in bulk, and the windowing library


def run_bulk(variant: Variant | None) -> str:
    """A tree that takes up to a hundred entries at a time, and loses as many; every clause is looked at, too."""
    chance, most, operations = Random(SEED), 0, 120
    for min_arity in (2, 5):
        tree = class_of(catalogue.FIBA_BULK, variant)(CONCATENATION, min_arity)
        model = OutOfOrderWindow(CONCATENATION)
        for number in range(operations):
            if model.size < 200 if number % 30 < 15 else model.size < 40:
                first = chance.choice(model.times) if model.size else 0
                times = sorted(first + chance.randrange(400) for _ in range(chance.choice((1, 5, 30, 100))))
                pairs = [(t, LETTERS[(number + t) % 4096]) for t in times]
                tree.bulk_insert(pairs)
                for t, v in pairs:
                    model.insert(t, v)
            else:
                last = model.times[chance.randrange(model.size)]
                tree.bulk_evict(last)
                for t in [t for t in model.times if t <= last]:
                    model.evict(t)
            most = max(most, model.size)
            require_clauses(catalogue.FIBA_BULK, tree, model, number)
            require_equal(tree.query(), model.query(), number)
    return f"{2 * operations} bulk operations, up to {most} entries"


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


# Rows, and mistakes that begin beyond the bound

BUFFERS: Final = cite(GENERAL, place="sections 5.1 and 5.2")
PERIODS: Final = f"{RECORDS} records each, {len(PERIODIC)} sets of up to {len(PERIODIC[-1])} queries"

CLAIMS: Final[tuple[Claim, ...]] = (
    window_runs(
        catalogue.TWO_STACKS,
        cite(IN_ORDER, "Theorem 3.1", compared="an instance: the histories drawn"),
        wrong(
            "a front stack of more than a hundred elements keeps no more products",
            (
                "TwoStacks.evict",
                "self.monoid.combine(self.B.top().val, self.pi_F())",
                "self.monoid.combine(self.B.top().val, self.pi_F()) if self.F.size < 100 else self.pi_F()",
            ),
        ),
    ),
    window_runs(
        catalogue.TWO_STACKS_LITE,
        cite(IN_ORDER, "Theorem 4.1", compared="an instance: the histories drawn"),
        wrong(
            "a flip of more than a hundred elements stops two early",
            (
                "TwoStacksLite.evict",
                "while I != self.F:",
                "while I != (self.F + 2 if self.E - self.F > 100 else self.F):",
            ),
        ),
    ),
    window_runs(
        catalogue.DABA,
        cite(IN_ORDER, "Theorem 5.1", compared="an instance: the histories drawn"),
        wrong(
            "a shrink with more than thirty on the left forgets the accumulator",
            (
                "Daba.fixup",
                "combine(combine(self.pi_L(), self.pi_R()), self.pi_A())",
                "combine(combine(self.pi_L(), self.pi_R()), "
                "self.pi_A() if self.R - self.L < 30 else self.monoid.identity)",
            ),
        ),
    ),
    window_runs(
        catalogue.DABA_LITE,
        cite(IN_ORDER, "Theorem 6.1", compared="an instance: the histories drawn"),
        wrong(
            "a shrink with more than thirty on the left forgets what is right of them",
            (
                "DabaLite.fixup",
                "combine(self.pi_L(), self.aggRA)",
                "combine(self.pi_L(), self.aggRA if self.R - self.L < 30 else self.monoid.identity)",
            ),
        ),
    ),
    window_runs(
        catalogue.RECALCULATE,
        cite(IN_ORDER, place="section 8.1"),
        wrong(
            "no more than a hundred elements are combined",
            ("Recalculate.query", "while p != self.E:", "while p != self.E and p - self.F < 100:"),
        ),
    ),
    window_runs(
        catalogue.SUBTRACT_ON_EVICT,
        cite(IN_ORDER, place="section 8.3"),
        wrong(
            "an element is not added to more than a hundred",
            (
                "SubtractOnEvict.insert",
                "self.agg = self.monoid.combine(self.agg, v)",
                "self.agg = self.monoid.combine(self.agg, v) if self.E - self.F <= 100 else self.agg",
            ),
        ),
    ),
    long_runs(
        catalogue.FLAT_FAT,
        {f"seed {SEED}, 1,024 places, 60 updates of 1, 2, 7 or 300 of them": run_places},
        statement="Every aggregate, prefix and suffix is that of the definition, over more places than are explored.",
        source=cite(GENERAL, place="section 4"),
        controls=(
            wrong(
                "few changes behind the four hundredth node go no higher",
                ("FlatFat.rewrite", "if v != self.root():", "if v != self.root() and (v < 400 or len(W) > 200):"),
            ),
            wrong(
                "a suffix of more than a hundred places ends one level early",
                ("FlatFat.suffix", "while v != self.root():", "while v > (1 if j > self.n - 100 else 3):"),
            ),
        ),
    ),
    window_runs(
        catalogue.REACTIVE_AGGREGATOR,
        BUFFERS,
        wrong(
            "a buffer of 64 is compacted by the leaves",
            (
                "ReactiveAggregator.compact",
                "for slot in self.slots():",
                "for slot in self.slots() if self.capacity < 64 else "
                "[s for s in range(1, self.capacity + 1) if self.tickets[s] is not None]:",
            ),
        ),
    ),
    window_runs(
        catalogue.REACTIVE_AGGREGATOR_FIFO,
        BUFFERS,
        wrong(
            "an inverted buffer of 128 is read as if it were not",
            ("ReactiveAggregatorFifo.query", "if self.B < self.F:", "if self.B < self.F and self.capacity < 128:"),
        ),
    ),
    window_runs(
        catalogue.BASE_INTERVALS,
        cite(GENERAL, place="sections 6.2 and 7 on base intervals"),
        wrong(
            "halves of 64 are put together the wrong way round",
            (
                "BaseIntervals.insert",
                "self.monoid.combine(halves[halves.end() - 2], halves[halves.end() - 1])",
                "self.monoid.combine(*(halves[halves.end() - i] for i in ((2, 1) if length < 128 else (1, 2))))",
            ),
        ),
    ),
    window_runs(
        catalogue.FLAT_FIT,
        cite(IN_ORDER, place="section 8.1"),
        wrong(
            "of more than fifty elements a look-up takes the last step alone",
            (
                "FlatFit.lookup",
                "product = self.monoid.combine(self.partials[current], product)",
                "product = self.monoid.combine(self.partials[current], product) if newest <= 50 else product",
            ),
        ),
    ),
    window_runs(
        catalogue.SLICK_DEQUE,
        cite(IN_ORDER, place="section 8.3") & cite(OUT_OF_ORDER, place="section 6"),
        wrong(
            "a candidate behind twenty others is not kept",
            (
                "SlickDeque.insert",
                "        self.candidates.append(",
                "        kept < 20 and self.candidates.append(",
            ),
        ),
    ),
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
        run=run_stream_slicing,
        source=cite(OUT_OF_ORDER, place="section 6 (Scotty with FiBA as its store)"),
        queries=f"{RECORDS // 2} records each, seven sets of up to fourteen queries, commutative and not",
    ),
    long_runs(
        catalogue.FIBA_BULK,
        {f"seed {SEED}, min-arity 2 and 5, 120 bulk operations each, of up to 100 entries": run_bulk},
        statement="Every clause and the answer hold after bulk operations on trees far larger than those explored.",
        source=cite(OURS),
        controls=(
            wrong(
                "no more than fifty entries come in at once",
                ("BulkFiba.bulk_insert", "for t, v in pairs:", "for t, v in pairs[:50]:"),
            ),
            wrong(
                "aggregates above the second level are not repaired",
                (
                    "BulkFiba.repair_changed",
                    "levels.setdefault(level + 1, {})[node.parent] = None",
                    "level < 2 and levels.setdefault(level + 1, {}).update({node.parent: None})",
                ),
            ),
        ),
    ),
    long_runs(
        catalogue.WINDOWING,
        {f"seed {SEED}, 500 items each of 18 keys, four windows by count and in time": run_windowing},
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
        ),
    ),
)
