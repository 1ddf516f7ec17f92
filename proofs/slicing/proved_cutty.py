"""What is claimed of Cutty for every size: theorems about its own code."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any, Final

from swagproof.proofs.engine.paths import Exploration
from swagproof.proofs.ledger.claim import STREAM_WINDOWS, Claim, cite, code_of
from swagproof.proofs.ledger.theorem import Theorem
from swagproof.proofs.ledger.variants import Variant, wrong
from swagproof.proofs.slicing.cutty import WRONG
from swagproof.proofs.slicing.store_runs import OPERATIONS as OF_STORE
from swagproof.proofs.slicing.store_runs import Operation as OfStore
from swagproof.proofs.slicing.store_runs import explore_store
from swagproof.reference.slicing import cutty

Enough = Callable[[Exploration], bool]


@cache
def _explore_store(operation: OfStore) -> Exploration:
    return explore_store(cutty.SliceStore, operation, lambda _: False)


def store(operation: OfStore, variant: Variant | None, enough: Enough) -> Exploration:
    """An operation of the store, kept for the next claim; or of a wrong variant."""
    if variant is None:
        return _explore_store(operation)
    return explore_store(variant.rewrite(cutty).SliceStore, operation, enough)


def _affected(operations: tuple[Any, ...], variant: Variant) -> list[Any]:
    """Those that a mistake can make a difference to."""
    methods = {edit.method.partition(".")[2] for edit in variant.edits}
    return [operation for operation in operations if not methods or operation in methods]


def of_store(states: Callable[[str], bool]) -> Theorem[OfStore]:
    """That the store's operations meet these obligations, resting on all."""
    return Theorem(
        explore=store, states=states, runs=OF_STORE, rests_on=OF_STORE, affected=partial(_affected, OF_STORE)
    )


FEW_PLACES: Final = wrong(
    "rebuilding leaves few places", ("SliceStore.rebuild", "n < 2 * len(kept)", "n < len(kept) + 1")
)


def _of_calls(obligation: str) -> bool:
    return obligation.endswith(("calls", "free"))


KEPT: Final = of_store(lambda obligation: not _of_calls(obligation))
CALLS: Final = of_store(_of_calls)

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
            FEW_PLACES,
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
)
