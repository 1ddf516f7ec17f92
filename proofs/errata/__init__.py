"""All entries about the papers' texts, by paper: texts in the `.toml` files, searches in the modules."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from swagproof.proofs.errata import (
    carbone_2018,
    tangwongsan_2015,
    tangwongsan_2015_windows,
    tangwongsan_2018,
    tangwongsan_2021,
    wang_2005_ordered_sharing,
    wang_2005_timegram,
)
from swagproof.proofs.errata.erratum import LISTS, Entry, Searches, read_entries
from swagproof.proofs.ledger.claim import Claim

SEARCHES: Final[dict[str, Searches]] = {
    **tangwongsan_2021.SEARCHES,
    **tangwongsan_2018.SEARCHES,
    **carbone_2018.SEARCHES,
    **tangwongsan_2015.SEARCHES,
    **tangwongsan_2015_windows.SEARCHES,
    **wang_2005_timegram.SEARCHES,
    **wang_2005_ordered_sharing.SEARCHES,
}
"""The searches of each entry, by its id."""
ENTRIES: Final[tuple[Entry, ...]] = tuple(
    entry
    for paper in ("tangwongsan_2021", "tangwongsan_2018", "carbone_2018", "tangwongsan_2015", "wang_2005")
    for entry in read_entries(f"{paper}.toml", SEARCHES)
)
CLAIMS: Final[tuple[Claim, ...]] = tuple(claim for entry in ENTRIES if (claim := entry.claim()))


def find(names: Iterable[str], papers: Iterable[str]) -> list[Entry]:
    """Return the entries with these ids or first parts of ids (`fiba`), in papers whose name contains one of `papers`.

    Without arguments, all entries.  The KeyError names the unknown id, and lists the known ones.
    """
    asked, wanted = {name.upper() for name in names}, [paper.lower() for paper in papers]
    parts = dict.fromkeys(entry.id.partition("-")[0] for entry in ENTRIES)
    for name in asked.difference(parts, (entry.id for entry in ENTRIES)):
        raise KeyError(
            f"no entry {name!r}; give an id, such as {ENTRIES[0].id}, or its first part, one of {', '.join(parts)}"
        )
    known = dict.fromkeys(entry.paper for entry in ENTRIES)
    for paper in wanted:
        if not any(paper in name.lower() for name in known):
            raise KeyError(f"no paper {paper!r}: {'; '.join(known)}")
    return [
        entry
        for entry in ENTRIES
        if not asked or asked.intersection((entry.id, entry.id.partition("-")[0]))
        if not wanted or any(paper in entry.paper.lower() for paper in wanted)
    ]


def count_lists(entries: Iterable[Entry]) -> dict[str, int]:
    """Count the entries on each list."""
    counts = Counter(entry.listed for entry in entries)
    return {listed: counts[listed] for listed in LISTS.values()}
