"""Claims about every out-of-order algorithm, checked by exploring its trees, and mutants that apply to each algorithm.

One exploration is kept for all claims about an algorithm; each claim takes the checks that it states.  A claim fails
when any check fails.  A control must be rejected by one of the claim's own checks.
"""

import itertools
import math
import random
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial, reduce
from typing import Any, Final

from swagproof.contracts.space import stored_aggregates
from swagproof.contracts.trees.augmented_tree import space
from swagproof.models.monoid import Counting
from swagproof.models.operations import CONCATENATION
from swagproof.models.out_of_order import OutOfOrderWindow, TimeError
from swagproof.proofs.engine.paths import Path, explore
from swagproof.proofs.engine.solver import Integer, z3
from swagproof.proofs.explorer.letters import LETTERS, Word
from swagproof.proofs.explorer.space import Place, Violation
from swagproof.proofs.explorer.walk import Counts, find_once, first_violation, judge, refute
from swagproof.proofs.ledger.claim import OUT_OF_ORDER, Claim, Control, Deep, Outcome, Source, cite, code_of
from swagproof.proofs.ledger.theorem import conclude
from swagproof.proofs.ledger.variants import Variant, WrongVariants, contract_violated_by, mutants_of
from swagproof.proofs.trees.shapes import Bound, TimedStep, TreeStates
from swagproof.reference.catalogue import B_TREE, FIBA, Column

REACHABLE: Final = Bound(2, 10)
FARTHER: Final = Bound(2, 14)
WIDER: Final = Bound(3, 12)
WIDEST: Final = Bound(3, 20)
HIGH: Final = (Bound(2, 16, 4), Bound(3, 18, 3))
HIGHER: Final = (Bound(2, 18, 4), Bound(3, 20, 3))
"""Second evidence, beside the proofs for every size: the first of each two by default, the second with --deep."""
COUNTS: Final[dict[Bound, Counts]] = {
    REACHABLE: Counts(113, 3539),
    FARTHER: Counts(846, 38773),
    WIDER: Counts(59, 2114),
    WIDEST: Counts(768, 50429),
    HIGH[0]: Counts(9, 590),
    HIGH[1]: Counts(7, 514),
    HIGHER[0]: Counts(197, 14342),
    HIGHER[1]: Counts(86, 6908),
}
"""Expected counts for either algorithm: the shapes are the same."""

GROWING: Final = (Bound(2, 4), Bound(2, 7), Bound(3, 8), REACHABLE, Bound(2, 12), FARTHER, *HIGHER)
"""Explorations in which a mistake is looked for, the cheapest first; a history found can be played again."""
CHEAP: Final = (*GROWING[:3], Bound(2, 8), Bound(2, 10, 3), HIGH[1])
"""The same with little effort: three levels from all valid trees."""
THOROUGH: Final = (*GROWING[:4], Bound(2, 12, 3), HIGH[1])

FAMILIES: Final[dict[str, tuple[str, ...]]] = {
    "sizes": (
        "root_arity",
        "arities",
        "entries",
        "pointers",
        "parents",
        "leaf_depth",
        "insert completes",
        "evict completes",
    ),
    "contents": ("order", "contents"),
    "spines": ("fingers", "spine_flags", "ends"),
    "aggregates": ("up_aggregates", "inner_aggregate", "left_aggregates", "right_aggregates"),
    "answer": ("answer", "a query or a refused operation changes nothing"),
    "query-calls": ("query calls",),
    "ranges": ("range answer",),
    "refusals": tuple(f"{name} refuses what does not compare" for name in ("insert", "evict", "range_query")),
}
"""Checks by the claim that states them."""


def spaces(column: Column, variant: Variant | None, bounds: Iterable[Bound]) -> list[TreeStates]:
    """Return what is explored within some bounds."""
    return [TreeStates(column, bound, variant) for bound in bounds]


