"""Every erratum, by paper."""

from typing import Final

from swagproof.proofs.errata import in_order
from swagproof.proofs.errata.erratum import Erratum
from swagproof.proofs.ledger import Claim

ERRATA: Final[tuple[Erratum, ...]] = (*in_order.ERRATA,)
CLAIMS: Final[tuple[Claim, ...]] = tuple(erratum.claim() for erratum in ERRATA)
