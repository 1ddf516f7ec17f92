"""What references refuse: the table is about all of them, and a refusal that is none is told."""

from types import SimpleNamespace

import pytest

from swagproof.proofs.refusals import REFUSALS, Refusal, find_taken, picture
from swagproof.reference.catalogue import BASE_INTERVALS, CATALOGUE


def test_every_algorithm_refuses_something() -> None:
    assert {refusal.entry for refusal in REFUSALS} == {*CATALOGUE}
    assert [find_taken(refusal, refusal.entry.module) for refusal in REFUSALS] == [""] * len(REFUSALS)


class Tired:
    """Refuses twice; or changes, or raises something else."""

    def __init__(self, way: str) -> None:
        self.way, self.asked = way, 0

    def ask(self) -> None:
        self.asked += 1
        if self.way == "tires" and self.asked == 3:
            return
        raise ValueError if self.way != "errs" else KeyError


@pytest.mark.parametrize(
    ("way", "said"),
    [("tires", "taken at try 3"), ("changes", "something has changed"), ("errs", "raises KeyError, not ValueError")],
)
def test_what_is_no_refusal_is_told(way: str, said: str) -> None:
    refusal = Refusal(BASE_INTERVALS, "ask", ValueError, Tired.ask, lambda names: Tired(way))
    assert said in find_taken(refusal, SimpleNamespace())


def test_a_picture_tells_what_is_kept_and_what_is_one() -> None:
    one = [1]
    assert picture([one, [1]]) == picture([[1], [1]]) != picture([one, one])
    assert picture({"a": {1}}) != picture({"a": {2}})
