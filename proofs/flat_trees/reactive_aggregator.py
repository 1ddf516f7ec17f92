"""Claims about the Reactive Aggregator, its FIFO form and base intervals, checked by exhaustive runs.

The mutants that the checks must reject are in `reactive_aggregator_wrong`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Final

from swagproof.models.operations import CONCATENATION, SUM
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.explorer.walk import ENDLESS, Counts, find_once, first_violation, judge, refute
from swagproof.proofs.flat_trees import reactive_aggregator_wrong as w
from swagproof.proofs.flat_trees.buffers import BufferStates, buffers
from swagproof.proofs.ledger.claim import GENERAL, Claim, Control, Deep, Outcome, Source, cite, code_of
from swagproof.proofs.ledger.variants import Variant, contract_violated_by
from swagproof.proofs.operations.history_claims import history_claim
from swagproof.reference.catalogue import BASE_INTERVALS, REACTIVE_AGGREGATOR, REACTIVE_AGGREGATOR_FIFO, Column


@dataclass(frozen=True)
class Reach:
    """The bounds of an algorithm's exploration, with the counts expected."""

    scope: str
    runs: tuple[tuple[tuple[BufferStates, ...], tuple[int, int]], ...]

    def check(self) -> Outcome:
        """Explore it."""
        expected = reduce(Counts.add, (Counts(*counts) for _, counts in self.runs))
        return judge(find_once(*(space for spaces, _ in self.runs for space in spaces)), expected)


@dataclass(frozen=True)
class Explored:
    """The bounds of one algorithm's exploration, by default and with --deep, and of the search for mutants."""

    column: Column
    usual: Reach
    deep: Reach
    hunts: tuple[BufferStates, ...]
    """For mutants, the quickest first."""
    larger: str


_EVERY_MONOID: Final = "control flow looks at no value, so every monoid"

EXPLORED: Final = (
    Explored(
        REACTIVE_AGGREGATOR,
        Reach(
            "capacities to 16 in FIFO order, to 4 when any element may leave; batches of events to capacity 4 in FIFO "
            f"order, to 2 in any; all histories; {_EVERY_MONOID}",
            (
                (buffers(REACTIVE_AGGREGATOR, 16), (287, 845)),
                (buffers(REACTIVE_AGGREGATOR, 4, (1, 2, 4), any_order=True), (118, 714)),
                (buffers(REACTIVE_AGGREGATOR, 2, (1, 2), any_order=True, batches=True), (66, 316)),
                (buffers(REACTIVE_AGGREGATOR, 4, batches=True), (378, 1042)),
            ),
        ),
        Reach(
            "capacities to 64 in FIFO order, to 8 when any element may leave; batches of events to capacity 8 and 4; "
            f"all histories; {_EVERY_MONOID}",
            (
                (buffers(REACTIVE_AGGREGATOR, 64), (4223, 12605)),
                (buffers(REACTIVE_AGGREGATOR, 8, (1, 2, 4), any_order=True), (3166, 26550)),
                (buffers(REACTIVE_AGGREGATOR, 4, (1, 2, 4), any_order=True, batches=True), (3452, 21562)),
                (buffers(REACTIVE_AGGREGATOR, 8, batches=True), (4794, 13710)),
            ),
        ),
        (
            *buffers(REACTIVE_AGGREGATOR, 4, any_order=True),
            *buffers(REACTIVE_AGGREGATOR, 4, (1, 2), batches=True),
            *buffers(REACTIVE_AGGREGATOR, 16),
            *buffers(REACTIVE_AGGREGATOR, 8, any_order=True),
            *buffers(REACTIVE_AGGREGATOR, 16, any_order=True),
        ),
        "larger capacities",
    ),
    Explored(
        REACTIVE_AGGREGATOR_FIFO,
        Reach(
            f"capacities to 16, batches of events to capacity 4, all histories; {_EVERY_MONOID}",
            (
                (buffers(REACTIVE_AGGREGATOR_FIFO, 16), (289, 851)),
                (buffers(REACTIVE_AGGREGATOR_FIFO, 4, (1, 2, 4), batches=True), (696, 1912)),
            ),
        ),
        Reach(
            f"capacities to 64, batches of events to capacity 8, all histories; {_EVERY_MONOID}",
            (
                (buffers(REACTIVE_AGGREGATOR_FIFO, 64), (4225, 12611)),
                (buffers(REACTIVE_AGGREGATOR_FIFO, 8, (1, 2, 4), batches=True), (6408, 18216)),
            ),
        ),
        (
            *buffers(REACTIVE_AGGREGATOR_FIFO, 4, (1, 2), batches=True),
            *buffers(REACTIVE_AGGREGATOR_FIFO, 32),
        ),
        "larger capacities",
    ),
    Explored(
        BASE_INTERVALS,
        Reach(
            f"windows of up to 17 elements, beginning anywhere; {_EVERY_MONOID}",
            ((buffers(BASE_INTERVALS, 17, (None,)), (576, 1696)),),
        ),
        Reach(
            f"windows of up to 33 elements, beginning anywhere; {_EVERY_MONOID}",
            ((buffers(BASE_INTERVALS, 33, (None,)), (2176, 6464)),),
        ),
        buffers(BASE_INTERVALS, 9, (None,)),
        "larger windows",
    ),
)