def refuted(column: Column, variant: Variant) -> str | None:
    """The shortest history, of a tree as small as possible, after which the explorer rejects a mutant."""
    return refute(*spaces(column, variant, GROWING))


def violated_contract(column: Column, variant: Variant) -> str | None:
    """The contract that the same history violates, under full contracts, or what it raises before that."""
    for bound in GROWING:
        found = first_violation(TreeStates(column, bound, variant))
        if found is None or (found.trace[:1] and found.trace[0].startswith("from")):  # that cannot be played
            continue
        for queries in (True, False):
            window = variant.checked(column.algorithm, column.checked)(CONCATENATION, bound.min_arity)
            violated = contract_violated_by(partial(_play, window, found.trace, queries))
            if violated:
                return f"{violated} after {', '.join(found.trace) or 'nothing'}"
        return None
    return None


def _play(window: Any, trace: Sequence[str], queries: bool) -> None:
    ends = [half / 2 for half in range(2 * len(trace) + 3)]
    for step in trace:
        if queries:
            window.query()
        name, t, *letter = step.split()
        getattr(window, name)(int(t), *letter)
    window.query()
    for t_from, t_to in itertools.product(ends, repeat=2):
        window.range_query(t_from, t_to)
    with suppress(TimeError):
        window.insert(math.nan, "a")
    window.query()


# Claims


UNITS: Final = ("trees", "operations")


def check_bounds(column: Column, bounds: Sequence[Bound]) -> Outcome:
    """Explore to some bounds, and hold what was visited against the counts that are expected."""
    expected = reduce(Counts.add, (COUNTS.get(bound, Counts(0, 0)) for bound in bounds))
    return judge(find_once(*spaces(column, None, bounds), most=expected.states or None), expected, units=UNITS)


def reject(column: Column, own: frozenset[str], variant: Variant, bounds: tuple[Bound, ...]) -> Outcome:
    """Look for a violation of a claim's own checks by a mutant."""
    found = first_violation(*spaces(column, variant, bounds))
    return judge(found, (0, 0), own=own) if found else Outcome("holds", "not refuted")


STATED: Final = {
    "sizes": "Insert and evict keep the size invariants (reading FIBA-1), equal depth of leaves and the parent "
    "pointers.",
    "contents": "Entries are in the order of time, within nodes and across them, and are those of the window: a "
    "duplicate is combined on the right, evict of an absent time does nothing.",
    "answer": "Query returns v_1 ... v_n, and changes nothing.",
    "ranges": "A range query returns the product of the entries with t_from <= t <= t_to, the identity when there is "
    "none.",
    "refusals": "A time that does not compare (NaN, None) is refused with TimeError, and nothing changes.",
    "higher": "All of this holds with min-arity 3, too, and after one operation from any valid tree of more levels.",
}
"""Claims about either algorithm, in the same words."""

SOURCES: Final = {
    "sizes": cite(OUT_OF_ORDER, place="section 3.1, size invariants"),
    "contents": cite(OUT_OF_ORDER, "Definition 2.1", compared="a part: insert and evict"),
    "refusals": cite(OUT_OF_ORDER, place="silent; decided here"),
}
"""Places in the paper that state these claims for both algorithms."""

REJECTED: Final = {
    "sizes": (
        "an overflow of one is ignored",
        "an insert splits one node at most",
        "an underflow of one is ignored",
        "a big sibling is merged with, too",
        "a root without entries stays",
        "the last child looks for a sibling behind it",
        "children that a split moves keep their parent",
        "a child that moves from the next keeps its parent",
        "an insert keeps its value twice",
        "a child that moves from the next stays there, too",
        "a sibling that gives a child loses all of them",
    ),
    "contents": (
        "a duplicate is combined in the wrong order",
        "a duplicate replaces the value",
        "a duplicate becomes a second entry",
        "evict of an absent time removes the entry behind it",
        "a substitute is written over the node's first entry",
        "a substitute brings its value and not its time",
    ),
    "ranges": (
        "a range leaves out its first time",
        "a range leaves out its last time",
        "a range leaves out the child before the last [l.20 as printed]",
        "a range takes a subtree whole in which it ends",
        "a range is looked for below its first node",
    ),
    "refusals": ("times are not looked at",),
}
"""The mistakes that such a claim rejects of either algorithm; some have others besides."""


