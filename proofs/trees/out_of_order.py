"""Claims about both trees, checked by exploring them, and the mutants that apply to each."""

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial, reduce
from typing import Any, Final

from swagproof.models.operations import CONCATENATION
from swagproof.models.out_of_order import TimeError
from swagproof.proofs.engine.paths import Path, explore
from swagproof.proofs.engine.solver import Integer, z3
from swagproof.proofs.explorer.walk import Counts, find_once, first_violation, judge, refute, search
from swagproof.proofs.ledger.claim import OUT_OF_ORDER, Claim, Control, Deep, Outcome, Source, cite, code_of
from swagproof.proofs.ledger.mutants import Mutant, Mutants, contract_violated_by
from swagproof.proofs.ledger.theorem import conclude
from swagproof.proofs.trees.shapes import Bound, TreeStates
from swagproof.reference.catalogue import B_TREE, FIBA, Column

REACHABLE: Final = Bound(2, 10)
FARTHER: Final = Bound(2, 14)
HIGH: Final = (Bound(2, 16, 4), Bound(3, 18, 3))
HIGHER: Final = (Bound(2, 18, 4), Bound(3, 20, 3))
BOUNDS: Final = {
    REACHABLE: Counts(113, 3539),
    Bound(3, 12): Counts(59, 2114),
    HIGH[0]: Counts(9, 590),
    HIGH[1]: Counts(7, 514),
}
DEEP: Final = {
    FARTHER: Counts(846, 38773),
    Bound(3, 20): Counts(768, 50429),
    HIGHER[0]: Counts(197, 14342),
    HIGHER[1]: Counts(86, 6908),
}
"""Bounds of the claims, BOUNDS by default, DEEP with --deep, with the expected counts for either algorithm; both have
the same shapes."""

GROWING: Final = (Bound(2, 4), Bound(2, 7), Bound(3, 8), REACHABLE, Bound(2, 12), FARTHER, *HIGHER)
"""Explorations in which a mutant is searched for, the cheapest first; a history found can be replayed."""
CHEAP: Final = (*GROWING[:3], Bound(2, 8), Bound(2, 10, 3), HIGH[1])
"""Cheaper explorations: three levels, from all valid trees."""
THOROUGH: Final = (*GROWING[:4], Bound(2, 12, 3), HIGH[1])


def spaces(column: Column, mutant: Mutant | None, bounds: Iterable[Bound]) -> list[TreeStates]:
    """Return the explorations within some bounds."""
    return [TreeStates(column, bound, mutant) for bound in bounds]


def refuted(column: Column, mutant: Mutant) -> str | None:
    """Return the shortest history, for the smallest tree, after which the explorer rejects a mutant."""
    return refute(*spaces(column, mutant, GROWING))


def violated_contract(column: Column, mutant: Mutant) -> str | None:
    """Return the contract that this history violates, under full contracts, or an exception raised before that."""
    for bound in GROWING:
        found = first_violation(TreeStates(column, bound, mutant))
        if found is None or (found.trace[:1] and found.trace[0].startswith("from")):  # it cannot be replayed
            continue
        for queries in (True, False):
            window = mutant.checked(column.algorithm, column.checked)(CONCATENATION, bound.min_arity)
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


def check_bounds(states: Callable[[Bound], TreeStates], bounds: Mapping[Bound, Counts]) -> Outcome:
    """Explore the trees within some bounds, and compare the counts with the expected ones."""
    expected = reduce(Counts.add, bounds.values())
    return judge(find_once(*map(states, bounds), most=expected.states), expected, units=("trees", "operations"))


def explored_claim(column: Column, *, statement: str, source: Source) -> Claim:
    """Return the claim about every tree within the bounds: each clause, result, cost and refusal."""

    def check(mutant: Mutant | None = None) -> Outcome:
        if mutant is None:
            return check_bounds(partial(TreeStates, column), BOUNDS)
        return search(*spaces(column, mutant, (*THOROUGH, HIGH[0], *HIGHER)))

    return Claim(
        id=f"{column.slug}/explored",
        statement=statement,
        source=source,
        algorithm=column.name,
        kind="exhaustive",
        engine="explorer",
        scope=_scope(BOUNDS),
        code=code_of(column.algorithm),
        check=check,
        not_covered="larger windows; other min-arities",
        deep=Deep(_scope(DEEP), partial(check_bounds, partial(TreeStates, column), DEEP)),
    )


def _scope(bounds: Iterable[Bound]) -> str:
    return "; ".join(map(str, bounds)) + "; control flow looks at no value, and at times only by order"


def _nodes_counted(least: Callable[[Integer, bool], Integer], path: Path) -> None:
    """Prove the count by induction on nodes: for the first k children, one more child, and the node, root or not."""
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
    "nothing else is kept: fiba/explored, b-tree/explored",
)
"""A claim about both trees, because both have these invariants."""


def equivalent(*, id: str, statement: str, source: Source, column: Column, same: Mutant) -> Claim:
    """Return the claim that a changed reference passes every check, so that the change makes no difference to them."""

    def check(mutant: Mutant = same, bounds: tuple[Bound, ...] = CHEAP) -> Outcome:
        return search(*spaces(column, mutant, bounds))

    return Claim(
        id=id,
        statement=statement,
        source=source,
        algorithm=column.name,
        kind="exhaustive",
        engine="explorer",
        scope="; ".join(map(str, CHEAP[-3:])),
        code=f"mutant {same.name!r} of {code_of(column.algorithm)}",
        check=check,
        reject=partial(check, bounds=THOROUGH),
        not_covered="larger windows; other min-arities; time and combine calls",
        deep=Deep("; ".join(map(str, THOROUGH[-3:])), partial(check, bounds=THOROUGH)),
    )


# Mutants of both algorithms

SHARED_WRONG: Final = Mutants(B_TREE, FIBA, table="trees")
