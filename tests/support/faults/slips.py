"""Slips of queries as people write them who lack a frame, a date or a null in their engine; and what is near each."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from support.faults.mistakes import few
from support.faults.planted import Came, Plant, World, ranges, rows

FRAMES: Final = few(n=160)


def framed(w: World, reach: Callable[[], int], frame: Callable[[Sequence[Came], int, int], Any]) -> Any:
    """Frames that reach back as far as is said of each row."""

    def windows(events: Sequence[Came]) -> Any:
        for i in range(len(events)):
            yield list(frame(events, -reach(), 0))[i]

    return w.make(windows=windows)


SLIPS: Final = (
    Plant(
        "rows as often as they seemed to come",
        "ROWS for RANGE",
        "range -20 0",
        "sum",
        lambda w: framed(w, lambda: 6, rows),
        events=FRAMES,
    ),
    Plant(
        "a span in which so many rows seemed to come",
        "RANGE for ROWS",
        "rows -7 0",
        "sum",
        lambda w: framed(w, lambda: 14, ranges),
        events=FRAMES,
    ),
)
"""The faults."""

NEAR_SLIPS: Final[dict[str, Plant]] = {
    "ROWS for RANGE": Plant(
        "frames of any number of rows",
        "",
        "range -20 0",
        "sum",
        lambda w: framed(w, lambda: w.draw.randint(2, 12), rows),
        events=FRAMES,
    ),
    "RANGE for ROWS": Plant(
        "frames of any span",
        "",
        "rows -7 0",
        "sum",
        lambda w: framed(w, lambda: w.draw.randint(5, 25), ranges),
        events=FRAMES,
    ),
}
"""Faults beside them, without such a cause."""
