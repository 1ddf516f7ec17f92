"""Lemma C.1: rebalancing costs amortised O(1), proved with coins, and the coins carried by the running reference.

The arithmetic of the lemma is put to Z3 for every mu >= 2 and every arity; the predicates are those of
`contracts/trees/coins.py`, run as they are.  That the arities of a real split, merge or move are those of the lemma,
and that nothing but those steps changes an arity, is seen by running: `CoinedTree` is the reference with an account
kept at its nodes, on every shape up to a bound and along long histories.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Final

from swagproof.contracts.trees import coins as contract
from swagproof.contracts.trees.coins import MOST_BILLED, Table
from swagproof.models.monoid import A, Monoid
from swagproof.proofs.engine.obligation import Obligation
from swagproof.proofs.engine.paths import Exploration, Path, explore, formula
from swagproof.proofs.engine.solver import Integer, z3
from swagproof.proofs.engine.values import SymbolicInt
from swagproof.proofs.explorer.space import Violation
from swagproof.proofs.explorer.walk import Counts, find, judge
from swagproof.proofs.ledger.claim import OUT_OF_ORDER, Claim, Control, Deep, Outcome, cite, code_of
from swagproof.proofs.ledger.theorem import conclude
from swagproof.proofs.ledger.variants import Variant, WrongVariants
from swagproof.proofs.trees.runs import (
    HISTORIES,
    SEED,
    Bounds,
    CountedTree,
    Step,
    counted,
    height_of,
    scope,
    summing,
    take,
    within_bounds,
)
from swagproof.proofs.trees.runs import explore as explore_shapes
from swagproof.reference.catalogue import B_TREE, FIBA
from swagproof.reference.trees.b_tree import BTree
from swagproof.reference.trees.fiba import Fiba

# For every mu and every arity


@dataclass(frozen=True)
class Statement:
    """A statement of the lemma's proof: for every mu >= 2, `holds` of every arity that `when` admits."""

    name: str
    when: Callable[[Any, Any, bool], bool]
    """(arity, mu, whether it is the root's)"""
    holds: Callable[[Any, Any, bool, Table], bool]
    wrong: str
    """The table of `WRONG_TABLES` that it refutes by itself: together, the statements leave little to each."""
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
    """The statement, for an arbitrary mu >= 2 and an arbitrary arity, along every feasible path through the table."""
    mu, a = path.fresh("mu"), path.fresh("a")
    path.example = partial(_example, mu, a, root)
    path.assume(z3.And(mu >= 2, formula(lambda: statement.when(SymbolicInt(a), SymbolicInt(mu), root))))
    path.show(statement.name, z3.BoolVal(statement.holds(SymbolicInt(a), SymbolicInt(mu), root, table)))


def _example(mu: Integer, a: Integer, root: bool, model: Any) -> str:
    node = "the root" if root else "another node"
    return f"mu = {model.eval(mu)}, arity {model.eval(a)}, {node}"


def arithmetic(table: Table = contract.coins, lemma: Sequence[Statement] = LEMMA) -> Outcome:
    """Every statement of the lemma, for every mu >= 2 and every arity, with this table of coins."""
    report = Exploration()
    for statement in lemma:
        for root in statement.roots:
            report.merge(explore(partial(put, statement, root, table)))
            if report.failures:
                return conclude(report)
    return conclude(report, among=f", {len(lemma)} statements")


def _add(coins: int, arity: Callable[[Any], Any]) -> Table:
    """The table with so many coins more at one arity."""
    return lambda a, mu, root: contract.coins(a, mu, root) + (coins if a == arity(mu) else 0)


