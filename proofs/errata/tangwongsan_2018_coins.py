"""The errata of *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018) about cost."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from swagproof.contracts.trees import coins as contract
from swagproof.models.monoid import broken_law
from swagproof.models.operations import FIRST
from swagproof.proofs.errata.erratum import Entry, Erratum, against
from swagproof.proofs.explorer.space import Violation
from swagproof.proofs.ledger.claim import OUT_OF_ORDER
from swagproof.proofs.ledger.variants import wrong
from swagproof.proofs.trees.coins import carried, coined
from swagproof.proofs.trees.lower_bound import closer_end, disorder
from swagproof.proofs.trees.runs import HISTORIES, height_of, summing, take
from swagproof.proofs.trees.searches import ranged
from swagproof.reference.costs import levels
from swagproof.reference.trees.fiba import Fiba

# Coins


def _arities(admitted: Callable[[Any, Any, bool], bool]) -> Iterator[str]:
    """An arity that a node takes, within operations too, and that is not admitted."""

    def coins(self: Any, node: Any) -> int:
        if not admitted(node.arity, self.min_arity, node.is_root()):
            raise Violation(f"{'the root' if node.is_root() else 'a node'} has arity {node.arity}", ())
        return int(self.table(node.arity, self.min_arity, node.is_root()))

    made = type("CoinedFiba", (coined(Fiba),), {"coins": coins})
    for mu in (2, 3, 4):
        for name in ("in order", "fill and drain"):
            tree, done = made(summing(), mu), list[str]()
            for step, t in HISTORIES[name](40):
                done.append(f"{step} {t}")
                try:
                    take(tree, step, t)
                except Violation as violation:
                    yield f"mu = {mu}: {', '.join(done)}: {violation.check}"


def _split(of_sibling: int) -> Iterator[str]:
    """The split of a node whose parent needs two coins more, with this many for the new sibling."""
    for mu in range(2, 9):
        parent = contract.coins(2 * mu + 1, mu, False) - contract.coins(2 * mu, mu, False)
        has, needs = contract.coins(2 * mu + 1, mu, False), 1 + of_sibling + parent
        if needs > has or of_sibling != contract.coins(mu, mu, False):
            yield f"mu = {mu}, parent of arity {2 * mu}: {needs} coins needed, {has} there"


def _moved(least: Callable[[int], int]) -> Iterator[str]:
    """A sibling of an arity that the proof admits, and that a move would leave with too little."""
    for mu in range(2, 9):
        for a in range(least(mu), 2 * mu + 1):
            if not contract.between_operations(a - 1, mu, False):
                yield f"mu = {mu}, sibling of arity {a}: a move leaves it {a - 1}; l.63 merges instead"


def _move_billed(most: int) -> Iterator[str]:
    """The first move that is billed more."""
    made = coined(Fiba)
    if most == 0:
        made = wrong("a move may be billed nothing", ("move", '1, "a move"', '0, "a move"')).of(made)
    try:
        carried(made, 2, 10)
    except Violation as violation:
        yield str(violation)


# Lower bound


def _base(is_base: Callable[[int, int], bool]) -> Iterator[str]:
    """Where the recurrence for |G_d(X)|, which keeps d, ends outside its base case."""
    for m in range(1, 5):
        for d in range(m + 1):
            if not is_base(0, d):
                yield f"|X| = {m}, d = {d}: the recurrence ends at |G_{d}| of the empty set"


def _permutations() -> Iterator[tuple[int, ...]]:
    yield (1,)
    yield from ((1, 2), (2, 1))
    yield from ((1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1))


def _measures(agree: Callable[[int, int, int], bool]) -> Iterator[str]:
    for permutation in _permutations():
        delta, distance = disorder(permutation), closer_end(permutation)
        if not agree(delta, distance, len(permutation)):
            inserts = ", ".join(f"insert {t}" for t in permutation)
            yield f"{inserts}: delta {delta}, out-of-order distance {distance}"


class _Left:
    """x y = x, with whatever identity."""

    def __init__(self, identity: Any) -> None:
        self.identity = identity

    def combine(self, a: Any, b: Any) -> Any:
        """The left one."""
        return a


def _no_monoid() -> Iterator[str]:
    broken = [broken_law(_Left(identity), [1, 2]) for identity in (0, 1, None)]
    if all(broken):
        yield str(broken[0])


def _monoid() -> Iterator[str]:
    broken = broken_law(FIRST, [1, 2, 3])
    if broken:
        yield str(broken)


# Range queries


def _ancestor(most_level: Callable[[int, int, int], int]) -> Iterator[str]:
    """Three entries about the root's first: levels up to the common ancestor, in trees of growing height."""
    said: list[str] = []
    tree, n = ranged(Fiba)(summing(), 2), 0
    for height in range(1, 7):
        while height_of(tree) < height:
            tree.insert(n, 1)
            n += 1
        t = tree.root.get_time(0)
        tree.range_query(t - 1, t + 1)
        if tree.level > most_level(min(t - 1, n - t), min(t + 1, n - t - 2), 3):
            said.append(f"n = {n}: {tree.level}")
    if len(said) > 1:
        yield f"3 entries about the root's, mu = 2; levels up to the common ancestor: {', '.join(said)}"
    yield from said


