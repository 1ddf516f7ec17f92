"""Claims about techniques that the papers name and do not print: FlatFIT, SlickDeque, stream slicing over FiBA.

The papers that introduced them are not among those transcribed here.  What is claimed is what these papers say of them,
of references that follow these descriptions; each row says so.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from swagproof.models.monoid import Counting
from swagproof.models.operations import CONCATENATION, FIRST, MAX
from swagproof.proofs.explorer.histories import histories, in_words
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.explorer.walk import Counts, find, judge
from swagproof.proofs.in_order.fifo import algorithm_of
from swagproof.proofs.ledger.claim import IN_ORDER, OUT_OF_ORDER, Claim, Control, Deep, Outcome, cite, code_of
from swagproof.proofs.ledger.theorem import conclude
from swagproof.proofs.ledger.variants import Variant, WrongVariants, class_of, contract_violated_by, mutants_of
from swagproof.proofs.related_work.technique_states import (
    LETTERS_SORTED,
    QUERIES,
    explore_flat_fit,
    explore_slick_deque,
    explore_stream_slicing,
    stream_words,
)
from swagproof.proofs.slicing.edge_runs import explore_parting
from swagproof.reference.catalogue import FLAT_FIT, SLICK_DEQUE, STREAM_SLICING, Column
from swagproof.reference.related_work.flat_fit import FlatFit
from swagproof.reference.related_work.slick_deque import SlickDeque
from swagproof.reference.related_work.stream_slicing import StreamSlicing

NOT_TRANSCRIBED: Final[dict[str, str]] = {
    "AMTA": "The 2021 paper (section 8.1) gives its complexity and says that its tree is optimised for FIFO insert and "
    "evict, not what the tree is.",
    "KVS-AMTA": "The same section says that it moves most of AMTA's space into a key-value store, and no more.",
    "Truviso": "The 2018 paper (section 6) says that it runs a query on each source and consolidates their results; "
    "how it does either is in its own paper.",
    "Hammer Slide": "The 2021 paper (section 8.1) says that it starts from Two-Stacks and keeps n + 1 partial "
    "aggregates; "
    "what it takes from it is Two-Stacks Lite, which is transcribed.",
    "SlideSide": "The 2021 paper (section 8.3 and its bibliography, where it is spelt SlideSlide) says that it is for "
    "windows of fixed sizes, and no more.",
    "TriWeave": "The 2018 encyclopaedia article says that it tunes plans by run-time metrics: a planner, no "
    "aggregator.",
    "ADWIN": "The same article names it as what lies beyond deterministic windows: it drops from its "
    "window by the values.",
    "Scotty's planner": "Which slices keep their records, and which store is taken, is decided by trees that the 2021 "
    "paper mentions (section 8.2) and does not show; `commutative` is what is left of it here.",
}
"""Techniques that the papers name, and why there is no reference of them: a guess would not be theirs."""

NOT_THE_LISTING: Final = "what the paper that introduced it says: no listing of it is transcribed here"

BILL: Final = {"insert": 1, "evict": 0, "query": 3, "lookup": 3}
"""The combine calls that FlatFIT's operations are billed."""

# FlatFIT

WRONG_FIT: Final = WrongVariants(FLAT_FIT, table="flat-fit")
UNSEEN_FIT: Final = tuple(mutants_of("flat-fit", "unseen").values())
"""Mutants that only an exploration of the whole state, over opaque values, can reject."""

# SlickDeque

WRONG_SLICK: Final = WrongVariants(SLICK_DEQUE, table="slick-deque")
UNSEEN_SLICK: Final = tuple(mutants_of("slick-deque", "unseen").values())
"""The same of SlickDeque."""

# Stream slicing

ALONE: Final = mutants_of("stream-slicing", "for one claim")
"""Each is for one claim alone."""
WRONG_SLICING: Final = WrongVariants(STREAM_SLICING, table="stream-slicing")


def parting(variant: Variant | None = None) -> Outcome:
    """Return what parts two records, proved of the reference, or refuted of a mutant."""
    return conclude(explore_parting(class_of(STREAM_SLICING, variant), lambda _: False))


def farthest(window: FlatFit[Any]) -> int:
    """Return the length of the suffix whose lookup follows the most pointers; the shortest such."""
    ways = [0] * window.size
    for i in range(window.size - 2, -1, -1):
        ways[i] = ways[(window.pointers[window.slot(i)] - window.front) % window.capacity] + 1
    return min(window.size - i for i, way in enumerate(ways) if way == max(ways))


