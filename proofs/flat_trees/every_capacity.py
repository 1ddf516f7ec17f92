"""Proofs about the Reactive Aggregator for every capacity, in any order and for FIFO, and the mutants to reject.

Its own methods are run symbolically over FlatFAT's contract (swagproof.proofs.flat_trees.buffer_runs), from every state
that meets the clauses in proofs/lemmas/buffer_loops.py.  A method with a contract there is run by itself, and replaced
by its contract in other runs.  A claim fails if any obligation of any operation fails; a control must be refuted, with
a counterexample, on the claim's own obligations.
"""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any, Final, get_args

from swagproof.proofs.engine.obligation import RAISES
from swagproof.proofs.flat_trees.buffer_runs import (
    AnyOrderBuffer,
    BufferOperation,
    BufferRun,
    FifoBuffer,
    explore_operation,
)
from swagproof.proofs.flat_trees.buffer_values import LEMMAS
from swagproof.proofs.flat_trees.complete_trees import lemma
from swagproof.proofs.ledger.claim import GENERAL, Claim, cite, code_of
from swagproof.proofs.ledger.mutants import Mutants, algorithm_of
from swagproof.proofs.ledger.theorem import Families, ProvedRuns
from swagproof.reference.catalogue import REACTIVE_AGGREGATOR, REACTIVE_AGGREGATOR_FIFO, Column

WRONG: Final = Mutants(REACTIVE_AGGREGATOR, table="reactive-aggregator", section="every capacity")
"""The mutants of these proofs, besides those of swagproof.proofs.flat_trees.reactive_aggregator."""
WRONG_FIFO: Final = Mutants(REACTIVE_AGGREGATOR_FIFO, table="reactive-aggregator-fifo", section="every capacity")


INVARIANT: Final = "invariant"
_CLAUSES: Final[dict[str, frozenset[str]]] = {
    "answer": frozenset(
        {"answer", "an empty window is answered by the identity", "combine joins neighbours, older on the left"}
        | {
            f"{name}{what}"
            for name in ("prefix", "suffix", "aggregate")
            for what in (
                " is of places that there are",
                " is of occupied places",
                ": places hold elements in their order",
                ": none is left out",
            )
        }
    ),
    "tickets": frozenset({"ticket", "tickets_lead", "tickets_in_order", "ticketed", "leading", "compacted"}),
    "fill": frozenset({"filled", "fits", "some_left", "packed", "utilisation", "resized"}),
    "account": frozenset({"insert paid", "evict paid", "the account opens with one coin at most for each slot"}),
    "calls": frozenset(
        {"insert calls", "evict calls", "query calls", "batch", "the tree is asked for nothing"}
        | {"the tree is asked for no more than the answer takes", "a resize asks for one slide at most"}
    ),
    "ends": frozenset({"loop variant falls", "elements", "ranks"}),
    RAISES: frozenset({RAISES}),
    "refused": frozenset(
        {"bad input is refused", "bad input alone is refused", "nothing has changed", "a bad capacity is refused"}
    ),
}
FAMILIES: Final = Families(_CLAUSES, rest=INVARIANT, also=("tickets", "ends", RAISES))


def _runs(
    column: Column,
    kind: type[BufferRun],
    names: tuple[BufferOperation, ...],
    runs_of: Mapping[str, tuple[BufferOperation, ...]],
) -> ProvedRuns[BufferOperation]:
    return ProvedRuns(
        algorithm=column.name,
        slug=column.slug,
        explore=lambda operation, mutant, enough: explore_operation(
            kind, algorithm_of(column, mutant), operation, enough
        ),
        names=names,
        runs_of=runs_of,
        lemmas=cache(partial(lemma, *LEMMAS)),
    )


