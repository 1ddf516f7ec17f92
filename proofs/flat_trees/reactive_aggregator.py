"""Exhaustive runs of the Reactive Aggregator, its FIFO form and base intervals, and CrossHair's histories of them.

`every_capacity` and `demarcated_fat` prove the results of these runs for every capacity and window, for the Reactive
Aggregator and its FIFO form.  The runs share only the contracts with those proofs.  Base intervals, which the paper
compares with but does not list, are only explored.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Final

from swagproof.models.operations import CONCATENATION
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.explorer.walk import Counts, find_once, first_violation, judge, refute, search
from swagproof.proofs.flat_trees.buffers import BufferStates, buffers
from swagproof.proofs.ledger.claim import GENERAL, Claim, Deep, Outcome, Source, cite, code_of
from swagproof.proofs.ledger.mutants import Mutant, Mutants, contract_violated_by
from swagproof.proofs.operations.history_claims import history_claim
from swagproof.reference.catalogue import BASE_INTERVALS, REACTIVE_AGGREGATOR, REACTIVE_AGGREGATOR_FIFO, Column

WRONG: Final = Mutants(REACTIVE_AGGREGATOR, table="reactive-aggregator")
"""Mutants, each refuted by the explorer and by a contract; no valid query shows the hidden ones."""
WRONG_FIFO: Final = Mutants(
    REACTIVE_AGGREGATOR_FIFO,
    table="reactive-aggregator-fifo",
    shared=[mutant for mutant in WRONG if f"{REACTIVE_AGGREGATOR_FIFO.slug}/explored" in mutant.rejected_by],
)
WRONG_B_INT: Final = Mutants(BASE_INTERVALS, table="base-intervals")


@dataclass(frozen=True)
class Reach:
    """The bounds of an algorithm's exploration, with the expected counts."""

    scope: str
    runs: tuple[tuple[tuple[BufferStates, ...], tuple[int, int]], ...]

    def check(self) -> Outcome:
        """Explore within these bounds."""
        expected = reduce(Counts.add, (Counts(*counts) for _, counts in self.runs))
        return judge(find_once(*(space for spaces, _ in self.runs for space in spaces)), expected)


@dataclass(frozen=True)
class Explored:
    """The bounds of one algorithm's exploration, by default and with --deep, and of the search for mutants."""

    column: Column
    usual: Reach
    deep: Reach
    hunts: tuple[BufferStates, ...]
    """The spaces in which mutants are searched for, the quickest first."""

    def claim(self, statement: str, source: Source, not_covered: str) -> Claim:
        """Return the claim that every check of the exploration holds."""
        return Claim(
            id=f"{self.column.slug}/explored",
            statement=f"In every state, and after every operation from it: {statement}",
            source=source,
            algorithm=self.column.name,
            kind="exhaustive",
            engine="explorer",
            scope=self.usual.scope,
            code=code_of(self.column.algorithm),
            check=self.usual.check,
            reject=self._reject,
            not_covered=not_covered,
            deep=Deep(self.deep.scope, self.deep.check),
        )

    def _reject(self, mutant: Mutant) -> Outcome:
        return search(*hunts(self.column, mutant))


_EVERY_MONOID: Final = "control flow looks at no value, so every monoid"

RA: Final = Explored(
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
)
RA_FIFO: Final = Explored(
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
)
B_INT: Final = Explored(
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
)


def hunts(column: Column, mutant: Mutant) -> list[BufferStates]:
    """Return the state spaces in which a mutant is searched for."""
    how = next(how for how in (RA, RA_FIFO, B_INT) if how.column is column)
    return [replace(space, mutant=mutant) for space in how.hunts]


def refuted(column: Column, mutant: Mutant) -> str | None:
    """Return the check that a mutant fails, with a shortest history."""
    return refute(*hunts(column, mutant))


def violated_contract(column: Column, mutant: Mutant) -> str | None:
    """Return the contract that the same history violates, or an exception raised before that.

    Requires full contracts.
    """
    spaces = hunts(column, mutant)
    found = first_violation(*spaces)
    if found is None:
        return None
    for capacity in dict.fromkeys(space.capacity for space in spaces):
        violated = contract_violated_by(partial(_play, column, mutant, capacity, found.trace))
        if violated:
            return f"{violated} after {', '.join(found.trace) or 'nothing'}"
    return None


def _play(column: Column, mutant: Mutant, capacity: int | None, trace: Sequence[str]) -> None:
    """Replay a history of `insert a`, `evict a` and `query` under contracts."""
    window = mutant.checked(column.algorithm, column.checked)(CONCATENATION, *[] if capacity is None else [capacity])
    for step in trace:
        name, _, letter = step.partition(" ")
        if name == "evict":
            ticket = LETTERS.index(letter) if letter else None
            by_ticket = column is REACTIVE_AGGREGATOR and window.model.tickets[:1] != [ticket]
            window.evict(*[] if ticket is None or not by_ticket else [ticket])
        else:
            getattr(window, name)(*letter)


CLAIMS: Final[tuple[Claim, ...]] = (
    RA.claim(
        "the slots from front to back, without the holes, are the window in its order, all others are ⊥, each ticket "
        "leads to its slot, and FlatFAT keeps equation 4.1 over ⊕ with ⊥; where only the oldest leaves, there are no "
        "holes, and so nothing is compacted. Answers, refusals, combine calls, account, fill and utilisation are as "
        "proved for every capacity. 2c - 1 values are kept, and one for each change since the last query.",
        cite(
            GENERAL,
            "Theorem 4.1",
            place="section 5, as corrected (errata RA-3, RA-10; readings FAT-6 and RA-6)",
            compared="corrected: counted in calls to combine, without resizes",
        ),
        "larger capacities: see the claims that are proved",
    ),
    RA_FIFO.claim(
        "without ⊥, the slots from front to back are the window, and each node with an occupied leaf, and no change "
        "pending below, holds the product of its occupied leaves. Answers, refusals, combine calls, account, fill and "
        "utilisation are as proved for every capacity. 2c - 1 values are kept, and one for each change since the last "
        "query.",
        cite(
            GENERAL,
            "Theorem 4.1",
            place="sections 5.1.1 and 5.2 (erratum RA-3)",
            compared="corrected: counted in calls to combine, without resizes",
        ),
        "larger capacities: see the claims that are proved",
    ),
    B_INT.claim(
        "level l holds the aligned intervals of 2^l elements that lie in the window, with their products; only level "
        "0 may hold none, and no level is missing. Query returns the product of the window, and changes nothing; evict "
        "of an empty window raises EmptyWindowError. Insert makes at most log2(n + 1) combine calls where it finds n "
        "elements, and one an insert on account; evict makes none, query at most twice log2 n, rounded down. At most "
        "2n - 1 partial aggregates are kept.",
        cite(GENERAL, place="sections 6.2 and 7 on base intervals; the invariants and constants are ours"),
        "larger windows",
    ),
    history_claim(
        REACTIVE_AGGREGATOR,
        source=cite(GENERAL, place="section 5.1"),
        steps="inserts and evicts of any element",
    ),
    history_claim(REACTIVE_AGGREGATOR_FIFO, source=cite(GENERAL, place="section 5.2")),
    history_claim(
        BASE_INTERVALS,
        source=cite(GENERAL, place="sections 6.2 and 7 on base intervals"),
    ),
)
