"""The matrix of claims: for each algorithm and aspect, the claims about it, strongest evidence first.

`ASPECTS` gives each claim its aspects, by its id, by the group of its id, or by the last part of its id.  Claims with
the same kind of evidence are in the order of that table.
"""

from collections.abc import Iterable
from functools import cache
from operator import itemgetter
from typing import Final, Literal, TypeAlias, get_args

from swagproof.proofs.ledger.claim import OF_THE_TEXT, Claim, Kind
from swagproof.reference.catalogue import CATALOGUE

MainAspect = Literal["answer", "invariants", "cost", "space", "errors", "termination"]
"""An aspect with a column in the matrix."""
Aspect: TypeAlias = MainAspect | Literal["lemma", "model", "text"]
"""A main aspect; or a step of a proof (lemma), a definition that algorithms rest on (model), a paper's text."""

MAIN_ASPECTS: Final[tuple[MainAspect, ...]] = get_args(MainAspect)
MARKS: Final[dict[Kind, str]] = {"proved": "P", "exhaustive": "E", "sampled": "S", "argued": "A"}
"""Kinds of evidence, the strongest first, each with its mark."""
LEGEND: Final = ", ".join(f"{mark} {kind}" for kind, mark in MARKS.items())

ASPECTS: Final[dict[Aspect, str]] = {
    "answer": """
        answer proved-answer slicing/proved cutty/proved stream/proved timegram/bounds
        proved-query ordered-sharing/proved proved-range-query proved-tree-answer explored fiba/explored
        b-tree/explored base-intervals/explored windows/explored windows/streams histories cutty/fall-back
        cutty/aggregate
        """,
    "invariants": """
        invariants proved-invariants proved-insert proved-evict slicing/proved cutty/proved cutty/store stream/proved
        timegram/proved timegram/placed ordered-sharing/proved ordered-sharing/orders
        proved-equation-4.1 proved-equation-4.2 proved-tickets proved-fill reactive-aggregator-fifo/proved-fill
        proved-tree explored fiba/explored b-tree/explored base-intervals/explored histories
        """,
    "cost": """
        calls proved-calls slicing/proved cutty/proved stream/proved proved-update-calls proved-repair-cost amortised
        proved-account proved-search proved-rebalancing-cost proved-query proved-query-calls proved-new-calls
        proved-filled-calls proved-claim-4.3 proved-tree-calls reactive-aggregator-fifo/proved-fill
        proved-local-repair cutty/store ordered-sharing/proved coins-arithmetic
        least-max-arity cycle explored fiba/explored b-tree/explored base-intervals/explored timegram/inspected
        corollary-4.4 pre-aggregation order aggregate-sharing/cost
        """,
    "space": """
        space proved-space slicing/proved cutty/proved cutty/store cutty/fewest explored fiba/explored b-tree/explored
        base-intervals/explored windows/explored
        """,
    "errors": """
        empty proved-refused slicing/proved fiba/explored b-tree/explored base-intervals/explored windows/explored
        """,
    "termination": """
        flip-ends query-ends proved-ends proved-insert proved-evict proved-search
        """,
    "lemma": """
        branches proved-branches proved-step-branches definition-1 last-turn-wasted aggRA-reset-unneeded fields-read
        to-repair substitute up-unasked proved-steps proved-parts proved-walks proved-change-propagation proved-shape
        lower-bound/ slicing/windows slicing/panes slicing/pairs slicing/starts slicing/fewest longest-panes
        alternating slicing/shared slicing/edges discretisation wasted-steps
        """,
    "model": """
        composition/ deque/ operations/ search-tree/ shared-windows/ table-1/ table-2/ windows/
        """,
}
"""The claims of each aspect; a claim can have several.  An id outranks a group (`deque/`), a group outranks a last
part.
"""

_ENTRIES: Final[dict[str, tuple[str, ...]]] = {
    "windows/streams": ("Aggregate operator",),
    "windows/explored": ("Windowing library", "Aggregate operator"),
    "Slicing": ("Slicing: panes", "Slicing: pairs", "Slicing: starts"),
    "naive STREAM": ("STREAM",),
    "windows": ("Windowing library",),
}
"""The catalogue's names of the algorithms that a claim is about, by the claim's id or its own name for them."""


@cache
def _find_aspects() -> dict[str, tuple[Aspect, ...]]:
    found: dict[str, tuple[Aspect, ...]] = {}
    for aspect, names in ASPECTS.items():
        for name in names.split():
            found[name] = (*found.get(name, ()), aspect)
    return found


def name_key(claim: Claim) -> str:
    """Return the key in `ASPECTS` that gives a claim its aspects.  Raises KeyError if there is none."""
    group, _, part = claim.id.partition("/")
    for name in (claim.id, f"{group}/", part):
        if name in _find_aspects():
            return name
    raise KeyError(f"{claim.id} has no aspect in {__name__}.ASPECTS")


def aspects_of(claim: Claim) -> tuple[Aspect, ...]:
    """Return the aspects of a claim.  Raises KeyError if it has none."""
    return ("text",) if claim.kind in OF_THE_TEXT else _find_aspects()[name_key(claim)]


def name_entries(claim: Claim) -> tuple[str, ...]:
    """Return the names of the algorithms that a claim is about, as in the catalogue if it has them."""
    return _ENTRIES.get(claim.id) or _ENTRIES.get(claim.algorithm) or (claim.algorithm,)


def arrange(claims: Iterable[Claim]) -> dict[str, dict[MainAspect, list[Claim]]]:
    """Return the claims of each cell, the strongest evidence first; an algorithm with no claim in a cell is left out.

    >>> from swagproof.proofs.claims import CLAIMS
    >>> [claim.id for claim in arrange(CLAIMS)["DABA"]["answer"]]
    ['daba/answer', 'daba/explored', 'daba/histories']
    """
    cells: dict[str, dict[MainAspect, list[Claim]]] = {entry.name: {} for entry in CATALOGUE}
    about = [(claim, name) for claim in claims for name in name_entries(claim) if name in cells]
    kinds = list(MARKS)
    for aspect in MAIN_ASPECTS:
        order = ASPECTS[aspect].split()
        ranked = [
            (kinds.index(claim.kind), order.index(name_key(claim)), claim, name)
            for claim, name in about
            if aspect in aspects_of(claim)
        ]
        for _, _, claim, name in sorted(ranked, key=itemgetter(0, 1)):
            cells[name].setdefault(aspect, []).append(claim)
    return {name: row for name, row in cells.items() if row}


def shorten(claim: Claim, algorithm: str) -> str:
    """Return a claim's id, without its group if the group is the algorithm's name in ids."""
    group, _, part = claim.id.partition("/")
    return part if any((entry.name, entry.slug) == (algorithm, group) for entry in CATALOGUE) else claim.id
