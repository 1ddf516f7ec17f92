"""Mutants of slices, panes and pairs, which the proofs and the explorer must reject."""

from typing import Final

from swagproof.proofs.ledger.variants import WrongVariants, mutants_of
from swagproof.reference.catalogue import PAIRS, PANES, STARTS

WRONG_PANES: Final = WrongVariants(PANES, table="slicing-panes")
ALONE: Final = mutants_of("slicing", "for one claim")
"""Each is for one claim alone."""
PANE_EDGES_DISORDERED: Final = ALONE["the time after an edge is an edge of its own"]
PANE_NUMBERS_HALVED: Final = ALONE["two panes have one number"]
PANE_NUMBERS_BY_TWO: Final = ALONE["numbers leave gaps"]
PANE_ONE_MORE: Final = ALONE["one slice too many is counted"]

WRONG_PAIRS: Final = WrongVariants(PAIRS, table="slicing-pairs")
P1_OF_LONG_SLIDES: Final = ALONE["the slices of a long slide are of one length"]
NUMBERS_AS_TWO: Final = ALONE["two numbers a slide where there is one slice"]
TWO_ALWAYS: Final = ALONE["two slices a slide, always"]
WINDOW_FORGETS_P2: Final = ALONE["the window's last slice is not counted"]
EMPTY_SLICES: Final = ALONE["a slice of length 0 where the slide divides the range"]
P1_FIRST_SEQUENCE: Final = ALONE["p1, p2, p1, ..."]
SHARED_WITHOUT_P2: Final = ALONE["shared slices end where windows begin alone"]
END_LATE: Final = ALONE["a window ends one late"]
WRONG_STARTS: Final = WrongVariants(STARTS, table="slicing-starts")
FEW_QUERIES: Final = ALONE["thirty queries are kept"]
SHORT_RANGES: Final = ALONE["a range is at most 5000"]
FEW_SLICES: Final = ALONE["a stream keeps 900 slices"]
LATE_TAKEN: Final = ALONE["a record that is late is taken"]
COVERED_ALWAYS: Final = ALONE["a time between two windows is in one"]
STARTS_ROUND_DOWN: Final = ALONE["the last slice of a window is not counted"]

UNSEEN: Final = tuple(mutants_of("slicing", "unseen").values())
"""Mutants that only an exploration of the whole state, from any state, over opaque values can reject."""
