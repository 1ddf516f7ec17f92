"""Every entry of the four lists, by paper."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from swagproof.proofs.errata import carbone_2018 as slicing
from swagproof.proofs.errata import tangwongsan_2015 as general
from swagproof.proofs.errata import tangwongsan_2015_operations as operations
from swagproof.proofs.errata import tangwongsan_2015_windows as windows
from swagproof.proofs.errata import tangwongsan_2018 as out_of_order
from swagproof.proofs.errata import tangwongsan_2018_coins as coins
from swagproof.proofs.errata import tangwongsan_2021 as in_order
from swagproof.proofs.errata import wang_2005 as sharing
from swagproof.proofs.errata.erratum import LISTS, Entry
from swagproof.proofs.ledger.claim import PAPERS, Claim

ENTRIES: Final[tuple[Entry, ...]] = tuple(
    entry
    for paper in PAPERS
    for module in (in_order, out_of_order, coins, slicing, general, windows, operations, sharing)
    for entry in module.ENTRIES
    if entry.paper == paper
)
CLAIMS: Final[tuple[Claim, ...]] = tuple(claim for entry in ENTRIES if (claim := entry.claim()))


def count_lists(entries: Iterable[Entry]) -> dict[str, int]:
    """List -> how many entries it has."""
    counts = Counter(entry.NAME for entry in entries)
    return {each.NAME: counts[each.NAME] for each in LISTS}
