"""Drafts of test vectors: some traces of each phase of the search, flagged with their phase.

All of the first traces of each phase are taken, and then fewer and fewer: those numbered by powers of two, and halfway
between, and those twice as long as any before.  So short histories are nearly complete, and the longer ones include
window sizes at which implementations grow.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from swagproof.oracle.domain import Domain
from swagproof.oracle.kinds.table import KINDS
from swagproof.oracle.search.attempts import Phase
from swagproof.oracle.trace import Step
from swagproof.oracle.window import WINDOWS

FLAGS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "short words": ("operands swapped", "Every short history: orders of operands, evicts, empty windows."),
        "plain walks": ("element kept", "Histories as in real use: slides, bursts, windows that are refilled."),
        "fills": ("late growth", "Filled to one size and emptied, with a query after each operation."),
        "every size": ("late growth", "A lap at one size, one element beyond it, and the window emptied."),
        "slides": ("element kept", "A window that stays at one size while many elements pass through."),
        "random walks": ("wrong answer", "Inserts and evicts at random, with many queries."),
        "turns": ("late growth", "Growth of a ring whose first element is anywhere in it."),
        "bulks": ("element lost", "A bulk is its single operations; leave these out where there are no bulks."),
        "counts": ("stale answer", "As many changes, queries and refills as a counter of some bits counts."),
        "monotone": ("element lost", "Windows over rising or falling streams."),
        "lengths": ("element lost", "Texts about as long as lines and fields may be kept."),
        "clocks": ("wrong order", "Times far from 0, far apart, or by large steps."),
        "at one time": ("duplicate replaces", "Many inserts at a time that is present; each combines with the old."),
        "shapes": ("element lost", "Every evict, and then another, of windows that were filled in several orders."),
        "ranges": ("range end", "A range holds both its ends; one that is empty or reversed answers the identity."),
        "crowds": ("wrong order", "Many pairs of one bulk between two entries, some at times that are present."),
        "cuts": ("element kept", "Bulk evicts at times that are absent, from windows about powers of two."),
        "large bulks": ("element lost", "Bulks of thousands into a window, and out of it."),
        "deep": ("element lost", "Long histories over windows in which entries come and go anywhere."),
        "laps": ("element kept", "A window over time: entries at its edge, bursts at one time, and silences."),
        "random": ("wrong answer", "Histories at random, drawn from the file's seed."),
        "wide": ("element kept", "Windows over hours and days, and times where 32 bits end."),
        "edges": ("element kept", "Windows about powers of two, over streams that rise, fall, or stay equal."),
        "many": ("another window", "Many windows over one stream, looked up in any order."),
        "blocks": ("element kept", "Windows of whole blocks, and of one element more or less."),
        "rows": ("element lost", "A frame that counts rows, whatever their times."),
        "range": ("element lost", "A frame that measures time; rows of an equal time come in and go out together."),
        "empty frames": ("wrong identity", "Frames with no row in them; no rows at all, and one."),
        "ties": ("ties swapped", "Rows of equal times keep the order in which they came."),
        "nulls": ("null counted", "Elements that are NULL."),
        "nan": ("wrong answer", "NaN and infinities, before, within and after the frame."),
        "extremes": ("rounding", "Sums that cancel or nearly overflow; tiny and huge elements."),
        "far ends": ("frame end", "Offsets far beyond all rows, and times near the ends of 64 bits."),
        "many rows": ("late growth", "Thousands of rows, at sizes where implementations change their ways."),
    }
)  # fmt: skip
"""For each flag the kind of bug that it targets, and a description of its traces."""

FIRST: Final = 700
"""The number of operations of the first traces of a phase, all of which are taken; and"""

LATER: Final = 1_800
"""of the later ones, of which some are taken."""

LONG: Final = 1_200
"""The length of the longest traces,"""

LONGEST: Final = 5_000
"""except for one of each phase that may be longer; and"""

GROWING: Final = 400
"""of the longest over an aggregation whose answers grow with the window."""

DRAWN: Final = 150_000
"""The number of operations of a phase's traces from which these are chosen."""

_BULKS: Final = ("begin_bulk", "end_bulk"), ("bulk_evict",)
"""The operations that a window with bulks of the other kind may lack."""


@dataclass(frozen=True)
class Draft:
    """A vector without its answers."""

    flags: tuple[str, ...]
    comment: str
    steps: list[Step]


def drafts(window: str, domain: Domain, seed: int) -> Iterator[Draft]:
    """Yield some traces of each phase, the shortest words first; some bulk traces lack one kind of bulk."""
    methods = tuple(WINDOWS[window].operations)
    phases = KINDS[window].phases([domain], seed, methods)
    for lacking in _BULKS if "bulk_evict" in methods else ():
        others = KINDS[window].phases([domain], seed, [name for name in methods if name not in lacking])
        phases += [phase for phase in others if "bulk" in phase.name]
    for phase in phases:
        yield from _some(phase, domain.small)


def _some(phase: Phase, small: bool) -> Iterator[Draft]:
    taken, chosen, drawn, most, longest = 0, 0, 0, 0, LONGEST if small else GROWING
    for number, attempt in enumerate(phase.attempts):
        length = len(attempt.steps)
        drawn += length
        if taken >= FIRST + LATER or drawn > DRAWN:
            return
        if length > longest or (number < chosen and length < 2 * most):
            continue
        most = max(most, length)
        longest = min(longest, LONG) if length > LONG else longest
        taken += min(length, LONG)
        yield Draft((phase.name,), attempt.what, [*attempt.steps])
        if taken > FIRST:  # from here on the next powers of two, and halfway between
            whole = 1 << number.bit_length()
            chosen = whole if number >= 3 * whole // 4 else 3 * whole // 4