ANY_ORDER: Final = _runs(
    REACTIVE_AGGREGATOR,
    AnyOrderBuffer,
    get_args(BufferOperation),
    {
        "insert": ("insert",),
        "is_full": ("insert",),
        "evict": ("evict a ticket", "evict", "evict when empty", "evict what is not there"),
        "query": ("query",),
        "is_inverted": ("query",),
        "apply_pending": ("query", "compact"),
        "skip_holes": ("skip_holes",),
        "compact": ("compact",),
        "resize": ("resize",),
        "make_room": ("resize", "start"),
        "slots": ("resize", "compact"),
        "clear": ("evict", "compact"),
        "write": ("insert", "compact"),
        "after": ("insert", "skip_holes"),
    },
)
FIFO: Final = _runs(
    REACTIVE_AGGREGATOR_FIFO,
    FifoBuffer,
    ("start", "start refused", "resize", "insert", "evict", "evict when empty", "query"),
    {
        "insert": ("insert",),
        "evict": ("evict", "evict when empty"),
        "query": ("query",),
        "apply_pending": ("query",),
        "resize": ("resize",),
        "slots": ("resize",),
        "after": ("insert", "evict"),
        "make_room": ("resize", "start"),
    },
)
FORMS: Final = {REACTIVE_AGGREGATOR: ANY_ORDER, REACTIVE_AGGREGATOR_FIFO: FIFO}
"""The runs of both forms of the aggregator."""


def claim(column: Column, name: str, *families: str, runs: tuple[BufferOperation, ...] = (), **said: Any) -> Claim:
    """Return the claim that some operations meet the obligations of some families, resting on all obligations."""
    return FORMS[column].claim(
        f"proved-{name}",
        states=FAMILIES.of(*families),
        runs=runs,
        scope="every monoid, capacity (a power of two), window and history",
        code=code_of(column.algorithm),
        **said,
    )


def every_branch_reached(column: Column, kind: type[BufferRun], *never: str, but: str) -> Claim:
    """Return the claim that the proofs reach both outcomes of every condition, except the named ones."""
    return FORMS[column].every_branch_reached(
        kind,
        partial(algorithm_of, column),
        *never,
        but=but,
        source=cite(GENERAL, place="what the proofs cover"),
        scope="every capacity",
        code=code_of(column.algorithm),
    )


_OVER_FLAT_FAT: Final = (
    "FlatFAT itself, for which its own rows stand: `flat-fat/proved-equation-4.1`, `-answer`, `-refused`"
)
_OVER_SLIDE: Final = (
    "the tree itself, for which its own rows stand: `reactive-aggregator-fifo/proved-tree`, `-tree-answer`, "
    "`-tree-calls`"
)

