"""All playable algorithms, and places in the explorer: an algorithm and a short history."""

import json
from string import ascii_lowercase
from typing import Any, Final

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


def read_place(place: str) -> tuple[str, list[list[Any]] | None]:
    """Return the algorithm and the history of a place; None stands for the algorithm's initial history.

    For in-order windows, a letter is an operation: `i` insert, `e` evict, `q` query.  For others, times are separated
    by commas, and a minus evicts at that time.  Elements are letters in order.  For many windows, `r3` registers a
    size, `=7` inserts a number, `l3` looks up a size.  Raises InputError.

    >>> read_place("daba/iie")
    ('daba', [['insert', 'a'], ['insert', 'b'], ['evict']])
    >>> read_place("fiba/7,5.5,-7,q")
    ('fiba', [['insert', 7, 'a'], ['insert', 5.5, 'b'], ['evict', 7], ['query']])
    """
    algorithm, _, word = place.partition("/")
    elements = iter(ascii_lowercase)
    history = [_read_operation(place, each, elements) for each in (word.split(",") if "," in word else word)]
    return algorithm, history or None


def _read_operation(place: str, word: str, elements: Any) -> list[Any]:
    try:
        match word:
            case "i":
                return ["insert", next(elements)]
            case "e" | "q":
                return [{"e": "evict", "q": "query"}[word]]
            case asked if asked[:1] in ("r", "l", "="):
                return [{"r": "register", "l": "lookup", "=": "insert"}[asked[0]], int(asked[1:])]
            case time:
                number = json.loads(time)
                return ["insert", number, next(elements)] if number >= 0 else ["evict", -number]
    except (ValueError, TypeError, StopIteration):
        raise InputError(f"{place}: {word!r} is not an operation; write as in daba/iiie or fiba/3,1,-3") from None
