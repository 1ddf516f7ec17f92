"""Every erratum, by paper."""

from typing import Final

from swagproof.proofs.errata import (
    coins,
    general,
    in_order,
    operations,
    out_of_order,
    sharing,
    slicing,
    windows,
)
from swagproof.proofs.errata.erratum import Erratum
from swagproof.proofs.ledger import PAPERS, Claim

ERRATA: Final[tuple[Erratum, ...]] = tuple(
    erratum
    for paper in PAPERS
    for module in (in_order, out_of_order, coins, slicing, general, windows, operations, sharing)
    for erratum in module.ERRATA
    if erratum.paper == paper
)
CLAIMS: Final[tuple[Claim, ...]] = tuple(erratum.claim() for erratum in ERRATA)