CLAIMS: Final[tuple[Claim, ...]] = (
    claim(
        REACTIVE_AGGREGATOR,
        "invariants",
        INVARIANT,
        statement="Insert, evict of any element, query, resize and compact keep: a slot is a hole, without ticket and "
        "⊥, or from front to back and holds the element before which there are as many as there are elements in the "
        "slots before it; there are elements at front and back.",
        source=cite(GENERAL, place="section 5.1.1, as read in RA-1, RA-2, RA-8"),
        not_covered=_OVER_FLAT_FAT,
    ),
    claim(
        REACTIVE_AGGREGATOR,
        "tickets",
        "tickets",
        statement="Each ticket of the window, and no other, leads to the slot of its element, wherever resizes and "
        "compacts have moved it; insert answers the number of elements that came before.",
        source=cite(GENERAL, place="section 5.1.1; the tickets are ours (reading RA-9)"),
        runs=("start", "resize", "compact", "skip_holes", "insert", "evict", "evict a ticket"),
        not_covered=_OVER_FLAT_FAT,
    ),
    claim(
        REACTIVE_AGGREGATOR,
        "answer",
        "answer",
        statement="Query returns the product of the window in the order of arrival, whatever left and when: of a "
        "normal buffer the aggregate of the tree, of an inverted one its suffix from the front with its prefix to the "
        "back.",
        source=cite(GENERAL, place="section 5.1.2"),
        runs=("query",),
        not_covered=_OVER_FLAT_FAT,
    ),
    claim(
        REACTIVE_AGGREGATOR,
        "fill",
        "fill",
        statement="(i) After a resize, which doubles or halves, 3/8 c <= n <= 1/2 c, where the new capacity is at "
        "least 8 and no less than the first one; (ii) after a resize or compact there are no holes; n >= c/4, or c = 2 "
        "and n = 0, or c is no larger than it began.",
        source=cite(
            GENERAL, place="section 5.1.1, observations (i) and (ii), as corrected (erratum RA-3); reading RA-4"
        ),
        not_covered="that a capacity that is no less than 8 is needed",
    ),
    claim(
        REACTIVE_AGGREGATOR,
        "account",
        "account",
        statement="Resizes and compacts, at one coin a slot, cost at most 4 coins an insert and 2 an evict, and one "
        "for each slot to begin with: 4 max(u - c/2, 0) + 2 (max(u, c/2) - n) is a potential, u slots being used.",
        source=cite(GENERAL, place="section 5.1.1, the amortised cost, with its constants (erratum RA-10)"),
        runs=("start", "insert", "evict", "evict a ticket"),
        not_covered="that whole numbers below 4 and 2 do not do, which a test shows by two histories",
    ),
    claim(
        REACTIVE_AGGREGATOR,
        "calls",
        "calls",
        statement="Insert and evict ask FlatFAT for nothing, but in a resize (a new one) or compact (one update); a "
        "query asks it for one update of no more places than events came since the last, and for one aggregate, or a "
        "suffix and a prefix, which it combines.  With Theorem 4.2 that bounds the calls to combine.",
        source=cite(
            GENERAL,
            "Theorem 4.1",
            place="readings FAT-6 and RA-6",
            compared="corrected: counted in calls, without resizes",
        ),
        not_covered="FlatFAT itself, for which its own rows stand: `flat-fat/proved-update-calls`, `-query-calls`, and "
        "of a resize, of less than n calls, `-filled-calls`",
    ),
    claim(
        REACTIVE_AGGREGATOR,
        "ends",
        "ends",
        statement="Every loop over holes ends: from the front there is an element before the back, and from the back "
        "one before the front, as the ranks count them.",
        source=cite(GENERAL, place="silent; ours"),
        runs=("resize", "compact", "skip_holes"),
    ),
    claim(
        REACTIVE_AGGREGATOR,
        "refused",
        "refused",
        RAISES,
        statement="A capacity that is no power of two is refused; evict of an empty window raises EmptyWindowError, of "
        "a ticket that is not in it NotInWindowError, and nothing has changed.",
        source=cite(GENERAL, place="silent; decided here"),
        runs=("start refused", "evict when empty", "evict what is not there"),
        not_covered="capacities and tickets that are no integers",
    ),
    claim(
        REACTIVE_AGGREGATOR_FIFO,
        "invariants",
        INVARIANT,
        statement="Insert, evict, query and resize keep: the slots from front to back are the window, and the tree is "
        "told of each slot that was taken or left since it was written.",
        source=cite(GENERAL, place="section 5.2"),
        not_covered=_OVER_SLIDE,
    ),
    claim(
        REACTIVE_AGGREGATOR_FIFO,
        "answer",
        "answer",
        statement="Query returns the product of the window, the identity when it is empty.",
        source=cite(GENERAL, place="section 5.2 (reading RA-7)"),
        runs=("query",),
        not_covered=_OVER_SLIDE,
    ),
    claim(
        REACTIVE_AGGREGATOR_FIFO,
        "fill",
        "fill",
        "account",
        statement="As for the Reactive Aggregator: 3/8 c <= n <= 1/2 c after a resize; the utilisation; 4 coins an "
        "insert and 2 an evict, of which 4 max(n - c/2, 0) + 2 max(c/2 - n, 0) are saved.",
        source=cite(GENERAL, place="section 5.1.1 (errata RA-3, RA-10)"),
    ),
    claim(
        REACTIVE_AGGREGATOR_FIFO,
        "calls",
        "calls",
        statement="Insert and evict ask the tree for nothing, but in a resize, which asks for one slide; a query asks "
        "it for one slide and for one aggregate, or a suffix and a prefix, which it combines; of an empty window for "
        "nothing.",
        source=cite(
            GENERAL, "Theorem 4.1", place="section 5.2", compared="corrected: counted in calls, without resizes"
        ),
        not_covered=f"how many places a slide is told of; {_OVER_SLIDE}",
    ),
    claim(
        REACTIVE_AGGREGATOR_FIFO,
        "refused",
        "refused",
        RAISES,
        statement="A capacity that is no power of two is refused; evict of an empty window raises EmptyWindowError, "
        "and nothing has changed.",
        source=cite(GENERAL, place="silent; decided here"),
        runs=("start refused", "evict when empty"),
        not_covered="capacities that are no integers",
    ),
    every_branch_reached(
        REACTIVE_AGGREGATOR,
        AnyOrderBuffer,
        "__init__: type(capacity) is not int never True",
        "resize: ticket is not None never False",
        but="that a capacity is no integer, and that a slot of an element has no ticket",
    ),
    every_branch_reached(
        REACTIVE_AGGREGATOR_FIFO,
        FifoBuffer,
        "__init__: type(capacity) is not int never True",
        but="that a capacity is no integer",
    ),
)
