"""Every erratum, by paper."""

from typing import Final

from swagproof.proofs.errata import carbone_2018 as slicing
from swagproof.proofs.errata import tangwongsan_2015 as general
from swagproof.proofs.errata import tangwongsan_2015_operations as operations
from swagproof.proofs.errata import tangwongsan_2015_windows as windows
from swagproof.proofs.errata import tangwongsan_2018 as out_of_order
from swagproof.proofs.errata import tangwongsan_2018_coins as coins
from swagproof.proofs.errata import tangwongsan_2021 as in_order
from swagproof.proofs.errata import wang_2005 as sharing
from swagproof.proofs.errata.erratum import Erratum
from swagproof.proofs.ledger.claim import PAPERS, Claim

ERRATA: Final[tuple[Erratum, ...]] = tuple(
    erratum
    for paper in PAPERS
    for module in (in_order, out_of_order, coins, slicing, general, windows, operations, sharing)
    for erratum in module.ERRATA
    if erratum.paper == paper
)
CLAIMS: Final[tuple[Claim, ...]] = tuple(erratum.claim() for erratum in ERRATA)
