"""Proofs about the Reactive Aggregator for every capacity, in any order and for FIFO, and the mutants to reject.

Its own methods are run symbolically over FlatFAT's contract (swagproof.proofs.flat_trees.buffer_runs), from every state
that meets the clauses in proofs/lemmas/buffer_loops.py; a method that has a contract there is run by itself, and
goes by it where it is called.  A claim fails when any obligation of any operation fails; a control must be refuted,
with a counterexample, on the claim's own obligations.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from swagproof.proofs.engine.obligation import RAISES, Obligation
from swagproof.proofs.engine.paths import Exploration, explore
from swagproof.proofs.engine.run import make_runnable
from swagproof.proofs.flat_trees import reactive_aggregator_wrong as w
from swagproof.proofs.flat_trees.buffer_runs import (
    AnyOrderBuffer,
    BufferOperation,
    BufferRun,
    FifoBuffer,
    explore_operation,
)
from swagproof.proofs.flat_trees.buffer_values import LEMMAS
from swagproof.proofs.ledger.claim import GENERAL, Claim, Outcome, Source, cite, code_of
from swagproof.proofs.ledger.theorem import ENGINE, Theorem, conclude_coverage
from swagproof.proofs.ledger.variants import Variant, WrongVariants, mutants_of
from swagproof.reference.catalogue import REACTIVE_AGGREGATOR, REACTIVE_AGGREGATOR_FIFO, Column

WRONG: Final = WrongVariants(REACTIVE_AGGREGATOR, table="reactive-aggregator", section="every capacity")
"""Mutants of these proofs' own, besides those of swagproof.proofs.flat_trees.reactive_aggregator_wrong."""
WRONG_FIFO: Final = WrongVariants(REACTIVE_AGGREGATOR_FIFO, table="reactive-aggregator-fifo", section="every capacity")

ALONE: Final = mutants_of("reactive-aggregator", "every capacity, for one claim")
"""Each is for one claim alone."""

INVARIANT: Final = "invariant"
FAMILIES: Final[dict[str, frozenset[str]]] = {
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
    "refused": frozenset(
        {"bad input is refused", "bad input alone is refused", "nothing has changed", "a bad capacity is refused"}
    ),
}
"""Families of obligations, by what is stated; one may be in several.  `INVARIANT` has those of the families `SHARED`,
and what is in none."""
SHARED: Final = ("tickets", "ends")


def _states(families: Sequence[str], obligation: Obligation) -> bool:
    what = obligation.clause
    if what == RAISES:
        return "refused" in families or INVARIANT in families
    if any(what in FAMILIES.get(family, ()) for family in families):
        return True
    return INVARIANT in families and not any(what in has for name, has in FAMILIES.items() if name not in SHARED)


@dataclass(frozen=True)
class AggregatorForm:
    """A form of the aggregator, and what is run of it."""

    column: Column
    kind: type[BufferRun]
    operations: tuple[BufferOperation, ...]
    runs_of: Mapping[str, tuple[BufferOperation, ...]]
    """The runs that a change of a method affects, the likeliest first; all runs for methods not listed."""


