"""Long runs of every window that is explored to a bound, and mistakes that begin beyond each bound.

Each run is drawn from `SEED`, and compared with the definition of what it runs: windows of hundreds of elements.  What
each row must reject errs only there, so that none of the explorations of the same algorithm can tell it from the
reference.  The trees have such runs in their own rows (swagproof.proofs.trees.out_of_order), operators over streams in
swagproof.proofs.long_runs_in_streams.
"""

from functools import partial
from random import Random
from typing import Any, Final

from swagproof.models.any_order import AnyOrderWindow, Places
from swagproof.models.fifo import FifoWindow
from swagproof.models.operations import CONCATENATION, MAX
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.explorer.seeded_runs import long_runs, require_clauses, require_equal, shapes
from swagproof.proofs.ledger.claim import (
    GENERAL,
    IN_ORDER,
    OURS,
    OUT_OF_ORDER,
    Claim,
    Source,
    cite,
)
from swagproof.proofs.ledger.variants import Variant, class_of, wrong
from swagproof.reference import catalogue
from swagproof.reference.catalogue import Column

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


# Trees in bulk


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


# Rows, and mistakes that begin beyond the bound

BUFFERS: Final = cite(GENERAL, place="sections 5.1 and 5.2")

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
    long_runs(
        catalogue.FIBA_BULK,
        {f"seed {SEED}, min-arity 2 and 5, 120 bulk operations each, of up to 100 entries": run_bulk},
        statement="Every clause and the answer hold after bulk operations on trees far larger than those explored.",
        source=cite(OURS),
        controls=(
            wrong(
                "no more than fifty entries come in at once",
                ("BulkFiba.insert_sorted", "for t, v in pairs:", "for t, v in pairs[:50]:"),
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
)
