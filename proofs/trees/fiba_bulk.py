"""FiBA's bulk eviction and bulk insertion: exhaustive checks of results and costs.

The exploration starts from every tree that single and bulk operations reach.  It tries every cut, and bulk inserts into
one place, two places and all places, over values and times that reveal nothing but the order
(swagproof.proofs.trees.shapes).  Each tree is paired with the window that the loop over single operations leaves, and
each new pair is checked with every clause of the contract.  There are as many states as valid shapes: an operation that
left anything else in the tree would produce more.
"""

import itertools
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, Final

from swagproof.contracts.trees.augmented_tree import levels
from swagproof.contracts.trees.fiba_bulk import bulk_evict_bound
from swagproof.models.operations import CONCATENATION
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.proofs.explorer.freezing import Place
from swagproof.proofs.explorer.letters import Word, letter, ordered
from swagproof.proofs.explorer.walk import Counts, refute, search
from swagproof.proofs.ledger.claim import OURS, Claim, Deep, cite, code_of
from swagproof.proofs.ledger.mutants import Mutant, Mutants, contract_violated_by
from swagproof.proofs.trees.out_of_order import HIGH, check_bounds
from swagproof.proofs.trees.shapes import REFUSED, Bound, Refused, TreeStates, shapes, time_at
from swagproof.reference.catalogue import FIBA_BULK
from swagproof.reference.trees.fiba_bulk import BulkFiba, CheckedBulkFiba


@dataclass(frozen=True)
class Bulk:
    """An operation on n entries, which are at places 2, 4, ..., 2n: single or bulk, at some places."""

    operation: str
    places: tuple[float, ...]

    def arguments_in(self, window: OutOfOrderWindow[Word]) -> tuple[Any, ...]:
        """Return the operation's arguments in this window; inserted values are the next letters."""
        times = [time_at(window, place) for place in self.places]
        pairs = [(t, letter(k)) for k, t in enumerate(times, window.size)]
        if self.operation == "bulk_insert":
            return (pairs,)
        return pairs[0] if self.operation == "insert" else tuple(times)

    def on_the_definition(self, window: OutOfOrderWindow[Word]) -> None:
        """Apply the loop over single operations that defines the operation."""
        arguments = self.arguments_in(window)
        if self.operation == "bulk_insert":
            for t, v in arguments[0]:
                window.insert(t, v)
        elif self.operation == "bulk_evict":
            for t in [t for t in window.times if t <= arguments[0]]:
                window.evict(t)
        else:
            getattr(window, self.operation)(*arguments)

    def __str__(self) -> str:
        return f"{self.operation}({', '.join(f'{place:g}' for place in self.places)})"


def bulks(n: int, limit: int) -> Iterator[Bulk]:
    """Yield the operations tried on n entries, with up to `limit` entries afterwards.

    They are evicts and cuts at every entry and in every gap, an insert at each, and bulk inserts of any number of
    entries into one gap, into any two places, and into all places.
    """
    gaps, present = [*range(1, 2 * n + 2, 2)], [*range(2, 2 * n + 1, 2)]
    places, room = sorted(gaps + present), limit - n
    yield from (Bulk("evict", (t,)) for t in places)
    yield from (Bulk("insert", (t,)) for t in (places if room else present))
    yield from (Bulk("bulk_evict", (t,)) for t in (0, *places, 2 * n + 2))
    yield Bulk("bulk_insert", ())
    yield from (
        Bulk("bulk_insert", (gap, *(gap + i / 64 for i in range(1, k)))) for gap in gaps for k in range(1, room + 1)
    )
    for i, first in enumerate(places):
        for second in places[i:]:
            if len({first, second}.intersection(gaps)) <= room:
                yield Bulk("bulk_insert", (first, second))
    if len(gaps) <= room:
        yield Bulk("bulk_insert", tuple(places))
    yield Bulk("bulk_insert", tuple(sorted(present * 2)))


