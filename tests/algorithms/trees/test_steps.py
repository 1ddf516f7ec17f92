"""FiBA's rebalancing steps for every arity: the claims, the contracts on running code, and mutants."""

import random
from functools import partial
from types import SimpleNamespace
from typing import Any, Final

import pytest
from support.mutants.fates import Proof, within
from support.mutants.generated import mutants
from support.mutants.subjects import prove_all

from swagproof.contracts.trees import augmented_tree
from swagproof.contracts.trees import steps as tree_steps
from swagproof.contracts.trees.live import Live
from swagproof.models.monoid import Counting
from swagproof.models.operations import CONCATENATION
from swagproof.models.out_of_order import OutOfOrderWindow
from swagproof.proofs.engine.language import refuse
from swagproof.proofs.engine.paths import Path, Unsupported, explore
from swagproof.proofs.engine.sequences import Stretch, SymbolicList, make_list
from swagproof.proofs.engine.solver import z3
from swagproof.proofs.engine.source.watched_loops import watch_invariants
from swagproof.proofs.engine.values import SymbolicInt
from swagproof.proofs.explorer.letters import LETTERS
from swagproof.proofs.ledger.mutants import Mutant, mutants_of
from swagproof.proofs.trees import out_of_order
from swagproof.proofs.trees.step_runs import METHODS, STEPS, explore_step
from swagproof.reference.catalogue import B_TREE, FIBA
from swagproof.reference.trees.augmented_tree import Node
from swagproof.reference.trees.fiba import Fiba, FingerNode

SEED: Final = 2018
SAMPLE: Final = 4
"""The number of mutants judged here."""


def by_a_run(mutant: Mutant) -> str | None:
    """Return the failure of a run: of FiBA, or if FiBA overrides the changed method, of the classic B-tree."""
    try:
        return out_of_order.refuted(FIBA, mutant)
    except ValueError:
        return out_of_order.refuted(B_TREE, mutant)


@pytest.mark.parametrize(
    "mutant", mutants_of("fiba", "steps").values(), ids=lambda mutant: mutant.name.replace(" ", "-")
)
@pytest.mark.drawn(4)
def test_mutant_is_refuted_by_an_exhaustive_run(mutant: Mutant) -> None:
    assert within(5, partial(by_a_run, mutant))


# The contracts, on the reference as it runs


def run_history(tree: Any, operations: int) -> None:
    """Insert and evict at both ends and in between, so that every step is taken on and off the spines."""
    chance, model = random.Random(SEED), OutOfOrderWindow(CONCATENATION)
    for number in range(operations):
        filling = number % (operations // 2) < operations // 4
        t = chance.choice((chance.randrange(60), number % 60, 59 - number % 60))
        if filling:
            tree.insert(t, LETTERS[number])
            model.insert(t, LETTERS[number])
        elif model.size:
            t = chance.choice((model.times[0], model.times[-1], chance.choice(model.times)))
            tree.evict(t)
            model.evict(t)
        assert tree.query() == model.query()


@pytest.mark.parametrize("min_arity", [2, 3])
def test_loop_invariants_and_local_repairs_as_they_run(min_arity: int) -> None:
    counting, looked = Counting(CONCATENATION), dict[str, int]()
    trees: list[Any] = []

    def state_of(method: str, local: dict[str, Any]) -> Any:
        if method != "product_of_parts":
            return SimpleNamespace(calls=0)  # loops over children that a step has not put in place yet
        times, tree = local["self"].times, trees[0]
        if (times or local["self"].children) and not (times and times[0] in dict(augmented_tree.in_order(tree.root))):
            return None  # a node that its parent may not have yet
        return Live(tree, calls=counting.calls)

    def tell(method: str, clause: str, holds: bool) -> None:
        assert holds, (method, clause)
        looked[clause] = looked.get(clause, 0) + 1

    loops = {name: given for name, given in tree_steps.LOOPS.items() if name in vars(Node)}
    methods = watch_invariants(Node, loops, state_of, tell)
    before = {name: vars(Node)[name] for name in methods}
    try:
        for name, method in methods.items():
            setattr(Node, name, method)
        trees.append(Fiba(counting, min_arity))
        trees[0].model = OutOfOrderWindow(CONCATENATION)
        run_history(trees[0], 400)
    finally:
        for name, method in before.items():
            setattr(Node, name, method)
    assert set(looked) == {"product_so_far", "calls_so_far", "below_sibling", "below_self", "variant"}
    assert min(looked.values()) > 30


# Engine against explorer


def proof_of(mutant: Mutant) -> Proof:
    """Prove every step, beginning with that of the changed method, then the cheap ones."""
    steps = sorted((STEPS[0], *reversed(STEPS[1:])), key=lambda step: step != mutant.edits[0].method)
    return prove_all(lambda step: explore_step(step, mutant, lambda report: bool(report.failures)), steps)


def test_no_mutant_that_the_explorer_refutes_is_proved() -> None:
    of_nodes = mutants(FingerNode, part="Node")
    every = [m for m in (*of_nodes, *mutants(Fiba)) if m.edits[0].method in METHODS]
    assert len(every) >= 100
    sample = random.Random(SEED).sample(every, SAMPLE)
    found = {mutant: within(2, partial(out_of_order.refuted, FIBA, mutant)) for mutant in sample}
    refuted = [mutant for mutant in sample if found[mutant] not in (None, "it does not end")]
    assert len(refuted) >= SAMPLE // 2
    assert [mutant.name for mutant in refuted if proof_of(mutant) == "proved"] == []


# Lists


def test_a_symbolic_list_is_a_list() -> None:
    def run(path: Path) -> None:
        chance = random.Random(SEED)
        plain, made = list(range(5)), make_list(list(range(5)))
        for _ in range(60):
            i = chance.randrange(len(plain) + 1)
            match chance.randrange(6):
                case 0:
                    plain.insert(i, i)
                    made.insert(SymbolicInt(i) + 0 if chance.random() < 0.5 else i, i)
                case 1 if i < len(plain):
                    assert plain.pop(i) == made.pop(i)
                case 2:
                    plain, made = plain[i:] + plain[:i], make_list(made[i:], made[:i])
                case 3:
                    plain.append(i)
                    made.append(i)
                case 4 if i < len(plain):
                    plain[i] = 7
                    made[i] = 7
                case _:
                    plain += plain[:2]
                    made += made[: min(2, len(plain))] if len(plain) >= 2 else made[:]
            assert list(made) == plain
            assert made.length.as_long() == len(plain)
            if plain:
                assert made[-1] == plain[-1]

    assert not explore(run).failures


@pytest.mark.parametrize(
    "source",
    [
        "def f(self):\n    try:\n        pass\n    except ValueError:\n        pass",
        "def f(self):\n    g = lambda: self",
    ],
)
def test_what_is_not_seen_is_refused(source: str) -> None:
    def f() -> None: ...

    with pytest.raises(ValueError, match="the engine does not know"):
        refuse(f, (), source)


def test_a_loop_of_unknown_length_needs_an_invariant() -> None:
    def run(path: Path) -> None:
        with pytest.raises(Unsupported):
            list(SymbolicList(Stretch(SymbolicInt, z3.IntVal(0), path.fresh("n"))))
        path.show("done", z3.BoolVal(True))

    explore(run)
