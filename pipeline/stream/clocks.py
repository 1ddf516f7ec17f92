"""Conversion between Spark's clock and the operator's watermark.

Spark advances a watermark by one clock for the whole query, and silently drops rows before it, and rows not after 1970.
So that nothing is dropped, the clock column is the event's time moved into the future by a constant, and the delay
given to Spark spans all accepted times.  The operator subtracts both, and sees the greatest time so far in
milliseconds, rounded down.  Times more than a thousand years before or two thousand after 1970 are bad rows.
"""

from typing import Final

from swagproof.models.windows.lateness import NEVER
from swagproof.models.windows.text import Unit

YEAR: Final = 365 * 86_400_000
"""Milliseconds."""

EARLIEST: Final = -1_000 * YEAR
"""The start of the accepted times, in milliseconds since 1970."""

LATEST: Final = 2_000 * YEAR
"""The end of the accepted times, in milliseconds since 1970."""

HOLD: Final = LATEST - EARLIEST
"""The delay given to Spark: no event is later than that."""

MOVED: Final = HOLD + YEAR - EARLIEST
"""The difference between Spark's clock and the events' time; the clock is after 1970 even less the delay."""

CLOCK: Final = "clock"
"""The column of Spark's clock."""


def scale(time: int, unit: Unit) -> int:
    """Return a time in milliseconds, rounded down."""
    return {"us": time // 1_000, "s": time * 1_000}.get(unit, time)


def watermark_at(latest: int, unit: Unit, delay: int) -> int:
    """Return the watermark for the latest time so far, given in milliseconds."""
    return {"us": latest * 1_000, "ms": latest, "plain": latest, "s": latest // 1_000}[unit] - delay


def watermark_of(clock: int, unit: Unit, delay: int) -> int:
    """Return the operator's watermark for a watermark of Spark.

    >>> watermark_of(to_clock(5_000, "us", 2_000), "us", 2_000), watermark_of(0, "s", 5) == NEVER
    (5000, True)
    """
    return NEVER if clock <= 0 else watermark_at(clock - (MOVED - HOLD), unit, delay)


def to_clock(watermark: int, unit: Unit, delay: int) -> int:
    """Return Spark's first clock at which the operator's watermark has reached this one."""
    latest = watermark + delay
    return {"us": -(-latest // 1_000), "ms": latest, "plain": latest, "s": latest * 1_000}[unit] + MOVED - HOLD
