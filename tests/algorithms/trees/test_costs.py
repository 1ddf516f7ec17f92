"""Tests of the costs of the trees' operations, compared with Theorems 3.2, 3.4 and 4.2; and of the curves."""

from swagproof.contracts.trees.augmented_tree import levels
from swagproof.proofs.costs.curves import series
from swagproof.proofs.trees.finger_curves import EXPERIMENTS
from swagproof.proofs.trees.runs import count_step, counted, summing
from swagproof.reference.trees.fiba import Fiba

BY_ID = {experiment.id: experiment for experiment in EXPERIMENTS}


def test_the_bounds_are_met() -> None:
    tree = counted(Fiba)(summing(), 2)
    assert count_step(tree, "insert", 0).repairs == 1  # 2 L + 3 s + 1 with L = s = 0
    assert tree.monoid.visits == 2  # a root that is a leaf is both fingers, and the end of the descent
    for t in range(1, 400):
        tree.insert(t, 1)
    assert count_step(tree, "insert", 400).visits == 3


def test_fiba_in_order_is_constant_and_the_b_tree_is_not() -> None:
    found = series(BY_ID["fiba/fifo"].points((64, 1024)))
    assert found["FiBA, mu = 2"][1024] < found["FiBA, mu = 2"][64] + 1
    assert found["B-tree, mu = 2"][1024] > found["B-tree, mu = 2"][64] + 15
    assert found["DABA"][1024] == found["DABA"][64] == 5


def test_visits_grow_with_the_distance_alone() -> None:
    found = series(BY_ID["fiba/visits"].points((0, 16, 1023)))
    assert found["FiBA, mu = 2"][0] == 3
    assert found["FiBA, mu = 2"][16] <= 3 * (levels(16, 2) + 1)
    assert len(set(found["B-tree, mu = 2"].values())) == 1


def test_a_batch_saves() -> None:
    evicts, inserts = (series(BY_ID[name].points((256,))) for name in ("fiba-bulk/evict", "fiba-bulk/insert"))
    assert evicts["bulk evict, mu = 2"][256] * 30 < evicts["one by one, mu = 2"][256]
    assert inserts["bulk insert, mu = 2"][256] * 20 < inserts["one by one, mu = 2"][256]


def test_the_brink_shows_why_max_arity_is_2_mu() -> None:
    found = series(BY_ID["b-tree/brink"].points())
    assert found["max-arity 2 mu - 1"] == {height: height + 1 for height in BY_ID["b-tree/brink"].xs}
    assert max(found["max-arity 2 mu"].values()) < 0.1
