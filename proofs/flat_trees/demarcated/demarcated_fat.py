"""What is proved of the tree of the Reactive Aggregator for FIFO, for every n = 2^k, and the wrong variants that the
proofs must reject.

Its own methods are run symbolically (swagproof.proofs.flat_trees.demarcated.demarcated_runs); the aggregator is proved
over what is shown here (swagproof.proofs.flat_trees.every_capacity).
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Final

from swagproof.proofs.engine.paths import Exploration, explore
from swagproof.proofs.flat_trees import reactive_aggregator_wrong as w
from swagproof.proofs.flat_trees.complete_trees import LEMMAS, lemma
from swagproof.proofs.flat_trees.demarcated.demarcated_runs import Operation, explore_operation, occupied_products
from swagproof.proofs.ledger.claim import GENERAL, Claim, Control, Source, cite, code_of
from swagproof.proofs.ledger.theorem import Theorem, conclude
from swagproof.proofs.ledger.variants import Variant, wrong
from swagproof.reference.catalogue import REACTIVE_AGGREGATOR_FIFO as FIFO
from swagproof.reference.flat_trees.reactive_aggregator_fifo import DemarcatedFat

METHODS_OF: Final[dict[Operation, frozenset[str]]] = {
    "slide": frozenset({"slide", "is_occupied", "rewrite", "propagate"}),
}
"""What an operation runs besides the method of its name."""

PREFIX_SWAPS: Final = wrong(
    "prefix of the occupied places swaps the operands",
    ("prefix", "combine(self.T[self.left(p)], a)", "combine(a, self.T[self.left(p)])"),
    part="Fat",
)
SUFFIX_TURNS: Final = wrong(
    "suffix of the occupied places turns at right children",
    ("suffix", "if v == self.left(p):", "if v == self.right(p):"),
    part="Fat",
)
REWRITE_IN_VAIN: Final = wrong(
    "a child on its own is combined in vain",
    (
        "rewrite",
        "self.T[v] = self.T[y]\n",
        "self.T[v] = self.T[y]\n            self.monoid.combine(self.T[y], self.T[y])\n",
    ),
    part="Fat",
)
REWRITE_TWICE: Final = wrong(
    "two children are combined twice",
    (
        "rewrite",
        "self.monoid.combine(self.T[x], self.T[y])\n",
        "self.monoid.combine(self.T[x], self.T[y])\n            self.monoid.combine(self.T[x], self.T[y])\n",
    ),
    part="Fat",
)

SLIDE_IN_VAIN: Final = wrong(
    "slide combines in vain at its end",
    ("slide", "self.propagate(W)", "self.propagate(W)\n    e = self.T[self.root()]\n    self.monoid.combine(e, e)"),
    part="Fat",
)


@cache
def _explore_reference(operation: Operation) -> Exploration:
    return explore_operation(DemarcatedFat, operation)


def _run(operation: Operation, variant: Variant | None, enough: Callable[[Exploration], bool]) -> Exploration:
    if variant is None:
        return _explore_reference(operation)
    return explore_operation(variant.of(FIFO.algorithm).Fat, operation, enough)


@cache
def _rests() -> Exploration:
    """The lemmas about trees, and products of occupied places from what their nodes keep."""
    report = lemma(*(part for parts in LEMMAS.values() for part in parts))
    report.merge(explore(partial(occupied_products, False)))
    return report


def _claim(
    name: str,
    operations: tuple[Operation, ...],
    *,
    statement: str,
    source: Source,
    scope: str,
    controls: Sequence[Variant | Control],
    not_covered: str = "",
) -> Claim:
    def affected(variant: Variant) -> Sequence[Operation]:
        changed = {edit.method for edit in variant.edits}
        return [each for each in operations if changed & METHODS_OF.get(each, frozenset({each}))] or operations

    proof = Theorem(
        explore=_run,
        states=lambda obligation: True,
        runs=operations,
        rests_on=operations,
        lemmas=_rests,
        affected=affected,
    )
    return Claim(
        id=f"{FIFO.slug}/proved-{name}",
        statement=statement,
        source=source,
        algorithm=FIFO.name,
        kind="proved",
        engine="symbolic execution, Z3",
        scope=scope,
        code=code_of(DemarcatedFat, *dict.fromkeys(each.split()[0] for each in operations)),
        check=proof.check,
        controls=tuple(controls),
        reject=proof.reject,
        not_covered=not_covered,
    )


def _mirrored() -> Control:
    def check() -> object:
        report = explore(partial(occupied_products, True))
        return conclude(report, stated=sum(report.shown.values()))

    return Control("the children's products swapped", check)  # type: ignore[arg-type]  # an outcome


CLAIMS: Final[tuple[Claim, ...]] = (
    _claim(
        "tree-answer",
        ("aggregate", "prefix", "suffix", "a"),
        statement="Where a node over occupied places holds what its children over such hold, in their order, aggregate "
        "is the product of the places from front to back, if these do not wrap around; prefix and suffix, of places "
        "that are all occupied, are their products.",
        source=cite(GENERAL, place="section 5.2"),
        scope="every associative operator; every n = 2^k, area and place",
        controls=(PREFIX_SWAPS, SUFFIX_TURNS, _mirrored()),
    ),
    _claim(
        "tree-calls",
        ("__init__", "slide"),
        statement="A slide of m places, changed or freed, makes at most m s + n/2^s - 1 calls, for each s in 0 .. log2 "
        "n, and none for m = 0; one to an area that does not wrap around, as a resize asks for, less than there are "
        "places in it. The constructor makes none, and keeps 2n - 1 slots.",
        source=cite(
            GENERAL, "Theorem 4.1", "Theorem 4.2", place="(ii), section 5.2", compared="stronger: fewer by one"
        ),
        scope="every operator; every n = 2^k, area, and set of places changed and freed",
        controls=(
            REWRITE_IN_VAIN,
            REWRITE_TWICE,
            SLIDE_IN_VAIN,
            w.WRONG_FIFO.get("the tree has a node too many"),
        ),
        not_covered="that a place both changed and freed counts once in m: here twice; what the tree holds then",
    ),
)
