"""The histories of test vectors: short ones, each chosen for a mistake that implementations have made.

Each carries flags, and each flag names the mistake that it detects.  The histories do not depend on the meaning of an
operation, only the elements do; where order, ties or signs matter, the same histories recur over other elements.
"""

import itertools
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from swagproof.models.windows.kinds import Frame
from swagproof.oracle.domain import Domain
from swagproof.oracle.kinds.frame import trace
from swagproof.oracle.vectors.counted import fifo, shared
from swagproof.oracle.vectors.drafts import Draft, Drafts, cycle
from swagproof.oracle.vectors.timed import out_of_order, over_time

_FRAMES: Final = (
    (-2, 0), (-1, 1), (-3, -1), (0, 0), (0, 2), (1, 3), (None, 0), (0, None), (None, None), (None, -1), (2, None)
)  # fmt: skip
_LONG: Final = ((-64, 0), (-99, 0), (None, 0), (0, 64), (-65, 63))
"""Frames of many rows."""

_FEW: Final = 3
"""The number of frames that are tried over other elements, too."""

_ROWS: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType(
    {
        "": (1, 2, 3, 4, 5, 6),
        "ties": (1, 1, 2, 2, 2, 5, 5),
        "gaps": (1, 2, 10, 11, 30),
        "unsorted": (4, 1, 3, 1, 2, 6),
        "one row": (7,),
        "no row": (),
    }
)


def frame(domain: Domain, _seed: int) -> Drafts:
    """Vectors for batch engines."""
    for order, (unit, (start, end)) in itertools.product(
        range(len(domain.orders)), itertools.product(("rows", "range"), _FRAMES)
    ):
        for name, times in _ROWS.items():
            if order and ((start, end) not in _FRAMES[:_FEW] or name not in ("", "ties")):
                continue
            flags = [unit]
            flags += ["unbounded"] * (None in (start, end)) + ["unsorted"] * (name == "unsorted")
            flags += ["empty frame"] * ((start is not None and start > 0) or (end is not None and end < 0))
            flags += ["elements"] * (order > 0) + ["empty"] * (not times)
            rows = list(zip(times, cycle(domain, order), strict=False))
            comment = f"{unit} from {start} to {end}; {name or 'rows in order'}"
            yield Draft(tuple(flags), comment, trace(Frame(unit, start, end), rows))

    for unit, (start, end) in itertools.product(("rows", "range"), _LONG):
        rows = list(zip(range(130), cycle(domain), strict=False))
        yield Draft((unit, "growth"), f"{unit} from {start} to {end}; 130 rows", trace(Frame(unit, start, end), rows))


DRAFTS: Final[Mapping[str, Callable[[Domain, int], Drafts]]] = MappingProxyType(
    {"fifo": fifo, "out-of-order": out_of_order, "shared": shared, "time": over_time, "frame": frame}
)
"""For each kind of window what its vectors ask, given a domain and a seed."""