erratum: Final = partial(Erratum, paper=OUT_OF_ORDER)

ENTRIES: Final[tuple[Entry, ...]] = (
    erratum(
        id="COIN-1",
        place="appendix C, second observation",
        printed="Even in intermediate stages every node has an arity between mu - 1 and 2 mu + 1.",
        holds="Every node but the root. The root's may be any from 1 on: 1 when empty and within a change of height.",
        searches=against(_arities, lambda a, mu, root: mu - 1 <= a <= 2 * mu + 1, contract.within_operation),
    ),
    erratum(
        id="COIN-2",
        place="appendix C, proof of Lemma C.1, split",
        printed="The new node r, with coins(r) = 1, will need 2 coins.",
        holds="It needs 1, as the same paragraph then gives it: with 2, four coins would not pay for the split.",
        searches=against(_split, 2, 1),
    ),
    erratum(
        id="COIN-3",
        place="appendix C, proof of Lemma C.1, move",
        printed="The sibling that a node takes from has an arity a' with mu <= a', and may go from mu to mu - 1.",
        holds="mu < a': from mu it would underflow itself; line 63 merges with such a sibling.",
        searches=against(_moved, lambda mu: mu, lambda mu: mu + 1),
    ),
    erratum(
        id="COIN-4",
        place="appendix C, proof of Lemma C.1, move",
        printed="Of the 2 coins of the node that is mended 1 stays and 1 is for the sibling; none is named for the "
        "move.",
        holds="Section 3.3 counts a move as a spent coin: it may have to be billed 1. The lemma stands, as there is "
        "one move at most, and an evict is billed at most 1, not 2, for its entry.",
        searches=against(_move_billed, 0, 1),
    ),
    erratum(
        id="BOUND-1",
        place="appendix A, proof of Lemma A.1",
        printed="The base case is |G_0| of the empty set.",
        holds="|G_d| of the empty set, which is 1 for every d: the recurrence keeps d.",
        searches=against(_base, lambda m, d: m == 0 and d == 0, lambda m, d: m == 0),
    ),
    erratum(
        id="BOUND-2",
        place="appendix A, measure delta; abstract and sections 5.1 and 5.2, d near n",
        printed="delta_i, the number of earlier greater elements, coincides with the out-of-order distance.",
        holds="It is the distance to the younger end; the out-of-order distance of sections 1 and 3 is to the closer "
        "end, so delta_i is at least that. The theorem needs no more. To the closer end it is at most (n - 1) / 2, "
        "and never near n: the experiments, too, go by the distance to the younger end.",
        searches=against(
            _measures,
            lambda delta, distance, n: delta == distance,
            lambda delta, distance, n: distance <= min(delta, (n - 1) // 2),
        ),
    ),
    erratum(
        id="BOUND-3",
        place="appendix A, proof of Theorem 2.2",
        printed="A window is instantiated with the operator x y = x.",
        holds="Definition 2.1 asks for an identity, which this operator has not: 1 y = y fails for every candidate. "
        "With one adjoined it is the monoid `first`, and the proof goes through.",
        searches=(_no_monoid, _monoid),
    ),
    erratum(
        id="COST-1",
        place="section 4, proof of Theorem 4.2",
        printed="The least common ancestor is O(log n_sub) away from the nodes of both ends.",
        holds="Neighbours on both sides of the root's entry have it as their ancestor, at any height. Its level l "
        "obeys mu^l <= d_from + d_to + n_sub + 1, which the theorem's bound covers.",
        searches=against(
            _ancestor,
            lambda d_from, d_to, n_sub: levels(n_sub, 2),
            lambda d_from, d_to, n_sub: levels(d_from + d_to + n_sub, 2),
        ),
    ),
)