def explored(column: Column) -> Explored:
    """Return how an algorithm is explored."""
    return next(how for how in EXPLORED if how.column is column)


def hunts(column: Column, variant: Variant) -> list[BufferStates]:
    """Return the state spaces in which a mutant is searched for."""
    return [replace(space, variant=variant) for space in explored(column).hunts]


def refuted(column: Column, variant: Variant) -> str | None:
    """The check that a variant fails, and a shortest history."""
    return refute(*hunts(column, variant))


def violated_contract(column: Column, variant: Variant) -> str | None:
    """The contract that the same history violates, under full contracts; or what the mistake raises before that."""
    spaces = hunts(column, variant)
    found = first_violation(*spaces)
    if found is None:
        return None
    for capacity in dict.fromkeys(space.capacity for space in spaces):
        violated = contract_violated_by(partial(_play, column, variant, capacity, found.trace))
        if violated:
            return f"{violated} after {', '.join(found.trace) or 'nothing'}"
    return None


def _play(column: Column, variant: Variant, capacity: int | None, trace: Sequence[str]) -> None:
    """Play a history of `insert a`, `evict a` and `query` under contracts."""
    window = variant.checked(column.algorithm, column.checked)(CONCATENATION, *[] if capacity is None else [capacity])
    for step in trace:
        name, _, letter = step.partition(" ")
        if name == "evict":
            ticket = LETTERS.index(letter) if letter else None
            by_ticket = column is REACTIVE_AGGREGATOR and window.model.tickets[:1] != [ticket]
            window.evict(*[] if ticket is None or not by_ticket else [ticket])
        else:
            getattr(window, name)(*letter)


# The ledger's rows


def claim(
    column: Column, name: str, *checks: str, statement: str, source: Source, controls: Sequence[Variant]
) -> Claim:
    """A claim that some of the checks of the exploration hold in all of it; a control must fail at one of these."""
    how = explored(column)

    def reject(variant: Variant) -> Outcome:
        found = first_violation(*hunts(column, variant))
        return judge(found, (0, 0), own=checks) if found else Outcome("holds", "not refuted")

    return Claim(
        id=f"{column.slug}/{name}",
        statement=statement,
        source=source,
        algorithm=column.name,
        kind="exhaustive",
        engine="explorer",
        scope=how.usual.scope,
        code=code_of(column.algorithm),
        check=how.usual.check,
        reject=reject,
        controls=controls,
        not_covered=how.larger,
        deep=Deep(how.deep.scope, how.deep.check),
    )


# What the account costs at least

GROWTH: Final = ("insert",) * 33
"""Doubles up to capacity 64."""
SWING: Final = ("insert",) * 65 + (("evict",) * 34 + ("insert",) * 34) * 8
"""Doubles to capacity 128, then halves and doubles in turn."""


def overspent(insert_coins: int, evict_coins: int, histories: Sequence[Sequence[str]] = (GROWTH, SWING)) -> str | None:
    """A history whose resizes cost more than this billing, and one coin for the slot to begin with, has paid."""
    for history in histories:
        window = REACTIVE_AGGREGATOR.algorithm(SUM)
        billed, spent = 1, 0
        for number, step in enumerate(history, start=1):
            before = window.capacity
            window.insert(1) if step == "insert" else window.evict()
            billed += insert_coins if step == "insert" else evict_coins
            spent += window.capacity if window.capacity != before else 0
            if spent > billed:
                inserts = history[:number].count("insert")
                return f"{inserts} inserts and {number - inserts} evicts: {spent} coins spent, {billed} billed"
    return None


