"""Counted combine calls, compared with the theorems' bounds."""

import pytest

from swagproof.proofs.costs.counts import HISTORIES, Counted, count, count_all
from swagproof.reference.catalogue import DABA, DABA_LITE, FIFO, TWO_STACKS
from swagproof.reference.costs import THEOREMS

SIZES = (2, 16)
ROWS = tuple(count_all(SIZES))


def row(algorithm: str, history: str, n: int, operation: str) -> Counted:
    (found,) = (r for r in ROWS if (r.algorithm, r.history, r.n, r.operation) == (algorithm, history, n, operation))
    return found


def test_every_algorithm_history_and_size_is_counted() -> None:
    assert set(THEOREMS) == {column.name for column in FIFO}
    operations = {(r.algorithm, r.history, r.n) for r in ROWS}
    assert operations == {(column.name, history, n) for column in FIFO for history in HISTORIES for n in SIZES}
    assert all(r.times > 0 for r in ROWS)


@pytest.mark.parametrize("counted", ROWS, ids=lambda r: f"{r.algorithm}-{r.history}-{r.n}-{r.operation}")
def test_the_worst_case_is_within_the_theorem(counted: Counted) -> None:
    assert counted.within_worst
    assert counted.worst <= counted.worst_said
    assert counted.total <= counted.times * counted.worst


@pytest.mark.parametrize("n", SIZES)
def test_the_averages_printed_for_daba_are_exceeded(n: int) -> None:
    insert, evict = (row("DABA", "shrinks fall to inserts", n, step) for step in ("insert", "evict"))
    assert insert.average == pytest.approx(11 / 3)
    assert not insert.within_average
    assert evict.average == 0
    assert evict.within_average
    assert not row("DABA Lite", "shrinks fall to inserts", n, "insert").within_average


def test_the_worst_cases_are_met() -> None:
    worst = {(r.algorithm, r.operation): 0 for r in ROWS}
    for r in ROWS:
        worst[r.algorithm, r.operation] = max(worst[r.algorithm, r.operation], r.worst)
    assert (worst["DABA", "insert"], worst["DABA", "evict"], worst["DABA", "query"]) == (4, 3, 1)
    assert (worst["DABA Lite", "insert"], worst["DABA Lite", "evict"], worst["DABA Lite", "query"]) == (3, 2, 1)
    assert worst["Two-Stacks", "insert"] == worst["Two-Stacks Lite", "insert"] == 1
    assert row("Two-Stacks", "fill, evict once", 16, "evict").worst == 16
    assert row("Two-Stacks Lite", "fill, evict once", 16, "evict").worst == 15


def test_counting_has_no_noise() -> None:
    assert count(DABA_LITE, "random", 16) == count(DABA_LITE, "random", 16)


def test_a_worst_case_once_exceeded_stays_exceeded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(THEOREMS, "Two-Stacks", THEOREMS["Subtract-on-evict"])
    counted = {r.operation: r for r in count(TWO_STACKS, "fill and drain", 4)}
    assert {name: r.within_worst for name, r in counted.items()} == {"insert": True, "evict": False, "query": False}


def test_json_has_every_field() -> None:
    (insert, *_) = count(DABA, "inserts only", 3)
    assert insert.as_json() == {
        "algorithm": "DABA",
        "history": "inserts only",
        "n": 3,
        "operation": "insert",
        "source": "Theorem 5.2",
        "times": 3,
        "worst": 4,
        "total": 6,
        "worst_said": 4,
        "average_said": 2.5,
        "within_worst": True,
        "average": 2.0,
        "within_average": True,
    }
