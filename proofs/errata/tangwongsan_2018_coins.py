"""What is said of the text of *Sub-O(log n) Out-of-Order Sliding-Window Aggregation* (2018) about costs."""

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from swagproof.contracts.trees import coins as contract
from swagproof.models.monoid import broken_law
from swagproof.models.operations import FIRST
from swagproof.proofs.errata.erratum import Entry, Erratum, Form, Reading, Withdrawn
from swagproof.proofs.errata.tangwongsan_2018 import MIN_ARITIES
from swagproof.proofs.explorer.space import Violation
from swagproof.proofs.ledger.claim import OUT_OF_ORDER
from swagproof.proofs.ledger.variants import wrong
from swagproof.proofs.trees.coins import carried, coined
from swagproof.proofs.trees.lower_bound import closer_end, disorder
from swagproof.proofs.trees.runs import HISTORIES, height_of, summing, take
from swagproof.proofs.trees.searches import ranged
from swagproof.reference.catalogue import FIBA
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
    for mu in MIN_ARITIES:
        for history in HISTORIES.values():
            tree, done = made(summing(), mu), list[str]()
            for step, t in history(40):
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


def _ancestor(most_level: Callable[[int, int, int, int], int]) -> Iterator[str]:
    """Levels up to the least common ancestor, of three entries about the root's first and of all, in growing trees."""
    for mu, forwards in itertools.product(MIN_ARITIES, (True, False)):
        said: list[str] = []
        tree, n = ranged(Fiba)(summing(), mu), 0
        for height in range(1, 7 if mu == 2 else 4):
            while height_of(tree) < height:
                tree.insert(n if forwards else -n, 1)
                n += 1
            first = 0 if forwards else 1 - n
            at = tree.root.get_time(0) - first
            for t_from, t_to in ((max(at - 1, 0), min(at + 1, n - 1)), (0, n - 1)):
                tree.range_query(first + t_from, first + t_to)
                n_sub = t_to - t_from + 1
                if tree.level > most_level(min(t_from, n - 1 - t_from), min(t_to, n - 1 - t_to), n_sub, mu):
                    said.append(f"{tree.level} for {n_sub} of {n}")
        if said:
            order = "in order" if forwards else "backwards"
            yield f"mu = {mu}, filled {order}; levels up to the common ancestor: {', '.join(said)}"


erratum: Final = partial(Erratum, paper=OUT_OF_ORDER)
reading: Final = partial(Reading, paper=OUT_OF_ORDER)
withdrawn: Final = partial(Withdrawn, paper=OUT_OF_ORDER)

ENTRIES: Final[tuple[Entry, ...]] = (
    erratum(
        id="COST-1",
        place="section 4, proof of Theorem 4.2",
        quotes=(r"to the least-common ancestor (LCA) is at most $O(\log n_{sub})$",),
        printed="The least common ancestor is O(log n_sub) away from the nodes of both ends.",
        holds="Neighbours on both sides of the root's entry have it as their ancestor, at any height. Its level l "
        "obeys mu^l <= d_from + d_to + n_sub + 1, which the theorem's bound covers.",
        searches=(
            partial(_ancestor, lambda d_from, d_to, n_sub, mu: levels(n_sub, mu)),
            partial(_ancestor, lambda d_from, d_to, n_sub, mu: levels(d_from + d_to + n_sub, mu)),
        ),
        wrong={"by the distances alone": partial(_ancestor, lambda d_from, d_to, n_sub, mu: levels(d_from + d_to, mu))},
        forms=(
            Form(
                FIBA,
                None,
                (*(("insert", time) for time in range(1, 41)), ("range_query", 26, 28)),
                "three entries of 40, and their least common ancestor is the root, three levels up",
            ),
        ),
    ),
    reading(
        id="COIN-1",
        place="appendix C, second observation",
        quotes=(r"each node always has arity between $\mu - 1$ and $2\mu + 1$",),
        gap="Whether each node is said of the root, too.",
        taken="Of every other node. The root's arity may be any from 1 on: 1 when empty and within a change of height, "
        "2 as section 3.1 says; the coins of the lemma ask, too, whether a node is the root.",
        otherwise="With mu = 4 a root that has just been split has arity 2.",
        search=partial(_arities, contract.within_operation),
        others={"the root, too": partial(_arities, lambda a, mu, root: mu - 1 <= a <= 2 * mu + 1)},
    ),
    reading(
        id="COIN-2",
        place="appendix C, proof of Lemma C.1, split",
        quotes=(r"$\text{coins}(r) = 1$ , so it will need 2 coins", "give 1 to $r$"),
        gap="How many coins the new node r needs: both 1 and 2 are said.",
        taken="1, its coins, and what it is then given.",
        otherwise="With 2, four coins would not pay for the split.",
        search=partial(_split, 1),
        others={"2": partial(_split, 2)},
    ),
    reading(
        id="COIN-4",
        place="appendix C, proof of Lemma C.1, move",
        quotes=("so it needs only 1 coin, leaving 1 coin for the sibling to use",),
        gap="Who pays for the move itself, which section 3.3 counts as a spent coin.",
        taken="The evict, which is billed at most 1, not 2, for its entry, and has one move at most: the lemma stands.",
        otherwise="Nobody: then a coin is missing.",
        search=partial(_move_billed, 1),
        others={"nobody": partial(_move_billed, 0)},
    ),
    reading(
        id="BOUND-2",
        place="appendix A, measure delta; sections 5.1 and 5.2, d near n",
        quotes=(
            "This measure coincides with our notion of out-of-order distance",
            "between the newest timestamp already in the window and the timestamp created",
        ),
        gap="To which end of the window the out-of-order distance is.",
        taken="To the closer end, as sections 1 and 3 say; there delta_i is at least that, which is all that the "
        "theorem needs. The experiments, and d near n, go by the distance to the younger end.",
        otherwise="To the closer end, delta_i does not coincide with it, and d is never near n: at most (n - 1) / 2.",
        search=partial(_measures, lambda delta, distance, n: distance <= min(delta, (n - 1) // 2)),
        others={"coinciding, to the closer end": partial(_measures, lambda delta, distance, n: delta == distance)},
    ),
    reading(
        id="BOUND-3",
        place="appendix A, proof of Theorem 2.2",
        quotes=(r"instantiated with the operator $x \otimes y = x$",),
        gap="The identity of the operator, which Definition 2.1 asks for.",
        taken="One is adjoined: the monoid `first`, with which the proof goes through.",
        otherwise="No value of the operator itself is one: 1 y = y fails for every candidate.",
        search=_monoid,
        others={"one of the values": _no_monoid},
    ),
    withdrawn(
        id="COIN-3",
        place="appendix C, proof of Lemma C.1, move",
        accused="The sibling that a node takes from has an arity a' with mu <= a': from mu it would underflow itself.",
        reason="The bounds are wider than they need be, and true; in the case that never comes the coins are right, "
        "too.",
    ),
    withdrawn(
        id="BOUND-1",
        place="appendix A, proof of Lemma A.1",
        accused="The base case is |G_0| of the empty set; the recurrence keeps d, and ends at |G_d| of the empty set.",
        reason="What is printed is true, and the empty set has one permutation, whatever d is: the product that "
        "follows says so.",
    ),
)
