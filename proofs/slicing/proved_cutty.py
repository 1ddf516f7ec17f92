"""Claims about Cutty for every size: theorems about its own code."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any, Final

from swagproof.proofs.engine.obligation import Obligation
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


def of_store(states: Callable[[Obligation], bool]) -> Theorem[OfStore]:
    """Return the theorem that the store's operations meet these obligations, resting on all."""
    return Theorem(
        explore=store, states=states, runs=OF_STORE, rests_on=OF_STORE, affected=partial(_affected, OF_STORE)
    )


ALONE: Final = mutants_of("cutty", "every stream, for one claim")
"""Each is for one claim alone."""


FAMILIES: Final = {
    "calls": frozenset(
        {"answer calls", "append calls", "record calls", "release calls", "suffix calls", "free"},
    ),
    "answers": frozenset(
        {
            "answer",
            "answered",
            "as many are answered as end",
            "as many windows are open as end",
            "combine joins neighbours, older on the left",
            "each window that is gone is answered",
            "gone",
            "gone_of_queries",
            "gone_of_windows",
            "the windows that end are answered",
            "windows are answered before the record, and with it",
        }
    ),
}
"""The clauses of each family of obligations; what is in none of them is in the family `kept`."""


def family(obligation: Obligation) -> str:
    """Return the family that an obligation belongs to."""
    return next((name for name, clauses in FAMILIES.items() if obligation.clause in clauses), "kept")


KEPT: Final = of_store(lambda obligation: family(obligation) != "calls")
CALLS: Final = of_store(lambda obligation: family(obligation) == "calls")


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


def of_cutty(*families: str) -> Theorem[CuttyOperation]:
    """Return the theorem that Cutty's operations meet some families' obligations, resting on all and on the store's."""
    return Theorem(
        explore=explore,
        states=lambda obligation: family(obligation) in families,
        runs=OPERATIONS,
        rests_on=OPERATIONS,
        affected=_runs_of,
    )


claim: Final = partial(
    Claim,
    source=cite(STREAM_WINDOWS, place="Cutty: A Hybrid Approach"),
    algorithm="Cutty",
    kind="proved",
    engine="symbolic execution, Z3",
)


CLAIMS: Final[tuple[Claim, ...]] = (
    claim(
        id="cutty/store",
        statement="The store has every slice kept in a place of its FlatFAT, and nothing behind them: what is added is "
        "the next one, a suffix is the product of the slices from there on, and just those before a number are "
        "forgotten. Set anew, it has at least twice as many places as slices, and 2 or less than 4 times as many.",
        scope="any slices, any number of places; every monoid",
        code=code_of(cutty.SliceStore),
        check=KEPT.check,
        reject=KEPT.reject,
        controls=(
            *WRONG.pick(
                "the store forgets a slice more",
                "slices are kept for ever",
                "a window lacks its first slice",
                "rebuilding loses the oldest slice",
                "rebuilding leaves the base behind",
                "rebuilding leaves no place",
                "every slice is written to the first place",
            ),
            ALONE["rebuilding leaves few places"],
            ALONE["a tree that is set anew has another operator"],
            ALONE["a suffix forgets the slices before it"],
            ALONE["a store keeps the slice that comes"],
        ),
        not_covered="what FlatFAT does, by flat-fat/proved-equation-4.1 and flat-fat/proved-answer",
    ),
    claim(
        id="cutty/store-calls",
        statement="A slice that is added takes log2 n combine calls, and n - 1 more where the tree is set anew, to n "
        "places; a suffix at most log2 n.",
        scope="any slices, any number of places; every operator",
        code=code_of(cutty.SliceStore, "append", "rebuild", "suffix"),
        check=CALLS.check,
        reject=CALLS.reject,
        controls=WRONG.pick("a slice is stored twice", "a suffix is combined in vain"),
        not_covered="what FlatFAT's operations cost, by flat-fat/proved-new-calls, flat-fat/proved-update-calls and "
        "flat-fat/proved-query-calls",
    ),
    *(
        claim(
            id=f"cutty/{name}",
            statement=statement,
            scope="any number of queries of any deterministic windows, any number of them open; streams of any length; "
            "every monoid",
            code=code_of(cutty.Cutty, "insert", "tell", "cut", "evaluate", "aggregate", "release"),
            check=of_cutty(states).check,
            reject=of_cutty(states).reject,
            controls=controls,
            not_covered="more queries than the hundred that __init__ is run with; queries that look back, which "
            "cutty/mixed explores: what is missing is that a record and its "
            "slice then have one number; discretise: that it hands on what each function says, and refuses what "
            "check_marks refuses, which cutty/shared explores; the store, by cutty/store",
        )
        for name, states, statement, controls in (
            (
                "kept",
                "kept",
                "Slices begin with the records with which windows begin, and with no others; each is the product of "
                "its records; each open window is noted with the slice that it begins with, which is kept, and the "
                "first that is kept is one of these; where none is open, nothing is kept.",
                (
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
                    ),
                    NOTED_BEFORE_CUT,
                    EVERY_RECORD_CUTS,
                ),
            ),
            (
                "answers",
                "answers",
                "Each window that ends is answered once, a query's oldest first, by the ordered product of its "
                "records: one that was over before a record without it, one that ends with a record with it.",
                WRONG.pick(
                    "a record is combined on the left",
                    "windows that end with a record lack it",
                    "the newest window ends first",
                    "a window ends without an answer",
                    "the active slice comes first",
                    "an answer lacks the active slice",
                ),
            ),
            (
                "proved-calls",
                "calls",
                "A record takes at most 1 combine call besides what the store takes for a slice, an answer 1 besides "
                "the store's suffix.",
                WRONG.pick("a record costs one combine call too many", "an answer costs one combine call too many"),
            ),
        )
    ),
)