def claim(
    column: Column,
    wrong: WrongVariants[Column],
    name: str,
    *rejected: str,
    source: Source | None = None,
    statement: str = "",
    families: Sequence[str] = (),
    bounds: tuple[Bound, ...] = (REACHABLE,),
    control_bounds: tuple[Bound, ...] = THOROUGH,
    deep: tuple[Bound, ...] = (FARTHER,),
) -> Claim:
    """A claim by exploration of the column's algorithm as it is, over strings; of the family of its name, or of some.

    It rejects those of the mutants that are named here, after what such a claim rejects of either algorithm.
    """
    own = frozenset(check for family in families or (name,) for check in FAMILIES[family])
    return Claim(
        id=f"{column.slug}/{name}",
        statement=statement or STATED[name],
        source=source or SOURCES[name],
        algorithm=column.name,
        kind="exhaustive",
        engine="explorer",
        scope=_scope(bounds),
        code=code_of(column.algorithm),
        check=partial(check_bounds, column, bounds),
        controls=wrong.pick(*REJECTED.get(name, ()), *rejected),
        reject=partial(reject, column, own, bounds=control_bounds),
        not_covered="larger windows; other min-arities",
        deep=Deep(_scope(deep), partial(check_bounds, column, deep)),
    )


def _scope(bounds: Sequence[Bound]) -> str:
    return "; ".join(map(str, bounds)) + "; control flow looks at no value, and at times only by order"


class SpaceStates(TreeStates):
    """Checked is only what is stored."""

    def require_search(self, place: Place[TimedStep], visits: int, most: int) -> None:
        """Let any search pass."""

    def check(self, place: Place[TimedStep]) -> None:
        stored = stored_aggregates(place.subject, Word)
        if not space(place.model.size, stored, self.bound.min_arity):
            raise self.violation(place, "space", detail=f" ({stored} stored)")

    def look(self, place: Place[TimedStep]) -> None:
        """Nothing: a query stores nothing."""


def space_claim(column: Column, wrong: WrongVariants[Column], *rejected: str) -> Claim:
    """A claim about the space of a column's algorithm."""

    def check(variant: Variant | None = None, bounds: Sequence[Bound] = (REACHABLE,)) -> Outcome:
        expected = reduce(Counts.add, (COUNTS[bound] for bound in bounds))
        found = find_once(*(SpaceStates(column, bound, variant) for bound in bounds))
        return judge(found, expected, own=("space",), units=UNITS)

    return Claim(
        id=f"{column.slug}/space",
        statement="A tree holds n values and one partial aggregate a node, of at most 1 + (n - 1) / (mu - 1) nodes: at "
        "most 2n partial aggregates for n > 0.",
        source=cite(
            OUT_OF_ORDER,
            place="section 1, O(n_max); 2021, section 8.1, fewer than ~2n",
            compared="stronger: with the bound",
        ),
        algorithm=column.name,
        kind="exhaustive",
        engine="explorer",
        scope=_scope((REACHABLE,)),
        code=code_of(column.algorithm),
        check=check,
        controls=wrong.pick("an insert keeps its value twice", "an underflow of one is ignored", *rejected),
        not_covered="larger windows; what is stored within an operation; times, pointers and flags",
        deep=Deep(_scope((FARTHER,)), partial(check, bounds=(FARTHER,))),
    )


