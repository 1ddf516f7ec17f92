"""The mutants of FlatFAT, one mistake each."""

from typing import Final

from swagproof.proofs.ledger.variants import WrongVariants, mutants_of
from swagproof.reference.catalogue import FLAT_FAT

WRONG: Final = WrongVariants(FLAT_FAT, table="flat-fat")
"""Each is refuted by an exhaustive run and by a contract; the hidden ones show in no answer."""
ALONE: Final = mutants_of("flat-fat", "for one claim")
"""Each is for one claim alone."""
WALKS_ALL: Final = ALONE["prefix walks by all leaves before it"]
"""Refuted by the navigation that it takes alone."""
LOOKS_AT_VALUES: Final = ALONE["prefix takes a falsy left neighbour for nothing"]
