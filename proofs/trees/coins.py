"""Lemma C.1: rebalancing costs amortised O(1), by the arithmetic of coins.

Z3 checks the arithmetic for every mu >= 2 and every arity, on the unchanged predicates of `contracts/trees/coins.py`.
swagproof.proofs.trees.whole.whole_trees proves of the code that these coins pay for each turn of rebalancing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from swagproof.contracts.trees import coins as contract
from swagproof.contracts.trees.coins import Table
from swagproof.proofs.engine.paths import Exploration, Path, explore, formula
from swagproof.proofs.engine.solver import Integer, z3
from swagproof.proofs.engine.values import SymbolicInt
from swagproof.proofs.ledger.claim import OUT_OF_ORDER, Claim, Control, Outcome, cite
from swagproof.proofs.ledger.mutants import mutants_of
from swagproof.proofs.ledger.theorem import conclude
from swagproof.reference.catalogue import FIBA

# For every mu and every arity


@dataclass(frozen=True)
class Statement:
    """A statement of the lemma's proof: for every mu >= 2, `holds` for every arity that `when` admits."""

    name: str
    when: Callable[[Any, Any, bool], bool]
    """Called with the arity, mu, and True for the root."""
    holds: Callable[[Any, Any, bool, Table], bool]
    wrong: str
    """A table of `WRONG_TABLES` that this statement refutes by itself."""
    roots: tuple[bool, ...] = (False, True)
    """Kinds of node that the statement covers: False for a node other than the root, True for the root."""


def _with_an_entry(a: Any, mu: Any, root: bool) -> bool:
    return contract.between_operations(a, mu, root) and bool(a >= 2)


def _can_give(a: Any, mu: Any, root: bool) -> bool:
    return bool(mu < a) and bool(a <= 2 * mu)


def _out_of_bounds(a: Any, mu: Any, root: bool) -> bool:
    return contract.within_operation(a, mu, root) and not contract.between_operations(a, mu, root)


LEMMA: Final = (
    Statement(
        "an entry added is billed at most 2", contract.between_operations, contract.insert_billed, "3 coins at 2 mu"
    ),
    Statement("an entry taken is billed at most 1", _with_an_entry, contract.evict_billed, "2 coins at mu"),
    Statement("a split is paid", contract.between_operations, contract.split_paid, "3 coins at 2 mu + 1"),
    Statement("a merge is paid and refunds a coin", _with_an_entry, contract.merge_paid, "1 coin at 2 mu - 1"),
    Statement(
        "a move is billed at most 1",
        _can_give,
        lambda a, mu, root, table: contract.move_paid(a, mu, table),
        "1 coin at mu - 1",
        (False,),
    ),
    Statement(
        "a height increase is paid by the split that follows",
        contract.within_operation,
        lambda a, mu, root, table: contract.height_increase_paid(mu, table),
        "the root keeps coins as other nodes do",
        (True,),
    ),
    Statement(
        "a height decrease is paid by the merge before it",
        contract.within_operation,
        lambda a, mu, root, table: contract.height_decrease_paid(mu, table),
        "a root of arity 2 mu - 1 keeps a coin",
        (True,),
    ),
    Statement(
        "no node owes coins",
        contract.within_operation,
        lambda a, mu, root, table: table(a, mu, root) >= 0,
        "no coin at mu",
    ),
    Statement(
        "a node that has an entry too many or too few has two coins at least",
        _out_of_bounds,
        lambda a, mu, root, table: table(a, mu, root) >= 2,
        "1 coin at mu - 1",
    ),
)
"""Lemma C.1, statement by statement.  `a` is the parent's arity for split and merge, the sibling's for move."""


def put(statement: Statement, root: bool, table: Table, path: Path) -> None:
    """Show the statement for an arbitrary mu >= 2 and an arbitrary arity, on every feasible path through the table."""
    mu, a = path.fresh("mu"), path.fresh("a")
    path.example = partial(_example, mu, a, root)
    path.assume(z3.And(mu >= 2, formula(lambda: statement.when(SymbolicInt(a), SymbolicInt(mu), root))))
    path.show(statement.name, z3.BoolVal(statement.holds(SymbolicInt(a), SymbolicInt(mu), root, table)))


def _example(mu: Integer, a: Integer, root: bool, model: Any) -> str:
    node = "the root" if root else "another node"
    return f"mu = {model.eval(mu)}, arity {model.eval(a)}, {node}"


def arithmetic(table: Table = contract.coins, lemma: Sequence[Statement] = LEMMA) -> Outcome:
    """Check every statement of the lemma, for every mu >= 2 and every arity, with this table of coins."""
    report = Exploration()
    for statement in lemma:
        for root in statement.roots:
            report.merge(explore(partial(put, statement, root, table)))
            if report.failures:
                return conclude(report)
    return conclude(report, among=f", {len(lemma)} statements")


def _add(coins: int, arity: Callable[[Any], Any]) -> Table:
    """Return the table with this many more coins at one arity."""
    return lambda a, mu, root: contract.coins(a, mu, root) + (coins if a == arity(mu) else 0)


WRONG_TABLES: Final[dict[str, Table]] = {
    "3 coins at 2 mu + 1": _add(-1, lambda mu: 2 * mu + 1),
    "3 coins at 2 mu": _add(1, lambda mu: 2 * mu),
    "no coin at mu": _add(-1, lambda mu: mu),
    "2 coins at mu": _add(1, lambda mu: mu),
    "1 coin at mu - 1": _add(-1, lambda mu: mu - 1),
    "1 coin at 2 mu - 1": _add(1, lambda mu: 2 * mu - 1),
    "the root keeps coins as other nodes do": lambda a, mu, root: contract.coins(a, mu, False),
    "a root of arity 2 mu - 1 keeps a coin": lambda a, mu, root: (
        contract.coins(a, mu, root) + (1 if root and a == 2 * mu - 1 else 0)
    ),
}
"""Wrong tables of coins, each of which must be refuted."""


LEAST_MAX_ARITY: Final = mutants_of("b-tree", "coins")["max-arity 2 mu - 1, the least that a B-tree admits"]
"""A B-tree that meets its size invariants, and whose rebalancing is not amortised O(1)."""

# Claims

CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        id="fiba/coins-arithmetic",
        source=cite(
            OUT_OF_ORDER,
            "Lemma C.1",
            "Figure 15",
            place="its proof",
            compared="a part: that what each step needs is there, by the table of coins",
        ),
        statement="In the table of coins an entry added needs at most 2 coins more, an entry taken 1, a move from a "
        "sibling of arity above mu 1; a split of arity 2 mu + 1, and a merge of mu - 1 with mu, pay for themselves and "
        "for the parent; a height's change is paid by the split after it or the merge before it; no node owes.",
        algorithm=FIBA.name,
        kind="proved",
        engine="symbolic execution, Z3",
        scope="every mu >= 2, every arity that a tree admits within an operation",
        code="contracts.trees.coins",
        check=arithmetic,
        controls=tuple(
            Control(
                f"{statement.name}: {statement.wrong}", partial(arithmetic, WRONG_TABLES[statement.wrong], [statement])
            )
            for statement in LEMMA
        ),
        not_covered="that rebalancing takes no step but those, and from no other arities: see "
        "fiba/proved-rebalancing-cost and b-tree/proved-rebalancing-cost",
    ),
)
