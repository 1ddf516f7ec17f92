"""What streaming jobs get wrong in the state they keep, in the timers they set and where they write; and what is near
each."""

from typing import Final

from support.faults.mistakes import few
from support.faults.planted import TEXT, Plant

FLOWING: Final = (
    Plant(
        "text cut to eight characters",
        "truncated",
        *TEXT,
        lambda w: w.answers(lambda v: v[:8]),
        value="text",
        events=few("text", n=400),
    ),
    Plant(
        "the last eight characters of a text",
        "truncated",
        *TEXT,
        lambda w: w.answers(lambda v: v[-8:]),
        value="text",
        events=few("text", n=400),
    ),
)
"""The faults."""

NEAR_FLOWING: Final[dict[str, Plant]] = {}
"""Faults beside them, without such a cause."""

BESIDE_FLOWING: Final = {
    "characters of its answers alone": Plant(
        "text of the first four events to come",
        "",
        *TEXT,
        lambda w: w.make(
            order=lambda held: sorted(sorted(held, key=lambda e: e.seq)[:4], key=lambda e: (e.time, e.seq))
        ),
        value="text",
        events=few("text", n=400),
    ),
}
"""Faults near a way in which a cause is so, that must not be told of them."""
