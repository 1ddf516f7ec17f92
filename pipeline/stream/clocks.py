"""The clock that Spark is shown, and the watermark that the operator sees.

Spark moves a watermark by one clock for the whole query, and drops without a word what is before it, and what is not
after 1970.  So that nothing is dropped, the clock that Spark is shown is the event's time moved into the future by a
constant, and the delay that it is told spans all times that are accepted; the operator takes both off again and sees
the greatest time so far in milliseconds, rounded down.  Times more than a thousand years before or two thousand after
1970 are bad rows.
"""

from typing import Final

from swagproof.models.windows.lateness import NEVER
from swagproof.models.windows.text import Unit

YEAR: Final = 365 * 86_400_000
"""Milliseconds."""

EARLIEST: Final = -1_000 * YEAR
"""The times that are accepted begin here, in milliseconds since 1970,"""

LATEST: Final = 2_000 * YEAR
"""and end here."""

HOLD: Final = LATEST - EARLIEST
"""The delay that Spark is told: nothing is ever later than that."""

MOVED: Final = HOLD + YEAR - EARLIEST
"""The lead of the clock that Spark is shown over the events; it is after 1970 even less the delay."""

CLOCK: Final = "clock"
"""The column of that clock."""


def scale(time: int, unit: Unit) -> int:
    """A time in milliseconds, rounded down."""
    return {"us": time // 1_000, "s": time * 1_000}.get(unit, time)


def watermark_at(latest: int, unit: Unit, delay: int) -> int:
    """The watermark when the latest time so far, in milliseconds, is here."""
    return {"us": latest * 1_000, "ms": latest, "plain": latest, "s": latest // 1_000}[unit] - delay


def watermark_of(clock: int, unit: Unit, delay: int) -> int:
    """The watermark when Spark's stands here.

    >>> watermark_of(to_clock(5_000, "us", 2_000), "us", 2_000), watermark_of(0, "s", 5) == NEVER
    (5000, True)
    """
    return NEVER if clock <= 0 else watermark_at(clock - (MOVED - HOLD), unit, delay)


def to_clock(watermark: int, unit: Unit, delay: int) -> int:
    """The first clock of Spark's at which the operator's watermark is here or later."""
    latest = watermark + delay
    return {"us": -(-latest // 1_000), "ms": latest, "plain": latest, "s": latest * 1_000}[unit] + MOVED - HOLD