ANY_ORDER: Final = AggregatorForm(
    REACTIVE_AGGREGATOR,
    AnyOrderBuffer,
    (
        "start", "start refused", "resize", "compact", "skip holes", "insert", "evict", "evict a ticket",
        "evict when empty", "evict what is not there", "query",
    ),
    {
        "insert": ("insert",),
        "is_full": ("insert",),
        "evict": ("evict a ticket", "evict", "evict when empty", "evict what is not there"),
        "query": ("query",),
        "is_inverted": ("query",),
        "apply_pending": ("query", "compact"),
        "skip_holes": ("skip holes",),
        "compact": ("compact",),
        "resize": ("resize",),
        "make_room": ("resize", "start"),
        "slots": ("resize", "compact"),
        "clear": ("evict", "compact"),
        "write": ("insert", "compact"),
        "after": ("insert", "skip holes"),
    },
)  # fmt: skip
FIFO: Final = AggregatorForm(
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
_FORMS: Final = {"any order": ANY_ORDER, "FIFO": FIFO}


@cache
def _explore_reference(form: str, operation: BufferOperation) -> Exploration:
    made = _FORMS[form]
    return explore_operation(made.kind, made.column.algorithm, operation)


@cache
def _lemmas() -> Exploration:
    report = Exploration()
    for lemma in LEMMAS:
        report.merge(explore(lemma))
    return report


def claim(
    form: str,
    name: str,
    *families: str,
    statement: str,
    source: Source,
    controls: Sequence[Variant],
    runs: tuple[BufferOperation, ...] = (),
    not_covered: str = "",
) -> Claim:
    """A claim that some operations meet the obligations of some families, resting on all of all."""
    made = _FORMS[form]
    own = runs or made.operations

    def run(operation: BufferOperation, variant: Variant | None, enough: Callable[[Exploration], bool]) -> Exploration:
        if variant is None:
            return _explore_reference(form, operation)
        return explore_operation(made.kind, variant.of(made.column.algorithm), operation, enough)

    def affected(variant: Variant) -> Sequence[BufferOperation]:
        changed = [made.runs_of.get(edit.method, made.operations) for edit in variant.edits] or [made.operations]
        return [each for each in own if any(each in runs for runs in changed)]

    proof = Theorem(
        explore=run,
        states=lambda obligation: _states(families, obligation),
        runs=own,
        rests_on=made.operations,
        lemmas=_lemmas,
        affected=affected,
    )
    return proof.claim(
        id=f"{made.column.slug}/proved-{name}",
        statement=statement,
        source=source,
        algorithm=made.column.name,
        scope="every monoid, capacity (a power of two), window and history",
        code=code_of(made.column.algorithm),
        controls=controls,
        not_covered=not_covered,
    )


def every_branch_reached(form: str, *never: str, but: str, control: Variant) -> Claim:
    """A claim that the proofs reach both outcomes of every condition, but those named."""
    made = _FORMS[form]

    def check(variant: Variant | None = None) -> Outcome:
        algorithm, report = made.column.algorithm, Exploration()
        if variant is not None:
            algorithm = variant.of(algorithm)
        for operation in made.operations:
            same = variant is None or all(
                operation not in made.runs_of.get(edit.method, made.operations) for edit in variant.edits
            )
            report.merge(
                _explore_reference(form, operation) if same else explore_operation(made.kind, algorithm, operation)
            )
        conditions = make_runnable(made.kind, algorithm).conditions  # type: ignore[arg-type]  # a class is hashable
        return conclude_coverage(report, conditions, never)

    return Claim(
        id=f"{made.column.slug}/proved-branches",
        statement="The proofs reach both outcomes of every condition, and of every loop a turn and the end, but "
        f"{but}.",
        source=cite(GENERAL, place="what the proofs cover"),
        algorithm=made.column.name,
        kind="proved",
        engine=ENGINE,
        scope="every capacity",
        code=code_of(made.column.algorithm),
        check=check,
        controls=(control,),
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
        "any order",
        "invariants",
        INVARIANT,
        statement="Insert, evict of any element, query, resize and compact keep: a slot is a hole, without ticket and "
        "⊥, or from front to back and holds the element before which there are as many as there are elements in the "
        "slots before it; there are elements at front and back.",
        source=cite(GENERAL, place="section 5.1.1, as read in RA-1, RA-2, RA-8"),
        controls=(
            *w.WRONG.pick(
                "an emptied slot is not marked ⊥",
                "a slot's ticket outlives its element",
                "a full buffer is never doubled",
                "compact leaves the inner nodes as they were",
                "resize copies stale values",
                "resize puts the back at the end of the buffer",
                "insert counts an element twice",
                "there is room for more tickets than elements",
                "the buffer wraps a slot late",
            ),
            *WRONG.pick(
                "the front stops at the last slot",
                "the back stops at the first slot",
                "compact begins at the first slot",
                "resize begins at the first slot",
                "resize takes holes for elements",
            ),
            w.INSERT_SKIPS,
        ),
        not_covered=_OVER_FLAT_FAT,
    ),
    claim(
        "any order",
        "tickets",
        "tickets",
        statement="Each ticket of the window, and no other, leads to the slot of its element, wherever resizes and "
        "compacts have moved it; insert answers the number of elements that came before.",
        source=cite(GENERAL, place="section 5.1.1; the tickets are ours (reading RA-9)"),
        runs=("start", "resize", "compact", "skip holes", "insert", "evict", "evict a ticket"),
        controls=(
            *w.WRONG.pick(
                "a ticket outlives its element in the map",
                "insert answers the next ticket",
                "evict takes the oldest, whatever is asked for",
                "compact leaves the ticket map as it was",
                "compact leaves the element where it was, too",
                "resize forgets the ticket map",
            ),
            WRONG.get("compact drops a ticket"),
        ),
        not_covered=_OVER_FLAT_FAT,
    ),
    claim(
        "any order",
        "answer",
        "answer",
        statement="Query returns the product of the window in the order of arrival, whatever left and when: of a "
        "normal buffer the aggregate of the tree, of an inverted one its suffix from the front with its prefix to the "
        "back.",
        source=cite(GENERAL, place="section 5.1.2"),
        runs=("query",),
        controls=w.WRONG.pick(
            "an inverted buffer is read in slot order",
            "prefix comes before suffix",
            "a buffer of one element counts as inverted",
            "every buffer is split at the front",
            "an empty window is answered ⊥",
            "query does not apply what is pending",
        ),
        not_covered=_OVER_FLAT_FAT,
    ),
    claim(
        "any order",
        "fill",
        "fill",
        statement="(i) After a resize, which doubles or halves, 3/8 c <= n <= 1/2 c, where the new capacity is at "
        "least 8 and no less than the first one; (ii) after a resize or compact there are no holes; n >= c/4, or c = 2 "
        "and n = 0, or c is no larger than it began.",
        source=cite(
            GENERAL, place="section 5.1.1, observations (i) and (ii), as corrected (erratum RA-3); reading RA-4"
        ),
        controls=(
            *w.WRONG.pick(
                "a full buffer is always doubled",
                "a full buffer is made four times as large",
                "the buffer shrinks below a half",
                "the buffer shrinks below an eighth",
                "the buffer never shrinks",
                "the buffer shrinks to nothing",
                "resize leaves the capacity as it was",
            ),
            WRONG.get("a full buffer is compacted up to a half only"),
        ),
        not_covered="that a capacity that is no less than 8 is needed",
    ),
    claim(
        "any order",
        "account",
        "account",
        statement="Resizes and compacts, at one coin a slot, cost at most 4 coins an insert and 2 an evict, and one "
        "for each slot to begin with: 4 max(u - c/2, 0) + 2 (max(u, c/2) - n) is a potential, u slots being used.",
        source=cite(GENERAL, place="section 5.1.1, the amortised cost, with its constants (erratum RA-10)"),
        runs=("start", "insert", "evict", "evict a ticket"),
        controls=(
            *w.WRONG.pick(
                "a full buffer is compacted for a single hole",
                "a full buffer is moved twice",
                "an emptied buffer is moved three times",
            ),
            WRONG.get("a full buffer is compacted above three quarters, too"),
        ),
        not_covered="that whole numbers below 4 and 2 do not do, which a test shows by two histories",
    ),
    claim(
        "any order",
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
        controls=w.WRONG.pick(
            "what is pending is applied again each time",
            "insert updates FlatFAT at once",
            "insert combines in vain",
            "evict combines in vain",
            "query combines in vain",
        ),
        not_covered="FlatFAT itself, for which its own rows stand: `flat-fat/proved-update-calls`, `-query-calls`, and "
        "of a resize, of less than n calls, `-filled-calls`",
    ),
    claim(
        "any order",
        "ends",
        "ends",
        statement="Every loop over holes ends: from the front there is an element before the back, and from the back "
        "one before the front, as the ranks count them.",
        source=cite(GENERAL, place="silent; ours"),
        runs=("resize", "compact", "skip holes"),
        controls=WRONG.pick("the front goes backwards over holes"),
    ),
    claim(
        "any order",
        "refused",
        "refused",
        statement="A capacity that is no power of two is refused; evict of an empty window raises EmptyWindowError, of "
        "a ticket that is not in it NotInWindowError, and nothing has changed.",
        source=cite(GENERAL, place="silent; decided here"),
        runs=("start refused", "evict when empty", "evict what is not there"),
        controls=w.WRONG.pick(
            "evict does not look whether the window is empty", "evict does not look whether the ticket is in the window"
        ),
        not_covered="capacities and tickets that are no integers",
    ),
    claim(
        "FIFO",
        "invariants",
        INVARIANT,
        statement="Insert, evict, query and resize keep: the slots from front to back are the window, and the tree is "
        "told of each slot that was taken or left since it was written.",
        source=cite(GENERAL, place="section 5.2"),
        controls=(
            *w.WRONG_FIFO.pick(
                "insert leaves a slot free",
                "resize copies stale values",
                "a full buffer is never doubled",
                "insert counts an element twice",
                "the buffer wraps a slot late",
                "query does not look whether the window is empty",
            ),
            *WRONG_FIFO,
        ),
        not_covered=_OVER_SLIDE,
    ),
    claim(
        "FIFO",
        "answer",
        "answer",
        statement="Query returns the product of the window, the identity when it is empty.",
        source=cite(GENERAL, place="section 5.2 (reading RA-7)"),
        runs=("query",),
        controls=(
            *w.WRONG_FIFO.pick("an inverted buffer is read in slot order"),
            w.WRONG.get("prefix comes before suffix"),
        ),
        not_covered=_OVER_SLIDE,
    ),
    claim(
        "FIFO",
        "fill",
        "fill",
        "account",
        statement="As for the Reactive Aggregator: 3/8 c <= n <= 1/2 c after a resize; the utilisation; 4 coins an "
        "insert and 2 an evict, of which 4 max(n - c/2, 0) + 2 max(c/2 - n, 0) are saved.",
        source=cite(GENERAL, place="section 5.1.1 (errata RA-3, RA-10)"),
        controls=w.WRONG_FIFO.pick(
            "a full buffer is moved twice",
            "an emptied buffer is moved three times",
            "a full buffer is made four times as large",
            "the buffer shrinks below a half",
            "the buffer never shrinks",
            "the buffer shrinks to nothing",
        ),
    ),
    claim(
        "FIFO",
        "calls",
        "calls",
        statement="Insert and evict ask the tree for nothing, but in a resize, which asks for one slide; a query asks "
        "it for one slide and for one aggregate, or a suffix and a prefix, which it combines; of an empty window for "
        "nothing.",
        source=cite(
            GENERAL, "Theorem 4.1", place="section 5.2", compared="corrected: counted in calls, without resizes"
        ),
        controls=(*w.IN_VAIN, ALONE["make_room writes the tree twice"]),
        not_covered=f"how many places a slide is told of; {_OVER_SLIDE}",
    ),
    claim(
        "FIFO",
        "refused",
        "refused",
        statement="A capacity that is no power of two is refused; evict of an empty window raises EmptyWindowError, "
        "and nothing has changed.",
        source=cite(GENERAL, place="silent; decided here"),
        runs=("start refused", "evict when empty"),
        controls=w.WRONG.pick("evict does not look whether the window is empty"),
        not_covered="capacities that are no integers",
    ),
    every_branch_reached(
        "any order",
        "__init__: type(capacity) is not int never True",
        "resize: ticket is not None never False",
        but="that a capacity is no integer, and that a slot of an element has no ticket",
        control=w.WRONG.get("a full buffer is always doubled"),
    ),
    every_branch_reached(
        "FIFO",
        "__init__: type(capacity) is not int never True",
        but="that a capacity is no integer",
        control=w.WRONG_FIFO.get("a full buffer is never doubled"),
    ),
)