def _nodes_counted(least: Callable[[Integer, bool], Integer], path: Path) -> None:
    """Prove the count by induction on nodes: for the first k children, one child more, and the node, root or not."""
    mu, a, entries, nodes, more_entries, more_nodes = map(path.fresh, ("mu", "a", "E", "N", "e", "c"))
    path.assume(z3.And(mu >= 2, entries >= (mu - 1) * nodes, more_entries >= (mu - 1) * more_nodes))
    path.show("one child more", entries + more_entries >= (mu - 1) * (nodes + more_nodes))
    n = entries + a - 1
    path.show("the node itself", z3.Implies(a >= least(mu, False), n >= (mu - 1) * (nodes + 1)))
    path.show("the root", z3.Implies(a >= least(mu, True), n - 1 >= (mu - 1) * nodes))
    path.show("at most 2n", z3.Implies(z3.And(nodes >= 0, n - 1 >= (mu - 1) * nodes), n + nodes + 1 <= 2 * n))


def _count_nodes(least: Callable[[Integer, bool], Integer]) -> Outcome:
    return conclude(explore(partial(_nodes_counted, least)))


PROVED_SPACE: Final = Claim(
    id="fiba/proved-space",
    statement="A tree that meets the size invariants has at most 1 + (n - 1) / (mu - 1) nodes for n > 0, whatever its "
    "size, height and mu; so n values and one partial aggregate a node are at most 2n.",
    source=cite(
        OUT_OF_ORDER,
        place="section 1, O(n_max); 2021, section 8.1, fewer than ~2n",
        compared="stronger: with the bound",
    ),
    algorithm=FIBA.name,
    kind="proved",
    engine="induction on nodes, Z3",
    scope="every tree that meets the size invariants, of every size, height and min-arity mu >= 2",
    code="contracts.trees.augmented_tree: root_arity, arities",
    check=lambda: _count_nodes(lambda mu, root: 2 if root else mu),
    controls=(
        Control("a node of arity mu - 1", lambda: _count_nodes(lambda mu, root: 2 if root else mu - 1)),
        Control("a root of arity 1", lambda: _count_nodes(lambda mu, root: 1 if root else mu)),
    ),
    not_covered="that operations keep the size invariants: fiba/proved-insert, b-tree/proved-insert and others; that "
    "nothing else is kept: fiba/space, b-tree/space",
)
"""A claim about both trees, as both have these invariants."""


def equivalent(*, id: str, statement: str, source: Source, column: Column, same: Variant, control: Variant) -> Claim:
    """A claim that a changed reference still passes every check: what was changed makes no difference to them."""

    def check(variant: Variant = same, bounds: tuple[Bound, ...] = CHEAP) -> Outcome:
        found = first_violation(*spaces(column, variant, bounds))
        return judge(found, (0, 0)) if found else Outcome("holds", "never refuted")

    return Claim(
        id=id,
        statement=statement,
        source=source,
        algorithm=column.name,
        kind="exhaustive",
        engine="explorer",
        scope="; ".join(map(str, CHEAP[-3:])),
        code=f"variant {same.name!r} of {code_of(column.algorithm)}",
        check=check,
        reject=partial(check, bounds=THOROUGH),
        controls=(control,),
        not_covered="larger windows; other min-arities; time and combine calls",
        deep=Deep("; ".join(map(str, THOROUGH[-3:])), partial(check, bounds=THOROUGH)),
    )


# Long runs: trees that are higher than any exploration reaches.


