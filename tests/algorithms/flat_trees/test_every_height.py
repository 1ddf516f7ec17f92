"""FlatFAT for every n = 2^k: the claims, the loop invariants on running code, and code that tricks the engine."""

import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any, Final

import pytest
from support.mutants.fates import within

from swagproof.contracts.clause import Loops
from swagproof.contracts.flat_trees.flat_fat import filled_calls
from swagproof.models.any_order import Places
from swagproof.models.containers.bottom import BOTTOM, WithBottom
from swagproof.models.monoid import Counting
from swagproof.models.operations import CONCATENATION
from swagproof.proofs.engine.run import make_runnable
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.engine.source.watched_loops import watch_invariants
from swagproof.proofs.flat_trees import complete_trees
from swagproof.proofs.flat_trees import flat_fat as runs
from swagproof.proofs.flat_trees.array_runs import ArrayRun, FlatFatOperation, explore_operation
from swagproof.proofs.flat_trees.complete_trees import LEMMAS, CompleteTree, lemma
from swagproof.proofs.flat_trees.every_height import WRONG
from swagproof.proofs.ledger.mutants import Mutant, wrong
from swagproof.proofs.lemmas.flat_fat_loops import NEW, NEW_FILLED, OCCUPIED, QUERIES, SLIDE, UPDATE
from swagproof.reference.flat_trees.flat_fat import FlatFat
from swagproof.reference.flat_trees.reactive_aggregator_fifo import DemarcatedFat

# The values that clauses of trees in arrays refer to, of running code; symbolic ones are in the proofs


class TreeShape:
    """The complete binary tree over n = 2^height leaves: levels are counted from the leaves, leaves from 1."""

    def __init__(self, n: int) -> None:
        self.leaves = n
        self.height = n.bit_length() - 1

    def level(self, v: int) -> int:
        """Return 0 for a leaf, `height` for the root."""
        return self.height + 1 - v.bit_length()

    def on_level(self, v: int, level: int) -> bool:
        """Return whether node v is on this level."""
        return self.level(v) == level

    def first(self, v: int) -> int:
        """Return the first leaf below node v."""
        return (v << self.level(v)) - self.leaves + 1

    def last(self, v: int) -> int:
        """Return the last leaf below node v."""
        return (v + 1 << self.level(v)) - self.leaves


class Writes:
    """The changes of new, update or slide by place, the places that a slide frees, and the former values."""

    def __init__(
        self, changes: Sequence[tuple[int, Any]], old: Callable[[int], Any], freed: Collection[int] = ()
    ) -> None:
        listed = [*freed, *(place for place, _ in changes)]
        self.size = len(listed)
        self.old = old
        self._numbers = {place: number for number, (place, _) in enumerate(changes)}
        self._told = {place: number for number, place in reversed([*enumerate(listed)])}

    def number(self, i: int) -> int:
        """Return the index of the change that writes place i; `size` if there is none."""
        return self._numbers.get(i, self.size)

    def told(self, i: int) -> int:
        """Return the index of the first mention of place i, freed places first; `size` if there is none."""
        return self._told.get(i, self.size)


class Area:
    """The places from front to back of a circular buffer, wrapping around if the back is before the front."""

    def __init__(self, tree: TreeShape, front: int, back: int) -> None:
        self.tree = tree
        self.front = front
        self.back = back
        self.inverted = back < front

    def over(self, v: int) -> bool:
        """Return whether a place below node v is in it."""
        from_front, to_back = self.front <= self.tree.last(v), self.tree.first(v) <= self.back
        return from_front or to_back if self.inverted else from_front and to_back

    def above_front(self, level: int) -> int:
        """Return the node of a level above its front."""
        return (self.tree.leaves + self.front - 1) >> level

    def above_back(self, level: int) -> int:
        """Return the node of a level above its back."""
        return (self.tree.leaves + self.back - 1) >> level


@pytest.mark.parametrize("mutant", WRONG, ids=lambda mutant: mutant.name.replace(" ", "-"))
@pytest.mark.drawn(4)
def test_mutant_is_refuted_by_an_exhaustive_run(mutant: Mutant) -> None:
    assert within(1, partial(runs.refuted, mutant))


