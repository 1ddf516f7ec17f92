"""Histories of mutants, which CrossHair must refute: the controls of `swagproof.proofs.slicing.bounded_histories`.

That with slices of one time unit answers right: contracts refute it.
"""

from typing import Final

from swagproof.contracts.visible import enforced
from swagproof.proofs.ledger.variants import class_of
from swagproof.proofs.slicing.bounded_histories import answers
from swagproof.proofs.slicing.wrong_slices import WRONG_PAIRS, WRONG_PANES
from swagproof.reference.catalogue import PAIRS, PANES

PANES_EDGES_ONE_LATE: Final = class_of(PANES, WRONG_PANES.get("edges one late"))
PANES_OF_ONE_TIME_UNIT: Final = enforced(class_of(PANES, WRONG_PANES.get("panes of one time unit"), checked=True))
PAIRS_NO_EDGE_AT_A_BEGINNING: Final = class_of(PAIRS, WRONG_PAIRS.get("no edge where a window begins"))
PAIRS_OF_ONE_TIME_UNIT: Final = enforced(class_of(PAIRS, WRONG_PAIRS.get("pairs of one time unit"), checked=True))


def panes_edges_one_late(range: int, slide: int, ahead: list[int]) -> bool:
    """
    pre: 1 <= range <= 3 and 1 <= slide <= 3
    pre: len(ahead) <= 2 and all(0 <= more <= 3 for more in ahead)
    post: _
    """
    return answers(PANES_EDGES_ONE_LATE, (range, slide), ahead)


def panes_of_one_time_unit(range: int, slide: int, ahead: list[int]) -> bool:
    """
    pre: 1 <= range <= 2 and 1 <= slide <= 2
    pre: len(ahead) <= 2 and all(0 <= more <= 1 for more in ahead)
    post: _
    """
    return answers(PANES_OF_ONE_TIME_UNIT, (range, slide), ahead)


def pairs_no_edge_at_a_beginning(range: int, slide: int, ahead: list[int]) -> bool:
    """
    pre: 1 <= range <= 3 and 1 <= slide <= 3
    pre: len(ahead) <= 2 and all(0 <= more <= 3 for more in ahead)
    post: _
    """
    return answers(PAIRS_NO_EDGE_AT_A_BEGINNING, (range, slide), ahead)


def pairs_of_one_time_unit(range: int, slide: int, ahead: list[int]) -> bool:
    """
    pre: 1 <= range <= 2 and 1 <= slide <= 2
    pre: len(ahead) <= 2 and all(0 <= more <= 1 for more in ahead)
    post: _
    """
    return answers(PAIRS_OF_ONE_TIME_UNIT, (range, slide), ahead)
