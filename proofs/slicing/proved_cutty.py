"""Claims about Cutty for every size: theorems about its own code."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any, Final

from swagproof.proofs.engine.paths import Exploration
from swagproof.proofs.ledger.claim import STREAM_WINDOWS, Claim, cite, code_of
from swagproof.proofs.ledger.theorem import Theorem
from swagproof.proofs.ledger.variants import Variant, mutants_of
from swagproof.proofs.slicing.cutty import EVERY_RECORD_CUTS, NOTED_BEFORE_CUT, WRONG
from swagproof.proofs.slicing.cutty_runs import OPERATIONS, CuttyOperation, explore_cutty
from swagproof.proofs.slicing.store_runs import OPERATIONS as OF_STORE
from swagproof.proofs.slicing.store_runs import StoreOperation as OfStore
from swagproof.proofs.slicing.store_runs import explore_store
from swagproof.reference.slicing import cutty

Enough = Callable[[Exploration], bool]


@cache
def _explore_store(operation: OfStore) -> Exploration:
    return explore_store(cutty.SliceStore, operation, lambda _: False)


def store(operation: OfStore, variant: Variant | None, enough: Enough) -> Exploration:
    """An operation of the store, kept for the next claim; or of a mutant."""
    if variant is None:
        return _explore_store(operation)
    return explore_store(variant.rewrite(cutty).SliceStore, operation, enough)


def _affected(operations: tuple[Any, ...], variant: Variant) -> list[Any]:
    """Those that a mistake can make a difference to."""
    methods = {edit.method.partition(".")[2].replace("__init__", "start") for edit in variant.edits}
    return [operation for operation in operations if not methods or operation in methods]


ALONE: Final = mutants_of("cutty", "every stream, for one claim")
"""Each is for one claim alone."""


@cache
def _explore_cutty(operation: CuttyOperation) -> Exploration:
    return explore_cutty(cutty.Cutty, operation, lambda _: False)


def explore(operation: CuttyOperation, variant: Variant | None, enough: Enough) -> Exploration:
    """An operation of Cutty, kept for the next claim; or of a mutant."""
    if variant is None:
        return _explore_cutty(operation)
    return explore_cutty(variant.rewrite(cutty).Cutty, operation, enough)


def _runs_of(variant: Variant) -> list[CuttyOperation]:
    """Those that a mistake can make a difference to: helpers are run where they are called."""
    called = {"__init__": "start", "cut": "insert", "aggregate": "evaluate"}
    methods = {edit.method.partition(".")[2] for edit in variant.edits}
    methods = {called.get(method, method) for method in methods}
    return [operation for operation in OPERATIONS if not methods or operation in methods]


STORE: Final[Theorem[OfStore]] = Theorem(
    explore=store, runs=OF_STORE, rests_on=OF_STORE, affected=partial(_affected, OF_STORE)
)
CUTTY: Final[Theorem[CuttyOperation]] = Theorem(
    explore=explore, runs=OPERATIONS, rests_on=OPERATIONS, affected=_runs_of
)

_SOURCE: Final = cite(STREAM_WINDOWS, place="Cutty: A Hybrid Approach")

CLAIMS: Final[tuple[Claim, ...]] = (
    STORE.claim(
        id="cutty/store",
        statement="The store has every slice kept in a place of its FlatFAT, and nothing behind them: what is added is "
        "the next one, a suffix is the product of the slices from there on, and just those before a number are "
        "forgotten. Set anew, it has at least twice as many places as slices, and 2 or less than 4 times as many. A "
        "slice that is added takes log2 n combine calls, and n - 1 more where the tree is set anew, to n places; a "
        "suffix at most log2 n.",
        source=_SOURCE,
        algorithm="Cutty",
        scope="any slices, any number of places; every monoid",
        code=code_of(cutty.SliceStore),
        controls=(
            *WRONG.pick(
                "the store forgets a slice more",
                "slices are kept for ever",
                "a window lacks its first slice",
                "rebuilding loses the oldest slice",
                "rebuilding leaves the base behind",
                "rebuilding leaves no place",
                "every slice is written to the first place",
                "a slice is stored twice",
                "a suffix is combined in vain",
            ),
            ALONE["rebuilding leaves few places"],
            ALONE["a tree that is set anew has another operator"],
            ALONE["a suffix forgets the slices before it"],
            ALONE["a store keeps the slice that comes"],
        ),
        not_covered="what FlatFAT does and costs, by flat-fat/proved-equation-4.1, flat-fat/proved-answer and the "
        "claims about its calls",
    ),
    CUTTY.claim(
        id="cutty/proved",
        statement="Slices begin with the records with which windows begin, and with no others; each is the product of "
        "its records; each open window is noted with the slice that it begins with, which is kept, and the first that "
        "is kept is one of these; where none is open, nothing is kept. Each window that ends is answered once, a "
        "query's oldest first, by the ordered product of its records: one that was over before a record without it, "
        "one that ends with a record with it. A record takes at most 1 combine call besides what the store takes for a "
        "slice, an answer 1 besides the store's suffix.",
        source=_SOURCE,
        algorithm="Cutty",
        scope="any number of queries of any deterministic windows, any number of them open; streams of any length; "
        "every monoid",
        code=code_of(cutty.Cutty, "insert", "tell", "cut", "evaluate", "aggregate", "release"),
        controls=(
            ALONE["thirty queries are kept"],
            ALONE["a query keeps 700 windows"],
            ALONE["queries note their windows together"],
            ALONE["a record that begins a slice ends the queries"],
            *WRONG.pick(
                "a slice keeps its newest record alone",
                "a window begins with the slice before",
                "of windows that begin together one is noted",
                "the new record is stored as a slice",
                "the active slice goes on after it is stored",
                "an empty slice is stored when there was none",
                "slices of open windows are forgotten",
                "records in no window are kept",
                "a record is combined on the left",
                "windows that end with a record lack it",
                "the newest window ends first",
                "a window ends without an answer",
                "the active slice comes first",
                "an answer lacks the active slice",
                "a record costs one combine call too many",
                "an answer costs one combine call too many",
            ),
            NOTED_BEFORE_CUT,
            EVERY_RECORD_CUTS,
        ),
        not_covered="more queries than the hundred that __init__ is run with; queries that look back, which "
        "cutty/explored explores: what is missing is that a record and its slice then have one number; discretise: "
        "that it hands on what each function says, and refuses what check_marks refuses, which cutty/explored "
        "explores; the store, by cutty/store",
    ),
)
