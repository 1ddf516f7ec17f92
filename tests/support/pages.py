"""Large pages for the memory of a worker that runs many tests.

A Python subject's process is forked, twice, from the judge's.  What that costs grows with the number of pages that the
judge has: a worker of a gigabyte has 250,000 small ones, or 500 large ones.  A machine that hands out large pages to
those who ask (`madvise` in `/sys/kernel/mm/transparent_hugepage/enabled`) is asked here; where there are none, nothing
changes.
"""

import ctypes
from contextlib import suppress
from pathlib import Path
from typing import Final

SIZE: Final = 1 << 21
"""Bytes of a large page."""

_MADV_HUGEPAGE, _MADV_COLLAPSE = 14, 25


def enlarge_pages() -> None:
    """Put this process's own data on large pages.  Takes milliseconds a page that is not yet large."""
    with suppress(OSError, AttributeError):  # no Linux
        advise = ctypes.CDLL(None).madvise
        for line in Path("/proc/self/maps").read_text().splitlines():
            where, access, *_, inode, name = [*line.split(maxsplit=5), ""][:6]
            if access == "rw-p" and inode == "0" and name in ("", "[heap]"):
                start, end = (int(address, 16) for address in where.split("-"))
                start, end = -(-start // SIZE) * SIZE, end // SIZE * SIZE
                for advice in (_MADV_HUGEPAGE, _MADV_COLLAPSE) if start < end else ():
                    advise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), advice)
