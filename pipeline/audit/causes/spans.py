"""Spans of time in words."""

from typing import Final

from swagproof.pipeline.audit.tables import Tick

_UNITS: Final = (("d", 86_400_000_000), ("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1000))


_SECONDS: Final = (1, 5, 10, 15, 30)
_MINUTES: Final = (1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 360, 480, 600, 720, 1440, 2880, 10_080)


_PLAIN: Final = (2, 3, 4, 5, 6, 8, 10, 15, 16, 20, 30, 60, 100, 300, 600, 1000, 3600)
_CLOCK: Final = (
    1,
    1000,
    10_000,
    30_000,
    *(n * 60_000 for n in (1, 5, 10, 15, 30, 60, 120, 240, 300, 360, 600, 720, 1440)),
)
"""In milliseconds."""


def list_units(tick: Tick) -> list[int]:
    """Units that times are cut to, in ticks."""
    return list(_PLAIN) if tick is None else [n * (1000 if tick == "us" else 1_000_000) for n in _CLOCK]


def list_spans(tick: Tick) -> list[int]:
    """Spans that people choose, in ticks."""
    if tick is None:
        return [k * 10**n for n in range(7) for k in (1, 2, 3, 5)]
    second = 1_000_000 * (1 if tick == "us" else 1000)
    return [n * second for n in _SECONDS] + [n * 60 * second for n in _MINUTES]


def show_span(ticks: int, tick: Tick) -> str:
    """A span for people.

    >>> show_span(5_400_000_000, "us"), show_span(12, None), show_span(1, "us")
    ('90m', '12', '1us')
    """
    if tick is None:
        return f"{ticks:,}"
    for unit, size in _UNITS:
        size *= 1000 if tick == "ns" else 1
        if ticks and ticks % size == 0:
            return f"{ticks // size:,}{unit}"
    return f"{ticks:,}{tick}"
