"""What is said of the text of *Aggregate Sharing in Stream Databases* (2005): of section 2, nothing."""

from typing import Final

from swagproof.proofs.errata import wang_2005_ordered_sharing as ordered_sharing
from swagproof.proofs.errata import wang_2005_timegram as timegram
from swagproof.proofs.errata.erratum import Entry

ENTRIES: Final[tuple[Entry, ...]] = (*timegram.ENTRIES, *ordered_sharing.ENTRIES)