SPOILED: list[tuple[FlatFatOperation, tuple[str, str, str], str]] = [
    ("update", ("update", "(changes)  # [ours]", "(changes); self.seen = 1"), "the object keeps its attributes"),
    ("prefix", ("prefix", "return a", "self.n = 2 * self.n; return a"), "the object keeps its attributes"),
    ("update refused", ("require_place", "1 <= i", "0 <= i"), "loop kept: bad_to_come"),
]


@pytest.mark.parametrize(("operation", "edit", "refuted"), SPOILED)
def test_what_the_tree_keeps_and_refuses(operation: FlatFatOperation, edit: tuple[str, str, str], refuted: str) -> None:
    found = explore_operation(wrong("spoiled", edit).of(FlatFat), operation).failures
    assert {failure.obligation for failure in found} == {refuted}


def test_a_refusal_is_by_name_and_changes_nothing() -> None:
    writes = ("require_locations", "seen.add(loc)", "seen.add(loc); self.T[self.leaf(loc)] = self.T[self.leaf(1)]")
    for edit in (writes, ("require_place", "raise IndexError", "raise KeyError")):
        assert str(runs.refuted(wrong("refuses", edit))).startswith("bad input is refused and changes nothing")


@pytest.mark.parametrize(("taken", "refuted"), [(0, "so that it has as many"), (2, "so that it has no more")])
def test_the_pigeonholes_need_that_one_is_taken(taken: int, refuted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("And", "Array", "BoolSort", "BoolVal", "Implies", "Store")
    spoiled = SimpleNamespace(If=lambda *_: z3.IntVal(taken), **{name: getattr(z3, name) for name in names})
    monkeypatch.setattr(complete_trees, "z3", spoiled)
    assert {
        failure.obligation
        for failure in lemma(partial(complete_trees.pigeonhole_step, complete_trees.take_away)).failures
    } == {refuted}


def test_a_level_above_the_leaves_has_its_own_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    def one_off(self: CompleteTree, level: Any, v: Any) -> Any:
        return z3.Implies(level >= 1, (self.level(v) == level) == self.on_level(level - 1, v))

    monkeypatch.setattr(CompleteTree, "same_level", one_off)
    assert {failure.obligation for failure in lemma(*LEMMAS).failures} == {"same level"}


# The loop invariants, on the reference as it runs


class Look:
    """Checks every loop of a method against its invariant."""

    def __init__(
        self, contracts: Loops, ghosts: dict[str, Any], counting: Counting[str], of: type[FlatFat[Any]] = FlatFat
    ) -> None:
        self.looked = 0

        def state_of(_: str, local: dict[str, Any]) -> SimpleNamespace:
            return SimpleNamespace(**vars(local["self"]), **ghosts, calls=counting.calls)

        self.algorithm: Any = type("Looked", (of,), watch_invariants(of, contracts, state_of, self.tell))

    def tell(self, method: str, clause: str, holds: bool) -> None:
        assert holds, (method, clause)
        self.looked += 1


ALL, NONE = (SimpleNamespace(over=lambda v, answer=answer: answer) for answer in (True, False))
"""The areas of all places and of none."""


def of_new(n: int, letters: Sequence[Any]) -> dict[str, Any]:
    """Return the values that the clauses of new refer to."""
    return {"tree": TreeShape(n), "area": ALL, "was": NONE, "writes": Writes([*enumerate(letters, 1)], lambda i: None)}


def subsets(n: int) -> Iterator[tuple[int, ...]]:
    return itertools.chain.from_iterable(itertools.combinations(range(n, 0, -1), m) for m in range(n + 1))


@pytest.mark.parametrize("n", [1, 2, 4, 8])
def test_loop_invariants_hold_as_new_runs(n: int) -> None:
    counting, letters = Counting(CONCATENATION), "abcdefgh"[:n]
    look = Look(NEW, {**of_new(n, letters), "model": Places(CONCATENATION, letters)}, counting)
    assert look.algorithm(counting, letters).aggregate() == letters
    assert look.looked >= 5 * n


@pytest.mark.parametrize("n", [1, 2, 4, 8])
def test_loop_invariants_hold_as_new_runs_over_bottoms(n: int) -> None:
    for m in range(n + 1):
        counting, values = Counting(CONCATENATION), [*"abcdefgh"[:m], *[BOTTOM] * (n - m)]
        filled = Area(TreeShape(n), 1, m)
        filled.inverted = False  # it is empty for m = 0
        ghosts = {**of_new(n, values), "held": filled, "bottom": BOTTOM}
        look = Look(NEW_FILLED, ghosts, counting)
        look.algorithm(WithBottom(counting), values)
        assert filled_calls(m, counting.calls)
        assert counting.calls == max(m - 1, 0)
        assert look.looked


@pytest.mark.parametrize("n", [1, 2, 4, 8])
def test_loop_invariants_hold_as_update_runs(n: int) -> None:
    letters = "abcdefgh"[:n]
    for places in subsets(n):
        for split in range(n.bit_length()) if n < 8 else [len(places) % 4]:
            counting = Counting(CONCATENATION)
            model = Places(CONCATENATION, letters)
            made = FlatFat(counting, letters)
            changes = [(i, letters[i - 1].upper()) for i in places]
            writes = Writes(changes, lambda i: letters[i - 1])
            ghosts = {"tree": TreeShape(n), "model": model, "area": ALL, "was": ALL, "writes": writes, "split": split}
            look = Look(UPDATE, ghosts, counting)
            made.__class__ = look.algorithm
            model.update(changes)
            counting.calls = 0
            made.update(changes)
            assert made.aggregate() == model.product(1, n)
            if places:
                m = len(places)
                assert counting.calls <= m * split + n // 2**split - 1
            assert look.looked


@pytest.mark.parametrize("n", [1, 2, 4, 8, 16])
def test_loop_invariants_hold_as_queries_run(n: int) -> None:
    letters = "abcdefghijklmnop"[:n]
    for i in range(1, n + 1):
        for name, answer in (("prefix", letters[:i]), ("suffix", letters[i - 1 :])):
            counting = Counting(CONCATENATION)
            made = FlatFat(counting, letters)
            counting.calls = 0
            look = Look(QUERIES, {"tree": TreeShape(n), "model": Places(CONCATENATION, letters)}, counting)
            made.__class__ = look.algorithm
            assert getattr(made, name)(i) == answer
            assert look.looked


@pytest.mark.parametrize("n", [1, 2, 4, 8])
def test_loop_invariants_hold_as_slides_run(n: int) -> None:
    tree, before, after = TreeShape(n), "abcdefgh"[:n], "ABCDEFGH"[:n]
    sizes = range(n + 1) if n < 8 else (0, 1, 5)
    for front, held, leave, come in itertools.product(range(0, n, 1 if n < 4 else 3), sizes, sizes, sizes):
        if leave > held or not 0 < held - leave + come <= n:
            continue
        places = [(front + i) % n + 1 for i in range(held + come)]
        counting = Counting(CONCATENATION)
        made = DemarcatedFat(counting, n)
        was: Any = NONE
        if held:
            made.slide([(i, before[i - 1]) for i in places[:held]], set(), places[0], places[held - 1])
            was = Area(tree, places[0], places[held - 1])
        changes, freed = [(i, after[i - 1]) for i in places[held:]], set(places[:leave])
        model = Places(CONCATENATION, before)
        model.update(changes)
        area = Area(tree, places[leave], places[-1])
        ghosts = {
            "tree": tree,
            "model": model,
            "area": area,
            "held": area,
            "was": was,
            "split": (front + held) % n.bit_length(),
        }
        ghosts["writes"] = Writes(changes, lambda i: before[i - 1], freed)
        look = Look(SLIDE, ghosts, counting, DemarcatedFat)
        made.__class__ = look.algorithm
        counting.calls = 0
        made.slide(changes, freed, area.front, area.back)
        state = SimpleNamespace(**vars(made), **ghosts)
        assert look.looked
        assert all(clause(state) for clause in OCCUPIED)


def test_the_sharper_bound_is_reached() -> None:
    """Check that for each n and m some update makes min over s of m s + n/2^s - 1 calls: no smaller bound holds."""
    for n in (1, 2, 4, 8):
        for m in range(1, n + 1):
            most = 0
            for places in itertools.combinations(range(1, n + 1), m):
                counting = Counting(CONCATENATION)
                made = FlatFat(counting, "abcdefgh"[:n])
                counting.calls = 0
                made.update([(i, "x") for i in places])
                most = max(most, counting.calls)
            assert most == min(m * s + n // 2**s - 1 for s in range(n.bit_length()))


@pytest.mark.parametrize("n", [1, 2, 4, 8, 16])
def test_the_shape_by_definition(n: int) -> None:
    tree = TreeShape(n)
    for v in range(1, 2 * n):
        leaves = [u - n + 1 for u in range(n, 2 * n) if any(u >> k == v for k in range(n.bit_length()))]
        assert (tree.first(v), tree.last(v)) == (leaves[0], leaves[-1])
        assert 2 ** tree.level(v) == len(leaves)


# Python code that symbolic values do not see: each of these was once proved, and is wrong

FOLLOWED: Final = "        W = W_next"
WRITTEN: Final = "        self.T[self.leaf(loc)] = val"
SPOILS: Final = "self.T[1] = self.T[self.n]"

BEGINS: Final = "    W: set[int] = set()"
CHECKED: Final = "    self.require_locations(changes)"

TRICKS: Final[tuple[tuple[FlatFatOperation, Mutant], ...]] = (
    ("update", wrong("a set in a tuple", ("update", BEGINS, f"{BEGINS}\n    hidden = (set(),)"),
                     ("update", WRITTEN, f"{WRITTEN}; hidden[0].add(loc)"),
                     ("update", FOLLOWED, f"{FOLLOWED}\n    if 1 in hidden[0]:\n        {SPOILS}"))),
    ("update", wrong("a set by one of its methods",
                     ("require_locations", "changes: Sequence[tuple[int, A]]", "changes, f"),
                     ("require_locations", "seen.add(loc)", "seen.add(loc); f(loc)"),
                     ("update", CHECKED, "    H = set()\n    self.require_locations(changes, H.add)"),
                     ("update", FOLLOWED, f"{FOLLOWED}\n    if 1 in H:\n        {SPOILS}"))),
    ("update", wrong("a fraction in an integer's place", ("update", BEGINS, f"{BEGINS}\n    x = 0"),
                     ("update", WRITTEN,
                      "        self.T[self.leaf(loc)] = self.T[1] if 0 < x and x < 1 else val; x = 0.5"))),
    ("update", wrong("changes compared",
                     ("update", FOLLOWED, f"{FOLLOWED}\n    if changes == ((1, 'A'),):\n        {SPOILS}"))),
    ("update", wrong("another identity", ("update", FOLLOWED, f"{FOLLOWED}\n    self.monoid.identity = self.T[1]"))),
    ("aggregate", wrong("ranges compared", ("aggregate", "    return", "    if range(0, 1) == range(0, 1):\n"
                                            "        return self.T[self.n]\n    return"))),
    ("aggregate", wrong("a number as a text", ("aggregate", "    return", "    if '%s' % self.n == '4':\n"
                                               "        return self.T[7]\n    return"))),
)  # fmt: skip


@pytest.mark.parametrize(("operation", "mutant"), TRICKS, ids=lambda part: str(getattr(part, "name", part)))
def test_what_the_engine_does_not_see_is_not_proved(operation: FlatFatOperation, mutant: Mutant) -> None:
    algorithm = mutant.of(FlatFat)
    try:
        make_runnable(ArrayRun, algorithm)
    except ValueError:
        return
    assert explore_operation(algorithm, operation, lambda found: bool(found.failures)).failures