WRONG_TABLES: Final[dict[str, Table]] = {
    "3 coins at 2 mu + 1": _add(-1, lambda mu: 2 * mu + 1),
    "1 coin at 2 mu": _add(-1, lambda mu: 2 * mu),
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
"""Each must be refuted."""


# Carried by the running reference


class CoinedTree(CountedTree[A]):
    """The reference with coins at its nodes: a mix-in like CountedTree, of which it is one.

    `reserve` has the coins of each node; `billed`, `refunded` and `spent` are those of the operation under way, and
    `overdrawn` names a step that was billed more than it may be.  The account looks at no more than the nodes that a
    step names, so that an arity changed elsewhere is found out.
    """

    table: ClassVar[Any] = staticmethod(contract.coins)

    def __init__(self, monoid: Monoid[A], min_arity: int = 2) -> None:
        super().__init__(monoid, min_arity)
        self.open_operation()
        self.reserve: dict[Any, int] = {self.root: 0}

    def coins(self, node: Any) -> int:
        """Return what must lie at a node."""
        return int(self.table(node.arity, self.min_arity, node.is_root()))

    def open_operation(self) -> None:
        """Nothing is billed, refunded or spent yet."""
        self.billed = self.refunded = self.spent = 0
        self.overdrawn: str | None = None

    def open_accounts(self) -> None:
        """Put at every node what must lie there."""
        self.reserve = {node: self.coins(node) for node in self.nodes()}

    def pay(self, price: int, before: Iterable[Any], after: Iterable[Any], most: int, what: str) -> None:
        """Pay for a step and for the nodes after it with the coins at the nodes before it; bill the rest."""
        purse = sum(self.reserve.pop(node, 0) for node in before) - price
        needed = {node: self.coins(node) for node in after}
        self.reserve.update(needed)
        balance = purse - sum(needed.values())
        self.spent += price
        self.billed += max(0, -balance)
        self.refunded += max(0, balance)
        if -balance > most:
            self.overdrawn = self.overdrawn or f"{what} billed {-balance}, not at most {most}"

    def rebalance_for_insert(self, node: Any) -> Any:
        """The operation pays for the entry that it has added to `node`."""
        self.pay(0, [node], [node], 2, "an entry added")
        return super(CoinedTree, self).rebalance_for_insert(node)  # type: ignore[misc]  # noqa: UP008  # for variants

    def rebalance_for_evict(self, node: Any, *to_repair: Any) -> Any:
        """The operation pays for the entry that it has taken from the leaf `node`, also where that was a substitute."""
        self.pay(0, [node], [node], 1, "an entry taken")
        return super(CoinedTree, self).rebalance_for_evict(node, *to_repair)  # type: ignore[misc]  # noqa: UP008  # same

    def split(self, node: Any) -> None:
        """One coin, from the node's four."""
        parent = node.parent
        CountedTree.split(self, node)
        sibling = parent.children[parent.children.index(node) + 1]
        self.pay(1, [node, parent], [node, sibling, parent], 0, "a split")

    def merge(self, parent: Any, node_idx: int, sibling_idx: int) -> Any:
        """One coin, from the three of both nodes."""
        node, sibling = parent.get_child(node_idx), parent.get_child(sibling_idx)
        merged = CountedTree.merge(self, parent, node_idx, sibling_idx)
        self.pay(1, [node, sibling, parent], [merged, parent], 0, "a merge")
        return merged

    def move(self, parent: Any, node_idx: int, sibling_idx: int) -> None:
        """One coin, billed to the operation where the sibling needs the one that the node no longer does."""
        node, sibling = parent.get_child(node_idx), parent.get_child(sibling_idx)
        CountedTree.move(self, parent, node_idx, sibling_idx)
        self.pay(1, [node, sibling], [node, sibling], 1, "a move")

    def height_increase(self) -> None:
        """No coin: it is paid by the split that follows."""
        old = self.root
        CountedTree.height_increase(self)
        self.pay(0, [old], [old, self.root], 0, "a height increase")

    def height_decrease(self) -> None:
        """No coin: it was paid by the merge before."""
        old = self.root
        CountedTree.height_decrease(self)
        self.pay(0, [old, self.root], [self.root], 0, "a height decrease")


def coined(algorithm: type[Any]) -> type[Any]:
    """The tree with coins at its nodes."""
    inner = counted(algorithm)
    return type(f"Coined{algorithm.__name__}", (CoinedTree, inner), {})


def watched(tree: Any, step: Step, t: int) -> str | None:
    """Take a step.  What the account does not bear out, or None."""
    before, height = sum(tree.reserve.values()), height_of(tree)
    tree.open_operation()
    tree.monoid.clear()
    take(tree, step, t)
    after = sum(tree.reserve.values())
    if not contract.operation_paid(tree.monoid.steps, before, after):
        return Obligation(
            "operation paid", text=f"operation paid: {tree.monoid.steps} steps, {before} coins, then {after}"
        )
    if tree.reserve != {node: tree.coins(node) for node in tree.nodes()}:
        return "the coins at a node are not those of its arity"
    if tree.overdrawn:
        return str(tree.overdrawn)
    if tree.billed > MOST_BILLED:
        return f"billed {tree.billed} coins"
    if before + tree.billed != after + tree.refunded + tree.spent:
        return "coins were made or lost"
    if tree.monoid.steps != tree.spent + abs(height_of(tree) - height):
        return f"{tree.monoid.steps} steps for {tree.spent} coins"
    return None


# The checks


def carried(with_coins: type[Any], min_arity: int, limit: int) -> Counts:
    """Every insert and evict from every shape with at most `limit` entries, of a coined tree.  Raises Violation."""

    def step(tree: Any, step: Step, t: int) -> str | None:
        tree.open_accounts()
        return watched(tree, step, t)

    return explore_shapes(lambda: with_coins(summing(), min_arity), limit, step)


def carried_along(algorithm: type[Any], min_arity: int, history: str, n: int) -> int:
    """A history from the empty tree: how many operations.  Raises Violation, with the operation at which."""
    tree = coined(algorithm)(summing(), min_arity)
    steps = operations = 0
    for step, t in HISTORIES[history](n):
        operations += 1
        broken = watched(tree, step, t)
        steps += tree.monoid.steps
        if not broken and steps + sum(tree.reserve.values()) > MOST_BILLED * operations:
            broken = f"{steps} steps of rebalancing in {operations} operations"
        if broken:
            raise Violation(broken, (history, f"mu={min_arity}", f"operation {operations}: {step} {t}"))
    return operations


def along(algorithm: type[Any], min_arities: tuple[int, ...] = (2, 3, 4, 8), n: int = 400) -> Outcome:
    """All histories."""
    try:
        operations = sum(
            carried_along(algorithm, min_arity, history, n) for min_arity in min_arities for history in HISTORIES
        )
    except Violation as violation:
        return Outcome("fails", str(violation), refuted=violation.checks)
    return Outcome("holds", f"{operations:,} operations", {"operations": operations})


def on_every_shape(algorithm: type[Any], bounds: Bounds) -> Outcome:
    """Every step from every shape."""
    return within_bounds(bounds, partial(carried, coined(algorithm)))


# Mutants

WRONG_ACCOUNTS: Final = WrongVariants(FIBA, table="fiba", section="coins")
"""Mistakes of the account, over FiBA."""


WRONG_TREES: Final = WrongVariants(B_TREE, table="b-tree", section="coins")
"""Mistakes of the B-tree that only its cost shows."""

LEAST_MAX_ARITY: Final = WRONG_TREES.get("max-arity 2 mu - 1, the least that a B-tree admits")


def wrong_account(variant: Variant, min_arity: int = 2, limit: int = 10) -> Outcome:
    """FiBA with a wrong account, on every shape."""
    return judge(find(partial(carried, variant.of(coined(Fiba)), min_arity, limit)), (113, 3539))


def _wrong_table(table: Table) -> Outcome:
    wrong_coins = type("CoinedFiba", (coined(Fiba),), {"table": staticmethod(table)})
    return judge(find(partial(carried, wrong_coins, 2, 10)), (113, 3539))


def wrong_tree(variant: Variant) -> Outcome:
    """The B-tree with a mistake, along the histories."""
    return along(variant.of(BTree), (2,), 100)


# Claims

BOUNDS: Final = ((2, 10, (113, 3539)), (3, 14, (111, 4800)))
"""(mu, most entries, shapes and steps) for the check on every shape."""
DEEP: Final = ((2, 12, (295, 11416)), (3, 16, (212, 10754)))


claim: Final = partial(
    Claim,
    source=cite(
        OUT_OF_ORDER,
        "Lemma C.1",
        place="its proof",
        compared="stronger: with the constant, at most 2 steps an operation",
    ),
    algorithm=FIBA.name,
    code=code_of(Fiba),
)
with_an_account: Final = partial(claim, engine="run with an account at the nodes")
carried_on_every_shape: Final = partial(
    with_an_account,
    statement="Run with coins at its nodes, each node w has coins(w) after every operation; every split, merge and "
    "move is paid, and no insert or evict is billed more than 2; a height's change is paid by what is refunded.",
    kind="exhaustive",
    scope=f"{scope(BOUNDS)}; every step",
    not_covered="larger trees on every shape (see the histories, and the arithmetic for every mu and arity)",
)

CLAIMS: Final[tuple[Claim, ...]] = (
    claim(
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
        "fiba/proved-rebalancing-cost, and for whole operations on small trees fiba/coins-carried",
    ),
    carried_on_every_shape(
        id="fiba/coins-carried",
        check=partial(on_every_shape, Fiba, BOUNDS),
        deep=Deep(f"{scope(DEEP)}; every step", partial(on_every_shape, Fiba, DEEP)),
        reject=wrong_account,
        controls=(
            *WRONG_ACCOUNTS,
            *(Control(name, partial(_wrong_table, table)) for name, table in WRONG_TABLES.items()),
        ),
    ),
    carried_on_every_shape(
        id="b-tree/coins-carried",
        algorithm=B_TREE.name,
        code=code_of(BTree),
        check=partial(on_every_shape, BTree, BOUNDS),
        deep=Deep(f"{scope(DEEP)}; every step", partial(on_every_shape, BTree, DEEP)),
        reject=wrong_tree,
        controls=WRONG_TREES,
    ),
    with_an_account(
        id="fiba/coins-along",
        statement="The same along histories: in order, last in first out, back and forth at every size, filled and "
        "drained by chance, at random, from the middle out; and at every moment all steps so far, height changes "
        "included, are at most 2 an operation.",
        kind="sampled",
        scope=f"mu = 2, 3, 4, 8, windows of 150, seed {SEED}",
        check=partial(along, Fiba, n=150),
        controls=(LEAST_MAX_ARITY,),
        reject=wrong_tree,
        not_covered="other histories, larger windows",
    ),
)
