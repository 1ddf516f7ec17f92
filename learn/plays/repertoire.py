"""Every algorithm that can be played, and how."""

from typing import Final

from swagproof.learn.plays.streams import STREAMS
from swagproof.learn.plays.windows import WINDOWED
from swagproof.oracle.trace import InputError
from swagproof.reference.catalogue import CATALOGUE, COLUMNS, Column, Kind

PLAYS: Final = WINDOWED | STREAMS
"""The plays, by the algorithm's slug."""


def find_column(slug: str) -> Column:
    """The algorithm of this slug.  Raises InputError."""
    for column in COLUMNS:
        if column.slug == slug and slug in PLAYS:
            return column
    raise InputError(f"{slug}: no algorithm of that name can be played; there are {', '.join(PLAYS)}")


def kinds() -> dict[str, Kind]:
    """The kind of each algorithm that can be played."""
    return {entry.slug: entry.kind for entry in CATALOGUE if entry.slug in PLAYS}
