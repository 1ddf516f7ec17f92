"""Every erratum, by paper."""

from typing import Final

from swagproof.proofs.errata import coins, general, in_order, operations, out_of_order, sharing, slicing, windows
from swagproof.proofs.errata.erratum import Erratum
from swagproof.proofs.ledger import Claim

ERRATA: Final[tuple[Erratum, ...]] = (
    *in_order.ERRATA,
    *out_of_order.ERRATA,
    *coins.ERRATA,
    *slicing.ERRATA,
    *general.ERRATA,
    *windows.ERRATA,
    *operations.ERRATA,
    *sharing.ERRATA,
)
CLAIMS: Final[tuple[Claim, ...]] = tuple(erratum.claim() for erratum in ERRATA)
