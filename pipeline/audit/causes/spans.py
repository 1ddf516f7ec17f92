"""Spans of time in words."""

from typing import Final

from swagproof.pipeline.audit.tables import Tick

_UNITS: Final = (("d", 86_400_000_000), ("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1000))


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