def long_run(
    column: Column, min_arity: int, seed: int, operations: int, variant: Variant | None = None
) -> tuple[int, int]:
    """A seeded history with every clause checked after every operation.  Returns (most levels, most entries) seen.

    Raises AssertionError with the clause.  The window fills to 40 min_arity, drains, and fills again; half of all
    operations are within three entries of an end, and one in eight meets a present time.
    """
    algorithm = column.algorithm if variant is None else variant.of(column.algorithm)
    chance = random.Random(seed)
    monoid = Counting(CONCATENATION)
    tree, model = algorithm(monoid, min_arity), OutOfOrderWindow(CONCATENATION)
    levels = entries = 0
    filling, most = True, 40 * min_arity
    for number in range(operations):
        n = model.size
        filling = n < most if filling else n < most // 8
        near = chance.randrange(min(4, n + 1)) if n and chance.random() < 0.5 else chance.randrange(n + 1)
        place = n - near if chance.random() < 0.5 else near
        if chance.random() < (0.85 if filling else 0.15):
            if place < n and chance.random() < 0.125:
                t = model.times[place]
            else:
                before = model.times[place - 1] if place else -1.0
                t = before / 2 + model.times[place] / 2 if place < n else before + 1.0
            letter = LETTERS[number % 4096]
            tree.insert(t, letter)
            model.insert(t, letter)
        elif n:
            t = model.times[min(place, n - 1)]
            tree.evict(t)
            model.evict(t)
        tree.model = model
        failed = [clause.__name__ for clause in column.contract.INVARIANT if not clause(tree)]
        failed += ["answer"] * (tree.query() != model.query())
        if model.size:
            t_from, t_to = chance.choice(model.times), chance.choice(model.times)
            failed += ["range answer"] * (tree.range_query(t_from, t_to) != model.range_query(t_from, t_to))
        if failed:
            raise Violation(failed[0], (f"{number + 1} operations",), tuple(failed[1:]))
        depth, node = 1, tree.root
        while not node.is_leaf():
            depth, node = depth + 1, node.get_child(0)
        levels, entries = max(levels, depth), max(entries, model.size)
    return levels, entries


RUNS: Final = ((2, 1, 1500), (3, 2, 1000), (4, 3, 1000), (8, 4, 800), (12, 5, 60), (33, 6, 120))
"""(min-arity, seed, operations)."""


def tall_runs(column: Column, controls: Sequence[Variant]) -> Claim:
    """A claim by seeded runs, of which those with the least min-arity reach four levels."""

    def check(variant: Variant | None = None) -> Outcome:
        seen: list[str] = []
        for min_arity, seed, operations in RUNS:
            said = f"min-arity {min_arity}, seed {seed}, {operations} operations"
            try:
                levels, entries = long_run(column, min_arity, seed, operations, variant)
            except Violation as violation:
                return Outcome("fails", f"{said}: {violation}", refuted=violation.checks)
            except Exception as error:
                return Outcome("fails", f"{said}: {type(error).__name__}: {error}")
            if min_arity == 2 and levels < 4:
                return Outcome("unknown", f"{said}: only {levels} levels were reached")
            seen.append(f"min-arity {min_arity}: {levels} levels, {entries} entries")
        return Outcome("holds", "; ".join(seen))

    return Claim(
        id=f"{column.slug}/long-runs",
        statement="Every clause, the answer and a range hold after every operation of long histories with tall trees.",
        source=cite(
            OUT_OF_ORDER, "Theorem 3.1", "Theorem 3.3", "Theorem 4.1", compared="an instance: the histories drawn"
        ),
        algorithm=column.name,
        kind="sampled",
        engine="seeded runs",
        scope="; ".join(f"min-arity {m}, seed {seed}, {number} operations" for m, seed, number in RUNS),
        code=code_of(column.algorithm),
        check=check,
        controls=controls,
        not_covered="other histories",
    )


# Mistakes that both algorithms can make

SHARED_WRONG: Final = WrongVariants(B_TREE, FIBA, table="trees")
ALONE: Final = mutants_of("trees", "for one claim")
"""Each is for one claim alone."""
INSERT_REPAIRS_NOTHING: Final = ALONE["a local insert leaves the up-aggregate"]
EVICT_REPAIRS_NOTHING: Final = ALONE["a local evict leaves the up-aggregate"]
PARENT_NOT: Final = ALONE["rebalancing leaves the parent"]
