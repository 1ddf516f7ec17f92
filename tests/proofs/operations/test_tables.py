"""Tables 1 and 2 of 2015: every tick, every blank, and the rejection of wrong tables."""

from dataclasses import replace

from swagproof.models.operations import MAX, OPERATIONS, SUM
from swagproof.proofs.engine.paths import Path, explore
from swagproof.proofs.ledger.claim import Outcome
from swagproof.proofs.operations.tables import TABLE_2, TEXTBOOK, does_not_invert, witnessed
from swagproof.proofs.operations.unknowns import LawRow, associative, commutative, proved, same, unknown


def test_the_table_is_whole_and_the_operations_say_the_same() -> None:
    assert len(TABLE_2) == 13
    assert {row.operation.name for row in TABLE_2} == set(TEXTBOOK) <= set(OPERATIONS)
    for row in TABLE_2:
        assert (row.operation.remove is not None, row.operation.commutative) == (row.invertible, row.commutative)


def test_every_alternative_of_a_shape_is_tried() -> None:
    row = LawRow("Max", MAX, ("T", None), False, True)
    assert proved(commutative, 2, [row], ["integers"]).statistics["paths"] == 3 + 1 + 1 + 1
    forgets_none = replace(MAX, combine=lambda a, b: a if b is None else b if a is None or b > a else None)
    assert proved(associative, 3, [replace(row, operation=forgets_none)], ["integers"]).verdict == "fails"


def test_partial_aggregates_of_different_structure_differ() -> None:
    def run(path: Path) -> None:
        count = unknown(path, "n", "integers")
        path.show("a pair is no count", same((count, count), count))

    assert explore(run).failures


def test_a_law_over_nothing_is_unknown() -> None:
    assert proved(associative, 3, [], ["integers"]).verdict == "unknown"


def test_a_tie_is_a_witness_for_max_and_none_for_sum() -> None:
    said = "max: 1 (+) 2 = 2 (+) 2, 2 (+) 1 = 2 (+) 2"
    assert witnessed(does_not_invert, [MAX]) == Outcome("holds", said, means="witness")
    assert witnessed(does_not_invert, [SUM]).verdict == "fails"
