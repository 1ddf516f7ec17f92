"""Pictures of the reference's state: their content, and the cuts in long windows."""

import random

import pytest

from swagproof.oracle import pictures
from swagproof.oracle.domain import domain
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.pictures import picture
from swagproof.oracle.trace import QUERY, evict_at, insert, insert_at, parse
from swagproof.reports.cells import Cells

CONCATENATION = domain("concatenation")


def drawn(window: str, trace: str, monoid: str = "concatenation") -> list[str]:
    made = picture(window, domain(monoid), parse(trace, window))
    return [] if made is None else made.splitlines()


def test_a_fifo_window_with_the_pointers_of_two_stacks_and_daba() -> None:
    trace = 'insert "a", insert "b", insert "c", insert "d", evict, insert "e", insert "f", query'
    assert drawn("fifo", trace) == [
        'window      "b" "c" "d" "e" "f"',
        'Two-Stacks  F           B        front "bcd", back "ef"',
        "DABA        F           LRAB",
    ]


def test_pointers_that_meet_stand_side_by_side() -> None:
    assert Cells(["1", "2"]).marks({"F": 0, "B": 0, "E": 2}) == "FB  E"
    assert Cells(["1", "2"]).marks({"F": 0, "L": 0, "R": 0, "B": 1}) == "FLR B"


def test_a_long_window_is_cut_in_its_middle() -> None:
    lines = drawn("fifo", '1000 * insert "a", evict, 3 * insert "b"')
    assert lines[0] == 'window      "a" "a" "a" "a" "a" "a" (990 more) "a" "a" "a" "b" "b" "b"'
    assert "B@" not in lines[1]
    assert all(len(line) < 160 for line in lines)
    lines = drawn("fifo", '100 * insert "a", 3 * evict, 200 * insert "b"')
    assert " L@" in lines[2]


def test_values_are_short_and_tuples_are_in_round_brackets() -> None:
    trace = 'insert {"tuple": [2, 1]}, insert {"tuple": [3, 123456789123]}'
    assert drawn("fifo", trace, "affine")[0] == "window      (2, 1) (3, 1234567..."


def test_an_out_of_order_window_is_a_tree_with_its_fingers() -> None:
    trace = 'insert 1 "a", insert 2 "b", insert 3 "c", insert 5 "e", insert 4 "d"'
    assert drawn("out-of-order", trace) == [
        "FiBA, min-arity 2",
        '3 "c"           agg "c", root: of all between its first child and its last',
        '  1 "a"  2 "b"  agg "ab", left finger',
        '  4 "d"  5 "e"  agg "de", right finger',
    ]
    assert drawn("out-of-order", 'insert 1 "a"') == ["FiBA, min-arity 2", '1 "a"  agg "a", root and both fingers']


def test_a_large_tree_shows_its_edges_and_counts_the_rest() -> None:
    random.seed(0)
    steps = [insert_at(time, "a") for time in random.sample(range(500), 500)]
    made = picture("out-of-order", CONCATENATION, [*steps, evict_at(3)])
    assert made is not None
    lines = made.splitlines()
    assert len(lines) < 30
    assert "left finger" in made
    assert "right finger" in made
    left_out = [int(line.split(" with ")[1].split()[0]) for line in lines if "..." in line and " with " in line]
    shown = sum(line.count(' "a"') for line in (line.partition("agg")[0] for line in lines[1:]))
    assert sum(left_out) + shown == 499


@pytest.mark.parametrize("window", KINDS)
def test_nothing_is_drawn_of_nothing(window: str) -> None:
    assert picture(window, CONCATENATION, []) is None
    assert picture("fifo", CONCATENATION, [QUERY]) is None


def test_nothing_is_drawn_of_a_very_long_history(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "LONGEST", 3)
    assert picture("fifo", CONCATENATION, [insert("a")] * 3) is not None
    assert picture("fifo", CONCATENATION, [insert("a")] * 4) is None