def slide_and_look_up(n: int, billed: int, newest: Callable[[FlatFit[Any]], int]) -> Outcome:
    """Fill a window to n elements, then 4n times evict, insert and look up: whether that exceeds what is billed."""
    monoid = Counting(MAX)
    window = FlatFit(monoid)
    for _ in range(n):
        window.insert(0)
    for _ in range(4 * n):
        window.evict()
        window.insert(0)
        window.lookup(newest(window))
    bill = billed * 4 * n + 5 * n + n
    told = f"{monoid.calls} combine calls in {4 * n} look-ups, {monoid.calls / (4 * n):.2f} each; billed {bill}"
    return Outcome("holds" if monoid.calls > bill else "fails", told)


def at_each(sizes: Sequence[int], check: Callable[[int], Outcome]) -> Outcome:
    """Return what holds at 2^k for each k of these."""
    found = [check(k) for k in sizes]
    told = "; ".join(f"n = {2**k}: {each.detail}" for k, each in zip(sizes, found, strict=True))
    return Outcome("holds" if all(each.verdict == "holds" for each in found) else "fails", told)


def exceed_every_bill(newest: Callable[[FlatFit[Any]], int] = farthest, sizes: Sequence[int] = (5, 6, 7, 8)) -> Outcome:
    """Windows of 2^k elements: look-ups cost more than k - 2 each, with inserts billed 1 and n besides."""
    return at_each(sizes, lambda k: slide_and_look_up(2**k, k - 2, newest))


def grow_and_shrink(m: int, grown: int, billed: int) -> Outcome:
    """Fill a window to m elements; grow by one a query, until there are `grown` more; shrink by one a query, to two:
    whether that exceeds so many combine calls a query, 1 an insert, and n."""
    monoid = Counting(MAX)
    window = FlatFit(monoid)
    inserts = queries = 0
    for each, inserted, evicted in ((1, m, 0), (grown, 2, 1), (grown + m - 2, 1, 2)):
        for _ in range(each):
            for _ in range(inserted):
                window.insert(0)
            for _ in range(evicted):
                window.evict()
            window.query()
        inserts, queries = inserts + each * inserted, queries + each
    bill = billed * queries + inserts + window.size
    told = f"{queries} queries, {inserts} inserts: {monoid.calls} combine calls, billed {bill}"
    return Outcome("holds" if monoid.calls > bill else "fails", told)


def exceed_three_a_query(sizes: Sequence[int] = (4, 5, 6, 7)) -> Outcome:
    """Windows that grow from 2^k elements to five times as many, and shrink again."""
    return at_each(sizes, lambda k: grow_and_shrink(2**k, 4 * 2**k, BILL["query"]))


EXPLORERS: Final[dict[Column, Callable[[Variant | None], Counts]]] = {
    FLAT_FIT: lambda variant: explore_flat_fit(algorithm_of(FLAT_FIT, variant), 5, BILL),
    SLICK_DEQUE: lambda variant: explore_slick_deque(algorithm_of(SLICK_DEQUE, variant), 3),
    STREAM_SLICING: lambda variant: explore_stream_slicing(class_of(STREAM_SLICING, variant), 3),
}
"""The exploration, with its bound, that searches for a mutant of each algorithm."""


def refuted(column: Column, variant: Variant) -> str | None:
    """Return what the explorer finds, with the shortest steps."""
    outcome = _reject(column, variant)
    return outcome.detail if outcome.verdict == "fails" else None


def _reject(column: Column, variant: Variant) -> Outcome:
    return judge(find(lambda: EXPLORERS[column](variant)), (0, 0))


def violated_contract(column: Column, variant: Variant) -> str | None:
    """The contract that a short history violates, to be run with full contracts; or what the mistake makes it raise."""
    rewritten = column is STREAM_SLICING
    made = class_of(column, variant, checked=True) if rewritten else variant.checked(column.algorithm, column.checked)
    for name, run in _short_runs(column):
        violated = contract_violated_by(partial(run, made))
        if violated:
            return f"{violated} after {name}"
    return None


def _short_runs(column: Column) -> Iterator[tuple[str, Callable[[Any], None]]]:
    """Short histories of a technique, in words, and how to play each on a class."""
    if column is STREAM_SLICING:
        for stream in stream_words(3, 3):
            for (periodic, sessions), commutative in itertools.product(QUERIES, (True, False)):
                said = ", ".join(f"{kind} {t}" for kind, t in stream)
                yield said, partial(_play_stream, stream, periodic, sessions, commutative)
        return
    operations, values = ((CONCATENATION,), LETTERS) if column is FLAT_FIT else ((MAX, FIRST), (1, 3, 2, 3, 1, 0, 2, 1))
    for word, operation in itertools.product(histories(8), operations):
        yield in_words(word), partial(_play_fifo, word, operation, values)


