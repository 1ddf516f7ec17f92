"""The errata of *Aggregate Sharing in Stream Databases* (2005).  The naive algorithm (section 2) has none."""

from typing import Final

from swagproof.proofs.errata import wang_2005_ordered_sharing as ordered_sharing
from swagproof.proofs.errata import wang_2005_timegram as timegram
from swagproof.proofs.errata.erratum import Entry

ENTRIES: Final[tuple[Entry, ...]] = (*timegram.ENTRIES, *ordered_sharing.ENTRIES)