@dataclass(frozen=True)
class BulkStates(TreeStates):
    """The trees that single and bulk operations reach, with the operations of `bulks` from each."""

    refused: ClassVar[Refused] = (
        *REFUSED,
        ("bulk_evict", (math.nan,)),
        ("bulk_insert", ([(ordered(1), letter(0)), (math.nan, letter(1))],)),
    )

    @cached_property
    def computed(self) -> list[Any]:
        """The nodes whose aggregates an operation has computed; one list for all trees."""
        return []

    @cached_property
    def algorithm(self) -> type[Any]:
        made, computed = super().algorithm, self.computed

        def local_repair_agg(self: Any) -> None:
            computed.append(self)
            made.Node.local_repair_agg(self)

        node = type("FingerNode", (made.Node,), {"__slots__": (), "local_repair_agg": local_repair_agg})
        return type(made.__name__, (made,), {"Node": node})

    @property
    def most(self) -> int:  # type: ignore[override]  # of one space more than of the next
        """The number of valid shapes, as a tree keeps no trace of its history."""
        arity, entries, _ = self.bound
        of_levels = (sum(1 for _ in shapes(high, arity, entries)) for high in itertools.count(1))
        return 1 + sum(itertools.takewhile(bool, of_levels))

    def choices(self, place: Place[Any]) -> Iterator[Any]:
        return bulks(place.model.size, self.bound.entries)

    def take(self, place: Place[Any], step: Any, before: Place[Any]) -> None:
        arguments, n, mu = step.arguments_in(place.model), place.model.size, self.bound.min_arity
        self.computed.clear()
        self.monoid.clear()
        self.call(place, step.operation, *arguments)
        once = not step.operation.startswith("bulk") or len(self.computed) == len(set(self.computed))
        self.computed.clear()
        step.on_the_definition(place.model)
        if step.operation == "bulk_evict":
            m, tally = n - place.model.size, self.monoid
            aggregates = tally.repairs, 2 * levels(m, mu) + 1 + 3 * tally.steps
            calls = tally.calls, bulk_evict_bound(m, tally.steps, mu)
            self.require_costs(place, {"aggregates": aggregates, "combine calls": calls})
        self.require(place, "an aggregate is computed twice", once)
        self.check_combined(place)

    def words(self, steps: tuple[Any, ...]) -> list[str]:
        return list(map(str, steps))


# Mutants

WRONG: Final = Mutants(FIBA_BULK, table="fiba-bulk")
"""Mutants that the exploration must reject."""


def _spaces(mutant: Mutant) -> list[BulkStates]:
    """Return the spaces in which a mutant is searched for; mu = 3, with fewer trees, is first."""
    return [BulkStates(FIBA_BULK, bound, mutant) for bound in reversed(BOUNDS)]


def refuted(mutant: Mutant) -> str | None:
    """Return the shortest operations on which the exploration refutes a mutant, as text."""
    return refute(*_spaces(mutant))


def violated_contract(mutant: Mutant) -> str | None:
    """Return the contract that a seeded history violates, under full contracts, or an exception raised before that."""
    checked = mutant.checked(BulkFiba, CheckedBulkFiba)
    for min_arity, seed in itertools.product((2, 3, 4), range(6)):
        violated = contract_violated_by(partial(_play, checked(CONCATENATION, min_arity), seed))
        if violated:
            return f"{violated} after the operations of seed {seed}, min-arity {min_arity}"
    return None


def _play(window: Any, seed: int) -> None:
    """Run all operations, single and bulk, with repeated times."""
    chance = random.Random(seed)
    for number in range(25):
        times = sorted(chance.choices(range(40), k=chance.choice((0, 1, 4, 12))))
        window.bulk_insert((t, chr(0x3B1 + number)) for t in times)
        window.insert(chance.randrange(40), "+")
        window.evict(chance.randrange(40))
        window.query()
        window.range_query(chance.randrange(20), chance.randrange(15, 40))
        window.bulk_evict(chance.choice((-1, *window.model.times[:8])) + chance.choice((0, 0.5)))


# Claims

BOUNDS: Final = {Bound(2, 10): Counts(113, 18006), Bound(3, 8): Counts(16, 1587)}
"""Bounds of the explorations, with the expected numbers of trees and operations."""
DEEP: Final = {
    Bound(2, 12): Counts(295, 66895),
    Bound(3, 10): Counts(31, 4788),
    HIGH[0]: Counts(9, 2265),
    HIGH[1]: Counts(7, 2206),
}


CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        id="fiba-bulk/explored",
        statement="Bulk evict and bulk insert do to the window what the loop over single operations does, keep every "
        "invariant of FiBA, compute no aggregate twice and leave nothing of themselves; also with single ones between. "
        "A bulk evict of m entries computes at most 2 floor(log_mu(m+1)) + 1 + 3 s aggregates, with at most 4 mu "
        "combine calls each, where s is the number of its steps of rebalancing.",
        source=cite(OURS),
        algorithm="FiBA, bulk",
        kind="exhaustive",
        engine="explorer",
        scope=f"{'; '.join(map(str, BOUNDS))}; every cut; inserts of any number into one gap, into any two places, "
        "into all; control flow looks at no value, and at times only by order",
        code=code_of(BulkFiba),
        check=partial(check_bounds, partial(BulkStates, FIBA_BULK), BOUNDS),
        reject=lambda mutant: search(*_spaces(mutant)),
        not_covered="larger trees, which the machines and long histories of the tests sample; the number of steps, "
        "amortised",
        deep=Deep("; ".join(map(str, DEEP)), partial(check_bounds, partial(BulkStates, FIBA_BULK), DEEP)),
    ),
)