def _play_stream(word: Any, periodic: Any, sessions: Any, commutative: bool, made: Any) -> None:
    slicing = made(LETTERS_SORTED if commutative else CONCATENATION, periodic, sessions, commutative=commutative)
    for (kind, t), letter in zip(word, LETTERS, strict=False):
        slicing.insert(t, letter) if kind == "record" else slicing.advance(t)


def _play_fifo(word: Any, operation: Any, values: Any, made: Any) -> None:
    window, elements = made(operation), iter(values)
    for step in word:
        window.insert(next(elements)) if step == "insert" else window.evict()
        window.query()
        window.lookup(window.size // 2)


def _slick_scope(limit: int) -> str:
    return (
        f"every such operator over up to 3 values, windows of up to {limit} elements, all histories, look-ups of every "
        "size"
    )


def _slicing_scope(span: int) -> str:
    return (
        f"{len(QUERIES)} sets of queries, in streams of any length in which the records kept, and the watermark with "
        f"those to come, are within {span} units of time: records in any order, watermarks anywhere; every operator "
        "that commutes, and every monoid"
    )


_FIT_SCOPE: Final = "windows of up to {} elements, all histories of insert, evict and query; every monoid"

exploration: Final = partial(Claim, kind="exhaustive", engine="explorer", not_covered=NOT_THE_LISTING)

CLAIMS: Final[tuple[Claim, ...]] = (
    exploration(
        id="flat-fit/explored",
        statement="FlatFIT answers the product of the window, and of the newest elements for windows that share it; a "
        "query invokes combine at most n - 1 times, and in windows as small as these, over any history, all queries "
        "together at most 3 queries + inserts + n times (2 queries + inserts is too few).",
        source=cite(IN_ORDER, place="section 8.1"),
        algorithm=FLAT_FIT.name,
        reject=partial(_reject, FLAT_FIT),
        scope=_FIT_SCOPE.format(7),
        code=code_of(FlatFit),
        check=lambda: judge(find(lambda: explore_flat_fit(FlatFit, 7, BILL, lookups=False)), (1223, 2997)),
        controls=(
            *WRONG_FIT,
            *UNSEEN_FIT,
            Control(
                "2 combine calls a query",
                lambda: judge(find(lambda: explore_flat_fit(FlatFit, 7, {**BILL, "query": 2}, lookups=False)), (0, 0)),
            ),
        ),
        not_covered=f"{NOT_THE_LISTING}; larger windows, in which 3 a query are too few: flat-fit/query-cost. The "
        "lemma that is missing: a number that is enough, and a potential of the pointers that inserts raise by at most "
        "1, evicts by nothing, and of which a query gives up as much as its way is long, but for that number (path "
        "compression in postorder is known to be linear). All else is proved.",
        deep=Deep(
            _FIT_SCOPE.format(9),
            lambda: judge(find(lambda: explore_flat_fit(FlatFit, 9, BILL, lookups=False)), (27399, 68469)),
        ),
    ),
    exploration(
        id="flat-fit/shared",
        statement="The same where look-ups of the newest elements come between: the answers are right, and in windows "
        "as small as these each look-up is billed 3, too. In larger ones that is too little: flat-fit/shared-cost.",
        source=cite(IN_ORDER, place="section 8.3") & cite(OUT_OF_ORDER, place="section 6"),
        algorithm=FLAT_FIT.name,
        reject=partial(_reject, FLAT_FIT),
        scope="windows of up to 6 elements, all histories, look-ups of every size; every monoid",
        code=code_of(FlatFit),
        check=lambda: judge(find(lambda: explore_flat_fit(FlatFit, 6, BILL)), (1271, 11239)),
        controls=WRONG_FIT.pick(
            "the pointer moves on, the partial aggregate does not", "the partial aggregate grows, the pointer stays"
        ),
    ),
    Claim(
        id="flat-fit/query-cost",
        statement="In larger windows 3 combine calls do not pay for a query of FlatFIT, beside 1 an insert and n: one "
        "that is filled to 2^k elements, grows by one a query to five times as many, and shrinks again by one a query, "
        "costs more.",
        source=cite(IN_ORDER, place="section 8.1"),
        algorithm=FLAT_FIT.name,
        kind="exhaustive",
        engine="enumeration",
        scope="filled to 16, 32, 64, 128: a history each",
        code=code_of(FlatFit, "lookup"),
        check=exceed_three_a_query,
        controls=(
            Control("4 combine calls a query are too few", lambda: grow_and_shrink(128, 512, 4)),
            Control("windows of up to 9 elements cost as much", lambda: grow_and_shrink(4, 5, BILL["query"])),
        ),
        not_covered="every k; whether any number of calls a query is enough: at most 3.5 were seen",
        deep=Deep("filled to 16, 32, ..., 1024: a history each", lambda: exceed_three_a_query(sizes=range(4, 11))),
    ),
    Claim(
        id="flat-fit/shared-cost",
        statement="Where windows share FlatFIT, 3 combine calls do not pay for a look-up, and no number is seen that "
        "would: in a window of 2^k elements that slides, look-ups that go the longest way each time cost more than k - "
        "2 calls each, beside 1 an insert and n.",
        source=cite(IN_ORDER, place="sections 8.1 and 8.3"),
        algorithm=FLAT_FIT.name,
        kind="exhaustive",
        engine="enumeration",
        scope="n = 32, 64, 128, 256: a history each",
        code=code_of(FlatFit, "lookup"),
        check=exceed_every_bill,
        controls=(
            Control(
                "queries of the whole window exceed it, too", lambda: exceed_every_bill(lambda window: window.size)
            ),
            Control("6 combine calls a look-up are too few at n = 32", lambda: slide_and_look_up(32, 6, farthest)),
        ),
        not_covered="every k; that O(log n) a look-up is enough, as is known of path compression",
        deep=Deep("n = 32, 64, ..., 2048: a history each", lambda: exceed_every_bill(sizes=range(5, 12))),
    ),
    exploration(
        id="slick-deque/explored",
        statement="SlickDeque answers the product of the window, and of the newest elements, for every associative "
        "operator with x ⊗ y in {x, y}, whether it commutes or not; without a combine call; all inserts invoke "
        "combine at most twice an insert.",
        source=cite(IN_ORDER, place="section 8.3") & cite(OUT_OF_ORDER, place="section 6"),
        algorithm=SLICK_DEQUE.name,
        reject=partial(_reject, SLICK_DEQUE),
        scope=_slick_scope(3),
        code=code_of(SlickDeque),
        check=lambda: judge(find(lambda: explore_slick_deque(SlickDeque, 3)), (864, 5613)),
        controls=(*WRONG_SLICK, *UNSEEN_SLICK),
        deep=Deep(_slick_scope(5), lambda: judge(find(lambda: explore_slick_deque(SlickDeque, 5)), (7538, 63994))),
    ),
    exploration(
        id="stream-slicing/explored",
        statement="Stream slicing over FiBA answers periodic windows and sessions that share slices, for records in "
        "any order down to the watermark: slices are updated, fused and created as they must be, and none is kept at "
        "the end. Where the operator does not commute, each time is a slice.",
        source=cite(OUT_OF_ORDER, place="section 6 (Scotty with FiBA as its store)"),
        algorithm=STREAM_SLICING.name,
        reject=partial(_reject, STREAM_SLICING),
        scope=_slicing_scope(3),
        code=code_of(StreamSlicing),
        check=lambda: judge(find(lambda: explore_stream_slicing(StreamSlicing, 3)), (694, 6342)),
        controls=(*WRONG_SLICING, ALONE["slices that were fused are kept"]),
        deep=Deep(
            _slicing_scope(6), lambda: judge(find(lambda: explore_stream_slicing(StreamSlicing, 6)), (8676, 120287))
        ),
        not_covered=f"{NOT_THE_LISTING}; records farther apart, other queries. The lemmas that are missing: that "
        "`begins` and `lasts`, lists in which an item comes or goes in the midst, stay the runs of records that "
        "stream-slicing/parting parts, as a slice is updated, fused or created; that an entry of the FiBA is its run's "
        "product, which where the operator commutes is that of a set of records, no stretch of a stream; and that a "
        "session is a union of runs",
    ),
    Claim(
        id="stream-slicing/parting",
        statement="Two records with none between are in one slice just where no window of a periodic query begins or "
        "ends between them, and no session has its gap there; where the operator does not commute, just where they are "
        "of one time.",
        source=cite(OUT_OF_ORDER, place="section 6 (Scotty with FiBA as its store)"),
        algorithm=STREAM_SLICING.name,
        kind="proved",
        engine="symbolic execution, Z3",
        scope="any number of periodic queries and of sessions, of any range, slide and gap; every two times",
        code=code_of(StreamSlicing, "are_together", "cell"),
        check=parting,
        controls=(
            *WRONG_SLICING.pick(
                "slices reach over edges",
                "a gap of just `gap` goes on",
                "records of several times share a slice where the operator does not commute",
            ),
            ALONE["the longest of the gaps counts"],
            ALONE["the earliest of the queries' edges counts"],
        ),
        not_covered="the edges of one query, by slicing/pairs; the runs of many records: see stream-slicing/explored",
    ),
)