def _coins(insert_coins: int, evict_coins: int) -> Outcome:
    trace = overspent(insert_coins, evict_coins)
    return Outcome("fails", trace) if trace else Outcome("holds", f"{insert_coins} an insert, {evict_coins} an evict")


_BUFFER: Final = ("capacity", "count", "boundaries", "window_order", "holes", "ticket_map", "tree", "ticket")
_ACCOUNT: Final = ("insert paid", "evict paid")
_CALLS: Final = ("insert calls", "evict calls", "query calls", "batch")

CLAIMS: Final[tuple[Claim, ...]] = (
    claim(
        REACTIVE_AGGREGATOR,
        "invariants",
        *_BUFFER,
        statement="The slots from front to back, without the holes, are the window in its order; all others are ⊥; "
        "each ticket leads to its slot; FlatFAT keeps equation 4.1 over ⊕ with ⊥.",
        source=cite(GENERAL, place="section 5.1.1, as read in RA-1, RA-2, RA-8"),
        controls=(
            *w.WRONG.pick(
                "an emptied slot is not marked ⊥",
                "a slot's ticket outlives its element",
                "a ticket outlives its element in the map",
                "the front is not moved over holes",
                "the front is moved over one hole at most",
                "the back is not moved over holes",
                "evict takes the oldest, whatever is asked for",
                "evict takes the newest as the oldest",
                "a full buffer is never doubled",
                "the buffer is full when n_tuples = n_capacity",
                "compact leaves the ticket map as it was",
                "compact leaves the element where it was, too",
                "compact leaves the inner nodes as they were",
                "compact writes the leaves alone",
                "insert counts an element twice",
                "there is room for more tickets than elements",
                "compact reverses the window",
                "resize goes by the order of the leaves",
                "resize copies stale values",
                "resize forgets the ticket map",
            ),
            w.TICKETS_RUN_OUT,
        ),
    ),
    claim(
        REACTIVE_AGGREGATOR,
        "answer",
        "answer",
        "query asks for the truth of a value",
        statement="Query returns the product of the window in the order of arrival, whatever left and when; the "
        "buffer is inverted if and only if the back precedes the front.",
        source=cite(GENERAL, place="section 5.1.2"),
        controls=(
            *w.WRONG.pick(
                "an inverted buffer is read in slot order",
                "prefix comes before suffix",
                "a buffer of one element counts as inverted",
                "every buffer is split at the front",
                "an empty window is answered ⊥",
                "query does not apply what is pending",
            ),
            w.LOOKS_AT_VALUES,
        ),
    ),
    claim(
        REACTIVE_AGGREGATOR,
        "calls",
        *_CALLS,
        statement="Insert and evict make no calls but in a resize (less than n) or compact (less than c); a query "
        "after m events makes at most m (1 + ceil(log2(c / m))), and at most 2 log2 c + 1 more when the buffer is "
        "inverted.",
        source=cite(
            GENERAL,
            "Theorem 4.1",
            place="section 5.1.2; readings FAT-6 and RA-6",
            compared="corrected: counted in calls to combine, without resizes",
        ),
        controls=w.WRONG.pick(
            "each change is an update of its own",
            "insert updates FlatFAT at once",
            "what is pending is applied again each time",
            "the buffer shrinks at a quarter, not below it",
            "insert combines in vain",
            "evict combines in vain",
            "query combines in vain",
        ),
    ),
    claim(
        REACTIVE_AGGREGATOR,
        "amortised",
        *_ACCOUNT,
        statement="Resizes and compacts, at one coin a slot, cost at most 4 coins an insert and 2 an evict, and one "
        "for each slot to begin with; 4 max(u - c/2, 0) + 2 (max(u, c/2) - n) coins are saved, u slots being used.",
        source=cite(GENERAL, place="section 5.1.1, the amortised cost, with its constants (erratum RA-10)"),
        controls=w.WRONG.pick("a full buffer is compacted for a single hole", "an emptied buffer is moved three times"),
    ),
    Claim(
        id="reactive-aggregator/amortised-least",
        statement="Billed 4 coins an insert and 2 an evict, growth to capacity 64 and a swing between 64 and 128 are "
        "paid; with 3 an insert, or 1 an evict, they are not.",
        source=cite(GENERAL, place="found by exploring"),
        algorithm=REACTIVE_AGGREGATOR.name,
        kind="exhaustive",
        engine="run of the reference",
        scope="these two histories, which show that no whole numbers below 4 and 2 will do",
        code=code_of(REACTIVE_AGGREGATOR.algorithm),
        check=partial(_coins, 4, 2),
        controls=(
            Control("3 coins an insert", partial(_coins, 3, 3)),
            Control("1 coin an evict", partial(_coins, 4, 1)),
        ),
        not_covered="constants that are no whole numbers",
    ),
    claim(
        REACTIVE_AGGREGATOR,
        "fill",
        "filled after resize",
        "no holes after resize",
        "no holes after compact",
        "resized",
        statement="(i) After a resize 3/8 c <= n <= 1/2 c, where the new capacity is at least 8 and no less than the "
        "first one; (ii) after a resize or compact there are no holes.",
        source=cite(GENERAL, place="section 5.1.1, observations (i) and (ii), as corrected (erratum RA-3)"),
        controls=w.WRONG.pick(
            "a full buffer is compacted only when half empty",
            "a full buffer is always doubled",
            "a full buffer is made four times as large",
            "the buffer shrinks below a half",
            "the buffer shrinks to a quarter",
            "compact goes by the order of the leaves",
            "compact does not bring the back along",
            "resize puts the back at the end of the buffer",
            "resize loses the newest",
        ),
    ),
    claim(
        REACTIVE_AGGREGATOR,
        "utilisation",
        "utilisation",
        "space",
        ENDLESS,
        statement="n >= c/4, or c = 2 and n = 0, or c is no larger than it began; 2c - 1 values are kept, and one for "
        "each change since the last query.",
        source=cite(GENERAL, place="section 5.1.1, the desired utilisation, as it holds (reading RA-4)"),
        controls=(*w.WRONG.pick("the buffer shrinks below an eighth"), w.TREE_KEPT, w.CHANGES_KEPT),
    ),
    claim(
        REACTIVE_AGGREGATOR,
        "fifo-no-holes",
        "no holes in FIFO order",
        statement="Where only the oldest leaves, there are never holes, and so nothing is ever compacted.",
        source=cite(GENERAL, place="section 5.2"),
        controls=(w.INSERT_SKIPS,),
    ),
    claim(
        REACTIVE_AGGREGATOR,
        "refused",
        "evict raises EmptyWindowError",
        "evict raises NotInWindowError",
        "a refused evict changes nothing",
        statement="Evict of an empty window raises EmptyWindowError, of a ticket that is not in it NotInWindowError; "
        "nothing changes.",
        source=cite(GENERAL, place="silent; decided here"),
        controls=w.WRONG.pick(
            "evict does not look whether the window is empty", "evict does not look whether the ticket is in the window"
        ),
    ),
    claim(
        REACTIVE_AGGREGATOR_FIFO,
        "invariants",
        "capacity",
        "count",
        "boundaries",
        "window_order",
        "tree",
        statement="Without ⊥: the slots from front to back are the window; each node with an occupied leaf, and no "
        "change pending below, holds the product of its occupied leaves; the paths of front and back tell which these "
        "are.",
        source=cite(GENERAL, place="section 5.2"),
        controls=w.WRONG_FIFO.pick(
            "occupied and unoccupied areas are exchanged",
            "an inverted buffer is taken for a normal one",
            "the back's path counts as unoccupied",
            "rewrite swaps the operands",
            "resize goes by the order of the leaves",
            "a full buffer is never doubled",
            "insert counts an element twice",
            "insert leaves a slot free",
            "the tree has a node too many",
        ),
    ),
    claim(
        REACTIVE_AGGREGATOR_FIFO,
        "answer",
        "answer",
        statement="Query returns the product of the window, the identity when it is empty.",
        source=cite(GENERAL, place="section 5.2 (reading RA-7)"),
        controls=(
            *w.WRONG_FIFO.pick(
                "freed places are not rewritten",
                "a right child on its own is left out",
                "an inverted buffer is read in slot order",
            ),
            w.WRONG.get("prefix comes before suffix"),
        ),
    ),
    claim(
        REACTIVE_AGGREGATOR_FIFO,
        "calls",
        *_CALLS,
        statement="As for the Reactive Aggregator, without compacts.",
        source=cite(
            GENERAL,
            "Theorem 4.1",
            place="section 5.1.2",
            compared="corrected: counted in calls to combine, without resizes",
        ),
        controls=(
            w.WRONG_FIFO.get("freed places are rewritten each time"),
            w.WRONG.get("the buffer shrinks at a quarter, not below it"),
            *w.IN_VAIN,
        ),
    ),
    claim(
        REACTIVE_AGGREGATOR_FIFO,
        "fill",
        "filled after resize",
        "utilisation",
        "resized",
        "space",
        *_ACCOUNT,
        statement="As for the Reactive Aggregator: 3/8 c <= n <= 1/2 c after a resize; the utilisation; the space; the "
        "account.",
        source=cite(GENERAL, place="section 5.1.1 (erratum RA-3)"),
        controls=(
            *w.WRONG.pick(
                "a full buffer is made four times as large",
                "a full buffer is moved twice",
                "an emptied buffer is moved three times",
                "the buffer shrinks below a half",
                "the buffer shrinks to a quarter",
                "the buffer never shrinks",
                "the buffer shrinks to nothing",
            ),
            w.FIFO_TREE_KEPT,
        ),
    ),
    claim(
        REACTIVE_AGGREGATOR_FIFO,
        "refused",
        "evict raises EmptyWindowError",
        statement="Evict of an empty window raises EmptyWindowError and changes nothing.",
        source=cite(GENERAL, place="silent; decided here"),
        controls=w.WRONG.pick("evict does not look whether the window is empty"),
    ),
    claim(
        BASE_INTERVALS,
        "invariants",
        "ends",
        "lengths",
        "intervals",
        "space",
        statement="Level l holds the aligned intervals of 2^l elements that lie in the window, with their products: "
        "at most 2n - 1 partial aggregates.",
        source=cite(GENERAL, place="sections 6.2 and 7 on base intervals; the invariants are ours"),
        controls=w.WRONG_B_INT.pick(
            "evict counts an element twice",
            "insert keeps an element twice",
            "insert swaps the halves",
            "insert stops at pairs",
            "evict drops the element alone",
            "evict drops an interval of each level",
            "evict keeps levels without intervals",
        ),
    ),
    claim(
        BASE_INTERVALS,
        "answer",
        "answer",
        statement="Query returns the product of the window.",
        source=cite(GENERAL, place="sections 6.2 and 7 on base intervals"),
        controls=w.WRONG_B_INT.pick("query puts newer intervals first"),
    ),
    claim(
        BASE_INTERVALS,
        "calls",
        "insert calls",
        "evict calls",
        "query calls",
        *_ACCOUNT,
        statement="Insert makes at most log2 n + 1 calls, one on account; evict none; query at most 2 log2 n.",
        source=cite(GENERAL, place="sections 6.2 and 7: O(log n); the constants are ours"),
        controls=w.WRONG_B_INT.pick(
            "the split takes elements only", "insert combines in vain", "evict combines in vain every other time"
        ),
    ),
    claim(
        BASE_INTERVALS,
        "refused",
        "evict raises EmptyWindowError",
        statement="Evict of an empty window raises EmptyWindowError and changes nothing.",
        source=cite(GENERAL, place="silent; decided here"),
        controls=w.WRONG_B_INT.pick("evict does not look whether the window is empty"),
    ),
    history_claim(
        REACTIVE_AGGREGATOR,
        "query_applies_nothing",
        "query_combines",
        source=cite(GENERAL, place="section 5.1"),
        longest=5,
        checked=4,
        steps="inserts and evicts of any element",
    ),
    history_claim(
        REACTIVE_AGGREGATOR_FIFO, "slot_order", "insert_combines", source=cite(GENERAL, place="section 5.2"), longest=7
    ),
    history_claim(
        BASE_INTERVALS,
        "halves_swapped",
        "insert_combines",
        source=cite(GENERAL, place="sections 6.2 and 7 on base intervals"),
    ),
)
